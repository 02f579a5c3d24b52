//! Aggregates.

use super::build::FREE_DECIMALS;
use super::func::documents::before_laid_out;
use super::reckon::Reckoned;
use super::{Class, Expr, Kind, TypeKind, decimal_of, operand, sort_key};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::plan::AggregateCall;
use crate::syntax::ast::AggregateKind;
use best::{fixed_order, is_better, may_be_better, may_be_better_text};
use bits::{bits_of, counted_bits, each_bit};
pub use joined::{Joiner, kept_apart};
use joined::{concatenated, text_of};
use seen::Seen;
use types::convert::{of_digits, to_decimal, to_double};
use types::decimal::Total;
use types::value::BitValue;
use types::{CollationId, Decimal, StrValue, Value};

mod best;
mod bits;
mod joined;
mod seen;

/// The running state of one aggregate over one group.
pub struct Accumulator {
    sum: Sum,
    /// Values seen, for DISTINCT; elsewhere, for there is one of these for each group, a word.
    seen: Option<Box<Seen>>,
    /// Bytes kept of rows.
    held: usize,
}

/// Something kept of a row.
pub enum Kept {
    /// The key of a value that DISTINCT has seen.
    Seen(Box<[u8]>),
    /// A text with its sort key.
    Text(Box<[u8]>, Vec<u8>),
}

/// What a row adds to an aggregate that keeps something of every row.
pub struct Addition {
    /// The key in which the values equal others, for DISTINCT.
    pub distinct: Option<Vec<u8>>,
    /// The sort key by ORDER BY of the call.
    pub order: Vec<u8>,
    /// The arguments; of an aggregate of text, the text.
    pub values: Vec<Value>,
}

enum Sum {
    Count(u64),
    Decimal(Option<Total>, u64),
    Real(Option<f64>, u64),
    /// The best value with its key.
    Best(Option<(Vec<u8>, Value)>),
    Bits(u64),
    /// How many values have each bit, and how many values there are: bits from which values can be taken again.
    BitCounts(Box<[u64; 64]>, u64),
    /// Welford's running count, mean and sum of squares of differences.
    Variance {
        n: u64,
        mean: f64,
        m2: f64,
    },
    /// Texts of GROUP_CONCAT with their sort keys.
    Texts(Vec<(Box<[u8]>, Vec<u8>)>),
}

/// Adds to a sum of exact numbers.
#[inline]
fn add_exactly(sum: &mut Option<Total>, number: &Decimal) -> Result<(), SqlError> {
    match sum {
        None => *sum = Some(Total::from(*number)),
        Some(sum) => sum.add(number).map_err(|_| out_of_range())?,
    }
    Ok(())
}

fn out_of_range() -> SqlError {
    SqlError::data_out_of_range("DECIMAL", "sum()")
}

impl Accumulator {
    /// No rows yet.
    pub fn new(call: &AggregateCall) -> Self {
        let exact = call.args.first().is_some_and(|e| e.ty.sums_exactly());
        let sum = match call.kind {
            AggregateKind::CountStar | AggregateKind::Count => Sum::Count(0),
            AggregateKind::Sum | AggregateKind::Avg if exact => Sum::Decimal(None, 0),
            AggregateKind::Sum | AggregateKind::Avg => Sum::Real(None, 0),
            AggregateKind::Min | AggregateKind::Max => Sum::Best(None),
            AggregateKind::BitAnd => Sum::Bits(u64::MAX),
            AggregateKind::BitOr | AggregateKind::BitXor => Sum::Bits(0),
            AggregateKind::StddevPop
            | AggregateKind::StddevSamp
            | AggregateKind::VarPop
            | AggregateKind::VarSamp => Sum::Variance { n: 0, mean: 0.0, m2: 0.0 },
            AggregateKind::GroupConcat | AggregateKind::JsonArrayAgg | AggregateKind::JsonObjectAgg => {
                Sum::Texts(Vec::new())
            }
        };
        Self { sum, seen: call.distinct.then(|| Box::new(Seen::new(call.alike_together))), held: 0 }
    }

    /// Whether an aggregate keeps something of every row.
    pub fn grows(call: &AggregateCall) -> bool {
        call.distinct && !call.alike_together || Self::joins(call)
    }

    /// Whether an aggregate joins texts.
    pub fn joins(call: &AggregateCall) -> bool {
        use AggregateKind::{GroupConcat, JsonArrayAgg, JsonObjectAgg};
        matches!(call.kind, GroupConcat | JsonArrayAgg | JsonObjectAgg)
    }

    /// Bytes kept of rows.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Gives away what is kept of rows.
    pub fn unload(&mut self, call: &AggregateCall) -> impl Iterator<Item = Kept> {
        self.held = 0;
        let seen = self.seen.as_mut().map(|seen| std::mem::take(&mut **seen)).unwrap_or_default();
        let seen: Vec<Box<[u8]>> =
            call.args.first().map_or_else(Vec::new, |e| seen.into_keys(&e.ty).collect());
        let texts = match &mut self.sum {
            Sum::Texts(texts) => std::mem::take(texts),
            _ => Vec::new(),
        };
        seen.into_iter().map(Kept::Seen).chain(texts.into_iter().map(|(order, text)| Kept::Text(order, text)))
    }

    /// No rows yet, in a form that rows can be taken out of again; `None` where no form allows that.
    pub fn sliding(call: &AggregateCall) -> Option<Self> {
        match call.kind {
            AggregateKind::CountStar | AggregateKind::Count | AggregateKind::Sum | AggregateKind::Avg => {
                Some(Self::new(call))
            }
            AggregateKind::BitAnd | AggregateKind::BitOr | AggregateKind::BitXor => {
                Some(Self { sum: Sum::BitCounts(Box::new([0; 64]), 0), seen: None, held: 0 })
            }
            _ => None,
        }
    }

    /// Adds the row in the frames.
    pub fn add(&mut self, call: &AggregateCall, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if let (Sum::Count(n), []) = (&mut self.sum, &call.args[..]) {
            *n += 1;
            return Ok(());
        }
        if let [arg] = &call.args[..] {
            match &mut self.seen {
                None => {
                    if let Some(added) = self.add_plain(call, arg, cx) {
                        return added;
                    }
                }
                // Signed integers of a column need no keys to be told apart. What else is known by now, as a subquery's
                // value behind the first row, has its key among others.
                Some(_) if arg.ty.class() == Class::Int && matches!(arg.kind, Kind::Column(_)) => {
                    let integer = arg.peek(cx).and_then(|value| match value {
                        Value::Int(n) => Some(*n),
                        Value::UInt(n) => i64::try_from(*n).ok(),
                        _ => None,
                    });
                    if let (Sum::Count(_), Some(n)) = (&self.sum, integer) {
                        let bytes = self.count_integer(n);
                        return if bytes > 0 { cx.charge(bytes) } else { Ok(()) };
                    }
                }
                Some(_) => {}
            }
        }
        let values = Self::arguments(call, cx)?;
        self.add_values(call, values, cx)
    }

    /// The arguments, of the row in the frames.
    fn arguments(call: &AggregateCall, cx: &mut Cx<'_>) -> Result<Vec<Value>, SqlError> {
        call.args.iter().map(|e| Self::argument(call, e, cx)).collect()
    }

    /// An argument, of the row in the frames.
    pub fn argument(call: &AggregateCall, e: &Expr, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let exact = || call.args.first().is_some_and(|e| e.ty.sums_exactly());
        let reckons = match call.kind {
            AggregateKind::Sum | AggregateKind::Avg => !exact(),
            _ => call.reckons(),
        };
        match call.kind {
            _ if call.kind.is_of_bits() => {
                let bits = operand::integer(cx, e)?;
                Ok(bits.map_or(Value::Null, |bits| Value::UInt(bits as u64)))
            }
            AggregateKind::GroupConcat | AggregateKind::JsonArrayAgg | AggregateKind::JsonObjectAgg => {
                Self::member(call, e, cx)
            }
            // Dates are compared: what is none is zero among them.
            AggregateKind::Min | AggregateKind::Max if e.ty.class() == Class::Temporal && !call.of_group => {
                operand::comparable(cx, e)
            }
            AggregateKind::Min | AggregateKind::Max => {
                let value = if call.of_group { e.eval_found(cx)? } else { e.eval_exactly(cx)? };
                // A date or time that is said to be text is kept as text.
                Ok(match value.is_temporal() && e.ty.class() == Class::Str {
                    true => super::store::to_type(value, &e.ty, cx.state),
                    false => value,
                })
            }
            // Apart from each other they are the texts that they look like.
            _ if reckons && call.distinct && e.ty.class() == Class::Str => {
                // The greatest and least are those of the texts.
                let value = match &e.kind {
                    Kind::Call(chooser) if matches!(chooser.name, "greatest" | "least") => e.eval(cx)?,
                    _ => operand::numeric(cx, e)?,
                };
                Ok(match value.is_temporal() {
                    true => super::store::to_type(value, &e.ty, cx.state),
                    false => value,
                })
            }
            _ if reckons && call.rows_aside => Ok(e.laid_aside(operand::numeric(cx, e)?, cx.state)),
            _ if reckons => operand::numeric(cx, e),
            AggregateKind::Count => Ok(e.held(e.eval(cx)?)),
            _ => e.eval(cx),
        }
    }

    /// What a list of the values of its rows takes for one.
    fn member(call: &AggregateCall, e: &Expr, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let whole = match call.kind {
            AggregateKind::JsonObjectAgg => std::ptr::eq(e, &call.args[1]),
            // What changes from row to row is put aside first, as it is shown.
            kind => kind == AggregateKind::JsonArrayAgg && e.is_same_in_all_rows(),
        };
        if whole && let Some(text) = before_laid_out(cx, e)? {
            return Ok(text);
        }
        let value = match call.kind {
            AggregateKind::JsonObjectAgg => e.eval(cx)?,
            AggregateKind::GroupConcat => joined::kept(call, e, e.held(e.eval(cx)?), cx),
            _ => e.held(e.eval(cx)?),
        };
        // Bits that are handed on are still bits to a list, those that one subquery finds for all rows a number in a text.
        let found = matches!(&e.kind, Kind::Subquery(subquery) if !subquery.correlated);
        let number = found && call.kind == AggregateKind::GroupConcat;
        let bits = e.ty.kind == TypeKind::Bit && call.kind != AggregateKind::JsonObjectAgg && !number;
        Ok(match (&value, u8::try_from(e.ty.length)) {
            (Value::Bit(_), _) if number => super::store::integer_value(&value),
            (Value::Int(_) | Value::UInt(_), Ok(width @ 1..=64)) if bits => {
                Value::Bit(BitValue { bits: bits_of(&value), width })
            }
            _ => value,
        })
    }

    /// What the row in the frames adds; `None` for nothing.
    pub fn addition(call: &AggregateCall, cx: &mut Cx<'_>) -> Result<Option<Addition>, SqlError> {
        let Some(values) = counted(call, Self::arguments(call, cx)?) else { return Ok(None) };
        let distinct = call.distinct.then(|| distinct_key(call, &values));
        let order = joined::order_key(call, &values, cx)?;
        let values = match Self::joins(call) {
            true => vec![Value::Str(StrValue::owned(text_of(&values, call), CollationId::BINARY))],
            false => values,
        };
        Ok(Some(Addition { distinct, order, values }))
    }

    /// Adds what needs no values of its own: counts, sums, what is not the best; `None` for all else.
    #[inline]
    fn add_plain(
        &mut self,
        call: &AggregateCall,
        arg: &Expr,
        cx: &mut Cx<'_>,
    ) -> Option<Result<(), SqlError>> {
        match &mut self.sum {
            Sum::Count(n) => {
                let null = match arg.peek(cx) {
                    Some(value) => value.is_null(),
                    // What is never NULL is not even looked at.
                    None if call.counts_rows() => false,
                    None => match arg.finds_nothing(cx) {
                        Ok(null) => null && arg.held(Value::Null).is_null(),
                        Err(error) => return Some(Err(error)),
                    },
                };
                *n += u64::from(!null);
            }
            Sum::Decimal(sum, n) => {
                let d = match decimal_of(arg, cx) {
                    Ok(Some(d)) => d,
                    Ok(None) => return Some(Ok(())),
                    Err(error) => return Some(Err(error)),
                };
                let added = add_exactly(sum, &d);
                *n += 1;
                // The sum of a group is kept in a column that holds as many digits as one for its argument would.
                if let Some(sum) = sum
                    && call.of_group
                    && d.scale() > arg.ty.decimals
                    && arg.ty.class() == Class::Decimal
                {
                    let digits = i32::from(arg.ty.decimals);
                    *sum = Total::from(sum.value().round(digits, types::decimal::Rounding::HalfUp));
                }
                return Some(added);
            }
            Sum::Real(sum, n) => match operand::real(cx, arg) {
                Ok(Some(mut number)) => {
                    if call.rows_aside
                        && let Value::Double(kept) = arg.laid_aside(Value::Double(number), cx.state)
                    {
                        number = kept;
                    }
                    *sum = Some(sum.unwrap_or(0.0) + number);
                    *n += 1;
                }
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            },
            Sum::Best(best) => {
                if let Some(value) = arg.peek(cx) {
                    if value.is_null() {
                        return Some(Ok(()));
                    }
                    if best.as_ref().is_some_and(|best| !may_be_better(best, value, call)) {
                        return Some(Ok(()));
                    }
                    // Of a column's integers the better one is known without more ado.
                    let held = best.as_ref().map(|(_, held)| held);
                    let integers = matches!(
                        (value, held),
                        (Value::Int(_), None | Some(Value::Int(_)))
                            | (Value::UInt(_), None | Some(Value::UInt(_)))
                    );
                    if !integers || call.ty.class() != Class::Int || !matches!(arg.kind, Kind::Column(_)) {
                        return None;
                    }
                    let mut key = best.take().map(|(key, _)| key).unwrap_or_default();
                    key.clear();
                    sort_key(value, &call.ty, false, &mut key);
                    *best = Some((key, value.clone()));
                    return Some(Ok(()));
                }
                let value = match Self::argument(call, arg, cx) {
                    Ok(value) => value,
                    Err(error) => return Some(Err(error)),
                };
                if value.is_null() || best.as_ref().is_some_and(|best| !may_be_better(best, &value, call)) {
                    return Some(Ok(()));
                }
                return Some(self.add_new(call, vec![value], cx));
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Adds a row by the values of the arguments.
    pub fn add_values(
        &mut self,
        call: &AggregateCall,
        values: Vec<Value>,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let Some(values) = counted(call, values) else { return Ok(()) };
        if let Some(seen) = &mut self.seen {
            let Some(bytes) = seen.insert_key(&distinct_key(call, &values)) else { return Ok(()) };
            self.held += bytes;
            cx.charge(bytes)?;
        }
        self.add_new(call, values, cx)
    }

    /// Adds a row by the number that the argument is in it: of a count, a sum or a mean, and NULL of any that leaves NULLs
    /// out.
    #[inline]
    pub fn add_number(&mut self, number: &Reckoned) -> Result<(), SqlError> {
        match (&mut self.sum, number) {
            (_, Reckoned::Null) => {}
            (Sum::Count(n), _) => *n += 1,
            (Sum::Decimal(Some(sum), n), Reckoned::Units(units, scale)) => {
                *n += 1;
                sum.add_units(*units, *scale).map_err(|_| out_of_range())?;
            }
            (Sum::Decimal(sum, n), Reckoned::Units(units, scale)) => {
                *n += 1;
                *sum = Some(Total::of_units(*units, *scale));
            }
            (Sum::Real(sum, n), Reckoned::Real(number)) => {
                *sum = Some(sum.unwrap_or(0.0) + number);
                *n += 1;
            }
            _ => return Err(SqlError::internal_error(format!("add {number:?}"))),
        }
        Ok(())
    }

    /// Whether a value is known to be no better than the best so far of MIN or MAX.
    #[inline]
    pub fn outdoes(&self, value: &Value, call: &AggregateCall) -> bool {
        matches!(&self.sum, Sum::Best(Some(best)) if !may_be_better(best, value, call))
    }

    /// As [`Accumulator::outdoes`], of a text.
    #[inline]
    pub fn outdoes_text(&self, text: &[u8], of: CollationId, call: &AggregateCall) -> bool {
        matches!(&self.sum, Sum::Best(Some((_, Value::Str(held))))
            if !may_be_better_text(held, text, of, call))
    }

    /// Adds a column's integer to a count of what is distinct; gives the bytes that are kept of it.
    #[inline]
    pub fn count_integer(&mut self, n: i64) -> usize {
        let kept = self.seen.as_mut().and_then(|seen| seen.insert(n));
        self.count_distinct(kept)
    }

    /// As [`Accumulator::count_integer`], of a value by its sort key.
    #[inline]
    pub fn count_key(&mut self, key: &[u8]) -> usize {
        let kept = self.seen.as_mut().and_then(|seen| seen.insert_key(key));
        self.count_distinct(kept)
    }

    #[inline]
    fn count_distinct(&mut self, kept: Option<usize>) -> usize {
        let Some(bytes) = kept else { return 0 };
        if let Sum::Count(count) = &mut self.sum {
            *count += 1;
        }
        self.held += bytes;
        bytes
    }

    /// Adds a row by the values of the arguments, which DISTINCT has not seen.
    pub fn add_new(
        &mut self,
        call: &AggregateCall,
        mut values: Vec<Value>,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        match &mut self.sum {
            Sum::Count(n) => *n += 1,
            Sum::Decimal(sum, n) => {
                add_exactly(sum, &to_decimal(&values[0]).value)?;
                *n += 1;
            }
            Sum::Real(sum, n) => {
                // Text that is to be told apart was read as a number silently, when it was put aside.
                let number = match call.distinct {
                    true => to_double(&values[0]).value,
                    false => operand::real_of(&values[0], cx.state),
                };
                *sum = Some(sum.unwrap_or(0.0) + number);
                *n += 1;
            }
            Sum::Best(best) => {
                let mut key = Vec::new();
                let mut label = None;
                // Labels compare as text, bits as numbers.
                match &values[0] {
                    Value::Enum(_) | Value::Set(_) => {
                        // The column of a table of groups keeps the label itself, which has a number.
                        label = (call.of_group || call.put_aside).then(|| values[0].clone());
                        if call.by_number {
                            types::convert::sort_key(&values[0], &mut key);
                        }
                        values[0] = super::store::to_type(std::mem::take(&mut values[0]), &call.ty, cx.state);
                    }
                    Value::Bit(_) => {
                        // Nor are they numbers to the text that is made of such a column.
                        label = call.of_group.then(|| values[0].clone());
                        values[0] = super::store::integer_value(&values[0]);
                    }
                    _ => {}
                }
                // Of quotients that are alike in their type's digits the first one stays, with all it has.
                match &values[0] {
                    _ if !key.is_empty() => {}
                    Value::Decimal(d) if d.scale() > call.ty.decimals => {
                        let shown = super::exact::settled_decimal(*d, &call.ty);
                        sort_key(&Value::Decimal(shown), &call.ty, false, &mut key);
                    }
                    value => sort_key(value, &call.ty, false, &mut key),
                }
                let better = best.as_ref().is_none_or(|(held, best)| match (&values[0], best, call.kind) {
                    (Value::Double(value), Value::Double(best), _) => {
                        is_better(fixed_order(*value, *best, call), call)
                    }
                    (_, _, AggregateKind::Min) => key < *held,
                    _ => key > *held,
                });
                if better {
                    let value = label.or_else(|| values.into_iter().next()).unwrap_or_default();
                    *best = Some((key, value));
                }
            }
            Sum::Bits(bits) => {
                let n = bits_of(&values[0]);
                match call.kind {
                    AggregateKind::BitAnd => *bits &= n,
                    AggregateKind::BitOr => *bits |= n,
                    _ => *bits ^= n,
                }
            }
            Sum::BitCounts(counts, n) => {
                each_bit(bits_of(&values[0]), |bit| counts[bit] += 1);
                *n += 1;
            }
            Sum::Variance { n, mean, m2 } => {
                let x = operand::real_of(&values[0], cx.state);
                *n += 1;
                let delta = x - *mean;
                *mean += delta / *n as f64;
                *m2 += delta * (x - *mean);
            }
            Sum::Texts(texts) => {
                let text = text_of(&values, call);
                let key = joined::order_key(call, &values, cx)?;
                let bytes = key.len() + text.len() + 40;
                self.held += bytes;
                cx.charge(bytes)?;
                texts.push((key.into(), text));
            }
        }
        Ok(())
    }

    /// Takes a row out by the values of its arguments; only in the form of [`Accumulator::sliding`].
    pub fn remove_values(&mut self, values: &[Value]) {
        if values.iter().any(Value::is_null) {
            return;
        }
        match &mut self.sum {
            Sum::Count(n) => *n -= 1,
            Sum::Decimal(sum, n) => {
                *n -= 1;
                let less = sum.as_mut().map(|sum| sum.subtract(&to_decimal(&values[0]).value));
                if *n == 0 || !matches!(less, Some(Ok(()))) {
                    *sum = None;
                }
            }
            Sum::Real(sum, n) => {
                *n -= 1;
                // What rounding left over stays, also when no row is left, as in MariaDB's running sum.
                *sum = sum.map(|sum| sum - to_double(&values[0]).value);
            }
            Sum::BitCounts(counts, n) => {
                each_bit(bits_of(&values[0]), |bit| counts[bit] -= 1);
                *n -= 1;
            }
            _ => unreachable!("rows are taken out of sliding forms only"),
        }
    }

    /// The aggregate's value over the rows so far, with the digits of its column where it is put aside in one.
    pub fn value(&self, call: &AggregateCall, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let value = self.reckoned(call, cx)?;
        Ok(match value {
            Value::Decimal(_) if call.put_aside && !call.of_group => super::exact::settled(value, &call.ty),
            Value::Decimal(_)
                if call.of_group && matches!(call.kind, AggregateKind::Min | AggregateKind::Max) =>
            {
                super::exact::clipped(value, &call.ty)
            }
            Value::Date(_) | Value::DateTime(..) | Value::Str(_) if call.of_group || call.put_aside => {
                super::exact::as_in_column(value, &call.ty, cx.state)
            }
            Value::Double(n) if call.fixes_digits() => Value::Double(of_digits(n, call.ty.decimals)),
            value => value,
        })
    }

    /// A mean of exact numbers, whose value is `mean`, as a double: of a sum, unless it stands in a column of its own. Bits
    /// have a sign then, unless they do.
    pub fn real_mean(&self, call: &AggregateCall, mean: &Value) -> Value {
        match &self.sum {
            _ if call.kind.is_of_bits() && !call.of_group && !call.put_aside => {
                Value::Double(bits_of(mean) as i64 as f64)
            }
            Sum::Decimal(Some(sum), n) if !call.of_group && !call.put_aside => {
                Value::Double(to_double(&Value::Decimal(sum.value())).value / *n as f64)
            }
            _ if mean.is_null() => Value::Null,
            _ => Value::Double(to_double(mean).value),
        }
    }

    /// The aggregate's value with all digits that it was computed with.
    fn reckoned(&self, call: &AggregateCall, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        Ok(match &self.sum {
            Sum::Count(n) => Value::Int(*n as i64),
            Sum::Bits(bits) => Value::UInt(*bits),
            Sum::BitCounts(counts, n) => Value::UInt(counted_bits(call.kind, counts, *n)),
            Sum::Best(best) => match best {
                Some((_, value)) if call.of_group => value.clone(),
                Some((_, value)) => shown_year(value.clone()),
                None => Value::Null,
            },
            Sum::Decimal(None, _) | Sum::Real(None, _) | Sum::Real(_, 0) => Value::Null,
            Sum::Decimal(Some(sum), n) => {
                // In a table of groups the sum has the digits of its column; beside it stands the count of a mean,
                // which has all its digits there, too.
                let column = call.args.first().map_or(0, |arg| arg.ty.decimals).min(call.ty.decimals);
                // Of times that have as many digits as their values a sum has all that there may be.
                let open = |arg: &Expr| arg.ty.class() == Class::Temporal && arg.ty.decimals > 6;
                let all_digits = call.kind == AggregateKind::Sum && call.args.first().is_some_and(open);
                let sum = match call.of_group || all_digits {
                    true => sum.value().round(column.into(), types::decimal::Rounding::HalfUp),
                    false => sum.value(),
                };
                if call.kind != AggregateKind::Avg {
                    return Ok(Value::Decimal(sum));
                }
                let mean = sum.div(&Decimal::from(*n), cx.state.vars.div_precision_increment);
                Value::Decimal(mean.map_err(|_| SqlError::data_out_of_range("DECIMAL", "avg()"))?)
            }
            Sum::Real(Some(sum), n) if call.kind == AggregateKind::Avg => Value::Double(sum / *n as f64),
            Sum::Real(Some(sum), _) => Value::Double(*sum),
            Sum::Variance { n, m2, .. } => variance(call.kind, *n, *m2),
            Sum::Texts(texts) => concatenated(texts, call, cx),
        })
    }
}

/// The arguments where the row counts: NULLs do not, for the most part.
fn counted(call: &AggregateCall, mut values: Vec<Value>) -> Option<Vec<Value>> {
    let without = match call.kind {
        AggregateKind::JsonArrayAgg => false,
        AggregateKind::JsonObjectAgg => values[0].is_null(),
        _ => values.iter().any(Value::is_null),
    };
    if without {
        return None;
    }
    if !call.distinct {
        return Some(values);
    }
    let sums = matches!(call.kind, AggregateKind::Sum | AggregateKind::Avg);
    if sums && !call.args[0].ty.sums_exactly() {
        // The numbers are to be distinct, not the texts that they are made of; nothing is said of those.
        values[0] = Value::Double(to_double(&values[0]).value);
    }
    if sums || call.kind == AggregateKind::Count {
        // They are put aside in columns, which may have few digits.
        for (value, e) in values.iter_mut().zip(&call.args) {
            if let Value::Double(n) = value
                && e.ty.decimals < FREE_DECIMALS
                // A column of four bytes has the digits of its own.
                && e.ty.kind != TypeKind::Float
            {
                *n = of_digits(*n, e.ty.decimals);
            }
        }
    }
    Some(values)
}

/// The bytes in which arguments equal others.
fn distinct_key(call: &AggregateCall, values: &[Value]) -> Vec<u8> {
    let mut key = Vec::new();
    for (value, e) in values.iter().zip(&call.args) {
        sort_key(value, &e.ty, false, &mut key);
    }
    key
}

/// The year zero as it is shown by what hands it on: only columns have its four digits.
pub fn shown_year(value: Value) -> Value {
    match value {
        Value::Year(0) => Value::UInt(0),
        value => value,
    }
}

fn variance(kind: AggregateKind, n: u64, m2: f64) -> Value {
    let sample = matches!(kind, AggregateKind::StddevSamp | AggregateKind::VarSamp);
    let Some(divisor) = n.checked_sub(u64::from(sample)).filter(|divisor| *divisor > 0) else {
        return Value::Null;
    };
    let variance = m2 / divisor as f64;
    match kind {
        AggregateKind::StddevPop | AggregateKind::StddevSamp => Value::Double(variance.sqrt()),
        _ => Value::Double(variance),
    }
}
