//! Nodes against a sorted map, and nodes of garbage.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;

/// A small generator, so that a failure's seed is all there is to say.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}

fn leaf(lower: &[u8], upper: Option<&[u8]>) -> Vec<u8> {
    Builder::new(0, lower, upper).finish(0)
}

fn content(node: Node<'_, [u8]>) -> BTreeMap<Vec<u8>, Vec<u8>> {
    node.verify().expect("node is sound");
    let record = |at| (node.key(at).unwrap().to_vec(), node.value(at).unwrap().0.to_vec());
    (0..node.count()).map(record).collect()
}

/// Puts or removes random keys in a leaf as in the map until it is full.
fn churn(draw: &mut Draw, page: &mut Vec<u8>, prefix: &[u8], key_max: usize, value_max: usize, steps: usize) {
    let mut model = content(Node::new(&page[..]));
    for _ in 0..steps {
        let mut key = prefix.to_vec();
        let len = draw.below(key_max);
        // Few different bytes, so that keys share prefixes and heads, and zeros, which pad heads.
        key.extend((0..len).map(|_| [0, 0, 1, 255][draw.below(4)]));
        let mut node = NodeMut::new(page).unwrap();
        let (position, found) = node.node().search(&key);
        assert_eq!(found, model.contains_key(&key), "{key:?}");
        assert_eq!(position, model.range(..key.clone()).count());
        if draw.below(3) == 0 && found {
            node.remove(position).unwrap();
            model.remove(&key);
        } else {
            let len = draw.below(value_max);
            let value = draw.bytes(len);
            let fits = if found {
                node.replace_value(position, value[..].into(), false).unwrap()
            } else {
                node.insert_leaf(position, &key, value[..].into(), false).unwrap()
            };
            if fits {
                model.insert(key, value);
            }
        }
        assert_eq!(content(Node::new(&page[..])), model);
    }
}

#[test]
fn a_leaf_is_a_sorted_map() {
    let mut draw = Draw(1);
    for round in 0..6 {
        let (key_max, value_max) = [(3, 9), (9, 40), (40, 900), (300, 3000), (6, 2500), (12, 3)][round];
        churn(&mut draw, &mut leaf(&[], None), &[], key_max, value_max, 300);
        churn(&mut draw, &mut leaf(b"pre\x01", Some(b"pre\x02")), b"pre\x01", key_max, value_max, 300);
    }
}

#[test]
fn both_halves_of_a_split_hold_all_keys_and_merge_again() {
    let mut draw = Draw(7);
    for round in 0..40 {
        let mut page = leaf(b"k", Some(b"l"));
        let (key_max, value_max) = [(4, 5), (9, 50), (700, 20), (60, 3000)][round % 4];
        churn(&mut draw, &mut page, b"k", key_max, value_max, 60);
        let node = Node::new(&page[..]);
        if node.count() < 2 {
            continue;
        }
        let whole = content(node);
        let split = Split::of(node, b"km").unwrap();
        let (left, right) = (content(Node::new(&split.left[..])), content(Node::new(&split.right[..])));
        assert!(
            left.keys().all(|key| *key < split.separator) && right.keys().all(|key| *key >= split.separator)
        );
        let both: BTreeMap<_, _> = left.into_iter().chain(right).collect();
        assert_eq!(both, whole);
        let merged = merge(Node::new(&split.left[..]), Node::new(&split.right[..]), &split.separator, 0);
        assert_eq!(content(Node::new(&merged.unwrap().expect("fits again")[..])), whole);
    }
}

#[test]
fn the_largest_records_still_fit_by_twos_and_split() {
    let key = |first: u8| [&[first][..], &vec![9; KEY_MAX - 1]].concat();
    let mut page = leaf(&key(1), Some(&key(9)));
    for first in [2, 3] {
        let mut node = NodeMut::new(&mut page).unwrap();
        let value = vec![0; RECORD_MAX - KEY_MAX];
        let position = node.node().search(&key(first)).0;
        assert!(node.insert_leaf(position, &key(first), value[..].into(), false).unwrap());
    }
    let split = Split::of(Node::new(&page[..]), &key(4)).unwrap();
    assert_eq!(content(Node::new(&split.left[..])).len(), 1);
    assert_eq!(content(Node::new(&split.right[..])).len(), 1);
}

#[test]
fn ascending_inserts_leave_full_leaves_behind() {
    let mut page = leaf(&[], None);
    let mut next = 0_u64;
    loop {
        let mut node = NodeMut::new(&mut page).unwrap();
        let position = node.node().count();
        if !node.insert_leaf(position, &next.to_be_bytes(), [7; 90][..].into(), false).unwrap() {
            break;
        }
        next += 1;
    }
    let split = Split::of(Node::new(&page[..]), &next.to_be_bytes()).unwrap();
    assert_eq!(Node::new(&split.left[..]).count() as u64, next);
    assert_eq!(Node::new(&split.right[..]).count(), 0);
    assert_eq!(split.separator, next.to_be_bytes());
}

#[test]
fn an_inner_node_finds_the_child_of_each_key() {
    let mut builder = Builder::new(1, &[], None);
    for child in 1..=100_u32 {
        let separator = (child * 10).to_be_bytes();
        assert!(builder.push_inner(KeyParts::whole(&separator), child));
    }
    let page = builder.finish(101);
    let node = Node::new(&page[..]);
    node.verify().unwrap();
    for key in 0..1100_u32 {
        let position = node.child_position(&key.to_be_bytes());
        assert_eq!(node.child(position), (key / 10 + 1).min(101), "key {key}");
    }
    let split = Split::of(node, &500_u32.to_be_bytes()).unwrap();
    let (left, right) = (Node::new(&split.left[..]), Node::new(&split.right[..]));
    left.verify().unwrap();
    right.verify().unwrap();
    assert_eq!(left.count() + right.count(), 99);
    let merged = merge(left, right, &split.separator, 0).unwrap().unwrap();
    assert_eq!(merged, page);
}

/// Whatever the bytes: no panic, no endless loop; garbage found in time is an error.
#[test]
fn garbage_never_panics() {
    let mut draw = Draw(99);
    for round in 0..3000_u64 {
        let seed = draw.0;
        let mut page = match round % 3 {
            0 => draw.bytes(PAYLOAD),
            _ => {
                let mut page = leaf(b"a", Some(b"b"));
                for at in 0..40_u8 {
                    let mut node = NodeMut::new(&mut page).unwrap();
                    assert!(
                        node.insert_leaf(
                            usize::from(at),
                            &[b'a', at, 1, 2, 3, 4, 5],
                            [at; 30][..].into(),
                            false
                        )
                        .unwrap()
                    );
                }
                for _ in 0..1 + draw.below(6) {
                    // Mostly where structure is.
                    let reach = [32, 352, PAYLOAD][draw.below(3)];
                    let at = draw.below(reach);
                    page[at] = draw.next() as u8;
                }
                page
            }
        };
        let key = [b'a', draw.next() as u8, 1, 2, 3, 4, 5, 6];
        let tried = catch_unwind(AssertUnwindSafe(|| {
            let node = Node::new(&page[..]);
            let _ = (node.verify(), node.search(&key), node.covers(&key), node.used());
            let position = node.child_position(&key);
            let _ = (node.child(position), node.key(position), node.value(position));
            let other = page.clone();
            let _ = merge(node, Node::new(&other[..]), b"b", 0);
            let _ = Split::of(node, &key);
            if let Ok(mut edit) = NodeMut::new(&mut page) {
                let _ = edit.insert_leaf(position, &key, [1; 200][..].into(), false);
                let _ = edit.insert_inner(position, &key, 5);
                let _ = edit.replace_value(position, [2; 900][..].into(), false);
                let _ = edit.set_child(position, 3);
                let _ = edit.remove(position);
            }
        }));
        assert!(tried.is_ok(), "seed {seed}");
    }
}
