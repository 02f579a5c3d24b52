//! TABLE_MAP (19): the number, names, types and metadata of a table whose rows follow.
//!
//! ```text
//!  0         6       8
//! +---------+-------+--------+----+---+-----------+-------+---+--------------+-------+-----------------+--------+
//! |table id | flags | db len | db | 0 | table len | table | 0 | columns (le) | types | metadata (le) ..| nulls  |
//! +---------+-------+--------+----+---+-----------+-------+---+--------------+-------+-----------------+--------+
//!  then optional metadata: type byte, length (le), value; (le) = length-encoded integer
//! ```

use super::cursor::{Cursor, put_lenenc, put_short_string, put_u48};
use super::values::{bit, metadata_length, take_metadata};
use crate::error::DecodeError;

/// Types of optional metadata.
pub mod metadata_kind {
    /// A bit for each numeric column, most significant first: unsigned.
    pub const SIGNEDNESS: u8 = 1;
    /// The most frequent collation, then pairs of column and collation.
    pub const DEFAULT_CHARSET: u8 = 2;
    /// A collation for each character column.
    pub const COLUMN_CHARSET: u8 = 3;
    /// Names of columns.
    pub const COLUMN_NAME: u8 = 4;
    /// Values of SET columns.
    pub const SET_VALUES: u8 = 5;
    /// Values of ENUM columns.
    pub const ENUM_VALUES: u8 = 6;
    /// Kinds of GEOMETRY columns.
    pub const GEOMETRY: u8 = 7;
    /// Columns of the primary key.
    pub const PRIMARY_KEY: u8 = 8;
    /// Columns of the primary key with prefix lengths.
    pub const PRIMARY_KEY_PREFIX: u8 = 9;
    /// As 2 for ENUM and SET columns.
    pub const ENUM_DEFAULT_CHARSET: u8 = 10;
    /// As 3 for ENUM and SET columns.
    pub const ENUM_COLUMN_CHARSET: u8 = 11;
}

/// A decoded TABLE_MAP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMap<'a> {
    /// The number that rows events use, 48 bits.
    pub table_id: u64,
    /// Bit 0: bit fields exact, always set.
    pub flags: u16,
    /// The database's name.
    pub database: &'a [u8],
    /// The table's name.
    pub table: &'a [u8],
    /// A type byte for each column.
    pub types: &'a [u8],
    /// Metadata of all columns, 0 to 2 bytes each.
    pub metadata: &'a [u8],
    /// A bit for each column, least significant first: may be NULL.
    pub nullable: &'a [u8],
    /// Optional metadata, see [`TableMap::optional`].
    pub optional: &'a [u8],
}

/// One item of optional metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionalMetadata<'a> {
    /// See [`metadata_kind`].
    pub kind: u8,
    /// Its value.
    pub value: &'a [u8],
}

impl<'a> TableMap<'a> {
    /// Decodes the body and checks that the metadata fits the types.
    pub fn decode(body: &'a [u8]) -> Result<TableMap<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        let table_id = cursor.u48("table id")?;
        let flags = cursor.u16("table map flags")?;
        let database = cursor.short_string("database name")?;
        cursor.zero("end of the database name")?;
        let table = cursor.short_string("table name")?;
        cursor.zero("end of the table name")?;
        let columns = cursor.lenenc("column count")?;
        let types = cursor.take_long(columns, "column types")?;
        let metadata_bytes = cursor.lenenc("metadata length")?;
        let metadata = cursor.take_long(metadata_bytes, "column metadata")?;
        let nullable = cursor.take(types.len().div_ceil(8), "null bitmap")?;
        let map =
            TableMap { table_id, flags, database, table, types, metadata, nullable, optional: cursor.rest() };
        let mut metadata = Cursor::new(map.metadata);
        for kind in map.types {
            take_metadata(*kind, &mut metadata)?;
        }
        Ok(map)
    }

    /// The columns' type bytes with their metadata, two bytes little-endian.
    pub fn columns(&self) -> impl Iterator<Item = (u8, u16)> + 'a {
        let mut metadata = Cursor::new(self.metadata);
        self.types.iter().map(move |kind| (*kind, take_metadata(*kind, &mut metadata).unwrap_or(0)))
    }

    /// Whether column `index` may be NULL.
    #[must_use]
    pub fn is_nullable(&self, index: usize) -> bool {
        bit(self.nullable, index)
    }

    /// The items of optional metadata; ends at the first that does not decode, giving its error.
    pub fn optional(&self) -> impl Iterator<Item = Result<OptionalMetadata<'a>, DecodeError>> + 'a {
        let mut cursor = Cursor::new(self.optional);
        let mut failed = false;
        std::iter::from_fn(move || {
            if failed || cursor.is_empty() {
                return None;
            }
            let item = take_optional(&mut cursor);
            failed = item.is_err();
            Some(item)
        })
    }

    /// Appends the body. Names longer than 255 bytes are cut.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put_u48(out, self.table_id);
        out.extend_from_slice(&self.flags.to_le_bytes());
        put_short_string(out, self.database);
        out.push(0);
        put_short_string(out, self.table);
        out.push(0);
        put_lenenc(out, self.types.len() as u64);
        out.extend_from_slice(self.types);
        put_lenenc(out, self.metadata.len() as u64);
        out.extend_from_slice(self.metadata);
        out.extend_from_slice(self.nullable);
        out.extend_from_slice(self.optional);
    }
}

fn take_optional<'a>(cursor: &mut Cursor<'a>) -> Result<OptionalMetadata<'a>, DecodeError> {
    let kind = cursor.u8("optional metadata type")?;
    let length = cursor.lenenc("optional metadata length")?;
    Ok(OptionalMetadata { kind, value: cursor.take_long(length, "optional metadata")? })
}

/// Builds the parts of a [`TableMap`] column by column. Make it once a table definition and keep it.
#[derive(Clone, Debug, Default)]
pub struct TableMapBuilder {
    table_id: u64,
    database: Vec<u8>,
    table: Vec<u8>,
    types: Vec<u8>,
    metadata: Vec<u8>,
    nullable: Vec<u8>,
    optional: Vec<u8>,
}

impl TableMapBuilder {
    /// A table without columns yet.
    #[must_use]
    pub fn new(table_id: u64, database: &[u8], table: &[u8]) -> TableMapBuilder {
        TableMapBuilder {
            table_id,
            database: database.to_vec(),
            table: table.to_vec(),
            ..TableMapBuilder::default()
        }
    }

    /// Adds a column.
    ///
    /// # Panics
    /// If `metadata` has not as many bytes as the type needs: a bug of the caller.
    pub fn column(&mut self, kind: u8, metadata: &[u8], nullable: bool) -> &mut TableMapBuilder {
        assert_eq!(metadata_length(kind), Some(metadata.len()), "metadata of column type {kind}");
        let index = self.types.len();
        self.types.push(kind);
        self.metadata.extend_from_slice(metadata);
        if index.is_multiple_of(8) {
            self.nullable.push(0);
        }
        self.nullable[index / 8] |= u8::from(nullable) << (index % 8);
        self
    }

    /// Adds an item of optional metadata.
    pub fn optional(&mut self, kind: u8, value: &[u8]) -> &mut TableMapBuilder {
        self.optional.push(kind);
        put_lenenc(&mut self.optional, value.len() as u64);
        self.optional.extend_from_slice(value);
        self
    }

    /// Adds which numeric columns are unsigned, in order of the numeric columns.
    pub fn signedness(&mut self, unsigned: &[bool]) -> &mut TableMapBuilder {
        let mut bits = vec![0; unsigned.len().div_ceil(8)];
        for (index, unsigned) in unsigned.iter().enumerate() {
            bits[index / 8] |= u8::from(*unsigned) << (7 - index % 8);
        }
        self.optional(metadata_kind::SIGNEDNESS, &bits)
    }

    /// Adds a list of numbers: collations, columns of a key.
    pub fn numbers(&mut self, kind: u8, numbers: &[u64]) -> &mut TableMapBuilder {
        let mut value = Vec::new();
        for number in numbers {
            put_lenenc(&mut value, *number);
        }
        self.optional(kind, &value)
    }

    /// Adds the names of all columns.
    pub fn names<'n>(&mut self, names: impl IntoIterator<Item = &'n [u8]>) -> &mut TableMapBuilder {
        let mut value = Vec::new();
        for name in names {
            put_lenenc(&mut value, name.len() as u64);
            value.extend_from_slice(name);
        }
        self.optional(metadata_kind::COLUMN_NAME, &value)
    }

    /// Adds the values of all ENUM or all SET columns, a list for each column.
    pub fn members(&mut self, kind: u8, columns: &[Vec<Vec<u8>>]) -> &mut TableMapBuilder {
        let mut value = Vec::new();
        for members in columns {
            put_lenenc(&mut value, members.len() as u64);
            for member in members {
                put_lenenc(&mut value, member.len() as u64);
                value.extend_from_slice(member);
            }
        }
        self.optional(kind, &value)
    }

    /// The table map so far.
    #[must_use]
    pub fn as_map(&self) -> TableMap<'_> {
        TableMap {
            table_id: self.table_id,
            flags: 1,
            database: &self.database,
            table: &self.table,
            types: &self.types,
            metadata: &self.metadata,
            nullable: &self.nullable,
            optional: &self.optional,
        }
    }
}
