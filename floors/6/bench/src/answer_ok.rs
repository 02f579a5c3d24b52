//! A server that only reads, frames and answers OK, on the runtime's event loops: what the kernel and the loops cost, and
//! so the yardstick of every server on the same machine. It takes any account and understands nothing.

use crate::BenchError;
use protocol::flags::{capability as cap, status};
use protocol::handshake::{Greeting, NONCE};
use protocol::packet::{Frame, HEADER, PacketBuffer, frame, join};
use runtime::net::{CloseHandle, Listener, Stream, UnixOptions};
use runtime::{Runtime, RuntimeOptions};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

const CAPABILITIES: u64 = cap::CLIENT_MYSQL
    | cap::LONG_FLAG
    | cap::CONNECT_WITH_DB
    | cap::PROTOCOL_41
    | cap::TRANSACTIONS
    | cap::SECURE_CONNECTION
    | cap::PLUGIN_AUTH
    | cap::PLUGIN_AUTH_LENENC
    | cap::DEPRECATE_EOF;
/// Longest command taken.
const COMMAND_MAX: usize = 1 << 20;
/// Bytes read at once.
const READ_BYTES: usize = 64 << 10;
const QUIT: u8 = 0x01;
const PREPARE: u8 = 0x16;
const CLOSE_STATEMENT: u8 = 0x19;

/// One that runs; stops when dropped.
pub struct AnswerOk {
    runtime: Runtime,
    listening: Vec<CloseHandle>,
}

impl Drop for AnswerOk {
    fn drop(&mut self) {
        self.listening.iter().for_each(CloseHandle::close);
        self.runtime.shutdown(Duration::from_secs(1));
    }
}

/// Listens on a unix socket, and on a TCP port of 127.0.0.1 where one is given, with so many event loops (0: one a core).
pub fn start(socket: &Path, port: Option<u16>, threads: usize) -> Result<AnswerOk, BenchError> {
    let system = |what: &str, e| BenchError::System(format!("{what} {}", socket.display()), e);
    let options = RuntimeOptions { threads, ..RuntimeOptions::default() };
    let runtime = Runtime::start(options).map_err(|e| system("start event loops for", e))?;
    let mut listeners = Vec::new();
    if let Some(port) = port {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let bound = Listener::bind_tcp(address);
        listeners.push(bound.map_err(|e| BenchError::System(format!("listen on {address}"), e))?);
    }
    // The socket last: who finds it may use the port, too.
    let bound = Listener::bind_unix(socket, UnixOptions::default());
    listeners.push(bound.map_err(|e| system("listen on", e))?);
    let listening = listeners.into_iter().map(|listener| {
        listener.serve(
            &runtime,
            // A client that goes away in the middle of a packet is nobody's error.
            |stream| drop(serve(&stream)),
            |error| eprintln!("accept a connection: {error}"),
        )
    });
    let listening = listening.collect();
    Ok(AnswerOk { runtime, listening })
}

fn serve(stream: &Stream) -> io::Result<()> {
    let (mut input, mut output) = (Vec::new(), PacketBuffer::new());
    greeting().encode(output.begin());
    output.end();
    // The answer to the greeting, whatever it says, then commands; the first has sequence number 1.
    let mut seq = 1;
    loop {
        if stream.write_all_and_read(output.bytes(), &mut input, READ_BYTES)? == 0 {
            return Ok(());
        }
        output.clear(READ_BYTES);
        let mut at = 0;
        loop {
            let framed = frame(&input[at..], COMMAND_MAX, seq).map_err(io::Error::other)?;
            let (used, last, command) = match framed {
                Frame::Partial { .. } => break,
                Frame::Single { len, seq } => (HEADER + len, seq, input.get(at + HEADER).copied()),
                Frame::Split { total, seq, .. } => (total, seq, join(&input[at..], total).first().copied()),
            };
            at += used;
            output.set_seq(last.wrapping_add(1));
            match command.filter(|_| seq == 0) {
                Some(QUIT) => return Ok(()),
                Some(CLOSE_STATEMENT) => {}
                // Statement 1, without columns and parameters.
                Some(PREPARE) => answer(&mut output, &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
                _ => answer(&mut output, &OK),
            }
            seq = 0;
        }
        input.drain(..at);
    }
}

/// No rows, no insert id, autocommit, no warnings.
const OK: [u8; 7] = [0, 0, 0, status::AUTOCOMMIT as u8, 0, 0, 0];

fn answer(output: &mut PacketBuffer, payload: &[u8]) {
    output.begin().extend_from_slice(payload);
    output.end();
}

fn greeting() -> Greeting {
    Greeting {
        version: "answer-ok".into(),
        connection_id: 1,
        nonce: [b'x'; NONCE],
        capabilities: CAPABILITIES,
        collation: 45,
        status: status::AUTOCOMMIT,
        auth_method: "mysql_native_password".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;
    use crate::watch::Wish;
    use protocol::reply::Ok as OkPacket;

    #[test]
    fn ok_is_what_the_protocol_says() {
        let mut encoded = Vec::new();
        OkPacket { status: status::AUTOCOMMIT, ..OkPacket::default() }.encode(&mut encoded);
        assert_eq!(encoded, OK);
    }

    #[test]
    fn yesmark_counts_what_it_answers() {
        let dir = tempfile::tempdir().expect("make a directory");
        let socket = dir.path().join("s");
        let _server = start(&socket, None, 1).expect("start");
        let target = Target::parse(&socket.display().to_string()).expect("parse");
        for (depth, rate) in [(1, None), (50, None), (1, Some(2000.0)), (8, Some(20_000.0))] {
            let wish = Wish { connections: 3, depth, seconds: 0.3, rate, ..Wish::default() };
            let outcome = crate::yesmark::run(&target, &wish, true, true).expect("run");
            for phase in &outcome.phases {
                assert!(phase.total.answers > 30, "{phase:?}");
                assert_eq!(phase.total.answers, phase.total.latencies.len());
                assert_eq!(phase.total.complaints_count(), 0, "{phase:?}");
                if let Some(rate) = rate {
                    // No more than was intended, and not far less.
                    let intended = rate * 0.3;
                    let answers = phase.total.answers as f64;
                    assert!(
                        answers <= intended + 4.0 && answers >= intended / 4.0,
                        "{answers} of {intended}"
                    );
                }
            }
        }
    }
}
