//! `penstock check` as a person runs it: over a server's directory while it runs, after it was stopped, after it was
//! killed, with damage in it; and what it says of arguments that are wrong.

mod harness;

use harness::{Connection, Server, run};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the checker; its exit code and what it printed.
fn check(arguments: &[&str], paths: &[&Path]) -> (i32, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_penstock"))
        .arg("check")
        .args(arguments)
        .args(paths)
        .output()
        .expect("run the checker");
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (status.code().expect("an exit code"), text)
}

fn fill(connection: &mut Connection, from: u32, to: u32) {
    for id in (from..to).step_by(100) {
        let row = |id: u32| format!("({id},'{}')", "text ".repeat(20 + (id % 60) as usize));
        let rows: Vec<String> = (id..id + 100).map(row).collect();
        run(connection, &format!("REPLACE INTO c.t VALUES {}", rows.join(",")));
    }
}

#[test]
fn a_servers_own_files_running_stopped_and_killed() {
    let mut server = Server::start(&["--checkpoint-log-size", "1M"]);
    let mut connection = server.connect();
    run(&mut connection, "CREATE DATABASE c");
    run(&mut connection, "CREATE TABLE c.t (id INT PRIMARY KEY, v TEXT)");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| fill(&mut connection, 0, 20_000));
        let mut rounds = 0;
        while !writer.is_finished() || rounds < 3 {
            let (code, text) = check(&["-v"], &[&server.data_dir()]);
            assert_eq!(code, 0, "{text}");
            let open = format!("open in process {}", server.pid());
            assert!(text.contains(&open), "{text}");
            rounds += 1;
        }
    });
    server.kill();
    let (code, text) = check(&[], &[&server.data_dir()]);
    assert_eq!(code, 0, "{text}");
    server.restart();
    assert!(server.stop());
    let (code, text) = check(&["--json"], &[&server.data_dir()]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("\"exit_code\": 0") && text.contains("penstock.data"), "{text}");
    damage(&server.data_dir());
}

/// Bits of the page file and of the log, one after the other.
fn damage(data: &Path) {
    for (name, start) in [("penstock.data", 5 * 16384), ("binlog.000001", 2000)] {
        let file = std::fs::OpenOptions::new().read(true).write(true).open(data.join(name)).expect("open");
        let (mut byte, mut seen) = ([0], false);
        for at in (start..start + 200_000).step_by(16384 + 77) {
            file.read_exact_at(&mut byte, at).expect("read");
            file.write_all_at(&[byte[0] ^ 8], at).expect("write");
            let (code, text) = check(&[], &[data]);
            file.write_all_at(&byte, at).expect("mend");
            // Slots that are free now hold what was there before: nobody reads it.
            seen |= code != 0;
            assert!(
                code == 0 || text.contains("bit 3 of") && text.contains(name),
                "byte {at}: {code} {text}"
            );
            assert!(matches!(code, 0 | 11 | 20), "byte {at}: {code} {text}");
        }
        assert!(seen, "{name}");
    }
    let (code, text) = check(&[], &[data]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn wrong_arguments_and_unreadable_files_are_told() {
    let dir = tempfile::tempdir().expect("make a directory");
    let (code, text) = check(&[], &[]);
    assert!(code == 2 && text.contains("<FILE|DIR>"), "{code} {text}");
    let (code, text) = check(&["--threads", "none"], &[dir.path()]);
    assert!(code == 2 && text.contains("none"), "{code} {text}");
    let (code, text) = check(&[], &[&dir.path().join("missing")]);
    assert!(code == 1 && text.contains("NOT READ") && text.contains("No such file"), "{code} {text}");
    let (code, text) = check(&[], &[Path::new("/dev/null")]);
    assert!(code == 1 && text.contains("neither a file nor a directory"), "{code} {text}");
    let odd = dir.path().join("odd");
    std::fs::write(&odd, b"no pages here").expect("write");
    let (code, text) = check(&[], &[&odd]);
    assert!(code == 1 && text.contains("nothing to check it by"), "{code} {text}");
    // Below a directory, other files are only counted.
    let (code, text) = check(&[], &[dir.path()]);
    assert!(code == 0 && text.contains("files of other formats"), "{code} {text}");
    let (code, text) = check(&["--rewrite"], &[&odd]);
    assert!(code == 1 && text.contains("InnoDB tablespaces only"), "{code} {text}");
    let (code, text) = check(&["--to", "crc32"], &[&odd]);
    assert!(code == 2 && text.contains("--rewrite"), "{code} {text}");
    let space = dir.path().join("t.ibd");
    std::fs::write(&space, vec![7; 70_000]).expect("write");
    let (code, text) = check(&[], &[dir.path()]);
    assert!(code == 17 && text.contains("no page of it can be recognised"), "{code} {text}");
}
