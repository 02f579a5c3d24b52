//! The word protocol under `loom`: every interleaving and every value that relaxed loads may see.

use super::*;
use loom::sync::atomic::{AtomicU64 as LoomU64, fence as loom_fence};
use loom::sync::{Arc, Mutex};
use loom::thread;

impl Word for LoomU64 {
    fn load(&self, order: Ordering) -> u64 {
        LoomU64::load(self, order)
    }
    fn store(&self, value: u64, order: Ordering) {
        LoomU64::store(self, value, order);
    }
    fn compare_exchange(&self, old: u64, new: u64, good: Ordering, bad: Ordering) -> Result<u64, u64> {
        LoomU64::compare_exchange(self, old, new, good, bad)
    }
    fn fence(order: Ordering) {
        loom_fence(order);
    }
}

/// The same word with fences left out: the canary that the models must catch.
struct Unfenced(LoomU64);

impl Word for Unfenced {
    fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }
    fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, order);
    }
    fn compare_exchange(&self, old: u64, new: u64, good: Ordering, bad: Ordering) -> Result<u64, u64> {
        self.0.compare_exchange(old, new, good, bad)
    }
    fn fence(_: Ordering) {}
}

/// A frame of two words that every writing makes equal.
struct Frame([LoomU64; 2]);

impl Frame {
    fn new(value: u64) -> Frame {
        Frame([LoomU64::new(value), LoomU64::new(value)])
    }
    fn read(&self) -> [u64; 2] {
        [self.0[0].load(Ordering::Relaxed), self.0[1].load(Ordering::Relaxed)]
    }
    fn write(&self, value: u64) {
        self.0.iter().for_each(|word| word.store(value, Ordering::Relaxed));
    }
}

/// One look; what it copied, if that was valid.
fn look_once<W: Word>(word: &W, frame: &Frame) -> Option<[u64; 2]> {
    let seen = look(word);
    if !is_readable(seen) {
        return None;
    }
    let copied = frame.read();
    is_same(word, seen).then_some(copied)
}

fn reader_beside_a_writer<W: Word + Send + Sync + 'static>(new: impl Fn(u64) -> W + Send + Sync + 'static) {
    loom::model(move || {
        let page = Arc::new((new(RESIDENT), Frame::new(1)));
        let writer = {
            let page = page.clone();
            thread::spawn(move || {
                let (word, frame) = &*page;
                let seen = look(word) & !HEAT;
                if try_latch(word, seen).is_ok() {
                    frame.write(2);
                    unlatch(word, seen, true);
                }
            })
        };
        if let Some([first, second]) = look_once(&page.0, &page.1) {
            assert_eq!(first, second, "a torn page was valid");
        }
        writer.join().unwrap();
    });
}

#[test]
fn what_validates_is_one_state_of_the_page() {
    reader_beside_a_writer(LoomU64::new);
}

#[test]
#[should_panic(expected = "a torn page was valid")]
fn the_model_sees_missing_fences() {
    reader_beside_a_writer(|value| Unfenced(LoomU64::new(value)));
}

/// Two writers add one each under the latch: none is lost, and the version tells both.
#[test]
fn latches_exclude_each_other() {
    loom::model(|| {
        let page = Arc::new((LoomU64::new(RESIDENT | COOL), LoomU64::new(0)));
        let add = |page: &(LoomU64, LoomU64)| {
            loop {
                let seen = look(&page.0) & !HEAT;
                if is_readable(seen) && try_latch(&page.0, seen).is_ok() {
                    page.1.store(page.1.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                    unlatch(&page.0, seen, true);
                    return;
                }
                thread::yield_now();
            }
        };
        let other = {
            let page = page.clone();
            thread::spawn(move || add(&page))
        };
        add(&page);
        other.join().unwrap();
        assert_eq!(page.1.load(Ordering::Relaxed), 2);
        assert_eq!(page.0.load(Ordering::Relaxed), RESIDENT | (2 * VERSION_ONE));
    });
}

/// The frame of a page goes to another page, by the hands of two other threads, while a reader copies from it.
fn reader_beside_frame_reuse(take_with_fence: bool) {
    loom::model(move || {
        struct Pool {
            old: LoomU64,
            new: LoomU64,
            frame: Frame,
            free: Mutex<bool>,
        }
        let pool = Arc::new(Pool {
            old: LoomU64::new(RESIDENT),
            new: LoomU64::new(0),
            frame: Frame::new(1),
            free: Mutex::new(false),
        });
        let evictor = {
            let pool = pool.clone();
            thread::spawn(move || {
                let seen = look(&pool.old);
                try_latch(&pool.old, seen).unwrap();
                settle_out(&pool.old, seen);
                *pool.free.lock().unwrap() = true;
            })
        };
        let loader = {
            let pool = pool.clone();
            thread::spawn(move || {
                // The page is latched before there is a frame for it, as in `load`.
                let seen = look(&pool.new);
                try_latch(&pool.new, seen).unwrap();
                if !*pool.free.lock().unwrap() {
                    settle_out(&pool.new, seen);
                    return;
                }
                if take_with_fence {
                    // As in `FramePool::take`.
                    loom_fence(Ordering::Release);
                }
                pool.frame.write(2);
                settle_in(&pool.new, seen, 0);
            })
        };
        if let Some(copied) = look_once(&pool.old, &pool.frame) {
            assert_eq!(copied, [1, 1], "another page's bytes were valid");
        }
        if let Some(copied) = look_once(&pool.new, &pool.frame) {
            assert_eq!(copied, [2, 2], "a page was readable before its bytes were");
        }
        evictor.join().unwrap();
        loader.join().unwrap();
    });
}

#[test]
fn a_reader_of_the_former_page_does_not_take_the_new_ones_bytes() {
    reader_beside_frame_reuse(true);
}

#[test]
#[should_panic(expected = "another page's bytes were valid")]
fn the_model_sees_the_missing_fence_of_a_taken_frame() {
    reader_beside_frame_reuse(false);
}

#[test]
fn words_keep_frame_and_version_apart() {
    let word = AtomicU64::new(0);
    let seen = look(&word);
    try_latch(&word, seen).unwrap();
    assert!(try_latch(&word, seen).is_err() && !is_readable(look(&word)));
    let last = (FRAMES_MAX - 1) as u32;
    settle_in(&word, seen, last);
    assert_eq!((frame_of(look(&word)), is_readable(look(&word))), (last, true));
    // Out of the file: the first look leaves it cool, the second warm.
    let loaded = look(&word);
    assert_eq!(loaded & HEAT, HEAT);
    warm(&word, loaded);
    assert_eq!(look(&word) & HEAT, COOL);
    warm(&word, look(&word));
    let seen = look(&word);
    assert!(seen & HEAT == 0 && is_same(&word, loaded));
    assert!(cool(&word, seen) && is_same(&word, seen));
    warm(&word, look(&word));
    assert_eq!(look(&word), seen);
    // The version wraps without touching the rest.
    word.store(seen | !(VERSION_ONE - 1), Ordering::Relaxed);
    let seen = look(&word);
    try_latch(&word, seen).unwrap();
    unlatch(&word, seen, true);
    assert_eq!(look(&word), RESIDENT | u64::from(last));
}
