//! Older versions of entries, in memory.
//!
//! A version is pushed *before* the page that replaces it changes, inside the leaf's latch; so a reader that sees the
//! new version in the page finds the older one here. Looked into only by readers whose snapshot is older than what
//! the page holds. The mutexes here are innermost: nothing is taken and nobody parks under them.

use crate::ids::CommitNo;
use crate::key_table::KeyTable;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicU64, Ordering};

const SHARDS: usize = 128;
/// What a version costs beside its bytes: map entry, chain, purge queue entry.
const OVERHEAD: usize = 160;

/// A version that a later commit replaced.
struct Version {
    /// The commit that wrote it.
    commit: CommitNo,
    /// The commit that replaced it.
    replaced_by: CommitNo,
    /// The payload; `None` for a tombstone.
    payload: Option<Box<[u8]>>,
}

/// Oldest first: both numbers ascend, so that a hot row's long chain is searched and cut without a walk.
type Chain = SmallVec<[Version; 1]>;

/// The store of older versions.
pub(crate) struct Versions {
    chains: KeyTable<Chain>,
    bytes: AtomicU64,
}

/// What the store knows for a snapshot.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Older {
    /// A live version: the payload was copied out.
    Live,
    /// No row at that snapshot.
    Absent,
}

impl Versions {
    /// An empty store.
    pub(crate) fn new() -> Versions {
        Versions { chains: KeyTable::new(SHARDS), bytes: AtomicU64::new(0) }
    }

    /// Memory in use, in bytes, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Keeps the version `commit` of a key, which `replaced_by` is about to replace in the page. Gives the bytes that it
    /// takes, for [`Versions::note_kept`].
    pub(crate) fn push(
        &self,
        tree: u32,
        key: &[u8],
        commit: CommitNo,
        replaced_by: CommitNo,
        payload: Option<&[u8]>,
    ) -> usize {
        let version = Version { commit, replaced_by, payload: payload.map(Box::from) };
        let mut place = self.chains.lock(tree, key);
        let chain = place.or_default();
        if chain.last().is_some_and(|last| last.replaced_by == replaced_by) {
            // A leaf that was split under the change asks twice.
            return 0;
        }
        chain.push(version);
        OVERHEAD + key.len() + payload.map_or(0, <[u8]>::len)
    }

    /// Counts what was pushed: once a commit, as all commits count here.
    pub(crate) fn note_kept(&self, bytes: usize) {
        if bytes != 0 {
            self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    /// Counts what was purged.
    pub(crate) fn note_freed(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes as u64, Ordering::Relaxed);
    }

    /// The newest version at or before `snapshot` among the older ones; a live payload is appended to `out`.
    pub(crate) fn find(&self, tree: u32, key: &[u8], snapshot: CommitNo, out: &mut Vec<u8>) -> Older {
        let place = self.chains.lock(tree, key);
        let chain = place.get();
        let version = chain.and_then(|chain| {
            let newer = chain.partition_point(|v| v.commit <= snapshot);
            chain.get(newer.checked_sub(1)?)
        });
        match version.and_then(|v| v.payload.as_deref()) {
            Some(payload) => {
                out.extend_from_slice(payload);
                Older::Live
            }
            None => Older::Absent,
        }
    }

    /// Drops the versions of a key that were replaced at or before `horizon`. Gives the bytes that they took, for
    /// [`Versions::note_freed`].
    pub(crate) fn purge(&self, tree: u32, key: &[u8], horizon: CommitNo) -> usize {
        let mut place = self.chains.lock(tree, key);
        let Some(mut kept) = place.find() else { return 0 };
        let chain = &mut kept.get_mut().value;
        let gone = chain.partition_point(|v| v.replaced_by <= horizon);
        let bytes =
            |version: &Version| OVERHEAD + key.len() + version.payload.as_deref().map_or(0, <[u8]>::len);
        let freed = chain[..gone].iter().map(bytes).sum();
        if gone == chain.len() {
            let gone = kept.remove().0;
            // Memory is given back when others may look again.
            drop(place);
            drop(gone);
        } else {
            chain.drain(..gone);
        }
        freed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_snapshot_finds_its_version_until_the_horizon_passes() {
        let store = Versions::new();
        let mut bytes = store.push(1, b"k", CommitNo(2), CommitNo(4), Some(b"two"));
        bytes += store.push(1, b"k", CommitNo(4), CommitNo(6), None);
        bytes += store.push(1, b"k", CommitNo(6), CommitNo(9), Some(b"six"));
        assert_eq!(store.push(1, b"k", CommitNo(6), CommitNo(9), Some(b"six")), 0);
        store.note_kept(bytes);
        let look = |snapshot| {
            let mut out = Vec::new();
            (store.find(1, b"k", CommitNo(snapshot), &mut out), out)
        };
        assert_eq!(look(1), (Older::Absent, vec![]));
        assert_eq!(look(3), (Older::Live, b"two".to_vec()));
        assert_eq!(look(5), (Older::Absent, vec![]));
        assert_eq!(look(8), (Older::Live, b"six".to_vec()));
        store.note_freed(store.purge(1, b"k", CommitNo(5)));
        assert_eq!(look(8), (Older::Live, b"six".to_vec()));
        assert_eq!(look(3), (Older::Absent, vec![]));
        store.note_freed(store.purge(1, b"k", CommitNo(9)));
        assert_eq!(store.purge(1, b"k", CommitNo(9)), 0);
        assert_eq!(store.bytes(), 0);
    }
}
