//! All interleavings (and all that the memory model allows) of the protocols, by `loom`.

use super::{Byte, Doorbell, ParkState};
use loom::sync::atomic::{AtomicU8, AtomicUsize};
use loom::sync::{Arc, Condvar, Mutex};
use std::sync::atomic::Ordering;

impl Byte for AtomicU8 {
    fn new(value: u8) -> Self {
        AtomicU8::new(value)
    }

    fn load(&self, order: Ordering) -> u8 {
        self.load(order)
    }

    fn store(&self, value: u8, order: Ordering) {
        self.store(value, order);
    }

    fn swap(&self, value: u8, order: Ordering) -> u8 {
        self.swap(value, order)
    }

    fn replace_if(&self, old: u8, new: u8) -> bool {
        self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    fn fence() {
        loom::sync::atomic::fence(Ordering::SeqCst);
    }
}

/// Explores with up to two preemptions, which is known to find nearly all there is to find (CHESS, Musuvathi and
/// Qadeer 2007), in a second. `PENSTOCK_LOOM_BOUND=3` takes ten.
pub(crate) fn explore(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    let bound = std::env::var("PENSTOCK_LOOM_BOUND").ok().and_then(|bound| bound.parse().ok());
    builder.preemption_bound = Some(bound.unwrap_or(2));
    builder.check(model);
}

/// A run queue of one task: schedulings given and used.
#[derive(Default)]
struct RunQueue {
    scheduled: Mutex<usize>,
    changed: Condvar,
}

impl RunQueue {
    fn schedule(&self) {
        let mut scheduled = self.scheduled.lock().expect("no panic");
        *scheduled += 1;
        assert_eq!(*scheduled, 1, "a task is queued twice");
        self.changed.notify_one();
    }

    fn run(&self) {
        let mut scheduled = self.scheduled.lock().expect("no panic");
        while *scheduled == 0 {
            scheduled = self.changed.wait(scheduled).expect("no panic");
        }
        *scheduled -= 1;
    }
}

/// Two wakers, each announcing something; the task parks until it has seen both. A lost wake is a deadlock, which loom
/// reports; so is a notification whose announcement is not seen.
#[test]
fn no_wake_is_lost_and_none_queues_twice() {
    explore(|| {
        let state = Arc::new(ParkState::<AtomicU8>::new());
        let queue = Arc::new(RunQueue::default());
        let told = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let wakers: Vec<_> = (0..2)
            .map(|who| {
                let (state, queue, told) = (state.clone(), queue.clone(), told.clone());
                loom::thread::spawn(move || {
                    told[who].store(1, Ordering::Relaxed);
                    if state.notify() {
                        queue.schedule();
                    }
                })
            })
            .collect();
        while told.iter().any(|told| told.load(Ordering::Relaxed) == 0) {
            if state.try_park() {
                queue.run();
                state.unpark();
            }
        }
        for waker in wakers {
            waker.join().expect("no panic");
        }
    });
}

/// Two senders and a loop that sleeps when it finds no mail: it must not sleep over mail without a ring to come.
#[test]
fn no_mail_is_slept_over() {
    explore(|| {
        let bell = Arc::new(Doorbell::<AtomicU8>::new());
        let inbox = Arc::new(Mutex::new(0));
        let rings = Arc::new((Mutex::new(0), Condvar::new()));
        let senders: Vec<_> = (0..2)
            .map(|_| {
                let (bell, inbox, rings) = (bell.clone(), inbox.clone(), rings.clone());
                loom::thread::spawn(move || {
                    let ring = {
                        let mut inbox = inbox.lock().expect("no panic");
                        *inbox += 1;
                        bell.announce()
                    };
                    if ring {
                        *rings.0.lock().expect("no panic") += 1;
                        rings.1.notify_one();
                    }
                })
            })
            .collect();
        let mut got = 0;
        while got < 2 {
            if bell.has_mail() {
                let mut inbox = inbox.lock().expect("no panic");
                got += std::mem::take(&mut *inbox);
                bell.taken();
            }
            if got < 2 && bell.fall_asleep() {
                let mut rung = rings.0.lock().expect("no panic");
                while *rung == 0 {
                    rung = rings.1.wait(rung).expect("no panic");
                }
                *rung -= 1;
                drop(rung);
                bell.wake_up();
            }
        }
        for sender in senders {
            sender.join().expect("no panic");
        }
    });
}
