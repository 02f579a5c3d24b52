//! Evaluation.

use super::aggregate::shown_year;
use super::compare::{as_compared, compare_values, holds, plain_order, read_members, side, side_once};
use super::func::documents;
use super::func::long::aside;
use super::func::string::with_digits;
use super::number::{Number, ReadSide};
use super::{Class, CompareOp, Comparison, Expr, Kind, Members, TypeKind, exact, operand};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::exec::Materialized;
use crate::exec::hash_join::{integer_key, key_of_values};
use crate::session::{State, variables};
use crate::syntax::ast::IsTest;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cmp::Ordering;
use types::convert::{to_bool, to_double};
use types::{CollationId, Value};

/// NULL for unknown.
fn boolean(truth: Option<bool>) -> Value {
    truth.map_or(Value::Null, Value::from)
}

impl Expr {
    /// The expression's value where it stands ready: constants, parameters, columns, subqueries that have run and give
    /// the same for all rows.
    #[inline]
    pub fn peek<'v>(&'v self, cx: &'v Cx<'_>) -> Option<&'v Value> {
        match &self.kind {
            Kind::Const(value) => Some(value),
            Kind::Column(slot) => Some(cx.slot(*slot)),
            Kind::Param(n) => cx.params.get(*n as usize),
            Kind::Subquery(subquery) => match cx.materialized.get(subquery.number) {
                // A quotient has more digits than it shows.
                Some(Some(Materialized::Value(Value::Decimal(d)))) if d.scale() > self.ty.decimals => None,
                Some(Some(Materialized::Value(value))) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The expression's value for the rows in the frames.
    pub fn eval(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match &self.kind {
            Kind::Const(value) => Ok(value.clone()),
            Kind::Column(slot) => Ok(cx.slot(*slot).clone()),
            Kind::Param(n) => Ok(cx.params.get(*n as usize).cloned().unwrap_or_default()),
            Kind::UserVar(name) => {
                let value = cx.state.user_vars.get(name).cloned().unwrap_or_default();
                Ok(number_of_variable(value, self.ty.class()))
            }
            Kind::AssignUserVar(name, of) => {
                let value = match of.eval_assigned(cx)? {
                    Value::Bit(bits) => Value::UInt(bits.bits),
                    value => value,
                };
                cx.state.set_user_var(name.clone(), value.clone(), Some(&of.assigned_type(&value)));
                Ok(match value {
                    // Shown as it is kept.
                    Value::Decimal(_) => value,
                    Value::Str(_) if of.makes_characters_of_bytes() => value,
                    value => super::store::between(value, &of.ty, &self.ty, cx.state),
                })
            }
            Kind::SysVar(scope, name) => variables::read(cx.state, *scope, name),
            Kind::Call(call) => Ok(exact::settled((call.evaluate)(cx, &call.args, &self.ty)?, &self.ty)),
            Kind::Case { operand, branches, otherwise } => {
                let chosen = choose_branch(operand.as_deref(), branches, cx)?;
                match chosen.or(otherwise.as_deref()) {
                    Some(e) if e.keeps_bytes_among(&self.ty) => e.eval(cx),
                    Some(e) => e.eval_among(&self.ty, cx),
                    None => Ok(Value::Null),
                }
            }
            Kind::Subquery(subquery) => Ok(shown_year(exact::settled(subquery.eval(cx)?, &self.ty))),
            Kind::Row(_) => Err(SqlError::operand_columns(1)),
            _ => self.truth(cx).map(boolean),
        }
    }

    /// The value to be stored in a column: 0x.. and b'..' are numbers to numeric ones, else bytes.
    pub fn eval_for(&self, column: &types::ColumnDef, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let value = self.eval_exactly(cx)?;
        let value = match &value {
            Value::Str(s) if column.ty.is_numeric() && self.is_literal_number(s) => match s.bytes.len() {
                0..=8 => self.literal_number(value),
                _ => super::store::beyond_64_bits(column, cx.state)?,
            },
            _ => value,
        };
        let value = super::store::given(
            self.as_stored(value),
            &self.ty,
            matches!(self.kind, Kind::Column(_)),
            &column.ty,
        );
        // A date of the type of text is stored as its text.
        Ok(match value.is_temporal() && self.ty.class() == Class::Str {
            true => Value::text(&super::compare::shown(&value)),
            false => value,
        })
    }

    /// The value for whoever stores it: what DECODE gives is bytes to a column.
    pub fn as_stored(&self, value: Value) -> Value {
        match super::func::secret::is_decoded(self) {
            true => super::func::cast::relabelled(value, CollationId::BINARY),
            false => super::store::bytes_of(value, &self.ty),
        }
    }

    /// The value for what takes numbers, to which the constants 0x.. and b'..' are such.
    pub fn eval_number(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        if let Kind::UserVar(_) = self.kind {
            return Ok(operand::begun_with(self.eval_exactly(cx)?, Class::Real));
        }
        if documents::is_extract(self) {
            // A document's string is the number that it begins with, and nothing is said of the rest.
            return Ok(operand::begun_with(documents::number_found(self, cx)?, Class::Real));
        }
        let value = self.eval_exactly(cx)?;
        Ok(self.literal_number(value))
    }

    /// Whether these bytes are those of the constant 0x.. or b'..'.
    pub(super) fn is_literal_number(&self, s: &types::StrValue) -> bool {
        self.ty.unsigned && s.collation == CollationId::BINARY && matches!(self.kind, Kind::Const(_))
    }

    /// Whether this is the constant 0x.. or b'..'.
    pub(super) fn is_literal_bytes(&self) -> bool {
        matches!(&self.kind, Kind::Const(Value::Str(s)) if self.is_literal_number(s))
    }

    /// The number that the constant 0x.. or b'..' is whose bytes these are; any other value as it is.
    fn literal_number(&self, value: Value) -> Value {
        match &value {
            Value::Str(s) if self.is_literal_number(s) => {
                let kept = &s.bytes[s.bytes.len().saturating_sub(8)..];
                Value::UInt(kept.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
            }
            _ => value,
        }
    }

    /// The value as an operand of LIKE sees it: text in the characters of `collation`; `None` for NULL.
    pub fn like_text(&self, collation: CollationId, cx: &mut Cx<'_>) -> Result<Option<Vec<u8>>, SqlError> {
        let value = with_digits(self.eval_found(cx)?, &self.ty);
        Ok(super::compare::text_in(&value, collation).map(Cow::into_owned))
    }

    /// The expression as a condition; `None` for unknown.
    pub fn truth(&self, cx: &mut Cx<'_>) -> Result<Option<bool>, SqlError> {
        match &self.kind {
            Kind::And(list) => {
                let mut unknown = false;
                for e in list {
                    match e.truth(cx)? {
                        Some(false) => return Ok(Some(false)),
                        None => unknown = true,
                        Some(true) => {}
                    }
                }
                Ok((!unknown).then_some(true))
            }
            Kind::Or(list) => {
                let mut unknown = false;
                for e in list {
                    match e.truth(cx)? {
                        Some(true) => return Ok(Some(true)),
                        None => unknown = true,
                        Some(false) => {}
                    }
                }
                Ok((!unknown).then_some(false))
            }
            Kind::Not(e) => Ok(e.truth(cx)?.map(|truth| !truth)),
            Kind::Call(call) if call.number.is_some() => {
                let number = self.number(cx).transpose()?;
                Ok(number.and_then(|number| number.truth()))
            }
            Kind::Call(_) if documents::is_extract(self) => {
                // Nothing is said of what stands behind the number.
                let found = documents::number_found(self, cx)?;
                Ok((!found.is_null()).then(|| to_double(&found).value != 0.0))
            }
            Kind::Compare(op, how, left, right) => compare(*op, *how, left, right, cx),
            Kind::CompareRows(op, how, left, right) => row_against_row(*op, how, left, right, cx),
            Kind::Between { operands, how, negated } => {
                let truth = between(operands, *how, cx)?;
                Ok(truth.map(|truth| truth != *negated))
            }
            Kind::InList { operand, negated, among: Some(members), .. } => {
                let truth = in_members(operand, members, cx)?;
                Ok(truth.map(|truth| truth != *negated))
            }
            Kind::InList { operand, list, negated, uniform, among: None } => {
                let truth = in_list(operand, list, *uniform, cx)?;
                Ok(truth.map(|truth| truth != *negated))
            }
            Kind::InRows { operand, list, negated } => {
                let truth = in_rows(operand, list, cx)?;
                Ok(truth.map(|truth| truth != *negated))
            }
            Kind::Is(test, negated, e) => {
                let holds = match test {
                    IsTest::Null | IsTest::Unknown => match e.peek(cx) {
                        Some(value) => value.is_null(),
                        None => e.finds_nothing(cx)?,
                    },
                    IsTest::True => e.truth(cx)? == Some(true),
                    IsTest::False => e.truth(cx)? == Some(false),
                };
                Ok(Some(holds != *negated))
            }
            Kind::Like { operands, escape, collation, negated } => {
                let [operand, pattern] = &**operands;
                if let (Some(Value::Str(text)), Some(Value::Str(pattern))) =
                    (operand.peek(cx), pattern.peek(cx))
                    && text.collation.charset() == collation.charset()
                    && pattern.collation.charset() == collation.charset()
                {
                    let by = collation.collation();
                    let matched = aside(text.bytes.len(), || {
                        by.like(&text.bytes, &pattern.bytes, escape.map(u32::from))
                    });
                    return Ok(Some(matched != *negated));
                }
                let Some(text) = operand.like_text(*collation, cx)? else { return Ok(None) };
                let Some(pattern) = pattern.like_text(*collation, cx)? else { return Ok(None) };
                let by = collation.collation();
                let matched = aside(text.len(), || by.like(&text, &pattern, escape.map(u32::from)));
                Ok(Some(matched != *negated))
            }
            Kind::Subquery(subquery) => {
                let value = subquery.eval(cx)?;
                Ok(truth_of(&value, cx.state))
            }
            _ => {
                let value = match self.ty.kind {
                    TypeKind::Fixed(_) => self.eval(cx)?,
                    _ => operand::numeric(cx, self)?,
                };
                Ok(truth_of(&value, cx.state))
            }
        }
    }
}

/// A user variable stays the number that it was where the statement began, whatever is assigned to it on the way.
fn number_of_variable(value: Value, class: Class) -> Value {
    match (class, &value) {
        (Class::Int, Value::Str(text)) => {
            let n = types::convert::to_integer(&Value::Str(text.clone())).value;
            i64::try_from(n).map_or(Value::UInt(n as u64), Value::Int)
        }
        (Class::Int, Value::Double(n)) => Value::Int(*n as i64),
        (Class::Real, Value::Str(_) | Value::Int(_) | Value::UInt(_) | Value::Decimal(_)) => {
            Value::Double(to_double(&value).value)
        }
        _ => value,
    }
}

/// A value as a condition; a string that is not wholly a number is warned of.
pub fn truth_of(value: &Value, state: &mut State) -> Option<bool> {
    if let Value::Fixed(value) = value {
        return Some(value.bytes().iter().any(|byte| *byte != 0));
    }
    if let Value::Str(_) = value {
        let number = to_double(value);
        super::compare::warn_leftover(state, "DOUBLE", value, &number);
        return Some(number.value != 0.0);
    }
    to_bool(value)
}

/// Whether a comparison makes something else of a value, of which there may be something to say.
pub(super) fn is_read(value: &Value, how: Comparison) -> bool {
    match how {
        Comparison::Str(_) | Comparison::Int => false,
        Comparison::DateTime | Comparison::Time => !value.is_temporal(),
        Comparison::Fixed(_) => !matches!(value, Value::Fixed(_)),
        _ => matches!(value, Value::Str(_)),
    }
}

fn compare(
    op: CompareOp,
    how: Comparison,
    left: &Expr,
    right: &Expr,
    cx: &mut Cx<'_>,
) -> Result<Option<bool>, SqlError> {
    if op != CompareOp::NullSafeEq
        && let (Some(left), Some(right)) = (left.peek(cx), right.peek(cx))
        && let Some(order) = plain_order(left, right, how)
        // Text is read as a number before the other side is found to be NULL.
        && (order.is_some() || left.is_null() || !is_read(left, how))
    {
        return Ok(order.map(|order| holds(op, order)));
    }
    if let Some(left) = left.number_compared(how, cx) {
        return compare_number(op, how, left?, right, cx);
    }
    let left = exact::compared(left, how, cx)?;
    if left.is_null() && op != CompareOp::NullSafeEq {
        return Ok(None);
    }
    if let Some(order) = right.peek(cx).and_then(|right| plain_order(&left, right, how)).flatten() {
        return Ok(Some(holds(op, order)));
    }
    let right = exact::compared(right, how, cx)?;
    compare_read(op, how, &left, &right, cx)
}

/// As [`compare`] where the left side is a number, and known.
fn compare_number(
    op: CompareOp,
    how: Comparison,
    left: Number,
    right: &Expr,
    cx: &mut Cx<'_>,
) -> Result<Option<bool>, SqlError> {
    if left.is_null() && op != CompareOp::NullSafeEq {
        return Ok(None);
    }
    let right = match right.number_compared(how, cx) {
        Some(right) => {
            let right = right?;
            match left.plain_order(&right, how) {
                Some(Some(order)) => return Ok(Some(holds(op, order))),
                _ => Value::from(right),
            }
        }
        None => exact::compared(right, how, cx)?,
    };
    compare_read(op, how, &Value::from(left), &right, cx)
}

/// As [`compare`] where both sides are known.
fn compare_read(
    op: CompareOp,
    how: Comparison,
    left: &Value,
    right: &Value,
    cx: &mut Cx<'_>,
) -> Result<Option<bool>, SqlError> {
    if op == CompareOp::NullSafeEq && (left.is_null() || right.is_null()) {
        return Ok(Some(left.is_null() && right.is_null()));
    }
    let ordering = compare_values(left, right, how, cx.state);
    match (ordering, op) {
        (None, CompareOp::NullSafeEq) => Ok(Some(false)),
        (ordering, _) => Ok(ordering.map(|ordering| holds(op, ordering))),
    }
}

/// Rows are read member by member, as far as it takes to tell them apart.
fn row_against_row(
    op: CompareOp,
    how: &[Comparison],
    left: &[Expr],
    right: &[Expr],
    cx: &mut Cx<'_>,
) -> Result<Option<bool>, SqlError> {
    let mut unknown = false;
    for ((how, left), right) in how.iter().zip(left).zip(right) {
        if op == CompareOp::NullSafeEq {
            if compare(op, *how, left, right, cx)? != Some(true) {
                return Ok(Some(false));
            }
            continue;
        }
        let left = exact::compared(left, *how, cx)?;
        let right = if left.is_null() { Value::Null } else { exact::compared(right, *how, cx)? };
        match compare_values(&left, &right, *how, cx.state) {
            Some(Ordering::Equal) => {}
            Some(order) => return Ok(Some(holds(op, order))),
            None if op == CompareOp::Ne => unknown = true,
            None => return Ok(None),
        }
    }
    Ok(match unknown {
        true => None,
        false => Some(holds(op, Ordering::Equal)),
    })
}

fn between(operands: &[Expr; 3], how: Comparison, cx: &mut Cx<'_>) -> Result<Option<bool>, SqlError> {
    let [operand, low, high] = operands;
    // The operand is read for the bounds though both be NULL.
    let unread = |value: &Value, low: &Value, high: &Value| {
        low.is_null() && high.is_null() && !value.is_null() && is_read(value, how)
    };
    if let (Some(value), Some(low), Some(high)) = (operand.peek(cx), low.peek(cx), high.peek(cx))
        && !unread(value, low, high)
        && let (Some(above), Some(below)) = (plain_order(value, low, how), plain_order(value, high, how))
        && (above.is_some() || below.is_some() || value.is_null() || !is_read(value, how))
    {
        return Ok(within(above.map(Ordering::is_ge), below.map(Ordering::is_le)));
    }
    if is_of_numbers(how)
        && let Some(number) = operand.number(cx)
    {
        let number = number?;
        if number.is_null() {
            return Ok(None);
        }
        // Constants beside a BIGINT column are read once.
        let beside = matches!(operand.kind, Kind::Column(_)) && operand.ty.kind == TypeKind::LongLong;
        let bound = if beside && how == Comparison::Decimal { side_once } else { side };
        let above = number.order_to(low, how, cx, bound)?.map(Ordering::is_ge);
        let below = number.order_to(high, how, cx, bound)?.map(Ordering::is_le);
        return Ok(within(above, below));
    }
    let bound = match how {
        Comparison::DateTime | Comparison::Time | Comparison::Fixed(_) => side_once,
        _ => side,
    };
    let value = bound(operand, how, cx)?;
    if value.is_null() {
        return Ok(None);
    }
    if let (Some(low), Some(high)) = (low.peek(cx), high.peek(cx))
        && unread(&value, low, high)
    {
        as_compared(&value, how, cx.state);
        return Ok(None);
    }
    if let (Some(low), Some(high)) = (low.peek(cx), high.peek(cx))
        && let (Some(above), Some(below)) = (plain_order(&value, low, how), plain_order(&value, high, how))
    {
        return Ok(within(above.map(Ordering::is_ge), below.map(Ordering::is_le)));
    }
    let (low, high) = (bound(low, how, cx)?, bound(high, how, cx)?);
    let above = compare_values(&value, &low, how, cx.state).map(Ordering::is_ge);
    let below = compare_values(&value, &high, how, cx.state).map(Ordering::is_le);
    Ok(within(above, below))
}

/// Whether numbers are compared.
fn is_of_numbers(how: Comparison) -> bool {
    matches!(how, Comparison::Int | Comparison::Decimal | Comparison::Real)
}

/// Two bounds together.
pub(super) fn within(above: Option<bool>, below: Option<bool>) -> Option<bool> {
    match (above, below) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn in_list(
    operand: &Expr,
    list: &[(Comparison, Expr)],
    uniform: bool,
    cx: &mut Cx<'_>,
) -> Result<Option<bool>, SqlError> {
    if let [(how @ Comparison::Decimal, member)] = list {
        // It is an equality: a quotient has the digits of its type there.
        let operand = exact::compared(operand, *how, cx)?;
        if operand.is_null() {
            return Ok(None);
        }
        let member = exact::compared(member, *how, cx)?;
        return Ok(compare_values(&operand, &member, *how, cx.state).map(Ordering::is_eq));
    }
    if uniform {
        read_members(list, cx)?;
    }
    let read_member = if uniform { side_once } else { side };
    if let Some((how, _)) = list.first()
        && is_of_numbers(*how)
        && list.iter().all(|(other, _)| other == how)
        && let Some(number) = operand.number(cx)
    {
        return number_in_list(&number?, *how, list, read_member, cx);
    }
    let read_operand = if list.len() == 1 { side_once } else { side };
    // Members of several kinds: the operand is read once for each kind.
    let mut read: SmallVec<[(Comparison, Value); 1]> = SmallVec::new();
    let mut unknown = false;
    for (how, e) in list {
        // Nothing is compared with what is NULL, whatever a parameter was announced as.
        if list.len() > 1 && e.ty.kind != TypeKind::Null && e.ty.is_nothing() {
            unknown = true;
            continue;
        }
        let at = match read.iter().position(|(kind, _)| kind == how) {
            Some(at) => at,
            None => {
                let value = read_operand(operand, *how, cx)?;
                // What is nothing of one kind may be something of another.
                if value.is_null() && (list.len() == 1 || operand.eval(cx)?.is_null()) {
                    return Ok(None);
                }
                read.push((*how, value));
                read.len() - 1
            }
        };
        let value = &read[at].1;
        let order = match e.peek(cx).and_then(|member| plain_order(value, member, *how)) {
            Some(order) => order,
            None => {
                let member = read_member(e, *how, cx)?;
                compare_values(value, &member, *how, cx.state)
            }
        };
        match order {
            Some(Ordering::Equal) => return Ok(Some(true)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Ok((!unknown).then_some(false))
}

/// As [`in_list`] of a number that is known, compared with all members in one way.
fn number_in_list(
    number: &Number,
    how: Comparison,
    list: &[(Comparison, Expr)],
    read_member: ReadSide,
    cx: &mut Cx<'_>,
) -> Result<Option<bool>, SqlError> {
    if number.is_null() {
        return Ok(None);
    }
    let mut unknown = false;
    for (_, member) in list {
        match number.order_to(member, how, cx, read_member)? {
            Some(Ordering::Equal) => return Ok(Some(true)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Ok((!unknown).then_some(false))
}

fn in_members(operand: &Expr, members: &Members, cx: &mut Cx<'_>) -> Result<Option<bool>, SqlError> {
    let (known, found) = match operand.peek(cx) {
        Some(&Value::Int(n)) if members.how == Comparison::Int => {
            (true, members.keys.contains(&integer_key(n < 0, n as u64)[..]))
        }
        _ => {
            let value = operand.eval_exactly(cx)?;
            let mut key = cx.take_key();
            let known = key_of_values(std::slice::from_ref(&value), &[members.how], cx, &mut key);
            let found = known && members.keys.contains(&key[..]);
            cx.give_key(key);
            (known, found)
        }
    };
    Ok(match known {
        true if found => Some(true),
        true => (!members.null).then_some(false),
        false => None,
    })
}

fn in_rows(
    operand: &[Expr],
    list: &[Vec<(Comparison, Expr)>],
    cx: &mut Cx<'_>,
) -> Result<Option<bool>, SqlError> {
    let constant = |e: &Expr| matches!(e.kind, Kind::Const(_) | Kind::Param(_));
    if !operand.iter().all(constant) && list.iter().flatten().all(|(_, e)| constant(e)) && list.len() > 1 {
        list.iter().try_for_each(|row| read_members(row, cx))?;
    }
    // Members of the operand are read once for each way in which they are compared.
    let mut read: Vec<Vec<(Comparison, Value)>> = vec![Vec::new(); operand.len()];
    let mut unknown = false;
    for row in list {
        let mut row_truth = Some(true);
        for (place, (how, e)) in row.iter().enumerate() {
            let at = match read[place].iter().position(|(kind, _)| kind == how) {
                Some(at) => at,
                None => {
                    let value = side_once(&operand[place], *how, cx)?;
                    read[place].push((*how, value));
                    read[place].len() - 1
                }
            };
            let other = side_once(e, *how, cx)?;
            match compare_values(&read[place][at].1, &other, *how, cx.state) {
                Some(Ordering::Equal) => {}
                Some(_) => {
                    row_truth = Some(false);
                    break;
                }
                None => row_truth = None,
            }
        }
        match row_truth {
            Some(true) => return Ok(Some(true)),
            None => unknown = true,
            Some(false) => {}
        }
    }
    Ok((!unknown).then_some(false))
}

pub(super) fn choose_branch<'e>(
    operand: Option<&Expr>,
    branches: &'e [(Comparison, Expr, Expr)],
    cx: &mut Cx<'_>,
) -> Result<Option<&'e Expr>, SqlError> {
    let mut read: SmallVec<[(Comparison, Value); 1]> = SmallVec::new();
    for (how, when, then) in branches {
        let taken = match operand {
            None => when.truth(cx)? == Some(true),
            Some(operand) => {
                let at = match read.iter().position(|(kind, _)| kind == how) {
                    Some(at) => at,
                    None => {
                        let value = side(operand, *how, cx)?;
                        read.push((*how, value));
                        read.len() - 1
                    }
                };
                // Nothing equals NULL: what it would be compared with is not looked at.
                if read[at].1.is_null() {
                    continue;
                }
                let order = match when.peek(cx).and_then(|when| plain_order(&read[at].1, when, *how)) {
                    Some(order) => order,
                    None => {
                        let when = side(when, *how, cx)?;
                        compare_values(&read[at].1, &when, *how, cx.state)
                    }
                };
                order == Some(Ordering::Equal)
            }
        };
        if taken {
            return Ok(Some(then));
        }
    }
    Ok(None)
}
