//! Counts, sums, means and ends of all rows of one table, taken from the rows as they are stored.
//!
//! `SELECT SUM(k) FROM t WHERE id BETWEEN 1 AND 100` needs no row as values: what is added is read from the row image, and
//! the group hears of it once, when all rows are read. 64-bit numbers of fewer than 2^63 rows have their sum in 128 bits.

use super::group::Groups;
use super::table::{Reader, damaged, only_stored};
use super::{Cx, Flow};
use crate::error::SqlError;
use crate::expr::aggregate::Whole;
use crate::plan::{Group, SelectPlan, TableAccess};
use crate::syntax::ast::AggregateKind;
use engine::Table;
use std::sync::Arc;
use types::{ColumnType, Value};

/// Such a query's table, and what of it each aggregate reads.
pub struct Sums<'p> {
    table: &'p Arc<Table>,
    access: &'p TableAccess,
    level: u32,
    read: Vec<Of>,
}

/// What an aggregate takes of a row.
#[derive(Clone, Copy)]
enum Of {
    /// That it is there.
    Row,
    /// Whether a column is not NULL.
    Presence(usize),
    /// An integer column.
    Integer(usize),
}

impl<'p> Sums<'p> {
    /// What a block reads, if its aggregates are all that it makes of its one table's rows.
    pub fn of(plan: &'p SelectPlan, group: &Group) -> Option<Sums<'p>> {
        let (access, table) = only_stored(plan)?;
        let plain = plan.filter.is_empty()
            && plan.row_number.is_none()
            && access.covered.is_none()
            && access.gate.is_empty()
            && access.target.is_none();
        let whole = group.keys.is_empty()
            && group.rollup.is_empty()
            && group.kept.is_empty()
            && group.lasting.is_empty()
            && group.variables.is_empty();
        if !plain || !whole {
            return None;
        }
        let read = group.aggregates.iter().map(|call| {
            if call.counts_rows() {
                return Some(Of::Row);
            }
            let [arg] = &call.args[..] else { return None };
            let column = access.column_of(arg, plan.level).filter(|_| !call.distinct)?;
            let integer = matches!(table.layout().column(column).ty(), ColumnType::Integer(_));
            match call.kind {
                AggregateKind::Count => Some(Of::Presence(column)),
                AggregateKind::Sum | AggregateKind::Avg | AggregateKind::Min | AggregateKind::Max
                    if integer =>
                {
                    Some(Of::Integer(column))
                }
                _ => None,
            }
        });
        let read = read.collect::<Option<Vec<_>>>()?;
        // Where no row is read, there are only rows to be counted.
        let fits = !access.keys_only || read.iter().all(|of| matches!(of, Of::Row));
        fits.then_some(Sums { table, access, level: plan.level, read })
    }

    /// Reads the rows and tells `groups` of them; gives whether there was one.
    pub fn run(&self, groups: &mut Groups<'_>, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        super::query::count_access(self.access, true, cx);
        cx.note(self.access, 1, 0, 0);
        let layout = self.table.layout();
        let mut rows = 0;
        let mut wholes = vec![Whole::default(); self.read.len()];
        let decodes = self.access.keys_only;
        let reader = Reader { table: self.table, access: self.access, level: self.level, decodes };
        reader.run(cx, &mut |_, found| {
            rows += 1;
            for (whole, of) in wholes.iter_mut().zip(&self.read) {
                let bytes = |column| {
                    let bytes = layout.column_bytes(found.row, column);
                    bytes.map_err(|error| damaged(self.table, &error))
                };
                match *of {
                    Of::Row => whole.count += 1,
                    Of::Presence(column) => whole.count += u64::from(bytes(column)?.is_some()),
                    Of::Integer(column) => {
                        let Some(bytes) = bytes(column)? else { continue };
                        let number = layout.column(column).decode(bytes);
                        match number.map_err(|error| damaged(self.table, &error))? {
                            Value::UInt(n) => whole.add(n.into()),
                            Value::Int(n) => whole.add(n.into()),
                            other => return Err(SqlError::internal_error(format!("add {other:?}"))),
                        }
                    }
                }
            }
            Ok(Flow::Continue)
        })?;
        if rows > 0 {
            groups.add_wholes(&wholes, cx)?;
        }
        Ok(rows > 0)
    }
}
