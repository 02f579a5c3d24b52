//! Entries from chosen places: what statistics are made of.

use std::ops::Bound;

use crossbeam_utils::Backoff;

use crate::Tree;
use crate::cursor::{Cursor, Direction};
use crate::descent::Seek;
use crate::error::Result;
use crate::node::Node;

impl Tree {
    /// A forward cursor from the first key of some leaf on. Each seed leads to one leaf; over many seeds each leaf is
    /// about as likely as any other.
    pub fn cursor_at_random(&self, seed: u64) -> Result<Cursor> {
        let backoff = Backoff::new();
        let mut lower = Vec::new();
        loop {
            let Some(spot) = self.descend(Seek::Random(seed), 0)? else {
                return Ok(self.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward));
            };
            lower.clear();
            Node::new(&spot.node.view()).append_lower(&mut lower);
            if spot.node.validate() {
                return Ok(self.cursor(Bound::Included(&lower), Bound::Unbounded, Direction::Forward));
            }
            backoff.snooze();
        }
    }
}

/// A child's position that depends on nothing but the seed and the node's level.
pub(crate) fn random_position(seed: u64, level: u8, children: usize) -> usize {
    // SplitMix64's last steps: neighbouring seeds lead to places far apart.
    let mut z = seed.wrapping_add(u64::from(level) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) % children.max(1) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::random_position;

    #[test]
    fn places_spread_over_all_children() {
        let mut hits = [0; 10];
        (0..1000).for_each(|seed| hits[random_position(seed, 1, 10)] += 1);
        assert!(hits.iter().all(|&n| (50..200).contains(&n)), "{hits:?}");
    }
}
