//! Expressions made ready to be reckoned.

use super::{Bounds, Choice, Exact, Operator, Real, Reckoning, Way};
use crate::exec::Cx;
use crate::expr::screen::Test;
use crate::expr::stored::StoredTable;
use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Type};
use types::decimal::MAX_SCALE;
use types::temporal::Date;
use types::{ColumnType, Value};

/// Powers of ten up to which a double is exactly that.
const EXACT_POWER: u8 = 22;

impl Reckoning {
    /// The way to reckon an expression; none for what is not that plain. Values that are the same in all rows are those of
    /// this run of the statement.
    pub fn of(e: &Expr, table: StoredTable<'_>, cx: &Cx<'_>) -> Option<Reckoning> {
        let builder = Builder { table, cx };
        match e.ty.class() {
            Class::Int | Class::Decimal => builder.whole(e),
            Class::Real => Some(Reckoning(Way::Real(builder.real(e)?))),
            _ => None,
        }
    }

    /// As [`Reckoning::of`], of a number that is compared so.
    pub fn compared(e: &Expr, how: Comparison, table: StoredTable<'_>, cx: &Cx<'_>) -> Option<Reckoning> {
        let builder = Builder { table, cx };
        match how {
            Comparison::Int => builder.whole(e).filter(|number| number.scale() == Some(0)),
            Comparison::Decimal => builder.whole(e),
            Comparison::Real => Some(Reckoning(Way::Real(builder.real(e)?))),
            _ => None,
        }
    }
}

/// What numbers are made ready with.
struct Builder<'b, 's> {
    table: StoredTable<'b>,
    cx: &'b Cx<'s>,
}

/// What a call or a CASE chooses among.
enum Branches<'e> {
    Case(Vec<(Test, &'e Expr)>, Option<&'e Expr>),
    First(&'e [Expr]),
}

impl Builder<'_, '_> {
    /// An exact number that nothing is computed with further: what is chosen in it may be 0 of fewer digits.
    fn whole(&self, e: &Expr) -> Option<Reckoning> {
        let (exact, scale) = match self.branches(e) {
            Some(branches) => self.chosen_exact(branches, &e.ty, true)?,
            None => self.exact(e)?,
        };
        Some(Reckoning(Way::Exact(exact, scale)))
    }

    /// An exact number, and its scale in all rows.
    fn exact(&self, e: &Expr) -> Option<(Exact, u8)> {
        if let Some(column) = self.table.column_of(e) {
            return Some((Exact::Column(column), self.table.layout.column(column).scale_of_units()?));
        }
        if let Some(value) = self.table.peek(e, self.cx) {
            return match value {
                Value::Int(n) => Some((Exact::Constant(i128::from(*n)), 0)),
                Value::UInt(n) => Some((Exact::Constant(i128::from(*n)), 0)),
                Value::Decimal(d) => Some((Exact::Constant(i128::from(d.units()?)), d.scale())),
                _ => None,
            };
        }
        if let Some(part) = self.part(e) {
            return Some((part, 0));
        }
        if let Some(branches) = self.branches(e) {
            return self.chosen_exact(branches, &e.ty, false);
        }
        let (operator, left, right) = operation(e)?;
        let ((left, of_left), (right, of_right)) = (self.exact(left)?, self.exact(right)?);
        let bounds = bounds(&e.ty)?;
        let (sides, scale) = match operator {
            Operator::Multiply => ([left, right], of_left + of_right),
            Operator::Add | Operator::Subtract | Operator::Remainder => {
                let scale = of_left.max(of_right);
                ([at_scale(left, scale - of_left), at_scale(right, scale - of_right)], scale)
            }
            Operator::Divide => return None,
        };
        let whole = scale == 0 || matches!(bounds, Bounds::Decimal);
        (whole && scale <= MAX_SCALE).then(|| (Exact::Binary(operator, Box::new(sides), bounds), scale))
    }

    /// One of several exact numbers. Each keeps its own digits, so that they have to be as many in all, but for a 0 where
    /// `zeros` may have fewer.
    fn chosen_exact(&self, branches: Branches<'_>, ty: &Type, zeros: bool) -> Option<(Exact, u8)> {
        // Which of a signed and an unsigned one fits is for the type to say.
        bounds(ty)?;
        let of = |e: &Expr| match self.table.peek(e, self.cx) {
            Some(Value::Null) => Some((Exact::Null, None)),
            _ => self.exact(e).map(|(exact, scale)| (exact, Some(scale))),
        };
        let (tests, mut numbers) = self.of_branches(branches, of)?;
        let is_zero = |exact: &Exact| zeros && matches!(exact, Exact::Constant(0));
        let scale = numbers.iter().filter_map(|(_, scale)| *scale).max().unwrap_or_default();
        let alike = numbers.iter().all(|(exact, own)| own.is_none_or(|own| own == scale) || is_zero(exact));
        let fits = scale == 0 || ty.class() == Class::Decimal;
        if !alike || !fits {
            return None;
        }
        let numbers = numbers.drain(..).map(|(exact, _)| exact).collect();
        Some((Exact::Chosen(Box::new(choice(tests, numbers)?)), scale))
    }

    fn real(&self, e: &Expr) -> Option<Real> {
        if let Some(column) = self.table.column_of(e) {
            if matches!(self.table.layout.column(column).ty(), ColumnType::Double(_)) {
                return Some(Real::Column(column));
            }
        } else if let Some(Value::Double(n)) = self.table.peek(e, self.cx) {
            return Some(Real::Constant(*n));
        } else if e.ty.class() == Class::Real {
            if let Some(branches) = self.branches(e) {
                // What is none yet would have to become one of the type's digits.
                let of = |e: &Expr| match self.table.peek(e, self.cx) {
                    Some(Value::Null) => Some(Real::Null),
                    _ if e.ty.class() == Class::Real => self.real(e),
                    _ => None,
                };
                let (tests, numbers) = self.of_branches(branches, of)?;
                return Some(Real::Chosen(Box::new(choice(tests, numbers)?)));
            }
            let (operator, left, right) = operation(e)?;
            return Some(Real::Binary(operator, Box::new([self.real(left)?, self.real(right)?])));
        }
        let (exact, scale) = self.exact(e)?;
        (scale <= EXACT_POWER).then(|| Real::Exact(exact, 10_f64.powi(i32::from(scale))))
    }

    /// What IF, CASE, COALESCE and the like choose among.
    fn branches<'e>(&self, e: &'e Expr) -> Option<Branches<'e>> {
        match &e.kind {
            Kind::Case { operand, branches, otherwise } => {
                let test = |how: Comparison, when: &Expr| match operand {
                    None => self.table.test(when, self.cx),
                    Some(operand) => self.table.compared((CompareOp::Eq, how), [operand, when], self.cx),
                };
                let branches = branches.iter().map(|(how, when, then)| Some((test(*how, when)?, then)));
                Some(Branches::Case(branches.collect::<Option<_>>()?, otherwise.as_deref()))
            }
            Kind::Call(call) if call.number.is_some() => match (call.name, &call.args[..]) {
                ("if", [condition, then, otherwise]) => {
                    let test = self.table.test(condition, self.cx)?;
                    Some(Branches::Case(vec![(test, then)], Some(otherwise)))
                }
                _ if call.is_first_of_several() => Some(Branches::First(&call.args)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The tests, if there are, and the numbers behind them in order, the last for where none holds.
    fn of_branches<N>(
        &self,
        branches: Branches<'_>,
        of: impl Fn(&Expr) -> Option<N>,
    ) -> Option<(Option<Vec<Test>>, Vec<N>)> {
        match branches {
            Branches::First(list) => Some((None, list.iter().map(of).collect::<Option<_>>()?)),
            Branches::Case(branches, otherwise) => {
                let (tests, thens): (Vec<Test>, Vec<&Expr>) = branches.into_iter().unzip();
                let numbers = thens.into_iter().chain(otherwise).map(of);
                Some((Some(tests), numbers.collect::<Option<_>>()?))
            }
        }
    }

    /// YEAR, MONTH and DAYOFMONTH of a column.
    fn part(&self, e: &Expr) -> Option<Exact> {
        let Kind::Call(call) = &e.kind else { return None };
        let [date] = &call.args[..] else { return None };
        let part: fn(Date) -> i64 = match call.name {
            "year" => |date| i64::from(date.year),
            "month" => |date| i64::from(date.month),
            "dayofmonth" => |date| i64::from(date.day),
            _ => return None,
        };
        let column = self.table.column_of(date)?;
        let ty = self.table.layout.column(column).ty();
        matches!(ty, ColumnType::Date | ColumnType::DateTime(_)).then_some(Exact::Part(column, part))
    }
}

/// The choice among numbers; none for a CASE without ELSE, whose NULL is of no type.
fn choice<N>(tests: Option<Vec<Test>>, mut numbers: Vec<N>) -> Option<Choice<N>> {
    let Some(tests) = tests else { return Some(Choice::First(numbers.into())) };
    let otherwise = if numbers.len() > tests.len() { numbers.pop()? } else { return None };
    Some(Choice::Case(tests.into_iter().zip(numbers).collect(), otherwise))
}

/// The operator and the operands of a call that computes a number by one.
fn operation(e: &Expr) -> Option<(Operator, &Expr, &Expr)> {
    let Kind::Call(call) = &e.kind else { return None };
    let [left, right] = &call.args[..] else { return None };
    let operator = match call.name {
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        "%" => Operator::Remainder,
        _ => return None,
    };
    call.number.map(|_| (operator, left, right))
}

fn bounds(ty: &Type) -> Option<Bounds> {
    match ty.class() {
        Class::Int if ty.unsigned => Some(Bounds::Unsigned),
        Class::Int => Some(Bounds::Signed),
        Class::Decimal => Some(Bounds::Decimal),
        _ => None,
    }
}

fn at_scale(exact: Exact, more: u8) -> Exact {
    match more {
        0 => exact,
        more => Exact::Scaled(Box::new(exact), 10_i128.pow(u32::from(more))),
    }
}
