//! Comparisons of rows.

use super::collate::collate_operands;
use super::fixed::common_fixed;
use super::logic::{and, compare_members, is_text_beside_decimal, nearly, number_of_bytes};
use super::{comparison, truth_type};
use crate::error::SqlError;
use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Type, TypeKind};
use crate::session::State;

/// b'..' and 0x.. are numbers beside one.
fn number_literal(other: &Type, e: &mut Expr) {
    if let Some(number) = number_of_bytes(other, e) {
        *e = number;
    }
}

/// A comparison of two rows.
pub fn compare_rows(
    op: CompareOp,
    mut left: Vec<Expr>,
    mut right: Vec<Expr>,
    state: &mut State,
) -> Result<Expr, SqlError> {
    if op != CompareOp::Eq {
        for (l, r) in left.iter_mut().zip(&mut right) {
            number_literal(&r.ty, l);
            number_literal(&l.ty, r);
        }
    }
    let pairs = left.iter().zip(&right);
    let mut how = Vec::with_capacity(left.len());
    for (l, r) in pairs {
        let text = |ty: &Type| ty.class() == Class::Str && ty.kind != TypeKind::Null;
        if text(&l.ty) && text(&r.ty) && !matches!(l.ty.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_)) {
            collate_operands(&[&l.ty, &r.ty], op.text())?;
        }
        common_fixed(&l.ty, &r.ty, op.text())?;
        how.push(comparison(&l.ty, &r.ty, state)?);
    }
    if op == CompareOp::Eq {
        // Equality of rows is equality of members, which the planner can use one by one.
        let members = left.into_iter().zip(right).map(|(l, r)| compare_members(op, l, r, state));
        return Ok(and(members.collect::<Result<_, _>>()?));
    }
    let exactly = |l: &Expr, r: &Expr| is_text_beside_decimal(l, r) || is_text_beside_decimal(r, l);
    let how = left.iter().zip(&right).zip(how).map(|((l, r), how)| match how {
        Comparison::Real if exactly(l, r) => Ok(Comparison::Decimal),
        how => nearly(how, l, r),
    });
    let how = how.collect::<Result<_, _>>()?;
    let nullable = op != CompareOp::NullSafeEq && left.iter().chain(&right).any(|e| e.ty.nullable);
    Ok(Expr { kind: Kind::CompareRows(op, how, left, right), ty: truth_type(nullable) })
}
