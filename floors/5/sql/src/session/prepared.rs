//! Prepared statements: by the protocol, and by PREPARE.

use super::plans::CachedPlan;
use super::statement::{Ended, Running, reset_of};
use super::{Announced, Diagnostics, Foreseen, Session, State};
use super::{mode, plan_cache};
use crate::admin::{check_written, maintenance_columns, roles};
use crate::bind::{Binder, Clause, Scope};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::silently;
use crate::expr::compare_text;
use crate::output::{ColumnMeta, Done, Gone, Output, RowRef};
use crate::plan::explain;
use crate::syntax::ast::{self, Statement};
use crate::syntax::{Shape, parse};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use types::row::WireOptions;
use types::{CollationId, StrValue, Value};

/// A session's prepared statement.
pub struct Prepared {
    made: Rc<Made>,
    /// Its plan, once it has run, with the settings that it was bound under.
    plan: RefCell<Option<(u64, Rc<CachedPlan>)>>,
}

/// What a text was prepared to be. Sessions of one core that prepare the same text under the same settings have it together:
/// applications prepare, run once and close over and over, or on many connections.
pub(super) struct Made {
    pub(super) read: Arc<PreparedText>,
    /// A plan bound under its settings for whoever comes next.
    offered: RefCell<Option<Rc<CachedPlan>>>,
}

/// What a text was read to be; it goes with a session to another core, where plans do not.
pub(super) struct PreparedText {
    pub(super) text: Vec<u8>,
    /// The settings that it was prepared under.
    pub(super) settings: u64,
    statement: Statement,
    params: u32,
    columns: Vec<ColumnMeta>,
    lifts: Lifts,
}

/// Whether plans of a statement can be kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifts {
    /// What is computed with its parameters depends on their values: it is bound anew for each run.
    No,
    /// It has none; what else is in it may be the session's own.
    Nothing,
    /// All stand where a plan can leave them open, and nothing in it is the session's own.
    All,
}

/// What the answer to COM_STMT_PREPARE tells.
#[derive(Debug, Clone)]
pub struct PreparedInfo {
    /// Statement id.
    pub id: u32,
    /// How many parameters.
    pub parameters: usize,
    /// Columns of the result, none for a statement without one.
    pub columns: Vec<ColumnMeta>,
}

impl Prepared {
    fn of(made: Rc<Made>) -> Self {
        Self { made, plan: RefCell::new(None) }
    }

    /// What goes with it to another core.
    pub(super) fn leave(&self) -> Arc<PreparedText> {
        self.made.read.clone()
    }

    /// On another core: as others there have it, or as it was read.
    pub(super) fn arrive(read: Arc<PreparedText>, state: &State) -> Self {
        let known =
            plan_cache::find_prepared(read.settings, &read.text).filter(|made| made.is_current(state));
        Self::of(known.unwrap_or_else(|| Rc::new(Made::of(read))))
    }

    /// Its text.
    pub(super) fn text(&self) -> &[u8] {
        &self.made.read.text
    }

    /// How many parameters the statement takes.
    pub fn parameter_count(&self) -> usize {
        self.made.read.params as usize
    }

    /// The plan of its last run, and the settings that it was bound under.
    pub(super) fn kept_plan(&self) -> Option<(u64, Rc<CachedPlan>)> {
        self.plan.borrow().clone()
    }

    /// The statement as it was parsed.
    pub(super) fn statement(&self) -> &Statement {
        &self.made.read.statement
    }

    /// What a run of it needs, with these parameters.
    pub(super) fn running<'a>(&'a self, params: &'a [Value]) -> Running<'a> {
        Running::alone(&self.made.read.text, params)
    }

    pub(super) fn info(&self, id: u32) -> PreparedInfo {
        PreparedInfo { id, parameters: self.parameter_count(), columns: self.made.read.columns.clone() }
    }
}

impl Made {
    fn of(read: impl Into<Arc<PreparedText>>) -> Self {
        Self { read: read.into(), offered: RefCell::new(None) }
    }

    /// Whether its columns and plan are what they would be if it were made now.
    pub(super) fn is_current(&self, state: &State) -> bool {
        self.offered.borrow().as_ref().is_some_and(|plan| plan.is_current(state))
    }

    /// A plan of another session that was bound under the same settings.
    fn offered(&self, settings: u64) -> Option<Rc<CachedPlan>> {
        self.offered.borrow().clone().filter(|_| settings == self.read.settings)
    }
}

/// Takes the columns of a result, and no more.
#[derive(Default)]
struct Told(Vec<ColumnMeta>);

impl Output for Told {
    fn columns(&mut self, columns: &[ColumnMeta], _: &WireOptions) -> Result<(), Gone> {
        self.0 = columns.to_vec();
        Err(Gone)
    }

    fn row(&mut self, _: RowRef<'_>) -> Result<(), Gone> {
        Err(Gone)
    }

    fn done(&mut self, _: &Done) -> Result<(), Gone> {
        Ok(())
    }

    fn error(&mut self, _: &SqlError) -> Result<(), Gone> {
        Ok(())
    }
}

/// Whether no parameter's value can make up a mix of collations: two that were asked for, or one that is none, or two
/// columns' of one character set, or of ASCII and another one's single bytes, where nobody asks for another.
fn is_settled_mix(error: &SqlError) -> bool {
    let mixed: Vec<(&str, &str)> = error
        .message
        .split(['(', ')'])
        .filter_map(|part| part.split_once(','))
        .filter(|(_, weight)| !weight.contains(' '))
        .collect();
    let of = |weight: &str| -> Vec<&str> {
        mixed.iter().filter(|(_, own)| *own == weight).map(|(name, _)| *name).collect()
    };
    let (explicit, implicit) = (of("EXPLICIT"), of("IMPLICIT"));
    let apart = |a: &str, b: &str| {
        let same = a.split('_').next() == b.split('_').next();
        same && a != b && a.ends_with("_bin") == b.ends_with("_bin")
    };
    let torn = |a: &str, b: &str| a.starts_with("ascii_") && b.starts_with("latin1_");
    let clash = || implicit.iter().any(|a| implicit.iter().any(|b| apart(a, b) || torn(a, b)));
    // What is asked for in single bytes has no place for a column of another character set.
    let narrow = |name: &str| !name.starts_with("utf") && !name.starts_with("ucs2");
    let lacks = |a: &str, b: &str| narrow(a) && !narrow(b);
    // Constants of two Unicode character sets beside what may have any character.
    let constants = of("COERCIBLE");
    let family = |name: &str| {
        name.split('_')
            .next()
            .map(|name| name.get(..4).filter(|_| name.starts_with("utf8")).unwrap_or(name).to_owned())
    };
    let differ = |a: &str, b: &str| !narrow(a) && !narrow(b) && family(a) != family(b);
    let several = || implicit.is_empty() && constants.iter().any(|a| constants.iter().any(|b| differ(a, b)));
    match &explicit[..] {
        [] => !of("NONE").is_empty() || clash() || several(),
        [asked] => implicit.iter().any(|b| lacks(asked, b)),
        _ => true,
    }
}

/// Binds what SET is to give before its parameters have values.
fn bind_assignments(binder: &mut Binder<'_>, items: &[ast::SetItem]) -> Result<(), SqlError> {
    let scope = Scope::new(None, 0);
    for item in items {
        match item {
            ast::SetItem::UserVar { name, value } => {
                let bound = binder.scalar(value, &scope, Clause::Set)?;
                binder.state.foresee_user_var(name.to_lowercase(), &bound);
            }
            // A word is a name of a value.
            ast::SetItem::Variable { value, .. } if !value.is_bare_word() => {
                binder.scalar(value, &scope, Clause::Set)?;
            }
            ast::SetItem::Role(role) => {
                roles::chosen(binder.state, None, role.as_ref())?;
            }
            ast::SetItem::DefaultRole { role, account } => {
                roles::chosen_default(binder.state, account.as_ref(), role.as_ref())?;
            }
            _ => {}
        }
    }
    Ok(())
}

impl Session {
    /// Prepares a statement, or finds it prepared.
    pub(super) fn make_prepared(&mut self, text: &[u8]) -> Result<Prepared, SqlError> {
        let settings = self.state.plan_settings().settings;
        let known = match self.state.locked_tables.is_empty() {
            true => plan_cache::find_prepared(settings, text).filter(|made| made.is_current(&self.state)),
            // What LOCK TABLES allows is looked at as tables are opened.
            false => None,
        };
        let made = match known {
            Some(made) => {
                self.begin_statement(reset_of(&made.read.statement));
                self.state.end_statement(true)?;
                made
            }
            None => Rc::new(self.make(text, settings)?),
        };
        Ok(Prepared::of(made))
    }

    /// Parses a statement with parameters under the session's settings, and finds out what it returns.
    fn make(&mut self, text: &[u8], settings: u64) -> Result<Made, SqlError> {
        let parsed = parse(text, 0, self.state.prepared_options());
        if parsed.is_err() {
            // What was said of the statement before is gone.
            self.state.diagnostics = Diagnostics::default();
        }
        let parsed = parsed?;
        self.begin_statement(reset_of(&parsed.statement));
        // What is wrong with constants is said when they are read.
        let before = std::mem::take(&mut self.state.diagnostics);
        check_written(&mut self.state, &parsed.statement, text)?;
        let columns = match &parsed.statement {
            Statement::Query(_)
            | Statement::Insert(_)
            | Statement::Update(_)
            | Statement::Delete(_)
            | Statement::Do(_)
            | Statement::CreateTable(_)
            | Statement::CreateView(_)
            | Statement::Set(_) => {
                let bound = self.bind_open(&parsed.statement, text);
                let ended = self.state.end_statement(bound.is_ok());
                let columns = match bound {
                    // Texts of other character sets than a parameter's are held against its value.
                    Err(error) if parsed.params > 0 && error.is_illegal_mix() && !is_settled_mix(&error) => {
                        Vec::new()
                    }
                    bound => bound?,
                };
                ended?;
                columns
            }
            Statement::Show(show) if show.kind.is_described() => self.shown_by(&parsed.statement, text)?,
            Statement::Describe { .. } => self.shown_by(&parsed.statement, text)?,
            Statement::Explain(explain) => self.state.describe(&explain::columns(explain)),
            Statement::TableMaintenance(maintenance) => {
                self.state.describe(&maintenance_columns(maintenance.kind))
            }
            Statement::Prepare { .. }
            | Statement::Execute { .. }
            | Statement::ExecuteImmediate { .. }
            | Statement::Deallocate(_) => return Err(SqlError::unsupported_in_prepared()),
            _ => Vec::new(),
        };
        self.state.diagnostics = before;
        let lifts = match Shape::lifts_parameters(text, self.state.lex_mode()) {
            true => Lifts::All,
            false if parsed.params == 0 => Lifts::Nothing,
            false => Lifts::No,
        };
        Ok(Made::of(PreparedText {
            lifts,
            text: text.to_vec(),
            settings,
            statement: parsed.statement,
            params: parsed.params,
            columns,
        }))
    }

    /// Binds a statement whose parameters have no values yet, for the errors in it; gives the columns of a query. What a change
    /// returns is told when it runs.
    fn bind_open(&mut self, statement: &Statement, text: &[u8]) -> Result<Vec<ColumnMeta>, SqlError> {
        match self.bind_opened(statement, text) {
            Err(error) if error.errno == 1054 => {
                let query = match statement {
                    Statement::Query(query) => Some(&**query),
                    Statement::CreateTable(create) => create.select.as_ref().map(|select| &*select.query),
                    _ => None,
                };
                let told = self.state.diagnostics.told();
                let first =
                    query.and_then(|query| Binder::new(&mut self.state, text, &[]).fault_in_from(query));
                self.state.diagnostics.forget_since(told);
                Err(self.state.fault_of_tables(statement, first.unwrap_or(error)))
            }
            bound => bound.map_err(|fault| self.state.fault_of_tables(statement, fault)),
        }
    }

    fn bind_opened(&mut self, statement: &Statement, text: &[u8]) -> Result<Vec<ColumnMeta>, SqlError> {
        let mut binder = Binder::new(&mut self.state, text, &[]);
        binder.prepares = true;
        binder.passes_unnamed = !matches!(statement, Statement::Query(_));
        match statement {
            Statement::CreateView(create) => binder.query(&create.query).map(|_| Vec::new()),
            Statement::CreateTable(create) => {
                if let Some(select) = &create.select {
                    binder.query(&select.query)?;
                }
                Ok(Vec::new())
            }
            Statement::Query(query) => {
                let plan = binder.query(query)?;
                match query.into {
                    None => Ok(self.state.describe(&plan.columns)),
                    Some(_) => Ok(Vec::new()),
                }
            }
            Statement::Insert(insert) => binder.insert(insert).map(|_| Vec::new()),
            Statement::Update(update) => binder.update_open(update).map(|()| Vec::new()),
            Statement::Delete(delete) => binder.delete(delete).map(|_| Vec::new()),
            Statement::Do(list) => binder.scalars(list, &Scope::new(None, 0), Clause::Do).map(|_| Vec::new()),
            Statement::Set(items) => bind_assignments(&mut binder, items).map(|()| Vec::new()),
            _ => Ok(Vec::new()),
        }
    }

    /// The columns of a statement that shows something: it runs until it tells them. What it does not find is told when it
    /// runs.
    fn shown_by(&mut self, statement: &Statement, text: &[u8]) -> Result<Vec<ColumnMeta>, SqlError> {
        let mut told = Told::default();
        let ran = self.dispatch(statement, &Running::alone(text, &[]), &mut told);
        self.state.end_statement(ran.is_ok())?;
        Ok(told.0)
    }

    /// Runs a statement whose parameters came with types.
    pub(super) fn run_announced(
        &mut self,
        prepared: &Prepared,
        params: &[Value],
        announced: Announced,
        foreseen: Option<&Foreseen>,
        out: &mut dyn Output,
    ) -> Result<(), Gone> {
        self.state.log_execution(prepared.text(), params);
        self.state.announced = announced;
        let empty = |value: &Value| matches!(value, Value::Str(text) if text.bytes.is_empty());
        let ran = match self.state.vars.has_mode(mode::EMPTY_STRING_IS_NULL) && params.iter().any(empty) {
            true => {
                let given = |value: &Value| if empty(value) { Value::Null } else { value.clone() };
                let params: Vec<Value> = params.iter().map(given).collect();
                self.run_prepared(prepared, &params, None, out)
            }
            false => self.run_prepared(prepared, params, foreseen, out),
        };
        self.state.announced.clear();
        ran
    }

    pub(super) fn run_prepared(
        &mut self,
        prepared: &Prepared,
        params: &[Value],
        foreseen: Option<&Foreseen>,
        out: &mut dyn Output,
    ) -> Result<(), Gone> {
        if params.len() != prepared.parameter_count() {
            return out.error(&SqlError::wrong_arguments("mysqld_stmt_execute"));
        }
        let running = Running { foreseen, ..prepared.running(params) };
        self.prepared_before(|session| {
            if session.run_planned(prepared, &running, out)?.is_some() {
                return Ok(());
            }
            session.unlisted(|session| session.run_statement(prepared.statement(), &running, out)).map(drop)
        })
    }

    /// Runs what was prepared before.
    fn prepared_before<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        self.state.runs_prepared = true;
        let ran = run(self);
        self.state.runs_prepared = false;
        ran
    }

    /// Runs the statement by its plan, made now if there is none that fits; `None`: take the long way.
    fn run_planned(
        &mut self,
        prepared: &Prepared,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<Option<bool>, Gone> {
        let made = &*prepared.made;
        if made.read.lifts == Lifts::No {
            return Ok(None);
        }
        let settings = self.state.plan_settings().settings;
        let own = prepared.plan.borrow().clone().filter(|(bound_under, _)| *bound_under == settings);
        let own = own.map(|(_, plan)| plan).filter(|plan| plan.fits(running.params, &self.state));
        let known = own.or_else(|| {
            let offered = made.offered(settings).filter(|plan| plan.fits(running.params, &self.state))?;
            *prepared.plan.borrow_mut() = Some((settings, offered.clone()));
            Some(offered)
        });
        if let Some(plan) = known {
            if plan.heavy {
                return Ok(None);
            }
            if let Some(ran) = self.run_cached(&plan, running, out)? {
                return Ok(Some(ran));
            }
        }
        let Some(plan) = self.make_cached(&made.read.statement, running) else { return Ok(None) };
        let plan = Rc::new(plan);
        *prepared.plan.borrow_mut() = Some((settings, plan.clone()));
        if made.read.lifts == Lifts::All && settings == made.read.settings && !plan.is_private() {
            *made.offered.borrow_mut() = Some(plan.clone());
            plan_cache::keep_prepared(&prepared.made);
        }
        if plan.heavy {
            let _ = self.state.end_statement(false);
            return Ok(None);
        }
        self.run_cached(&plan, running, out)
    }

    /// PREPARE name FROM source.
    pub(super) fn run_prepare(
        &mut self,
        name: &str,
        source: &ast::Expr,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let text = self.text_of(source, running)?;
        self.named.remove(&name.to_lowercase());
        self.make_prepared(&text)?;
        self.state.log_command("Prepare", &text);
        self.named.insert(name.to_lowercase(), text);
        self.finish(Done { info: "Statement prepared".into(), ..Done::default() }, running, out)
    }

    /// EXECUTE name USING ...
    pub(super) fn run_execute(
        &mut self,
        name: &str,
        using: &[ast::Expr],
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let text = self.named.get(&name.to_lowercase()).cloned();
        let text = text.ok_or_else(|| SqlError::unknown_stmt_handler(name, "EXECUTE"))?;
        self.run_text(&text, false, using, running, out)
    }

    /// EXECUTE IMMEDIATE source USING ...
    pub(super) fn run_immediate(
        &mut self,
        source: &ast::Expr,
        using: &[ast::Expr],
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let text = self.text_of(source, running)?;
        self.run_text(&text, true, using, running, out)
    }

    /// Runs a text with these parameters; `immediate`, it was not prepared before.
    fn run_text(
        &mut self,
        text: &[u8],
        immediate: bool,
        using: &[ast::Expr],
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let null = ast::ExprKind::Literal(ast::Literal::Null);
        let given: Vec<ast::Expr> = using
            .iter()
            .map(|e| match e.kind {
                ast::ExprKind::Default | ast::ExprKind::Ignore => {
                    ast::Expr { kind: null.clone(), span: e.span }
                }
                _ => e.clone(),
            })
            .collect();
        let connection = self.state.vars.collation_connection;
        let mut params = self.values_of(&given, running)?;
        for param in &mut params {
            in_collation(param, connection);
        }
        let mut parsed = parse(text, 0, self.state.prepared_options())?;
        if parsed.params as usize != params.len() {
            // What cannot be prepared at all is told first.
            self.make_prepared(text)?;
            return Err(SqlError::wrong_arguments("EXECUTE").into());
        }
        if let (Statement::Set(items), true) = (&parsed.statement, immediate) {
            // What is wrong with it is told when it runs.
            let _ = silently(&mut self.state, |state| {
                bind_assignments(&mut Binder::new(state, text, &[]), items)
            });
        }
        stand_in(&mut parsed.statement, using);
        match parsed.statement {
            Statement::Execute { .. } | Statement::ExecuteImmediate { .. } | Statement::Prepare { .. } => {
                Err(SqlError::unsupported_in_prepared().into())
            }
            statement => {
                if immediate {
                    self.state.log_command("Prepare", text);
                }
                self.state.log_execution(text, &params);
                let inner = Running { more: running.more, ..Running::alone(text, &params) };
                self.prepared_before(|session| {
                    session.unlisted(|session| session.run_statement(&statement, &inner, out))
                })?;
                Ok(())
            }
        }
    }

    /// DEALLOCATE PREPARE name.
    pub(super) fn run_deallocate(
        &mut self,
        name: &str,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        match self.named.remove(&name.to_lowercase()) {
            Some(_) => self.finish(Done::default(), running, out),
            None => Err(SqlError::unknown_stmt_handler(name, "DEALLOCATE PREPARE").into()),
        }
    }

    fn text_of(&mut self, source: &ast::Expr, running: &Running<'_>) -> Result<Vec<u8>, SqlError> {
        let value = self.values_of(std::slice::from_ref(source), running)?.pop().unwrap_or_default();
        Ok(compare_text(&value).into_bytes())
    }

    /// Evaluates expressions that stand outside of any table.
    pub(crate) fn values_of(
        &mut self,
        list: &[ast::Expr],
        running: &Running<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        let mut binder = Binder::new(&mut self.state, running.text, running.params);
        let scope = Scope::new(None, 0);
        let bound = binder.scalars(list, &scope, Clause::Select)?;
        let mut cx = Cx::new(&mut self.state, running.params);
        bound.iter().map(|e| e.eval(&mut cx)).collect()
    }
}

/// Text as a client would have sent it; bytes stay bytes.
fn in_collation(param: &mut Value, connection: CollationId) {
    if let Value::Str(text) = param
        && text.collation != CollationId::BINARY
        && text.collation.charset() != connection.charset()
    {
        let converted = text.collation.charset().convert_cow(&text.bytes, connection.charset());
        *param = Value::Str(StrValue::new(&converted, connection));
    }
}

/// Puts DEFAULT in the place of parameters that are given DEFAULT or IGNORE: the values of INSERT and what is assigned.
/// An assignment of IGNORE leaves its column as it is. Elsewhere they are NULL.
fn stand_in(statement: &mut Statement, using: &[ast::Expr]) {
    use ast::ExprKind::{Column, Default, Ignore, Param};
    let given = |e: &ast::Expr| match e.kind {
        Param(n) => using.get(n as usize).map(|e| &e.kind).filter(|kind| matches!(kind, Default | Ignore)),
        _ => None,
    };
    let assign = |assignments: &mut Vec<ast::Assignment>| {
        for assignment in assignments {
            match given(&assignment.value) {
                Some(Default) => assignment.value.kind = Default,
                Some(_) => assignment.value.kind = Column(assignment.column.clone()),
                None => {}
            }
        }
    };
    match statement {
        Statement::Insert(insert) => {
            if let ast::InsertSource::Values(rows) = &mut insert.source {
                for value in rows.iter_mut().flatten() {
                    if given(value).is_some() {
                        value.kind = Default;
                    }
                }
            }
            assign(&mut insert.on_duplicate);
        }
        Statement::Update(update) => assign(&mut update.assignments),
        _ => {}
    }
}
