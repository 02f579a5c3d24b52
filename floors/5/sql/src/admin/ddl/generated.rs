//! Generated columns whose kept values would depend on `sql_mode`.

use crate::error::SqlError;
use crate::expr::{Class, Expr as Bound, Kind, Named, TypeKind};
use crate::session::{Level, State};
use crate::syntax::ast::walk::Below;
use crate::syntax::ast::{Expr, ExprKind};
use types::table::same_name;
use types::{ColumnType, TableDef, Value};

/// Error 1901 for a value that is kept and whose fraction of a second is cut or rounded by `sql_mode`.
pub fn check_rounding(def: &TableDef, at: usize, expr: &Bound, state: &mut State) -> Result<(), SqlError> {
    let column = &def.columns[at];
    let Some(generated) = &column.generated else { return Ok(()) };
    let indexed = def.indexes.iter().any(|index| index.parts.iter().any(|part| part.column == at));
    if !(generated.stored || indexed) {
        return Ok(());
    }
    if rounds_inside(expr) {
        return Err(depends_on_mode(def, at, "TIME_ROUND_FRACTIONAL", state));
    }
    let digits = match &column.ty {
        ColumnType::Time(digits) | ColumnType::DateTime(digits) | ColumnType::Timestamp(digits) => *digits,
        _ => return Ok(()),
    };
    // A date or time as it is written is one already, without a fraction where none is written.
    let timed = |text: &[u8]| text.first().is_some_and(|c| c.is_ascii_digit() || *c == b'-');
    let written = matches!(&expr.kind, Kind::Const(Value::Str(text)) if timed(&text.bytes) && !text.bytes.contains(&b'.'));
    // So is what an interval is added to.
    match written || adds_to_text(expr) || fraction_of(expr) <= digits {
        true => Ok(()),
        false => Err(depends_on_mode(def, at, "TIME_ROUND_FRACTIONAL", state)),
    }
}

/// Digits of a second that a value may have as a date or time.
fn fraction_of(expr: &Bound) -> u8 {
    match (expr.ty.class(), expr.ty.kind) {
        (_, TypeKind::Null | TypeKind::Enum | TypeKind::Set) => 0,
        (Class::Str | Class::Real, _) => 6,
        _ => expr.ty.decimals.min(6),
    }
}

/// Whether an expression makes a time of what may have more digits of a second.
fn rounds_inside(expr: &Bound) -> bool {
    let mut rounds = false;
    expr.visit(&mut |e| {
        rounds |= match &e.kind {
            Kind::Call(call) if matches!(call.name, "cast_as_time" | "cast_as_datetime") => {
                call.args.first().is_some_and(|given| fraction_of(given) > e.ty.decimals)
            }
            Kind::Const(_) => matches!(&e.ty.origin, Named::Computed(of) if rounds_inside(of)),
            _ => false,
        };
    });
    rounds
}

/// Whether an interval is added to text, or to nothing.
fn adds_to_text(e: &Bound) -> bool {
    match &e.kind {
        Kind::Call(call) => {
            call.name.starts_with("date_") && call.args.first().is_some_and(|e| e.ty.class() == Class::Str)
        }
        Kind::Const(_) => matches!(&e.ty.origin, Named::Computed(of) if adds_to_text(of)),
        _ => false,
    }
}

/// Error 1901 for a value that is kept and that has the spaces of a CHAR column or not, as `sql_mode` says.
pub fn check_padding(
    def: &TableDef,
    at: usize,
    expression: &Expr,
    state: &mut State,
) -> Result<(), SqlError> {
    let column = &def.columns[at];
    let Some(generated) = &column.generated else { return Ok(()) };
    let indexed = def.indexes.iter().any(|index| index.parts.iter().any(|part| part.column == at));
    let keeps = matches!(
        column.ty,
        ColumnType::VarChar(_)
            | ColumnType::Text(_)
            | ColumnType::VarBinary(_)
            | ColumnType::Blob(_)
            | ColumnType::Bit(_)
            | ColumnType::Binary(_)
            | ColumnType::Fixed(_)
            | ColumnType::Geometry(_)
    );
    let whole = padded(def, expression);
    let pads = if whole { keeps } else { reads_padding(def, expression) };
    match pads && (generated.stored || indexed) {
        true => Err(depends_on_mode(def, at, "PAD_CHAR_TO_FULL_LENGTH", state)),
        false => Ok(()),
    }
}

/// Whether an expression is a CHAR column.
fn padded(def: &TableDef, e: &Expr) -> bool {
    let ExprKind::Column(column) = &e.kind else { return false };
    def.columns.iter().any(|c| same_name(&c.name, &column.column) && matches!(c.ty, ColumnType::Char(_)))
}

/// Whether the spaces of a CHAR column matter to an expression: not in comparisons, nor where they are cut.
fn reads_padding(def: &TableDef, e: &Expr) -> bool {
    let spared = match &e.kind {
        ExprKind::Binary { op, .. } => op.is_comparison(),
        ExprKind::Function(call) => call.name.eq_ignore_ascii_case("rtrim"),
        _ => false,
    };
    let mut reads = false;
    e.below(&mut |below| {
        if let Below::Expr(inner) = below {
            reads |= !(spared && padded(def, inner)) && (padded(def, inner) || reads_padding(def, inner));
        }
    });
    reads
}

fn depends_on_mode(def: &TableDef, at: usize, mode: &str, state: &mut State) -> SqlError {
    let column = &def.columns[at];
    let expression = column.generated.as_ref().map_or("", |generated| &generated.expression);
    let error = SqlError::function_not_allowed_in(expression, "GENERATED ALWAYS AS", &column.name);
    state.warn(Level::Error, error.errno, error.message.clone());
    state.warn(Level::Warning, 1105, format!("Expression depends on the @@sql_mode value {mode}"));
    error
}
