//! Bound expressions as error 1690 shows them: whole names, constants, parentheses where operators need them.

use super::constant::write_string;
use crate::bind::scope::VALUES_TABLE;
use crate::expr::func::dynamic;
use crate::expr::{Class, Coercibility, Comparison, Expr, Kind, Named, Type, TypeKind, compare_text};
use crate::plan::{AggregateCall, SortKey, SubqueryForm};
use crate::syntax::ast::{AggregateKind, IsTest};
use types::{CollationId, Value};

/// How tightly the operators of conditions bind, loosest first; those of numbers follow (`strength`).
mod binding {
    pub const OR: u8 = 1;
    pub const XOR: u8 = 2;
    pub const AND: u8 = 3;
    pub const COMPARE: u8 = 5;
    pub const INTERVAL: u8 = 9;
    pub const UNARY: u8 = 14;
}

/// The text of an expression that could not be computed.
pub fn bound_text(e: &Expr) -> String {
    text(e, 0)
}

/// A call as text; `ty` is its type, `params` are what the statement's parameters stand for.
pub fn call_text(name: &str, args: &[Expr], ty: &Type, params: &[Value]) -> String {
    let mut args = args.to_vec();
    args.iter_mut().for_each(|arg| {
        arg.replace(&mut |e| match e.kind {
            Kind::Param(n) => {
                Some(Expr { kind: Kind::Const(params.get(n as usize)?.clone()), ty: e.ty.clone() })
            }
            _ => None,
        });
    });
    written_call(name, &args, ty)
}

fn written_call(name: &str, args: &[Expr], ty: &Type) -> String {
    if let Some(text) = special_text(name, args, ty) {
        return text;
    }
    match (strength(name), args) {
        (Some(own), [left, right]) => format!("{} {name} {}", text(left, own), text(right, own + 1)),
        (_, [operand]) if name == "-" || name == "~" => format!("{name}{}", text(operand, binding::UNARY)),
        _ => format!("{}({})", super::call::canonical_name(name), list(args)),
    }
}

fn list(args: &[Expr]) -> String {
    args.iter().map(|e| text(e, 0)).collect::<Vec<_>>().join(",")
}

/// Calls that are not written as a name and arguments.
fn special_text(name: &str, args: &[Expr], ty: &Type) -> Option<String> {
    let word = |e: &Expr| match &e.kind {
        Kind::Const(value) => compare_text(value),
        _ => String::new(),
    };
    Some(match (name, args) {
        // What holds an aggregate's digits is named as the aggregate.
        ("avg" | "bits" | "max" | "min" | "sum", [result, ..]) => text(result, 0),
        ("yearweek", [date]) => format!("yearweek({},0)", text(date, 0)),
        ("bin", [number]) => format!("conv({},10,2)", text(number, 0)),
        ("oct", [number]) => format!("conv({},10,8)", text(number, 0)),
        ("round", [number]) => format!("round({},0)", text(number, 0)),
        ("instr", [text_of, sought]) => format!("locate({},{})", text(sought, 0), text(text_of, 0)),
        ("datediff", [a, b]) => format!("to_days({}) - to_days({})", text(a, 0), text(b, 0)),
        ("get_format", [name, kind]) => {
            format!("get_format({}, {})", word(kind).to_uppercase(), text(name, 0))
        }
        ("extract", [of, unit]) => format!("extract({} from {})", word(unit).to_lowercase(), text(of, 0)),
        ("timestampdiff", [from, to, unit]) => {
            format!("timestampdiff({},{},{})", word(unit).to_uppercase(), text(from, 0), text(to, 0))
        }
        ("date_add" | "date_sub", [date, amount, unit]) => {
            let sign = if name == "date_add" { '+' } else { '-' };
            let unit = word(unit).to_lowercase();
            format!("{} {sign} interval {} {unit}", text(date, binding::INTERVAL), text(amount, 0))
        }
        ("mod" | "%", [left, right]) => {
            let own = strength("%")?;
            format!("{} MOD {}", text(left, own), text(right, own + 1))
        }
        ("xor", [left, right]) => {
            format!("{} xor {}", text(left, binding::XOR), text(right, binding::XOR + 1))
        }
        ("isnull", [operand]) => format!("{} is null", text(operand, binding::COMPARE + 1)),
        ("regexp", [left, right]) => {
            format!("{} regexp {}", text(left, binding::COMPARE + 1), text(right, binding::COMPARE + 1))
        }
        // The type that is asked for stands behind each key and value.
        ("column_create" | "column_add", args) => {
            let (document, columns) = args.split_at(args.len() % 3);
            let columns = columns.chunks(3).map(|column| {
                let ty =
                    column.get(2).and_then(dynamic::made_as).map_or(String::new(), |ty| format!(" AS {ty}"));
                list(&column[..2.min(column.len())]) + &ty
            });
            let written = document.iter().map(|e| text(e, 0)).chain(columns);
            format!("{name}({})", written.collect::<Vec<_>>().join(","))
        }
        ("column_get", [document, key, length @ ..]) => {
            let length = length.first().map_or(String::new(), |length| format!("({})", word(length)));
            format!("column_get({},{} as {})", text(document, 0), text(key, 0), got_as(ty, &length))
        }
        ("trim" | "ltrim" | "rtrim", [operand, what]) => {
            let side = match name {
                "ltrim" => "leading",
                "rtrim" => "trailing",
                _ => "both",
            };
            format!("trim({side} {} from {})", text(what, 0), text(operand, 0))
        }
        ("trim_oracle", [trimmed]) => format!("oracle_schema.{}", text(trimmed, 0)),
        ("convert", [operand]) => format!("convert({} using {})", text(operand, 0), charset(ty)),
        ("char", codes) if ty.collation != CollationId::BINARY => {
            format!("char({} using {})", list(codes), charset(ty))
        }
        ("collate", [operand]) => {
            format!("{} collate {}", text(operand, binding::UNARY), ty.collation.name())
        }
        ("cast_as_char" | "cast_as_binary", [operand, length @ ..]) => {
            let length = length.first().map_or(String::new(), |length| format!("({})", word(length)));
            format!("cast({} as char{length} charset {})", text(operand, 0), charset(ty))
        }
        ("date" | "time" | "timestamp", [operand]) => {
            let digits = if ty.decimals > 0 { format!("({})", ty.decimals) } else { String::new() };
            let cast = if name == "timestamp" { "datetime" } else { name };
            format!("cast({} as {cast}{digits})", text(operand, 0))
        }
        ("cast_as_decimal", [operand, ..]) => {
            format!("cast({} as {})", text(operand, 0), decimal_of(ty))
        }
        ("cast", [operand]) if let TypeKind::Fixed(fixed) = ty.kind => {
            format!("cast({} as {})", text(operand, 0), fixed.name())
        }
        // Behind the operand may stand what warnings call it by.
        (_, [operand, ..]) if name.starts_with("cast_as_") => {
            let digits = match ty.class() {
                Class::Temporal if ty.decimals > 0 => format!("({})", ty.decimals),
                _ => String::new(),
            };
            format!("cast({} as {}{digits})", text(operand, 0), &name["cast_as_".len()..])
        }
        _ => return None,
    })
}

/// The type that a dynamic column is asked for as; `length` is that of text.
fn got_as(ty: &Type, length: &str) -> String {
    let digits = || if ty.decimals > 0 { format!("({})", ty.decimals) } else { String::new() };
    match (ty.kind, ty.class()) {
        (TypeKind::Float, _) => "float".into(),
        (_, Class::Int) if ty.unsigned => "unsigned".into(),
        (_, Class::Int) => "signed".into(),
        (_, Class::Real) => "double".into(),
        (_, Class::Decimal) => decimal_of(ty),
        (TypeKind::Date, _) => "date".into(),
        (TypeKind::Time, _) => format!("time{}", digits()),
        (_, Class::Temporal) => format!("datetime{}", digits()),
        _ => format!("char{length} charset {}", charset(ty)),
    }
}

fn decimal_of(ty: &Type) -> String {
    let point = u32::from(ty.decimals > 0);
    format!("decimal({},{})", ty.length.saturating_sub(1 + point), ty.decimals)
}

/// A number, or the word for its type before a date or time.
fn literal_text(value: &Value) -> String {
    let written = compare_text(value);
    match value {
        Value::Date(_) => format!("DATE'{written}'"),
        Value::Time(..) => format!("TIME'{written}'"),
        Value::DateTime(..) | Value::Timestamp(..) => format!("TIMESTAMP'{written}'"),
        _ => written,
    }
}

/// An aggregate as messages show it.
pub fn aggregate_text(call: &AggregateCall) -> String {
    let name = match call.kind {
        AggregateKind::CountStar => return "count(0)".into(),
        AggregateKind::Count => "count",
        AggregateKind::Sum => "sum",
        AggregateKind::Avg => "avg",
        AggregateKind::Min => "min",
        AggregateKind::Max => "max",
        AggregateKind::GroupConcat => "group_concat",
        AggregateKind::BitAnd => "bit_and",
        AggregateKind::BitOr => "bit_or",
        AggregateKind::BitXor => "bit_xor",
        AggregateKind::StddevPop => "std",
        AggregateKind::StddevSamp => "stddev_samp",
        AggregateKind::VarPop => "variance",
        AggregateKind::VarSamp => "var_samp",
        AggregateKind::JsonArrayAgg => "json_arrayagg",
        AggregateKind::JsonObjectAgg => "json_objectagg",
    };
    let distinct = if call.distinct || call.forgets_distinct { "distinct " } else { "" };
    let mut out = format!("{name}({distinct}{}", list(&call.args));
    let direction = |key: &SortKey| if key.desc { "DESC" } else { "ASC" };
    let keys: Vec<String> =
        call.order_by.iter().map(|key| format!("{} {}", text(&key.expr, 0), direction(key))).collect();
    if !keys.is_empty() {
        out += &format!(" order by {}", keys.join(","));
    }
    if call.kind == AggregateKind::GroupConcat {
        out += &format!(" separator '{}'", String::from_utf8_lossy(&call.separator));
    }
    if let Some((limit, offset)) = call.limit {
        let offset = if offset > 0 { format!("{offset},") } else { String::new() };
        out += &format!(" limit {offset}{limit}");
    }
    out + ")"
}

fn charset(ty: &Type) -> &'static str {
    match ty.collation {
        CollationId::BINARY => "binary",
        collation => collation.charset().name(),
    }
}

/// How tightly an operator of two operands binds.
fn strength(name: &str) -> Option<u8> {
    Some(match name {
        "|" => 6,
        "&" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 10,
        "*" | "/" | "DIV" | "%" => 11,
        "^" => 12,
        _ => return None,
    })
}

/// A part of a condition: what is no condition by itself is compared with 0.
fn condition_text(e: &Expr, around: u8) -> String {
    match e.ty.truth || e.is_const() || matches!(e.ty.kind, TypeKind::Null) {
        true => text(e, around),
        false => format!("{} <> 0", text(e, binding::COMPARE + 1)),
    }
}

fn joined(list: &[Expr], word: &str, own: u8) -> String {
    list.iter().map(|e| condition_text(e, own + 1)).collect::<Vec<_>>().join(word)
}

fn text(e: &Expr, around: u8) -> String {
    let (written, own) = match &e.kind {
        Kind::Column(_) => return column_text(e),
        Kind::Const(_) if let Named::Computed(of) = &e.ty.origin => {
            let collated = |ty: &Type| (ty.coercibility == Coercibility::Explicit).then_some(ty.collation);
            return match collated(&e.ty).filter(|_| collated(&of.ty) != collated(&e.ty)) {
                Some(collation) => format!("{} collate {}", text(of, binding::UNARY), collation.name()),
                None => text(of, around),
            };
        }
        Kind::Const(_) | Kind::Subquery(_) if let Named::Written(text) = &e.ty.origin => {
            return text.to_string();
        }
        Kind::Const(Value::Null) => return "NULL".into(),
        Kind::Const(Value::Str(bytes)) if bytes.collation == CollationId::BINARY => {
            let digits = || bytes.bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            // What is also a number is written as one, what a parameter brings as text.
            return match (e.ty.unsigned, e.ty.hex) {
                (true, _) => format!("0x{}", digits()),
                (false, true) => format!("X'{}'", digits()),
                (false, false) => text_constant(&bytes.bytes, e),
            };
        }
        Kind::Const(value) if e.ty.class() == Class::Str => {
            return text_constant(compare_text(value).as_bytes(), e);
        }
        Kind::Const(value) => return literal_text(value),
        Kind::Param(_) => return "?".into(),
        Kind::UserVar(name) => return format!("@`{name}`"),
        // The statement's own block is the first.
        Kind::Subquery(subquery) if matches!(subquery.form, SubqueryForm::Scalar) => {
            return format!("(select #{})", subquery.number + 2);
        }
        Kind::AssignUserVar(name, value) => return format!("@{name}:={}", text(value, 0)),
        Kind::Call(call) => {
            let own = match call.name {
                "date_add" | "date_sub" => binding::INTERVAL,
                "mod" => strength("%").unwrap_or(u8::MAX),
                "datediff" => strength("-").unwrap_or(u8::MAX),
                "xor" => binding::XOR,
                "regexp" | "isnull" => binding::COMPARE,
                name if call.args.len() == 2 => strength(name).unwrap_or(u8::MAX),
                _ => u8::MAX,
            };
            (written_call(call.name, &call.args, &e.ty), own)
        }
        _ => match condition(e) {
            Some(written) => written,
            None => return "<expression>".into(),
        },
    };
    if own < around { format!("({written})") } else { written }
}

/// Conditions and CASE, with how tightly they bind.
fn condition(e: &Expr) -> Option<(String, u8)> {
    let side = |e: &Expr| text(e, binding::COMPARE + 1);
    let not = |negated: bool| if negated { " not" } else { "" };
    let written = match &e.kind {
        Kind::And(list) => return Some((joined(list, " and ", binding::AND), binding::AND)),
        Kind::Or(list) => return Some((joined(list, " or ", binding::OR), binding::OR)),
        Kind::Not(e) if e.is_const() => {
            return Some((format!("!{}", text(e, binding::UNARY)), binding::UNARY));
        }
        Kind::Not(e) if e.ty.truth => {
            return Some((format!("!({})", text(e, 0)), binding::UNARY));
        }
        Kind::Not(e) => format!("{} = 0", side(e)),
        Kind::Compare(op, how, left, right) => {
            let zero = |e: &Expr| matches!((&e.kind, how), (Kind::Const(Value::Int(0)), Comparison::Decimal));
            if zero(right) && left.ty.class() == Class::Str {
                return Some((side(left), u8::MAX));
            }
            format!("{} {} {}", side(left), op.text(), side(right))
        }
        Kind::CompareRows(op, _, left, right) => format!("({}) {} ({})", list(left), op.text(), list(right)),
        Kind::Between { operands, negated, .. } => {
            let [operand, low, high] = &**operands;
            format!("{}{} between {} and {}", side(operand), not(*negated), side(low), side(high))
        }
        Kind::InList { operand, list, negated, .. } => {
            let members: Vec<String> = list.iter().map(|(_, e)| text(e, 0)).collect();
            format!("{}{} in ({})", side(operand), not(*negated), members.join(","))
        }
        Kind::Is(test, negated, e) => {
            let test = match test {
                IsTest::Null | IsTest::Unknown => "null",
                IsTest::True => "true",
                IsTest::False => "false",
            };
            format!("{} is{} {test}", side(e), not(*negated))
        }
        Kind::Like { operands, negated, .. } => {
            format!("{}{} like {}", side(&operands[0]), not(*negated), side(&operands[1]))
        }
        Kind::Case { operand, branches, otherwise } => {
            let mut out = "case".to_owned();
            if let Some(operand) = operand {
                out += &format!(" {}", text(operand, 0));
            }
            for (_, when, then) in branches {
                out += &format!(" when {} then {}", text(when, 0), text(then, 0));
            }
            if let Some(otherwise) = otherwise {
                out += &format!(" else {}", text(otherwise, 0));
            }
            return Some((out + " end", u8::MAX));
        }
        _ => return None,
    };
    Some((written, binding::COMPARE))
}

/// A column by the name that its table has in the statement.
fn column_text(e: &Expr) -> String {
    if let Some(shown) = e.ty.origin.shown() {
        return shown.to_owned();
    }
    let Some(origin) = e.ty.origin.column() else { return "<column>".into() };
    match (&origin.base, origin.stored()) {
        (None, Some((database, table, column))) if origin.table == VALUES_TABLE => {
            format!("value(`{database}`.`{table}`.`{column}`)")
        }
        (None, Some((database, _, column))) => format!("`{database}`.`{}`.`{column}`", origin.table),
        _ => e.ty.origin.name().unwrap_or_else(|| "<column>".into()),
    }
}

/// A text as a literal; what a parameter brings has its double quotes escaped, too.
fn text_constant(text: &[u8], e: &Expr) -> String {
    let mut quoted = String::new();
    write_string(text, &mut quoted);
    match e.ty.nullable && !matches!(e.ty.origin, Named::Computed(_)) {
        true => quoted.replace('"', "\\\""),
        false => quoted,
    }
}
