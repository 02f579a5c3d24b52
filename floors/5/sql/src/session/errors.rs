//! Errors as clients see them: the statement's, and the engine's.

use super::plain_name;
use super::{Level, Session, State, Warning};
use crate::admin::dialect::retold;
use crate::error::{SqlError, message_in};
use engine::{EngineError, ForeignKeySide, ForeignKeyViolation};
use types::ReferentialAction;

impl Session {
    /// An error as the client is told it, once it is noted.
    pub(super) fn failure(&mut self, error: SqlError) -> SqlError {
        let mut error = retold(error, &self.state);
        error.message = plain_name(error.message);
        self.note_failure(&error);
        error.message = message_in(&error.message, self.state.wire_options().charset).into_owned();
        error
    }

    /// Leaves an error where SHOW WARNINGS and ROW_COUNT() find it.
    pub(super) fn note_failure(&mut self, error: &SqlError) {
        let told =
            |w: &Warning| (w.level, w.errno, &w.message) == (Level::Error, error.errno, &error.message);
        // Whoever raised it may have put it in its place among warnings already.
        if !self.state.diagnostics.entries.iter().any(told) {
            let max = self.state.vars.max_error_count;
            self.state.diagnostics.push(Level::Error, error.errno, error.message.clone(), max);
        }
        self.state.row_count = -1;
    }
}

impl From<EngineError> for SqlError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::LockWaitTimeout => SqlError::lock_wait_timeout(),
            EngineError::Deadlock => SqlError::deadlock(),
            EngineError::Changed { table } => SqlError::record_changed(table),
            EngineError::SnapshotTooOld => SqlError::new(
                1105,
                b"HY000",
                "Snapshot too old: its older row versions outgrew their memory; transaction rolled back",
            ),
            EngineError::Interrupted => SqlError::query_interrupted(),
            // Statements look at duplicates themselves, where they know the row.
            EngineError::Duplicate { .. } | EngineError::DuplicateRows { .. } => SqlError::dup_key(""),
            EngineError::ForeignKey(violation) => foreign_key(&violation),
            EngineError::CascadeTooDeep { db, table } => SqlError::new(
                1030,
                b"HY000",
                format!("Got error 193 \"'{db}.{table}' cascades too deep\" from storage engine InnoDB"),
            ),
            EngineError::WriteSetTooLarge { .. } => SqlError::transaction_cache_full(),
            EngineError::KeyTooLong { limit, .. } => SqlError::too_long_key(limit),
            EngineError::ReadOnlyTransaction => SqlError::read_only_transaction(),
            EngineError::NotActive => SqlError::internal_error("use a transaction that was rolled back"),
            EngineError::NoSuchSavepoint(name) => SqlError::does_not_exist("SAVEPOINT", name),
            EngineError::NoSuchDatabase(name) => SqlError::bad_db(name),
            EngineError::DatabaseExists(name) => SqlError::db_create_exists(name),
            EngineError::NoSuchTable { db, table } => SqlError::no_such_table(db, table),
            EngineError::TableExists { table, .. } => SqlError::table_exists(table),
            EngineError::NoSuchIndex(name) => SqlError::internal_error(format!("find index {name}")),
            EngineError::TableChanged { .. } | EngineError::TableNewerThanSnapshot { .. } => {
                SqlError::table_definition_changed()
            }
            EngineError::ReferencedTable { .. } => {
                // Where a table goes no constraint's name is told.
                let text = "Cannot delete or update a parent row: a foreign key constraint fails";
                SqlError::new(1451, b"23000", text)
            }
            EngineError::Mapping(error) => match error.downcast::<SqlError>() {
                Ok(error) => *error,
                Err(error) => SqlError::internal_error(error),
            },
            full if full.is_disk_full() => SqlError::new(1021, b"HY000", format!("Disk full: {full}")),
            EngineError::Poisoned(why) => SqlError::new(1105, b"HY000", format!("Server stopped: {why}")),
            other @ (EngineError::Corrupt { .. }
            | EngineError::Page(_)
            | EngineError::Tree(_)
            | EngineError::Row(_)) => SqlError::new(1712, b"HY000", format!("Data is corrupted: {other}")),
            other @ (EngineError::Replay { .. } | EngineError::Log(_) | EngineError::Io { .. }) => {
                SqlError::new(1030, b"HY000", format!("Got error from storage engine: {other}"))
            }
        }
    }
}

/// The client's error for an engine's error.
pub fn engine_error(error: EngineError, state: &State) -> SqlError {
    let _ = state;
    SqlError::from(error)
}

fn foreign_key(violation: &ForeignKeyViolation) -> SqlError {
    let text = constraint_text(violation);
    match violation.side {
        ForeignKeySide::Child => SqlError::no_referenced_row(text),
        ForeignKeySide::Parent => SqlError::row_is_referenced_by(text),
    }
}

/// The constraint without its actions, its parent by its full name, as error 1701 shows it.
pub fn reference_text(v: &ForeignKeyViolation) -> String {
    let list = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    format!(
        "`{}`.`{}`, CONSTRAINT `{}` FOREIGN KEY ({}) REFERENCES `{}`.`{}` ({})",
        v.db,
        v.table,
        v.constraint,
        list(&v.columns),
        v.ref_db,
        v.ref_table,
        list(&v.ref_columns)
    )
}

/// The constraint as errors 1451 and 1452 show it.
fn constraint_text(v: &ForeignKeyViolation) -> String {
    let mut text = reference_text(v);
    if v.db == v.ref_db {
        let full = format!("REFERENCES `{}`.`{}` (", v.ref_db, v.ref_table);
        text = text.replacen(&full, &format!("REFERENCES `{}` (", v.ref_table), 1);
    }
    for (when, action) in [("DELETE", v.on_delete), ("UPDATE", v.on_update)] {
        let action = match action {
            // InnoDB takes SET DEFAULT for RESTRICT.
            ReferentialAction::Restrict | ReferentialAction::SetDefault => continue,
            ReferentialAction::NoAction => "NO ACTION",
            ReferentialAction::Cascade => "CASCADE",
            ReferentialAction::SetNull => "SET NULL",
        };
        text += &format!(" ON {when} {action}");
    }
    text
}
