//! The report for people.

use super::{FileReport, Format, Report};
use crate::innodb::Summary;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// What a group of files adds up to.
#[derive(Default)]
struct Sum {
    files: u64,
    bytes: u64,
    units: u64,
    empty: u64,
    opaque: u64,
    settled: u64,
    unit: &'static str,
}

impl Report {
    /// The report for people: damage first, then notes, then what was checked. `verbose` names every file.
    #[must_use]
    pub fn to_text(&self, verbose: bool) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write_text(&mut text, verbose);
        text
    }

    fn write_text(&self, out: &mut String, verbose: bool) -> fmt::Result {
        for (path, finding) in self.findings() {
            writeln!(out, "DAMAGED {}: {finding}", path.display())?;
        }
        for file in &self.files {
            let path = file.path.display();
            if let Some(error) = &file.error {
                writeln!(out, "NOT READ {path}: {error}")?;
            }
            for note in &file.notes {
                writeln!(out, "note {path}: {note}")?;
            }
            if verbose && file.error.is_none() {
                writeln!(out, "{}", verbose_line(file))?;
            }
            if let Some(summary) = &file.summary {
                writeln!(out, "\n{path}")?;
                write_summary(out, summary)?;
            }
        }
        self.write_groups(out)?;
        self.write_verdict(out)
    }

    fn write_groups(&self, out: &mut String) -> fmt::Result {
        let mut groups: BTreeMap<&'static str, Sum> = BTreeMap::new();
        let mut skipped: BTreeMap<&'static str, u64> = BTreeMap::new();
        for file in &self.files {
            match (&file.format, file.format.group()) {
                (format, Some(group)) => {
                    let sum = groups.entry(group).or_default();
                    sum.files += 1;
                    sum.bytes += file.bytes;
                    sum.units += file.units;
                    sum.empty += file.empty;
                    sum.opaque += file.opaque;
                    sum.settled += file.settled;
                    sum.unit = format.unit();
                }
                (Format::Skipped(why), _) => *skipped.entry(why).or_default() += 1,
                _ => {}
            }
        }
        for (name, sum) in groups {
            write!(out, "{:>7} {name:<20} {:>10}  {} {}", sum.files, size(sum.bytes), sum.units, sum.unit)?;
            let extras = [
                (sum.empty, "never written"),
                (sum.opaque, "without a sum to verify"),
                (sum.settled, "were being written"),
            ];
            for (count, what) in extras.into_iter().filter(|(count, _)| *count > 0) {
                write!(out, ", {count} {what}")?;
            }
            out.push('\n');
        }
        for (why, count) in skipped {
            writeln!(out, "{count:>7} not checked: {why}")?;
        }
        Ok(())
    }

    fn write_verdict(&self, out: &mut String) -> fmt::Result {
        let kinds = self.kinds();
        let seconds = self.took.as_secs_f64();
        let speed = size((self.bytes() as f64 / seconds.max(1e-9)) as u64);
        let work = format!(
            "{} in {seconds:.2} s, {speed}/s, {} thread{}",
            size(self.bytes()),
            self.threads,
            if self.threads == 1 { "" } else { "s" }
        );
        let unread = self.files.iter().filter(|file| file.error.is_some()).count();
        if kinds.is_empty() && unread == 0 {
            return writeln!(out, "No damage. ({work})");
        }
        let mut parts: Vec<String> =
            kinds.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        if parts.is_empty() {
            parts.push("no damage in what could be read".to_owned());
        }
        if unread > 0 {
            parts.push(format!("{unread} not read"));
        }
        writeln!(out, "Found: {}. ({work})", parts.join(", "))
    }
}

fn verbose_line(file: &FileReport) -> String {
    let path = file.path.display();
    let what = match &file.format {
        Format::Innodb(layout) => format!("InnoDB, {layout}"),
        Format::Binlog(about) => format!("binary log, {about}"),
        Format::Pages => "Penstock page file".to_owned(),
        Format::Skipped(why) => return format!("{path}: not checked: {why}"),
        Format::Unknown => return format!("{path}: not known"),
    };
    let open = file.holder.map_or(String::new(), |process| format!(", open in process {process}"));
    format!("{path}: {what}: {} {}, {} damaged{open}", file.units, file.format.unit(), file.findings.len())
}

fn write_summary(out: &mut String, summary: &Summary) -> fmt::Result {
    for kind in &summary.kinds {
        writeln!(out, "{:>10} {}", kind.pages, kind.name)?;
    }
    if !summary.indexes.is_empty() {
        writeln!(
            out,
            "{:>10} {:>8} {:>6} {:>8} {:>12} {:>12} {:>10} {:>6}",
            "index", "pages", "levels", "leaves", "records", "records/leaf", "bytes/leaf", "fill"
        )?;
    }
    for index in &summary.indexes {
        writeln!(
            out,
            "{:>10} {:>8} {:>6} {:>8} {:>12} {:>12.1} {:>10.1} {:>5.1}%",
            index.index,
            index.pages,
            index.levels,
            index.leaves,
            index.records,
            index.records_per_leaf,
            index.bytes_per_leaf,
            index.fill_percent
        )?;
    }
    Ok(())
}

/// Bytes for people.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}
