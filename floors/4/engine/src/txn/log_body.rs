//! The log events of a transaction, encoded as it goes, over the log's group builder.
//!
//! What replicas must not do twice (cascades of foreign keys, which their engine does itself) and the row ids of
//! tables without a primary key travel in private events beside, see [`crate::recovery::private`]. Such rows are
//! collected here and written when something else comes, so that many share an event.

use crate::catalog::Table;
use crate::recovery::private;
use crate::txn::KEPT_MAX;
use binlog::event::{Query, RowChange, RowsChange, flags2, rows_flags};
use binlog::{GroupBuilder, GroupMark, GtidPlan};
use std::sync::Arc;

/// Near this size a rows event ends and the next begins.
const EVENT_BYTES: usize = 32 << 10;

/// Whether replicas get a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    Everybody,
    Ourselves,
}

/// Rows that need a private event.
struct Collected {
    table: Arc<Table>,
    change: RowsChange,
    audience: Audience,
    row_ids: Vec<u8>,
    images: Vec<u8>,
    /// Lengths of the images in `images`.
    lengths: Vec<u32>,
}

/// What the log shall say of a transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogPlan {
    pub(crate) gtid: GtidPlan,
    /// `sql_log_bin`.
    pub(crate) public: bool,
    pub(crate) fk_checks: bool,
    pub(crate) unique_checks: bool,
}

impl LogPlan {
    fn row_flags(&self) -> u16 {
        let mut bits = 0;
        if !self.fk_checks {
            bits |= rows_flags::NO_FOREIGN_KEY_CHECKS;
        }
        if !self.unique_checks {
            bits |= rows_flags::RELAXED_UNIQUE_CHECKS;
        }
        bits
    }
}

/// The events so far.
pub(crate) struct LogBody {
    builder: GroupBuilder,
    plan: LogPlan,
    begun: bool,
    collected: Option<Collected>,
}

impl LogBody {
    /// Nothing to log yet.
    pub(crate) fn new(plan: LogPlan) -> LogBody {
        LogBody::again(plan, GroupBuilder::new(plan.gtid.server_id, EVENT_BYTES))
    }

    /// As [`LogBody::new`], in the memory of one that was before.
    pub(crate) fn again(plan: LogPlan, builder: GroupBuilder) -> LogBody {
        LogBody { builder, plan, begun: false, collected: None }
    }

    /// Its memory, for the next one, unless that is much; nothing more is logged.
    pub(crate) fn take_memory(&mut self) -> Option<GroupBuilder> {
        let mut builder = std::mem::replace(&mut self.builder, GroupBuilder::new(0, 0));
        builder.clear();
        (builder.capacity() <= KEPT_MAX).then_some(builder)
    }

    /// Whether nothing was logged, not even taken back.
    pub(crate) fn is_empty(&self) -> bool {
        !self.begun
    }

    /// Bytes held.
    pub(crate) fn len(&self) -> usize {
        self.builder.len() + self.collected.as_ref().map_or(0, |c| c.images.len())
    }

    fn begin(&mut self) {
        if self.begun {
            return;
        }
        self.begun = true;
        self.builder.set_timestamp(now_seconds());
        if self.plan.public {
            self.builder.begin_transaction(self.plan.gtid, flags2::TRANSACTIONAL | flags2::ALLOW_PARALLEL);
        } else {
            self.builder.begin_private();
        }
        self.builder.begin_statement(self.plan.row_flags());
    }

    /// Notes a row change. `row_id` for tables without a primary key.
    pub(crate) fn row(
        &mut self,
        table: &Arc<Table>,
        change: RowChange<'_>,
        audience: Audience,
        row_id: Option<&[u8]>,
    ) {
        self.begin();
        if audience == Audience::Everybody && row_id.is_none() {
            self.flush();
            self.builder.row(&table.table_map.as_map(), change);
            return;
        }
        let kind = match (change.before, change.after) {
            (None, _) => RowsChange::Write,
            (_, None) => RowsChange::Delete,
            _ => RowsChange::Update,
        };
        let fits = self.collected.as_ref().is_some_and(|c| {
            c.table.id() == table.id()
                && c.change == kind
                && c.audience == audience
                && c.images.len() < EVENT_BYTES
        });
        if !fits {
            self.flush();
        }
        let collected = self.collected.get_or_insert_with(|| Collected {
            table: table.clone(),
            change: kind,
            audience,
            row_ids: Vec::new(),
            images: Vec::new(),
            lengths: Vec::new(),
        });
        collected.row_ids.extend_from_slice(row_id.unwrap_or(&[]));
        for image in [change.before, change.after].into_iter().flatten() {
            collected.images.extend_from_slice(image);
            collected.lengths.push(image.len() as u32);
        }
    }

    /// Writes the collected rows.
    fn flush(&mut self) {
        let Some(rows) = self.collected.take() else { return };
        if rows.audience == Audience::Ourselves {
            let mut payload = Vec::with_capacity(rows.images.len() + rows.row_ids.len() + 16);
            private::put_rows(&mut payload, rows.table.id(), rows.change, &rows.row_ids, &rows.images);
            self.builder.private(private::ROWS, &payload);
        } else {
            self.builder.private(private::ROW_IDS, &rows.row_ids);
            self.builder.begin_statement(self.plan.row_flags());
            let map = rows.table.table_map.as_map();
            let mut images = rows.images.as_slice();
            let mut lengths = rows.lengths.iter();
            let mut image = || {
                let (image, rest) = images.split_at_checked(*lengths.next()? as usize)?;
                images = rest;
                Some(image)
            };
            while let Some(first) = image() {
                let change = match rows.change {
                    RowsChange::Write => RowChange { before: None, after: Some(first) },
                    RowsChange::Delete => RowChange { before: Some(first), after: None },
                    RowsChange::Update => RowChange { before: Some(first), after: image() },
                };
                self.builder.row(&map, change);
            }
        }
        self.builder.begin_statement(self.plan.row_flags());
    }

    /// The end of a statement.
    pub(crate) fn end_statement(&mut self) {
        if self.begun {
            self.flush();
            self.builder.begin_statement(self.plan.row_flags());
        }
    }

    /// A place to cut back to, between statements.
    pub(crate) fn mark(&mut self) -> Option<GroupMark> {
        self.end_statement();
        self.begun.then(|| self.builder.mark())
    }

    /// Drops everything after `mark`.
    pub(crate) fn cut(&mut self, mark: Option<GroupMark>) {
        self.collected = None;
        match mark {
            Some(mark) => {
                self.builder.rollback_to(mark);
                self.builder.begin_statement(self.plan.row_flags());
            }
            None => {
                self.builder.clear();
                self.begun = false;
            }
        }
    }

    /// The complete group of a transaction, to be appended.
    pub(crate) fn finish(&mut self) -> &mut GroupBuilder {
        self.end_statement();
        if self.plan.public {
            self.builder.xid();
        } else {
            self.builder.end_private();
        }
        &mut self.builder
    }
}

/// A whole group of data definition: the change for recovery, then the statement for replicas.
pub(crate) fn ddl_group(plan: &LogPlan, catalog_change: &[u8], query: Option<&Query<'_>>) -> GroupBuilder {
    let mut builder = GroupBuilder::new(plan.gtid.server_id, EVENT_BYTES);
    builder.set_timestamp(now_seconds());
    match query.filter(|_| plan.public) {
        Some(query) => {
            builder.begin_standalone(plan.gtid, flags2::DDL | flags2::ALLOW_PARALLEL);
            builder.private(private::CATALOG, catalog_change);
            builder.query(query, 0);
        }
        None => {
            builder.begin_private();
            builder.private(private::CATALOG, catalog_change);
            builder.end_private();
        }
    }
    builder
}

/// The wall clock's time, in seconds since 1970.
pub(crate) fn now_seconds() -> u32 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |d| d.as_secs() as u32)
}
