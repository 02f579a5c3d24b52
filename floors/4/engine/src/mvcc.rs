//! Versions: who may see which change.
//!
//! A snapshot is a commit number `s`: it sees the changes of all commits up to `s`. Trees hold the newest committed
//! version of each entry ([`entry`]); older ones live in memory ([`versions`]) until no snapshot can want them
//! ([`purge`]). Which snapshots exist is told by the sessions' slots ([`slots`]), which commits can be seen by the
//! watermark ([`watermark`]).

pub(crate) mod entry;
pub(crate) mod purge;
pub(crate) mod slots;
pub(crate) mod versions;
pub(crate) mod watermark;
