//! Commands that wait behind the running one in a pipelining client's input: they are looked up as a group, so that
//! the cache misses of their rows overlap. What was found serves again when their turn comes.

use super::{Connection, StatementFacts, announced, parameter_value};
use protocol::command::{Command, decode_parameters};
use sql::session::{Foreseen, Session};
use std::collections::VecDeque;

/// Most commands looked up together.
const GROUP: usize = 16;

/// What was looked up.
#[derive(Default)]
pub(super) struct Ahead {
    /// Commands found, by where they end in the client's stream.
    found: VecDeque<(u64, Foreseen)>,
    /// Up to here in the stream everything was looked at.
    until: u64,
}

impl Ahead {
    /// What was found for the command that ends at `position`.
    pub fn take(&mut self, position: u64) -> Option<Foreseen> {
        while let Some((end, _)) = self.found.front() {
            match end.cmp(&position) {
                std::cmp::Ordering::Less => drop(self.found.pop_front()),
                std::cmp::Ordering::Equal => return self.found.pop_front().map(|(_, foreseen)| foreseen),
                std::cmp::Ordering::Greater => break,
            }
        }
        None
    }
}

impl Connection {
    /// Looks up the commands that wait, where there are any and that has not been done.
    pub(super) fn look_ahead(&mut self) {
        if self.channel.input.position() < self.ahead.until {
            return;
        }
        let limit = self.shared.options.max_allowed_packet;
        let known = self.ahead.found.len();
        for (end, payload) in self.channel.input.waiting(limit).take(GROUP) {
            self.ahead.until = end;
            let found = match Command::decode(payload) {
                Ok(Command::Query(text)) => self.session.foresee(text),
                Ok(Command::StmtExecute { id, parameters, .. }) => self
                    .statements
                    .get_mut(&id)
                    .and_then(|facts| foresee_execute(&mut self.session, facts, id, parameters)),
                _ => None,
            };
            // What comes after something unknown may depend on it.
            let Some(found) = found else { break };
            self.ahead.found.push_back((end, found));
        }
        let group = self.ahead.found.iter_mut().skip(known).map(|(_, foreseen)| foreseen);
        if group.len() > 1 {
            self.session.prefetch(group);
        }
    }
}

/// Looks up a prepared statement over one row. Its parameters are read here and not again, so that types announced with
/// them count in the order of commands.
fn foresee_execute(
    session: &mut Session,
    facts: &mut StatementFacts,
    id: u32,
    body: &[u8],
) -> Option<Foreseen> {
    if !facts.long.is_empty() {
        return None;
    }
    let vars = &session.state.vars;
    let (client, connection) = (vars.character_set_client, vars.collation_connection);
    session.foresee_execute(id, |count| {
        let decoded = decode_parameters(body, count, &mut facts.types, |_| false).ok()?;
        let value = |(p, ty): (_, &_)| parameter_value(p, *ty, None, client, connection);
        let values = decoded.iter().zip(&facts.types).map(value).collect();
        Some((values, announced(&facts.types)))
    })
}
