//! Constants of a query's conditions that MariaDB reads before any row, and fails of in strict changes.

use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::compare::as_compared;
use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Type, TypeKind, build};
use crate::session::State;
use types::Value;

/// Finds what is read of a condition.
pub fn read(condition: &Expr, out: &mut Vec<Expr>) {
    texts_of_addresses(condition, out);
    condition.visit(&mut |e| out.extend(one_of_alike(e)));
}

/// Texts that columns are wanted equal to as UUIDs or addresses, though they are none: MariaDB reads them before any row.
fn texts_of_addresses(e: &Expr, out: &mut Vec<Expr>) {
    match &e.kind {
        Kind::And(list) | Kind::Or(list) => list.iter().for_each(|e| texts_of_addresses(e, out)),
        Kind::Compare(CompareOp::Eq, how @ Comparison::Fixed(_), left, right) => {
            let text = match (&left.kind, &right.kind) {
                (Kind::Column(_), _) if is_text(right) => right,
                (_, Kind::Column(_)) if is_text(left) => left,
                _ => return,
            };
            // It is read, and holds.
            let nothing = Expr { kind: Kind::Const(Value::Null), ty: text.ty.clone() };
            let read = Kind::Compare(CompareOp::NullSafeEq, *how, text.clone(), Box::new(nothing));
            out.push(Expr { kind: read, ty: e.ty.clone() });
        }
        _ => {}
    }
}

/// Whether it is a text that stands there.
fn is_text(e: &Expr) -> bool {
    match &e.kind {
        Kind::Const(value) => matches!(value, Value::Str(_)),
        Kind::Param(_) => e.ty.class() == Class::Str,
        _ => false,
    }
}

/// What reads an IN list whose members are all one date, time or number: that is an equality with the first.
fn one_of_alike(e: &Expr) -> Option<Expr> {
    let Kind::InList { operand, list, uniform: true, .. } = &e.kind else { return None };
    let how = list.first().filter(|_| list.len() > 1)?.0;
    let code = READ.iter().position(|known| *known == how)?;
    let text = |(other, e): &(Comparison, Expr)| is_text(e) && *other == how;
    if operand.ty.kind == TypeKind::LongLong || !list.iter().all(text) {
        return None;
    }
    let code = Expr { kind: Kind::Const(Value::Int(code as i64)), ty: e.ty.clone() };
    let args = std::iter::once(code).chain(list.iter().map(|(_, e)| e.clone())).collect();
    Some(build::volatile_call("in", read_alike, args, e.ty.clone()))
}

/// How lists of texts are compared that are read so.
const READ: [Comparison; 4] = [Comparison::Decimal, Comparison::Real, Comparison::DateTime, Comparison::Time];

/// Reads the members, and the first of them once more if they are alike: no mode makes errors of the first reading.
fn read_alike(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let how = match args[0].kind {
        Kind::Const(Value::Int(code)) => READ[code as usize % READ.len()],
        _ => return Ok(Value::Int(1)),
    };
    let texts = args[1..].iter().map(|e| e.eval(cx)).collect::<Result<Vec<Value>, SqlError>>()?;
    let read = |state: &mut State| -> Vec<Value> {
        texts.iter().map(|text| as_compared(text, how, state)).collect()
    };
    let (values, clean) = build::silently(cx.state, read);
    if !clean && values.windows(2).all(|pair| pair[0] == pair[1]) {
        cx.state.leniently(read);
        as_compared(&texts[0], how, cx.state);
        cx.state.check_fault()?;
    }
    Ok(Value::Int(1))
}
