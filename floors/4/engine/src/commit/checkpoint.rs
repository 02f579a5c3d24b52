//! Checkpoints: what a restart starts from.
//!
//! The superblock's `meta`, little-endian:
//!
//! ```text
//!  0  8  magic "PNSTENG1"
//!  8  8  commit number         the newest commit inside
//! 16  8  log position          where the group after it starts
//! 24  4  root of the catalog tree
//! 28  4  next tree number
//! 32  8  next table id
//! 40  8  commits ever given (reserved, 0)
//! 48  4  GTIDs: count, then domain u32, server u32, number u64 each, oldest first
//! ```

use crate::catalog::record;
use crate::core::Core;
use crate::error::{EngineError, Result};
use crate::ids::CommitNo;
use crate::status::Counters;
use binlog::{Gtid, GtidState, LogPos};
use pages::{CheckpointReport, PageError, PageNo};
use std::sync::atomic::Ordering;
use tree::Action;

const MAGIC: &[u8; 8] = b"PNSTENG1";
const FIXED: usize = 52;

/// What a checkpoint says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) commit: CommitNo,
    pub(crate) log: LogPos,
    pub(crate) catalog_root: PageNo,
    pub(crate) next_tree: u32,
    pub(crate) next_table: u64,
    pub(crate) gtids: GtidState,
}

impl Meta {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(FIXED + 64);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&self.commit.0.to_le_bytes());
        out.extend_from_slice(&self.log.to_u64().to_le_bytes());
        out.extend_from_slice(&self.catalog_root.0.to_le_bytes());
        out.extend_from_slice(&self.next_tree.to_le_bytes());
        out.extend_from_slice(&self.next_table.to_le_bytes());
        out.extend_from_slice(&0_u64.to_le_bytes());
        let gtids: Vec<Gtid> = self.gtids.all().collect();
        out.extend_from_slice(&(gtids.len() as u32).to_le_bytes());
        for gtid in gtids {
            out.extend_from_slice(&gtid.domain.to_le_bytes());
            out.extend_from_slice(&gtid.server_id.to_le_bytes());
            out.extend_from_slice(&gtid.seq_no.to_le_bytes());
        }
        out
    }

    /// Total: `None` for bytes that no writer writes.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Meta> {
        let u32_at = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let u64_at = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        if bytes.get(..8)? != MAGIC {
            return None;
        }
        // Without a root the catalog would be an empty one, and every table an orphan.
        let catalog_root = Some(PageNo(u32_at(24)?)).filter(|root| *root != PageNo::NONE)?;
        let count = u32_at(48)? as usize;
        if bytes.len() != FIXED.checked_add(count.checked_mul(16)?)? {
            return None;
        }
        let gtid = |i: usize| {
            let at = FIXED + 16 * i;
            Some(Gtid { domain: u32_at(at)?, server_id: u32_at(at + 4)?, seq_no: u64_at(at + 8)? })
        };
        Some(Meta {
            commit: CommitNo(u64_at(8)?),
            log: LogPos::from_u64(u64_at(16)?),
            catalog_root,
            next_tree: u32_at(28)?,
            next_table: u64_at(32)?,
            gtids: (0..count).map(gtid).collect::<Option<GtidState>>()?,
        })
    }
}

impl Core {
    /// Makes a checkpoint now.
    pub(crate) fn checkpoint(&self) -> Result<CheckpointReport> {
        self.check_poison()?;
        let mut at = LogPos::default();
        let mut failed = None;
        let report = self.store.checkpoint(|close| {
            let (commit, end, gtids) = self.gate.close();
            at = end;
            let meta = self.quiesce(commit, end, gtids);
            let guard = self.purge.alone();
            let noted = self.note_stats();
            close.close();
            drop(guard);
            self.gate.open();
            match meta.and_then(|meta| noted.map(|()| meta)) {
                Ok(meta) => meta.encode(),
                Err(error) => {
                    failed = Some(error);
                    // Longer than any superblock takes: the checkpoint is given up, the former one stands.
                    vec![0; pages::PAGE_SIZE]
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        match report {
            Ok(report) => {
                self.gate.checkpoint_done(at);
                self.log.note_checkpoint(at);
                Counters::bump(&self.counters.checkpoints);
                Ok(report)
            }
            Err(error @ (PageError::Poisoned { .. } | PageError::Io { .. })) => Err(self.poison(&error)),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until everything before the closed gate is applied, and describes that state.
    fn quiesce(&self, commit: CommitNo, end: LogPos, gtids: GtidState) -> Result<Meta> {
        self.have_visible(commit)?;
        Ok(Meta {
            commit,
            log: end,
            catalog_root: self.catalog_tree.root(),
            next_tree: self.next_tree.load(Ordering::Relaxed),
            next_table: self.next_table.load(Ordering::Relaxed),
            gtids,
        })
    }

    /// Writes counters of the tables that changed into the catalog tree. Behind the closed gate, so they are exact.
    fn note_stats(&self) -> Result<()> {
        let catalog = self.catalog();
        self.unnoted.drain(|counters| {
            if catalog.by_id(counters.id).is_none() {
                return Ok(());
            }
            let value = serde_json::to_vec(&counters.stats()).map_err(|e| EngineError::Corrupt {
                verb: "encode a table's counters",
                place: e.to_string(),
            })?;
            let key = record::stats_key(counters.id.0);
            Ok(self.catalog_tree.upsert(&key, |_| Action::put(value.as_slice()))?)
        })
    }
}
