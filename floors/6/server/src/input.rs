//! What a client has sent and the server has not dealt with yet.

use crate::status::{Counter, Status};
use crate::wire;
use protocol::ProtocolError;
use protocol::packet::{Frame, HEADER, PacketBuffer, frame, join};
use runtime::net::Stream;
use std::time::Instant;

/// Received bytes, dealt with payload by payload.
#[derive(Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    /// How many of them were dealt with.
    consumed: usize,
    /// Bytes that were dealt with and let go since the connection began.
    passed: u64,
}

/// A payload taken from the input.
pub enum Payload {
    /// It lies here, until the next one is asked for.
    Here(std::ops::Range<usize>),
    /// It came in several packets.
    Joined(Vec<u8>),
}

/// What the input has.
pub enum Next {
    /// A payload, and the number of its last packet.
    Whole(Payload, u8),
    /// Not a whole one; so many bytes must be there to get further.
    Partial(usize),
}

impl Input {
    /// The next payload, if all of it has come. `first` is the number that its first packet must have.
    pub fn next(&mut self, limit: usize, first: u8) -> Result<Next, ProtocolError> {
        let waiting = &self.bytes[self.consumed..];
        Ok(match frame(waiting, limit, first)? {
            Frame::Single { len, seq } => {
                let start = self.consumed + HEADER;
                self.consumed = start + len;
                Next::Whole(Payload::Here(start..start + len), seq)
            }
            Frame::Split { total, seq, .. } => {
                let payload = join(waiting, total);
                self.consumed += total;
                Next::Whole(Payload::Joined(payload), seq)
            }
            Frame::Partial { need } => Next::Partial(need),
        })
    }

    /// Waits until `deadline` for more than what is there, of which a part of `need` bytes has come; false when the
    /// client is gone.
    pub fn fill(
        &mut self,
        stream: &Stream,
        need: usize,
        chunk: usize,
        deadline: Instant,
        status: &Status,
    ) -> bool {
        let want = self.make_room(need, chunk);
        stream.set_read_deadline(Some(deadline));
        let n = stream.read_to_vec(&mut self.bytes, want).unwrap_or(0);
        status.add(Counter::BytesReceived, n as u64);
        n > 0
    }

    /// As [`Input::fill`], once the client was sent what waits in `out`.
    pub fn answer_and_fill(
        &mut self,
        stream: &Stream,
        out: &mut PacketBuffer,
        need: usize,
        chunk: usize,
        deadline: Instant,
        status: &Status,
    ) -> bool {
        // The output's memory is held while the client says nothing.
        if out.len() > wire::KEEP {
            return wire::flush(stream, out, status).is_ok()
                && self.fill(stream, need, chunk, deadline, status);
        }
        let want = self.make_room(need, chunk);
        stream.set_read_deadline(Some(deadline));
        status.add(Counter::BytesSent, out.len() as u64);
        let n = stream.write_all_and_read(out.bytes(), &mut self.bytes, want).unwrap_or(0);
        out.clear(wire::KEEP);
        status.add(Counter::BytesReceived, n as u64);
        n > 0
    }

    /// Lets go what was dealt with, and says how many bytes to read: memory follows the bytes that came, not the length
    /// that a header promises: `chunk` more at first, then as many as there are.
    fn make_room(&mut self, need: usize, chunk: usize) -> usize {
        self.bytes.drain(..self.consumed);
        self.passed += std::mem::take(&mut self.consumed) as u64;
        if self.bytes.is_empty() {
            self.bytes.shrink_to(chunk);
        }
        let have = self.bytes.len();
        need.saturating_sub(have).clamp(chunk, have.max(chunk))
    }

    /// The bytes of a payload.
    pub fn payload<'a>(&'a self, payload: &'a Payload) -> &'a [u8] {
        match payload {
            Payload::Here(range) => &self.bytes[range.clone()],
            Payload::Joined(bytes) => bytes,
        }
    }

    /// Whether a whole packet waits.
    pub fn has_waiting(&self, limit: usize) -> bool {
        matches!(
            frame(&self.bytes[self.consumed..], limit, 0),
            Ok(Frame::Single { .. } | Frame::Split { .. })
        )
    }

    /// How many bytes of the connection's whole stream have been dealt with.
    pub fn position(&self) -> u64 {
        self.passed + self.consumed as u64
    }

    /// The payloads of the whole packets that wait, each a command's first, with their ends in the stream.
    pub fn waiting(&self, limit: usize) -> impl Iterator<Item = (u64, &[u8])> {
        let mut at = self.consumed;
        std::iter::from_fn(move || match frame(&self.bytes[at..], limit, 0) {
            Ok(Frame::Single { len, .. }) => {
                let start = at + HEADER;
                at = start + len;
                Some((self.passed + at as u64, &self.bytes[start..at]))
            }
            _ => None,
        })
    }
}
