//! An event loop a core, fibers, timers, wait queues, time slices.
//!
//! Everything that waits in Penstock waits through this room: [`park`] and [`Waker`] below all, [`WaitQueue`] for
//! conditions, [`io`] for files. All of it works in a fiber, which is parked while its loop serves others, and in a
//! plain OS thread, which is parked itself: lower rooms, tools and tests run without an event loop.
//!
//! The room does not know SQL, pages or packets.

pub mod io;
mod offload;
pub mod rank;
mod task;
mod wait;

pub use offload::offload;
pub use task::{Waker, park, park_until, sleep, slice_point, yield_now};
pub use wait::WaitQueue;
