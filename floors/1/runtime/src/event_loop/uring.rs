//! The loop's kernel side on io_uring: operations are queued by fibers, submitted together once a turn, and their
//! completions taken in the same system call.
//!
//! `user_data` of an entry is the address of an [`Operation`] on the stack (or in a box on the stack) of the fiber that
//! waits for it. That is sound because a fiber leaves [`Fiber::ring`] only when every operation it submitted has
//! completed: deadlines and stops cancel the operation and still wait for its completion, panics cannot come in
//! between, and a fiber that a dying loop leaves behind is leaked, never unwound.

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
    /// What found no room in the submission queue while the kernel had no room for more completions.
    backlog: VecDeque<squeue::Entry>,
    bell: i32,
    bell_armed: bool,
}

/// The kernel reads the bells of all loops into this, which lives longer than any ring. Nobody looks at it.
static BELL_COUNT: AtomicU64 = AtomicU64::new(0);

impl Uring {
    /// A ring for the calling thread, or the reason that the kernel refuses it.
    pub(super) fn new(shared: &Shared) -> io::Result<Uring> {
        let ring = build()?;
        let features = ring.params();
        if !features.is_feature_nodrop() || !features.is_feature_ext_arg() || !features.is_feature_fast_poll()
        {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "io_uring of this kernel lacks needed features",
            ));
        }
        let bell = shared.bell.as_raw_fd();
        let mut uring = Uring { ring, backlog: VecDeque::new(), bell, bell_armed: false };
        uring.arm_bell();
        // A sandbox may let the setup pass and refuse the rest.
        uring.ring.submit()?;
        Ok(uring)
    }

    fn arm_bell(&mut self) {
        let read = opcode::Read::new(types::Fd(self.bell), BELL_COUNT.as_ptr().cast(), 8);
        // SAFETY: the count is static; the descriptor lives as long as `Shared`, which the loop holds.
        unsafe { self.push(&read.build().user_data(BELL)) };
        self.bell_armed = true;
    }

    /// Queues an entry for the next submit.
    ///
    /// # Safety
    /// All that the entry points to stays valid until its completion was taken; its `user_data` is `IGNORED`, `BELL`
    /// or the address of an [`Operation`] valid as long.
    unsafe fn push(&mut self, entry: &squeue::Entry) {
        if self.backlog.is_empty() {
            // SAFETY: the caller's promise.
            if unsafe { self.ring.submission().push(entry) }.is_ok() {
                return;
            }
            let submitted = self.ring.submit();
            assert!(submitted.is_ok() || is_transient(&submitted), "submit to io_uring: {submitted:?}");
            // SAFETY: the caller's promise.
            if unsafe { self.ring.submission().push(entry) }.is_ok() {
                return;
            }
        }
        self.backlog.push_back(entry.clone());
    }

    /// Moves what had to stand back into the submission queue, as far as it goes; true if all went.
    fn drain_backlog(&mut self) -> bool {
        let mut queue = self.ring.submission();
        while let Some(entry) = self.backlog.front() {
            // SAFETY: the promise that came with the entry holds until its completion, which is still to come.
            if unsafe { queue.push(entry) }.is_err() {
                return false;
            }
            self.backlog.pop_front();
        }
        true
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
                    self.ring.submit()
                } else {
                    Ok(0)
                }
            }
            Sleep::Until(deadline) => {
                counters.enters.add(1);
                match deadline {
                    None => self.ring.submit_and_wait(1),
                    Some(deadline) => {
                        let left = types::Timespec::from(deadline.saturating_duration_since(Instant::now()));
                        self.ring.submitter().submit_with_args(1, &types::SubmitArgs::new().timespec(&left))
                    }
                }
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
        let id = &raw const operation as u64;
        // SAFETY: the caller keeps what the entry points to, and this function does not return before the operation
        // has ended. It cannot be left by a panic: nothing below panics but for bugs, which then abort the loop.
        unsafe { self.queue(&entry.user_data(id)) };
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
                    // SAFETY: a cancel points to nothing; an id that has ended meanwhile is not found, no harm done.
                    unsafe { self.queue(&opcode::AsyncCancel::new(id).build().user_data(IGNORED)) };
                }
            }
            match cancelled {
                None => self.wait_operation(deadline, interruptible),
                Some(_) => self.wait_operation(None, false),
            }
        }
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
                .map(|(i, operation)| entry(first + i).user_data(&raw const *operation as u64))
                .collect();
            for entry in &entries {
                // SAFETY: the caller keeps what the entries point to; the loop below waits for all of this chunk.
                unsafe { self.queue(entry) };
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
    unsafe fn queue(&self, entry: &squeue::Entry) {
        match &mut *self.event_loop().driver.borrow_mut() {
            // SAFETY: the caller's promise.
            Driver::Uring(uring) => unsafe { uring.push(entry) },
            Driver::Epoll(_) => unreachable!("ring operation on a loop without a ring"),
        }
    }
}
