//! What a client or a server sends: framing, handshake, commands, replies.

use protocol::command::{Command, decode_parameters};
use protocol::handshake::{FirstPacket, Greeting, NONCE, Response, decode_change_user};
use protocol::packet::{Frame, HEADER, PacketBuffer, frame, join};
use protocol::{auth, reply};

/// `max_allowed_packet` of the pretended session.
const LIMIT: usize = 1 << 20;
/// The server's random bytes of the pretended session.
const NONCE_BYTES: [u8; NONCE] = [0x55; NONCE];

/// Takes `data` as a stream of packets, and as a payload of each kind.
pub fn run(data: &[u8]) {
    let mut rest = data;
    let mut sequence = data.get(3).copied().unwrap_or(0);
    while let Ok(found) = frame(rest, LIMIT, sequence) {
        let (taken, last) = match found {
            Frame::Partial { need } => {
                assert!(need > rest.len(), "a partial frame wants more than there is");
                break;
            }
            Frame::Single { len, seq } => {
                payload(&rest[HEADER..HEADER + len]);
                (HEADER + len, seq)
            }
            Frame::Split { total, len, seq } => {
                let whole = join(rest, total);
                assert_eq!(whole.len(), len);
                payload(&whole);
                (total, seq)
            }
        };
        rest = &rest[taken..];
        sequence = last.wrapping_add(1);
    }
    payload(data);
}

fn payload(bytes: &[u8]) {
    if let Ok(Command::StmtExecute { parameters, .. }) = Command::decode(bytes) {
        execute(parameters);
    }
    if let Ok(Command::ChangeUser(body)) = Command::decode(bytes) {
        let _ = decode_change_user(body, u64::MAX);
        let _ = decode_change_user(body, 0);
    }
    execute(bytes);
    if let Ok(FirstPacket::Response(response)) = FirstPacket::decode(bytes) {
        let mut again = Vec::new();
        response.encode(&mut again);
    }
    let _ = Greeting::decode(bytes);
    let _ = reply::Ok::decode(bytes);
    let _ = reply::Err::decode(bytes);
    let _ = reply::OwnedColumn::decode(bytes);
    let _ = auth::native_from_text(&String::from_utf8_lossy(bytes));
    let _ = auth::native_check(bytes, &NONCE_BYTES, &[1; 20]);
    let _ = auth::sha2_check(bytes, &NONCE_BYTES, &[1; 32]);
}

/// Parameters of a statement: with types announced, and with those of an earlier execution.
fn execute(body: &[u8]) {
    for count in [1, 3, 9] {
        let mut types = Vec::new();
        let _ = decode_parameters(body, count, &mut types, |parameter| parameter == 2);
        let _ = decode_parameters(body, count, &mut types, |_| false);
    }
}

/// Packets of a usual session.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut out = PacketBuffer::new();
    for text in ["\u{3}SELECT 1", "\u{e}", "\u{2}test", "\u{16}INSERT INTO t VALUES (?, ?, ?)", "\u{4}t\0%"] {
        out.set_seq(0);
        out.begin().extend_from_slice(text.as_bytes());
        out.end();
    }
    let mut seeds = vec![out.bytes().to_vec()];
    let mut execute = vec![0x17, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0b010, 1];
    // LONGLONG, VAR_STRING (NULL), DATETIME, then their values.
    execute.extend([8, 0, 253, 0, 12, 0]);
    execute.extend(42_u64.to_le_bytes());
    execute.extend([11, 0xE8, 7, 2, 29, 23, 59, 59, 1, 2, 3, 0]);
    seeds.push(execute);
    let mut greeting = Vec::new();
    let hello = Greeting {
        version: "10.11.6-MariaDB".into(),
        connection_id: 7,
        nonce: NONCE_BYTES,
        capabilities: u64::MAX,
        collation: 45,
        status: 2,
        auth_method: "mysql_native_password".into(),
    };
    hello.encode(&mut greeting);
    seeds.push(greeting);
    let mut response = Vec::new();
    let answer = Response {
        capabilities: !0x800,
        max_packet: 1 << 24,
        collation: 45,
        user: "root".into(),
        answer: vec![7; 20],
        database: Some("test".into()),
        auth_method: Some("mysql_native_password".into()),
        attributes: vec![("_client_name".into(), "libmariadb".into())],
    };
    answer.encode(&mut response);
    seeds.push(response);
    let mut ok = Vec::new();
    let done =
        reply::Ok { affected_rows: 300, last_insert_id: 70_000, status: 2, warnings: 1, info: "x".into() };
    done.encode(&mut ok);
    seeds.push(ok);
    let mut column = Vec::new();
    let definition = reply::Column {
        schema: b"d",
        table: b"t",
        org_table: b"t",
        name: b"c",
        org_name: b"c",
        collation: 45,
        length: 40,
        wire_type: 253,
        flags: 0,
        decimals: 0,
    };
    definition.encode(&mut column);
    seeds.push(column);
    seeds
}
