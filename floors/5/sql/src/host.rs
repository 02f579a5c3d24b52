//! What `sql` asks of the server around it.

use crate::error::SqlError;
use crate::session::counters::Tally;
use crate::session::variables::Globals;
use types::Value;

/// A line of SHOW PROCESSLIST.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    /// Connection id.
    pub id: u64,
    /// User.
    pub user: String,
    /// Client's host, with port where it came over TCP.
    pub host: String,
    /// Default database.
    pub database: Option<String>,
    /// `Query`, `Sleep`, `Daemon` ...
    pub command: &'static str,
    /// Seconds in this state.
    pub time_s: u64,
    /// What it is doing.
    pub state: String,
    /// The statement under way.
    pub info: Option<String>,
}

/// What KILL ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KillTarget {
    /// The running statement.
    Query,
    /// The connection.
    Connection,
}

/// A status counter's value.
#[derive(Debug, Clone, PartialEq)]
pub enum StatusValue {
    /// A count.
    Count(u64),
    /// A text.
    Text(String),
}

/// The server around the sessions. Implemented by the `server` room, and by a small stand-in in tests.
pub trait Host: Send + Sync {
    /// Visits every status counter (global values) as SHOW GLOBAL STATUS names them.
    fn status(&self, visit: &mut dyn FnMut(&str, StatusValue));

    /// Sessions connected.
    fn processes(&self) -> Vec<Process>;

    /// Ends a statement or connection; error 1094 for an unknown id.
    fn kill(&self, id: u64, target: KillTarget) -> Result<(), SqlError>;

    /// A fact of the server by the name of its read-only system variable (`port`, `socket`, `datadir`,
    /// `version`, `server_id` ...).
    fn fact(&self, name: &str) -> Option<Value>;

    /// The global values of system variables. A host without its own shares one store with its likes in the process.
    fn globals(&self) -> &Globals {
        static SHARED: Globals = Globals::new();
        &SHARED
    }

    /// The counters of its sessions. A host without its own shares one with its likes in the process.
    fn tally(&self) -> &Tally {
        static SHARED: Tally = Tally::new();
        &SHARED
    }

    /// The number of a `Com_` counter by its name.
    fn command_number(&self, command: &str) -> usize;

    /// Counts a statement by the number of its `Com_` counter.
    fn count_command(&self, number: usize);

    /// Writes to the general log, to the file of that name in the data directory, what a connection is asked.
    fn log_command(&self, _file: &str, _connection: u64, _command: &'static str, _argument: &[u8]) {}

    /// Asks the server to shut down.
    fn shutdown(&self);

    /// Accounts changed (CREATE USER, GRANT ...): the server re-reads them from the engine.
    fn accounts_changed(&self);
}
