//! Counts, sums, means and ends of one table's rows, taken from the rows as they are stored.
//!
//! `SELECT SUM(price * (1 - discount)) FROM t GROUP BY status` needs few rows as values. The first row of a group is added
//! as everywhere (`group`), and so is one of which the way is not plain; what the bytes of its keys are is kept with the
//! group's number. Each further row is a look at its keys' bytes, and numbers reckoned from those of its other columns.
//! Where rows come in the order of the keys, the one group under way is all that is known.

use super::group::Groups;
use super::reader::{Reader, Taker, only_stored};
use super::{Cx, Flow, Next};
use crate::error::SqlError;
use crate::expr::aggregate::Accumulator;
use crate::expr::func::long::LONG_BYTES;
use crate::expr::reckon::{Reckoned, Reckoning};
use crate::expr::stored::{StoredRow, is_plain_text};
use crate::expr::{Class, Expr};
use crate::plan::{AggregateCall, Group, SelectPlan};
use crate::syntax::ast::AggregateKind;
use engine::FoundRow;
use hashbrown::HashMap;
use types::ColumnType;
use types::row::ColumnLayout;

/// So many keys as they are stored are remembered.
const KEYS_MAX: usize = 1 << 14;
/// Once so many more rows had to be added otherwise than not, none is looked at.
const UNSEEN_MAX: usize = 1 << 16;

/// What one more of something is to a count.
const ONE: Reckoned = Reckoned::Units(1, 0);

/// A block that only groups one table's rows.
pub struct Sums<'p> {
    reader: Reader<'p>,
    group: &'p Group,
}

/// What an aggregate takes of a row.
enum Of {
    /// That it is there.
    Row,
    /// Whether a column is not NULL.
    Presence(usize),
    /// A number.
    Number(Reckoning),
    /// A column's value, which is the best one seldom.
    Best(usize),
    /// A column's text, likewise.
    BestText(usize),
    /// An integer column's value, apart from others.
    Distinct(usize),
    /// A column's text, likewise.
    DistinctText(usize),
}

/// What rows of a group have in common.
enum Key {
    /// A column's bytes.
    Column(usize),
    /// A number.
    Number(Reckoning),
}

impl<'p> Sums<'p> {
    /// The block, if its aggregates are all that it makes of its one table's rows.
    pub fn of(plan: &'p SelectPlan, group: &'p Group) -> Option<Sums<'p>> {
        let (access, table) = only_stored(plan)?;
        let plain = plan.filter.is_empty()
            && plan.row_number.is_none()
            && access.gate.is_empty()
            && access.target.is_none();
        let whole = group.rollup.is_empty() && group.lasting.is_empty() && group.variables.is_empty();
        let reader = Reader { table, access, level: plan.level, decodes: true };
        (plain && whole).then_some(Sums { reader, group })
    }

    /// Adds the rows to `groups`; gives whether there was one. Groups that come one by one go to `next`.
    pub fn run(
        &self,
        groups: &mut Groups<'p>,
        cx: &mut Cx<'_>,
        next: Next<'_>,
    ) -> Result<(bool, Flow), SqlError> {
        let access = self.reader.access;
        super::query::count_access(access, true, cx);
        cx.note(access, 1, 0, 0);
        let of = |call| self.of_call(call, cx);
        let read = self.group.aggregates.iter().map(of).collect::<Option<Vec<_>>>();
        let keys = self.group.keys.iter().map(|key| self.key(&key.expr, cx)).collect::<Option<Vec<_>>>();
        let skimmed = read.zip(keys).map(|(read, keys)| Skimmed {
            read,
            keys,
            numbers: Vec::with_capacity(self.group.aggregates.len()),
            text: Vec::new(),
            key: Vec::new(),
            known: HashMap::new(),
            last: None,
            unseen: 0,
        });
        let mut adder = Adder { sums: self, groups, next, skimmed, any: false };
        let flow = self.reader.run(cx, &mut adder)?;
        Ok((adder.any, flow))
    }

    /// What an aggregate reads of rows as they are stored; none where it needs more.
    fn of_call(&self, call: &AggregateCall, cx: &Cx<'_>) -> Option<Of> {
        if call.kind == AggregateKind::CountStar || call.counts_rows() {
            return Some(Of::Row);
        }
        let [arg] = &call.args[..] else { return None };
        // Where no row is read, there are only rows to be counted.
        if self.reader.access.keys_only {
            return None;
        }
        let column = self.reader.stored().column_of(arg);
        let ty = column.map(|column| self.reader.table.layout().column(column).ty());
        match call.kind {
            AggregateKind::Count if call.distinct => match ty? {
                // The few beyond the signed ones are looked at otherwise.
                ColumnType::Integer(_) => Some(Of::Distinct(column?)),
                ty if is_plain_text(ty) => Some(Of::DistinctText(column?)),
                _ => None,
            },
            _ if call.distinct => None,
            AggregateKind::Count => match column {
                Some(column) => Some(Of::Presence(column)),
                None => Some(Of::Number(Reckoning::of(arg, self.reader.stored(), cx)?)),
            },
            AggregateKind::Sum | AggregateKind::Avg => {
                let number = Reckoning::of(arg, self.reader.stored(), cx)?;
                // The sum of a group adds what the column of its argument would hold.
                let whole = !call.of_group
                    || arg.ty.class() != Class::Decimal
                    || number.scale().is_none_or(|scale| scale <= arg.ty.decimals);
                whole.then_some(Of::Number(number))
            }
            AggregateKind::Min | AggregateKind::Max => {
                let layout = self.reader.table.layout().column(column?);
                match layout.ty() {
                    ty if is_plain_text(ty) => Some(Of::BestText(column?)),
                    ColumnType::Double(_) => Some(Of::Best(column?)),
                    _ => layout.is_ranked().then_some(Of::Best(column?)),
                }
            }
            _ => None,
        }
    }

    fn key(&self, e: &Expr, cx: &Cx<'_>) -> Option<Key> {
        if self.reader.access.keys_only {
            return None;
        }
        match self.reader.stored().column_of(e) {
            Some(column) => Some(Key::Column(column)),
            None => Some(Key::Number(Reckoning::of(e, self.reader.stored(), cx)?)),
        }
    }
}

/// Adds rows to their groups.
struct Adder<'a, 'p> {
    sums: &'a Sums<'p>,
    groups: &'a mut Groups<'p>,
    next: Next<'a>,
    /// How rows are read as they are stored, where they are.
    skimmed: Option<Skimmed>,
    /// There was a row.
    any: bool,
}

/// Rows as they are stored.
struct Skimmed {
    read: Vec<Of>,
    keys: Vec<Key>,
    /// What the aggregates take of the row under way.
    numbers: Vec<Reckoned>,
    /// The sort key of a text.
    text: Vec<u8>,
    /// The key of the row under way, as it is stored.
    key: Vec<u8>,
    /// The numbers of groups by such keys.
    known: HashMap<Box<[u8]>, usize>,
    /// The key of the last row that was looked at so, where groups come in order and it is the one under way.
    last: Option<Vec<u8>>,
    /// How many more rows had to be added otherwise than not.
    unseen: usize,
}

impl Taker for Adder<'_, '_> {
    fn take(&mut self, _: FoundRow<'_>, cx: &mut Cx<'_>) -> Result<Flow, SqlError> {
        self.any = true;
        if !self.sums.group.in_order {
            self.groups.add(cx)?;
            return Ok(Flow::Continue);
        }
        if let Some(skimmed) = &mut self.skimmed {
            skimmed.last = None;
        }
        self.groups.add_in_order(cx, self.next)
    }

    fn skims(&self) -> bool {
        self.skimmed.as_ref().is_some_and(|skimmed| skimmed.unseen < UNSEEN_MAX) && !self.groups.is_late()
    }

    fn skim(&mut self, row: &mut StoredRow<'_>, cx: &mut Cx<'_>) -> Result<Option<Flow>, SqlError> {
        let Some(skimmed) = &mut self.skimmed else { return Ok(None) };
        if self.groups.is_late() || !skimmed.read_key(row) {
            return Ok(None);
        }
        let known = match (skimmed.keys.is_empty(), self.sums.group.in_order) {
            (true, _) => self.groups.only(),
            (_, true) => self.groups.only().filter(|_| skimmed.last.as_ref() == Some(&skimmed.key)),
            (_, false) => skimmed.known.get(&skimmed.key[..]).copied(),
        };
        if let Some(group) = known {
            let accumulators = self.groups.accumulators(group);
            if skimmed.read_numbers(row, &self.sums.group.aggregates, accumulators) {
                skimmed.unseen = skimmed.unseen.saturating_sub(1);
                let grown = skimmed.add_numbers(row, accumulators)?;
                self.groups.count_row(grown, cx)?;
                return Ok(Some(Flow::Continue));
            }
        }
        self.sums.reader.deliver(row, cx)?;
        self.any = true;
        if self.sums.group.in_order {
            // Keys of other bytes may be equal all the same.
            std::mem::swap(skimmed.last.get_or_insert_default(), &mut skimmed.key);
            return self.groups.add_behind(cx, self.next).map(Some);
        }
        skimmed.unseen += 1;
        let group = self.groups.add(cx)?;
        if let Some(group) = group.filter(|_| known.is_none() && skimmed.known.len() < KEYS_MAX) {
            skimmed.known.insert(skimmed.key[..].into(), group);
        }
        Ok(Some(Flow::Continue))
    }
}

/// What a column adds: nothing where it is NULL, else what `of` makes of its bytes; none where the row has to be looked at
/// otherwise.
#[inline]
fn added(
    row: &mut StoredRow<'_>,
    column: usize,
    of: impl FnOnce(&ColumnLayout, &[u8]) -> Option<Reckoned>,
) -> Option<Reckoned> {
    row.read(column, of).map(|number| number.unwrap_or(Reckoned::Null))
}

impl Skimmed {
    /// Reads the row's key; false where that is not plain.
    fn read_key(&mut self, row: &mut StoredRow<'_>) -> bool {
        self.key.clear();
        for key in &self.keys {
            match key {
                Key::Column(column) => match row.bytes(*column) {
                    // Of columns that vary the bytes begin with their length.
                    Ok(bytes) => {
                        self.key.push(u8::from(bytes.is_some()));
                        self.key.extend_from_slice(bytes.unwrap_or_default());
                    }
                    Err(_) => return false,
                },
                Key::Number(number) => match number.of_row(row) {
                    Some(Reckoned::Null) => self.key.push(0),
                    Some(Reckoned::Units(units, _)) => {
                        self.key.push(1);
                        self.key.extend_from_slice(&units.to_ne_bytes());
                    }
                    Some(Reckoned::Real(number)) => {
                        self.key.push(1);
                        self.key.extend_from_slice(&number.to_ne_bytes());
                    }
                    None => return false,
                },
            }
        }
        true
    }

    /// Reads what the aggregates of the row's group take of it; false where the row has to be looked at otherwise.
    fn read_numbers(
        &mut self,
        row: &mut StoredRow<'_>,
        calls: &[AggregateCall],
        accumulators: &[Accumulator],
    ) -> bool {
        self.numbers.clear();
        for ((of, call), accumulator) in self.read.iter().zip(calls).zip(accumulators) {
            let number = match of {
                Of::Row => Some(ONE),
                Of::Presence(column) => added(row, *column, |_, _| Some(ONE)),
                Of::Number(number) => number.of_row(row),
                // Those that are no better change nothing.
                Of::Best(column) => added(row, *column, |layout, bytes| {
                    let value = layout.decode(bytes).ok()?;
                    accumulator.outdoes(&value, call).then_some(Reckoned::Null)
                }),
                Of::BestText(column) => added(row, *column, |layout, bytes| {
                    let text = layout.payload(bytes);
                    accumulator.outdoes_text(text, layout.collation(), call).then_some(Reckoned::Null)
                }),
                Of::Distinct(column) => {
                    added(row, *column, |layout, bytes| Some(Reckoned::Units(layout.units(bytes)?.into(), 0)))
                }
                Of::DistinctText(column) => added(row, *column, |layout, bytes| {
                    (layout.payload(bytes).len() < LONG_BYTES).then_some(ONE)
                }),
            };
            let Some(number) = number else { return false };
            self.numbers.push(number);
        }
        true
    }

    /// Adds what was read to the aggregates of the row's group; gives the bytes that they keep of it.
    #[inline]
    fn add_numbers(
        &mut self,
        row: &mut StoredRow<'_>,
        accumulators: &mut [Accumulator],
    ) -> Result<usize, SqlError> {
        let mut grown = 0;
        for ((of, accumulator), number) in self.read.iter().zip(accumulators).zip(&self.numbers) {
            match (of, number) {
                (_, Reckoned::Null) => {}
                (Of::Distinct(_), Reckoned::Units(n, _)) => grown += accumulator.count_integer(*n as i64),
                (Of::DistinctText(column), _) => {
                    let layout = row.table.layout.column(*column);
                    self.text.clear();
                    self.text.push(1);
                    if let Ok(Some(bytes)) = row.bytes(*column) {
                        layout.collation().collation().append_key(layout.payload(bytes), &mut self.text);
                    }
                    grown += accumulator.count_key(&self.text);
                }
                _ => accumulator.add_number(number)?,
            }
        }
        Ok(grown)
    }
}
