//! A store beside a model of it: a map from page numbers to what was written last.
//!
//! Each page is filled with a pattern that follows from one number, so that a page made of two writings, or another
//! page's content, shows.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use pages::{
    DirectIo, Kind, PAGE_SIZE, PAYLOAD_SIZE, PageError, PageMut, PageNo, PoolOptions, Result, Store, TreeNo,
};
use platform::file::Dir;
use platform::sim::{Disk, Rng};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Options that make pools evict and files grow in every test: 64 frames, extents of half a megabyte.
pub fn options() -> PoolOptions {
    let page = PAGE_SIZE as u64;
    PoolOptions {
        pool_bytes: 64 * page,
        max_pages: 1 << 16,
        extent_min: 32 * page,
        extent_max: 128 * page,
        interleave: true,
        direct: DirectIo::Checkpoints,
    }
}

/// Fills the payload with the pattern of `seed`: the seed, then numbers that follow from it.
pub fn fill(page: &mut PageMut<'_>, seed: u64) {
    page.write_at(0, &pattern(seed));
}

fn pattern(seed: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(PAYLOAD_SIZE);
    for index in 0..(PAYLOAD_SIZE / 8) as u64 {
        bytes.extend((seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15)).to_le_bytes());
    }
    bytes
}

/// Reads a page; its pattern must be whole, and be under its tree's number.
pub fn read(store: &Store, page: u32) -> Result<(u32, u64)> {
    let mut bytes = Box::new([0; PAYLOAD_SIZE]);
    let tree = store.read(PageNo(page), |view| {
        view.copy_payload(&mut bytes);
        Ok(view.tree().0)
    })?;
    let mut first = [0; 8];
    first.copy_from_slice(&bytes[..8]);
    let seed = u64::from_le_bytes(first);
    assert!(bytes[..] == pattern(seed)[..], "page {page} is no pattern: torn, or never filled");
    Ok((tree, seed))
}

/// What the pages should hold: page to tree and seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model(pub BTreeMap<u32, (u32, u64)>);

impl Model {
    fn trees(&self) -> Vec<(TreeNo, u64)> {
        let mut trees: BTreeMap<u32, u64> = BTreeMap::new();
        for (tree, _) in self.0.values() {
            *trees.entry(*tree).or_default() += 1;
        }
        trees.into_iter().map(|(tree, count)| (TreeNo(tree), count)).collect()
    }

    fn any(&self, rng: &mut Rng) -> Option<u32> {
        let at = rng.below(self.0.len().max(1) as u64) as usize;
        self.0.keys().nth(at).copied()
    }

    /// Every page of the store is as here, and there are no others but so many of tree 99.
    pub fn check(&self, store: &Store, ballast: u64) {
        let mut trees = self.trees();
        if ballast > 0 {
            trees.push((TreeNo(99), ballast));
        }
        assert_eq!(store.trees(), trees);
        for (&page, &expected) in &self.0 {
            assert_eq!(read(store, page).unwrap(), expected, "page {page}");
        }
        let last = self.0.keys().last().copied().unwrap_or(0);
        for page in (0..last + 3).filter(|page| ballast == 0 && !self.0.contains_key(page)) {
            assert!(matches!(store.optimistic(PageNo(page)), Err(PageError::NotAllocated(_))), "page {page}");
        }
    }
}

/// A checkpoint that was begun: its model, and the disk's operation count when it was known to be complete.
#[derive(Clone, Debug)]
pub struct Begun {
    pub model: Model,
    pub complete_at: Option<u64>,
}

/// A store, its model, and the models of all checkpoints begun, by the number that is their `meta`.
pub struct Pair {
    pub disk: Disk,
    pub store: Store,
    pub model: Model,
    pub begun: HashMap<u64, Begun>,
    pub next: u64,
    pub rng: Rng,
    /// Whether steps free whole trees now and then.
    pub drop_trees: bool,
    /// Pages of tree 99, which the model does not know.
    pub ballast: u64,
}

impl Pair {
    pub fn create(seed: u64) -> Pair {
        let disk = Disk::new(seed);
        let dir = disk.dir();
        Pair::create_in(seed, disk, &dir)
    }

    /// The same with another way to the disk's directory.
    pub fn create_in(seed: u64, disk: Disk, dir: &Arc<dyn Dir>) -> Pair {
        let (store, report) = Store::create(dir, &options()).unwrap();
        assert_eq!((report.meta, report.damage), (vec![], vec![]));
        let begun =
            HashMap::from([(0, Begun { model: Model::default(), complete_at: Some(disk.operations()) })]);
        Pair {
            disk,
            store,
            model: Model::default(),
            begun,
            next: 1,
            rng: Rng::new(seed ^ 0xA5A5),
            drop_trees: true,
            ballast: 0,
        }
    }

    pub fn alloc(&mut self) -> Result<()> {
        let tree = 1 + self.rng.below(4) as u32;
        let mut page = self.store.alloc(TreeNo(tree), Kind(1))?;
        let seed = self.rng.next_u64();
        fill(&mut page, seed);
        let old = self.model.0.insert(page.page().0, (tree, seed));
        assert_eq!(old, None, "a page in use was given out again");
        Ok(())
    }

    /// One random change or look; errors are the disk's.
    pub fn step(&mut self) -> Result<()> {
        let Some(page) = self.model.any(&mut self.rng) else { return self.alloc() };
        match self.rng.below(100) {
            0..25 => self.alloc(),
            25..60 => {
                let seed = self.rng.next_u64();
                let mut latched = self.store.lock(PageNo(page))?;
                fill(&mut latched, seed);
                self.model.0.insert(page, (latched.tree().0, seed));
                Ok(())
            }
            60..75 => {
                self.store.free(self.store.lock(PageNo(page))?);
                self.model.0.remove(&page);
                Ok(())
            }
            75..78 => {
                self.store.free_page(PageNo(page))?;
                self.model.0.remove(&page);
                Ok(())
            }
            78 if self.drop_trees => {
                let tree = 1 + self.rng.below(4) as u32;
                let freed = self.store.free_tree(TreeNo(tree))?;
                let before = self.model.0.len();
                self.model.0.retain(|_, (owner, _)| *owner != tree);
                assert_eq!(freed as usize, before - self.model.0.len());
                Ok(())
            }
            _ => {
                assert_eq!(read(&self.store, page)?, self.model.0[&page], "page {page}");
                Ok(())
            }
        }
    }

    /// A checkpoint, with changes between closing the generation and the writing of it.
    pub fn checkpoint(&mut self, changes: usize) -> Result<()> {
        let number = self.next;
        self.next += 1;
        let mut failed = None;
        let store = self.store.clone();
        let result = store.checkpoint(|close| {
            self.begun.insert(number, Begun { model: self.model.clone(), complete_at: None });
            close.close();
            for _ in 0..changes {
                if let Err(error) = self.step() {
                    failed = Some(error);
                    break;
                }
            }
            number.to_le_bytes().to_vec()
        });
        result?;
        if let Some(begun) = self.begun.get_mut(&number) {
            begun.complete_at = Some(self.disk.operations());
        }
        failed.map_or(Ok(()), Err)
    }

    /// The last checkpoint known to be complete after `operations` disk operations.
    pub fn last_complete(&self, operations: u64) -> u64 {
        let complete =
            self.begun.iter().filter(|(_, begun)| begun.complete_at.is_some_and(|at| at <= operations));
        complete.map(|(&number, _)| number).max().unwrap_or(0)
    }

    /// What a restart found must be the last complete checkpoint, or a later one that was on its way.
    pub fn check_restart(&self, disk: &Disk, operations: u64) -> (Store, u64) {
        let (store, report) = Store::open(&disk.dir(), &options()).unwrap();
        let number = number_of(&report.meta);
        let complete = self.last_complete(operations);
        assert!(number >= complete, "checkpoint {complete} was complete, {number} is what is found");
        self.begun[&number].model.check(&store, self.ballast);
        (store, number)
    }

    /// The power goes, and it goes on from what is left.
    pub fn crash(&mut self, seed: u64) {
        let disk = self.disk.after_crash(seed);
        let (store, number) = self.check_restart(&disk, u64::MAX);
        let model = self.begun[&number].model.clone();
        let begun = Begun { model: model.clone(), complete_at: Some(disk.operations()) };
        self.begun = HashMap::from([(number, begun)]);
        (self.disk, self.store, self.model) = (disk, store, model);
    }
}

/// The number that a checkpoint's meta carries; 0 for a new file.
pub fn number_of(meta: &[u8]) -> u64 {
    meta.try_into().map_or(0, u64::from_le_bytes)
}
