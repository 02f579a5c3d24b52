//! INSERT and REPLACE.

use super::auto_increment::{self, Numbers};
use super::defaults::{current_timestamp, default_in_row, implicit_default};
use super::faults::{Faults, Manner};
use super::returning::returned;
use super::rows::Rows;
use super::rules::as_read;
use super::{Cx, Flow, change, reader};
use crate::bind::insert::{Given, InsertPlan, InsertRows};
use crate::error::{ER_CONSTRAINT_FAILED, SqlError};
use crate::expr::{Slot, store};
use crate::plan::{Body, QueryPlan};
use crate::session::counters::Counter;
use crate::session::{Level, engine_error, mode};
use engine::{EngineError, Table};
use queried::{counts_as_read, read};
use types::{ColumnDef, DefaultValue, TableDef, Value};

mod existing;
pub(crate) mod given;
mod listed;
mod queried;

/// What an INSERT, UPDATE or DELETE came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows that the statement dealt with: given to INSERT, matched by UPDATE.
    pub records: u64,
    /// Rows inserted or changed or deleted.
    pub changed: u64,
    /// Rows that were there: updated or replaced; with IGNORE, those that were not inserted. Of an UPDATE of joined
    /// tables, those that IGNORE let be with a warning, which its counts pass over.
    pub duplicates: u64,
    /// What the client hears as affected rows.
    pub affected: u64,
    /// The AUTO_INCREMENT value for the client, 0 for none.
    pub insert_id: u64,
}

/// Runs an INSERT or REPLACE; rows of RETURNING go to `sink`.
pub fn run(plan: &InsertPlan, cx: &mut Cx<'_>, sink: super::Sink<'_>) -> Result<Counts, SqlError> {
    let given = match &plan.rows {
        InsertRows::Values(rows) if rows.first().is_some_and(Vec::is_empty) => Vec::new(),
        _ => plan.columns.clone(),
    };
    let mut inserter = Inserter::new(plan, &given, cx)?;
    match inserter.run(cx, sink) {
        Ok(()) => Ok(inserter.finish(cx)),
        Err(error) => {
            inserter.tell_number(cx);
            Err(error)
        }
    }
}

/// Rows of an INSERT with parameters, set by set: one statement to whoever looks at it.
#[derive(Debug, Default)]
pub struct Series {
    made: Option<Made>,
}

impl Series {
    /// Writes the rows for one set of parameters. The plan is that of the sets before, but for what it makes of
    /// parameters.
    pub fn write(
        &mut self,
        plan: &InsertPlan,
        cx: &mut Cx<'_>,
        sink: super::Sink<'_>,
    ) -> Result<(), SqlError> {
        let made = match self.made.take() {
            Some(made) => made,
            None => Made::new(plan, &plan.columns, cx)?,
        };
        let mut inserter = Inserter::resume(plan, made, cx);
        let ran = inserter.write_values(cx, sink);
        if ran.is_err() {
            inserter.tell_number(cx);
        }
        self.made = Some(inserter.made);
        ran
    }

    /// All sets are written: what it came to.
    pub fn finish(self, plan: &InsertPlan, cx: &mut Cx<'_>) -> Counts {
        let Some(made) = self.made else { return Counts::default() };
        Inserter::resume(plan, made, cx).finish(cx)
    }
}

/// AUTO_INCREMENT values out of range.
const ER_AUTOINC_RANGE: u16 = 167;

/// What an INSERT has made so far.
#[derive(Debug)]
struct Made {
    /// The row under way, of stored values; `None` where nothing was given yet.
    values: Vec<Option<Value>>,
    image: Vec<u8>,
    counts: Counts,
    /// The number of the row under way, for warnings.
    row: u64,
    numbers: Numbers,
    first_generated: u64,
    last_explicit: u64,
    /// Whether a row that was given a number has found another in its way.
    numbered_replaced: bool,
}

impl Made {
    /// Nothing; `given` are the columns that rows give values for.
    fn new(plan: &InsertPlan, given: &[usize], cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        let fails = cx.state.statement.strict && !plan.ignore;
        given::check_all(plan, given, fails, cx.state)?;
        Ok(Self::nothing(plan))
    }

    fn nothing(plan: &InsertPlan) -> Self {
        Self {
            values: vec![None; plan.table.def().columns.len()],
            image: Vec::new(),
            counts: Counts::default(),
            row: 1,
            numbers: Numbers::default(),
            first_generated: 0,
            last_explicit: 0,
            numbered_replaced: false,
        }
    }
}

/// Writes rows one by one: values are given to its columns, then the row is finished.
pub(super) struct Inserter<'p> {
    plan: &'p InsertPlan,
    auto_column: Option<usize>,
    made: Made,
}

impl<'p> Inserter<'p> {
    /// Begins with the first row; `given` are the columns that rows give values for.
    pub(super) fn new(plan: &'p InsertPlan, given: &[usize], cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        let made = Made::new(plan, given, cx)?;
        Ok(Self::resume(plan, made, cx))
    }

    /// Goes on from what was made.
    fn resume(plan: &'p InsertPlan, made: Made, cx: &mut Cx<'_>) -> Self {
        cx.frame_mut(0, 2 * plan.table.def().columns.len());
        Self { plan, auto_column: plan.table.def().auto_increment_column(), made }
    }

    /// Writes all rows.
    fn run(&mut self, cx: &mut Cx<'_>, sink: super::Sink<'_>) -> Result<(), SqlError> {
        if self.plan.reads_early {
            super::early::read(self.plan, cx)?;
        }
        match &self.plan.rows {
            InsertRows::Values(rows) => {
                self.made.numbers.rows_known = rows.len() as u64;
                self.write_values(cx, sink)?;
            }
            InsertRows::Query(query) => {
                if self.plan.fills {
                    self.made.numbers.rows_known = cx.state.listed_rows;
                }
                let counted = counts_as_read(query, self.plan.reads_itself);
                let collects = matches!(query.body, Body::SetOps { .. });
                // What a row replaces or changes may be read through foreign keys.
                let changes = self.plan.replace || !self.plan.on_duplicate.is_empty();
                match self.plan.reads_itself || collects || changes {
                    true => self.write_kept(query, counted, cx, sink)?,
                    false => self.write_read(query, counted, cx, sink)?,
                }
            }
        }
        Ok(())
    }

    /// Writes the rows of a query as they are read; those `counted` have the number for warnings with which they were
    /// read.
    fn write_read(
        &mut self,
        query: &QueryPlan,
        counted: bool,
        cx: &mut Cx<'_>,
        sink: super::Sink<'_>,
    ) -> Result<(), SqlError> {
        let (mut number, mut written) = (0, 0);
        // Both sides have rows under way, of the same levels.
        let mut aside = std::mem::take(&mut cx.frames);
        let ran = read(query, cx, &mut |cx, row| {
            number += 1;
            let read = cx.state.statement.row;
            if !counted {
                cx.state.statement.row = number;
            }
            std::mem::swap(&mut cx.frames, &mut aside);
            self.write_queried(query, row, cx, sink)?;
            std::mem::swap(&mut cx.frames, &mut aside);
            cx.state.statement.row = read;
            written = number;
            Ok(Flow::Continue)
        });
        if let Err(error) = ran {
            // Where a row fails, those before it were found.
            cx.state.found_rows = written;
            return Err(error);
        }
        cx.frames = aside;
        cx.state.found_rows = cx.found(query, number);
        Ok(())
    }

    /// Reads a query to its end, then writes its rows: it may read what is written.
    fn write_kept(
        &mut self,
        query: &QueryPlan,
        counted: bool,
        cx: &mut Cx<'_>,
        sink: super::Sink<'_>,
    ) -> Result<(), SqlError> {
        let mut kept = Rows::default();
        let fails = cx.state.statement.warnings_fail;
        cx.state.statement.warnings_fail = fails && !self.plan.only_warns;
        read(query, cx, &mut |cx, row| {
            let number = counted.then_some(Value::UInt(cx.state.statement.row));
            kept.push(row.iter().cloned().chain(number), cx)?;
            Ok(Flow::Continue)
        })?;
        cx.state.statement.warnings_fail = fails;
        let mut kept = kept.finish()?;
        let mut rows = kept.walk();
        let mut number = 0;
        while let Some(row) = rows.next_row()? {
            cx.check_interrupt()?;
            number += 1;
            cx.state.statement.row = match row.last() {
                Some(Value::UInt(read)) if counted => *read,
                _ => number,
            };
            cx.state.found_rows = number - 1;
            self.write_queried(query, row, cx, sink)?;
        }
        cx.state.found_rows = cx.found(query, number);
        kept.release(cx);
        Ok(())
    }

    /// Writes a row that a query gave.
    fn write_queried(
        &mut self,
        query: &QueryPlan,
        row: &[Value],
        cx: &mut Cx<'_>,
        sink: super::Sink<'_>,
    ) -> Result<(), SqlError> {
        self.begin_row(cx)?;
        for (&slot, value) in self.plan.reads.iter().zip(&row[self.plan.columns.len()..]) {
            cx.set_slot(Slot { level: 0, index: slot }, value.clone());
        }
        let mut faults = Faults::new(if self.plan.listed { Manner::All } else { Manner::Stops });
        let items = query.items();
        let mut computed = cx.state.statement.fault.take();
        let places = self.plan.columns.iter().zip(&query.columns).zip(row);
        for (at, ((&column, from), value)) in places.enumerate() {
            let def = &self.plan.table.def().columns[column];
            let written = || from.origin.is_none() && items.get(at).is_some_and(|e| cx.is_bare_null(e));
            if def.generated.is_some() && written() {
                continue;
            }
            let value = store::given(value.clone(), &from.ty, from.origin.is_some(), &def.ty);
            let given = self.give_value(column, value, cx);
            if computed.is_some() && !queried::fails_behind(query, at, cx) {
                cx.state.statement.fault = computed.take();
            }
            faults.take(given, cx)?;
        }
        cx.state.statement.fault = computed.or(cx.state.statement.fault.take());
        faults.end()?;
        self.finish_row(cx, sink).map(drop)
    }

    /// All rows are written: what it came to.
    pub(super) fn finish(mut self, cx: &mut Cx<'_>) -> Counts {
        let mut counts = self.made.counts;
        if self.plan.ignore {
            counts.duplicates = counts.records - counts.changed.min(counts.records);
        }
        // MariaDB has forgotten what a row of a query brought, where it may have been changed for another.
        let forgotten = !self.plan.on_duplicate.is_empty() && matches!(self.plan.rows, InsertRows::Query(_));
        if counts.changed == 0 || forgotten {
            self.made.last_explicit = 0;
        }
        counts.insert_id = match (self.made.first_generated, cx.state.statement.insert_id) {
            (0, 0) => self.made.last_explicit,
            // What LAST_INSERT_ID(n) said.
            (0, said) => said,
            (first, _) => first,
        };
        self.tell_number(cx);
        counts
    }

    /// The number that a row got first is LAST_INSERT_ID(), though a row behind it failed.
    pub(super) fn tell_number(&self, cx: &mut Cx<'_>) {
        if self.made.first_generated != 0 && !self.plan.hides_number {
            cx.state.last_insert_id = self.made.first_generated;
        }
    }

    /// A new row: columns that expressions may name hold their defaults until they are given.
    pub(super) fn begin_row(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.made.counts.records += 1;
        self.blank_row(cx);
        Ok(())
    }

    fn blank_row(&mut self, cx: &mut Cx<'_>) {
        let zone = cx.state.vars.time_zone;
        for i in 0..self.made.values.len() {
            self.made.values[i] = None;
            cx.frame_mut(0, 0)[i] = match self.plan.blank.get(i) {
                Some(value) => value.clone().in_zone(&zone),
                None => Value::Null,
            };
        }
    }

    pub(super) fn give(&mut self, column: usize, given: &Given, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        match given {
            // A generated column takes a bare NULL for DEFAULT.
            Given::Expr(expr)
                if cx.is_bare_null(expr) && self.plan.table.def().columns[column].generated.is_some() =>
            {
                Ok(())
            }
            Given::Expr(expr) => {
                let value = expr.eval_for(&self.plan.table.def().columns[column], cx)?;
                self.give_value(column, value, cx)
            }
            Given::Default => {
                let zero_counts = cx.state.vars.has_mode(mode::NO_AUTO_VALUE_ON_ZERO);
                let def = &self.plan.table.def().columns[column];
                let zero = self.auto_column == Some(column) && zero_counts && def.lacks_default();
                let value = match zero {
                    true => implicit_default(def),
                    false => self.default_of(column, cx)?,
                };
                self.set(column, value, cx);
                Ok(())
            }
        }
    }

    pub(super) fn give_value(
        &mut self,
        column: usize,
        value: Value,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let def = &self.plan.table.def().columns[column];
        if def.generated.is_some() {
            return refuse_generated(self.plan.table.def(), column, &value, self.plan.ignore, cx);
        }
        let stored = match value {
            Value::Null if self.auto_column == Some(column) => Value::Null,
            value => store_in(&value, def, self.is_lenient(), cx)?,
        };
        self.set(column, stored, cx);
        Ok(())
    }

    /// Whether IGNORE passes over rows that a CHECK or view refuses: the only row of VALUES is none to pass over.
    fn passes_over(&self) -> bool {
        let one = matches!(&self.plan.rows, InsertRows::Values(rows) if rows.len() == 1);
        self.plan.ignore && !one
    }

    /// NULL for a NOT NULL column is an error in a single row, a warning in a list of rows outside strict mode.
    fn is_lenient(&self) -> bool {
        let many = match &self.plan.rows {
            // None are those of a file.
            InsertRows::Values(rows) => rows.len() != 1,
            InsertRows::Query(_) => true,
        };
        self.plan.ignore || many
    }

    fn set(&mut self, column: usize, value: Value, cx: &mut Cx<'_>) {
        let def = &self.plan.table.def().columns[column];
        let read = match value {
            // Expressions read zero where the number is to come.
            Value::Null if self.auto_column == Some(column) => implicit_default(def),
            _ => as_read(&value, def, cx.state),
        };
        cx.frame_mut(0, 0)[column] = read;
        self.made.values[column] = Some(value);
    }

    fn default_of(&mut self, column: usize, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let def = &self.plan.table.def().columns[column];
        if self.auto_column == Some(column) && def.default == DefaultValue::None {
            return Ok(Value::Null);
        }
        if let Some(value) = default_in_row(cx, self.plan.table.def(), def)? {
            return self.computed_default(value, def, cx);
        }
        let error = SqlError::no_default_for_field(&def.name);
        if cx.state.statement.strict && !self.plan.ignore {
            return Err(error);
        }
        cx.state.warn(Level::Warning, error.errno, error.message);
        Ok(implicit_default(def))
    }

    /// The value of a column that the statement does not name.
    fn unsaid(&self, column: usize, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let def = &self.plan.table.def().columns[column];
        let counts = self.auto_column == Some(column);
        if counts && def.lacks_default() {
            return Ok(Value::Null);
        }
        match default_in_row(cx, self.plan.table.def(), def)? {
            Some(value) if counts && store::as_counter(&value) == Some(0) => Ok(Value::Null),
            Some(value) => self.computed_default(value, def, cx),
            None => Ok(implicit_default(def)),
        }
    }

    /// A default; one that computes NULL for a NOT NULL column is taken as NULL that is given to it.
    fn computed_default(&self, value: Value, def: &ColumnDef, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match value.is_null() && matches!(def.default, DefaultValue::Expression(_)) {
            true => store_in(&value, def, self.is_lenient(), cx),
            false => Ok(value),
        }
    }

    /// Writes the row; false where IGNORE passes over one that a CHECK or a view refuses.
    pub(super) fn finish_row(&mut self, cx: &mut Cx<'_>, sink: super::Sink<'_>) -> Result<bool, SqlError> {
        // Expressions may name columns that have their values by then.
        for computed in [false, true] {
            for column in 0..self.made.values.len() {
                let default = &self.plan.table.def().columns[column].default;
                if self.made.values[column].is_none()
                    && matches!(default, DefaultValue::Expression(_)) == computed
                {
                    let value = self.unsaid(column, cx);
                    let value = value.inspect_err(|error| self.tell_of_default(error, column, cx))?;
                    self.set(column, value, cx);
                }
            }
        }
        // A row that CHECK or a view refuses takes no number, and counts for nothing but its own.
        let given = self.auto_column.and_then(|at| self.made.values[at].as_ref());
        let given = given.and_then(store::as_counter).and_then(|n| u64::try_from(n).ok());
        if !self.passes_rules(cx)? {
            self.made.counts.records -= 1;
            if matches!(self.plan.rows, InsertRows::Values(_)) {
                self.made.last_explicit = given.unwrap_or(0);
            }
            return Ok(false);
        }
        let before = self.made.numbers.next;
        let generated = match self.auto_increment(cx) {
            Err(error) if error.errno == ER_AUTOINC_RANGE && self.plan.ignore => {
                // The column holds the most that it can by then, which the client hears of.
                self.made.last_explicit = auto_increment::most(&self.plan.table);
                cx.state.warn(Level::Warning, error.errno, error.message);
                return Ok(true);
            }
            generated => generated?,
        };
        let written = self.write_row(generated, before, cx)?;
        self.made.numbers.rows_left = self.made.numbers.rows_left.saturating_sub(1);
        if let Some(returning) = &self.plan.returning
            && written
        {
            let row = returned(returning, &self.plan.table, &self.made.image, cx)?;
            sink(cx, &row)?;
        }
        Ok(true)
    }

    /// Has a zero that the AUTO_INCREMENT column was given so far replaced by the next number, under NO_AUTO_VALUE_ON_ZERO, too:
    /// where LOAD DATA has a SET, that alone gives a zero that stays.
    pub fn number_zero(&mut self) {
        if let Some(column) = self.auto_column
            && self.made.values[column].as_ref().and_then(store::as_counter) == Some(0)
        {
            self.made.values[column] = Some(Value::Null);
        }
    }

    /// Fills the AUTO_INCREMENT column in; gives the value where it was generated.
    fn auto_increment(&mut self, cx: &mut Cx<'_>) -> Result<Option<u64>, SqlError> {
        let Some(column) = self.auto_column else { return Ok(None) };
        let no_zero = cx.state.vars.has_mode(mode::NO_AUTO_VALUE_ON_ZERO);
        let given = self.made.values[column].as_ref().and_then(store::as_counter);
        match given {
            Some(n) if n != 0 || no_zero => {
                // A negative one is told as it stands in 64 bits.
                self.made.last_explicit = n as u64;
                if let Ok(n) = u64::try_from(n) {
                    self.made.numbers.pass(n, cx);
                }
                return Ok(None);
            }
            _ => {}
        }
        let next = self.made.numbers.next(&self.plan.table, cx)?;
        let def = &self.plan.table.def().columns[column];
        let Some(value) = store::exact(&Value::UInt(next), def, cx.state) else {
            return Err(SqlError::new(
                ER_AUTOINC_RANGE,
                b"22003",
                format!("Out of range value for column '{}' at row {}", def.name, cx.state.statement.row),
            ));
        };
        self.set(column, value, cx);
        Ok(Some(next))
    }

    /// Writes the row; whether one is there now that RETURNING shows. `before`: the next number as it was.
    fn write_row(&mut self, generated: Option<u64>, before: u64, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        let table = &self.plan.table;
        let values: Vec<Value> = self.made.values.iter_mut().map(|v| v.take().unwrap_or_default()).collect();
        loop {
            self.made.image.clear();
            table.layout().encode(&values, &mut self.made.image).map_err(|e| reader::damaged(table, &e))?;
            cx.count(Counter::HandlerWrite, 1);
            let (index, existing) = match cx.state.txn()?.insert(table, &self.made.image) {
                Ok(()) => {
                    self.note_generated(generated);
                    self.made.counts.changed += 1;
                    self.made.counts.affected += 1;
                    return Ok(true);
                }
                Err(EngineError::Duplicate { index, existing }) => (index, existing),
                Err(EngineError::ForeignKey(violation)) if self.plan.ignore => {
                    let error = engine_error(EngineError::ForeignKey(violation), cx.state);
                    cx.state.warn(Level::Warning, error.errno, error.message);
                    self.made.last_explicit = generated.unwrap_or(self.made.last_explicit);
                    self.made.numbers.take_back(generated, before);
                    return Ok(false);
                }
                Err(error) => return Err(engine_error(error, cx.state)),
            };
            self.note_refused(&values);
            if self.plan.replace {
                if self.forbids_replacing(generated, index) {
                    return Err(duplicate_error(table, index, &self.made.image, cx));
                }
                let updates = self.replaces_in_place(index, cx);
                if self.delete_existing(&existing, &values, updates, cx)? {
                    continue;
                }
                // The row is there already.
                self.note_generated(generated);
                self.made.counts.changed += 1;
                self.made.counts.affected += 1;
                return Ok(true);
            }
            self.made.numbers.take_back(generated, before);
            // InnoDB, which counts the rows that numbers were reserved for, never hears of it.
            let unheard = table.def().indexes.get(index).is_some_and(types::IndexDef::is_digest);
            self.made.numbers.rows_left += u64::from(unheard && self.made.numbers.rows_left > 0);
            if !self.plan.on_duplicate.is_empty() {
                return self.update_existing(&existing, &values, cx);
            }
            let error = duplicate_error(table, index, &self.made.image, cx);
            if !self.plan.ignore {
                return Err(error);
            }
            // The client hears of it where no row before got a number.
            self.made.last_explicit = generated.unwrap_or(self.made.last_explicit);
            cx.state.warn(Level::Warning, error.errno, error.message);
            return Ok(false);
        }
    }

    /// Computes the generated columns and holds the row against the view, then against CHECKs; false where IGNORE passes over it.
    fn passes_rules(&mut self, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        let mut values: Vec<Value> =
            self.made.values.iter_mut().map(|v| v.take().unwrap_or_default()).collect();
        let def = self.plan.table.def();
        self.plan.rules.compute(def, &mut values, cx)?;
        let passes = self.passes_view(&values, cx)?;
        if passes && let Err(error) = self.plan.rules.hold(def, &values, cx) {
            let passed_over = self.passes_over();
            if error.errno == ER_CONSTRAINT_FAILED && passed_over {
                cx.state.warn(Level::Warning, error.errno, error.message);
                return Ok(false);
            }
            // The CHECK itself, beside what its expression came upon.
            if let Some(check) = cx.state.diagnostics.entries.last_mut()
                && check.errno == ER_CONSTRAINT_FAILED
                && passed_over
            {
                check.level = Level::Warning;
            }
            return Err(error);
        }
        for (place, value) in self.made.values.iter_mut().zip(values) {
            *place = Some(value);
        }
        Ok(passes)
    }

    /// Holds a row against CHECK OPTION of the view that it comes through; false where IGNORE passes over it.
    fn passes_view(&mut self, values: &[Value], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        let Some(rule) = &self.plan.view_rule else { return Ok(true) };
        let zone = cx.state.vars.time_zone;
        let frame = cx.frame_mut(0, rule.blank.len().max(values.len()));
        frame[..rule.blank.len()].clone_from_slice(&rule.blank);
        for (place, value) in frame[rule.first..].iter_mut().zip(values) {
            *place = value.clone().in_zone(&zone);
        }
        // Its number is to come.
        if let Some(column) = self.auto_column.filter(|&column| values[column].is_null()) {
            frame[rule.first + column] = implicit_default(&self.plan.table.def().columns[column]);
        }
        if change::keeps(rule, cx)? {
            return Ok(true);
        }
        let error = SqlError::view_check_failed(&rule.database, &rule.view);
        if !self.passes_over() {
            return Err(error);
        }
        cx.state.warn(Level::Warning, error.errno, error.message);
        Ok(false)
    }

    fn note_generated(&mut self, generated: Option<u64>) {
        if let Some(value) = generated
            && self.made.first_generated == 0
        {
            self.made.first_generated = value;
        }
    }
}

/// Error 1906 for a value given to a generated column, a warning outside strict mode, with what the column says of it.
pub fn refuse_generated(
    table: &TableDef,
    column: usize,
    value: &Value,
    ignore: bool,
    cx: &mut Cx<'_>,
) -> Result<(), SqlError> {
    let error = SqlError::value_for_generated_ignored(&table.columns[column].name, &table.name);
    if cx.state.statement.strict && !ignore {
        return Err(error);
    }
    cx.state.warn(Level::Warning, error.errno, error.message);
    // A stored one holds it until it is computed.
    let def = &table.columns[column];
    match def.generated.as_ref().is_some_and(|own| own.stored) && !value.is_null() {
        true => store::store(value, def, cx.state).map(drop),
        false => Ok(()),
    }
}

/// Converts a value to a column; NULL for a NOT NULL column is error 1048, or the zero value with a warning; for a
/// TIMESTAMP it is the time of the statement.
pub fn store_in(value: &Value, def: &ColumnDef, lenient: bool, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    if !value.is_null() {
        return store::store(value, def, cx.state);
    }
    if def.nullable {
        return Ok(Value::Null);
    }
    if matches!(def.ty, types::ColumnType::Timestamp(_)) {
        return Ok(current_timestamp(cx.state, def));
    }
    let error = SqlError::bad_null(&def.name);
    if !lenient || (cx.state.statement.strict && !cx.state.statement.ignore) {
        return Err(error);
    }
    cx.state.warn(Level::Warning, error.errno, error.message);
    Ok(implicit_default(def))
}

/// `ON UPDATE CURRENT_TIMESTAMP`.
pub fn on_update_value(def: &ColumnDef, cx: &mut Cx<'_>) -> Option<Value> {
    def.on_update_now.then(|| current_timestamp(cx.state, def))
}

/// Error 1062 with the key's values as MariaDB shows them.
pub fn duplicate_error(table: &Table, index: usize, image: &[u8], cx: &mut Cx<'_>) -> SqlError {
    let Some(index) = table.def().indexes.get(index) else { return SqlError::dup_key(table.name()) };
    let zone = cx.state.vars.time_zone;
    let shown = |part: &types::IndexPart| {
        let value = table.layout().decode_column(image, part.column).unwrap_or_default().in_zone(&zone);
        store::key_text(&value, &table.def().columns[part.column], part.prefix_chars, cx.state)
    };
    let entry = store::key_entry(index.parts.iter().map(shown));
    SqlError::dup_entry(entry, &index.name)
}
