//! Bytes whose order is the order of decimals, whatever their scales.
//!
//! A header says how many groups of nine digits stand before the point (the first of them is not zero); the
//! groups follow, four bytes each, then those behind the point, each announced by a byte, up to the last that is not
//! zero. Of two keys none is the beginning of the other, so others may follow. Those below zero have all bits turned.

use super::Decimal;
use super::codec::DIGITS;

/// Where the groups before the point begin in a number that has none.
const HEADER: u8 = 0x80;
/// Announces a group behind the point.
const MORE: u8 = 1;
/// No more groups.
const END: u8 = 0;
/// Digits of a group, and what they count to.
const GROUP: usize = 9;
const GROUP_UNITS: u64 = 1_000_000_000;
/// Digits behind the point that two groups hold.
const TWO_GROUPS: u8 = 18;

impl Decimal {
    /// Appends the key: equal for equal numbers, ordered as they are.
    pub fn append_order_key(&self, out: &mut Vec<u8>) {
        let start = out.len();
        match self.magnitude.to_u64() {
            Some(units) if self.scale <= TWO_GROUPS => append_short(units, self.scale, out),
            _ => self.append_long(out),
        }
        if self.negative {
            out[start..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }

    fn append_long(&self, out: &mut Vec<u8>) {
        let digits = self.digits();
        let (whole, fraction) = digits.split_at(DIGITS - usize::from(self.scale));
        let number = |digits: &[u8]| digits.iter().fold(0_u32, |n, digit| n * 10 + u32::from(*digit));
        let first = whole.iter().position(|digit| *digit != 0).unwrap_or(whole.len());
        let groups = whole[first..].rchunks(GROUP);
        out.push(HEADER + groups.len() as u8);
        groups.rev().for_each(|group| out.extend_from_slice(&number(group).to_be_bytes()));
        let last = fraction.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        for group in fraction[..last].chunks(GROUP) {
            let zeros = (GROUP - group.len()) as u32;
            out.push(MORE);
            out.extend_from_slice(&(number(group) * 10_u32.pow(zeros)).to_be_bytes());
        }
        out.push(END);
    }
}

/// The key of so many units at a scale of [`TWO_GROUPS`] at most.
fn append_short(units: u64, scale: u8, out: &mut Vec<u8>) {
    let one = 10_u64.pow(u32::from(scale));
    let (mut whole, fraction) = (units / one, units % one);
    let mut key = [0; 1 + 3 * 4 + 2 * 5 + 1];
    // From the point to the front.
    let mut at = 1 + 3 * 4;
    while whole > 0 {
        at -= 4;
        key[at..at + 4].copy_from_slice(&((whole % GROUP_UNITS) as u32).to_be_bytes());
        whole /= GROUP_UNITS;
    }
    let mut end = 1 + 3 * 4;
    key[at - 1] = HEADER + ((end - at) / 4) as u8;
    let at = at - 1;
    let fraction = fraction * 10_u64.pow(u32::from(TWO_GROUPS - scale));
    let groups = [(fraction / GROUP_UNITS) as u32, (fraction % GROUP_UNITS) as u32];
    let count = groups.iter().rposition(|group| *group != 0).map_or(0, |last| last + 1);
    for group in &groups[..count] {
        key[end] = MORE;
        key[end + 1..end + 5].copy_from_slice(&group.to_be_bytes());
        end += 5;
    }
    key[end] = END;
    out.extend_from_slice(&key[at..=end]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn key(d: &Decimal) -> Vec<u8> {
        let mut key = Vec::new();
        d.append_order_key(&mut key);
        key
    }

    fn decimal() -> impl Strategy<Value = Decimal> {
        let short = (-2_000_i128..2_000, 0..6_u8).prop_map(|(units, scale)| Decimal::new(units, scale));
        let round = (-30_i128..30, 0..18_u32, 0..39_u8)
            .prop_map(|(n, zeros, scale)| Decimal::new(n * 10_i128.pow(zeros), scale));
        let long = (any::<i128>(), 0..39_u8).prop_map(|(units, scale)| Decimal::new(units, scale));
        let middle = (any::<i64>(), 0..39_u8).prop_map(|(units, scale)| Decimal::new(units.into(), scale));
        prop_oneof![short, round, middle, long]
    }

    proptest! {
        #[test]
        fn keys_are_ordered_as_numbers(a in decimal(), b in decimal()) {
            let (of_a, of_b) = (key(&a), key(&b));
            prop_assert_eq!(of_a.cmp(&of_b), a.cmp_value(&b));
            if a.cmp_value(&b) != Ordering::Equal {
                prop_assert!(!of_a.starts_with(&of_b) && !of_b.starts_with(&of_a));
            }
        }

        #[test]
        fn both_ways_give_one_key(units in any::<i64>(), scale in 0..=TWO_GROUPS) {
            let d = Decimal::new(units.into(), scale);
            let mut long = Vec::new();
            Decimal { negative: false, ..d }.append_long(&mut long);
            let short = key(&Decimal { negative: false, ..d });
            prop_assert_eq!(short, long);
        }
    }
}
