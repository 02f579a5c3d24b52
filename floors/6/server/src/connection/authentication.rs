//! Letting a client in: greeting, authentication, and what it wants its session to be; again for COM_CHANGE_USER.

use super::{Connection, End};
use crate::accounts::Origin;
use crate::status::Counter;
use protocol::flags::capability as cap;
use protocol::handshake::{self, FirstPacket, Greeting, NONCE, Response};
use protocol::{auth, reply};
use sql::admin::account::record::Account;
use sql::error::SqlError;
use std::time::{Duration, Instant};
use types::CollationId;

/// What this server can do.
/// Without `CLIENT_MYSQL`: so a MariaDB server says that it has extended capabilities.
const CAPABILITIES: u64 = cap::FOUND_ROWS
    | cap::LONG_FLAG
    | cap::CONNECT_WITH_DB
    | cap::LOCAL_FILES
    | cap::ODBC
    | cap::IGNORE_SPACE
    | cap::PROTOCOL_41
    | cap::INTERACTIVE
    | cap::TRANSACTIONS
    | cap::SECURE_CONNECTION
    | cap::MULTI_STATEMENTS
    | cap::MULTI_RESULTS
    | cap::PS_MULTI_RESULTS
    | cap::PLUGIN_AUTH
    | cap::CONNECT_ATTRS
    | cap::PLUGIN_AUTH_LENENC
    | cap::DEPRECATE_EOF
    | cap::STMT_BULK;

/// Time that a client has for its part of the handshake (`connect_timeout`).
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// Longest packet before a client has been let in: user name, answer, attributes.
const HANDSHAKE_PACKET: usize = 64 << 10;

impl Connection {
    /// Lets the client in, or not.
    pub(super) fn handshake(&mut self) -> Result<bool, End> {
        if self.shared.processes.len() > self.shared.options.max_connections {
            self.shared.status.add(Counter::AbortedConnects, 1);
            let error = SqlError::too_many_connections();
            let packet = reply::Err { number: error.errno, sqlstate: error.sqlstate, message: error.message };
            packet.encode_before_handshake(self.channel.out.begin());
            self.channel.out.end();
            return Ok(false);
        }
        let nonce = auth::nonce();
        let greeting = Greeting {
            version: crate::VERSION.into(),
            connection_id: self.seat.id() as u32,
            nonce,
            capabilities: CAPABILITIES,
            collation: CollationId::UTF8MB4_GENERAL_CI.id() as u8,
            status: protocol::flags::status::AUTOCOMMIT,
            auth_method: auth::NATIVE.into(),
        };
        greeting.encode(self.channel.out.begin());
        self.channel.out.end();
        let deadline = Instant::now() + HANDSHAKE_TIME;
        let payload = self.channel.next(&self.shared, HANDSHAKE_PACKET, 1, deadline)?;
        let response = match FirstPacket::decode(self.channel.input.payload(&payload)) {
            Ok(FirstPacket::Response(response)) => response,
            Ok(FirstPacket::SslRequest { .. }) => return Err(End::Error(SqlError::bad_handshake())),
            Err(_) => {
                self.shared.status.add(Counter::AbortedConnects, 1);
                return Err(End::Error(SqlError::bad_handshake()));
            }
        };
        self.capabilities = response.capabilities & CAPABILITIES;
        self.let_in("Connect", &response, nonce, deadline)
    }

    /// Authenticates and sets the session up, for a new connection or COM_CHANGE_USER.
    fn let_in(
        &mut self,
        command: &'static str,
        response: &Response,
        nonce: [u8; NONCE],
        deadline: Instant,
    ) -> Result<bool, End> {
        let account = self.authenticate(response, nonce, deadline)?;
        let Some(account) = account else {
            self.shared.status.add(Counter::AbortedConnects, 1);
            let using = if response.answer.is_empty() { "NO" } else { "YES" };
            let error = SqlError::access_denied(&response.user, self.origin.host(), using);
            self.log(command, error.message.as_bytes());
            return Err(End::Error(error));
        };
        let state = &mut self.session.state;
        state.user.clone_from(&response.user);
        state.client_host = self.origin.host();
        state.set_account(account.name());
        state.client_found_rows = self.capabilities & cap::FOUND_ROWS != 0;
        if let Some(collation) = CollationId::from_id(u16::from(response.collation))
            && collation.charset().min_char_bytes() == 1
        {
            state.vars.collation_connection = collation;
            state.vars.character_set_client = collation.charset().default_collation();
            state.vars.character_set_results = Some(collation.charset().default_collation());
        }
        let way = match self.origin {
            Origin::Address(_) => "TCP/IP",
            Origin::Socket => "Socket",
        };
        let database = response.database.as_deref().unwrap_or_default();
        let who = format!("{}@{} on {database} using {way}", state.user, state.client_host);
        state.log_command(command, who.as_bytes());
        self.multi = self.capabilities & cap::MULTI_STATEMENTS != 0;
        let interrupt = state.place.interrupt().clone();
        self.seat.attach(&response.user, state.killed.clone(), interrupt);
        if let Some(database) = &response.database
            && let Err(error) = self.session.use_database(database)
        {
            return Err(End::Error(error));
        }
        self.seat.sleep(self.session.state.database.as_deref());
        self.put_ok();
        Ok(true)
    }

    fn authenticate(
        &mut self,
        response: &Response,
        nonce: [u8; NONCE],
        deadline: Instant,
    ) -> Result<Option<Account>, End> {
        let Some(account) = self.shared.accounts.find(&response.user, self.origin) else { return Ok(None) };
        if account.locked {
            let name = account.name();
            return Err(End::Error(SqlError::new(
                4151,
                b"HY000",
                format!("Access denied, this account is locked: {name}"),
            )));
        }
        let mut answer = response.answer.clone();
        let mut nonce = nonce;
        if response.auth_method.as_deref() != Some(&account.plugin)
            && !(answer.is_empty() && account.is_open())
        {
            nonce = auth::nonce();
            handshake::encode_auth_switch(self.channel.out.begin(), &account.plugin, &nonce);
            self.channel.out.end();
            answer = self.more(deadline)?;
        }
        let passed = match account.plugin.as_str() {
            auth::NATIVE => match auth::native_from_text(&account.authentication) {
                Some(stored) => auth::native_check(&answer, &nonce, &stored),
                None => account.authentication.is_empty() && answer.is_empty(),
            },
            auth::CACHING_SHA2 => self.caching_sha2(&account, &answer, &nonce, deadline)?,
            _ => false,
        };
        Ok(passed.then_some(account))
    }

    /// The client's next packet of an authentication exchange.
    fn more(&mut self, deadline: Instant) -> Result<Vec<u8>, End> {
        let seq = self.channel.out.seq();
        let payload = self.channel.next(&self.shared, HANDSHAKE_PACKET, seq, deadline)?;
        Ok(self.channel.input.payload(&payload).to_vec())
    }

    fn caching_sha2(
        &mut self,
        account: &Account,
        answer: &[u8],
        nonce: &[u8; NONCE],
        deadline: Instant,
    ) -> Result<bool, End> {
        if account.authentication.is_empty() {
            return Ok(answer.is_empty() || answer == [0]);
        }
        let name = account.name();
        if let Some(cached) = self.shared.accounts.cached(&name)
            && auth::sha2_check(answer, nonce, &cached)
        {
            handshake::encode_auth_more(self.channel.out.begin(), &[auth::SHA2_FAST_OK]);
            self.channel.out.end();
            return Ok(true);
        }
        handshake::encode_auth_more(self.channel.out.begin(), &[auth::SHA2_FULL]);
        self.channel.out.end();
        let packet = self.more(deadline)?;
        let password = if self.origin.is_secure() {
            packet.strip_suffix(&[0]).map(<[u8]>::to_vec)
        } else {
            let Some(key) = self.shared.accounts.rsa_key() else { return Ok(false) };
            let secret = if packet == [auth::SHA2_KEY_REQUEST] {
                handshake::encode_auth_more(self.channel.out.begin(), key.public_pem().as_bytes());
                self.channel.out.end();
                self.more(deadline)?
            } else {
                packet
            };
            key.password(&secret, nonce)
        };
        let Some(password) = password else { return Ok(false) };
        let stored = unhex(&account.authentication);
        let right = auth::sha2_check_password(&password, &stored);
        if right {
            self.shared.accounts.cache(&name, &password);
        }
        Ok(right)
    }

    /// COM_CHANGE_USER: another client on the same connection.
    pub(super) fn change_user(&mut self, body: &[u8]) -> Result<(), End> {
        let response = handshake::decode_change_user(body, self.capabilities)?;
        self.session.reset();
        self.session.state.database = None;
        self.statements.clear();
        let nonce = auth::nonce();
        handshake::encode_auth_switch(self.channel.out.begin(), auth::NATIVE, &nonce);
        self.channel.out.end();
        let deadline = Instant::now() + HANDSHAKE_TIME;
        let answer = self.more(deadline)?;
        let response = Response { answer, auth_method: Some(auth::NATIVE.into()), ..response };
        self.let_in("Change user", &response, nonce, deadline).map(|_| ())
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let pair = |i: usize| digits.get(2 * i..2 * i + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len() / 2).filter_map(pair).collect()
}
