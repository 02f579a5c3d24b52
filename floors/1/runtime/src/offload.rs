//! Calls that block in the kernel, made by helper threads so that an event loop does not stand still.
//!
//! Helpers are started when work waits and none is idle, up to [`HELPERS_MAX`], and end after [`IDLE_MAX`] without work.

use crate::event_loop;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Helper threads of the process at most: they mostly sleep in the kernel, so more than cores, but bounded.
const HELPERS_MAX: usize = 32;
/// A helper without work for so long ends.
const IDLE_MAX: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Pool {
    jobs: VecDeque<Job>,
    helpers: usize,
    idle: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { jobs: VecDeque::new(), helpers: 0, idle: 0 });
static WORK: Condvar = Condvar::new();

/// Runs `work` where it may block: on a helper thread while the calling fiber is parked, or right here in a thread.
///
/// A panic of `work` continues in the caller.
pub fn offload<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    crate::rank::assert_none_held();
    let Some(fiber) = event_loop::current() else { return work() };
    let done = AtomicBool::new(false);
    let mut outcome = None;
    let poker = fiber.poker();
    {
        let (done, outcome) = (&done, &mut outcome);
        let job: Box<dyn FnOnce() + Send + '_> = Box::new(move || {
            *outcome = Some(catch_unwind(AssertUnwindSafe(work)));
            // Release: the fiber reads the outcome after it saw this. Nothing borrowed is touched afterwards.
            done.store(true, Ordering::Release);
            poker.poke();
        });
        // SAFETY: only the lifetime is changed. What the job borrows is on this fiber's stack and stays until `done`:
        // the loop below does not end before, does not panic, and a fiber that waits is never dropped. After setting
        // `done` the job touches only the poker, which it owns.
        let job: Job = unsafe { std::mem::transmute::<Box<dyn FnOnce() + Send + '_>, Job>(job) };
        submit(job);
    }
    while !done.load(Ordering::Acquire) {
        fiber.wait_operation(None, false);
    }
    match outcome {
        Some(Ok(value)) => value,
        Some(Err(panic)) => resume_unwind(panic),
        None => unreachable!("a job that is done has left its outcome"),
    }
}

fn submit(job: Job) {
    let mut pool = POOL.lock();
    pool.jobs.push_back(job);
    if pool.idle >= pool.jobs.len() || pool.helpers >= HELPERS_MAX {
        drop(pool);
        WORK.notify_one();
        return;
    }
    pool.helpers += 1;
    drop(pool);
    let started = std::thread::Builder::new().name("offload".into()).spawn(help);
    if started.is_err() {
        // No thread to be had: if there are helpers, one of them comes to it; if not, it is done here and now, which
        // stalls the loop but loses nothing.
        let orphan = {
            let mut pool = POOL.lock();
            pool.helpers -= 1;
            if pool.helpers == 0 { pool.jobs.pop_back() } else { None }
        };
        if let Some(job) = orphan {
            job();
        }
    }
}

/// A helper's life.
fn help() {
    let mut pool = POOL.lock();
    loop {
        if let Some(job) = pool.jobs.pop_front() {
            drop(pool);
            job();
            pool = POOL.lock();
            continue;
        }
        pool.idle += 1;
        let timed_out = WORK.wait_for(&mut pool, IDLE_MAX).timed_out();
        pool.idle -= 1;
        if timed_out && pool.jobs.is_empty() {
            pool.helpers -= 1;
            return;
        }
    }
}
