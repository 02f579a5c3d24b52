//! A table as it is used: definition, row layout, trees, counters.

use crate::catalog::AutoIncrement;
use crate::catalog::record::{TableRecord, TableStats};
use crate::catalog::statistics::KeptStatistics;
use crate::error::{EngineError, Result};
use crate::ids::{CommitNo, TableId};
use crate::lock::metadata::NameLock;
use binlog::event::TableMapBuilder;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};
use tree::Tree;
use types::{IndexKey, RowLayout, TableDef};

/// Bytes of the key that a table without a primary key is clustered by.
pub(crate) const ROW_ID_BYTES: usize = 8;

/// A tree, shared by all versions of its table and by what is to be purged in it.
pub(crate) struct TreeHandle {
    /// Its number.
    pub(crate) no: u32,
    /// The tree.
    pub(crate) tree: Tree,
    /// Its pages were given back: it must not be touched any more.
    pub(crate) freed: AtomicBool,
}

impl TreeHandle {
    pub(crate) fn new(tree: Tree) -> TreeHandle {
        TreeHandle { no: tree.number().0, tree, freed: AtomicBool::new(false) }
    }
}

/// One tree of a table.
pub(crate) struct TableTree {
    /// Its number.
    pub(crate) no: u32,
    /// The tree.
    pub(crate) handle: Arc<TreeHandle>,
    /// Position of its index in the definition; `None` for rows clustered by a hidden row id.
    pub(crate) index: Option<usize>,
    /// Equal keys are refused.
    pub(crate) unique: bool,
    /// How its keys are made: the index's own parts only.
    pub(crate) key: Option<IndexKey>,
    /// The columns that its entries keep beside their keys.
    pub(crate) beside: Box<[usize]>,
}

/// What changes without DDL; shared by all versions of a table.
#[derive(Debug)]
pub(crate) struct TableCounters {
    pub(crate) id: TableId,
    pub(crate) rows: AtomicI64,
    pub(crate) row_id: AtomicU64,
    pub(crate) auto_increment: AutoIncrement,
    /// Changed since the last checkpoint noted it: among the [`Unnoted`].
    touched: AtomicBool,
    /// Rows changed since the server started; tells when statistics are old.
    pub(crate) changes: AtomicU64,
    /// When the last of them was committed: seconds since 1970, 0 for none.
    pub(crate) changed_at: AtomicU32,
}

impl TableCounters {
    pub(crate) fn of(id: TableId, stats: &TableStats) -> TableCounters {
        TableCounters {
            id,
            rows: AtomicI64::new(stats.rows),
            row_id: AtomicU64::new(stats.row_id.max(1)),
            auto_increment: AutoIncrement::new(stats.auto_increment),
            touched: AtomicBool::new(false),
            changes: AtomicU64::new(0),
            changed_at: AtomicU32::new(0),
        }
    }

    pub(crate) fn stats(&self) -> TableStats {
        TableStats {
            rows: self.rows.load(Ordering::Relaxed),
            auto_increment: self.auto_increment.get(),
            row_id: self.row_id.load(Ordering::Relaxed),
        }
    }
}

/// Counters that changed since the last checkpoint, which notes them: it does not look at every table.
#[derive(Debug, Default)]
pub(crate) struct Unnoted(Mutex<Vec<Arc<TableCounters>>>);

impl Unnoted {
    /// Counters have changed.
    pub(crate) fn add(&self, counters: &Arc<TableCounters>) {
        // A load first: the flag is set already but once between two checkpoints.
        if !counters.touched.load(Ordering::Relaxed) && !counters.touched.swap(true, Ordering::Relaxed) {
            self.0.lock().push(counters.clone());
        }
    }

    /// Hands each to `note`, up to the first error; what was not noted stays.
    pub(crate) fn drain(&self, mut note: impl FnMut(&TableCounters) -> Result<()>) -> Result<()> {
        let mut all = std::mem::take(&mut *self.0.lock());
        while let Some(counters) = all.pop() {
            // Before they are read: what changes from here on is added again.
            counters.touched.store(false, Ordering::Relaxed);
            if let Err(error) = note(&counters) {
                self.add(&counters);
                self.0.lock().append(&mut all);
                return Err(error);
            }
        }
        Ok(())
    }
}

/// A table. Immutable but for its counters; DDL makes another one and marks this one as gone.
pub struct Table {
    id: TableId,
    def: Arc<TableDef>,
    layout: RowLayout,
    /// The rows' tree first, then one for each other index in the order of the definition.
    trees: Vec<TableTree>,
    /// For each index of the definition its place in `trees`.
    places: Vec<usize>,
    /// The record's list of trees whose entries keep columns beside their keys.
    keeping: Vec<u32>,
    pub(crate) counters: Arc<TableCounters>,
    pub(super) statistics: KeptStatistics,
    pub(crate) lock: Arc<NameLock>,
    gone: AtomicBool,
    /// One session's own: in no catalog, in no log.
    temporary: bool,
    /// The commit that made this version: older snapshots cannot read it, as its indexes know only what is there now.
    since: CommitNo,
    defined_at: u32,
    auto_increment_column: Option<usize>,
    /// Version of the catalog that was asked, times two, plus one if this table is a foreign key's parent; 0: unknown.
    parent: AtomicU64,
    /// The TABLE_MAP event.
    pub(crate) table_map: TableMapBuilder,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({}.{}, id {})", self.def.db, self.def.name, self.id)
    }
}

impl Table {
    /// A table over its trees, which come in the record's order.
    pub(crate) fn new(
        record: TableRecord,
        trees: Vec<Arc<TreeHandle>>,
        counters: Arc<TableCounters>,
        lock: Arc<NameLock>,
        since: CommitNo,
    ) -> Result<Table> {
        let TableRecord { id, mut def, trees: numbers, keeping, defined_at, absent } = record;
        // The counter goes its own way from here: a definition that is written again must not set it back.
        def.auto_increment = None;
        let id = TableId(id);
        if absent.iter().any(|(column, _)| *column >= def.columns.len()) {
            return Err(EngineError::corrupt_table("read the catalog", &def.db, &def.name, id));
        }
        let layout = RowLayout::of(&def).with_absent(&absent);
        let primary = def.primary_index();
        let others = (0..def.indexes.len()).filter(|&i| Some(i) != primary);
        let order: Vec<Option<usize>> = std::iter::once(primary).chain(others.map(Some)).collect();
        if order.len() != numbers.len() || numbers.len() != trees.len() {
            return Err(EngineError::corrupt_table("read the catalog", &def.db, &def.name, id));
        }
        let mut places = vec![0; def.indexes.len()];
        let mut table_trees = Vec::with_capacity(trees.len());
        for (place, ((index, no), handle)) in order.into_iter().zip(numbers).zip(trees).enumerate() {
            let index_def = index.map(|i| &def.indexes[i]);
            if let Some(i) = index {
                places[i] = place;
            }
            let key = index_def.map(|d| IndexKey::primary(&def, d));
            let beside = match &key {
                Some(key) if place > 0 && keeping.contains(&no) => key.columns_beside().into(),
                _ => Box::default(),
            };
            let unique = index_def.is_some_and(types::IndexDef::is_unique);
            table_trees.push(TableTree { no, handle, index, unique, key, beside });
        }
        let table_map = super::table_map::of(id, &def);
        let gone = AtomicBool::new(false);
        let auto_increment_column = def.auto_increment_column();
        let def = Arc::new(def);
        Ok(Table {
            id,
            def,
            layout,
            trees: table_trees,
            places,
            keeping,
            counters,
            statistics: KeptStatistics::default(),
            lock,
            gone,
            temporary: false,
            since,
            defined_at,
            auto_increment_column,
            parent: AtomicU64::new(0),
            table_map,
        })
    }

    /// The same as one session's own, see [`Table::is_temporary`].
    pub(crate) fn into_temporary(mut self) -> Table {
        self.temporary = true;
        self
    }

    /// Whether this is a temporary table: one session's own, in no catalog, its rows in no log and without versions.
    pub fn is_temporary(&self) -> bool {
        self.temporary
    }

    /// The id of this version of the table.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// The definition.
    pub fn def(&self) -> &Arc<TableDef> {
        &self.def
    }

    /// Its database's name.
    pub fn db(&self) -> &str {
        &self.def.db
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.def.name
    }

    /// How its rows are encoded.
    pub fn layout(&self) -> &RowLayout {
        &self.layout
    }

    /// Rows, about.
    pub fn row_count(&self) -> u64 {
        self.counters.rows.load(Ordering::Relaxed).max(0) as u64
    }

    /// When its definition was made or altered last, in seconds since 1970; unknown of tables that older builds made.
    pub fn defined_at(&self) -> Option<u32> {
        Some(self.defined_at).filter(|&at| at > 0)
    }

    /// When its rows were changed last since the server started, in seconds since 1970.
    pub fn changed_at(&self) -> Option<u32> {
        Some(self.counters.changed_at.load(Ordering::Relaxed)).filter(|&at| at > 0)
    }

    /// The AUTO_INCREMENT counter.
    pub fn auto_increment(&self) -> &AutoIncrement {
        &self.counters.auto_increment
    }

    /// Position of the primary key in the definition; `None`: rows are clustered by a hidden row id.
    pub fn primary_index(&self) -> Option<usize> {
        self.trees[0].index
    }

    /// Whether no DDL has replaced or dropped this version. Certain only while its name is held.
    #[inline]
    pub fn is_current(&self) -> bool {
        !self.gone.load(Ordering::Acquire)
    }

    /// How the keys of an index are made from values or rows: its own parts, without the primary key behind them.
    pub fn index_key(&self, index: usize) -> Option<&IndexKey> {
        self.trees[*self.places.get(index)?].key.as_ref()
    }

    /// The columns that an index of the definition has beside its keys, in the order in which [`crate::read_beside`] gives
    /// them.
    pub fn columns_beside(&self, index: usize) -> &[usize] {
        self.places.get(index).map_or(&[], |&place| &self.trees[place].beside)
    }

    /// The trees whose entries keep columns beside their keys, where the index has such.
    pub(crate) fn keeping(&self) -> &[u32] {
        &self.keeping
    }

    /// Pages of an index of the definition (or [`crate::CLUSTERED`]).
    pub fn index_pages(&self, index: usize) -> u64 {
        let place = self.places.get(index).copied().unwrap_or_default();
        self.trees[place].handle.tree.pages()
    }

    /// Appends the clustered key of a row; `None` for a table without a primary key.
    pub fn primary_key(&self, row: &[u8], out: &mut Vec<u8>) -> Result<Option<()>> {
        match &self.trees[0].key {
            Some(key) => Ok(key.append_row(&self.layout, row, out).map(|_| Some(()))?),
            None => Ok(None),
        }
    }

    /// The commit that made this version of the table.
    pub fn since(&self) -> CommitNo {
        self.since
    }

    /// Whether this is a parent as of a version of the catalog, if that was asked.
    pub(crate) fn parent_known(&self, version: u64) -> Option<bool> {
        let known = self.parent.load(Ordering::Relaxed);
        (known >> 1 == version && version > 0).then_some(known & 1 == 1)
    }

    pub(crate) fn note_parent(&self, version: u64, is_parent: bool) {
        self.parent.store(version << 1 | u64::from(is_parent), Ordering::Relaxed);
    }

    pub(crate) fn auto_increment_column(&self) -> Option<usize> {
        self.auto_increment_column
    }

    /// DDL has replaced this version. Called under its exclusive name.
    pub(crate) fn mark_gone(&self) {
        self.gone.store(true, Ordering::Release);
    }

    pub(crate) fn trees(&self) -> &[TableTree] {
        &self.trees
    }

    /// Place in `trees` of an index of the definition.
    pub(crate) fn place(&self, index: usize) -> Result<usize> {
        self.places
            .get(index)
            .copied()
            .ok_or_else(|| EngineError::NoSuchIndex(format!("{index} of {}.{}", self.db(), self.name())))
    }

    /// The record that the catalog keeps.
    pub(crate) fn record(&self) -> TableRecord {
        let trees = self.trees.iter().map(|t| t.no).collect();
        let keeping = self.keeping.clone();
        let (def, absent) = ((*self.def).clone(), self.layout.absent());
        TableRecord { id: self.id.0, def, trees, keeping, defined_at: self.defined_at, absent }
    }

    /// A new hidden row id, as a clustered key.
    pub(crate) fn next_row_id(&self) -> [u8; ROW_ID_BYTES] {
        self.counters.row_id.fetch_add(1, Ordering::Relaxed).to_be_bytes()
    }

    /// Writes the clustered key of a row into `out`; `row_id` serves where there is no primary key.
    pub(crate) fn clustered_key(&self, row: &[u8], row_id: Option<&[u8]>, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        match (&self.trees[0].key, row_id) {
            (Some(key), _) => {
                key.append_row(&self.layout, row, out)?;
            }
            (None, Some(id)) => out.extend_from_slice(id),
            (None, None) => {
                return Err(EngineError::corrupt_table("find a row's id", self.db(), self.name(), self.id));
            }
        }
        check_length(out)
    }

    /// A stored image with all columns in it: an older one may lack some.
    pub(crate) fn whole_row<'r>(&self, row: Cow<'r, [u8]>) -> Result<Cow<'r, [u8]>> {
        Ok(self.layout.made_whole(&row)?.map_or(row, Cow::Owned))
    }

    /// Whether a stored image holds what one made now does.
    pub fn is_same_row(&self, stored: &[u8], made: &[u8]) -> Result<bool> {
        Ok(stored == made || self.layout.made_whole(stored)?.is_some_and(|whole| whole == made))
    }

    /// Whether two images of a row may have other entries in a tree, if their clustered keys are one: one of its columns
    /// has other bytes.
    pub(crate) fn entry_differs(&self, place: usize, before: &[u8], after: &[u8]) -> Result<bool> {
        let index = self.trees[place].index.and_then(|index| self.def.indexes.get(index));
        let Some(index) = index else { return Ok(true) };
        for part in &index.parts {
            let before = self.layout.column_bytes(before, part.column)?;
            if before != self.layout.column_bytes(after, part.column)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Refuses a key that no tree takes.
pub(super) fn check_length(key: &[u8]) -> Result<()> {
    if key.len() > tree::KEY_MAX {
        return Err(EngineError::KeyTooLong { bytes: key.len(), limit: tree::KEY_MAX });
    }
    Ok(())
}
