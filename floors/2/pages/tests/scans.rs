//! Scans of far more than the pool leave the pages that are wanted again and again where they are.

mod harness;

use harness::{fill, options, read};
use pages::{Kind, PageNo, Store, TreeNo};

/// Pages wanted again and again: half the pool.
const HOT: usize = 32;
/// Pages of a scan: many times the pool.
const SCANNED: usize = 1000;

/// Pages of the scan between two looks at a hot page.
const EVERY: usize = 24;

#[test]
fn pages_that_are_wanted_again_stay_while_a_scan_goes_by() {
    let store = Store::in_memory(&options()).unwrap();
    let pages: Vec<PageNo> = (0..HOT + SCANNED)
        .map(|index| {
            let mut page = store.alloc(TreeNo(1), Kind(1)).unwrap();
            fill(&mut page, index as u64);
            page.page()
        })
        .collect();
    store.checkpoint(|_| vec![]).unwrap();
    let (hot, scanned) = pages.split_at(HOT);
    let look = |page: &PageNo| {
        let before = store.counters().reads;
        read(&store, page.0).unwrap();
        store.counters().reads - before
    };
    for _ in 0..3 {
        for page in hot {
            look(page);
        }
    }
    let (mut missed, mut wanted) = (0, 0);
    for (index, page) in scanned.iter().enumerate() {
        assert_eq!(look(page), 1, "a page of the scan was never read before");
        // Each of the hot ones is wanted once while so many others go by.
        for hot in hot.iter().skip(index % EVERY).step_by(EVERY) {
            missed += look(hot);
            wanted += 1;
        }
    }
    assert!(missed * 20 < wanted, "{missed} of {wanted} looks at hot pages had to read them");
}
