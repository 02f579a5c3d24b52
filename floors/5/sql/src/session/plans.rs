//! Bound plans of queries and changes: made, run (changes by [`super::changes`]), and kept for the next statement of the same shape.
//!
//! A text's plan is found in this core's cache ([`super::plan_cache`]); the literals lifted out of it become the plan's
//! parameters. A prepared statement keeps its plan itself, and offers it to other sessions of the core. A plan is good for
//! parameters of the same kinds, as long as its tables are the present versions; else it is made anew.
//!
//! A read of one row by its whole primary key runs without a transaction, a snapshot or a join. Statements that wait
//! behind the running one can be looked up beforehand: [`super::foresight`].

use super::counters::Counter;
use super::foresight::Foreseen;
use super::peeked::Peeked;
use super::plan_cache::{self, Under};
use super::row_key::{PointColumns, RowKey};
use super::statement::{Ended, Reset, Running};
use super::{Announced, Session, State};
use crate::bind::change::ChangePlan;
use crate::bind::insert::InsertPlan;
use crate::bind::{Binder, Clause, Opened, Scope};
use crate::error::SqlError;
use crate::exec::{Cx, direct};
use crate::expr::build::{characters_asked, repertoire_of};
use crate::expr::{Expr, Repertoire};
use crate::output::{ColumnMeta, Done, Gone, Output, RowRef};
use crate::plan::{Body, QueryPlan};
use crate::syntax::ast::Statement;
use crate::syntax::{ParseOptions, parse};
use engine::{Isolation, Mdl, Read, Table, View};
use std::rc::Rc;
use std::sync::Arc;
use types::Value;

/// A bound statement.
pub(super) enum Plan {
    Query(QueryPlan),
    Insert(InsertPlan),
    Update(ChangePlan),
    Delete(ChangePlan),
    Do(Vec<Expr>),
}

/// A plan with what tells whether it still serves.
pub(super) struct CachedPlan {
    plan: Plan,
    /// The number of its `Com_` counter.
    command: usize,
    /// Kinds of the parameters that it was bound for.
    kinds: Vec<std::mem::Discriminant<Value>>,
    /// What they were announced as.
    announced: Announced,
    /// What characters they had, where text of one character set meets another's and that decides what becomes of it.
    characters: Option<Vec<Repertoire>>,
    /// Its tables, how they are locked, and their rows when it was made.
    tables: Vec<(Arc<Table>, Mdl, u64)>,
    /// Its views, and the change of accounts that their definers' privileges were looked up under.
    views: Vec<Arc<View>>,
    accounts: u64,
    columns: Vec<ColumnMeta>,
    results: Option<types::CollationId>,
    /// The one row that it reads or changes.
    pub(super) row: Option<RowKey>,
    /// It gives columns of that row and does nothing else.
    point: Option<PointColumns>,
    /// What it does to the diagnostics of the statement before.
    reset: Reset,
    /// So much is to be read that the plan had better be made for the very values, each time.
    pub(super) heavy: bool,
    /// Columns of its one table that it gives as they are stored, if that is all it does.
    direct: Option<direct::Columns>,
    /// Ranges by which it was chosen.
    peeked: Vec<Peeked>,
}

/// A query with more literals than this keeps no plan.
const MANY_PARAMS: usize = 256;
/// A query that is expected to cost more than so many rows is heavy.
const HEAVY: f64 = 20_000.0;
/// A table that has grown or shrunk by this factor since a plan was made has it made anew.
const STALE_FACTOR: u64 = 8;

impl Session {
    /// Runs a text by its shape, where it has one that plans are kept for. `None`: take the long way.
    pub(super) fn run_shaped(
        &mut self,
        text: &[u8],
        foreseen: Option<Foreseen>,
        out: &mut dyn Output,
    ) -> Result<Option<bool>, Gone> {
        if !self.state.locked_tables.is_empty() {
            // What LOCK TABLES allows is looked at as tables are opened.
            return Ok(None);
        }
        let under = self.state.plan_settings();
        let foreseen = foreseen.filter(|foreseen| foreseen.settings == under.settings);
        let looked_up;
        let (params, found) = match &foreseen {
            Some(foreseen) => (&foreseen.params, Some(foreseen.plan.clone())),
            None => match self.state.look_up(under, text) {
                Some((params, found)) => {
                    looked_up = params;
                    (&looked_up, found)
                }
                None => return Ok(None),
            },
        };
        let running = Running { foreseen: foreseen.as_ref(), ..Running::alone(text, params) };
        if let Some(cached) = found
            && cached.fits(params, &self.state)
        {
            if cached.heavy {
                return Ok(None);
            }
            self.note_listed_in(&cached.plan);
            if let Some(ran) = self.run_cached(&cached, &running, out)? {
                return Ok(Some(ran));
            }
        }
        self.run_anew(under, &running, out)
    }

    /// Makes a plan for a text that has a shape, keeps it in the place of one that serves no more, and runs it.
    fn run_anew(
        &mut self,
        under: Under,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<Option<bool>, Gone> {
        let Some(offsets) = plan_cache::lifted_of(running.text, under) else { return Ok(None) };
        let options = ParseOptions { mode: under.mode, lifted: &offsets, ..ParseOptions::default() };
        let Ok(parsed) = parse(running.text, 0, options) else { return Ok(None) };
        let Some(cached) = self.make_cached(&parsed.statement, running) else { return Ok(None) };
        let cached = Rc::new(cached);
        // One session's own tables are no other's, and shall not outlive it here.
        if !cached.is_private() {
            plan_cache::keep(running.text, under, &cached);
        }
        if cached.heavy {
            let _ = self.state.end_statement(false);
            return Ok(None);
        }
        self.note_listed_in(&cached.plan);
        self.run_cached(&cached, running, out)
    }

    /// Binds a statement with its parameters left open; `None` where that is not possible, or fails: the long way will
    /// tell.
    pub(super) fn make_cached(&mut self, statement: &Statement, running: &Running<'_>) -> Option<CachedPlan> {
        let plain = match statement {
            // Literals of VALUES and JSON_TABLE are more than data.
            Statement::Query(query) => query.into.is_none() && !query.has_literal_rows(),
            Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) | Statement::Do(_) => true,
            _ => false,
        };
        if matches!(statement, Statement::Query(_)) && running.params.len() > MANY_PARAMS {
            // Long lists are better looked up by keys, which parameters have not.
            return None;
        }
        if !plain || running.params.iter().any(Value::is_null) {
            return None;
        }
        self.begin_statement(Reset::Keep);
        let (raised, asked) = (self.state.diagnostics.raised, characters_asked());
        let bound = self.bind(statement, running, true);
        let converts = characters_asked() != asked;
        let (plan, (tables, views)) = match bound {
            Ok(bound) if self.state.diagnostics.raised == raised && !self.state.statement.foreknows => bound,
            _ => {
                let _ = self.state.end_statement(false);
                return None;
            }
        };
        let columns = match &plan {
            Plan::Query(plan) => self.state.describe(&plan.columns),
            _ => Vec::new(),
        };
        let row = match &plan {
            Plan::Query(QueryPlan { body: Body::Select(select), .. }) => RowKey::of(select),
            Plan::Update(change) | Plan::Delete(change) => RowKey::of(&change.find),
            _ => None,
        };
        let (point, direct) = match &plan {
            // Rows as they are stored are not padded.
            Plan::Query(plan) if !self.state.vars.has_mode(super::mode::PAD_CHAR_TO_FULL_LENGTH) => {
                (PointColumns::of(plan, row.as_ref()), direct::Columns::of(plan))
            }
            _ => (None, None),
        };
        let heavy = matches!(&plan, Plan::Query(plan) if plan.cost() > HEAVY);
        let peeked = match &plan {
            Plan::Query(plan) => Peeked::of_query(plan, running.params, &mut self.state),
            Plan::Update(change) | Plan::Delete(change) => {
                Peeked::of_block(&change.find, running.params, &mut self.state)
            }
            Plan::Insert(_) | Plan::Do(_) => Vec::new(),
        };
        Some(CachedPlan {
            heavy,
            peeked,
            reset: super::statement::reset_of(statement),
            plan,
            command: self.state.host.command_number(super::counters::command_name(statement)),
            kinds: running.params.iter().map(std::mem::discriminant).collect(),
            announced: self.state.announced.clone(),
            characters: converts.then(|| running.params.iter().map(repertoire_of_param).collect()),
            tables: tables.into_iter().map(|(table, mdl)| (table.clone(), mdl, table.row_count())).collect(),
            views,
            accounts: self.state.host.globals().accounts_generation(),
            columns,
            results: self.state.vars.character_set_results,
            row,
            point,
            direct,
        })
    }

    /// Binds a query or change; gives what it opened.
    pub(super) fn bind(
        &mut self,
        statement: &Statement,
        running: &Running<'_>,
        lift: bool,
    ) -> Result<(Plan, Opened), SqlError> {
        let mut binder = Binder::new(&mut self.state, running.text, running.params);
        binder.lift_params = lift;
        let plan = match statement {
            Statement::Query(query) => binder.query(query).map(Plan::Query),
            Statement::Insert(insert) => binder.insert(insert).map(Plan::Insert),
            Statement::Update(update) => binder.update(update).map(Plan::Update),
            Statement::Delete(delete) => binder.delete(delete).map(Plan::Delete),
            Statement::Do(list) => binder.scalars(list, &Scope::new(None, 0), Clause::Do).map(Plan::Do),
            _ => return Err(SqlError::internal_error("bind statement")),
        };
        let opened = binder.into_opened();
        let plan = plan.map_err(|fault| self.state.fault_of_tables(statement, fault))?;
        self.state.check_fault()?;
        Ok((plan, opened))
    }

    /// Runs a kept plan; `None` when its tables have changed.
    pub(super) fn run_cached(
        &mut self,
        cached: &CachedPlan,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<Option<bool>, Gone> {
        self.begin_statement(cached.reset);
        if let Err(error) = self.state.begin_owing(cached.plan.only_changes(), running.more) {
            return self.guard(Err(error.into()), out).map(Some);
        }
        if let (Some(row), Some(columns)) = (&cached.row, &cached.point)
            && self.state.reads_alone()
            && let Some(ran) = self.run_point(row, columns, cached, running, out)?
        {
            return Ok(Some(ran));
        }
        for view in &cached.views {
            let held = self.state.txn().and_then(|txn| txn.hold_view(view).map_err(SqlError::from));
            match held {
                Ok(true) => {}
                Ok(false) => {
                    let _ = self.state.end_statement(false);
                    return Ok(None);
                }
                Err(error) => return self.guard(Err(error.into()), out).map(Some),
            }
        }
        for (table, mdl, _) in &cached.tables {
            match self.state.txn().and_then(|txn| txn.hold(table, *mdl).map_err(SqlError::from)) {
                Ok(true) => {}
                Ok(false) => {
                    let _ = self.state.end_statement(false);
                    return Ok(None);
                }
                Err(error) => return self.guard(Err(error.into()), out).map(Some),
            }
        }
        if let (Some(row), Some(columns)) = (&cached.row, &cached.point)
            && let Some(ran) = self.run_point(row, columns, cached, running, out)?
        {
            return Ok(Some(ran));
        }
        if cached.peeked.iter().any(|ranges| ranges.has_outgrown(running.params, &mut self.state)) {
            let _ = self.state.end_statement(false);
            return Ok(None);
        }
        self.state.counted.command(cached.command);
        let ran = match &cached.plan {
            Plan::Query(plan) => match &cached.direct {
                Some(columns) => self.send_direct(plan, columns, &cached.columns, running, out),
                None => self.send_query(plan, &cached.columns, running, out),
            },
            Plan::Do(list) => self.run_values(list, !cached.tables.is_empty(), running, out),
            plan => self.run_change(plan, running, out),
        };
        self.guard(ran, out).map(Some)
    }

    /// Reads one row, without a transaction where none is needed; `None` where that does not do.
    fn run_point(
        &mut self,
        wanted: &RowKey,
        columns: &PointColumns,
        cached: &CachedPlan,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<Option<bool>, Gone> {
        let mut made = Vec::new();
        let (key, sighting) = match running.foreseen.and_then(|foreseen| foreseen.near(cached)) {
            Some(near) => near,
            None => {
                made.reserve(16);
                if wanted.append_key(running.params, &self.state, &mut made).is_none() {
                    return Ok(None);
                }
                (&made[..], None)
            }
        };
        let mut row = std::mem::take(&mut self.state.row_buffer);
        let found = match self.state.reads_alone() {
            true => match self.state.place.pin(&wanted.table) {
                Some(pin) => Some(self.state.place.point_read_sighted(&pin, key, sighting, &mut row)),
                None => None,
            },
            false => match self.state.txn() {
                Ok(txn) => Some(txn.get(&wanted.table, key, Read::Snapshot, &mut row)),
                Err(_) => None,
            },
        };
        let Some(found) = found else {
            self.state.row_buffer = row;
            return Ok(None);
        };
        self.state.counted.command(cached.command);
        let ran = match found {
            Err(error) => Err(Ended::Error(error.into())),
            Ok(found) => {
                if self.state.txn.is_none() {
                    self.state.counted.add(Counter::HandlerCommit, 1);
                }
                let columns = &columns.0;
                let stored = |image| RowRef::Stored { layout: wanted.table.layout(), image, columns };
                self.send_point(found.then(|| stored(&row)), &cached.columns, running, out)
            }
        };
        self.state.row_buffer = row;
        self.guard(ran, out).map(Some)
    }

    fn send_point(
        &mut self,
        row: Option<RowRef<'_>>,
        columns: &[ColumnMeta],
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        out.columns(columns, &self.state.wire_options())?;
        let found = u64::from(row.is_some());
        self.state.found_rows = found;
        let counted = &self.state.counted;
        counted.add(Counter::HandlerReadKey, 1);
        counted.add(Counter::RowsRead, found);
        counted.add(Counter::RowsSent, found);
        counted.add(Counter::EmptyQueries, 1 - found);
        if let Some(row) = row {
            out.row(row)?;
        }
        self.finish_rows(running, out)
    }

    /// Evaluates expressions for what they do beside having a value; `reads` says whether there are tables in them,
    /// which are read as by a change.
    pub(super) fn run_values(
        &mut self,
        list: &[Expr],
        reads: bool,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        if reads {
            self.state.txn()?.lock_reads();
        }
        {
            // A block, and not `drop`, which would move it.
            let mut cx = Cx::new(&mut self.state, running.params);
            for e in list {
                e.eval(&mut cx)?;
            }
        }
        self.finish(Done::default(), running, out)
    }
}

/// What characters a parameter has.
fn repertoire_of_param(param: &Value) -> Repertoire {
    match param {
        Value::Str(text) => repertoire_of(text),
        _ => Repertoire::Ascii,
    }
}

impl State {
    /// Whether a statement that reads may run outside of any transaction.
    fn reads_alone(&self) -> bool {
        self.txn.is_none()
            && !self.explicit
            && self.vars.autocommit
            && self.locked_tables.is_empty()
            && self.vars.isolation != Isolation::Serializable
    }
}

impl CachedPlan {
    fn has_current_views(&self, state: &State) -> bool {
        self.views.is_empty()
            || self.accounts == state.host.globals().accounts_generation()
                && self.views.iter().all(|view| view.is_current())
    }

    /// Whether its tables and views are as they were when it was made.
    pub(super) fn is_current(&self, state: &State) -> bool {
        self.has_current_views(state) && self.tables.iter().all(|(table, ..)| table.is_current())
    }

    /// Whether it reads a session's own tables.
    pub(super) fn is_private(&self) -> bool {
        self.tables.iter().any(|(table, ..)| table.is_temporary())
    }

    /// Whether the plan serves these parameters and this session.
    pub(super) fn fits(&self, params: &[Value], state: &State) -> bool {
        self.results == state.vars.character_set_results
            && self.has_current_views(state)
            && self.kinds.len() == params.len()
            && self.kinds.iter().zip(params).all(|(kind, value)| *kind == std::mem::discriminant(value))
            && self.announced == state.announced
            && self
                .characters
                .as_ref()
                .is_none_or(|bound| bound.iter().copied().eq(params.iter().map(repertoire_of_param)))
            && self.tables.iter().all(|(table, _, rows)| {
                let now = table.row_count();
                now / STALE_FACTOR <= (*rows).max(100) && *rows / STALE_FACTOR <= now.max(100)
            })
    }
}
