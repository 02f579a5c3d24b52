//! Files of the operating system.

use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use rustix::fs::{FallocateFlags, FlockOperation};

use super::{Advice, Create, Dir, DirLock, File, OpenMode, SyncMode, check_name};

/// A directory of the operating system.
pub struct RealDir {
    path: PathBuf,
    /// Kept open so that `sync` reaches the directory that was opened, whatever is renamed above it.
    handle: fs::File,
    /// How its files are forced.
    sync: SyncMode,
}

impl RealDir {
    /// Opens the directory `path`; with `create`, makes it first (mode 0700, parents by the umask) if missing.
    pub fn new(path: impl AsRef<Path>, create: bool) -> io::Result<RealDir> {
        let path = path.as_ref();
        if create && !path.is_dir() {
            create_durably(path)?;
        }
        let handle = fs::File::open(path)?;
        if !handle.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(RealDir { path: path.to_path_buf(), handle, sync: SyncMode::Data })
    }

    /// The same directory, its files forced in another way.
    #[must_use]
    pub fn with_sync(self, sync: SyncMode) -> RealDir {
        RealDir { sync, ..self }
    }

    fn at(&self, name: &str) -> io::Result<PathBuf> {
        check_name(name)?;
        Ok(self.path.join(name))
    }
}

/// Opens the file at `path`, wherever it lies.
pub fn open_path(path: &Path, mode: OpenMode) -> io::Result<Arc<dyn File>> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    Ok(Arc::new(RealFile { handle: open_options(mode).open(path)?, name, sync: SyncMode::Data }))
}

fn open_options(mode: OpenMode) -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(mode.write).mode(0o640);
    match mode.create {
        Create::Never => {}
        Create::IfMissing => {
            options.write(true).create(true);
        }
        Create::New => {
            options.write(true).create_new(true);
        }
    }
    if mode.direct {
        options.custom_flags(libc::O_DIRECT);
    }
    options
}

/// Makes `path` and its missing parents, and syncs each parent so that the new name survives a crash.
fn create_durably(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !parent.is_dir() {
        create_durably(parent)?;
    }
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        other => other?,
    }
    fs::File::open(parent)?.sync_all()
}

impl Dir for RealDir {
    fn open(&self, name: &str, mode: OpenMode) -> io::Result<Arc<dyn File>> {
        let handle = open_options(mode).open(self.at(name)?)?;
        Ok(Arc::new(RealFile { handle, name: name.to_owned(), sync: self.sync }))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                // A name that is not UTF-8 is none of ours.
                names.extend(entry.file_name().into_string().ok());
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.at(name)?)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.at(from)?, self.at(to)?)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.at(name)?.try_exists()
    }

    fn sync(&self) -> io::Result<()> {
        match self.sync {
            SyncMode::None => Ok(()),
            SyncMode::Data | SyncMode::Full => self.handle.sync_all(),
        }
    }

    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    fn lock(&self, name: &str) -> io::Result<DirLock> {
        let path = self.at(name)?;
        let mut handle = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o640)
            .open(&path)?;
        match rustix::fs::flock(&handle, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                let holder = fs::read_to_string(&path).unwrap_or_default();
                let holder = holder.trim();
                let holder = if holder.is_empty() { "another process" } else { &format!("process {holder}") };
                let message = format!("{} is locked by {holder}", path.display());
                return Err(io::Error::new(io::ErrorKind::WouldBlock, message));
            }
            Err(errno) => return Err(errno.into()),
        }
        handle.set_len(0)?;
        writeln!(handle, "{}", std::process::id())?;
        Ok(DirLock::new(handle))
    }
}

/// A file of the operating system.
struct RealFile {
    handle: fs::File,
    name: String,
    sync: SyncMode,
}

impl File for RealFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.handle.read_at(&mut buffer[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    fn read_words_at(&self, words: &[AtomicU64], offset: u64) -> io::Result<usize> {
        let (start, len) = (words.as_ptr().cast_mut().cast::<u8>(), size_of_val(words));
        let mut filled = 0;
        while filled < len {
            let at =
                libc::off_t::try_from(offset + filled as u64).map_err(|_| io::ErrorKind::InvalidInput)?;
            // SAFETY: the bytes from `filled` to `len` are inside `words`, which are borrowed until the end, and atomics
            // may be stored into behind a shared reference. The stores are the kernel's: to other threads they are as
            // good as relaxed stores of parts of words, which is what the contract says that they may see.
            let count =
                unsafe { libc::pread(self.handle.as_raw_fd(), start.add(filled).cast(), len - filled, at) };
            match usize::try_from(count) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(_) => match io::Error::last_os_error() {
                    error if error.kind() == io::ErrorKind::Interrupted => {}
                    error => return Err(error),
                },
            }
        }
        Ok(filled)
    }

    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
        self.handle.write_all_at(data, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        match self.sync {
            SyncMode::Data => self.handle.sync_data(),
            SyncMode::Full => self.handle.sync_all(),
            SyncMode::None => Ok(()),
        }
    }

    fn sync_mode(&self) -> SyncMode {
        self.sync
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.handle.metadata()?.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.handle.set_len(len)
    }

    fn preallocate(&self, offset: u64, len: u64) -> io::Result<()> {
        loop {
            match rustix::fs::fallocate(&self.handle, FallocateFlags::empty(), offset, len) {
                Ok(()) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::OPNOTSUPP) => {
                    let end = offset.checked_add(len).ok_or(io::ErrorKind::FileTooLarge)?;
                    return if self.len()? < end { self.set_len(end) } else { Ok(()) };
                }
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    fn extent_count(&self) -> io::Result<Option<u64>> {
        Ok(super::extents::list(&self.handle)?.map(|extents| extents.count))
    }

    fn advise(&self, offset: u64, len: u64, advice: Advice) {
        let advice = match advice {
            Advice::WillNeed => rustix::fs::Advice::WillNeed,
            Advice::DontNeed => rustix::fs::Advice::DontNeed,
        };
        // A length of 0 would mean all that follows.
        if let Some(len) = std::num::NonZeroU64::new(len) {
            let _ = rustix::fs::fadvise(&self.handle, offset, Some(len), advice);
        }
    }

    fn lock_holder(&self) -> io::Result<Option<u32>> {
        let mut lock = whole_file(libc::F_WRLCK);
        // SAFETY: the descriptor is open for the call's duration, and the kernel writes `lock` only.
        if unsafe { libc::fcntl(self.handle.as_raw_fd(), libc::F_GETLK, &raw mut lock) } != 0 {
            return Err(io::Error::last_os_error());
        }
        if i32::from(lock.l_type) != libc::F_UNLCK {
            return Ok(Some(u32::try_from(lock.l_pid).unwrap_or(0)));
        }
        // Of the other kind of lock only the kernel's list tells without trying to take it.
        let list = fs::read_to_string("/proc/locks").unwrap_or_default();
        Ok(flock_holder(&list, self.handle.metadata()?.ino()).filter(|holder| *holder != std::process::id()))
    }

    fn take_record_lock(&self) -> io::Result<()> {
        let lock = whole_file(libc::F_WRLCK);
        // SAFETY: the descriptor is open for the call's duration, and the kernel reads `lock` only.
        if unsafe { libc::fcntl(self.handle.as_raw_fd(), libc::F_SETLK, &raw const lock) } == 0 {
            return Ok(());
        }
        match io::Error::last_os_error() {
            error if error.raw_os_error() == Some(libc::EACCES) => Err(io::ErrorKind::WouldBlock.into()),
            error => Err(error),
        }
    }

    fn raw_fd(&self) -> Option<RawFd> {
        Some(self.handle.as_raw_fd())
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// A record lock from the first byte to the end, wherever that will be.
fn whole_file(kind: libc::c_int) -> libc::flock {
    // SAFETY: the structure consists of integers, for which zero is a value.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = kind as libc::c_short;
    lock.l_whence = libc::SEEK_SET as libc::c_short;
    lock
}

/// Who holds an exclusive `flock` on the file of this inode, by `/proc/locks`: lines such as
/// `3: FLOCK  ADVISORY  WRITE 812 fe:00:1042 0 EOF`. Devices are left out: not every file system shows its own.
pub(super) fn flock_holder(list: &str, inode: u64) -> Option<u32> {
    list.lines().find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let is_flock = words.next() == Some("FLOCK") && words.nth(1) == Some("WRITE");
        let holder = words.next()?.parse::<i64>().ok()?;
        let found = words.next()?.rsplit(':').next()?.parse::<u64>().ok()?;
        (is_flock && found == inode).then(|| u32::try_from(holder).unwrap_or(0))
    })
}
