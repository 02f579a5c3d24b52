//! Framing.
//!
//! ```text
//! +----------------+-----+----------------------+
//! | length, 3 (LE) | seq | payload, length bytes|   a payload of 0xFFFFFF bytes goes on in the next packet
//! +----------------+-----+----------------------+
//! ```
//! A payload that is a multiple of 0xFFFFFF bytes long ends with an empty packet.

use crate::ProtocolError;

/// Bytes of a packet's header.
pub const HEADER: usize = 4;
/// Longest payload of one packet; a payload this long continues in the next packet.
pub const MAX_PAYLOAD: usize = 0xFF_FFFF;

/// What the front of an input buffer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Not a whole payload yet; `need` bytes at least must be in the buffer to get further.
    Partial {
        /// Bytes that the buffer must hold before it is worth looking again.
        need: usize,
    },
    /// A payload in one packet: it lies at `HEADER..HEADER + len`, and the next packet behind it.
    Single {
        /// Payload length in bytes.
        len: usize,
        /// Sequence number.
        seq: u8,
    },
    /// A payload spread over several packets, `total` bytes of buffer in all.
    Split {
        /// Bytes of buffer that the packets take, headers included.
        total: usize,
        /// Payload length in bytes.
        len: usize,
        /// Sequence number of the last packet.
        seq: u8,
    },
}

/// Looks for one payload at the front of `buffer`. Payloads longer than `limit` bytes are refused
/// as soon as their headers show it, before they are received; sequence numbers start at `first`.
pub fn frame(buffer: &[u8], limit: usize, first: u8) -> Result<Frame, ProtocolError> {
    let (mut at, mut len, mut seq) = (0, 0, first);
    loop {
        let Some(header) = buffer.get(at..at + HEADER) else {
            return Ok(Frame::Partial { need: at + HEADER });
        };
        let part = usize::from(header[0]) | usize::from(header[1]) << 8 | usize::from(header[2]) << 16;
        if header[3] != seq {
            return Err(ProtocolError::OutOfOrder { expected: seq, found: header[3] });
        }
        len += part;
        if len > limit {
            return Err(ProtocolError::TooLarge { limit });
        }
        if buffer.len() < at + HEADER + part {
            return Ok(Frame::Partial { need: at + HEADER + part });
        }
        if part < MAX_PAYLOAD {
            return Ok(match at {
                0 => Frame::Single { len, seq },
                _ => Frame::Split { total: at + HEADER + part, len, seq },
            });
        }
        at += HEADER + part;
        seq = seq.wrapping_add(1);
    }
}

/// Joins the parts of a [`Frame::Split`] of `total` buffer bytes into one payload.
pub fn join(buffer: &[u8], total: usize) -> Vec<u8> {
    let mut payload = Vec::with_capacity(total);
    let mut rest = &buffer[..total];
    while rest.len() >= HEADER {
        let part = usize::from(rest[0]) | usize::from(rest[1]) << 8 | usize::from(rest[2]) << 16;
        payload.extend_from_slice(&rest[HEADER..HEADER + part]);
        rest = &rest[HEADER + part..];
    }
    payload
}

/// Output of a session: packets put one behind the other, written to the socket at once.
#[derive(Debug, Default)]
pub struct PacketBuffer {
    bytes: Vec<u8>,
    start: usize,
    seq: u8,
}

/// A place between two packets, to go back to.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    len: usize,
    seq: u8,
}

impl PacketBuffer {
    /// An empty buffer; the next packet gets sequence number 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next packet gets this sequence number.
    pub fn set_seq(&mut self, seq: u8) {
        self.seq = seq;
    }

    /// The sequence number that the next packet gets.
    pub fn seq(&self) -> u8 {
        self.seq
    }

    /// Opens a packet; its payload is what is appended to the returned vector.
    #[inline]
    pub fn begin(&mut self) -> &mut Vec<u8> {
        self.start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; HEADER]);
        &mut self.bytes
    }

    /// The open packet's vector, to append more to it.
    #[inline]
    pub fn payload(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Where the next packet begins.
    pub fn mark(&self) -> Mark {
        Mark { len: self.bytes.len(), seq: self.seq }
    }

    /// Takes back all packets behind a mark.
    pub fn take_back(&mut self, to: Mark) {
        self.bytes.truncate(to.len);
        self.seq = to.seq;
    }

    /// Takes the open packet back.
    pub fn abandon(&mut self) {
        self.bytes.truncate(self.start);
    }

    /// Closes the open packet: fills in its header, splits it where it is too long for one.
    #[inline]
    pub fn end(&mut self) {
        let len = self.bytes.len() - self.start - HEADER;
        if len >= MAX_PAYLOAD {
            return self.end_split(len);
        }
        self.put_header(self.start, len);
    }

    #[inline]
    fn put_header(&mut self, at: usize, len: usize) {
        let header = (len as u32).to_le_bytes();
        self.bytes[at..at + 3].copy_from_slice(&header[..3]);
        self.bytes[at + 3] = self.seq;
        self.seq = self.seq.wrapping_add(1);
    }

    #[cold]
    fn end_split(&mut self, len: usize) {
        let payload = self.bytes.split_off(self.start + HEADER);
        self.bytes.truncate(self.start);
        self.bytes.reserve(len + HEADER * (len / MAX_PAYLOAD + 1));
        let mut parts = payload.chunks(MAX_PAYLOAD).peekable();
        while let Some(part) = parts.next() {
            let at = self.bytes.len();
            self.bytes.extend_from_slice(&[0; HEADER]);
            self.put_header(at, part.len());
            self.bytes.extend_from_slice(part);
            if part.len() == MAX_PAYLOAD && parts.peek().is_none() {
                let at = self.bytes.len();
                self.bytes.extend_from_slice(&[0; HEADER]);
                self.put_header(at, 0);
            }
        }
    }

    /// Bytes ready to be written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Length in bytes of what is ready to be written.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing waits to be written.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Cuts the output back to `len` bytes and the next sequence number to `seq`: a reply that
    /// turned into an error takes its unsent packets back.
    pub fn rewind(&mut self, len: usize, seq: u8) {
        self.bytes.truncate(len);
        self.seq = seq;
    }

    /// Forgets what was written; memory beyond `keep` bytes is given back.
    pub fn clear(&mut self, keep: usize) {
        self.bytes.clear();
        self.bytes.shrink_to(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packets(payload: &[u8]) -> Vec<u8> {
        let mut out = PacketBuffer::new();
        out.begin().extend_from_slice(payload);
        out.end();
        out.bytes().to_vec()
    }

    #[test]
    fn long_payloads_split_and_join() {
        for len in [0, 1, MAX_PAYLOAD - 1, MAX_PAYLOAD, MAX_PAYLOAD + 1, 2 * MAX_PAYLOAD] {
            let payload: Vec<u8> = (0..len).map(|i| (i * 7) as u8).collect();
            let bytes = packets(&payload);
            match frame(&bytes, usize::MAX, 0).unwrap() {
                Frame::Single { len: n, .. } => assert_eq!(&bytes[HEADER..HEADER + n], payload),
                Frame::Split { total, len: n, .. } => {
                    assert_eq!((total, n), (bytes.len(), len));
                    assert_eq!(join(&bytes, total), payload);
                }
                partial => panic!("{len}: {partial:?}"),
            }
        }
    }

    #[test]
    fn a_long_payload_is_refused_by_its_header() {
        let header = [0xFF, 0xFF, 0xFF, 0];
        assert_eq!(frame(&header, 1024, 0), Err(ProtocolError::TooLarge { limit: 1024 }));
        assert_eq!(frame(&[1, 0, 0, 3], 1024, 0), Err(ProtocolError::OutOfOrder { expected: 0, found: 3 }));
    }

    proptest! {
        #[test]
        fn any_bytes_frame_without_panic(bytes: Vec<u8>, limit in 0usize..1 << 25, seq: u8) {
            match frame(&bytes, limit, seq) {
                Ok(Frame::Single { len, .. }) => prop_assert!(HEADER + len <= bytes.len()),
                Ok(Frame::Partial { need }) => prop_assert!(need > bytes.len()),
                _ => {}
            }
        }
    }
}
