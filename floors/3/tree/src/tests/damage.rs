//! Pages that lie: bytes flipped in the file, and pages whose checksum is right and whose content is nonsense.

use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pages::{PAYLOAD_SIZE, PageError, PageNo, Store, TreeNo};
use platform::sim::Disk;

use super::{Draw, delete, get, memory_store, new_tree, put, small_pool};
use crate::{Action, Direction, Tree, TreeError};

const KEYS: u64 = 3000;

fn fill(tree: &Tree) {
    for number in 0..KEYS {
        let len = if number % 500 == 0 { 30_000 } else { 90 };
        put(tree, &number.to_be_bytes(), &vec![number as u8; len]);
    }
}

/// A flipped byte of the file costs the keys of its page and no others, and the error says where it is.
#[test]
fn a_flipped_byte_is_an_error_of_its_page_alone() {
    let disk = Disk::new(3);
    let options = small_pool(64);
    let (store, _) = Store::create(&disk.dir(), &options).unwrap();
    let tree = new_tree(&store);
    fill(&tree);
    store.checkpoint(|_| Vec::new()).unwrap();
    let root = tree.root();
    drop((tree, store));
    let file = disk.dir().list().unwrap().into_iter().find(|name| name.ends_with(".data")).unwrap();
    let mut told = 0;
    // Slots 0 to 3 are superblocks; what follows are pages and the map.
    for slot in 4..90_u64 {
        let damaged = disk.snapshot();
        if !damaged.flip_byte(&file, slot * 16384 + 5000) {
            break;
        }
        let Ok((store, _)) = Store::open(&damaged.dir(), &options) else { continue };
        let tree = Tree::open(&store, TreeNo(7), root);
        let mut value = Vec::new();
        let mut lost = 0;
        for number in (0..KEYS).step_by(20) {
            match tree.get(&number.to_be_bytes(), &mut value) {
                Ok(found) => assert!(found && value.iter().all(|&byte| byte == number as u8)),
                Err(TreeError::Page(PageError::Damaged(damage))) => {
                    assert_eq!(damage.offset, slot * 16384);
                    lost += 1;
                }
                Err(error) => panic!("slot {slot}: {error}"),
            }
        }
        if lost > 0 && lost < KEYS / 20 {
            told += 1;
            assert!(matches!(tree.check(), Err(TreeError::Page(PageError::Damaged(_)))));
        }
    }
    assert!(told > 20, "{told} of the flips hit a leaf");
}

/// Everything that can be asked of a tree, with garbage in one of its pages: errors, no panics, an end.
fn ask_everything(tree: &Tree, draw: &mut Draw) {
    let mut value = Vec::new();
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
    for direction in [Direction::Forward, Direction::Backward] {
        cursor.reset(Bound::Unbounded, Bound::Unbounded, direction);
        while cursor.advance(tree).unwrap_or(false) {}
    }
    for _ in 0..40 {
        let (a, b) = (draw.below(KEYS).to_be_bytes(), draw.below(KEYS).to_be_bytes());
        let _ = tree.get(&a, &mut value);
        let _ = tree.range_estimate(Bound::Included(&a), Bound::Excluded(&b));
        let _ = tree.upsert(&a, |_| Action::put(&[1_u8; 700][..]));
        let _ = tree.upsert(&b, |_| Action::put(&[1_u8; 9000][..]));
        let _ = tree.upsert(&b, |_| Action::Delete);
    }
    tree.check_all(|_| ());
}

#[test]
fn nonsense_with_a_right_checksum_is_never_a_panic() {
    let mut draw = Draw(12345);
    for round in 0..24 {
        let seed = draw.0;
        let store = memory_store(16 << 20);
        let tree = new_tree(&store);
        let mut numbers = 0..KEYS;
        let loaded = tree.bulk_load::<TreeError>(70, |key, value| {
            let Some(number) = numbers.next() else { return Ok(false) };
            *key = number.to_be_bytes().to_vec();
            value.resize(if number % 500 == 0 { 30_000 } else { 90 }, 1);
            Ok(true)
        });
        assert_eq!(loaded.unwrap(), KEYS);
        // Page numbers are dense from 1 on in a new store.
        let page = match round % 3 {
            0 => tree.root(),
            _ => PageNo(1 + draw.below(store.trees()[0].1 - 1) as u32),
        };
        let Ok(mut latched) = store.lock(page) else { continue };
        if round % 4 == 0 {
            latched.write_at(0, &draw.bytes(PAYLOAD_SIZE));
        }
        for _ in 0..1 + draw.below(8) {
            let reach = [32, 400, PAYLOAD_SIZE as u64][draw.below(3) as usize];
            latched.write_at(draw.below(reach) as usize, &[draw.next() as u8]);
        }
        drop(latched);
        let asked = catch_unwind(AssertUnwindSafe(|| ask_everything(&tree, &mut draw)));
        assert!(asked.is_ok(), "seed {seed}, page {page}");
    }
}

#[test]
fn check_finds_what_does_not_fit_together() {
    let store = memory_store(16 << 20);
    let tree = new_tree(&store);
    fill(&tree);
    tree.check().unwrap();
    // A page of the tree's that nothing reaches.
    let lost = store.alloc(tree.number(), crate::NODE).unwrap();
    let number = lost.page();
    drop(lost);
    let error = tree.check().unwrap_err();
    assert!(error.to_string().contains("does not reach"), "{error}");
    store.free_page(number).unwrap();
    tree.check().unwrap();
    // The root takes one child twice: what the other held is gone.
    let mut root = store.lock(tree.root()).unwrap();
    let node = crate::node::Node::new(&*root);
    let (first, at) = (node.child(0), node.slot(1).offset);
    root.write_at(at, &first.to_le_bytes());
    drop(root);
    let mut found = Vec::new();
    tree.check_all(|error| found.push(error.to_string()));
    assert!(found.iter().any(|error| error.contains("page reached twice")), "{found:?}");
}

#[test]
fn a_destroyed_tree_leaves_no_page() {
    let store = memory_store(16 << 20);
    let (tree, other) = (new_tree(&store), Tree::create(&store, TreeNo(8)).unwrap());
    fill(&tree);
    fill(&other);
    let pages = store.trees()[0].1;
    assert_eq!(tree.destroy().unwrap(), pages);
    assert_eq!(store.trees().len(), 1);
    delete(&other, &1_u64.to_be_bytes());
    assert_eq!(get(&other, &1_u64.to_be_bytes()), None);
    other.check().unwrap();
}
