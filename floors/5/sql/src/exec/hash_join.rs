//! Hash joins: rows made once and kept by their keys, found by the rows around them.
//!
//! | module | what |
//! | --- | --- |
//! | [`around`] | the rows around are few: they are kept instead, and find the rows of the join as these come |
//! | [`parted`] | the rows kept have no room: both sides go to files by their keys' hash and are joined part by part |
//!
//! Where the join runs again and again, the rows around cannot wait: the rows kept are looked up in their file.

pub mod around;
pub mod parted;

use super::filed::{Filed, Filing};
use super::memory::{Operator, row_bytes};
use super::rows::Rows;
use super::{Cx, Flow, Materialized, Next, Sink, join};
use crate::error::SqlError;
use crate::expr::{Comparison, Expr, Slot, sort_key, store};
use crate::plan::HashJoin;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;
use types::Value;

/// Rows by their keys.
pub struct Table {
    /// Values of the kept slots, row behind row.
    values: Vec<Value>,
    width: usize,
    /// Key bytes of the rows, and where each ends.
    keys: Vec<u8>,
    ends: Vec<usize>,
    /// The last row of each key.
    tails: HashTable<u32>,
    /// The next row with the same key; behind the last one comes the first.
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
            tails: HashTable::new(),
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

    /// The rows of a key, in the order in which they came.
    fn rows_of(&self, key: &[u8]) -> impl Iterator<Item = u32> + use<'_> {
        let last = self.tails.find(self.hash(key), |&row| self.key(row) == key).copied();
        let following = move |row: &u32| (Some(*row) != last).then(|| self.next[*row as usize]);
        std::iter::successors(last.map(|row| self.next[row as usize]), following)
    }

    /// Adds a row; gives the bytes that it takes.
    fn push(&mut self, key: &[u8], values: impl Iterator<Item = Value>) -> Result<usize, SqlError> {
        let (row, bytes) = self.push_unkeyed(key, values)?;
        let hash = self.hash(key);
        let Self { tails, keys, ends, hasher, next, .. } = self;
        let key_at = |row: u32| {
            let row = row as usize;
            let start = if row == 0 { 0 } else { ends[row - 1] };
            &keys[start..ends[row]]
        };
        match tails.find_mut(hash, |&other| key_at(other) == key) {
            Some(tail) => {
                next[row as usize] = std::mem::replace(&mut next[*tail as usize], row);
                *tail = row;
            }
            None => {
                tails.insert_unique(hash, row, |&row| {
                    let mut state = hasher.build_hasher();
                    state.write(key_at(row));
                    state.finish()
                });
            }
        }
        Ok(bytes)
    }

    /// Adds a row that no key finds; gives its number and the bytes that it takes.
    fn push_unkeyed(
        &mut self,
        key: &[u8],
        values: impl Iterator<Item = Value>,
    ) -> Result<(u32, usize), SqlError> {
        let row = u32::try_from(self.next.len()).map_err(|_| SqlError::out_of_resources())?;
        self.values.extend(values);
        let bytes =
            key.len() + 32 + row_bytes(self.values.get(row as usize * self.width..).unwrap_or_default());
        self.bytes += bytes;
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        self.next.push(row);
        Ok((row, bytes))
    }
}

/// The rows kept.
#[derive(Clone)]
enum Built {
    Held(Rc<Table>),
    Filed(Rc<Filed>),
    /// Rows of a join without keys that have no room.
    Rows(Rc<Rows>),
    /// They wait in files, as do the rows around.
    Parted,
}

/// Calls `next` for each kept row that fits the row in the frame.
pub fn run(hash: &HashJoin, level: u32, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
    let built = built(hash, level, cx)?;
    let width = hash.slots.iter().max().map_or(0, |&slot| slot as usize + 1);
    let mut each = |cx: &mut Cx<'_>, row: &[Value]| {
        fill(hash, row, width, level, cx)?;
        next(cx)
    };
    if hash.keys.is_empty() {
        return every_row(&built, cx, &mut each);
    }
    let mut key = cx.take_key();
    if !key_of(&hash.probe, &hash.how, cx, &mut key)? {
        cx.give_key(key);
        return Ok(Flow::Continue);
    }
    match built {
        Built::Held(table) => {
            let rows = table.rows_of(&key);
            cx.give_key(key);
            for row in rows {
                if each(cx, table.row(row))? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            Ok(Flow::Continue)
        }
        Built::Filed(filed) => filed.find(&key, cx, each),
        // A row without a key among rows that wait finds none of them.
        Built::Parted | Built::Rows(_) => Ok(Flow::Continue),
    }
}

/// A join without keys: every row kept fits.
fn every_row(built: &Built, cx: &mut Cx<'_>, each: Sink<'_>) -> Result<Flow, SqlError> {
    match built {
        Built::Held(table) => {
            for row in 0..table.len() as u32 {
                if each(cx, table.row(row))? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
        }
        Built::Rows(rows) => {
            let mut rows = rows.walk();
            while let Some(row) = rows.next_row()? {
                if each(cx, row)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
        }
        Built::Filed(_) | Built::Parted => return Err(SqlError::internal_error("join without keys")),
    }
    Ok(Flow::Continue)
}

fn fill(hash: &HashJoin, row: &[Value], width: usize, level: u32, cx: &mut Cx<'_>) -> Result<(), SqlError> {
    cx.check_interrupt()?;
    let frame = cx.frame_mut(level, width);
    for (&slot, value) in hash.slots.iter().zip(row) {
        frame[slot as usize].clone_from(value);
    }
    if let Some(Value::UInt(number)) = hash.row.map(|slot| &frame[slot as usize]) {
        cx.state.statement.row = *number;
    }
    Ok(())
}

/// What was kept under the join's number.
fn known(hash: &HashJoin, cx: &Cx<'_>) -> Option<Built> {
    match cx.materialized.get(hash.number)?.as_ref()? {
        Materialized::Hash(table) => Some(Built::Held(table.clone())),
        Materialized::Filed(filed) => Some(Built::Filed(filed.clone())),
        Materialized::Rows(rows) => Some(Built::Rows(rows.clone())),
        Materialized::Parted(_) => Some(Built::Parted),
        _ => None,
    }
}

/// Rows being kept.
enum Building {
    Held(Table),
    Parted(Box<parted::Parted>),
    Filed(Filing),
    Rows(Rows),
}

impl Building {
    fn push(&mut self, key: &[u8], values: Vec<Value>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        match self {
            Self::Held(table) => cx.charge(table.push(key, values.into_iter())?),
            Self::Parted(parted) => parted.push(key, &values),
            Self::Filed(filing) => filing.push(key, &values, cx),
            Self::Rows(rows) => rows.push(values, cx),
        }
    }

    /// Goes on in files.
    fn spill(&mut self, hash: &HashJoin, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let Self::Held(table) = self else { return Ok(()) };
        let full = std::mem::replace(table, Table::new(hash.slots.len()));
        cx.release(full.bytes);
        *self = match (hash.keys.is_empty(), hash.spills()) {
            (true, _) => Self::Rows(Rows::default()),
            (false, true) => Self::Parted(parted::Parted::new(cx)?),
            (false, false) => Self::Filed(Filing::new(cx)?),
        };
        for row in 0..full.len() as u32 {
            cx.check_interrupt()?;
            self.push(full.key(row), full.row(row).to_vec(), cx)?;
        }
        Ok(())
    }

    fn finish(self, hash: &HashJoin, cx: &mut Cx<'_>) -> Result<Built, SqlError> {
        let (kept, built) = match self {
            Self::Held(table) => {
                let table = Rc::new(table);
                (Materialized::Hash(table.clone()), Built::Held(table))
            }
            Self::Filed(filing) => {
                let filed = Rc::new(filing.finish()?);
                (Materialized::Filed(filed.clone()), Built::Filed(filed))
            }
            Self::Rows(rows) => {
                let rows = Rc::new(rows.finish()?);
                (Materialized::Rows(rows.clone()), Built::Rows(rows))
            }
            Self::Parted(parted) => (Materialized::Parted(parted), Built::Parted),
        };
        cx.keep(hash.number, kept);
        Ok(built)
    }
}

/// The rows kept, made when they are first asked for.
fn built(hash: &HashJoin, level: u32, cx: &mut Cx<'_>) -> Result<Built, SqlError> {
    if let Some(built) = known(hash, cx) {
        return Ok(built);
    }
    let room = cx.work_memory(Operator::Join);
    let mut building = Building::Held(Table::new(hash.slots.len()));
    let mut key = Vec::new();
    let around = cx.state.statement.row;
    join::run(&hash.build, level, cx, &mut |cx| {
        if !key_of(&hash.keys, &hash.how, cx, &mut key)? {
            return Ok(Flow::Continue);
        }
        if let Some(row) = hash.row {
            cx.set_slot(Slot { level, index: row }, Value::UInt(cx.state.statement.row));
        }
        let frame = cx.frame_mut(level, 0);
        let values = hash.slots.iter().map(|&slot| frame.get(slot as usize).cloned().unwrap_or_default());
        let full = match &mut building {
            Building::Held(table) => {
                let bytes = table.push(&key, values)?;
                let full = table.bytes > room;
                cx.charge(bytes)?;
                full
            }
            elsewhere => {
                let values = values.collect();
                elsewhere.push(&key, values, cx)?;
                false
            }
        };
        if full {
            building.spill(hash, cx)?;
        }
        Ok(Flow::Continue)
    })?;
    if hash.row.is_some() {
        cx.state.statement.row = around;
    }
    building.finish(hash, cx)
}

/// The bytes of a key; false where a NULL makes it equal to none.
fn key_of(exprs: &[Expr], how: &[Comparison], cx: &mut Cx<'_>, key: &mut Vec<u8>) -> Result<bool, SqlError> {
    key.clear();
    for (e, how) in exprs.iter().zip(how) {
        let value = e.eval_sought(cx)?;
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

/// Appends a value to a key; false for one that equals none.
pub fn append_key(value: &Value, how: Comparison, cx: &mut Cx<'_>, key: &mut Vec<u8>) -> bool {
    match (value, how) {
        (Value::Null, _) => return false,
        (Value::Int(n), Comparison::Int) => key.extend_from_slice(&integer_key(*n < 0, *n as u64)),
        (Value::UInt(n), Comparison::Int) => key.extend_from_slice(&integer_key(false, *n)),
        // Years and bits are numbers among others.
        (other, Comparison::Int) => return append_key(&store::integer_value(other), how, cx, key),
        _ => {
            let Some(ty) = store::comparison_type(how) else { return false };
            let value = store::for_comparison(value, how, cx.state);
            sort_key(&value, &ty, false, key);
        }
    }
    true
}

/// An integer as keys of [`Comparison::Int`] hold it.
pub fn integer_key(negative: bool, bits: u64) -> [u8; 9] {
    let mut key = [u8::from(negative); 9];
    key[1..].copy_from_slice(&bits.to_le_bytes());
    key
}
