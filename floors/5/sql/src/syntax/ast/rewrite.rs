//! Walking a statement tree and changing it on the way. A [`Rewrite`] overrides what it changes and calls the `walk_`
//! function of the same name to go on below.

use super::*;

/// Changes queries and expressions in place.
pub trait Rewrite {
    /// A query and everything in it.
    fn query(&mut self, query: &mut Query) {
        walk_query(self, query);
    }

    /// One SELECT.
    fn select(&mut self, select: &mut Select) {
        walk_select(self, select);
    }

    /// A member of FROM.
    fn table_ref(&mut self, table: &mut TableRef) {
        walk_table_ref(self, table);
    }

    /// An expression.
    fn expr(&mut self, e: &mut Expr) {
        walk_expr(self, e);
    }
}

/// The parts of a query.
pub fn walk_query<R: Rewrite + ?Sized>(r: &mut R, query: &mut Query) {
    for cte in query.with.iter_mut().flat_map(|with| &mut with.ctes) {
        r.query(&mut cte.query);
    }
    walk_body(r, &mut query.body);
    walk_order(r, &mut query.order_by);
    if let Some(limit) = &mut query.limit {
        walk_limit(r, limit);
    }
}

fn walk_body<R: Rewrite + ?Sized>(r: &mut R, body: &mut QueryBody) {
    match body {
        QueryBody::Select(select) => r.select(select),
        QueryBody::Values(rows) => rows.iter_mut().flatten().for_each(|e| r.expr(e)),
        QueryBody::SetOps { first, rest } => {
            walk_body(r, first);
            rest.iter_mut().for_each(|operation| walk_body(r, &mut operation.body));
        }
        QueryBody::Nested(query) => r.query(query),
    }
}

fn walk_order<R: Rewrite + ?Sized>(r: &mut R, order: &mut [OrderItem]) {
    order.iter_mut().for_each(|item| r.expr(&mut item.expr));
}

fn walk_limit<R: Rewrite + ?Sized>(r: &mut R, limit: &mut Limit) {
    let parts = [&mut limit.count, &mut limit.offset, &mut limit.rows_examined];
    parts.into_iter().flatten().for_each(|e| r.expr(e));
}

/// The parts of a SELECT.
pub fn walk_select<R: Rewrite + ?Sized>(r: &mut R, select: &mut Select) {
    for item in &mut select.items {
        if let SelectItem::Expr { expr, .. } = item {
            r.expr(expr);
        }
    }
    select.from.iter_mut().for_each(|table| r.table_ref(table));
    if let Some(filter) = &mut select.filter {
        r.expr(filter);
    }
    walk_order(r, &mut select.group_by);
    if let Some(having) = &mut select.having {
        r.expr(having);
    }
    select.windows.iter_mut().for_each(|(_, window)| walk_window(r, window));
}

fn walk_window<R: Rewrite + ?Sized>(r: &mut R, window: &mut WindowSpec) {
    walk_order(r, &mut window.partition_by);
    walk_order(r, &mut window.order_by);
    if let Some(frame) = &mut window.frame {
        for bound in [Some(&mut frame.start), frame.end.as_mut()].into_iter().flatten() {
            if let FrameBound::Preceding(e) | FrameBound::Following(e) = bound {
                r.expr(e);
            }
        }
    }
}

/// The parts of a member of FROM.
pub fn walk_table_ref<R: Rewrite + ?Sized>(r: &mut R, table: &mut TableRef) {
    match table {
        TableRef::Table(_) => {}
        TableRef::Derived { query, .. } => r.query(query),
        TableRef::JsonTable(table) => r.expr(&mut table.expr),
        TableRef::Join(join) => {
            r.table_ref(&mut join.left);
            r.table_ref(&mut join.right);
            if let JoinCondition::On(condition) = &mut join.condition {
                r.expr(condition);
            }
        }
    }
}

/// The operands of an expression.
pub fn walk_expr<R: Rewrite + ?Sized>(r: &mut R, e: &mut Expr) {
    match &mut e.kind {
        ExprKind::AssignUserVar { value, .. } => r.expr(value),
        ExprKind::Unary { expr, .. }
        | ExprKind::Is { expr, .. }
        | ExprKind::Cast { expr, .. }
        | ExprKind::ConvertUsing { expr, .. }
        | ExprKind::Collate { expr, .. }
        | ExprKind::Extract { expr, .. }
        | ExprKind::GetFormat { expr, .. }
        | ExprKind::WeightString { expr, .. } => r.expr(expr),
        ExprKind::Binary { left, right, .. }
        | ExprKind::Regexp { expr: left, pattern: right, .. }
        | ExprKind::DateArith { date: left, amount: right, .. }
        | ExprKind::GetColumn { document: left, key: right, .. }
        | ExprKind::TimestampDiff { from: left, to: right, .. } => {
            r.expr(left);
            r.expr(right);
        }
        ExprKind::And(list) | ExprKind::Or(list) | ExprKind::Row(list) => {
            list.iter_mut().for_each(|e| r.expr(e));
        }
        ExprKind::Between { expr, low, high, .. } => {
            for e in [expr, low, high] {
                r.expr(e);
            }
        }
        ExprKind::InList { expr, list, .. } => {
            r.expr(expr);
            list.iter_mut().for_each(|e| r.expr(e));
        }
        ExprKind::InSubquery { expr, query, .. } | ExprKind::Quantified { left: expr, query, .. } => {
            r.expr(expr);
            r.query(query);
        }
        ExprKind::Like { expr, pattern, escape, .. } => {
            r.expr(expr);
            r.expr(pattern);
            if let Some(escape) = escape {
                r.expr(escape);
            }
        }
        ExprKind::Exists(query) | ExprKind::Subquery(query) => r.query(query),
        ExprKind::Trim { what, expr, .. } => {
            if let Some(what) = what {
                r.expr(what);
            }
            r.expr(expr);
        }
        ExprKind::Case { operand, branches, otherwise } => {
            if let Some(operand) = operand {
                r.expr(operand);
            }
            for (when, then) in branches {
                r.expr(when);
                r.expr(then);
            }
            if let Some(otherwise) = otherwise {
                r.expr(otherwise);
            }
        }
        _ => walk_calls(r, e),
    }
}

/// The arguments of what is called by name.
fn walk_calls<R: Rewrite + ?Sized>(r: &mut R, e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Function(FunctionCall { args, .. }) | ExprKind::Stored(StoredCall { args, .. }) => {
            args.iter_mut().for_each(|e| r.expr(e));
        }
        ExprKind::Aggregate(aggregate) => {
            aggregate.args.iter_mut().for_each(|e| r.expr(e));
            walk_order(r, &mut aggregate.order_by);
        }
        ExprKind::Window { function, over } => {
            r.expr(function);
            if let Over::Spec(spec) = &mut **over {
                walk_window(r, spec);
            }
        }
        ExprKind::Char { args, .. } => args.iter_mut().for_each(|e| r.expr(e)),
        ExprKind::MakeColumns { document, columns } => {
            document.iter_mut().for_each(|e| r.expr(e));
            columns.iter_mut().flat_map(|c| [&mut c.key, &mut c.value]).for_each(|e| r.expr(e));
        }
        ExprKind::Match { columns, against, .. } => {
            columns.iter_mut().for_each(|e| r.expr(e));
            r.expr(against);
        }
        _ => {}
    }
}
