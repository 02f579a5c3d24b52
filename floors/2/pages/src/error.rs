//! Everything that can go wrong with pages.

use crate::page::PageNo;
use std::fmt;
use std::io;

/// Shorthand for this room's results.
pub type Result<T, E = PageError> = std::result::Result<T, E>;

/// What was wrong with bytes that came from the page file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The bytes do not match the checksum they carry.
    Checksum {
        /// What the map says the checksum is.
        expected: u32,
        /// The checksum stored in the bytes.
        stored: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// Sound bytes of another page.
    Page {
        /// The page asked for.
        expected: u32,
        /// The page found.
        found: u32,
    },
    /// Sound bytes of the page under another tree.
    Tree {
        /// The owner by the map.
        expected: u32,
        /// The owner by the page.
        found: u32,
    },
    /// Sound bytes that were written for another place of the file.
    Slot {
        /// Where they were read.
        expected: u32,
        /// Where they should have gone.
        found: u32,
    },
    /// A layout that this version does not know.
    Version {
        /// The layout known.
        expected: u8,
        /// The layout found.
        found: u8,
    },
    /// Sound bytes of an older or newer writing of the page (low 32 bits of the generations).
    Generation {
        /// The writing that the map names.
        expected: u32,
        /// The writing found.
        found: u32,
    },
    /// Sound bytes of another writing of the page in the same generation.
    Stale {
        /// The checksum that the map names.
        expected: u32,
        /// The checksum found.
        found: u32,
    },
    /// The file ends before the page does.
    Short {
        /// The bytes that were there.
        bytes: usize,
    },
    /// A field holds what no writer writes.
    Field {
        /// Which.
        name: &'static str,
        /// Its value.
        found: u64,
    },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Wrong::Checksum { expected, stored, found } => write!(
                f,
                "checksum expected {expected:08x}, found {found:08x} (the page itself carries {stored:08x})"
            ),
            Wrong::Page { expected, found } => write!(f, "page number expected {expected}, found {found}"),
            Wrong::Tree { expected, found } => write!(f, "tree number expected {expected}, found {found}"),
            Wrong::Slot { expected, found } => write!(f, "slot expected {expected}, found {found}"),
            Wrong::Version { expected, found } => {
                write!(f, "layout version expected {expected}, found {found}")
            }
            Wrong::Generation { expected, found } => {
                write!(f, "generation expected {expected}, found {found}")
            }
            Wrong::Stale { expected, found } => {
                write!(f, "stale: checksum expected {expected:08x}, found {found:08x}, both sound")
            }
            Wrong::Short { bytes } => write!(f, "the file ends after {bytes} bytes of it"),
            Wrong::Field { name, found } => write!(f, "field {name} holds {found}"),
        }
    }
}

/// Damage found in the page file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file's name.
    pub file: String,
    /// Where the bytes start in the file.
    pub offset: u64,
    /// What lies there: `page`, `map chunk`, `map root` or `superblock`.
    pub what: &'static str,
    /// The page's number (or the chunk's, the root's, the superblock copy's).
    pub number: u32,
    /// What was wrong.
    pub wrong: Wrong,
    /// Whether a second copy made it good.
    pub healed: bool,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { file, offset, what, number, wrong, healed } = self;
        write!(f, "{file} at byte {offset}: {what} {number}: {wrong}")?;
        if *healed { write!(f, "; healed from its second copy") } else { Ok(()) }
    }
}

/// Errors of the page store.
#[derive(Debug)]
pub enum PageError {
    /// Bytes in the page file are not what was written there. Other pages are not affected.
    Damaged(Box<Damage>),
    /// The page does not exist (never allocated, or freed).
    NotAllocated(PageNo),
    /// The operating system refused an operation on the page file.
    Io {
        /// What was being done, as a verb phrase.
        verb: &'static str,
        /// The file's name.
        file: String,
        /// Where in the file.
        offset: u64,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file system has no room to grow the page file; nothing was lost and the operation may be tried again.
    NoSpace {
        /// The file's name.
        file: String,
        /// Its size in bytes, which could not grow.
        bytes: u64,
    },
    /// All page numbers (or all slots) that the options allow are in use.
    TooManyPages,
    /// The buffer pool has no frame to give: it is too small for the threads working at once.
    PoolExhausted,
    /// The checkpoint's `meta` does not fit the superblock.
    MetaTooLong {
        /// Its length.
        bytes: usize,
        /// The most that fits.
        max: usize,
    },
    /// The page file cannot be opened.
    Unusable {
        /// The file's name.
        file: String,
        /// Why.
        reason: String,
    },
    /// An earlier write or force failed: what the file holds is unknown. Nothing is loaded, allocated or written any
    /// more; the process should end without a further answer.
    Poisoned(String),
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::Damaged(damage) => write!(f, "damaged: {damage}"),
            PageError::NotAllocated(page) => write!(f, "page {page} is not allocated"),
            PageError::Io { verb, file, offset, source } => {
                write!(f, "{verb}: {file} at byte {offset}: {source}")
            }
            PageError::NoSpace { file, bytes } => {
                write!(f, "grow {file} beyond {bytes} bytes: no space left on the device")
            }
            PageError::TooManyPages => write!(f, "allocate page: all page numbers are in use"),
            PageError::PoolExhausted => write!(f, "find a free frame: the buffer pool is too small"),
            PageError::MetaTooLong { bytes, max } => {
                write!(f, "write superblock: {bytes} bytes of checkpoint data, at most {max} fit")
            }
            PageError::Unusable { file, reason } => write!(f, "open {file}: {reason}"),
            PageError::Poisoned(reason) => write!(f, "stopped after a failed write: {reason}"),
        }
    }
}

impl std::error::Error for PageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PageError::Io { source, .. } => Some(source),
            PageError::Damaged(_)
            | PageError::NotAllocated(_)
            | PageError::NoSpace { .. }
            | PageError::TooManyPages
            | PageError::PoolExhausted
            | PageError::MetaTooLong { .. }
            | PageError::Unusable { .. }
            | PageError::Poisoned(_) => None,
        }
    }
}
