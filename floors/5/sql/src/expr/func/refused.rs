//! Arguments that functions refuse by their types: UUIDs, addresses and geometries are no numbers and no dates.
//!
//! Error 4079 names the first of them and the function by the name that MariaDB has for it; functions that compute with
//! both of their arguments name both types (4078).

use super::super::build::{self, common_fixed, type_name};
use super::super::{Class, Expr, Type, TypeKind};
use crate::error::SqlError;

/// Which arguments are refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refused {
    /// Any that is a UUID, an address or a geometry.
    Any,
    /// The one at a place, if it is such.
    At(usize),
    /// A geometry at a place.
    GeometryAt(usize),
    /// Any such; both types are named.
    Both,
}

use Refused::{Any, At, Both, GeometryAt};

/// Functions by their names here, and the names that errors have for them.
const REFUSING: &[(&[&str], &str, Refused)] = &[
    (&["abs"], "abs", Any),
    (&["acos"], "acos", Any),
    (&["asin"], "asin", Any),
    (&["atan", "atan2"], "atan", Any),
    (&["cos"], "cos", Any),
    (&["cot"], "cot", Any),
    (&["sin"], "sin", Any),
    (&["tan"], "tan", Any),
    (&["degrees"], "degrees", Any),
    (&["radians"], "radians", Any),
    (&["exp"], "exp", Any),
    (&["ln"], "ln", Any),
    (&["log"], "log", Any),
    (&["log2"], "log2", Any),
    (&["log10"], "log10", Any),
    (&["pow", "power"], "pow", Any),
    (&["sqrt"], "sqrt", Any),
    (&["rand"], "rand", Any),
    (&["sign"], "sign", Any),
    (&["ceil", "ceiling"], "ceiling", Any),
    (&["floor"], "floor", Any),
    (&["truncate"], "truncate", At(0)),
    (&["bit_count"], "bit_count", Any),
    (&["benchmark"], "benchmark", At(0)),
    (&["sleep"], "sleep", Any),
    (&["last_insert_id"], "last_insert_id", Any),
    (&["locate"], "locate", At(2)),
    (&["inet_aton"], "inet_aton", GeometryAt(0)),
    (&["get_lock"], "get_lock", At(0)),
    (&["is_free_lock"], "is_free_lock", Any),
    (&["is_used_lock"], "is_used_lock", Any),
    (&["release_lock"], "release_lock", Any),
    (&["regexp_instr"], "regexp_instr", GeometryAt(1)),
    (&["json_depth"], "json_depth", GeometryAt(0)),
    (&["json_length"], "json_length", GeometryAt(0)),
    (&["date"], "cast_as_date", Any),
    (&["time"], "cast_as_time", Any),
    (&["day", "dayofmonth"], "dayofmonth", Any),
    (&["dayofyear"], "dayofyear", Any),
    (&["datediff", "to_days"], "to_days", Any),
    (&["to_seconds"], "to_seconds", Any),
    (&["year"], "year", Any),
    (&["quarter"], "quarter", Any),
    (&["week", "weekofyear"], "week", Any),
    (&["yearweek"], "yearweek", Any),
    (&["hour"], "hour", Any),
    (&["minute"], "minute", Any),
    (&["second"], "second", Any),
    (&["microsecond"], "microsecond", Any),
    (&["last_day"], "last_day", Any),
    (&["from_days"], "from_days", Any),
    (&["from_unixtime"], "from_unixtime", At(0)),
    (&["from_unixtime"], "date_format", GeometryAt(1)),
    (&["sec_to_time"], "sec_to_time", Any),
    (&["makedate"], "makedate", Any),
    (&["maketime"], "maketime", Any),
    (&["period_add"], "period_add", Any),
    (&["period_diff"], "period_diff", Any),
    (&["timediff"], "timediff", Any),
    (&["convert_tz"], "convert_tz", At(0)),
    (&["convert_tz"], "convert_tz", GeometryAt(1)),
    (&["convert_tz"], "convert_tz", GeometryAt(2)),
    (&["date_format"], "date_format", At(0)),
    (&["date_format"], "date_format", GeometryAt(1)),
    (&["date_format"], "date_format", GeometryAt(2)),
    (&["time_format"], "time_format", At(0)),
    (&["time_format"], "time_format", GeometryAt(1)),
    (&["to_char"], "to_char", At(0)),
    (&["to_char"], "to_char", GeometryAt(1)),
    (&["addtime"], "addtime", Both),
    (&["subtime"], "subtime", Both),
    (&["str_to_date"], "str_to_date", Both),
    (&["point"], "point", Any),
];

fn is_geometry(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Geometry(_))
}

fn is_opaque(ty: &Type) -> bool {
    is_geometry(ty) || matches!(ty.kind, TypeKind::Fixed(_))
}

/// Whether it is text, labels, or nothing at all.
fn is_text(ty: &Type) -> bool {
    ty.kind == TypeKind::Null || ty.labels.is_some() || ty.class() == Class::Str && !is_opaque(ty)
}

/// Error 4078 or 4079 where a call has an argument of a type that its function refuses.
pub(super) fn check(name: &str, args: &[Expr]) -> Result<(), SqlError> {
    if let ("json_length", [_, path]) = (name, args)
        && !is_text(&path.ty)
    {
        return Err(SqlError::illegal_parameter_type(type_name(&path.ty), name));
    }
    if !args.iter().any(|e| is_opaque(&e.ty)) {
        return Ok(());
    }
    match (name, args) {
        ("greatest" | "least", _) => return check_all(name, args),
        ("nullif", [a, b]) => return common_fixed(&a.ty, &b.ty, name).map(drop),
        // With one argument it is a cast.
        ("timestamp", [e]) => return refuse(std::slice::from_ref(e), "cast_as_datetime"),
        ("timestamp", _) => return refuse(args, name),
        _ => {}
    }
    for (names, printed, refused) in REFUSING {
        if !names.contains(&name) {
            continue;
        }
        match refused {
            Any => refuse(args, printed)?,
            At(place) => refuse(args.get(*place..=*place).unwrap_or_default(), printed)?,
            GeometryAt(place) => {
                if let Some(e) = args.get(*place).filter(|e| is_geometry(&e.ty)) {
                    return Err(SqlError::illegal_parameter_type(type_name(&e.ty), *printed));
                }
            }
            Both => {
                let [a, b] = [0, 1].map(|i| args.get(i).map_or("", |e| read_name(&e.ty)));
                return Err(SqlError::illegal_parameter_types(a, b, *printed));
            }
        }
    }
    Ok(())
}

/// The name of an argument's type where labels are read as the texts that they are.
pub(super) fn read_name(ty: &Type) -> &'static str {
    if ty.labels.is_some() { "varchar" } else { type_name(ty) }
}

/// Error 4078 for something that an interval cannot be added to.
pub(super) fn check_interval(date: &Type) -> Result<(), SqlError> {
    match date.json || is_opaque(date) {
        true => Err(SqlError::illegal_parameter_types(type_name(date), "interval", "date_add_interval")),
        false => Ok(()),
    }
}

/// Error 4079 for the first of some arguments that is a UUID, an address or a geometry.
pub(super) fn refuse(args: &[Expr], printed: &str) -> Result<(), SqlError> {
    match args.iter().find(|e| is_opaque(&e.ty)) {
        Some(e) => Err(SqlError::illegal_parameter_type(type_name(&e.ty), printed)),
        None => Ok(()),
    }
}

/// All must have one type or be texts beside it.
fn check_all(name: &str, args: &[Expr]) -> Result<(), SqlError> {
    let Some((first, rest)) = args.split_first() else { return Ok(()) };
    let mut held = first.ty.clone();
    for e in rest {
        common_fixed(&held, &e.ty, name)?;
        // A geometry beside a text is one, and then goes with numbers.
        let geometry = |ty: &Type| matches!(ty.kind, TypeKind::Geometry(_));
        let text = |ty: &Type| ty.class() == Class::Str && ty.kind != TypeKind::Null && !is_opaque(ty);
        held = match is_opaque(&held) && !is_opaque(&e.ty) {
            _ if geometry(&held) && text(&e.ty) => e.ty.clone(),
            _ if text(&held) && geometry(&e.ty) => held,
            true => held,
            false => build::chosen_of_pair(&held, &e.ty),
        };
    }
    Ok(())
}
