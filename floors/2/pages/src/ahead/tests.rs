//! How a scan's pages come, alone and beside others.

use super::*;
use crate::{Kind, PAGE_SIZE, PoolOptions, TreeNo};
use runtime::{Runtime, RuntimeOptions};
use std::time::Duration;

/// A store whose file has so many pages, none of them in memory.
fn on_disk(count: usize) -> (Store, Vec<PageNo>) {
    let dir = platform::sim::Disk::new(1).dir();
    let options =
        PoolOptions { pool_bytes: 512 * PAGE_SIZE as u64, max_pages: 1 << 16, ..PoolOptions::default() };
    let (store, _) = Store::create(&dir, &options).unwrap();
    let pages = (0..count).map(|_| store.alloc(TreeNo(1), Kind(1)).unwrap().page()).collect();
    store.checkpoint(|_| vec![]).unwrap();
    drop(store);
    (Store::open(&dir, &options).unwrap().0, pages)
}

fn there(store: &Store, pages: &[PageNo]) -> usize {
    pages.iter().filter(|page| !store.shared.is_absent(**page)).count()
}

/// Runs in a fiber on a loop of its own.
fn in_fiber(work: impl FnOnce() + Send + 'static) {
    let runtime = Runtime::start(RuntimeOptions { threads: 1, ..RuntimeOptions::default() }).unwrap();
    runtime.spawn(work).join().unwrap();
    runtime.shutdown(Duration::from_secs(5));
}

#[test]
fn alone_they_come_together() {
    let (store, pages) = on_disk(100);
    in_fiber(move || {
        let mut ahead = ReadAhead::default();
        ahead.ask(&store, &pages[..TOGETHER]);
        assert_eq!(there(&store, &pages), 0, "who asks does not wait");
        ahead.wait_for(TOGETHER - 1);
        assert_eq!(there(&store, &pages), TOGETHER, "they were read together");
        ahead.ask(&store, &pages[TOGETHER..]);
        ahead.wait_for(0);
        assert_eq!(there(&store, &pages), 100);
        let reads = store.counters().reads;
        ahead.ask(&store, &pages);
        ahead.wait_for(0);
        assert_eq!(store.counters().reads, reads, "pages that are there are not read");
    });
}

#[test]
fn beside_others_few_come_at_a_time_and_none_once_the_scan_is_over() {
    let (store, pages) = on_disk(100);
    in_fiber(move || {
        // As if six sessions waited for pages all the time.
        store.shared.loading.fetch_add(6, Ordering::Relaxed);
        let mut ahead = ReadAhead::default();
        ahead.ask(&store, &pages[..20]);
        ahead.wait_for(19);
        assert_eq!(there(&store, &pages), 3, "half as many as wait");
        ahead.ask(&store, &pages[20..]);
        assert_eq!(there(&store, &pages), 20, "those asked for before are waited for");
        ahead.wait_for(79);
        let wanted = there(&store, &pages);
        drop(ahead);
        runtime::sleep(Duration::from_millis(20));
        // Those that were on their way come, three of them at most.
        assert!(there(&store, &pages) <= wanted + 3, "nobody wants the rest any more");
    });
}

#[test]
fn pages_seen_make_room_while_others_wait_unless_they_were_wanted_twice() {
    let (store, pages) = on_disk(8);
    let mut ahead = ReadAhead::default();
    ahead.ask(&store, &pages);
    let look = |page: PageNo| assert!(store.optimistic(page).unwrap().validate());
    pages.iter().for_each(|page| look(*page));
    ahead.leave(&store, pages[0]);
    assert_eq!(there(&store, &pages), 8, "nobody waits");
    store.shared.loading.fetch_add(1, Ordering::Relaxed);
    look(pages[1]);
    store.lock(pages[2]).unwrap().put_u8(0, 1);
    for page in &pages {
        ahead.leave(&store, *page);
    }
    assert_eq!(there(&store, &pages), 2, "one was wanted twice, one was changed");
    assert_eq!(there(&store, &pages[1..3]), 2);
    look(pages[0]);
    ahead.leave(&store, pages[0]);
    assert_eq!(there(&store, &pages[..1]), 0, "it is no different when it comes again");
}

#[test]
fn a_thread_has_them_at_once() {
    let (store, pages) = on_disk(40);
    let mut ahead = ReadAhead::default();
    ahead.ask(&store, &pages);
    assert_eq!(there(&store, &pages), 40);
    ahead.wait_for(0);
}
