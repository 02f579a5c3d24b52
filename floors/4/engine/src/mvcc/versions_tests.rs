//! Older versions under test.

use super::*;
use pages::{PoolOptions, Store, TreeNo};
use tree::Tree;

fn handle(no: u32) -> Arc<TreeHandle> {
    let options = PoolOptions { pool_bytes: 1 << 20, max_pages: 1 << 10, ..PoolOptions::default() };
    let store = Store::in_memory(&options).expect("store in memory");
    Arc::new(TreeHandle::new(Tree::create(&store, TreeNo(no)).expect("create tree")))
}

/// Key, commit that wrote it, payload.
type Entry<'e> = (&'e [u8], u64, Option<&'e [u8]>);

/// A commit that replaces these in tree 1.
fn commit(store: &Versions, number: u64, tree: &Arc<TreeHandle>, replaced: &[Entry<'_>]) {
    let mut keeper = store.keeper(CommitNo(number));
    for &(key, commit, payload) in replaced {
        keeper.keep(tree, key, Old { commit: CommitNo(commit), payload, removed: false }, replaced.len());
    }
    assert_eq!(keeper.finish().is_some(), !replaced.is_empty());
}

fn look(store: &Versions, key: &[u8], newest: u64, snapshot: u64) -> (Older, Vec<u8>) {
    let mut out = Vec::new();
    (store.find(1, key, CommitNo(newest), CommitNo(snapshot), &mut out), out)
}

#[test]
fn each_snapshot_finds_its_version_until_it_is_forgotten() {
    let (store, tree) = (Versions::new(), handle(1));
    commit(&store, 4, &tree, &[(b"a", 1, Some(b"old")), (b"k", 2, Some(b"two"))]);
    commit(&store, 5, &tree, &[]);
    commit(&store, 6, &tree, &[(b"k", 4, None)]);
    commit(&store, 9, &tree, &[(b"j", 3, Some(b"three")), (b"k", 6, Some(b"six")), (b"l", 3, None)]);
    assert_eq!(look(&store, b"k", 9, 1), (Older::Absent, vec![]), "there was none yet");
    assert_eq!(look(&store, b"k", 9, 3), (Older::Live, b"two".to_vec()));
    assert_eq!(look(&store, b"k", 9, 5), (Older::Absent, vec![]), "a tombstone");
    assert_eq!(look(&store, b"k", 9, 8), (Older::Live, b"six".to_vec()));
    assert_eq!(look(&store, b"k", 6, 3), (Older::Live, b"two".to_vec()), "from a page looked at earlier");
    assert_eq!(look(&store, b"j", 9, 8), (Older::Live, b"three".to_vec()));
    assert_eq!(look(&store, b"l", 9, 8), (Older::Absent, vec![]));
    assert_eq!(look(&store, b"m", 9, 8), (Older::Absent, vec![]), "inserted by it");
    let mut out = Vec::new();
    assert_eq!(store.find(2, b"k", CommitNo(9), CommitNo(8), &mut out), Older::Absent, "another tree");
    store.forget(CommitNo(4));
    assert_eq!(look(&store, b"k", 9, 8), (Older::Live, b"six".to_vec()));
    assert_eq!(look(&store, b"k", 9, 3), (Older::Absent, vec![]));
}

#[test]
fn what_is_kept_twice_counts_once_and_is_freed_whole() {
    let (store, tree) = (Versions::new(), handle(1));
    let mut keeper = store.keeper(CommitNo(7));
    for (key, removed) in [(b"a", true), (b"b", false), (b"b", false), (b"c", true)] {
        keeper.keep(&tree, key, Old { commit: CommitNo(3), payload: Some(b"row"), removed }, 3);
    }
    let replaced = keeper.finish().expect("something was replaced");
    assert_eq!(replaced.len(), 3);
    let kept = replaced.take();
    let removed: Vec<_> = kept.removed().map(|(tree, keys)| (tree.no, keys)).collect();
    assert_eq!(removed, [(1, vec![&b"a"[..], b"c"])]);
    assert!(store.bytes() > 0);
    store.note_freed(kept.size());
    assert_eq!(store.bytes(), 0);
}

#[test]
fn a_long_way_back_is_short() {
    let (store, tree) = (Versions::new(), handle(1));
    const LAST: u64 = 5000;
    for number in 2..=LAST {
        commit(&store, number, &tree, &[(b"k", number - 1, Some(&(number - 1).to_le_bytes()))]);
    }
    for snapshot in (1..LAST).step_by(7) {
        let found = look(&store, b"k", LAST, snapshot);
        assert_eq!(found, (Older::Live, snapshot.to_le_bytes().to_vec()), "at {snapshot}");
    }
    let (mut at, mut steps) = (CommitNo(LAST), 0);
    while let Some(back) = store.of(at).and_then(|replaced| replaced.back(1, b"k")) {
        assert!(back.jump < at);
        (at, steps) = (back.jump, steps + 1);
    }
    assert!(steps <= 26, "{steps} jumps over {LAST} versions");
    // What is forgotten is so from its old end.
    (2..2000).for_each(|number| store.forget(CommitNo(number)));
    commit(&store, LAST + 1, &tree, &[(b"k", LAST, None)]);
    for snapshot in (2000..=LAST).step_by(11) {
        let (older, payload) = look(&store, b"k", LAST + 1, snapshot);
        match snapshot {
            LAST => assert_eq!(older, Older::Absent),
            _ => {
                assert_eq!((older, payload), (Older::Live, snapshot.to_le_bytes().to_vec()), "at {snapshot}")
            }
        }
    }
}
