//! ALTER TABLE, CREATE INDEX, DROP INDEX: the old definition as a draft, the actions applied to it, rows mapped where
//! their form changes.

use super::altering::{self, Altered};
use super::draft::Draft;
use super::rows::{RowMapper, duplicate_entry};
use super::{default, facts, foreign, index, locks, manner, names, raw_change};
use crate::error::SqlError;
use crate::output::Done;
use crate::session::{Level, State};
use crate::syntax::ast::{self, AlterAction};
use engine::{AlteredRows, Ddl, EngineError, Mdl, Table};
use std::sync::Arc;
use types::table::same_name;
use types::{ColumnDef, ForeignKeyDef, IndexKind, TableDef};

/// Runs ALTER TABLE.
pub fn alter(state: &mut State, alter: &ast::AlterTable, text: &[u8], words: &str) -> Result<Done, SqlError> {
    let (db, name) = names::qualified(state, &alter.name)?;
    if state.temporary(&db, &name).is_none() {
        names::not_view(state, &db, &name)?;
        locks::check_change(state, &db, &name)?;
    }
    let table = match state.lock_table(&db, &name, Mdl::Upgradable) {
        Ok(table) => table,
        Err(error) if alter.if_exists && error.errno == 1146 => {
            state.warn(Level::Error, error.errno, error.message);
            return Ok(Done::default());
        }
        Err(error) => return Err(error),
    };
    let Altered { draft, rename, changed } =
        altering::apply(state, table.def().clone(), &alter.actions, text)?;
    if let Some((to_db, to_name)) = &rename {
        let taken = match table.is_temporary() {
            true => state.temporary(to_db, to_name).is_some(),
            false => state.engine.catalog().is_taken(to_db, to_name),
        };
        let taken = taken && (to_db, to_name) != (&db, &name);
        if taken {
            return Err(SqlError::table_exists(to_name));
        }
    }
    let mut copied = Copied::default();
    // A rename is logged with the statement's words, a change before it is not: replicas run the statement once.
    let renames = rename.as_ref().is_some_and(|to| *to != (db.clone(), name.clone()));
    if changed {
        let words = (!renames).then_some(words);
        copied = change_definition(state, &table, draft, alter, words)?;
    } else {
        note_switched(state, alter, table.def());
        if renames {
            manner::check_rename(&alter.actions)?;
        }
    }
    // What only renames the table or switches its keys tells no counts.
    let silent = alter.actions.iter().all(|action| {
        matches!(action, AlterAction::RenameTo(_) | AlterAction::EnableKeys | AlterAction::DisableKeys)
    });
    if let Some(to) = rename.filter(|_| renames) {
        if let Some(own) = state.temporary(&db, &name).cloned() {
            state.rename_temporary(&own, &to)?;
        } else {
            raw_change(state, Ddl::RenameTables { pairs: vec![((db, name), to)] }, words)?;
        }
    }
    Ok(if silent { Done::default() } else { altered(state, copied) })
}

/// The note that keys cannot be switched off and on, where the table has some that could be.
fn note_switched(state: &mut State, alter: &ast::AlterTable, def: &TableDef) {
    let switches =
        |action: &AlterAction| matches!(action, AlterAction::EnableKeys | AlterAction::DisableKeys);
    let plain = def.indexes.iter().any(|index| index.kind == IndexKind::Key);
    for _ in alter.actions.iter().filter(|action| plain && switches(action)) {
        let text = format!(
            "Storage engine InnoDB of the table `{}`.`{}` doesn't have this option",
            def.db, def.name
        );
        state.warn(Level::Note, 1031, text);
    }
}

/// Rows that were converted, and those among them that IGNORE left out for a unique key.
#[derive(Default)]
struct Copied {
    rows: u64,
    duplicates: u64,
}

fn altered(state: &State, Copied { rows, duplicates }: Copied) -> Done {
    let warnings = state.diagnostics.count();
    Done {
        affected_rows: rows,
        info: format!("Records: {rows}  Duplicates: {duplicates}  Warnings: {warnings}"),
        ..Done::default()
    }
}

/// CREATE INDEX as the ALTER TABLE that it is.
pub fn of_create_index(state: &State, create: &ast::CreateIndex) -> Result<ast::AlterTable, SqlError> {
    let mut actions = Vec::new();
    let (db, name) = names::qualified(state, &create.table)?;
    let table =
        state.temporary(&db, &name).cloned().or_else(|| state.engine.catalog().table(&db, &name).cloned());
    let named =
        |index: &types::IndexDef| create.index.name.as_ref().is_some_and(|n| same_name(n, &index.name));
    let replaces = table.is_some_and(|table| table.def().indexes.iter().any(named));
    if let Some(name) = create.index.name.as_ref().filter(|_| create.or_replace && replaces) {
        actions.push(AlterAction::DropIndex { if_exists: false, name: name.clone() });
    }
    actions.push(AlterAction::AddIndex(create.index.clone()));
    actions.extend(create.manner.iter().cloned());
    Ok(altering(&create.table, actions))
}

/// DROP INDEX as the ALTER TABLE that it is.
pub fn of_drop_index(drop: &ast::DropIndex) -> ast::AlterTable {
    let action = match drop.name.eq_ignore_ascii_case("PRIMARY") {
        true => AlterAction::DropPrimaryKey,
        false => AlterAction::DropIndex { if_exists: drop.if_exists, name: drop.name.clone() },
    };
    altering(&drop.table, [vec![action], drop.manner.clone()].concat())
}

fn altering(table: &ast::TableName, actions: Vec<AlterAction>) -> ast::AlterTable {
    ast::AlterTable {
        ignore: false,
        if_exists: false,
        name: table.clone(),
        wait: ast::LockWait::Default,
        actions,
    }
}

/// Puts the draft in the table's place; gives the rows that were converted.
fn change_definition(
    state: &mut State,
    table: &Arc<Table>,
    mut draft: Draft,
    alter: &ast::AlterTable,
    words: Option<&str>,
) -> Result<Copied, SqlError> {
    let ignore = alter.ignore;
    let from: Vec<Option<usize>> = draft.columns.iter().map(|c| c.from).collect();
    let cut = draft.cut.clone();
    draft.keeps_key_order = index::keep_order(table.def(), &draft);
    let mut new = draft.finish(state)?;
    if !table.is_temporary() && new.auto_increment.is_none() {
        new.auto_increment = manner::counter(table, &new, &from, alter);
    }
    manner::check(state, table.def(), &new, &from, alter)?;
    let copies = manner::copies(state, table.def(), &new, &from, alter);
    if !copies {
        foreign::settle_in_place(&mut new, table.def(), &alter.actions);
    }
    let built = manner::built_virtual(table.def(), &new, &from, alter);
    if table.is_temporary() {
        note_switched(state, alter, &new);
    }
    if table.is_temporary() && manner::is_idle(table.def(), &new, alter) {
        return Ok(Copied::default());
    }
    if table.is_temporary() {
        return change_temporary(state, table, new, from, ignore);
    }
    if !manner::asks_for_copy(&alter.actions) {
        default::fill_blank(&new, state)?;
    }
    let renamed = check_foreign_keys(state, table.def(), &new, &from, copies)?;
    let cut = |key: &&ForeignKeyDef| cut.iter().any(|name| same_name(name, &key.name));
    if let Some(key) = table.def().foreign_keys.iter().find(cut) {
        return Err(cut_foreign_key(state, table.def(), key, &from, copies));
    }
    note_switched(state, alter, &new);
    let parent = parent_of(state, table.def()).filter(|_| copies);
    let mut mapper = RowMapper::new(table, &new, from, ignore, state)?;
    let facts = facts::Facts::of(state);
    let query = words.map(|words| facts.query(words));
    let mut txn = match state.txn.take() {
        Some(txn) => txn,
        None => state.begin_for_ddl(),
    };
    state.statement.strict = state.vars.is_strict();
    state.statement.target = Some(table.clone());
    state.statement.row = 0;
    let rows_before = table.row_count();
    match copies {
        true => mapper.copy(&new, parent.clone(), state)?,
        false => mapper.build(&built, &new, state)?,
    }
    mapper.settle_defaults(state)?;
    if mapper.looks() {
        state.txn = Some(txn);
        look_at_rows(state, table, &mut mapper)?;
        txn = state.txn.take().unwrap_or_else(|| state.begin_for_ddl());
    }
    let rows = match mapper.is_identity() {
        true => AlteredRows::Stay { absent: mapper.absent() },
        false => {
            let (mapper, state) = (&mut mapper, &mut *state);
            AlteredRows::Mapped(Box::new(move |old, new| mapper.map(old, new, state).map_err(Into::into)))
        }
    };
    let (db, name) = (table.db().to_owned(), table.name().to_owned());
    let lock = manner::lock_asked(alter);
    let ddl = Ddl::AlterTable { db, table: name, new: new.clone(), rows, renamed, lock };
    let altered = txn.ddl(ddl, query);
    state.txn = Some(txn);
    match altered {
        Ok(_) if copies => {
            Ok(Copied { rows: rows_before.saturating_sub(mapper.left_out), duplicates: mapper.duplicates })
        }
        Ok(_) => Ok(Copied::default()),
        Err(EngineError::DuplicateRows { index, row }) => {
            Err(parent.unwrap_or_else(|| duplicate_entry(state, &new, index, &row)))
        }
        Err(error) => Err(error.into()),
    }
}

/// What a mapper has to say of rows that stay as they are.
fn look_at_rows(state: &mut State, table: &Arc<Table>, mapper: &mut RowMapper) -> Result<(), SqlError> {
    let (all, forward) = (engine::KeyRange::ALL, engine::Direction::Forward);
    let mut scan = state.txn()?.scan(table, engine::CLUSTERED, all, forward, engine::Read::Snapshot)?;
    let (mut found, mut row) = (engine::RowBuf::default(), Vec::new());
    while scan.next(state.txn()?, &mut found)? {
        row.clear();
        mapper.map(&found.row, &mut row, state)?;
    }
    Ok(())
}

/// Error 1834 of a table whose rows foreign keys may name: none is left out, and none is told to be there twice, where its
/// rows are copied.
fn parent_of(state: &State, table: &TableDef) -> Option<SqlError> {
    if !state.vars.foreign_key_checks {
        return None;
    }
    let catalog = state.engine.catalog();
    let mut children = catalog.children(&table.db, &table.name).iter();
    children.find_map(|child| {
        let of = catalog.table(&child.db, &child.table)?;
        let key = of.def().foreign_keys.get(child.at)?;
        Some(SqlError::fk_cannot_delete_parent(&key.name, &child.table))
    })
}

/// As [`change_definition`], for a temporary table: it is made anew with the rows that the transaction sees.
fn change_temporary(
    state: &mut State,
    table: &Arc<Table>,
    mut new: TableDef,
    from: Vec<Option<usize>>,
    ignore: bool,
) -> Result<Copied, SqlError> {
    let mut mapper = RowMapper::new(table, &new, from, ignore, state)?;
    mapper.copy(&new, None, state)?;
    let counter = new.auto_increment.unwrap_or_else(|| table.auto_increment().get());
    new.auto_increment = new.auto_increment_column().map(|_| counter);
    state.statement.strict = state.vars.is_strict();
    state.statement.target = Some(table.clone());
    state.statement.row = 0;
    // The rows are mapped first: mapping them may raise what the session is told.
    let mut mapped = Vec::new();
    let mut scan = state.txn()?.scan(
        table,
        table.def().keeping_index().unwrap_or(engine::CLUSTERED),
        engine::KeyRange::ALL,
        engine::Direction::Forward,
        engine::Read::Snapshot,
    )?;
    let mut found = engine::RowBuf::default();
    // Nobody keeps what rows would lack.
    let as_they_are = mapper.is_identity() && mapper.absent().is_empty();
    while scan.next(state.txn()?, &mut found)? {
        let mut row = Vec::with_capacity(found.row.len());
        let stays = match as_they_are {
            true => {
                row.clone_from(&found.row);
                true
            }
            false => mapper.map(&found.row, &mut row, state)?,
        };
        mapped.push(stays.then_some(row));
    }
    let copied = Copied { rows: mapped.len() as u64 - mapper.left_out, duplicates: mapper.duplicates };
    let mut rows = mapped.into_iter();
    let mut next: engine::RowMapping<'_> = Box::new(move |_, out| {
        let row = rows.next().flatten();
        let stays = row.is_some();
        out.extend(row.unwrap_or_default());
        Ok(stays)
    });
    match state.change_temporary(table, new.clone(), &mut next) {
        Ok(()) => Ok(copied),
        Err(EngineError::DuplicateRows { index, row }) => Err(duplicate_entry(state, &new, index, &row)),
        Err(error) => Err(error.into()),
    }
}

/// What is wrong with a foreign key that loses columns.
fn cut_foreign_key(
    state: &State,
    old: &TableDef,
    key: &ForeignKeyDef,
    from: &[Option<usize>],
    copies: bool,
) -> SqlError {
    let dropped = key.columns.iter().find(|&&at| !from.contains(&Some(at)));
    match dropped {
        Some(&at) if copies || !state.vars.foreign_key_checks => {
            SqlError::fk_column_cannot_drop(&old.columns[at].name, shown(&old.db, &key.name, copies))
        }
        _ => SqlError::drop_index_fk(index_of(old, &key.columns)),
    }
}

/// A foreign key's name: InnoDB's own, where nothing is copied.
fn shown(db: &str, key: &str, copies: bool) -> String {
    if copies { key.to_owned() } else { format!("{db}/{key}") }
}

/// The name of the index that a foreign key of these columns is looked up in.
fn index_of(table: &TableDef, columns: &[usize]) -> String {
    foreign::covering(table, columns).map_or(String::new(), |index| index.name.clone())
}

/// Foreign keys of the table and to it keep their columns, their types and an index. Gives the columns that foreign keys
/// of others name and that get other names, before and after.
fn check_foreign_keys(
    state: &State,
    old: &TableDef,
    new: &TableDef,
    from: &[Option<usize>],
    copies: bool,
) -> Result<Vec<(String, String)>, SqlError> {
    let renames = |was: &ColumnDef, is: &ColumnDef| match same_name(&was.name, &is.name) {
        true => Ok(false),
        false if copies => {
            let reason = "Columns participating in a foreign key are renamed";
            Err(SqlError::alter_not_supported_because("ALGORITHM=COPY", reason, "ALGORITHM=INPLACE"))
        }
        false => Ok(true),
    };
    let now = |at: usize| from.iter().position(|&f| f == Some(at));
    let moved = |columns: &[usize]| columns.iter().map(|&at| now(at)).collect::<Option<Vec<usize>>>();
    for key in &new.foreign_keys {
        let Some(before) = old.foreign_keys.iter().find(|k| same_name(&k.name, &key.name)) else { continue };
        if let Some(&at) = before.columns.iter().find(|&&at| now(at).is_none()) {
            let name = &old.columns[at].name;
            return Err(SqlError::fk_column_cannot_drop(name, shown(&old.db, &key.name, copies)));
        }
        if !foreign::is_indexed(new, &key.columns) {
            return Err(SqlError::drop_index_fk(index_of(old, &before.columns)));
        }
        for (&was, &is) in before.columns.iter().zip(&key.columns) {
            let (was, is) = (&old.columns[was], &new.columns[is]);
            renames(was, is)?;
            // One that names itself is told of as the one that is named.
            let itself = (&key.ref_db, &key.ref_table) == (&old.db, &old.name)
                && key.ref_columns.iter().any(|name| same_name(name, &was.name));
            if !itself && !foreign::keeps_type(was, is) {
                return Err(SqlError::fk_column_cannot_change(&was.name, shown(&old.db, &key.name, copies)));
            }
        }
    }
    let catalog = state.engine.catalog();
    let mut renamed = Vec::new();
    for child in catalog.children(&old.db, &old.name) {
        let Some(table) = catalog.table(&child.db, &child.table) else { continue };
        let Some(key) = table.def().foreign_keys.get(child.at) else { continue };
        let own = child.db == old.db && child.table == old.name;
        if own && !new.foreign_keys.iter().any(|kept| same_name(&kept.name, &key.name)) {
            continue;
        }
        let Some(columns) =
            key.ref_columns.iter().map(|name| old.column_index(name)).collect::<Option<Vec<usize>>>()
        else {
            continue;
        };
        let dropped = columns.iter().find(|&&at| now(at).is_none());
        if let Some(&dropped) = dropped.filter(|_| copies || !state.vars.foreign_key_checks) {
            let table = format!("`{}`.`{}`", child.db, child.table);
            let name = &old.columns[dropped].name;
            return Err(SqlError::fk_column_cannot_drop_child(
                name,
                shown(&child.db, &key.name, copies),
                table,
            ));
        }
        // One that was added without checks may have none.
        let unindexed = !foreign::is_indexed(old, &columns);
        let kept = moved(&columns).filter(|columns| unindexed || foreign::is_indexed(new, columns));
        let Some(kept) = kept else {
            return Err(match copies {
                true => foreign::misnamed(&old.db, &old.name),
                false => SqlError::drop_index_fk(index_of(old, &columns)),
            });
        };
        for (&was, &is) in columns.iter().zip(&kept) {
            let (was, is) = (&old.columns[was], &new.columns[is]);
            if renames(was, is)? && !own {
                renamed.push((was.name.clone(), is.name.clone()));
            }
            if !foreign::keeps_type(was, is) {
                let parted = if copies { '.' } else { '/' };
                let table = format!("{}{parted}{}", child.db, child.table);
                return Err(SqlError::fk_column_cannot_change_child(
                    &was.name,
                    shown(&child.db, &key.name, copies),
                    table,
                ));
            }
        }
    }
    Ok(renamed)
}
