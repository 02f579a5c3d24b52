//! ALGORITHM and LOCK: what a statement asks for against what its change needs, as MariaDB's InnoDB has it.
//!
//! Nothing here depends on how the change is made: a statement is refused where MariaDB refuses it, so that scripts that
//! rely on a refusal do so here too.

use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast::{self, AlterAction, TableOption};
use engine::{AlterLock, Table};
use types::table::same_name;
use types::{CheckDef, ColumnDef, ColumnType, IndexAlgorithm, IndexDef, IndexKind, TableDef};

/// What a change needs; each takes more than the ones before it. With MariaDB's reason, where it gives one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// The definition alone.
    Instant,
    /// Indexes are built or dropped.
    NoCopy(&'static str),
    /// The table is built anew, while it is read and written.
    Rebuild(Option<&'static str>),
    /// The rows are copied, while nobody writes.
    Copy(Option<&'static str>),
}

const VIRTUAL: &str =
    "INPLACE ADD or DROP of virtual columns cannot be combined with other ALTER TABLE actions";

/// Whether a statement asks for a copy of the table in so many words.
pub fn asks_for_copy(actions: &[AlterAction]) -> bool {
    Asked::of(actions).algorithm == Some("copy")
}

/// What a statement asks for, lower case.
struct Asked<'s> {
    algorithm: Option<&'s str>,
    lock: Option<&'s str>,
}

impl<'s> Asked<'s> {
    fn of(actions: &'s [AlterAction]) -> Self {
        let algorithm = actions.iter().rev().find_map(|action| match action {
            AlterAction::Algorithm(name) => Some(&**name),
            _ => None,
        });
        let lock = actions.iter().rev().find_map(|action| match action {
            AlterAction::Lock(name) => Some(&**name),
            _ => None,
        });
        Self { algorithm, lock }
    }

    /// A copy without a lock.
    fn check(&self) -> Result<(), SqlError> {
        if self.algorithm == Some("copy") && self.lock == Some("none") {
            let reason = "COPY algorithm requires a lock";
            return Err(SqlError::alter_not_supported_because("LOCK=NONE", reason, "LOCK=SHARED"));
        }
        Ok(())
    }

    fn refused(what: &str, reason: Option<&str>, instead: &str) -> Result<(), SqlError> {
        Err(match reason {
            Some(reason) => SqlError::alter_not_supported_because(what, reason, instead),
            None => SqlError::alter_not_supported(what, instead),
        })
    }

    fn check_against(&self, needs: Needs, writes_wait: Option<&str>) -> Result<(), SqlError> {
        self.check()?;
        let asked = self.algorithm.filter(|name| ["instant", "nocopy", "inplace"].contains(name));
        if let Some(name) = asked {
            let what = format!("ALGORITHM={}", name.to_ascii_uppercase());
            match needs {
                Needs::Copy(reason) => return Self::refused(&what, reason, "ALGORITHM=COPY"),
                Needs::Rebuild(reason) if name != "inplace" => {
                    return Self::refused(&what, reason, "ALGORITHM=INPLACE");
                }
                Needs::NoCopy(reason) if name == "instant" => {
                    return Self::refused(&what, Some(reason), "ALGORITHM=NOCOPY");
                }
                _ => {}
            }
        }
        match (self.lock, needs, writes_wait) {
            (Some("none"), Needs::Copy(reason), _) => Self::refused("LOCK=NONE", reason, "LOCK=SHARED"),
            (Some("none"), _, Some(reason)) => Self::refused("LOCK=NONE", Some(reason), "LOCK=SHARED"),
            _ => Ok(()),
        }
    }
}

/// Who may use the table while a statement is at work on it. A copy lets nobody write, whatever is asked.
pub fn lock_asked(alter: &ast::AlterTable) -> AlterLock {
    let asked = Asked::of(&alter.actions);
    match asked.lock {
        Some("exclusive") => AlterLock::Exclusive,
        Some("shared") => AlterLock::Shared,
        _ if asked.algorithm == Some("copy") => AlterLock::Shared,
        _ => AlterLock::None,
    }
}

/// Checks a statement that gives a table another name and changes nothing else.
pub fn check_rename(actions: &[AlterAction]) -> Result<(), SqlError> {
    let asked = Asked::of(actions);
    asked.check()?;
    match asked.lock {
        Some("none" | "shared") if asked.algorithm != Some("copy") => {
            Asked::refused("LOCK=NONE/SHARED", None, "LOCK=EXCLUSIVE")
        }
        _ => Ok(()),
    }
}

/// Checks a statement that changes a table's definition. `from`: where each new column was.
pub fn check(
    state: &State,
    old: &TableDef,
    new: &TableDef,
    from: &[Option<usize>],
    alter: &ast::AlterTable,
) -> Result<(), SqlError> {
    let asked = Asked::of(&alter.actions);
    if asked.algorithm.is_none() && asked.lock.is_none() {
        return Ok(());
    }
    let change = Change::of(old, new, from, alter, state.vars.foreign_key_checks);
    let counted = change.added().any(|column| column.auto_increment);
    let writes_wait = match counted {
        true => Some("Adding an auto-increment column requires a lock"),
        false => change.grows_beside_index().then_some("online rebuild with indexed virtual columns"),
    };
    asked.check_against(change.needs(), writes_wait)
}

/// Whether MariaDB copies the rows, and counts them: for the change, or because it is told to.
pub fn copies(
    state: &State,
    old: &TableDef,
    new: &TableDef,
    from: &[Option<usize>],
    alter: &ast::AlterTable,
) -> bool {
    let change = Change::of(old, new, from, alter, state.vars.foreign_key_checks);
    Asked::of(&alter.actions).algorithm == Some("copy")
        || (!is_idle(old, new, alter) && change.copies().is_some())
}

/// Where a table's counter stands behind a change that says nothing of it. MariaDB changes a table with virtual columns in
/// its place by reading it anew, counter and all: numbers that were reserved for rows which took none are given again.
/// `None`: where it was.
pub fn counter(
    table: &Table,
    new: &TableDef,
    from: &[Option<usize>],
    alter: &ast::AlterTable,
) -> Option<u64> {
    let old = table.def();
    new.auto_increment_column()?;
    let change = Change::of(old, new, from, alter, true);
    let read_anew = old.columns.iter().chain(&new.columns).any(is_virtual) && change.reaches_storage();
    let converts = alter.actions.iter().any(|action| matches!(action, AlterAction::ConvertCharset(_)));
    match change.needs() {
        _ if asks_for_copy(&alter.actions) => Some(table.auto_increment().get()),
        Needs::Instant | Needs::NoCopy(_) if read_anew && !converts => {
            Some(table.auto_increment().behind_written())
        }
        Needs::Copy(_) => Some(table.auto_increment().get()),
        _ => None,
    }
}

/// The virtual columns of indexes that are built in the table's place, as the indexes have them.
pub fn built_virtual(
    old: &TableDef,
    new: &TableDef,
    from: &[Option<usize>],
    alter: &ast::AlterTable,
) -> Vec<usize> {
    let change = Change::of(old, new, from, alter, true);
    let of_index = |index: &&IndexDef| index.parts.iter().any(|part| is_virtual(&new.columns[part.column]));
    let all = change.rebuilds()
        || change.gives(|option| matches!(option, TableOption::RowFormat(_)))
        || change.columns_come_or_go();
    let built = new.indexes.iter().filter(of_index).filter(|index| all || change.is_built(index));
    let columns = built.flat_map(|index| index.parts.iter().map(|part| part.column));
    columns.filter(|&at| is_virtual(&new.columns[at])).collect()
}

fn is_virtual(column: &ColumnDef) -> bool {
    column.generated.as_ref().is_some_and(|own| !own.stored)
}

/// Whether all that is asked for is passed over: what is to be new is there, what is to go is not. Where a counter stands
/// is none of that.
pub fn is_idle(old: &TableDef, new: &TableDef, alter: &ast::AlterTable) -> bool {
    let passed_over = alter.actions.iter().all(AlterAction::asks_existence);
    passed_over && *old == TableDef { auto_increment: old.auto_increment, ..new.clone() }
}

struct Change<'c> {
    old: &'c TableDef,
    new: &'c TableDef,
    from: &'c [Option<usize>],
    actions: &'c [AlterAction],
    checks_keys: bool,
    ignore: bool,
}

impl<'c> Change<'c> {
    fn of(
        old: &'c TableDef,
        new: &'c TableDef,
        from: &'c [Option<usize>],
        alter: &'c ast::AlterTable,
        checks_keys: bool,
    ) -> Self {
        Self { old, new, from, actions: &alter.actions, checks_keys, ignore: alter.ignore }
    }

    /// Columns that are new.
    fn added(&self) -> impl Iterator<Item = &'c ColumnDef> {
        let columns = self.new.columns.iter().zip(self.from);
        columns.filter(|(_, from)| from.is_none()).map(|(column, _)| column)
    }

    /// Columns that stay, as they were and as they are to be.
    fn kept(&self) -> impl Iterator<Item = (&'c ColumnDef, &'c ColumnDef)> {
        let columns = self.new.columns.iter().zip(self.from);
        columns.filter_map(|(new, from)| Some((&self.old.columns[(*from)?], new)))
    }

    /// Columns that stay under another name, by the old one and the new one.
    fn renamed(&self) -> Vec<(String, String)> {
        let named = self.kept().filter(|(old, new)| old.name != new.name);
        named.map(|(old, new)| (old.name.clone(), new.name.clone())).collect()
    }

    /// Whether an index of one definition is none of the other's.
    fn lacks(other: &TableDef, index: &IndexDef) -> bool {
        !other.indexes.iter().any(|known| same_name(&known.name, &index.name) && known.kind == index.kind)
    }

    fn needs(&self) -> Needs {
        if let Some(reason) = self.copies() {
            return Needs::Copy(reason);
        }
        let adds_index = self.new.indexes.iter().any(|index| self.is_built(index));
        let drops_index = self.old.indexes.iter().any(|index| Self::lacks(self.new, index));
        let columns_change = self.added().any(|column| column.generated.is_none())
            || self.old.columns.len() + self.added().count() > self.new.columns.len();
        match (self.rebuilds() || (adds_index && columns_change), adds_index, drops_index) {
            (true, ..) => Needs::Rebuild(None),
            _ if self.gives(|option| matches!(option, TableOption::RowFormat(_))) => {
                Needs::Rebuild(Some("Changing table options requires the table to be rebuilt"))
            }
            (_, true, _) => Needs::NoCopy("ADD INDEX"),
            (_, _, true) => Needs::NoCopy("DROP INDEX"),
            _ => Needs::Instant,
        }
    }

    /// Whether columns that rows have come or go.
    fn columns_come_or_go(&self) -> bool {
        let mut gone = self.old.columns.iter().enumerate().filter(|(at, _)| !self.from.contains(&Some(*at)));
        self.added().any(|column| !is_virtual(column)) || gone.any(|(_, column)| !is_virtual(column))
    }

    /// Whether more changes than InnoDB knows of: it has neither defaults of columns, nor their comments, nor CHECKs.
    fn reaches_storage(&self) -> bool {
        let stored = |def: &TableDef| {
            let mut def = TableDef { checks: Vec::new(), ..def.clone() };
            for column in &mut def.columns {
                (column.default, column.comment) = (types::DefaultValue::None, String::new());
                (column.check, column.check_name) = (None, None);
            }
            def
        };
        self.gives(|_| true) || stored(self.old) != stored(self.new)
    }

    /// Whether a table option is given.
    fn gives(&self, of: fn(&TableOption) -> bool) -> bool {
        self.actions.iter().any(|action| matches!(action, AlterAction::Option(option) if of(option)))
    }

    /// Whether the table is built anew in its place, apart from what new indexes need.
    fn rebuilds(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, AlterAction::Force))
            || self.gives(|option| matches!(option, TableOption::Engine(_)))
            || self.rebuilds_for_rows()
            || self.grows_beside_index()
    }

    /// Whether columns that rows have come to a table with an index of virtual ones, which need the rows as they are.
    fn grows_beside_index(&self) -> bool {
        let indexed =
            |index: &IndexDef| index.parts.iter().any(|part| is_virtual(&self.old.columns[part.column]));
        self.added().any(|column| !is_virtual(column)) && self.old.indexes.iter().any(indexed)
    }

    /// Whether it is because the form of rows is another one.
    fn rebuilds_for_rows(&self) -> bool {
        self.kept().any(|(old, new)| old.nullable != new.nullable)
            || self.added().any(|column| column.auto_increment)
            || self.primary() != self.primary_before()
    }

    /// Why rows are copied, if they are.
    fn copies(&self) -> Option<Option<&'static str>> {
        if self.kept().any(|(old, new)| !is_extended(old, new)) {
            return Some(Some("Cannot change column type"));
        }
        let digests = |index: &IndexDef| index.options.algorithm == Some(IndexAlgorithm::Digest);
        let dropped = |part: &types::IndexPart| {
            !self.from.contains(&Some(part.column)) && !is_virtual(&self.old.columns[part.column])
        };
        let loses = |index: &IndexDef| digests(index) && index.parts.iter().any(dropped);
        let digested = self.new.indexes.iter().any(digests) || self.old.indexes.iter().any(loses);
        let unique = |index: &IndexDef| index.kind == IndexKind::Unique && Self::lacks(self.old, index);
        let compares = self.new.indexes.iter().any(unique) && self.added().any(is_virtual);
        if digested || compares || self.mixes_virtual() {
            return Some(Some(VIRTUAL));
        }
        let counts = self.kept().any(|(old, new)| new.auto_increment && !old.auto_increment);
        let anew = |action: &AlterAction| {
            matches!(action, AlterAction::OrderBy(_) | AlterAction::EnableKeys | AlterAction::DisableKeys)
        };
        // Where a primary key goes another one that may be it is it.
        let keyed_anew = super::ordered::is_clustered(self.new) && self.primary() != self.primary_before();
        let distinct = self.ignore && (keyed_anew || self.new.indexes.iter().any(unique));
        if counts || distinct || self.actions.iter().any(anew) {
            return Some(None);
        }
        let known = |key: &types::ForeignKeyDef| self.old.foreign_keys.iter().any(|old| old.name == key.name);
        if self.checks_keys && !self.new.foreign_keys.iter().all(known) {
            return Some(Some("Adding foreign keys needs foreign_key_checks=OFF"));
        }
        if super::ordered::is_clustered(self.old) && !super::ordered::is_clustered(self.new) {
            return Some(Some("Dropping a primary key is not allowed without also adding a new primary key"));
        }
        let stores = |column: &ColumnDef| column.generated.as_ref().is_some_and(|own| own.stored);
        let narrowed = || self.kept().filter(|(old, new)| old.nullable && !new.nullable);
        let nullable = narrowed().next().is_some();
        // NULL is the current time to such a column.
        if narrowed().any(|(_, new)| matches!(new.ty, ColumnType::Timestamp(_))) {
            return Some(Some("cannot convert NULL to non-constant DEFAULT"));
        }
        let generates = self.new.columns.iter().any(stores);
        let renamed = self.renamed();
        let was = |check: &CheckDef| {
            let expression = super::names::renamed_in(&check.expression, &renamed);
            CheckDef { name: check.name.clone(), expression }
        };
        let known: Vec<CheckDef> = self.old.checks.iter().map(was).collect();
        let checked = self.new.checks.iter().any(|check| !known.contains(check));
        // A default of other columns is computed row by row, as is one that is another one each time.
        const ANEW: &[&str] = &["`", "uuid(", "uuid_short(", "sys_guid(", "sysdate("];
        let depends = |column: &ColumnDef| match &column.default {
            types::DefaultValue::Expression(text) => ANEW.iter().any(|word| text.contains(word)),
            _ => false,
        };
        let generated = |column: &ColumnDef| column.generated.clone();
        let was_generated = |column: &ColumnDef| {
            let rename = |own: types::Generated| types::Generated {
                expression: super::names::renamed_in(&own.expression, &renamed),
                ..own
            };
            generated(column).map(rename)
        };
        let regenerates = self.kept().any(|(old, new)| stores(new) && was_generated(old) != generated(new));
        // One that is defined again is computed again, though the definition be the one that it has.
        let redefined = self.actions.iter().any(|action| match action {
            AlterAction::ModifyColumn { column, .. } | AlterAction::ChangeColumn { column, .. } => {
                self.new.columns.iter().any(|new| stores(new) && same_name(&new.name, &column.name))
            }
            _ => false,
        });
        let computes =
            self.added().any(|column| stores(column) || depends(column)) || regenerates || redefined;
        (computes || checked || (nullable && generates)).then_some(None)
    }

    /// Whether virtual columns come, go or change places in a way that InnoDB has no shortcut for: it can drop columns at
    /// once where no index had any, and build a table anew where no index has a virtual one.
    fn mixes_virtual(&self) -> bool {
        if !self.old.columns.iter().chain(&self.new.columns).any(is_virtual) {
            return false;
        }
        let comes = self.added().any(is_virtual);
        let gone = |at: usize| !self.from.contains(&Some(at));
        let mut before = self.old.columns.iter().enumerate();
        let goes = before.any(|(at, column)| is_virtual(column) && gone(at));
        let has = |index: &IndexDef, of: &dyn Fn(usize) -> bool| index.parts.iter().any(|p| of(p.column));
        let indexed = |table: &TableDef, of: &dyn Fn(usize) -> bool| {
            table.indexes.iter().any(|index| has(index, &|at| is_virtual(&table.columns[at]) && of(at)))
        };
        // What goes with its virtual column is no shortcut for a unique key, unless it is one of digests.
        let unique = |index: &IndexDef| index.is_unique() && !index.is_digest();
        let loses_unique = self.old.indexes.iter().any(|i| unique(i) && has(i, &gone));
        let mut places = self.from.iter().enumerate();
        let moved =
            places.any(|(at, from)| is_virtual(&self.new.columns[at]) && from.is_some_and(|from| from != at));
        // An index of a column that goes has no other, unless the one that goes is virtual.
        let cut = |index: &IndexDef| {
            has(index, &|at| gone(at) && !is_virtual(&self.old.columns[at])) && has(index, &|at| !gone(at))
        };
        let cuts = |but: &dyn Fn(&IndexDef) -> bool| self.old.indexes.iter().any(|i| cut(i) && !but(i));
        let drops = !cuts(&|_| false) && self.only_drops(&|_| false);
        // An index may go by itself, too, if no unique one is lost and none has a virtual column.
        let plain =
            |index: &IndexDef| !index.is_unique() && !has(index, &|at| is_virtual(&self.old.columns[at]));
        let shrinks = !loses_unique && self.only_drops(&plain) && !cuts(&|index| self.drops_index(index));
        let alone = self.changes_virtual_alone();
        let kept_in_index = indexed(self.new, &|at| self.from[at].is_some());
        let rows_differ = self.kept().any(|(old, new)| old.nullable != new.nullable);
        (moved && (kept_in_index || !shrinks))
            || (!alone && indexed(self.old, &gone))
            || (alone && loses_unique)
            || ((comes || goes) && !alone && (kept_in_index || !drops))
            || (kept_in_index && (rows_differ || (comes || goes) && self.primary() != self.primary_before()))
    }

    /// Whether an index is told to go.
    fn drops_index(&self, index: &IndexDef) -> bool {
        self.actions.iter().any(
            |action| matches!(action, AlterAction::DropIndex { name, .. } if same_name(name, &index.name)),
        )
    }

    /// Whether all that is asked for is that columns go, and indexes that are `free` to, and virtual columns come behind
    /// the others.
    fn only_drops(&self, free: &dyn Fn(&IndexDef) -> bool) -> bool {
        self.actions.iter().all(|action| match action {
            AlterAction::AddColumn { column, position, .. } => {
                let last = matches!(position, ast::ColumnPosition::Default);
                self.adds_none(&column.name, |column| !last || !is_virtual(column))
            }
            AlterAction::DropColumn { .. } | AlterAction::Algorithm(_) | AlterAction::Lock(_) => true,
            AlterAction::DropIndex { name, .. } => {
                self.old.indexes.iter().any(|index| same_name(&index.name, name) && free(index))
            }
            _ => false,
        })
    }

    /// Whether no column that comes has the name and is as told.
    fn adds_none(&self, name: &str, told: impl Fn(&ColumnDef) -> bool) -> bool {
        !self.added().any(|column| same_name(&column.name, name) && told(column))
    }

    /// Whether nothing comes or goes but virtual columns, indexes and checks.
    fn changes_virtual_alone(&self) -> bool {
        self.actions.iter().all(|action| match action {
            AlterAction::AddColumn { column, .. } => {
                self.adds_none(&column.name, |column| !is_virtual(column))
            }
            // One that is not there goes as little as any.
            AlterAction::DropColumn { name, .. } => {
                !self.old.columns.iter().any(|old| !is_virtual(old) && same_name(&old.name, name))
            }
            AlterAction::AddIndex(_)
            | AlterAction::DropIndex { .. }
            | AlterAction::AddCheck(_)
            | AlterAction::Algorithm(_)
            | AlterAction::Lock(_) => true,
            _ => false,
        })
    }

    /// Whether an index has to be built: it is new, or a column of it is compared in another way.
    fn is_built(&self, index: &IndexDef) -> bool {
        let collated = |part: &types::IndexPart| {
            let from = self.from.get(part.column).copied().flatten();
            from.is_some_and(|from| {
                self.old.columns[from].collation != self.new.columns[part.column].collation
            })
        };
        index.kind != IndexKind::Primary && (Self::lacks(self.old, index) || index.parts.iter().any(collated))
    }

    /// The primary key's columns, by where they were.
    fn primary(&self) -> Option<Vec<Option<usize>>> {
        let index = self.new.indexes.iter().find(|index| index.kind == IndexKind::Primary)?;
        Some(index.parts.iter().map(|part| self.from.get(part.column).copied().flatten()).collect())
    }

    fn primary_before(&self) -> Option<Vec<Option<usize>>> {
        let index = self.old.indexes.iter().find(|index| index.kind == IndexKind::Primary)?;
        Some(index.parts.iter().map(|part| Some(part.column)).collect())
    }
}

/// Whether the values of a column are those of its new definition as they stand.
fn is_extended(old: &ColumnDef, new: &ColumnDef) -> bool {
    // One that is computed no more is another column.
    if old.generated.as_ref().is_some_and(|own| own.stored) && new.generated.is_none() {
        return false;
    }
    let (was, is) = (old.collation.charset(), new.collation.charset());
    // The bytes of the one are those of the other.
    let widened = (was, is) == (types::Charset::Utf8mb3, types::Charset::Utf8mb4);
    let labels = matches!(old.ty, ColumnType::Enum(_) | ColumnType::Set(_));
    if was != is && (!widened || labels) {
        return false;
    }
    match (&old.ty, &new.ty) {
        (ColumnType::Integer(old), ColumnType::Integer(new)) => {
            old.size == new.size && old.unsigned == new.unsigned
        }
        (ColumnType::Float(old), ColumnType::Float(new))
        | (ColumnType::Double(old), ColumnType::Double(new)) => old.unsigned == new.unsigned,
        (ColumnType::Decimal(old), ColumnType::Decimal(new)) => {
            (old.precision, old.scale, old.unsigned) == (new.precision, new.scale, new.unsigned)
        }
        (ColumnType::VarChar(shorter), ColumnType::VarChar(longer))
        | (ColumnType::VarBinary(shorter), ColumnType::VarBinary(longer)) => {
            shorter <= longer && old.ty.length_bytes(old.collation) == new.ty.length_bytes(new.collation)
        }
        (ColumnType::Enum(few), ColumnType::Enum(more)) | (ColumnType::Set(few), ColumnType::Set(more)) => {
            more.iter().take(few.len()).eq(few.iter())
                && super::index::fixed_bytes(&old.ty) == super::index::fixed_bytes(&new.ty)
        }
        (old, new) => old == new,
    }
}
