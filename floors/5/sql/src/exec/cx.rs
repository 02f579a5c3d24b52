//! What an expression or plan sees while it runs.

use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot, sort_key};
use crate::plan::{QueryPlan, RowSlots, SortKey};
use crate::session::State;
use crate::session::counters::Counter;
use engine::{FoundRow, RowBuf, Scan, Table};
use std::ops::Range;
use std::sync::Arc;
use types::Value;
use types::row::RowPlaces;

/// The context of one running statement.
///
/// It borrows the session's state for the statement's time, and owns the rows under way.
pub struct Cx<'s> {
    /// The session: variables, transaction, diagnostics.
    pub state: &'s mut State,
    /// The statement's parameters.
    pub params: &'s [Value],
    /// The row under way in each query block, by nesting level.
    pub frames: Vec<Vec<Value>>,
    /// In each query block whose first rows are being found: the sort key of the last row that is still among them.
    gates: Vec<Option<Vec<u8>>>,
    /// Rows that the table under way leaves out before it gives any, where it is one that may ([`TableAccess`]).
    ///
    /// [`TableAccess`]: crate::plan::TableAccess::passes_over
    pub pass_over: u64,
    /// Rows that are wanted of the table that is read next, as far as these are known to be few.
    pub wanted_rows: u64,
    /// Results of uncorrelated subqueries and materialised tables, by their number in the plan.
    pub materialized: Vec<Option<super::Materialized>>,
    /// Rows found by SQL_CALC_FOUND_ROWS.
    pub calculated_rows: Option<u64>,
    /// What is asked of the virtual table whose rows are made now.
    pub wanted: crate::catalog::Wanted,
    /// LIMIT ROWS EXAMINED, and rows read so far.
    examined: Option<(u64, u64)>,
    /// Buffers for row images, used again and again.
    buffers: Vec<RowBuf>,
    /// Buffers for keys.
    keys: Vec<Vec<u8>>,
    /// Buffers for places of columns.
    places: Vec<RowPlaces>,
    /// Scans that are over: their buffers serve again. They are large, and stay where they are.
    #[allow(clippy::vec_box)]
    scans: Vec<Box<Scan>>,
    /// Temporary files that the statement has written.
    pub spilled: u64,
    /// Counters by table, for ANALYZE.
    pub actuals: Option<Box<crate::plan::explain::Actuals>>,
    /// Level of the innermost subquery under way, 0 for none.
    innermost: u32,
    /// The block whose select list is computed for the group of no rows.
    pub rowless: Option<Rowless>,
    /// What the statement holds for rows under way.
    pub(super) memory: super::memory::Memory,
}

/// A block without rows: subqueries in its select list that would read one say that there is none.
#[derive(Clone)]
pub struct Rowless {
    /// Its level.
    pub level: u32,
    /// Conditions of constants leave none. Else those subqueries alone say so that read its aggregates, and random numbers or
    /// variables.
    pub foreknown: bool,
    /// Where the results of its aggregates are.
    pub aggregates: Range<u32>,
}

impl<'s> Cx<'s> {
    /// What FOUND_ROWS() shall say of a query where that is not how many rows it gave: what the outermost one, which ended
    /// last, has counted.
    pub fn calculated(&self, plan: &QueryPlan) -> Option<u64> {
        let counts = plan.tail().is_some_and(|tail| tail.calc_found_rows || tail.offset.is_some());
        self.calculated_rows.filter(|_| counts)
    }

    /// Whether it is NULL as it is written, or a parameter that is: a generated column takes that for DEFAULT.
    pub fn is_bare_null(&self, e: &Expr) -> bool {
        let given = |n: u32| self.params.get(n as usize).is_some_and(Value::is_null);
        e.is_written_null() || matches!(e.kind, Kind::Param(n) if given(n))
    }

    /// What FOUND_ROWS() says of a query that a statement reads, and that gave so many rows.
    pub fn found(&self, plan: &QueryPlan, given: u64) -> u64 {
        if plan.is_uncounted() { 0 } else { self.calculated(plan).unwrap_or(given) }
    }

    /// A context with no rows yet.
    #[inline]
    pub fn new(state: &'s mut State, params: &'s [Value]) -> Self {
        Self {
            state,
            params,
            frames: Vec::new(),
            gates: Vec::new(),
            pass_over: 0,
            wanted_rows: u64::MAX,
            materialized: Vec::new(),
            calculated_rows: None,
            examined: None,
            wanted: crate::catalog::Wanted::default(),
            buffers: Vec::new(),
            keys: Vec::new(),
            places: Vec::new(),
            scans: Vec::new(),
            spilled: 0,
            actuals: None,
            innermost: 0,
            rowless: None,
            memory: super::memory::Memory::default(),
        }
    }

    /// Counts for the session.
    #[inline]
    pub fn count(&self, counter: Counter, n: u64) {
        self.state.counted.add(counter, n);
    }

    /// Counts an intermediate result that is kept, and its rows.
    pub fn count_kept(&self, rows: u64) {
        self.count(Counter::CreatedTmpTables, 1);
        self.count(Counter::HandlerTmpWrite, rows);
    }

    /// Counts for ANALYZE what is read of a table.
    #[inline]
    pub fn note(&mut self, table: &crate::plan::TableAccess, loops: u64, rows: u64, kept: u64) {
        if let Some(actuals) = &mut self.actuals {
            let actual = actuals.of(table);
            actual.loops += loops;
            actual.rows += rows;
            actual.kept += kept;
        }
    }

    /// Keeps a result for the rest of the statement.
    pub fn keep(&mut self, number: usize, result: super::Materialized) {
        if self.materialized.len() <= number {
            self.materialized.resize_with(number + 1, || None);
        }
        self.materialized[number] = Some(result);
    }

    /// Forgets a kept result.
    pub fn forget(&mut self, number: usize) {
        if let Some(result) = self.materialized.get_mut(number) {
            *result = None;
        }
    }

    /// Runs a subquery of a level. One named by an alias may be asked for from inside another of the same level: the rows
    /// under way there are put aside meanwhile.
    #[inline]
    pub fn in_subquery<T>(&mut self, level: u32, run: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.innermost, level);
        let aside = (level <= around && (level as usize) < self.frames.len())
            .then(|| self.frames.split_off(level as usize));
        let ran = run(self);
        if let Some(aside) = aside {
            self.frames.truncate(level as usize);
            self.frames.extend(aside);
        }
        self.innermost = around;
        ran
    }

    /// Puts the row of a table to be changed into its slots.
    pub fn set_target(&mut self, slots: RowSlots, row: FoundRow<'_>) {
        let frame = self.frame_mut(0, slots.image as usize + 1);
        frame[slots.key as usize] = Value::binary(row.key);
        frame[slots.image as usize] = Value::binary(row.row);
    }

    /// Takes the row of a table to be changed; `None` where an outer join found none, or it was taken.
    pub fn take_target(&mut self, slots: RowSlots) -> Option<RowBuf> {
        let frame = self.frame_mut(0, slots.image as usize + 1);
        match slots.all().map(|slot| std::mem::take(&mut frame[slot as usize])) {
            [Value::Str(key), Value::Str(row)] => {
                Some(RowBuf { key: key.bytes.into_vec(), row: row.bytes.into_vec() })
            }
            _ => None,
        }
    }

    /// An empty buffer.
    pub fn take_buffer(&mut self) -> RowBuf {
        self.buffers.pop().unwrap_or_default()
    }

    /// Gives a buffer back.
    pub fn give_buffer(&mut self, buffer: RowBuf) {
        self.buffers.push(buffer);
    }

    /// An empty buffer for a key.
    pub fn take_key(&mut self) -> Vec<u8> {
        self.keys.pop().unwrap_or_default()
    }

    /// Gives a key's buffer back.
    pub fn give_key(&mut self, key: Vec<u8>) {
        self.keys.push(key);
    }

    /// A buffer for places of columns.
    pub fn take_places(&mut self) -> RowPlaces {
        self.places.pop().unwrap_or_default()
    }

    /// Gives a buffer of places back.
    pub fn give_places(&mut self, places: RowPlaces) {
        self.places.push(places);
    }

    /// A scan to be begun: one that is over, if there is one.
    pub fn take_scan(&mut self, table: &Arc<Table>) -> Box<Scan> {
        self.scans.pop().unwrap_or_else(|| Box::new(Scan::of(table)))
    }

    /// Gives a scan back that is over.
    pub fn give_scan(&mut self, scan: Box<Scan>) {
        self.scans.push(scan);
    }

    /// The value in a slot; NULL for one that no row has filled.
    #[inline]
    pub fn slot(&self, slot: Slot) -> &Value {
        const NULL: &Value = &Value::Null;
        self.frames.get(slot.level as usize).and_then(|row| row.get(slot.index as usize)).unwrap_or(NULL)
    }

    /// Sets the value of a slot.
    #[inline]
    pub fn set_slot(&mut self, slot: Slot, value: Value) {
        self.frame_mut(slot.level, slot.index as usize + 1)[slot.index as usize] = value;
    }

    /// The row of a level, at least `width` values wide.
    #[inline]
    pub fn frame_mut(&mut self, level: u32, width: usize) -> &mut Vec<Value> {
        let level = level as usize;
        if self.frames.len() <= level {
            self.frames.resize_with(level + 1, Vec::new);
        }
        let frame = &mut self.frames[level];
        if frame.len() < width {
            frame.resize(width, Value::Null);
        }
        frame
    }

    /// Sets the sort key that rows of a level must come before, and gives the one that was set.
    pub fn set_gate(&mut self, level: u32, key: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let level = level as usize;
        if self.gates.len() <= level {
            self.gates.resize_with(level + 1, || None);
        }
        std::mem::replace(&mut self.gates[level], key)
    }

    /// Narrows the gate of a level to a key.
    pub fn narrow_gate(&mut self, level: u32, key: &[u8]) {
        let mut held = self.set_gate(level, None).unwrap_or_default();
        held.clear();
        held.extend_from_slice(key);
        self.set_gate(level, Some(held));
    }

    /// Whether rows of a level must come before a sort key.
    #[inline]
    pub fn has_gate(&self, level: u32) -> bool {
        matches!(self.gates.get(level as usize), Some(Some(_)))
    }

    /// Whether the row under way comes before the sort key that rows of its level must come before.
    pub fn passes_gate(&mut self, level: u32, keys: &[SortKey]) -> Result<bool, SqlError> {
        let mut key = self.take_key();
        key.clear();
        for part in keys {
            let value = part.value(self)?;
            sort_key(&value, &part.expr.ty, part.desc, &mut key);
        }
        let passes = match self.gates.get(level as usize) {
            Some(Some(last)) => key < *last,
            _ => true,
        };
        self.give_key(key);
        Ok(passes)
    }

    /// Sets LIMIT ROWS EXAMINED for the rest of the statement, unless it is set.
    pub fn limit_examined(&mut self, most: u64) {
        self.examined.get_or_insert((most, 0));
    }

    /// Whether rows read are counted against LIMIT ROWS EXAMINED.
    pub fn counts_examined(&self) -> bool {
        self.examined.is_some()
    }

    /// Counts a row read; error 1931 beyond LIMIT ROWS EXAMINED, which whoever sends the result makes a warning of. Also
    /// a point as [`Cx::check_interrupt`] is.
    #[inline]
    pub fn examine(&mut self) -> Result<(), SqlError> {
        if let Some((most, read)) = &mut self.examined {
            *read += 1;
            if read > most {
                return Err(SqlError::interrupted_by_limit(format!(
                    "The query exceeded LIMIT ROWS EXAMINED {most}. The query result may be incomplete"
                )));
            }
        }
        self.check_interrupt()
    }

    /// A point at which a long statement may be ended by KILL or its time limit, and gives way to others.
    #[inline]
    pub fn check_interrupt(&mut self) -> Result<(), SqlError> {
        runtime::slice_point();
        self.state.check_killed()
    }
}
