//! Older versions of entries, in memory.
//!
//! A version is pushed *before* the page that replaces it changes, inside the leaf's latch; so a reader that sees the
//! new version in the page finds the older one here. Looked into only by readers whose snapshot is older than what
//! the page holds. The mutexes here are innermost: nothing is taken and nobody parks under them.

use crate::ids::CommitNo;
use crate::mvcc::slots::KeyBytes;
use hashbrown::HashMap;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

const SHARDS: usize = 128;
/// What a version costs beside its bytes: map entry, chain, purge queue entry.
const OVERHEAD: usize = 160;

/// A tree and a key in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VersionKey {
    pub(crate) tree: u32,
    pub(crate) key: KeyBytes,
}

/// [`VersionKey`] by reference; hashes as the owned one.
#[derive(PartialEq, Eq)]
struct VersionKeyRef<'a> {
    tree: u32,
    key: &'a [u8],
}

impl Hash for VersionKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        VersionKeyRef { tree: self.tree, key: &self.key }.hash(state);
    }
}

impl Hash for VersionKeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.tree);
        state.write(self.key);
    }
}

impl hashbrown::Equivalent<VersionKey> for VersionKeyRef<'_> {
    fn equivalent(&self, other: &VersionKey) -> bool {
        self.tree == other.tree && *self.key == *other.key
    }
}

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

type Shard = Mutex<HashMap<VersionKey, Chain>>;

/// The store of older versions.
pub(crate) struct Versions {
    shards: Box<[Shard]>,
    hasher: hashbrown::DefaultHashBuilder,
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
        Versions {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            hasher: hashbrown::DefaultHashBuilder::default(),
            bytes: AtomicU64::new(0),
        }
    }

    /// Memory in use, in bytes, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Keeps the version `commit` of a key, which `replaced_by` is about to replace in the page.
    pub(crate) fn push(
        &self,
        tree: u32,
        key: &[u8],
        commit: CommitNo,
        replaced_by: CommitNo,
        payload: Option<&[u8]>,
    ) {
        let size = OVERHEAD + key.len() + payload.map_or(0, <[u8]>::len);
        let version = Version { commit, replaced_by, payload: payload.map(Box::from) };
        let mut shard = self.shard(tree, key).lock();
        match shard.get_mut(&VersionKeyRef { tree, key }) {
            // A leaf that was split under the change asks twice.
            Some(chain) if chain.last().is_some_and(|v| v.replaced_by == replaced_by) => return,
            Some(chain) => chain.push(version),
            None => {
                let mut chain = Chain::new();
                chain.push(version);
                shard.insert(VersionKey { tree, key: KeyBytes::from_slice(key) }, chain);
            }
        }
        drop(shard);
        self.bytes.fetch_add(size as u64, Ordering::Relaxed);
    }

    /// The newest version at or before `snapshot` among the older ones; a live payload is appended to `out`.
    pub(crate) fn find(&self, tree: u32, key: &[u8], snapshot: CommitNo, out: &mut Vec<u8>) -> Older {
        let shard = self.shard(tree, key).lock();
        let chain = shard.get(&VersionKeyRef { tree, key });
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

    /// Drops the versions of a key that were replaced at or before `horizon`.
    pub(crate) fn purge(&self, tree: u32, key: &[u8], horizon: CommitNo) {
        let mut freed = 0;
        let mut shard = self.shard(tree, key).lock();
        let wanted = VersionKeyRef { tree, key };
        if let Some(chain) = shard.get_mut(&wanted) {
            let gone = chain.partition_point(|v| v.replaced_by <= horizon);
            for version in chain.drain(..gone) {
                freed += OVERHEAD + key.len() + version.payload.as_deref().map_or(0, <[u8]>::len);
            }
            if chain.is_empty() {
                shard.remove(&wanted);
            }
        }
        drop(shard);
        self.bytes.fetch_sub(freed as u64, Ordering::Relaxed);
    }

    fn shard(&self, tree: u32, key: &[u8]) -> &Shard {
        let hash = self.hasher.hash_one(VersionKeyRef { tree, key });
        &self.shards[(hash >> 32) as usize % SHARDS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_snapshot_finds_its_version_until_the_horizon_passes() {
        let store = Versions::new();
        store.push(1, b"k", CommitNo(2), CommitNo(4), Some(b"two"));
        store.push(1, b"k", CommitNo(4), CommitNo(6), None);
        store.push(1, b"k", CommitNo(6), CommitNo(9), Some(b"six"));
        let look = |snapshot| {
            let mut out = Vec::new();
            (store.find(1, b"k", CommitNo(snapshot), &mut out), out)
        };
        assert_eq!(look(1), (Older::Absent, vec![]));
        assert_eq!(look(3), (Older::Live, b"two".to_vec()));
        assert_eq!(look(5), (Older::Absent, vec![]));
        assert_eq!(look(8), (Older::Live, b"six".to_vec()));
        store.purge(1, b"k", CommitNo(5));
        assert_eq!(look(8), (Older::Live, b"six".to_vec()));
        assert_eq!(look(3), (Older::Absent, vec![]));
        store.purge(1, b"k", CommitNo(9));
        assert_eq!(store.bytes(), 0);
    }
}
