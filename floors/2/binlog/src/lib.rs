//! The log: MariaDB binlog v4 as write-ahead log.

#![forbid(unsafe_code)]

mod error;
pub mod event;
mod group;
mod gtid;
mod position;
mod rows_writer;

pub use error::{Damage, DecodeError, LogError, Problem, Result};
pub use group::{GroupBuilder, GroupMark, GtidPlan, SeqNo, Stamp};
pub use gtid::{BadGtid, Gtid, GtidState};
pub use position::{DEFAULT_BASE, LogPos, index_name, segment_name, segment_number};
