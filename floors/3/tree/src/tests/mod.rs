//! The tree against `BTreeMap`, against itself from many threads, and against damage.

mod concurrent;
mod damage;
mod durable;
mod model;
mod speed;

use pages::{PoolOptions, Store, TreeNo};

use crate::{Action, Tree};

/// A small generator, so that a failure's seed is all there is to say.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
}

pub(crate) fn memory_store(pool_bytes: u64) -> Store {
    let options = PoolOptions { pool_bytes, max_pages: 1 << 20, ..PoolOptions::default() };
    Store::in_memory(&options).expect("store in memory")
}

/// Options for a file on a simulated disk, with a pool of so many pages.
pub(crate) fn small_pool(pages: u64) -> PoolOptions {
    let pool_bytes = pages * pages::PAGE_SIZE as u64;
    PoolOptions { pool_bytes, max_pages: 1 << 20, extent_min: 1 << 20, ..PoolOptions::default() }
}

pub(crate) fn new_tree(store: &Store) -> Tree {
    Tree::create(store, TreeNo(7)).expect("create tree")
}

pub(crate) fn put(tree: &Tree, key: &[u8], value: &[u8]) {
    tree.upsert(key, |_| Action::put(value)).expect("put");
}

pub(crate) fn delete(tree: &Tree, key: &[u8]) {
    tree.upsert(key, |_| Action::Delete).expect("delete");
}

pub(crate) fn get(tree: &Tree, key: &[u8]) -> Option<Vec<u8>> {
    let mut value = Vec::new();
    tree.get(key, &mut value).expect("get").then_some(value)
}
