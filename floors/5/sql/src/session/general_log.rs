//! What the general query log is told: each command before it is done, the executions of prepared statements with their
//! parameters in place.

use super::{State, variables};
use crate::expr::compare_text;
use crate::expr::func::pieces::quote_into;
use crate::syntax::ast::VarScope;
use crate::syntax::lexer::{LexMode, Lexer, Tok};
use types::Value;

impl State {
    /// Whether the general log wants to know what this session is asked.
    #[inline]
    pub(super) fn is_logged(&self) -> bool {
        self.host.globals().general_log() && !self.vars.is_on("sql_log_off")
    }

    /// Tells the general log of a command, by MariaDB's name of it.
    #[inline]
    pub fn log_command(&self, command: &'static str, argument: &[u8]) {
        if self.is_logged() {
            self.log(command, argument);
        }
    }

    /// Tells the general log of a prepared statement's execution.
    #[inline]
    pub(super) fn log_execution(&self, text: &[u8], params: &[Value]) {
        if self.is_logged() {
            self.log("Execute", &with_parameters(text, self.lex_mode(), params));
        }
    }

    fn log(&self, command: &'static str, argument: &[u8]) {
        let file = variables::read(self, Some(VarScope::Global), "general_log_file").unwrap_or_default();
        self.host.log_command(&variables::shown(&file), self.connection_id, command, argument);
    }
}

/// A text with literals for its parameters.
fn with_parameters(text: &[u8], mode: LexMode, params: &[Value]) -> Vec<u8> {
    let (mut out, mut from, mut params) = (Vec::with_capacity(text.len()), 0, params.iter());
    let mut lexer = Lexer::new(text, 0, mode);
    loop {
        let token = lexer.next_token();
        match token.tok {
            Tok::End | Tok::Invalid => break,
            Tok::Param => {
                let Some(value) = params.next() else { break };
                out.extend_from_slice(&text[from..token.span.start as usize]);
                put_literal(value, &mut out);
                from = token.span.end as usize;
            }
            _ => {}
        }
    }
    out.extend_from_slice(&text[from..]);
    out
}

fn put_literal(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null | Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_) => {
            out.extend_from_slice(compare_text(value).as_bytes());
        }
        Value::Str(text) => quote_into(&text.bytes, out),
        _ => quote_into(compare_text(value).as_bytes(), out),
    }
}
