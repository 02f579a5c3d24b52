//! Files and directories as the rooms above see them.
//!
//! The contract is what a journaling file system on a disk with a volatile write cache gives, and no more:
//!
//! - Data written is readable at once by everybody, and durable only after [`File::sync_data`] returned `Ok`.
//!   Until then a crash may keep, lose or tear it, sector by sector, in any order.
//! - `sync_data` makes the file's length durable too, as far as it is needed to read the data back.
//! - A name (creation, rename, removal) is durable only after [`Dir::sync`] returned `Ok`.
//! - After a failed `sync_data` nothing is known about the data written since the last good one. A retry that
//!   succeeds proves nothing: the kernel drops dirty pages that it could not write.
//! - Errors are the operating system's own, undecorated, so that their cause stays visible: [`Cause::of`].
//!   The room that consumes an error adds file, offset and verb.
//!
//! All calls may block on the device. None takes a lock of this process that is held across a kernel call.

use std::io;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

mod cause;
mod extents;
mod real;
pub mod survey;
#[cfg(test)]
mod tests;
mod walk;

pub use cause::Cause;
pub use extents::Extents;
pub use real::{RealDir, open_path};
pub use walk::{Found, walk};

/// The unit that a disk writes whole or, in a crash, not at all: 512 bytes, the smallest of all disks sold.
///
/// Direct I/O needs offsets, lengths and buffers aligned to the device's logical block, which is this or 4096.
pub const SECTOR: usize = 512;

/// A file open for positioned reads and perhaps writes. Methods take `&self`: concurrent calls are fine,
/// overlapping concurrent writes have no defined outcome.
pub trait File: Send + Sync {
    /// Reads from `offset` until `buffer` is full or the file ends; returns the bytes read.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// As [`File::read_at`], into memory that other threads may be loading from meanwhile, and that none but this call
    /// stores into. What they see until it returns, and what words hold behind the bytes read, is undefined.
    fn read_words_at(&self, words: &[AtomicU64], offset: u64) -> io::Result<usize> {
        let mut piece = Box::new(Piece([0; PIECE]));
        let mut done = 0;
        for words in words.chunks(PIECE / 8) {
            let bytes = &mut piece.0[..words.len() * 8];
            let read = self.read_at(bytes, offset + done as u64)?;
            for (word, bytes) in words.iter().zip(bytes.as_chunks().0) {
                word.store(u64::from_ne_bytes(*bytes), Ordering::Relaxed);
            }
            done += read;
            if read < bytes.len() {
                break;
            }
        }
        Ok(done)
    }

    /// Fills `buffer` from `offset`; `UnexpectedEof` if the file ends before.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        if self.read_at(buffer, offset)? == buffer.len() {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    /// Writes all of `data` at `offset`, growing the file if it ends before. On an error any part may have
    /// been written.
    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()>;

    /// Forces data, and the length needed to read it, to the device, in the way of [`File::sync_mode`].
    fn sync_data(&self) -> io::Result<()>;

    /// What a force does.
    fn sync_mode(&self) -> SyncMode {
        SyncMode::Data
    }

    /// The file's length in bytes.
    fn len(&self) -> io::Result<u64>;

    /// Whether the file has no bytes.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Cuts the file to `len` bytes, or grows it with zeros that have no space reserved.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Reserves space for `len` bytes at `offset`, growing the file if it ends before; new bytes read as zeros.
    ///
    /// Where the file system cannot reserve, the file just grows. `StorageFull` when there is no room.
    fn preallocate(&self, offset: u64, len: u64) -> io::Result<()>;

    /// The pieces that the file is stored in, if the file system tells.
    fn extent_count(&self) -> io::Result<Option<u64>> {
        Ok(None)
    }

    /// Tells the kernel what will be read, or what is not needed any more. A hint: errors have no consequence.
    fn advise(&self, _offset: u64, _len: u64, _advice: Advice) {}

    /// Another process that holds an exclusive lock on the file (`fcntl` or `flock`), if there is one; 0 for one whose
    /// number this process may not know. Servers lock what they write. Asking disturbs nobody.
    fn lock_holder(&self) -> io::Result<Option<u32>> {
        Ok(None)
    }

    /// Takes a record lock on the whole file for this process, as InnoDB does. `WouldBlock` when another has it.
    /// Kept until the process closes any handle of the file.
    fn take_record_lock(&self) -> io::Result<()> {
        Ok(())
    }

    /// The descriptor, for asynchronous I/O; `None` on a simulated disk.
    fn raw_fd(&self) -> Option<RawFd>;

    /// The name that the file was opened by, inside its directory.
    fn name(&self) -> &str;
}

/// Bytes that go from a file to words in one go.
const PIECE: usize = 16 * 1024;

/// Memory for them, aligned as direct I/O wants it.
#[repr(align(4096))]
struct Piece([u8; PIECE]);

/// What is told to the kernel about a range of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// It is read soon: bring it into the page cache.
    WillNeed,
    /// It is not needed any more: clean pages of it may leave the page cache.
    DontNeed,
}

/// A flat directory of files.
pub trait Dir: Send + Sync {
    /// Opens the file `name`.
    fn open(&self, name: &str, mode: OpenMode) -> io::Result<Arc<dyn File>>;

    /// Names of all regular files, sorted.
    fn list(&self) -> io::Result<Vec<String>>;

    /// Removes the file `name`. Handles open on it stay usable.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Renames `from` to `to` in one step, replacing `to` if it exists.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Whether the file `name` exists.
    fn exists(&self, name: &str) -> io::Result<bool>;

    /// Forces names to the device: creations, renames and removals done so far.
    fn sync(&self) -> io::Result<()>;

    /// Where the directory is, for messages.
    fn path(&self) -> PathBuf;

    /// Takes the exclusive lock that the file `name` stands for, creating it if needed, and writes the process
    /// number into it. Fails at once with `WouldBlock` ([`Cause::Locked`]), naming the holder, when another
    /// process or another handle of this one holds it. The kernel releases it however the holder ends.
    fn lock(&self, name: &str) -> io::Result<DirLock>;
}

/// What forcing a file to the device does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncMode {
    /// `fdatasync`: the data, and what is needed to read it back.
    #[default]
    Data,
    /// `fsync`: everything known about the file too.
    Full,
    /// Nothing: whoever cuts the power loses data and perhaps the whole database. A killed process loses nothing.
    None,
}

/// How to open a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenMode {
    /// What to do about a missing file.
    pub create: Create,
    /// Whether the file will be written.
    pub write: bool,
    /// Go round the page cache (`O_DIRECT`). Offsets, lengths and buffer addresses must then be aligned to the
    /// device's logical block. `InvalidInput` where the file system refuses it.
    pub direct: bool,
}

/// What opening does about a missing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Create {
    /// A missing file is an error (`NotFound`).
    Never,
    /// A missing file is created empty.
    IfMissing,
    /// The file is created; an existing one is an error (`AlreadyExists`).
    New,
}

impl OpenMode {
    /// An existing file, to read.
    pub const READ: OpenMode = OpenMode { create: Create::Never, write: false, direct: false };
    /// An existing file, to read and write.
    pub const WRITE: OpenMode = OpenMode { create: Create::Never, write: true, direct: false };
    /// A file to read and write, created if missing.
    pub const CREATE: OpenMode = OpenMode { create: Create::IfMissing, write: true, direct: false };
    /// A file to read and write that must not exist yet.
    pub const NEW: OpenMode = OpenMode { create: Create::New, write: true, direct: false };

    /// The same, going round the page cache or not.
    #[must_use]
    pub const fn direct(self, direct: bool) -> OpenMode {
        OpenMode { direct, ..self }
    }
}

/// An exclusive lock on a directory, held until dropped.
pub struct DirLock {
    _held: Box<dyn Held>,
}

/// Anything whose drop releases a lock.
trait Held: Send + Sync {}

impl<T: Send + Sync> Held for T {}

impl DirLock {
    /// Wraps whatever holds the lock: dropping it must release.
    pub fn new<T: Send + Sync + 'static>(held: T) -> DirLock {
        DirLock { _held: Box::new(held) }
    }
}

impl std::fmt::Debug for DirLock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DirLock")
    }
}

/// Refuses names that would leave the directory.
pub(crate) fn check_name(name: &str) -> io::Result<()> {
    if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\0']) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("not a file name: {name:?}")));
    }
    Ok(())
}
