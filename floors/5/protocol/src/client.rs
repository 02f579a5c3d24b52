//! A small blocking client over any `Read + Write`: what `penstock sql` and the tests speak through.

use crate::ProtocolError;
use crate::auth;
use crate::flags::{capability as cap, status, wire_type};
use crate::handshake::{Greeting, NONCE, Response};
use crate::packet::{Frame, HEADER, PacketBuffer, frame, join};
use crate::reply::{Err as ErrPacket, Ok as OkPacket, OwnedColumn};
use crate::wire::{Reader, put_lenenc_bytes};
use std::io::{Read, Write};

/// Why a call failed.
#[derive(Debug)]
pub enum ClientError {
    /// The connection broke.
    Io(std::io::Error),
    /// The server sent what the protocol does not know.
    Protocol(ProtocolError),
    /// The server answered with an error.
    Server(ErrPacket),
    /// The server wants an authentication method that this client does not have.
    AuthMethod(String),
}

impl std::fmt::Display for ClientError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "talk to server: {error}"),
            Self::Protocol(error) => write!(f, "{error}"),
            Self::Server(e) => {
                write!(f, "ERROR {} ({}): {}", e.number, String::from_utf8_lossy(&e.sqlstate), e.message)
            }
            Self::AuthMethod(name) => write!(f, "authentication method '{name}' is not known here"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<std::io::Error> for ClientError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ProtocolError> for ClientError {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}

/// A row of a text result: per column the text, or `None` for NULL.
pub type TextRow = Vec<Option<Vec<u8>>>;

/// One result of a query.
#[derive(Debug, Clone)]
pub enum QueryResult {
    /// A statement without rows.
    Done(OkPacket),
    /// Rows.
    Rows {
        /// The columns.
        columns: Vec<OwnedColumn>,
        /// The rows, as text (binary rows are turned into their raw bytes, see [`Client::execute`]).
        rows: Vec<TextRow>,
        /// Status and warnings.
        end: OkPacket,
    },
}

/// A statement prepared on the server.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// Statement id.
    pub id: u32,
    /// Number of parameters.
    pub parameters: u16,
    /// The result's columns, as far as they are known.
    pub columns: Vec<OwnedColumn>,
}

/// A value bound to a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// One of `flags::wire_type`.
    pub wire_type: u8,
    /// Whether an integer is unsigned.
    pub unsigned: bool,
    /// The value as the wire has it, texts with their lengths; `None` for NULL.
    pub value: Option<Vec<u8>>,
}

/// A connection.
pub struct Client<S> {
    stream: S,
    input: Vec<u8>,
    output: PacketBuffer,
    seq: u8,
    files: Option<fn(&str) -> Vec<u8>>,
    most_rows: usize,
    /// The server's greeting.
    pub greeting: Greeting,
}

/// The kind of the error behind more rows than [`Client::take_rows`] allows.
pub const TOO_MANY_ROWS: std::io::ErrorKind = std::io::ErrorKind::FileTooLarge;

/// The capabilities of [`Client::connect`].
pub const WANTED: u64 = cap::CLIENT_MYSQL
    | cap::LONG_FLAG
    | cap::PROTOCOL_41
    | cap::TRANSACTIONS
    | cap::SECURE_CONNECTION
    | cap::MULTI_STATEMENTS
    | cap::MULTI_RESULTS
    | cap::PS_MULTI_RESULTS
    | cap::PLUGIN_AUTH
    | cap::PLUGIN_AUTH_LENENC
    | cap::CONNECT_ATTRS
    | cap::DEPRECATE_EOF
    | cap::STMT_BULK;

impl<S: Read + Write> Client<S> {
    /// Does the handshake. `secure` says that nobody can listen (a unix socket): the password may
    /// then be sent as it is where the server asks for it.
    pub fn connect(
        stream: S,
        user: &str,
        password: &str,
        database: Option<&str>,
        secure: bool,
    ) -> Result<Self, ClientError> {
        Self::connect_with(stream, user, password, database, secure, WANTED)
    }

    /// As [`Client::connect`] with chosen capabilities.
    pub fn connect_with(
        stream: S,
        user: &str,
        password: &str,
        database: Option<&str>,
        secure: bool,
        capabilities: u64,
    ) -> Result<Self, ClientError> {
        let greeting = Greeting {
            version: String::new(),
            connection_id: 0,
            nonce: [0; NONCE],
            capabilities: 0,
            collation: 0,
            status: 0,
            auth_method: String::new(),
        };
        let (input, output) = (Vec::new(), PacketBuffer::new());
        let mut client = Self { stream, input, output, seq: 0, files: None, most_rows: usize::MAX, greeting };
        let first = client.receive()?;
        if first.first() == Some(&0xFF) {
            return Err(ClientError::Server(ErrPacket::decode(&first)?));
        }
        client.greeting = Greeting::decode(&first)?;
        let method = client.greeting.auth_method.clone();
        let answer = answer(&method, password.as_bytes(), &client.greeting.nonce).unwrap_or_default();
        let response = Response {
            capabilities: capabilities & client.greeting.capabilities,
            max_packet: 1 << 30,
            collation: 45,
            user: user.into(),
            answer,
            database: database.map(Into::into),
            auth_method: Some(method.clone()),
            attributes: vec![("_client_name".into(), "penstock".into())],
        };
        client.send(|out| response.encode(out))?;
        client.authenticate(method, password.as_bytes(), secure)?;
        Ok(client)
    }

    fn authenticate(&mut self, mut method: String, password: &[u8], secure: bool) -> Result<(), ClientError> {
        let mut nonce = self.greeting.nonce;
        loop {
            let packet = self.receive()?;
            match packet.first() {
                Some(0x00) => return Ok(()),
                Some(0xFF) => return Err(ClientError::Server(ErrPacket::decode(&packet)?)),
                Some(0xFE) => {
                    let mut r = Reader::new(&packet[1..]);
                    method = crate::handshake::lossy(r.zero_terminated("authentication method")?);
                    nonce.copy_from_slice(r.bytes(NONCE, "nonce")?);
                    let answer =
                        answer(&method, password, &nonce).ok_or(ClientError::AuthMethod(method.clone()))?;
                    self.send(|out| out.extend_from_slice(&answer))?;
                }
                Some(0x01) if method == auth::CACHING_SHA2 => match packet.get(1) {
                    Some(&auth::SHA2_FAST_OK) => {}
                    Some(&auth::SHA2_FULL) if secure => {
                        self.send(|out| {
                            out.extend_from_slice(password);
                            out.push(0);
                        })?;
                    }
                    Some(&auth::SHA2_FULL) => {
                        self.send(|out| out.push(auth::SHA2_KEY_REQUEST))?;
                        let key = self.receive()?;
                        let pem = crate::handshake::lossy(key.get(1..).unwrap_or_default());
                        let secret = auth::rsa_encrypt(password, &nonce, &pem)
                            .ok_or(ProtocolError::Malformed("public key"))?;
                        self.send(|out| out.extend_from_slice(&secret))?;
                    }
                    _ => return Err(ProtocolError::Malformed("authentication data").into()),
                },
                _ => return Err(ProtocolError::Malformed("authentication answer").into()),
            }
        }
    }

    fn send(&mut self, payload: impl FnOnce(&mut Vec<u8>)) -> Result<(), ClientError> {
        self.output.set_seq(self.seq);
        payload(self.output.begin());
        self.output.end();
        self.seq = self.output.seq();
        self.stream.write_all(self.output.bytes())?;
        self.stream.flush()?;
        self.output.clear(1 << 16);
        Ok(())
    }

    /// Sends a command without waiting for its answer.
    pub fn send_command(&mut self, command: u8, body: &[u8]) -> Result<(), ClientError> {
        self.seq = 0;
        self.send(|out| {
            out.push(command);
            out.extend_from_slice(body);
        })
    }

    /// The next reply answers a command whose bytes the caller has written itself.
    pub fn expect_reply(&mut self) {
        self.seq = 1;
    }

    /// Receives one payload.
    pub fn receive(&mut self) -> Result<Vec<u8>, ClientError> {
        loop {
            match frame(&self.input, usize::MAX, self.seq)? {
                Frame::Single { len, seq } => {
                    let payload = self.input[HEADER..HEADER + len].to_vec();
                    self.input.drain(..HEADER + len);
                    self.seq = seq.wrapping_add(1);
                    return Ok(payload);
                }
                Frame::Split { total, seq, .. } => {
                    let payload = join(&self.input, total);
                    self.input.drain(..total);
                    self.seq = seq.wrapping_add(1);
                    return Ok(payload);
                }
                Frame::Partial { .. } => {
                    let mut chunk = [0; 1 << 14];
                    let n = match self.stream.read(&mut chunk) {
                        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                        read => read?,
                    };
                    if n == 0 {
                        return Err(ClientError::Io(std::io::ErrorKind::UnexpectedEof.into()));
                    }
                    self.input.extend_from_slice(&chunk[..n]);
                }
            }
        }
    }

    /// Runs statements and gives all their results; the first error ends the list.
    pub fn query(&mut self, sql: &str) -> Result<Vec<QueryResult>, ClientError> {
        self.send_command(0x03, sql.as_bytes())?;
        self.results(false)
    }

    /// The rows of a single query.
    pub fn rows(&mut self, sql: &str) -> Result<Vec<TextRow>, ClientError> {
        Ok(self
            .query(sql)?
            .into_iter()
            .find_map(|r| match r {
                QueryResult::Rows { rows, .. } => Some(rows),
                QueryResult::Done(_) => None,
            })
            .unwrap_or_default())
    }

    /// Sends a command that is answered by a single OK.
    pub fn simple(&mut self, command: u8, body: &[u8]) -> Result<OkPacket, ClientError> {
        self.send_command(command, body)?;
        self.ok()
    }

    fn ok(&mut self) -> Result<OkPacket, ClientError> {
        let packet = self.receive()?;
        match packet.first() {
            Some(0xFF) => Err(ClientError::Server(ErrPacket::decode(&packet)?)),
            _ => Ok(OkPacket::decode(&packet)?),
        }
    }

    /// Reads the results of a command sent before.
    pub fn results(&mut self, binary: bool) -> Result<Vec<QueryResult>, ClientError> {
        let mut results = Vec::new();
        loop {
            let result = self.one_result(binary)?;
            let more = match &result {
                QueryResult::Done(ok) | QueryResult::Rows { end: ok, .. } => {
                    ok.status & status::MORE_RESULTS != 0
                }
            };
            results.push(result);
            if !more {
                return Ok(results);
            }
        }
    }

    /// Answers LOAD DATA LOCAL with what `files` makes of a file's name; wants the capability `LOCAL_FILES`.
    pub fn serve_files(&mut self, files: fn(&str) -> Vec<u8>) {
        self.files = Some(files);
    }

    /// Takes results of `most` rows at most: behind more an answer breaks off with an error, and the connection is of no use.
    pub fn take_rows(&mut self, most: usize) {
        self.most_rows = most;
    }

    /// Sends a file that the server asks for, and the empty packet behind it.
    fn send_file(&mut self, name: &[u8]) -> Result<(), ClientError> {
        let bytes = self.files.map(|files| files(&crate::handshake::lossy(name))).unwrap_or_default();
        if !bytes.is_empty() {
            self.send(|out| out.extend_from_slice(&bytes))?;
        }
        self.send(|_| {})
    }

    fn one_result(&mut self, binary: bool) -> Result<QueryResult, ClientError> {
        let mut head = self.receive()?;
        if head.first() == Some(&0xFB) {
            self.send_file(&head[1..])?;
            head = self.receive()?;
        }
        match head.first() {
            Some(0xFF) => return Err(ClientError::Server(ErrPacket::decode(&head)?)),
            Some(0x00) => return Ok(QueryResult::Done(OkPacket::decode(&head)?)),
            _ => {}
        }
        let count = Reader::new(&head).lenenc("column count")?;
        let mut columns = Vec::new();
        for _ in 0..count {
            columns.push(OwnedColumn::decode(&self.receive()?)?);
        }
        let mut rows = Vec::new();
        loop {
            let packet = self.receive()?;
            if rows.len() > self.most_rows {
                let most = self.most_rows;
                return Err(std::io::Error::new(TOO_MANY_ROWS, format!("more than {most} rows")).into());
            }
            match packet.first() {
                Some(0xFF) => return Err(ClientError::Server(ErrPacket::decode(&packet)?)),
                Some(0xFE) if packet.len() < 0xFF_FFFF => {
                    return Ok(QueryResult::Rows { columns, rows, end: OkPacket::decode(&packet)? });
                }
                _ if binary => rows.push(binary_row(&packet, &columns)?),
                _ => {
                    let mut r = Reader::new(&packet);
                    let row: Result<TextRow, _> = columns
                        .iter()
                        .map(|_| r.lenenc_or_null("value").map(|v| v.map(<[u8]>::to_vec)))
                        .collect();
                    rows.push(row?);
                }
            }
        }
    }

    /// Prepares a statement.
    pub fn prepare(&mut self, sql: &str) -> Result<Prepared, ClientError> {
        self.send_command(0x16, sql.as_bytes())?;
        let packet = self.receive()?;
        if packet.first() == Some(&0xFF) {
            return Err(ClientError::Server(ErrPacket::decode(&packet)?));
        }
        let mut r = Reader::new(&packet[1..]);
        let id = r.u32("statement id")?;
        let (column_count, parameters) = (r.u16("column count")?, r.u16("parameter count")?);
        for _ in 0..parameters {
            self.receive()?;
        }
        let columns: Result<_, ClientError> =
            (0..column_count).map(|_| Ok(OwnedColumn::decode(&self.receive()?)?)).collect();
        Ok(Prepared { id, parameters, columns: columns? })
    }

    /// Runs a prepared statement with its parameters as texts; values of binary rows come back
    /// as their bytes on the wire (little-endian integers, texts without length).
    pub fn execute(
        &mut self,
        statement: &Prepared,
        parameters: &[Option<&[u8]>],
    ) -> Result<Vec<QueryResult>, ClientError> {
        let text = |bytes: &&[u8]| {
            let mut value = Vec::new();
            put_lenenc_bytes(&mut value, bytes);
            value
        };
        let text = |value: &Option<&[u8]>| {
            let value = value.as_ref().map(text);
            Bound { wire_type: wire_type::VAR_STRING, unsigned: false, value }
        };
        self.execute_bound(statement, &parameters.iter().map(text).collect::<Vec<_>>(), true)
    }

    /// As [`Client::execute`], with parameters of any types. These are sent `with_types` or are those of the execution before.
    pub fn execute_bound(
        &mut self,
        statement: &Prepared,
        parameters: &[Bound],
        with_types: bool,
    ) -> Result<Vec<QueryResult>, ClientError> {
        let mut body = statement.id.to_le_bytes().to_vec();
        body.extend_from_slice(&[0, 1, 0, 0, 0]);
        if !parameters.is_empty() {
            let at = body.len();
            body.resize(at + parameters.len().div_ceil(8), 0);
            body.push(u8::from(with_types));
            for bound in parameters.iter().filter(|_| with_types) {
                body.extend_from_slice(&[bound.wire_type, if bound.unsigned { 0x80 } else { 0 }]);
            }
            for (i, bound) in parameters.iter().enumerate() {
                match &bound.value {
                    None => body[at + i / 8] |= 1 << (i % 8),
                    Some(value) => body.extend_from_slice(value),
                }
            }
        }
        self.send_command(0x17, &body)?;
        self.results(true)
    }

    /// The socket, for a caller that goes on by itself. Everything asked for must have been received.
    ///
    /// # Panics
    /// If an answer was not read: a bug of the caller.
    pub fn into_stream(self) -> S {
        assert!(self.input.is_empty(), "an answer was not read");
        self.stream
    }

    /// Says goodbye.
    pub fn quit(mut self) -> Result<(), ClientError> {
        self.send_command(0x01, &[])
    }

    /// The stream, to set deadlines on it.
    pub fn stream(&mut self) -> &mut S {
        &mut self.stream
    }
}

fn answer(method: &str, password: &[u8], nonce: &[u8; NONCE]) -> Option<Vec<u8>> {
    match method {
        auth::NATIVE => Some(auth::native_answer(password, nonce)),
        auth::CACHING_SHA2 => Some(auth::sha2_answer(password, nonce)),
        _ => None,
    }
}

fn binary_row(packet: &[u8], columns: &[OwnedColumn]) -> Result<TextRow, ClientError> {
    let mut r = Reader::new(packet);
    r.u8("row mark")?;
    let nulls = r.bytes((columns.len() + 2).div_ceil(8), "NULL bitmap")?;
    let mut row = Vec::with_capacity(columns.len());
    for (i, column) in columns.iter().enumerate() {
        if nulls[(i + 2) / 8] & 1 << ((i + 2) % 8) != 0 {
            row.push(None);
            continue;
        }
        let bytes = match column.wire_type {
            wire_type::TINY => r.bytes(1, "value")?,
            wire_type::SHORT | wire_type::YEAR => r.bytes(2, "value")?,
            wire_type::LONG | wire_type::INT24 | wire_type::FLOAT => r.bytes(4, "value")?,
            wire_type::LONGLONG | wire_type::DOUBLE => r.bytes(8, "value")?,
            wire_type::DATE | wire_type::DATETIME | wire_type::TIMESTAMP | wire_type::TIME => {
                let n = r.u8("value")?;
                r.bytes(usize::from(n), "value")?
            }
            _ => r.lenenc_bytes("value")?,
        };
        row.push(Some(bytes.to_vec()));
    }
    Ok(row)
}
