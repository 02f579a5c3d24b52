//! One client: handshake, then commands until it goes.
//!
//! Commands that a client pipelined are answered in order, and their answers go out with one write: the output is sent
//! when no whole command is left in the input, or when it has grown large. Nor is each of their commits waited for: what
//! they committed is forced before the output goes out.

mod ahead;
mod authentication;
mod bulk;

use crate::accounts::Origin;
use crate::input::{Input, Next, Payload};
use crate::parameter::{announced, parameter_value};
use crate::processes::Seat;
use crate::server::Shared;
use crate::slow_log::Begun;
use crate::status::Counter;
use crate::wire::{Cursor, Upload, Wire, flush, put_column, put_error};
use ahead::Ahead;
use hashbrown::HashMap;
use protocol::command::{Command, ParameterType, decode_parameters};
use protocol::flags::capability as cap;
use protocol::packet::{Mark, PacketBuffer};
use protocol::{ProtocolError, reply};
use runtime::net::{Peer, Stream};
use runtime::{Away, turn_time};
use sql::error::SqlError;
use sql::output::{ColumnMeta, Gone};
use sql::session::{Announced, MayOwe, Session};
use std::sync::Arc;
use std::time::{Duration, Instant};
use types::CollationId;

/// Time that a client has to take what it is sent (`net_write_timeout`).
const WRITE_TIME: Duration = Duration::from_secs(60);
/// Input that is read at once.
const READ_CHUNK: usize = 16 << 10;
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
    let channel = Channel { stream, input: Input::default(), out: PacketBuffer::new() };
    let mut connection = Connection {
        shared: shared.clone(),
        channel,
        origin,
        capabilities: 0,
        session: Session::new(shared.engine.clone(), shared.clone(), seat.id()),
        statements: HashMap::new(),
        multi: false,
        command_bytes: Vec::new(),
        ahead: Ahead::default(),
        owing: None,
        seat,
    };
    match connection.handshake() {
        Ok(true) => connection.stay(),
        Ok(false) => connection.end(End::Quiet),
        Err(end) => connection.end(end),
    }
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
    origin: Origin,
    capabilities: u64,
    session: Session,
    statements: HashMap<u32, StatementFacts>,
    multi: bool,
    /// Memory of the command under way, used again and again.
    command_bytes: Vec<u8>,
    ahead: Ahead,
    /// Where answers begin in the output that may not go out before what they tell of is forced.
    owing: Option<Mark>,
    /// Last: the session ends before others can see it gone.
    seat: Seat,
}

impl Connection {
    /// Serves a client that has been let in, on this event loop until another one is to go on.
    fn stay(mut self) {
        match self.run() {
            Ok(away) => self.leave(away),
            Err(end) => self.end(end),
        }
    }

    fn end(mut self, end: End) {
        let end = self.pay().err().unwrap_or(end);
        if let End::Error(error) = end {
            put_error(&error, &mut self.channel.out);
        }
        let _ = flush(&self.channel.stream, &mut self.channel.out, &self.shared.status);
    }

    /// Goes on where it was called to. The answer to the last command may be still to be sent.
    fn leave(self, away: Away) {
        let Connection {
            shared,
            channel,
            origin,
            capabilities,
            session,
            statements,
            multi,
            command_bytes,
            seat,
            ..
        } = self;
        let session = session.leave();
        shared.status.add(Counter::ConnectionsMoved, 1);
        away.go(move || {
            let (session, ahead, owing) = (session.arrive(), Ahead::default(), None);
            Connection {
                shared,
                channel,
                origin,
                capabilities,
                session,
                statements,
                multi,
                command_bytes,
                ahead,
                owing,
                seat,
            }
            .stay();
        });
    }

    /// Whether another event loop is to go on, now that nothing of the client's waits here.
    fn called_away(&self) -> Option<Away> {
        self.session.can_leave().then(runtime::called_away).flatten()
    }

    /// Waits for the force of what the answers in the output tell of; an error in their place where it fails.
    fn pay(&mut self) -> Result<(), End> {
        let Some(from) = self.owing.take() else { return Ok(()) };
        self.session.pay().map_err(|error| {
            self.channel.out.take_back(from);
            End::Error(error)
        })
    }

    /// Which of the next command's commits may wait for those behind them.
    fn may_owe(&self, limit: usize) -> MayOwe {
        match self.channel.input.has_waiting(limit) {
            true => MayOwe::All,
            false if self.multi => MayOwe::Within,
            false => MayOwe::Nothing,
        }
    }

    fn deprecate_eof(&self) -> bool {
        self.capabilities & cap::DEPRECATE_EOF != 0
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

    /// Commands until the client goes, or another event loop is to go on.
    fn run(&mut self) -> Result<Away, End> {
        loop {
            self.look_ahead();
            let limit = self.shared.options.max_allowed_packet;
            let payload = match self.channel.whole(limit, 0)? {
                Ok(payload) => payload,
                Err(_) => {
                    self.pay()?;
                    if let Some(away) = self.called_away() {
                        return Ok(away);
                    }
                    self.seat.sleep(self.session.state.database.as_deref());
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
            let begun = Begun::now(&self.session.state);
            let may_owe = self.may_owe(limit);
            if may_owe != MayOwe::Nothing {
                self.owing.get_or_insert(self.channel.out.mark());
            }
            self.session.let_commits_owe(may_owe);
            let goes_on = self.command(&bytes);
            begun.end(&self.session, &bytes, &self.shared.options.datadir);
            bytes.shrink_to(READ_CHUNK);
            self.command_bytes = bytes;
            let killed = self.session.state.killed.load(std::sync::atomic::Ordering::Relaxed);
            let is_poisoned = self.shared.is_poisoned();
            // A force that failed has poisoned the engine: then the answers stay to be taken back.
            if !self.session.owes() && !is_poisoned {
                self.owing = None;
            }
            if !goes_on? || killed == sql::session::kill::CONNECTION || is_poisoned {
                return Err(End::Quiet);
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
        if !matches!(
            command,
            Command::Query(_) | Command::StmtExecute { .. } | Command::StmtBulkExecute { .. }
        ) {
            self.pay()?;
        }
        match command {
            Command::Quit => {
                self.log("Quit", b"");
                return Ok(false);
            }
            Command::Query(text) => self.query(text)?,
            Command::Ping => self.put_ok(),
            Command::InitDb(name) => {
                self.log("Init DB", name);
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
                self.log("Reset stmt", b"");
                let known = self.statements.get_mut(&id).map(|facts| {
                    facts.long.clear();
                    facts.cursor = None;
                });
                self.answer(known.ok_or_else(|| SqlError::unknown_stmt_handler(id, "mysqld_stmt_reset")));
            }
            Command::StmtClose(id) => {
                self.log("Close stmt", b"");
                self.statements.remove(&id);
                self.session.close_prepared(id);
            }
            Command::FieldList { table, wildcard } => self.field_list(table, wildcard),
            Command::Statistics => {
                self.log("Statistics", b"");
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

    /// For the general log: a command by MariaDB's name of it. Statements are told as they are read.
    fn log(&self, command: &'static str, argument: &[u8]) {
        self.session.state.log_command(command, argument);
    }

    fn answer(&mut self, result: Result<(), SqlError>) {
        match result {
            Ok(()) => self.put_ok(),
            Err(error) => put_error(&error, &mut self.channel.out),
        }
    }

    fn query(&mut self, text: &[u8]) -> Result<(), End> {
        self.seat.begin("Query", text);
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
        self.seat.begin("Prepare", text);
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
        let (values, announced) = match foreseen {
            Some(_) => Default::default(),
            None => match self.parameters(id, body) {
                Ok(parameters) => parameters,
                Err(error) => {
                    put_error(&error, &mut self.channel.out);
                    return Ok(());
                }
            },
        };
        self.seat.begin("Execute", b"");
        let sends_files = self.capabilities & cap::LOCAL_FILES != 0;
        let limit = self.shared.options.max_allowed_packet;
        let Channel { stream, out, input } = &mut self.channel;
        let deprecate = self.capabilities & cap::DEPRECATE_EOF != 0;
        let mut wire = Wire::new(stream, out, &self.shared.status, deprecate, true);
        wire.upload = sends_files.then_some(Upload { input, limit });
        wire.cursor = (cursor & 1 != 0).then(Cursor::default);
        let ran = match foreseen {
            Some(foreseen) => self.session.execute_foreseen(&foreseen, &mut wire),
            None => self.session.execute(id, &values, announced, &mut wire),
        };
        let rows = wire.cursor.take();
        if let Some(facts) = self.statements.get_mut(&id) {
            facts.cursor = rows;
        }
        Ok(ran?)
    }

    /// Reads the parameters of an execution, and what they are announced as; what was sent ahead of it is used up.
    fn parameters(&mut self, id: u32, body: &[u8]) -> Result<(Vec<types::Value>, Announced), SqlError> {
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
        let value = |(i, (parameter, ty)): (usize, (_, &_))| {
            parameter_value(parameter, *ty, long.get(&(i as u16)), client, connection)
        };
        let values = parameters.iter().zip(&facts.types).enumerate().map(value).collect();
        Ok((values, announced(&facts.types)))
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
        self.log("Field List", &[table, wildcard].join(&b' '));
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
}
