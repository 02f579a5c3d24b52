//! Grouping: a hash table from key bytes to the group's first row and its aggregates.
//!
//! Once the groups have no room, rows of further ones wait in files, parted by their keys' hash; each part is grouped
//! by itself in the end, and a sort brings all groups into their order.
//!
//! WITH ROLLUP, a row counts in its group and in one group for every shorter list of leading keys as well; those show
//! the last row before them, NULL in the place of the keys they sum up over.

use super::memory::{Operator, row_bytes};
use super::sort::{Limit, Sorter};
use super::spill::RowFile;
use super::{Cx, Flow, Next, slices};
use crate::error::SqlError;
use crate::exec::subquery::exact_key;
use crate::expr::aggregate::Accumulator;
use crate::expr::sort_key;
use crate::plan::Group;
use hashbrown::HashMap;
use std::cmp::Ordering;
use std::hash::Hasher;
use types::Value;

struct State {
    /// The kept values of the group's first row: columns outside aggregates take their values from it. Empty in a group
    /// that sums up over keys.
    row: Vec<Value>,
    /// How many keys the group has of its own.
    keys: usize,
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
    /// Groups by the keys' values as they are: found without weighing strings.
    seen: HashMap<Box<[u8]>, usize>,
    raw: Vec<u8>,
    /// Bytes held.
    held: usize,
    /// Rows of groups that had no room, by a part of their keys' hash.
    overflow: Vec<RowFile>,
    /// How often the rows have been parted already.
    depth: u32,
}

/// Files that rows without room are parted into, and how often at most.
const PARTS: usize = 16;
const DEPTH_MAX: u32 = 4;

/// So many values as they are are remembered.
const SEEN_MAX: usize = 1 << 12;

impl<'p> Groups<'p> {
    /// No groups yet.
    pub fn new(group: &'p Group, level: u32, width: usize) -> Self {
        Self {
            group,
            level,
            width,
            index: HashMap::new(),
            states: Vec::new(),
            key: Vec::new(),
            seen: HashMap::new(),
            raw: Vec::new(),
            held: 0,
            overflow: Vec::new(),
            depth: 0,
        }
    }

    /// Adds the row in the frame.
    pub fn add(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if self.group.rollup.is_empty() && self.group.keys.iter().all(|key| key.expr.peek(cx).is_some()) {
            return self.add_by_values(cx);
        }
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let rollup = &self.group.rollup;
        for (at, part) in self.group.keys.iter().enumerate() {
            if !rollup.is_empty() {
                self.add_to(&key, at, cx)?;
            }
            let value = part.expr.eval(cx)?;
            sort_key(&value, &part.expr.ty, part.desc, &mut key);
            if let Some(&slot) = rollup.get(at) {
                cx.frame_mut(self.level, self.width)[slot as usize] = value;
            }
        }
        self.add_to(&key, self.group.keys.len(), cx)?;
        self.key = key;
        Ok(())
    }

    /// Adds the row in the frame, whose keys are columns.
    fn add_by_values(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.raw.clear();
        for key in &self.group.keys {
            if let Some(value) = key.expr.peek(cx) {
                exact_key(value, &mut self.raw);
            }
        }
        if let Some(&position) = self.seen.get(&self.raw[..]) {
            return self.add_at(position, cx);
        }
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        for part in &self.group.keys {
            if let Some(value) = part.expr.peek(cx) {
                sort_key(value, &part.expr.ty, part.desc, &mut key);
            }
        }
        let position = self.position(&key, self.group.keys.len(), cx)?;
        self.key = key;
        let Some(position) = position else { return Ok(()) };
        if self.seen.len() < SEEN_MAX {
            self.seen.insert(self.raw[..].into(), position);
        }
        self.add_at(position, cx)
    }

    /// Adds the row in the frame to the group of its first `keys` keys, whose bytes are `key`.
    fn add_to(&mut self, key: &[u8], keys: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        match self.position(key, keys, cx)? {
            Some(position) => self.add_at(position, cx),
            None => Ok(()),
        }
    }

    /// The number of a group, made if it is new; `None` where there is no room for it: the row waits in a file.
    fn position(&mut self, key: &[u8], keys: usize, cx: &mut Cx<'_>) -> Result<Option<usize>, SqlError> {
        Ok(Some(match self.index.get(key) {
            Some(&position) => position,
            None => {
                let whole = keys == self.group.keys.len();
                let frame = cx.frame_mut(self.level, self.width);
                let kept = self.group.kept.iter().map(|&slot| frame[slot as usize].clone());
                let row: Vec<Value> = if whole { kept.collect() } else { Vec::new() };
                let bytes = 3 * key.len()
                    + row_bytes(&row)
                    + self.group.aggregates.len() * size_of::<Accumulator>()
                    + 96;
                let parts = self.group.rollup.is_empty() && self.depth < DEPTH_MAX;
                if parts && !self.states.is_empty() && self.held + bytes > cx.work_memory(Operator::Group) {
                    self.put_aside(key, cx)?;
                    return Ok(None);
                }
                cx.charge(bytes)?;
                self.held += bytes;
                let accumulators = self.group.aggregates.iter().map(Accumulator::new).collect();
                self.index.insert(key.into(), self.states.len());
                self.states.push((key.into(), State { row, keys, accumulators }));
                self.states.len() - 1
            }
        }))
    }

    /// Keeps the row in the frame for later.
    fn put_aside(&mut self, key: &[u8], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        while self.overflow.len() < PARTS {
            self.overflow.push(RowFile::new(cx)?);
        }
        // Another hash at each depth: what fell together before is parted now.
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write_u32(self.depth);
        hasher.write(key);
        let part = hasher.finish() as usize % PARTS;
        let frame = std::mem::take(cx.frame_mut(self.level, self.width));
        let pushed = self.overflow[part].push(&[], &frame);
        *cx.frame_mut(self.level, 0) = frame;
        pushed
    }

    /// Gives the groups in memory and those whose rows wait in files to a sorter.
    fn gather(mut self, cx: &mut Cx<'_>, sorter: &mut Sorter<'_>) -> Result<(), SqlError> {
        for (key, state) in std::mem::take(&mut self.states) {
            cx.check_interrupt()?;
            let mut row = state.row;
            for (accumulator, call) in state.accumulators.iter().zip(&self.group.aggregates) {
                row.push(accumulator.value(call, cx)?);
            }
            sorter.push_keyed(cx, &key, row)?;
        }
        self.index = HashMap::new();
        self.seen = HashMap::new();
        cx.release(std::mem::take(&mut self.held));
        for part in std::mem::take(&mut self.overflow) {
            let mut groups = Groups::new(self.group, self.level, self.width);
            groups.depth = self.depth + 1;
            let mut rows = part.read()?;
            let (mut key, mut row) = (Vec::new(), Vec::new());
            while rows.next(&mut key, &mut row)? {
                cx.check_interrupt()?;
                cx.frame_mut(self.level, self.width).clone_from(&row);
                groups.add(cx)?;
            }
            groups.gather(cx, sorter)?;
        }
        Ok(())
    }

    fn add_at(&mut self, position: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
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
            let row = vec![Value::Null; self.group.kept.len()];
            self.states.push((Box::default(), State { row, keys: 0, accumulators }));
        }
        if !self.overflow.is_empty() {
            let (group, level, width) = (self.group, self.level, self.width);
            let mut sorter = Sorter::new(&[], None);
            self.gather(cx, &mut sorter)?;
            return sorter.drain(cx, &mut Limit::none(), false, &mut |cx, row| {
                let frame = cx.frame_mut(level, width);
                let aggregates = group.aggregates.iter().map(|call| call.slot);
                for (slot, value) in group.kept.iter().copied().chain(aggregates).zip(row) {
                    frame[slot as usize].clone_from(value);
                }
                next(cx)
            });
        }
        cx.release(std::mem::take(&mut self.held));
        let states = match self.group.as_found {
            true => self.states,
            false => slices::sort(self.states, cx, |(a, _), (b, _)| group_order(a, b))?,
        };
        let mut last = Vec::new();
        for (_, state) in states {
            cx.check_interrupt()?;
            let mut row = state.row;
            if !self.group.rollup.is_empty() {
                if state.keys < self.group.keys.len() {
                    row.clone_from(&last);
                } else {
                    last.clone_from(&row);
                }
            }
            let frame = cx.frame_mut(self.level, self.width);
            for (&slot, value) in self.group.kept.iter().zip(row) {
                frame[slot as usize] = value;
            }
            for &slot in self.group.rollup.get(state.keys..).unwrap_or_default() {
                frame[slot as usize] = Value::Null;
            }
            for (accumulator, call) in state.accumulators.iter().zip(&self.group.aggregates) {
                let value = accumulator.value(call, cx)?;
                cx.frame_mut(self.level, self.width)[call.slot as usize] = value;
            }
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

/// By the keys; a group that sums up comes behind those that it sums up over.
fn group_order(a: &[u8], b: &[u8]) -> Ordering {
    if a.len() != b.len() && (a.starts_with(b) || b.starts_with(a)) {
        return b.len().cmp(&a.len());
    }
    a.cmp(b)
}
