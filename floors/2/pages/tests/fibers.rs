//! The same calls from fibers: waiting parks the fiber, no latch is held meanwhile (debug builds assert it), and one
//! loop serves many fibers that load and evict at once.

mod harness;

use harness::{fill, options, read};
use pages::{DirectIo, Kind, PageNo, PoolOptions, Store, TreeNo};
use platform::file::{Dir, RealDir};
use platform::sim::Rng;
use runtime::{Runtime, RuntimeOptions};
use std::sync::Arc;
use std::time::Duration;

const FIBERS: u64 = 48;
const PAGES: u64 = 400;

#[test]
fn fibers_share_a_small_pool() {
    let temp = tempfile::tempdir().unwrap();
    let dir: Arc<dyn Dir> = Arc::new(RealDir::new(temp.path(), false).unwrap());
    let runtime = Runtime::start(RuntimeOptions { threads: 2, ..RuntimeOptions::default() }).unwrap();
    let options = PoolOptions { direct: DirectIo::All, ..options() };
    let (store, _) = Store::create(&dir, &options).unwrap();
    let pages: Arc<Vec<PageNo>> = Arc::new(
        (0..PAGES)
            .map(|index| {
                let mut page = store.alloc(TreeNo(1), Kind(1)).unwrap();
                fill(&mut page, index);
                page.page()
            })
            .collect(),
    );
    let fibers: Vec<_> = (0..FIBERS)
        .map(|fiber| {
            let (store, pages) = (store.clone(), pages.clone());
            runtime.spawn(move || {
                let mut rng = Rng::new(fiber);
                for _ in 0..60 {
                    let page = *rng.pick(&pages);
                    match rng.below(8) {
                        0..2 => fill(&mut store.lock(page).unwrap(), rng.next_u64()),
                        2 if fiber == 0 => drop(store.checkpoint(|_| vec![]).unwrap()),
                        _ => assert_eq!(read(&store, page.0).unwrap().0, 1),
                    }
                }
            })
        })
        .collect();
    for fiber in fibers {
        fiber.join().unwrap();
    }
    let counters = store.counters();
    assert!(counters.reads > 500 && counters.evictions > 500 && counters.checkpoints > 0, "{counters:?}");
    assert_eq!(store.verify().unwrap(), []);
    runtime.shutdown(Duration::from_secs(5));
}
