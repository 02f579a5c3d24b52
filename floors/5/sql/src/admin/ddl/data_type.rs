//! A column's type as written becomes the type that is stored, within MariaDB's limits.

use super::charset;
use crate::error::SqlError;
use crate::session::{Level, State};
use crate::syntax::ast::{self, CharsetSpec, DataType, LobSize, NumericAttrs};
use std::sync::Arc;
use types::column::{BlobSize, DecimalType, FloatType, IntegerType, Labels};
use types::{CollationId, ColumnDef, ColumnType, FixedType, GeometryType, IntSize};

const MAX_DECIMAL_DIGITS: u64 = 65;
const MAX_DECIMAL_SCALE: u64 = 38;
const MAX_FLOAT_SCALE: u64 = 30;
const MAX_DISPLAY_WIDTH: u64 = 255;
const MAX_CHAR: u64 = 255;
/// Bytes of the longest VARCHAR: a row's 65,535 less its length field and NULL bit.
const MAX_VARCHAR_BYTES: u64 = 65_532;
const MAX_BIT: u64 = 64;
const MAX_FRACTION: u64 = 6;
const MAX_SET_LABELS: usize = 64;
const MAX_ENUM_LABELS: usize = 65_535;

/// A column of a type as written, with nothing else said of it.
pub fn column_of_type(
    name: &str,
    ty: &DataType,
    inherited: CollationId,
    state: &mut State,
) -> Result<ColumnDef, SqlError> {
    let (ty, collation) = resolve(name, ty, inherited, state)?;
    let mut def = ColumnDef::new(name, ty, true);
    def.collation = collation;
    Ok(def)
}

/// Whether a type is written JSON.
pub fn is_json(ty: &DataType) -> bool {
    matches!(ty, DataType::Json)
}

/// The stored type and collation of column `name`; `inherited` is the table's collation.
pub fn resolve(
    name: &str,
    ty: &DataType,
    inherited: CollationId,
    state: &mut State,
) -> Result<(ColumnType, CollationId), SqlError> {
    let plain = |ty| Ok((ty, CollationId::BINARY));
    match ty {
        DataType::Integer { size, width, attrs } => plain(integer(name, *size, *width, *attrs)?),
        DataType::Decimal { precision, scale, attrs } => plain(decimal(name, *precision, *scale, *attrs)?),
        DataType::Float { precision, scale: None, attrs } => plain(float_of_bits(name, *precision, *attrs)?),
        DataType::Float { precision, scale, attrs } => {
            plain(ColumnType::Float(float(name, *precision, *scale, *attrs)?))
        }
        DataType::Double { precision, scale, attrs } => {
            plain(ColumnType::Double(float(name, *precision, *scale, *attrs)?))
        }
        DataType::Bit(width) => match width.unwrap_or(1).max(1) {
            width if width > MAX_BIT => Err(SqlError::too_big_display_width(name, MAX_BIT)),
            width => plain(ColumnType::Bit(width as u8)),
        },
        DataType::Year(_) => plain(ColumnType::Year),
        DataType::Date => plain(ColumnType::Date),
        DataType::Time(fsp) => plain(ColumnType::Time(fraction(name, *fsp)?)),
        DataType::DateTime(fsp) => plain(ColumnType::DateTime(fraction(name, *fsp)?)),
        DataType::Timestamp(fsp) => plain(ColumnType::Timestamp(fraction(name, *fsp)?)),
        DataType::Char { length, charset } => char_type(name, length.unwrap_or(1), charset, inherited),
        DataType::VarChar { length, charset } => varchar(name, *length, charset, inherited, state),
        DataType::Binary(length) => plain(binary(name, length.unwrap_or(1))?),
        DataType::VarBinary(length) => plain(var_binary(name, *length, state)?),
        DataType::Text { size, length, charset } => text(name, *size, *length, charset, inherited),
        DataType::Blob { size, length } => plain(ColumnType::Blob(lob_size(name, *size, *length, 1)?)),
        DataType::Enum { values, charset } => {
            let collation = charset::resolve(charset, inherited)?;
            let labels = labels(name, values, collation, "ENUM", state)?;
            match labels.len() > MAX_ENUM_LABELS {
                true => Err(SqlError::new(
                    3509,
                    b"HY000",
                    format!("Too many enumeration values for column {name}."),
                )),
                false => Ok((ColumnType::Enum(Arc::new(labels)), collation)),
            }
        }
        DataType::Set { values, charset } => {
            let collation = charset::resolve(charset, inherited)?;
            let labels = labels(name, values, collation, "SET", state)?;
            match labels.len() > MAX_SET_LABELS && distinct(&labels, collation) > MAX_SET_LABELS {
                true => {
                    let text = format!("Too many strings for column {name} and SET");
                    Err(SqlError::new(1097, b"HY000", text))
                }
                false => Ok((ColumnType::Set(Arc::new(labels)), collation)),
            }
        }
        DataType::Json => Ok((ColumnType::Text(BlobSize::Long), CollationId::UTF8MB4_BIN)),
        DataType::Geometry(kind) => match GeometryType::by_name(kind) {
            Some(kind) => plain(ColumnType::Geometry(kind)),
            None => Err(SqlError::not_supported_yet(kind)),
        },
        DataType::Named(kind) => match FixedType::by_name(kind) {
            Some(kind) => plain(ColumnType::Fixed(kind)),
            None => Err(SqlError::not_supported_yet(kind)),
        },
    }
}

/// What MariaDB's parser refuses of a type, before it looks for tables: digits, widths and lengths out of range (1074 of CHAR, 1425,
/// 1426, 1427, 1439) and character sets that do not exist (1115). Nothing is told of.
pub fn check_written(name: &str, ty: &DataType, state: &mut State) -> Result<(), SqlError> {
    // The table's own is not known yet, nor needed for a length.
    let any = CollationId::UTF8MB4_GENERAL_CI;
    match ty {
        DataType::VarChar { length, .. }
        | DataType::Text { length: Some(length), .. }
        | DataType::VarBinary(length)
            if *length > u64::from(u32::MAX) =>
        {
            Err(SqlError::too_big_display_width(name, u32::MAX))
        }
        DataType::VarChar { charset, .. }
        | DataType::Enum { charset, .. }
        | DataType::Set { charset, .. }
        | DataType::Text { charset, .. } => charset::resolve(charset, any).map(drop),
        DataType::VarBinary(_) | DataType::Named(_) | DataType::Geometry(_) => Ok(()),
        ty => resolve(name, ty, any, state).map(drop),
    }
}

fn integer(
    name: &str,
    size: ast::IntSize,
    width: Option<u64>,
    attrs: NumericAttrs,
) -> Result<ColumnType, SqlError> {
    let size = match size {
        ast::IntSize::Tiny => IntSize::Tiny,
        ast::IntSize::Small => IntSize::Small,
        ast::IntSize::Medium => IntSize::Medium,
        ast::IntSize::Int => IntSize::Normal,
        ast::IntSize::Big => IntSize::Big,
    };
    let mut ty = IntegerType::new(size, attrs.unsigned || attrs.zerofill);
    ty.zerofill = attrs.zerofill;
    match width {
        Some(width) if width > MAX_DISPLAY_WIDTH => {
            return Err(SqlError::too_big_display_width(name, MAX_DISPLAY_WIDTH));
        }
        Some(width) if width > 0 => ty.width = width as u8,
        _ => {}
    }
    Ok(ColumnType::Integer(ty))
}

fn decimal(
    name: &str,
    precision: Option<u64>,
    scale: Option<u64>,
    attrs: NumericAttrs,
) -> Result<ColumnType, SqlError> {
    let scale = scale.unwrap_or(0);
    if scale > MAX_DECIMAL_SCALE {
        return Err(SqlError::too_big_scale(name, MAX_DECIMAL_SCALE));
    }
    let precision = precision.filter(|&p| p != 0 || scale != 0).unwrap_or(10);
    if precision > MAX_DECIMAL_DIGITS {
        return Err(SqlError::too_big_precision(name, MAX_DECIMAL_DIGITS));
    }
    if precision < scale {
        return Err(SqlError::scale_exceeds_precision(name));
    }
    Ok(ColumnType::Decimal(DecimalType {
        precision: precision as u8,
        scale: scale as u8,
        unsigned: attrs.unsigned || attrs.zerofill,
        zerofill: attrs.zerofill,
    }))
}

/// `FLOAT`, `FLOAT(p)`: p counts bits, and beyond 24 of them it is a DOUBLE.
fn float_of_bits(name: &str, bits: Option<u64>, attrs: NumericAttrs) -> Result<ColumnType, SqlError> {
    let ty = FloatType { digits: None, unsigned: attrs.unsigned || attrs.zerofill, zerofill: attrs.zerofill };
    match bits.unwrap_or(0) {
        0..=24 => Ok(ColumnType::Float(ty)),
        25..=53 => Ok(ColumnType::Double(ty)),
        _ => Err(SqlError::wrong_field_spec(name)),
    }
}

fn float(
    name: &str,
    precision: Option<u64>,
    scale: Option<u64>,
    attrs: NumericAttrs,
) -> Result<FloatType, SqlError> {
    let mut ty =
        FloatType { digits: None, unsigned: attrs.unsigned || attrs.zerofill, zerofill: attrs.zerofill };
    let (Some(precision), Some(scale)) = (precision, scale) else { return Ok(ty) };
    if precision < scale {
        return Err(SqlError::scale_exceeds_precision(name));
    }
    if scale > MAX_FLOAT_SCALE {
        return Err(SqlError::too_big_scale(name, MAX_FLOAT_SCALE));
    }
    if precision > MAX_DISPLAY_WIDTH {
        return Err(SqlError::too_big_display_width(name, MAX_DISPLAY_WIDTH));
    }
    ty.digits = Some((precision as u8, scale as u8));
    Ok(ty)
}

fn fraction(name: &str, digits: Option<u64>) -> Result<u8, SqlError> {
    match digits.unwrap_or(0) {
        digits if digits > MAX_FRACTION => Err(SqlError::too_big_precision(name, MAX_FRACTION)),
        digits => Ok(digits as u8),
    }
}

fn char_type(
    name: &str,
    length: u64,
    spec: &CharsetSpec,
    inherited: CollationId,
) -> Result<(ColumnType, CollationId), SqlError> {
    let collation = charset::resolve(spec, inherited)?;
    if length > MAX_CHAR {
        return Err(SqlError::too_big_field_length(name, MAX_CHAR));
    }
    match collation {
        CollationId::BINARY => Ok((ColumnType::Binary(length as u32), collation)),
        _ => Ok((ColumnType::Char(length as u32), collation)),
    }
}

fn varchar(
    name: &str,
    length: u64,
    spec: &CharsetSpec,
    inherited: CollationId,
    state: &mut State,
) -> Result<(ColumnType, CollationId), SqlError> {
    let collation = charset::resolve(spec, inherited)?;
    let widest = collation.charset().max_char_bytes() as u64;
    let max = MAX_VARCHAR_BYTES / widest;
    if length > max {
        let binary = collation == CollationId::BINARY;
        let size = as_lob(name, length.saturating_mul(widest), max, binary, state)?;
        return Ok((if binary { ColumnType::Blob(size) } else { ColumnType::Text(size) }, collation));
    }
    match collation {
        CollationId::BINARY => Ok((ColumnType::VarBinary(length as u32), collation)),
        _ => Ok((ColumnType::VarChar(length as u32), collation)),
    }
}

fn binary(name: &str, length: u64) -> Result<ColumnType, SqlError> {
    match length > MAX_CHAR {
        true => Err(SqlError::too_big_field_length(name, MAX_CHAR)),
        false => Ok(ColumnType::Binary(length as u32)),
    }
}

/// A column that is too long for VARCHAR or VARBINARY becomes a TEXT or BLOB, with a note; error 1074 in strict mode.
fn as_lob(name: &str, bytes: u64, max: u64, binary: bool, state: &mut State) -> Result<BlobSize, SqlError> {
    if state.vars.is_strict() {
        return Err(SqlError::too_big_field_length(name, max));
    }
    let size = lob_size(name, LobSize::Normal, Some(bytes), 1)?;
    let (from, to) = if binary { ("VARBINARY", "BLOB") } else { ("VARCHAR", "TEXT") };
    state.warn(Level::Note, 1246, format!("Converting column '{name}' from {from} to {to}"));
    Ok(size)
}

fn var_binary(name: &str, length: u64, state: &mut State) -> Result<ColumnType, SqlError> {
    match length > MAX_VARCHAR_BYTES {
        true => Ok(ColumnType::Blob(as_lob(name, length, MAX_VARCHAR_BYTES, true, state)?)),
        false => Ok(ColumnType::VarBinary(length as u32)),
    }
}

fn text(
    name: &str,
    size: LobSize,
    length: Option<u64>,
    spec: &CharsetSpec,
    inherited: CollationId,
) -> Result<(ColumnType, CollationId), SqlError> {
    let collation = charset::resolve(spec, inherited)?;
    let size = lob_size(name, size, length, collation.charset().max_char_bytes() as u64)?;
    match collation {
        CollationId::BINARY => Ok((ColumnType::Blob(size), collation)),
        _ => Ok((ColumnType::Text(size), collation)),
    }
}

/// The size class: the one named, or the smallest that holds `length` characters.
fn lob_size(name: &str, size: LobSize, length: Option<u64>, char_bytes: u64) -> Result<BlobSize, SqlError> {
    let named = match size {
        LobSize::Tiny => BlobSize::Tiny,
        LobSize::Normal => BlobSize::Normal,
        LobSize::Medium => BlobSize::Medium,
        LobSize::Long => BlobSize::Long,
    };
    let Some(length) = length.filter(|&n| n > 0 && size == LobSize::Normal) else { return Ok(named) };
    let bytes = length.saturating_mul(char_bytes);
    let sizes = [BlobSize::Tiny, BlobSize::Normal, BlobSize::Medium, BlobSize::Long];
    let fits = sizes.into_iter().find(|size| bytes <= u64::from(size.max_bytes()));
    // Longer than any is cut where characters have several bytes.
    let fits = fits.or((length <= u64::from(u32::MAX)).then_some(BlobSize::Long));
    fits.ok_or_else(|| SqlError::too_big_display_width(name, u32::MAX))
}

/// How many labels there are under a collation.
fn distinct(labels: &Labels, collation: CollationId) -> usize {
    let all: Vec<&[u8]> = labels.iter().collect();
    let first = |at: &usize| !all[..*at].iter().any(|l| collation.collation().equal(l, all[*at]));
    (0..all.len()).filter(first).count()
}

/// Labels without the spaces at their ends (binary ones keep them); twice the same is error 1291, a note where
/// `sql_mode` is not strict.
fn labels(
    name: &str,
    values: &[Vec<u8>],
    collation: CollationId,
    kind: &str,
    state: &mut State,
) -> Result<Labels, SqlError> {
    let from = types::Charset::Utf8mb4;
    let mut labels: Vec<Vec<u8>> = Vec::with_capacity(values.len());
    for value in values {
        let label = from.convert_cow(value, collation.charset());
        let end = match collation {
            CollationId::BINARY => label.len(),
            _ => label.iter().rposition(|&b| b != b' ').map_or(0, |i| i + 1),
        };
        let label = &label[..end];
        if let Some(first) = labels.iter().find(|l| collation.collation().equal(l, label)) {
            let shown = collation.charset().to_utf8_lossy(first);
            let duplicate = SqlError::duplicated_value_in_type(name, shown, kind);
            if state.vars.is_strict() {
                return Err(duplicate);
            }
            state.warn(Level::Note, duplicate.errno, duplicate.message);
        }
        if kind == "SET" && label.contains(&b',') {
            let shown = String::from_utf8_lossy(value);
            return Err(SqlError::new(
                1367,
                b"22007",
                format!("Illegal set '{shown}' value found during parsing"),
            ));
        }
        labels.push(label.to_vec());
    }
    Ok(Labels::new(labels))
}
