//! Numbers reckoned with as such, not as values on the way.
//!
//! A chain of operators over numeric columns, constants and other calls would make, move and drop a [`Value`] for each
//! step, and ask at each whether it is a text to be read, a document's, a user variable's. [`Expr::number`] answers for
//! what is a number and nothing else, decided when the call is built; everything else is left to
//! [`operand::numeric`](super::operand::numeric), of which this is the short way: the number is the same, and so is
//! what is said of it.

use super::exact::{chooses, counts_time, settled_decimal};
use super::func::control;
use super::{Call, Class, Comparison, Expr, Kind, Type, TypeKind, store};
use crate::error::SqlError;
use crate::exec::Cx;
use std::cmp::Ordering;
use types::convert::to_decimal;
use types::{Decimal, Value};

/// A number, or NULL.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// NULL.
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// An exact decimal.
    Decimal(Decimal),
    /// A double.
    Real(f64),
}

/// Computes a call's number.
pub type EvaluateNumber = fn(&mut Cx<'_>, &Call, &Type) -> Result<Number, SqlError>;

impl From<Number> for Value {
    #[inline]
    fn from(number: Number) -> Value {
        match number {
            Number::Null => Value::Null,
            Number::Int(n) => Value::Int(n),
            Number::UInt(n) => Value::UInt(n),
            Number::Decimal(d) => Value::Decimal(d),
            Number::Real(n) => Value::Double(n),
        }
    }
}

impl Number {
    /// The number that a value is; `None` for what has to be made one.
    #[inline]
    fn plain(value: &Value) -> Option<Number> {
        Some(match value {
            Value::Null => Number::Null,
            Value::Int(n) => Number::Int(*n),
            Value::UInt(n) => Number::UInt(*n),
            Value::Decimal(d) => Number::Decimal(*d),
            Value::Double(n) => Number::Real(*n),
            _ => return None,
        })
    }

    /// The number of a value that something of a numeric type gave.
    #[inline]
    fn of(value: &Value) -> Number {
        if let Some(number) = Number::plain(value) {
            return number;
        }
        debug_assert!(value.is_numeric(), "a numeric type's value is a number: {value:?}");
        match value {
            Value::Float(n) => Number::Real(f64::from(*n)),
            other => Number::plain(&store::integer_value(other)).unwrap_or(Number::Null),
        }
    }

    /// Whether it is NULL.
    #[inline]
    pub fn is_null(&self) -> bool {
        matches!(self, Number::Null)
    }

    /// As a double; `None` for NULL.
    #[inline]
    pub fn real(&self) -> Option<f64> {
        Some(match self {
            Number::Null => return None,
            Number::Int(n) => *n as f64,
            Number::UInt(n) => *n as f64,
            Number::Decimal(d) => d.to_f64(),
            Number::Real(n) => *n,
        })
    }

    /// As a decimal; `None` for NULL.
    #[inline]
    pub fn decimal(&self) -> Option<Decimal> {
        Some(match self {
            Number::Null => return None,
            Number::Int(n) => Decimal::from(*n),
            Number::UInt(n) => Decimal::from(*n),
            Number::Decimal(d) => *d,
            Number::Real(n) => to_decimal(&Value::Double(*n)).value,
        })
    }

    /// As a condition; `None` for unknown.
    #[inline]
    pub fn truth(&self) -> Option<bool> {
        match self {
            Number::Int(n) => Some(*n != 0),
            Number::UInt(n) => Some(*n != 0),
            other => types::convert::to_bool(&Value::from(*other)),
        }
    }

    /// The order of two numbers that are of the kind compared; `None` for others.
    #[inline]
    pub fn plain_order(&self, other: &Number, how: Comparison) -> Option<Option<Ordering>> {
        match (self, other, how) {
            (Number::Int(a), Number::Int(b), Comparison::Int) => Some(Some(a.cmp(b))),
            (Number::Real(a), Number::Real(b), Comparison::Real) => Some(a.partial_cmp(b)),
            _ => super::compare::plain_order(&Value::from(*self), &Value::from(*other), how),
        }
    }
}

/// Whether values of a type are numbers of the kinds that there are here.
fn is_number(ty: &Type) -> bool {
    use TypeKind::{Decimal, Double, Int24, Long, LongLong, Short, Tiny};
    matches!(ty.kind, Tiny | Short | Int24 | Long | LongLong | Double | Decimal)
}

/// How a call that is being built computes its number; `None` where [`operand::numeric`](super::operand::numeric) has
/// to ask what it is.
pub fn way(name: &str, args: &[Expr], ty: &Type) -> Option<EvaluateNumber> {
    let texts = args.iter().any(|e| e.ty.class() == Class::Str);
    match name {
        _ if !is_number(ty) => None,
        "json_extract" => None,
        // Texts among them are compared as what is wanted of them.
        "greatest" | "least" if texts => None,
        "if" => Some(|cx, call, ty| among(control::chosen_by_if(cx, &call.args)?, ty, cx)),
        "ifnull" | "nvl" | "coalesce" => Some(|cx, call, ty| {
            for e in &call.args {
                let number = among(e, ty, cx)?;
                if !number.is_null() {
                    return Ok(number);
                }
            }
            Ok(Number::Null)
        }),
        _ if ty.class() == Class::Decimal && (chooses(name) || counts_time(name, args)) => None,
        _ => Some(|cx, call, ty| Ok(Number::of(&(call.evaluate)(cx, &call.args, ty)?))),
    }
}

/// The number of what was chosen of several, in the type of all of them; a decimal keeps all its digits.
fn among(chosen: &Expr, ty: &Type, cx: &mut Cx<'_>) -> Result<Number, SqlError> {
    if ty.class() == Class::Decimal {
        return match chosen.number(cx) {
            Some(number) => number,
            None => chosen.eval_exactly(cx).map(|value| Number::of(&value)),
        };
    }
    let number = match chosen.number_settled(cx) {
        Some(number) => number?,
        None => return chosen.eval(cx).map(|v| Number::of(&store::between(v, &chosen.ty, ty, cx.state))),
    };
    Ok(match (number, ty.class()) {
        (Number::Null | Number::Int(_) | Number::UInt(_), Class::Int) => number,
        (number, _) => Number::of(&store::to_type(Value::from(number), ty, cx.state)),
    })
}

impl Expr {
    /// The number that it is, with all digits that it was computed with; `None`, and nothing looked at, where that is
    /// to be asked of [`operand::numeric`](super::operand::numeric).
    #[inline]
    pub fn number(&self, cx: &mut Cx<'_>) -> Option<Result<Number, SqlError>> {
        match &self.kind {
            Kind::Call(call) => Some((call.number?)(cx, call, &self.ty)),
            Kind::Case { operand, branches, otherwise } if is_number(&self.ty) => {
                let chosen = super::eval::choose_branch(operand.as_deref(), branches, cx);
                Some(chosen.and_then(|chosen| match chosen.or(otherwise.as_deref()) {
                    Some(chosen) => among(chosen, &self.ty, cx),
                    None => Ok(Number::Null),
                }))
            }
            _ => Number::plain(self.peek(cx)?).map(Ok),
        }
    }

    /// As [`Expr::number`], at the scale of its type: as its value is shown.
    #[inline]
    fn number_settled(&self, cx: &mut Cx<'_>) -> Option<Result<Number, SqlError>> {
        let computed = matches!(self.kind, Kind::Call(_) | Kind::Case { .. });
        Some(self.number(cx)?.map(|number| match number {
            Number::Decimal(d) if computed => Number::Decimal(settled_decimal(d, &self.ty)),
            number => number,
        }))
    }

    /// As [`Expr::number`], as a comparison of two sees it: among decimals at the scale of its type.
    #[inline]
    pub fn number_compared(&self, how: Comparison, cx: &mut Cx<'_>) -> Option<Result<Number, SqlError>> {
        match how {
            Comparison::Decimal => self.number_settled(cx),
            Comparison::Int | Comparison::Real => self.number(cx),
            _ => None,
        }
    }
}
