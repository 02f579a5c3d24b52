//! Bits of values, counted one by one.

use crate::syntax::ast::AggregateKind;
use types::Value;
use types::convert::to_integer;

/// The 64 bits of a value as an integer.
pub(super) fn bits_of(value: &Value) -> u64 {
    to_integer(value).value as u64
}

/// Calls `f` for the place of each bit that is set.
pub(super) fn each_bit(bits: u64, mut f: impl FnMut(usize)) {
    let mut left = bits;
    while left != 0 {
        f(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

/// The result of so many values, of which each bit was set in `counts`.
pub(super) fn counted_bits(kind: AggregateKind, counts: &[u64; 64], n: u64) -> u64 {
    let holds = |count: u64| match kind {
        AggregateKind::BitAnd => count == n,
        AggregateKind::BitOr => count > 0,
        _ => count % 2 == 1,
    };
    counts.iter().enumerate().filter(|(_, count)| holds(**count)).fold(0, |bits, (bit, _)| bits | 1 << bit)
}
