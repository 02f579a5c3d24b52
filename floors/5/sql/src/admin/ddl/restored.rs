//! Dumps of all databases carry the tables of `mysql`, which are the server's own here. What such a dump says of them is
//! passed over with a warning: nothing is dropped, made or filled, and nothing stops. An INSERT is a dump's where LOCK
//! TABLES has locked the table for it; any other is refused.

use super::names;
use crate::catalog::mysql;
use crate::error::SqlError;
use crate::session::{Level, State};
use crate::syntax::ast::{AlterAction, Statement, TableName};
use engine::Mdl;

/// Whether a statement is one of a dump about tables of `mysql`; the warning is raised.
pub(crate) fn passes_over(state: &mut State, statement: &Statement) -> bool {
    let own = |name: &TableName| names::is_of_mysql(state, name);
    let locked = |name: &TableName| {
        let locked = |(db, table, mode): &(String, String, Mdl)| {
            db == mysql::MYSQL && *table == name.name && *mode == Mdl::Exclusive
        };
        state.locked_tables.iter().any(locked)
    };
    let is = match statement {
        Statement::CreateTable(create) => !create.temporary && !create.or_replace && own(&create.name),
        Statement::CreateView(create) => !create.alter && own(&create.name),
        Statement::DropTable(drop) => drop.if_exists && !drop.temporary && drop.tables.iter().all(own),
        Statement::DropView(drop) => drop.if_exists && drop.views.iter().all(own),
        Statement::AlterTable(alter) => {
            let keys =
                |action: &AlterAction| matches!(action, AlterAction::EnableKeys | AlterAction::DisableKeys);
            alter.actions.iter().all(keys) && own(&alter.name)
        }
        Statement::Insert(insert) => own(&insert.table) && locked(&insert.table),
        _ => false,
    };
    if is {
        let error: SqlError = mysql::refuse_change();
        state.warn(Level::Warning, error.errno, error.message);
    }
    is
}
