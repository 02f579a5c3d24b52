//! Operands of types of fixed size (UUIDs, addresses) and geometries: what goes with them.

use super::super::{Class, Expr, Named, Type, TypeKind, compare};
use super::silently;
use super::types::{boolean, fixed_type, is_number_of_bytes, type_name};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use types::{FixedType, GeometryType};

/// The one type of fixed size that two operands have or can be read as; error 4078 where one has it, or is a geometry,
/// and the other is no text.
pub fn common_fixed(a: &Type, b: &Type, operation: &str) -> Result<Option<FixedType>, SqlError> {
    // UNION takes the least and greatest of labels for such, though they are texts.
    let of_labels = |ty: &Type| ty.labels.is_some() && matches!(ty.origin, Named::Extreme(..));
    let labelled = |ty: &Type| matches!(ty.kind, TypeKind::Enum | TypeKind::Set) || of_labels(ty);
    let name = |ty: &Type| match &ty.origin {
        Named::Extreme(_, _, Some(TypeKind::Set)) if operation == "UNION" && of_labels(ty) => "set",
        _ if operation == "UNION" && of_labels(ty) => "enum",
        _ => type_name(ty),
    };
    let refused = || Err(SqlError::illegal_parameter_types(name(a), name(b), operation));
    let text = |ty: &Type| ty.class() == Class::Str && !(operation == "UNION" && labelled(ty));
    let geometry = |ty: &Type| matches!(ty.kind, TypeKind::Geometry(_));
    // What is looked for among several is not compared with a parameter's NULL, whatever that was announced as.
    let passed_over = matches!(operation, "in" | "case..when") && b.is_nothing();
    match (a.kind, b.kind) {
        _ if passed_over => Ok(None),
        (TypeKind::Fixed(x), TypeKind::Fixed(y)) if x != y => refused(),
        (TypeKind::Fixed(x), _) if text(b) && !geometry(b) => Ok(Some(x)),
        (_, TypeKind::Fixed(y)) if text(a) && !geometry(a) => Ok(Some(y)),
        (TypeKind::Fixed(_), _) | (_, TypeKind::Fixed(_)) => refused(),
        (TypeKind::Geometry(_), _) if !text(b) => refused(),
        (_, TypeKind::Geometry(_)) if !text(a) => refused(),
        _ => Ok(None),
    }
}

/// The type that two operands are compared in before a third is, as messages name it.
pub fn compared_pair(a: &Type, b: &Type, operation: &str) -> Result<Type, SqlError> {
    if let Some(fixed) = common_fixed(a, b, operation)? {
        return Ok(fixed_type(fixed));
    }
    let kind = match (a.class(), b.class()) {
        (Class::Temporal, Class::Temporal) if a.kind != b.kind => TypeKind::DateTime,
        (Class::Str, Class::Str) if matches!(a.kind, TypeKind::Geometry(_)) => match b.kind {
            TypeKind::Geometry(_) => return Ok(a.clone()),
            TypeKind::Null => TypeKind::Geometry(GeometryType::Geometry),
            // A geometry beside a text is a text.
            _ => return Ok(b.clone()),
        },
        (Class::Str, Class::Str) if a.kind == TypeKind::Null && matches!(b.kind, TypeKind::Geometry(_)) => {
            TypeKind::Geometry(GeometryType::Geometry)
        }
        // An instant beside what is no date is a date with time.
        (Class::Temporal, other) if a.kind == TypeKind::Timestamp && other != Class::Temporal => {
            TypeKind::DateTime
        }
        (other, Class::Temporal) if b.kind == TypeKind::Timestamp && other != Class::Temporal => {
            TypeKind::DateTime
        }
        (Class::Temporal, _) | (Class::Str, Class::Str) => return Ok(a.clone()),
        (_, Class::Temporal) => return Ok(b.clone()),
        (Class::Int, Class::Int) => TypeKind::LongLong,
        (Class::Int | Class::Decimal, Class::Int | Class::Decimal) => TypeKind::Decimal,
        // Text beside an integer is read as a decimal, so that no digit is lost.
        (Class::Int, Class::Str) | (Class::Str, Class::Int) => TypeKind::Decimal,
        _ => TypeKind::Double,
    };
    Ok(Type { kind, ..boolean(true) })
}

/// The type of what GREATEST and LEAST choose from two, as messages name it where a third is refused beside it.
pub fn chosen_of_pair(a: &Type, b: &Type) -> Type {
    let kind = match (a.class(), b.class()) {
        _ if matches!(b.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_)) => return b.clone(),
        (Class::Temporal, Class::Temporal) if a.kind != b.kind => TypeKind::DateTime,
        (Class::Temporal, _) | (Class::Str, Class::Str) => return a.clone(),
        (_, Class::Temporal) => return b.clone(),
        (Class::Int, Class::Int) => {
            let (kind, unsigned) = (a.kind.max_width(b.kind), a.unsigned && b.unsigned);
            return Type { kind, unsigned, ..boolean(true) };
        }
        (Class::Int | Class::Decimal, Class::Int | Class::Decimal) => TypeKind::Decimal,
        _ => TypeKind::Double,
    };
    Type { kind, ..boolean(true) }
}

/// Whether an operand's value of a type may be NULL: it is so itself, or a text that is no address or UUID, or is not
/// known to be one by now.
pub fn may_lack(ty: &Type, e: &Expr, state: &mut State) -> bool {
    let TypeKind::Fixed(fixed) = ty.kind else { return e.ty.nullable };
    if e.ty.nullable || e.ty.kind == ty.kind {
        return e.ty.nullable;
    }
    let read = |state: &mut State| match e.eval_assigned(&mut Cx::new(state, &[])) {
        Ok(value) => compare::fixed(&value, fixed, state).is_some(),
        Err(_) => false,
    };
    !e.is_settled() || !silently(state, read).0
}

/// As [`type_name`] where it is reckoned: labels, and the constants 0x.. and b'..', are their numbers.
pub fn reckoned_name(ty: &Type) -> &'static str {
    match ty {
        _ if ty.labels.is_some() => "bigint",
        _ if is_number_of_bytes(ty) => "bigint unsigned",
        _ => type_name(ty),
    }
}

/// Errors 4078 and 4079 for operands that are no numbers and cannot be read as such: UUIDs, addresses, geometries.
pub fn refuse_opaque(operands: &[&Type], operation: &str) -> Result<(), SqlError> {
    let opaque = |ty: &&Type| matches!(ty.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_));
    match operands {
        [a, b] if opaque(a) || opaque(b) => {
            Err(SqlError::illegal_parameter_types(reckoned_name(a), reckoned_name(b), operation))
        }
        [a, ..] if matches!(a.kind, TypeKind::Geometry(_)) => {
            // Sums of geometries are told of by another name than those of UUIDs.
            let name = match operation {
                sum if sum.starts_with("sum(") => "sum",
                avg if avg.starts_with("avg(") => "avg",
                other => other,
            };
            Err(SqlError::illegal_parameter_type(type_name(a), name))
        }
        [a, ..] if opaque(a) => Err(SqlError::illegal_parameter_type(type_name(a), operation)),
        _ => Ok(()),
    }
}
