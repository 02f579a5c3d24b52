//! What the log's QUERY event says of the session that a statement ran in.

use crate::session::State;
use binlog_status::{NO_FOREIGN_KEY_CHECKS, NOT_AUTOCOMMIT, RELAXED_UNIQUE_CHECKS, SQL_AUTO_IS_NULL};
use engine::{QueryStatus, QueryText};

/// Bits of `flags2`.
mod binlog_status {
    pub const SQL_AUTO_IS_NULL: u32 = 1 << 14;
    pub const NOT_AUTOCOMMIT: u32 = 1 << 19;
    pub const NO_FOREIGN_KEY_CHECKS: u32 = 1 << 26;
    pub const RELAXED_UNIQUE_CHECKS: u32 = 1 << 27;
}

/// The facts, owned, so that the session stays free for the change itself.
pub struct Facts {
    thread_id: u32,
    database: String,
    flags2: u32,
    sql_mode: u64,
    auto_increment: Option<(u16, u16)>,
    charset: [u16; 3],
}

impl Facts {
    /// The facts of a session now.
    pub fn of(state: &State) -> Facts {
        let vars = &state.vars;
        let bit = |on: bool, bit: u32| if on { bit } else { 0 };
        let steps = (vars.auto_increment_increment as u16, vars.auto_increment_offset as u16);
        Facts {
            thread_id: state.connection_id as u32,
            database: state.database.clone().unwrap_or_default(),
            flags2: bit(vars.sql_auto_is_null, SQL_AUTO_IS_NULL)
                | bit(!vars.autocommit, NOT_AUTOCOMMIT)
                | bit(!vars.foreign_key_checks, NO_FOREIGN_KEY_CHECKS)
                | bit(!vars.unique_checks, RELAXED_UNIQUE_CHECKS),
            sql_mode: vars.sql_mode,
            auto_increment: Some(steps).filter(|&steps| steps != (1, 1)),
            charset: [
                vars.character_set_client.id(),
                vars.collation_connection.id(),
                vars.collation_server.id(),
            ],
        }
    }

    /// The event's content for a statement.
    pub fn query<'a>(&'a self, sql: &'a str) -> QueryText<'a> {
        let status = QueryStatus {
            flags2: Some(self.flags2),
            sql_mode: Some(self.sql_mode),
            auto_increment: self.auto_increment,
            charset: Some(self.charset),
            catalog: Some(b"std"),
            ..QueryStatus::default()
        };
        QueryText { thread_id: self.thread_id, db: &self.database, sql, status }
    }
}
