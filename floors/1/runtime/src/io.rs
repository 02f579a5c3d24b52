//! File I/O that parks the fiber and not its event loop.
//!
//! In a fiber on an io_uring loop, a file with a descriptor is read, written and forced through the ring; elsewhere
//! on a fiber the call goes to a helper thread ([`offload`](fn@crate::offload)); in a plain thread it is made directly. Files
//! without a descriptor (the simulated disk) are called directly: they do not block.

//! All of them return only when the kernel is done with the buffers, so borrowed ones are safe to hand over: a fiber
//! that waits is neither dropped nor unwound (see the module `event_loop::uring`).

use crate::event_loop::{self, Fiber};
use crate::offload::offload;
use io_uring::{opcode, squeue, types};
use platform::file::{File, SyncMode};
use std::io;
use std::marker::PhantomData;
use std::sync::atomic::AtomicU64;

/// Bytes given to the kernel in one operation; it takes no more than 2 GiB.
const OPERATION_MAX: usize = 1 << 30;

/// How a file is reached from here.
enum Way<'a> {
    Direct,
    Helper,
    Ring(&'a Fiber, types::Fd),
}

fn way<'a>(file: &dyn File) -> Way<'a> {
    crate::rank::assert_none_held();
    let Some(fiber) = event_loop::current() else { return Way::Direct };
    match file.raw_fd() {
        None => Way::Direct,
        Some(fd) if fiber.has_ring() => Way::Ring(fiber, types::Fd(fd)),
        Some(_) => Way::Helper,
    }
}

/// Reads up to `buffer.len()` bytes at `offset`, fewer only at the end of the file.
pub fn read_at(file: &dyn File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    match way(file) {
        Way::Direct => file.read_at(buffer, offset),
        Way::Helper => offload(|| file.read_at(buffer, offset)),
        Way::Ring(fiber, fd) => read_rest(fiber, fd, Target::from(buffer), offset, 0),
    }
}

/// As [`read_at`], into memory that other threads may be loading from: see [`File::read_words_at`].
pub fn read_words_at(file: &dyn File, words: &[AtomicU64], offset: u64) -> io::Result<usize> {
    match way(file) {
        Way::Direct => file.read_words_at(words, offset),
        Way::Helper => offload(|| file.read_words_at(words, offset)),
        Way::Ring(fiber, fd) => read_rest(fiber, fd, Target::from(words), offset, 0),
    }
}

/// Writes all of `bytes` at `offset`.
pub fn write_all_at(file: &dyn File, bytes: &[u8], offset: u64) -> io::Result<()> {
    match way(file) {
        Way::Direct => file.write_all_at(bytes, offset),
        Way::Helper => offload(|| file.write_all_at(bytes, offset)),
        Way::Ring(fiber, fd) => write_rest(fiber, fd, bytes, offset, 0),
    }
}

/// Forces the file's data to the device, in the way of [`File::sync_mode`].
pub fn sync_data(file: &dyn File) -> io::Result<()> {
    let flags = match file.sync_mode() {
        SyncMode::Data => types::FsyncFlags::DATASYNC,
        SyncMode::Full => types::FsyncFlags::empty(),
        SyncMode::None => return Ok(()),
    };
    match way(file) {
        Way::Direct => file.sync_data(),
        Way::Helper => offload(|| file.sync_data()),
        Way::Ring(fiber, fd) => {
            let sync = opcode::Fsync::new(fd).flags(flags).build();
            // SAFETY: the entry points to nothing; the descriptor is `file`'s, borrowed until the end.
            // No second try: after a failed force nothing is known about the data, a good one then would lie.
            unsafe { fiber.ring(sync, None, false) }.count().map(|_| ())
        }
    }
}

/// Writes all of `bytes` at `offset` and forces the file's data: what appending to a log needs, in one trip to the
/// helper that does it.
pub fn write_and_sync(file: &dyn File, bytes: &[u8], offset: u64) -> io::Result<()> {
    let both = || file.write_all_at(bytes, offset).and_then(|()| file.sync_data());
    match way(file) {
        Way::Direct => both(),
        // Not linked entries of the ring: the kernel gives both to a worker thread of its own (a force always blocks),
        // and the pair is no cheaper there while a short write would have to be picked apart.
        Way::Helper | Way::Ring(..) => offload(both),
    }
}

/// A stretch of a file, and the buffers that it fills one after the other, wherever they lie; at most
/// [`RUN_BUFFERS`]. Other threads may be loading from them: see [`File::read_words_at`].
pub struct Run<'a> {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// What it fills.
    pub buffers: Vec<&'a [AtomicU64]>,
}

/// Most buffers that the kernel fills in one operation (`IOV_MAX`).
pub const RUN_BUFFERS: usize = 1024;

/// Reads each run in full; the end of the file inside one is [`io::ErrorKind::UnexpectedEof`].
///
/// Many are in flight together. The first error (in the order given) is returned after all have ended.
pub fn read_batch(file: &dyn File, runs: &[Run]) -> io::Result<()> {
    let each = |read: &dyn Fn(&Run) -> io::Result<()>| runs.iter().map(read).fold(Ok(()), Result::and);
    let direct = || each(&|run| run.read_rest(0, |words, offset, _| file.read_words_at(words, offset)));
    match way(file) {
        Way::Direct => direct(),
        Way::Helper => offload(direct),
        Way::Ring(fiber, fd) => {
            let vectors: Vec<Vec<libc::iovec>> = runs.iter().map(Run::vectors).collect();
            let entry = |i: usize| {
                let vectors: &[libc::iovec] = &vectors[i];
                opcode::Readv::new(fd, vectors.as_ptr(), vectors.len() as u32).offset(runs[i].offset).build()
            };
            let mut ends = vec![0; runs.len()];
            // SAFETY: the vectors live, and the buffers are borrowed, until the end; the descriptor is `file`'s.
            unsafe { fiber.ring_batch(runs.len(), entry, |i, ended| ends[i] = ended.result) };
            let mut outcome = Ok(());
            for (run, end) in runs.iter().zip(ends) {
                let rest = start_of_rest(end).and_then(|done| {
                    run.read_rest(done, |words, offset, done| {
                        read_rest(fiber, fd, Target::from(words), offset, done)
                    })
                });
                outcome = outcome.and(rest);
            }
            outcome
        }
    }
}

impl Run<'_> {
    /// The buffers as the kernel takes them.
    fn vectors(&self) -> Vec<libc::iovec> {
        assert!(self.buffers.len() <= RUN_BUFFERS, "a run is one operation");
        let vector = |target: Target| libc::iovec { iov_base: target.start.cast(), iov_len: target.len };
        self.buffers.iter().map(|words| vector(Target::from(*words))).collect()
    }

    /// Fills what is left behind the first `done` bytes by `read`, which takes a buffer, its offset in the file and how
    /// much of it is there already, and gives what there is of it then.
    fn read_rest(
        &self,
        mut done: usize,
        read: impl Fn(&[AtomicU64], u64, usize) -> io::Result<usize>,
    ) -> io::Result<()> {
        let mut offset = self.offset;
        for words in &self.buffers {
            let len = size_of_val(*words);
            let there = done.min(len);
            if there < len && read(words, offset, there)? < len {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            done -= there;
            offset += len as u64;
        }
        Ok(())
    }
}

/// Memory that a read fills.
struct Target<'a> {
    start: *mut u8,
    len: usize,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> From<&'a mut [u8]> for Target<'a> {
    fn from(buffer: &'a mut [u8]) -> Target<'a> {
        Target { start: buffer.as_mut_ptr(), len: buffer.len(), borrowed: PhantomData }
    }
}

impl<'a> From<&'a [AtomicU64]> for Target<'a> {
    /// Atomics may be stored into behind a shared reference; to other threads the kernel's stores are as good as relaxed
    /// ones.
    fn from(words: &'a [AtomicU64]) -> Target<'a> {
        Target { start: words.as_ptr().cast_mut().cast(), len: size_of_val(words), borrowed: PhantomData }
    }
}

/// Writes all slices at their offsets, in no order. The first error (in the order given) is returned after all have
/// ended.
pub fn write_batch(file: &dyn File, writes: &[(u64, &[u8])]) -> io::Result<()> {
    let direct =
        || writes.iter().map(|(offset, bytes)| file.write_all_at(bytes, *offset)).fold(Ok(()), Result::and);
    match way(file) {
        Way::Direct => direct(),
        Way::Helper => offload(direct),
        Way::Ring(fiber, fd) => {
            let mut ends = vec![0; writes.len()];
            // SAFETY: `writes` is borrowed until the end, the descriptor is `file`'s.
            unsafe {
                fiber.ring_batch(
                    writes.len(),
                    |i| write_entry(fd, writes[i].1, writes[i].0),
                    |i, ended| ends[i] = ended.result,
                );
            }
            let mut outcome = Ok(());
            for ((offset, bytes), end) in writes.iter().zip(ends) {
                let rest = match start_of_rest(end) {
                    Ok(done) => write_rest(fiber, fd, bytes, *offset, done),
                    Err(error) => Err(error),
                };
                outcome = outcome.and(rest);
            }
            outcome
        }
    }
}

/// How much a batch's operation has done; what the kernel put off begins anew.
fn start_of_rest(end: i32) -> io::Result<usize> {
    match end {
        done if done >= 0 => Ok(done as usize),
        end if [libc::EINTR, libc::EAGAIN].contains(&-end) => Ok(0),
        end => Err(io::Error::from_raw_os_error(-end)),
    }
}

/// Goes on reading after the first `done` bytes; returns all read.
fn read_rest(
    fiber: &Fiber,
    fd: types::Fd,
    target: Target,
    offset: u64,
    mut done: usize,
) -> io::Result<usize> {
    while done < target.len {
        let len = (target.len - done).min(OPERATION_MAX) as u32;
        let rest = target.start.wrapping_add(done);
        let entry = opcode::Read::new(fd, rest, len).offset(offset + done as u64).build();
        // SAFETY: the target is borrowed until the end of the call, `len` bytes from `rest` are inside it; the descriptor
        // is borrowed by our caller.
        match unsafe { fiber.ring(entry, None, false) }.count() {
            Ok(0) => break,
            Ok(read) => done += read,
            Err(error) => check_put_off(error)?,
        }
    }
    Ok(done)
}

/// Goes on writing after the first `done` bytes.
fn write_rest(fiber: &Fiber, fd: types::Fd, bytes: &[u8], offset: u64, mut done: usize) -> io::Result<()> {
    while done < bytes.len() {
        let entry = write_entry(fd, &bytes[done..], offset + done as u64);
        // SAFETY: `bytes` is borrowed until the end of the call, the descriptor by our caller.
        match unsafe { fiber.ring(entry, None, false) }.count() {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(wrote) => done += wrote,
            Err(error) => check_put_off(error)?,
        }
    }
    Ok(())
}

/// `Ok` for what a signal or a busy kernel put off, to be tried again.
fn check_put_off(error: io::Error) -> io::Result<()> {
    match error.raw_os_error() {
        Some(libc::EINTR | libc::EAGAIN) => Ok(()),
        _ => Err(error),
    }
}

fn write_entry(fd: types::Fd, bytes: &[u8], offset: u64) -> squeue::Entry {
    opcode::Write::new(fd, bytes.as_ptr(), bytes.len().min(OPERATION_MAX) as u32).offset(offset).build()
}
