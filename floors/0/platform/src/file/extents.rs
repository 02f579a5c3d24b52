//! How many pieces a file is stored in, asked by the `FIEMAP` ioctl.
//!
//! Layout of `struct fiemap` (linux/fiemap.h), 32 bytes when no extent array follows:
//!
//! ```text
//!   0 u64 start   8 u64 length   16 u32 flags   20 u32 mapped_extents   24 u32 extent_count   28 u32 reserved
//! ```

use std::fs;
use std::io;
use std::os::fd::AsRawFd;

/// `_IOWR('f', 11, struct fiemap)`.
const FS_IOC_FIEMAP: u64 = 0xC020_660B;
/// Sync the file first, so that delayed allocation is settled.
const FIEMAP_FLAG_SYNC: u32 = 1;

#[repr(C)]
struct Fiemap {
    start: u64,
    length: u64,
    flags: u32,
    mapped_extents: u32,
    extent_count: u32,
    reserved: u32,
}

const _: () = assert!(size_of::<Fiemap>() == 32);

/// Counts the extents of `file`; `None` where the file system does not tell.
pub(super) fn count(file: &fs::File) -> io::Result<Option<u64>> {
    let mut request = Fiemap {
        start: 0,
        length: u64::MAX,
        flags: FIEMAP_FLAG_SYNC,
        mapped_extents: 0,
        extent_count: 0,
        reserved: 0,
    };
    // SAFETY: the descriptor is open for the call's duration, and with extent_count 0 the kernel writes nothing
    // beyond the 32 bytes of `request`.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP as _, &raw mut request) };
    if result == 0 {
        return Ok(Some(u64::from(request.mapped_extents)));
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::ENOTTY | libc::EOPNOTSUPP) => Ok(None),
        _ => Err(error),
    }
}
