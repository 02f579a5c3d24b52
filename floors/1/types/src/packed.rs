//! Values as bytes, for rows that leave memory for a while: exact, and read back only by the [`Packer`] that wrote
//! them. Not a format: nothing of it outlives the process.
//!
//! ```text
//! tag (1), then: integers, doubles (8, LE) | decimal: scale, sign, limbs (count, 8 each) | text: collation (2),
//! length (4), bytes | temporals: their fields, fractional digits | ENUM, SET: number of their labels (2), value (8)
//! ```

use crate::charset::CollationId;
use crate::column::Labels;
use crate::decimal::Decimal;
use crate::fixed::FixedType;
use crate::temporal::{Date, DateTime, Time, Timestamp};
use crate::value::{BitValue, EnumValue, SetValue, StrValue, Value};
use std::sync::Arc;

/// The tag of texts.
const TEXT: u8 = 6;

/// Writes and reads values; keeps the labels of ENUMs and SETs aside.
#[derive(Debug, Default)]
pub struct Packer {
    labels: Vec<Arc<Labels>>,
}

/// Bytes being read.
struct Input<'b>(&'b [u8]);

impl Packer {
    /// Appends a value.
    pub fn write(&mut self, value: &Value, out: &mut Vec<u8>) {
        match value {
            Value::Null => out.push(0),
            Value::Int(n) => put(1, n.to_le_bytes(), out),
            Value::UInt(n) => put(2, n.to_le_bytes(), out),
            Value::Float(n) => put(3, n.to_le_bytes(), out),
            Value::Double(n) => put(4, n.to_le_bytes(), out),
            Value::Decimal(d) => {
                out.push(5);
                d.pack(out);
            }
            Value::Str(s) => {
                put(TEXT, s.collation.id().to_le_bytes(), out);
                out.extend_from_slice(&(s.bytes.len() as u32).to_le_bytes());
                out.extend_from_slice(&s.bytes);
            }
            Value::Date(date) => put(7, date_bytes(*date), out),
            Value::Time(time, fsp) => {
                put(8, time.as_micros().to_le_bytes(), out);
                out.push(*fsp);
            }
            Value::DateTime(at, fsp) => {
                put(9, date_bytes(at.date), out);
                out.extend_from_slice(&[at.hour, at.minute, at.second, *fsp]);
                out.extend_from_slice(&at.micros.to_le_bytes());
            }
            Value::Timestamp(at, fsp) => {
                put(10, at.secs.to_le_bytes(), out);
                out.extend_from_slice(&at.micros.to_le_bytes());
                out.push(*fsp);
            }
            Value::Year(year) => put(11, year.to_le_bytes(), out),
            Value::Bit(bit) => {
                put(12, bit.bits.to_le_bytes(), out);
                out.push(bit.width);
            }
            Value::Enum(e) => self.put_labelled(13, &e.labels, u64::from(e.index), e.collation, out),
            Value::Set(s) => self.put_labelled(14, &s.labels, s.bits, s.collation, out),
            Value::Fixed(value) => {
                put(15, [value.ty as u8], out);
                out.extend_from_slice(value.bytes());
            }
        }
    }

    fn put_labelled(
        &mut self,
        tag: u8,
        labels: &Arc<Labels>,
        bits: u64,
        collation: CollationId,
        out: &mut Vec<u8>,
    ) {
        let known = self.labels.iter().position(|known| Arc::ptr_eq(known, labels));
        let number = known.unwrap_or_else(|| {
            self.labels.push(labels.clone());
            self.labels.len() - 1
        });
        put(tag, (number as u16).to_le_bytes(), out);
        out.extend_from_slice(&bits.to_le_bytes());
        out.extend_from_slice(&collation.id().to_le_bytes());
    }

    /// Reads values to the end of `bytes` into `row`, whose memory serves again; `None` where they are none of this
    /// packer's.
    pub fn read_row(&self, mut bytes: &[u8], row: &mut Vec<Value>) -> Option<()> {
        let mut count = 0;
        while !bytes.is_empty() {
            if count == row.len() {
                row.push(Value::Null);
            }
            self.read_into(&mut bytes, &mut row[count])?;
            count += 1;
        }
        row.truncate(count);
        Some(())
    }

    /// As [`Packer::read`], into a value whose memory serves again where it is such a text, too.
    #[inline]
    fn read_into(&self, bytes: &mut &[u8], value: &mut Value) -> Option<()> {
        if let (Value::Str(text), [TEXT, ..]) = (&mut *value, *bytes) {
            let mut input = Input(&bytes[1..]);
            let (collation, found) = input.text()?;
            if text.collation.id() == collation {
                text.bytes.assign(found);
                *bytes = input.0;
                return Some(());
            }
        }
        *value = self.read(bytes)?;
        Some(())
    }

    /// Takes a value from the front of `bytes`; `None` where they are none of this packer's.
    fn read(&self, bytes: &mut &[u8]) -> Option<Value> {
        let mut input = Input(bytes);
        let [tag] = input.take()?;
        let value = match tag {
            0 => Value::Null,
            1 => Value::Int(i64::from_le_bytes(input.take()?)),
            2 => Value::UInt(u64::from_le_bytes(input.take()?)),
            3 => Value::Float(f32::from_le_bytes(input.take()?)),
            4 => Value::Double(f64::from_le_bytes(input.take()?)),
            5 => {
                let (decimal, rest) = Decimal::unpack(input.0)?;
                input.0 = rest;
                Value::Decimal(decimal)
            }
            TEXT => {
                let (collation, text) = input.text()?;
                Value::Str(StrValue::new(text, CollationId::from_id(collation)?))
            }
            7 => Value::Date(input.date()?),
            8 => {
                let micros = i64::from_le_bytes(input.take()?);
                let [fsp] = input.take()?;
                Value::Time(Time::from_micros(micros)?, fsp)
            }
            9 => {
                let date = input.date()?;
                let [hour, minute, second, fsp] = input.take()?;
                let micros = u32::from_le_bytes(input.take()?);
                Value::DateTime(DateTime { date, hour, minute, second, micros }, fsp)
            }
            10 => {
                let (secs, micros) = (u32::from_le_bytes(input.take()?), u32::from_le_bytes(input.take()?));
                let [fsp] = input.take()?;
                Value::Timestamp(Timestamp { secs, micros }, fsp)
            }
            11 => Value::Year(u16::from_le_bytes(input.take()?)),
            12 => {
                let bits = u64::from_le_bytes(input.take()?);
                let [width] = input.take()?;
                Value::Bit(BitValue { bits, width })
            }
            13 | 14 => {
                let number = usize::from(u16::from_le_bytes(input.take()?));
                let bits = u64::from_le_bytes(input.take()?);
                let collation = CollationId::from_id(u16::from_le_bytes(input.take()?))?;
                let labels = self.labels.get(number)?.clone();
                match tag {
                    13 => Value::Enum(EnumValue { index: bits as u16, labels, collation }),
                    _ => Value::Set(SetValue { bits, labels, collation }),
                }
            }
            15 => {
                let [number] = input.take()?;
                let ty = FixedType::by_number(number)?;
                let (value, rest) = input.0.split_at_checked(ty.size())?;
                input.0 = rest;
                Value::Fixed(ty.from_bytes(value)?)
            }
            _ => return None,
        };
        *bytes = input.0;
        Some(value)
    }
}

impl<'b> Input<'b> {
    /// A text and the number of its collation.
    fn text(&mut self) -> Option<(u16, &'b [u8])> {
        let collation = u16::from_le_bytes(self.take()?);
        let length = u32::from_le_bytes(self.take()?) as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some((collation, text))
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn date(&mut self) -> Option<Date> {
        let [low, high, month, day] = self.take()?;
        Some(Date { year: u16::from_le_bytes([low, high]), month, day })
    }
}

fn put<const N: usize>(tag: u8, bytes: [u8; N], out: &mut Vec<u8>) {
    out.push(tag);
    out.extend_from_slice(&bytes);
}

fn date_bytes(date: Date) -> [u8; 4] {
    let [low, high] = date.year.to_le_bytes();
    [low, high, date.month, date.day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let labels = Arc::new(Labels::new(vec![b"a".to_vec(), b"b".to_vec()]));
        let collation = CollationId::UTF8MB4_GENERAL_CI;
        let date = Date { year: 2024, month: 2, day: 29 };
        let values = vec![
            Value::Null,
            Value::Int(-5),
            Value::UInt(u64::MAX),
            Value::Float(1.5),
            Value::Double(-0.1),
            Value::Decimal(Decimal::parse(b"-12345678901234567890123456789012345678901234567890.123").value),
            Value::Decimal(Decimal::new(0, 2)),
            Value::text("a text that does not stand inline in its value"),
            Value::binary(&[0, 255]),
            Value::Date(date),
            Value::Time(Time::from_micros(-3_600_000_001).expect("in range"), 6),
            Value::DateTime(DateTime { date, hour: 23, minute: 59, second: 58, micros: 7 }, 3),
            Value::Timestamp(Timestamp { secs: 5, micros: 6 }, 0),
            Value::Year(1999),
            Value::Bit(BitValue { bits: 5, width: 3 }),
            Value::Enum(EnumValue { index: 2, labels: labels.clone(), collation }),
            Value::Set(SetValue { bits: 3, labels, collation }),
        ];
        let mut packer = Packer::default();
        let mut bytes = Vec::new();
        values.iter().for_each(|value| packer.write(value, &mut bytes));
        for cut in 0..bytes.len() {
            let mut input = &bytes[..cut];
            while packer.read(&mut input).is_some() {}
        }
        let mut input = &bytes[..];
        for value in &values {
            let back = packer.read(&mut input).expect("all of it is there");
            assert_eq!(format!("{back:?}"), format!("{value:?}"));
        }
        assert!(input.is_empty());
    }
}
