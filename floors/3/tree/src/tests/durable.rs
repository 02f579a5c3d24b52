//! Trees larger than their pool, with checkpoints running: what a restart finds is the state at the gate.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, RwLock};
use std::thread;

use pages::{Store, TreeNo};
use platform::sim::Disk;

use super::{Draw, delete, get, new_tree, put, small_pool};
use crate::{Direction, Tree};

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

fn compare(tree: &Tree, model: &Model) {
    assert_eq!(tree.check().unwrap().keys, model.len() as u64);
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Backward);
    for (key, value) in model.iter().rev() {
        assert!(cursor.advance(tree).unwrap() && cursor.key() == key && cursor.value() == value);
    }
    assert!(!cursor.advance(tree).unwrap());
}

#[test]
fn a_tree_five_times_its_pool_is_a_sorted_map_over_restarts() {
    let disk = Disk::new(1);
    let options = small_pool(20);
    let (mut store, _) = Store::create(&disk.dir(), &options).unwrap();
    let mut tree = new_tree(&store);
    let mut draw = Draw(4);
    let mut model = Model::new();
    for _ in 0..3 {
        for _ in 0..3000 {
            let key = draw.below(6000).to_be_bytes();
            if draw.below(3) == 0 {
                delete(&tree, &key);
                model.remove(&key[..]);
            } else {
                let len = if draw.below(100) == 0 { 40_000 } else { draw.below(900) };
                let value = draw.bytes(len as usize);
                put(&tree, &key, &value);
                model.insert(key.to_vec(), value);
            }
            let probe = draw.below(6000).to_be_bytes();
            assert_eq!(get(&tree, &probe), model.get(&probe[..]).cloned());
        }
        compare(&tree, &model);
        store.checkpoint(|_| Vec::new()).unwrap();
        let counters = store.counters();
        assert!(counters.pages_now > 100 && counters.evictions > 1000, "{counters:?}");
        let root = tree.root();
        drop((tree, store));
        store = Store::open(&disk.dir(), &options).unwrap().0;
        tree = Tree::open(&store, TreeNo(7), root);
        compare(&tree, &model);
    }
}

/// Scans and batches of a tree that is not in memory: what is read ahead is read once, and short ranges read little.
#[test]
fn reading_ahead_stays_within_the_range() {
    let disk = Disk::new(6);
    let (store, _) = Store::create(&disk.dir(), &small_pool(400)).unwrap();
    let tree = new_tree(&store);
    for number in 0..10_000_u64 {
        put(&tree, &number.to_be_bytes(), &[number as u8; 300]);
    }
    store.checkpoint(|_| Vec::new()).unwrap();
    let (root, pages) = (tree.root(), store.counters().pages_now);
    drop((tree, store));
    let cold = || {
        let store = Store::open(&disk.dir(), &small_pool(400)).unwrap().0;
        (Tree::open(&store, TreeNo(7), root), store)
    };
    let scan = |tree: &Tree, from: u64, to: u64, direction| {
        let (from, to) = (from.to_be_bytes(), to.to_be_bytes());
        let mut cursor = tree.cursor(Bound::Included(&from), Bound::Excluded(&to), direction);
        let mut count = 0;
        while cursor.advance(tree).unwrap() {
            count += 1;
        }
        count
    };
    for direction in [Direction::Forward, Direction::Backward] {
        let (tree, store) = cold();
        assert_eq!(scan(&tree, 0, 20_000, direction), 10_000);
        assert_eq!(store.counters().reads, pages, "each page once");
        let (tree, store) = cold();
        // 10,000 rows in {pages} pages: 50 to a leaf, and 1000 rows take about 20 leaves.
        assert_eq!(scan(&tree, 4000, 5000, direction), 1000);
        let reads = store.counters().reads;
        assert!(reads >= 1000 * pages / 10_000 && reads <= 1000 * pages / 10_000 + 5, "{reads} of {pages}");
    }
    let (tree, store) = cold();
    let keys: Vec<_> = (0..30_u64).map(|at| (at * 311).to_be_bytes()).collect();
    tree.prefetch(keys.iter().map(|key| &key[..]), |_, _| panic!("nothing is in memory yet")).unwrap();
    let reads = store.counters().reads;
    for (at, key) in keys.iter().enumerate() {
        assert_eq!(get(&tree, key), Some(vec![(at as u64 * 311) as u8; 300]));
    }
    assert!(reads > 25 && store.counters().reads == reads, "{reads} before, {:?}", store.counters());
}

/// Writers pass the gate that a checkpoint closes; all of them write while it is being written.
#[test]
fn a_restart_finds_the_tree_as_it_was_at_the_gate() {
    const WRITERS: u64 = 2;
    let disk = Disk::new(2);
    let options = small_pool(40);
    let (store, _) = Store::create(&disk.dir(), &options).unwrap();
    let tree = new_tree(&store);
    let gate = RwLock::new(());
    let models: Vec<Mutex<Model>> = (0..WRITERS).map(|_| Mutex::default()).collect();
    let done = AtomicBool::new(false);
    let mut at_gate = Vec::new();
    thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (tree, gate, model) = (&tree, &gate, &models[writer as usize]);
                scope.spawn(move || {
                    let mut draw = Draw(writer + 9);
                    for _ in 0..2500 {
                        let key = (draw.below(3000) * WRITERS + writer).to_be_bytes();
                        let len = if draw.below(50) == 0 { 20_000 } else { draw.below(700) };
                        let value = draw.bytes(len as usize);
                        let _open = gate.read().unwrap();
                        let mut model = model.lock().unwrap();
                        if draw.below(3) == 0 {
                            delete(tree, &key);
                            model.remove(&key[..]);
                        } else {
                            put(tree, &key, &value);
                            model.insert(key.to_vec(), value);
                        }
                    }
                })
            })
            .collect();
        let reader = scope.spawn(|| {
            let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
            let mut last = Vec::new();
            while !done.load(Ordering::Relaxed) {
                if !cursor.advance(&tree).unwrap() {
                    cursor.reset(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
                    last.clear();
                    continue;
                }
                assert!(last.is_empty() || &*last < cursor.key());
                last = cursor.key().to_vec();
            }
        });
        while !writers.iter().all(thread::ScopedJoinHandle::is_finished) {
            let report = store.checkpoint(|close| {
                let _closed = gate.write().unwrap();
                at_gate = models.iter().map(|model| model.lock().unwrap().clone()).collect();
                close.close();
                Vec::new()
            });
            report.unwrap();
        }
        done.store(true, Ordering::Relaxed);
        assert!(writers.into_iter().all(|writer| writer.join().is_ok()) && reader.join().is_ok());
    });
    compare(&tree, &models.into_iter().flat_map(|model| model.into_inner().unwrap()).collect());
    let (root, counters) = (tree.root(), store.counters());
    assert!(counters.checkpoints > 3 && counters.evictions > 100, "{counters:?}");
    drop((tree, store));
    // Nothing after the last checkpoint was forced: a crash may lose it.
    let store = Store::open(&disk.after_crash(5).dir(), &options).unwrap().0;
    compare(&Tree::open(&store, TreeNo(7), root), &at_gate.into_iter().flatten().collect());
}
