//! The ways to compute a CRC, and which of them this CPU runs best.

use std::sync::atomic::Ordering;

use crate::polynomial::Polynomial;

mod slicing;

/// A way to compute a CRC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kernel {
    /// Bit by bit: the definition, to test the others against.
    Bitwise = 1,
    /// Sixteen table look-ups for sixteen bytes: every CPU.
    Slicing = 2,
}

/// All kernels, slowest first.
const ALL: [Kernel; 2] = [Kernel::Bitwise, Kernel::Slicing];

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
        }
    }

    /// The fastest kernel of this CPU for `P`.
    #[must_use]
    pub fn best<P: Polynomial>() -> Kernel {
        // Relaxed: the number stands for itself, and threads that race store the same one.
        let chosen = P::chosen().load(Ordering::Relaxed);
        ALL.into_iter().find(|kernel| *kernel as u8 == chosen).unwrap_or_else(Self::choose::<P>)
    }

    #[cold]
    fn choose<P: Polynomial>() -> Kernel {
        let best = Self::available::<P>().last().unwrap_or(Kernel::Slicing);
        P::chosen().store(best as u8, Ordering::Relaxed);
        best
    }

    /// Advances the register `state` over `data`.
    pub(crate) fn run<P: Polynomial>(self, state: u32, data: &[u8]) -> u32 {
        match self {
            Kernel::Bitwise => slicing::bitwise::<P>(state, data),
            Kernel::Slicing => slicing::slicing::<P>(state, data),
        }
    }
}
