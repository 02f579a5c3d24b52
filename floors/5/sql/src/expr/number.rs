//! Numbers reckoned with as such, not as values on the way.
//!
//! A chain of operators over numeric columns, constants and other calls would make, move and drop a [`Value`] for each
//! step, and ask at each whether it is a text to be read, a document's, a user variable's. [`Expr::number`] answers for
//! what is a number and nothing else, decided when the call is built; everything else is left to
//! [`operand::numeric`](super::operand::numeric), of which this is the short way: the number is the same, and so is
//! what is said of it.

use super::compare::compare_values;
use super::exact::{chooses, counts_time, settled_decimal};
use super::func::control;
use super::{Call, Class, Comparison, Expr, Kind, Type, TypeKind, store};
use crate::error::SqlError;
use crate::exec::Cx;
use std::cmp::Ordering;
use types::convert::to_decimal;
use types::decimal::MAX_SCALE;
use types::{Decimal, Value};

/// A number, or NULL: as much as two registers hold, which is what it and a [`Counted`] are handed on in.
#[derive(Clone, Debug)]
pub enum Number {
    /// NULL.
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A double.
    Real(f64),
    /// A decimal of so many units at a scale.
    Units(i64, u8),
    /// A decimal of more digits.
    Decimal(Box<Decimal>),
}

const _: () = assert!(size_of::<Number>() == 16 && size_of::<Counted>() == 16);

/// What computing a number gives.
pub type Counted = Result<Number, Box<SqlError>>;

/// Computes a call's number.
pub type EvaluateNumber = fn(&mut Cx<'_>, &Call, &Type) -> Counted;

impl From<Decimal> for Number {
    #[inline]
    fn from(d: Decimal) -> Number {
        match d.units() {
            Some(units) if d.scale() <= MAX_SCALE => Number::Units(units, d.scale()),
            _ => Number::Decimal(Box::new(d)),
        }
    }
}

impl From<Number> for Value {
    #[inline]
    fn from(number: Number) -> Value {
        match number {
            Number::Null => Value::Null,
            Number::Int(n) => Value::Int(n),
            Number::UInt(n) => Value::UInt(n),
            Number::Real(n) => Value::Double(n),
            Number::Units(units, scale) => Value::Decimal(Decimal::new(i128::from(units), scale)),
            Number::Decimal(d) => Value::Decimal(*d),
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
            Value::Decimal(d) => Number::from(*d),
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
            Number::Real(n) => *n,
            Number::Units(..) | Number::Decimal(_) => self.decimal()?.to_f64(),
        })
    }

    /// As a decimal; `None` for NULL.
    #[inline]
    pub fn decimal(&self) -> Option<Decimal> {
        Some(match self {
            Number::Null => return None,
            Number::Int(n) => Decimal::from(*n),
            Number::UInt(n) => Decimal::from(*n),
            Number::Units(units, scale) => Decimal::new(i128::from(*units), *scale),
            Number::Decimal(d) => **d,
            Number::Real(n) => to_decimal(&Value::Double(*n)).value,
        })
    }

    /// As a condition; `None` for unknown.
    #[inline]
    pub fn truth(&self) -> Option<bool> {
        match self {
            Number::Int(n) => Some(*n != 0),
            Number::UInt(n) => Some(*n != 0),
            other => types::convert::to_bool(&Value::from(other.clone())),
        }
    }

    /// The order of two numbers that are of the kind compared; `None` for others.
    #[inline]
    pub fn plain_order(&self, other: &Number, how: Comparison) -> Option<Option<Ordering>> {
        match (self, other, how) {
            (Number::Int(a), Number::Int(b), Comparison::Int) => Some(Some(a.cmp(b))),
            (a, b, Comparison::Real) => Some(a.real().zip(b.real()).and_then(|(a, b)| a.partial_cmp(&b))),
            (Number::Units(a, of_a), Number::Units(b, of_b), Comparison::Decimal) if of_a == of_b => {
                Some(Some(a.cmp(b)))
            }
            _ => super::compare::plain_order(&Value::from(self.clone()), &Value::from(other.clone()), how),
        }
    }

    /// The order of the number to what an expression gives, which `read` reads where it is no number itself; `None` where
    /// one is NULL.
    pub fn order_to(
        &self,
        e: &Expr,
        how: Comparison,
        cx: &mut Cx<'_>,
        read: ReadSide,
    ) -> Result<Option<Ordering>, SqlError> {
        let other = match e.number(cx) {
            Some(number) => {
                let number = number?;
                if let Some(order) = self.plain_order(&number, how) {
                    return Ok(order);
                }
                Value::from(number)
            }
            None => read(e, how, cx)?,
        };
        Ok(compare_values(&Value::from(self.clone()), &other, how, cx.state))
    }
}

/// Reads a side of a comparison that is no number at once.
pub type ReadSide = fn(&Expr, Comparison, &mut Cx<'_>) -> Result<Value, SqlError>;

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
fn among(chosen: &Expr, ty: &Type, cx: &mut Cx<'_>) -> Counted {
    if ty.class() == Class::Decimal {
        return match chosen.number(cx) {
            Some(number) => number,
            None => Ok(Number::of(&chosen.eval_exactly(cx)?)),
        };
    }
    let number = match ty.class() {
        Class::Real => chosen.number(cx),
        _ => chosen.number_settled(cx),
    };
    let Some(number) = number.transpose()? else {
        return Ok(Number::of(&chosen.eval_among(ty, cx)?));
    };
    Ok(match (&number, ty.class()) {
        (Number::Null | Number::Int(_) | Number::UInt(_), Class::Int) => number,
        (Number::Null | Number::Real(_), Class::Real) => number,
        _ => Number::of(&store::to_type(Value::from(number), ty, cx.state)),
    })
}

impl Expr {
    /// The number that it is, with all digits that it was computed with; `None`, and nothing looked at, where that is
    /// to be asked of [`operand::numeric`](super::operand::numeric).
    #[inline]
    pub fn number(&self, cx: &mut Cx<'_>) -> Option<Counted> {
        match &self.kind {
            Kind::Call(call) => Some((call.number?)(cx, call, &self.ty)),
            Kind::Case { operand, branches, otherwise } if is_number(&self.ty) => {
                Some(match super::eval::choose_branch(operand.as_deref(), branches, cx) {
                    Ok(chosen) => match chosen.or(otherwise.as_deref()) {
                        Some(chosen) => among(chosen, &self.ty, cx),
                        None => Ok(Number::Null),
                    },
                    Err(error) => Err(error.into()),
                })
            }
            _ => Number::plain(self.peek(cx)?).map(Ok),
        }
    }

    /// As [`Expr::number`], at the scale of its type: as its value is shown.
    #[inline]
    fn number_settled(&self, cx: &mut Cx<'_>) -> Option<Counted> {
        let computed = matches!(self.kind, Kind::Call(_) | Kind::Case { .. });
        Some(self.number(cx)?.map(|number| match number {
            Number::Units(_, scale) if !computed || scale == self.ty.decimals => number,
            Number::Units(..) | Number::Decimal(_) if computed => match number.decimal() {
                Some(d) => Number::from(settled_decimal(d, &self.ty)),
                None => number,
            },
            number => number,
        }))
    }

    /// As [`Expr::number`], as a comparison of two sees it: among decimals at the scale of its type.
    #[inline]
    pub fn number_compared(&self, how: Comparison, cx: &mut Cx<'_>) -> Option<Counted> {
        match how {
            Comparison::Decimal => self.number_settled(cx),
            Comparison::Int | Comparison::Real => self.number(cx),
            _ => None,
        }
    }
}
