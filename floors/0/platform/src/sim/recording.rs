//! A run kept as its operations, to crash it anywhere without running it again.

use super::Disk;
use super::crash::{CrashModel, crashed};
use super::image::{Image, Op};

/// The operations of a run and the disk that it started from.
#[derive(Clone)]
pub struct Recording {
    start: Image,
    first: u64,
    ops: Vec<Op>,
}

impl Recording {
    pub(super) fn new(start: Image, operations: u64) -> Recording {
        Recording { start, first: operations, ops: Vec::new() }
    }

    pub(super) fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// The operations, the first of them numbered [`Recording::first`] + 1.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// [`Disk::operations`] when the recording began.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Walks the run from its start.
    #[must_use]
    pub fn replay(&self) -> Replay<'_> {
        Replay { image: self.start.clone(), operations: self.first, rest: &self.ops }
    }
}

/// A walk over a recorded run. It stands between two operations.
///
/// ```
/// # use platform::{file::OpenMode, sim::Disk};
/// let disk = Disk::new(1);
/// disk.record();
/// let file = disk.dir().open("a", OpenMode::NEW)?;
/// file.write_all_at(b"hello", 0)?;
/// let recording = disk.stop_recording().unwrap();
/// let mut replay = recording.replay();
/// while let Some(disk) = replay.crash_during_next(42) {
///     // ... restart from `disk`; what was acknowledged at `replay.operations()` or before must be there ...
///     replay.step();
/// }
/// # std::io::Result::Ok(())
/// ```
pub struct Replay<'a> {
    image: Image,
    operations: u64,
    rest: &'a [Op],
}

impl<'a> Replay<'a> {
    /// [`Disk::operations`] at this point of the run.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// The next operation.
    #[must_use]
    pub fn next_op(&self) -> Option<&'a Op> {
        self.rest.first()
    }

    /// Goes past the next operation, if there is one.
    pub fn step(&mut self) -> Option<&'a Op> {
        let (op, rest) = self.rest.split_first()?;
        self.image.apply(op);
        self.operations += 1;
        self.rest = rest;
        Some(op)
    }

    /// What a restart finds when the power goes here, between two operations.
    #[must_use]
    pub fn crash(&self, seed: u64) -> Disk {
        Disk::of(crashed(&self.image, seed, CrashModel::default()), seed)
    }

    /// What a restart finds when the power goes during the next operation; `None` at the run's end.
    #[must_use]
    pub fn crash_during_next(&self, seed: u64) -> Option<Disk> {
        let mut image = self.image.clone();
        image.apply_unfinished(self.next_op()?);
        Some(Disk::of(crashed(&image, seed, CrashModel::default()), seed))
    }

    /// The disk as it was here, unsynced changes and all.
    #[must_use]
    pub fn snapshot(&self) -> Disk {
        Disk::of(self.image.clone(), self.operations)
    }
}
