//! Waiting for a lock, and the wait-for graph.
//!
//! A waiter has one state word; each change is a compare-exchange from WAITING, so granting, choosing as a victim
//! and giving up exclude each other. Edges of the graph are not stored: a detection runs in each new waiter, after it
//! was queued, and asks the lock tables who blocks whom at that moment. The last wait that closes a cycle sees all of
//! it. As edges are read one after another, a cycle is read twice before it counts: in both passes every member is in
//! the same wait, so nobody in it ran in between and all edges stood at once.

use crate::ids::TxnId;
use crate::lock::metadata::{Mode as MetadataMode, NameLock};
use crate::lock::{Asker, LockError, LockKey, Locks};
use crate::mvcc::slots::KeyBytes;
use hashbrown::{HashMap, HashSet};
use parking_lot::Mutex;
use runtime::Waker;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

const WAITING: u8 = 0;
const GRANTED: u8 = 1;
const VICTIM: u8 = 2;
const GONE: u8 = 3;

/// Tells a session that waits inside the engine to stop (KILL, a lost connection).
#[derive(Debug, Default)]
pub struct Interrupt {
    raised: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Interrupt {
    /// Not raised.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// The wait going on, or the next one, ends with [`crate::EngineError::Interrupted`].
    pub fn raise(&self) {
        self.raised.store(true, Ordering::SeqCst);
        if let Some(waker) = &*self.waker.lock() {
            waker.wake();
        }
    }

    /// Ready for the next statement.
    pub fn clear(&self) {
        self.raised.store(false, Ordering::SeqCst);
    }

    /// [`crate::EngineError::Interrupted`] when the session was told to stop, for long loops.
    pub(crate) fn check(&self) -> crate::error::Result<()> {
        if self.is_raised() { Err(crate::EngineError::Interrupted) } else { Ok(()) }
    }

    /// Whether the session was told to stop; long loops ask now and then.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }
}

/// What is waited for.
#[derive(Debug)]
pub(crate) enum Site {
    /// A row or unique key.
    Row(LockKey),
    /// Range locks of others over a key.
    Range { tree: u32, key: KeyBytes },
    /// A table name. Who holds it already, in a weaker mode, does not stand behind others in its queue.
    Metadata { lock: Arc<NameLock>, mode: MetadataMode, holds_some: bool },
}

/// One wait of one transaction.
#[derive(Debug)]
pub(crate) struct Waiter {
    pub(crate) txn: TxnId,
    pub(crate) site: Site,
    weight: u64,
    state: AtomicU8,
    waker: Waker,
}

impl Waiter {
    /// A wait of the calling fiber or thread.
    pub(crate) fn new(asker: &Asker<'_>, site: Site) -> Arc<Waiter> {
        Arc::new(Waiter {
            txn: asker.txn,
            site,
            weight: asker.weight,
            state: AtomicU8::new(WAITING),
            waker: Waker::current(),
        })
    }

    /// Ends the wait with success; false when it ended otherwise before.
    pub(crate) fn grant(&self) -> bool {
        self.leave(GRANTED)
    }

    /// Still waiting.
    pub(crate) fn is_waiting(&self) -> bool {
        self.state.load(Ordering::SeqCst) == WAITING
    }

    fn leave(&self, state: u8) -> bool {
        let left = self.state.compare_exchange(WAITING, state, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        if left {
            self.waker.wake();
        }
        left
    }
}

/// The waits going on.
pub(crate) struct Waits {
    waiting: Mutex<HashMap<TxnId, Arc<Waiter>>>,
    waits: AtomicU64,
    deadlocks: AtomicU64,
    timeouts: AtomicU64,
}

impl Waits {
    /// Nobody waits.
    pub(crate) fn new() -> Waits {
        Waits {
            waiting: Mutex::new(HashMap::new()),
            waits: AtomicU64::new(0),
            deadlocks: AtomicU64::new(0),
            timeouts: AtomicU64::new(0),
        }
    }

    /// Waits so far, deadlocks found, waits that took too long.
    pub(crate) fn counters(&self) -> (u64, u64, u64) {
        let load = |c: &AtomicU64| c.load(Ordering::Relaxed);
        (load(&self.waits), load(&self.deadlocks), load(&self.timeouts))
    }

    /// Transactions that wait now.
    pub(crate) fn current(&self) -> usize {
        self.waiting.lock().len()
    }

    /// Parks until the waiter, which stands in its queue already, is granted. After an error the caller takes it out.
    pub(crate) fn wait(
        &self,
        locks: &Locks,
        waiter: &Arc<Waiter>,
        asker: &Asker<'_>,
        deadline: Instant,
    ) -> Result<(), LockError> {
        self.waits.fetch_add(1, Ordering::Relaxed);
        // What a failure of the log means the next call tells.
        let _ = asker.place.pay();
        {
            let mut waiting = self.waiting.lock();
            waiting.insert(waiter.txn, waiter.clone());
            self.end_deadlock(locks, &waiting, waiter);
        }
        *asker.place.interrupt.waker.lock() = Some(Waker::current());
        let result = loop {
            match waiter.state.load(Ordering::SeqCst) {
                GRANTED => break Ok(()),
                VICTIM => break Err(LockError::Deadlock),
                _ => {}
            }
            let given_up = if asker.place.interrupt.raised.load(Ordering::SeqCst) {
                Some(LockError::Interrupted)
            } else if Instant::now() >= deadline {
                Some(LockError::TimedOut)
            } else {
                None
            };
            match given_up {
                // Granted or chosen in this very moment: the next turn says which.
                Some(error) if waiter.leave(GONE) => break Err(error),
                Some(_) => {}
                None => {
                    runtime::park_until(deadline);
                }
            }
        };
        *asker.place.interrupt.waker.lock() = None;
        self.waiting.lock().remove(&waiter.txn);
        match result {
            Err(LockError::Deadlock) => self.deadlocks.fetch_add(1, Ordering::Relaxed),
            Err(LockError::TimedOut) => self.timeouts.fetch_add(1, Ordering::Relaxed),
            _ => 0,
        };
        result
    }

    /// Looks for cycles through `start` and ends the lightest member of each.
    fn end_deadlock(&self, locks: &Locks, waiting: &HashMap<TxnId, Arc<Waiter>>, start: &Arc<Waiter>) {
        while let Some(cycle) = find_cycle(locks, waiting, start) {
            if !still_stands(locks, &cycle) {
                // Somebody moved while the edges were read: look again at what is there now.
                if !start.is_waiting() {
                    return;
                }
                std::hint::spin_loop();
                continue;
            }
            let lightest = cycle.iter().map(|w| w.weight).min().unwrap_or(0);
            // The requester first: ending it costs no wake.
            let victim = cycle.iter().find(|w| w.weight == lightest).unwrap_or(start);
            victim.leave(VICTIM);
            if victim.txn == start.txn {
                return;
            }
        }
    }
}

/// A path of waits from `start` back to it; `start` is the first member.
fn find_cycle(
    locks: &Locks,
    waiting: &HashMap<TxnId, Arc<Waiter>>,
    start: &Arc<Waiter>,
) -> Option<Vec<Arc<Waiter>>> {
    let mut seen = HashSet::new();
    let mut path: Vec<(Arc<Waiter>, Vec<TxnId>)> = Vec::new();
    let edges = |waiter: &Arc<Waiter>| {
        let mut out = Vec::new();
        if waiter.is_waiting() {
            locks.blockers(waiter, &mut out);
        }
        out
    };
    path.push((start.clone(), edges(start)));
    while let Some((_, blockers)) = path.last_mut() {
        let Some(next) = blockers.pop() else {
            path.pop();
            continue;
        };
        if next == start.txn {
            return Some(path.into_iter().map(|(waiter, _)| waiter).collect());
        }
        if !seen.insert(next) {
            continue;
        }
        if let Some(waiter) = waiting.get(&next) {
            path.push((waiter.clone(), edges(waiter)));
        }
    }
    None
}

/// The second reading of a cycle.
fn still_stands(locks: &Locks, cycle: &[Arc<Waiter>]) -> bool {
    let mut blockers = Vec::new();
    cycle.iter().enumerate().all(|(at, waiter)| {
        let next = cycle[(at + 1) % cycle.len()].txn;
        blockers.clear();
        locks.blockers(waiter, &mut blockers);
        waiter.is_waiting() && blockers.contains(&next)
    })
}
