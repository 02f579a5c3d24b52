//! What a tree holds for a key: the newest committed version.
//!
//! ```text
//! offset  size
//!      0     8  commit number that wrote it, little-endian
//!      8     1  0 live, 1 tombstone (deleted by that commit; removed once no snapshot is older)
//!      9        primary tree: the row image; secondary tree: see `catalog::secondary`
//! ```

use crate::ids::CommitNo;
use tree::{Action, Head};

/// Bytes before the payload.
pub(crate) const HEADER: usize = 9;
const LIVE: u8 = 0;
const TOMBSTONE: u8 = 1;

/// A decoded version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    /// The commit that wrote it.
    pub(crate) commit: CommitNo,
    /// The payload; `None` for a tombstone.
    pub(crate) payload: Option<&'a [u8]>,
}

/// Splits a tree's value; `None` when it is no version at all.
#[inline]
pub(crate) fn decode(value: &[u8]) -> Option<Entry<'_>> {
    let (head, payload) = value.split_first_chunk::<HEADER>()?;
    let (number, flag) = head.split_first_chunk::<8>()?;
    let commit = CommitNo(u64::from_le_bytes(*number));
    match flag {
        [LIVE] => Some(Entry { commit, payload: Some(payload) }),
        [TOMBSTONE] => Some(Entry { commit, payload: None }),
        _ => None,
    }
}

/// What a tree is told to keep: a payload behind its header, or a tombstone.
#[inline]
pub(crate) fn put(commit: CommitNo, payload: Option<&[u8]>) -> Action<'_> {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&commit.0.to_le_bytes());
    header[8] = if payload.is_some() { LIVE } else { TOMBSTONE };
    Action::PutBehind(Head::new(&header), payload.unwrap_or(&[]))
}

/// Writes a live version into `out`, which is cleared.
pub(crate) fn encode_live(commit: CommitNo, payload: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.reserve(HEADER + payload.len());
    out.extend_from_slice(&commit.0.to_le_bytes());
    out.push(LIVE);
    out.extend_from_slice(payload);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_back_and_rubbish_does_not() {
        let mut value = Vec::new();
        encode_live(CommitNo(7), b"row", &mut value);
        assert_eq!(decode(&value), Some(Entry { commit: CommitNo(7), payload: Some(b"row") }));
        value[..8].copy_from_slice(&8_u64.to_le_bytes());
        value.truncate(HEADER);
        value[8] = TOMBSTONE;
        assert_eq!(put(CommitNo(8), None), Action::PutBehind(Head::new(&value), &[]));
        assert_eq!(decode(&value), Some(Entry { commit: CommitNo(8), payload: None }));
        assert_eq!(decode(&value[..8]), None);
        value[8] = 9;
        assert_eq!(decode(&value), None);
    }
}
