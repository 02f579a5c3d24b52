//! Conditions on the date or the year of a column, said of the column itself: `DATE(c) = '2026-11-20'` is
//! `c >= '2026-11-20' AND c <= '2026-11-20 23:59:59'`, which an index answers, as MariaDB does from 11.1 on.

use super::estimate::is_known_now;
use crate::bind::Binder;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::{self, silently};
use crate::expr::{CompareOp, Comparison, Expr, Kind, Type, TypeKind};
use types::convert::to_datetime;
use types::{Date, DateMode, DateTime, Value};

/// Says such conditions among those of a block, and inside of their ANDs and ORs, of the columns.
pub fn on_columns(mut conditions: Vec<Expr>, binder: &mut Binder<'_>) -> Result<Vec<Expr>, SqlError> {
    // Where zeros are refused, the date of what has some is NULL.
    if binder.state.date_mode() != DateMode::default() {
        return Ok(conditions);
    }
    conditions.iter_mut().try_for_each(|e| on_column(e, binder))?;
    let mut all = Vec::with_capacity(conditions.len());
    conditions.into_iter().for_each(|e| build::conjuncts(e, &mut all));
    Ok(all)
}

fn on_column(e: &mut Expr, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    let said = match &mut e.kind {
        Kind::And(list) | Kind::Or(list) => return list.iter_mut().try_for_each(|e| on_column(e, binder)),
        Kind::Compare(op, how, left, right) => {
            let turned = [(&*left, &*right, *op), (&*right, &*left, op.turned())];
            let Some((period, other, op)) =
                turned.into_iter().find_map(|(of, other, op)| Some((Period::of(of, *how)?, other, op)))
            else {
                return Ok(());
            };
            let Some(days) = period.days(other, binder)? else { return Ok(()) };
            period.compared(op, days)
        }
        Kind::Between { operands, how, negated: false } => {
            let [operand, low, high] = &**operands;
            let Some(period) = Period::of(operand, *how) else { return Ok(()) };
            let (Some((low, _)), Some((_, high))) = (period.days(low, binder)?, period.days(high, binder)?)
            else {
                return Ok(());
            };
            Some(period.within(low, high))
        }
        _ => return Ok(()),
    };
    if let Some(said) = said {
        *e = said;
    }
    Ok(())
}

/// The date or the year of a column.
struct Period<'e> {
    column: &'e Expr,
    year: bool,
}

impl<'e> Period<'e> {
    /// What an operand that is compared so is.
    fn of(e: &'e Expr, how: Comparison) -> Option<Period<'e>> {
        let Kind::Call(call) = &e.kind else { return None };
        let [column] = &call.args[..] else { return None };
        let dated = matches!(column.ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp);
        let year = match (call.name, how) {
            ("date" | "cast_as_date", Comparison::DateTime) => false,
            ("year", Comparison::Int) => true,
            _ => return None,
        };
        (dated && matches!(column.kind, Kind::Column(_))).then_some(Period { column, year })
    }

    /// The first day of the period that a constant names, and the last; `None` where it names none.
    fn days(&self, e: &Expr, binder: &mut Binder<'_>) -> Result<Option<(Date, Date)>, SqlError> {
        if !is_known_now(e) {
            return Ok(None);
        }
        if binder.lift_params && !e.is_settled() {
            return Err(SqlError::internal_error("keep a plan of a day"));
        }
        let params = binder.params;
        let (value, clean) = silently(binder.state, |state| e.eval(&mut Cx::new(state, params)));
        let Some(value) = value.ok().filter(|_| clean) else { return Ok(None) };
        if self.year {
            let Value::Int(year @ 1..=9999) = value else { return Ok(None) };
            // But in instants, months and days may be 0.
            let one = u8::from(self.column.ty.kind == TypeKind::Timestamp);
            return Ok(Some((Date::new(year as u16, one, one), Date::new(year as u16, 12, 31))));
        }
        if !matches!(value, Value::Date(_) | Value::DateTime(..) | Value::Str(_)) {
            return Ok(None);
        }
        let read = to_datetime(&value, &binder.state.convert_context());
        let whole = read.is_whole();
        let day = read.value.filter(|at| whole && *at == at.date.at_midnight()).map(|at| at.date);
        Ok(day.map(|day| (day, day)))
    }

    fn compared(&self, op: CompareOp, (first, last): (Date, Date)) -> Option<Expr> {
        Some(match op {
            CompareOp::Eq => self.within(first, last),
            CompareOp::Lt | CompareOp::Ge => self.beside(op, first.at_midnight()),
            CompareOp::Le | CompareOp::Gt => self.beside(op, self.end_of(last)),
            CompareOp::Ne | CompareOp::NullSafeEq => return None,
        })
    }

    fn within(&self, first: Date, last: Date) -> Expr {
        let ends = [(CompareOp::Ge, first.at_midnight()), (CompareOp::Le, self.end_of(last))];
        build::and(ends.map(|(op, at)| self.beside(op, at)).into())
    }

    /// The last that the column can have of a day.
    fn end_of(&self, date: Date) -> DateTime {
        let unit = 10_u32.pow(6 - u32::from(self.column.ty.decimals.min(6)));
        DateTime { date, hour: 23, minute: 59, second: 59, micros: 1_000_000 - unit }
    }

    fn beside(&self, op: CompareOp, at: DateTime) -> Expr {
        let own = &self.column.ty;
        let (value, kind) = match own.kind {
            TypeKind::Date => (Value::Date(at.date), TypeKind::Date),
            _ => (Value::DateTime(at, own.decimals.min(6)), TypeKind::DateTime),
        };
        let at = Expr { kind: Kind::Const(value), ty: Type { kind, nullable: false, ..own.clone() } };
        let sides = (Box::new(self.column.clone()), Box::new(at));
        Expr {
            kind: Kind::Compare(op, Comparison::DateTime, sides.0, sides.1),
            ty: build::boolean(own.nullable),
        }
    }
}
