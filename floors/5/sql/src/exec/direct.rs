//! Results that are columns of one table as they are stored: sent from the row image, never decoded.

use super::sort::Limit;
use super::table::Reader;
use super::{Cx, Flow};
use crate::error::SqlError;
use crate::expr::Kind;
use crate::output::RowRef;
use crate::plan::{Body, Join, QueryPlan, SelectPlan, Source, TableAccess};
use engine::Table;
use std::sync::Arc;

/// What such a query reads.
pub struct Direct<'p> {
    select: &'p SelectPlan,
    access: &'p TableAccess,
    table: &'p Arc<Table>,
}

impl<'p> Direct<'p> {
    /// The parts of a plan that [`columns`] has found columns for.
    pub fn of(plan: &'p QueryPlan) -> Option<Direct<'p>> {
        let Body::Select(select) = &plan.body else { return None };
        let Some(Join::Table(access)) = &select.from else { return None };
        let Source::Base(table) = &access.source else { return None };
        Some(Direct { select, access, table })
    }

    /// Reads the rows; `each` gets their images.
    pub fn run(
        &self,
        columns: &[usize],
        cx: &mut Cx<'_>,
        each: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Result<Flow, SqlError> {
        cx.frame_mut(self.select.level, self.select.width);
        let mut limit = Limit::of(&self.select.tail, cx)?;
        if limit.is_empty() || !super::join::all(&self.select.constant_filter, cx)? {
            return Ok(Flow::Continue);
        }
        let layout = self.table.layout();
        let reader = Reader {
            table: self.table,
            access: self.access,
            level: self.select.level,
            decodes: !self.select.filter.is_empty(),
        };
        reader.run(cx, &mut |cx, row| {
            if !super::join::all(&self.select.filter, cx)? || limit.skips() {
                return Ok(Flow::Continue);
            }
            let flow = each(RowRef::Stored { layout, image: &row.row, columns });
            Ok(if limit.is_reached() { Flow::Stop } else { flow })
        })
    }
}

/// The columns of the one table that a query gives as they are stored, if that is all it does.
pub fn columns(plan: &QueryPlan) -> Option<Vec<usize>> {
    let Direct { select, access, .. } = Direct::of(plan)?;
    let ordered = select.tail.order_by.is_empty() || select.presorted;
    let plain = select.group.is_none()
        && select.having.is_none()
        && select.windows.is_none()
        && !select.distinct
        && ordered
        && !select.tail.with_ties
        && select.tail.rows_examined.is_none()
        && !select.calc_found_rows;
    if !plain {
        return None;
    }
    let first = access.slots.start;
    let column = |kind: &Kind| match kind {
        Kind::Column(slot) if slot.level == select.level && access.slots.contains(&slot.index) => {
            Some((slot.index - first) as usize)
        }
        _ => None,
    };
    select.items.iter().map(|item| column(&item.kind)).collect()
}
