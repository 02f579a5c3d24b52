//! CREATE and DROP ROLE, GRANT and REVOKE of roles.

use super::record::{self, Account, Changes, Holding};
use super::roles;
use super::{failed_or_ok, holder, named, prove, require, shown};
use crate::error::SqlError;
use crate::session::{Level, State, mode};
use crate::syntax::ast::{self, CreateRole};

/// Keeps an error for SHOW WARNINGS; the first of a statement is what its client is told.
fn note(state: &mut State, first: &mut Option<SqlError>, error: SqlError) {
    state.warn(Level::Error, error.errno, error.message.clone());
    first.get_or_insert(error);
}

/// The words that are no role's name, as messages show them.
fn reserved(name: &str) -> Option<&'static str> {
    [roles::PUBLIC, roles::NONE].into_iter().find(|word| name.eq_ignore_ascii_case(word))
}

/// Tells which accounts an operation failed for, after what was told of them one by one.
pub(super) fn done(
    state: &mut State,
    mut first: Option<SqlError>,
    operation: Result<(), SqlError>,
) -> Result<(), SqlError> {
    if let Err(error) = operation {
        note(state, &mut first, error);
    }
    first.map_or(Ok(()), Err)
}

/// CREATE ROLE.
pub(crate) fn create(state: &mut State, statement: &CreateRole) -> Result<(), SqlError> {
    require(state, &["CREATE USER"])?;
    let admin = admin(state, statement.admin.as_ref())?;
    let mut changes = Changes::default();
    let (mut failed, mut first) = (Vec::new(), None);
    for role in &statement.roles {
        let ast::Account::Named { user: name, .. } = role else {
            failed.push("CURRENT_ROLE".to_owned());
            continue;
        };
        if let Some(word) = reserved(name) {
            note(state, &mut first, roles::invalid(word));
            failed.push(shown(word, ""));
            continue;
        }
        match changes.find(state, name, "") {
            Some(role) if statement.or_replace => forget(state, &mut changes, &role),
            Some(_) if statement.if_not_exists => {
                let exists = SqlError::role_create_exists(name);
                state.warn(Level::Note, exists.errno, exists.message);
                continue;
            }
            Some(_) => {
                failed.push(shown(name, ""));
                continue;
            }
            None => {}
        }
        changes.put(&Account::new_role(name));
        // Whoever is to grant it holds it, a role that is made by the same statement among them.
        let Some((user, host)) = &admin else { continue };
        if let Some(mut admin) = changes.find(state, user, host) {
            admin.roles.push(Holding { role: name.clone(), admin: true });
            changes.put(&admin);
        }
    }
    changes.make(state)?;
    done(state, first, failed_or_ok("CREATE ROLE", &failed))
}

/// The account that WITH ADMIN names; none for a session of no account.
fn admin(state: &mut State, wanted: Option<&ast::Account>) -> Result<Option<(String, String)>, SqlError> {
    match wanted {
        None | Some(ast::Account::CurrentUser) if state.account.is_empty() => Ok(None),
        wanted => owner(state, wanted.or(Some(&ast::Account::CurrentUser))).map(Some),
    }
}

/// The account or role that is to own a view or a role that is made, the session's account where none is named. Errors
/// 1446, 1959, and 1227 for another one than the session acts as without the privilege.
pub(crate) fn owner(state: &mut State, wanted: Option<&ast::Account>) -> Result<(String, String), SqlError> {
    let own = state.own_name();
    let owner = match wanted {
        None => return Ok(own),
        Some(ast::Account::Named { user, host: None }) if reserved(user).is_some() => {
            return Err(roles::invalid(user));
        }
        Some(wanted) => holder(state, wanted)?,
    };
    let is_own = owner == own || owner.1.is_empty() && state.role.as_ref() == Some(&owner.0);
    if !is_own {
        require(state, &["SUPER", "SET USER"])?;
    }
    note_gone(state, &owner);
    Ok(owner)
}

/// Note 1449 where there is no such owner; a session of no account is not told.
pub(crate) fn note_gone(state: &mut State, (user, host): &(String, String)) {
    if !state.account.is_empty() && record::find(state, user, host).is_none() {
        let gone = SqlError::no_such_user(user, host);
        state.warn(Level::Note, gone.errno, gone.message);
    }
}

/// DROP ROLE.
pub(super) fn drop(state: &mut State, statement: &ast::DropUser) -> Result<(), SqlError> {
    require(state, &["CREATE USER"])?;
    let mut changes = Changes::default();
    let mut failed = Vec::new();
    for account in &statement.accounts {
        let name = match account {
            ast::Account::Named { user, .. } => user.clone(),
            _ => match &state.role {
                Some(role) => role.clone(),
                None => {
                    state.warn(Level::Error, 1446, SqlError::malformed_definer().message);
                    failed.push("CURRENT_ROLE".to_owned());
                    continue;
                }
            },
        };
        match changes.find(state, &name, "") {
            Some(role) if reserved(&name).is_none() => forget(state, &mut changes, &role),
            _ if reserved(&name) == Some(roles::PUBLIC) => failed.push(roles::PUBLIC.to_owned()),
            _ if statement.if_exists => {
                let gone = SqlError::role_drop_exists(&name);
                state.warn(Level::Note, gone.errno, gone.message);
            }
            _ => failed.push(shown(reserved(&name).unwrap_or(&name), "")),
        }
    }
    changes.make(state)?;
    done(state, None, failed_or_ok("DROP ROLE", &failed))
}

/// Takes a role away, from all who hold it.
fn forget(state: &State, changes: &mut Changes, role: &Account) {
    for mut holder in changes.all(state) {
        if holder.holding(&role.user).is_some() {
            holder.roles.retain(|holding| holding.role != role.user);
            changes.put(&holder);
        }
    }
    changes.remove(role);
}

/// The role that is granted or taken back, by those who may; errors 1446, 1698 and 1959.
fn granted(state: &State, role: &ast::Account) -> Result<String, SqlError> {
    let name = match role {
        ast::Account::Named { user, .. } => user.clone(),
        _ => state.role.clone().ok_or_else(SqlError::malformed_definer)?,
    };
    if let Some(word) = reserved(&name) {
        return Err(roles::invalid(word));
    }
    if record::role(&state.engine, &name).is_none() {
        return Err(roles::invalid(&name));
    }
    match state.may_grant_role(&name) {
        true => Ok(name),
        false => {
            let (user, host) = named(state, &ast::Account::CurrentUser)?;
            Err(SqlError::access_denied_no_password(user, host))
        }
    }
}

/// How messages name whom a role is granted to or taken from.
fn told(state: &State, account: &ast::Account) -> String {
    match account {
        ast::Account::Named { user, host: None } if reserved(user).is_some() => shown(user, ""),
        ast::Account::Named { user, host: None } if user.is_empty() => "''@''".to_owned(),
        ast::Account::CurrentRole if state.role.is_none() => roles::NONE.to_owned(),
        _ => holder(state, account).map_or_else(|_| String::new(), |(user, host)| shown(&user, &host)),
    }
}

/// An account that a role is granted to or taken from; error 1959.
fn found_holder(state: &State, spec: &ast::AccountSpec) -> Result<(String, String), SqlError> {
    match &spec.account {
        ast::Account::CurrentRole if state.role.is_none() => Err(roles::invalid(roles::NONE)),
        // Nobody comes in as a role, so what proves itself is a user.
        account if spec.auth.is_some() => named(state, account),
        account => holder(state, account),
    }
}

/// An account by its name; where that is none, that is told.
pub(super) fn found(
    state: &mut State,
    changes: &Changes,
    first: &mut Option<SqlError>,
    name: Result<(String, String), SqlError>,
) -> Option<Account> {
    match name {
        Ok((user, host)) => changes.find(state, &user, &host),
        Err(error) => {
            note(state, first, error);
            None
        }
    }
}

/// GRANT of a role.
pub(super) fn grant(
    state: &mut State,
    (role, admin): (&ast::Account, bool),
    accounts: &[ast::AccountSpec],
) -> Result<(), SqlError> {
    let role = granted(state, role)?;
    let mut changes = Changes::default();
    let (mut failed, mut first) = (Vec::new(), None);
    for spec in accounts {
        match taker(state, &changes, spec) {
            Ok(taker) if reaches(state, &role, &taker) => failed.push(told(state, &spec.account)),
            Ok(mut taker) => {
                match taker.roles.iter_mut().find(|holding| holding.role == role) {
                    Some(holding) => holding.admin |= admin,
                    None => taker.roles.push(Holding { role: role.clone(), admin }),
                }
                changes.put(&taker);
            }
            Err(error) => {
                note(state, &mut first, error);
                failed.push(told(state, &spec.account));
            }
        }
    }
    changes.make(state)?;
    let ended = match failed.is_empty() {
        true => Ok(()),
        false => Err(SqlError::cannot_grant_role(role, failed.join(","))),
    };
    done(state, first, ended)
}

/// Whether a role holds another one, by others too, or is that: it cannot be held by it then.
fn reaches(state: &State, role: &str, taker: &Account) -> bool {
    let reached = roles::role_with_roles(&state.engine, Some(role));
    taker.role && reached.iter().any(|held| held.user == taker.user)
}

/// The account that is to hold a role, made where the mode lets it be.
fn taker(state: &mut State, changes: &Changes, spec: &ast::AccountSpec) -> Result<Account, SqlError> {
    let (user, host) = found_holder(state, spec)?;
    let mut account = match (changes.find(state, &user, &host), &spec.auth) {
        (Some(account), auth) => {
            if auth.is_some() && named(state, &ast::Account::CurrentUser)? != (user, host) {
                // MariaDB keeps accounts in tables of this database.
                state.check_database("UPDATE", "mysql")?;
            }
            account
        }
        (None, None) if host.is_empty() && user == roles::PUBLIC => Account::new_role(roles::PUBLIC),
        (None, None) if host.is_empty() || state.vars.has_mode(mode::NO_AUTO_CREATE_USER) => {
            return Err(SqlError::password_no_match());
        }
        (None, _) => {
            require(state, &["CREATE USER"]).map_err(|_| SqlError::cant_create_user_with_grant())?;
            Account::new(&user, &host)
        }
    };
    if let Some(auth) = &spec.auth {
        prove(&mut account, auth)?;
    }
    Ok(account)
}

/// REVOKE of a role, or of the option to grant it.
pub(super) fn revoke(
    state: &mut State,
    (role, admin_option): (&ast::Account, bool),
    accounts: &[ast::AccountSpec],
) -> Result<(), SqlError> {
    let role = granted(state, role)?;
    let mut changes = Changes::default();
    let (mut failed, mut first) = (Vec::new(), None);
    for spec in accounts {
        let who = found_holder(state, spec);
        match found(state, &changes, &mut first, who) {
            Some(mut account) if account.holding(&role).is_some() => {
                match admin_option {
                    true => {
                        account.roles.iter_mut().for_each(|holding| holding.admin &= holding.role != role)
                    }
                    false => account.roles.retain(|holding| holding.role != role),
                }
                changes.put(&account);
            }
            _ => failed.push(told(state, &spec.account)),
        }
    }
    changes.make(state)?;
    let ended = match failed.is_empty() {
        true => Ok(()),
        false => Err(SqlError::cannot_revoke_role(role, failed.join(","))),
    };
    done(state, first, ended)
}
