//! One thread: every call against `BTreeMap`, with a full check after each phase.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use pages::{Store, TreeNo};
use proptest::prelude::*;

use super::{Draw, delete, get, memory_store, new_tree, put};
use crate::{Action, Direction, Finger, Head, KEY_MAX, Tree, TreeError};

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

/// How keys and values of a run look.
#[derive(Clone, Copy, Debug)]
struct Shape {
    keys: u64,
    key_max: usize,
    value_max: usize,
}

const SHAPES: [Shape; 6] = [
    Shape { keys: 5000, key_max: 8, value_max: 20 },
    Shape { keys: 2000, key_max: 12, value_max: 300 },
    Shape { keys: 300, key_max: KEY_MAX, value_max: 100 },
    Shape { keys: 400, key_max: 40, value_max: 4200 },
    Shape { keys: 200, key_max: KEY_MAX, value_max: 5000 },
    Shape { keys: 60, key_max: 20, value_max: 100_000 },
];

/// The key of a number: dense numbers, runs of equal bytes, long tails, so that prefixes, heads and fences vary.
fn key_of(shape: Shape, number: u64) -> Vec<u8> {
    let mut key = match number % 3 {
        0 => number.to_be_bytes().to_vec(),
        1 => format!("table/{:05}", number / 10).into_bytes(),
        _ => vec![0; (number % 7) as usize],
    };
    key.extend_from_slice(&(number as u16).to_be_bytes());
    if shape.key_max > 100 {
        let len = (number.wrapping_mul(0x9e37_79b9) % shape.key_max as u64) as usize;
        key.resize(key.len().max(len), (number % 3) as u8);
        key.extend_from_slice(&(number as u16).to_le_bytes());
    }
    key.truncate(shape.key_max);
    key
}

/// Values in a row without their keys, but for each seventh.
fn pass_over(tree: &Tree, direction: Direction, expected: &[(&Vec<u8>, &Vec<u8>)]) {
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, direction);
    cursor.expect_few();
    let (mut at, mut key) = (0, Vec::new());
    while cursor.advance(tree).unwrap() {
        assert!((cursor.key(), cursor.value()) == (expected[at].0, expected[at].1));
        at += 1;
        let mut here = cursor.here();
        while at % 7 > 0
            && let Some(value) = here.peek()
        {
            assert!(value == expected[at].1);
            here.peek_key(&mut key);
            assert!(key == *expected[at].0);
            here.pass();
            at += 1;
        }
        drop(here);
        assert!(cursor.key() == expected[at - 1].0, "the cursor stands on the last one passed");
    }
    assert_eq!(at, expected.len());
}

fn compare_all(tree: &Tree, model: &Model) {
    let report = tree.check().expect("check");
    assert_eq!(report.keys, model.len() as u64);
    for direction in [Direction::Forward, Direction::Backward] {
        let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, direction);
        let mut expected: Vec<_> = model.iter().collect();
        if direction == Direction::Backward {
            expected.reverse();
        }
        for (key, value) in &expected {
            assert!(cursor.advance(tree).unwrap());
            assert!(cursor.key() == *key && cursor.value() == *value, "{key:?} came as {:?}", cursor.key());
        }
        assert!(!cursor.advance(tree).unwrap());
        pass_over(tree, direction, &expected);
    }
}

fn bound(draw: &mut Draw, shape: Shape) -> Bound<Vec<u8>> {
    match draw.below(5) {
        0 => Bound::Unbounded,
        1 | 2 => Bound::Included(key_of(shape, draw.below(shape.keys))),
        _ => Bound::Excluded(key_of(shape, draw.below(shape.keys))),
    }
}

fn compare_ranges(tree: &Tree, model: &Model, draw: &mut Draw, shape: Shape) {
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
    for round in 0..60 {
        let (lower, upper) = (bound(draw, shape), bound(draw, shape));
        let within = |key: &Vec<u8>| {
            (match &lower {
                Bound::Included(low) => key >= low,
                Bound::Excluded(low) => key > low,
                Bound::Unbounded => true,
            }) && (match &upper {
                Bound::Included(high) => key <= high,
                Bound::Excluded(high) => key < high,
                Bound::Unbounded => true,
            })
        };
        let mut expected: Vec<_> = model.iter().filter(|(key, _)| within(key)).collect();
        let direction = if round % 2 == 0 { Direction::Forward } else { Direction::Backward };
        if direction == Direction::Backward {
            expected.reverse();
        }
        let bounds = (lower.as_ref().map(|key| &key[..]), upper.as_ref().map(|key| &key[..]));
        cursor.reset(bounds.0, bounds.1, direction);
        if round % 3 == 0 {
            cursor.expect_few();
        }
        let (mut key, mut value) = (Vec::new(), Vec::new());
        for (expected_key, expected_value) in &expected {
            assert!(cursor.next(tree, &mut key, &mut value).unwrap());
            assert!(key == **expected_key && value == **expected_value);
        }
        assert!(!cursor.next(tree, &mut key, &mut value).unwrap());
        let estimate = tree.range_estimate(bounds.0, bounds.1).unwrap();
        let count = expected.len() as u64;
        assert!(estimate <= count * 8 + 200 && estimate * 8 + 200 >= count, "{estimate} guessed of {count}");
    }
}

fn run(store: &Store, shape: Shape, seed: u64, steps: u64) {
    let tree = new_tree(store);
    let mut draw = Draw(seed);
    let mut model = Model::new();
    for phase in 0..4 {
        // Grow, churn, shrink, and grow on what is left.
        let deletes = [1, 5, 9, 3][phase];
        for _ in 0..steps {
            let key = key_of(shape, draw.below(shape.keys));
            if draw.below(10) < deletes {
                let mut old = None;
                tree.upsert(&key, |value| {
                    old = value.map(<[u8]>::to_vec);
                    Action::Delete
                })
                .unwrap();
                assert_eq!(old, model.remove(&key));
            } else {
                let len = draw.below(shape.value_max as u64) as usize;
                let value = draw.bytes(len);
                let mut old = None;
                tree.upsert(&key, |known| {
                    old = known.map(<[u8]>::to_vec);
                    Action::put(&value)
                })
                .unwrap();
                assert_eq!(old, model.insert(key.clone(), value));
            }
            let probe = key_of(shape, draw.below(shape.keys));
            assert_eq!(get(&tree, &probe), model.get(&probe).cloned());
            assert_eq!(tree.contains(&probe).unwrap(), model.contains_key(&probe));
        }
        compare_all(&tree, &model);
        compare_ranges(&tree, &model, &mut draw, shape);
    }
    for key in model.keys() {
        delete(&tree, key);
    }
    let report = tree.check().unwrap();
    assert_eq!((report.keys, report.height), (0, 1), "an emptied tree is one leaf again");
    assert_eq!(store.trees(), [(tree.number(), 1)]);
}

#[test]
fn every_shape_of_keys_and_values_is_a_sorted_map() {
    for (round, shape) in SHAPES.into_iter().enumerate() {
        let steps = if shape.value_max > 10_000 { 60 } else { shape.keys.min(1500) };
        run(&memory_store(64 << 20), shape, round as u64 + 1, steps);
    }
}

#[test]
fn ascending_descending_and_interleaved_inserts_fill_pages_well() {
    type Order = fn(u64) -> u64;
    let orders: [(&str, Order, u64); 3] =
        [("ascending", |n| n, 85), ("descending", |n| 20_000 - n, 85), ("runs", |n| (n % 10) << 32 | n, 60)];
    for (name, order, percent) in orders {
        let tree = new_tree(&memory_store(64 << 20));
        for n in 0..20_000 {
            put(&tree, &order(n).to_be_bytes(), &[1; 50]);
        }
        let report = tree.check().unwrap();
        assert_eq!(report.keys, 20_000);
        let fill = report.leaf_bytes_used * 100 / (report.leaf_pages * crate::node::PAYLOAD as u64);
        assert!(fill >= percent, "{name}: leaves {fill} % full");
    }
}

#[test]
fn a_bulk_load_is_what_single_puts_make() {
    for (round, shape) in SHAPES.into_iter().enumerate() {
        for fill in [50, 90, 100] {
            let store = memory_store(64 << 20);
            let tree = new_tree(&store);
            let mut draw = Draw(round as u64 + 77);
            let model: Model = (0..shape.keys)
                .map(|number| {
                    (key_of(shape, number), vec![number as u8; draw.below(shape.value_max as u64) as usize])
                })
                .collect();
            let mut entries = model.iter();
            let loaded = tree.bulk_load::<TreeError>(fill, |key, value| {
                let Some((next_key, next_value)) = entries.next() else { return Ok(false) };
                key.clone_from(next_key);
                value.clone_from(next_value);
                Ok(true)
            });
            assert_eq!(loaded.unwrap(), model.len() as u64);
            compare_all(&tree, &model);
            let report = tree.check().unwrap();
            let filled = report.leaf_bytes_used * 100 / (report.leaf_pages * crate::node::PAYLOAD as u64);
            // Large records leave gaps; small ones must come near.
            assert!(
                filled <= fill as u64 + 1 && (round > 1 || filled + 12 >= fill as u64),
                "{filled} of {fill} %"
            );
            put(&tree, b"one more", b"value");
            tree.check().unwrap();
        }
    }
}

#[test]
fn a_bulk_load_that_fails_leaves_nothing_behind() {
    let store = memory_store(64 << 20);
    let tree = new_tree(&store);
    let mut n = 0_u32;
    let loaded = tree.bulk_load::<TreeError>(90, |key, value| {
        n += 1;
        key.clear();
        key.extend_from_slice(&n.to_be_bytes());
        value.resize(if n.is_multiple_of(100) { 20_000 } else { 100 }, 1);
        if n == 5000 {
            key.clear();
        }
        Ok(true)
    });
    assert!(matches!(loaded, Err(TreeError::OutOfOrder(_))));
    assert_eq!(store.trees(), [(tree.number(), 1)]);
    put(&tree, b"k", b"v");
    let loaded = tree.bulk_load::<TreeError>(90, |_, _| Ok(false));
    assert!(matches!(loaded, Err(TreeError::NotEmpty(_))));
}

#[test]
fn too_long_keys_are_refused() {
    let tree = new_tree(&memory_store(1 << 20));
    let key = vec![1; KEY_MAX + 1];
    assert!(matches!(tree.upsert(&key, |_| Action::put(&b""[..])), Err(TreeError::KeyTooLong { .. })));
    assert_eq!(get(&tree, &key), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_short_history_is_a_sorted_map(
        ops in prop::collection::vec((prop::collection::vec(0_u8..3, 0..6), prop::option::of(0_usize..6000)), 1..300),
        repeat in 1_usize..400,
    ) {
        let tree = new_tree(&memory_store(16 << 20));
        let mut model = Model::new();
        for (piece, value) in ops {
            // Long keys from few bytes: the interesting lengths and prefixes within few operations.
            let key = piece.iter().flat_map(|&byte| vec![byte; repeat]).collect::<Vec<u8>>();
            match value {
                Some(len) => {
                    put(&tree, &key, &vec![7; len]);
                    model.insert(key, vec![7; len]);
                }
                None => {
                    delete(&tree, &key);
                    model.remove(&key);
                }
            }
        }
        compare_all(&tree, &model);
    }
}

/// What a sighting promises: the key's value of the moment of reading, whatever has happened to its leaf.
#[test]
fn a_key_that_was_seen_is_read_as_it_is_now() {
    let store = super::memory_store(4 << 20);
    let tree = super::new_tree(&store);
    let key = |number: u64| number.to_be_bytes();
    for number in 0..2_000 {
        super::put(&tree, &key(number), &[1; 40]);
    }
    let keys: Vec<_> = (0..crate::BATCH as u64).map(|at| key(at * 60)).collect();
    let see = || {
        let mut seen = Vec::new();
        tree.prefetch(keys.iter().map(|key| &key[..]), |at, sighting| seen.push((at, sighting))).unwrap();
        seen
    };
    let seen = see();
    assert_eq!(seen.len(), keys.len(), "all are in memory and there");
    let read = |seen: &[(usize, crate::Sighting)]| -> Vec<Option<Vec<u8>>> {
        let mut value = Vec::new();
        seen.iter()
            .map(|(at, sighting)| {
                tree.get_sighted(*sighting, &keys[*at], &mut value).unwrap().then(|| value.clone())
            })
            .collect()
    };
    assert!(read(&seen).iter().all(|value| value.as_deref() == Some(&[1; 40])));
    // Another value, a neighbour in front, long values in pages of their own, splits, gone.
    super::put(&tree, &keys[3], &[2; 41]);
    for number in 0..2_000 {
        super::put(&tree, &[&key(number)[..], b"x"].concat(), &[9; 200]);
    }
    super::put(&tree, &keys[5], &[3; 20_000]);
    super::delete(&tree, &keys[7]);
    let expected: Vec<_> = keys.iter().map(|key| super::get(&tree, key)).collect();
    assert_eq!(read(&seen), expected);
    assert_eq!(expected[5].as_ref().map(Vec::len), Some(20_000));
    let again = see();
    assert_eq!(again.len(), keys.len() - 1, "the deleted one is not seen");
    assert!(again.iter().all(|(at, _)| *at != 7));
    let expected: Vec<_> =
        expected.into_iter().enumerate().filter(|(at, _)| *at != 7).map(|(_, v)| v).collect();
    assert_eq!(read(&again), expected);
}

/// One finger goes over two trees that grow, split, shrink and give pages to each other.
#[test]
fn a_finger_serves_any_tree_after_any_change() {
    let store = memory_store(16 << 20);
    let trees = [TreeNo(7), TreeNo(8)].map(|number| Tree::create(&store, number).unwrap());
    let mut models = [Model::new(), Model::new()];
    let mut draw = Draw(20);
    let mut finger = Finger::default();
    let mut value = Vec::new();
    for step in 0..60_000_u64 {
        let which = draw.below(2) as usize;
        let (tree, model) = (&trees[which], &mut models[which]);
        // Runs of neighbours, now growing, now shrinking.
        let number = (step / 3 * 7 + draw.below(30)) % 5000;
        let key = number.to_be_bytes().to_vec();
        if (step / 10_000) % 2 == 0 || draw.below(5) == 0 {
            let new = draw.bytes(draw.0 as usize % 300);
            tree.upsert_run(&mut finger, &mut 0, 1, |_| &key, |_, _| Action::put(new.as_slice())).unwrap();
            model.insert(key.clone(), new);
        } else {
            tree.upsert_run(&mut finger, &mut 0, 1, |_| &key, |_, _| Action::Delete).unwrap();
            model.remove(&key);
        }
        let near = (number + draw.below(3)).to_be_bytes().to_vec();
        let found = tree.get_from(&mut finger, &near, &mut value).unwrap();
        assert_eq!(found.then_some(&value), model.get(&near), "step {step}");
    }
    for (tree, model) in trees.iter().zip(&models) {
        compare_all(tree, model);
    }
}

/// Runs of ascending keys, whatever becomes of each, are as the same changes one by one.
#[test]
fn runs_change_what_single_upserts_would() {
    for (seed, shape) in SHAPES.into_iter().enumerate() {
        let store = memory_store(64 << 20);
        let tree = new_tree(&store);
        let mut draw = Draw(seed as u64 + 77);
        let mut model = Model::new();
        for round in 0..120 {
            let count = 1 + draw.below(if round % 3 == 0 { 400 } else { 40 });
            let keys: BTreeSet<Vec<u8>> = (0..count).map(|_| key_of(shape, draw.below(shape.keys))).collect();
            let keys: Vec<Vec<u8>> = keys.into_iter().collect();
            let deletes = [1, 4, 9][round % 3];
            let values: Vec<Vec<u8>> = keys.iter().map(|_| draw.bytes(shape.value_max)).collect();
            let kinds: Vec<u64> = keys.iter().map(|_| draw.below(12)).collect();
            let mut olds = vec![None; keys.len()];
            let (mut finger, mut done) = (Finger::default(), 0);
            tree.upsert_run(
                &mut finger,
                &mut done,
                keys.len(),
                |at| &keys[at],
                |at, old| {
                    olds[at] = old.map(<[u8]>::to_vec);
                    match kinds[at] {
                        kind if kind < deletes => Action::Delete,
                        11 => Action::Keep,
                        10 => Action::put(values[at].as_slice()),
                        _ => Action::PutBehind(Head::new(b"head"), &values[at]),
                    }
                },
            )
            .expect("change a run");
            assert_eq!(done, keys.len());
            for (at, key) in keys.iter().enumerate() {
                assert_eq!(olds[at].as_ref(), model.get(key), "{key:?} before");
                match kinds[at] {
                    kind if kind < deletes => drop(model.remove(key)),
                    11 => {}
                    10 => drop(model.insert(key.clone(), values[at].clone())),
                    _ => drop(model.insert(key.clone(), [b"head", &values[at][..]].concat())),
                }
            }
        }
        compare_all(&tree, &model);
    }
}

#[test]
fn a_tree_that_is_not_planted_is_empty_and_is_not_changed() {
    let store = memory_store(1 << 20);
    let tree = Tree::open(&store, TreeNo(7), pages::PageNo::NONE);
    let empty = |tree: &Tree| {
        compare_all(tree, &Model::new());
        assert_eq!(get(tree, b"k"), None);
        assert!(!tree.contains(b"k").unwrap());
        assert_eq!(tree.range_estimate(Bound::Unbounded, Bound::Included(b"k")).unwrap(), 0);
        assert!(!tree.cursor_at_random(3).unwrap().advance(tree).unwrap());
        tree.prefetch([&b"k"[..]], |_, _| panic!("there is nothing to see")).unwrap();
    };
    empty(&tree);
    let changed = tree.upsert(b"k", |_| Action::put(&b"v"[..]));
    assert!(matches!(changed, Err(TreeError::NotPlanted(TreeNo(7)))));
    let loaded = tree.bulk_load::<TreeError>(90, |_, _| Ok(false));
    assert!(matches!(loaded, Err(TreeError::NotPlanted(TreeNo(7)))));
    assert_eq!(store.trees(), []);
    assert!(tree.plant().unwrap() && !tree.plant().unwrap());
    empty(&tree);
    put(&tree, b"k", b"v");
    assert_eq!(get(&Tree::open(&store, TreeNo(7), tree.root()), b"k").unwrap(), b"v");
    assert_eq!(store.trees(), [(TreeNo(7), 1)]);
}
