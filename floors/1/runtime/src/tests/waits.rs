//! Park, wake, wait queues: lost wake-ups are hunted with seeds, from fibers and threads alike.

use super::{LONG, Random, on_each_backend};
use crate::{SharedTurn, Turn, WaitQueue, Waker, park, park_until, yield_now};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[test]
fn a_wake_before_the_park_is_kept_once() {
    let waker = Waker::current();
    waker.wake();
    waker.wake();
    park();
    assert!(park_until(Instant::now() + Duration::from_millis(1)));
}

/// Two sides hand a ball to and fro: fiber to fiber over loops, and fiber to thread. A lost wake hangs it.
#[test]
fn ping_pong_across_loops_loses_no_wake() {
    on_each_backend(2, |runtime| {
        for (a, b) in [(0, 0), (0, 1)] {
            let ball = Arc::new(AtomicU64::new(0));
            let (queue_a, queue_b) = (Arc::new(WaitQueue::new()), Arc::new(WaitQueue::new()));
            let side = |me: u64, mine: Arc<WaitQueue>, theirs: Arc<WaitQueue>, ball: Arc<AtomicU64>| {
                move || {
                    for _ in 0..2000 {
                        mine.wait(|| (ball.load(Ordering::Relaxed) % 2 == me).then_some(()));
                        ball.fetch_add(1, Ordering::Relaxed);
                        theirs.wake_one();
                    }
                }
            };
            let first = runtime.spawn_on(a, side(0, queue_a.clone(), queue_b.clone(), ball.clone()));
            let second = runtime.spawn_on(b, side(1, queue_b.clone(), queue_a.clone(), ball.clone()));
            first.join().expect("side 0 ends");
            second.join().expect("side 1 ends");
            assert_eq!(ball.load(Ordering::Relaxed), 4000);
            // And with this thread.
            let fiber = runtime.spawn_on(a, side(0, queue_a.clone(), queue_b.clone(), ball.clone()));
            side(1, queue_b, queue_a, ball)();
            fiber.join().expect("the fiber's side ends");
        }
    });
}

/// Permits handed out by `wake_one` each to one waiter, among waiters that give up, barge in, and come from everywhere.
#[test]
fn permits_are_neither_lost_nor_doubled() {
    on_each_backend(2, |runtime| {
        for seed in 0..6 {
            let permits = Arc::new(AtomicUsize::new(0));
            let taken = Arc::new(AtomicUsize::new(0));
            let queue = Arc::new(WaitQueue::new());
            let take = {
                let permits = permits.clone();
                move || {
                    let take = |permits: usize| permits.checked_sub(1);
                    permits.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take).ok()
                }
            };
            const WANTED: usize = 40;
            let work = |seed: u64| {
                let (queue, taken, take) = (queue.clone(), taken.clone(), take.clone());
                move || {
                    let mut random = Random(seed);
                    let mut mine = 0;
                    while mine < WANTED {
                        let got = if random.below(4) == 0 {
                            let deadline = Instant::now() + Duration::from_micros(random.below(200));
                            queue.wait_until(deadline, &take).is_some()
                        } else {
                            queue.wait(&take);
                            true
                        };
                        if got {
                            mine += 1;
                            taken.fetch_add(1, Ordering::Relaxed);
                        }
                        if random.below(8) == 0 {
                            yield_now();
                        }
                    }
                }
            };
            let fibers: Vec<_> = (0..8).map(|i| runtime.spawn(work(seed * 100 + i))).collect();
            let threads: Vec<_> = (8..10).map(|i| std::thread::spawn(work(seed * 100 + i))).collect();
            let mut random = Random(seed ^ 0xfeed);
            // Exactly as many as are wanted: one lost wake leaves a waiter behind for ever.
            for _ in 0..10 * WANTED {
                permits.fetch_add(1, Ordering::AcqRel);
                queue.wake_one();
                match random.below(6) {
                    0 => std::thread::yield_now(),
                    1 => std::thread::sleep(Duration::from_micros(random.below(60))),
                    _ => {}
                }
            }
            for fiber in fibers {
                fiber.join().expect("the fiber ends");
            }
            for thread in threads {
                thread.join().expect("the thread ends");
            }
            assert_eq!(taken.load(Ordering::Relaxed), 10 * WANTED);
            assert_eq!((permits.load(Ordering::Relaxed), queue.len()), (0, 0), "seed {seed}");
        }
    });
}

#[test]
fn waiters_are_woken_in_order_of_arrival() {
    on_each_backend(1, |runtime| {
        let queue = Arc::new(WaitQueue::new());
        let turn = Arc::new(Mutex::new((0usize, Vec::new())));
        let waiters: Vec<_> = (0..10usize)
            .map(|i| {
                let (arrivals, turn) = (queue.clone(), turn.clone());
                let waiter = runtime.spawn(move || {
                    arrivals.wait(|| {
                        let mut turn = turn.lock();
                        let permit = turn.0 > 0;
                        turn.0 -= usize::from(permit);
                        permit.then(|| turn.1.push(i))
                    });
                });
                // Where fibers are threads, they would arrive in any order.
                while queue.len() <= i {
                    std::thread::yield_now();
                }
                waiter
            })
            .collect();
        for done in 1..=10 {
            turn.lock().0 += 1;
            queue.wake_one();
            while turn.lock().1.len() < done {
                std::thread::yield_now();
            }
        }
        for waiter in waiters {
            waiter.join().expect("the waiter ends");
        }
        assert_eq!(turn.lock().1, (0..10).collect::<Vec<_>>());
    });
}

#[test]
fn a_shared_turn_is_held_together_or_alone() {
    on_each_backend(2, |runtime| {
        // Holders together, holders alone, the most that were together.
        let state =
            Arc::new((SharedTurn::new(), AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0)));
        let work = |state: Arc<(SharedTurn, AtomicUsize, AtomicUsize, AtomicUsize)>, number: usize| {
            move || {
                for i in 0..100 {
                    if (i + number).is_multiple_of(5) {
                        let _mine = state.0.alone();
                        assert_eq!(state.2.fetch_add(1, Ordering::Relaxed), 0);
                        yield_now();
                        assert_eq!(state.1.load(Ordering::Relaxed), 0);
                        state.2.fetch_sub(1, Ordering::Relaxed);
                    } else {
                        let _ours = state.0.together();
                        let now = state.1.fetch_add(1, Ordering::Relaxed) + 1;
                        state.3.fetch_max(now, Ordering::Relaxed);
                        crate::sleep(Duration::from_micros(20));
                        assert_eq!(state.2.load(Ordering::Relaxed), 0);
                        state.1.fetch_sub(1, Ordering::Relaxed);
                    }
                }
            }
        };
        let fibers: Vec<_> = (0..4).map(|number| runtime.spawn(work(state.clone(), number))).collect();
        work(state.clone(), 4)();
        for fiber in fibers {
            fiber.join().expect("the fiber ends");
        }
        assert!(state.3.load(Ordering::Relaxed) > 1);
    });
}

#[test]
fn a_turn_has_one_holder_who_may_wait() {
    on_each_backend(2, |runtime| {
        let state = Arc::new((Turn::new(), AtomicUsize::new(0)));
        let work = |state: Arc<(Turn, AtomicUsize)>| {
            move || {
                for i in 0..100 {
                    let _mine = state.0.take();
                    assert_eq!(state.1.fetch_add(1, Ordering::Relaxed), 0);
                    if i % 10 == 0 {
                        crate::sleep(Duration::from_micros(20));
                    } else {
                        yield_now();
                    }
                    assert!(state.0.try_take().is_none());
                    state.1.fetch_sub(1, Ordering::Relaxed);
                }
            }
        };
        let fibers: Vec<_> = (0..4).map(|_| runtime.spawn(work(state.clone()))).collect();
        work(state.clone())();
        for fiber in fibers {
            fiber.join().expect("the fiber ends");
        }
        assert!(state.0.try_take().is_some());
    });
}

#[test]
fn a_waiter_that_gives_up_leaves_the_queue() {
    let queue = WaitQueue::new();
    let deadline = Instant::now() + Duration::from_millis(5);
    assert_eq!(queue.wait_until(deadline, || None::<()>), None);
    assert!(Instant::now() >= deadline);
    assert_eq!(queue.len(), 0);
    assert_eq!(queue.wait_until(Instant::now() + LONG, || Some(3)), Some(3));
}

/// An operation inside the runtime must not use up a wake that was meant for the caller's own condition.
#[test]
fn an_offload_between_look_and_park_keeps_the_wake() {
    on_each_backend(1, |runtime| {
        let (send, receive) = std::sync::mpsc::channel();
        let fiber = runtime.spawn(move || {
            send.send(Waker::current()).expect("the test listens");
            crate::offload(|| std::thread::sleep(Duration::from_millis(20)));
            park();
        });
        receive.recv().expect("the fiber sends").wake();
        fiber.join().expect("the wake was kept");
    });
}
