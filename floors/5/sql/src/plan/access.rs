//! How a table's rows are found: points, ranges, orders of indexes.

use super::estimate::{TableFacts, is_known_now};
use super::order::Condition;
use super::{Access, KeyRange, Opening, Source, TableAccess};
use crate::error::SqlError;
use crate::expr::exact::is_constant_cast;
use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Slot, build};
use crate::session::State;
use crate::syntax::ast::IsTest;
use engine::Table;
use std::collections::BTreeSet;
use types::charset::LikePrefix;
use types::table::IndexPart;
use types::{ColumnDef, ColumnType, IndexDef, Value};

pub mod entries;
mod rows;
pub mod taken;
mod union;

/// A way to read a table, with what is expected of it.
pub struct Choice {
    /// The way.
    pub access: Access,
    /// Rows that it looks at.
    pub scanned: f64,
    /// Rows that the conditions on this table keep of them.
    pub rows: f64,
    /// What it costs.
    pub cost: f64,
    /// Places of the conditions that hold for every row found so, as long as the keys made are exact.
    pub answered: Vec<usize>,
}

impl Choice {
    /// All rows are looked at, `rows` of them kept.
    fn scan(all_rows: f64, rows: f64) -> Choice {
        let cost = all_rows * cost::ROW;
        Choice { access: Access::Scan, scanned: all_rows, rows, cost, answered: Vec::new() }
    }

    /// Whether all rows are looked at.
    pub fn is_scan(&self) -> bool {
        self.access.reads_all()
    }
}

/// What things cost, in rows scanned; measured on TPC-H.
pub mod cost {
    /// A row of a scan or of a range of the primary key.
    pub const ROW: f64 = 1.0;
    /// A row found through a secondary index: its entry, then the row.
    pub const FETCH: f64 = 5.0;
    /// An entry of a secondary index that holds all that is wanted of the row.
    pub const ENTRY: f64 = 1.5;
    /// Going down an index.
    pub const LOOKUP: f64 = 5.0;
    /// A row put into a hash table.
    pub const BUILD: f64 = 1.5;
    /// Looking into a hash table.
    pub const PROBE: f64 = 0.7;
    /// A row found in a hash table.
    pub const MATCH: f64 = 0.3;
    /// A row of a result kept in memory.
    pub const KEPT: f64 = 0.3;
    /// Making all rows must cost so many times as much as looking some of them up.
    pub const SURELY_CHEAPER: f64 = 2.0;
}

/// Members of IN lists beyond this are checked, not looked up one by one.
const MAX_RANGES: usize = 32_768;
/// Rows of a table whose changes find them by an index if there is one, whatever it costs.
const FEW: f64 = 1000.0;
/// That between two of them, as PostgreSQL takes it.
pub const BETWEEN_KEEPS: f64 = 0.005;

/// Chooses how to read `table`, given the conditions that can be checked once it has a row and the slots whose values
/// are known before. A table that stands `alone` is not sampled: how many rows its conditions keep changes nothing.
pub fn choose(
    table: &TableAccess,
    facts: &TableFacts,
    conditions: &[Condition],
    known: &BTreeSet<u32>,
    level: u32,
    (params, alone): (&[Value], bool),
    state: &mut State,
) -> Result<Choice, SqlError> {
    let exprs: Vec<&Expr> = conditions.iter().map(|c| &c.expr).collect();
    let all_rows = facts.rows;
    let Source::Base(base) = &table.source else {
        let rows = all_rows * facts.kept(table, &exprs, level, params, state);
        let made = match &table.source {
            Source::Derived { plan, .. } | Source::Distinct { plan, .. } => plan.cost(),
            Source::Lateral(lateral) => lateral.plan.cost(),
            _ => 0.0,
        };
        return Ok(Choice {
            access: Access::Scan,
            scanned: all_rows,
            rows,
            cost: made + all_rows * cost::KEPT,
            answered: Vec::new(),
        });
    };
    let finder = Finder { table, base, conditions, known, level, one_offset: state.keeps_one_offset() };
    let mut found = finder.by_index();
    let primary = base.primary_index();
    let points = (0..found.len()).filter(|&at| found[at].1.is_point());
    if let Some(at) = points.min_by_key(|&at| Some(found[at].0) != primary) {
        // One row: nothing is better, and nothing has to be estimated.
        let (number, Found { ranges, answered, .. }) = found.swap_remove(at);
        let keys = ranges.into_iter().flat_map(|r| r.equal).map(|(e, _)| e).collect();
        return Ok(Choice {
            access: Access::Point(number, keys),
            scanned: 1.0,
            rows: 1.0,
            cost: cost::LOOKUP,
            answered,
        });
    }
    if found.is_empty() && conditions.is_empty() {
        return Ok(Choice::scan(all_rows, all_rows));
    }
    let kept = match alone {
        true => TableFacts::guessed(&exprs),
        false => facts.kept(table, &exprs, level, params, state),
    };
    let kept = all_rows * kept;
    let mut best = Choice::scan(all_rows, kept);
    // A change locks what it looks at, and under `sql_safe_updates` must not look at all.
    let forced = table.hints.forced() || has_bounds_of_casts(&found, table, base);
    if forced || table.target.is_some() && all_rows <= FEW {
        best.cost = f64::INFINITY;
    }
    if let Some((index, found, scanned, cost)) = cheapest(&finder, found, facts, (params, &mut *state))?
        && cost < best.cost
    {
        let access = Access::Ranges { index, ranges: found.ranges, reverse: false };
        best = Choice { access, scanned, rows: kept.min(scanned), cost, answered: found.answered };
    }
    let cheaper = union::choose(&finder, facts, best.cost, (params, state))?;
    if let Some((members, scanned, cost)) = cheaper {
        let rows = kept.min(scanned);
        best = Choice { access: Access::Union(members), scanned, rows, cost, answered: Vec::new() };
    }
    if best.cost.is_infinite() {
        best.cost = all_rows * cost::ROW;
    }
    Ok(best)
}

/// Whether some index is surely used in MariaDB for what is cast to text: as keys have it other rows are found than by the
/// whole number that conditions make of it.
fn has_bounds_of_casts(found: &[(usize, Found)], table: &TableAccess, base: &Table) -> bool {
    let is_cast = |(e, _): &(Expr, bool)| is_constant_cast(e);
    found.iter().any(|(index, found)| {
        let [range] = &found.ranges[..] else { return false };
        let cheap = base.primary_index() == Some(*index) || table.is_covered_by(base, *index);
        range.equal.iter().any(is_cast) || cheap && range.low.iter().chain(&range.high).any(is_cast)
    })
}

/// The cheapest way by the ranges of one of several indexes: its number, the ranges, the rows there, the cost.
fn cheapest(
    finder: &Finder<'_>,
    by_index: Vec<(usize, Found)>,
    facts: &TableFacts,
    (params, state): (&[Value], &mut State),
) -> Result<Option<(usize, Found, f64, f64)>, SqlError> {
    let mut best: Option<(usize, Found, f64, f64)> = None;
    for (number, found) in by_index {
        let scanned = entries::expected(finder.base, facts, number, &found, params, state)?;
        let cost =
            cost::LOOKUP * found.ranges.len() as f64 + scanned * finder.table.price_by(finder.base, number);
        if best.as_ref().is_none_or(|(.., held)| cost < *held) {
            best = Some((number, found, scanned, cost));
        }
    }
    Ok(best)
}

/// Ranges found for an index.
pub(super) struct Found {
    pub ranges: Vec<KeyRange>,
    /// Each range is one whole unique key without NULL.
    whole_unique: bool,
    parts_used: usize,
    /// Places of the conditions that the ranges answer.
    pub answered: Vec<usize>,
}

impl Found {
    /// Whether it is one row at most.
    fn is_point(&self) -> bool {
        self.whole_unique && self.ranges.len() == 1
    }
}

/// Finds ranges of a table's indexes in conditions.
pub(super) struct Finder<'f> {
    pub table: &'f TableAccess,
    pub base: &'f Table,
    pub conditions: &'f [Condition],
    /// Slots that have values before the table is read.
    pub known: &'f BTreeSet<u32>,
    pub level: u32,
    /// Instants order as local times do.
    pub one_offset: bool,
}

/// A bound on one column.
enum Bound {
    Equal(Expr, bool),
    Among(Vec<Expr>),
    Low(Expr, bool),
    High(Expr, bool),
    Between(Expr, Expr),
    /// What a BETWEEN says whose other bound is another column: from a value on, up to a value.
    From(Expr),
    UpTo(Expr),
    StartsWith(Opening),
    /// One of several, by OR.
    Any(Vec<KeyRange>),
    /// On either side of a value, or of a range.
    Outside(Box<[KeyRange; 2]>),
}

/// No slots.
static NONE: BTreeSet<u32> = BTreeSet::new();

impl<'f> Finder<'f> {
    /// Of a table before which nothing is read.
    pub fn alone(
        table: &'f TableAccess,
        base: &'f Table,
        conditions: &'f [Condition],
        level: u32,
        one_offset: bool,
    ) -> Finder<'f> {
        Finder { table, base, conditions, known: &NONE, level, one_offset }
    }
}

impl Finder<'_> {
    /// The ranges of each index that may find rows and whose first part the conditions bound.
    pub fn by_index(&self) -> Vec<(usize, Found)> {
        let indexes = self.base.def().indexes.iter().enumerate();
        let allowed = indexes.filter(|(number, _)| self.table.hints.may_find(*number));
        allowed.filter_map(|(number, index)| Some((number, self.ranges(index)?))).collect()
    }

    /// The ranges of an index that the conditions say, if they bound its first part.
    pub fn ranges(&self, index: &IndexDef) -> Option<Found> {
        let mut ranges = vec![KeyRange::default()];
        let mut parts_used = 0;
        let mut safe_nulls = false;
        let mut ended = false;
        let mut answered = Vec::new();
        // Conditions by texts that are read as numbers.
        let mut texts = Vec::new();
        let mut rest = &index.parts[..];
        while let Some((part, behind)) = rest.split_first() {
            if let Some((list, count)) = self.rows_among(rest, ranges.len()) {
                let with = |r: &KeyRange, row: &[Expr]| {
                    let mut r = r.clone();
                    r.equal.extend(row.iter().map(|e| (e.clone(), false)));
                    r
                };
                ranges = ranges.iter().flat_map(|r| list.iter().map(move |row| with(r, row))).collect();
                parts_used += count;
                rest = &rest[count..];
                continue;
            }
            rest = behind;
            let bounds = self.bounds_on(part.column);
            let whole_part = part.prefix_chars.is_none();
            let decides = whole_part && self.decides(&self.base.def().columns[part.column].ty);
            if let Some((place, expr, null_safe)) = bounds.iter().find_map(|(place, b)| match b {
                Bound::Equal(e, null_safe) => Some((*place, e, *null_safe)),
                _ => None,
            }) {
                let number = matches!(
                    self.base.def().columns[part.column].ty,
                    ColumnType::Integer(_) | ColumnType::Decimal(_) | ColumnType::Double(_)
                );
                let read = number && expr.ty.class() == Class::Str;
                if read { &mut texts } else { &mut answered }.extend(decides.then_some(place));
                ranges.iter_mut().for_each(|r| r.equal.push((expr.clone(), null_safe)));
                safe_nulls |= null_safe;
                parts_used += 1;
                if !whole_part {
                    ended = true;
                    break;
                }
                continue;
            }
            let among = bounds.iter().find_map(|(place, b)| match b {
                Bound::Among(list) if list.len() * ranges.len() <= MAX_RANGES => Some((*place, list)),
                _ => None,
            });
            if let Some((place, list)) = among {
                answered.extend(decides.then_some(place));
                let with = |r: &KeyRange, e: &Expr| {
                    let mut r = r.clone();
                    r.equal.push((e.clone(), false));
                    r
                };
                ranges = ranges.iter().flat_map(|r| list.iter().map(move |e| with(r, e))).collect();
                parts_used += 1;
                if !whole_part {
                    ended = true;
                    break;
                }
                continue;
            }
            let any = bounds.iter().find_map(|(place, b)| match b {
                Bound::Any(list) if list.len() * ranges.len() <= MAX_RANGES => Some((*place, list)),
                _ => None,
            });
            let outside = bounds.iter().find_map(|(_, b)| match b {
                Bound::Outside(sides) => Some(sides.clone()),
                _ => None,
            });
            let behind = |r: &KeyRange, last: &KeyRange| {
                let equal = r.equal.iter().chain(&last.equal).cloned().collect();
                KeyRange { equal, ..last.clone() }
            };
            if let Some((place, list)) = any.filter(|_| !part.desc) {
                ranges = match self.ranges_of_members(place, index).filter(|_| parts_used == 0) {
                    Some((ranges, whole)) => {
                        answered.extend(whole.then_some(place));
                        ranges
                    }
                    None => {
                        ranges.iter().flat_map(|r| list.iter().map(move |last| behind(r, last))).collect()
                    }
                };
                parts_used += 1;
            } else if !part.desc
                && let Some(places) = self.bound(&mut ranges, bounds)
            {
                answered.extend(places.into_iter().filter(|_| decides));
                parts_used += 1;
            } else if parts_used == 0
                && let Some(beyond) = self.rows_beyond(&index.parts)
            {
                ranges = beyond.ranges;
                answered.extend(beyond.whole.then_some(beyond.place));
                parts_used += 1;
            } else if decides
                && !part.desc
                && let Some(sides) = outside
            {
                ranges = ranges.iter().flat_map(|r| sides.iter().map(move |last| behind(r, last))).collect();
                parts_used += 1;
            }
            ended = true;
            break;
        }
        let whole = parts_used == index.parts.len() && !ended;
        let whole_unique = whole && index.is_unique() && !safe_nulls;
        // What is said of one that is a number but for its end is said of the only row that is found, and of those that
        // are changed.
        if !(whole_unique && ranges.len() == 1 || self.table.target.is_some()) {
            answered.append(&mut texts);
        }
        (parts_used > 0).then_some(Found { ranges, whole_unique, parts_used, answered })
    }

    /// The conditions that a member of an OR is made of.
    fn conditions_of(&self, member: &Expr) -> Vec<Condition> {
        let mut conjuncts = Vec::new();
        build::conjuncts(member.clone(), &mut conjuncts);
        conjuncts.into_iter().map(|e| Condition::new(e, self.level)).collect()
    }

    /// The ranges of an index that the members of an OR say, each by as many parts as it bounds; and whether they say all
    /// that the members do.
    fn ranges_of_members(&self, place: usize, index: &IndexDef) -> Option<(Vec<KeyRange>, bool)> {
        let Kind::Or(members) = &self.conditions[place].expr.kind else { return None };
        let mut ranges = Vec::with_capacity(members.len());
        let mut whole = true;
        for member in members {
            let conditions = self.conditions_of(member);
            let found = Finder { conditions: &conditions, ..*self }.ranges(index)?;
            whole &= (0..conditions.len()).all(|place| found.answered.contains(&place));
            ranges.extend(found.ranges);
        }
        (ranges.len() <= MAX_RANGES).then_some((ranges, whole))
    }

    /// Sets the bounds of the part behind the equal ones. Gives the places of the conditions that they answer; `None` where
    /// there was no bound.
    fn bound(&self, ranges: &mut [KeyRange], bounds: Vec<(usize, Bound)>) -> Option<Vec<usize>> {
        let (mut low, mut high, mut starts_with) = (Vec::new(), Vec::new(), None);
        let mut answered = Vec::new();
        for (place, bound) in bounds {
            match bound {
                Bound::Low(e, inclusive) => low.push((e, inclusive)),
                Bound::High(e, inclusive) => high.push((e, inclusive)),
                Bound::Between(a, b) => {
                    low.push((a, true));
                    high.push((b, true));
                }
                Bound::From(e) => {
                    low.push((e, true));
                    continue;
                }
                Bound::UpTo(e) => {
                    high.push((e, true));
                    continue;
                }
                Bound::StartsWith(opening) => {
                    starts_with = Some(opening);
                    continue;
                }
                Bound::Equal(..) | Bound::Among(_) | Bound::Any(_) | Bound::Outside(_) => continue,
            }
            answered.push(place);
        }
        if low.is_empty() && high.is_empty() && starts_with.is_none() {
            return None;
        }
        if starts_with.is_some() {
            // It takes the place of the bounds where the key is made.
            answered.clear();
        }
        for range in ranges {
            range.low = low.clone();
            range.high = high.clone();
            range.not_null = true;
            range.starts_with = starts_with.clone();
        }
        Some(answered)
    }

    /// What the conditions say of a column in terms that are known before the table is read, each with the place of the
    /// condition that says it.
    fn bounds_on(&self, column: usize) -> Vec<(usize, Bound)> {
        let slot = Slot { level: self.level, index: self.table.slots.start + column as u32 };
        let def = &self.base.def().columns[column];
        let mut bounds = Vec::new();
        for (place, condition) in self.conditions.iter().enumerate() {
            let mut found = Vec::new();
            self.bound_of(&condition.expr, slot, def, &mut found);
            bounds.extend(found.into_iter().map(|bound| (place, bound)));
        }
        bounds
    }

    fn bound_of(&self, e: &Expr, slot: Slot, def: &ColumnDef, bounds: &mut Vec<Bound>) {
        match &e.kind {
            Kind::Compare(op, how, left, right) => {
                if is_slot(left, slot) && self.is_known(right) && usable(*how, def, *op) {
                    bounds.extend(compare_bound(*op, right));
                } else if is_slot(right, slot) && self.is_known(left) && usable(*how, def, *op) {
                    bounds.extend(compare_bound(op.turned(), left));
                }
            }
            Kind::Between { operands, how, negated: false } => {
                let [operand, low, high] = &**operands;
                if !usable(*how, def, CompareOp::Lt) {
                    return;
                }
                let known = |e: &Expr| self.is_known(e);
                if is_slot(operand, slot) {
                    // Changes know a lower bound alone for one; who reads does not.
                    bounds.extend(match (known(low), known(high)) {
                        (true, true) => Some(Bound::Between(low.clone(), high.clone())),
                        (true, false) if self.table.target.is_some() => Some(Bound::From(low.clone())),
                        _ => None,
                    });
                } else if known(operand) {
                    bounds.extend(is_slot(low, slot).then(|| Bound::UpTo(operand.clone())));
                    bounds.extend(is_slot(high, slot).then(|| Bound::From(operand.clone())));
                }
            }
            Kind::Between { negated: true, .. } => bounds.extend(self.outside_of(e, slot, def)),
            Kind::Not(e) if matches!(e.kind, Kind::Between { negated: false, .. }) => {
                bounds.extend(self.outside_of(e, slot, def));
            }
            Kind::InList { operand, list, negated: false, .. }
                if is_slot(operand, slot)
                    && list.iter().all(|(how, e)| self.is_known(e) && usable(*how, def, CompareOp::Eq)) =>
            {
                bounds.push(Bound::Among(list.iter().map(|(_, e)| e.clone()).collect()));
            }
            Kind::Or(list) => bounds.extend(self.any_of(list, slot, def)),
            Kind::InRows { .. } => bounds.extend(self.members_of(e, slot, def)),
            Kind::Is(IsTest::Null, false, operand) if is_slot(operand, slot) && def.nullable => {
                bounds.push(Bound::Equal(build::constant(Value::Null), true));
            }
            // Never NULL: there is nothing to find.
            Kind::Is(IsTest::Null, false, operand) if is_slot(operand, slot) && !def.ty.is_temporal() => {
                bounds.push(Bound::Equal(build::constant(Value::Null), false));
            }
            Kind::Like { operands, escape, collation, negated: false } => {
                let [operand, pattern] = &**operands;
                let opens = |pattern: &Expr| match &pattern.kind {
                    Kind::Const(Value::Str(pattern)) => {
                        let escape = escape.map(u32::from);
                        !LikePrefix::of(collation.charset(), &pattern.bytes, escape).text.is_empty()
                    }
                    // A parameter's first value decides, by its cost.
                    _ => is_known_now(pattern),
                };
                if is_slot(operand, slot) && *collation == def.collation && opens(pattern) {
                    let (pattern, escape) = (pattern.clone(), *escape);
                    bounds.push(Bound::StartsWith(Opening { pattern, escape, collation: *collation }));
                }
            }
            _ => {}
        }
    }

    /// What lies outside of the range of a BETWEEN.
    fn outside_of(&self, between: &Expr, slot: Slot, def: &ColumnDef) -> Option<Bound> {
        let Kind::Between { operands, how, .. } = &between.kind else { return None };
        let [operand, low, high] = &**operands;
        let known = self.is_known(low) && self.is_known(high);
        let bounds = is_slot(operand, slot) && known && usable(*how, def, CompareOp::Lt);
        bounds.then(|| outside(low, high))
    }

    /// The ranges of an OR, each of whose members bounds the column.
    fn any_of(&self, list: &[Expr], slot: Slot, def: &ColumnDef) -> Option<Bound> {
        let mut ranges = Vec::with_capacity(list.len());
        for e in list {
            let mut conjuncts = Vec::new();
            build::conjuncts(e.clone(), &mut conjuncts);
            let mut bounds = Vec::new();
            conjuncts.iter().for_each(|e| self.bound_of(e, slot, def, &mut bounds));
            let equal =
                |e: &Expr, null_safe| KeyRange { equal: vec![(e.clone(), null_safe)], ..KeyRange::default() };
            let before = ranges.len();
            for bound in &bounds {
                match bound {
                    Bound::Equal(e, null_safe) => ranges.push(equal(e, *null_safe)),
                    Bound::Among(list) => ranges.extend(list.iter().map(|e| equal(e, false))),
                    Bound::Any(list) => ranges.extend(list.iter().cloned()),
                    _ => continue,
                }
                break;
            }
            if ranges.len() == before {
                let mut range = [KeyRange::default()];
                self.bound(&mut range, bounds.into_iter().map(|bound| (0, bound)).collect())?;
                ranges.extend(range);
            }
        }
        Some(Bound::Any(ranges))
    }

    /// A way by the shortest index that holds all columns wanted of the table, by its ranges if the conditions bound it,
    /// and the places of the conditions that the way answers; none where they bound other indexes. MariaDB reads the
    /// index alone then, and its order shows.
    pub fn covering(&self) -> Option<(Access, Vec<usize>)> {
        let (table, def) = (self.table, self.base.def());
        let primary = self.base.primary_index();
        let of_primary = primary.map(|index| &def.indexes[index].parts[..]).unwrap_or_default();
        if table.columns.is_empty() {
            return None;
        }
        let holds = |index: &IndexDef, column: usize| {
            let mut parts = index.parts.iter().chain(of_primary);
            parts.any(|part| part.column == column && part.prefix_chars.is_none())
        };
        let covers = |(number, index): &(usize, &IndexDef)| {
            // All columns by way of another index are no less to read than the rows by their primary key. What begins with
            // parts of texts is in no order to speak of.
            Some(*number) != primary
                && index.parts.first().is_some_and(|part| part.prefix_chars.is_none())
                && (primary.is_none() || index.parts.len() < def.columns.len())
                && table.columns.iter().all(|(column, _)| holds(index, *column))
        };
        let length = |(_, index): &(usize, &IndexDef)| super::explain::key_len(def, index, index.parts.len());
        let mut bounded = self.by_index();
        if bounded.is_empty() {
            let allowed = |(number, _): &(usize, &IndexDef)| table.hints.may_find(*number);
            let indexes = def.indexes.iter().enumerate();
            let (index, shortest) = indexes.filter(allowed).filter(covers).min_by_key(length)?;
            // An index that with the primary key has all columns is no less to read than the rows in that key's order.
            let has = |parts: &[IndexPart], column: usize| {
                parts.iter().any(|part| part.column == column && part.prefix_chars.is_none())
            };
            let added = of_primary.iter().filter(|part| !has(&shortest.parts, part.column)).count();
            let whole = shortest.parts.len() + added >= def.columns.len();
            let keyed = table.columns.iter().all(|(column, _)| has(of_primary, *column));
            let index = primary.filter(|_| whole && keyed).unwrap_or(index);
            return Some((Access::Index { index, reverse: false }, Vec::new()));
        }
        let indexes =
            bounded.iter().enumerate().map(|(at, (number, _))| (at, (*number, &def.indexes[*number])));
        let (at, _) = indexes.filter(|(_, index)| covers(index)).min_by_key(|(_, index)| length(index))?;
        let (index, Found { ranges, answered, .. }) = bounded.swap_remove(at);
        // Text beside a number's column is warned of where the rows are looked at.
        let warns = |(part, (e, _)): (&IndexPart, &(Expr, bool))| {
            matches!(e.kind, Kind::Const(Value::Str(_)) | Kind::Param(_))
                && e.ty.class() == Class::Str
                && def.columns[part.column].ty.is_numeric()
        };
        let parts = &def.indexes[index].parts;
        if ranges.iter().any(|range| parts.iter().zip(&range.equal).any(warns)) {
            return None;
        }
        Some((Access::Ranges { index, ranges, reverse: false }, answered))
    }

    /// As [`decides`], and of instants where these order as what they are compared as.
    fn decides(&self, ty: &ColumnType) -> bool {
        decides(ty) || self.one_offset && matches!(ty, ColumnType::Timestamp(_))
    }

    /// Whether an expression has its value before this table is read.
    fn is_known(&self, e: &Expr) -> bool {
        let mut known = true;
        e.visit(&mut |e| match &e.kind {
            Kind::Column(slot) if slot.level == self.level => known &= self.known.contains(&slot.index),
            Kind::Subquery(s) => known &= !s.correlated,
            Kind::Call(call) => known &= call.is_stable(),
            Kind::AssignUserVar(..) | Kind::Row(_) => known = false,
            _ => {}
        });
        known
    }
}

/// Whether a key range on a column of this type finds exactly the rows for which a usable comparison holds, as long as
/// the bounds are exact: the key has one form for each value, and orders as the comparison does.
pub(super) fn decides(ty: &ColumnType) -> bool {
    matches!(
        ty,
        ColumnType::Integer(_)
            | ColumnType::Decimal(_)
            | ColumnType::Double(_)
            | ColumnType::Date
            | ColumnType::DateTime(_)
            | ColumnType::Fixed(_)
    ) || ty.is_string()
}

fn is_slot(e: &Expr, slot: Slot) -> bool {
    matches!(e.kind, Kind::Column(s) if s == slot)
}

fn compare_bound(op: CompareOp, value: &Expr) -> Option<Bound> {
    let value = value.clone();
    Some(match op {
        CompareOp::Eq => Bound::Equal(value, false),
        CompareOp::NullSafeEq => Bound::Equal(value, true),
        CompareOp::Lt => Bound::High(value, false),
        CompareOp::Le => Bound::High(value, true),
        CompareOp::Gt => Bound::Low(value, false),
        CompareOp::Ge => Bound::Low(value, true),
        CompareOp::Ne => outside(&value, &value),
    })
}

/// What comes before one value or behind another.
fn outside(low: &Expr, high: &Expr) -> Bound {
    let before = KeyRange { high: vec![(low.clone(), false)], not_null: true, ..KeyRange::default() };
    let behind = KeyRange { low: vec![(high.clone(), false)], not_null: true, ..KeyRange::default() };
    Bound::Outside(Box::new([before, behind]))
}

/// Whether a comparison made in the given way agrees with the order of the column's keys. Values that a column cannot
/// hold exactly are seen when the key is made; the range is widened then and the condition decides.
pub fn usable(how: Comparison, def: &ColumnDef, op: CompareOp) -> bool {
    let equal = matches!(op, CompareOp::Eq | CompareOp::NullSafeEq);
    match &def.ty {
        ColumnType::Integer(_) | ColumnType::Year | ColumnType::Bit(_) => {
            matches!(how, Comparison::Int | Comparison::Decimal | Comparison::Real)
        }
        ColumnType::Decimal(_) => matches!(how, Comparison::Int | Comparison::Decimal),
        // What is near a column's value is that value once it has the column's digits.
        ColumnType::Float(_) | ColumnType::Double(_) => matches!(how, Comparison::Real | Comparison::Near(_)),
        ColumnType::Date | ColumnType::DateTime(_) | ColumnType::Timestamp(_) => how == Comparison::DateTime,
        ColumnType::Time(_) => how == Comparison::Time,
        ColumnType::Enum(_) => equal && matches!(how, Comparison::Str(_)),
        ColumnType::Set(_) => false,
        ColumnType::Fixed(ty) => how == Comparison::Fixed(*ty),
        _ => how == Comparison::Str(def.collation),
    }
}
