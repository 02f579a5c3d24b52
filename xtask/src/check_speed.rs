//! `cargo xtask check-speed`: `penstock check` beside `innochecksum` and beside plainly reading the file, on tablespaces of
//! MariaDB's that are in the page cache and on the same ones read from the device. The runs take turns; medians.
//!
//! Environment: `CHECK_MIB` (2048) of table, `CHECK_ROUNDS` (7); `CHECK_FILE`, a tablespace that is there already, taken
//! instead.

use crate::Outcome;
use crate::servers::{self, Setting, number};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rows that an INSERT makes, and bytes of a row.
const BATCH: u64 = 20_000;
const ROW: u64 = 57 * 128;

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("check-speed", |work| {
        let rounds = number("CHECK_ROUNDS", 7).max(1);
        let mut report = head(root, rounds)?;
        let binary = servers::binary(root)?;
        if let Some(file) = std::env::var_os("CHECK_FILE").map(PathBuf::from) {
            report += &both(&binary, &file, "as it is", rounds)?;
            return servers::keep_report(root, "check", &report);
        }
        for algorithm in ["full_crc32", "crc32"] {
            eprintln!("a tablespace with {algorithm}");
            let file = tablespace(work, algorithm)?;
            report += &both(&binary, &file, algorithm, rounds)?;
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
         A table that MariaDB filled, {} MiB unless it was there already, 16 KiB pages. Each line: median, fastest and slowest of {rounds} runs \
         (3 from the device) that take turns. \"read\" is `dd bs=256k` to /dev/null, what one thread takes for the bytes \
         alone; two of them at once, half of the file each, \"read by 2\". From the device: the file is dropped from the \
         page cache before each run. All find no damage, by their exit codes. \
         \"Times\": innochecksum's median over this one's, and the fastest over the fastest.\n\n\
         | sums | file in | what | median ms | fastest | slowest | CPU ms | GB/s | times | of the fastest |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
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

/// From the page cache and from the device.
fn both(binary: &Path, file: &Path, algorithm: &str, rounds: u64) -> Result<String, String> {
    let warm = lines(binary, file, algorithm, true, rounds)?;
    Ok(warm + &lines(binary, file, algorithm, false, rounds.min(3))?)
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
    let mut runs: Vec<Vec<Took>> = vec![Vec::new(); commands.len()];
    for _ in 0..rounds {
        for ((_, words), runs) in commands.iter().zip(&mut runs) {
            if warm {
                timed(&["cat".to_owned(), file.display().to_string()])?
            } else {
                drop_cached(file)?
            };
            runs.push(timed(words)?);
        }
    }
    let sorted = |runs: &[Took], of: fn(&Took) -> f64| servers::sorted(runs.iter().map(of));
    let theirs = sorted(&runs[0], |took| took.wall);
    let line = |((name, _), runs): (&(&str, Vec<String>), &Vec<Took>)| {
        let (wall, cpu) = (sorted(runs, |took| took.wall), sorted(runs, |took| took.cpu));
        let (middle, place) = (wall.len() / 2, if warm { "page cache" } else { "device" });
        format!(
            "| {algorithm} | {place} | {name} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} | {:.2} | {:.2} |\n",
            wall[middle],
            wall[0],
            wall[wall.len() - 1],
            cpu[middle],
            bytes / wall[middle] / 1e6,
            theirs[middle] / wall[middle],
            theirs[0] / wall[0],
        )
    };
    Ok(commands.iter().zip(&runs).map(line).collect())
}

/// What a run took, in milliseconds.
#[derive(Clone, Copy)]
struct Took {
    wall: f64,
    /// CPU of all its threads, its own and the kernel's for it.
    cpu: f64,
}

/// Runs a command to its end, which must be good. The shell tells what it took.
fn timed(words: &[String]) -> Result<Took, String> {
    let script = "TIMEFORMAT='%R %U %S'; time \"$@\" >/dev/null 2>/dev/null";
    let output = Command::new("bash").args(["-c", script, "bash"]).args(words).output();
    let output = output.map_err(|error| format!("{words:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{words:?}: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).map(|s| s * 1e3);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(wall), Some(user), Some(system)) => Ok(Took { wall, cpu: user + system }),
        _ => Err(format!("{words:?}: no times in {text:?}")),
    }
}

/// Has the kernel forget the file's pages.
fn drop_cached(file: &Path) -> Result<Took, String> {
    let of = format!("of={}", file.display());
    timed(
        &["dd", &of, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"].map(str::to_owned),
    )
}
