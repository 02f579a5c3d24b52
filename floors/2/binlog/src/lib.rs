//! Binlog v4: events, segments, group append, durable mark, tail scan, reader, GTIDs.
//!
//! This log is Penstock's write-ahead log and, byte for byte, a MariaDB 10.11 binary log: what recovery replays,
//! replicas and `mariadb-binlog` read. A segment looks so (events in [`event`], grammar in `grouping`):
//!
//! ```text
//! FORMAT_DESCRIPTION GTID_LIST BINLOG_CHECKPOINT head | mark group group ... | mark group ... | mark ROTATE
//!                                                      ^ a round: written and forced as one
//! ```
//!
//! - [`GroupBuilder`] encodes a commit's events outside of any lock.
//! - [`Log::append`] gives the group its place, [`Log::force`] makes it durable, many groups with one write and sync.
//! - [`Log::open`] decides how the log ends ([`examine`], `docs/recovery.md`), repairs that, and begins a segment.
//! - [`Reader`] gives whole groups or single events, checked, up to what was forced.
//!
//! The room does not know what a table means or what a transaction is; commit numbers come from above.

#![forbid(unsafe_code)]

mod counters;
mod error;
pub mod event;
mod group;
mod grouping;
mod gtid;
mod index;
mod log;
mod options;
mod position;
mod reader;
mod recovery;
mod rows_writer;
mod segment;
mod window;

pub use counters::{CounterValues, GROUPS_BOUNDS};
pub use error::{Damage, DecodeError, LogError, Problem, Result};
pub use group::{GroupBuilder, GroupMark, GtidPlan, SeqNo, Stamp};
pub use gtid::{BadGtid, Gtid, GtidState};
pub use log::{Log, Placed, SegmentInfo};
pub use options::Options;
pub use position::{DEFAULT_BASE, LogPos, index_name, segment_name, segment_number};
pub use reader::{Group, Reader};
pub use recovery::{Cut, Tail, TailReport, examine, verify};
pub use segment::{FIRST_EVENT, MAGIC};
