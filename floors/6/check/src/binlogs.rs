//! Binary and relay logs of MySQL 5.1 to 9, MariaDB and Penstock: events one behind the other, each with its length
//! and the place where it ends, and since 2012 with a CRC-32.
//!
//! A log that is open for writing says so in its first event. What follows its last whole event is then no damage:
//! an event on its way, what a crash left of one, or space reserved ahead.

use crate::Progress;
use crate::finding::{Finding, Kind};
use crate::report::{FileReport, Format};
use crate::scan::{Job, Scratch};
use ::binlog::event::{CRC_BYTES, EventKind, HEADER_BYTES, Header, MAX_EVENT_BYTES};
use ::binlog::{FIRST_EVENT, MAGIC};
use checksum::Crc32;
use parking_lot::Mutex;
use platform::file::{Advice, File, SECTOR};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

mod stream;
#[cfg(test)]
mod tests;

use stream::Stream;

/// Bytes of a FORMAT_DESCRIPTION before the version's text, and the text's.
const VERSION_AT: usize = HEADER_BYTES + 2;
const VERSION_BYTES: usize = 50;
/// Flags of an event: made up for a replica; written into a relay log.
const ARTIFICIAL: u16 = 0x20;
const RELAY_LOG: u16 = 0x40;
/// Damaged events of a file that are told one by one.
const FINDINGS_MAX: usize = 10_000;
/// Damaged events of a log in use that are waited for, each in turn.
const FINDINGS_DOUBTED: usize = 20;
/// Events longer than this are not searched for a flipped bit.
const FLIP_SEARCH_BYTES: u64 = 4 << 20;
/// Bytes announced to the kernel ahead of those read.
const AHEAD_BYTES: u64 = 16 << 20;
/// How long to wait before what looks wrong in a log that is being written is read again.
const PATIENCE: [Duration; 4] = [
    Duration::from_millis(1),
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(300),
];

/// What a log's first event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    version: String,
    checksums: bool,
    in_use: bool,
    is_relay_log: bool,
    /// Why nothing behind it can be read.
    sealed: Option<&'static str>,
}

/// Whether a file that begins so is a binary log.
pub(crate) fn recognise(head: &[u8]) -> Option<Dialect> {
    if head.starts_with(&[0xFD, b'b', b'i', b'n']) {
        let sealed = Some("the whole log is encrypted (MySQL): nothing of it is verified");
        let version = "MySQL".to_owned();
        return Some(Dialect { version, checksums: false, in_use: false, is_relay_log: false, sealed });
    }
    let event = head.strip_prefix(&MAGIC)?;
    let mut dialect =
        Dialect { version: String::new(), checksums: true, in_use: true, is_relay_log: false, sealed: None };
    dialect.describe(event);
    Some(dialect)
}

impl Dialect {
    /// Learns from a FORMAT_DESCRIPTION; anything else is left for the walk to complain about.
    fn describe(&mut self, event: &[u8]) {
        let Some(header) = Header::decode(event) else { return };
        let Some(event) = event.get(..header.length as usize) else { return };
        if header.kind != EventKind::FORMAT_DESCRIPTION
            || event.len() < VERSION_AT + VERSION_BYTES + CRC_BYTES + 1
        {
            return;
        }
        let text = &event[VERSION_AT..VERSION_AT + VERSION_BYTES];
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        self.version = String::from_utf8_lossy(text).into_owned();
        self.checksums = has_algorithm(&self.version) && event[event.len() - CRC_BYTES - 1] == 1;
        self.in_use = header.flags & 1 != 0;
        self.is_relay_log |= header.flags & RELAY_LOG != 0;
    }

    /// Bytes of an event's sum.
    fn crc_bytes(&self, header: &Header) -> usize {
        let has_crc =
            self.checksums || header.kind == EventKind::FORMAT_DESCRIPTION && has_algorithm(&self.version);
        if has_crc { CRC_BYTES } else { 0 }
    }
}

/// Whether this version's FORMAT_DESCRIPTION ends with an algorithm and a sum: MySQL from 5.6.1, MariaDB from 5.3.
fn has_algorithm(version: &str) -> bool {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0_u32);
    let found = (next(), next(), next());
    if version.contains("MariaDB") { found >= (5, 3, 0) } else { found >= (5, 6, 1) }
}

/// A log on its way through a thread.
pub(crate) struct BinlogJob {
    file: Arc<dyn File>,
    path: PathBuf,
    len: u64,
    dialect: Dialect,
    found: Mutex<Found>,
}

/// What the walk saw.
#[derive(Default)]
struct Found {
    events: u64,
    unsummed: u64,
    settled: u64,
    findings: Vec<Finding>,
    notes: Vec<String>,
    error: Option<String>,
}

/// Why an event is not good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// Zeros where it should begin.
    Zeros,
    /// The file ends inside of it.
    Cut,
    /// Its length is impossible, or reaches beyond the file's end.
    Length(u32),
    /// Its sum.
    Sum { expected: u32, found: u32 },
    /// The place where it says that it ends.
    End { expected: u64, found: u32 },
}

impl BinlogJob {
    pub fn new(file: Arc<dyn File>, path: PathBuf, len: u64, dialect: Dialect) -> BinlogJob {
        BinlogJob { file, path, len, dialect, found: Mutex::default() }
    }

    fn walk(&self, scratch: &mut Scratch, progress: &Progress, found: &mut Found) -> io::Result<()> {
        if let Some(why) = self.dialect.sealed {
            found.notes.push(why.to_owned());
            return Ok(());
        }
        let mut walk = Walk {
            stream: Stream::new(&*self.file, self.len, &mut scratch.buffer),
            dialect: self.dialect.clone(),
            at: u64::from(FIRST_EVENT),
            found,
        };
        let mut announced = 0;
        while walk.at < walk.stream.len() {
            if walk.at + AHEAD_BYTES / 2 > announced {
                self.file.advise(announced, AHEAD_BYTES, Advice::WillNeed);
                announced += AHEAD_BYTES;
            }
            let before = walk.at;
            if !walk.step()? {
                break;
            }
            progress.add(walk.at - before);
        }
        Ok(())
    }
}

impl Job for BinlogJob {
    fn pieces(&self) -> u64 {
        1
    }

    fn run(&self, _: u64, scratch: &mut Scratch, progress: &Progress) {
        let mut found = Found::default();
        if let Err(error) = self.walk(scratch, progress, &mut found) {
            found.error = Some(error.to_string());
        }
        *self.found.lock() = found;
    }

    fn conclude(&self) -> FileReport {
        let found = std::mem::take(&mut *self.found.lock());
        let sums = if self.dialect.checksums { "CRC-32" } else { "no checksums" };
        let open = if self.dialect.in_use { ", open for writing" } else { "" };
        FileReport {
            format: Format::Binlog(format!("{}, {sums}{open}", self.dialect.version)),
            units: found.events,
            opaque: found.unsummed,
            settled: found.settled,
            findings: found.findings,
            notes: found.notes,
            error: found.error,
            ..FileReport::of(self.path.clone(), self.len)
        }
    }
}

/// The walk from event to event.
struct Walk<'a> {
    stream: Stream<'a>,
    dialect: Dialect,
    at: u64,
    found: &'a mut Found,
}

impl Walk<'_> {
    /// Checks the event at hand and goes behind it; `false` at the end of what can be read.
    fn step(&mut self) -> io::Result<bool> {
        let mut judged = self.event()?;
        if judged.is_err() && self.dialect.in_use {
            judged = self.again(true)?;
        }
        match judged {
            Ok(header) => self.pass(&header),
            Err(trouble) => self.stumble(trouble),
        }
    }

    /// Looks at an event again and again, and at how long the file is now; zeros may be enough.
    fn again(&mut self, zeros_are_enough: bool) -> io::Result<Result<Header, Trouble>> {
        for pause in PATIENCE {
            std::thread::sleep(pause);
            self.stream.forget()?;
            let judged = self.event()?;
            if judged.is_ok() {
                self.found.settled += 1;
                return Ok(judged);
            }
            // Reserved space, or the log's end as it is.
            if zeros_are_enough && judged == Err(Trouble::Zeros) {
                return Ok(judged);
            }
        }
        self.event()
    }

    /// The event at hand, if it is good.
    fn event(&mut self) -> io::Result<Result<Header, Trouble>> {
        event_at(&mut self.stream, &self.dialect, self.at)
    }

    /// A good event.
    fn pass(&mut self, header: &Header) -> io::Result<bool> {
        self.found.events += 1;
        if self.dialect.crc_bytes(header) == 0 {
            self.found.unsummed += 1;
        }
        if header.kind == EventKind::FORMAT_DESCRIPTION && self.at != u64::from(FIRST_EVENT) {
            // In a relay log, the source's: what follows is summed in its way.
            let event = self.stream.get(self.at, header.length as usize)?.to_vec();
            self.dialect.describe(&event);
        }
        self.at += u64::from(header.length);
        if header.kind == EventKind::START_ENCRYPTION {
            let left = self.stream.len() - self.at;
            self.found
                .notes
                .push(format!("encrypted from byte {} on: {left} bytes are not verified", self.at));
            return Ok(false);
        }
        Ok(true)
    }

    /// A bad event: what is it, and where does the next good one begin?
    fn stumble(&mut self, trouble: Trouble) -> io::Result<bool> {
        let next = self.next_good(trouble)?;
        // What was still zeros may have been written while this looked further on.
        let has_more = next.is_some() || self.stream.first_written(self.at, self.stream.len())?.is_some();
        if self.dialect.in_use
            && has_more
            && self.found.findings.len() < FINDINGS_DOUBTED
            && let Ok(header) = self.again(false)?
        {
            return self.pass(&header);
        }
        let Some(next) = next else {
            self.tail(trouble)?;
            return Ok(false);
        };
        let (kind, text) = self.diagnose(trouble, next)?;
        self.report(trouble, next, kind, text);
        self.at = next;
        Ok(self.found.findings.len() < FINDINGS_MAX)
    }

    fn report(&mut self, trouble: Trouble, to: u64, kind: Kind, text: String) {
        let (expected, found) = match trouble {
            Trouble::Sum { expected, found } => (Some(expected), Some(found)),
            _ => (None, None),
        };
        let finding = Finding { page: None, from: self.at, to, kind, expected, found, text };
        self.found.findings.push(finding);
    }

    /// Nothing good follows.
    fn tail(&mut self, trouble: Trouble) -> io::Result<()> {
        let (at, len) = (self.at, self.stream.len());
        let is_blank = self.stream.first_written(at, len)?.is_none();
        let notes = &mut self.found.notes;
        if !self.dialect.in_use {
            let (kind, text) = match trouble {
                _ if is_blank => (Kind::Zeroed, "zeros to the end of a log that was closed".to_owned()),
                Trouble::Cut | Trouble::Length(_) => {
                    (Kind::Torn, "the log was closed, but it ends inside an event".to_owned())
                }
                _ => self.diagnose(trouble, len)?,
            };
            self.report(trouble, len, kind, text);
            return Ok(());
        }
        if is_blank {
            notes.push(format!("open for writing, {} bytes are reserved behind the last event", len - at));
            return Ok(());
        }
        // All bytes of the last event are there: a crash leaves whole sectors out.
        if let Trouble::Sum { .. } | Trouble::End { .. } = trouble
            && !self.has_zero_sector(at, len)?
        {
            let (kind, text) = self.diagnose(trouble, len)?;
            self.report(trouble, len, kind, text);
            return Ok(());
        }
        self.found.notes.push(format!(
            "a torn tail: the last {} bytes are no whole event. The log is open for writing, or its server crashed; \
             what a crash cut off was never acknowledged",
            len - at
        ));
        Ok(())
    }

    fn has_zero_sector(&mut self, from: u64, to: u64) -> io::Result<bool> {
        let sector = SECTOR as u64;
        let mut at = from.next_multiple_of(sector);
        while at < to {
            let end = (at + sector).min(to);
            if self.stream.first_written(at, end)?.is_none() {
                return Ok(true);
            }
            at = end;
        }
        Ok(false)
    }

    /// Where the next good event begins: behind this one if its length can be believed, else wherever one is found.
    fn next_good(&mut self, trouble: Trouble) -> io::Result<Option<u64>> {
        let len = self.stream.len();
        if let Trouble::Sum { .. } | Trouble::End { .. } = trouble
            && let Some(header) = Header::decode(self.stream.get(self.at, HEADER_BYTES)?)
        {
            let next = self.at + u64::from(header.length);
            if next < len && event_at(&mut self.stream, &self.dialect, next)?.is_ok() {
                return Ok(Some(next));
            }
        }
        // An event says twice where it ends; in relay logs the second is another file's.
        if self.dialect.is_relay_log {
            return Ok(None);
        }
        let mut at = self.at + 1;
        while let Some(candidate) = self.stream.next_header(at)? {
            if event_at(&mut self.stream, &self.dialect, candidate)?.is_ok() {
                return Ok(Some(candidate));
            }
            at = candidate + 1;
        }
        Ok(None)
    }

    fn diagnose(&mut self, trouble: Trouble, next: u64) -> io::Result<(Kind, String)> {
        let name = match Header::decode(self.stream.get(self.at, HEADER_BYTES)?) {
            Some(header) => header.kind.name(),
            None => "last",
        };
        Ok(match trouble {
            Trouble::Zeros => (Kind::Zeroed, "zeros where an event should begin".to_owned()),
            Trouble::Cut => (Kind::Torn, "the log ends inside an event".to_owned()),
            Trouble::Length(length) => {
                let flipped = self.flipped_length(next)?;
                let text = format!("an event of an impossible length, {length}");
                (if flipped { Kind::BitFlip } else { Kind::Content }, text)
            }
            Trouble::End { expected, found } => {
                let text = format!("an event that ends at {expected} says that it ends at {found}");
                (Kind::Misdirected, text)
            }
            Trouble::Sum { .. } => match self.flipped_bit()? {
                Some((byte, bit)) => (
                    Kind::BitFlip,
                    format!("with bit {bit} of byte {byte} flipped the {name} event is right"),
                ),
                None if self.flipped_length(next)? => {
                    (Kind::BitFlip, "with one bit of its length flipped the event is right".to_owned())
                }
                None if self.has_zero_sector(self.at, next)? => {
                    (Kind::Zeroed, format!("sectors of a {name} event are zero"))
                }
                None => (Kind::Content, format!("a {name} event of other bytes than were summed")),
            },
        })
    }

    /// Whether a length that reaches to `next` makes the event right and is one bit away.
    fn flipped_length(&mut self, next: u64) -> io::Result<bool> {
        let Some(header) = Header::decode(self.stream.get(self.at, HEADER_BYTES)?) else { return Ok(false) };
        let Ok(length) = u32::try_from(next - self.at) else { return Ok(false) };
        if (header.length ^ length).count_ones() != 1 || !self.dialect.checksums {
            return Ok(false);
        }
        let right = Header { length, ..header };
        let (sum, stored) = sums(&mut self.stream, self.at, &right, Some(&right.encode()))?;
        Ok(sum == stored)
    }

    /// The place in the file and the bit whose flip makes the event right.
    fn flipped_bit(&mut self) -> io::Result<Option<(u64, u8)>> {
        let Some(header) = Header::decode(self.stream.get(self.at, HEADER_BYTES)?) else { return Ok(None) };
        let covered = u64::from(header.length) - CRC_BYTES as u64;
        let (sum, stored) = sums(&mut self.stream, self.at, &header, None)?;
        let difference = sum ^ stored;
        if difference.is_power_of_two() {
            let bit = difference.trailing_zeros();
            return Ok(Some((self.at + covered + u64::from(bit / 8), (bit % 8) as u8)));
        }
        if covered > FLIP_SEARCH_BYTES {
            return Ok(None);
        }
        Ok(Crc32::flipped_bit(difference, covered).map(|(byte, bit)| (self.at + byte, bit)))
    }
}

/// Judges the event at `at`.
fn event_at(stream: &mut Stream<'_>, dialect: &Dialect, at: u64) -> io::Result<Result<Header, Trouble>> {
    let available = stream.len() - at;
    let bytes = stream.get(at, HEADER_BYTES)?;
    let Some(header) = Header::decode(bytes) else { return Ok(Err(Trouble::Cut)) };
    if bytes == [0; HEADER_BYTES] {
        return Ok(Err(Trouble::Zeros));
    }
    let crc_bytes = dialect.crc_bytes(&header);
    let length = u64::from(header.length);
    if (length as usize) < HEADER_BYTES + crc_bytes || header.length > MAX_EVENT_BYTES || length > available {
        return Ok(Err(Trouble::Length(header.length)));
    }
    let is_made_up = dialect.is_relay_log && header.flags & ARTIFICIAL != 0;
    if crc_bytes > 0 && !is_made_up {
        let (expected, found) = sums(stream, at, &header, None)?;
        if expected != found {
            return Ok(Err(Trouble::Sum { expected, found }));
        }
    }
    let end = at + length;
    // Beyond 4 GiB only the lower half is there.
    if !dialect.is_relay_log && header.end != end as u32 && header.flags & ARTIFICIAL == 0 {
        return Ok(Err(Trouble::End { expected: end, found: header.end }));
    }
    Ok(Ok(header))
}

/// The sum over an event, its header perhaps replaced, and the one stored behind it. The in-use flag counts as cleared.
fn sums(
    stream: &mut Stream<'_>,
    at: u64,
    header: &Header,
    replaced: Option<&[u8; HEADER_BYTES]>,
) -> io::Result<(u32, u32)> {
    let mut head = [0; HEADER_BYTES];
    match replaced {
        Some(replaced) => head = *replaced,
        None => head.copy_from_slice(stream.get(at, HEADER_BYTES)?),
    }
    if header.kind == EventKind::FORMAT_DESCRIPTION {
        head[17] &= !1;
    }
    let end = at + u64::from(header.length) - CRC_BYTES as u64;
    let mut sum = Crc32::new().update(&head);
    let mut from = at + HEADER_BYTES as u64;
    while from < end {
        let bytes = stream.get_some(from, end)?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        sum = sum.update(bytes);
        from += bytes.len() as u64;
    }
    let stored = stream.get(end, CRC_BYTES)?;
    let stored = stored.first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok((sum.value(), u32::from_le_bytes(*stored)))
}
