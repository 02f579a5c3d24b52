//! Why a benchmark could not go on. Errors that a server answers under load are counted instead ([`crate::tally`]).

use protocol::ProtocolError;
use protocol::client::ClientError;
use std::io;

/// Why a benchmark could not go on.
#[derive(Debug)]
pub enum BenchError {
    /// A server's address does not read as one: the text and what is wrong.
    Address(String, &'static str),
    /// Connecting failed: where, and why.
    Connect(String, ClientError),
    /// A statement that the benchmark needs failed.
    Statement(String, ClientError),
    /// A connection broke under load.
    Connection(io::Error),
    /// The server sent what the protocol does not know.
    Protocol(ProtocolError),
    /// Event loops did not start, a file was not written and the like: what was done, and why it failed.
    System(String, io::Error),
    /// The engine refused what the benchmark needs.
    Engine(engine::EngineError),
    /// A part of the load generator panicked.
    Panicked(String),
    /// The wish makes no sense: why.
    Wish(String),
}

impl std::fmt::Display for BenchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(text, why) => write!(f, "read address '{text}': {why}"),
            Self::Connect(place, error) => write!(f, "connect to {place}: {error}"),
            Self::Statement(sql, error) => write!(f, "run '{}': {error}", shortened(sql)),
            Self::Connection(error) => write!(f, "talk to server: {error}"),
            Self::Protocol(error) => write!(f, "{error}"),
            Self::System(what, error) => write!(f, "{what}: {error}"),
            Self::Engine(error) => write!(f, "{error}"),
            Self::Panicked(message) => write!(f, "the load generator panicked: {message}"),
            Self::Wish(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BenchError {}

impl From<ProtocolError> for BenchError {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}

impl From<engine::EngineError> for BenchError {
    fn from(error: engine::EngineError) -> Self {
        Self::Engine(error)
    }
}

/// The front of a statement, for messages.
fn shortened(sql: &str) -> String {
    match sql.char_indices().nth(120) {
        None => sql.to_owned(),
        Some((at, _)) => format!("{} ...", &sql[..at]),
    }
}
