//! The stored form of decimals and their digits.

use super::wide::U256;
use super::{Decimal, MAX_SCALE};
use crate::row::big_endian;

/// Bytes that a group of so many leftover digits takes.
const LEFTOVER_BYTES: [usize; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];
/// What so many digits count to.
const LIMITS: [u64; 10] =
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/// Bytes of a machine word.
const WORD_BYTES: usize = 8;
/// Digits behind the point of numbers that are stored from a word, and before it of columns that may be too short.
const SHORT_SCALE: u8 = 19;
/// Room for the 78 digits of 2^256 and for the zeros before them in a column of 65 digits.
pub(super) const DIGITS: usize = 144;

/// Bytes of a stored DECIMAL(precision, scale).
pub const fn stored_bytes(precision: u8, scale: u8) -> usize {
    let whole = precision.saturating_sub(scale) as usize;
    let fraction = scale as usize;
    whole / 9 * 4 + LEFTOVER_BYTES[whole % 9] + fraction / 9 * 4 + LEFTOVER_BYTES[fraction % 9]
}

impl Decimal {
    /// The magnitude's digits, right-aligned as numbers 0 to 9 in an array filled with zeros.
    pub(super) fn digits(&self) -> [u8; DIGITS] {
        let mut digits = [0; DIGITS];
        let mut at = DIGITS;
        if let Some(mut small) = self.magnitude.to_u128() {
            while small > u128::from(u64::MAX) {
                let (rest, group) = (small / 10_000_000_000_000_000_000, small % 10_000_000_000_000_000_000);
                put_group(&mut digits, &mut at, group as u64, 19);
                small = rest;
            }
            put_group(&mut digits, &mut at, small as u64, 20);
            return digits;
        }
        let mut rest = self.magnitude;
        while !rest.is_zero() {
            let (quotient, group) = rest.div_rem_small(10_000_000_000_000_000_000);
            let count = at.min(19);
            put_group(&mut digits, &mut at, group, count);
            rest = quotient;
        }
        digits
    }

    /// Appends the stored form of DECIMAL(precision, scale); false (and nothing appended) when the number has more
    /// digits before the point. Digits beyond the scale are cut off: round first.
    pub fn store(&self, precision: u8, scale: u8, out: &mut Vec<u8>) -> bool {
        if let Some(units) = self.magnitude.to_u64()
            && self.scale == scale
            && scale <= SHORT_SCALE
        {
            return store_short(units, self.negative, (precision, scale), out);
        }
        self.store_long(precision, scale, out)
    }

    /// As [`Decimal::store`] digit by digit.
    fn store_long(&self, precision: u8, scale: u8, out: &mut Vec<u8>) -> bool {
        let whole = usize::from(precision.saturating_sub(scale));
        let digits = self.digits();
        let point = DIGITS - usize::from(self.scale);
        if whole > point || digits[..point - whole].iter().any(|d| *d != 0) {
            return false;
        }
        let start = out.len();
        let mask = if self.negative { 0xFF } else { 0 };
        let mut put = |group: u64, bytes: usize| {
            out.extend(group.to_be_bytes()[8 - bytes..].iter().map(|b| b ^ mask));
        };
        let number = |digits: &[u8]| digits.iter().fold(0_u64, |n, d| n * 10 + u64::from(*d));
        let (lead, groups) = digits[point - whole..point].split_at(whole % 9);
        put(number(lead), LEFTOVER_BYTES[lead.len()]);
        groups.chunks(9).for_each(|group| put(number(group), 4));
        let mut fraction = [0; MAX_SCALE as usize + 1];
        let wanted = usize::from(scale.min(MAX_SCALE));
        let present = wanted.min(usize::from(self.scale));
        fraction[..present].copy_from_slice(&digits[point..point + present]);
        fraction[..wanted].chunks(9).for_each(|group| put(number(group), LEFTOVER_BYTES[group.len()]));
        if let Some(first) = out.get_mut(start) {
            *first ^= 0x80;
        }
        true
    }

    /// Reads the stored form of DECIMAL(precision, scale) from exactly [`stored_bytes`] bytes; none when the length
    /// is wrong or a group holds too large a number.
    pub fn load(precision: u8, scale: u8, bytes: &[u8]) -> Option<Decimal> {
        if bytes.len() != stored_bytes(precision, scale) || bytes.is_empty() || scale > MAX_SCALE {
            return None;
        }
        let negative = bytes[0] & 0x80 == 0;
        let mask = if negative { 0xFF } else { 0 };
        if precision <= 18 {
            return Decimal::load_short(precision, scale, bytes, negative);
        }
        let mut at = 0;
        let mut magnitude = U256::ZERO;
        each_group(precision, scale, |digits| {
            let len = LEFTOVER_BYTES[digits];
            let group = bytes[at..at + len].iter().enumerate().fold(0_u64, |group, (i, byte)| {
                let flip = if at + i == 0 { 0x80 } else { 0 };
                group << 8 | u64::from(byte ^ flip ^ mask)
            });
            at += len;
            magnitude = magnitude.mul_add_small(LIMITS[digits], group)?;
            (group < LIMITS[digits]).then_some(())
        })?;
        Some(Decimal::from_parts(negative, magnitude, scale))
    }

    /// As [`Decimal::load`] where all digits fit in 64 bits.
    fn load_short(precision: u8, scale: u8, bytes: &[u8], negative: bool) -> Option<Decimal> {
        if bytes.len() <= WORD_BYTES {
            return Some(Decimal::small(i128::from(units_of_word(precision, scale, bytes)?), scale));
        }
        let mut plain = [0; 16];
        let stored = plain.get_mut(..bytes.len())?;
        stored.copy_from_slice(bytes);
        stored[0] ^= 0x80;
        if negative {
            stored.iter_mut().for_each(|byte| *byte = !*byte);
        }
        let (mut at, mut magnitude) = (0, 0_u64);
        each_group(precision, scale, |digits| {
            let length = LEFTOVER_BYTES[digits];
            let group =
                plain[at..at + length].iter().fold(0_u64, |group, byte| group << 8 | u64::from(*byte));
            at += length;
            magnitude = magnitude * LIMITS[digits] + group;
            (group < LIMITS[digits]).then_some(())
        })?;
        Some(Decimal::from_parts(negative, U256::from_u128(u128::from(magnitude)), scale))
    }
}

/// Calls `take` with the digits of each group that a stored DECIMAL(precision, scale) has, in order, until it gives none.
#[inline(always)]
fn each_group(precision: u8, scale: u8, mut take: impl FnMut(usize) -> Option<()>) -> Option<()> {
    let (whole, fraction) = (usize::from(precision.saturating_sub(scale)), usize::from(scale));
    if whole % 9 > 0 {
        take(whole % 9)?;
    }
    (0..whole / 9 + fraction / 9).try_for_each(|_| take(9))?;
    if fraction % 9 > 0 {
        take(fraction % 9)?;
    }
    Some(())
}

/// The units of a stored DECIMAL(precision, scale) that is a machine word at most: the number is `units * 10^-scale`.
/// None for what [`Decimal::load`] refuses, and for longer ones.
#[inline]
pub(crate) fn units_of_word(precision: u8, scale: u8, bytes: &[u8]) -> Option<i64> {
    let len = bytes.len();
    if len != stored_bytes(precision, scale) || len == 0 || len > WORD_BYTES {
        return None;
    }
    let sign = 1 << (8 * len - 1);
    let stored = big_endian(bytes)? ^ sign;
    let negative = stored & sign != 0;
    let plain = if negative { !stored & (sign - 1) } else { stored };
    let (mut left, mut units) = (8 * len, 0);
    each_group(precision, scale, |digits| {
        let bits = 8 * LEFTOVER_BYTES[digits];
        left -= bits;
        let group = plain >> left & ((1 << bits) - 1);
        units = units * LIMITS[digits] as i64 + group as i64;
        (group < LIMITS[digits]).then_some(())
    })?;
    Some(if negative { -units } else { units })
}

impl Decimal {
    /// Appends scale, sign and the limbs that are not zero.
    pub(crate) fn pack(&self, out: &mut Vec<u8>) {
        let limbs = self.magnitude.0;
        let count = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
        out.extend_from_slice(&[self.scale, u8::from(self.negative), count as u8]);
        limbs[..count].iter().for_each(|limb| out.extend_from_slice(&limb.to_le_bytes()));
    }

    /// Reads what [`Decimal::pack`] wrote; gives the bytes behind it.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<(Decimal, &[u8])> {
        let ([scale, negative, count], mut rest) = bytes.split_first_chunk::<3>()?;
        let mut limbs = [0; 4];
        for limb in limbs.get_mut(..usize::from(*count))? {
            let (taken, behind) = rest.split_first_chunk::<8>()?;
            *limb = u64::from_le_bytes(*taken);
            rest = behind;
        }
        Some((Decimal::from_parts(*negative != 0, U256(limbs), *scale), rest))
    }
}

/// As [`Decimal::store`] of so many units at the column's scale.
fn store_short(units: u64, negative: bool, (precision, scale): (u8, u8), out: &mut Vec<u8>) -> bool {
    let one = 10_u64.pow(u32::from(scale));
    let (mut whole, mut fraction) = (units / one, units % one);
    let digits = usize::from(precision.saturating_sub(scale));
    if digits <= usize::from(SHORT_SCALE) && whole >= 10_u64.pow(digits as u32) {
        return false;
    }
    let start = out.len();
    out.resize(start + stored_bytes(precision, scale), 0);
    let stored = &mut out[start..];
    let mut put = |end: usize, digits: usize, rest: &mut u64| {
        let group = *rest % LIMITS[digits];
        *rest /= LIMITS[digits];
        let begin = end - LEFTOVER_BYTES[digits];
        stored[begin..end].copy_from_slice(&group.to_be_bytes()[8 - LEFTOVER_BYTES[digits]..]);
        begin
    };
    let mut end = digits / 9 * 4 + LEFTOVER_BYTES[digits % 9];
    for _ in 0..digits / 9 {
        end = put(end, 9, &mut whole);
    }
    put(end, digits % 9, &mut whole);
    let mut end = stored_bytes(precision, scale);
    end = put(end, usize::from(scale % 9), &mut fraction);
    for _ in 0..scale / 9 {
        end = put(end, 9, &mut fraction);
    }
    if let Some(first) = stored.first_mut() {
        *first ^= 0x80;
    }
    if negative {
        stored.iter_mut().for_each(|byte| *byte = !*byte);
    }
    true
}

/// Writes `count` digits of `group` (leading zeros included) before `at`.
fn put_group(digits: &mut [u8; DIGITS], at: &mut usize, mut group: u64, count: usize) {
    for _ in 0..count {
        *at -= 1;
        digits[*at] = (group % 10) as u8;
        group /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_store_the_same(units in any::<u64>(), fewer in 0..64_u32, negative: bool,
                                    whole in 0..=46_u8, scale in 0..=SHORT_SCALE) {
            prop_assume!(whole + scale > 0);
            let d = Decimal::from_parts(negative, U256::from_u128(u128::from(units >> fewer)), scale);
            let (mut short, mut long) = (vec![7], vec![7]);
            let stored = d.store(whole + scale, scale, &mut short);
            prop_assert_eq!(stored, d.store_long(whole + scale, scale, &mut long));
            prop_assert_eq!(&short, &long);
            if stored {
                prop_assert_eq!(Decimal::load(whole + scale, scale, &short[1..]), Some(d));
            }
        }
    }
}
