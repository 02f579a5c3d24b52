//! Rows that lie in a scan's copy of a leaf, looked at one behind the other without what a step of the scan costs each.

use super::Scan;
use crate::catalog::secondary::{self, clustered_part};
use crate::ids::CommitNo;
use crate::mvcc::entry;
use crate::txn::Txn;

/// The rows behind the one that a scan stands on, as far as nothing but the copy has to be asked for them. The scan goes on
/// over those passed.
pub struct AtHand<'s> {
    here: Option<tree::Here<'s>>,
    snapshot: CommitNo,
    /// The entries are the rows' own, not those of an index that leads to them.
    rows: bool,
}

impl Scan {
    /// The rows that follow at hand: none where the scan locks what it reads, where the transaction has changes of its own
    /// to be merged in, or where an index leads to rows that are read elsewhere.
    pub fn at_hand(&mut self, txn: &mut Txn) -> AtHand<'_> {
        let rows = self.place == 0;
        let plain = self.read.lock().is_none() && !self.newest && txn.writes.is_empty();
        if !plain || !self.on_last || self.ahead || self.ended || !(rows || self.keys_only) {
            return AtHand { here: None, snapshot: CommitNo::default(), rows };
        }
        AtHand { snapshot: self.sees(txn), here: Some(self.cursor.here()), rows }
    }
}

impl AtHand<'_> {
    /// The image of the next row, or what its index entry has beside the key (see [`Scan::beside`]); none where a step of the scan has to find it, or to find
    /// that it is not there.
    #[inline]
    pub fn peek(&self) -> Option<&[u8]> {
        let entry = entry::decode(self.here.as_ref()?.peek()?)?;
        let row = entry.payload.filter(|_| entry.commit <= self.snapshot)?;
        Some(if self.rows { row } else { secondary::beside(row) })
    }

    /// Puts the key of the next row's entry into `key`, and gives how many bytes the clustered key has, which it ends with.
    /// None where [`AtHand::peek`] gives none.
    #[inline]
    pub fn peek_key(&self, key: &mut Vec<u8>) -> Option<usize> {
        let here = self.here.as_ref()?;
        let payload = entry::decode(here.peek()?)?.payload?;
        here.peek_key(key);
        if self.rows { Some(key.len()) } else { clustered_part(key, payload).map(<[u8]>::len) }
    }

    /// Goes on over the next row.
    #[inline]
    pub fn pass(&mut self) {
        if let Some(here) = &mut self.here {
            here.pass();
        }
    }
}
