//! Reading bytes from outside: every step checked, nothing allocated by a length found.

use crate::error::DecodeError;

/// A position in bytes to decode. All numbers are little-endian.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

type Decoded<T> = Result<T, DecodeError>;

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0 }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    pub fn error(&self, what: &'static str) -> DecodeError {
        DecodeError { what, at: self.at }
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize, what: &'static str) -> Decoded<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..count).ok_or_else(|| self.error(what))?;
        self.at += count;
        Ok(taken)
    }

    /// As [`Cursor::take`], for a length that came as a wide number.
    pub fn take_long(&mut self, count: u64, what: &'static str) -> Decoded<&'a [u8]> {
        let count = usize::try_from(count).map_err(|_| self.error(what))?;
        self.take(count, what)
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    fn number(&mut self, width: usize, what: &'static str) -> Decoded<u64> {
        let bytes = self.take(width, what)?;
        Ok(bytes.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
    }

    pub fn u8(&mut self, what: &'static str) -> Decoded<u8> {
        Ok(self.take(1, what)?[0])
    }

    pub fn u16(&mut self, what: &'static str) -> Decoded<u16> {
        Ok(self.number(2, what)? as u16)
    }

    pub fn u24(&mut self, what: &'static str) -> Decoded<u32> {
        Ok(self.number(3, what)? as u32)
    }

    pub fn u32(&mut self, what: &'static str) -> Decoded<u32> {
        Ok(self.number(4, what)? as u32)
    }

    pub fn u48(&mut self, what: &'static str) -> Decoded<u64> {
        self.number(6, what)
    }

    pub fn u64(&mut self, what: &'static str) -> Decoded<u64> {
        self.number(8, what)
    }

    /// A length-encoded integer: one byte below 251, else 0xFC, 0xFD, 0xFE and 2, 3, 8 bytes.
    pub fn lenenc(&mut self, what: &'static str) -> Decoded<u64> {
        match self.u8(what)? {
            0xFC => self.number(2, what),
            0xFD => self.number(3, what),
            0xFE => self.number(8, what),
            byte @ 0..=250 => Ok(u64::from(byte)),
            0xFB | 0xFF => Err(DecodeError { what, at: self.at - 1 }),
        }
    }

    /// A one-byte length and that many bytes.
    pub fn short_string(&mut self, what: &'static str) -> Decoded<&'a [u8]> {
        let length = self.u8(what)?;
        self.take(usize::from(length), what)
    }

    /// A zero byte that must be there.
    pub fn zero(&mut self, what: &'static str) -> Decoded<()> {
        match self.take(1, what)? {
            [0] => Ok(()),
            _ => Err(DecodeError { what, at: self.at - 1 }),
        }
    }
}

/// Appends a length-encoded integer.
pub(crate) fn put_lenenc(out: &mut Vec<u8>, value: u64) {
    match value {
        0..=250 => out.push(value as u8),
        251..=0xFFFF => {
            out.push(0xFC);
            out.extend_from_slice(&(value as u16).to_le_bytes());
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            out.extend_from_slice(&value.to_le_bytes()[..3]);
        }
        _ => {
            out.push(0xFE);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// Appends a six-byte number.
pub(crate) fn put_u48(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes()[..6]);
}

/// Appends a one-byte length and the bytes, cut to 255.
pub(crate) fn put_short_string(out: &mut Vec<u8>, text: &[u8]) {
    let text = &text[..text.len().min(255)];
    out.push(text.len() as u8);
    out.extend_from_slice(text);
}
