//! Differential tests against a MariaDB 10.11 server.
//!
//! They need its socket in `PENSTOCK_ORACLE` (and the `mariadb` client in the path); without it each says so in one
//! line and passes.

mod collations;
mod comparing;
mod decimals;
mod numbers;
mod storing;
mod temporals;

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Runs statements and gives the rows of all results as text; none when there is no server.
fn ask(statements: &str) -> Option<Vec<Vec<String>>> {
    let Some(socket) = std::env::var_os("PENSTOCK_ORACLE") else {
        eprintln!("skipped: PENSTOCK_ORACLE names no MariaDB socket");
        return None;
    };
    let mut client = Command::new("mariadb")
        .args(["-uroot", "-N", "-B", "--force", "--default-character-set=utf8mb4", "-S"])
        .arg(socket)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("start the mariadb client");
    let mut input = client.stdin.take().expect("the client's input");
    let text = statements.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = client.wait_with_output().expect("read the client's output");
    writer.join().expect("join the writer").expect("write statements");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(text.lines().map(|line| line.split('\t').map(str::to_string).collect()).collect())
}

/// A generator of pseudo-random numbers (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Bytes as a hexadecimal literal's digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02X}")).collect()
}

/// Reports the first few differences between what we and the server say.
fn assert_same(what: &str, cases: &[(String, String, String)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(_, ours, theirs)| ours != theirs)
        .map(|(case, ours, theirs)| format!("{case}: ours {ours}, MariaDB {theirs}"))
        .collect();
    let shown = wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {} {what} differ:\n{shown}", wrong.len(), cases.len());
}
