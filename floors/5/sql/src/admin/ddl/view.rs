//! CREATE VIEW, ALTER VIEW, DROP VIEW, and views as SHOW tells of them.
//!
//! The query is bound once, so that it is known to be sound and what each name means; its text in normal form, with
//! every name whole, is what is kept and read again whenever the view is used.

use super::{chain, change, create_select, done, locks, names};
use crate::admin::account::owner;
use crate::admin::dialect::Dialect;
use crate::bind::apart;
use crate::bind::trace::{NormalForm, Trace, name_body};
use crate::bind::view::{Settings, is_changeable, is_mergeable_but_for_with, parse_view};
use crate::bind::{Binder, Opened};
use crate::error::{ER_NO_SUCH_TABLE, ER_TABLEACCESS_DENIED_ERROR, SqlError};
use crate::expr::build::{FREE_DECIMALS, silently};
use crate::expr::{expr_text, query_text};
use crate::output::Done;
use crate::plan::OutputColumn;
use crate::session::{Level, State, expression_of};
use crate::syntax::ast::rewrite::{Rewrite, walk_expr, walk_query, walk_table_ref};
use crate::syntax::ast::{self, ExprKind, IsTest, QueryBody, SelectItem, Span, TableRef};
use engine::{Ddl, View};
use types::table::same_name;
use types::{ColumnType, DefaultValue, TableDef, ViewAlgorithm, ViewCheck, ViewDef};

const MAX_COLUMN_CHARS: usize = 64;

/// CREATE VIEW and ALTER VIEW.
pub fn create(state: &mut State, create: &ast::CreateView, text: &[u8]) -> Result<Done, SqlError> {
    let (db, name) = names::qualified(state, &create.name)?;
    names::table(&name)?;
    locks::check_new(state, &db, &name)?;
    let catalog = state.engine.catalog();
    if catalog.database(&db).is_none() {
        return Err(SqlError::bad_db(&db));
    }
    let is_view = catalog.view(&db, &name).is_some();
    let taken = catalog.is_taken(&db, &name);
    if (is_view || !taken) && state.is_table_of(&create.query, &db, &name) {
        // There is one, which is no table to it: others are missed before.
        return Err(state.fault_of_query(&create.query, false, SqlError::no_such_table(&db, &name)));
    }
    refuse_in_view(&create.query)?;
    let definer = match owner(state, create.definer.as_ref()) {
        Ok(definer) => definer,
        // Tables are opened before.
        Err(refused) => match bind(state, None, &create.query, text).0 {
            Err(error) if matches!(error.errno, ER_NO_SUCH_TABLE | ER_TABLEACCESS_DENIED_ERROR) => {
                return Err(error);
            }
            _ => return Err(refused),
        },
    };
    match (taken, is_view) {
        (true, _) if create.if_not_exists => {
            let note = SqlError::table_exists(&name);
            state.warn(Level::Note, note.errno, note.message);
            return Ok(done(0));
        }
        (true, false) if create.alter || create.or_replace => {
            return Err(SqlError::wrong_object(&db, &name, "VIEW"));
        }
        (true, _) if !create.alter && !create.or_replace => return Err(SqlError::table_exists(&name)),
        (false, _) if create.alter => return Err(SqlError::no_such_table(&db, &name)),
        _ => {}
    }
    let mut query = (*create.query).clone();
    let told = state.diagnostics.told();
    let (bound, (_, views)) = bind(state, None, &create.query, text);
    if bound.is_ok() {
        // Of its constants nothing is said yet.
        state.diagnostics.forget_since(told);
    }
    // It is opened before anything is looked for in it.
    let opened = !matches!(&bound, Err(error) if error.errno == ER_NO_SUCH_TABLE);
    if opened && views.iter().any(|view| view.def().db == db && view.def().name == name) {
        return Err(SqlError::no_such_table(&db, &name));
    }
    let (columns, trace) = bound.map_err(|fault| state.fault_of_query(&create.query, false, fault))?;
    NormalForm::new(&trace, state.vars.character_set_client).query(&mut query);
    name_columns(&mut query, &create.columns, &columns)?;
    chain::derive(&mut query);
    let def = ViewDef {
        db,
        name,
        query: query_text(&query),
        algorithm: algorithm(create, state),
        check: match create.check {
            ast::ViewCheck::None => ViewCheck::None,
            ast::ViewCheck::Local => ViewCheck::Local,
            ast::ViewCheck::Cascaded => ViewCheck::Cascaded,
        },
        definer,
        invoker: create.invoker,
        updatable: is_updatable(state, create),
        client_charset: state.vars.character_set_client.charset().name().to_owned(),
        connection: state.vars.collation_connection,
    };
    if def.check != ViewCheck::None && !def.updatable {
        return Err(SqlError::view_nonupdatable_check(&def.db, &def.name));
    }
    let words = logged(create, &def, text);
    change(state, Ddl::PutView { def, replace: create.or_replace || create.alter }, &words)?;
    Ok(done(0))
}

/// The text that VIEW_DEFINITION tells: that of the query, where MariaDB writes constants that IS NULL cannot hold for as
/// it knows them by then.
pub(crate) fn told_text(state: &mut State, view: &ViewDef) -> String {
    struct NeverNull<'s>(&'s mut State, Vec<Span>);
    impl Rewrite for NeverNull<'_> {
        // Common table expressions stay as they were written.
        fn query(&mut self, query: &mut ast::Query) {
            let with = query.with.take();
            walk_query(self, query);
            query.with = with;
        }

        fn expr(&mut self, e: &mut ast::Expr) {
            let ExprKind::Is { expr, test: IsTest::Null, negated: false } = &mut e.kind else {
                return walk_expr(self, e);
            };
            let operand = expr_text(expr);
            let bind = |state: &mut State| expression_of(&operand, state);
            match silently(self.0, bind) {
                // What subqueries give is not looked into.
                (Ok(bound), _) if !expr.has_subquery() && bound.is_settled() && !bound.ty.nullable => {
                    self.1.push(expr.span)
                }
                _ => walk_expr(self, e),
            }
        }
    }
    let mut text = view.query.clone();
    if !text.contains(" is null") {
        return text;
    }
    let mut never = NeverNull(state, Vec::new());
    if let Ok(mut query) = parse_view(&text) {
        never.query(&mut query);
    }
    // From the end, so that the places before stay as they are.
    never.1.sort_by_key(|span| std::cmp::Reverse(span.start));
    for span in never.1 {
        text.replace_range(span.start as usize..span.end as usize, "/*always not null*/ 1");
    }
    text
}

/// Errors 1350 and 1351 for what no view may have in it.
pub(crate) fn refuse_in_view(query: &ast::Query) -> Result<(), SqlError> {
    struct Variables(bool, bool);
    impl Rewrite for Variables {
        fn table_ref(&mut self, table: &mut TableRef) {
            self.1 |= matches!(table, TableRef::JsonTable(_));
            walk_table_ref(self, table);
        }

        fn expr(&mut self, e: &mut ast::Expr) {
            self.0 |= matches!(
                e.kind,
                ExprKind::UserVar(_)
                    | ExprKind::AssignUserVar { .. }
                    | ExprKind::SysVar(_)
                    | ExprKind::Param(_)
            );
            walk_expr(self, e);
        }
    }
    if query.into.is_some() {
        return Err(SqlError::view_select_clause("INTO"));
    }
    let mut variables = Variables(false, false);
    variables.query(&mut query.clone());
    if variables.1 {
        return Err(SqlError::not_supported_yet("JSON_TABLE in a view"));
    }
    if variables.0 { Err(SqlError::view_select_variable()) } else { Ok(()) }
}

fn bind(
    state: &mut State,
    own: Option<&ViewDef>,
    query: &ast::Query,
    text: &[u8],
) -> (Result<(Vec<OutputColumn>, Trace), SqlError>, Opened) {
    let mut binder = binder(state, own, text);
    let plan = binder.query(query);
    let trace = binder.trace.take().unwrap_or_default();
    (plan.map(|plan| (plan.columns, trace)), binder.into_opened())
}

fn binder<'b>(state: &'b mut State, own: Option<&ViewDef>, text: &'b [u8]) -> Binder<'b> {
    let mut binder = Binder::new(state, text, &[]);
    binder.trace = Some(Trace::default());
    if let Some(own) = own {
        binder.enter_view(&own.db, &own.name);
    }
    binder
}

/// Binds the query of a view that is there.
fn bind_own(
    state: &mut State,
    def: &ViewDef,
    query: &ast::Query,
) -> Result<(Vec<OutputColumn>, Trace, Opened), SqlError> {
    let settings = Settings::enter(state, def);
    let (bound, opened) = bind(state, Some(def), query, def.query.as_bytes());
    settings.leave(state);
    bound.map(|(columns, trace)| (columns, trace, opened))
}

/// Gives the query's columns their names: those of the list, and names that can be stored for those that cannot.
fn name_columns(query: &mut ast::Query, list: &[String], columns: &[OutputColumn]) -> Result<(), SqlError> {
    if !list.is_empty() && list.len() != columns.len() {
        return Err(SqlError::view_wrong_list());
    }
    let mut names: Vec<Name> = columns.iter().enumerate().map(|(at, c)| Name::of(at, &c.name)).collect();
    if list.is_empty() {
        let aliases = aliases(&query.body);
        for (name, alias) in names.iter_mut().zip(aliases) {
            let given = &name.given;
            let storable = given.chars().count() <= MAX_COLUMN_CHARS && !given.ends_with(' ');
            if alias && (!storable || given.is_empty()) {
                return Err(SqlError::wrong_column_name(&name.given));
            }
            name.free = !alias;
        }
    } else {
        // What is listed may be longer than what is stored.
        let long = |name: &str| name.chars().count() > MAX_COLUMN_CHARS;
        let listed = |(at, name): (usize, &String)| {
            let stored = Name::of(at, name);
            let name = if long(name) { name.clone() } else { stored.name };
            Name { name, free: false, ..stored }
        };
        names = list.iter().enumerate().map(listed).collect();
    }
    for at in 1..names.len() {
        while let Some(known) = names[..at].iter().position(|known| same_name(&known.name, &names[at].name)) {
            // The later one gives way, unless only the earlier is free to.
            let Some(yielding) = [at, known].into_iter().find(|&place| names[place].free) else {
                return Err(SqlError::dup_fieldname(&names[at].name));
            };
            names[yielding] = names[yielding].another(&names);
        }
    }
    let chosen: Vec<String> = names.into_iter().map(|name| name.name).collect();
    name_body(&mut query.body, &chosen);
    Ok(())
}

/// The name of a view's column.
struct Name {
    name: String,
    /// What the query says.
    given: String,
    /// Nobody wrote it as a name: it may change where another column is called so.
    free: bool,
}

impl Name {
    fn of(at: usize, given: &str) -> Self {
        let storable =
            given.chars().count() <= MAX_COLUMN_CHARS && !given.is_empty() && !given.ends_with(' ');
        let name = if storable { given.to_owned() } else { format!("Name_exp_{}", at + 1) };
        Self { name, given: given.to_owned(), free: true }
    }

    /// Another name, which none of `names` is, as MariaDB makes it: it may be longer than names are.
    fn another(&self, names: &[Name]) -> Self {
        let candidates = std::iter::once(format!("My_exp_{}", self.given))
            .chain((1..).map(|n| format!("My_exp_{n}_{}", self.given)));
        let fresh = |name: &String| !names.iter().any(|known| same_name(&known.name, name));
        const MOST_BYTES: usize = 191;
        let name = candidates.map(|name| name[..name.floor_char_boundary(MOST_BYTES)].to_owned()).find(fresh);
        Self { name: name.unwrap_or_default(), given: self.given.clone(), free: true }
    }
}

/// Which columns of a query were named with AS.
fn aliases(body: &QueryBody) -> Vec<bool> {
    match body {
        QueryBody::Select(select) if select.items.iter().all(|i| matches!(i, SelectItem::Expr { .. })) => {
            let alias = |item: &SelectItem| match item {
                SelectItem::Expr { expr, alias, .. } => {
                    alias.is_some() || matches!(expr.kind, ast::ExprKind::Column(_))
                }
                _ => true,
            };
            select.items.iter().map(alias).collect()
        }
        // The columns that * stands for have names of their own.
        QueryBody::Select(_) => Vec::new(),
        QueryBody::Values(_) => Vec::new(),
        QueryBody::SetOps { first, .. } => aliases(first),
        QueryBody::Nested(query) => aliases(&query.body),
    }
}

fn mergeable(create: &ast::CreateView) -> bool {
    let query = &create.query;
    matches!(&query.body, QueryBody::Select(select) if is_mergeable_but_for_with(query, select))
}

fn algorithm(create: &ast::CreateView, state: &mut State) -> ViewAlgorithm {
    match create.algorithm {
        ast::ViewAlgorithm::Undefined => ViewAlgorithm::Undefined,
        ast::ViewAlgorithm::Temptable => ViewAlgorithm::Temptable,
        ast::ViewAlgorithm::Merge if mergeable(create) => ViewAlgorithm::Merge,
        ast::ViewAlgorithm::Merge => {
            let warning = SqlError::view_merge();
            state.warn(Level::Warning, warning.errno, warning.message);
            ViewAlgorithm::Undefined
        }
    }
}

/// Whether rows may go through a view: its form lets them, FROM has only tables and views that let them too, no outer join
/// stands in the way, nor a look of a subquery or a common table expression at the one table that is in FROM.
fn is_updatable(state: &State, create: &ast::CreateView) -> bool {
    let QueryBody::Select(select) = &create.query.body else { return false };
    if create.algorithm == ast::ViewAlgorithm::Temptable || !is_changeable(&create.query) {
        return false;
    }
    let catalog = state.engine.catalog();
    let takes = |name: &ast::TableName| {
        let database = name.database.as_ref().or(state.database.as_ref());
        let view = database.and_then(|database| catalog.view(database, &name.name));
        view.is_none_or(|view| view.def().updatable)
    };
    let joined = select.from.iter().all(|table| lets_rows_through(table, &takes));
    match select.from.as_slice() {
        [TableRef::Table(own)] => joined && !apart::looks_again(state, &create.query, select, &own.name),
        [TableRef::Derived { .. }] => !apart::derives_again(state, &create.query),
        _ => joined,
    }
}

fn lets_rows_through(table: &TableRef, takes: &dyn Fn(&ast::TableName) -> bool) -> bool {
    match table {
        TableRef::Table(factor) => takes(&factor.name),
        TableRef::Derived { .. } | TableRef::JsonTable(_) => true,
        TableRef::Join(join) => {
            !matches!(join.kind, ast::JoinKind::Left | ast::JoinKind::Right)
                && lets_rows_through(&join.left, takes)
                && lets_rows_through(&join.right, takes)
        }
    }
}

/// The statement for replicas: whose the view is, is said.
fn logged(create: &ast::CreateView, def: &ViewDef, text: &[u8]) -> String {
    let verb = match (create.alter, create.or_replace) {
        (true, _) => "ALTER",
        (false, true) => "CREATE OR REPLACE",
        (false, false) => "CREATE",
    };
    let columns: Vec<String> = create.columns.iter().map(|name| names::quoted_name(name)).collect();
    let columns = if columns.is_empty() { String::new() } else { format!(" ({})", columns.join(",")) };
    let query = String::from_utf8_lossy(create.query.span.of(text)).into_owned();
    let check = check_words(def.check);
    let head = head(verb, def, &names::quoted(&def.db, &def.name));
    format!("{head}{columns} AS {query}{check}")
}

fn head(verb: &str, def: &ViewDef, name: &str) -> String {
    let (user, host) = &def.definer;
    // A role has none.
    let host = if host.is_empty() { String::new() } else { format!("@{}", names::quoted_name(host)) };
    let user = names::quoted_name(user);
    let security = if def.invoker { "INVOKER" } else { "DEFINER" };
    let algorithm = def.algorithm.name();
    format!("{verb} ALGORITHM={algorithm} DEFINER={user}{host} SQL SECURITY {security} VIEW {name}")
}

fn check_words(check: ViewCheck) -> &'static str {
    match check {
        ViewCheck::None => "",
        ViewCheck::Local => " WITH LOCAL CHECK OPTION",
        ViewCheck::Cascaded => " WITH CASCADED CHECK OPTION",
    }
}

/// The statement that would make a view, as seen from the session's database. A view that does not work any more
/// comes with a warning.
pub(crate) fn create_text(state: &mut State, def: &ViewDef) -> Result<String, SqlError> {
    let here = state.database.clone().unwrap_or_default();
    let works = definition(state, def);
    if let Err(error) = &works {
        state.warn(Level::Warning, error.errno, error.message.clone());
    }
    let mut query = parse_view(&def.query)?;
    if query.with.is_some() {
        resolve_named(state, def, &mut query);
    }
    let mut tables = Databases(def.db == here, &here);
    tables.query(&mut query);
    if tables.0 {
        Near { database: &here, columns: works.is_ok() }.query(&mut query);
    }
    let name = match def.db == here {
        true => names::quoted_name(&def.name),
        false => names::quoted(&def.db, &def.name),
    };
    let dialect = Dialect::of(state)?;
    let head = if dialect.is_foreign() { format!("CREATE VIEW {name}") } else { head("CREATE", def, &name) };
    Ok(dialect.requoted(format!("{head} AS {}{}", query_text(&query), check_words(def.check))))
}

/// Has common table expressions that are named, but by no one that is read, told as those that are.
fn resolve_named(state: &mut State, def: &ViewDef, query: &mut ast::Query) {
    let settings = Settings::enter(state, def);
    let bind = |state: &mut State| {
        let mut binder = binder(state, Some(def), def.query.as_bytes());
        binder.reads_named = true;
        binder.query(query).map(|_| binder.trace.take())
    };
    let bound = silently(state, bind).0;
    settings.leave(state);
    if let Ok(Some(trace)) = bound {
        NormalForm::shown(&trace).query(query);
    }
}

/// Whether all tables are in one database.
struct Databases<'d>(bool, &'d str);

impl Rewrite for Databases<'_> {
    fn table_ref(&mut self, table: &mut TableRef) {
        if let TableRef::Table(factor) = table {
            self.0 &= factor.name.database.as_ref().is_none_or(|db| db == self.1);
        }
        walk_table_ref(self, table);
    }
}

/// Leaves the database out where it is the session's own.
struct Near<'d> {
    database: &'d str,
    columns: bool,
}

impl Rewrite for Near<'_> {
    fn table_ref(&mut self, table: &mut TableRef) {
        if let TableRef::Table(factor) = table {
            factor.name.database.take_if(|db| db == self.database);
        }
        walk_table_ref(self, table);
    }

    fn expr(&mut self, e: &mut ast::Expr) {
        if let ExprKind::Column(column) | ExprKind::DefaultOf(column) = &mut e.kind
            && self.columns
        {
            column.database.take_if(|db| db == self.database);
        }
        walk_expr(self, e);
    }
}

/// A view's columns, as if it were a table; error 1356 for one that does not work any more.
pub(crate) fn definition(state: &mut State, def: &ViewDef) -> Result<TableDef, SqlError> {
    let invalid = |_| SqlError::view_invalid(&def.db, &def.name);
    let query = parse_view(&def.query)?;
    let told = state.diagnostics.told();
    let bound = bind_own(state, def, &query);
    state.diagnostics.forget_since(told);
    let (columns, ..) = bound.map_err(invalid)?;
    let mut table = TableDef::new((&def.db, &def.name), def.connection, Vec::new(), Vec::new());
    table.comment = "VIEW".to_owned();
    for column in &columns {
        let mut shown = create_select::definition(column, true, state)?;
        // What lists columns has no room for more.
        shown.name = shown.name.chars().take(MAX_COLUMN_CHARS).collect();
        if let Some(default) = create_select::default_of_extreme(&column.ty, state) {
            shown.default = default;
        }
        if let (ColumnType::Integer(integer), true) = (&mut shown.ty, column.ty.truth) {
            integer.width = 1;
        }
        (shown.invisible, shown.on_update_now) = (false, false);
        let computed = column.origin.as_ref().is_none_or(|origin| origin.stored().is_none());
        let filled = column.origin.as_ref().and_then(|origin| origin.temporary).is_some_and(|t| !t.nullable);
        if computed && (!shown.nullable || filled) {
            shown.default = DefaultValue::Literal(zero(&shown.ty).into_bytes());
        } else if let DefaultValue::Literal(text) = &shown.default
            && matches!(shown.ty, ColumnType::Text(_) | ColumnType::Blob(_))
        {
            shown.default = DefaultValue::Expression(super::default::shown(text, &shown, 0));
        }
        table.columns.push(shown);
    }
    Ok(table)
}

/// The default that MariaDB shows for a computed column that is never NULL.
fn zero(ty: &ColumnType) -> String {
    let zero = match ty {
        ColumnType::Integer(_) | ColumnType::Decimal(_) | ColumnType::Float(_) | ColumnType::Double(_) => "0",
        ColumnType::Year => "0000",
        ColumnType::Date => "0000-00-00",
        ColumnType::Fixed(ty) => return ty.zero().text(),
        ColumnType::Time(_) => "00:00:00",
        ColumnType::DateTime(_) | ColumnType::Timestamp(_) => "0000-00-00 00:00:00",
        _ => "",
    };
    match ty.decimals() {
        0 | FREE_DECIMALS => zero.to_owned(),
        digits => format!("{zero}.{}", "0".repeat(usize::from(digits))),
    }
}

/// Why a view does not work any more; none for one that does.
pub fn cause(state: &mut State, view: &View) -> Option<String> {
    let raised = state.diagnostics.entries.len();
    let error = opened_by(state, view).err()?;
    // A view below has told its own cause.
    let told = state.diagnostics.entries.drain(raised..).next();
    Some(told.map_or(error.message, |told| told.message))
}

/// The tables that a view is over, views below it taken apart, and those views.
pub fn opened_by(state: &mut State, view: &View) -> Result<Opened, SqlError> {
    let query = parse_view(&view.def().query)?;
    bind_own(state, view.def(), &query).map(|(_, _, opened)| opened)
}

/// DROP VIEW: those that are there go, error 4092 names the others.
pub fn drop(state: &mut State, drop: &ast::DropView, words: &str) -> Result<Done, SqlError> {
    let catalog = state.engine.catalog();
    let mut there = Vec::new();
    let mut missing = Vec::new();
    for view in &drop.views {
        let (db, name) = names::qualified(state, view)?;
        match catalog.view(&db, &name) {
            Some(_) if there.contains(&(db.clone(), name.clone())) => {
                return Err(SqlError::nonuniq_table(name));
            }
            Some(_) => there.push((db, name)),
            None => {
                if catalog.table(&db, &name).is_some() {
                    let warning = SqlError::wrong_object(&db, &name, "VIEW");
                    state.warn(Level::Warning, warning.errno, warning.message);
                }
                missing.push(format!("{db}.{name}"));
            }
        }
    }
    if !there.is_empty() {
        let logged = match missing.is_empty() {
            true => words.to_owned(),
            false => {
                let list: Vec<String> = there.iter().map(|(db, name)| names::quoted(db, name)).collect();
                format!("DROP VIEW IF EXISTS {}", list.join(","))
            }
        };
        change(state, Ddl::DropViews { views: there }, &logged)?;
    }
    if missing.is_empty() {
        return Ok(done(0));
    }
    let error = SqlError::unknown_view(missing.join(","));
    if !drop.if_exists {
        state.commit()?;
        return Err(error);
    }
    state.warn(Level::Note, error.errno, error.message);
    Ok(done(0))
}
