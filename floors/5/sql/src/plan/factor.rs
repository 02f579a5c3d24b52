//! What an OR says beyond itself: a condition that stands in all its branches holds for the whole, and where each
//! branch says something of one table, the table's rows must fulfil one of these.

use crate::expr::{CompareOp, Expr, Kind, build};
use std::collections::BTreeSet;

/// ORs with more branches than this are left alone.
const BRANCHES_MAX: usize = 64;

/// Adds to `conditions` what follows from the ORs among them; `tables` are the slots of the block's tables.
pub fn factor(conditions: Vec<Expr>, tables: &[std::ops::Range<u32>], level: u32) -> Vec<Expr> {
    let mut all = Vec::with_capacity(conditions.len());
    let mut plain = Vec::with_capacity(conditions.len());
    conditions.into_iter().for_each(|e| build::conjuncts(without_not(e), &mut plain));
    for e in plain {
        match e.kind {
            Kind::Or(branches) if branches.len() <= BRANCHES_MAX => {
                factor_or(branches, e.ty, tables, level, &mut all);
            }
            kind => all.push(Expr { kind, ty: e.ty }),
        }
    }
    all
}

/// A condition that says the same without NOT around AND, OR and comparisons.
pub(super) fn without_not(e: Expr) -> Expr {
    let Kind::Not(inner) = e.kind else { return e };
    let ty = e.ty;
    let not = |e: Expr| {
        let ty = e.ty.clone();
        without_not(Expr { kind: Kind::Not(Box::new(e)), ty })
    };
    let kind = match inner.kind {
        Kind::And(list) => Kind::Or(list.into_iter().map(not).collect()),
        Kind::Or(list) => Kind::And(list.into_iter().map(not).collect()),
        Kind::Compare(op, how, left, right) if op != CompareOp::NullSafeEq => {
            Kind::Compare(op.otherwise(), how, left, right)
        }
        Kind::Between { operands, how, negated } => Kind::Between { operands, how, negated: !negated },
        kind => Kind::Not(Box::new(Expr { kind, ty: inner.ty })),
    };
    Expr { kind, ty }
}

fn factor_or(
    branches: Vec<Expr>,
    ty: crate::expr::Type,
    tables: &[std::ops::Range<u32>],
    level: u32,
    all: &mut Vec<Expr>,
) {
    let parts: Vec<Vec<Expr>> = branches
        .iter()
        .map(|branch| {
            let mut conjuncts = Vec::new();
            build::conjuncts(branch.clone(), &mut conjuncts);
            conjuncts
        })
        .collect();
    let first = parts.first().map_or(&[][..], |part| part);
    let common = first.iter().filter(|e| parts.iter().all(|part| part.iter().any(|other| other.same(e))));
    all.extend(common.cloned());
    let read: Vec<Vec<Option<BTreeSet<u32>>>> =
        parts.iter().map(|part| part.iter().map(|e| slots_read(e, level)).collect()).collect();
    for table in tables {
        let of_table = |slots: &Option<BTreeSet<u32>>| {
            slots.as_ref().is_some_and(|slots| !slots.is_empty() && slots.iter().all(|s| table.contains(s)))
        };
        let mut choices = Vec::with_capacity(parts.len());
        let mut says_more = false;
        for (part, read) in parts.iter().zip(&read) {
            let own = part.iter().zip(read).filter(|(_, slots)| of_table(slots));
            let own: Vec<Expr> = own.map(|(e, _)| e.clone()).collect();
            says_more |= own.len() < part.len();
            if own.is_empty() {
                break;
            }
            choices.push(build::and(own));
        }
        if says_more && choices.len() == parts.len() {
            all.push(build::or(choices));
        }
    }
    all.push(Expr { kind: Kind::Or(branches), ty });
}

/// The block's slots that a condition reads; `None` where it does more than read them.
fn slots_read(e: &Expr, level: u32) -> Option<BTreeSet<u32>> {
    let mut slots = BTreeSet::new();
    let mut plain = true;
    e.visit(&mut |e| match &e.kind {
        Kind::Column(slot) if slot.level == level => {
            slots.insert(slot.index);
        }
        Kind::Subquery(_) | Kind::AssignUserVar(..) => plain = false,
        Kind::Call(call) => plain &= call.is_stable(),
        _ => {}
    });
    plain.then_some(slots)
}
