//! Ranks: numbers that order stored values as the values order, without decoding them.

use super::codec::{Codec, read_le, read_signed};
use super::layout::ColumnLayout;
use crate::decimal::{Decimal, units_of_word};
use crate::temporal::Time;
use crate::value::Value;
use std::cmp::Ordering;

/// Bytes of the longest stored value that has a rank.
const RANKED_BYTES: usize = 8;
/// What has no sign keeps its order as a signed number with the first bit turned over.
const TURNED: u64 = 1 << 63;

impl ColumnLayout {
    /// Whether values of the column have ranks: integers, DATE, TIME, DATETIME, TIMESTAMP (of instants), and DECIMAL of up
    /// to some 18 digits.
    pub fn is_ranked(&self) -> bool {
        match self.codec {
            Codec::Int { .. } | Codec::Date | Codec::Time { .. } => true,
            Codec::DateTime { .. } | Codec::Timestamp { .. } => true,
            Codec::Decimal { .. } => self.fixed_len().is_some_and(|len| len <= RANKED_BYTES),
            _ => false,
        }
    }

    /// The rank of a column's bytes: among values of one column (or of columns that encode alike) it orders as they do.
    /// `None` for bytes of another length, and for columns that have none.
    #[inline]
    pub fn rank(&self, bytes: &[u8]) -> Option<i64> {
        if !self.fits(bytes.len()) {
            return None;
        }
        match self.codec {
            Codec::Int { unsigned: false, .. } => Some(read_signed(bytes)),
            Codec::Int { unsigned: true, .. } | Codec::Date => Some((read_le(bytes) ^ TURNED) as i64),
            // The sign stands in the first bit, turned over; what is negative is complemented.
            Codec::Decimal { .. } | Codec::Time { .. } | Codec::DateTime { .. } | Codec::Timestamp { .. } => {
                big_endian(bytes).map(|n| (n ^ TURNED) as i64)
            }
            _ => None,
        }
    }

    /// The rank that a number, date or time has among the column's values, though it need not fit into it; `None` where
    /// the column cannot hold it exactly, and for integers and decimals beside the other kind.
    pub fn rank_of(&self, value: &Value) -> Option<i128> {
        let own = match (self.codec, value) {
            (Codec::Int { unsigned, .. }, Value::Int(n)) => return Some(i128::from(*n) - least(unsigned)),
            (Codec::Int { unsigned, .. }, Value::UInt(n)) => return Some(i128::from(*n) - least(unsigned)),
            (Codec::Decimal { .. }, Value::Decimal(_)) => value.clone(),
            (Codec::Decimal { .. }, Value::Int(n)) => Value::Decimal(Decimal::from(*n)),
            (Codec::Decimal { .. }, Value::UInt(n)) => Value::Decimal(Decimal::from(*n)),
            (Codec::Date, Value::Date(_)) => value.clone(),
            (Codec::Date, Value::DateTime(at, _)) if at.time() == Time::default() => Value::Date(at.date),
            (Codec::DateTime { fsp }, Value::DateTime(at, _)) => Value::DateTime(*at, fsp),
            (Codec::DateTime { fsp }, Value::Date(date)) => Value::DateTime(date.at_midnight(), fsp),
            (Codec::Time { fsp }, Value::Time(time, _)) => Value::Time(*time, fsp),
            (Codec::Timestamp { fsp }, Value::Timestamp(at, _)) => Value::Timestamp(*at, fsp),
            _ => return None,
        };
        let mut stored = Vec::with_capacity(RANKED_BYTES);
        self.codec.encode(&own, &mut stored)?;
        let same = match (&self.decode(&stored).ok()?, &own) {
            (Value::Decimal(held), Value::Decimal(asked)) => held.cmp_value(asked) == Ordering::Equal,
            (held, asked) => held == asked,
        };
        if same { self.rank(&stored).map(i128::from) } else { None }
    }

    /// The scale of the column's units ([`ColumnLayout::units`]): 0 for integers; none for columns that have none, and for
    /// DECIMAL of more than some 18 digits.
    pub fn scale_of_units(&self) -> Option<u8> {
        match self.codec {
            Codec::Int { .. } => Some(0),
            Codec::Decimal { scale, .. } => self.is_ranked().then_some(scale),
            _ => None,
        }
    }

    /// The number of a column's bytes as so many units of its scale. `None` for bytes of another length or that are no
    /// number, for columns that have none, and beyond the signed integers of 64 bits.
    #[inline]
    pub fn units(&self, bytes: &[u8]) -> Option<i64> {
        match self.codec {
            Codec::Int { unsigned: false, .. } if self.fits(bytes.len()) => Some(read_signed(bytes)),
            Codec::Int { unsigned: true, .. } if self.fits(bytes.len()) => i64::try_from(read_le(bytes)).ok(),
            Codec::Decimal { precision, scale } => units_of_word(precision, scale, bytes),
            _ => None,
        }
    }

    /// Whether ranks of this column and of another are of one kind.
    pub fn ranks_with(&self, other: &ColumnLayout) -> bool {
        match (self.codec, other.codec) {
            (Codec::Int { unsigned: a, .. }, Codec::Int { unsigned: b, .. }) => a == b,
            (a, b) => a == b && self.is_ranked(),
        }
    }
}

/// The integer of rank 0.
fn least(unsigned: bool) -> i128 {
    if unsigned { i128::from(TURNED) } else { 0 }
}

/// A big-endian number of up to [`RANKED_BYTES`] bytes.
#[inline]
pub(crate) fn big_endian(bytes: &[u8]) -> Option<u64> {
    match bytes.len() {
        // Two reads that overlap, the same bits in the same places.
        len @ 4..=RANKED_BYTES => {
            let high = u64::from(u32::from_be_bytes(*bytes.first_chunk()?));
            let low = u64::from(u32::from_be_bytes(*bytes.last_chunk()?));
            Some(high << (8 * (len - 4)) | low)
        }
        0..4 => Some(bytes.iter().fold(0, |n, b| n << 8 | u64::from(*b))),
        _ => None,
    }
}
