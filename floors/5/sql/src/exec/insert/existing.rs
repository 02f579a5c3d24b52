//! What an INSERT does with a row that has one of its keys already: REPLACE's place is made, or ON DUPLICATE KEY UPDATE's
//! assignments.

use super::Inserter;
use crate::bind::insert::InsertRows;
use crate::error::SqlError;
use crate::exec::change::{self, Refusal};
use crate::exec::faults::{Faults, Manner};
use crate::exec::rules::row_as_read;
use crate::exec::{Cx, reader};
use crate::expr::store;
use crate::session::counters::Counter;
use crate::session::{Level, engine_error};
use engine::{EngineError, RowBuf};
use types::Value;

impl Inserter<'_> {
    /// Passes the table's counter by the number of a row that is there already, where MariaDB does: for rows of a query
    /// and those that replace.
    pub(super) fn note_refused(&self, values: &[Value]) {
        let passes = match &self.plan.rows {
            InsertRows::Values(_) => self.plan.replace,
            InsertRows::Query(_) => !self.plan.fills,
        };
        let number = self.auto_column.filter(|_| passes).and_then(|at| store::as_counter(&values[at]));
        if let Some(number) = number.and_then(|n| u64::try_from(n).ok()) {
            self.plan.table.auto_increment().note(number);
        }
    }

    fn existing_row(&self, key: &[u8], cx: &mut Cx<'_>) -> Result<RowBuf, SqlError> {
        cx.count(Counter::HandlerReadKey, 1);
        cx.count(Counter::RowsRead, 1);
        let mut old = RowBuf { key: key.to_vec(), row: Vec::new() };
        let read = engine::Read::Exclusive(engine::Wait::Block);
        match cx.state.txn()?.get(&self.plan.table, key, read, &mut old.row)? {
            true => {
                if cx.state.statement.strict && !self.plan.ignore {
                    self.plan.rules.check_read(&self.plan.table, &old.row, cx)?;
                }
                self.plan.rules.tell_of_read(&self.plan.table, &old.row, true, cx)?;
                Ok(old)
            }
            false => Err(SqlError::key_not_found(self.plan.table.name())),
        }
    }

    /// Whether a row of REPLACE may not take the place of the one that it has an index in common with: that of the numbers,
    /// once a row that was given its number has found another in its way.
    pub(super) fn forbids_replacing(&mut self, generated: Option<u64>, index: usize) -> bool {
        self.made.numbered_replaced |= generated.is_some_and(|number| number > 0);
        let indexes = &self.plan.table.def().indexes;
        let leads = |at: usize| indexes.iter().position(|i| i.parts.first().is_some_and(|p| p.column == at));
        self.made.numbered_replaced && self.auto_column.and_then(leads) == Some(index)
    }

    /// Whether MariaDB updates the row that stands in the way in an index: where no other one can refuse the new row and
    /// nothing refers to it.
    pub(super) fn replaces_in_place(&self, index: usize, cx: &Cx<'_>) -> bool {
        let def = self.plan.table.def();
        // Digests are compared before the other keys.
        let unique = def.indexes.iter().enumerate().filter(|(_, index)| index.kind != types::IndexKind::Key);
        let last = unique.max_by_key(|(at, index)| (!index.is_digest(), *at)).map(|(at, _)| at);
        last == Some(index) && cx.state.engine.catalog().children(&def.db, &def.name).is_empty()
    }

    /// Makes place for the new row; false where the old one is the same and may stay, as where MariaDB updates it.
    pub(super) fn delete_existing(
        &mut self,
        key: &[u8],
        new_values: &[Value],
        updates: bool,
        cx: &mut Cx<'_>,
    ) -> Result<bool, SqlError> {
        let old = self.existing_row(key, cx)?;
        // MariaDB's way of counting: an update where that does as well.
        cx.count(if updates { Counter::HandlerUpdate } else { Counter::HandlerDelete }, 1);
        if updates && self.plan.table.is_same_row(&old.row, &self.made.image)? {
            return Ok(false);
        }
        let table = &self.plan.table;
        if let Some(at) = self.auto_column.filter(|_| updates)
            && let number = store::as_counter(&new_values[at])
            && number
                != store::as_counter(&table.layout().decode_column(&old.row, at).map_err(EngineError::from)?)
            && let Some(number) = number.and_then(|n| u64::try_from(n).ok())
        {
            table.auto_increment().note_changed(number);
        }
        cx.state.txn()?.delete(table, &old).map_err(|e| engine_error(e, cx.state))?;
        self.made.counts.duplicates += 1;
        self.made.counts.affected += 1;
        Ok(true)
    }

    /// Whether NULL is given to a column that is NULL and that has a default, which MariaDB finds below the NULL of the row
    /// that it read, and zero below the one that is given: it counts such a row, though nothing changes.
    fn resets_null(&self, row: &change::RowUnderChange, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        for (column, _) in &self.plan.on_duplicate {
            let def = &self.plan.table.def().columns[*column];
            let types::DefaultValue::Literal(text) = &def.default else { continue };
            if row.value(*column).is_null() && !def.ty.is_blob() {
                let default = store::literal_default(text, def, cx.state)?;
                let labelled = matches!(def.ty, types::ColumnType::Enum(_));
                if labelled || default != store::implicit_default(def) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Changes the row that is there; whether RETURNING shows it.
    pub(super) fn update_existing(
        &mut self,
        key: &[u8],
        new_values: &[Value],
        cx: &mut Cx<'_>,
    ) -> Result<bool, SqlError> {
        let table = &self.plan.table;
        let old = self.existing_row(key, cx)?;
        let width = new_values.len();
        let read = row_as_read(new_values, table.def(), cx);
        cx.frame_mut(0, 2 * width)[width..2 * width].clone_from_slice(&read);
        let all: Vec<(usize, u32)> = (0..width).map(|i| (i, i as u32)).collect();
        reader::fill(table, &old.row, &all, width, 0, cx)?;
        let mut row = change::RowUnderChange::decode(table, &old)?;
        // Only of a list of rows is NULL taken for the zero value.
        row.takes_null =
            self.plan.ignore || matches!(&self.plan.rows, InsertRows::Values(rows) if rows.len() > 1);
        // Rows of a query are no warning's worth any more once they are there.
        row.tells_no_null = self.plan.ignore && matches!(self.plan.rows, InsertRows::Query(_));
        row.counter = self.auto_column;
        let mut faults = Faults::new(if row.takes_null { Manner::All } else { Manner::Listed });
        for (column, given) in &self.plan.on_duplicate {
            let assigned = row.assign(*column, given, *column as u32, cx);
            // A NULL is all that is said where nothing was before it.
            let refused = matches!(&assigned, Err(error) if error.errno == 1048);
            if refused && faults.end_so_far().is_ok() && cx.state.statement.fault.is_none() {
                return assigned.map(|()| false);
            }
            faults.take(assigned, cx)?;
        }
        faults.end()?;
        // Rows of one table that a view joins are not yet rows of the view.
        if let Some(rule) = self.plan.view_rule.as_ref().filter(|rule| rule.blank.is_empty())
            && !change::keeps(rule, cx)?
        {
            let error = SqlError::view_check_failed(&rule.database, &rule.view);
            if !self.plan.ignore {
                return Err(error);
            }
            cx.state.warn(Level::Warning, error.errno, error.message);
            return Ok(false);
        }
        let refusal = if self.plan.ignore { Refusal::Warns } else { Refusal::Fails };
        let written = row.write(&old, &self.plan.rules, refusal, cx)?;
        match written {
            change::Written::Changed => {
                self.made.counts.duplicates += 1;
                self.made.counts.affected += 2;
                self.made.counts.changed += 1;
            }
            change::Written::Same => {
                let counted = u64::from(cx.state.client_found_rows) + u64::from(self.resets_null(&row, cx)?);
                self.made.counts.affected += counted;
            }
            _ => {}
        }
        let stands = matches!(written, change::Written::Changed | change::Written::Same);
        if stands {
            // RETURNING shows the row as it is now.
            self.made.image.clear();
            self.made.image.extend_from_slice(row.image());
        }
        if let Some(column) = self.auto_column
            && let Some(n) = store::as_counter(row.value(column))
        {
            // A negative one is told as it stands in 64 bits.
            self.made.last_explicit = n as u64;
            if let Ok(n) = u64::try_from(n) {
                self.made.numbers.pass(n, cx);
            }
        }
        Ok(stands)
    }
}
