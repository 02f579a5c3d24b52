//! An account as the engine keeps it: a record of space [`SPACE`], key `user@host`, value JSON; the catalog's log carries
//! their changes. The server around reads the same records when clients come.

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
        self.authentication.is_empty() && !self.locked
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
    let bytes = state.engine.get_record(SPACE, &format!("{user}@{host}"))?;
    serde_json::from_slice(&bytes).ok()
}

/// Changes to be made at once.
#[derive(Default)]
pub struct Changes(Vec<(String, Option<Vec<u8>>)>);

impl Changes {
    /// Puts an account.
    pub fn put(&mut self, account: &Account) {
        self.0.push((account.name(), Some(account.bytes())));
    }

    /// Takes an account away.
    pub fn remove(&mut self, account: &Account) {
        self.0.push((account.name(), None));
    }

    /// Makes the changes and tells the server around.
    pub fn make(self, state: &mut State) -> Result<(), SqlError> {
        if !self.0.is_empty() {
            state.commit()?;
            state.engine.put_records(SPACE, self.0)?;
            state.host.globals().note_accounts_changed();
            state.host.accounts_changed();
        }
        Ok(())
    }
}
