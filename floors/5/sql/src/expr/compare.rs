//! Comparing two values in the way chosen at bind time.

use super::func::long::aside;
use super::operand::{self, Dates};
use super::{Class, CompareOp, Comparison, Expr, Kind};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use std::borrow::Cow;
use std::cmp::Ordering;
use types::convert::{store, to_integer, to_str};
use types::number::Parsed;
use types::{Charset, CollationId, ColumnType, DateTime, Decimal, FixedType, FixedValue, Time, Value};

/// Whether an ordering satisfies an operator.
pub fn holds(op: CompareOp, ordering: Ordering) -> bool {
    match op {
        CompareOp::Eq | CompareOp::NullSafeEq => ordering.is_eq(),
        CompareOp::Ne => ordering.is_ne(),
        CompareOp::Lt => ordering.is_lt(),
        CompareOp::Le => ordering.is_le(),
        CompareOp::Gt => ordering.is_gt(),
        CompareOp::Ge => ordering.is_ge(),
    }
}

/// As [`compare_values`] for values that are of the kind compared already, which is nearly always; none for others.
#[inline]
pub fn plain_order(a: &Value, b: &Value, how: Comparison) -> Option<Option<Ordering>> {
    Some(Some(match (a, b, how) {
        (Value::Null, _, _) | (_, Value::Null, _) => return Some(None),
        (Value::Int(a), Value::Int(b), Comparison::Int) => a.cmp(b),
        (Value::UInt(a), Value::UInt(b), Comparison::Int) => a.cmp(b),
        (Value::Int(a), Value::UInt(b), Comparison::Int) => i128::from(*a).cmp(&i128::from(*b)),
        (Value::UInt(a), Value::Int(b), Comparison::Int) => i128::from(*a).cmp(&i128::from(*b)),
        (Value::Decimal(a), Value::Decimal(b), Comparison::Decimal) => a.cmp_value(b),
        (Value::Decimal(a), Value::Int(b), Comparison::Decimal) => a.cmp_value(&Decimal::from(*b)),
        (Value::Int(a), Value::Decimal(b), Comparison::Decimal) => Decimal::from(*a).cmp_value(b),
        (Value::Decimal(a), Value::UInt(b), Comparison::Decimal) => a.cmp_value(&Decimal::from(*b)),
        (Value::UInt(a), Value::Decimal(b), Comparison::Decimal) => Decimal::from(*a).cmp_value(b),
        (Value::Double(a), Value::Double(b), Comparison::Real) => return Some(a.partial_cmp(b)),
        (Value::Double(a), Value::Double(b), Comparison::Near(digits)) => return Some(near(*a, *b, digits)),
        (Value::Date(a), Value::Date(b), Comparison::DateTime) => a.cmp(b),
        (Value::Fixed(a), Value::Fixed(b), Comparison::Fixed(ty)) if a.ty == ty && b.ty == ty => a.cmp(b),
        (Value::DateTime(a, _), Value::DateTime(b, _), Comparison::DateTime) => a.cmp(b),
        (Value::Date(a), Value::DateTime(b, _), Comparison::DateTime) => a.at_midnight().cmp(b),
        (Value::DateTime(a, _), Value::Date(b), Comparison::DateTime) => a.cmp(&b.at_midnight()),
        (Value::Time(a, _), Value::Time(b, _), Comparison::Time) => a.cmp(b),
        (Value::Str(a), Value::Str(b), Comparison::Str(collation))
            if a.collation.charset() == b.collation.charset() =>
        {
            let long = a.bytes.len().min(b.bytes.len());
            aside(long, || collation.collation().compare(&a.bytes, &b.bytes))
        }
        _ => return None,
    }))
}

impl CompareOp {
    /// The operator with its sides exchanged.
    pub fn turned(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            CompareOp::Eq | CompareOp::Ne | CompareOp::NullSafeEq => self,
        }
    }

    /// The operator that holds where this one does not.
    pub fn otherwise(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Ge => CompareOp::Lt,
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne | CompareOp::NullSafeEq => CompareOp::Eq,
        }
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            CompareOp::Eq => "=",
            CompareOp::Ne => "<>",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
            CompareOp::NullSafeEq => "<=>",
        }
    }
}

/// The order of two values; `None` when one is NULL or no value of the kind compared.
pub fn compare_values(a: &Value, b: &Value, how: Comparison, state: &mut State) -> Option<Ordering> {
    if let Some(order) = plain_order(a, b, how) {
        return order;
    }
    match how {
        Comparison::Int => Some(to_integer(a).value.cmp(&to_integer(b).value)),
        Comparison::Decimal => {
            let (left, right) = (operand::decimal_of(a, state), operand::decimal_of(b, state));
            Some(left.cmp_value(&right))
        }
        Comparison::Real => operand::real_of(a, state).partial_cmp(&operand::real_of(b, state)),
        Comparison::Near(digits) => near(operand::real_of(a, state), operand::real_of(b, state), digits),
        Comparison::Str(collation) => {
            let (a, b) = (text_in(a, collation)?, text_in(b, collation)?);
            Some(collation.collation().compare(&a, &b))
        }
        Comparison::DateTime => Some(date_time(a, state).cmp(&date_time(b, state))),
        Comparison::Time => Some(time(a, state).cmp(&time(b, state))),
        Comparison::Fixed(ty) => Some(fixed(a, ty, state)?.cmp(&fixed(b, ty, state)?)),
    }
}

/// The order of doubles as [`Comparison::Near`] has it.
pub(super) fn near(a: f64, b: f64, digits: u8) -> Option<Ordering> {
    if (a - b).abs() < 5.0 / 10_f64.powi(i32::from(digits) + 1) {
        return Some(Ordering::Equal);
    }
    a.partial_cmp(&b)
}

/// A value as a date and time; what is none is warned of and compares as the zero date.
fn date_time(value: &Value, state: &mut State) -> DateTime {
    operand::date_of(value, None, Dates::Compared, state).map_or(DateTime::ZERO, |dated| dated.at)
}

/// A value as a time; what is none is warned of and compares as zero.
fn time(value: &Value, state: &mut State) -> Time {
    operand::time_of(value, None, true, state).unwrap_or_default()
}

/// As [`side`]; text that is a constant of the statement is read once, and warned of once, however many rows it is
/// compared with.
#[inline]
pub fn side_once(e: &Expr, how: Comparison, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    match e.peek(cx) {
        Some(value)
            if matches!(e.kind, Kind::Const(_) | Kind::Param(_))
                && (matches!(value, Value::Str(_)) && !plain(how)
                    || how.is_dated() && !value.is_temporal()) =>
        {
            let value = value.clone();
            Ok(once_compared(e, value, how, cx))
        }
        None if how.is_dated()
            && matches!(&e.kind, Kind::Call(call) if !call.reads_row())
            && e.is_settled() =>
        {
            call_once(e, how, cx)
        }
        _ if matches!(how, Comparison::Decimal | Comparison::Real | Comparison::Near(_))
            && matches!(&e.kind, Kind::Subquery(subquery) if !subquery.correlated) =>
        {
            match e.eval(cx)? {
                text @ Value::Str(_) => Ok(once_compared(e, text, how, cx)),
                value => Ok(value),
            }
        }
        _ => side(e, how, cx),
    }
}

/// Reads the constants of a list, all of them before the first is compared: no mode makes errors of what is said of that.
pub fn read_members(list: &[(Comparison, Expr)], cx: &mut Cx<'_>) -> Result<(), SqlError> {
    if list.len() < 2 {
        return Ok(());
    }
    for (how, e) in list.iter().filter(|(how, _)| !plain(*how)) {
        let read = |value: &Value| match value {
            Value::Str(_) => true,
            value => how.is_dated() && !value.is_temporal() && !value.is_null(),
        };
        if e.peek(cx).is_some_and(read) {
            let fails = cx.state.statement.warnings_fail;
            cx.state.statement.warnings_fail = fails && cx.state.statement.members_fail;
            let member = side_once(e, *how, cx);
            cx.state.statement.warnings_fail = fails;
            member?;
        }
    }
    Ok(())
}

/// A date or time computed of constants (it gave a warning, else it were one itself), once a statement.
fn call_once(e: &Expr, how: Comparison, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    let key = (std::ptr::from_ref(e) as usize, how);
    if let Some(constant) = cx.state.statement.constants.get(&key)
        && constant.source == Value::Null
    {
        return Ok(constant.read.clone());
    }
    let read = side(e, how, cx)?;
    let constant = crate::session::ReadConstant { source: Value::Null, read: read.clone() };
    cx.state.statement.constants.insert(key, constant);
    Ok(read)
}

/// Whether values are compared as they are.
fn plain(how: Comparison) -> bool {
    matches!(how, Comparison::Str(_) | Comparison::Int)
}

/// An operand as it is compared: dates and times are read, with its column at hand for warnings.
#[inline]
pub fn side(e: &Expr, how: Comparison, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    match how {
        Comparison::Str(_) => e.eval_found(cx),
        Comparison::Int => operand::numeric(cx, e),
        Comparison::Real | Comparison::Near(_) if let Some(mean) = e.real_mean() => mean.eval(cx),
        Comparison::Decimal | Comparison::Real | Comparison::Near(_) => {
            let class = if how == Comparison::Decimal { Class::Decimal } else { Class::Real };
            let value = operand::numeric_as(cx, e, class)?;
            Ok(match (&value, how) {
                // Text is read once, for all that it is compared with.
                (Value::Str(_), Comparison::Decimal) => Value::Decimal(operand::decimal_of(&value, cx.state)),
                (Value::Str(_), _) => Value::Double(operand::real_of(&value, cx.state)),
                _ => value,
            })
        }
        Comparison::DateTime => {
            let dated = operand::datetime(cx, e, Dates::Compared)?;
            Ok(dated.map_or(Value::Null, |dated| Value::DateTime(dated.at, 6)))
        }
        Comparison::Time => {
            let time = operand::time(cx, e, true)?;
            Ok(time.map_or(Value::Null, |time| Value::Time(time, 6)))
        }
        Comparison::Fixed(_) => Ok(as_compared(&e.eval(cx)?, how, cx.state)),
    }
}

/// As [`side`] of DECODE, where what is no date or time is said to be none at all.
pub fn matched(e: &Expr, how: Comparison, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    if how == Comparison::Time && e.ty.class() == Class::Str {
        let value = e.eval(cx)?;
        return Ok(match value.is_null() {
            true => value,
            false => Value::Time(operand::time_of(&value, Some(e), false, cx.state).unwrap_or_default(), 6),
        });
    }
    if how != Comparison::DateTime {
        return side(e, how, cx);
    }
    let dated = operand::datetime(cx, e, Dates::Matched)?;
    Ok(dated.map_or(Value::Null, |dated| Value::DateTime(dated.at, 6)))
}

/// Constant text, read as the kind compared once a statement.
fn once_compared(e: &Expr, value: Value, how: Comparison, cx: &mut Cx<'_>) -> Value {
    let place = std::ptr::from_ref(e) as usize;
    if let Some(constant) = cx.state.statement.constants.get(&(place, how))
        && constant.source == value
    {
        return constant.read.clone();
    }
    let read = as_compared(&value, how, cx.state);
    let constant = crate::session::ReadConstant { source: value, read: read.clone() };
    cx.state.statement.constants.insert((place, how), constant);
    read
}

/// A value in the form that a comparison reads it in, with the warnings that reading gives; text under a collation
/// stays as it is.
pub fn as_compared(value: &Value, how: Comparison, state: &mut State) -> Value {
    match how {
        _ if value.is_null() => Value::Null,
        Comparison::Int => {
            let n = to_integer(value).value;
            i64::try_from(n).map(Value::Int).unwrap_or(Value::UInt(n as u64))
        }
        Comparison::Decimal => Value::Decimal(operand::decimal_of(value, state)),
        Comparison::Real | Comparison::Near(_) => Value::Double(operand::real_of(value, state)),
        Comparison::Str(_) => value.clone(),
        Comparison::DateTime => Value::DateTime(date_time(value, state), 6),
        Comparison::Time => Value::Time(time(value, state), 6),
        Comparison::Fixed(ty) => fixed(value, ty, state).map_or(Value::Null, Value::Fixed),
    }
}

/// A value that a query gave, as [`as_compared`]: what is no date or time is told of by the name of the column that it is.
pub fn found_compared(value: &Value, of: Option<&Expr>, how: Comparison, state: &mut State) -> Value {
    match (how, of) {
        _ if value.is_null() => Value::Null,
        (Comparison::DateTime, Some(_)) => {
            let dated = operand::date_of(value, of, Dates::Compared, state);
            Value::DateTime(dated.map_or(DateTime::ZERO, |dated| dated.at), 6)
        }
        (Comparison::Time, Some(_)) => {
            Value::Time(operand::time_of(value, of, true, state).unwrap_or_default(), 6)
        }
        _ => as_compared(value, how, state),
    }
}

/// A value as one of a type of fixed size; a warning for what is none.
pub fn fixed(value: &Value, ty: FixedType, state: &mut State) -> Option<FixedValue> {
    if value.is_null() {
        return None;
    }
    let stored = store(value.clone(), &ColumnType::Fixed(ty), CollationId::BINARY, &state.convert_context());
    if let Value::Fixed(value) = stored.value {
        return Some(value);
    }
    let text = format!("Incorrect {} value: '{}'", ty.name(), error_text(value));
    state.warn(Level::Warning, 1292, text);
    None
}

/// A value's bytes in a collation's character set; `None` for NULL.
pub fn text_in(value: &Value, collation: CollationId) -> Option<Cow<'_, [u8]>> {
    let charset = collation.charset();
    match value {
        Value::Str(s) if s.collation.charset() == charset => Some(Cow::Borrowed(&s.bytes)),
        Value::Str(s) => Some(s.collation.charset().convert_cow(&s.bytes, charset)),
        other => {
            let text = to_str(other, collation)?;
            let from = text.collation.charset();
            Some(Cow::Owned(from.convert_cow(&text.bytes, charset).into_owned()))
        }
    }
}

/// What is said of text that was read as a number: a warning of what is no number, a note of white space after it.
pub fn warn_leftover<T>(state: &mut State, kind: &str, value: &Value, number: &Parsed<T>) {
    let too_large = number.out_of_range && matches!(value, Value::Str(_)) && kind != "INTEGER";
    let level = match (number.garbage || too_large, number.spaces) {
        (true, _) => Level::Warning,
        (false, true) => Level::Note,
        (false, false) => return,
    };
    let shown = error_text(value);
    state.warn(level, 1292, format!("Truncated incorrect {kind} value: '{shown}'"));
}

/// Warning 1292 "Truncated incorrect ... value".
pub fn warn_truncated(state: &mut State, kind: &str, value: &Value) {
    let shown = error_text(value);
    state.warn(Level::Warning, 1292, format!("Truncated incorrect {kind} value: '{shown}'"));
}

/// A value as messages show it.
pub fn shown(value: &Value) -> String {
    match to_str(value, CollationId::UTF8MB4_GENERAL_CI) {
        None => "NULL".into(),
        Some(text) => text.collation.charset().to_utf8_lossy(&text.bytes),
    }
}

/// The longest value that messages show whole.
pub const SHOWN_BYTES: usize = 128;

/// A value as warnings of conversions show it: bytes without a character set that are not printable by their numbers.
pub fn error_text(value: &Value) -> String {
    match value {
        Value::Str(s) if s.collation == CollationId::BINARY => bytes_text(value),
        // Cut with control characters as they are, but for zeros.
        _ => printable(&short(basic(&text_of(value)), SHOWN_BYTES)),
    }
}

/// As [`error_text`], however long.
pub fn whole_text(value: &Value) -> String {
    match value {
        Value::Str(s) if s.collation == CollationId::BINARY => {
            printable_bytes(&s.bytes[..s.bytes.len().min(2 * SHOWN_BYTES)])
        }
        _ => printable(&text_of(value)),
    }
}

/// A value's characters; what is none is a mark of question.
fn text_of(value: &Value) -> String {
    match value {
        Value::Str(s) => match s.collation.charset() {
            charset @ (Charset::Ascii | Charset::Utf8mb3 | Charset::Utf8mb4) => marked(&s.bytes, charset),
            _ => shown(value).replace('\u{FFFD}', "?"),
        },
        _ => shown(value),
    }
}

/// Text in the characters of messages, those of the basic plane; zeros by their number.
fn basic(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0' => out += "\\0000",
            '\u{10000}'.. => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

/// Text of a character set whose characters stand as in UTF-8; bytes that are none there are a mark of question each.
fn marked(bytes: &[u8], charset: Charset) -> String {
    let most = match charset {
        Charset::Ascii => 1,
        Charset::Utf8mb3 => 3,
        _ => 4,
    };
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c.len_utf8() {
                length if length > most => text.extend(std::iter::repeat_n('?', length)),
                _ => text.push(c),
            }
        }
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    text
}

/// Control characters by their numbers, but for those that lay text out.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => out.push(c),
            c if c.is_control() => out += &format!("\\{:04X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out
}

/// As [`error_text`] where the character set is lost: in warnings of dates and times.
pub fn bytes_text(value: &Value) -> String {
    let Some(text) = to_str(value, CollationId::UTF8MB4_GENERAL_CI) else { return "NULL".into() };
    let bytes = &text.bytes;
    short(printable_bytes(&bytes[..bytes.len().min(2 * SHOWN_BYTES)]), SHOWN_BYTES)
}

/// Bytes that are no printable ASCII by their numbers.
pub fn printable_bytes(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            0x20..=0x7E => shown.push(char::from(*byte)),
            other => shown += &format!("\\x{other:02X}"),
        }
    }
    shown
}

/// A text of at most so many bytes, or its beginning and three dots.
pub fn short(text: String, longest: usize) -> String {
    match text.len() > longest {
        true => cut(text, longest - 3) + "...",
        false => text,
    }
}

/// The whole characters of a text's first so many bytes.
pub fn cut(mut text: String, longest: usize) -> String {
    let end = (0..=longest.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.truncate(end);
    text
}
