//! CRC-32 (IEEE, for the log) and CRC-32C (Castagnoli, for pages): kernels for each CPU, chosen at run time.
//!
//! Both sums are reflected, start from all ones and end inverted, as in zlib and iSCSI. The two have their own
//! types, [`Crc32`] and [`Crc32c`], so that one cannot be continued as the other.
//!
//! A CRC is linear over GF(2): [`Crc::combine`] joins the sums of two parts in a time that depends on the
//! length's digits only, which lets the log sum an event's body before its place in the log is known.
//!
//! This room does not know what a page or an event is.
//!
//! ```
//! let whole = checksum::crc32(b"123456789");
//! assert_eq!(whole, 0xCBF4_3926);
//! assert_eq!(checksum::Crc32::new().update(b"1234").update(b"56789").value(), whole);
//! assert_eq!(checksum::Crc32::combine(checksum::crc32(b"1234"), checksum::crc32(b"56789"), 5), whole);
//! ```

mod crc;
mod kernel;
mod polynomial;
#[cfg(test)]
mod tests;

pub use crc::{Crc, Crc32, Crc32c, Zeros};
pub use kernel::Kernel;
pub use polynomial::{Castagnoli, Ieee, Polynomial};

/// The CRC-32 (IEEE) of `data`.
#[must_use]
pub fn crc32(data: &[u8]) -> u32 {
    Crc32::new().update(data).value()
}

/// The CRC-32C (Castagnoli) of `data`.
#[must_use]
pub fn crc32c(data: &[u8]) -> u32 {
    Crc32c::new().update(data).value()
}
