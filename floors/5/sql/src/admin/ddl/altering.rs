//! A draft under the actions of an ALTER TABLE.
//!
//! The actions are not done one after another: as in MariaDB each kind has its turn, and all of them speak of the table
//! as it was. What is written is read first (types, names, defaults), then come columns, keys and checks; what then
//! still waits to be dropped, renamed or changed was not there.

use super::draft::{Draft, DraftCheck, DraftColumn, DraftForeign, DraftKey};
use super::{charset, column, default, names, ordered, table_options};
use crate::error::SqlError;
use crate::session::{Level, State};
use crate::syntax::ast::{self, AlterAction, ColumnPosition};
use std::collections::BTreeSet;
use std::sync::Arc;
use types::table::same_name;
use types::{CollationId, ColumnDef, ColumnType, DefaultValue, IndexKind, TableDef};

/// What the actions make of a table.
pub struct Altered {
    /// Its new definition.
    pub draft: Draft,
    /// RENAME TO.
    pub rename: Option<(String, String)>,
    /// Whether anything but the name changes.
    pub changed: bool,
}

/// What DROP names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dropped {
    Column,
    Key,
    ForeignKey,
    Constraint,
}

impl Dropped {
    fn word(self) -> &'static str {
        match self {
            Dropped::Column => "COLUMN",
            Dropped::Key => "INDEX",
            Dropped::ForeignKey => "FOREIGN KEY",
            Dropped::Constraint => "CONSTRAINT",
        }
    }
}

/// A column that is added, or takes another's place.
struct NewColumn<'s> {
    column: DraftColumn,
    /// The column that it takes the place of.
    change: Option<&'s str>,
    position: &'s ColumnPosition,
}

/// RENAME COLUMN, ALTER COLUMN.
struct Alteration<'s> {
    column: &'s str,
    what: Change<'s>,
}

enum Change<'s> {
    Name(&'s str),
    Default(Option<&'s ast::Expr>),
}

struct Altering<'a, 's> {
    state: &'a mut State,
    text: &'a [u8],
    old: Arc<TableDef>,
    draft: Draft,
    rename: Option<(String, String)>,
    /// What CONVERT TO CHARACTER SET gives columns of text.
    converts: Option<CollationId>,
    changed: bool,
    /// Keys of the table as it was: the draft has the new ones meanwhile.
    keys: Vec<super::draft::DraftKey>,
    new: Vec<NewColumn<'s>>,
    alterations: Vec<Alteration<'s>>,
    drops: Vec<(Dropped, &'s str)>,
    /// Columns that are dropped, as texts of expressions name them.
    gone: Vec<String>,
    /// RENAME INDEX.
    key_names: Vec<(&'s str, &'s str)>,
    /// ALTER INDEX ... IGNORED.
    ignored: Vec<(&'s str, bool)>,
    /// What is passed over for IF EXISTS and IF NOT EXISTS, told once all that is said has been read.
    notes: Vec<SqlError>,
}

/// Applies the actions to a table.
pub fn apply(
    state: &mut State,
    old: Arc<TableDef>,
    actions: &[AlterAction],
    text: &[u8],
) -> Result<Altered, SqlError> {
    let mut draft = Draft::of(&old);
    let keys = std::mem::take(&mut draft.keys);
    let mut altering = Altering {
        state,
        text,
        old,
        draft,
        rename: None,
        converts: None,
        changed: false,
        keys,
        new: Vec::new(),
        alterations: Vec::new(),
        drops: Vec::new(),
        gone: Vec::new(),
        key_names: Vec::new(),
        ignored: Vec::new(),
        notes: Vec::new(),
    };
    altering.options(actions)?;
    for action in actions {
        let (changed, notes) = (altering.changed, altering.notes.len());
        altering.read(action)?;
        // One that is passed over is forgotten, most of the time.
        altering.changed &= changed || altering.notes.len() == notes || !action.may_be_forgotten();
    }
    for note in std::mem::take(&mut altering.notes) {
        altering.state.warn(Level::Note, note.errno, note.message);
    }
    // A CHECK that goes with its column may be dropped by name, too.
    altering.drop_constraints();
    let renamed = altering.columns()?;
    altering.rename_in_texts(&renamed);
    altering.keep_checks()?;
    altering.drop_foreign_keys(&renamed);
    altering.keep_keys(&renamed)?;
    altering.leftovers()?;
    let Altering { draft, rename, changed, .. } = altering;
    Ok(Altered { draft, rename, changed })
}

impl<'s> Altering<'_, 's> {
    /// Table options, of which new columns take their character set.
    fn options(&mut self, actions: &'s [AlterAction]) -> Result<(), SqlError> {
        let of = |action: &AlterAction| match action {
            AlterAction::Option(option) => Some(option.clone()),
            _ => None,
        };
        let options: Vec<ast::TableOption> = actions.iter().filter_map(of).collect();
        let catalog = self.state.engine.catalog();
        let database = catalog.database(&self.draft.db);
        let around = database.map_or(self.draft.collation, |database| database.def.collation);
        self.draft.collation = table_options::collation(&options, self.draft.collation, around)?;
        for option in &options {
            table_options::apply(option, &mut self.draft, self.state)?;
        }
        let converts = |action: &'s AlterAction| match action {
            AlterAction::ConvertCharset(clauses) => Some(clauses),
            _ => None,
        };
        let mut clauses = actions.iter().filter_map(converts).flatten().peekable();
        if clauses.peek().is_some() {
            let collation = charset::of_clauses(clauses, self.draft.collation, around)?;
            self.convert_charset(collation);
            // What the table itself is said to have is so nevertheless.
            if !options.iter().any(|option| matches!(option, ast::TableOption::Charset(_))) {
                self.draft.collation = collation;
            }
        }
        Ok(())
    }

    /// CONVERT TO CHARACTER SET: all columns of text, and new ones, whatever they say. TEXT grows where it must hold longer
    /// characters.
    fn convert_charset(&mut self, collation: CollationId) {
        self.converts = Some(collation);
        for column in &mut self.draft.columns {
            let def = &mut column.def;
            if !def.ty.has_charset() {
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
    }

    /// Takes down what an action says, or that `IF [NOT] EXISTS` forgives it.
    fn read(&mut self, action: &'s AlterAction) -> Result<(), SqlError> {
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
            AlterAction::OrderBy(items) => {
                self.changed = true;
                return ordered::check(&self.old, items, self.state);
            }
            _ => self.changed = true,
        }
        match action {
            AlterAction::AddColumn { if_not_exists, column, position } => {
                let added = |new: &NewColumn<'_>| same_name(&new.column.def.name, &column.name);
                let there = self.draft.column(&column.name).is_some() || self.new.iter().any(added);
                if there && *if_not_exists {
                    self.note(SqlError::dup_fieldname(&column.name));
                    return self.read_keys(column, true);
                }
                self.read_column(column, None, position)?;
                if let Some(new) = self.new.last_mut() {
                    new.column.def.nullable &= column.key != Some(ast::ColumnKey::Primary);
                }
                self.read_keys(column, *if_not_exists)
            }
            AlterAction::ModifyColumn { if_exists, column, position } => {
                self.changing(&column.name, column, position, *if_exists)
            }
            AlterAction::ChangeColumn { if_exists, old, column, position } => {
                self.changing(old, column, position, *if_exists)
            }
            AlterAction::RenameColumn { if_exists, old, new } => {
                names::given_column(new).map(|()| self.altering(old, Change::Name(new), *if_exists))
            }
            AlterAction::AlterDefault { if_exists, column, default } => {
                self.altering(column, Change::Default(default.as_ref()), *if_exists);
                Ok(())
            }
            AlterAction::AddCheck(check) => self.read_check(check),
            _ => self.read_key(action),
        }
    }

    fn note(&mut self, error: SqlError) {
        self.notes.push(error);
    }

    fn unknown(&self, column: &str) -> SqlError {
        SqlError::bad_field(column, &self.old.name)
    }

    fn read_column(
        &mut self,
        spec: &ast::ColumnSpec,
        change: Option<&'s str>,
        position: &'s ColumnPosition,
    ) -> Result<(), SqlError> {
        let mut column = column::of(spec, self.draft.collation, self.text, self.state)?;
        if let Some(collation) = self.converts.filter(|_| column.def.ty.has_charset()) {
            column.def.collation = collation;
        }
        self.new.push(NewColumn { column, change, position });
        Ok(())
    }

    fn changing(
        &mut self,
        old: &'s str,
        spec: &ast::ColumnSpec,
        position: &'s ColumnPosition,
        if_exists: bool,
    ) -> Result<(), SqlError> {
        if if_exists && self.draft.column(old).is_none() {
            self.note(self.unknown(old));
            return Ok(());
        }
        self.read_column(spec, Some(old), position)?;
        self.read_keys(spec, false)
    }

    /// The keys that are said on a column; where it came with IF NOT EXISTS, whether it did or not, those whose name is free.
    fn read_keys(&mut self, spec: &ast::ColumnSpec, if_not_exists: bool) -> Result<(), SqlError> {
        let before = self.draft.keys.len();
        column::add_keys(spec, &mut self.draft)?;
        for mut key in self.draft.keys.split_off(before) {
            if !if_not_exists || key.options.generated {
                self.draft.keys.push(key);
                continue;
            }
            let name = key.name.get_or_insert_with(|| spec.name.clone()).clone();
            let mut taken = SqlError::dup_keyname(&name);
            if key.kind == IndexKind::Primary {
                taken.message = SqlError::multiple_primary_key().message;
            }
            let unnamed = |key: &DraftKey| key.name.is_none() && same_name(&key.parts[0].column, &name);
            match self.has_key(&name) || self.draft.keys.iter().any(unnamed) {
                true => self.note(taken),
                false => self.draft.keys.push(key),
            }
        }
        Ok(())
    }

    fn altering(&mut self, column: &'s str, what: Change<'s>, if_exists: bool) {
        match if_exists && self.draft.column(column).is_none() {
            true => self.note(self.unknown(column)),
            false => self.alterations.push(Alteration { column, what }),
        }
    }

    fn read_check(&mut self, check: &ast::CheckSpec) -> Result<(), SqlError> {
        let known = |name: &&String| {
            self.draft.checks.iter().any(|c| c.name.as_ref().is_some_and(|n| same_name(n, name)))
        };
        match check.name.as_ref().filter(|_| check.if_not_exists).filter(known) {
            Some(name) => {
                self.note(SqlError::dup_constraint_name("CHECK", name));
                Ok(())
            }
            None => self.draft.add_check(check),
        }
    }

    fn read_key(&mut self, action: &'s AlterAction) -> Result<(), SqlError> {
        match action {
            AlterAction::AddIndex(spec)
                if spec.if_not_exists && spec.kind == ast::IndexKind::Primary && self.has_key("PRIMARY") =>
            {
                let mut taken = SqlError::dup_keyname("PRIMARY");
                taken.message = SqlError::multiple_primary_key().message;
                self.note(taken);
            }
            AlterAction::AddIndex(spec) => {
                let known = |name: &&String| self.has_key(name);
                match spec.name.as_ref().filter(|_| spec.if_not_exists).filter(known) {
                    Some(name) => self.note(SqlError::dup_keyname(name)),
                    None => self.draft.add_index(spec, self.state)?,
                }
            }
            AlterAction::AddForeignKey(spec) => {
                let name = spec.index.as_ref().or(spec.constraint.as_ref()).filter(|_| spec.if_not_exists);
                match name.filter(|name| self.foreign_key(name).is_some()) {
                    Some(name) => self.note(SqlError::dup_keyname(name)),
                    None => {
                        self.draft.add_foreign_key(spec)?;
                        self.draft.foreign_keys.iter_mut().for_each(|key| key.altering = true);
                    }
                }
            }
            AlterAction::DropColumn { if_exists, name } => self.drop(Dropped::Column, name, *if_exists),
            AlterAction::DropIndex { if_exists, name } => self.drop(Dropped::Key, name, *if_exists),
            AlterAction::DropPrimaryKey => self.drop(Dropped::Key, "PRIMARY", false),
            AlterAction::DropForeignKey { if_exists, name } => {
                self.drop(Dropped::ForeignKey, name, *if_exists);
            }
            AlterAction::DropConstraint { if_exists, name } => {
                self.drop(Dropped::Constraint, name, *if_exists);
            }
            AlterAction::RenameIndex { if_exists, old, new } => {
                names::index(new)?;
                match *if_exists && !self.has_key(old) {
                    true => self.note(SqlError::key_does_not_exist(old, &self.old.name)),
                    false => self.key_names.push((old, new)),
                }
            }
            AlterAction::AlterIndexIgnored { name, ignored } => self.ignored.push((name, *ignored)),
            // FORCE asks for nothing but the copy that a new definition may be.
            _ => {}
        }
        Ok(())
    }

    fn drop(&mut self, what: Dropped, name: &'s str, if_exists: bool) {
        let waits = self.drops.iter().any(|&(w, n)| w == what && same_name(n, name));
        let there = match what {
            _ if waits && if_exists => false,
            Dropped::Column => self.draft.column(name).is_some(),
            Dropped::Key => key_named(&self.keys, name).is_some(),
            Dropped::ForeignKey => self.foreign_key(name).is_some(),
            Dropped::Constraint => {
                self.check(name).is_some() || self.foreign_key(name).is_some() || self.unique(name).is_some()
            }
        };
        match if_exists && !there {
            true => self.note(SqlError::cant_drop(what.word(), name)),
            false => self.drops.push((what, name)),
        }
    }

    fn has_key(&self, name: &str) -> bool {
        key_named(&self.keys, name).is_some() || key_named(&self.draft.keys, name).is_some()
    }

    fn unique(&self, name: &str) -> Option<usize> {
        key_named(&self.keys, name).filter(|&at| self.keys[at].kind != IndexKind::Key)
    }

    fn foreign_key(&self, name: &str) -> Option<usize> {
        let keys = &self.draft.foreign_keys;
        keys.iter().position(|key| key.name.as_ref().is_some_and(|n| same_name(n, name)))
    }

    fn check(&self, name: &str) -> Option<usize> {
        let named =
            |check: &super::draft::DraftCheck| check.name.as_ref().is_some_and(|n| same_name(n, name));
        self.draft.checks.iter().position(named)
    }

    /// Whether a DROP waits for something; it waits no longer.
    fn is_dropped(&mut self, what: Dropped, name: &str) -> bool {
        let found = self.drops.iter().position(|&(w, n)| w == what && same_name(n, name));
        found.map(|at| self.drops.remove(at)).is_some()
    }

    /// Makes the new list of columns; gives the columns that are called otherwise now. Checks of columns that go, and of
    /// no others, go with them.
    fn columns(&mut self) -> Result<Vec<(String, String)>, SqlError> {
        let mut list: Vec<DraftColumn> = Vec::new();
        let mut waiting = Vec::new();
        let mut renamed = Vec::new();
        for mut column in std::mem::take(&mut self.draft.columns) {
            let name = column.def.name.clone();
            if self.is_dropped(Dropped::Column, &name) {
                self.gone.push(names::quoted_name(&name));
                continue;
            }
            let takes_place = |new: &NewColumn<'_>| {
                new.column.from.is_none() && new.change.is_some_and(|change| same_name(change, &name))
            };
            if let Some(at) = self.new.iter().position(takes_place) {
                let is_virtual = |def: &types::ColumnDef| def.generated.as_ref().is_some_and(|g| !g.stored);
                if is_virtual(&self.new[at].column.def) != is_virtual(&column.def) {
                    return Err(SqlError::unsupported_on_generated());
                }
                self.new[at].column.from = column.from;
                renamed.push((name, self.new[at].column.def.name.clone()));
                match *self.new[at].position {
                    ColumnPosition::Default => list.push(self.new.remove(at).column),
                    // It keeps its old place until its turn comes: others may be put behind it.
                    _ => list.push(self.new[at].column.clone()),
                }
                continue;
            }
            if let Some(at) = self.alterations.iter().position(|a| same_name(a.column, &name)) {
                match self.alterations.remove(at).what {
                    Change::Name(new) => {
                        column.def.rename(new);
                        renamed.push((name, new.to_owned()));
                    }
                    Change::Default(expr) => {
                        default::alter(&mut column, expr, DefaultValue::None, self.text, self.state)?;
                    }
                }
            }
            list.push(column);
        }
        if let Some(left) = self.alterations.iter().find(|a| matches!(a.what, Change::Name(_))) {
            return Err(self.unknown(left.column));
        }
        waiting.append(&mut self.new);
        for mut new in waiting {
            // A column that is placed, or new, can be given another default at once; without one it has no NULL either.
            let DraftColumn { def: ColumnDef { name, nullable, .. }, .. } = &new.column;
            let nothing = if *nullable { DefaultValue::Missing } else { DefaultValue::None };
            let given =
                |a: &Alteration<'_>| same_name(a.column, name) && matches!(a.what, Change::Default(_));
            if let Some(at) = self.alterations.iter().position(given)
                && let Change::Default(expr) = self.alterations.remove(at).what
            {
                default::alter(&mut new.column, expr, nothing, self.text, self.state)?;
            }
            self.place(new, &mut list)?;
        }
        if let Some(left) = self.alterations.first() {
            return Err(self.unknown(left.column));
        }
        if list.is_empty() {
            return Err(SqlError::cant_remove_all_fields());
        }
        self.draft.columns = list;
        if !self.gone.is_empty() {
            let checks = std::mem::take(&mut self.draft.checks).into_iter();
            let stays = |check: &DraftCheck| {
                !is_of(check, &self.old)
                    || self.read_by(&check.expression).iter().any(|at| !self.is_gone(*at))
            };
            self.draft.checks = checks.filter(stays).collect();
        }
        renamed.retain(|(old, new)| old != new);
        Ok(renamed)
    }

    /// The table's columns that an expression reads, by way of generated columns too, by their places.
    fn read_by(&self, expression: &str) -> BTreeSet<usize> {
        let (mut read, mut texts) = (BTreeSet::new(), vec![expression]);
        while let Some(text) = texts.pop() {
            for name in names::names_in(text) {
                let at = self.old.columns.iter().position(|c| same_name(&names::quoted_name(&c.name), name));
                if let Some(at) = at.filter(|at| read.insert(*at)) {
                    texts.extend(self.old.columns[at].generated.as_ref().map(|own| &*own.expression));
                }
            }
        }
        read
    }

    fn is_gone(&self, at: usize) -> bool {
        self.gone.iter().any(|gone| same_name(gone, &names::quoted_name(&self.old.columns[at].name)))
    }

    /// Puts a column that is new, or goes to another place, into the list.
    fn place(&self, new: NewColumn<'_>, list: &mut Vec<DraftColumn>) -> Result<(), SqlError> {
        let named = |list: &[DraftColumn], name: &str| list.iter().position(|c| same_name(&c.def.name, name));
        if let Some(change) = new.change.filter(|_| new.column.from.is_none()) {
            // A column that this statement adds may be changed by it.
            match named(list, &new.column.def.name).filter(|&at| list[at].from.is_none()) {
                Some(at) => drop(list.remove(at)),
                None => return Err(self.unknown(change)),
            }
        }
        if let Some(from) = new.column.from {
            list.retain(|column| column.from != Some(from));
        }
        match new.position {
            ColumnPosition::Default => list.push(new.column),
            ColumnPosition::First => list.insert(0, new.column),
            ColumnPosition::After(name) => {
                let at = named(list, name).ok_or_else(|| self.unknown(name))?;
                list.insert(at + 1, new.column);
            }
        }
        Ok(())
    }

    /// Gives columns their new names where the definition's expressions speak of them.
    fn rename_in_texts(&mut self, renamed: &[(String, String)]) {
        if renamed.is_empty() {
            return;
        }
        for check in self.draft.checks.iter_mut() {
            if is_of(check, &self.old) {
                check.expression = names::renamed_in(&check.expression, renamed);
            }
        }
        for column in self.draft.columns.iter_mut() {
            // What the statement itself wrote has the new names.
            let Some(from) = column.from else { continue };
            let (def, old) = (&mut column.def, &self.old.columns[from]);
            if let Some(check) = def.check.as_mut().filter(|check| old.check.as_ref() == Some(*check)) {
                *check = names::renamed_in(check, renamed);
            }
            if def.default == old.default
                && let DefaultValue::Expression(text) = &mut def.default
            {
                *text = names::renamed_in(text, renamed);
            }
            if def.generated == old.generated
                && let Some(generated) = &mut def.generated
            {
                generated.expression = names::renamed_in(&generated.expression, renamed);
            }
        }
    }

    /// DROP CONSTRAINT: of a CHECK, else of a foreign key, else of a unique key.
    fn drop_constraints(&mut self) {
        let mut at = 0;
        while let Some(&(what, name)) = self.drops.get(at) {
            if what != Dropped::Constraint {
                at += 1;
            } else if let Some(check) = self.check(name) {
                self.draft.checks.remove(check);
                self.drops.remove(at);
            } else if self.foreign_key(name).is_some() {
                self.drops[at].0 = Dropped::ForeignKey;
            } else if self.unique(name).is_some() {
                self.drops[at].0 = Dropped::Key;
            } else {
                at += 1;
            }
        }
    }

    /// Error 1054 for a CHECK that would lose some of its columns.
    fn keep_checks(&self) -> Result<(), SqlError> {
        for check in self.draft.checks.iter().filter(|check| is_of(check, &self.old)) {
            if let Some(gone) = self.read_by(&check.expression).into_iter().find(|at| self.is_gone(*at)) {
                let name = &self.old.columns[gone].name;
                return Err(SqlError::bad_field(name, crate::bind::Clause::Check.name()));
            }
        }
        Ok(())
    }

    /// DROP FOREIGN KEY, and the columns of those that stay.
    fn drop_foreign_keys(&mut self, renamed: &[(String, String)]) {
        for (_, name) in self.drops.clone().into_iter().filter(|(what, _)| *what == Dropped::ForeignKey) {
            if let Some(at) = self.foreign_key(name) {
                self.draft.foreign_keys.remove(at);
                self.is_dropped(Dropped::ForeignKey, name);
            }
        }
        let itself = (&self.draft.db, &self.draft.name);
        for key in self.draft.foreign_keys.iter_mut().filter(|key| !key.new) {
            key.columns.iter_mut().for_each(|column| rename(column, renamed));
            if (&key.ref_db, &key.ref_table) == itself {
                key.ref_columns.iter_mut().for_each(|column| rename(column, renamed));
            }
        }
        let columns = &self.draft.columns;
        let there = |column: &String| columns.iter().any(|c| same_name(&c.def.name, column));
        let is_whole = |key: &mut DraftForeign| key.new || key.columns.iter().all(there);
        self.draft.cut =
            self.draft.foreign_keys.extract_if(.., |key| !is_whole(key)).filter_map(|key| key.name).collect();
    }

    /// Keys that stay: under their new names, without columns that went.
    fn keep_keys(&mut self, renamed: &[(String, String)]) -> Result<(), SqlError> {
        let mut kept = Vec::new();
        for mut key in std::mem::take(&mut self.keys) {
            let name = key.name.clone().unwrap_or_default();
            if self.is_dropped(Dropped::Key, &name) {
                continue;
            }
            if let Some(at) = self.key_names.iter().position(|(old, _)| same_name(old, &name)) {
                key.name = Some(self.key_names.remove(at).1.to_owned());
                key.options.generated = false;
            }
            let old = &self.old;
            // A column that takes the name of one that goes takes its place in keys, too.
            let is_left = |column: &str| {
                let was = old.columns.iter().position(|c| same_name(&c.name, column));
                let takes = |c: &DraftColumn| c.from.is_none() && same_name(&c.def.name, column);
                was.is_some_and(|_| self.draft.columns.iter().any(|c| c.from == was || takes(c)))
            };
            let types = self.draft.columns.iter().map(|column| &column.def.ty);
            let spatial = key.kind == IndexKind::Spatial;
            for part in key.parts.iter_mut().filter(|part| part.length.is_some() && !spatial) {
                // Prefixes are of text: what becomes a number, or shorter than they are, is compared whole.
                let was = old.columns.iter().position(|c| same_name(&c.name, &part.column));
                let now = self.draft.columns.iter().position(|c| c.from.is_some() && c.from == was);
                let ty = now.and_then(|at| types.clone().nth(at));
                let fits = |length: u64| match ty {
                    Some(ColumnType::Char(n) | ColumnType::VarChar(n)) => length <= u64::from(*n),
                    Some(ColumnType::Binary(n) | ColumnType::VarBinary(n)) => length <= u64::from(*n),
                    Some(ty) => ty.is_string(),
                    None => true,
                };
                part.length = part.length.filter(|&length| fits(length));
            }
            let gone = key.parts.iter().find(|part| !is_left(&part.column)).map(|part| part.column.clone());
            key.parts.retain(|part| is_left(&part.column));
            if key.parts.is_empty() {
                continue;
            }
            if let Some(at) = self.ignored.iter().position(|(old, _)| same_name(old, &name)) {
                key.options.ignored = self.ignored.remove(at).1;
            }
            if let Some(gone) = gone.filter(|_| key.kind != IndexKind::Key) {
                return Err(SqlError::key_column_does_not_exist(gone));
            }
            key.parts.iter_mut().for_each(|part| rename(&mut part.column, renamed));
            kept.push(key);
        }
        kept.append(&mut self.draft.keys);
        self.draft.keys = kept;
        Ok(())
    }

    /// Errors for what was not there.
    fn leftovers(&self) -> Result<(), SqlError> {
        if let Some((what, name)) = self.drops.first() {
            return Err(SqlError::cant_drop(what.word(), name));
        }
        let names = self.key_names.iter().map(|(name, _)| *name);
        match names.chain(self.ignored.iter().map(|(name, _)| *name)).next() {
            Some(name) => Err(SqlError::key_does_not_exist(name, &self.old.name)),
            None => Ok(()),
        }
    }
}

fn key_named(keys: &[super::draft::DraftKey], name: &str) -> Option<usize> {
    keys.iter().position(|key| key.name.as_ref().is_some_and(|n| same_name(n, name)))
}

fn rename(column: &mut String, renamed: &[(String, String)]) {
    if let Some((_, new)) = renamed.iter().find(|(old, _)| same_name(old, column)) {
        new.clone_into(column);
    }
}

/// Whether a check is one that the table has already.
fn is_of(check: &DraftCheck, def: &TableDef) -> bool {
    let same =
        |old: &types::CheckDef| check.name.as_ref() == Some(&old.name) && check.expression == old.expression;
    def.checks.iter().any(same)
}
