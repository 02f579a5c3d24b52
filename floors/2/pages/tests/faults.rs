//! Disks that are full or fail.

mod harness;

use harness::{Pair, options, read};
use pages::{Kind, PAGE_SIZE, PageError, PageNo, Store, TreeNo};
use platform::sim::{Call, Fault, Faults};

fn filled(pages: usize) -> Pair {
    let mut pair = Pair::create(1);
    for _ in 0..pages {
        pair.alloc().unwrap();
    }
    pair.checkpoint(0).unwrap();
    pair
}

/// A full disk abandons the checkpoint and loses nothing; with room again it goes on.
#[test]
fn without_room_a_checkpoint_is_put_off() {
    let mut pair = filled(56);
    pair.drop_trees = false;
    let size = pair.store.counters().file_bytes_now;
    pair.disk.set_faults(Faults { capacity: Some(size), ..Faults::default() });
    let complete = pair.last_complete(u64::MAX);
    let mut refused = 0;
    for round in 0..200 {
        let result = if round % 20 == 19 { pair.checkpoint(10) } else { pair.step() };
        match result {
            Ok(()) => {}
            Err(PageError::NoSpace { .. }) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(refused > 3, "{refused}");
    let last = pair.last_complete(u64::MAX);
    assert!(last >= complete);
    pair.check_restart(&pair.disk.after_crash(1), u64::MAX);
    // Clean pages are still read: eviction finds them.
    pair.disk.set_faults(Faults::default());
    pair.checkpoint(5).unwrap();
    pair.model.check(&pair.store, 0);
    pair.crash(9);
}

#[test]
fn a_failed_write_or_force_poisons_and_the_last_checkpoint_stands() {
    for call in [Call::Write, Call::Sync] {
        for after in 0..12 {
            let mut pair = filled(30);
            for _ in 0..20 {
                pair.step().unwrap();
            }
            let fault = Fault::eio(call).after(after).times(1);
            pair.disk.set_faults(Faults { plan: vec![fault], ..Faults::default() });
            let operations = pair.disk.operations();
            let result = pair.checkpoint(0);
            if result.is_ok() {
                continue;
            }
            assert!(matches!(result, Err(PageError::Poisoned(_))), "{result:?}");
            let refused = pair.store.checkpoint(|_| vec![]);
            assert!(matches!(refused, Err(PageError::Poisoned(_))));
            assert!(matches!(pair.store.alloc(TreeNo(1), Kind(1)), Err(PageError::Poisoned(_))));
            pair.check_restart(&pair.disk.after_crash(after), operations);
        }
    }
}

#[test]
fn a_failed_read_is_an_error_of_that_page_for_that_time() {
    let pair = filled(30);
    let (store, _) = Store::open(&pair.disk.dir(), &options()).unwrap();
    pair.disk.set_faults(Faults { plan: vec![Fault::eio(Call::Read).times(1)], ..Faults::default() });
    let page = *pair.model.0.keys().next().unwrap();
    let error = store.load(PageNo(page)).unwrap_err();
    assert!(matches!(error, PageError::Io { verb: "read", .. }), "{error}");
    assert_eq!(read(&store, page).unwrap(), pair.model.0[&page]);
}

#[test]
fn a_disk_that_is_full_or_read_only_from_the_start_is_refused() {
    let disk = platform::sim::Disk::new(1);
    disk.set_faults(Faults { capacity: Some(3 * PAGE_SIZE as u64), ..Faults::default() });
    assert!(matches!(Store::create(&disk.dir(), &options()), Err(PageError::NoSpace { .. })));
    disk.set_faults(Faults { read_only: true, ..Faults::default() });
    assert!(matches!(Store::create(&disk.dir(), &options()), Err(PageError::Io { .. })));
    // The half-made file of the first try is no obstacle.
    disk.set_faults(Faults::default());
    Store::create(&disk.dir(), &options()).unwrap();
    assert!(matches!(Store::create(&disk.dir(), &options()), Err(PageError::Unusable { .. })));
}

#[test]
fn meta_that_does_not_fit_is_refused_and_nothing_is_lost() {
    let mut pair = filled(10);
    let error = pair.store.checkpoint(|_| vec![0; 9000]).unwrap_err();
    assert!(matches!(error, PageError::MetaTooLong { bytes: 9000, max: 8128 }), "{error}");
    pair.checkpoint(3).unwrap();
    pair.crash(2);
}
