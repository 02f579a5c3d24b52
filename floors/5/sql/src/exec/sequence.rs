//! Rows of sequence tables: of all numbers those that constants in the conditions leave.

use super::rows::Walk;
use super::{Cx, Flow, Next, table};
use crate::error::SqlError;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, build};
use crate::plan::TableAccess;
use crate::plan::estimate::is_known_now;
use crate::plan::sequence::Sequence;
use types::Value;
use types::convert::to_integer;

/// Rows made at once.
const BATCH: usize = 256;

/// Hands on the rows that pass the conditions.
pub fn run(
    sequence: Sequence,
    access: &TableAccess,
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let (mut low, mut high) = (i128::MIN, i128::MAX);
    for condition in &access.filter {
        let (above, below) = bounds(condition, Slot { level, index: access.slots.start }, cx);
        (low, high) = (low.max(above), high.min(below));
    }
    let mut numbers = sequence.within(low, high).numbers();
    let mut before = 0;
    loop {
        let rows: Vec<Vec<Value>> =
            numbers.by_ref().take(BATCH).map(|number| vec![Value::UInt(number)]).collect();
        if rows.is_empty() {
            return Ok(Flow::Continue);
        }
        if table::run_more_rows(Walk::over(&rows), before, access, level, cx, next)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        before += rows.len() as u64;
    }
}

/// Numbers that the column's are not below and not above where a condition holds. Those at the ends may fail it.
fn bounds(condition: &Expr, column: Slot, cx: &mut Cx<'_>) -> (i128, i128) {
    const ALL: (i128, i128) = (i128::MIN, i128::MAX);
    let is_column = |e: &Expr| matches!(e.kind, Kind::Column(slot) if slot == column);
    let is_number = |how| matches!(how, Comparison::Int | Comparison::Decimal | Comparison::Real);
    // Of a fraction the numbers beside it.
    let mut around = |e: &Expr| {
        let params = cx.params;
        let known = is_known_now(e);
        let value =
            known.then(|| build::silently(cx.state, |state| e.eval(&mut Cx::new(state, params))).0.ok());
        let value = value.flatten()?;
        let plain = matches!(value, Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_));
        let number = to_integer(&value);
        (plain && !number.out_of_range).then_some((number.value - 1, number.value + 1))
    };
    let found = match &condition.kind {
        Kind::Compare(op, how, left, right) if is_number(*how) => {
            let (op, value) = match (is_column(left), is_column(right)) {
                (true, _) => (*op, right),
                (_, true) => (op.turned(), left),
                _ => return ALL,
            };
            around(value).map(|(below, above)| match op {
                CompareOp::Eq | CompareOp::NullSafeEq => (below, above),
                CompareOp::Lt | CompareOp::Le => (i128::MIN, above),
                CompareOp::Gt | CompareOp::Ge => (below, i128::MAX),
                CompareOp::Ne => ALL,
            })
        }
        Kind::Between { operands, how, negated: false } if is_number(*how) && is_column(&operands[0]) => {
            around(&operands[1]).zip(around(&operands[2])).map(|(low, high)| (low.0, high.1))
        }
        _ => None,
    };
    found.unwrap_or(ALL)
}
