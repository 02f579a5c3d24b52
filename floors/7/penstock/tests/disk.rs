//! A full disk and a read-only one: the server tells, and nothing acknowledged is lost.
//!
//! They need a file system of their own, a small tmpfs; where mounting one is not allowed, the tests say so and pass.

mod harness;

use harness::{Server, one, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A small file system of the test's own.
struct Disk(tempfile::TempDir);

impl Disk {
    fn mount(mib: u32) -> Option<Disk> {
        let dir = tempfile::tempdir().expect("make a directory");
        let mounted = mount(dir.path(), &format!("size={mib}M"), true);
        if !mounted {
            println!("skipped: mounting a file system is not allowed here");
        }
        mounted.then_some(Disk(dir))
    }

    fn remount(&self, options: &str) {
        assert!(mount(self.0.path(), &format!("remount,{options}"), false), "remount with {options}");
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }
}

fn mount(at: &Path, options: &str, first: bool) -> bool {
    let mut command = Command::new("mount");
    command.args(["-o", options]);
    if first {
        command.args(["-t", "tmpfs", "tmpfs"]);
    }
    command.arg(at).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

/// Starts a server that must refuse; gives what it said.
fn refusal(data: &Path) -> String {
    let mut server = Server::stopped_at(data, &[]);
    server.expected = vec![""];
    assert!(!server.try_restart(), "the server starts: {}", server.log_text());
    server.log_text()
}

#[test]
fn a_first_start_on_a_full_disk_says_so() {
    let Some(disk) = Disk::mount(1) else { return };
    let said = refusal(&disk.data());
    assert!(said.to_lowercase().contains("no space left"), "{said}");
    // With room it starts over what the first try left.
    disk.remount("size=300M");
    let mut server = Server::stopped_at(&disk.data(), &[]);
    server.restart();
    assert_eq!(one(&mut server.connect(), "SELECT 1"), "1");
    assert!(server.stop());
}

#[test]
fn a_read_only_disk_is_refused_clearly() {
    let Some(disk) = Disk::mount(300) else { return };
    let mut server = Server::stopped_at(&disk.data(), &[]);
    server.restart();
    assert!(server.stop());
    disk.remount("ro");
    let said = refusal(&disk.data());
    assert!(said.to_lowercase().contains("read-only"), "{said}");
    disk.remount("rw");
    server.restart();
    assert!(server.stop());
}

#[test]
fn a_disk_that_fills_up_loses_nothing_acknowledged() {
    let Some(disk) = Disk::mount(160) else { return };
    let mut server =
        Server::stopped_at(&disk.data(), &["--checkpoint-log-size", "4M", "--max-binlog-size", "8M"]);
    server.expected = vec!["o space left", "poisoned", "stopp"];
    server.restart();
    let mut connection = server.connect();
    run(&mut connection, "CREATE DATABASE full");
    run(&mut connection, "CREATE TABLE full.t (id INT PRIMARY KEY, pad LONGTEXT NOT NULL)");
    let pad = "full ".repeat(50_000);
    let mut acknowledged = 0;
    let refused = loop {
        match connection.query(&format!("INSERT INTO full.t VALUES ({}, '{pad}')", acknowledged + 1)) {
            Ok(_) => acknowledged += 1,
            Err(error) => break error.to_string(),
        }
        assert!(acknowledged < 2000, "a disk of 160 MiB holds 500 MB");
    };
    println!("{acknowledged} rows fit; then: {refused}");
    let told = |text: &str| text.contains("1021") && text.contains("Disk full");
    assert!(told(&refused), "{refused}; the log: {}", server.log_text());
    // Reads go on, and with space so do changes, without a restart.
    assert_eq!(one(&mut connection, "SELECT COUNT(*) FROM full.t"), acknowledged.to_string());
    disk.remount("size=400M");
    for _ in 0..20 {
        acknowledged += 1;
        run(&mut connection, &format!("INSERT INTO full.t VALUES ({acknowledged}, '{pad}')"));
    }
    server.kill();
    disk.remount("size=600M");
    server.restart();
    let mut connection = server.connect();
    let found: u32 = one(&mut connection, "SELECT COUNT(*) FROM full.t").parse().expect("a number");
    assert!((acknowledged..=acknowledged + 1).contains(&found), "{found} rows of {acknowledged}");
    let sum =
        format!("SELECT COUNT(*) FROM full.t WHERE LENGTH(pad) = {} AND id BETWEEN 1 AND {found}", pad.len());
    assert_eq!(one(&mut connection, &sum), found.to_string());
    run(&mut connection, "DELETE FROM full.t WHERE id > 1");
    assert!(server.stop());
}
