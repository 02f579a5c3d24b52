//! `IN (query)` asked of an index, row by row ([`crate::plan::probe`]).

use crate::error::SqlError;
use crate::exec::{Cx, Flow, Materialized, query};
use crate::expr::Slot;
use crate::plan::probe::Probe;
use crate::plan::{QueryPlan, SubqueryExpr};
use types::Value;

/// What the questions so far have told of a query's rows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Probed {
    /// Questions asked.
    asked: u64,
    /// There is no row.
    is_empty: Option<bool>,
    /// A row is NULL.
    has_null: Option<bool>,
}

impl SubqueryExpr {
    /// Whether a row is among those of the query, as an index tells; the inner `None` for unknown. Nothing where all rows
    /// are kept already, or should be.
    pub(super) fn ask_index(&self, row: &[Value], cx: &mut Cx<'_>) -> Result<Option<Option<bool>>, SqlError> {
        let Some(probe) = &self.probe else { return Ok(None) };
        let mut probed = match cx.materialized.get(self.number) {
            Some(Some(Materialized::Probed(probed))) => *probed,
            Some(Some(_)) => return Ok(None),
            _ => Probed::default(),
        };
        probed.asked += 1;
        // Rows that are NULL in part are told apart by all rows only.
        let in_part =
            row.len() > 1 && !probe.truth_only && (probe.nullable || row.iter().any(Value::is_null));
        if probed.asked > probe.worth || in_part {
            return Ok(None);
        }
        let counted = cx.state.statement.row;
        let answer = self.answer(probe, row, &mut probed, cx)?;
        cx.state.statement.row = counted;
        cx.keep(self.number, Materialized::Probed(probed));
        Ok(Some(answer))
    }

    fn answer(
        &self,
        probe: &Probe,
        row: &[Value],
        probed: &mut Probed,
        cx: &mut Cx<'_>,
    ) -> Result<Option<bool>, SqlError> {
        if row.iter().any(Value::is_null) {
            if probe.truth_only {
                return Ok(Some(false));
            }
            let is_empty = match probed.is_empty {
                Some(is_empty) => is_empty,
                None => !has_row(&self.plan, cx)?,
            };
            probed.is_empty = Some(is_empty);
            return Ok(is_empty.then_some(false));
        }
        if probe.finds(row, cx)? {
            return Ok(Some(true));
        }
        if !probe.nullable || probe.truth_only {
            return Ok(Some(false));
        }
        let has_null = match probed.has_null {
            Some(has_null) => has_null,
            None => probe.finds(&[Value::Null], cx)?,
        };
        probed.has_null = Some(has_null);
        Ok((!has_null).then_some(false))
    }
}

impl Probe {
    /// Whether the query has a row that equals this one, NULLs being equal.
    fn finds(&self, row: &[Value], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        for (&index, value) in self.slots.iter().zip(row) {
            cx.set_slot(Slot { level: self.plan.level(), index }, value.clone());
        }
        has_row(&self.plan, cx)
    }
}

/// Whether a query has a row; it is run no further than to that.
pub(super) fn has_row(plan: &QueryPlan, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let mut found = false;
    query::run(plan, cx, &mut |_, _| {
        found = true;
        Ok(Flow::Stop)
    })?;
    Ok(found)
}
