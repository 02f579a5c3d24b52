//! What a select list shows of itself: to the subqueries of its block, and to HAVING.

use super::Clause;
use super::scope::{Allowed, Scope};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot};
use types::table::same_name;

impl Scope<'_> {
    /// What a subquery of this block finds under a name in the select list; errors 1052 and 1247.
    pub(super) fn find_listed_for_inner(&self, name: &str, clause: Clause) -> Result<Option<Expr>, SqlError> {
        let named = self.named.borrow();
        let mut found: Option<&Expr> = None;
        for (_, expr) in named.iter().filter(|(known, _)| same_name(known, name)) {
            let Some(expr) = expr else {
                return Err(SqlError::illegal_reference(name, "forward reference in item list"));
            };
            if found.is_some_and(|first| !first.same(expr)) {
                return Err(SqlError::ambiguous_column(name, clause.name()));
            }
            found = Some(expr);
        }
        let Some(expr) = found else { return Ok(None) };
        self.check_reference(expr, name, clause)?;
        Ok(Some(expr.clone()))
    }

    /// Error 1247: of what is named in this block's select list, only HAVING of a subquery may read an aggregate.
    pub(super) fn check_reference(&self, e: &Expr, name: &str, clause: Clause) -> Result<(), SqlError> {
        match clause != Clause::Having && self.reads_aggregate(e) {
            true => Err(SqlError::illegal_reference(name, "reference to group function")),
            false => Ok(()),
        }
    }

    /// Whether an expression reads the result of an aggregate of this block.
    pub fn reads_aggregate(&self, e: &Expr) -> bool {
        let aggregates = self.aggregates.borrow();
        let mut found = false;
        crate::plan::walk::visit_deep(e, &mut |e| {
            if let Kind::Column(slot) = e.kind
                && slot.level == self.level
            {
                found |= aggregates.iter().any(|call| call.slot == slot.index);
            }
        });
        found
    }

    /// Error 1463: under ONLY_FULL_GROUP_BY, HAVING names no column but those of GROUP BY outside aggregates.
    pub(super) fn check_grouped(&self, e: &Expr, name: &str) -> Result<(), SqlError> {
        let Some(keys) = &self.full_group else { return Ok(()) };
        let plain = matches!(e.kind, Kind::Column(slot) if slot.level == self.level && self.is_stored(slot));
        match plain && self.allowed.get() == Allowed::Aggregates && !keys.iter().any(|key| key.same(e)) {
            true => Err(SqlError::non_grouping_field_used(name, Clause::Having.name())),
            false => Ok(()),
        }
    }

    /// Whether a slot of this block is a column of its tables.
    pub(super) fn is_stored(&self, slot: Slot) -> bool {
        self.tables.iter().any(|table| table.slots.contains(&slot.index))
    }
}
