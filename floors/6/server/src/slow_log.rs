//! The slow query log: statements that took longer than `long_query_time`, in the format of MariaDB's log, which its
//! tools read.
//!
//! The file is opened for each entry, so that it may be moved away at any time. A statement's time is known to a time
//! slice (half a millisecond): no clock is read for it.

use crate::general_log::time_of;
use protocol::command::Command;
use runtime::{turn_time, turn_wall_time};
use sql::session::counters::Counter;
use sql::session::variables;
use sql::session::{Session, State};
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};
use types::Value;

/// A session as it was when a statement began.
pub struct Begun {
    at: Instant,
    rows_sent: u64,
    rows_read: u64,
}

impl Begun {
    /// A statement begins now.
    pub fn now(state: &State) -> Begun {
        let count = |counter| state.counted.get(counter);
        Begun { at: turn_time(), rows_sent: count(Counter::RowsSent), rows_read: count(Counter::RowsRead) }
    }

    /// The command has ended: one that was slow is counted, and written to the log.
    pub fn end(&self, session: &Session, payload: &[u8], datadir: &Path) {
        let state = &session.state;
        let now = turn_time();
        let limit = state.vars.long_query_time_us;
        // Nearly always within one turn: the same instant.
        if (now == self.at && limit > 0) || now - self.at < Duration::from_micros(limit) {
            return;
        }
        let text = match Command::decode(payload) {
            Ok(Command::Query(text)) => text,
            Ok(Command::StmtExecute { id, .. } | Command::StmtBulkExecute { id, .. }) => {
                session.prepared_text(id).unwrap_or_default()
            }
            _ => return,
        };
        state.counted.add(Counter::SlowQueries, 1);
        if let Err(error) = self.write(state, text, datadir) {
            tracing::error!("write the slow query log: {error}");
        }
    }

    /// Writes the statement's entry, if the log is on for the server and the session.
    fn write(&self, state: &State, text: &[u8], datadir: &Path) -> io::Result<()> {
        let server = |name| variables::find(name).map_or(Value::Null, |found| found.global_value(state));
        let session = |name| variables::find(name).map_or(Value::Null, |found| found.session_value(state));
        let is_on = |value| types::convert::to_bool(&value) == Some(true);
        let examined = state.counted.get(Counter::RowsRead) - self.rows_read;
        let least = state.vars.number("min_examined_row_limit").unwrap_or(0);
        if !is_on(server("slow_query_log")) || !is_on(session("slow_query_log")) || examined < least {
            return Ok(());
        }
        let name = variables::shown(&server("slow_query_log_file"));
        let entry = self.entry(state, examined, text);
        let mut file = OpenOptions::new().create(true).append(true).open(datadir.join(name))?;
        file.write_all(&entry)
    }

    fn entry(&self, state: &State, examined: u64, text: &[u8]) -> Vec<u8> {
        let now = turn_wall_time();
        let (user, host) = (&state.user, &state.client_host);
        let sent = state.counted.get(Counter::RowsSent) - self.rows_sent;
        let affected = state.row_count.max(0);
        let schema = state.database.as_deref().unwrap_or_default();
        let mut head = format!("# Time: {}\n", time_of(now.as_secs()));
        let _ = write!(
            head,
            "# User@Host: {user}[{user}] @ {host} []\n\
             # Thread_id: {}  Schema: {schema}  QC_hit: No\n\
             # Query_time: {:.6}  Lock_time: 0.000000  Rows_sent: {sent}  Rows_examined: {examined}\n\
             # Rows_affected: {affected}\n",
            state.connection_id,
            (turn_time() - self.at).as_secs_f64(),
        );
        if !schema.is_empty() {
            let _ = writeln!(head, "use {schema};");
        }
        let _ = writeln!(head, "SET timestamp={};", now.as_secs());
        let mut entry = head.into_bytes();
        entry.extend_from_slice(text.trim_ascii_end().strip_suffix(b";").unwrap_or(text.trim_ascii_end()));
        entry.extend_from_slice(b";\n");
        entry
    }
}
