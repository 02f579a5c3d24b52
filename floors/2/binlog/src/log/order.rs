//! The ordering step: everything here runs under one lock and touches memory only.

use super::Placed;
use super::rotate::usable;
use crate::error::{LogError, Result};
use crate::event::{MARK_BYTES, Mark};
use crate::group::{GroupBuilder, SeqNo, Stamp};
use crate::gtid::{Gtid, GtidState};
use crate::options::Options;
use crate::position::{LogPos, segment_name};
use crate::segment::{Ending, HeadPlan, encode_ending, encode_head, encode_mark};
use platform::file::File;
use std::collections::VecDeque;
use std::sync::Arc;

/// Groups up to this are copied into the batch's buffer; larger ones are handed over.
const COPIED_BYTES_MAX: usize = 64 << 10;
/// Buffers kept for reuse, and the largest kept.
const SPARE_BUFFERS: usize = 4;
const SPARE_BYTES_MAX: usize = 4 << 20;

/// What one round takes.
pub(super) struct Batch {
    pub file: Arc<dyn File>,
    pub start: LogPos,
    /// One after the other from `start`.
    pub pieces: Vec<Vec<u8>>,
    pub bytes: u64,
    pub groups: u64,
    /// The segment ends with this batch.
    pub ends_segment: bool,
    /// A head has no mark before it and takes no groups.
    pub is_head: bool,
}

impl Batch {
    pub fn end(&self) -> LogPos {
        LogPos::new(self.start.file, self.start.offset + self.bytes as u32)
    }

    /// Writes the mark now that the round's length is known.
    pub fn set_mark(&mut self, timestamp: u32, server_id: u32, key: u64) {
        if self.is_head {
            return;
        }
        let mark = Mark { file: self.start.file, round_bytes: self.bytes as u32, key };
        let bytes = encode_mark(self.start.offset, timestamp, server_id, &mark);
        if let Some(first) = self.pieces.first_mut() {
            first[..MARK_BYTES].copy_from_slice(&bytes);
        }
    }
}

/// A segment ready to be begun.
pub(super) struct Prepared {
    pub file: Arc<dyn File>,
    pub number: u32,
    /// Space reserved in it.
    pub reserved: u64,
}

/// What must happen before a group can be placed.
pub(super) enum Room {
    Enough,
    /// A segment is prepared: go on there.
    Rotate,
    /// The next segment must be prepared.
    Prepare,
    /// The segment must grow.
    Grow {
        upto: u64,
    },
}

/// State of the ordering step.
pub(super) struct Order {
    file: Arc<dyn File>,
    end: LogPos,
    /// Up to where groups may be placed in `file`.
    pub allocated: u64,
    /// Up to where space is reserved in it.
    pub reserved: u64,
    pub next: Option<Prepared>,
    groups_in_segment: u64,
    /// Nothing was placed since the last seal.
    sealed: bool,
    batches: VecDeque<Batch>,
    gtids: GtidState,
    spare: Vec<Vec<u8>>,
    failed: Option<Arc<str>>,
    closed: bool,
}

impl Order {
    /// The log goes on at `end` of `file`.
    pub fn new(file: Arc<dyn File>, end: LogPos, allocated: u64, gtids: GtidState) -> Order {
        Order {
            file,
            end,
            allocated,
            reserved: allocated,
            next: None,
            groups_in_segment: 0,
            sealed: true,
            batches: VecDeque::new(),
            gtids,
            spare: Vec::new(),
            failed: None,
            closed: false,
        }
    }

    pub fn end(&self) -> LogPos {
        self.end
    }

    pub fn file(&self) -> &Arc<dyn File> {
        &self.file
    }

    pub fn gtids(&self) -> &GtidState {
        &self.gtids
    }

    pub fn is_sealed(&self) -> bool {
        self.sealed
    }

    pub fn check(&self) -> Result<()> {
        match &self.failed {
            Some(first) => Err(LogError::Poisoned { first: first.clone() }),
            None if self.closed => Err(LogError::Closed),
            None => Ok(()),
        }
    }

    /// The first failure stays; queued batches are given up.
    pub fn fail(&mut self, first: &Arc<str>) {
        self.failed.get_or_insert_with(|| first.clone());
        self.batches.clear();
    }

    pub fn room(&self, bytes: u64, max_segment_bytes: u32) -> Room {
        let upto = u64::from(self.end.offset) + bytes;
        let is_full = self.end.offset >= max_segment_bytes || upto > u64::from(u32::MAX);
        if is_full && self.groups_in_segment > 0 {
            return if self.next.is_some() { Room::Rotate } else { Room::Prepare };
        }
        if upto > self.allocated { Room::Grow { upto } } else { Room::Enough }
    }

    /// Bytes that may still be placed before the segment must grow.
    pub fn reserve(&self) -> u64 {
        self.allocated.saturating_sub(u64::from(self.end.offset))
    }

    pub fn place(
        &mut self,
        group: &mut GroupBuilder,
        options: &Options,
        order: impl FnOnce(&Placed) -> Stamp,
    ) -> Placed {
        let bytes = group.len();
        self.join_batch(bytes as u64, options.max_round_bytes);
        let begin = self.end;
        let gtid = group.plan().map(|plan| Gtid {
            domain: plan.domain,
            server_id: plan.server_id,
            seq_no: match plan.seq_no {
                SeqNo::Next => self.gtids.next_seq_no(plan.domain),
                SeqNo::Given(number) => number,
            },
        });
        let end = LogPos::new(begin.file, begin.offset + bytes as u32);
        let placed = Placed { begin, end, gtid };
        let stamp = order(&placed);
        if let Some(gtid) = gtid {
            self.gtids.note(gtid);
        }
        group.place(begin.offset, gtid.map_or(0, |gtid| gtid.seq_no), stamp);
        if bytes <= COPIED_BYTES_MAX {
            self.push_bytes(group.bytes());
        } else {
            let taken = group.take_bytes();
            self.push_piece(taken);
        }
        if let Some(batch) = self.batches.back_mut() {
            batch.groups += 1;
        }
        self.groups_in_segment += 1;
        self.sealed = false;
        placed
    }

    /// Opens a batch unless the last one takes `bytes` more.
    fn join_batch(&mut self, bytes: u64, max_round_bytes: u32) {
        let fits = self.batches.back().is_some_and(|batch| {
            !batch.is_head && !batch.ends_segment && batch.bytes + bytes <= u64::from(max_round_bytes)
        });
        if !fits {
            self.open_batch(false);
            self.push_bytes(&[0; MARK_BYTES]);
        }
    }

    fn open_batch(&mut self, is_head: bool) {
        let buffer = self.spare.pop().unwrap_or_default();
        self.batches.push_back(Batch {
            file: self.file.clone(),
            start: self.end,
            pieces: vec![buffer],
            bytes: 0,
            groups: 0,
            ends_segment: false,
            is_head,
        });
    }

    fn push_bytes(&mut self, bytes: &[u8]) {
        if let Some(batch) = self.batches.back_mut() {
            // A large piece was sized for itself: small groups start a new one behind it.
            match batch.pieces.last_mut() {
                Some(last) if last.len() + bytes.len() <= SPARE_BYTES_MAX => last.extend_from_slice(bytes),
                _ => batch.pieces.push(bytes.to_vec()),
            }
            batch.bytes += bytes.len() as u64;
        }
        self.end.offset += bytes.len() as u32;
    }

    fn push_piece(&mut self, piece: Vec<u8>) {
        self.end.offset += piece.len() as u32;
        if let Some(batch) = self.batches.back_mut() {
            batch.bytes += piece.len() as u64;
            batch.pieces.push(piece);
            batch.pieces.push(Vec::new());
        }
    }

    /// A round of only a mark, unless a batch is waiting: its mark does the same for all before it.
    pub fn place_seal(&mut self, options: &Options) {
        if self.batches.is_empty() {
            self.join_batch(0, options.max_round_bytes);
            self.sealed = true;
        }
    }

    pub fn place_stop(&mut self, options: &Options) {
        self.place_ending(options, &Ending::Stop);
        self.closed = true;
    }

    fn place_ending(&mut self, options: &Options, ending: &Ending) {
        // Room for it was kept by every group before; it may exceed the round's limit by its few bytes.
        self.join_batch(0, options.max_round_bytes);
        let event = encode_ending(self.end.offset, options.timestamp(), options.server_id, ending);
        self.push_bytes(&event);
        if let Some(batch) = self.batches.back_mut() {
            batch.ends_segment = true;
        }
    }

    /// Ends the segment and begins the prepared one.
    ///
    /// # Panics
    /// If none is prepared: a bug of the caller.
    pub fn place_rotation(&mut self, options: &Options, key: u64, checkpoint: u32, first: bool) {
        let number = self.next.as_ref().map_or(0, |next| next.number);
        let next = segment_name(&options.base, number);
        self.place_ending(options, &Ending::Rotate { next });
        self.begin_segment(options, key, checkpoint, first);
    }

    /// Goes on in the prepared segment.
    pub fn begin_segment(&mut self, options: &Options, key: u64, checkpoint: u32, first: bool) {
        let Some(next) = self.next.take() else {
            panic!("a segment is prepared before it is begun");
        };
        let head = encode_head(&HeadPlan {
            base: &options.base,
            number: next.number,
            server_id: options.server_id,
            server_version: &options.server_version,
            timestamp: options.timestamp(),
            first,
            gtids: &self.gtids,
            checkpoint: checkpoint.clamp(1, next.number),
            key,
            max_flight: options.max_flight(),
            previous_end: self.end,
        });
        self.file = next.file;
        self.reserved = next.reserved.max(head.len() as u64);
        self.allocated = usable(options, self.reserved, head.len() as u64);
        self.end = LogPos::new(next.number, 0);
        self.groups_in_segment = 0;
        self.sealed = true;
        self.open_batch(true);
        self.push_bytes(&head);
    }

    /// Groups that the next round would take.
    pub fn queued(&self) -> u64 {
        self.batches.front().map_or(0, |batch| batch.groups)
    }

    pub fn take_batch(&mut self) -> Option<Batch> {
        self.batches.pop_front()
    }

    /// Keeps the buffers of a batch that was written.
    pub fn give_back(&mut self, pieces: Vec<Vec<u8>>) {
        for mut piece in pieces {
            if self.spare.len() < SPARE_BUFFERS && (1..=SPARE_BYTES_MAX).contains(&piece.capacity()) {
                piece.clear();
                self.spare.push(piece);
            }
        }
    }
}
