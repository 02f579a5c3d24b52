//! Expressions of definitions (DEFAULT, CHECK, generated columns) as text: MariaDB's own spelling of them, which SHOW
//! CREATE TABLE repeats and which is parsed again whenever the table is used.

use super::names::quoted_name;
use crate::error::SqlError;
use crate::syntax::ast::{BinaryOp, CastType, Expr, ExprKind, IsTest, Literal, TrimSide, UnaryOp};

/// How tightly operators bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Lowest,
    Or,
    Xor,
    And,
    Compare,
    BitOr,
    BitAnd,
    Shift,
    Add,
    Interval,
    Mul,
    BitXor,
    Neg,
    Operand,
}

/// A string as a literal.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    for c in text.chars() {
        match c {
            '\'' => out.push_str("''"),
            '\\' => out.push_str("\\\\"),
            '\0' => out.push_str("\\0"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

/// An expression's text; error 1901 for what definitions may not hold.
pub fn expression(e: &Expr) -> Result<String, SqlError> {
    let mut out = String::new();
    print(e, Level::Lowest, &mut out)?;
    Ok(out)
}

fn refused(e: &Expr) -> SqlError {
    let what = match &e.kind {
        ExprKind::UserVar(name) | ExprKind::AssignUserVar { name, .. } => format!("@{name}"),
        ExprKind::SysVar(variable) => format!("@@{}", variable.name),
        ExprKind::Param(_) => "?".to_owned(),
        _ => "select ...".to_owned(),
    };
    SqlError::new(1901, b"HY000", format!("Function or expression '{what}' cannot be used in this clause"))
}

fn print(e: &Expr, around: Level, out: &mut String) -> Result<(), SqlError> {
    let level = level_of(e);
    let parenthesised = level < around;
    if parenthesised {
        out.push('(');
    }
    print_bare(e, out)?;
    if parenthesised {
        out.push(')');
    }
    Ok(())
}

fn level_of(e: &Expr) -> Level {
    match &e.kind {
        ExprKind::Or(_) => Level::Or,
        ExprKind::And(_) => Level::And,
        ExprKind::Binary { op, .. } => level_of_op(*op),
        ExprKind::Is { .. }
        | ExprKind::Between { .. }
        | ExprKind::InList { .. }
        | ExprKind::Like { .. }
        | ExprKind::Regexp { .. } => Level::Compare,
        ExprKind::DateArith { .. } => Level::Interval,
        ExprKind::Unary { op: UnaryOp::Not, expr } => match &expr.kind {
            ExprKind::Function(_) | ExprKind::Column(_) => Level::Compare,
            _ => negated(expr).map_or(Level::Operand, |e| level_of(&e)),
        },
        ExprKind::Unary { op: UnaryOp::Plus, expr } => level_of(expr),
        ExprKind::Unary { .. } => Level::Neg,
        ExprKind::Collate { .. } => Level::Neg,
        ExprKind::Function(call) if call.name == "isnull" || call.name == "mod" => Level::Compare,
        _ => Level::Operand,
    }
}

fn level_of_op(op: BinaryOp) -> Level {
    use BinaryOp::*;
    match op {
        Xor => Level::Xor,
        BitOr => Level::BitOr,
        BitAnd => Level::BitAnd,
        ShiftLeft | ShiftRight => Level::Shift,
        Add | Sub => Level::Add,
        Mul | Div | IntDiv | Mod => Level::Mul,
        BitXor => Level::BitXor,
        Concat | JsonExtract | JsonUnquoteExtract => Level::Operand,
        _ => Level::Compare,
    }
}

fn op_text(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        IntDiv => "DIV",
        Mod => "MOD",
        BitOr => "|",
        BitAnd => "&",
        BitXor => "^",
        ShiftLeft => "<<",
        ShiftRight => ">>",
        Eq => "=",
        Ne => "<>",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        NullSafeEq => "<=>",
        Xor => "xor",
        Concat => "||",
        SoundsLike => "sounds like",
        JsonExtract => "->",
        JsonUnquoteExtract => "->>",
    }
}

/// The opposite of a condition, where it is one of the same kind.
fn negated(e: &Expr) -> Option<Expr> {
    let kind = match e.kind.clone() {
        ExprKind::Binary { op, left, right } => {
            let op = match op {
                BinaryOp::Eq => BinaryOp::Ne,
                BinaryOp::Ne => BinaryOp::Eq,
                BinaryOp::Lt => BinaryOp::Ge,
                BinaryOp::Ge => BinaryOp::Lt,
                BinaryOp::Gt => BinaryOp::Le,
                BinaryOp::Le => BinaryOp::Gt,
                _ => return None,
            };
            ExprKind::Binary { op, left, right }
        }
        ExprKind::Is { expr, test, negated } => ExprKind::Is { expr, test, negated: !negated },
        ExprKind::Between { expr, low, high, negated } => {
            ExprKind::Between { expr, low, high, negated: !negated }
        }
        ExprKind::InList { expr, list, negated } => ExprKind::InList { expr, list, negated: !negated },
        ExprKind::Like { expr, pattern, escape, negated } => {
            ExprKind::Like { expr, pattern, escape, negated: !negated }
        }
        _ => return None,
    };
    Some(Expr { kind, span: e.span })
}

fn print_bare(e: &Expr, out: &mut String) -> Result<(), SqlError> {
    match &e.kind {
        ExprKind::Literal(literal) => print_literal(literal, out),
        ExprKind::Column(column) => out.push_str(&quoted_name(&column.column)),
        ExprKind::Unary { op, expr } => return print_unary(*op, expr, out),
        ExprKind::Binary { op: BinaryOp::Concat, left, right } => {
            return print_call("concat", &[left, right], out);
        }
        ExprKind::Binary { op: BinaryOp::JsonExtract, left, right } => {
            return print_call("json_extract", &[left, right], out);
        }
        ExprKind::Binary { op: BinaryOp::JsonUnquoteExtract, left, right } => {
            out.push_str("json_unquote(");
            print_call("json_extract", &[left, right], out)?;
            out.push(')');
        }
        ExprKind::Binary { op, left, right } => {
            let level = level_of_op(*op);
            print(left, level, out)?;
            out.push_str(&format!(" {} ", op_text(*op)));
            print(right, tighter(level), out)?;
        }
        ExprKind::And(list) => return print_conditions(list, " and ", Level::And, out),
        ExprKind::Or(list) => return print_conditions(list, " or ", Level::Or, out),
        ExprKind::Is { expr, test, negated } => {
            print(expr, Level::BitOr, out)?;
            out.push_str(if *negated { " is not " } else { " is " });
            out.push_str(match test {
                IsTest::Null => "null",
                IsTest::True => "true",
                IsTest::False => "false",
                IsTest::Unknown => "unknown",
            });
        }
        ExprKind::Row(list) => return print_list("", list, out),
        ExprKind::Function(call) => {
            let args: Vec<&Expr> = call.args.iter().collect();
            return print_function(&call.name, &args, out);
        }
        _ => return print_special(e, out),
    }
    Ok(())
}

/// Operators with words in them.
fn print_special(e: &Expr, out: &mut String) -> Result<(), SqlError> {
    let not = |negated: bool| if negated { " not" } else { "" };
    match &e.kind {
        ExprKind::Between { expr, low, high, negated } => {
            print(expr, Level::BitOr, out)?;
            out.push_str(&format!("{} between ", not(*negated)));
            print(low, Level::BitOr, out)?;
            out.push_str(" and ");
            print(high, Level::BitOr, out)
        }
        ExprKind::InList { expr, list, negated } => {
            print(expr, Level::BitOr, out)?;
            out.push_str(&format!("{} in ", not(*negated)));
            print_list("", list, out)
        }
        ExprKind::Like { expr, pattern, escape, negated } => {
            print(expr, Level::BitOr, out)?;
            out.push_str(&format!("{} like ", not(*negated)));
            print(pattern, Level::BitOr, out)?;
            if let Some(escape) = escape {
                out.push_str(" escape ");
                print(escape, Level::BitOr, out)?;
            }
            Ok(())
        }
        ExprKind::Regexp { expr, pattern, negated } => {
            print(expr, Level::BitOr, out)?;
            out.push_str(&format!("{} regexp ", not(*negated)));
            print(pattern, Level::BitOr, out)
        }
        ExprKind::Case { operand, branches, otherwise } => {
            out.push_str("case ");
            if let Some(operand) = operand {
                print(operand, Level::Lowest, out)?;
                out.push(' ');
            }
            for (when, then) in branches {
                out.push_str("when ");
                print(when, Level::Lowest, out)?;
                out.push_str(" then ");
                print(then, Level::Lowest, out)?;
                out.push(' ');
            }
            if let Some(otherwise) = otherwise {
                out.push_str("else ");
                print(otherwise, Level::Lowest, out)?;
                out.push(' ');
            }
            out.push_str("end");
            Ok(())
        }
        ExprKind::Cast { expr, ty } => {
            out.push_str("cast(");
            print(expr, Level::Lowest, out)?;
            out.push_str(&format!(" as {})", cast_text(ty)));
            Ok(())
        }
        ExprKind::ConvertUsing { expr, charset } => {
            out.push_str("convert(");
            print(expr, Level::Lowest, out)?;
            out.push_str(&format!(" using {charset})"));
            Ok(())
        }
        ExprKind::Collate { expr, collation } => {
            print(expr, Level::Neg, out)?;
            out.push_str(&format!(" collate {collation}"));
            Ok(())
        }
        _ => print_temporal(e, out),
    }
}

fn print_temporal(e: &Expr, out: &mut String) -> Result<(), SqlError> {
    match &e.kind {
        ExprKind::DateArith { date, amount, unit, subtract } => {
            print(date, Level::Interval, out)?;
            out.push_str(if *subtract { " - interval " } else { " + interval " });
            print(amount, Level::Operand, out)?;
            out.push_str(&format!(" {}", unit_text(*unit)));
        }
        ExprKind::TimestampDiff { unit, from, to } => {
            out.push_str(&format!("timestampdiff({},", unit_text(*unit).to_uppercase()));
            print(from, Level::Lowest, out)?;
            out.push(',');
            print(to, Level::Lowest, out)?;
            out.push(')');
        }
        ExprKind::Extract { unit, expr } => {
            out.push_str(&format!("extract({} from ", unit_text(*unit)));
            print(expr, Level::Lowest, out)?;
            out.push(')');
        }
        ExprKind::Trim { side, what, expr } => {
            out.push_str("trim(");
            let side = match side {
                TrimSide::Both => "both ",
                TrimSide::Leading => "leading ",
                TrimSide::Trailing => "trailing ",
            };
            if let Some(what) = what {
                out.push_str(side);
                print(what, Level::Lowest, out)?;
                out.push_str(" from ");
            } else if side != "both " {
                out.push_str(side);
                out.push_str("from ");
            }
            print(expr, Level::Lowest, out)?;
            out.push(')');
        }
        ExprKind::GetFormat { kind, expr } => {
            out.push_str(&format!("get_format({}, ", kind.to_uppercase()));
            print(expr, Level::Lowest, out)?;
            out.push(')');
        }
        ExprKind::Char { args, charset } => {
            print_list("char", args, out)?;
            if let Some(charset) = charset {
                out.pop();
                out.push_str(&format!(" using {charset})"));
            }
        }
        _ => return Err(refused(e)),
    }
    Ok(())
}

fn tighter(level: Level) -> Level {
    const LEVELS: [Level; 14] = [
        Level::Lowest,
        Level::Or,
        Level::Xor,
        Level::And,
        Level::Compare,
        Level::BitOr,
        Level::BitAnd,
        Level::Shift,
        Level::Add,
        Level::Interval,
        Level::Mul,
        Level::BitXor,
        Level::Neg,
        Level::Operand,
    ];
    LEVELS.into_iter().find(|&l| l > level).unwrap_or(Level::Operand)
}

fn print_unary(op: UnaryOp, operand: &Expr, out: &mut String) -> Result<(), SqlError> {
    match op {
        UnaryOp::Plus => print(operand, Level::Lowest, out),
        UnaryOp::Neg => {
            out.push('-');
            print(operand, Level::Neg, out)
        }
        UnaryOp::BitNot => {
            out.push('~');
            print(operand, Level::Neg, out)
        }
        UnaryOp::Binary => {
            out.push_str("cast(");
            print(operand, Level::Lowest, out)?;
            out.push_str(" as char charset binary)");
            Ok(())
        }
        UnaryOp::Not => match negated(operand) {
            Some(opposite) => print_bare(&opposite, out),
            None if is_number(operand) => {
                print(operand, Level::BitOr, out)?;
                out.push_str(" = 0");
                Ok(())
            }
            None => {
                out.push_str("!(");
                print(operand, Level::Lowest, out)?;
                out.push(')');
                Ok(())
            }
        },
    }
}

/// Whether MariaDB compares such an operand of AND, OR, NOT with 0.
fn is_number(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Column(_) => true,
        ExprKind::Binary { op, .. } => {
            !op.is_comparison() && !matches!(op, BinaryOp::Xor | BinaryOp::SoundsLike)
        }
        ExprKind::Unary { op, .. } => *op != UnaryOp::Not,
        ExprKind::Cast { .. } | ExprKind::DateArith { .. } | ExprKind::Extract { .. } => true,
        _ => false,
    }
}

fn print_conditions(list: &[Expr], word: &str, level: Level, out: &mut String) -> Result<(), SqlError> {
    for (at, e) in list.iter().enumerate() {
        if at > 0 {
            out.push_str(word);
        }
        if is_number(e) {
            print(e, Level::BitOr, out)?;
            out.push_str(" <> 0");
        } else {
            print(e, level, out)?;
        }
    }
    Ok(())
}

fn print_list(before: &str, list: &[Expr], out: &mut String) -> Result<(), SqlError> {
    let list: Vec<&Expr> = list.iter().collect();
    print_call(before, &list, out)
}

fn print_call(name: &str, args: &[&Expr], out: &mut String) -> Result<(), SqlError> {
    out.push_str(name);
    out.push('(');
    for (at, e) in args.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        print(e, Level::Lowest, out)?;
    }
    out.push(')');
    Ok(())
}

/// A call under the name that MariaDB prints.
fn print_function(name: &str, args: &[&Expr], out: &mut String) -> Result<(), SqlError> {
    let name = match name {
        "isnull" if args.len() == 1 => {
            print(args[0], Level::BitOr, out)?;
            out.push_str(" is null");
            return Ok(());
        }
        "mod" if args.len() == 2 => {
            print(args[0], Level::Mul, out)?;
            out.push_str(" MOD ");
            return print(args[1], Level::BitXor, out);
        }
        "length" => "octet_length",
        "upper" => "ucase",
        "lower" => "lcase",
        "character_length" => "char_length",
        "ceil" => "ceiling",
        "power" => "pow",
        "day" => "dayofmonth",
        "sha1" => "sha",
        other => other,
    };
    print_call(name, args, out)
}

fn print_literal(literal: &Literal, out: &mut String) {
    let introduced = |charset: &Option<String>, out: &mut String| {
        if let Some(charset) = charset {
            out.push_str(&format!("_{charset}"));
        }
    };
    match literal {
        Literal::Null => out.push_str("NULL"),
        Literal::Bool(b) => out.push_str(if *b { "1" } else { "0" }),
        Literal::Int(n) => out.push_str(&n.to_string()),
        Literal::Decimal(text) | Literal::Float(text) => out.push_str(text),
        Literal::Str(text) => {
            introduced(&text.charset, out);
            out.push_str(&quoted(&String::from_utf8_lossy(&text.bytes)));
        }
        Literal::Hex { bytes, charset, .. } | Literal::Bit { bytes, charset } => {
            introduced(charset, out);
            let plain = bytes.iter().all(|b| b.is_ascii_graphic() || *b == b' ');
            match (literal, plain) {
                (Literal::Hex { quoted: true, .. }, true) => {
                    out.push_str(&quoted(&String::from_utf8_lossy(bytes)));
                }
                (Literal::Hex { quoted: false, .. }, _) => out.push_str(&format!("0x{}", hex(bytes))),
                _ => out.push_str(&format!("X'{}'", hex(bytes))),
            }
        }
        Literal::Date(text) => out.push_str(&format!("DATE{}", quoted(text))),
        Literal::Time(text) => out.push_str(&format!("TIME{}", quoted(text))),
        Literal::Timestamp(text) => out.push_str(&format!("TIMESTAMP{}", quoted(text))),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn cast_text(ty: &CastType) -> String {
    let length = |n: &Option<u32>| n.map_or(String::new(), |n| format!("({n})"));
    let fraction = |fsp: &u8| if *fsp == 0 { String::new() } else { format!("({fsp})") };
    match ty {
        CastType::Binary(n) => format!("char{} charset binary", length(n)),
        CastType::Char { length: n, charset } => {
            let name = charset.charset.as_deref().unwrap_or("utf8mb4");
            format!("char{} charset {name}", length(n))
        }
        CastType::Signed => "signed".to_owned(),
        CastType::Unsigned => "unsigned".to_owned(),
        CastType::Date => "date".to_owned(),
        CastType::Time(fsp) => format!("time{}", fraction(fsp)),
        CastType::DateTime(fsp) => format!("datetime{}", fraction(fsp)),
        CastType::Decimal { precision, scale } => format!("decimal({precision},{scale})"),
        CastType::Double(None) => "double".to_owned(),
        CastType::Double(Some((m, d))) => format!("double({m},{d})"),
        CastType::Float => "float".to_owned(),
        CastType::IntervalDaySecond(fsp) => format!("interval day_second({fsp})"),
        CastType::Json => "json".to_owned(),
        CastType::Year => "year".to_owned(),
        CastType::Named(name) => name.clone(),
    }
}

fn unit_text(unit: crate::syntax::ast::IntervalUnit) -> &'static str {
    use crate::syntax::ast::IntervalUnit::*;
    match unit {
        Microsecond => "microsecond",
        Second => "second",
        Minute => "minute",
        Hour => "hour",
        Day => "day",
        Week => "week",
        Month => "month",
        Quarter => "quarter",
        Year => "year",
        SecondMicrosecond => "second_microsecond",
        MinuteMicrosecond => "minute_microsecond",
        MinuteSecond => "minute_second",
        HourMicrosecond => "hour_microsecond",
        HourSecond => "hour_second",
        HourMinute => "hour_minute",
        DayMicrosecond => "day_microsecond",
        DaySecond => "day_second",
        DayMinute => "day_minute",
        DayHour => "day_hour",
        YearMonth => "year_month",
    }
}
