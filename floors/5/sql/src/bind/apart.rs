//! What a DELETE of several tables may not read: the tables that it deletes from, in its subqueries; and views that rows
//! cannot go through because their query reads its table twice.
//!
//! Derived tables and views that are made whole have their rows before any goes, and may be read.

use super::Binder;
use super::insert::Foreseen;
use super::scope::{Scope, ScopeTable};
use super::view::{is_mergeable, parse_view};
use crate::error::SqlError;
use crate::plan::{Join, Source};
use crate::session::State;
use crate::syntax::ast::walk::Below;
use crate::syntax::ast::{self, Expr, QueryBody, TableFactor, TableRef};
use engine::View;
use std::sync::Arc;
use types::ViewAlgorithm;
use types::table::same_name;

/// Views inside views are looked through so deep.
const DEPTH_MAX: usize = 16;

/// Calls a function for the tables that a member of FROM stands for, as far as they count.
type Reads<'t> = fn(&'t TableRef, &mut dyn FnMut(&'t TableFactor));

/// Whether a query has more than one query in FROM clauses, its own and those of views. To MariaDB each is the other.
pub(crate) fn derives_again(state: &State, query: &ast::Query) -> bool {
    fn derived(state: &State, query: &ast::Query, depth: usize) -> usize {
        let mut count = query.derived_tables();
        query.tables(true, &mut |name| {
            let database = name.database.as_ref().or(state.database.as_ref());
            let catalog = state.engine.catalog();
            let view = database.and_then(|database| catalog.view(database, &name.name));
            if let Some(view) = view.filter(|_| count < 2 && depth <= DEPTH_MAX)
                && let Ok(query) = parse_view(&view.def().query)
            {
                count += derived(state, &query, depth + 1);
            }
        });
        count
    }
    derived(state, query, 0) > 1
}

/// Calls `f` for every table named in the subqueries of an expression, at any depth, as far as `reads` has them: [`joined`]
/// those outside of derived tables, [`merged`] those in derived tables that are parts of the blocks around them.
fn read_by<'t>(e: &'t Expr, reads: Reads<'t>, f: &mut dyn FnMut(&'t TableFactor)) {
    e.below(&mut |below| match below {
        Below::Expr(e) => read_by(e, reads, f),
        Below::Query(query) => named_in(&query.body, reads, f),
    });
}

fn named_in<'t>(body: &'t QueryBody, reads: Reads<'t>, f: &mut dyn FnMut(&'t TableFactor)) {
    match body {
        QueryBody::Select(select) => {
            // In the order of writing: the first that is found is told.
            for item in &select.items {
                if let ast::SelectItem::Expr { expr, .. } = item {
                    read_by(expr, reads, f);
                }
            }
            select.from.iter().for_each(|table| reads(table, f));
            select.expressions(&mut |e| read_by(e, reads, f));
        }
        QueryBody::Values(rows) => rows.iter().flatten().for_each(|e| read_by(e, reads, f)),
        QueryBody::SetOps { .. } => body.operands().into_iter().for_each(|body| named_in(body, reads, f)),
        QueryBody::Nested(query) => named_in(&query.body, reads, f),
    }
}

fn merged<'t>(table: &'t TableRef, f: &mut dyn FnMut(&'t TableFactor)) {
    match table {
        TableRef::Derived { query, .. } => {
            if let QueryBody::Select(select) = &query.body
                && is_mergeable(query, select)
            {
                named_in(&query.body, joined, f);
                named_in(&query.body, merged, f);
            }
        }
        TableRef::Join(join) => {
            merged(&join.left, f);
            merged(&join.right, f);
        }
        TableRef::Table(_) | TableRef::JsonTable(_) => {}
    }
}

fn joined<'t>(table: &'t TableRef, f: &mut dyn FnMut(&'t TableFactor)) {
    match table {
        TableRef::Table(factor) => f(factor),
        TableRef::Derived { .. } | TableRef::JsonTable(_) => {}
        TableRef::Join(join) => {
            joined(&join.left, f);
            joined(&join.right, f);
            if let ast::JoinCondition::On(condition) = &join.condition {
                read_by(condition, joined, f);
            }
        }
    }
}

/// The tables of a join.
fn factors<'t>(table: &'t TableRef, f: &mut dyn FnMut(&'t TableFactor)) {
    match table {
        TableRef::Table(factor) => f(factor),
        TableRef::Join(join) => {
            factors(&join.left, f);
            factors(&join.right, f);
        }
        TableRef::Derived { .. } | TableRef::JsonTable(_) => {}
    }
}

/// What subqueries of a join's conditions read.
fn conditions<'t>(table: &'t TableRef, f: &mut dyn FnMut(&'t TableFactor)) {
    if let TableRef::Join(join) = table {
        conditions(&join.left, f);
        conditions(&join.right, f);
        if let ast::JoinCondition::On(condition) = &join.condition {
            read_by(condition, joined, f);
        }
    }
}

/// Whether a subquery or a common table expression of a block reads the table that a name in its FROM stands for, by
/// itself or through views.
pub(crate) fn looks_again(
    state: &State,
    query: &ast::Query,
    select: &ast::Select,
    own: &ast::TableName,
) -> bool {
    let Some(database) = own.database.as_ref().or(state.database.as_ref()) else { return false };
    let target = (database.as_str(), own.name.as_str());
    let mut looks = false;
    select.expressions(&mut |e| {
        tables_below(e, &mut |name| looks |= reaches(state, name, target, 0));
    });
    for cte in query.with.iter().flat_map(|with| &with.ctes) {
        cte.query.tables(true, &mut |name| looks |= reaches(state, name, target, 0));
    }
    looks
}

/// Calls `f` for every table named in the subqueries of an expression, at any depth.
fn tables_below(e: &Expr, f: &mut dyn FnMut(&ast::TableName)) {
    e.below(&mut |below| match below {
        Below::Expr(e) => tables_below(e, f),
        Below::Query(query) => query.tables(true, &mut |name| f(name)),
    });
}

/// Whether a name stands for a table, or for a view that reads it.
fn reaches(state: &State, name: &ast::TableName, target: (&str, &str), depth: usize) -> bool {
    let Some(database) = name.database.as_ref().or(state.database.as_ref()) else { return false };
    if (database.as_str(), name.name.as_str()) == target {
        return true;
    }
    let catalog = state.engine.catalog();
    let Some(view) = catalog.view(database, &name.name).filter(|_| depth <= DEPTH_MAX) else { return false };
    let Ok(query) = parse_view(&view.def().query) else { return false };
    let mut reads = false;
    query.tables(true, &mut |inner| reads |= reaches(state, inner, target, depth + 1));
    reads
}

impl Binder<'_> {
    /// Errors 1093 and 1443 where a subquery of RETURNING reads the table that rows go to.
    pub(super) fn check_returning(
        &self,
        insert: &ast::Insert,
        target: &Arc<engine::Table>,
    ) -> Result<(), SqlError> {
        let own = &insert.table.name;
        let through = target.name() != own;
        // Under another name the table is another one to MariaDB.
        let called = self.called_below(&insert.table, target, 0).unwrap_or_else(|| own.clone());
        let mut refused = None;
        let mut look = |factor: &TableFactor| {
            if refused.is_some() {
                return;
            }
            let seen = factor.alias.as_ref().unwrap_or(&factor.name.name);
            let read = self.reads_target(factor, (target, Some(called.as_str())), 0);
            refused = read.map(|view| match view {
                _ if factor.name.name == *own => SqlError::update_table_used(own, "INSERT"),
                None if through => SqlError::view_prevents_update(own, "INSERT", own),
                None => SqlError::update_table_used(own, "INSERT"),
                Some(()) => SqlError::view_prevents_update(seen, "INSERT", own),
            });
        };
        for item in insert.returning.iter().flatten() {
            if let ast::SelectItem::Expr { expr, .. } = item {
                read_by(expr, joined, &mut look);
                read_by(expr, merged, &mut look);
            }
        }
        refused.map_or(Ok(()), Err)
    }

    /// Error 1093 where a subquery of LOAD DATA's SET reads the table that rows go to.
    pub(super) fn check_loaded(
        &self,
        load: &ast::LoadData,
        target: &Arc<engine::Table>,
    ) -> Result<(), SqlError> {
        let mut reads = false;
        let mut look = |factor: &TableFactor| reads |= self.reads_target(factor, (target, None), 0).is_some();
        load.set.iter().for_each(|assignment| read_by(&assignment.value, joined, &mut look));
        match reads {
            true => Err(SqlError::update_table_used(&load.table.name, "LOAD DATA")),
            false => Ok(()),
        }
    }

    /// What of several rows of VALUES MariaDB knows before it writes any of them.
    pub(super) fn foreseen(&self, rows: &[Vec<Expr>], target: &Arc<engine::Table>) -> Foreseen {
        let mut foreseen = Foreseen::Nothing;
        let mut look = |factor: &TableFactor| {
            let Some(view) = self.reads_target(factor, (target, None), 0) else { return };
            let named = factor.alias.as_ref().is_none_or(|alias| same_name(alias, target.name()));
            if named || view.is_some() {
                foreseen = Foreseen::All;
            } else if foreseen == Foreseen::Nothing {
                foreseen = Foreseen::Looked;
            }
        };
        if rows.len() > 1 {
            for e in rows.iter().flatten() {
                read_by(e, joined, &mut look);
                read_by(e, merged, &mut look);
            }
        }
        foreseen
    }

    /// Whether a subquery of an UPDATE of one table reads that table. MariaDB then goes about it as with several tables:
    /// all new values are computed from the rows as they were.
    pub(super) fn reads_itself(&self, update: &ast::Update, join: &Join) -> bool {
        let Join::Table(access) = join else { return false };
        let Source::Base(target) = &access.source else { return false };
        let mut reads = false;
        let mut look = |factor: &TableFactor| reads |= self.reads_target(factor, (target, None), 0).is_some();
        let values = update.assignments.iter().map(|assignment| &assignment.value);
        update.filter.iter().chain(values).for_each(|e| read_by(e, joined, &mut look));
        reads
    }

    /// Error 1093 where a subquery of a DELETE of several tables names one that rows go from, or the view that they go
    /// through; 1443 where another merged view does, be it one that is joined, or another name than the view's.
    pub(super) fn check_apart(
        &self,
        delete: &ast::Delete,
        targets: &[(String, Arc<engine::Table>, Option<String>)],
    ) -> Result<(), SqlError> {
        let mut refused = None;
        for (alias, target, through) in targets {
            for table in &delete.from {
                factors(table, &mut |factor| {
                    let seen = factor.alias.as_deref().unwrap_or(&factor.name.name);
                    if refused.is_none() && seen != alias && self.looks_at(factor, target, 0) {
                        refused = Some(SqlError::view_prevents_update(seen, "DELETE", alias));
                    }
                });
            }
            let mut look = |factor: &TableFactor| {
                if refused.is_none() {
                    refused = self.reads_target(factor, (target, None), 0).map(|view| match view {
                        Some(()) if through.as_ref() == Some(&factor.name.name) => {
                            SqlError::update_table_used(alias, "DELETE")
                        }
                        None if through.is_some() => SqlError::view_prevents_update(alias, "DELETE", alias),
                        None => SqlError::update_table_used(alias, "DELETE"),
                        Some(()) => {
                            let view = factor.alias.as_deref().unwrap_or(&factor.name.name);
                            SqlError::view_prevents_update(view, "DELETE", alias)
                        }
                    });
                }
            };
            delete.from.iter().for_each(|table| conditions(table, &mut look));
            delete.filter.iter().for_each(|e| read_by(e, joined, &mut look));
        }
        refused.map_or(Ok(()), Err)
    }

    /// The name that a table has in the view, of however many, through which rows go to it.
    fn called_below(
        &self,
        name: &ast::TableName,
        target: &Arc<engine::Table>,
        depth: usize,
    ) -> Option<String> {
        let database = name.database.as_ref().or(self.state.database.as_ref())?;
        let catalog = self.state.engine.catalog();
        let view = catalog.view(database, &name.name).filter(|_| depth <= DEPTH_MAX)?;
        let query = parse_view(&view.def().query).ok()?;
        let mut called = None;
        named_in(&query.body, joined, &mut |inner| {
            if called.is_none() && self.reads_target(inner, (target, None), depth).is_some() {
                let own = || inner.alias.clone().unwrap_or_else(|| inner.name.name.clone());
                called = Some(self.called_below(&inner.name, target, depth + 1).unwrap_or_else(own));
            }
        });
        called
    }

    /// Whether a table named is the target: by itself, or `Some(())` by way of a view; where its name is said, under that name.
    fn reads_target(
        &self,
        factor: &TableFactor,
        (target, called): (&Arc<engine::Table>, Option<&str>),
        depth: usize,
    ) -> Option<Option<()>> {
        let name = &factor.name;
        let database = name.database.as_ref().or(self.state.database.as_ref())?;
        if name.database.is_none() && self.cte_named(name).is_some() || depth > DEPTH_MAX {
            return None;
        }
        let catalog = self.state.engine.catalog();
        let table =
            self.state.temporary(database, &name.name).or_else(|| catalog.table(database, &name.name));
        if let Some(table) = table {
            let own = factor.alias.as_ref().unwrap_or(&name.name);
            let meant = called.is_none_or(|called| same_name(own, called));
            return (table.id() == target.id() && meant).then_some(None);
        }
        let query = self.merged_view(database, &name.name)?;
        let mut found = false;
        named_in(&query.body, joined, &mut |inner| {
            found |= self.reads_target(inner, (target, called), depth + 1).is_some()
        });
        found.then_some(Some(()))
    }

    /// The query of a view that is a part of the block around it.
    fn merged_view(&self, database: &str, name: &str) -> Option<ast::Query> {
        let catalog = self.state.engine.catalog();
        let view = catalog.view(database, name)?;
        let query = parse_view(&view.def().query).ok()?;
        is_merged(view.def(), &query).then_some(*query)
    }

    /// Whether a subquery of a merged view in FROM, or of one that it joins, reads the target.
    fn looks_at(&self, factor: &TableFactor, target: &Arc<engine::Table>, depth: usize) -> bool {
        let name = &factor.name;
        let database = name.database.as_ref().or(self.state.database.as_ref());
        let hidden = name.database.is_none() && self.cte_named(name).is_some() || depth > DEPTH_MAX;
        let query = database.filter(|_| !hidden).and_then(|database| self.merged_view(database, &name.name));
        let Some(ast::Query { body: QueryBody::Select(select), .. }) = &query else { return false };
        let mut looks = false;
        let mut look = |inner: &TableFactor| {
            looks |= self.reads_target(inner, (target, None), depth + 1).is_some();
        };
        select.from.iter().for_each(|table| conditions(table, &mut look));
        select.expressions(&mut |e| read_by(e, joined, &mut look));
        let mut below = |inner: &TableFactor| looks |= self.looks_at(inner, target, depth + 1);
        select.from.iter().for_each(|table| factors(table, &mut below));
        looks
    }

    /// Error 1288 for a column of a view that is only read; an UPDATE of several tables reads all rows first, and may
    /// change what subqueries of the view look at.
    pub(super) fn check_updatable(
        &self,
        scope: &Scope<'_>,
        named: &ast::ColumnRef,
        several: bool,
    ) -> Result<(), SqlError> {
        match scope.named(named) {
            Some((table, _))
                if self.view_of(table).is_some_and(|view| self.is_only_read(view.def(), several)) =>
            {
                Err(SqlError::non_updatable_table(&table.alias, "UPDATE"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a view's FROM is a query alone, or one table that a subquery reads too, which `looks` passes over, or such a
    /// view again.
    pub(super) fn is_only_read(&self, view: &types::ViewDef, looks: bool) -> bool {
        let Ok(query) = parse_view(&view.query) else { return false };
        let QueryBody::Select(select) = &query.body else { return false };
        let [TableRef::Table(own)] = &select.from[..] else {
            return matches!(&select.from[..], [TableRef::Derived { .. }]);
        };
        if common(&query, &own.name).is_some() {
            return true;
        }
        let database = own.name.database.as_ref().unwrap_or(&view.db);
        let below = self.state.engine.catalog().view(database, &own.name.name).cloned();
        !looks && looks_again(self.state, &query, select, &own.name)
            || below.is_some_and(|below| self.is_only_read(below.def(), looks))
    }

    /// Whether a view's FROM names another one whose own is a query alone, all of them merged: MariaDB takes its rows for
    /// those of several tables.
    pub(super) fn joins_query(&self, view: &types::ViewDef) -> bool {
        let merged = |query: &ast::Query| match &query.body {
            QueryBody::Select(select) if is_mergeable(query, select) => Some(select.from.clone()),
            _ => None,
        };
        let Ok(query) = parse_view(&view.query) else { return false };
        let mut joins = false;
        query.body.tables(false, &mut |name| {
            let database = name.database.as_ref().unwrap_or(&view.db);
            let below = self.state.engine.catalog().view(database, &name.name).cloned();
            let from = below.and_then(|below| merged(&*parse_view(&below.def().query).ok()?));
            if let Some([TableRef::Derived { query, .. }]) = from.as_deref() {
                joins |= merged(query).is_some();
            }
        });
        joins
    }

    /// Whether rows of a view are those of a join: of its own, or of the query or view that its FROM is alone.
    pub(super) fn is_joined(&self, view: &types::ViewDef) -> bool {
        self.is_joined_view(view, 0)
    }

    fn is_joined_view(&self, view: &types::ViewDef, depth: usize) -> bool {
        parse_view(&view.query).is_ok_and(|query| self.is_joined_query(&query, &view.db, depth))
    }

    fn is_joined_query(&self, query: &ast::Query, database: &str, depth: usize) -> bool {
        let mut body = &query.body;
        // The first member of several is what counts.
        while let QueryBody::SetOps { first, .. } = body {
            body = first;
        }
        let select = match body {
            QueryBody::Select(select) => select,
            QueryBody::Nested(inner) => return self.is_joined_query(inner, database, depth),
            _ => return false,
        };
        match &select.from[..] {
            _ if depth > DEPTH_MAX => false,
            [TableRef::Derived { query, .. }] => self.is_joined_query(query, database, depth),
            [TableRef::Table(own)] => {
                if let Some(common) = common(query, &own.name) {
                    return self.is_joined_query(common, database, depth + 1);
                }
                let database = own.name.database.as_deref().unwrap_or(database);
                let below = self.state.engine.catalog().view(database, &own.name.name).cloned();
                below.is_some_and(|below| self.is_joined_view(below.def(), depth + 1))
            }
            [TableRef::JsonTable(_)] | [] => false,
            _ => true,
        }
    }

    /// How many tables of a view's join stand behind a merged query that joins several itself, or (if `plain`) such a view.
    /// MariaDB takes what is computed of these for another table's.
    pub(super) fn tables_behind_joined(&self, view: &types::ViewDef, plain: bool) -> usize {
        let Ok(query) = parse_view(&view.query) else { return 0 };
        let QueryBody::Select(select) = &query.body else { return 0 };
        let mut counts = Vec::new();
        self.count_tables(&select.from, &view.db, 0, &mut counts);
        match counts.iter().position(|(count, of_query)| *count > 1 && (plain || *of_query)) {
            Some(joined) => counts[joined + 1..].iter().map(|(count, _)| count).sum(),
            None => 0,
        }
    }

    /// Appends how many tables each operand of FROM joins, once merged, and whether it is a query.
    fn count_tables(&self, from: &[TableRef], database: &str, depth: usize, counts: &mut Vec<(usize, bool)>) {
        let within = |query: &ast::Query, database: &str| match &query.body {
            QueryBody::Select(select) if is_mergeable(query, select) && depth < DEPTH_MAX => {
                let mut inner = Vec::new();
                self.count_tables(&select.from, database, depth + 1, &mut inner);
                inner.iter().map(|(count, _)| count).sum::<usize>().max(1)
            }
            _ => 1,
        };
        for operand in from {
            match operand {
                TableRef::Join(join) => {
                    self.count_tables(std::slice::from_ref(&join.left), database, depth, counts);
                    self.count_tables(std::slice::from_ref(&join.right), database, depth, counts);
                }
                TableRef::Derived { query, .. } => counts.push((within(query, database), true)),
                TableRef::JsonTable(_) => counts.push((1, false)),
                TableRef::Table(own) => {
                    let database = own.name.database.as_deref().unwrap_or(database);
                    let below = self.state.engine.catalog().view(database, &own.name.name).cloned();
                    let count = below.map_or(1, |below| {
                        let def = below.def();
                        parse_view(&def.query).map_or(1, |query| within(&query, &def.db))
                    });
                    counts.push((count, false));
                }
            }
        }
    }

    /// The view that a name of FROM stands for.
    pub(super) fn view_of(&self, table: &ScopeTable) -> Option<&Arc<View>> {
        self.views.iter().find(|view| view.def().name == table.columns[0].origin.org_table)
    }
}

/// The common table expression that a name of a query's FROM stands for.
fn common<'q>(query: &'q ast::Query, name: &ast::TableName) -> Option<&'q ast::Query> {
    let with = query.with.as_ref().filter(|_| name.database.is_none())?;
    with.ctes.iter().find(|cte| same_name(&cte.name, &name.name)).map(|cte| &*cte.query)
}

/// Whether a view's rows are made before anything is looked for in them.
pub(super) fn is_made_apart(view: &types::ViewDef) -> bool {
    parse_view(&view.query).is_ok_and(|query| !is_merged(view, &query))
}

/// Whether a view, which is this query, is a part of the block around it.
fn is_merged(view: &types::ViewDef, query: &ast::Query) -> bool {
    match &query.body {
        QueryBody::Select(select) => {
            view.algorithm != ViewAlgorithm::Temptable && is_mergeable(query, select)
        }
        _ => false,
    }
}

/// Whether a subquery of an UPDATE names its table, or view, by the name that it is changed by.
pub(super) fn names_again(update: &ast::Update, own: &ast::TableName) -> bool {
    let mut again = false;
    let mut look = |factor: &TableFactor| again |= factor.name == *own;
    let values = update.assignments.iter().map(|assignment| &assignment.value);
    update.filter.iter().chain(values).for_each(|e| read_by(e, joined, &mut look));
    again
}
