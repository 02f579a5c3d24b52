//! Sorting that gives way: a large sort is a sort of small parts and merges of them, with a point of interruption every
//! few thousand items.

use super::Cx;
use crate::error::SqlError;
use std::cmp::Ordering;
use std::collections::VecDeque;

/// Items sorted or merged in one go: about a millisecond's work.
const SLICE: usize = 4096;

/// Sorts; equal items keep their order.
pub fn sort<T>(
    mut items: Vec<T>,
    cx: &mut Cx<'_>,
    mut order: impl FnMut(&T, &T) -> Ordering,
) -> Result<Vec<T>, SqlError> {
    if items.len() <= SLICE {
        items.sort_by(&mut order);
        return Ok(items);
    }
    let mut parts = VecDeque::with_capacity(items.len().div_ceil(SLICE));
    let mut items = items.into_iter();
    loop {
        let mut part: Vec<T> = items.by_ref().take(SLICE).collect();
        if part.is_empty() {
            break;
        }
        part.sort_by(&mut order);
        cx.check_interrupt()?;
        parts.push_back(part);
    }
    while parts.len() > 1 {
        let mut merged = VecDeque::with_capacity(parts.len().div_ceil(2));
        while let Some(first) = parts.pop_front() {
            merged.push_back(match parts.pop_front() {
                Some(second) => merge(first, second, cx, &mut order)?,
                None => first,
            });
        }
        parts = merged;
    }
    Ok(parts.pop_front().unwrap_or_default())
}

fn merge<T>(
    first: Vec<T>,
    second: Vec<T>,
    cx: &mut Cx<'_>,
    order: &mut impl FnMut(&T, &T) -> Ordering,
) -> Result<Vec<T>, SqlError> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    loop {
        if merged.len() % SLICE == 0 {
            cx.check_interrupt()?;
        }
        let next = match (first.peek(), second.peek()) {
            (Some(a), Some(b)) if order(a, b).is_le() => first.next(),
            (_, Some(_)) => second.next(),
            (Some(_), None) => first.next(),
            (None, None) => return Ok(merged),
        };
        merged.extend(next);
    }
}
