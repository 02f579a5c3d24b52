//! Random runs against a model: changes, checkpoints with changes under way, crashes, restarts.

mod harness;

use harness::{Pair, options};
use pages::Store;

#[test]
fn what_was_checkpointed_is_what_a_restart_finds() {
    for seed in 0..12 {
        let mut pair = Pair::create(seed);
        for _ in 0..400 {
            match pair.rng.below(100) {
                0..3 => {
                    let changes = pair.rng.below(30) as usize;
                    pair.checkpoint(changes).unwrap();
                }
                3 => {
                    let draw = pair.rng.next_u64();
                    pair.crash(draw);
                }
                _ => pair.step().unwrap(),
            }
        }
        pair.model.check(&pair.store, 0);
        assert_eq!(pair.store.verify().unwrap(), []);
        // With nothing on its way, every slot is either named by the map or free: none is lost by a run.
        pair.checkpoint(0).unwrap();
        pair.checkpoint(0).unwrap();
        let (store, _) = Store::open(&pair.disk.after_kill().dir(), &options()).unwrap();
        assert_eq!(pair.store.counters().slots_free_now, store.counters().slots_free_now);
        pair.model.check(&store, 0);
    }
}

/// 5000 pages through 64 frames: nearly every look loads and evicts.
#[test]
fn a_working_set_of_many_pools_works() {
    let mut pair = Pair::create(7);
    pair.drop_trees = false;
    for _ in 0..5000 {
        pair.alloc().unwrap();
    }
    for round in 0..2 {
        for _ in 0..1500 {
            pair.step().unwrap();
        }
        pair.checkpoint(50 * round).unwrap();
    }
    pair.model.check(&pair.store, 0);
    let counters = pair.store.counters();
    assert!(counters.evictions > 5000 && counters.evictions_dirty > 1000, "{counters:?}");
    assert_eq!(counters.frames, 64);
    // Shadow pages double what is written between two checkpoints, not the file without end.
    assert!(counters.file_bytes_now < 3 * counters.pages_now * pages::PAGE_SIZE as u64, "{counters:?}");
    pair.crash(1);
}

/// Pages brought in together are the pages, and those that cannot be are left to tell why.
#[test]
fn prefetched_pages_are_the_pages() {
    let mut pair = Pair::create(8);
    for _ in 0..300 {
        pair.alloc().unwrap();
    }
    pair.checkpoint(0).unwrap();
    let (store, _) = Store::open(&pair.disk.dir(), &options()).unwrap();
    let pages: Vec<pages::PageNo> = pair.model.0.keys().map(|&page| pages::PageNo(page)).collect();
    for _ in 0..100 {
        let mut some: Vec<_> = (0..12).map(|_| *pair.rng.pick(&pages)).collect();
        some.push(pages::PageNo(60_000));
        store.prefetch(&some[..]);
        let in_pool = |&&page: &&pages::PageNo| store.try_optimistic_resident(page).is_ok();
        // An eighth of 64 frames at a time.
        assert!(some.iter().filter(in_pool).count() >= 8);
        for &page in &some[..12] {
            assert_eq!(harness::read(&store, page.0).unwrap(), pair.model.0[&page.0]);
        }
    }
    let before = store.counters().reads;
    pair.disk.set_faults(platform::sim::Faults {
        plan: vec![platform::sim::Fault::eio(platform::sim::Call::Read)],
        ..Default::default()
    });
    store.prefetch(&pages);
    assert_eq!(store.counters().reads, before);
    pair.disk.set_faults(platform::sim::Faults::default());
    pair.model.check(&store, 0);
}
