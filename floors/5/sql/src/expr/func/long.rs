//! Calls that take long by the size of what they are given: a document of megabytes, a pattern over a long text.
//!
//! Nothing in them is a place where a fiber may make way, so they are made on a helper thread, while the event loop
//! serves others; KILL and limits of time reach them through [`Stop`].

use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::Stop;

/// Calls over fewer bytes are made where they are: they end within a time slice or so.
const LONG_BYTES: usize = 64 << 10;

/// Makes a call that only computes over `bytes` bytes. What it gives when it was told to stop does not matter: the
/// statement ends.
pub fn beside<T: Send>(
    cx: &mut Cx<'_>,
    bytes: usize,
    work: impl FnOnce(&Stop) -> T + Send,
) -> Result<T, SqlError> {
    let stop = cx.state.stop();
    let value = match bytes < LONG_BYTES {
        true => work(&stop),
        false => runtime::offload(|| work(&stop)),
    };
    if stop.is_set() {
        cx.check_interrupt()?;
    }
    Ok(value)
}
