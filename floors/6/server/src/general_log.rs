//! The general query log: what clients ask for, in the format of MariaDB's log, which its tools read.
//!
//! An entry is written before what it tells of is done. The file stays open while it is the one of its name: it may be moved
//! away at any time.

use crate::options::Options;
use parking_lot::Mutex;
use runtime::turn_wall_time;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use types::{TimeZone, Timestamp};

/// The log's file, and what was written to it last.
pub struct GeneralLog {
    /// Where clients find the server, for a file's first lines.
    place: String,
    open: Mutex<Option<Open>>,
}

struct Open {
    path: PathBuf,
    file: File,
    /// The second that the last entry with a time was of.
    told: u64,
}

impl GeneralLog {
    /// The log of a server with these options; nothing is open yet.
    pub fn new(options: &Options) -> GeneralLog {
        let port = options.port.unwrap_or_default();
        let place = format!("Tcp port: {port}  Unix socket: {}", options.socket.display());
        GeneralLog { place, open: Mutex::new(None) }
    }

    /// Writes an entry to the file at `path`.
    pub fn write(&self, path: &Path, connection: u64, command: &str, argument: &[u8]) -> io::Result<()> {
        let mut open = self.open.lock();
        if !open.as_ref().is_some_and(|open| open.is_at(path)) {
            *open = None;
        }
        let open = match &mut *open {
            Some(open) => open,
            none => none.insert(Open::new(path, &self.place)?),
        };
        let now = turn_wall_time().as_secs();
        let time = match std::mem::replace(&mut open.told, now) == now {
            true => "\t".to_owned(),
            false => time_of(now),
        };
        let mut entry = format!("{time}\t{connection:6} {command}\t").into_bytes();
        entry.extend_from_slice(argument);
        entry.push(b'\n');
        open.file.write_all(&entry)
    }
}

impl Open {
    fn new(path: &Path, place: &str) -> io::Result<Open> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let head = format!(
            "penstock, Version: {}. started with:\n{place}\nTime\t\t    Id Command\tArgument\n",
            crate::VERSION
        );
        file.write_all(head.as_bytes())?;
        Ok(Open { path: path.to_owned(), file, told: 0 })
    }

    /// Whether the file is still the one of this name.
    fn is_at(&self, path: &Path) -> bool {
        let (Ok(there), Ok(here)) = (path.metadata(), self.file.metadata()) else { return false };
        self.path == path && (there.dev(), there.ino()) == (here.dev(), here.ino())
    }
}

/// A second since 1970 as MariaDB's logs write it, in the system's time zone.
pub fn time_of(second: u64) -> String {
    let local = TimeZone::System.to_local(Timestamp { secs: second as u32, micros: 0 });
    format!(
        "{:02}{:02}{:02} {:2}:{:02}:{:02}",
        local.date.year % 100,
        local.date.month,
        local.date.day,
        local.hour,
        local.minute,
        local.second
    )
}
