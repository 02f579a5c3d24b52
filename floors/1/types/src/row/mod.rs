//! Row images: the FULL row image of the binlog's row events, which is also what the trees store.
//!
//! ```text
//! null bitmap, (columns + 7) / 8 bytes: column i is bit i % 8 of byte i / 8, 1 = NULL; unused bits are 1
//! values of the columns that are not NULL, in order, without padding, in the log's encodings:
//!   integers        1, 2, 3, 4, 8 bytes little-endian           FLOAT, DOUBLE   IEEE little-endian
//!   DECIMAL         groups of nine digits, see `decimal`         YEAR            year - 1900 or 0
//!   DATE            3 bytes little-endian                        TIME, DATETIME, TIMESTAMP  big-endian with fraction
//!   BIT             big-endian                                   ENUM, SET       little-endian
//!   CHAR, BINARY    length (1 or 2 bytes), bytes without trailing spaces (zero bytes for BINARY)
//!   VARCHAR ...     length (1 or 2 bytes), bytes                 BLOB, TEXT      length (1 to 4 bytes), bytes
//! ```
//!
//! The bits that are unused make a nullable column that is added behind all others NULL in the images that are there:
//! as long as the bitmap does not grow, nothing has to be written for it ([`RowLayout::has_bits`]).
//!
//! [`RowLayout`] is made once a table. Where all columns before one have a fixed size, the column's place follows
//! from the null bitmap alone; otherwise the walk starts at the last such column. Decoders are total: any bytes give
//! a value or a [`RowError`].

mod codec;
mod layout;
mod rank;
mod wire;

pub(crate) use codec::{cut_fraction, trim_end};
pub use layout::{ColumnLayout, RowCursor, RowLayout, RowPlaces};
pub(crate) use rank::big_endian;
pub use wire::{
    TEXT_NULL, WireOptions, put_lenenc_bytes, put_lenenc_int, write_value_binary, write_value_filled,
    write_value_text,
};

/// What is wrong with a row image or with the values for one. Columns are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowError {
    /// The image ends inside a column (or its null bitmap).
    Truncated {
        /// The column.
        column: usize,
    },
    /// Bytes follow the last column.
    TrailingBytes,
    /// The bytes of a column are no value of its type.
    BadValue {
        /// The column.
        column: usize,
    },
    /// A value given does not fit its column's type: it was not converted before.
    WrongType {
        /// The column.
        column: usize,
    },
    /// NULL given for a NOT NULL column.
    Null {
        /// The column.
        column: usize,
    },
    /// The number of values is not the number of columns.
    WrongCount,
}

impl std::fmt::Display for RowError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RowError::Truncated { column } => write!(f, "read row: image ends in column {column}"),
            RowError::TrailingBytes => write!(f, "read row: bytes after the last column"),
            RowError::BadValue { column } => write!(f, "read row: bad bytes in column {column}"),
            RowError::WrongType { column } => {
                write!(f, "write row: value of another type for column {column}")
            }
            RowError::Null { column } => write!(f, "write row: NULL for NOT NULL column {column}"),
            RowError::WrongCount => write!(f, "write row: wrong number of values"),
        }
    }
}

impl std::error::Error for RowError {}
