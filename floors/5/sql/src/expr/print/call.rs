//! Calls: those of functions by the one spelling of their names, of aggregates, of stored functions.

use super::{Binding, cast, constant, print, query, quoted_name, write_args, write_binary};
use crate::expr::func::geometry;
use crate::syntax::ast::{self, BinaryOp, CastType};

/// The one spelling of a function that has several.
pub fn canonical_name(name: &str) -> &str {
    match name {
        "length" | "lengthb" => "octet_length",
        "json_merge" => "json_merge_preserve",
        "concat_operator_oracle" => "oracle_schema.concat",
        "decode_oracle" => "oracle_schema.decode",
        "lpad_oracle" => "oracle_schema.lpad",
        "rpad_oracle" => "oracle_schema.rpad",
        "ltrim_oracle" => "oracle_schema.ltrim",
        "rtrim_oracle" => "oracle_schema.rtrim",
        "replace_oracle" => "oracle_schema.replace",
        "substr_oracle" => "oracle_schema.substr",
        "character_length" => "char_length",
        "upper" => "ucase",
        "lower" => "lcase",
        "day" => "dayofmonth",
        "power" => "pow",
        "ceil" => "ceiling",
        "sha1" => "sha",
        "schema" => "database",
        "session_user" | "system_user" => "user",
        "nvl" => "ifnull",
        "substring" | "mid" => "substr",
        "now" | "localtime" | "localtimestamp" => "current_timestamp",
        other => geometry::first_name(other).unwrap_or(other),
    }
}

/// Two expressions between three words.
fn write_between([before, between, behind]: [&str; 3], [first, second]: [&ast::Expr; 2], out: &mut String) {
    out.push_str(before);
    print(first, Binding::Lowest, out);
    out.push_str(between);
    print(second, Binding::Lowest, out);
    out.push_str(behind);
}

/// A call of one of the server's functions.
pub(super) fn write_call(call: &ast::FunctionCall, out: &mut String) {
    let args = &call.args[..];
    let cast = |ty: CastType, out: &mut String| cast::write_cast(&args[0], &ty, out);
    match (call.name.as_str(), args.len()) {
        ("mod", 2) => return write_binary(BinaryOp::Mod, &args[0], &args[1], out),
        ("datediff", 2) => {
            return write_between(["to_days(", ") - to_days(", ")"], [&args[0], &args[1]], out);
        }
        ("instr", 2) => {
            return write_between(["locate(", ",", ")"], [&args[1], &args[0]], out);
        }
        ("date", 1) => return cast(CastType::Date, out),
        ("time", 1) => return cast(CastType::Time(0), out),
        ("timestamp", 1) => return cast(CastType::DateTime(0), out),
        ("isnull", 1) => {
            print(&args[0], Binding::Compare, out);
            out.push_str(" is null");
            return;
        }
        _ => {}
    }
    out.push_str(canonical_name(&call.name));
    out.push('(');
    if call.name == "bin" || call.name == "oct" {
        out.truncate(out.len() - 4);
        out.push_str("conv(");
    }
    write_args(args, out);
    out.push_str(match (call.name.as_str(), args.len()) {
        ("round", 1) => ",0",
        ("bin", 1) => ",10,2",
        ("oct", 1) => ",10,8",
        _ => "",
    });
    out.push(')');
}

/// A stored function's name, behind that of its database if the call has it.
pub fn stored_name(call: &ast::StoredCall) -> String {
    let mut name = String::new();
    if let Some(database) = &call.database {
        quoted_name(database, &mut name);
        name.push('.');
    }
    quoted_name(&call.name, &mut name);
    name
}

/// A call of a stored function.
pub(super) fn write_stored(call: &ast::StoredCall, out: &mut String) {
    out.push_str(&stored_name(call));
    out.push('(');
    write_args(&call.args, out);
    out.push(')');
}

/// A call of an aggregate.
pub(super) fn write_aggregate(aggregate: &ast::Aggregate, out: &mut String) {
    use ast::AggregateKind as K;
    out.push_str(match aggregate.kind {
        K::CountStar => return out.push_str("count(0)"),
        K::Count => "count(",
        K::Sum => "sum(",
        K::Avg => "avg(",
        K::Min => "min(",
        K::Max => "max(",
        K::GroupConcat => "group_concat(",
        K::BitAnd => "bit_and(",
        K::BitOr => "bit_or(",
        K::BitXor => "bit_xor(",
        K::StddevPop => "std(",
        K::StddevSamp => "stddev_samp(",
        K::VarPop => "variance(",
        K::VarSamp => "var_samp(",
        K::JsonArrayAgg => "json_arrayagg(",
        K::JsonObjectAgg => "json_objectagg(",
    });
    out.push_str(if aggregate.distinct { "distinct " } else { "" });
    write_args(&aggregate.args, out);
    for (i, item) in aggregate.order_by.iter().enumerate() {
        out.push_str(if i == 0 { " order by " } else { "," });
        print(&item.expr, Binding::Lowest, out);
        out.push_str(if item.desc { " DESC" } else { " ASC" });
    }
    if aggregate.kind == K::GroupConcat {
        out.push_str(" separator ");
        constant::write_string(aggregate.separator.as_deref().unwrap_or(b","), out);
    }
    if let Some(limit) = &aggregate.limit {
        query::write_counts(limit, out);
    }
    out.push(')');
}
