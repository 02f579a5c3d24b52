//! A group: the events of one commit, encoded outside of any lock, placed in the log by the ordering step.
//!
//! Everything in an event is known when it is encoded, except its end position, the GTID's sequence number, the
//! commit number and the time. These stand in the event's first bytes, its *head*; the sum of the rest, the *tail*,
//! is computed here. [`GroupBuilder::place`] patches the heads, sums them (19 to 32 bytes each) and combines: CRC-32
//! is linear, so crc(head + tail) = crc(head) * x^(8 * tail length) + crc(tail), one multiplication an event.
//!
//! A group is either one that replicas get, opened by GTID and ended by XID, COMMIT, XA PREPARE or, standalone, its
//! statement; or a private one (`sql_log_bin=0`), whose events are wrapped in ignorable ones.

use crate::event::{
    CRC_BYTES, EventKind, GtidEvent, HEADER_BYTES, Header, PRIVATE_HEAD, PrivateKind, Query, TableMap, XaId,
    flags, flags2, put_private_head, rows_flags,
};
use crate::rows_writer::{OpenMark, OpenRows};
use checksum::{Ieee, Zeros, crc32};

/// Where the sequence number of a group comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeqNo {
    /// The next of the domain, given in the ordering step.
    Next,
    /// The number that the transaction has on the server it came from, or that `gtid_seq_no` asked for.
    Given(u64),
}

/// The GTID that a group shall get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GtidPlan {
    /// The domain.
    pub domain: u32,
    /// The server that committed it first.
    pub server_id: u32,
    /// The number.
    pub seq_no: SeqNo,
}

/// What the ordering step gives a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Goes into XID and private events.
    pub commit_no: u64,
    /// Seconds since 1970 for all events of the group; `None` leaves the times they were encoded with.
    pub timestamp: Option<u32>,
}

/// What stands in an event's head besides the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patch {
    /// Nothing.
    Header,
    /// The sequence number, body bytes 0 to 8.
    SeqNo,
    /// The commit number, body bytes 0 to 8.
    CommitNo,
    /// The commit number of a private event, body bytes 5 to 13.
    Private,
}

impl Patch {
    const fn head_bytes(self) -> usize {
        match self {
            Patch::Header => HEADER_BYTES,
            Patch::SeqNo | Patch::CommitNo => HEADER_BYTES + 8,
            Patch::Private => HEADER_BYTES + PRIVATE_HEAD,
        }
    }
}

/// An encoded event whose head is still open.
#[derive(Clone, Debug)]
struct Pending {
    start: usize,
    length: usize,
    patch: Patch,
    tail_sum: u32,
    tail_length: Zeros<Ieee>,
}

/// What opened the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Gtid { plan: GtidPlan, standalone: bool },
    Private,
}

/// A place in a group to roll back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMark {
    events: usize,
    bytes: usize,
    open: Option<OpenMark>,
}

/// Collects the events of a group. Reusable: appending leaves it empty with its memory kept.
#[derive(Debug)]
pub struct GroupBuilder {
    bytes: Vec<u8>,
    events: Vec<Pending>,
    server_id: u32,
    timestamp: u32,
    form: Option<Form>,
    complete: bool,
    pub(crate) rows: OpenRows,
}

impl GroupBuilder {
    /// An empty group of a server; rows events are cut near `rows_event_bytes`
    /// (`binlog_row_event_max_size`, 8192 in MariaDB; useful are 8 KiB to 1 MiB).
    #[must_use]
    pub fn new(server_id: u32, rows_event_bytes: usize) -> GroupBuilder {
        GroupBuilder {
            bytes: Vec::new(),
            events: Vec::new(),
            server_id,
            timestamp: 0,
            form: None,
            complete: false,
            rows: OpenRows::new(rows_event_bytes),
        }
    }

    /// The time, in seconds since 1970, of the events that follow.
    pub fn set_timestamp(&mut self, timestamp: u32) {
        self.timestamp = timestamp;
    }

    /// The server id in the headers of events that follow; a replica keeps the one of the source.
    pub fn set_server_id(&mut self, server_id: u32) {
        self.server_id = server_id;
    }

    /// Bytes so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes that it can take before it asks for more memory.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Nothing in it yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether the group has its last event and can be appended.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.events.clear();
        self.form = None;
        self.complete = false;
        self.rows.clear();
    }

    /// Opens a transaction that ends with [`GroupBuilder::xid`] or [`GroupBuilder::commit`]. `bits` are of
    /// [`flags2`]; usual are TRANSACTIONAL and ALLOW_PARALLEL.
    pub fn begin_transaction(&mut self, plan: GtidPlan, bits: u8) {
        self.begin_gtid(plan, bits & !flags2::STANDALONE, None, None);
    }

    /// Opens a group of one statement, as data definition is: it ends with its [`GroupBuilder::query`].
    pub fn begin_standalone(&mut self, plan: GtidPlan, bits: u8) {
        self.begin_gtid(plan, bits | flags2::STANDALONE, None, None);
    }

    /// Opens any group that replicas get, with a group commit number and an XA identity if it has them.
    pub fn begin_gtid(&mut self, plan: GtidPlan, bits: u8, commit_id: Option<u64>, xa: Option<XaId<'_>>) {
        assert!(self.form.is_none(), "a group begins once");
        self.form = Some(Form::Gtid { plan, standalone: bits & flags2::STANDALONE != 0 });
        let event = GtidEvent { seq_no: 0, domain: plan.domain, flags2: bits, commit_id, xa };
        let own = std::mem::replace(&mut self.server_id, plan.server_id);
        self.put(EventKind::GTID, flags::SUPPRESS_USE, Patch::SeqNo, |out| event.encode(out));
        self.server_id = own;
    }

    /// Opens a group that replicas never get; it ends with [`GroupBuilder::end_private`].
    pub fn begin_private(&mut self) {
        assert!(self.form.is_none(), "a group begins once");
        self.put_private(PrivateKind::BEGIN, |_| {});
        self.form = Some(Form::Private);
    }

    /// Ends a private group.
    pub fn end_private(&mut self) {
        assert_eq!(self.form, Some(Form::Private), "only a private group ends so");
        self.end_statement();
        self.put_private(PrivateKind::END, |_| {});
        self.complete = true;
    }

    /// Adds an ignorable event for our own recovery: a change of the catalog, say.
    ///
    /// # Panics
    /// If `kind` is one of the log's own: a bug of the caller.
    pub fn private(&mut self, kind: PrivateKind, payload: &[u8]) {
        assert!(!kind.is_own(), "kind {kind:?} is the log's own");
        self.end_statement();
        self.put_private(kind, |out| out.extend_from_slice(payload));
    }

    /// Adds the text of the statement whose rows follow.
    pub fn annotate(&mut self, statement: &[u8]) {
        self.end_statement();
        self.add(EventKind::ANNOTATE_ROWS, 0, |out| out.extend_from_slice(statement));
    }

    /// Adds a statement; ends the group if it is standalone, or the statement is COMMIT or ROLLBACK. `header_flags` are of [`flags`].
    pub fn query(&mut self, query: &Query<'_>, header_flags: u16) {
        self.end_statement();
        self.add(EventKind::QUERY, header_flags, |out| query.encode(out));
        self.complete = match self.form {
            Some(Form::Gtid { standalone, .. }) => standalone || query.ends_transaction(),
            _ => false,
        };
    }

    /// Adds LAST_INSERT_ID (kind 1) or the automatic value (kind 2) that the next statement uses.
    pub fn intvar(&mut self, kind: u8, value: u64) {
        self.end_statement();
        self.add(EventKind::INTVAR, 0, |out| {
            out.push(kind);
            out.extend_from_slice(&value.to_le_bytes());
        });
    }

    /// Commits a transaction; the commit number becomes its XID.
    pub fn xid(&mut self) {
        self.check_transaction();
        self.end_statement();
        self.put(EventKind::XID, 0, Patch::CommitNo, |out| out.extend_from_slice(&[0; 8]));
        self.complete = true;
    }

    /// Ends a transaction of tables that cannot roll back by a statement, COMMIT.
    pub fn commit(&mut self, query: &Query<'_>) {
        self.check_transaction();
        self.end_statement();
        self.add(EventKind::QUERY, flags::SUPPRESS_USE, |out| query.encode(out));
        self.complete = true;
    }

    /// Ends the transaction by XA PREPARE.
    pub fn xa_prepare(&mut self, one_phase: bool, xa: XaId<'_>) {
        self.check_transaction();
        self.end_statement();
        self.add(EventKind::XA_PREPARE, 0, |out| {
            out.push(u8::from(one_phase));
            out.extend_from_slice(&xa.format.to_le_bytes());
            out.extend_from_slice(&(xa.gtrid.len() as u32).to_le_bytes());
            out.extend_from_slice(&(xa.bqual.len() as u32).to_le_bytes());
            out.extend_from_slice(xa.gtrid);
            out.extend_from_slice(xa.bqual);
        });
        self.complete = true;
    }

    fn check_transaction(&self) {
        let in_transaction = matches!(self.form, Some(Form::Gtid { standalone: false, .. }));
        assert!(in_transaction && !self.complete, "only an open transaction is committed");
    }

    /// A place to come back to with [`GroupBuilder::rollback_to`]: the start of a statement or a savepoint.
    pub fn mark(&mut self) -> GroupMark {
        let open = self.rows.leave_open();
        if open.is_none() {
            self.end_statement();
        }
        GroupMark { events: self.events.len(), bytes: self.bytes.len(), open }
    }

    /// Takes out everything added since `mark`.
    pub fn rollback_to(&mut self, mark: GroupMark) {
        assert!(
            mark.events <= self.events.len() && mark.bytes <= self.bytes.len(),
            "the mark is of this group"
        );
        self.rows.clear();
        self.events.truncate(mark.events);
        self.bytes.truncate(mark.bytes);
        if let Some(open) = mark.open {
            let flags_at = self.rows.reopen(open);
            self.bytes[flags_at] &= !(rows_flags::STATEMENT_END as u8);
        }
        self.complete = false;
    }

    /// Adds the TABLE_MAP event. Rows are added with [`GroupBuilder::row`], which calls this.
    pub(crate) fn put_table_map(&mut self, map: &TableMap<'_>) {
        self.add(EventKind::TABLE_MAP, 0, |out| map.encode(out));
    }

    /// Adds an ordinary event, wrapped if the group is private.
    fn add(&mut self, kind: EventKind, header_flags: u16, body: impl FnOnce(&mut Vec<u8>)) {
        let start = self.start_event(kind, header_flags);
        body(&mut self.bytes);
        self.finish_event(start);
    }

    /// Starts an ordinary event at the returned offset; the caller appends the body to [`GroupBuilder::bytes_mut`].
    pub(crate) fn start_event(&mut self, kind: EventKind, header_flags: u16) -> usize {
        assert!(self.form.is_some() && !self.complete, "events stand inside a group");
        let start = self.bytes.len();
        if self.form == Some(Form::Private) {
            self.put_header(EventKind::IGNORABLE, flags::IGNORABLE);
            put_private_head(&mut self.bytes, PrivateKind::WRAPPED);
            self.bytes.push(kind.0);
        } else {
            self.put_header(kind, header_flags);
        }
        start
    }

    /// Ends the event started at `start`.
    pub(crate) fn finish_event(&mut self, start: usize) {
        let patch = if self.form == Some(Form::Private) { Patch::Private } else { Patch::Header };
        self.seal(start, patch);
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    fn put_private(&mut self, kind: PrivateKind, payload: impl FnOnce(&mut Vec<u8>)) {
        self.put(EventKind::IGNORABLE, flags::IGNORABLE, Patch::Private, |out| {
            put_private_head(out, kind);
            payload(out);
        });
    }

    fn put(&mut self, kind: EventKind, header_flags: u16, patch: Patch, body: impl FnOnce(&mut Vec<u8>)) {
        assert!(!self.complete, "a complete group takes no more events");
        let start = self.bytes.len();
        self.put_header(kind, header_flags);
        body(&mut self.bytes);
        self.seal(start, patch);
    }

    fn put_header(&mut self, kind: EventKind, header_flags: u16) {
        let header = Header {
            timestamp: self.timestamp,
            kind,
            server_id: self.server_id,
            length: 0,
            end: 0,
            flags: header_flags,
        };
        self.bytes.extend_from_slice(&header.encode());
    }

    /// Sums the tail, leaves room for the checksum, sets the length.
    fn seal(&mut self, start: usize, patch: Patch) {
        let tail = &self.bytes[start + patch.head_bytes()..];
        let tail_sum = crc32(tail);
        let tail_length = Zeros::new(tail.len() as u64);
        self.bytes.extend_from_slice(&[0; CRC_BYTES]);
        let length = self.bytes.len() - start;
        // Too long ones are refused when the group is appended, before anything reads this field.
        self.bytes[start + 9..start + 13].copy_from_slice(&(length as u32).to_le_bytes());
        self.events.push(Pending { start, length, patch, tail_sum, tail_length });
    }

    /// The GTID that the group asks for; `None` for private groups.
    pub(crate) fn plan(&self) -> Option<GtidPlan> {
        match self.form {
            Some(Form::Gtid { plan, .. }) => Some(plan),
            _ => None,
        }
    }

    /// Patches the heads for a group that starts at `offset` of its segment and finishes the checksums.
    pub(crate) fn place(&mut self, offset: u32, seq_no: u64, stamp: Stamp) {
        for event in &self.events {
            let bytes = &mut self.bytes[event.start..event.start + event.length];
            let end = offset + (event.start + event.length) as u32;
            let (head, tail) = bytes.split_at_mut(event.patch.head_bytes());
            if let Some(timestamp) = stamp.timestamp {
                head[0..4].copy_from_slice(&timestamp.to_le_bytes());
            }
            head[13..17].copy_from_slice(&end.to_le_bytes());
            match event.patch {
                Patch::Header => {}
                Patch::SeqNo => head[HEADER_BYTES..].copy_from_slice(&seq_no.to_le_bytes()),
                Patch::CommitNo => head[HEADER_BYTES..].copy_from_slice(&stamp.commit_no.to_le_bytes()),
                Patch::Private => {
                    head[HEADER_BYTES + 5..].copy_from_slice(&stamp.commit_no.to_le_bytes());
                }
            }
            let sum = event.tail_length.combine(crc32(head), event.tail_sum);
            let sum_at = tail.len() - CRC_BYTES;
            tail[sum_at..].copy_from_slice(&sum.to_le_bytes());
        }
    }

    /// The placed bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The placed bytes, taken; the builder is left as new.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}
