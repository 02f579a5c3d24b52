//! `cargo xtask shared-lines`: counts the cache lines that two sessions on two threads both write, for point reads and for
//! updates with commit, from a trace of all stores (`valgrind --tool=lackey`). What is written by one core only costs
//! nothing more when there are many; a line that all write goes from core to core.

use crate::{Outcome, command};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const LINE_BYTES: u64 = 64;

pub fn run(root: &Path) -> Outcome {
    let target = crate::target_folder(root);
    let target = target.join("shared-lines");
    let mut build = command(root, &["build", "--package", "penstock-engine", "--example", "shared_lines"]);
    // valgrind hides the page that system calls without libc look for.
    crate::run(build.arg("--target-dir").arg(&target).env("RUSTFLAGS", "--cfg=rustix_use_libc"))?;
    let program = target.join("debug/examples/shared_lines");
    println!("| what | times | lines written, each thread | of them by both | writes to those, each time |");
    println!("| --- | --- | --- | --- | --- |");
    for (what, count) in [("read", 200), ("update", 100)] {
        let [first, second] = trace(&program, what, count).map_err(|e| vec![e])?;
        let both: Vec<u64> = first.keys().filter(|line| second.contains_key(line)).copied().collect();
        let writes: u64 = both.iter().map(|line| first[line] + second[line]).sum();
        println!(
            "| {what} | {count} | {}, {} | {} | {:.2} |",
            first.len(),
            second.len(),
            both.len(),
            writes as f64 / (2 * count) as f64
        );
    }
    Ok(())
}

/// Lines that each thread wrote between its marks, and how often.
fn trace(program: &Path, what: &str, count: u64) -> Result<[HashMap<u64, u64>; 2], String> {
    let mut child = Command::new("valgrind")
        .args(["--tool=lackey", "--trace-mem=yes", "--log-fd=2"])
        .arg(program)
        .args([what, &count.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("run valgrind: {e}"))?;
    // The program says where its marker is long before it stores there.
    let marker = Arc::new(AtomicU64::new(u64::MAX));
    let (said, known) = (child.stdout.take().ok_or("no output")?, marker.clone());
    let listener = std::thread::spawn(move || {
        for line in BufReader::new(said).lines().map_while(Result::ok) {
            if let Ok(at) = u64::from_str_radix(line.trim(), 16) {
                known.store(at, Ordering::Relaxed);
            }
        }
    });
    let mut trace = BufReader::with_capacity(1 << 20, child.stderr.take().ok_or("no trace")?);
    let (mut threads, mut marks, mut line) = (<[HashMap<u64, u64>; 2]>::default(), 0, Vec::new());
    while trace.read_until(b'\n', &mut line).map_err(|e| format!("read the trace: {e}"))? > 0 {
        if let Some(at) = stored_at(&line) {
            if at == marker.load(Ordering::Relaxed) {
                marks += 1;
            } else if marks == 1 || marks == 3 {
                *threads[marks / 2].entry(at / LINE_BYTES).or_default() += 1;
            }
        }
        line.clear();
    }
    let status = child.wait().map_err(|e| format!("wait for valgrind: {e}"))?;
    listener.join().map_err(|_| "the listener failed")?;
    match (status.success(), marks) {
        (true, 4) => Ok(threads),
        _ => Err(format!("valgrind: {status}, {marks} marks of 4")),
    }
}

/// The address of ` S addr,size` (a store) and ` M addr,size` (a change).
fn stored_at(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(b" S ").or_else(|| line.strip_prefix(b" M "))?;
    let digits = rest.split(|b| *b == b',').next()?;
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
