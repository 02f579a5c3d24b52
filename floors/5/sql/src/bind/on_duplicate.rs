//! Binding ON DUPLICATE KEY UPDATE.
//!
//! Its values see the row that is there, the new one by VALUES() or MySQL's row alias, and, where rows come from a plain
//! SELECT, the tables of that: the columns that they name travel with its rows, behind those that are inserted.

use super::insert::Given;
use super::scope::{Scope, ScopeColumn, ScopeTable, VALUES_TABLE, Visible};
use super::target::Target;
use super::{Binder, Clause};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot};
use crate::syntax::ast::{self, ExprKind, InsertSource, Query, QueryBody, SelectItem};
use types::table::same_name;

/// ON DUPLICATE KEY UPDATE, bound.
#[derive(Default)]
pub(super) struct OnDuplicate {
    /// Columns and their values.
    pub(super) assignments: Vec<(usize, Given)>,
    /// The query with the columns that the values read of its tables behind its own.
    pub(super) query: Option<Query>,
    /// Where those columns go in the frame.
    pub(super) reads: Vec<u32>,
}

impl Binder<'_> {
    /// Binds ON DUPLICATE KEY UPDATE of an INSERT into `target`.
    pub(super) fn on_duplicate(
        &mut self,
        insert: &ast::Insert,
        target: &Target,
        database: &str,
    ) -> Result<OnDuplicate, SqlError> {
        let mut bound = OnDuplicate::default();
        if insert.on_duplicate.is_empty() {
            return Ok(bound);
        }
        let mut scope = Scope::new(None, 0);
        self.add_target(target, &insert.table.name, database, &mut scope);
        self.add_new_row(target, insert.row_alias.as_ref(), &mut scope);
        let read = match &insert.source {
            InsertSource::Query(query) => self.add_source_tables(query, &mut scope)?,
            InsertSource::Values(_) => Vec::new(),
        };
        let clause = match insert.source {
            InsertSource::Query(_) => Clause::OnDuplicate,
            InsertSource::Values(_) => Clause::Select,
        };
        for assignment in &insert.on_duplicate {
            target.refuse_constant(&assignment.column, &insert.table.name)?;
            let column = target.column(&assignment.column, &insert.table.name, Clause::OnDuplicate)?;
            let value = self.given(&assignment.value, &scope, clause)?;
            bound.assignments.push((column, value));
        }
        self.check_updated(insert, target)?;
        let used: Vec<(u32, SelectItem)> =
            read.into_iter().filter(|(slot, _)| scope.is_used(*slot)).collect();
        if let InsertSource::Query(query) = &insert.source
            && !used.is_empty()
        {
            let mut query = (**query).clone();
            if let QueryBody::Select(select) = &mut query.body {
                select.items.extend(used.iter().map(|(_, item)| item.clone()));
            }
            bound.query = Some(query);
            bound.reads = used.into_iter().map(|(slot, _)| slot).collect();
        }
        Ok(bound)
    }

    /// Puts the tables of a plain SELECT in reach; gives the slot of each of their columns and the member of a select
    /// list that it is.
    fn add_source_tables(
        &mut self,
        query: &Query,
        scope: &mut Scope<'_>,
    ) -> Result<Vec<(u32, SelectItem)>, SqlError> {
        let QueryBody::Select(select) = &query.body else { return Ok(Vec::new()) };
        let computed =
            |item: &SelectItem| matches!(item, SelectItem::Expr { expr, .. } if expr.has_group_function());
        if query.with.is_some()
            || select.options.distinct
            || !select.group_by.is_empty()
            || select.having.is_some()
            || select.items.iter().any(computed)
        {
            return Ok(Vec::new());
        }
        let mut source = Scope::new(None, 0);
        let rules = self.view_rules.len();
        self.from(&select.from, &mut source)?;
        self.view_rules.truncate(rules);
        let mut read = Vec::new();
        let mut places: Vec<(Expr, Expr)> = Vec::new();
        for table in source.tables {
            let first = scope.reserve(table.columns.len());
            let mut columns = Vec::with_capacity(table.columns.len());
            for (slot, column) in (first..).zip(table.columns) {
                let kind = Kind::Column(Slot { level: 0, index: slot });
                let moved = Expr { kind, ty: column.expr.ty.clone() };
                read.push((slot, member(&table.alias, table.database.as_deref(), &column.name)));
                places.push((column.expr, moved.clone()));
                columns.push(ScopeColumn { expr: moved, ..column });
            }
            let slots = first..scope.width.get();
            scope.tables.push(ScopeTable { columns, slots, ..table });
        }
        for mut column in source.visible {
            let moved = |e: &Expr| places.iter().find(|(from, _)| from.same(e)).map(|(_, to)| to.clone());
            column.expr.replace(&mut |e| moved(e));
            scope.visible.push(column);
        }
        Ok(read)
    }

    /// Puts the new row in reach: for VALUES(), and under MySQL's row alias.
    fn add_new_row(&mut self, target: &Target, alias: Option<&(String, Vec<String>)>, scope: &mut Scope<'_>) {
        let first = scope.reserve(target.width());
        let mut columns = target.scope_columns(VALUES_TABLE, scope.level, first);
        for column in &mut columns {
            column.expr.ty.nullable = true;
        }
        let slots = first..scope.width.get();
        if let Some((name, renamed)) = alias {
            let rename = |(i, c): (usize, &ScopeColumn)| {
                let mut c = c.clone();
                if let Some(name) = renamed.get(i) {
                    c.name.clone_from(name);
                }
                c
            };
            let columns: Vec<_> = columns.iter().enumerate().map(rename).collect();
            if !renamed.is_empty() {
                let known = |name: &str| scope.visible.iter().any(|v| same_name(&v.name, name));
                let fresh: Vec<_> = columns.iter().filter(|c| !known(&c.name)).map(Visible::of).collect();
                scope.visible.extend(fresh);
            }
            let (alias, slots) = (name.clone(), slots.clone());
            scope.tables.push(ScopeTable { alias, database: None, columns, slots });
        }
        scope.tables.push(ScopeTable { alias: VALUES_TABLE.to_owned(), database: None, columns, slots });
    }
}

/// `[database.]table.column` as a member of a select list.
fn member(table: &str, database: Option<&str>, column: &str) -> SelectItem {
    let name = ast::ColumnRef {
        database: database.map(str::to_owned),
        table: Some(table.to_owned()),
        column: column.to_owned(),
    };
    let expr = ast::Expr { kind: ExprKind::Column(name), span: ast::Span::default() };
    SelectItem::Expr { expr, alias: None, name: column.to_owned() }
}
