//! Constants as MariaDB writes them back.

use crate::syntax::ast::Literal;
use std::fmt::Write;

pub(super) fn write_literal(literal: &Literal, out: &mut String) {
    let introduce = |charset: &Option<String>, out: &mut String| {
        if let Some(name) = charset {
            let name = name.to_lowercase();
            let _ = write!(out, "_{}", if name == "utf8" { "utf8mb3" } else { &name });
        }
    };
    let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    match literal {
        Literal::Null => out.push_str("NULL"),
        Literal::Bool(b) => out.push(if *b { '1' } else { '0' }),
        Literal::Int(n) => {
            let _ = write!(out, "{n}");
        }
        Literal::Decimal(text) | Literal::Float(text) => out.push_str(text),
        Literal::Str(s) => {
            if !s.national {
                introduce(&s.charset, out);
            }
            write_string(&s.bytes, out);
        }
        // Text in a character set is written as text, as far as that can be read again.
        Literal::Hex { bytes, charset: charset @ Some(name), .. }
        | Literal::Bit { bytes, charset: charset @ Some(name) } => {
            introduce(charset, out);
            match std::str::from_utf8(bytes).is_ok() && !is_wide(name) {
                true => write_string(bytes, out),
                false => {
                    let _ = write!(out, " 0x{}", digits(bytes));
                }
            }
        }
        Literal::Hex { bytes, quoted, charset: None } => {
            let _ = match quoted {
                true => write!(out, "X'{}'", digits(bytes)),
                false => write!(out, "0x{}", digits(bytes)),
            };
        }
        Literal::Bit { bytes, charset: None } if bytes.is_empty() => out.push_str("b''"),
        Literal::Bit { bytes, charset: None } => {
            let _ = write!(out, "0x{}", digits(bytes));
        }
        Literal::Date(text) => {
            let _ = write!(out, "DATE'{text}'");
        }
        Literal::Time(text) => {
            let _ = write!(out, "TIME'{text}'");
        }
        Literal::Timestamp(text) => {
            let _ = write!(out, "TIMESTAMP'{text}'");
        }
    }
}

/// Whether the characters of a character set are no bytes of ASCII.
fn is_wide(charset: &str) -> bool {
    ["ucs2", "utf16", "utf16le", "utf32", "binary"].iter().any(|wide| charset.eq_ignore_ascii_case(wide))
}

/// A string with what would end or garble it escaped.
pub(super) fn write_string(bytes: &[u8], out: &mut String) {
    out.push('\'');
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            '\x1a' => out.push_str("\\Z"),
            other => out.push(other),
        }
    }
    out.push('\'');
}
