//! What PCRE2 says of bytes that are no UTF-8 (its manual page `pcre2unicode`): those of a constant that counts as bytes
//! beside text, such as a geometry.

/// PCRE2's words for the first fault, and the byte at which its character begins.
pub fn fault(bytes: &[u8]) -> Option<(String, usize)> {
    let at = std::str::from_utf8(bytes).err()?.valid_up_to();
    let what = match of_character(&bytes[at..]) {
        Fault::Missing(1) => "1 byte missing at end".to_owned(),
        Fault::Missing(n) => format!("{n} bytes missing at end"),
        Fault::Continued(nth) => format!("byte {nth} top bits not 0x80"),
        Fault::Overlong(length) => format!("overlong {length}-byte sequence"),
        Fault::Long(length) => format!("{length}-byte character is not allowed (RFC 3629)"),
        Fault::Beyond => "code points greater than 0x10ffff are not defined".to_owned(),
        Fault::Surrogate => "code points 0xd800-0xdfff are not defined".to_owned(),
        Fault::Isolated => "isolated byte with 0x80 bit set".to_owned(),
        Fault::Illegal => "illegal byte (0xfe or 0xff)".to_owned(),
    };
    Some((format!("UTF-8 error: {what}"), at))
}

enum Fault {
    Missing(usize),
    /// The nth byte does not go on.
    Continued(usize),
    Overlong(usize),
    Long(usize),
    Beyond,
    Surrogate,
    Isolated,
    Illegal,
}

/// What is wrong with the character that bytes begin with.
fn of_character(bytes: &[u8]) -> Fault {
    let first = bytes[0];
    let length = match first {
        0xFE.. => return Fault::Illegal,
        0xFC.. => 6,
        0xF8.. => 5,
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => return Fault::Isolated,
    };
    if bytes.len() < length {
        return Fault::Missing(length - bytes.len());
    }
    if let Some(at) = bytes[1..length].iter().position(|byte| byte & 0xC0 != 0x80) {
        return Fault::Continued(at + 2);
    }
    match (length, first, bytes[1]) {
        (2, ..) => Fault::Overlong(2),
        (3, 0xED, _) => Fault::Surrogate,
        (3, ..) => Fault::Overlong(3),
        (4, 0xF0, _) => Fault::Overlong(4),
        (4, ..) => Fault::Beyond,
        (5, 0xF8, 0x80..=0x87) => Fault::Overlong(5),
        (6, 0xFC, 0x80..=0x83) => Fault::Overlong(6),
        (length, ..) => Fault::Long(length),
    }
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn the_first_fault_is_told() {
        let told = |bytes: &[u8]| fault(bytes).map(|(what, at)| format!("{what} at {at}"));
        assert_eq!(told("a\u{20AC}".as_bytes()), None);
        for (bytes, what) in [
            (&b"a\xF0?\x00\x00"[..], "byte 2 top bits not 0x80 at 1"),
            (b"\xF0?", "2 bytes missing at end at 0"),
            (b"ab\x80", "isolated byte with 0x80 bit set at 2"),
            (b"\xF8", "4 bytes missing at end at 0"),
            (b"\xC0\x80", "overlong 2-byte sequence at 0"),
            (b"\xED\xA0\x80", "code points 0xd800-0xdfff are not defined at 0"),
            (b"\xF8\x88\x80\x80\x80", "5-byte character is not allowed (RFC 3629) at 0"),
        ] {
            assert_eq!(told(bytes), Some(format!("UTF-8 error: {what}")));
        }
    }
}
