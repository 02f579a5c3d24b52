//! Views in FROM, and derived tables like them.
//!
//! A view's text is parsed and bound as if it stood there. Where its form allows it is merged: its tables and
//! conditions become the block's own, so that indexes are used, and its columns are names of expressions over them.
//! Else it is made whole first, as a derived table is.
//!
//! Inside a view names mean what they meant where it was made: nothing of the statement around is in reach, and the
//! privileges that count are the definer's, unless the view says otherwise.

use super::scope::{Origin, ScopeColumn, ScopeTable, Visible};
use super::trace::Trace;
use super::{Binder, Clause, Scope};
use crate::admin::{Acts, Guard, Held, definer};
use crate::catalog::mysql;
use crate::error::{ER_VIEW_INVALID, SqlError};
use crate::expr::{Class, Expr, Kind, Named, build};
use crate::plan::{Join, Source};
use crate::session::{Level, State};
use crate::syntax::ast::rewrite::{Rewrite, walk_expr};
use crate::syntax::ast::{self, ExprKind, JoinCondition, QueryBody, Select, SelectItem, Statement};
use crate::syntax::{ParseOptions, parse};
use engine::View;
use std::borrow::Cow;
use std::sync::Arc;
use types::Value;
use types::{CollationId, ViewAlgorithm, ViewCheck, ViewDef};

/// WITH CHECK OPTION of the view that a change goes through: what rows must fulfil, and the view's name.
#[derive(Debug)]
pub struct ViewRule {
    /// Database.
    pub database: String,
    /// Name.
    pub view: String,
    /// The conditions, over the row's places.
    pub conditions: Vec<Expr>,
    /// Of a view that joins tables, for a row of one of them: what stands in all places before the row is there.
    pub blank: Vec<Value>,
    /// The row's first place.
    pub first: usize,
}

/// What a query in FROM is called.
pub(super) struct Called<'n> {
    /// Alias, or the view's name.
    pub alias: &'n str,
    /// Database, for a view named without alias.
    pub database: Option<String>,
    /// Database and name of the view; none for a derived table.
    pub view: Option<(&'n str, &'n str)>,
    /// What guards its columns.
    pub guard: Option<Arc<Guard>>,
    /// Names of its columns, where they were given.
    pub columns: &'n [String],
}

/// The kind of privileges that count where binding is.
pub(super) type Security = Option<Arc<Held>>;

impl Binder<'_> {
    /// Binds a view.
    pub(super) fn view(
        &mut self,
        view: &Arc<View>,
        factor_alias: Option<&str>,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let def = view.def();
        self.check_view(def)?;
        self.hold_view(view)?;
        self.query_of_view(def, factor_alias, scope, conditions)
    }

    /// Error 1142 where whose privileges count may not read or change a view.
    fn check_view(&mut self, def: &ViewDef) -> Result<(), SqlError> {
        self.check_access(self.mdl, &def.db, &def.name)
    }

    /// Binds one of the server's own views, which nobody changes.
    pub(super) fn own_view(
        &mut self,
        def: &ViewDef,
        factor_alias: Option<&str>,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        self.check_view(def)?;
        self.state.check_locked(&def.db, &def.name, false)?;
        self.query_of_view(def, factor_alias, scope, conditions)
    }

    /// Binds the query of a view that may be read.
    fn query_of_view(
        &mut self,
        def: &ViewDef,
        factor_alias: Option<&str>,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let name = (def.db.clone(), def.name.clone());
        if self.view_stack.contains(&name) {
            return Err(SqlError::view_recursive(&def.db, &def.name));
        }
        let query = parse_view(&def.query)?;
        let security = match def.invoker {
            true => self.security.clone(),
            // Of nobody's: whoever may read it reads what it is over.
            false if mysql::has(&def.db, &def.name) => Some(Arc::new(Held::unlimited())),
            false => definer(self.state, &def.definer)?,
        };
        let called = Called {
            alias: factor_alias.unwrap_or(&def.name),
            database: factor_alias.is_none().then(|| def.db.clone()),
            view: Some((&def.db, &def.name)),
            guard: self.guard(self.mdl, true, &def.db, &def.name)?,
            columns: &[],
        };
        let settings = Settings::enter(self.state, def);
        let text = std::mem::replace(&mut self.text, Cow::Owned(def.query.clone().into_bytes()));
        let security = std::mem::replace(&mut self.security, security);
        let ctes = std::mem::take(&mut self.ctes);
        // Places in its text are none of the text around.
        let trace = self.trace.take();
        self.trace = trace.as_ref().map(|_| Trace::default());
        let depth = self.view_stack.len();
        self.view_stack.push(name);
        let merge = def.algorithm != ViewAlgorithm::Temptable;
        let check = def.check;
        let bound = self.in_from(&query, &called, merge, scope, conditions, depth == 0, check);
        self.view_stack.truncate(depth);
        self.trace = trace;
        self.ctes = ctes;
        self.security = security;
        self.text = text;
        settings.leave(self.state);
        bound.map_err(|error| {
            if !hides_inside(&error) {
                return error;
            }
            if error.errno != ER_VIEW_INVALID {
                // The cause is told beside.
                self.state.warn(Level::Error, error.errno, error.message);
            }
            SqlError::view_invalid(&def.db, &def.name)
        })
    }

    /// Holds a view's name for the transaction's time.
    fn hold_view(&mut self, view: &Arc<View>) -> Result<(), SqlError> {
        let def = view.def();
        self.state.check_locked(&def.db, &def.name, false)?;
        if !self.state.txn()?.hold_view(view)? {
            // Replaced this moment: who asks again finds what is there now.
            return Err(SqlError::table_definition_changed());
        }
        self.views.push(view.clone());
        Ok(())
    }

    /// Binds a query in FROM: merged where its form allows, else made whole first.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn in_from(
        &mut self,
        query: &ast::Query,
        called: &Called<'_>,
        merge: bool,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
        outermost: bool,
        check: ViewCheck,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let simple = match &query.body {
            QueryBody::Select(select) if merge && self.trace.is_none() => {
                // A view's common table expressions are no obstacle.
                let mergeable = match called.view {
                    Some(_) => is_mergeable_but_for_with(query, select),
                    None => is_mergeable(query, select),
                };
                mergeable.then_some(select)
            }
            _ => None,
        };
        if let Some(select) = simple
            && (!self.nullable_side || only_columns(select))
            && (!scope.shows_order || query.order_by.is_empty())
        {
            let check = if outermost { check } else { ViewCheck::None };
            let outer = self.ctes.len();
            if let Some(with) = &query.with {
                self.enter_with(with, query)?;
            }
            let merged = self.merge(query, select, called, scope, conditions, check)?;
            self.leave_with(outer)?;
            return Ok(merged);
        }
        let plan = self.derived_plan(query)?;
        let output = plan.columns.clone();
        let number = self.next_number();
        let source = Source::Derived { plan: Arc::new(plan), number };
        self.derived(source, &output, called, simple.is_some(), scope)
    }

    fn merge(
        &mut self,
        query: &ast::Query,
        select: &Select,
        called: &Called<'_>,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
        check: ViewCheck,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        self.enter_block()?;
        let mut inner = Scope::new(None, scope.level);
        inner.width.set(scope.width.get());
        let written = self.mdl == engine::Mdl::Write;
        if written && called.view.is_some() {
            inner.wants.set(Acts::NONE);
        }
        let first = scope.width.get();
        let (join, mut own) = self.from(&select.from, &mut inner)?;
        let told = self.state.diagnostics.entries.len();
        let condition = select.filter.as_ref().map(|filter| self.condition(filter, &inner, Clause::Where));
        let told = told..self.state.diagnostics.entries.len();
        // The select list's faults are told before those of the conditions.
        let columns = self.merged_columns(select, called, &inner);
        let columns = self.untold(told, columns)?;
        let mut filter = Vec::new();
        if let Some(condition) = condition.transpose()? {
            build::conjuncts(condition, &mut filter);
        }
        inner.check_late_error()?;
        if !query.order_by.is_empty() {
            inner.aliases = columns
                .iter()
                .map(|c| {
                    let (name, expr) = (c.name.clone(), c.expr.clone());
                    super::scope::Alias { name, expr, column: Some(c.origin.clone()) }
                })
                .collect();
            for item in &query.order_by {
                let expr = match self.position_of(&item.expr)? {
                    Some(n) => nth(&columns, n)?,
                    None => self.scalar(&item.expr, &inner, Clause::OrderBy)?,
                };
                scope.view_order.push(crate::plan::SortKey::new(expr, item.desc));
            }
        }
        let ruled = match check {
            ViewCheck::None => Vec::new(),
            ViewCheck::Local => filter.iter().chain(&inner.joined_by).cloned().collect(),
            ViewCheck::Cascaded => filter.iter().chain(&own).cloned().collect(),
        };
        // Views that are only read want nothing of what is written.
        let written = written && !ruled.is_empty();
        if let Some((database, view)) = called.view.filter(|_| written) {
            let (database, view) = (database.to_owned(), view.to_owned());
            self.view_rules.push(ViewRule { database, view, conditions: ruled, blank: Vec::new(), first: 0 });
        }
        own.append(&mut filter);
        conditions.append(&mut own);
        self.leave_block();
        scope.width.set(inner.width.get());
        scope.take_used(&inner);
        let visible = columns.iter().map(Visible::of).collect();
        let join = join.ok_or_else(SqlError::no_tables_used)?;
        let slots = first..scope.width.get();
        let (alias, database) = (called.alias.to_owned(), called.database.clone());
        scope.add_named(ScopeTable { alias, database, columns, slots })?;
        Ok((join, visible))
    }

    /// The columns of a merged query: what the block around does not read is not read for them.
    fn merged_columns(
        &mut self,
        select: &Select,
        called: &Called<'_>,
        inner: &Scope<'_>,
    ) -> Result<Vec<ScopeColumn>, SqlError> {
        let before = inner.used.borrow().clone();
        let items = self.items(select, inner)?;
        // A subquery's reads of the block are not seen in its expression.
        if !items.iter().any(|item| item.expr.has_subquery()) {
            *inner.used.borrow_mut() = before;
        }
        if !called.columns.is_empty() && called.columns.len() != items.len() {
            return Err(SqlError::view_wrong_list());
        }
        let mut columns: Vec<ScopeColumn> = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            let name = called.columns.get(at).cloned().unwrap_or(item.name);
            if columns.iter().any(|c| types::table::same_name(&c.name, &name)) {
                return Err(SqlError::dup_fieldname(name));
            }
            let base = item.origin.as_deref();
            let origin = Origin {
                schema: base.map(|o| o.schema.clone()).unwrap_or_default(),
                table: called.alias.to_owned(),
                org_table: called.view.map_or(called.alias, |(_, view)| view).to_owned(),
                org_name: name.clone(),
                flags: base.map_or(0, |o| o.flags),
                merged: true,
                of_query: called.view.is_none() || item.column.as_ref().is_some_and(|o| o.of_query),
                firm: base.is_some_and(|o| o.firm),
                outer: base.is_some_and(|o| o.outer),
                loosened: false,
                in_totals: base.is_some_and(|o| o.in_totals),
                computed: base.is_none_or(|o| o.computed),
                given: item.given,
                default: base.is_some_and(|o| o.default),
                never_null: base.is_some_and(|o| o.never_null),
                remade: base.is_some_and(|o| o.remade),
                base: base.and_then(Origin::to_base),
                width: base.map_or(0, |o| o.width),
                temporary: base.and_then(|o| o.temporary),
                guard: match base.filter(|_| self.mdl == engine::Mdl::Write) {
                    Some(base) => base.guard_as(&name, called.guard.as_ref()),
                    None => called.guard.clone(),
                },
            };
            let mut expr = item.expr;
            // To who computes with it the name has its length, whatever sign that has no place for.
            expr.ty.written &= !expr.is_const();
            // What is computed with a parameter may be NULL another time.
            expr.ty.nullable |= origin.given;
            // A number has no place for a sign once it is known by a name.
            let number = matches!(expr.kind, Kind::Const(types::Value::Int(_) | types::Value::UInt(_)));
            expr.ty.written &= !(number && expr.ty.class() == Class::Int);
            if let Named::Column(of) = &mut expr.ty.origin {
                *of = of.behind_view();
            }
            columns.push(ScopeColumn { name, expr, invisible: false, origin: Arc::new(origin) });
        }
        Ok(columns)
    }
}

/// The character sets of a session while it binds a view, whose text is in UTF-8 and whose literals are of the
/// collation that they had when it was made.
#[must_use]
pub(crate) struct Settings {
    client: CollationId,
    connection: CollationId,
}

impl Settings {
    /// Takes the view's.
    pub(crate) fn enter(state: &mut State, view: &ViewDef) -> Settings {
        let vars = &mut state.vars;
        Settings {
            client: std::mem::replace(&mut vars.character_set_client, CollationId::UTF8MB4_GENERAL_CI),
            connection: std::mem::replace(&mut vars.collation_connection, view.connection),
        }
    }

    /// Back to the session's own.
    pub(crate) fn leave(self, state: &mut State) {
        state.vars.character_set_client = self.client;
        state.vars.collation_connection = self.connection;
    }
}

/// The member of a merged query's select list that ORDER BY names by its position.
fn nth(columns: &[ScopeColumn], n: i32) -> Result<Expr, SqlError> {
    let position = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
    let column = position.and_then(|at| columns.get(at));
    column.map(|c| c.expr.clone()).ok_or_else(|| SqlError::bad_field(n, Clause::OrderBy.name()))
}

/// A view's query. Its text is of this server's making and read without regard to `sql_mode`.
pub(crate) fn parse_view(text: &str) -> Result<Box<ast::Query>, SqlError> {
    match parse(text.as_bytes(), 0, ParseOptions::default())?.statement {
        Statement::Query(query) => Ok(query),
        _ => Err(SqlError::internal_error("read a view's text")),
    }
}

/// Errors that a view does not tell of: they would show what it is made of.
fn hides_inside(error: &SqlError) -> bool {
    matches!(error.errno, 1054 | 1142 | 1143 | 1146 | 1100 | 1305 | 1356 | 1370)
}

/// Whether a query can be a part of the block around it.
pub(crate) fn is_mergeable(query: &ast::Query, select: &Select) -> bool {
    query.with.is_none() && is_mergeable_but_for_with(query, select)
}

/// As [`is_mergeable`] where common table expressions do not matter.
pub(crate) fn is_mergeable_but_for_with(query: &ast::Query, select: &Select) -> bool {
    let apart = |e: &ast::Expr| e.has(&wants_own_block);
    let listed = select.items.iter().any(|item| match item {
        SelectItem::Expr { expr, .. } => apart(expr),
        SelectItem::Star | SelectItem::TableStar(_) => false,
    });
    !listed
        && !query.order_by.iter().any(|item| apart(&item.expr) || item.expr.has_subquery())
        && !select.filter.as_ref().is_some_and(ast::Expr::has_row_number)
        && query.limit.is_none()
        && query.locking.is_none()
        && query.into.is_none()
        && !select.from.is_empty()
        && select.group_by.is_empty()
        && !select.rollup
        && select.having.is_none()
        && select.windows.is_empty()
        && !select.options.distinct
        && !select.options.calc_found_rows
}

/// Whether rows can be changed through a query, as far as its own form goes: common table expressions in it do not matter,
/// what is another number each time does.
pub(crate) fn is_changeable(query: &ast::Query) -> bool {
    struct Random(bool);
    impl Rewrite for Random {
        fn expr(&mut self, e: &mut ast::Expr) {
            self.0 |= matches!(&e.kind, ExprKind::Function(call) if call.name.eq_ignore_ascii_case("rand"));
            walk_expr(self, e);
        }
    }
    let mut query = query.clone();
    query.with = None;
    let mut random = Random(false);
    random.query(&mut query);
    !random.0 && matches!(&query.body, QueryBody::Select(select) if is_mergeable(&query, select))
}

/// Aggregates, window functions and row numbers are of their block, and assignments want its order.
fn wants_own_block(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Aggregate(_) | ExprKind::Window { .. } | ExprKind::AssignUserVar { .. } => true,
        ExprKind::Function(call) => call.is_row_number(),
        _ => false,
    }
}

/// Whether the select list names columns only: then they are NULL where an outer join finds no row.
fn only_columns(select: &Select) -> bool {
    let plain = select.items.iter().all(|item| match item {
        SelectItem::Expr { expr, .. } => matches!(expr.kind, ExprKind::Column(_)),
        SelectItem::Star | SelectItem::TableStar(_) => true,
    });
    plain && select.from.iter().all(has_base_tables_only)
}

fn has_base_tables_only(table: &ast::TableRef) -> bool {
    match table {
        ast::TableRef::Table(_) => true,
        ast::TableRef::Derived { .. } | ast::TableRef::JsonTable(_) => false,
        ast::TableRef::Join(join) => {
            let plain = matches!(join.condition, JoinCondition::On(_) | JoinCondition::None);
            plain && has_base_tables_only(&join.left) && has_base_tables_only(&join.right)
        }
    }
}
