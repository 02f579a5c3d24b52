//! Counters: true, 64 bits wide, one cache line a core.

use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

macro_rules! counters {
    ($($name:ident = $shown:literal, $doc:literal;)*) => {
        /// Counters of the server itself.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Counter { $(#[doc = $doc] $name),* }

        /// Name and meaning of each counter, in order.
        pub const COUNTERS: &[(&str, &str)] = &[$(($shown, $doc)),*];
    };
}

counters! {
    Questions = "Questions", "Statements and commands that clients sent.";
    Connections = "Connections", "Connections tried.";
    ConnectionsMoved = "Penstock_connections_moved", "Connections that went on on another event loop, which had more time.";
    AbortedConnects = "Aborted_connects", "Connections that were not let in.";
    AbortedClients = "Aborted_clients", "Clients that went without saying goodbye.";
    BytesReceived = "Bytes_received", "Bytes from clients.";
    BytesSent = "Bytes_sent", "Bytes to clients.";
    StmtExecute = "Com_stmt_execute", "Executions of prepared statements.";
    StmtReset = "Com_stmt_reset", "Resets of prepared statements.";
    StmtFetch = "Com_stmt_fetch", "Fetches from cursors.";
    StmtSendLongData = "Com_stmt_send_long_data", "Pieces of long parameters.";
}

/// Statements counted as `Com_*`.
pub const COMMANDS: &[&str] = &[
    "alter_db",
    "alter_table",
    "alter_user",
    "analyze",
    "begin",
    "change_db",
    "check",
    "checksum",
    "commit",
    "create_db",
    "create_index",
    "create_role",
    "create_table",
    "create_user",
    "create_view",
    "dealloc_sql",
    "delete",
    "delete_multi",
    "do",
    "drop_db",
    "drop_index",
    "drop_role",
    "drop_table",
    "drop_user",
    "drop_view",
    "execute_sql",
    "explain_other",
    "flush",
    "grant",
    "grant_role",
    "insert",
    "insert_select",
    "kill",
    "lock_tables",
    "optimize",
    "other",
    "prepare_sql",
    "purge",
    "release_savepoint",
    "rename_table",
    "rename_user",
    "repair",
    "replace",
    "replace_select",
    "reset",
    "revoke",
    "revoke_all",
    "revoke_role",
    "rollback",
    "rollback_to_savepoint",
    "savepoint",
    "select",
    "set_option",
    "show_fields",
    "stmt_close",
    "stmt_prepare",
    "truncate",
    "unlock_tables",
    "update",
    "update_multi",
];

/// The place of a statement's counter in [`COMMANDS`]; behind all of them for one that is not counted.
pub fn command_number(command: &str) -> usize {
    COMMANDS.binary_search(&command).unwrap_or(COMMANDS.len())
}

/// Which loop's counters a caller uses: its own, or the last for plain threads.
#[derive(Debug)]
struct Core {
    counters: [AtomicU64; COUNTERS.len()],
    commands: Vec<AtomicU64>,
}

/// All counters.
#[derive(Debug)]
pub struct Status {
    cores: Vec<CachePadded<Core>>,
    started: Instant,
}

impl Status {
    /// Counters for so many event loops.
    pub fn new(cores: usize) -> Self {
        let core = || {
            CachePadded::new(Core {
                counters: std::array::from_fn(|_| AtomicU64::new(0)),
                commands: COMMANDS.iter().map(|_| AtomicU64::new(0)).collect(),
            })
        };
        Self { cores: (0..=cores).map(|_| core()).collect(), started: Instant::now() }
    }

    /// Adds to a counter of this core. Relaxed: readers want sums, not order.
    #[inline]
    pub fn add(&self, counter: Counter, n: u64) {
        self.bump(|core| &core.counters[counter as usize], n);
    }

    /// Counts a statement by the number of its counter; one that has none is not counted.
    #[inline]
    pub fn count_command(&self, number: usize) {
        if number < COMMANDS.len() {
            self.bump(|core| &core.commands[number], 1);
        }
    }

    /// A loop is the only writer of its counters, so it needs no atomic addition; other threads share one set.
    #[inline]
    fn bump(&self, counter: impl Fn(&Core) -> &AtomicU64, n: u64) {
        let shared = self.cores.len() - 1;
        match runtime::core_id().filter(|&core| core < shared) {
            Some(core) => {
                let counter = counter(&self.cores[core]);
                counter.store(counter.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
            }
            None => {
                counter(&self.cores[shared]).fetch_add(n, Ordering::Relaxed);
            }
        }
    }

    /// The sum of a counter over all cores.
    pub fn sum(&self, counter: Counter) -> u64 {
        self.cores.iter().map(|core| core.counters[counter as usize].load(Ordering::Relaxed)).sum()
    }

    /// Visits all counters with their sums.
    pub fn visit(&self, visit: &mut dyn FnMut(&str, u64)) {
        for (i, (name, _)) in COUNTERS.iter().enumerate() {
            visit(name, self.cores.iter().map(|core| core.counters[i].load(Ordering::Relaxed)).sum());
        }
        for (i, name) in COMMANDS.iter().enumerate() {
            let sum = self.cores.iter().map(|core| core.commands[i].load(Ordering::Relaxed)).sum();
            visit(&format!("Com_{name}"), sum);
        }
        visit("Uptime", self.started.elapsed().as_secs());
    }

    /// Seconds since the start.
    pub fn uptime_s(&self) -> u64 {
        self.started.elapsed().as_secs()
    }
}

/// Visits the counters of page store and log.
pub fn visit_storage(engine: &engine::Engine, status: &engine::Status, visit: &mut dyn FnMut(&str, u64)) {
    let pages = &status.pages;
    let log = engine.log().counters();
    for (name, n) in [
        ("Innodb_buffer_pool_read_requests", pages.hits + pages.reads),
        ("Innodb_buffer_pool_reads", pages.reads),
        ("Innodb_buffer_pool_pages_total", pages.frames),
        ("Innodb_buffer_pool_pages_free", pages.frames_free_now),
        ("Innodb_buffer_pool_pages_dirty", pages.frames_dirty_now),
        ("Innodb_page_size", pages::PAGE_SIZE as u64),
        ("Innodb_pages_written", pages.writes),
        ("Penstock_pages_evicted", pages.evictions),
        ("Penstock_pages_damaged", pages.damaged),
        ("Penstock_pages_healed", pages.healed),
        ("Penstock_data_file_bytes", pages.file_bytes_now),
        ("Penstock_log_forces", log.forces),
        ("Penstock_log_gathers", log.gathers),
        ("Penstock_log_gathers_in_vain", log.lone_gathers),
        ("Penstock_log_cleared_bytes", log.cleared_bytes),
        ("Penstock_log_groups", log.groups),
        ("Penstock_log_bytes", log.bytes),
        ("Binlog_commits", log.groups),
        ("Binlog_group_commits", log.forces),
    ] {
        visit(name, n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_in_order_for_the_search() {
        assert!(COMMANDS.is_sorted());
        let status = Status::new(2);
        status.count_command(command_number("select"));
        status.add(Counter::Questions, 2);
        let mut seen = 0;
        status.visit(&mut |name, n| {
            if name == "Com_select" || name == "Questions" {
                seen += n;
            }
        });
        assert_eq!(seen, 3);
    }
}
