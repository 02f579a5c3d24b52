//! ALTER TABLE, CREATE INDEX, DROP INDEX: the old definition as a draft, the actions applied to it, rows mapped where
//! their form changes.

use super::draft::{Draft, DraftColumn};
use super::rows::{RowMapper, duplicate_entry};
use super::{charset, column, default, facts, foreign, locks, names, raw_change, table_options};
use crate::error::SqlError;
use crate::output::Done;
use crate::session::{Level, State};
use crate::syntax::ast::{self, AlterAction, ColumnPosition};
use engine::{Ddl, EngineError, Mdl, Table};
use std::sync::Arc;
use types::table::same_name;
use types::{ColumnType, DefaultValue, IndexKind, TableDef};

/// Runs ALTER TABLE.
pub fn alter(state: &mut State, alter: &ast::AlterTable, text: &[u8], words: &str) -> Result<Done, SqlError> {
    let (db, name) = names::qualified(state, &alter.name)?;
    if state.temporary(&db, &name).is_none() {
        names::not_view(state, &db, &name)?;
        locks::check_change(state, &db, &name)?;
    }
    let table = match state.lock_table(&db, &name, Mdl::Exclusive) {
        Ok(table) => table,
        Err(error) if alter.if_exists && error.errno == 1146 => {
            state.warn(Level::Error, error.errno, error.message);
            return Ok(Done::default());
        }
        Err(error) => return Err(error),
    };
    let mut altering = Altering::new(state, &table, text)?;
    for action in &alter.actions {
        altering.apply(action)?;
    }
    let Altering { draft, rename, changed, .. } = altering;
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
    let (mut copied, rows_before) = (0, table.row_count());
    // A rename is logged with the statement's words, a change before it is not: replicas run the statement once.
    let renames = rename.as_ref().is_some_and(|to| *to != (db.clone(), name.clone()));
    if changed {
        let words = (!renames).then_some(words);
        copied = change_definition(state, &table, draft, alter.ignore, words)?;
    }
    let told_to_copy = |action: &AlterAction| match action {
        AlterAction::OrderBy(_) => true,
        AlterAction::Algorithm(name) => name.eq_ignore_ascii_case("COPY"),
        _ => false,
    };
    if alter.actions.iter().any(told_to_copy) {
        copied = rows_before;
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

fn altered(state: &State, copied: u64) -> Done {
    let warnings = state.diagnostics.count();
    Done {
        affected_rows: copied,
        info: format!("Records: {copied}  Duplicates: 0  Warnings: {warnings}"),
        ..Done::default()
    }
}

/// CREATE INDEX as the ALTER TABLE that it is.
pub fn of_create_index(create: &ast::CreateIndex) -> ast::AlterTable {
    let mut actions = Vec::new();
    if create.or_replace
        && let Some(name) = &create.index.name
    {
        actions.push(AlterAction::DropIndex { if_exists: true, name: name.clone() });
    }
    actions.push(AlterAction::AddIndex(create.index.clone()));
    altering(&create.table, actions)
}

/// DROP INDEX as the ALTER TABLE that it is.
pub fn of_drop_index(drop: &ast::DropIndex) -> ast::AlterTable {
    let action = match drop.name.eq_ignore_ascii_case("PRIMARY") {
        true => AlterAction::DropPrimaryKey,
        false => AlterAction::DropIndex { if_exists: drop.if_exists, name: drop.name.clone() },
    };
    altering(&drop.table, vec![action])
}

fn altering(table: &ast::TableName, actions: Vec<AlterAction>) -> ast::AlterTable {
    ast::AlterTable {
        ignore: false,
        online: false,
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
    draft: Draft,
    ignore: bool,
    words: Option<&str>,
) -> Result<u64, SqlError> {
    let from: Vec<Option<usize>> = draft.columns.iter().map(|c| c.from).collect();
    let new = draft.finish(state)?;
    if table.is_temporary() {
        return change_temporary(state, table, new, from, ignore);
    }
    check_foreign_keys(state, table.def(), &new, &from)?;
    let mut mapper = RowMapper::new(table.def(), &new, from, ignore, state)?;
    let facts = facts::Facts::of(state);
    let query = words.map(|words| facts.query(words));
    let mut txn = match state.txn.take() {
        Some(txn) => txn,
        None => state.begin_for_ddl(),
    };
    state.statement.strict = state.vars.is_strict();
    state.statement.target = Some(table.clone());
    state.statement.row = 0;
    let (rows_before, checks_keys) = (table.row_count(), state.vars.foreign_key_checks);
    let rows: Option<engine::RowMapping<'_>> = match mapper.is_identity() {
        true => None,
        false => {
            let (mapper, state) = (&mut mapper, &mut *state);
            Some(Box::new(move |old, new| mapper.map(old, new, state).map_err(Into::into)))
        }
    };
    let (db, name) = (table.db().to_owned(), table.name().to_owned());
    let altered = txn.ddl(Ddl::AlterTable { db, table: name, new: new.clone(), rows }, query);
    state.txn = Some(txn);
    match altered {
        Ok(_) if mapper.copies() || copies_keys(table.def(), &new, checks_keys) => Ok(rows_before),
        Ok(_) => Ok(0),
        Err(EngineError::Duplicate { .. }) => Err(duplicate_entry(state, table, &new, &mut mapper)),
        Err(error) => Err(error.into()),
    }
}

/// Whether MariaDB copies the rows for a change of keys: a primary key goes and none comes, or a foreign key is to be
/// checked.
fn copies_keys(old: &TableDef, new: &TableDef, checks: bool) -> bool {
    let unkeyed = old.primary_index().is_some() && new.primary_index().is_none();
    let known = |key: &types::ForeignKeyDef| old.foreign_keys.iter().any(|other| other.name == key.name);
    unkeyed || (checks && !new.foreign_keys.iter().all(known))
}

/// As [`change_definition`], for a temporary table: it is made anew with the rows that the transaction sees.
fn change_temporary(
    state: &mut State,
    table: &Arc<Table>,
    mut new: TableDef,
    from: Vec<Option<usize>>,
    ignore: bool,
) -> Result<u64, SqlError> {
    let mut mapper = RowMapper::new(table.def(), &new, from, ignore, state)?;
    let counter = table.auto_increment().get().max(new.auto_increment.unwrap_or(1));
    new.auto_increment = new.auto_increment_column().map(|_| counter);
    state.statement.strict = state.vars.is_strict();
    state.statement.target = Some(table.clone());
    state.statement.row = 0;
    // The rows are mapped first: mapping them may raise what the session is told.
    let mut mapped = Vec::new();
    let mut scan = state.txn()?.scan(
        table,
        engine::CLUSTERED,
        engine::KeyRange::ALL,
        engine::Direction::Forward,
        engine::Read::Snapshot,
    )?;
    let mut found = engine::RowBuf::default();
    while scan.next(state.txn()?, &mut found)? {
        let mut row = Vec::with_capacity(found.row.len());
        match mapper.is_identity() {
            true => row.clone_from(&found.row),
            false => mapper.map(&found.row, &mut row, state)?,
        }
        mapped.push(row);
    }
    let count = mapped.len() as u64;
    let mut rows = mapped.into_iter();
    let mut next: engine::RowMapping<'_> = Box::new(move |_, out| {
        out.extend(rows.next().unwrap_or_default());
        Ok(())
    });
    match state.change_temporary(table, new.clone(), &mut next) {
        Ok(()) => Ok(count),
        Err(EngineError::Duplicate { .. }) => Err(duplicate_entry(state, table, &new, &mut mapper)),
        Err(error) => Err(error.into()),
    }
}

/// Foreign keys of the table and to it keep their columns, their types and an index.
fn check_foreign_keys(
    state: &State,
    old: &TableDef,
    new: &TableDef,
    from: &[Option<usize>],
) -> Result<(), SqlError> {
    let now = |at: usize| from.iter().position(|&f| f == Some(at));
    let moved = |columns: &[usize]| columns.iter().map(|&at| now(at)).collect::<Option<Vec<usize>>>();
    let index_of =
        |columns: &[usize]| foreign::covering(old, columns).map_or(String::new(), |index| index.name.clone());
    for key in &new.foreign_keys {
        let Some(before) = old.foreign_keys.iter().find(|k| same_name(&k.name, &key.name)) else { continue };
        if !foreign::is_indexed(new, &key.columns) {
            return Err(SqlError::drop_index_fk(index_of(&before.columns)));
        }
        for (&was, &is) in before.columns.iter().zip(&key.columns) {
            let same = foreign::alike(&old.columns[was], &new.columns[is]);
            if !same && state.vars.foreign_key_checks {
                return Err(SqlError::fk_column_cannot_change(&old.columns[was].name, &key.name));
            }
        }
    }
    let catalog = state.engine.catalog();
    for child in catalog.children(&old.db, &old.name) {
        let Some(table) = catalog.table(&child.db, &child.table) else { continue };
        let Some(key) = table.def().foreign_keys.get(child.at) else { continue };
        if child.db == old.db && child.table == old.name {
            continue;
        }
        let Some(columns) =
            key.ref_columns.iter().map(|name| old.column_index(name)).collect::<Option<Vec<usize>>>()
        else {
            continue;
        };
        let kept = moved(&columns).filter(|columns| foreign::is_indexed(new, columns));
        let Some(kept) = kept else { return Err(SqlError::drop_index_fk(index_of(&columns))) };
        for (&was, &is) in columns.iter().zip(&kept) {
            let (was, is) = (&old.columns[was], &new.columns[is]);
            if !foreign::alike(was, is) || !same_name(&was.name, &is.name) {
                let shown = format!("{}.{}", child.db, child.table);
                return Err(SqlError::fk_column_cannot_change_child(&was.name, &key.name, shown));
            }
        }
    }
    Ok(())
}

/// A draft under its actions.
struct Altering<'a> {
    state: &'a mut State,
    text: &'a [u8],
    old: Arc<TableDef>,
    draft: Draft,
    /// RENAME TO.
    rename: Option<(String, String)>,
    /// Whether anything but the name changes.
    changed: bool,
}

impl<'a> Altering<'a> {
    fn new(state: &'a mut State, table: &Table, text: &'a [u8]) -> Result<Self, SqlError> {
        let mut draft = Draft::of(table.def());
        draft.auto_increment = None;
        Ok(Self { state, text, old: table.def().clone(), draft, rename: None, changed: false })
    }

    fn note(&mut self, error: SqlError) {
        self.state.warn(Level::Note, error.errno, error.message);
    }

    /// Raises the error, or a note of it under `IF [NOT] EXISTS`.
    fn miss(&mut self, error: SqlError, forgiven: bool) -> Result<(), SqlError> {
        match forgiven {
            true => {
                self.note(error);
                Ok(())
            }
            false => Err(error),
        }
    }

    fn unknown(&self, column: &str) -> SqlError {
        SqlError::bad_field(column, &self.old.name)
    }

    fn apply(&mut self, action: &AlterAction) -> Result<(), SqlError> {
        match action {
            AlterAction::RenameTo(to) => {
                let (db, name) = names::qualified(self.state, to)?;
                names::table(&name)?;
                self.rename = Some((db, name));
                return Ok(());
            }
            AlterAction::EnableKeys
            | AlterAction::DisableKeys
            | AlterAction::Algorithm(_)
            | AlterAction::Lock(_) => return Ok(()),
            AlterAction::Tablespace { .. } => return Err(SqlError::not_supported_yet("TABLESPACE")),
            AlterAction::OrderBy(_) => {
                let text = format!(
                    "ORDER BY ignored as there is a user-defined clustered index in the table '{}'",
                    self.old.name
                );
                self.state.warn(Level::Warning, 1105, text);
                return Ok(());
            }
            _ => self.changed = true,
        }
        self.apply_change(action)
    }

    fn apply_change(&mut self, action: &AlterAction) -> Result<(), SqlError> {
        match action {
            AlterAction::AddColumn { if_not_exists, column, position } => {
                self.add_column(column, position, *if_not_exists)
            }
            AlterAction::DropColumn { if_exists, name } => self.drop_column(name, *if_exists),
            AlterAction::ModifyColumn { if_exists, column, position } => {
                self.change_column(&column.name, column, position, *if_exists)
            }
            AlterAction::ChangeColumn { if_exists, old, column, position } => {
                self.change_column(old, column, position, *if_exists)
            }
            AlterAction::RenameColumn { if_exists, old, new } => match self.draft.column(old) {
                Some(at) => {
                    names::column(new)?;
                    self.rename_column(at, new)
                }
                None => self.miss(self.unknown(old), *if_exists),
            },
            AlterAction::AlterDefault { if_exists, column, default } => {
                self.alter_default(column, default.as_ref(), *if_exists)
            }
            AlterAction::ConvertCharset(spec) => self.convert_charset(spec),
            AlterAction::Option(option) => {
                let collation = table_options::collation(std::slice::from_ref(option), self.draft.collation)?;
                self.draft.collation = collation;
                table_options::apply(option, &mut self.draft, self.state)
            }
            AlterAction::AddCheck(check) => {
                let known = |name: &String| {
                    self.draft.checks.iter().any(|c| c.name.as_ref().is_some_and(|n| same_name(n, name)))
                };
                match check.name.as_ref().filter(|name| check.if_not_exists && known(name)) {
                    Some(name) => {
                        let error = SqlError::dup_constraint_name("CHECK", name);
                        self.miss(error, true)
                    }
                    None => self.draft.add_check(check),
                }
            }
            _ => self.apply_to_key(action),
        }
    }

    fn apply_to_key(&mut self, action: &AlterAction) -> Result<(), SqlError> {
        match action {
            AlterAction::AddIndex(spec) => {
                let name = spec.name.as_ref().filter(|_| spec.if_not_exists);
                match name.filter(|name| self.key(name).is_some()) {
                    Some(name) => self.miss(SqlError::dup_keyname(name), true),
                    None => self.draft.add_index(spec, self.state),
                }
            }
            AlterAction::AddForeignKey(spec) => {
                let name = spec.constraint.as_ref().filter(|_| spec.if_not_exists);
                match name.filter(|name| self.foreign_key(name).is_some()) {
                    Some(name) => self.miss(SqlError::dup_constraint_name("FOREIGN KEY", name), true),
                    None => self.draft.add_foreign_key(spec),
                }
            }
            AlterAction::DropIndex { if_exists, name } => match self.key(name) {
                Some(at) => {
                    self.draft.keys.remove(at);
                    Ok(())
                }
                None => self.miss(SqlError::cant_drop("INDEX", name), *if_exists),
            },
            AlterAction::DropPrimaryKey => {
                match self.draft.keys.iter().position(|k| k.kind == IndexKind::Primary) {
                    Some(at) => {
                        self.draft.keys.remove(at);
                        Ok(())
                    }
                    None => Err(SqlError::cant_drop("INDEX", "PRIMARY")),
                }
            }
            AlterAction::DropForeignKey { if_exists, name } => match self.foreign_key(name) {
                Some(at) => {
                    self.draft.foreign_keys.remove(at);
                    Ok(())
                }
                None => self.miss(SqlError::cant_drop("FOREIGN KEY", name), *if_exists),
            },
            AlterAction::DropConstraint { if_exists, name } => self.drop_constraint(name, *if_exists),
            AlterAction::RenameIndex { if_exists, old, new } => match self.key(old) {
                Some(at) if self.key(new).is_none_or(|other| other == at) => {
                    names::index(new)?;
                    self.draft.keys[at].name = Some(new.clone());
                    Ok(())
                }
                Some(_) => Err(SqlError::dup_keyname(new)),
                None => self.miss(SqlError::key_does_not_exist(old, &self.old.name), *if_exists),
            },
            AlterAction::AlterIndexIgnored { name, ignored } => match self.key(name) {
                Some(at) => {
                    self.draft.keys[at].options.ignored = *ignored;
                    Ok(())
                }
                None => Err(SqlError::key_does_not_exist(name, &self.old.name)),
            },
            // FORCE asks for nothing but the copy that a new definition may be.
            _ => Ok(()),
        }
    }

    fn key(&self, name: &str) -> Option<usize> {
        self.draft.keys.iter().position(|key| key.name.as_ref().is_some_and(|n| same_name(n, name)))
    }

    fn foreign_key(&self, name: &str) -> Option<usize> {
        let keys = &self.draft.foreign_keys;
        keys.iter().position(|key| key.name.as_ref().is_some_and(|n| same_name(n, name)))
    }

    fn drop_constraint(&mut self, name: &str, if_exists: bool) -> Result<(), SqlError> {
        let named = |n: &Option<String>| n.as_ref().is_some_and(|n| same_name(n, name));
        if let Some(at) = self.draft.checks.iter().position(|check| named(&check.name)) {
            self.draft.checks.remove(at);
        } else if let Some(at) = self.foreign_key(name) {
            self.draft.foreign_keys.remove(at);
        } else if let Some(at) = self.key(name).filter(|&at| self.draft.keys[at].kind != IndexKind::Key) {
            self.draft.keys.remove(at);
        } else {
            return self.miss(SqlError::cant_drop("CONSTRAINT", name), if_exists);
        }
        Ok(())
    }

    fn add_column(
        &mut self,
        spec: &ast::ColumnSpec,
        position: &ColumnPosition,
        if_not_exists: bool,
    ) -> Result<(), SqlError> {
        if self.draft.column(&spec.name).is_some() {
            return self.miss(SqlError::dup_fieldname(&spec.name), if_not_exists);
        }
        let def = column::of(spec, self.draft.collation, self.text, self.state)?;
        column::add_keys(spec, &mut self.draft)?;
        let at = self.place(position, self.draft.columns.len())?;
        self.draft.columns.insert(at, DraftColumn { def, from: None });
        Ok(())
    }

    /// Where a column goes, `default` where nothing is said.
    fn place(&self, position: &ColumnPosition, default: usize) -> Result<usize, SqlError> {
        match position {
            ColumnPosition::Default => Ok(default),
            ColumnPosition::First => Ok(0),
            ColumnPosition::After(name) => match self.draft.column(name) {
                Some(at) => Ok(at + 1),
                None => Err(self.unknown(name)),
            },
        }
    }

    fn drop_column(&mut self, name: &str, if_exists: bool) -> Result<(), SqlError> {
        let Some(at) = self.draft.column(name) else {
            return self.miss(SqlError::cant_drop("COLUMN", name), if_exists);
        };
        if self.draft.columns.len() == 1 {
            return Err(SqlError::cant_remove_all_fields());
        }
        let uses = |columns: &[String]| columns.iter().any(|c| same_name(c, name));
        if let Some(key) = self.draft.foreign_keys.iter().find(|key| uses(&key.columns)) {
            let shown = key.name.clone().unwrap_or_default();
            return Err(SqlError::drop_index_fk(shown));
        }
        self.draft.columns.remove(at);
        for key in &mut self.draft.keys {
            key.parts.retain(|part| !same_name(&part.column, name));
        }
        self.draft.keys.retain(|key| !key.parts.is_empty());
        Ok(())
    }

    fn change_column(
        &mut self,
        old: &str,
        spec: &ast::ColumnSpec,
        position: &ColumnPosition,
        if_exists: bool,
    ) -> Result<(), SqlError> {
        let Some(at) = self.draft.column(old) else {
            return self.miss(self.unknown(old), if_exists);
        };
        let def = column::of(spec, self.draft.collation, self.text, self.state)?;
        let is_virtual = |def: &types::ColumnDef| def.generated.as_ref().is_some_and(|g| !g.stored);
        if is_virtual(&def) != is_virtual(&self.draft.columns[at].def) {
            return Err(SqlError::unsupported_on_generated());
        }
        self.rename_column(at, &spec.name)?;
        column::add_keys(spec, &mut self.draft)?;
        let from = self.draft.columns[at].from;
        let column = DraftColumn { def, from };
        if *position == ColumnPosition::Default {
            self.draft.columns[at] = column;
            return Ok(());
        }
        let kept = self.draft.columns.remove(at);
        let place = self.place(position, at);
        self.draft.columns.insert(at, kept);
        let place = place?;
        self.draft.columns.remove(at);
        self.draft.columns.insert(place, column);
        Ok(())
    }

    /// Gives a column its new name wherever the draft speaks of it.
    fn rename_column(&mut self, at: usize, new: &str) -> Result<(), SqlError> {
        let old = std::mem::replace(&mut self.draft.columns[at].def.name, new.to_owned());
        if old == new {
            return Ok(());
        }
        if self.draft.columns.iter().enumerate().any(|(i, c)| i != at && same_name(&c.def.name, new)) {
            return Err(SqlError::dup_fieldname(new));
        }
        let rename = |column: &mut String| {
            if same_name(column, &old) {
                new.clone_into(column);
            }
        };
        self.draft.keys.iter_mut().flat_map(|k| &mut k.parts).for_each(|part| rename(&mut part.column));
        let itself = (self.draft.db.clone(), self.draft.name.clone());
        for key in &mut self.draft.foreign_keys {
            key.columns.iter_mut().for_each(rename);
            if (&key.ref_db, &key.ref_table) == (&itself.0, &itself.1) {
                key.ref_columns.iter_mut().for_each(rename);
            }
        }
        let (quoted_old, quoted_new) = (names::quoted_name(&old), names::quoted_name(new));
        let in_text = |text: &mut String| *text = text.replace(&quoted_old, &quoted_new);
        self.draft.checks.iter_mut().for_each(|check| in_text(&mut check.expression));
        for column in &mut self.draft.columns {
            if let Some(check) = &mut column.def.check {
                in_text(check);
            }
            if let Some(generated) = &mut column.def.generated {
                in_text(&mut generated.expression);
            }
        }
        Ok(())
    }

    fn alter_default(
        &mut self,
        name: &str,
        expr: Option<&ast::Expr>,
        if_exists: bool,
    ) -> Result<(), SqlError> {
        let Some(at) = self.draft.column(name) else {
            return self.miss(self.unknown(name), if_exists);
        };
        let value = match expr {
            None => DefaultValue::None,
            Some(expr) => default::of(expr, &self.draft.columns[at].def, self.text, self.state)?,
        };
        self.draft.columns[at].def.default = value;
        Ok(())
    }

    /// CONVERT TO CHARACTER SET: all columns of text, and new ones. TEXT grows where it must hold longer characters.
    fn convert_charset(&mut self, spec: &ast::CharsetSpec) -> Result<(), SqlError> {
        let collation = charset::resolve(spec, self.draft.collation)?;
        self.draft.collation = collation;
        for column in &mut self.draft.columns {
            let def = &mut column.def;
            let is_json = def.check.as_ref().is_some_and(|check| check.starts_with("json_valid("));
            if !def.ty.has_charset() || is_json {
                continue;
            }
            let wider = collation.charset().max_char_bytes() > def.collation.charset().max_char_bytes();
            if let (ColumnType::Text(size), true) = (&def.ty, wider) {
                def.ty = ColumnType::Text(match size {
                    types::BlobSize::Tiny => types::BlobSize::Normal,
                    types::BlobSize::Normal => types::BlobSize::Medium,
                    _ => types::BlobSize::Long,
                });
            }
            def.collation = collation;
        }
        Ok(())
    }
}
