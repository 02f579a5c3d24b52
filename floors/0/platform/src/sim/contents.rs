//! The bytes of a file, sparse, in blocks that copies share until one writes.

use std::sync::Arc;

/// Large enough that a copy of a file costs little, small enough that a small write copies little.
const BLOCK: usize = 4096;

type Block = Arc<[u8; BLOCK]>;

/// A file's bytes. Missing blocks are zeros; bytes past `len` in the last block are zeros too.
#[derive(Clone, Default)]
pub(super) struct Contents {
    blocks: Vec<Option<Block>>,
    len: u64,
}

impl Contents {
    /// The longest file: its empty block table stays affordable.
    pub(super) const LEN_MAX: u64 = 1 << 40;

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Reads what there is of `offset..`; returns the bytes read.
    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> usize {
        let count = self.len.saturating_sub(offset).min(buffer.len() as u64) as usize;
        for (block, within, part) in pieces(offset, count) {
            let target = &mut buffer[part];
            match self.blocks.get(block).and_then(Option::as_ref) {
                Some(bytes) => target.copy_from_slice(&bytes[within..within + target.len()]),
                None => target.fill(0),
            }
        }
        count
    }

    /// Writes `data` at `offset`, growing the file.
    pub(super) fn write(&mut self, data: &[u8], offset: u64) {
        let end = offset + data.len() as u64;
        let blocks = (end as usize).div_ceil(BLOCK);
        if self.blocks.len() < blocks {
            self.blocks.resize(blocks, None);
        }
        for (block, within, part) in pieces(offset, data.len()) {
            let source = &data[part];
            let target = self.blocks[block].get_or_insert_with(|| Arc::new([0; BLOCK]));
            Arc::make_mut(target)[within..within + source.len()].copy_from_slice(source);
        }
        self.len = self.len.max(end);
    }

    /// Cuts the file, or grows it with zeros.
    pub(super) fn set_len(&mut self, len: u64) {
        if len < self.len {
            self.blocks.truncate((len as usize).div_ceil(BLOCK));
            let tail = (len % BLOCK as u64) as usize;
            if tail > 0
                && let Some(Some(last)) = self.blocks.get_mut(len as usize / BLOCK)
            {
                Arc::make_mut(last)[tail..].fill(0);
            }
        }
        self.len = len;
    }

    /// Makes the blocks that hold `offset..offset + len` those of `other`. The length stays; the caller sets it.
    pub(super) fn share(&mut self, other: &Contents, offset: u64, len: u64) {
        let first = offset as usize / BLOCK;
        let end = ((offset + len) as usize).div_ceil(BLOCK).min(other.blocks.len());
        if self.blocks.len() < end {
            self.blocks.resize(end, None);
        }
        self.blocks[first..end].clone_from_slice(&other.blocks[first..end]);
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
