//! Rows events: WRITE, UPDATE and DELETE, versions 1 (23-25, what we write) and 2 (30-32, read too).
//!
//! ```text
//!  0         6       8 (v1)
//! +---------+-------+--------------+-----------------+-----------------------------+--------------------+
//! |table id | flags | columns (le) | present columns | present after (UPDATE only) | images             |
//! +---------+-------+--------------+-----------------+-----------------------------+--------------------+
//!  v2 has 2 bytes more behind the flags: length of extra data, these two included, then that data
//! ```
//!
//! An image is a null bitmap over the present columns and the values that are not NULL. UPDATE alternates the
//! images before and after.

use super::EventKind;
use super::cursor::{Cursor, put_lenenc, put_u48};
use super::table_map::TableMap;
use super::values::image_length;
use crate::error::DecodeError;

/// Bits of [`Rows::flags`].
pub mod rows_flags {
    /// The statement's last rows event.
    pub const STATEMENT_END: u16 = 0x1;
    /// Foreign keys were not checked.
    pub const NO_FOREIGN_KEY_CHECKS: u16 = 0x2;
    /// Unique keys were checked leniently.
    pub const RELAXED_UNIQUE_CHECKS: u16 = 0x4;
    /// CHECK constraints were not checked (MariaDB).
    pub const NO_CHECK_CONSTRAINTS: u16 = 0x80;
}

/// What a rows event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsChange {
    /// Images of new rows.
    Write,
    /// Pairs of images before and after.
    Update,
    /// Images of rows that go.
    Delete,
}

impl RowsChange {
    /// The version 1 type number.
    #[must_use]
    pub const fn kind_v1(self) -> EventKind {
        match self {
            RowsChange::Write => EventKind::WRITE_ROWS_V1,
            RowsChange::Update => EventKind::UPDATE_ROWS_V1,
            RowsChange::Delete => EventKind::DELETE_ROWS_V1,
        }
    }

    /// What a type number of version 1 or 2 does, and whether it is of version 2.
    #[must_use]
    pub const fn of_kind(kind: EventKind) -> Option<(RowsChange, bool)> {
        match kind {
            EventKind::WRITE_ROWS_V1 => Some((RowsChange::Write, false)),
            EventKind::UPDATE_ROWS_V1 => Some((RowsChange::Update, false)),
            EventKind::DELETE_ROWS_V1 => Some((RowsChange::Delete, false)),
            EventKind::WRITE_ROWS_V2 => Some((RowsChange::Write, true)),
            EventKind::UPDATE_ROWS_V2 => Some((RowsChange::Update, true)),
            EventKind::DELETE_ROWS_V2 => Some((RowsChange::Delete, true)),
            _ => None,
        }
    }
}

/// A decoded rows event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows<'a> {
    /// What it does.
    pub change: RowsChange,
    /// The number of the TABLE_MAP before.
    pub table_id: u64,
    /// See [`rows_flags`].
    pub flags: u16,
    /// Columns of the table.
    pub columns: usize,
    /// A bit for each column in the first image of a change, least significant first.
    pub present: &'a [u8],
    /// The same for the image after an update; as `present` otherwise.
    pub present_after: &'a [u8],
    /// The images.
    pub images: &'a [u8],
}

impl<'a> Rows<'a> {
    /// Decodes the body of an event of type `kind`.
    pub fn decode(kind: EventKind, body: &'a [u8]) -> Result<Rows<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        let Some((change, version_2)) = RowsChange::of_kind(kind) else {
            return Err(cursor.error("type of a rows event"));
        };
        let table_id = cursor.u48("table id")?;
        let flags = cursor.u16("rows flags")?;
        if version_2 {
            let extra = cursor.u16("extra data length")?;
            let Some(extra) = extra.checked_sub(2) else {
                return Err(cursor.error("extra data length"));
            };
            cursor.take(usize::from(extra), "extra data")?;
        }
        let columns = cursor.lenenc("column count")?;
        let bitmap_bytes = columns.div_ceil(8);
        let present = cursor.take_long(bitmap_bytes, "present columns")?;
        let present_after = match change {
            RowsChange::Update => cursor.take_long(bitmap_bytes, "present columns after")?,
            _ => present,
        };
        // Fits: its eighth was just taken from memory.
        let columns = columns as usize;
        Ok(Rows { change, table_id, flags, columns, present, present_after, images: cursor.rest() })
    }

    /// Whether this is the statement's last rows event.
    #[must_use]
    pub fn ends_statement(&self) -> bool {
        self.flags & rows_flags::STATEMENT_END != 0
    }

    /// Splits the images by the columns of `map`, which must be the TABLE_MAP of [`Rows::table_id`].
    pub fn changes(&self, map: &TableMap<'a>) -> Result<RowChanges<'a>, DecodeError> {
        if map.types.len() != self.columns {
            return Err(DecodeError { what: "as many columns as the table map has", at: 8 });
        }
        Ok(RowChanges { rows: *self, map: *map, rest: self.images })
    }
}

/// One changed row: slices of the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowChange<'a> {
    /// The image before, of updates and deletes.
    pub before: Option<&'a [u8]>,
    /// The image after, of writes and updates.
    pub after: Option<&'a [u8]>,
}

/// The changed rows of an event; ends at the first that does not decode, giving its error.
#[derive(Clone, Debug)]
pub struct RowChanges<'a> {
    rows: Rows<'a>,
    map: TableMap<'a>,
    rest: &'a [u8],
}

impl<'a> RowChanges<'a> {
    fn image(&mut self, present: &[u8]) -> Result<&'a [u8], DecodeError> {
        let length = image_length(&self.map, present, self.rest)?;
        let (image, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(image)
    }

    fn change(&mut self) -> Result<RowChange<'a>, DecodeError> {
        let first = self.image(self.rows.present)?;
        Ok(match self.rows.change {
            RowsChange::Write => RowChange { before: None, after: Some(first) },
            RowsChange::Delete => RowChange { before: Some(first), after: None },
            RowsChange::Update => {
                RowChange { before: Some(first), after: Some(self.image(self.rows.present_after)?) }
            }
        })
    }
}

impl<'a> Iterator for RowChanges<'a> {
    type Item = Result<RowChange<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let before = self.rest.len();
        let change = self.change();
        if change.is_err() || self.rest.len() == before {
            // An image of no bytes (no column present) would repeat for ever.
            self.rest = &[];
        }
        Some(change)
    }
}

/// Appends the part of a version 1 body before the images. `present_after` for updates only.
pub(crate) fn put_rows_head(
    out: &mut Vec<u8>,
    table_id: u64,
    flags: u16,
    columns: usize,
    present: &[u8],
    present_after: Option<&[u8]>,
) {
    put_u48(out, table_id);
    out.extend_from_slice(&flags.to_le_bytes());
    put_lenenc(out, columns as u64);
    out.extend_from_slice(present);
    if let Some(after) = present_after {
        out.extend_from_slice(after);
    }
}
