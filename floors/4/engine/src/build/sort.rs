//! Entries of an index in order: sorted in memory, in runs in a temporary file where they are too many for it.
//!
//! A run in the file is one record after another:
//!
//! ```text
//! offset  size
//!      0     2  length of the key, little-endian
//!      2     2  length of what stands beside the key; the highest bit: one of the index's own parts is NULL
//!      4        the key, then what stands beside it
//! ```

use crate::catalog::SecondaryEntry;
use crate::catalog::secondary::{PAYLOAD_MAX, own_len};
use crate::error::{EngineError, Result};
use crate::scratch::{Scratch, TemporaryFile};
use std::cmp::Ordering;
use std::ops::Range;

/// Bytes before the key of a record.
const HEAD: usize = 4;
/// In a record's second field: one of the own parts is NULL. Payloads are far shorter.
const NULL: u16 = 1 << 15;
const _: () = assert!(PAYLOAD_MAX < NULL as usize && tree::KEY_MAX <= u16::MAX as usize);
/// The longest record.
const RECORD_MAX: usize = HEAD + tree::KEY_MAX + PAYLOAD_MAX;
/// Bytes written to the file at once.
const WRITE_BYTES: usize = 1 << 20;
/// Bytes of a run read at once.
const READ_BYTES: usize = 128 << 10;

/// An entry as it is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    pub(super) key: &'a [u8],
    pub(super) payload: &'a [u8],
    pub(super) own: usize,
    pub(super) has_null: bool,
}

/// A key in the bytes of its run.
#[derive(Clone, Copy)]
struct Item {
    /// The first bytes of the key as a number: most comparisons end here.
    head: u64,
    at: u32,
    len: u16,
    /// As in a record's second field.
    beside: u16,
}

/// Entries held in memory.
#[derive(Default)]
pub(super) struct Run {
    bytes: Vec<u8>,
    items: Vec<Item>,
}

impl Run {
    fn add(&mut self, entry: &SecondaryEntry) {
        let key = entry.key.as_slice();
        let mut head = [0; 8];
        let taken = key.len().min(head.len());
        head[..taken].copy_from_slice(&key[..taken]);
        self.items.push(Item {
            head: u64::from_be_bytes(head),
            at: self.bytes.len() as u32,
            len: key.len() as u16,
            beside: entry.payload.len() as u16 | if entry.has_null { NULL } else { 0 },
        });
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(&entry.payload);
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.items.len() * size_of::<Item>()
    }

    fn key(&self, item: &Item) -> &[u8] {
        &self.bytes[item.at as usize..][..usize::from(item.len)]
    }

    /// The key and what stands beside it.
    fn both(&self, item: &Item) -> &[u8] {
        &self.bytes[item.at as usize..][..usize::from(item.len) + usize::from(item.beside & !NULL)]
    }

    fn sort(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        items.sort_unstable_by(|a, b| a.head.cmp(&b.head).then_with(|| self.key(a).cmp(self.key(b))));
        self.items = items;
    }
}

/// Takes entries in any order.
pub(super) struct Sorter<'s> {
    scratch: &'s Scratch,
    limit: usize,
    run: Run,
    file: Option<TemporaryFile>,
    runs: Vec<Range<u64>>,
}

fn failed(source: std::io::Error) -> EngineError {
    EngineError::Io { verb: "sort the entries of an index", source }
}

impl<'s> Sorter<'s> {
    /// Holds about `limit` bytes in memory.
    pub(super) fn new(scratch: &'s Scratch, limit: usize) -> Sorter<'s> {
        // Places in a run are 32 bits.
        let limit = limit.min(u32::MAX as usize / 2);
        Sorter { scratch, limit, run: Run::default(), file: None, runs: Vec::new() }
    }

    pub(super) fn add(&mut self, entry: &SecondaryEntry) -> Result<()> {
        self.run.add(entry);
        if self.run.size() < self.limit { Ok(()) } else { self.spill() }
    }

    fn sort(&mut self) {
        let mut run = std::mem::take(&mut self.run);
        self.run = runtime::offload(move || {
            run.sort();
            run
        });
    }

    /// Writes the run behind those in the file.
    fn spill(&mut self) -> Result<()> {
        self.sort();
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.scratch.file().map_err(failed)?,
        };
        let run = &self.run;
        let begin = file.len();
        let written = runtime::offload(|| {
            let mut out = Vec::with_capacity(WRITE_BYTES + RECORD_MAX);
            for item in &run.items {
                out.extend_from_slice(&item.len.to_le_bytes());
                out.extend_from_slice(&item.beside.to_le_bytes());
                out.extend_from_slice(run.both(item));
                if out.len() >= WRITE_BYTES {
                    file.append(&out)?;
                    out.clear();
                }
            }
            file.append(&out)
        });
        written.map_err(failed)?;
        self.runs.push(begin..file.len());
        self.file = Some(file);
        self.run.bytes.clear();
        self.run.items.clear();
        Ok(())
    }

    /// All entries in order.
    pub(super) fn finish(mut self) -> Result<Sorted> {
        if self.file.is_some() && !self.run.items.is_empty() {
            self.spill()?;
        }
        let Some(file) = self.file.take() else {
            self.sort();
            return Ok(Sorted::InMemory { run: self.run, next: 0 });
        };
        drop(self.run);
        let mut merge = Merge { file, heap: Vec::new(), started: false };
        for range in self.runs {
            let mut reader = RunReader::over(range);
            if reader.advance(&merge.file)? {
                merge.heap.push(reader);
            }
        }
        for at in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(at);
        }
        Ok(Sorted::Merged(merge))
    }
}

/// Sorted entries, given one after another.
pub(super) enum Sorted {
    InMemory { run: Run, next: usize },
    Merged(Merge),
}

impl Sorted {
    /// The next entry; `None` behind the last.
    pub(super) fn next(&mut self) -> Result<Option<Entry<'_>>> {
        match self {
            Sorted::InMemory { run, next } => {
                let Some(item) = run.items.get(*next) else { return Ok(None) };
                *next += 1;
                Ok(Some(entry(run.both(item), item.len, item.beside)))
            }
            Sorted::Merged(merge) => merge.next(),
        }
    }
}

fn entry(both: &[u8], len: u16, beside: u16) -> Entry<'_> {
    let (key, payload) = both.split_at(usize::from(len));
    Entry { key, payload, own: own_len(payload), has_null: beside & NULL != 0 }
}

/// Runs merged; the one with the smallest key is the heap's first.
pub(super) struct Merge {
    file: TemporaryFile,
    heap: Vec<RunReader>,
    started: bool,
}

impl Merge {
    fn next(&mut self) -> Result<Option<Entry<'_>>> {
        if std::mem::replace(&mut self.started, true) {
            let Some(first) = self.heap.first_mut() else { return Ok(None) };
            if !first.advance(&self.file)? {
                self.heap.swap_remove(0);
            }
            self.sift_down(0);
        }
        Ok(self.heap.first().map(RunReader::entry))
    }

    fn sift_down(&mut self, mut at: usize) {
        loop {
            let mut least = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.heap.len()
                    && self.heap[child].key().cmp(self.heap[least].key()) == Ordering::Less
                {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }
}

/// One run of the file.
struct RunReader {
    /// What is not yet in the buffer.
    rest: Range<u64>,
    buffer: Vec<u8>,
    /// Where the next record starts in the buffer.
    next: usize,
    /// The key and what stands beside it.
    both: Range<usize>,
    len: u16,
    beside: u16,
}

impl RunReader {
    fn over(rest: Range<u64>) -> RunReader {
        RunReader { rest, buffer: Vec::new(), next: 0, both: 0..0, len: 0, beside: 0 }
    }

    fn key(&self) -> &[u8] {
        &self.buffer[self.both.start..][..usize::from(self.len)]
    }

    fn entry(&self) -> Entry<'_> {
        entry(&self.buffer[self.both.clone()], self.len, self.beside)
    }

    /// Moves to the next record; false behind the last.
    fn advance(&mut self, file: &TemporaryFile) -> Result<bool> {
        if self.buffer.len() - self.next < RECORD_MAX && !self.rest.is_empty() {
            self.read(file)?;
        }
        let Some((head, rest)) = self.buffer[self.next..].split_first_chunk::<HEAD>() else {
            return Ok(false);
        };
        let field = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let (len, beside) = (field(0), field(2));
        let both = usize::from(len) + usize::from(beside & !NULL);
        if both > rest.len() || own_len(&rest[usize::from(len)..both]) > usize::from(len) {
            return Err(EngineError::Corrupt {
                verb: "sort the entries of an index",
                place: "a record of a temporary file".to_owned(),
            });
        }
        let at = self.next + HEAD;
        (self.both, self.len, self.beside, self.next) = (at..at + both, len, beside, at + both);
        Ok(true)
    }

    fn read(&mut self, file: &TemporaryFile) -> Result<()> {
        self.buffer.drain(..self.next);
        self.next = 0;
        let kept = self.buffer.len();
        let wanted = (READ_BYTES as u64).min(self.rest.end - self.rest.start) as usize;
        self.buffer.resize(kept + wanted, 0);
        let (buffer, at) = (&mut self.buffer[kept..], self.rest.start);
        let read = runtime::offload(|| file.read_at(buffer, at)).map_err(failed)?;
        if read < wanted {
            return Err(failed(std::io::ErrorKind::UnexpectedEof.into()));
        }
        self.rest.start += wanted as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mvcc::slots::KeyBytes;
    use platform::sim::{Disk, Rng};

    #[test]
    fn entries_come_in_order_whether_they_fit_or_not() {
        let disk = Disk::new(1);
        let scratch = Scratch::over(disk.dir());
        let mut rng = Rng::new(7);
        for (limit, count) in [(usize::MAX, 300), (1, 40), (700, 500), (300 << 10, 20_000), (64, 0)] {
            let mut sorter = Sorter::new(&scratch, limit);
            let mut model = Vec::new();
            for number in 0..count {
                // Long ones cross the ends of what is read at once.
                let len = if rng.below(50) == 0 { rng.below(3_000) } else { rng.below(12) } as usize;
                let mut key: Vec<u8> = (0..len).map(|_| rng.below(3) as u8).collect();
                key.extend_from_slice(&u32::to_be_bytes(number));
                let mut payload = KeyBytes::from_slice(&(len as u16).to_le_bytes());
                payload.resize(2 + rng.below(90) as usize, number as u8);
                let entry = SecondaryEntry {
                    place: 1,
                    key: KeyBytes::from_slice(&key),
                    has_null: rng.below(2) == 0,
                    payload,
                };
                sorter.add(&entry).unwrap();
                model.push((key, len, entry.has_null, entry.payload));
            }
            model.sort();
            let mut sorted = sorter.finish().unwrap();
            for (key, own, has_null, payload) in &model {
                let entry = sorted.next().unwrap().expect("find an entry");
                assert_eq!((entry.key, entry.own, entry.has_null), (&key[..], *own, *has_null));
                assert_eq!(entry.payload, &payload[..]);
            }
            assert_eq!(sorted.next().unwrap(), None);
        }
    }
}
