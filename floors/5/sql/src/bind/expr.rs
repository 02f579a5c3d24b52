//! Binding expressions.

use super::row_operands::{self, columns_of, row_among, row_operand};
use super::scope::{Allowed, VALUES_TABLE};
use super::subquery::beside_subquery;
use super::trace::Trace;
use super::{Binder, Clause, Scope};
use crate::admin::Held;
use crate::error::{ER_ILLEGAL_VALUE_FOR_TYPE, SqlError};
use crate::expr::print::aggregate_text;
use crate::expr::{Class, CompareOp, Expr, Kind, Named, build};
use crate::plan::{AggregateCall, SortKey, SubqueryExpr, SubqueryForm};
use crate::syntax::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::syntax::is_word;
use std::sync::Arc;
use types::Value;

impl Binder<'_> {
    /// Binds an expression in the given clause of the block `scope`.
    pub fn expr(&mut self, e: &ast::Expr, scope: &Scope<'_>, clause: Clause) -> Result<Expr, SqlError> {
        super::check_stack()?;
        match &e.kind {
            ExprKind::Literal(literal) => build::literal(literal, self.state),
            ExprKind::Param(n) => {
                self.param_count = self.param_count.max(n + 1);
                Ok(build::param(*n, self.params.get(*n as usize), self.lift_params, self.state))
            }
            ExprKind::Column(c) => {
                let found = scope.resolve(c.database.as_deref(), c.table.as_deref(), &c.column, clause)?;
                self.trace_column(e.span, &found, &c.column, scope);
                Ok(found)
            }
            ExprKind::UserVar(_) if self.lift_params => {
                // Its type is another one the next time.
                Err(SqlError::internal_error("keep the type of a user variable"))
            }
            ExprKind::UserVar(name) => Ok(build::user_var(name, self.state)),
            ExprKind::AssignUserVar { name, value } => self.assignment(name, value, scope, clause),
            ExprKind::SysVar(variable) => build::sys_var(variable, self.state),
            ExprKind::Unary { op, expr } => self.unary(*op, expr, scope, clause),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, scope, clause),
            ExprKind::And(list) => Ok(build::and(self.truths(list, scope, clause)?)),
            ExprKind::Or(list) => Ok(build::or(self.truths(list, scope, clause)?)),
            ExprKind::Is { expr, test, negated } => {
                let operand = self.scalar(expr, scope, clause)?;
                match self.finders.contains(&std::ptr::from_ref(e)) {
                    true => self.null_asked(e, operand, *negated, clause),
                    false => Ok(build::is(operand, *test, *negated)),
                }
            }
            ExprKind::Between { expr, low, high, negated } => {
                let operands = [expr, low, high].map(|e| self.scalar(e, scope, clause));
                let [operand, low, high] = operands;
                build::between(operand?, low?, high?, *negated, self.state)
            }
            ExprKind::InList { expr, list, negated } => self.in_list(expr, list, *negated, scope, clause),
            ExprKind::InSubquery { expr, query, negated } => {
                let left = self.row_members(expr, scope, clause).map_err(|e| beside_subquery(e, clause))?;
                self.in_subquery(e, left, query, *negated, scope)
            }
            ExprKind::Like { expr, pattern, escape, negated } => {
                let operand = self.scalar(expr, scope, clause)?;
                let pattern = self.scalar(pattern, scope, clause)?;
                let escape = escape.as_ref().map(|e| self.scalar(e, scope, clause)).transpose()?;
                if self.lift_params && matches!(&escape, Some(Expr { kind: Kind::Param(_), .. })) {
                    // The escape character is part of the plan.
                    return Err(SqlError::internal_error("lift an escape character"));
                }
                build::like(operand, pattern, escape, *negated, self.state)
            }
            ExprKind::Regexp { expr, pattern, negated } => {
                let operand = self.scalar(expr, scope, clause)?;
                let pattern = self.scalar(pattern, scope, clause)?;
                build::regexp(operand, pattern, *negated, self.state)
            }
            ExprKind::Quantified { op, left, all, query } => {
                let left = self.row_members(left, scope, clause).map_err(|e| beside_subquery(e, clause))?;
                match <[Expr; 1]>::try_from(left) {
                    Ok([left]) => self.quantified(e, (*op, *all), left, query, scope, clause),
                    // Rows have but the two that mean IN and NOT IN.
                    Err(members) => match (op, all) {
                        (BinaryOp::Eq, false) => self.in_subquery(e, members, query, false, scope),
                        (BinaryOp::Ne, true) => self.in_subquery(e, members, query, true, scope),
                        _ => Err(SqlError::operand_columns(1)),
                    },
                }
            }
            ExprKind::Exists(query) => self.exists(query, scope),
            ExprKind::Subquery(query) => self.scalar_subquery(query, scope),
            ExprKind::Row(list) => {
                let members = self.scalars(list, scope, clause)?;
                let ty = members[0].ty.clone();
                Ok(Expr { kind: Kind::Row(members), ty })
            }
            ExprKind::Case { operand, branches, otherwise } => {
                let operand = operand.as_ref().map(|e| self.scalar(e, scope, clause)).transpose()?;
                let branches = branches
                    .iter()
                    .map(|(when, then)| {
                        Ok((self.scalar(when, scope, clause)?, self.scalar(then, scope, clause)?))
                    })
                    .collect::<Result<Vec<_>, SqlError>>()?;
                let otherwise = otherwise.as_ref().map(|e| self.scalar(e, scope, clause)).transpose()?;
                build::case(operand, branches, otherwise, self.state)
            }
            ExprKind::Cast { expr, ty } => {
                let mut operand = self.scalar(expr, scope, clause)?;
                if super::select::is_param(expr) && operand.ty.class() == Class::Temporal {
                    operand.ty.origin = Named::GivenDate;
                }
                build::cast(operand, ty, self.state)
            }
            ExprKind::ConvertUsing { expr, charset } => {
                let operand = self.scalar(expr, scope, clause)?;
                build::convert_using(operand, charset, self.state)
            }
            ExprKind::Collate { expr, collation } => {
                let operand = self.scalar(expr, scope, clause)?;
                build::collate(operand, collation, self.state)
            }
            ExprKind::Aggregate(aggregate) => self.aggregate(aggregate, scope, clause),
            ExprKind::Function(call) => self.function(call, e, scope, clause),
            ExprKind::Stored(call) => Err(self.missing_function(call)),
            _ => self.special(e, scope, clause),
        }
    }

    /// The expressions with a syntax of their own.
    fn special(&mut self, e: &ast::Expr, scope: &Scope<'_>, clause: Clause) -> Result<Expr, SqlError> {
        match &e.kind {
            ExprKind::DateArith { date, amount, unit, subtract } => {
                let date = self.scalar(date, scope, clause)?;
                let amount = self.scalar(amount, scope, clause)?;
                build::date_arith(date, amount, *unit, *subtract, self.state)
            }
            ExprKind::TimestampDiff { unit, from, to } => {
                let from = self.scalar_of(from, scope, clause, "timestampdiff")?;
                let to = self.scalar_of(to, scope, clause, "timestampdiff")?;
                build::timestamp_diff(*unit, from, to, self.state)
            }
            ExprKind::Extract { unit, expr } => {
                let name = format!("extract({})", unit.name().to_ascii_lowercase());
                let operand = self.scalar_of(expr, scope, clause, &name)?;
                build::extract(*unit, operand, self.state)
            }
            ExprKind::Trim { side, what, expr, oracle } => {
                let what = what.as_ref().map(|e| self.scalar(e, scope, clause)).transpose()?;
                let operand = self.scalar(expr, scope, clause)?;
                let trimmed = build::trim(*side, what, operand, self.state)?;
                match oracle {
                    true => build::function("trim_oracle", vec![trimmed], "", self.state),
                    false => Ok(trimmed),
                }
            }
            ExprKind::GetFormat { kind, expr } => {
                let operand = self.scalar(expr, scope, clause)?;
                build::get_format(kind, operand, self.state)
            }
            ExprKind::Char { args, charset } => {
                let args = self.scalars(args, scope, clause)?;
                build::char_function(args, charset.as_deref(), self.state)
            }
            ExprKind::MakeColumns { document, columns } => {
                self.make_columns(document.as_deref(), columns, scope, clause)
            }
            ExprKind::GetColumn { document, key, ty } => self.get_column([document, key], ty, scope, clause),
            ExprKind::WeightString { expr, shape } => {
                let operand = self.scalar(expr, scope, clause)?;
                build::weight_string(operand, *shape, self.state)
            }
            ExprKind::Window { function, over } => self.window_function(function, over, scope, clause),
            ExprKind::Match { .. } => Err(SqlError::not_supported_yet("FULLTEXT search")),
            ExprKind::Sequence { .. } => Err(SqlError::not_supported_yet("sequences")),
            ExprKind::DefaultOf(column) => self.default_of(column, e.span, scope, clause),
            ExprKind::ValuesOf(column) => self.values_of(column, scope),
            ExprKind::Default | ExprKind::Ignore => Err(SqlError::parse_error(e.span.of(&self.text), 1)),
            _ => Err(SqlError::internal_error("bind expression of unknown kind")),
        }
    }

    /// Binds an expression that must be one value.
    pub fn scalar(&mut self, e: &ast::Expr, scope: &Scope<'_>, clause: Clause) -> Result<Expr, SqlError> {
        let bound = self.expr(e, scope, clause)?;
        match columns_of(&bound) {
            1 => Ok(bound),
            _ => Err(SqlError::operand_columns(1)),
        }
    }

    /// As [`Self::scalar`], for an operand of a function or operator that names itself where it gets a row.
    fn scalar_of(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
        operation: &str,
    ) -> Result<Expr, SqlError> {
        let bound = self.expr(e, scope, clause)?;
        if columns_of(&bound) == 1 { Ok(bound) } else { Err(row_operand(operation)) }
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        if let (UnaryOp::Not, Some(unlike)) = (op, super::condition::unlike_rows(e)) {
            return self.scalar(&unlike, scope, clause);
        }
        let operand = match op {
            UnaryOp::Not => self.denied(e, scope, clause)?,
            UnaryOp::BitNot => self.scalar_of(e, scope, clause, "~")?,
            _ => self.scalar(e, scope, clause)?,
        };
        if op == UnaryOp::Neg {
            self.refuse_extremes(&[&operand], "-", scope)?;
        }
        match is_literal(e) && op == UnaryOp::Neg {
            true => build::negative(operand, self.state),
            false => build::unary(op, operand, self.state),
        }
    }

    /// `@name := value`.
    fn assignment(
        &mut self,
        name: &str,
        value: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let value = self.scalar(value, scope, clause)?;
        self.state.foresee_user_var(name.to_lowercase(), &value);
        Ok(build::assign_user_var(name, value, self.state))
    }

    /// Binds several expressions that must be one value each.
    pub fn scalars(
        &mut self,
        list: &[ast::Expr],
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Vec<Expr>, SqlError> {
        list.iter().map(|e| self.scalar(e, scope, clause)).collect()
    }

    /// The members of a row, or the one value.
    fn row_members(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Vec<Expr>, SqlError> {
        match &e.kind {
            ExprKind::Row(list) => self.scalars(list, scope, clause),
            ExprKind::Subquery(query) => self.subquery_members(query, scope),
            _ => Ok(vec![self.scalar(e, scope, clause)?]),
        }
    }

    /// The columns of a subquery that gives one row, each a subquery of its own.
    fn subquery_members(&mut self, query: &ast::Query, scope: &Scope<'_>) -> Result<Vec<Expr>, SqlError> {
        let mut members = Vec::new();
        let mut width = 1;
        while members.len() < width {
            let subquery = self.subquery(query, scope, SubqueryForm::Column(members.len()))?;
            width = subquery.plan.columns.len();
            if let (1, Some(item)) = (width, super::subquery::item_of(query, &subquery.plan)) {
                return Ok(vec![item]);
            }
            let mut ty = subquery.plan.columns[members.len()].ty.clone();
            ty.nullable = true;
            members.push(subquery.into_expr(scope.level, ty));
        }
        Ok(members)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let left_query = left;
        let left = self.expr(left, scope, clause)?;
        let right = self.expr(right, scope, clause)?;
        let (wide_left, wide_right) = (columns_of(&left), columns_of(&right));
        if wide_left == 1 && wide_right == 1 {
            if let BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod = op {
                self.refuse_extremes(&[&left, &right], op.word().unwrap_or("?"), scope)?;
            }
            return build::binary(op, left, right, self.state);
        }
        let Some(op) = build::compare_op(op) else {
            return Err(match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => {
                    row_among(&left, &right, op.word().unwrap_or("?"))
                }
                _ => row_operand(bit_operator(op)),
            });
        };
        if wide_left != wide_right {
            return Err(match wide_left == 1 || wide_right == 1 {
                true => row_among(&left, &right, op.text()),
                false => SqlError::operand_columns(wide_left),
            });
        }
        match (left.kind, right.kind) {
            (Kind::Row(left), Kind::Row(right)) => build::compare_rows(op, left, right, self.state),
            (Kind::Row(left), Kind::Subquery(subquery)) => self.row_subquery(op, left, subquery, scope),
            (Kind::Subquery(subquery), Kind::Row(right)) => {
                self.row_subquery(op.turned(), right, subquery, scope)
            }
            (Kind::Subquery(_), Kind::Subquery(right)) => {
                let left = self.row_members(left_query, scope, clause)?;
                self.row_subquery(op, left, right, scope)
            }
            _ => Err(SqlError::internal_error("compare rows")),
        }
    }

    fn row_subquery(
        &mut self,
        op: CompareOp,
        left: Vec<Expr>,
        subquery: Arc<SubqueryExpr>,
        scope: &Scope<'_>,
    ) -> Result<Expr, SqlError> {
        let Ok(mut subquery) = Arc::try_unwrap(subquery) else {
            return Err(SqlError::internal_error("bind row subquery"));
        };
        let how = left
            .iter()
            .zip(&subquery.plan.columns)
            .map(|(l, c)| build::comparison(&l.ty, &c.ty, self.state))
            .collect::<Result<_, _>>()?;
        subquery.form = SubqueryForm::RowCompare { left, how, op };
        Ok(subquery.into_expr(scope.level, build::truth_type(op != CompareOp::NullSafeEq)))
    }

    fn in_list(
        &mut self,
        operand: &ast::Expr,
        list: &[ast::Expr],
        negated: bool,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        // A list of one is a comparison.
        let operation = match (list, negated) {
            ([_], true) => CompareOp::Ne.text(),
            ([_], false) => CompareOp::Eq.text(),
            _ => "in",
        };
        let members = match <[Expr; 1]>::try_from(self.row_members(operand, scope, clause)?) {
            Ok([operand]) => {
                let list: Vec<Expr> =
                    list.iter().map(|e| self.expr(e, scope, clause)).collect::<Result<_, _>>()?;
                return match list.iter().find(|e| columns_of(e) != 1) {
                    Some(row @ Expr { kind: Kind::Row(_), .. }) => Err(row_among(&operand, row, operation)),
                    Some(_) => Err(SqlError::operand_columns(1)),
                    None => build::in_list(operand, list, negated, self.state),
                };
            }
            Err(members) => members,
        };
        let mut rows = Vec::with_capacity(list.len());
        for e in list {
            let row = self.row_members(e, scope, clause)?;
            match &row[..] {
                [one] if !matches!(e.kind, ExprKind::Subquery(_)) => {
                    let name = build::type_name(&one.ty);
                    return Err(SqlError::illegal_parameter_types("row", name, operation));
                }
                row if row.len() != members.len() => return Err(SqlError::operand_columns(members.len())),
                _ => rows.push(row),
            }
        }
        build::in_rows(members, rows, negated, self.state)
    }

    /// The error of a call of a stored function: there are none. It comes before those of the arguments.
    fn missing_function(&self, call: &ast::StoredCall) -> SqlError {
        let name = &call.name;
        if name.chars().count() > 64 {
            return SqlError::too_long_ident(name);
        }
        match call.database.as_ref().or(self.state.database.as_ref()) {
            Some(_) if call.named => SqlError::wrong_parameters_to_stored(name),
            Some(database) if is_word(name) => SqlError::inexistent_name_collision(database, name),
            Some(database) => SqlError::does_not_exist("FUNCTION", format!("{database}.{name}")),
            None => SqlError::does_not_exist("FUNCTION", name),
        }
    }

    fn function(
        &mut self,
        call: &ast::FunctionCall,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        if call.is_row_number() {
            let words = self.words(e.span);
            return self.row_number(&words, scope);
        }
        let name = match call.name.as_str() {
            "length" => "octet_length",
            name => name,
        };
        let args = call.args.iter().map(|e| self.expr(e, scope, clause));
        let mut args = args.collect::<Result<Vec<_>, _>>()?;
        row_operands::check(name, &args)?;
        if self.finders.contains(&std::ptr::from_ref(e))
            && let Some(operand) =
                args.pop_if(|operand| self.finds_nulls(e, clause) || build::has_zero_date(operand))
        {
            return self.null_asked(e, operand, false, clause);
        }
        if !ast::is_of_grammar(name) {
            for (bound, e) in args.iter_mut().zip(&call.args) {
                build::name_cast(bound, || self.words(e.span));
            }
        }
        self.refuse_extreme_of(name, &args, scope)?;
        let words = self.words(e.span);
        let built = build::function(&call.name, args, &words, self.state);
        match built {
            // Once more for the message, with what the names in queries were found to be.
            Err(error) if error.errno == ER_ILLEGAL_VALUE_FOR_TYPE && self.trace.is_none() => {
                self.trace = Some(Trace::told());
                let told = self.function(call, e, scope, clause);
                self.trace = None;
                Err(told.err().filter(|told| told.errno == error.errno).unwrap_or(error))
            }
            built => {
                let built = built.inspect(|built| self.trace_digits(e.span, built))?;
                let who = self.security.as_deref().and_then(Held::current);
                Ok(match who {
                    Some((user, _)) if name == "current_user" => build::told(built, Some(user), true),
                    Some((_, role)) if name == "current_role" => build::told(built, role, role.is_none()),
                    _ => built,
                })
            }
        }
    }

    fn aggregate(
        &mut self,
        call: &ast::Aggregate,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let place = scope.allowed.get();
        scope.allowed.set(Allowed::InGroupFunction { placed: place.takes_aggregates() });
        let bound = self.aggregate_parts(call, scope, clause);
        scope.allowed.set(place);
        let misplaced = scope.misplaced.take();
        let (mut args, order_by, limit) = bound?;
        let owner = match scope.owner_of(&args) {
            // The rest of the query inside has its errors first.
            None if scope.is_in_misplaced() => {
                let ty = build::aggregate_type(call.kind, call.distinct, &args, self.state)?;
                return Ok(Expr { kind: Kind::Const(Value::Null), ty });
            }
            Some(owner) if !misplaced => owner,
            _ => {
                // Types that it does not take are told of first.
                build::aggregate_type(call.kind, call.distinct, &args, self.state)?;
                return Err(SqlError::invalid_group_func_use());
            }
        };
        let mut ty = build::aggregate_type(call.kind, call.distinct, &args, self.state)?;
        // The end of integers in a temporary table is as wide as their column there.
        if let (Named::Extreme(of @ None, ..), [Expr { kind: Kind::Column(slot), .. }]) =
            (&mut ty.origin, &args[..])
            && args[0].ty.class() == Class::Int
        {
            *of = scope.origin_of(*slot).filter(|origin| origin.temporary.is_some());
        }
        if call.kind == ast::AggregateKind::GroupConcat {
            let mut listed: Vec<&mut Expr> = args.iter_mut().collect();
            build::settle_each(&mut listed, "group_concat(", self.state, |e| {
                build::settle_bytes(ty.collation, e)
            })?;
        }
        if matches!(call.kind, ast::AggregateKind::JsonArrayAgg | ast::AggregateKind::JsonObjectAgg) {
            let mut shapes = args.iter_mut().filter(|e| build::is_chosen_shape(&e.ty));
            shapes.try_for_each(|e| build::settle_bytes(ty.collation, e))?;
        }
        // A mean is reckoned with as a double and otherwise, and so are bits.
        let slots = if call.kind == ast::AggregateKind::Avg || call.kind.is_of_bits() { 2 } else { 1 };
        let slot = owner.reserve(slots);
        scope.note_reach(owner.level);
        let aggregate = AggregateCall {
            // The ends of different values are those of all.
            distinct: call.distinct
                && !matches!(call.kind, ast::AggregateKind::Min | ast::AggregateKind::Max),
            order_by,
            separator: call.separator.clone().unwrap_or_else(|| b",".to_vec()),
            limit,
            slot,
            ..AggregateCall::of(call.kind, args, ty)
        };
        let mut ty = aggregate.ty.clone();
        ty.origin.show_as(|| aggregate_text(&aggregate));
        let expr = Expr { kind: Kind::Column(crate::expr::Slot { level: owner.level, index: slot }), ty };
        let expr = build::with_all_digits(expr, call.kind, &aggregate.args);
        owner.aggregates.borrow_mut().push(aggregate);
        Ok(expr)
    }

    #[allow(clippy::type_complexity)]
    fn aggregate_parts(
        &mut self,
        call: &ast::Aggregate,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<(Vec<Expr>, Vec<SortKey>, Option<(u64, u64)>), SqlError> {
        let args = self.scalars(&call.args, scope, clause)?;
        let mut order_by = Vec::new();
        for item in &call.order_by {
            let expr = match self.position_of(&item.expr)? {
                Some(n) => {
                    let position = usize::try_from(n).ok().and_then(|n| args.get(n.checked_sub(1)?));
                    position.cloned().ok_or_else(|| SqlError::bad_field(n, Clause::OrderBy.name()))?
                }
                None => self.scalar(&item.expr, scope, clause)?,
            };
            order_by.push(SortKey::new(expr, item.desc));
        }
        // GROUP_CONCAT takes nothing of rows with NULL, however many are wanted.
        let nothing = call.kind == ast::AggregateKind::GroupConcat
            && args.iter().any(|e| matches!(e.kind, Kind::Const(Value::Null)));
        let constant = |binder: &mut Self, e: &Option<ast::Expr>, default: u64| match e {
            None => Ok(default),
            Some(e) => {
                let bound = binder.scalar(e, scope, clause)?;
                if nothing {
                    return Ok(default);
                }
                let known = !matches!(bound.kind, Kind::Param(n) if binder.params.get(n as usize).is_none());
                if known && bound.ty.class() != Class::Int {
                    return Err(SqlError::limit_not_integer());
                }
                build::constant_count(&bound, binder.params, binder.state)
            }
        };
        let limit = match &call.limit {
            None => None,
            Some(limit) => Some((constant(self, &limit.count, u64::MAX)?, constant(self, &limit.offset, 0)?)),
        };
        Ok((args, order_by, limit))
    }

    /// `VALUES(column)`: the value that the INSERT under way gave, kept in the frame level 0 behind the table's columns.
    fn values_of(&mut self, column: &ast::ColumnRef, scope: &Scope<'_>) -> Result<Expr, SqlError> {
        scope.resolve(None, Some(VALUES_TABLE), &column.column, Clause::Values).or_else(|_| {
            let clause = Clause::Select;
            let bound =
                scope.resolve(column.database.as_deref(), column.table.as_deref(), &column.column, clause)?;
            let mut ty = bound.ty;
            ty.nullable = true;
            Ok(Expr { kind: Kind::Const(types::Value::Null), ty })
        })
    }
}

/// Whether an expression is a literal with or without signs.
fn is_literal(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Plus, expr } => is_literal(expr),
        _ => false,
    }
}

/// How a bit operator is written; the others do not name themselves.
fn bit_operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::BitOr => "|",
        BinaryOp::BitAnd => "&",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitXor => "^",
        _ => "",
    }
}
