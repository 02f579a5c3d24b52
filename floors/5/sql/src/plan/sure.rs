//! What constants make true is no condition: of an OR that one of them does, nothing else is looked at.

use super::factor::without_not;
use crate::bind::Binder;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::{self, silently};
use crate::expr::{Expr, Kind};

/// The conditions without those that surely hold.
pub fn leave_out(conditions: Vec<Expr>, binder: &mut Binder<'_>) -> Result<Vec<Expr>, SqlError> {
    let left = conditions.into_iter().map(|e| match e.kind {
        Kind::Or(_) | Kind::Not(_) => unsure(without_not(e), binder),
        _ => Ok((!e.is_settled() || !surely_holds(&e, binder)).then_some(e)),
    });
    left.filter_map(Result::transpose).collect()
}

/// What is left of a condition; `None` where it surely holds.
fn unsure(e: Expr, binder: &mut Binder<'_>) -> Result<Option<Expr>, SqlError> {
    match e.kind {
        Kind::And(list) => {
            let left = list.into_iter().map(|e| unsure(without_not(e), binder)).filter_map(Result::transpose);
            let left = left.collect::<Result<Vec<Expr>, SqlError>>()?;
            Ok((!left.is_empty()).then(|| build::and(left)))
        }
        Kind::Or(list) => {
            let left = list.into_iter().map(|e| unsure(without_not(e), binder));
            Ok(left.collect::<Result<Option<Vec<Expr>>, SqlError>>()?.map(build::or))
        }
        _ if e.is_settled() => Ok((!surely_holds(&e, binder)).then_some(e)),
        _ if binder.lift_params && e.is_same_in_all_rows() => {
            Err(SqlError::internal_error("keep a plan whose constants may settle a condition"))
        }
        _ => Ok(Some(e)),
    }
}

/// Whether a constant is true, and there is nothing to say of it.
fn surely_holds(e: &Expr, binder: &mut Binder<'_>) -> bool {
    let (truth, clean) = silently(binder.state, |state| e.truth(&mut Cx::new(state, &[])));
    clean && matches!(truth, Ok(Some(true)))
}
