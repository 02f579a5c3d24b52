//! Temporary files in the data directory: what a query cannot hold in memory.
//!
//! A file loses its name as soon as it is open, so that nothing is left of it however its user ends; where the name
//! survives a crash in between, the next start removes it. Nothing is ever forced: the files mean nothing afterwards.

use platform::file::{Dir, File, OpenMode};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What names of temporary files begin with.
const PREFIX: &str = "penstock.tmp.";

/// Gives out temporary files.
pub(crate) struct Scratch {
    dir: Arc<dyn Dir>,
    next: AtomicU64,
}

/// A file that is gone when it is dropped, written from its start to its end.
pub struct TemporaryFile {
    file: Arc<dyn File>,
    len: u64,
}

impl Scratch {
    /// Over a directory, from which what a crash left is removed: where that fails it only takes room.
    pub(crate) fn over(dir: Arc<dyn Dir>) -> Scratch {
        for name in dir.list().unwrap_or_default().iter().filter(|name| name.starts_with(PREFIX)) {
            let _ = dir.remove(name);
        }
        Scratch { dir, next: AtomicU64::new(0) }
    }

    pub(crate) fn file(&self) -> io::Result<TemporaryFile> {
        let name = format!("{PREFIX}{}", self.next.fetch_add(1, Ordering::Relaxed));
        let file = self.dir.open(&name, OpenMode::NEW)?;
        self.dir.remove(&name)?;
        Ok(TemporaryFile { file, len: 0 })
    }
}

impl TemporaryFile {
    /// Appends bytes; `StorageFull` when there is no room.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, self.len)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Reads from `offset` until `buffer` is full or the file ends; returns the bytes read.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset)
    }

    /// Bytes written.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
