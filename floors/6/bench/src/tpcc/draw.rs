//! Random input (2.1.5, 2.1.6, 4.3.2): numbers that prefer some values, last names, texts.

use super::schema::{CUSTOMERS, ITEMS};
use crate::Random;

/// The constant C for last names while tables are filled, and while the mix runs: their difference must lie in 65 to 119
/// and be neither 96 nor 112 (2.1.6.1).
const C_LAST_FILL: u64 = 157;
const C_LAST_RUN: u64 = 223;
const C_CUSTOMER: u64 = 259;
const C_ITEM: u64 = 7911;

const SYLLABLES: [&str; 10] =
    ["BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"];

/// What the specification draws.
#[derive(Debug, Clone)]
pub(super) struct Draw(Random);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(Random::new(seed))
    }

    /// A number from `low` to `high`.
    pub fn number(&mut self, low: u64, high: u64) -> u64 {
        low + self.0.below(high - low + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    /// NURand(A, x, y).
    fn uneven(&mut self, a: u64, c: u64, low: u64, high: u64) -> u64 {
        (((self.number(0, a) | self.number(low, high)) + c) % (high - low + 1)) + low
    }

    pub fn customer(&mut self) -> u64 {
        self.uneven(1023, C_CUSTOMER, 1, CUSTOMERS)
    }

    pub fn item(&mut self) -> u64 {
        self.uneven(8191, C_ITEM, 1, ITEMS)
    }

    /// A last name that tables are filled with: the first thousand customers have one each.
    pub fn name_to_fill(&mut self, customer: u64) -> String {
        match customer {
            1..=1000 => last_name(customer - 1),
            _ => last_name(self.uneven(255, C_LAST_FILL, 0, 999)),
        }
    }

    /// A last name to look for.
    pub fn name_to_find(&mut self) -> String {
        last_name(self.uneven(255, C_LAST_RUN, 0, 999))
    }

    /// Appends letters and digits, `low` to `high` of them (a-string).
    pub fn text(&mut self, out: &mut Vec<u8>, low: u64, high: u64) {
        const LETTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789AZ";
        let mut left = self.number(low, high);
        while left > 0 {
            let mut bits = self.0.number();
            for _ in 0..left.min(10) {
                out.push(LETTERS[(bits & 63) as usize]);
                bits >>= 6;
            }
            left -= left.min(10);
        }
    }

    /// Appends `count` digits (n-string).
    pub fn digits(&mut self, out: &mut Vec<u8>, count: u64) {
        (0..count).for_each(|_| out.push(b'0' + self.0.below(10) as u8));
    }

    /// Appends 26 to 50 letters, in one of ten cases with ORIGINAL among them.
    pub fn data(&mut self, out: &mut Vec<u8>) {
        let start = out.len();
        self.text(out, 26, 50);
        if self.chance(10) {
            let room = (out.len() - start - ORIGINAL.len()) as u64;
            let at = start + self.number(0, room) as usize;
            out[at..at + ORIGINAL.len()].copy_from_slice(ORIGINAL);
        }
    }

    /// The numbers from 1 to `count`, shuffled.
    pub fn permutation(&mut self, count: u64) -> Vec<u64> {
        let mut all: Vec<u64> = (1..=count).collect();
        self.shuffle(&mut all);
        all
    }

    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.0.below(i as u64 + 1) as usize);
        }
    }

    /// Seconds that are `mean` on average, distributed exponentially, at most ten times as long (5.2.5.4).
    pub fn pause(&mut self, mean: f64) -> f64 {
        let part = (self.0.below(1 << 53) + 1) as f64 / (1u64 << 53) as f64;
        (-part.ln() * mean).min(10.0 * mean)
    }
}

/// What some items and stocks have in their data; both together make an order line a "brand".
pub(super) const ORIGINAL: &[u8] = b"ORIGINAL";

/// The last name of a number below 1000 (4.3.2.3).
pub(super) fn last_name(number: u64) -> String {
    [number / 100, number / 10 % 10, number % 10].map(|n| SYLLABLES[n as usize]).concat()
}
