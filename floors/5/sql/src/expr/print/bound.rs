//! Bound expressions as error 1690 shows them: whole names, constants, parentheses where operators need them.

use super::constant::write_string;
use crate::expr::{Class, Expr, Kind, Named, compare_text};
use types::Value;

/// The text of an expression that could not be computed.
pub fn bound_text(e: &Expr) -> String {
    text(e, 0)
}

/// A call as text.
pub fn call_text(name: &str, args: &[Expr]) -> String {
    match (strength(name), args) {
        (Some(own), [left, right]) => format!("{} {name} {}", text(left, own), text(right, own + 1)),
        (_, [operand]) if name == "-" || name == "~" => format!("{name}{}", text(operand, 9)),
        _ => {
            if let ("extract", [of, unit]) = (name, args)
                && let Kind::Const(unit) = &unit.kind
            {
                return format!("extract({} from {})", compare_text(unit).to_lowercase(), text(of, 0));
            }
            let args: Vec<String> = args.iter().map(|e| text(e, 0)).collect();
            match name.strip_prefix("cast_as_") {
                Some(ty) if args.len() == 1 => format!("cast({} as {ty})", args[0]),
                _ => format!("{}({})", super::canonical_name(name), args.join(",")),
            }
        }
    }
}

/// How tightly an operator of two operands binds.
fn strength(name: &str) -> Option<u8> {
    Some(match name {
        "|" => 1,
        "&" => 2,
        "<<" | ">>" => 3,
        "+" | "-" => 4,
        "*" | "/" | "DIV" | "%" => 5,
        "^" => 6,
        _ => return None,
    })
}

fn text(e: &Expr, around: u8) -> String {
    match &e.kind {
        Kind::Column(_) => e.ty.origin.name().unwrap_or_else(|| "<column>".into()),
        Kind::Const(_) if let Named::Computed(of) = &e.ty.origin => text(of, around),
        Kind::Const(_) if let Named::Written(text) = &e.ty.origin => text.to_string(),
        Kind::Const(Value::Null) => "NULL".into(),
        Kind::Const(value) if e.ty.class() == Class::Str => {
            let mut quoted = String::new();
            write_string(compare_text(value).as_bytes(), &mut quoted);
            quoted
        }
        Kind::Const(value) => compare_text(value),
        Kind::UserVar(name) => format!("@`{name}`"),
        Kind::Call(call) => {
            let own = strength(call.name).filter(|_| call.args.len() == 2);
            let written = call_text(call.name, &call.args);
            if own.is_some_and(|own| own < around) { format!("({written})") } else { written }
        }
        _ => "<expression>".into(),
    }
}
