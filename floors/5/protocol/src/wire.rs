//! The protocol's basic encodings: little-endian integers, length-encoded integers and strings.
//!
//! ```text
//! lenenc integer:  n < 251: 1 byte | FC + 2 bytes | FD + 3 bytes | FE + 8 bytes   (FB: NULL in rows)
//! ```

use crate::ProtocolError;

/// Reads fields off the front of a packet's payload; every read names its field for the error.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the first byte of `payload`.
    pub fn new(payload: &'a [u8]) -> Self {
        Self { rest: payload }
    }

    /// Bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `n` bytes.
    pub fn bytes(&mut self, n: usize, field: &'static str) -> Result<&'a [u8], ProtocolError> {
        if n > self.rest.len() {
            return Err(ProtocolError::Truncated(field));
        }
        let (head, tail) = self.rest.split_at(n);
        self.rest = tail;
        Ok(head)
    }

    /// All bytes to the end of the packet.
    pub fn to_end(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// One byte.
    pub fn u8(&mut self, field: &'static str) -> Result<u8, ProtocolError> {
        Ok(self.bytes(1, field)?[0])
    }

    /// Two bytes, little-endian.
    pub fn u16(&mut self, field: &'static str) -> Result<u16, ProtocolError> {
        Ok(self.uint(2, field)? as u16)
    }

    /// Four bytes, little-endian.
    pub fn u32(&mut self, field: &'static str) -> Result<u32, ProtocolError> {
        Ok(self.uint(4, field)? as u32)
    }

    /// Eight bytes, little-endian.
    pub fn u64(&mut self, field: &'static str) -> Result<u64, ProtocolError> {
        self.uint(8, field)
    }

    fn uint(&mut self, size: usize, field: &'static str) -> Result<u64, ProtocolError> {
        let mut word = [0; 8];
        word[..size].copy_from_slice(self.bytes(size, field)?);
        Ok(u64::from_le_bytes(word))
    }

    /// A length-encoded integer; the NULL and error marks (FB, FF) are malformed here.
    pub fn lenenc(&mut self, field: &'static str) -> Result<u64, ProtocolError> {
        match self.u8(field)? {
            n @ 0..=0xFA => Ok(u64::from(n)),
            0xFC => self.uint(2, field),
            0xFD => self.uint(3, field),
            0xFE => self.uint(8, field),
            _ => Err(ProtocolError::Malformed(field)),
        }
    }

    /// A length-encoded string.
    pub fn lenenc_bytes(&mut self, field: &'static str) -> Result<&'a [u8], ProtocolError> {
        let n = self.lenenc(field)?;
        self.bytes(usize::try_from(n).map_err(|_| ProtocolError::Truncated(field))?, field)
    }

    /// A length-encoded string of a text row, or NULL.
    pub fn lenenc_or_null(&mut self, field: &'static str) -> Result<Option<&'a [u8]>, ProtocolError> {
        if self.rest.first() == Some(&0xFB) {
            self.rest = &self.rest[1..];
            return Ok(None);
        }
        self.lenenc_bytes(field).map(Some)
    }

    /// Bytes up to a zero byte, which is consumed.
    pub fn zero_terminated(&mut self, field: &'static str) -> Result<&'a [u8], ProtocolError> {
        let end = self.rest.iter().position(|&b| b == 0).ok_or(ProtocolError::Truncated(field))?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Ok(text)
    }
}

/// Appends a length-encoded integer.
#[inline]
pub fn put_lenenc(out: &mut Vec<u8>, n: u64) {
    match n {
        0..=0xFA => out.push(n as u8),
        0xFB..=0xFFFF => {
            out.push(0xFC);
            out.extend_from_slice(&(n as u16).to_le_bytes());
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            out.extend_from_slice(&(n as u32).to_le_bytes()[..3]);
        }
        _ => {
            out.push(0xFE);
            out.extend_from_slice(&n.to_le_bytes());
        }
    }
}

/// Appends a length-encoded string.
#[inline]
pub fn put_lenenc_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_lenenc(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lenenc_reads_back(n: u64, tail: Vec<u8>) {
            let mut out = Vec::new();
            put_lenenc(&mut out, n);
            out.extend_from_slice(&tail);
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.lenenc("n"), Ok(n));
            prop_assert_eq!(reader.to_end(), &tail[..]);
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            let mut reader = Reader::new(&bytes);
            while reader.lenenc_or_null("field").is_ok() && !reader.is_empty() {}
            let _ = Reader::new(&bytes).zero_terminated("text");
        }
    }

    #[test]
    fn boundaries_take_the_shortest_form() {
        for (n, len) in [(250, 1), (251, 3), (0xFFFF, 3), (0x1_0000, 4), (0xFF_FFFF, 4), (0x100_0000, 9)] {
            let mut out = Vec::new();
            put_lenenc(&mut out, n);
            assert_eq!(out.len(), len, "{n}");
        }
    }
}
