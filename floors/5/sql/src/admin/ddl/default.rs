//! DEFAULT and ON UPDATE of columns.

use super::draft::DraftColumn;
use super::{allowed, print};
use crate::bind::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Expr, store};
use crate::session::{Level, State, expression_over, mode};
use crate::syntax::ast::{self, ExprKind, UnaryOp};
use types::convert;
use types::{CollationId, ColumnDef, ColumnType, DefaultValue, StrValue, TableDef, Value};

/// A default as written: that of its column, or a literal that is not converted to it yet.
pub enum Said {
    /// As the column has it.
    Default(DefaultValue),
    /// A literal's value.
    Literal(Value),
}

/// The default that `expr` gives `column`; errors 1067, 1054.
pub fn of(expr: &ast::Expr, column: &ColumnDef, text: &[u8], state: &mut State) -> Result<Said, SqlError> {
    let invalid = || SqlError::invalid_default(&column.name);
    if column.auto_increment {
        return Err(invalid());
    }
    let temporal = matches!(column.ty, ColumnType::DateTime(_) | ColumnType::Timestamp(_));
    if let (Some(fraction), true) = (now_fraction(expr), temporal)
        && (fraction == 0 || fraction >= u64::from(column.ty.decimals()))
    {
        return Ok(Said::Default(DefaultValue::CurrentTimestamp));
    }
    if is_literal(expr) {
        let scope = Scope::new(None, 0);
        let bound = Binder::new(state, text, &[]).scalar(expr, &scope, Clause::Default)?;
        let value = bound.eval_for(column, &mut Cx::new(state, &[]))?;
        return match (value.is_null(), column.nullable) {
            // TEXT and BLOB keep numbers and dates as they are written.
            (false, _)
                if matches!(column.ty, ColumnType::Text(_) | ColumnType::Blob(_)) && !is_text(expr) =>
            {
                let printed = allowed::text(Clause::Default, &column.name, expr)?;
                literal(value, column, state)?;
                Ok(Said::Default(DefaultValue::Expression(printed)))
            }
            (false, _) => Ok(Said::Literal(value)),
            (true, true) => Ok(Said::Default(DefaultValue::Null)),
            (true, false) => Err(invalid()),
        };
    }
    // It is bound with the whole table.
    let printed = allowed::text(Clause::Default, &column.name, expr)?;
    let bare = match &expr.kind {
        ExprKind::Function(_) => !crate::expr::is_operator(expr),
        ExprKind::Column(_) => true,
        _ => false,
    };
    Ok(Said::Default(DefaultValue::Expression(if bare { printed } else { format!("({printed})") })))
}

/// Whether it is the word NULL.
pub fn is_null(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(ast::Literal::Null))
}

/// SET DEFAULT and DROP DEFAULT, which leaves `nothing`, of a column that is altered.
pub fn alter(
    column: &mut DraftColumn,
    expr: Option<&ast::Expr>,
    nothing: DefaultValue,
    text: &[u8],
    state: &mut State,
) -> Result<(), SqlError> {
    let null = expr.is_some_and(is_null);
    // Told of when the whole table is known.
    if null && !column.def.nullable {
        column.default = Some(Value::Null);
        return Ok(());
    }
    let said = match expr {
        // A counter's values are there by themselves, till this says that they are not.
        None if column.def.auto_increment => Said::Default(DefaultValue::Missing),
        None => Said::Default(nothing),
        // Of these MariaDB keeps it as an expression.
        Some(_)
            if null
                && matches!(
                    column.def.ty,
                    ColumnType::Text(_) | ColumnType::Blob(_) | ColumnType::Geometry(_)
                ) =>
        {
            Said::Default(DefaultValue::Expression("NULL".to_owned()))
        }
        // What says that it counts says nothing against another value for rows that leave it out.
        Some(expr) => {
            let plain = ColumnDef { auto_increment: false, ..column.def.clone() };
            of(expr, &plain, text, state)?
        }
    };
    // MariaDB keeps a time that is both for rows that come and for those that change as one fact.
    column.def.on_update_now &= column.def.default != DefaultValue::CurrentTimestamp;
    match said {
        Said::Default(default) => (column.def.default, column.default) = (default, None),
        Said::Literal(value) => column.default = Some(value),
    }
    Ok(())
}

/// Whether ON UPDATE says the current time, with as many digits of a second as the column keeps, or more; error 1294.
pub fn on_update(expr: &ast::Expr, column: &ColumnDef) -> Result<bool, SqlError> {
    let temporal = matches!(column.ty, ColumnType::DateTime(_) | ColumnType::Timestamp(_));
    match now_fraction(expr) {
        Some(fraction) if temporal && (fraction == 0 || fraction >= u64::from(column.ty.decimals())) => {
            Ok(true)
        }
        _ => Err(SqlError::invalid_on_update(&column.name)),
    }
}

/// The digits of a second that an expression for the current time asks for; none for others.
fn now_fraction(expr: &ast::Expr) -> Option<u64> {
    let ExprKind::Function(call) = &expr.kind else { return None };
    match (call.name.as_str(), &call.args[..]) {
        ("current_timestamp", []) => Some(0),
        ("current_timestamp", [ast::Expr { kind: ExprKind::Literal(ast::Literal::Int(digits)), .. }]) => {
            Some(*digits)
        }
        _ => None,
    }
}

fn is_literal(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary { op: UnaryOp::Neg | UnaryOp::Plus, expr } => is_literal(expr),
        _ => false,
    }
}

/// Whether a literal is text in quotes.
fn is_text(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(ast::Literal::Str(_)))
}

/// A literal's value, not NULL, as a column's default.
pub fn literal(value: Value, column: &ColumnDef, state: &mut State) -> Result<DefaultValue, SqlError> {
    let listed = match &column.ty {
        ColumnType::Enum(labels) | ColumnType::Set(labels) => Some(labels),
        _ => None,
    };
    if let Some(labels) = listed {
        // A number must be the name of a member, too, though it counts them then.
        let text = crate::expr::compare_text(&value);
        let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let text = StrValue::of_plain(text.into_bytes(), column.collation);
        let named = labels.find(&text.bytes, column.collation).is_some();
        if (number || value.is_numeric()) && !named {
            return Err(SqlError::invalid_default(&column.name));
        }
    }
    let stored = convert::store(value.clone(), &column.ty, column.collation, &state.convert_context());
    if let Some(issue) = &stored.issue {
        if listed.is_some() {
            return Err(SqlError::invalid_default(&column.name));
        }
        let nowhere = (String::new(), String::new());
        let complaint = store::complaint(issue, &value, column, &nowhere, 0);
        let said = complaint.softer.unwrap_or(complaint.error);
        state.warn(complaint.level, said.errno, said.message);
        // A number in exponents is written as short as the text is long.
        let fitted = matches!(value, Value::Double(_)) && column.ty.is_string();
        if complaint.level != Level::Note && !fitted {
            return Err(SqlError::invalid_default(&column.name));
        }
    }
    Ok(DefaultValue::Literal(text_of(stored.value, state)))
}

/// A default that is the same for every row is computed when its table is defined: error 1067 where it is no value of
/// the column.
pub fn constant(expr: &Expr, column: &ColumnDef, state: &mut State) -> Result<(), SqlError> {
    if !expr.is_fixed() {
        return Ok(());
    }
    let value = expr.eval(&mut Cx::new(state, &[]))?;
    if value.is_null() {
        return if column.nullable { Ok(()) } else { Err(SqlError::invalid_default(&column.name)) };
    }
    let listed = matches!(column.ty, ColumnType::Enum(_) | ColumnType::Set(_));
    match listed {
        false => literal(value, column, state).map(drop),
        true => {
            let stored = convert::store(value, &column.ty, column.collation, &state.convert_context());
            if stored.issue.is_none() {
                return Ok(());
            }
            let warning = SqlError::data_truncated(&column.name, 0);
            state.warn(Level::Warning, warning.errno, warning.message);
            Err(SqlError::invalid_default(&column.name))
        }
    }
}

/// Computes the defaults of a table's columns over the row that has nothing but defaults, as MariaDB does before it alters
/// the table: what they come upon is told, and an error ends the statement; whether the columns hold them nobody asks.
pub fn fill_blank(table: &TableDef, state: &mut State) -> Result<(), SqlError> {
    let computed = |column: &ColumnDef| match &column.default {
        DefaultValue::Expression(text) => Some(text.clone()),
        _ => None,
    };
    let defaults: Vec<(usize, String)> =
        table.columns.iter().enumerate().filter_map(|(at, column)| Some((at, computed(column)?))).collect();
    if defaults.is_empty() {
        return Ok(());
    }
    state.leniently(|state| {
        let strict = std::mem::replace(&mut state.statement.strict, false);
        let filled = fill(table, &defaults, state);
        state.statement.strict = strict;
        filled
    })
}

fn fill(table: &TableDef, defaults: &[(usize, String)], state: &mut State) -> Result<(), SqlError> {
    let told = state.diagnostics.told();
    let blank = crate::exec::defaults::blank_row(table, state)?;
    state.diagnostics.forget_since(told);
    let mut cx = Cx::new(state, &[]);
    cx.frame_mut(0, blank.len())[..blank.len()].clone_from_slice(&blank);
    for (at, text) in defaults {
        let told = cx.state.diagnostics.told();
        let expr = expression_over(text, table, Clause::Default, cx.state)?;
        cx.state.diagnostics.forget_since(told);
        // Of a constant it was told when the statement named it, or the table was opened.
        if expr.is_fixed() {
            continue;
        }
        let value = expr.eval_for(&table.columns[*at], &mut cx)?;
        let told = cx.state.diagnostics.told();
        let stored = store::store(&value, &table.columns[*at], cx.state);
        cx.state.diagnostics.forget_since(told);
        if let Ok(stored) = stored {
            cx.frame_mut(0, blank.len())[*at] = stored;
        }
    }
    Ok(())
}

/// The stored value's text as the catalog keeps it.
fn text_of(value: Value, state: &State) -> Vec<u8> {
    let mut text = Vec::new();
    match value {
        Value::Bit(bit) => {
            let number = bit.to_bytes().iter().fold(0u64, |n, &byte| n << 8 | u64::from(byte));
            text.extend_from_slice(number.to_string().as_bytes());
        }
        value => value.in_zone(&state.vars.time_zone).append_text(&mut text),
    }
    text
}

/// A literal default's text in UTF-8, that of CHAR with the spaces that `sql_mode` may want to see.
pub fn plain(text: &[u8], column: &ColumnDef, sql_mode: u64) -> String {
    let charset = if column.ty.has_charset() { column.collation } else { CollationId::UTF8MB4_GENERAL_CI };
    let plain = charset.charset().to_utf8_lossy(text);
    match &column.ty {
        ColumnType::Char(chars) if sql_mode & mode::PAD_CHAR_TO_FULL_LENGTH != 0 => {
            format!("{plain:<width$}", width = *chars as usize)
        }
        _ => plain,
    }
}

/// As [`plain`], as SHOW CREATE TABLE quotes it.
pub fn shown(text: &[u8], column: &ColumnDef, sql_mode: u64) -> String {
    let plain = plain(text, column, sql_mode);
    match &column.ty {
        ColumnType::Bit(_) => format!("b'{:b}'", plain.parse::<u64>().unwrap_or(0)),
        ColumnType::Integer(ty) if ty.zerofill => format!("{plain:0>width$}", width = usize::from(ty.width)),
        ColumnType::Float(ty) | ColumnType::Double(ty) if ty.digits.is_some() => {
            let digits = ty.digits.map_or(0, |(_, digits)| usize::from(digits));
            plain.parse::<f64>().map_or(plain, |number| format!("{number:.digits$}"))
        }
        ty if ty.is_numeric() => plain,
        // Of long text the default is an expression.
        ColumnType::Text(_) | ColumnType::Blob(_) => crate::expr::string_text(plain.as_bytes()),
        _ => print::quoted(&plain),
    }
}
