//! Texts and documents that are made of the values of many rows.

use super::super::build::LONGEST_VARCHAR;
use super::super::func::documents::{Converted, in_set, listed_text, member_text, quoted};
use super::super::func::string::with_digits;
use super::super::{Class, Expr, Kind, Type, TypeKind, sort_key, store};
use super::{Accumulator, distinct_key};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::plan::AggregateCall;
use crate::session::Level;
use crate::syntax::ast::AggregateKind;
use types::{CollationId, StrValue, Value};

/// What one row adds to a document of a group's values.
fn grouped_member(value: &Value, e: &Expr, call: &AggregateCall) -> String {
    listed_text(value, e, Converted::of(&call.args, call.ty.collation))
        .unwrap_or_else(|| member_text(value, e))
}

/// What one row adds to an aggregate of text.
pub(super) fn text_of(values: &[Value], call: &AggregateCall) -> Vec<u8> {
    let json = match call.kind {
        AggregateKind::JsonArrayAgg => match &values[0] {
            // Bits that are put aside to be ordered are numbers.
            bits @ Value::Bit(_)
                if !call.order_by.is_empty() && matches!(call.args[0].kind, Kind::Column(_)) =>
            {
                member_text(&store::integer_value(bits), &call.args[0])
            }
            value => grouped_member(value, &call.args[0], call),
        },
        AggregateKind::JsonObjectAgg => {
            let key = match &values[0] {
                Value::Str(s) if s.collation == CollationId::BINARY => {
                    s.bytes.iter().map(|byte| char::from(*byte)).collect()
                }
                value => super::super::compare_text(&with_digits(value.clone(), &call.args[0].ty)),
            };
            let key = quoted(&key);
            format!("{key}:{}", grouped_member(&values[1], &call.args[1], call))
        }
        _ => {
            let mut text = Vec::new();
            // What is put aside to be ordered or told apart is a number there.
            let aside = call.waits();
            for (value, e) in values.iter().zip(&call.args) {
                let shown = match value {
                    Value::Bit(_) if aside && matches!(e.kind, Kind::Column(_)) => {
                        store::integer_value(value)
                    }
                    value => with_digits(value.clone(), &e.ty),
                };
                let own = super::super::compare::text_in(&shown, call.ty.collation);
                text.extend_from_slice(&own.unwrap_or_default());
            }
            return text;
        }
    };
    in_set(json, call.ty.collation.charset())
}

pub(super) fn concatenated(texts: &[(Box<[u8]>, Vec<u8>)], call: &AggregateCall, cx: &mut Cx<'_>) -> Value {
    let mut texts: Vec<&(Box<[u8]>, Vec<u8>)> = texts.iter().collect();
    if call.distinct || !call.order_by.is_empty() {
        texts.reverse(); // Of equal ones the last comes first, as MariaDB's tree keeps them.
        texts.sort_by(|a, b| a.0.cmp(&b.0));
    }
    let mut joiner = Joiner::new(call, cx);
    for (_, text) in texts {
        joiner.push(text);
        if joiner.is_full() {
            break;
        }
    }
    joiner.finish(cx)
}

/// The sort key of the row in the frames: by ORDER BY of the call, or where there is none and DISTINCT tells values apart,
/// by the values.
pub(super) fn order_key(
    call: &AggregateCall,
    values: &[Value],
    cx: &mut Cx<'_>,
) -> Result<Vec<u8>, SqlError> {
    if call.distinct && call.order_by.is_empty() && Accumulator::joins(call) {
        return Ok(distinct_key(call, values));
    }
    let mut key = Vec::new();
    for sort in &call.order_by {
        let value = match sort.expr.eval(cx)? {
            Value::Null if call.kind == AggregateKind::GroupConcat => place_of_null(&sort.expr.ty),
            value => value,
        };
        sort_key(&value, &sort.expr.ty, sort.desc, &mut key);
    }
    Ok(key)
}

/// Where NULL stands in GROUP_CONCAT's ORDER BY: MariaDB compares what the rows put into columns, and a column that is NULL
/// has the bytes of its type's zero. Only labels have numbers from one.
fn place_of_null(ty: &Type) -> Value {
    match (ty.class(), ty.kind) {
        (_, TypeKind::Null | TypeKind::Enum) => Value::Null,
        (Class::Int | Class::Decimal | Class::Real, _) => Value::Int(0),
        _ => store::implicit_default(&crate::admin::column_of("", ty)),
    }
}

/// Whether the column that an argument is put aside in keeps its texts elsewhere, cut to the length of the result.
pub fn kept_apart(e: &Expr) -> bool {
    let long = e.ty.kind == TypeKind::VarChar && e.ty.length > LONGEST_VARCHAR;
    e.ty.kind.is_blob() || long && !matches!(e.kind, Kind::Column(_))
}

/// One of several values as GROUP_CONCAT puts it aside until its rows are in order, or known to be distinct: of TEXT as
/// much as the result may have. [`Joiner`] cuts where there is one.
pub(super) fn kept(call: &AggregateCall, e: &Expr, value: Value, cx: &Cx<'_>) -> Value {
    let aside = call.args.len() > 1 && call.waits();
    let most = cx.state.vars.group_concat_max_len as usize;
    match value {
        Value::Str(s) if aside && s.bytes.len() > most && kept_apart(e) => {
            let whole = s.collation.charset().valid_prefix(&s.bytes[..most]);
            Value::Str(StrValue::new(&s.bytes[..whole], s.collation))
        }
        value => value,
    }
}

/// Texts being joined, as GROUP_CONCAT and its like do.
pub struct Joiner<'c> {
    call: &'c AggregateCall,
    joined: Vec<u8>,
    separator: Vec<u8>,
    /// Texts seen, and of them those in the result.
    seen: u64,
    taken: u64,
    /// Bytes that the result may have.
    limit: usize,
    /// The text that was cut, by its number.
    cut_at_row: Option<u64>,
    /// Texts are put aside one by one in columns that hold no more than the result may have; whether one was longer.
    aside: bool,
    cut_aside: bool,
}

impl<'c> Joiner<'c> {
    /// No texts yet.
    pub fn new(call: &'c AggregateCall, cx: &Cx<'_>) -> Self {
        let limit = match call.kind {
            AggregateKind::JsonObjectAgg => usize::MAX,
            _ => cx.state.vars.group_concat_max_len as usize,
        };
        let separator: &[u8] = match call.kind {
            AggregateKind::JsonArrayAgg => b",",
            AggregateKind::JsonObjectAgg => b", ",
            _ => &call.separator,
        };
        let separator = call.ty.collation.charset().of_plain(separator).into_owned();
        let aside = call.kind == AggregateKind::GroupConcat
            && call.waits()
            && matches!(&call.args[..], [e] if kept_apart(e));
        Self {
            call,
            joined: Vec::new(),
            separator,
            seen: 0,
            taken: 0,
            limit,
            cut_at_row: None,
            aside,
            cut_aside: false,
        }
    }

    /// Whether no further text changes the result.
    fn is_full(&self) -> bool {
        self.cut_at_row.is_some() || self.call.limit.is_some_and(|(most, _)| self.taken >= most)
    }

    /// Adds a text.
    pub fn push(&mut self, mut text: &[u8]) {
        self.seen += 1;
        let (most, skip) = self.call.limit.unwrap_or((u64::MAX, 0));
        if self.aside && text.len() > self.limit {
            self.cut_aside = true;
            text = &text[..self.call.ty.collation.charset().valid_prefix(&text[..self.limit])];
        }
        if self.is_full() || self.seen <= skip || most == 0 {
            return;
        }
        if self.taken > 0 {
            self.joined.extend_from_slice(&self.separator);
        }
        self.taken += 1;
        self.joined.extend_from_slice(text);
        if self.joined.len() > self.limit {
            // A text in JSON is closed where it is cut.
            let closed = self.call.kind == AggregateKind::JsonArrayAgg && text.ends_with(b"\"");
            let limit = self.limit.saturating_sub(usize::from(closed));
            let whole = self.call.ty.collation.charset().valid_prefix(&self.joined[..limit]);
            self.joined.truncate(whole);
            if closed && self.limit > 0 {
                self.joined.push(b'"');
            }
            self.cut_at_row = Some(self.seen);
        }
    }

    /// The result; NULL where there was no text.
    pub fn finish(mut self, cx: &mut Cx<'_>) -> Value {
        if self.seen == 0 {
            return Value::Null;
        }
        let (name, around): (_, Option<(u8, u8)>) = match self.call.kind {
            AggregateKind::JsonArrayAgg => ("JSON_ARRAYAGG()", Some((b'[', b']'))),
            AggregateKind::JsonObjectAgg => ("JSON_OBJECTAGG()", Some((b'{', b'}'))),
            _ => ("GROUP_CONCAT()", None),
        };
        let (most, skipped) = self.call.limit.unwrap_or((u64::MAX, 0));
        let read = self.cut_at_row.unwrap_or(self.seen.min(most.saturating_add(skipped)));
        let before = rows_joined(self.call, read, cx);
        if let Some(row) = self.cut_at_row.or(self.cut_aside.then_some(read)) {
            let warning = SqlError::cut_value_group_concat(before + row, name);
            cx.state.warn(Level::Warning, warning.errno, warning.message);
        }
        if let Some((open, close)) = around {
            let charset = self.call.ty.collation.charset();
            self.joined.splice(..0, charset.of_plain(&[open]).into_owned());
            self.joined.extend_from_slice(&charset.of_plain(&[close]));
        }
        Value::Str(StrValue::owned(self.joined, self.call.ty.collation))
    }
}

/// Counts rows that an aggregate has joined; gives how many it had joined before, of other groups.
fn rows_joined(call: &AggregateCall, rows: u64, cx: &mut Cx<'_>) -> u64 {
    let place = (std::ptr::from_ref(call) as usize, cx.state.statement.own_keys);
    let counted = &mut cx.state.statement.joined_rows;
    match counted.iter_mut().find(|(own, _)| *own == place) {
        Some((_, joined)) => std::mem::replace(joined, *joined + rows),
        None => {
            counted.push((place, rows));
            0
        }
    }
}
