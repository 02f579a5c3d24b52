//! Arguments that functions refuse by their types: UUIDs, addresses and geometries are no numbers and no dates.
//!
//! Error 4079 names the first of them and the function by the name that MariaDB has for it; functions that compute with
//! both of their arguments name both types (4078).

use super::super::build::{self, common_fixed, type_name};
use super::super::print::canonical_name;
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

/// Functions by the names that errors have for them.
const REFUSING: &[(&str, Refused)] = &[
    ("abs", Any),
    ("acos", Any),
    ("asin", Any),
    ("atan", Any),
    ("cos", Any),
    ("cot", Any),
    ("sin", Any),
    ("tan", Any),
    ("degrees", Any),
    ("radians", Any),
    ("exp", Any),
    ("ln", Any),
    ("log", Any),
    ("log2", Any),
    ("log10", Any),
    ("pow", Any),
    ("sqrt", Any),
    ("rand", Any),
    ("sign", Any),
    ("ceiling", Any),
    ("floor", Any),
    ("truncate", At(0)),
    ("bit_count", Any),
    ("benchmark", At(0)),
    ("sleep", Any),
    ("last_insert_id", Any),
    ("locate", At(2)),
    ("inet_aton", GeometryAt(0)),
    ("get_lock", At(0)),
    ("is_free_lock", Any),
    ("is_used_lock", Any),
    ("release_lock", Any),
    ("regexp_instr", GeometryAt(1)),
    ("json_depth", GeometryAt(0)),
    ("json_length", GeometryAt(0)),
    ("cast_as_date", Any),
    ("cast_as_time", Any),
    ("dayofmonth", Any),
    ("dayofyear", Any),
    ("to_days", Any),
    ("to_seconds", Any),
    ("year", Any),
    ("quarter", Any),
    ("week", Any),
    ("yearweek", Any),
    ("hour", Any),
    ("minute", Any),
    ("second", Any),
    ("microsecond", Any),
    ("last_day", Any),
    ("from_days", Any),
    ("from_unixtime", At(0)),
    ("sec_to_time", Any),
    ("makedate", Any),
    ("maketime", Any),
    ("period_add", Any),
    ("period_diff", Any),
    ("timediff", Any),
    ("convert_tz", At(0)),
    ("convert_tz", GeometryAt(1)),
    ("convert_tz", GeometryAt(2)),
    ("date_format", At(0)),
    ("date_format", GeometryAt(1)),
    ("date_format", GeometryAt(2)),
    ("time_format", At(0)),
    ("time_format", GeometryAt(1)),
    ("to_char", At(0)),
    ("to_char", GeometryAt(1)),
    ("addtime", Both),
    ("subtime", Both),
    ("str_to_date", Both),
    ("point", Any),
];

/// The name that errors have for a function: the one that it is written by, or that of what MariaDB makes of it.
pub fn error_name(name: &str) -> &str {
    match name {
        "atan2" => "atan",
        "date" => "cast_as_date",
        "datediff" => "to_days",
        "instr" => "locate",
        "time" => "cast_as_time",
        "weekofyear" => "week",
        other => canonical_name(other),
    }
}

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
        // A date that is formatted.
        ("from_unixtime", [at, format]) => {
            refuse(std::slice::from_ref(at), name)?;
            return refuse_geometry(Some(format), "date_format");
        }
        _ => {}
    }
    let printed = error_name(name);
    for (_, refused) in REFUSING.iter().filter(|(name, _)| *name == printed) {
        match refused {
            Any => refuse(args, printed)?,
            At(place) => refuse(args.get(*place..=*place).unwrap_or_default(), printed)?,
            GeometryAt(place) => refuse_geometry(args.get(*place), printed)?,
            Both => {
                let [a, b] = [0, 1].map(|i| args.get(i).map_or("", |e| read_name(&e.ty)));
                return Err(SqlError::illegal_parameter_types(a, b, printed));
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

fn refuse_geometry(argument: Option<&Expr>, printed: &str) -> Result<(), SqlError> {
    match argument.filter(|e| is_geometry(&e.ty)) {
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
