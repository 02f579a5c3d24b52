//! Starting the two servers in folders of their own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A server that ends with this value.
pub struct Running {
    child: Child,
    _folder: TempDir,
    /// Where it listens.
    pub socket: PathBuf,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn wait(child: Child, folder: TempDir, socket: PathBuf) -> Result<Running, String> {
    let mut running = Running { child, _folder: folder, socket };
    let start = Instant::now();
    while std::os::unix::net::UnixStream::connect(&running.socket).is_err() {
        if let Ok(Some(status)) = running.child.try_wait() {
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
    ]))
    .spawn()
    .map_err(|e| format!("start mariadbd: {e}"))?;
    wait(child, folder, socket)
}
