//! The engine as its users see it, over the simulated disk.

mod beside;
mod concurrent;
mod crash;
mod crash_concurrent;
mod ddl;
mod early_release;
mod fixture;
mod foreign;
mod isolation;
mod locking;
mod model;
mod online;
mod oracle;
mod owing;
mod rot;
mod rows;
