//! The wait queue's protocol, generic over the world it runs in, so that `loom` can run the very code.
//!
//! The condition lives with the caller (behind its own lock or in atomics); the queue only says when to look again.
//! `occupied` is the waiters' side of a Dekker pair:
//!
//! ```text
//! waiter:  enqueue; occupied = 1; fence; look at condition; park
//! waker:   change condition;      fence; if occupied: dequeue and wake
//! ```
//!
//! One of both sees the other, so no wake is lost. After each wake the waiter enqueues again at its old place before it
//! looks, so a wake that dequeued a waiter which then leaves without it (deadline passed, or the condition held by
//! another's doing) is always known, and handed on to the next.

use crate::protocol::Byte;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Atomics, locks and parking: the machine's, or a model's.
pub(crate) trait World {
    type Flag: Byte;
    type Waker: Clone;
    type Lock<T>;
    /// Runs `work` on what the lock guards.
    fn locked<T, R>(lock: &Self::Lock<T>, work: impl FnOnce(&mut T) -> R) -> R;
    /// The waker of the calling task.
    fn current() -> Self::Waker;
    fn wake(waker: &Self::Waker);
    fn park();
    /// True when the deadline has passed.
    fn park_until(deadline: Instant) -> bool;
}

/// Waiters in order of arrival.
pub(crate) struct Queue<W: World> {
    pub(crate) occupied: W::Flag,
    pub(crate) waiters: W::Lock<Waiters<W>>,
}

pub(crate) struct Waiters<W: World> {
    queue: VecDeque<(u64, W::Waker)>,
    next_ticket: u64,
}

/// A waiter's place; leaves the queue when dropped, also by a panic in the condition.
struct Place<'a, W: World> {
    queue: &'a Queue<W>,
    ticket: u64,
}

impl<W: World> Waiters<W> {
    pub(crate) const fn new() -> Waiters<W> {
        Waiters { queue: VecDeque::new(), next_ticket: 0 }
    }

    /// Where the ticket's waiter is, or should be.
    fn place(&self, ticket: u64) -> Result<usize, usize> {
        self.queue.binary_search_by_key(&ticket, |&(ticket, _)| ticket)
    }
}

impl<W: World> Queue<W> {
    /// Waits until `condition` gives a value, or until `deadline`.
    pub(crate) fn wait<T>(
        &self,
        deadline: Option<Instant>,
        mut condition: impl FnMut() -> Option<T>,
    ) -> Option<T> {
        if let Some(value) = condition() {
            return Some(value);
        }
        let waker = W::current();
        let place = self.enter(&waker);
        loop {
            if let Some(value) = condition() {
                return Some(value);
            }
            let timed_out = match deadline {
                None => {
                    W::park();
                    false
                }
                Some(deadline) => W::park_until(deadline),
            };
            if timed_out {
                return condition();
            }
            place.enter_again(&waker);
        }
    }

    fn enter(&self, waker: &W::Waker) -> Place<'_, W> {
        let ticket = W::locked(&self.waiters, |waiters| {
            let ticket = waiters.next_ticket;
            waiters.next_ticket += 1;
            waiters.queue.push_back((ticket, waker.clone()));
            self.occupied.store(1, Ordering::Relaxed);
            ticket
        });
        // The waiter's half of the Dekker pair in the module head.
        W::Flag::fence();
        Place { queue: self, ticket }
    }

    pub(crate) fn wake_one(&self) {
        if self.is_empty() {
            return;
        }
        let first = W::locked(&self.waiters, |waiters| {
            let first = waiters.queue.pop_front();
            self.note_length(waiters);
            first
        });
        if let Some((_, waker)) = first {
            W::wake(&waker);
        }
    }

    pub(crate) fn wake_all(&self) {
        if self.is_empty() {
            return;
        }
        let all = W::locked(&self.waiters, |waiters| {
            let all = std::mem::take(&mut waiters.queue);
            self.note_length(waiters);
            all
        });
        for (_, waker) in all {
            W::wake(&waker);
        }
    }

    /// Nobody waits, as seen after everything that the caller wrote before.
    pub(crate) fn is_empty(&self) -> bool {
        // The waker's half of the Dekker pair in the module head.
        W::Flag::fence();
        self.occupied.load(Ordering::Relaxed) == 0
    }

    pub(crate) fn len(&self) -> usize {
        W::locked(&self.waiters, |waiters| waiters.queue.len())
    }

    /// Called under the lock.
    fn note_length(&self, waiters: &Waiters<W>) {
        self.occupied.store(u8::from(!waiters.queue.is_empty()), Ordering::Relaxed);
    }
}

impl<W: World> Place<'_, W> {
    /// Puts the waiter into the queue at its ticket's place, unless it is there still.
    fn enter_again(&self, waker: &W::Waker) {
        W::locked(&self.queue.waiters, |waiters| {
            if let Err(at) = waiters.place(self.ticket) {
                waiters.queue.insert(at, (self.ticket, waker.clone()));
                self.queue.occupied.store(1, Ordering::Relaxed);
            }
        });
        W::Flag::fence();
    }
}

impl<W: World> Drop for Place<'_, W> {
    fn drop(&mut self) {
        let was_woken = W::locked(&self.queue.waiters, |waiters| match waiters.place(self.ticket) {
            Ok(at) => {
                waiters.queue.remove(at);
                self.queue.note_length(waiters);
                false
            }
            Err(_) => true,
        });
        if was_woken {
            self.queue.wake_one();
        }
    }
}

#[cfg(test)]
mod tests;
