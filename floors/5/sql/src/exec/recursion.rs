//! Recursive common table expressions: rounds over the rows that the round before brought.
//!
//! Rows are stored as MariaDB stores them in its temporary table, in columns of the anchors' types: what does not fit
//! is an error in strict mode, a warning elsewhere.

use super::keys::Keys;
use super::memory::ENTRY;
use super::rows::Rows;
use super::sort::RowKeys;
use super::{Cx, Flow, Materialized, Sink, query};
use crate::admin::column_of;
use crate::error::SqlError;
use crate::expr::{Type, TypeKind, store};
use crate::plan::recursion::{RecursivePlan, Repeats};
use crate::plan::{OutputColumn, QueryPlan};
use crate::session::{Level, mode, variables};
use std::rc::Rc;
use types::convert::to_integer;
use types::{ColumnDef, StrValue, Value};

/// Rows seen, by the columns in which repeated rows agree. They are asked for at once, in every round: without room the
/// recursion ends.
struct Seen<'p> {
    same: &'p [usize],
    keys: RowKeys,
    rows: Keys,
}

/// The rows under way.
struct Rounds<'p> {
    columns: Vec<(ColumnDef, &'p Type)>,
    seen: Option<Seen<'p>>,
    /// Rows that the round under way brought.
    fresh: Rows,
    /// Rows stored so far, for messages.
    stored: u64,
    /// Bytes counted as held.
    held: usize,
}

/// Runs a recursion; every row goes to `sink`.
pub fn run(
    plan: &RecursivePlan,
    columns: &[OutputColumn],
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    let mut rounds = Rounds::new(plan, columns);
    let facts = (cx.state.statement.strict, cx.state.statement.row);
    cx.state.statement.strict = cx.state.vars.has_mode(mode::STRICT_TRANS_TABLES | mode::STRICT_ALL_TABLES);
    let flow = run_rounds(plan, &mut rounds, cx, sink);
    (cx.state.statement.strict, cx.state.statement.row) = facts;
    cx.release(rounds.held);
    flow
}

fn run_rounds(
    plan: &RecursivePlan,
    rounds: &mut Rounds<'_>,
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    let most = to_integer(&variables::read(cx.state, None, "max_recursive_iterations")?).value;
    let mut queries = &plan.anchors;
    let mut round = 0;
    loop {
        if rounds.run(queries, cx, sink)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        if rounds.fresh.is_empty() {
            return Ok(Flow::Continue);
        }
        if round == most {
            let warning = SqlError::interrupted_by_limit(format!(
                "The query exceeded max_recursive_iterations = {most}. The query result may be incomplete"
            ));
            cx.state.warn(Level::Warning, warning.errno, warning.message);
            return Ok(Flow::Continue);
        }
        round += 1;
        let mut last = std::mem::take(&mut rounds.fresh).finish()?;
        // The rows of the round before are given up for these.
        last.release(cx);
        if let Some(whole) = plan.whole {
            let held = cx.materialized.get_mut(whole).and_then(Option::take);
            let mut all = match held {
                Some(Materialized::Rows(rows)) if round > 1 => Rc::try_unwrap(rows).unwrap_or_default(),
                _ => Rows::default(),
            };
            let mut rows = last.walk();
            while let Some(row) = rows.next_row()? {
                all.keep(row.iter().cloned(), cx)?;
            }
            cx.keep(whole, Materialized::Rows(Rc::new(all)));
        }
        cx.keep(plan.number, Materialized::Rows(Rc::new(last)));
        plan.holding.iter().for_each(|&number| cx.forget(number));
        queries = &plan.members;
    }
}

impl<'p> Rounds<'p> {
    fn new(plan: &'p RecursivePlan, columns: &'p [OutputColumn]) -> Self {
        let seen = match &plan.repeats {
            Repeats::Kept => None,
            Repeats::Dropped(same) => {
                let types: Vec<Type> = same.iter().map(|&i| columns[i].ty.clone()).collect();
                Some(Seen { same, keys: RowKeys::new(&types), rows: Keys::default() })
            }
        };
        let columns =
            columns.iter().map(|column| (column_of(&column.name, &column.ty), &column.ty)).collect();
        Self { columns, seen, fresh: Rows::default(), stored: 0, held: 0 }
    }

    /// Runs the queries of a round.
    fn run(&mut self, queries: &[QueryPlan], cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<Flow, SqlError> {
        for plan in queries {
            // A query that ends at a limit of its own stops, too.
            let mut enough = false;
            query::run(plan, cx, &mut |cx, row| {
                let row = self.store(row, cx)?;
                if let Some(seen) = &mut self.seen {
                    let key = seen.keys.of(seen.same.iter().map(|&i| &row[i]));
                    let Err(hash) = seen.rows.find(key) else { return Ok(Flow::Continue) };
                    self.held += key.len() + ENTRY;
                    cx.charge(key.len() + ENTRY)?;
                    seen.rows.add(hash, key)?;
                }
                let flow = sink(cx, &row)?;
                self.fresh.push(row, cx)?;
                enough = flow == Flow::Stop;
                Ok(flow)
            })?;
            if enough {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    fn store(&mut self, row: &[Value], cx: &mut Cx<'_>) -> Result<Vec<Value>, SqlError> {
        self.stored += 1;
        cx.state.statement.row = self.stored;
        let zone = cx.state.vars.time_zone;
        let mut stored = Vec::with_capacity(row.len());
        for (value, (column, ty)) in row.iter().zip(&self.columns) {
            stored.push(match value {
                Value::Null => Value::Null,
                // The column of nothing but NULLs has no room for anything.
                _ if ty.length == 0 && matches!(ty.kind, TypeKind::Null | TypeKind::Char) => {
                    Value::Str(StrValue::new(b"", ty.collation))
                }
                _ => {
                    cx.state.statement.aside = true;
                    let value = store::store(value, column, cx.state);
                    cx.state.statement.aside = false;
                    value?.in_zone(&zone)
                }
            });
        }
        Ok(stored)
    }
}
