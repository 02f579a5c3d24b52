//! Constants as MariaDB writes them back.

use crate::syntax::ast::Literal;
use std::fmt::Write;

pub(super) fn write_literal(literal: &Literal, out: &mut String) {
    let introduce = |charset: &Option<String>, out: &mut String| {
        if let Some(name) = charset {
            let _ = write!(out, "_{}", name.to_lowercase());
        }
    };
    let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
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
        Literal::Hex { bytes, quoted, charset } => {
            introduce(charset, out);
            let _ = match quoted {
                true => write!(out, "X'{}'", digits(bytes)),
                false => write!(out, "0x{}", digits(bytes)),
            };
        }
        Literal::Bit { bytes, charset } => {
            introduce(charset, out);
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
