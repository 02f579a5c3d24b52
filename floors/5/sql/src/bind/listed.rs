//! What a select list shows of itself: to the subqueries of its block, to HAVING, GROUP BY and ORDER BY.

use super::Clause;
use super::scope::{Alias, Allowed, Found, Scope, same_column};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot};
use crate::syntax::ast;
use types::table::same_name;

/// A member of a select list that has a name, while the list is bound.
#[derive(Debug)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// The column that it is.
    pub column: Option<ast::ColumnRef>,
    /// What it is; none where it is not bound yet.
    pub bound: Option<Expr>,
}

impl Scope<'_> {
    /// A member of GROUP BY or ORDER BY that is nothing but a name: the select list comes first, though GROUP BY then
    /// takes the column of that name if there is one. `None` where the ordinary way of names is to be gone.
    pub fn resolve_listed(&self, name: &str, clause: Clause) -> Result<Option<Expr>, SqlError> {
        let found = match clause {
            Clause::GroupBy => match self.find_visible(name) {
                Found::Many => self.find_alias(name),
                // What USING made one of stays two here.
                _ if self.tables_with(name) > 1 => {
                    let found = self.find_alias(name);
                    if matches!(found, Found::Nothing) {
                        self.rather(self.find_behind_alias(name), self.find_visible(name), name, clause);
                    }
                    found
                }
                column => self.rather(self.find_alias(name), column, name, clause),
            },
            _ => match self.find_alias(name) {
                Found::Nothing => self.find_behind_alias(name),
                found => found,
            },
        };
        match found {
            Found::Many => Err(SqlError::ambiguous_column(name, clause.name())),
            Found::One(expr, origin) => {
                origin.map_or(Ok(()), |origin| origin.check(name, self.wants.get()))?;
                self.mark_used(expr);
                Ok(Some(expr.clone()))
            }
            _ => Ok(None),
        }
    }

    /// The select list's column of that name that stands there under another one: one of two that USING made one.
    pub(super) fn find_behind_alias(&self, name: &str) -> Found<'_> {
        let Found::One(..) = self.find_visible(name) else { return Found::Nothing };
        let is_it = |alias: &&Alias| match alias.expr.kind {
            Kind::Column(slot) if slot.level == self.level => {
                self.column_at(slot).is_some_and(|(_, column)| same_name(&column.name, name))
            }
            _ => false,
        };
        let mut found = Found::Nothing;
        for alias in self.aliases.iter().filter(is_it) {
            match found {
                Found::One(first, of) if !same_column(first, of, &alias.expr, alias.column.as_ref()) => {
                    return Found::Many;
                }
                _ => found = Found::One(&alias.expr, alias.column.as_ref()),
            }
        }
        found
    }

    /// What a subquery of this block finds under a name in the select list; errors 1052 and 1247.
    pub(super) fn find_listed_for_inner(&self, name: &str, clause: Clause) -> Result<Option<Expr>, SqlError> {
        let named = self.named.borrow();
        let mut found: Option<&Expr> = None;
        for listed in named.iter().filter(|listed| same_name(&listed.name, name)) {
            let Some(expr) = &listed.bound else {
                return Err(SqlError::illegal_reference(name, "forward reference in item list"));
            };
            // The first that is computed comes before all columns.
            if !matches!(expr.kind, Kind::Column(_)) {
                found = Some(expr);
                break;
            }
            if found.is_some_and(|first| !first.same(expr)) {
                return Err(SqlError::ambiguous_column(name, clause.name()));
            }
            found = Some(expr);
        }
        let Some(expr) = found else { return Ok(None) };
        self.check_reference(expr, name, clause)?;
        Ok(Some(expr.clone()))
    }

    /// Error 1247: HAVING of a subquery may not read a column that the select list around names further on. There it goes by
    /// how both are written.
    pub(super) fn check_forward(
        &self,
        database: Option<&str>,
        table: Option<&str>,
        column: &str,
    ) -> Result<(), SqlError> {
        let said = |here: Option<&str>, there: Option<&str>| {
            here.is_none_or(|here| there.is_some_and(|there| same_name(there, here)))
        };
        let is_it = |named: &ast::ColumnRef| {
            same_name(&named.column, column)
                && said(table, named.table.as_deref())
                && said(database, named.database.as_deref())
        };
        let named = self.named.borrow();
        let first = named.iter().find(|listed| listed.column.as_ref().is_some_and(is_it));
        match first.is_some_and(|listed| listed.bound.is_none()) {
            true => Err(SqlError::illegal_reference(column, "forward reference in item list")),
            false => Ok(()),
        }
    }

    /// What a subquery of HAVING finds of the tables of this block, which are grouped: error 1054 for what is not listed.
    pub(super) fn find_in_groups(
        &self,
        database: Option<&str>,
        table: Option<&str>,
        column: &str,
        clause: Clause,
    ) -> Result<Found<'_>, SqlError> {
        let found = match table {
            Some(table) => self.find_in_table(database, table, column),
            None => self.find_visible(column),
        };
        let expr = match &found {
            Found::Column(column) => &column.expr,
            Found::One(expr, _) => expr,
            _ => return Ok(found),
        };
        match expr.kind {
            Kind::Column(slot)
                if !self.is_listed(expr)
                    && let Some((table, column)) = self.column_at(slot) =>
            {
                let name = column.origin.qualified(&table.alias, &column.name);
                Err(SqlError::bad_field(name, clause.name()))
            }
            _ => Ok(found),
        }
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
