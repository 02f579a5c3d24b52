//! Roles: accounts that nobody comes in as, and that others hold.
//!
//! A session may do what its account may, what the role may that it has set, with all roles that this one holds, and what
//! PUBLIC may, the role that everybody has: [`effective`] gives that as one account. What holds everywhere is fixed when a
//! client comes in and by SET ROLE ([`Everywhere`]), the rest is looked at anew after each change of accounts: in MariaDB
//! they take effect at these times, too.

use super::record::{self, Account, Changes};
use super::{named, quoted};
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast;
use engine::Engine;

/// The role that everybody has.
pub(crate) const PUBLIC: &str = "PUBLIC";
/// The word for no role, which none can be named.
pub(super) const NONE: &str = "NONE";

/// An account with all roles that it holds, each once: behind the account one role after the other, each with its own
/// roles behind it.
pub(crate) fn with_roles(engine: &Engine, account: Account) -> Vec<Account> {
    let mut found: Vec<Account> = Vec::new();
    let mut waiting = vec![account];
    while let Some(next) = waiting.pop() {
        if found.iter().any(|known| known.name() == next.name()) {
            continue;
        }
        let held = next.roles.iter().rev().filter_map(|holding| record::role(engine, &holding.role));
        waiting.extend(held);
        found.push(next);
    }
    found
}

/// A role with all roles that it holds; nothing where there is no such role.
pub(crate) fn role_with_roles(engine: &Engine, name: Option<&str>) -> Vec<Account> {
    let role = name.and_then(|name| record::role(engine, name));
    role.map_or_else(Vec::new, |role| with_roles(engine, role))
}

/// What an account may do that has a role set.
pub(super) fn effective(engine: &Engine, account: Account, role: Option<&str>) -> Account {
    let mut whole = account;
    for name in [role, Some(PUBLIC)] {
        role_with_roles(engine, name).iter().for_each(|role| whole.absorb(role));
    }
    whole
}

/// A role with what it may do by the roles that it holds.
pub(crate) fn merged(engine: &Engine, role: &Account) -> Account {
    let mut whole = role.clone();
    with_roles(engine, role.clone()).iter().skip(1).for_each(|held| whole.absorb(held));
    whole
}

/// What a session may do everywhere, whatever is granted or taken back meanwhile.
#[derive(Debug, Default, Clone)]
pub(crate) struct Everywhere {
    /// Global privileges; `ALL` for all of them.
    pub privileges: Vec<String>,
    /// Whether they may be passed on.
    pub grant_option: bool,
}

impl State {
    /// User and host of the session's account; of a session of none those that the client gave.
    pub(crate) fn own_name(&self) -> (String, String) {
        let (user, host) = self.account.rsplit_once('@').unwrap_or((&self.user, &self.client_host));
        (user.to_owned(), host.to_owned())
    }

    /// The session's account; none for one that is gone.
    pub(crate) fn own_account(&self) -> Option<Account> {
        let (user, host) = self.own_name();
        record::find(self, &user, &host)
    }

    /// The session is of another account from now on, with the role that this begins with.
    pub fn set_account(&mut self, account: String) {
        self.account = account;
        let own = self.own_account();
        let begins_with = own.as_ref().and_then(|own| own.holding(&own.default_role));
        let role = begins_with.and_then(|holding| record::role(&self.engine, &holding.role));
        self.take_role(role.map(|role| role.user));
    }

    /// The session has this role set from now on.
    pub(crate) fn take_role(&mut self, role: Option<String>) {
        self.role = role;
        let Account { privileges, grant_option, .. } = self.effective();
        self.everywhere = Everywhere { privileges, grant_option };
        self.held = None;
    }

    /// What the session may do, as accounts are now.
    pub(super) fn effective(&self) -> Account {
        let (user, host) = self.own_name();
        let own = self.own_account().unwrap_or_else(|| Account::new(&user, &host));
        effective(&self.engine, own, self.role.as_deref())
    }

    /// All roles that the session's account could use or pass on, with the account before them.
    pub(crate) fn applicable(&self) -> Vec<Account> {
        self.own_account().map_or_else(Vec::new, |own| with_roles(&self.engine, own))
    }

    /// Whether the session may grant a role: some role or account that it acts as holds it with the admin option.
    pub(super) fn may_grant_role(&self, role: &str) -> bool {
        let mut acts = self.applicable();
        acts.extend(role_with_roles(&self.engine, self.role.as_deref()));
        self.account.is_empty()
            || acts.iter().filter_map(|who| who.holding(role)).any(|holding| holding.admin)
    }
}

/// Error 1959 for a name that no role has, or that an account cannot set as its own: the second is told to those alone
/// who know of the role.
pub(super) fn check_usable(
    state: &mut State,
    (user, host): &(String, String),
    role: &str,
) -> Result<(), SqlError> {
    let reserved = role.eq_ignore_ascii_case(PUBLIC);
    if reserved || record::role(&state.engine, role).is_none() {
        return Err(invalid(if reserved { PUBLIC } else { role }));
    }
    let account = record::find(state, user, host);
    if state.account.is_empty() || account.as_ref().is_some_and(|account| account.holding(role).is_some()) {
        return Ok(());
    }
    let reached = account.map_or_else(Vec::new, |account| with_roles(&state.engine, account));
    let knows = reached.iter().any(|known| known.role && known.user == role);
    match knows || state.may("SELECT", "mysql", None)? {
        true => {
            let text =
                format!("User {}@{} has not been granted role {}", quoted(user), quoted(host), quoted(role));
            Err(SqlError::new(1959, b"OP000", text))
        }
        false => Err(invalid(role)),
    }
}

/// Error 1959: no role can have this name, or none has it.
pub(super) fn invalid(role: &str) -> SqlError {
    SqlError::invalid_role(role.replace('`', "``"))
}

/// The role that SET DEFAULT ROLE names, once it is known that the session may give it to the account.
pub(crate) fn chosen_default(
    state: &mut State,
    account: Option<&ast::Account>,
    role: Option<&ast::Account>,
) -> Result<Option<String>, SqlError> {
    let who = named(state, account.unwrap_or(&ast::Account::CurrentUser))?;
    if who != named(state, &ast::Account::CurrentUser)? {
        // MariaDB keeps accounts in tables of this database.
        state.check_database("UPDATE", "mysql")?;
    }
    chosen(state, account, role)
}

/// SET DEFAULT ROLE.
pub(crate) fn set_default_role(
    state: &mut State,
    account: Option<&ast::Account>,
    role: Option<&ast::Account>,
) -> Result<(), SqlError> {
    state.commit()?;
    let role = chosen_default(state, account, role)?;
    let who = named(state, account.unwrap_or(&ast::Account::CurrentUser))?;
    let mut account = record::find(state, &who.0, &who.1).ok_or_else(SqlError::invalid_current_user)?;
    account.default_role = role.unwrap_or_default();
    let mut changes = Changes::default();
    changes.put(&account);
    changes.make(state)
}

/// The role that SET ROLE or SET DEFAULT ROLE names, once it is known that the account can use it.
pub(crate) fn chosen(
    state: &mut State,
    account: Option<&ast::Account>,
    role: Option<&ast::Account>,
) -> Result<Option<String>, SqlError> {
    let who = named(state, account.unwrap_or(&ast::Account::CurrentUser))?;
    if !state.account.is_empty() && role.is_none() && record::find(state, &who.0, &who.1).is_none() {
        return Err(SqlError::invalid_current_user());
    }
    let role = match role {
        Some(ast::Account::CurrentRole) => state.role.clone(),
        Some(ast::Account::Named { user, .. }) => Some(user.clone()),
        Some(ast::Account::CurrentUser) | None => None,
    };
    match role {
        Some(role) => check_usable(state, &who, &role).map(|()| Some(role)),
        None => Ok(None),
    }
}
