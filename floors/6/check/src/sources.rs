//! Which files there are, and what each is, by its content first.

use crate::binlogs::{self, BinlogJob};
use crate::home::Homes;
use crate::innodb::{HEAD_BYTES, SpaceJob, detect};
use crate::own::{PagesJob, check_log};
use crate::report::FileReport;
use crate::scan::{Job, Opened};
use crate::{Finding, Format, Kind, Options};
use platform::file::{OpenMode, open_path, walk};
use std::io;
use std::path::{Path, PathBuf};

/// A file that was asked for, or found in a directory that was.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub path: PathBuf,
    pub len: u64,
    /// Asked for by its own name: not knowing it is an error.
    pub named: bool,
}

/// The index of Penstock's log, where that lies beside its page file.
const LOG_INDEX: &str = "binlog.index";

/// All files of the paths asked for; what cannot be looked into as its report.
pub(crate) fn sources(paths: &[PathBuf]) -> (Vec<Source>, Vec<FileReport>) {
    let mut files = Vec::new();
    let mut reports = Vec::new();
    for path in paths {
        let all = walk(path);
        if all.is_empty() && !path.is_dir() {
            reports.push(FileReport::unreadable(path.clone(), "neither a file nor a directory"));
        }
        for found in all {
            match found {
                Ok(found) => {
                    let named = found.path == *path;
                    files.push(Source { path: found.path, len: found.len, named });
                }
                Err((path, error)) => reports.push(FileReport::unreadable(path, error)),
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|b, a| a.path == b.path);
    // Long ones first, so that no thread is left with one at the end.
    files.sort_by_key(|file| std::cmp::Reverse(file.len));
    (files, reports)
}

/// Opens a file and says what is to be done with it.
pub(crate) fn open(source: Source, homes: &Homes, options: &Options) -> Opened {
    let path = source.path.clone();
    match recognise(source, homes, options) {
        Ok(opened) => opened,
        Err(error) => done(FileReport::unreadable(path, error)),
    }
}

fn recognise(source: Source, homes: &Homes, options: &Options) -> io::Result<Opened> {
    let Source { path, len, named } = source;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(why) = left_alone(&name).filter(|_| !named) {
        return Ok(done(FileReport::skipped(path, len, why)));
    }
    if name == LOG_INDEX && path.with_file_name(pages::FILE_NAME).is_file() {
        let dir = path.parent().unwrap_or(Path::new("."));
        return Ok(done(check_log(dir, homes.of(&path))));
    }
    let file = open_path(&path, OpenMode::READ)?;
    let len = file.len()?;
    let mut head = vec![0; HEAD_BYTES.min(len as usize)];
    let bytes = file.read_at(&mut head, 0)?;
    head.truncate(bytes);
    if let Some(dialect) = binlogs::recognise(&head) {
        return Ok(job(BinlogJob::new(file, path, len, dialect)));
    }
    if pages::is_page_file(&head) {
        return Ok(job(PagesJob::new(file, path.clone(), len, homes.of(&path))));
    }
    if let Some(detected) = detect(&head) {
        return Ok(job(SpaceJob::new(file, path.clone(), len, detected, homes.of(&path), options)?));
    }
    if is_later_system_file(&name) && head.iter().all(|byte| *byte == 0) {
        return Ok(done(FileReport::skipped(
            path,
            len,
            "files of the system tablespace that were never written",
        )));
    }
    if is_space_name(&name) {
        return Ok(done(unrecognised(path, len)));
    }
    if named {
        let error = "no tablespace, binary log or file of Penstock's: nothing to check it by";
        return Ok(done(FileReport::unreadable(path, error)));
    }
    Ok(done(FileReport::skipped(path, len, "files of other formats")))
}

fn done(report: FileReport) -> Opened {
    Opened::Done(Box::new(report))
}

fn job(job: impl Job + 'static) -> Opened {
    Opened::Job(Box::new(job))
}

/// A file that has a tablespace's name, and no page that tells how the others look.
fn unrecognised(path: PathBuf, len: u64) -> FileReport {
    let finding = Finding {
        page: None,
        from: 0,
        to: len,
        kind: Kind::Structure,
        expected: None,
        found: None,
        text: "named as a tablespace, but no page of it can be recognised".to_owned(),
    };
    let format = Format::Innodb("unknown".to_owned());
    FileReport { format, findings: vec![finding], ..FileReport::of(path, len) }
}

/// Whether the name is this word and a number.
fn is_numbered(name: &str, word: &str) -> bool {
    let number = name.strip_prefix(word).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// A file that continues the system tablespace: its first page is like any other.
fn is_later_system_file(name: &str) -> bool {
    is_numbered(name, "ibdata") && name != "ibdata1"
}

/// Whether servers give tablespaces such names.
fn is_space_name(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "ibd" || extension == "ibu")
        || is_numbered(name, "ibdata")
        || is_numbered(name, "undo")
        || is_numbered(name, "undo_")
}

/// Files that are not checked in a directory: why.
fn left_alone(name: &str) -> Option<&'static str> {
    let path = Path::new(name);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if name.starts_with("ibtmp") || extension == "ibt" {
        return Some("temporary tablespaces, made anew at each start");
    }
    if name.starts_with("ib_logfile") || name.starts_with("#ib_redo") {
        return Some("InnoDB's redo logs");
    }
    if name == "penstock.lock" {
        return Some("locks");
    }
    if extension == "dblwr" || extension == "bdblwr" {
        return Some("doublewrite files, copies of pages");
    }
    None
}
