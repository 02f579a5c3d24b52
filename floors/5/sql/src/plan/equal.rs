//! What follows from equalities: of `a = b` and `b = 5` also `a = 5`, of `a = b` and `b = c` also `a = c`.
//!
//! Only columns of like types are taken together: equality is transitive among them, and a value that equals one
//! equals the other. Conditions made here are marked, so that estimates do not count them twice; any of a class that
//! connects a table to those before it does for all.

use super::TableAccess;
use super::estimate::is_open;
use super::hash::is_exact;
use super::order::tells;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, Type, TypeKind, build};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// A condition with the class of equal columns that it belongs to.
pub struct Classed {
    /// The condition.
    pub expr: Expr,
    /// Its class, if it says that two columns are equal.
    pub class: Option<usize>,
}

/// Classes of equal columns are not made beyond this size: pairs grow with its square.
const CLASS_MAX: usize = 8;

/// Adds what follows from the equalities among `conditions` between columns of the block at `level`; and their classes.
pub fn propagate(conditions: Vec<Expr>, level: u32) -> (Vec<Classed>, Classes) {
    let mut classes = Classes::default();
    for e in &conditions {
        if let Some((left, right, how)) = column_pair(e, level) {
            classes.join(left, right, how);
        }
    }
    let mut all: Vec<Classed> = Vec::with_capacity(conditions.len());
    for expr in conditions {
        let class = column_pair(&expr, level).map(|(left, ..)| classes.of[&left.0]);
        all.push(Classed { expr, class });
    }
    let mut more = Vec::new();
    for (class, members) in classes.members.iter().enumerate().filter(|(_, m)| m.len() <= CLASS_MAX) {
        let how = classes.how[class];
        for (i, (left, left_type)) in members.iter().enumerate() {
            for (right, right_type) in &members[i + 1..] {
                if !all.iter().any(|c| is_pair(&c.expr, *left, *right)) {
                    more.push(Classed {
                        expr: build::equality(column(*left, left_type), how, column(*right, right_type)),
                        class: Some(class),
                    });
                }
            }
        }
        if let Some(constant) = all.iter().find_map(|c| constant_of(&c.expr, members, how)) {
            for (slot, ty) in members.iter().filter(|(slot, _)| *slot != constant.0) {
                if !all.iter().any(|c| constant_of(&c.expr, members, how).is_some_and(|(s, _)| s == *slot)) {
                    let expr = build::equality(column(*slot, ty), how, constant.1.clone());
                    more.push(Classed { expr, class: None });
                }
            }
        }
    }
    all.extend(more);
    (all, classes)
}

/// Of columns that are wanted equal to a constant, or to what stands around: what else is said of them, said of that, which is
/// known before any row is read.
pub fn said_beforehand(conditions: &[Classed], classes: &Classes, level: u32) -> Vec<Expr> {
    let mut first: HashMap<Slot, (Comparison, &Expr)> = HashMap::new();
    let mut said = Vec::new();
    let one_of_all = |slot: Slot| classes.equals_of(slot).next().unwrap_or(slot);
    for (slot, how, constant) in conditions.iter().filter_map(|c| wanted_value(&c.expr, level)) {
        let (known, other) = *first.entry(one_of_all(slot)).or_insert((how, constant));
        if known == how && !other.same(constant) {
            said.push(build::equality(other.clone(), how, constant.clone()));
        }
    }
    if first.is_empty() {
        return said;
    }
    for e in conditions.iter().map(|c| &c.expr).filter(|e| is_bound(e)) {
        let known = one_column(e, level).and_then(|slot| first.get(&one_of_all(slot)));
        if let Some((how, constant)) = known
            && holds_for_equals(e, *how)
        {
            said.push(said_instead(e, constant));
        }
    }
    said
}

/// A condition on one column, said of something else.
pub fn said_instead(e: &Expr, of: &Expr) -> Expr {
    let mut said = e.clone();
    said.replace(&mut |e| matches!(e.kind, Kind::Column(_)).then(|| of.clone()));
    said
}

/// Whether a condition bounds a column, and with it all that equals it, compared so.
pub fn bounds_equals(e: &Expr, column: Slot, how: Comparison) -> bool {
    is_bound(e) && one_column(e, column.level) == Some(column) && holds_for_equals(e, how)
}

/// A column of the block and the constant, or the column of a block around, that a condition wants it to be, of types whose values
/// compare without a word.
fn wanted_value(e: &Expr, level: u32) -> Option<(Slot, Comparison, &Expr)> {
    let Kind::Compare(CompareOp::Eq, how, left, right) = &e.kind else { return None };
    let known = |e: &Expr| match e.kind {
        Kind::Column(slot) => slot.level < level,
        _ => matches!(e.kind, Kind::Const(_) | Kind::Param(_)),
    };
    [(left, right), (right, left)].into_iter().find_map(|(own, other)| match own.kind {
        Kind::Column(slot) if slot.level == level && known(other) => {
            let exact = compares_as_itself(*how, &own.ty) && is_exact(*how, &left.ty, &right.ty);
            exact.then_some((slot, *how, &**other))
        }
        _ => None,
    })
}

/// Whether a comparison tells a column's values apart as the column itself does.
fn compares_as_itself(how: Comparison, ty: &Type) -> bool {
    match how {
        Comparison::Int => ty.labels.is_none(),
        Comparison::Str(collation) => ty.collation == collation && ty.labels.is_none(),
        Comparison::Decimal => ty.kind == TypeKind::Decimal,
        _ => false,
    }
}

/// Conditions on one column, said of each that equals it, with the class of these; and alternatives of several columns, said of
/// each of `tables` that has them or such as equal them.
pub fn restated(
    conditions: &[Classed],
    classes: &Classes,
    tables: &[Range<u32>],
    level: u32,
) -> Vec<(Expr, usize)> {
    let mut restated = Vec::new();
    for e in conditions.iter().map(|c| &c.expr) {
        if matches!(e.kind, Kind::Or(_)) {
            restated.extend(tables.iter().filter_map(|table| said_of(e, classes, table, level)));
        }
        let Some((slot, class)) = one_column(e, level).and_then(|s| Some((s, *classes.of.get(&s)?))) else {
            continue;
        };
        let how = classes.how[class];
        let members = &classes.members[class];
        // What is no equality to a constant: those have been said.
        if !holds_for_equals(e, how) || constant_of(e, members, how).is_some() {
            continue;
        }
        for (other, ty) in members.iter().filter(|(other, _)| *other != slot) {
            restated.push((said_instead(e, &column(*other, ty)), class));
        }
    }
    restated
}

/// A condition that reads several tables as one of a single table, where integers equal what it reads of the others; with the
/// class of one that does.
fn said_of(e: &Expr, classes: &Classes, table: &Range<u32>, level: u32) -> Option<(Expr, usize)> {
    let place = |slot: Slot| {
        let class = *classes.of.get(&slot).filter(|class| classes.how[**class] == Comparison::Int)?;
        let own = classes.members[class].iter().find(|(other, _)| table.contains(&other.index))?;
        Some((class, column(own.0, &own.1)))
    };
    let has = |slot: Slot| table.contains(&slot.index);
    if !is_open(e, |slot| slot.level == level && (has(slot) || place(slot).is_some())) {
        return None;
    }
    let (mut moved, mut slots) = (None, BTreeSet::new());
    let mut said = e.clone();
    said.replace(&mut |e| {
        let Kind::Column(slot) = e.kind else { return None };
        slots.insert(slot);
        let (class, own) = place(slot).filter(|_| !has(slot))?;
        moved = Some(class);
        Some(own)
    });
    moved.filter(|_| slots.len() > 1).map(|class| (said, class))
}

/// Whether a condition bounds a column by constants, or each of its alternatives does, and says nothing of what it reads.
pub fn is_bound(e: &Expr) -> bool {
    !tells(e)
        && match &e.kind {
            Kind::Or(any) => any.iter().all(|e| bounds(e) || fixed_column(e).is_some()),
            _ => bounds(e),
        }
}

/// Whether a condition bounds a column by constants.
fn bounds(e: &Expr) -> bool {
    let known = |e: &Expr| matches!(e.kind, Kind::Const(_) | Kind::Param(_));
    let side = |e: &Expr| known(e) || matches!(e.kind, Kind::Column(_));
    match &e.kind {
        Kind::Compare(CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge, _, left, right) => {
            side(left) && side(right)
        }
        Kind::Between { operands, negated: false, .. } => {
            matches!(operands[0].kind, Kind::Column(_)) && operands[1..].iter().all(known)
        }
        Kind::InList { operand, list, negated: false, .. } => {
            matches!(operand.kind, Kind::Column(_)) && list.iter().all(|(_, e)| known(e))
        }
        _ => false,
    }
}

/// The one column that a condition reads, if it reads nothing else.
fn one_column(e: &Expr, level: u32) -> Option<Slot> {
    let mut found = None;
    e.visit(&mut |e| {
        if let (Kind::Column(slot), None) = (&e.kind, found) {
            found = Some(*slot);
        }
    });
    found.filter(|found| found.level == level && is_open(e, |slot| slot == *found))
}

/// Whether what a condition says of a value it says of all that equal it, compared so: texts and times may be equal and
/// not the same.
pub fn holds_for_equals(e: &Expr, how: Comparison) -> bool {
    match &e.kind {
        _ if how == Comparison::Int => true,
        Kind::Compare(_, own, left, right) => {
            *own == how && [left, right].iter().any(|e| matches!(e.kind, Kind::Column(_)))
        }
        Kind::Between { operands, how: own, .. } => {
            *own == how && matches!(operands[0].kind, Kind::Column(_))
        }
        Kind::InList { operand, list, .. } => {
            list.iter().all(|(own, _)| *own == how) && matches!(operand.kind, Kind::Column(_))
        }
        _ => false,
    }
}

/// Columns that equal each other, and how they are compared.
#[derive(Default)]
pub struct Classes {
    of: HashMap<Slot, usize>,
    members: Vec<Vec<(Slot, Type)>>,
    how: Vec<Comparison>,
}

impl Classes {
    /// The columns that equal one which is an integer, with their types.
    pub fn integers_like(&self, slot: Slot) -> impl Iterator<Item = (Slot, &Type)> {
        let class = self.of.get(&slot).filter(|class| self.how[**class] == Comparison::Int);
        let members = class.map(|class| &self.members[*class][..]).unwrap_or_default();
        members.iter().map(|(slot, ty)| (*slot, ty))
    }

    /// The column of a table that a column is, or equals.
    pub fn column_in(&self, table: &TableAccess, slot: Slot) -> Option<usize> {
        self.with_equals(slot).into_iter().find_map(|slot| table.column_at(slot.index))
    }

    /// A column, and those that equal it behind.
    pub fn with_equals(&self, slot: Slot) -> Vec<Slot> {
        let others = self.equals_of(slot).filter(|other| *other != slot);
        std::iter::once(slot).chain(others).collect()
    }

    /// The columns that a column equals, itself among them.
    pub fn equals_of(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        let class = self.of.get(&slot).map(|class| &self.members[*class][..]);
        class.unwrap_or_default().iter().map(|(slot, _)| *slot)
    }

    fn join(&mut self, left: (Slot, Type), right: (Slot, Type), how: Comparison) {
        match (self.of.get(&left.0).copied(), self.of.get(&right.0).copied()) {
            (None, None) => {
                let class = self.members.len();
                self.of.insert(left.0, class);
                self.of.insert(right.0, class);
                self.members.push(vec![left, right]);
                self.how.push(how);
            }
            (Some(class), None) => {
                self.of.insert(right.0, class);
                self.members[class].push(right);
            }
            (None, Some(class)) => {
                self.of.insert(left.0, class);
                self.members[class].push(left);
            }
            (Some(a), Some(b)) if a != b => {
                for (slot, ty) in std::mem::take(&mut self.members[b]) {
                    self.of.insert(slot, a);
                    self.members[a].push((slot, ty));
                }
            }
            _ => {}
        }
    }
}

fn column(slot: Slot, ty: &Type) -> Expr {
    Expr { kind: Kind::Column(slot), ty: ty.clone() }
}

/// Two columns with their types, and how they are compared.
type Pair = ((Slot, Type), (Slot, Type), Comparison);

/// Two different columns of the block that a condition says are equal, of types whose values compare alike.
fn column_pair(e: &Expr, level: u32) -> Option<Pair> {
    let Kind::Compare(CompareOp::Eq, how, left, right) = &e.kind else { return None };
    let (Kind::Column(a), Kind::Column(b)) = (&left.kind, &right.kind) else { return None };
    let own = a.level == level && b.level == level && a != b;
    (own && alike(&left.ty, &right.ty, *how)).then(|| ((*a, left.ty.clone()), (*b, right.ty.clone()), *how))
}

fn alike(a: &Type, b: &Type, how: Comparison) -> bool {
    match how {
        Comparison::Int => {
            a.kind == b.kind && a.unsigned == b.unsigned && a.labels.is_none() && b.labels.is_none()
        }
        Comparison::Str(collation) => {
            a.collation == collation && b.collation == collation && a.labels.is_none() && b.labels.is_none()
        }
        Comparison::Decimal => a.kind == TypeKind::Decimal && b.kind == TypeKind::Decimal,
        Comparison::DateTime | Comparison::Fixed(_) => a.kind == b.kind,
        Comparison::Real | Comparison::Near(_) | Comparison::Time => false,
    }
}

/// Whether a condition says that a column has one value in all rows, compared as its own values are.
pub fn fixes(e: &Expr, column: Slot) -> bool {
    fixed_column(e) == Some(column)
}

/// The column that a condition says has one value in all rows, compared as its own values are.
pub fn fixed_column(e: &Expr) -> Option<Slot> {
    let Kind::Compare(CompareOp::Eq, how, left, right) = &e.kind else { return None };
    let of = match (&left.kind, &right.kind) {
        (Kind::Column(_), Kind::Const(_) | Kind::Param(_)) => left,
        (Kind::Const(_) | Kind::Param(_), Kind::Column(_)) => right,
        _ => return None,
    };
    match of.kind {
        Kind::Column(slot) if compares_as_itself(*how, &of.ty) => Some(slot),
        _ => None,
    }
}

fn is_pair(e: &Expr, left: Slot, right: Slot) -> bool {
    let Kind::Compare(CompareOp::Eq, _, a, b) = &e.kind else { return false };
    match (&a.kind, &b.kind) {
        (Kind::Column(a), Kind::Column(b)) => (*a, *b) == (left, right) || (*a, *b) == (right, left),
        _ => false,
    }
}

/// The constant that a condition says a member of the class equals.
fn constant_of(e: &Expr, members: &[(Slot, Type)], how: Comparison) -> Option<(Slot, Expr)> {
    let Kind::Compare(CompareOp::Eq, by, left, right) = &e.kind else { return None };
    let (slot, constant) = match (&left.kind, &right.kind) {
        (Kind::Column(slot), Kind::Const(_) | Kind::Param(_)) => (*slot, &**right),
        (Kind::Const(_) | Kind::Param(_), Kind::Column(slot)) => (*slot, &**left),
        _ => return None,
    };
    (*by == how && members.iter().any(|(member, _)| *member == slot)).then(|| (slot, constant.clone()))
}
