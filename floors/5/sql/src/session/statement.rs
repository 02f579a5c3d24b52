//! One statement from text to result.

use super::owing::only_changes;
use super::{Foreseen, Level, Session, State, mode};
use crate::bind::{Binder, Clause, Scope};
use crate::error::{ER_QUERY_RESULT_INCOMPLETE, SqlError};
use crate::exec::direct::{self, Direct};
use crate::exec::{Cx, Flow, query};
use crate::expr::{Expr, build};
use crate::output::{ColumnMeta, Done, Gone, Output, RowRef};
use crate::plan::explain::{self, Explainer};
use crate::plan::{OutputColumn, QueryPlan};
use crate::session::counters::{Counter, command_name};
use crate::session::plans::Plan;
use crate::syntax::ast::{self, Statement};
use crate::syntax::{LexMode, ParseOptions, parse};
use std::sync::atomic::Ordering;
use std::time::Duration;
use types::row::WireOptions;
use types::{Charset, Timestamp, Value};

/// Why a statement ended early.
pub(crate) enum Ended {
    /// With an error for the client.
    Error(SqlError),
    /// The client is gone.
    Gone,
}

impl From<SqlError> for Ended {
    fn from(error: SqlError) -> Self {
        Self::Error(error)
    }
}

impl From<Gone> for Ended {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// The rows of a result on their way: columns go before the first of them, and `sql_select_limit` ends
/// them where the statement has no LIMIT.
struct Rows<'a> {
    columns: &'a [ColumnMeta],
    options: WireOptions,
    out: &'a mut dyn Output,
    begun: bool,
    limit: u64,
    sent: u64,
    /// The client takes no more.
    gone: bool,
}

impl<'a> Rows<'a> {
    fn new(plan: &QueryPlan, columns: &'a [ColumnMeta], state: &State, out: &'a mut dyn Output) -> Self {
        let limit = match plan.tail().is_some_and(|tail| tail.limit.is_some()) {
            true => u64::MAX,
            false => state.vars.sql_select_limit,
        };
        let options = state.wire_options();
        Self { columns, options, out, begun: false, limit, sent: 0, gone: false }
    }

    fn send(&mut self, row: RowRef<'_>) -> Flow {
        if !std::mem::replace(&mut self.begun, true) {
            self.gone |= self.out.columns(self.columns, &self.options).is_err();
        }
        if self.sent >= self.limit {
            return Flow::Stop;
        }
        self.sent += 1;
        self.gone |= self.gone || self.out.row(row).is_err();
        // The next row is not even computed.
        if self.gone || self.sent >= self.limit { Flow::Stop } else { Flow::Continue }
    }

    /// Sends the columns where no row has come; gives how many have.
    fn end(self) -> Result<u64, Gone> {
        if !self.begun {
            self.out.columns(self.columns, &self.options)?;
        }
        Ok(self.sent)
    }
}

/// A statement with what is needed to run it.
pub(crate) struct Running<'a> {
    /// The text that its spans point into.
    pub text: &'a [u8],
    /// Its own words.
    pub words: &'a [u8],
    /// Its parameters.
    pub params: &'a [Value],
    /// Another statement of the same text follows.
    pub more: bool,
    /// What was found out before its turn.
    pub foreseen: Option<&'a Foreseen>,
}

impl<'a> Running<'a> {
    /// A statement that stands alone in its text.
    pub fn alone(text: &'a [u8], params: &'a [Value]) -> Running<'a> {
        Running { text, words: text, params, more: false, foreseen: None }
    }
}

impl Session {
    /// Runs the statement that starts at `from`; gives where the next one starts, if the text goes on and all went
    /// well.
    pub(super) fn run_next(
        &mut self,
        text: &[u8],
        from: usize,
        multi: bool,
        out: &mut dyn Output,
    ) -> Result<Option<usize>, Gone> {
        let options = ParseOptions {
            mode: self.state.lex_mode(),
            dates: Some(self.state.date_mode()),
            several: multi,
            ..ParseOptions::default()
        };
        let parsed = match parse(text, from, options) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.state.log_command("Query", &text[from..]);
                self.begin_statement(Reset::Clear);
                return self.fail(error, out).map(|()| None);
            }
        };
        let (words, more) = (parsed.text.of(text), parsed.rest.is_some());
        self.state.log_command("Query", words);
        let running = Running { words, more, ..Running::alone(text, &[]) };
        self.note_listed(&parsed.statement);
        let ok = self.run_statement(&parsed.statement, &running, out)?;
        Ok(parsed.rest.filter(|_| ok))
    }

    /// Runs a parsed statement to its end and tells the client; whether it went well.
    pub(super) fn run_statement(
        &mut self,
        statement: &Statement,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<bool, Gone> {
        self.begin_statement(reset_of(statement));
        self.state.count_statement(command_name(statement));
        let ran = match self.state.begin_owing(only_changes(statement), running.more) {
            Ok(()) => self.dispatch(statement, running, out),
            Err(error) => Err(error.into()),
        };
        self.guard(ran, out)
    }

    /// Tells the client of an error; whether there was none.
    pub(super) fn guard(&mut self, ran: Result<(), Ended>, out: &mut dyn Output) -> Result<bool, Gone> {
        match ran {
            Ok(()) => Ok(true),
            Err(Ended::Gone) => {
                let _ = self.state.end_statement(false);
                Err(Gone)
            }
            Err(Ended::Error(error)) => {
                let ended = self.state.end_statement(false);
                self.fail(ended.err().unwrap_or(error), out).map(|()| false)
            }
        }
    }

    pub(super) fn begin_statement(&mut self, reset: Reset) {
        let state = &mut self.state;
        match reset {
            Reset::Clear => state.diagnostics.clear(),
            Reset::SetAside => state.diagnostics.set_aside(),
            Reset::Keep => {}
        }
        let now = match state.vars.timestamp_us {
            None => runtime::turn_wall_time(),
            Some(fixed) => Duration::from_micros(fixed),
        };
        state.statement.begin(Timestamp { secs: now.as_secs() as u32, micros: now.subsec_micros() });
        state.statement.shows_diagnostics = reset == Reset::Keep;
        let asked = state.killed.load(Ordering::Relaxed);
        // A KILL QUERY that came too late for the statement before is not meant for this one; KILL CONNECTION stays.
        if matches!(asked, super::kill::QUERY | super::kill::TIMEOUT)
            && state
                .killed
                .compare_exchange(asked, super::kill::NONE, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            state.place.interrupt().clear();
        }
        state.limit_time();
        if let Some(txn) = &mut state.txn {
            txn.begin_statement();
        }
    }

    fn fail(&mut self, error: SqlError, out: &mut dyn Output) -> Result<(), Gone> {
        let error = self.state.told_to_end(error);
        let error = self.failure(error);
        self.state.time_limit = None;
        out.error(&error)
    }

    /// Ends a statement without rows: commits under autocommit, then tells the client that all went well.
    pub(crate) fn finish(
        &mut self,
        done: Done,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        self.state.row_count = done.affected_rows as i64;
        self.end(done, running, out)
    }

    /// Ends a statement whose rows were sent.
    pub(super) fn finish_rows(&mut self, running: &Running<'_>, out: &mut dyn Output) -> Result<(), Ended> {
        self.state.row_count = -1;
        self.end(Done::default(), running, out)
    }

    fn end(&mut self, done: Done, running: &Running<'_>, out: &mut dyn Output) -> Result<(), Ended> {
        self.state.end_statement(true)?;
        self.state.time_limit = None;
        let done = Done {
            status: self.state.status_bits(),
            warnings: match self.state.statement.shows_diagnostics {
                true => 0,
                false => self.state.diagnostics.count(),
            },
            more_results: running.more,
            ..done
        };
        out.done(&done)?;
        Ok(())
    }

    pub(crate) fn dispatch(
        &mut self,
        statement: &Statement,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        match statement {
            Statement::Query(query) => self.run_query(query, running, out),
            Statement::Insert(_) if crate::admin::passes_over(&mut self.state, statement) => {
                self.finish(Done::default(), running, out)
            }
            Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => {
                self.bind_and_change(statement, running, out)
            }
            Statement::LoadData(load) => self.load_data(load, running, out),
            Statement::Do(list) => self.run_do(list, running, out),
            Statement::Begin(begin) => {
                self.state.start_transaction(begin.read_only, begin.consistent_snapshot)?;
                self.finish(Done::default(), running, out)
            }
            Statement::Commit(completion) => {
                self.state.commit()?;
                self.complete(*completion, running, out)
            }
            Statement::Rollback(completion) => {
                self.state.rollback()?;
                self.complete(*completion, running, out)
            }
            Statement::Savepoint(name) => {
                if self.state.explicit || !self.state.vars.autocommit {
                    self.state.txn()?.savepoint(name).map_err(SqlError::from)?;
                    self.state.counted.add(Counter::HandlerSavepoint, 1);
                }
                self.finish(Done::default(), running, out)
            }
            Statement::RollbackTo(name) => {
                let txn =
                    self.state.txn.as_mut().ok_or_else(|| SqlError::does_not_exist("SAVEPOINT", name))?;
                txn.rollback_to(name).map_err(SqlError::from)?;
                self.state.counted.add(Counter::HandlerSavepointRollback, 1);
                self.finish(Done::default(), running, out)
            }
            Statement::ReleaseSavepoint(name) => {
                let txn =
                    self.state.txn.as_mut().ok_or_else(|| SqlError::does_not_exist("SAVEPOINT", name))?;
                txn.release(name).map_err(SqlError::from)?;
                self.finish(Done::default(), running, out)
            }
            Statement::Use(name) => {
                self.state.use_database(name)?;
                self.finish(Done::default(), running, out)
            }
            Statement::Explain(explain) => self.run_explain(explain, running, out),
            Statement::Prepare { name, source } => self.run_prepare(name, source, running, out),
            Statement::Execute { name, using } => self.run_execute(name, using, running, out),
            Statement::ExecuteImmediate { source, using } => self.run_immediate(source, using, running, out),
            Statement::Deallocate(name) => self.run_deallocate(name, running, out),
            Statement::Empty => self.finish(Done::default(), running, out),
            other => crate::admin::run(self, other, running, out),
        }
    }

    fn complete(
        &mut self,
        completion: ast::Completion,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        if completion.chain == Some(true) {
            self.state.start_transaction(None, false)?;
        }
        self.finish(Done::default(), running, out)
    }

    /// Sends a result made of values that are all there already.
    pub(crate) fn send_rows(
        &mut self,
        columns: &[ColumnMeta],
        rows: impl IntoIterator<Item = Vec<Value>>,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        out.columns(columns, &self.state.wire_options())?;
        for row in rows {
            out.row(RowRef::Values(&row))?;
        }
        self.finish_rows(running, out)
    }

    fn run_query(
        &mut self,
        ast_query: &ast::Query,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let bound = Binder::new(&mut self.state, running.text, running.params).query(ast_query);
        let plan = bound.map_err(|fault| self.state.fault_of_query(ast_query, false, fault))?;
        match &ast_query.into {
            None => {
                let columns = self.state.describe(&plan.columns);
                self.send_query(&plan, &columns, running, out)
            }
            Some(into) => {
                let locals = matches!(into, ast::SelectInto::Variables(list) if list.iter().any(|target| matches!(target, ast::IntoTarget::Local(_))));
                if ast_query.into_last && !locals {
                    let warning = SqlError::deprecated_syntax(
                        "<select expression> INTO <destination>;",
                        "'SELECT <select list> INTO <destination> FROM...'",
                    );
                    self.state.warn(Level::Warning, warning.errno, warning.message);
                }
                let affected = self.select_into(&plan, into, running)?;
                self.state.row_count = affected as i64;
                self.finish(Done { affected_rows: affected, ..Done::default() }, running, out)
            }
        }
    }

    /// Runs a plan and sends its rows as they come.
    pub(crate) fn send_query(
        &mut self,
        plan: &QueryPlan,
        columns: &[ColumnMeta],
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let mut rows = Rows::new(plan, columns, &self.state, out);
        let (ran, calculated) = {
            let mut cx = Cx::new(&mut self.state, running.params);
            let ran = query::run(plan, &mut cx, &mut |_, row| Ok(rows.send(RowRef::Values(row))));
            (ran, cx.calculated(plan))
        };
        if rows.gone {
            return Err(Ended::Gone);
        }
        match ran {
            // A limit of rows read ends the result where it is.
            Err(error) if error.errno == ER_QUERY_RESULT_INCOMPLETE => {
                self.state.warn(Level::Warning, error.errno, error.message);
            }
            Err(error) => {
                self.state.found_rows = rows.sent;
                return Err(error.into());
            }
            Ok(_) => {}
        }
        let sent = rows.end()?;
        self.state.count_sent(sent);
        self.state.found_rows = calculated.unwrap_or(sent);
        self.finish_rows(running, out)
    }

    /// Runs a plan whose result is columns of one table as they are stored.
    pub(super) fn send_direct(
        &mut self,
        plan: &QueryPlan,
        columns: &direct::Columns,
        metas: &[ColumnMeta],
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let Some(direct) = Direct::of(plan) else { return self.send_query(plan, metas, running, out) };
        let mut rows = Rows::new(plan, metas, &self.state, out);
        let (ran, calculated) = {
            let mut cx = Cx::new(&mut self.state, running.params);
            (direct.run(columns, &mut cx, &mut |row| rows.send(row)), cx.calculated_rows)
        };
        if rows.gone {
            return Err(Ended::Gone);
        }
        let ran = ran.inspect_err(|_| self.state.found_rows = rows.sent)?;
        if let direct::Ran::TooMany = ran {
            return self.send_query(plan, metas, running, out);
        }
        let sent = rows.end()?;
        self.state.count_sent(sent);
        self.state.found_rows = calculated.unwrap_or(sent);
        self.finish_rows(running, out)
    }

    fn select_into(
        &mut self,
        plan: &QueryPlan,
        into: &ast::SelectInto,
        running: &Running<'_>,
    ) -> Result<u64, SqlError> {
        let ast::SelectInto::Variables(targets) = into else {
            return self.select_into_file(plan, into, running);
        };
        if targets.len() != plan.columns.len() {
            return Err(SqlError::wrong_number_of_columns_in_select());
        }
        let mut found: Option<Vec<Value>> = None;
        let mut cx = Cx::new(&mut self.state, running.params);
        query::run(plan, &mut cx, &mut |_, row| match found {
            Some(_) => Err(SqlError::too_many_rows()),
            None => {
                found = Some(row.to_vec());
                Ok(Flow::Continue)
            }
        })?;
        let calculated = cx.calculated(plan);
        drop(cx);
        let counted = found.is_some() && !plan.is_uncounted();
        self.state.found_rows = calculated.unwrap_or(u64::from(counted));
        let Some(row) = found else {
            let warning = SqlError::no_data();
            self.state.warn(Level::Warning, warning.errno, warning.message);
            return Ok(0);
        };
        for ((target, value), column) in targets.iter().zip(row).zip(&plan.columns) {
            match target {
                ast::IntoTarget::UserVar(name) => {
                    let ty = column.ty.clone().in_row();
                    self.state.set_user_var(name.to_lowercase(), value, Some(&ty));
                }
                ast::IntoTarget::Local(name) => return Err(SqlError::undeclared_variable(name)),
            }
        }
        Ok(1)
    }

    fn run_do(
        &mut self,
        list: &[ast::Expr],
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let mut binder = Binder::new(&mut self.state, running.text, running.params);
        let bound = binder.scalars(list, &Scope::new(None, 0), Clause::Do)?;
        self.run_values(&bound, list.iter().any(ast::Expr::has_from), running, out)
    }

    fn run_explain(
        &mut self,
        explain: &ast::Explain,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let (plan, _) = self.bind(&explain.statement, running, false)?;
        let mut ran = None;
        if explain.analyze {
            let begun = std::time::Instant::now();
            let actuals = self.analyze(&plan, running)?;
            ran = Some((actuals, begun.elapsed().as_secs_f64() * 1000.0));
        }
        let actuals = ran.as_ref().map(|(actuals, _)| &**actuals);
        let mut explainer = Explainer::new(actuals);
        let tree = match &plan {
            Plan::Query(plan) => explainer.query(plan, "SIMPLE"),
            Plan::Update(plan) | Plan::Delete(plan) => explainer.block(&plan.find, "SIMPLE"),
            Plan::Insert(plan) => explainer.insert(plan),
            Plan::Do(_) => return Err(SqlError::internal_error("explain").into()),
        };
        let (columns, rows) = match explain.format {
            ast::ExplainFormat::Json => {
                explain::json(&tree, ran.as_ref().map(|(actuals, ms)| (&**actuals, *ms)))
            }
            ast::ExplainFormat::Traditional => explain::traditional(&tree, explain.extended, explain.analyze),
        };
        let columns = self.state.describe(&columns);
        self.send_rows(&columns, rows, running, out)
    }
}

impl Session {
    /// Runs a plan, counting what it does; its rows go nowhere.
    fn analyze(&mut self, plan: &Plan, running: &Running<'_>) -> Result<Box<explain::Actuals>, SqlError> {
        let facts = &mut self.state.statement;
        facts.strict = self.state.vars.has_mode(mode::STRICT_TRANS_TABLES | mode::STRICT_ALL_TABLES);
        let mut cx = Cx::new(&mut self.state, running.params);
        cx.actuals = Some(Box::default());
        let mut drop_row = |_: &mut Cx<'_>, _: &[types::Value]| Ok(Flow::Continue);
        match plan {
            Plan::Query(plan) => query::run(plan, &mut cx, &mut drop_row).map(|_| ())?,
            Plan::Update(plan) => crate::exec::change::update(plan, &mut cx).map(|_| ())?,
            Plan::Delete(plan) => crate::exec::change::delete(plan, &mut cx, &mut drop_row).map(|_| ())?,
            Plan::Insert(plan) => {
                cx.state.statement.ignore = plan.ignore;
                cx.state.statement.target = Some(plan.table.clone());
                crate::exec::insert::run(plan, &mut cx, &mut drop_row).map(|_| ())?;
            }
            Plan::Do(_) => return Err(SqlError::internal_error("analyze DO")),
        }
        let mut actuals = cx.actuals.take().unwrap_or_default();
        actuals.spilled = cx.spilled;
        Ok(actuals)
    }
}

/// What becomes of the diagnostics of the statement before when one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reset {
    /// They go.
    Clear,
    /// They stay until this one raises something.
    SetAside,
    /// They are what this one shows.
    Keep,
}

/// Statements that name no table leave the diagnostics before them to be shown.
pub(super) fn reset_of(statement: &Statement) -> Reset {
    let bare = |query: &ast::Query| if query.has_from() { Reset::Clear } else { Reset::SetAside };
    match statement {
        Statement::Show(show) => match show.kind {
            ast::ShowKind::Warnings { .. }
            | ast::ShowKind::Errors { .. }
            | ast::ShowKind::CountWarnings
            | ast::ShowKind::CountErrors => Reset::Keep,
            _ => Reset::Clear,
        },
        Statement::Query(query) => bare(query),
        Statement::Do(list) if list.iter().any(ast::Expr::has_from) => Reset::Clear,
        Statement::Set(items) if ast::SetItem::any_has_from(items) => Reset::Clear,
        Statement::Do(_)
        | Statement::Set(_)
        | Statement::Begin(_)
        | Statement::Commit(_)
        | Statement::Rollback(_)
        | Statement::Savepoint(_)
        | Statement::RollbackTo(_)
        | Statement::ReleaseSavepoint(_)
        | Statement::Deallocate(_)
        | Statement::Empty => Reset::SetAside,
        Statement::Execute { .. } | Statement::ExecuteImmediate { .. } | Statement::Prepare { .. } => {
            Reset::SetAside
        }
        _ => Reset::Clear,
    }
}

impl State {
    /// How texts are read under this session's `sql_mode`.
    pub fn lex_mode(&self) -> LexMode {
        LexMode {
            ansi_quotes: self.vars.has_mode(mode::ANSI_QUOTES),
            no_backslash_escapes: self.vars.has_mode(mode::NO_BACKSLASH_ESCAPES),
            pipes_as_concat: self.vars.has_mode(mode::PIPES_AS_CONCAT),
            ignore_space: self.vars.has_mode(mode::IGNORE_SPACE),
            high_not_precedence: self.vars.has_mode(mode::HIGH_NOT_PRECEDENCE),
            empty_string_is_null: self.vars.has_mode(mode::EMPTY_STRING_IS_NULL),
            oracle: self.vars.has_mode(mode::ORACLE),
            client: self.client_charset(),
        }
    }

    /// How the text of PREPARE is read.
    pub(super) fn prepared_options(&self) -> ParseOptions<'static> {
        ParseOptions {
            mode: self.lex_mode(),
            dates: Some(self.date_mode()),
            params: true,
            ..ParseOptions::default()
        }
    }

    /// The client's character set where that is not UTF-8 (which bytes count as).
    pub fn client_charset(&self) -> Option<Charset> {
        let charset = self.vars.character_set_client.charset();
        (!matches!(charset, Charset::Utf8mb4 | Charset::Utf8mb3 | Charset::Ascii | Charset::Binary))
            .then_some(charset)
    }

    /// How results are sent.
    pub fn wire_options(&self) -> WireOptions {
        WireOptions {
            zone: self.vars.time_zone,
            charset: self.vars.character_set_results.map(|collation| collation.charset()),
        }
    }

    /// Describes columns for the wire.
    pub fn describe(&self, columns: &[OutputColumn]) -> Vec<ColumnMeta> {
        columns.iter().map(|column| build::meta(column, &self.vars)).collect()
    }
}

/// Parses and binds an expression kept as text that names no column (a DEFAULT).
pub fn expression_of(text: &str, state: &mut State) -> Result<Expr, SqlError> {
    bind_kept(text, &Scope::new(None, 0), Clause::Default, state)
}

/// Parses and binds an expression kept as text over the columns of a table (a CHECK, a generated column), which
/// stand in slots from 0 on.
pub fn expression_over(
    text: &str,
    def: &types::TableDef,
    clause: Clause,
    state: &mut State,
) -> Result<Expr, SqlError> {
    let mut scope = Scope::new(None, 0);
    scope.add_columns_of(def);
    bind_kept(text, &scope, clause, state)
}

/// Parts of an expression that was kept as `text`, over the columns of a table.
pub fn bound_over(
    text: &str,
    parts: &[crate::syntax::ast::Expr],
    def: &types::TableDef,
    clause: Clause,
    state: &mut State,
) -> Result<Vec<Expr>, SqlError> {
    let mut scope = Scope::new(None, 0);
    scope.add_columns_of(def);
    let statement = format!("DO {text}");
    let mut binder = Binder::new(state, statement.as_bytes(), &[]);
    binder.scalars(parts, &scope, clause)
}

/// Kept text is in MariaDB's own spelling: `sql_mode` has no say in how it is read.
fn bind_kept(text: &str, scope: &Scope<'_>, clause: Clause, state: &mut State) -> Result<Expr, SqlError> {
    let expr = parse_kept(text)?;
    let statement = format!("DO {text}");
    let mut binder = Binder::new(state, statement.as_bytes(), &[]);
    let mut bound = binder.scalars(std::slice::from_ref(&expr), scope, clause)?;
    bound.pop().ok_or_else(|| SqlError::internal_error("bind expression"))
}

/// The expression of a kept text; its spans count from a `DO` before it.
pub fn parse_kept(text: &str) -> Result<crate::syntax::ast::Expr, SqlError> {
    let statement = format!("DO {text}");
    match parse(statement.as_bytes(), 0, ParseOptions::default())?.statement {
        Statement::Do(mut list) if list.len() == 1 => Ok(list.remove(0)),
        _ => Err(SqlError::internal_error("parse expression")),
    }
}
