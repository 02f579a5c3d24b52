//! Threads that read, change and checkpoint at once, through a pool much smaller than the data.

mod harness;

use harness::{Model, fill, number_of, options, read};
use pages::{Kind, PageError, PageNo, Store, TreeNo};
use parking_lot::{Mutex, RwLock};
use platform::file::{Dir, RealDir};
use platform::sim::{Disk, Rng};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const WRITERS: u64 = 3;
/// Pages that each writer owns; it alone changes, frees and allocates them.
const OWNED: usize = 60;

struct Shared {
    store: Store,
    /// Changes pass through shared; closing a generation is exclusive.
    gate: RwLock<()>,
    /// Each writer's pages.
    models: Vec<Mutex<Model>>,
    stop: AtomicBool,
    reads: AtomicU64,
}

/// Ends the threads, also when a check failed.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Shared {
    fn model(&self) -> Model {
        let mut all = Model::default();
        self.models.iter().for_each(|model| all.0.extend(model.lock().0.clone()));
        all
    }
}

fn write(shared: &Shared, writer: u64) {
    let mut rng = Rng::new(writer);
    let tree = TreeNo(1 + writer as u32);
    while !shared.stop.load(Ordering::Relaxed) {
        let _gate = shared.gate.read();
        let mut model = shared.models[writer as usize].lock();
        let seed = rng.next_u64();
        if model.0.len() < OWNED || rng.one_in(10) {
            let mut page = shared.store.alloc(tree, Kind(1)).unwrap();
            fill(&mut page, seed);
            model.0.insert(page.page().0, (tree.0, seed));
            continue;
        }
        let at = rng.below(model.0.len() as u64) as usize;
        let page = *model.0.keys().nth(at).unwrap();
        if model.0.len() > OWNED + 10 {
            shared.store.free_page(PageNo(page)).unwrap();
            model.0.remove(&page);
        } else {
            let mut latched = shared.store.lock(PageNo(page)).unwrap();
            assert_eq!(latched.tree(), tree);
            fill(&mut latched, seed);
            model.0.insert(page, (tree.0, seed));
        }
    }
}

/// Looks at any page: each look is one whole pattern of the page's owner, or the page is gone.
fn look(shared: &Shared, reader: u64) {
    let mut rng = Rng::new(reader << 32);
    while !shared.stop.load(Ordering::Relaxed) {
        let page = rng.below(WRITERS * (OWNED as u64 + 12)) as u32;
        match read(&shared.store, page) {
            Ok((tree, _)) => assert!((1..=WRITERS as u32).contains(&tree)),
            Err(PageError::NotAllocated(_)) => {}
            Err(error) => panic!("page {page}: {error}"),
        }
        shared.reads.fetch_add(1, Ordering::Relaxed);
    }
}

fn run(dir: &Arc<dyn Dir>, checkpoints: u64, mut after_each: impl FnMut(u64, &HashMap<u64, Model>)) -> Model {
    let (store, _) = Store::create(dir, &options()).unwrap();
    let models = (0..WRITERS).map(|_| Mutex::new(Model::default())).collect();
    let shared = Shared {
        store,
        gate: RwLock::new(()),
        models,
        stop: AtomicBool::new(false),
        reads: AtomicU64::new(0),
    };
    let mut begun = HashMap::from([(0, Model::default())]);
    std::thread::scope(|scope| {
        let shared = &shared;
        let _stop = StopAtEnd(&shared.stop);
        // A panic in any thread must end the others.
        let spawn = |work: Box<dyn FnOnce() + Send>| {
            scope.spawn(move || {
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
                shared.stop.store(true, Ordering::Relaxed);
                result.unwrap();
            });
        };
        (0..WRITERS).for_each(|writer| spawn(Box::new(move || write(shared, writer))));
        (0..2).for_each(|reader| spawn(Box::new(move || look(shared, reader))));
        for number in 1..=checkpoints {
            std::thread::sleep(std::time::Duration::from_millis(40));
            let checkpoint = shared.store.checkpoint(|close| {
                let _gate = shared.gate.write();
                close.close();
                begun.insert(number, shared.model());
                number.to_le_bytes().to_vec()
            });
            checkpoint.unwrap();
            after_each(number, &begun);
            if shared.stop.load(Ordering::Relaxed) {
                break;
            }
        }
    });
    assert!(shared.reads.load(Ordering::Relaxed) > 100);
    let counters = shared.store.counters();
    assert!(counters.evictions > 100 && counters.damaged == 0, "{counters:?}");
    let last = shared.model();
    last.check(&shared.store, 0);
    last
}

#[test]
fn checkpoints_under_load_are_exact() {
    let disk = Disk::new(1);
    run(&disk.dir(), 12, |number, begun| {
        let (store, report) = Store::open(&disk.after_crash(number).dir(), &options()).unwrap();
        assert_eq!(number_of(&report.meta), number);
        begun[&number].check(&store, 0);
    });
}

#[test]
fn a_real_file_works_the_same() {
    let temp = tempfile::tempdir().unwrap();
    let dir: Arc<dyn Dir> = Arc::new(RealDir::new(temp.path(), false).unwrap());
    let mut last = Model::default();
    run(&dir, 6, |number, begun| last = begun[&number].clone());
    let (store, report) = Store::open(&dir, &options()).unwrap();
    assert_eq!(number_of(&report.meta), 6);
    last.check(&store, 0);
}

/// A page number goes from owner to owner while readers with old pointers look at it: each look ends, with a page or
/// with the error that says there is none.
#[test]
fn a_look_at_a_page_that_comes_and_goes_ends() {
    let (store, _) = Store::create(&Disk::new(1).dir(), &options()).unwrap();
    let stop = AtomicBool::new(false);
    let first = store.alloc(TreeNo(1), Kind(1)).unwrap();
    let page = first.page();
    store.free(first);
    std::thread::scope(|scope| {
        let _stop = StopAtEnd(&stop);
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    match store.optimistic(page) {
                        Ok(_) | Err(PageError::NotAllocated(_)) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
        for _ in 0..20_000 {
            let again = store.alloc(TreeNo(1), Kind(1)).unwrap();
            assert_eq!(again.page(), page, "the number freed last is given out first");
            store.free(again);
        }
    });
}
