//! Values that an aggregate with DISTINCT has seen.

use crate::expr::{Type, sort_key};
use hashbrown::HashSet;
use types::Value;

/// Values seen: integers of columns as they are, all else by keys. Small, for there is one for each group.
#[derive(Default)]
pub(super) struct Seen {
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
}

impl Seen {
    /// So many integers are kept in order.
    const FEW: usize = 32;

    /// Adds an integer; whether it is new.
    pub(super) fn insert(&mut self, n: i64) -> bool {
        if let Some(others) = &mut self.others
            && !others.integers.is_empty()
        {
            return others.integers.insert(n);
        }
        let Err(place) = self.few.binary_search(&n) else { return false };
        match self.few.len() < Self::FEW {
            true => self.few.insert(place, n),
            false => {
                let integers = self.few.drain(..).chain([n]);
                self.others.get_or_insert_default().integers.extend(integers);
            }
        }
        true
    }

    /// Adds a key; whether it is new.
    pub(super) fn insert_key(&mut self, key: &[u8]) -> bool {
        let keys = &mut self.others.get_or_insert_default().keys;
        let before = keys.len();
        keys.get_or_insert_with(key, |key| key.into());
        keys.len() > before
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
