//! The Info column of SHOW BINLOG EVENTS.

use super::{Body, Event, GtidEvent, Mark, Private, PrivateKind, Rows, UserVar, XaId, flags2, rows_flags};
use crate::gtid::Gtid;
use std::fmt::Write;

impl Event<'_> {
    /// What SHOW BINLOG EVENTS says about the event, in the words of MariaDB 10.11. Bytes that are no UTF-8 are shown
    /// as replacement characters. `None` for a body that does not decode.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        Some(match self.decode().ok()? {
            Body::FormatDescription(event) => {
                format!("Server ver: {}, Binlog ver: 4", lossy(event.server_version))
            }
            Body::GtidList(list) => {
                let gtids: Vec<String> = list.gtids.iter().map(Gtid::to_string).collect();
                format!("[{}]", gtids.join(", "))
            }
            Body::BinlogCheckpoint(file) => lossy(file),
            Body::Gtid(event) => describe_gtid(&event, self.header.server_id),
            Body::Query(query) => {
                let text = lossy(query.text);
                let is_bare =
                    query.database.is_empty() || self.header.flags & super::flags::SUPPRESS_USE != 0;
                if is_bare { text } else { format!("use `{}`; {text}", quoted(query.database)) }
            }
            Body::TableMap(map) => {
                format!("table_id: {} ({}.{})", map.table_id, lossy(map.database), lossy(map.table))
            }
            Body::Rows(rows) => describe_rows(&rows),
            Body::Xid(number) => format!("COMMIT /* xid={number} */"),
            Body::XaPrepare { one_phase: true, xa } => format!("XA COMMIT {} ONE PHASE", describe_xa(&xa)),
            Body::XaPrepare { one_phase: false, xa } => format!("XA PREPARE {}", describe_xa(&xa)),
            Body::Rotate(event) => format!("{};pos={}", lossy(event.file), event.position),
            Body::Stop | Body::Other(_) => String::new(),
            Body::AnnotateRows(text) => lossy(text),
            Body::IntVar { kind: 1, value } => format!("LAST_INSERT_ID={value}"),
            Body::IntVar { kind: 2, value } => format!("INSERT_ID={value}"),
            Body::IntVar { value, .. } => format!("INVALID_INT={value}"),
            Body::Rand(first, second) => format!("rand_seed1={first},rand_seed2={second}"),
            Body::UserVar(variable) => describe_variable(&variable),
            Body::Incident(incident) => format!("#{} ({})", incident.number, lossy(incident.message)),
            Body::Private(private) => describe_private(&private),
        })
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A name between backticks.
fn quoted(name: &[u8]) -> String {
    lossy(name).replace('`', "``")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn describe_xa(xa: &XaId<'_>) -> String {
    format!("X'{}',X'{}',{}", hex(xa.gtrid), hex(xa.bqual), xa.format)
}

fn describe_gtid(event: &GtidEvent<'_>, server_id: u32) -> String {
    let gtid = Gtid { domain: event.domain, server_id, seq_no: event.seq_no };
    let mut text = match &event.xa {
        Some(xa) if event.flags2 & flags2::XA_PREPARED != 0 => {
            format!("XA START {} GTID {gtid}", describe_xa(xa))
        }
        _ if event.flags2 & flags2::STANDALONE != 0 => format!("GTID {gtid}"),
        _ => format!("BEGIN GTID {gtid}"),
    };
    if let Some(commit_id) = event.commit_id {
        let _ = write!(text, " cid={commit_id}");
    }
    text
}

fn describe_rows(rows: &Rows<'_>) -> String {
    let end = if rows.flags & rows_flags::STATEMENT_END != 0 { " flags: STMT_END_F" } else { "" };
    format!("table_id: {}{end}", rows.table_id)
}

/// Without the names of character sets, which this room does not know.
fn describe_variable(variable: &UserVar<'_>) -> String {
    match &variable.value {
        None => format!("@`{}`=NULL", quoted(variable.name)),
        Some(value) => format!("@`{}`=X'{}'", quoted(variable.name), hex(value.bytes)),
    }
}

fn describe_private(private: &Private<'_>) -> String {
    match private.kind {
        PrivateKind::MARK => match Mark::decode(private.payload) {
            Ok(mark) => format!("Penstock: a round of {} bytes", mark.round_bytes),
            Err(_) => "Penstock: a round".to_string(),
        },
        PrivateKind::SEGMENT_HEAD => "Penstock: head of the segment".to_string(),
        PrivateKind::BEGIN => format!("Penstock: BEGIN private, commit {}", private.commit_no),
        PrivateKind::END => format!("Penstock: COMMIT private, commit {}", private.commit_no),
        kind => format!("Penstock: {} bytes of kind {}", private.payload.len(), kind.0.escape_ascii()),
    }
}
