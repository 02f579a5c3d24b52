//! Expressions as MariaDB writes them back: CHECK constraints, default expressions and generated columns in SHOW CREATE
//! TABLE, in the normal form that its parser leaves: lower-case names, one spelling a function, `<> 0` behind bare
//! columns of AND and OR, NOT pushed inwards, parentheses only where the order of operators needs them.
//!
//! `call` writes calls, `query` whole queries: the text of views. `bound` writes bound expressions for messages.

mod bound;
mod call;
mod cast;
mod constant;
mod dynamic;
mod query;

pub use bound::{aggregate_text, bound_text, call_text};
pub use call::{canonical_name, stored_name};
pub use query::query_text;

use crate::syntax::ast::{self, BinaryOp, CastType, ExprKind, IsTest, Literal, TrimSide, UnaryOp};
use std::fmt::Write;

/// How tightly operators bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Lowest,
    Or,
    Xor,
    And,
    Compare,
    Between,
    In,
    BitOr,
    BitAnd,
    Shift,
    Add,
    Multiply,
    BitXor,
    Sign,
    Highest,
}

/// The normal form's text of an expression.
pub fn expr_text(e: &ast::Expr) -> String {
    let mut out = String::new();
    print(e, Binding::Lowest, &mut out);
    out
}

/// A string as a literal of an expression.
pub fn string_text(bytes: &[u8]) -> String {
    let mut out = String::new();
    constant::write_string(bytes, &mut out);
    out
}

/// Whether an expression is written with operators.
pub fn is_operator(e: &ast::Expr) -> bool {
    binding(&e.kind) != Binding::Highest
}

/// A name in backquotes.
pub fn quoted_name(name: &str, out: &mut String) {
    out.push('`');
    out.push_str(&name.replace('`', "``"));
    out.push('`');
}

/// Writes `e`; in parentheses where it binds looser than `least`.
fn print(e: &ast::Expr, least: Binding, out: &mut String) {
    if binding(&e.kind) < least {
        out.push('(');
        write_kind(&e.kind, out);
        out.push(')');
    } else {
        write_kind(&e.kind, out);
    }
}

fn binding(kind: &ExprKind) -> Binding {
    match kind {
        ExprKind::Or(_) => Binding::Or,
        ExprKind::And(_) => Binding::And,
        ExprKind::Binary { op, .. } => binary_binding(*op),
        ExprKind::Is { .. } => Binding::Compare,
        ExprKind::InList { list, .. } if list.len() == 1 => Binding::Compare,
        ExprKind::InList { .. } | ExprKind::Like { .. } => Binding::In,
        ExprKind::InSubquery { .. } | ExprKind::Quantified { .. } => Binding::Compare,
        ExprKind::Regexp { negated, .. } => {
            if *negated {
                Binding::Sign
            } else {
                Binding::In
            }
        }
        ExprKind::Between { .. } => Binding::Between,
        ExprKind::DateArith { .. } => Binding::Add,
        ExprKind::Unary { op: UnaryOp::Plus, expr } => binding(&expr.kind),
        ExprKind::Unary { op: UnaryOp::Not, expr } => negation_binding(&expr.kind),
        ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::BitNot, .. } => Binding::Sign,
        ExprKind::Function(call) if call.name == "mod" && call.args.len() == 2 => Binding::Multiply,
        ExprKind::Function(call) if call.name == "isnull" => Binding::Compare,
        ExprKind::Function(call) if call.name == "datediff" && call.args.len() == 2 => Binding::Add,
        _ => Binding::Highest,
    }
}

fn binary_binding(op: BinaryOp) -> Binding {
    match op {
        BinaryOp::Xor => Binding::Xor,
        BinaryOp::BitOr => Binding::BitOr,
        BinaryOp::BitAnd => Binding::BitAnd,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Binding::Shift,
        BinaryOp::Add | BinaryOp::Sub => Binding::Add,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::IntDiv | BinaryOp::Mod => Binding::Multiply,
        BinaryOp::BitXor => Binding::BitXor,
        BinaryOp::Concat | BinaryOp::JsonExtract | BinaryOp::JsonUnquoteExtract => Binding::Highest,
        _ => Binding::Compare,
    }
}

/// What binds `NOT e` once the negation has moved inwards.
fn negation_binding(kind: &ExprKind) -> Binding {
    match kind {
        ExprKind::And(_) => Binding::Or,
        ExprKind::Or(_) => Binding::And,
        ExprKind::Column(_) => Binding::Compare,
        ExprKind::Literal(Literal::Bool(_)) => Binding::Highest,
        ExprKind::Unary { op: UnaryOp::Not, expr } => match &expr.kind {
            ExprKind::Column(_) => Binding::Compare,
            other => binding(other),
        },
        ExprKind::Binary { op, .. } if op.is_comparison() && *op != BinaryOp::NullSafeEq => Binding::Compare,
        ExprKind::Is { .. } | ExprKind::InList { .. } | ExprKind::Like { .. } | ExprKind::Between { .. } => {
            binding(kind)
        }
        ExprKind::Regexp { negated: true, .. } => Binding::In,
        _ => Binding::Sign,
    }
}

/// The next tighter binding: what a right operand of a left-associative operator needs.
fn tighter(b: Binding) -> Binding {
    match b {
        Binding::Xor => Binding::And,
        Binding::Compare => Binding::Between,
        Binding::BitOr => Binding::BitAnd,
        Binding::BitAnd => Binding::Shift,
        Binding::Shift => Binding::Add,
        Binding::Add => Binding::Multiply,
        Binding::Multiply => Binding::BitXor,
        Binding::BitXor => Binding::Sign,
        other => other,
    }
}

fn write_kind(kind: &ExprKind, out: &mut String) {
    match kind {
        ExprKind::Literal(literal) => constant::write_literal(literal, out),
        ExprKind::Param(_) => out.push('?'),
        ExprKind::Column(column) => write_column(column, out),
        ExprKind::UserVar(name) => {
            out.push('@');
            quoted_name(name, out);
        }
        ExprKind::AssignUserVar { name, value } => {
            out.push('@');
            quoted_name(name, out);
            out.push_str(":=");
            print(value, Binding::Lowest, out);
        }
        ExprKind::SysVar(variable) => {
            out.push_str("@@");
            if let Some(scope) = variable.scope {
                out.push_str(match scope {
                    ast::VarScope::Global => "global.",
                    ast::VarScope::Session => "session.",
                    ast::VarScope::Persist => "persist.",
                });
            }
            out.push_str(&variable.name);
        }
        ExprKind::Unary { op, expr } => write_unary(*op, expr, out),
        ExprKind::Binary { op, left, right } => write_binary(*op, left, right, out),
        ExprKind::And(list) => write_list(list, " and ", Binding::And, false, out),
        ExprKind::Or(list) => write_list(list, " or ", Binding::Or, false, out),
        ExprKind::Is { .. }
        | ExprKind::Between { .. }
        | ExprKind::InList { .. }
        | ExprKind::Like { .. }
        | ExprKind::Regexp { .. } => write_test(kind, false, out),
        ExprKind::Row(members) => {
            out.push('(');
            write_args(members, out);
            out.push(')');
        }
        ExprKind::Case { operand, branches, otherwise } => {
            out.push_str("case ");
            if let Some(operand) = operand {
                print(operand, Binding::Lowest, out);
                out.push(' ');
            }
            for (when, then) in branches {
                out.push_str("when ");
                print(when, Binding::Lowest, out);
                out.push_str(" then ");
                print(then, Binding::Lowest, out);
                out.push(' ');
            }
            if let Some(otherwise) = otherwise {
                out.push_str("else ");
                print(otherwise, Binding::Lowest, out);
                out.push(' ');
            }
            out.push_str("end");
        }
        ExprKind::Function(call) => call::write_call(call, out),
        ExprKind::Stored(call) => call::write_stored(call, out),
        ExprKind::Aggregate(aggregate) => call::write_aggregate(aggregate, out),
        _ => write_special(kind, out),
    }
}

/// The expressions with a syntax of their own.
fn write_special(kind: &ExprKind, out: &mut String) {
    match kind {
        ExprKind::Cast { expr, ty } => cast::write_cast(expr, ty, out),
        ExprKind::ConvertUsing { expr, charset } => {
            out.push_str("convert(");
            print(expr, Binding::Lowest, out);
            let _ = write!(out, " using {})", charset.to_lowercase());
        }
        ExprKind::Collate { expr, collation } => {
            print(expr, Binding::Highest, out);
            let _ = write!(out, " collate {}", collation.to_lowercase());
        }
        ExprKind::DateArith { date, amount, unit, subtract } => {
            print(date, Binding::Add, out);
            out.push_str(if *subtract { " - interval " } else { " + interval " });
            print(amount, Binding::Lowest, out);
            out.push(' ');
            out.push_str(&unit.name().to_lowercase());
        }
        ExprKind::TimestampDiff { unit, from, to } => {
            let _ = write!(out, "timestampdiff({},", unit.name());
            print(from, Binding::Lowest, out);
            out.push(',');
            print(to, Binding::Lowest, out);
            out.push(')');
        }
        ExprKind::Extract { unit, expr } => {
            let _ = write!(out, "extract({} from ", unit.name().to_lowercase());
            print(expr, Binding::Lowest, out);
            out.push(')');
        }
        ExprKind::Trim { side, what, expr, oracle } => {
            out.push_str(if *oracle { "oracle_schema.trim(" } else { "trim(" });
            if let Some(what) = what {
                out.push_str(match side {
                    TrimSide::Leading => "leading ",
                    TrimSide::Trailing => "trailing ",
                    TrimSide::Both => "both ",
                });
                print(what, Binding::Lowest, out);
                out.push_str(" from ");
            }
            print(expr, Binding::Lowest, out);
            out.push(')');
        }
        ExprKind::GetFormat { kind, expr } => {
            let _ = write!(out, "get_format({}, ", kind.to_uppercase());
            print(expr, Binding::Lowest, out);
            out.push(')');
        }
        ExprKind::Char { args, charset } => {
            out.push_str("char(");
            write_args(args, out);
            if let Some(charset) = charset {
                let _ = write!(out, " using {}", charset.to_lowercase());
            }
            out.push(')');
        }
        ExprKind::MakeColumns { document, columns } => dynamic::write_made(document.as_deref(), columns, out),
        ExprKind::GetColumn { document, key, ty } => dynamic::write_get(document, key, ty, out),
        ExprKind::WeightString { expr, shape } => {
            out.push_str("weight_string(");
            print(expr, Binding::Lowest, out);
            let _ = write!(out, ",{},{},{})", shape.bytes, shape.chars, shape.flags);
        }
        ExprKind::Match { columns, against, .. } => {
            out.push_str("match ");
            write_args(columns, out);
            out.push_str(" against (");
            print(against, Binding::Lowest, out);
            out.push(')');
        }
        ExprKind::Default => out.push_str("default"),
        ExprKind::Ignore => out.push_str("ignore"),
        ExprKind::DefaultOf(column) => {
            out.push_str("default(");
            write_column(column, out);
            out.push(')');
        }
        ExprKind::ValuesOf(column) => {
            out.push_str("value(");
            write_column(column, out);
            out.push(')');
        }
        ExprKind::Sequence { next, name } => {
            out.push_str(if *next { "nextval(" } else { "lastval(" });
            if let Some(database) = &name.database {
                quoted_name(database, out);
                out.push('.');
            }
            quoted_name(&name.name, out);
            out.push(')');
        }
        _ => write_subquery(kind, out),
    }
}

/// Subqueries, and windows.
fn write_subquery(kind: &ExprKind, out: &mut String) {
    let (query, place) = match kind {
        ExprKind::Exists(query) => {
            out.push_str("exists");
            (query, query::Place::Exists)
        }
        ExprKind::Subquery(query) => (query, query::Place::Expression),
        ExprKind::InSubquery { expr, query, negated } => {
            if *negated {
                out.push_str("!(");
            }
            print(expr, Binding::Compare, out);
            out.push_str(" in ");
            (query, query::Place::Expression)
        }
        ExprKind::Quantified { op: BinaryOp::Eq, left, all: false, query } => {
            print(left, Binding::Compare, out);
            out.push_str(" in ");
            (query, query::Place::Expression)
        }
        ExprKind::Quantified { op, left, all, query } => {
            print(left, Binding::Compare, out);
            let word = comparison_word(*op);
            let _ = write!(out, " {word} {} ", if *all { "all" } else { "any" });
            (query, query::Place::Expression)
        }
        ExprKind::Window { function, over } if query::write_percentile(function, over, out) => return,
        ExprKind::Window { function, over } => {
            print(function, Binding::Highest, out);
            return query::write_over(over, out);
        }
        _ => return,
    };
    out.push('(');
    query::write_query(query, place, out);
    out.push(')');
    if matches!(kind, ExprKind::InSubquery { negated: true, .. }) {
        out.push(')');
    }
}

/// Members with something between them.
fn write_list_of<T>(list: &[T], between: &str, out: &mut String, mut write: impl FnMut(&T, &mut String)) {
    for (i, member) in list.iter().enumerate() {
        if i > 0 {
            out.push_str(between);
        }
        write(member, out);
    }
}

fn comparison_word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => "=",
        BinaryOp::Ne => "<>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        _ => "<=>",
    }
}

fn write_column(column: &ast::ColumnRef, out: &mut String) {
    for part in [&column.database, &column.table].into_iter().flatten() {
        quoted_name(part, out);
        out.push('.');
    }
    quoted_name(&column.column, out);
}

fn write_args(args: &[ast::Expr], out: &mut String) {
    write_list_of(args, ",", out, |e, out| print(e, Binding::Lowest, out));
}

/// The members of AND or OR; each negated where the whole is. Nested lists of the same operator are flat.
fn write_list(list: &[ast::Expr], between: &str, own: Binding, negated: bool, out: &mut String) {
    for (i, e) in list.iter().enumerate() {
        if i > 0 {
            out.push_str(between);
        }
        write_condition(e, own, negated, out);
    }
}

/// An operand of AND, OR or NOT: a bare column becomes a comparison with 0, a negation moves inwards.
fn write_condition(e: &ast::Expr, least: Binding, negated: bool, out: &mut String) {
    let own = match (&e.kind, negated) {
        (ExprKind::Column(_), _) => Binding::Compare,
        (kind, true) => negation_binding(kind),
        (kind, false) => binding(kind),
    };
    let parenthesised = own < least;
    if parenthesised {
        out.push('(');
    }
    match (&e.kind, negated) {
        (ExprKind::Column(column), _) => {
            write_column(column, out);
            out.push_str(if negated { " = 0" } else { " <> 0" });
        }
        (_, true) => write_negation(e, out),
        (kind, false) => write_kind(kind, out),
    }
    if parenthesised {
        out.push(')');
    }
}

/// `NOT e`.
fn write_negation(e: &ast::Expr, out: &mut String) {
    match &e.kind {
        ExprKind::And(list) => write_list(list, " or ", Binding::Or, true, out),
        ExprKind::Or(list) => write_list(list, " and ", Binding::And, true, out),
        ExprKind::Literal(Literal::Bool(holds)) => out.push(if *holds { '0' } else { '1' }),
        ExprKind::Column(_) => write_condition(e, Binding::Lowest, true, out),
        ExprKind::Unary { op: UnaryOp::Not, expr } => write_condition(expr, Binding::Lowest, false, out),
        ExprKind::Binary { op, left, right } if op.is_comparison() && *op != BinaryOp::NullSafeEq => {
            let opposite = match op {
                BinaryOp::Eq => BinaryOp::Ne,
                BinaryOp::Ne => BinaryOp::Eq,
                BinaryOp::Lt => BinaryOp::Ge,
                BinaryOp::Le => BinaryOp::Gt,
                BinaryOp::Gt => BinaryOp::Le,
                _ => BinaryOp::Lt,
            };
            write_binary(opposite, left, right, out);
        }
        ExprKind::Is { .. } | ExprKind::Between { .. } | ExprKind::InList { .. } | ExprKind::Like { .. } => {
            write_test(&e.kind, true, out);
        }
        ExprKind::Regexp { negated: true, .. } => write_test(&e.kind, true, out),
        _ => {
            out.push('!');
            print(e, Binding::Sign, out);
        }
    }
}

fn write_unary(op: UnaryOp, e: &ast::Expr, out: &mut String) {
    match op {
        UnaryOp::Plus => write_kind(&e.kind, out),
        UnaryOp::Not => write_negation(e, out),
        UnaryOp::Binary => cast::write_cast(e, &CastType::Binary(None), out),
        UnaryOp::BitNot => {
            out.push('~');
            print(e, Binding::Sign, out);
        }
        UnaryOp::Neg => match &e.kind {
            // The parser of the original folds the signs of numbers.
            ExprKind::Unary { op: UnaryOp::Neg, expr } if is_number(expr) => write_kind(&expr.kind, out),
            _ if let Some(zero) = as_zero(e) => write_kind(zero, out),
            _ => {
                out.push('-');
                print(e, Binding::Sign, out);
            }
        },
    }
}

/// The zero that an exact number is, with which no sign goes.
fn as_zero(e: &ast::Expr) -> Option<&ExprKind> {
    let zero = match &e.kind {
        ExprKind::Unary { op: UnaryOp::Neg, expr } => return as_zero(expr),
        ExprKind::Literal(Literal::Int(number)) => *number == 0,
        ExprKind::Literal(Literal::Decimal(text)) => text.bytes().all(|byte| matches!(byte, b'0' | b'.')),
        _ => false,
    };
    zero.then_some(&e.kind)
}

fn is_number(e: &ast::Expr) -> bool {
    matches!(e.kind, ExprKind::Literal(Literal::Int(_) | Literal::Decimal(_) | Literal::Float(_)))
}

fn write_binary(op: BinaryOp, left: &ast::Expr, right: &ast::Expr, out: &mut String) {
    let word = match op {
        op if op.is_comparison() => comparison_word(op),
        BinaryOp::Xor => "xor",
        BinaryOp::SoundsLike => {
            out.push_str("soundex(");
            print(left, Binding::Lowest, out);
            out.push_str(") = soundex(");
            print(right, Binding::Lowest, out);
            out.push(')');
            return;
        }
        BinaryOp::Concat => return write_pair("concat(", left, right, ")", out),
        BinaryOp::JsonExtract => return write_pair("json_extract(", left, right, ")", out),
        BinaryOp::JsonUnquoteExtract => {
            return write_pair("json_unquote(json_extract(", left, right, "))", out);
        }
        op => op.word().unwrap_or("?"),
    };
    let own = binary_binding(op);
    let moved_date = own == Binding::Add && matches!(left.kind, ExprKind::DateArith { .. });
    print(left, if moved_date { Binding::Multiply } else { own }, out);
    let _ = write!(out, " {word} ");
    print(right, tighter(own), out);
}

fn write_pair(open: &str, left: &ast::Expr, right: &ast::Expr, close: &str, out: &mut String) {
    out.push_str(open);
    print(left, Binding::Lowest, out);
    out.push(',');
    print(right, Binding::Lowest, out);
    out.push_str(close);
}

/// IS, BETWEEN, IN, LIKE, REGEXP; `flip` negates them once more.
fn write_test(kind: &ExprKind, flip: bool, out: &mut String) {
    let word = |negated: bool| if negated != flip { " not" } else { "" };
    match kind {
        ExprKind::Is { expr, test, negated } => {
            print(expr, Binding::Compare, out);
            let test = match test {
                IsTest::Null | IsTest::Unknown => "null",
                IsTest::True => "true",
                IsTest::False => "false",
            };
            let _ = write!(out, " is{} {test}", word(*negated));
        }
        ExprKind::Between { expr, low, high, negated } => {
            print(expr, Binding::BitOr, out);
            let _ = write!(out, "{} between ", word(*negated));
            print(low, Binding::BitOr, out);
            out.push_str(" and ");
            print(high, Binding::Between, out);
        }
        ExprKind::InList { expr, list, negated } => match &list[..] {
            // A list of one is a comparison.
            [single] => {
                let op = if *negated != flip { BinaryOp::Ne } else { BinaryOp::Eq };
                write_binary(op, expr, single, out);
            }
            _ => {
                print(expr, Binding::BitOr, out);
                let _ = write!(out, "{} in (", word(*negated));
                write_args(list, out);
                out.push(')');
            }
        },
        ExprKind::Like { expr, pattern, escape, negated } => {
            print(expr, Binding::BitOr, out);
            // Two spaces before "not", as the original writes it.
            out.push_str(if *negated != flip { "  not like " } else { " like " });
            print(pattern, Binding::Sign, out);
            if let Some(escape) = escape {
                out.push_str(" escape ");
                print(escape, Binding::Sign, out);
            }
        }
        ExprKind::Regexp { expr, pattern, negated } => {
            let negated = *negated != flip;
            out.push_str(if negated { "!(" } else { "" });
            print(expr, Binding::BitOr, out);
            out.push_str(" regexp ");
            print(pattern, Binding::BitOr, out);
            out.push_str(if negated { ")" } else { "" });
        }
        _ => {}
    }
}
