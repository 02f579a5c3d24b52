//! USE, FORCE and IGNORE INDEX: which indexes of a table may find its rows, and which may order them.

use crate::syntax::ast::{IndexHint, IndexHintKind, IndexHintScope};
use types::TableDef;
use types::table::same_name;

/// What the hints of one use say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Allowed {
    /// No others than these.
    only: Option<Vec<usize>>,
    ignored: Vec<usize>,
    /// Reading the whole table is the last resort.
    forced: bool,
}

impl Allowed {
    fn allows(&self, index: usize) -> bool {
        !self.ignored.contains(&index) && self.only.as_ref().is_none_or(|only| only.contains(&index))
    }
}

/// What the hints behind a table's name say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    find: Allowed,
    order: Allowed,
}

/// The index that a hint names: by its name, or by a beginning that no other one's name has.
pub fn hinted(def: &TableDef, name: &str) -> Option<usize> {
    let indexes = || def.indexes.iter().enumerate();
    let begins = |own: &str| own.get(..name.len()).is_some_and(|beginning| same_name(beginning, name));
    let whole = indexes().find(|(_, index)| same_name(&index.name, name));
    let mut begun = indexes().filter(|(_, index)| begins(&index.name));
    match (whole, begun.next(), begun.next()) {
        (Some((number, _)), ..) | (None, Some((number, _)), None) => Some(number),
        _ => None,
    }
}

impl Hints {
    /// From hints whose indexes the table has.
    pub fn new(hints: &[IndexHint], def: &TableDef) -> Self {
        let mut made = Self::default();
        // Digests find and order nothing.
        let unused = |index: &types::IndexDef| index.options.ignored || index.is_digest();
        let ignored = def.indexes.iter().enumerate().filter(|(_, index)| unused(index));
        for (number, _) in ignored {
            made.find.ignored.push(number);
            made.order.ignored.push(number);
        }
        for hint in hints {
            let numbers: Vec<usize> = hint.indexes.iter().filter_map(|name| hinted(def, name)).collect();
            let (finds, orders) = match hint.scope {
                IndexHintScope::All => (true, true),
                IndexHintScope::Join => (true, false),
                IndexHintScope::OrderBy | IndexHintScope::GroupBy => (false, true),
            };
            for (_, allowed) in
                [(finds, &mut made.find), (orders, &mut made.order)].into_iter().filter(|u| u.0)
            {
                match hint.kind {
                    IndexHintKind::Ignore => allowed.ignored.extend(&numbers),
                    IndexHintKind::Use | IndexHintKind::Force => {
                        allowed.only.get_or_insert_default().extend(&numbers);
                        allowed.forced |= hint.kind == IndexHintKind::Force;
                    }
                }
            }
        }
        made
    }

    /// Whether rows may be found by an index.
    pub fn may_find(&self, index: usize) -> bool {
        self.find.allows(index)
    }

    /// Whether rows may be read in the order of an index.
    pub fn may_order(&self, index: usize) -> bool {
        self.order.allows(index)
    }

    /// Whether the whole table is read only where no allowed index finds its rows.
    pub fn forced(&self) -> bool {
        self.find.forced
    }
}
