//! Calls that take long by the size of what they are given: megabytes of text, a document, a pattern over a long text.
//!
//! What can be done piece by piece makes way, and looks for KILL and limits of time, between the pieces. The rest is
//! computed on a helper thread, while the event loop serves others; KILL reaches it through [`Stop`].

use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::Stop;
use std::borrow::Cow;
use types::{Charset, StrValue};

/// Calls over fewer bytes are made where they are: they end within a time slice or so.
pub const LONG_BYTES: usize = 64 << 10;

/// Makes a call that only computes over `bytes` bytes. What it gives when it was told to stop does not matter: the
/// statement ends.
pub fn beside<T: Send>(
    cx: &mut Cx<'_>,
    bytes: usize,
    work: impl FnOnce(&Stop) -> T + Send,
) -> Result<T, SqlError> {
    let stop = cx.state.stop();
    let value = aside(bytes, || work(&stop));
    if stop.is_set() {
        cx.check_interrupt()?;
    }
    Ok(value)
}

/// Computes over `bytes` bytes: what nobody looks up from, and nothing stops.
pub fn aside<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    match bytes < LONG_BYTES {
        true => work(),
        false => runtime::compute(work),
    }
}

/// Does something to a text piece by piece, each of whole characters.
pub fn by_pieces(
    cx: &mut Cx<'_>,
    charset: Charset,
    bytes: &[u8],
    mut work: impl FnMut(&[u8]),
) -> Result<(), SqlError> {
    let mut from = 0;
    while from < bytes.len() {
        let end = charset.boundary(bytes, from + LONG_BYTES);
        work(&bytes[from..end]);
        from = end;
        if from < bytes.len() {
            cx.check_interrupt()?;
        }
    }
    Ok(())
}

/// A text in another character set, and where the first character stands that it lacks.
pub fn converted<'s>(
    cx: &mut Cx<'_>,
    text: &'s StrValue,
    to: Charset,
) -> Result<(Cow<'s, [u8]>, Option<usize>), SqlError> {
    let (from, bytes) = (text.collation.charset(), &text.bytes[..]);
    if from == Charset::Binary || from.same_bytes(to, bytes) {
        return Ok((from.convert_cow(bytes, to), None));
    }
    let (mut out, mut first_bad, mut at) = (Vec::with_capacity(bytes.len() + 8), None, 0);
    by_pieces(cx, from, bytes, |piece| {
        let piece_bad = from.convert_to(piece, to, &mut out).first_bad;
        first_bad = first_bad.or(piece_bad.map(|bad| at + bad));
        at += piece.len();
    })?;
    Ok((Cow::Owned(out), first_bad))
}
