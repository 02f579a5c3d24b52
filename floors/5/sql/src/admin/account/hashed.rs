//! The order that MariaDB keeps the columns of a grant in: that of its hash table, whose records stand in one array and
//! change their places as others come.
//!
//! The table grows by linear hashing (Larson, 1988): a record's place is the low bits of its hash, one more of them for
//! the places that were split already. Each new record splits one place, `records - half`, the records of which stay or
//! go to the new end of the array; records of one place are a chain through the array.

use types::CollationId;

/// The columns in the order that the hash table has them in, by their places in the order that they came in.
pub(super) fn order(columns: &[&str]) -> Vec<usize> {
    let mut table = Table { hashes: columns.iter().map(|name| hash(name)).collect(), ..Table::default() };
    (0..columns.len()).for_each(|column| table.insert(column));
    table.links.into_iter().map(|link| link.record).collect()
}

/// `my_hash_sort_utf8mb3` over the weights of `utf8mb3_general_ci`.
fn hash(name: &str) -> u32 {
    let (mut sum, mut salt) = (1u64, 4u64);
    let mut weights = Vec::new();
    CollationId::UTF8MB3_GENERAL_CI.collation().weight_string(name.trim_end().as_bytes(), &mut weights);
    for weight in weights.chunks_exact(2) {
        for byte in [weight[1], weight[0]] {
            sum ^= ((sum & 63) + salt).wrapping_mul(u64::from(byte)).wrapping_add(sum << 8);
            salt += 3;
        }
    }
    sum as u32
}

#[derive(Clone, Copy)]
struct Link {
    record: usize,
    next: Option<usize>,
}

#[derive(Default)]
struct Table {
    links: Vec<Link>,
    hashes: Vec<u32>,
    /// The places that there would be were all of them split.
    half: usize,
}

impl Table {
    /// The place of a record among `places`.
    fn place(&self, record: usize, places: usize) -> usize {
        let (hash, whole) = (self.hashes[record] as usize, (2 * self.half).max(1));
        let place = hash & (whole - 1);
        if place < places { place } else { hash & (whole / 2).saturating_sub(1) }
    }

    /// The chain that starts at a place.
    fn chain(&self, first: usize) -> Vec<usize> {
        let chain = std::iter::successors(Some(first), |&at| self.links[at].next);
        chain.collect()
    }

    fn insert(&mut self, record: usize) {
        let records = self.links.len();
        let mut empty = records;
        self.links.push(Link { record, next: None });
        if records > 0 {
            let split = records - self.half;
            if self.place(self.links[split].record, records) == split {
                empty = self.split(split, empty);
            }
        }
        let place = self.place(record, records + 1);
        if place == empty {
            self.links[place] = Link { record, next: None };
        } else {
            let other = self.links[place];
            self.links[empty] = other;
            let home = self.place(other.record, records + 1);
            if home == place {
                self.links[place] = Link { record, next: Some(empty) };
            } else {
                // A record of another chain made way.
                let before = self.chain(home).into_iter().find(|&at| self.links[at].next == Some(place));
                self.links[place] = Link { record, next: None };
                if let Some(before) = before {
                    self.links[before].next = Some(empty);
                }
            }
        }
        if records + 1 == (2 * self.half).max(1) {
            self.half = (2 * self.half).max(1);
        }
    }

    /// Parts the chain of a place: those whose next bit is set move up. Gives the place of the array that is free then.
    fn split(&mut self, first: usize, mut empty: usize) -> usize {
        let half = self.half as u32;
        let [mut low, mut high] = [const { Vec::<(usize, usize)>::new() }; 2];
        for at in self.chain(first) {
            let record = self.links[at].record;
            if self.hashes[record] & half == 0 {
                if low.is_empty() && !high.is_empty() {
                    low.push((empty, record));
                    empty = at;
                } else {
                    low.push((at, record));
                }
            } else if high.is_empty() {
                high.push((empty, record));
                empty = at;
            } else {
                high.push((at, record));
            }
        }
        for chain in [low, high] {
            for (i, &(at, record)) in chain.iter().enumerate() {
                self.links[at] = Link { record, next: chain.get(i + 1).map(|&(next, _)| next) };
            }
        }
        empty
    }
}
