//! Conditions made ready for many stored rows.
//!
//! What [`Expr::truth_stored`] finds out for each row anew (which side is the column, what the constant is, how they
//! compare) a long scan finds out once. A test holds the constants of this run of the scan, in the character set or as
//! the rank ([`types::row::ColumnLayout::rank`]) that the column's bytes are looked at in. A condition without a test,
//! and a row that a test cannot tell of, goes the way of all others.

use super::compare::{holds, text_in};
use super::func::long::LONG_BYTES;
use super::reckon::Reckoning;
use super::stored::{StoredRow, StoredTable, is_plain_text};
use super::{CompareOp, Comparison, Expr, Kind};
use crate::exec::Cx;
use crate::syntax::ast::IsTest;
use types::charset::Collation;
use types::row::ColumnLayout;
use types::{CollationId, ColumnType, DateTime, Value};

/// Texts of a list that are looked at one by one at most.
const TEXTS_MAX: usize = 32;
/// Numbers of a list that are looked at one by one at most.
const NUMBERS_MAX: usize = 8;
/// Ranks of a list that are made ready for a scan at most: longer lists have their members found once a statement.
const RANKS_MAX: usize = 256;

/// An operator, and how the two sides are compared.
type How = (CompareOp, Comparison);

/// Tests in the place of conditions.
#[derive(Default)]
pub struct Screen {
    tests: Vec<Option<Test>>,
}

/// A condition on the bytes of a row. Each is unknown where its column is NULL, but for the test of that.
pub(super) enum Test {
    /// The column's rank is among `ranks`, or is not.
    Ranks { column: usize, ranks: Ranks, negated: bool },
    /// The ranks of two columns compare so.
    Columns { op: CompareOp, left: usize, right: usize },
    /// Numbers compare so.
    Numbers { op: CompareOp, sides: Box<[Reckoning; 2]> },
    /// The text compares so with another.
    Text { of: Text, op: CompareOp, other: Box<[u8]> },
    /// The text is one of these, or is not.
    Texts { of: Text, members: Box<[Box<[u8]>]>, sieve: u64, negated: bool },
    /// The text is LIKE a pattern, or is not.
    Like { of: Text, pattern: Box<[u8]>, escape: Option<u32>, negated: bool },
    /// The column is NULL, or is not.
    Null { column: usize, negated: bool },
    /// All hold.
    All(Box<[Test]>),
    /// One holds.
    Any(Box<[Test]>),
    /// It does not hold.
    Not(Box<Test>),
}

/// Ranks asked for.
pub(super) enum Ranks {
    /// From the one to the other.
    Within(i64, i64),
    /// These many above the first, a bit each.
    Near(i64, u64),
    /// These, in order.
    Listed(Box<[i64]>),
}

impl Ranks {
    /// All that a column may have from one rank to another; these may lie beyond.
    fn within(low: i128, high: i128) -> Ranks {
        let clamped = |rank: i128| rank.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        match low > i128::from(i64::MAX) || high < i128::from(i64::MIN) {
            true => Ranks::Listed([].into()),
            false => Ranks::Within(clamped(low), clamped(high)),
        }
    }

    /// Those of a list that a column may have.
    fn listed(ranks: &[i128]) -> Ranks {
        let mut ranks: Vec<i64> = ranks.iter().filter_map(|rank| i64::try_from(*rank).ok()).collect();
        ranks.sort_unstable();
        ranks.dedup();
        match (ranks.first(), ranks.last()) {
            (Some(&first), Some(&last)) if last.abs_diff(first) < 64 => {
                Ranks::Near(first, ranks.iter().fold(0, |bits, rank| bits | 1 << rank.abs_diff(first)))
            }
            _ => Ranks::Listed(ranks.into()),
        }
    }

    /// Those that compare so with a rank, or (with true) those that do not; none for operators that are no range.
    fn compared(op: CompareOp, rank: i128) -> Option<(Ranks, bool)> {
        Some(match op {
            CompareOp::Eq => (Ranks::within(rank, rank), false),
            CompareOp::Ne => (Ranks::within(rank, rank), true),
            CompareOp::Lt => (Ranks::within(rank, i128::MAX), true),
            CompareOp::Ge => (Ranks::within(rank, i128::MAX), false),
            CompareOp::Gt => (Ranks::within(i128::MIN, rank), true),
            CompareOp::Le => (Ranks::within(i128::MIN, rank), false),
            CompareOp::NullSafeEq => return None,
        })
    }

    #[inline]
    fn have(&self, rank: i64) -> bool {
        match self {
            Ranks::Within(low, high) => *low <= rank && rank <= *high,
            Ranks::Near(first, bits) => {
                let above = rank.wrapping_sub(*first) as u64;
                above < 64 && bits >> above & 1 == 1
            }
            Ranks::Listed(ranks) => ranks.binary_search(&rank).is_ok(),
        }
    }
}

/// A text column, or a part of it, in the character set that it is compared in.
pub(super) struct Text {
    column: usize,
    /// Characters left out at the beginning, and taken at most.
    part: Option<(usize, usize)>,
    collation: &'static Collation,
}

impl Text {
    /// The text that an expression is, if it needs no conversion for a collation.
    fn of(e: &Expr, table: StoredTable<'_>, by: CollationId, cx: &Cx<'_>) -> Option<Text> {
        let (column, part) = match &e.kind {
            Kind::Call(call) => {
                let [text, from, length] = call.substring()?;
                let count = |e: &Expr| match table.peek(e, cx) {
                    Some(&Value::Int(n)) if n > 0 => usize::try_from(n).ok(),
                    _ => None,
                };
                (table.column_of(text)?, Some((count(from)? - 1, count(length)?)))
            }
            _ => (table.column_of(e)?, None),
        };
        let layout = table.layout.column(column);
        let fits = is_plain_text(layout.ty()) && layout.collation().charset() == by.charset();
        let fits = fits && (part.is_none() || e.ty.collation.charset() == by.charset());
        fits.then(|| Text { column, part, collation: by.collation() })
    }

    /// Its bytes: `None` for a row that the test cannot tell of, of which texts that are long are some; the inner one
    /// for NULL.
    #[inline]
    fn bytes<'r>(&self, row: &mut StoredRow<'r>) -> Option<Option<&'r [u8]>> {
        let layout = row.table.layout.column(self.column);
        let Some(bytes) = row.bytes(self.column).ok()? else { return Some(None) };
        let text = layout.payload(bytes);
        if text.len() >= LONG_BYTES {
            return None;
        }
        let Some((from, length)) = self.part else { return Some(Some(text)) };
        let charset = self.collation.charset;
        let rest = &text[charset.offset_of_char(text, from)..];
        Some(Some(&rest[..charset.offset_of_char(rest, length)]))
    }
}

/// The rank of the instant of a local time.
fn instant_rank(layout: &ColumnLayout, at: DateTime, fsp: u8, cx: &Cx<'_>) -> Option<i128> {
    let (instant, moved) = cx.state.vars.time_zone.to_timestamp(at)?;
    if moved { None } else { layout.rank_of(&Value::Timestamp(instant, fsp)) }
}

impl StoredTable<'_> {
    /// The rank that an expression has beside a column's.
    fn rank(self, column: usize, e: &Expr, how: Comparison, cx: &Cx<'_>) -> Option<i128> {
        let layout = self.layout.column(column);
        let value = match self.peek(e, cx)? {
            // Text was read, and warned of, when it was compared for the first time.
            text @ Value::Str(_) => {
                let read = cx.state.statement.constants.get(&(std::ptr::from_ref(e) as usize, how))?;
                if read.source != *text {
                    return None;
                }
                &read.read
            }
            value => value,
        };
        match (layout.ty(), value) {
            (ColumnType::Timestamp(_), Value::DateTime(at, fsp)) => instant_rank(layout, *at, *fsp, cx),
            (ColumnType::Timestamp(_), Value::Date(date)) => instant_rank(layout, date.at_midnight(), 0, cx),
            _ => layout.rank_of(value),
        }
    }

    /// The column that an expression is, where comparing its values so is comparing their ranks.
    fn ranked(self, e: &Expr, how: Comparison, cx: &Cx<'_>) -> Option<usize> {
        let column = self.column_of(e)?;
        let layout = self.layout.column(column);
        let as_it_is = match layout.ty() {
            ColumnType::Integer(_) => matches!(how, Comparison::Int | Comparison::Decimal),
            ColumnType::Decimal(_) => how == Comparison::Decimal,
            ColumnType::Date | ColumnType::DateTime(_) => how == Comparison::DateTime,
            ColumnType::Time(_) => how == Comparison::Time,
            // Where instants order as the local times that are compared.
            ColumnType::Timestamp(_) => how == Comparison::DateTime && cx.state.keeps_one_offset(),
            _ => false,
        };
        (as_it_is && layout.is_ranked()).then_some(column)
    }

    /// A constant text in the character set of a collation.
    fn text(self, e: &Expr, by: CollationId, cx: &Cx<'_>) -> Option<Box<[u8]>> {
        match self.peek(e, cx)? {
            text @ Value::Str(_) => Some(text_in(text, by)?.into()),
            _ => None,
        }
    }

    /// A condition as a test; none for what is not that plain.
    pub(super) fn test(self, e: &Expr, cx: &Cx<'_>) -> Option<Test> {
        let tests = |list: &[Expr]| list.iter().map(|e| self.test(e, cx)).collect::<Option<Box<[Test]>>>();
        match &e.kind {
            Kind::And(list) => Some(Test::All(tests(list)?)),
            Kind::Or(list) => Some(Test::Any(tests(list)?)),
            Kind::Not(e) => Some(Test::Not(Box::new(self.test(e, cx)?))),
            Kind::Compare(op, how, left, right) => self.compared((*op, *how), [left, right], cx),
            Kind::Between { operands, how, negated } => {
                let [operand, low, high] = &**operands;
                let Some(column) = self.ranked(operand, *how, cx) else {
                    let above = self.numbers((CompareOp::Ge, *how), [operand, low], cx)?;
                    let below = self.numbers((CompareOp::Le, *how), [operand, high], cx)?;
                    return Some(Test::All([above, below].into()).negated_if(*negated));
                };
                let ends = (self.rank(column, low, *how, cx)?, self.rank(column, high, *how, cx)?);
                Some(Test::Ranks { column, ranks: Ranks::within(ends.0, ends.1), negated: *negated })
            }
            Kind::InList { operand, list, negated, .. } => self.membership(operand, list, *negated, cx),
            Kind::Like { operands, escape, collation, negated } => {
                let [operand, pattern] = &**operands;
                let of = Text::of(operand, self, *collation, cx)?;
                let pattern = self.text(pattern, *collation, cx)?;
                Some(Test::Like { of, pattern, escape: escape.map(u32::from), negated: *negated })
            }
            Kind::Is(IsTest::Null | IsTest::Unknown, negated, e) => {
                Some(Test::Null { column: self.column_of(e)?, negated: *negated })
            }
            _ => None,
        }
    }

    /// The test of a comparison, of two sides.
    pub(super) fn compared(self, (op, how): How, [left, right]: [&Expr; 2], cx: &Cx<'_>) -> Option<Test> {
        if op == CompareOp::NullSafeEq {
            return None;
        }
        self.comparison((op, how), [left, right], cx)
            .or_else(|| self.comparison((op.turned(), how), [right, left], cx))
            .or_else(|| self.numbers((op, how), [left, right], cx))
    }

    /// A column on the left compared with a constant, or with another column.
    fn comparison(self, (op, how): How, [left, right]: [&Expr; 2], cx: &Cx<'_>) -> Option<Test> {
        if let Comparison::Str(by) = how {
            return Some(Test::Text {
                of: Text::of(left, self, by, cx)?,
                op,
                other: self.text(right, by, cx)?,
            });
        }
        let column = self.ranked(left, how, cx)?;
        if let Some(other) = self.ranked(right, how, cx) {
            let alike = self.layout.column(column).ranks_with(self.layout.column(other));
            return alike.then_some(Test::Columns { op, left: column, right: other });
        }
        let (ranks, negated) = Ranks::compared(op, self.rank(column, right, how, cx)?)?;
        Some(Test::Ranks { column, ranks, negated })
    }

    /// Numbers that are reckoned from columns compared with each other, or with constants.
    fn numbers(self, (op, how): How, [left, right]: [&Expr; 2], cx: &Cx<'_>) -> Option<Test> {
        let side = |e| Reckoning::compared(e, how, self, cx);
        Some(Test::Numbers { op, sides: Box::new([side(left)?, side(right)?]) })
    }

    fn membership(
        self,
        operand: &Expr,
        list: &[(Comparison, Expr)],
        negated: bool,
        cx: &Cx<'_>,
    ) -> Option<Test> {
        let &(how, _) = list.first()?;
        let most = if matches!(how, Comparison::Str(_)) { TEXTS_MAX } else { RANKS_MAX };
        if list.len() > most || list.iter().any(|(other, _)| *other != how) {
            return None;
        }
        if let Comparison::Str(by) = how {
            let of = Text::of(operand, self, by, cx)?;
            let members: Option<Box<[_]>> = list.iter().map(|(_, e)| self.text(e, by, cx)).collect();
            let members: Box<[Box<[u8]>]> = members?;
            let sieve = members
                .iter()
                .fold(0, |bits, text| bits | of.collation.sieve(text).map_or(u64::MAX, |number| 1 << number));
            return Some(Test::Texts { of, members, sieve, negated });
        }
        let Some(column) = self.ranked(operand, how, cx) else {
            let equal = |(_, e): &(Comparison, Expr)| self.numbers((CompareOp::Eq, how), [operand, e], cx);
            let tests = list.iter().take(NUMBERS_MAX + 1).map(equal).collect::<Option<Box<[Test]>>>()?;
            return (tests.len() <= NUMBERS_MAX).then(|| Test::Any(tests).negated_if(negated));
        };
        let ranks: Option<Vec<i128>> = list.iter().map(|(_, e)| self.rank(column, e, how, cx)).collect();
        Some(Test::Ranks { column, ranks: Ranks::listed(&ranks?), negated })
    }
}

impl Screen {
    /// Makes conditions ready that rows of a table are about to be looked at with; some have been already.
    pub fn of(conditions: &[Expr], table: StoredTable<'_>, cx: &Cx<'_>) -> Screen {
        Screen { tests: conditions.iter().map(|e| table.test(e, cx)).collect() }
    }

    /// Whether all conditions have been made ready.
    pub fn is_whole(&self) -> bool {
        self.tests.iter().all(Option::is_some)
    }

    /// Whether a row passes all conditions; `None` where that has to be found out otherwise.
    #[inline]
    pub fn passes(&self, row: &mut StoredRow<'_>) -> Option<bool> {
        for test in &self.tests {
            if test.as_ref()?.truth(row)? != Some(true) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The truth of a condition, by its number, on a row; as [`Expr::truth_stored`] gives it.
    #[inline]
    pub fn truth(&self, condition: usize, row: &mut StoredRow<'_>) -> Option<Option<bool>> {
        self.tests.get(condition)?.as_ref()?.truth(row)
    }
}

impl Test {
    fn negated_if(self, negated: bool) -> Test {
        if negated { Test::Not(Box::new(self)) } else { self }
    }

    /// The truth in a row, the inner `None` for unknown; `None` where the test cannot tell.
    pub(super) fn truth(&self, row: &mut StoredRow<'_>) -> Option<Option<bool>> {
        Some(match self {
            Test::Ranks { column, ranks, negated } => {
                row.rank(*column)?.map(|rank| ranks.have(rank) != *negated)
            }
            Test::Columns { op, left, right } => {
                let (Some(left), Some(right)) = (row.rank(*left)?, row.rank(*right)?) else {
                    return Some(None);
                };
                Some(holds(*op, left.cmp(&right)))
            }
            Test::Numbers { op, sides } => {
                let order = sides[0].of_row(row)?.order(sides[1].of_row(row)?)?;
                order.map(|order| holds(*op, order))
            }
            Test::Text { of, op, other } => of.bytes(row)?.map(|text| match op {
                CompareOp::Eq => of.collation.equal(text, other),
                CompareOp::Ne => !of.collation.equal(text, other),
                _ => holds(*op, of.collation.compare(text, other)),
            }),
            Test::Texts { of, members, sieve, negated } => of.bytes(row)?.map(|text| {
                let sieved = of.collation.sieve(text).is_none_or(|number| sieve >> number & 1 == 1);
                let found = sieved && members.iter().any(|member| of.collation.equal(text, member));
                found != *negated
            }),
            Test::Like { of, pattern, escape, negated } => {
                of.bytes(row)?.map(|text| of.collation.like(text, pattern, *escape) != *negated)
            }
            Test::Null { column, negated } => Some(row.bytes(*column).ok()?.is_none() != *negated),
            Test::All(tests) => each_of(tests, false, row)?,
            Test::Any(tests) => each_of(tests, true, row)?,
            Test::Not(test) => test.truth(row)?.map(|truth| !truth),
        })
    }
}

/// The truth of tests of which one that is `decisive` decides.
fn each_of(tests: &[Test], decisive: bool, row: &mut StoredRow<'_>) -> Option<Option<bool>> {
    let mut unknown = false;
    for test in tests {
        match test.truth(row)? {
            Some(truth) if truth == decisive => return Some(Some(decisive)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Some((!unknown).then_some(!decisive))
}
