//! `(columns) IN (rows)` and `(columns) > (row)`: keys of an index whose first parts the columns are.

use super::{Bound, Finder, KeyRange, MAX_RANGES, is_slot, usable};
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot};
use types::ColumnDef;
use types::table::IndexPart;

/// The ranges of a comparison of rows.
pub(super) struct Beyond {
    /// Where the condition stands.
    pub place: usize,
    /// One for each column that is a part: equal up to it, and beyond there.
    pub ranges: Vec<KeyRange>,
    /// Whether they say all that the condition does.
    pub whole: bool,
}

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
            let place_of = |part: &IndexPart| operand.iter().position(|e| self.is_part(part, e));
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

    /// What the rows of `(columns) IN (rows)` say of one of the columns.
    pub(super) fn members_of(&self, e: &Expr, slot: Slot, def: &ColumnDef) -> Option<Bound> {
        let Kind::InRows { operand, list, negated: false } = &e.kind else { return None };
        let at = operand.iter().position(|e| is_slot(e, slot))?;
        let mut members: Vec<KeyRange> = Vec::with_capacity(list.len());
        for row in list {
            let (how, e) = row.get(at)?;
            if !self.is_known(e) || !usable(*how, def, CompareOp::Eq) {
                return None;
            }
            if !members.iter().any(|other| other.equal[0].0.same(e)) {
                members.push(KeyRange { equal: vec![(e.clone(), false)], ..KeyRange::default() });
            }
        }
        Some(Bound::Any(members))
    }

    /// The ranges of `(columns) > (row)`, or another order, where the columns, or the first of them, are the first ones
    /// of `parts`, in their order: (a, b) > (1, 2) is a = 1 AND b > 2 OR a > 1.
    pub(super) fn rows_beyond(&self, parts: &[IndexPart]) -> Option<Beyond> {
        self.conditions.iter().enumerate().find_map(|(place, condition)| {
            let Kind::CompareRows(op, how, left, right) = &condition.expr.kind else { return None };
            let (op, columns, row) = match self.ascends(&parts[0], left.first()?) {
                true => (*op, left, right),
                false => (op.turned(), right, left),
            };
            if !matches!(op, CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge) {
                return None;
            }
            let def_of = |part: &IndexPart| &self.base.def().columns[part.column];
            let members = parts.iter().zip(how).zip(columns.iter().zip(row));
            let bounded = members.take_while(|((part, how), (column, value))| {
                self.ascends(part, column) && self.is_known(value) && usable(**how, def_of(part), op)
            });
            let count = bounded.count();
            let range = |at: usize| {
                let ends = at + 1 == count;
                let inclusive = ends && (count < row.len() || matches!(op, CompareOp::Le | CompareOp::Ge));
                let bound = vec![(row[at].clone(), inclusive)];
                let (low, high) = match op {
                    CompareOp::Gt | CompareOp::Ge => (bound, Vec::new()),
                    _ => (Vec::new(), bound),
                };
                let equal = row[..at].iter().map(|e| (e.clone(), false)).collect();
                KeyRange { equal, low, high, not_null: true, ..KeyRange::default() }
            };
            let whole =
                count == row.len() && parts[..count].iter().all(|part| self.decides(&def_of(part).ty));
            (count > 0).then(|| Beyond { place, ranges: (0..count).map(range).collect(), whole })
        })
    }

    /// Whether an expression is the whole column of a part.
    fn is_part(&self, part: &IndexPart, e: &Expr) -> bool {
        let index = self.table.slots.start + part.column as u32;
        part.prefix_chars.is_none() && is_slot(e, Slot { level: self.level, index })
    }

    /// Whether an expression is the whole column of a part, whose keys ascend with it.
    fn ascends(&self, part: &IndexPart, e: &Expr) -> bool {
        !part.desc && self.is_part(part, e)
    }
}
