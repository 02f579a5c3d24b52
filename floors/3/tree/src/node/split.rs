//! Where to split a node, and merging two.

use std::ops::Range;

use super::edit::copy_records_that_fit;
use super::{AT_RUN, Builder, KeyParts, Node, Nonsense, PAYLOAD, SLOT, common_len};
use crate::bytes::Bytes;

/// Consecutive inserts in one direction that make a split leave one side full.
const RUN_MIN: i16 = 8;

/// The images of both halves and the key that separates them.
pub(crate) struct Split {
    /// Keys below this are left.
    pub(crate) separator: Vec<u8>,
    /// Image for the node's own page.
    pub(crate) left: Vec<u8>,
    /// Image for the new page to its right.
    pub(crate) right: Vec<u8>,
}

/// The shortest key above `left` and not above `right` (`left` < `right`).
pub(crate) fn separator(left: &[u8], right: &[u8]) -> Vec<u8> {
    right[..(common_len(left, right) + 1).min(right.len())].to_vec()
}

impl Split {
    /// Splits a node so that `key` (or a separator near it) finds room, or halves it where that helps more.
    pub(crate) fn of(node: Node<'_, [u8]>, key: &[u8]) -> Result<Split, Nonsense> {
        if node.count() < 2 {
            return Err(Nonsense("split of a node with too few keys"));
        }
        if let Some((cut, separator)) = append_cut(node, key)?
            && let Some(split) = Self::at(node, cut, separator)?
        {
            return Ok(split);
        }
        let balanced = balanced_cut(node);
        for cut in [short_cut(node, balanced)?, balanced] {
            if let Some(split) = Self::at(node, cut, cut_separator(node, cut)?)? {
                return Ok(split);
            }
        }
        Err(Nonsense("neither half fits a page"))
    }

    /// Splits before position `cut`; an inner node's separator there moves up. `None` when a half does not fit.
    fn at(node: Node<'_, [u8]>, cut: usize, separator: Vec<u8>) -> Result<Option<Split>, Nonsense> {
        let count = node.count();
        let inner = node.level() > 0;
        let right_from = if inner { cut + 1 } else { cut };
        let left_last = if inner { node.child(cut) } else { 0 };
        let left = part(node, node.lower()?, Some(&separator), 0..cut, left_last)?;
        let right = part(node, &separator, node.upper()?, right_from..count, node.child(count))?;
        Ok(left.zip(right).map(|(left, right)| Split { separator, left, right }))
    }
}

fn part(
    node: Node<'_, [u8]>,
    lower: &[u8],
    upper: Option<&[u8]>,
    range: Range<usize>,
    last_child: u32,
) -> Result<Option<Vec<u8>>, Nonsense> {
    let mut builder = Builder::new(node.level(), lower, upper);
    let fits = copy_records_that_fit(node, range, &mut builder)?;
    Ok(fits.then(|| builder.finish(if node.level() > 0 { last_child } else { 0 })))
}

/// The cut for keys that come in order: at the place where they are inserted.
fn append_cut(node: Node<'_, [u8]>, key: &[u8]) -> Result<Option<(usize, Vec<u8>)>, Nonsense> {
    let count = node.count();
    let (position, found) = node.search(key);
    if node.level() > 0 {
        let ascending = node.upper()?.is_none() && position + 1 >= count && count > 2;
        return if ascending { Ok(Some((count - 1, cut_separator(node, count - 1)?))) } else { Ok(None) };
    }
    let run = node.bytes.u16_at(AT_RUN) as i16;
    if found || run.abs() < RUN_MIN {
        return Ok(None);
    }
    let before = |position: usize| node.key(position).map(KeyParts::to_vec);
    if run > 0 && position == count {
        return Ok(Some((count, separator(&before(count - 1)?, key))));
    }
    if run > 0 || position == 0 {
        // The key goes to the end of the left half, and so do those that follow it.
        return Ok(Some((position, separator(key, &before(position)?))));
    }
    // Descending: the key goes to the front of the right half.
    Ok(Some((position, separator(&before(position - 1)?, key))))
}

/// The separator of a cut between two records of the node.
fn cut_separator(node: Node<'_, [u8]>, cut: usize) -> Result<Vec<u8>, Nonsense> {
    let right = node.key(cut)?.to_vec();
    if node.level() > 0 {
        return Ok(right);
    }
    match cut.checked_sub(1) {
        Some(left) => Ok(separator(&node.key(left)?.to_vec(), &right)),
        None => Ok(right),
    }
}

/// The cut whose larger half is smallest.
fn balanced_cut(node: Node<'_, [u8]>) -> usize {
    let count = node.count();
    let total: usize = (0..count).map(|position| node.record_len(position) + SLOT).sum();
    let mut left = 0;
    let mut best = (usize::MAX, 1);
    for position in 0..count {
        let here = node.record_len(position) + SLOT;
        let moved_up = if node.level() > 0 { here } else { 0 };
        let larger = left.max(total.saturating_sub(left + moved_up));
        if larger < best.0 {
            best = (larger, position);
        }
        left += here;
    }
    best.1
}

/// A cut near `balanced` with a shorter separator, if there is one.
fn short_cut(node: Node<'_, [u8]>, balanced: usize) -> Result<usize, Nonsense> {
    let count = node.count();
    let reach = (count / 16).min(8);
    let mut best = (cut_separator(node, balanced)?.len(), balanced);
    for cut in balanced.saturating_sub(reach).max(1)..(balanced + reach).min(count - 1) {
        let len = cut_separator(node, cut)?.len();
        if len < best.0 {
            best = (len, cut);
        }
    }
    Ok(best.1)
}

/// The image of two neighbours in one, or `None` when they would leave less than `spare` bytes free.
///
/// `separator` is the parent's key between them.
pub(crate) fn merge(
    left: Node<'_, [u8]>,
    right: Node<'_, [u8]>,
    separator: &[u8],
    spare: usize,
) -> Result<Option<Vec<u8>>, Nonsense> {
    // Without the longer prefixes it only grows: most refusals need no building.
    if (left.used() + right.used()).saturating_sub(4 * super::KEY_MAX) > PAYLOAD {
        return Ok(None);
    }
    let mut builder = Builder::new(left.level(), left.lower()?, right.upper()?);
    let mut fits = copy_records_that_fit(left, 0..left.count(), &mut builder)?;
    if left.level() > 0 {
        fits = fits && builder.push_inner(KeyParts::whole(separator), left.child(left.count()));
    }
    fits = fits && copy_records_that_fit(right, 0..right.count(), &mut builder)?;
    let last_child = if left.level() > 0 { right.child(right.count()) } else { 0 };
    Ok((fits && builder.room() >= spare).then(|| builder.finish(last_child)))
}
