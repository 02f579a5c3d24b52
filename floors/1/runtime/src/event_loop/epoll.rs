//! The loop's kernel side on epoll, where io_uring is refused.
//!
//! Each socket is added once, edge-triggered, to the epoll set of the loop whose fiber first waits for it. An edge sets
//! a bit in its [`Readiness`] and pokes whoever waits for that bit; a waiter clears the bit before it tries the socket
//! again, so an edge between trying and waiting is never lost.
//!
//! Edges for writing are asked for only while somebody waits to write: otherwise each answer that a client takes would
//! wake the loop for nothing (measured: two `epoll_wait` a query instead of one).

use super::fiber::{Fiber, Poker};
use super::{Driver, Shared, Sleep};
use crate::counters::LoopCounters;
use crate::event_loop::uring::Cancelled;
use parking_lot::Mutex;
use rustix::event::epoll::{self, EventData, EventFlags};
use std::collections::HashMap;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

/// The socket may be read (or has ended).
pub(crate) const READABLE: u8 = 1;
/// The socket may be written (or is broken).
pub(crate) const WRITABLE: u8 = 2;

/// Event data of the bell.
const BELL: u64 = 0;
/// Ready descriptors taken at once.
const EVENTS: usize = 256;

/// What a socket is ready for, and who waits.
#[derive(Default)]
pub(crate) struct Readiness {
    ready: AtomicU8,
    home: OnceLock<Home>,
    waiters: Mutex<[Option<Poker>; 2]>,
}

/// Where a socket is registered.
struct Home {
    set: Arc<OwnedFd>,
    source: u64,
}

/// The epoll set of one loop.
pub(crate) struct Epoll {
    set: Arc<OwnedFd>,
    bell: OwnedFd,
    sources: HashMap<u64, Weak<Readiness>>,
    next_source: u64,
    /// At this many sources those whose sockets are gone are swept out; the kernel forgot them when they closed.
    sweep_at: usize,
    events: Vec<epoll::Event>,
}

impl Epoll {
    pub(super) fn new(shared: &Shared) -> io::Result<Epoll> {
        let set = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        epoll::add(&set, &shared.bell, EventData::new_u64(BELL), EventFlags::IN)?;
        Ok(Epoll {
            set: Arc::new(set),
            bell: shared.bell.try_clone()?,
            sources: HashMap::new(),
            next_source: BELL + 1,
            sweep_at: 64,
            events: Vec::with_capacity(EVENTS),
        })
    }

    /// Takes what is ready, sleeping for it if allowed.
    pub(super) fn turn(&mut self, sleep: Sleep, counters: &LoopCounters) {
        counters.enters.add(1);
        let timeout = match sleep {
            Sleep::No => Some(rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 }),
            Sleep::Until(None) => None,
            // A time beyond what the kernel can name is never.
            Sleep::Until(Some(deadline)) => {
                deadline.saturating_duration_since(Instant::now()).try_into().ok()
            }
        };
        self.events.clear();
        match epoll::wait(&*self.set, rustix::buffer::spare_capacity(&mut self.events), timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => panic!("wait on epoll: {error}"),
        }
        counters.completions.add(self.events.len() as u64);
        for event in &self.events {
            match event.data.u64() {
                BELL => {
                    let mut count = [0; 8];
                    // Level-triggered and just seen readable, by its only reader: does not block.
                    let read = rustix::io::read(&self.bell, &mut count);
                    debug_assert!(read.is_ok(), "read the bell: {read:?}");
                }
                source => {
                    if let Some(readiness) = self.sources.get(&source).and_then(Weak::upgrade) {
                        readiness.set(bits(event.flags));
                    }
                }
            }
        }
    }

    fn add(&mut self, socket: BorrowedFd<'_>, readiness: &Arc<Readiness>) -> io::Result<Home> {
        if self.sources.len() >= self.sweep_at {
            self.sources.retain(|_, readiness| readiness.strong_count() > 0);
            self.sweep_at = (self.sources.len() * 2).max(64);
        }
        let source = self.next_source;
        self.next_source += 1;
        epoll::add(&*self.set, socket, EventData::new_u64(source), edges(READABLE))?;
        self.sources.insert(source, Arc::downgrade(readiness));
        Ok(Home { set: self.set.clone(), source })
    }
}

/// What to ask epoll for while somebody waits for `bit`.
fn edges(bit: u8) -> EventFlags {
    let always = EventFlags::IN | EventFlags::RDHUP | EventFlags::ET;
    if bit == WRITABLE { always | EventFlags::OUT } else { always }
}

fn bits(flags: EventFlags) -> u8 {
    let broken = flags.intersects(EventFlags::ERR | EventFlags::HUP);
    let mut bits = 0;
    if broken || flags.intersects(EventFlags::IN | EventFlags::RDHUP) {
        bits |= READABLE;
    }
    if broken || flags.intersects(EventFlags::OUT) {
        bits |= WRITABLE;
    }
    bits
}

impl Readiness {
    /// An edge: notes the bits and pokes those who wait for them.
    fn set(&self, bits: u8) {
        // Release, and the lock below: a waiter either sees the bit or is seen by us.
        self.ready.fetch_or(bits, Ordering::AcqRel);
        let mut waiters = self.waiters.lock();
        for bit in [READABLE, WRITABLE] {
            if bits & bit != 0
                && let Some(waiter) = waiters[index(bit)].take()
            {
                waiter.poke();
            }
        }
    }

    /// Waits on an epoll loop until `socket` may be ready for `bit`, or the deadline, or a stop of the runtime.
    pub(crate) fn wait(
        self: &Arc<Self>,
        fiber: &Fiber,
        socket: BorrowedFd<'_>,
        bit: u8,
        deadline: Option<Instant>,
    ) -> io::Result<Option<Cancelled>> {
        let home = self.home(fiber, socket)?;
        if bit == WRITABLE {
            // Changing what is asked for also reports what is so already.
            epoll::modify(&*home.set, socket, EventData::new_u64(home.source), edges(WRITABLE))?;
        }
        let outcome = loop {
            self.waiters.lock()[index(bit)] = Some(fiber.poker());
            if self.ready.fetch_and(!bit, Ordering::AcqRel) & bit != 0 {
                break None;
            }
            if fiber.stopping() {
                break Some(Cancelled::Stop);
            }
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                break Some(Cancelled::Deadline);
            }
            fiber.wait_operation(deadline, true);
        };
        self.waiters.lock()[index(bit)] = None;
        if bit == WRITABLE {
            epoll::modify(&*home.set, socket, EventData::new_u64(home.source), edges(READABLE))?;
        }
        Ok(outcome)
    }

    /// Where the socket is registered: with the loop of the first fiber that comes here. Others may wait through it.
    fn home(self: &Arc<Self>, fiber: &Fiber, socket: BorrowedFd<'_>) -> io::Result<&Home> {
        if let Some(home) = self.home.get() {
            return Ok(home);
        }
        // Serialises a reader and a writer of two loops that come at once.
        let _waiters = self.waiters.lock();
        if self.home.get().is_none() {
            let home = match &mut *fiber.event_loop().driver.borrow_mut() {
                Driver::Epoll(epoll) => epoll.add(socket, self)?,
                Driver::Uring(_) => unreachable!("wait for readiness on a loop with a ring"),
            };
            let _ = self.home.set(home);
        }
        match self.home.get() {
            Some(home) => Ok(home),
            None => unreachable!("set above under the lock"),
        }
    }
}

const fn index(bit: u8) -> usize {
    if bit == READABLE { 0 } else { 1 }
}
