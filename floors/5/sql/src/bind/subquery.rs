//! Binding subqueries inside expressions.

use super::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::expr::{Class, CompareOp, Comparison, Expr, Kind, Named, Type, TypeKind, build};
use crate::plan::probe::Probe;
use crate::plan::{Body, QueryPlan, SubqueryExpr, SubqueryForm};
use crate::syntax::ast::{self, BinaryOp};
use std::sync::OnceLock;

impl Binder<'_> {
    pub(super) fn subquery(
        &mut self,
        query: &ast::Query,
        scope: &Scope<'_>,
        form: SubqueryForm,
    ) -> Result<SubqueryExpr, SqlError> {
        let outer_lock = self.lock.take();
        let level = scope.level + 1;
        let membership = matches!(form, SubqueryForm::Exists).then_some(level);
        let outer_membership = std::mem::replace(&mut self.membership, membership);
        let bound = self.bind_query(query, Some(scope), level);
        self.membership = outer_membership;
        self.lock = outer_lock;
        let (plan, reaches) = bound?;
        let number = self.next_number();
        Ok(SubqueryExpr {
            form,
            plan,
            correlated: reaches <= scope.level,
            drawn: query.is_drawn(),
            number,
            reads: None,
            foreknown: OnceLock::new(),
            probe: None,
        })
    }

    pub(super) fn scalar_subquery(
        &mut self,
        query: &ast::Query,
        scope: &Scope<'_>,
    ) -> Result<Expr, SqlError> {
        let mut subquery = self.subquery(query, scope, SubqueryForm::Scalar)?;
        if let Some(item) = item_of(query, &subquery.plan) {
            return Ok(item);
        }
        subquery.plan.keep_digits();
        if let Body::Select(select) = &mut subquery.plan.body {
            select.compares_dates = !is_one_row(query);
        }
        let source = &subquery.plan.columns[0].ty;
        let mut ty = match source.origin {
            // It is counted in bytes as what it asks for.
            Named::Joined(_) => Type { origin: Named::Joined(None), ..source.clone() },
            _ => Type { origin: Named::default(), ..build::of_source(source) },
        };
        if !is_one_row(query) {
            // What lacks the place for a sign in its length lacks one still.
            let written = ty.missing_sign() > 0;
            ty = Type { nullable: true, written, ..build::signed(ty) };
        }
        ty.zerofill = false;
        ty.repertoire = ty.repertoire.unsettled();
        if ty.labels.take().is_some() {
            // Labels come out as text.
            ty = Type { kind: TypeKind::VarChar, decimals: 0, ..ty };
        }
        if let Some(text) = self.told_query(query).filter(|_| !ty.is_joined()) {
            ty.origin = Named::Written(text.into());
        }
        Ok(subquery.into_expr(scope.level, ty))
    }

    pub(super) fn exists(&mut self, query: &ast::Query, scope: &Scope<'_>) -> Result<Expr, SqlError> {
        self.for_existence = query.with.is_none() && matches!(query.body, ast::QueryBody::Select(_));
        let subquery = self.subquery(query, scope, SubqueryForm::Exists);
        self.for_existence = false;
        Ok(subquery?.into_expr(scope.level, build::existence_type()))
    }

    pub(super) fn in_subquery(
        &mut self,
        asking: &ast::Expr,
        mut left: Vec<Expr>,
        query: &ast::Query,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, SqlError> {
        let mut subquery = self.subquery(query, scope, SubqueryForm::Exists)?;
        if subquery.plan.columns.len() != left.len() {
            return Err(SqlError::operand_columns(left.len()));
        }
        numbers_beside(&left, &mut subquery.plan);
        number_before(&mut left, query, &subquery.plan);
        self.adapt_asked(asking, &mut left, &subquery.plan, false)?;
        for (l, c) in left.iter().zip(&subquery.plan.columns).filter(|(_, c)| c.ty.is_nothing()) {
            // A parameter's NULL is told apart by what it was announced as.
            if c.ty.kind != TypeKind::Null {
                build::common_fixed(&l.ty, &c.ty, "=")?;
            }
        }
        let nullable =
            left.iter().any(|l| l.ty.nullable) || subquery.plan.columns.iter().any(|c| c.ty.nullable);
        let left: Vec<Expr> = match &left[..] {
            // A single one is compared as by an operator.
            [_] => {
                let columns = subquery.plan.columns.iter();
                left.into_iter().zip(columns).map(|(l, c)| build::compared_extract(l, &c.ty)).collect()
            }
            _ => left,
        };
        let how: Vec<Comparison> = left
            .iter()
            .zip(&subquery.plan.columns)
            .enumerate()
            .map(|(at, (l, c))| build::comparison_with(l, &c.ty, selected(&subquery.plan, at), self.state))
            .collect::<Result<_, _>>()?;
        compare_dates(&mut subquery.plan, &how, false);
        if !subquery.correlated {
            subquery.probe = Probe::of(&subquery.plan, &left, &how, self);
        }
        subquery.form = SubqueryForm::In { left, how, negated };
        Ok(subquery.into_expr(scope.level, membership_type(query, negated, nullable)))
    }

    pub(super) fn quantified(
        &mut self,
        asking: &ast::Expr,
        (op, all): (BinaryOp, bool),
        mut left: Expr,
        query: &ast::Query,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let Some(op) = build::compare_op(op) else { return Err(SqlError::internal_error("bind quantifier")) };
        let mut subquery = self.subquery(query, scope, SubqueryForm::Exists)?;
        numbers_beside(std::slice::from_ref(&left), &mut subquery.plan);
        number_before(std::slice::from_mut(&mut left), query, &subquery.plan);
        let [column] = &subquery.plan.columns[..] else { return Err(SqlError::operand_columns(1)) };
        let by_order = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        let extreme = by_order && !subquery.correlated && self.finders.contains(&std::ptr::from_ref(asking));
        self.adapt_asked(asking, std::slice::from_mut(&mut left), &subquery.plan, extreme)?;
        let left = build::compared_extract(left, &column.ty);
        let mut alone =
            matches!(clause, Clause::Where | Clause::On) && !subquery.correlated && !is_one_row(query);
        let mut told = column.ty.clone();
        if alone && selected(&subquery.plan, 0).is_some_and(Expr::is_settled) {
            // A text's geometry has no least, the least of integers is a long one.
            alone = told.kind != TypeKind::Geometry(types::GeometryType::Geometry);
            if told.class() == Class::Int && !told.truth {
                told.kind = TypeKind::LongLong;
            }
        }
        check_quantified(op, all, alone, [&left.ty, &told])?;
        let how = build::comparison_with(&left, &column.ty, selected(&subquery.plan, 0), self.state)?;
        let ty = match (op, all) {
            // IN and NOT IN by other names.
            (CompareOp::Eq, false) | (CompareOp::Ne, true) => {
                membership_type(query, all, left.ty.nullable || column.ty.nullable)
            }
            // Beside what gives but one row it is a comparison.
            _ => build::truth_type(left.ty.nullable || is_one_row(query) && column.ty.nullable),
        };
        compare_dates(&mut subquery.plan, &[how], by_order);
        // A condition is held against the greatest or least of the rows: that is NULL where it is no UUID or address.
        let condition = matches!(clause, Clause::Where | Clause::On | Clause::Having);
        let open = by_order && !subquery.correlated && (condition || is_one_row(query));
        subquery.form = SubqueryForm::Quantified { left, how, op, all, open, extreme };
        Ok(subquery.into_expr(scope.level, ty))
    }
}

/// What a query of one SELECT gives in a column.
pub(super) fn selected(plan: &QueryPlan, at: usize) -> Option<&Expr> {
    match &plan.body {
        Body::Select(select) => select.items.get(at),
        _ => None,
    }
}

/// Constants 0x.. and b'..' that a query gives are numbers where numbers are looked for among them.
fn numbers_beside(left: &[Expr], plan: &mut QueryPlan) {
    if let Body::Select(select) = &mut plan.body {
        for ((left, item), column) in left.iter().zip(&mut select.items).zip(&mut plan.columns) {
            if let Some(number) = build::number_of_bytes(&left.ty, item) {
                column.ty = number.ty.clone();
                *item = number;
            }
        }
    }
}

/// So is one that is looked for where the query gives but one number, which it is simply compared with.
fn number_before(left: &mut [Expr], query: &ast::Query, plan: &QueryPlan) {
    if let ([left], Some(item)) = (left, selected(plan, 0))
        && is_one_row(query)
        && let Some(number) = build::number_of_bytes(&item.ty, left)
    {
        *left = number;
    }
}

/// Has a query give what it computes to be compared with dates and times as for comparisons, which know what is no date as
/// zero: constants, or all of it, where its ends are looked for (`by_order`).
fn compare_dates(plan: &mut QueryPlan, how: &[Comparison], by_order: bool) {
    let dated = |how: &Comparison| how.is_dated();
    if let Body::Select(select) = &mut plan.body
        && how.iter().any(dated)
        && (by_order || select.items.iter().zip(how).all(|(e, how)| !dated(how) || e.is_fixed()))
    {
        (select.keeps_digits, select.compares_dates) = (true, true);
    }
}

/// The error of what cannot be compared, as MariaDB tells of it: ALL looks for a row that is compared otherwise, and
/// what WHERE compares by order with a query of its own is compared the other way round, with its least or greatest.
fn check_quantified(
    op: CompareOp,
    all: bool,
    alone: bool,
    [left, right]: [&Type; 2],
) -> Result<(), SqlError> {
    let told = if all { op.otherwise() } else { op };
    let (operands, told) = match told {
        CompareOp::Eq | CompareOp::Ne => ([left, right], told),
        _ if alone => ([right, left], told.turned()),
        _ => ([left, right], told),
    };
    let text = |ty: &Type| ty.class() == Class::Str && ty.kind != TypeKind::Null;
    match build::common_fixed(operands[0], operands[1], told.text())? {
        None if text(left) && text(right) => build::collate_operands(&operands, told.text()).map(drop),
        _ => Ok(()),
    }
}

/// The type of IN over a query: over what gives but one row it is a comparison. The answers of any other are kept for what
/// is asked again, as numbers of any length.
fn membership_type(query: &ast::Query, negated: bool, nullable: bool) -> Type {
    let ty = build::truth_type(nullable);
    match is_one_row(query) {
        true => ty,
        false => Type { nullable: true, length: if negated { ty.length } else { 21 }, ..ty },
    }
}

/// What stands for a query that is no more than an expression.
pub(super) fn item_of(query: &ast::Query, plan: &QueryPlan) -> Option<Expr> {
    let item = expression_of(query, plan)?;
    // What is computed with a parameter may be NULL another time.
    let nullable = item.ty.nullable || only_item(query).is_some_and(super::select::is_param);
    Some(Expr { ty: Type { nullable, ..item.ty.clone() }, ..item.clone() })
}

/// The expression that a subquery is nothing else than: the only member of its list, which is computed of no table. It is
/// known as early as any. Columns stay what a subquery gives, and no subquery is brought out of the one around it.
fn expression_of<'p>(query: &ast::Query, plan: &'p QueryPlan) -> Option<&'p Expr> {
    let (ast::QueryBody::Select(select), Body::Select(planned)) = (&query.body, &plan.body) else {
        return None;
    };
    let [item] = &planned.items[..] else { return None };
    let mut plain = is_one_row(query) && query.with.is_none() && planned.row_number.is_none();
    select.expressions(&mut |e| plain &= !e.has_group_function());
    (plain && !item.has_subquery() && !matches!(item.kind, Kind::Column(_))).then_some(item)
}

/// The one expression of a query of nothing but a list.
pub(super) fn only_item(query: &ast::Query) -> Option<&ast::Expr> {
    let ast::QueryBody::Select(select) = &query.body else { return None };
    match &select.items[..] {
        [ast::SelectItem::Expr { expr, .. }] if is_one_row(query) => Some(expr),
        _ => None,
    }
}

/// Whether a query surely gives one row: a SELECT of nothing but a list.
pub(super) fn is_one_row(query: &ast::Query) -> bool {
    let ast::QueryBody::Select(select) = &query.body else { return false };
    let bare = select.from.is_empty()
        && select.filter.is_none()
        && select.group_by.is_empty()
        && select.having.is_none();
    bare && query.limit.is_none()
}

/// An error of what is compared with a subquery's rows: names that it does not know, or that are two columns', are told of
/// that place, not of the clause around.
pub(super) fn beside_subquery(mut error: SqlError, clause: Clause) -> SqlError {
    let clause = clause.name();
    let (place, here) = match error.errno {
        1052 => (format!(" in {clause} is ambiguous"), " in IN/ALL/ANY is ambiguous"),
        1054 => (format!(" in '{clause}'"), " in 'IN/ALL/ANY'"),
        _ => return error,
    };
    if let Some(name) = error.message.strip_suffix(&place) {
        error.message = format!("{name}{here}");
    }
    error
}
