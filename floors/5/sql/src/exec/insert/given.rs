//! Columns that get no value, or none but NULL: those that a statement leaves out, and what lines of a file lack.

use super::{Inserter, Made, store_in};
use crate::bind::insert::{InsertPlan, InsertRows};
use crate::error::{ER_BAD_NULL_ERROR, SqlError};
use crate::exec::Cx;
use crate::exec::defaults::{blank, implicit_default};
use crate::session::{Level, State};
use engine::View;
use types::{ColumnType, DefaultValue, EnumValue, TableDef, Value};

/// Error 1364 for a column without default that the statement gives no value, said once and before the first row;
/// one that ON DUPLICATE KEY UPDATE of listed rows names passes, as ENUM does, whose first label serves, and the counter of
/// listed rows.
pub(super) fn check_all(
    plan: &InsertPlan,
    given: &[usize],
    fails: bool,
    state: &mut State,
) -> Result<(), SqlError> {
    let listed = matches!(plan.rows, InsertRows::Values(_));
    let updated = if listed { &plan.on_duplicate[..] } else { &[] };
    let counts = |at: usize| listed && plan.table.def().columns[at].auto_increment;
    let named =
        |at: usize| given.contains(&at) || counts(at) || updated.iter().any(|(updated, _)| *updated == at);
    check_named((plan.table.def(), plan.view.as_deref()), named, fails, state)
}

/// As [`check_all`], for a table, or a view over it, of which the columns `named` get values.
pub(crate) fn check_named(
    (table, view): (&TableDef, Option<&View>),
    named: impl Fn(usize) -> bool,
    fails: bool,
    state: &mut State,
) -> Result<(), SqlError> {
    let mut first = None;
    for (at, column) in table.columns.iter().enumerate() {
        if column.has_default() || named(at) {
            continue;
        }
        let error = match view {
            Some(view) => SqlError::no_default_for_view_field(&view.def().db, &view.def().name),
            None => SqlError::no_default_for_field(&column.name),
        };
        let level = if fails { Level::Error } else { Level::Warning };
        state.warn(level, error.errno, error.message.clone());
        if fails {
            first.get_or_insert(error);
        }
    }
    first.map_or(Ok(()), Err)
}

impl<'p> Inserter<'p> {
    /// As [`Inserter::new`]; that a column gets no value is a warning in any mode, if anything.
    pub(in crate::exec) fn lenient(
        plan: &'p InsertPlan,
        given: Option<&[usize]>,
        cx: &mut Cx<'_>,
    ) -> Result<Self, SqlError> {
        if let Some(given) = given {
            cx.state.leniently(|state| check_all(plan, given, false, state))?;
        }
        Ok(Self::resume(plan, Made::nothing(plan), cx))
    }

    /// Of the one row of a list it is told that a default comes to nothing, beside the NULL that is none of its column's.
    pub(super) fn tell_of_default(&self, error: &SqlError, column: usize, cx: &mut Cx<'_>) {
        let alone = matches!(&self.plan.rows, InsertRows::Values(rows) if rows.len() == 1);
        if alone && error.errno == ER_BAD_NULL_ERROR {
            let name = &self.plan.table.def().columns[column].name;
            cx.state.warn(Level::Error, error.errno, error.message.clone());
            let told = format!("Got an error when calculating default value for `{name}`");
            cx.state.warn(Level::Error, 4028, told);
        }
    }

    /// Gives a column a field of a file. What stands there for a generated column must be a value of its type, and is left.
    pub(in crate::exec) fn give_field(
        &mut self,
        column: usize,
        field: Value,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let def = &self.plan.table.def().columns[column];
        match def.generated.is_some() {
            true => store_in(&field, def, true, cx).map(drop),
            false => self.give_value(column, field, cx),
        }
    }

    /// Gives a column the NULL of a file: error 1263 where it takes none, or the zero value with a warning.
    pub(in crate::exec) fn give_null(&mut self, column: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let def = &self.plan.table.def().columns[column];
        if def.generated.is_some() {
            return Ok(());
        }
        let takes =
            def.nullable || self.auto_column == Some(column) || matches!(def.ty, ColumnType::Timestamp(_));
        if takes {
            return self.give_value(column, Value::Null, cx);
        }
        let error = SqlError::null_to_not_null(&def.name, cx.state.statement.row);
        if cx.state.statement.strict && !self.plan.ignore {
            return Err(error);
        }
        cx.state.warn(Level::Warning, error.errno, error.message);
        self.set(column, implicit_default(def), cx);
        Ok(())
    }

    /// Gives a column what a line that is too short has for it: the zero value, or NULL where that is its default and something
    /// parts the fields.
    pub(in crate::exec) fn give_nothing(
        &mut self,
        column: usize,
        parted: bool,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let table = self.plan.table.def();
        let def = &table.columns[column];
        // Nobody asks what the time comes to, or an expression that is no constant.
        let nothing = match def.default {
            DefaultValue::Literal(_) => false,
            DefaultValue::Expression(_) => blank(&mut Cx::new(cx.state, &[]), table, def)?.is_null(),
            _ => true,
        };
        // An empty geometry reads as NULL.
        let shapeless = matches!(def.ty, ColumnType::Geometry(_));
        let null_by_default = def.nullable && (shapeless || (parted && nothing));
        let timestamp = matches!(def.ty, ColumnType::Timestamp(_)) && (parted || !def.nullable);
        if def.generated.is_some() {
            return Ok(());
        }
        if null_by_default || timestamp || self.auto_column == Some(column) {
            return self.give_value(column, Value::Null, cx);
        }
        let zero = match &def.ty {
            // Not its first label.
            ColumnType::Enum(labels) => {
                Value::Enum(EnumValue { index: 0, labels: labels.clone(), collation: def.collation })
            }
            _ => implicit_default(def),
        };
        self.set(column, zero, cx);
        Ok(())
    }
}
