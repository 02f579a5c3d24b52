//! File I/O from fibers and threads.

use super::{Random, on_each_backend};
use crate::io::{self, Run};
use platform::file::{Dir, File, OpenMode, RealDir};
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn scratch() -> (tempfile::TempDir, Arc<dyn File>) {
    let folder = tempfile::tempdir().expect("make a folder");
    let dir = RealDir::new(folder.path(), true).expect("open the folder");
    let file = dir.open("data", OpenMode::NEW).expect("make a file");
    (folder, file)
}

type Words = Box<[AtomicU64]>;

/// Zeroed words of so many bytes.
fn words(bytes: usize) -> Words {
    (0..bytes / 8).map(|_| AtomicU64::new(0)).collect()
}

fn bytes_of(words: &[AtomicU64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes()).collect()
}

fn exercise(file: &dyn File) {
    let mut random = Random(11);
    let bytes: Vec<u8> = (0..100_000).map(|_| random.next() as u8).collect();
    io::write_all_at(file, &bytes, 3).expect("write");
    io::sync_data(file).expect("sync");
    let mut back = vec![0; 100_000];
    assert_eq!(io::read_at(file, &mut back, 3).expect("read"), 100_000);
    assert_eq!(back, bytes);
    // The end of the file: short, then empty.
    assert_eq!(io::read_at(file, &mut back, 50_003).expect("read at the end"), 50_000);
    assert_eq!(io::read_at(file, &mut back, 200_000).expect("read beyond the end"), 0);
    // More in one batch than fits in flight.
    let pages: Vec<Vec<u8>> = (0..300usize).map(|i| vec![i as u8; 512]).collect();
    let writes: Vec<(u64, &[u8])> =
        pages.iter().enumerate().map(|(i, page)| (i as u64 * 512, &page[..])).collect();
    io::write_batch(file, &writes).expect("write a batch");
    let read: Vec<Words> = (0..300).map(|_| words(512)).collect();
    let run = |(i, page)| Run { offset: i as u64 * 512, buffers: vec![page] };
    let runs: Vec<Run> = read.iter().map(|page| &page[..]).enumerate().map(run).collect();
    io::read_batch(file, &runs).expect("read a batch");
    assert!(read.iter().zip(&pages).all(|(read, page)| bytes_of(read) == *page));
    // Runs of several buffers, last first, of which not all are of one size.
    let (three, two) = ([words(512), words(1024), words(8)], [words(512), words(512)]);
    let runs = [
        Run { offset: 100 * 512, buffers: three.iter().map(|words| &words[..]).collect() },
        Run { offset: 0, buffers: two.iter().rev().map(|words| &words[..]).collect() },
    ];
    io::read_batch(file, &runs).expect("read runs");
    assert_eq!(
        three.map(|words| bytes_of(&words)).concat(),
        [&pages[100][..], &pages[101], &pages[102], &[103; 8]].concat()
    );
    assert_eq!(two.map(|words| bytes_of(&words)), [&pages[1][..], &pages[0]]);
    let end = file.len().expect("length");
    let (inside, before, across) = (words(16), words(8), words(16));
    let runs = [
        Run { offset: end - 12, buffers: vec![&before, &across] },
        Run { offset: 512, buffers: vec![&inside] },
    ];
    let error = io::read_batch(file, &runs);
    assert_eq!(error.expect_err("the file ends in the first").kind(), ErrorKind::UnexpectedEof);
    assert_eq!(bytes_of(&inside), [1; 16]);
    assert_eq!(io::read_words_at(file, &across, end - 4).expect("read words"), 4);
    assert_eq!(io::read_words_at(file, &across, 512).expect("read words"), 16);
    assert_eq!(bytes_of(&across), [1; 16]);
    io::write_and_sync(file, b"tail", end).expect("append and force");
    assert_eq!(file.len().expect("length"), end + 4);
}

#[test]
fn files_work_in_threads() {
    let (_folder, file) = scratch();
    exercise(&*file);
}

#[test]
fn files_work_in_fibers() {
    on_each_backend(2, |runtime| {
        let fibers: Vec<_> = (0..4)
            .map(|_| {
                runtime.spawn(|| {
                    let (_folder, file) = scratch();
                    exercise(&*file);
                })
            })
            .collect();
        for fiber in fibers {
            fiber.join().expect("the fiber ends");
        }
    });
}

/// More operations at once than the submission and completion queues hold together.
#[test]
fn a_flood_of_operations_ends() {
    on_each_backend(1, |runtime| {
        let (_folder, file) = scratch();
        let page = |i: usize| [i as u8; 64];
        for i in 0..128 {
            file.write_all_at(&page(i), i as u64 * 64).expect("write");
        }
        let fibers: Vec<_> = (0..64)
            .map(|_| {
                let file = file.clone();
                runtime.spawn(move || {
                    let pages: Vec<Words> = (0..128).map(|_| words(64)).collect();
                    let run = |(i, page)| Run { offset: i as u64 * 64, buffers: vec![page] };
                    let runs: Vec<Run> = pages.iter().map(|page| &page[..]).enumerate().map(run).collect();
                    io::read_batch(&*file, &runs).expect("read a batch");
                    pages.iter().map(|page| bytes_of(page)).collect::<Vec<_>>()
                })
            })
            .collect();
        for fiber in fibers {
            let pages = fiber.join().expect("the fiber ends");
            assert!(pages.iter().enumerate().all(|(i, got)| *got == page(i)));
        }
    });
}

#[test]
fn errors_of_the_device_come_back() {
    on_each_backend(1, |runtime| {
        let fiber = runtime.spawn(|| {
            let folder = tempfile::tempdir().expect("make a folder");
            let dir = RealDir::new(folder.path(), true).expect("open the folder");
            drop(dir.open("data", OpenMode::NEW).expect("make a file"));
            let file = dir.open("data", OpenMode::READ).expect("open to read");
            io::write_all_at(&*file, b"no", 0).expect_err("not open to write").raw_os_error()
        });
        assert_eq!(fiber.join(), Ok(Some(libc::EBADF)));
    });
}

#[test]
fn waiting_with_a_latch_held_is_a_bug_found() {
    if !cfg!(debug_assertions) {
        return;
    }
    let (_folder, file) = scratch();
    let waits = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _latch = crate::rank::enter(2, "page latch");
        let _ = io::sync_data(&*file);
    }));
    assert!(waits.is_err(), "a wait under a latch went unnoticed");
    let upwards = std::panic::catch_unwind(|| {
        let _low = crate::rank::enter(2, "page latch");
        let _high = crate::rank::enter(4, "row lock");
    });
    assert!(upwards.is_err(), "a lock taken upwards went unnoticed");
    let _high = crate::rank::enter(4, "row lock");
    let _low = crate::rank::enter(2, "page latch");
    let _again = crate::rank::enter(2, "page latch");
}
