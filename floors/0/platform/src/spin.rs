//! Waiting for something that comes in nanoseconds, without hurting the sibling thread or the cache line.
//!
//! A loop that spins must only read; the read-modify-write comes after the read looked promising. And spinning
//! must end: whoever holds the thing may have lost its CPU, and then only parking helps.

/// Tells the CPU that this thread spins: PAUSE on x86, ISB on AArch64, lowered priority on POWER.
#[inline]
pub fn pause() {
    #[cfg(target_arch = "powerpc64")]
    // SAFETY: these forms of `or` change nothing but the hardware thread's priority (Power ISA, book II, 3.2):
    // very low for a moment, then medium again.
    unsafe {
        std::arch::asm!("or 31,31,31", "or 2,2,2", options(nomem, nostack, preserves_flags));
    }
    #[cfg(not(target_arch = "powerpc64"))]
    std::hint::spin_loop();
}

/// A bounded, growing wait between two looks at something.
///
/// ```
/// # use std::sync::atomic::{AtomicBool, Ordering};
/// # let ready = AtomicBool::new(true);
/// let mut backoff = platform::spin::Backoff::new();
/// while !ready.load(Ordering::Acquire) {
///     if !backoff.spin() {
///         // ... park ...
///     }
/// }
/// ```
#[derive(Debug, Default)]
pub struct Backoff {
    round: u32,
}

impl Backoff {
    /// Rounds of 1, 2, 4 ... 64 pauses: some 1 to 5 us in all, about what parking and waking costs.
    const ROUNDS: u32 = 7;

    /// A back-off that has not waited yet.
    #[must_use]
    pub const fn new() -> Backoff {
        Backoff { round: 0 }
    }

    /// Waits twice as long as the last time. `false`, without waiting, when spinning has had its chance: park.
    #[inline]
    #[must_use]
    pub fn spin(&mut self) -> bool {
        if self.round == Self::ROUNDS {
            return false;
        }
        for _ in 0..1_u32 << self.round {
            pause();
        }
        self.round += 1;
        true
    }

    /// Forgets the waits so far, after progress.
    pub fn reset(&mut self) {
        self.round = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spinning_ends() {
        let mut backoff = Backoff::new();
        let rounds = std::iter::from_fn(|| backoff.spin().then_some(())).take(1000).count();
        assert_eq!(rounds, Backoff::ROUNDS as usize);
        backoff.reset();
        assert!(backoff.spin());
    }
}
