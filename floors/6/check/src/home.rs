//! The data directory that a file belongs to: whether a server has it open, and where InnoDB's log ends.

use crate::innodb::{Redo, read_redo};
use parking_lot::Mutex;
use platform::file::{OpenMode, open_path};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that servers lock as long as they run: MariaDB's and MySQL's (which locks every tablespace), Penstock's.
const LOCKED_FILES: [&str; 3] = ["ibdata1", "aria_log_control", "penstock.lock"];

/// What the directory tells about its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    /// The process of the server that runs over it.
    pub holder: Option<u32>,
    /// InnoDB's log; `None` for files without one.
    pub redo: Option<Redo>,
}

/// The directories seen so far.
#[derive(Default)]
pub(crate) struct Homes(Mutex<BTreeMap<PathBuf, Home>>);

impl Homes {
    /// The data directory of the file: the one that it lies in, or the one above, where that holds a server's files.
    pub fn of(&self, file: &Path) -> Home {
        let Some(dir) = home_of(file) else { return Home::default() };
        let mut seen = self.0.lock();
        *seen.entry(dir.clone()).or_insert_with(|| look(&dir))
    }
}

fn home_of(file: &Path) -> Option<PathBuf> {
    let below = file.parent().unwrap_or(Path::new("."));
    let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    let is_home = |dir: &PathBuf| LOCKED_FILES.iter().any(|name| dir.join(name).is_file());
    [below.to_path_buf(), below.join("..")].into_iter().find(is_home)
}

/// What a server over the file's data directory locks when it starts, as far as it exists.
pub(crate) fn server_files(file: &Path) -> Vec<PathBuf> {
    let home = home_of(file);
    let all = home.iter().flat_map(|dir| LOCKED_FILES.map(|name| dir.join(name)));
    all.filter(|path| path.is_file()).collect()
}

fn look(dir: &Path) -> Home {
    let holder = LOCKED_FILES.iter().find_map(|name| {
        let file = open_path(&dir.join(name), OpenMode::READ).ok()?;
        file.lock_holder().ok().flatten()
    });
    Home { holder, redo: read_redo(dir) }
}
