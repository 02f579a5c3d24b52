//! A client's session: its state, its transactions, its statements.

pub mod state;

pub use state::{Diagnostics, Level, State, StatementFacts, Vars, Warning};
