//! Rewriting sums, under locks that keep servers out.

use crate::Algorithm;
use crate::home::{Homes, server_files};
use crate::innodb::{Counts, HEAD_BYTES, detect, rewrite as rewrite_pages};
use platform::file::{Cause, File, OpenMode, open_path};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Why no sum was rewritten.
#[derive(Debug)]
pub enum RewriteError {
    /// A server has the file open, or its directory; its process, where that is known.
    InUse(Option<u32>),
    /// The file is no tablespace.
    NoTablespace,
    /// The tablespace's format has one algorithm only.
    OneAlgorithm,
    /// The operating system refused.
    Io(std::io::Error),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteError::InUse(Some(process)) if *process != 0 => {
                write!(f, "refused: a server has it open, process {process}; stop it first")
            }
            RewriteError::InUse(_) => f.write_str("refused: a server has it open; stop it first"),
            RewriteError::NoTablespace => f.write_str("sums are rewritten in InnoDB tablespaces only"),
            RewriteError::OneAlgorithm => {
                f.write_str("a full_crc32 tablespace has no other algorithm; leave --to away")
            }
            RewriteError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RewriteError {}

impl From<std::io::Error> for RewriteError {
    fn from(error: std::io::Error) -> Self {
        match Cause::of(&error) {
            Cause::Locked => RewriteError::InUse(None),
            _ => RewriteError::Io(error),
        }
    }
}

/// Gives pages of a tablespace new sums: those without a right one; with `to` also those of another algorithm. Refuses
/// while a server runs over the file or its data directory, and keeps servers from starting meanwhile.
pub fn rewrite(path: &Path, to: Option<Algorithm>) -> Result<Counts, RewriteError> {
    let file = open_path(path, OpenMode::WRITE)?;
    let home = Homes::default().of(path);
    if let Some(process) = file.lock_holder()?.or(home.holder) {
        return Err(RewriteError::InUse(Some(process)));
    }
    let mut head = vec![0; HEAD_BYTES];
    let bytes = file.read_at(&mut head, 0)?;
    let detected = detect(&head[..bytes]).ok_or(RewriteError::NoTablespace)?;
    if to.is_some() && detected.space.layout.full_crc32 {
        return Err(RewriteError::OneAlgorithm);
    }
    file.take_record_lock()?;
    // A server that starts locks one of these first.
    let mut locked: Vec<Arc<dyn File>> = Vec::new();
    for other in server_files(path).into_iter().filter(|other| !is_same(other, path)) {
        let other = open_path(&other, OpenMode::WRITE)?;
        other.take_record_lock()?;
        locked.push(other);
    }
    let len = file.len()?;
    Ok(rewrite_pages(&*file, len, &detected, to)?)
}

/// Closing another handle of a file would give its lock back.
fn is_same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(a).is_some_and(|a| Some(a) == real(b))
}
