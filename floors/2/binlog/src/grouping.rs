//! Which events make a group: the grammar of the log, for scanning and reading alike.
//!
//! ```text
//! segment = head round*            head  = FORMAT_DESCRIPTION GTID_LIST BINLOG_CHECKPOINT* private(H)
//! round   = private(M) group* [ROTATE | STOP]
//! group   = GTID event* (XID | QUERY COMMIT or ROLLBACK | XA_PREPARE)      not standalone
//!         | GTID event* QUERY                                              standalone
//!         | private(B) private* private(E)                                 never sent to replicas
//! ```

use crate::error::Problem;
use crate::event::{Body, EventKind, GtidEvent, Header, Private, PrivateKind, Query, flags2};
use crate::gtid::Gtid;

/// What an event does to the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It stands between groups.
    Aside,
    /// It opens a group.
    Begins,
    /// It is inside.
    Inside,
    /// It is the group's last.
    Ends,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Between,
    Open {
        standalone: bool,
    },
    Private,
}

/// Follows the events of the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grouping {
    state: State,
    /// The GTID of the group that is open or was last.
    pub gtid: Option<Gtid>,
    /// The commit number found in the group, 0 if there is none.
    pub commit_no: u64,
}

impl Grouping {
    pub fn is_between(&self) -> bool {
        self.state == State::Between
    }

    /// Takes the next event.
    pub fn feed(&mut self, header: &Header, body: &[u8]) -> Result<Step, Problem> {
        let kind = header.kind;
        let private = match kind {
            EventKind::IGNORABLE => Private::decode(body).ok(),
            _ => None,
        };
        match self.state {
            State::Between => self.feed_between(header, body, private),
            State::Private => match private {
                Some(private) if private.kind == PrivateKind::END => {
                    self.state = State::Between;
                    self.commit_no = private.commit_no;
                    Ok(Step::Ends)
                }
                Some(private) if private.kind != PrivateKind::BEGIN && !stands_between(private.kind) => {
                    Ok(Step::Inside)
                }
                _ => Err(Problem::Misplaced("this event may not stand inside a private group")),
            },
            State::Open { standalone } => self.feed_open(kind, body, private, standalone),
        }
    }

    fn feed_between(
        &mut self,
        header: &Header,
        body: &[u8],
        private: Option<Private<'_>>,
    ) -> Result<Step, Problem> {
        match header.kind {
            EventKind::GTID => {
                let event = GtidEvent::decode(body).map_err(Problem::Body)?;
                self.state = State::Open { standalone: event.flags2 & flags2::STANDALONE != 0 };
                self.gtid =
                    Some(Gtid { domain: event.domain, server_id: header.server_id, seq_no: event.seq_no });
                self.commit_no = 0;
                Ok(Step::Begins)
            }
            EventKind::FORMAT_DESCRIPTION
            | EventKind::GTID_LIST
            | EventKind::BINLOG_CHECKPOINT
            | EventKind::ROTATE
            | EventKind::STOP => Ok(Step::Aside),
            EventKind::IGNORABLE => match private {
                Some(private) if private.kind == PrivateKind::BEGIN => {
                    self.state = State::Private;
                    self.gtid = None;
                    self.commit_no = 0;
                    Ok(Step::Begins)
                }
                Some(private) if !stands_between(private.kind) => {
                    Err(Problem::Misplaced("this private event may only stand inside a group"))
                }
                _ => Ok(Step::Aside),
            },
            _ => Err(Problem::Misplaced("this event may only stand inside a group")),
        }
    }

    fn feed_open(
        &mut self,
        kind: EventKind,
        body: &[u8],
        private: Option<Private<'_>>,
        standalone: bool,
    ) -> Result<Step, Problem> {
        let ends = match kind {
            EventKind::XID => {
                let Body::Xid(xid) = Body::decode(kind, 0, body).map_err(Problem::Body)? else {
                    return Err(Problem::Misplaced("an XID event without number"));
                };
                self.commit_no = xid;
                true
            }
            EventKind::XA_PREPARE => true,
            EventKind::QUERY if standalone => true,
            EventKind::QUERY => Query::decode(body).map_err(Problem::Body)?.ends_transaction(),
            EventKind::GTID
            | EventKind::FORMAT_DESCRIPTION
            | EventKind::GTID_LIST
            | EventKind::BINLOG_CHECKPOINT
            | EventKind::ROTATE
            | EventKind::STOP => {
                return Err(Problem::Misplaced("the group before this event has no end"));
            }
            _ => false,
        };
        if let Some(private) = private {
            if private.kind == PrivateKind::BEGIN || stands_between(private.kind) {
                return Err(Problem::Misplaced("the group before this event has no end"));
            }
            self.commit_no = self.commit_no.max(private.commit_no);
        }
        if ends {
            self.state = State::Between;
            return Ok(Step::Ends);
        }
        Ok(Step::Inside)
    }
}

/// Private events of the log itself.
fn stands_between(kind: PrivateKind) -> bool {
    kind == PrivateKind::MARK || kind == PrivateKind::SEGMENT_HEAD
}
