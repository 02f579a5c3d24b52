//! The global values of system variables, which new sessions start from.

use super::super::{Vars, mode};
use crate::host::Host;
use crossbeam_utils::CachePadded;
use hashbrown::HashMap;
use parking_lot::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use types::{CollationId, TimeZone, Value};

/// Global values, shared by the sessions of one server: the variables that a new session starts with.
#[derive(Debug, Default)]
pub struct Globals {
    vars: RwLock<Option<Box<Vars>>>,
    /// Grows with each change of accounts.
    accounts: AtomicU64,
    /// What `general_log` is, for a look before each statement: in a line of its own, as the values are locked more often.
    general_log: CachePadded<AtomicBool>,
}

impl Globals {
    /// No values yet: the first look makes them from the host's facts.
    pub const fn new() -> Self {
        let general_log = CachePadded::new(AtomicBool::new(false));
        Self { vars: RwLock::new(None), accounts: AtomicU64::new(0), general_log }
    }

    /// Looks at the global values, or changes them.
    pub fn with<R>(&self, host: &dyn Host, look: impl FnOnce(&mut Vars) -> R) -> R {
        let mut vars = self.vars.write();
        let vars = vars.get_or_insert_with(|| Box::new(initial(host)));
        let seen = look(vars);
        let general_log = vars.is_on("general_log");
        // Relaxed: a statement that begins at this moment may miss it. Written only where it changes.
        if general_log != self.general_log() {
            self.general_log.store(general_log, Ordering::Relaxed);
        }
        seen
    }

    /// Whether there is a general log.
    #[inline]
    pub fn general_log(&self) -> bool {
        self.general_log.load(Ordering::Relaxed)
    }

    /// A number that grows with each change of accounts, so that sessions look up their privileges again.
    pub fn accounts_generation(&self) -> u64 {
        // Acquire pairs with the release below: whoever sees the number sees the records.
        self.accounts.load(Ordering::Acquire)
    }

    /// Accounts changed.
    pub fn note_accounts_changed(&self) {
        self.accounts.fetch_add(1, Ordering::Release);
    }

    fn snapshot(&self, host: &dyn Host) -> Vars {
        if let Some(vars) = &*self.vars.read() {
            return Vars::clone(vars);
        }
        self.with(host, |vars| vars.clone())
    }
}

/// The variables of a new session: the global values now.
pub fn defaults(host: &dyn Host) -> Vars {
    host.globals().snapshot(host)
}

/// The global values of a server that starts.
fn initial(host: &dyn Host) -> Vars {
    let max_allowed_packet = match host.fact("max_allowed_packet") {
        Some(Value::Int(n)) => u64::try_from(n).unwrap_or(16 << 20),
        Some(Value::UInt(n)) => n,
        _ => 16 << 20,
    };
    Vars {
        sql_mode: mode::DEFAULT,
        autocommit: true,
        isolation: engine::Isolation::RepeatableRead,
        read_only: false,
        snapshot_isolation: false,
        lock_wait_timeout: 50,
        metadata_wait_timeout: 86_400,
        wait_timeout: 28_800,
        idle_transaction_timeout: 0,
        foreign_key_checks: true,
        unique_checks: true,
        check_constraint_checks: true,
        sql_log_bin: true,
        time_zone: TimeZone::System,
        collation_connection: CollationId::UTF8MB4_GENERAL_CI,
        collation_server: CollationId::UTF8MB4_GENERAL_CI,
        character_set_client: CollationId::UTF8MB4_GENERAL_CI,
        character_set_results: Some(CollationId::UTF8MB4_GENERAL_CI),
        div_precision_increment: 4,
        group_concat_max_len: 1 << 20,
        max_allowed_packet,
        max_error_count: 64,
        sql_select_limit: u64::MAX,
        auto_increment_increment: 1,
        auto_increment_offset: 1,
        max_statement_time_us: 0,
        long_query_time_us: 10_000_000,
        sql_auto_is_null: false,
        sql_notes: true,
        sql_safe_updates: false,
        timestamp_us: None,
        wording: 0,
        others: HashMap::new(),
    }
}
