//! Ranges of keys in either direction.
//!
//! A cursor copies what it needs of one leaf at once (all of a short range's records one by one, else the page) and
//! validates the copy; then rows come from the copy without looking at the tree. It goes on by key: the next leaf is
//! the one that covers this leaf's upper fence (or what lies below its lower fence), wherever splits and merges have
//! taken it meanwhile. So each key that is there during the whole scan comes exactly once and in order; of changes
//! made meanwhile, whole leaves are seen or not.

use std::cell::RefCell;
use std::ops::{Bound, Range};

use crossbeam_utils::Backoff;
use pages::{PageNo, PageView, ReadAhead};

use crate::Tree;
use crate::bytes::Bytes;
use crate::descent::{Seek, Spot};
use crate::error::Result;
use crate::node::{HEADER, Node, Nonsense, PAYLOAD, SLOT};
use crate::overflow::Reference;

/// Most leaves that a scan asks for at once. It asks again when it has come to half of them, and does not wait: while it
/// works on some, others are on their way.
const AHEAD_MAX: usize = 32;
/// Records up to which a range within a leaf is copied record by record instead of with the whole page: a page costs as
/// much as some dozens of short ones.
const FEW: usize = 32;
/// Bytes of each such record that the core is asked for before the first is copied.
const NEAR: usize = 256;

/// Records that are copied of a leaf where few are expected to be asked for.
const FIRST: usize = 12;

/// The order in which a cursor gives keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Ascending.
    Forward,
    /// Descending.
    Backward,
}

/// Where a cursor reads next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// At its range's beginning.
    Start,
    /// At (forward) or below (backward) the fence in `resume`.
    Resume,
    /// Nowhere: the range is exhausted.
    End,
}

/// A record in the copied bytes.
#[derive(Clone, Copy, Debug)]
struct Item {
    suffix_at: usize,
    suffix_len: u16,
    value_len: u16,
    overflow: bool,
}

/// A walk over a range of keys. It holds no latch and no page; its buffers serve again after [`Cursor::reset`].
pub struct Cursor {
    lower: Bound<Vec<u8>>,
    upper: Bound<Vec<u8>>,
    direction: Direction,
    next: Next,
    resume: Vec<u8>,
    /// The fence of the leaf being copied, `resume` of the next one.
    fence: Vec<u8>,
    /// Few keys are expected to be asked for: no more than some of the first leaf are copied at first.
    few: bool,
    /// Leaves read ahead and not come to yet, and how many to read ahead next.
    ahead: usize,
    ahead_next: usize,
    reading: ReadAhead,
    /// Bytes of the leaf, and its records in key order.
    data: Vec<u8>,
    items: Vec<Item>,
    given: usize,
    /// The present key; its first `prefix_len` bytes are the leaf's prefix.
    key: Vec<u8>,
    prefix_len: usize,
    current: Option<Item>,
    /// The present value if it came from overflow pages.
    long: Vec<u8>,
}

/// Memory of cursors that are gone: the short scans of most statements take a few kilobytes each and give them back.
#[derive(Default)]
struct Memory {
    resume: Vec<u8>,
    fence: Vec<u8>,
    data: Vec<u8>,
    items: Vec<Item>,
    key: Vec<u8>,
    long: Vec<u8>,
}

/// Cursors whose memory a thread keeps.
const SPARE_MAX: usize = 8;
/// Bytes of a value that are kept with it.
const SPARE_LONG: usize = 64 << 10;

thread_local! {
    static SPARE: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Cursor {
    fn drop(&mut self) {
        // Where the thread is ending, memory ends with it.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < SPARE_MAX {
                let mut long = std::mem::take(&mut self.long);
                long.clear();
                long.shrink_to(SPARE_LONG);
                let [resume, fence, data, key] =
                    [&mut self.resume, &mut self.fence, &mut self.data, &mut self.key].map(std::mem::take);
                spare.push(Memory { resume, fence, data, items: std::mem::take(&mut self.items), key, long });
            }
        });
    }
}

impl Tree {
    /// A cursor over the keys between two bounds, before its first key.
    pub fn cursor(&self, lower: Bound<&[u8]>, upper: Bound<&[u8]>, direction: Direction) -> Cursor {
        let spare = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
        let Memory { resume, fence, data, items, key, long } = spare;
        let mut cursor = Cursor {
            lower: Bound::Unbounded,
            upper: Bound::Unbounded,
            direction,
            next: Next::End,
            resume,
            fence,
            few: false,
            ahead: 0,
            ahead_next: 0,
            reading: ReadAhead::default(),
            data,
            items,
            given: 0,
            key,
            prefix_len: 0,
            current: None,
            long,
        };
        cursor.reset(lower, upper, direction);
        cursor
    }
}

impl Cursor {
    /// Starts again with another range, on the tree of the next [`Cursor::advance`].
    pub fn reset(&mut self, lower: Bound<&[u8]>, upper: Bound<&[u8]>, direction: Direction) {
        set_bound(&mut self.lower, lower);
        set_bound(&mut self.upper, upper);
        self.direction = direction;
        self.next = if is_empty(lower, upper) { Next::End } else { Next::Start };
        self.few = false;
        (self.ahead, self.ahead_next, self.reading) = (0, 0, ReadAhead::default());
        self.items.clear();
        self.given = 0;
        self.current = None;
    }

    /// Says that few keys will be asked for, most likely: then a leaf is not copied whole for the first of them.
    pub fn expect_few(&mut self) {
        self.few = true;
    }

    /// Goes to the next key where it was copied already, value and all; else stays, and [`Cursor::advance`] has to look
    /// at the tree.
    #[inline]
    pub fn advance_here(&mut self) -> bool {
        let next = self.item_here();
        if let Some(item) = next {
            self.go_to(item);
        }
        next.is_some()
    }

    /// The values of the keys that follow, as far as they were copied already.
    pub fn here(&mut self) -> Here<'_> {
        Here { cursor: self, passed: None }
    }

    /// The next record, where it was copied with its value.
    #[inline]
    fn item_here(&self) -> Option<Item> {
        let left = self.items.len() - self.given;
        let next = match self.direction {
            Direction::Forward => self.given,
            Direction::Backward => left.wrapping_sub(1),
        };
        self.items.get(next).filter(|item| left > 0 && !item.overflow).copied()
    }

    #[inline]
    fn go_to(&mut self, item: Item) {
        self.given += 1;
        self.key.truncate(self.prefix_len);
        self.key.extend_from_slice(&self.data[item.suffix_at..][..usize::from(item.suffix_len)]);
        self.current = Some(item);
    }

    /// Goes to the next key; false at the range's end.
    pub fn advance(&mut self, tree: &Tree) -> Result<bool> {
        loop {
            while self.given < self.items.len() {
                let index = match self.direction {
                    Direction::Forward => self.given,
                    Direction::Backward => self.items.len() - 1 - self.given,
                };
                let item = self.items[index];
                self.go_to(item);
                if !item.overflow || self.read_long(tree, item)? {
                    return Ok(true);
                }
            }
            if self.next == Next::End {
                self.current = None;
                return Ok(false);
            }
            self.fill(tree)?;
        }
    }

    /// The present key; empty before the first and after the last.
    #[inline]
    pub fn key(&self) -> &[u8] {
        if self.current.is_some() { &self.key } else { &[] }
    }

    /// The present value.
    #[inline]
    pub fn value(&self) -> &[u8] {
        match self.current {
            Some(item) if item.overflow => &self.long,
            Some(item) => inline_value(&self.data, item),
            None => &[],
        }
    }

    /// [`Cursor::advance`] with copies of key and value.
    pub fn next(&mut self, tree: &Tree, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        let more = self.advance(tree)?;
        key.clear();
        value.clear();
        key.extend_from_slice(self.key());
        value.extend_from_slice(self.value());
        Ok(more)
    }

    /// Reads a value from overflow pages; false when its key has gone since the leaf was copied.
    fn read_long(&mut self, tree: &Tree, item: Item) -> Result<bool> {
        let reference = Reference::decode(inline_value(&self.data, item));
        if let Ok(reference) = reference
            && tree.read_chain(reference, &mut self.long).is_ok()
        {
            return Ok(true);
        }
        tree.get(&self.key, &mut self.long)
    }

    /// Copies the next leaf's part of the range.
    fn fill(&mut self, tree: &Tree) -> Result<()> {
        let backoff = Backoff::new();
        self.reading.wait_for(self.ahead.saturating_sub(1));
        loop {
            self.items.clear();
            self.given = 0;
            let Some(spot) = tree.descend(self.seek(), 0)? else {
                self.next = Next::End;
                return Ok(());
            };
            let copied = self.copy_leaf(&spot.node.view());
            if !spot.node.validate() {
                backoff.snooze();
                continue;
            }
            return match copied {
                Ok(Copied { more, parted, whole }) => {
                    if more && self.is_stuck() {
                        return Err(tree.nonsense(spot.node.page(), Nonsense("fences lead in a circle")));
                    }
                    let read = if whole.is_empty() { Ok(()) } else { self.items_of_copy(whole) };
                    self.reading.leave(&tree.store, spot.node.page());
                    if more && !parted {
                        self.read_ahead(tree, &spot);
                    }
                    self.next = if more { Next::Resume } else { Next::End };
                    std::mem::swap(&mut self.resume, &mut self.fence);
                    read.map_err(|nonsense| tree.nonsense(spot.node.page(), nonsense))
                }
                Err(nonsense) => Err(tree.nonsense(spot.node.page(), nonsense)),
            };
        }
    }

    /// Has the next leaves read together where they are not in memory: from the second leaf on, twice as many each
    /// time, within the range and under the same parent.
    fn read_ahead(&mut self, tree: &Tree, spot: &Spot<'_>) {
        self.ahead = self.ahead.saturating_sub(1);
        if self.ahead > self.ahead_next / 2 {
            return;
        }
        let Some((parent, position)) = &spot.parent else { return };
        let view = parent.view();
        let node = Node::new(&view);
        let positions = match self.direction {
            Direction::Forward => {
                let last = match &self.upper {
                    Bound::Included(key) | Bound::Excluded(key) if node.covers(key) => {
                        node.child_position(key)
                    }
                    _ => node.count(),
                };
                let from = position + 1 + self.ahead;
                from..(from + self.ahead_next).min(last + 1)
            }
            Direction::Backward => {
                let first = match &self.lower {
                    Bound::Included(key) | Bound::Excluded(key) if node.covers(key) => {
                        node.child_position(key)
                    }
                    _ => 0,
                };
                let to = position.saturating_sub(self.ahead).max(first);
                to.saturating_sub(self.ahead_next).max(first)..to
            }
        };
        let mut pages = [PageNo(0); AHEAD_MAX];
        let mut count = 0;
        for (page, position) in pages.iter_mut().zip(positions) {
            *page = PageNo(node.child(position));
            count += 1;
        }
        if parent.validate() {
            let pages = &mut pages[..count];
            if self.direction == Direction::Backward {
                pages.reverse();
            }
            self.reading.ask(&tree.store, pages);
            self.ahead += count;
            self.ahead_next = (2 * self.ahead_next).clamp(2, AHEAD_MAX);
        }
    }

    /// Whether the fence just read does not lead on; only a page that lies has such a one.
    fn is_stuck(&self) -> bool {
        self.next == Next::Resume
            && match self.direction {
                Direction::Forward => self.fence <= self.resume,
                Direction::Backward => self.fence >= self.resume,
            }
    }

    fn seek(&self) -> Seek<'_> {
        match (self.direction, self.next) {
            (Direction::Forward, Next::Resume) => Seek::At(&self.resume),
            (Direction::Backward, Next::Resume) => Seek::Below(&self.resume),
            (Direction::Forward, _) => match &self.lower {
                Bound::Included(key) | Bound::Excluded(key) => Seek::At(key),
                Bound::Unbounded => Seek::First,
            },
            (Direction::Backward, _) => match &self.upper {
                Bound::Included(key) => Seek::At(key),
                Bound::Excluded(key) => Seek::Below(key),
                Bound::Unbounded => Seek::Last,
            },
        }
    }

    /// Copies the range's part of a leaf that may be changing, and notes where to go on.
    fn copy_leaf(&mut self, view: &PageView<'_>) -> Result<Copied, Nonsense> {
        let node = Node::new(view);
        let (start, end, more) = self.positions(node);
        self.key.clear();
        node.append_lower(&mut self.key);
        self.prefix_len = node.prefix_len();
        if self.prefix_len > self.key.len() {
            return Err(Nonsense("prefix longer than the lower fence"));
        }
        let parted = std::mem::take(&mut self.few) && end.saturating_sub(start) > FIRST;
        let (range, more) =
            if parted { (self.first_of(view, node, start..end), true) } else { (start..end, more) };
        if range.len() <= FEW {
            self.data.clear();
            // Their lines come while the first is copied: one after the other, each would be waited for.
            for position in range.clone() {
                view.prefetch(node.slot(position).offset, NEAR);
            }
            for position in range {
                self.copy_record(view, node, position)?;
            }
            return Ok(Copied { more, parted, whole: 0..0 });
        }
        // The page as it is but for its free space, where something older may stay.
        self.data.resize(PAYLOAD, 0);
        let slots_end = (HEADER + node.count() * SLOT).min(PAYLOAD);
        let heap = node.heap().clamp(slots_end, PAYLOAD);
        view.copy_out(0, &mut self.data[..slots_end]);
        view.copy_out(heap, &mut self.data[heap..]);
        Ok(Copied { more, parted, whole: range })
    }

    /// The first few of some positions of a leaf; notes the key to go on from as the fence.
    fn first_of(
        &mut self,
        view: &PageView<'_>,
        node: Node<'_, PageView<'_>>,
        Range { start, end }: Range<usize>,
    ) -> Range<usize> {
        // Forward, the rest begins with that key; backward, it ends before it.
        let (first, edge) = match self.direction {
            Direction::Forward => (start..start + FIRST, start + FIRST),
            Direction::Backward => (end - FIRST..end, end - FIRST),
        };
        let slot = node.slot(edge);
        let suffix_at = node.value_range(slot).0 - slot.suffix_len;
        self.fence.clear();
        self.fence.extend_from_slice(&self.key[..self.prefix_len]);
        view.append_to(suffix_at, slot.suffix_len, &mut self.fence);
        first
    }

    fn copy_record(
        &mut self,
        view: &PageView<'_>,
        node: Node<'_, PageView<'_>>,
        position: usize,
    ) -> Result<(), Nonsense> {
        let slot = node.slot(position);
        let (value_at, value_len) = node.value_range(slot);
        let suffix_at = value_at - slot.suffix_len;
        if value_at + value_len > PAYLOAD {
            return Err(Nonsense("record beyond the page"));
        }
        let item = Item {
            suffix_at: self.data.len(),
            suffix_len: slot.suffix_len as u16,
            value_len: value_len as u16,
            overflow: slot.overflow,
        };
        view.append_to(suffix_at, slot.suffix_len + value_len, &mut self.data);
        self.items.push(item);
        Ok(())
    }

    /// Positions of the range in this leaf, and whether it goes on in the next; notes that one's fence.
    fn positions<B: Bytes + ?Sized>(&mut self, node: Node<'_, B>) -> (usize, usize, bool) {
        self.fence.clear();
        match self.direction {
            Direction::Forward => {
                let more = node.append_upper(&mut self.fence) && starts_below(&self.fence, &self.upper);
                let start = match self.next {
                    Next::Resume => node.search(&self.resume).0,
                    _ => start_of(node, &self.lower),
                };
                (start, if more { node.count() } else { end_of(node, &self.upper) }, more)
            }
            Direction::Backward => {
                node.append_lower(&mut self.fence);
                let more = !self.fence.is_empty() && reaches_below(&self.fence, &self.lower);
                let end = match self.next {
                    Next::Resume => node.search(&self.resume).0,
                    _ => end_of(node, &self.upper),
                };
                (if more { 0 } else { start_of(node, &self.lower) }, end, more)
            }
        }
    }

    /// Notes the records of a range in the copied page.
    fn items_of_copy(&mut self, range: Range<usize>) -> Result<(), Nonsense> {
        let node = Node::new(&*self.data);
        for position in range {
            let slot = node.slot(position);
            let (value_at, value_len) = node.value_range(slot);
            if value_at + value_len > PAYLOAD {
                return Err(Nonsense("record beyond the page"));
            }
            self.items.push(Item {
                suffix_at: value_at - slot.suffix_len,
                suffix_len: slot.suffix_len as u16,
                value_len: value_len as u16,
                overflow: slot.overflow,
            });
        }
        Ok(())
    }
}

/// A look at values that lie in a cursor's copy of a leaf, without their keys. The cursor goes on over those passed.
pub struct Here<'c> {
    cursor: &'c mut Cursor,
    /// The last one passed.
    passed: Option<Item>,
}

impl Here<'_> {
    /// The next value; none where the tree has to be looked at.
    #[inline]
    pub fn peek(&self) -> Option<&[u8]> {
        Some(inline_value(&self.cursor.data, self.cursor.item_here()?))
    }

    /// Puts the next value's key into `key`, where there is one.
    #[inline]
    pub fn peek_key(&self, key: &mut Vec<u8>) {
        let Cursor { data, key: present, prefix_len, .. } = &*self.cursor;
        if let Some(item) = self.cursor.item_here() {
            key.clear();
            key.extend_from_slice(&present[..*prefix_len]);
            key.extend_from_slice(&data[item.suffix_at..][..usize::from(item.suffix_len)]);
        }
    }

    /// Goes on over the next value.
    #[inline]
    pub fn pass(&mut self) {
        if let Some(item) = self.cursor.item_here() {
            self.passed = Some(item);
            self.cursor.given += 1;
        }
    }
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        if let Some(item) = self.passed {
            self.cursor.given -= 1;
            self.cursor.go_to(item);
        }
    }
}

/// What was copied of a leaf.
struct Copied {
    /// The range goes on beyond what was copied.
    more: bool,
    /// There is more of it in the same leaf.
    parted: bool,
    /// Positions of the range when the whole page was copied; empty when its records were.
    whole: Range<usize>,
}

fn inline_value(data: &[u8], item: Item) -> &[u8] {
    &data[item.suffix_at + usize::from(item.suffix_len)..][..usize::from(item.value_len)]
}

fn set_bound(to: &mut Bound<Vec<u8>>, from: Bound<&[u8]>) {
    let mut buffer = match std::mem::replace(to, Bound::Unbounded) {
        Bound::Included(buffer) | Bound::Excluded(buffer) => buffer,
        Bound::Unbounded => Vec::new(),
    };
    buffer.clear();
    *to = from.map(|key| {
        buffer.extend_from_slice(key);
        buffer
    });
}

/// Whether no key can lie between the bounds.
pub(crate) fn is_empty(lower: Bound<&[u8]>, upper: Bound<&[u8]>) -> bool {
    match (lower, upper) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(lower), Bound::Included(upper)) => lower > upper,
        (
            Bound::Included(lower) | Bound::Excluded(lower),
            Bound::Included(upper) | Bound::Excluded(upper),
        ) => lower >= upper,
    }
}

/// The position of the first record within a lower bound.
fn start_of<B: Bytes + ?Sized>(node: Node<'_, B>, lower: &Bound<Vec<u8>>) -> usize {
    match lower {
        Bound::Included(key) => node.search(key).0,
        Bound::Excluded(key) => node.child_position(key),
        Bound::Unbounded => 0,
    }
}

/// The position after the last record within an upper bound.
fn end_of<B: Bytes + ?Sized>(node: Node<'_, B>, upper: &Bound<Vec<u8>>) -> usize {
    match upper {
        Bound::Included(key) => node.child_position(key),
        Bound::Excluded(key) => node.search(key).0,
        Bound::Unbounded => node.count(),
    }
}

/// Whether keys from `fence` on may be within an upper bound.
fn starts_below(fence: &[u8], upper: &Bound<Vec<u8>>) -> bool {
    match upper {
        Bound::Included(key) => fence <= &**key,
        Bound::Excluded(key) => fence < &**key,
        Bound::Unbounded => true,
    }
}

/// Whether keys below `fence` may be within a lower bound.
fn reaches_below(fence: &[u8], lower: &Bound<Vec<u8>>) -> bool {
    match lower {
        Bound::Included(key) | Bound::Excluded(key) => fence > &**key,
        Bound::Unbounded => true,
    }
}
