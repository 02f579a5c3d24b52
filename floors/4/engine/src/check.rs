//! The verifier of a table: each tree's structure, and each index against the rows.

use crate::catalog::Table;
use crate::core::{Core, decode};
use crate::error::{EngineError, Result};
use std::ops::Bound;

/// Checks a table that no transaction changes meanwhile; returns its rows. Purges wait: they merge the pages of deleted
/// rows, which a look from page to page would take for damage.
pub(crate) fn check_table(core: &Core, table: &Table) -> Result<u64> {
    let _purges_wait = core.purge.alone();
    for tree in table.trees() {
        tree.handle.tree.check()?;
    }
    let corrupt = |verb| EngineError::corrupt_table(verb, table.db(), table.name(), table.id());
    let rows = &table.trees()[0].handle;
    let mut cursor = rows.tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
    let (mut count, mut scratch, mut found, mut clustered) = (0_u64, Vec::new(), Vec::new(), Vec::new());
    while cursor.advance(&rows.tree)? {
        runtime::slice_point();
        let Some(row) = decode(rows, cursor.value())?.payload else { continue };
        count += 1;
        table.clustered_key(row, Some(cursor.key()), &mut clustered)?;
        if clustered != cursor.key() {
            return Err(corrupt("compare a row with its key"));
        }
        for place in 1..table.trees().len() {
            let entry = table.secondary_entry(place, row, cursor.key(), &mut scratch)?;
            let handle = &table.trees()[place].handle;
            let live = core.read_newest(handle, &mut tree::Finger::default(), &entry.key, &mut found)?;
            if !live.is_some_and(|f| f.live) {
                return Err(corrupt("find a row in an index"));
            }
            if found != entry.payload.as_slice() {
                return Err(corrupt("compare a row with its index entry"));
            }
        }
    }
    for tree in &table.trees()[1..] {
        let mut cursor =
            tree.handle.tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
        let mut entries = 0;
        while cursor.advance(&tree.handle.tree)? {
            runtime::slice_point();
            entries += u64::from(decode(&tree.handle, cursor.value())?.payload.is_some());
        }
        if entries != count {
            return Err(corrupt("count an index's entries"));
        }
    }
    if count != table.row_count() {
        return Err(corrupt("compare the row count"));
    }
    Ok(count)
}
