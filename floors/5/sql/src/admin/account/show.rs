//! SHOW GRANTS and SHOW CREATE USER.

use super::grant::{GRANT_OPTION, level};
use super::privilege::Level;
use super::record::{self, Account};
use super::roles::{self, PUBLIC};
use super::{NATIVE, columns, holder, named, quoted};
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast;

/// The account's name as these statements' column heads and texts have it: head, quoted.
fn names(account: &Account) -> (String, String) {
    let Account { user, host, .. } = account;
    match account.role {
        true if user == PUBLIC => (user.clone(), user.clone()),
        true => (user.clone(), quoted(user)),
        false => (format!("{user}@{host}"), format!("{}@{}", quoted(user), quoted(host))),
    }
}

/// Error 1044 for one who may not look at the accounts of others.
fn check_looks(state: &mut State) -> Result<(), SqlError> {
    // MariaDB keeps accounts in tables of this database.
    state.check_database("SELECT", "mysql")
}

/// How the account proves itself, as GRANT and CREATE USER say it, with a space before.
fn identified(account: &Account) -> String {
    match (account.plugin == NATIVE || account.role, account.authentication.is_empty()) {
        (true, true) => String::new(),
        (true, false) => format!(" IDENTIFIED BY PASSWORD '{}'", account.authentication),
        (false, true) => format!(" IDENTIFIED VIA {}", account.plugin),
        (false, false) => {
            format!(
                " IDENTIFIED VIA {} USING '{}'",
                account.plugin,
                account.authentication.replace('\'', "''")
            )
        }
    }
}

/// SHOW GRANTS: the column's name and the rows.
///
/// An account is shown with what it holds itself. Where nobody is named, the role that is set and PUBLIC follow, with
/// all roles that they hold; so are roles shown that are named.
pub(crate) fn grants(
    state: &mut State,
    account: Option<&ast::Account>,
) -> Result<(String, Vec<String>), SqlError> {
    let own = named(state, &ast::Account::CurrentUser)?;
    let nothing = |(user, host): (String, String)| SqlError::nonexisting_grant(user, host);
    let who = match account {
        None => own.clone(),
        Some(ast::Account::CurrentRole) if state.role.is_none() => return Err(nothing(own)),
        Some(account) => holder(state, account)?,
    };
    let current = state.role.clone();
    let is_own = who == own || who.1.is_empty() && [current.as_deref(), Some(PUBLIC)].contains(&Some(&who.0));
    if !is_own {
        check_looks(state)?;
    }
    let found = record::find(state, &who.0, &who.1);
    let shown = match (found, who.1.is_empty()) {
        (Some(account), false) => account,
        (found, true) if found.is_some() || who.0 == PUBLIC => {
            let all = roles::role_with_roles(&state.engine, Some(&who.0));
            return Ok((format!("Grants for {}", who.0), all.iter().flat_map(lines).collect()));
        }
        // The role that was set is gone.
        (_, true) => return Err(nothing(own)),
        _ => return Err(nothing(who)),
    };
    let mut rows = lines(&shown);
    if account.is_none() {
        for role in [current.as_deref(), Some(PUBLIC)] {
            rows.extend(roles::role_with_roles(&state.engine, role).iter().flat_map(lines));
        }
    }
    let (head, name) = names(&shown);
    if !shown.default_role.is_empty() {
        rows.push(format!("SET DEFAULT ROLE {} FOR {name}", quoted(&shown.default_role)));
    }
    Ok((format!("Grants for {head}"), rows))
}

/// What an account holds: roles, then privileges everywhere, on databases, and on tables with their columns.
fn lines(account: &Account) -> Vec<String> {
    let (_, name) = names(account);
    let list = |held: &[String]| {
        let held: Vec<&str> = held.iter().map(String::as_str).filter(|name| *name != GRANT_OPTION).collect();
        match held.as_slice() {
            [] => "USAGE".to_owned(),
            ["ALL"] => "ALL PRIVILEGES".to_owned(),
            held => held.join(", "),
        }
    };
    let option = |has: bool| if has { " WITH GRANT OPTION" } else { "" };
    let admin = |has: bool| if has { " WITH ADMIN OPTION" } else { "" };
    let roles = account.roles.iter();
    let mut rows: Vec<String> =
        roles.map(|held| format!("GRANT {} TO {name}{}", quoted(&held.role), admin(held.admin))).collect();
    let global = level(None).normal(&account.privileges);
    if !global.is_empty() || account.grant_option || name != PUBLIC {
        rows.push(format!(
            "GRANT {} ON *.* TO {name}{}{}",
            list(&global),
            identified(account),
            option(account.grant_option)
        ));
    }
    let empty = Vec::new();
    let mut scopes: Vec<&String> = account.scopes().into_iter().collect();
    scopes.sort_by_key(|scope| level(Some(scope)) == Level::Table);
    for scope in scopes {
        let on = match scope.split_once('.') {
            Some((database, table)) => format!("`{database}`.`{table}`"),
            None => format!("`{scope}`.*"),
        };
        let held = account.scoped.get(scope).unwrap_or(&empty);
        let has_option = held.iter().any(|name| name == GRANT_OPTION);
        let list = match account.columns.get(scope) {
            Some(columns) if !held.iter().any(|name| name == "ALL") => with_columns(held, columns),
            _ => list(held),
        };
        rows.push(format!("GRANT {list} ON {on} TO {name}{}", option(has_option)));
    }
    rows
}

/// The privileges on a table and on its columns.
fn with_columns(held: &[String], columns: &[(String, Vec<String>)]) -> String {
    let columns = columns::in_order(columns);
    let mut list = Vec::new();
    for name in Level::Table.names() {
        if held.iter().any(|held| held == name) {
            list.push(name.to_owned());
        }
        let of_name = columns.iter().filter(|(_, names)| names.iter().any(|held| held == name));
        let quoted: Vec<String> = of_name.map(|(column, _)| format!("`{column}`")).collect();
        if !quoted.is_empty() {
            list.push(format!("{name} ({})", quoted.join(", ")));
        }
    }
    list.join(", ")
}

/// SHOW CREATE USER: the column's name and the statement.
pub(crate) fn create_user(
    state: &mut State,
    account: Option<&ast::Account>,
) -> Result<(String, String), SqlError> {
    let own = named(state, &ast::Account::CurrentUser)?;
    let (user, host) = named(state, account.unwrap_or(&ast::Account::CurrentUser))?;
    if own != (user.clone(), host.clone()) {
        check_looks(state)?;
    }
    let account = record::find(state, &user, &host).ok_or_else(SqlError::password_no_match)?;
    let (head, quoted) = names(&account);
    let lock = if account.locked { " ACCOUNT LOCK" } else { "" };
    Ok((format!("CREATE USER for {head}"), format!("CREATE USER {quoted}{}{lock}", identified(&account))))
}
