//! One file: what readers see, what the medium holds, and the changes between the two.

use std::sync::Arc;

use super::contents::Contents;
use super::crash::{Mood, Settled};
use super::rng::Rng;
use crate::file::SECTOR;

const SECTOR_BYTES: u64 = SECTOR as u64;

pub(super) type SectorBytes = [u8; SECTOR];

/// A change not synced yet.
#[derive(Clone)]
pub(super) struct Pending {
    /// The place in the order of all changes of the disk.
    pub(super) sequence: u64,
    pub(super) change: Change,
}

#[derive(Clone)]
pub(super) enum Change {
    Write { offset: u64, data: Arc<[u8]> },
    SetLen { len: u64 },
}

/// A file.
#[derive(Clone, Default)]
pub(super) struct Inode {
    live: Contents,
    durable: Contents,
    pending: Vec<Pending>,
    /// A sync failed once: `live` holds bytes that no later sync carries.
    diverged: bool,
}

impl Change {
    fn apply(&self, contents: &mut Contents) {
        match self {
            Change::Write { offset, data } => contents.write(data, *offset),
            Change::SetLen { len } => contents.set_len(*len),
        }
    }

    /// The file's length after the change, from the one before.
    fn len_after(&self, before: u64) -> u64 {
        match self {
            Change::Write { offset, data } => before.max(offset + data.len() as u64),
            Change::SetLen { len } => *len,
        }
    }
}

impl Inode {
    /// A file that survived a crash.
    pub(super) fn settled(contents: Contents) -> Inode {
        Inode { live: contents.clone(), durable: contents, pending: Vec::new(), diverged: false }
    }

    pub(super) fn live(&self) -> &Contents {
        &self.live
    }

    pub(super) fn pending(&self) -> &[Pending] {
        &self.pending
    }

    pub(super) fn change(&mut self, sequence: u64, change: Change) {
        change.apply(&mut self.live);
        self.pending.push(Pending { sequence, change });
    }

    /// Carries all changes to the medium.
    pub(super) fn sync(&mut self) {
        let cut = self.shrinks().next().is_some();
        let changes = std::mem::take(&mut self.pending);
        if cut || self.diverged {
            changes.iter().for_each(|pending| pending.change.apply(&mut self.durable));
            return;
        }
        // The usual case, by reference: the blocks as readers see them are what the changes made.
        for pending in &changes {
            if let Change::Write { offset, data } = &pending.change {
                self.durable.share(&self.live, *offset, data.len() as u64);
            }
        }
        self.durable.set_len(self.live.len());
    }

    /// Carries some changes to the medium and forgets the rest.
    pub(super) fn fail_sync(&mut self, rng: &mut Rng) {
        self.durable = self.settle(Mood::draw_for_failed_sync(rng), rng).contents;
        self.pending.clear();
        self.diverged = true;
    }

    /// Changes a byte everywhere it is.
    pub(super) fn damage(&mut self, offset: u64, change: impl Fn(u8) -> u8) -> bool {
        let seen = self.live.change(offset, &change);
        self.durable.change(offset, &change);
        seen
    }

    /// Positions of the changes that cut the file shorter.
    fn shrinks(&self) -> impl Iterator<Item = usize> {
        let mut len = self.durable.len();
        self.pending.iter().enumerate().filter_map(move |(position, pending)| {
            let before = len;
            len = pending.change.len_after(before);
            (len < before).then_some(position)
        })
    }

    /// What a crash in this mood leaves.
    pub(super) fn settle(&self, mood: Mood, rng: &mut Rng) -> Settled {
        let mut contents = self.durable.clone();
        match mood {
            Mood::Lost => {}
            Mood::Kept => self.pending.iter().for_each(|pending| pending.change.apply(&mut contents)),
            Mood::Prefix { until } => {
                for pending in &self.pending {
                    if pending.sequence < until {
                        pending.change.apply(&mut contents);
                    } else if pending.sequence == until
                        && let Change::Write { offset, data } = &pending.change
                    {
                        contents.write(&data[..rng.below(data.len() as u64 + 1) as usize], *offset);
                    }
                }
            }
            Mood::Scattered { .. } => return self.scatter(mood, rng),
        }
        Settled { contents, moved: Vec::new() }
    }

    /// Every sector for itself. Cuts stay in order with what comes after them: some of them happened, and
    /// nothing after the first that did not.
    fn scatter(&self, mood: Mood, rng: &mut Rng) -> Settled {
        let shrinks: Vec<usize> = self.shrinks().collect();
        let happened = rng.below(shrinks.len() as u64 + 1) as usize;
        let end = shrinks.get(happened).copied().unwrap_or(self.pending.len());
        // Changes before this position certainly reached the medium as far as lengths go.
        let floor = shrinks[..happened].last().map_or(0, |position| position + 1);

        let mut contents = self.durable.clone();
        for pending in &self.pending[..floor] {
            if let Change::SetLen { len } = pending.change {
                contents.set_len(len);
            }
        }
        let mut moved = Vec::new();
        for changes in sectors(&self.pending[..end]).chunk_by(|a, b| a.0 == b.0) {
            let sector = changes[0].0;
            let versions = self.versions(sector, changes, floor);
            let (bytes, misdirected) = mood.draw_sector(&versions, rng);
            contents.write(&bytes, sector * SECTOR_BYTES);
            moved.extend(misdirected.map(|bytes| (sector, bytes)));
        }
        contents.set_len(self.draw_len(floor, end, rng));
        Settled { contents, moved }
    }

    /// The contents that `sector` may have: after none, one, two ... of its writes, each as the cuts that
    /// happened left it.
    fn versions(&self, sector: u64, writes: &[(u64, usize)], floor: usize) -> Vec<SectorBytes> {
        let start = sector * SECTOR_BYTES;
        let is_cut = |position: &usize| matches!(self.pending[*position].change, Change::SetLen { .. });
        let cuts: Vec<usize> = (0..floor).filter(is_cut).collect();
        let version = |writes: &[(u64, usize)]| {
            let mut bytes = [0; SECTOR];
            self.durable.read(&mut bytes, start);
            let mut positions: Vec<usize> = writes.iter().map(|(_, position)| *position).collect();
            positions.extend(&cuts);
            positions.sort_unstable();
            positions.iter().for_each(|position| overlay(&mut bytes, start, &self.pending[*position].change));
            bytes
        };
        (0..=writes.len()).map(|count| version(&writes[..count])).collect()
    }

    /// One of the lengths that the file had since the last cut that happened.
    fn draw_len(&self, floor: usize, end: usize, rng: &mut Rng) -> u64 {
        let mut len = self.durable.len();
        let mut lens = Vec::with_capacity(end - floor + 1);
        for (position, pending) in self.pending[..end].iter().enumerate() {
            if position >= floor {
                lens.push(len);
            }
            len = pending.change.len_after(len);
        }
        lens.push(len);
        match rng.below(4) {
            0 => lens[0],
            1 => *rng.pick(&lens),
            _ => len,
        }
    }

    /// Sectors where a misdirected write may land: unsynced ones whose synced content the writer gave up.
    pub(super) fn victims(&self) -> Vec<u64> {
        let mut victims: Vec<u64> = sectors(&self.pending).into_iter().map(|(sector, _)| sector).collect();
        victims.dedup();
        victims.retain(|sector| {
            let start = sector * SECTOR_BYTES;
            let (mut old, mut new) = ([0; SECTOR], [0; SECTOR]);
            self.durable.read(&mut old, start);
            self.live.read(&mut new, start);
            // What no write covers is kept, be it less than a word.
            let mut uncovered = old;
            for Pending { change, .. } in &self.pending {
                if let Change::Write { offset, data } = change {
                    let within = |at: u64| (at.clamp(start, start + SECTOR_BYTES) - start) as usize;
                    uncovered[within(*offset)..within(offset + data.len() as u64)].fill(0);
                }
            }
            let (old_words, _) = old.as_chunks::<8>();
            let (new_words, _) = new.as_chunks::<8>();
            uncovered == [0; SECTOR]
                && old_words.iter().zip(new_words).all(|(old, new)| *old == [0; 8] || old != new)
        });
        victims
    }
}

/// The sectors that each write touches, as (sector, position of the change), by sector and then by position.
fn sectors(pending: &[Pending]) -> Vec<(u64, usize)> {
    let mut sectors = Vec::new();
    for (position, pending) in pending.iter().enumerate() {
        if let Change::Write { offset, data } = &pending.change {
            let end = offset + data.len() as u64;
            sectors
                .extend((offset / SECTOR_BYTES..end.div_ceil(SECTOR_BYTES)).map(|sector| (sector, position)));
        }
    }
    sectors.sort_unstable();
    sectors
}

/// Applies `change` to the bytes of the sector that starts at `start`.
fn overlay(bytes: &mut SectorBytes, start: u64, change: &Change) {
    match change {
        Change::Write { offset, data } => {
            let end = offset + data.len() as u64;
            let from = (*offset).max(start);
            let to = end.min(start + SECTOR_BYTES);
            if from < to {
                bytes[(from - start) as usize..(to - start) as usize]
                    .copy_from_slice(&data[(from - offset) as usize..(to - offset) as usize]);
            }
        }
        Change::SetLen { len } => {
            let cut = len.saturating_sub(start).min(SECTOR_BYTES) as usize;
            bytes[cut..].fill(0);
        }
    }
}
