//! An UPDATE that names a table twice.

use super::Scope;
use super::change::Changed;
use super::insert::Given;
use crate::error::SqlError;

/// Error 1706 where a table is updated under two names and a column of its primary key is among what changes.
pub(super) fn check(
    scope: &Scope<'_>,
    targets: &[Changed],
    assignments: &[(usize, usize, Given)],
) -> Result<(), SqlError> {
    let changes_key = |target: usize| {
        let table = &targets[target].table;
        let key = table.primary_index().map(|at| &table.def().indexes[at].parts[..]).unwrap_or_default();
        let mut changed = assignments.iter().filter(|(of, ..)| *of == target);
        changed.any(|(_, column, _)| key.iter().any(|part| part.column == *column))
    };
    for second in 1..targets.len() {
        let first = (0..second).find(|&first| targets[first].table.id() == targets[second].table.id());
        let Some(first) = first.filter(|&first| changes_key(first) || changes_key(second)) else { continue };
        let mut slots = [targets[first].first, targets[second].first];
        slots.sort_unstable();
        let [first, second] = slots.map(|slot| {
            let named = scope.table_with(slot);
            named.map(|table| table.alias.clone()).unwrap_or_default()
        });
        return Err(SqlError::multi_update_key_conflict(first, second));
    }
    Ok(())
}
