//! CREATE TABLE.

use super::draft::Draft;
use super::{change, column, create_select, done, foreign, index, locks, names, table_options};
use crate::admin::dialect::Dialect;
use crate::admin::show_create;
use crate::error::SqlError;
use crate::output::Done;
use crate::session::{Level, Running, State};
use crate::syntax::ast::{self, TableElement};
use engine::{Ddl, Mdl};
use types::TableDef;

/// What CREATE TABLE came to.
pub enum Created {
    /// The table is there; so is this to say.
    Done(Done),
    /// The table is there and waits for the rows of the query.
    Fill(Box<ast::Insert>),
}

/// CREATE TABLE of columns, or LIKE another table; with a query, the table for its rows.
pub(crate) fn create(
    state: &mut State,
    create: &ast::CreateTable,
    running: &Running<'_>,
    words: &str,
) -> Result<Created, SqlError> {
    let (db, name) = names::qualified(state, &create.name)?;
    names::table(&name)?;
    let catalog = state.engine.catalog();
    let database = catalog.database(&db).ok_or_else(|| SqlError::bad_db(&db))?;
    if create.temporary {
        return temporary(state, create, (&db, &name), database.def.collation, running);
    }
    locks::check_new(state, &db, &name)?;
    let exists = catalog.table(&db, &name).is_some();
    if catalog.view(&db, &name).is_some() {
        return taken_by_view(state, create, &db, &name);
    }
    if exists && create.if_not_exists {
        let note = SqlError::table_exists(&name);
        state.warn(Level::Note, note.errno, note.message);
        return Ok(Created::Done(done(0)));
    }
    if exists && !create.or_replace {
        return Err(SqlError::table_exists(&name));
    }
    let (def, query) = match (&create.like, &create.select) {
        (Some(other), _) => (like(state, other, &db, &name)?, None),
        (None, select) => {
            let mut draft = draft(state, create, &db, &name, database.def.collation, running.text)?;
            let query = match select {
                Some(select) => Some(create_select::add_columns(state, &mut draft, select, running)?),
                None => None,
            };
            (draft.finish(state)?, query)
        }
    };
    if exists {
        let tables = vec![(db.clone(), name.clone())];
        let drop = format!("DROP TABLE IF EXISTS {}", names::quoted(&db, &name));
        change(state, Ddl::DropTables { tables }, &drop)?;
        state.commit()?;
    }
    // With a query, replicas get the table as it came to be, and the rows as rows.
    let logged = match &query {
        Some(_) => show_create::create_table_text_as(&def, &names::quoted(&db, &name), &Dialect::FULL),
        None => words.to_owned(),
    };
    change(state, Ddl::CreateTable { def }, &logged)?;
    Ok(match (query, &create.select) {
        (Some(columns), Some(select)) => {
            Created::Fill(Box::new(create_select::fill(select, &db, &name, columns)))
        }
        _ => Created::Done(done(0)),
    })
}

/// CREATE TEMPORARY TABLE: nothing of it reaches the catalog or the log.
fn temporary(
    state: &mut State,
    create: &ast::CreateTable,
    (db, name): (&str, &str),
    collation: types::CollationId,
    running: &Running<'_>,
) -> Result<Created, SqlError> {
    let exists = state.temporary(db, name).is_some();
    if exists && !create.or_replace {
        let error = SqlError::table_exists(name);
        if !create.if_not_exists {
            return Err(error);
        }
        state.warn(Level::Note, error.errno, error.message);
        return Ok(Created::Done(done(0)));
    }
    let mut query = None;
    let def = match &create.like {
        Some(other) => like(state, other, db, name)?,
        None => {
            let mut draft = draft(state, create, db, name, collation, running.text)?;
            if let Some(select) = &create.select {
                query = Some((create_select::add_columns(state, &mut draft, select, running)?, select));
            }
            draft.finish(state)?
        }
    };
    if !def.foreign_keys.is_empty() {
        return Err(refuse_foreign_keys(state, db, name));
    }
    state.make_temporary(def)?;
    Ok(match query {
        Some((columns, select)) => Created::Fill(Box::new(create_select::fill(select, db, name, columns))),
        None => Created::Done(done(0)),
    })
}

/// Temporary tables can neither refer to others nor be referred to.
fn refuse_foreign_keys(state: &mut State, db: &str, name: &str) -> SqlError {
    let why = format!(
        "Create  table `{db}`.`{name}` with foreign key constraint failed. \
         Temporary tables can't have foreign key constraints."
    );
    state.warn(Level::Warning, 150, why);
    foreign::malformed(db, name, state)
}

/// A view has the table's name.
fn taken_by_view(
    state: &mut State,
    create: &ast::CreateTable,
    db: &str,
    name: &str,
) -> Result<Created, SqlError> {
    let exists = SqlError::table_exists(name);
    if create.if_not_exists {
        state.warn(Level::Note, exists.errno, exists.message);
        return Ok(Created::Done(done(0)));
    }
    match create.or_replace {
        true => Err(SqlError::it_is_a_view(format!("{db}.{name}"))),
        false => Err(exists),
    }
}

/// The draft of the elements and options.
fn draft(
    state: &mut State,
    create: &ast::CreateTable,
    db: &str,
    name: &str,
    inherited: types::CollationId,
    text: &[u8],
) -> Result<Draft, SqlError> {
    let collation = table_options::collation(&create.options, inherited, inherited)?;
    let mut draft = Draft::new(db, name, collation);
    for option in &create.options {
        table_options::apply(option, &mut draft, state)?;
    }
    for element in &create.elements {
        match element {
            TableElement::Column(spec) => {
                let mut column = column::of(spec, collation, text, state)?;
                column.def.nullable &= spec.key != Some(ast::ColumnKey::Primary);
                column::add_keys(spec, &mut draft)?;
                draft.columns.push(column);
            }
            TableElement::Index(spec) => draft.add_index(spec, state)?,
            TableElement::ForeignKey(spec) => draft.add_foreign_key(spec)?,
            TableElement::Check(spec) => draft.add_check(spec)?,
        }
    }
    Ok(draft)
}

/// CREATE TABLE ... LIKE: all but foreign keys and the counter.
fn like(state: &mut State, other: &ast::TableName, db: &str, name: &str) -> Result<TableDef, SqlError> {
    let (from_db, from) = names::qualified(state, other)?;
    let own = state.temporary(&from_db, &from).is_some();
    if from_db == db && from == name {
        return Err(SqlError::nonuniq_table(name));
    }
    if !own {
        names::not_view(state, &from_db, &from)?;
    }
    let table = state.lock_table(&from_db, &from, Mdl::Read)?;
    let mut def = (**table.def()).clone();
    def.db = db.to_owned();
    def.name = name.to_owned();
    def.foreign_keys.clear();
    let loose: Vec<bool> = def.columns.iter().map(|column| column.nullable).collect();
    let mut indexes = std::mem::take(&mut def.indexes);
    index::sort(&mut indexes, &def, &loose);
    def.indexes = indexes;
    Ok(def)
}
