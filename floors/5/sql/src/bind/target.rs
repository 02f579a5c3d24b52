//! What an INSERT writes to: a table, or the one below a view.

use super::change::{shows_no_key, table_with};
use super::guard::guard_columns;
use super::insert::limits_rows;
use super::scope::{ScopeColumn, ScopeTable, Visible};
use super::view::ViewRule;
use super::{Binder, Clause, Scope, from};
use crate::admin::{Acts, Guard};
use crate::error::SqlError;
use crate::exec::defaults::blank_row;
use crate::expr::{Expr, Kind};
use crate::plan::walk::visit_deep;
use crate::plan::{Join, Source};
use crate::session::Level;
use crate::syntax::ast;
use engine::{Mdl, Table, View};
use std::sync::Arc;
use types::Value;
use types::table::same_name;

/// The table that an INSERT writes to, as the statement sees it: itself, or through a view.
pub(super) struct Target {
    pub(super) table: Arc<Table>,
    /// Columns in reach: name, position in the table, hidden from `*`.
    pub(super) columns: Vec<(String, usize, bool)>,
    /// The view, if there is one.
    pub(super) view: Option<Arc<View>>,
    pub(super) rule: Option<ViewRule>,
    /// What guards the columns.
    pub(super) guard: Option<Arc<Guard>>,
    /// Columns of the view that are made of constants.
    pub(super) constants: Vec<String>,
    /// It is a view that shows no AUTO_INCREMENT column, of whichever of its tables.
    pub(super) hides_number: bool,
    /// The view's columns as RETURNING sees them, where the table's row stands among those of the view's tables, and what
    /// stands for the others.
    pub(super) seen: Option<(Scope<'static>, (usize, Vec<Value>))>,
}

impl Binder<'_> {
    /// The table that rows are inserted into: itself, or the one below a view.
    pub(super) fn insert_target(&mut self, insert: &ast::Insert, database: &str) -> Result<Target, SqlError> {
        let name = &insert.table;
        if self.temporary(database, &name.name)?.is_none()
            && let Some(view) = self.state.engine.catalog().view(database, &name.name).cloned()
        {
            return self.insert_view(&view, insert);
        }
        let mut target = Target::of(self.open(database, &name.name, Mdl::Write)?);
        if !target.table.is_temporary() {
            target.guard = self.guard(Mdl::Write, false, database, &name.name)?;
        }
        Ok(target)
    }

    /// The tables of a view that is written.
    pub(super) fn written_view(&mut self, view: &Arc<View>, scope: &mut Scope<'_>) -> Result<Join, SqlError> {
        self.mdl = Mdl::Write;
        let bound = self.view(view, None, scope, &mut Vec::new());
        self.mdl = Mdl::Read;
        bound.map(|(join, _)| join)
    }

    fn insert_view(&mut self, view: &Arc<View>, insert: &ast::Insert) -> Result<Target, SqlError> {
        let refused = || SqlError::non_insertable_table(&insert.table.name, "INSERT");
        let mut scope = Scope::new(None, 0);
        let mut join = self.written_view(view, &mut scope)?;
        if !view.def().updatable || self.is_only_read(view.def(), true) {
            return Err(refused());
        }
        match &join {
            Join::Table(_) => {}
            Join::Inner(_) => return self.insert_join_view(view, insert, scope, &mut join),
            _ => return Err(refused()),
        }
        let mut columns: Vec<(String, usize, bool)> = Vec::new();
        let mut constants = Vec::new();
        let mut simple = true;
        let (mut computed, mut reads) = (false, false);
        for column in scope.tables.iter().flat_map(|table| &table.columns) {
            let Kind::Column(slot) = column.expr.kind else {
                simple = false;
                if !column.expr.reads_column() {
                    constants.push(column.name.clone());
                }
                if insert.columns.iter().any(|c| same_name(&c.column, &column.name)) {
                    computed = true;
                    let read = |e: &Expr| matches!(e.kind, Kind::Column(slot) if slot.level == scope.level);
                    visit_deep(&column.expr, &mut |e| reads |= read(e));
                }
                continue;
            };
            simple &= !columns.iter().any(|&(_, at, _)| at == slot.index as usize);
            columns.push((column.name.clone(), slot.index as usize, column.invisible));
        }
        if !simple && !insert.explicit_columns {
            return Err(refused());
        }
        let access = table_with(&mut join, 0).ok_or_else(refused)?;
        let Source::Base(table) = &access.source else { return Err(refused()) };
        let listed = |name: &str| insert.columns.iter().any(|c| same_name(&c.column, name));
        if computed {
            // Values for nothing but constants are for no table at all.
            if !reads && !columns.iter().any(|(name, ..)| listed(name)) {
                return Err(SqlError::view_multi_update(&view.def().db, &view.def().name));
            }
            let places: Vec<usize> = columns.iter().map(|&(_, at, _)| at).collect();
            if limits_rows(insert) && shows_no_key(table.def(), &places) {
                let note = SqlError::view_without_key();
                self.state.warn(Level::Note, note.errno, note.message);
            }
            return Err(refused());
        }
        let twice =
            |at: usize| columns.iter().filter(|(name, known, _)| *known == at && listed(name)).count() > 1;
        if !simple && (insert.columns.is_empty() || columns.iter().any(|&(_, at, _)| twice(at))) {
            return Err(refused());
        }
        let rule = std::mem::take(&mut self.view_rules).pop();
        let table = table.clone();
        scope.show_all();
        let guard = scope.guard_of_all();
        let seen = Some((scope, (0, Vec::new())));
        let counted = table.def().auto_increment_column();
        let hides_number = columns.iter().all(|&(_, at, _)| Some(at) != counted);
        Ok(Target { guard, table, columns, view: Some(view.clone()), rule, constants, hides_number, seen })
    }

    /// A view over a join takes rows for one of its tables: that of the columns listed.
    fn insert_join_view(
        &mut self,
        view: &Arc<View>,
        insert: &ast::Insert,
        mut scope: Scope<'static>,
        join: &mut Join,
    ) -> Result<Target, SqlError> {
        let (db, name) = (&view.def().db, &view.def().name);
        let refused = || SqlError::non_insertable_table(&insert.table.name, "INSERT");
        if insert.columns.is_empty() {
            return Err(SqlError::view_no_insert_field_list(db, name));
        }
        let updated = insert.on_duplicate.iter().map(|assignment| &assignment.column.column);
        let mut slots = Vec::new();
        let (mut computed, mut of_query) = (false, false);
        let (mut plain, mut reads) = (false, false);
        let (mut of_listed, mut computed_listed) = (0, false);
        for (at, listed) in insert.columns.iter().map(|c| &c.column).chain(updated).enumerate() {
            if at == insert.columns.len() {
                (of_listed, computed_listed) = (slots.len(), computed);
            }
            let mut columns = scope.tables.iter().flat_map(|table| &table.columns);
            let column = columns.find(|column| same_name(&column.name, listed));
            match column.map(|column| &column.expr.kind) {
                None => return Err(SqlError::bad_field(listed, Clause::InsertInto.name())),
                Some(Kind::Column(slot)) => {
                    of_query |= column.is_some_and(|column| column.origin.of_query);
                    slots.push(slot.index);
                    plain = true;
                }
                Some(_) => {
                    computed = true;
                    let known = slots.len();
                    column.into_iter().for_each(|column| {
                        visit_deep(&column.expr, &mut |e| match e.kind {
                            Kind::Column(slot) if slot.level == scope.level => slots.push(slot.index),
                            _ => {}
                        });
                    });
                    reads |= slots.len() > known;
                }
            }
        }
        let several = || SqlError::view_multi_update(db, name);
        if self.joins_query(view.def()) {
            return Err(several());
        }
        let mut tables = Vec::new();
        join.visit_tables(&mut |table| tables.push(table.slots.start));
        tables.sort_unstable();
        let access = table_with(join, *slots.first().ok_or_else(several)?).ok_or_else(refused)?;
        let own = access.slots.clone();
        let behind = || tables.iter().rev().take(self.tables_behind_joined(view.def(), plain));
        if slots.iter().any(|slot| !own.contains(slot)) || reads && behind().any(|at| *at == own.start) {
            return Err(several());
        }
        // ON DUPLICATE KEY UPDATE of constants alone is for no table.
        let updates =
            !insert.on_duplicate.is_empty() && matches!(insert.source, ast::InsertSource::Values(_));
        if updates && slots.len() == of_listed && !computed_listed {
            return Err(several());
        }
        if computed || of_query {
            return Err(refused());
        }
        let Source::Base(table) = &access.source else { return Err(refused()) };
        let columns: Vec<(String, usize, bool)> = scope
            .tables
            .iter()
            .flat_map(|table| &table.columns)
            .filter_map(|column| match column.expr.kind {
                Kind::Column(slot) if own.contains(&slot.index) => {
                    Some((column.name.clone(), (slot.index - own.start) as usize, column.invisible))
                }
                _ => None,
            })
            .collect();
        let table = table.clone();
        let mut counted = Vec::new();
        join.visit_tables(&mut |access| {
            let Source::Base(table) = &access.source else { return };
            counted.extend(table.def().auto_increment_column().map(|at| access.slots.start + at as u32));
        });
        let is_counted = |e: &Expr| matches!(e.kind, Kind::Column(slot) if counted.contains(&slot.index));
        let mut shown = scope.tables.iter().flat_map(|table| &table.columns);
        let hides_number = !shown.any(|column| is_counted(&column.expr));
        let mut rule = std::mem::take(&mut self.view_rules).pop();
        let first = own.start as usize;
        let blank = match rule.is_some() || insert.returning.is_some() {
            true => self.blank_join(join, &scope)?,
            false => Vec::new(),
        };
        if let Some(rule) = &mut rule {
            rule.blank = blank.clone();
            rule.first = first;
        }
        scope.show_all();
        let guard = scope.guard_of_all();
        let seen = Some((scope, (first, blank)));
        let (view, constants) = (Some(view.clone()), Vec::new());
        Ok(Target { guard, table, columns, view, rule, constants, hides_number, seen })
    }

    /// What stands for rows of a join that nobody has read: CHECK OPTION holds a row of one table against the conditions
    /// with the defaults of the others.
    fn blank_join(&mut self, join: &Join, scope: &Scope<'_>) -> Result<Vec<Value>, SqlError> {
        let mut values = vec![Value::Null; scope.width.get() as usize];
        let mut made = Ok(());
        join.visit_tables(&mut |access| {
            let Source::Base(table) = &access.source else { return };
            match blank_row(table.def(), self.state) {
                Ok(row) => {
                    let places = values.iter_mut().skip(access.slots.start as usize);
                    places.zip(row).for_each(|(place, value)| *place = value);
                }
                Err(error) => made = Err(error),
            }
        });
        made.map(|()| values)
    }

    pub(super) fn add_target(&mut self, target: &Target, alias: &str, database: &str, scope: &mut Scope<'_>) {
        let first = scope.reserve(target.table.def().columns.len());
        let columns = target.scope_columns(alias, scope.level, first);
        scope.visible.extend(columns.iter().map(Visible::of));
        scope.tables.push(ScopeTable {
            alias: alias.to_owned(),
            database: Some(database.to_owned()),
            columns,
            slots: first..scope.width.get(),
        });
    }
}

impl Target {
    /// All of a table.
    pub(super) fn of(table: Arc<Table>) -> Target {
        let column = |(at, c): (usize, &types::ColumnDef)| (c.name.clone(), at, c.invisible);
        let columns = table.def().columns.iter().enumerate().map(column).collect();
        Target {
            table,
            columns,
            view: None,
            rule: None,
            guard: None,
            constants: Vec::new(),
            hides_number: false,
            seen: None,
        }
    }

    /// The position in the table of a column that the statement names.
    pub(super) fn column(
        &self,
        name: &ast::ColumnRef,
        alias: &str,
        clause: Clause,
    ) -> Result<usize, SqlError> {
        let of_table = name.table.as_ref().is_none_or(|t| t == alias);
        let found = self.columns.iter().find(|(column, ..)| of_table && same_name(column, &name.column));
        found.map(|&(_, at, _)| at).ok_or_else(|| {
            let shown = name.table.as_ref().map_or(name.column.clone(), |t| format!("{t}.{}", name.column));
            SqlError::bad_field(shown, clause.name())
        })
    }

    /// Error 1143 for a column that is not there, where that is not told either.
    pub(super) fn check_unknown(&self, name: &ast::ColumnRef, wanted: Acts) -> Result<(), SqlError> {
        let known = self.columns.iter().any(|(column, ..)| same_name(column, &name.column));
        match self.guard.as_ref().filter(|_| !known) {
            Some(guard) => guard.check(&name.column, wanted),
            None => Ok(()),
        }
    }

    /// Error 1393 for a column of a view that reads none of its table: it would be another table's.
    pub(super) fn refuse_constant(&self, name: &ast::ColumnRef, alias: &str) -> Result<(), SqlError> {
        let of_view = name.table.as_ref().is_none_or(|t| t == alias);
        let constant = of_view && self.constants.iter().any(|c| same_name(c, &name.column));
        match self.view.as_ref().filter(|_| constant) {
            Some(view) => Err(SqlError::view_multi_update(&view.def().db, &view.def().name)),
            None => Ok(()),
        }
    }

    /// Whether it is a view through which rows cannot be known apart.
    pub(super) fn lacks_key(&self) -> bool {
        let places: Vec<usize> = self.columns.iter().map(|&(_, at, _)| at).collect();
        self.view.is_some() && shows_no_key(self.table.def(), &places)
    }

    /// The columns that `*` shows.
    pub(super) fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        self.columns.iter().filter(|(_, _, invisible)| !invisible).map(|&(_, at, _)| at)
    }

    /// The table, and what the view above it wants of rows.
    pub(super) fn into_table(self) -> (Arc<Table>, Option<Arc<View>>, Option<ViewRule>) {
        (self.table, self.view, self.rule)
    }

    /// How many columns the table has.
    pub(super) fn width(&self) -> usize {
        self.table.def().columns.len()
    }

    /// The columns as the statement sees them, over the table's row in slots from `first` on.
    pub(super) fn scope_columns(&self, alias: &str, level: u32, first: u32) -> Vec<ScopeColumn> {
        let stored = from::stored_columns(self.table.def(), alias, level, first);
        let column = |(name, at, invisible): &(String, usize, bool)| {
            let (name, invisible) = (name.clone(), *invisible);
            ScopeColumn { name, invisible, ..stored[*at].clone() }
        };
        let mut columns: Vec<ScopeColumn> = self.columns.iter().map(column).collect();
        guard_columns(&mut columns, self.guard.as_ref());
        columns
    }
}
