//! Conditions as they are placed.

use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Slot};
use crate::plan::TableAccess;
use crate::plan::equal::{Classes, fixed_column, is_bound};
use std::collections::BTreeSet;
use types::Value;

/// A condition with the slots of this block that it reads.
#[derive(Debug, Clone)]
pub struct Condition {
    /// The condition.
    pub expr: Expr,
    /// Slots read.
    pub slots: BTreeSet<u32>,
    /// It has a correlated subquery, sets a variable or is drawn for each row: it waits until the row is whole.
    pub late: bool,
    /// It reads rows of the blocks around.
    pub outer: bool,
    /// The class of equal columns that it belongs to.
    pub class: Option<usize>,
    /// The class of equal columns of which it says what another condition says of another one: it need not be checked where
    /// an equality of that class is.
    pub implied: Option<usize>,
}

impl Condition {
    /// The conditions on a table that is placed, of the block at `level`.
    pub fn of_table(table: &TableAccess, level: u32) -> Vec<Condition> {
        table.filter.iter().map(|e| Condition::new(e.clone(), level)).collect()
    }

    /// Looks through an expression of the block at `level`.
    pub fn new(expr: Expr, level: u32) -> Self {
        let mut slots = BTreeSet::new();
        let (mut late, mut outer) = (false, false);
        expr.visit(&mut |e| match &e.kind {
            Kind::Column(slot) if slot.level == level => {
                slots.insert(slot.index);
            }
            Kind::Column(_) => outer = true,
            Kind::Subquery(s) => late |= s.correlated,
            Kind::Call(call) => late |= call.is_drawn(),
            Kind::AssignUserVar(..) => late = true,
            _ => {}
        });
        Self { expr, slots, late, outer, class: None, implied: None }
    }

    /// What checking it costs: cheap conditions go first.
    pub fn effort(&self) -> u8 {
        let mut effort = 0;
        self.expr.visit(&mut |e| {
            effort = effort.max(match &e.kind {
                Kind::Subquery(_) => 3,
                Kind::Like { .. } => 2,
                // A document is read to its end.
                Kind::Call(call) if call.name.starts_with("json_") => 2,
                Kind::Call(_) | Kind::Case { .. } => 1,
                _ => 0,
            });
        });
        effort
    }

    /// Whether it waits for no more than that all slots have values that it and its subqueries read, and these change nothing.
    pub fn may_be_asked(&self, known: &BTreeSet<u32>, level: u32) -> bool {
        let mut may = self.late && self.slots.is_subset(known);
        let has_value = |slot: &Slot| slot.level != level || known.contains(&slot.index);
        self.expr.visit(&mut |e| match &e.kind {
            Kind::AssignUserVar(..) | Kind::UserVar(_) => may = false,
            Kind::Call(call) => may &= !call.is_drawn(),
            Kind::Subquery(subquery) if subquery.correlated => {
                may &= subquery.reads.as_ref().is_some_and(|slots| slots.iter().all(has_value));
            }
            _ => {}
        });
        may
    }

    /// The same of columns that have values already and equal those that it reads, if it is no equality of theirs itself.
    pub fn said_of(mut self, known: &BTreeSet<u32>, classes: &Classes, level: u32) -> Condition {
        // Bounds have been said of all that equal their columns, and so have constants.
        let said = |e: &Expr| is_bound(e) || fixed_column(e).is_some();
        let stays = self.late || self.class.is_some() || self.implied.is_some() || said(&self.expr);
        if stays || self.slots.is_subset(known) {
            return self;
        }
        let said = |slot: Slot| match known.contains(&slot.index) {
            true => None,
            false => classes.integers_like(slot).find(|(other, _)| known.contains(&other.index)),
        };
        let has_value = |index: &u32| known.contains(index) || said(Slot { level, index: *index }).is_some();
        if !self.slots.iter().all(has_value) || probes(&self.expr) {
            return self;
        }
        self.expr.replace(&mut |e| match e.kind {
            Kind::Column(slot) if slot.level == level => {
                said(slot).map(|(slot, ty)| Expr { kind: Kind::Column(slot), ty: ty.clone() })
            }
            _ => None,
        });
        Condition::new(self.expr, level)
    }

    /// Whether all slots that it reads have values, and it need not wait.
    pub fn is_ready(&self, known: &BTreeSet<u32>) -> bool {
        !self.late && self.slots.is_subset(known)
    }
}

/// Whether a query in a condition has a plan by which it is asked for each row: that names columns, too.
fn probes(e: &Expr) -> bool {
    let mut probes = false;
    e.visit(&mut |e| probes |= matches!(&e.kind, Kind::Subquery(subquery) if subquery.probe.is_some()));
    probes
}

/// Whether a condition reads texts as numbers, and tells of those that are none.
pub fn tells(e: &Expr) -> bool {
    let mut tells = false;
    e.visit(&mut |e| {
        if let Kind::Compare(_, Comparison::Decimal | Comparison::Real, left, right) = &e.kind {
            // One that stands there is read each time where it is none.
            let stands = |e: &Expr| matches!(e.kind, Kind::Const(Value::Str(_)) | Kind::Param(_));
            let read = |e: &Expr| e.ty.class() == Class::Str && (e.reads_column() || stands(e));
            tells |= read(left) || read(right);
        }
    });
    tells
}

/// Puts cheap conditions first, but none before one that tells of what it reads, nor such a one before one that computes:
/// integers that are equal come first anyhow.
pub fn sort_by_effort(conditions: &mut Vec<Condition>) {
    let mut told = 0_usize;
    let mut computes = false;
    let mut keyed: Vec<_> = std::mem::take(conditions)
        .into_iter()
        .map(|c| {
            let equal = matches!(c.expr.kind, Kind::Compare(CompareOp::Eq, Comparison::Int, ..));
            let tells = tells(&c.expr);
            told += usize::from(tells && std::mem::take(&mut computes));
            let key = (if equal { 0 } else { told }, c.effort());
            told += usize::from(tells);
            computes |= (1..3).contains(&key.1);
            (key, c)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    conditions.extend(keyed.into_iter().map(|(_, c)| c));
}

/// Leaves out those of a table's conditions that follow from its equalities with rows read before.
pub fn without_implied(conditions: Vec<Condition>) -> Vec<Condition> {
    let classes: Vec<usize> = conditions.iter().filter_map(|c| c.class).collect();
    conditions.into_iter().filter(|c| c.implied.is_none_or(|class| !classes.contains(&class))).collect()
}
