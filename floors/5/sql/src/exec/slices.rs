//! Sorting that gives way: a large sort is a sort of small parts and merges of them, with a point of interruption every
//! few thousand items.

use super::Cx;
use crate::error::SqlError;
use std::cmp::Ordering;
use types::key::{head, order_behind_heads};

/// Items sorted or merged in one go: less than a millisecond's work.
const SLICE: usize = 4096;

/// The numbers of items in the order of their keys; those of equal keys keep their order. What is moved about and
/// compared, for the most part, are the first bytes of the keys side by side.
pub fn order_by_key<'k>(
    items: usize,
    cx: &mut Cx<'_>,
    key: impl Fn(usize) -> &'k [u8],
) -> Result<Vec<u32>, SqlError> {
    let ranks: Vec<(u128, u32)> = (0..items).map(|at| (head(key(at)), at as u32)).collect();
    let key_at = |at: u32| key(at as usize);
    let ranks =
        sort(ranks, cx, |a, b| a.0.cmp(&b.0).then_with(|| order_behind_heads(key_at(a.1), key_at(b.1))))?;
    Ok(ranks.into_iter().map(|(_, at)| at).collect())
}

/// Sorts; equal items keep their order.
pub fn sort<T: Copy>(
    mut items: Vec<T>,
    cx: &mut Cx<'_>,
    order: impl Fn(&T, &T) -> Ordering,
) -> Result<Vec<T>, SqlError> {
    for part in items.chunks_mut(SLICE) {
        part.sort_by(&order);
        cx.check_interrupt()?;
    }
    let (mut width, mut merged) = (SLICE, Vec::new());
    while width < items.len() {
        merged.clear();
        merged.reserve(items.len());
        for pair in items.chunks(2 * width) {
            let (first, second) = pair.split_at(width.min(pair.len()));
            merge(first, second, &mut merged, cx, &order)?;
        }
        std::mem::swap(&mut items, &mut merged);
        width *= 2;
    }
    Ok(items)
}

/// Appends the items of two sorted parts, sorted.
fn merge<T: Copy>(
    mut first: &[T],
    mut second: &[T],
    merged: &mut Vec<T>,
    cx: &mut Cx<'_>,
    order: impl Fn(&T, &T) -> Ordering,
) -> Result<(), SqlError> {
    while let ([a, ..], [b, ..]) = (first, second) {
        if merged.len().is_multiple_of(SLICE) {
            cx.check_interrupt()?;
        }
        if order(a, b).is_le() {
            merged.push(*a);
            first = &first[1..];
        } else {
            merged.push(*b);
            second = &second[1..];
        }
    }
    merged.extend_from_slice(first);
    merged.extend_from_slice(second);
    Ok(())
}
