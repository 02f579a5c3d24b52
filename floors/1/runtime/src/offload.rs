//! Calls that block in the kernel, made by helper threads so that an event loop does not stand still.

/// Runs `work` where it may block: on a helper thread while the calling fiber is parked, or right here in a thread.
///
/// A panic of `work` continues in the caller.
pub fn offload<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    crate::rank::assert_none_held();
    work()
}
