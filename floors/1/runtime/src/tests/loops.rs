//! Fibers, loops, timers, slices, panics, shutdown.

use super::{LONG, Random, on_each_backend, start};
use crate::{
    Backend, JoinError, RuntimeOptions, Waker, beside, called_away, core_id, offload, offload_unless_only,
    park, park_until, sleep, slice_point, yield_now,
};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[test]
fn fibers_give_values_and_stay_on_their_loop() {
    on_each_backend(2, |runtime| {
        let handles: Vec<_> = (0..100usize)
            .map(|i| {
                runtime.spawn_on(i, move || {
                    let before = core_id();
                    yield_now();
                    sleep(Duration::from_micros(50));
                    assert_eq!((before, core_id()), (Some(i % 2), Some(i % 2)));
                    i * i
                })
            })
            .collect();
        let sum: usize = handles.into_iter().map(|handle| handle.join().expect("the fiber ends well")).sum();
        assert_eq!(sum, (0..100).map(|i| i * i).sum());
        // A fiber delivers its value a moment before it is gone.
        while runtime.fibers() > 0 {
            std::thread::yield_now();
        }
    });
}

#[test]
fn what_runs_beside_stays_on_the_loop_and_in_a_thread_runs_at_once() {
    on_each_backend(2, |runtime| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let inside = seen.clone();
        let fiber = runtime.spawn_on(1, move || {
            let there = inside.clone();
            beside(move || there.lock().push(core_id()));
            let before = inside.lock().len();
            while inside.lock().is_empty() {
                yield_now();
            }
            before
        });
        let before = fiber.join().expect("the fiber ends well");
        // Where fibers are threads, it runs at once there too.
        assert!(before == 0 || cfg!(not(fibers)));
        assert_eq!(*seen.lock(), [Some(1)]);
    });
    let seen = Arc::new(AtomicBool::new(false));
    let there = seen.clone();
    beside(move || there.store(true, Ordering::Relaxed));
    assert!(seen.load(Ordering::Relaxed));
}

#[test]
fn many_fibers_reuse_slots_and_stacks() {
    on_each_backend(1, |runtime| {
        for round in 0..20 {
            let handles: Vec<_> = (0..200).map(|_| runtime.spawn(yield_now)).collect();
            for handle in handles {
                handle.join().unwrap_or_else(|error| panic!("round {round}: {error}"));
            }
        }
        assert_eq!(runtime.counters().spawned, 4000);
    });
}

#[test]
fn a_panic_ends_its_fiber_alone_and_is_reported() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let options = {
        let heard = heard.clone();
        RuntimeOptions {
            threads: 1,
            on_panic: Arc::new(move |message| heard.lock().push(message.to_owned())),
            ..RuntimeOptions::default()
        }
    };
    let runtime = crate::Runtime::start(options).expect("start the runtime");
    let broken = runtime.spawn(|| {
        sleep(Duration::from_millis(1));
        panic!("row {} is on fire", 7);
    });
    assert_eq!(broken.join(), Err::<(), _>(JoinError::Panicked("row 7 is on fire".into())));
    assert_eq!(runtime.spawn(|| 42).join(), Ok(42));
    let forwarded = runtime.spawn(|| offload(|| panic!("the helper too")));
    assert_eq!(forwarded.join(), Err::<(), _>(JoinError::Panicked("the helper too".into())));
    runtime.shutdown(LONG);
    let mut heard = heard.lock().clone();
    heard.sort_unstable();
    assert_eq!(heard, ["row 7 is on fire", "the helper too"]);
    assert_eq!(runtime.counters().panics, 2);
}

#[test]
#[cfg_attr(not(fibers), ignore = "the kernel orders threads as it likes")]
fn timers_fire_in_the_order_of_their_deadlines() {
    on_each_backend(1, |runtime| {
        let woken = Arc::new(Mutex::new(Vec::new()));
        let start = Instant::now() + Duration::from_millis(20);
        let mut random = Random(7);
        let mut due: Vec<u64> = (0..64).map(|_| random.below(40_000)).collect();
        let handles: Vec<_> = due
            .iter()
            .map(|&after| {
                let woken = woken.clone();
                runtime.spawn(move || {
                    let deadline = start + Duration::from_micros(after);
                    while !park_until(deadline) {}
                    assert!(Instant::now() >= deadline);
                    woken.lock().push(after);
                })
            })
            .collect();
        for handle in handles {
            handle.join().expect("the sleeper ends");
        }
        due.sort_unstable();
        assert_eq!(*woken.lock(), due);
        assert!(runtime.counters().timers >= 64);
    });
}

#[test]
fn a_deadline_that_moves_later_fires_later() {
    on_each_backend(1, |runtime| {
        let fiber = runtime.spawn(|| {
            let waker = Waker::current();
            // Each park sets a deadline and is woken at once, as a connection with an idle deadline is.
            for _ in 0..1000 {
                waker.wake();
                assert!(!park_until(Instant::now() + LONG));
            }
            let near = Instant::now() + Duration::from_millis(2);
            while !park_until(near) {}
            assert!(Instant::now() >= near);
        });
        fiber.join().expect("the fiber ends");
    });
}

#[test]
#[cfg_attr(not(fibers), ignore = "the kernel orders threads as it likes")]
fn a_spinner_that_makes_way_does_not_hold_up_others() {
    on_each_backend(1, |runtime| {
        let stop = Arc::new(AtomicBool::new(false));
        let spinner = {
            let stop = stop.clone();
            runtime.spawn(move || {
                let mut rounds = 0u64;
                while !stop.load(Ordering::Relaxed) {
                    rounds += 1;
                    slice_point();
                }
                rounds
            })
        };
        let yields_before = runtime.counters().yields;
        // 200 wakes through the loop's mailbox: each is answered within a slice or two of the spinner.
        let answered = Arc::new(AtomicU64::new(0));
        let echo = {
            let answered = answered.clone();
            runtime.spawn(move || {
                for _ in 0..200 {
                    sleep(Duration::from_micros(10));
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            })
        };
        echo.join().expect("the echo fiber ends");
        let yields = runtime.counters().yields - yields_before;
        stop.store(true, Ordering::Relaxed);
        assert!(spinner.join().expect("the spinner ends") > 1000);
        assert_eq!(answered.load(Ordering::Relaxed), 200);
        assert!((1..=800).contains(&yields), "{yields} slices of the spinner for 200 answers");
    });
}

#[test]
#[cfg_attr(not(fibers), ignore = "the kernel orders threads as it likes")]
fn a_woken_fiber_runs_before_one_that_yielded() {
    on_each_backend(1, |runtime| {
        let order = Arc::new(Mutex::new(Vec::new()));
        let log = order.clone();
        let runtime_inside = runtime.clone();
        let test = runtime.spawn(move || {
            let parked = {
                let log = log.clone();
                let waker = Arc::new(Mutex::new(None));
                let slot = waker.clone();
                drop(runtime_inside.spawn(move || {
                    *slot.lock() = Some(Waker::current());
                    park();
                    log.lock().push("woken");
                }));
                waker
            };
            let waker = loop {
                yield_now();
                if let Some(waker) = parked.lock().clone() {
                    break waker;
                }
            };
            waker.wake();
            yield_now();
            log.lock().push("yielded");
        });
        test.join().expect("the fiber ends");
        assert_eq!(*order.lock(), ["woken", "yielded"]);
    });
}

#[test]
fn offload_leaves_the_loop_free() {
    on_each_backend(1, |runtime| {
        let turns = Arc::new(AtomicUsize::new(0));
        let other = {
            let turns = turns.clone();
            runtime.spawn(move || {
                while turns.fetch_add(1, Ordering::Relaxed) < 50 {
                    sleep(Duration::from_micros(100));
                }
            })
        };
        let blocked = runtime.spawn(move || {
            let text = String::from("borrowed");
            let seen = offload(|| {
                // A blocking call that ends only when the loop went on with the other fiber.
                while turns.load(Ordering::Relaxed) < 50 {
                    std::thread::sleep(Duration::from_micros(200));
                }
                text.len()
            });
            (seen, text)
        });
        assert_eq!(blocked.join(), Ok((8, "borrowed".into())));
        other.join().expect("the other fiber ends");
    });
}

#[test]
#[cfg_attr(not(fibers), ignore = "a thread of its own may block")]
fn only_a_fiber_without_busy_others_keeps_its_loop() {
    fn place() -> Option<String> {
        offload_unless_only(|| std::thread::current().name().map(str::to_owned))
    }
    let by_itself = || {
        (0..20).for_each(|_| yield_now());
        // The first question counts what the other loop did since the start.
        place();
        (0..20).for_each(|_| yield_now());
        place()
    };
    on_each_backend(2, |runtime| {
        let alone = runtime.spawn_on(0, by_itself).join().expect("ask alone");
        assert_eq!(alone.as_deref(), Some("loop-0"));
        for beside in [0, 1] {
            let stop = Arc::new(AtomicBool::new(false));
            let other = {
                let stop = stop.clone();
                runtime.spawn_on(beside, move || {
                    while !stop.load(Ordering::Relaxed) {
                        sleep(Duration::from_micros(10));
                    }
                })
            };
            let accompanied = || {
                place();
                sleep(Duration::from_millis(20));
                place()
            };
            let seen = runtime.spawn_on(0, accompanied).join().expect("ask beside another");
            assert_eq!(seen.as_deref(), Some("offload"), "a busy fiber on loop {beside}");
            stop.store(true, Ordering::Relaxed);
            other.join().expect("the other fiber ends");
        }
    });
}

#[test]
fn shutdown_ends_parked_fibers_that_look_and_leaves_the_rest() {
    for backend in super::backends() {
        let runtime = start(backend, 2);
        let looks = {
            let inside = runtime.clone();
            runtime.spawn(move || {
                while !inside.is_stopping() {
                    park();
                }
            })
        };
        drop(runtime.spawn(|| {
            loop {
                park();
            }
        }));
        while runtime.counters().spawned < 2 {
            std::thread::yield_now();
        }
        assert_eq!(runtime.shutdown(Duration::from_millis(200)).abandoned, 1);
        assert_eq!(looks.join(), Ok(()));
        assert_eq!(runtime.spawn(|| ()).join(), Err(JoinError::Stopped), "{backend:?}");
    }
}

/// Bytes of a fiber's stack that take memory, of those that it does not use now.
#[cfg(fibers)]
fn stack_left_touched() -> usize {
    let here = 0u8;
    let page = rustix::param::page_size();
    // Down to the page: `stack_left` counts from its own frame, a little below this one.
    let start = ((&raw const here as usize) - crate::stack_left()) & !(page - 1);
    let pages = (crate::stack_left() - 32 * 1024) / page;
    let mut resident = vec![0u8; pages];
    // SAFETY: asks about mapped memory only; the kernel writes one byte a page.
    let asked = unsafe { libc::mincore(start as *mut libc::c_void, pages * page, resident.as_mut_ptr()) };
    assert_eq!(asked, 0, "ask which pages are resident");
    resident.iter().filter(|&&page| page & 1 == 1).count() * page
}

#[test]
#[cfg(fibers)]
fn a_resting_fiber_gives_deep_stack_back() {
    fn dig(bytes: usize) -> u64 {
        let frame = std::hint::black_box([bytes as u8; 4096]);
        let deeper = if bytes > frame.len() { dig(bytes - frame.len()) } else { 0 };
        deeper + u64::from(std::hint::black_box(&frame)[7])
    }
    on_each_backend(1, |runtime| {
        let fiber = runtime.spawn(|| {
            let kept = std::hint::black_box([0xabu8; 2000]);
            dig(600 << 10);
            let deep = stack_left_touched();
            // Busy fibers keep theirs: it will be needed again.
            yield_now();
            let busy = stack_left_touched();
            sleep(Duration::from_millis(150));
            let rested = stack_left_touched();
            assert!(kept.iter().all(|&byte| byte == 0xab));
            (deep, busy, rested, dig(300 << 10) > 0)
        });
        let (deep, busy, rested, _) = fiber.join().expect("the fiber ends");
        assert!(deep >= 500 << 10 && busy >= 500 << 10 && rested <= 32 << 10, "{deep}, {busy}, {rested}");
        // With nothing left to tidy the loop sleeps and does not wake for it.
        let before = runtime.counters().turns;
        std::thread::sleep(Duration::from_millis(200));
        let turns = runtime.counters().turns - before;
        assert!(turns <= 5, "{turns} turns of an idle loop");
    });
}

#[test]
fn fibers_know_their_stack() {
    on_each_backend(1, |runtime| {
        let (top, deep) = runtime
            .spawn(|| {
                fn dig(depth: u32) -> usize {
                    let filler = std::hint::black_box([depth; 64]);
                    if depth == 0 {
                        crate::stack_left()
                    } else {
                        dig(depth - 1).min(filler[0] as usize + (1 << 40))
                    }
                }
                (crate::stack_left(), dig(500))
            })
            .join()
            .expect("the fiber ends");
        let whole = crate::RuntimeOptions::default().fiber_stack;
        assert!(top < whole && top > whole - 65536, "{top}");
        assert!(deep < top - 500 * 256, "{deep} of {top}");
        assert!(!crate::stack_is_low(), "in a thread with nothing on its stack");
    });
}

/// Works until it has moved, to give where it is then, or until `end`.
fn work_until_moved(end: Instant, home: Option<usize>, moved: Arc<AtomicUsize>) {
    while Instant::now() < end && moved.load(Ordering::Relaxed) == 0 {
        if core_id() != home {
            moved.fetch_add(1, Ordering::Relaxed);
            return;
        }
        std::hint::black_box((0..2000u64).map(std::hint::black_box).sum::<u64>());
        if let Some(away) = called_away() {
            let moved = moved.clone();
            return away.go(move || work_until_moved(end, home, moved));
        }
        yield_now();
    }
}

#[test]
fn work_moves_from_a_full_loop_to_one_that_sleeps() {
    let can_tell = std::fs::exists("/proc/thread-self/schedstat").unwrap_or(false);
    if !can_tell
        || cfg!(not(fibers))
        || std::thread::available_parallelism().is_ok_and(|cores| cores.get() < 2)
    {
        return eprintln!("skipped: one core, no fibers, or a kernel that does not tell what threads wait");
    }
    for backend in super::backends() {
        let runtime = start(backend, 2);
        let (moved, end) = (Arc::new(AtomicUsize::new(0)), Instant::now() + LONG);
        // On epoll nothing moves: a moment is enough to see it.
        let end = if backend == Backend::Epoll { Instant::now() + Duration::from_millis(500) } else { end };
        for _ in 0..4 {
            let moved = moved.clone();
            runtime.spawn_on(1, move || work_until_moved(end, Some(1), moved));
        }
        while runtime.fibers() > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(moved.load(Ordering::Relaxed) > 0, backend == Backend::IoUring, "{backend:?}");
        assert_eq!(runtime.shutdown(LONG).abandoned, 0);
    }
    assert!(called_away().is_none(), "a plain thread belongs nowhere");
}
