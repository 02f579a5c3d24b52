//! Accounts, roles and what they may do: CREATE, ALTER, DROP and RENAME USER, CREATE and DROP ROLE, GRANT, REVOKE, SET
//! PASSWORD, SET ROLE, SHOW GRANTS.

mod check;
pub(crate) mod columns;
pub(crate) mod grant;
mod hashed;
pub(crate) mod privilege;
pub mod record;
mod role_changes;
pub(crate) mod roles;
mod show;

#[cfg(test)]
mod tests;

pub(crate) use check::{Held, definer, definition};
pub(crate) use role_changes::{create as create_role, note_gone, owner};
pub(crate) use show::{create_user, grants};

use crate::error::SqlError;
use crate::session::{Level, State};
use crate::syntax::ast::{self, Auth};
use record::{Account, Changes};
use sha1::{Digest, Sha1};

/// The authentication method of new accounts.
pub(crate) const NATIVE: &str = "mysql_native_password";

/// User and host that a statement names, which is about users alone. An empty host is that of roles.
pub(crate) fn named(state: &State, account: &ast::Account) -> Result<(String, String), SqlError> {
    match account {
        ast::Account::Named { user, host } => {
            let host = host.as_deref().filter(|host| !host.is_empty()).unwrap_or("%");
            Ok((user.clone(), host.to_lowercase()))
        }
        ast::Account::CurrentUser => Ok(state.own_name()),
        ast::Account::CurrentRole => Err(SqlError::malformed_definer()),
    }
}

/// User and host of an account that may be a role too: a name without host is that of a role where there is one.
fn holder(state: &State, account: &ast::Account) -> Result<(String, String), SqlError> {
    let role = match account {
        ast::Account::CurrentRole => state.role.clone().ok_or_else(SqlError::malformed_definer)?,
        ast::Account::Named { user, host: None } if user.eq_ignore_ascii_case(roles::PUBLIC) => {
            roles::PUBLIC.to_owned()
        }
        ast::Account::Named { user, host: None }
            if user.is_empty() || user.eq_ignore_ascii_case(roles::NONE) =>
        {
            return Err(roles::invalid(user));
        }
        ast::Account::Named { user, host: None } if record::role(&state.engine, user).is_some() => {
            user.clone()
        }
        _ => return named(state, account),
    };
    Ok((role, String::new()))
}

/// Error 1227 unless the session's account has one of the privileges everywhere.
pub(crate) fn require(state: &State, privileges: &[&str]) -> Result<(), SqlError> {
    if state.account.is_empty() {
        // A session inside the server, of no account.
        return Ok(());
    }
    let held = &state.everywhere.privileges;
    let has = |wanted: &str| held.iter().any(|held| held == "ALL" || held == wanted);
    match privileges.iter().any(|wanted| has(wanted)) {
        true => Ok(()),
        false => Err(SqlError::specific_access_denied(privileges.join(", "))),
    }
}

/// `'user'@'host'` or `'role'` as messages show it.
fn shown(user: &str, host: &str) -> String {
    match host {
        "" => format!("'{user}'"),
        _ => format!("'{user}'@'{host}'"),
    }
}

/// A name in backquotes.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// What `mysql_native_password` keeps of a password.
fn native(password: &[u8]) -> String {
    if password.is_empty() {
        return String::new();
    }
    let twice = Sha1::digest(Sha1::digest(password));
    let digits: String = twice.iter().map(|byte| format!("{byte:02X}")).collect();
    format!("*{digits}")
}

/// A hash as written: `*` and 40 hexadecimal digits, or nothing; error 1372.
fn checked_hash(hash: &[u8]) -> Result<String, SqlError> {
    let text = String::from_utf8_lossy(hash).into_owned();
    let digits = text.strip_prefix('*').unwrap_or("");
    let good = digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    match text.is_empty() || good {
        true => Ok(text.to_ascii_uppercase()),
        false => Err(SqlError::password_length(41)),
    }
}

/// Gives an account its proof.
fn prove(account: &mut Account, auth: &Auth) -> Result<(), SqlError> {
    match auth {
        Auth::Password(text) => {
            account.plugin = NATIVE.to_owned();
            account.authentication = native(text);
        }
        Auth::Hash(hash) => {
            account.authentication = checked_hash(hash)?;
            account.plugin = NATIVE.to_owned();
        }
        Auth::Plugins(plugins) => {
            let [plugin] = plugins.as_slice() else {
                return Err(SqlError::not_supported_yet("several authentication plugins"));
            };
            if !plugin.plugin.eq_ignore_ascii_case(NATIVE) {
                return Err(SqlError::plugin_is_not_loaded(&plugin.plugin));
            }
            account.plugin = NATIVE.to_owned();
            account.authentication = match (&plugin.password, &plugin.hash) {
                (Some(text), _) => native(text),
                (None, Some(hash)) => checked_hash(hash)?,
                (None, None) => String::new(),
            };
        }
    }
    Ok(())
}

/// SET PASSWORD.
pub(crate) fn set_password(
    state: &mut State,
    account: Option<&ast::Account>,
    auth: &Auth,
) -> Result<(), SqlError> {
    state.commit()?;
    let (user, host) = named(state, account.unwrap_or(&ast::Account::CurrentUser))?;
    if named(state, &ast::Account::CurrentUser)? != (user.clone(), host.clone()) {
        require(state, &["CREATE USER"])?;
    }
    let mut found = record::find(state, &user, &host).ok_or_else(SqlError::password_no_match)?;
    prove(&mut found, auth)?;
    let mut changes = Changes::default();
    changes.put(&found);
    changes.make(state)
}

/// CREATE USER and ALTER USER.
pub(crate) fn create_or_alter(state: &mut State, statement: &ast::UserStatement) -> Result<(), SqlError> {
    require(state, &["CREATE USER"])?;
    if statement.options.require.as_ref().is_some_and(|require| *require != ast::Require::None) {
        return Err(SqlError::not_supported_yet("REQUIRE"));
    }
    let operation = if statement.alter { "ALTER USER" } else { "CREATE USER" };
    let mut changes = Changes::default();
    let mut failed = Vec::new();
    for spec in &statement.accounts {
        let word = match spec.account {
            ast::Account::CurrentUser if !statement.alter => Some("CURRENT_USER"),
            ast::Account::CurrentRole => Some("CURRENT_ROLE"),
            _ => None,
        };
        if let Some(word) = word {
            failed.push(word.to_owned());
            continue;
        }
        let (user, host) = named(state, &spec.account)?;
        let existing = record::find(state, &user, &host);
        let mut account = match (existing, statement.alter) {
            (Some(account), true) => account,
            (Some(_), false) if statement.or_replace => Account::new(&user, &host),
            (None, false) => Account::new(&user, &host),
            (existing, _) => {
                if statement.if_exists {
                    let (errno, what) = match existing {
                        Some(_) => (1973, "Can't create user"),
                        None => (1974, "Can't alter user"),
                    };
                    let tail = if existing.is_some() { "it already exists" } else { "it doesn't exist" };
                    state.warn(Level::Note, errno, format!("{what} {}; {tail}", shown(&user, &host)));
                } else {
                    failed.push(shown(&user, &host));
                }
                continue;
            }
        };
        if let Some(auth) = &spec.auth {
            prove(&mut account, auth)?;
        }
        if let Some(locked) = statement.options.lock {
            account.locked = locked;
        }
        changes.put(&account);
    }
    changes.make(state)?;
    failed_or_ok(operation, &failed)
}

fn failed_or_ok(operation: &str, failed: &[String]) -> Result<(), SqlError> {
    match failed.is_empty() {
        true => Ok(()),
        false => Err(SqlError::cannot_user(operation, failed.join(","))),
    }
}

/// DROP USER.
pub(crate) fn drop(state: &mut State, statement: &ast::DropUser) -> Result<(), SqlError> {
    if statement.role {
        return role_changes::drop(state, statement);
    }
    require(state, &["CREATE USER"])?;
    let mut changes = Changes::default();
    let mut failed = Vec::new();
    for account in &statement.accounts {
        let (user, host) = named(state, account)?;
        match record::find(state, &user, &host) {
            Some(account) => changes.remove(&account),
            None if statement.if_exists => {
                let message = format!("Can't drop user {}; it doesn't exist", shown(&user, &host));
                state.warn(Level::Note, 1974, message);
            }
            None => failed.push(shown(&user, &host)),
        }
    }
    changes.make(state)?;
    failed_or_ok("DROP USER", &failed)
}

/// RENAME USER.
pub(crate) fn rename(state: &mut State, pairs: &[(ast::Account, ast::Account)]) -> Result<(), SqlError> {
    require(state, &["CREATE USER"])?;
    let mut changes = Changes::default();
    let mut failed = Vec::new();
    for (from, to) in pairs {
        let (user, host) = named(state, from)?;
        let (new_user, new_host) = named(state, to)?;
        match record::find(state, &user, &host) {
            Some(account) if record::find(state, &new_user, &new_host).is_none() => {
                changes.remove(&account);
                changes.put(&Account { user: new_user, host: new_host, ..account });
            }
            _ => failed.push(shown(&user, &host)),
        }
    }
    changes.make(state)?;
    failed_or_ok("RENAME USER", &failed)
}
