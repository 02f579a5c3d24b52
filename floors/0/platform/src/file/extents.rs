//! The pieces that a file is stored in, asked by the `FIEMAP` ioctl.
//!
//! Layout of `struct fiemap` (linux/fiemap.h), and of each `struct fiemap_extent` behind it:
//!
//! ```text
//!   0 u64 start   8 u64 length   16 u32 flags   20 u32 mapped_extents   24 u32 extent_count   28 u32 reserved
//!   0 u64 logical   8 u64 physical   16 u64 length   24 u64 reserved[2]   40 u32 flags   44 u32 reserved[3]
//! ```

use std::fs;
use std::io;
use std::os::fd::AsRawFd;

/// `_IOWR('f', 11, struct fiemap)`.
const FS_IOC_FIEMAP: u64 = 0xC020_660B;
/// Sync the file first, so that delayed allocation is settled.
const FIEMAP_FLAG_SYNC: u32 = 1;
/// The last piece of the file.
const FIEMAP_EXTENT_LAST: u32 = 1;
/// Space that is reserved and reads as zeros.
const FIEMAP_EXTENT_UNWRITTEN: u32 = 0x800;
/// Pieces asked for by one call.
const BATCH: usize = 256;

/// The pieces of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    /// Pieces that do not lie behind each other on the device.
    pub count: u64,
    /// Bytes of the largest.
    pub largest: u64,
    /// Bytes that are reserved and were never written.
    pub unwritten: u64,
}

#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved: [u64; 2],
    flags: u32,
    reserved_too: [u32; 3],
}

#[repr(C)]
struct Fiemap {
    start: u64,
    length: u64,
    flags: u32,
    mapped_extents: u32,
    extent_count: u32,
    reserved: u32,
    extents: [Extent; BATCH],
}

const _: () = assert!(size_of::<Extent>() == 56 && size_of::<Fiemap>() == 32 + 56 * BATCH);

/// Lists the pieces of `file`; `None` where the file system does not tell. The kernel's records that follow each other on
/// the device and in the file are one piece, however they differ in what was written of them.
pub(super) fn list(file: &fs::File) -> io::Result<Option<Extents>> {
    let (mut pieces, mut start) = (Pieces::default(), 0);
    loop {
        let mut request = Fiemap {
            start,
            length: u64::MAX - start,
            flags: FIEMAP_FLAG_SYNC,
            mapped_extents: 0,
            extent_count: BATCH as u32,
            reserved: 0,
            extents: [Extent::default(); BATCH],
        };
        // SAFETY: the descriptor is open for the call's duration, and the kernel writes no more than `extent_count` extents
        // behind the head, which `request` has room for.
        let result = unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP as _, &raw mut request) };
        if result != 0 {
            let error = io::Error::last_os_error();
            return match error.raw_os_error() {
                Some(libc::ENOTTY | libc::EOPNOTSUPP) => Ok(None),
                _ => Err(error),
            };
        }
        let found = &request.extents[..request.mapped_extents as usize];
        found.iter().for_each(|extent| pieces.add(extent));
        match found.last() {
            Some(last) if last.flags & FIEMAP_EXTENT_LAST == 0 => start = last.logical + last.length,
            _ => return Ok(Some(pieces.extents)),
        }
    }
}

/// Records joined to pieces.
#[derive(Default)]
struct Pieces {
    extents: Extents,
    /// Where the piece so far ends, in the file and on the device, and its bytes.
    end: (u64, u64),
    bytes: u64,
}

impl Pieces {
    fn add(&mut self, extent: &Extent) {
        let joins = self.extents.count > 0 && self.end == (extent.logical, extent.physical);
        if !joins {
            self.extents.count += 1;
            self.bytes = 0;
        }
        self.bytes += extent.length;
        self.end = (extent.logical + extent.length, extent.physical + extent.length);
        self.extents.largest = self.extents.largest.max(self.bytes);
        if extent.flags & FIEMAP_EXTENT_UNWRITTEN != 0 {
            self.extents.unwritten += extent.length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_that_follow_each_other_are_one_piece() {
        let record = |logical, physical, length, flags| Extent {
            logical,
            physical,
            length,
            flags,
            ..Extent::default()
        };
        let mut pieces = Pieces::default();
        for extent in [
            record(0, 1000, 100, 0),
            record(100, 1100, 50, FIEMAP_EXTENT_UNWRITTEN),
            record(150, 7000, 20, 0),
            record(300, 7020, 500, FIEMAP_EXTENT_LAST),
        ] {
            pieces.add(&extent);
        }
        assert_eq!(pieces.extents, Extents { count: 3, largest: 500, unwritten: 50 });
    }
}
