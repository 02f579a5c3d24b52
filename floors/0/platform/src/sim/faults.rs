//! Failures on demand.

use std::io;
use std::ops::Range;

use super::image::{Image, Op};

/// The kind of call that a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Opening a file.
    Open,
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Setting a length or reserving space.
    SetLen,
    /// Forcing data.
    Sync,
    /// Creating, renaming or removing a name.
    Names,
    /// Forcing names.
    SyncNames,
}

/// The faults in force on a disk.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// The file system is read-only: every change fails with `EROFS`.
    pub read_only: bool,
    /// The bytes that all files together may have, by their lengths. A write that finds no room writes what fits
    /// and fails with `ENOSPC`.
    pub capacity: Option<u64>,
    /// The canary: syncs say that they worked and do nothing.
    pub lying_sync: bool,
    /// Single calls that fail.
    pub plan: Vec<Fault>,
}

/// A call that fails.
#[derive(Clone, Debug)]
pub struct Fault {
    call: Call,
    errno: i32,
    file: Option<String>,
    range: Option<Range<u64>>,
    skip: u64,
    times: u64,
}

impl Fault {
    /// Each such call fails with `EIO`.
    #[must_use]
    pub fn eio(call: Call) -> Fault {
        Fault::errno(call, libc::EIO)
    }

    /// Each such call fails with this error number.
    #[must_use]
    pub fn errno(call: Call, errno: i32) -> Fault {
        Fault { call, errno, file: None, range: None, skip: 0, times: u64::MAX }
    }

    /// Only calls on files whose name starts so.
    #[must_use]
    pub fn on(self, file: &str) -> Fault {
        Fault { file: Some(file.to_owned()), ..self }
    }

    /// Only reads and writes that touch these bytes.
    #[must_use]
    pub fn within(self, range: Range<u64>) -> Fault {
        Fault { range: Some(range), ..self }
    }

    /// Lets the first `count` such calls pass.
    #[must_use]
    pub fn after(self, count: u64) -> Fault {
        Fault { skip: count, ..self }
    }

    /// Strikes `count` times and then no more.
    #[must_use]
    pub fn times(self, count: u64) -> Fault {
        Fault { times: count, ..self }
    }

    fn strikes(&mut self, call: Call, file: &str, range: Option<&Range<u64>>) -> bool {
        let overlaps =
            |bad: &Range<u64>| range.is_some_and(|range| range.start < bad.end && bad.start < range.end);
        if self.call != call
            || self.file.as_ref().is_some_and(|prefix| !file.starts_with(prefix.as_str()))
            || self.range.as_ref().is_some_and(|bad| !overlaps(bad))
        {
            return false;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        if self.times == 0 {
            return false;
        }
        self.times -= 1;
        true
    }
}

impl Faults {
    /// The error that this call fails with, if any.
    pub(super) fn strike(&mut self, call: Call, file: &str, range: Option<Range<u64>>) -> Option<io::Error> {
        if self.read_only && matches!(call, Call::Write | Call::SetLen | Call::Names) {
            return Some(io::Error::from_raw_os_error(libc::EROFS));
        }
        let fault = self.plan.iter_mut().find_map(|fault| {
            let errno = fault.errno;
            fault.strikes(call, file, range.as_ref()).then_some(errno)
        });
        fault.map(io::Error::from_raw_os_error)
    }

    /// How many bytes of the write `op` find space; `None` if all do.
    pub(super) fn room(&self, image: &Image, op: &Op) -> Option<u64> {
        let (inode, end) = match op {
            Op::Write { inode, offset, data } => (*inode, offset + data.len() as u64),
            Op::SetLen { inode, len } => (*inode, *len),
            _ => return None,
        };
        let growth = end.saturating_sub(image.inode(inode).live().len());
        let free = self.capacity?.saturating_sub(image.bytes_used());
        if growth <= free {
            return None;
        }
        let len = op.range().map_or(0, |range| range.end - range.start);
        Some(len.saturating_sub(growth - free))
    }
}
