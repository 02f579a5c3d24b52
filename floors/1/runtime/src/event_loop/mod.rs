//! An event loop: one OS thread that runs fibers and looks for what they wait for.
//!
//! One turn:
//!
//! ```text
//! mail -> [woken fibers, up to RESUMES_A_TURN] -> one look at the kernel: submit, sleep if nothing is ready, take
//!      completions -> timers -> [if nobody was woken, or they have had their part: yielded fibers, about one slice]
//! ```
//!
//! A fiber that yields goes behind all that were woken, and what those asked of the kernel is submitted before it runs
//! on: a long computation delays a newly readable socket by about a slice, and by less where the loop can see from
//! memory that something waits ([`EventLoop::somebody_waits`]).
//!
//! Everything here but [`Shared`] belongs to the loop's thread. Cells are borrowed only between switches to fibers.

mod epoll;
mod fiber;
mod shared;
mod uring;

pub(crate) use epoll::{READABLE, Readiness, WRITABLE};
pub(crate) use fiber::{Fiber, current, stack_limit};
pub(crate) use shared::{Job, Mail, Shared};
pub(crate) use uring::{Cancelled, Ended, Exchanged};

use crate::Backend;
use crate::balance::{Balance, LOOK_EVERY};
use corosensei::Coroutine;
use epoll::Epoll;
use fiber::{FiberCoroutine, StackPool, Suspend};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use uring::Uring;

/// Woken fibers run before the kernel is looked at again.
const RESUMES_A_TURN: usize = 256;
/// While others are woken, those that made way get one part in so many of the loop's time: a scan costs short statements
/// beside it no more than that.
const SHARE_OF_YIELDED: u32 = 5;
/// Between two rounds of tidying: a fiber that rests so long gives back what its stack does not need.
const TIDY_EVERY: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 1000 });
/// A fiber that was resumed so often with no other between is the only busy one.
const ALONE_AFTER: u32 = 8;
/// Fibers of the other loops that run so often meanwhile do so in passing.
const IN_PASSING: u64 = 2;
/// A busy loop looks at the clock after so many turns, whether it is time to tidy.
const TURNS_A_TIDY_LOOK: u64 = 256;
/// And after so many, whether it is time to look how the loops stand.
const TURNS_A_BALANCE: u64 = 64;

thread_local! {
    static LOOP: Cell<*const EventLoop> = const { Cell::new(std::ptr::null()) };
}

/// Called with the message of each panic that ended a fiber.
pub(crate) type PanicHook = Arc<dyn Fn(&str) + Send + Sync>;

/// The kernel's side of a loop.
#[expect(clippy::large_enum_variant, reason = "there is one a loop, and the large one is the usual one")]
pub(crate) enum Driver {
    Uring(Uring),
    Epoll(Epoll),
}

/// Whether a look at the kernel may sleep.
enum Sleep {
    No,
    Until(Option<Instant>),
}

struct Slot {
    fiber: Box<Fiber>,
    /// Away while it runs.
    coroutine: Option<FiberCoroutine>,
}

/// One event loop; lives on the stack of its thread.
pub(crate) struct EventLoop {
    pub(crate) shared: Arc<Shared>,
    pub(crate) driver: RefCell<Driver>,
    ready: RefCell<VecDeque<u32>>,
    yielded: RefCell<VecDeque<u32>>,
    slots: RefCell<Vec<Option<Slot>>>,
    free_slots: RefCell<Vec<u32>>,
    alive: Cell<usize>,
    timers: RefCell<BTreeSet<(Instant, u32)>>,
    stacks: RefCell<StackPool>,
    panic_hook: PanicHook,
    mail: RefCell<Vec<Mail>>,
    stop: Cell<Stop>,
    /// From when on `yielded` ones run though others are woken.
    yielded_from: Cell<Option<Instant>>,
    /// When to tidy next; `None` while all has been tidied, but for fibers that `ran`.
    tidy_at: Cell<Option<Instant>>,
    ran: Cell<bool>,
    /// The slot resumed last, and how often in a row.
    last: Cell<u32>,
    again: Cell<u32>,
    /// How often the other loops had resumed fibers when that was last asked.
    others_resumed: Cell<u64>,
    balance: Arc<Balance>,
    /// When it was last time for a look at how the loops stand.
    balanced_at: Cell<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    No,
    WhenEmpty,
    Now,
}

/// What ends a thread's wait for the network at a stop: threads beside the loops belong to none.
pub(crate) fn with_stop_signal<R>(wait: impl FnOnce(Option<BorrowedFd<'_>>) -> R) -> R {
    wait(None)
}

/// Puts a notified fiber into its loop's run queue: directly on the loop's own thread, by mail from elsewhere.
pub(crate) fn queue_woken(shared: &Arc<Shared>, slot: u32) {
    match here(shared) {
        Some(event_loop) => event_loop.ready.borrow_mut().push_back(slot),
        None => shared.send(Mail::Woken(slot)),
    }
}

/// Pokes a fiber if its loop is this thread's.
fn poke_here(shared: &Arc<Shared>, slot: u32) -> bool {
    here(shared).map(|event_loop| event_loop.poke(slot)).is_some()
}

/// This thread's loop if it is the one of `shared`.
fn here<'a>(shared: &Arc<Shared>) -> Option<&'a EventLoop> {
    // SAFETY: set by `run` for the time that it runs on this thread, cleared before the loop goes.
    let event_loop = unsafe { LOOP.get().as_ref() }?;
    Arc::ptr_eq(&event_loop.shared, shared).then_some(event_loop)
}

/// The index of the loop whose thread this is.
pub(crate) fn index_here() -> Option<usize> {
    // SAFETY: as in `here`.
    unsafe { LOOP.get().as_ref() }.map(|event_loop| event_loop.shared.index)
}

impl EventLoop {
    /// Sets up a loop on the thread that will run it.
    pub(crate) fn new(
        shared: Arc<Shared>,
        balance: Arc<Balance>,
        backend: Backend,
        fiber_stack: usize,
        panic_hook: PanicHook,
    ) -> io::Result<EventLoop> {
        let driver = match backend {
            Backend::IoUring => Driver::Uring(Uring::new(&shared)?),
            Backend::Epoll => Driver::Epoll(Epoll::new(&shared)?),
            // Seccomp profiles, old kernels and `kernel.io_uring_disabled` refuse it in different ways; all are
            // answered alike.
            Backend::Auto => match Uring::new(&shared) {
                Ok(uring) => Driver::Uring(uring),
                Err(_) => Driver::Epoll(Epoll::new(&shared)?),
            },
        };
        shared.uses_ring.store(matches!(driver, Driver::Uring(_)), Ordering::Release);
        Ok(EventLoop {
            shared,
            driver: RefCell::new(driver),
            ready: RefCell::default(),
            yielded: RefCell::default(),
            slots: RefCell::default(),
            free_slots: RefCell::default(),
            alive: Cell::new(0),
            timers: RefCell::default(),
            stacks: RefCell::new(StackPool::new(fiber_stack)),
            panic_hook,
            mail: RefCell::default(),
            stop: Cell::new(Stop::No),
            yielded_from: Cell::new(None),
            tidy_at: Cell::new(None),
            ran: Cell::new(false),
            last: Cell::new(0),
            again: Cell::new(0),
            others_resumed: Cell::new(0),
            balance,
            balanced_at: Cell::new(Instant::now()),
        })
    }

    /// Runs until stopped; returns how many fibers had to be left behind.
    pub(crate) fn run(&self) -> usize {
        LOOP.set(self);
        self.shared.standing.begin();
        loop {
            self.take_mail();
            self.run_ready();
            match self.stop.get() {
                Stop::WhenEmpty if self.alive.get() == 0 => break,
                Stop::Now => break,
                _ => {}
            }
            let sleep = if self.ready.borrow().is_empty() && self.yielded.borrow().is_empty() {
                self.plan_tidying();
                let timer = self.timers.borrow().first().map(|&(when, _)| when);
                Sleep::Until(timer.into_iter().chain(self.tidy_at.get()).min())
            } else {
                Sleep::No
            };
            self.look_at_kernel(sleep);
            crate::clock::forget();
            self.fire_timers();
            self.run_yielded();
            self.shared.counters.turns.add(1);
            self.tidy();
            self.look_at_loops();
        }
        self.shared.close();
        let left = self.abandon();
        LOOP.set(std::ptr::null());
        left
    }

    fn take_mail(&self) {
        let mut mail = self.mail.take();
        self.shared.take_mail(&mut mail);
        for message in mail.drain(..) {
            match message {
                Mail::Woken(slot) => self.ready.borrow_mut().push_back(slot),
                Mail::Poke(slot) => self.poke(slot),
                Mail::Spawn(job) => self.spawn(job),
                Mail::Stop => {
                    self.stop.set(Stop::WhenEmpty);
                    self.interrupt_all();
                }
                Mail::Abandon => self.stop.set(Stop::Now),
            }
        }
        self.mail.replace(mail);
    }

    /// A stop: network waits end, parked fibers look at their conditions once more.
    fn interrupt_all(&self) {
        let slots = self.slots.borrow();
        for slot in slots.iter().flatten() {
            if slot.fiber.waits_interruptibly() {
                if slot.fiber.poke() {
                    self.ready.borrow_mut().push_back(slot.fiber.slot);
                }
            } else {
                slot.fiber.task.wake();
            }
        }
    }

    fn run_ready(&self) {
        for _ in 0..RESUMES_A_TURN {
            // Not in the condition of a `while let`: the borrow would last through the switch.
            let next = self.ready.borrow_mut().pop_front();
            match next {
                Some(slot) => self.resume(slot),
                None => return,
            }
        }
    }

    /// Runs those that made way, each at most once and together for about a slice, unless others were woken and have not
    /// had their part of the time since.
    fn run_yielded(&self) {
        let waiting = self.yielded.borrow().len();
        if waiting == 0 {
            return;
        }
        let start = Instant::now();
        let is_their_turn = self.yielded_from.get().is_none_or(|from| start >= from);
        if !is_their_turn && !self.ready.borrow().is_empty() {
            return;
        }
        for _ in 0..waiting {
            let next = self.yielded.borrow_mut().pop_front();
            let Some(slot) = next else { break };
            self.resume(slot);
            if self.somebody_waits() || start.elapsed() >= fiber::SLICE {
                break;
            }
        }
        let end = Instant::now();
        self.yielded_from.set(Some(end + (end - start) * (SHARE_OF_YIELDED - 1)));
    }

    /// Whether, as far as memory shows it without a system call, somebody waits for the running fiber to make way.
    pub(crate) fn somebody_waits(&self) -> bool {
        if !self.ready.borrow().is_empty() || self.shared.has_mail() {
            return true;
        }
        match &mut *self.driver.borrow_mut() {
            Driver::Uring(uring) => uring.has_completions(),
            Driver::Epoll(_) => false,
        }
    }

    /// Whether the running fiber is the only one that has run here lately.
    pub(crate) fn has_one_busy_fiber(&self) -> bool {
        self.again.get() >= ALONE_AFTER
    }

    /// How often fibers of all loops were resumed.
    pub(crate) fn resumes_of_all(&self) -> u64 {
        self.shared.counters.resumes.get() + self.resumes_of_others()
    }

    fn resumes_of_others(&self) -> u64 {
        self.balance.others(&self.shared).map(|other| other.counters.resumes.get()).sum()
    }

    /// Whether the running fiber is the only one that has run lately on any loop: here, and elsewhere since this was last
    /// asked.
    pub(crate) fn has_only_busy_fiber(&self) -> bool {
        let resumed = self.resumes_of_others();
        let meanwhile = resumed - self.others_resumed.replace(resumed);
        meanwhile <= IN_PASSING && self.has_one_busy_fiber()
    }

    /// Before a sleep: it ends when it is time to tidy up after the fibers that ran.
    fn plan_tidying(&self) {
        if self.tidy_at.get().is_none() && self.ran.replace(false) {
            self.tidy_at.set(Some(Instant::now() + TIDY_EVERY));
        }
    }

    /// Has the fibers that have long rested give memory back, if it is time. The clock is looked at in turns that brought
    /// nothing to do, and now and then in others.
    fn tidy(&self) {
        let Some(at) = self.tidy_at.get() else { return };
        let is_busy = !self.ready.borrow().is_empty();
        if is_busy && !self.shared.counters.turns.get().is_multiple_of(TURNS_A_TIDY_LOOK) {
            return;
        }
        let now = Instant::now();
        if now < at {
            return;
        }
        let mut more = self.ran.replace(false);
        for slot in self.slots.borrow().iter().flatten() {
            // All are suspended here: no fiber runs.
            more |= slot.fiber.tidy();
        }
        self.tidy_at.set(more.then_some(now + TIDY_EVERY));
    }

    /// Now and then looks how the loops stand. Its own clock comes first: what the loops share is left alone meanwhile.
    fn look_at_loops(&self) {
        if !self.shared.counters.turns.get().is_multiple_of(TURNS_A_BALANCE) {
            return;
        }
        let now = crate::turn_time();
        if now.saturating_duration_since(self.balanced_at.get()) >= LOOK_EVERY {
            self.balanced_at.set(now);
            self.balance.look(now);
        }
    }

    fn resume(&self, index: u32) {
        self.shared.counters.resumes.add(1);
        self.ran.set(true);
        let again = if self.last.replace(index) == index { self.again.get().saturating_add(1) } else { 0 };
        self.again.set(again);
        let (fiber, mut coroutine) = {
            let mut slots = self.slots.borrow_mut();
            let Some(Some(slot)) = slots.get_mut(index as usize) else {
                unreachable!("a queued fiber exists: slot {index}");
            };
            let Some(coroutine) = slot.coroutine.take() else {
                unreachable!("a queued fiber does not run: slot {index}");
            };
            (&raw const *slot.fiber, coroutine)
        };
        // SAFETY: the box stays where it is until `finish` removes the slot, below or never.
        let fiber = unsafe { &*fiber };
        match fiber::enter(fiber, &mut coroutine) {
            Some(why) => {
                let mut slots = self.slots.borrow_mut();
                if let Some(Some(slot)) = slots.get_mut(index as usize) {
                    slot.coroutine = Some(coroutine);
                }
                if matches!(why, Suspend::Yielded) {
                    self.shared.counters.yields.add(1);
                    self.yielded.borrow_mut().push_back(index);
                }
            }
            None => self.finish(index, coroutine),
        }
    }

    fn spawn(&self, job: Job) {
        let stack = self.stacks.borrow_mut().take();
        let stack = match stack {
            Ok(stack) => stack,
            Err(error) => {
                // The job is dropped: its handle, if anybody holds it, says so.
                (self.panic_hook)(&format!("map a fiber's stack: {error}"));
                self.shared.load.fetch_sub(1, Ordering::Relaxed);
                return;
            }
        };
        let index = self.free_slots.borrow_mut().pop();
        let mut slots = self.slots.borrow_mut();
        let index = index.unwrap_or_else(|| {
            slots.push(None);
            (slots.len() - 1) as u32
        });
        let fiber = Box::new(Fiber::new(self, index, &stack));
        let started: *const Fiber = &*fiber;
        let hook = self.panic_hook.clone();
        let shared = self.shared.clone();
        let coroutine = Coroutine::with_stack(stack, move |yielder, ()| {
            // SAFETY: the box lives until this coroutine has ended, see `resume`.
            unsafe { &*started }.started(yielder);
            if let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)) {
                shared.counters.panics.add(1);
                let message = crate::panic_message(&*panic);
                // A payload whose drop panics must not reach the loop either.
                std::mem::forget(panic);
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hook(&message)));
            }
        });
        slots[index as usize] = Some(Slot { fiber, coroutine: Some(coroutine) });
        self.alive.set(self.alive.get() + 1);
        self.shared.counters.spawned.add(1);
        self.ready.borrow_mut().push_back(index);
    }

    fn finish(&self, index: u32, coroutine: FiberCoroutine) {
        self.stacks.borrow_mut().give_back(coroutine.into_stack());
        let slot = self.slots.borrow_mut()[index as usize].take();
        if let Some(when) = slot.and_then(|slot| slot.fiber.armed.get()) {
            self.timers.borrow_mut().remove(&(when, index));
        }
        self.free_slots.borrow_mut().push(index);
        self.alive.set(self.alive.get() - 1);
        self.shared.load.fetch_sub(1, Ordering::Relaxed);
    }

    /// Ends a fiber's wait for an operation.
    fn poke(&self, slot: u32) {
        if let Some(Some(slot)) = self.slots.borrow().get(slot as usize)
            && slot.fiber.poke()
        {
            self.ready.borrow_mut().push_back(slot.fiber.slot);
        }
    }

    /// Sees to it that the fiber is looked at when `deadline` has come.
    pub(crate) fn arm_timer(&self, fiber: &Fiber, deadline: Instant) {
        // An entry that is too early is left and moved when it fires: idle deadlines are set far more often than met.
        match fiber.armed.get() {
            Some(armed) if armed <= deadline => return,
            Some(armed) => {
                self.timers.borrow_mut().remove(&(armed, fiber.slot));
            }
            None => {}
        }
        self.timers.borrow_mut().insert((deadline, fiber.slot));
        fiber.armed.set(Some(deadline));
    }

    fn fire_timers(&self) {
        if self.timers.borrow().is_empty() {
            return;
        }
        let now = crate::turn_time();
        loop {
            let due = {
                let mut timers = self.timers.borrow_mut();
                match timers.first().copied() {
                    Some(first) if first.0 <= now => {
                        timers.remove(&first);
                        first.1
                    }
                    _ => return,
                }
            };
            let slots = self.slots.borrow();
            let Some(Some(slot)) = slots.get(due as usize) else {
                unreachable!("a timer's fiber exists: slot {due}");
            };
            let fiber = &slot.fiber;
            fiber.armed.set(None);
            match fiber.deadline.get() {
                None => {}
                Some(deadline) if deadline > now => self.arm_timer(fiber, deadline),
                Some(_) => {
                    self.shared.counters.timers.add(1);
                    if fiber.waits_for_operation() {
                        fiber.poke();
                        self.ready.borrow_mut().push_back(due);
                    } else {
                        fiber.task.wake();
                    }
                }
            }
        }
    }

    /// Submits what is to be submitted, takes what has completed; sleeps for it if allowed and nobody sent mail.
    fn look_at_kernel(&self, sleep: Sleep) {
        let sleep = match sleep {
            Sleep::Until(_) if !self.shared.fall_asleep() => Sleep::No,
            other => other,
        };
        let slept = matches!(sleep, Sleep::Until(_));
        let mut driver = self.driver.borrow_mut();
        let counters = &self.shared.counters;
        match &mut *driver {
            Driver::Uring(uring) => uring.turn(sleep, counters, |fiber| self.queue_poked(fiber)),
            Driver::Epoll(epoll) => epoll.turn(sleep, counters),
        }
        if slept {
            self.shared.wake_up();
            counters.sleeps.add(1);
        }
    }

    fn queue_poked(&self, fiber: &Fiber) {
        if fiber.poke() {
            self.ready.borrow_mut().push_back(fiber.slot);
        }
    }

    /// Leaks the fibers that have not ended: the kernel or other threads may still use their stacks.
    fn abandon(&self) -> usize {
        let mut left = 0;
        for slot in self.slots.borrow_mut().drain(..).flatten() {
            left += 1;
            std::mem::forget(slot);
        }
        left
    }
}
