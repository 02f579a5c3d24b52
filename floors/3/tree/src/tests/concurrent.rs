//! Many threads on one tree: readers, scanners and writers, with what must hold at every moment.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::{Draw, memory_store, new_tree, put};
use crate::{Action, Direction, Finger, Tree};

/// A value that says which key it belongs to and whose every byte follows from key and version, so that a torn or
/// misplaced one is known.
fn value_of(number: u64, version: u64, len: usize) -> Vec<u8> {
    let mut value = number.to_le_bytes().to_vec();
    value.extend_from_slice(&version.to_le_bytes());
    value.extend((0..len).map(|at| (number ^ version ^ at as u64) as u8));
    value
}

fn assert_value(number: u64, value: &[u8]) {
    let version = u64::from_le_bytes(value[8..16].try_into().unwrap());
    assert!(value == value_of(number, version, value.len() - 16), "value of key {number} torn");
}

/// What a run consists of.
#[derive(Clone, Copy)]
struct Plan {
    keys: u64,
    key_tail: usize,
    value_max: u64,
    steps: u64,
}

const WRITERS: u64 = 3;

impl Plan {
    fn key(&self, number: u64) -> Vec<u8> {
        let mut key = (number * 3).to_be_bytes().to_vec();
        key.resize(8 + self.key_tail * (number % 5) as usize, 1);
        key
    }

    fn number(&self, key: &[u8]) -> u64 {
        u64::from_be_bytes(key[..8].try_into().unwrap()) / 3
    }

    /// Keys that are never deleted: every scan must meet them.
    fn is_anchor(&self, number: u64) -> bool {
        number.is_multiple_of(7)
    }

    /// Changes this writer's own keys, runs of neighbours among them, so that leaves fill, split, empty and merge.
    fn write(&self, tree: &Tree, writer: u64, model: &mut BTreeMap<u64, Vec<u8>>) {
        let mut draw = Draw(writer + 1);
        let mut step = 0;
        let mut finger = Finger::default();
        let mut found = Vec::new();
        while step < self.steps {
            let start = draw.below(self.keys);
            let run = 1 + draw.below(60);
            let deletes = draw.below(2) == 0;
            for number in (start..start + run).filter(|number| number % WRITERS == writer) {
                step += 1;
                if number >= self.keys {
                    continue;
                }
                let key = self.key(number);
                if deletes && !self.is_anchor(number) {
                    tree.upsert_run(&mut finger, &mut 0, 1, |_| &key, |_, _| Action::Delete).unwrap();
                    model.remove(&number);
                } else {
                    let value = value_of(number, draw.next(), draw.below(self.value_max) as usize);
                    tree.upsert_run(&mut finger, &mut 0, 1, |_| &key, |_, _| Action::put(value.as_slice()))
                        .unwrap();
                    model.insert(number, value);
                }
                // Nobody else writes this writer's keys.
                let there = tree.get_from(&mut finger, &key, &mut found).unwrap();
                assert_eq!(there.then_some(&found), model.get(&number));
            }
        }
    }

    fn read(&self, tree: &Tree, seed: u64, done: &AtomicBool) {
        let mut draw = Draw(seed);
        let mut value = Vec::new();
        while !done.load(Ordering::Relaxed) {
            let number = draw.below(self.keys);
            let numbers: Vec<u64> = (0..8).map(|_| draw.below(self.keys)).chain([number]).collect();
            let keys: Vec<_> = numbers.iter().map(|&number| self.key(number)).collect();
            let mut sightings = vec![None; keys.len()];
            tree.prefetch(keys.iter().map(|key| &key[..]), |at, seen| sightings[at] = Some(seen)).unwrap();
            for ((number, key), sighting) in numbers.iter().zip(&keys).zip(sightings) {
                let found = match sighting {
                    Some(sighting) => tree.get_sighted(sighting, key, &mut value),
                    None => tree.get(key, &mut value),
                };
                let found = found.unwrap();
                assert!(found || !self.is_anchor(*number), "anchor {number} not found");
                if found {
                    assert_value(*number, &value);
                }
            }
            let estimate = tree.range_estimate(Bound::Included(&self.key(number)), Bound::Unbounded).unwrap();
            assert!(estimate < 100 * self.keys + 1000);
        }
    }

    fn scan(&self, tree: &Tree, direction: Direction, done: &AtomicBool) {
        let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, direction);
        while !done.load(Ordering::Relaxed) {
            cursor.reset(Bound::Unbounded, Bound::Unbounded, direction);
            cursor.expect_few();
            let mut last = None;
            let mut anchors = 0;
            while cursor.advance(tree).unwrap() {
                let number = self.number(cursor.key());
                assert_eq!(cursor.key(), self.key(number));
                assert_value(number, cursor.value());
                let ordered = last.is_none_or(|last| match direction {
                    Direction::Forward => last < number,
                    Direction::Backward => last > number,
                });
                assert!(ordered, "{number} came after {last:?}");
                anchors += u64::from(self.is_anchor(number));
                last = Some(number);
            }
            assert_eq!(anchors, self.keys.div_ceil(7), "anchors met by a scan");
        }
    }
}

fn run(tree: &Tree, plan: Plan) {
    let mut models: Vec<BTreeMap<u64, Vec<u8>>> = vec![BTreeMap::new(); WRITERS as usize];
    for number in (0..plan.keys).filter(|&number| plan.is_anchor(number)) {
        let value = value_of(number, 0, 3);
        put(tree, &plan.key(number), &value);
        models[(number % WRITERS) as usize].insert(number, value);
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = models
            .iter_mut()
            .enumerate()
            .map(|(writer, model)| scope.spawn(move || plan.write(tree, writer as u64, model)))
            .collect();
        let mut others = Vec::new();
        for direction in [Direction::Forward, Direction::Backward] {
            others.push(scope.spawn({
                let done = &done;
                move || plan.scan(tree, direction, done)
            }));
        }
        others.push(scope.spawn(|| plan.read(tree, 99, &done)));
        let failed: Vec<_> = writers.into_iter().filter_map(|writer| writer.join().err()).collect();
        done.store(true, Ordering::Relaxed);
        assert!(failed.is_empty() && others.into_iter().all(|other| other.join().is_ok()));
    });
    let report = tree.check().unwrap();
    let expected: BTreeMap<_, _> =
        models.into_iter().flatten().map(|(number, value)| (plan.key(number), value)).collect();
    assert_eq!(report.keys, expected.len() as u64);
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
    for (key, value) in &expected {
        assert!(cursor.advance(tree).unwrap() && cursor.key() == key && cursor.value() == value);
    }
}

const SMALL: Plan = Plan { keys: 4000, key_tail: 0, value_max: 60, steps: 4000 };
const LONG_KEYS: Plan = Plan { keys: 600, key_tail: 850, value_max: 300, steps: 1500 };
const LONG_VALUES: Plan = Plan { keys: 300, key_tail: 3, value_max: 40_000, steps: 400 };

#[test]
fn readers_and_scanners_see_whole_values_in_order_while_others_write() {
    for plan in [SMALL, LONG_KEYS, LONG_VALUES] {
        run(&new_tree(&memory_store(64 << 20)), plan);
    }
}

/// All threads add to the same few counters: none is lost.
#[test]
fn changes_of_the_same_key_follow_each_other() {
    let tree = new_tree(&memory_store(16 << 20));
    let added = AtomicU64::new(0);
    thread::scope(|scope| {
        for seed in 1..=4 {
            let (tree, added) = (&tree, &added);
            scope.spawn(move || {
                let mut draw = Draw(seed);
                for _ in 0..3000 {
                    let (key, amount) = (draw.below(40).to_be_bytes(), draw.below(9));
                    tree.upsert(&key, |old| {
                        let old = old.map_or(0, |old| u64::from_le_bytes(old[..8].try_into().unwrap()));
                        let mut value = (old + amount).to_le_bytes().to_vec();
                        value.resize(8 + (old % 1500) as usize, 0);
                        Action::put(value)
                    })
                    .unwrap();
                    added.fetch_add(amount, Ordering::Relaxed);
                }
            });
        }
    });
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
    let mut sum = 0;
    while cursor.advance(&tree).unwrap() {
        sum += u64::from_le_bytes(cursor.value()[..8].try_into().unwrap());
    }
    assert_eq!(sum, added.into_inner());
    tree.check().unwrap();
}

/// Several are first at once: one root, and what each put is there; readers find nothing or what is whole.
#[test]
fn one_of_those_who_plant_at_once_does() {
    const PLANTERS: u64 = 4;
    let store = memory_store(16 << 20);
    for round in 1..300 {
        let tree = Tree::open(&store, pages::TreeNo(round), pages::PageNo::NONE);
        let planted = AtomicU64::new(0);
        let start = std::sync::Barrier::new(PLANTERS as usize + 1);
        thread::scope(|scope| {
            let plant = |number: u64| {
                let (tree, planted, start) = (&tree, &planted, &start);
                scope.spawn(move || {
                    start.wait();
                    planted.fetch_add(u64::from(tree.plant().unwrap()), Ordering::Relaxed);
                    put(tree, &number.to_be_bytes(), &value_of(number, 1, 9));
                })
            };
            let planters: Vec<_> = (0..PLANTERS).map(plant).collect();
            start.wait();
            let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
            while !planters.iter().all(|planter| planter.is_finished()) {
                cursor.reset(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
                while cursor.advance(&tree).unwrap() {
                    assert_value(u64::from_be_bytes(cursor.key().try_into().unwrap()), cursor.value());
                }
            }
        });
        assert_eq!((planted.into_inner(), tree.check().unwrap().keys), (1, PLANTERS));
        assert_eq!(store.tree_pages(pages::TreeNo(round)), 1, "those who were late gave their page back");
    }
}
