//! Reading a file forwards through a buffer that keeps what is still needed.

use platform::file::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Read at once.
const CHUNK: usize = 256 << 10;

/// A part of a file in memory.
pub(crate) struct Window {
    file: Arc<dyn File>,
    /// Nothing is read at or beyond this.
    limit: u64,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    pub fn new(file: Arc<dyn File>, limit: u64) -> Window {
        Window { file, limit, start: 0, bytes: Vec::new() }
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    pub fn file(&self) -> &Arc<dyn File> {
        &self.file
    }

    fn covers(&self, range: &Range<u64>) -> bool {
        range.start >= self.start && range.end <= self.start + self.bytes.len() as u64
    }

    /// The bytes of `range`, fewer where the limit or the file's end comes first.
    pub fn get(&mut self, range: Range<u64>) -> io::Result<&[u8]> {
        let range = range.start.min(self.limit)..range.end.min(self.limit);
        if !self.covers(&range) {
            self.load(&range)?;
        }
        let from = (range.start.saturating_sub(self.start) as usize).min(self.bytes.len());
        let to = (range.end.saturating_sub(self.start) as usize).min(self.bytes.len());
        Ok(&self.bytes[from..to])
    }

    fn load(&mut self, range: &Range<u64>) -> io::Result<()> {
        // The length asked for was checked against the file's before, so this grows to what is there at most.
        let wanted = ((range.end - range.start) as usize).max(CHUNK);
        let length = wanted.min((self.limit - range.start) as usize);
        // What is in memory already at the front of the range need not be read again.
        let mut have = 0;
        let end = self.start + self.bytes.len() as u64;
        if range.start >= self.start && range.start < end {
            let from = (range.start - self.start) as usize;
            self.bytes.copy_within(from.., 0);
            have = self.bytes.len() - from;
        }
        self.start = range.start;
        self.bytes.resize(length.max(have), 0);
        let mut filled = have;
        while filled < length {
            let read =
                runtime::io::read_at(&*self.file, &mut self.bytes[filled..], self.start + filled as u64)?;
            if read == 0 {
                break;
            }
            filled += read;
        }
        self.bytes.truncate(filled);
        Ok(())
    }
}
