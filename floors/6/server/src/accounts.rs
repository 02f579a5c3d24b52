//! Accounts: who may come in, from where, and how they prove it.
//!
//! What an account is and how it is kept, `sql::admin::account` says. An account's host is a pattern as in MariaDB: `%` and `_` are wildcards, `localhost` means the unix socket
//! and the loopback addresses.

use engine::Engine;
use hashbrown::HashMap;
use parking_lot::{Mutex, RwLock};
use protocol::auth;
use sql::admin::account::record::{self, Account};
use std::net::IpAddr;

/// Where a client comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The unix socket.
    Socket,
    /// TCP from this address.
    Address(IpAddr),
}

impl Origin {
    /// The host as `USER()` shows it.
    pub fn host(self) -> String {
        match self {
            Self::Socket => "localhost".into(),
            Self::Address(address) if address.is_loopback() => "localhost".into(),
            Self::Address(address) => address.to_string(),
        }
    }

    /// Whether nobody else can listen on the way.
    pub fn is_secure(self) -> bool {
        self == Self::Socket
    }

    fn matches(self, pattern: &str) -> bool {
        let local = match self {
            Self::Socket => true,
            Self::Address(address) => address.is_loopback(),
        };
        if local && pattern.eq_ignore_ascii_case("localhost") {
            return true;
        }
        match self {
            Self::Socket => pattern == "%",
            Self::Address(address) => like(&address.to_canonical().to_string(), pattern),
        }
    }
}

/// MariaDB's host patterns: `%` any run, `_` any one character.
fn like(text: &str, pattern: &str) -> bool {
    match pattern.as_bytes().first() {
        None => text.is_empty(),
        Some(b'%') => {
            let rest = &pattern[1..];
            (0..=text.len()).any(|at| text.is_char_boundary(at) && like(&text[at..], rest))
        }
        Some(b'_') => !text.is_empty() && like(&text[1..], &pattern[1..]),
        Some(first) => text.as_bytes().first() == Some(first) && like(&text[1..], &pattern[1..]),
    }
}

/// All accounts, as the engine's records say.
pub struct Accounts {
    engine: Engine,
    list: RwLock<Vec<Account>>,
    /// What caching_sha2_password caches, by account name.
    cached: Mutex<HashMap<String, [u8; 32]>>,
    rsa: Mutex<Option<std::sync::Arc<auth::RsaKey>>>,
}

impl Accounts {
    /// Reads the accounts; makes the first one in a new database.
    pub fn open(engine: Engine) -> Result<Self, engine::EngineError> {
        let accounts = Self {
            engine,
            list: RwLock::new(Vec::new()),
            cached: Mutex::new(HashMap::new()),
            rsa: Mutex::new(None),
        };
        accounts.reload();
        if accounts.list.read().is_empty() {
            accounts.put(&Account::first_root())?;
            accounts.reload();
        }
        Ok(accounts)
    }

    /// Reads all accounts again.
    pub fn reload(&self) {
        let mut list = record::all(&self.engine);
        // Nobody comes in as a role.
        list.retain(|account| !account.role);
        // MariaDB's order: the most specific host first, then named users before anybody.
        list.sort_by_key(|a| {
            let wild = a.host.find(['%', '_']).unwrap_or(usize::MAX);
            (std::cmp::Reverse(wild), a.user.is_empty(), a.user.clone())
        });
        *self.list.write() = list;
        self.cached.lock().clear();
    }

    fn put(&self, account: &Account) -> Result<(), engine::EngineError> {
        self.engine.put_record(record::SPACE, &account.name(), Some(&account.bytes())).map(|_| ())
    }

    /// The account that lets `user` in from `origin`.
    pub fn find(&self, user: &str, origin: Origin) -> Option<Account> {
        let list = self.list.read();
        list.iter().find(|a| (a.user == user || a.user.is_empty()) && origin.matches(&a.host)).cloned()
    }

    /// Accounts without a password that an address beyond this machine could use.
    pub fn open_to_the_world(&self) -> Vec<String> {
        let list = self.list.read();
        list.iter().filter(|a| a.is_open()).map(Account::name).collect()
    }

    /// What caching_sha2_password has cached for an account.
    pub fn cached(&self, name: &str) -> Option<[u8; 32]> {
        self.cached.lock().get(name).copied()
    }

    /// Caches what makes the next caching_sha2_password exchange fast.
    pub fn cache(&self, name: &str, password: &[u8]) {
        self.cached.lock().insert(name.to_owned(), auth::sha2_cached(password));
    }

    /// The RSA key for full authentication without TLS, made when first asked for.
    pub fn rsa_key(&self) -> Option<std::sync::Arc<auth::RsaKey>> {
        let mut key = self.rsa.lock();
        if key.is_none() {
            *key = auth::RsaKey::generate().ok().map(std::sync::Arc::new);
        }
        key.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_match_as_in_mariadb() {
        let address = |text: &str| Origin::Address(text.parse().unwrap());
        assert!(Origin::Socket.matches("localhost") && Origin::Socket.matches("%"));
        assert!(address("127.0.0.1").matches("localhost") && address("::1").matches("localhost"));
        assert!(address("10.1.2.3").matches("10.1.%") && !address("10.2.2.3").matches("10.1.%"));
        assert!(address("10.1.2.3").matches("10.1.2._") && !address("10.1.2.3").matches("localhost"));
        assert!(address("127.0.0.1").matches("127.0.0.1"));
    }
}
