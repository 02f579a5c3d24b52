//! Conditions pushed into derived tables: rows that a condition on a derived table throws away need not be made.
//!
//! A condition that reads one derived table only is said again inside of it, of the expressions that its columns are. It
//! goes to the first place where it can be checked, and may bound an index there. Outside it stays: it costs little on
//! the rows that are left, and does not depend on how far inside it got. What is shared by several uses, limited or
//! numbered (ROWNUM()) is left alone: there other rows count too. So they do for window functions, but for what parts
//! all of them; a bound of a rank is told to the function.

use super::access::{self, cost};
use super::estimate::{TableFacts, is_known_now, is_open};
use super::joins::locks_rows;
use super::order::{Condition, settle, slots_of};
use super::{Body, Join, QueryPlan, SelectPlan, Source, TableAccess, Tail};
use super::{covering, grouped, hash};
use crate::bind::Binder;
use crate::expr::{Expr, Kind, Slot, build};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether a join has derived tables.
pub fn has_derived(join: &Join) -> bool {
    let mut has = false;
    join.visit_tables(&mut |table| {
        has |= matches!(table.source, Source::Derived { .. } | Source::Distinct { .. })
    });
    has
}

/// Pushes the conditions of a block into the derived tables of its join, before it is placed.
pub fn into_derived(join: &mut Join, conditions: &[Expr], level: u32, binder: &mut Binder<'_>) {
    match join {
        Join::Table(table) => into_table(table, conditions, level, binder),
        Join::Inner(steps) => {
            steps.iter_mut().for_each(|(join, _)| into_derived(join, conditions, level, binder));
        }
        // Of the other side, rows without a partner come too.
        Join::Left { left, .. } => into_derived(left, conditions, level, binder),
        Join::Hash(hash) => into_derived(&mut hash.build, conditions, level, binder),
    }
}

fn into_table(table: &mut TableAccess, conditions: &[Expr], level: u32, binder: &mut Binder<'_>) {
    let (Source::Derived { plan, number } | Source::Distinct { plan, number, .. }) = &mut table.source else {
        return;
    };
    let Some(plan) = Arc::get_mut(plan) else { return };
    let own = |slot: Slot| slot.level == level && table.slots.contains(&slot.index);
    let mut changed = false;
    for condition in conditions.iter().filter(|e| is_open(e, own) && !is_known_now(e)) {
        changed |= into_query(plan, condition, table.slots.start, binder);
    }
    if changed {
        // Its rows are no more those of the other uses of a common table expression.
        *number = binder.next_number();
    }
}

/// Says what HAVING says of the keys alone of the rows that the groups are made of, and no more of the groups.
pub fn having_into_rows(plan: &mut SelectPlan, conditions: &mut Vec<Expr>) {
    let Some(group) = plan.group.as_ref().filter(|group| group.rollup.is_empty()) else { return };
    let is_key = |slot: Slot| {
        let mut keys = group.keys.iter();
        slot.level == plan.level && keys.any(|key| key.is_column(slot))
    };
    let of_keys = |e: &Expr| is_open(e, is_key) && !is_known_now(e);
    let Some(having) = plan.having.take_if(|_| !plan.distinct) else { return };
    let ty = having.ty.clone();
    let mut all = Vec::new();
    build::conjuncts(having, &mut all);
    let (of_rows, mut of_groups): (Vec<_>, Vec<_>) = all.into_iter().partition(of_keys);
    conditions.extend(of_rows);
    plan.having = match of_groups.len() {
        0 | 1 => of_groups.pop(),
        _ => Some(Expr { kind: Kind::And(of_groups), ty }),
    };
}

/// Whether all rows are wanted, and none counted.
pub fn takes_all(tail: &Tail) -> bool {
    tail.limit.is_none()
        && tail.offset.is_none()
        && tail.rows_examined.is_none()
        && !tail.with_ties
        && !tail.calc_found_rows
}

/// Says a condition on the rows of a query, whose columns stand in slots from `first` on, inside of it; tells whether it
/// went anywhere.
fn into_query(plan: &mut QueryPlan, condition: &Expr, first: u32, binder: &mut Binder<'_>) -> bool {
    match &mut plan.body {
        Body::Select(select) => into_select(select, condition, first, binder),
        Body::SetOps { first: operand, rest, tail, .. } if takes_all(tail) => {
            let mut operands: Vec<&mut QueryPlan> = vec![operand];
            operands.extend(rest.iter_mut().map(|(.., plan)| plan));
            let columns = &plan.columns;
            let same = |operand: &QueryPlan, slot: Slot| {
                let at = (slot.index - first) as usize;
                let (own, whole) = (&operand.columns[at].ty, &columns[at].ty);
                own.kind == whole.kind
                    && own.collation == whole.collation
                    && (own.unsigned, own.decimals) == (whole.unsigned, whole.decimals)
                    && own.labels.is_none()
                    && whole.labels.is_none()
            };
            let mut alike = true;
            condition.visit(&mut |e| {
                if let Kind::Column(slot) = e.kind {
                    alike &= operands.iter().all(|operand| same(operand, slot));
                }
            });
            let into = |operand: &mut QueryPlan| into_query(operand, condition, first, binder);
            alike && operands.into_iter().map(into).fold(false, |one, other| one | other)
        }
        Body::SetOps { .. } | Body::Values { .. } | Body::Recursive(_) => false,
    }
}

fn into_select(plan: &mut SelectPlan, condition: &Expr, first: u32, binder: &mut Binder<'_>) -> bool {
    let open = takes_all(&plan.tail) && plan.row_number.is_none() && plan.lock.is_none();
    if !open || plan.group.as_ref().is_some_and(|group| !group.rollup.is_empty()) {
        return false;
    }
    let mut expr = condition.clone();
    let mut possible = true;
    expr.replace(&mut |e| match e.kind {
        Kind::Column(slot) => {
            let item = &plan.items[(slot.index - first) as usize];
            possible &= item_stands(plan, item);
            Some(item.clone())
        }
        _ => None,
    });
    // Nothing is said or done in the select list of a row that does not come.
    let quiet = |item: &Expr| matches!(item.kind, Kind::Column(_) | Kind::Const(_));
    let mut ranked = false;
    if let Some(windows) = &mut plan.windows
        && !plan.distinct
        && plan.items.iter().all(quiet)
    {
        windows.ask_for_first(&expr, plan.level);
        ranked = windows.most.is_some();
    }
    let condition = Condition::new(expr, plan.level);
    if !possible || condition.late || condition.outer || condition.slots.is_empty() {
        return ranked;
    }
    if let Some(waiting) = &mut plan.waiting {
        waiting.conditions.push(condition.expr);
        return true;
    }
    // The condition reads what the groups are made of: what is presorted by that stays so.
    if !plan.presorted {
        grouped::undo(plan);
    }
    let Some(join) = &mut plan.from else { return ranked };
    let level = plan.level;
    into_derived(join, std::slice::from_ref(&condition.expr), level, binder);
    let mut place = Place { level, binder: &mut *binder, free: !plan.presorted };
    match place.put(join, condition, true) {
        None => {
            if let Join::Table(table) = join {
                plan.cost = plan.cost.min(table.rows.max(1.0) * cost::FETCH);
                plan.rows = plan.rows.min((table.rows * table.kept).max(1.0));
            }
        }
        Some(condition) => plan.filter.push(condition.expr),
    }
    if let Some(join @ (Join::Left { .. } | Join::Inner(_))) = &mut plan.from {
        Lookups { level, binder: &mut *binder }.take(join, &BTreeSet::new());
    }
    if !plan.presorted {
        grouped::by_index(plan, binder);
    }
    match plan.from.as_mut().filter(|join| locks_rows(join)) {
        Some(join) => covering::cover(join),
        None => hash::prune(plan),
    }
    true
}

/// Whether a condition on a member of the select list may be said of the rows behind it.
fn item_stands(plan: &SelectPlan, item: &Expr) -> bool {
    if let Some(windows) = &plan.windows
        && !matches!(item.kind, Kind::Column(slot) if windows.part_by(slot))
    {
        return false;
    }
    match &plan.group {
        None => is_open(item, |_| true),
        // All rows of a group agree in its keys.
        Some(group) => match item.kind {
            Kind::Column(slot) => group.keys.iter().any(|key| key.is_column(slot)),
            _ => false,
        },
    }
}

/// Sides of a join that were kept in hash tables are looked up where so few rows are left around them that an index does.
struct Lookups<'l, 'b> {
    level: u32,
    binder: &'l mut Binder<'b>,
}

impl Lookups<'_, '_> {
    /// Goes through a join; gives the rows expected of it.
    fn take(&mut self, join: &mut Join, known: &BTreeSet<u32>) -> f64 {
        match join {
            Join::Table(table) => (table.rows * table.kept).max(1.0),
            Join::Inner(steps) => {
                let (mut rows, mut known) = (1.0, known.clone());
                for (join, _) in steps {
                    rows *= self.side(join, &known, rows);
                    known.extend(slots_of(join));
                }
                rows
            }
            Join::Left { left, right, .. } => {
                let rows = self.take(left, known);
                let mut known = known.clone();
                known.extend(slots_of(left));
                rows * self.side(right, &known, rows).max(1.0)
            }
            Join::Hash(hash) => hash.rows.max(1.0),
        }
    }

    /// A side of a join that so many rows are around; gives the rows expected for each.
    fn side(&mut self, join: &mut Join, known: &BTreeSet<u32>, around: f64) -> f64 {
        let Join::Hash(hash) = join else { return self.take(join, known) };
        let kept = hash.rows.max(1.0);
        let Join::Table(table) = &mut hash.build else { return kept };
        if !matches!(table.source, Source::Base(_)) || hash.row.is_some() {
            return kept;
        }
        let keyed = hash.keys.iter().zip(&hash.probe).zip(&hash.how);
        let keyed = keyed.map(|((key, probe), how)| build::equality(key.clone(), *how, probe.clone()));
        let ready: Vec<Condition> =
            table.filter.iter().cloned().chain(keyed).map(|e| Condition::new(e, self.level)).collect();
        let (facts, params) = (TableFacts::of(table), self.binder.params);
        let state = &mut *self.binder.state;
        let choice = access::choose(table, &facts, &ready, known, self.level, (params, false), state);
        let Ok(choice) = choice else { return kept };
        let built = table.rows * cost::ROW + kept * cost::BUILD;
        if choice.is_scan() || around * choice.cost * cost::SURELY_CHEAPER > built {
            return kept;
        }
        let rows = choice.rows;
        settle(table, ready, choice);
        table.keys_only = false;
        if let Join::Hash(hash) = std::mem::replace(join, Join::Inner(Vec::new())) {
            *join = hash.build;
        }
        rows
    }
}

/// Puts a condition into a join that is placed already.
struct Place<'p, 'b> {
    level: u32,
    binder: &'p mut Binder<'b>,
    /// The way in which tables are read may change.
    free: bool,
}

impl Place<'_, '_> {
    /// Gives the condition back where it must wait for the whole row. `alone`: nothing is known before the join runs.
    fn put(&mut self, join: &mut Join, condition: Condition, alone: bool) -> Option<Condition> {
        let holds = |join: &Join, slots: &BTreeSet<u32>| slots.is_subset(&slots_of(join));
        match join {
            Join::Table(table) => {
                self.put_table(table, condition, alone);
                None
            }
            Join::Inner(steps) => {
                if let Some(at) = steps.iter().position(|(join, _)| holds(join, &condition.slots)) {
                    let (join, behind) = &mut steps[at];
                    behind.extend(self.put(join, condition, alone && at == 0).map(|c| c.expr));
                    return None;
                }
                Some(condition)
            }
            Join::Left { left, .. } if holds(left, &condition.slots) => self.put(left, condition, alone),
            Join::Hash(hash) if holds(&hash.build, &condition.slots) => {
                self.put(&mut hash.build, condition, true)
            }
            Join::Left { .. } | Join::Hash(_) => Some(condition),
        }
    }

    fn put_table(&mut self, table: &mut TableAccess, condition: Condition, alone: bool) {
        if alone && self.free && matches!(table.source, Source::Base(_)) {
            let mut ready = Condition::of_table(table, self.level);
            ready.push(condition.clone());
            ready.sort_by_key(Condition::effort);
            let facts = TableFacts::of(table);
            let (params, known) = (self.binder.params, BTreeSet::new());
            let state = &mut *self.binder.state;
            if let Ok(choice) =
                access::choose(table, &facts, &ready, &known, self.level, (params, false), state)
            {
                settle(table, ready, choice);
                table.keys_only &= table.residual.is_empty() && table.is_ranged();
                return;
            }
        }
        table.filter.push(condition.expr.clone());
        table.residual.push(condition.expr);
        table.checked.push(table.columns.len());
        table.keys_only = false;
    }
}
