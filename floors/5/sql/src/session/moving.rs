//! A session between two event loops.

use super::prepared::{Prepared, PreparedText};
use super::{Session, State};
use hashbrown::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A session without what the sessions of one event loop have together: its kept plans stay there.
pub struct Moving {
    state: State,
    prepared: Vec<(u32, Arc<PreparedText>)>,
    next_prepared: u32,
    named: HashMap<String, Vec<u8>>,
}

impl Session {
    /// Whether it holds nothing of the engine's, and so may go.
    pub fn can_leave(&self) -> bool {
        !self.state.in_transaction() && self.state.locked_tables.is_empty()
    }

    /// Makes the session ready to go to another thread. Between two statements only.
    pub fn leave(self) -> Moving {
        let prepared = self.prepared.iter().map(|(id, prepared)| (*id, prepared.leave()));
        Moving {
            prepared: prepared.collect(),
            state: self.state,
            next_prepared: self.next_prepared,
            named: self.named,
        }
    }
}

impl Moving {
    /// The session on the thread where it is to go on.
    pub fn arrive(self) -> Session {
        let Moving { state, prepared, next_prepared, named } = self;
        let arrive = |(id, text)| (id, Rc::new(Prepared::arrive(text, &state)));
        Session { prepared: prepared.into_iter().map(arrive).collect(), state, next_prepared, named }
    }
}
