//! What is known of operands before the statement runs: values of constants, fractional digits.

use super::{Class, Expr, Kind, Named, Type, TypeKind, build, compare};
use crate::exec::Cx;
use crate::session::State;
use types::convert::{ConvertContext, to_datetime, to_time};
use types::{DateMode, Value};

/// The value of what is a constant to the statement that begins: of functions of constants, variables, the session and
/// queries of their own, which run for it now. `None` where it is none, or fails, which is told where it is used.
pub fn value_of(e: &Expr, state: &mut State) -> Option<Value> {
    if !e.is_known() {
        let mut queries = Vec::new();
        let mut known = true;
        e.visit(&mut |e| match &e.kind {
            Kind::Column(_) | Kind::AssignUserVar(..) | Kind::Param(_) => known = false,
            Kind::Subquery(subquery) => queries.push(subquery.clone()),
            Kind::Call(call) => {
                // What comes out of a document is known for itself, and a constant to nobody.
                let of_document = ["extractvalue", "updatexml"].contains(&call.name);
                let of_session = call.is_steady() && !of_document || call.is_foreknown();
                known &= call.deterministic || call.tells_time() || of_session;
            }
            _ => {}
        });
        if !known || !queries.iter().all(|query| query.foreknow(state)) {
            return None;
        }
    }
    e.eval(&mut Cx::new(state, &[])).ok()
}

/// As [`value_of`], as the constant that stands for the operand.
pub fn constant_of(e: &Expr, state: &mut State) -> Option<Expr> {
    let value = value_of(e, state)?;
    Some(Expr { kind: Kind::Const(value), ty: e.ty.clone() })
}

/// What is a constant inside a condition has its own type to all but comparisons: the greatest of texts, and a date that is
/// reckoned from text, is a text there, though it be read as a number.
pub fn settle_texts(condition: &mut Expr, state: &mut State) {
    let mut any = false;
    condition.visit(&mut |e| any |= is_text_inside(e));
    if any {
        settle_texts_within(condition, state);
    }
}

fn settle_texts_within(e: &mut Expr, state: &mut State) {
    let compares = match &e.kind {
        Kind::Compare(..) => true,
        Kind::Call(call) => call.name == "interval",
        // Their keys are made.
        Kind::InList { among, .. } => among.is_some(),
        _ => false,
    };
    e.children_mut(&mut |e| match (e.is_settled(), is_text_inside(e)) {
        (false, true) if !compares && e.is_same_in_all_rows() => {
            let ty = e.ty.clone();
            let nothing = Expr { kind: Kind::Const(Value::Null), ty: ty.clone() };
            let args = vec![std::mem::replace(e, nothing)];
            *e = build::volatile_call("concat", |cx, args, _| Ok(as_text(args[0].eval(cx)?)), args, ty);
        }
        (false, _) => settle_texts_within(e, state),
        (true, true) if !compares => {
            if let Ok(value) = e.eval(&mut Cx::new(state, &[])) {
                let origin = Named::default();
                *e = Expr { kind: Kind::Const(as_text(value)), ty: Type { origin, ..e.ty.clone() } };
            }
        }
        _ => {}
    });
}

/// A date or time as its text, with a fraction where it has one.
fn as_text(value: Value) -> Value {
    let value = match value {
        Value::DateTime(at, _) if at.micros == 0 => Value::DateTime(at, 0),
        Value::Time(time, _) if time.micros() == 0 => Value::Time(time, 0),
        other => other,
    };
    if value.is_temporal() { Value::text(&compare::shown(&value)) } else { value }
}

fn is_text_inside(e: &Expr) -> bool {
    let temporal = match &e.kind {
        Kind::Const(value) => value.is_temporal(),
        Kind::Call(call) => ["addtime", "date_add", "date_sub", "subtime"].contains(&call.name),
        _ => false,
    };
    let of = match &e.ty.origin {
        Named::Computed(of) if matches!(e.kind, Kind::Const(_)) => of,
        _ => e,
    };
    e.ty.class() == Class::Str && (temporal || ["greatest", "least"].iter().any(|name| of.is_call(name)))
}

/// Fractional digits of an operand read as a time or (`dated`) as a date: its type's, or those that a literal's text has.
pub fn fraction_digits(e: &Expr, dated: bool, state: &mut State) -> u8 {
    if matches!(e.ty.kind, TypeKind::Fixed(_)) {
        return 0;
    }
    if e.ty.class() == Class::Str && !matches!(e.kind, Kind::Const(_) | Kind::UserVar(_) | Kind::Column(_)) {
        // What is said of it is said now, and once more where it is used.
        match value_of(e, state) {
            Some(value) => {
                return fraction_digits(&Expr { kind: Kind::Const(value), ty: e.ty.clone() }, dated, state);
            }
            None if e.is_known() => return 6,
            None => {}
        }
    }
    if let Kind::UserVar(name) = &e.kind {
        // It is a constant to the statement that begins.
        let value = state.user_vars.get(name).cloned().unwrap_or_default();
        return fraction_digits(&Expr { kind: Kind::Const(value), ty: e.ty.clone() }, dated, state);
    }
    let own = e.ty.decimals.min(6);
    let (value, text) = match &e.kind {
        _ if e.ty.kind == TypeKind::Null || e.ty.labels.is_some() => return 0,
        // Text computed as a date or time is read as text.
        Kind::Const(value @ Value::Time(..)) if dated && e.ty.class() == Class::Str => {
            let text = compare::shown(value);
            (Value::text(&text), text.into_bytes())
        }
        _ if e.ty.class() == Class::Temporal => return own,
        Kind::Const(Value::Time(_, fsp) | Value::DateTime(_, fsp)) => return *fsp,
        Kind::Const(Value::Date(_)) => return 0,
        Kind::Const(value @ Value::Str(s)) => (value.clone(), s.plain().into_owned()),
        _ => return own,
    };
    // Whatever dates the mode knows.
    let context = ConvertContext { mode: DateMode::default(), ..state.convert_context() };
    let micros = match dated {
        true => to_datetime(&value, &context).value.map(|at| at.micros),
        false => to_time(&value, &context).value.map(|time| time.micros()),
    };
    match micros {
        None => own,
        Some(0) => written_zeros(&text, dated),
        Some(_) => written_digits(&text),
    }
}

/// As [`fraction_digits`], of what is made a date or time: a statement that was prepared has them since, and warned of them
/// then.
pub fn digits_once(e: &Expr, dated: bool, state: &mut State) -> u8 {
    match state.runs_prepared {
        true => build::silently(state, |state| fraction_digits(e, dated, state)).0,
        false => fraction_digits(e, dated, state),
    }
}

fn written_digits(text: &[u8]) -> u8 {
    let fraction = text.iter().position(|byte| *byte == b'.').map_or(&[][..], |at| &text[at + 1..]);
    fraction.iter().take_while(|byte| byte.is_ascii_digit()).count().min(6) as u8
}

/// `10:11:12.0` has a fraction of one digit, `10.11.12` none.
fn written_zeros(text: &[u8], dated: bool) -> u8 {
    let zeros = text.iter().position(|byte| *byte == b'.').is_some_and(|at| {
        let digits = &text[at + 1..];
        digits.iter().take_while(|byte| byte.is_ascii_digit()).all(|byte| *byte == b'0')
    });
    let whole = !dated || text.iter().filter(|byte| **byte == b':').count() == 2 && text.contains(&b'-');
    if zeros && whole { written_digits(text) } else { 0 }
}
