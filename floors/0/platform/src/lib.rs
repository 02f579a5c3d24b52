//! The only room that meets the kernel: files, directories, topology, clocks, memory, spinning.
//!
//! Everything above talks to storage through the traits [`file::Dir`] and [`file::File`]. They have two
//! implementations: [`file::RealDir`] over the operating system and [`sim::Disk`], a deterministic disk in
//! memory that loses, tears and misdirects what was not synced, and fails on demand.
//!
//! This room holds mechanism only: it neither knows what a page or an event is nor decides when to write one,
//! which thread goes where or how large a pool is.

pub mod clock;
pub mod file;
pub mod mem;
pub mod numa;
pub mod signals;
pub mod sim;
pub mod spin;
pub mod stack;
pub mod system;
pub mod topology;
