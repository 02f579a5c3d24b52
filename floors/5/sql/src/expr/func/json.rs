//! JSON texts.

use super::Function;
use super::pieces::int_type;
use super::string::{own_collation, text};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Expr, Type};
use crate::session::Level;
use types::Value;

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[Function {
    name: "json_valid",
    min: 1,
    max: 1,
    ty: |args, _| Ok(Type { nullable: args[0].ty.nullable, ..int_type(&[], 1) }),
    evaluate: valid,
    deterministic: true,
}];

/// Arrays and objects nested deeper than this are refused, as MariaDB does.
const MAX_DEPTH: usize = 31;

/// Why a text is no JSON, and the byte (from 1) that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    End,
    Character(usize),
    Syntax(usize),
    Depth(usize),
}

fn valid(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let collation = own_collation(&args[0], cx);
    let Some(bytes) = text(cx, &args[0], collation)? else { return Ok(Value::Null) };
    let Err(fault) = check(&bytes) else { return Ok(Value::Int(1)) };
    let name = "json_valid";
    let error = match fault {
        Fault::End => SqlError::json_end(1, name),
        Fault::Character(at) => SqlError::json_not_json_character(1, name, at),
        Fault::Syntax(at) => SqlError::json_syntax(1, name, at),
        Fault::Depth(at) => SqlError::new(
            4040,
            b"HY000",
            format!(
                "Limit of 32 on JSON nested structures depth is reached in argument 1 to function '{name}' at \
                 position {at}"
            ),
        ),
    };
    cx.state.warn(Level::Note, error.errno, error.message);
    Ok(Value::Int(0))
}

/// Whether bytes are one JSON value.
fn check(bytes: &[u8]) -> Result<(), Fault> {
    let mut scan = Scan { bytes, at: 0 };
    scan.value(0)?;
    match scan.skip_spaces() {
        None => Ok(()),
        Some(_) => Err(Fault::Syntax(scan.at + 1)),
    }
}

struct Scan<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_spaces(&mut self) -> Option<u8> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        self.peek()
    }

    fn syntax(&self) -> Fault {
        if self.at < self.bytes.len() { Fault::Syntax(self.at + 1) } else { Fault::End }
    }

    fn value(&mut self, depth: usize) -> Result<(), Fault> {
        match self.skip_spaces().ok_or(Fault::End)? {
            b'{' => self.members(depth, b'}', true),
            b'[' => self.members(depth, b']', false),
            b'"' => self.string(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.syntax()),
        }
    }

    /// An array's or object's members, from the bracket that opens it to the one that closes it.
    fn members(&mut self, depth: usize, close: u8, named: bool) -> Result<(), Fault> {
        if depth >= MAX_DEPTH {
            return Err(Fault::Depth(self.at + 1));
        }
        self.at += 1;
        if self.skip_spaces() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            if named {
                match self.skip_spaces().ok_or(Fault::End)? {
                    b'"' => self.string()?,
                    _ => return Err(self.syntax()),
                }
                self.expect(b':')?;
            }
            self.value(depth + 1)?;
            match self.skip_spaces() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.syntax()),
            }
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        match self.skip_spaces() == Some(byte) {
            true => {
                self.at += 1;
                Ok(())
            }
            false => Err(self.syntax()),
        }
    }

    fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            match self.peek().ok_or(Fault::End)? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.at += 2,
                0..=0x1F => return Err(Fault::Character(self.at + 1)),
                _ => self.at += 1,
            }
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Fault> {
        for &byte in word {
            if self.peek() != Some(byte) {
                return Err(self.syntax());
            }
            self.at += 1;
        }
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    /// A number; MariaDB takes one that ends in its point.
    fn number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => {
                self.at += 1;
                if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    return Err(self.syntax());
                }
            }
            _ if self.digits() == 0 => return Err(self.syntax()),
            _ => {}
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.syntax());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_and_what_is_not() {
        let good =
            ["1", " -1.5e+3 ", "1.", "\"a\\\"b\"", "[]", "{}", "[1, {\"a\": [true, false, null]}]", "0"];
        for text in good {
            assert_eq!(check(text.as_bytes()), Ok(()), "{text}");
        }
        let bad = [
            ("", Fault::End),
            ("{a: 1}", Fault::Syntax(2)),
            ("{\"a\": 1", Fault::End),
            ("[1,]", Fault::Syntax(4)),
            ("[1 2]", Fault::Syntax(4)),
            ("\"a", Fault::End),
            ("01", Fault::Syntax(2)),
            (".5", Fault::Syntax(1)),
            ("[1]]", Fault::Syntax(4)),
            ("\"a\tb\"", Fault::Character(3)),
            ("\"\\", Fault::End),
        ];
        for (text, fault) in bad {
            assert_eq!(check(text.as_bytes()), Err(fault), "{text}");
        }
        assert_eq!(check("[".repeat(31).as_bytes()), Err(Fault::End));
        assert_eq!(check("[".repeat(100_000).as_bytes()), Err(Fault::Depth(32)));
    }
}
