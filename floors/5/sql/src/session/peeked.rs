//! Ranges of indexes that a kept plan was chosen by, and whether they hold about as much with other parameters.
//!
//! A plan is made with the parameters of its first run in view. That an index's range held few rows then does not say
//! that it does now: rows found through an index cost several times as much as all of them read in order. So the index is
//! asked again before the plan runs with others.

use super::State;
use crate::plan::access::entries;
use crate::plan::{Access, KeyRange, QueryPlan, SelectPlan, Source, TableAccess};
use engine::Table;
use std::sync::Arc;
use types::Value;

/// Ranges that hold no more are read whatever there was in them.
const FEW: f64 = 1000.0;
/// The index is asked for so many of its ranges, evenly among all: each time that the plan runs.
const ASKED_RANGES: usize = 2;
/// So many times what there was is something else.
const FACTOR: f64 = 4.0;

/// Ranges of one index.
pub struct Peeked {
    table: Arc<Table>,
    index: usize,
    ranges: Vec<KeyRange>,
    /// Entries in them as the plan was made.
    held: f64,
}

impl Peeked {
    /// The ranges of a query that had better be asked for again.
    pub fn of_query(plan: &QueryPlan, params: &[Value], state: &mut State) -> Vec<Peeked> {
        let mut all = Vec::new();
        plan.visit_every_table(&mut |table| all.extend(Self::of(table, params, state)));
        all
    }

    /// The ranges of a block, as of a query.
    pub fn of_block(plan: &SelectPlan, params: &[Value], state: &mut State) -> Vec<Peeked> {
        let mut all = Vec::new();
        let mut look = |table: &TableAccess| all.extend(Self::of(table, params, state));
        plan.from.iter().for_each(|join| join.visit_tables(&mut look));
        all
    }

    /// The ranges by which a table is read, where other bounds could make another way the better one by much: reading a
    /// range of the primary key, or of an index that has all columns, is never much worse than reading all.
    fn of(table: &TableAccess, params: &[Value], state: &mut State) -> Option<Peeked> {
        let (Source::Base(base), Access::Ranges { index, ranges, .. }) = (&table.source, &table.access)
        else {
            return None;
        };
        if base.primary_index() == Some(*index)
            || table.covered.is_some()
            || base.row_count() as f64 <= FEW
            || !ranges.iter().all(|range| entries::bounds_are_known(range, state))
        {
            return None;
        }
        let mut peeked = Peeked { table: base.clone(), index: *index, ranges: ranges.clone(), held: 0.0 };
        peeked.held = peeked.holds(params, state);
        Some(peeked)
    }

    /// Entries in them. What fails is told when the statement runs.
    fn holds(&self, params: &[Value], state: &mut State) -> f64 {
        let index = (&*self.table, self.index);
        entries::asked(index, &self.ranges, ASKED_RANGES, params, state).unwrap_or(0.0)
    }

    /// Whether they hold much more with these parameters than the plan was made for.
    pub fn has_outgrown(&self, params: &[Value], state: &mut State) -> bool {
        self.holds(params, state) > FEW.max(self.held * FACTOR)
    }
}
