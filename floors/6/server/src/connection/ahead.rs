//! Commands that wait behind the running one in a pipelining client's input: they are looked up as a group, so that
//! the cache misses of their rows overlap. What was found for a text serves again when its turn comes.

use super::{Connection, StatementFacts, parameter_value};
use protocol::command::{Command, decode_parameters};
use sql::session::{Foreseen, Session};
use std::collections::VecDeque;

/// Most commands looked up together.
const GROUP: usize = 16;

/// What was looked up.
#[derive(Default)]
pub(super) struct Ahead {
    /// Texts found, by where they end in the client's stream.
    texts: VecDeque<(u64, Foreseen)>,
    /// Up to here in the stream everything was looked at.
    until: u64,
}

impl Ahead {
    /// What was found for the text that ends at `position`.
    pub fn take(&mut self, position: u64) -> Option<Foreseen> {
        while let Some((end, _)) = self.texts.front() {
            match end.cmp(&position) {
                std::cmp::Ordering::Less => drop(self.texts.pop_front()),
                std::cmp::Ordering::Equal => return self.texts.pop_front().map(|(_, foreseen)| foreseen),
                std::cmp::Ordering::Greater => break,
            }
        }
        None
    }
}

impl Connection {
    /// Looks up the commands that wait, if that has not been done and there are several.
    pub(super) fn look_ahead(&mut self) {
        if self.channel.input.position() < self.ahead.until {
            return;
        }
        let limit = self.shared.options.max_allowed_packet;
        let mut group: Vec<Foreseen> = Vec::new();
        let mut texts = Vec::new();
        for (end, payload) in self.channel.input.waiting(limit).take(GROUP) {
            self.ahead.until = end;
            let found = match Command::decode(payload) {
                Ok(Command::Query(text)) => {
                    texts.push((end, group.len()));
                    self.session.foresee(text)
                }
                Ok(Command::StmtExecute { id, parameters, .. }) => {
                    foresee_execute(&mut self.session, self.statements.get(&id), id, parameters)
                }
                _ => None,
            };
            // What comes after something unknown may depend on it.
            let Some(found) = found else { break };
            group.push(found);
        }
        if group.len() > 1 {
            self.session.prefetch(&group);
        }
        let mut at = 0;
        for (number, foreseen) in group.into_iter().enumerate() {
            if let Some(&(end, _)) = texts.get(at).filter(|(_, text)| *text == number) {
                self.ahead.texts.push_back((end, foreseen));
                at += 1;
            }
        }
    }
}

fn foresee_execute(
    session: &mut Session,
    facts: Option<&StatementFacts>,
    id: u32,
    body: &[u8],
) -> Option<Foreseen> {
    let facts = facts.filter(|facts| facts.long.is_empty())?;
    let vars = &session.state.vars;
    let (client, connection) = (vars.character_set_client, vars.collation_connection);
    session.foresee_execute(id, |count| {
        // The types that count are those of the command's turn; here they only serve a hint.
        let decoded = decode_parameters(body, count, &mut facts.types.clone(), |_| false).ok()?;
        Some(decoded.iter().map(|p| parameter_value(p, None, client, connection)).collect())
    })
}
