//! Tablespaces of MySQL 5.1 to 9 and MariaDB 10.2 to 11.
//!
//! `layout` reads the flags, `sums` has the formulas, `judge` says of a page whether it is sound and `diagnose` what
//! happened to one that is not; `detect` recognises a file, `space` checks one.

mod bytes;
mod detect;
mod diagnose;
mod extents;
mod header;
mod judge;
mod layout;
mod page_compressed;
mod redo;
mod rewrite;
mod space;
mod sums;
mod tally;
#[cfg(test)]
mod tests;

pub(crate) use detect::{HEAD_BYTES, detect};
pub(crate) use redo::{Redo, read_redo};
pub use rewrite::Counts;
pub(crate) use rewrite::rewrite;
pub(crate) use space::SpaceJob;
pub use sums::Algorithm;
pub use tally::{IndexFill, KindCount, Summary};
