//! GRANT and REVOKE.

use super::privilege::{self, Level};
use super::record::{self, Account, Changes};
use super::{named, prove, require};
use crate::catalog::mysql;
use crate::error::SqlError;
use crate::session::{State, mode};
use crate::syntax::ast::{self, GrantOn, GrantWhat};

/// The word among a scope's privileges that lets them be passed on.
pub const GRANT_OPTION: &str = "GRANT OPTION";

/// GRANT.
pub fn grant(state: &mut State, statement: &ast::Grant) -> Result<(), SqlError> {
    let (privileges, on) = privileges(&statement.what)?;
    let scope = scope(state, on, false)?;
    let wanted = names(privileges, scope.as_deref())?;
    may_pass_on(state, scope.as_deref(), &wanted)?;
    let mut changes = Changes::default();
    for spec in &statement.accounts {
        let (user, host) = named(state, &spec.account)?;
        let existing = record::find(state, &user, &host);
        // An account that is only named must exist, unless the mode lets it be made; one with a password is made.
        let mut account = match (existing, &spec.auth) {
            (Some(account), _) => account,
            (None, Some(_)) => Account::new(&user, &host),
            (None, None) if !state.vars.has_mode(mode::NO_AUTO_CREATE_USER) => {
                let refused =
                    |_| SqlError::new(1410, b"42000", "You are not allowed to create a user with GRANT");
                require(state, &["CREATE USER"]).map_err(refused)?;
                Account::new(&user, &host)
            }
            (None, None) => return Err(SqlError::password_no_match()),
        };
        if let Some(auth) = &spec.auth {
            prove(&mut account, auth)?;
        }
        let held = held(&mut account, scope.as_deref());
        held.extend(wanted.iter().filter(|name| name.as_str() != "USAGE").cloned());
        if statement.with_grant || wanted.iter().any(|name| name == GRANT_OPTION) {
            held.push(GRANT_OPTION.to_owned());
        }
        tidy(&mut account, scope.as_deref());
        changes.put(&account);
    }
    changes.make(state)
}

/// REVOKE.
pub fn revoke(state: &mut State, statement: &ast::Grant) -> Result<(), SqlError> {
    let mut changes = Changes::default();
    for spec in &statement.accounts {
        let (user, host) = named(state, &spec.account)?;
        let nothing = || SqlError::nonexisting_grant(&user, &host);
        let mut account = record::find(state, &user, &host).ok_or_else(nothing)?;
        if statement.what == GrantWhat::AllAndGrantOption {
            require(state, &["CREATE USER"])?;
            account.privileges.clear();
            account.scoped.clear();
            account.grant_option = false;
            changes.put(&account);
            continue;
        }
        let (privileges, on) = privileges(&statement.what)?;
        let scope = scope(state, on, true)?;
        if scope.as_ref().is_some_and(|scope| !account.scoped.contains_key(scope)) {
            return Err(nothing());
        }
        let gone = names(privileges, scope.as_deref())?;
        may_pass_on(state, scope.as_deref(), &gone)?;
        let level = level(scope.as_deref());
        let held = held(&mut account, scope.as_deref());
        let option = held.iter().any(|name| name == GRANT_OPTION) && !gone.iter().any(|n| n == GRANT_OPTION);
        let mut left: Vec<String> = match held.iter().any(|name| name == "ALL") {
            true => level.names().map(str::to_owned).collect(),
            false => held.clone(),
        };
        left.retain(|name| name != GRANT_OPTION && !gone.iter().any(|g| g == name || g == "ALL"));
        if option {
            left.push(GRANT_OPTION.to_owned());
        }
        *held = left;
        tidy(&mut account, scope.as_deref());
        changes.put(&account);
    }
    changes.make(state)
}

/// Error 1044, 1045 or 1142 unless the session's account holds these privileges there with the grant option.
fn may_pass_on(state: &State, scope: Option<&str>, wanted: &[String]) -> Result<(), SqlError> {
    if state.account.is_empty() {
        return Ok(());
    }
    let (user, host) = named(state, &ast::Account::CurrentUser)?;
    let Some(account) = record::find(state, &user, &host) else {
        return Err(SqlError::access_denied(&user, &host, "NO"));
    };
    let database = scope.map(|scope| scope.split('.').next().unwrap_or(scope));
    let scopes = [scope, database].into_iter().flatten();
    let held: Vec<&String> = scopes.filter_map(|scope| account.scoped.get(scope)).flatten().collect();
    let option = account.grant_option || held.iter().any(|name| *name == GRANT_OPTION);
    let all = account.privileges.iter().chain(held).map(String::as_str);
    let has_all = all.clone().any(|name| name == "ALL");
    let has = |name: &String| name == "USAGE" || name == GRANT_OPTION || all.clone().any(|held| held == name);
    match option && (has_all || wanted.iter().all(has)) {
        true => Ok(()),
        false => Err(match (database, scope.and_then(|scope| scope.split_once('.'))) {
            (_, Some((database, table))) => {
                let command = format!("{}, GRANT", wanted.join(", "));
                SqlError::table_access_denied(command, &user, &host, database, table)
            }
            (Some(database), None) => SqlError::db_access_denied(&user, &host, database),
            (None, None) => SqlError::access_denied(&user, &host, "NO"),
        }),
    }
}

type Privileges = [(ast::Name, Vec<ast::Name>)];

fn privileges(what: &GrantWhat) -> Result<(&Privileges, &GrantOn), SqlError> {
    match what {
        GrantWhat::Privileges { privileges, on } => Ok((privileges, on)),
        GrantWhat::Roles(_) => Err(SqlError::not_supported_yet("roles")),
        GrantWhat::Proxy(_) => Err(SqlError::not_supported_yet("GRANT PROXY")),
        GrantWhat::AllAndGrantOption => Err(SqlError::wrong_usage("GRANT", "ALL PRIVILEGES, GRANT OPTION")),
    }
}

/// `db` or `db.table`; none for everything.
fn scope(state: &State, on: &GrantOn, revoke: bool) -> Result<Option<String>, SqlError> {
    match on {
        GrantOn::Global => Ok(None),
        GrantOn::Database(name) => {
            let name = name.clone().or_else(|| state.database.clone()).ok_or_else(SqlError::no_db)?;
            Ok(Some(name))
        }
        GrantOn::Table(table) => {
            let database = table.database.clone().or_else(|| state.database.clone());
            let database = database.ok_or_else(SqlError::no_db)?;
            let catalog = state.engine.catalog();
            let exists = mysql::has(&database, &table.name)
                || catalog.table(&database, &table.name).is_some()
                || catalog.view(&database, &table.name).is_some();
            if !revoke && !exists {
                return Err(SqlError::no_such_table(database, &table.name));
            }
            Ok(Some(format!("{database}.{}", table.name)))
        }
        GrantOn::Stored { .. } => Err(SqlError::not_supported_yet("privileges on stored programs")),
    }
}

/// The level of a scope.
pub fn level(scope: Option<&str>) -> Level {
    match scope {
        None => Level::Global,
        Some(scope) if scope.contains('.') => Level::Table,
        Some(_) => Level::Database,
    }
}

/// Checks the names of privileges for a scope; errors 1144, 1221.
fn names(privileges: &Privileges, scope: Option<&str>) -> Result<Vec<String>, SqlError> {
    let level = level(scope);
    let mut names = Vec::new();
    for (name, columns) in privileges {
        if !columns.is_empty() {
            return Err(SqlError::not_supported_yet("privileges on columns"));
        }
        if matches!(name.as_str(), "ALL" | "ALL PRIVILEGES") {
            names.push("ALL".to_owned());
        } else if name == "USAGE" || name == GRANT_OPTION {
            names.push(name.clone());
        } else {
            let found = privilege::find(name).ok_or_else(SqlError::illegal_grant_for_table)?;
            match level {
                Level::Database if !found.database => {
                    return Err(SqlError::wrong_usage("DB GRANT", "GLOBAL PRIVILEGES"));
                }
                Level::Table if !found.table => return Err(SqlError::illegal_grant_for_table()),
                _ => names.push(found.name.to_owned()),
            }
        }
    }
    Ok(names)
}

/// The privileges of a scope, the grant option of everything among them.
fn held<'a>(account: &'a mut Account, scope: Option<&str>) -> &'a mut Vec<String> {
    match scope {
        None => {
            if std::mem::take(&mut account.grant_option) {
                account.privileges.push(GRANT_OPTION.to_owned());
            }
            &mut account.privileges
        }
        Some(scope) => account.scoped.entry(scope.to_owned()).or_default(),
    }
}

/// Brings the privileges of a scope into their normal form.
fn tidy(account: &mut Account, scope: Option<&str>) {
    let held = held(account, scope);
    let option = held.iter().any(|name| name == GRANT_OPTION);
    let mut normal = level(scope).normal(held);
    match scope {
        None => {
            account.privileges = normal;
            account.grant_option = option;
        }
        Some(scope) => {
            if option {
                normal.push(GRANT_OPTION.to_owned());
            }
            match normal.is_empty() {
                true => account.scoped.remove(scope),
                false => account.scoped.insert(scope.to_owned(), normal),
            };
        }
    }
}
