//! GRANT and REVOKE.

use super::privilege::{self, Level};
use super::record::{Account, Changes};
use super::{columns, holder, named, prove, require, role_changes, roles};
use crate::admin::show::definition;
use crate::catalog::mysql;
use crate::error::SqlError;
use crate::session::{State, mode};
use crate::syntax::ast::{self, GrantOn, GrantWhat};

/// The word among a scope's privileges that lets them be passed on.
pub const GRANT_OPTION: &str = "GRANT OPTION";

/// GRANT.
pub fn grant(state: &mut State, statement: &ast::Grant) -> Result<(), SqlError> {
    if let GrantWhat::Role { role, admin_option } = &statement.what {
        return role_changes::grant(state, (role, *admin_option), &statement.accounts);
    }
    let (privileges, on) = privileges(&statement.what)?;
    let scope = scope(state, on, false)?;
    let wanted = wanted(privileges, scope.as_deref(), false)?;
    may_pass_on(state, scope.as_deref(), &wanted)?;
    check_columns(state, on, &wanted)?;
    let mut changes = Changes::default();
    for spec in &statement.accounts {
        // Nobody comes in as a role, so what proves itself is a user.
        let (user, host) = match &spec.auth {
            Some(_) => named(state, &spec.account)?,
            None => holder(state, &spec.account)?,
        };
        let existing = changes.find(state, &user, &host);
        // An account that is only named must exist, unless the mode lets it be made; one with a password is made.
        let mut account = match (existing, &spec.auth) {
            (Some(account), Some(_)) => {
                // MariaDB keeps accounts in tables of this database.
                if named(state, &ast::Account::CurrentUser)? != (user.clone(), host.clone()) {
                    state.check_database("UPDATE", "mysql")?;
                }
                account
            }
            (Some(account), None) => account,
            (None, None) if host.is_empty() && user == roles::PUBLIC => Account::new_role(roles::PUBLIC),
            (None, None) if host.is_empty() => return Err(SqlError::password_no_match()),
            (None, auth) if auth.is_some() || !state.vars.has_mode(mode::NO_AUTO_CREATE_USER) => {
                require(state, &["CREATE USER"]).map_err(|_| SqlError::cant_create_user_with_grant())?;
                Account::new(&user, &host)
            }
            (None, _) => return Err(SqlError::password_no_match()),
        };
        if let Some(auth) = &spec.auth {
            prove(&mut account, auth)?;
        }
        let held = held(&mut account, scope.as_deref());
        held.extend(wanted.names.iter().filter(|name| name.as_str() != "USAGE").cloned());
        if statement.with_grant || wanted.names.iter().any(|name| name == GRANT_OPTION) {
            held.push(GRANT_OPTION.to_owned());
        }
        tidy(&mut account, scope.as_deref());
        if let Some(scope) = &scope {
            columns::add(&mut account, scope, &wanted.columns);
        }
        changes.put(&account);
    }
    changes.make(state)
}

/// REVOKE.
pub fn revoke(state: &mut State, statement: &ast::Grant) -> Result<(), SqlError> {
    if let GrantWhat::Role { role, admin_option } = &statement.what {
        return role_changes::revoke(state, (role, *admin_option), &statement.accounts);
    }
    if statement.what == GrantWhat::AllAndGrantOption {
        return revoke_everything(state, &statement.accounts);
    }
    let mut changes = Changes::default();
    for spec in &statement.accounts {
        let (user, host) = holder(state, &spec.account)?;
        let nothing = || match &spec.account {
            ast::Account::CurrentRole => roles::invalid(&user),
            _ => SqlError::nonexisting_grant(&user, &host),
        };
        let mut account = changes.find(state, &user, &host).ok_or_else(nothing)?;
        let (privileges, on) = privileges(&statement.what)?;
        let scope = scope(state, on, true)?;
        let nothing = || match scope.as_ref().and_then(|scope| scope.split_once('.')) {
            Some((_, table)) => SqlError::nonexisting_table_grant(&user, &host, table),
            None => nothing(),
        };
        let known = |scope| account.scoped.contains_key(scope) || account.columns.contains_key(scope);
        if scope.as_ref().is_some_and(|scope| !known(scope)) {
            return Err(nothing());
        }
        let gone = wanted(privileges, scope.as_deref(), true)?;
        may_pass_on(state, scope.as_deref(), &gone)?;
        if let Some(scope) = &scope
            && !columns::take(&mut account, scope, &gone.columns, &gone.names)
        {
            return Err(nothing());
        }
        let gone = gone.names;
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

/// REVOKE ALL PRIVILEGES, GRANT OPTION: roles, too. Those that can be found lose them, whatever the others are.
fn revoke_everything(state: &mut State, accounts: &[ast::AccountSpec]) -> Result<(), SqlError> {
    require(state, &["CREATE USER"])?;
    let mut changes = Changes::default();
    let (mut failed, mut first) = (false, None);
    for spec in accounts {
        let who = holder(state, &spec.account);
        let Some(mut account) = role_changes::found(state, &changes, &mut first, who) else {
            failed = true;
            continue;
        };
        account.privileges.clear();
        account.scoped.clear();
        account.columns.clear();
        account.roles.clear();
        account.grant_option = false;
        changes.put(&account);
    }
    changes.make(state)?;
    let ended = if failed { Err(SqlError::revoke_grants()) } else { Ok(()) };
    role_changes::done(state, first, ended)
}

/// Error 1044, 1045, 1142 or 1143 unless the session's account holds these privileges there with the grant option.
fn may_pass_on(state: &mut State, scope: Option<&str>, wanted: &Wanted) -> Result<(), SqlError> {
    if state.account.is_empty() {
        return Ok(());
    }
    if let Some((database, table)) = scope.and_then(|scope| scope.split_once('.')) {
        return may_pass_on_table(state, database, table, wanted);
    }
    let (user, host) = named(state, &ast::Account::CurrentUser)?;
    let Some(account) = state.held()?.record() else { return Ok(()) };
    let held: Vec<&String> =
        scope.and_then(|scope| account.scoped.get(scope)).into_iter().flatten().collect();
    let option = account.grant_option || held.iter().any(|name| *name == GRANT_OPTION);
    let all = account.privileges.iter().chain(held).map(String::as_str);
    let has_all = all.clone().any(|name| name == "ALL");
    let has = |name: &String| name == "USAGE" || name == GRANT_OPTION || all.clone().any(|held| held == name);
    match option && (has_all || wanted.names.iter().all(has)) {
        true => Ok(()),
        false => Err(match scope {
            Some(database) => SqlError::db_access_denied(&user, &host, database),
            None => SqlError::access_denied(&user, &host, "NO"),
        }),
    }
}

/// The same for a table: that it holds something of all that is wanted, then that on the table, then that on columns.
fn may_pass_on_table(
    state: &mut State,
    database: &str,
    table: &str,
    wanted: &Wanted,
) -> Result<(), SqlError> {
    let all = wanted.names.iter().any(|name| name == "ALL");
    let names = |columns: bool| {
        let on_column =
            move |name: &str| wanted.columns.iter().any(|(_, names)| names.iter().any(|n| n == name));
        let is_wanted =
            move |name: &&str| all || wanted.names.iter().any(|w| w == name) || columns && on_column(name);
        Level::Table.names().filter(is_wanted)
    };
    let (user, host) = state.told_name();
    let held = state.held()?;
    let option = held.may_grant(database, table);
    let mut lacking: Vec<&str> = names(true).filter(|name| !held.may_some(name, database, table)).collect();
    if !option {
        let before = lacking.iter().take_while(|name| privilege::is_before_grant(name)).count();
        lacking.insert(before, "GRANT");
    }
    if lacking.is_empty() {
        lacking.extend(names(false).filter(|name| !held.may(name, database, Some(table))));
    }
    let guarded = wanted.columns.iter().find_map(|(column, names)| {
        let own = held.on_column(database, table, column);
        names.iter().find(|name| !own.contains(&name.as_str())).map(|name| (column, name))
    });
    match guarded {
        _ if !lacking.is_empty() => {
            Err(SqlError::table_access_denied(lacking.join(", "), user, host, database, table))
        }
        Some((column, name)) if !wanted.revokes => {
            Err(SqlError::column_access_denied(name, user, host, column, table))
        }
        _ => Ok(()),
    }
}

/// Error 1054 for a column that the table does not have.
fn check_columns(state: &mut State, on: &GrantOn, wanted: &Wanted) -> Result<(), SqlError> {
    let GrantOn::Table(table) = on else { return Ok(()) };
    if wanted.columns.is_empty() {
        return Ok(());
    }
    let definition = state.without_privileges(|state| definition(state, table, "SELECT"))?.1;
    match wanted.columns.iter().find(|(column, _)| definition.column_index(column).is_none()) {
        Some((column, _)) => Err(SqlError::bad_field(column, &table.name)),
        None => Ok(()),
    }
}

/// What is to be granted or taken back.
struct Wanted {
    /// Privileges on everything that the scope has.
    names: Vec<String>,
    /// Privileges on columns.
    columns: Vec<(String, Vec<String>)>,
    /// Taken back.
    revokes: bool,
}

type Privileges = [(ast::Name, Vec<ast::Name>)];

fn privileges(what: &GrantWhat) -> Result<(&Privileges, &GrantOn), SqlError> {
    match what {
        GrantWhat::Privileges { privileges, on } => Ok((privileges, on)),
        GrantWhat::Role { .. } => Err(SqlError::internal_error("grant a role as a privilege")),
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
fn wanted(privileges: &Privileges, scope: Option<&str>, revokes: bool) -> Result<Wanted, SqlError> {
    let level = level(scope);
    let mut names = Vec::new();
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    for (name, on_columns) in privileges {
        for column in on_columns {
            if level != Level::Table {
                return Err(SqlError::illegal_grant_for_table());
            }
            match columns.iter_mut().find(|(known, _)| known == column) {
                Some((_, names)) => names.push(name.clone()),
                None => columns.push((column.clone(), vec![name.clone()])),
            }
        }
        if !on_columns.is_empty() {
            continue;
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
    Ok(Wanted { names, columns, revokes })
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
