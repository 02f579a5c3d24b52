//! Entries of secondary indexes.
//!
//! The key is that of the index's own parts, then the clustered key. Beside it stands
//!
//! ```text
//! offset  size
//!      0     2  length of the own parts, little-endian
//!      2        columns that the key does not give back, one behind the other (`IndexKey::columns_beside`): u16
//!               length, little-endian, then the bytes as the row has them; length 0xFFFF: NULL
//! ```
//!
//! so that an entry may answer in the place of its row. Trees of indexes that older builds made have the first field
//! alone.

use super::table::Table;
use crate::error::{EngineError, Result};
use crate::mvcc::slots::KeyBytes;

/// Bytes of the first field.
const OWN: usize = 2;
/// The length that says NULL.
const NULL: u16 = u16::MAX;
/// The longest payload: what columns have at most that are kept beside a key, each with its length.
pub(crate) const PAYLOAD_MAX: usize = OWN + types::key::BESIDE_MAX + 2 * types::key::BESIDE_COLUMNS_MAX;

/// An entry of a secondary tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecondaryEntry {
    /// Place of the tree in the table.
    pub(crate) place: usize,
    /// The index's own parts, then the clustered key.
    pub(crate) key: KeyBytes,
    /// One of the own parts is NULL: never a duplicate.
    pub(crate) has_null: bool,
    /// What stands beside the key.
    pub(crate) payload: KeyBytes,
}

impl SecondaryEntry {
    /// The index's own parts.
    #[inline]
    pub(crate) fn own_part(&self) -> &[u8] {
        &self.key[..own_len(&self.payload)]
    }
}

impl Table {
    /// The entry of a row in a secondary tree.
    pub(crate) fn secondary_entry(
        &self,
        place: usize,
        row: &[u8],
        clustered: &[u8],
        scratch: &mut Vec<u8>,
    ) -> Result<SecondaryEntry> {
        scratch.clear();
        let tree = &self.trees()[place];
        let Some(key) = &tree.key else {
            return Err(EngineError::corrupt_table("read an index", self.db(), self.name(), self.id()));
        };
        let own = key.append_row(self.layout(), row, scratch)?;
        scratch.extend_from_slice(clustered);
        super::table::check_length(scratch)?;
        let key = KeyBytes::from_slice(scratch);
        // Keys are at most tree::KEY_MAX bytes.
        let mut payload = KeyBytes::from_slice(&(own.len as u16).to_le_bytes());
        for &column in &tree.beside {
            let bytes = self.layout().column_bytes(row, column)?;
            let len = bytes.map_or(NULL, |bytes| bytes.len() as u16);
            payload.extend_from_slice(&len.to_le_bytes());
            payload.extend_from_slice(bytes.unwrap_or_default());
        }
        Ok(SecondaryEntry { place, key, has_null: own.has_null, payload })
    }
}

/// The clustered key behind the index's own parts, whose length the payload tells.
#[inline]
pub(crate) fn clustered_part<'k>(key: &'k [u8], payload: &[u8]) -> Option<&'k [u8]> {
    key.get(own_field(payload)?..)
}

/// The length of the index's own parts in a secondary entry's key.
pub(crate) fn own_len(payload: &[u8]) -> usize {
    own_field(payload).unwrap_or(0)
}

#[inline]
fn own_field(payload: &[u8]) -> Option<usize> {
    payload.first_chunk::<OWN>().map(|bytes| usize::from(u16::from_le_bytes(*bytes)))
}

/// Calls `each` with the number and the bytes (none for NULL) of the first `columns` columns beside the key, by what
/// [`crate::Scan::beside`] gives. `None` where it does not have them.
pub fn read_beside(beside: &[u8], columns: usize, mut each: impl FnMut(usize, Option<&[u8]>)) -> Option<()> {
    let mut rest = beside;
    for number in 0..columns {
        let (len, behind) = rest.split_first_chunk::<2>()?;
        let len = Some(u16::from_le_bytes(*len)).filter(|len| *len != NULL);
        let (bytes, behind) = behind.split_at_checked(len.map_or(0, usize::from))?;
        each(number, len.map(|_| bytes));
        rest = behind;
    }
    Some(())
}

/// What a payload has behind its first field.
pub(crate) fn beside(payload: &[u8]) -> &[u8] {
    payload.get(OWN..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_beside_come_back_and_rubbish_does_not() {
        let payload = [7, 0, 2, 0, b'a', b'b', 0xFF, 0xFF, 0, 0];
        let read = |columns| {
            let mut found = Vec::new();
            let whole = read_beside(beside(&payload), columns, |at, bytes| {
                found.push((at, bytes.map(<[u8]>::to_vec)))
            });
            whole.map(|()| found)
        };
        assert_eq!(own_len(&payload), 7);
        assert_eq!(clustered_part(b"1234567key", &payload), Some(&b"key"[..]));
        let all = vec![(0, Some(b"ab".to_vec())), (1, None), (2, Some(Vec::new()))];
        assert_eq!(read(3), Some(all.clone()));
        assert_eq!(read(1), Some(all[..1].to_vec()));
        assert_eq!(read(4), None);
        assert_eq!(read_beside(&[5, 0, 1], 1, |_, _| panic!("it is cut")), None);
        assert_eq!((clustered_part(b"12", &payload), clustered_part(b"12", &[1])), (None, None));
    }
}
