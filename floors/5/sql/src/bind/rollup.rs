//! GROUP BY ... WITH ROLLUP: behind grouping, every mention of a key is of what the row at hand shows for it.

use super::Scope;
use super::scope::ScopeColumn;
use super::select::Item;
use crate::expr::{Expr, Kind, Named, Slot};
use crate::plan::SortKey;
use crate::plan::window::{WindowFunction, Windows};
use crate::syntax::ast::rewrite::{Rewrite, walk_expr};
use crate::syntax::ast::{self, BinaryOp, ExprKind, UnaryOp};

/// The keys of a block with ROLLUP, each with the slot that takes its place; empty without ROLLUP.
pub struct Rollup {
    keys: Vec<(Expr, Expr)>,
    /// Which keys are columns: only those are told inside of expressions, where MariaDB computes others anew.
    columns: Vec<bool>,
    /// Which keys MariaDB does not find written again.
    hidden: Vec<bool>,
    slots: Vec<u32>,
}

impl Rollup {
    /// Takes a slot for each key.
    pub fn new(keys: &[SortKey], written: &[ast::OrderItem], scope: &Scope<'_>) -> Self {
        let slots: Vec<u32> = keys.iter().map(|_| scope.reserve(1)).collect();
        let shown = |(key, &index): (&SortKey, &u32)| {
            let mut ty = key.expr.ty.clone();
            ty.nullable = true;
            let computed = matches!(ty.origin, Named::Computed(_));
            if ty.written && !computed && matches!(key.expr.kind, Kind::Const(_)) {
                ty.origin = Named::LeftOut;
            }
            (key.expr.clone(), Expr { kind: Kind::Column(Slot { level: scope.level, index }), ty })
        };
        let hidden: Vec<bool> = written.iter().map(|member| is_hidden(&member.expr, scope)).collect();
        let column = |(key, hidden): (&SortKey, &bool)| {
            let merged = |column: &ScopeColumn| column.origin.merged && column.expr.is_written_as(&key.expr);
            let named = || scope.tables.iter().any(|table| table.columns.iter().any(merged));
            matches!(key.expr.kind, Kind::Column(_)) || !hidden && named()
        };
        let columns = keys.iter().zip(&hidden).map(column).collect();
        Self { keys: keys.iter().zip(&slots).map(shown).collect(), columns, hidden, slots }
    }

    /// The key that an expression is.
    fn key_of(&self, is_key: impl Fn(&Expr) -> bool) -> Option<&(Expr, Expr)> {
        let mut keys = self.keys.iter().zip(&self.hidden);
        keys.rfind(|((key, _), hidden)| !**hidden && is_key(key)).map(|(key, _)| key)
    }

    /// Puts the slots in the place of the keys, the last one in that of keys that are alike: also of those whose value is
    /// not the same each time it is asked for.
    pub fn apply(&self, e: &mut Expr) {
        match self.key_of(|key| key.is_written_as(e)) {
            Some((_, shown)) => *e = shown.clone(),
            None => self.apply_inside(e),
        }
    }

    /// As [`Rollup::apply`], for what is inside of an expression.
    fn apply_inside(&self, e: &mut Expr) {
        if !self.columns.contains(&true) {
            return;
        }
        e.replace(&mut |e| {
            let mut keys = self.keys.iter().zip(&self.columns);
            let found = keys.rfind(|((key, _), column)| **column && key.is_written_as(e));
            found.map(|((_, shown), _)| shown.clone())
        });
    }

    /// As [`Rollup::apply`], for an item of the select list, which may be a key as a whole but for the sign of integers in it.
    pub fn apply_to_item(&self, item: &mut Item) {
        let nearly = self.key_of(|key| key.is_nearly_written_as(&item.expr));
        match nearly.filter(|(key, _)| !key.is_written_as(&item.expr)) {
            Some((_, shown)) => {
                item.expr.kind = shown.kind.clone();
                item.expr.ty.nullable = true;
            }
            None => self.apply(&mut item.expr),
        }
    }

    /// Puts a key's slot in the place of the item that the key names: of two that are written alike each is its own, of two
    /// keys that are the same item's the last one counts.
    pub fn apply_to_named(&self, named: &[Option<usize>], items: &mut [Item]) {
        for (at, (key, place)) in self.keys.iter().zip(named).enumerate() {
            let Some(item) = place.and_then(|place| items.get_mut(place)) else { continue };
            let mut behind = self.keys.iter().zip(named).skip(at + 1);
            let again = behind.rfind(|((other, _), named)| named.is_none() && other.is_written_as(&key.0));
            item.expr = again.map_or(&key.1, |((_, shown), _)| shown).clone();
        }
    }

    /// As [`Rollup::apply`], for all that window functions compute with.
    pub fn apply_to_windows(&self, windows: &mut Windows) {
        for pass in &mut windows.passes {
            pass.keys.iter_mut().for_each(|key| self.apply(&mut key.expr));
            for call in &mut pass.calls {
                call.args.iter_mut().for_each(|e| self.apply_inside(e));
                if let WindowFunction::Aggregate(aggregate) = &mut call.function {
                    aggregate.args.iter_mut().for_each(|e| self.apply_inside(e));
                }
            }
        }
        windows.slots.extend(&self.slots);
    }

    /// Puts the keys back in the place of their slots, where there are no groups after all; tells that it is done.
    pub fn take_back(&self, items: &mut [Item]) -> bool {
        let key_of = |slot: &Slot| self.slots.iter().position(|own| *own == slot.index);
        for item in items {
            item.expr.replace(&mut |e| match &e.kind {
                Kind::Column(slot) => {
                    let (key, _) = self.keys.get(key_of(slot)?)?;
                    Some(Expr { kind: key.kind.clone(), ty: e.ty.clone() })
                }
                _ => None,
            });
        }
        true
    }

    /// The slots, for the plan.
    pub fn into_slots(self) -> Vec<u32> {
        self.slots
    }
}

/// Whether a key is not found again where it is written once more: columns of merged queries in it that have their table's
/// name, or that are computed, are none to MariaDB that equal themselves, nor are some of its operators.
fn is_hidden(key: &ast::Expr, scope: &Scope<'_>) -> bool {
    struct Search<'s, 'o>(&'s Scope<'o>, bool);
    impl Rewrite for Search<'_, '_> {
        fn expr(&mut self, e: &mut ast::Expr) {
            self.1 |= match &e.kind {
                ExprKind::And(_) | ExprKind::Or(_) => true,
                ExprKind::Binary { op: BinaryOp::Eq, left, .. } => matches!(left.kind, ExprKind::Row(_)),
                ExprKind::Unary { op: UnaryOp::Not, expr } => matches!(expr.kind, ExprKind::Column(_)),
                ExprKind::Function(call) => call.name.eq_ignore_ascii_case("nullif"),
                ExprKind::Column(name) => self.0.named(name).is_some_and(|(_, column)| {
                    let computed = !matches!(column.expr.kind, Kind::Column(_));
                    computed || column.origin.merged && name.table.is_some()
                }),
                _ => false,
            };
            walk_expr(self, e);
        }
    }
    if matches!(key.kind, ExprKind::Column(_)) {
        return false;
    }
    let mut search = Search(scope, false);
    search.expr(&mut key.clone());
    search.1
}
