//! Servers started for a comparison: Penstock as it is released and MariaDB, alike in memory and durability.

use protocol::client::{Client, TextRow};
use std::ffi::OsString;
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How a server is started.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// MariaDB writes a binlog, forced at each commit. (Penstock's log is one.)
    pub binlog: bool,
    /// Each force takes so much longer, in microseconds: `strace` holds `fdatasync` and `fsync` back, and nothing else.
    pub force_delay_us: u64,
}

impl Default for Setting {
    fn default() -> Setting {
        Setting { binlog: true, force_delay_us: 0 }
    }
}

/// A server under test; killed by its own pid when dropped.
pub struct Server {
    /// Its name in reports.
    pub name: &'static str,
    /// The process.
    pub child: Child,
    /// Where it listens.
    pub socket: PathBuf,
    /// Where it listens on 127.0.0.1.
    pub port: u16,
    /// How it is started.
    command: Vec<OsString>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end("TERM");
    }
}

impl Server {
    fn start(
        name: &'static str,
        socket: PathBuf,
        port: u16,
        command: Vec<OsString>,
    ) -> Result<Server, String> {
        let child = spawn(&command)?;
        Ok(Server { name, child, socket, port, command })
    }

    fn end(&mut self, signal: &str) {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").arg(format!("-{signal}")).arg(pid).status();
        let _ = self.child.wait();
    }

    /// Ends it by a signal and starts it again; how long until it answers.
    pub fn restart(&mut self, signal: &str) -> Result<Duration, String> {
        self.end(signal);
        let begun = Instant::now();
        self.child = spawn(&self.command)?;
        let mut tries = 0;
        while UnixStream::connect(&self.socket).is_err() {
            tries += 1;
            if tries > 60_000 {
                return Err(format!("{} does not listen", self.name));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        wait_ready(self)?;
        Ok(begun.elapsed())
    }
}

fn spawn(command: &[OsString]) -> Result<Child, String> {
    let started =
        Command::new(&command[0]).args(&command[1..]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started.map_err(|e| format!("start {command:?}: {e}"))
}

/// Starts both servers with data directories under `work`.
pub fn start(root: &Path, work: &Path) -> Result<[Server; 2], String> {
    let setting = Setting::default();
    Ok([penstock(root, work, setting)?, mariadb(work, setting)?])
}

/// Penstock as built for release now, or the binary that `PENSTOCK_BINARY` names.
pub fn binary(root: &Path) -> Result<PathBuf, String> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || match std::env::var_os("PENSTOCK_BINARY") {
        Some(binary) => Ok(PathBuf::from(binary)),
        None => release(root),
    };
    BUILT.get_or_init(build).clone()
}

fn release(root: &Path) -> Result<PathBuf, String> {
    let build = Command::new("cargo")
        .current_dir(root)
        .args(["build", "--release", "--package", "penstock"])
        .status();
    if !build.map_err(|e| e.to_string())?.success() {
        return Err("the release build failed".into());
    }
    Ok(crate::target_folder(root).join("release/penstock"))
}

/// The servers' own words for their versions.
pub fn versions(servers: &[Server]) -> Result<String, String> {
    let versions: Result<Vec<String>, String> =
        servers.iter().map(|s| client(s, "SELECT VERSION()").map(|v| v.trim().to_owned())).collect();
    Ok(versions?.join(" and "))
}

/// A connection to a server.
pub type Connection = Client<UnixStream>;

/// Connects to a server by its socket.
pub fn connect(socket: &Path, database: &str) -> Result<Connection, String> {
    let stream = UnixStream::connect(socket).map_err(|e| format!("connect to {}: {e}", socket.display()))?;
    Client::connect(stream, "root", "", Some(database), true).map_err(|e| e.to_string())
}

/// The rows of a query, or of the last of several statements.
pub fn ask(connection: &mut Connection, sql: &str) -> Result<Vec<TextRow>, String> {
    connection.rows(sql).map_err(|e| format!("{e}: {}", &sql[..sql.len().min(200)]))
}

/// A connection to each of several servers, with a database, made with options, that a script has filled; statements end at a limit in seconds.
pub fn loaded(
    started: &[Server],
    (database, options): (&str, &str),
    schema: &str,
    limit: u64,
) -> Result<Vec<Connection>, String> {
    let load = |server: &Server| {
        client(server, &format!("CREATE DATABASE {database} {options}"))?;
        let mut connection = connect(&server.socket, database)?;
        let begun = Instant::now();
        ask(&mut connection, schema)?;
        ask(&mut connection, &format!("SET max_statement_time = {limit}"))?;
        eprintln!("{}: loaded in {:.1} s", server.name, begun.elapsed().as_secs_f64());
        Ok(connection)
    };
    started.iter().map(load).collect()
}

/// What the servers of connections call themselves.
pub fn versions_of(connections: &mut [Connection]) -> Result<String, String> {
    let mut versions = Vec::new();
    for connection in connections {
        let answer = ask(connection, "SELECT VERSION()")?;
        let version = answer.into_iter().flatten().flatten().next().unwrap_or_default();
        versions.push(String::from_utf8_lossy(&version).into_owned());
    }
    Ok(versions.join(" and "))
}

/// The machine in a few words.
pub fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|l| l.strip_prefix("model name"))
        .unwrap_or("")
        .trim_start_matches([':', ' ', '\t']);
    let cores = cpu.lines().filter(|l| l.starts_with("processor")).count();
    format!("{model}, {cores} cores")
}

/// Prints a report and keeps it under `bench/runs`.
pub fn keep_report(root: &Path, name: &str, report: &str) -> Result<(), String> {
    println!("{report}");
    let runs = root.join("bench/runs");
    std::fs::create_dir_all(&runs).map_err(|e| format!("make {}: {e}", runs.display()))?;
    let date = output(Command::new("date").arg("+%Y-%m-%d-%H%M"))?;
    let file = runs.join(format!("{}-{name}.md", date.trim()));
    std::fs::write(&file, report).map_err(|e| format!("write {}: {e}", file.display()))?;
    println!("kept in {}", file.display());
    Ok(())
}

/// The middle one; of an even number the upper. At least one is measured.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let values = sorted(values);
    values[values.len() / 2]
}

/// From the least to the greatest.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// A number from the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The words before a server's own that hold its forces back. The tracer is not the server's parent, so that the
/// process that is started is the server.
fn delayed(setting: Setting) -> Vec<OsString> {
    if setting.force_delay_us == 0 {
        return Vec::new();
    }
    let calls = "fsync,fdatasync";
    let inject = format!("inject={calls}:delay_enter={}", setting.force_delay_us);
    let trace = format!("trace={calls}");
    [
        "strace",
        "-D",
        "-f",
        "--seccomp-bpf",
        "-qqq",
        "-o",
        "/dev/null",
        "-e",
        "signal=none",
        "-e",
        &trace,
        "-e",
        &inject,
    ]
    .map(OsString::from)
    .into()
}

/// A port that nobody listens on now.
fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).and_then(|l| l.local_addr());
    listener.map(|address| address.port()).map_err(|e| format!("find a free port: {e}"))
}

/// Starts Penstock with a data directory under `work` and waits until it answers.
pub fn penstock(root: &Path, work: &Path, setting: Setting) -> Result<Server, String> {
    penstock_with(root, work, setting, &[])
}

/// The same with more options.
pub fn penstock_with(root: &Path, work: &Path, setting: Setting, more: &[&str]) -> Result<Server, String> {
    penstock_of(&binary(root)?, work, setting, more)
}

/// The same by a program of its own.
pub fn penstock_of(binary: &Path, work: &Path, setting: Setting, more: &[&str]) -> Result<Server, String> {
    let (socket, port) = (work.join("penstock.sock"), free_port()?);
    let mut command = delayed(setting);
    command.push(binary.into());
    command.extend(["serve", "--port", &port.to_string()].map(OsString::from));
    if !more.contains(&"--buffer-pool-size") {
        command.extend(["--buffer-pool-size", "1G"].map(OsString::from));
    }
    command.extend(more.iter().map(OsString::from));
    command.extend([
        "--datadir".into(),
        work.join("penstock").into(),
        "--socket".into(),
        socket.clone().into(),
    ]);
    if setting.force_delay_us > 0 {
        // Forces through a ring are no system calls: they could not be held back.
        command.extend(["--event-loop", "epoll"].map(OsString::from));
    }
    let server = Server::start("penstock", socket, port, command)?;
    wait_ready(&server)?;
    Ok(server)
}

/// Starts the loop that only reads, frames and answers OK (`penstock bench answer-ok`): what kernel and event loops cost.
pub fn answer_ok(root: &Path, work: &Path) -> Result<Server, String> {
    let (socket, port) = (work.join("answer-ok.sock"), free_port()?);
    let mut command: Vec<OsString> = vec![binary(root)?.into()];
    command.extend(["bench", "answer-ok", "--port", &port.to_string(), "--socket"].map(OsString::from));
    command.push(socket.clone().into());
    let (server, begun) = (Server::start("answer-ok", socket, port, command)?, Instant::now());
    while UnixStream::connect(&server.socket).is_err() {
        if begun.elapsed() > Duration::from_secs(30) {
            return Err("answer-ok does not listen".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(server)
}

/// Starts MariaDB with a data directory under `work` and waits until it answers.
pub fn mariadb(work: &Path, setting: Setting) -> Result<Server, String> {
    mariadb_with(work, setting, &[])
}

/// The same with more options; the last of two that say the same counts.
pub fn mariadb_with(work: &Path, setting: Setting, more: &[String]) -> Result<Server, String> {
    let data = work.join("mariadb");
    let install = Command::new("mariadb-install-db")
        .args(["--no-defaults", "--auth-root-authentication-method=normal", "--user=root"])
        .arg(format!("--datadir={}", data.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !install.map_err(|e| format!("run mariadb-install-db: {e}"))?.success() {
        return Err("mariadb-install-db failed".into());
    }
    let (socket, port) = (work.join("mariadb.sock"), free_port()?);
    let mut command = delayed(setting);
    let mut add = |words: &[&str]| command.extend(words.iter().map(OsString::from));
    add(&["mariadbd", "--no-defaults", "--user=root", "--bind-address=127.0.0.1", "--server-id=1"]);
    add(&["--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=1G", "--innodb-log-file-size=1G"]);
    add(&["--max-prepared-stmt-count=100000", "--max-connections=1000", &format!("--port={port}")]);
    if setting.binlog {
        add(&["--log-bin=binlog", "--sync-binlog=1", "--binlog-format=ROW"]);
    }
    add(&[&format!("--datadir={}", data.display()), &format!("--socket={}", socket.display())]);
    add(&[&format!("--tmpdir={}", work.display())]);
    command.extend(more.iter().map(OsString::from));
    let server = Server::start("mariadb", socket, port, command)?;
    wait_ready(&server)?;
    Ok(server)
}

fn wait_ready(server: &Server) -> Result<(), String> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if client(server, "SELECT 1").is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(format!("{} does not answer", server.name))
}

/// Runs `penstock bench` and gives its figures; complaints where it fails.
pub fn bench(root: &Path, work: &Path, arguments: &[&str]) -> Result<serde_json::Value, String> {
    let json = work.join("figures.json");
    let mut command = Command::new(binary(root)?);
    command.arg("bench").args(arguments).arg("--json").arg(&json);
    output(&mut command)?;
    let text = std::fs::read_to_string(&json).map_err(|e| format!("read {}: {e}", json.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("read {}: {e}", json.display()))
}

/// The same against this server's socket.
pub fn bench_of(
    server: &Server,
    root: &Path,
    work: &Path,
    arguments: &[&str],
) -> Result<serde_json::Value, String> {
    let socket = server.socket.display().to_string();
    bench(root, work, &[arguments, &["--socket", &socket]].concat())
}

/// The commit that is checked out, in short.
pub fn commit(root: &Path) -> Result<String, String> {
    let commit = output(Command::new("git").current_dir(root).args(["rev-parse", "--short", "HEAD"]))?;
    Ok(commit.trim().to_owned())
}

/// Runs a task in a directory of its own that is removed afterwards.
pub fn in_passing(name: &str, task: impl FnOnce(&Path) -> Result<(), String>) -> crate::Outcome {
    let work = std::env::temp_dir().join(format!("penstock-{name}-{}", std::process::id()));
    let outcome = std::fs::create_dir_all(&work)
        .map_err(|e| format!("make {}: {e}", work.display()))
        .and_then(|()| task(&work));
    let _ = std::fs::remove_dir_all(&work);
    outcome.map_err(|error| vec![error])
}

/// What the `mariadb` client prints for a statement.
pub fn client(server: &Server, statement: &str) -> Result<String, String> {
    output(
        Command::new("mariadb")
            .args(["--no-defaults", "-uroot", "-N", "-B", "-e", statement])
            .arg(format!("--socket={}", server.socket.display()))
            .stderr(Stdio::null()),
    )
}

/// Runs a script by the `mariadb` client.
pub fn script(server: &Server, script: &str) -> Result<(), String> {
    let mut client = Command::new("mariadb");
    client.args(["--no-defaults", "-uroot"]).arg(format!("--socket={}", server.socket.display()));
    let mut client = client.stdin(Stdio::piped()).spawn().map_err(|e| format!("start mariadb: {e}"))?;
    let mut input = client.stdin.take().ok_or("the client has no input")?;
    std::io::Write::write_all(&mut input, script.as_bytes()).map_err(|e| format!("write to mariadb: {e}"))?;
    drop(input);
    match client.wait().map_err(|e| format!("wait for mariadb: {e}"))?.success() {
        true => Ok(()),
        false => Err(format!("{}: a script failed", server.name)),
    }
}

/// What a command prints; its complaints where it fails.
pub fn output(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| format!("run {command:?}: {e}"))?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&out.stderr))),
    }
}

/// CPU that a server has used so far, in microseconds.
pub fn cpu_us(server: &Server) -> Result<f64, String> {
    let path = format!("/proc/{}/stat", server.child.id());
    let stat =
        std::fs::read_to_string(&path).map_err(|e| format!("read {path}: {e} ({} is gone)", server.name))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: f64 = [11, 12].iter().filter_map(|&i| fields.get(i)?.parse::<f64>().ok()).sum();
    // USER_HZ is 100 on every Linux that this runs on.
    Ok(ticks * 10_000.0)
}
