//! Arithmetic and bit operators.

mod decimals;

use super::build::{behind_whole, call, places};
use super::number::{Counted, EvaluateNumber, Number};
use super::operand;
use super::{Call, Class, Evaluate, Expr, Kind, Type, TypeKind, exact, foreknown};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State, mode};
use crate::syntax::ast::BinaryOp;
use types::convert::to_decimal;
use types::decimal::DecimalError;
use types::{Decimal, Value};

/// How an operator computes.
fn arithmetic_class(ty: &Type) -> Class {
    match ty.class() {
        Class::Str if ty.kind == TypeKind::Null => Class::Real,
        Class::Str if ty.labels.is_some() => Class::Int,
        Class::Str if ty.unsigned => Class::Int,
        Class::Str => Class::Real,
        Class::Temporal if ty.decimals > 0 => Class::Decimal,
        Class::Temporal => Class::Int,
        class => class,
    }
}

fn number_type(kind: TypeKind, length: u32, decimals: u8, unsigned: bool) -> Type {
    Type { kind, length, decimals, unsigned, ..super::build::boolean(true) }
}

/// How an operator computes: values, and numbers.
type Ways = (Evaluate, Option<EvaluateNumber>);

/// Both ways of an operator that computes a number.
macro_rules! ways {
    ($compute:ident) => {
        (|cx, args, ty| Ok($compute(cx, args, ty)?.into()), Some(|cx, call, ty| $compute(cx, &call.args, ty)))
    };
}

/// An arithmetic or bit operator.
pub fn binary(op: BinaryOp, left: Expr, right: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let (a, b) = (&left.ty, &right.ty);
    match op {
        // It takes whatever has a text.
        BinaryOp::IntDiv => {}
        BinaryOp::BitOr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => {
            super::build::refuse_opaque(&[a], op.word().unwrap_or("?"))?;
            super::build::refuse_opaque(&[b], op.word().unwrap_or("?"))?;
        }
        _ => super::build::refuse_opaque(&[a, b], op.word().unwrap_or("?"))?,
    }
    let nullable = a.nullable || b.nullable;
    let class = match (arithmetic_class(a), arithmetic_class(b)) {
        (Class::Real, _) | (_, Class::Real) => Class::Real,
        (Class::Decimal, _) | (_, Class::Decimal) => Class::Decimal,
        _ => Class::Int,
    };
    let (name, (evaluate, number), mut ty): (_, Ways, _) = match op {
        BinaryOp::Add => ("+", ways!(add), sum_type(class, a, b)),
        BinaryOp::Sub => ("-", ways!(subtract), difference_type(class, a, b, state)),
        BinaryOp::Mul => ("*", ways!(multiply), product_type(class, a, b)),
        BinaryOp::Div => ("/", ways!(divide), quotient_type(class, a, b, state)),
        BinaryOp::IntDiv => {
            let length = match a.class() {
                Class::Real if a.decimals < 31 => a.length.saturating_sub(u32::from(a.decimals)).max(1),
                Class::Real | Class::Str if a.labels.is_none() && !a.unsigned => a.length.clamp(1, 21),
                _ => whole(a).min(21),
            };
            ("DIV", ways!(int_divide), int_type(length, counts_unsigned(a) || counts_unsigned(b)))
        }
        BinaryOp::Mod => ("%", ways!(modulo), modulo_type(class, a, b)),
        BinaryOp::BitOr => ("|", ways!(bit_or), number_type(TypeKind::LongLong, 21, 0, true)),
        BinaryOp::BitAnd => ("&", ways!(bit_and), number_type(TypeKind::LongLong, 21, 0, true)),
        BinaryOp::BitXor => ("^", ways!(bit_xor), number_type(TypeKind::LongLong, 21, 0, true)),
        BinaryOp::ShiftLeft => ("<<", ways!(shift_left), number_type(TypeKind::LongLong, 21, 0, true)),
        BinaryOp::ShiftRight => (">>", ways!(shift_right), number_type(TypeKind::LongLong, 21, 0, true)),
        _ => return Err(SqlError::internal_error("build operator")),
    };
    ty.nullable = nullable || matches!(op, BinaryOp::Div | BinaryOp::IntDiv | BinaryOp::Mod);
    if op == BinaryOp::Div && ty.class() == Class::Decimal {
        // Not folded: what is computed with its quotient needs more digits than a constant of its type has.
        let call = Call { name, evaluate, number, args: vec![left, right], deterministic: true };
        return Ok(Expr { kind: Kind::Call(call), ty });
    }
    let mut operation = call(name, evaluate, vec![left, right], ty, state)?;
    if let Kind::Call(call) = &mut operation.kind
        && call.number.is_some()
    {
        call.number = number;
    }
    Ok(operation)
}

/// Whether a quotient or remainder of it is UNSIGNED: what `x'...'` stands for is as well, though it is text.
fn counts_unsigned(ty: &Type) -> bool {
    ty.unsigned || ty.hex
}

fn int_type(length: u32, unsigned: bool) -> Type {
    let kind = if length >= 10 { TypeKind::LongLong } else { TypeKind::Long };
    number_type(kind, length, 0, unsigned)
}

/// An exact number's type, which is an integer's where it has no fraction: of what is computed with dates.
fn dated_type(exact: Type) -> Type {
    if exact.decimals == 0 { int_type(exact.length, exact.unsigned) } else { exact }
}

/// Whether one of them is a date or a time.
fn dated(a: &Type, b: &Type) -> bool {
    a.class() == Class::Temporal || b.class() == Class::Temporal
}

fn whole(ty: &Type) -> u32 {
    match ty.class() {
        Class::Decimal => places(ty, behind_whole(ty)),
        // Labels may be any number: there is no sign to leave out.
        _ if ty.written || ty.labels.is_some() => ty.length,
        Class::Temporal => super::build::temporal_digits(ty),
        Class::Str if let TypeKind::Fixed(ty) = ty.kind => ty.zero().bytes().len() as u32 * 12 / 5,
        // A binary literal beside a number: the digits of its widest value.
        Class::Str if ty.unsigned => (u32::from(u8::MAX).ilog10() + 1).max(ty.length * 12 / 5 + 1),
        _ => places(ty, 0),
    }
    .max(1)
}

fn scale(ty: &Type) -> u32 {
    match ty.class() {
        Class::Decimal => u32::from(ty.decimals),
        Class::Temporal => u32::from(ty.decimals.min(6)),
        _ => 0,
    }
}

fn decimal_type(whole: u32, scale: u32, unsigned: bool) -> Type {
    let scale = scale.min(38);
    digits_type((whole + scale).min(65), scale, unsigned)
}

fn digits_type(precision: u32, scale: u32, unsigned: bool) -> Type {
    number_type(
        TypeKind::Decimal,
        precision + u32::from(scale > 0) + u32::from(!unsigned),
        scale as u8,
        unsigned,
    )
}

/// Digits after the point of an operand that is a double's; none that are known are 31 or more.
fn real_decimals(ty: &Type) -> u8 {
    match ty.class() {
        Class::Str if ty.kind == TypeKind::Null || ty.labels.is_some() => 0,
        _ => ty.decimals,
    }
}

fn real_type(a: &Type, b: &Type) -> Type {
    let decimals = real_decimals(a).max(real_decimals(b)).min(31);
    number_type(TypeKind::Double, if decimals < 31 { 17 + u32::from(decimals) } else { 23 }, decimals, false)
}

fn sum_type(class: Class, a: &Type, b: &Type) -> Type {
    match class {
        Class::Int | Class::Decimal if dated(a, b) => dated_type(exact_sum_type(a, b)),
        Class::Int => {
            let unsigned = a.unsigned || b.unsigned;
            int_type(whole(a).max(whole(b)) + 1 + u32::from(!unsigned), unsigned)
        }
        Class::Decimal => exact_sum_type(a, b),
        _ => real_type(a, b),
    }
}

/// It may be wider than any decimal.
fn exact_sum_type(a: &Type, b: &Type) -> Type {
    let held = |ty: &Type| match ty.class() {
        Class::Decimal => whole(ty).min(65 - scale(ty).min(38)),
        _ => whole(ty),
    };
    let most = scale(a).max(scale(b)).min(38);
    digits_type(held(a).max(held(b)) + 1 + most, most, a.unsigned && b.unsigned)
}

fn difference_type(class: Class, a: &Type, b: &Type, state: &State) -> Type {
    let ty = sum_type(class, a, b);
    match class {
        Class::Int | Class::Decimal if state.vars.has_mode(mode::NO_UNSIGNED_SUBTRACTION) => {
            Type { unsigned: false, ..ty }
        }
        _ => ty,
    }
}

fn product_type(class: Class, a: &Type, b: &Type) -> Type {
    let exact = || decimal_type(whole(a) + whole(b), scale(a) + scale(b), a.unsigned && b.unsigned);
    match class {
        Class::Int | Class::Decimal if dated(a, b) => dated_type(exact()),
        Class::Int => {
            let unsigned = a.unsigned || b.unsigned;
            int_type(whole(a) + whole(b) + u32::from(!unsigned), unsigned)
        }
        Class::Decimal => exact(),
        _ => real_type(a, b),
    }
}

fn quotient_type(class: Class, a: &Type, b: &Type, state: &State) -> Type {
    let increment = u32::from(state.vars.div_precision_increment);
    match class {
        Class::Int | Class::Decimal => {
            decimal_type(whole(a) + scale(b), scale(a) + increment, a.unsigned && b.unsigned)
        }
        _ => {
            let ty = real_type(a, b);
            let decimals = (u32::from(ty.decimals) + increment).min(31);
            if decimals == 31 {
                return Type { decimals: 31, length: 23, ..ty };
            }
            // The dividend's digits before its point, and those behind.
            let of_dividend = byte_length(a).saturating_sub(u32::from(real_decimals(a))) + decimals;
            Type { decimals: decimals as u8, length: of_dividend.min(17 + decimals), ..ty }
        }
    }
}

fn modulo_type(class: Class, a: &Type, b: &Type) -> Type {
    match class {
        Class::Int => int_type(whole(a).max(whole(b)) + u32::from(!a.unsigned), a.unsigned),
        Class::Decimal => {
            let scale_of = scale(a).max(scale(b));
            let digits = (whole(a) + scale(a)).max(whole(b) + scale(b));
            let exact = decimal_type(digits.saturating_sub(scale_of), scale_of, a.unsigned);
            if dated(a, b) { dated_type(exact) } else { exact }
        }
        _ => Type { unsigned: counts_unsigned(a), ..real_type(a, b) },
    }
}

/// Both operands as integers, or nothing when one is NULL.
#[inline]
fn integers(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<(i128, i128)>, SqlError> {
    let read = |e: &Expr, cx: &mut Cx<'_>| -> Result<Option<i128>, SqlError> {
        let number = match e.number(cx) {
            Some(number) => match number? {
                Number::Null => return Ok(None),
                Number::Int(n) => return Ok(Some(i128::from(n))),
                number => Value::from(number),
            },
            None => operand::exact_number(cx, e, Class::Int)?,
        };
        Ok((!number.is_null()).then(|| integer(&number)))
    };
    // Both, even where the left one is NULL: their warnings are to be seen.
    let (left, right) = (read(&args[0], cx)?, read(&args[1], cx)?);
    Ok(left.zip(right))
}

/// Both operands as decimals, or nothing when one is NULL: exact operators do not look at the right one where the left
/// one is.
fn exact_operands(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<(Decimal, Decimal)>, SqlError> {
    let read = |e: &Expr, cx: &mut Cx<'_>| match e.number(cx) {
        Some(number) => Ok(number?.decimal()),
        None => operand::exact_number(cx, e, Class::Decimal)
            .map(|value| (!value.is_null()).then(|| to_decimal(&value).value)),
    };
    let Some(left) = read(&args[0], cx)? else { return Ok(None) };
    Ok(read(&args[1], cx)?.map(|right| (left, right)))
}

/// Both operands as doubles, both read, or nothing when one is NULL.
#[inline]
fn reals(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<(f64, f64)>, SqlError> {
    let (left, right) = (operand::real(cx, &args[0])?, operand::real(cx, &args[1])?);
    Ok(left.zip(right))
}

/// An exact number without the detour of a value: `None` for NULL.
///
/// A division's digits stay as they are.
pub fn decimal_of(e: &Expr, cx: &mut Cx<'_>) -> Result<Option<Decimal>, SqlError> {
    if let Some(number) = e.number(cx) {
        return Ok(number?.decimal());
    }
    match e.peek(cx) {
        Some(other) if !matches!(other, Value::Str(_)) => return Ok(Some(to_decimal(other).value)),
        _ => {}
    }
    if e.ty.class() == Class::Temporal && e.ty.decimals > 6 {
        // However many digits the date shows, the number has six.
        let value = operand::numeric(cx, e)?;
        let rounding = types::decimal::Rounding::HalfUp;
        return Ok((!value.is_null()).then(|| to_decimal(&value).value.round(6, rounding).fit(65, 6).0));
    }
    if let Kind::Call(call) = &e.kind
        && let [left, right] = &call.args[..]
        && e.ty.class() == Class::Decimal
    {
        let operate: fn(&Decimal, &Decimal) -> Result<Decimal, DecimalError> = match call.name {
            "+" => decimals::sum,
            "-" => decimals::difference,
            "*" => decimals::product,
            _ => {
                return operand::numeric(cx, e)
                    .map(|value| (!value.is_null()).then(|| to_decimal(&value).value));
            }
        };
        let Some(left) = decimal_of(left, cx)? else { return Ok(None) };
        let Some(right) = decimal_of(right, cx)? else { return Ok(None) };
        return match operate(&left, &right) {
            Ok(d) => Ok(Some(d)),
            Err(_) => Err(out_of_range(cx, &e.ty, call.name, &call.args)),
        };
    }
    let value = operand::exact_number(cx, e, Class::Decimal)?;
    Ok((!value.is_null()).then(|| to_decimal(&value).value))
}

fn real(value: &Value, cx: &mut Cx<'_>) -> f64 {
    operand::real_of(value, cx.state)
}

/// An integer for arithmetic.
fn integer(value: &Value) -> i128 {
    match super::store::integer_value(value) {
        Value::UInt(n) => i128::from(n),
        Value::Int(n) => i128::from(n),
        _ => 0,
    }
}

fn out_of_range(cx: &Cx<'_>, ty: &Type, name: &str, args: &[Expr]) -> SqlError {
    let kind = match ty.class() {
        Class::Int if ty.unsigned => "BIGINT UNSIGNED",
        Class::Int => "BIGINT",
        Class::Decimal => "DECIMAL",
        _ => "DOUBLE",
    };
    SqlError::data_out_of_range(kind, super::print::call_text(name, args, ty, cx.params))
}

#[inline]
fn integer_result(cx: &Cx<'_>, n: Option<i128>, name: &str, args: &[Expr], ty: &Type) -> Counted {
    let fits = match ty.unsigned {
        true => n.and_then(|n| u64::try_from(n).ok()).map(Number::UInt),
        false => n.and_then(|n| i64::try_from(n).ok()).map(Number::Int),
    };
    fits.ok_or_else(|| out_of_range(cx, ty, name, args).into())
}

/// Computes in the class of the result's type.
#[inline(always)]
fn compute(
    cx: &mut Cx<'_>,
    args: &[Expr],
    ty: &Type,
    name: &str,
    int: impl Fn(i128, i128) -> Option<i128>,
    decimal: fn(&Decimal, &Decimal) -> Result<Decimal, DecimalError>,
    double: impl Fn(f64, f64) -> f64,
) -> Counted {
    match ty.class() {
        Class::Decimal => {
            let Some(left) = decimal_of(&args[0], cx)? else { return Ok(Number::Null) };
            let Some(right) = decimal_of(&args[1], cx)? else { return Ok(Number::Null) };
            match decimal(&left, &right) {
                Ok(d) => Ok(d.into()),
                Err(_) => Err(out_of_range(cx, ty, name, args).into()),
            }
        }
        Class::Real => {
            let Some((left, right)) = reals(cx, args)? else { return Ok(Number::Null) };
            let result = double(left, right);
            if result.is_finite() {
                Ok(Number::Real(result))
            } else {
                Err(out_of_range(cx, ty, name, args).into())
            }
        }
        _ => {
            let Some((left, right)) = integers(cx, args)? else { return Ok(Number::Null) };
            integer_result(cx, int(left, right), name, args, ty)
        }
    }
}

fn add(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Counted {
    compute(cx, args, ty, "+", i128::checked_add, decimals::sum, |a, b| a + b)
}

fn subtract(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Counted {
    compute(cx, args, ty, "-", i128::checked_sub, decimals::difference, |a, b| a - b)
}

fn multiply(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Counted {
    compute(cx, args, ty, "*", product, decimals::product, |a, b| a * b)
}

/// Both as 64-bit integers, where they are: for what is much faster so.
#[inline]
fn short(a: i128, b: i128) -> Option<(i64, i64)> {
    Some((i64::try_from(a).ok()?, i64::try_from(b).ok()?))
}

#[inline]
pub(super) fn product(a: i128, b: i128) -> Option<i128> {
    match short(a, b) {
        Some((a, b)) => Some(i128::from(a) * i128::from(b)),
        None => a.checked_mul(b),
    }
}

#[inline]
fn quotient(a: i128, b: i128) -> Option<i128> {
    match short(a, b).map(|(a, b)| a.checked_div(b)) {
        Some(Some(n)) => Some(i128::from(n)),
        _ => a.checked_div(b),
    }
}

#[inline]
pub(super) fn remainder(a: i128, b: i128) -> Option<i128> {
    match short(a, b).map(|(a, b)| a.checked_rem(b)) {
        Some(Some(n)) => Some(i128::from(n)),
        _ => a.checked_rem(b),
    }
}

/// Division by zero is NULL; a warning or, in strict mode while changing rows, an error where the mode asks for it.
pub fn division_by_zero(cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    if cx.state.vars.has_mode(mode::ERROR_FOR_DIVISION_BY_ZERO) {
        let error = SqlError::division_by_zero();
        let facts = &cx.state.statement;
        if facts.strict && !facts.ignore && !facts.warnings_fail {
            return Err(error);
        }
        cx.state.warn(Level::Warning, error.errno, error.message);
    }
    Ok(Value::Null)
}

/// As [`division_by_zero`], as a number.
fn no_quotient(cx: &mut Cx<'_>) -> Counted {
    division_by_zero(cx)?;
    Ok(Number::Null)
}

fn divide(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Counted {
    if ty.class() == Class::Decimal {
        let Some((left, right)) = exact_operands(cx, args)? else { return Ok(Number::Null) };
        let increment = cx.state.vars.div_precision_increment;
        let [left, right] = [(left, &args[0]), (right, &args[1])].map(|(d, e)| exact::of_time(d, e));
        return match left.div(&right, increment) {
            Ok(d) => Ok(d.into()),
            Err(DecimalError::DivisionByZero) => no_quotient(cx),
            Err(DecimalError::Overflow) => Err(out_of_range(cx, ty, "/", args).into()),
        };
    }
    let Some((left, right)) = reals(cx, args)? else { return Ok(Number::Null) };
    if right == 0.0 {
        return no_quotient(cx);
    }
    let result = left / right;
    if result.is_finite() { Ok(Number::Real(result)) } else { Err(out_of_range(cx, ty, "/", args).into()) }
}

fn int_divide(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Counted {
    let left = operand::numeric_as(cx, &args[0], Class::Decimal)?;
    if left.is_null() {
        if args.iter().all(|e| e.ty.class() == Class::Int) {
            operand::numeric_as(cx, &args[1], Class::Decimal)?;
        }
        return Ok(Number::Null);
    }
    let right = operand::numeric_as(cx, &args[1], Class::Decimal)?;
    if right.is_null() {
        // What is text is read all the same.
        if matches!(left, Value::Str(_)) {
            operand::decimal_of(&left, cx.state);
        }
        return Ok(Number::Null);
    }
    let all_int =
        [&left, &right].iter().all(|v| matches!(v, Value::Int(_) | Value::UInt(_) | Value::Year(_)));
    if all_int {
        let divisor = integer(&right);
        if divisor == 0 {
            return no_quotient(cx);
        }
        return integer_result(cx, quotient(integer(&left), divisor), "DIV", args, ty);
    }
    let (a, b) = (operand::decimal_of(&left, cx.state), operand::decimal_of(&right, cx.state));
    match a.div(&b, 0) {
        Ok(d) => {
            let cut = d.round(0, types::decimal::Rounding::Truncate);
            let whole = cut.to_i128();
            let (sign, fits) = match ty.unsigned {
                true => ("UNSIGNED INT", whole.is_some_and(|n| u64::try_from(n).is_ok())),
                false => ("INT", whole.is_some_and(|n| i64::try_from(n).is_ok())),
            };
            if !fits {
                let error = SqlError::data_overflow(super::compare_text(&Value::Decimal(cut)), sign);
                cx.state.warn(Level::Warning, error.errno, error.message);
            }
            integer_result(cx, whole, "DIV", args, ty)
        }
        Err(DecimalError::DivisionByZero) => no_quotient(cx),
        Err(DecimalError::Overflow) => Err(out_of_range(cx, ty, "DIV", args).into()),
    }
}

/// The remainder of a division.
pub(super) fn modulo(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Counted {
    match ty.class() {
        Class::Real => {
            let Some((left, right)) = reals(cx, args)? else { return Ok(Number::Null) };
            if right == 0.0 { no_quotient(cx) } else { Ok(Number::Real(left % right)) }
        }
        Class::Decimal => {
            let Some((left, right)) = exact_operands(cx, args)? else { return Ok(Number::Null) };
            let [left, right] = [(left, &args[0]), (right, &args[1])].map(|(d, e)| exact::of_time(d, e));
            decimals::rest(&left, &right).map_or_else(|_| no_quotient(cx), |d| Ok(d.into()))
        }
        _ => {
            let Some((left, right)) = integers(cx, args)? else { return Ok(Number::Null) };
            match remainder(left, right) {
                None => no_quotient(cx),
                n => integer_result(cx, n, "%", args, ty),
            }
        }
    }
}

/// The second operand is not read where the first one is NULL.
fn on_bits(cx: &mut Cx<'_>, args: &[Expr], f: impl Fn(u64, u64) -> u64) -> Counted {
    let Some(left) = operand::bits(cx, &args[0])? else { return Ok(Number::Null) };
    let right = operand::bits(cx, &args[1])?;
    Ok(right.map_or(Number::Null, |right| Number::UInt(f(left, right))))
}

fn bit_or(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Counted {
    on_bits(cx, args, |a, b| a | b)
}

fn bit_and(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Counted {
    on_bits(cx, args, |a, b| a & b)
}

fn bit_xor(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Counted {
    // The second operand is read first, and the first one whatever that is.
    let right = operand::bits(cx, &args[1])?;
    let left = operand::bits(cx, &args[0])?;
    Ok(left.zip(right).map_or(Number::Null, |(left, right)| Number::UInt(left ^ right)))
}

/// Shifts by as many places as the low 32 bits of the right operand's integer say.
fn shift(cx: &mut Cx<'_>, args: &[Expr], f: fn(u64, u32) -> Option<u64>) -> Counted {
    let (left, places) = (operand::bits(cx, &args[0])?, operand::integer(cx, &args[1])?);
    Ok(left
        .zip(places)
        .map_or(Number::Null, |(left, places)| Number::UInt(f(left, places as u32).unwrap_or(0))))
}

fn shift_left(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Counted {
    shift(cx, args, u64::checked_shl)
}

fn shift_right(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Counted {
    shift(cx, args, u64::checked_shr)
}

/// `~e`.
pub fn bit_not(e: Expr, state: &mut State) -> Result<Expr, SqlError> {
    super::build::refuse_opaque(&[&e.ty], "~")?;
    let ty = Type { nullable: e.ty.nullable, ..number_type(TypeKind::LongLong, 21, 0, true) };
    call(
        "~",
        |cx, args, _| Ok(operand::bits(cx, &args[0])?.map_or(Value::Null, |bits| Value::UInt(!bits))),
        vec![e],
        ty,
        state,
    )
}

/// `-e` of a literal: a negative number.
pub fn negative(e: Expr, state: &mut State) -> Result<Expr, SqlError> {
    if let Kind::Const(value) = &e.kind {
        let negative = match value {
            Value::Int(n) => n.checked_neg().map(Value::Int),
            Value::UInt(n) if *n == 1 << 63 => Some(Value::Int(i64::MIN)),
            Value::UInt(n) => Some(Value::Decimal(Decimal::new(-i128::from(*n), 0))),
            Value::Decimal(d) => Some(Value::Decimal(d.neg())),
            Value::Double(n) => Some(Value::Double(-n)),
            _ => None,
        };
        if let Some(value) = negative {
            let mut ty = super::build::type_of_value(&value, state.vars.collation_connection);
            ty.unsigned = false;
            match value {
                // As long as it was written.
                Value::Decimal(_) if e.ty.class() == Class::Decimal => ty.length = e.ty.length,
                Value::Int(n) if e.ty.truth => ty.length = e.ty.length + u32::from(n < 0),
                Value::Double(_) => ty.length = (e.ty.length + 1).min(23),
                _ => {}
            }
            if let super::Named::Written(text) = &e.ty.origin {
                ty.origin = super::Named::Written(format!("-{text}").into());
            }
            return Ok(Expr { kind: Kind::Const(value), ty });
        }
    }
    negate(e, state)
}

/// The length of a number, of labels in bytes.
pub fn byte_length(ty: &Type) -> u32 {
    match ty.labels {
        Some(_) => ty.length.saturating_mul(ty.collation.charset().max_char_bytes() as u32),
        None => ty.length,
    }
}

/// `-e`.
pub fn negate(e: Expr, state: &mut State) -> Result<Expr, SqlError> {
    super::build::refuse_opaque(&[&e.ty], "-")?;
    // Longer by the sign, but of no more digits.
    let exact = |length: u32| {
        let ty = decimal_type(whole(&e.ty), scale(&e.ty), false);
        Type { length, spare: length.saturating_sub(ty.length) as i32, ..ty }
    };
    let longer = byte_length(&e.ty).saturating_add(1 + u32::from(e.ty.written && !e.ty.nullable));
    // What a negative constant becomes might be one more than there are; below the least integer it is a decimal.
    let beyond = |value: &Value| match value {
        Value::Int(n) => *n < 0,
        Value::UInt(n) => *n > 1 << 63,
        _ => false,
    };
    let beyond = match &e.kind {
        Kind::Const(value) => beyond(value),
        // A constant that is none yet is asked for its value now, and what is said of it said.
        Kind::Call(_) if e.ty.class() == Class::Int && e.is_settled() => {
            foreknown::value_of(&e, state).is_some_and(|value| beyond(&value))
        }
        _ => false,
    };
    let mut ty = match arithmetic_class(&e.ty) {
        _ if e.ty.class() == Class::Temporal => exact(e.ty.length.saturating_add(1)),
        Class::Int if matches!(e.kind, Kind::Const(Value::Int(i64::MIN))) => decimal_type(19, 0, false),
        Class::Int if beyond => exact(longer),
        // Which of the two it is depends on the value.
        Class::Int if matches!(e.kind, Kind::Param(_)) && e.ty.unsigned => {
            return Err(SqlError::internal_error("keep a plan that takes an unsigned number below zero"));
        }
        Class::Int => Type { spare: longer as i32 - 1 - whole(&e.ty) as i32, ..int_type(longer, false) },
        Class::Decimal => exact(e.ty.length.saturating_add(1)),
        _ if e.ty.class() == Class::Str => {
            let bytes = e.ty.length.saturating_mul(e.ty.collation.charset().max_char_bytes() as u32);
            Type { length: bytes.saturating_add(1).min(53), ..real_type(&e.ty, &e.ty) }
        }
        Class::Real if e.ty.class() == Class::Real => {
            Type { length: e.ty.length.saturating_add(1), ..real_type(&e.ty, &e.ty) }
        }
        _ => real_type(&e.ty, &e.ty),
    };
    ty.nullable = e.ty.nullable;
    call("-", negated, vec![e], ty, state)
}

fn negated(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = operand::exact_number(cx, &args[0], Class::Int)?;
    if value.is_null() {
        return Ok(Value::Null);
    }
    match ty.class() {
        Class::Int => Ok(integer_result(cx, integer(&value).checked_neg(), "-", args, ty)?.into()),
        Class::Decimal => Ok(Value::Decimal(to_decimal(&value).value.neg())),
        _ => Ok(Value::Double(-real(&value, cx))),
    }
}
