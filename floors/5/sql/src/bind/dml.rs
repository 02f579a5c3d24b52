//! Binding INSERT, REPLACE, UPDATE and DELETE.

use super::scope::{Alias, Origin, ScopeColumn, ScopeTable, Visible};
use super::view::ViewRule;
use super::{Binder, Clause, Scope, assigned, condition, from, keys_apart};
use crate::error::SqlError;
use crate::exec::rules::Rules;
use crate::expr::{Expr, Kind, Slot, build};
use crate::plan::{Body, Join, OutputColumn, QueryPlan, RowLock, SelectPlan, SortKey, Source, Tail, order};
use crate::syntax::ast::{self, ExprKind, InsertSource, LockWait, SelectItem, TableRef};
use engine::{Mdl, Table, View};
use std::sync::Arc;
use types::table::same_name;

/// A value given to a column.
#[derive(Debug)]
pub enum Given {
    /// An expression.
    Expr(Expr),
    /// DEFAULT.
    Default,
}

/// An INSERT or REPLACE.
#[derive(Debug)]
pub struct InsertPlan {
    /// The table.
    pub table: Arc<Table>,
    /// The columns that values are given for, in order.
    pub columns: Vec<usize>,
    /// The statement names them.
    pub listed: bool,
    /// The rows.
    pub rows: InsertRows,
    /// REPLACE.
    pub replace: bool,
    /// IGNORE.
    pub ignore: bool,
    /// ON DUPLICATE KEY UPDATE: columns and their values; the row that is there stands in slots from 0 on, the new
    /// one behind it.
    pub on_duplicate: Vec<(usize, Given)>,
    /// Slots of what ON DUPLICATE KEY UPDATE reads of the query's tables, which the query gives behind its columns.
    pub reads: Vec<u32>,
    /// RETURNING.
    pub returning: Option<Returning>,
    /// Generated columns and CHECKs.
    pub rules: Rules,
    /// The view that rows come through.
    pub view: Option<Arc<View>>,
    /// What it wants of them, over the row in slots from 0 on.
    pub view_rule: Option<ViewRule>,
}

/// Where an INSERT's rows come from.
#[derive(Debug)]
pub enum InsertRows {
    /// VALUES; an empty row takes all defaults.
    Values(Vec<Vec<Given>>),
    /// A query.
    Query(Box<QueryPlan>),
}

/// RETURNING.
#[derive(Debug)]
pub struct Returning {
    /// Expressions over the row, which stands in slots from 0 on.
    pub items: Vec<Expr>,
    /// Columns of the result.
    pub columns: Vec<OutputColumn>,
}

/// An UPDATE or DELETE.
#[derive(Debug)]
pub struct ChangePlan {
    /// Finds the rows; each target's row is kept as the join runs.
    pub find: SelectPlan,
    /// The tables to be changed, with the first slot of each.
    pub targets: Vec<(Arc<Table>, u32)>,
    /// UPDATE: target, column, value. DELETE: empty.
    pub assignments: Vec<(usize, usize, Given)>,
    /// Generated columns and CHECKs of each target.
    pub rules: Vec<Rules>,
    /// More than one table is in FROM, or the one in subqueries too: assignments see the old row only.
    pub multi_table: bool,
    /// Rows with columns in them are equated among its conditions: what MariaDB takes for no condition of an index.
    pub equates_rows: bool,
    /// IGNORE.
    pub ignore: bool,
    /// RETURNING of DELETE.
    pub returning: Option<Returning>,
    /// What the view that rows are changed through wants of them, over the rows in their slots.
    pub view_rule: Option<ViewRule>,
}

/// The table that an INSERT writes to, as the statement sees it: itself, or through a view.
pub(super) struct Target {
    pub(super) table: Arc<Table>,
    /// Columns in reach: name, position in the table, hidden from `*`.
    pub(super) columns: Vec<(String, usize, bool)>,
    /// The view, if there is one.
    pub(super) view: Option<Arc<View>>,
    pub(super) rule: Option<ViewRule>,
}

impl Binder<'_> {
    /// Binds an INSERT or REPLACE.
    pub fn insert(&mut self, insert: &ast::Insert) -> Result<InsertPlan, SqlError> {
        if !insert.partitions.is_empty() {
            return Err(SqlError::new(1747, b"HY000", "PARTITION () clause on non partitioned table"));
        }
        let database = self.database(&insert.table)?.to_owned();
        let target = self.insert_target(insert, &database)?;
        if insert.replace {
            self.state.check_table("DELETE", &database, &insert.table.name)?;
        }
        if !insert.on_duplicate.is_empty() {
            self.state.check_table("UPDATE", &database, &insert.table.name)?;
        }
        let columns = self.insert_columns(insert, &target)?;
        let on_duplicate = self.on_duplicate(insert, &target, &database)?;
        let mut scope = Scope::new(None, 0);
        self.add_target(&target, &insert.table.name, &database, &mut scope);
        let rows = match &insert.source {
            InsertSource::Values(rows) => {
                // `VALUES ()` leaves all columns to their defaults.
                let none = insert.columns.is_empty() && rows.first().is_some_and(Vec::is_empty);
                let count = if none { 0 } else { columns.len() };
                InsertRows::Values(self.insert_values(rows, count, &scope)?)
            }
            InsertSource::Query(query) => {
                let query = on_duplicate.query.as_ref().unwrap_or(query);
                // CREATE TABLE ... SELECT has made the table for rows of what had its name before.
                self.unseen = insert.fills.then(|| (database.clone(), insert.table.name.clone()));
                let plan = self.bind_query(query, None, 0);
                self.unseen = None;
                let mut plan = plan?.0;
                if let Body::Select(select) = &mut plan.body {
                    // DISTINCT and windows see the rows as they would be shown.
                    select.keeps_digits = !select.distinct && select.windows.is_none();
                }
                if plan.columns.len() != columns.len() + on_duplicate.reads.len() {
                    return Err(SqlError::wrong_value_count_on_row(1));
                }
                InsertRows::Query(Box::new(plan))
            }
        };
        let lenient = insert.ignore || !self.state.vars.is_strict();
        assigned::check_rows(&rows, &columns, target.table.def(), lenient, self.state)?;
        let returning = self.returning(insert.returning.as_deref(), &mut scope)?;
        self.check_returning(insert, &target.table)?;
        let Target { table, rule: view_rule, view, .. } = target;
        let rules = Rules::of(table.def(), self.state)?;
        Ok(InsertPlan {
            view,
            view_rule,
            rules,
            table,
            columns,
            listed: insert.explicit_columns || !insert.columns.is_empty(),
            rows,
            replace: insert.replace,
            ignore: insert.ignore,
            on_duplicate: on_duplicate.assignments,
            reads: on_duplicate.reads,
            returning,
        })
    }

    fn insert_columns(&mut self, insert: &ast::Insert, target: &Target) -> Result<Vec<usize>, SqlError> {
        if insert.columns.is_empty() {
            let all = target.columns.iter().filter(|(_, _, invisible)| !invisible).map(|&(_, at, _)| at);
            return Ok(if insert.explicit_columns { Vec::new() } else { all.collect() });
        }
        let mut columns = Vec::with_capacity(insert.columns.len());
        for name in &insert.columns {
            let column = target.column(name, &insert.table.name, Clause::InsertInto)?;
            if columns.contains(&column) {
                if target.view.is_some() {
                    return Err(SqlError::non_insertable_table(&insert.table.name, "INSERT"));
                }
                return Err(SqlError::field_specified_twice(&name.column));
            }
            columns.push(column);
        }
        Ok(columns)
    }

    fn insert_values(
        &mut self,
        rows: &[Vec<ast::Expr>],
        columns: usize,
        scope: &Scope<'_>,
    ) -> Result<Vec<Vec<Given>>, SqlError> {
        let mut bound = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            if row.len() != columns {
                return Err(SqlError::wrong_value_count_on_row(i + 1));
            }
            // Names in rows behind the first are told of as those of a query.
            let clause = if i == 0 { Clause::Values } else { Clause::Select };
            let given = row.iter().map(|e| self.given(e, scope, clause)).collect::<Result<_, _>>()?;
            bound.push(given);
        }
        Ok(bound)
    }

    pub(super) fn given(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Given, SqlError> {
        match &e.kind {
            ExprKind::Default => Ok(Given::Default),
            _ => Ok(Given::Expr(self.scalar(e, scope, clause)?)),
        }
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

    fn returning(
        &mut self,
        items: Option<&[SelectItem]>,
        scope: &mut Scope<'_>,
    ) -> Result<Option<Returning>, SqlError> {
        let Some(items) = items else { return Ok(None) };
        let mut bound = Vec::new();
        let mut columns = Vec::new();
        let mut push = |name: String, expr: Expr, origin: Option<Arc<Origin>>| {
            columns.push(OutputColumn { name, ty: expr.ty.clone(), origin });
            bound.push(expr);
        };
        for item in items {
            match item {
                SelectItem::Star | SelectItem::TableStar(_) => {
                    for v in scope.visible.iter().filter(|v| !v.invisible) {
                        push(v.name.clone(), v.expr.clone(), Some(v.origin.clone()));
                    }
                }
                SelectItem::Expr { expr, name, .. } => {
                    let expr = self.scalar(expr, scope, Clause::Select)?;
                    let origin = match expr.kind {
                        Kind::Column(slot) => scope.origin_of(slot),
                        _ => None,
                    };
                    push(name.clone(), expr, origin);
                }
            }
        }
        Ok(Some(Returning { items: bound, columns }))
    }

    /// Binds an UPDATE.
    pub fn update(&mut self, update: &ast::Update) -> Result<ChangePlan, SqlError> {
        self.privilege = "UPDATE";
        let mut scope = Scope::new(None, 0);
        scope.numbers_rows = true;
        let (join, conditions) = self.change_from(&update.tables, &mut scope)?;
        let Some(mut join) = join else { return Err(SqlError::no_tables_used()) };
        let multi_table = !matches!(join, Join::Table(_)) || self.reads_itself(update, &join);
        let mut slots = Vec::with_capacity(update.assignments.len());
        for assignment in &update.assignments {
            let c = &assignment.column;
            let bound = scope.resolve(c.database.as_deref(), c.table.as_deref(), &c.column, Clause::Set)?;
            self.check_updatable(&scope, c)?;
            let Kind::Column(slot) = bound.kind else {
                return Err(SqlError::non_updatable_column(&c.column));
            };
            slots.push(slot);
        }
        let mut named = Vec::with_capacity(slots.len());
        for (slot, assignment) in slots.into_iter().zip(&update.assignments) {
            match self.given(&assignment.value, &scope, Clause::Set) {
                Ok(value) => named.push((slot, value)),
                Err(error) => {
                    // The conditions' faults are told before those of the values.
                    if let Some(filter) = &update.filter {
                        self.scalar(filter, &scope, Clause::Where)?;
                    }
                    scope.check_late_error()?;
                    return Err(error);
                }
            }
        }
        let mut targets = Vec::new();
        let mut assignments = Vec::with_capacity(named.len());
        for (slot, value) in named {
            let (target, column) = self.target_of(slot, &mut join, &mut targets, &scope, "UPDATE")?;
            let def = &targets[target].0.def().columns[column];
            if matches!(value, Given::Default) && !def.has_default() {
                return Err(SqlError::no_default_for_field(&def.name));
            }
            if let Given::Expr(e) = &value {
                let lenient = update.ignore || !self.state.vars.is_strict();
                assigned::check(&e.ty, column, targets[target].0.def(), lenient, self.state)?;
            }
            assignments.push((target, column, value));
        }
        self.check_one_table(&scope, &targets)?;
        keys_apart::check(&mut join, &targets, &assignments)?;
        let tail = (&update.order_by[..], update.limit.as_ref());
        let find = self.change_find(join, conditions, update.filter.as_ref(), tail, &mut scope)?;
        let rules =
            targets.iter().map(|(table, _)| Rules::of(table.def(), self.state)).collect::<Result<_, _>>()?;
        let ignore = update.ignore;
        let view_rule = std::mem::take(&mut self.view_rules).pop();
        Ok(ChangePlan {
            find,
            targets,
            assignments,
            rules,
            multi_table,
            equates_rows: update.filter.as_ref().is_some_and(condition::equates_rows),
            ignore,
            returning: None,
            view_rule,
        })
    }

    /// Binds a DELETE.
    pub fn delete(&mut self, delete: &ast::Delete) -> Result<ChangePlan, SqlError> {
        self.privilege = "DELETE";
        let multi_table = !delete.targets.is_empty();
        let mut scope = Scope::new(None, 0);
        scope.numbers_rows = true;
        let (join, conditions) = self.change_from(&delete.from, &mut scope)?;
        let Some(mut join) = join else { return Err(SqlError::no_tables_used()) };
        let mut targets = Vec::new();
        if multi_table {
            let mut named = Vec::new();
            for name in &delete.targets {
                let found = scope.tables.iter().find(|t| t.is_named(name.database.as_deref(), &name.name));
                let found = found.ok_or_else(|| SqlError::unknown_table(&name.name, "MULTI DELETE"))?;
                self.delete_target(found.slots.clone(), &found.alias, &mut join, &mut targets, &scope, true)?;
                if let Some((table, _)) = targets.last() {
                    named.push((found.alias.clone(), table.clone()));
                }
            }
            self.check_apart(delete, &named)?;
        } else {
            let table = scope.tables.first().ok_or_else(SqlError::no_tables_used)?;
            self.delete_target(table.slots.clone(), &table.alias, &mut join, &mut targets, &scope, false)?;
        }
        let returning = self.returning(delete.returning.as_deref(), &mut scope)?;
        let tail = (&delete.order_by[..], delete.limit.as_ref());
        let find = self.change_find(join, conditions, delete.filter.as_ref(), tail, &mut scope)?;
        Ok(ChangePlan {
            find,
            targets,
            assignments: Vec::new(),
            rules: Vec::new(),
            multi_table,
            equates_rows: false,
            ignore: delete.ignore,
            returning,
            view_rule: None,
        })
    }

    /// Makes the table in these slots a target of DELETE: error 1395 for a view that joins several.
    fn delete_target(
        &mut self,
        slots: std::ops::Range<u32>,
        alias: &str,
        join: &mut Join,
        targets: &mut Vec<(Arc<Table>, u32)>,
        scope: &Scope<'_>,
        several: bool,
    ) -> Result<(), SqlError> {
        let slot = Slot { level: 0, index: slots.start };
        let whole = table_with(join, slot.index).is_none_or(|access| access.slots == slots);
        let named = scope.tables.iter().find(|table| table.slots == slots);
        let shown = named.and_then(|table| table.columns.first()).map(|column| &column.origin.org_table);
        let view = self.views.iter().find(|view| Some(&view.def().name) == shown || view.def().name == alias);
        let Some(def) = view.map(|view| view.def()) else {
            return self.target_of(slot, join, targets, scope, "DELETE").map(|_| ());
        };
        if self.is_only_read(def) {
            return Err(SqlError::non_updatable_table(alias, "DELETE"));
        }
        if !whole && (def.updatable || several) || several && !def.updatable && self.joins(def) {
            return Err(SqlError::view_delete_merge_view(&def.db, &def.name));
        }
        if !def.updatable {
            return Err(SqlError::non_updatable_table(alias, "DELETE"));
        }
        self.target_of(slot, join, targets, scope, "DELETE").map(|_| ())
    }

    /// Whether a view's query reads more than one stored table.
    fn joins(&self, view: &types::ViewDef) -> bool {
        let Ok(query) = super::view::parse_view(&view.query) else { return false };
        let ast::QueryBody::Select(select) = &query.body else { return false };
        let [TableRef::Table(only)] = select.from.as_slice() else { return !select.from.is_empty() };
        let database = only.name.database.as_ref().unwrap_or(&view.db);
        self.state.engine.catalog().table(database, &only.name.name).is_none()
    }

    /// Error 1393 for an UPDATE of several tables through one view.
    fn check_one_table(&self, scope: &Scope<'_>, targets: &[(Arc<Table>, u32)]) -> Result<(), SqlError> {
        for table in &scope.tables {
            let inside = targets.iter().filter(|(_, first)| table.slots.contains(first)).count();
            if let Some(view) = self.view_of(table).filter(|_| inside > 1) {
                return Err(SqlError::view_multi_update(&view.def().db, &view.def().name));
            }
        }
        Ok(())
    }

    /// The table that rows are inserted into: itself, or the one below a view.
    pub(super) fn insert_target(&mut self, insert: &ast::Insert, database: &str) -> Result<Target, SqlError> {
        let name = &insert.table;
        if self.temporary(database, &name.name)?.is_none()
            && let Some(view) = self.state.engine.catalog().view(database, &name.name).cloned()
        {
            return self.insert_view(&view, insert);
        }
        Ok(Target::of(self.open(database, &name.name, Mdl::Write)?))
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
        if !view.def().updatable {
            return Err(refused());
        }
        match &join {
            Join::Table(_) => {}
            Join::Inner(_) => return self.insert_join_view(view, insert, &scope, &mut join),
            _ => return Err(refused()),
        }
        let mut columns: Vec<(String, usize, bool)> = Vec::new();
        let mut simple = true;
        let (mut computed, mut reads) = (false, false);
        for column in scope.tables.iter().flat_map(|table| &table.columns) {
            let Kind::Column(slot) = column.expr.kind else {
                simple = false;
                if insert.columns.iter().any(|c| same_name(&c.column, &column.name)) {
                    computed = true;
                    column.expr.visit(&mut |e| reads |= matches!(e.kind, Kind::Column(_)));
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
            return Err(match reads || columns.iter().any(|(name, ..)| listed(name)) {
                true => refused(),
                false => SqlError::view_multi_update(&view.def().db, &view.def().name),
            });
        }
        for (at, column) in table.def().columns.iter().enumerate() {
            let given = columns.iter().any(|&(_, known, _)| known == at);
            if !given && !column.has_default() && self.state.vars.is_strict() {
                let def = view.def();
                return Err(SqlError::no_default_for_view_field(&def.db, &def.name));
            }
        }
        let twice =
            |at: usize| columns.iter().filter(|(name, known, _)| *known == at && listed(name)).count() > 1;
        if !simple && (insert.columns.is_empty() || columns.iter().any(|&(_, at, _)| twice(at))) {
            return Err(refused());
        }
        let rule = std::mem::take(&mut self.view_rules).pop();
        Ok(Target { table: table.clone(), columns, view: Some(view.clone()), rule })
    }

    /// A view over a join takes rows for one of its tables: that of the columns listed.
    fn insert_join_view(
        &mut self,
        view: &Arc<View>,
        insert: &ast::Insert,
        scope: &Scope<'_>,
        join: &mut Join,
    ) -> Result<Target, SqlError> {
        let (db, name) = (&view.def().db, &view.def().name);
        let refused = || SqlError::non_insertable_table(&insert.table.name, "INSERT");
        if insert.columns.is_empty() {
            return Err(SqlError::view_no_insert_field_list(db, name));
        }
        let updated = insert.on_duplicate.iter().map(|assignment| &assignment.column.column);
        let mut slots = Vec::new();
        let mut computed = false;
        for listed in insert.columns.iter().map(|c| &c.column).chain(updated) {
            let mut columns = scope.tables.iter().flat_map(|table| &table.columns);
            let column = columns.find(|column| same_name(&column.name, listed));
            match column.map(|column| &column.expr.kind) {
                None => return Err(SqlError::bad_field(listed, Clause::InsertInto.name())),
                Some(Kind::Column(slot)) => slots.push(slot.index),
                Some(_) => {
                    computed = true;
                    column.into_iter().for_each(|column| {
                        column.expr.visit(&mut |e| {
                            if let Kind::Column(slot) = e.kind {
                                slots.push(slot.index);
                            }
                        });
                    });
                }
            }
        }
        let several = || SqlError::view_multi_update(db, name);
        let access = table_with(join, *slots.first().ok_or_else(several)?).ok_or_else(refused)?;
        let own = access.slots.clone();
        if slots.iter().any(|slot| !own.contains(slot)) {
            return Err(several());
        }
        if computed {
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
        let missing = |(at, column): (usize, &types::ColumnDef)| {
            !column.has_default() && !columns.iter().any(|&(_, known, _)| known == at)
        };
        if self.state.vars.is_strict() && table.def().columns.iter().enumerate().any(missing) {
            return Err(SqlError::no_default_for_view_field(db, name));
        }
        // Rows of one table are not yet rows of the view: there is nothing that a CHECK OPTION could be held against.
        self.view_rules.clear();
        Ok(Target { table: table.clone(), columns, view: Some(view.clone()), rule: None })
    }

    fn change_from(
        &mut self,
        tables: &[TableRef],
        scope: &mut Scope<'_>,
    ) -> Result<(Option<Join>, Vec<Expr>), SqlError> {
        self.mdl = Mdl::Write;
        let bound = self.from(tables, scope);
        self.mdl = Mdl::Read;
        bound
    }

    /// Makes the table that has `slot` a target of the change; gives its number and the column.
    fn target_of(
        &self,
        slot: Slot,
        join: &mut Join,
        targets: &mut Vec<(Arc<Table>, u32)>,
        scope: &Scope<'_>,
        statement: &str,
    ) -> Result<(usize, usize), SqlError> {
        let Some(access) = table_with(join, slot.index) else {
            return Err(SqlError::internal_error("find the table to change"));
        };
        let column = (slot.index - access.slots.start) as usize;
        let Source::Base(table) = &access.source else {
            let named = scope.tables.iter().find(|table| table.slots.contains(&slot.index));
            let alias = named.map_or(&access.alias, |table| &table.alias);
            return Err(SqlError::non_updatable_table(alias, statement));
        };
        if let Some(target) = access.target {
            return Ok((target, column));
        }
        access.target = Some(targets.len());
        access.lock = Some(RowLock { exclusive: true, wait: LockWait::Default });
        targets.push((table.clone(), access.slots.start));
        for index in access.slots.clone() {
            scope.mark_used(&Expr { kind: Kind::Column(Slot { level: 0, index }), ty: build::boolean(true) });
        }
        Ok((targets.len() - 1, column))
    }

    fn change_find(
        &mut self,
        join: Join,
        mut conditions: Vec<Expr>,
        filter: Option<&ast::Expr>,
        (order_by, limit): (&[ast::OrderItem], Option<&ast::Limit>),
        scope: &mut Scope<'_>,
    ) -> Result<SelectPlan, SqlError> {
        if let Some(filter) = filter {
            build::conjuncts(self.scalar(filter, scope, Clause::Where)?, &mut conditions);
        }
        scope.check_late_error()?;
        scope.aliases = Vec::<Alias>::new();
        let mut keys = Vec::with_capacity(order_by.len());
        for item in order_by {
            keys.push(SortKey { expr: self.scalar(&item.expr, scope, Clause::OrderBy)?, desc: item.desc });
        }
        let limits = self.limit(limit, scope)?;
        let mut find = SelectPlan {
            level: 0,
            width: scope.width.get() as usize,
            from: Some(join),
            constant_filter: Vec::new(),
            filter: Vec::new(),
            row_number: None,
            group: None,
            having: None,
            windows: None,
            items: Vec::new(),
            keeps_digits: false,
            distinct: false,
            tail: Tail { order_by: keys, ..limits },
            ends: None,
            presorted: false,
            lock: None,
            rows: 0.0,
            cost: 0.0,
        };
        order::optimize(&mut find, conditions, scope, self)?;
        Ok(find)
    }
}

impl Target {
    /// All of a table.
    pub(super) fn of(table: Arc<Table>) -> Target {
        let column = |(at, c): (usize, &types::ColumnDef)| (c.name.clone(), at, c.invisible);
        let columns = table.def().columns.iter().enumerate().map(column).collect();
        Target { table, columns, view: None, rule: None }
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
        self.columns.iter().map(column).collect()
    }
}

/// The table of a join that has a slot.
pub(super) fn table_with(join: &mut Join, slot: u32) -> Option<&mut crate::plan::TableAccess> {
    match join {
        Join::Table(table) => table.slots.contains(&slot).then_some(&mut **table),
        Join::Inner(steps) => steps.iter_mut().find_map(|(join, _)| table_with(join, slot)),
        Join::Left { left, right, .. } => table_with(left, slot).or_else(|| table_with(right, slot)),
        Join::Hash(hash) => table_with(&mut hash.build, slot),
    }
}
