//! Large regions of memory for pools: address space reserved once, committed in parts, with hints about huge
//! pages and NUMA nodes. Hints that the kernel refuses are no errors; [`Region::report`] tells what took.

use std::io;
use std::ops::Range;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU8, Ordering};

use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};

use crate::numa::{self, Spread};
use crate::system::page_size;
use crate::topology::{Cpu, pin_current};

#[cfg(test)]
mod tests;

/// The size of a huge page on x86-64 and AArch64 with 4 KiB pages; elsewhere a fair alignment.
pub const HUGE_PAGE: usize = 2 << 20;
/// Memory that is asked for at once when a range is backed: meanwhile nobody in the process can map any, so that more would
/// keep a server that starts from its first answer.
const POPULATE_BYTES: usize = 2 * HUGE_PAGE;

/// Asks the core to bring the cache line of `at` near. Only a hint: no address faults, nothing is read.
#[inline(always)]
pub fn prefetch<T>(at: &T) {
    let at = ptr::from_ref(at);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch neither faults nor changes anything.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch neither faults nor changes anything.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) at, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = at;
}

/// How a region is to be backed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionOptions {
    /// Ask for transparent huge pages.
    pub huge_pages: bool,
    /// Spread pages over all NUMA nodes allowed, in turn.
    pub interleave: bool,
}

impl Default for RegionOptions {
    fn default() -> RegionOptions {
        RegionOptions { huge_pages: true, interleave: true }
    }
}

/// Which wishes the kernel granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionReport {
    /// Transparent huge pages were asked for and the kernel has them.
    pub huge_pages: bool,
    /// What became of spreading pages over NUMA nodes.
    pub spread: Spread,
}

/// A range of address space, aligned to [`HUGE_PAGE`]. Committed memory reads as zeros until written.
///
/// It hands out raw pointers only: who shares the memory among threads keeps the rules of doing so.
pub struct Region {
    start: NonNull<u8>,
    len: usize,
    report: RegionReport,
}

// SAFETY: a Region is an address range that it alone owns; its methods change mappings and hints by kernel calls,
// which are safe from any thread, and never read or write the bytes without atomics.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Reserves `len` bytes of address space, rounded up to [`HUGE_PAGE`]. Nothing may be touched before
    /// [`Region::commit`].
    pub fn reserve(len: usize, options: RegionOptions) -> io::Result<Region> {
        let len = len.max(1).checked_next_multiple_of(HUGE_PAGE).ok_or(io::ErrorKind::OutOfMemory)?;
        let mapped = len.checked_add(HUGE_PAGE).ok_or(io::ErrorKind::OutOfMemory)?;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: the kernel chooses the place, so no mapping of ours is replaced.
        let base = unsafe { rustix::mm::mmap_anonymous(ptr::null_mut(), mapped, ProtFlags::empty(), flags)? };
        let base = base.cast::<u8>();
        let head = base.align_offset(HUGE_PAGE);
        // SAFETY: head is at most HUGE_PAGE, and so start..start + len lies inside what was mapped.
        let start = unsafe { base.add(head) };
        // SAFETY: both ends cut off belong to the mapping just made and nobody has pointers into them.
        unsafe {
            unmap(base, head)?;
            unmap(start.add(len), mapped - len - head)?;
        }
        let start = NonNull::new(start).ok_or(io::ErrorKind::OutOfMemory)?;
        let mut region = Region { start, len, report: RegionReport::default() };
        region.report.huge_pages = options.huge_pages && region.ask_for_huge_pages();
        if options.interleave {
            region.report.spread = numa::spread(region.as_ptr(), len);
        }
        Ok(region)
    }

    /// Reserves and commits `len` bytes, rounded up to [`HUGE_PAGE`].
    pub fn new(len: usize, options: RegionOptions) -> io::Result<Region> {
        let region = Region::reserve(len, options)?;
        region.commit(0..region.len)?;
        Ok(region)
    }

    /// The first byte.
    #[must_use]
    pub fn as_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The bytes reserved.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Never true.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Which wishes the kernel granted.
    #[must_use]
    pub fn report(&self) -> RegionReport {
        self.report
    }

    /// Makes the pages that hold `range` usable. They cost memory only when touched.
    pub fn commit(&self, range: Range<usize>) -> io::Result<()> {
        let (start, len) = self.pages(range)?;
        // SAFETY: the pages are inside the region, and giving rights takes nothing from anybody.
        unsafe { rustix::mm::mprotect(start.cast(), len, MprotectFlags::READ | MprotectFlags::WRITE)? };
        Ok(())
    }

    /// Gives the memory behind the pages inside `range` back: they read as zeros from now on.
    ///
    /// # Safety
    /// Nobody holds a reference into `range` or reads it concurrently without expecting zeros.
    pub unsafe fn discard(&self, range: Range<usize>) -> io::Result<()> {
        let inner = range.start.next_multiple_of(page_size())..range.end / page_size() * page_size();
        if inner.is_empty() {
            return Ok(());
        }
        let (start, len) = self.pages(inner)?;
        // SAFETY: private anonymous pages inside the region stay mapped and become zeros, as the caller expects.
        unsafe { rustix::mm::madvise(start.cast(), len, Advice::LinuxDontNeed)? };
        Ok(())
    }

    /// Has the kernel back the committed `range` with memory now, by a thread on each of `cpus`, side by side. What is in
    /// it stays.
    pub fn populate(&self, range: Range<usize>, cpus: &[Cpu]) -> io::Result<()> {
        let (_, len) = self.pages(range.clone())?;
        let share = len.div_ceil(cpus.len().max(1)).next_multiple_of(HUGE_PAGE);
        std::thread::scope(|scope| {
            let parts = range.clone().step_by(share).map(|from| from..range.end.min(from + share));
            let worker = |(part, cpu): (Range<usize>, Option<&Cpu>)| {
                // Best effort: where threads cannot be placed, memory may lie on another node.
                let _ = cpu.map(|cpu| pin_current(cpu.number));
                part.clone()
                    .step_by(POPULATE_BYTES)
                    .try_for_each(|from| self.populate_part(from..part.end.min(from + POPULATE_BYTES)))
            };
            let workers: Vec<_> = parts
                .enumerate()
                .map(|(i, part)| (part, cpus.get(i)))
                .map(|work| scope.spawn(move || worker(work)))
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("touching memory does not panic"))
        })
    }

    fn populate_part(&self, range: Range<usize>) -> io::Result<()> {
        let (start, len) = self.pages(range)?;
        // SAFETY: populating changes no byte.
        match unsafe { rustix::mm::madvise(start.cast(), len, Advice::LinuxPopulateWrite) } {
            Ok(()) => Ok(()),
            // Kernels before 5.14 do not know it.
            Err(rustix::io::Errno::INVAL) => {
                for offset in (0..len).step_by(page_size()) {
                    // SAFETY: inside the committed range; AtomicU8 has the layout of u8 and any alignment.
                    let byte = unsafe { AtomicU8::from_ptr(start.add(offset)) };
                    // A write that changes nothing, atomic in case somebody uses the page already.
                    byte.fetch_or(0, Ordering::Relaxed);
                }
                Ok(())
            }
            Err(errno) => Err(errno.into()),
        }
    }

    /// The whole pages that hold `range`, which must lie inside the region.
    fn pages(&self, range: Range<usize>) -> io::Result<(*mut u8, usize)> {
        if range.start > range.end || range.end > self.len {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let first = range.start / page_size() * page_size();
        let end = range.end.next_multiple_of(page_size());
        // SAFETY: first is inside the region.
        Ok((unsafe { self.start.as_ptr().add(first) }, end - first))
    }

    fn ask_for_huge_pages(&self) -> bool {
        // SAFETY: a hint about a range that is ours.
        unsafe { rustix::mm::madvise(self.as_ptr().cast(), self.len, Advice::LinuxHugepage) }.is_ok()
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the region owns the range, and whoever used pointers into it outlives it no longer.
        let unmapped = unsafe { unmap(self.as_ptr(), self.len) };
        debug_assert!(unmapped.is_ok(), "unmapping what was mapped cannot fail");
    }
}

/// Unmaps a part of a mapping, perhaps an empty one.
///
/// # Safety
/// The part belongs to the caller and nobody uses it.
unsafe fn unmap(start: *mut u8, len: usize) -> io::Result<()> {
    if len > 0 {
        // SAFETY: as the caller promises.
        unsafe { rustix::mm::munmap(start.cast(), len)? };
    }
    Ok(())
}
