//! The log events of a transaction, encoded as it goes.
//!
//! Bodies of events lie in one buffer; checksums and positions come when the group is appended. Rows of the same
//! table and kind share an event up to [`EVENT_BYTES`]. A rows event ends its statement (flag STMT_END) whenever the
//! table changes, and the TABLE_MAP is written anew: readers drop their tables at that flag, and a table mapped after
//! the first rows of a statement is unknown to some of them.
//!
//! What replicas must not do twice (cascades of foreign keys, which their engine does itself) and row ids of tables
//! without a primary key travel in private events beside, see [`crate::recovery::private`].

use crate::catalog::Table;
use crate::recovery::private;
use binlog::{EventKind, PrivateKind, RowsChange};
use std::ops::Range;
use std::sync::Arc;

/// A rows event is closed when it is larger than this.
const EVENT_BYTES: usize = 64 << 10;

/// One event: its kind and where its body is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogEvent {
    pub(crate) kind: LogKind,
    pub(crate) body: Range<usize>,
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogKind {
    /// An event of the binlog.
    Public(EventKind),
    /// One of ours; the body is the payload.
    Private(PrivateKind),
}

/// Whether replicas get a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    Everybody,
    Ourselves,
}

struct Open {
    table: Arc<Table>,
    change: RowsChange,
    audience: Audience,
    row_ids: Vec<u8>,
    images: Vec<u8>,
    rows: u32,
}

/// The events so far.
#[derive(Default)]
pub(crate) struct LogBody {
    bytes: Vec<u8>,
    events: Vec<LogEvent>,
    open: Option<Open>,
    /// The table whose TABLE_MAP stands.
    mapped: Option<Arc<Table>>,
}

/// A place to cut the body back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogMark {
    bytes: usize,
    events: usize,
}

impl LogBody {
    /// Nothing to log.
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.open.is_none()
    }

    /// Notes a row change; `after` of updates only.
    pub(crate) fn row(
        &mut self,
        table: &Arc<Table>,
        change: RowsChange,
        audience: Audience,
        row_id: Option<&[u8]>,
        image: &[u8],
        after: Option<&[u8]>,
    ) {
        let fits = self.open.as_ref().is_some_and(|open| {
            open.table.id() == table.id()
                && open.change == change
                && open.audience == audience
                && open.images.len() < EVENT_BYTES
        });
        if !fits {
            self.close_rows(false);
            let table = table.clone();
            self.open =
                Some(Open { table, change, audience, row_ids: Vec::new(), images: Vec::new(), rows: 0 });
        }
        if let Some(open) = &mut self.open {
            open.row_ids.extend_from_slice(row_id.unwrap_or(&[]));
            open.images.extend_from_slice(image);
            open.images.extend_from_slice(after.unwrap_or(&[]));
            open.rows += 1;
        }
    }

    /// Ends the open rows event. `statement_end`: no rows of this statement follow.
    fn close_rows(&mut self, statement_end: bool) {
        if let Some(open) = self.open.take() {
            match open.audience {
                Audience::Everybody => self.put_rows(&open),
                Audience::Ourselves => {
                    let start = self.bytes.len();
                    private::put_rows(&mut self.bytes, open.table.id(), open.change, &open.row_ids, &open.images);
                    self.push(LogKind::Private(private::ROWS), start);
                }
            }
        }
        if statement_end {
            self.end_mapped();
        }
    }

    fn put_rows(&mut self, open: &Open) {
        let table = &open.table;
        if self.mapped.as_ref().is_none_or(|m| m.id() != table.id()) {
            self.end_mapped();
            let start = self.bytes.len();
            self.bytes.extend_from_slice(&table.table_map);
            self.push(LogKind::Public(EventKind::TABLE_MAP), start);
            self.mapped = Some(table.clone());
        }
        if !open.row_ids.is_empty() {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(&open.row_ids);
            self.push(LogKind::Private(private::ROW_IDS), start);
        }
        let start = self.bytes.len();
        private::put_rows_body(&mut self.bytes, table.id(), table.layout().len(), open.change, &open.images);
        self.push(LogKind::Public(open.change.kind_v1()), start);
    }

    /// Marks the last rows event of the mapped table as its statement's last.
    fn end_mapped(&mut self) {
        if self.mapped.take().is_none() {
            return;
        }
        let rows = |e: &&LogEvent| matches!(e.kind, LogKind::Public(k) if RowsChange::of_kind(k).is_some());
        if let Some(event) = self.events.iter().rev().find(rows) {
            // Flags follow the six bytes of the table id.
            self.bytes[event.body.start + 6] |= 1;
        }
    }

    /// Adds another event.
    pub(crate) fn event(&mut self, kind: LogKind, body: &[u8]) {
        self.close_rows(true);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(body);
        self.push(kind, start);
    }

    fn push(&mut self, kind: LogKind, start: usize) {
        self.events.push(LogEvent { kind, body: start..self.bytes.len() });
    }

    /// The end of a statement.
    pub(crate) fn end_statement(&mut self) {
        self.close_rows(true);
    }

    /// A place to cut back to. Rows that are open are closed, so that the cut is between events.
    pub(crate) fn mark(&mut self) -> LogMark {
        self.close_rows(true);
        LogMark { bytes: self.bytes.len(), events: self.events.len() }
    }

    /// Drops everything after `mark`.
    pub(crate) fn cut(&mut self, mark: LogMark) {
        self.open = None;
        self.mapped = None;
        self.bytes.truncate(mark.bytes);
        self.events.truncate(mark.events);
    }

    /// Bytes held.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() + self.open.as_ref().map_or(0, |o| o.images.len())
    }

    /// The events in order; rows must be closed ([`LogBody::end_statement`]).
    pub(crate) fn events(&self) -> impl Iterator<Item = (LogKind, &[u8])> {
        self.events.iter().map(|e| (e.kind, &self.bytes[e.body.clone()]))
    }

    /// Whether any event is for replicas.
    pub(crate) fn has_public(&self) -> bool {
        self.events.iter().any(|e| matches!(e.kind, LogKind::Public(_)))
    }
}
