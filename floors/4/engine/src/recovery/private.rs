//! Payloads of our private events, and the bodies of rows events.
//!
//! ```text
//! 'R' rows      table id (8) | change (1: 0 write, 1 update, 2 delete) | bytes of row ids (4) | row ids | images
//! 'I' row ids   8 bytes (BE) for each row of the rows event that follows; updates have one for each pair
//! 'C' catalog   CatalogChange, JSON
//! ```
//!
//! Decoders are total.

use crate::ids::TableId;
use binlog::event::{PrivateKind, RowsChange};

/// Rows that replicas do not get.
pub(crate) const ROWS: PrivateKind = PrivateKind(b'R');
/// Row ids of the rows event that follows.
pub(crate) const ROW_IDS: PrivateKind = PrivateKind(b'I');
/// A change of the catalog.
pub(crate) const CATALOG: PrivateKind = PrivateKind(b'C');

/// Rows of one kind and table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PrivateRows<'a> {
    pub(crate) table: TableId,
    pub(crate) change: RowsChange,
    pub(crate) row_ids: &'a [u8],
    pub(crate) images: &'a [u8],
}

/// Appends the payload of rows.
pub(crate) fn put_rows(out: &mut Vec<u8>, table: TableId, change: RowsChange, row_ids: &[u8], images: &[u8]) {
    out.extend_from_slice(&table.0.to_le_bytes());
    out.push(match change {
        RowsChange::Write => 0,
        RowsChange::Update => 1,
        RowsChange::Delete => 2,
    });
    out.extend_from_slice(&(row_ids.len() as u32).to_le_bytes());
    out.extend_from_slice(row_ids);
    out.extend_from_slice(images);
}

/// Decodes the payload of rows.
pub(crate) fn get_rows(payload: &[u8]) -> Option<PrivateRows<'_>> {
    let (table, rest) = payload.split_first_chunk::<8>()?;
    let (change, rest) = rest.split_first()?;
    let (ids, rest) = rest.split_first_chunk::<4>()?;
    let change = match change {
        0 => RowsChange::Write,
        1 => RowsChange::Update,
        2 => RowsChange::Delete,
        _ => return None,
    };
    let (row_ids, images) = rest.split_at_checked(u32::from_le_bytes(*ids) as usize)?;
    Some(PrivateRows { table: TableId(u64::from_le_bytes(*table)), change, row_ids, images })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_short_ones_do_not() {
        let mut payload = Vec::new();
        put_rows(&mut payload, TableId(7), RowsChange::Update, &[1; 8], b"images");
        let rows = get_rows(&payload).unwrap();
        assert_eq!((rows.table, rows.change), (TableId(7), RowsChange::Update));
        assert_eq!((rows.row_ids, rows.images), (&[1; 8][..], &b"images"[..]));
        for len in 0..21 {
            assert_eq!(get_rows(&payload[..len]), None);
        }
    }
}
