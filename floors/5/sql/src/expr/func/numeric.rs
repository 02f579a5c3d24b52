//! Numeric functions.

use super::super::arith::modulo;
use super::super::build::boolean;
use super::super::print::call_text;
use super::super::{Class, Expr, Kind, Named, Type, TypeKind, foreknown, operand, store};
use super::Function;
use super::date::temporal;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::Value;
use types::convert::{to_decimal, to_integer};
use types::decimal::Rounding;

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

macro_rules! real {
    ($name:literal, $f:expr) => {
        function!($name, 1, 1, real_type, |cx, args, _| on_real(cx, $name, &args[0], $f))
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("abs", 1, 1, abs_type, abs),
    function!("round", 1, 2, round_type, |cx, args, ty| round_to(cx, args, ty, Rounding::HalfUp)),
    function!("truncate", 2, 2, truncate_type, |cx, args, ty| round_to(cx, args, ty, Rounding::Truncate)),
    function!("ceil", 1, 1, ceiling_type, ceiling),
    function!("ceiling", 1, 1, ceiling_type, ceiling),
    function!("floor", 1, 1, floor_type, floor),
    function!("sign", 1, 1, |args, _| Ok(Type { length: 2, ..boolean(args[0].ty.nullable) }), sign),
    function!("mod", 2, 2, modulo_type, |cx, args, ty| Ok(modulo(cx, args, ty)?.into())),
    function!("pow", 2, 2, real_type, power),
    function!("power", 2, 2, real_type, power),
    real!("sqrt", |x| (x >= 0.0).then(|| x.sqrt())),
    real!("exp", |x| Some(x.exp())),
    function!("ln", 1, 1, real_type, |cx, args, _| logarithm(cx, &args[0], f64::ln)),
    function!("log2", 1, 1, real_type, |cx, args, _| logarithm(cx, &args[0], |x| x.ln()
        / std::f64::consts::LN_2)),
    function!("log10", 1, 1, real_type, |cx, args, _| logarithm(cx, &args[0], f64::log10)),
    function!("log", 1, 2, real_type, log),
    real!("asin", |x| (-1.0..=1.0).contains(&x).then(|| x.asin())),
    real!("acos", |x| (-1.0..=1.0).contains(&x).then(|| x.acos())),
    real!("cot", |x| Some(1.0 / x.tan())),
    function!("atan", 1, 2, real_type, atan),
    function!("atan2", 1, 2, real_type, atan),
    real!("sin", |x| Some(x.sin())),
    real!("cos", |x| Some(x.cos())),
    real!("tan", |x| Some(x.tan())),
    function!("radians", 1, 1, same_null, |cx, args, _| on_real(cx, "radians", &args[0], |x| Some(
        x.to_radians()
    ))),
    function!("degrees", 1, 1, same_null, |cx, args, _| on_real(cx, "degrees", &args[0], |x| Some(
        x.to_degrees()
    ))),
    function!("pi", 0, 0, |_, _| Ok(Type { decimals: 6, length: 8, ..double_type(false) }), |_, _, _| {
        Ok(Value::Double(std::f64::consts::PI))
    }),
    Function {
        name: "rand",
        min: 0,
        max: 1,
        ty: |args, _| Ok(double_type(args.iter().any(|e| e.ty.nullable))),
        evaluate: random,
        deterministic: false,
    },
];

fn double_type(nullable: bool) -> Type {
    Type { kind: TypeKind::Double, length: 23, decimals: 31, ..boolean(nullable) }
}

fn real_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(double_type(true))
}

fn same_null(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(double_type(args[0].ty.nullable))
}

/// The type of an operand as a number: 0x.. and b'..' have as many bits as their bytes.
fn number_type(e: &Expr) -> Type {
    // What a constant has no place for in its length, a function of it has no place for either.
    let Kind::Const(Value::Str(s)) = &e.kind else {
        let own = own_number(&e.ty);
        let fixed = e.ty.is_named_constant() || matches!(e.kind, Kind::Const(_)) && !e.ty.nullable;
        return Type { written: own.written && !fixed, ..own };
    };
    match e.is_literal_number(s) {
        true => own_number(&Type { kind: TypeKind::Bit, length: 8 * e.ty.length.min(8), ..e.ty.clone() }),
        // x'..' has no sign, though it is read as text.
        false => Type { unsigned: e.ty.hex, ..own_number(&e.ty) },
    }
}

/// A number's own type; text counts as a double.
fn own_number(ty: &Type) -> Type {
    match ty.class() {
        Class::Int if ty.kind == TypeKind::Year => {
            Type { kind: TypeKind::Long, zerofill: false, origin: Named::default(), ..ty.clone() }
        }
        Class::Int if ty.kind == TypeKind::Bit => {
            // As many digits as its widest value has.
            let length = (f64::from(ty.length) * std::f64::consts::LOG10_2).floor() as u32 + 1;
            let kind = if length < 10 { TypeKind::Long } else { TypeKind::LongLong };
            Type { kind, length, zerofill: false, origin: Named::default(), ..ty.clone() }
        }
        Class::Int => {
            // The end of a group's short integers is given as BIGINT, and reckoned with as INT.
            let kind = match (ty.kind, &ty.origin) {
                (TypeKind::LongLong, Named::Extreme(None, _, Some(kind))) if *kind != TypeKind::Bit => {
                    TypeKind::Long
                }
                (kind, _) => kind,
            };
            Type { kind, truth: false, zerofill: false, spare: 0, origin: Named::default(), ..ty.clone() }
        }
        Class::Decimal => Type { truth: false, zerofill: false, origin: Named::default(), ..ty.clone() },
        Class::Temporal => Type { kind: TypeKind::Decimal, unsigned: false, ..ty.clone() },
        // Labels count as their numbers.
        _ if ty.labels.is_some() => {
            let origin = Named::default();
            Type {
                kind: TypeKind::Long,
                length: 5,
                decimals: 0,
                unsigned: true,
                labels: None,
                origin,
                ..ty.clone()
            }
        }
        _ if ty.kind == TypeKind::Null => Type { length: 17, decimals: 0, ..double_type(true) },
        class => {
            let unsigned = ty.unsigned && class == Class::Real;
            let decimals = ty.decimals.min(31);
            let length = if decimals < 31 { 17 + u32::from(decimals) } else { 23 };
            Type { length, decimals, unsigned, ..double_type(ty.nullable) }
        }
    }
}

fn abs_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let given = &args[0].ty;
    let number = number_type(&args[0]);
    let own = match given.class() {
        Class::Temporal => Type { unsigned: given.unsigned, decimals: number.decimals.min(6), ..number },
        class if given.kind == TypeKind::Bit || class == Class::Str && number.class() == Class::Int => {
            let length = super::super::arith::byte_length(given);
            Type { length, unsigned: given.unsigned, ..number }
        }
        _ => number,
    };
    Ok(match own.class() {
        Class::Int => Type {
            kind: if own.length < 10 { TypeKind::Long } else { TypeKind::LongLong },
            length: own.length + own.missing_sign(),
            written: false,
            json: false,
            truth: false,
            ..own
        },
        _ => own,
    })
}

/// Error 1690 with the call's text.
fn out_of_range(cx: &Cx<'_>, kind: &str, name: &str, args: &[Expr]) -> SqlError {
    SqlError::data_out_of_range(kind, call_text(name, args, &boolean(true), cx.params))
}

fn on_real(cx: &mut Cx<'_>, name: &str, e: &Expr, f: fn(f64) -> Option<f64>) -> Result<Value, SqlError> {
    let Some(x) = operand::real(cx, e)? else { return Ok(Value::Null) };
    match f(x) {
        Some(result) if result.is_finite() => Ok(Value::Double(result)),
        Some(_) => Err(out_of_range(cx, "DOUBLE", name, std::slice::from_ref(e))),
        None => Ok(Value::Null),
    }
}

fn abs(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = operand::exact_number(cx, &args[0], Class::Int)?;
    if value.is_null() {
        return Ok(value);
    }
    Ok(match ty.class() {
        Class::Int => match store::integer_value(&value) {
            Value::Int(n) => {
                n.checked_abs().map(Value::Int).ok_or_else(|| out_of_range(cx, "BIGINT", "abs", args))?
            }
            other => other,
        },
        Class::Decimal => Value::Decimal(to_decimal(&value).value.abs()),
        _ => Value::Double(operand::real_of(&value, cx.state).abs()),
    })
}

/// Digits that are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// So many.
    Known(i32),
    /// Constants say that it is NULL.
    Nothing,
    /// Rows say it.
    OfRows,
}

/// The digits that are asked for, in a variable that has them by now, too. What is to be said of them is said here and
/// when they are used.
fn constant_digits(e: Option<&Expr>, state: &mut State) -> Result<Digits, SqlError> {
    let Some(e) = e else { return Ok(Digits::Known(0)) };
    let digits = match e.is_settled() || e.is_known() {
        true => operand::integer(&mut Cx::new(state, &[]), e)?,
        false => {
            let Some(known) = foreknown::constant_of(e, state) else { return Ok(Digits::OfRows) };
            operand::integer(&mut Cx::new(state, &[]), &known)?
        }
    };
    Ok(match digits {
        None => Digits::Nothing,
        Some(digits) => Digits::Known(digits.clamp(-100, 38) as i32),
    })
}

fn round_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    super::super::build::refuse_opaque(&[&args[0].ty], "round")?;
    cut_type(args, true, state)
}

fn truncate_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    cut_type(args, false, state)
}

/// ROUND may grow a number by a digit, TRUNCATE does not.
fn cut_type(args: &[Expr], rounds: bool, state: &mut State) -> Result<Type, SqlError> {
    if args[0].ty.class() == Class::Temporal {
        let digits = constant_digits(args.get(1), state)?;
        let shown = match digits {
            Digits::Known(digits) => digits.clamp(0, 6) as u8,
            Digits::Nothing | Digits::OfRows => args[0].ty.decimals.min(6),
        };
        let own = rounded_time(&args[0].ty, shown);
        let unknown = digits == Digits::Nothing || args[1..].iter().any(|e| e.ty.nullable);
        let ty = Type { nullable: own.nullable || unknown, ..own };
        let may_be_negative = matches!(digits, Digits::OfRows | Digits::Known(i32::MIN..0));
        let grows = rounds && ty.kind == TypeKind::Long && may_be_negative;
        return Ok(Type { length: ty.length + u32::from(grows), ..ty });
    }
    let own = number_type(&args[0]);
    let nullable = args.iter().any(|e| e.ty.nullable);
    let asked = match own.class() {
        // No query is run for the digits of an integer.
        Class::Int if args[1..].iter().any(Expr::has_subquery) => Digits::OfRows,
        _ => constant_digits(args.get(1), state)?,
    };
    let (known, nothing) = match asked {
        Digits::Known(digits) => (Some(digits), false),
        Digits::Nothing => (Some(0), true),
        Digits::OfRows => (None, false),
    };
    let digits = known.unwrap_or(38);
    Ok(match own.class() {
        _ if nothing && own.class() != Class::Int => Type { unsigned: own.unsigned, ..double_type(true) },
        _ if args[0].ty.kind == TypeKind::Null && known.is_none() => own,
        Class::Decimal if known.is_none() => {
            Type { nullable, length: own.length + u32::from(own.written), ..own }
        }
        Class::Decimal => {
            let scale = digits.clamp(0, 38) as u8;
            let whole = own.length - u32::from(own.decimals) - u32::from(own.decimals > 0);
            let grown = u32::from(rounds && scale < own.decimals);
            let length = whole + grown + u32::from(scale) + u32::from(scale > 0);
            Type { decimals: scale, length, nullable, ..own }
        }
        Class::Int => {
            // What bits and labels stand for has its greatest number of digits already.
            let fixed = args[0].ty.class() == Class::Str || args[0].ty.kind == TypeKind::Bit;
            let grows = rounds && !fixed && known.is_none_or(|digits| digits < 0);
            let kind = match own.kind {
                kind if !grows => kind,
                TypeKind::Long if own.length >= 9 => TypeKind::LongLong,
                TypeKind::LongLong => TypeKind::Decimal,
                _ => TypeKind::Long,
            };
            let length = own.length + own.missing_sign() + u32::from(grows);
            // What is true or false stays so, by itself.
            let truth = args[0].ty.truth && kind == own.kind && !grows;
            Type { kind, nullable, length, truth, written: false, ..own }
        }
        _ => {
            let decimals = if known.is_some() { digits.clamp(0, 31) as u8 } else { own.decimals };
            let length = if decimals < 31 { 17 + u32::from(decimals) } else { 23 };
            Type { nullable, decimals, length, ..own }
        }
    })
}

/// Dates rounded are numbers, times and dates with times stay what they are.
fn rounded_time(ty: &Type, digits: u8) -> Type {
    match ty.kind {
        TypeKind::Date => Type { kind: TypeKind::Long, length: 8, unsigned: true, ..boolean(ty.nullable) },
        TypeKind::Time => Type { nullable: ty.nullable, ..temporal(TypeKind::Time, 10, digits) },
        _ => temporal(TypeKind::DateTime, 19, digits),
    }
}

/// A date's number.
fn without_sign(day: &Value) -> Value {
    match store::integer_value(day) {
        Value::Int(n) => Value::UInt(n as u64),
        other => other,
    }
}

/// A date or time with fewer digits of its fraction.
fn round_time(value: &Value, digits: u8, mode: Rounding, state: &mut State) -> Value {
    let unit = 10_i64.pow(6 - u32::from(digits.min(6)));
    let round = |micros: i64| match mode {
        Rounding::HalfUp => (micros + unit / 2 * micros.signum()) / unit * unit,
        Rounding::Ceiling => -((-micros).div_euclid(unit)) * unit,
        Rounding::Floor => micros.div_euclid(unit) * unit,
        _ => micros / unit * unit,
    };
    match value {
        Value::Time(time, _) => {
            let rounded = types::Time::saturating(round(time.as_micros())).0;
            Value::Time(rounded.truncate(digits), digits)
        }
        // A day that is none, or that its month has not (ALLOW_INVALID_DATES), has none behind it.
        Value::DateTime(at, _)
            if at.date.month == 0
                || at.date.day == 0
                || types::Date::from_days(at.date.to_days()) != at.date =>
        {
            let day = types::Date { year: 1, month: 1, day: 1 };
            let rounded = types::DateTime { date: day, ..*at };
            match types::DateTime::from_micros(round(rounded.to_micros())) {
                Some(rounded) if rounded.date == day => {
                    Value::DateTime(types::DateTime { date: at.date, ..rounded }.truncate(digits), digits)
                }
                _ => {
                    let date = at.date.to_string();
                    let error = SqlError::wrong_value_for_function("date", &date, "round(datetime)");
                    state.warn(Level::Warning, error.errno, error.message);
                    Value::Null
                }
            }
        }
        Value::DateTime(at, _) => {
            let rounded = types::DateTime::from_micros(round(at.to_micros()));
            // Behind the last second of all there is none.
            Value::DateTime(rounded.unwrap_or_else(|| at.truncate(digits)), digits)
        }
        other => store::integer_value(other),
    }
}

/// Whether it is a date that the mode does not know; the least and greatest of dates are held against no mode.
fn is_refused_date(value: &Value, of: &Expr, state: &State) -> bool {
    let held = !matches!(of.ty.origin, Named::Extreme(..));
    held && matches!(value, Value::DateTime(..)) && operand::is_refused(value, state)
}

fn round_to(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, mode: Rounding) -> Result<Value, SqlError> {
    let value = match operand::exact_number(cx, &args[0], Class::Int)? {
        text @ Value::Str(_) => Value::Double(operand::real_of(&text, cx.state)),
        value => value,
    };
    if value.is_null() && ty.class() == Class::Real {
        return Ok(value);
    }
    let digits = match args.get(1) {
        None => 0,
        Some(e) => match operand::integer(cx, e)? {
            None => return Ok(Value::Null),
            Some(digits) => digits.clamp(-400, 400) as i32,
        },
    };
    if value.is_null() {
        return Ok(value);
    }
    if args[0].ty.class() == Class::Temporal {
        if is_refused_date(&value, &args[0], cx.state) {
            return Ok(Value::Null);
        }
        if ty.kind == TypeKind::Long && digits < 0 {
            let day = to_decimal(&store::integer_value(&value)).value;
            return Ok(without_sign(&Value::Decimal(day.round(digits.max(-38), mode))));
        }
        let shown = digits.clamp(0, i32::from(ty.decimals)) as u8;
        return Ok(match (round_time(&value, shown, mode, cx.state), ty.kind) {
            (Value::Time(time, _), TypeKind::Time) => Value::Time(time, ty.decimals),
            (Value::DateTime(at, _), TypeKind::DateTime) => Value::DateTime(at, ty.decimals),
            (date, TypeKind::Long) => without_sign(&date),
            (other, _) => other,
        });
    }
    Ok(match ty.class() {
        Class::Int if digits >= 0 => store::integer_value(&value),
        Class::Int => store::integer_value(&Value::Decimal(to_decimal(&value).value.round(digits, mode))),
        Class::Decimal => {
            let rounded = to_decimal(&value).value.round(digits.min(i32::from(ty.decimals)), mode);
            Value::Decimal(rounded.fit(65, ty.decimals).0)
        }
        _ => Value::Double(round_double(operand::real_of(&value, cx.state), digits, mode)),
    })
}

/// A double at so many digits after the point (or zeros before it).
pub(in crate::expr) fn round_double(x: f64, digits: i32, mode: Rounding) -> f64 {
    // Powers of ten as near as a double can be.
    let factor: f64 = format!("1e{}", digits.abs()).parse().unwrap_or(f64::INFINITY);
    if digits < 0 && factor.is_infinite() {
        return 0.0;
    }
    let scaled = if digits >= 0 { x * factor } else { x / factor };
    if !scaled.is_finite() {
        return x;
    }
    let rounded = match mode {
        Rounding::Truncate => scaled.trunc(),
        _ => scaled.round_ties_even(),
    };
    if digits >= 0 { rounded / factor } else { rounded * factor }
}

fn ceiling_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    whole_type(args, Rounding::Ceiling)
}

fn ceiling(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    to_whole(cx, args, ty, Rounding::Ceiling)
}

fn floor_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    whole_type(args, Rounding::Floor)
}

fn floor(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    to_whole(cx, args, ty, Rounding::Floor)
}

fn whole_type(args: &[Expr], mode: Rounding) -> Result<Type, SqlError> {
    if args[0].ty.class() == Class::Temporal {
        return Ok(rounded_time(&args[0].ty, 0));
    }
    let own = number_type(&args[0]);
    Ok(match own.class() {
        Class::Decimal => {
            let (scale, sign) = (u32::from(own.decimals), u32::from(!own.unsigned));
            let whole = own.length.saturating_sub(scale + u32::from(scale > 0) + sign);
            // 9.9 may become 10; what has no sign becomes no greater by FLOOR.
            let grows = scale > 0 && !(mode == Rounding::Floor && own.unsigned);
            let digits = (whole + u32::from(grows)).max(1);
            let kind = match digits {
                0..=9 => TypeKind::Long,
                10..=18 => TypeKind::LongLong,
                _ => TypeKind::Decimal,
            };
            Type { kind, length: digits + sign, decimals: 0, ..own }
        }
        Class::Int => Type { truth: args[0].ty.truth, ..unwritten(own) },
        _ => Type { decimals: 0, length: 17, unsigned: false, ..own },
    })
}

/// An integer that is no literal any longer: a digit of its length counts as its sign.
fn unwritten(own: Type) -> Type {
    let written = own.written && own.missing_sign() > 0;
    Type { written, ..own }
}

fn to_whole(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, mode: Rounding) -> Result<Value, SqlError> {
    let value = operand::exact_number(cx, &args[0], Class::Int)?;
    if value.is_null() {
        return Ok(value);
    }
    if args[0].ty.class() == Class::Temporal {
        if is_refused_date(&value, &args[0], cx.state) {
            return Ok(Value::Null);
        }
        let rounded = round_time(&value, 0, mode, cx.state);
        return Ok(if args[0].ty.kind == TypeKind::Date { without_sign(&rounded) } else { rounded });
    }
    Ok(match number_type(&args[0]).class() {
        Class::Int => store::integer_value(&value),
        Class::Decimal => {
            let whole = to_decimal(&value).value.round(0, mode);
            match ty.class() {
                Class::Int => store::integer_value(&Value::Decimal(whole)),
                _ => Value::Decimal(whole),
            }
        }
        _ => {
            let x = operand::real_of(&value, cx.state);
            Value::Double(if mode == Rounding::Ceiling { x.ceil() } else { x.floor() })
        }
    })
}

fn sign(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(x) = operand::real(cx, &args[0])? else { return Ok(Value::Null) };
    Ok(Value::Int(if x > 0.0 {
        1
    } else if x < 0.0 {
        -1
    } else {
        0
    }))
}

fn modulo_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let op = crate::syntax::ast::BinaryOp::Mod;
    Ok(super::super::arith::binary(op, args[0].clone(), args[1].clone(), state)?.ty)
}

fn power(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let (base, exponent) = (operand::real(cx, &args[0])?, operand::real(cx, &args[1])?);
    let Some((base, exponent)) = base.zip(exponent) else { return Ok(Value::Null) };
    let result = base.powf(exponent);
    match result.is_finite() {
        true => Ok(Value::Double(result)),
        false => Err(out_of_range(cx, "DOUBLE", "pow", args)),
    }
}

fn logarithm(cx: &mut Cx<'_>, e: &Expr, f: fn(f64) -> f64) -> Result<Value, SqlError> {
    match operand::real(cx, e)? {
        None => Ok(Value::Null),
        Some(x) if x > 0.0 => Ok(Value::Double(f(x))),
        Some(_) => super::super::arith::division_by_zero(cx),
    }
}

fn log(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(operand) = args.get(1) else { return logarithm(cx, &args[0], f64::ln) };
    let Some(base) = operand::real(cx, &args[0])? else { return Ok(Value::Null) };
    if base <= 0.0 {
        return super::super::arith::division_by_zero(cx);
    }
    let Some(x) = operand::real(cx, operand)? else { return Ok(Value::Null) };
    if base == 1.0 || x <= 0.0 {
        return super::super::arith::division_by_zero(cx);
    }
    Ok(Value::Double(x.ln() / base.ln()))
}

fn atan(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(y) = operand::real(cx, &args[0])? else { return Ok(Value::Null) };
    Ok(match args.get(1) {
        None => Value::Double(y.atan()),
        Some(e) => operand::real(cx, e)?.map_or(Value::Null, |x| Value::Double(y.atan2(x))),
    })
}

/// RAND(): of the process' generator, or of the seeds that the session was given. RAND(n): MariaDB's own sequence from a
/// seed, which a constant seed begins anew with every statement; the state for the next row is kept in the statement's facts.
fn random(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    const MAX: u64 = 0x3FFF_FFFF;
    let next = |(first, second): (u64, u64)| {
        let first = first.wrapping_mul(3).wrapping_add(second) % MAX;
        (first, first.wrapping_add(second).wrapping_add(33) % MAX)
    };
    let Some(e) = args.first() else {
        let Some(seeds) = &mut cx.state.random_seeds else { return Ok(Value::Double(rand::random::<f64>())) };
        *seeds = next(*seeds);
        return Ok(Value::Double(seeds.0 as f64 / MAX as f64));
    };
    let place = std::ptr::from_ref(e) as usize;
    let held = cx.state.statement.random.iter().position(|(key, _)| *key == place && e.is_const());
    let seeds = match held {
        Some(i) => cx.state.statement.random[i].1,
        None => {
            let value = e.eval(cx)?;
            let seed = if value.is_null() { 0 } else { to_integer(&value).value as u32 };
            let (a, b) =
                (seed.wrapping_mul(0x10001).wrapping_add(55_555_555), seed.wrapping_mul(0x1000_0001));
            (u64::from(a) % MAX, u64::from(b) % MAX)
        }
    };
    let (first, second) = next(seeds);
    match held {
        Some(i) => cx.state.statement.random[i].1 = (first, second),
        None => cx.state.statement.random.push((place, (first, second))),
    }
    Ok(Value::Double(first as f64 / MAX as f64))
}
