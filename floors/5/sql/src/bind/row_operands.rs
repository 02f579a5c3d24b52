//! Rows where a function or an operator wants one value.
//!
//! Once all operands are bound MariaDB holds those of most against the number of columns (1241). Others look at their types
//! and name themselves and the first type that they refuse (4079), or two (4078).

use crate::error::SqlError;
use crate::expr::func::error_name;
use crate::expr::{Class, Expr, Kind, Type, TypeKind, build};
use crate::plan::SubqueryForm;

/// How many columns an operand has.
pub(super) fn columns_of(e: &Expr) -> usize {
    match &e.kind {
        Kind::Row(members) => members.len(),
        Kind::Subquery(s) if matches!(s.form, SubqueryForm::Scalar) => s.plan.columns.len(),
        _ => 1,
    }
}

/// Functions and operators that look at the types of their operands, by the names that errors have for them: what reckons
/// with integers, doubles, dates or shapes.
const NAMING: &[&str] = &[
    "&",
    "<<",
    ">>",
    "^",
    "|",
    "~",
    "acos",
    "ascii",
    "asin",
    "atan",
    "benchmark",
    "bit_count",
    "char_length",
    "coercibility",
    "convert_tz",
    "cos",
    "cot",
    "crc32",
    "crc32c",
    "date_format",
    "to_days",
    "dayofmonth",
    "dayofyear",
    "degrees",
    "exp",
    "find_in_set",
    "from_days",
    "from_unixtime",
    "get_lock",
    "hour",
    "inet_aton",
    "locate",
    "is_free_lock",
    "is_used_lock",
    "json_depth",
    "json_length",
    "last_day",
    "last_insert_id",
    "octet_length",
    "ln",
    "log",
    "log10",
    "log2",
    "makedate",
    "maketime",
    "microsecond",
    "minute",
    "ord",
    "period_add",
    "period_diff",
    "point",
    "polygon",
    "pow",
    "quarter",
    "radians",
    "rand",
    "regexp_instr",
    "release_lock",
    "sec_to_time",
    "second",
    "sign",
    "sin",
    "sleep",
    "sqrt",
    "st_area",
    "st_astext",
    "st_dimension",
    "st_geometrytype",
    "st_isempty",
    "st_numpoints",
    "srid",
    "st_startpoint",
    "st_x",
    "strcmp",
    "tan",
    "time_format",
    "timediff",
    "timestamp",
    "timestampdiff",
    "to_char",
    "to_seconds",
    "uncompressed_length",
    "week",
    "year",
    "yearweek",
    // Their first operand is a shape, or a text.
    "linestring",
    "mbrwithin",
    "st_buffer",
    "st_distance",
    "st_geometryn",
    "st_geometryfromtext",
    "st_geometryfromwkb",
    "st_pointn",
    "st_union",
    "st_within",
];

/// The name that errors have for what names itself.
fn printed(operation: &str) -> Option<&str> {
    let name = error_name(operation);
    (NAMING.contains(&name) || name.starts_with("extract(")).then_some(name)
}

/// The error for a row beside one value, or beside another row where no operator takes any.
pub(super) fn row_among(left: &Expr, right: &Expr, operation: &str) -> SqlError {
    SqlError::illegal_parameter_types(name(left, operation), name(right, operation), operation)
}

/// What errors of an operation call an operand's type.
fn name(e: &Expr, operation: &str) -> &'static str {
    match operation {
        _ if columns_of(e) != 1 => "row",
        "+" | "-" | "*" | "/" | "MOD" => build::reckoned_name(&e.ty),
        _ if e.ty.labels.is_some() => "varchar",
        _ => build::type_name(&e.ty),
    }
}

/// The error for a row where one value is wanted.
pub(super) fn row_operand(operation: &str) -> SqlError {
    match printed(operation) {
        Some(printed) => SqlError::illegal_parameter_type("row", printed),
        None => SqlError::operand_columns(1),
    }
}

/// The error for the arguments of a function, if one is a row.
pub(super) fn check(function: &str, args: &[Expr]) -> Result<(), SqlError> {
    let Some(row) = args.iter().position(|e| columns_of(e) != 1) else { return Ok(()) };
    let shape = |ty: &Type| matches!(ty.kind, TypeKind::Geometry(_));
    let first_fits = |takes: fn(&Type) -> bool| row == 0 || takes(&args[0].ty) || shape(&args[0].ty);
    let text = |ty: &Type| ty.class() == Class::Str;
    Err(match (function, args) {
        ("greatest" | "least", [first, second, ..]) => match row {
            0 => row_among(first, second, function),
            _ => {
                let types: Vec<&Type> = args[..row].iter().map(|e| &e.ty).collect();
                let held = types[1..].iter().fold(types[0].clone(), |a, b| build::chosen_of_pair(&a, b));
                SqlError::illegal_parameter_types(build::type_name(&held), "row", function)
            }
        },
        // The type of the second argument is asked for nowhere; with one argument TIMESTAMP is a cast.
        ("benchmark" | "crc32" | "crc32c", _) if row == 1 => SqlError::operand_columns(1),
        ("timestamp", [_]) => SqlError::operand_columns(1),
        ("mod", [left, right]) => row_among(left, right, "MOD"),
        ("from_unixtime", [first, ..]) if columns_of(first) == 1 => {
            SqlError::illegal_parameter_type("row", "date_format")
        }
        ("get_lock" | "st_geomfromtext" | "st_geometryfromtext", [first, ..]) if !first_fits(text) => {
            SqlError::illegal_parameter_type(name(first, function), printed(function).unwrap_or(function))
        }
        ("linestring" | "mbrwithin", [first, ..]) if !first_fits(|_| false) => {
            SqlError::illegal_parameter_type(name(first, function), function)
        }
        (function, [first, ..]) if function.starts_with("st_") && !first_fits(|_| false) => {
            SqlError::illegal_parameter_type(name(first, function), printed(function).unwrap_or(function))
        }
        _ => row_operand(function),
    })
}
