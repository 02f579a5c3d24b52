//! Variables that statements read, unpacked into [`Vars`](crate::session::Vars).

use super::values::wrong;
use super::{Home, Kind, Scope, Variable, number_of, text, text_of};
use crate::error::SqlError;
use crate::session::mode;
use engine::Isolation;
use types::{Charset, Collation, CollationId, TimeZone, Value};

macro_rules! switch {
    ($name:literal, $field:ident, $default:literal, $doc:literal) => {
        Variable {
            name: $name,
            scope: Scope::Both,
            kind: Kind::Switch,
            default: $default,
            home: Home::Field {
                get: |vars| Value::Int(i64::from(vars.$field)),
                set: |vars, value| {
                    vars.$field = number_of(value) == 1;
                    Ok(())
                },
            },
            doc: $doc,
        }
    };
}

macro_rules! number {
    ($name:literal, $scope:ident, $field:ident, $min:expr, $max:expr, $default:literal, $doc:literal) => {
        Variable {
            name: $name,
            scope: Scope::$scope,
            kind: Kind::Unsigned($min, $max),
            default: $default,
            home: Home::Field {
                get: |vars| Value::UInt(vars.$field as u64),
                set: |vars, value| {
                    vars.$field = number_of(value) as _;
                    Ok(())
                },
            },
            doc: $doc,
        }
    };
}

macro_rules! special {
    ($name:literal, $kind:expr, $default:literal, $get:expr, $set:expr, $doc:literal) => {
        Variable {
            name: $name,
            scope: Scope::Both,
            kind: $kind,
            default: $default,
            home: Home::Field { get: $get, set: $set },
            doc: $doc,
        }
    };
}

const YEAR_S: u64 = 31_536_000;
const SECONDS: Kind = Kind::Double(0.0, YEAR_S as f64);

fn seconds(micros: u64) -> Value {
    Value::Double(micros as f64 / 1e6)
}

fn micros(seconds: &Value) -> u64 {
    (types::convert::to_double(seconds).value * 1e6).round() as u64
}

/// The variables of this module.
// One line a variable reads best.
#[rustfmt::skip]
pub(super) static TABLE: &[Variable] = &[
    switch!("autocommit", autocommit, "ON", "Commits each statement that no BEGIN came before. Turning it on commits."),
    switch!("check_constraint_checks", check_constraint_checks, "ON", "Checks CHECK constraints."),
    switch!("foreign_key_checks", foreign_key_checks, "ON", "Checks foreign keys and carries out their actions."),
    switch!("innodb_snapshot_isolation", snapshot_isolation, "OFF", "Locking a row that changed after the transaction's snapshot is error 1020 instead of a silent jump to the newer version."),
    switch!("sql_auto_is_null", sql_auto_is_null, "OFF", "`WHERE auto_increment_column IS NULL` finds the row inserted last."),
    switch!("sql_log_bin", sql_log_bin, "ON", "Lets replicas have this session's changes. Off, they are logged for recovery only."),
    switch!("sql_notes", sql_notes, "ON", "Keeps notes among the warnings."),
    switch!("sql_safe_updates", sql_safe_updates, "OFF", "Refuses UPDATE and DELETE without a key in WHERE or a LIMIT."),
    switch!("transaction_read_only", read_only, "OFF", "Transactions begin read only. MySQL's name of tx_read_only."),
    switch!("tx_read_only", read_only, "OFF", "Transactions begin read only."),
    switch!("unique_checks", unique_checks, "ON", "Stands in the log for replicas; unique keys are always checked here."),
    number!("auto_increment_increment", Both, auto_increment_increment, 1, 65_535, "1", "Distance between generated AUTO_INCREMENT values."),
    number!("auto_increment_offset", Both, auto_increment_offset, 1, 65_535, "1", "First of the generated AUTO_INCREMENT values, modulo their distance."),
    number!("div_precision_increment", Both, div_precision_increment, 0, 30, "4", "Digits that a division adds after the point."),
    number!("group_concat_max_len", Both, group_concat_max_len, 4, u32::MAX as u64, "1048576", "Longest result of GROUP_CONCAT in bytes."),
    number!("idle_transaction_timeout", Both, idle_transaction_timeout, 0, YEAR_S, "0", "Seconds after which a client that is idle within a transaction is sent away; 0 for never."),
    number!("innodb_lock_wait_timeout", Both, lock_wait_timeout, 0, 100_000_000, "50", "Seconds that a statement waits for a row lock before error 1205."),
    number!("lock_wait_timeout", Both, metadata_wait_timeout, 0, YEAR_S, "86400", "Seconds that a statement waits for a table's name."),
    number!("max_allowed_packet", BothSetGlobal, max_allowed_packet, 1024, 1 << 30, "16777216", "Longest statement, row or parameter in bytes."),
    number!("max_error_count", Both, max_error_count, 0, 65_535, "64", "Errors, warnings and notes that SHOW WARNINGS keeps."),
    number!("sql_select_limit", Both, sql_select_limit, 0, u64::MAX, "18446744073709551615", "Rows that a SELECT without LIMIT gives at most."),
    number!("wait_timeout", Both, wait_timeout, 1, YEAR_S, "28800", "Seconds after which an idle client is sent away."),
    special!("sql_mode", Kind::Free, "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION",
        |vars| text(&mode::text(vars.sql_mode)),
        |vars, value| { vars.sql_mode = mode_of(value, vars.sql_mode)?; Ok(()) },
        "Rules of syntax, and which values are refused rather than adjusted."),
    special!("long_query_time", SECONDS, "10", |vars| seconds(vars.long_query_time_us),
        |vars, value| { vars.long_query_time_us = micros(value); Ok(()) },
        "Seconds after which a statement is a slow one."),
    special!("log_slow_query_time", SECONDS, "10", |vars| seconds(vars.long_query_time_us),
        |vars, value| { vars.long_query_time_us = micros(value); Ok(()) },
        "Seconds after which a statement is a slow one. MariaDB's later name of long_query_time."),
    special!("tx_isolation", Kind::Choice(LEVELS), "REPEATABLE-READ", |vars| text(LEVELS[vars.isolation as usize]),
        |vars, value| { vars.isolation = isolation_of(value); Ok(()) },
        "Isolation level of the transactions to come."),
    special!("transaction_isolation", Kind::Choice(LEVELS), "REPEATABLE-READ", |vars| text(LEVELS[vars.isolation as usize]),
        |vars, value| { vars.isolation = isolation_of(value); Ok(()) },
        "Isolation level of the transactions to come. MySQL's name of tx_isolation."),
    special!("time_zone", Kind::Text, "SYSTEM", |vars| text(&vars.time_zone.name()),
        |vars, value| {
            let name = text_of(value);
            vars.time_zone = TimeZone::parse(&name).ok_or_else(|| SqlError::unknown_time_zone(name))?;
            Ok(())
        },
        "Zone that TIMESTAMP values and NOW() are shown in: SYSTEM, an offset, or a name of the IANA database."),
    special!("character_set_client", Kind::Free, "utf8mb4", |vars| text(vars.character_set_client.charset().name()),
        |vars, value| {
            let given = charset_of("character_set_client", value)?;
            // Statements are read byte by byte.
            if given.charset().min_char_bytes() > 1 {
                return Err(SqlError::wrong_value_for_var("character_set_client", given.charset().name()));
            }
            vars.character_set_client = given;
            Ok(())
        },
        "Character set of the client's statements."),
    special!("character_set_connection", Kind::Free, "utf8mb4", |vars| text(vars.collation_connection.charset().name()),
        |vars, value| { vars.collation_connection = charset_of("character_set_connection", value)?; Ok(()) },
        "Character set that literals have."),
    special!("collation_connection", Kind::Free, "utf8mb4_general_ci", |vars| text(vars.collation_connection.name()),
        |vars, value| { vars.collation_connection = collation_of("collation_connection", value)?; Ok(()) },
        "Collation that literals have."),
    special!("character_set_server", Kind::Free, "utf8mb4", |vars| text(vars.collation_server.charset().name()),
        |vars, value| { vars.collation_server = charset_of("character_set_server", value)?; Ok(()) },
        "Character set of databases that name none."),
    special!("collation_server", Kind::Free, "utf8mb4_general_ci", |vars| text(vars.collation_server.name()),
        |vars, value| { vars.collation_server = collation_of("collation_server", value)?; Ok(()) },
        "Collation of databases that name none."),
    special!("character_set_results", Kind::Free, "utf8mb4",
        |vars| vars.character_set_results.map_or(Value::Null, |c| text(c.charset().name())),
        |vars, value| {
            let given = if value.is_null() { None } else { Some(charset_of("character_set_results", value)?) };
            vars.character_set_results = given;
            Ok(())
        },
        "Character set of results; NULL sends each text as it is stored."),
    special!("max_statement_time", Kind::Double(0.0, YEAR_S as f64), "0",
        |vars| Value::Double(vars.max_statement_time_us as f64 / 1e6),
        |vars, value| {
            if let Value::Double(seconds) = value {
                vars.max_statement_time_us = (seconds * 1e6) as u64;
            }
            Ok(())
        },
        "Seconds after which a statement ends with error 1969; 0 for never."),
];

/// Names of the isolation levels in the order of [`Isolation`].
const LEVELS: &[&str] = &["READ-UNCOMMITTED", "READ-COMMITTED", "REPEATABLE-READ", "SERIALIZABLE"];

fn isolation_of(value: &Value) -> Isolation {
    match text_of(value).as_str() {
        "READ-UNCOMMITTED" => Isolation::ReadUncommitted,
        "READ-COMMITTED" => Isolation::ReadCommitted,
        "SERIALIZABLE" => Isolation::Serializable,
        _ => Isolation::RepeatableRead,
    }
}

fn mode_of(value: &Value, now: u64) -> Result<u64, SqlError> {
    match value {
        // So '' is written under that mode.
        Value::Null if now & mode::EMPTY_STRING_IS_NULL != 0 => Ok(0),
        Value::Int(n) if *n >= 0 => mode::expanded(*n as u64).ok_or_else(|| wrong("sql_mode", value)),
        Value::UInt(n) => mode::expanded(*n).ok_or_else(|| wrong("sql_mode", value)),
        Value::Str(_) => {
            mode::parse(&text_of(value)).map_err(|word| SqlError::wrong_value_for_var("sql_mode", word))
        }
        Value::Int(_) | Value::Null => Err(wrong("sql_mode", value)),
        _ => Err(SqlError::wrong_type_for_var("sql_mode")),
    }
}

/// A character set by name or by the number of one of its collations; errors 1115, 1231, 1232.
fn charset_of(name: &str, value: &Value) -> Result<CollationId, SqlError> {
    match value {
        Value::Str(_) => {
            let given = text_of(value);
            let charset = Charset::by_name(&given).ok_or_else(|| SqlError::unknown_character_set(given))?;
            Ok(charset.default_collation())
        }
        Value::Int(_) | Value::UInt(_) => u16::try_from(number_of(value))
            .ok()
            .and_then(CollationId::from_id)
            .map(|collation| collation.charset().default_collation())
            .ok_or_else(|| SqlError::unknown_character_set(number_of(value))),
        Value::Null => Err(wrong(name, value)),
        _ => Err(SqlError::wrong_type_for_var(name)),
    }
}

/// A collation by name or number; errors 1273, 1231, 1232.
fn collation_of(name: &str, value: &Value) -> Result<CollationId, SqlError> {
    match value {
        Value::Str(_) => {
            let given = text_of(value);
            Collation::by_name(&given).map(|c| c.id).ok_or_else(|| SqlError::unknown_collation(given))
        }
        Value::Int(_) | Value::UInt(_) => u16::try_from(number_of(value))
            .ok()
            .and_then(CollationId::from_id)
            .ok_or_else(|| SqlError::unknown_collation(number_of(value))),
        Value::Null => Err(wrong(name, value)),
        _ => Err(SqlError::wrong_type_for_var(name)),
    }
}
