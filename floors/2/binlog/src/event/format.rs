//! FORMAT_DESCRIPTION (15): the first event of every file.
//!
//! ```text
//!  0        2               52        56             57                57+N
//! +--------+---------------+---------+--------------+-----------------+--------------------+
//! | 4      | server version| created | header = 19  | post-headers    | checksum algorithm |
//! +--------+---------------+---------+--------------+-----------------+--------------------+
//! ```
//!
//! N = 171 post-header lengths in MariaDB 10.11, one for each type from 1.

use super::cursor::Cursor;
use crate::error::DecodeError;

/// Bytes of the version string in the event.
pub(crate) const VERSION_BYTES: usize = 50;
/// Types that MariaDB 10.11 lists.
const LISTED_TYPES: usize = 171;

/// Non-zero post-header lengths of MariaDB 10.11, by type.
const POST_HEADERS: [(u8, u8); 33] = [
    (1, 56),
    (2, 13),
    (4, 8),
    (6, 18),
    (8, 4),
    (9, 4),
    (10, 4),
    (11, 4),
    (12, 18),
    (15, 228),
    (17, 4),
    (18, 26),
    (19, 8),
    (23, 8),
    (24, 8),
    (25, 8),
    (26, 2),
    (30, 10),
    (31, 10),
    (32, 10),
    (39, 10),
    (40, 10),
    (41, 10),
    (161, 4),
    (162, 19),
    (163, 4),
    (165, 13),
    (166, 8),
    (167, 8),
    (168, 8),
    (169, 10),
    (170, 10),
    (171, 10),
];

/// What a file says about checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksums {
    /// Algorithm 0: events end with their bodies.
    Off,
    /// Algorithm 1: CRC-32 behind each event.
    Crc32,
    /// Any other number, or none at all.
    Unknown,
}

/// A decoded FORMAT_DESCRIPTION.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatDescription<'a> {
    /// The server's version without its padding.
    pub server_version: &'a [u8],
    /// When the server started, in the first file after a start; else 0.
    pub created: u32,
    /// What follows events.
    pub checksums: Checksums,
}

impl<'a> FormatDescription<'a> {
    /// Decodes the body.
    pub fn decode(body: &'a [u8]) -> Result<FormatDescription<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        if cursor.u16("binlog version")? != 4 {
            return Err(DecodeError { what: "binlog version 4", at: 0 });
        }
        let version = cursor.take(VERSION_BYTES, "server version")?;
        let server_version = version.split(|byte| *byte == 0).next().unwrap_or(version);
        let created = cursor.u32("creation time")?;
        if cursor.u8("header length")? != 19 {
            return Err(DecodeError { what: "header length 19", at: 56 });
        }
        let checksums = match cursor.rest().split_last() {
            Some((0, _)) => Checksums::Off,
            Some((1, _)) => Checksums::Crc32,
            _ => Checksums::Unknown,
        };
        Ok(FormatDescription { server_version, created, checksums })
    }

    /// Appends the body of MariaDB 10.11, with CRC-32 after events. A version longer than 49 bytes is cut.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&4u16.to_le_bytes());
        let mut version = [0; VERSION_BYTES];
        let shown = self.server_version.len().min(VERSION_BYTES - 1);
        version[..shown].copy_from_slice(&self.server_version[..shown]);
        out.extend_from_slice(&version);
        out.extend_from_slice(&self.created.to_le_bytes());
        out.push(19);
        let mut lengths = [0; LISTED_TYPES];
        for (kind, length) in POST_HEADERS {
            lengths[usize::from(kind) - 1] = length;
        }
        out.extend_from_slice(&lengths);
        out.push(match self.checksums {
            Checksums::Off => 0,
            Checksums::Crc32 => 1,
            Checksums::Unknown => 255,
        });
    }
}
