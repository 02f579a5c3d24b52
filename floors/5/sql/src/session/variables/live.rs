//! Variables computed from the session's state, and those that only a session has.

use super::{Home, Kind, Scope, Variable, number_of, text};
use crate::error::SqlError;
use crate::session::{Level, State};
use types::convert::to_double;
use types::{CollationId, Value};

macro_rules! shown {
    ($name:literal, $scope:ident, $kind:expr, $get:expr, $doc:literal) => {
        Variable {
            name: $name,
            scope: Scope::$scope,
            kind: $kind,
            default: "",
            home: Home::State { get: $get, set: None },
            doc: $doc,
        }
    };
}

macro_rules! session {
    ($name:literal, $kind:expr, $default:literal, $get:expr, $set:expr, $doc:literal) => {
        Variable {
            name: $name,
            scope: Scope::Session,
            kind: $kind,
            default: $default,
            home: Home::State { get: $get, set: Some($set) },
            doc: $doc,
        }
    };
}

const ANY: Kind = Kind::Unsigned(0, u64::MAX);

/// MariaDB's default of `max_binlog_cache_size`, no limit: here the engine's own.
const UNSET_CACHE: u64 = u64::MAX - 4095;

/// The variables of this module.
// One line a variable reads best.
#[rustfmt::skip]
pub(super) static TABLE: &[Variable] = &[
    shown!("character_set_database", Both, Kind::Text, |state| text(database_collation(state).charset().name()),
        "Character set of the default database."),
    shown!("collation_database", Both, Kind::Text, |state| text(database_collation(state).name()),
        "Collation of the default database."),
    shown!("error_count", Session, ANY, |state| Value::UInt(count(state, Some(Level::Error))),
        "Errors of the statement before."),
    shown!("warning_count", Session, ANY, |state| Value::UInt(state.diagnostics.shown_count()),
        "Errors, warnings and notes of the statement before."),
    shown!("in_transaction", Session, ANY, |state| Value::UInt(u64::from(state.in_transaction())),
        "Whether a transaction of several statements is open."),
    shown!("gtid_binlog_pos", Global, Kind::Text, |state| text(&state.engine.log().gtid_state().to_string()),
        "The last GTID of each replication domain in the log."),
    shown!("gtid_binlog_state", Global, Kind::Text, |state| text(&state.engine.log().gtid_state().to_string()),
        "The state of replication domains in the log."),
    shown!("gtid_current_pos", Global, Kind::Text, |state| text(&state.engine.log().gtid_state().to_string()),
        "The last GTID of each replication domain that was carried out here."),
    Variable {
        name: "max_binlog_cache_size",
        scope: Scope::Global,
        kind: Kind::Unsigned(4096, UNSET_CACHE),
        default: "18446744073709547520",
        home: Home::State {
            get: |state| Value::UInt(state.engine.transaction_limit().map_or(UNSET_CACHE, |bytes| bytes as u64)),
            set: Some(set_transaction_limit),
        },
        doc: "Memory that the changes of one transaction may take, in bytes, before error 1197; unless set, a quarter of the machine's.",
    },
    session!("rand_seed1", ANY, "0", |state| Value::UInt(state.random_seeds.map_or(0, |seeds| seeds.0)),
        |state, value| { seeds(state).0 = number_of(value); Ok(()) },
        "First seed of RAND() in this session, as it stands."),
    session!("rand_seed2", ANY, "0", |state| Value::UInt(state.random_seeds.map_or(0, |seeds| seeds.1)),
        |state, value| { seeds(state).1 = number_of(value); Ok(()) },
        "Second seed of RAND() in this session, as it stands."),
    session!("identity", ANY, "0", |state| Value::UInt(state.last_insert_id), set_last_insert_id,
        "What LAST_INSERT_ID() gives."),
    session!("last_insert_id", ANY, "0", |state| Value::UInt(state.last_insert_id), set_last_insert_id,
        "What LAST_INSERT_ID() gives."),
    session!("insert_id", ANY, "0", |state| Value::UInt(state.next_insert_id.unwrap_or(0)),
        |state, value| {
            state.next_insert_id = Some(number_of(value)).filter(|&id| id != 0);
            Ok(())
        },
        "The first AUTO_INCREMENT value that the next INSERT generates."),
    session!("pseudo_thread_id", ANY, "0",
        |state| state.vars.others.get("pseudo_thread_id").cloned().unwrap_or(Value::UInt(state.connection_id)),
        |state, value| {
            state.vars.others.insert("pseudo_thread_id", value.clone());
            Ok(())
        },
        "The connection's number; dumps of the log set it, which changes nothing here."),
    session!("timestamp", Kind::Free, "0", timestamp, set_timestamp,
        "Seconds of Unix time that NOW() shows; 0 and DEFAULT follow the clock again."),
];

fn set_transaction_limit(state: &mut State, value: &Value) -> Result<(), SqlError> {
    let bytes = Some(number_of(value)).filter(|&bytes| bytes < UNSET_CACHE);
    state.engine.set_transaction_limit(bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)));
    Ok(())
}

fn set_last_insert_id(state: &mut State, value: &Value) -> Result<(), SqlError> {
    state.last_insert_id = number_of(value);
    Ok(())
}

/// Collation of the default database; the server's without one.
pub(crate) fn database_collation(state: &State) -> CollationId {
    let Some(name) = state.database.as_deref() else { return CollationId::UTF8MB4_GENERAL_CI };
    let catalog = state.engine.catalog();
    let stored = catalog.database(name).map(|database| database.def.collation);
    let own = crate::catalog::virtual_database(name).map(|(_, collation)| collation);
    own.or(stored).unwrap_or(CollationId::UTF8MB4_GENERAL_CI)
}

/// Entries of the diagnostics area, of one level or all.
fn count(state: &State, level: Option<Level>) -> u64 {
    let entries = state.diagnostics.shown();
    entries.iter().filter(|entry| level.is_none_or(|level| entry.level == level)).count() as u64
}

fn timestamp(state: &State) -> Value {
    let now = state.statement.now;
    Value::Double(f64::from(now.secs) + f64::from(now.micros) / 1e6)
}

fn set_timestamp(state: &mut State, value: &Value) -> Result<(), SqlError> {
    let seconds = match value {
        // DEFAULT comes as the default's text.
        Value::Str(s) if s.bytes.as_slice() == b"0" && s.collation == CollationId::UTF8MB3_GENERAL_CI => 0.0,
        Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_) | Value::Float(_) => {
            to_double(value).value
        }
        _ => return Err(SqlError::wrong_type_for_var("timestamp")),
    };
    if !(0.0..=2_147_483_647.999_999).contains(&seconds) {
        let warning = SqlError::truncated_wrong_value("timestamp", super::text_of(value));
        state.warn(Level::Warning, warning.errno, warning.message);
    }
    let seconds = seconds.clamp(0.0, 2_147_483_647.999_999);
    state.vars.timestamp_us = (seconds > 0.0).then_some((seconds * 1e6) as u64);
    Ok(())
}

/// The seeds that RAND() goes on from, by chance until they are set.
fn seeds(state: &mut State) -> &mut (u64, u64) {
    state.random_seeds.get_or_insert_with(|| (rand::random::<u32>().into(), rand::random::<u32>().into()))
}
