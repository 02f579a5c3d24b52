//! What the server answers: OK, ERR, EOF, column definitions; payloads only, `packet` frames them.
//!
//! ```text
//! OK   00 | affected, lenenc | insert id, lenenc | status, 2 | warnings, 2 | info
//! OK   FE | ... the same, in place of EOF under DEPRECATE_EOF
//! EOF  FE | warnings, 2 | status, 2
//! ERR  FF | number, 2 | # | SQLSTATE, 5 | message
//! ```

use crate::ProtocolError;
use crate::wire::{Reader, put_lenenc, put_lenenc_bytes};

/// The facts of an OK packet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ok {
    /// Rows changed (or matched, under FOUND_ROWS).
    pub affected_rows: u64,
    /// First AUTO_INCREMENT value made.
    pub last_insert_id: u64,
    /// Server status bits.
    pub status: u16,
    /// Number of warnings.
    pub warnings: u16,
    /// Text such as `Rows matched: 1  Changed: 1  Warnings: 0`.
    pub info: String,
}

impl Ok {
    /// Appends the payload of an OK packet that answers a statement.
    pub fn encode(&self, out: &mut Vec<u8>) {
        self.encode_as(out, 0x00);
    }

    /// Appends the payload of an OK packet that ends rows under DEPRECATE_EOF.
    pub fn encode_end_of_rows(&self, out: &mut Vec<u8>) {
        self.encode_as(out, 0xFE);
    }

    fn encode_as(&self, out: &mut Vec<u8>, mark: u8) {
        let ([s0, s1], [w0, w1]) = (self.status.to_le_bytes(), self.warnings.to_le_bytes());
        match (self.affected_rows, self.last_insert_id) {
            // Nearly always: numbers of one byte.
            (rows @ 0..=0xFA, id @ 0..=0xFA) => {
                out.extend_from_slice(&[mark, rows as u8, id as u8, s0, s1, w0, w1]);
            }
            (rows, id) => {
                out.push(mark);
                put_lenenc(out, rows);
                put_lenenc(out, id);
                out.extend_from_slice(&[s0, s1, w0, w1]);
            }
        }
        if !self.info.is_empty() {
            put_lenenc_bytes(out, self.info.as_bytes());
        }
    }

    /// Reads an OK packet (the client's side).
    pub fn decode(payload: &[u8]) -> Result<Self, ProtocolError> {
        let mut r = Reader::new(payload);
        r.u8("OK mark")?;
        let affected_rows = r.lenenc("affected rows")?;
        let last_insert_id = r.lenenc("insert id")?;
        let status = r.u16("status")?;
        let warnings = r.u16("warnings")?;
        let info =
            if r.is_empty() { String::new() } else { crate::handshake::lossy(r.lenenc_bytes("info")?) };
        Result::Ok(Self { affected_rows, last_insert_id, status, warnings, info })
    }
}

/// Appends the payload of an EOF packet.
pub fn encode_eof(out: &mut Vec<u8>, status: u16, warnings: u16) {
    out.push(0xFE);
    out.extend_from_slice(&warnings.to_le_bytes());
    out.extend_from_slice(&status.to_le_bytes());
}

/// The facts of an ERR packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Err {
    /// MariaDB's error number.
    pub number: u16,
    /// SQLSTATE.
    pub sqlstate: [u8; 5],
    /// The message; at most 512 bytes are sent.
    pub message: String,
}

/// Longest error message that clients keep (`MYSQL_ERRMSG_SIZE`), in bytes.
const MESSAGE_MAX: usize = 512;

impl Err {
    /// Appends the payload of an ERR packet.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(0xFF);
        out.extend_from_slice(&self.number.to_le_bytes());
        out.push(b'#');
        out.extend_from_slice(&self.sqlstate);
        let mut end = self.message.len().min(MESSAGE_MAX - 1);
        while !self.message.is_char_boundary(end) {
            end -= 1;
        }
        out.extend_from_slice(&self.message.as_bytes()[..end]);
    }

    /// Appends the payload of an ERR packet before the handshake is done: it has no SQLSTATE.
    pub fn encode_before_handshake(&self, out: &mut Vec<u8>) {
        out.push(0xFF);
        out.extend_from_slice(&self.number.to_le_bytes());
        out.extend_from_slice(self.message.as_bytes());
    }

    /// Reads an ERR packet (the client's side).
    pub fn decode(payload: &[u8]) -> Result<Self, ProtocolError> {
        let mut r = Reader::new(payload);
        r.u8("error mark")?;
        let number = r.u16("error number")?;
        let mut sqlstate = *b"HY000";
        let mut rest = r.to_end();
        if rest.len() >= 6 && rest[0] == b'#' {
            sqlstate.copy_from_slice(&rest[1..6]);
            rest = &rest[6..];
        }
        Result::Ok(Self { number, sqlstate, message: crate::handshake::lossy(rest) })
    }
}

/// A column's definition in a result set (protocol 4.1); names are in the character set of results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column<'a> {
    /// Database, empty for an expression.
    pub schema: &'a [u8],
    /// Table name or alias.
    pub table: &'a [u8],
    /// The table's own name.
    pub org_table: &'a [u8],
    /// Column name or alias.
    pub name: &'a [u8],
    /// The column's own name.
    pub org_name: &'a [u8],
    /// Collation id; 63 (binary) for what is not text.
    pub collation: u16,
    /// Display length in bytes.
    pub length: u32,
    /// One of `flags::wire_type`.
    pub wire_type: u8,
    /// Column flags (NOT NULL, keys, UNSIGNED ...).
    pub flags: u16,
    /// Digits behind the point; 31 where it is not known (floats), 39 for text in MariaDB.
    pub decimals: u8,
}

impl Column<'_> {
    /// Appends the payload of a column definition.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put_lenenc_bytes(out, b"def");
        for text in [self.schema, self.table, self.org_table, self.name, self.org_name] {
            put_lenenc_bytes(out, text);
        }
        out.push(12);
        out.extend_from_slice(&self.collation.to_le_bytes());
        out.extend_from_slice(&self.length.to_le_bytes());
        out.push(self.wire_type);
        out.extend_from_slice(&self.flags.to_le_bytes());
        out.push(self.decimals);
        out.extend_from_slice(&[0, 0]);
    }

    /// Appends the payload of a column definition as COM_FIELD_LIST sends it, with its default.
    pub fn encode_with_default(&self, out: &mut Vec<u8>, default: Option<&[u8]>) {
        self.encode(out);
        match default {
            None => out.push(0xFB),
            Some(text) => put_lenenc_bytes(out, text),
        }
    }
}

/// A column as the client keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedColumn {
    /// Database.
    pub schema: String,
    /// Table name or alias.
    pub table: String,
    /// Column name or alias.
    pub name: String,
    /// Collation id.
    pub collation: u16,
    /// Display length in bytes.
    pub length: u32,
    /// One of `flags::wire_type`.
    pub wire_type: u8,
    /// Column flags.
    pub flags: u16,
    /// Digits behind the point.
    pub decimals: u8,
}

impl OwnedColumn {
    /// Reads a column definition (the client's side).
    pub fn decode(payload: &[u8]) -> Result<Self, ProtocolError> {
        let mut r = Reader::new(payload);
        r.lenenc_bytes("catalog")?;
        let mut text = || r.lenenc_bytes("column text").map(crate::handshake::lossy);
        let (schema, table) = (text()?, text()?);
        text()?;
        let name = text()?;
        text()?;
        r.lenenc("length of fixed fields")?;
        Result::Ok(Self {
            schema,
            table,
            name,
            collation: r.u16("collation")?,
            length: r.u32("length")?,
            wire_type: r.u8("type")?,
            flags: r.u16("flags")?,
            decimals: r.u8("decimals")?,
        })
    }
}

/// Appends the payload of the answer to COM_STMT_PREPARE, before parameter and column definitions.
pub fn encode_prepare_ok(out: &mut Vec<u8>, statement: u32, columns: u16, parameters: u16, warnings: u16) {
    out.push(0);
    out.extend_from_slice(&statement.to_le_bytes());
    out.extend_from_slice(&columns.to_le_bytes());
    out.extend_from_slice(&parameters.to_le_bytes());
    out.push(0);
    out.extend_from_slice(&warnings.to_le_bytes());
}

/// Offset of the first column in a binary row's NULL bitmap, in bits.
const BINARY_ROW_NULL_OFFSET: usize = 2;

/// Appends the head of a binary row: its mark and an empty NULL bitmap. Gives the bitmap's place,
/// for [`set_binary_null`].
pub fn begin_binary_row(out: &mut Vec<u8>, columns: usize) -> usize {
    out.push(0);
    let at = out.len();
    out.resize(at + (columns + BINARY_ROW_NULL_OFFSET).div_ceil(8), 0);
    at
}

/// Marks a column of a binary row as NULL.
pub fn set_binary_null(out: &mut [u8], bitmap: usize, column: usize) {
    let bit = column + BINARY_ROW_NULL_OFFSET;
    out[bitmap + bit / 8] |= 1 << (bit % 8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn packets_read_back() {
        let ok =
            Ok { affected_rows: 300, last_insert_id: 7, status: 2, warnings: 1, info: "Records: 3".into() };
        let mut bytes = Vec::new();
        ok.encode(&mut bytes);
        assert_eq!(Ok::decode(&bytes), Result::Ok(ok));

        let err = Err { number: 1146, sqlstate: *b"42S02", message: "Table 'a.b' doesn't exist".into() };
        let mut bytes = Vec::new();
        err.encode(&mut bytes);
        assert_eq!(Err::decode(&bytes), Result::Ok(err));

        let column = Column {
            schema: b"a",
            table: b"b",
            name: b"c",
            collation: 63,
            length: 11,
            wire_type: 3,
            flags: 1,
            ..Column::default()
        };
        let mut bytes = Vec::new();
        column.encode(&mut bytes);
        let read = OwnedColumn::decode(&bytes).unwrap();
        assert_eq!((read.name.as_str(), read.length, read.wire_type), ("c", 11, 3));
    }

    #[test]
    fn long_messages_are_cut_between_characters() {
        let err = Err { number: 1105, sqlstate: *b"HY000", message: "\u{e9}".repeat(400) };
        let mut bytes = Vec::new();
        err.encode(&mut bytes);
        assert!(bytes.len() < 9 + MESSAGE_MAX && std::str::from_utf8(&bytes[9..]).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_decode_without_panic(bytes: Vec<u8>) {
            let _ = (Ok::decode(&bytes), Err::decode(&bytes), OwnedColumn::decode(&bytes));
        }
    }
}
