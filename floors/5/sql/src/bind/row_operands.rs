//! Rows where a function or an operator wants one value.
//!
//! Once all operands are bound MariaDB holds those of most against the number of columns (1241). Others look at their types
//! and name themselves and the first type that they refuse (4079), or two (4078).

use crate::error::SqlError;
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

/// Functions and operators that look at the types of their operands, by the names that they have here, with those that
/// errors have for them: what reckons with integers, doubles, dates or shapes.
const NAMING: &[(&[&str], &str)] = &[
    (&["&"], "&"),
    (&["<<"], "<<"),
    (&[">>"], ">>"),
    (&["^"], "^"),
    (&["|"], "|"),
    (&["~"], "~"),
    (&["acos"], "acos"),
    (&["ascii"], "ascii"),
    (&["asin"], "asin"),
    (&["atan", "atan2"], "atan"),
    (&["benchmark"], "benchmark"),
    (&["bit_count"], "bit_count"),
    (&["char_length", "character_length"], "char_length"),
    (&["coercibility"], "coercibility"),
    (&["convert_tz"], "convert_tz"),
    (&["cos"], "cos"),
    (&["cot"], "cot"),
    (&["crc32"], "crc32"),
    (&["crc32c"], "crc32c"),
    (&["date_format"], "date_format"),
    (&["datediff", "to_days"], "to_days"),
    (&["day", "dayofmonth"], "dayofmonth"),
    (&["dayofyear"], "dayofyear"),
    (&["degrees"], "degrees"),
    (&["exp"], "exp"),
    (&["find_in_set"], "find_in_set"),
    (&["from_days"], "from_days"),
    (&["from_unixtime"], "from_unixtime"),
    (&["get_lock"], "get_lock"),
    (&["hour"], "hour"),
    (&["inet_aton"], "inet_aton"),
    (&["instr", "locate"], "locate"),
    (&["is_free_lock"], "is_free_lock"),
    (&["is_used_lock"], "is_used_lock"),
    (&["json_depth"], "json_depth"),
    (&["json_length"], "json_length"),
    (&["last_day"], "last_day"),
    (&["last_insert_id"], "last_insert_id"),
    (&["length", "lengthb", "octet_length"], "octet_length"),
    (&["ln"], "ln"),
    (&["log"], "log"),
    (&["log10"], "log10"),
    (&["log2"], "log2"),
    (&["makedate"], "makedate"),
    (&["maketime"], "maketime"),
    (&["microsecond"], "microsecond"),
    (&["minute"], "minute"),
    (&["ord"], "ord"),
    (&["period_add"], "period_add"),
    (&["period_diff"], "period_diff"),
    (&["point"], "point"),
    (&["polygon"], "polygon"),
    (&["pow", "power"], "pow"),
    (&["quarter"], "quarter"),
    (&["radians"], "radians"),
    (&["rand"], "rand"),
    (&["regexp_instr"], "regexp_instr"),
    (&["release_lock"], "release_lock"),
    (&["sec_to_time"], "sec_to_time"),
    (&["second"], "second"),
    (&["sign"], "sign"),
    (&["sin"], "sin"),
    (&["sleep"], "sleep"),
    (&["sqrt"], "sqrt"),
    (&["st_area"], "st_area"),
    (&["st_astext"], "st_astext"),
    (&["st_dimension"], "st_dimension"),
    (&["geometrytype", "st_geometrytype"], "st_geometrytype"),
    (&["st_isempty"], "st_isempty"),
    (&["st_numpoints"], "st_numpoints"),
    (&["srid", "st_srid"], "srid"),
    (&["st_startpoint"], "st_startpoint"),
    (&["st_x"], "st_x"),
    (&["strcmp"], "strcmp"),
    (&["tan"], "tan"),
    (&["time_format"], "time_format"),
    (&["timediff"], "timediff"),
    (&["timestamp"], "timestamp"),
    (&["timestampdiff"], "timestampdiff"),
    (&["to_char"], "to_char"),
    (&["to_seconds"], "to_seconds"),
    (&["uncompressed_length"], "uncompressed_length"),
    (&["week", "weekofyear"], "week"),
    (&["year"], "year"),
    (&["yearweek"], "yearweek"),
    // Their first operand is a shape, or a text.
    (&["linestring"], "linestring"),
    (&["mbrwithin"], "mbrwithin"),
    (&["st_buffer"], "st_buffer"),
    (&["st_distance"], "st_distance"),
    (&["st_geometryn"], "st_geometryn"),
    (&["st_geomfromtext", "st_geometryfromtext"], "st_geometryfromtext"),
    (&["st_geomfromwkb", "st_geometryfromwkb"], "st_geometryfromwkb"),
    (&["st_pointn"], "st_pointn"),
    (&["st_union"], "st_union"),
    (&["st_within"], "st_within"),
];

/// The name that errors have for what names itself.
fn printed(operation: &str) -> Option<&str> {
    if operation.starts_with("extract(") {
        return Some(operation);
    }
    NAMING.iter().find(|(names, _)| names.contains(&operation)).map(|(_, printed)| *printed)
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
