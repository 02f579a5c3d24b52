//! Any event's body, decoded by type.

use super::cursor::Cursor;
use super::{
    EventKind, FormatDescription, GtidEvent, GtidList, Incident, Private, Query, Rotate, Rows, RowsChange,
    TableMap, UserVar, XaId, flags,
};
use crate::error::DecodeError;

/// A decoded body. Types that have no decoder here come as [`Body::Other`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// The first event of a file.
    FormatDescription(FormatDescription<'a>),
    /// What the log contained before this file.
    GtidList(GtidList),
    /// The name of the oldest file that recovery needs.
    BinlogCheckpoint(&'a [u8]),
    /// Opens a transaction.
    Gtid(GtidEvent<'a>),
    /// A statement.
    Query(Query<'a>),
    /// The table of rows that follow.
    TableMap(TableMap<'a>),
    /// Changed rows.
    Rows(Rows<'a>),
    /// Commits the transaction of this number.
    Xid(u64),
    /// Ends an XA transaction without commit.
    XaPrepare {
        /// XA COMMIT ... ONE PHASE.
        one_phase: bool,
        /// Its identity.
        xa: XaId<'a>,
    },
    /// The log goes on in another file.
    Rotate(Rotate<'a>),
    /// The log was closed.
    Stop,
    /// The statement whose rows follow.
    AnnotateRows(&'a [u8]),
    /// LAST_INSERT_ID (1) or the next automatic value (2) of the next statement.
    IntVar {
        /// 1 or 2.
        kind: u8,
        /// The value.
        value: u64,
    },
    /// Seeds of RAND() in the next statement.
    Rand(u64, u64),
    /// A user variable of the next statement.
    UserVar(UserVar<'a>),
    /// Events were lost.
    Incident(Incident<'a>),
    /// One of ours.
    Private(Private<'a>),
    /// Undecoded.
    Other(&'a [u8]),
}

impl<'a> Body<'a> {
    /// Decodes the body of an event.
    pub fn decode(kind: EventKind, header_flags: u16, body: &'a [u8]) -> Result<Body<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        Ok(match kind {
            EventKind::FORMAT_DESCRIPTION => Body::FormatDescription(FormatDescription::decode(body)?),
            EventKind::GTID_LIST => Body::GtidList(GtidList::decode(body)?),
            EventKind::BINLOG_CHECKPOINT => {
                let length = cursor.u32("file name length")?;
                Body::BinlogCheckpoint(cursor.take_long(u64::from(length), "file name")?)
            }
            EventKind::GTID => Body::Gtid(GtidEvent::decode(body)?),
            EventKind::QUERY => Body::Query(Query::decode(body)?),
            EventKind::TABLE_MAP => Body::TableMap(TableMap::decode(body)?),
            EventKind::XID => Body::Xid(cursor.u64("transaction number")?),
            EventKind::XA_PREPARE => decode_xa_prepare(cursor)?,
            EventKind::ROTATE => Body::Rotate(Rotate::decode(body)?),
            EventKind::STOP => Body::Stop,
            EventKind::ANNOTATE_ROWS => Body::AnnotateRows(body),
            EventKind::INTVAR => {
                Body::IntVar { kind: cursor.u8("variable kind")?, value: cursor.u64("variable value")? }
            }
            EventKind::RAND => Body::Rand(cursor.u64("first seed")?, cursor.u64("second seed")?),
            EventKind::USER_VAR => Body::UserVar(UserVar::decode(body)?),
            EventKind::INCIDENT => Body::Incident(Incident::decode(body)?),
            EventKind::IGNORABLE if header_flags & flags::IGNORABLE != 0 => match Private::decode(body) {
                Ok(private) => Body::Private(private),
                // Somebody else's: ignorable it is.
                Err(_) => Body::Other(body),
            },
            kind if RowsChange::of_kind(kind).is_some() => Body::Rows(Rows::decode(kind, body)?),
            _ => Body::Other(body),
        })
    }
}

fn decode_xa_prepare(mut cursor: Cursor<'_>) -> Result<Body<'_>, DecodeError> {
    let one_phase = cursor.u8("XA one-phase flag")? != 0;
    let format = cursor.u32("XA format")?;
    let gtrid_length = cursor.u32("XA gtrid length")?;
    let bqual_length = cursor.u32("XA bqual length")?;
    let gtrid = cursor.take_long(u64::from(gtrid_length), "XA gtrid")?;
    let bqual = cursor.take_long(u64::from(bqual_length), "XA bqual")?;
    Ok(Body::XaPrepare { one_phase, xa: XaId { format, gtrid, bqual } })
}
