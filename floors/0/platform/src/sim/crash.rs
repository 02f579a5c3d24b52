//! What a power cut leaves of the unsynced changes: see the model in [`crate::sim`].

use std::collections::BTreeMap;

use super::contents::Contents;
use super::image::{Image, InodeNo};
use super::inode::{Inode, SectorBytes};
use super::rng::Rng;
use crate::file::SECTOR;

/// What harm a simulated disk does in a crash, beyond losing unsynced sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrashModel {
    /// Sectors may be torn inside.
    pub torn: bool,
    /// Sectors may land where another unsynced one belongs.
    pub misdirected: bool,
}

impl Default for CrashModel {
    fn default() -> CrashModel {
        CrashModel { torn: true, misdirected: true }
    }
}

/// How a crash treats unsynced changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mood {
    Lost,
    Kept,
    /// Changes before the one numbered `until`, and a part of that one.
    Prefix {
        until: u64,
    },
    /// Each sector for itself, kept in `percent` of the cases.
    Scattered {
        percent: u64,
        torn: bool,
        misdirected: bool,
    },
}

/// A file as a crash left it.
pub(super) struct Settled {
    pub(super) contents: Contents,
    /// Sectors whose new bytes went elsewhere.
    pub(super) moved: Vec<(u64, SectorBytes)>,
}

impl Mood {
    fn draw(image: &Image, model: CrashModel, rng: &mut Rng) -> Mood {
        match rng.below(8) {
            0 => Mood::Lost,
            1 => Mood::Kept,
            2 | 3 => {
                let (first, last) = image.pending_span();
                Mood::Prefix { until: first + rng.below(last + 1 - first) }
            }
            _ => Mood::Scattered {
                percent: *rng.pick(&[10, 50, 50, 90]),
                torn: model.torn,
                misdirected: model.misdirected && rng.one_in(2),
            },
        }
    }

    /// A failing sync writes what it can, sector by sector.
    pub(super) fn draw_for_failed_sync(rng: &mut Rng) -> Mood {
        Mood::Scattered { percent: *rng.pick(&[0, 10, 50, 90]), torn: false, misdirected: false }
    }

    /// The bytes that a sector with these versions, oldest first, is left with; and those that went elsewhere.
    pub(super) fn draw_sector(
        self,
        versions: &[SectorBytes],
        rng: &mut Rng,
    ) -> (SectorBytes, Option<SectorBytes>) {
        let Mood::Scattered { percent, torn, misdirected } = self else {
            unreachable!("only scattered draws")
        };
        let newest = versions.len() - 1;
        let chance = rng.below(64);
        if misdirected && chance < 4 {
            return (versions[0], Some(versions[newest]));
        }
        if torn && (4..10).contains(&chance) {
            let older = rng.below(newest as u64) as usize;
            let cut = 1 + rng.below(SECTOR as u64 - 1) as usize;
            let mut bytes = versions[older];
            bytes[..cut].copy_from_slice(&versions[older + 1][..cut]);
            return (bytes, None);
        }
        if (10..14).contains(&chance) {
            return (*rng.pick(versions), None);
        }
        let kept = rng.below(100) < percent;
        (versions[if kept { newest } else { 0 }], None)
    }

    /// Whether a change of names with this sequence number survives, when nothing it stands on was lost.
    pub(super) fn keeps_name(self, sequence: u64, rng: &mut Rng) -> bool {
        match self {
            Mood::Lost => false,
            Mood::Kept => true,
            Mood::Prefix { until } => sequence < until,
            Mood::Scattered { .. } => rng.one_in(2),
        }
    }
}

/// The disk that a restart finds when the power went at `image`.
pub(super) fn crashed(image: &Image, seed: u64, model: CrashModel) -> Image {
    let mut rng = Rng::new(seed);
    let mood = Mood::draw(image, model, &mut rng);
    let names = image.names().settle(mood, &mut rng);
    let mut files = BTreeMap::new();
    let mut moved = Vec::new();
    for inode in image.inodes() {
        let settled = image.inode(inode).settle(mood, &mut rng);
        moved.extend(settled.moved.into_iter().map(|(sector, bytes)| (inode, sector, bytes)));
        if names.contains(inode) {
            files.insert(inode, settled.contents);
        }
    }
    misdirect(image, &mut files, &moved, &mut rng);
    let files = files.into_iter().map(|(inode, contents)| (inode, Inode::settled(contents)));
    Image::settled(files.collect(), names)
}

/// Lets each moved sector land on a victim, if there is one that survived.
fn misdirect(
    image: &Image,
    files: &mut BTreeMap<InodeNo, Contents>,
    moved: &[(InodeNo, u64, SectorBytes)],
    rng: &mut Rng,
) {
    if moved.is_empty() {
        return;
    }
    let mut victims = Vec::new();
    for (inode, contents) in &*files {
        let whole = contents.len() / SECTOR as u64;
        let fits = image.inode(*inode).victims().into_iter().filter(|sector| *sector < whole);
        victims.extend(fits.map(|sector| (*inode, sector)));
    }
    for (inode, sector, bytes) in moved {
        if victims.is_empty() {
            return;
        }
        let victim = *rng.pick(&victims);
        if victim != (*inode, *sector)
            && let Some(contents) = files.get_mut(&victim.0)
        {
            contents.write(bytes, victim.1 * SECTOR as u64);
        }
    }
}
