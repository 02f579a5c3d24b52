//! Statements over one row by its whole primary key, as far as their plans tell.

use super::State;
use crate::expr::{CompareOp, Expr, Kind, store};
use crate::plan::{Access, Body, Join, QueryPlan, SelectPlan, Source};
use engine::Table;
use std::sync::Arc;
use types::Value;

/// One row of one table by its whole primary key.
pub(super) struct RowKey {
    pub(super) table: Arc<Table>,
    index: usize,
    keys: Vec<Expr>,
}

/// The columns of one row that a query gives as they are stored.
pub(super) struct PointColumns(pub(super) Vec<usize>);

impl RowKey {
    /// The row that a block reads, if it is one of one table by its whole primary key.
    pub(super) fn of(select: &SelectPlan) -> Option<RowKey> {
        let Some(Join::Table(access)) = &select.from else { return None };
        let Source::Base(table) = &access.source else { return None };
        let Access::Point(index, keys) = &access.access else { return None };
        let whole = table.primary_index() == Some(*index);
        whole.then(|| RowKey { table: table.clone(), index: *index, keys: keys.clone() })
    }

    /// Appends the row's key; `None` where parameters have no value that the key could hold.
    pub(super) fn append_key(&self, params: &[Value], state: &State, key: &mut Vec<u8>) -> Option<()> {
        let key_of = self.table.index_key(self.index)?;
        for (i, expr) in self.keys.iter().enumerate() {
            let value = match &expr.kind {
                Kind::Const(value) => value,
                Kind::Param(n) => params.get(*n as usize)?,
                _ => return None,
            };
            let column = &self.table.def().columns[key_of.parts()[i].column];
            let value = store::exact(value, column, state)?;
            if value.is_null() || key_of.append_part(i, &value, key).is_err() {
                return None;
            }
        }
        Some(())
    }
}

impl PointColumns {
    /// The columns of the one row that a query gives, if it does nothing else.
    pub(super) fn of(plan: &QueryPlan, row: Option<&RowKey>) -> Option<PointColumns> {
        let Body::Select(select) = &plan.body else { return None };
        let SelectPlan {
            from: Some(Join::Table(access)), group: None, having: None, distinct: false, ..
        } = &**select
        else {
            return None;
        };
        let keys = &row?.keys;
        let tail = &select.tail;
        let simple = tail.limit.is_none()
            && tail.offset.is_none()
            && !tail.with_ties
            && tail.rows_examined.is_none()
            && !tail.calc_found_rows
            && select.lock.is_none()
            && select.row_number.is_none()
            && access.lock.is_none()
            && select.filter.is_empty()
            && select.constant_filter.is_empty()
            && access.filter.len() == keys.len()
            && access.filter.iter().all(|e| matches!(e.kind, Kind::Compare(CompareOp::Eq, ..)));
        let column = |e| access.column_of(e, select.level);
        simple.then(|| select.items.iter().map(column).collect::<Option<Vec<_>>>().map(PointColumns))?
    }
}
