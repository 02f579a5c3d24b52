//! A directory whose files take a while to force, as on a device of their own.

use platform::file::{Dir, DirLock, File, OpenMode};
use std::io;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Another directory, with each force held back.
pub struct SlowDir {
    pub dir: Arc<dyn Dir>,
    pub force: Duration,
}

struct SlowFile {
    file: Arc<dyn File>,
    force: Duration,
}

impl Dir for SlowDir {
    fn open(&self, name: &str, mode: OpenMode) -> io::Result<Arc<dyn File>> {
        Ok(Arc::new(SlowFile { file: self.dir.open(name, mode)?, force: self.force }))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.dir.list()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.dir.remove(name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.dir.rename(from, to)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.dir.exists(name)
    }

    fn sync(&self) -> io::Result<()> {
        self.dir.sync()
    }

    fn path(&self) -> PathBuf {
        self.dir.path()
    }

    fn lock(&self, name: &str) -> io::Result<DirLock> {
        self.dir.lock(name)
    }
}

impl File for SlowFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset)
    }

    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(data, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        std::thread::sleep(self.force);
        self.file.sync_data()
    }

    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn preallocate(&self, offset: u64, len: u64) -> io::Result<()> {
        self.file.preallocate(offset, len)
    }

    fn raw_fd(&self) -> Option<RawFd> {
        self.file.raw_fd()
    }

    fn name(&self) -> &str {
        self.file.name()
    }
}
