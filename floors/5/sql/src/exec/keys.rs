//! Different keys, numbered in the order in which they came.

use crate::error::SqlError;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::{BuildHasher, Hasher};

/// Byte strings, each once: their bytes lie side by side, none of them is allocated by itself.
#[derive(Default)]
pub struct Keys {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    /// Each one's hash and number.
    index: HashTable<(u64, u32)>,
    hasher: DefaultHashBuilder,
}

impl Keys {
    /// Keys there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of a key that came before, or its hash for [`Self::add`].
    pub fn find(&self, key: &[u8]) -> Result<u32, u64> {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(key);
        let hash = hasher.finish();
        // Of empty keys alone there are no bytes: comparing such slices takes some cores hundreds of cycles.
        let same = |number: u32| key.is_empty() && self.key(number).is_empty() || self.key(number) == key;
        let found = self.index.find(hash, |&(other, number)| other == hash && same(number));
        found.map(|&(_, number)| number).ok_or(hash)
    }

    /// Adds a key that [`Self::find`] has not found, by the hash that it gave; gives its number.
    pub fn add(&mut self, hash: u64, key: &[u8]) -> Result<u32, SqlError> {
        let number = u32::try_from(self.len()).map_err(|_| SqlError::out_of_resources())?;
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
        self.index.insert_unique(hash, (hash, number), |&(hash, _)| hash);
        Ok(number)
    }

    /// Whether a key came before.
    pub fn contains(&self, key: &[u8]) -> bool {
        self.find(key).is_ok()
    }

    /// All keys, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len() as u32).map(|number| self.key(number))
    }

    fn key(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_as_they_come() {
        let mut keys = Keys::default();
        let key = |n: u32| n.to_be_bytes()[..n as usize % 5].repeat(1 + n as usize % 3);
        let mut expected: Vec<Vec<u8>> = Vec::new();
        for n in (0..3000).chain(1000..4000) {
            let key = key(n);
            let known = expected.iter().position(|other| *other == key);
            match keys.find(&key) {
                Ok(number) => assert_eq!(Some(number as usize), known),
                Err(hash) => {
                    assert_eq!(known, None);
                    assert_eq!(keys.add(hash, &key).unwrap() as usize, expected.len());
                    expected.push(key);
                }
            }
        }
        assert!(keys.iter().eq(expected.iter().map(Vec::as_slice)));
        assert!(expected.len() > 100 && expected.contains(&Vec::new()));
    }
}
