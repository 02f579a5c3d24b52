//! A queue of waiters in order of arrival, for fibers and threads alike.
//!
//! The condition lives with the caller (behind its own lock or in atomics); the queue only says when to look again.
//! Protocol, with `len` as the waiters' side of a Dekker pair:
//!
//! ```text
//! waiter:  enqueue; len += 1; fence; look at condition; park
//! waker:   change condition; fence; read len; if not 0: dequeue and wake
//! ```
//!
//! One of both sees the other, so no wake is lost. After each wake the waiter enqueues again at its old place before it
//! looks, so a wake that dequeued a waiter which then leaves without it (deadline passed, or the condition held by
//! another's doing) is always known, and handed on to the next.

use crate::task::{Waker, park, park_until};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
use std::time::Instant;

/// Waiters in order of arrival. Waiting parks the fiber, or the thread outside of fibers.
#[derive(Debug, Default)]
pub struct WaitQueue {
    len: AtomicUsize,
    tickets: AtomicU64,
    waiters: Mutex<VecDeque<Waiter>>,
}

#[derive(Debug)]
struct Waiter {
    ticket: u64,
    waker: Waker,
}

/// A waiter's place; leaves the queue when dropped, also by a panic in the condition.
struct Place<'a> {
    queue: &'a WaitQueue,
    ticket: u64,
    entered: bool,
}

impl WaitQueue {
    /// An empty queue.
    pub const fn new() -> WaitQueue {
        WaitQueue {
            len: AtomicUsize::new(0),
            tickets: AtomicU64::new(0),
            waiters: Mutex::new(VecDeque::new()),
        }
    }

    /// Waits until `condition` gives a value, looking first at once and then after each wake.
    ///
    /// `condition` runs without the queue's lock, in the waiter; it may take locks but must not hold them on return.
    pub fn wait<T>(&self, condition: impl FnMut() -> Option<T>) -> T {
        match self.wait_inner(None, condition) {
            Some(value) => value,
            None => unreachable!("a wait without a deadline ends with a value"),
        }
    }

    /// As [`WaitQueue::wait`], giving up with `None` once `deadline` has passed.
    pub fn wait_until<T>(&self, deadline: Instant, condition: impl FnMut() -> Option<T>) -> Option<T> {
        self.wait_inner(Some(deadline), condition)
    }

    fn wait_inner<T>(
        &self,
        deadline: Option<Instant>,
        mut condition: impl FnMut() -> Option<T>,
    ) -> Option<T> {
        if let Some(value) = condition() {
            return Some(value);
        }
        // Relaxed: a ticket only has to be unique and growing, the lock of the queue orders the rest.
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let mut place = Place { queue: self, ticket, entered: false };
        let waker = Waker::current();
        loop {
            place.enter(&waker);
            if let Some(value) = condition() {
                return Some(value);
            }
            let timed_out = match deadline {
                None => {
                    park();
                    false
                }
                Some(deadline) => park_until(deadline),
            };
            if timed_out {
                return condition();
            }
        }
    }

    /// Wakes the waiter that came first, if there is one. The condition must have been changed before.
    pub fn wake_one(&self) {
        if self.is_empty() {
            return;
        }
        let first = {
            let mut waiters = self.waiters.lock();
            let first = waiters.pop_front();
            self.len.store(waiters.len(), Ordering::SeqCst);
            first
        };
        if let Some(waiter) = first {
            waiter.waker.wake();
        }
    }

    /// Wakes all that wait now. The condition must have been changed before.
    pub fn wake_all(&self) {
        if self.is_empty() {
            return;
        }
        let all = {
            let mut waiters = self.waiters.lock();
            self.len.store(0, Ordering::SeqCst);
            std::mem::take(&mut *waiters)
        };
        for waiter in all {
            waiter.waker.wake();
        }
    }

    /// How many wait now; a moment later it may be different.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// No waiter is in the queue, as seen after everything this thread wrote before.
    pub fn is_empty(&self) -> bool {
        // The waker's half of the Dekker pair in the module head.
        fence(Ordering::SeqCst);
        self.len.load(Ordering::Relaxed) == 0
    }
}

impl Place<'_> {
    /// Puts the waiter into the queue at its ticket's place, unless it is there still.
    fn enter(&mut self, waker: &Waker) {
        let queue = self.queue;
        let mut waiters = queue.waiters.lock();
        let at = waiters.partition_point(|waiter| waiter.ticket < self.ticket);
        if waiters.get(at).is_none_or(|waiter| waiter.ticket != self.ticket) {
            waiters.insert(at, Waiter { ticket: self.ticket, waker: waker.clone() });
            queue.len.store(waiters.len(), Ordering::SeqCst);
        }
        self.entered = true;
        drop(waiters);
        // The waiter's half of the Dekker pair in the module head.
        fence(Ordering::SeqCst);
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if !self.entered {
            return;
        }
        let was_woken = {
            let mut waiters = self.queue.waiters.lock();
            let at = waiters.partition_point(|waiter| waiter.ticket < self.ticket);
            if waiters.get(at).is_some_and(|waiter| waiter.ticket == self.ticket) {
                waiters.remove(at);
                self.queue.len.store(waiters.len(), Ordering::SeqCst);
                false
            } else {
                true
            }
        };
        if was_woken {
            self.queue.wake_one();
        }
    }
}
