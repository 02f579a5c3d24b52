//! The whole state of a disk, and the operations that change it. Copies share blocks.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::inode::{Change, Inode};
use super::names::{Names, Rewrite};
use super::rng::Rng;

/// A file's number, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InodeNo(u64);

/// One operation, as it took effect.
#[derive(Clone)]
pub enum Op {
    /// A file came to be.
    Create {
        /// Its name.
        name: Box<str>,
        /// The file.
        inode: InodeNo,
    },
    /// A name went.
    Remove {
        /// The name.
        name: Box<str>,
    },
    /// A name changed, replacing what had the new one.
    Rename {
        /// The old name.
        from: Box<str>,
        /// The new name.
        to: Box<str>,
    },
    /// Names were forced to the medium.
    SyncNames,
    /// Bytes were written.
    Write {
        /// The file.
        inode: InodeNo,
        /// Where.
        offset: u64,
        /// What.
        data: Arc<[u8]>,
    },
    /// The length was set, or space reserved up to it.
    SetLen {
        /// The file.
        inode: InodeNo,
        /// The length.
        len: u64,
    },
    /// Data was forced to the medium.
    SyncData {
        /// The file.
        inode: InodeNo,
    },
    /// A force failed, and what it could not write was dropped.
    FailedSync {
        /// The file.
        inode: InodeNo,
        /// Decides what was written.
        seed: u64,
    },
    /// Nothing happened: the call failed, or lied.
    Nothing,
}

impl Op {
    /// The bytes that a write touches.
    pub(super) fn range(&self) -> Option<Range<u64>> {
        match self {
            Op::Write { offset, data, .. } => Some(*offset..*offset + data.len() as u64),
            _ => None,
        }
    }

    /// What is left of a write when only the first `room` bytes find space.
    pub(super) fn cut_to(self, room: u64) -> Op {
        match self {
            Op::Write { inode, offset, data } if room > 0 => {
                Op::Write { inode, offset, data: data[..room as usize].into() }
            }
            _ => Op::Nothing,
        }
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Create { name, inode: InodeNo(inode) } => write!(f, "create {name} as file {inode}"),
            Op::Remove { name } => write!(f, "remove {name}"),
            Op::Rename { from, to } => write!(f, "rename {from} to {to}"),
            Op::SyncNames => f.write_str("sync names"),
            Op::Write { inode: InodeNo(inode), offset, data } => {
                write!(f, "write file {inode} at {offset}, {} bytes", data.len())
            }
            Op::SetLen { inode: InodeNo(inode), len } => write!(f, "set length of file {inode} to {len}"),
            Op::SyncData { inode: InodeNo(inode) } => write!(f, "sync file {inode}"),
            Op::FailedSync { inode: InodeNo(inode), .. } => write!(f, "fail to sync file {inode}"),
            Op::Nothing => f.write_str("nothing"),
        }
    }
}

#[derive(Clone, Default)]
pub(super) struct Image {
    inodes: BTreeMap<InodeNo, Inode>,
    names: Names,
    /// The number of changes so far: orders them over all files and names.
    sequence: u64,
    inodes_made: u64,
}

impl Image {
    /// What a crash left.
    pub(super) fn settled(inodes: BTreeMap<InodeNo, Inode>, names: Names) -> Image {
        let inodes_made = inodes.keys().next_back().map_or(0, |inode| inode.0 + 1);
        Image { inodes, names, sequence: 0, inodes_made }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<InodeNo> {
        self.names.lookup(name)
    }

    pub(super) fn list(&self) -> Vec<String> {
        self.names.list().map(|(name, _)| name.to_owned()).collect()
    }

    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    pub(super) fn inodes(&self) -> impl Iterator<Item = InodeNo> {
        self.inodes.keys().copied()
    }

    /// The file `inode`; handles and operations name only files that were created.
    pub(super) fn inode(&self, inode: InodeNo) -> &Inode {
        &self.inodes[&inode]
    }

    pub(super) fn inode_mut(&mut self, inode: InodeNo) -> &mut Inode {
        self.inodes.get_mut(&inode).expect("files are never forgotten")
    }

    pub(super) fn next_inode(&self) -> InodeNo {
        InodeNo(self.inodes_made)
    }

    /// Bytes of all files that have a name.
    pub(super) fn bytes_used(&self) -> u64 {
        self.names.list().map(|(_, inode)| self.inode(inode).live().len()).sum()
    }

    /// The sequence numbers of the first and the last unsynced change; the next number twice if there is none.
    pub(super) fn pending_span(&self) -> (u64, u64) {
        let inodes =
            self.inodes.values().flat_map(|inode| inode.pending().iter().map(|pending| pending.sequence));
        let sequences = inodes.chain(self.names.pending_sequences());
        let span = sequences.fold(None, |span: Option<(u64, u64)>, sequence| {
            let (first, last) = span.unwrap_or((sequence, sequence));
            Some((first.min(sequence), last.max(sequence)))
        });
        span.unwrap_or((self.sequence, self.sequence))
    }

    /// The operation takes place.
    pub(super) fn apply(&mut self, op: &Op) {
        match op {
            Op::SyncNames => self.names.sync(),
            Op::SyncData { inode } => self.inode_mut(*inode).sync(),
            Op::FailedSync { inode, seed } => self.inode_mut(*inode).fail_sync(&mut Rng::new(*seed)),
            change => self.apply_unfinished(change),
        }
    }

    /// The power goes during the operation: a change is under way, a sync has not got anywhere for certain.
    pub(super) fn apply_unfinished(&mut self, op: &Op) {
        let sequence = self.sequence;
        self.sequence += 1;
        match op {
            Op::Create { name, inode } => {
                self.inodes_made = self.inodes_made.max(inode.0 + 1);
                self.inodes.insert(*inode, Inode::default());
                self.names.change(sequence, Rewrite::Create { name: name.clone(), inode: *inode });
            }
            Op::Remove { name } => self.names.change(sequence, Rewrite::Remove { name: name.clone() }),
            Op::Rename { from, to } => {
                self.names.change(sequence, Rewrite::Rename { from: from.clone(), to: to.clone() });
            }
            Op::Write { inode, offset, data } => {
                let change = Change::Write { offset: *offset, data: Arc::clone(data) };
                self.inode_mut(*inode).change(sequence, change);
            }
            Op::SetLen { inode, len } => {
                self.inode_mut(*inode).change(sequence, Change::SetLen { len: *len });
            }
            Op::SyncNames | Op::SyncData { .. } | Op::FailedSync { .. } | Op::Nothing => {}
        }
    }
}
