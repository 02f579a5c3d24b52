//! The database `mysql`: what administrators' programs look for in it. Nothing of it is stored: rows are made of what
//! the server has when they are asked for, and CREATE USER, GRANT and their kin are what changes them.
//!
//! | module | what |
//! | --- | --- |
//! | `tables` | columns and keys, as MariaDB 10.11 declares them |
//! | `accounts` | rows of the tables of accounts and privileges |
//!
//! Names of the database and its tables are exact, as those of stored ones are, and so is what an account may read.
//! Tables of what this server does not have (routines, plugins to load, logs as tables) have no rows.

mod accounts;
mod tables;

use super::{Rows, VirtualTable, text};
use crate::error::SqlError;
use crate::exec::Cx;
use std::sync::OnceLock;
use types::{CollationId, Value, ViewDef};

/// Name of the database.
pub const MYSQL: &str = "mysql";
/// The account that its view is of, as in MariaDB. There need not be one: the view reads whatever its reader may do.
pub(crate) const DEFINER: (&str, &str) = ("mariadb.sys", "localhost");

const fn table(name: &'static str, columns: &'static str, rows: fn(&mut Cx<'_>) -> Rows) -> VirtualTable {
    VirtualTable { database: MYSQL, name, columns, rows }
}

const fn empty(name: &'static str, columns: &'static str) -> VirtualTable {
    table(name, columns, |_| Ok(Vec::new()))
}

/// Its tables.
pub(super) static TABLES: &[VirtualTable] = &[
    empty("column_stats", tables::COLUMN_STATS),
    table("columns_priv", tables::COLUMNS_PRIV, accounts::columns),
    table("db", tables::DB, accounts::databases),
    empty("event", tables::EVENT),
    empty("func", tables::FUNC),
    empty("general_log", tables::GENERAL_LOG),
    table("global_priv", tables::GLOBAL_PRIV, accounts::global),
    empty("gtid_slave_pos", tables::GTID_SLAVE_POS),
    empty("help_category", tables::HELP_CATEGORY),
    empty("help_keyword", tables::HELP_KEYWORD),
    empty("help_relation", tables::HELP_RELATION),
    empty("help_topic", tables::HELP_TOPIC),
    empty("index_stats", tables::INDEX_STATS),
    empty("innodb_index_stats", tables::INNODB_INDEX_STATS),
    empty("innodb_table_stats", tables::INNODB_TABLE_STATS),
    empty("plugin", tables::PLUGIN),
    empty("proc", tables::PROC),
    empty("procs_priv", tables::PROCS_PRIV),
    empty("proxies_priv", tables::PROXIES_PRIV),
    table("roles_mapping", tables::ROLES_MAPPING, accounts::roles),
    empty("servers", tables::SERVERS),
    empty("slow_log", tables::SLOW_LOG),
    empty("table_stats", tables::TABLE_STATS),
    table("tables_priv", tables::TABLES_PRIV, accounts::tables),
    table("time_zone", tables::TIME_ZONE, time_zones),
    empty("time_zone_leap_second", tables::TIME_ZONE_LEAP_SECOND),
    table("time_zone_name", tables::TIME_ZONE_NAME, time_zone_names),
    empty("time_zone_transition", tables::TIME_ZONE_TRANSITION),
    empty("time_zone_transition_type", tables::TIME_ZONE_TRANSITION_TYPE),
    empty("transaction_registry", tables::TRANSACTION_REGISTRY),
];

/// A view of the database.
pub(crate) fn view(database: &str, name: &str) -> Option<&'static ViewDef> {
    (database == MYSQL && name == "user").then(user)
}

/// Whether a table or view of a database is one of these.
pub(crate) fn has(database: &str, name: &str) -> bool {
    database == MYSQL && (TABLES.iter().any(|table| table.name == name) || view(database, name).is_some())
}

/// Its views.
pub(crate) fn views() -> impl Iterator<Item = &'static ViewDef> {
    std::iter::once_with(user)
}

/// Error 1235 for a change of what the server keeps itself.
pub(crate) fn refuse_change() -> SqlError {
    let words =
        "changes of the database mysql other than by CREATE USER, ALTER USER, DROP USER, GRANT and REVOKE";
    SqlError::not_supported_yet(words)
}

/// Global privileges as columns, in the order of their bits.
const COLUMNS_OF_BITS: [&str; 30] = [
    "Select",
    "Insert",
    "Update",
    "Delete",
    "Create",
    "Drop",
    "Reload",
    "Shutdown",
    "Process",
    "File",
    "Grant",
    "References",
    "Index",
    "Alter",
    "Show_db",
    "Super",
    "Create_tmp_table",
    "Lock_tables",
    "Execute",
    "Repl_slave",
    "Repl_client",
    "Create_view",
    "Show_view",
    "Create_routine",
    "Alter_routine",
    "Create_user",
    "Event",
    "Trigger",
    "Create_tablespace",
    "Delete_history",
];

/// `user`: the view over `global_priv` that tells each privilege in a column of its own.
fn user() -> &'static ViewDef {
    static USER: OnceLock<ViewDef> = OnceLock::new();
    USER.get_or_init(|| ViewDef {
        db: MYSQL.to_owned(),
        name: "user".to_owned(),
        query: user_query(),
        algorithm: types::ViewAlgorithm::Undefined,
        check: types::ViewCheck::None,
        definer: (DEFINER.0.to_owned(), DEFINER.1.to_owned()),
        invoker: false,
        updatable: false,
        client_charset: "latin1".to_owned(),
        connection: CollationId::LATIN1_SWEDISH_CI,
    })
}

fn user_query() -> String {
    let of = |member: &str| format!("json_value(`mysql`.`global_priv`.`Priv`,'$.{member}')");
    let or = |member: &str, other: &str| format!("ifnull({},{other})", of(member));
    let mut columns: Vec<(String, String)> = Vec::new();
    let mut add = |expression: String, name: &str| columns.push((expression, name.to_owned()));
    add("`mysql`.`global_priv`.`Host`".to_owned(), "Host");
    add("`mysql`.`global_priv`.`User`".to_owned(), "User");
    let (plugin, password) = (of("plugin"), or("authentication_string", "''"));
    add(format!("if({plugin} in ('mysql_native_password','mysql_old_password'),{password},'')"), "Password");
    for (bit, name) in COLUMNS_OF_BITS.iter().enumerate() {
        add(format!("if({} & {},'Y','N')", of("access"), 1u64 << bit), &format!("{name}_priv"));
    }
    add(format!("elt({} + 1,'','ANY','X509','SPECIFIED')", or("ssl_type", "0")), "ssl_type");
    for member in ["ssl_cipher", "x509_issuer", "x509_subject"] {
        add(or(member, "''"), member);
    }
    for member in ["max_questions", "max_updates", "max_connections"] {
        add(format!("cast({} as unsigned)", or(member, "0")), member);
    }
    add(format!("cast({} as signed)", or("max_user_connections", "0")), "max_user_connections");
    add(or("plugin", "''"), "plugin");
    add(or("authentication_string", "''"), "authentication_string");
    add(format!("if({} = 0,'Y','N')", or("password_last_changed", "1")), "password_expired");
    add(format!("elt({} + 1,'N','Y')", or("is_role", "0")), "is_role");
    add(or("default_role", "''"), "default_role");
    add(format!("cast({} as decimal(12,6))", or("max_statement_time", "0.0")), "max_statement_time");
    let list: Vec<String> =
        columns.iter().map(|(expression, name)| format!("{expression} AS `{name}`")).collect();
    format!("select {} from `mysql`.`global_priv`", list.join(","))
}

/// Named zones with the numbers that stand for them.
fn numbered_zones() -> impl Iterator<Item = (Value, &'static str)> {
    types::TimeZone::names().enumerate().map(|(i, name)| (Value::UInt(i as u64 + 1), name))
}

fn time_zones(_: &mut Cx<'_>) -> Rows {
    Ok(numbered_zones().map(|(number, _)| vec![number, text("N")]).collect())
}

fn time_zone_names(_: &mut Cx<'_>) -> Rows {
    Ok(numbered_zones().map(|(number, name)| vec![text(name), number]).collect())
}
