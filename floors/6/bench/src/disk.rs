//! disk: what a force costs on a directory's device, in each way that a log might write, and so what a commit can cost there.

use crate::BenchError;
use crate::outcome::{Phase, ServerOutcome};
use crate::tally::Interval;
use platform::file::survey::{Volume, volume};
use platform::file::{Dir, File, OpenMode, RealDir, SyncMode};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a small commit writes.
const BLOCK: usize = 4096;
/// Bytes reserved for a file, and written over again and again.
const FILE_BYTES: u64 = 64 << 20;
/// Bytes of a write that measures how much the device takes.
const LARGE: usize = 1 << 20;
/// Writers that force files of their own.
const WRITERS: usize = 8;
/// A median force of less than this, in microseconds, is memory and not a medium.
const SUSPICIOUS_US: f64 = 15.0;

/// A way to write and force.
struct Way {
    name: &'static str,
    sync: SyncMode,
    /// The file's state before.
    file: State,
    direct: bool,
    /// Bytes of each write.
    bytes: usize,
    writers: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It grows by each write.
    Empty,
    /// Its space is reserved and never written.
    Reserved,
    /// It was written, and is written over.
    Written,
}

const ALONE: Way =
    Way { name: "", sync: SyncMode::Data, file: State::Written, direct: false, bytes: BLOCK, writers: 1 };

const WAYS: [Way; 8] = [
    Way { name: "overwrite, fdatasync", ..ALONE },
    Way { name: "overwrite, fsync", sync: SyncMode::Full, ..ALONE },
    Way { name: "overwrite by O_DIRECT, fdatasync", direct: true, ..ALONE },
    Way { name: "into reserved space, fdatasync", file: State::Reserved, ..ALONE },
    Way { name: "growing file, fdatasync", file: State::Empty, ..ALONE },
    Way { name: "no force at all", sync: SyncMode::None, ..ALONE },
    Way { name: "8 writers, a file each", writers: WRITERS, ..ALONE },
    Way { name: "1 MiB by O_DIRECT, fdatasync", direct: true, bytes: LARGE, ..ALONE },
];

/// What was found.
pub struct Disk {
    /// A phase for each way.
    pub outcome: ServerOutcome,
    /// What the directory is kept on.
    pub volume: Volume,
}

/// Measures in a folder of its own inside `dir`, each way for so many seconds.
pub fn run(dir: &Path, seconds: f64) -> Result<Disk, BenchError> {
    let failed = |what: &str| {
        let what = format!("{what} {}", dir.display());
        move |error| BenchError::System(what, error)
    };
    let volume = volume(dir).map_err(failed("look at"))?;
    let work = tempfile::Builder::new()
        .prefix("penstock-bench-disk-")
        .tempdir_in(dir)
        .map_err(failed("write to"))?;
    let mut phases = Vec::new();
    for way in &WAYS {
        let open = RealDir::new(work.path(), false).map_err(failed("open"))?.with_sync(way.sync);
        match measure(&open, way, seconds) {
            Ok(phase) => phases.push(phase),
            // File systems in memory do not go round a cache.
            Err(error) if way.direct && error.kind() == std::io::ErrorKind::InvalidInput => {}
            Err(error) => return Err(failed(&format!("measure '{}' in", way.name))(error)),
        }
    }
    let version = format!("{} on {}", volume.file_system, volume.device);
    Ok(Disk { outcome: ServerOutcome { name: dir.display().to_string(), version, phases }, volume })
}

/// As many writers as the way has, each with its file, until the time is over.
fn measure(dir: &RealDir, way: &Way, seconds: f64) -> std::io::Result<Phase> {
    let files =
        (0..way.writers).map(|writer| prepare(dir, way, writer)).collect::<std::io::Result<Vec<_>>>()?;
    let begun = Instant::now();
    let end = begun + Duration::from_secs_f64(seconds);
    let intervals = std::thread::scope(|scope| {
        let work = |file: Arc<dyn File>| scope.spawn(move || write_and_force(&*file, way, end));
        let workers: Vec<_> = files.into_iter().map(work).collect();
        workers.into_iter().map(|worker| worker.join().expect("writing does not panic")).collect::<Vec<_>>()
    });
    let mut total = Interval::default();
    for interval in intervals {
        total.add(&interval?);
    }
    dir.list()?.iter().try_for_each(|name| dir.remove(name))?;
    Ok(Phase::part(way.name, begun.elapsed().as_secs_f64(), total))
}

fn prepare(dir: &RealDir, way: &Way, writer: usize) -> std::io::Result<Arc<dyn File>> {
    let file = dir.open(&format!("file-{writer}"), OpenMode::NEW.direct(way.direct))?;
    if way.file != State::Empty {
        file.preallocate(0, FILE_BYTES)?;
    }
    if way.file == State::Written {
        let block = Aligned::new(LARGE);
        for offset in (0..FILE_BYTES).step_by(LARGE) {
            file.write_all_at(block.bytes(), offset)?;
        }
    }
    file.sync_data()?;
    Ok(file)
}

fn write_and_force(file: &dyn File, way: &Way, end: Instant) -> std::io::Result<Interval> {
    let (mut interval, block) = (Interval::default(), Aligned::new(way.bytes));
    let mut offset = 0;
    let mut now = Instant::now();
    while now < end {
        file.write_all_at(block.bytes(), offset)?;
        file.sync_data()?;
        let done = Instant::now();
        interval.record(done - now, 1);
        now = done;
        offset += way.bytes as u64;
        if offset >= FILE_BYTES {
            match way.file {
                State::Empty => file.set_len(0)?,
                State::Reserved => {
                    file.set_len(0)?;
                    file.preallocate(0, FILE_BYTES)?;
                }
                State::Written => {}
            }
            offset = 0;
            now = Instant::now();
        }
    }
    Ok(interval)
}

/// Bytes that begin where devices want them.
struct Aligned {
    bytes: Vec<u8>,
    from: usize,
    len: usize,
}

impl Aligned {
    fn new(len: usize) -> Aligned {
        let bytes = vec![0x5A; len + BLOCK];
        let from = bytes.as_ptr().align_offset(BLOCK);
        Aligned { bytes, from, len }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[self.from..self.from + self.len]
    }
}

impl Disk {
    fn phase(&self, name: &str) -> Option<&Phase> {
        self.outcome.phases.iter().find(|phase| phase.name == name)
    }

    /// What the figures mean for somebody who commits, in whole sentences.
    pub fn advice(&self) -> String {
        let unknown = || "unknown".to_owned();
        let yes =
            |flag: Option<bool>| flag.map_or_else(unknown, |flag| if flag { "yes" } else { "no" }.to_owned());
        let mut text = format!(
            "Device {} ({}); write cache: {}; writes round it (FUA): {}; turning: {}.\n",
            self.volume.device,
            self.volume.file_system,
            self.volume.write_cache.clone().unwrap_or_else(unknown),
            yes(self.volume.forced_unit_access),
            yes(self.volume.rotational),
        );
        let Some(force) = self.phase(WAYS[0].name) else { return text };
        let (p50, p99) = (force.quantile_us(0.5), force.quantile_us(0.99));
        text += &format!(
            "A commit waits for one force: {p50:.0} us at the median, {p99:.0} us at p99. One connection makes at most {:.0} \
             durable commits a second here; more connections share forces.\n",
            force.rate()
        );
        if let (Some(grown), Some(reserved)) = (self.phase(WAYS[4].name), self.phase(WAYS[3].name)) {
            text += &format!(
                "A file that grows by each force costs {:.2} times that, reserved space {:.2} times.\n",
                grown.quantile_us(0.5) / p50,
                reserved.quantile_us(0.5) / p50
            );
        }
        if let Some(large) = self.outcome.phases.iter().find(|phase| phase.name == WAYS[7].name) {
            text += &format!("It takes {:.0} MiB a second in writes of 1 MiB, each forced.\n", large.rate());
        }
        if p50 < SUSPICIOUS_US {
            text += "BEWARE: no medium is that quick. Forces end in memory here, which is safe only if a battery keeps it; on a \
                     virtual machine, ask whether the host passes flushes on.\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_measured_and_nothing_stays() {
        let dir = tempfile::tempdir().unwrap();
        let disk = run(dir.path(), 0.02).unwrap();
        assert!(disk.outcome.phases.len() >= WAYS.len() - 2, "all but those by O_DIRECT");
        assert!(disk.outcome.phases.iter().all(|phase| phase.total.answers > 0));
        assert!(disk.advice().contains("A commit waits for one force"));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        assert!(run(&dir.path().join("none"), 0.1).is_err());
    }

    #[test]
    fn a_disk_that_forces_in_no_time_is_suspected() {
        let mut total = Interval::default();
        total.record(Duration::from_micros(2), 1000);
        let phases = vec![Phase::part(WAYS[0].name, 1.0, total)];
        let outcome = ServerOutcome { name: "d".into(), version: String::new(), phases };
        let disk = Disk { outcome, volume: Volume::default() };
        assert!(disk.advice().contains("BEWARE"));
    }
}
