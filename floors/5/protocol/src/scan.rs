//! Counts answers in a stream of bytes without taking them apart: for clients that must cost little.
//!
//! Packets are told apart by their headers, the first byte of each says what it is. Nothing is copied; the visitor sees
//! the payloads that it asks for in place. One result a command, end of rows by an OK packet
//! (`DEPRECATE_EOF` agreed), no packet of 16 MiB.
//!
//! ```text
//! answer: OK | ERR | column count, column definitions, rows ..., (OK | ERR)
//! ```

use crate::ProtocolError;
use crate::packet::{HEADER, MAX_PAYLOAD};
use crate::wire::Reader;

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<'a> {
    /// An OK packet, the whole payload.
    Ok(&'a [u8]),
    /// A result with so many rows.
    Rows(u64),
    /// An ERR packet, the whole payload; perhaps behind rows.
    Err(&'a [u8]),
}

/// What looks at answers while they are scanned.
pub trait Visit {
    /// A row's payload.
    #[inline]
    fn row(&mut self, _payload: &[u8]) {}

    /// The end of an answer.
    fn answer(&mut self, answer: Answer<'_>);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    Columns(u64),
    Rows(u64),
}

/// Where in an answer the stream is.
#[derive(Debug)]
pub struct Scanner {
    state: State,
    seq: u8,
}

impl Default for Scanner {
    fn default() -> Scanner {
        Scanner { state: State::Head, seq: 1 }
    }
}

impl Scanner {
    /// At the front of an answer.
    pub fn new() -> Scanner {
        Scanner::default()
    }

    /// Looks at all whole packets in `bytes`; returns the bytes that they take. What is behind them belongs in front of
    /// the next call's bytes.
    #[inline]
    pub fn scan(&mut self, bytes: &[u8], visit: &mut impl Visit) -> Result<usize, ProtocolError> {
        let mut at = 0;
        while let Some(header) = bytes[at..].first_chunk::<HEADER>() {
            let word = u32::from_le_bytes(*header);
            let length = (word & 0xFF_FFFF) as usize;
            let seq = (word >> 24) as u8;
            if seq != self.seq {
                return Err(ProtocolError::OutOfOrder { expected: self.seq, found: seq });
            }
            if length == MAX_PAYLOAD {
                return Err(ProtocolError::TooLarge { limit: MAX_PAYLOAD - 1 });
            }
            let Some(payload) = bytes.get(at + HEADER..at + HEADER + length) else { break };
            self.seq = seq.wrapping_add(1);
            self.packet(payload, visit)?;
            at += HEADER + length;
        }
        Ok(at)
    }

    #[inline]
    fn packet(&mut self, payload: &[u8], visit: &mut impl Visit) -> Result<(), ProtocolError> {
        let first = *payload.first().ok_or(ProtocolError::Truncated("packet mark"))?;
        match self.state {
            State::Columns(1) => self.state = State::Rows(0),
            State::Columns(left) => self.state = State::Columns(left - 1),
            State::Rows(rows) => match first {
                0xFE => self.end(Answer::Rows(rows), visit),
                0xFF => self.end(Answer::Err(payload), visit),
                _ => {
                    self.state = State::Rows(rows + 1);
                    visit.row(payload);
                }
            },
            State::Head => match first {
                0x00 => self.end(Answer::Ok(payload), visit),
                0xFF => self.end(Answer::Err(payload), visit),
                1..=0xFA => self.state = State::Columns(u64::from(first)),
                // Wide results; the mark of LOAD DATA LOCAL is malformed here.
                _ => match Reader::new(payload).lenenc("column count")? {
                    0 => return Err(ProtocolError::Malformed("column count")),
                    columns => self.state = State::Columns(columns),
                },
            },
        }
        Ok(())
    }

    #[inline]
    fn end(&mut self, answer: Answer<'_>, visit: &mut impl Visit) {
        self.state = State::Head;
        self.seq = 1;
        visit.answer(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::PacketBuffer;
    use proptest::prelude::*;

    #[derive(Default, Debug, PartialEq, Eq, Clone)]
    struct Seen {
        rows: Vec<Vec<u8>>,
        answers: Vec<String>,
    }

    impl Visit for Seen {
        fn row(&mut self, payload: &[u8]) {
            self.rows.push(payload.to_vec());
        }
        fn answer(&mut self, answer: Answer<'_>) {
            self.answers.push(format!("{answer:?}"));
        }
    }

    /// An answer made of payloads.
    fn answer(out: &mut PacketBuffer, payloads: &[&[u8]]) {
        out.set_seq(1);
        for payload in payloads {
            out.begin().extend_from_slice(payload);
            out.end();
        }
    }

    fn stream() -> Vec<u8> {
        let mut out = PacketBuffer::new();
        answer(&mut out, &[&[0, 0, 0, 2, 0, 0, 0]]);
        answer(
            &mut out,
            &[&[2], b"\x03def", b"\x03def", b"\x011\x012", b"\x013\x014", &[0xFE, 0, 0, 2, 0, 0, 0]],
        );
        answer(&mut out, &[&[0xFF, 0x28, 4, b'#']]);
        answer(&mut out, &[&[1], b"\x03def", &[0xFF, 1, 2]]);
        answer(&mut out, &[&[1], b"\x03def", &[0xFE, 0, 0, 2, 0, 0, 0]]);
        out.bytes().to_vec()
    }

    fn scan_in_pieces(bytes: &[u8], cuts: &[usize]) -> Seen {
        let (mut scanner, mut seen, mut buffer) = (Scanner::new(), Seen::default(), Vec::new());
        let mut from = 0;
        for &to in cuts.iter().chain([&bytes.len()]) {
            buffer.extend_from_slice(&bytes[from..to]);
            let used = scanner.scan(&buffer, &mut seen).expect("scan");
            buffer.drain(..used);
            from = to;
        }
        assert!(buffer.is_empty());
        seen
    }

    #[test]
    fn answers_are_told_apart() {
        let seen = scan_in_pieces(&stream(), &[]);
        assert_eq!(seen.rows, [b"\x011\x012", b"\x013\x014"]);
        assert_eq!(
            seen.answers,
            ["Ok([0, 0, 0, 2, 0, 0, 0])", "Rows(2)", "Err([255, 40, 4, 35])", "Err([255, 1, 2])", "Rows(0)"]
        );
    }

    #[test]
    fn packets_out_of_order_are_refused() {
        let mut bytes = stream();
        bytes[3] = 2;
        let refused = Scanner::new().scan(&bytes, &mut Seen::default());
        assert_eq!(refused, Err(ProtocolError::OutOfOrder { expected: 1, found: 2 }));
    }

    proptest! {
        #[test]
        fn any_cut_gives_the_same(mut cuts in proptest::collection::vec(0usize..stream().len(), 0..20)) {
            cuts.sort_unstable();
            prop_assert_eq!(scan_in_pieces(&stream(), &cuts), scan_in_pieces(&stream(), &[]));
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            if let Ok(used) = Scanner::new().scan(&bytes, &mut Seen::default()) {
                prop_assert!(used <= bytes.len());
            }
        }
    }
}
