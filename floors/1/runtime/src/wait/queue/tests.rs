//! The queue under `loom`: all interleavings up to a bound of preemptions, of the code that runs.

use super::{Queue, Waiters, World};
use crate::protocol::ParkState;
use crate::protocol::tests::explore;
use loom::sync::atomic::{AtomicU8, AtomicUsize};
use loom::sync::{Arc, Condvar, Mutex};
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::time::Instant;

struct Model;

struct ModelTask {
    state: ParkState<AtomicU8>,
    scheduled: Mutex<bool>,
    changed: Condvar,
}

loom::thread_local! {
    static TASK: RefCell<Option<Arc<ModelTask>>> = RefCell::new(None);
}

impl World for Model {
    type Flag = AtomicU8;
    type Waker = Arc<ModelTask>;
    type Lock<T> = Mutex<T>;

    fn locked<T, R>(lock: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut lock.lock().expect("no panic"))
    }

    fn current() -> Arc<ModelTask> {
        TASK.with(|task| {
            let new = || {
                Arc::new(ModelTask {
                    state: ParkState::new(),
                    scheduled: Mutex::new(false),
                    changed: Condvar::new(),
                })
            };
            task.borrow_mut().get_or_insert_with(new).clone()
        })
    }

    fn wake(task: &Arc<ModelTask>) {
        if task.state.notify() {
            *task.scheduled.lock().expect("no panic") = true;
            task.changed.notify_one();
        }
    }

    fn park() {
        let task = Model::current();
        if task.state.try_park() {
            let mut scheduled = task.scheduled.lock().expect("no panic");
            while !*scheduled {
                scheduled = task.changed.wait(scheduled).expect("no panic");
            }
            *scheduled = false;
            drop(scheduled);
            task.state.unpark();
        }
    }

    /// Deadlines of the models have always passed: whoever has one gives up at every possible moment.
    fn park_until(_: Instant) -> bool {
        true
    }
}

/// A queue with permits to wait for.
struct Permits {
    queue: Queue<Model>,
    left: AtomicUsize,
}

impl Permits {
    fn new() -> Arc<Permits> {
        let queue = Queue { occupied: AtomicU8::new(0), waiters: Mutex::new(Waiters::new()) };
        Arc::new(Permits { queue, left: AtomicUsize::new(0) })
    }

    fn take(&self, deadline: Option<Instant>) -> bool {
        let take = |left: usize| left.checked_sub(1);
        let try_take = || self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, take).ok();
        self.queue.wait(deadline, try_take).is_some()
    }

    fn give(&self) {
        self.left.fetch_add(1, Ordering::AcqRel);
        self.queue.wake_one();
    }
}

#[test]
fn one_waiter_hears_one_wake() {
    explore(|| {
        let permits = Permits::new();
        let giver = {
            let permits = permits.clone();
            loom::thread::spawn(move || permits.give())
        };
        assert!(permits.take(None));
        giver.join().expect("no panic");
        assert_eq!(permits.queue.len(), 0);
    });
}

#[test]
fn two_waiters_get_a_permit_each() {
    explore(|| {
        let permits = Permits::new();
        let other = {
            let permits = permits.clone();
            loom::thread::spawn(move || assert!(permits.take(None)))
        };
        let giver = {
            let permits = permits.clone();
            loom::thread::spawn(move || {
                permits.give();
                permits.give();
            })
        };
        assert!(permits.take(None));
        other.join().expect("no panic");
        giver.join().expect("no panic");
        assert!(permits.queue.is_empty());
    });
}

/// The one that gives up may have been dequeued by the only wake there is: it must hand that on.
#[test]
fn who_gives_up_hands_the_wake_on() {
    explore(|| {
        let permits = Permits::new();
        let waiter = {
            let permits = permits.clone();
            loom::thread::spawn(move || assert!(permits.take(None)))
        };
        let quitter = {
            let permits = permits.clone();
            loom::thread::spawn(move || {
                if permits.take(Some(Instant::now())) {
                    // It got the permit after all: the other is to have one too.
                    permits.give();
                }
            })
        };
        permits.give();
        quitter.join().expect("no panic");
        waiter.join().expect("no panic");
        assert!(permits.queue.is_empty());
    });
}
