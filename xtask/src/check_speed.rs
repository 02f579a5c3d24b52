//! `cargo xtask check-speed`: `penstock check` beside `innochecksum` and beside plainly reading the file, on tablespaces of
//! MariaDB's that are in the page cache and on the same ones read from the device. The runs take turns; medians.
//!
//! Environment: `CHECK_MIB` (2048) of table, `CHECK_ROUNDS` (7).

use crate::Outcome;
use crate::servers::{self, Setting, number};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Rows that an INSERT makes, and bytes of a row.
const BATCH: u64 = 20_000;
const ROW: u64 = 57 * 128;

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("check-speed", |work| {
        let rounds = number("CHECK_ROUNDS", 7).max(1);
        let mut report = head(root, rounds)?;
        for algorithm in ["full_crc32", "crc32"] {
            eprintln!("a tablespace with {algorithm}");
            let file = tablespace(work, algorithm)?;
            let binary = servers::binary(root)?;
            report += &lines(&binary, &file, algorithm, true, rounds)?;
            report += &lines(&binary, &file, algorithm, false, rounds.min(3))?;
            std::fs::remove_file(&file).map_err(|e| format!("remove {}: {e}", file.display()))?;
        }
        servers::keep_report(root, "check", &report)
    })
}

fn head(root: &Path, rounds: u64) -> Result<String, String> {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    Ok(format!(
        "# penstock check beside innochecksum\n\n\
         `cargo xtask check-speed` at commit {}; {}, load average at the start {}.\n\
         A table of {} MiB that MariaDB filled, 16 KiB pages. Each line: median, fastest and slowest of {rounds} runs \
         (3 from the device) that take turns. \"read\" is `dd bs=256k` to /dev/null, what one thread takes for the bytes \
         alone; two of them at once, half of the file each, \"read by 2\". From the device: the file is dropped from the \
         page cache before each run. All find no damage, by their exit codes.\n\n\
         | sums | file in | what | median ms | fastest | slowest | GB/s | innochecksum takes |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        servers::commit(root)?,
        servers::machine(),
        load.join(" "),
        number("CHECK_MIB", 2048),
    ))
}

/// Has MariaDB make the table; gives its file alone.
fn tablespace(work: &Path, algorithm: &str) -> Result<PathBuf, String> {
    let home = work.join(algorithm);
    std::fs::create_dir_all(&home).map_err(|e| format!("make {}: {e}", home.display()))?;
    let server = servers::mariadb(&home, Setting { binlog: false, ..Setting::default() })?;
    let set = format!("SET GLOBAL innodb_checksum_algorithm={algorithm}, innodb_flush_log_at_trx_commit=0");
    servers::client(&server, &set.replace(", ", ", GLOBAL "))?;
    let create = "CREATE DATABASE c; CREATE TABLE c.t (id INT PRIMARY KEY, v VARCHAR(8000)) CHARSET=latin1";
    servers::client(&server, create)?;
    let rows = (number("CHECK_MIB", 2048) << 20) / (ROW + 1000);
    for from in (1..=rows).step_by(BATCH as usize) {
        let to = rows.min(from + BATCH - 1);
        let text = format!("REPEAT(SHA2(seq, 512), {})", ROW / 128);
        servers::client(
            &server,
            &format!("USE c; INSERT INTO t SELECT seq, {text} FROM seq_{from}_to_{to}"),
        )?;
    }
    // Stopped properly: all is in the file.
    drop(server);
    let file = work.join(format!("{algorithm}.ibd"));
    std::fs::rename(home.join("mariadb/c/t.ibd"), &file)
        .map_err(|e| format!("take the table's file: {e}"))?;
    let _ = std::fs::remove_dir_all(&home);
    Ok(file)
}

/// What is measured, in its turn.
fn commands(binary: &Path, file: &Path) -> Vec<(&'static str, Vec<String>)> {
    let (path, binary) = (file.display().to_string(), binary.display().to_string());
    let check = |more: &[&str]| {
        let mut words = vec![binary.clone(), "check".to_owned(), path.clone()];
        words.extend(more.iter().map(|word| (*word).to_owned()));
        words
    };
    let read = format!("if={path}");
    let blocks = std::fs::metadata(file).map_or(0, |metadata| metadata.len()) >> 18;
    let half =
        |skip: u64| format!("dd {read} of=/dev/null bs=256k status=none skip={skip} count={}", blocks / 2);
    let both = format!("{} & {}; wait", half(0), half(blocks / 2));
    vec![
        ("innochecksum", vec!["innochecksum".to_owned(), path.clone()]),
        ("penstock check", check(&[])),
        ("penstock check, 1 thread", check(&["--threads", "1"])),
        ("read", ["dd", &read, "of=/dev/null", "bs=256k", "status=none"].map(str::to_owned).to_vec()),
        ("read by 2", vec!["sh".to_owned(), "-c".to_owned(), both]),
    ]
}

fn lines(binary: &Path, file: &Path, algorithm: &str, warm: bool, rounds: u64) -> Result<String, String> {
    let bytes = std::fs::metadata(file).map_err(|e| e.to_string())?.len() as f64;
    let commands = commands(binary, file);
    let mut times = vec![Vec::new(); commands.len()];
    for _ in 0..rounds {
        for ((_, words), times) in commands.iter().zip(&mut times) {
            if warm {
                timed(&["cat".to_owned(), file.display().to_string()])?
            } else {
                drop_cached(file)?
            };
            times.push(timed(words)?);
        }
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let median = |times: &[f64]| times[times.len() / 2];
    let theirs = median(&times[0]);
    let line = |((name, _), times): (&(&str, Vec<String>), &Vec<f64>)| {
        let (ours, place) = (median(times), if warm { "page cache" } else { "device" });
        format!(
            "| {algorithm} | {place} | {name} | {ours:.0} | {:.0} | {:.0} | {:.1} | {:.2} times as long |\n",
            times[0],
            times[times.len() - 1],
            bytes / ours / 1e6,
            theirs / ours,
        )
    };
    Ok(commands.iter().zip(&times).map(line).collect())
}

/// Runs a command to its end, which must be good; milliseconds.
fn timed(words: &[String]) -> Result<f64, String> {
    let begun = Instant::now();
    let mut command = Command::new(&words[0]);
    let status = command.args(&words[1..]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let took = begun.elapsed().as_secs_f64() * 1e3;
    match status {
        Ok(status) if status.success() => Ok(took),
        Ok(status) => Err(format!("{words:?}: {status}")),
        Err(error) => Err(format!("{words:?}: {error}")),
    }
}

/// Has the kernel forget the file's pages.
fn drop_cached(file: &Path) -> Result<f64, String> {
    let of = format!("of={}", file.display());
    timed(
        &["dd", &of, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"].map(str::to_owned),
    )
}
