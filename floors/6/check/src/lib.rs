//! Verifies what database servers have on disk, without a server: InnoDB tablespaces of MySQL and MariaDB, binary
//! logs, Penstock's own files.
//!
//! [`check`] walks files and directories, recognises each file by its content, checks all of it with several threads
//! and gives a [`Report`]: each damaged place with its kind, its bytes and its sums. What a running server may just be
//! writing is read again before it is called damaged.
//!
//! The formats of InnoDB are known here; those of Penstock's page file and of binary logs belong to `pages` and
//! `binlog`, which judge them. This room does not know what a row is, needs no engine, and changes
//! nothing but by [`rewrite()`].

#![forbid(unsafe_code)]

mod binlogs;
mod finding;
mod home;
mod innodb;
mod own;
mod report;
mod rewrite;
mod scan;
mod sources;

pub use finding::{Finding, Kind};
pub use innodb::{Algorithm, Counts, IndexFill, KindCount, Summary};
pub use report::{EXIT_SEVERAL, EXIT_SOUND, EXIT_UNREADABLE, FileReport, Format, Report};
pub use rewrite::{RewriteError, rewrite};

use home::Homes;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that work.
    pub threads: usize,
    /// Count types of pages and the fill of indexes.
    pub summary: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { threads: platform::topology::Topology::discover().parallelism(), summary: false }
    }
}

/// How far a check is; for another thread to look at.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicU64,
    done: AtomicU64,
}

impl Progress {
    /// Bytes to be read in all, as far as known.
    #[must_use]
    pub fn total(&self) -> u64 {
        // Relaxed, here and below: numbers to look at, nothing hangs on them.
        self.total.load(Ordering::Relaxed)
    }

    /// Bytes read.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    fn add(&self, bytes: u64) {
        self.done.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Checks files, and all files below directories.
#[must_use]
pub fn check(paths: &[PathBuf], options: &Options, progress: &Progress) -> Report {
    let begun = Instant::now();
    let homes = Homes::default();
    let (sources, mut files) = sources::sources(paths);
    progress.total.store(sources.iter().map(|source| source.len).sum(), Ordering::Relaxed);
    files.extend(scan::scan(sources, |source| sources::open(source, &homes, options), options, progress));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Report { files, took: begun.elapsed(), threads: options.threads.max(1) }
}
