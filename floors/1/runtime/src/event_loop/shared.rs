//! What other threads see of an event loop: its mailbox, its sleep flag, its counters.
//!
//! A sender puts mail into the box and rings the bell (an eventfd) only if the loop sleeps: [`Doorbell`].

use crate::balance::Standing;
use crate::counters::LoopCounters;
use crate::protocol::Doorbell;
use parking_lot::Mutex;
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// A function that a new fiber runs.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// What other threads tell a loop.
pub(crate) enum Mail {
    /// A parked fiber was notified: it goes into the run queue.
    Woken(u32),
    /// Something that the fiber in this slot waits for inside the runtime may have happened.
    Poke(u32),
    /// Run a new fiber.
    Spawn(Job),
    /// End once all fibers have ended.
    Stop,
    /// End now, whatever fibers are left.
    Abandon,
}

/// The part of an event loop that all threads share.
pub(crate) struct Shared {
    pub(crate) index: usize,
    pub(crate) uses_ring: AtomicBool,
    inbox: Mutex<Inbox>,
    doorbell: Doorbell,
    pub(crate) bell: OwnedFd,
    /// Fibers alive or on their way here; where new ones go is decided by it.
    pub(crate) load: AtomicUsize,
    /// The runtime is going down: waits for the network end with an error.
    pub(crate) stopping: AtomicBool,
    pub(crate) counters: LoopCounters,
    pub(crate) standing: Standing,
}

#[derive(Default)]
struct Inbox {
    mail: Vec<Mail>,
    closed: bool,
}

impl Shared {
    pub(crate) fn new(index: usize) -> io::Result<Shared> {
        Ok(Shared {
            index,
            uses_ring: AtomicBool::new(false),
            inbox: Mutex::default(),
            doorbell: Doorbell::new(),
            // Blocking on purpose: io_uring waits on it, and a read happens only after a poll or a completion.
            bell: eventfd(0, EventfdFlags::CLOEXEC)?,
            load: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            counters: LoopCounters::default(),
            standing: Standing::default(),
        })
    }

    /// Hands mail to the loop; rings only if it sleeps. Mail to a loop that has ended is dropped.
    pub(crate) fn send(&self, mail: Mail) {
        let ring = {
            let mut inbox = self.inbox.lock();
            if inbox.closed {
                return;
            }
            inbox.mail.push(mail);
            self.doorbell.announce()
        };
        if ring {
            self.counters.bells.add_shared(1);
            // A full counter cannot be: one ring a sleep. An error would mean the descriptor is gone.
            let rung = rustix::io::write(&self.bell, &1u64.to_ne_bytes());
            assert!(rung.is_ok(), "ring event loop {}: {rung:?}", self.index);
        }
    }

    /// Whether mail has come; it may come a moment later.
    pub(crate) fn has_mail(&self) -> bool {
        self.doorbell.has_mail()
    }

    /// Swaps all mail into `into`, which must be empty.
    pub(crate) fn take_mail(&self, into: &mut Vec<Mail>) {
        if self.doorbell.has_mail() {
            let mut inbox = self.inbox.lock();
            std::mem::swap(&mut inbox.mail, into);
            self.doorbell.taken();
        }
    }

    /// Says that the loop is about to sleep; false when there is mail, and it must not.
    pub(crate) fn fall_asleep(&self) -> bool {
        self.doorbell.fall_asleep()
    }

    /// Says that the loop is awake.
    pub(crate) fn wake_up(&self) {
        self.doorbell.wake_up();
    }

    /// Refuses further mail and drops what lies there.
    pub(crate) fn close(&self) {
        let left = {
            let mut inbox = self.inbox.lock();
            inbox.closed = true;
            std::mem::take(&mut inbox.mail)
        };
        drop(left);
    }
}
