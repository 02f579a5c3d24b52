//! A deterministic disk in memory that behaves as badly as real ones do.
//!
//! # The model
//!
//! A [`Disk`] keeps each file twice: what a reader sees (the page cache) and what is on the medium. Changes go to
//! the first and are remembered in order; [`File::sync_data`] and [`Dir::sync`] carry them to the second. Reads,
//! until a crash, see everything written.
//!
//! [`Disk::after_crash`] is what a restart after a power cut would find. What was synced is there, byte for byte.
//! For the rest a *mood* is drawn from the seed:
//!
//! | mood | what survives of the unsynced changes |
//! | --- | --- |
//! | lost | nothing |
//! | kept | everything |
//! | prefix | all changes up to some point of the run, in order; the next write up to some byte |
//! | scattered | each 512-byte sector for itself: lost, kept, an older unsynced version, or torn between two versions; a file's length, and each name's creation, rename and removal, for itself |
//!
//! Some scattered crashes also *misdirect*: a sector's new content lands where another unsynced sector belongs, in
//! the same file or another, and its own place keeps the old one. Victims are only sectors whose synced content
//! the writer gave up: past the synced end, never written (zeros), or rewritten with nothing kept in place.
//! Synced data changes by [`Disk::flip_byte`] only.
//!
//! Three rules keep the model to what journaling file systems do: changes of one name stay in order; a cut
//! (`set_len` to less) stays in order with the writes after it, so cut bytes never come back behind a new length;
//! and a file whose creation was lost is gone, however often its data was synced.
//!
//! A sync that fails (by [`Faults`]) drops what it could not write, as Linux does: readers still see it, a
//! later sync does not carry it, a crash loses what the draw lost. A sync that *lies* ([`Faults::lying_sync`]) is
//! the canary: tests of the rooms above must notice.
//!
//! # Operations
//!
//! Every call that changes or syncs something is one numbered operation, counted from 1. [`Disk::crash_at`] cuts
//! the power during one. Cheaper, for crashing at *every* operation: [`Disk::record`] a run once, then walk it
//! with [`Replay`], which stands before and after each operation in turn and can crash there with any seed.

use std::io;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::file::{Create, Dir, DirLock, File, OpenMode, SECTOR, check_name};

mod contents;
mod crash;
mod faults;
mod image;
mod inode;
mod names;
mod recording;
mod rng;
#[cfg(test)]
mod tests;

pub use crash::CrashModel;
pub use faults::{Call, Fault, Faults};
pub use image::{InodeNo, Op};
pub use recording::{Recording, Replay};
pub use rng::Rng;

use contents::Contents;
use image::Image;

/// A simulated disk with one directory. Clones share it; [`Disk::snapshot`] copies it.
#[derive(Clone)]
pub struct Disk {
    shared: Arc<Mutex<Shared>>,
    released: Arc<Condvar>,
}

struct Shared {
    image: Image,
    operations: u64,
    crash_at: Option<u64>,
    crashed: bool,
    faults: Faults,
    locks: Vec<String>,
    recording: Option<Recording>,
    rng: Rng,
    holds_syncs: bool,
    syncs_waiting: usize,
}

/// Syncs of data wait until this is dropped: see [`Disk::hold_syncs`].
pub struct HeldSyncs {
    disk: Disk,
}

impl HeldSyncs {
    /// How many calls wait now.
    pub fn waiting(&self) -> usize {
        self.disk.shared.lock().syncs_waiting
    }
}

impl Drop for HeldSyncs {
    fn drop(&mut self) {
        self.disk.shared.lock().holds_syncs = false;
        self.disk.released.notify_all();
    }
}

impl Disk {
    /// An empty disk. The seed decides what failing syncs lose.
    pub fn new(seed: u64) -> Disk {
        Disk::of(Image::default(), seed)
    }

    fn of(image: Image, seed: u64) -> Disk {
        let shared = Shared {
            image,
            operations: 0,
            crash_at: None,
            crashed: false,
            faults: Faults::default(),
            locks: Vec::new(),
            recording: None,
            rng: Rng::new(seed),
            holds_syncs: false,
            syncs_waiting: 0,
        };
        Disk { shared: Arc::new(Mutex::new(shared)), released: Arc::new(Condvar::new()) }
    }

    /// The disk's directory.
    pub fn dir(&self) -> Arc<dyn Dir> {
        Arc::new(SimDir { disk: self.clone() })
    }

    /// The number of operations so far.
    ///
    /// What was acknowledged while this read `n` must survive every crash at an operation after the `n`-th.
    pub fn operations(&self) -> u64 {
        self.shared.lock().operations
    }

    /// Cuts the power during operation `number` (from 1): it and everything later fails with "simulated crash".
    pub fn crash_at(&self, number: u64) {
        self.shared.lock().crash_at = Some(number);
    }

    /// Cuts the power now.
    pub fn crash(&self) {
        self.shared.lock().crashed = true;
    }

    /// What a restart after a power cut at this moment finds, as drawn from `seed`. This disk stays as it is.
    pub fn after_crash(&self, seed: u64) -> Disk {
        self.after_crash_with(seed, CrashModel::default())
    }

    /// As [`Disk::after_crash`], for disks that do less harm.
    pub fn after_crash_with(&self, seed: u64, model: CrashModel) -> Disk {
        Disk::of(crash::crashed(&self.shared.lock().image, seed, model), seed)
    }

    /// What a restart finds when only the process ended: everything written, synced or not.
    pub fn after_kill(&self) -> Disk {
        let shared = self.shared.lock();
        Disk::of(shared.image.clone(), shared.rng.clone().next_u64())
    }

    /// An independent copy with all that is unsynced, without faults, locks and recording. Blocks are shared
    /// until written, so this costs a few words a block.
    pub fn snapshot(&self) -> Disk {
        self.after_kill()
    }

    /// Makes the disk infinitely slow in syncing data: callers of [`File::sync_data`] wait until the guard is dropped.
    pub fn hold_syncs(&self) -> HeldSyncs {
        self.shared.lock().holds_syncs = true;
        HeldSyncs { disk: self.clone() }
    }

    /// Replaces the faults in force.
    pub fn set_faults(&self, faults: Faults) {
        self.shared.lock().faults = faults;
    }

    /// Inverts the lowest bit of one byte of a file, for readers and on the medium: rot. `false` if there is no
    /// such byte.
    pub fn flip_byte(&self, file: &str, offset: u64) -> bool {
        self.damage(file, offset, |byte| byte ^ 1)
    }

    /// Replaces one byte of a file, for readers and on the medium. `false` if there is no such byte.
    pub fn damage(&self, file: &str, offset: u64, change: impl Fn(u8) -> u8) -> bool {
        let mut shared = self.shared.lock();
        match shared.image.lookup(file) {
            Some(inode) => shared.image.inode_mut(inode).damage(offset, change),
            None => false,
        }
    }

    /// Starts recording operations, from the disk's present state.
    pub fn record(&self) {
        let mut shared = self.shared.lock();
        shared.recording = Some(Recording::new(shared.image.clone(), shared.operations));
    }

    /// Ends the recording and returns it; `None` if there is none.
    pub fn stop_recording(&self) -> Option<Recording> {
        self.shared.lock().recording.take()
    }

    fn alive(&self) -> io::Result<MutexGuard<'_, Shared>> {
        let shared = self.shared.lock();
        if shared.crashed { Err(crash_error()) } else { Ok(shared) }
    }
}

/// The error of every call after the power was cut.
fn crash_error() -> io::Error {
    io::Error::other("simulated crash")
}

fn errno(code: i32) -> io::Error {
    io::Error::from_raw_os_error(code)
}

impl Shared {
    /// Runs one operation: counts it, lets a crash or a fault have its way, applies it, records it.
    fn perform(&mut self, mut op: Op, call: Call, name: &str) -> io::Result<()> {
        self.operations += 1;
        if self.crash_at.is_some_and(|number| self.operations >= number) {
            self.crashed = true;
            self.image.apply_unfinished(&op);
            self.note(op);
            return Err(crash_error());
        }
        let mut result = Ok(());
        if let Some(error) = self.faults.strike(call, name, op.range()) {
            op = match op {
                Op::SyncData { inode } => Op::FailedSync { inode, seed: self.rng.next_u64() },
                _ => Op::Nothing,
            };
            result = Err(error);
        } else if let Some(room) = self.faults.room(&self.image, &op) {
            op = op.cut_to(room);
            result = Err(errno(libc::ENOSPC));
        } else if self.faults.lying_sync && matches!(op, Op::SyncData { .. } | Op::SyncNames) {
            op = Op::Nothing;
        }
        self.image.apply(&op);
        self.note(op);
        result
    }

    fn note(&mut self, op: Op) {
        if let Some(recording) = &mut self.recording {
            recording.push(op);
        }
    }

    /// The operation that creates `name`, performed.
    fn create(&mut self, name: &str) -> io::Result<InodeNo> {
        let inode = self.image.next_inode();
        self.perform(Op::Create { name: name.into(), inode }, Call::Names, name)?;
        Ok(inode)
    }
}

struct SimDir {
    disk: Disk,
}

impl Dir for SimDir {
    fn open(&self, name: &str, mode: OpenMode) -> io::Result<Arc<dyn File>> {
        check_name(name)?;
        let mut shared = self.disk.alive()?;
        if let Some(error) = shared.faults.strike(Call::Open, name, None) {
            return Err(error);
        }
        let inode = match (shared.image.lookup(name), mode.create) {
            (Some(_), Create::New) => return Err(errno(libc::EEXIST)),
            (Some(_), _) if mode.write && shared.faults.read_only => return Err(errno(libc::EROFS)),
            (Some(inode), _) => inode,
            (None, Create::Never) => return Err(errno(libc::ENOENT)),
            (None, Create::IfMissing | Create::New) => shared.create(name)?,
        };
        drop(shared);
        Ok(Arc::new(SimFile { disk: self.disk.clone(), inode, mode, name: name.to_owned() }))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        Ok(self.disk.alive()?.image.list())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        check_name(name)?;
        let mut shared = self.disk.alive()?;
        shared.image.lookup(name).ok_or_else(|| errno(libc::ENOENT))?;
        shared.perform(Op::Remove { name: name.into() }, Call::Names, name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        check_name(from)?;
        check_name(to)?;
        let mut shared = self.disk.alive()?;
        shared.image.lookup(from).ok_or_else(|| errno(libc::ENOENT))?;
        if from == to {
            return Ok(());
        }
        shared.perform(Op::Rename { from: from.into(), to: to.into() }, Call::Names, from)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        check_name(name)?;
        Ok(self.disk.alive()?.image.lookup(name).is_some())
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.alive()?.perform(Op::SyncNames, Call::SyncNames, "")
    }

    fn path(&self) -> PathBuf {
        PathBuf::from("simulated")
    }

    fn lock(&self, name: &str) -> io::Result<DirLock> {
        check_name(name)?;
        let mut shared = self.disk.alive()?;
        if shared.locks.iter().any(|held| held == name) {
            let message = format!("simulated/{name} is locked by process {}", std::process::id());
            return Err(io::Error::new(io::ErrorKind::WouldBlock, message));
        }
        if shared.image.lookup(name).is_none() {
            shared.create(name)?;
        }
        shared.locks.push(name.to_owned());
        drop(shared);
        Ok(DirLock::new(Held { disk: self.disk.clone(), name: name.to_owned() }))
    }
}

/// A lock taken; released when dropped.
struct Held {
    disk: Disk,
    name: String,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.disk.shared.lock().locks.retain(|held| *held != self.name);
    }
}

struct SimFile {
    disk: Disk,
    inode: InodeNo,
    mode: OpenMode,
    name: String,
}

impl SimFile {
    /// What direct I/O demands of a call, and writing of a handle.
    fn check(&self, data: &[u8], offset: u64, write: bool) -> io::Result<()> {
        if write && !self.mode.write {
            return Err(errno(libc::EBADF));
        }
        let unit = SECTOR as u64;
        let aligned = offset.is_multiple_of(unit)
            && (data.len() as u64).is_multiple_of(unit)
            && (data.as_ptr() as u64).is_multiple_of(unit);
        if self.mode.direct && !aligned {
            return Err(errno(libc::EINVAL));
        }
        offset
            .checked_add(data.len() as u64)
            .filter(|end| *end <= Contents::LEN_MAX)
            .ok_or(errno(libc::EFBIG))?;
        Ok(())
    }

    fn resize(&self, op: Op) -> io::Result<()> {
        if !self.mode.write {
            return Err(errno(libc::EBADF));
        }
        self.disk.alive()?.perform(op, Call::SetLen, &self.name)
    }
}

impl File for SimFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.check(buffer, offset, false)?;
        let mut shared = self.disk.alive()?;
        let range = offset..offset + buffer.len() as u64;
        if let Some(error) = shared.faults.strike(Call::Read, &self.name, Some(range)) {
            return Err(error);
        }
        Ok(shared.image.inode(self.inode).live().read(buffer, offset))
    }

    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
        self.check(data, offset, true)?;
        if data.is_empty() {
            return Ok(());
        }
        let op = Op::Write { inode: self.inode, offset, data: data.into() };
        self.disk.alive()?.perform(op, Call::Write, &self.name)
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut shared = self.disk.alive()?;
        shared.syncs_waiting += 1;
        self.disk.released.wait_while(&mut shared, |shared| shared.holds_syncs);
        shared.syncs_waiting -= 1;
        if shared.crashed {
            return Err(crash_error());
        }
        shared.perform(Op::SyncData { inode: self.inode }, Call::Sync, &self.name)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.disk.alive()?.image.inode(self.inode).live().len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        if len > Contents::LEN_MAX {
            return Err(errno(libc::EFBIG));
        }
        self.resize(Op::SetLen { inode: self.inode, len })
    }

    fn preallocate(&self, offset: u64, len: u64) -> io::Result<()> {
        let end =
            offset.checked_add(len).filter(|end| *end <= Contents::LEN_MAX).ok_or(errno(libc::EFBIG))?;
        if end <= self.len()? {
            return Ok(());
        }
        self.resize(Op::SetLen { inode: self.inode, len: end })
    }

    fn raw_fd(&self) -> Option<RawFd> {
        None
    }

    fn name(&self) -> &str {
        &self.name
    }
}
