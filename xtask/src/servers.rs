//! Servers started for a comparison: Penstock as it is released and MariaDB, alike in memory and durability.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A server under test; killed by its own pid when dropped.
pub struct Server {
    /// Its name in reports.
    pub name: &'static str,
    /// The process.
    pub child: Child,
    /// Where it listens.
    pub socket: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").arg("-TERM").arg(pid).status();
        let _ = self.child.wait();
    }
}

/// Starts both servers with data directories under `work`.
pub fn start(root: &Path, work: &Path) -> Result<[Server; 2], String> {
    let servers = [penstock(&binary(root)?, work)?, mariadb(work)?];
    servers.iter().try_for_each(wait_ready)?;
    Ok(servers)
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
    let target = std::env::var("CARGO_TARGET_DIR").map_or_else(|_| root.join("target"), PathBuf::from);
    Ok(target.join("release/penstock"))
}

/// The servers' own words for their versions.
pub fn versions(servers: &[Server]) -> Result<String, String> {
    let versions: Result<Vec<String>, String> =
        servers.iter().map(|s| client(s, "SELECT VERSION()").map(|v| v.trim().to_owned())).collect();
    Ok(versions?.join(" and "))
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

/// A number from the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn penstock(binary: &Path, work: &Path) -> Result<Server, String> {
    let socket = work.join("penstock.sock");
    let child = Command::new(binary)
        .arg("serve")
        .arg("--datadir")
        .arg(work.join("penstock"))
        .args(["--port", "0", "--buffer-pool-size", "1G", "--socket"])
        .arg(&socket)
        .stdout(Stdio::null())
        .spawn()
        .map_err(|e| format!("start {}: {e}", binary.display()))?;
    Ok(Server { name: "penstock", child, socket })
}

fn mariadb(work: &Path) -> Result<Server, String> {
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
    let socket = work.join("mariadb.sock");
    let child = Command::new("mariadbd")
        .args(["--no-defaults", "--user=root", "--skip-networking", "--server-id=1"])
        .args([
            "--innodb-flush-log-at-trx-commit=1",
            "--log-bin=binlog",
            "--sync-binlog=1",
            "--binlog-format=ROW",
        ])
        .args([
            "--innodb-buffer-pool-size=1G",
            "--innodb-log-file-size=1G",
            "--max-prepared-stmt-count=100000",
        ])
        .arg(format!("--datadir={}", data.display()))
        .arg(format!("--socket={}", socket.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("start mariadbd: {e}"))?;
    Ok(Server { name: "mariadb", child, socket })
}

fn wait_ready(server: &Server) -> Result<(), String> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if client(server, "SELECT 1").is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(format!("{} does not answer", server.name))
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
