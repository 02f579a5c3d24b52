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
        Way::Ring(fiber, fd) => read_rest(fiber, fd, buffer, offset, 0),
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

/// Reads each buffer in full at its offset; the end of the file inside one is [`io::ErrorKind::UnexpectedEof`].
///
/// Many are in flight together. The first error (in the order given) is returned after all have ended.
pub fn read_batch(file: &dyn File, reads: &mut [(u64, &mut [u8])]) -> io::Result<()> {
    let direct = |reads: &mut [(u64, &mut [u8])]| {
        reads.iter_mut().map(|(offset, buffer)| file.read_exact_at(buffer, *offset)).fold(Ok(()), Result::and)
    };
    match way(file) {
        Way::Direct => direct(reads),
        Way::Helper => offload(|| direct(reads)),
        Way::Ring(fiber, fd) => {
            let mut ends = vec![0; reads.len()];
            // SAFETY: `reads` is borrowed mutably until the end, the descriptor is `file`'s.
            unsafe {
                fiber.ring_batch(
                    reads.len(),
                    |i| read_entry(fd, reads[i].1, reads[i].0),
                    |i, ended| ends[i] = ended.result,
                );
            }
            let mut outcome = Ok(());
            for ((offset, buffer), end) in reads.iter_mut().zip(ends) {
                let rest = match start_of_rest(end) {
                    Ok(done) => read_rest(fiber, fd, buffer, *offset, done),
                    Err(error) => Err(error),
                };
                let whole = rest.and_then(|read| {
                    if read == buffer.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
                });
                outcome = outcome.and(whole);
            }
            outcome
        }
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
    buffer: &mut [u8],
    offset: u64,
    mut done: usize,
) -> io::Result<usize> {
    while done < buffer.len() {
        let rest = &mut buffer[done..];
        let entry = read_entry(fd, rest, offset + done as u64);
        // SAFETY: `rest` is borrowed mutably until the end of the call, the descriptor by our caller.
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

fn read_entry(fd: types::Fd, buffer: &mut [u8], offset: u64) -> squeue::Entry {
    opcode::Read::new(fd, buffer.as_mut_ptr(), buffer.len().min(OPERATION_MAX) as u32).offset(offset).build()
}

fn write_entry(fd: types::Fd, bytes: &[u8], offset: u64) -> squeue::Entry {
    opcode::Write::new(fd, bytes.as_ptr(), bytes.len().min(OPERATION_MAX) as u32).offset(offset).build()
}
