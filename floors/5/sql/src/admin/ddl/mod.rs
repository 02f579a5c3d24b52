//! Data definition: databases, tables, indexes.
//!
//! Every statement commits what came before it, takes the names it changes exclusively, hands the engine a whole new
//! definition, and commits again. The statement's own words go to the log with the session's settings
//! (`facts`), so that replicas can run them.
//!
//! | module | what |
//! | --- | --- |
//! | `names` | identifiers: lengths, databases, lookups |
//! | `facts` | what the log's QUERY event says of the session |
//! | `charset` | character sets and collations as written |
//! | `database` | CREATE, ALTER, DROP DATABASE |
//! | `data_type`, `default`, `column` | a column as written becomes a column definition |
//! | `draft`, `index`, `foreign`, `table_options` | a table definition in the making |
//! | `create`, `create_select` | CREATE TABLE |
//! | `alter`, `altering`, `rows` | ALTER TABLE, CREATE and DROP INDEX |
//! | `tables` | DROP, RENAME, TRUNCATE TABLE |
//! | `view` | CREATE, ALTER, DROP VIEW |
//! | `written` | what is refused before anything is looked for |
//! | `restored` | what dumps say of the database `mysql` |
//! | `locks`, `maintenance` | LOCK TABLES; ANALYZE, CHECK and their kin |
//! | `print` | expressions as MariaDB writes them |

mod allowed;
mod alter;
mod altering;
mod chain;
mod charset;
mod column;
mod copied;
mod create;
mod create_select;
mod data_type;
mod database;
mod default;
mod draft;
mod facts;
mod foreign;
mod generated;
mod index;
mod locks;
mod maintenance;
mod manner;
mod names;
mod ordered;
mod print;
mod restored;
mod rows;
mod table_options;
mod tables;
mod view;
mod written;

pub(crate) use create_select::column_of;
pub(crate) use data_type::{column_of_type, is_json};
pub(crate) use default::{plain as plain_default, shown as default_text};
pub(crate) use maintenance::columns as maintenance_columns;
pub(crate) use names::quoted_name;
pub(crate) use print::quoted;
pub(crate) use restored::passes_over;
use view::refuse_in_view;
pub(crate) use view::{
    create_text as view_text, definition as view_definition, opened_by as view_opens,
    told_text as told_view_text,
};
pub(crate) use written::check as check_written;

use super::account;
use crate::error::SqlError;
use crate::output::{Done, Output};
use crate::session::{Ended, Running, Session, State};
use crate::syntax::ast::Statement;
use create::Created;
use engine::Ddl;

/// Runs one statement of this module's.
pub(crate) fn run(
    session: &mut Session,
    statement: &Statement,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    check_written(&mut session.state, statement, running.text)?;
    before(&mut session.state, statement)?;
    account::definition(&mut session.state, statement)?;
    if passes_over(&mut session.state, statement) {
        return session.finish(Done::default(), running, out);
    }
    let words = String::from_utf8_lossy(running.words).into_owned();
    let state = &mut session.state;
    let done = match statement {
        Statement::CreateDatabase(create) => database::create(state, create, &words)?,
        Statement::AlterDatabase(alter) => database::alter(state, alter, &words)?,
        Statement::DropDatabase(drop) => database::drop(state, drop, &words)?,
        Statement::CreateTable(create) => match create::create(state, create, running, &words)? {
            Created::Done(done) => done,
            Created::Fill(insert) => return fill(session, *insert, running, out),
        },
        Statement::AlterTable(alter) => alter::alter(state, alter, running.text, &words)?,
        Statement::CreateIndex(create) => {
            let change = alter::of_create_index(state, create)?;
            alter::alter(state, &change, running.text, &words)?
        }
        Statement::DropIndex(drop) => alter::alter(state, &alter::of_drop_index(drop), running.text, &words)?,
        Statement::DropTable(drop) => tables::drop(state, drop, &words)?,
        Statement::CreateView(create) => view::create(state, create, running.text)?,
        Statement::DropView(drop) => view::drop(state, drop, &words)?,
        Statement::RenameTable(rename) => tables::rename(state, rename, &words)?,
        Statement::Truncate(table) => tables::truncate(state, table, &words)?,
        Statement::LockTables(lock) => {
            locks::lock(state, lock)?;
            Done::default()
        }
        Statement::UnlockTables => {
            state.unlock_tables();
            Done::default()
        }
        Statement::TableMaintenance(maintenance) => {
            let (columns, rows) = maintenance::run(state, maintenance)?;
            let columns = session.state.describe(&columns);
            return session.send_rows(&columns, rows, running, out);
        }
        _ => return Err(SqlError::not_supported_yet(super::first_words(running.words)).into()),
    };
    if !matches!(statement, Statement::LockTables(_) | Statement::UnlockTables) && !is_own(statement) {
        session.state.commit()?;
    }
    session.state.row_count = done.affected_rows as i64;
    session.finish(done, running, out)
}

/// Fills a table that CREATE TABLE ... SELECT has made; without its rows it goes again.
fn fill(
    session: &mut Session,
    insert: crate::syntax::ast::Insert,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let own = insert.table.database.as_deref().and_then(|db| session.state.temporary(db, &insert.table.name));
    let own = own.is_some();
    if !own {
        session.state.commit()?;
        session.state.statement.commits = true;
    }
    let table = (insert.table.database.clone().unwrap_or_default(), insert.table.name.clone());
    let filled = session.bind_and_change(&Statement::Insert(Box::new(insert)), running, out);
    if let Err(Ended::Error(error)) = filled {
        session.state.end_statement(false)?;
        if own {
            session.state.drop_temporary(&table.0, &table.1)?;
            return Err(error.into());
        }
        let words = format!("DROP TABLE IF EXISTS {}", names::quoted(&table.0, &table.1));
        change(&mut session.state, Ddl::DropTables { tables: vec![table] }, &words)?;
        session.state.commit()?;
        return Err(error.into());
    }
    // As MariaDB has it, a rollback of the transaction around leaves them.
    let temporary = session.state.temporary(&table.0, &table.1).cloned();
    if let (Some(temporary), Some(txn)) = (temporary, &mut session.state.txn) {
        txn.keep_rows(&temporary).map_err(SqlError::from)?;
    }
    filled
}

/// Statements that make and drop temporary tables only: no part of any other session's world, they commit nothing.
fn is_own(statement: &Statement) -> bool {
    match statement {
        Statement::CreateTable(create) => create.temporary,
        Statement::DropTable(drop) => drop.temporary,
        _ => false,
    }
}

/// The implicit commit before data definition; error 1792 where the session only reads.
fn before(state: &mut State, statement: &Statement) -> Result<(), SqlError> {
    if state.vars.read_only
        && !matches!(
            statement,
            Statement::LockTables(_) | Statement::UnlockTables | Statement::TableMaintenance(_)
        )
    {
        return Err(SqlError::read_only_transaction());
    }
    if is_own(statement) {
        let reads_only = state.txn.as_ref().is_some_and(|txn| txn.options().read_only);
        return if reads_only { Err(SqlError::read_only_transaction()) } else { Ok(()) };
    }
    let locks = matches!(statement, Statement::LockTables(_) | Statement::UnlockTables);
    if !locks && !matches!(statement, Statement::TableMaintenance(_)) {
        state.check_read_only()?;
    }
    // UNLOCK TABLES commits only where LOCK TABLES was said.
    let unlocks = matches!(statement, Statement::UnlockTables);
    if unlocks && (state.locked_tables.is_empty() || state.global_read_lock) {
        return Ok(());
    }
    state.commit()
}

/// Changes the catalog and logs `sql` for replicas.
fn change(state: &mut State, ddl: Ddl<'_>, sql: &str) -> Result<(), SqlError> {
    raw_change(state, ddl, sql).map_err(SqlError::from)
}

/// As [`change`], with the engine's own error.
fn raw_change(state: &mut State, ddl: Ddl<'_>, sql: &str) -> Result<(), engine::EngineError> {
    let facts = facts::Facts::of(state);
    let query = facts.query(sql);
    let mut txn = match state.txn.take() {
        Some(txn) => txn,
        None => state.begin_for_ddl(),
    };
    let changed = txn.ddl(ddl, Some(query));
    state.txn = Some(txn);
    changed.map(|_| ())
}

/// A statement that changed `rows` rows and says no more.
fn done(rows: u64) -> Done {
    Done { affected_rows: rows, ..Done::default() }
}
