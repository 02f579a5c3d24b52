//! Two servers that grow their files side by side on one file system, ext4 and XFS: in how many pieces the files end, with
//! space reserved and without, and MariaDB's beside. On loop devices made for it; needs root. Report in bench/runs.
//!
//! Environment: `FILES_ROWS` (40000), rows of 1 KiB that each server takes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::servers::{self, Server, Setting, output};

/// Bytes of each loop device.
const DEVICE_BYTES: u64 = 3 << 30;
/// Rows of an INSERT.
const BATCH: u64 = 100;

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("files", |work| {
        let rows = servers::number("FILES_ROWS", 40_000);
        let mut report = format!(
            "# Pieces of files that grow side by side\n\n{}, commit {}. `cargo xtask files`: two servers of a kind on one fresh file \
             system, each taking {rows} rows of 1 KiB, {BATCH} a statement, at the same time. Pieces by FIEMAP (`penstock files`).\n\n\
             | file system | servers | data: MiB | pieces | log: MiB | pieces | s |\n| --- | --- | --- | --- | --- | --- | --- |\n",
            servers::machine(),
            servers::commit(root)?,
        );
        for kind in ["ext4", "xfs"] {
            if output(Command::new(format!("mkfs.{kind}")).arg("-V")).is_err() {
                println!("skipped: no mkfs.{kind}");
                continue;
            }
            for way in [Way::Reserved, Way::AsWritten, Way::MariaDb] {
                let device = Device::make(work, kind)?;
                report += &grow(root, &device.mounted, kind, way, rows)?;
            }
        }
        servers::keep_report(root, "files", &report)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Reserved,
    AsWritten,
    MariaDb,
}

/// Starts two servers, has both take rows, and counts.
fn grow(root: &Path, at: &Path, kind: &str, way: Way, rows: u64) -> Result<String, String> {
    let start = |number: usize| -> Result<Server, String> {
        let home = at.join(number.to_string());
        std::fs::create_dir_all(&home).map_err(|e| format!("make {}: {e}", home.display()))?;
        match way {
            Way::Reserved => servers::penstock(root, &home, Setting::default()),
            Way::AsWritten => {
                servers::penstock_with(root, &home, Setting::default(), &["--preallocate", "false"])
            }
            Way::MariaDb => servers::mariadb(&home, Setting::default()),
        }
    };
    let pair = [start(0)?, start(1)?];
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        let workers: Vec<_> = pair.iter().map(|server| scope.spawn(|| fill(server, rows))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("filling does not panic"))
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    drop(pair);
    let found = output(Command::new(servers::binary(root)?).arg("files").arg("--json").arg(at))?;
    let found: serde_json::Value =
        serde_json::from_str(&found).map_err(|e| format!("read penstock files: {e}"))?;
    let sum = |is_mine: &dyn Fn(&str) -> bool| {
        let files = found[0]["files"].as_array().into_iter().flatten();
        let mine = files.filter(|file| file["path"].as_str().is_some_and(is_mine));
        mine.fold((0, 0), |(bytes, pieces), file| {
            let number = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
            (bytes + number(&file["allocated"]), pieces + number(&file["extents"]["count"]))
        })
    };
    let (data, data_pieces) = sum(&|path| path.ends_with("penstock.data") || path.ends_with("/bench/t.ibd"));
    let (log, log_pieces) = sum(&|path| path.contains("/binlog.0"));
    let name = match way {
        Way::Reserved => "Penstock",
        Way::AsWritten => "Penstock, --preallocate false",
        Way::MariaDb => "MariaDB",
    };
    let row = format!(
        "| {kind} | 2 x {name} | {} | {data_pieces} | {} | {log_pieces} | {seconds:.1} |\n",
        data >> 20,
        log >> 20
    );
    print!("{row}");
    Ok(row)
}

fn fill(server: &Server, rows: u64) -> Result<(), String> {
    servers::client(
        server,
        "CREATE DATABASE bench; CREATE TABLE bench.t (id INT PRIMARY KEY, pad VARBINARY(1100))",
    )?;
    let mut script = String::new();
    for first in (0..rows).step_by(BATCH as usize) {
        let values: Vec<String> =
            (first..first + BATCH).map(|id| format!("({id},REPEAT(CHAR(65+{id}%26),1000))")).collect();
        script += &format!("INSERT INTO bench.t VALUES {};\n", values.join(","));
    }
    servers::script(server, &script)
}

/// A file system of its own on a loop device; unmounted and removed when dropped.
struct Device {
    image: PathBuf,
    mounted: PathBuf,
}

impl Device {
    fn make(work: &Path, kind: &str) -> Result<Device, String> {
        let (image, mounted) = (work.join(format!("{kind}.img")), work.join(kind));
        std::fs::create_dir_all(&mounted).map_err(|e| format!("make {}: {e}", mounted.display()))?;
        let file = std::fs::File::create(&image).map_err(|e| format!("make {}: {e}", image.display()))?;
        file.set_len(DEVICE_BYTES).map_err(|e| format!("size {}: {e}", image.display()))?;
        output(Command::new(format!("mkfs.{kind}")).arg("-q").arg(&image))?;
        output(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(&mounted))?;
        Ok(Device { image, mounted })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.mounted).status();
        let _ = std::fs::remove_file(&self.image);
    }
}
