//! Time: the kernel's, and a simulated one that tests move by hand.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A source of time.
pub trait Clock: Send + Sync {
    /// Nanoseconds since some fixed point in the past; never goes back.
    fn now_ns(&self) -> u64;

    /// Microseconds since 1970-01-01 UTC; goes back when somebody sets the clock.
    fn wall_us(&self) -> i64;
}

/// The kernel's clocks (`CLOCK_MONOTONIC`, `CLOCK_REALTIME`): some 20 ns a reading, no system call.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealClock;

impl Clock for RealClock {
    fn now_ns(&self) -> u64 {
        let now = clock_gettime(ClockId::Monotonic);
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }

    fn wall_us(&self) -> i64 {
        let now = clock_gettime(ClockId::Realtime);
        now.tv_sec * 1_000_000 + now.tv_nsec / 1000
    }
}

/// A clock that stands still until it is moved.
#[derive(Debug, Default)]
pub struct SimClock {
    now_ns: AtomicU64,
    /// What the wall clock shows beyond the time passed.
    wall_start_us: AtomicI64,
}

impl SimClock {
    /// A clock at nanosecond 0 whose wall shows `wall_us`.
    #[must_use]
    pub fn new(wall_us: i64) -> SimClock {
        SimClock { now_ns: AtomicU64::new(0), wall_start_us: AtomicI64::new(wall_us) }
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        // SeqCst: tests should never wonder in which order threads saw time pass.
        self.now_ns.fetch_add(by.as_nanos() as u64, Ordering::SeqCst);
    }

    /// Sets the wall clock, forwards or back; [`Clock::now_ns`] does not notice.
    pub fn set_wall_us(&self, wall_us: i64) {
        self.wall_start_us.store(wall_us - self.elapsed_us(), Ordering::SeqCst);
    }

    fn elapsed_us(&self) -> i64 {
        (self.now_ns.load(Ordering::SeqCst) / 1000) as i64
    }
}

impl Clock for SimClock {
    fn now_ns(&self) -> u64 {
        self.now_ns.load(Ordering::SeqCst)
    }

    fn wall_us(&self) -> i64 {
        self.wall_start_us.load(Ordering::SeqCst) + self.elapsed_us()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_real_clock_runs_forwards_and_knows_the_date() {
        let before = RealClock.now_ns();
        std::thread::sleep(Duration::from_millis(2));
        assert!(RealClock.now_ns() - before >= 2_000_000);
        let by_std = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_micros() as i64;
        assert!((RealClock.wall_us() - by_std).abs() < 10_000_000);
    }

    #[test]
    fn the_simulated_clock_moves_only_by_hand() {
        let clock = SimClock::new(5_000_000);
        clock.advance(Duration::from_micros(1500));
        assert_eq!((clock.now_ns(), clock.wall_us()), (1_500_000, 5_001_500));
        clock.set_wall_us(-7);
        clock.advance(Duration::from_micros(1));
        assert_eq!((clock.now_ns(), clock.wall_us()), (1_501_000, -6));
    }
}
