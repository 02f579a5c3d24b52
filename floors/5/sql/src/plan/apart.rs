//! Aggregates that need not look for equal rows: the rows of each of their groups differ in a unique key, whose columns are
//! grouped by or aggregated. WITH ROLLUP, what several groups have alike counts more than once, as it does in MariaDB.

use super::{Access, Join, SelectPlan, Source, TableAccess};
use crate::expr::{Expr, Kind};
use crate::syntax::ast::AggregateKind::{Avg, Count, Sum};
use types::TableDef;

/// Has aggregates over the rows of one table forget DISTINCT where no two rows of a group are equal.
pub fn forget_distinct(plan: &mut SelectPlan) {
    let level = plan.level;
    let (Some(group), Some(join)) = (&mut plan.group, &plan.from) else { return };
    let Some(table) = only_read(join) else { return };
    let Source::Base(base) = &table.source else { return };
    let column_of = |e: &Expr| table.column_of(e, level);
    let grouped: Vec<usize> = group.keys.iter().filter_map(|key| column_of(&key.expr)).collect();
    for call in group.aggregates.iter_mut().filter(|call| call.distinct) {
        let columns = || call.args.iter().filter_map(column_of).chain(grouped.iter().copied());
        if matches!(call.kind, Sum | Avg | Count) && tell_apart(columns, base.def()) {
            (call.distinct, call.forgets_distinct) = (false, true);
        }
    }
}

/// Whether all rows differ in some columns.
fn tell_apart<I: Iterator<Item = usize>>(columns: impl Fn() -> I, def: &TableDef) -> bool {
    def.has_unique_key(|part| !def.columns[part.column].nullable && columns().any(|held| held == part.column))
}

/// The only table of a join whose rows are not known beforehand.
fn only_read(join: &Join) -> Option<&TableAccess> {
    match join {
        Join::Table(table) => Some(&**table).filter(|table| !looks_for_members(table)),
        Join::Inner(steps) => {
            let mut read = steps.iter().filter(|(join, _)| !is_known(join));
            let (only, _) = read.next()?;
            read.next().is_none().then(|| only_read(only)).flatten()
        }
        Join::Hash(hash) => only_read(&hash.build),
        _ => None,
    }
}

/// Whether it is a row that constants find.
fn is_known(join: &Join) -> bool {
    match join {
        Join::Table(table) => {
            matches!(&table.access, Access::Point(_, key) if key.iter().all(Expr::is_same_in_all_rows))
        }
        _ => false,
    }
}

/// Whether its rows are looked for in queries, which MariaDB joins with it.
fn looks_for_members(table: &TableAccess) -> bool {
    table.filter.iter().any(|e| matches!(e.kind, Kind::Subquery(_)))
}
