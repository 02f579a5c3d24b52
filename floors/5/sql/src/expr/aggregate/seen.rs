//! Values that an aggregate with DISTINCT has seen.

use crate::expr::{Type, sort_key};
use hashbrown::HashSet;
use types::Value;

/// What is kept of an integer.
const INTEGER_BYTES: usize = size_of::<i64>();
/// What is kept beside a key.
const KEY_BYTES: usize = 32;

/// Values seen: integers of columns as they are, all else by keys. Small, for there is one for each group.
#[derive(Default)]
pub(super) struct Seen {
    /// Alike values come one behind the other: only the last one is kept.
    together: bool,
    /// The first few integers, in order.
    few: Vec<i64>,
    others: Option<Box<Others>>,
}

/// Values seen that are more than a few integers.
#[derive(Default)]
struct Others {
    /// All integers, where they are many.
    integers: HashSet<i64>,
    keys: HashSet<Box<[u8]>>,
    /// The last key, where alike values come together.
    last: Option<Vec<u8>>,
}

impl Seen {
    /// So many integers are kept in order.
    const FEW: usize = 32;

    /// Nothing seen. `together`: alike values will come one behind the other.
    pub(super) fn new(together: bool) -> Seen {
        Seen { together, ..Seen::default() }
    }

    /// Adds an integer; gives the bytes kept of it if it is new.
    pub(super) fn insert(&mut self, n: i64) -> Option<usize> {
        if self.together {
            let new = self.few.first() != Some(&n);
            self.few.clear();
            self.few.push(n);
            return new.then_some(0);
        }
        if let Some(others) = &mut self.others
            && !others.integers.is_empty()
        {
            return others.integers.insert(n).then_some(INTEGER_BYTES);
        }
        let Err(place) = self.few.binary_search(&n) else { return None };
        match self.few.len() < Self::FEW {
            true => self.few.insert(place, n),
            false => {
                let integers = self.few.drain(..).chain([n]);
                self.others.get_or_insert_default().integers.extend(integers);
            }
        }
        Some(INTEGER_BYTES)
    }

    /// Adds a key; gives the bytes kept of it if it is new.
    pub(super) fn insert_key(&mut self, key: &[u8]) -> Option<usize> {
        let others = self.others.get_or_insert_default();
        if self.together {
            if others.last.as_deref() == Some(key) {
                return None;
            }
            let last = others.last.get_or_insert_default();
            last.clear();
            last.extend_from_slice(key);
            return Some(0);
        }
        let keys = &mut others.keys;
        let before = keys.len();
        keys.get_or_insert_with(key, |key| key.into());
        (keys.len() > before).then_some(key.len() + KEY_BYTES)
    }

    /// The keys of all values, which are such as columns of a type have.
    pub(super) fn into_keys(self, ty: &Type) -> impl Iterator<Item = Box<[u8]>> {
        let others = *self.others.unwrap_or_default();
        let integers = self.few.into_iter().chain(others.integers).map(|n| {
            let mut key = Vec::new();
            sort_key(&Value::Int(n), ty, false, &mut key);
            key.into()
        });
        integers.chain(others.keys)
    }
}
