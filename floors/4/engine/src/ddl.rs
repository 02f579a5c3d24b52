//! Data definition: under exclusive names, logged as one group, applied on the same way as in recovery.
//!
//! A change is decided on and made while no other is under way, but for those that depend on nothing but names that
//! they hold and on databases being there (tables that come without foreign keys, tables that go): such ones are
//! ordered together, and one force is for them all. They are applied one after the other.
//!
//! Indexes of existing rows are built before the group is ordered (`crate::build`), so an error (a duplicate, say)
//! leaves nothing. An ALTER that changes how rows are stored fills a table of its own first (`alter`), in private groups
//! of bounded size, and the last group puts it in the old one's place.

mod alter;

use crate::catalog::change::CatalogChange;
use crate::catalog::record::TableRecord;
use crate::catalog::trees::Handles;
use crate::catalog::{Catalog, DatabaseDef, Table};
use crate::core::Core;
use crate::error::{EngineError, ForeignKeySide, Result};
use crate::lock::metadata::Mode;
use crate::txn::foreign::violation;
use crate::txn::log_body::{LogPlan, ddl_group, now_seconds};
use crate::txn::{Committed, Txn};
use binlog::event::{Query, QueryStatus};
use binlog::{GtidPlan, SeqNo};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use types::{ColumnDef, ColumnType, TableDef, ViewDef};

/// What a row mapping may fail with.
pub type MappingError = Box<dyn std::error::Error + Send + Sync>;

/// Makes a row of the new definition from one of the old: old image, buffer for the new one (empty). False where the row
/// is left out.
pub type RowMapping<'a> = Box<dyn FnMut(&[u8], &mut Vec<u8>) -> Result<bool, MappingError> + 'a>;

/// What becomes of the rows of a table that is altered.
pub enum AlteredRows<'a> {
    /// Their images stay valid as they are.
    Stay {
        /// The columns behind all others that are new and NOT NULL, and the row values that the rows have in them.
        absent: Vec<(usize, Vec<u8>)>,
    },
    /// Each is made anew.
    Mapped(RowMapping<'a>),
}

impl AlteredRows<'_> {
    /// Their images stay, and have all columns.
    pub const STAY: AlteredRows<'static> = AlteredRows::Stay { absent: Vec::new() };
}

/// Database and name of a table.
pub type TableName = (String, String);

/// Who may use a table while its indexes are built or its rows are copied. Before and after that, for a moment, nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlterLock {
    /// Everybody: LOCK=NONE. Where rows have to be copied or checked, it is as the next one.
    #[default]
    None,
    /// Who reads only: LOCK=SHARED.
    Shared,
    /// Nobody: LOCK=EXCLUSIVE.
    Exclusive,
}

/// A change of the catalog.
pub enum Ddl<'a> {
    /// CREATE DATABASE.
    CreateDatabase {
        /// Name.
        name: String,
        /// Options.
        def: DatabaseDef,
    },
    /// ALTER DATABASE.
    AlterDatabase {
        /// Name.
        name: String,
        /// New options.
        def: DatabaseDef,
    },
    /// DROP DATABASE, with all its tables and views.
    DropDatabase {
        /// Name.
        name: String,
    },
    /// CREATE TABLE. The foreign keys' own indexes must be in the definition.
    CreateTable {
        /// The definition, with its database.
        def: TableDef,
    },
    /// DROP TABLE. All must exist.
    DropTables {
        /// Databases and names.
        tables: Vec<(String, String)>,
    },
    /// CREATE VIEW, ALTER VIEW.
    PutView {
        /// The definition, with its database.
        def: ViewDef,
        /// One of this name may be there, and goes.
        replace: bool,
    },
    /// DROP VIEW. All must exist.
    DropViews {
        /// Databases and names.
        views: Vec<(String, String)>,
    },
    /// RENAME TABLE: from and to, one after the other; tables and views.
    RenameTables {
        /// Databases and names.
        pairs: Vec<(TableName, TableName)>,
    },
    /// TRUNCATE TABLE.
    TruncateTable {
        /// Database.
        db: String,
        /// Name.
        table: String,
    },
    /// ALTER TABLE, CREATE INDEX, DROP INDEX: the whole new definition, which may have another name.
    AlterTable {
        /// Database.
        db: String,
        /// Name before.
        table: String,
        /// The new definition.
        new: TableDef,
        /// How rows become rows of the new definition.
        rows: AlteredRows<'a>,
        /// Columns that get other names, before and after: foreign keys to the table follow.
        renamed: Vec<(String, String)>,
        /// Who may use the table meanwhile.
        lock: AlterLock,
    },
    /// Puts or removes records of the rooms above, all at once.
    PutRecords {
        /// Their space.
        space: String,
        /// Keys and new values; `None` removes.
        records: Vec<(String, Option<Vec<u8>>)>,
    },
}

/// The statement as replicas get it.
#[derive(Clone, Copy, Debug)]
pub struct QueryText<'a> {
    /// The session's number.
    pub thread_id: u32,
    /// The session's database, perhaps empty.
    pub db: &'a str,
    /// The statement.
    pub sql: &'a str,
    /// Session settings that it depends on.
    pub status: QueryStatus<'a>,
}

impl Txn {
    /// Changes the catalog. The transaction must have changed nothing; it holds the names exclusively to its end.
    /// `query` is what replicas get; without it (or with `sql_log_bin=0`) they get nothing.
    pub fn ddl(&mut self, ddl: Ddl<'_>, query: Option<QueryText<'_>>) -> Result<Committed> {
        self.check_active()?;
        assert!(!self.has_changes(), "data definition commits what came before it first");
        match ddl {
            Ddl::CreateDatabase { name, def } => self.change_catalog(query, |catalog, change| {
                if catalog.database(&name).is_some() {
                    return Err(EngineError::DatabaseExists(name.clone()));
                }
                change.put_database(&name, &def)
            }),
            Ddl::AlterDatabase { name, def } => self.change_catalog(query, |catalog, change| {
                require_database(catalog, &name)?;
                change.put_database(&name, &def)
            }),
            Ddl::DropDatabase { name } => self.drop_database(&name, query),
            Ddl::CreateTable { def } => self.create_table(def, query),
            Ddl::DropTables { tables } => self.drop_tables(&tables, query),
            Ddl::PutView { def, replace } => self.put_view(&def, replace, query),
            Ddl::DropViews { views } => self.drop_views(&views, query),
            Ddl::RenameTables { pairs } => self.rename_tables(&pairs, query),
            Ddl::TruncateTable { db, table } => self.truncate_table(&db, &table, query),
            Ddl::AlterTable { db, table, new, rows, renamed, lock } => {
                self.alter_table((&db, &table), new, rows, (renamed, lock), query)
            }
            Ddl::PutRecords { space, records } => self.change_catalog(query, |_, change| {
                for (key, value) in &records {
                    change.put_record(&space, key, value.as_deref());
                }
                Ok(())
            }),
        }
    }

    /// Decides on a change that concerns names only that are held, and on databases being there; commits it together
    /// with others of that kind.
    fn change_names(
        &mut self,
        query: Option<QueryText<'_>>,
        decide: impl FnOnce(&Catalog, &mut CatalogChange) -> Result<()>,
    ) -> Result<Committed> {
        let core = self.place.core.clone();
        let _turn = core.ddl.together();
        self.decide_and_commit(&core, query, Handles::new(), decide)
    }

    /// Decides on a change with the catalog as it is then, and commits it.
    fn change_catalog(
        &mut self,
        query: Option<QueryText<'_>>,
        decide: impl FnOnce(&Catalog, &mut CatalogChange) -> Result<()>,
    ) -> Result<Committed> {
        self.commit_change(query, Handles::new(), decide)
    }

    fn commit_change(
        &mut self,
        query: Option<QueryText<'_>>,
        built: Handles,
        decide: impl FnOnce(&Catalog, &mut CatalogChange) -> Result<()>,
    ) -> Result<Committed> {
        let core = self.place.core.clone();
        let _turn = core.ddl_turn();
        self.decide_and_commit(&core, query, built, decide)
    }

    fn decide_and_commit(
        &self,
        core: &Core,
        query: Option<QueryText<'_>>,
        built: Handles,
        decide: impl FnOnce(&Catalog, &mut CatalogChange) -> Result<()>,
    ) -> Result<Committed> {
        let mut change = CatalogChange::default();
        decide(&core.catalog(), &mut change)?;
        let query = query.filter(|_| self.options().log);
        core.commit_catalog(&change, query, &built)
    }

    /// Holds names exclusively, in an order that all agree on.
    fn lock_names(&mut self, names: &[(String, String)]) -> Result<()> {
        let mut sorted: Vec<_> = names.iter().collect();
        sorted.sort();
        sorted.dedup();
        for (db, table) in sorted {
            self.hold_name_only(db, table, Mode::Exclusive)?;
        }
        Ok(())
    }

    fn create_table(&mut self, def: TableDef, query: Option<QueryText<'_>>) -> Result<Committed> {
        self.lock_names(&[(def.db.clone(), def.name.clone())])?;
        let core = self.place.core.clone();
        // Who drops a table looks for foreign keys that name it, so those do not come meanwhile.
        let refers = !def.foreign_keys.is_empty();
        let decide = |catalog: &Catalog, change: &mut CatalogChange| {
            require_database(catalog, &def.db)?;
            if catalog.is_taken(&def.db, &def.name) {
                return Err(EngineError::TableExists { db: def.db, table: def.name });
            }
            change.put_table(&core.new_record(def))
        };
        if refers { self.change_catalog(query, decide) } else { self.change_names(query, decide) }
    }

    fn drop_database(&mut self, name: &str, query: Option<QueryText<'_>>) -> Result<Committed> {
        loop {
            let catalog = self.place.core.catalog();
            let database = require_database(&catalog, name)?;
            let names =
                |keys: Vec<&Arc<str>>| keys.into_iter().map(|t| (name.to_owned(), t.to_string())).collect();
            let tables: Vec<TableName> = names(database.tables.keys().collect());
            let views: Vec<TableName> = names(database.views.keys().collect());
            self.lock_names(&[&tables[..], &views[..]].concat())?;
            let now = self.place.core.catalog();
            let now = require_database(&now, name)?;
            let same = now.tables.keys().eq(database.tables.keys());
            if !same || !now.views.keys().eq(database.views.keys()) {
                // Another table came before its name was held.
                continue;
            }
            let checks = self.options().fk_checks;
            return self.change_catalog(query, |catalog, change| {
                check_children(catalog, &tables, checks)?;
                for (db, table) in &tables {
                    change.remove_table(db, table);
                }
                for (db, view) in &views {
                    change.remove_view(db, view);
                }
                change.remove_database(name);
                Ok(())
            });
        }
    }

    fn drop_tables(
        &mut self,
        tables: &[(String, String)],
        query: Option<QueryText<'_>>,
    ) -> Result<Committed> {
        self.lock_names(tables)?;
        let checks = self.options().fk_checks;
        self.change_names(query, |catalog, change| {
            for (db, table) in tables {
                catalog.require(db, table)?;
            }
            check_children(catalog, tables, checks)?;
            for (db, table) in tables {
                change.remove_table(db, table);
            }
            Ok(())
        })
    }

    fn put_view(&mut self, def: &ViewDef, replace: bool, query: Option<QueryText<'_>>) -> Result<Committed> {
        self.lock_names(&[(def.db.clone(), def.name.clone())])?;
        self.change_catalog(query, |catalog, change| {
            require_database(catalog, &def.db)?;
            let there = catalog.view(&def.db, &def.name).is_some() && !replace;
            if there || catalog.table(&def.db, &def.name).is_some() {
                return Err(EngineError::TableExists { db: def.db.clone(), table: def.name.clone() });
            }
            change.put_view(def)
        })
    }

    fn drop_views(&mut self, views: &[TableName], query: Option<QueryText<'_>>) -> Result<Committed> {
        self.lock_names(views)?;
        self.change_catalog(query, |catalog, change| {
            for (db, view) in views {
                catalog.require_view(db, view)?;
                change.remove_view(db, view);
            }
            Ok(())
        })
    }

    fn truncate_table(&mut self, db: &str, table: &str, query: Option<QueryText<'_>>) -> Result<Committed> {
        let name = [(db.to_owned(), table.to_owned())];
        self.lock_names(&name)?;
        let core = self.place.core.clone();
        let checks = self.options().fk_checks;
        self.change_names(query, |catalog, change| {
            let old = catalog.require(db, table)?;
            check_children(catalog, &name, checks)?;
            change.put_table(&core.new_record((**old.def()).clone()))
        })
    }

    fn rename_tables(
        &mut self,
        pairs: &[(TableName, TableName)],
        query: Option<QueryText<'_>>,
    ) -> Result<Committed> {
        let catalog = self.place.core.catalog();
        let mut names: Vec<_> = pairs.iter().flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
        for ((db, table), _) in pairs {
            let children = catalog.children(db, table).iter();
            names.extend(children.map(|c| (c.db.clone(), c.table.clone())));
        }
        self.lock_names(&names)?;
        self.change_catalog(query, |catalog, change| {
            let mut renamed = Renamed { catalog, records: BTreeMap::new(), views: BTreeMap::new() };
            for (from, to) in pairs {
                renamed.rename(from, to)?;
            }
            for (name, record) in &renamed.records {
                if record.is_none() {
                    change.remove_table(&name.0, &name.1);
                }
            }
            for (name, _) in renamed.views.iter().filter(|(_, view)| view.is_none()) {
                change.remove_view(&name.0, &name.1);
            }
            for record in renamed.records.values().flatten() {
                change.put_table(record)?;
            }
            for view in renamed.views.values().flatten() {
                change.put_view(view)?;
            }
            Ok(())
        })
    }
}

/// Tables and views as they will be after some renames.
struct Renamed<'c> {
    catalog: &'c Catalog,
    records: BTreeMap<(String, String), Option<TableRecord>>,
    views: BTreeMap<(String, String), Option<ViewDef>>,
}

impl Renamed<'_> {
    fn get(&self, name: &(String, String)) -> Option<TableRecord> {
        match self.records.get(name) {
            Some(record) => record.clone(),
            None => self.catalog.table(&name.0, &name.1).map(|t| t.record()),
        }
    }

    fn view(&self, name: &(String, String)) -> Option<ViewDef> {
        match self.views.get(name) {
            Some(view) => view.clone(),
            None => self.catalog.view(&name.0, &name.1).map(|v| v.def().clone()),
        }
    }

    fn rename(&mut self, from: &(String, String), to: &(String, String)) -> Result<()> {
        let missing = || EngineError::NoSuchTable { db: from.0.clone(), table: from.1.clone() };
        require_database(self.catalog, &to.0)?;
        if self.get(to).is_some() || self.view(to).is_some() {
            return Err(EngineError::TableExists { db: to.0.clone(), table: to.1.clone() });
        }
        if let Some(mut view) = self.view(from) {
            (view.db, view.name) = to.clone();
            self.views.insert(from.clone(), None);
            self.views.insert(to.clone(), Some(view));
            return Ok(());
        }
        let mut record = self.get(from).ok_or_else(missing)?;
        record.def.db.clone_from(&to.0);
        record.def.name.clone_from(&to.1);
        // Names that were made of the table's follow it.
        for key in &mut record.def.foreign_keys {
            let number = key.name.strip_prefix(&from.1).filter(|rest| rest.starts_with("_ibfk_"));
            key.name = number.map_or_else(|| key.name.clone(), |number| format!("{}{number}", to.1));
        }
        self.records.insert(from.clone(), None);
        self.records.insert(to.clone(), Some(record));
        // Foreign keys follow their parent: those of the catalog, and those of tables that have other names by now.
        let children = self.catalog.children(&from.0, &from.1).iter();
        let mut children: BTreeSet<_> = children.map(|c| (c.db.clone(), c.table.clone())).collect();
        children.extend(self.records.keys().cloned());
        for name in children {
            let Some(mut child) = self.get(&name) else { continue };
            for key in &mut child.def.foreign_keys {
                if key.ref_db == from.0 && key.ref_table == from.1 {
                    key.ref_db.clone_from(&to.0);
                    key.ref_table.clone_from(&to.1);
                }
            }
            self.records.insert(name, Some(child));
        }
        Ok(())
    }
}

fn require_database<'c>(catalog: &'c Catalog, name: &str) -> Result<&'c crate::catalog::Database> {
    let database = catalog.database(name);
    database.map(|d| &**d).ok_or_else(|| EngineError::NoSuchDatabase(name.to_owned()))
}

/// Refuses to take tables away that foreign keys of other tables need.
fn check_children(catalog: &Catalog, going: &[(String, String)], fk_checks: bool) -> Result<()> {
    for (db, table) in going.iter().filter(|_| fk_checks) {
        for child in catalog.children(db, table) {
            if going.iter().any(|(d, t)| *d == child.db && *t == child.table) {
                continue;
            }
            let child_table = catalog.require(&child.db, &child.table)?;
            if let Some(key) = child_table.def().foreign_keys.get(child.at) {
                let by = violation(child_table, key, ForeignKeySide::Parent);
                return Err(EngineError::ReferencedTable { by });
            }
        }
    }
    Ok(())
}

impl Core {
    /// A record for a new table, with new numbers for it and its trees.
    pub(crate) fn new_record(&self, def: TableDef) -> TableRecord {
        let trees: Vec<u32> = std::iter::repeat_with(|| self.new_tree_no()).take(tree_count(&def)).collect();
        let (id, keeping, defined_at) = (self.new_table_id(), trees.clone(), now_seconds());
        TableRecord { id, def, trees, keeping, defined_at, absent: Vec::new() }
    }

    /// Logs and applies a change of the catalog.
    pub(crate) fn commit_catalog(
        &self,
        change: &CatalogChange,
        query: Option<QueryText<'_>>,
        built: &Handles,
    ) -> Result<Committed> {
        let engine = &self.options;
        let plan = LogPlan {
            gtid: GtidPlan { domain: engine.gtid_domain, server_id: engine.server_id, seq_no: SeqNo::Next },
            public: query.is_some(),
            fk_checks: true,
            unique_checks: true,
        };
        let query = query.map(|q| Query {
            thread_id: q.thread_id,
            execution_seconds: 0,
            error_code: 0,
            status: q.status,
            database: q.db.as_bytes(),
            text: q.sql.as_bytes(),
        });
        let ordered = self.order(&mut ddl_group(&plan, &change.encode(), query.as_ref()))?;
        // The catalog has no versions: what is in it is seen at once, so it must be durable before.
        self.force(ordered)?;
        self.pass_gate(ordered.commit)?;
        if let Err(error) = self.apply_catalog(ordered.commit, change, built) {
            return Err(self.poison(&error));
        }
        self.watermark.note_applied(ordered.commit);
        self.show(ordered.commit)?;
        Ok(Committed { commit: Some(ordered.commit), position: Some(ordered.end) })
    }
}

/// Trees of a table: the rows', and one for each index that is not the primary key.
fn tree_count(def: &TableDef) -> usize {
    1 + def.indexes.len() - usize::from(def.primary_index().is_some())
}

/// Whether values of a column are values of the other, byte for byte in rows and in keys.
fn same_bytes(a: &ColumnDef, b: &ColumnDef) -> bool {
    let types = match (&a.ty, &b.ty) {
        (ColumnType::Integer(a), ColumnType::Integer(b)) => a.size == b.size && a.unsigned == b.unsigned,
        (ColumnType::Decimal(a), ColumnType::Decimal(b)) => a.precision == b.precision && a.scale == b.scale,
        (ColumnType::Float(_), ColumnType::Float(_)) | (ColumnType::Double(_), ColumnType::Double(_)) => true,
        (ColumnType::Char(_), ColumnType::Char(_))
        | (ColumnType::VarChar(_), ColumnType::VarChar(_))
        | (ColumnType::VarBinary(_), ColumnType::VarBinary(_)) => {
            a.ty.length_bytes(a.collation) == b.ty.length_bytes(b.collation)
        }
        (ColumnType::Enum(a), ColumnType::Enum(b)) => (a.len() < 256) == (b.len() < 256),
        (a, b) => a == b,
    };
    types && a.nullable == b.nullable && a.collation == b.collation
}

impl Table {
    /// Whether rows of this table are also rows of `new`, byte for byte, under the same clustered key. `absent`: NOT NULL
    /// columns whose row values in them are known.
    pub(crate) fn keeps_rows(&self, new: &TableDef, absent: &[(usize, Vec<u8>)]) -> bool {
        let old = self.def();
        let same_columns = old.columns.iter().zip(&new.columns).all(|(a, b)| same_bytes(a, b));
        let is_known = |at: usize| new.columns[at].nullable || absent.iter().any(|(column, _)| *column == at);
        let added_known = types::RowLayout::has_bits(old.columns.len(), new.columns.len())
            && (old.columns.len()..new.columns.len()).all(is_known);
        let primary = |def: &TableDef| def.primary_index().map(|i| def.indexes[i].parts.clone());
        same_columns && added_known && primary(old) == primary(new)
    }
}
