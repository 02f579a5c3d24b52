//! The gate of a sort that keeps its first rows only, as far as a row's first sort key shuts it.
//!
//! A row that comes behind all that the sort keeps is looked at no further ([`Cx::passes_gate`](crate::exec::Cx::passes_gate)), and then no row does
//! whose first sort key is greater than its. As the gate only narrows, the least such key is all that has to be kept to
//! pass over most rows by a look at one column.

use crate::expr::func::long::LONG_BYTES;
use crate::expr::stored::{StoredRow, StoredTable, is_plain_text};
use crate::plan::SortKey;
use std::cmp::Ordering;
use types::row::ColumnLayout;

/// What is known of a gate during a scan.
pub struct Gate {
    /// The column that is the first sort key.
    column: usize,
    descending: bool,
    /// What it is in the first row that did not pass.
    shut: Option<Shut>,
}

/// The text in a column's bytes, if it is short enough to be compared at once.
fn short_text<'r>(layout: &ColumnLayout, bytes: &'r [u8]) -> Option<&'r [u8]> {
    Some(layout.payload(bytes)).filter(|text| text.len() < LONG_BYTES)
}

enum Shut {
    Rank(i64),
    Text(Box<[u8]>),
}

impl Gate {
    /// The gate of a sort, if its first key is a column whose values have ranks or are texts.
    pub fn of(keys: &[SortKey], table: StoredTable<'_>) -> Option<Gate> {
        let first = keys.first()?;
        let column = table.column_of(&first.expr)?;
        let layout = table.layout.column(column);
        let orders = layout.is_ranked() || is_plain_text(layout.ty());
        orders.then_some(Gate { column, descending: first.desc, shut: None })
    }

    /// Whether a row did not pass yet.
    pub fn is_shut(&self) -> bool {
        self.shut.is_some()
    }

    /// A row did not pass.
    pub fn shut(&mut self, row: &mut StoredRow<'_>) {
        if self.shut.is_some() && self.order(row) != Some(Ordering::Less) {
            return;
        }
        let shut = row.read(self.column, |layout, bytes| match layout.rank(bytes) {
            Some(rank) => Some(Shut::Rank(rank)),
            None => short_text(layout, bytes).map(|text| Shut::Text(text.into())),
        });
        if let Some(Some(shut)) = shut {
            self.shut = Some(shut);
        }
    }

    /// Whether a row is known not to pass.
    #[inline]
    pub fn keeps_out(&self, row: &mut StoredRow<'_>) -> bool {
        self.order(row) == Some(Ordering::Greater)
    }

    /// Where a row stands to the one that did not pass, by the first sort key.
    fn order(&self, row: &mut StoredRow<'_>) -> Option<Ordering> {
        let shut = self.shut.as_ref()?;
        let order = row.read(self.column, |layout, bytes| match shut {
            Shut::Rank(shut) => Some(layout.rank(bytes)?.cmp(shut)),
            Shut::Text(shut) => {
                let text = short_text(layout, bytes)?;
                Some(layout.collation().collation().compare(text, shut))
            }
        })??;
        Some(if self.descending { order.reverse() } else { order })
    }
}
