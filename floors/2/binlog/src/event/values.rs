//! How many bytes a value takes in a row image, from the type and metadata that TABLE_MAP gives.
//!
//! Enough to split rows into images without knowing the table; the values themselves belong to `types`.

use super::cursor::Cursor;
use super::table_map::TableMap;
use crate::error::DecodeError;

/// The bytes that a value at the start of `bytes` takes.
pub fn value_length(kind: u8, metadata: u16, bytes: &[u8]) -> Result<usize, DecodeError> {
    let mut cursor = Cursor::new(bytes);
    skip_value(kind, metadata, &mut cursor)?;
    Ok(cursor.at())
}

/// The bytes that an image of the columns in `present` takes at the start of `bytes`, its null bitmap included.
pub fn image_length(map: &TableMap<'_>, present: &[u8], bytes: &[u8]) -> Result<usize, DecodeError> {
    let mut cursor = Cursor::new(bytes);
    let count = map.types.len();
    let in_image = (0..count).filter(|column| bit(present, *column)).count();
    let nulls = cursor.take(in_image.div_ceil(8), "null bitmap of a row")?;
    let mut metadata = Cursor::new(map.metadata);
    let mut place = 0;
    for (column, kind) in map.types.iter().enumerate() {
        let column_metadata = take_metadata(*kind, &mut metadata)?;
        if !bit(present, column) {
            continue;
        }
        if !bit(nulls, place) {
            skip_value(*kind, column_metadata, &mut cursor)?;
        }
        place += 1;
    }
    Ok(cursor.at())
}

/// Bit `index` of a bitmap, least significant first; unset beyond its end.
pub(crate) fn bit(bitmap: &[u8], index: usize) -> bool {
    bitmap.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 != 0)
}

/// Takes the metadata of a column of type `kind`; two bytes are read little-endian.
pub(crate) fn take_metadata(kind: u8, metadata: &mut Cursor<'_>) -> Result<u16, DecodeError> {
    const WHAT: &str = "column metadata";
    match metadata_length(kind) {
        Some(0) => Ok(0),
        Some(1) => Ok(u16::from(metadata.u8(WHAT)?)),
        Some(_) => metadata.u16(WHAT),
        None => Err(metadata.error("type of a column")),
    }
}

/// Bytes of metadata for a type; `None` for types that are in no binlog.
pub(crate) fn metadata_length(kind: u8) -> Option<usize> {
    match kind {
        // TINY SHORT LONG NULL TIMESTAMP LONGLONG INT24 DATE TIME DATETIME YEAR NEWDATE
        1 | 2 | 3 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 => Some(0),
        // FLOAT DOUBLE TIMESTAMP2 DATETIME2 TIME2 VECTOR JSON BLOB kinds GEOMETRY, compressed BLOB
        4 | 5 | 17 | 18 | 19 | 141 | 242 | 245 | 249 | 250 | 251 | 252 | 255 => Some(1),
        // VARCHAR BIT NEWDECIMAL ENUM SET VAR_STRING STRING, compressed VARCHAR
        15 | 16 | 140 | 246 | 247 | 248 | 253 | 254 => Some(2),
        _ => None,
    }
}

fn skip_value(kind: u8, metadata: u16, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
    const WHAT: &str = "value of a row";
    let fixed = match kind {
        1 | 13 => 1,
        2 => 2,
        9 | 10 | 14 | 11 => 3,
        3 | 7 => 4,
        8 | 12 => 8,
        6 => 0,
        4 | 5 => usize::from(metadata),
        17 => 4 + fraction_bytes(metadata),
        18 => 5 + fraction_bytes(metadata),
        19 => 3 + fraction_bytes(metadata),
        246 => decimal_bytes(metadata).ok_or_else(|| cursor.error("DECIMAL metadata"))?,
        16 => usize::from(metadata >> 8) + usize::from(metadata & 0xFF != 0),
        15 | 253 | 140 => {
            if metadata < 256 {
                usize::from(cursor.u8(WHAT)?)
            } else {
                usize::from(cursor.u16(WHAT)?)
            }
        }
        247 | 248 => usize::from(metadata >> 8),
        254 => string_bytes(metadata, cursor)?,
        141 | 242 | 245 | 249 | 250 | 251 | 252 | 255 => match metadata {
            1 => usize::from(cursor.u8(WHAT)?),
            2 => usize::from(cursor.u16(WHAT)?),
            3 => cursor.u24(WHAT)? as usize,
            4 => cursor.u32(WHAT)? as usize,
            _ => return Err(cursor.error("BLOB metadata")),
        },
        _ => return Err(cursor.error("type of a column")),
    };
    cursor.take(fixed, WHAT)?;
    Ok(())
}

/// CHAR, BINARY and, by the first metadata byte, ENUM and SET.
fn string_bytes(metadata: u16, cursor: &mut Cursor<'_>) -> Result<usize, DecodeError> {
    const WHAT: &str = "value of a row";
    let [first, second] = metadata.to_le_bytes();
    let (kind, length) = if first & 0x30 == 0x30 {
        (first, usize::from(second))
    } else {
        (first | 0x30, usize::from(second) | usize::from((first & 0x30) ^ 0x30) << 4)
    };
    match kind {
        247 | 248 => Ok(length),
        _ if length < 256 => Ok(usize::from(cursor.u8(WHAT)?)),
        _ => Ok(usize::from(cursor.u16(WHAT)?)),
    }
}

fn fraction_bytes(digits: u16) -> usize {
    usize::from(digits.min(6)).div_ceil(2)
}

/// Bytes of DECIMAL(precision, scale): nine digits in four bytes, the rest in as few as hold them.
fn decimal_bytes(metadata: u16) -> Option<usize> {
    const LEFTOVER: [usize; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];
    let [precision, scale] = metadata.to_le_bytes().map(usize::from);
    let whole = precision.checked_sub(scale)?;
    let part = |digits: usize| digits / 9 * 4 + LEFTOVER[digits % 9];
    Some(part(whole) + part(scale))
}
