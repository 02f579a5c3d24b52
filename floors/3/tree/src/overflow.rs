//! Values that are too long for a leaf: a chain of pages, written once and never changed.
//!
//! ```text
//! payload    next page u32 (0 = last) | length u32 | bytes of the value
//! reference  length u32 | first page u32 | CRC-32C of the value u32      (what the leaf's record holds instead)
//! ```
//!
//! A chain is read without latches. It may be freed and its pages reused meanwhile; whoever reads it then finds
//! another kind, owner, length or checksum, and looks at the leaf again: if that still holds the same reference,
//! the damage is real.

use pages::{Kind, PageNo, Retry};

use crate::Tree;
use crate::error::{Result, TreeError};
use crate::node::{Nonsense, PAYLOAD};

/// Kind of a page of a chain.
pub(crate) const OVERFLOW: Kind = Kind(2);
/// Longest value.
pub const VALUE_MAX: usize = 1 << 30;
/// Bytes of a value in one page.
const CHUNK: usize = PAYLOAD - 8;

/// What a leaf's record holds instead of a long value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) len: u32,
    pub(crate) first: u32,
    pub(crate) crc: u32,
}

impl Reference {
    pub(crate) const SIZE: usize = 12;

    pub(crate) fn encode(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..4].copy_from_slice(&self.len.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.first.to_le_bytes());
        bytes[8..].copy_from_slice(&self.crc.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Reference, Nonsense> {
        let [len, first, crc] = match bytes.as_chunks::<4>() {
            (&[len, first, crc], []) => [len, first, crc].map(u32::from_le_bytes),
            _ => return Err(Nonsense("reference to overflow pages has the wrong length")),
        };
        if len as usize > VALUE_MAX || first == 0 {
            return Err(Nonsense("reference to overflow pages names none"));
        }
        Ok(Reference { len, first, crc })
    }

    /// Whether it stands for this value.
    pub(crate) fn matches(self, value: &[u8]) -> bool {
        self.len as usize == value.len() && self.crc == checksum::crc32c(value)
    }
}

/// What one page of a chain says.
struct Link {
    next: u32,
    len: usize,
    ours: bool,
}

impl Tree {
    /// Writes a value into new pages. Called with no latch held.
    pub(crate) fn write_chain(&self, value: &[u8]) -> Result<Reference> {
        if value.len() > VALUE_MAX {
            return Err(TreeError::ValueTooLong { bytes: value.len() });
        }
        let crc = checksum::crc32c(value);
        let mut next = 0;
        // From the end, so that each page's successor is known when it is written.
        for chunk in value.chunks(CHUNK).rev() {
            let mut page = match self.store.alloc(self.tree, OVERFLOW) {
                Ok(page) => page,
                Err(error) => {
                    self.free_pages_from(next)?;
                    return Err(error.into());
                }
            };
            page.write_at(0, &u32::to_le_bytes(next));
            page.write_at(4, &(chunk.len() as u32).to_le_bytes());
            page.write_at(8, chunk);
            next = page.page().0;
        }
        Ok(Reference { len: value.len() as u32, first: next, crc })
    }

    /// Reads a value in place of what `value` holds; an error that may come from the chain having been freed
    /// meanwhile is the caller's to judge.
    pub(crate) fn read_chain(&self, reference: Reference, value: &mut Vec<u8>) -> Result<()> {
        value.clear();
        let mut at = reference.first;
        let bad = |at: u32, reason| Err(self.nonsense(PageNo(at), Nonsense(reason)));
        loop {
            let before = value.len();
            let link = self.store.read(PageNo(at), |view| {
                value.truncate(before);
                let len = view.u32_at(4) as usize;
                view.append_to(8, len.min(CHUNK), value);
                let ours = view.kind() == OVERFLOW && view.tree() == self.tree;
                Ok::<Link, Retry>(Link { next: view.u32_at(0), len, ours })
            })?;
            if !link.ours || link.len == 0 || link.len > CHUNK {
                return bad(at, "not an overflow page of this tree");
            }
            if value.len() > reference.len as usize {
                return bad(at, "overflow pages hold more than the value");
            }
            if link.next == 0 {
                break;
            }
            at = link.next;
        }
        if !reference.matches(value) {
            return bad(reference.first, "overflow pages do not match the value's checksum");
        }
        Ok(())
    }

    /// Frees a chain that no leaf refers to any more. Called with no latch held.
    pub(crate) fn free_chain(&self, reference: Reference) -> Result<()> {
        self.free_pages_from(reference.first)
    }

    fn free_pages_from(&self, mut at: u32) -> Result<()> {
        while at != 0 {
            let page = self.store.lock(PageNo(at))?;
            let view = page.view();
            if view.kind() != OVERFLOW || view.tree() != self.tree {
                return Err(self.nonsense(PageNo(at), Nonsense("not an overflow page of this tree")));
            }
            at = view.u32_at(0);
            self.store.free(page);
        }
        Ok(())
    }
}
