//! The full structural check of one node.

use super::{
    AT_COUNT, AT_HEAP, AT_LIVE, HEADER, KEY_MAX, LEVEL_MAX, Node, Nonsense, PAYLOAD, RECORD_MAX, SLOT,
    common_len, head_of,
};
use crate::bytes::Bytes;

impl Node<'_, [u8]> {
    /// Checks everything that a node says about itself; children and neighbours are the tree's to check.
    pub(crate) fn verify(self) -> Result<(), Nonsense> {
        let bytes = self.bytes;
        let count = bytes.u16_at(AT_COUNT) as usize;
        let heap = bytes.u16_at(AT_HEAP) as usize;
        if bytes.len() != PAYLOAD || self.level() > LEVEL_MAX {
            return Err(Nonsense("not a node"));
        }
        if HEADER + count * SLOT > heap || heap > PAYLOAD {
            return Err(Nonsense("slots and heap overlap"));
        }
        self.verify_fences()?;
        let mut live = self.lower()?.len() + self.upper()?.map_or(0, <[u8]>::len);
        let skip = self.skip();
        let shared = if count == 0 { Some(&[][..]) } else { self.suffix(0)?.get(..skip) };
        let shared = shared.ok_or(Nonsense("skip longer than a key"))?;
        for position in 0..count {
            let slot = self.slot(position);
            let suffix = self.suffix(position)?;
            if slot.offset < heap || self.prefix_len() + suffix.len() > KEY_MAX {
                return Err(Nonsense("record out of bounds"));
            }
            if self.level() == 0 && slot.suffix_len + self.value(position)?.0.len() > RECORD_MAX {
                return Err(Nonsense("record too long"));
            }
            if suffix.get(..skip) != Some(shared) || slot.head != head_of(&suffix[skip..]) {
                return Err(Nonsense("head differs from its key"));
            }
            if position > 0 && self.suffix(position - 1)? >= suffix {
                return Err(Nonsense("keys out of order"));
            }
            live += self.record_len(position);
        }
        if live != bytes.u16_at(AT_LIVE) as usize || live > PAYLOAD - heap {
            return Err(Nonsense("live bytes miscounted"));
        }
        if count > 0 && !(self.covers_at(0)? && self.covers_at(count - 1)?) {
            return Err(Nonsense("key outside the fences"));
        }
        Ok(())
    }

    fn verify_fences(self) -> Result<(), Nonsense> {
        let lower = self.lower()?;
        let upper = self.upper()?;
        if lower.len() > KEY_MAX || upper.is_some_and(|upper| upper.len() > KEY_MAX || upper <= lower) {
            return Err(Nonsense("fences out of order"));
        }
        if self.prefix_len() != upper.map_or(0, |upper| common_len(lower, upper)) {
            return Err(Nonsense("prefix differs from the fences'"));
        }
        Ok(())
    }

    fn covers_at(self, position: usize) -> Result<bool, Nonsense> {
        Ok(self.covers(&self.key(position)?.to_vec()))
    }
}
