//! SHOW GRANTS and SHOW CREATE USER.

use super::grant::{GRANT_OPTION, level};
use super::privilege::Level;
use super::record::{self, Account};
use super::{NATIVE, columns, named};
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast;

/// The account's name as these statements' column heads and texts have it: head, quoted.
fn names(account: &Account) -> (String, String) {
    let quote = |text: &str| format!("`{}`", text.replace('`', "``"));
    (
        format!("{}@{}", account.user, account.host),
        format!("{}@{}", quote(&account.user), quote(&account.host)),
    )
}

fn found(state: &mut State, account: Option<&ast::Account>) -> Result<Account, SqlError> {
    let current = named(state, &ast::Account::CurrentUser)?;
    let (user, host) = named(state, account.unwrap_or(&ast::Account::CurrentUser))?;
    if (&user, &host) != (&current.0, &current.1) {
        // MariaDB keeps accounts in tables of this database.
        state.check_database("SELECT", "mysql")?;
    }
    record::find(state, &user, &host).ok_or_else(|| SqlError::nonexisting_grant(user, host))
}

/// How the account proves itself, as GRANT and CREATE USER say it, with a space before.
fn identified(account: &Account) -> String {
    match (account.plugin == NATIVE, account.authentication.is_empty()) {
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
pub(crate) fn grants(
    state: &mut State,
    account: Option<&ast::Account>,
) -> Result<(String, Vec<String>), SqlError> {
    let account = found(state, account)?;
    let (head, quoted) = names(&account);
    let list = |held: &[String]| {
        let held: Vec<&str> = held.iter().map(String::as_str).filter(|name| *name != GRANT_OPTION).collect();
        match held.as_slice() {
            [] => "USAGE".to_owned(),
            ["ALL"] => "ALL PRIVILEGES".to_owned(),
            held => held.join(", "),
        }
    };
    let option = |has: bool| if has { " WITH GRANT OPTION" } else { "" };
    let global = level(None).normal(&account.privileges);
    let mut rows = vec![format!(
        "GRANT {} ON *.* TO {quoted}{}{}",
        list(&global),
        identified(&account),
        option(account.grant_option)
    )];
    let empty = Vec::new();
    for scope in account.scopes() {
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
        rows.push(format!("GRANT {list} ON {on} TO {quoted}{}", option(has_option)));
    }
    Ok((format!("Grants for {head}"), rows))
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
    let account = found(state, account)?;
    let (head, quoted) = names(&account);
    let lock = if account.locked { " ACCOUNT LOCK" } else { "" };
    Ok((format!("CREATE USER for {head}"), format!("CREATE USER {quoted}{}{lock}", identified(&account))))
}
