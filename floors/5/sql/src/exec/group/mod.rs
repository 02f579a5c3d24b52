//! Grouping: a hash table from key bytes to the group's first row and its aggregates.
//!
//! Once the groups have no room, rows of further ones wait in files, parted by their keys' hash; each part is grouped
//! by itself in the end, and a sort brings all groups into their order. What aggregates keep of every row (texts of
//! GROUP_CONCAT, values seen by DISTINCT) goes to files of its own (`late`).
//!
//! Where rows come in the order of the keys there is one group at a time, handed on once the next one begins.
//!
//! WITH ROLLUP, a row counts in its group and in one group for every shorter list of leading keys as well; those show
//! the last row before them, NULL in the place of the keys they sum up over. A mark before each key brings them behind
//! the groups that they sum up over.

mod late;

use super::memory::{Operator, row_bytes};
use super::sort::Sorter;
use super::spill::{DEPTH_MAX, Parts, RowFile};
use super::{Cx, Flow, Next, slices};
use crate::error::SqlError;
use crate::exec::subquery::exact_key;
use crate::expr::aggregate::Accumulator;
use crate::expr::sort_key;
use crate::plan::Group;
use crate::session::counters::Counter;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use late::Late;
use std::hash::BuildHasher;
use types::Value;

/// A group.
struct State {
    /// The kept values of the group's first row: columns outside aggregates take their values from it. Empty in a group
    /// that sums up over keys.
    row: Vec<Value>,
    /// How many keys the group has of its own.
    keys: usize,
    /// The number of that row.
    arrival: u64,
    accumulators: Vec<Accumulator>,
}

/// The groups of one run of a SELECT block.
pub struct Groups<'p> {
    group: &'p Group,
    level: u32,
    width: usize,
    /// The hash of each group's key, and the group's place in `states`.
    index: HashTable<(u64, u32)>,
    hasher: DefaultHashBuilder,
    states: Vec<(Box<[u8]>, State)>,
    key: Vec<u8>,
    /// Groups by the keys' values as they are: found without weighing strings.
    seen: HashMap<Box<[u8]>, usize>,
    raw: Vec<u8>,
    /// Where rows come in order: the keys' values of the last one as they are.
    last: Vec<u8>,
    /// Bytes held.
    held: usize,
    /// Some aggregate keeps something of every row.
    grows: bool,
    /// What such aggregates keep, once that has no room.
    late: Option<Late>,
    /// Rows of groups that had no room, with the group's key.
    overflow: Option<Parts>,
    /// How often the rows have been parted already.
    depth: u32,
    /// The number of the row under way.
    arrival: u64,
}

/// So many values as they are are remembered.
const SEEN_MAX: usize = 1 << 12;

/// What stands before a key WITH ROLLUP, and where the keys of a group end that sums up over the rest.
const KEY: u8 = 0;
const SUM: u8 = 1;

impl<'p> Groups<'p> {
    /// No groups yet.
    pub fn new(group: &'p Group, level: u32, width: usize) -> Self {
        Self {
            group,
            level,
            width,
            index: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            states: Vec::new(),
            key: Vec::new(),
            seen: HashMap::new(),
            raw: Vec::new(),
            last: Vec::new(),
            held: 0,
            grows: group.aggregates.iter().any(Accumulator::grows),
            late: None,
            overflow: None,
            depth: 0,
            arrival: 0,
        }
    }

    /// Adds the row in the frame.
    pub fn add(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.arrival += 1;
        // The one group of all rows is found without a look.
        if self.group.keys.is_empty() && !self.states.is_empty() && self.overflow.is_none() {
            return self.add_at(0, cx);
        }
        if self.group.rollup.is_empty() && self.group.keys.iter().all(|key| key.expr.peek(cx).is_some()) {
            return self.add_by_values(cx);
        }
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let rollup = &self.group.rollup;
        for (at, part) in self.group.keys.iter().enumerate() {
            if !rollup.is_empty() {
                key.push(SUM);
                self.add_to(&key, at, cx)?;
                key.pop();
                key.push(KEY);
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

    /// Adds the row in the frame, where rows come in the order of the keys, which are columns. The group before it, if it
    /// is whole now, goes to `next`.
    pub fn add_in_order(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        self.arrival += 1;
        self.raw.clear();
        for value in self.group.keys.iter().filter_map(|key| key.expr.peek(cx)) {
            exact_key(value, &mut self.raw);
        }
        if !self.states.is_empty() && self.raw == self.last {
            self.add_at(0, cx)?;
            return Ok(Flow::Continue);
        }
        std::mem::swap(&mut self.raw, &mut self.last);
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        for part in &self.group.keys {
            if let Some(value) = part.expr.peek(cx) {
                sort_key(value, &part.expr.ty, part.desc, &mut key);
            }
        }
        let same = self.states.first().is_some_and(|(held, _)| **held == *key);
        if !same {
            if !self.states.is_empty() && self.hand_on(cx, next)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            self.position(&key, self.group.keys.len(), cx)?;
        }
        self.key = key;
        self.add_at(0, cx)?;
        Ok(Flow::Continue)
    }

    /// Hands the group on that is there. The row in the frame waits meanwhile.
    fn hand_on(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let fresh = Groups {
            arrival: self.arrival,
            last: std::mem::take(&mut self.last),
            ..Groups::new(self.group, self.level, self.width)
        };
        let whole = std::mem::replace(self, fresh);
        let (group, level, width) = (self.group, self.level, self.width);
        let frame = cx.frame_mut(level, width);
        let waiting: Vec<Value> =
            group.kept.iter().map(|&slot| std::mem::take(&mut frame[slot as usize])).collect();
        let flow = whole.finish(cx, next)?;
        let frame = cx.frame_mut(level, width);
        for (&slot, value) in group.kept.iter().zip(waiting) {
            frame[slot as usize] = value;
        }
        Ok(flow)
    }

    /// Nothing more is wanted.
    pub fn release(self, cx: &mut Cx<'_>) {
        cx.release(self.held);
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
        let hash = self.hasher.hash_one(key);
        let held = |&(of, at): &(u64, u32)| of == hash && *self.states[at as usize].0 == *key;
        if let Some(&(_, position)) = self.index.find(hash, held) {
            return Ok(Some(position as usize));
        }
        let whole = keys == self.group.keys.len();
        for (slot, variable) in &self.group.variables {
            let value = variable.eval(cx)?;
            cx.frame_mut(self.level, self.width)[*slot as usize] = value;
        }
        let frame = cx.frame_mut(self.level, self.width);
        let kept = self.group.kept.iter().map(|&slot| frame[slot as usize].clone());
        let row: Vec<Value> = if whole { kept.collect() } else { Vec::new() };
        let bytes =
            2 * key.len() + row_bytes(&row) + self.group.aggregates.len() * size_of::<Accumulator>() + 96;
        let full = self.held + bytes > cx.work_memory(Operator::Group) && self.depth < DEPTH_MAX;
        if self.overflow.is_some() || full && !self.states.is_empty() {
            self.put_aside(key, keys, cx)?;
            return Ok(None);
        }
        cx.charge(bytes)?;
        self.held += bytes;
        let accumulators = self.group.aggregates.iter().map(Accumulator::new).collect();
        if !self.group.in_order {
            self.index.insert_unique(hash, (hash, self.states.len() as u32), |&(hash, _)| hash);
        }
        let arrival = self.arrival;
        self.states.push((key.into(), State { row, keys, arrival, accumulators }));
        Ok(Some(self.states.len() - 1))
    }

    /// Keeps the row in the frame for later.
    fn put_aside(&mut self, key: &[u8], keys: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let depth = self.depth;
        let parts = self.overflow.get_or_insert_with(|| Parts::new(depth));
        let record = [&self.arrival.to_be_bytes()[..], &(keys as u32).to_be_bytes(), key].concat();
        let frame = std::mem::take(cx.frame_mut(self.level, self.width));
        let pushed = parts.push(key, &record, &frame, cx);
        *cx.frame_mut(self.level, 0) = frame;
        pushed
    }

    fn add_at(&mut self, position: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let accumulators = &mut self.states[position].1.accumulators;
        let mut grown = 0;
        for (at, (accumulator, call)) in accumulators.iter_mut().zip(&self.group.aggregates).enumerate() {
            match &mut self.late {
                Some(late) if Accumulator::grows(call) => late.add(position, at, call, cx)?,
                _ => {
                    let before = accumulator.held();
                    accumulator.add(call, cx)?;
                    grown += accumulator.held() - before;
                }
            }
        }
        self.held += grown;
        if self.grows && self.late.is_none() && self.held > cx.work_memory(Operator::Group) {
            self.go_late(cx)?;
        }
        Ok(())
    }

    /// Puts what aggregates keep of every row into files, from now on.
    fn go_late(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut late = Late::default();
        for (position, (_, state)) in self.states.iter_mut().enumerate() {
            for (at, accumulator) in state.accumulators.iter_mut().enumerate() {
                let bytes = accumulator.held();
                late.unload((position, at), &self.group.aggregates[at], accumulator, cx)?;
                self.held -= bytes;
                cx.release(bytes);
            }
        }
        self.late = Some(late);
        Ok(())
    }

    /// Calls `next` once a group, in the order of the keys, with its row and its aggregates in the frame.
    pub fn finish(mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        if self.states.is_empty() && self.group.keys.is_empty() {
            let accumulators = self.group.aggregates.iter().map(Accumulator::new).collect();
            let mut row = vec![Value::Null; self.group.kept.len()];
            for (slot, variable) in &self.group.variables {
                if let Some(at) = self.group.kept.iter().position(|kept| kept == slot) {
                    row[at] = variable.eval(cx)?;
                }
            }
            self.states.push((Box::default(), State { row, keys: 0, arrival: 0, accumulators }));
        }
        if !self.group.keys.is_empty() && !self.group.in_order {
            cx.count_kept(self.states.len() as u64);
            cx.count(Counter::CreatedTmpDiskTables, u64::from(self.overflow.is_some()));
        }
        let mut out = Out { group: self.group, level: self.level, width: self.width, last: Vec::new() };
        if self.overflow.is_some() || self.late.is_some() {
            let mut sorter = Sorter::new(&[], None);
            self.gather(cx, &mut sorter)?;
            return sorter.drain_keyed(cx, &mut |cx, _, row| out.send_packed(row, cx, next));
        }
        cx.release(std::mem::take(&mut self.held));
        let states = match self.group.as_found {
            true => self.states,
            false => slices::sort_by_key(self.states, cx, |(key, _)| key)?,
        };
        for (_, state) in states {
            cx.check_interrupt()?;
            let State { row, keys, accumulators, .. } = state;
            out.fill(row, keys, cx);
            for (accumulator, call) in accumulators.iter().zip(&self.group.aggregates) {
                let value = accumulator.value(call, cx)?;
                cx.frame_mut(self.level, self.width)[call.slot as usize] = value;
            }
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    /// Gives the groups in memory and those whose rows wait in files to a sorter: the number of keys, the kept values,
    /// the aggregates.
    fn gather(mut self, cx: &mut Cx<'_>, sorter: &mut Sorter<'_>) -> Result<(), SqlError> {
        let mut late = match self.late.take() {
            Some(late) => Some(late.finish(cx)?),
            None => None,
        };
        self.index = HashTable::new();
        self.seen = HashMap::new();
        for (position, (key, state)) in std::mem::take(&mut self.states).into_iter().enumerate() {
            cx.check_interrupt()?;
            let mut row = vec![Value::UInt(state.keys as u64)];
            row.extend(state.row);
            for (at, (mut accumulator, call)) in
                state.accumulators.into_iter().zip(&self.group.aggregates).enumerate()
            {
                row.push(match &mut late {
                    Some(late) if Accumulator::grows(call) => {
                        late.value(position, at, &mut accumulator, call, cx)?
                    }
                    _ => accumulator.value(call, cx)?,
                });
            }
            match self.group.as_found {
                true => sorter.push_keyed(cx, &state.arrival.to_be_bytes(), &row)?,
                false => sorter.push_keyed(cx, &key, &row)?,
            }
        }
        cx.release(std::mem::take(&mut self.held));
        let Some(overflow) = self.overflow.take() else { return Ok(()) };
        let (files, depth) = overflow.into_files();
        for file in files.into_iter().flatten() {
            self.gather_part(file, depth, cx, sorter)?;
        }
        Ok(())
    }

    /// Groups rows that waited.
    fn gather_part(
        &self,
        file: RowFile,
        depth: u32,
        cx: &mut Cx<'_>,
        sorter: &mut Sorter<'_>,
    ) -> Result<(), SqlError> {
        let mut groups = Groups { depth, ..Groups::new(self.group, self.level, self.width) };
        let mut rows = file.read()?;
        let (mut record, mut row) = (Vec::new(), Vec::new());
        while rows.next(&mut record, &mut row)? {
            cx.check_interrupt()?;
            let Some((arrival, rest)) = record.split_first_chunk() else { continue };
            let Some((keys, key)) = rest.split_first_chunk() else { continue };
            groups.arrival = u64::from_be_bytes(*arrival);
            cx.frame_mut(self.level, self.width).clone_from(&row);
            groups.add_to(key, u32::from_be_bytes(*keys) as usize, cx)?;
        }
        groups.gather(cx, sorter)
    }
}

/// Groups on their way out.
struct Out<'p> {
    group: &'p Group,
    level: u32,
    width: usize,
    /// WITH ROLLUP: the kept values of the last group that sums up over nothing.
    last: Vec<Value>,
}

impl Out<'_> {
    /// Puts a group's kept values into the frame.
    fn fill(&mut self, mut row: Vec<Value>, keys: usize, cx: &mut Cx<'_>) {
        if !self.group.rollup.is_empty() {
            match keys < self.group.keys.len() {
                true => row.clone_from(&self.last),
                false => self.last.clone_from(&row),
            }
        }
        let frame = cx.frame_mut(self.level, self.width);
        for (&slot, value) in self.group.kept.iter().zip(row) {
            frame[slot as usize] = value;
        }
        for &slot in self.group.rollup.get(keys..).unwrap_or_default() {
            frame[slot as usize] = Value::Null;
        }
    }

    /// Hands on a group that came through a sorter.
    fn send_packed(
        &mut self,
        mut row: Vec<Value>,
        cx: &mut Cx<'_>,
        next: Next<'_>,
    ) -> Result<Flow, SqlError> {
        let aggregates = row.split_off(row.len() - self.group.aggregates.len());
        let keys = match row.first() {
            Some(Value::UInt(keys)) => *keys as usize,
            _ => return Err(SqlError::internal_error("read a group")),
        };
        row.remove(0);
        self.fill(row, keys, cx);
        let frame = cx.frame_mut(self.level, self.width);
        for (call, value) in self.group.aggregates.iter().zip(aggregates) {
            frame[call.slot as usize] = value;
        }
        next(cx)
    }
}
