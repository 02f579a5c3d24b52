//! The dynamic value that expressions compute with and that rows decode to.
//!
//! How the types of SQL appear:
//!
//! - Integers are [`Value::Int`] when signed, [`Value::UInt`] when unsigned. BOOLEAN is `Int` 0 or 1.
//! - FLOAT columns give [`Value::Float`]: it prints with single precision's shortest digits, and counts as the
//!   double of equal value in arithmetic. Everything else approximate is [`Value::Double`].
//! - CHAR, VARCHAR, TEXT, BINARY, VARBINARY, BLOB are [`Value::Str`]; binary is a string of collation 63.
//! - ENUM is [`Value::Enum`]: the index (0 is the error value '') together with its labels, so that a numeric context
//!   takes [`EnumValue::index`] and a string context [`EnumValue::label`]. SET is [`Value::Set`] likewise with bits.
//! - UUID, INET4 and INET6 are [`Value::Fixed`]: text in most contexts, compared as what they are. Geometries are binary
//!   strings.
//! - BIT is [`Value::Bit`]: a number in numeric context, its big-endian bytes as a string.
//! - YEAR is [`Value::Year`]: a number that prints with four digits.
//! - TIME, DATETIME carry the number of fractional digits they print with; DATE has none.
//! - TIMESTAMP columns decode to [`Value::Timestamp`], seconds of UTC. A session turns it into [`Value::DateTime`]
//!   with [`Value::in_zone`] when it reads a column; expressions should never meet a `Timestamp`.

use std::borrow::Cow;
use std::sync::Arc;

use crate::charset::CollationId;
use crate::column::Labels;
use crate::decimal::Decimal;
use crate::fixed::FixedValue;
use crate::temporal::{Date, DateTime, Time, TimeZone, Timestamp};

/// One SQL value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// SQL NULL.
    #[default]
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A FLOAT column's value.
    Float(f32),
    /// A double.
    Double(f64),
    /// An exact decimal number with its scale.
    Decimal(Decimal),
    /// A character or binary string.
    Str(StrValue),
    /// A date.
    Date(Date),
    /// A time of day or duration, and the fractional digits it prints with.
    Time(Time, u8),
    /// A date with time, and the fractional digits it prints with.
    DateTime(DateTime, u8),
    /// An instant of UTC as TIMESTAMP columns keep it, and its fractional digits. See the module head.
    Timestamp(Timestamp, u8),
    /// A YEAR column's value: 0 or 1901 to 2155.
    Year(u16),
    /// A BIT column's value.
    Bit(BitValue),
    /// An ENUM column's value.
    Enum(EnumValue),
    /// A SET column's value.
    Set(SetValue),
    /// A UUID, INET4 or INET6.
    Fixed(FixedValue),
}

impl Value {
    /// A string of utf8mb4_general_ci.
    pub fn text(text: &str) -> Value {
        Value::Str(StrValue::new(text.as_bytes(), CollationId::UTF8MB4_GENERAL_CI))
    }

    /// A binary string.
    pub fn binary(bytes: &[u8]) -> Value {
        Value::Str(StrValue::new(bytes, CollationId::BINARY))
    }

    /// Whether this is NULL.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Turns a TIMESTAMP into the session's DATETIME; every other value stays as it is.
    #[inline]
    pub fn in_zone(self, zone: &TimeZone) -> Value {
        match self {
            Value::Timestamp(instant, fsp) => Value::DateTime(zone.to_local(instant), fsp),
            other => other,
        }
    }

    /// Whether arithmetic on this value is a number's without conversion.
    pub fn is_numeric(&self) -> bool {
        matches!(
            self,
            Value::Int(_)
                | Value::UInt(_)
                | Value::Float(_)
                | Value::Double(_)
                | Value::Decimal(_)
                | Value::Year(_)
                | Value::Bit(_)
        )
    }

    /// Whether this is a DATE, TIME, DATETIME or TIMESTAMP.
    pub fn is_temporal(&self) -> bool {
        matches!(self, Value::Date(_) | Value::Time(..) | Value::DateTime(..) | Value::Timestamp(..))
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}

impl From<u64> for Value {
    fn from(n: u64) -> Value {
        Value::UInt(n)
    }
}

impl From<f64> for Value {
    fn from(n: f64) -> Value {
        Value::Double(n)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Int(b as i64)
    }
}

/// A string's bytes in the character set of its collation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrValue {
    /// The bytes, in the collation's character set.
    pub bytes: Bytes,
    /// Collation, and by it the character set.
    pub collation: CollationId,
}

impl StrValue {
    /// Copies `bytes`.
    pub fn new(bytes: &[u8], collation: CollationId) -> StrValue {
        StrValue { bytes: Bytes::from(bytes), collation }
    }

    /// ASCII text in the collation's character set.
    pub fn of_plain(text: Vec<u8>, collation: CollationId) -> StrValue {
        match collation.charset().is_ascii_based() {
            true => StrValue::owned(text, collation),
            false => StrValue::new(&collation.charset().of_plain(&text), collation),
        }
    }

    /// The text for what reads numbers and dates out of it.
    #[inline]
    pub fn plain(&self) -> Cow<'_, [u8]> {
        self.collation.charset().to_plain(&self.bytes)
    }

    /// The text for what reads dates and times out of it: of a character set of wide characters, no more than 31 of them,
    /// and only those before the first that is not ASCII.
    pub fn plain_moment(&self) -> Cow<'_, [u8]> {
        const MOST: usize = 31;
        match self.plain() {
            Cow::Owned(mut text) => {
                text.truncate(text.iter().take(MOST).take_while(|b| b.is_ascii()).count());
                Cow::Owned(text)
            }
            text => text,
        }
    }

    /// Takes `bytes` over without a copy.
    pub fn owned(bytes: Vec<u8>, collation: CollationId) -> StrValue {
        StrValue { bytes: Bytes::from(bytes), collation }
    }
}

/// Immutable bytes: short ones stand inline, long ones are shared, so that a clone never copies more than 22 bytes.
#[derive(Clone)]
pub struct Bytes(Repr);

const INLINE: usize = 22;

#[derive(Clone)]
enum Repr {
    Inline(u8, [u8; INLINE]),
    /// Copied once from a slice: one allocation.
    Slice(Arc<[u8]>),
    /// Taken over from a vector without a copy.
    Vector(Arc<Vec<u8>>),
}

impl Bytes {
    /// The empty string.
    pub const EMPTY: Bytes = Bytes(Repr::Inline(0, [0; INLINE]));

    /// The bytes.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline(len, bytes) => &bytes[..usize::from(*len).min(INLINE)],
            Repr::Slice(bytes) => bytes,
            Repr::Vector(bytes) => bytes,
        }
    }

    /// Becomes a copy of `bytes`. Memory that nobody shares serves again, so that a row's slot that is filled again and
    /// again allocates for the longest of its texts only.
    #[inline]
    pub fn assign(&mut self, bytes: &[u8]) {
        if bytes.len() > INLINE {
            match &mut self.0 {
                Repr::Slice(held) => match Arc::get_mut(held) {
                    Some(held) if held.len() == bytes.len() => return held.copy_from_slice(bytes),
                    Some(_) => return self.0 = Repr::Vector(Arc::new(bytes.to_vec())),
                    None => {}
                },
                Repr::Vector(held) => {
                    if let Some(held) = Arc::get_mut(held) {
                        held.clear();
                        return held.extend_from_slice(bytes);
                    }
                }
                Repr::Inline(..) => {}
            }
        }
        *self = Bytes::from(bytes);
    }

    /// A copy of `bytes` that `change` has changed in its place.
    pub fn changed(bytes: &[u8], change: impl FnOnce(&mut [u8])) -> Bytes {
        let mut copy = Bytes::from(bytes);
        match &mut copy.0 {
            Repr::Inline(len, bytes) => change(&mut bytes[..usize::from(*len)]),
            Repr::Slice(bytes) => change(Arc::make_mut(bytes)),
            Repr::Vector(bytes) => change(&mut Arc::make_mut(bytes)[..]),
        }
        copy
    }

    /// The bytes as a vector; moves them out when nobody shares them.
    pub fn into_vec(self) -> Vec<u8> {
        match self.0 {
            Repr::Inline(len, bytes) => bytes[..usize::from(len)].to_vec(),
            Repr::Slice(bytes) => bytes.to_vec(),
            Repr::Vector(bytes) => Arc::try_unwrap(bytes).unwrap_or_else(|shared| shared.as_ref().clone()),
        }
    }
}

impl From<&[u8]> for Bytes {
    #[inline]
    fn from(bytes: &[u8]) -> Bytes {
        if bytes.len() <= INLINE {
            let mut inline = [0; INLINE];
            inline[..bytes.len()].copy_from_slice(bytes);
            Bytes(Repr::Inline(bytes.len() as u8, inline))
        } else {
            Bytes(Repr::Slice(Arc::from(bytes)))
        }
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Bytes {
        Bytes::from(text.as_bytes())
    }
}

impl From<Vec<u8>> for Bytes {
    #[inline]
    fn from(bytes: Vec<u8>) -> Bytes {
        if bytes.len() <= INLINE { Bytes::from(&bytes[..]) } else { Bytes(Repr::Vector(Arc::new(bytes))) }
    }
}

impl From<String> for Bytes {
    fn from(text: String) -> Bytes {
        Bytes::from(text.into_bytes())
    }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];
    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self.as_slice()
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Bytes {}

impl std::hash::Hash for Bytes {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.as_slice().escape_ascii())
    }
}

/// A BIT(width) value: the low `width` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitValue {
    /// The bits as a number.
    pub bits: u64,
    /// Declared width, 1 to 64.
    pub width: u8,
}

impl BitValue {
    /// The value as a string sees it: big-endian, (width + 7) / 8 bytes.
    pub fn to_bytes(self) -> Bytes {
        let all = self.bits.to_be_bytes();
        let n = usize::from(self.width.clamp(1, 64)).div_ceil(8);
        Bytes::from(&all[8 - n..])
    }
}

/// An ENUM value: index into its labels, counted from 1; 0 is the error value that reads as ''.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// 0 for the error value, else 1 to the number of labels.
    pub index: u16,
    /// The column's labels, shared.
    pub labels: Arc<Labels>,
    /// The column's collation.
    pub collation: CollationId,
}

impl EnumValue {
    /// The label's bytes in the column's character set; empty for index 0 or one that has no label.
    pub fn label(&self) -> &[u8] {
        self.labels.get(usize::from(self.index)).unwrap_or_default()
    }

    /// The label as a string value.
    pub fn to_str(&self) -> StrValue {
        StrValue::new(self.label(), self.collation)
    }
}

/// A SET value: bit `i` stands for label `i + 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetValue {
    /// The bits.
    pub bits: u64,
    /// The column's labels, shared.
    pub labels: Arc<Labels>,
    /// The column's collation.
    pub collation: CollationId,
}

impl SetValue {
    /// Appends the labels that are set, joined by commas, in the column's character set.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.labels.write_set(self.bits, self.collation.charset(), out);
    }

    /// The joined labels as a string value.
    pub fn to_str(&self) -> StrValue {
        let mut text = Vec::new();
        self.write(&mut text);
        StrValue::owned(text, self.collation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_small() {
        assert!(size_of::<Value>() <= 48, "{}", size_of::<Value>());
    }

    #[test]
    fn long_strings_are_shared_not_copied() {
        let long = Bytes::from(vec![7; 1000]);
        let clone = long.clone();
        assert_eq!(long.as_ptr(), clone.as_ptr());
        assert_eq!(Bytes::from(&[1, 2, 3][..]).as_slice(), [1, 2, 3]);
    }

    /// A slot that is filled again keeps nobody's bytes from whom it shared them with.
    #[test]
    fn assigned_bytes_are_nobody_elses() {
        let texts = [
            "",
            "short",
            "a text of more than twenty-two bytes",
            "a text of more than 20 other bytes!!",
            "x",
        ];
        let mut slot = Bytes::EMPTY;
        let mut shared = Vec::new();
        for round in 0..3 {
            for text in texts.iter().chain(texts.iter().rev()) {
                slot.assign(text.as_bytes());
                assert_eq!(&slot[..], text.as_bytes());
                if round == 1 {
                    shared.push((slot.clone(), *text));
                }
            }
        }
        assert!(shared.iter().all(|(bytes, text)| bytes[..] == *text.as_bytes()));
    }
}
