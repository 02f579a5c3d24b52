//! What can be set about the log, with the reason of each default and a nasty value for tests.
//!
//! | knob | default | bounds | why | nasty |
//! | --- | --- | --- | --- | --- |
//! | `max_segment_bytes` | 1 GiB | 4 KiB to 1 GiB | `max_binlog_size` of MariaDB; positions have 32 bits | 4 KiB |
//! | `preallocate_bytes` | 16 MiB | 4 KiB to 1 GiB | first step of a segment, each further one doubles it: `docs/decisions/0010` | 4 KiB |
//! | `cleared_bytes` | 4 MiB | 0 to 1 GiB | zeros ahead of the end, half of it at least, 0 for none: `docs/decisions/0190` | 4 KiB |
//! | `max_round_bytes` | 4 MiB | 4 KiB to 256 MiB | a longer round only makes its first commits wait | 4 KiB |
//! | `max_group_bytes` | 1 GiB | 4 KiB to 1 GiB | a group stays in one segment | 64 KiB |

use platform::clock::{Clock, RealClock};
use std::fmt;
use std::sync::Arc;

use crate::position::DEFAULT_BASE;

/// Settings of a log.
#[derive(Clone)]
pub struct Options {
    /// What the file names start with.
    pub base: String,
    /// Goes into headers of events that the log itself writes.
    pub server_id: u32,
    /// Goes into FORMAT_DESCRIPTION; readers want `10.N...-MariaDB...`. At most 49 bytes are kept.
    pub server_version: String,
    /// A segment that has reached this is followed by the next (`max_binlog_size`).
    pub max_segment_bytes: u32,
    /// Space reserved for a new segment; it doubles, ahead of what is written.
    pub preallocate_bytes: u32,
    /// Zeros that [`Log::keep_cleared`](crate::Log::keep_cleared) keeps written ahead of the end, half of it at
    /// least; 0 for none.
    pub cleared_bytes: u32,
    /// A round of write and force takes at most this, or one group.
    pub max_round_bytes: u32,
    /// Larger groups are refused.
    pub max_group_bytes: u32,
    /// The time in events that the log itself writes, and of the counters.
    pub clock: Arc<dyn Clock>,
    /// The log's key if it is created now: any random number; `None` takes one from the system.
    pub key: Option<u64>,
}

impl Options {
    /// The defaults for a server.
    #[must_use]
    pub fn new(server_id: u32, server_version: &str) -> Options {
        Options {
            base: DEFAULT_BASE.to_string(),
            server_id,
            server_version: server_version.to_string(),
            max_segment_bytes: 1 << 30,
            preallocate_bytes: 16 << 20,
            cleared_bytes: 4 << 20,
            max_round_bytes: 4 << 20,
            max_group_bytes: 1 << 30,
            clock: Arc::new(RealClock),
            key: None,
        }
    }

    /// The same within the bounds of the table above.
    pub(crate) fn bounded(mut self) -> Options {
        const KIB_4: u32 = 4 << 10;
        const GIB: u32 = 1 << 30;
        self.max_segment_bytes = self.max_segment_bytes.clamp(KIB_4, GIB);
        self.preallocate_bytes = self.preallocate_bytes.clamp(KIB_4, GIB);
        self.cleared_bytes = self.cleared_bytes.min(GIB);
        self.max_round_bytes = self.max_round_bytes.clamp(KIB_4, 256 << 20);
        self.max_group_bytes = self.max_group_bytes.clamp(KIB_4, GIB);
        self
    }

    /// Seconds since 1970.
    pub(crate) fn timestamp(&self) -> u32 {
        (self.clock.wall_us() / 1_000_000) as u32
    }

    /// No round is longer: its mark, what it may take, and the group that began below the limit.
    pub(crate) fn max_flight(&self) -> u32 {
        self.max_round_bytes + self.max_group_bytes + FLIGHT_SLACK
    }
}

/// Room in [`Options::max_flight`] for a round's own events.
const FLIGHT_SLACK: u32 = 4096;

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("base", &self.base)
            .field("server_id", &self.server_id)
            .field("server_version", &self.server_version)
            .field("max_segment_bytes", &self.max_segment_bytes)
            .field("preallocate_bytes", &self.preallocate_bytes)
            .field("cleared_bytes", &self.cleared_bytes)
            .field("max_round_bytes", &self.max_round_bytes)
            .field("max_group_bytes", &self.max_group_bytes)
            .finish_non_exhaustive()
    }
}
