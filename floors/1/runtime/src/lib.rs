//! An event loop a core, fibers, timers, wait queues, time slices.
//!
//! Everything that waits in Penstock waits through this room: [`park`] and [`Waker`] below all, [`WaitQueue`] for
//! conditions, [`io`] for files, [`net`] for sockets, [`offload()`] for other blocking calls, [`compute`] for long computations. All of it works in a fiber,
//! which is parked while its loop serves others, and in a plain OS thread, which is parked itself: lower rooms, tools
//! and tests run without an event loop.
//!
//! A fiber stays on the loop that it was spawned on; what it does may move on to another loop, in a new fiber
//! ([`called_away`]). It runs until it waits, ends or makes way: code between two
//! waits is never interrupted by another fiber of its loop. Locks (`parking_lot`, latches) must not be held across a
//! wait; [`rank`] checks that in debug builds.
//!
//! The room does not know SQL, pages or packets.

#[cfg_attr(not(fibers), allow(dead_code))]
mod balance;
mod clock;
mod counters;
#[cfg(fibers)]
mod event_loop;
#[cfg(not(fibers))]
#[path = "thread_loop.rs"]
mod event_loop;
pub mod io;
pub mod net;
mod offload;
#[cfg_attr(not(fibers), allow(dead_code))]
mod protocol;
pub mod rank;
mod runtime;
mod task;
#[cfg(test)]
mod tests;
mod turn;
mod wait;

pub use balance::{Away, called_away};
pub use clock::{turn_time, turn_wall_time};
pub use counters::Counters;
pub use offload::{compute, offload, offload_unless_only, resumes};
pub use runtime::{Backend, JoinError, JoinHandle, Runtime, RuntimeOptions, ShutdownReport};
pub use task::{Waker, beside, park, park_until, sleep, slice_point, stack_is_low, stack_left, yield_now};
pub use turn::{SharedTurn, TogetherGuard, Turn, TurnGuard};
pub use wait::WaitQueue;

/// The index of the event loop that the caller runs on; `None` in a plain thread.
pub fn core_id() -> Option<usize> {
    event_loop::index_here()
}

/// What a panic said, as far as it said it in text.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(message) = panic.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = panic.downcast_ref::<String>() {
        message.clone()
    } else {
        "a panic without a message".to_owned()
    }
}
