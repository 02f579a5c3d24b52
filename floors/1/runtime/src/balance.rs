//! Work moves from an event loop that is short of time to one that has some.
//!
//! A fiber stays on the loop that it was started on, and so would a connection. But which connections are busy changes, and so
//! does what else runs on a CPU. Ten times a second one of the loops looks at the time that each of them ran, and that each was
//! ready to run and had no CPU (`/proc/thread-self/schedstat`; without it, nothing moves). Where work would wait less on another
//! loop, the next fibers that ask ([`called_away`]) are called there: they hand all they hold to a new fiber. Figures:
//! `docs/decisions/0290`.

use crate::event_loop::{self, Shared};
use crate::runtime::start_on;
use parking_lot::Mutex;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Between two looks.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Looks after a move that only look: what has moved has to show first.
const LOOKS_TO_SETTLE: u32 = 2;
/// A loop that ran and waited for less than this share of the time is not short of it.
const CROWDED: f64 = 0.5;
/// By so much of the time another loop must be better off, or connections would go to and fro.
const MARGIN: f64 = 0.15;

/// What a loop tells of itself, and is told.
#[derive(Default)]
pub(crate) struct Standing {
    schedstat: OnceLock<File>,
    /// Fibers that asked, each once a look.
    asked: AtomicU64,
    /// Fibers to give away, and the loop that they are called to: the lower half.
    calls: AtomicU64,
}

/// The loops of a runtime, and what was seen of them.
pub(crate) struct Balance {
    loops: Vec<Arc<Shared>>,
    /// The number of the look at hand, from 1.
    look: AtomicU64,
    looks: Mutex<Looks>,
}

struct Looks {
    at: Instant,
    seen: Vec<Seen>,
    settle: u32,
}

/// Nanoseconds that a loop ran and waited for a CPU since it began, and fibers that asked.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    ran: u64,
    waited: u64,
    asked: u64,
}

/// What a loop did between two looks: shares of that time, and fibers that were busy.
#[derive(Debug, Clone, Copy)]
struct Load {
    ran: f64,
    waited: f64,
    busy: u64,
}

/// So many fibers are to go from one loop to another.
#[derive(Debug, PartialEq, Eq)]
struct Move {
    from: usize,
    to: usize,
    count: u64,
}

/// A loop that has room for the fiber that asked.
pub struct Away {
    to: Arc<Shared>,
}

impl std::fmt::Debug for Away {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Away({})", self.to.index)
    }
}

/// Whether the calling fiber had better go on elsewhere. It asks where it holds nothing that belongs to its loop or thread, at
/// best before it waits for its client; those that ask are known to be busy, and only they are called.
#[inline]
pub fn called_away() -> Option<Away> {
    let to = event_loop::current()?.called_away()?;
    Some(Away { to })
}

impl Away {
    /// Runs `job` in a new fiber over there; the caller ends. Dropped unrun where the runtime has gone down.
    pub fn go(self, job: impl FnOnce() + Send + 'static) {
        start_on(&self.to, Box::new(job));
    }
}

impl Standing {
    /// Called on the loop's own thread before it runs.
    pub(crate) fn begin(&self) {
        if let Ok(file) = File::open("/proc/thread-self/schedstat") {
            let _ = self.schedstat.set(file);
        }
    }

    fn see(&self) -> Option<Seen> {
        let mut text = [0; 96];
        let length = self.schedstat.get()?.read_at(&mut text, 0).ok()?;
        let mut numbers = std::str::from_utf8(&text[..length]).ok()?.split_whitespace().map(str::parse);
        let (ran, waited) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        Some(Seen { ran, waited, asked: self.asked.load(Ordering::Relaxed) })
    }

    fn call(&self, count: u64, to: usize) {
        self.calls.store(count << 32 | to as u64, Ordering::Relaxed);
    }

    /// The loop that a fiber is called to; it counts as gone.
    fn answer(&self) -> Option<usize> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let one_less = |calls: u64| (calls >> 32 > 0).then(|| calls - (1 << 32));
        let calls = self.calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).ok()?;
        Some(calls as u32 as usize)
    }
}

impl Balance {
    pub(crate) fn new(loops: Vec<Arc<Shared>>) -> Balance {
        let looks = Looks { at: Instant::now(), seen: Vec::new(), settle: 0 };
        Balance { loops, look: AtomicU64::new(1), looks: Mutex::new(looks) }
    }

    /// The loops beside one.
    pub(crate) fn others(&self, shared: &Shared) -> impl Iterator<Item = &Arc<Shared>> {
        let index = shared.index;
        self.loops.iter().filter(move |other| other.index != index)
    }

    /// Looks at all loops, if it is time and nobody else does.
    pub(crate) fn look(&self, now: Instant) {
        let Some(mut looks) = self.looks.try_lock() else { return };
        let passed = now.saturating_duration_since(looks.at);
        // On epoll a socket stays with the loop that first waited for it.
        let can_move = |shared: &Arc<Shared>| shared.uses_ring.load(Ordering::Relaxed);
        if passed < LOOK_EVERY || self.loops.len() < 2 || !self.loops.iter().all(can_move) {
            return;
        }
        looks.at = now;
        let seen = self.loops.iter().map(|shared| shared.standing.see());
        let Some(seen) = seen.collect::<Option<Vec<Seen>>>() else { return };
        let before = std::mem::replace(&mut looks.seen, seen);
        for shared in &self.loops {
            shared.standing.call(0, 0);
        }
        looks.settle = looks.settle.saturating_sub(1);
        // What was long ago, or has not settled, tells nothing.
        if before.len() == self.loops.len() && passed < LOOK_EVERY * 2 && looks.settle == 0 {
            let loads =
                before.iter().zip(&looks.seen).map(|(before, now)| Load::between(before, now, passed));
            if let Some(Move { from, to, count }) = choose(&loads.collect::<Vec<_>>()) {
                self.loops[from].standing.call(count, to);
                looks.settle = LOOKS_TO_SETTLE;
            }
        }
        self.look.fetch_add(1, Ordering::Relaxed);
    }

    /// The loop that a fiber of `from` is called to. `last` is the look that it asked in last: it asks once in each.
    #[inline]
    pub(crate) fn called_away(&self, from: &Shared, last: &std::cell::Cell<u64>) -> Option<Arc<Shared>> {
        let look = self.look.load(Ordering::Relaxed);
        if last.replace(look) == look {
            return None;
        }
        from.standing.answer().and_then(|to| self.loops.get(to)).cloned()
    }
}

impl Load {
    fn between(before: &Seen, now: &Seen, passed: Duration) -> Load {
        let share = |before: u64, now: u64| now.saturating_sub(before) as f64 / passed.as_nanos() as f64;
        Load {
            ran: share(before.ran, now.ran),
            waited: share(before.waited, now.waited),
            busy: now.asked.saturating_sub(before.asked),
        }
    }

    fn pressure(&self) -> f64 {
        self.ran + self.waited
    }
}

/// Whether, and where, work would wait less. What one busy fiber takes is the mean of its loop; half the difference moves at
/// once, as what moves may be more than that.
fn choose(loads: &[Load]) -> Option<Move> {
    let by_pressure = |a: &(usize, &Load), b: &(usize, &Load)| a.1.pressure().total_cmp(&b.1.pressure());
    let (from, crowded) = loads.iter().enumerate().max_by(by_pressure)?;
    let (to, roomy) = loads.iter().enumerate().min_by(by_pressure)?;
    if crowded.busy == 0 || crowded.pressure() < CROWDED {
        return None;
    }
    let one_takes = crowded.ran / crowded.busy as f64;
    let difference = crowded.pressure() - roomy.pressure();
    if difference < one_takes + MARGIN {
        return None;
    }
    let evens = difference / (one_takes + crowded.pressure() / crowded.busy as f64);
    Some(Move { from, to, count: ((evens / 2.0) as u64).max(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(ran: f64, waited: f64, busy: u64) -> Load {
        Load { ran, waited, busy }
    }

    #[test]
    fn work_goes_where_it_waits_less() {
        let moved = |from, to, count| Some(Move { from, to, count });
        // Two that fill a loop, beside one that sleeps.
        assert_eq!(choose(&[load(0.98, 0.0, 2), load(0.01, 0.0, 0)]), moved(0, 1, 1));
        assert_eq!(choose(&[load(0.1, 0.0, 3), load(0.3, 0.1, 3), load(0.97, 0.02, 40)]), moved(2, 0, 9));
        // One alone, with its CPU taken by somebody else.
        assert_eq!(choose(&[load(0.0, 0.0, 0), load(0.4, 0.5, 1)]), moved(1, 0, 1));
    }

    #[test]
    fn what_would_not_wait_less_stays() {
        // One that fills its loop would fill another.
        assert_eq!(choose(&[load(0.98, 0.01, 1), load(0.0, 0.0, 0)]), None);
        // Nobody is short of time; all are; one is by a little.
        assert_eq!(choose(&[load(0.4, 0.05, 8), load(0.0, 0.0, 0)]), None);
        assert_eq!(choose(&[load(0.6, 0.39, 8), load(0.55, 0.43, 2)]), None);
        assert_eq!(choose(&[load(0.6, 0.1, 8), load(0.5, 0.0, 8)]), None);
        // Crowded by what cannot move.
        assert_eq!(choose(&[load(0.98, 0.0, 0), load(0.0, 0.0, 0)]), None);
        assert_eq!(choose(&[]), None);
    }

    #[test]
    fn so_many_as_are_called_go() {
        let standing = Standing::default();
        assert_eq!(standing.answer(), None);
        standing.call(2, 7);
        assert_eq!([standing.answer(), standing.answer(), standing.answer()], [Some(7), Some(7), None]);
        standing.call(3, 1);
        standing.call(0, 0);
        assert_eq!(standing.answer(), None);
        assert_eq!(standing.asked.load(Ordering::Relaxed), 5);
    }
}
