//! The server: listeners, sessions on fibers, accounts, status, process list.
//!
//! | module | what |
//! | --- | --- |
//! | [`options`] | what an administrator can set at start |
//! | [`server`] | start, stop, what connections share |
//! | [`connection`] | one client: handshake, command loop |
//! | [`wire`] | results of the `sql` room as packets |
//! | [`accounts`] | who may come in |
//! | [`status`] | counters of SHOW GLOBAL STATUS |
//! | [`processes`] | the process list and KILL |
//! | `general_log` | what clients ask for |
//! | `slow_log` | statements that took long |
//!
//! Formats are not here: packets are `protocol`'s, rows `types`', log events `binlog`'s.

#![forbid(unsafe_code)]

pub mod accounts;
pub mod connection;
mod general_log;
pub mod input;
pub mod memory;
pub mod options;
mod parameter;
pub mod processes;
pub mod server;
mod slow_log;
pub mod status;
pub mod wire;

pub use options::{OptionError, Options};
pub use server::{Server, StartError, StartReport, sync_text};

/// The version that clients see. The part before the second dash decides what they think they talk to.
pub const VERSION: &str = concat!("10.11.14-MariaDB-penstock-", env!("CARGO_PKG_VERSION"));
