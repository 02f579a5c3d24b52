//! A fiber: a function on a stack of its own that its event loop switches to and away from.
//!
//! A fiber is always in one of these places, and whoever moves it away is the only one who can:
//!
//! | place | leaves it by |
//! | --- | --- |
//! | running | parking, waiting for an operation, yielding, ending |
//! | parked (task state PARKED) | the wake that makes it NOTIFIED |
//! | waiting for an operation (`waiting` set) | a poke on its own loop: completion, deadline, stop; all clear `waiting` |
//! | in a run queue | its turn |
//!
//! Waiting for an operation is apart from parking so that an operation never uses up a wake meant for its caller.
//!
//! A fiber that waits is never dropped: its stack holds buffers that the kernel or a helper thread may be writing to.
//! A loop that ends before its fibers leaks them ([`super::EventLoop::abandon`]).

use super::{EventLoop, Job, Mail, Shared};
use crate::task::Task;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, Yielder};
use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a fiber may run before [`crate::slice_point`] makes way for others.
pub(crate) const SLICE: Duration = Duration::from_micros(500);
/// How long it may run at least, even if somebody is seen to wait: short enough for a point read to hardly notice,
/// long against the price of a switch and a turn.
const SLICE_MIN: Duration = Duration::from_micros(25);

/// Stacks kept for reuse on each loop; more are given back to the kernel.
const POOLED_STACKS_MAX: usize = 64;

/// How far below the frame of `suspend` the switch itself may reach; the rest of a resting fiber's stack is free.
const SWITCH_FRAMES: usize = 16 * 1024;

/// Why a fiber switched back to its loop.
pub(crate) enum Suspend {
    /// It waits; something will queue it again.
    Waiting,
    /// It is ready, others go first.
    Yielded,
}

pub(crate) type FiberCoroutine = Coroutine<(), Suspend, (), DefaultStack>;

/// What a fiber and its loop know of each other. Never leaves the loop's thread.
pub(crate) struct Fiber {
    pub(crate) slot: u32,
    pub(crate) task: Arc<Task>,
    event_loop: *const EventLoop,
    yielder: Cell<*const Yielder<(), Suspend>>,
    /// Lowest address that the stack may grow to.
    stack_limit: usize,
    /// It waits for an operation, see the module head.
    waiting: Cell<bool>,
    /// A stop of the runtime ends the wait.
    interruptible: Cell<bool>,
    /// Until when it waits.
    pub(crate) deadline: Cell<Option<Instant>>,
    /// Its entry among the loop's timers: at most one, never later than needed.
    pub(crate) armed: Cell<Option<Instant>>,
    /// Where on its stack it suspended last; 0 before it has run.
    rests_at: Cell<usize>,
    /// Rounds of tidying that it has rested through.
    rested: Cell<u8>,
    /// Since when it runs, as noticed by the first look at the clock.
    slice_start: Cell<Option<Instant>>,
    /// The look at the loops in which it asked last whether it is called away.
    asked: Cell<u64>,
}

thread_local! {
    static CURRENT: Cell<*const Fiber> = const { Cell::new(std::ptr::null()) };
}

/// The fiber that runs on this thread now, if any.
///
/// The reference is good as long as the fiber lives, that is for all that the fiber itself can call; it is confined to
/// the thread, and must not be put where the fiber's end does not end it.
#[inline]
pub(crate) fn current<'a>() -> Option<&'a Fiber> {
    let fiber = CURRENT.get();
    // SAFETY: the pointer is set by `enter` for exactly the time that this fiber runs on this thread, and the loop
    // keeps the fiber boxed until its coroutine has ended.
    unsafe { fiber.as_ref() }
}

/// The lowest address that the running fiber's stack may grow to.
pub(crate) fn stack_limit() -> Option<usize> {
    current().map(|fiber| fiber.stack_limit)
}

/// Resumes `coroutine` as `fiber`; `None` when it has ended.
pub(super) fn enter(fiber: &Fiber, coroutine: &mut FiberCoroutine) -> Option<Suspend> {
    CURRENT.set(fiber);
    let outcome = coroutine.resume(());
    CURRENT.set(std::ptr::null());
    outcome.as_yield()
}

impl Fiber {
    /// A fiber of `event_loop`, which must outlive it, on `stack`.
    pub(super) fn new(event_loop: &EventLoop, slot: u32, stack: &DefaultStack) -> Fiber {
        Fiber {
            slot,
            task: Arc::new(Task::of_fiber(event_loop.shared.clone(), slot)),
            event_loop,
            yielder: Cell::new(std::ptr::null()),
            // The limit that corosensei names is the end of the mapping; its last page is the guard.
            stack_limit: stack.limit().get() + rustix::param::page_size(),
            waiting: Cell::new(false),
            interruptible: Cell::new(false),
            deadline: Cell::new(None),
            armed: Cell::new(None),
            rests_at: Cell::new(0),
            rested: Cell::new(0),
            slice_start: Cell::new(None),
            asked: Cell::new(0),
        }
    }

    /// Called first thing on the fiber's own stack.
    pub(super) fn started(&self, yielder: &Yielder<(), Suspend>) {
        self.yielder.set(yielder);
    }

    pub(crate) fn task(&self) -> &Arc<Task> {
        &self.task
    }

    pub(crate) fn event_loop(&self) -> &EventLoop {
        // SAFETY: a loop outlives the running of its fibers: they run only inside its `run`.
        unsafe { &*self.event_loop }
    }

    fn suspend(&self, why: Suspend) {
        debug_assert!(std::ptr::eq(CURRENT.get(), self), "a fiber suspends itself only");
        // SAFETY: set by `started` before any code of the fiber ran; the yielder lives at the base of the fiber's
        // stack as long as the fiber runs.
        let yielder = unsafe { &*self.yielder.get() };
        let here = 0u8;
        self.rests_at.set(&raw const here as usize);
        yielder.suspend(why);
        self.rested.set(0);
        self.slice_start.set(None);
    }

    /// Waits for a wake of the task, or the deadline.
    pub(crate) fn park(&self, deadline: Option<Instant>) {
        if self.task.state.try_park() {
            self.set_deadline(deadline);
            self.suspend(Suspend::Waiting);
            self.deadline.set(None);
            self.task.state.unpark();
        }
    }

    /// Waits for a poke, or the deadline; `interruptible`: or a stop. The caller looks what happened.
    pub(crate) fn wait_operation(&self, deadline: Option<Instant>, interruptible: bool) {
        self.set_deadline(deadline);
        self.interruptible.set(interruptible);
        self.waiting.set(true);
        self.suspend(Suspend::Waiting);
        self.interruptible.set(false);
        self.deadline.set(None);
    }

    /// Ends the wait for an operation; true if the caller, the loop, has to queue the fiber.
    pub(super) fn poke(&self) -> bool {
        self.waiting.replace(false)
    }

    /// Whether a stop of the runtime is to end its wait.
    pub(super) fn waits_interruptibly(&self) -> bool {
        self.waiting.get() && self.interruptible.get()
    }

    pub(super) fn waits_for_operation(&self) -> bool {
        self.waiting.get()
    }

    pub(crate) fn yield_now(&self) {
        self.suspend(Suspend::Yielded);
    }

    /// Another fiber on the same loop, behind those that are woken already.
    pub(crate) fn spawn_beside(&self, job: Job) {
        let event_loop = self.event_loop();
        event_loop.shared.load.fetch_add(1, Ordering::Relaxed);
        event_loop.spawn(job);
    }

    /// Yields if at `now` the slice is used up.
    pub(crate) fn check_slice(&self, now: Instant) {
        match self.slice_start.get() {
            None => self.slice_start.set(Some(now)),
            Some(start) => {
                let ran = now - start;
                if ran >= SLICE || (ran >= SLICE_MIN && self.event_loop().somebody_waits()) {
                    self.yield_now();
                }
            }
        }
    }

    /// The loop that is to go on with what it does.
    pub(crate) fn called_away(&self) -> Option<Arc<Shared>> {
        let event_loop = self.event_loop();
        event_loop.balance.called_away(&event_loop.shared, &self.asked)
    }

    /// The runtime goes down.
    pub(crate) fn stopping(&self) -> bool {
        self.event_loop().shared.stopping.load(Ordering::Acquire)
    }

    /// Counts a round of tidying for a suspended fiber. One that has rested through a whole one gives back, once, the
    /// memory that deep recursion may have left touched below where it rests. True if it is not done with that yet.
    pub(super) fn tidy(&self) -> bool {
        let rested = self.rested.get();
        if rested >= 2 || self.rests_at.get() == 0 {
            return false;
        }
        self.rested.set(rested + 1);
        if rested == 0 {
            return true;
        }
        let page = rustix::param::page_size();
        let end = (self.rests_at.get() - SWITCH_FRAMES) & !(page - 1);
        if end > self.stack_limit {
            // SAFETY: the range is inside this fiber's stack, below all frames of a fiber that is suspended: nothing
            // there is alive, and it reads as zeros when the stack grows into it again. Operations in flight point
            // into frames above.
            let trimmed = unsafe {
                let start = std::ptr::without_provenance_mut(self.stack_limit);
                rustix::mm::madvise(start, end - self.stack_limit, rustix::mm::Advice::LinuxDontNeed)
            };
            debug_assert!(trimmed.is_ok(), "give back a resting stack: {trimmed:?}");
        }
        false
    }

    /// What pokes this fiber from elsewhere. Poking a fiber that no longer waits, or its slot's next fiber, is a
    /// spurious end of a wait and harmless.
    pub(crate) fn poker(&self) -> Poker {
        Poker { shared: self.event_loop().shared.clone(), slot: self.slot }
    }

    fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
        if let Some(deadline) = deadline {
            self.event_loop().arm_timer(self, deadline);
        }
    }
}

/// Ends a fiber's wait for an operation, from any thread.
#[derive(Clone)]
pub(crate) struct Poker {
    shared: Arc<Shared>,
    slot: u32,
}

impl Poker {
    pub(crate) fn poke(&self) {
        if !super::poke_here(&self.shared, self.slot) {
            self.shared.send(Mail::Poke(self.slot));
        }
    }
}

/// Stacks of one loop, mapped with a guard page below and touched only as far as used.
pub(super) struct StackPool {
    size: usize,
    free: Vec<DefaultStack>,
}

impl StackPool {
    pub(super) fn new(size: usize) -> StackPool {
        StackPool { size, free: Vec::new() }
    }

    pub(super) fn take(&mut self) -> io::Result<DefaultStack> {
        match self.free.pop() {
            Some(stack) => Ok(stack),
            None => DefaultStack::new(self.size),
        }
    }

    pub(super) fn give_back(&mut self, stack: DefaultStack) {
        if self.free.len() < POOLED_STACKS_MAX {
            self.free.push(stack);
        }
    }
}
