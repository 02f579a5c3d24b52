//! The process list, and KILL.

use engine::Interrupt;
use hashbrown::HashMap;
use parking_lot::Mutex;
use runtime::net::CloseHandle;
use runtime::turn_time;
use sql::host::{KillTarget, Process};
use sql::session::kill;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

/// What a connection is doing.
#[derive(Debug)]
struct Doing {
    user: String,
    host: String,
    database: Option<String>,
    command: &'static str,
    since: Instant,
    /// The statement's bytes; made text when somebody looks.
    info: Vec<u8>,
}

/// A connection as others see it.
pub struct Entry {
    id: u64,
    doing: Mutex<Doing>,
    killed: Mutex<Option<(Arc<AtomicU8>, Arc<Interrupt>)>>,
    close: CloseHandle,
}

impl Entry {
    /// The client was let in: its session can be told to stop now.
    pub fn attach(&self, user: &str, killed: Arc<AtomicU8>, interrupt: Arc<Interrupt>) {
        let mut doing = self.doing.lock();
        user.clone_into(&mut doing.user);
        doing.command = "Sleep";
        doing.since = turn_time();
        *self.killed.lock() = Some((killed, interrupt));
    }

    /// A command begins.
    pub fn begin(&self, command: &'static str, info: &[u8]) {
        let mut doing = self.doing.lock();
        doing.command = command;
        doing.since = turn_time();
        doing.info.clear();
        doing.info.extend_from_slice(&info[..info.len().min(INFO_MAX)]);
    }

    /// The connection waits for its client.
    pub fn sleep(&self, database: Option<&str>) {
        let mut doing = self.doing.lock();
        doing.command = "Sleep";
        doing.since = turn_time();
        if doing.database.as_deref() != database {
            doing.database = database.map(str::to_owned);
        }
    }
}

/// Bytes of a statement that the process list keeps.
const INFO_MAX: usize = 1024;

/// All connections.
#[derive(Default)]
pub struct Processes {
    entries: Mutex<HashMap<u64, Arc<Entry>>>,
    next: AtomicU64,
}

/// A connection's place among all; left, and the connection closed, when this is dropped: however its serving ends, the
/// client is not kept waiting for an answer that nobody will send.
pub struct Seat {
    processes: Arc<Processes>,
    entry: Arc<Entry>,
}

/// What others see of it.
impl Deref for Seat {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &self.entry
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.processes.entries.lock().remove(&self.entry.id);
        self.entry.close.close();
    }
}

impl Processes {
    /// Enters a connection; gives its place.
    pub fn enter(self: &Arc<Self>, host: &str, close: CloseHandle) -> Seat {
        // Relaxed: only uniqueness counts.
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let doing = Doing {
            user: "unauthenticated user".into(),
            host: host.to_owned(),
            database: None,
            command: "Connect",
            since: turn_time(),
            info: Vec::new(),
        };
        let entry = Arc::new(Entry { id, doing: Mutex::new(doing), killed: Mutex::new(None), close });
        self.entries.lock().insert(id, entry.clone());
        Seat { processes: self.clone(), entry }
    }

    /// How many connections there are.
    pub fn len(&self) -> usize {
        self.entries.lock().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many run a command now.
    pub fn running(&self) -> usize {
        self.entries.lock().values().filter(|e| e.doing.lock().command != "Sleep").count()
    }

    /// The process list, by id.
    pub fn list(&self) -> Vec<Process> {
        let entries: Vec<_> = self.entries.lock().values().cloned().collect();
        let mut list: Vec<Process> = entries
            .iter()
            .map(|entry| {
                let doing = entry.doing.lock();
                let busy = doing.command != "Sleep";
                Process {
                    id: entry.id,
                    user: doing.user.clone(),
                    host: doing.host.clone(),
                    database: doing.database.clone(),
                    command: doing.command,
                    time_s: doing.since.elapsed().as_secs(),
                    state: if busy { "executing".into() } else { String::new() },
                    info: (busy && !doing.info.is_empty())
                        .then(|| String::from_utf8_lossy(&doing.info).into_owned()),
                }
            })
            .collect();
        list.sort_by_key(|p| p.id);
        list
    }

    /// Ends a statement or connection; false for an unknown id.
    pub fn kill(&self, id: u64, target: KillTarget) -> bool {
        let Some(entry) = self.entries.lock().get(&id).cloned() else { return false };
        if let Some((killed, interrupt)) = &*entry.killed.lock() {
            let reason = match target {
                KillTarget::Query => kill::QUERY,
                KillTarget::Connection => kill::CONNECTION,
            };
            // Release: whoever sees the reason sees why it was woken.
            killed.store(reason, Ordering::Release);
            interrupt.raise();
        }
        if target == KillTarget::Connection {
            entry.close.close();
        }
        true
    }

    /// Closes all connections.
    pub fn close_all(&self) {
        let ids: Vec<u64> = self.entries.lock().keys().copied().collect();
        for id in ids {
            self.kill(id, KillTarget::Connection);
        }
    }
}

impl Entry {
    /// Connection id.
    pub fn id(&self) -> u64 {
        self.id
    }
}
