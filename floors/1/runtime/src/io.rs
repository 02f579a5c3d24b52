//! File I/O that parks the fiber and not its event loop.
//!
//! In a fiber on an io_uring loop, a file with a descriptor is read, written and forced through the ring; elsewhere
//! on a fiber the call goes to a helper thread ([`crate::offload`]); in a plain thread it is made directly. Files
//! without a descriptor (the simulated disk) are called directly: they do not block.

use crate::offload::offload;
use platform::file::File;
use std::io;

/// Reads up to `buffer.len()` bytes at `offset`; 0 at the end of the file.
pub fn read_at(file: &dyn File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    on_helper(file, || file.read_at(buffer, offset))
}

/// Writes all of `bytes` at `offset`.
pub fn write_all_at(file: &dyn File, bytes: &[u8], offset: u64) -> io::Result<()> {
    on_helper(file, || file.write_all_at(bytes, offset))
}

/// Forces the file's data to the device (`fdatasync`).
pub fn sync_data(file: &dyn File) -> io::Result<()> {
    on_helper(file, || file.sync_data())
}

/// Reads each buffer in full at its offset; the end of the file inside one is [`io::ErrorKind::UnexpectedEof`].
///
/// All are in flight together. The first error is returned after all have ended.
pub fn read_batch(file: &dyn File, reads: &mut [(u64, &mut [u8])]) -> io::Result<()> {
    on_helper(file, || {
        for (offset, buffer) in reads.iter_mut() {
            file.read_exact_at(buffer, *offset)?;
        }
        Ok(())
    })
}

/// Writes all slices at their offsets, in no order. The first error is returned after all have ended.
pub fn write_batch(file: &dyn File, writes: &[(u64, &[u8])]) -> io::Result<()> {
    on_helper(file, || {
        for (offset, bytes) in writes {
            file.write_all_at(bytes, *offset)?;
        }
        Ok(())
    })
}

fn on_helper<T: Send>(file: &dyn File, call: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    if file.raw_fd().is_some() { offload(call) } else { call() }
}
