//! How many keys a range holds, guessed from the two ways down to its ends.
//!
//! Between the ways lie whole subtrees; their sizes are taken to be the average of the nodes seen on the ways
//! themselves. Exact when both ends lie in one leaf.

use std::ops::Bound;

use crossbeam_utils::Backoff;
use pages::PageView;

use crate::Tree;
use crate::cursor::is_empty;
use crate::descent::{Seek, Stop};
use crate::error::Result;
use crate::node::Node;

/// A node on the way: the position taken (in a leaf: where the bound falls) and how many there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    position: usize,
    count: usize,
}

/// The way down to one end.
struct Way {
    /// The nodes on it, root first; none without any page.
    steps: Vec<Step>,
    /// The keys up to the other end, where the leaf has that too.
    keys: Option<u64>,
}

/// Which side of equal keys an end of the range lies on.
#[derive(Clone, Copy)]
enum End<'k> {
    Before(&'k [u8]),
    After(&'k [u8]),
    First,
    Last,
}

impl End<'_> {
    /// Where it falls among the keys of a leaf.
    fn position(self, leaf: Node<'_, PageView<'_>>) -> usize {
        match self {
            End::Before(key) => leaf.search(key).0,
            End::After(key) => leaf.child_position(key),
            End::First => 0,
            End::Last => leaf.count(),
        }
    }

    /// Whether it lies below the upper fence of a leaf that what is before it leads to.
    fn is_reached_by(self, leaf: Node<'_, PageView<'_>>) -> bool {
        match self {
            End::Before(key) | End::After(key) => leaf.reaches(key),
            End::First | End::Last => false,
        }
    }
}

impl Tree {
    /// A guess of the number of keys between two bounds, from two descents; from one where a leaf has both.
    pub fn range_estimate(&self, lower: Bound<&[u8]>, upper: Bound<&[u8]>) -> Result<u64> {
        if is_empty(lower, upper) {
            return Ok(0);
        }
        let from = match lower {
            Bound::Included(key) => End::Before(key),
            Bound::Excluded(key) => End::After(key),
            Bound::Unbounded => End::First,
        };
        let to = match upper {
            Bound::Included(key) => End::After(key),
            Bound::Excluded(key) => End::Before(key),
            Bound::Unbounded => End::Last,
        };
        loop {
            let low = self.way(from, Some(to))?;
            if let Some(keys) = low.keys {
                return Ok(keys);
            }
            let high = self.way(to, None)?;
            // The root grew or shrank between the two.
            if low.steps.len() == high.steps.len() {
                return Ok(between(&low.steps, &high.steps));
            }
        }
    }

    /// The way down to one end, which may have `other` in its leaf.
    fn way(&self, end: End<'_>, other: Option<End<'_>>) -> Result<Way> {
        let seek = match end {
            End::Before(key) | End::After(key) => Seek::At(key),
            End::First => Seek::First,
            End::Last => Seek::Last,
        };
        let backoff = Backoff::new();
        let mut steps = Vec::new();
        loop {
            steps.clear();
            let mut visit = |node: Node<'_, PageView<'_>>| {
                steps.push(Step { position: seek.child_position(node), count: node.count() + 1 });
            };
            match self.try_descend(seek, 0, &mut visit) {
                Ok(Some(spot)) => {
                    let view = spot.node.view();
                    let leaf = Node::new(&view);
                    let position = end.position(leaf);
                    let inside = other.filter(|other| other.is_reached_by(leaf));
                    let keys = inside.map(|other| other.position(leaf).saturating_sub(position) as u64);
                    steps.push(Step { position, count: leaf.count() });
                    if spot.node.validate() {
                        return Ok(Way { steps, keys });
                    }
                }
                Ok(None) => return Ok(Way { steps, keys: None }),
                Err(Stop::Changed) => {}
                Err(Stop::Failed(error)) => return Err(*error),
            }
            backoff.snooze();
        }
    }
}

/// Keys between two ways of equal length.
fn between(low: &[Step], high: &[Step]) -> u64 {
    let height = low.len();
    let parted = (0..height).find(|&depth| low[depth].position != high[depth].position);
    let Some(parted) = parted else { return 0 };
    let mut keys = 0.0;
    // Keys under one child of the node at the present depth, from the leaves up.
    let mut under = 1.0;
    for depth in (parted..height).rev() {
        let (a, b) = (low[depth], high[depth]);
        let leaf = depth + 1 == height;
        let children = if depth == parted {
            let gap = b.position.saturating_sub(a.position);
            if leaf { gap } else { gap.saturating_sub(1) }
        } else {
            let right_of_a = a.count.saturating_sub(a.position + usize::from(!leaf));
            right_of_a + b.position
        };
        keys += children as f64 * under;
        under *= ((a.count + b.count) as f64 / 2.0).max(1.0);
    }
    keys as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_subtrees_between_the_ways_count_with_the_average() {
        let step = |position, count| Step { position, count };
        // One leaf.
        assert_eq!(between(&[step(3, 10)], &[step(8, 10)]), 5);
        // Children 2 and 5 of the root: 3 and 4 lie between, 6 keys right of the low end, 7 left of the high end.
        assert_eq!(between(&[step(2, 9), step(4, 10)], &[step(5, 9), step(7, 10)]), 2 * 10 + 6 + 7);
        assert_eq!(between(&[step(2, 9), step(4, 10)], &[step(2, 9), step(4, 10)]), 0);
    }
}
