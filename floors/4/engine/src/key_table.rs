//! A table by tree and key that all cores share, in shards with a short mutex each: row locks, older versions.
//!
//! The mutexes are innermost where nothing else is said: nobody parks under them.

use crate::mvcc::slots::KeyBytes;
use crossbeam_utils::CachePadded;
use hashbrown::HashTable;
use hashbrown::hash_table::OccupiedEntry;
use parking_lot::{Mutex, MutexGuard};
use std::hash::{BuildHasher, Hasher};

/// Some of the keys, on cache lines of their own.
type Shard<V> = CachePadded<Mutex<HashTable<Keyed<V>>>>;

/// The table.
pub(crate) struct KeyTable<V> {
    shards: Box<[Shard<V>]>,
    hasher: hashbrown::DefaultHashBuilder,
}

/// A key with what is kept of it.
pub(crate) struct Keyed<V> {
    tree: u32,
    key: KeyBytes,
    pub(crate) value: V,
}

impl<V> Keyed<V> {
    fn is(&self, tree: u32, key: &[u8]) -> bool {
        self.tree == tree && *self.key == *key
    }
}

/// The place of a key, with its shard locked.
pub(crate) struct Place<'t, V> {
    table: &'t KeyTable<V>,
    shard: MutexGuard<'t, HashTable<Keyed<V>>>,
    hash: u64,
    tree: u32,
    key: &'t [u8],
}

impl<V> KeyTable<V> {
    /// An empty table of so many shards, a power of two: no division stands in a lock's way.
    pub(crate) fn new(shards: usize) -> KeyTable<V> {
        assert!(shards.is_power_of_two(), "{shards} shards");
        KeyTable {
            shards: (0..shards).map(|_| CachePadded::default()).collect(),
            hasher: hashbrown::DefaultHashBuilder::default(),
        }
    }

    /// Locks the place of a key.
    #[inline]
    pub(crate) fn lock<'t>(&'t self, tree: u32, key: &'t [u8]) -> Place<'t, V> {
        let hash = self.hash(tree, key);
        let shard = self.shards[(hash >> 32) as usize & (self.shards.len() - 1)].lock();
        Place { table: self, shard, hash, tree, key }
    }

    /// Keys in the table.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }

    fn hash(&self, tree: u32, key: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write_u32(tree);
        hasher.write(key);
        hasher.finish()
    }
}

impl<V> Place<'_, V> {
    /// What is kept of the key.
    pub(crate) fn get(&self) -> Option<&V> {
        self.shard.find(self.hash, |keyed| keyed.is(self.tree, self.key)).map(|keyed| &keyed.value)
    }

    /// The same, to be changed or removed.
    pub(crate) fn find(&mut self) -> Option<OccupiedEntry<'_, Keyed<V>>> {
        self.shard.find_entry(self.hash, |keyed| keyed.is(self.tree, self.key)).ok()
    }

    /// What is kept of the key, at first the value's default.
    pub(crate) fn or_default(&mut self) -> &mut V
    where
        V: Default,
    {
        let Place { table, shard, hash, tree, key } = self;
        let rehash = |keyed: &Keyed<V>| table.hash(keyed.tree, &keyed.key);
        let entry = shard.entry(*hash, |keyed| keyed.is(*tree, key), rehash);
        let make = || Keyed { tree: *tree, key: KeyBytes::from_slice(key), value: V::default() };
        &mut entry.or_insert_with(make).into_mut().value
    }
}
