//! UPDATE and DELETE: rows are found and locked first, then changed, so that no change is found again.

use super::defaults::implicit_default;
use super::faults::{Faults, Manner};
use super::insert::{Counts, duplicate_error, on_update_value, store_in};
use super::returning::returned;
use super::rules::{self, Rules, as_read};
use super::sort::Limit;
use super::{Cx, join, reader};
use crate::bind::change::{ChangePlan, Changed};
use crate::bind::insert::Given;
use crate::bind::view::ViewRule;
use crate::error::{ER_CONSTRAINT_FAILED, SqlError};
use crate::expr::{Expr, Kind, Slot};
use crate::plan::row_number::RowNumber;
use crate::plan::{Access, Source};
use crate::session::counters::Counter;
use crate::session::{Level, State, engine_error, mode};
use engine::{EngineError, RowBuf, Table};
use find::find;
use found::Found;
use std::sync::Arc;
use types::{ColumnType, DefaultValue, Value};

mod find;
mod found;
mod never;

pub use never::asks_for_no_moment;

/// Whether LIMIT 0 lets the statement end before it begins: no counts are told then.
pub fn ends_at_once(plan: &ChangePlan, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    Ok(Limit::of(&plan.find.tail, cx)?.is_empty())
}

/// Runs an UPDATE.
pub fn update(plan: &ChangePlan, cx: &mut Cx<'_>) -> Result<Counts, SqlError> {
    if cx.state.vars.sql_safe_updates {
        check_safety(plan, cx)?;
    }
    let collects = collects(plan);
    let fails = cx.state.statement.warnings_fail;
    // Rows that are found before any is changed are found as those of a query.
    cx.state.statement.warnings_fail = fails && !collects;
    let found = find(plan, cx);
    cx.state.statement.warnings_fail = fails;
    let mut found = found?.walk(plan)?;
    let mut counts = Counts::default();
    let Some(mut standing) = plan.targets.first().map(Standing::of) else {
        return Err(SqlError::internal_error("update a table"));
    };
    let mut number = 0;
    while let Some(row) = found.next()? {
        cx.check_interrupt()?;
        number += 1;
        cx.state.statement.row = if collects { number } else { row.number };
        counts.records += 1;
        if let Some(RowNumber { slot, .. }) = &plan.find.row_number {
            cx.set_slot(*slot, Value::UInt(counts.records));
        }
        match update_row(plan, row, &mut standing, cx)? {
            Written::Changed => counts.changed += 1,
            // An UPDATE of one of joined tables has counted the row by then.
            Written::Ignored if plan.multi_table && plan.targets.len() == 1 => counts.changed += 1,
            Written::Refused if plan.multi_table => counts.duplicates += 1,
            Written::Refused => counts.records -= 1,
            Written::Same | Written::Ignored => {}
        }
    }
    counts.affected = if cx.state.client_found_rows { counts.records } else { counts.changed };
    Ok(counts)
}

/// Whether MariaDB finds all rows of an UPDATE before it changes one, and warnings count those: rows in an order, and where
/// the key that finds them is changed. Else warnings count the rows that are read.
fn collects(plan: &ChangePlan) -> bool {
    if plan.multi_table {
        return false;
    }
    let mut changed = false;
    plan.find.visit_stored(&mut |reader| {
        let Source::Base(table) = &reader.source else { return };
        let has = |index: usize| {
            let parts = &table.def().indexes[index].parts;
            parts.iter().any(|part| plan.assignments.iter().any(|(_, column, _)| *column == part.column))
        };
        changed |= match &reader.access {
            Access::Scan => table.primary_index().is_some_and(has),
            Access::Point(..) => false,
            Access::Ranges { index, .. } | Access::Index { index, .. } => has(*index),
            Access::Union(ranges) => ranges.iter().any(|(index, _)| has(*index)),
        };
    });
    changed || !plan.find.tail.order_by.is_empty()
}

/// What an UPDATE of one table keeps from row to row: where the columns stand in the frame, and the memory of the row before.
struct Standing {
    columns: Vec<(usize, u32)>,
    row: RowUnderChange,
}

impl Standing {
    fn of(target: &Changed) -> Self {
        let columns = (0..target.table.def().columns.len()).map(|i| (i, target.first + i as u32)).collect();
        Self { columns, row: RowUnderChange::new(&target.table) }
    }
}

fn update_row(
    plan: &ChangePlan,
    found: &mut Found,
    standing: &mut Standing,
    cx: &mut Cx<'_>,
) -> Result<Written, SqlError> {
    let Found { target, old, prepared, .. } = found;
    let target = *target;
    let refusal = if plan.ignore { Refusal::PassesSilently } else { Refusal::Fails };
    if let Some(row) = prepared {
        if !row.keeps_view_rule {
            return refuse(plan, cx);
        }
        let this = plan.targets[target].table.id();
        if plan.targets.iter().filter(|other| other.table.id() == this).count() > 1 && !row.rebase(old, cx)? {
            return Ok(Written::Same);
        }
        return row.write(old, &plan.rules[target], refusal, cx);
    }
    let Changed { table, first, .. } = &plan.targets[target];
    plan.rules[target].tell_of_read(table, &old.row, false, cx)?;
    let Standing { columns, row } = standing;
    row.read(old)?;
    let mut faults = Faults::new(Manner::All);
    if plan.reads_row {
        reader::fill(table, &old.row, columns, plan.find.width, 0, cx)?;
    }
    let at_once = cx.state.vars.has_mode(mode::SIMULTANEOUS_ASSIGNMENT);
    for (_, column, given) in &plan.assignments {
        let assigned = match plan.reads_row && !at_once {
            true => row.assign(*column, given, first + *column as u32, cx),
            false => row.assign_apart(*column, given, cx),
        };
        faults.take(assigned, cx)?;
    }
    faults.end()?;
    let keeps_rule = match &plan.view_rule {
        Some(rule) if at_once => row.in_frame(*first, cx, |cx| keeps(rule, cx))?,
        Some(rule) => keeps(rule, cx)?,
        None => true,
    };
    if !keeps_rule {
        return refuse(plan, cx);
    }
    row.write(old, &plan.rules[target], refusal, cx)
}

/// Whether the row in the frame fulfils what a view's CHECK OPTION wants.
pub fn keeps(rule: &ViewRule, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    for condition in &rule.conditions {
        if condition.truth(cx)? != Some(true) {
            // What strict mode has come upon in it is told first.
            return cx.state.check_fault().map(|()| false);
        }
    }
    Ok(true)
}

/// Error 1369, a warning under IGNORE.
fn refuse(plan: &ChangePlan, cx: &mut Cx<'_>) -> Result<Written, SqlError> {
    let rule = plan.view_rule.as_ref();
    let (database, view) = rule.map_or(("", ""), |rule| (&rule.database, &rule.view));
    let error = SqlError::view_check_failed(database, view);
    if !plan.ignore {
        return Err(error);
    }
    cx.state.warn(Level::Warning, error.errno, error.message);
    Ok(Written::Refused)
}

/// Runs a DELETE; rows of RETURNING go to `sink`.
pub fn delete(plan: &ChangePlan, cx: &mut Cx<'_>, sink: super::Sink<'_>) -> Result<Counts, SqlError> {
    if cx.state.vars.sql_safe_updates {
        check_condition(plan, cx.state)?;
        check_safety(plan, cx)?;
    }
    let mut found = find(plan, cx)?.walk(plan)?;
    let mut counts = Counts::default();
    while let Some(Found { target, old, .. }) = found.next()? {
        cx.check_interrupt()?;
        let table = &plan.targets[*target].table;
        // Its subqueries see the row that is to go.
        let returned = match &plan.returning {
            Some(returning) => Some(returned(returning, table, &old.row, cx)?),
            None => None,
        };
        cx.count(Counter::HandlerDelete, 1);
        match cx.state.txn()?.delete(table, old) {
            Ok(true) => {}
            // It went with another row, or as a row of another target.
            Ok(false) => continue,
            Err(EngineError::ForeignKey(_)) if plan.ignore && plan.multi_table => continue,
            Err(error @ EngineError::ForeignKey(_)) if plan.ignore => {
                let error = engine_error(error, cx.state);
                cx.state.warn(Level::Warning, error.errno, error.message);
                continue;
            }
            Err(error) => return Err(engine_error(error, cx.state)),
        }
        counts.changed += 1;
        if let Some(row) = returned {
            sink(cx, &row)?;
        }
    }
    counts.records = counts.changed;
    counts.affected = counts.changed;
    Ok(counts)
}

/// Error 1175, under `sql_safe_updates`, for a DELETE of one table without a condition on its rows, LIMIT or not.
pub fn check_condition(plan: &ChangePlan, state: &State) -> Result<(), SqlError> {
    match state.vars.sql_safe_updates && !plan.multi_table && !plan.find.has_conditions() {
        true => Err(SqlError::update_without_key_in_safe_mode()),
        false => Ok(()),
    }
}

/// Error 1175, under `sql_safe_updates`, for a change without LIMIT whose rows no index finds.
fn check_safety(plan: &ChangePlan, cx: &mut Cx<'_>) -> Result<(), SqlError> {
    if plan.find.tail.limit.is_some() || !plan.find.reads_whole_table() {
        return Ok(());
    }
    let params = cx.params;
    let (possible, _) = crate::expr::build::silently(cx.state, |state| {
        join::all(&plan.find.constant_filter, &mut Cx::new(state, params))
    });
    match possible? {
        true => Err(SqlError::update_without_key_in_safe_mode()),
        false => Ok(()),
    }
}

/// What becomes of a statement when a key or foreign key refuses a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It ends with the error.
    Fails,
    /// INSERT IGNORE: the error is a warning.
    Warns,
    /// UPDATE IGNORE: it goes on and says nothing.
    PassesSilently,
}

/// What writing a changed row came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It was changed.
    Changed,
    /// Its new values are its old ones.
    Same,
    /// IGNORE let it be.
    Ignored,
    /// IGNORE let it be, and a CHECK or view did not want it: it does not count as found.
    Refused,
}

/// A row on its way from old to new values.
pub struct RowUnderChange {
    table: Arc<Table>,
    values: Vec<Value>,
    assigned: Vec<bool>,
    /// The row as it is to be stored, while it is written.
    image: Vec<u8>,
    /// NULL for a column that takes none is its zero value outside strict mode, not an error.
    pub takes_null: bool,
    /// Nothing is said of that.
    pub tells_no_null: bool,
    /// The column whose NULL is zero in any mode: the AUTO_INCREMENT column of ON DUPLICATE KEY UPDATE.
    pub counter: Option<usize>,
    /// Looked at already, while the joined row stood in the frame: what the view wants of it.
    keeps_view_rule: bool,
}

impl RowUnderChange {
    /// Starts from the stored row.
    pub fn decode(table: &Arc<Table>, old: &RowBuf) -> Result<Self, SqlError> {
        let mut row = Self::new(table);
        row.read(old)?;
        Ok(row)
    }

    /// No row yet.
    fn new(table: &Arc<Table>) -> Self {
        Self {
            table: table.clone(),
            values: Vec::new(),
            assigned: Vec::new(),
            image: Vec::new(),
            takes_null: true,
            tells_no_null: false,
            counter: None,
            keeps_view_rule: true,
        }
    }

    /// Starts from a stored row, in the memory of the one before.
    fn read(&mut self, old: &RowBuf) -> Result<(), SqlError> {
        let read = self.table.layout().decode_all(&old.row, &mut self.values);
        read.map_err(|e| reader::damaged(&self.table, &e))?;
        self.assigned.clear();
        self.assigned.resize(self.values.len(), false);
        Ok(())
    }

    /// A column's value as it is now.
    pub fn value(&self, column: usize) -> &Value {
        &self.values[column]
    }

    /// Runs something while the new values stand in the frame, from slot `first` on.
    fn in_frame<T>(&self, first: u32, cx: &mut Cx<'_>, run: impl FnOnce(&mut Cx<'_>) -> T) -> T {
        let places = first as usize..first as usize + self.values.len();
        let read = rules::row_as_read(&self.values, self.table.def(), cx);
        let frame = cx.frame_mut(0, places.end);
        let old = frame[places.clone()].to_vec();
        frame[places.clone()].clone_from_slice(&read);
        let ran = run(cx);
        cx.frame_mut(0, places.end)[places].clone_from_slice(&old);
        ran
    }

    /// Gives a column its new value; later assignments see it in `slot`.
    pub fn assign(
        &mut self,
        column: usize,
        given: &Given,
        slot: u32,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let itself = Slot { level: 0, index: slot };
        match given {
            // Its own value is not stored anew, and so is right whatever the mode says of it.
            Given::Expr(Expr { kind: Kind::Column(read), .. })
                if *read == itself && self.table.def().columns[column].generated.is_none() =>
            {
                self.assigned[column] = true;
            }
            _ => self.assign_apart(column, given, cx)?,
        }
        let read = as_read(&self.values[column], &self.table.def().columns[column], cx.state);
        cx.set_slot(crate::expr::Slot { level: 0, index: slot }, read);
        Ok(())
    }

    /// Gives a column its new value.
    pub fn assign_apart(&mut self, column: usize, given: &Given, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let def = &self.table.def().columns[column];
        if def.generated.is_some() {
            return match given {
                Given::Default => Ok(()),
                Given::Expr(expr) if expr.is_written_null() => Ok(()),
                Given::Expr(expr) => {
                    let value = expr.eval_for(def, cx)?;
                    let ignore = cx.state.statement.ignore;
                    super::insert::refuse_generated(self.table.def(), column, &value, ignore, cx)
                }
            };
        }
        self.values[column] = match given {
            Given::Expr(expr) => {
                let value = expr.eval_for(def, cx)?;
                match value {
                    Value::Null if self.counter == Some(column) => implicit_default(def),
                    Value::Null
                        if self.tells_no_null
                            && !def.nullable
                            && !matches!(def.ty, ColumnType::Timestamp(_)) =>
                    {
                        implicit_default(def)
                    }
                    // UPDATE, unlike INSERT of one row, takes NULL as the zero value outside strict mode.
                    value => store_in(&value, def, self.takes_null, cx)?,
                }
            }
            Given::Default => match self.default_of(def, cx)? {
                // A default that is computed may come to NULL, which is as good as given.
                Some(Value::Null) if !def.nullable && matches!(def.default, DefaultValue::Expression(_)) => {
                    store_in(&Value::Null, def, self.takes_null, cx)?
                }
                Some(value) => value,
                None if def.auto_increment && def.default != DefaultValue::Missing => implicit_default(def),
                None => {
                    let error = SqlError::no_default_for_field(&def.name);
                    if cx.state.statement.strict && !cx.state.statement.ignore {
                        return Err(error);
                    }
                    cx.state.warn(Level::Warning, error.errno, error.message);
                    implicit_default(def)
                }
            },
        };
        self.assigned[column] = true;
        Ok(())
    }

    /// Takes over what the statement did to the row under the table's other name; false where the row is gone.
    fn rebase(&mut self, old: &mut RowBuf, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        let mut now = Vec::new();
        let read = engine::Read::Exclusive(engine::Wait::Block);
        if !cx.state.txn()?.get(&self.table, &old.key, read, &mut now)? {
            return Ok(false);
        }
        if now != old.row {
            let mut values = Vec::new();
            let table = &self.table;
            table.layout().decode_all(&now, &mut values).map_err(|e| reader::damaged(table, &e))?;
            for (at, value) in values.into_iter().enumerate().filter(|(at, _)| !self.assigned[*at]) {
                self.values[at] = value;
            }
            old.row = now;
        }
        Ok(true)
    }

    /// The default of a column, computed over the row as it is now.
    fn default_of(
        &self,
        column: &types::ColumnDef,
        cx: &mut Cx<'_>,
    ) -> Result<Option<types::Value>, SqlError> {
        let def = self.table.def();
        let row = rules::row_as_read(&self.values, def, cx);
        rules::over_row(row, cx, |cx| super::defaults::default_in_row(cx, def, column))
    }

    /// Writes the new row if it differs from the old one.
    pub fn write(
        &mut self,
        old: &RowBuf,
        rules: &Rules,
        refusal: Refusal,
        cx: &mut Cx<'_>,
    ) -> Result<Written, SqlError> {
        let def = self.table.def().clone();
        // Whether the row changes or not.
        rules.compute(&def, &mut self.values, cx)?;
        self.encode()?;
        if self.table.is_same_row(&old.row, &self.image)? {
            return Ok(Written::Same);
        }
        let mut renewed = false;
        for (i, column) in def.columns.iter().enumerate() {
            if !self.assigned[i]
                && let Some(now) = on_update_value(column, cx)
            {
                self.values[i] = now;
                renewed = true;
            }
        }
        let held = match renewed {
            true => rules.apply(&def, &mut self.values, cx),
            false => rules.hold(&def, &self.values, cx),
        };
        if let Err(error) = held {
            return match error.errno {
                ER_CONSTRAINT_FAILED if refusal != Refusal::Fails => {
                    refused(error, Refusal::Warns, cx).map(|_| Written::Refused)
                }
                _ => Err(error),
            };
        }
        if renewed {
            self.encode()?;
        }
        cx.count(Counter::HandlerUpdate, 1);
        match cx.state.txn()?.update(&self.table, old, &self.image) {
            Ok(()) => Ok(Written::Changed),
            Err(EngineError::Duplicate { index, .. }) => {
                let error = duplicate_error(&self.table, index, &self.image, cx);
                refused(error, refusal, cx)
            }
            Err(error @ EngineError::ForeignKey(_)) => {
                let error = engine_error(error, cx.state);
                refused(error, refusal, cx)
            }
            Err(error) => Err(engine_error(error, cx.state)),
        }
    }

    fn encode(&mut self) -> Result<(), SqlError> {
        self.image.clear();
        let encoded = self.table.layout().encode(&self.values, &mut self.image);
        encoded.map_err(|e| reader::damaged(&self.table, &e))
    }

    /// The row as it was written, or would have been.
    pub fn image(&self) -> &[u8] {
        &self.image
    }
}

fn refused(error: SqlError, refusal: Refusal, cx: &mut Cx<'_>) -> Result<Written, SqlError> {
    match refusal {
        Refusal::Fails => return Err(error),
        Refusal::Warns => cx.state.warn(Level::Warning, error.errno, error.message),
        Refusal::PassesSilently => {}
    }
    Ok(Written::Ignored)
}
