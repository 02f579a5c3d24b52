//! Hostile bytes for every decoder of the house.
//!
//! Bytes from outside (packets, log segments, pages, rows, text) go through total decoders: an error, never a
//! panic, a loop without end or an allocation that a peer sized. Each target here is one function over bytes, with
//! inputs to start from. `cargo fuzz run TARGET --features libfuzzer` hunts with libFuzzer for hours; the test
//! `brief` gives each target a fixed number of mutated inputs in every `cargo test`, on the stable toolchain, which
//! is why this crate is a member of the workspace though it is no room.

#![forbid(unsafe_code)]

pub mod binlog_segment;
pub mod database;
pub mod grammar;
pub mod mutate;
pub mod packet;
pub mod page_file;
pub mod row;
pub mod sql_binder;
pub mod sql_expression;
pub mod sql_session;
pub mod sql_text;
pub mod text;
pub mod tree_pages;

use mutate::{chosen, mutated, reworded};
use platform::sim::Rng;

/// The target that the module `name` is.
macro_rules! target {
    ($name:ident, $brief:expr, $mutate:expr) => {
        Target {
            name: stringify!($name),
            run: $name::run,
            seeds: $name::seeds,
            brief: $brief,
            mutate: $mutate,
            show: bytes,
        }
    };
    ($name:ident, $brief:expr, $mutate:expr, $show:expr) => {
        Target { show: $show, ..target!($name, $brief, $mutate) }
    };
}

/// An input as it stands.
fn bytes(input: &[u8]) -> String {
    input.escape_ascii().to_string()
}

/// A decoder, or several that take the same bytes.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, as `cargo fuzz run` takes it.
    pub name: &'static str,
    /// Gives the decoder these bytes.
    pub run: fn(&[u8]),
    /// Inputs that decode well.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// How many inputs the brief run makes: a second's worth or a few.
    pub brief: u32,
    /// Mutates good inputs.
    pub mutate: fn(&mut Rng, &[Vec<u8>]) -> Vec<u8>,
    /// What an input means, for complaints.
    pub show: fn(&[u8]) -> String,
}

/// All targets.
pub const TARGETS: [Target; 10] = [
    target!(binlog_segment, 20_000, mutated),
    target!(packet, 50_000, mutated),
    target!(page_file, 100, mutated),
    target!(row, 10_000, mutated),
    target!(sql_binder, 2500, chosen, sql_binder::text),
    target!(sql_expression, 6000, chosen, sql_expression::text),
    target!(sql_session, 6000, reworded),
    target!(sql_text, 10_000, mutated),
    target!(text, 1500, mutated),
    target!(tree_pages, 500, mutated),
];
