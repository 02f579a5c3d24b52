//! No count is lost, whoever counts.

use super::*;

#[test]
fn counts_of_many_threads_add_up() {
    let tally = Tally::new();
    // More threads than shards over time, and at once more than a few.
    for _ in 0..20 {
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| (0..100).for_each(|_| tally.one(Count::Hits)));
            }
        });
    }
    tally.add(Count::Reads, 7);
    let sums = tally.sums();
    assert_eq!((sums.hits, sums.reads, sums.writes), (40_000, 7, 0));
    assert!(SHARDS_FREE.lock().1 < COMMON, "threads that ended gave their shards back");
}
