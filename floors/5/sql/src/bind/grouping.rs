//! A block's groups: the keys of GROUP BY, what names them behind grouping, HAVING, and the aggregates.

use super::rollup::Rollup;
use super::scope::{Alias, Allowed, Origin};
use super::select::{Item, aliases_of, nth};
use super::window::reads_window;
use super::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot};
use crate::plan::{AggregateCall, SortKey};
use crate::session::mode::ONLY_FULL_GROUP_BY;
use crate::syntax::ast::{self, AggregateKind};
use std::sync::Arc;
use types::table::same_name;

impl Binder<'_> {
    /// GROUP BY's keys.
    pub(super) fn group_keys(
        &mut self,
        query: &ast::Query,
        select: &ast::Select,
        scope: &Scope<'_>,
        items: &[Item],
    ) -> Result<Vec<SortKey>, SqlError> {
        scope.allowed.set(Allowed::Nothing);
        let keys = self.bound_group_keys(query, select, scope, items);
        if keys.is_err() {
            // The faults of ORDER BY's names are told before those of GROUP BY.
            self.order_names(query, scope, items)?;
        }
        keys
    }

    /// GROUP BY's members.
    fn bound_group_keys(
        &mut self,
        query: &ast::Query,
        select: &ast::Select,
        scope: &Scope<'_>,
        items: &[Item],
    ) -> Result<Vec<SortKey>, SqlError> {
        let mut keys = Vec::with_capacity(select.group_by.len());
        let mut late = None;
        for item in &select.group_by {
            let position = self.position_of(&item.expr)?;
            // A parameter is no place yet when the statement is prepared, and all others are.
            let given = matches!(item.expr.kind, ast::ExprKind::Param(_));
            let expr = match position.map(|n| nth(items, n, Clause::GroupBy)) {
                Some(Ok(expr)) => expr,
                Some(Err(error)) if given => {
                    late.get_or_insert(error);
                    continue;
                }
                Some(Err(error)) => return Err(error),
                None => {
                    let key = self.listed(&item.expr, scope, Clause::GroupBy)?;
                    self.as_in_list(key, items)
                }
            };
            if scope.reads_aggregate(&expr) {
                let at = position.and_then(|n| usize::try_from(n - 1).ok());
                let named = |listed: &&Item| match &item.expr.kind {
                    ast::ExprKind::Column(column) => same_name(&listed.name, &column.column),
                    _ => listed.expr.same(&expr),
                };
                let listed = at.and_then(|at| items.get(at)).or_else(|| items.iter().find(named));
                let error = match listed {
                    Some(item) => SqlError::wrong_group_field(&item.name),
                    None => SqlError::invalid_group_func_use(),
                };
                if given {
                    late.get_or_insert(error);
                    continue;
                }
                return Err(error);
            }
            keys.push(SortKey::new(expr, item.desc));
        }
        late.filter(|_| !self.needs_no_groups(query, select, scope)).map_or(Ok(keys), Err)
    }

    /// Whether groups are nothing to what a block is asked for: they are left out before parameters have values.
    pub(super) fn needs_no_groups(
        &self,
        query: &ast::Query,
        select: &ast::Select,
        scope: &Scope<'_>,
    ) -> bool {
        let membership = self.membership == Some(scope.level);
        membership && select.having.is_none() && !aggregates_here(select, query)
    }

    /// Makes the block's names those of its groups, for what is evaluated behind grouping.
    pub(super) fn see_groups(
        &mut self,
        query: &ast::Query,
        select: &ast::Select,
        keys: &[SortKey],
        items: &mut [Item],
        scope: &mut Scope<'_>,
    ) -> Result<Rollup, SqlError> {
        let members = items.iter().map(|item| &item.expr).chain(keys.iter().map(|key| &key.expr));
        scope.listed = members.cloned().collect();
        if self.state.vars.has_mode(ONLY_FULL_GROUP_BY) {
            scope.full_group = Some(keys.iter().map(|key| key.expr.clone()).collect());
        }
        scope.groups = self.group_names(select, keys, items, scope)?;
        let rollup = Rollup::new(if select.rollup { keys } else { &[] }, &select.group_by, scope);
        if select.rollup {
            if !query.order_by.is_empty() {
                return Err(SqlError::wrong_usage("CUBE/ROLLUP", "ORDER BY"));
            }
            scope.groups.iter_mut().for_each(|group| rollup.apply(&mut group.expr));
            let firm: Vec<bool> = items.iter().map(|item| !item.expr.ty.nullable).collect();
            rollup.apply_to_named(&self.items_of_keys(select, keys, items)?, items);
            items.iter_mut().for_each(|item| rollup.apply_to_item(item));
            for (item, _) in items.iter_mut().zip(firm).filter(|(item, firm)| *firm && item.expr.ty.nullable)
            {
                let totals =
                    |origin: &Arc<Origin>| Arc::new(Origin { in_totals: true, ..(**origin).clone() });
                item.origin = item.origin.as_ref().map(totals);
            }
            scope.aliases = aliases_of(items);
        }
        Ok(rollup)
    }

    /// Warns of the names so far that mean one thing in the select list and another one in the clause that has them.
    pub(super) fn warn_of_disputed(&mut self, scope: &Scope<'_>) {
        for (name, clause) in scope.disputed.take() {
            let warning = SqlError::ambiguous_column(name, clause.name());
            self.state.warn(crate::session::Level::Warning, warning.errno, warning.message);
        }
    }

    /// The names that HAVING finds GROUP BY's columns under: the column's own, and that of the select list's member that GROUP
    /// BY names, else of the first that is the column.
    fn group_names(
        &self,
        select: &ast::Select,
        keys: &[SortKey],
        items: &[Item],
        scope: &Scope<'_>,
    ) -> Result<Vec<Alias>, SqlError> {
        let mut names = Vec::new();
        let named = self.items_of_keys(select, keys, items)?;
        for ((key, named), member) in keys.iter().zip(named).zip(&select.group_by) {
            let Kind::Column(slot) = key.expr.kind else { continue };
            let Some((_, column)) = scope.column_at(slot) else { continue };
            let is_disputed = items.iter().any(|item| is_name(&member.expr, &item.name));
            let first = items.iter().find(|item| item.expr.same(&key.expr)).filter(|_| !is_disputed);
            let item = named.map(|at| &items[at]).or(first);
            let listed = item.map(|item| &item.name).filter(|name| !same_name(name, &column.name));
            for name in listed.into_iter().chain([&column.name]) {
                names.push(Alias { name: name.to_string(), expr: key.expr.clone(), column: None });
            }
        }
        Ok(names)
    }

    /// The items of the select list that GROUP BY's keys name, by their place or by their name.
    fn items_of_keys(
        &self,
        select: &ast::Select,
        keys: &[SortKey],
        items: &[Item],
    ) -> Result<Vec<Option<usize>>, SqlError> {
        let named = |(member, key): (&ast::OrderItem, &SortKey)| {
            let place = self.position_of(&member.expr)?.and_then(|n| usize::try_from(n - 1).ok());
            let is_it = |item: &Item| is_name(&member.expr, &item.name) && item.expr.is_written_as(&key.expr);
            Ok(place.or_else(|| items.iter().position(is_it)))
        };
        select.group_by.iter().zip(keys).map(named).collect()
    }

    /// HAVING; neither it nor the keys may read windows, which come behind both.
    pub(super) fn having(
        &mut self,
        query: &ast::Query,
        select: &ast::Select,
        keys: &[SortKey],
        items: &[Item],
        rollup: &Rollup,
        scope: &Scope<'_>,
    ) -> Result<Option<Expr>, SqlError> {
        if !keys.is_empty() {
            self.check_grouping(keys, items.iter().map(|item| &item.expr), scope)?;
        }
        scope.allowed.set(Allowed::Aggregates);
        scope.in_grouped_having.set(!keys.is_empty() || !scope.aggregates.borrow().is_empty());
        let having = select.having.as_ref().map(|h| self.of_groups(h, scope)).transpose();
        if having.is_err() && !select.rollup {
            self.order_names(query, scope, items)?;
        }
        let mut having = having?;
        scope.in_grouped_having.set(false);
        having.iter_mut().for_each(|e| rollup.apply(e));
        let mut before_windows = keys.iter().map(|key| &key.expr).chain(&having);
        if before_windows.any(|e| reads_window(e, scope.level, &scope.windows.borrow())) {
            return Err(SqlError::wrong_placement_of_window_function());
        }
        Ok(having)
    }

    /// Error 1054 for a name that ORDER BY does not find.
    fn order_names(&mut self, query: &ast::Query, scope: &Scope<'_>, items: &[Item]) -> Result<(), SqlError> {
        scope.allowed.set(Allowed::Windows);
        match self.order_keys(query, scope, items, false) {
            Err(error) if error.errno == 1054 => Err(error),
            _ => Ok(()),
        }
    }

    /// The block's aggregates, which all its clauses have named by now, and whether groups are put aside in a table of theirs.
    pub(super) fn aggregates(
        &self,
        select: &ast::Select,
        keys: &[SortKey],
        items: &[Item],
        order_by: &[SortKey],
        scope: &Scope<'_>,
    ) -> Result<(Vec<AggregateCall>, bool), SqlError> {
        let mut aggregates = scope.aggregates.take();
        if keys.is_empty() && !aggregates.is_empty() {
            // The order of the one row of all is no matter, but MariaDB minds what it names.
            let ordered = order_by.iter().map(|key| &key.expr);
            self.check_grouping(keys, items.iter().map(|item| &item.expr).chain(ordered), scope)?;
        }
        // One table's rows that are sorted for their groups are not put aside in columns; a join's are.
        let sorted = select.rollup || select.options.big_result || sorts_rows(&aggregates);
        let drawn = keys.iter().any(|key| key.expr.changes_from_row_to_row());
        let rows_aside = sorted && !keys.is_empty() && (scope.tables.len() > 1 || drawn);
        aggregates.iter_mut().for_each(|call| call.rows_aside = rows_aside);
        // What is the same in all rows is no column of theirs.
        let asks_anew = select.rollup || sorts_rows(&aggregates);
        let anew = |call: &AggregateCall| {
            let extreme = matches!(call.kind, AggregateKind::Min | AggregateKind::Max);
            asks_anew && extreme && call.args.iter().all(Expr::is_same_in_all_rows)
        };
        let sorted = sorted && scope.tables.len() == 1;
        let of_group = !sorted && keys.iter().any(|key| !key.expr.is_one_to_groups());
        aggregates.iter_mut().for_each(|call| call.of_group = of_group && !anew(call));
        Ok((aggregates, of_group))
    }

    /// ONLY_FULL_GROUP_BY: every column outside aggregates must be a grouping expression.
    fn check_grouping<'e>(
        &self,
        keys: &[SortKey],
        mut checked: impl Iterator<Item = &'e Expr>,
        scope: &Scope<'_>,
    ) -> Result<(), SqlError> {
        if !self.state.vars.has_mode(ONLY_FULL_GROUP_BY) {
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
            let is_key = |e: &Expr| keys.iter().any(|k| k.expr.is_written_as(e));
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
                return Err(SqlError::not_in_group_by(origin.qualified(&origin.table, &origin.org_name)));
            }
            Ok(())
        })
    }
}

/// Whether an aggregate of the block stands in it, not in a subquery of it alone.
pub(super) fn aggregates_here(select: &ast::Select, query: &ast::Query) -> bool {
    let listed = select.items.iter().any(|item| match item {
        ast::SelectItem::Expr { expr, .. } => expr.has_group_function(),
        _ => false,
    });
    let having = select.having.as_ref().is_some_and(ast::Expr::has_group_function);
    listed || having || query.order_by.iter().any(|item| item.expr.has_group_function())
}

/// Whether aggregates want rows sorted by their groups.
fn sorts_rows(aggregates: &[AggregateCall]) -> bool {
    aggregates.iter().any(|call| call.distinct || call.lists())
}

/// Takes out of ORDER BY what orders nothing. Whether groups are wanted in the order in which they are found, not in that of
/// their keys.
pub(super) fn settle_order(
    select: &ast::Select,
    items: &[Item],
    keys: &[SortKey],
    aggregates: &[AggregateCall],
    order_by: &mut Vec<SortKey>,
) -> bool {
    // ORDER BY NULL and the like: not even the order of the groups' keys is wanted.
    let constant = |key: &SortKey| matches!(key.expr.kind, Kind::Const(_) | Kind::Param(_));
    let ordered = !order_by.is_empty();
    let as_found = !select.rollup && ordered && order_by.iter().all(constant);
    if !select.options.distinct {
        // Nothing is in any order by what is the same in all rows, as user variables are that nothing here sets (of groups
        // they are taken for columns); it is not even evaluated.
        let sets = !keys.is_empty() || items.iter().any(|item| item.expr.sets_variable());
        let sets = sets || order_by.iter().any(|key| key.expr.sets_variable());
        let same = |e: &Expr| e.is_steady() || !sets && e.is_known();
        order_by.retain(|key| !same(&key.expr));
        return as_found;
    }
    // Of groups that DISTINCT takes for one the first found stays; they are sorted by their keys afterwards. MariaDB
    // sorts before only what it has to for its aggregates.
    if select.rollup || sorts_rows(aggregates) || keys.is_empty() {
        return as_found;
    }
    if !ordered {
        *order_by = keys.to_vec();
    }
    true
}

/// Whether MariaDB puts groups that are whole aside in a table: to order them otherwise than by their keys, to tell them
/// apart, for windows, and where it is told to.
pub(super) fn put_aside_whole(
    select: &ast::Select,
    items: &[Item],
    keys: &[SortKey],
    order_by: &[SortKey],
    windowed: bool,
) -> bool {
    if windowed || select.options.buffer_result {
        return true;
    }
    let same = |e: &Expr| e.is_put_aside_nowhere() || matches!(e.kind, Kind::Const(_) | Kind::Param(_));
    let mut by = order_by.iter().filter(|by| !same(&by.expr));
    let by_keys =
        keys.iter().all(|key| by.next().is_none_or(|by| by.expr.same(&key.expr))) && by.next().is_none();
    let listed = |key: &SortKey| items.iter().any(|item| item.expr.same(&key.expr));
    // Groups that are listed with their keys are different.
    let told_apart = select.options.distinct && !keys.iter().all(listed);
    !keys.is_empty() && (!by_keys || told_apart)
}

/// Where a grouped select list sets user variables, what it computes of them without aggregates belongs to the first row
/// of a group (and is assigned once more as the group is given out), and so do the variables that it reads beside
/// aggregates. Constants are assigned as the group is given out. Puts columns in their places and gives these.
pub(super) fn variables_of_groups(
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
        Expr { kind: Kind::Column(Slot { level: scope.level, index }), ty: e.ty.clone() }
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

/// Whether an expression is nothing but that name, without its table's.
fn is_name(e: &ast::Expr, name: &str) -> bool {
    matches!(&e.kind, ast::ExprKind::Column(column) if column.table.is_none() && same_name(name, &column.column))
}
