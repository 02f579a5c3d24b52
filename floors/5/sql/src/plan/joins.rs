//! The order of inner joins and how each table is joined: index lookups for each row so far, or a hash table made once.
//!
//! Costs are in rows scanned. Up to [`EXHAUSTIVE`] tables the cheapest left-deep order is found by dynamic programming
//! over the sets of tables joined; beyond, tables are taken one by one, always the one that makes the cheapest step.
//! Rows of a join come from the variety of the joined columns: `|A| * |B| / max(distinct a, distinct b)`; where an
//! index covers several of them, from the index's own variety. Where all tables are small their order is MariaDB's
//! (`small`).

use super::access::{self, cost};
use super::estimate::TableFacts;
use super::goal::SURELY_CHEAPER;
use super::order::Condition;
use super::{Join, Source, TableAccess};
use crate::expr::{CompareOp, Expr, Kind};
use types::{ColumnDef, IndexDef};

mod small;

pub use small::COMBINATIONS;

/// So many tables are ordered by looking at all orders.
const EXHAUSTIVE: usize = 10;
/// So many rows around a join have room in its buffer.
const AROUND_ROWS: f64 = 5000.0;
/// What a join condition that is no equality keeps.
const OTHER_KEEPS: f64 = 0.4;

/// A member of an inner join, with what is known of it alone.
pub struct Unit {
    /// Its bit in masks.
    pub mask: u128,
    /// Units whose rows it reads, and so comes behind.
    pub needs: u128,
    /// Facts of the table, or of the first table of a join.
    pub facts: TableFacts,
    /// Rows looked at to read it alone.
    pub scanned: f64,
    /// Rows behind its own conditions.
    pub rows: f64,
    /// What reading them costs.
    pub cost: f64,
    /// It may be built into a hash table.
    pub hashable: bool,
    /// Its rows are locked as they are read.
    pub locks: bool,
    /// It is made for the statement, and so found by a key of its own making; whether that finds one row at most.
    pub made_once: Option<bool>,
    /// It may be looked up by indexes of its (first) table.
    pub indexes: Vec<IndexFacts>,
    /// Part of the rows that the conditions on it alone keep.
    pub kept: f64,
}

/// An index as joins see it: for each part the sets of units that a value for it may come from.
pub struct IndexFacts {
    parts: Vec<Vec<u128>>,
    /// Rows for one value of the first 0, 1, 2 ... parts.
    rows: Vec<f64>,
    /// The units that bounds of the part behind come from, where it has one on either side.
    between: Option<u128>,
    /// What it costs to read a row by it.
    price: f64,
    /// Parts that find one row at most.
    unique: Option<usize>,
}

/// A condition between units.
pub struct Link {
    mask: u128,
    class: Option<usize>,
    keeps: f64,
    /// Units of the two sides of an equality that a hash join can use.
    sides: Option<(u128, u128)>,
}

/// One step of the order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Which unit.
    pub unit: usize,
    /// By a hash table; else for each row so far anew.
    pub hash: bool,
    /// An index of it could be looked into for each row so far.
    pub looked_up: bool,
    /// Rows behind this step.
    pub rows: f64,
    /// What it and all before it cost.
    pub cost: f64,
    /// What those of them that keep rows in hash tables cost beside, in an order that is joined row by row.
    pub made: f64,
}

impl IndexFacts {
    /// What joins can use of an index of a unit's table.
    pub fn of(
        table: &TableAccess,
        number: usize,
        index: &IndexDef,
        facts: &TableFacts,
        conditions: &[Condition],
        masks: &dyn Fn(&Condition, &Expr) -> Option<u128>,
        level: u32,
    ) -> Option<IndexFacts> {
        let Source::Base(base) = &table.source else { return None };
        let (mut parts, mut between) = (Vec::new(), None);
        for part in &index.parts {
            let slot = crate::expr::Slot { level, index: table.slots.start + part.column as u32 };
            let def = &base.def().columns[part.column];
            let mut from = Vec::new();
            for condition in conditions {
                let Kind::Compare(CompareOp::Eq, how, left, right) = &condition.expr.kind else { continue };
                for (own, other) in [(left, right), (right, left)] {
                    let is_own = matches!(own.kind, Kind::Column(s) if s == slot);
                    if is_own && access::usable(*how, def, CompareOp::Eq) {
                        from.extend(masks(condition, other));
                    }
                }
            }
            if from.is_empty() {
                between = bounds_of(slot, def, conditions, masks).filter(|_| !part.desc);
                break;
            }
            parts.push(from);
        }
        if parts.is_empty() && between.is_none() {
            return None;
        }
        let rows = (0..=parts.len())
            .map(|n| match n {
                0 => facts.rows,
                n => facts.rows / facts.distinct_prefix(number, n).unwrap_or(facts.rows),
            })
            .collect();
        let unique = index.is_unique().then_some(index.parts.len());
        Some(IndexFacts { parts, rows, between, price: table.price_by(base, number), unique })
    }

    /// Whether values of other units can be looked for.
    pub fn joins(&self) -> bool {
        self.lookup(u128::MAX).is_some()
    }

    /// Rows that one look finds once the units of `known` are joined, if values from them can be looked for.
    fn lookup(&self, known: u128) -> Option<f64> {
        let (parts, joined) = self.bound(known);
        let between = self.between.is_some_and(|from| from != 0 && from & !known == 0);
        match between && parts == self.parts.len() {
            true => Some(self.rows[parts] * access::BETWEEN_KEEPS),
            false => joined.then(|| self.rows[parts]),
        }
    }

    /// Leading parts that have values once the units of `known` are joined, and whether one comes from them.
    fn bound(&self, known: u128) -> (usize, bool) {
        let mut joined = false;
        let mut count = 0;
        for part in &self.parts {
            let Some(from) = part.iter().find(|mask| **mask & !known == 0) else { break };
            joined |= *from != 0;
            count += 1;
        }
        (count, joined)
    }
}

/// The units that a lower and an upper bound of a column come from, if it has both.
fn bounds_of(
    slot: crate::expr::Slot,
    def: &ColumnDef,
    conditions: &[Condition],
    masks: &dyn Fn(&Condition, &Expr) -> Option<u128>,
) -> Option<u128> {
    let is_own = |e: &Expr| matches!(e.kind, Kind::Column(s) if s == slot);
    let (mut low, mut high) = (None, None);
    for condition in conditions {
        match &condition.expr.kind {
            Kind::Between { operands, how, negated: false } => {
                let [operand, from, to] = &**operands;
                if is_own(operand) && access::usable(*how, def, CompareOp::Lt) {
                    return Some(masks(condition, from)? | masks(condition, to)?);
                }
            }
            Kind::Compare(op, how, left, right) if access::usable(*how, def, *op) => {
                let (op, other) = match (is_own(left), is_own(right)) {
                    (true, _) => (*op, right),
                    (false, true) => (op.turned(), left),
                    (false, false) => continue,
                };
                match op {
                    CompareOp::Lt | CompareOp::Le => high = high.or(masks(condition, other)),
                    CompareOp::Gt | CompareOp::Ge => low = low.or(masks(condition, other)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Some(low? | high?)
}

impl Link {
    /// A condition between units; `sides` are the units of an equality's two sides, with their varieties.
    pub fn new(mask: u128, class: Option<usize>, sides: Option<((u128, f64), (u128, f64))>) -> Self {
        let keeps = sides.map_or(OTHER_KEEPS, |((_, a), (_, b))| 1.0 / a.max(b).max(1.0));
        Self { mask, class, keeps, sides: sides.map(|((a, _), (b, _))| (a, b)) }
    }

    fn connects(&self, known: u128, unit: u128) -> bool {
        self.mask & unit != 0 && self.mask & known != 0 && self.mask & !(known | unit) == 0
    }
}

/// What joining a unit to those of `known` comes to, behind the step before. `one_by_one`: it is looked up for each row so
/// far where it can be.
fn step(units: &[Unit], links: &[Link], known: u128, before: Step, number: usize, one_by_one: bool) -> Step {
    let unit = &units[number];
    let rows = before.rows;
    let mut factors: Vec<(Option<usize>, f64)> = Vec::new();
    let mut keyed = false;
    for link in links.iter().filter(|link| link.connects(known, unit.mask)) {
        keyed |= link.sides.is_some_and(|(a, b)| a == unit.mask || b == unit.mask);
        match factors.iter_mut().find(|(class, _)| class.is_some() && *class == link.class) {
            Some((_, keeps)) => *keeps = keeps.min(link.keeps),
            None => factors.push((link.class, link.keeps)),
        }
    }
    let mut out = rows * unit.rows * factors.iter().map(|(_, keeps)| keeps).product::<f64>();
    let mut best = (f64::INFINITY, false);
    let mut looked_up = false;
    for index in &unit.indexes {
        let Some(each) = index.lookup(known) else { continue };
        looked_up = true;
        let lookup = rows * (cost::LOOKUP + each * index.price);
        if lookup < best.0 {
            best = (lookup, false);
        }
        if index.bound(known).0 > 1 {
            out = out.max(rows * each * unit.kept);
        }
    }
    if one_by_one {
        // What is kept of the unit is made once, whatever part of the rows so far comes.
        let (cost, made, hash) = match (looked_up, unit.hashable) {
            (true, _) => (best.0, 0.0, false),
            (false, true) => {
                let probes = if keyed { cost::PROBE } else { unit.rows * cost::MATCH };
                (rows * probes + out * cost::MATCH, unit.cost + unit.rows * cost::BUILD, true)
            }
            (false, false) => (rows * unit.cost, 0.0, false),
        };
        let (cost, made) = (before.cost + cost, before.made + made);
        return Step { unit: number, hash, looked_up, rows: out.max(0.01), cost, made };
    }
    if unit.hashable && !(unit.locks && looked_up) {
        // Either side may be kept: the rows around where they are few.
        let around = !looked_up && rows <= AROUND_ROWS && rows < unit.rows;
        let (kept, looking) = if around { (rows, unit.rows) } else { (unit.rows, rows) };
        let matching = kept * cost::BUILD
            + if keyed { looking * cost::PROBE + out * cost::MATCH } else { rows * unit.rows * cost::MATCH };
        if unit.cost + matching < best.0 {
            best = (unit.cost + matching, true);
        }
    } else if !unit.hashable && rows * unit.cost < best.0 {
        best = (rows * unit.cost, false);
    }
    let (cost, hash) = best;
    let (rows, cost) = (out.max(0.01), before.cost + cost);
    Step { unit: number, hash, looked_up, rows, cost, made: before.made }
}

/// The cheapest order that is found.
pub fn order(units: &[Unit], links: &[Link]) -> Vec<Step> {
    match units.len() <= EXHAUSTIVE {
        true => exhaustive(units, links, small::is_small(units)),
        false => greedy(units, links, None).unwrap_or_default(),
    }
}

fn first_step(units: &[Unit], number: usize) -> Step {
    let Unit { rows, cost, .. } = units[number];
    Step { unit: number, hash: false, looked_up: false, rows, cost, made: 0.0 }
}

fn exhaustive(units: &[Unit], links: &[Link], small: bool) -> Vec<Step> {
    let sets = 1usize << units.len();
    let mut best: Vec<Option<(Step, usize)>> = vec![None; sets];
    for number in (0..units.len()).filter(|&n| units[n].needs == 0) {
        let first = if small { small::first_step(units, number) } else { first_step(units, number) };
        best[1 << number] = Some((first, 0));
    }
    for set in 1..sets {
        let Some((so_far, _)) = best[set] else { continue };
        let known = set as u128;
        let waiting = (0..units.len()).filter(|&n| set & 1 << n == 0 && units[n].needs & !known == 0);
        let connected = |n: usize| links.iter().any(|link| link.connects(known, units[n].mask));
        // A table without a condition to those before multiplies their rows: only where nothing else is left.
        let any_connected = !small && waiting.clone().any(connected);
        for number in waiting.filter(|&n| !any_connected || connected(n)) {
            let step = match small {
                true => small::step(units, links, known, so_far, number),
                false => step(units, links, known, so_far, number, false),
            };
            let reached = set | 1 << number;
            // Of orders that cost the same the one is taken that has the larger tables behind, as in MariaDB.
            let better = best[reached].is_none_or(|(held, _)| {
                let alike = (step.cost - held.cost).abs() < held.cost * 1e-9;
                let size = |n: usize| (units[n].scanned, n);
                if alike { size(number) > size(held.unit) } else { step.cost < held.cost }
            });
            if better {
                best[reached] = Some((step, set));
            }
        }
    }
    let mut steps = Vec::with_capacity(units.len());
    let mut set = sets - 1;
    while let Some((step, before)) = best[set] {
        steps.push(step);
        set = before;
        if set == 0 {
            break;
        }
    }
    steps.reverse();
    steps
}

/// Units one by one, always the one that makes the cheapest step: from the one that costs so much to read in the order that
/// is wanted, if one is given, and row by row then.
fn greedy(units: &[Unit], links: &[Link], ordered: Option<(usize, f64)>) -> Option<Vec<Step>> {
    let first = match ordered {
        Some((first, cost)) => Step { cost, ..first_step(units, first) },
        None => {
            let by_rows = |a: &usize, b: &usize| units[*a].rows.total_cmp(&units[*b].rows);
            first_step(units, (0..units.len()).filter(|&n| units[n].needs == 0).min_by(by_rows)?)
        }
    };
    let mut known = units[first.unit].mask;
    let mut steps = vec![first];
    while steps.len() < units.len() {
        let so_far = *steps.last()?;
        let mut best: Option<(bool, f64, Step)> = None;
        for number in (0..units.len()).filter(|&n| units[n].mask & known == 0 && units[n].needs & !known == 0)
        {
            let step = step(units, links, known, so_far, number, ordered.is_some());
            let apart = !links.iter().any(|link| link.connects(known, units[number].mask));
            let weight = step.cost + step.rows;
            if best.is_none_or(|(was_apart, held, _)| (apart, weight) < (was_apart, held)) {
                best = Some((apart, weight, step));
            }
        }
        let (.., step) = best?;
        known |= units[step.unit].mask;
        steps.push(step);
    }
    Some(steps)
}

/// A unit that may drive a join of which only the first rows are made.
pub struct First {
    /// Which.
    pub unit: usize,
    /// What reading it whole in the order wanted costs.
    pub price: f64,
    /// All of its rows are sorted before the first is joined.
    pub sorted: bool,
}

/// How much of a join is made where only its first rows are wanted.
#[derive(Debug, Clone, Copy)]
pub struct FirstPart {
    /// The part of its rows.
    pub part: f64,
    /// All rows of the first unit are sorted before.
    pub sorted: bool,
}

/// The cheapest order in which only a part of the rows is made, where it is surely cheaper than all rows by `whole`. `part`:
/// the part of them that has to be made where a unit drives and all are so many.
pub fn first_rows(
    units: &[Unit],
    links: &[Link],
    firsts: &[First],
    part: &dyn Fn(usize, f64) -> f64,
    whole: &[Step],
) -> Option<(Vec<Step>, FirstPart)> {
    if small::is_small(units) {
        return None;
    }
    let mut best: Option<(f64, f64, Vec<Step>, FirstPart)> = None;
    for &First { unit, price, sorted } in firsts.iter().filter(|first| units[first.unit].needs == 0) {
        let Some(steps) = greedy(units, links, Some((unit, price))) else { continue };
        let last = steps.last()?;
        let part = part(unit, last.rows);
        let beforehand = if sorted { price } else { 0.0 };
        let cost = last.made + beforehand + (last.cost - beforehand) * part;
        // What comes before the first row is known; how many rows have to be made is not.
        let known = if sorted { last.made + beforehand } else { 0.0 };
        if best.as_ref().is_none_or(|(held, ..)| cost < *held) {
            best = Some((cost, known, steps, FirstPart { part, sorted }));
        }
    }
    let (cost, known, steps, first) = best?;
    (known + (cost - known) * SURELY_CHEAPER < whole.last()?.cost).then_some((steps, first))
}

/// Whether the rows of a join of the block at `level` may be kept in a hash table: none of them depends on other rows. The
/// conditions of an outer join inside it may read those around the block, for each of which it is made anew.
pub fn may_hash(join: &Join, level: u32) -> bool {
    let mut may = true;
    join.visit_tables(&mut |table| may &= !matches!(table.source, Source::Json(_) | Source::Lateral(_)));
    join.visit_all(&mut |e| may &= !matches!(e.kind, Kind::Column(slot) if slot.level < level));
    may
}

/// Whether rows of a join are locked as they are read. They are looked up wherever an index finds them then, so that no
/// others are locked; and they come in the order of nested loops, in which changes are made.
pub fn locks_rows(join: &Join) -> bool {
    let mut locks = false;
    join.visit_tables(&mut |table| locks |= table.lock.is_some());
    locks
}
