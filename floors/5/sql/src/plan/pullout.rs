//! `IN (query)` whose rows a unique key tells apart: a join with the query's table itself (MariaDB's table pullout).
//!
//! Of `a.b_id IN (SELECT id FROM b WHERE ..)`, where `id` is the primary key, nothing has to be made to find the different
//! rows: each row of `a` has one of `b` at most.

use super::estimate::is_open;
use super::exists::is_plain;
use super::hash::compares_as_keyed;
use super::{Body, Join, SelectPlan, Source, SubqueryExpr, SubqueryForm, TableAccess};
use crate::bind::Scope;
use crate::expr::{Comparison, Expr, Kind, Slot, build};

/// Makes a table of the block around of a subquery's, if it can be: its conditions and what it is joined by are put to
/// `conditions`.
pub fn pull_out(
    subquery: &SubqueryExpr,
    scope: &Scope<'_>,
    conditions: &mut Vec<Expr>,
) -> Option<TableAccess> {
    let SubqueryForm::In { left, how, negated: false } = &subquery.form else { return None };
    let Body::Select(select) = &subquery.plan.body else { return None };
    let (table, columns) = keyed_table(select, how)?;
    let Source::Base(base) = &table.source else { return None };
    let first = scope.reserve(base.def().columns.len());
    let here = |index: u32| Slot { level: scope.level, index: first + index - table.slots.start };
    let mut pulled = TableAccess::new(&table.alias, Source::Base(base.clone()), first..scope.width.get());
    pulled.hints = table.hints.clone();
    for e in &table.filter {
        let mut e = e.clone();
        e.replace(&mut |e| match e.kind {
            Kind::Column(slot) => Some(Expr { kind: Kind::Column(here(slot.index)), ty: e.ty.clone() }),
            _ => None,
        });
        scope.mark_used(&e);
        conditions.push(e);
    }
    for (i, column) in columns.into_iter().enumerate() {
        let slot = here(table.slots.start + column as u32);
        let right = Expr { kind: Kind::Column(slot), ty: select.items[i].ty.clone() };
        scope.mark_used(&right);
        conditions.push(build::equality(left[i].clone(), how[i], right));
    }
    Some(pulled)
}

/// The one table of a query that is nothing but rows of it, of which the columns that are selected have a unique key; and these.
fn keyed_table<'p>(select: &'p SelectPlan, how: &[Comparison]) -> Option<(&'p TableAccess, Vec<usize>)> {
    let Some(Join::Table(table)) = &select.from else { return None };
    let Source::Base(base) = &table.source else { return None };
    let plain = is_plain(select) && select.read_beforehand.is_empty() && table.lock.is_none();
    let open = |e: &Expr| is_open(e, |slot| slot.level == select.level);
    if !plain || !table.filter.iter().all(open) {
        return None;
    }
    let as_keyed = |(e, how): (&Expr, &Comparison)| compares_as_keyed(*how, &e.ty);
    let columns: Vec<usize> =
        select.items.iter().map(|e| table.column_of(e, select.level)).collect::<Option<_>>()?;
    let keyed = select.items.iter().zip(how).all(as_keyed)
        && base.def().has_unique_key(|part| part.prefix_chars.is_none() && columns.contains(&part.column));
    keyed.then_some((table, columns))
}
