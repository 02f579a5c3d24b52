//! One client: handshake, then commands until it goes.
//!
//! Commands that a client pipelined are answered in order, and their answers go out with one write: the output is sent
//! when no whole command is left in the input, or when it has grown large.

mod ahead;
mod bulk;

use crate::accounts::Origin;
use crate::input::{Input, Next, Payload};
use crate::parameter::parameter_value;
use crate::processes::Entry;
use crate::server::Shared;
use crate::status::Counter;
use crate::wire::{Cursor, Upload, Wire, flush, put_column, put_error};
use ahead::Ahead;
use hashbrown::HashMap;
use protocol::command::{Command, ParameterType, decode_parameters};
use protocol::flags::capability as cap;
use protocol::handshake::{self, FirstPacket, Greeting, NONCE, Response};
use protocol::packet::PacketBuffer;
use protocol::{ProtocolError, auth, reply};
use runtime::net::{Peer, Stream};
use runtime::turn_time;
use sql::admin::account::record::Account;
use sql::error::SqlError;
use sql::output::{ColumnMeta, Gone};
use sql::session::Session;
use std::sync::Arc;
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
/// Time that a client has to take what it is sent (`net_write_timeout`).
const WRITE_TIME: Duration = Duration::from_secs(60);
/// Input that is read at once.
const READ_CHUNK: usize = 16 << 10;
/// Longest packet before a client has been let in: user name, answer, attributes.
const HANDSHAKE_PACKET: usize = 64 << 10;

/// Input and output of a connection.
struct Channel {
    stream: Stream,
    input: Input,
    out: PacketBuffer,
}

/// Why a connection ends.
enum End {
    /// The client said goodbye, or is gone.
    Quiet,
    /// Its bytes make no sense or it must go: it hears why first.
    Error(SqlError),
}

impl From<Gone> for End {
    fn from(_: Gone) -> Self {
        Self::Quiet
    }
}

impl From<ProtocolError> for End {
    fn from(error: ProtocolError) -> Self {
        Self::Error(match error {
            ProtocolError::TooLarge { .. } => SqlError::packet_too_large(),
            ProtocolError::OutOfOrder { .. } => SqlError::new(1156, b"08S01", "Got packets out of order"),
            other => SqlError::new(1835, b"HY000", format!("Malformed communication packet: {other}")),
        })
    }
}

impl Channel {
    /// The next payload, if all of it is here; else how many bytes it needs.
    fn whole(&mut self, limit: usize, seq: u8) -> Result<Result<Payload, usize>, End> {
        match self.input.next(limit, seq)? {
            Next::Whole(payload, seq) => {
                self.out.set_seq(seq.wrapping_add(1));
                Ok(Ok(payload))
            }
            Next::Partial(need) => Ok(Err(need)),
        }
    }

    /// The next payload; waits for it until `deadline`, once all answers are sent.
    fn next(&mut self, shared: &Shared, limit: usize, seq: u8, deadline: Instant) -> Result<Payload, End> {
        loop {
            let need = match self.whole(limit, seq)? {
                Ok(payload) => return Ok(payload),
                Err(need) => need,
            };
            let Channel { stream, input, out } = self;
            if !input.answer_and_fill(stream, out, need, READ_CHUNK, deadline, &shared.status) {
                return Err(End::Quiet);
            }
        }
    }
}

/// COM_REFRESH as a statement.
fn refresh_text(bits: u8) -> String {
    // Tables have no files of their own to close, so their bit stands for nothing beside others.
    const TARGETS: [(u8, &str); 4] = [(1, "PRIVILEGES"), (2, "LOGS"), (8, "HOSTS"), (16, "STATUS")];
    let wanted: Vec<&str> =
        TARGETS.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name).collect();
    format!("FLUSH {}", if wanted.is_empty() { "TABLES".to_owned() } else { wanted.join(", ") })
}

/// Serves one connection to its end.
pub fn serve(shared: &Arc<Shared>, stream: Stream) {
    shared.status.add(Counter::Connections, 1);
    let origin = match stream.peer() {
        Peer::Tcp(address) => Origin::Address(address.ip()),
        Peer::Unix { .. } => Origin::Socket,
    };
    let host = match stream.peer() {
        Peer::Tcp(address) if !address.ip().is_loopback() => address.to_string(),
        Peer::Tcp(address) => format!("localhost:{}", address.port()),
        Peer::Unix { .. } => "localhost".into(),
    };
    stream.set_write_deadline(None);
    let seat = shared.processes.enter(&host, stream.close_handle());
    let entry = &seat.entry;
    let channel = Channel { stream, input: Input::default(), out: PacketBuffer::new() };
    let mut connection = Connection {
        shared: shared.clone(),
        channel,
        entry: entry.clone(),
        origin,
        capabilities: 0,
        session: Session::new(shared.engine.clone(), shared.clone(), entry.id()),
        statements: HashMap::new(),
        multi: false,
        command_bytes: Vec::new(),
        ahead: Ahead::default(),
    };
    let ended = match connection.handshake() {
        Ok(true) => connection.run(),
        Ok(false) => Ok(()),
        Err(end) => Err(end),
    };
    if let Err(End::Error(error)) = ended {
        put_error(&error, &mut connection.channel.out);
    }
    let out = &mut connection.channel.out;
    let _ = flush(&connection.channel.stream, out, &shared.status);
    // The session ends before others can see it gone.
    drop(connection);
    drop(seat);
}

/// What a prepared statement keeps for the protocol.
#[derive(Default)]
struct StatementFacts {
    types: Vec<ParameterType>,
    long: HashMap<u16, Vec<u8>>,
    cursor: Option<Cursor>,
}

struct Connection {
    shared: Arc<Shared>,
    channel: Channel,
    entry: Arc<Entry>,
    origin: Origin,
    capabilities: u64,
    session: Session,
    statements: HashMap<u32, StatementFacts>,
    multi: bool,
    /// Memory of the command under way, used again and again.
    command_bytes: Vec<u8>,
    ahead: Ahead,
}

impl Connection {
    fn deprecate_eof(&self) -> bool {
        self.capabilities & cap::DEPRECATE_EOF != 0
    }

    /// Lets the client in, or not.
    fn handshake(&mut self) -> Result<bool, End> {
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
            connection_id: self.entry.id() as u32,
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
        self.let_in(&response, nonce, deadline)
    }

    /// Authenticates and sets the session up, for a new connection or COM_CHANGE_USER.
    fn let_in(&mut self, response: &Response, nonce: [u8; NONCE], deadline: Instant) -> Result<bool, End> {
        let account = self.authenticate(response, nonce, deadline)?;
        let Some(account) = account else {
            self.shared.status.add(Counter::AbortedConnects, 1);
            let using = if response.answer.is_empty() { "NO" } else { "YES" };
            let error = SqlError::access_denied(&response.user, self.origin.host(), using);
            return Err(End::Error(error));
        };
        let state = &mut self.session.state;
        state.user.clone_from(&response.user);
        state.client_host = self.origin.host();
        state.account = account.name();
        state.client_found_rows = self.capabilities & cap::FOUND_ROWS != 0;
        if let Some(collation) = CollationId::from_id(u16::from(response.collation))
            && collation.charset().min_char_bytes() == 1
        {
            state.vars.collation_connection = collation;
            state.vars.character_set_client = collation.charset().default_collation();
            state.vars.character_set_results = Some(collation.charset().default_collation());
        }
        self.multi = self.capabilities & cap::MULTI_STATEMENTS != 0;
        let interrupt = state.place.interrupt().clone();
        self.entry.attach(&response.user, &self.origin.host(), state.killed.clone(), interrupt);
        if let Some(database) = &response.database
            && let Err(error) = self.session.use_database(database)
        {
            return Err(End::Error(error));
        }
        self.entry.sleep(self.session.state.database.as_deref());
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

    fn put_ok(&mut self) {
        let ok = reply::Ok { status: self.session.state.status_bits(), ..reply::Ok::default() };
        ok.encode(self.channel.out.begin());
        self.channel.out.end();
    }

    fn put_eof(&mut self) {
        reply::encode_eof(self.channel.out.begin(), self.session.state.status_bits(), 0);
        self.channel.out.end();
    }

    /// How long the client may say nothing: `wait_timeout`, within a transaction no longer than
    /// `idle_transaction_timeout`.
    fn idle_time(&self) -> Duration {
        let state = &self.session.state;
        Duration::from_secs(match (state.vars.wait_timeout, state.vars.idle_transaction_timeout) {
            (idle, within) if within > 0 && state.in_transaction() => idle.min(within),
            (idle, _) => idle,
        })
    }

    /// Commands until the client goes.
    fn run(&mut self) -> Result<(), End> {
        loop {
            self.look_ahead();
            let limit = self.shared.options.max_allowed_packet;
            let payload = match self.channel.whole(limit, 0)? {
                Ok(payload) => payload,
                Err(_) => {
                    self.entry.sleep(self.session.state.database.as_deref());
                    self.channel.next(&self.shared, limit, 0, turn_time() + self.idle_time())?
                }
            };
            self.shared.status.add(Counter::Questions, 1);
            self.channel.stream.set_write_deadline(Some(turn_time() + WRITE_TIME));
            // The payload is taken out of the input for the command's time, which may read and write the channel.
            let mut bytes = std::mem::take(&mut self.command_bytes);
            match payload {
                Payload::Joined(joined) => bytes = joined,
                payload => {
                    bytes.clear();
                    bytes.extend_from_slice(self.channel.input.payload(&payload));
                }
            }
            let goes_on = self.command(&bytes);
            bytes.shrink_to(READ_CHUNK);
            self.command_bytes = bytes;
            if !goes_on? {
                return Ok(());
            }
            let killed = self.session.state.killed.load(std::sync::atomic::Ordering::Relaxed);
            if killed == sql::session::kill::CONNECTION {
                return Ok(());
            }
            if self.shared.is_poisoned() {
                return Ok(());
            }
        }
    }

    /// Runs one command; false when the client wants to go.
    fn command(&mut self, payload: &[u8]) -> Result<bool, End> {
        let command = match Command::decode(payload) {
            Ok(command) => command,
            Err(error) => {
                let End::Error(error) = End::from(error) else { return Ok(false) };
                put_error(&error, &mut self.channel.out);
                return Ok(true);
            }
        };
        match command {
            Command::Quit => return Ok(false),
            Command::Query(text) => self.query(text)?,
            Command::Ping => self.put_ok(),
            Command::InitDb(name) => {
                let name = String::from_utf8_lossy(name).into_owned();
                let changed = self.session.use_database(&name);
                self.answer(changed);
            }
            Command::StmtPrepare(text) => self.prepare(text),
            Command::StmtExecute { id, cursor, parameters } => self.execute(id, cursor, parameters)?,
            Command::StmtBulkExecute { id, flags, sets } => self.execute_bulk(id, flags, sets)?,
            Command::StmtFetch { id, rows } => self.fetch(id, rows)?,
            Command::StmtSendLongData { id, parameter, data } => self.long_data(id, parameter, data),
            Command::StmtReset(id) => {
                self.shared.status.add(Counter::StmtReset, 1);
                let known = self.statements.get_mut(&id).map(|facts| {
                    facts.long.clear();
                    facts.cursor = None;
                });
                self.answer(known.ok_or_else(|| SqlError::unknown_stmt_handler(id, "mysqld_stmt_reset")));
            }
            Command::StmtClose(id) => {
                self.statements.remove(&id);
                self.session.close_prepared(id);
            }
            Command::FieldList { table, wildcard } => self.field_list(table, wildcard),
            Command::Statistics => {
                let line = self.shared.statistics();
                self.channel.out.begin().extend_from_slice(line.as_bytes());
                self.channel.out.end();
            }
            Command::ResetConnection => {
                self.session.reset();
                self.statements.clear();
                self.put_ok();
            }
            Command::ChangeUser(body) => self.change_user(body)?,
            Command::SetOption(option) => match option {
                0 | 1 => {
                    self.multi = option == 0;
                    match self.deprecate_eof() {
                        true => {
                            let status = self.session.state.status_bits();
                            let ok = reply::Ok { status, ..reply::Ok::default() };
                            ok.encode_end_of_rows(self.channel.out.begin());
                            self.channel.out.end();
                        }
                        false => self.put_eof(),
                    }
                }
                _ => put_error(&SqlError::unknown_command(), &mut self.channel.out),
            },
            Command::ProcessInfo => self.query(b"SHOW PROCESSLIST")?,
            Command::ProcessKill(id) => {
                self.query(format!("KILL {id}").as_bytes())?;
            }
            // As statements, so that the account's privileges count.
            Command::Shutdown => self.query(b"SHUTDOWN")?,
            Command::Refresh(bits) => self.query(refresh_text(bits).as_bytes())?,
            Command::Debug => self.put_eof(),
            Command::Unknown(_) => put_error(&SqlError::unknown_command(), &mut self.channel.out),
        }
        Ok(true)
    }

    fn answer(&mut self, result: Result<(), SqlError>) {
        match result {
            Ok(()) => self.put_ok(),
            Err(error) => put_error(&error, &mut self.channel.out),
        }
    }

    fn query(&mut self, text: &[u8]) -> Result<(), End> {
        self.entry.begin("Query", text);
        let foreseen = self.ahead.take(self.channel.input.position());
        let Channel { stream, out, input } = &mut self.channel;
        let deprecate = self.capabilities & cap::DEPRECATE_EOF != 0;
        let mut wire = Wire::new(stream, out, &self.shared.status, deprecate, false);
        let limit = self.shared.options.max_allowed_packet;
        let sends_files = self.capabilities & cap::LOCAL_FILES != 0;
        wire.upload = sends_files.then_some(Upload { input, limit });
        Ok(self.session.query_foreseen(text, foreseen, self.multi, &mut wire)?)
    }

    fn prepare(&mut self, text: &[u8]) {
        self.entry.begin("Prepare", text);
        let prepared = self.session.prepare(text);
        let info = match prepared {
            Ok(info) => info,
            Err(error) => return put_error(&error, &mut self.channel.out),
        };
        self.statements.insert(info.id, StatementFacts::default());
        let (columns, parameters) = (info.columns.len() as u16, info.parameters as u16);
        let warnings = self.session.state.diagnostics.count();
        let deprecate = self.deprecate_eof();
        let status = self.session.state.status_bits();
        let out = &mut self.channel.out;
        reply::encode_prepare_ok(out.begin(), info.id, columns, parameters, warnings);
        out.end();
        if parameters > 0 {
            let parameter = reply::Column {
                name: b"?",
                collation: CollationId::BINARY.id(),
                wire_type: protocol::flags::wire_type::NULL,
                flags: sql::output::flag::BINARY,
                ..reply::Column::default()
            };
            for _ in 0..parameters {
                parameter.encode(out.begin());
                out.end();
            }
            if !deprecate {
                reply::encode_eof(out.begin(), status, 0);
                out.end();
            }
        }
        if columns > 0 {
            let charset = self.session.state.wire_options().charset;
            for meta in &info.columns {
                put_column(meta, charset, out.begin());
                out.end();
            }
            if !deprecate {
                reply::encode_eof(out.begin(), status, 0);
                out.end();
            }
        }
    }

    fn execute(&mut self, id: u32, cursor: u8, body: &[u8]) -> Result<(), End> {
        self.shared.status.add(Counter::StmtExecute, 1);
        let foreseen = self.ahead.take(self.channel.input.position());
        let values = match foreseen {
            Some(_) => Vec::new(),
            None => match self.parameters(id, body) {
                Ok(values) => values,
                Err(error) => {
                    put_error(&error, &mut self.channel.out);
                    return Ok(());
                }
            },
        };
        self.entry.begin("Execute", b"");
        let Channel { stream, out, .. } = &mut self.channel;
        let deprecate = self.capabilities & cap::DEPRECATE_EOF != 0;
        let mut wire = Wire::new(stream, out, &self.shared.status, deprecate, true);
        wire.cursor = (cursor & 1 != 0).then(Cursor::default);
        let ran = match foreseen {
            Some(foreseen) => self.session.execute_foreseen(&foreseen, &mut wire),
            None => self.session.execute(id, &values, &mut wire),
        };
        let rows = wire.cursor.take();
        if let Some(facts) = self.statements.get_mut(&id) {
            facts.cursor = rows;
        }
        Ok(ran?)
    }

    /// Reads the parameters of an execution; what was sent ahead of it is used up.
    fn parameters(&mut self, id: u32, body: &[u8]) -> Result<Vec<types::Value>, SqlError> {
        let (Some(count), Some(facts)) = (self.session.parameter_count(id), self.statements.get_mut(&id))
        else {
            return Err(SqlError::unknown_stmt_handler(id, "mysqld_stmt_execute"));
        };
        let long = std::mem::take(&mut facts.long);
        let is_long = |i: usize| long.contains_key(&(i as u16));
        let parameters = decode_parameters(body, count, &mut facts.types, is_long);
        let parameters = parameters.map_err(|_| SqlError::wrong_arguments("mysqld_stmt_execute"))?;
        let vars = &self.session.state.vars;
        let (client, connection) = (vars.character_set_client, vars.collation_connection);
        let value = |(i, parameter)| parameter_value(parameter, long.get(&(i as u16)), client, connection);
        Ok(parameters.iter().enumerate().map(value).collect())
    }

    fn fetch(&mut self, id: u32, rows: u32) -> Result<(), End> {
        self.shared.status.add(Counter::StmtFetch, 1);
        let status = self.session.state.status_bits();
        let deprecate = self.deprecate_eof();
        let Some(cursor) = self.statements.get_mut(&id).and_then(|facts| facts.cursor.as_mut()) else {
            put_error(&SqlError::no_open_cursor(id), &mut self.channel.out);
            return Ok(());
        };
        for _ in 0..rows {
            let Some(payload) = cursor.rows.pop_front() else { break };
            self.channel.out.begin().extend_from_slice(&payload);
            self.channel.out.end();
            if self.channel.out.len() >= READ_CHUNK * 4 {
                flush(&self.channel.stream, &mut self.channel.out, &self.shared.status)?;
            }
        }
        let last = cursor.rows.is_empty();
        let status = status
            | protocol::flags::status::CURSOR_EXISTS
            | if last { protocol::flags::status::LAST_ROW_SENT } else { 0 };
        match deprecate {
            true => reply::Ok { status, ..reply::Ok::default() }.encode_end_of_rows(self.channel.out.begin()),
            false => reply::encode_eof(self.channel.out.begin(), status, 0),
        }
        self.channel.out.end();
        Ok(())
    }

    fn long_data(&mut self, id: u32, parameter: u16, data: &[u8]) {
        self.shared.status.add(Counter::StmtSendLongData, 1);
        let limit = self.shared.options.max_allowed_packet;
        if let Some(facts) = self.statements.get_mut(&id) {
            let held: usize = facts.long.values().map(Vec::len).sum();
            // A client that sends more than a packet may hold is cut: the execution will find the data too long.
            let room = (limit + 1).saturating_sub(held);
            facts.long.entry(parameter).or_default().extend_from_slice(&data[..data.len().min(room)]);
        }
    }

    fn field_list(&mut self, table: &[u8], wildcard: &[u8]) {
        let table = String::from_utf8_lossy(table).into_owned();
        let columns = self.session.table_columns(&table);
        let columns: Vec<ColumnMeta> = match columns {
            Ok(columns) => columns,
            Err(error) => return put_error(&error, &mut self.channel.out),
        };
        let collation = CollationId::UTF8MB4_GENERAL_CI.collation();
        for meta in &columns {
            if !wildcard.is_empty() && !collation.like(meta.name.as_bytes(), wildcard, Some(u32::from('\\')))
            {
                continue;
            }
            let column = crate::wire::column(meta);
            column.encode_with_default(self.channel.out.begin(), meta.default.as_deref());
            self.channel.out.end();
        }
        match self.deprecate_eof() {
            true => {
                let ok = reply::Ok { status: self.session.state.status_bits(), ..reply::Ok::default() };
                ok.encode_end_of_rows(self.channel.out.begin());
                self.channel.out.end();
            }
            false => self.put_eof(),
        }
    }

    fn change_user(&mut self, body: &[u8]) -> Result<(), End> {
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
        self.let_in(&response, nonce, deadline).map(|_| ())
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let pair = |i: usize| digits.get(2 * i..2 * i + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len() / 2).filter_map(pair).collect()
}
