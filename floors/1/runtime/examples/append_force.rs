//! What a forced append costs a fiber: the log's only slow step, by each way that the room offers.
//!
//! `append_force [FOLDER] [ROUNDS]` appends 400 bytes and forces them, into a file that is preallocated, and prints
//! microseconds a round: from a plain thread, and from a fiber on each backend, with 0 and with 4 busy fibers beside it.

use platform::file::{Dir, File, OpenMode, RealDir};
use runtime::{Backend, Runtime, RuntimeOptions, io, slice_point};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const BYTES: usize = 400;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".into());
    let rounds: u64 = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(2000);
    let scratch = tempfile::tempdir_in(folder)?;
    let dir = RealDir::new(scratch.path(), true)?;
    let file = dir.open("log", OpenMode::NEW)?;
    file.preallocate(0, rounds * BYTES as u64)?;
    for way in WAYS {
        println!("{:>8} {:>5} {:<24} {:>8.1} us", "thread", "", way.name, microseconds(way, &file, rounds)?);
    }
    for backend in [Backend::IoUring, Backend::Epoll] {
        for busy in [0, 4] {
            for way in WAYS {
                let runtime =
                    Runtime::start(RuntimeOptions { threads: 1, backend, ..RuntimeOptions::default() })?;
                let stop = Arc::new(AtomicBool::new(false));
                for _ in 0..busy {
                    let stop = stop.clone();
                    drop(runtime.spawn(move || {
                        while !stop.load(Ordering::Relaxed) {
                            slice_point();
                        }
                    }));
                }
                let appended = file.clone();
                let rounds = if busy > 0 { rounds / 10 } else { rounds };
                let measured = runtime.spawn(move || microseconds(way, &appended, rounds)).join();
                stop.store(true, Ordering::Relaxed);
                let microseconds = measured.map_err(std::io::Error::other)??;
                println!("{backend:>8?} {busy:>4}b {:<24} {microseconds:>8.1} us", way.name);
                runtime.shutdown(Duration::from_secs(5));
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    append: fn(&dyn File, &[u8], u64) -> std::io::Result<()>,
}

const WAYS: [Way; 3] = [
    Way { name: "write_and_sync", append: io::write_and_sync },
    Way {
        name: "write_all_at, sync_data",
        append: |file, bytes, offset| {
            io::write_all_at(file, bytes, offset)?;
            io::sync_data(file)
        },
    },
    Way {
        name: "direct write, sync_data",
        append: |file, bytes, offset| {
            file.write_all_at(bytes, offset)?;
            io::sync_data(file)
        },
    },
];

fn microseconds(way: Way, file: &Arc<dyn File>, rounds: u64) -> std::io::Result<f64> {
    let start = Instant::now();
    for round in 0..rounds {
        (way.append)(&**file, &[round as u8; BYTES], round * BYTES as u64)?;
    }
    let taken = start.elapsed().as_secs_f64() * 1e6 / rounds as f64;
    let mut last = [0; BYTES];
    file.read_exact_at(&mut last, (rounds - 1) * BYTES as u64)?;
    assert_eq!(last, [(rounds - 1) as u8; BYTES], "what was appended is there");
    Ok(taken)
}
