//! Rows of a stored table, read as its access says.

mod entry;
pub mod gate;

use super::keys::Keys;
use super::ranges::{apart, from_end, key_range, sought};
use super::{Cx, Flow};
use crate::error::SqlError;
use crate::expr::Expr;
use crate::expr::screen::Screen;
use crate::expr::stored::{Entry, Image, StoredRow, StoredTable};
use crate::plan::covering::Covered;
use crate::plan::{Access, Join, KeyRange, RowLock, SelectPlan, Source, TableAccess};
use crate::session::counters::Counter;
use crate::session::mode;
use crate::syntax::ast::LockWait;
use engine::{Direction, FoundRow, Read, Scan, Table, Wait};
use entry::EntryBytes;
use gate::Gate;
use std::ops::Bound;
use std::sync::Arc;
use types::row::{ColumnLayout, RowPlaces};
use types::{ColumnType, TimeZone, Value};

/// How rows of a table are read under a lock clause.
pub fn read_mode(lock: Option<RowLock>) -> Read {
    let Some(lock) = lock else { return Read::Snapshot };
    let wait = match lock.wait {
        LockWait::NoWait | LockWait::Seconds(0) => Wait::NoWait,
        LockWait::SkipLocked => Wait::SkipLocked,
        LockWait::Default | LockWait::Seconds(_) => Wait::Block,
    };
    if lock.exclusive { Read::Exclusive(wait) } else { Read::Share(wait) }
}

/// Rows of a scan that are looked at before its conditions are made ready for more.
const FIRST_ROWS: u64 = 16;

/// Where no more rows are wanted than these, a scan is told that they are few.
const FEW_WANTED: u64 = 10;
/// Once so many rows in a row were looked at where they lay only to be wanted, the others are read at once. Who takes rows
/// there knows by itself when that is in vain.
const VAIN_MAX: u32 = 256;

/// Takes the rows of a reader.
pub trait Taker {
    /// Takes a row: its columns are in their slots where the reader decodes them.
    fn take(&mut self, row: FoundRow<'_>, cx: &mut Cx<'_>) -> Result<Flow, SqlError>;

    /// Whether rows may be taken as they are stored, before any is decoded.
    fn skims(&self) -> bool {
        false
    }

    /// Takes a row as it is stored (empty where only keys are read), which passes the conditions; none to leave it to
    /// [`Taker::take`], which gets it next.
    fn skim(&mut self, _row: &mut StoredRow<'_>, _cx: &mut Cx<'_>) -> Result<Option<Flow>, SqlError> {
        Ok(None)
    }
}

impl<F: FnMut(&mut Cx<'_>, FoundRow<'_>) -> Result<Flow, SqlError>> Taker for F {
    fn take(&mut self, row: FoundRow<'_>, cx: &mut Cx<'_>) -> Result<Flow, SqlError> {
        self(cx, row)
    }
}

/// The stored table that a block reads, where it reads nothing else.
pub fn only_stored(plan: &SelectPlan) -> Option<(&TableAccess, &Arc<Table>)> {
    let Some(Join::Table(access)) = &plan.from else { return None };
    let Source::Base(table) = &access.source else { return None };
    Some((access, table))
}

/// What rows that lie at hand are looked at with.
struct Sieve<'s> {
    /// Their conditions, made ready or not.
    filter: &'s [Expr],
    screen: Option<&'s Screen>,
    /// The gate of whoever sorts those that pass.
    gate: Option<&'s Gate>,
    /// The index whose entries hold all that is wanted of them, and where.
    covered: Option<(usize, &'s Covered)>,
}

/// What became of rows that lay at hand.
#[derive(Default)]
struct Skimmed {
    /// So many are done with.
    rows: u64,
    /// The next one is known to pass the conditions.
    passes: bool,
    /// The last one was the last wanted.
    stops: bool,
}

/// A stored table being read as its access says.
pub struct Reader<'r> {
    /// The table.
    pub table: &'r Arc<Table>,
    /// The way.
    pub access: &'r TableAccess,
    /// Frame level of its slots.
    pub level: u32,
    /// Rows are wanted as values in their slots. Else they are decoded where a condition has to be looked at, only.
    pub decodes: bool,
}

impl Reader<'_> {
    /// Has every row taken that passes the conditions.
    pub fn run(&self, cx: &mut Cx<'_>, taker: &mut dyn Taker) -> Result<Flow, SqlError> {
        let table = self.table;
        if self.access.lock.is_some_and(|lock| lock.exclusive) && !table.is_temporary() {
            cx.state.check_reads_only()?;
            cx.state.check_read_only()?;
        }
        // Warnings count the rows that the table at work gives; one that is known by constants counts for nothing.
        let known =
            matches!(&self.access.access, Access::Point(_, keys) if !keys.iter().any(Expr::reads_column));
        if !known || cx.state.statement.row == 0 {
            cx.state.statement.row = 1;
        }
        match &self.access.access {
            Access::Point(index, keys) => {
                let Some(key) = point_key(cx, table, *index, keys)? else { return Ok(Flow::Continue) };
                match key {
                    PointKey::Exact(key) if table.primary_index() == Some(*index) => {
                        cx.count(Counter::HandlerReadKey, 1);
                        let mut buffer = cx.take_buffer();
                        let read = read_mode(self.access.lock);
                        let found = cx.state.txn()?.get(table, &key, read, &mut buffer.row)?;
                        buffer.key = key;
                        let flow = match found {
                            true => {
                                cx.count(Counter::RowsRead, 1);
                                let mut places = cx.take_places();
                                let conditions = (&self.access.residual[..], None, None);
                                let flow = self.row(buffer.found(), conditions, &mut places, cx, taker);
                                cx.give_places(places);
                                cx.state.statement.row += u64::from(!known);
                                flow
                            }
                            false => Ok(Flow::Continue),
                        };
                        cx.give_buffer(buffer);
                        flow
                    }
                    PointKey::Exact(key) => {
                        let range = engine::KeyRange::prefix(&key);
                        self.scan(*index, range, false, &self.access.residual, cx, taker)
                    }
                    PointKey::Unclear(range) => {
                        self.scan(*index, range, false, &self.access.filter, cx, taker)
                    }
                }
            }
            Access::Ranges { index, ranges, reverse } => {
                let (mut bounds, exact) = self.bounds(*index, ranges, cx)?;
                let filter = if exact { &self.access.residual } else { &self.access.filter };
                if *reverse {
                    bounds.reverse();
                }
                for range in bounds {
                    if self.scan(*index, range, *reverse, filter, cx, taker)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                Ok(Flow::Continue)
            }
            Access::Union(members) => self.union(members, cx, taker),
            Access::Index { index, reverse } => {
                self.scan(*index, engine::KeyRange::ALL, *reverse, &self.access.filter, cx, taker)
            }
            Access::Scan => {
                let index = table.primary_index().unwrap_or(engine::CLUSTERED);
                self.scan(index, engine::KeyRange::ALL, false, &self.access.filter, cx, taker)
            }
        }
    }

    /// The bounds of an index's ranges, in order and apart from each other, and whether they are exact.
    fn bounds(
        &self,
        index: usize,
        ranges: &[KeyRange],
        cx: &mut Cx<'_>,
    ) -> Result<(Vec<engine::KeyRange>, bool), SqlError> {
        let mut bounds = Vec::with_capacity(ranges.len());
        let mut exact = true;
        for range in ranges {
            if let Some(made) = key_range(cx, self.table, index, range)? {
                exact &= made.exact;
                bounds.push(made.bounds);
            }
        }
        Ok((apart(bounds), exact))
    }

    /// Rows of several indexes, each row once.
    fn union(
        &self,
        members: &[(usize, Vec<KeyRange>)],
        cx: &mut Cx<'_>,
        taker: &mut dyn Taker,
    ) -> Result<Flow, SqlError> {
        let mut seen = Keys::default();
        let mut held = 0;
        let mut flow = Flow::Continue;
        'members: for (number, (index, ranges)) in members.iter().enumerate() {
            let last = number + 1 == members.len();
            for range in self.bounds(*index, ranges, cx)?.0 {
                let mut once = |cx: &mut Cx<'_>, row: FoundRow<'_>| {
                    let Err(hash) = seen.find(row.key) else { return Ok(Flow::Continue) };
                    if !last {
                        cx.charge(row.key.len() + super::memory::ENTRY)?;
                        held += row.key.len() + super::memory::ENTRY;
                        seen.add(hash, row.key)?;
                    }
                    taker.take(row, cx)
                };
                flow = self.scan(*index, range, false, &self.access.filter, cx, &mut once)?;
                if flow == Flow::Stop {
                    break 'members;
                }
            }
        }
        cx.release(held);
        Ok(flow)
    }

    fn scan(
        &self,
        index: usize,
        range: engine::KeyRange,
        reverse: bool,
        filter: &[Expr],
        cx: &mut Cx<'_>,
        taker: &mut dyn Taker,
    ) -> Result<Flow, SqlError> {
        if let Some(parts) = self.access.skip {
            return self.scan_apart(index, range, (reverse, parts), filter, cx, taker);
        }
        let direction = if reverse { Direction::Backward } else { Direction::Forward };
        let read = read_mode(self.access.lock);
        let mut scan = cx.take_scan(self.table);
        cx.state.txn()?.scan_again(&mut scan, self.table, index, range, direction, read)?;
        if std::mem::replace(&mut cx.wanted_rows, u64::MAX) <= FEW_WANTED {
            scan.expect_few();
        }
        let exact = std::ptr::eq(filter, &self.access.residual[..]);
        let covered = self.access.covered.as_ref().filter(|c| self.decodes && (exact || !c.exact_only));
        let keys_only = self.access.keys_only && self.decodes && filter.is_empty();
        let mut passed_over = if self.access.passes_over && filter.is_empty() { cx.pass_over } else { 0 };
        scan.read_keys_only(keys_only || covered.is_some() || passed_over > 0);
        let mut places = cx.take_places();
        let step = count_start(&self.access.access, reverse, cx);
        let mut read = 0;
        let mut screen = None;
        let skims = self.access.lock.is_none()
            && self.access.target.is_none()
            && passed_over == 0
            && !cx.counts_examined()
            && reads_as_stored(cx);
        let mut vain = 0;
        let mut gate =
            Gate::of(&self.access.gate, self.stored()).filter(|_| skims && self.decodes && covered.is_none());
        let flow = loop {
            let mut passes = false;
            if skims && read > 0 && vain < VAIN_MAX {
                let covered = covered.map(|parts| (index, parts));
                let sieve = Sieve { filter, screen: screen.as_ref(), gate: gate.as_ref(), covered };
                let skimmed = self.skim(&mut scan, sieve, &mut places, cx, taker)?;
                read += skimmed.rows;
                passes = skimmed.passes;
                vain = if skimmed.rows > 0 { 0 } else { vain + u32::from(passes && !taker.skims()) };
                if skimmed.stops {
                    scan.leave(cx.state.txn()?);
                    break Flow::Stop;
                }
            }
            cx.examine()?;
            if !scan.advance(cx.state.txn()?)? {
                break Flow::Continue;
            }
            read += 1;
            if passed_over > 0 {
                passed_over -= 1;
                cx.pass_over = passed_over;
                if passed_over == 0 {
                    scan.read_keys_only(keys_only || covered.is_some());
                }
                cx.note(self.access, 0, 1, 1);
                cx.state.statement.row += 1;
                continue;
            }
            if read == FIRST_ROWS && !filter.is_empty() && reads_as_stored(cx) {
                screen = Some(Screen::of(filter, self.stored(), cx));
            }
            let filter = if passes { &[] } else { filter };
            let flow = match covered {
                _ if keys_only => {
                    cx.note(self.access, 0, 1, 1);
                    taker.take(scan.found(), cx)?
                }
                // A row that the transaction has changed itself was read anyway.
                Some(parts) if scan.found().row.is_empty() => {
                    self.entry(&scan, (index, parts), filter, cx, taker)?
                }
                _ => {
                    let conditions = (filter, screen.as_ref(), gate.as_mut());
                    self.row(scan.found(), conditions, &mut places, cx, taker)?
                }
            };
            cx.state.statement.row += 1;
            if flow == Flow::Stop {
                scan.leave(cx.state.txn()?);
                break Flow::Stop;
            }
        };
        cx.count(Counter::RowsRead, read);
        // The first step is counted as the start, the last one finds nothing.
        cx.count(step.0, read + step.1 - u64::from(flow == Flow::Stop));
        cx.give_places(places);
        cx.give_scan(scan);
        Ok(flow)
    }

    /// Goes over the rows that lie at hand, as far as the screen or the gate keeps them out or the taker takes them as they
    /// are stored.
    fn skim(
        &self,
        scan: &mut Scan,
        Sieve { filter, screen, gate, covered }: Sieve<'_>,
        places: &mut RowPlaces,
        cx: &mut Cx<'_>,
        taker: &mut dyn Taker,
    ) -> Result<Skimmed, SqlError> {
        let mut skimmed = Skimmed::default();
        let takes = taker.skims();
        let gate = gate.filter(|gate| gate.is_shut());
        let screened = filter.is_empty() || screen.is_some_and(Screen::is_whole);
        if !screened || filter.is_empty() && gate.is_none() && !takes {
            return Ok(skimmed);
        }
        let mut at_hand = scan.at_hand(cx.state.txn()?);
        let (mut entry, mut key) = (Entry::default(), cx.take_key());
        let mut kept = 0;
        while let Some(row) = at_hand.peek() {
            places.clear();
            let image = match covered {
                None => Image::Row(row),
                Some(covered) => {
                    let Some(clustered) = at_hand.peek_key(&mut key) else { break };
                    let clustered = &key[key.len() - clustered..];
                    let found = EntryBytes { key: &key, clustered, beside: row };
                    if !self.fill_entry(covered, found, &mut entry) {
                        break;
                    }
                    Image::Entry(&entry)
                }
            };
            let mut row = StoredRow { image, table: self.stored(), places };
            match screen.map_or(Some(true), |screen| screen.passes(&mut row)) {
                Some(true) => skimmed.passes = true,
                Some(false) => skimmed.passes = false,
                None => break,
            }
            if skimmed.passes && !gate.is_some_and(|gate| gate.keeps_out(&mut row)) {
                let taken = if takes { taker.skim(&mut row, cx)? } else { None };
                let Some(flow) = taken else { break };
                skimmed.stops = flow == Flow::Stop;
            }
            kept += u64::from(std::mem::take(&mut skimmed.passes));
            skimmed.rows += 1;
            cx.state.statement.row += 1;
            at_hand.pass();
            if skimmed.stops {
                break;
            }
        }
        cx.give_key(key);
        cx.note(self.access, 0, skimmed.rows, kept);
        Ok(skimmed)
    }

    /// As [`Reader::scan`], of rows that agree in so many leading parts of the index only the first.
    fn scan_apart(
        &self,
        index: usize,
        mut range: engine::KeyRange,
        (reverse, parts): (bool, usize),
        filter: &[Expr],
        cx: &mut Cx<'_>,
        taker: &mut dyn Taker,
    ) -> Result<Flow, SqlError> {
        let direction = if reverse { Direction::Backward } else { Direction::Forward };
        let key_of = index_key(self.table, index)?;
        let mut places = cx.take_places();
        let mut prefix = cx.take_key();
        let flow = loop {
            cx.examine()?;
            cx.count(Counter::HandlerReadKey, 1);
            let mut scan = cx.take_scan(self.table);
            let txn = cx.state.txn()?;
            txn.scan_again(&mut scan, self.table, index, range.clone(), direction, Read::Snapshot)?;
            scan.expect_few();
            if !scan.advance(txn)? {
                cx.give_scan(scan);
                break Flow::Continue;
            }
            cx.count(Counter::RowsRead, 1);
            let found = scan.found();
            prefix.clear();
            key_of
                .append_leading(parts, self.table.layout(), found.row, &mut prefix)
                .map_err(|error| damaged(self.table, &error))?;
            let flow = self.row(found, (filter, None, None), &mut places, cx, taker)?;
            cx.state.statement.row += 1;
            scan.leave(cx.state.txn()?);
            cx.give_scan(scan);
            if flow == Flow::Stop {
                break Flow::Stop;
            }
            match reverse {
                false => range.lo = from_end(&prefix),
                true => range.hi = Bound::Excluded(prefix.clone()),
            }
        };
        cx.give_key(prefix);
        cx.give_places(places);
        Ok(flow)
    }

    /// The table as conditions on stored rows see it.
    pub fn stored(&self) -> StoredTable<'_> {
        StoredTable { layout: self.table.layout(), slots: &self.access.slots, level: self.level }
    }

    /// Checks the conditions on a row, and hands it on.
    #[inline]
    fn row(
        &self,
        found: FoundRow<'_>,
        (filter, screen, gate): (&[Expr], Option<&Screen>, Option<&mut Gate>),
        places: &mut RowPlaces,
        cx: &mut Cx<'_>,
        taker: &mut dyn Taker,
    ) -> Result<Flow, SqlError> {
        let access = self.access;
        places.clear();
        let mut row = StoredRow { image: Image::Row(found.row), table: self.stored(), places };
        let plain = reads_as_stored(cx);
        let mut decoded = 0;
        let mut passes = true;
        // Columns are decoded as conditions come to need them; those that none reads only in rows that pass.
        let staged = filter.len() == access.checked.len();
        for (i, condition) in filter.iter().enumerate() {
            let stored = match screen.and_then(|screen| screen.truth(i, &mut row)) {
                None if plain => condition.truth_stored(&mut row, cx),
                truth => truth,
            };
            let truth = match stored {
                Some(truth) => truth,
                None => {
                    let needed = if staged { access.checked[i] } else { access.columns.len() };
                    if needed > decoded {
                        self.decode(&mut row, &access.columns[decoded..needed], cx)?;
                        decoded = needed;
                    }
                    condition.truth(cx)?
                }
            };
            if truth != Some(true) {
                passes = false;
                break;
            }
        }
        cx.note(access, 0, 1, u64::from(passes));
        if !passes {
            if access.lock.is_some() {
                // At READ COMMITTED a row that is not wanted does not stay locked, as in MariaDB.
                cx.state.txn()?.unlock_row(self.table, found.key);
            }
            return Ok(Flow::Continue);
        }
        if !access.gate.is_empty() && self.decodes && cx.has_gate(self.level) {
            self.decode(&mut row, &access.columns[decoded..access.gated.max(decoded)], cx)?;
            decoded = access.gated.max(decoded);
            if !cx.passes_gate(self.level, &access.gate)? {
                if let Some(gate) = gate {
                    gate.shut(&mut row);
                }
                return Ok(Flow::Continue);
            }
        }
        let rest = match decoded {
            0 => access.columns_delivered(),
            decoded => &access.columns[decoded..],
        };
        if self.decodes && !rest.is_empty() {
            self.decode(&mut row, rest, cx)?;
        }
        if let Some(target) = access.target {
            cx.set_target(target, found);
        }
        taker.take(found, cx)
    }

    /// Decodes what is wanted of a row that passes the conditions.
    pub fn deliver(&self, row: &mut StoredRow<'_>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let columns = self.access.columns_delivered();
        if columns.is_empty() { Ok(()) } else { self.decode(row, columns, cx) }
    }

    /// Decodes columns of a row into their slots.
    #[inline]
    fn decode(
        &self,
        row: &mut StoredRow<'_>,
        columns: &[(usize, u32)],
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let width = self.access.slots.end as usize;
        decode(self.table, |column| row.bytes(column), columns, width, self.level, cx)
    }
}

/// Whether columns are read as they are stored.
fn reads_as_stored(cx: &Cx<'_>) -> bool {
    !cx.state.vars.has_mode(mode::PAD_CHAR_TO_FULL_LENGTH)
}

/// Counts how a scan starts; gives what its steps are counted as, and how many there are beside its rows.
fn count_start(access: &Access, reverse: bool, cx: &Cx<'_>) -> (Counter, u64) {
    let start = match access {
        Access::Scan => return (Counter::HandlerReadRndNext, 1),
        Access::Index { .. } if reverse => Counter::HandlerReadLast,
        Access::Index { .. } => Counter::HandlerReadFirst,
        _ => Counter::HandlerReadKey,
    };
    cx.count(start, 1);
    (if reverse { Counter::HandlerReadPrev } else { Counter::HandlerReadNext }, 0)
}

/// Decodes columns of a row image into slots.
pub fn fill(
    table: &Table,
    row: &[u8],
    columns: &[(usize, u32)],
    width: usize,
    level: u32,
    cx: &mut Cx<'_>,
) -> Result<(), SqlError> {
    // Columns stand in their order: one walk over the row finds them all.
    let mut cursor = table.layout().cursor(row).map_err(|error| damaged(table, &error))?;
    decode(table, |column| cursor.bytes(column), columns, width, level, cx)
}

/// Decodes columns, found by `bytes`, into slots.
#[inline]
fn decode<'r>(
    table: &Table,
    mut bytes: impl FnMut(usize) -> Result<Option<&'r [u8]>, types::RowError>,
    columns: &[(usize, u32)],
    width: usize,
    level: u32,
    cx: &mut Cx<'_>,
) -> Result<(), SqlError> {
    let shown = Shown::of(cx);
    let layout = table.layout();
    let frame = cx.frame_mut(level, width);
    for &(column, slot) in columns {
        let place = &mut frame[slot as usize];
        let layout = layout.column(column);
        bytes(column)
            .and_then(|bytes| put(layout, bytes, &shown, place))
            .map_err(|error| damaged(table, &error))?;
    }
    Ok(())
}

/// How a session has stored values shown.
struct Shown {
    zone: TimeZone,
    /// CHAR with the spaces of `PAD_CHAR_TO_FULL_LENGTH`.
    pads: bool,
}

impl Shown {
    fn of(cx: &Cx<'_>) -> Shown {
        Shown { zone: cx.state.vars.time_zone, pads: !reads_as_stored(cx) }
    }
}

/// Puts a column's bytes (none for NULL) into its slot.
#[inline]
fn put(
    column: &ColumnLayout,
    bytes: Option<&[u8]>,
    shown: &Shown,
    place: &mut Value,
) -> Result<(), types::RowError> {
    match bytes {
        None => *place = Value::Null,
        Some(bytes) => column.decode_into(bytes, place)?,
    }
    match (&mut *place, column.ty()) {
        (Value::Timestamp(..), _) => *place = std::mem::take(place).in_zone(&shown.zone),
        (Value::Str(text), ColumnType::Char(chars)) if shown.pads => pad(text, *chars as usize),
        _ => {}
    }
    Ok(())
}

/// Fills a string up with spaces.
pub fn pad(text: &mut types::StrValue, chars: usize) {
    let charset = text.collation.charset();
    let missing = chars.saturating_sub(charset.char_count(&text.bytes));
    let mut bytes = text.bytes.to_vec();
    for _ in 0..missing {
        charset.encode(u32::from(b' '), &mut bytes);
    }
    text.bytes = bytes.into();
}

/// A stored row that does not read as its table says.
pub fn damaged(table: &Table, error: &types::RowError) -> SqlError {
    SqlError::new(
        1034,
        b"HY000",
        format!("Index for table '{}' is corrupt; try to repair it: {error}", table.name()),
    )
}

/// The key of a point read.
enum PointKey {
    /// The whole key.
    Exact(Vec<u8>),
    /// A value that the column cannot hold exactly: the range to search instead.
    Unclear(engine::KeyRange),
}

fn point_key(
    cx: &mut Cx<'_>,
    table: &Table,
    index: usize,
    keys: &[Expr],
) -> Result<Option<PointKey>, SqlError> {
    let key_of = index_key(table, index)?;
    let def = table.def().clone();
    let mut key = Vec::with_capacity(32);
    let mut exact = true;
    for (i, expr) in keys.iter().enumerate() {
        let value = expr.eval_sought(cx)?;
        if value.is_null() {
            return Ok(None);
        }
        let column = &def.columns[key_of.parts()[i].column];
        let Some(sought) = sought(expr, value, column, cx.state) else {
            return Ok(Some(PointKey::Unclear(engine::KeyRange::prefix(&key))));
        };
        exact &= sought.exact;
        key_of.append_part(i, &sought.value, &mut key).map_err(|e| damaged(table, &e))?;
    }
    Ok(Some(if exact { PointKey::Exact(key) } else { PointKey::Unclear(engine::KeyRange::prefix(&key)) }))
}

pub(super) fn index_key(table: &Table, index: usize) -> Result<&types::IndexKey, SqlError> {
    table
        .index_key(index)
        .ok_or_else(|| SqlError::internal_error(format!("read index {index} of {}", table.name())))
}
