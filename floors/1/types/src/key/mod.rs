//! Memcomparable keys: bytes whose order is the order of the index.
//!
//! ```text
//! key = part ... part [primary key parts, in a secondary index]
//! part = [0x00 NULL | 0x01 not NULL, only for nullable columns] value
//! value: integers big-endian with the sign flipped; floats ordered bits; DECIMAL as stored; temporals big-endian;
//!        YEAR, ENUM, SET, BIT big-endian; UUID, INET4, INET6 as stored; strings in the collation's key form, which delimits itself
//! a DESC part has all its bits inverted (the NULL byte too)
//! ```
//! An index of digests has the SHA-256 of its own parts in their place.
//!
//! Text takes up to three bytes a character under general_ci, two a space, and more where unicode_ci expands one
//! character to many weights; zero bytes of binary strings take two. So a key of extreme text can be longer than the
//! tree takes, which is the tree's error to give.
//!
//! Part by part the encoding is prefix free, so a key of the first k parts is a prefix of all keys that share them,
//! and [`prefix_end`] gives the end of their range.

use crate::charset::Charset;
use crate::column::{ColumnType, IntegerType};
use crate::row::{ColumnLayout, RowError, RowLayout};
use crate::table::{IndexDef, TableDef};
use crate::value::Value;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;

mod read;

pub use read::{BESIDE_COLUMNS_MAX, BESIDE_MAX};

/// Bytes of a key in its [`head`].
pub const HEAD: usize = 16;

/// The first [`HEAD`] bytes of a key as a number that orders like them, filled with zeros: most keys are told apart by
/// it. Others are by [`order_behind_heads`].
#[inline]
pub fn head(key: &[u8]) -> u128 {
    if let Some(head) = key.first_chunk::<HEAD>() {
        return u128::from_be_bytes(*head);
    }
    let mut head = [0; HEAD];
    head[..key.len()].copy_from_slice(key);
    u128::from_be_bytes(head)
}

/// The order of two keys whose heads are equal.
#[inline]
pub fn order_behind_heads(a: &[u8], b: &[u8]) -> Ordering {
    // One that ends in its head is the beginning of the other.
    if a.len() <= HEAD || b.len() <= HEAD { a.len().cmp(&b.len()) } else { a[HEAD..].cmp(&b[HEAD..]) }
}

/// One part of an index, resolved.
#[derive(Clone, Debug)]
pub struct KeyPart {
    /// Position of the column.
    pub column: usize,
    prefix_chars: Option<u32>,
    desc: bool,
    layout: ColumnLayout,
}

/// How the keys of one index are made; computed once a table.
#[derive(Clone, Debug)]
pub struct IndexKey {
    parts: Box<[KeyPart]>,
    /// The parts of the index itself come first.
    own_parts: usize,
    /// They are kept as a digest.
    digest: bool,
}

impl IndexKey {
    /// The keys of an index without anything after its own parts: the primary key's form.
    pub fn primary(table: &TableDef, index: &IndexDef) -> IndexKey {
        let parts: Box<[KeyPart]> = parts_of(table, index).collect();
        IndexKey { own_parts: parts.len(), parts, digest: index.is_digest() }
    }

    /// The keys of a secondary index: its parts, then all parts of the primary key.
    pub fn secondary(table: &TableDef, index: &IndexDef, primary: &IndexDef) -> IndexKey {
        let own_parts = index.parts.len();
        let parts = parts_of(table, index).chain(parts_of(table, primary)).collect();
        IndexKey { own_parts, parts, digest: index.is_digest() }
    }

    /// The parts, the index's own first.
    pub fn parts(&self) -> &[KeyPart] {
        &self.parts
    }

    /// Whether the index's own parts are kept as a digest.
    pub fn is_digest(&self) -> bool {
        self.digest
    }

    /// How many parts are the index's own.
    pub fn own_parts(&self) -> usize {
        self.own_parts
    }

    /// Appends the key of a row image; gives the length of the index's own parts and whether one of them is NULL
    /// (then a unique index does not refuse an equal key).
    pub fn append_row(
        &self,
        layout: &RowLayout,
        row: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<OwnParts, RowError> {
        let start = out.len();
        let mut own = OwnParts { len: 0, has_null: false };
        for (i, part) in self.parts.iter().enumerate() {
            let bytes = layout.column_bytes(row, part.column)?;
            part.append_bytes(bytes, out).ok_or(RowError::BadValue { column: part.column })?;
            if i < self.own_parts {
                own = OwnParts { len: out.len() - start, has_null: own.has_null || bytes.is_none() };
            }
            if self.digest && i + 1 == self.own_parts {
                let digest = Sha256::digest(&out[start..]);
                out.truncate(start);
                out.extend_from_slice(&digest);
                own.len = digest.len();
            }
        }
        Ok(own)
    }

    /// Appends the key prefix of a row image's `parts` leading parts. Not of a digest, which has no parts of its own.
    pub fn append_leading(
        &self,
        parts: usize,
        layout: &RowLayout,
        row: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), RowError> {
        self.parts.iter().take(parts).try_for_each(|part| {
            let bytes = layout.column_bytes(row, part.column)?;
            part.append_bytes(bytes, out).ok_or(RowError::BadValue { column: part.column })
        })
    }

    /// Appends the key prefix of the leading parts' values, which must be of their columns' types.
    pub fn append_values(&self, values: &[Value], out: &mut Vec<u8>) -> Result<(), RowError> {
        if values.len() > self.parts.len() {
            return Err(RowError::WrongCount);
        }
        self.parts.iter().zip(values).try_for_each(|(part, value)| part.append_value(value, out))
    }

    /// Appends one part's value.
    pub fn append_part(&self, part: usize, value: &Value, out: &mut Vec<u8>) -> Result<(), RowError> {
        self.parts.get(part).ok_or(RowError::WrongCount)?.append_value(value, out)
    }
}

/// What [`IndexKey::append_row`] says of the index's own parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnParts {
    /// Their length in bytes.
    pub len: usize,
    /// Whether one of them is NULL.
    pub has_null: bool,
}

fn parts_of<'a>(table: &'a TableDef, index: &'a IndexDef) -> impl Iterator<Item = KeyPart> + 'a {
    index.parts.iter().map(|part| KeyPart {
        column: part.column,
        prefix_chars: part.prefix_chars,
        desc: part.desc,
        layout: ColumnLayout::of(&table.columns[part.column]),
    })
}

impl KeyPart {
    /// Whether the part is DESC.
    pub fn desc(&self) -> bool {
        self.desc
    }

    /// Characters (bytes of binary types) that the part is cut to.
    pub fn prefix_chars(&self) -> Option<u32> {
        self.prefix_chars
    }

    /// The part's column.
    pub fn layout(&self) -> &ColumnLayout {
        &self.layout
    }

    fn append_value(&self, value: &Value, out: &mut Vec<u8>) -> Result<(), RowError> {
        let wrong = RowError::WrongType { column: self.column };
        if value.is_null() {
            return self.append_bytes(None, out).ok_or(wrong);
        }
        if let Value::Str(s) = value
            && self.layout.ty.is_string()
        {
            let start = self.begin(out);
            self.append_string(&s.bytes, out);
            self.finish(start, out);
            return Ok(());
        }
        let start = self.begin(out);
        if let (Value::Fixed(value), ColumnType::Fixed(ty)) = (value, &self.layout.ty) {
            if value.ty != *ty {
                return Err(wrong);
            }
            value.append_stored(out);
            self.finish(start, out);
            return Ok(());
        }
        let from = out.len();
        self.layout.encode(value, out).map_err(|_| wrong)?;
        self.order_bytes(&mut out[from..]).ok_or(wrong)?;
        self.finish(start, out);
        Ok(())
    }

    /// Appends the part of a column's row value.
    fn append_bytes(&self, bytes: Option<&[u8]>, out: &mut Vec<u8>) -> Option<()> {
        let Some(bytes) = bytes else {
            out.push(if self.desc { 0xFF } else { 0 });
            return self.layout.nullable.then_some(());
        };
        let start = self.begin(out);
        if self.layout.ty.is_string() {
            self.append_string(self.layout.payload(bytes), out);
        } else if let ColumnType::Fixed(ty) = &self.layout.ty {
            // Row images may leave out zero bytes at the end.
            let (stored, end) = (self.layout.payload(bytes), out.len() + ty.size());
            out.extend_from_slice(stored);
            out.resize(end, 0);
        } else {
            let from = out.len();
            out.extend_from_slice(bytes);
            self.order_bytes(&mut out[from..])?;
        }
        self.finish(start, out);
        Some(())
    }

    /// Turns a row value of a fixed size into bytes that compare as the values do, in place.
    #[inline]
    fn order_bytes(&self, bytes: &mut [u8]) -> Option<()> {
        match &self.layout.ty {
            ColumnType::Integer(t) => {
                bytes.reverse();
                if !t.unsigned {
                    *bytes.first_mut()? ^= 0x80;
                }
            }
            ColumnType::Float(_) | ColumnType::Double(_) => {
                bytes.reverse();
                order_float(bytes)?;
            }
            ColumnType::Date | ColumnType::Enum(_) | ColumnType::Set(_) => bytes.reverse(),
            _ => {}
        }
        Some(())
    }

    #[inline]
    fn begin(&self, out: &mut Vec<u8>) -> usize {
        let start = out.len();
        if self.layout.nullable {
            out.push(1);
        }
        start
    }

    #[inline]
    fn finish(&self, start: usize, out: &mut [u8]) {
        if self.desc {
            out[start..].iter_mut().for_each(|b| *b = !*b);
        }
    }

    fn append_string(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let collation = self.layout.collation.collation();
        let mut bytes = bytes;
        if let Some(chars) = self.prefix_chars {
            bytes = &bytes[..collation.charset.offset_of_char(bytes, chars as usize)];
        }
        if matches!(self.layout.ty, ColumnType::Binary(_)) {
            // Row images keep no trailing zero bytes; values may still have them.
            bytes = crate::row::trim_end(bytes, 0);
        }
        if matches!(self.layout.ty, ColumnType::Char(_)) && collation.charset != Charset::Binary {
            bytes = collation.charset.trim_spaces(bytes);
        }
        collation.append_key(bytes, out);
    }
}

/// Big-endian IEEE bits: negative numbers are inverted, others get the top bit; -0 is 0.
fn order_float(bytes: &mut [u8]) -> Option<()> {
    let first = bytes.first_mut()?;
    if *first & 0x80 == 0 {
        *first |= 0x80;
    } else if *first == 0x80 && bytes[1..].iter().all(|b| *b == 0) {
        // Stays: what 0 becomes.
    } else {
        bytes.iter_mut().for_each(|b| *b = !*b);
    }
    Some(())
}

/// The number that the key bytes of a NOT NULL, ascending integer part begin with.
pub fn read_integer(ty: &IntegerType, key: &[u8]) -> Option<i128> {
    let bytes = key.get(..ty.size.bytes())?;
    let bits = bytes.iter().fold(0_i128, |n, b| n << 8 | i128::from(*b));
    Some(if ty.unsigned { bits } else { bits - (1 << (8 * bytes.len() - 1)) })
}

/// The smallest byte string greater than every one that begins with `prefix`; none when there is no such (all 0xFF).
pub fn prefix_end(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|b| *b != 0xFF)?;
    let mut end = prefix[..=last].to_vec();
    end[last] += 1;
    Some(end)
}
