//! What MariaDB's parser refuses of a definition: it is told of before anything is committed, before privileges, and
//! when the statement is prepared.

use super::allowed::{self, Place, Rule};
use super::{charset, column, data_type, names};
use crate::bind::Clause;
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast::{
    self, AlterAction, CharsetClause, ColumnSpec, Statement, TableElement, TableOption,
};
use types::{CollationId, ColumnDef, ColumnType, FloatType, Generated, TableDef};

/// Errors of names, types, defaults and character sets that are none, whatever tables there are.
pub fn check(state: &mut State, statement: &Statement, text: &[u8]) -> Result<(), SqlError> {
    match statement {
        Statement::CreateDatabase(create) => charsets(state, &create.options.charsets),
        Statement::AlterDatabase(alter) => charsets(state, &alter.options.charsets),
        Statement::CreateTable(create) => self::create(state, create, text),
        Statement::AlterTable(alter) => self::alter(state, alter, text),
        Statement::CreateIndex(create) => table(state, &create.table),
        Statement::DropIndex(drop) => table(state, &drop.table),
        Statement::DropTable(drop) => tables(state, &drop.tables),
        Statement::DropView(drop) => tables(state, &drop.views),
        Statement::Truncate(name) => table(state, name),
        Statement::TableMaintenance(maintenance) => tables(state, &maintenance.tables),
        Statement::RenameTable(rename) => rename.pairs.iter().try_for_each(|(from, to)| {
            table(state, from)?;
            table(state, to)
        }),
        Statement::LockTables(lock) => locks(state, lock),
        Statement::CreateView(create) => {
            table(state, &create.name)?;
            super::refuse_in_view(&create.query)
        }
        _ => Ok(()),
    }
}

fn create(state: &mut State, create: &ast::CreateTable, text: &[u8]) -> Result<(), SqlError> {
    table(state, &create.name)?;
    if let Some(other) = &create.like {
        tables(state, [&create.name, other])?;
    }
    for element in &create.elements {
        match element {
            TableElement::Column(spec) => self::column(spec, text, state)?,
            TableElement::Check(spec) => unrelated(&spec.expr)?,
            TableElement::Index(_) | TableElement::ForeignKey(_) => {}
        }
    }
    charsets(state, charsets_of(&create.options))
}

fn alter(state: &mut State, alter: &ast::AlterTable, text: &[u8]) -> Result<(), SqlError> {
    table(state, &alter.name)?;
    for action in &alter.actions {
        match action {
            AlterAction::AddColumn { column: spec, .. }
            | AlterAction::ModifyColumn { column: spec, .. }
            | AlterAction::ChangeColumn { column: spec, .. } => self::column(spec, text, state)?,
            AlterAction::AddCheck(spec) => unrelated(&spec.expr)?,
            AlterAction::AlterDefault { column, default: Some(expr), .. } => {
                calls(column, Clause::Default, true, expr)?;
            }
            // Of the new name's database, too, it says that the table's name is wrong.
            AlterAction::RenameTo(to) => {
                names::table(&to.name)?;
                let database = to.database.as_deref().map_or(Ok(()), names::database);
                database.map_err(|_| SqlError::wrong_table_name(&to.name))?;
            }
            AlterAction::ConvertCharset(clauses) => charsets(state, clauses)?,
            _ => {}
        }
    }
    charsets(
        state,
        alter.actions.iter().filter_map(|action| match action {
            AlterAction::Option(TableOption::Charset(clause)) => Some(clause),
            _ => None,
        }),
    )
}

/// Errors 1103, 1102 and 1046 of a table's name.
fn table(state: &State, name: &ast::TableName) -> Result<(), SqlError> {
    names::table(&name.name)?;
    match (&name.database, &state.database) {
        (Some(database), _) => names::database(database),
        (None, None) => Err(SqlError::no_db()),
        (None, Some(_)) => Ok(()),
    }
}

/// As [`table`], of several; error 1066 where one stands there twice.
fn tables<'n>(state: &State, list: impl IntoIterator<Item = &'n ast::TableName>) -> Result<(), SqlError> {
    let mut seen = Vec::new();
    for name in list {
        table(state, name)?;
        once(state, &mut seen, name, &name.name)?;
    }
    Ok(())
}

/// The tables of LOCK TABLES, which may stand there under several names.
fn locks(state: &State, lock: &ast::LockTables) -> Result<(), SqlError> {
    let mut seen = Vec::new();
    for locked in &lock.tables {
        table(state, &locked.name)?;
        once(state, &mut seen, &locked.name, locked.alias.as_ref().unwrap_or(&locked.name.name))?;
    }
    Ok(())
}

fn once<'n>(
    state: &'n State,
    seen: &mut Vec<(Option<&'n ast::Name>, &'n ast::Name)>,
    table: &'n ast::TableName,
    shown: &'n ast::Name,
) -> Result<(), SqlError> {
    let known = (table.database.as_ref().or(state.database.as_ref()), shown);
    if seen.contains(&known) {
        return Err(SqlError::nonuniq_table(shown));
    }
    seen.push(known);
    Ok(())
}

fn column(spec: &ColumnSpec, text: &[u8], state: &mut State) -> Result<(), SqlError> {
    names::check(&spec.name)?;
    data_type::check_written(&spec.name, &spec.ty, state)?;
    column::check_written(spec, text, state)?;
    if let Some(default) = &spec.default {
        calls(&spec.name, Clause::Default, true, default)?;
    }
    if let Some(generated) = &spec.generated {
        calls(&spec.name, Clause::Generated, !generated.stored, &generated.expr)?;
    }
    spec.check.as_ref().map_or(Ok(()), |check| {
        unrelated(check)?;
        calls(&spec.name, Clause::Check, false, check)
    })
}

/// Error 1901 for what an expression beside a column must not call; where it `may_change`, that is little.
fn calls(name: &str, clause: Clause, may_change: bool, expr: &ast::Expr) -> Result<(), SqlError> {
    let ty = ColumnType::Double(FloatType { digits: None, unsigned: false, zerofill: false });
    let mut column = ColumnDef::new(name, ty, true);
    column.generated = Some(Generated { expression: String::new(), stored: !may_change });
    let alone = TableDef::new(("", ""), CollationId::UTF8MB4_GENERAL_CI, vec![column], Vec::new());
    let obeys = |place| allowed::check(&alone, place, Rule::Calls, &mut expr.clone());
    match clause {
        Clause::Check => obeys(Place::Check(name)),
        // What is wrong with what is computed when it is read is wrong with a default.
        Clause::Generated if may_change && obeys(Place::Default(name)).is_ok() => Ok(()),
        Clause::Generated => obeys(Place::Generated(0)),
        _ => obeys(Place::Default(name)),
    }
}

/// Error 1970 for a CHECK of other tables' rows.
fn unrelated(check: &ast::Expr) -> Result<(), SqlError> {
    allowed::text(Clause::Check, "", check).map(drop)
}

fn charsets_of(options: &[TableOption]) -> impl Iterator<Item = &CharsetClause> {
    options.iter().filter_map(|option| match option {
        TableOption::Charset(clause) => Some(clause),
        _ => None,
    })
}

/// Errors 1115, 1273, 1253 and 1302 of clauses, whatever they stand beside.
fn charsets<'c>(state: &State, clauses: impl IntoIterator<Item = &'c CharsetClause>) -> Result<(), SqlError> {
    let any = state.vars.collation_server;
    charset::of_clauses(clauses, any, any).map(drop)
}
