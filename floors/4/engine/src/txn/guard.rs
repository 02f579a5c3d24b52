//! What a locking scan keeps the inserts of others out of.
//!
//! The rest of the range is guarded at once: one look for inserts that are under way in it, whatever its size. Where the
//! scan comes to wait, for a row or for such an insert, the guard ends at that place meanwhile, as MariaDB's next-key
//! locks would: others may insert behind it. After the wait the rest is guarded, and read, anew.

use crate::catalog::Table;
use crate::error::Result;
use crate::lock::range::KeySpan;
use crate::lock::row::Mode;
use crate::mvcc::slots::Intent;
use crate::options::Wait;
use crate::txn::Txn;
use std::sync::Arc;

/// How far a scan's range is guarded.
#[derive(Debug, Default)]
pub(super) struct Guard {
    reach: Reach,
    /// What was locked for this scan alone, and so may be drawn back.
    held: Option<KeySpan>,
}

#[derive(Debug, Default)]
enum Reach {
    /// As far as the scan has come.
    #[default]
    Here,
    /// All of the range.
    All,
    /// Up to and with the key of these inserts of others.
    Inserts(Vec<Intent>),
}

impl Guard {
    /// Whether the guard reaches further than the scan has come.
    pub(super) fn reaches(&self) -> bool {
        !matches!(self.reach, Reach::Here)
    }

    /// The inserts of others that the guard ends at, if the scan has come to them: `next` is the key that it comes to,
    /// if there is one.
    pub(super) fn inserts(&self, next: Option<&[u8]>, forward: bool) -> Option<&[Intent]> {
        let Reach::Inserts(inserts) = &self.reach else { return None };
        let stop = &inserts.first()?.key[..];
        let reached = next.is_none_or(|next| if forward { next >= stop } else { next <= stop });
        reached.then_some(inserts)
    }

    /// What may be drawn back, once.
    pub(super) fn give_up(&mut self) -> Option<KeySpan> {
        self.held.take()
    }
}

impl Txn {
    /// Whether locking reads guard their ranges against inserts.
    pub(super) fn guards_ranges(&self, wait: Wait) -> bool {
        // SKIP LOCKED asks for whatever rows there are: nothing is promised about those that are not.
        self.options.isolation >= crate::options::Isolation::RepeatableRead && wait != Wait::SkipLocked
    }

    /// Keeps inserts of others out of a range of a tree, up to the first one that is under way.
    pub(super) fn guard(
        &mut self,
        table: &Arc<Table>,
        place: usize,
        span: KeySpan,
        forward: bool,
    ) -> Result<Guard> {
        let tree = table.trees()[place].no;
        let core = self.place.core.clone();
        let Some(locked) = core.locks.ranges.add(tree, &span, self.id) else {
            return Ok(Guard { reach: Reach::All, held: None });
        };
        if !self.ranges.contains(&tree) {
            self.ranges.push(tree);
        }
        let mut inserts = core.locks.intents_in(tree, &locked, self.id);
        let keys = inserts.iter().map(|insert| insert.key.clone());
        let Some(first) = (if forward { keys.min() } else { keys.max() }) else {
            return Ok(Guard { reach: Reach::All, held: (locked == span).then_some(span) });
        };
        if locked == span && core.locks.ranges.draw_back(tree, &span, &first, forward, self.id) {
            inserts.retain(|insert| insert.key == first);
            let held = Some(span.up_to(&first, forward));
            return Ok(Guard { reach: Reach::Inserts(inserts), held });
        }
        // Part of a wider range, which was read before: none of it is open to inserts again.
        for insert in inserts {
            self.lock(insert.row, Mode::Shared, Wait::Block)?;
        }
        Ok(Guard { reach: Reach::All, held: None })
    }
}
