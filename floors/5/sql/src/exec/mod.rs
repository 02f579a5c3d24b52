//! Running plans: rows pushed through joins, grouping, ordering and out.

pub mod cx;

pub use cx::Cx;
