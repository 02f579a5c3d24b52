//! Rows of VALUES.

use super::super::faults::{Faults, Manner};
use super::super::{Cx, Sink};
use super::Inserter;
use crate::bind::insert::{Foreseen, Given, InsertRows};
use crate::error::SqlError;
use crate::expr::{Expr, Kind};
use types::Value;

impl Inserter<'_> {
    /// Writes the rows of VALUES, behind those written before.
    pub(super) fn write_values(&mut self, cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<(), SqlError> {
        let InsertRows::Values(rows) = &self.plan.rows else { return Ok(()) };
        let foreseen = self.foreseen(rows, cx)?;
        for (place, row) in rows.iter().enumerate() {
            cx.check_interrupt()?;
            self.begin_row(cx)?;
            cx.state.statement.row = self.made.row;
            let mut faults = Faults::new(match self.plan.listed {
                true if self.is_lenient() => Manner::All,
                true => Manner::Listed,
                false => Manner::Stops,
            });
            for (at, (&column, given)) in self.plan.columns.iter().zip(row).enumerate() {
                let taken = match foreseen.get(place).and_then(|row| row[at].clone()) {
                    Some(value) => self.give_value(column, value, cx),
                    None => self.give(column, given, cx),
                };
                faults.take(taken, cx)?;
            }
            faults.end()?;
            self.finish_row(cx, sink)?;
            // Subqueries among the values have counted their rows too.
            self.made.row = cx.state.statement.row + 1;
        }
        Ok(())
    }

    /// Values that are known before any row is there; DEFAULT and NULL are left to their row.
    fn foreseen(
        &mut self,
        rows: &[Vec<Given>],
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Vec<Option<Value>>>, SqlError> {
        let mut foreseen = Vec::new();
        if self.plan.foreseen == Foreseen::Nothing {
            return Ok(foreseen);
        }
        let known =
            |expr: &Expr| !expr.is_null() && (self.plan.foreseen == Foreseen::All || looks_once(expr));
        for row in rows {
            self.blank_row(cx);
            let mut values = Vec::with_capacity(row.len());
            for (&column, given) in self.plan.columns.iter().zip(row) {
                values.push(match given {
                    Given::Expr(expr) if known(expr) => {
                        Some(expr.eval_for(&self.plan.table.def().columns[column], cx)?)
                    }
                    _ => None,
                });
            }
            foreseen.push(values);
        }
        Ok(foreseen)
    }
}

/// Whether a subquery of a value is known as soon as it is planned.
fn looks_once(value: &Expr) -> bool {
    let mut once = false;
    value.visit(&mut |e| once |= matches!(&e.kind, Kind::Subquery(subquery) if subquery.plan.looks_once()));
    once
}
