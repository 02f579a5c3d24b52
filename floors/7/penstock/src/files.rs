//! `penstock files`: how a data directory lies on its device.

use clap::{ArgMatches, Command};
use platform::file::Extents;
use platform::file::survey::{Survey, Surveyed, Volume, survey, volume};
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Declares `penstock files`.
pub fn command() -> Command {
    Command::new("files")
        .about("Show in how many pieces the files of a data directory are stored: Penstock's, MariaDB's or any other")
        .arg(crate::paths())
        .arg(crate::json())
}

/// Surveys, prints, and fails where something could not be read.
pub fn run(matches: &ArgMatches) -> ExitCode {
    let (mut outcome, mut reports) = (ExitCode::SUCCESS, Vec::new());
    for path in matches.get_many::<PathBuf>("paths").into_iter().flatten() {
        match report(path) {
            Ok(report) => {
                for (path, error) in &report.found.failed {
                    eprintln!("penstock files: {}: {error}", path.display());
                    outcome = ExitCode::FAILURE;
                }
                reports.push(report);
            }
            Err(error) => {
                eprintln!("penstock files: {}: {error}", path.display());
                outcome = ExitCode::FAILURE;
            }
        }
    }
    match matches.get_flag("json") {
        true => println!("{:#}", Value::Array(reports.iter().map(Report::json).collect())),
        false => reports.iter().for_each(|report| print!("{}", report.text())),
    }
    outcome
}

/// What was found under one path.
struct Report {
    path: PathBuf,
    volume: Volume,
    found: Survey,
}

fn report(path: &Path) -> io::Result<Report> {
    Ok(Report { path: path.to_path_buf(), found: survey(path)?, volume: volume(path)? })
}

impl Report {
    /// The sum over all files: the largest piece is the largest of all.
    fn total(&self) -> Surveyed {
        let mut total = Surveyed { path: "all".into(), len: 0, allocated: 0, extents: None };
        for file in &self.found.files {
            total.len += file.len;
            total.allocated += file.allocated;
            if let Some(extents) = file.extents {
                let sum = total.extents.get_or_insert_default();
                sum.count += extents.count;
                sum.unwritten += extents.unwritten;
                sum.largest = sum.largest.max(extents.largest);
            }
        }
        total
    }

    fn json(&self) -> Value {
        let extents =
            |e: &Extents| json!({ "count": e.count, "largest": e.largest, "unwritten": e.unwritten });
        let file = |f: &Surveyed| {
            json!({
                "path": f.path.to_string_lossy(),
                "bytes": f.len,
                "allocated": f.allocated,
                "extents": f.extents.as_ref().map(extents),
            })
        };
        json!({
            "path": self.path.to_string_lossy(),
            "file_system": self.volume.file_system,
            "device": self.volume.device,
            "files": self.found.files.iter().map(file).collect::<Vec<_>>(),
            "total": file(&self.total()),
        })
    }

    fn text(&self) -> String {
        let Volume { file_system, device, .. } = &self.volume;
        let mut text = format!("{} ({file_system} on {device})\n\n", self.path.display());
        text += "       bytes   allocated   extents   largest  unwritten  file\n";
        for file in &self.found.files {
            let name = file.path.strip_prefix(&self.path).unwrap_or(&file.path);
            text += &line(
                file,
                &if name.as_os_str().is_empty() { &file.path } else { name }.display().to_string(),
            );
        }
        let total = self.total();
        text += &line(&total, &format!("{} files", self.found.files.len()));
        if let Some(Extents { count, .. }) = total.extents.filter(|extents| extents.count > 0) {
            let mean = total.allocated / count;
            text += &format!("\nA piece is {} long in the mean.\n", bytes(mean));
        }
        text
    }
}

fn line(file: &Surveyed, name: &str) -> String {
    let of = |value: fn(&Extents) -> u64| file.extents.as_ref().map(value);
    let shown = |value: Option<u64>, show: fn(u64) -> String| value.map_or("?".to_owned(), show);
    format!(
        "{:>12} {:>11} {:>9} {:>9} {:>10}  {name}\n",
        file.len,
        bytes(file.allocated),
        shown(of(|e| e.count), |n| n.to_string()),
        shown(of(|e| e.largest), bytes),
        shown(of(|e| e.unwritten), bytes),
    )
}

/// Bytes in the unit that leaves one to four digits.
fn bytes(n: u64) -> String {
    let units = ["", " KiB", " MiB", " GiB", " TiB"];
    let unit = (0..units.len() - 1).find(|unit| n >> (10 * unit) < 10_000).unwrap_or(units.len() - 1);
    format!("{}{}", n >> (10 * unit), units[unit])
}
