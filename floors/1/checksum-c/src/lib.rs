//! The kernels of `checksum` behind the C functions of `include/penstock_checksum.h`, which documents them.
//!
//! `unsafe` is here for one thing: a pointer and a length from C become a slice.

use checksum::{Castagnoli, Crc, Ieee, Kernel, Polynomial};
use std::ffi::{c_char, c_void};

/// As `crc32()` of zlib: continues `crc`, 0 at the start, over `len` bytes at `data`.
///
/// # Safety
/// `len` bytes at `data` may be read; `data` may be null where `len` is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn penstock_crc32(crc: u32, data: *const c_void, len: usize) -> u32 {
    // SAFETY: as the caller promises.
    unsafe { update::<Ieee>(crc, data, len) }
}

/// The same for CRC-32C.
///
/// # Safety
/// As [`penstock_crc32`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn penstock_crc32c(crc: u32, data: *const c_void, len: usize) -> u32 {
    // SAFETY: as the caller promises.
    unsafe { update::<Castagnoli>(crc, data, len) }
}

/// The CRC-32 of two parts, the second `len_b` bytes long, from the sums of each.
#[unsafe(no_mangle)]
pub extern "C" fn penstock_crc32_combine(a: u32, b: u32, len_b: u64) -> u32 {
    Crc::<Ieee>::combine(a, b, len_b)
}

/// The same for CRC-32C.
#[unsafe(no_mangle)]
pub extern "C" fn penstock_crc32c_combine(a: u32, b: u32, len_b: u64) -> u32 {
    Crc::<Castagnoli>::combine(a, b, len_b)
}

/// Continues `crc` over `count` zero bytes.
#[unsafe(no_mangle)]
pub extern "C" fn penstock_crc32_zeros(crc: u32, count: u64) -> u32 {
    Crc::<Ieee>::resume(crc).update_zeros(count).value()
}

/// The same for CRC-32C.
#[unsafe(no_mangle)]
pub extern "C" fn penstock_crc32c_zeros(crc: u32, count: u64) -> u32 {
    Crc::<Castagnoli>::resume(crc).update_zeros(count).value()
}

/// The name of the kernel that this CPU runs for CRC-32.
#[unsafe(no_mangle)]
pub extern "C" fn penstock_crc32_kernel() -> *const c_char {
    name::<Ieee>()
}

/// The same for CRC-32C.
#[unsafe(no_mangle)]
pub extern "C" fn penstock_crc32c_kernel() -> *const c_char {
    name::<Castagnoli>()
}

/// # Safety
/// As [`penstock_crc32`].
unsafe fn update<P: Polynomial>(crc: u32, data: *const c_void, len: usize) -> u32 {
    if len == 0 {
        return crc;
    }
    // SAFETY: the caller promises `len` bytes, and there is one at least, so the pointer is not null.
    let data = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    Crc::<P>::resume(crc).update(data).value()
}

fn name<P: Polynomial>() -> *const c_char {
    let name = match Kernel::best::<P>() {
        Kernel::Bitwise => c"bitwise",
        Kernel::Slicing => c"slicing",
        Kernel::Instruction => c"instruction",
        Kernel::Fold128 => c"fold128",
        Kernel::Fold256 => c"fold256",
        Kernel::Fold512 => c"fold512",
        Kernel::Fused512 => c"fused512",
    };
    name.as_ptr()
}
