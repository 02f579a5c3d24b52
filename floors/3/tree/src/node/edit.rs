//! Changing a latched node: insert, remove, replace, compaction of the heap.

use super::build::set_heads;
use super::{
    AT_COUNT, AT_HEAP, AT_LAST_CHILD, AT_LAST_POSITION, AT_LIVE, AT_RUN, AT_SKIP, Builder, HEADER,
    INNER_FIELD, LEAF_FIELD, Node, Nonsense, PAYLOAD, SLOT, SLOTS_MAX, Slot, common_len, head_of,
};
use crate::bytes::{Bytes, Payload};

/// A value to be stored: two pieces, one behind the other, so that what goes before a row need not be copied together
/// with it first.
#[derive(Clone, Copy)]
pub(crate) struct Pieces<'v> {
    pub(crate) head: &'v [u8],
    pub(crate) body: &'v [u8],
}

impl<'v> Pieces<'v> {
    pub(crate) fn len(self) -> usize {
        self.head.len() + self.body.len()
    }

    fn store<P: Payload>(self, payload: &mut P, at: usize) {
        if !self.head.is_empty() {
            payload.put(at, self.head);
        }
        payload.put(at + self.head.len(), self.body);
    }
}

impl<'v> From<&'v [u8]> for Pieces<'v> {
    fn from(body: &'v [u8]) -> Self {
        Pieces { head: &[], body }
    }
}

/// A latched node's payload.
pub(crate) struct NodeMut<'a, P> {
    payload: &'a mut P,
}

impl<'a, P: Payload> NodeMut<'a, P> {
    /// Takes a payload whose header does not contradict itself.
    pub(crate) fn new(payload: &'a mut P) -> Result<Self, Nonsense> {
        let bytes = payload.bytes();
        let node = Node::new(bytes);
        let count = bytes.u16_at(AT_COUNT) as usize;
        let heap = bytes.u16_at(AT_HEAP) as usize;
        if bytes.len() != PAYLOAD || count > SLOTS_MAX || HEADER + count * SLOT > heap || heap > PAYLOAD {
            return Err(Nonsense("slots and heap overlap"));
        }
        if node.used() > PAYLOAD {
            return Err(Nonsense("more live bytes than the page has"));
        }
        node.prefix()?;
        Ok(NodeMut { payload })
    }

    /// The node as it is now.
    pub(crate) fn node(&self) -> Node<'_, [u8]> {
        Node::new(self.payload.bytes())
    }

    /// Inserts a record into a leaf; false when there is no room, with nothing changed.
    ///
    /// `position` is where [`Node::search`] did not find the key.
    pub(crate) fn insert_leaf(
        &mut self,
        position: usize,
        key: &[u8],
        value: Pieces<'_>,
        overflow: bool,
    ) -> Result<bool, Nonsense> {
        let field = (value.len() as u16).to_le_bytes();
        let fits = self.insert(position, &field, key, value, overflow)?;
        if fits {
            self.note_run(position);
        }
        Ok(fits)
    }

    /// Inserts a separator with the child below it; false when there is no room.
    pub(crate) fn insert_inner(&mut self, position: usize, key: &[u8], child: u32) -> Result<bool, Nonsense> {
        self.insert(position, &child.to_le_bytes(), key, Pieces::from(&[][..]), false)
    }

    /// Bytes that [`NodeMut::insert_inner`] would need for a key.
    pub(crate) fn inner_need(&self, key: &[u8]) -> usize {
        SLOT + INNER_FIELD + key.len().saturating_sub(self.node().prefix_len())
    }

    /// Bytes that [`NodeMut::insert_leaf`] would need for a key and a value.
    pub(crate) fn leaf_need(&self, key: &[u8], value: Pieces<'_>) -> usize {
        SLOT + LEAF_FIELD + key.len().saturating_sub(self.node().prefix_len()) + value.len()
    }

    fn insert(
        &mut self,
        position: usize,
        field: &[u8],
        key: &[u8],
        value: Pieces<'_>,
        overflow: bool,
    ) -> Result<bool, Nonsense> {
        let suffix =
            key.get(self.node().prefix_len()..).ok_or(Nonsense("key shorter than the node's prefix"))?;
        let len = field.len() + suffix.len() + value.len();
        if !self.make_room(SLOT + len)? {
            return Ok(false);
        }
        let count = self.node().count();
        if position > count {
            return Err(Nonsense("insert beyond the last slot"));
        }
        let skip = self.adopt_skip(count, suffix)?;
        let heap = self.bytes().u16_at(AT_HEAP) as usize - len;
        let (field_end, suffix_end) = (heap + field.len(), heap + field.len() + suffix.len());
        self.payload.put(heap, field);
        self.payload.put(field_end, suffix);
        value.store(self.payload, suffix_end);
        let at = HEADER + position * SLOT;
        self.payload.shift(at..HEADER + count * SLOT, at + SLOT);
        self.put_slot(position, Slot::pack(head_of(&suffix[skip..]), heap, suffix.len(), overflow));
        self.payload.put_u16(AT_COUNT, count + 1);
        self.payload.put_u16(AT_HEAP, heap);
        self.add_live(len as isize);
        Ok(true)
    }

    /// Sees to it that `suffix` shares the bytes that heads leave out; returns how many those are.
    fn adopt_skip(&mut self, count: usize, suffix: &[u8]) -> Result<usize, Nonsense> {
        let skip = self.bytes().u16_at(AT_SKIP) as usize;
        if count == 0 {
            self.payload.put_u16(AT_SKIP, suffix.len());
            return Ok(suffix.len());
        }
        let first = self.node().suffix(0)?;
        let shared = common_len(first.get(..skip).ok_or(Nonsense("skip longer than a key"))?, suffix);
        if shared < skip {
            let field = self.field();
            set_heads(self.payload, count, field, shared);
        }
        Ok(shared)
    }

    /// Removes the record at a position.
    pub(crate) fn remove(&mut self, position: usize) -> Result<(), Nonsense> {
        let count = self.node().count();
        if position >= count {
            return Err(Nonsense("remove beyond the last slot"));
        }
        let len = self.node().record_len(position);
        let at = HEADER + position * SLOT;
        self.payload.shift(at + SLOT..HEADER + count * SLOT, at);
        self.payload.put_u16(AT_COUNT, count - 1);
        self.add_live(-(len as isize));
        self.payload.put_u16(AT_RUN, 0);
        Ok(())
    }

    /// Gives the leaf record at a position another value; false when there is no room, with nothing changed.
    pub(crate) fn replace_value(
        &mut self,
        position: usize,
        value: Pieces<'_>,
        overflow: bool,
    ) -> Result<bool, Nonsense> {
        let slot = self.node().slot(position);
        let (at, old_len) = self.node().value_range(slot);
        if value.len() <= old_len {
            if at + value.len() > PAYLOAD {
                return Err(Nonsense("record beyond the page"));
            }
            value.store(self.payload, at);
            self.payload.put_u16(slot.offset, value.len());
            self.set_overflow(position, overflow);
            self.add_live(value.len() as isize - old_len as isize);
            return Ok(true);
        }
        let suffix = self.node().suffix(position)?.to_vec();
        let (old_record, record) =
            (LEAF_FIELD + suffix.len() + old_len, LEAF_FIELD + suffix.len() + value.len());
        if self.node().used() + value.len() - old_len > PAYLOAD {
            return Ok(false);
        }
        if self.contiguous() < record {
            // The old record goes from the heap for good: emptied, it is what compaction leaves.
            self.payload.put_u16(slot.offset, 0);
            self.add_live(-(old_len as isize));
            self.compact()?;
            return self.grow_emptied(position, &suffix, value, overflow);
        }
        self.add_live(-(old_record as isize));
        self.place(position, &suffix, value, overflow);
        Ok(true)
    }

    /// Places a record whose value compaction has already dropped; its key's few bytes stay behind as dead ones,
    /// or, where even those are needed, the record goes and comes back.
    fn grow_emptied(
        &mut self,
        position: usize,
        suffix: &[u8],
        value: Pieces<'_>,
        overflow: bool,
    ) -> Result<bool, Nonsense> {
        let record = LEAF_FIELD + suffix.len() + value.len();
        if self.contiguous() < record {
            let key = self.node().key(position)?.to_vec();
            let run = self.bytes().u16_at(AT_RUN) as usize;
            self.remove(position)?;
            let fits = self.insert(position, &(value.len() as u16).to_le_bytes(), &key, value, overflow)?;
            self.payload.put_u16(AT_RUN, run);
            return if fits { Ok(true) } else { Err(Nonsense("live bytes miscounted")) };
        }
        self.add_live(-((LEAF_FIELD + suffix.len()) as isize));
        self.place(position, suffix, value, overflow);
        Ok(true)
    }

    /// Writes a record into free space that is there and points the slot at it.
    fn place(&mut self, position: usize, suffix: &[u8], value: Pieces<'_>, overflow: bool) {
        let record = LEAF_FIELD + suffix.len() + value.len();
        let heap = self.bytes().u16_at(AT_HEAP) as usize - record;
        self.payload.put_u16(heap, value.len());
        let value_at = heap + LEAF_FIELD + suffix.len();
        self.payload.put(heap + LEAF_FIELD, suffix);
        value.store(self.payload, value_at);
        let head = self.node().slot(position).head;
        self.put_slot(position, Slot::pack(head, heap, suffix.len(), overflow));
        self.payload.put_u16(AT_HEAP, heap);
        self.add_live(record as isize);
    }

    /// Points the child left of separator `position` (or the last one) elsewhere.
    pub(crate) fn set_child(&mut self, position: usize, child: u32) -> Result<(), Nonsense> {
        let count = self.node().count();
        let at = if position < count { self.node().slot(position).offset } else { AT_LAST_CHILD };
        if at + INNER_FIELD > PAYLOAD {
            return Err(Nonsense("record beyond the page"));
        }
        self.payload.put(at, &child.to_le_bytes());
        Ok(())
    }

    /// Replaces the whole payload by a built image.
    pub(crate) fn replace_image(&mut self, image: &[u8]) {
        self.payload.put(0, image);
    }

    /// Whether `len` bytes more (slot included) fit, compacting when they do only in pieces.
    fn make_room(&mut self, len: usize) -> Result<bool, Nonsense> {
        if self.node().used() + len > PAYLOAD {
            return Ok(false);
        }
        if self.contiguous() < len {
            self.compact()?;
        }
        Ok(self.contiguous() >= len)
    }

    fn bytes(&self) -> &[u8] {
        self.payload.bytes()
    }

    fn contiguous(&self) -> usize {
        let slots_end = HEADER + self.node().count() * SLOT;
        (self.bytes().u16_at(AT_HEAP) as usize).saturating_sub(slots_end)
    }

    /// Writes the records anew without the dead bytes between them.
    fn compact(&mut self) -> Result<(), Nonsense> {
        let node = self.node();
        let mut builder = Builder::new(node.level(), node.lower()?, node.upper()?);
        copy_records(node, 0..node.count(), &mut builder)?;
        let mut image = builder.finish(node.child(node.count()));
        image[AT_LAST_POSITION..HEADER].copy_from_slice(&self.bytes()[AT_LAST_POSITION..HEADER]);
        self.replace_image(&image);
        Ok(())
    }

    fn field(&self) -> usize {
        if self.node().level() == 0 { LEAF_FIELD } else { INNER_FIELD }
    }

    fn put_slot(&mut self, position: usize, slot: u64) {
        let at = HEADER + position * SLOT;
        self.payload.put(at, &slot.to_le_bytes());
    }

    fn set_overflow(&mut self, position: usize, overflow: bool) {
        let slot = self.node().slot(position);
        if slot.overflow != overflow {
            self.put_slot(position, Slot::pack(slot.head, slot.offset, slot.suffix_len, overflow));
        }
    }

    fn add_live(&mut self, change: isize) {
        let live = (self.bytes().u16_at(AT_LIVE) as usize).saturating_add_signed(change);
        self.payload.put_u16(AT_LIVE, live);
    }

    /// Counts inserts that follow each other upwards (positive) or downwards (negative), for the split.
    fn note_run(&mut self, position: usize) {
        let last = self.bytes().u16_at(AT_LAST_POSITION) as usize;
        let run = self.bytes().u16_at(AT_RUN) as i16;
        let run = if position == last + 1 {
            run.max(0).saturating_add(1)
        } else if position == last {
            run.min(0).saturating_sub(1)
        } else {
            0
        };
        self.payload.put_u16(AT_RUN, run as u16 as usize);
        self.payload.put_u16(AT_LAST_POSITION, position);
    }
}

/// Copies a range of a node's records.
pub(super) fn copy_records(
    node: Node<'_, [u8]>,
    range: std::ops::Range<usize>,
    builder: &mut Builder,
) -> Result<(), Nonsense> {
    if copy_records_that_fit(node, range, builder)? {
        Ok(())
    } else {
        Err(Nonsense("records overlap or miscounted"))
    }
}

/// As [`copy_records`]; false when they do not fit, which is no contradiction where fences change.
pub(super) fn copy_records_that_fit(
    node: Node<'_, [u8]>,
    range: std::ops::Range<usize>,
    builder: &mut Builder,
) -> Result<bool, Nonsense> {
    let leaf = node.level() == 0;
    for position in range {
        let key = node.key(position)?;
        let fits = if leaf {
            let (value, overflow) = node.value(position)?;
            builder.push_leaf(key, value, overflow)
        } else {
            builder.push_inner(key, node.child(position))
        };
        if !fits {
            return Ok(false);
        }
    }
    Ok(true)
}
