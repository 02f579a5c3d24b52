//! GTIDs of MariaDB: `domain-server-sequence`, and the state that a position in the log stands for.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A global transaction number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gtid {
    /// The stream of transactions that it is ordered in.
    pub domain: u32,
    /// The server that committed it first.
    pub server_id: u32,
    /// Its number in the domain.
    pub seq_no: u64,
}

impl fmt::Display for Gtid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.domain, self.server_id, self.seq_no)
    }
}

/// A text that is no GTID or no list of GTIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadGtid;

impl fmt::Display for BadGtid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("read a GTID: not of the form domain-server-sequence")
    }
}

impl std::error::Error for BadGtid {}

impl FromStr for Gtid {
    type Err = BadGtid;

    fn from_str(text: &str) -> Result<Gtid, BadGtid> {
        fn number<T: FromStr>(text: Option<&str>) -> Result<T, BadGtid> {
            let digits =
                text.filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|digits| digits.parse().ok()).ok_or(BadGtid)
        }
        let mut parts = text.trim().splitn(3, '-');
        Ok(Gtid {
            domain: number(parts.next())?,
            server_id: number(parts.next())?,
            seq_no: number(parts.next())?,
        })
    }
}

/// What a prefix of the log contains: for each domain the last number of each server, and the newest of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GtidState {
    domains: BTreeMap<u32, DomainState>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct DomainState {
    /// Last number of each server, the newest server last.
    servers: Vec<(u32, u64)>,
    /// The highest number seen, from which the next is counted.
    highest: u64,
}

impl GtidState {
    /// The state of an empty log.
    #[must_use]
    pub fn new() -> GtidState {
        GtidState::default()
    }

    /// Notes `gtid` as the newest of its domain.
    pub fn note(&mut self, gtid: Gtid) {
        let domain = self.domains.entry(gtid.domain).or_default();
        match domain.servers.last_mut() {
            // The usual case: the same server as before.
            Some((server, seq_no)) if *server == gtid.server_id => *seq_no = gtid.seq_no,
            _ => {
                domain.servers.retain(|(server, _)| *server != gtid.server_id);
                domain.servers.push((gtid.server_id, gtid.seq_no));
            }
        }
        domain.highest = domain.highest.max(gtid.seq_no);
    }

    /// The number that the next own transaction of `domain` gets.
    #[must_use]
    pub fn next_seq_no(&self, domain: u32) -> u64 {
        self.domains.get(&domain).map_or(1, |domain| domain.highest.saturating_add(1))
    }

    /// The newest GTID of each domain: what `gtid_binlog_pos` shows.
    pub fn position(&self) -> impl Iterator<Item = Gtid> + '_ {
        self.domains.iter().filter_map(|(domain, state)| {
            let (server_id, seq_no) = *state.servers.last()?;
            Some(Gtid { domain: *domain, server_id, seq_no })
        })
    }

    /// The last GTID of each domain and server, the newest of each domain last: what `gtid_binlog_state` shows and
    /// GTID_LIST holds.
    pub fn all(&self) -> impl Iterator<Item = Gtid> + '_ {
        self.domains.iter().flat_map(|(domain, state)| {
            state.servers.iter().map(|(server_id, seq_no)| Gtid {
                domain: *domain,
                server_id: *server_id,
                seq_no: *seq_no,
            })
        })
    }

    /// The newest number of `domain` and `server_id`, if there is one.
    #[must_use]
    pub fn last(&self, domain: u32, server_id: u32) -> Option<u64> {
        let servers = &self.domains.get(&domain)?.servers;
        servers.iter().find(|(server, _)| *server == server_id).map(|(_, seq_no)| *seq_no)
    }

    /// Whether `gtid` is among the transactions that this state stands for.
    #[must_use]
    pub fn contains(&self, gtid: Gtid) -> bool {
        self.last(gtid.domain, gtid.server_id).is_some_and(|last| last >= gtid.seq_no)
    }

    /// No transaction at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.domains.is_empty()
    }
}

impl FromIterator<Gtid> for GtidState {
    fn from_iter<I: IntoIterator<Item = Gtid>>(gtids: I) -> GtidState {
        let mut state = GtidState::new();
        for gtid in gtids {
            state.note(gtid);
        }
        state
    }
}

/// The newest GTID of each domain, separated by commas.
impl fmt::Display for GtidState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, gtid) in self.position().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            gtid.fmt(f)?;
        }
        Ok(())
    }
}

/// Reads a list such as `@slave_connect_state` holds; blank text is the empty state.
impl FromStr for GtidState {
    type Err = BadGtid;

    fn from_str(text: &str) -> Result<GtidState, BadGtid> {
        if text.trim().is_empty() {
            return Ok(GtidState::new());
        }
        text.split(',').map(str::parse::<Gtid>).collect()
    }
}
