//! The server: variables, status, processes, character sets, engines, plugins.

use super::{Rows, VirtualTable, of_schema, optional, text, yes};
use crate::exec::Cx;
use crate::host::StatusValue;
use crate::session::State;
use crate::session::counters::COUNTERS;
use crate::session::variables::{self, Kind, Scope, Variable, shown_as};
use crate::syntax::keywords;
use types::{Charset, Collation, Decimal, Value};

const CHARACTER_SETS: &str = "CHARACTER_SET_NAME:s32 DEFAULT_COLLATE_NAME:s64 DESCRIPTION:s60 MAXLEN:b3";
const COLLATIONS: &str =
    "COLLATION_NAME:s64 CHARACTER_SET_NAME:s32? ID:b11? IS_DEFAULT:s3? IS_COMPILED:s3 SORTLEN:b3";
const COLLATION_CHARACTER_SET_APPLICABILITY: &str =
    "COLLATION_NAME:s64 CHARACTER_SET_NAME:s32 FULL_COLLATION_NAME:s64 ID:b11 IS_DEFAULT:s3";
const ENGINES: &str = "ENGINE:s64 SUPPORT:s8 COMMENT:s160 TRANSACTIONS:s3? XA:s3? SAVEPOINTS:s3?";
const PLUGINS: &str = "PLUGIN_NAME:s64 PLUGIN_VERSION:s20 PLUGIN_STATUS:s16 PLUGIN_TYPE:s80 PLUGIN_TYPE_VERSION:s20 \
     PLUGIN_LIBRARY:s64? PLUGIN_LIBRARY_VERSION:s20? PLUGIN_AUTHOR:s64? PLUGIN_DESCRIPTION:t? \
     PLUGIN_LICENSE:s80 LOAD_OPTION:s64 PLUGIN_MATURITY:s12 PLUGIN_AUTH_VERSION:s80?";
const ALL_PLUGINS: &str = "PLUGIN_NAME:s64 PLUGIN_VERSION:s20 PLUGIN_STATUS:s16 PLUGIN_TYPE:s80 PLUGIN_TYPE_VERSION:s20 \
     PLUGIN_LIBRARY:s64? PLUGIN_LIBRARY_VERSION:s20? PLUGIN_AUTHOR:s64? PLUGIN_DESCRIPTION:t? \
     PLUGIN_LICENSE:s80 LOAD_OPTION:s64 PLUGIN_MATURITY:s12 PLUGIN_AUTH_VERSION:s80?";
const PROCESSLIST: &str = "ID:b4 USER:s128 HOST:s64 DB:s64? COMMAND:s16 TIME:i7 STATE:s64? INFO:t? TIME_MS:D22,3 STAGE:y2 \
     MAX_STAGE:y2 PROGRESS:D7,3 MEMORY_USED:b7 MAX_MEMORY_USED:b7 EXAMINED_ROWS:i7 QUERY_ID:b4 \
     INFO_BINARY:o? TID:b4";
const NAME_AND_VALUE: &str = "VARIABLE_NAME:s64 VARIABLE_VALUE:s4096";
const SYSTEM_VARIABLES: &str = "VARIABLE_NAME:s64 SESSION_VALUE:s2048? GLOBAL_VALUE:s2048? GLOBAL_VALUE_ORIGIN:s64 \
     DEFAULT_VALUE:s2048? VARIABLE_SCOPE:s64 VARIABLE_TYPE:s64 VARIABLE_COMMENT:s2048 \
     NUMERIC_MIN_VALUE:s21? NUMERIC_MAX_VALUE:s21? NUMERIC_BLOCK_SIZE:s21? ENUM_VALUE_LIST:t? \
     READ_ONLY:s3 COMMAND_LINE_ARGUMENT:s64? GLOBAL_VALUE_PATH:s2048?";
const KEYWORDS: &str = "WORD:s64?";
const USER_VARIABLES: &str =
    "VARIABLE_NAME:s64 VARIABLE_VALUE:s2048? VARIABLE_TYPE:s64 CHARACTER_SET_NAME:s32?";

pub(super) static TABLES: &[VirtualTable] = &[
    of_schema("CHARACTER_SETS", CHARACTER_SETS, character_sets),
    of_schema("COLLATIONS", COLLATIONS, collations),
    of_schema("COLLATION_CHARACTER_SET_APPLICABILITY", COLLATION_CHARACTER_SET_APPLICABILITY, applicability),
    of_schema("ENGINES", ENGINES, engines),
    of_schema("PLUGINS", PLUGINS, plugins),
    of_schema("ALL_PLUGINS", ALL_PLUGINS, plugins),
    of_schema("PROCESSLIST", PROCESSLIST, processes),
    of_schema("GLOBAL_STATUS", NAME_AND_VALUE, global_status),
    of_schema("SESSION_STATUS", NAME_AND_VALUE, session_status),
    of_schema("GLOBAL_VARIABLES", NAME_AND_VALUE, global_variables),
    of_schema("SESSION_VARIABLES", NAME_AND_VALUE, session_variables),
    of_schema("SYSTEM_VARIABLES", SYSTEM_VARIABLES, system_variables),
    of_schema("KEYWORDS", KEYWORDS, words),
    of_schema("USER_VARIABLES", USER_VARIABLES, user_variables),
];

fn character_sets(_: &mut Cx<'_>) -> Rows {
    let row = |charset: &Charset| {
        vec![
            text(charset.name()),
            text(charset.default_collation().name()),
            text(charset.description()),
            Value::Int(charset.max_char_bytes() as i64),
        ]
    };
    Ok(Charset::ALL.iter().map(row).collect())
}

fn default_word(collation: &Collation) -> &'static str {
    if collation.is_default { "Yes" } else { "" }
}

/// All collations, those of a character set together.
fn by_charset() -> Vec<&'static Collation> {
    let mut all: Vec<&Collation> = Collation::all().iter().collect();
    all.sort_by_key(|collation| (collation.charset as usize, collation.id));
    all
}

/// Those of several character sets stand once, by their common name, behind utf8mb4's.
fn collations(_: &mut Cx<'_>) -> Rows {
    let row = |collation: &&Collation| {
        let own = |value: Value| if collation.has_common_name() { Value::Null } else { value };
        vec![
            text(collation.common_name()),
            own(text(collation.charset.name())),
            own(Value::Int(i64::from(collation.id.id()))),
            own(text(default_word(collation))),
            text("Yes"),
            Value::Int(i64::from(collation.sort_len)),
        ]
    };
    let shown = |c: &&&Collation| !c.has_common_name() || c.charset == Charset::Utf8mb4;
    Ok(by_charset().iter().filter(shown).map(row).collect())
}

fn applicability(_: &mut Cx<'_>) -> Rows {
    let row = |collation: &Collation| {
        vec![
            text(collation.common_name()),
            text(collation.charset.name()),
            text(collation.name),
            Value::Int(i64::from(collation.id.id())),
            text(default_word(collation)),
        ]
    };
    Ok(by_charset().into_iter().map(row).collect())
}

/// What the one engine says of itself, under the name that schemas give it.
const ENGINE_COMMENT: &str = "Penstock: row-level locking, multi-version reads, foreign keys, one log";

fn engines(_: &mut Cx<'_>) -> Rows {
    Ok(vec![vec![text("InnoDB"), text("DEFAULT"), text(ENGINE_COMMENT), yes(true), yes(false), yes(true)]])
}

fn plugins(_: &mut Cx<'_>) -> Rows {
    let row = |name: &str, kind: &str, what: &str| {
        let mut row = vec![text(name), text("1.0"), text("ACTIVE"), text(kind), text("101100.0")];
        row.extend([Value::Null, Value::Null, text("Penstock"), text(what)]);
        row.extend([text("MIT OR Apache-2.0"), text("FORCE"), text("Stable"), text("1.0")]);
        row
    };
    Ok(vec![
        row("binlog", "STORAGE ENGINE", "The log, which replicas read"),
        row("mysql_native_password", "AUTHENTICATION", "SHA-1 of the password, twice"),
        row("caching_sha2_password", "AUTHENTICATION", "Salted SHA-256 of the password"),
        row("InnoDB", "STORAGE ENGINE", ENGINE_COMMENT),
    ])
}

fn processes(cx: &mut Cx<'_>) -> Rows {
    let zero =
        |digits: u8| Value::Decimal(Decimal::parse(format!("0.{:0>1$}", 0, digits.into()).as_bytes()).value);
    let row = |process: crate::host::Process| {
        let millis = Decimal::parse(format!("{}.000", process.time_s.saturating_mul(1000)).as_bytes());
        vec![
            Value::Int(process.id as i64),
            text(process.user),
            text(process.host),
            optional(process.database),
            text(process.command),
            Value::Int(process.time_s as i64),
            text(process.state),
            optional(process.info.as_ref()),
            Value::Decimal(millis.value),
            Value::Int(0),
            Value::Int(0),
            zero(3),
            Value::Int(0),
            Value::Int(0),
            Value::Int(0),
            Value::Int(0),
            process.info.map_or(Value::Null, |info| Value::binary(info.as_bytes())),
            Value::Int(0),
        ]
    };
    let all = crate::admin::require(cx.state, &["PROCESS"]).is_ok();
    let seen = cx.state.host.processes().into_iter().filter(|process| all || process.user == cx.state.user);
    Ok(seen.map(row).collect())
}

/// The status counters: those that a session has of its own, for the session or for all; the others are the server's.
pub(crate) fn counters(state: &State, global: bool) -> Vec<(String, String)> {
    let mut all = Vec::new();
    state.host.status(&mut |name, value| {
        let value = match (value, name.strip_prefix("Com_")) {
            (StatusValue::Count(_), Some(command)) if !global => {
                state.counted.commands(state.host.command_number(command)).to_string()
            }
            (StatusValue::Count(n), _) => n.to_string(),
            (StatusValue::Text(text), _) => text,
        };
        all.push((name.to_owned(), value));
    });
    let counted = if global { state.host.tally().sums() } else { state.counted.own() };
    all.extend(COUNTERS.iter().zip(counted).map(|((name, _), n)| ((*name).to_owned(), n.to_string())));
    all.sort();
    all
}

fn named(list: Vec<(String, String)>) -> Rows {
    Ok(list.into_iter().map(|(name, value)| vec![text(name.to_uppercase()), text(value)]).collect())
}

fn global_status(cx: &mut Cx<'_>) -> Rows {
    named(counters(cx.state, true))
}

fn session_status(cx: &mut Cx<'_>) -> Rows {
    named(counters(cx.state, false))
}

/// The system variables and their values, as texts.
pub(crate) fn variables_of(state: &State, global: bool) -> Vec<(String, String)> {
    let listed = variables::all().iter().filter(|v| !global || v.scope != Scope::Session);
    let value = |v: &Variable| if global { v.global_value(state) } else { v.session_value(state) };
    listed.map(|v| (v.name.to_owned(), shown_as(v.kind, &value(v)))).collect()
}

fn global_variables(cx: &mut Cx<'_>) -> Rows {
    named(variables_of(cx.state, true))
}

fn session_variables(cx: &mut Cx<'_>) -> Rows {
    named(variables_of(cx.state, false))
}

fn system_variables(cx: &mut Cx<'_>) -> Rows {
    let state = &*cx.state;
    let row = |v: &&Variable| {
        let shown = |value: Value| text(shown_as(v.kind, &value));
        let (min, max) = match v.kind {
            Kind::Unsigned(min, max) | Kind::Blocks(min, max, _) => {
                (text(min.to_string()), text(max.to_string()))
            }
            Kind::Double(min, max) => (text(format!("{min:.6}")), text(format!("{max:.6}"))),
            _ => (Value::Null, Value::Null),
        };
        let (ty, words) = match v.kind {
            Kind::Switch => ("BOOLEAN", text("OFF,ON")),
            Kind::Unsigned(..) | Kind::Blocks(..) => ("BIGINT UNSIGNED", Value::Null),
            Kind::Double(..) => ("DOUBLE", Value::Null),
            Kind::Choice(words) => ("ENUM", text(words.join(","))),
            Kind::Flags(list) => {
                let names: Vec<&str> = list.iter().map(|(name, _)| *name).chain(["default"]).collect();
                ("FLAGSET", text(names.join(",")))
            }
            Kind::Text | Kind::Nullable | Kind::Free => ("VARCHAR", Value::Null),
        };
        let scope = match v.scope {
            Scope::Global => "GLOBAL",
            Scope::Both | Scope::BothSetGlobal => "SESSION",
            Scope::Session => "SESSION ONLY",
        };
        vec![
            text(v.name.to_uppercase()),
            if v.scope == Scope::Global { Value::Null } else { shown(v.session_value(state)) },
            if v.scope == Scope::Session { Value::Null } else { shown(v.global_value(state)) },
            text(if v.is_read_only() { "AUTO" } else { "COMPILE-TIME" }),
            shown(v.default_value()),
            text(scope),
            text(ty),
            text(v.doc),
            min,
            max,
            if matches!(v.kind, Kind::Unsigned(..)) { text("1") } else { Value::Null },
            words,
            yes(v.is_read_only()),
            Value::Null,
            Value::Null,
        ]
    };
    Ok(variables::all().iter().map(row).collect())
}

fn words(_: &mut Cx<'_>) -> Rows {
    Ok(keywords().map(|word| vec![text(word)]).collect())
}

fn user_variables(cx: &mut Cx<'_>) -> Rows {
    let row = |(name, value): (&String, &Value)| {
        let (ty, charset) = match value {
            Value::Int(_) | Value::UInt(_) => ("INT", None),
            Value::Decimal(_) => ("DECIMAL", None),
            Value::Double(_) | Value::Float(_) => ("DOUBLE", None),
            Value::Str(s) => ("VARCHAR", Some(s.collation.charset().name())),
            _ => ("VARCHAR", None),
        };
        let shown = if value.is_null() { Value::Null } else { text(variables::shown(value)) };
        vec![text(name), shown, text(ty), optional(charset)]
    };
    let mut rows: Vec<(&String, &Value)> = cx.state.user_vars.iter().collect();
    rows.sort_by_key(|(name, _)| *name);
    Ok(rows.into_iter().map(row).collect())
}
