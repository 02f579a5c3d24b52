//! A server of a test's own: its own directory and socket, ended by its own pid, its log looked through at the end.

#![allow(dead_code)]

pub mod random;
pub mod tools;

use protocol::client::{Client, QueryResult};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub type Connection = Client<UnixStream>;

/// A running server.
pub struct Server {
    child: Option<Child>,
    dir: tempfile::TempDir,
    data: PathBuf,
    options: Vec<String>,
    /// How often it was started.
    starts: usize,
    /// Texts of WARN and ERROR lines that the test expects.
    pub expected: Vec<&'static str>,
}

impl Server {
    /// Starts one over a new directory.
    pub fn start(options: &[&str]) -> Server {
        let mut server = Server::stopped(options);
        server.restart();
        server
    }

    /// One that is not started yet, over a new directory.
    pub fn stopped(options: &[&str]) -> Server {
        let dir = tempfile::tempdir().expect("make a directory");
        let data = dir.path().join("data");
        let options = options.iter().map(|o| (*o).to_owned()).collect();
        Server { child: None, dir, data, options, starts: 0, expected: Vec::new() }
    }

    /// One that is not started yet, over a data directory elsewhere.
    pub fn stopped_at(data: &Path, options: &[&str]) -> Server {
        let mut server = Server::stopped(options);
        server.data = data.to_owned();
        server
    }

    /// The data directory.
    pub fn data_dir(&self) -> PathBuf {
        self.data.clone()
    }

    /// The unix socket.
    pub fn socket(&self) -> PathBuf {
        self.dir.path().join("s.sock")
    }

    fn log(&self) -> PathBuf {
        self.dir.path().join("log")
    }

    /// Starts the server again over its directory and waits until it answers.
    pub fn restart(&mut self) {
        assert!(self.try_restart(), "the server does not start: {}", self.log_text());
    }

    /// Starts the server again over its directory; whether it came to answer.
    pub fn try_restart(&mut self) -> bool {
        self.spawn();
        let begun = Instant::now();
        while self.try_connect(None).is_none() {
            let child = self.child.as_mut().expect("a child");
            if child.try_wait().expect("wait").is_some() {
                self.child = None;
                return false;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "the server does not answer: {}",
                self.log_text()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        true
    }

    /// Forgets what the server printed so far.
    pub fn clear_log(&mut self) {
        let _ = std::fs::remove_file(self.log());
    }

    /// Starts the server without waiting.
    pub fn spawn(&mut self) {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.log()).expect("open log");
        let child = Command::new(binary(self.starts))
            .arg("serve")
            .arg("--datadir")
            .arg(self.data_dir())
            .arg("--socket")
            .arg(self.socket())
            .args(["--port", "0"])
            .args(self.default_pool())
            .args(&self.options)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("clone log"))
            .stderr(log)
            .spawn()
            .expect("start penstock");
        self.child = Some(child);
        self.starts += 1;
    }

    fn default_pool(&self) -> &'static [&'static str] {
        match self.options.iter().any(|option| option == "--buffer-pool-size") {
            true => &[],
            false => &["--buffer-pool-size", "64M"],
        }
    }

    /// The server's process id.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().expect("a child").id()
    }

    /// kill -9.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("kill");
            child.wait().expect("wait");
        }
    }

    /// SIGTERM, and the server's exit.
    pub fn stop(&mut self) -> bool {
        let Some(mut child) = self.child.take() else { return true };
        let pid = child.id().to_string();
        Command::new("kill").arg("-TERM").arg(pid).status().expect("send SIGTERM");
        child.wait().expect("wait").success()
    }

    /// What the server printed.
    pub fn log_text(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// Waits for the server to end by itself; whether it did well.
    pub fn wait_end(&mut self) -> bool {
        self.child.take().is_none_or(|mut child| child.wait().expect("wait").success())
    }

    /// A connection, if the server gives one.
    pub fn try_connect(&self, database: Option<&str>) -> Option<Connection> {
        let stream = UnixStream::connect(self.socket()).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(300))).ok()?;
        Client::connect(stream, "root", "", database, true).ok()
    }

    /// A connection.
    pub fn connect(&self) -> Connection {
        self.try_connect(None).expect("connect")
    }

    /// A connection in a database.
    pub fn connect_to(&self, database: &str) -> Connection {
        self.try_connect(Some(database)).expect("connect")
    }

    /// A bare socket to the server, its greeting not read.
    pub fn raw(&self) -> UnixStream {
        let stream = UnixStream::connect(self.socket()).expect("connect");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set timeout");
        stream
    }

    /// Resident memory in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("read status");
        let line = status.lines().find(|l| l.starts_with("VmRSS:")).expect("VmRSS");
        line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number") * 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let stopped = self.stop();
        if std::thread::panicking() {
            eprintln!("the server's log:\n{}", self.log_text());
            return;
        }
        assert!(stopped, "the server did not stop cleanly: {}", self.log_text());
        for line in self.log_text().lines() {
            let bad = line.contains(" WARN ") || line.contains(" ERROR ") || line.contains("panicked");
            assert!(!bad || self.expected.iter().any(|e| line.contains(e)), "unexpected log line: {line}");
        }
    }
}

/// The server's program for its start `start`: the one just built, or those that `PENSTOCK_BINARY` names, in turn (so that
/// other builds may be tried with the same tests, and hand their directories to each other).
fn binary(start: usize) -> PathBuf {
    let Some(named) = std::env::var_os("PENSTOCK_BINARY") else {
        return env!("CARGO_BIN_EXE_penstock").into();
    };
    let named: Vec<PathBuf> = std::env::split_paths(&named).collect();
    named[start % named.len()].clone()
}

/// The first value of a query's first row, as text.
pub fn one(connection: &mut Connection, sql: &str) -> String {
    let rows = connection.rows(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    let value = rows.first().and_then(|row| row.first().cloned()).unwrap_or_else(|| panic!("{sql}: no row"));
    value.map_or_else(|| "NULL".to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs a statement that must succeed; gives the affected rows.
pub fn run(connection: &mut Connection, sql: &str) -> u64 {
    match connection.query(sql).unwrap_or_else(|e| panic!("{sql}: {e}")).pop() {
        Some(QueryResult::Done(ok)) => ok.affected_rows,
        Some(QueryResult::Rows { rows, .. }) => rows.len() as u64,
        None => 0,
    }
}

/// A packet as it goes over the wire.
pub fn packet(seq: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (payload.len() as u32).to_le_bytes()[..3].to_vec();
    bytes.push(seq);
    bytes.extend_from_slice(payload);
    bytes
}

/// Sends all statements, each a command of its own, with one write; the answers are to be read.
pub fn send_all<S: AsRef<str>>(
    connection: &mut Connection,
    statements: impl IntoIterator<Item = S>,
) -> std::io::Result<()> {
    let command = |sql: S| packet(0, &[b"\x03", sql.as_ref().as_bytes()].concat());
    let bytes: Vec<u8> = statements.into_iter().flat_map(command).collect();
    connection.stream().write_all(&bytes)
}

/// Reads until the other side closes, `most` bytes at most.
pub fn read_to_end(stream: &mut UnixStream, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    while bytes.len() < most {
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
        }
    }
    bytes
}

/// Where the shared inputs are, if they are here.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    Some(root.join(path)).filter(|path| path.exists())
}
