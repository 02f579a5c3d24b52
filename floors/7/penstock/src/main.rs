//! The one binary: `penstock serve` and its tools, thin faces over the rooms.

#![forbid(unsafe_code)]

fn main() {}
