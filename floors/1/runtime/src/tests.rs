//! Tests of the room as its users see it, each on both backends where loops are involved.

mod files;
mod loops;
mod sockets;
mod waits;

use crate::{Backend, Runtime, RuntimeOptions};
use std::time::Duration;

/// Time that nothing here should need; only a hang reaches it.
const LONG: Duration = Duration::from_secs(20);

/// Both backends; only epoll where the kernel refuses io_uring (printed, so that nobody takes it for covered).
fn backends() -> Vec<Backend> {
    match Runtime::start(RuntimeOptions {
        threads: 1,
        backend: Backend::IoUring,
        ..RuntimeOptions::default()
    }) {
        Ok(runtime) => {
            runtime.shutdown(LONG);
            vec![Backend::IoUring, Backend::Epoll]
        }
        Err(error) => {
            eprintln!("io_uring is refused here, epoll alone is tested: {error}");
            vec![Backend::Epoll]
        }
    }
}

fn start(backend: Backend, threads: usize) -> Runtime {
    let options = RuntimeOptions { threads, backend, ..RuntimeOptions::default() };
    Runtime::start(options).expect("start the runtime")
}

/// Runs `test` with a runtime of each backend; no fiber may be left behind.
fn on_each_backend(threads: usize, test: impl Fn(&Runtime)) {
    for backend in backends() {
        let runtime = start(backend, threads);
        assert_eq!(runtime.backend(), backend);
        test(&runtime);
        assert_eq!(runtime.shutdown(LONG).abandoned, 0, "{backend:?}");
    }
}

/// A small generator for seeded tests (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
