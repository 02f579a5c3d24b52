//! An account as the engine keeps it: a record of space [`SPACE`], key `user@host`, value JSON; the catalog's log carries
//! their changes. The server around reads the same records when clients come.
//!
//! A role is an account that nobody comes in as: its key is `role@`, with a host that no user has. What holds roles,
//! users and roles alike, lists them in its own record.

use crate::error::SqlError;
use crate::session::State;
use engine::Engine;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The engine's record space of accounts.
pub const SPACE: &str = "account";

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// User name; empty for anybody.
    pub user: String,
    /// Host pattern.
    pub host: String,
    /// Authentication method.
    pub plugin: String,
    /// What the method keeps of the password: `*` and 40 hexadecimal digits, or the salted hash in hexadecimal digits;
    /// empty for none.
    pub authentication: String,
    /// Global privileges, upper case; `ALL` for all of them.
    pub privileges: Vec<String>,
    /// `WITH GRANT OPTION` on everything.
    pub grant_option: bool,
    /// Privileges on databases (`db`) and tables (`db.table`); `GRANT OPTION` among them.
    #[serde(default)]
    pub scoped: BTreeMap<String, Vec<String>>,
    /// Privileges on columns, by table (`db.table`): columns in the order that they were granted in.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, Vec<(String, Vec<String>)>>,
    /// `ACCOUNT LOCK`.
    #[serde(default)]
    pub locked: bool,
    /// It is a role.
    #[serde(default, skip_serializing_if = "is_false")]
    pub role: bool,
    /// The roles that it holds, in the order that they were granted in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<Holding>,
    /// The role that its sessions begin with, if they may then; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub default_role: String,
}

/// That a role is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// The role.
    pub role: String,
    /// `WITH ADMIN OPTION`: the holder may grant it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub admin: bool,
}

/// Whether it need not be said.
fn is_false(said: &bool) -> bool {
    !*said
}

impl Account {
    /// A new account without privileges.
    pub fn new(user: &str, host: &str) -> Self {
        Self {
            user: user.to_owned(),
            host: host.to_owned(),
            plugin: super::NATIVE.to_owned(),
            authentication: String::new(),
            privileges: Vec::new(),
            grant_option: false,
            scoped: BTreeMap::new(),
            columns: BTreeMap::new(),
            locked: false,
            role: false,
            roles: Vec::new(),
            default_role: String::new(),
        }
    }

    /// A new role without privileges.
    pub fn new_role(name: &str) -> Self {
        Self { plugin: String::new(), role: true, ..Self::new(name, "") }
    }

    /// How it holds a role, where it does so by itself.
    pub fn holding(&self, role: &str) -> Option<&Holding> {
        self.roles.iter().find(|holding| holding.role == role)
    }

    /// Adds what another account may do.
    pub(super) fn absorb(&mut self, other: &Account) {
        let merge = |into: &mut Vec<String>, names: &[String]| {
            into.extend(names.iter().filter(|name| !into.contains(name)).cloned().collect::<Vec<_>>());
        };
        merge(&mut self.privileges, &other.privileges);
        self.grant_option |= other.grant_option;
        for (scope, names) in &other.scoped {
            merge(self.scoped.entry(scope.clone()).or_default(), names);
        }
        for (scope, granted) in &other.columns {
            super::columns::add(self, scope, granted);
        }
    }

    /// The databases and tables that it holds something on, or on columns of.
    pub fn scopes(&self) -> BTreeSet<&String> {
        self.scoped.keys().chain(self.columns.keys()).collect()
    }

    /// Its name as INFORMATION_SCHEMA has it.
    pub fn grantee(&self) -> String {
        format!("'{}'@'{}'", self.user, self.host)
    }

    /// The account that a first start makes: root without password, from this machine only.
    pub fn first_root() -> Self {
        Self { privileges: vec!["ALL".into()], grant_option: true, ..Self::new("root", "localhost") }
    }

    /// `user@host`, the record's key.
    pub fn name(&self) -> String {
        format!("{}@{}", self.user, self.host)
    }

    /// Whether nothing proves who comes.
    pub fn is_open(&self) -> bool {
        self.authentication.is_empty() && !self.locked && !self.role
    }

    /// The record.
    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// All accounts by key; records that are none are passed over.
pub fn all(engine: &Engine) -> Vec<Account> {
    let catalog = engine.catalog();
    catalog.records(SPACE).filter_map(|(_, bytes)| serde_json::from_slice(bytes).ok()).collect()
}

/// An account by user and host.
pub fn find(state: &State, user: &str, host: &str) -> Option<Account> {
    named(&state.engine, &format!("{user}@{host}"))
}

/// A role.
pub fn role(engine: &Engine, name: &str) -> Option<Account> {
    named(engine, &format!("{name}@")).filter(|found| found.role)
}

fn named(engine: &Engine, key: &str) -> Option<Account> {
    serde_json::from_slice(&engine.get_record(SPACE, key)?).ok()
}

/// Changes to be made at once, by key; nothing for an account that goes.
#[derive(Default)]
pub struct Changes(BTreeMap<String, Option<Vec<u8>>>);

impl Changes {
    /// An account as it will be.
    pub fn find(&self, state: &State, user: &str, host: &str) -> Option<Account> {
        let key = format!("{user}@{host}");
        match self.0.get(&key) {
            Some(bytes) => serde_json::from_slice(bytes.as_ref()?).ok(),
            None => named(&state.engine, &key),
        }
    }

    /// All accounts as they will be.
    pub fn all(&self, state: &State) -> Vec<Account> {
        let mut accounts = all(&state.engine);
        accounts.retain(|account| !self.0.contains_key(&account.name()));
        let changed = self.0.values().flatten();
        accounts.extend(changed.filter_map(|bytes| serde_json::from_slice::<Account>(bytes).ok()));
        accounts
    }

    /// Puts an account.
    pub fn put(&mut self, account: &Account) {
        self.0.insert(account.name(), Some(account.bytes()));
    }

    /// Takes an account away.
    pub fn remove(&mut self, account: &Account) {
        self.0.insert(account.name(), None);
    }

    /// Makes the changes and tells the server around.
    pub fn make(self, state: &mut State) -> Result<(), SqlError> {
        if !self.0.is_empty() {
            state.commit()?;
            state.engine.put_records(SPACE, self.0.into_iter().collect())?;
            state.host.globals().note_accounts_changed();
            state.host.accounts_changed();
        }
        Ok(())
    }
}
