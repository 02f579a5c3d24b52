//! Where InnoDB's redo log ends: no page can have changed after that.
//!
//! ```text
//! MariaDB from 10.8: 0 "Phys" | 8 first LSN | 4096 and 8192: checkpoint LSN, end LSN, zeros, 60 CRC-32C; log from 12288
//! before, and MySQL: 0 format (not 0) | 512 and 1536: number, checkpoint LSN, 508 CRC-32C of the block
//! ```
//!
//! A mini-transaction of MariaDB's log is records, each with its length in the low four bits of its first byte (0: as
//! a number that follows, less 15), up to a byte of 0 or 1, and the CRC-32C of them.

use super::bytes::{be32, be64};
use checksum::crc32c;
use platform::file::{File, OpenMode, open_path};
use std::path::Path;

const MARIADB: u32 = u32::from_be_bytes(*b"Phys");
const LOG_AT: u64 = 12288;
/// The bytes of the mini-transaction that a shutdown writes at the last checkpoint.
const LAST_BYTES: u64 = 16;
/// Longest mini-transaction that is looked for.
const LOOK_BYTES: usize = 1 << 20;

/// What the log's files say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redo {
    /// All changes before this are in the tablespaces.
    pub checkpoint: u64,
    /// No change has this number or a higher one.
    pub limit: u64,
    /// The server was stopped properly: there is nothing behind the checkpoint.
    pub is_clean: bool,
}

/// Looks at the log in a data directory.
#[must_use]
pub fn read_redo(dir: &Path) -> Option<Redo> {
    let file = open_path(&dir.join("ib_logfile0"), OpenMode::READ).ok()?;
    let len = file.len().ok()?;
    let mut head = [0; LOG_AT as usize];
    file.read_exact_at(&mut head, 0).ok()?;
    if be32(&head, 0) == MARIADB { mariadb(&*file, &head, len) } else { older(dir, &head, len) }
}

fn mariadb(file: &dyn File, head: &[u8], len: u64) -> Option<Redo> {
    let first = be64(head, 8);
    let blocks = [4096, 8192].map(|at| &head[at..at + 64]);
    let sound = blocks.into_iter().filter(|block| crc32c(&block[..60]) == be32(block, 60));
    let (checkpoint, end) = sound.map(|block| (be64(block, 0), be64(block, 8))).max()?;
    let capacity = len.checked_sub(LOG_AT).filter(|capacity| *capacity > 0)?;
    let from = end.checked_sub(first)?;
    // Twice the capacity is more than a buffer: enough of the ring to hold one mini-transaction.
    let mut ring = vec![0; LOOK_BYTES.min(capacity as usize)];
    let at = from % capacity;
    let before_wrap = ring.len().min((capacity - at) as usize);
    let (front, back) = ring.split_at_mut(before_wrap);
    file.read_exact_at(front, LOG_AT + at).ok()?;
    file.read_exact_at(back, LOG_AT).ok()?;
    let is_clean = checkpoint == end
        && mini_transaction(&ring) == Some(LAST_BYTES as usize)
        && mini_transaction(&ring[LAST_BYTES as usize..]).is_none();
    let limit = if is_clean { end + LAST_BYTES } else { end + capacity };
    Some(Redo { checkpoint, limit, is_clean })
}

/// The length of the whole mini-transaction that begins here, if there is one.
fn mini_transaction(log: &[u8]) -> Option<usize> {
    let mut at = 0;
    while *log.get(at)? > 1 {
        let (mut length, mut head) = (usize::from(log[at] & 0xF), 1);
        if length == 0 {
            let (number, bytes) = varint(log.get(at + 1..)?)?;
            (length, head) = (number + 15 - bytes, 1 + bytes);
        }
        at += head + length;
    }
    let stored = log.get(at + 1..at + 5)?;
    (at > 0 && crc32c(&log[..at]) == be32(stored, 0)).then_some(at + 5)
}

/// A number of one to three bytes, as long as they occur in lengths, and how many.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let byte = |n: usize| bytes.get(n).copied().map(usize::from);
    let first = byte(0)?;
    match first {
        0..=0x7F => Some((first, 1)),
        0x80..=0xBF => Some((((first & 0x3F) << 8 | byte(1)?) + 0x80, 2)),
        0xC0..=0xDF => Some((((first & 0x1F) << 16 | byte(1)? << 8 | byte(2)?) + 0x4080, 3)),
        _ => None,
    }
}

/// The two formats before: only what every page must keep to is known.
fn older(dir: &Path, head: &[u8], len: u64) -> Option<Redo> {
    let blocks = [512, 1536].map(|at| &head[at..at + 512]);
    let sound = blocks.into_iter().filter(|block| crc32c(&block[..508]) == be32(block, 508));
    let checkpoint = sound.map(|block| be64(block, 8)).max().filter(|_| be32(head, 0) != 0)?;
    let others = (1..100).map_while(|n| {
        open_path(&dir.join(format!("ib_logfile{n}")), OpenMode::READ).and_then(|file| file.len()).ok()
    });
    let capacity = len + others.sum::<u64>();
    Some(Redo { checkpoint, limit: checkpoint.checked_add(capacity)?, is_clean: false })
}
