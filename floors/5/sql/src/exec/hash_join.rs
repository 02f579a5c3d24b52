//! Hash joins: rows made once and kept by their keys, found by the rows around them.
//!
//! Where the rows kept have no room, both sides go to files by their keys' hash and are joined part by part.

use super::memory::{Operator, row_bytes};
use super::spill::RowFile;
use super::{Cx, Flow, Materialized, Next, join};
use crate::error::SqlError;
use crate::expr::{Comparison, Expr, sort_key, store};
use crate::plan::HashJoin;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use types::Value;

/// Rows by their keys.
pub struct Table {
    /// Values of the kept slots, row behind row.
    values: Vec<Value>,
    width: usize,
    /// Key bytes of the rows, and where each ends.
    keys: Vec<u8>,
    ends: Vec<usize>,
    /// The first row of each key.
    heads: HashTable<u32>,
    /// The next row with the same key; a row's own number for the last one.
    next: Vec<u32>,
    hasher: hashbrown::DefaultHashBuilder,
    /// Bytes held.
    bytes: usize,
}

impl Table {
    fn new(width: usize) -> Self {
        Self {
            values: Vec::new(),
            width,
            keys: Vec::new(),
            ends: Vec::new(),
            heads: HashTable::new(),
            next: Vec::new(),
            hasher: hashbrown::DefaultHashBuilder::default(),
            bytes: 0,
        }
    }

    /// Rows kept.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether no row is kept.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    fn key(&self, row: u32) -> &[u8] {
        let row = row as usize;
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.keys[start..self.ends[row]]
    }

    fn row(&self, row: u32) -> &[Value] {
        &self.values[row as usize * self.width..][..self.width]
    }

    fn hash(&self, key: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(key);
        hasher.finish()
    }

    fn first(&self, key: &[u8]) -> Option<u32> {
        self.heads.find(self.hash(key), |&row| self.key(row) == key).copied()
    }

    /// Adds a row; gives the bytes that it takes.
    fn push(&mut self, key: &[u8], values: impl Iterator<Item = Value>) -> Result<usize, SqlError> {
        let row = u32::try_from(self.next.len()).map_err(|_| SqlError::out_of_resources())?;
        self.values.extend(values);
        let bytes =
            key.len() + 32 + row_bytes(self.values.get(row as usize * self.width..).unwrap_or_default());
        self.bytes += bytes;
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        // A row goes behind the head of its key: the order among equal keys is that of nothing.
        match self.first(key) {
            Some(head) => {
                let second = self.next[head as usize];
                self.next.push(if second == head { row } else { second });
                self.next[head as usize] = row;
            }
            None => {
                self.next.push(row);
                let hash = self.hash(key);
                let Self { heads, keys, ends, hasher, .. } = self;
                heads.insert_unique(hash, row, |&row| {
                    let row = row as usize;
                    let start = if row == 0 { 0 } else { ends[row - 1] };
                    let mut state = hasher.build_hasher();
                    state.write(&keys[start..ends[row]]);
                    state.finish()
                });
            }
        }
        Ok(bytes)
    }
}

/// Calls `next` for each kept row that fits the row in the frame.
pub fn run(hash: &HashJoin, level: u32, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
    // A row without a key among rows that wait finds none of them.
    let Some(table) = built(hash, level, cx)? else { return Ok(Flow::Continue) };
    let width = hash.slots.iter().max().map_or(0, |&slot| slot as usize + 1);
    if hash.keys.is_empty() {
        for row in 0..table.len() as u32 {
            fill(hash, &table, row, width, level, cx)?;
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        return Ok(Flow::Continue);
    }
    let mut key = cx.take_key();
    let found = match key_of(&hash.probe, &hash.how, cx, &mut key)? {
        true => table.first(&key),
        false => None,
    };
    cx.give_key(key);
    let mut at = found;
    while let Some(row) = at {
        fill(hash, &table, row, width, level, cx)?;
        if next(cx)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        let following = table.next[row as usize];
        at = (following != row).then_some(following);
    }
    Ok(Flow::Continue)
}

fn fill(
    hash: &HashJoin,
    table: &Table,
    row: u32,
    width: usize,
    level: u32,
    cx: &mut Cx<'_>,
) -> Result<(), SqlError> {
    cx.check_interrupt()?;
    let frame = cx.frame_mut(level, width);
    for (&slot, value) in hash.slots.iter().zip(table.row(row)) {
        frame[slot as usize].clone_from(value);
    }
    Ok(())
}

/// The table, made when it is first asked for; `None` where its rows wait in files.
fn built(hash: &HashJoin, level: u32, cx: &mut Cx<'_>) -> Result<Option<Arc<Table>>, SqlError> {
    match cx.materialized.get(hash.number) {
        Some(Some(Materialized::Hash(table))) => return Ok(Some(table.clone())),
        Some(Some(Materialized::Parted(_))) => return Ok(None),
        _ => {}
    }
    let room = if hash.spills { cx.work_memory(Operator::Join) } else { usize::MAX };
    let mut table = Table::new(hash.slots.len());
    let mut parted: Option<Box<Parted>> = None;
    let mut key = Vec::new();
    join::run(&hash.build, level, cx, &mut |cx| {
        if !key_of(&hash.keys, &hash.how, cx, &mut key)? {
            return Ok(Flow::Continue);
        }
        let frame = cx.frame_mut(level, 0);
        let values = hash.slots.iter().map(|&slot| frame.get(slot as usize).cloned().unwrap_or_default());
        if let Some(parted) = &mut parted {
            let values: Vec<Value> = values.collect();
            parted.build[part_of(&key)].push(&key, &values)?;
            return Ok(Flow::Continue);
        }
        let bytes = table.push(&key, values)?;
        cx.charge(bytes)?;
        if table.bytes > room {
            let full = std::mem::replace(&mut table, Table::new(hash.slots.len()));
            cx.release(full.bytes);
            parted = Some(Parted::of(&full, cx)?);
        }
        Ok(Flow::Continue)
    })?;
    if let Some(parted) = parted {
        cx.keep(hash.number, Materialized::Parted(parted));
        return Ok(None);
    }
    let table = Arc::new(table);
    cx.keep(hash.number, Materialized::Hash(table.clone()));
    Ok(Some(table))
}

/// Files that both sides are parted into.
const PARTS: usize = 32;

/// Both sides of a join in files, parted by their keys.
pub struct Parted {
    build: Vec<RowFile>,
    /// Whole frames of the rows around.
    probe: Vec<RowFile>,
}

impl Parted {
    fn of(table: &Table, cx: &mut Cx<'_>) -> Result<Box<Parted>, SqlError> {
        let files = |cx: &mut Cx<'_>| (0..PARTS).map(|_| RowFile::new(cx)).collect::<Result<Vec<_>, _>>();
        let mut parted = Box::new(Parted { build: files(cx)?, probe: files(cx)? });
        for row in 0..table.len() as u32 {
            cx.check_interrupt()?;
            let key = table.key(row);
            parted.build[part_of(key)].push(key, table.row(row))?;
        }
        Ok(parted)
    }
}

fn part_of(key: &[u8]) -> usize {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(key);
    hasher.finish() as usize % PARTS
}

/// Runs what gives the rows around, and `each` for every one of them. Where the rows kept have no room, the rows
/// around wait in files too, and both are joined part by part in the end.
pub fn in_turns(
    hash: &HashJoin,
    level: u32,
    cx: &mut Cx<'_>,
    around: &mut dyn FnMut(&mut Cx<'_>, Next<'_>) -> Result<Flow, SqlError>,
    each: Next<'_>,
) -> Result<Flow, SqlError> {
    let flow = around(cx, &mut |cx| match waits(hash, level, cx)? {
        true => Ok(Flow::Continue),
        false => each(cx),
    })?;
    let parted = match cx.materialized.get_mut(hash.number).map(Option::take) {
        Some(Some(Materialized::Parted(parted))) if flow == Flow::Continue => parted,
        Some(other) => {
            cx.materialized[hash.number] = other;
            return Ok(flow);
        }
        None => return Ok(flow),
    };
    let Parted { build, probe } = *parted;
    let (mut key, mut row) = (Vec::new(), Vec::new());
    for (build, probe) in build.into_iter().zip(probe) {
        let mut table = Table::new(hash.slots.len());
        let mut rows = build.read()?;
        while rows.next(&mut key, &mut row)? {
            cx.check_interrupt()?;
            cx.charge(table.push(&key, row.drain(..))?)?;
        }
        let bytes = table.bytes;
        cx.keep(hash.number, Materialized::Hash(Arc::new(table)));
        let mut rows = probe.read()?;
        while rows.next(&mut key, &mut row)? {
            cx.check_interrupt()?;
            std::mem::swap(cx.frame_mut(level, 0), &mut row);
            if each(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        cx.release(bytes);
    }
    cx.forget(hash.number);
    Ok(Flow::Continue)
}

/// Whether the row in the frame has to wait until its part of the rows kept is in memory; it does then.
fn waits(hash: &HashJoin, level: u32, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    if built(hash, level, cx)?.is_some() {
        return Ok(false);
    }
    let mut key = cx.take_key();
    let waits = key_of(&hash.probe, &hash.how, cx, &mut key)?;
    if waits {
        let frame = std::mem::take(cx.frame_mut(level, 0));
        let pushed = match cx.materialized.get_mut(hash.number) {
            Some(Some(Materialized::Parted(parted))) => parted.probe[part_of(&key)].push(&[], &frame),
            _ => Err(SqlError::internal_error("part a join")),
        };
        *cx.frame_mut(level, 0) = frame;
        pushed?;
    }
    cx.give_key(key);
    Ok(waits)
}

/// The bytes of a key; false where a NULL makes it equal to none.
fn key_of(exprs: &[Expr], how: &[Comparison], cx: &mut Cx<'_>, key: &mut Vec<u8>) -> Result<bool, SqlError> {
    key.clear();
    for (e, how) in exprs.iter().zip(how) {
        let value = e.eval(cx)?;
        if !append_key(&value, *how, cx, key) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// As a key of hash joins, of values.
pub fn key_of_values(values: &[Value], how: &[Comparison], cx: &mut Cx<'_>, key: &mut Vec<u8>) -> bool {
    key.clear();
    values.iter().zip(how).all(|(value, how)| append_key(value, *how, cx, key))
}

fn append_key(value: &Value, how: Comparison, cx: &mut Cx<'_>, key: &mut Vec<u8>) -> bool {
    match (value, how) {
        (Value::Null, _) => return false,
        (Value::Int(n), Comparison::Int) => push_integer(*n < 0, *n as u64, key),
        (Value::UInt(n), Comparison::Int) => push_integer(false, *n, key),
        _ => {
            let Some(ty) = store::comparison_type(how) else { return false };
            let value = store::for_comparison(value, how, cx.state);
            sort_key(&value, &ty, false, key);
        }
    }
    true
}

fn push_integer(negative: bool, bits: u64, key: &mut Vec<u8>) {
    key.push(u8::from(negative));
    key.extend_from_slice(&bits.to_le_bytes());
}
