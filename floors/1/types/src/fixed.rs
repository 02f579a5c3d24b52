//! Types of a fixed number of bytes with a text of their own: UUID, INET4, INET6.
//!
//! Values are kept as their text reads. Rows and keys hold them in the order in which MariaDB sorts, which for UUIDs of
//! versions 1 to 5 puts the node first and the low part of the time last:
//!
//! ```text
//! text     aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee
//! stored   eeeeeeeeeeee dddd cccc bbbb aaaaaaaa
//! ```

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::net::Ipv6Addr;

use serde::{Deserialize, Serialize};

/// Bytes of the longest type.
const LONGEST: usize = 16;

/// One of the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FixedType {
    /// UUID.
    Uuid,
    /// INET4.
    Inet4,
    /// INET6.
    Inet6,
}

impl FixedType {
    const ALL: [FixedType; 3] = [FixedType::Uuid, FixedType::Inet4, FixedType::Inet6];

    /// By its position among the variants.
    pub fn by_number(number: u8) -> Option<FixedType> {
        FixedType::ALL.get(usize::from(number)).copied()
    }

    /// By name in any case.
    pub fn by_name(name: &str) -> Option<FixedType> {
        FixedType::ALL.into_iter().find(|ty| ty.name().eq_ignore_ascii_case(name))
    }

    /// The name in definitions and messages.
    pub const fn name(self) -> &'static str {
        match self {
            FixedType::Uuid => "uuid",
            FixedType::Inet4 => "inet4",
            FixedType::Inet6 => "inet6",
        }
    }

    /// Bytes of a value.
    pub const fn size(self) -> usize {
        match self {
            FixedType::Inet4 => 4,
            FixedType::Uuid | FixedType::Inet6 => LONGEST,
        }
    }

    /// Characters of the longest text.
    pub const fn text_length(self) -> u32 {
        match self {
            FixedType::Uuid => 36,
            FixedType::Inet4 => 15,
            FixedType::Inet6 => 39,
        }
    }

    /// The value of all zero bytes.
    pub const fn zero(self) -> FixedValue {
        FixedValue { ty: self, bytes: [0; LONGEST] }
    }

    /// Reads a text.
    pub fn parse(self, text: &[u8]) -> Option<FixedValue> {
        match self {
            FixedType::Uuid => self.from_bytes(&parse_uuid(text)?),
            FixedType::Inet4 => self.from_bytes(&parse_inet4(text)?),
            FixedType::Inet6 => {
                self.from_bytes(&std::str::from_utf8(text).ok()?.parse::<Ipv6Addr>().ok()?.octets())
            }
        }
    }

    /// A value of its bytes in the text's order.
    pub fn from_bytes(self, bytes: &[u8]) -> Option<FixedValue> {
        if bytes.len() != self.size() {
            return None;
        }
        let mut value = self.zero();
        value.bytes[..bytes.len()].copy_from_slice(bytes);
        let confusable =
            self == FixedType::Uuid && value.bytes[6] >= 0x80 && (1..=0x80).contains(&value.bytes[8]);
        // Such bytes would read as those of a turned UUID.
        (!confusable).then_some(value)
    }

    /// A value of its stored bytes; zero bytes at the end may be left out.
    pub fn from_stored(self, stored: &[u8]) -> Option<FixedValue> {
        let mut value = self.zero();
        value.bytes.get_mut(..self.size())?.get_mut(..stored.len())?.copy_from_slice(stored);
        if self == FixedType::Uuid && value.bytes[6] & 0x80 != 0 && (1..0x60).contains(&value.bytes[8]) {
            let b = value.bytes;
            value.bytes[..4].copy_from_slice(&b[12..]);
            value.bytes[4..6].copy_from_slice(&b[10..12]);
            value.bytes[6..8].copy_from_slice(&b[8..10]);
            value.bytes[8..10].copy_from_slice(&b[6..8]);
            value.bytes[10..].copy_from_slice(&b[..6]);
        }
        Some(value)
    }
}

/// A value of one of the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FixedValue {
    /// Its type.
    pub ty: FixedType,
    /// In the text's order; zeros behind the type's size.
    bytes: [u8; LONGEST],
}

impl FixedValue {
    /// The bytes in the text's order.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.ty.size()]
    }

    /// The bytes in the order of rows and keys, zeros behind the type's size.
    fn turned(&self) -> [u8; LONGEST] {
        let b = self.bytes;
        let turns = self.ty == FixedType::Uuid && (1..0x60).contains(&b[6]) && b[8] & 0x80 != 0;
        match turns {
            false => b,
            true => [
                b[10], b[11], b[12], b[13], b[14], b[15], b[8], b[9], b[6], b[7], b[4], b[5], b[0], b[1],
                b[2], b[3],
            ],
        }
    }

    /// Appends the bytes in the order of rows and keys.
    pub fn append_stored(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.turned()[..self.ty.size()]);
    }

    /// Appends the text.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self.ty {
            FixedType::Uuid => {
                for (i, byte) in self.bytes.iter().enumerate() {
                    if matches!(i, 4 | 6 | 8 | 10) {
                        out.push(b'-');
                    }
                    out.extend([byte >> 4, byte & 15].map(|n| b"0123456789abcdef"[usize::from(n)]));
                }
            }
            FixedType::Inet4 => {
                let [a, b, c, d, ..] = self.bytes;
                out.extend_from_slice(format!("{a}.{b}.{c}.{d}").as_bytes());
            }
            FixedType::Inet6 => out.extend_from_slice(inet6_text(&self.bytes).as_bytes()),
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        let mut text = Vec::new();
        self.write(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl PartialOrd for FixedValue {
    fn partial_cmp(&self, other: &FixedValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FixedValue {
    fn cmp(&self, other: &FixedValue) -> Ordering {
        self.turned().cmp(&other.turned())
    }
}

/// 32 hexadecimal digits; hyphens may stand between them.
fn parse_uuid(text: &[u8]) -> Option<[u8; LONGEST]> {
    let mut bytes = [0; LONGEST];
    let mut digits = 0;
    if text.first() == Some(&b'-') || text.last() == Some(&b'-') {
        return None;
    }
    for c in text.iter().filter(|c| **c != b'-') {
        let digit = char::from(*c).to_digit(16)? as u8;
        let byte = bytes.get_mut(digits / 2)?;
        *byte = *byte << 4 | digit;
        digits += 1;
    }
    (digits == 2 * LONGEST).then_some(bytes)
}

/// Four decimal numbers of up to three digits; zeros may lead.
pub fn parse_inet4(text: &[u8]) -> Option<[u8; 4]> {
    let mut bytes = [0; 4];
    let mut parts = text.split(|b| *b == b'.');
    for byte in &mut bytes {
        let part = parts.next().filter(|part| (1..=3).contains(&part.len()))?;
        let digits = part.iter().all(u8::is_ascii_digit).then_some(part)?;
        *byte = u8::try_from(digits.iter().fold(0, |n, d| n * 10 + u16::from(d - b'0'))).ok()?;
    }
    parts.next().is_none().then_some(bytes)
}

/// An IPv6 address: the longest run of zero groups as `::`, an IPv4 address at the end where the run says that it is one.
pub fn inet6_text(bytes: &[u8; 16]) -> String {
    let groups: [u16; 8] = std::array::from_fn(|i| u16::from_be_bytes([bytes[2 * i], bytes[2 * i + 1]]));
    let (mut best, mut at) = (0..0, 0);
    while at < groups.len() {
        let len = groups[at..].iter().take_while(|group| **group == 0).count();
        if len > best.len() {
            best = at..at + len;
        }
        at += len.max(1);
    }
    let mut text = String::new();
    let mut i = 0;
    while i < groups.len() {
        if best.contains(&i) {
            text.push_str(if i == 0 { "::" } else { ":" });
            i = best.end;
            continue;
        }
        let mapped = best == (0..5) && groups[5] == 0xFFFF;
        if i == 6 && (best == (0..6) || mapped) {
            let _ = write!(text, "{}.{}.{}.{}", bytes[12], bytes[13], bytes[14], bytes[15]);
            return text;
        }
        let _ = write!(text, "{:x}", groups[i]);
        i += 1;
        if i < groups.len() {
            text.push(':');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(ty: FixedType, text: &str) -> String {
        ty.parse(text.as_bytes()).map_or("none".into(), |value| {
            let mut stored = Vec::new();
            value.append_stored(&mut stored);
            assert_eq!(ty.from_stored(&stored), Some(value));
            value.text()
        })
    }

    #[test]
    fn texts_are_read_and_written() {
        let uuid = "123e4567-e89b-12d3-a456-426655440000";
        assert_eq!(round(FixedType::Uuid, uuid), uuid);
        assert_eq!(round(FixedType::Uuid, "1-23E4567E89B12D3A45642665544000-0"), uuid);
        assert_eq!(round(FixedType::Uuid, "-123e4567e89b12d3a456426655440000"), "none");
        assert_eq!(round(FixedType::Uuid, "00000001-0002-8003-8004-000000000005"), "none");
        assert_eq!(round(FixedType::Inet4, "01.2.3.04"), "1.2.3.4");
        assert_eq!(round(FixedType::Inet4, "1.2.3.256"), "none");
        for (text, shown) in [
            ("::1", "::1"),
            ("::1:2", "::0.1.0.2"),
            ("1::", "1::"),
            ("0:0:0:1:0:0:0:0", "0:0:0:1::"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
            ("::ffff:0:0", "::ffff:0.0.0.0"),
            ("::", "::"),
            ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
        ] {
            assert_eq!(round(FixedType::Inet6, text), shown);
        }
    }

    #[test]
    fn uuids_of_time_order_by_node_first() {
        let uuid = |text: &str| FixedType::Uuid.parse(text.as_bytes()).unwrap();
        let order = [
            "ffff0001-0002-4003-8004-000000000001",
            "00000001-0002-1003-8004-000000000005",
            "00000001-0002-1003-c004-000000000006",
            "00000001-0002-0003-8004-000000000006",
            "00000001-0002-6003-8004-000000000005",
            "00000001-0002-7003-8004-000000000009",
            "00000001-0002-1003-8004-f00000000005",
            "f0000001-0002-7003-8004-000000000001",
        ];
        assert!(order.windows(2).all(|pair| uuid(pair[0]) < uuid(pair[1])));
    }
}
