//! Ranks of latches and locks: taken downwards only, none held while waiting.
//!
//! A rank is the floor of the room that owns the latch. In debug builds each thread (and so each event loop: a fiber
//! may not wait while it holds one) keeps the stack of ranks that it holds; taking one above the lowest held panics,
//! as does waiting with any held. Release builds compile to nothing.

#[cfg(debug_assertions)]
use std::cell::RefCell;

#[cfg(debug_assertions)]
thread_local! {
    static HELD: RefCell<Vec<(u8, &'static str)>> = const { RefCell::new(Vec::new()) };
}

/// Shows that a latch of some rank is held; dropped with the latch.
#[must_use = "the rank is held only as long as the guard lives"]
#[derive(Debug)]
pub struct RankGuard {
    #[cfg(debug_assertions)]
    floor: u8,
    #[cfg(debug_assertions)]
    what: &'static str,
    /// Ranks are per thread: the guard must not travel.
    not_send: std::marker::PhantomData<*const ()>,
}

/// Notes that a latch called `what` of room floor `floor` is being taken by this thread or fiber.
///
/// Equal ranks may nest (latch coupling inside one room); going upwards panics in debug builds.
#[inline]
pub fn enter(floor: u8, what: &'static str) -> RankGuard {
    #[cfg(debug_assertions)]
    HELD.with(|held| {
        let mut held = held.borrow_mut();
        if let Some(&(lowest, holder)) = held.iter().min_by_key(|(rank, _)| *rank) {
            assert!(
                floor <= lowest,
                "latch order: {what} (floor {floor}) taken while {holder} (floor {lowest}) is held"
            );
        }
        held.push((floor, what));
    });
    #[cfg(not(debug_assertions))]
    let _ = (floor, what);
    RankGuard {
        #[cfg(debug_assertions)]
        floor,
        #[cfg(debug_assertions)]
        what,
        not_send: std::marker::PhantomData,
    }
}

#[cfg(debug_assertions)]
impl Drop for RankGuard {
    fn drop(&mut self) {
        HELD.with(|held| {
            let mut held = held.borrow_mut();
            // Latches are let go in any order; the newest equal entry is ours.
            if let Some(at) = held.iter().rposition(|&(floor, what)| floor == self.floor && what == self.what)
            {
                held.remove(at);
            }
        });
    }
}

/// Asserts (debug builds) that this thread holds no latch; called by everything that may wait.
#[inline]
#[track_caller]
pub fn assert_none_held() {
    #[cfg(debug_assertions)]
    HELD.with(|held| {
        if let Some((floor, what)) = held.borrow().last() {
            // A panic that is already unwinding through a guard is the news to keep.
            assert!(std::thread::panicking(), "wait while latch {what} (floor {floor}) is held");
        }
    });
}
