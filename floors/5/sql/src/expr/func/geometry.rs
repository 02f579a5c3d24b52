//! Geometries: made of text, binary and numbers, described, measured and compared.
//!
//! Predicates named `MBR...` compare the smallest rectangles around their arguments (all but MBRTOUCHES); ST_INTERSECTS and ST_DISJOINT
//! compare distances, the other predicates ask how the two lie to one another.

use super::super::build::{TEXT_DECIMALS, boolean, type_name};
use super::super::{Coercibility, Expr, Kind, Type, TypeKind, operand, print::bound_text};
use super::Function;
use super::pieces::int_type;
use super::refused::read_name;
use super::string::{int_arg, text};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use types::geometry::{Extent, Position, Relation, Shape};
use types::{CollationId, GeometryType, StrValue, Value};

macro_rules! functions {
    ($($names:tt, $min:expr, $max:expr, $ty:expr, $evaluate:expr;)*) => {
        /// The functions of this module.
        pub static FUNCTIONS: &[&[Function]] = &[$(functions!(@all $names, $min, $max, $ty, $evaluate)),*];
    };
    (@all [$($name:literal)*], $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        &[$(Function {
            name: $name,
            min: $min,
            max: $max,
            ty: $ty,
            evaluate: $evaluate,
            deterministic: true,
        }),*]
    };
}

functions! {
    ["st_geometryfromtext" "st_geomfromtext" "geometryfromtext" "geomfromtext" "st_pointfromtext" "pointfromtext"
     "st_linefromtext" "st_linestringfromtext" "linefromtext" "linestringfromtext" "st_polyfromtext"
     "st_polygonfromtext" "polyfromtext" "polygonfromtext" "st_geomcollfromtext" "st_geometrycollectionfromtext"
     "geomcollfromtext" "geometrycollectionfromtext" "mpointfromtext" "multipointfromtext" "mlinefromtext"
     "multilinestringfromtext" "mpolyfromtext" "multipolygonfromtext"],
        1, 2, |args, _| from_text_type(args), from_text;
    ["st_geometryfromwkb" "st_geomfromwkb" "geometryfromwkb" "geomfromwkb" "st_pointfromwkb" "pointfromwkb"
     "st_linefromwkb" "st_linestringfromwkb" "linefromwkb" "linestringfromwkb" "st_polyfromwkb" "st_polygonfromwkb"
     "polyfromwkb" "polygonfromwkb" "st_geomcollfromwkb" "st_geometrycollectionfromwkb" "geomcollfromwkb"
     "geometrycollectionfromwkb" "mpointfromwkb" "multipointfromwkb" "mlinefromwkb" "multilinestringfromwkb"
     "mpolyfromwkb" "multipolygonfromwkb"],
        1, 2, |args, _| part_type(args, "st_geometryfromwkb"), from_wkb;
    ["point"], 2, 2, |_, _| Ok(geometry_type(GeometryType::Point)), point;
    ["linestring"], 1, usize::MAX, |args, _| parts_type(args, "linestring", GeometryType::LineString), line;
    ["polygon"], 1, usize::MAX, |args, _| parts_type(args, "polygon", GeometryType::Polygon), polygon;
    ["multipoint"], 1, usize::MAX, |args, _| parts_type(args, "multipoint", GeometryType::MultiPoint), multi;
    ["multilinestring"],
        1, usize::MAX, |args, _| parts_type(args, "multilinestring", GeometryType::MultiLineString), multi;
    ["multipolygon"], 1, usize::MAX, |args, _| parts_type(args, "multipolygon", GeometryType::MultiPolygon), multi;
    ["geometrycollection"],
        1, usize::MAX, |args, _| parts_type(args, "geometrycollection", GeometryType::Collection), multi;
    ["st_astext" "astext" "st_aswkt" "aswkt"], 1, 1, |args, state| text_type(args, state), as_text;
    ["st_aswkb" "st_asbinary" "asbinary" "aswkb"], 1, 1, |args, _| binary_type(args), |cx, args, _| {
        Ok(value_of(cx, &args[0])?.map_or(Value::Null, |value| Value::binary(&value[4..])))
    };
    ["st_geometrytype" "geometrytype"], 1, 1, |args, state| name_type(args, state), |cx, args, ty| {
        let shape = shape_of(cx, &args[0])?;
        let name = |(_, shape): (u32, Shape)| shape.ty().name().to_uppercase().into_bytes();
        Ok(shape.map_or(Value::Null, |shape| Value::Str(StrValue::of_plain(name(shape), ty.collation))))
    };
    ["srid" "st_srid"], 1, 1, |args, _| whole_type(args, "srid"), |cx, args, _| {
        Ok(shape_of(cx, &args[0])?.map_or(Value::Null, |(srid, _)| Value::Int(i64::from(srid))))
    };
    ["st_dimension" "dimension"], 1, 1, |args, _| whole_type(args, "st_dimension"), |cx, args, _| {
        ask(cx, args, |shape| Some(Value::Int(shape.dimension())))
    };
    ["st_isempty" "isempty"], 1, 1, |args, _| empty_type(args), |cx, args, _| {
        ask(cx, args, |_| Some(Value::Int(0)))
    };
    ["st_isclosed" "isclosed"], 1, 1, |args, _| closed_type(args), |cx, args, _| {
        Ok(Value::Int(shape_of(cx, &args[0])?.map_or(-1, |(_, shape)| closed(&shape))))
    };
    ["st_x" "x"], 1, 1, |args, _| real_type(args, "st_x"), |cx, args, _| {
        ask(cx, args, |shape| position(shape).map(|at| Value::Double(at.x)))
    };
    ["st_y" "y"], 1, 1, |args, _| real_type(args, "st_y"), |cx, args, _| {
        ask(cx, args, |shape| position(shape).map(|at| Value::Double(at.y)))
    };
    ["st_area" "area"], 1, 1, |args, _| real_type(args, "st_area"), |cx, args, _| {
        ask(cx, args, |shape| shape.area().map(Value::Double))
    };
    ["st_length" "glength"], 1, 1, |args, _| real_type(args, "st_length"), |cx, args, _| {
        ask(cx, args, |shape| shape.length().map(Value::Double))
    };
    ["st_numpoints" "numpoints"], 1, 1, |args, _| whole_type(args, "st_numpoints"), |cx, args, _| {
        ask(cx, args, |shape| line_of(shape).map(|line| Value::Int(line.len() as i64)))
    };
    ["st_numinteriorrings" "numinteriorrings"],
        1, 1, |args, _| whole_type(args, "st_numinteriorrings"), |cx, args, _| {
        ask(cx, args, |shape| rings_of(shape).map(|rings| Value::Int(rings.len() as i64 - 1)))
    };
    ["st_numgeometries" "numgeometries"], 1, 1, |args, _| whole_type(args, "st_numgeometries"), |cx, args, _| {
        ask(cx, args, |shape| parts_of(shape).map(|parts| Value::Int(parts.len() as i64)))
    };
    ["st_startpoint" "startpoint"], 1, 1, |args, _| part_type(args, "st_startpoint"), |cx, args, _| {
        derive(cx, args, |shape| line_of(&shape)?.first().copied().map(Shape::Point))
    };
    ["st_endpoint" "endpoint"], 1, 1, |args, _| part_type(args, "st_endpoint"), |cx, args, _| {
        derive(cx, args, |shape| line_of(&shape)?.last().copied().map(Shape::Point))
    };
    ["st_exteriorring" "exteriorring"], 1, 1, |args, _| part_type(args, "st_exteriorring"), |cx, args, _| {
        derive(cx, args, |shape| rings_of(&shape)?.first().cloned().map(Shape::Line))
    };
    ["st_pointn" "pointn"], 2, 2, |args, _| part_type(args, "st_pointn"), |cx, args, _| {
        numbered(cx, args, |shape, n| line_of(shape)?.get(n).copied().map(Shape::Point))
    };
    ["st_interiorringn" "interiorringn"], 2, 2, |args, _| part_type(args, "st_interiorringn"), |cx, args, _| {
        numbered(cx, args, |shape, n| rings_of(shape)?.get(n + 1).cloned().map(Shape::Line))
    };
    ["st_geometryn" "geometryn"], 2, 2, |args, _| part_type(args, "st_geometryn"), |cx, args, _| {
        numbered(cx, args, |shape, n| parts_of(shape)?.get(n).cloned())
    };
    ["st_envelope" "envelope"], 1, 1, |args, _| {
        part_type(args, "st_envelope").map(|_| geometry_type(GeometryType::Polygon))
    }, |cx, args, _| {
        let empty = || Shape::Multi(GeometryType::Collection, Vec::new());
        derive(cx, args, |shape| Some(shape.extent().map_or_else(empty, Extent::polygon)))
    };
    ["st_centroid" "centroid"], 1, 1, |args, _| {
        part_type(args, "st_centroid").map(|_| geometry_type(GeometryType::Point))
    }, |cx, args, _| {
        derive(cx, args, |shape| shape.centroid().map(Shape::Point))
    };
    ["st_distance"], 2, 2, |args, _| real_type(args, "st_distance"), |cx, args, _| {
        Ok(distance(cx, args)?.map_or(Value::Null, Value::Double))
    };
    ["st_intersects"], 2, 2, |args, _| truth_type(args, "st_intersects"), |cx, args, _| {
        Ok(distance(cx, args)?.map_or(Value::Null, |apart| Value::from(apart == 0.0)))
    };
    ["st_disjoint"], 2, 2, |args, _| truth_type(args, "st_disjoint"), |cx, args, _| {
        Ok(distance(cx, args)?.map_or(Value::Null, |apart| Value::from(apart != 0.0)))
    };
    ["st_equals" "equals"], 2, 2, |args, _| truth_type(args, "st_equals"), |cx, args, _| {
        related(cx, args, Relation::equals)
    };
    ["st_within" "within"], 2, 2, |args, _| truth_type(args, "st_within"), |cx, args, _| {
        related(cx, args, Relation::within)
    };
    ["st_contains" "contains"], 2, 2, |args, _| truth_type(args, "st_contains"), |cx, args, _| {
        related(cx, args, Relation::contains)
    };
    ["st_touches" "touches" "mbrtouches"], 2, 2, |args, _| truth_type(args, "st_touches"), |cx, args, _| {
        related(cx, args, Relation::touches)
    };
    ["st_crosses" "crosses"], 2, 2, |args, _| truth_type(args, "st_crosses"), |cx, args, _| {
        let Some((a, b)) = two(cx, args)? else { return Ok(Value::Null) };
        Ok(Relation::of(&a, &b, || cx.check_interrupt())?.crosses().map_or(Value::Null, Value::from))
    };
    ["st_overlaps"], 2, 2, |args, _| truth_type(args, "st_overlaps"), |cx, args, _| {
        related(cx, args, Relation::overlaps)
    };
    ["st_relate"], 3, 3, |args, _| truth_type(&args[..2], "st_relate"), |cx, args, _| {
        let Some(pattern) = text(cx, &args[2], CollationId::UTF8MB4_GENERAL_CI)? else { return Ok(Value::Null) };
        let Some((a, b)) = two(cx, args)? else { return Ok(Value::Null) };
        Ok(Value::from(Relation::of(&a, &b, || cx.check_interrupt())?.matches(&pattern)))
    };
    ["mbrcontains"], 2, 2, |args, _| truth_type(args, "mbrcontains"), |cx, args, _| {
        extents(cx, args, Extent::contains)
    };
    ["mbrwithin"], 2, 2, |args, _| truth_type(args, "mbrwithin"), |cx, args, _| {
        extents(cx, args, |a, b| b.contains(a))
    };
    ["mbrequals" "mbrequal"], 2, 2, |args, _| truth_type(args, "mbrequals"), |cx, args, _| {
        extents(cx, args, |a, b| a == b)
    };
    ["mbrintersects" "intersects"], 2, 2, |args, _| truth_type(args, "mbrintersects"), |cx, args, _| {
        extents(cx, args, Extent::intersects)
    };
    ["mbrdisjoint" "disjoint"], 2, 2, |args, _| truth_type(args, "mbrdisjoint"), |cx, args, _| {
        extents(cx, args, |a, b| !a.intersects(b))
    };
    ["mbroverlaps" "overlaps"], 2, 2, |args, _| truth_type(args, "mbroverlaps"), |cx, args, _| {
        extents(cx, args, Extent::overlaps)
    };
}

/// The one name that MariaDB writes for a function of this module: the first of those that it goes by.
pub fn first_name(name: &str) -> Option<&'static str> {
    let group = FUNCTIONS.iter().find(|group| group.iter().any(|function| function.name == name))?;
    Some(group[0].name)
}

fn geometry_type(ty: GeometryType) -> Type {
    Type {
        kind: TypeKind::Geometry(ty),
        length: u32::MAX,
        coercibility: Coercibility::Coercible,
        ..boolean(true)
    }
}

/// Error 4079 for an argument that is neither geometry nor binary.
fn geometric(args: &[Expr], name: &str) -> Result<(), SqlError> {
    let takes = |ty: &Type| match ty.kind {
        TypeKind::Geometry(_) | TypeKind::Null => true,
        TypeKind::VarChar
        | TypeKind::Char
        | TypeKind::TinyBlob
        | TypeKind::Blob
        | TypeKind::MediumBlob
        | TypeKind::LongBlob => ty.collation == CollationId::BINARY,
        _ => false,
    };
    match args.iter().find(|e| !takes(&e.ty)) {
        Some(e) => Err(SqlError::illegal_parameter_type(read_name(&e.ty), name)),
        None => Ok(()),
    }
}

fn from_text_type(args: &[Expr]) -> Result<Type, SqlError> {
    match args[0].ty.class() {
        super::super::Class::Str
            if !matches!(args[0].ty.kind, TypeKind::Geometry(_) | TypeKind::Fixed(_)) =>
        {
            Ok(geometry_type(GeometryType::Geometry))
        }
        _ => Err(SqlError::illegal_parameter_type(type_name(&args[0].ty), "st_geometryfromtext")),
    }
}

/// Bytes that messages show of what is no geometry.
const SHOWN: usize = 192;

fn parts_type(args: &[Expr], name: &str, ty: GeometryType) -> Result<Type, SqlError> {
    geometric(args, name)?;
    // Of bytes only a user variable's may be a geometry's.
    let is_none = |e: &&Expr| match e.kind {
        Kind::UserVar(_) => false,
        _ => !matches!(e.ty.kind, TypeKind::Geometry(_)),
    };
    match args.iter().find(is_none) {
        Some(Expr { kind: Kind::Param(_), .. }) => {
            Err(SqlError::illegal_value_for_type("non geometric", "?"))
        }
        Some(e) => {
            let shown = super::super::compare::short(bound_text(e), SHOWN);
            Err(SqlError::illegal_value_for_type("non geometric", shown))
        }
        None => Ok(geometry_type(ty)),
    }
}

fn text_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    geometric(args, "st_astext")?;
    let collation = state.vars.collation_connection;
    let ty = Type { kind: TypeKind::LongBlob, length: u32::MAX, decimals: TEXT_DECIMALS, ..boolean(true) };
    Ok(Type { collation, coercibility: Coercibility::Coercible, ..ty })
}

fn binary_type(args: &[Expr]) -> Result<Type, SqlError> {
    geometric(args, "st_aswkb")?;
    let ty = Type { kind: TypeKind::LongBlob, length: u32::MAX, ..boolean(true) };
    Ok(Type { coercibility: Coercibility::Coercible, ..ty })
}

fn name_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    geometric(args, "st_geometrytype")?;
    let collation = state.vars.collation_connection;
    Ok(super::string::text_of_length(20, collation, Coercibility::Coercible, true))
}

fn whole_type(args: &[Expr], name: &str) -> Result<Type, SqlError> {
    geometric(args, name)?;
    Ok(Type { nullable: true, ..int_type(&[], 10) })
}

fn truth_type(args: &[Expr], name: &str) -> Result<Type, SqlError> {
    geometric(args, name)?;
    Ok(Type { truth: true, ..boolean(true) })
}

/// Yes or no, as wide as a whole number.
fn empty_type(args: &[Expr]) -> Result<Type, SqlError> {
    Ok(Type { length: 21, ..truth_type(args, "st_isempty")? })
}

/// Yes, no or neither.
fn closed_type(args: &[Expr]) -> Result<Type, SqlError> {
    Ok(Type { length: 2, truth: false, ..truth_type(args, "st_isclosed")? })
}

fn real_type(args: &[Expr], name: &str) -> Result<Type, SqlError> {
    geometric(args, name)?;
    Ok(Type { kind: TypeKind::Double, length: 23, decimals: 31, ..boolean(true) })
}

fn part_type(args: &[Expr], name: &str) -> Result<Type, SqlError> {
    geometric(&args[..1], name)?;
    Ok(geometry_type(GeometryType::Geometry))
}

/// An argument's bytes, which are a geometry's.
fn value_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    let value = text(cx, e, CollationId::BINARY)?;
    Ok(value.filter(|bytes| GeometryType::of_value(bytes).is_some()))
}

fn shape_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<(u32, Shape)>, SqlError> {
    Ok(text(cx, e, CollationId::BINARY)?.and_then(|bytes| Shape::of_value(&bytes)))
}

fn stored(shape: &Shape, srid: u32) -> Value {
    Value::Str(StrValue::owned(shape.to_value(srid), CollationId::BINARY))
}

/// The reference system that a second argument names; text that is no number is 0.
fn srid(cx: &mut Cx<'_>, args: &[Expr]) -> Result<u32, SqlError> {
    match args.get(1) {
        None => Ok(0),
        Some(e) => Ok(int_arg(cx, e)?.unwrap_or(0) as u32),
    }
}

fn from_text(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = text(cx, &args[0], CollationId::UTF8MB4_GENERAL_CI)? else { return Ok(Value::Null) };
    let srid = srid(cx, args)?;
    Ok(Shape::from_text(&bytes).map_or(Value::Null, |shape| stored(&shape, srid)))
}

fn from_wkb(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = text(cx, &args[0], CollationId::BINARY)? else { return Ok(Value::Null) };
    let srid = srid(cx, args)?;
    // A geometry is taken as it is.
    if matches!(args[0].ty.kind, TypeKind::Geometry(_)) {
        return Ok(Shape::of_value(&bytes).map_or(Value::Null, |(srid, shape)| stored(&shape, srid)));
    }
    Ok(Shape::from_wkb(&bytes).map_or(Value::Null, |shape| stored(&shape, srid)))
}

fn point(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let (x, y) = (operand::real(cx, &args[0])?, operand::real(cx, &args[1])?);
    let Some((x, y)) = x.zip(y) else { return Ok(Value::Null) };
    let at = Position { x, y };
    Ok(stored(&Shape::Point(at), 0))
}

/// The arguments as geometries; none where one is NULL or no geometry.
/// The geometries that arguments are, if all are of one kind; those behind another one are not computed.
fn shapes(
    cx: &mut Cx<'_>,
    args: &[Expr],
    wanted: Option<GeometryType>,
) -> Result<Option<Vec<Shape>>, SqlError> {
    let mut shapes = Vec::with_capacity(args.len());
    for e in args {
        match shape_of(cx, e)? {
            Some((_, shape)) if wanted.is_none_or(|wanted| shape.ty() == wanted) => shapes.push(shape),
            _ => return Ok(None),
        }
    }
    Ok(Some(shapes))
}

fn line(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(parts) = shapes(cx, args, Some(GeometryType::Point))? else { return Ok(Value::Null) };
    let positions: Option<Vec<Position>> = parts.iter().map(position).collect();
    Ok(positions.map_or(Value::Null, |positions| stored(&Shape::Line(positions), 0)))
}

fn polygon(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(parts) = shapes(cx, args, Some(GeometryType::LineString))? else { return Ok(Value::Null) };
    let rings: Option<Vec<Vec<Position>>> =
        parts.into_iter().map(|part| line_of(&part).map(<[Position]>::to_vec)).collect();
    Ok(rings.and_then(Shape::polygon).map_or(Value::Null, |shape| stored(&shape, 0)))
}

fn multi(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let TypeKind::Geometry(kind) = ty.kind else { return Ok(Value::Null) };
    let wanted = match kind {
        GeometryType::MultiPoint => Some(GeometryType::Point),
        GeometryType::MultiLineString => Some(GeometryType::LineString),
        GeometryType::MultiPolygon => Some(GeometryType::Polygon),
        _ => None,
    };
    let parts = shapes(cx, args, wanted)?;
    Ok(parts.map_or(Value::Null, |parts| stored(&Shape::Multi(kind, parts), 0)))
}

fn as_text(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((_, shape)) = shape_of(cx, &args[0])? else { return Ok(Value::Null) };
    let mut out = Vec::new();
    shape.write_text(&mut out);
    Ok(Value::Str(StrValue::of_plain(out, ty.collation)))
}

fn ask(cx: &mut Cx<'_>, args: &[Expr], answer: fn(&Shape) -> Option<Value>) -> Result<Value, SqlError> {
    Ok(shape_of(cx, &args[0])?.and_then(|(_, shape)| answer(&shape)).unwrap_or_default())
}

/// A geometry made of the first argument, in its reference system.
fn derive(cx: &mut Cx<'_>, args: &[Expr], make: impl Fn(Shape) -> Option<Shape>) -> Result<Value, SqlError> {
    let Some((srid, shape)) = shape_of(cx, &args[0])? else { return Ok(Value::Null) };
    Ok(make(shape).map_or(Value::Null, |made| stored(&made, srid)))
}

/// A part by its number, counted from 1.
fn numbered(
    cx: &mut Cx<'_>,
    args: &[Expr],
    part: fn(&Shape, usize) -> Option<Shape>,
) -> Result<Value, SqlError> {
    let Some(n) = int_arg(cx, &args[1])? else { return Ok(Value::Null) };
    let Some(n) = usize::try_from(n).ok().and_then(|n| n.checked_sub(1)) else { return Ok(Value::Null) };
    derive(cx, args, |shape| part(&shape, n))
}

fn position(shape: &Shape) -> Option<Position> {
    match shape {
        Shape::Point(at) => Some(*at),
        _ => None,
    }
}

fn line_of(shape: &Shape) -> Option<&[Position]> {
    match shape {
        Shape::Line(positions) => Some(positions),
        _ => None,
    }
}

fn rings_of(shape: &Shape) -> Option<&[Vec<Position>]> {
    match shape {
        Shape::Polygon(rings) => Some(rings),
        _ => None,
    }
}

fn parts_of(shape: &Shape) -> Option<&[Shape]> {
    match shape {
        Shape::Multi(_, parts) => Some(parts),
        _ => None,
    }
}

/// 1 for lines that end where they begin, 0 for others, -1 for what are no lines.
fn closed(shape: &Shape) -> i64 {
    match shape {
        Shape::Line(positions) => i64::from(positions.first() == positions.last()),
        Shape::Multi(GeometryType::MultiLineString, parts) => parts.iter().map(closed).min().unwrap_or(0),
        _ => -1,
    }
}

fn two(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<(Shape, Shape)>, SqlError> {
    let (a, b) = (shape_of(cx, &args[0])?, shape_of(cx, &args[1])?);
    Ok(a.zip(b).map(|((_, a), (_, b))| (a, b)))
}

fn distance(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<f64>, SqlError> {
    let Some((a, b)) = two(cx, args)? else { return Ok(None) };
    a.distance(&b, || cx.check_interrupt())
}

fn related(cx: &mut Cx<'_>, args: &[Expr], holds: fn(&Relation) -> bool) -> Result<Value, SqlError> {
    let Some((a, b)) = two(cx, args)? else { return Ok(Value::Null) };
    Ok(Value::from(holds(&Relation::of(&a, &b, || cx.check_interrupt())?)))
}

fn extents(cx: &mut Cx<'_>, args: &[Expr], holds: fn(Extent, Extent) -> bool) -> Result<Value, SqlError> {
    let Some((a, b)) = two(cx, args)? else { return Ok(Value::Null) };
    let both = a.extent().zip(b.extent());
    Ok(both.map_or(Value::Null, |(a, b)| Value::from(holds(a, b))))
}
