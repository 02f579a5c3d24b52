//! Why an I/O call failed, as far as it changes what the caller does.

use std::io;

/// The cause of a failed I/O call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The device or the quota is full (`ENOSPC`, `EDQUOT`, `EFBIG`).
    NoSpace,
    /// The file system is mounted read-only (`EROFS`).
    ReadOnly,
    /// The device failed (`EIO`).
    Device,
    /// Another process holds the lock.
    Locked,
    /// The file does not exist.
    Missing,
    /// The file exists already.
    Exists,
    /// This process may not do that (`EACCES`, `EPERM`).
    Denied,
    /// The file ends before the bytes asked for.
    PastEnd,
    /// Anything else.
    Other,
}

impl Cause {
    /// The cause of `error`.
    pub fn of(error: &io::Error) -> Cause {
        if error.raw_os_error() == Some(libc::EIO) {
            return Cause::Device;
        }
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Cause::NoSpace
            }
            io::ErrorKind::ReadOnlyFilesystem => Cause::ReadOnly,
            io::ErrorKind::WouldBlock => Cause::Locked,
            io::ErrorKind::NotFound => Cause::Missing,
            io::ErrorKind::AlreadyExists => Cause::Exists,
            io::ErrorKind::PermissionDenied => Cause::Denied,
            io::ErrorKind::UnexpectedEof => Cause::PastEnd,
            _ => Cause::Other,
        }
    }
}
