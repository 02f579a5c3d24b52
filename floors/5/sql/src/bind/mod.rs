//! Binding: from the statement tree to plans; names become slots, `build` types every expression.
//!
//! | module | what |
//! | --- | --- |
//! | [`scope`] | names in reach |
//! | `expr` | expressions |
//! | `default` | DEFAULT() of columns |
//! | `from` | FROM: tables, joins, derived tables |
//! | `select` | SELECT blocks, select lists, grouping |
//! | `rollup` | WITH ROLLUP |
//! | `json_table` | JSON_TABLE |
//! | `window` | window functions and their windows |
//! | `query` | set operations, ORDER BY and LIMIT of wholes |
//! | `cte` | common table expressions, recursive ones too |
//! | `asked` | what is asked for among the rows of a query |
//! | `unread` | common table expressions that nobody reads |
//! | [`view`] | views, and merging queries of FROM |
//! | [`trace`] | what names were found to be, for the text of views |
//!
//! A [`Binder`] serves one statement. Tables are locked against changes of their definition as they are named.

pub(crate) mod apart;
mod asked;
pub(crate) mod assigned;
pub mod change;
mod clause;
mod condition;
mod cte;
mod default;
mod dynamic;
mod expr;
mod extremes;
mod from;
mod grouping;
mod guard;
pub mod insert;
mod json_table;
mod keys_apart;
mod listed;
mod load;
mod on_duplicate;
mod places;
mod prepared;
mod query;
mod rollup;
mod row_number;
mod row_operands;
pub mod scope;
mod select;
mod subquery;
mod target;
pub mod trace;
mod unread;
pub mod view;
mod window;

use crate::error::SqlError;
use crate::plan::{QueryPlan, RowLock};
use crate::session::State;
use crate::syntax::ast;
use cte::CteBinding;
use engine::{Mdl, View};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

pub use clause::Clause;
pub use from::stored_columns;
pub use places::Places;
pub use scope::Scope;

/// Binds one statement.
pub struct Binder<'a> {
    /// The session.
    pub state: &'a mut State,
    /// The text that spans point into: the statement's, or a view's while it is bound.
    pub text: Cow<'a, [u8]>,
    /// Types of the parameters' values where they are known (when a statement is run), else empty.
    pub params: &'a [types::Value],
    /// How tables named in FROM are locked against DDL.
    pub mdl: Mdl,
    /// Of the tables that are opened so not all are changed.
    pub(super) changes_some: bool,
    /// The statement changes tables that are joined.
    pub(super) changes_join: bool,
    /// Tables and views of such a join that may be read but not changed.
    pub(super) only_read: Vec<(String, String)>,
    /// Those that may be changed but not read.
    only_written: Vec<(String, String)>,
    /// The privilege that tables to be changed need.
    pub privilege: &'static str,
    /// Number of materialised results so far.
    pub materialized: usize,
    /// Row locking of the block under way.
    lock: Option<RowLock>,
    ctes: Vec<CteBinding>,
    /// Uses of common table expressions that were bound once more.
    bound_again: usize,
    depth: u32,
    /// Blocks bound so far.
    blocks: u32,
    /// The query bound next only has to tell whether it has rows.
    for_existence: bool,
    /// The SELECT bound next is a derived table that may be planned with the block around.
    waits: bool,
    /// The SELECT bound next is an operand of a set operation: without LIMIT its ORDER BY orders nothing.
    unordered: bool,
    /// Parameters seen, by their highest number.
    pub param_count: u32,
    /// Parameters stay parameters, typed by the kind of their value, so that the plan serves other values too.
    pub lift_params: bool,
    /// Tables opened by this statement, so that one named twice is locked once.
    opened: HashMap<(String, String), (Arc<engine::Table>, Mdl)>,
    /// Views that the statement read the text of.
    views: Vec<Arc<View>>,
    /// Views under way, outermost first.
    view_stack: Vec<(String, String)>,
    /// What views want of rows that are written through them.
    view_rules: Vec<view::ViewRule>,
    /// Whose privileges count, where they are not the session's.
    security: view::Security,
    /// Binding is in the inner side of an outer join.
    nullable_side: bool,
    /// The ON under way is of an inner join outside the nullable side: its conditions are those of a WHERE.
    on_filters: bool,
    /// IS NULL, and ANY and ALL, where the condition that is bound hangs on it: it finds zero dates, too, or is held
    /// against the least or greatest of rows.
    finders: Vec<*const ast::Expr>,
    /// What asks a query that MariaDB joins, in the condition that is bound.
    joined: Vec<*const ast::Expr>,
    /// The statement changes one table, and joins none.
    changes_one: bool,
    /// Notes what names were found to be, if somebody wants to know. Nothing is merged then.
    pub trace: Option<trace::Trace>,
    /// Of common table expressions that nobody reads, those that are named are bound all the same.
    pub(crate) reads_named: bool,
    /// The statement is prepared: what columns are given is held against them when it runs.
    pub prepares: bool,
    /// Common table expressions that no name stands for are not looked into: where anything but a query is prepared.
    pub passes_unnamed: bool,
    /// The level of the blocks that are only asked which rows there are: IN's, EXISTS' and those of ANY and ALL.
    membership: Option<u32>,
    /// A temporary table, by database and name, that what is bound does not see yet.
    unseen: Option<(String, String)>,
    /// The table that an INSERT fills, while what may read it as it is filled is bound.
    pub(crate) written: Option<Arc<engine::Table>>,
    /// Something of that table is known before.
    reads_early: bool,
}

/// What a statement opened: tables with how each was locked, and views.
pub type Opened = (Vec<(Arc<engine::Table>, Mdl)>, Vec<Arc<View>>);

/// Error 1436 when the stack runs low: trees are walked by recursion, in binding and in evaluation.
pub fn check_stack() -> Result<(), SqlError> {
    match runtime::stack_is_low() {
        true => Err(SqlError::nested_too_deep(MAX_BLOCK_DEPTH as usize)),
        false => Ok(()),
    }
}

/// Blocks of one statement at most: common table expressions that name one before twice have twice as many each.
const MAX_BLOCKS: u32 = 1 << 15;
/// Blocks nested deeper than this are refused, so that plans stay runnable on a fiber's stack.
const MAX_BLOCK_DEPTH: u32 = 63;

impl<'a> Binder<'a> {
    /// Whether the statement may assign variables on its way.
    pub fn may_assign_variables(&self) -> bool {
        memchr::memmem::find(&self.text, b":=").is_some()
    }

    /// A binder for the statement in `text`.
    pub fn new(state: &'a mut State, text: &'a [u8], params: &'a [types::Value]) -> Self {
        Self {
            state,
            text: Cow::Borrowed(text),
            params,
            mdl: Mdl::Read,
            changes_some: false,
            changes_join: false,
            only_read: Vec::new(),
            only_written: Vec::new(),
            privilege: "INSERT",
            materialized: 0,
            lock: None,
            ctes: Vec::new(),
            bound_again: 0,
            depth: 0,
            blocks: 0,
            for_existence: false,
            unordered: false,
            waits: false,
            param_count: 0,
            lift_params: false,
            opened: HashMap::new(),
            views: Vec::new(),
            view_stack: Vec::new(),
            view_rules: Vec::new(),
            security: None,
            nullable_side: false,
            on_filters: false,
            finders: Vec::new(),
            joined: Vec::new(),
            changes_one: false,
            trace: None,
            reads_named: false,
            prepares: false,
            passes_unnamed: false,
            membership: None,
            unseen: None,
            written: None,
            reads_early: false,
        }
    }

    /// The number of what is known before the statement writes.
    pub(crate) fn early_number(&mut self) -> usize {
        self.reads_early = true;
        self.next_number()
    }

    /// The number of the next materialised result.
    pub(crate) fn next_number(&mut self) -> usize {
        self.materialized += 1;
        self.materialized - 1
    }

    /// The database that an unqualified table name stands in.
    pub fn database<'n>(&'n self, name: &'n ast::TableName) -> Result<&'n str, SqlError> {
        name.database.as_deref().or(self.state.database.as_deref()).ok_or_else(SqlError::no_db)
    }

    /// Opens a stored table: finds it and locks its definition for the transaction's time.
    pub fn open(&mut self, database: &str, table: &str, mdl: Mdl) -> Result<Arc<engine::Table>, SqlError> {
        if let Some(own) = self.temporary(database, table)? {
            // Apart from the table that it hides: a view may be over that one.
            self.opened.insert((format!("\0{database}"), table.to_owned()), (own.clone(), mdl));
            return Ok(own);
        }
        if mdl == Mdl::Write && !self.changes_some {
            self.state.check_reads_only()?;
        }
        let key = (database.to_owned(), table.to_owned());
        if let Some((open, held)) = self.opened.get(&key)
            && (*held == mdl || mdl == Mdl::Read)
        {
            return Ok(open.clone());
        }
        self.check_access(mdl, database, table)?;
        if crate::catalog::mysql::has(database, table) {
            return Err(crate::catalog::mysql::refuse_change());
        }
        let table = self.state.lock_stored_table(database, table, mdl)?;
        self.opened.insert(key, (table.clone(), mdl));
        Ok(table)
    }

    /// Whether a table is open to be changed.
    fn writes(&self, database: &str, table: &str) -> bool {
        let mut open = self.opened.iter();
        open.any(|((d, t), (_, held))| *held == Mdl::Write && d == database && t == table)
    }

    /// What is bound is a view's own text.
    pub(crate) fn enter_view(&mut self, database: &str, view: &str) {
        self.view_stack.push((database.to_owned(), view.to_owned()));
    }

    /// The session's temporary table of a name. The text of a view knows none; error 1352 where one is being made.
    pub(crate) fn temporary(
        &self,
        database: &str,
        table: &str,
    ) -> Result<Option<Arc<engine::Table>>, SqlError> {
        let unseen =
            self.unseen.as_ref().is_some_and(|(db, name)| (db.as_str(), name.as_str()) == (database, table));
        let own = self.state.temporary(database, table).filter(|_| self.view_stack.is_empty() && !unseen);
        match own {
            Some(_) if self.trace.is_some() => Err(SqlError::view_select_temporary(table)),
            own => Ok(own.cloned()),
        }
    }

    /// Error 1142 where whose privileges count may not do this.
    pub(crate) fn check_privilege(
        &mut self,
        privilege: &str,
        database: &str,
        table: &str,
    ) -> Result<(), SqlError> {
        match &self.security {
            None => self.state.check_table(privilege, database, table),
            Some(held) if held.may_some(privilege, database, table) => Ok(()),
            Some(held) => {
                let (user, host) = held.who();
                Err(SqlError::table_access_denied(privilege, user, host, database, table))
            }
        }
    }

    /// Error 1142 where a table or view may not be read, or changed. Those that are joined to one that is changed may be
    /// read only: see [`Binder::check_changed`].
    pub(super) fn check_access(&mut self, mdl: Mdl, database: &str, table: &str) -> Result<(), SqlError> {
        if mdl == Mdl::Read {
            return match self.makes_view() {
                // A view may show what may be changed only.
                true if self.state.held()?.may_any(database, table) => Ok(()),
                true => Err(self.state.denied("ANY", database, table)),
                false => self.check_privilege("SELECT", database, table),
            };
        }
        if !self.changes_join || !self.view_stack.is_empty() {
            return self.check_privilege(self.privilege, database, table);
        }
        let read = self.check_privilege("SELECT", database, table);
        match self.check_privilege(self.privilege, database, table) {
            Ok(()) if self.privilege == "DELETE" => read,
            Ok(()) => {
                if read.is_err() {
                    self.only_written.push((database.to_owned(), table.to_owned()));
                }
                Ok(())
            }
            Err(_) => {
                read?;
                self.only_read.push((database.to_owned(), table.to_owned()));
                Ok(())
            }
        }
    }

    /// Error 1142 where a table or view that is changed was found to be one that may be read only.
    pub(super) fn check_changed(&self, database: &str, table: &str) -> Result<(), SqlError> {
        match self.only_read.iter().any(|(d, t)| d == database && t == table) {
            true => Err(self.state.denied(self.privilege, database, table)),
            false => Ok(()),
        }
    }

    /// Error 1142 for the first of joined tables that is to be changed and may not be, or is to be read and may not be.
    pub(super) fn check_joined(
        &self,
        tables: &[scope::ScopeTable],
        changed: impl Fn(&scope::ScopeTable) -> bool,
    ) -> Result<(), SqlError> {
        for table in tables {
            let Some(origin) = table.columns.first().map(|column| &column.origin) else { continue };
            let (list, command) = match changed(table) {
                true => (&self.only_read, self.privilege),
                false => (&self.only_written, "SELECT"),
            };
            if let Some((database, name)) = list.iter().find(|(_, name)| *name == origin.org_table) {
                return Err(self.state.denied(command, database, name));
            }
        }
        Ok(())
    }

    /// What the statement opened.
    pub fn into_opened(self) -> Opened {
        (self.opened.into_values().collect(), self.views)
    }

    /// Binds a whole query.
    pub fn query(&mut self, query: &ast::Query) -> Result<QueryPlan, SqlError> {
        self.bind_query(query, None, 0).map(|(plan, _)| plan)
    }

    fn enter_block(&mut self) -> Result<(), SqlError> {
        check_stack()?;
        self.depth += 1;
        self.blocks += 1;
        if self.blocks > MAX_BLOCKS {
            let text = format!("The statement has more than {MAX_BLOCKS} query blocks");
            return Err(SqlError::unknown_error(text));
        }
        match self.depth > MAX_BLOCK_DEPTH {
            true => Err(SqlError::new(1473, b"HY000", "Too high level of nesting for select")),
            false => Ok(()),
        }
    }

    fn leave_block(&mut self) {
        self.depth -= 1;
    }

    /// The statement's words under a span, for messages.
    fn words(&self, span: ast::Span) -> String {
        let words = span.of(&self.text);
        self.state.client_charset().map_or_else(
            || String::from_utf8_lossy(words).into_owned(),
            |charset| charset.to_utf8_lossy(words),
        )
    }
}
