//! What a check found, and how it is told.

use crate::finding::{Finding, Kind};
use crate::innodb::Summary;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

mod text;

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "layout")]
pub enum Format {
    /// A tablespace of InnoDB, and how its pages look.
    Innodb(String),
    /// A binary or relay log, and what is known about it.
    Binlog(String),
    /// Penstock's page file.
    Pages,
    /// Known, but nothing that can be verified: why.
    Skipped(&'static str),
    /// None of the above.
    Unknown,
}

impl Format {
    /// The plural for people; `None` for what is not checked.
    fn group(&self) -> Option<&'static str> {
        match self {
            Format::Innodb(_) => Some("InnoDB files"),
            Format::Binlog(_) => Some("binary logs"),
            Format::Pages => Some("Penstock page files"),
            Format::Skipped(_) | Format::Unknown => None,
        }
    }

    /// What its units are called.
    fn unit(&self) -> &'static str {
        match self {
            Format::Binlog(_) => "events",
            _ => "pages",
        }
    }
}

/// What was found in one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileReport {
    /// Where it is.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// What it is.
    pub format: Format,
    /// Pages or events looked at.
    pub units: u64,
    /// Pages among them that were never written.
    pub empty: u64,
    /// Units among them that carry no sum that can be verified.
    pub opaque: u64,
    /// Units that were wrong at first and right when read again: a server was writing them.
    pub settled: u64,
    /// The process that has the file open for writing.
    pub holder: Option<u32>,
    /// All damage, by place.
    pub findings: Vec<Finding>,
    /// What is worth knowing and no damage.
    pub notes: Vec<String>,
    /// Types of pages and fill of indexes, where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

impl FileReport {
    /// A report about a file of which nothing is known yet.
    pub(crate) fn of(path: PathBuf, bytes: u64) -> FileReport {
        FileReport {
            path,
            bytes,
            format: Format::Unknown,
            units: 0,
            empty: 0,
            opaque: 0,
            settled: 0,
            holder: None,
            findings: Vec::new(),
            notes: Vec::new(),
            summary: None,
            error: None,
        }
    }

    /// A file that cannot be read.
    pub(crate) fn unreadable(path: PathBuf, error: impl ToString) -> FileReport {
        FileReport { error: Some(error.to_string()), ..FileReport::of(path, 0) }
    }

    /// A file that is left alone.
    pub(crate) fn skipped(path: PathBuf, bytes: u64, why: &'static str) -> FileReport {
        FileReport { format: Format::Skipped(why), ..FileReport::of(path, bytes) }
    }
}

/// What was found in all files.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The files, by path.
    pub files: Vec<FileReport>,
    /// How long it took.
    pub took: Duration,
    /// How many threads worked.
    pub threads: usize,
}

/// Exit code: everything that was asked for is sound.
pub const EXIT_SOUND: u8 = 0;
/// Exit code: a file could not be read or is of no known format; no damage elsewhere.
pub const EXIT_UNREADABLE: u8 = 1;
/// Exit code: damage of several kinds.
pub const EXIT_SEVERAL: u8 = 20;

impl Report {
    /// All damage with its file.
    pub fn findings(&self) -> impl Iterator<Item = (&Path, &Finding)> {
        self.files.iter().flat_map(|file| file.findings.iter().map(|finding| (&*file.path, finding)))
    }

    /// How often each kind of damage was found.
    #[must_use]
    pub fn kinds(&self) -> BTreeMap<Kind, u64> {
        let mut kinds = BTreeMap::new();
        for (_, finding) in self.findings() {
            *kinds.entry(finding.kind).or_default() += 1;
        }
        kinds
    }

    /// The exit code: 0; 1 where something could not be read; by kind of damage; 20 where there are several.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let kinds = self.kinds();
        let unreadable = self.files.iter().any(|file| file.error.is_some());
        match (kinds.len(), kinds.keys().next()) {
            (1, Some(kind)) => kind.exit_code(),
            (0, _) if unreadable => EXIT_UNREADABLE,
            (0, _) => EXIT_SOUND,
            _ => EXIT_SEVERAL,
        }
    }

    /// Bytes of the files that were checked.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let checked = self.files.iter().filter(|file| file.format.group().is_some());
        checked.map(|file| file.bytes).sum()
    }

    /// The report as one JSON object.
    ///
    /// # Panics
    /// Never: the report consists of what JSON has.
    #[must_use]
    pub fn to_json(&self) -> String {
        let kinds: BTreeMap<_, _> =
            self.kinds().into_iter().map(|(kind, count)| (kind.name(), count)).collect();
        let json = serde_json::json!({
            "exit_code": self.exit_code(),
            "damage": kinds,
            "bytes": self.bytes(),
            "seconds": self.took.as_secs_f64(),
            "threads": self.threads,
            "files": self.files,
        });
        let mut text = serde_json::to_string_pretty(&json).expect("a report is JSON");
        text.push('\n');
        text
    }
}
