//! Hash joins: rows made once and kept by their keys, found by the rows around them.

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

    fn push(&mut self, key: &[u8], values: impl Iterator<Item = Value>) -> Result<(), SqlError> {
        let row = u32::try_from(self.next.len()).map_err(|_| SqlError::out_of_resources())?;
        self.values.extend(values);
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
        Ok(())
    }
}

/// Calls `next` for each kept row that fits the row in the frame.
pub fn run(hash: &HashJoin, level: u32, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
    let table = built(hash, level, cx)?;
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

/// The table, made when it is first asked for.
fn built(hash: &HashJoin, level: u32, cx: &mut Cx<'_>) -> Result<Arc<Table>, SqlError> {
    if let Some(Some(Materialized::Hash(table))) = cx.materialized.get(hash.number) {
        return Ok(table.clone());
    }
    let mut table = Table::new(hash.slots.len());
    let mut key = Vec::new();
    join::run(&hash.build, level, cx, &mut |cx| {
        if key_of(&hash.keys, &hash.how, cx, &mut key)? {
            let frame = cx.frame_mut(level, 0);
            let values = hash.slots.iter().map(|&slot| frame.get(slot as usize).cloned().unwrap_or_default());
            table.push(&key, values)?;
        }
        Ok(Flow::Continue)
    })?;
    let table = Arc::new(table);
    cx.keep(hash.number, Materialized::Hash(table.clone()));
    Ok(table)
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
