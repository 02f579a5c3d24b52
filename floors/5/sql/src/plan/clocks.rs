//! What is the same all the while that a statement runs, as `NOW() - INTERVAL 1 DAY` is, computed once for it: where its
//! plan is made for this run alone, its value stands in its place.

use super::SelectPlan;
use crate::bind::Binder;
use crate::exec::Cx;
use crate::expr::build::silently;
use crate::expr::{Class, Comparison, Expr, Kind, Named, Type};
use crate::session::State;
use std::sync::Arc;
use types::Value;
use types::convert::to_datetime;

/// Puts times in the place of clocks, and of what is reckoned from them, in a block's conditions, select list and
/// aggregates; and values in the place of variables that conditions compare with.
pub fn settle(plan: &mut SelectPlan, conditions: &mut [Expr], binder: &mut Binder<'_>) {
    // A kept plan runs at another time.
    if binder.lift_params || plan.from.is_none() {
        return;
    }
    if !binder.may_assign_variables() {
        conditions.iter_mut().for_each(|e| settle_variables(e, binder.state));
    }
    let aggregates = plan.group.iter_mut().flat_map(|group| &mut group.aggregates);
    let of_aggregates = aggregates.flat_map(|call| &mut call.args);
    for e in conditions.iter_mut().chain(&mut plan.items).chain(of_aggregates) {
        // What is nothing but a time itself is left: nothing is computed with it.
        e.children_mut(&mut |e| settle_times(e, binder.state));
    }
}

fn settle_times(e: &mut Expr, state: &mut State) {
    let mut tells_time = false;
    e.visit(&mut |e| tells_time |= matches!(&e.kind, Kind::Call(call) if call.tells_time()));
    match tells_time {
        true if e.is_steady() && e.ty.class() == Class::Temporal => put_value(e, state),
        true => e.children_mut(&mut |e| settle_times(e, state)),
        false => {}
    }
}

/// In conditions that are joined by AND and OR.
fn settle_variables(e: &mut Expr, state: &mut State) {
    let how = match &e.kind {
        Kind::And(_) | Kind::Or(_) => return e.children_mut(&mut |e| settle_variables(e, state)),
        Kind::Compare(_, how, ..) | Kind::Between { how, .. } if e.reads_column() => *how,
        _ => return,
    };
    e.children_mut(&mut |e| {
        if matches!(&e.kind, Kind::UserVar(name) if is_read_in_silence(name, how, state)) {
            put_value(e, state);
        }
    });
}

/// Whether there is nothing to say of what a variable has where it is compared so: a text may be no number and no date.
fn is_read_in_silence(name: &str, how: Comparison, state: &State) -> bool {
    match (state.user_vars.get(name), how) {
        (None, _) => false,
        (Some(text @ Value::Str(_)), Comparison::DateTime) => {
            to_datetime(text, &state.convert_context()).is_whole()
        }
        (Some(Value::Str(_)), how) => matches!(how, Comparison::Str(_)),
        _ => true,
    }
}

/// Puts the value of an expression in its place, unless there is something to say of it.
fn put_value(e: &mut Expr, state: &mut State) {
    if let (Ok(value), true) = silently(state, |state| e.eval(&mut Cx::new(state, &[]))) {
        let ty = Type { origin: Named::Computed(Arc::new(e.clone())), ..e.ty.clone() };
        *e = Expr { kind: Kind::Const(value), ty };
    }
}
