//! What the bytes behind a break in the chain tell about its cause.
//!
//! A crash leaves each sector of the round in flight as it was (zeros, in reserved space), as written, or written up
//! to some byte; it may also put one of them where another belongs. It changes nothing before the round, writes
//! nothing behind it, and flips no single bits.

use crate::error::Problem;
use crate::event::{
    CRC_BYTES, HEADER_BYTES, Header, MARK_BYTES, Mark, Private, PrivateKind, check_event, event_checksum,
};
use crate::window::Window;
use platform::file::SECTOR;
use std::io;
use std::ops::Range;

const CHUNK: u64 = 256 << 10;
/// Larger events are not searched for a flipped bit.
const FLIP_SEARCH_BYTES: usize = 1 << 20;

/// The offset of the first byte in `range` that is not zero.
pub(crate) fn first_written(window: &mut Window, range: Range<u64>) -> io::Result<Option<u64>> {
    let mut at = range.start;
    while at < range.end {
        let bytes = window.get(at..(at + CHUNK).min(range.end))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        // Whole words first: most of what is looked at is reserved space that was never written.
        let (words, rest) = bytes.as_chunks::<64>();
        let zero_words = words.iter().take_while(|word| **word == [0; 64]).count();
        let tail = if zero_words == words.len() { rest } else { &bytes[zero_words * 64..] };
        let tail_at = bytes.len() - tail.len();
        let found = if zero_words == words.len() { rest } else { tail }.iter().position(|byte| *byte != 0);
        if let Some(position) = found {
            return Ok(Some(at + (tail_at + position) as u64));
        }
        at += bytes.len() as u64;
    }
    Ok(None)
}

/// Whether each sector of the round arrived: a lost or torn one ends with a zero.
pub(crate) fn all_arrived(window: &mut Window, round: Range<u64>) -> io::Result<bool> {
    let sector = SECTOR as u64;
    let mut at = round.start;
    while at < round.end {
        let end = ((at / sector + 1) * sector).min(round.end);
        let last = window.get(end - 1..end)?;
        if last.first().is_none_or(|byte| *byte == 0) {
            return Ok(false);
        }
        at = end;
    }
    Ok(true)
}

/// The offset of the first good mark of segment `file` behind `from`. Without `key` any key will do.
pub(crate) fn find_mark(
    window: &mut Window,
    from: u64,
    file: u32,
    key: Option<u64>,
) -> io::Result<Option<u64>> {
    let finder = memchr::memmem::Finder::new(b"PNSTM");
    let mark_bytes = MARK_BYTES as u64;
    let mut at = from;
    loop {
        let chunk = window.get(at..at + CHUNK)?;
        if (chunk.len() as u64) < mark_bytes {
            return Ok(None);
        }
        let length = chunk.len() as u64;
        let candidates: Vec<u64> = finder
            .find_iter(chunk)
            .filter(|position| *position >= HEADER_BYTES)
            .map(|position| at + (position - HEADER_BYTES) as u64)
            .collect();
        for start in candidates {
            let bytes = window.get(start..start + mark_bytes)?;
            if is_mark(bytes, start, file, key) {
                return Ok(Some(start));
            }
        }
        // The next chunk starts early enough to hold a mark that this one cut.
        at += if length < CHUNK { length } else { length - mark_bytes + 1 };
    }
}

fn is_mark(bytes: &[u8], start: u64, file: u32, key: Option<u64>) -> bool {
    if bytes.len() != MARK_BYTES || check_event(bytes, start).is_err() {
        return false;
    }
    let body = &bytes[HEADER_BYTES..MARK_BYTES - CRC_BYTES];
    let mark = Private::decode(body)
        .ok()
        .filter(|private| private.kind == PrivateKind::MARK)
        .and_then(|private| Mark::decode(private.payload).ok());
    mark.is_some_and(|mark| mark.file == file && key.is_none_or(|key| key == mark.key))
}

/// The offset of the byte in which exactly one flipped bit explains why the bytes at `offset` are no good event.
///
/// Not where a torn sector explains it as well: a byte whose only bit was lost with all behind it in its sector.
pub(crate) fn one_flip(window: &mut Window, offset: u64, problem: &Problem) -> io::Result<Option<u64>> {
    let Some(at) = find_flip(window, offset, problem)? else {
        return Ok(None);
    };
    let sector = SECTOR as u64;
    let rest = window.get(at..(at / sector + 1) * sector)?;
    let is_torn = rest.iter().all(|byte| *byte == 0);
    Ok((!is_torn).then_some(at))
}

fn find_flip(window: &mut Window, offset: u64, problem: &Problem) -> io::Result<Option<u64>> {
    let bytes = window.get(offset..offset + HEADER_BYTES as u64)?;
    let Some(header) = Header::decode(bytes) else {
        return Ok(None);
    };
    // A flip in the length: each of its 32 neighbours is tried.
    let available = window.limit().saturating_sub(offset);
    for bit in 0..32 {
        let other = Header { length: header.length ^ (1 << bit), ..header };
        if other.check_length(available).is_err()
            || other.length as usize > FLIP_SEARCH_BYTES
            || u64::from(other.end) != offset + u64::from(other.length)
        {
            continue;
        }
        let mut bytes = window.get(offset..offset + u64::from(other.length))?.to_vec();
        bytes[..HEADER_BYTES].copy_from_slice(&other.encode());
        if check_event(&bytes, offset).is_ok() {
            return Ok(Some(offset + LENGTH_AT + bit / 8));
        }
    }
    if !matches!(problem, Problem::Checksum { .. }) || header.length as usize > FLIP_SEARCH_BYTES {
        return Ok(None);
    }
    let bytes = window.get(offset..offset + u64::from(header.length))?;
    Ok(flipped_byte(bytes).map(|index| offset + index as u64))
}

/// Offset of the length in an event's header.
const LENGTH_AT: u64 = 9;

/// The index of the byte of which flipping one bit makes the event's checksum right.
fn flipped_byte(event: &[u8]) -> Option<usize> {
    let (covered, stored) = event.split_at(event.len().saturating_sub(CRC_BYTES));
    let stored = <[u8; CRC_BYTES]>::try_from(stored).ok()?;
    let difference = event_checksum(covered) ^ u32::from_le_bytes(stored);
    if difference.is_power_of_two() {
        return Some(covered.len() + difference.trailing_zeros() as usize / 8);
    }
    checksum::Crc32::flipped_bit(difference, covered.len() as u64).map(|(byte, _)| byte as usize)
}
