//! A file read from front to back through a fixed buffer, with looks ahead and a step back now and then.

use ::binlog::event::{HEADER_BYTES, Header};
use platform::file::File;
use std::io;

/// The stream. Offsets are the file's.
pub(super) struct Stream<'a> {
    file: &'a dyn File,
    buffer: &'a mut [u8],
    /// Where the buffer's bytes lie in the file, and how many there are.
    start: u64,
    filled: usize,
    len: u64,
}

impl<'a> Stream<'a> {
    /// Over the first `len` bytes of a file.
    pub fn new(file: &'a dyn File, len: u64, buffer: &'a mut [u8]) -> Stream<'a> {
        Stream { file, buffer, start: 0, filled: 0, len }
    }

    /// Where the file ends.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Forgets what was read, and asks anew how long the file is.
    pub fn forget(&mut self) -> io::Result<()> {
        self.filled = 0;
        self.len = self.file.len()?.max(self.len);
        Ok(())
    }

    /// `count` bytes at `at`, fewer at the file's end; `count` is small.
    pub fn get(&mut self, at: u64, count: usize) -> io::Result<&[u8]> {
        let count = count.min(self.buffer.len());
        self.fill(at, count)?;
        let from = (at - self.start) as usize;
        Ok(&self.buffer[from..(from + count).min(self.filled).max(from)])
    }

    /// Some of the bytes in `at..end`: at least one, unless the file ends.
    pub fn get_some(&mut self, at: u64, end: u64) -> io::Result<&[u8]> {
        self.fill(at, 1)?;
        let from = (at - self.start) as usize;
        let to = self.filled.min(from + (end - at).min(self.buffer.len() as u64) as usize);
        Ok(&self.buffer[from..to.max(from)])
    }

    /// Has at least `count` bytes from `at` in the buffer, or all up to the file's end.
    fn fill(&mut self, at: u64, count: usize) -> io::Result<()> {
        let have = self.start + self.filled as u64;
        let wanted = (at + count as u64).min(self.len);
        if at >= self.start && wanted <= have && at <= have {
            return Ok(());
        }
        self.start = at;
        self.filled = 0;
        let room = self.len.saturating_sub(at).min(self.buffer.len() as u64) as usize;
        self.filled = self.file.read_at(&mut self.buffer[..room], at)?;
        Ok(())
    }

    /// The first byte in `from..to` that is not zero.
    pub fn first_written(&mut self, from: u64, to: u64) -> io::Result<Option<u64>> {
        let mut at = from;
        while at < to {
            let bytes = self.get_some(at, to)?;
            if bytes.is_empty() {
                return Ok(None);
            }
            if let Some(position) = bytes.iter().position(|byte| *byte != 0) {
                return Ok(Some(at + position as u64));
            }
            at += bytes.len() as u64;
        }
        Ok(None)
    }

    /// The first place from `from` on that looks as if an event began there: it says twice where it ends.
    pub fn next_header(&mut self, from: u64) -> io::Result<Option<u64>> {
        let mut at = from;
        loop {
            let len = self.len;
            let bytes = self.get(at, usize::MAX)?;
            if bytes.len() < HEADER_BYTES {
                return Ok(None);
            }
            let found = bytes.windows(HEADER_BYTES).zip(at..).find(|(window, at)| {
                Header::decode(window).is_some_and(|header| {
                    let end = at + u64::from(header.length);
                    header.length as usize >= HEADER_BYTES && end <= len && header.end == end as u32
                })
            });
            if let Some((_, place)) = found {
                return Ok(Some(place));
            }
            at += (bytes.len() - HEADER_BYTES + 1) as u64;
        }
    }
}
