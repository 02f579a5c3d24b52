//! Hostile bytes for every decoder of the house.
//!
//! Bytes from outside (packets, log segments, pages, rows, text) go through total decoders: an error, never a
//! panic, a loop without end or an allocation that a peer sized. Each target here is one function over bytes, with
//! inputs to start from. `cargo fuzz run TARGET --features libfuzzer` hunts with libFuzzer for hours; the test
//! `brief` gives each target a fixed number of mutated inputs in every `cargo test`, on the stable toolchain, which
//! is why this crate is a member of the workspace though it is no room.

#![forbid(unsafe_code)]

pub mod binlog_segment;
pub mod mutate;
pub mod packet;
pub mod page_file;
pub mod row;
pub mod sql_text;
pub mod text;
pub mod tree_pages;

/// A decoder, or several that take the same bytes.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, as `cargo fuzz run` takes it.
    pub name: &'static str,
    /// Gives the decoder these bytes.
    pub run: fn(&[u8]),
    /// Inputs that decode well.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// How many inputs the brief run makes: about a second's worth.
    pub brief: u32,
}

/// All targets.
pub const TARGETS: [Target; 7] = [
    Target { name: "binlog_segment", run: binlog_segment::run, seeds: binlog_segment::seeds, brief: 20_000 },
    Target { name: "packet", run: packet::run, seeds: packet::seeds, brief: 50_000 },
    Target { name: "page_file", run: page_file::run, seeds: page_file::seeds, brief: 100 },
    Target { name: "row", run: row::run, seeds: row::seeds, brief: 10_000 },
    Target { name: "sql_text", run: sql_text::run, seeds: sql_text::seeds, brief: 10_000 },
    Target { name: "text", run: text::run, seeds: text::seeds, brief: 1500 },
    Target { name: "tree_pages", run: tree_pages::run, seeds: tree_pages::seeds, brief: 500 },
];
