//! The ways to compute a CRC, and which of them this CPU runs best.

use std::sync::atomic::Ordering;

use crate::polynomial::Polynomial;

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod fold;
#[cfg(all(target_arch = "powerpc64", target_endian = "little"))]
mod powerpc64;
mod slicing;
#[cfg(target_arch = "x86_64")]
mod x86;

/// A way to compute a CRC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kernel {
    /// Bit by bit: the definition, to test the others against.
    Bitwise = 1,
    /// Sixteen table look-ups for sixteen bytes: every CPU.
    Slicing = 2,
    /// The CPU's CRC instruction, eight bytes at a time: CRC-32C on x86-64 (SSE4.2), both on AArch64.
    Instruction = 3,
    /// Folding by carry-less multiplication, 8 x 16 bytes at a time: x86-64 with PCLMULQDQ and SSE4.2, AArch64 with
    /// PMULL and CRC32, POWER8 and later (little-endian).
    Fold128 = 4,
    /// The same, 4 x 32 bytes at a time: x86-64 with VPCLMULQDQ and AVX2.
    Fold256 = 5,
    /// The same, 4 x 64 bytes at a time: x86-64 with VPCLMULQDQ and AVX-512.
    Fold512 = 6,
    /// The same, with four streams of the CRC instruction beside it: CRC-32C there.
    Fused512 = 7,
}

/// All kernels by their number, slowest first.
const ALL: [Kernel; 7] = [
    Kernel::Bitwise,
    Kernel::Slicing,
    Kernel::Instruction,
    Kernel::Fold128,
    Kernel::Fold256,
    Kernel::Fold512,
    Kernel::Fused512,
];

impl Kernel {
    /// The kernels that this CPU runs for `P`, slowest first.
    pub fn available<P: Polynomial>() -> impl Iterator<Item = Kernel> {
        ALL.into_iter().filter(|kernel| kernel.is_available::<P>())
    }

    /// Whether this CPU runs the kernel for `P`.
    #[must_use]
    pub fn is_available<P: Polynomial>(self) -> bool {
        match self {
            Kernel::Bitwise | Kernel::Slicing => true,
            #[cfg(target_arch = "x86_64")]
            kernel => x86::is_available::<P>(kernel),
            #[cfg(target_arch = "aarch64")]
            kernel => aarch64::is_available(kernel),
            #[cfg(all(target_arch = "powerpc64", target_endian = "little"))]
            kernel => kernel == Kernel::Fold128 && powerpc64::is_available(),
            #[cfg(not(any(
                target_arch = "x86_64",
                target_arch = "aarch64",
                all(target_arch = "powerpc64", target_endian = "little")
            )))]
            _ => false,
        }
    }

    /// The fastest kernel of this CPU for `P`.
    #[inline]
    #[must_use]
    pub fn best<P: Polynomial>() -> Kernel {
        // Relaxed: the number stands for itself, and threads that race store the same one. 0 is not chosen yet.
        let chosen = P::chosen().load(Ordering::Relaxed);
        match ALL.get(usize::from(chosen).wrapping_sub(1)) {
            Some(kernel) => *kernel,
            None => Self::choose::<P>(),
        }
    }

    #[cold]
    fn choose<P: Polynomial>() -> Kernel {
        let best = Self::available::<P>().last().unwrap_or(Kernel::Slicing);
        P::chosen().store(best as u8, Ordering::Relaxed);
        best
    }

    /// Advances the register `state` over `data`. The kernel must be available: see [`Kernel::is_available`].
    #[inline]
    pub(crate) fn run<P: Polynomial>(self, state: u32, data: &[u8]) -> u32 {
        match self {
            Kernel::Bitwise => slicing::bitwise::<P>(state, data),
            Kernel::Slicing => slicing::slicing::<P>(state, data),
            // SAFETY: kernels reach this point from `best` or an assertion, both of which asked `is_available`.
            #[cfg(target_arch = "x86_64")]
            kernel => unsafe { x86::run::<P>(kernel, state, data) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            kernel => unsafe { aarch64::run::<P>(kernel, state, data) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "powerpc64", target_endian = "little"))]
            _ => unsafe { powerpc64::fold::<P>(state, data) },
            #[cfg(not(any(
                target_arch = "x86_64",
                target_arch = "aarch64",
                all(target_arch = "powerpc64", target_endian = "little")
            )))]
            _ => unreachable!("no such kernel on this architecture"),
        }
    }
}
