//! Derived tables that are planned once the conditions of the block around have gone inside.
//!
//! `SELECT * FROM totals WHERE id = 5`, of a view that joins and groups, is a lookup if the condition is there as the join
//! is ordered, and all rows of it if it comes later.

use super::order;
use super::push::takes_all;
use super::{Body, Join, QueryPlan, SelectPlan, Source};
use crate::bind::{Binder, Places, Scope};
use crate::error::SqlError;
use crate::expr::Expr;
use std::sync::Arc;

/// What a block that is not planned yet will be planned from.
pub struct Waiting {
    /// Its conditions, and those that have gone inside.
    pub conditions: Vec<Expr>,
    places: Places,
}

impl SelectPlan {
    /// Plans a block that has waited, with values in its slots `given`.
    pub fn plan_now(&mut self, given: &[u32], binder: &mut Binder<'_>) -> Result<(), SqlError> {
        match self.waiting.take() {
            Some(waiting) => {
                (self.rows, self.cost) = (0.0, 0.0);
                let scope = Scope::of_places(waiting.places);
                order::optimize(self, waiting.conditions, (&scope, given), binder)
            }
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Waiting").field(&self.conditions).finish()
    }
}

impl Waiting {
    /// A slot of the block for a value that it is given.
    pub fn reserve(&mut self) -> u32 {
        self.places.width += 1;
        self.places.width - 1
    }

    /// Has a block wait, where conditions could make another plan the better one; else gives its conditions back.
    pub fn put(plan: &mut SelectPlan, conditions: Vec<Expr>, scope: &Scope<'_>) -> Result<(), Vec<Expr>> {
        let grouped = plan.group.as_ref().is_some_and(|group| {
            !group.keys.is_empty() && group.rollup.is_empty() && group.variables.is_empty()
        });
        let plain = takes_all(&plan.tail) && plan.windows.is_none() && scope.row_number.get().is_none();
        let (true, true, Some(join)) = (grouped || plan.distinct && plan.group.is_none(), plain, &plan.from)
        else {
            return Err(conditions);
        };
        // What those who look before it is planned take it to be: all rows are read.
        join.visit_tables(&mut |table| {
            if let Source::Base(base) = &table.source {
                let rows = base.row_count() as f64;
                plan.rows = plan.rows.max(rows);
                plan.cost += rows;
            }
        });
        plan.waiting = Some(Box::new(Waiting { conditions, places: scope.places() }));
        Ok(())
    }
}

/// Plans the derived tables of a join that have waited.
pub fn plan_all(join: &mut Join, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    match join {
        Join::Table(table) => match &mut table.source {
            Source::Derived { plan, .. } => plan_query(plan, binder),
            _ => Ok(()),
        },
        Join::Inner(steps) => steps.iter_mut().try_for_each(|(join, _)| plan_all(join, binder)),
        Join::Left { left, right, .. } => plan_all(left, binder).and_then(|()| plan_all(right, binder)),
        Join::Hash(hash) => plan_all(&mut hash.build, binder),
    }
}

/// Plans a query that has waited.
pub fn plan_query(plan: &mut Arc<QueryPlan>, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    let Body::Select(select) = &plan.body else { return Ok(()) };
    if select.waiting.is_none() {
        return Ok(());
    }
    let select = Arc::get_mut(plan).and_then(|plan| match &mut plan.body {
        Body::Select(select) => Some(select),
        _ => None,
    });
    let Some(select) = select else { return Err(SqlError::internal_error("plan what others hold")) };
    select.plan_now(&[], binder)
}
