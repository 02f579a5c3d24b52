//! Accounts and privileges as rows.

use super::super::{Rows, text};
use crate::admin::account::grant::{GRANT_OPTION, level};
use crate::admin::account::privilege::{self, Level};
use crate::admin::account::record::{self, Account};
use crate::exec::Cx;
use crate::syntax::lexer::VERSION_ID;
use types::Value;

/// The bit of WITH GRANT OPTION, among those of the privileges in their order.
const GRANT_BIT: usize = 10;

/// Global privileges as the bits of `access`.
fn access(account: &Account) -> u64 {
    let all = account.privileges.iter().any(|name| name == "ALL");
    let held = |name: &str| all || account.privileges.iter().any(|held| held == name);
    let bits = privilege::ALL.iter().enumerate().filter(|(_, privilege)| held(privilege.name));
    let bits = bits.map(|(at, _)| 1 << if at < GRANT_BIT { at } else { at + 1 });
    bits.fold(u64::from(account.grant_option) << GRANT_BIT, |bits, bit| bits | bit)
}

/// `global_priv`: a document an account.
pub(super) fn global(cx: &mut Cx<'_>) -> Rows {
    let row = |account: Account| {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut document = format!("{{\"access\":{},\"version_id\":{VERSION_ID}", access(&account));
        if account.role {
            document.push_str(",\"is_role\":true");
        } else {
            let (plugin, authentication) = (quoted(&account.plugin), quoted(&account.authentication));
            document.push_str(&format!(",\"plugin\":{plugin},\"authentication_string\":{authentication}"));
        }
        if account.locked {
            document.push_str(",\"account_locked\":true");
        }
        if !account.default_role.is_empty() {
            document.push_str(&format!(",\"default_role\":{}", quoted(&account.default_role)));
        }
        document.push('}');
        vec![text(account.host), text(account.user), text(document)]
    };
    Ok(record::all(&cx.state.engine).into_iter().map(row).collect())
}

/// `roles_mapping`: who holds which role.
pub(super) fn roles(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    for account in record::all(&cx.state.engine) {
        for held in &account.roles {
            let admin = if held.admin { "Y" } else { "N" };
            rows.push([account.host.as_str(), &account.user, &held.role, admin].map(text).to_vec());
        }
    }
    Ok(rows)
}

/// The privileges that `db` has columns of, in their order.
const OF_DATABASES: [&str; 20] = [
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    GRANT_OPTION,
    "REFERENCES",
    "INDEX",
    "ALTER",
    "CREATE TEMPORARY TABLES",
    "LOCK TABLES",
    "CREATE VIEW",
    "SHOW VIEW",
    "CREATE ROUTINE",
    "ALTER ROUTINE",
    "EXECUTE",
    "EVENT",
    "TRIGGER",
    "DELETE HISTORY",
];
/// The privileges of `tables_priv`, with the names that its column gives them.
const OF_TABLES: [(&str, &str); 14] = [
    ("SELECT", "Select"),
    ("INSERT", "Insert"),
    ("UPDATE", "Update"),
    ("DELETE", "Delete"),
    ("CREATE", "Create"),
    ("DROP", "Drop"),
    (GRANT_OPTION, "Grant"),
    ("REFERENCES", "References"),
    ("INDEX", "Index"),
    ("ALTER", "Alter"),
    ("CREATE VIEW", "Create View"),
    ("SHOW VIEW", "Show view"),
    ("TRIGGER", "Trigger"),
    ("DELETE HISTORY", "Delete versioning rows"),
];

/// The same of columns.
const OF_COLUMNS: [(&str, &str); 4] =
    [("SELECT", "Select"), ("INSERT", "Insert"), ("UPDATE", "Update"), ("REFERENCES", "References")];

fn holds(held: &[String], name: &str) -> bool {
    held.iter().any(|held| held == name || held == "ALL" && name != GRANT_OPTION)
}

/// Calls for each grant of a level: the account, the scope's name and the privileges.
fn each(cx: &Cx<'_>, wanted: Level, mut row: impl FnMut(&Account, &str, &[String])) {
    for account in record::all(&cx.state.engine) {
        for (scope, held) in account.scoped.iter().filter(|(scope, _)| level(Some(scope)) == wanted) {
            row(&account, scope, held);
        }
    }
}

/// `db`: privileges on databases.
pub(super) fn databases(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    each(cx, Level::Database, |account, database, held| {
        let mut row = vec![text(&account.host), text(database), text(&account.user)];
        row.extend(OF_DATABASES.map(|name| text(if holds(held, name) { "Y" } else { "N" })));
        rows.push(row);
    });
    Ok(rows)
}

/// Names as a value of a SET, each as that shows it.
fn members(shown: &[(&str, &str)], held: &[String]) -> Value {
    let names = shown.iter().filter(|(name, _)| holds(held, name)).map(|(_, shown)| *shown);
    text(names.collect::<Vec<_>>().join(","))
}

/// `tables_priv`: privileges on tables. Who granted them, and when, is not kept.
pub(super) fn tables(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    for account in record::all(&cx.state.engine) {
        for scope in account.scopes().into_iter().filter(|scope| level(Some(scope)) == Level::Table) {
            let (database, table) = scope.split_once('.').unwrap_or((scope, ""));
            let held = account.scoped.get(scope).map_or(&[][..], Vec::as_slice);
            let columns = account.columns.get(scope).into_iter().flatten();
            let on_columns: Vec<String> = columns.flat_map(|(_, names)| names.clone()).collect();
            let mut row =
                vec![text(&account.host), text(database), text(&account.user), text(table), text("")];
            row.push(Value::Timestamp(types::Timestamp::ZERO, 0));
            row.extend([members(&OF_TABLES, held), members(&OF_COLUMNS, &on_columns)]);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// `columns_priv`: privileges on columns.
pub(super) fn columns(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    for account in record::all(&cx.state.engine) {
        for (scope, columns) in &account.columns {
            let (database, table) = scope.split_once('.').unwrap_or((scope, ""));
            for (column, held) in columns {
                let mut row = [&account.host, database, &account.user, table, column].map(text).to_vec();
                row.push(Value::Timestamp(types::Timestamp::ZERO, 0));
                row.push(members(&OF_COLUMNS, held));
                rows.push(row);
            }
        }
    }
    Ok(rows)
}
