//! Grouping: a hash table from key bytes to the group's first row and its aggregates.

use super::{Cx, Flow, Next};
use crate::error::SqlError;
use crate::expr::aggregate::Accumulator;
use crate::expr::sort_key;
use crate::plan::Group;
use hashbrown::HashMap;
use types::Value;

struct State {
    /// The frame of the group's first row: columns outside aggregates take their values from it.
    row: Vec<Value>,
    accumulators: Vec<Accumulator>,
}

/// The groups of one run of a SELECT block.
pub struct Groups<'p> {
    group: &'p Group,
    level: u32,
    width: usize,
    index: HashMap<Box<[u8]>, usize>,
    states: Vec<(Box<[u8]>, State)>,
    key: Vec<u8>,
}

impl<'p> Groups<'p> {
    /// No groups yet.
    pub fn new(group: &'p Group, level: u32, width: usize) -> Self {
        Self { group, level, width, index: HashMap::new(), states: Vec::new(), key: Vec::new() }
    }

    /// Adds the row in the frame.
    pub fn add(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.key.clear();
        for key in &self.group.keys {
            let value = key.expr.eval(cx)?;
            sort_key(&value, &key.expr.ty, key.desc, &mut self.key);
        }
        let position = match self.index.get(&self.key[..]) {
            Some(&position) => position,
            None => {
                let key: Box<[u8]> = self.key[..].into();
                let row = cx.frame_mut(self.level, self.width).clone();
                let accumulators = self.group.aggregates.iter().map(Accumulator::new).collect();
                self.index.insert(key.clone(), self.states.len());
                self.states.push((key, State { row, accumulators }));
                self.states.len() - 1
            }
        };
        let state = &mut self.states[position].1;
        for (accumulator, call) in state.accumulators.iter_mut().zip(&self.group.aggregates) {
            accumulator.add(call, cx)?;
        }
        Ok(())
    }

    /// Calls `next` once a group, in the order of the keys, with its row and its aggregates in the frame.
    pub fn finish(mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        if self.states.is_empty() && self.group.keys.is_empty() {
            let accumulators = self.group.aggregates.iter().map(Accumulator::new).collect();
            let row = vec![Value::Null; self.width];
            self.states.push((Box::default(), State { row, accumulators }));
        }
        self.states.sort_by(|(a, _), (b, _)| a.cmp(b));
        if self.group.rollup {
            return Err(SqlError::not_supported_yet("WITH ROLLUP"));
        }
        for (_, state) in self.states {
            cx.check_interrupt()?;
            let mut row = state.row;
            for (accumulator, call) in state.accumulators.iter().zip(&self.group.aggregates) {
                row[call.slot as usize] = accumulator.value(call, cx)?;
            }
            *cx.frame_mut(self.level, self.width) = row;
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}
