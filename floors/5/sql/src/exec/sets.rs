//! Set operations: UNION, EXCEPT, INTERSECT, each with and without ALL.
//!
//! A chain runs from left to right. Behind the last operation that must compare rows nothing is kept: rows go straight on.

use super::memory::row_bytes;
use super::query::run;
use super::sort::RowSet;
use super::{Cx, Flow, Sink};
use crate::error::SqlError;
use crate::expr::{Type, store};
use crate::plan::QueryPlan;
use crate::syntax::ast::SetOperator;
use hashbrown::HashMap;
use types::Value;

type Rows = Vec<Vec<Value>>;

/// Runs a chain of set operations.
pub fn run_chain(
    plan: &QueryPlan,
    first: &QueryPlan,
    rest: &[(SetOperator, bool, QueryPlan)],
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    let types: Vec<Type> = plan.columns.iter().map(|c| c.ty.clone()).collect();
    let last_comparing = rest.iter().rposition(|(op, all, _)| !(*op == SetOperator::Union && *all));
    let Some(last) = last_comparing else {
        return stream(std::iter::once(first).chain(rest.iter().map(|(.., plan)| plan)), &types, cx, sink);
    };
    let mut left = Left { types: &types, rows: Vec::new(), unique: None };
    left.keep(first, cx)?;
    for (op, all, operand) in &rest[..=last] {
        match op {
            SetOperator::Union if *all => left.keep(operand, cx)?,
            SetOperator::Union => left.keep_new(operand, cx)?,
            SetOperator::Except | SetOperator::Intersect => left.compare(*op, *all, operand, cx)?,
        }
    }
    for row in &left.rows {
        if sink(cx, row)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
    }
    stream(rest[last + 1..].iter().map(|(.., plan)| plan), &types, cx, sink)
}

/// Hands on the rows of queries one after the other.
fn stream<'p>(
    queries: impl Iterator<Item = &'p QueryPlan>,
    types: &[Type],
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    for query in queries {
        // A query that ends at a limit of its own stops, too, but not those behind it.
        let mut enough = false;
        run(query, cx, &mut |cx, row| {
            let row = store::to_types(row, types, cx.state);
            let flow = sink(cx, &row)?;
            enough = flow == Flow::Stop;
            Ok(flow)
        })?;
        if enough {
            return Ok(Flow::Stop);
        }
    }
    Ok(Flow::Continue)
}

/// The rows of a chain so far.
struct Left<'t> {
    types: &'t [Type],
    rows: Rows,
    /// The rows as a set, where no two are the same.
    unique: Option<RowSet>,
}

impl Left<'_> {
    fn rows_of(
        &self,
        plan: &QueryPlan,
        cx: &mut Cx<'_>,
        mut take: impl FnMut(Vec<Value>),
    ) -> Result<(), SqlError> {
        run(plan, cx, &mut |cx, row| {
            cx.check_interrupt()?;
            cx.charge(row_bytes(row))?;
            take(store::to_types(row, self.types, cx.state));
            Ok(Flow::Continue)
        })?;
        Ok(())
    }

    /// UNION ALL.
    fn keep(&mut self, plan: &QueryPlan, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut rows = std::mem::take(&mut self.rows);
        self.unique = None;
        self.rows_of(plan, cx, |row| rows.push(row))?;
        self.rows = rows;
        Ok(())
    }

    /// UNION.
    fn keep_new(&mut self, plan: &QueryPlan, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut rows = std::mem::take(&mut self.rows);
        let mut unique = match self.unique.take() {
            Some(unique) => unique,
            None => {
                let mut unique = RowSet::new(self.types);
                rows.retain(|row| unique.insert(row));
                unique
            }
        };
        self.rows_of(plan, cx, |row| {
            if unique.insert(&row) {
                rows.push(row);
            }
        })?;
        self.rows = rows;
        self.unique = Some(unique);
        Ok(())
    }

    /// EXCEPT and INTERSECT.
    fn compare(
        &mut self,
        op: SetOperator,
        all: bool,
        plan: &QueryPlan,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let mut right = RowSet::new(self.types);
        self.rows_of(plan, cx, |row| {
            right.insert(&row);
        })?;
        let wanted = op == SetOperator::Intersect;
        let mut places: HashMap<Box<[u8]>, usize> = HashMap::new();
        let mut copies: Vec<usize> = Vec::new();
        let mut rows = std::mem::take(&mut self.rows);
        rows.retain(|row| {
            let found = if all { right.take_one(row) } else { right.contains(row) };
            if found != wanted {
                return false;
            }
            let key = right.key_of(row);
            if let Some(&place) = places.get(key) {
                copies[place] += 1;
                return false;
            }
            places.insert(key.into(), copies.len());
            copies.push(0);
            true
        });
        if all {
            // As MariaDB unfolds its counters: each row once, then the copies of each.
            for (place, more) in copies.into_iter().enumerate() {
                rows.extend(std::iter::repeat_n(rows[place].clone(), more));
            }
        }
        self.rows = rows;
        self.unique = None;
        Ok(())
    }
}
