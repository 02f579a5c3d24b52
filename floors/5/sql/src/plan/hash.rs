//! Turning joins into hash joins: which conditions make keys, which slots are kept.

use super::order::Condition;
use super::{Access, HashJoin, Join, KeptAround, SelectPlan, Source};
use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Slot, Type, TypeKind};
use crate::session::variables;
use std::collections::{BTreeSet, HashMap};

/// Whether equal keys are made of just the values that the comparison finds equal, without a warning to give.
pub fn is_exact(how: Comparison, a: &Type, b: &Type) -> bool {
    let both = |f: fn(&Type) -> bool| f(a) && f(b);
    match how {
        Comparison::Int => both(|ty| ty.class() == Class::Int),
        Comparison::Decimal => both(|ty| matches!(ty.class(), Class::Int | Class::Decimal)),
        Comparison::Real => both(|ty| matches!(ty.class(), Class::Int | Class::Decimal | Class::Real)),
        // Labels are the text that they show.
        Comparison::Str(_) => both(|ty| ty.class() == Class::Str && !matches!(ty.kind, TypeKind::Fixed(_))),
        Comparison::DateTime | Comparison::Time | Comparison::Fixed(_) => a.kind == b.kind,
        Comparison::Near(_) => false,
    }
}

/// Whether values of a type that differ in an index's key differ as they are compared, too: other collations and labels may find them
/// equal.
pub fn compares_as_keyed(how: Comparison, ty: &Type) -> bool {
    match how {
        Comparison::Str(collation) => ty.collation == collation && ty.labels.is_none(),
        Comparison::Real | Comparison::Near(_) => false,
        _ => true,
    }
}

/// The keys that conditions give a hash table of the rows with slots in `own`.
#[derive(Default)]
pub struct Keys {
    pub keys: Vec<Expr>,
    pub probe: Vec<Expr>,
    pub how: Vec<Comparison>,
}

impl Keys {
    /// Takes a condition as a key if it is an equality between the rows kept and what is known around them.
    pub fn take(&mut self, condition: &Condition, own: &BTreeSet<u32>, level: u32) -> bool {
        let Some((key, probe, how)) = sides(condition, own, level) else { return false };
        self.keys.push(key.clone());
        self.probe.push(probe.clone());
        self.how.push(how);
        true
    }
}

/// An equality as key, probe and comparison: one side reads nothing but `own` slots, the other none of them.
pub fn sides<'c>(
    condition: &'c Condition,
    own: &BTreeSet<u32>,
    level: u32,
) -> Option<(&'c Expr, &'c Expr, Comparison)> {
    let Kind::Compare(CompareOp::Eq, how, left, right) = &condition.expr.kind else { return None };
    if condition.late || !is_exact(*how, &left.ty, &right.ty) {
        return None;
    }
    let kept = |slot: Slot| slot.level == level && own.contains(&slot.index);
    [(left, right), (right, left)]
        .into_iter()
        .find(|(key, probe)| reads_columns(key, kept) && reads_columns(probe, |slot| !kept(slot)))
        .map(|(key, probe)| (&**key, &**probe, *how))
}

/// Whether an expression reads columns, all of which `accepts` takes, and nothing else that changes.
fn reads_columns(e: &Expr, accepts: impl Fn(Slot) -> bool) -> bool {
    let (mut any, mut only) = (false, true);
    e.visit(&mut |e| match &e.kind {
        Kind::Column(slot) => {
            any = true;
            only &= accepts(*slot);
        }
        Kind::Subquery(s) => only &= !s.correlated,
        Kind::Call(call) => only &= call.is_stable(),
        Kind::AssignUserVar(..) => only = false,
        _ => {}
    });
    any && only
}

/// How often the slots of a block are read.
struct Reads {
    level: u32,
    of_slot: HashMap<u32, usize>,
}

impl Reads {
    /// Of the expressions that `all` gives.
    fn counted(level: u32, all: impl FnOnce(&mut dyn FnMut(&Expr))) -> Self {
        let mut reads = Self { level, of_slot: HashMap::new() };
        all(&mut |e| e.visit(&mut |e| reads.count(e)));
        reads
    }

    fn count(&mut self, e: &Expr) {
        match &e.kind {
            Kind::Column(slot) => self.count_slot(*slot),
            Kind::Subquery(subquery) if subquery.correlated => match &subquery.reads {
                Some(slots) => slots.iter().for_each(|slot| self.count_slot(*slot)),
                None => subquery.plan.visit_all(&mut |e| {
                    if let Kind::Column(slot) = e.kind {
                        self.count_slot(slot);
                    }
                }),
            },
            _ => {}
        }
    }

    fn count_slot(&mut self, slot: Slot) {
        if slot.level == self.level {
            *self.of_slot.entry(slot.index).or_default() += 1;
        }
    }

    /// Whether something reads a slot beside what was counted as `inside`.
    fn beyond(&self, inside: &Reads, slot: u32) -> bool {
        self.of_slot.get(&slot) > inside.of_slot.get(&slot)
    }
}

/// Leaves in each hash table only the slots that something outside it reads. Rows of tables to be changed are read by
/// more than the plan shows: they keep all.
pub fn prune(plan: &mut SelectPlan) {
    let reads = Reads::counted(plan.level, |each| {
        plan.upper_expressions(each);
        plan.from.iter().for_each(|join| join.expressions(each));
    });
    if let Some(join) = &mut plan.from {
        prune_join(join, &reads);
        read_less(join, &reads);
    }
}

/// Finds the tables of which nothing is read but what their index answers, or holds, and the columns that only their
/// own conditions read.
fn read_less(join: &mut Join, reads: &Reads) {
    match join {
        Join::Table(table) => {
            let inside = Reads::counted(reads.level, |each| table.expressions(each));
            let beyond = |slot| reads.beyond(&inside, slot);
            table.deliver(&beyond);
            if matches!(table.access, Access::Scan | Access::Union(_)) {
                table.scan_index();
                return;
            }
            table.keys_only =
                table.is_ranged() && table.residual.is_empty() && !table.slots.clone().any(beyond);
            // What answered conditions alone read is not wanted.
            let left = Reads::counted(reads.level, |each| table.residual.iter().for_each(each));
            table.cover(&|slot| beyond(slot) || left.of_slot.contains_key(&slot));
        }
        Join::Inner(steps) => steps.iter_mut().for_each(|(join, _)| read_less(join, reads)),
        Join::Left { left, right, .. } => {
            read_less(left, reads);
            read_less(right, reads);
        }
        Join::Hash(hash) => read_less(&mut hash.build, reads),
    }
}

fn prune_join(join: &mut Join, reads: &Reads) {
    match join {
        Join::Table(_) => {}
        Join::Inner(steps) => steps.iter_mut().for_each(|(join, _)| prune_join(join, reads)),
        Join::Left { left, right, .. } => {
            prune_join(left, reads);
            prune_join(right, reads);
        }
        Join::Hash(hash) => {
            let inside = Reads::counted(reads.level, |each| {
                hash.build.expressions(each);
                hash.keys.iter().for_each(each);
            });
            hash.slots.retain(|&slot| reads.beyond(&inside, slot));
            prune_join(&mut hash.build, reads);
        }
    }
}

/// Rows that a side of a recursion's round may have to be gone through once a round: beyond it is kept over all rounds.
const ROUND_ROWS: f64 = 200.0;

/// In which joins the rows around are kept where they are few: what the session's variables say of join buffers.
#[derive(Debug, Clone, Copy)]
pub struct Buffers {
    /// In inner joins.
    pub inner: bool,
    /// In outer joins.
    pub outer: bool,
    /// On the inner sides of outer joins.
    nested: bool,
    /// In joins with a derived table only where no key finds its rows.
    pub derived_by_key: bool,
}

impl Buffers {
    /// What a session's variables say.
    pub fn of(vars: &crate::session::Vars) -> Self {
        let level = vars.number("join_cache_level").unwrap_or(2);
        let switched = |name| match vars.others.get("optimizer_switch") {
            Some(list) => variables::flags::is_on(&variables::shown(list), name),
            None => true,
        };
        let outer = level > 0 && switched("outer_join_with_cache");
        let derived_by_key = switched("derived_with_keys");
        Self { inner: level > 0, outer, nested: outer && level > 1, derived_by_key }
    }

    /// The same on the inner side of an outer join.
    pub fn inside_outer(self) -> Self {
        Self { inner: self.outer, outer: self.nested, ..self }
    }
}

/// Bytes that a row with its key takes, and each of its values, as expected.
const ROW_BYTES: f64 = 64.0;
/// Bytes that a hash table may be expected to take whose rows are asked for one by one: one that has no room lies in a file then,
/// where both sides could have gone to files part by part.
const ASKED_BYTES: f64 = 48.0 * 1024.0 * 1024.0;

/// Whether a hash table surely has room.
fn is_small(hash: &HashJoin) -> bool {
    hash.rows * ROW_BYTES * (1.0 + hash.slots.len() as f64) < ASKED_BYTES
}

/// Has the hash tables of a join keep the order of the rows around them, if they may: none of them is large, nor keeps the rows
/// around because they are far fewer, or where the order that comes of that shows.
pub fn keep_order(join: &mut Join, unseen: bool) -> bool {
    let may = |member: &Join| match member {
        Join::Hash(hash) => {
            is_small(hash) && hash.around.as_ref().is_none_or(|around| unseen && !around.many)
        }
        _ => true,
    };
    let mut joined = Vec::new();
    let keeps = joined_to_first(join, &mut joined) && joined.iter().all(|member| may(member));
    keeps && joined.into_iter().all(go_one_by_one)
}

/// What a join's first table is joined to; false where the first of it is no table.
fn joined_to_first<'j>(join: &'j mut Join, joined: &mut Vec<&'j mut Join>) -> bool {
    match join {
        Join::Table(_) => true,
        Join::Inner(steps) => {
            let mut members = steps.iter_mut().map(|(member, _)| member);
            let first = members.next();
            joined.extend(members);
            first.is_some_and(|first| joined_to_first(first, joined))
        }
        Join::Left { left, right, .. } => {
            joined.push(right);
            joined_to_first(left, joined)
        }
        Join::Hash(_) => false,
    }
}

/// Has the rows around a hash table go on one by one, if it is not large; gives whether they do.
pub fn go_one_by_one(join: &mut Join) -> bool {
    let Join::Hash(hash) = join else { return true };
    if is_small(hash) {
        hash.once = false;
        hash.around = None;
    }
    !hash.once
}

/// So many times fewer rows around are kept instead of a side's rows wherever no order shows.
const FEWER: f64 = 2.0;

/// The rows around a hash join that runs once.
pub struct Around {
    /// Their slots, where buffers may keep them.
    pub slots: Option<Vec<u32>>,
    /// They come from a round of a recursion, and so again and again.
    pub rounds: bool,
    /// A derived table may be looked into by a key.
    pub derived_by_key: bool,
    /// How many there are, as expected.
    pub rows: f64,
    /// Their order shows.
    pub ordered: bool,
}

/// A hash join over what was placed already. `once`: the rows around, if it runs once; `looked_up`: an index could
/// have found its rows.
pub fn made(
    placed: (Join, f64),
    keys: Keys,
    number: usize,
    (slots, row): (Vec<u32>, Option<u32>),
    once: Option<Around>,
    looked_up: bool,
) -> Join {
    let (build, rows) = placed;
    let Keys { keys, probe, how } = keys;
    let runs_once = once.is_some();
    // Where no order shows the smaller side is kept, whatever its size.
    let fewer = |around: &Around| !around.ordered && !around.rounds && around.rows < rows / FEWER;
    let many = once.as_ref().is_some_and(fewer);
    let around = once.filter(|around| {
        // Where MariaDB looks rows up, by an index or by a key of a derived table, the rows around keep their order.
        let gone_through = match &build.first_table().source {
            Source::Base(_) | Source::Virtual(_) | Source::Sequence(_) | Source::Round(_) => !looked_up,
            Source::Derived { plan, .. } => {
                keys.is_empty() || !around.derived_by_key || plan.is_plain_select()
            }
            Source::Distinct { .. } | Source::Json(_) | Source::Lateral(_) => false,
        };
        many || gone_through && (!around.rounds || rows <= ROUND_ROWS)
    });
    let around = around.and_then(|around| around.slots).map(|slots| KeptAround { slots, many });
    Join::Hash(Box::new(HashJoin {
        build,
        number,
        keys,
        probe,
        how,
        once: runs_once,
        around,
        slots,
        row,
        rows,
    }))
}
