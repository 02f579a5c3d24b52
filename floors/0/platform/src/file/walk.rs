//! All regular files below a directory.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A regular file below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is: the directory's path and the way from there.
    pub path: PathBuf,
    /// Its length in bytes, when it was found.
    pub len: u64,
}

/// The regular files at or below `root`, by path; symbolic links are followed, each directory is entered once.
///
/// What cannot be looked into comes with its error instead; the rest is walked all the same.
#[must_use]
pub fn walk(root: &Path) -> Vec<Result<Found, (PathBuf, io::Error)>> {
    let mut all = Vec::new();
    let mut entered = HashSet::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(path) = waiting.pop() {
        let looked = fs::metadata(&path).and_then(|metadata| {
            if metadata.is_file() {
                all.push(Ok(Found { path: path.clone(), len: metadata.len() }));
            } else if metadata.is_dir() && entered.insert((metadata.dev(), metadata.ino())) {
                for entry in fs::read_dir(&path)? {
                    waiting.push(entry?.path());
                }
            }
            Ok(())
        });
        match looked {
            Ok(()) => {}
            // Removed meanwhile, or a link to nothing: no file.
            Err(error) if error.kind() == io::ErrorKind::NotFound && path != root => {}
            Err(error) => all.push(Err((path, error))),
        }
    }
    all.sort_by(|a, b| path_of(a).cmp(path_of(b)));
    all
}

fn path_of(found: &Result<Found, (PathBuf, io::Error)>) -> &Path {
    match found {
        Ok(found) => &found.path,
        Err((path, _)) => path,
    }
}
