//! The binary form of dynamic columns, as MariaDB keeps it in a BLOB.
//!
//! ```text
//! by number   flags (offset size - 1) | count u16 | count entries | values
//!             entry: number u16 | offset and type (type in the low 3 bits)
//! by name     flags (4 + offset size - 2) | count u16 | bytes of names u16 | count entries | names | values
//!             entry: place of the name u16 | offset and type (type in the low 4 bits)
//! ```
//!
//! All numbers are little-endian. Entries stand in the order of their keys: numbers as numbers, names by length and then
//! by bytes. A name and a value end where the next one begins. Nothing at all stands for no columns.

use std::collections::BTreeMap;
use types::decimal::stored_bytes;
use types::temporal::{Date, DateTime, Time};
use types::{CollationId, Decimal};

/// Bits of the flags that say how wide offsets are.
const WIDTH: u8 = 3;
/// Flag of columns that go by names.
const NAMED: u8 = 4;
/// The type of a value that is dynamic columns itself, which only columns with names may have.
const NESTED: u8 = 8;

/// What a column goes by. Numbers before names; names by length and bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// A number.
    Number(u16),
    /// A name in UTF-8.
    Name(Vec<u8>),
}

impl Key {
    /// The name, which a number has too.
    pub fn into_name(self) -> Vec<u8> {
        match self {
            Key::Number(n) => n.to_string().into_bytes(),
            Key::Name(name) => name,
        }
    }

    fn rank(&self) -> (usize, u16, &[u8]) {
        match self {
            Key::Number(n) => (0, *n, &[]),
            Key::Name(name) => (1 + name.len(), 0, name),
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// A column's value.
#[derive(Debug, Clone)]
pub enum Field {
    /// Signed.
    Int(i64),
    /// Unsigned.
    UInt(u64),
    /// Double.
    Double(f64),
    /// Text in the character set of its collation.
    Text(CollationId, Vec<u8>),
    /// Decimal, and as how many whole digits it is stored at least.
    Decimal(Decimal, u8),
    /// Date and time.
    DateTime(DateTime),
    /// Date.
    Date(Date),
    /// Time.
    Time(Time),
    /// Dynamic columns.
    Nested(Vec<u8>),
}

/// A value as it is stored: its type and bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    kind: u8,
    bytes: Vec<u8>,
}

/// Dynamic columns, taken apart.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    /// They go by names.
    pub named: bool,
    /// The columns.
    pub by_key: BTreeMap<Key, Stored>,
}

/// Why columns have no binary form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMuch;

impl Columns {
    /// Takes the binary form apart; `None` where it is none.
    pub fn parse(bytes: &[u8]) -> Option<Columns> {
        let Some((flags, rest)) = bytes.split_first() else { return Some(Columns::default()) };
        if flags & !(WIDTH | NAMED) != 0 {
            return None;
        }
        let named = flags & NAMED != 0;
        let width = usize::from(flags & WIDTH) + if named { 2 } else { 1 };
        let (count, rest) = take_u16(rest)?;
        let (names_length, rest) = if named { take_u16(rest)? } else { (0, rest) };
        let (entries, rest) = rest.split_at_checked(count * (2 + width))?;
        let (names, values) = rest.split_at_checked(names_length)?;
        let type_bits = if named { 4 } else { 3 };
        let heads: Vec<(usize, u64)> = entries
            .chunks_exact(2 + width)
            .map(|entry| {
                let place = u64::from(entry[0]) | u64::from(entry[1]) << 8;
                (place as usize, number(&entry[2..]))
            })
            .collect();
        let mut columns = Columns { named, by_key: BTreeMap::new() };
        let offset_of = |word: u64| usize::try_from(word >> type_bits).ok();
        for (at, (place, word)) in heads.iter().enumerate() {
            let next = heads.get(at + 1);
            let end = next.map_or(Some(values.len()), |(_, word)| offset_of(*word))?;
            let kind = (word & ((1 << type_bits) - 1)) as u8;
            let bytes = values.get(offset_of(*word)?..end)?.to_vec();
            let key = match named {
                false => Key::Number(*place as u16),
                true => Key::Name(names.get(*place..next.map_or(names.len(), |(place, _)| *place))?.to_vec()),
            };
            let in_order = columns.by_key.last_key_value().is_none_or(|(last, _)| *last < key);
            if kind > NESTED || !in_order {
                return None;
            }
            columns.by_key.insert(key, Stored { kind, bytes });
        }
        Some(columns)
    }

    /// Gives all columns names.
    pub fn name_all(&mut self) {
        self.named = true;
        let by_key = std::mem::take(&mut self.by_key);
        self.by_key = by_key.into_iter().map(|(key, value)| (Key::Name(key.into_name()), value)).collect();
    }

    /// The binary form.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TooMuch> {
        let data: usize = self.by_key.values().map(|value| value.bytes.len()).sum();
        let (type_bits, least) = if self.named { (4, 2) } else { (3, 1) };
        // The greatest offset of a width stands for none.
        let fits = |width: &usize| (data as u64) < (1 << (8 * *width as u64 - type_bits)) - 1;
        let width = (least..least + 4).find(fits).ok_or(TooMuch)?;
        let small = |n: usize| u16::try_from(n).map(u16::to_le_bytes).map_err(|_| TooMuch);
        let mut out = vec![(width - least) as u8 | if self.named { NAMED } else { 0 }];
        out.extend(small(self.by_key.len())?);
        let mut names = Vec::new();
        let mut entries = Vec::new();
        let mut offset = 0_u64;
        for (key, value) in &self.by_key {
            match key {
                Key::Number(n) => entries.extend(n.to_le_bytes()),
                Key::Name(name) => {
                    entries.extend(small(names.len())?);
                    names.extend_from_slice(name);
                }
            }
            let word = offset << type_bits | u64::from(value.kind);
            entries.extend_from_slice(&word.to_le_bytes()[..width]);
            offset += value.bytes.len() as u64;
        }
        if self.named {
            out.extend(small(names.len())?);
        }
        out.append(&mut entries);
        out.append(&mut names);
        self.by_key.values().for_each(|value| out.extend_from_slice(&value.bytes));
        Ok(out)
    }
}

fn take_u16(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<2>()?;
    Some((usize::from(u16::from_le_bytes(*head)), rest))
}

/// A little-endian number of up to eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))
}

/// A number without the zero bytes at its end.
fn shortest(n: u64) -> Vec<u8> {
    let bytes = n.to_le_bytes();
    bytes[..8 - n.leading_zeros() as usize / 8].to_vec()
}

/// A number in groups of seven bits, all but the last with the eighth bit.
fn put_varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn take_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = bytes.iter().take(9).position(|byte| byte & 0x80 == 0)?;
    let n = bytes[..=end].iter().rev().fold(0, |n, byte| n << 7 | u64::from(byte & 0x7F));
    Some((n, &bytes[end + 1..]))
}

fn put_date(date: Date, out: &mut Vec<u8>) {
    out.extend_from_slice(&date.packed().to_le_bytes()[..3]);
}

/// Three bytes, six with a fraction: `sign | hour 10 bits | minute 6 | second 6 [| microseconds 20]`.
fn put_time(time: Time, out: &mut Vec<u8>) {
    let of_day = u64::from(time.hours()) << 12 | u64::from(time.minutes()) << 6 | u64::from(time.seconds());
    let negative = u64::from(time.is_negative());
    match time.micros() {
        0 => out.extend_from_slice(&(of_day | negative << 23).to_le_bytes()[..3]),
        micros => {
            let word = u64::from(micros) | of_day << 20 | negative << 42;
            out.extend_from_slice(&word.to_le_bytes()[..6]);
        }
    }
}

fn time_of(bytes: &[u8]) -> Option<Time> {
    let word = number(bytes);
    let (of_day, micros, negative) = match bytes.len() {
        3 => (word & 0x3F_FFFF, 0, word >> 23 & 1),
        6 => (word >> 20 & 0x3F_FFFF, word & 0xF_FFFF, word >> 42 & 1),
        _ => return None,
    };
    let (hours, minutes, seconds) = (of_day >> 12, of_day >> 6 & 63, of_day & 63);
    if minutes > 59 || seconds > 59 || micros > 999_999 {
        return None;
    }
    Time::from_parts(negative != 0, hours as u32, minutes as u32, seconds as u32, micros as u32)
}

impl Stored {
    /// The value; `None` where the bytes are none of its type.
    pub fn field(&self) -> Option<Field> {
        let bytes = &self.bytes[..];
        Some(match self.kind {
            0 | 1 if bytes.len() > 8 => return None,
            0 => {
                let folded = number(bytes);
                Field::Int((folded >> 1) as i64 ^ -((folded & 1) as i64))
            }
            1 => Field::UInt(number(bytes)),
            2 => Field::Double(f64::from_le_bytes(bytes.try_into().ok()?)),
            3 => {
                let (collation, text) = take_varint(bytes)?;
                let collation = CollationId::from_id(u16::try_from(collation).ok()?)?;
                Field::Text(collation, text.to_vec())
            }
            4 if bytes.is_empty() => Field::Decimal(Decimal::ZERO, 0),
            4 => {
                let (whole, rest) = take_varint(bytes)?;
                let (scale, rest) = take_varint(rest)?;
                let precision = u8::try_from(whole.checked_add(scale)?).ok().filter(|n| *n <= 81)?;
                Field::Decimal(Decimal::load(precision, scale as u8, rest)?, whole as u8)
            }
            5 => {
                let (date, time) = bytes.split_at_checked(3)?;
                let time = time_of(time).filter(|time| !time.is_negative() && time.hours() < 24)?;
                let date = Date::from_packed(number(date) as u32)?;
                let (hour, minute, second) = (time.hours(), time.minutes(), time.seconds());
                let at = DateTime::new(date, hour as u8, minute as u8, second as u8, time.micros());
                Field::DateTime(at)
            }
            6 if bytes.len() == 3 => Field::Date(Date::from_packed(number(bytes) as u32)?),
            7 => Field::Time(time_of(bytes)?),
            NESTED => Field::Nested(bytes.to_vec()),
            _ => return None,
        })
    }
}

impl From<&Field> for Stored {
    fn from(field: &Field) -> Self {
        let mut bytes = Vec::new();
        let kind = match field {
            Field::Int(n) => {
                bytes = shortest((n << 1 ^ n >> 63) as u64);
                0
            }
            Field::UInt(n) => {
                bytes = shortest(*n);
                1
            }
            Field::Double(n) => {
                bytes.extend(n.to_le_bytes());
                2
            }
            Field::Text(collation, text) => {
                put_varint(u64::from(collation.id()), &mut bytes);
                bytes.extend_from_slice(text);
                3
            }
            Field::Decimal(n, whole) => {
                put_decimal(n, *whole, &mut bytes);
                4
            }
            Field::DateTime(at) => {
                put_date(at.date, &mut bytes);
                put_time(at.time(), &mut bytes);
                5
            }
            Field::Date(date) => {
                put_date(*date, &mut bytes);
                6
            }
            Field::Time(time) => {
                put_time(*time, &mut bytes);
                7
            }
            Field::Nested(columns) => {
                bytes.clone_from(columns);
                NESTED
            }
        };
        Stored { kind, bytes }
    }
}

/// Digits before and after the point, and the stored form of so many; zero is nothing at all.
fn put_decimal(n: &Decimal, whole: u8, out: &mut Vec<u8>) {
    if n.is_zero() {
        return;
    }
    let (whole, scale) = (n.whole_digits().max(whole), n.scale());
    put_varint(u64::from(whole), out);
    put_varint(u64::from(scale), out);
    out.reserve(stored_bytes(whole + scale, scale));
    n.store(whole + scale, scale, out);
}
