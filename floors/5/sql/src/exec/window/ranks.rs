//! Functions that follow from the row before: ROW_NUMBER, RANK, DENSE_RANK. A pass of nothing else hands its rows on as
//! they come, and holds no partition.

use super::{Partition, WindowRows, kept, leading};
use crate::error::SqlError;
use crate::exec::sort::{InOrder, Sorter};
use crate::exec::{Cx, Flow, Next};
use crate::plan::window::{WindowCall, WindowFunction, WindowPass};
use types::Value;

/// How far a call has come in its partition.
#[derive(Default, Clone)]
struct Rank {
    rows: i64,
    /// The number of the first row among the last one's peers.
    first: i64,
    /// Stretches of peers.
    stretches: i64,
}

impl Rank {
    /// What a function gives for the next row, which is a peer of the one before or not.
    fn of_next(&mut self, function: &WindowFunction, is_peer: bool) -> Value {
        self.rows += 1;
        if !is_peer {
            self.first = self.rows;
            self.stretches += 1;
        }
        Value::Int(match function {
            WindowFunction::Rank => self.first,
            WindowFunction::DenseRank => self.stretches,
            _ => self.rows,
        })
    }
}

/// Whether all calls of a pass follow from the row before.
pub(super) fn are_enough_for(pass: &WindowPass) -> bool {
    pass.calls.iter().all(|call: &WindowCall| call.function.is_rank())
}

/// What such a function gives for the rows of a partition.
pub(super) fn of_partition(function: &WindowFunction, partition: &Partition<'_>) -> Vec<Value> {
    let mut rank = Rank::default();
    let mut results = Vec::with_capacity(partition.rows.len());
    for &end in &partition.peers {
        let mut is_peer = false;
        while results.len() < end {
            results.push(rank.of_next(function, is_peer));
            is_peer = true;
        }
    }
    results
}

impl WindowRows<'_> {
    /// Runs a pass whose calls all follow from the row before; its rows go to the pass behind it, or to `next`.
    pub(super) fn rank(
        &mut self,
        pass: &WindowPass,
        rows: &mut InOrder,
        mut following: Option<(&WindowPass, &mut Sorter<'_>)>,
        cx: &mut Cx<'_>,
        next: Next<'_>,
    ) -> Result<Flow, SqlError> {
        let width = pass.keys.len();
        let mut ranks = vec![Rank::default(); pass.calls.len()];
        let mut before: Vec<u8> = Vec::new();
        while let Some((record, row)) = rows.next(cx)? {
            for (call, rank) in pass.calls.iter().zip(&mut ranks) {
                let same = |keys: usize| leading(&before, keys, width) == leading(record, keys, width);
                if !before.is_empty() && !same(call.partition) {
                    *rank = Rank::default();
                }
                let result = rank.of_next(&call.function, rank.rows > 0 && same(call.order));
                let place = self.places[call.slot as usize];
                row[place] = kept(result, &call.ty, following.is_some());
            }
            before.clear();
            before.extend_from_slice(record);
            let flow = match &mut following {
                Some((pass, sorter)) => {
                    self.pass_row_on(pass, row, sorter, cx)?;
                    Flow::Continue
                }
                None => {
                    self.swap_with_frame(row, cx);
                    next(cx)?
                }
            };
            if flow == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}
