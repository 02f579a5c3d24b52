//! The least and greatest of geometries: bytes to whoever reads them, but no numbers to an operator beside them.

use super::Binder;
use super::scope::Scope;
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Type, TypeKind, build};
use crate::syntax::ast::AggregateKind;

/// Functions that take numbers alone.
const NUMERIC: &[&str] = &["abs", "ceil", "ceiling", "floor", "round", "truncate"];

impl Binder<'_> {
    /// Errors 4078 and 4079 for an operand that is the least or greatest of geometries that are computed.
    pub(super) fn refuse_extremes(
        &self,
        operands: &[&Expr],
        operation: &str,
        scope: &Scope<'_>,
    ) -> Result<(), SqlError> {
        let geometries: Vec<Option<Type>> = operands.iter().map(|e| geometry_of(e, scope)).collect();
        if geometries.iter().all(Option::is_none) {
            return Ok(());
        }
        let types: Vec<&Type> = operands
            .iter()
            .zip(&geometries)
            .map(|(e, geometry)| geometry.as_ref().unwrap_or(&e.ty))
            .collect();
        build::refuse_opaque(&types, operation)
    }

    /// As [`Self::refuse_extremes`] for the operand of a function.
    pub(super) fn refuse_extreme_of(
        &self,
        name: &str,
        args: &[Expr],
        scope: &Scope<'_>,
    ) -> Result<(), SqlError> {
        match args {
            [a, b] if name == "mod" => self.refuse_extremes(&[a, b], "MOD", scope),
            [number, ..] if NUMERIC.contains(&name) => self.refuse_extremes(&[number], name, scope),
            _ => Ok(()),
        }
    }
}

/// The type of the geometries whose least or greatest one this block computes.
fn geometry_of(e: &Expr, scope: &Scope<'_>) -> Option<Type> {
    let Kind::Column(slot) = e.kind else { return None };
    if e.ty.kind != TypeKind::LongBlob || slot.level != scope.level {
        return None;
    }
    let aggregates = scope.aggregates.borrow();
    let call = aggregates.iter().find(|call| call.slot == slot.index)?;
    let extreme = matches!(call.kind, AggregateKind::Min | AggregateKind::Max);
    let of = &call.args.first()?.ty;
    (extreme && matches!(of.kind, TypeKind::Geometry(_))).then(|| of.clone())
}
