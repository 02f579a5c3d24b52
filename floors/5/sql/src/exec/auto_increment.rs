//! Which AUTO_INCREMENT values an INSERT gives.

use super::Cx;
use crate::error::SqlError;
use engine::Table;
use types::ColumnType;

/// The AUTO_INCREMENT values of a statement. They are reserved as MariaDB does, so that the table's counter is the same
/// afterwards: for all rows where their number is known, else for one row, then two, four and so on.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Rows of the statement; 0 where nobody knows.
    pub rows_known: u64,
    /// The value for the next row.
    pub next: u64,
    /// The first value behind those reserved.
    end: u64,
    /// How often some were reserved.
    reservations: u32,
    /// Rows that the last reservation was for and that are to come.
    pub rows_left: u64,
}

/// The largest number that a table's AUTO_INCREMENT column holds.
pub(super) fn most(table: &Table) -> u64 {
    let def = table.def();
    match def.auto_increment_column().map(|at| &def.columns[at].ty) {
        Some(ColumnType::Integer(ty)) => ty.range().1,
        _ => u64::MAX,
    }
}

impl Numbers {
    /// The next value of the session's series after one.
    fn following(value: u64, cx: &Cx<'_>) -> u64 {
        let (step, offset) =
            (cx.state.vars.auto_increment_increment.max(1), cx.state.vars.auto_increment_offset);
        engine::next_in_series(value.saturating_add(1), step, offset).unwrap_or(u64::MAX)
    }

    /// A row brought a value of its own: those below it are not given any more.
    pub fn pass(&mut self, value: u64, cx: &Cx<'_>) {
        if self.next > 0 && value >= self.next {
            self.next = Self::following(value, cx);
        }
    }

    /// A row came to nothing: its number serves the next one. `before`: the next number as it was.
    pub fn take_back(&mut self, generated: Option<u64>, before: u64) {
        self.next = generated.filter(|_| before == 0).unwrap_or(before);
    }

    /// A value for a row.
    pub fn next(&mut self, table: &Table, cx: &mut Cx<'_>) -> Result<u64, SqlError> {
        if self.next >= self.end {
            self.reserve(table, cx)?;
        }
        let value = self.next;
        self.next = Self::following(value, cx);
        Ok(value)
    }

    fn reserve(&mut self, table: &Table, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let step = cx.state.vars.auto_increment_increment.max(1);
        let wanted = match self.reservations {
            0 if self.rows_known > 0 => self.rows_known,
            n => 1 << n.min(15),
        };
        if self.rows_left == 0 {
            self.rows_left = wanted;
        }
        self.reservations += 1;
        if let Some(forced) = cx.state.next_insert_id.take() {
            // SET insert_id says where the numbers of all rows begin, whatever the table's counter says; that one passes by
            // what is written.
            (self.next, self.end) = (forced, u64::MAX);
            return Ok(());
        }
        let next = table.auto_increment().get();
        if next > most(table) {
            // Used up: the row's own check says so, and the counter stays where it is.
            (self.next, self.end) = (next, next.saturating_add(1));
            return Ok(());
        }
        let count = self.rows_left;
        let offset = cx.state.vars.auto_increment_offset;
        let first = table.auto_increment().reserve(count, step, offset).ok_or_else(|| {
            SqlError::new(1467, b"HY000", "Failed to read auto-increment value from storage engine")
        })?;
        self.next = first;
        self.end = first.saturating_add(count.saturating_mul(step));
        Ok(())
    }
}
