//! The gate of a sort that keeps its first rows only, as far as a row's first sort key shuts it.
//!
//! A row that comes behind all that the sort keeps is looked at no further ([`Cx::passes_gate`](crate::exec::Cx::passes_gate)), and then no row does
//! whose first sort key is greater than its. As the gate only narrows, the least such key is all that has to be kept to
//! pass over most rows by a look at one column.

use crate::expr::stored::{StoredRow, StoredTable};
use crate::plan::TableAccess;

/// What is known of a gate during a scan.
pub(super) struct Gate {
    /// The column that is the first sort key.
    column: usize,
    descending: bool,
    /// Its rank in the first row that did not pass.
    shut: Option<i64>,
}

impl Gate {
    /// The gate of a table's rows, if the first sort key is a column whose values have ranks.
    pub(super) fn of(access: &TableAccess, table: StoredTable<'_>) -> Option<Gate> {
        let first = access.gate.first()?;
        let column = table.column_of(&first.expr)?;
        let ranked = table.layout.column(column).is_ranked();
        ranked.then_some(Gate { column, descending: first.desc, shut: None })
    }

    /// Whether a row did not pass yet.
    pub(super) fn is_shut(&self) -> bool {
        self.shut.is_some()
    }

    /// A row did not pass.
    pub(super) fn shut(&mut self, row: &mut StoredRow<'_>) {
        if let Some(Some(rank)) = row.rank(self.column)
            && !self.shut.is_some_and(|shut| self.is_behind(rank, shut))
        {
            self.shut = Some(rank);
        }
    }

    /// Whether a row is known not to pass.
    #[inline]
    pub(super) fn keeps_out(&self, row: &mut StoredRow<'_>) -> bool {
        match (self.shut, row.rank(self.column)) {
            (Some(shut), Some(Some(rank))) => self.is_behind(rank, shut),
            _ => false,
        }
    }

    fn is_behind(&self, rank: i64, other: i64) -> bool {
        if self.descending { rank < other } else { rank > other }
    }
}
