//! The bytes of a file, sparse, in blocks that copies share until one writes.

use std::sync::Arc;

/// Large enough that a copy of a file costs little, small enough that a small write copies little.
const BLOCK: usize = 4096;
/// Blocks come in groups of a mebibyte, shared too, so that copies of large files stay cheap.
const GROUP: usize = 256;

type Block = Arc<[u8; BLOCK]>;
type Group = Arc<[Option<Block>; GROUP]>;

/// A file's bytes. Missing blocks and groups are zeros; bytes past `len` in the last block are zeros too.
#[derive(Clone, Default)]
pub(super) struct Contents {
    groups: Vec<Option<Group>>,
    len: u64,
}

impl Contents {
    /// The longest file: its empty group table stays affordable.
    pub(super) const LEN_MAX: u64 = 1 << 44;

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Reads what there is of `offset..`; returns the bytes read.
    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> usize {
        let count = self.len.saturating_sub(offset).min(buffer.len() as u64) as usize;
        for (block, within, part) in pieces(offset, count) {
            let target = &mut buffer[part];
            match self.block(block) {
                Some(bytes) => target.copy_from_slice(&bytes[within..within + target.len()]),
                None => target.fill(0),
            }
        }
        count
    }

    /// Writes `data` at `offset`, growing the file.
    pub(super) fn write(&mut self, data: &[u8], offset: u64) {
        for (block, within, part) in pieces(offset, data.len()) {
            let source = &data[part];
            let target = self.slot(block).get_or_insert_with(|| Arc::new([0; BLOCK]));
            Arc::make_mut(target)[within..within + source.len()].copy_from_slice(source);
        }
        self.len = self.len.max(offset + data.len() as u64);
    }

    /// Cuts the file, or grows it with zeros.
    pub(super) fn set_len(&mut self, len: u64) {
        if len < self.len {
            let blocks = (len as usize).div_ceil(BLOCK);
            self.groups.truncate(blocks.div_ceil(GROUP));
            if let Some(Some(group)) = self.groups.get_mut(blocks / GROUP) {
                Arc::make_mut(group)[blocks % GROUP..].fill(None);
            }
            let tail = len as usize % BLOCK;
            if tail > 0 && self.block(blocks - 1).is_some() {
                let last = self.slot(blocks - 1).get_or_insert_with(|| Arc::new([0; BLOCK]));
                Arc::make_mut(last)[tail..].fill(0);
            }
        }
        self.len = len;
    }

    /// Makes the blocks that hold `offset..offset + len` those of `other`. The length stays; the caller sets it.
    pub(super) fn share(&mut self, other: &Contents, offset: u64, len: u64) {
        for block in offset as usize / BLOCK..((offset + len) as usize).div_ceil(BLOCK) {
            let bytes = other.block(block).cloned();
            *self.slot(block) = bytes;
        }
    }

    fn block(&self, block: usize) -> Option<&Block> {
        self.groups.get(block / GROUP)?.as_ref()?[block % GROUP].as_ref()
    }

    /// The place of a block, made if it is not there.
    fn slot(&mut self, block: usize) -> &mut Option<Block> {
        let group = block / GROUP;
        if self.groups.len() <= group {
            self.groups.resize(group + 1, None);
        }
        let group = self.groups[group].get_or_insert_with(|| Arc::new([const { None }; GROUP]));
        &mut Arc::make_mut(group)[block % GROUP]
    }

    /// Changes one byte, if the file is that long.
    pub(super) fn change(&mut self, offset: u64, change: impl Fn(u8) -> u8) -> bool {
        let mut byte = [0];
        if self.read(&mut byte, offset) == 0 {
            return false;
        }
        self.write(&[change(byte[0])], offset);
        true
    }
}

/// Splits `count` bytes at `offset` at block borders: block number, place in the block, range of the bytes.
fn pieces(offset: u64, count: usize) -> impl Iterator<Item = (usize, usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == count {
            return None;
        }
        let at = offset + done as u64;
        let within = (at % BLOCK as u64) as usize;
        let part = done..count.min(done + BLOCK - within);
        done = part.end;
        Some(((at / BLOCK as u64) as usize, within, part))
    })
}
