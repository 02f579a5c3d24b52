//! Which of the values of MIN and MAX is the best.

use crate::expr::build::FREE_DECIMALS;
use crate::expr::func::long::LONG_BYTES;
use crate::expr::{TypeKind, compare};
use crate::plan::AggregateCall;
use crate::syntax::ast::AggregateKind;
use std::cmp::Ordering;
use types::{CollationId, StrValue, Value};

/// Whether a value may be better than the best so far of MIN or MAX; where it may, their keys say.
///
/// Only what is told apart in the same way by its key is looked at: values of one kind and text under one collation.
pub(super) fn may_be_better((_, held): &(Vec<u8>, Value), value: &Value, call: &AggregateCall) -> bool {
    let order = match (value, held) {
        (Value::Int(value), Value::Int(held)) => value.cmp(held),
        (Value::UInt(value), Value::UInt(held)) => value.cmp(held),
        (Value::Decimal(value), Value::Decimal(held)) if value.scale() <= call.ty.decimals => {
            value.cmp_value(held)
        }
        (Value::Double(value), Value::Double(held)) => fixed_order(*value, *held, call),
        (Value::Date(value), Value::Date(held)) => value.cmp(held),
        (Value::DateTime(value, _), Value::DateTime(held, _)) => value.cmp(held),
        (Value::Str(value), Value::Str(held)) => {
            return may_be_better_text(held, &value.bytes, value.collation, call);
        }
        _ => return true,
    };
    is_better(order, call)
}

/// The order of doubles: those of fixed digits are alike where they are near each other, unless groups have rounded them.
pub(super) fn fixed_order(value: f64, held: f64, call: &AggregateCall) -> Ordering {
    let near = call.ty.decimals < FREE_DECIMALS && !call.of_group && call.ty.kind == TypeKind::Double;
    match near.then(|| compare::near(value, held, call.ty.decimals)).flatten() {
        Some(order) => order,
        None => value.total_cmp(&held),
    }
}

/// As [`may_be_better`], of texts.
pub(super) fn may_be_better_text(
    held: &StrValue,
    text: &[u8],
    of: CollationId,
    call: &AggregateCall,
) -> bool {
    let alike = of == held.collation && of == call.ty.collation && text.len() < LONG_BYTES;
    !alike || is_better(of.collation().compare(text, &held.bytes), call)
}

/// Whether what stands in an order to the best so far is better.
pub(super) fn is_better(order: Ordering, call: &AggregateCall) -> bool {
    if call.kind == AggregateKind::Min { order.is_lt() } else { order.is_gt() }
}
