//! Foreign keys of a draft: their columns, their parents, their names.

use super::draft::DraftForeign;
use crate::admin::show_create::foreign_key_text;
use crate::bind::Clause;
use crate::error::SqlError;
use crate::expr::Kind;
use crate::session::{Level, State, expression_over};
use crate::syntax::ast::{AlterAction, ReferenceAction};
use types::table::same_name;
use types::{
    ColumnDef, ColumnLayout, ColumnType, ForeignKeyDef, IndexDef, IndexKind, ReferentialAction, TableDef,
};

/// What a clause says, RESTRICT where it says nothing.
pub fn action(action: Option<ReferenceAction>) -> ReferentialAction {
    match action {
        None | Some(ReferenceAction::Restrict) => ReferentialAction::Restrict,
        Some(ReferenceAction::Cascade) => ReferentialAction::Cascade,
        Some(ReferenceAction::SetNull) => ReferentialAction::SetNull,
        Some(ReferenceAction::NoAction) => ReferentialAction::NoAction,
        Some(ReferenceAction::SetDefault) => ReferentialAction::SetDefault,
    }
}

/// InnoDB takes what is said of a foreign key that it adds in the table's place for NO ACTION, where it has nothing to do.
pub fn settle_in_place(new: &mut TableDef, old: &TableDef, actions: &[AlterAction]) {
    let named = |key: &ForeignKeyDef, columns: &[String]| {
        let own = key.columns.iter().map(|&at| &new.columns[at].name);
        own.len() == columns.len() && own.zip(columns).all(|(own, said)| same_name(own, said))
    };
    let mut settled = Vec::new();
    for action in actions {
        let AlterAction::AddForeignKey(spec) = action else { continue };
        let is_said = |key: &&ForeignKeyDef| {
            !old.foreign_keys.iter().any(|known| known.name == key.name)
                && same_name(&key.ref_table, &spec.references.table.name)
                && named(key, &spec.columns)
        };
        let found = new.foreign_keys.iter().filter(is_said);
        settled.extend(found.map(|key| (key.name.clone(), &spec.references)));
    }
    let idle = |said: Option<ReferenceAction>| {
        matches!(said, Some(ReferenceAction::Restrict | ReferenceAction::SetDefault))
    };
    for (name, said) in settled {
        for key in new.foreign_keys.iter_mut().filter(|key| key.name == name) {
            if idle(said.on_delete) {
                key.on_delete = ReferentialAction::NoAction;
            }
            if idle(said.on_update) {
                key.on_update = ReferentialAction::NoAction;
            }
        }
    }
}

/// Resolves the foreign keys into `def`; errors 1005, 1072, 1823, 1826.
pub fn resolve(def: &mut TableDef, keys: Vec<DraftForeign>, state: &mut State) -> Result<(), SqlError> {
    let mut next = next_number(&def.name, &keys);
    let mut named = Vec::new();
    let old = keys.iter().filter(|key| !key.new).count();
    for mut key in keys {
        let given = key.new && key.name.is_some();
        let name = key.name.take().unwrap_or_else(|| {
            next += 1;
            format!("{}_ibfk_{}", def.name, next - 1)
        });
        let same = def.foreign_keys.iter().position(|known| same_name(&known.name, &name));
        // One that the table has already is met when it is copied, as another table's is.
        let is_met_later = |at: usize| {
            let twice = at >= old && def.foreign_keys[at].name == name;
            key.altering && (!twice || unchecked(&key, state))
        };
        if same.is_some_and(|at| !is_met_later(at)) {
            return Err(malformed(&def.db, &def.name, state));
        }
        let position = |column: &String| {
            def.column_index(column).ok_or_else(|| SqlError::key_column_does_not_exist(column))
        };
        let columns: Vec<usize> = key.columns.iter().map(position).collect::<Result<_, _>>()?;
        if key.new {
            check(def, &key, &name, &columns, state)?;
        }
        if given {
            named.push((name.clone(), key.altering));
        }
        def.foreign_keys.push(ForeignKeyDef {
            name,
            columns,
            ref_db: key.ref_db,
            ref_table: key.ref_table,
            ref_columns: key.ref_columns,
            on_delete: key.on_delete,
            on_update: key.on_update,
        });
    }
    // MariaDB goes through them by name, whatever order they were said in.
    def.foreign_keys.sort_by(|a, b| a.name.cmp(&b.name));
    if state.vars.foreign_key_checks {
        named.sort();
    }
    let mut names = named.iter().enumerate();
    names.try_for_each(|(at, (name, altering))| check_name(def, name, &named[..at], *altering, state))
}

/// Foreign keys of a database have names of their own, whatever their table; errors 1005, 1823, 1826. One that ALTER TABLE
/// drops is there till all is done.
fn check_name(
    def: &TableDef,
    name: &str,
    before: &[(String, bool)],
    altering: bool,
    state: &mut State,
) -> Result<(), SqlError> {
    let copies = altering && state.vars.foreign_key_checks;
    let is_it = |other: &str| other.eq_ignore_ascii_case(name);
    let has_it = |table: &TableDef| table.foreign_keys.iter().any(|key| is_it(&key.name));
    let catalog = state.engine.catalog();
    let mut tables = catalog.database(&def.db).into_iter().flat_map(|database| database.tables.values());
    let own = catalog.table(&def.db, &def.name).filter(|_| altering && !copies);
    if own.is_some_and(|table| table.def().foreign_keys.iter().any(|key| key.name == name)) {
        return Err(SqlError::dup_constraint_name("FOREIGN KEY", format!("{}/{name}", def.db)));
    }
    let taken = tables.any(|table| (altering || table.name() != def.name) && has_it(table.def()));
    if !taken && !before.iter().any(|(other, _)| is_it(other)) {
        return Ok(());
    }
    let own = def.foreign_keys.iter().rfind(|key| key.name == name);
    let text = own.map(|key| foreign_key_text(key, def)).unwrap_or_default();
    let told = format!("CREATE or ALTER TABLE `{}`.`{}` failed: duplicate name, {text}", def.db, def.name);
    state.warn(Level::Warning, 121, told);
    if altering && !copies {
        return Err(SqlError::fk_fail_add_system(&def.db, name));
    }
    let error = SqlError::cant_create_table(&def.db, &def.name, "121 \"Duplicate key on write or update\"");
    let duplicate = SqlError::dup_key(&def.name);
    state.warn(Level::Error, error.errno, error.message.clone());
    state.warn(Level::Warning, duplicate.errno, duplicate.message);
    Err(error)
}

/// Error 1901 for a CHECK or a stored generated column over a column that a new foreign key writes to.
pub fn check_against_expressions(
    def: &TableDef,
    keys: &[DraftForeign],
    state: &mut State,
) -> Result<(), SqlError> {
    let mut written = Vec::new();
    let sets = |key: &DraftForeign| [key.on_update, key.on_delete].contains(&ReferentialAction::SetDefault);
    for key in keys.iter().filter(|key| key.new && (writes(key).is_some() || sets(key))) {
        written.extend(key.columns.iter().filter_map(|name| def.column_index(name)));
    }
    if written.is_empty() {
        return Ok(());
    }
    let generated = |c: &ColumnDef| c.generated.as_ref().filter(|g| g.stored).map(|g| g.expression.clone());
    let on_columns = def.columns.iter().flat_map(|c| {
        let stored = generated(c).map(|text| (&c.name, Clause::Generated, text));
        stored.into_iter().chain(c.check.clone().map(|text| (&c.name, Clause::Check, text)))
    });
    let checks = def.checks.iter().map(|check| (&check.name, Clause::Check, check.expression.clone()));
    for (name, clause, text) in on_columns.chain(checks) {
        let mut found = None;
        expression_over(&text, def, clause, state)?.visit(&mut |e| {
            if let Kind::Column(slot) = &e.kind
                && written.contains(&(slot.index as usize))
            {
                found.get_or_insert(slot.index as usize);
            }
        });
        if let Some(at) = found {
            return Err(SqlError::function_not_allowed_in(&def.columns[at].name, clause.name(), name));
        }
    }
    Ok(())
}

/// What a foreign key does to its own columns, if anything.
fn writes(key: &DraftForeign) -> Option<&'static str> {
    match (key.on_delete, key.on_update) {
        (ReferentialAction::SetNull, _) => Some("ON DELETE SET NULL"),
        (_, ReferentialAction::Cascade) => Some("ON UPDATE CASCADE"),
        (_, ReferentialAction::SetNull) => Some("ON UPDATE SET NULL"),
        _ => None,
    }
}

/// What is told of new foreign keys before expressions are looked at.
pub fn check_written(def: &TableDef, keys: &[DraftForeign]) -> Result<(), SqlError> {
    keys.iter().filter(|key| key.new).try_for_each(|key| check_generated(def, key))
}

/// Error 1905 for a foreign key that writes to a generated column.
fn check_generated(def: &TableDef, key: &DraftForeign) -> Result<(), SqlError> {
    let generated =
        |name: &String| def.column_index(name).is_some_and(|at| def.columns[at].generated.is_some());
    match writes(key).filter(|_| key.columns.iter().any(generated)) {
        Some(clause) => Err(SqlError::wrong_fk_option_for_generated(clause)),
        None => Ok(()),
    }
}

/// The number behind the largest `t_ibfk_n`.
fn next_number(table: &str, keys: &[DraftForeign]) -> u64 {
    let number = |key: &DraftForeign| {
        let name = key.name.as_deref()?;
        name.strip_prefix(table)?.strip_prefix("_ibfk_")?.parse::<u64>().ok()
    };
    keys.iter().filter_map(number).max().unwrap_or(0).saturating_add(1)
}

const PREFIX_ONLY: &str = "There is only prefix index in the referenced table where the referenced columns appear as the first columns";

/// Holds a new foreign key against its parent.
fn check(
    def: &TableDef,
    key: &DraftForeign,
    name: &str,
    columns: &[usize],
    state: &mut State,
) -> Result<(), SqlError> {
    check_generated(def, key)?;
    check_reference(def, key, (name, columns), state)?;
    let sets_null = [key.on_delete, key.on_update].contains(&ReferentialAction::SetNull);
    match columns.iter().find(|&&at| sets_null && !def.columns[at].nullable) {
        None => Ok(()),
        Some(_) if unchecked(key, state) => {
            Err(SqlError::fk_incorrect_option(&def.name, format!("{}/{name}", def.db)))
        }
        Some(&at) => {
            let why = format!(
                "You have defined a SET NULL condition but column '{}' is defined as NOT NULL",
                def.columns[at].name
            );
            Err(refused(def, key, &why, state))
        }
    }
}

/// InnoDB adds the key to a table that is there in its place, with errors of its own.
fn unchecked(key: &DraftForeign, state: &State) -> bool {
    key.altering && !state.vars.foreign_key_checks
}

/// Whether what a new foreign key refers to is there and fits.
fn check_reference(
    def: &TableDef,
    key: &DraftForeign,
    (name, columns): (&str, &[usize]),
    state: &mut State,
) -> Result<(), SqlError> {
    let checks = state.vars.foreign_key_checks;
    // The key that was made for it holds the beginning of a long column only: that is told of the parent's, whatever it is.
    if !is_indexed(def, columns) && !unchecked(key, state) {
        return Err(refused(def, key, PREFIX_ONLY, state));
    }
    // A parent that is there has to fit; without checks it may come later.
    let catalog = state.engine.catalog();
    if same_name(&key.ref_db, &def.db) && key.ref_table == def.name {
        let old = catalog.table(&def.db, &def.name).filter(|_| key.altering);
        if let Some(old) = old.as_ref().filter(|_| checks) {
            return check_own(def, old.def(), key, (name, columns), state);
        }
        let old = old.map(|old| before_change(old.def(), def));
        let known = |old: &TableDef| key.ref_columns.iter().all(|name| old.column_index(name).is_some());
        let parent = old.as_ref().filter(|old| known(old)).unwrap_or(def);
        return check_parent(def, parent, key, (name, columns), state);
    }
    match catalog.table(&key.ref_db, &key.ref_table) {
        Some(parent) => check_parent(def, parent.def(), key, (name, columns), state),
        None if !checks => Ok(()),
        None => {
            let why = format!(
                "Referenced table `{}`.`{}` not found in the data dictionary",
                key.ref_db, key.ref_table
            );
            Err(refused(def, key, &why, state))
        }
    }
}

/// A key of a table to itself that is added while the rows are copied, which are held against the table as it was: that has
/// to fit, and the table as it becomes once it has its name.
fn check_own(
    def: &TableDef,
    old: &TableDef,
    key: &DraftForeign,
    named: (&str, &[usize]),
    state: &mut State,
) -> Result<(), SqlError> {
    check_parent(def, old, key, named, state)?;
    match unfit(def, def, key, named.1) {
        None => Ok(()),
        Some(_) => Err(misnamed(&def.db, &def.name)),
    }
}

/// A copy of a table does not fit foreign keys once it has its name.
pub fn misnamed(db: &str, name: &str) -> SqlError {
    SqlError::error_on_rename(
        format!("./{db}/#sql-alter"),
        format!("./{db}/{name}"),
        "150 \"Foreign key constraint is incorrectly formed\"",
    )
}

/// A table as a key of its own that is added in its place finds it: with the indexes that it has already and that stay, and
/// the one that holds its rows whatever becomes of it.
fn before_change(old: &TableDef, new: &TableDef) -> TableDef {
    let names = |def: &TableDef, index: &IndexDef| -> Vec<String> {
        index.parts.iter().map(|part| def.columns[part.column].name.to_lowercase()).collect()
    };
    let firm = |index: &IndexDef| index.parts.iter().all(|part| !old.columns[part.column].nullable);
    let primary = old.indexes.iter().position(|index| index.kind == IndexKind::Primary);
    let holds = primary.or_else(|| old.indexes.iter().position(|index| index.is_unique() && firm(index)));
    let stays = |index: &IndexDef| new.indexes.iter().any(|kept| names(new, kept) == names(old, index));
    let indexes = old.indexes.iter().enumerate();
    let indexes = indexes.filter(|(at, index)| holds == Some(*at) || stays(index));
    TableDef { indexes: indexes.map(|(_, index)| index.clone()).collect(), ..old.clone() }
}

fn check_parent(
    def: &TableDef,
    parent: &TableDef,
    key: &DraftForeign,
    (name, columns): (&str, &[usize]),
    state: &mut State,
) -> Result<(), SqlError> {
    match unfit(def, parent, key, columns) {
        None => Ok(()),
        Some(_) if unchecked(key, state) && found_by_name(def, parent, key, state) => {
            Err(SqlError::fk_incorrect_option(&def.name, format!("{}/{name}", def.db)))
        }
        Some(_) if unchecked(key, state) => {
            Err(SqlError::fk_no_index_parent(key.said.as_deref().unwrap_or_default(), &parent.name))
        }
        Some((with, why)) => Err(refused_as(def, key, with, &why, state)),
    }
}

/// Whether a parent's index is found for a key that is added in its place, types aside: those are held against the table's
/// own index for it, where it has one already.
fn found_by_name(def: &TableDef, parent: &TableDef, key: &DraftForeign, state: &State) -> bool {
    let columns_of = |def: &TableDef, names: &[String]| -> Option<Vec<usize>> {
        names.iter().map(|name| def.column_index(name)).collect()
    };
    let has_index = |def: &TableDef, names: &[String]| {
        columns_of(def, names).is_some_and(|columns| is_indexed(def, &columns))
    };
    let catalog = state.engine.catalog();
    let old = catalog.table(&def.db, &def.name).map(|old| before_change(old.def(), def));
    has_index(parent, &key.ref_columns) && !old.is_some_and(|old| has_index(&old, &key.columns))
}

/// Why a parent does not fit, if it does not, and the word before that.
fn unfit(
    def: &TableDef,
    parent: &TableDef,
    key: &DraftForeign,
    columns: &[usize],
) -> Option<(&'static str, String)> {
    let mut parents = Vec::with_capacity(columns.len());
    for name in &key.ref_columns {
        match parent.column_index(name) {
            Some(at) => parents.push(at),
            None => return Some(("", format!("Column {name} was not found"))),
        }
    }
    // The reason is that of the last index that gives any.
    let mut why =
        "There is no index in the referenced table where the referenced columns appear as the first columns"
            .to_owned();
    let pairs: Vec<(usize, usize)> = parents.into_iter().zip(columns.iter().copied()).collect();
    for index in parent.indexes.iter().filter(|_| !pairs.is_empty()) {
        match serves(def, parent, index, &pairs) {
            Ok(true) => return None,
            Ok(false) => {}
            Err(reason) => why = reason,
        }
    }
    Some(("with ", why))
}

/// Whether an index of a parent serves a foreign key of `pairs` of columns, parent and child; with the reason, where it is
/// more than that its columns are others.
fn serves(
    def: &TableDef,
    parent: &TableDef,
    index: &IndexDef,
    pairs: &[(usize, usize)],
) -> Result<bool, String> {
    if index.parts.len() < pairs.len() || index.is_digest() {
        return Ok(false);
    }
    for (part, &(at, child)) in index.parts.iter().zip(pairs) {
        // Before it is asked what column it is of.
        if part.prefix_chars.is_some() {
            return Err(PREFIX_ONLY.to_owned());
        }
        if part.column != at {
            return Ok(false);
        }
        if !alike(&def.columns[child], &parent.columns[at]) {
            return Err(format!(
                "Field type or character set for column '{}' does not match referenced column '{}'",
                def.columns[child].name, parent.columns[at].name
            ));
        }
    }
    Ok(true)
}

/// Whether an index starts with these whole columns in this order.
pub fn is_indexed(def: &TableDef, columns: &[usize]) -> bool {
    covering(def, columns).is_some()
}

/// The first index that starts with these whole columns in this order.
pub fn covering<'d>(def: &'d TableDef, columns: &[usize]) -> Option<&'d IndexDef> {
    def.indexes.iter().find(|index| {
        index.parts.len() >= columns.len()
            && !index.is_digest()
            && index.parts.iter().zip(columns).all(|(p, &at)| p.column == at && p.prefix_chars.is_none())
    })
}

/// Whether values of two columns may refer to one another.
pub fn alike(a: &ColumnDef, b: &ColumnDef) -> bool {
    match (&a.ty, &b.ty) {
        (ColumnType::Integer(x), ColumnType::Integer(y)) => x.size == y.size && x.unsigned == y.unsigned,
        (x, y) if x.is_string() && y.is_string() => a.collation == b.collation && x.is_blob() == y.is_blob(),
        (ColumnType::Float(_), ColumnType::Float(_)) | (ColumnType::Double(_), ColumnType::Double(_)) => true,
        (ColumnType::Decimal(x), ColumnType::Decimal(y)) => (x.precision, x.scale) == (y.precision, y.scale),
        // They are their labels' numbers.
        (ColumnType::Enum(_), ColumnType::Enum(_)) | (ColumnType::Set(_), ColumnType::Set(_)) => {
            ColumnLayout::of(a).fixed_len() == ColumnLayout::of(b).fixed_len()
        }
        (x, y) => x == y,
    }
}

/// Whether a column has kept its type as far as foreign keys want it kept: lengths count, what ENUM and SET list does not.
pub fn keeps_type(was: &ColumnDef, is: &ColumnDef) -> bool {
    match (&was.ty, &is.ty) {
        (ColumnType::Enum(_), ColumnType::Enum(_)) | (ColumnType::Set(_), ColumnType::Set(_)) => {
            was.collation == is.collation
        }
        (ColumnType::Integer(_), ColumnType::Integer(_)) => alike(was, is),
        (before, now) => before == now && alike(was, is),
    }
}

/// Error 1005 among warnings that say why.
fn refused(def: &TableDef, key: &DraftForeign, why: &str, state: &mut State) -> SqlError {
    refused_as(def, key, "with ", why, state)
}

/// As [`refused`], with the word that most of the reasons have.
fn refused_as(def: &TableDef, key: &DraftForeign, with: &str, why: &str, state: &mut State) -> SqlError {
    let which = match &key.said {
        Some(name) => format!("`{name}`"),
        None => format!("({})", key.columns.join(",")),
    };
    let verb = if key.altering { "Alter" } else { "Create" };
    let text = format!(
        "{verb}  table `{}`.`{}` {with}foreign key {which} constraint failed. {why}.",
        def.db, def.name,
    );
    state.warn(Level::Warning, 150, text);
    malformed(&def.db, &def.name, state)
}

/// Error 1005 for a foreign key that cannot be made, and what is told beside it.
pub fn malformed(db: &str, name: &str, state: &mut State) -> SqlError {
    let error = SqlError::cant_create_foreign(db, name);
    let cannot = SqlError::cannot_add_foreign(name);
    state.warn(Level::Error, error.errno, error.message.clone());
    state.warn(Level::Warning, cannot.errno, cannot.message);
    error
}
