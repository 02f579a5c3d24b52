//! Starting the two servers in folders of their own, and ending them with this program: also when it is signalled.

use platform::signals::TerminationSignals;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The servers that run, with their folders: what a signal ends.
static STARTED: Mutex<Vec<(Arc<Mutex<Child>>, PathBuf)>> = Mutex::new(Vec::new());

/// Has SIGINT and SIGTERM end the servers, then this program; called before any thread is started.
pub fn end_on_signals() -> Result<(), String> {
    let signals = TerminationSignals::block().map_err(|e| format!("block signals: {e}"))?;
    std::thread::spawn(move || {
        let name = signals.wait();
        for (child, folder) in &*STARTED.lock().unwrap_or_else(PoisonError::into_inner) {
            end(child);
            let _ = std::fs::remove_dir_all(folder);
        }
        eprintln!("ended by {name}");
        std::process::exit(1);
    });
    Ok(())
}

fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = child.kill();
    let _ = child.wait();
}

/// A server that ends with this value.
pub struct Running {
    child: Arc<Mutex<Child>>,
    _folder: TempDir,
    /// Where it listens.
    pub socket: PathBuf,
}

impl Running {
    /// Whether it has ended by itself.
    pub fn has_ended(&self) -> bool {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(child.try_wait(), Ok(None))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        end(&self.child);
    }
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn wait(child: Child, folder: TempDir, socket: PathBuf) -> Result<Running, String> {
    let child = Arc::new(Mutex::new(child));
    let started = (child.clone(), folder.path().to_path_buf());
    STARTED.lock().unwrap_or_else(PoisonError::into_inner).push(started);
    let running = Running { child, _folder: folder, socket };
    let start = Instant::now();
    while std::os::unix::net::UnixStream::connect(&running.socket).is_err() {
        let ended = running.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
        if let Ok(Some(status)) = ended {
            return Err(format!("the server ended with {status}"));
        }
        if start.elapsed() > Duration::from_secs(60) {
            return Err("the server does not listen".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(running)
}

/// Starts Penstock.
pub fn penstock(binary: &Path) -> Result<Running, String> {
    let folder = TempDir::new().map_err(|e| format!("make a folder: {e}"))?;
    let socket = folder.path().join("penstock.sock");
    let child = quiet(Command::new(binary).arg("serve").args(["--port", "0", "--buffer-pool-size", "256M"]))
        .arg("--socket")
        .arg(&socket)
        .arg("--datadir")
        .arg(folder.path().join("data"))
        .spawn()
        .map_err(|e| format!("start {}: {e}", binary.display()))?;
    wait(child, folder, socket)
}

/// Starts MariaDB with an empty data directory.
pub fn mariadb() -> Result<Running, String> {
    let folder = TempDir::new().map_err(|e| format!("make a folder: {e}"))?;
    let data = format!("--datadir={}", folder.path().join("data").display());
    let install = quiet(Command::new("mariadb-install-db").args([
        "--no-defaults",
        &data,
        "--user=root",
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
    ]))
    .status()
    .map_err(|e| format!("run mariadb-install-db: {e}"))?;
    if !install.success() {
        return Err("mariadb-install-db failed".into());
    }
    let socket = folder.path().join("mariadb.sock");
    let child = quiet(Command::new("mariadbd").args([
        "--no-defaults",
        &data,
        "--user=root",
        "--skip-networking",
        "--innodb-flush-log-at-trx-commit=0",
        &format!("--socket={}", socket.display()),
        // Another MariaDB that starts removes what looks like temporary tables where they lie by default.
        &format!("--tmpdir={}", folder.path().display()),
    ]))
    .spawn()
    .map_err(|e| format!("start mariadbd: {e}"))?;
    let running = wait(child, folder, socket)?;
    load_zones(&running.socket)?;
    Ok(running)
}

/// Gives MariaDB the named time zones that are drawn.
fn load_zones(socket: &Path) -> Result<(), String> {
    for name in ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"] {
        let zone = Command::new("mariadb-tzinfo-to-sql")
            .args([&format!("/usr/share/zoneinfo/{name}"), name])
            .output()
            .map_err(|e| format!("run mariadb-tzinfo-to-sql: {e}"))?;
        let mut client = Command::new("mariadb")
            .args(["--no-defaults", "-uroot", &format!("--socket={}", socket.display()), "mysql"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|e| format!("run mariadb: {e}"))?;
        if let Some(mut input) = client.stdin.take() {
            input.write_all(&zone.stdout).map_err(|e| format!("load time zone {name}: {e}"))?;
        }
        if !client.wait().is_ok_and(|status| status.success()) {
            return Err(format!("load time zone {name}"));
        }
    }
    Ok(())
}
