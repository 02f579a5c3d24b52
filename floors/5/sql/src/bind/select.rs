//! Binding one SELECT block.

use super::query::BoundQuery;
use super::rollup::Rollup;
use super::scope::{Alias, Allowed, Origin};
use super::window::reads_window;
use super::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, build};
use crate::output::flag;
use crate::plan::{AggregateCall, Body, Group, OutputColumn, QueryPlan, SelectPlan, SortKey, Tail, order};
use crate::session::state::plain_name;
use crate::syntax::ast::{self, SelectItem};
use std::sync::Arc;

/// A select list's member, bound.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) expr: Expr,
    pub(super) origin: Option<Arc<Origin>>,
}

impl Binder<'_> {
    pub(super) fn select(
        &mut self,
        query: &ast::Query,
        select: &ast::Select,
        parent: Option<&Scope<'_>>,
        level: u32,
    ) -> Result<BoundQuery, SqlError> {
        let for_existence = std::mem::take(&mut self.for_existence);
        let unordered = std::mem::take(&mut self.unordered);
        let mut scope = Scope::new(parent, level);
        scope.in_order = select.options.straight_join;
        scope.numbers_rows = true;
        select.expressions(&mut |e| scope.shows_order |= e.has_row_number());
        let (join, mut conditions) = self.from(&select.from, &mut scope)?;
        let filter = select.filter.as_ref().map(|filter| self.condition(filter, &scope, Clause::Where));
        scope.allowed.set(Allowed::Windows);
        let used = for_existence.then(|| scope.used.borrow().clone());
        let mut items = self.items(select, &scope)?;
        // The select list's faults are told before those of the conditions.
        if let Some(filter) = filter.transpose()? {
            build::conjuncts(filter, &mut conditions);
        }
        scope.check_late_error()?;
        if let Some(used) = used
            && scope.aggregates.borrow().is_empty()
            && plain_existence(select, &items)
        {
            // Whether there are rows does not depend on what is selected of them.
            *scope.used.borrow_mut() = used;
            items.iter_mut().for_each(|item| item.expr = build::constant(types::Value::Int(1)));
        }
        scope.aliases = aliases_of(&items);
        scope.allowed.set(Allowed::Nothing);
        let keys = match self.group_keys(select, &scope, &items) {
            Ok(keys) => keys,
            Err(error) => {
                // Those of ORDER BY are told before those of GROUP BY.
                self.order_names(query, &scope, &items)?;
                return Err(error);
            }
        };
        let members = items.iter().map(|item| &item.expr).chain(keys.iter().map(|key| &key.expr));
        scope.listed = members.cloned().collect();
        let grouped = !keys.is_empty() || !scope.aggregates.borrow().is_empty();
        if self.state.vars.has_mode(crate::session::mode::ONLY_FULL_GROUP_BY) {
            scope.full_group = Some(keys.iter().map(|key| key.expr.clone()).collect());
        }
        scope.groups = group_names(&keys, &items, &scope);
        let rollup = Rollup::new(if select.rollup { &keys } else { &[] }, &scope);
        if select.rollup {
            if !query.order_by.is_empty() {
                return Err(SqlError::wrong_usage("CUBE/ROLLUP", "ORDER BY"));
            }
            scope.groups.iter_mut().for_each(|group| rollup.apply(&mut group.expr));
            items.iter_mut().for_each(|item| rollup.apply(&mut item.expr));
            scope.aliases = aliases_of(&items);
        }
        scope.allowed.set(Allowed::Aggregates);
        scope.in_grouped_having.set(grouped);
        let having = select.having.as_ref().map(|h| self.scalar(h, &scope, Clause::Having)).transpose();
        if having.is_err() && !select.rollup {
            self.order_names(query, &scope, &items)?;
        }
        let mut having = having?;
        scope.in_grouped_having.set(false);
        having.iter_mut().for_each(|e| rollup.apply(e));
        let before_windows = keys.iter().map(|k| &k.expr).chain(&having);
        if before_windows.into_iter().any(|e| reads_window(e, level, &scope.windows.borrow())) {
            return Err(SqlError::wrong_placement_of_window_function());
        }
        scope.allowed.set(Allowed::Windows);
        let mut order_by = self.order_keys(query, &scope, &items)?;
        if unordered && query.limit.is_none() {
            order_by.clear();
        }
        let limits = self.limit(query.limit.as_ref(), &scope)?;
        let listed: Vec<&Expr> = items.iter().map(|i| &i.expr).collect();
        let mut windows = self.windows(select, &scope, &listed)?;
        windows.iter_mut().for_each(|windows| rollup.apply_to_windows(windows));
        for (name, clause) in scope.disputed.take() {
            let warning = SqlError::ambiguous_column(name, clause.name());
            self.state.warn(crate::session::Level::Warning, warning.errno, warning.message);
        }

        let mut aggregates = scope.aggregates.take();
        let grouped = !keys.is_empty() || !aggregates.is_empty();
        if grouped {
            // The order of the one row of all is no matter, but MariaDB minds what it names.
            let ordered = order_by.iter().filter(|_| keys.is_empty()).map(|key| &key.expr);
            self.check_grouping(&keys, items.iter().map(|item| &item.expr).chain(ordered), &scope)?;
        }
        // A merged view's own order, where nothing else orders and nothing else is there to be ordered.
        if order_by.is_empty() && !grouped && !select.options.distinct && scope.tables.len() == 1 {
            order_by = std::mem::take(&mut scope.view_order);
        }
        let lone = grouped && keys.is_empty();
        if lone {
            // One row is in any order; not even a subquery of too many rows is looked at.
            order_by.clear();
        }
        let of_group = keys.iter().any(|key| !key.expr.is_same_in_all_rows());
        aggregates.iter_mut().for_each(|call| call.of_group = of_group);
        // Columns that groups must name are as they were behind windows, too.
        let loose = lone && aggregates_here(select, query) || windows.is_some() && scope.full_group.is_none();
        let columns = items.iter().map(|item| output_column(item, loose, windows.is_some())).collect();
        // ORDER BY NULL and the like: not even the order of the groups' keys is wanted.
        let constant = |key: &SortKey| matches!(key.expr.kind, Kind::Const(_) | Kind::Param(_));
        let mut as_found = !select.rollup && !order_by.is_empty() && order_by.iter().all(constant);
        let ordered = !order_by.is_empty();
        // Nothing is in any order by what is the same in all rows; it is not even evaluated.
        if !select.options.distinct {
            order_by.retain(|key| !key.expr.is_same_in_all_rows());
        }
        // Of groups that DISTINCT takes for one the first found stays; they are sorted by their keys afterwards. MariaDB
        // sorts before only what it has to for its aggregates.
        let sorts_rows = |call: &AggregateCall| call.distinct || call.lists();
        if select.options.distinct && !select.rollup && !aggregates.iter().any(sorts_rows) && !keys.is_empty()
        {
            as_found = true;
            if !ordered {
                order_by.clone_from(&keys);
            }
        }
        let variables =
            if grouped { variables_of_groups(&mut items, &aggregates, &scope) } else { Vec::new() };
        let group = grouped.then_some(Group {
            keys,
            aggregates,
            rollup: rollup.into_slots(),
            kept: Vec::new(),
            as_found,
            variables,
        });
        let mut plan = SelectPlan {
            level,
            width: scope.width.get() as usize,
            from: join,
            constant_filter: Vec::new(),
            filter: Vec::new(),
            row_number: None,
            group,
            having,
            windows,
            items: items.into_iter().map(|i| i.expr).collect(),
            distinct: select.options.distinct,
            tail: Tail { order_by, calc_found_rows: select.options.calc_found_rows, ..limits },
            ends: None,
            presorted: false,
            lock: self.lock,
            rows: 0.0,
            cost: 0.0,
        };
        order::optimize(&mut plan, conditions, &scope, self)?;
        let reaches = scope.reaches.get();
        Ok((QueryPlan { body: Body::Select(Box::new(plan)), columns }, reaches))
    }

    pub(super) fn items(&mut self, select: &ast::Select, scope: &Scope<'_>) -> Result<Vec<Item>, SqlError> {
        let mut items = Vec::with_capacity(select.items.len());
        let names = select.items.iter().filter_map(|item| match item {
            SelectItem::Expr { name, .. } => Some((name.clone(), None)),
            _ => None,
        });
        *scope.named.borrow_mut() = names.collect();
        let mut named = 0;
        for (at, item) in select.items.iter().enumerate() {
            let before = items.len();
            match item {
                SelectItem::Star => star(scope, &mut items)?,
                SelectItem::TableStar(table) => self.table_star(table, scope, &mut items)?,
                SelectItem::Expr { expr, name, .. } => {
                    let mut bound = self.scalar(expr, scope, Clause::Select)?;
                    build::name_cast(&mut bound, || name.clone());
                    let origin = match bound.kind {
                        Kind::Column(slot) => scope.origin_of(slot),
                        _ => None,
                    };
                    scope.named.borrow_mut()[named].1 = Some(bound.clone());
                    named += 1;
                    items.push(Item { name: name.clone(), expr: bound, origin });
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
            for column in t.columns.iter().filter(|c| !c.invisible) {
                scope.mark_used(&column.expr);
                let (name, origin) = (column.name.clone(), Some(column.origin.clone()));
                items.push(Item { name, expr: column.expr.clone(), origin });
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

    fn group_keys(
        &mut self,
        select: &ast::Select,
        scope: &Scope<'_>,
        items: &[Item],
    ) -> Result<Vec<SortKey>, SqlError> {
        let mut keys = Vec::with_capacity(select.group_by.len());
        for item in &select.group_by {
            let position = self.position_of(&item.expr)?;
            let expr = match position {
                Some(n) => nth(items, n, Clause::GroupBy)?,
                None => self.listed(&item.expr, scope, Clause::GroupBy)?,
            };
            if scope.reads_aggregate(&expr) {
                let at = position.and_then(|n| usize::try_from(n - 1).ok());
                let named = |listed: &&Item| match &item.expr.kind {
                    ast::ExprKind::Column(column) => types::table::same_name(&listed.name, &column.column),
                    _ => listed.expr.same(&expr),
                };
                let listed = at.and_then(|at| items.get(at)).or_else(|| items.iter().find(named));
                return Err(match listed {
                    Some(item) => SqlError::wrong_group_field(&item.name),
                    None => SqlError::invalid_group_func_use(),
                });
            }
            keys.push(SortKey { expr, desc: item.desc });
        }
        Ok(keys)
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
        self.scalar(e, scope, clause)
    }

    /// Error 1054 for a name that ORDER BY does not find.
    fn order_names(&mut self, query: &ast::Query, scope: &Scope<'_>, items: &[Item]) -> Result<(), SqlError> {
        scope.allowed.set(Allowed::Windows);
        match self.order_keys(query, scope, items) {
            Err(error) if error.errno == 1054 => Err(error),
            _ => Ok(()),
        }
    }

    fn order_keys(
        &mut self,
        query: &ast::Query,
        scope: &Scope<'_>,
        items: &[Item],
    ) -> Result<Vec<SortKey>, SqlError> {
        let mut keys = Vec::with_capacity(query.order_by.len());
        for item in &query.order_by {
            let expr = match self.position_of(&item.expr)? {
                Some(n) => nth(items, n, Clause::OrderBy)?,
                None => self.listed(&item.expr, scope, Clause::OrderBy)?,
            };
            keys.push(SortKey { expr, desc: item.desc });
        }
        Ok(keys)
    }

    /// ONLY_FULL_GROUP_BY: every column outside aggregates must be a grouping expression.
    fn check_grouping<'e>(
        &self,
        keys: &[SortKey],
        mut checked: impl Iterator<Item = &'e Expr>,
        scope: &Scope<'_>,
    ) -> Result<(), SqlError> {
        if !self.state.vars.has_mode(crate::session::mode::ONLY_FULL_GROUP_BY) {
            return Ok(());
        }
        let first_aggregate = scope.tables.iter().map(|t| t.slots.end).max().unwrap_or(0);
        checked.try_for_each(|e| {
            let mut loose = None;
            let mut look = |e: &Expr| {
                if let Kind::Column(slot) = e.kind
                    && slot.level == scope.level
                    && slot.index < first_aggregate
                {
                    loose = loose.or(Some(slot));
                }
            };
            let is_key = |e: &Expr| keys.iter().any(|k| k.expr.same(e));
            let mut subqueries = Vec::new();
            e.visit_until(&mut |e| {
                if is_key(e) {
                    return false;
                }
                look(e);
                if let Kind::Subquery(subquery) = &e.kind {
                    subqueries.push(subquery.clone());
                }
                true
            });
            // In there only columns are known as members of GROUP BY.
            for subquery in subqueries {
                subquery.plan.visit_all(&mut |e| {
                    if !is_key(e) {
                        look(e);
                    }
                });
            }
            if let Some(slot) = loose {
                let origin = scope.origin_of(slot).unwrap_or_default();
                if keys.is_empty() {
                    return Err(SqlError::mix_of_group_func_and_fields());
                }
                let database =
                    if origin.schema.is_empty() { String::new() } else { format!("{}.", origin.schema) };
                return Err(SqlError::not_in_group_by(format!(
                    "{database}{}.{}",
                    origin.table, origin.org_name
                )));
            }
            Ok(())
        })
    }
}

/// Whether an aggregate of the block stands in it, not in a subquery of it alone.
fn aggregates_here(select: &ast::Select, query: &ast::Query) -> bool {
    let listed = select.items.iter().any(|item| match item {
        ast::SelectItem::Expr { expr, .. } => expr.has_group_function(),
        _ => false,
    });
    let having = select.having.as_ref().is_some_and(ast::Expr::has_group_function);
    listed || having || query.order_by.iter().any(|item| item.expr.has_group_function())
}

/// The description of a select list's member: a column may be NULL where `loose` says so, as in a block that has one row
/// whatever its tables have; windows take it out of a temporary table without keys.
fn output_column(item: &Item, loose: bool, windowed: bool) -> OutputColumn {
    let name = plain_name(item.name.clone());
    let mut column = OutputColumn { name, ty: item.expr.ty.clone(), origin: item.origin.clone() };
    if let Some(origin) = column.origin.as_mut().filter(|origin| !origin.computed) {
        column.ty.nullable |= loose;
        if windowed {
            let flags = origin.flags & flag::NO_DEFAULT;
            *origin = Arc::new(Origin { flags, ..(**origin).clone() });
        }
    }
    column
}

fn aliases_of(items: &[Item]) -> Vec<Alias> {
    items.iter().map(|item| Alias { name: item.name.clone(), expr: item.expr.clone() }).collect()
}

/// The names that HAVING finds GROUP BY's columns under: that of the select list, else the column's own.
fn group_names(keys: &[SortKey], items: &[Item], scope: &Scope<'_>) -> Vec<Alias> {
    let named = keys.iter().filter_map(|key| {
        let Kind::Column(slot) = key.expr.kind else { return None };
        let item = items.iter().find(|item| item.expr.same(&key.expr));
        let name = match item {
            Some(item) => item.name.clone(),
            None => scope.origin_of(slot)?.org_name.clone(),
        };
        Some(Alias { name, expr: key.expr.clone() })
    });
    named.collect()
}

fn star(scope: &Scope<'_>, items: &mut Vec<Item>) -> Result<(), SqlError> {
    if scope.tables.is_empty() {
        return Err(SqlError::no_tables_used());
    }
    for v in scope.visible.iter().filter(|v| !v.invisible) {
        scope.mark_used(&v.expr);
        items.push(Item { name: v.name.clone(), expr: v.expr.clone(), origin: Some(v.origin.clone()) });
    }
    Ok(())
}

fn nth(items: &[Item], n: i128, clause: Clause) -> Result<Expr, SqlError> {
    let position = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
    let item = position.and_then(|at| items.get(at));
    item.map(|i| i.expr.clone()).ok_or_else(|| SqlError::bad_field(n, clause.name()))
}

/// Where a grouped select list sets user variables, what it computes of them without aggregates belongs to the first row
/// of a group (and is assigned once more as the group is given out), and so do the variables that it reads beside
/// aggregates. Constants are assigned as the group is given out. Puts columns in their places and gives these.
fn variables_of_groups(
    items: &mut [Item],
    aggregates: &[AggregateCall],
    scope: &Scope<'_>,
) -> Vec<(u32, Expr)> {
    let mut variables: Vec<(u32, Expr)> = Vec::new();
    if !items.iter().any(|item| item.expr.sets_variable()) {
        return variables;
    }
    let mut column_of = |e: &Expr| {
        let index = scope.reserve(1);
        variables.push((index, e.clone()));
        Expr { kind: Kind::Column(crate::expr::Slot { level: scope.level, index }), ty: e.ty.clone() }
    };
    for item in items {
        let (mut aggregated, mut variable) = (false, false);
        item.expr.visit(&mut |e| match &e.kind {
            Kind::Column(slot) if slot.level == scope.level => {
                aggregated |= aggregates.iter().any(|call| call.slot == slot.index);
            }
            Kind::UserVar(_) | Kind::AssignUserVar(..) => variable = true,
            _ => {}
        });
        if aggregated {
            item.expr.replace(&mut |e| matches!(e.kind, Kind::UserVar(_)).then(|| column_of(e)));
        } else if let Kind::AssignUserVar(_, value) = &item.expr.kind {
            if !value.is_const() {
                let found = column_of(&item.expr);
                if let Kind::AssignUserVar(_, value) = &mut item.expr.kind {
                    **value = found;
                }
            }
        } else if variable && !item.expr.sets_variable() {
            item.expr = column_of(&item.expr);
        }
    }
    variables
}

/// Whether a SELECT has a row for each row of its tables that WHERE keeps, and its select list does nothing else.
fn plain_existence(select: &ast::Select, items: &[Item]) -> bool {
    let fixed = |e: &Expr| {
        let mut fixed = true;
        e.visit(&mut |e| match &e.kind {
            Kind::Column(_) | Kind::Const(_) => {}
            _ => fixed = false,
        });
        fixed
    };
    select.group_by.is_empty() && select.having.is_none() && items.iter().all(|item| fixed(&item.expr))
}
