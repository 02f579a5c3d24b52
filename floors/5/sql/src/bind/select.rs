//! Binding one SELECT block.

use super::grouping::{aggregates_here, put_aside_whole, settle_order, variables_of_groups};
use super::listed::Listed;
use super::query::BoundQuery;
use super::scope::{Alias, Allowed, Origin, ScopeTable};
use super::{Binder, Clause, Scope};
use crate::admin::Acts;
use crate::catalog::mysql::MYSQL;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::silently;
use crate::expr::{Expr, Kind, Named, Type, TypeKind, build};
use crate::output::flag;
use crate::plan::waiting::Waiting;
use crate::plan::{Body, Group, Join, OutputColumn, QueryPlan, SelectPlan, SortKey, Tail, order};
use crate::session::State;
use crate::session::mode::ONLY_FULL_GROUP_BY;
use crate::session::plain_name;
use crate::syntax::ast::{self, SelectItem};
use std::ops::Range;
use std::sync::Arc;
use types::table::same_name;

/// A select list's member, bound.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) expr: Expr,
    pub(super) origin: Option<Arc<Origin>>,
    /// The column that it names; none where it is computed.
    pub(super) column: Option<Arc<Origin>>,
    /// It is a parameter.
    pub(super) given: bool,
}

/// What a block reads, and what it makes of it.
struct Basis {
    join: Option<Join>,
    /// WHERE's, and those of joins that hold for whole rows.
    conditions: Vec<Expr>,
    items: Vec<Item>,
    /// What WHERE had the session told of.
    told: Range<usize>,
}

impl Binder<'_> {
    pub(super) fn select(
        &mut self,
        query: &ast::Query,
        select: &ast::Select,
        parent: Option<&Scope<'_>>,
        level: u32,
    ) -> Result<BoundQuery, SqlError> {
        let only_exists = std::mem::take(&mut self.for_existence);
        let for_existence = only_exists && counts_only(query, select);
        let unordered = std::mem::take(&mut self.unordered);
        let waits = std::mem::take(&mut self.waits);
        let mut scope = Scope::new(parent, level);
        scope.only_exists = only_exists;
        scope.in_order = select.options.straight_join;
        scope.numbers_rows = true;
        select.expressions(&mut |e| scope.shows_order |= e.has_row_number());
        let Basis { join, conditions, mut items, told } =
            self.basis(query, select, &mut scope, for_existence)?;
        scope.aliases = aliases_of(&items);
        let keys = self.group_keys(query, select, &scope, &items)?;
        self.warn_of_disputed(&scope);
        let rollup = self.see_groups(query, select, &keys, &mut items, &mut scope)?;
        let having = self.having(query, select, &keys, &items, &rollup, &scope);
        scope.allowed.set(Allowed::Windows);
        let ties = query.limit.as_ref().is_some_and(|limit| limit.with_ties);
        let unordered = unordered && query.limit.is_none();
        // The faults of ORDER BY are told before those of HAVING.
        let having = match having {
            Err(fault) => {
                return Err(self.order_keys(query, &scope, &items, unordered).err().unwrap_or(fault));
            }
            Ok(having) => having,
        };
        let mut order_by = self.order_keys(query, &scope, &items, unordered)?;
        if unordered || for_existence && !ties {
            order_by.clear();
        }
        let limits = self.limit(query.limit.as_ref(), &scope)?;
        let listed: Vec<&Expr> = items.iter().map(|i| &i.expr).collect();
        let windows = self.windows(select, &scope, &listed, &order_by);
        let mut windows = self.untold(told, windows)?;
        windows.iter_mut().for_each(|windows| rollup.apply_to_windows(windows));
        self.warn_of_disputed(&scope);
        let (mut aggregates, groups_aside) = self.aggregates(select, &keys, &items, &order_by, &scope)?;
        let grouped = !keys.is_empty() || !aggregates.is_empty();
        let lone = grouped && keys.is_empty();
        // A merged view's own order, where nothing else orders and nothing else is there to be ordered.
        if order_by.is_empty() && !grouped && !select.options.distinct && scope.tables.len() == 1 {
            order_by = std::mem::take(&mut scope.view_order);
        }
        if lone {
            // One row is in any order; not even a subquery of too many rows is looked at.
            order_by.clear();
        }
        // Columns of groups, and those that groups must name, are as they were behind windows, too.
        let windowed = windows.is_some() && !self.finds_nothing(&conditions)?;
        let put_aside = windows.is_some() && keys.is_empty() && scope.full_group.is_none();
        let loose = lone && aggregates_here(select, query) || put_aside;
        let joined = |e: &Expr| matches!(e.kind, Kind::Column(slot) if scope.joined.contains(&slot.index));
        if select.options.distinct && !scope.tables.is_empty() {
            items.iter_mut().for_each(|item| build::fix_digits(&mut item.expr));
        }
        // What a subquery gives of the row around it may be NULL where that is the one row of all.
        let own = |e: &Expr| !matches!(e.kind, Kind::Column(slot) if slot.level < level);
        let told = |item: &Item| output_column(item, loose || !own(&item.expr), windowed, joined(&item.expr));
        let mut columns: Vec<OutputColumn> = items.iter().map(told).collect();
        // Aggregates that subqueries have brought here are known by now where the statement was prepared.
        let brought = lone && self.state.runs_prepared && !aggregates_here(select, query);
        if brought && scope.full_group.is_none() {
            for (column, item) in columns.iter_mut().zip(&items) {
                column.ty.nullable |= column.origin.is_some() && !joined(&item.expr);
            }
        }
        let as_found = settle_order(select, &items, &keys, &aggregates, &mut order_by);
        let aside = put_aside_whole(select, &items, &keys, &order_by, windows.is_some());
        aggregates.iter_mut().for_each(|call| call.put_aside = aside);
        if aside {
            items.iter_mut().for_each(|item| read_joined_from_columns(&mut item.expr));
            order_by.iter_mut().for_each(|key| read_joined_from_columns(&mut key.expr));
        }
        // IN and its like do without groups that nothing is counted of, and so without their totals.
        let without = select.rollup && windows.is_none() && self.needs_no_groups(query, select, &scope);
        let grouped = grouped && !(without && rollup.take_back(&mut items));
        let group = grouped.then(|| Group {
            variables: variables_of_groups(&mut items, &aggregates, &scope),
            keys,
            aggregates,
            rollup: rollup.into_slots(),
            kept: Vec::new(),
            lasting: Vec::new(),
            in_order: false,
            in_order_alone: false,
            as_found,
            aside: groups_aside,
            reordered: false,
        });
        let mut plan = SelectPlan {
            level,
            width: scope.width.get() as usize,
            from: join,
            constant_filter: Vec::new(),
            implied: Vec::new(),
            first_of: None,
            read_beforehand: Vec::new(),
            filter: Vec::new(),
            row_number: None,
            group,
            having,
            windows,
            items: items.into_iter().map(|i| if for_existence { nothing_read() } else { i.expr }).collect(),
            keeps_digits: false,
            compares_dates: false,
            is_hushed: false,
            distinct: select.options.distinct,
            tail: Tail { order_by, calc_found_rows: select.options.calc_found_rows, ..limits },
            ends: None,
            presorted: false,
            lock: self.lock,
            rows: 0.0,
            cost: 0.0,
            early: None,
            waiting: None,
        };
        let conditions = match waits {
            true => Waiting::put(&mut plan, conditions, &scope),
            false => Err(conditions),
        };
        if let Err(conditions) = conditions {
            order::optimize(&mut plan, conditions, (&scope, &[]), self)?;
        }
        settle_digits(&mut plan, &mut columns);
        let reaches = scope.reaches.get();
        Ok((QueryPlan { body: Body::Select(Box::new(plan)), columns }, reaches))
    }

    /// Whether one of the conditions is known not to hold, whatever the rows: then no temporary table is made for windows.
    fn finds_nothing(&mut self, conditions: &[Expr]) -> Result<bool, SqlError> {
        if self.lift_params && conditions.iter().any(|e| !e.is_settled() && e.is_same_in_all_rows()) {
            return Err(SqlError::internal_error("keep a plan whose constants may rule out all rows"));
        }
        let fails = |e: &Expr, state: &mut State| {
            let truth = silently(state, |state| e.truth(&mut Cx::new(state, &[]))).0;
            truth.is_ok_and(|truth| truth != Some(true))
        };
        Ok(conditions.iter().any(|e| order::is_never_true(e) || e.is_settled() && fails(e, self.state)))
    }

    /// FROM, WHERE and the select list.
    fn basis(
        &mut self,
        query: &ast::Query,
        select: &ast::Select,
        scope: &mut Scope<'_>,
        for_existence: bool,
    ) -> Result<Basis, SqlError> {
        // The block is made by itself, wherever its rows go.
        let around = std::mem::take(&mut self.nullable_side);
        let from = self.from(&select.from, scope);
        self.nullable_side = around;
        let (join, mut conditions) = from?;
        let told = self.state.diagnostics.entries.len();
        let around = std::mem::take(&mut self.nullable_side);
        let filter = select.filter.as_ref().map(|filter| self.condition(filter, scope, Clause::Where));
        self.nullable_side = around;
        let told = told..self.state.diagnostics.entries.len();
        scope.allowed.set(Allowed::Windows);
        let used = for_existence.then(|| scope.used.borrow().clone());
        let whole = select.group_by.is_empty() && aggregates_here(select, query);
        if whole && !self.state.vars.has_mode(ONLY_FULL_GROUP_BY) {
            loosen(scope);
        }
        let items = self.items(select, scope);
        let mut items = self.untold(told.clone(), items)?;
        if self.state.runs_prepared && select.group_by.is_empty() && !whole {
            self.loosen_brought(select, &mut items, scope)?;
        }
        // The select list's faults are told before those of the conditions.
        if let Some(filter) = filter.transpose()? {
            build::conjuncts(filter, &mut conditions);
        }
        scope.check_late_error()?;
        if let Some(used) = used
            && scope.aggregates.borrow().is_empty()
            && scope.windows.borrow().is_empty()
            && select.group_by.is_empty()
            && self.trace.is_none()
        {
            *scope.used.borrow_mut() = used;
            items.iter_mut().for_each(|item| item.expr = nothing_read());
        }
        Ok(Basis { join, conditions, items, told })
    }

    /// Aggregates that subqueries have brought here are known by now where the statement was prepared: what is computed of
    /// columns may be NULL, as behind aggregates of its own.
    fn loosen_brought(
        &mut self,
        select: &ast::Select,
        items: &mut [Item],
        scope: &mut Scope<'_>,
    ) -> Result<(), SqlError> {
        if scope.aggregates.borrow().is_empty() || self.state.vars.has_mode(ONLY_FULL_GROUP_BY) {
            return Ok(());
        }
        let told = self.state.diagnostics.told();
        loosen(scope);
        scope.aggregates.borrow_mut().clear();
        scope.windows.borrow_mut().clear();
        let again = self.items(select, scope)?;
        self.state.diagnostics.forget_since(told);
        for (item, again) in items.iter_mut().zip(again) {
            let plain = matches!(item.expr.kind, Kind::Column(_));
            let nullable = if plain { item.expr.ty.nullable } else { again.expr.ty.nullable };
            item.expr = again.expr;
            item.expr.ty.nullable = nullable;
        }
        Ok(())
    }

    /// A fault of the select list is told alone: the conditions are not looked at behind it.
    pub(super) fn untold<T>(&mut self, told: Range<usize>, done: Result<T, SqlError>) -> Result<T, SqlError> {
        if done.is_err() {
            let diagnostics = &mut self.state.diagnostics;
            diagnostics.raised -= told.len() as u64;
            diagnostics.entries.drain(told);
        }
        done
    }

    /// The name of a column: what is nothing but a text has that text in the connection's character set.
    fn item_name(&self, e: &ast::Expr, name: &str, given: bool) -> String {
        let charset = self.state.vars.collation_connection.charset();
        match &e.kind {
            ast::ExprKind::Literal(ast::Literal::Str(text)) if !given && text.charset.is_none() => {
                charset.to_utf8_lossy(&types::Charset::Utf8mb4.convert_cow(name.as_bytes(), charset))
            }
            // However it is written.
            ast::ExprKind::Param(_) if !given => "?".to_owned(),
            _ => name.to_owned(),
        }
    }

    pub(super) fn items(&mut self, select: &ast::Select, scope: &Scope<'_>) -> Result<Vec<Item>, SqlError> {
        let mut items = Vec::with_capacity(select.items.len());
        let ahead = select.items.iter().any(|item| !is_column(item));
        let names = select.items.iter().filter_map(|item| match item {
            SelectItem::Expr { name, expr, .. } => {
                let column = match &expr.kind {
                    ast::ExprKind::Column(column) if ahead => Some(column.clone()),
                    _ => None,
                };
                Some(Listed { name: name.clone(), column, bound: None })
            }
            _ => None,
        });
        *scope.named.borrow_mut() = names.collect();
        let mut named = 0;
        for (at, item) in select.items.iter().enumerate() {
            let before = items.len();
            // A view may show columns that can be changed only, but computes nothing of them.
            let shows = self.makes_view() && is_column(item);
            let acts = if shows { Acts::ANY } else { scope.wants.get() };
            match item {
                SelectItem::Star => scope.wanting(acts, || star(scope, &mut items))?,
                SelectItem::TableStar(table) => {
                    scope.wanting(acts, || self.table_star(table, scope, &mut items))?;
                }
                SelectItem::Expr { expr, name, alias } => {
                    let named_here = match &expr.kind {
                        ast::ExprKind::Column(name) => named_by(name, scope),
                        _ => None,
                    };
                    let own = named_here.as_deref().and_then(own_name);
                    let own = own.filter(|_| alias.is_none() && !self.makes_view());
                    let name = &own.unwrap_or_else(|| self.item_name(expr, name, alias.is_some()));
                    let mut bound = scope.wanting(acts, || self.scalar(expr, scope, Clause::Select))?;
                    build::name_cast(&mut bound, || name.clone());
                    given_alone(expr, &mut bound, self.state);
                    let column = match (&bound.kind, &expr.kind) {
                        (Kind::Column(slot), _) => scope.origin_of(*slot),
                        (_, ast::ExprKind::Column(_)) => named_here,
                        (_, ast::ExprKind::DefaultOf(_)) => {
                            bound.ty.origin.column().map(|origin| Arc::new(origin.clone()))
                        }
                        _ => None,
                    };
                    // What a merged query computes comes from nowhere, unless `loosen` had to do with it.
                    let stored = |origin: &Arc<Origin>| {
                        matches!(bound.kind, Kind::Column(_)) || origin.loosened || origin.default
                    };
                    let origin = column.clone().filter(stored);
                    let given =
                        is_param(expr) || column.as_deref().is_some_and(|of| given_behind(of, &mut bound));
                    scope.named.borrow_mut()[named].bound = Some(bound.clone());
                    named += 1;
                    items.push(Item { name: name.clone(), expr: bound, origin, column, given });
                    continue;
                }
            }
            let found: Vec<Expr> = items[before..].iter().map(|item| item.expr.clone()).collect();
            self.trace_star(select.span, at, &found, scope);
        }
        Ok(items)
    }

    fn table_star(
        &mut self,
        table: &ast::TableName,
        scope: &Scope<'_>,
        items: &mut Vec<Item>,
    ) -> Result<(), SqlError> {
        let mut found = false;
        for t in scope.tables.iter().filter(|t| t.is_named(table.database.as_deref(), &table.name)) {
            found = true;
            scope.check_star(t.columns.iter().filter(|c| !c.invisible).map(|c| &c.origin))?;
            for column in t.columns.iter().filter(|c| !c.invisible) {
                scope.mark_used(&column.expr);
                items.push(Item::of_column(&column.name, &column.expr, &column.origin));
            }
        }
        match found {
            true => Ok(()),
            false => {
                let database = table.database.as_deref().or(self.state.database.as_deref());
                let shown = database.map_or(table.name.clone(), |db| format!("{db}.{}", table.name));
                Err(SqlError::bad_table(shown))
            }
        }
    }

    /// A member of GROUP BY or ORDER BY.
    pub(super) fn listed(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        if let ast::ExprKind::Column(column) = &e.kind
            && column.table.is_none()
            && let Some(found) = scope.resolve_listed(&column.column, clause)?
        {
            self.trace_column(e.span, &found, &column.column, scope);
            return Ok(found);
        }
        let mut listed = self.scalar(e, scope, clause)?;
        // What a subquery draws that reads no row is one value to all.
        if let Kind::Subquery(subquery) = &mut listed.kind
            && let Some(subquery) = Arc::get_mut(subquery)
        {
            subquery.drawn = false;
        }
        Ok(listed)
    }

    /// ORDER BY's members. Where it orders nothing (`unordered`), a parameter is no position by the time it has a value.
    pub(super) fn order_keys(
        &mut self,
        query: &ast::Query,
        scope: &Scope<'_>,
        items: &[Item],
        unordered: bool,
    ) -> Result<Vec<SortKey>, SqlError> {
        let mut keys = Vec::with_capacity(query.order_by.len());
        for item in &query.order_by {
            if unordered && matches!(item.expr.kind, ast::ExprKind::Param(_)) {
                continue;
            }
            let expr = match self.position_of(&item.expr)? {
                Some(n) => nth(items, n, Clause::OrderBy)?,
                None => {
                    let key = self.listed(&item.expr, scope, Clause::OrderBy)?;
                    self.as_in_list(key, items)
                }
            };
            keys.push(SortKey::new(expr, item.desc));
        }
        Ok(keys)
    }

    /// A key as the select list has it, be it with integers of another sign: those of parameters may have none.
    pub(super) fn as_in_list(&self, key: Expr, items: &[Item]) -> Expr {
        let alike = |item: &&Item| item.expr.is_nearly_written_as(&key);
        if self.params.is_empty() || items.iter().any(|item| item.expr.is_written_as(&key)) {
            return key;
        }
        items.iter().find(alike).map_or_else(|| key.clone(), |item| item.expr.clone())
    }
}

/// A parameter that a select list has alone is NULL only where its value is, and the first of several where all theirs are.
pub(super) fn given_alone(expr: &ast::Expr, bound: &mut Expr, state: &mut State) {
    fn known(e: &Expr) -> bool {
        match (&e.ty.origin, &e.kind) {
            (Named::Computed(written), _) => is_first(written),
            (_, Kind::Const(value)) => !value.is_null(),
            _ => is_first(e),
        }
    }
    fn is_first(e: &Expr) -> bool {
        matches!(&e.kind, Kind::Call(call) if call.is_first_of_several() && call.args.iter().any(known))
    }
    let written = match &bound.ty.origin {
        // Read of a derived table, an outer join may lack it.
        Named::Computed(_) if matches!(bound.kind, Kind::Column(_)) => return,
        // IF beside NULL has what it hands on by name.
        Named::Computed(written) if !matches!(bound.kind, Kind::Call(_)) => written,
        _ => &*bound,
    };
    // Text may be no address.
    let fixed = matches!(bound.ty.kind, TypeKind::Fixed(_));
    fn lacks(e: &Expr, ty: &Type, state: &mut State) -> bool {
        if let Kind::Call(call) = &e.kind
            && call.is_first_of_several()
            && e.ty.kind == ty.kind
        {
            return call.args.iter().all(|e| lacks(e, ty, state));
        }
        let given = matches!(&e.kind, Kind::Const(value) if !value.is_null());
        let computed = matches!(e.ty.origin, Named::Computed(_));
        let nullable = e.ty.nullable && (computed || !given);
        build::may_lack(ty, &Expr { kind: e.kind.clone(), ty: Type { nullable, ..e.ty.clone() } }, state)
    }
    let mut lacks = |e: &Expr| lacks(e, &bound.ty, state);
    bound.ty.nullable = match &written.kind {
        Kind::Const(value) if is_param(expr) => value.is_null(),
        Kind::Call(call) if fixed && is_first(written) => call.args.iter().all(&mut lacks),
        Kind::Call(call) if fixed && matches!(call.name, "greatest" | "least") => {
            call.args.iter().any(&mut lacks)
        }
        _ if is_first(written) && !fixed => false,
        _ => bound.ty.nullable,
    };
}

/// Whether a name that a select list has alone is a parameter's: it is as [`given_alone`] has it.
fn given_behind(origin: &Origin, bound: &mut Expr) -> bool {
    if let (Kind::Const(value), true) = (&bound.kind, origin.given && !origin.loosened) {
        bound.ty.nullable = value.is_null();
    }
    origin.given
}

/// Whether it is a parameter, or a query of nothing but one.
pub(super) fn is_param(e: &ast::Expr) -> bool {
    match &e.kind {
        ast::ExprKind::Param(_) => true,
        ast::ExprKind::Subquery(query) => super::subquery::only_item(query).is_some_and(is_param),
        _ => false,
    }
}

/// Has the select list read columns of tables as such that may be NULL: a row of all rows is there without any, too.
fn loosen(scope: &mut Scope<'_>) {
    let loosen = |expr: &mut Expr, origin: &mut Arc<Origin>| {
        if !expr.ty.nullable || origin.given {
            (expr.ty.nullable, expr.ty.written) = (true, false);
            *origin = Arc::new(Origin { loosened: true, ..(**origin).clone() });
        }
    };
    let columns = scope.tables.iter_mut().flat_map(|table| &mut table.columns);
    columns.for_each(|column| loosen(&mut column.expr, &mut column.origin));
    scope.visible.iter_mut().for_each(|column| loosen(&mut column.expr, &mut column.origin));
}

/// The column of this block that a name means, where a merged query computes it.
pub(super) fn named_by(name: &ast::ColumnRef, scope: &Scope<'_>) -> Option<Arc<Origin>> {
    let is_meant = |table: &&ScopeTable| {
        name.table.as_ref().is_none_or(|own| table.is_named(name.database.as_deref(), own))
    };
    let mut columns = scope.tables.iter().filter(is_meant).flat_map(|table| &table.columns);
    columns.find(|column| same_name(&column.name, &name.column)).map(|column| column.origin.clone())
}

/// The name that a column of a view, or of another query merged here, has there: a select list shows it so however it is
/// written. `mysql.user` is a view.
fn own_name(origin: &Origin) -> Option<String> {
    let in_view = origin.merged || (origin.schema == MYSQL && origin.org_table == "user");
    in_view.then(|| origin.org_name.clone())
}

impl Item {
    fn of_column(name: &str, expr: &Expr, origin: &Arc<Origin>) -> Self {
        let mut expr = expr.clone();
        let given = given_behind(origin, &mut expr);
        let (origin, column) = (Some(origin.clone()), Some(origin.clone()));
        Self { name: name.to_owned(), expr, origin, column, given }
    }
}

/// The description of a select list's member: a column may be NULL where `loose` says so, as in a block that has one row
/// whatever its tables have, but for what merged views name, and what JOIN brings in if no temporary table is made; windows
/// take it out of one without keys.
fn output_column(item: &Item, loose: bool, windowed: bool, joined: bool) -> OutputColumn {
    let name = plain_name(item.name.clone());
    let mut column = OutputColumn { name, ty: item.expr.ty.clone(), origin: item.origin.clone() };
    let Some(origin) = column.origin.as_mut() else { return column };
    if origin.loosened {
        let firm = origin.merged || joined && !windowed && !origin.computed;
        let shown = !firm || origin.computed && windowed && !item.expr.is_const();
        let never_null = origin.never_null || !shown;
        column.ty.nullable = loose || origin.merged;
        *origin = Arc::new(Origin { never_null, ..(**origin).clone() });
    }
    if windowed && !origin.computed {
        let flags = origin.flags & flag::NO_DEFAULT;
        *origin = Arc::new(Origin { flags, ..(**origin).clone() });
    }
    column
}

/// The texts of groups that are put aside are those of columns to what reckons with them.
fn read_joined_from_columns(e: &mut Expr) {
    if matches!(e.kind, Kind::Column(_)) {
        return;
    }
    e.replace(&mut |e| {
        let joined = matches!(e.kind, Kind::Column(_)) && e.ty.is_joined();
        let ty = Type { origin: Named::Nothing, ..e.ty.clone() };
        joined.then(|| Expr { kind: e.kind.clone(), ty })
    });
}

/// Has dates of as many digits as they need those of the column in which they are put aside.
fn settle_digits(plan: &mut SelectPlan, columns: &mut [OutputColumn]) {
    let aside = |group: &Group| group.aggregates.iter().any(|call| call.of_group || call.put_aside);
    let aside = plan.group.as_ref().is_some_and(aside);
    if !plan.distinct && plan.windows.is_none() && !aside {
        plan.items.iter_mut().for_each(build::as_selected);
        return;
    }
    for (item, column) in plan.items.iter_mut().zip(columns) {
        let computed = !matches!(item.kind, Kind::Column(_)) && !item.is_put_aside_nowhere();
        if computed && build::has_free_digits(&item.ty) {
            item.ty.decimals = build::MOST_DIGITS;
            column.ty.decimals = build::MOST_DIGITS;
        }
    }
}

pub(super) fn aliases_of(items: &[Item]) -> Vec<Alias> {
    let alias =
        |item: &Item| Alias { name: item.name.clone(), expr: item.expr.clone(), column: item.column.clone() };
    items.iter().map(alias).collect()
}

/// Whether a member of a select list is nothing but columns.
fn is_column(item: &SelectItem) -> bool {
    match item {
        SelectItem::Star | SelectItem::TableStar(_) => true,
        SelectItem::Expr { expr, .. } => matches!(expr.kind, ast::ExprKind::Column(_)),
    }
}

fn star(scope: &Scope<'_>, items: &mut Vec<Item>) -> Result<(), SqlError> {
    if scope.tables.is_empty() {
        return Err(SqlError::no_tables_used());
    }
    for v in scope.starred()? {
        scope.mark_used(&v.expr);
        items.push(Item::of_column(&v.name, &v.expr, &v.origin));
    }
    Ok(())
}

pub(super) fn nth(items: &[Item], n: i32, clause: Clause) -> Result<Expr, SqlError> {
    let position = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
    let item = position.and_then(|at| items.get(at));
    item.map(|i| i.expr.clone()).ok_or_else(|| SqlError::bad_field(n, clause.name()))
}

/// Whether nothing that is selected has a say in whether there are rows: then MariaDB does not look at it.
fn counts_only(query: &ast::Query, select: &ast::Select) -> bool {
    let skips = query.limit.as_ref().is_some_and(|limit| limit.offset.is_some());
    select.having.is_none() && !(select.options.distinct && skips)
}

/// A member of a select list that nobody looks at.
fn nothing_read() -> Expr {
    build::constant(types::Value::Int(1))
}
