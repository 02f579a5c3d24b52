//! Binding whole queries: set operations, ORDER BY and LIMIT of wholes.

use super::from::unique_names;
use super::scope::{Alias, Visible};
use super::{Binder, Clause, Scope};
use crate::error::{ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION as ER_ILLEGAL_TYPES, SqlError};
use crate::expr::{Expr, Kind, Slot, TypeKind, build};
use crate::plan::{Body, OutputColumn, QueryPlan, RowLock, SortKey, Tail};
use crate::session::State;
use crate::syntax::ast::walk::Below;
use crate::syntax::ast::{self, ExprKind, Literal, QueryBody, UnaryOp};

/// A plan and the lowest level outside it that it reads (`u32::MAX` for none).
pub(super) type BoundQuery = (QueryPlan, u32);

impl Binder<'_> {
    /// Binds a query whose blocks have nesting level `level`.
    pub(super) fn bind_query(
        &mut self,
        query: &ast::Query,
        parent: Option<&Scope<'_>>,
        level: u32,
    ) -> Result<BoundQuery, SqlError> {
        self.enter_block()?;
        let ctes = self.ctes.len();
        let outer_lock = self.lock;
        if let Some(with) = &query.with {
            self.enter_with(with, query)?;
        }
        if query.limit.as_ref().is_some_and(|limit| limit.with_ties) && query.order_by.is_empty() {
            return Err(SqlError::with_ties_needs_order_by());
        }
        if let Some(locking) = &query.locking {
            self.lock = Some(RowLock { exclusive: locking.exclusive, wait: locking.wait });
        }
        let bound = self.body(query, &query.body, parent, level)?;
        self.lock = outer_lock;
        self.leave_with(ctes)?;
        self.leave_block();
        Ok(bound)
    }

    fn body(
        &mut self,
        query: &ast::Query,
        body: &QueryBody,
        parent: Option<&Scope<'_>>,
        level: u32,
    ) -> Result<BoundQuery, SqlError> {
        match body {
            QueryBody::Select(select) => self.select(query, select, parent, level),
            QueryBody::Nested(inner) if query.order_by.is_empty() && query.limit.is_none() => {
                if !inner.order_by.is_empty() || inner.limit.is_some() {
                    // What it gives is made whole first: its rows are no table's any more.
                    self.lock = None;
                }
                self.bind_query(inner, parent, level)
            }
            QueryBody::Nested(inner) => {
                self.set_operations(query, &QueryBody::Nested(inner.clone()), &[], parent, level)
            }
            QueryBody::Values(rows) => self.values(query, rows, parent, level),
            QueryBody::SetOps { first, rest } => self.set_operations(query, first, rest, parent, level),
        }
    }

    pub(super) fn operand(
        &mut self,
        body: &QueryBody,
        parent: Option<&Scope<'_>>,
        level: u32,
    ) -> Result<BoundQuery, SqlError> {
        match body {
            QueryBody::Nested(inner) => self.bind_query(inner, parent, level),
            other => self.bind_query(&ast::Query::from(other.clone()), parent, level),
        }
    }

    fn set_operations(
        &mut self,
        query: &ast::Query,
        first: &QueryBody,
        rest: &[ast::SetOperation],
        parent: Option<&Scope<'_>>,
        level: u32,
    ) -> Result<BoundQuery, SqlError> {
        self.unordered = !rest.is_empty();
        // FOR UPDATE behind a UNION is the last SELECT's, as MariaDB reads it.
        let lock = if rest.is_empty() { None } else { self.lock.take() };
        if lock.is_some() && rest.last().is_some_and(|last| matches!(last.body, QueryBody::Nested(_))) {
            return Err(SqlError::wrong_usage("lock options", "SELECT in brackets"));
        }
        let (mut first, mut reaches) = self.operand(first, parent, level)?;
        if !rest.is_empty() {
            in_table_of_its_own(&mut first)?;
        }
        let mut columns = first.columns.clone();
        let mut operands = Vec::with_capacity(rest.len());
        let plain = |operation: &ast::SetOperation| operation.all && operation.op == ast::SetOperator::Union;
        let stored = !rest.iter().all(plain) || !query.order_by.is_empty();
        for (at, operation) in rest.iter().enumerate() {
            self.unordered = true;
            self.lock = lock.filter(|_| at + 1 == rest.len());
            let (mut plan, reach) = self.operand(&operation.body, parent, level)?;
            in_table_of_its_own(&mut plan)?;
            if plan.columns.len() != columns.len() {
                return Err(SqlError::wrong_number_of_columns_in_select());
            }
            reaches = reaches.min(reach);
            operands.push((operation.op, operation.all, plan));
        }
        let width = columns.len();
        for (at, column) in columns.iter_mut().enumerate().filter(|_| !operands.is_empty()) {
            let united = |at: usize, count: usize, state: &State| {
                let others = operands.iter().map(|(.., plan): &(_, _, QueryPlan)| &plan.columns[at].ty);
                let types: Vec<_> =
                    std::iter::once(&first.columns[at].ty).chain(others.take(count)).collect();
                build::union_type(&types, "UNION", state)
            };
            column.ty = united(at, operands.len(), self.state).map_err(|error| {
                // Types that have nothing in common are told of operand by operand, before collations that have not.
                let of_types =
                    |at, count| united(at, count, self.state).err().filter(|e| e.errno == ER_ILLEGAL_TYPES);
                (1..=operands.len()).find_map(|n| (0..width).find_map(|at| of_types(at, n))).unwrap_or(error)
            })?;
            if stored {
                column.ty = build::in_bytes_of_table(column.ty.clone());
            }
            column.ty.unsigned |= stored && column.ty.kind == TypeKind::Timestamp;
            column.ty.zerofill |= stored && column.ty.kind == TypeKind::Year;
            // A column of no table by now; described as one where MariaDB keeps the rows in a temporary table.
            column.origin = stored.then(Default::default);
        }
        self.unordered = false;
        let mut scope = Scope::new(parent, level);
        scope.reserve(columns.len());
        scope.aliases = result_aliases(&columns, level);
        scope.visible = scope.aliases.iter().map(visible_result).collect();
        let mut tail = self.tail(query, &scope, columns.len())?;
        if let Body::Select(first) = &mut first.body {
            // The first SELECT says it for the whole.
            tail.calc_found_rows = std::mem::take(&mut first.tail.calc_found_rows);
        }
        reaches = reaches.min(scope.reaches.get());
        first.keep_digits_of_groups();
        operands.iter_mut().for_each(|(.., plan)| plan.keep_digits_of_groups());
        let body = Body::SetOps { first: Box::new(first), rest: operands, tail, level };
        Ok((QueryPlan { body, columns }, reaches))
    }

    fn values(
        &mut self,
        query: &ast::Query,
        rows: &[Vec<ast::Expr>],
        parent: Option<&Scope<'_>>,
        level: u32,
    ) -> Result<BoundQuery, SqlError> {
        let mut scope = Scope::new(parent, level);
        let mut bound = Vec::with_capacity(rows.len());
        for row in rows {
            if row.is_empty() {
                return Err(SqlError::empty_row_in_values());
            }
            row.iter().try_for_each(check_member)?;
            bound.push(self.scalars(row, &scope, Clause::Select)?);
        }
        let width = bound[0].len();
        if bound.iter().any(|row| row.len() != width) {
            return Err(SqlError::values_of_different_width());
        }
        let mut columns = Vec::with_capacity(width);
        for i in 0..width {
            let column_types: Vec<_> = bound.iter().map(|row| &row[i].ty).collect();
            let ty = build::union_type(&column_types, "VALUES", self.state)?;
            columns.push(OutputColumn { name: self.member_name(&rows[0][i]), ty, origin: None });
        }
        scope.reserve(width);
        scope.aliases = result_aliases(&columns, level);
        scope.visible = scope.aliases.iter().map(visible_result).collect();
        let tail = self.tail(query, &scope, width)?;
        let reaches = scope.reaches.get();
        Ok((QueryPlan { body: Body::Values { rows: bound, tail, level }, columns }, reaches))
    }

    /// The name of a column of VALUES: text without its quotes, else the words of its first row.
    fn member_name(&self, e: &ast::Expr) -> String {
        match &e.kind {
            ExprKind::Literal(Literal::Str(s)) => s.name(),
            _ => self.words(e.span),
        }
    }

    /// The position that a member of ORDER BY or GROUP BY names: by an integer, which a parameter may be.
    pub(super) fn position_of(&self, e: &ast::Expr) -> Result<Option<i32>, SqlError> {
        let ExprKind::Param(n) = e.kind else { return Ok(literal_position(e)) };
        let position = match self.params.get(n as usize) {
            Some(types::Value::Int(n)) => *n as i32,
            Some(types::Value::UInt(n)) => *n as i32,
            _ => return Ok(None),
        };
        match self.lift_params {
            // Other values would name other columns: no plan can be kept.
            true => Err(SqlError::internal_error("keep a plan whose order is a parameter")),
            false => Ok(Some(position)),
        }
    }

    /// ORDER BY over the rows of a result, and LIMIT.
    fn tail(&mut self, query: &ast::Query, scope: &Scope<'_>, width: usize) -> Result<Tail, SqlError> {
        let mut order_by = Vec::new();
        for (at, item) in query.order_by.iter().enumerate() {
            if item.expr.has_group_function() {
                return Err(SqlError::aggregate_order_for_union(at + 1));
            }
            if let Some(table) = table_named(&item.expr) {
                return Err(SqlError::table_name_not_allowed_here(table, Clause::OrderBy.name()));
            }
            let expr = match self.position_of(&item.expr)? {
                Some(n) => match usize::try_from(n).ok().filter(|n| (1..=width).contains(n)) {
                    Some(n) => scope.aliases[n - 1].expr.clone(),
                    None => return Err(SqlError::bad_field(n, Clause::OrderBy.name())),
                },
                None => self.scalar(&item.expr, scope, Clause::OrderBy)?,
            };
            order_by.push(SortKey::new(expr, item.desc));
        }
        Ok(Tail { order_by, ..self.limit(query.limit.as_ref(), scope)? })
    }

    /// The expressions of LIMIT.
    pub(super) fn limit(&mut self, limit: Option<&ast::Limit>, scope: &Scope<'_>) -> Result<Tail, SqlError> {
        let Some(limit) = limit else { return Ok(Tail::default()) };
        let mut bind =
            |e: &Option<ast::Expr>| e.as_ref().map(|e| self.scalar(e, scope, Clause::Select)).transpose();
        Ok(Tail {
            order_by: Vec::new(),
            limit: bind(&limit.count)?,
            offset: bind(&limit.offset)?,
            with_ties: limit.with_ties,
            rows_examined: bind(&limit.rows_examined)?,
            calc_found_rows: false,
        })
    }
}

/// A member of VALUES names no column and is no DEFAULT.
fn check_member(e: &ast::Expr) -> Result<(), SqlError> {
    match &e.kind {
        ExprKind::Default => return Err(SqlError::not_allowed_in_context("default")),
        ExprKind::Ignore => return Err(SqlError::not_allowed_in_context("ignore")),
        ExprKind::Column(column) => {
            let names = [&column.database, &column.table].into_iter().flatten().chain([&column.column]);
            let shown = names.map(String::as_str).collect::<Vec<_>>().join(".");
            return Err(SqlError::field_in_values(shown));
        }
        _ => {}
    }
    let mut checked = Ok(());
    e.below(&mut |below| {
        if let (Below::Expr(e), Ok(())) = (below, &checked) {
            checked = check_member(e);
        }
    });
    checked
}

/// The table that a member of ORDER BY names, outside subqueries.
fn table_named(e: &ast::Expr) -> Option<&str> {
    let mut found = match &e.kind {
        ExprKind::Column(column) => column.table.as_deref(),
        _ => None,
    };
    e.below(&mut |below| {
        if let Below::Expr(e) = below {
            found = found.or_else(|| table_named(e));
        }
    });
    found
}

/// The position that ORDER BY or GROUP BY names by an integer literal, of which MariaDB takes 32 bits.
pub(super) fn literal_position(e: &ast::Expr) -> Option<i32> {
    match &e.kind {
        ExprKind::Literal(Literal::Int(n)) => Some(*n as i32),
        ExprKind::Literal(Literal::Bool(b)) => Some(i32::from(*b)),
        ExprKind::Unary { op: UnaryOp::Neg, expr } => literal_position(expr).map(i32::wrapping_neg),
        ExprKind::Unary { op: UnaryOp::Plus, expr } => literal_position(expr),
        _ => None,
    }
}

/// A result's columns as names for its ORDER BY.
fn result_aliases(columns: &[OutputColumn], level: u32) -> Vec<Alias> {
    let alias = |(i, c): (usize, &OutputColumn)| Alias {
        name: c.name.clone(),
        expr: Expr { kind: Kind::Column(Slot { level, index: i as u32 }), ty: c.ty.clone() },
        column: None,
    };
    columns.iter().enumerate().map(alias).collect()
}

/// A column of a result, for queries in its ORDER BY.
fn visible_result(alias: &Alias) -> Visible {
    let (name, expr) = (alias.name.clone(), alias.expr.clone());
    Visible { name, expr, origin: Default::default(), invisible: false }
}

/// Set operations among the operands of others, in brackets or by their precedence, have their rows kept in a table
/// first, whose columns must have names of their own.
fn in_table_of_its_own(operand: &mut QueryPlan) -> Result<(), SqlError> {
    if matches!(operand.body, Body::SetOps { .. }) {
        unique_names(&operand.columns, &[])?;
        for column in &mut operand.columns {
            column.ty = build::in_temporary_table(build::in_bytes_of_table(column.ty.clone()));
        }
    }
    Ok(())
}
