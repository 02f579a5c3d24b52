//! Building indexes of rows that are there, while others go on changing them.
//!
//! ```text
//! follow    from the newest commit on, with the table's name held exclusively for a moment (or kept from writers)
//! fill      scan the rows' newest versions as they come by, sort the entries, load them into an empty tree
//! catch up  read the log behind the scan: for each change of a row its old entry goes and its new one comes
//! prove     at a commit that the tree stands at: two entries of a unique index with the same value are an error
//! publish   exclusively: catch up with the last commits, prove again, then the catalog change
//! ```
//!
//! Nobody but the build knows the trees before they are published, so writers do nothing for them: what writers did
//! is in the log, whole row images and all, as recovery needs it too.
//!
//! **The scan is fuzzy.** It sees each row in some version that it had since the log was followed, or does not see it.
//! The log then takes away the entry of every version but the last, and puts that of the last: whichever the scan saw,
//! the last one's entry is what stays. An entry holds its row's clustered key, so those of different rows never meet.
//!
//! Nothing leads to the trees in the catalog before the change that names them, so a crash leaves pages that the next
//! start frees; replay of that change builds them anew from the rows, which are those of that very commit then.
//!
//! Holds no lock and no snapshot; may wait for pages, for the log to be forced and for temporary files.

mod duplicates;
mod follow;
mod sort;

pub(crate) use follow::{Follower, LogPins};

use crate::catalog::record::TableRecord;
use crate::catalog::trees::Handles;
use crate::catalog::{Table, TreeHandle};
use crate::core::{Core, decode};
use crate::error::{EngineError, Result};
use crate::ids::CommitNo;
use crate::lock::Interrupt;
use crate::mvcc::entry;
use duplicates::Suspects;
use pages::TreeNo;
use sort::Sorter;
use std::ops::Bound;
use std::sync::Arc;
use tree::Tree;

/// How full a leaf is made.
const FILL_PERCENT: usize = 90;

/// The commit before everything, which entries that a build makes count as: see [`Table::since`].
pub(crate) const BEFORE_ALL: CommitNo = CommitNo(0);

/// Indexes under construction.
pub(crate) struct Build {
    /// The table as it will be, over trees of which only those to be filled are not yet everybody's.
    table: Arc<Table>,
    filling: Vec<Filling>,
    /// The trees made for it.
    made: Handles,
}

/// One tree that is being filled.
struct Filling {
    place: usize,
    suspects: Suspects,
}

impl Build {
    /// Fills some empty trees of a table that is there already.
    pub(crate) fn of_places(table: Arc<Table>, places: Vec<usize>) -> Build {
        let filling = places.into_iter().map(|place| Filling { place, suspects: Suspects::default() });
        Build { filling: filling.collect(), table, made: Handles::new() }
    }

    /// Makes the trees that a record names beyond those of `rows`, which has its rows.
    pub(crate) fn begin(core: &Core, rows: &Table, record: &TableRecord) -> Result<Build> {
        let mut made = Handles::new();
        let built = Build::over_new_trees(core, rows, record, &mut made);
        if built.is_err() {
            free(core, &made)?;
        }
        built
    }

    fn over_new_trees(core: &Core, rows: &Table, record: &TableRecord, made: &mut Handles) -> Result<Build> {
        let (mut handles, mut places) = (Vec::new(), Vec::new());
        for (place, &no) in record.trees.iter().enumerate() {
            let known = rows.trees().iter().find(|t| t.no == no).map(|t| t.handle.clone());
            let handle = match known {
                Some(handle) => handle,
                None => {
                    let handle = Arc::new(TreeHandle::new(Tree::create(&core.store, TreeNo(no))?));
                    made.insert(no, handle.clone());
                    places.push(place);
                    handle
                }
            };
            handles.push(handle);
        }
        let lock = core.locks.metadata.name(&record.def.db, &record.def.name);
        let table = Table::new(record.clone(), handles, rows.counters.clone(), lock, BEFORE_ALL)?;
        Ok(Build { made: made.clone(), ..Build::of_places(Arc::new(table), places) })
    }

    /// Whether there is nothing to build.
    pub(crate) fn is_empty(&self) -> bool {
        self.filling.is_empty()
    }

    /// The trees made, for who publishes them.
    pub(crate) fn made(&self) -> &Handles {
        &self.made
    }

    /// Gives everything back.
    pub(crate) fn abandon(&self, core: &Core) -> Result<()> {
        free(core, &self.made)
    }

    /// Fills the trees from the rows as they come by.
    pub(crate) fn fill(&mut self, core: &Core, interrupt: &Interrupt) -> Result<()> {
        for filling in &mut self.filling {
            filling.fill(core, &self.table, interrupt)?;
        }
        Ok(())
    }

    /// Fills the trees from rows that nobody changes.
    pub(crate) fn fill_alone(&mut self, core: &Core, interrupt: &Interrupt) -> Result<()> {
        self.fill(core, interrupt)?;
        self.prove()
    }

    /// Refuses two rows with one value of a unique index. The trees must stand at a commit: what is found was so at
    /// that commit, though the rows may have changed since.
    pub(crate) fn prove(&mut self) -> Result<()> {
        for filling in &mut self.filling {
            if let Some(row) = filling.suspects.prove(&self.table, filling.place)? {
                let index = self.table.trees()[filling.place].index.unwrap_or(crate::CLUSTERED);
                return Err(EngineError::DuplicateRows { index, row });
            }
        }
        Ok(())
    }
}

fn free(core: &Core, made: &Handles) -> Result<()> {
    made.values().try_for_each(|handle| core.free_tree(handle))
}

impl Filling {
    fn fill(&mut self, core: &Core, table: &Table, interrupt: &Interrupt) -> Result<()> {
        let rows = &table.trees()[0].handle;
        let mut cursor = rows.tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
        let mut sorter = Sorter::new(&core.scratch, core.options.sort_bytes);
        let mut scratch = Vec::new();
        while cursor.advance(&rows.tree)? {
            runtime::slice_point();
            interrupt.check()?;
            let Some(row) = decode(rows, cursor.value())?.payload else { continue };
            sorter.add(&table.secondary_entry(self.place, row, cursor.key(), &mut scratch)?)?;
        }
        let mut sorted = sorter.finish()?;
        let target = &table.trees()[self.place];
        let suspects = &mut self.suspects;
        let mut last: Option<Vec<u8>> = None;
        target.handle.tree.bulk_load::<EngineError>(FILL_PERCENT, |key, value| {
            runtime::slice_point();
            interrupt.check()?;
            let Some(entry) = sorted.next()? else { return Ok(false) };
            if target.unique && !entry.has_null {
                let own = &entry.key[..entry.own];
                match &mut last {
                    Some(last) if last == own => suspects.add(own),
                    Some(last) => {
                        last.clear();
                        last.extend_from_slice(own);
                    }
                    None => last = Some(own.to_vec()),
                }
            }
            key.clear();
            key.extend_from_slice(entry.key);
            entry::encode_live(BEFORE_ALL, entry.payload, value);
            Ok(true)
        })?;
        Ok(())
    }
}
