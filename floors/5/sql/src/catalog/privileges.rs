//! What accounts may do, and roles. Roles are shown with what they may do by the roles that they hold.

use super::{Rows, VirtualTable, def, of_schema, text, yes};
use crate::admin::account::columns::{ON_COLUMNS, in_order};
use crate::admin::account::grant::{GRANT_OPTION, level};
use crate::admin::account::privilege::Level;
use crate::admin::account::record::{self, Account};
use crate::admin::account::roles::{merged, role_with_roles};
use crate::exec::Cx;
use types::Value;

const USER_PRIVILEGES: &str = "GRANTEE:s385 TABLE_CATALOG:s512 PRIVILEGE_TYPE:s64 IS_GRANTABLE:s3";
const SCHEMA_PRIVILEGES: &str =
    "GRANTEE:s385 TABLE_CATALOG:s512 TABLE_SCHEMA:s64 PRIVILEGE_TYPE:s64 IS_GRANTABLE:s3";
const TABLE_PRIVILEGES: &str =
    "GRANTEE:s385 TABLE_CATALOG:s512 TABLE_SCHEMA:s64 TABLE_NAME:s64 PRIVILEGE_TYPE:s64 IS_GRANTABLE:s3";
const COLUMN_PRIVILEGES: &str = "GRANTEE:s385 TABLE_CATALOG:s512 TABLE_SCHEMA:s64 TABLE_NAME:s64 COLUMN_NAME:s64 PRIVILEGE_TYPE:s64 \
     IS_GRANTABLE:s3";

const APPLICABLE_ROLES: &str = "GRANTEE:s385 ROLE_NAME:s128 IS_GRANTABLE:s3 IS_DEFAULT:s3?";
const ENABLED_ROLES: &str = "ROLE_NAME:s128?";

pub(super) static TABLES: &[VirtualTable] = &[
    of_schema("APPLICABLE_ROLES", APPLICABLE_ROLES, applicable_roles),
    of_schema("ENABLED_ROLES", ENABLED_ROLES, enabled_roles),
    of_schema("USER_PRIVILEGES", USER_PRIVILEGES, user_privileges),
    of_schema("SCHEMA_PRIVILEGES", SCHEMA_PRIVILEGES, schema_privileges),
    of_schema("TABLE_PRIVILEGES", TABLE_PRIVILEGES, table_privileges),
    of_schema("COLUMN_PRIVILEGES", COLUMN_PRIVILEGES, column_privileges),
];

/// Names of the privileges held, one by one; `USAGE` for none.
fn one_by_one(level: Level, held: &[String]) -> Vec<String> {
    let all = held.iter().any(|name| name == "ALL");
    let names: Vec<String> =
        level.names().filter(|name| all || held.iter().any(|held| held == name)).map(str::to_owned).collect();
    if names.is_empty() { vec!["USAGE".to_owned()] } else { names }
}

/// The accounts with what is told of them.
fn accounts(cx: &Cx<'_>) -> Vec<Account> {
    let engine = &cx.state.engine;
    let mut accounts = record::all(engine);
    accounts.iter_mut().filter(|account| account.role).for_each(|role| *role = merged(engine, role));
    accounts
}

/// APPLICABLE_ROLES: what the session's account holds, and what these roles hold.
fn applicable_roles(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    let applicable = cx.state.applicable();
    let Some(own) = applicable.first() else { return Ok(rows) };
    let mut told = std::collections::BTreeSet::new();
    // A role's roles stand behind the first place where it is held.
    let mut waiting: Vec<(&Account, usize)> = vec![(own, 0)];
    while let Some((holder, next)) = waiting.pop() {
        let Some(held) = holder.roles.get(next) else { continue };
        waiting.push((holder, next + 1));
        let grantee = if holder.role { holder.user.clone() } else { holder.name() };
        let default = match holder.role {
            true => Value::Null,
            false => yes(held.role == own.default_role),
        };
        rows.push(vec![text(grantee), text(&held.role), yes(held.admin), default]);
        let role = applicable.iter().find(|known| known.role && known.user == held.role);
        waiting.extend(role.filter(|role| told.insert(&role.user)).map(|role| (role, 0)));
    }
    Ok(rows)
}

/// ENABLED_ROLES: the role that is set and all that it holds, NULL for none.
fn enabled_roles(cx: &mut Cx<'_>) -> Rows {
    let roles = role_with_roles(&cx.state.engine, cx.state.role.as_deref());
    Ok(match roles.is_empty() {
        true => vec![vec![Value::Null]],
        false => roles.into_iter().map(|role| vec![text(role.user)]).collect(),
    })
}

fn user_privileges(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    for account in accounts(cx).into_iter().filter(|account| !account.role) {
        let grantee = account.grantee();
        for name in one_by_one(Level::Global, &account.privileges) {
            rows.push(vec![text(&grantee), def(), text(name), yes(account.grant_option)]);
        }
    }
    Ok(rows)
}

fn scoped(cx: &Cx<'_>, wanted: Level) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for account in accounts(cx) {
        let grantee = account.grantee();
        for (scope, held) in &account.scoped {
            if level(Some(scope)) != wanted {
                continue;
            }
            let option = held.iter().any(|name| name == GRANT_OPTION);
            let none = held.iter().all(|name| name == GRANT_OPTION);
            if none && account.columns.contains_key(scope) {
                continue;
            }
            for name in one_by_one(wanted, held) {
                let mut row = vec![text(&grantee), def()];
                row.extend(scope.splitn(2, '.').map(text));
                row.extend([text(name), yes(option)]);
                rows.push(row);
            }
        }
    }
    rows
}

fn schema_privileges(cx: &mut Cx<'_>) -> Rows {
    Ok(scoped(cx, Level::Database))
}

fn table_privileges(cx: &mut Cx<'_>) -> Rows {
    Ok(scoped(cx, Level::Table))
}

fn column_privileges(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    for account in accounts(cx) {
        let grantee = account.grantee();
        for (scope, columns) in &account.columns {
            let on_table = account.scoped.get(scope);
            let option = on_table.is_some_and(|held| held.iter().any(|name| name == GRANT_OPTION));
            let columns = in_order(columns);
            for name in ON_COLUMNS {
                for (column, _) in columns.iter().filter(|(_, names)| names.iter().any(|held| held == name)) {
                    let mut row = vec![text(&grantee), def()];
                    row.extend(scope.splitn(2, '.').map(text));
                    row.extend([text(column), text(name), yes(option)]);
                    rows.push(row);
                }
            }
        }
    }
    Ok(rows)
}
