//! Reading ahead: pages that a scan will come to are brought in by a fiber beside it.
//!
//! The scan waits for what it asked for and loads none of it itself, so this fiber sets its pace. While others wait for
//! pages, it reads few at a time and then keeps off the device, for as long as that took, for each who waits. So a scan
//! is one of those who want the device, whatever the device can do, and has it to itself when nobody else wants it. Nor
//! do its pages stay in the pool then, unless somebody else has looked at them.

use crate::load::TOGETHER;
use crate::page::PageNo;
use crate::store::{Shared, Store};
use runtime::WaitQueue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Pages read together while somebody waits for one: half as many as wait, and at least so many.
const TOGETHER_MIN: usize = 2;
/// It pays for so many who wait at most: a scan always comes forward.
const PAID_FOR_MAX: u32 = 4;

/// What a scan has asked for ahead of its need.
#[derive(Default)]
pub struct ReadAhead {
    asked: usize,
    /// Nothing before the first page that was in no frame.
    progress: Option<Arc<Progress>>,
}

#[derive(Default)]
struct Progress {
    /// Pages dealt with, of those asked for.
    done: AtomicUsize,
    /// The scan is over: nobody wants the rest.
    over: AtomicBool,
    moved: WaitQueue,
}

impl Progress {
    fn add(&self, pages: usize) {
        // Release: pairs with the acquire of who waits.
        self.done.fetch_add(pages, Ordering::Release);
        self.moved.wake_all();
    }
}

/// Pages still to be dealt with; those left when it is dropped are given up.
struct Job {
    progress: Arc<Progress>,
    pages: Vec<PageNo>,
    at: usize,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.progress.add(self.pages.len() - self.at);
    }
}

impl Drop for ReadAhead {
    fn drop(&mut self) {
        if let Some(progress) = &self.progress {
            // Relaxed: nothing is read by it, and a batch more is no harm.
            progress.over.store(true, Ordering::Relaxed);
        }
    }
}

impl ReadAhead {
    /// Asks for the pages that come behind those asked for before, and comes back once those are there.
    pub fn ask(&mut self, store: &Store, pages: &[PageNo]) {
        self.wait_for(0);
        let shared = &store.shared;
        self.asked += pages.len();
        if !pages.iter().any(|page| shared.is_absent(*page)) {
            if let Some(progress) = &self.progress {
                progress.add(pages.len());
            } else {
                self.asked = 0;
            }
            return;
        }
        let progress = self.progress.get_or_insert_default().clone();
        let (shared, job) = (shared.clone(), Job { progress, pages: pages.to_vec(), at: 0 });
        runtime::beside(move || job.run(&shared));
    }

    /// The scan has seen a page and will not come back: while others wait for theirs, it makes room.
    pub fn leave(&self, store: &Store, page: PageNo) {
        if self.progress.is_some() && store.shared.loading.load(Ordering::Relaxed) > 0 {
            store.shared.let_go(page);
        }
    }

    /// Waits until at most the last so many of all pages asked for are still on their way.
    pub fn wait_for(&self, last: usize) {
        if let Some(progress) = &self.progress {
            let there = || progress.done.load(Ordering::Acquire) + last >= self.asked;
            progress.moved.wait(|| there().then_some(()));
        }
    }
}

impl Job {
    fn run(mut self, shared: &Shared) {
        // Relaxed: a hint. What the fiber reads itself is not counted.
        let waiting = || shared.loading.load(Ordering::Relaxed);
        while self.at < self.pages.len() && !self.progress.over.load(Ordering::Relaxed) {
            let most = match waiting() {
                0 => TOGETHER,
                waiting => (waiting as usize / 2).clamp(TOGETHER_MIN, TOGETHER),
            };
            let left = &self.pages[self.at..];
            let now = &left[..left.len().min(most)];
            let begun = Instant::now();
            shared.bring_in_many(now);
            self.at += now.len();
            self.progress.add(now.len());
            let paid_for = waiting().min(PAID_FOR_MAX);
            if paid_for > 0 {
                runtime::sleep(begun.elapsed() * paid_for);
            }
        }
    }
}

#[cfg(test)]
mod tests;
