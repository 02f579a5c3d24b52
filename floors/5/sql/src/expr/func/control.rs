//! Control flow and comparison functions.

use super::super::aggregate::shown_year;
use super::super::build::{self, boolean, bytes_as_characters, may_lack, truth_type, union_type};
use super::super::compare::{fixed, side};
use super::super::{
    Class, Coercibility, Comparison, Expr, Kind, Named, Type, TypeKind, compare_values, exact, foreknown,
    operand, store,
};
use super::date::temporal;
use super::secret::of_decoded;
use super::{Function, documents};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use std::cmp::Ordering;
use types::{CollationId, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("if", 3, 3, |args, state| if_type(args, "if", state), eval_if),
    function!("ifnull", 2, 2, ifnull_type, |cx, args, ty| first_known(cx, args, ty, false)),
    function!("nvl", 2, 2, ifnull_type, |cx, args, ty| first_known(cx, args, ty, false)),
    function!("nvl2", 3, 3, |args, state| if_type(args, "nvl2", state), |cx, args, ty| {
        let chosen = if args[0].eval(cx)?.is_null() { &args[2] } else { &args[1] };
        chosen.eval_among(ty, cx)
    }),
    function!("coalesce", 1, usize::MAX, coalesce_type, coalesce),
    // Behind OVER it is a window function.
    function!("last_value", 1, usize::MAX, |args, _| Ok(args[args.len() - 1].ty.clone()), |cx, args, _| {
        args.iter().try_fold(Value::Null, |_, e| e.eval(cx))
    }),
    function!("nullif", 2, 2, nullif_type, nullif),
    function!("isnull", 1, 1, |_, _| Ok(truth_type(false)), |cx, args, _| Ok(Value::from(
        !args[0].is_never_null() && args[0].finds_nothing(cx)?
    ))),
    function!(
        "greatest",
        2,
        usize::MAX,
        |args, state| extreme_type(args, "greatest", state),
        |cx, args, ty| valid_extreme(cx, args, ty, Ordering::Greater)
    ),
    function!("least", 2, usize::MAX, |args, state| extreme_type(args, "least", state), |cx, args, ty| {
        valid_extreme(cx, args, ty, Ordering::Less)
    }),
    function!(
        "interval",
        2,
        usize::MAX,
        |_, _| Ok(Type { length: 2, spare: -1, ..boolean(false) }),
        interval
    ),
    function!(
        "name_const",
        2,
        2,
        |args, _| match (&args[0].kind, &args[1].kind) {
            (Kind::Param(_), _) | (_, Kind::Param(_)) => Err(SqlError::wrong_arguments("NAME_CONST")),
            _ => Ok(Type {
                nullable: true,
                coercibility: match args[1].ty.coercibility {
                    Coercibility::Numeric => Coercibility::Numeric,
                    weight => weight.min(Coercibility::Implicit),
                },
                ..args[1].ty.clone()
            }),
        },
        |cx, args, _| { args[1].eval(cx) }
    ),
];

fn all_types(args: &[Expr], name: &str, state: &mut State) -> Result<Type, SqlError> {
    let types: Vec<&Type> = args.iter().map(|e| &e.ty).collect();
    union_type(&types, name, state)
}

fn if_type(args: &[Expr], name: &str, state: &mut State) -> Result<Type, SqlError> {
    let computed = |ty: &Type| matches!(ty.origin, Named::Computed(_)) && !ty.is_named_constant();
    let nullable = args.iter().any(|e| e.ty.nullable);
    let (then, otherwise) = (&args[args.len() - 2].ty, &args[args.len() - 1].ty);
    let beside_word = |ty: &Type| match ty.kind.is_blob() {
        // A TEXT column's bytes count as characters.
        true => Type { nullable, ..bytes_as_characters(&unlabelled(ty), ty.collation) },
        false => Type { nullable, zerofill: false, ..unlabelled(ty) },
    };
    // Beside the word NULL the other one's type stays wholly as it is.
    match (then.is_nothing(), otherwise.is_nothing()) {
        // Of the word NULL alone it makes text, of what computes it nothing.
        (true, true) if !computed(then) && !computed(otherwise) => {
            Ok(Type { kind: TypeKind::Char, collation: CollationId::BINARY, nullable, ..unlabelled(then) })
        }
        (true, true) => Ok(Type { nullable, zerofill: false, ..unlabelled(otherwise) }),
        (true, false) if !computed(then) => Ok(beside_word(otherwise)),
        (false, true) if !computed(otherwise) => Ok(beside_word(then)),
        _ => {
            let ty = union_type(&[then, otherwise], name, state)?;
            let lacking = args[args.len() - 2..].iter().any(|e| may_lack(&ty, e, state));
            // What is asked of UUIDs and addresses has no part in it.
            let told = match ty.kind {
                TypeKind::Fixed(_) => then.nullable || otherwise.nullable,
                _ => nullable,
            };
            Ok(Type { nullable: told || lacking, ..ty })
        }
    }
}

/// The type of a column's values that are computed: labels are text, and they are no column's any more.
fn unlabelled(ty: &Type) -> Type {
    let origin = match &ty.origin {
        Named::Column(_) | Named::Extreme(..) | Named::United | Named::GivenNull | Named::GivenDate => {
            Named::default()
        }
        other => other.clone(),
    };
    match ty.labels {
        Some(_) => Type { kind: TypeKind::VarChar, decimals: 0, labels: None, origin, ..ty.clone() },
        None => Type { origin, written: false, ..ty.clone() },
    }
}

/// GREATEST and LEAST compute in the class that their arguments compare in: text beside numbers as doubles, anything
/// beside dates and times as those.
fn extreme_type(args: &[Expr], name: &str, state: &mut State) -> Result<Type, SqlError> {
    let nullable = args.iter().any(|e| e.ty.nullable);
    let any = |class: Class| args.iter().find(|e| e.ty.class() == class && e.ty.kind != TypeKind::Null);
    if any(Class::Temporal).is_some() {
        return Ok(extreme_date(args, state));
    }
    // Text and NULL make doubles of numbers.
    let decimals = args.iter().map(|e| match e.ty.class() {
        Class::Str if e.ty.labels.is_some() => 0,
        _ => e.ty.decimals.min(31),
    });
    let decimals = decimals.max().unwrap_or(0);
    let length = if decimals < 31 { 17 + u32::from(decimals) } else { 23 };
    let double = Type { kind: TypeKind::Double, length, decimals, ..boolean(nullable) };
    let nothing = args.iter().any(|e| e.ty.kind == TypeKind::Null);
    let number = any(Class::Int).or(any(Class::Decimal)).or(any(Class::Real));
    match (any(Class::Str), number) {
        (Some(_), Some(_)) => Ok(double),
        (None, Some(_)) if nothing => Ok(double),
        (None, Some(_))
            if any(Class::Real).is_some() && !args.iter().all(|e| e.ty.kind == TypeKind::Float) =>
        {
            Ok(double)
        }
        _ => {
            let ty = all_types(args, name, state)?;
            Ok(Type { nullable: args.iter().any(|e| may_lack(&ty, e, state)), ..ty })
        }
    }
}

/// Of dates and times of several kinds the date with a time, with as many digits as any has.
fn extreme_date(args: &[Expr], state: &mut State) -> Type {
    let mut kinds = args.iter().filter(|e| e.ty.class() == Class::Temporal).map(|e| e.ty.kind);
    let first = kinds.next().unwrap_or(TypeKind::DateTime);
    let all = args.iter().all(|e| e.ty.class() == Class::Temporal);
    let kind = if (first != TypeKind::Timestamp || all) && kinds.all(|kind| kind == first) {
        first
    } else {
        TypeKind::DateTime
    };
    let digits = |e: &Expr| foreknown::fraction_digits(e, kind != TypeKind::Time, state);
    // Dates have none, and no constant is asked for them.
    let fsp = match kind {
        TypeKind::Date => 0,
        _ => args.iter().map(digits).max().unwrap_or(0),
    };
    // A text has the place of any fraction, whatever digits it has.
    let free = |e: &Expr| e.ty.class() == Class::Str && e.ty.labels.is_none() && e.ty.decimals > 6;
    let places = if args.iter().any(free) { 6 } else { fsp };
    let ty = match kind {
        TypeKind::Date => temporal(TypeKind::Date, 10, 0),
        TypeKind::Time => Type { decimals: fsp, ..temporal(TypeKind::Time, 10, places) },
        TypeKind::Timestamp => temporal(TypeKind::Timestamp, 19, fsp),
        _ => Type { decimals: fsp, ..temporal(TypeKind::DateTime, 19, places) },
    };
    Type { nullable: args.iter().any(|e| e.ty.nullable || e.ty.class() != Class::Temporal), ..ty }
}

fn coalesce_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = all_types(args, "coalesce", state)?;
    Ok(Type { nullable: args.iter().all(|e| may_lack(&ty, e, state)), ..ty })
}

fn ifnull_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = all_types(args, "ifnull", state)?;
    Ok(Type { nullable: args.iter().all(|e| may_lack(&ty, e, state)), ..ty })
}

/// The argument that IF gives.
pub(in crate::expr) fn chosen_by_if<'e>(cx: &mut Cx<'_>, args: &'e [Expr]) -> Result<&'e Expr, SqlError> {
    Ok(if args[0].truth(cx)? == Some(true) { &args[1] } else { &args[2] })
}

fn eval_if(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    chosen_by_if(cx, args)?.eval_among(ty, cx)
}

/// Whether it is a date that the session's mode does not know, which is as good as none to what chooses among dates.
fn is_refused(value: &Value, ty: &Type, cx: &Cx<'_>) -> bool {
    ty.class() == Class::Temporal && ty.kind != TypeKind::Timestamp && operand::is_refused(value, cx.state)
}

pub(in crate::expr) fn coalesce(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    first_known(cx, args, ty, true)
}

/// The first argument that is not NULL; texts among bytes may keep their own (`as_is`).
fn first_known(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, as_is: bool) -> Result<Value, SqlError> {
    for e in args {
        let value = e.eval_chosen(ty, cx)?;
        let refused = is_refused(&value, ty, cx);
        if refused && operand::is_let_in(cx, e, &value)? {
            return Ok(operand::dated_as(value, ty));
        }
        if !value.is_null() && !refused {
            if as_is
                && (e.keeps_bytes_among(ty) || ty.collation == CollationId::BINARY && of_decoded(e).is_some())
            {
                return Ok(value);
            }
            let value = store::between(value, &e.ty, ty, cx.state);
            // Text that is no UUID or address is as good as none.
            if !value.is_null() {
                return Ok(value);
            }
        }
    }
    Ok(Value::Null)
}

/// Texts must agree on a collation.
fn nullif_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    build::number_beside_bigint(&args[1], &args[0], state)?;
    build::number_beside_bigint(&args[0], &args[1], state)?;
    if build::are_compared_as_texts(&args[0].ty, &args[1].ty) {
        build::collate_operands(&[&args[0].ty, &args[1].ty], "nullif")?;
    }
    let given = &args[0].ty;
    let own = match args[0].kind {
        Kind::UserVar(_) => given.clone(),
        _ => build::of_source(given),
    };
    let own = unlabelled(&own);
    // A greatest or least date is put aside, with six digits, before it is compared.
    let put_aside = build::has_free_digits(&own) && build::reads_free_extreme(&args[0]);
    let decimals = if put_aside { build::MOST_DIGITS } else { own.decimals };
    // How its value came about is nothing that is known of the result.
    let origin = match own.origin {
        Named::Computed(_) => Named::default(),
        origin => origin,
    };
    Ok(Type { nullable: true, zerofill: false, written: given.missing_sign() > 0, origin, decimals, ..own })
}

/// Whether a value is one, and not equal to the other: what NULLIF asks.
pub(in crate::expr) fn differs(cx: &mut Cx<'_>, value: &Expr, other: &Expr) -> Result<bool, SqlError> {
    let year;
    let value = match (&value.kind, other.ty.kind) {
        (Kind::Const(_), TypeKind::Year) => {
            let mut number = value.clone();
            build::adapt_year(other, &mut number, cx.state)?;
            year = number;
            &year
        }
        _ => value,
    };
    let numbers =
        [(other, value), (value, other)].map(|(column, e)| build::number_of_time(column, e, cx.state));
    let [number, other_number] = numbers;
    let (number, other_number) = (number?, other_number?);
    let (value, other) = (number.as_ref().unwrap_or(value), other_number.as_ref().unwrap_or(other));
    let how = build::comparison_of(value, other, cx.state)?;
    if build::is_text_beside_bigint(other, value) || build::is_text_beside_bigint(value, other) {
        // It was told of when the statement was read.
        let [left, right] = [value, other].map(|e| in_silence(e, how, cx));
        let (left, right) = (left?, right?);
        return Ok(!left.is_null() && compare_values(&left, &right, how, cx.state) != Some(Ordering::Equal));
    }
    let left = match documents::is_extract(value) {
        true => exact::compared(&build::compared_extract(value.clone(), &other.ty), how, cx)?,
        false => exact::compared(value, how, cx)?,
    };
    if left.is_null() {
        // A text that is no address or UUID is none of them, either.
        return Ok(matches!(how, Comparison::Fixed(_)) && !value.eval(cx)?.is_null());
    }
    let right = exact::compared(other, how, cx)?;
    Ok(compare_values(&left, &right, how, cx.state) != Some(Ordering::Equal))
}

/// A side of a comparison without a word of it.
fn in_silence(e: &Expr, how: Comparison, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    let told = cx.state.diagnostics.told();
    let fails = std::mem::take(&mut cx.state.statement.warnings_fail);
    let value = exact::compared(e, how, cx);
    cx.state.statement.warnings_fail = fails;
    cx.state.diagnostics.forget_since(told);
    value
}

fn nullif(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    match differs(cx, &args[0], &args[1])? {
        false => Ok(Value::Null),
        true => Ok(match args[0].eval(cx)? {
            bits @ Value::Bit(_) => store::integer_value(&bits),
            value @ (Value::Enum(_) | Value::Set(_)) => store::to_type(value, ty, cx.state),
            value if is_refused(&value, ty, cx) => Value::Null,
            value => shown_year(value),
        }),
    }
}

/// The greatest or least of all, which the session's mode has to have where it is a date.
fn valid_extreme(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, wanted: Ordering) -> Result<Value, SqlError> {
    let mode = cx.state.date_mode();
    extreme_known(cx, args, ty, wanted, mode)
}

/// As [`extreme`] for who knows the dates of a mode.
pub(in crate::expr) fn extreme_known(
    cx: &mut Cx<'_>,
    args: &[Expr],
    ty: &Type,
    wanted: Ordering,
    mode: types::DateMode,
) -> Result<Value, SqlError> {
    let best = extreme(cx, args, ty, wanted)?;
    let at = match &best {
        Value::Date(date) => date.at_midnight(),
        Value::DateTime(at, _) if ty.class() == Class::Temporal => *at,
        _ => return Ok(best),
    };
    // One TIMESTAMP of several is what one of the columns holds.
    if at.is_valid(mode) || ty.kind == TypeKind::Timestamp {
        return Ok(best);
    }
    let shown = match ty.kind {
        TypeKind::Date => best,
        _ => Value::DateTime(at, ty.decimals),
    };
    operand::complain(&shown, None, "datetime", true, crate::session::Level::Warning, cx.state);
    Ok(Value::Null)
}

/// The greatest or least of all, in the form in which they are compared.
pub(in crate::expr) fn best(
    cx: &mut Cx<'_>,
    args: &[Expr],
    ty: &Type,
    wanted: Ordering,
) -> Result<Value, SqlError> {
    let how = match ty.coercibility {
        Coercibility::None => Comparison::Str(ty.collation),
        _ => build::comparison(ty, ty, cx.state)?,
    };
    let mut best: Option<Value> = None;
    for e in args {
        let value = match how {
            // What is no time is none; what is no date counts as zero.
            Comparison::Time => operand::time(cx, e, false)?.map_or(Value::Null, |time| Value::Time(time, 6)),
            Comparison::Fixed(ty) => {
                let value = e.eval(cx)?;
                fixed(&value, ty, cx.state).map_or(Value::Null, Value::Fixed)
            }
            Comparison::Real if let Some(mean) = e.real_mean() => mean.eval(cx)?,
            _ => side(e, how, cx)?,
        };
        if value.is_null() {
            return Ok(Value::Null);
        }
        let better = match &best {
            None => true,
            Some(held) => compare_values(&value, held, how, cx.state) == Some(wanted),
        };
        if better {
            best = Some(value);
        }
    }
    Ok(best.unwrap_or_default())
}

/// The greatest or least of all.
pub fn extreme(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, wanted: Ordering) -> Result<Value, SqlError> {
    Ok(match (best(cx, args, ty, wanted)?, ty.kind) {
        (Value::DateTime(at, _), TypeKind::Date) => Value::Date(at.date),
        (Value::DateTime(at, _), _) if ty.class() == Class::Temporal => Value::DateTime(at, ty.decimals),
        (Value::Time(time, _), _) if ty.class() == Class::Temporal => Value::Time(time, ty.decimals),
        (best, _) => shown_year(store::to_type(best, ty, cx.state)),
    })
}

/// As decimals where the number and the bound are exact, else as doubles.
fn interval(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let exact = |e: &Expr| matches!(e.ty.class(), Class::Int | Class::Decimal);
    let (value, exactly) = match exact(&args[0]) {
        true => {
            let Some(value) = operand::decimal(cx, &args[0])? else { return Ok(Value::Int(-1)) };
            (value.to_f64(), Some(value))
        }
        false => {
            let Some(value) = operand::real(cx, &args[0])? else { return Ok(Value::Int(-1)) };
            (value, None)
        }
    };
    for (i, e) in args[1..].iter().enumerate() {
        let below = match &exactly {
            Some(value) if exact(e) => {
                operand::decimal(cx, e)?.is_some_and(|bound| value.cmp_value(&bound).is_lt())
            }
            _ => operand::real(cx, e)?.is_some_and(|bound| value < bound),
        };
        if below {
            return Ok(Value::Int(i as i64));
        }
    }
    Ok(Value::Int(args.len() as i64 - 1))
}
