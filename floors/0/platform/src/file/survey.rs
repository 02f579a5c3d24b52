//! How the files of a directory lie on their device: lengths, space, pieces.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::extents::{self, Extents};
use super::walk;

/// A file as its file system keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surveyed {
    /// Where it is.
    pub path: PathBuf,
    /// Its length in bytes.
    pub len: u64,
    /// Space that it takes on the device, in bytes: less than `len` where it has holes, more where space is reserved.
    pub allocated: u64,
    /// Its pieces; `None` where the file system does not tell.
    pub extents: Option<Extents>,
}

/// What was found under a path.
#[derive(Debug, Default)]
pub struct Survey {
    /// The files, sorted by their paths.
    pub files: Vec<Surveyed>,
    /// What could not be read.
    pub failed: Vec<(PathBuf, io::Error)>,
}

/// Surveys `path`: a file, or all files in a directory and those below it, links followed as [`walk()`] does; what goes away
/// meanwhile is left out. An error where `path` itself cannot be read.
pub fn survey(path: &Path) -> io::Result<Survey> {
    let mut survey = Survey::default();
    for found in walk(path) {
        match found.and_then(|found| look(&found.path).map_err(|error| (found.path, error))) {
            Ok(file) => survey.files.push(file),
            Err((failed, error)) if failed == path => return Err(error),
            Err((_, error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(failed) => survey.failed.push(failed),
        }
    }
    Ok(survey)
}

fn look(path: &Path) -> io::Result<Surveyed> {
    let file = fs::File::open(path)?;
    let facts = file.metadata()?;
    Ok(Surveyed {
        path: path.to_path_buf(),
        len: facts.len(),
        // Always of 512 bytes, whatever the file system's block is (stat(2)).
        allocated: facts.blocks() * 512,
        extents: extents::list(&file)?,
    })
}

/// What `path` is kept on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// The file system's type and its device, as `/proc/self/mountinfo` names them, such as `ext4` and `/dev/sda1`.
    pub file_system: String,
    /// The device.
    pub device: String,
    /// The device's write cache, as the kernel understands it: `write back` (a force must empty it) or `write through`.
    pub write_cache: Option<String>,
    /// Whether a write can go round the cache by itself (forced unit access).
    pub forced_unit_access: Option<bool>,
    /// Whether it is a disk that turns.
    pub rotational: Option<bool>,
}

/// Looks up what `path` is kept on; what the kernel does not tell stays empty.
pub fn volume(path: &Path) -> io::Result<Volume> {
    let number = fs::metadata(path)?.dev();
    let number = format!("{}:{}", rustix::fs::major(number), rustix::fs::minor(number));
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let (file_system, device) = mount_of(&mounts, &number).unwrap_or_default();
    // A partition's queue is that of its disk, one folder up.
    let block = fs::canonicalize(format!("/sys/dev/block/{number}")).unwrap_or_default();
    let folders = [Some(block.as_path()), block.parent()];
    let fact = |name: &str| {
        let texts =
            folders.iter().flatten().map(|folder| fs::read_to_string(folder.join("queue").join(name)));
        texts.filter_map(Result::ok).map(|text| text.trim().to_owned()).next()
    };
    let flag = |name: &str| fact(name).map(|text| text == "1");
    Ok(Volume {
        file_system,
        device,
        write_cache: fact("write_cache"),
        forced_unit_access: flag("fua"),
        rotational: flag("rotational"),
    })
}

/// Type and device of the mount with the device number, from lines such as
/// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue` (proc(5)).
fn mount_of(mounts: &str, number: &str) -> Option<(String, String)> {
    mounts.lines().filter(|line| line.split(' ').nth(2) == Some(number)).find_map(|line| {
        let (_, after) = line.split_once(" - ")?;
        let mut words = after.split(' ');
        Some((words.next()?.to_owned(), words.next()?.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_a_directory_are_found_with_their_space() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("below")).unwrap();
        fs::write(dir.path().join("below/b"), vec![1; 100_000]).unwrap();
        fs::File::create(dir.path().join("hole")).unwrap().set_len(1 << 30).unwrap();
        fs::write(dir.path().join("a"), b"").unwrap();
        std::os::unix::fs::symlink("/nowhere", dir.path().join("link")).unwrap();
        let Survey { files: found, failed } = survey(dir.path()).unwrap();
        assert!(failed.is_empty());
        let names: Vec<_> =
            found.iter().map(|f| f.path.strip_prefix(dir.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a", "below/b", "hole"]);
        assert_eq!((found[0].len, found[0].allocated), (0, 0));
        assert!(found[1].allocated >= 100_000);
        assert!(found[2].len == 1 << 30 && found[2].allocated < 1 << 20);
        if let Some(extents) = &found[1].extents {
            assert!(extents.count >= 1 && extents.largest <= 128 << 10, "{extents:?}");
        }
        assert_eq!(survey(&dir.path().join("below/b")).unwrap().files[0].len, 100_000);
        assert!(survey(&dir.path().join("none")).is_err());
    }

    #[test]
    fn a_mount_is_found_by_its_device_number() {
        let mounts =
            "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n36 35 98:0 /a /b rw master:1 - xfs /dev/x rw\n";
        assert_eq!(mount_of(mounts, "98:0"), Some(("xfs".into(), "/dev/x".into())));
        assert_eq!(mount_of(mounts, "98:1"), None);
        assert!(volume(Path::new("/")).is_ok());
    }
}
