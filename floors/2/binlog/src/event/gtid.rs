//! GTID (162), which opens a transaction, and GTID_LIST (163), which opens a file.

use super::cursor::Cursor;
use crate::error::DecodeError;
use crate::gtid::Gtid;

/// Bits of [`GtidEvent::flags2`].
pub mod flags2 {
    /// No terminating COMMIT or XID follows: one statement, as for DDL.
    pub const STANDALONE: u8 = 0x01;
    /// A group commit number follows.
    pub const GROUP_COMMIT: u8 = 0x02;
    /// Only transactional tables: can be rolled back.
    pub const TRANSACTIONAL: u8 = 0x04;
    /// May run beside others on a replica.
    pub const ALLOW_PARALLEL: u8 = 0x08;
    /// Waited for another's lock when it ran.
    pub const WAITED: u8 = 0x10;
    /// Data definition.
    pub const DDL: u8 = 0x20;
    /// Ends with XA PREPARE.
    pub const XA_PREPARED: u8 = 0x40;
    /// XA COMMIT or XA ROLLBACK of a prepared one.
    pub const XA_COMPLETED: u8 = 0x80;
}

/// Bodies are padded with zeros to this.
const MIN_BODY: usize = 19;

/// The identity of an XA transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XaId<'a> {
    /// The format number.
    pub format: u32,
    /// The global part.
    pub gtrid: &'a [u8],
    /// The branch qualifier.
    pub bqual: &'a [u8],
}

/// A decoded GTID event. The server id is in the event's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GtidEvent<'a> {
    /// Number in the domain.
    pub seq_no: u64,
    /// The domain.
    pub domain: u32,
    /// See [`flags2`].
    pub flags2: u8,
    /// The group commit number, with [`flags2::GROUP_COMMIT`].
    pub commit_id: Option<u64>,
    /// With [`flags2::XA_PREPARED`] or [`flags2::XA_COMPLETED`].
    pub xa: Option<XaId<'a>>,
}

impl<'a> GtidEvent<'a> {
    /// Decodes the body. Extra flags, which only say how engines took part, are skipped.
    pub fn decode(body: &'a [u8]) -> Result<GtidEvent<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        let seq_no = cursor.u64("sequence number")?;
        let domain = cursor.u32("domain")?;
        let bits = cursor.u8("GTID flags")?;
        let commit_id = if bits & flags2::GROUP_COMMIT != 0 { Some(cursor.u64("commit id")?) } else { None };
        let xa = if bits & (flags2::XA_PREPARED | flags2::XA_COMPLETED) != 0 {
            let format = cursor.u32("XA format")?;
            let gtrid_length = cursor.u8("XA gtrid length")?;
            let bqual_length = cursor.u8("XA bqual length")?;
            let gtrid = cursor.take(usize::from(gtrid_length), "XA gtrid")?;
            let bqual = cursor.take(usize::from(bqual_length), "XA bqual")?;
            Some(XaId { format, gtrid, bqual })
        } else {
            None
        };
        Ok(GtidEvent { seq_no, domain, flags2: bits, commit_id, xa })
    }

    /// Appends the body; the flags for commit id and XA follow the fields.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let mut bits = self.flags2 & !flags2::GROUP_COMMIT;
        if self.commit_id.is_some() {
            bits |= flags2::GROUP_COMMIT;
        }
        if self.xa.is_none() {
            bits &= !(flags2::XA_PREPARED | flags2::XA_COMPLETED);
        }
        out.extend_from_slice(&self.seq_no.to_le_bytes());
        out.extend_from_slice(&self.domain.to_le_bytes());
        out.push(bits);
        if let Some(commit_id) = self.commit_id {
            out.extend_from_slice(&commit_id.to_le_bytes());
        }
        if let Some(xa) = self.xa.filter(|_| bits & (flags2::XA_PREPARED | flags2::XA_COMPLETED) != 0) {
            let (gtrid, bqual) = (&xa.gtrid[..xa.gtrid.len().min(64)], &xa.bqual[..xa.bqual.len().min(64)]);
            out.extend_from_slice(&xa.format.to_le_bytes());
            out.push(gtrid.len() as u8);
            out.push(bqual.len() as u8);
            out.extend_from_slice(gtrid);
            out.extend_from_slice(bqual);
        }
        while out.len() - start < MIN_BODY {
            out.push(0);
        }
    }
}

/// A decoded GTID_LIST: the last GTID of each domain and server before this file, the newest of each domain last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GtidList {
    /// Bits 28 (until reached) and 29 (ignore) of the count.
    pub flags: u8,
    /// The GTIDs in file order.
    pub gtids: Vec<Gtid>,
}

impl GtidList {
    /// Decodes the body.
    pub fn decode(body: &[u8]) -> Result<GtidList, DecodeError> {
        let mut cursor = Cursor::new(body);
        let word = cursor.u32("GTID count")?;
        let count = (word & 0x0FFF_FFFF) as usize;
        // The bytes must be there before anything is sized by the count.
        let Some(entries) = count.checked_mul(16).filter(|bytes| *bytes <= cursor.remaining()) else {
            return Err(cursor.error("GTID list"));
        };
        let gtids = cursor
            .take(entries, "GTID list")?
            .chunks_exact(16)
            .map(|entry| {
                let mut entry = Cursor::new(entry);
                Ok(Gtid {
                    domain: entry.u32("domain")?,
                    server_id: entry.u32("server id")?,
                    seq_no: entry.u64("sequence number")?,
                })
            })
            .collect::<Result<Vec<_>, DecodeError>>()?;
        Ok(GtidList { flags: (word >> 28) as u8, gtids })
    }

    /// Appends the body.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let count = self.gtids.len() as u32 & 0x0FFF_FFFF;
        out.extend_from_slice(&(count | (u32::from(self.flags) << 28)).to_le_bytes());
        for gtid in &self.gtids {
            out.extend_from_slice(&gtid.domain.to_le_bytes());
            out.extend_from_slice(&gtid.server_id.to_le_bytes());
            out.extend_from_slice(&gtid.seq_no.to_le_bytes());
        }
        if self.gtids.is_empty() {
            // MariaDB's shortest list has six bytes.
            out.extend_from_slice(&[0, 0]);
        }
    }
}
