//! The loop's kernel side on io_uring: operations are queued by fibers, submitted together once a turn, and their
//! completions taken in the same system call.
//!
//! `user_data` of an entry is the address of an [`Operation`] on the stack (or in a box on the stack) of the fiber that
//! waits for it. That is sound because a fiber leaves [`Fiber::ring`] only when every operation it submitted has
//! completed: deadlines and stops cancel the operation and still wait for its completion, panics cannot come in
//! between, and a fiber that a dying loop leaves behind is leaked, never unwound.
//!
//! A send and the receive behind it are a chain ([`Fiber::ring_exchange`]): the kernel starts the second when the first
//! has done all it was asked to, and exactly one of the two reports its end. An answer and the wait for the next question
//! so cost one system call and one switch. What keeps that sound: a chain is always submitted whole.
//!
//! Sleeping until a deadline takes no timer of its own each time: one timeout stays in flight and is moved only when an
//! earlier deadline comes up.

use super::fiber::Fiber;
use super::{Driver, Shared, Sleep};
use crate::counters::LoopCounters;
use io_uring::{IoUring, cqueue, opcode, squeue, types};
use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::os::fd::AsRawFd;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// Entries that fit between two submits; a turn that queues more submits in between.
const SUBMISSIONS: u32 = 256;
/// Completions that fit between two turns; the kernel keeps more aside (`IORING_FEAT_NODROP`).
const COMPLETIONS: u32 = 4096;
/// Operations of one batch in flight together.
const BATCH: usize = 128;

/// `user_data` of entries whose completion nobody waits for.
const IGNORED: u64 = 0;
/// `user_data` of the read on the bell.
const BELL: u64 = 1;
/// `user_data` of the timeout that ends a sleep.
const TIMER: u64 = 2;

/// One operation in flight.
pub(crate) struct Operation {
    ended: Cell<Option<Ended>>,
    group: *const Group,
}

/// Operations that a fiber waits for together.
struct Group {
    in_flight: Cell<usize>,
    fiber: *const Fiber,
}

/// How an operation ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    /// A count, or a negated error number.
    pub(crate) result: i32,
    /// More bytes lay in the socket when a receive ended.
    pub(crate) more_to_read: bool,
    /// The fiber cancelled it (it may have succeeded all the same).
    pub(crate) cancelled: Option<Cancelled>,
}

/// Why an operation was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cancelled {
    Deadline,
    Stop,
}

impl Ended {
    /// The count, or the error.
    pub(crate) fn count(self) -> io::Result<usize> {
        match usize::try_from(self.result) {
            Ok(count) => Ok(count),
            Err(_) => Err(io::Error::from_raw_os_error(-self.result)),
        }
    }
}

/// The ring of one loop.
pub(crate) struct Uring {
    ring: IoUring,
    /// Chains that found no room in the submission queue while the kernel had no room for more completions.
    backlog: VecDeque<Vec<squeue::Entry>>,
    bell: i32,
    bell_armed: bool,
    /// When the timeout in flight ends a sleep at the latest.
    timer: Option<Instant>,
    /// How long that was from when it was set; the kernel reads it at the submit.
    timer_left: Box<types::Timespec>,
}

/// How an exchange ended.
pub(crate) enum Exchanged {
    /// Not all was sent, and nothing was received.
    Sent(Ended),
    /// All was sent.
    Received(Ended),
}

/// The kernel reads the bells of all loops into this, which lives longer than any ring. Nobody looks at it.
static BELL_COUNT: AtomicU64 = AtomicU64::new(0);

impl Uring {
    /// A ring for the calling thread, or the reason that the kernel refuses it.
    pub(super) fn new(shared: &Shared) -> io::Result<Uring> {
        let ring = build()?;
        let given = ring.params();
        let has_all = given.is_feature_nodrop()
            && given.is_feature_fast_poll()
            && given.is_feature_skip_cqe_on_success()
            && given.is_feature_linked_file();
        if !has_all {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "io_uring of this kernel lacks needed features",
            ));
        }
        let bell = shared.bell.as_raw_fd();
        let timer_left = Box::new(types::Timespec::new());
        let mut uring =
            Uring { ring, backlog: VecDeque::new(), bell, bell_armed: false, timer: None, timer_left };
        uring.arm_bell();
        // A sandbox may let the setup pass and refuse the rest.
        uring.ring.submit()?;
        Ok(uring)
    }

    fn arm_bell(&mut self) {
        let read = opcode::Read::new(types::Fd(self.bell), BELL_COUNT.as_ptr().cast(), 8);
        // SAFETY: the count is static; the descriptor lives as long as `Shared`, which the loop holds.
        unsafe { self.push(&[read.build().user_data(BELL)]) };
        self.bell_armed = true;
    }

    /// Sees to it that a sleep ends at `deadline`, or earlier.
    fn arm_timer(&mut self, deadline: Instant) {
        if self.timer.is_some_and(|timer| timer <= deadline) {
            return;
        }
        *self.timer_left = deadline.saturating_duration_since(Instant::now()).into();
        let left = &raw const *self.timer_left;
        let entry = match self.timer {
            None => opcode::Timeout::new(left).build().user_data(TIMER),
            // It may have ended a moment ago; then its own completion lies there and ends the sleep.
            Some(_) => opcode::TimeoutUpdate::new(TIMER, left)
                .build()
                .user_data(IGNORED)
                .flags(squeue::Flags::SKIP_SUCCESS),
        };
        // SAFETY: the time lives as long as the ring; read late, it is that of a timer set since, which is earlier.
        unsafe { self.push(&[entry]) };
        self.timer = Some(deadline);
    }

    /// Queues a chain of entries (all but the last flagged as linked to the next) for the next submit, whole.
    ///
    /// # Safety
    /// All that the entries point to stays valid until the completion of the last one to come was taken; `user_data` is
    /// `IGNORED`, `BELL`, `TIMER` or the address of an [`Operation`] valid as long.
    unsafe fn push(&mut self, chain: &[squeue::Entry]) {
        if self.backlog.is_empty() {
            // SAFETY: the caller's promise.
            if unsafe { self.ring.submission().push_multiple(chain) }.is_ok() {
                return;
            }
            let submitted = self.submit(0);
            assert!(submitted.is_ok() || is_transient(&submitted), "submit to io_uring: {submitted:?}");
            // SAFETY: the caller's promise.
            if unsafe { self.ring.submission().push_multiple(chain) }.is_ok() {
                return;
            }
        }
        self.backlog.push_back(chain.to_vec());
    }

    /// Moves what had to stand back into the submission queue, as far as it goes; true if all went.
    fn drain_backlog(&mut self) -> bool {
        let mut queue = self.ring.submission();
        while let Some(chain) = self.backlog.front() {
            // SAFETY: the promise that came with the chain holds until its completion, which is still to come.
            if unsafe { queue.push_multiple(chain) }.is_err() {
                return false;
            }
            self.backlog.pop_front();
        }
        true
    }

    /// Submits what is queued and waits for so many completions.
    fn submit(&mut self, wait_for: usize) -> io::Result<usize> {
        let queued = self.ring.submission().len();
        let submitted = self.ring.submit_and_wait(wait_for);
        // Stopped in the middle for want of memory, it would have cut a chain: its receive could end before its send,
        // whose buffer nobody would keep then. Nothing submitted is harmless, and tried again.
        if let Ok(count @ 1..) = submitted {
            assert!(count == queued, "the kernel took {count} of {queued} operations: it has no memory left");
        }
        submitted
    }

    /// Whether the next turn will find something, as the shared memory of the ring shows.
    pub(super) fn has_completions(&mut self) -> bool {
        let queue = self.ring.submission();
        let flagged = queue.taskrun() || queue.cq_overflow();
        drop(queue);
        flagged || !self.ring.completion().is_empty()
    }

    /// Submits, sleeps if allowed until something completes, and hands on the fibers whose operations have ended.
    pub(super) fn turn(&mut self, sleep: Sleep, counters: &LoopCounters, mut ended: impl FnMut(&Fiber)) {
        if !self.bell_armed {
            self.arm_bell();
        }
        let sleep = if self.drain_backlog() { sleep } else { Sleep::No };
        let entered = match sleep {
            Sleep::No => {
                let (has_entries, has_work) = {
                    let queue = self.ring.submission();
                    (!queue.is_empty(), queue.taskrun() || queue.cq_overflow())
                };
                if has_entries || has_work {
                    counters.enters.add(1);
                    self.submit(0)
                } else {
                    Ok(0)
                }
            }
            Sleep::Until(deadline) => {
                if let Some(deadline) = deadline {
                    self.arm_timer(deadline);
                }
                counters.enters.add(1);
                self.submit(1)
            }
        };
        if let Err(error) = &entered {
            assert!(is_transient(&entered), "enter io_uring: {error}");
        }
        let mut count = 0;
        for completion in self.ring.completion() {
            count += 1;
            match completion.user_data() {
                IGNORED => {}
                BELL => self.bell_armed = false,
                TIMER => self.timer = None,
                operation => {
                    // SAFETY: `push` got the address of an operation that lives until this very completion is taken:
                    // its fiber still waits in `Fiber::ring`, which leaves only with `in_flight` at 0.
                    let operation = unsafe { &*(operation as *const Operation) };
                    operation.end(&completion, &mut ended);
                }
            }
        }
        counters.completions.add(count);
    }
}

impl Operation {
    /// Its entry's `user_data`.
    fn id(&self) -> u64 {
        &raw const *self as u64
    }

    fn end(&self, completion: &cqueue::Entry, ended: &mut impl FnMut(&Fiber)) {
        self.ended.set(Some(Ended {
            result: completion.result(),
            more_to_read: cqueue::sock_nonempty(completion.flags()),
            cancelled: None,
        }));
        // SAFETY: group and fiber outlive their operations in flight, see the module head.
        let group = unsafe { &*self.group };
        group.in_flight.set(group.in_flight.get() - 1);
        if group.in_flight.get() == 0 {
            // SAFETY: as above.
            ended(unsafe { &*group.fiber });
        }
    }
}

/// Errors of entering the ring that the next turn may not meet: a signal, the time-out, full completion queue.
fn is_transient<T>(outcome: &io::Result<T>) -> bool {
    outcome
        .as_ref()
        .err()
        .and_then(io::Error::raw_os_error)
        .is_some_and(|errno| matches!(errno, libc::EINTR | libc::ETIME | libc::EBUSY | libc::EAGAIN))
}

/// The ring set up for one thread that submits and takes: completions are worked out only when it asks (Linux 6.1), or
/// at least without interrupting it (5.19). On older kernels, where a ring would cost more than it saves, epoll serves.
fn build() -> io::Result<IoUring> {
    let mut builder = IoUring::builder();
    builder.setup_cqsize(COMPLETIONS).setup_submit_all().setup_coop_taskrun().setup_taskrun_flag().dontfork();
    let mut deferred = IoUring::builder();
    deferred.setup_cqsize(COMPLETIONS).setup_submit_all().setup_single_issuer().setup_defer_taskrun();
    deferred.setup_taskrun_flag().dontfork();
    deferred.build(SUBMISSIONS).or_else(|_| builder.build(SUBMISSIONS))
}

impl Fiber {
    /// Whether operations of this fiber can go through a ring.
    pub(crate) fn has_ring(&self) -> bool {
        // Relaxed: the loop set it before the fiber began.
        self.event_loop().shared.uses_ring.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Whether it has a ring, and no other fiber of its loop is busy.
    pub(crate) fn is_alone(&self) -> bool {
        self.has_ring() && self.event_loop().has_one_busy_fiber()
    }

    /// Whether no other fiber of any loop is busy.
    pub(crate) fn is_only(&self) -> bool {
        self.event_loop().has_only_busy_fiber()
    }

    /// How often fibers of all loops were resumed.
    pub(crate) fn resumes_of_all(&self) -> u64 {
        self.event_loop().resumes_of_all()
    }

    /// Runs one operation on the ring and waits for its end; past `deadline`, or for `interruptible` ones at a stop of
    /// the runtime, it is cancelled first.
    ///
    /// # Safety
    /// What `entry` points to (buffers, descriptors) is valid until this returns.
    pub(crate) unsafe fn ring(
        &self,
        entry: squeue::Entry,
        deadline: Option<Instant>,
        interruptible: bool,
    ) -> Ended {
        let group = Group { in_flight: Cell::new(1), fiber: self };
        let operation = Operation { ended: Cell::new(None), group: &group };
        let id = operation.id();
        // SAFETY: the caller keeps what the entry points to, and this function does not return before the operation
        // has ended. It cannot be left by a panic: nothing below panics but for bugs, which then abort the loop.
        unsafe { self.queue(&[entry.user_data(id)]) };
        let mut cancelled = None;
        // The clock is not asked before the first wait: a deadline that has passed already ends that one at once, and
        // most operations end well before theirs.
        if !(interruptible && self.stopping()) {
            self.wait_operation(deadline, interruptible);
        }
        loop {
            if let Some(ended) = operation.ended.get() {
                return Ended { cancelled, ..ended };
            }
            if cancelled.is_none() {
                if interruptible && self.stopping() {
                    cancelled = Some(Cancelled::Stop);
                } else if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    cancelled = Some(Cancelled::Deadline);
                }
                if cancelled.is_some() {
                    self.cancel(id);
                }
            }
            match cancelled {
                None => self.wait_operation(deadline, interruptible),
                Some(_) => self.wait_operation(None, false),
            }
        }
    }

    /// Sends and, once all is sent, receives, with one submit and one wait. Each has its deadline; a stop of the runtime
    /// ends both. Pays where the fiber is alone ([`Fiber::is_alone`]).
    ///
    /// # Safety
    /// What the entries point to (buffers, descriptors) is valid until this returns. The send fails when it sends less
    /// than all (`MSG_WAITALL`).
    pub(crate) unsafe fn ring_exchange(
        &self,
        (send, send_deadline): (squeue::Entry, Option<Instant>),
        (receive, receive_deadline): (squeue::Entry, Option<Instant>),
    ) -> Exchanged {
        // A send that succeeds says nothing; of one that fails the kernel drops the receive, which says nothing then.
        let group = Group { in_flight: Cell::new(1), fiber: self };
        let [sending, receiving] = [(); 2].map(|()| Operation { ended: Cell::new(None), group: &group });
        let linked = squeue::Flags::IO_LINK | squeue::Flags::SKIP_SUCCESS;
        let chain = [send.flags(linked).user_data(sending.id()), receive.user_data(receiving.id())];
        // SAFETY: as in `ring`: the caller keeps what the entries point to, and nothing is in flight when this returns:
        // the receive ends after a send that succeeded, and a send that failed ends alone.
        unsafe { self.queue(&chain) };
        let (mut cancelled, mut late) = (None, None);
        let sooner = |late: Option<Cancelled>| match late {
            None => send_deadline.into_iter().chain(receive_deadline).min(),
            Some(_) => receive_deadline,
        };
        if !self.stopping() {
            self.wait_operation(sooner(late), true);
        }
        loop {
            if let Some(ended) = receiving.ended.get() {
                return Exchanged::Received(Ended { cancelled, ..ended });
            }
            if let Some(ended) = sending.ended.get() {
                return Exchanged::Sent(Ended { cancelled: cancelled.or(late), ..ended });
            }
            if cancelled.is_none() {
                let passed = |deadline: Option<Instant>| deadline.is_some_and(|at| at <= Instant::now());
                if self.stopping() {
                    cancelled = Some(Cancelled::Stop);
                } else if passed(receive_deadline) {
                    cancelled = Some(Cancelled::Deadline);
                } else if late.is_none() && passed(send_deadline) {
                    // Most likely it has long been sent and the peer says nothing; then there is nothing to cancel.
                    late = Some(Cancelled::Deadline);
                    self.cancel(sending.id());
                }
                if cancelled.is_some() {
                    self.cancel(sending.id());
                    self.cancel(receiving.id());
                }
            }
            match cancelled {
                None => self.wait_operation(sooner(late), true),
                Some(_) => self.wait_operation(None, false),
            }
        }
    }

    /// Asks for the end of an operation. One that has ended meanwhile is not found, no harm done.
    fn cancel(&self, id: u64) {
        // SAFETY: a cancel points to nothing.
        unsafe { self.queue(&[opcode::AsyncCancel::new(id).build().user_data(IGNORED)]) };
    }

    /// Runs `count` operations on the ring, many of them together, and waits for the end of all.
    ///
    /// # Safety
    /// What the entries point to (buffers, descriptors) is valid until this returns.
    pub(crate) unsafe fn ring_batch(
        &self,
        count: usize,
        mut entry: impl FnMut(usize) -> squeue::Entry,
        mut ended: impl FnMut(usize, Ended),
    ) {
        let mut first = 0;
        while first < count {
            let size = BATCH.min(count - first);
            let group = Group { in_flight: Cell::new(size), fiber: self };
            let operations: Vec<Operation> =
                (0..size).map(|_| Operation { ended: Cell::new(None), group: &group }).collect();
            // All entries are made before the first is queued: a panic in `entry` finds nothing in flight.
            let entries: Vec<squeue::Entry> = operations
                .iter()
                .enumerate()
                .map(|(i, operation)| entry(first + i).user_data(operation.id()))
                .collect();
            for entry in &entries {
                // SAFETY: the caller keeps what the entries point to; the loop below waits for all of this chunk.
                unsafe { self.queue(std::slice::from_ref(entry)) };
            }
            while group.in_flight.get() > 0 {
                self.wait_operation(None, false);
            }
            for (i, operation) in operations.iter().enumerate() {
                match operation.ended.get() {
                    Some(end) => ended(first + i, end),
                    None => unreachable!("a group at 0 has ended operations only"),
                }
            }
            first += size;
        }
    }

    /// # Safety
    /// As [`Uring::push`].
    unsafe fn queue(&self, chain: &[squeue::Entry]) {
        match &mut *self.event_loop().driver.borrow_mut() {
            // SAFETY: the caller's promise.
            Driver::Uring(uring) => unsafe { uring.push(chain) },
            Driver::Epoll(_) => unreachable!("ring operation on a loop without a ring"),
        }
    }
}
