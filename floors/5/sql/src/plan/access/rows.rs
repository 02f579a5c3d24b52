//! `(columns) IN (rows)`: keys of an index whose first parts the columns are.

use super::{Finder, MAX_RANGES, is_slot, usable};
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot};
use types::table::IndexPart;

impl Finder<'_> {
    /// The rows of `(columns) IN (rows)` where the columns are the first ones of `parts`, each row in the order of these,
    /// and how many parts they are.
    pub(super) fn rows_among(&self, parts: &[IndexPart], ranges: usize) -> Option<(Vec<Vec<Expr>>, usize)> {
        self.conditions.iter().find_map(|condition| {
            let Kind::InRows { operand, list, negated: false } = &condition.expr.kind else { return None };
            let count = operand.len();
            if count > parts.len() || list.len().saturating_mul(ranges) > MAX_RANGES {
                return None;
            }
            let place_of = |part: &IndexPart| {
                let index = self.table.slots.start + part.column as u32;
                let slot = Slot { level: self.level, index };
                operand.iter().position(|e| part.prefix_chars.is_none() && is_slot(e, slot))
            };
            let places = parts[..count].iter().map(place_of).collect::<Option<Vec<usize>>>()?;
            let row_of = |row: &Vec<(Comparison, Expr)>| {
                let member = |(part, &place): (&IndexPart, &usize)| {
                    let (how, e) = row.get(place)?;
                    let def = &self.base.def().columns[part.column];
                    (self.is_known(e) && usable(*how, def, CompareOp::Eq)).then(|| e.clone())
                };
                parts.iter().zip(&places).map(member).collect::<Option<Vec<Expr>>>()
            };
            Some((list.iter().map(row_of).collect::<Option<Vec<_>>>()?, count))
        })
    }
}
