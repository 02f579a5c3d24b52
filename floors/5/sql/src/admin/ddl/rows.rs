//! Rows of an old definition become rows of a new one.

use super::copied;
use crate::bind::{Clause, assigned};
use crate::error::{ER_CONSTRAINT_FAILED, SqlError};
use crate::exec::Cx;
use crate::exec::defaults::{current_timestamp, default_value, implicit_default};
use crate::exec::faults::{Faults, Manner};
use crate::exec::insert::store_in;
use crate::exec::rules::Checks;
use crate::exec::rules::as_read;
use crate::expr::build::column_type;
use crate::expr::{Expr, store};
use crate::session::{Level, State, StatementFacts, expression_over, mode};
use engine::Table;
use std::collections::HashSet;
use types::{ColumnDef, ColumnType, DefaultValue, EnumValue, IndexKey, RowError, RowLayout, TableDef, Value};

/// Where a new column's values come from.
enum From {
    /// The old column as it is.
    Same(usize),
    /// The old column as it is, if the mode allows what is there.
    Checked(usize),
    /// The old column, converted.
    Converted(usize),
    /// A value that all rows get.
    Constant(Value),
    /// Computed from the new row.
    Generated(Expr),
}

/// The keys of a unique index that rows have brought.
struct Distinct {
    keys: IndexKey,
    seen: HashSet<Vec<u8>>,
}

impl Distinct {
    /// Those of all unique indexes of a table.
    fn all(table: &TableDef) -> Vec<Distinct> {
        let unique = table.indexes.iter().filter(|index| index.is_unique());
        unique.map(|index| Distinct { keys: IndexKey::primary(table, index), seen: HashSet::new() }).collect()
    }

    /// The row's key; none where NULL is in it, which is equal to nothing.
    fn key(&self, layout: &RowLayout, row: &[u8]) -> Result<Option<Vec<u8>>, RowError> {
        let mut key = Vec::new();
        let own = self.keys.append_row(layout, row, &mut key)?;
        Ok((!own.has_null).then_some(key))
    }
}

/// Maps rows one by one.
pub struct RowMapper {
    old: RowLayout,
    new: RowLayout,
    columns: Vec<ColumnDef>,
    old_columns: Vec<ColumnDef>,
    from: Vec<From>,
    /// The AUTO_INCREMENT column, if rows may need numbers.
    counter: Option<(usize, u64)>,
    /// Whether that column is new, and nobody wrote the zeros in it.
    counts_anew: bool,
    /// CHECKs that the rows are held to.
    checks: Checks,
    ignore: bool,
    rows: u64,
    /// Rows that IGNORE left out, for a CHECK that they fail.
    pub left_out: u64,
    /// Rows that IGNORE left out, for a unique key that another has.
    pub duplicates: u64,
    /// The keys of rows that are copied, where IGNORE leaves out those whose keys are there.
    distinct: Vec<Distinct>,
    /// The error of a row that would go for a unique key though a foreign key may name it.
    parent: Option<SqlError>,
    identity: bool,
    /// MariaDB copies the rows, it does not change the table in its place.
    copied: bool,
    /// Virtual columns of indexes that MariaDB builds in the table's place, index by index: it computes them for that.
    built: Vec<(usize, Expr)>,
    values: Vec<Value>,
    /// Database and name, for messages.
    table: (String, String),
}

impl RowMapper {
    /// The mapping of `old` to `new`, whose columns come `from` old ones.
    pub fn new(
        table: &Table,
        new: &TableDef,
        from: Vec<Option<usize>>,
        ignore: bool,
        state: &mut State,
    ) -> Result<RowMapper, SqlError> {
        let old = table.def();
        let (columns, wide) = (old.columns.len(), new.columns.len());
        // Columns behind all others whose bits a row has beside its own, set.
        let keyed = |index: &types::IndexDef| index.parts.iter().any(|part| part.column >= columns);
        let mut identity = columns == wide || columns < wide && RowLayout::has_bits(columns, wide);
        identity &= !new.indexes.iter().any(keyed);
        let mut sources = Vec::with_capacity(from.len());
        let mut counter = None;
        for (at, (column, from)) in new.columns.iter().zip(&from).enumerate() {
            let kept = from.filter(|&f| keeps_bytes(&old.columns[f], column));
            let appended = at >= columns && from.is_none();
            identity &=
                appended || kept == Some(at) || (*from == Some(at) && keeps_image(&old.columns[at], column));
            let was_counter = from.is_some_and(|f| old.columns[f].auto_increment);
            if column.auto_increment && !was_counter {
                let said = new.auto_increment.filter(|_| new.auto_increment != old.auto_increment);
                counter = Some((at, said.filter(|_| from.is_none()).unwrap_or(1)));
                identity = false;
            }
            let source = match (from, kept, &column.generated) {
                (_, None, Some(generated)) => {
                    let text = &generated.expression;
                    From::Generated(expression_over(text, new, Clause::Generated, state)?)
                }
                (_, Some(f), Some(generated)) if old.columns[f].generated.as_ref() != Some(generated) => {
                    identity = false;
                    let text = &generated.expression;
                    From::Generated(expression_over(text, new, Clause::Generated, state)?)
                }
                (_, Some(f), _) => From::Same(f),
                (Some(f), None, None) => {
                    let lenient = ignore || !state.vars.is_strict();
                    assigned::check(&column_type(&old.columns[*f]), at, new, lenient, state)?;
                    From::Converted(*f)
                }
                (None, ..) => match &column.default {
                    DefaultValue::Expression(text) => {
                        From::Generated(expression_over(text, new, Clause::Default, state)?)
                    }
                    _ => From::Constant(value_of_new(column, state)?),
                },
            };
            identity &= !appended || stands_for(&source, column);
            sources.push(source);
        }
        Ok(RowMapper {
            old: table.layout().clone(),
            new: RowLayout::of(new),
            columns: new.columns.clone(),
            old_columns: old.columns.clone(),
            from: sources,
            counts_anew: counter.is_some_and(|(at, _): (usize, u64)| from[at].is_none()),
            counter,
            identity,
            checks: Checks::default(),
            copied: false,
            built: Vec::new(),
            ignore,
            rows: 0,
            left_out: 0,
            duplicates: 0,
            distinct: Vec::new(),
            parent: None,
            values: Vec::new(),
            table: (old.db.clone(), old.name.clone()),
        })
    }

    /// Whether rows stay as they are, and are looked at nevertheless.
    pub fn looks(&self) -> bool {
        self.identity && !self.built.is_empty()
    }

    /// Whether old images are new images as they are.
    pub fn is_identity(&self) -> bool {
        self.identity
    }

    /// The NOT NULL columns that are new, and the row values that stand for them in images that stay.
    pub fn absent(&self) -> Vec<(usize, Vec<u8>)> {
        let value = |(at, from): (usize, &From)| {
            let From::Constant(value) = from else { return None };
            let mut bytes = Vec::new();
            let column = self.new.column(at);
            let known = !column.nullable() && column.encode(value, &mut bytes).is_ok();
            known.then_some((at, bytes))
        };
        self.from.iter().enumerate().filter_map(value).collect()
    }

    /// MariaDB copies the rows: each is held to the CHECKs of its table as if it came anew (where a column comes or
    /// changes in its place, rows that are there are not), its generated columns are computed, modes that know no zero dates
    /// refuse those that are there, or warn of them, and so does a column of floats with digits what is beyond them.
    pub fn copy(
        &mut self,
        new: &TableDef,
        parent: Option<SqlError>,
        state: &mut State,
    ) -> Result<(), SqlError> {
        (self.copied, self.parent) = (true, parent);
        if self.ignore {
            self.distinct = Distinct::all(new);
            self.identity &= self.distinct.is_empty();
        }
        if state.vars.check_constraint_checks {
            self.checks = Checks::of(new, state)?;
            self.identity &= self.checks.is_empty();
        }
        for (from, column) in self.from.iter_mut().zip(&new.columns) {
            if let (From::Same(_), Some(generated)) = (&*from, &column.generated) {
                let text = &generated.expression;
                *from = From::Generated(expression_over(text, new, Clause::Generated, state)?);
                self.identity = false;
            }
        }
        let dates = state.vars.has_mode(mode::NO_ZERO_DATE | mode::NO_ZERO_IN_DATE);
        for (from, column) in self.from.iter_mut().zip(&self.columns) {
            let checked = match &column.ty {
                ColumnType::Date | ColumnType::DateTime(_) | ColumnType::Timestamp(_) => dates,
                // Where the table was changed in its place, values may have more digits than their column.
                ColumnType::Float(ty) | ColumnType::Double(ty) => ty.digits.is_some(),
                _ => false,
            };
            if let From::Same(f) = from
                && checked
            {
                *from = From::Checked(*f);
                self.identity = false;
            }
        }
        Ok(())
    }

    /// Computes once what all rows get: the default of a new column that is an expression of constants. Where the rows are
    /// copied nothing is said of it any more.
    pub fn settle_defaults(&mut self, state: &mut State) -> Result<(), SqlError> {
        let strict = std::mem::replace(&mut state.statement.strict, false);
        for at in 0..self.from.len() {
            let value = match &self.from[at] {
                From::Generated(expr) if expr.is_const() && self.columns[at].generated.is_none() => {
                    expr.eval(&mut Cx::new(state, &[]))?
                }
                _ => continue,
            };
            let (said, told) = (state.diagnostics.entries.len(), state.diagnostics.told());
            let stored = self.convert(value, at, None, state);
            let quiet = self.copied || stored.is_err();
            if let Ok(stored) = stored {
                self.from[at] = From::Constant(stored);
            }
            if quiet {
                state.diagnostics.forget_since(told);
            }
            // There is no row yet.
            for entry in &mut state.diagnostics.entries[said..] {
                if let Some(told) = entry.message.strip_suffix(" at row 1") {
                    entry.message = format!("{told} at row 0");
                }
            }
        }
        state.statement.strict = strict;
        Ok(())
    }

    /// MariaDB changes the table in its place and builds indexes of these virtual columns: each is computed for that, which
    /// fails in strict mode with what its type can not hold.
    pub fn build(&mut self, columns: &[usize], new: &TableDef, state: &mut State) -> Result<(), SqlError> {
        for &at in columns {
            let Some(generated) = &new.columns[at].generated else { continue };
            let text = &generated.expression;
            self.built.push((at, expression_over(text, new, Clause::Generated, state)?));
        }
        Ok(())
    }

    /// Maps one row; false where IGNORE leaves it out.
    pub fn map(&mut self, old: &[u8], new: &mut Vec<u8>, state: &mut State) -> Result<bool, SqlError> {
        self.rows += 1;
        state.statement.row = self.rows;
        state.check_killed()?;
        let damaged = |error: types::RowError| SqlError::internal_error(error);
        self.values.clear();
        for (at, from) in self.from.iter().enumerate() {
            let value = match from {
                From::Same(f) => self.old.decode_column(old, *f).map_err(damaged)?,
                From::Checked(f) => {
                    let value = self.old.decode_column(old, *f).map_err(damaged)?;
                    let shown = value.in_zone(&state.vars.time_zone);
                    let was = std::mem::replace(&mut state.statement.ignore, self.ignore);
                    let stored = store::store(&shown, &self.columns[at], state);
                    state.statement.ignore = was;
                    stored?
                }
                From::Converted(f) => {
                    let mut value = self.old.decode_column(old, *f).map_err(damaged)?;
                    if matches!(value, Value::Str(_)) {
                        value = as_read(&value, &self.old_columns[*f], state);
                    }
                    self.convert(value, at, Some(*f), state)?
                }
                From::Constant(value) => {
                    self.check_day(&self.columns[at], state)?;
                    value.clone()
                }
                From::Generated(_) => Value::Null,
            };
            self.values.push(value);
        }
        self.count(state);
        match self.compute(state) {
            Err(error) if error.errno == ER_CONSTRAINT_FAILED && self.ignore => {
                state.warn(Level::Warning, error.errno, error.message);
                self.left_out += 1;
                // The next one has its number.
                self.rows -= 1;
                return Ok(false);
            }
            computed => computed?,
        }
        self.new.encode(&self.values, new).map_err(damaged)?;
        let distinct = self.is_distinct(new).map_err(damaged)?;
        if let Some(error) = self.parent.as_ref().filter(|_| !distinct) {
            return Err(error.clone());
        }
        self.duplicates += u64::from(!distinct);
        Ok(distinct)
    }

    /// Whether no row before has a unique key of this one.
    fn is_distinct(&mut self, row: &[u8]) -> Result<bool, RowError> {
        let mut keys = Vec::with_capacity(self.distinct.len());
        for distinct in &self.distinct {
            let key = distinct.key(&self.new, row)?;
            if key.as_ref().is_some_and(|key| distinct.seen.contains(key)) {
                return Ok(false);
            }
            keys.push(key);
        }
        for (distinct, key) in self.distinct.iter_mut().zip(keys) {
            distinct.seen.extend(key);
        }
        Ok(true)
    }

    /// Error 1292 for a new column that has no day to give to rows, where the mode knows no zero dates.
    fn check_day(&self, column: &ColumnDef, state: &State) -> Result<(), SqlError> {
        let (ty, zero) = match column.ty {
            ColumnType::Date => ("date", "0000-00-00"),
            ColumnType::DateTime(_) => ("datetime", "0000-00-00 00:00:00"),
            _ => return Ok(()),
        };
        if column.nullable || column.default != DefaultValue::None || !state.vars.has_mode(mode::NO_ZERO_DATE)
        {
            return Ok(());
        }
        let ((database, table), name, row) = (&self.table, &column.name, self.rows);
        let text =
            format!("Incorrect {ty} value: '{zero}' for column `{database}`.`{table}`.`{name}` at row {row}");
        Err(SqlError::new(1292, b"22007", text))
    }

    /// Numbers a row whose AUTO_INCREMENT column is 0 or NULL.
    fn count(&mut self, state: &State) {
        let Some((at, next)) = &mut self.counter else { return };
        let given = store::as_counter(&self.values[*at]).unwrap_or(0);
        // Where the column itself is new nobody wrote the zero.
        let zero_counts = !self.counts_anew && state.vars.has_mode(mode::NO_AUTO_VALUE_ON_ZERO);
        if given == 0 && (!zero_counts || self.values[*at].is_null()) {
            let number = Value::UInt(*next);
            self.values[*at] = store::exact(&number, &self.columns[*at], state).unwrap_or(number);
            *next += 1;
        } else if let Ok(given) = u64::try_from(given) {
            *next = (*next).max(given.saturating_add(1));
        }
    }

    /// Generated columns and CHECKs. What their expressions come upon is an error in strict mode where rows are copied,
    /// and a warning elsewhere.
    fn compute(&mut self, state: &mut State) -> Result<(), SqlError> {
        let generates = self.from.iter().any(|from| matches!(from, From::Generated(_)));
        if !generates && self.checks.is_empty() && self.built.is_empty() {
            return Ok(());
        }
        let strict = state.statement.strict;
        let mut fails = self.copied && strict && !self.ignore;
        (state.statement.strict, state.statement.warnings_fail) = (fails, fails);
        let cx = &mut Cx::new(state, &[]);
        let mut computed = self.compute_row(cx);
        if computed.is_ok() && !self.built.is_empty() {
            fails = strict && !self.ignore;
            (cx.state.statement.strict, cx.state.statement.warnings_fail) = (fails, fails);
            let row = std::mem::replace(&mut cx.state.statement.row, StatementFacts::NO_ROW);
            computed = self.compute_built(cx).inspect_err(|_| {
                let aborted = SqlError::storage_error("103 \"Software caused connection abort\"", "InnoDB");
                cx.state.warn(Level::Error, aborted.errno, aborted.message);
            });
            cx.state.statement.row = row;
        }
        (state.statement.strict, state.statement.warnings_fail) = (strict, false);
        computed
    }

    fn compute_built(&self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        for (at, expr) in &self.built {
            let mut faults = Faults::new(Manner::All);
            let value = expr.eval(cx)?;
            let given = self.convert(value, *at, None, cx.state).map(|_| ());
            faults.take(given, cx)?;
            faults.end()?;
        }
        Ok(())
    }

    fn compute_row(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let width = self.values.len();
        for (at, value) in self.values.iter().enumerate() {
            cx.frame_mut(0, width)[at] = as_read(value, &self.columns[at], cx.state);
        }
        let mut faults = Faults::new(Manner::All);
        for (at, from) in self.from.iter().enumerate() {
            let From::Generated(expr) = from else { continue };
            let told = cx.state.diagnostics.told();
            let value = expr.eval(cx)?;
            let given = self.convert(value, at, None, cx.state).map(|stored| {
                cx.frame_mut(0, width)[at] = as_read(&stored, &self.columns[at], cx.state);
                self.values[at] = stored;
            });
            if !self.copied && self.columns[at].generated.is_some() {
                // Virtual columns are computed when they are read.
                cx.state.diagnostics.forget_since(told);
            }
            faults.take(given, cx)?;
        }
        faults.end()?;
        self.checks.hold(&self.table.0, &self.table.1, cx)
    }

    /// A value in its new column; `from` is the column that it was in.
    fn convert(
        &self,
        value: Value,
        at: usize,
        from: Option<usize>,
        state: &mut State,
    ) -> Result<Value, SqlError> {
        let column = &self.columns[at];
        let old = from.map(|from| &self.old_columns[from]);
        if let (true, Some(old)) = (value.is_null(), old) {
            return self.without_value(column, old, state);
        }
        let was = std::mem::replace(&mut state.statement.ignore, self.ignore);
        let stored = match value {
            // What a default has computed.
            Value::Null => store_in(&value, column, true, &mut Cx::new(state, &[])),
            _ => copied::store(value, old, column, state),
        };
        state.statement.ignore = was;
        stored
    }

    /// NULL in a column that may not be.
    fn without_value(
        &self,
        column: &ColumnDef,
        old: &ColumnDef,
        state: &mut State,
    ) -> Result<Value, SqlError> {
        if column.nullable || column.auto_increment {
            return Ok(Value::Null);
        }
        // NULL is the current time to such a column here, too.
        if matches!(column.ty, ColumnType::Timestamp(_)) {
            return Ok(current_timestamp(state, column));
        }
        let error = SqlError::data_truncated(&column.name, state.statement.row);
        if state.statement.strict && !self.ignore {
            if !self.copied {
                let null = SqlError::invalid_use_of_null();
                state.warn(Level::Error, error.errno, error.message.clone());
                state.warn(Level::Error, null.errno, null.message);
            }
            return Err(error);
        }
        state.warn(Level::Warning, error.errno, error.message);
        if let (false, Some(value)) = (self.copied, early_default(old, state)?) {
            return copied::store(value, Some(old), column, state);
        }
        Ok(match &column.ty {
            // No label, rather than the first.
            ColumnType::Enum(labels) => {
                Value::Enum(EnumValue { index: 0, labels: labels.clone(), collation: column.collation })
            }
            _ => implicit_default(column),
        })
    }
}

/// The default that a column has had, which a table that is changed in its place has for NULL: what is known beforehand, and
/// is kept in the row itself.
fn early_default(old: &ColumnDef, state: &mut State) -> Result<Option<Value>, SqlError> {
    let known = match &old.default {
        DefaultValue::Literal(_) => true,
        // One that reads columns is known of no row alone.
        DefaultValue::Expression(text) => {
            crate::session::expression_of(text, state).is_ok_and(|default| default.is_const())
        }
        _ => false,
    };
    match known && !matches!(old.ty, ColumnType::Blob(_) | ColumnType::Text(_)) {
        true => default_value(&mut Cx::new(state, &[]), old),
        false => Ok(None),
    }
}

/// Whether a column's bytes in a row stay what they are.
fn keeps_bytes(old: &ColumnDef, new: &ColumnDef) -> bool {
    let same_type = match (&old.ty, &new.ty) {
        (ColumnType::Integer(a), ColumnType::Integer(b)) => a.size == b.size && a.unsigned == b.unsigned,
        (ColumnType::Enum(a), ColumnType::Enum(b)) | (ColumnType::Set(a), ColumnType::Set(b)) => {
            a.len() <= b.len()
                && a.iter().zip(b.iter()).all(|(a, b)| a == b)
                && super::index::fixed_bytes(&old.ty) == super::index::fixed_bytes(&new.ty)
        }
        (ColumnType::VarChar(a), ColumnType::VarChar(b))
        | (ColumnType::VarBinary(a), ColumnType::VarBinary(b)) => {
            a <= b && old.ty.length_bytes(old.collation) == new.ty.length_bytes(new.collation)
        }
        // MariaDB leaves floats as they are, though their digits are to be fewer.
        (ColumnType::Float(a), ColumnType::Float(b)) | (ColumnType::Double(a), ColumnType::Double(b)) => {
            a.unsigned == b.unsigned
        }
        (ColumnType::Decimal(a), ColumnType::Decimal(b)) => {
            (a.precision, a.scale, a.unsigned) == (b.precision, b.scale, b.unsigned)
        }
        (a, b) => a == b,
    };
    let same_text = !old.ty.has_charset() || old.collation.charset() == new.collation.charset();
    same_type && same_text && (new.nullable || !old.nullable)
}

/// Whether a row's image stays valid with the new column in the old one's place.
fn keeps_image(old: &ColumnDef, new: &ColumnDef) -> bool {
    keeps_bytes(old, new)
}

/// Whether a bit that is set stands for what rows get in a new column: NULL, or the one value of a column without NULLs.
fn stands_for(source: &From, column: &ColumnDef) -> bool {
    // What is refused once there is a row has no value.
    let dated = matches!(column.ty, ColumnType::Date | ColumnType::DateTime(_) | ColumnType::Timestamp(_));
    match source {
        From::Constant(value) if column.nullable => value.is_null(),
        From::Constant(_) => !(column.auto_increment || dated && column.default == DefaultValue::None),
        _ => false,
    }
}

/// What rows get in a column that is new.
fn value_of_new(column: &ColumnDef, state: &mut State) -> Result<Value, SqlError> {
    let mut cx = Cx::new(state, &[]);
    Ok(match default_value(&mut cx, column)? {
        Some(value) if column.nullable || !value.is_null() => value,
        _ => implicit_default(column),
    })
}

/// Error 1062 for two rows with one value of a new unique index, as one of them tells it.
pub fn duplicate_entry(state: &State, new: &TableDef, index: usize, row: &[u8]) -> SqlError {
    let Some(index) = new.indexes.get(index) else { return SqlError::dup_key(&new.name) };
    let (layout, zone) = (RowLayout::of(new), state.vars.time_zone);
    let shown = |part: &types::IndexPart| {
        let value = layout.decode_column(row, part.column).unwrap_or_default().in_zone(&zone);
        store::key_text(&value, &new.columns[part.column], part.prefix_chars, state)
    };
    SqlError::dup_entry(store::key_entry(index.parts.iter().map(shown)), &index.name)
}
