//! Slots under test, and an exhaustive model of the snapshot's registration against the purge.

use super::*;

#[test]
fn the_horizon_is_the_oldest_snapshot() {
    let (slots, mark) = (Slots::new(), Watermark::new(CommitNo(5)));
    let (a, b) = (slots.attach(), slots.attach());
    assert_eq!(a.take_snapshot(&mark), CommitNo(5));
    mark.applied(CommitNo(6));
    assert_eq!(b.take_snapshot(&mark), CommitNo(6));
    mark.applied(CommitNo(7));
    assert_eq!(slots.horizon(&mark), CommitNo(5));
    a.drop_snapshot();
    assert_eq!(slots.horizon(&mark), CommitNo(6));
    assert!(slots.revoke_oldest(CommitNo(7)));
    assert!(!b.holds(CommitNo(6)));
    assert_eq!(slots.horizon(&mark), CommitNo(7));
    assert!(!slots.revoke_oldest(CommitNo(7)));
    slots.detach(&b);
}

#[test]
fn tables_overflow_the_inline_places() {
    let slot = Slot::new();
    for word in 1..=40u64 {
        slot.add_table(word);
    }
    assert!((1..=40).all(|w| slot.any_table(|held| held == w)));
    for word in (1..=40u64).rev() {
        slot.remove_table(word);
        assert!(!slot.any_table(|held| held == word));
    }
    assert!(!slot.any_table(|_| true));
}

/// The protocol of the module head as steps over sequentially consistent words. `first` is what the reader stores
/// before it loads the watermark: PINNING in the code; IDLE is the canary, the protocol without that store.
mod model {
    #[derive(Clone, Copy)]
    struct World {
        visible: u64,
        slot: u64,
        snapshot: Option<u64>,
        horizon: Option<u64>,
        purged_below: u64,
    }

    const IDLE: u64 = u64::MAX;

    fn explore(world: World, reader: usize, purge: usize, commits: usize, first: u64, bad: &mut u64) {
        // A snapshot that is registered or being used may read versions at its number: all at or above the purge.
        if world.snapshot.is_some_and(|s| s < world.purged_below) {
            *bad += 1;
            return;
        }
        let mut next = world;
        if reader < 3 {
            match reader {
                0 => next.slot = first,
                1 => next.snapshot = Some(world.visible),
                _ => next.slot = world.snapshot.expect("read in the step before"),
            }
            explore(next, reader + 1, purge, commits, first, bad);
        }
        next = world;
        if purge < 6 {
            // Two purges, one after the other.
            match purge % 3 {
                0 => next.horizon = Some(world.visible),
                1 => next.horizon = world.horizon.map(|h| h.min(world.slot)),
                _ => next.purged_below = world.purged_below.max(world.horizon.expect("read before")),
            }
            explore(next, reader, purge + 1, commits, first, bad);
        }
        next = world;
        if commits < 3 {
            next.visible += 1;
            explore(next, reader, purge, commits + 1, first, bad);
        }
    }

    fn bad_states(first: u64) -> u64 {
        let world = World { visible: 1, slot: IDLE, snapshot: None, horizon: None, purged_below: 0 };
        let mut bad = 0;
        explore(world, 0, 0, 0, first, &mut bad);
        bad
    }

    #[test]
    fn no_interleaving_purges_under_a_snapshot() {
        assert_eq!(bad_states(0), 0);
    }

    #[test]
    fn the_model_catches_the_protocol_without_the_pin() {
        assert!(bad_states(IDLE) > 0);
    }
}
