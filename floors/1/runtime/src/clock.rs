//! Clocks read once a turn.
//!
//! What happens between two looks at the kernel happens at one time, as far as anybody outside can tell: statements that
//! came in together begin together, and a deadline of seconds does not mind microseconds. So a loop reads the clocks at
//! most once a turn, for all its fibers. A turn lasts as long as its fibers run, each for a time slice at most.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

thread_local! {
    static NOW: Cell<Option<Instant>> = const { Cell::new(None) };
    static WALL: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// The time of this turn; in a plain thread, the time.
#[inline]
pub fn turn_time() -> Instant {
    match NOW.get() {
        Some(now) => now,
        None => keep(&NOW, Instant::now()),
    }
}

/// The wall clock's time of this turn, since 1970 in UTC; in a plain thread, of now.
#[inline]
pub fn turn_wall_time() -> Duration {
    match WALL.get() {
        Some(now) => now,
        None => keep(&WALL, SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()),
    }
}

fn keep<T: Copy>(place: &'static std::thread::LocalKey<Cell<Option<T>>>, now: T) -> T {
    if crate::core_id().is_some() {
        place.set(Some(now));
    }
    now
}

/// A turn begins: the loop has looked at the kernel, and may have slept there.
#[cfg_attr(not(fibers), allow(dead_code))]
#[inline]
pub(crate) fn forget() {
    NOW.set(None);
    WALL.set(None);
}
