//! The directory: names as readers see them, names on the medium, and the changes between the two.

use std::collections::{BTreeMap, BTreeSet};

use super::crash::Mood;
use super::image::InodeNo;
use super::rng::Rng;

/// A change of names not synced yet.
#[derive(Clone)]
pub(super) enum Rewrite {
    Create { name: Box<str>, inode: InodeNo },
    Remove { name: Box<str> },
    Rename { from: Box<str>, to: Box<str> },
}

type Entries = BTreeMap<Box<str>, InodeNo>;

#[derive(Clone, Default)]
pub(super) struct Names {
    live: Entries,
    durable: Entries,
    pending: Vec<(u64, Rewrite)>,
}

impl Rewrite {
    fn apply(&self, entries: &mut Entries) {
        match self {
            Rewrite::Create { name, inode } => {
                entries.insert(name.clone(), *inode);
            }
            Rewrite::Remove { name } => {
                entries.remove(name);
            }
            Rewrite::Rename { from, to } => {
                if let Some(inode) = entries.remove(from) {
                    entries.insert(to.clone(), inode);
                }
            }
        }
    }

    /// The names that the change reads or writes.
    fn names(&self) -> impl Iterator<Item = &str> {
        let (first, second) = match self {
            Rewrite::Create { name, .. } | Rewrite::Remove { name } => (name, None),
            Rewrite::Rename { from, to } => (from, Some(to)),
        };
        std::iter::once(first).chain(second).map(AsRef::as_ref)
    }
}

impl Names {
    pub(super) fn lookup(&self, name: &str) -> Option<InodeNo> {
        self.live.get(name).copied()
    }

    pub(super) fn list(&self) -> impl Iterator<Item = (&str, InodeNo)> {
        self.live.iter().map(|(name, inode)| (&**name, *inode))
    }

    pub(super) fn contains(&self, inode: InodeNo) -> bool {
        self.live.values().any(|held| *held == inode)
    }

    pub(super) fn pending_sequences(&self) -> impl Iterator<Item = u64> {
        self.pending.iter().map(|(sequence, _)| *sequence)
    }

    pub(super) fn change(&mut self, sequence: u64, rewrite: Rewrite) {
        rewrite.apply(&mut self.live);
        self.pending.push((sequence, rewrite));
    }

    pub(super) fn sync(&mut self) {
        self.durable = self.live.clone();
        self.pending.clear();
    }

    /// What a crash in this mood leaves: changes that touch a name after a lost change of it are lost too.
    pub(super) fn settle(&self, mood: Mood, rng: &mut Rng) -> Names {
        let mut entries = self.durable.clone();
        let mut stale: BTreeSet<&str> = BTreeSet::new();
        for (sequence, rewrite) in &self.pending {
            let stands = rewrite.names().all(|name| !stale.contains(name));
            if stands && mood.keeps_name(*sequence, rng) {
                rewrite.apply(&mut entries);
            } else {
                stale.extend(rewrite.names());
            }
        }
        Names { live: entries.clone(), durable: entries, pending: Vec::new() }
    }
}
