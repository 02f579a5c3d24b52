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

mod held;
mod late;

use super::memory::{Operator, value_bytes};
use super::sort::Sorter;
use super::spill::{DEPTH_MAX, Parts, RowFile};
use super::{Cx, Flow, Next};
use crate::error::SqlError;
use crate::exec::subquery::exact_key;
use crate::expr::aggregate::Accumulator;
use crate::expr::{Kind, sort_key};
use crate::plan::{AggregateCall, Group};
use crate::session::counters::Counter;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use held::Held;
use late::Late;
use std::hash::BuildHasher;
use types::Value;

/// The groups of one run of a SELECT block.
pub struct Groups<'p> {
    group: &'p Group,
    level: u32,
    width: usize,
    /// The hash of each group's key, and the group's place in `states`.
    index: HashTable<(u64, u32)>,
    hasher: DefaultHashBuilder,
    states: Held,
    key: Vec<u8>,
    /// Groups by the keys' values as they are: found without weighing strings.
    seen: HashMap<Box<[u8]>, usize>,
    /// How many more rows were looked for there in vain than found.
    unseen: usize,
    raw: Vec<u8>,
    /// Where rows come in order: the keys' values of the last one as they are.
    last: Vec<u8>,
    /// There, too: a buffer for what the frame holds of the row that begins the next group.
    waiting: Vec<Value>,
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

/// What a group takes beside its keys, values and aggregates: its head and its place in the index.
const GROUP_BYTES: usize = 64;

/// So many values as they are are remembered.
const SEEN_MAX: usize = 1 << 12;
/// Once so many more rows were not among them than were, none is looked for.
const UNSEEN_MAX: usize = 1 << 16;

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
            states: Held::default(),
            key: Vec::new(),
            seen: HashMap::new(),
            unseen: 0,
            raw: Vec::new(),
            last: Vec::new(),
            waiting: Vec::new(),
            held: 0,
            grows: group.aggregates.iter().any(Accumulator::grows),
            late: None,
            overflow: None,
            depth: 0,
            arrival: 0,
        }
    }

    /// Adds the row in the frame; gives the number of its group, if that is in memory.
    pub fn add(&mut self, cx: &mut Cx<'_>) -> Result<Option<usize>, SqlError> {
        self.arrival += 1;
        // The one group of all rows is found without a look.
        if self.group.keys.is_empty() && !self.states.is_empty() && self.overflow.is_none() {
            self.add_at(0, cx)?;
            return Ok(Some(0));
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
            let value = part.group_value(cx)?;
            match self.group.aside {
                true => sort_key(
                    &part.expr.laid_aside(value.clone(), cx.state),
                    &part.expr.ty,
                    part.desc,
                    &mut key,
                ),
                false => sort_key(&value, &part.expr.ty, part.desc, &mut key),
            }
            if let Some(&slot) = rollup.get(at) {
                cx.frame_mut(self.level, self.width)[slot as usize] = value;
            }
        }
        let added = self.add_to(&key, self.group.keys.len(), cx)?;
        self.key = key;
        Ok(added)
    }

    /// The one group of all rows, once it is there.
    pub fn only(&self) -> Option<usize> {
        (!self.states.is_empty()).then_some(0)
    }

    /// The aggregates of a group, by its number.
    #[inline]
    pub fn accumulators(&mut self, group: usize) -> &mut [Accumulator] {
        self.states.accumulators(group)
    }

    /// Whether what aggregates keep of every row goes to files.
    pub fn is_late(&self) -> bool {
        self.late.is_some()
    }

    /// Takes note of a row that was added to the aggregates of its group, which keep so many bytes more.
    #[inline]
    pub fn count_row(&mut self, bytes: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.arrival += 1;
        if bytes > 0 {
            cx.charge(bytes)?;
            self.grow(bytes, cx)?;
        }
        Ok(())
    }

    /// Adds the row in the frame, whose keys are columns.
    fn add_by_values(&mut self, cx: &mut Cx<'_>) -> Result<Option<usize>, SqlError> {
        // Where most rows make groups of their own, a look costs more than it saves.
        let looks = self.unseen < UNSEEN_MAX;
        if looks {
            self.raw.clear();
            for value in self.group.keys.iter().filter_map(|key| key.expr.peek(cx)) {
                exact_key(value, &mut self.raw);
            }
            if let Some(&position) = self.seen.get(&self.raw[..]) {
                self.unseen = self.unseen.saturating_sub(1);
                self.add_at(position, cx)?;
                return Ok(Some(position));
            }
            self.unseen += 1;
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
        let Some(position) = position else { return Ok(None) };
        if looks && self.seen.len() < SEEN_MAX {
            self.seen.insert(self.raw[..].into(), position);
        }
        self.add_at(position, cx)?;
        Ok(Some(position))
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
        self.go_on(cx, next)
    }

    /// As [`Groups::add_in_order`], for who compares the keys with those of the last row as they are itself.
    pub fn add_behind(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        self.arrival += 1;
        self.last.clear();
        self.go_on(cx, next)
    }

    /// Adds the row in the frame to the group under way, or begins the next one with it.
    fn go_on(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        for part in &self.group.keys {
            if let Some(value) = part.expr.peek(cx) {
                sort_key(value, &part.expr.ty, part.desc, &mut key);
            }
        }
        let same = !self.states.is_empty() && self.states.key(0) == &key[..];
        if !same {
            if !self.states.is_empty() && self.hand_on(cx, next)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            self.make(&key, self.group.keys.len(), None, cx)?;
        }
        self.key = key;
        self.add_at(0, cx)?;
        Ok(Flow::Continue)
    }

    /// Hands the group on that is there. The row in the frame waits meanwhile.
    fn hand_on(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let (group, level, width) = (self.group, self.level, self.width);
        let frame = cx.frame_mut(level, width);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend(group.kept.iter().map(|&slot| std::mem::take(&mut frame[slot as usize])));
        let flow = match self.late.is_some() || self.overflow.is_some() {
            true => {
                let fresh = Groups {
                    arrival: self.arrival,
                    last: std::mem::take(&mut self.last),
                    ..Groups::new(group, level, width)
                };
                std::mem::replace(self, fresh).finish(cx, next)?
            }
            false => {
                cx.release(std::mem::take(&mut self.held));
                let flow = self.send(0, &mut Out::of(group, level, width), cx, next)?;
                self.states.clear();
                flow
            }
        };
        let frame = cx.frame_mut(level, width);
        for (&slot, value) in group.kept.iter().zip(waiting.drain(..)) {
            frame[slot as usize] = value;
        }
        self.waiting = waiting;
        Ok(flow)
    }

    /// Hands on a group in memory.
    fn send(
        &mut self,
        at: usize,
        out: &mut Out<'_>,
        cx: &mut Cx<'_>,
        next: Next<'_>,
    ) -> Result<Flow, SqlError> {
        let own = self.states.own_keys(at);
        cx.state.statement.own_keys = own;
        out.fill(self.states.row(at), own, cx);
        for (accumulator, call) in self.states.accumulators(at).iter().zip(&self.group.aggregates) {
            let value = accumulator.value(call, cx)?;
            let real = call.real_slot().map(|slot| (slot, accumulator.real_mean(call, &value)));
            let frame = cx.frame_mut(self.level, self.width);
            frame[call.slot as usize] = value;
            if let Some((slot, mean)) = real {
                frame[slot as usize] = mean;
            }
        }
        next(cx)
    }

    /// Nothing more is wanted.
    pub fn release(self, cx: &mut Cx<'_>) {
        cx.release(self.held);
    }

    /// Adds the row in the frame to the group of its first `keys` keys, whose bytes are `key`; gives its number as
    /// [`Groups::position`].
    fn add_to(&mut self, key: &[u8], keys: usize, cx: &mut Cx<'_>) -> Result<Option<usize>, SqlError> {
        let position = self.position(key, keys, cx)?;
        if let Some(position) = position {
            self.add_at(position, cx)?;
        }
        Ok(position)
    }

    /// The number of a group, made if it is new; `None` where there is no room for it: the row waits in a file.
    fn position(&mut self, key: &[u8], keys: usize, cx: &mut Cx<'_>) -> Result<Option<usize>, SqlError> {
        let hash = self.hasher.hash_one(key);
        let held = |&(of, at): &(u64, u32)| of == hash && self.states.key(at as usize) == key;
        if let Some(&(_, position)) = self.index.find(hash, held) {
            return Ok(Some(position as usize));
        }
        self.make(key, keys, Some(hash), cx)
    }

    /// Makes a group, to be found by its key's hash; gives its number as [`Groups::position`].
    fn make(
        &mut self,
        key: &[u8],
        keys: usize,
        hash: Option<u64>,
        cx: &mut Cx<'_>,
    ) -> Result<Option<usize>, SqlError> {
        let whole = keys == self.group.keys.len();
        for (slot, variable) in &self.group.variables {
            let value = variable.eval(cx)?;
            cx.frame_mut(self.level, self.width)[*slot as usize] = value;
        }
        let frame = cx.frame_mut(self.level, self.width);
        let texts: usize = self.group.kept.iter().map(|&slot| value_bytes(&frame[slot as usize])).sum();
        let bytes =
            2 * key.len() + texts + self.group.aggregates.len() * size_of::<Accumulator>() + GROUP_BYTES;
        let full = self.held + bytes > cx.work_memory(Operator::Group) && self.depth < DEPTH_MAX;
        if self.overflow.is_some() || full && !self.states.is_empty() {
            self.put_aside(key, keys, cx)?;
            return Ok(None);
        }
        cx.charge(bytes)?;
        self.held += bytes;
        let position = self.states.len();
        if let Some(hash) = hash {
            self.index.insert_unique(hash, (hash, position as u32), |&(hash, _)| hash);
        }
        let frame = cx.frame_mut(self.level, self.width);
        let row = self.group.kept.iter().map(|&slot| match whole {
            true => frame[slot as usize].clone(),
            false => Value::Null,
        });
        self.states.push(self.group, (key, keys), row, self.arrival);
        Ok(Some(position))
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
        for &(place, slot) in &self.group.lasting {
            self.states.row(position)[place] = cx.frame_mut(self.level, self.width)[slot as usize].clone();
        }
        let accumulators = self.states.accumulators(position);
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
        self.grow(grown, cx)
    }

    /// Takes note of bytes that aggregates have come to keep of rows.
    fn grow(&mut self, bytes: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.held += bytes;
        if self.grows && self.late.is_none() && self.held > cx.work_memory(Operator::Group) {
            self.go_late(cx)?;
        }
        Ok(())
    }

    /// Puts what aggregates keep of every row into files, from now on.
    fn go_late(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut late = Late::default();
        for position in 0..self.states.len() {
            for (at, accumulator) in self.states.accumulators(position).iter_mut().enumerate() {
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
            let mut row = vec![Value::Null; self.group.kept.len()];
            // Columns of no row are NULL, whatever row was looked at last.
            let variables = self.group.variables.iter().filter(|(_, e)| !matches!(e.kind, Kind::Column(_)));
            for (slot, variable) in variables {
                if let Some(at) = self.group.kept.iter().position(|kept| kept == slot) {
                    row[at] = variable.eval(cx)?;
                }
            }
            self.states.push(self.group, (&[], 0), row.into_iter(), 0);
        }
        if !self.group.keys.is_empty() && !self.group.in_order {
            cx.count_kept(self.states.len() as u64);
            cx.count(Counter::CreatedTmpDiskTables, u64::from(self.overflow.is_some()));
        }
        let mut out = Out::of(self.group, self.level, self.width);
        if self.overflow.is_some() || self.late.is_some() {
            let mut sorter = Sorter::new(&[], None);
            self.gather(cx, &mut sorter)?;
            return sorter.drain_keyed(cx, &mut |cx, _, row| out.send_packed(row, cx, next));
        }
        cx.release(std::mem::take(&mut self.held));
        let order = match self.group.as_found || self.group.reordered {
            true => None,
            false => Some(self.states.in_order(cx)?),
        };
        for nth in 0..self.states.len() {
            cx.check_interrupt()?;
            let at = order.as_ref().map_or(nth, |order| order[nth] as usize);
            if self.send(at, &mut out, cx, next)? == Flow::Stop {
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
        let mut states = std::mem::take(&mut self.states);
        for position in 0..states.len() {
            cx.check_interrupt()?;
            let own = states.own_keys(position);
            cx.state.statement.own_keys = own;
            let mut row = vec![Value::UInt(own as u64)];
            row.extend(states.row(position).iter_mut().map(std::mem::take));
            let accumulators = states.accumulators(position).iter_mut();
            for (at, (accumulator, call)) in accumulators.zip(&self.group.aggregates).enumerate() {
                let value = match &mut late {
                    Some(late) if Accumulator::grows(call) => {
                        late.value(position, at, accumulator, call, cx)?
                    }
                    _ => accumulator.value(call, cx)?,
                };
                let real = call.real_slot().map(|_| accumulator.real_mean(call, &value));
                row.push(value);
                row.extend(real);
            }
            match self.group.as_found {
                true => sorter.push_keyed(cx, &states.arrival(position).to_be_bytes(), &row)?,
                false => sorter.push_keyed(cx, states.key(position), &row)?,
            }
        }
        drop(states);
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

impl<'p> Out<'p> {
    fn of(group: &'p Group, level: u32, width: usize) -> Out<'p> {
        Out { group, level, width, last: Vec::new() }
    }

    /// Moves a group's kept values into the frame.
    fn fill(&mut self, row: &mut [Value], keys: usize, cx: &mut Cx<'_>) {
        if !self.group.rollup.is_empty() {
            if keys == self.group.keys.len() {
                self.last.clear();
                self.last.extend_from_slice(row);
            } else if self.last.len() == row.len() {
                row.clone_from_slice(&self.last);
            }
        }
        let frame = cx.frame_mut(self.level, self.width);
        for (&slot, value) in self.group.kept.iter().zip(row) {
            frame[slot as usize] = std::mem::take(value);
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
        let slots = self.group.aggregates.iter().flat_map(AggregateCall::slots).count();
        let aggregates = row.split_off(row.len() - slots);
        let keys = match row.first() {
            Some(Value::UInt(keys)) => *keys as usize,
            _ => return Err(SqlError::internal_error("read a group")),
        };
        self.fill(&mut row[1..], keys, cx);
        let frame = cx.frame_mut(self.level, self.width);
        for (slot, value) in self.group.aggregates.iter().flat_map(AggregateCall::slots).zip(aggregates) {
            frame[slot as usize] = value;
        }
        next(cx)
    }
}
