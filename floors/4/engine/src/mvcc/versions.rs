//! Older versions of entries, in memory: what each commit replaced, in one piece a commit.
//!
//! The commit number that an entry in a page carries is the way to the version before it: it names the [`Replaced`]
//! where that stands, with the number of its own commit, and so on back. There is no table by key. What a commit
//! replaced is written in the order of its application, which is that of the keys, into one arena, and goes as a whole
//! when every snapshot sees the commit.
//!
//! A row that many commits changed since a snapshot is a long way back. So each version also names one further back, as in
//! Myers' random-access lists ("An applicative random-access stack", 1983): a look takes the logarithm of the length.
//!
//! A version is kept *before* the page that replaces it changes, inside the leaf's latch; so a reader that sees the
//! new version in the page finds the older one here. Looked into only by readers whose snapshot is older than what
//! the page holds. The mutexes here are innermost: nothing is taken and nobody parks under them, but that a commit's
//! own is held when it is made known.

use crate::catalog::TreeHandle;
use crate::ids::CommitNo;
use crossbeam_utils::CachePadded;
use hashbrown::HashMap;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const SHARDS: usize = 64;
/// What a version costs beside its bytes.
const OVERHEAD: usize = size_of::<Version>() + 8;
/// What a commit that replaced something costs beside its versions.
const COMMIT_OVERHEAD: usize = 256;
/// Most bytes reserved ahead for a commit's versions.
const RESERVE_MAX: usize = 1 << 20;
/// Length of a payload that is none.
const TOMBSTONE: u32 = u32::MAX;

/// A version that a commit replaced.
#[derive(Clone, Copy)]
struct Version {
    /// The commit that wrote it.
    commit: CommitNo,
    /// Where its key is, and behind it its payload.
    at: usize,
    key: u32,
    payload: u32,
    /// A tombstone took its place.
    removed: bool,
    back: Back,
}

/// The way back from a version, over those that were kept when it was.
#[derive(Clone, Copy, Default)]
struct Back {
    /// Kept versions of the key behind this one.
    depth: u32,
    /// A commit that replaced one further back, and its depth; 0: none.
    jump: CommitNo,
    jump_depth: u32,
}

impl Back {
    /// Of a version before which `parent` is the next, written by the commit `by`; `jumped` is that of the one that
    /// `parent` jumps to.
    fn behind(by: CommitNo, parent: Back, jumped: Option<Back>) -> Back {
        let depth = parent.depth + 1;
        match jumped {
            Some(far) if parent.depth - parent.jump_depth == parent.jump_depth - far.jump_depth => {
                Back { depth, jump: far.jump, jump_depth: far.jump_depth }
            }
            _ => Back { depth, jump: by, jump_depth: parent.depth },
        }
    }
}

/// Versions of one tree, their keys ascending.
struct OfTree {
    tree: Arc<TreeHandle>,
    versions: Vec<Version>,
}

/// All that one commit replaced.
#[derive(Default)]
pub(crate) struct Kept {
    trees: SmallVec<[OfTree; 1]>,
    bytes: Vec<u8>,
}

/// What one commit replaced, as readers share it.
pub(crate) struct Replaced {
    pub(crate) commit: CommitNo,
    kept: Mutex<Kept>,
}

impl Kept {
    fn key(&self, version: &Version) -> &[u8] {
        &self.bytes[version.at..version.at + version.key as usize]
    }

    fn payload(&self, version: &Version) -> Option<&[u8]> {
        let at = version.at + version.key as usize;
        (version.payload != TOMBSTONE).then(|| &self.bytes[at..at + version.payload as usize])
    }

    fn find(&self, tree: u32, key: &[u8]) -> Option<&Version> {
        let of_tree = self.trees.iter().find(|t| t.tree.no == tree)?;
        let at = of_tree.versions.binary_search_by(|version| self.key(version).cmp(key)).ok()?;
        of_tree.versions.get(at)
    }

    /// Keys in it.
    pub(crate) fn len(&self) -> usize {
        self.trees.iter().map(|t| t.versions.len()).sum()
    }

    /// Memory in use, about.
    pub(crate) fn size(&self) -> usize {
        COMMIT_OVERHEAD + self.len() * OVERHEAD + self.bytes.len()
    }

    /// The keys, ascending, that the commit left tombstones for, by tree.
    pub(crate) fn removed(&self) -> impl Iterator<Item = (&Arc<TreeHandle>, Vec<&[u8]>)> {
        self.trees.iter().filter_map(|of_tree| {
            let removed = of_tree.versions.iter().filter(|version| version.removed);
            let keys: Vec<&[u8]> = removed.map(|version| self.key(version)).collect();
            (!keys.is_empty()).then_some((&of_tree.tree, keys))
        })
    }
}

impl Replaced {
    /// Keeps what the commit is about to replace: `version` is the entry of `key` now. Keys of a tree come in their
    /// order; `ahead` says how many more may come. The same key again means that its leaf was split under the change.
    fn keep(&self, tree: &Arc<TreeHandle>, key: &[u8], version: Old<'_>, back: Back, ahead: usize) {
        let kept = &mut *self.kept.lock();
        if kept.trees.last().is_none_or(|last| last.tree.no != tree.no) {
            kept.trees.push(OfTree { tree: tree.clone(), versions: Vec::with_capacity(ahead) });
            let each = key.len() + version.payload.map_or(0, <[u8]>::len);
            kept.bytes.reserve((each * ahead).min(RESERVE_MAX));
        }
        let Kept { trees, bytes } = kept;
        let Some(of_tree) = trees.last_mut() else { return };
        let at = bytes.len();
        let same = |last: &Version| bytes[last.at..last.at + last.key as usize] == *key;
        if of_tree.versions.last().is_some_and(same) {
            return;
        }
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(version.payload.unwrap_or(&[]));
        of_tree.versions.push(Version {
            commit: version.commit,
            at,
            // Keys and values of a tree are shorter.
            key: key.len() as u32,
            payload: version.payload.map_or(TOMBSTONE, |payload| payload.len() as u32),
            removed: version.removed,
            back,
        });
    }

    fn back(&self, tree: u32, key: &[u8]) -> Option<Back> {
        self.kept.lock().find(tree, key).map(|version| version.back)
    }

    /// Takes everything out: for who purges it, when nobody looks into it any more.
    pub(crate) fn take(&self) -> Kept {
        std::mem::take(&mut *self.kept.lock())
    }

    /// Puts back what was taken out.
    pub(crate) fn put_back(&self, kept: Kept) {
        *self.kept.lock() = kept;
    }

    /// Keys in it.
    pub(crate) fn len(&self) -> usize {
        self.kept.lock().len()
    }
}

/// An entry that is about to be replaced.
#[derive(Clone, Copy)]
pub(crate) struct Old<'v> {
    /// The commit that wrote it.
    pub(crate) commit: CommitNo,
    /// Its payload; `None` for a tombstone.
    pub(crate) payload: Option<&'v [u8]>,
    /// A tombstone takes its place.
    pub(crate) removed: bool,
}

/// What a commit replaces while it is applied.
pub(crate) struct Keeper<'v> {
    versions: &'v Versions,
    commit: CommitNo,
    replaced: Option<Arc<Replaced>>,
    /// The commit that wrote what was replaced last, with what it replaced itself: often the same for many rows.
    before: (CommitNo, Option<Arc<Replaced>>),
}

impl Keeper<'_> {
    /// Keeps an entry, see [`Replaced::keep`]; readers find it from here on.
    #[inline]
    pub(crate) fn keep(&mut self, tree: &Arc<TreeHandle>, key: &[u8], old: Old<'_>, ahead: usize) {
        let back = self.back(tree.no, key, old.commit);
        let Keeper { versions, commit, replaced, .. } = self;
        let replaced = replaced.get_or_insert_with(|| {
            let replaced = Arc::new(Replaced { commit: *commit, kept: Mutex::default() });
            versions.shard(*commit).lock().insert(commit.0, replaced.clone());
            replaced
        });
        replaced.keep(tree, key, old, back, ahead);
    }

    /// The way back from a version that the commit `by` wrote.
    #[inline]
    fn back(&mut self, tree: u32, key: &[u8], by: CommitNo) -> Back {
        if self.before.0 != by {
            self.before = (by, self.versions.of(by));
        }
        let parent = self.before.1.as_ref().and_then(|replaced| replaced.back(tree, key));
        let Some(parent) = parent else { return Back::default() };
        let jumped = (parent.jump.0 != 0).then(|| self.versions.of(parent.jump)).flatten();
        Back::behind(by, parent, jumped.and_then(|replaced| replaced.back(tree, key)))
    }

    /// The commit is applied: what it replaced, to be purged one day, counted.
    pub(crate) fn finish(self) -> Option<Arc<Replaced>> {
        let replaced = self.replaced?;
        self.versions.bytes.fetch_add(replaced.kept.lock().size() as u64, Ordering::Relaxed);
        Some(replaced)
    }
}

/// Some of the commits, on cache lines of their own.
type Shard = CachePadded<Mutex<HashMap<u64, Arc<Replaced>>>>;

/// The store of older versions.
pub(crate) struct Versions {
    shards: Box<[Shard]>,
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
        let shards = (0..SHARDS).map(|_| CachePadded::default()).collect();
        Versions { shards, bytes: AtomicU64::new(0) }
    }

    /// Memory in use, in bytes, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn shard(&self, commit: CommitNo) -> &Shard {
        &self.shards[commit.0 as usize % SHARDS]
    }

    /// What a commit replaced, while somebody may want it.
    fn of(&self, commit: CommitNo) -> Option<Arc<Replaced>> {
        self.shard(commit).lock().get(&commit.0).cloned()
    }

    /// For the application of a commit.
    pub(crate) fn keeper(&self, commit: CommitNo) -> Keeper<'_> {
        Keeper { versions: self, commit, replaced: None, before: (CommitNo(0), None) }
    }

    /// The newest version of a key at or before `snapshot`, where the page's is of the later commit `newest`; a live
    /// payload is appended to `out`.
    pub(crate) fn find(
        &self,
        tree: u32,
        key: &[u8],
        newest: CommitNo,
        snapshot: CommitNo,
        out: &mut Vec<u8>,
    ) -> Older {
        let mut at = newest;
        loop {
            let Some(replaced) = self.of(at) else { return Older::Absent };
            {
                let kept = replaced.kept.lock();
                let Some(version) = kept.find(tree, key) else { return Older::Absent };
                if version.commit <= snapshot {
                    let Some(payload) = kept.payload(version) else { return Older::Absent };
                    out.extend_from_slice(payload);
                    return Older::Live;
                }
                // Always so: each version is older than what replaced it.
                if version.commit >= at {
                    return Older::Absent;
                }
                // Whatever a snapshot wants is kept, and all that replaced it: a jump no further than that is safe.
                let far = version.back.jump;
                at = if far > snapshot && far < at { far } else { version.commit };
            }
        }
    }

    /// Forgets what a commit replaced: no reader wants it any more.
    pub(crate) fn forget(&self, commit: CommitNo) {
        self.shard(commit).lock().remove(&commit.0);
    }

    /// Counts what was purged.
    pub(crate) fn note_freed(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
#[path = "versions_tests.rs"]
mod tests;
