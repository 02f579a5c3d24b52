//! Decimals with all their digits.
//!
//! A division gives more digits than its type has: they are rounded away where its value is shown, as text or in a
//! result's row, and kept where somebody reckons with it, stores it or reads a date in it, so that `100 / 3 * 3` is 100.
//! What only chooses among decimals (IF, COALESCE, GREATEST ...) hands them on as they are.

use super::build::FREE_DECIMALS;
use super::compare::side_once;
use super::eval::choose_branch;
use super::func::{control, documents, oracle};
use super::{Call, Class, CompareOp, Comparison, Expr, Kind, Named, Type, TypeKind, operand, store};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use std::cmp::Ordering;
use types::convert::{self, of_digits};
use types::decimal::Rounding;
use types::{Charset, CollationId, ColumnType, Date, DateMode, Decimal, StrValue, Value};

/// The text that is made of what was chosen, in a number's character set where it was one.
fn text_of_number(value: Value, chosen: &Expr) -> Value {
    match (value, own_collation(chosen)) {
        (Value::Str(s), Some(own)) if s.collation.charset().is_ascii_based() => {
            Value::Str(StrValue::new(&s.plain(), own))
        }
        (value, _) => value,
    }
}

/// A text that was made in place of another, whose collation it keeps in the same character set.
fn collated_as(value: Value, first: &Expr) -> Value {
    match value {
        Value::Str(s)
            if first.ty.class() == Class::Str
                && !first.ty.is_nothing()
                && first.ty.collation.charset() == s.collation.charset() =>
        {
            Value::Str(StrValue::of_plain(s.plain().to_vec(), first.ty.collation))
        }
        value => value,
    }
}

/// The collation that a number's text has of itself: bytes, where a parameter or a date of one brings it. None is a user
/// variable's, whose text is in the character set of who asks.
pub(super) fn own_collation(number: &Expr) -> Option<CollationId> {
    let given = matches!(number.kind, Kind::Const(Value::Int(_) | Value::UInt(_) | Value::Double(_)))
        && number.ty.nullable
        && !matches!(number.ty.origin, Named::Computed(_));
    match (&number.kind, &number.ty.origin) {
        _ if number.ty.class() == Class::Str => None,
        (Kind::UserVar(_), _) => None,
        (_, Named::GivenDate) => Some(CollationId::BINARY),
        _ if given => Some(CollationId::BINARY),
        _ => Some(CollationId::LATIN1_SWEDISH_CI),
    }
}

/// A value at its type's scale.
#[inline]
pub(super) fn settled(value: Value, ty: &Type) -> Value {
    match value {
        Value::Decimal(d) => Value::Decimal(settled_decimal(d, ty)),
        other => other,
    }
}

/// A decimal as a column of an unsigned type takes it: not below zero.
#[inline]
pub(super) fn clipped(value: Value, ty: &Type) -> Value {
    match value {
        Value::Decimal(d) if ty.unsigned && d.is_negative() => Value::Decimal(Decimal::new(0, d.scale())),
        value => value,
    }
}

/// A decimal at its type's scale.
#[inline]
pub(super) fn settled_decimal(d: Decimal, ty: &Type) -> Decimal {
    match d.scale() != ty.decimals && ty.class() == Class::Decimal {
        true => d.round(i32::from(ty.decimals), Rounding::HalfUp),
        false => d,
    }
}

/// Whether a function chooses one of its arguments.
pub(super) fn chooses(name: &str) -> bool {
    matches!(
        name,
        "decode_oracle" | "if" | "ifnull" | "nvl" | "nvl2" | "nullif" | "coalesce" | "greatest" | "least"
    )
}

/// The argument whose text a function gives a piece of, or writes the others behind.
fn begun_with(call: &Call) -> Option<&Expr> {
    match call.name {
        "reverse"
        | "left"
        | "right"
        | "substring"
        | "substr"
        | "substr_oracle"
        | "mid"
        | "repeat"
        | "insert"
        | "rpad"
        | "rpad_oracle"
        | "json_merge"
        | "json_merge_preserve"
        | "json_merge_patch"
        | "json_unquote" => call.args.first(),
        // Whichever is taken first, if it is no text.
        "make_set" => {
            let mut members = call.args[1..].iter().filter(|e| !e.ty.is_nothing());
            members.clone().all(|e| e.ty.class() != Class::Str).then(|| members.next())?
        }
        _ => None,
    }
}

/// Whether a function may give the text that it has got, as it is.
fn hands_on(call: &Call) -> bool {
    let text = call.args.first().is_some_and(|e| e.ty.class() == Class::Str);
    let laid_out = matches!(call.name, "json_compact" | "json_detailed" | "json_loose" | "json_pretty");
    text && (laid_out || matches!(call.name, "json_unquote" | "compress" | "uncompress"))
}

/// Whether an operand counts the seconds of a time: it has microseconds, or no fraction.
fn counts_seconds(e: &Expr) -> bool {
    matches!(&e.kind, Kind::Call(call) if matches!(call.name, "unix_timestamp" | "time_to_sec"))
}

/// Whether a call's number is one of a date's parts, or of its seconds beside integers.
pub(super) fn counts_time(name: &str, args: &[Expr]) -> bool {
    let seconds = |e: &Expr| {
        counts_seconds(e) || matches!(&e.kind, Kind::Call(call) if counts_time(call.name, &call.args))
    };
    match name {
        "+" | "-" | "*" | "abs" => {
            args.iter().any(|e| e.ty.class() == Class::Temporal)
                || args.iter().any(seconds) && args.iter().all(|e| e.ty.class() == Class::Int || seconds(e))
        }
        _ => false,
    }
}

/// Such a number has microseconds, or no fraction.
fn with_micros(value: Value) -> Value {
    match value {
        Value::Decimal(d) if d.scale() <= 6 => Value::Decimal(micros_or_none(d)),
        other => other,
    }
}

fn micros_or_none(d: Decimal) -> Decimal {
    let whole = d.round(0, Rounding::Truncate);
    if whole.cmp_value(&d).is_eq() { whole } else { d.round(6, Rounding::Truncate) }
}

/// A date or time as the number that is divided: it has microseconds, or no fraction.
pub(super) fn of_time(d: Decimal, e: &Expr) -> Decimal {
    if e.ty.class() == Class::Temporal || counts_seconds(e) { micros_or_none(d) } else { d }
}

/// What a column of a temporary table takes: a date of a day that its month has not is the zero date, unless the mode
/// allows any, text that has a geometry in it is characters, with `?` for bytes that are none, and a number beyond an INT is
/// the greatest one.
pub(super) fn as_in_column(value: Value, ty: &Type, state: &State) -> Value {
    let mode = || DateMode { allow_invalid: state.date_mode().allow_invalid, ..DateMode::default() };
    match value {
        Value::Date(date) if !date.at_midnight().is_valid(mode()) => Value::Date(Date::ZERO),
        Value::DateTime(at, digits) if !at.is_valid(mode()) => {
            Value::DateTime(Date::ZERO.at_midnight(), digits)
        }
        Value::Str(_) => store::characters(value, ty),
        Value::Int(n) if ty.kind == TypeKind::Long && !ty.unsigned => Value::Int(within_int(n)),
        value => value,
    }
}

/// A number as an INT column takes it.
pub(super) fn within_int(n: i64) -> i64 {
    n.clamp(i64::from(i32::MIN), i64::from(i32::MAX))
}

impl Expr {
    /// The expression's value as the column of a temporary table keeps it: a double that is computed has the digits of its
    /// type, an unsigned decimal is not below zero. What columns hold is so already.
    #[inline]
    pub fn laid_aside(&self, value: Value, state: &State) -> Value {
        if matches!(self.kind, Kind::Column(_)) {
            return value;
        }
        match value {
            Value::Double(n) if self.ty.decimals < FREE_DECIMALS => {
                let n = of_digits(n, self.ty.decimals);
                Value::Double(if self.ty.kind == TypeKind::Float { f64::from(n as f32) } else { n })
            }
            value => clipped(self.held_in_column(value, state), &self.ty),
        }
    }

    /// As [`Expr::laid_aside`] for a table of its own, in which the least of labels is one again.
    pub fn kept(&self, value: Value, state: &State) -> Value {
        let labels = match (&self.ty.labels, self.ty.kind_of_labels(), &value) {
            (Some(labels), Some(TypeKind::Set), Value::Str(_)) => ColumnType::Set(labels.clone()),
            (Some(labels), Some(_), Value::Str(_)) => ColumnType::Enum(labels.clone()),
            _ => return self.laid_aside(value, state),
        };
        convert::store(value, &labels, self.ty.collation, &state.convert_context()).value
    }

    /// The value as a column holds it: the year zero has four digits again, and a date that is refused, though it is said
    /// that there is one, is the zero date.
    pub fn held(&self, value: Value) -> Value {
        match (value, self.ty.kind) {
            (Value::UInt(0), TypeKind::Year) => Value::Year(0),
            (Value::Null, _) if self.ty.nullable => Value::Null,
            (Value::Null, TypeKind::Date) => Value::Date(Date::ZERO),
            (Value::Null, TypeKind::DateTime) => Value::DateTime(Date::ZERO.at_midnight(), self.ty.decimals),
            (value, _) => value,
        }
    }

    /// As [`Expr::held`], with all else that becomes of a value in a column.
    pub fn held_in_column(&self, value: Value, state: &State) -> Value {
        as_in_column(self.held(value), &self.ty, state)
    }

    /// The value with all digits that it was computed with.
    pub fn eval_exactly(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        if self.ty.class() != Class::Decimal {
            return self.eval(cx);
        }
        Ok(match self.all_digits(cx)? {
            // An integer that was chosen among decimals.
            Value::Int(n) => Value::Decimal(Decimal::new(n.into(), 0)),
            Value::UInt(n) => Value::Decimal(Decimal::new(n.into(), 0)),
            value => value,
        })
    }

    /// The value where it is chosen among others, which together have this type: a number of it may have room for more
    /// digits than this one's own type has.
    pub(super) fn eval_chosen(&self, of_all: &Type, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match of_all.class() {
            Class::Real if let Some(mean) = self.real_mean() => mean.eval(cx),
            Class::Decimal | Class::Real => self.eval_exactly(cx),
            Class::Temporal => self.eval(cx),
            _ => self.eval_found(cx),
        }
    }

    /// What a mean of exact numbers is to whoever reckons with doubles: it has more digits. Bits have a sign.
    pub(super) fn real_mean(&self) -> Option<&Expr> {
        match &self.kind {
            Kind::Call(call) if matches!(call.name, "avg" | "bits") => call.args.get(1),
            _ => None,
        }
    }

    /// Whether COALESCE and CASE hand its text on in its own character set: where there are bytes without one among what
    /// they choose from, nothing is converted but bytes to characters of Unicode.
    pub(super) fn keeps_bytes_among(&self, of_all: &Type) -> bool {
        let is_text = |ty: &Type| {
            let fixed = matches!(ty.kind, TypeKind::Fixed(_));
            ty.class() == Class::Str && ty.labels.is_none() && !ty.json && !fixed
        };
        let is_bytes = |ty: &Type| ty.collation == CollationId::BINARY;
        let keeps = match (is_bytes(&self.ty), is_bytes(of_all)) {
            (true, false) => !of_all.collation.charset().is_unicode(),
            (own, all) => own != all,
        };
        keeps && is_text(&self.ty) && is_text(of_all)
    }

    /// That value in the type of all.
    pub(super) fn eval_among(&self, of_all: &Type, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let value = self.eval_chosen(of_all, cx)?;
        if of_all.class() == Class::Temporal && operand::is_let_in(cx, self, &value)? {
            return Ok(operand::dated_as(value, of_all));
        }
        Ok(store::between(value, &self.ty, of_all, cx.state))
    }

    /// The type that a user variable has of it: nobody asks for the characters of a shape that is chosen and is none.
    pub fn assigned_type(&self, value: &Value) -> Type {
        let mut ty = self.ty.clone().in_row();
        let made = match &self.ty.origin {
            Named::Computed(of) => &of.kind,
            _ => &self.kind,
        };
        let chosen = match made {
            Kind::Case { .. } => true,
            Kind::Call(call) => matches!(call.name, "coalesce" | "ifnull" | "nvl" | "nvl2"),
            _ => false,
        };
        if chosen && value.is_null() && matches!(ty.kind, TypeKind::Geometry(_)) {
            ty.collation = CollationId::LATIN1_SWEDISH_CI;
        }
        ty
    }

    /// The value for a user variable, which takes the character set of what COALESCE and CASE chose with it: that of
    /// a number's text is MariaDB's oldest, also in what was cut out of it. A date that was chosen is bytes.
    pub fn eval_assigned(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match &self.kind {
            Kind::Const(value @ Value::Decimal(_))
                if let Named::Computed(of) = &self.ty.origin
                    && let Kind::Call(call) = &of.kind
                    && counts_time(call.name, &call.args) =>
            {
                Ok(with_micros(value.clone()))
            }
            _ if !matches!(self.ty.class(), Class::Str | Class::Temporal) => self.eval_exactly(cx),
            Kind::Const(_)
                if let Named::Computed(of) = &self.ty.origin
                    && (of.ty.collation, of.ty.coercibility) == (self.ty.collation, self.ty.coercibility) =>
            {
                of.eval_assigned(cx)
            }
            _ if self.chooses_date() => Ok(match self.eval_found(cx)? {
                Value::Null => Value::Null,
                date => {
                    let text = super::compare_text(&date).into_bytes();
                    Value::Str(StrValue::of_plain(text, CollationId::BINARY))
                }
            }),
            _ if self.ty.class() == Class::Temporal => self.eval_exactly(cx),
            Kind::Case { operand, branches, otherwise } => {
                let chosen = choose_branch(operand.as_deref(), branches, cx)?;
                chosen.or(otherwise.as_deref()).map_or(Ok(Value::Null), |e| self.handed_on(e, cx))
            }
            Kind::Call(call) if call.name == "coalesce" => {
                for e in &call.args {
                    let value = self.handed_on(e, cx)?;
                    if !value.is_null() {
                        return Ok(value);
                    }
                }
                Ok(Value::Null)
            }
            Kind::Call(call) if call.name == "decode_oracle" => {
                oracle::chosen(cx, &call.args)?.map_or(Ok(Value::Null), |e| self.handed_on(e, cx))
            }
            Kind::Call(call) if hands_on(call) => {
                let value = self.eval(cx)?;
                let Value::Str(text) = &value else { return Ok(value) };
                let given = match call.name {
                    "json_unquote" => documents::before_layout(&call.args[0]),
                    _ => &call.args[0],
                };
                match (call.name, given.eval_assigned(cx)?) {
                    ("json_unquote", Value::Str(whole))
                        if !whole.plain().trim_ascii_start().starts_with(b"\"") =>
                    {
                        Ok(Value::Str(whole))
                    }
                    (name, Value::Str(whole))
                        if name.starts_with("json_")
                            && name != "json_unquote"
                            && (self.ty.collation == CollationId::BINARY
                                || whole.collation.charset() == text.collation.charset()) =>
                    {
                        Ok(Value::Str(StrValue::of_plain(text.plain().to_vec(), whole.collation)))
                    }
                    ("compress" | "uncompress", Value::Str(whole))
                        if text.bytes.is_empty() && whole.bytes.is_empty() =>
                    {
                        Ok(Value::Str(whole))
                    }
                    _ => Ok(value),
                }
            }
            // What is long enough is given as it is, or cut off.
            Kind::Call(call) if call.name == "lpad" && call.args[0].ty.class() != Class::Temporal => {
                let whole = super::compare::shown(&call.args[0].eval(cx)?);
                Ok(match self.eval(cx)? {
                    Value::Str(s) if s.bytes.is_empty() || !whole.as_bytes().starts_with(&s.bytes) => {
                        Value::Str(s)
                    }
                    value => text_of_number(collated_as(value, &call.args[0]), &call.args[0]),
                })
            }
            Kind::Call(call) if let Some(first) = begun_with(call) => Ok(match self.eval(cx)? {
                Value::Str(s) if s.bytes.is_empty() => Value::Str(s),
                // Documents go into the first one, whose collation stays where it is not converted.
                Value::Str(s)
                    if call.name.starts_with("json_merge")
                        && first.ty.class() == Class::Str
                        && !first.ty.is_nothing()
                        && self.ty.collation != CollationId::BINARY
                        && (first.ty.collation == CollationId::BINARY
                            || first.ty.collation.charset() == s.collation.charset()) =>
                {
                    Value::Str(StrValue::of_plain(s.plain().to_vec(), first.ty.collation))
                }
                value if matches!(call.name, "insert" | "rpad" | "rpad_oracle") => {
                    text_of_number(collated_as(value, first), first)
                }
                value => text_of_number(value, first),
            }),
            _ => self.eval_exactly(cx),
        }
    }

    /// The value as text and numbers are made of it: what chooses among dates gives those that `sql_mode` does not know,
    /// too.
    pub fn eval_found(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match self.chooses_date() {
            true => operand::found(cx, self),
            false => self.eval(cx),
        }
    }

    /// The value as rows are looked for by it: as [`Self::eval_found`], and so are the greatest and the least of dates.
    pub fn eval_sought(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let dated = matches!(self.ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp);
        match &self.kind {
            Kind::Call(call) if dated && matches!(call.name, "greatest" | "least") => {
                operand::found(cx, self)
            }
            _ => self.eval_found(cx),
        }
    }

    /// Whether its value is NULL, as who asks for no more is told: of a comparison by its operands, which are not compared,
    /// of rows never. A date that NULLIF hands on is none, though the mode does not know it.
    pub(super) fn finds_nothing(&self, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        Ok(match &self.kind {
            Kind::Compare(CompareOp::NullSafeEq, ..) | Kind::CompareRows(..) => false,
            Kind::Compare(_, _, left, right) => left.finds_nothing(cx)? || right.finds_nothing(cx)?,
            Kind::Call(call) if call.name == "nullif" => self.eval_found(cx)?.is_null(),
            _ => self.eval(cx)?.is_null(),
        })
    }

    /// Whether it chooses among dates, or dates with times, or rounds the latter.
    pub(super) fn chooses_date(&self) -> bool {
        if self.ty.class() != Class::Temporal {
            return false;
        }
        if self.rounds_date() {
            return true;
        }
        let chooses = match &self.kind {
            Kind::Case { .. } => true,
            Kind::Call(call) => chooses(call.name) && !matches!(call.name, "greatest" | "least"),
            _ => false,
        };
        chooses && self.ty.kind != TypeKind::Time
    }

    /// Whether it rounds dates with times.
    pub(super) fn rounds_date(&self) -> bool {
        let rounds = |name| matches!(name, "floor" | "ceil" | "ceiling" | "round" | "truncate");
        self.ty.kind == TypeKind::DateTime && matches!(&self.kind, Kind::Call(call) if rounds(call.name))
    }

    /// The value as a client is sent it: of a date that is chosen nobody asks whether its month has the day.
    pub fn eval_sent(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let nullif = matches!(&self.kind, Kind::Call(call) if call.name == "nullif");
        if nullif || self.rounds_date() || self.ty.kind == TypeKind::Timestamp || !self.chooses_date() {
            return self.eval(cx);
        }
        let value = operand::found(cx, self)?;
        let refused = operand::is_refused(&value, cx.state) && !operand::is_let_in(cx, self, &value)?;
        Ok(if refused { Value::Null } else { value })
    }

    /// What was chosen, under the collation that it has itself where it need not be converted.
    fn handed_on(&self, chosen: &Expr, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        // Text beside a UUID or an address is read as one.
        let read = matches!(self.ty.kind, TypeKind::Fixed(_));
        let (from, to) = (chosen.ty.collation.charset(), self.ty.collation.charset());
        let unconverted = !read && (from == to || to == Charset::Binary);
        let is_text = chosen.ty.class() == Class::Str && unconverted;
        let value = if is_text { chosen.eval_assigned(cx)? } else { chosen.eval(cx)? };
        if is_text && matches!(value, Value::Str(_)) {
            return Ok(value);
        }
        Ok(text_of_number(store::between(value, &chosen.ty, &self.ty, cx.state), chosen))
    }

    /// What a decimal of nothing was computed from: it may have no digits after the point.
    fn nothing_left(&self) -> Option<&Expr> {
        match (&self.kind, &self.ty.origin) {
            (Kind::Const(Value::Decimal(d)), Named::Computed(of)) if d.is_zero() => {
                matches!(&of.kind, Kind::Call(call) if matches!(call.name, "+" | "-" | "*" | "%" | "mod"))
                    .then_some(of)
            }
            _ => None,
        }
    }

    /// A decimal's value, or an integer in its place.
    fn all_digits(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match &self.kind {
            Kind::Const(Value::Decimal(_)) if let Some(nothing) = self.nothing_left() => {
                nothing.all_digits(cx)
            }
            Kind::Call(call) => match (call.name, &call.args[..]) {
                ("if", list) => control::chosen_by_if(cx, list)?.eval_exactly(cx),
                ("nvl2", [tested, then, otherwise]) => {
                    let chosen = if tested.eval(cx)?.is_null() { otherwise } else { then };
                    chosen.eval_exactly(cx)
                }
                ("ifnull" | "nvl" | "coalesce", list) => {
                    for e in list {
                        let value = e.eval_exactly(cx)?;
                        if !value.is_null() {
                            return Ok(value);
                        }
                    }
                    Ok(Value::Null)
                }
                ("nullif", [value, other]) => match control::differs(cx, value, other)? {
                    true => value.eval_exactly(cx),
                    false => Ok(Value::Null),
                },
                ("decode_oracle", list) => match oracle::chosen(cx, list)? {
                    Some(e) => e.eval_exactly(cx),
                    None => Ok(Value::Null),
                },
                ("greatest", list) => control::best(cx, list, &self.ty, Ordering::Greater),
                ("least", list) => control::best(cx, list, &self.ty, Ordering::Less),
                _ => {
                    let value = (call.evaluate)(cx, &call.args, &self.ty)?;
                    let timed = counts_seconds(self) || counts_time(call.name, &call.args);
                    Ok(if timed { with_micros(value) } else { value })
                }
            },
            Kind::Case { operand, branches, otherwise } => {
                let chosen = super::eval::choose_branch(operand.as_deref(), branches, cx)?;
                chosen.or(otherwise.as_deref()).map_or(Ok(Value::Null), |e| e.eval_exactly(cx))
            }
            Kind::Subquery(subquery) => subquery.eval(cx),
            _ => self.eval(cx),
        }
    }
}

/// Whether a decimal made of it has no digits behind its point.
fn has_no_fraction(e: &Expr) -> bool {
    let listed = matches!(e.kind, Kind::Column(_) | Kind::Subquery(_)) && e.ty.is_joined();
    listed || is_constant_cast(e)
}

/// Whether it is a constant that is cast to text, which beside exact numbers is a whole one.
pub fn is_constant_cast(e: &Expr) -> bool {
    match (&e.kind, &e.ty.origin) {
        (Kind::Const(_), Named::Computed(of)) => is_constant_cast(of),
        (Kind::Call(call), _) => {
            matches!(call.name, "cast_as_char" | "cast_as_binary")
                && e.ty.class() == Class::Str
                && e.is_same_in_all_rows()
        }
        _ => false,
    }
}

/// A side of a comparison of two, where a decimal has the digits of its type: that of a list of values has none, nor has
/// that of a constant that is cast to text.
pub(super) fn compared(e: &Expr, how: Comparison, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    match (&e.kind, how) {
        (_, Comparison::Decimal) if has_no_fraction(e) => Ok(match side_once(e, how, cx)? {
            Value::Decimal(d) => Value::Decimal(d.round(0, Rounding::HalfUp)),
            value => value,
        }),
        (Kind::Call(_) | Kind::Case { .. } | Kind::Subquery(_), Comparison::Decimal)
            if e.ty.class() == Class::Decimal =>
        {
            e.eval(cx)
        }
        _ => side_once(e, how, cx),
    }
}
