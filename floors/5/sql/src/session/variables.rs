//! System variables: one declaration each.

use super::{State, Vars, mode};
use crate::error::SqlError;
use crate::host::Host;
use crate::syntax::ast::VarScope;
use hashbrown::HashMap;
use types::{CollationId, TimeZone, Value};

/// The variables of a new session.
pub fn defaults(host: &dyn Host) -> Vars {
    let _ = host;
    Vars {
        sql_mode: mode::DEFAULT,
        autocommit: true,
        isolation: engine::Isolation::RepeatableRead,
        read_only: false,
        snapshot_isolation: true,
        lock_wait_timeout: 50,
        metadata_wait_timeout: 86_400,
        foreign_key_checks: true,
        unique_checks: true,
        check_constraint_checks: true,
        sql_log_bin: true,
        time_zone: TimeZone::System,
        collation_connection: CollationId::UTF8MB4_GENERAL_CI,
        character_set_client: CollationId::UTF8MB4_GENERAL_CI,
        character_set_results: Some(CollationId::UTF8MB4_GENERAL_CI),
        div_precision_increment: 4,
        group_concat_max_len: 1 << 20,
        max_allowed_packet: 16 << 20,
        max_error_count: 64,
        sql_select_limit: u64::MAX,
        auto_increment_increment: 1,
        auto_increment_offset: 1,
        max_statement_time_us: 0,
        sql_auto_is_null: false,
        sql_notes: true,
        sql_safe_updates: false,
        timestamp_us: None,
        others: HashMap::new(),
    }
}

/// Reads a variable by its lower-case name.
pub fn read(state: &State, scope: Option<VarScope>, name: &str) -> Result<Value, SqlError> {
    let _ = (state, scope);
    Err(SqlError::unknown_system_variable(name))
}
