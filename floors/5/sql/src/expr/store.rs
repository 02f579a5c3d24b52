//! Conversions of values: into columns, between the types of operands, for keys and messages.

use super::aggregate::shown_year;
use super::build::{FREE_DECIMALS, whole_digits};
use super::func::string::with_digits;
use super::{Class, Coercibility, Comparison, Type, TypeKind};
use crate::error::SqlError;
use crate::session::{Level, State, mode};
use types::convert::{self, StoreIssue, to_datetime, to_decimal, to_double, to_integer, to_time};
use types::number::write_double_within;
use types::{
    BitValue, Charset, CollationId, ColumnDef, ColumnType, Date, DateTime, Decimal, FloatType, StrValue,
    Time, Timestamp, Value,
};

/// Converts a value to a column; what is lost raises MariaDB's error in strict mode, its warning elsewhere.
pub fn store(value: &Value, column: &ColumnDef, state: &mut State) -> Result<Value, SqlError> {
    let context = state.convert_context();
    let stored = convert::store(value.clone(), &column.ty, column.collation, &context);
    let Some(issue) = stored.issue else { return Ok(stored.value) };
    let strict = state.statement.strict && !state.statement.ignore;
    let row = state.statement.told_row();
    let name = &column.name;
    let table = state.statement.target.as_ref();
    // Columns of no table are those of JSON_TABLE.
    let target = match table {
        _ if state.statement.aside => (String::new(), "(temporary)".to_owned()),
        None => ("*any*".to_owned(), "json_table".to_owned()),
        Some(t) => (t.db().to_owned(), t.name().to_owned()),
    };
    match issue {
        StoreIssue::BadTemporal { leftover: true, .. } if !strict => {
            let cut = SqlError::data_truncated(name, row);
            state.warn(Level::Warning, cut.errno, cut.message);
        }
        // No row can go without a geometry that was given.
        StoreIssue::NeverGeometry(..) if !strict => return Err(SqlError::cant_create_geometry()),
        StoreIssue::BadGeometry => return Err(SqlError::cant_create_geometry()),
        _ => {}
    }
    let Complaint { error, level, softer } = complaint(&issue, value, column, &target, row);
    let also = stored.also.map(|also| match also {
        StoreIssue::Cut => (Level::Note, SqlError::data_truncated(name, row)),
        StoreIssue::BitTooLong if strict => (Level::Warning, SqlError::data_too_long(name, row)),
        _ => (Level::Warning, SqlError::out_of_range(name, row)),
    });
    if level != Level::Note && (strict || matches!(issue, StoreIssue::OtherGeometry(_))) {
        // A decimal is not looked at further.
        if let Some((_, also)) = also.filter(|_| !matches!(column.ty, ColumnType::Decimal(_))) {
            state.warn(Level::Error, also.errno, also.message);
        }
        return Err(error);
    }
    if let (StoreIssue::NeverFixed(_, ty), false) = (issue, matches!(value, Value::Fixed(_))) {
        state.warn(level, error.errno, error.message);
        return Ok(Value::Fixed(ty.zero()));
    }
    let said = softer.unwrap_or(error);
    state.warn(level, said.errno, said.message);
    if let Some((level, also)) = also {
        state.warn(level, also.errno, also.message);
    }
    match (&column.ty, &stored.value) {
        (ColumnType::Fixed(_), Value::Null) if !column.nullable => Ok(implicit_default(column)),
        _ => Ok(stored.value),
    }
}

/// What there is to say of a value that a column did not take as it was.
pub struct Complaint {
    /// The error in strict mode.
    pub error: SqlError,
    /// The level of what is said elsewhere; a note is no error in any mode.
    pub level: Level,
    /// What is said elsewhere, where that is not the error.
    pub softer: Option<SqlError>,
}

/// What there is to say of an issue; `target` is the database and table for messages.
pub fn complaint(
    issue: &StoreIssue,
    value: &Value,
    column: &ColumnDef,
    target: &(String, String),
    row: u64,
) -> Complaint {
    let name = &column.name;
    let (database, table) = target;
    let shown = || match value {
        // A fraction is shown where there is one.
        Value::DateTime(at, 1..) => {
            super::compare::shown(&Value::DateTime(*at, if at.micros > 0 { 6 } else { 0 }))
        }
        Value::Time(time, 1..) => {
            super::compare::shown(&Value::Time(*time, if time.micros() > 0 { 6 } else { 0 }))
        }
        value => super::compare::error_text(value),
    };
    let incorrect = |ty: &str, shown: String, errno: u16| {
        let text = format!(
            "Incorrect {ty} value: '{shown}' for column `{database}`.`{table}`.`{name}` at row {row}"
        );
        SqlError::new(errno, b"22007", text)
    };
    let (error, softer) = match issue {
        StoreIssue::Cut | StoreIssue::Truncated => (SqlError::data_truncated(name, row), None),
        StoreIssue::BadNumber(ty) => (incorrect(ty, shown(), 1366), None),
        StoreIssue::OutOfRange => (SqlError::out_of_range(name, row), None),
        StoreIssue::TooLong => {
            (SqlError::data_too_long(name, row), Some(SqlError::data_truncated(name, row)))
        }
        StoreIssue::BitTooLong => {
            (SqlError::data_too_long(name, row), Some(SqlError::out_of_range(name, row)))
        }
        StoreIssue::BadTemporal { kind, out_of_range, .. } => {
            let softer = match out_of_range {
                true => SqlError::out_of_range(name, row),
                false => SqlError::data_truncated(name, row),
            };
            (incorrect(kind.name(), shown(), 1292), Some(softer))
        }
        // That it can never be was said of the statement, or of its first row.
        StoreIssue::BadFixed(ty) | StoreIssue::NeverFixed(_, ty) => {
            (incorrect(ty.name(), shown(), 1292), None)
        }
        StoreIssue::NeverGeometry(from, ty) => {
            let to = ty.name();
            let text =
                format!("Cannot cast '{from}' as '{to}' in assignment of `{database}`.`{table}`.`{name}`");
            (SqlError::new(4078, b"HY000", text), None)
        }
        StoreIssue::BadGeometry => (SqlError::cant_create_geometry(), None),
        StoreIssue::OtherGeometry(wanted) => {
            (incorrect(&wanted.name().to_uppercase(), geometry_text(value), 1366), None)
        }
        StoreIssue::BadString { offset } => (bad_string(value, *offset, column, target, row), None),
    };
    let level = match issue {
        StoreIssue::Cut => Level::Note,
        StoreIssue::BadGeometry => Level::Error,
        _ => Level::Warning,
    };
    Complaint { error, level, softer }
}

/// What `0x...` of more than 64 bits is to a numeric column: the greatest integer, which is out of range whether the
/// column takes it or not.
pub fn beyond_64_bits(column: &ColumnDef, state: &mut State) -> Result<Value, SqlError> {
    let unsigned = match &column.ty {
        ColumnType::Integer(ty) => ty.unsigned,
        ColumnType::Decimal(ty) => ty.unsigned,
        ColumnType::Float(ty) | ColumnType::Double(ty) => ty.unsigned,
        _ => true,
    };
    let most = if unsigned { Value::UInt(u64::MAX) } else { Value::Int(i64::MAX) };
    let context = state.convert_context();
    if convert::store(most.clone(), &column.ty, column.collation, &context).issue.is_none() {
        let error = SqlError::out_of_range(&column.name, state.statement.told_row());
        if state.statement.strict && !state.statement.ignore {
            return Err(error);
        }
        state.warn(Level::Warning, error.errno, error.message);
    }
    Ok(most)
}

/// A value on its way into a column from an expression of type `from`. Its number is what most columns take; of another
/// column (`copied`), TEXT and BLOB take what it shows, columns of bytes the bytes of an address or UUID, and FLOAT a
/// float as it is. A computed zero TIMESTAMP is told with the digits of the TIMESTAMP that does not take it.
pub fn given(value: Value, from: &Type, copied: bool, to: &ColumnType) -> Value {
    let shown = copied && matches!(to, ColumnType::Text(_) | ColumnType::Blob(_));
    match value {
        Value::Bit(bit) if shown => Value::binary(&bit.to_bytes()),
        number if shown && number.is_numeric() => with_digits(number, from),
        Value::Bit(bit) => Value::UInt(bit.bits),
        Value::Float(n) => Value::Double(match to {
            ColumnType::Float(to) if copied => held(f64::from(n), from, to),
            _ => f64::from(n),
        }),
        Value::Year(year) => Value::Int(i64::from(year)),
        Value::Fixed(fixed) if !copied && to.is_string() => Value::text(&fixed.text()),
        Value::DateTime(DateTime::ZERO, _) if !copied && from.kind == TypeKind::Timestamp => match *to {
            ColumnType::Timestamp(digits @ 1..) => {
                Value::text(&super::compare::shown(&Value::DateTime(DateTime::ZERO, digits)))
            }
            _ => value,
        },
        value => value,
    }
}

/// A column's number as one that a column of no fewer digits holds: the nearest that it has in its four bytes to the
/// greatest of so many digits may be above that.
fn held(n: f64, from: &Type, to: &FloatType) -> f64 {
    match to.digits {
        Some((digits, scale)) if scale == from.decimals && u32::from(digits) >= from.length => {
            let most = 10_f64.powi(i32::from(digits) - i32::from(scale)) - 10_f64.powi(-i32::from(scale));
            n.clamp(-most, most)
        }
        _ => n,
    }
}

/// Characters of a geometry that messages show.
const GEOMETRY_SHOWN: usize = 128;

/// A geometry's text for a message.
fn geometry_text(value: &Value) -> String {
    let shape = match value {
        Value::Str(s) => types::geometry::Shape::of_value(&s.bytes),
        _ => None,
    };
    let mut text = Vec::new();
    if let Some((_, shape)) = shape {
        shape.write_text(&mut text);
    }
    super::compare::short(String::from_utf8_lossy(&text).into_owned(), GEOMETRY_SHOWN)
}

/// Error 1366 for bytes that the column's character set lacks: they are shown from the first bad one on.
fn bad_string(
    value: &Value,
    offset: usize,
    column: &ColumnDef,
    target: &(String, String),
    row: u64,
) -> SqlError {
    let (bytes, wide) = match value {
        Value::Str(s) => {
            let wide = s.collation.charset().space().len() > 1;
            (s.bytes.get(offset..).unwrap_or_default(), wide)
        }
        _ => (&[][..], false),
    };
    let mut shown = String::new();
    for byte in bytes.iter().take(6) {
        // Of characters of several bytes none is one by itself.
        match !wide && (byte.is_ascii_graphic() || *byte == b' ') {
            true => shown.push(char::from(*byte)),
            false => shown += &format!("\\x{byte:02X}"),
        }
    }
    if bytes.len() > 6 {
        shown += "...";
    }
    let (database, table) = target;
    let name = &column.name;
    let text =
        format!("Incorrect string value: '{shown}' for column `{database}`.`{table}`.`{name}` at row {row}");
    SqlError::new(1366, b"22007", text)
}

/// A value in the column's type when that is exact, so that a key made of it finds the rows that equal it.
pub fn exact(value: &Value, column: &ColumnDef, state: &State) -> Option<Value> {
    if let (Value::Int(n), ColumnType::Integer(ty)) = (value, &column.ty) {
        // By far the most frequent key.
        let (min, max) = ty.range();
        let fits = *n >= min && (*n < 0 || *n as u64 <= max);
        return fits.then(|| ty.value(*n));
    }
    let context = state.convert_context();
    let stored = convert::store(value.clone(), &column.ty, column.collation, &context);
    match stored.issue {
        None => {}
        Some(StoreIssue::TooLong) if column.ty.is_string() => {
            // A longer string is not in the column, but a range bound of it must not be cut.
            return None;
        }
        Some(_) => return None,
    }
    let same = match (&column.ty, &stored.value) {
        (ColumnType::Integer(_) | ColumnType::Year | ColumnType::Bit(_), kept) => match value {
            Value::Double(_) | Value::Float(_) | Value::Str(_) => {
                to_double(value).value == to_double(kept).value
            }
            _ => to_decimal(value).value.cmp_value(&to_decimal(kept).value).is_eq(),
        },
        (ColumnType::Decimal(_), kept) => to_decimal(value).value.cmp_value(&to_decimal(kept).value).is_eq(),
        (ColumnType::Float(_) | ColumnType::Double(_), kept) => {
            to_double(value).value == to_double(kept).value
        }
        (ColumnType::Date | ColumnType::DateTime(_) | ColumnType::Timestamp(_), kept) => {
            let kept = kept.clone().in_zone(&context.zone);
            to_datetime(value, &context).value == to_datetime(&kept, &context).value
        }
        (ColumnType::Time(_), kept) => to_time(value, &context).value == to_time(kept, &context).value,
        // What is shorter than the column is nothing that it holds: zero bytes count.
        (ColumnType::Binary(_), Value::Str(kept)) => {
            matches!(value, Value::Str(given) if given.bytes.len() == kept.bytes.len())
        }
        _ => true,
    };
    same.then_some(stored.value)
}

/// What a column makes of a value that it cannot hold exactly.
pub fn nearest(value: Value, column: &ColumnDef, state: &State) -> Value {
    convert::store(value, &column.ty, column.collation, &state.convert_context()).value
}

/// A column's literal default.
pub fn literal_default(text: &[u8], column: &ColumnDef, state: &mut State) -> Result<Value, SqlError> {
    let collation = if column.ty.has_charset() { column.collation } else { CollationId::UTF8MB4_GENERAL_CI };
    let collation =
        if matches!(column.ty, ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob(_)) {
            CollationId::BINARY
        } else {
            collation
        };
    let context = convert::ConvertContext { mode: types::DateMode::default(), ..state.convert_context() };
    let value = match &column.ty {
        ColumnType::Bit(_) => {
            let digits = std::str::from_utf8(text).unwrap_or("0");
            Value::UInt(digits.parse().unwrap_or(0))
        }
        _ => Value::Str(StrValue::new(text, collation)),
    };
    Ok(convert::store(value, &column.ty, column.collation, &context).value)
}

/// The value of a NOT NULL column without default: zero, '', the first label.
pub fn implicit_default(column: &ColumnDef) -> Value {
    let zero = match &column.ty {
        ColumnType::Date => Value::Date(Date::ZERO),
        ColumnType::DateTime(fsp) => Value::DateTime(DateTime::ZERO, *fsp),
        ColumnType::Timestamp(fsp) => Value::Timestamp(Timestamp::ZERO, *fsp),
        ColumnType::Time(fsp) => Value::Time(Time::default(), *fsp),
        ColumnType::Enum(labels) => {
            return Value::Enum(types::EnumValue {
                index: 1,
                labels: labels.clone(),
                collation: column.collation,
            });
        }
        ColumnType::Set(labels) => {
            return Value::Set(types::SetValue {
                bits: 0,
                labels: labels.clone(),
                collation: column.collation,
            });
        }
        ColumnType::Fixed(ty) => return Value::Fixed(ty.zero()),
        ColumnType::Geometry(_) => return Value::binary(b""),
        ty if ty.is_string() => Value::Str(StrValue::new(b"", column.collation)),
        _ => Value::Int(0),
    };
    let context =
        convert::ConvertContext { mode: types::DateMode::default(), ..convert::ConvertContext::default() };
    convert::store(zero, &column.ty, column.collation, &context).value
}

/// A column's value as the counter that AUTO_INCREMENT is.
pub fn as_counter(value: &Value) -> Option<i128> {
    match value {
        Value::Int(n) => Some(i128::from(*n)),
        Value::UInt(n) => Some(i128::from(*n)),
        Value::Double(_) | Value::Float(_) => Some(to_integer(value).value),
        _ => None,
    }
}

/// A value as error 1062 shows it.
pub fn key_text(value: &Value, column: &ColumnDef, prefix_chars: Option<u32>, state: &State) -> String {
    let cut = |text: String| match prefix_chars {
        Some(n) => text.chars().take(n as usize).collect(),
        None => text,
    };
    match (value, &column.ty) {
        (Value::Double(n), ColumnType::Double(FloatType { digits: Some((_, scale)), .. })) => {
            format!("{n:.0$}", usize::from(*scale))
        }
        (value, ColumnType::Integer(ty)) if ty.zerofill => {
            format!("{:0>width$}", super::compare::shown(value), width = usize::from(ty.width))
        }
        (Value::Null, _) => "NULL".into(),
        (
            value,
            ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob(_) | ColumnType::Bit(_),
        ) => {
            let bytes = types::convert::to_str(value, CollationId::BINARY);
            let bytes = bytes.map(|text| text.plain().into_owned()).unwrap_or_default();
            let whole = prefix_chars.map_or(bytes.len(), |n| bytes.len().min(n as usize));
            // The zero bytes that fill BINARY up are left out, but for the first.
            let end = match column.ty {
                ColumnType::Binary(_) => bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1),
                _ => whole,
            };
            super::compare::printable_bytes(&bytes[..end.min(whole)])
        }
        (value, ColumnType::Char(length)) if state.vars.has_mode(mode::PAD_CHAR_TO_FULL_LENGTH) => {
            let width = prefix_chars.unwrap_or(*length) as usize;
            format!("{:<width$}", super::compare::printable(&cut(super::compare::shown(value))))
        }
        _ => super::compare::printable(&cut(super::compare::shown(value))),
    }
}

/// The longest entry of a key that error 1062 shows whole.
const ENTRY_BYTES: usize = 64;

/// The parts of a key's entry as error 1062 shows them.
pub fn key_entry(parts: impl Iterator<Item = String>) -> String {
    let mut entry = String::new();
    for part in parts {
        // As MariaDB has it: behind empty texts there is nothing to be parted from.
        if !entry.is_empty() {
            entry.push('-');
        }
        entry.push_str(&part);
    }
    super::compare::short(entry, ENTRY_BYTES)
}

/// A value as an integer.
pub fn integer_value(value: &Value) -> Value {
    match value {
        Value::Int(_) | Value::UInt(_) => value.clone(),
        other => {
            let n = to_integer(other).value;
            i64::try_from(n).map(Value::Int).unwrap_or(Value::UInt(n as u64))
        }
    }
}

/// A value in a type: of one branch of CASE, one operand of COALESCE, one column of UNION.
pub fn to_type(value: Value, ty: &Type, state: &State) -> Value {
    if value.is_null() {
        return value;
    }
    if let TypeKind::Fixed(fixed) = ty.kind {
        let context = state.convert_context();
        return convert::store(value, &ColumnType::Fixed(fixed), ty.collation, &context).value;
    }
    match (ty.class(), &value) {
        (Class::Int, Value::Int(_) | Value::UInt(_) | Value::Year(_)) => value,
        (Class::Int, other) => integer_value(other),
        (Class::Real, Value::Float(_)) if ty.kind == TypeKind::Float => value,
        (Class::Real, other) if ty.kind == TypeKind::Float => Value::Float(to_double(other).value as f32),
        (Class::Real, Value::Double(_)) => value,
        (Class::Real, other) => Value::Double(to_double(other).value),
        (Class::Decimal, other) => {
            let d = to_decimal(other).value;
            Value::Decimal(if d.scale() == ty.decimals { d } else { rescaled(&d, ty.decimals) })
        }
        (Class::Temporal, other) => to_temporal(other, ty, state),
        (Class::Str, Value::Enum(_) | Value::Set(_)) if matches!(ty.kind, TypeKind::Enum | TypeKind::Set) => {
            value
        }
        (Class::Str, Value::Str(s)) if s.collation == ty.collation || ty.kind == TypeKind::Null => value,
        (Class::Str, other) => match super::compare::text_in(other, ty.collation) {
            Some(text) => Value::Str(StrValue::new(&text, ty.collation)),
            None => Value::Null,
        },
    }
}

/// A value of one type in another, which is that of several together.
pub fn between(value: Value, from: &Type, to: &Type, state: &mut State) -> Value {
    if let (TypeKind::Fixed(ty), Value::Str(_) | Value::Enum(_) | Value::Set(_)) = (to.kind, &value) {
        // Text that is none is told of.
        return super::compare::fixed(&value, ty, state).map_or(Value::Null, Value::Fixed);
    }
    let value = if to.class() == Class::Str { with_digits(value, from) } else { value };
    shown_year(to_type(value, to, state))
}

fn rescaled(d: &Decimal, scale: u8) -> Decimal {
    d.round(i32::from(scale), types::decimal::Rounding::HalfUp)
}

fn to_temporal(value: &Value, ty: &Type, state: &State) -> Value {
    let mut context = state.convert_context();
    // A day that its month has not was let in.
    context.mode.allow_invalid |= matches!(value, Value::Date(_) | Value::DateTime(..));
    match ty.kind {
        // What a column holds is held against no mode.
        TypeKind::Timestamp if let Value::DateTime(at, _) = value => Value::DateTime(*at, ty.decimals),
        TypeKind::Time => to_time(value, &context).value.map_or(Value::Null, |t| Value::Time(t, ty.decimals)),
        TypeKind::Date => to_datetime(value, &context).value.map_or(Value::Null, |at| Value::Date(at.date)),
        _ => to_datetime(value, &context).value.map_or(Value::Null, |at| Value::DateTime(at, ty.decimals)),
    }
}

/// Puts a row into `stored` in the types of a UNION's columns; `from` tells the types of its own.
pub fn to_types<'t>(
    row: &[Value],
    from: impl Iterator<Item = &'t Type>,
    types: &[Type],
    state: &State,
    stored: &mut Vec<Value>,
) {
    stored.clear();
    let values = row.iter().zip(from).zip(types);
    stored.extend(values.map(|((value, from), ty)| stored_as(value, from, ty, state)));
}

/// The bytes of a geometry are taken for those of the text beside it: in a column of characters those that are none
/// become `?`.
pub fn characters(value: Value, ty: &Type) -> Value {
    match &value {
        Value::Str(s)
            if ty.kind == TypeKind::LongBlob
                && matches!(s.collation.charset(), Charset::Utf8mb4 | Charset::Utf8mb3) =>
        {
            let mut text = Vec::with_capacity(s.bytes.len());
            for chunk in s.bytes.utf8_chunks() {
                text.extend_from_slice(chunk.valid().as_bytes());
                text.extend(chunk.invalid().iter().map(|_| b'?'));
            }
            Value::Str(StrValue::new(&text, s.collation))
        }
        _ => value,
    }
}

/// A text that was chosen among bytes is bytes to who stores it.
pub fn bytes_of(value: Value, of: &Type) -> Value {
    match value {
        Value::Str(s) if of.class() == Class::Str && of.collation == CollationId::BINARY => {
            Value::Str(StrValue { collation: CollationId::BINARY, ..s })
        }
        value => value,
    }
}

/// A value as a temporary table keeps it: a date that `sql_mode` does not know is the zero date there.
fn stored_as(value: &Value, from: &Type, ty: &Type, state: &State) -> Value {
    let dated = matches!(ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp);
    let value = &bytes_of(value.clone(), from);
    let value = match (value, ty.class()) {
        (Value::Str(s), Class::Str)
            if from.kind == TypeKind::LongBlob && s.collation != CollationId::BINARY =>
        {
            &characters(value.clone(), from)
        }
        // Bits among texts are the digits of their number, but in TEXT, which takes what is shown.
        (Value::Bit(_), Class::Str) if !ty.kind.is_blob() => &integer_value(value),
        // So is a year, which the zero one shows.
        (Value::Year(0), Class::Str) if !ty.kind.is_blob() => &Value::Int(0),
        (Value::Bit(bit), _) if ty.kind == TypeKind::Bit => {
            return Value::Bit(BitValue { width: ty.length as u8, ..*bit });
        }
        (Value::Int(_) | Value::UInt(_), _) if ty.kind == TypeKind::Bit => {
            let bits = to_integer(value).value as u64;
            return Value::Bit(BitValue { width: ty.length.clamp(1, 64) as u8, bits });
        }
        // What is an INT by its type may be a number beyond it.
        (Value::Int(n), _) if ty.kind == TypeKind::Long && !ty.unsigned => {
            &Value::Int(super::exact::within_int(*n))
        }
        (number, Class::Str) if number.is_numeric() && ty.kind.is_blob() => &long_text(number, from),
        // There is no room for more digits than its type has: the week of no date has nine.
        (Value::Int(_) | Value::UInt(_), Class::Str) if is_plain(ty) && from.class() == Class::Int => {
            let mut text = super::compare::shown(value).into_bytes();
            text.truncate(ty.length as usize);
            &Value::Str(StrValue::of_plain(text, CollationId::UTF8MB4_GENERAL_CI))
        }
        // So it does of a quotient, which has more digits than its type.
        (Value::Decimal(d), Class::Str) if is_plain(ty) && d.scale() > from.decimals => {
            let mut text = super::compare::shown(value).into_bytes();
            text.truncate(ty.length as usize);
            &Value::Str(StrValue::of_plain(text, CollationId::UTF8MB4_GENERAL_CI))
        }
        // Another text has but room for so many digits, all of which are told of a float.
        (Value::Float(_) | Value::Double(_), Class::Str) if is_plain(ty) => {
            let mut text = Vec::new();
            write_double_within(to_double(value).value, ty.length as usize, &mut text);
            &Value::Str(StrValue::of_plain(text, CollationId::UTF8MB4_GENERAL_CI))
        }
        (Value::Str(bytes), Class::Str)
            if is_plain(ty)
                && bytes.collation == CollationId::BINARY
                && matches!(ty.collation.charset(), Charset::Utf8mb3 | Charset::Utf8mb4) =>
        {
            let readable = super::func::cast::readable(&bytes.bytes, ty.collation.charset(), 1);
            &Value::Str(StrValue::owned(readable, ty.collation))
        }
        (Value::Str(s), Class::Str) if is_plain(ty) && !ty.kind.is_blob() => &Value::Str(cut(s, ty)),
        // What no address is made of is the first of all.
        (value, _) if !matches!(value, Value::Null | Value::Str(_) | Value::Fixed(_)) => match ty.kind {
            TypeKind::Fixed(fixed) if from.class() != Class::Str => return Value::Fixed(fixed.zero()),
            _ => value,
        },
        (value, _) => value,
    };
    let refused = matches!(value, Value::Date(_) | Value::DateTime(..));
    match to_type(value.clone(), ty, state) {
        // Declared digits behind the point are all that it has.
        Value::Double(number) if ty.decimals < FREE_DECIMALS => {
            Value::Double(convert::of_digits(number, ty.decimals))
        }
        Value::Null if dated && (refused || !ty.nullable) => match ty.kind {
            TypeKind::Date => Value::Date(Date::ZERO),
            _ => Value::DateTime(Date::ZERO.at_midnight(), ty.decimals),
        },
        Value::Int(0) | Value::UInt(0) if ty.kind == TypeKind::Year => Value::Year(0),
        // More digits than its column has are the greatest number there.
        Value::Decimal(d) if ty.class() == Class::Decimal => Value::Decimal(within(d, ty)),
        // BINARY is filled up, and so is CHAR where it is shown whole; else it ends before its last spaces.
        Value::Str(s) if ty.kind == TypeKind::Char => Value::Str(filled(s, ty, state)),
        stored => stored,
    }
}

/// A decimal, or the greatest one that a column of a type holds.
fn within(d: Decimal, ty: &Type) -> Decimal {
    let whole = whole_digits(&Type { written: false, ..ty.clone() });
    match u32::from(d.whole_digits()) > whole {
        true => {
            Decimal::largest(d.is_negative(), (whole + u32::from(ty.decimals)).min(65) as u8, ty.decimals)
        }
        false => d,
    }
}

/// A number as TEXT holds it.
fn long_text(number: &Value, from: &Type) -> Value {
    // A double has all its digits there, but a column's has those that it was declared with.
    if matches!(number, Value::Double(_)) && from.origin.column().is_none() {
        return number.clone();
    }
    match with_digits(number.clone(), from) {
        Value::Float(n) => {
            let mut text = Vec::new();
            types::number::write_float(n, &mut text);
            Value::Str(StrValue::of_plain(text, CollationId::UTF8MB4_GENERAL_CI))
        }
        shown => shown,
    }
}

/// As much of a text as its column has room for: of a number's text, which may be longer than what it was written as.
fn cut(s: &StrValue, ty: &Type) -> StrValue {
    let room = super::func::string::text_length(ty) as usize;
    if s.bytes.len() <= room {
        return s.clone();
    }
    let end = s.collation.charset().offset_of_char(&s.bytes, room);
    StrValue::new(&s.bytes[..end], s.collation)
}

/// Text that is neither an address nor a geometry.
fn is_plain(ty: &Type) -> bool {
    !matches!(ty.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_) | TypeKind::Null) && ty.labels.is_none()
}

fn filled(s: StrValue, ty: &Type, state: &State) -> StrValue {
    let charset = ty.collation.charset();
    let fill = match ty.collation {
        CollationId::BINARY => vec![0],
        _ if state.vars.has_mode(mode::PAD_CHAR_TO_FULL_LENGTH) => charset.of_plain(b" ").to_vec(),
        _ => {
            let space = charset.of_plain(b" ");
            let spaces = s.bytes.rchunks(space.len()).take_while(|end| *end == &space[..]).count();
            return match spaces {
                0 => s,
                _ => StrValue::new(&s.bytes[..s.bytes.len() - spaces * space.len()], s.collation),
            };
        }
    };
    let missing = (ty.length as usize).saturating_sub(charset.char_count(&s.bytes));
    let mut bytes = s.bytes.to_vec();
    (0..missing).for_each(|_| bytes.extend_from_slice(&fill));
    StrValue::owned(bytes, s.collation)
}

/// A type whose keys are equal exactly where a comparison finds values equal.
pub fn comparison_type(how: Comparison) -> Option<Type> {
    let (kind, collation) = match how {
        Comparison::Int => (TypeKind::LongLong, CollationId::BINARY),
        Comparison::Decimal => (TypeKind::Decimal, CollationId::BINARY),
        Comparison::Real => (TypeKind::Double, CollationId::BINARY),
        Comparison::Str(collation) => (TypeKind::VarChar, collation),
        Comparison::DateTime => (TypeKind::DateTime, CollationId::BINARY),
        Comparison::Time => (TypeKind::Time, CollationId::BINARY),
        Comparison::Fixed(ty) => return Some(super::build::fixed_type(ty)),
        Comparison::Near(_) => return None,
    };
    Some(Type { kind, collation, coercibility: Coercibility::Implicit, ..super::build::boolean(true) })
}

/// A value as a comparison sees it, for its key.
pub fn for_comparison(value: &Value, how: Comparison, state: &State) -> Value {
    match comparison_type(how) {
        Some(ty) => match (ty.kind, value) {
            // A date is compared as it is, whatever the mode has of it.
            (TypeKind::DateTime, Value::DateTime(at, _)) => Value::DateTime(*at, 6),
            (TypeKind::DateTime, Value::Date(date)) => Value::DateTime(date.at_midnight(), 6),
            (kind, _) => {
                let ty = Type { decimals: if kind == TypeKind::Decimal { 38 } else { 6 }, ..ty };
                to_type(value.clone(), &ty, state)
            }
        },
        None => value.clone(),
    }
}
