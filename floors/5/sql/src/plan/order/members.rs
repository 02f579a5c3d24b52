//! The members of an inner join as [`joins`] orders them: what is known of each alone, and the conditions
//! that link them.

use super::{Condition, Planner, slots_of};
use crate::bind::Scope;
use crate::error::SqlError;
use crate::expr::{CompareOp, Expr, Kind};
use crate::plan::estimate::TableFacts;
use crate::plan::goal::Goal;
use crate::plan::joins::{self, First, FirstPart, IndexFacts, Link, Step, Unit};
use crate::plan::walk::slots_read;
use crate::plan::{Join, MAX_TABLES, Source, TableAccess, absent, access, hash, lateral};
use std::collections::{BTreeSet, HashMap};

/// The different values that a side of a condition has where nothing is known of it.
const DISTINCT_OF_COMPUTED: f64 = 10.0;

/// Members of an inner join, each with a bit in masks.
struct Members<'j> {
    joins: Vec<&'j Join>,
    /// The slots of each.
    slots: Vec<BTreeSet<u32>>,
    conditions: &'j [Condition],
    /// Slots that have values before any of them is read.
    known: &'j BTreeSet<u32>,
    level: u32,
}

impl Planner<'_, '_, '_> {
    /// In which order the members of an inner join are run, and which of them by hash tables; and the part of the rows that
    /// is made, one by one, where that does for the goal.
    pub(super) fn join_order(
        &mut self,
        waiting: &[Option<Join>],
        conditions: &[Condition],
        known: &BTreeSet<u32>,
        goal: Option<&Goal>,
    ) -> Result<(Vec<Step>, Option<FirstPart>), SqlError> {
        let joins: Vec<&Join> = waiting.iter().flatten().collect();
        assert!(joins.len() <= MAX_TABLES, "a join of more tables than masks have bits");
        let slots = joins.iter().map(|join| slots_of(join)).collect();
        let members = Members { joins, slots, conditions, known, level: self.level };
        let mut units = Vec::with_capacity(members.joins.len());
        let mut firsts = Vec::new();
        for at in 0..members.joins.len() {
            let own = members.own_conditions(at);
            let (unit, choice) = self.unit(&members, at, &own, known)?;
            if let Some((goal, table)) = goal.zip(members.joins[at].driver()) {
                let price =
                    goal.price_in_order(table, &unit.facts, &choice, &own, self.level, self.binder)?;
                firsts.extend(price.map(|price| First { unit: at, price, sorted: false }));
                let price = goal.price_sorted(table, &choice);
                firsts.extend(price.map(|price| First { unit: at, price, sorted: true }));
            }
            units.push(unit);
        }
        let links = conditions.iter().filter(|condition| !condition.late);
        let shares = self.shares(&members)?;
        let links: Vec<Link> = links.map(|condition| members.link(condition, &units, &shares)).collect();
        let steps = joins::order(&units, &links);
        let Some(goal) = goal else { return Ok((steps, None)) };
        let part =
            |first: usize, rows: f64| goal.part(members.joins[first].first_table(), units[first].rows, rows);
        match joins::first_rows(&units, &links, &firsts, &part, &steps) {
            Some((steps, first)) => Ok((steps, Some(first))),
            None => Ok((steps, None)),
        }
    }

    /// The part of its values that conditions leave of each class of equal columns of which they are said more than once.
    fn shares(&mut self, members: &Members<'_>) -> Result<HashMap<usize, f64>, SqlError> {
        let mut shares = HashMap::new();
        let said = members.conditions.iter().filter_map(|c| Some((c.implied?, c.slots.first()?)));
        for (class, slot) in said {
            if shares.contains_key(&class) {
                continue;
            }
            let Some(table) = members.joins.iter().find_map(|join| join.table_with(*slot)) else { continue };
            let of_class = |c: &&Condition| c.implied == Some(class) && c.slots.first() == Some(slot);
            let own: Vec<Condition> = members.conditions.iter().filter(of_class).cloned().collect();
            let facts = TableFacts::of(table);
            let kept = self.choose(table, &facts, &own, &BTreeSet::new())?.rows / facts.rows.max(1.0);
            shares.insert(class, kept.clamp(f64::MIN_POSITIVE, 1.0));
        }
        Ok(shares)
    }

    /// What is known of a member alone, and how its first table would be read.
    fn unit(
        &mut self,
        members: &Members<'_>,
        at: usize,
        own: &[Condition],
        known: &BTreeSet<u32>,
    ) -> Result<(Unit, access::Choice), SqlError> {
        let join = members.joins[at];
        let driver = join.first_table();
        let facts = TableFacts::of(driver);
        let choice = self.choose(driver, &facts, own, known)?;
        let (scanned, made_once) = match &driver.source {
            Source::Derived { plan, .. } => match plan.is_plain_select() {
                true => (plan.scanned(), None),
                false => (facts.rows, self.buffers.derived_by_key.then_some(false)),
            },
            Source::Distinct { .. } => (facts.rows, Some(true)),
            _ => (choice.scanned, None),
        };
        let behind = members.mask(&lateral::reads_of(join, self.level)) | members.before(at, self.scope);
        let mask = 1 << at;
        let left = absent::part_left(join, self.level);
        let unit = Unit {
            mask,
            needs: behind & !mask,
            scanned,
            rows: (choice.rows * left).max(0.1),
            cost: choice.cost,
            hashable: joins::may_hash(join, self.level),
            locks: joins::locks_rows(join),
            made_once,
            indexes: members.indexes(driver, &facts),
            kept: (choice.rows / facts.rows).min(1.0) * left,
            facts,
        };
        Ok((unit, choice))
    }
}

impl Members<'_> {
    /// The members that have any of the slots.
    fn mask(&self, slots: &BTreeSet<u32>) -> u128 {
        let hit =
            self.slots.iter().enumerate().filter(|(_, own)| own.iter().any(|slot| slots.contains(slot)));
        hit.fold(0, |mask, (at, _)| mask | 1 << at)
    }

    /// The members that an expression reads.
    fn read_by(&self, e: &Expr) -> u128 {
        self.mask(&slots_read(e, self.level))
    }

    /// Those that STRAIGHT_JOIN says are read before a member.
    fn before(&self, at: usize, scope: &Scope<'_>) -> u128 {
        if scope.in_order {
            return (1 << at) - 1;
        }
        let pairs = scope.straight.iter().filter(|(_, then)| !then.is_disjoint(&self.slots[at]));
        pairs.fold(0, |mask, (first, _)| mask | self.mask(first))
    }

    /// The conditions on a member alone.
    fn own_conditions(&self, at: usize) -> Vec<Condition> {
        let own = &self.slots[at];
        let is_own = |c: &&Condition| {
            let has_values = |slot: &u32| own.contains(slot) || self.known.contains(slot);
            !c.late && !c.slots.is_disjoint(own) && c.slots.iter().all(has_values)
        };
        self.conditions.iter().filter(is_own).cloned().collect()
    }

    /// The indexes of a table that values of other members can be looked for in.
    fn indexes(&self, table: &TableAccess, facts: &TableFacts) -> Vec<IndexFacts> {
        let Source::Base(base) = &table.source else { return Vec::new() };
        let masks = |c: &Condition, e: &Expr| (!c.late).then(|| self.read_by(e));
        let indexes = base.def().indexes.iter().enumerate();
        indexes
            .filter(|(number, _)| table.hints.may_find(*number))
            .filter_map(|(number, index)| {
                IndexFacts::of(table, number, index, facts, self.conditions, &masks, self.level)
            })
            .collect()
    }

    /// `shares`: of such classes of equal columns so much is left of the values on either side.
    fn link(&self, condition: &Condition, units: &[Unit], shares: &HashMap<usize, f64>) -> Link {
        let share = condition.class.and_then(|class| shares.get(&class)).copied().unwrap_or(1.0);
        let sides = match &condition.expr.kind {
            Kind::Compare(CompareOp::Eq, how, a, b) if hash::is_exact(*how, &a.ty, &b.ty) => {
                let kept = |(mask, distinct): (u128, f64)| (mask, (distinct * share).max(1.0));
                Some((kept(self.side(a, units)), kept(self.side(b, units))))
            }
            _ => None,
        };
        Link::new(self.mask(&condition.slots), condition.class, sides)
    }

    /// The members that a side of an equality reads, and how many different values it has.
    fn side(&self, e: &Expr, units: &[Unit]) -> (u128, f64) {
        let mask = self.read_by(e);
        let Kind::Column(slot) = e.kind else { return (mask, DISTINCT_OF_COMPUTED) };
        if !mask.is_power_of_two() {
            return (mask, DISTINCT_OF_COMPUTED);
        }
        let at = mask.trailing_zeros() as usize;
        let (driver, facts) = (self.joins[at].first_table(), &units[at].facts);
        let column = driver.column_at(slot.index);
        (mask, column.map_or(facts.rows, |column| facts.distinct_column(driver, column)))
    }
}
