//! Default values of columns.

use super::Cx;
use crate::bind::Clause;
use crate::error::SqlError;
use crate::expr::{Expr, Type, build, store};
use crate::session::{State, expression_over};
use types::{ColumnDef, ColumnType, DefaultValue, TableDef, Timestamp, Value};

/// The value that a column gets when a statement gives none; `None` where it has no default (error 1364 or the
/// type's zero value, as `sql_mode` says).
pub fn default_value(cx: &mut Cx<'_>, column: &ColumnDef) -> Result<Option<Value>, SqlError> {
    match &column.default {
        DefaultValue::None if column.nullable => Ok(Some(Value::Null)),
        DefaultValue::None if column.has_default() && !column.auto_increment => {
            Ok(Some(implicit_default(column)))
        }
        DefaultValue::Missing if column.has_default() && !column.auto_increment => Ok(Some(Value::Null)),
        DefaultValue::None | DefaultValue::Missing => Ok(None),
        DefaultValue::Null => Ok(Some(Value::Null)),
        DefaultValue::Literal(text) => store::literal_default(text, column, cx.state).map(Some),
        DefaultValue::CurrentTimestamp => Ok(Some(current_timestamp(cx.state, column))),
        DefaultValue::Expression(text) => {
            let expr = crate::session::expression_of(text, cx.state)?;
            computed(&expr, column, cx).map(Some)
        }
    }
}

/// As [`default_value`] for a column of a table whose row stands in the first frame: the default may name others.
pub fn default_in_row(
    cx: &mut Cx<'_>,
    table: &TableDef,
    column: &ColumnDef,
) -> Result<Option<Value>, SqlError> {
    let DefaultValue::Expression(text) = &column.default else { return default_value(cx, column) };
    let expr = expression_over(text, table, Clause::Default, cx.state)?;
    computed(&expr, column, cx).map(Some)
}

/// What the columns of a new row hold until something is given to them: their constant defaults, else nothing, or zero
/// where they take no NULL.
pub fn blank_row(table: &TableDef, state: &mut State) -> Result<Vec<Value>, SqlError> {
    let mut cx = Cx::new(state, &[]);
    table.columns.iter().map(|column| blank(&mut cx, table, column)).collect()
}

/// What a column of a new row holds until something is given to it.
pub(super) fn blank(cx: &mut Cx<'_>, table: &TableDef, column: &ColumnDef) -> Result<Value, SqlError> {
    match &column.default {
        DefaultValue::Literal(text) => return store::literal_default(text, column, cx.state),
        DefaultValue::Expression(text) => {
            let expr = expression_over(text, table, Clause::Default, cx.state)?;
            if expr.is_fixed() {
                return computed(&expr, column, cx);
            }
        }
        _ => {}
    }
    Ok(if column.nullable { Value::Null } else { implicit_default(column) })
}

/// The value of a default that is computed. What is wrong with a constant was said when its table was made.
fn computed(expr: &Expr, column: &ColumnDef, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    if expr.is_fixed() {
        return super::rules::computed_quietly(expr, column, cx);
    }
    let value = expr.eval_for(column, cx)?;
    store::store(&value, column, cx.state)
}

/// `NOW()` as the column keeps it.
pub fn current_timestamp(state: &mut State, column: &ColumnDef) -> Value {
    let fsp = column.ty.decimals();
    let step = 10_u32.pow(6 - u32::from(fsp.min(6)));
    let now = state.statement.now;
    let now = Timestamp { micros: now.micros - now.micros % step, ..now };
    match column.ty {
        ColumnType::Timestamp(_) => Value::Timestamp(now, fsp),
        _ => Value::DateTime(state.vars.time_zone.to_local(now), fsp),
    }
}

/// The value of a column without default where `sql_mode` is not strict: NULL, or zero, '', the first label.
pub fn implicit_default(column: &ColumnDef) -> Value {
    if column.default == DefaultValue::Missing {
        return Value::Null;
    }
    store::implicit_default(column)
}

/// Whether DEFAULT is refused for a column: the first label of an ENUM is for rows that leave it out alone.
pub fn lacks_default(column: &ColumnDef) -> bool {
    let labelled = matches!(column.ty, ColumnType::Enum(_)) && column.generated.is_none();
    !column.has_default() || labelled && column.lacks_default() && !column.nullable
}

/// `DEFAULT(column)` as an expression.
pub fn default_expr(state: &mut State, column: &ColumnDef) -> Result<Expr, SqlError> {
    let mut cx = Cx::new(state, &[]);
    let value = match default_value(&mut cx, column)? {
        Some(_) if lacks_default(column) => return Err(SqlError::no_default_for_field(&column.name)),
        Some(value) => value,
        None if column.auto_increment => Value::Int(0),
        None => return Err(SqlError::no_default_for_field(&column.name)),
    };
    let mut ty = build::column_type(column);
    ty.nullable = true;
    Ok(Expr { kind: crate::expr::Kind::Const(value), ty })
}

/// `DEFAULT(column)` of a column whose default is `value`, an expression over its row: stored into the column's type,
/// as a row would keep it.
pub fn as_stored(value: Expr, column: &ColumnDef) -> Expr {
    let ty = Type { nullable: true, ..build::column_type(column) };
    build::volatile_call("default", store_as_type, vec![value], ty)
}

fn store_as_type(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = args[0].eval(cx)?;
    store::store(&value, &crate::admin::column_of("DEFAULT", ty), cx.state)
}
