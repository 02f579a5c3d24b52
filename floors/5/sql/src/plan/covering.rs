//! Tables of which an index holds all that is wanted: its entries are read in the place of the rows.

use super::access::cost;
use super::explain::key_len;
use super::{Access, Join, Source, TableAccess};
use engine::{CLUSTERED, Table};
use types::{IndexDef, IndexKey, IndexKind};

/// The columns and slots that are filled from each of a key's leading parts, or of the columns beside it, up to the last
/// one needed.
pub type Parts = Box<[Option<(usize, u32)>]>;

/// An index that is read in the place of a table has so many times fewer pages: its entries cost a little more each.
const LEAN: u64 = 3;

/// What an index entry is read for.
#[derive(Debug)]
pub struct Covered {
    /// Of the index's own parts.
    pub own: Parts,
    /// Of what stands beside the key: texts, which the key has weights of.
    pub beside: Parts,
    /// Of the primary key that every entry ends with.
    pub primary: Parts,
    /// It does for the conditions that are left where the keys made are exact, not for all.
    pub exact_only: bool,
}

impl TableAccess {
    /// Takes note of the columns that the block reads, as far as it is known that its other columns are not read.
    pub fn want_columns(&mut self, is_used: impl Fn(u32) -> bool) {
        let first = self.slots.start;
        let used = self.slots.clone().filter(|&slot| is_used(slot));
        self.columns = used.map(|slot| ((slot - first) as usize, slot)).collect();
    }

    /// What it costs to read a row by an index, in rows scanned.
    pub fn price_by(&self, base: &Table, index: usize) -> f64 {
        match base.primary_index() == Some(index) {
            true => cost::ROW,
            false if self.is_covered_by(base, index) => cost::ENTRY,
            false => cost::FETCH,
        }
    }

    /// Whether entries of a secondary index hold all columns wanted, as far as these are known.
    pub fn is_covered_by(&self, base: &Table, index: usize) -> bool {
        !self.columns.is_empty() && self.covered_by(base, index, &|_| true).is_some()
    }

    fn covered_by(&self, base: &Table, index: usize, wanted: &dyn Fn(u32) -> bool) -> Option<Covered> {
        if self.lock.is_some() || self.target.is_some() || base.primary_index() == Some(index) {
            return None;
        }
        let mut left: Vec<(usize, u32)> =
            self.columns.iter().copied().filter(|(_, slot)| wanted(*slot)).collect();
        let exact_only = left.len() < self.columns.len();
        let mut taken = |held: &mut dyn Iterator<Item = usize>| {
            let mut parts: Vec<Option<(usize, u32)>> = held
                .map(|held| {
                    left.iter().position(|(column, _)| *column == held).map(|at| left.swap_remove(at))
                })
                .collect();
            parts.truncate(parts.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
            Parts::from(parts)
        };
        let read_back = |key: Option<usize>| {
            key.and_then(|key| base.index_key(key)).into_iter().flat_map(IndexKey::columns_read_back)
        };
        let own = taken(&mut read_back(Some(index)));
        let beside = taken(&mut base.columns_beside(index).iter().copied());
        let primary = taken(&mut read_back(base.primary_index()));
        left.is_empty().then_some(Covered { own, beside, primary, exact_only })
    }

    /// Whether it is read along its primary key, and this holds all columns wanted.
    pub fn is_in_primary(&self) -> bool {
        let (Source::Base(base), Access::Index { index, .. }) = (&self.source, &self.access) else {
            return false;
        };
        let parts = &base.def().indexes[*index].parts;
        let held =
            |column: usize| parts.iter().any(|part| part.column == column && part.prefix_chars.is_none());
        base.primary_index() == Some(*index) && self.columns.iter().all(|(column, _)| held(*column))
    }

    /// Has those columns that nothing reads but its own conditions left as they are stored in rows whose conditions are
    /// decided there.
    pub fn deliver(&mut self, wanted: &dyn Fn(u32) -> bool) {
        let delivered: Vec<(usize, u32)> =
            self.columns.iter().copied().filter(|(_, slot)| wanted(*slot)).collect();
        let fewer = delivered.len() < self.columns.len() && self.target.is_none();
        self.delivered = fewer.then_some(delivered);
    }

    /// The columns that are decoded of a row that passes its conditions, where none was for these.
    pub fn columns_delivered(&self) -> &[(usize, u32)] {
        self.delivered.as_ref().unwrap_or(&self.columns)
    }

    /// Has a table that is gone through whole gone through by its smallest index that holds all that is wanted of it, for
    /// there is an entry for each row: by any that is not larger where nothing is wanted, else by one of far fewer pages.
    pub fn scan_index(&mut self) {
        let Source::Base(base) = &self.source else { return };
        if self.lock.is_some() || self.target.is_some() || !matches!(self.access, Access::Scan) {
            return;
        }
        let keys_only = self.columns.is_empty() && self.filter.is_empty() && self.gate.is_empty();
        let times = if keys_only { 1 } else { LEAN };
        let pages = |number: usize| base.index_pages(number);
        let indexes = base.def().indexes.iter().enumerate();
        let serves = |(number, index): &(usize, &IndexDef)| {
            matches!(index.kind, IndexKind::Unique | IndexKind::Key)
                && self.hints.may_find(*number)
                && pages(*number) * times <= pages(CLUSTERED)
                && (keys_only || self.is_covered_by(base, *number))
        };
        // Of as many pages the one of the shortest keys.
        let size = |(number, index): &(usize, &IndexDef)| {
            (pages(*number), key_len(base.def(), index, index.parts.len()))
        };
        if let Some((index, _)) = indexes.filter(serves).min_by_key(size) {
            self.access = Access::Index { index, reverse: false };
            self.residual.clone_from(&self.filter);
            self.keys_only = keys_only;
            self.cover(&|_| true);
        }
    }

    /// Has entries of the index read alone that the table is read by, if they hold all columns that are `wanted` when
    /// the keys are exact.
    pub fn cover(&mut self, wanted: &dyn Fn(u32) -> bool) {
        self.covered = None;
        let Source::Base(base) = &self.source else { return };
        if let Access::Point(index, _) | Access::Ranges { index, .. } | Access::Index { index, .. } =
            &self.access
            && self.skip.is_none()
            && !self.keys_only
        {
            self.covered = self.covered_by(base, *index, wanted);
        }
    }
}

/// Has the tables of a join read from indexes alone where these hold all columns wanted.
pub fn cover(join: &mut Join) {
    match join {
        Join::Table(table) => table.cover(&|_| true),
        Join::Inner(steps) => steps.iter_mut().for_each(|(join, _)| cover(join)),
        Join::Left { left, right, .. } => {
            cover(left);
            cover(right);
        }
        Join::Hash(hash) => cover(&mut hash.build),
    }
}
