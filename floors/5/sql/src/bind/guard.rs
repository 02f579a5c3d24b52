//! Privileges on columns, where names are bound: see [`Guard`].
//!
//! What a statement does with columns is the scope's to say: it reads those of its conditions, and changes those that
//! it assigns to. A table that may be used as a whole has no guard, and nothing is looked at.

use super::scope::{Origin, ScopeColumn, ScopeTable, Visible};
use super::target::Target;
use super::{Binder, Scope};
use crate::admin::{Acts, Guard, guard};
use crate::error::SqlError;
use crate::expr::Named;
use crate::syntax::ast::{self, InsertSource};
use engine::Mdl;
use std::sync::Arc;

impl Origin {
    /// Error 1143 where it may not be used so, by the name that the statement gives it.
    #[inline]
    pub(super) fn check(&self, column: &str, wanted: Acts) -> Result<(), SqlError> {
        match &self.guard {
            None => Ok(()),
            Some(guard) => guard.check(column, wanted),
        }
    }

    /// What guards it under a name that a view gives it, beside what guards the view.
    pub(super) fn guard_as(&self, name: &str, of_view: Option<&Arc<Guard>>) -> Option<Arc<Guard>> {
        let below = self.guard.as_ref().map(|guard| Arc::new(guard.renamed(&self.org_name, name)));
        match (of_view, below) {
            (Some(own), Some(below)) => Some(Arc::new(own.over(below))),
            (own, below) => own.cloned().or(below),
        }
    }

    fn is_guarded_by(&self, guard: &Arc<Guard>) -> bool {
        self.guard.as_ref().is_some_and(|own| Arc::ptr_eq(own, guard))
    }
}

impl Scope<'_> {
    /// Error 1143 for a column that is not there, where whose table it would be tells only of some.
    pub(super) fn check_unknown(
        &self,
        database: Option<&str>,
        table: Option<&str>,
        column: &str,
    ) -> Result<(), SqlError> {
        let named = |t: &&ScopeTable| table.is_none_or(|table| t.is_named(database, table));
        let tables = self.tables.iter().filter(named);
        let mut guards = tables.filter_map(|table| table.columns.first()?.origin.guard.as_ref());
        let wanted = self.wants.get();
        guards.try_for_each(|guard| if wanted == Acts::ANY { Ok(()) } else { guard.check(column, wanted) })
    }

    /// Error 1142 or 1143 where `*` stands for columns of which one may not be read.
    pub(super) fn check_star<'o>(
        &self,
        columns: impl Iterator<Item = &'o Arc<Origin>> + Clone,
    ) -> Result<(), SqlError> {
        if self.only_exists {
            return Ok(());
        }
        let wanted = if self.wants.get() == Acts::ANY { Acts::ANY } else { Acts::SELECT };
        let mut last = None;
        for guard in columns.clone().filter_map(|origin| origin.guard.as_ref()) {
            if last.is_some_and(|last| Arc::ptr_eq(last, guard)) {
                continue;
            }
            last = Some(guard);
            let of_table = columns.clone().filter(|origin| origin.is_guarded_by(guard));
            guard.check_all(of_table.map(|origin| origin.org_name.as_str()), wanted)?;
        }
        Ok(())
    }

    /// What `*` stands for.
    pub(super) fn starred(&self) -> Result<impl Iterator<Item = &Visible>, SqlError> {
        let shown = self.visible.iter().filter(|v| !v.invisible);
        self.check_star(shown.clone().map(|v| &v.origin))?;
        Ok(shown)
    }

    /// What guards the columns of a view that is all there is.
    pub(super) fn guard_of_all(&self) -> Option<Arc<Guard>> {
        let mut columns = self.tables.iter().flat_map(|table| &table.columns);
        columns.find_map(|column| column.origin.guard.clone())
    }

    /// Binds something that does other things with columns than to read them.
    pub(super) fn wanting<T>(&self, acts: Acts, bind: impl FnOnce() -> T) -> T {
        let before = self.wants.replace(acts);
        let bound = bind();
        self.wants.set(before);
        bound
    }
}

/// Has the columns of a table guarded.
pub(super) fn guard_columns(columns: &mut [ScopeColumn], guard: Option<&Arc<Guard>>) {
    let Some(guard) = guard else { return };
    for column in columns {
        let origin = Arc::new(Origin { guard: Some(guard.clone()), ..(*column.origin).clone() });
        if let Named::Column(of) = &mut column.expr.ty.origin {
            *of = origin.clone();
        }
        column.origin = origin;
    }
}

impl Binder<'_> {
    /// Whether what is bound is the outermost block of a view that is being made.
    pub(super) fn makes_view(&self) -> bool {
        self.trace.is_some() && self.view_stack.is_empty() && self.depth == 1
    }

    /// What guards the columns of a table or view that is opened so.
    pub(super) fn guard(
        &mut self,
        mdl: Mdl,
        is_view: bool,
        database: &str,
        table: &str,
    ) -> Result<Option<Arc<Guard>>, SqlError> {
        // What a view that is written reads has been looked at when it was made.
        let reads = if self.view_stack.is_empty() { Acts::SELECT } else { Acts::NONE };
        let wanted = match (mdl, self.privilege) {
            (Mdl::Read, _) if self.makes_view() => Acts::SELECT.and(Acts::ANY),
            (Mdl::Read, _) => Acts::SELECT,
            (_, "DELETE") => reads,
            // MariaDB looks at what is written to a view alone.
            (_, "UPDATE") if is_view => Acts::UPDATE,
            (_, "UPDATE") => Acts::UPDATE.and(Acts::SELECT),
            _ if is_view => Acts::INSERT.and(Acts::UPDATE),
            _ => Acts::INSERT.and(Acts::UPDATE).and(reads),
        };
        guard(self.state, self.security.as_deref(), (database, table), wanted)
    }

    /// Errors 1142 and 1143 for the columns that an INSERT gives values, which come after those of the values.
    pub(super) fn check_inserted(
        &mut self,
        insert: &ast::Insert,
        target: &Target,
        columns: &[usize],
        scope: &Scope<'_>,
    ) -> Result<(), SqlError> {
        let Some(guard) = &target.guard else { return Ok(()) };
        match &insert.source {
            InsertSource::Values(rows) if !rows.first().is_some_and(Vec::is_empty) => {
                self.insert_values(&rows[..1], columns.len(), scope)?;
            }
            InsertSource::Values(_) => {}
            InsertSource::Query(_) => self.fault_of_rows(insert, target, columns)?,
        }
        let wanted = inserted(insert);
        if insert.columns.is_empty() && target.view.is_none() {
            let def = target.table.def();
            return guard.check_all(columns.iter().map(|&at| def.columns[at].name.as_str()), Acts::INSERT);
        }
        insert.columns.iter().try_for_each(|column| guard.check(&column.column, wanted))
    }

    /// The same for those that ON DUPLICATE KEY UPDATE changes: of a table it wants to read them, too.
    pub(super) fn check_updated(&self, insert: &ast::Insert, target: &Target) -> Result<(), SqlError> {
        let Some(guard) = &target.guard else { return Ok(()) };
        let first = if target.view.is_some() { Acts::INSERT } else { Acts::SELECT };
        let columns = || insert.on_duplicate.iter().map(|assignment| &assignment.column.column);
        columns().try_for_each(|column| guard.check(column, first))?;
        columns().try_for_each(|column| guard.check(column, Acts::UPDATE))
    }
}

/// What an INSERT does with the columns that it gives values.
pub(super) fn inserted(insert: &ast::Insert) -> Acts {
    match insert.on_duplicate.is_empty() {
        true => Acts::INSERT,
        false => Acts::INSERT.and(Acts::UPDATE),
    }
}
