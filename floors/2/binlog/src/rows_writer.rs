//! Rows into rows events: tables are mapped before their rows, events are cut at a size, the last of a statement
//! says so.
//!
//! A statement of one table leaves its event open: the next one goes on in it if it changes the same table in the same
//! way, with nothing in between, so that many small statements of a transaction cost what one large one does. To a
//! replica these are one statement; rows and their order are the same.
//!
//! Replicas open the tables of a statement at its first rows event, so a table that comes later closes the
//! statement and maps again; the rows stay in order. Map the tables of a multi-table statement up front to keep it
//! one statement.

use crate::event::{RowChange, RowsChange, TableMap, put_rows_head, rows_flags};
use crate::group::GroupBuilder;

/// The rows event that is being filled, and the tables mapped in its statement.
#[derive(Debug)]
pub(crate) struct OpenRows {
    event_bytes: usize,
    /// Flags of the statement's rows events, besides the statement's end.
    flags: u16,
    mapped: Vec<u64>,
    event: Option<OpenEvent>,
    /// The statement has ended; the event is only open for rows like its own.
    has_ended: bool,
    /// A rows event of this statement was begun.
    has_rows: bool,
    all_present: Vec<u8>,
}

/// Where the rows event that is being filled is in the group's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenEvent {
    /// Offset of the event.
    start: usize,
    /// Offset of the two flag bytes.
    flags_at: usize,
    table_id: u64,
    change: RowsChange,
    /// Offset of the bits of present columns, an update's two one behind the other, and of the first row.
    present_at: usize,
    rows_at: usize,
}

/// The event of a statement that ended, to come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenMark {
    event: OpenEvent,
    flags: u16,
}

impl OpenRows {
    pub fn new(event_bytes: usize) -> OpenRows {
        OpenRows {
            event_bytes,
            flags: 0,
            mapped: Vec::new(),
            event: None,
            has_ended: false,
            has_rows: false,
            all_present: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.flags = 0;
        self.mapped.clear();
        self.event = None;
        self.has_ended = false;
        self.has_rows = false;
    }

    /// Ends the statement but for its event, if that may go on: a place to come back to.
    pub fn leave_open(&mut self) -> Option<OpenMark> {
        let event = self.event.filter(|_| self.mapped.len() == 1)?;
        self.has_ended = true;
        Some(OpenMark { event, flags: self.flags })
    }

    /// Goes back to an event that was left open; returns where its flags are.
    pub fn reopen(&mut self, mark: OpenMark) -> usize {
        self.clear();
        self.mapped.push(mark.event.table_id);
        (self.flags, self.event) = (mark.flags, Some(mark.event));
        (self.has_ended, self.has_rows) = (true, true);
        mark.event.flags_at
    }
}

impl GroupBuilder {
    /// Starts a statement, ending the one before; `row_flags` are of [`rows_flags`] and hold for its rows events.
    pub fn begin_statement(&mut self, row_flags: u16) {
        let flags = row_flags & !rows_flags::STATEMENT_END;
        if flags != self.rows.flags || self.rows.leave_open().is_none() {
            self.end_statement();
            self.rows.flags = flags;
        }
    }

    /// Ends the statement: its last rows event gets the flag. Every method that adds another kind of event does it.
    pub fn end_statement(&mut self) {
        self.close_rows(true);
        self.rows.mapped.clear();
        (self.rows.has_ended, self.rows.has_rows) = (false, false);
    }

    /// Maps a table for the statement, once.
    pub fn map_table(&mut self, map: &TableMap<'_>) {
        if self.rows.has_ended {
            self.end_statement();
        }
        if self.rows.mapped.contains(&map.table_id) {
            return;
        }
        if self.rows.has_rows {
            self.end_statement();
        }
        self.put_table_map(map);
        self.rows.mapped.push(map.table_id);
    }

    /// Adds a changed row with all columns in its images. Images are null bitmap and values, as [`crate::event::Rows`] tells.
    ///
    /// # Panics
    /// If `change` has neither image: a bug of the caller.
    pub fn row(&mut self, map: &TableMap<'_>, change: RowChange<'_>) {
        let bytes = map.types.len().div_ceil(8);
        // Unused bits set, as MariaDB writes them.
        let mut all = std::mem::take(&mut self.rows.all_present);
        all.clear();
        all.resize(bytes, 0xFF);
        self.row_of_columns(map, &all, &all, change);
        self.rows.all_present = all;
    }

    /// Adds a changed row whose images hold only some columns (`binlog_row_image` MINIMAL, NOBLOB): a bit for each
    /// column in `present`, least significant first, and for an update's second image in `present_after`.
    ///
    /// # Panics
    /// If `change` has neither image: a bug of the caller.
    pub fn row_of_columns(
        &mut self,
        map: &TableMap<'_>,
        present: &[u8],
        present_after: &[u8],
        change: RowChange<'_>,
    ) {
        let kind = match (change.before, change.after) {
            (None, Some(_)) => RowsChange::Write,
            (Some(_), Some(_)) => RowsChange::Update,
            (Some(_), None) => RowsChange::Delete,
            (None, None) => panic!("a changed row has an image"),
        };
        let wanted = change.before.map_or(0, <[u8]>::len) + change.after.map_or(0, <[u8]>::len);
        let size = self.len();
        let after = if kind == RowsChange::Update { present_after } else { &[] };
        let fits = self.rows.event.is_some_and(|event| {
            event.table_id == map.table_id
                && event.change == kind
                && size - event.start + wanted <= self.rows.event_bytes
                && self.presence(&event).split_at_checked(present.len()) == Some((present, after))
        });
        if fits {
            self.rows.has_ended = false;
        } else {
            self.map_table(map);
        }
        if !fits {
            self.close_rows(false);
            self.open_rows(map, kind, present, present_after);
        }
        let out = self.bytes_mut();
        for image in [change.before, change.after].into_iter().flatten() {
            out.extend_from_slice(image);
        }
    }

    fn open_rows(&mut self, map: &TableMap<'_>, change: RowsChange, present: &[u8], present_after: &[u8]) {
        let row_flags = self.rows.flags;
        let start = self.start_event(change.kind_v1(), 0);
        let out = self.bytes_mut();
        let flags_at = out.len() + 6;
        let after = (change == RowsChange::Update).then_some(present_after);
        put_rows_head(out, map.table_id, row_flags, map.types.len(), present, after);
        let rows_at = out.len();
        let present_at = rows_at - present.len() - after.map_or(0, <[u8]>::len);
        self.rows.has_rows = true;
        self.rows.event =
            Some(OpenEvent { start, flags_at, table_id: map.table_id, change, present_at, rows_at });
    }

    fn presence(&self, event: &OpenEvent) -> &[u8] {
        &self.bytes()[event.present_at..event.rows_at]
    }

    fn close_rows(&mut self, ends_statement: bool) {
        if let Some(event) = self.rows.event.take() {
            if ends_statement {
                self.bytes_mut()[event.flags_at] |= rows_flags::STATEMENT_END as u8;
            }
            self.finish_event(event.start);
        }
    }
}
