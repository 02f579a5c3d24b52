//! Results that are columns of one table as they are stored: sent from the row image, never decoded.
//!
//! Where they are to be sorted, images and sort keys are kept side by side in one piece of memory. A result that
//! outgrows it is left to [`super::query`]: nothing has been sent until the last row is read.

use super::memory::Operator;
use super::reader::gate::Gate;
use super::reader::{Reader, Taker, damaged, only_stored};
use super::sort::Limit;
use super::{Cx, Flow, join};
use crate::error::SqlError;
use crate::expr::stored::{Image, StoredRow};
use crate::expr::{Expr, sort_key};
use crate::output::RowRef;
use crate::plan::{Body, QueryPlan, SelectPlan, TableAccess};
use crate::session::counters::Counter;
use engine::{FoundRow, Table};
use std::sync::Arc;
use types::{ColumnType, Value};

/// Rows beyond those that LIMIT wants that are kept until the next look.
const SURPLUS: usize = 256;

/// A text of so many bytes has its sort key made late.
const LONG_TEXT: usize = 32;
/// So many bytes of it are looked at for how its key begins.
const START_OF_TEXT: usize = 16;

/// What such a query gives.
#[derive(Debug)]
pub struct Columns {
    /// The columns, in order.
    columns: Vec<usize>,
    /// The columns that it is sorted by, if the access does not give the order already.
    order: Vec<usize>,
}

/// Such a query, to be run.
pub struct Direct<'p> {
    select: &'p SelectPlan,
    access: &'p TableAccess,
    table: &'p Arc<Table>,
}

type EachImage<'k> = &'k mut dyn FnMut(&mut Cx<'_>, &[u8]) -> Result<Taken, SqlError>;

/// What became of a row.
enum Taken {
    /// It is among those wanted, as far as is known.
    Kept,
    /// It comes behind all that are.
    Behind,
    /// No more are wanted.
    Enough,
}

/// How a run has ended.
pub enum Ran {
    /// All rows were given.
    Done,
    /// There are too many to be sorted here; none was given.
    TooMany,
}

impl<'p> Direct<'p> {
    /// The parts of a plan that [`Columns`] were found for.
    pub fn of(plan: &'p QueryPlan) -> Option<Direct<'p>> {
        let Body::Select(select) = &plan.body else { return None };
        let (access, table) = only_stored(select)?;
        Some(Direct { select, access, table })
    }

    /// Reads the rows; `each` gets their images.
    pub fn run(
        &self,
        wanted: &Columns,
        cx: &mut Cx<'_>,
        each: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Result<Ran, SqlError> {
        cx.frame_mut(self.select.level, self.select.width);
        let mut limit = Limit::of(&self.select.tail, cx)?;
        let Direct { select, .. } = self;
        if limit.is_empty() || !join::all(&select.constant_filter, cx)? || !join::all(&select.implied, cx)? {
            return Ok(Ran::Done);
        }
        let top = limit.top(&self.select.tail).unwrap_or(usize::MAX);
        let (layout, columns) = (self.table.layout(), &wanted.columns[..]);
        if wanted.order.is_empty() {
            limit.hand_over(self.select, cx);
        }
        let mut give = |cx: &mut Cx<'_>, image: &[u8]| {
            if limit.leaves_out(cx) {
                return Flow::Continue;
            }
            limit.take();
            let flow = each(RowRef::Stored { layout, image, columns });
            if limit.is_reached() { Flow::Stop } else { flow }
        };
        if wanted.order.is_empty() {
            self.rows(cx, None, &mut |cx, image| match give(cx, image) {
                Flow::Continue => Ok(Taken::Kept),
                Flow::Stop => Ok(Taken::Enough),
            })?;
            limit.report(cx);
            return Ok(Ran::Done);
        }
        // Places are 32 bits wide, and keys may be several times as long as their texts.
        let memory = cx.work_memory(Operator::Sort).min(1 << 28);
        let mut sorted = SortedImages { distinct: self.select.distinct, top, ..SortedImages::default() };
        let gate = Gate::of(&self.select.tail.order_by, self.reader().stored());
        let flow = self.rows(cx, gate, &mut |cx, image| {
            if sorted.has_surplus() {
                sorted.settle(|image, key| self.append_key(wanted, image, cx, key))?;
                sorted.compact();
            }
            let kept = sorted.push(image, |key| match self.append_start(wanted, image, key)? {
                true => Ok(Keyed::Start),
                false => self.append_key(wanted, image, cx, key).map(|()| Keyed::Whole),
            })?;
            Ok(match kept {
                _ if sorted.bytes.len() > memory => Taken::Enough,
                true => Taken::Kept,
                false => Taken::Behind,
            })
        })?;
        if flow == Flow::Stop {
            return Ok(Ran::TooMany);
        }
        sorted.settle(|image, key| self.append_key(wanted, image, cx, key))?;
        super::query::count_sort(self.select, cx);
        cx.count(Counter::SortRows, sorted.entries.len() as u64);
        for entry in &sorted.entries {
            cx.check_interrupt()?;
            if give(cx, sorted.image(entry)) == Flow::Stop {
                break;
            }
        }
        limit.report(cx);
        Ok(Ran::Done)
    }

    fn reader(&self) -> Reader<'p> {
        let Direct { select, access, table } = *self;
        Reader { table, access, level: select.level, decodes: !select.filter.is_empty() }
    }

    /// Visits the rows that pass all conditions, but for those that the gate of a sort is known to keep out.
    fn rows(&self, cx: &mut Cx<'_>, gate: Option<Gate>, each: EachImage<'_>) -> Result<Flow, SqlError> {
        let filter = &self.select.filter;
        super::query::count_access(self.access, true, cx);
        self.reader().run(cx, &mut Images { filter, gate, each })
    }

    /// Appends how the sort key of a row begins, where it begins with a text so long that few rows agree in that: true.
    fn append_start(&self, wanted: &Columns, image: &[u8], key: &mut Vec<u8>) -> Result<bool, SqlError> {
        let layout = self.table.layout();
        let (Some(&number), Some(by)) = (wanted.order.first(), self.select.tail.order_by.first()) else {
            return Ok(false);
        };
        let column = layout.column(number);
        if !is_kept_as_text(column.ty()) {
            return Ok(false);
        }
        let bytes = layout.column_bytes(image, number).map_err(|error| damaged(self.table, &error))?;
        let collation = column.collation();
        let text = bytes.map(|bytes| column.payload(bytes)).unwrap_or_default();
        if text.len() < LONG_TEXT || !collation.charset().is_utf8() {
            return Ok(false);
        }
        let at = key.len();
        key.push(1);
        let whole = (0..=START_OF_TEXT).rev().find(|end| text[*end] & 0xC0 != 0x80).unwrap_or(0);
        collation.collation().append_key_prefix(&text[..whole], key);
        if key.len() - at < size_of::<u64>() {
            key.truncate(at);
            return Ok(false);
        }
        if by.desc {
            key[at..].iter_mut().for_each(|byte| *byte = !*byte);
        }
        Ok(true)
    }

    /// Appends the sort key of a row: strings as they are stored, other columns by their values.
    fn append_key(
        &self,
        wanted: &Columns,
        image: &[u8],
        cx: &mut Cx<'_>,
        key: &mut Vec<u8>,
    ) -> Result<(), SqlError> {
        let layout = self.table.layout();
        for (&number, by) in wanted.order.iter().zip(&self.select.tail.order_by) {
            let column = layout.column(number);
            let bytes = layout.column_bytes(image, number).map_err(|error| damaged(self.table, &error))?;
            match bytes {
                Some(bytes) if is_kept_as_text(column.ty()) => {
                    let start = key.len();
                    key.push(1);
                    column.collation().collation().append_key(column.payload(bytes), key);
                    if by.desc {
                        key[start..].iter_mut().for_each(|byte| *byte = !*byte);
                    }
                }
                Some(bytes) => {
                    let value = column.decode(bytes).map_err(|error| damaged(self.table, &error))?;
                    let value = value.in_zone(&cx.state.vars.time_zone);
                    sort_key(&value, &by.expr.ty, by.desc, key);
                }
                None => sort_key(&Value::Null, &by.expr.ty, by.desc, key),
            }
        }
        Ok(())
    }
}

/// Hands on images of rows that pass conditions on more than their table.
struct Images<'k> {
    filter: &'k [Expr],
    /// The gate of whoever sorts them.
    gate: Option<Gate>,
    each: EachImage<'k>,
}

impl Taker for Images<'_> {
    fn take(&mut self, row: FoundRow<'_>, cx: &mut Cx<'_>) -> Result<Flow, SqlError> {
        if !join::all(self.filter, cx)? {
            return Ok(Flow::Continue);
        }
        match (self.each)(cx, row.row)? {
            Taken::Kept | Taken::Behind => Ok(Flow::Continue),
            Taken::Enough => Ok(Flow::Stop),
        }
    }

    fn skims(&self) -> bool {
        self.filter.is_empty()
    }

    fn skim(&mut self, row: &mut StoredRow<'_>, cx: &mut Cx<'_>) -> Result<Option<Flow>, SqlError> {
        let Image::Row(image) = row.image else { return Ok(None) };
        if self.gate.as_ref().is_some_and(|gate| gate.keeps_out(row)) {
            return Ok(Some(Flow::Continue));
        }
        let taken = (self.each)(cx, image)?;
        if let (Taken::Behind, Some(gate)) = (&taken, &mut self.gate) {
            gate.shut(row);
        }
        Ok(Some(if matches!(taken, Taken::Enough) { Flow::Stop } else { Flow::Continue }))
    }
}

/// Whether the stored bytes are the string itself: BINARY is padded when it is read.
fn is_kept_as_text(ty: &ColumnType) -> bool {
    ty.is_string() && !matches!(ty, ColumnType::Binary(_))
}

impl Columns {
    /// The columns of its one table that a query gives as they are stored, if that is all it does.
    pub fn of(plan: &QueryPlan) -> Option<Columns> {
        let Direct { select, access, .. } = Direct::of(plan)?;
        let plain = select.group.is_none()
            && select.having.is_none()
            && select.windows.is_none()
            && select.row_number.is_none()
            && !select.tail.with_ties
            && select.tail.rows_examined.is_none()
            && !select.tail.calc_found_rows
            && access.covered.is_none();
        if !plain {
            return None;
        }
        let column = |e: &Expr| access.column_of(e, select.level);
        let columns = select.items.iter().map(column).collect::<Option<Vec<_>>>()?;
        let order = match select.presorted {
            true => Vec::new(),
            false => select.tail.order_by.iter().map(|key| column(&key.expr)).collect::<Option<Vec<_>>>()?,
        };
        // Rows that are the same stand together where they are sorted by all that is in them, and by nothing else.
        let together = !order.is_empty()
            && columns.iter().all(|column| order.contains(column))
            && order.iter().all(|column| columns.contains(column));
        (!select.distinct || together).then_some(Columns { columns, order })
    }
}

/// Row images with their sort keys, which those that begin like no other row's go without.
#[derive(Default)]
struct SortedImages {
    /// Keys and images.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Of rows of the same key only the first is wanted.
    distinct: bool,
    /// So many first rows are wanted.
    top: usize,
    /// How the key of the last of them begins, once there are as many: what begins higher comes behind them all.
    edge: Option<u64>,
}

/// What was appended of a row's sort key.
#[derive(PartialEq, Eq)]
enum Keyed {
    Whole,
    /// Eight bytes and more of its beginning.
    Start,
}

/// A row: its key and image in the bytes. The order of images is the order of arrival.
#[derive(Clone, Copy)]
struct Entry {
    /// The key's first bytes.
    prefix: u64,
    key_at: u32,
    /// As `key_at` for a key that has not been made.
    key_end: u32,
    image_at: u32,
    image_end: u32,
}

impl Entry {
    fn has_key(&self) -> bool {
        self.key_at != self.key_end
    }
}

impl SortedImages {
    /// Whether so many rows are there beyond the wanted ones that it is time to let some go.
    fn has_surplus(&self) -> bool {
        self.entries.len() >= self.top.saturating_mul(2).saturating_add(SURPLUS)
    }

    /// Keeps a row, unless it is seen to come behind all that are wanted; whether it did.
    fn push(
        &mut self,
        image: &[u8],
        append_key: impl FnOnce(&mut Vec<u8>) -> Result<Keyed, SqlError>,
    ) -> Result<bool, SqlError> {
        let key_at = self.bytes.len();
        let keyed = append_key(&mut self.bytes)?;
        let mut prefix = [0; 8];
        let some = (self.bytes.len() - key_at).min(8);
        prefix[..some].copy_from_slice(&self.bytes[key_at..key_at + some]);
        let prefix = u64::from_be_bytes(prefix);
        if self.edge.is_some_and(|edge| prefix > edge) {
            self.bytes.truncate(key_at);
            return Ok(false);
        }
        if keyed == Keyed::Start {
            self.bytes.truncate(key_at);
        }
        let image_at = self.bytes.len();
        self.bytes.extend_from_slice(image);
        self.entries.push(Entry {
            prefix,
            key_at: key_at as u32,
            key_end: image_at as u32,
            image_at: image_at as u32,
            image_end: self.bytes.len() as u32,
        });
        Ok(true)
    }

    /// Brings the rows into order, and lets those go that are not wanted. Rows that begin alike get their whole keys.
    fn settle(
        &mut self,
        mut append_key: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), SqlError>,
    ) -> Result<(), SqlError> {
        self.entries.sort_unstable_by_key(|entry| (entry.prefix, entry.image_at));
        let (mut entries, mut key) = (std::mem::take(&mut self.entries), Vec::new());
        for alike in entries.chunk_by_mut(|a, b| a.prefix == b.prefix) {
            if alike.len() == 1 {
                continue;
            }
            for entry in alike.iter_mut().filter(|entry| !entry.has_key()) {
                key.clear();
                append_key(self.image(entry), &mut key)?;
                entry.key_at = self.bytes.len() as u32;
                self.bytes.extend_from_slice(&key);
                entry.key_end = self.bytes.len() as u32;
            }
            alike.sort_unstable_by(|a, b| self.key(a).cmp(self.key(b)).then(a.image_at.cmp(&b.image_at)));
        }
        if self.distinct {
            entries
                .dedup_by(|later, first| later.prefix == first.prefix && self.key(later) == self.key(first));
        }
        entries.truncate(self.top);
        if entries.len() == self.top {
            self.edge = entries.last().map(|entry| entry.prefix);
        }
        self.entries = entries;
        Ok(())
    }

    /// Gives back the memory of rows that are gone.
    fn compact(&mut self) {
        let old = std::mem::take(&mut self.bytes);
        let mut keep = |from: u32, to: u32| {
            let at = self.bytes.len() as u32;
            self.bytes.extend_from_slice(&old[from as usize..to as usize]);
            (at, self.bytes.len() as u32)
        };
        for entry in &mut self.entries {
            let (key_at, key_end) = keep(entry.key_at, entry.key_end);
            let (image_at, image_end) = keep(entry.image_at, entry.image_end);
            *entry = Entry { prefix: entry.prefix, key_at, key_end, image_at, image_end };
        }
    }

    fn key(&self, entry: &Entry) -> &[u8] {
        &self.bytes[entry.key_at as usize..entry.key_end as usize]
    }

    fn image(&self, entry: &Entry) -> &[u8] {
        &self.bytes[entry.image_at as usize..entry.image_end as usize]
    }
}
