//! What a session hands to whoever sends results: the seam between `sql` and the wire.

use crate::error::SqlError;
use types::row::WireOptions;
use types::{CollationId, RowLayout, Value};

/// The receiver is gone: its connection broke or was closed. The statement ends, quietly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

/// A column of a result set, as the wire describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnMeta {
    /// Database of the table, empty for an expression.
    pub schema: String,
    /// Table name or alias.
    pub table: String,
    /// The table's own name.
    pub org_table: String,
    /// Column name or alias.
    pub name: String,
    /// The column's own name, empty for an expression.
    pub org_name: String,
    /// Collation on the wire: the results character set's for text, binary (63) for numbers and bytes.
    pub collation: CollationId,
    /// Display length in bytes.
    pub length: u32,
    /// Type number of the protocol (`types::column::wire`).
    pub wire_type: u8,
    /// Flags of the protocol ([`flag`]).
    pub flags: u16,
    /// Digits after the point; 31 for floats without declared digits, 39 for text.
    pub decimals: u8,
    /// Default value as text, for COM_FIELD_LIST.
    pub default: Option<Vec<u8>>,
}

/// Column flags of the protocol.
pub mod flag {
    /// NOT NULL.
    pub const NOT_NULL: u16 = 1;
    /// Part of the primary key.
    pub const PRI_KEY: u16 = 2;
    /// Part of a unique key.
    pub const UNIQUE_KEY: u16 = 4;
    /// Part of a non-unique key.
    pub const MULTIPLE_KEY: u16 = 8;
    /// BLOB or TEXT.
    pub const BLOB: u16 = 16;
    /// UNSIGNED.
    pub const UNSIGNED: u16 = 32;
    /// ZEROFILL.
    pub const ZEROFILL: u16 = 64;
    /// Binary collation.
    pub const BINARY: u16 = 128;
    /// ENUM.
    pub const ENUM: u16 = 256;
    /// AUTO_INCREMENT.
    pub const AUTO_INCREMENT: u16 = 512;
    /// TIMESTAMP.
    pub const TIMESTAMP: u16 = 1024;
    /// SET.
    pub const SET: u16 = 2048;
    /// No default, though NOT NULL.
    pub const NO_DEFAULT: u16 = 4096;
    /// ON UPDATE CURRENT_TIMESTAMP.
    pub const ON_UPDATE_NOW: u16 = 8192;
    /// Part of some key (internal in MariaDB, but sent).
    pub const PART_KEY: u16 = 16384;
    /// A number (in the protocol: NUM_FLAG).
    pub const NUM: u16 = 32768;
}

/// One row of a result.
#[derive(Debug, Clone, Copy)]
pub enum RowRef<'a> {
    /// Computed values, one a column.
    Values(&'a [Value]),
    /// Columns straight out of a stored row image.
    Stored {
        /// The table's layout.
        layout: &'a RowLayout,
        /// The row image.
        image: &'a [u8],
        /// Which columns, in order.
        columns: &'a [usize],
    },
}

/// The facts that end a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done {
    /// Rows changed (found, under CLIENT_FOUND_ROWS).
    pub affected_rows: u64,
    /// First AUTO_INCREMENT value made, or the argument of `LAST_INSERT_ID(expr)`.
    pub last_insert_id: u64,
    /// Warnings in the diagnostics area.
    pub warnings: u16,
    /// Server status bits of the protocol, without MORE_RESULTS.
    pub status: u16,
    /// `Records: 3  Duplicates: 0  Warnings: 0` and the like.
    pub info: String,
    /// Another result follows.
    pub more_results: bool,
}

/// Receives the results of statements, in order.
///
/// Per statement comes either `columns`, any number of `row`, `done`; or `done` alone; or, at any point,
/// `error`. A method may park until the client has read what was sent before.
pub trait Output {
    /// A result set begins; its values are sent in the character set and time zone of `options`.
    fn columns(&mut self, columns: &[ColumnMeta], options: &WireOptions) -> Result<(), Gone>;
    /// One row of the result set begun last.
    fn row(&mut self, row: RowRef<'_>) -> Result<(), Gone>;
    /// The statement ended well.
    fn done(&mut self, done: &Done) -> Result<(), Gone>;
    /// Whether the receiver gives files of its own.
    fn sends_files(&self) -> bool {
        false
    }
    /// Asks the receiver for a file of its own and hands its bytes on as they come, all of them.
    fn local_file(&mut self, name: &str, take: &mut dyn FnMut(&[u8])) -> Result<(), Gone> {
        let _ = (name, take);
        Err(Gone)
    }
    /// The statement ended with an error; what it sent before stays sent.
    fn error(&mut self, error: &SqlError) -> Result<(), Gone>;
}
