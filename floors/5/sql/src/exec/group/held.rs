//! The groups that are in memory: what each has stands in arrays, one group behind the other.

use crate::error::SqlError;
use crate::exec::{Cx, slices};
use crate::expr::aggregate::Accumulator;
use crate::plan::Group;
use types::Value;

/// Groups by number, in the order in which they were made.
#[derive(Default)]
pub(super) struct Held {
    heads: Vec<Head>,
    /// The bytes of their keys.
    keys: Vec<u8>,
    /// The kept values of each group's first row.
    rows: Vec<Value>,
    accumulators: Vec<Accumulator>,
}

/// What a group has beside its arrays.
struct Head {
    /// Where its key ends.
    end: usize,
    /// How many keys it has of its own: fewer than all for one that sums up over the rest.
    own: u32,
    /// The number of its first row.
    arrival: u64,
}

impl Held {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Forgets all groups; their memory serves the next ones.
    pub(super) fn clear(&mut self) {
        self.heads.clear();
        self.keys.clear();
        self.rows.clear();
        self.accumulators.clear();
    }

    /// Makes a group. `row`: the kept values of its first row; NULLs in one that sums up over keys.
    pub(super) fn push(
        &mut self,
        group: &Group,
        (key, own): (&[u8], usize),
        row: impl Iterator<Item = Value>,
        arrival: u64,
    ) {
        self.keys.extend_from_slice(key);
        self.heads.push(Head { end: self.keys.len(), own: own as u32, arrival });
        self.rows.extend(row);
        self.accumulators.extend(group.aggregates.iter().map(Accumulator::new));
    }

    #[inline]
    pub(super) fn key(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.heads[before].end);
        &self.keys[start..self.heads[at].end]
    }

    /// How many keys a group has of its own.
    pub(super) fn own_keys(&self, at: usize) -> usize {
        self.heads[at].own as usize
    }

    /// The number of a group's first row.
    pub(super) fn arrival(&self, at: usize) -> u64 {
        self.heads[at].arrival
    }

    /// A group's kept values, for whoever hands them on.
    pub(super) fn row(&mut self, at: usize) -> &mut [Value] {
        let kept = self.rows.len() / self.len();
        &mut self.rows[at * kept..(at + 1) * kept]
    }

    /// A group's aggregates.
    #[inline]
    pub(super) fn accumulators(&mut self, at: usize) -> &mut [Accumulator] {
        let each = self.accumulators.len() / self.len();
        &mut self.accumulators[at * each..(at + 1) * each]
    }

    /// The numbers of the groups in the order of their keys.
    pub(super) fn in_order(&self, cx: &mut Cx<'_>) -> Result<Vec<u32>, SqlError> {
        slices::order_by_key(self.len(), cx, |at| self.key(at))
    }
}
