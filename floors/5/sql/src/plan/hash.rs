//! Turning joins into hash joins: which conditions make keys, which slots are kept.

use super::order::Condition;
use super::{HashJoin, Join, SelectPlan, walk};
use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Type, TypeKind};
use std::collections::{BTreeSet, HashMap};

/// Whether equal keys are made of just the values that the comparison finds equal, without a warning to give.
pub fn is_exact(how: Comparison, a: &Type, b: &Type) -> bool {
    let both = |f: fn(&Type) -> bool| f(a) && f(b);
    match how {
        Comparison::Int => both(|ty| ty.class() == Class::Int),
        Comparison::Decimal => both(|ty| matches!(ty.class(), Class::Int | Class::Decimal)),
        Comparison::Real => both(|ty| matches!(ty.class(), Class::Int | Class::Decimal | Class::Real)),
        Comparison::Str(_) => both(|ty| {
            ty.class() == Class::Str && ty.labels.is_none() && !matches!(ty.kind, TypeKind::Fixed(_))
        }),
        Comparison::DateTime | Comparison::Time | Comparison::Fixed(_) => a.kind == b.kind,
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
    for (key, probe) in [(left, right), (right, left)] {
        if reads_only(key, own, level) && reads_none(probe, own, level) {
            return Some((key, probe, *how));
        }
    }
    None
}

/// Whether an expression reads something of the rows kept and nothing else that changes.
pub fn reads_only(e: &Expr, own: &BTreeSet<u32>, level: u32) -> bool {
    let (mut any, mut only) = (false, true);
    e.visit(&mut |e| match &e.kind {
        Kind::Column(slot) => {
            any = true;
            only &= slot.level == level && own.contains(&slot.index);
        }
        Kind::Subquery(s) => only &= !s.correlated,
        Kind::Call(call) => only &= call.deterministic,
        Kind::AssignUserVar(..) => only = false,
        _ => {}
    });
    any && only
}

fn reads_none(e: &Expr, own: &BTreeSet<u32>, level: u32) -> bool {
    let (mut any, mut none) = (false, true);
    e.visit(&mut |e| match &e.kind {
        Kind::Column(slot) => {
            any = true;
            none &= slot.level != level || !own.contains(&slot.index);
        }
        Kind::Subquery(s) => none &= !s.correlated,
        Kind::Call(call) => none &= call.deterministic,
        Kind::AssignUserVar(..) => none = false,
        _ => {}
    });
    any && none
}

/// Leaves in each hash table only the slots that something outside it reads. Rows of tables to be changed are read by
/// more than the plan shows: they keep all.
pub fn prune(plan: &mut SelectPlan) {
    let Some(join) = &mut plan.from else { return };
    let level = plan.level;
    let mut reads: HashMap<u32, usize> = HashMap::new();
    let mut note = |e: &Expr| {
        if let Kind::Column(slot) = e.kind
            && slot.level == level
        {
            *reads.entry(slot.index).or_default() += 1;
        }
    };
    join.visit_all(&mut note);
    let join = plan.from.take();
    plan.visit_upper(&mut note);
    plan.from = join;
    if let Some(join) = &mut plan.from {
        prune_join(join, &reads, level);
        read_keys_only(join, &reads, level);
    }
}

/// Finds the tables of which nothing is read but what their index answers.
fn read_keys_only(join: &mut Join, reads: &HashMap<u32, usize>, level: u32) {
    match join {
        Join::Table(table) => {
            if !table.is_ranged() || !table.residual.is_empty() {
                return;
            }
            let mut inside: HashMap<u32, usize> = HashMap::new();
            table.visit_all(&mut |e| {
                if let Kind::Column(slot) = e.kind
                    && slot.level == level
                {
                    *inside.entry(slot.index).or_default() += 1;
                }
            });
            table.keys_only = table.slots.clone().all(|slot| reads.get(&slot) == inside.get(&slot));
        }
        Join::Inner(steps) => steps.iter_mut().for_each(|(join, _)| read_keys_only(join, reads, level)),
        Join::Left { left, right, .. } => {
            read_keys_only(left, reads, level);
            read_keys_only(right, reads, level);
        }
        Join::Hash(hash) => read_keys_only(&mut hash.build, reads, level),
    }
}

fn prune_join(join: &mut Join, reads: &HashMap<u32, usize>, level: u32) {
    match join {
        Join::Table(_) => {}
        Join::Inner(steps) => steps.iter_mut().for_each(|(join, _)| prune_join(join, reads, level)),
        Join::Left { left, right, .. } => {
            prune_join(left, reads, level);
            prune_join(right, reads, level);
        }
        Join::Hash(hash) => {
            let mut inside: HashMap<u32, usize> = HashMap::new();
            let mut note = |e: &Expr| {
                if let Kind::Column(slot) = e.kind
                    && slot.level == level
                {
                    *inside.entry(slot.index).or_default() += 1;
                }
            };
            hash.build.visit_all(&mut note);
            hash.keys.iter().for_each(|e| walk::visit_deep(e, &mut note));
            hash.slots.retain(|slot| reads.get(slot) > inside.get(slot));
            prune_join(&mut hash.build, reads, level);
        }
    }
}

/// A hash join over what was placed already.
pub fn made(build: Join, keys: Keys, number: usize, slots: Vec<u32>, rows: f64, once: bool) -> Join {
    let Keys { keys, probe, how } = keys;
    let spills = once && !keys.is_empty();
    Join::Hash(Box::new(HashJoin { build, number, keys, probe, how, spills, slots, rows }))
}
