//! `max_statement_time`: one thread of the process watches the statements that have a limit and tells those that run
//! past it to stop, whatever they wait for.
//!
//! The thread is started by the first statement with a limit and sleeps until the next limit comes.

use super::state::{State, kill};
use engine::Interrupt;
use parking_lot::{Condvar, Mutex};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A statement's limit; it ends with this.
#[derive(Debug)]
pub struct TimeLimit(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    killed: Arc<AtomicU8>,
    interrupt: Arc<Interrupt>,
    over: AtomicBool,
}

/// A moment and the statement that has to end then; earlier ones are greater.
struct Due(Reverse<Instant>, Arc<Watched>);

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

#[derive(Default)]
struct Watch {
    due: Mutex<BinaryHeap<Due>>,
    earlier: Condvar,
}

impl TimeLimit {
    /// From now on; `None` where no thread can be had: the statement has no limit then.
    pub fn start(limit: Duration, killed: Arc<AtomicU8>, interrupt: Arc<Interrupt>) -> Option<TimeLimit> {
        static WATCH: OnceLock<Option<Arc<Watch>>> = OnceLock::new();
        let watch = WATCH.get_or_init(|| {
            let watch = Arc::new(Watch::default());
            let its = watch.clone();
            let thread = std::thread::Builder::new().name("time limits".into());
            let run = move || {
                // The event loop that started it may be pinned. Best effort, as pinning is.
                let _ = platform::topology::unpin_current();
                its.run();
            };
            thread.spawn(run).ok().map(|_| watch)
        });
        let watched = Arc::new(Watched { killed, interrupt, over: AtomicBool::new(false) });
        let watch = watch.as_ref()?;
        let at = Instant::now().checked_add(limit)?;
        watch.due.lock().push(Due(Reverse(at), watched.clone()));
        watch.earlier.notify_one();
        Some(TimeLimit(watched))
    }
}

impl State {
    /// Holds the statement under way to `max_statement_time`, from now on.
    pub(crate) fn limit_time(&mut self) {
        self.time_limit = match self.vars.max_statement_time_us {
            0 => None,
            limit => TimeLimit::start(
                Duration::from_micros(limit),
                self.killed.clone(),
                self.place.interrupt().clone(),
            ),
        };
    }
}

impl Drop for TimeLimit {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Release);
    }
}

impl Watch {
    fn run(&self) {
        let mut due = self.due.lock();
        loop {
            let Some(first) = due.peek() else {
                self.earlier.wait(&mut due);
                continue;
            };
            let at = first.0.0;
            if at > Instant::now() && !first.1.over.load(Ordering::Acquire) {
                self.earlier.wait_until(&mut due, at);
                continue;
            }
            if let Some(Due(_, watched)) = due.pop()
                && !watched.over.load(Ordering::Acquire)
            {
                // KILL says more than a limit: it stays.
                let none = kill::NONE;
                let told =
                    watched.killed.compare_exchange(none, kill::TIMEOUT, Ordering::AcqRel, Ordering::Relaxed);
                if told.is_ok() {
                    watched.interrupt.raise();
                }
            }
        }
    }
}
