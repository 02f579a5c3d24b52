//! `penstock bench`: load generators for any MariaDB or MySQL server, and for the engine in process.
//!
//! The generator must cost less than what it measures: commands are appended to a buffer ready for the wire and go out
//! in one write, answers are counted where they lie ([`protocol::scan`]), one fiber drives one connection on event loops
//! like the server's own ([`runtime`]).
//!
//! ```text
//! benchmark (yesmark, sbtest, tpcc, flexasync, commits, tables) makes a Load a connection
//!     drive: Load -> commands -> socket -> answers -> Tally      one fiber a connection
//!     watch: Tally -> samples, progress, Phase                   the calling thread, each second
//!     outcome: Phases of servers -> table, JSON; report: -> HTML page
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`target`] | where a server is, and connecting to it |
//! | [`drive`] | a connection under load: batches, pacing, intended send times |
//! | [`tally`] | latencies, answers, errors |
//! | [`watch`] | following a load while it runs |
//! | [`outcome`] | what came out, as table and JSON |
//! | [`report`] | the same as one HTML page |
//! | [`yesmark`], [`sbtest`], [`tpcc`], [`flexasync`], [`scaling`], [`commits`], [`tables`] | the benchmarks |
//! | [`disk`] | no server: what a force costs on a directory's device |
//! | [`answer_ok`] | a server that only reads, frames and answers OK: the yardstick |
//!
//! The room does not know how a server works; only `flexasync` meets the engine, in process.

#![forbid(unsafe_code)]

pub mod answer_ok;
pub mod commits;
pub mod disk;
pub mod drive;
mod error;
pub mod flexasync;
pub mod outcome;
mod random;
pub mod report;
pub mod sbtest;
pub mod scaling;
pub mod tables;
pub mod tally;
pub mod target;
pub mod tpcc;
pub mod watch;
pub mod yesmark;

pub use error::BenchError;
pub use random::Random;
