//! What is kept of an uncorrelated subquery's rows, so that they are not gone through again for each row around: their
//! keys for `IN`, their ends for `ANY` and `ALL`.
//!
//! A row with NULLs equals nothing, but where all else of it is equal the answer is unknown. So rows are kept apart by
//! which of their columns are NULL, each by the key of the columns that are so neither there nor in the row looked for;
//! for each such set of columns of the row looked for the keys are made when one first comes.

use super::SaidOnce;
use crate::error::SqlError;
use crate::exec::filed::{Filed, Filing};
use crate::exec::hash_join::append_key;
use crate::exec::memory::{ENTRY, Operator};
use crate::exec::rows::Rows;
use crate::exec::{Cx, Flow, keys, query};
use crate::expr::compare::as_compared;
use crate::expr::{CompareOp, Comparison, compare_values, holds};
use crate::plan::QueryPlan;
use hashbrown::HashMap;
use std::cmp::Ordering;
use std::rc::Rc;
use types::Value;

/// Keys: in memory, or in a file where they have no room.
#[derive(Default)]
struct Keys {
    held: keys::Keys,
    bytes: usize,
    filing: Option<Filing>,
    filed: Option<Filed>,
}

impl Keys {
    fn insert(&mut self, key: &[u8], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if let Some(filing) = &mut self.filing {
            return filing.push(key, &[], cx);
        }
        let Err(hash) = self.held.find(key) else { return Ok(()) };
        self.bytes += key.len() + ENTRY;
        cx.charge(key.len() + ENTRY)?;
        self.held.add(hash, key)?;
        if self.bytes > cx.work_memory(Operator::Rows) {
            let mut filing = Filing::new(cx)?;
            for key in std::mem::take(&mut self.held).iter() {
                cx.check_interrupt()?;
                filing.push(key, &[], cx)?;
            }
            cx.release(self.bytes);
            self.filing = Some(filing);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Self, SqlError> {
        self.filed = self.filing.take().map(Filing::finish).transpose()?;
        Ok(self)
    }

    fn contains(&self, key: &[u8], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        match &self.filed {
            Some(filed) => filed.contains(key, cx),
            None => Ok(self.held.contains(key)),
        }
    }
}

/// Columns, a bit for each.
type Columns = u64;

/// Columns that a row has at most to be kept by its keys.
pub const COLUMNS_MAX: usize = Columns::BITS as usize;

/// Keys of a subquery's rows.
pub struct Members {
    /// The rows, where keys are made of them more than once: they have several columns.
    rows: Option<Rc<Rows>>,
    /// For the columns that are NULL in the row looked for: keys by the columns that are so in the rows.
    by_nulls: HashMap<Columns, HashMap<Columns, Keys>>,
}

impl Members {
    /// Of these rows; without them, of what the query gives when it is first asked for.
    pub fn new(rows: Option<Rc<Rows>>) -> Box<Self> {
        Box::new(Self { rows, by_nulls: HashMap::new() })
    }

    /// Whether there are none.
    pub fn is_empty(
        &mut self,
        how: &[Comparison],
        plan: &QueryPlan,
        cx: &mut Cx<'_>,
    ) -> Result<bool, SqlError> {
        if let Some(rows) = &self.rows {
            return Ok(rows.is_empty());
        }
        if !self.by_nulls.contains_key(&0) {
            let keys = self.keys_beside(0, how, plan, cx)?;
            self.by_nulls.insert(0, keys);
        }
        Ok(self.by_nulls[&0].is_empty())
    }

    /// Whether a row is among them; `None` for unknown.
    pub fn contains(
        &mut self,
        row: &[Value],
        how: &[Comparison],
        plan: &QueryPlan,
        cx: &mut Cx<'_>,
    ) -> Result<Option<bool>, SqlError> {
        let own = nulls_of(row);
        // A single NULL is unknown to be among any rows at all.
        let looked_for = if self.rows.is_none() { 0 } else { own };
        if !self.by_nulls.contains_key(&looked_for) {
            let keys = self.keys_beside(looked_for, how, plan, cx)?;
            self.by_nulls.insert(looked_for, keys);
        }
        let by_nulls = &self.by_nulls[&looked_for];
        if looked_for != own {
            return Ok(if by_nulls.is_empty() { Some(false) } else { None });
        }
        let mut key = cx.take_key();
        let mut found = Some(false);
        for (nulls, keys) in by_nulls {
            key_beside(own | nulls, row, how, cx, &mut key);
            if keys.contains(&key, cx)? {
                found = (own | nulls == 0).then_some(true);
                if found.is_some() {
                    break;
                }
            }
        }
        cx.give_key(key);
        Ok(found)
    }

    /// Keys of all rows, of the columns beside those that are NULL in them or among `looked_for`.
    fn keys_beside(
        &self,
        looked_for: Columns,
        how: &[Comparison],
        plan: &QueryPlan,
        cx: &mut Cx<'_>,
    ) -> Result<HashMap<Columns, Keys>, SqlError> {
        let mut made: HashMap<Columns, Keys> = HashMap::new();
        let mut key = Vec::new();
        let mut said = SaidOnce::of(how);
        let mut add = |cx: &mut Cx<'_>, row: &[Value]| {
            if said.has(row) {
                return Ok(Flow::Continue);
            }
            let nulls = nulls_of(row);
            key_beside(looked_for | nulls, &plan.compared(row, how, cx), how, cx, &mut key);
            made.entry(nulls).or_default().insert(&key, cx)?;
            Ok(Flow::Continue)
        };
        match &self.rows {
            None => _ = query::run(plan, cx, &mut add)?,
            Some(rows) => {
                let mut rows = rows.walk();
                while let Some(row) = rows.next_row()? {
                    cx.check_interrupt()?;
                    add(cx, row)?;
                }
            }
        }
        made.into_iter().map(|(nulls, keys)| Ok((nulls, keys.finish()?))).collect()
    }
}

fn nulls_of(row: &[Value]) -> Columns {
    row.iter().enumerate().filter(|(_, value)| value.is_null()).fold(0, |nulls, (at, _)| nulls | 1 << at)
}

/// The key of the columns of a row that are not among `nulls`.
fn key_beside(nulls: Columns, row: &[Value], how: &[Comparison], cx: &mut Cx<'_>, key: &mut Vec<u8>) {
    key.clear();
    for (at, (value, how)) in row.iter().zip(how).enumerate() {
        if nulls & 1 << at != 0 {
            continue;
        }
        match how {
            // What is no date or time counts as zero; of text that is not wholly a number that is said.
            Comparison::DateTime | Comparison::Time if !value.is_temporal() => {
                append_key(&as_compared(value, *how, cx.state), *how, cx, key);
            }
            Comparison::Decimal | Comparison::Real if matches!(value, Value::Str(_)) => {
                append_key(&as_compared(value, *how, cx.state), *how, cx, key);
            }
            _ => _ = append_key(value, *how, cx, key),
        }
    }
}

/// The ends of a subquery's values: what is so of both is so of all between.
#[derive(Default)]
pub struct Ends {
    /// The least and the greatest one.
    both: Option<(Value, Value)>,
    has_null: bool,
}

impl Ends {
    /// Of the values that a query gives.
    pub fn of(plan: &QueryPlan, how: Comparison, cx: &mut Cx<'_>) -> Result<Rc<Ends>, SqlError> {
        let mut ends = Ends::default();
        query::run(plan, cx, &mut |cx, row| {
            let value = &plan.compared(&row[..1], &[how], cx)[0];
            match &mut ends.both {
                _ if value.is_null() => ends.has_null = true,
                None => ends.both = Some((value.clone(), value.clone())),
                Some((least, greatest)) => {
                    if compare_values(value, least, how, cx.state) == Some(Ordering::Less) {
                        *least = value.clone();
                    } else if compare_values(value, greatest, how, cx.state) == Some(Ordering::Greater) {
                        *greatest = value.clone();
                    }
                }
            }
            Ok(Flow::Continue)
        })?;
        Ok(Rc::new(ends))
    }

    /// Whether `left op` any or all of the values; `None` for unknown. Neither `= ANY` nor `<> ALL` can be told by ends.
    pub fn compare(
        &self,
        left: &Value,
        how: Comparison,
        op: CompareOp,
        all: bool,
        cx: &mut Cx<'_>,
    ) -> Option<bool> {
        let Some((least, greatest)) = &self.both else { return (!self.has_null).then_some(all) };
        let mut meets = |end: &Value| {
            let ordering = compare_values(left, end, how, cx.state)?;
            Some(holds(op, ordering))
        };
        let (least, greatest) = (meets(least)?, meets(greatest)?);
        let decided = if all { !(least && greatest) } else { least || greatest };
        if decided { Some(!all) } else { (!self.has_null).then_some(all) }
    }
}
