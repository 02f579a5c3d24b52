//! MariaDB's own programs: clients of our server, and a MariaDB of the test's own as the judge.
//!
//! A test that needs one that is not installed says so in a line and passes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Whether all programs are installed; says which one is not.
pub fn installed(programs: &[&str]) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    for program in programs {
        let mut places = std::env::split_paths(&paths).chain([PathBuf::from("/usr/sbin")]);
        if !places.any(|dir| dir.join(program).exists()) {
            println!("skipped: {program} is not installed");
            return false;
        }
    }
    true
}

/// Runs a client program over a socket with `input`; gives what it printed.
///
/// Panics with what it complained about where it fails.
pub fn client(program: &str, socket: &Path, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    match try_client(program, socket, arguments, input) {
        Ok(printed) => printed,
        Err(complaint) => panic!("{program} {arguments:?}: {complaint}"),
    }
}

/// What `mariadb` prints for a script, its complaints behind it.
pub fn client_text(socket: &Path, arguments: &[&str], script: &[u8]) -> String {
    let output = output("mariadb", socket, arguments, script);
    [output.stdout, output.stderr].iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

/// As [`client`], a failure as its text.
pub fn try_client(program: &str, socket: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let output = output(program, socket, arguments, input);
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Runs a client program to its end.
fn output(program: &str, socket: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(["--no-defaults", "-uroot", "-S"])
        .arg(socket)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start a client");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A client that ends early closes the pipe; its own complaint says why.
    let feeder = std::thread::spawn(move || {
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().expect("wait for a client");
    feeder.join().expect("feed a client");
    output
}

/// A MariaDB server over a directory of its own, without accounts.
pub struct MariaDb {
    child: Child,
    dir: tempfile::TempDir,
}

impl MariaDb {
    /// Starts one, if it is installed.
    pub fn start() -> Option<MariaDb> {
        if !installed(&["mariadbd", "mariadb"]) {
            return None;
        }
        let dir = tempfile::tempdir().expect("make a directory");
        let data = dir.path().join("data");
        std::fs::create_dir(&data).expect("make a directory");
        let log = std::fs::File::create(dir.path().join("log")).expect("make a log");
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
        let child = Command::new("mariadbd")
            .env("PATH", path)
            .args(["--no-defaults", "--user=root", "--skip-grant-tables", "--skip-networking"])
            .args(["--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M", "--max-allowed-packet=64M"])
            .arg(format!("--datadir={}", data.display()))
            .arg(format!("--tmpdir={}", dir.path().display()))
            .arg(format!("--socket={}", dir.path().join("s.sock").display()))
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("clone log"))
            .stderr(log)
            .spawn()
            .expect("start mariadbd");
        let mut server = MariaDb { child, dir };
        let begun = Instant::now();
        while try_client("mariadb", &server.socket(), &["-e", "SELECT 1"], b"").is_err() {
            let ended = server.child.try_wait().expect("wait");
            assert!(ended.is_none() && begun.elapsed() < Duration::from_secs(60), "{}", server.log_text());
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(server)
    }

    /// The unix socket.
    pub fn socket(&self) -> PathBuf {
        self.dir.path().join("s.sock")
    }

    /// A connection of our own client to it.
    pub fn connect(&self) -> super::Connection {
        let stream = std::os::unix::net::UnixStream::connect(self.socket()).expect("connect to MariaDB");
        protocol::client::Client::connect(stream, "root", "", None, true).expect("connect to MariaDB")
    }

    fn log_text(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }
}

impl Drop for MariaDb {
    fn drop(&mut self) {
        // Nothing of it is kept.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
