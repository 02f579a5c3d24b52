//! Conditions looked at in rows as they are stored, before any of their columns is made a value.
//!
//! Most rows of a scan are read only to find that they are not wanted. Texts are compared where they lie, numbers and
//! dates as they come out of their bytes. Whatever is not as plain as that (another type, a conversion, a function, a
//! warning to give) is left unsaid, and [`Expr::truth`] decides over decoded columns; so nothing here has a rule of its
//! own, it only takes the shortest way to the same answer.

use super::compare::{holds, plain_order};
use super::eval::{is_read, within};
use super::func::long::{LONG_BYTES, aside};
use super::{CompareOp, Comparison, Expr, Kind, Members};
use crate::exec::Cx;
use crate::exec::hash_join::integer_key;
use crate::syntax::ast::IsTest;
use std::cmp::Ordering;
use std::ops::Range;
use types::row::{ColumnLayout, RowLayout, RowPlaces};
use types::{CollationId, ColumnType, RowError, Value};

/// Members of an IN list that are looked at one by one.
const MEMBERS_MAX: usize = 32;

/// A table whose rows are looked at as they are stored.
#[derive(Clone, Copy)]
pub struct StoredTable<'r> {
    /// Where the columns of its rows are.
    pub layout: &'r RowLayout,
    /// The slots of all its columns, and their level: they hold nothing of the row looked at yet.
    pub slots: &'r Range<u32>,
    /// See `slots`.
    pub level: u32,
}

impl StoredTable<'_> {
    /// The number of the column that an expression is, if it is one of this table.
    #[inline]
    pub fn column_of(self, e: &Expr) -> Option<usize> {
        match e.kind {
            Kind::Column(slot) if slot.level == self.level && self.slots.contains(&slot.index) => {
                Some((slot.index - self.slots.start) as usize)
            }
            _ => None,
        }
    }

    /// The value that an expression has whatever the row; `None` for the table's columns, whose slots hold another's.
    #[inline]
    pub fn peek<'v>(self, e: &'v Expr, cx: &'v Cx<'_>) -> Option<&'v Value> {
        match self.column_of(e) {
            Some(_) => None,
            None => e.peek(cx),
        }
    }
}

/// Whether values of a type are stored as the texts that they are.
pub fn is_plain_text(ty: &ColumnType) -> bool {
    matches!(
        ty,
        ColumnType::Char(_)
            | ColumnType::VarChar(_)
            | ColumnType::VarBinary(_)
            | ColumnType::Text(_)
            | ColumnType::Blob(_)
    )
}

/// Where the bytes of a stored row are.
#[derive(Clone, Copy)]
pub enum Image<'r> {
    /// In the row itself.
    Row(&'r [u8]),
    /// In the entry of an index that holds what is wanted of it.
    Entry(&'r Entry),
}

/// Columns of a row that were read from the entry of an index.
#[derive(Default)]
pub struct Entry {
    /// Each with the place of its bytes; none for NULL.
    columns: Vec<(usize, Option<Range<usize>>)>,
    bytes: Vec<u8>,
}

impl Entry {
    /// Forgets the row before.
    pub fn clear(&mut self) {
        self.columns.clear();
        self.bytes.clear();
    }

    /// Adds a column.
    #[inline]
    pub fn push(&mut self, column: usize, bytes: Option<&[u8]>) {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(bytes.unwrap_or_default());
        self.columns.push((column, bytes.map(|_| at..self.bytes.len())));
    }

    #[inline]
    fn bytes(&self, column: usize) -> Result<Option<&[u8]>, RowError> {
        let found = self.columns.iter().find(|(held, _)| *held == column);
        let (_, place) = found.ok_or(RowError::Truncated { column })?;
        Ok(place.clone().map(|place| &self.bytes[place]))
    }
}

/// A stored row of a table.
pub struct StoredRow<'r> {
    /// Its bytes.
    pub image: Image<'r>,
    /// Its table.
    pub table: StoredTable<'r>,
    /// Places found so far.
    pub places: &'r mut RowPlaces,
}

impl<'r> StoredRow<'r> {
    /// A column's bytes; none where it is NULL.
    #[inline]
    pub fn bytes(&mut self, column: usize) -> Result<Option<&'r [u8]>, RowError> {
        match self.image {
            Image::Row(row) => self.places.bytes(self.table.layout, row, column),
            Image::Entry(entry) => entry.bytes(column),
        }
    }

    /// What `of` reads from a column's bytes, the inner `None` for NULL; `None` where it reads nothing, or the row does not
    /// read as its table says.
    #[inline]
    pub fn read<T>(
        &mut self,
        column: usize,
        of: impl FnOnce(&'r ColumnLayout, &'r [u8]) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.bytes(column).ok()? {
            None => Some(None),
            Some(bytes) => of(self.table.layout.column(column), bytes).map(Some),
        }
    }

    /// A column's rank, the inner `None` for NULL; `None` for what has none.
    #[inline]
    pub fn rank(&mut self, column: usize) -> Option<Option<i64>> {
        self.read(column, ColumnLayout::rank)
    }
}

/// A side of a comparison.
enum Side<'v> {
    /// Text in the character set of its collation.
    Text(&'v [u8], CollationId),
    /// A value of the row.
    Own(Value),
    /// A value that stands ready.
    Ready(&'v Value),
}

impl<'v> Side<'v> {
    fn ready(value: &'v Value) -> Self {
        match value {
            Value::Str(text) => Side::Text(&text.bytes, text.collation),
            other => Side::Ready(other),
        }
    }

    /// The side that an expression is; `None` where it has to be computed.
    #[inline]
    fn of<'r: 'v>(e: &'v Expr, row: &mut StoredRow<'r>, cx: &'v Cx<'_>) -> Option<Self> {
        match row.table.column_of(e) {
            Some(column) => Side::of_column(column, row),
            None => match e.peek(cx) {
                Some(value) => Some(Side::ready(value)),
                None => Side::part_of_text(e, row, cx),
            },
        }
    }

    #[inline]
    fn of_column<'r: 'v>(column: usize, row: &mut StoredRow<'r>) -> Option<Self> {
        let layout = row.table.layout.column(column);
        let Some(bytes) = row.bytes(column).ok()? else { return Some(Side::Own(Value::Null)) };
        match layout.ty() {
            ty if is_plain_text(ty) => Some(Side::Text(layout.payload(bytes), layout.collation())),
            ColumnType::Enum(_) => Some(Side::Text(layout.label(bytes)?, layout.collation())),
            ColumnType::Integer(_)
            | ColumnType::Decimal(_)
            | ColumnType::Double(_)
            | ColumnType::Date
            | ColumnType::Time(_)
            | ColumnType::DateTime(_) => layout.decode(bytes).ok().map(Side::Own),
            _ => None,
        }
    }

    /// SUBSTRING of a column, from a character on that is counted from the beginning.
    fn part_of_text<'r: 'v>(e: &Expr, row: &mut StoredRow<'r>, cx: &Cx<'_>) -> Option<Self> {
        let Kind::Call(call) = &e.kind else { return None };
        let [text, from, length] = call.substring()?;
        let count = |e: &Expr| match row.table.peek(e, cx) {
            Some(&Value::Int(n)) if n > 0 => usize::try_from(n).ok(),
            _ => None,
        };
        let (from, length) = (count(from)?, count(length)?);
        let Side::Text(bytes, collation) = Side::of_column(row.table.column_of(text)?, row)? else {
            return None;
        };
        let charset = e.ty.collation.charset();
        if collation.charset() != charset {
            return None;
        }
        let rest = &bytes[charset.offset_of_char(bytes, from - 1)..];
        Some(Side::Text(&rest[..charset.offset_of_char(rest, length)], e.ty.collation))
    }

    fn is_null(&self) -> bool {
        matches!(self, Side::Own(Value::Null) | Side::Ready(Value::Null))
    }

    /// As [`plain_order`].
    #[inline]
    fn order(&self, other: &Side<'_>, how: Comparison) -> Option<Option<Ordering>> {
        let (a, b) = match (self, other) {
            (Side::Text(a, of_a), Side::Text(b, of_b)) => {
                return match how {
                    Comparison::Str(collation) if of_a == of_b || of_a.charset() == of_b.charset() => {
                        let long = a.len().min(b.len());
                        Some(Some(aside(long, || collation.collation().compare(a, b))))
                    }
                    _ => None,
                };
            }
            (Side::Text(..), other) | (other, Side::Text(..)) => {
                // Text that is read as a number is read before the other side is found to be NULL.
                return (other.is_null() && matches!(how, Comparison::Str(_))).then_some(None);
            }
            (Side::Own(a), Side::Own(b)) => (a, b),
            (Side::Own(a), Side::Ready(b)) => (a, *b),
            (Side::Ready(a), Side::Own(b)) => (*a, b),
            (Side::Ready(a), Side::Ready(b)) => (*a, *b),
        };
        match b.is_null() && is_read(a, how) {
            true => None,
            false => plain_order(a, b, how),
        }
    }
}

impl Expr {
    /// The expression as a condition on a row that is not decoded: its truth as [`Expr::truth`] gives it, or `None`
    /// where that has to say.
    pub fn truth_stored(&self, row: &mut StoredRow<'_>, cx: &Cx<'_>) -> Option<Option<bool>> {
        match &self.kind {
            Kind::And(list) => {
                let mut unknown = false;
                for e in list {
                    match e.truth_stored(row, cx)? {
                        Some(false) => return Some(Some(false)),
                        None => unknown = true,
                        Some(true) => {}
                    }
                }
                Some((!unknown).then_some(true))
            }
            Kind::Or(list) => {
                let mut unknown = false;
                for e in list {
                    match e.truth_stored(row, cx)? {
                        Some(true) => return Some(Some(true)),
                        None => unknown = true,
                        Some(false) => {}
                    }
                }
                Some((!unknown).then_some(false))
            }
            Kind::Not(e) => Some(e.truth_stored(row, cx)?.map(|truth| !truth)),
            Kind::Compare(CompareOp::NullSafeEq, ..) => None,
            Kind::Compare(op, how, left, right) => {
                let order = Side::of(left, row, cx)?.order(&Side::of(right, row, cx)?, *how)?;
                Some(order.map(|order| holds(*op, order)))
            }
            Kind::Between { operands, how, negated } => {
                let [operand, low, high] = &**operands;
                let operand = Side::of(operand, row, cx)?;
                let above = operand.order(&Side::of(low, row, cx)?, *how)?.map(Ordering::is_ge);
                let below = operand.order(&Side::of(high, row, cx)?, *how)?.map(Ordering::is_le);
                Some(within(above, below).map(|truth| truth != *negated))
            }
            Kind::InList { operand, list, negated, among, .. } => {
                let operand = Side::of(operand, row, cx)?;
                let found = match (among, &operand) {
                    (Some(members), Side::Own(Value::Int(n))) if members.how == Comparison::Int => {
                        let found = members.keys.contains(&integer_key(*n < 0, *n as u64)[..]);
                        if found || !members.null { Some(found) } else { None }
                    }
                    (Some(members), Side::Text(text, of)) if is_sieved_out(members, text, *of) => Some(false),
                    _ => among_members(&operand, list, row, cx)?,
                };
                Some(found.map(|found| found != *negated))
            }
            Kind::Like { operands, escape, collation, negated } => {
                let [operand, pattern] = &**operands;
                let (operand, pattern) = (Side::of(operand, row, cx)?, Side::of(pattern, row, cx)?);
                let (Side::Text(text, of_text), Side::Text(pattern, of_pattern)) = (operand, pattern) else {
                    return None;
                };
                let charset = collation.charset();
                let long = text.len() >= LONG_BYTES;
                if long || of_text.charset() != charset || of_pattern.charset() != charset {
                    return None;
                }
                let matched = collation.collation().like(text, pattern, escape.map(u32::from));
                Some(Some(matched != *negated))
            }
            Kind::Is(IsTest::Null | IsTest::Unknown, negated, e) => {
                let column = row.table.column_of(e)?;
                Some(Some(row.bytes(column).ok()?.is_none() != *negated))
            }
            _ => None,
        }
    }
}

/// Whether a text is seen to be none of the members before it is compared with any.
#[inline]
fn is_sieved_out(members: &Members, text: &[u8], of: CollationId) -> bool {
    let Comparison::Str(by) = members.how else { return false };
    let number = if by.charset() == of.charset() { by.collation().sieve(text) } else { None };
    number.is_some_and(|number| members.sieve >> number & 1 == 0)
}

/// Whether a value is among the members of a list.
fn among_members(
    operand: &Side<'_>,
    list: &[(Comparison, Expr)],
    row: &mut StoredRow<'_>,
    cx: &Cx<'_>,
) -> Option<Option<bool>> {
    if operand.is_null() {
        return Some(None);
    }
    if list.len() > MEMBERS_MAX {
        return None;
    }
    if let Side::Text(text, of) = operand {
        return among_texts(text, *of, list, row, cx);
    }
    let mut unknown = false;
    for (how, member) in list {
        match operand.order(&Side::of(member, row, cx)?, *how)? {
            Some(Ordering::Equal) => return Some(Some(true)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Some((!unknown).then_some(false))
}

/// Whether a text is among the members of a list, which are texts in its character set.
fn among_texts(
    text: &[u8],
    of: CollationId,
    list: &[(Comparison, Expr)],
    row: &StoredRow<'_>,
    cx: &Cx<'_>,
) -> Option<Option<bool>> {
    let Some(&(Comparison::Str(by), _)) = list.first() else { return None };
    let collation = by.collation();
    for (how, member) in list {
        let Some(Value::Str(member)) = row.table.peek(member, cx) else { return None };
        if *how != Comparison::Str(by) || member.collation != of && member.collation.charset() != of.charset()
        {
            return None;
        }
        if collation.equal(text, &member.bytes) {
            return Some(Some(true));
        }
    }
    Some(Some(false))
}
