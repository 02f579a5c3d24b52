//! Penstock's own page file: every page that the newest checkpoint names, in the order in which they lie.
//!
//! What is right is the matter of `pages`; here its pages are shared among threads, read in long runs, and what is wrong
//! gets its kind. The log beside it is a binary log like others; how it ends, `binlog` decides.

use crate::Progress;
use crate::finding::{Finding, Kind, flipped, zero_sectors};
use crate::home::Home;
use crate::report::{FileReport, Format};
use crate::scan::{Job, SLICE_BYTES, Scratch};
use ::binlog::{DEFAULT_BASE, LogError, Tail, verify};
use pages::{Damage, Inspection, PAGE_SIZE, PageError, PagePlace, Wrong, inspect};
use parking_lot::Mutex;
use platform::file::{Advice, File, RealDir};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Pages that a thread takes at once.
const PIECE_PAGES: usize = 1024;
/// A page's own checksum and what it covers.
const SUM_BYTES: usize = 4;
/// How often and when a running server's file is looked at again.
const PATIENCE: [Duration; 5] = [
    Duration::from_millis(1),
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(300),
    Duration::from_millis(600),
];

/// A page file on its way through the threads.
pub(crate) struct PagesJob {
    file: Arc<dyn File>,
    path: PathBuf,
    len: u64,
    holder: Option<u32>,
    found: Result<Inspection, PageError>,
    bad: Mutex<Vec<(PagePlace, Wrong)>>,
    unreadable: Mutex<Vec<(PagePlace, std::io::Error)>>,
}

impl PagesJob {
    pub fn new(file: Arc<dyn File>, path: PathBuf, len: u64, home: Home) -> PagesJob {
        let found = look(&*file);
        let (bad, unreadable) = (Mutex::default(), Mutex::default());
        PagesJob { file, path, len, holder: home.holder, found, bad, unreadable }
    }

    fn pages(&self) -> &[PagePlace] {
        self.found.as_ref().map_or(&[], |found| &found.pages)
    }

    /// Pages that stay wrong; a server that runs may have moved them meanwhile, which a newer superblock tells.
    fn settle(&self, mut bad: Vec<(PagePlace, Wrong)>) -> Vec<(PagePlace, Wrong)> {
        let mut sequence = self.found.as_ref().map_or(0, |found| found.sequence);
        let mut image = vec![0; PAGE_SIZE];
        for pause in PATIENCE {
            if bad.is_empty() {
                break;
            }
            std::thread::sleep(pause);
            let newer = inspect(&*self.file).ok().filter(|newer| newer.sequence != sequence);
            if let Some(newer) = newer {
                sequence = newer.sequence;
                let places: HashMap<_, _> = newer.pages.iter().map(|place| (place.page(), *place)).collect();
                bad = bad
                    .into_iter()
                    .filter_map(|(place, wrong)| Some((*places.get(&place.page())?, wrong)))
                    .collect();
            }
            bad.retain_mut(|(place, wrong)| {
                let bytes = self.file.read_at(&mut image, place.offset()).unwrap_or(0);
                match place.check(&image[..bytes]) {
                    Ok(()) => false,
                    Err(found) => {
                        *wrong = found;
                        true
                    }
                }
            });
            if self.holder.is_none() {
                break;
            }
        }
        bad
    }

    fn page_finding(&self, place: &PagePlace, wrong: Wrong) -> Finding {
        let mut image = vec![0; PAGE_SIZE];
        let bytes = self.file.read_at(&mut image, place.offset()).unwrap_or(0);
        let what = format!("page {} of tree {}", place.page(), place.tree());
        finding(Some(place.page().0.into()), place.offset(), wrong, &image[..bytes], &what)
    }

    /// Superblocks and blocks of the map.
    fn map_finding(&self, damage: &Damage) -> Finding {
        let mut image = vec![0; PAGE_SIZE];
        let bytes = self.file.read_at(&mut image, damage.offset).unwrap_or(0);
        let healed = if damage.healed { "; its second copy is sound" } else { "; so are both copies" };
        let what = format!("{} {}{healed}", damage.what, damage.number);
        finding(None, damage.offset, damage.wrong, &image[..bytes], &what)
    }
}

/// Looks until the superblock stayed the same meanwhile: slots that the map named are then not written to.
fn look(file: &dyn File) -> Result<Inspection, PageError> {
    let mut found = inspect(file)?;
    for pause in PATIENCE {
        if found.damage.is_empty() && found.contradictions.is_empty() {
            break;
        }
        std::thread::sleep(pause);
        let again = inspect(file)?;
        let is_same = again.sequence == found.sequence;
        found = again;
        if is_same {
            break;
        }
    }
    Ok(found)
}

fn finding(page: Option<u64>, from: u64, wrong: Wrong, image: &[u8], what: &str) -> Finding {
    let mut finding = Finding {
        page,
        from,
        to: from + PAGE_SIZE as u64,
        kind: Kind::Content,
        expected: None,
        found: None,
        text: format!("{what}: {wrong}"),
    };
    finding.kind = match wrong {
        Wrong::Checksum { stored, found, .. } => {
            (finding.expected, finding.found) = (Some(found), Some(stored));
            let (kind, text) = sum_kind(image, stored, found);
            finding.text = format!("{what}: {text}");
            kind
        }
        Wrong::Page { .. } | Wrong::Slot { .. } => Kind::Misdirected,
        Wrong::Tree { .. } => Kind::WrongSpace,
        Wrong::Generation { .. } | Wrong::Stale { .. } => Kind::Stale,
        Wrong::Short { .. } => Kind::Torn,
        Wrong::Version { .. } | Wrong::Field { .. } => Kind::Structure,
    };
    finding
}

/// Why the bytes do not have the sum that they carry.
fn sum_kind(image: &[u8], stored: u32, computed: u32) -> (Kind, String) {
    if let Some((byte, bit)) = flipped::<checksum::Castagnoli>(stored ^ computed, SUM_BYTES as u64, image) {
        return (Kind::BitFlip, format!("with bit {bit} of byte {byte} of it flipped all is right"));
    }
    match zero_sectors(image) {
        Some(zeros) if zeros.len() == image.len() => (Kind::Zeroed, "nothing but zeros".to_owned()),
        Some(zeros) if zeros.end == image.len() => {
            (Kind::Torn, format!("only the first part was written: from byte {} on zeros", zeros.start))
        }
        Some(zeros) => (Kind::Zeroed, format!("its first {} bytes are zero", zeros.end)),
        None => (Kind::Content, "the bytes are not those that were summed".to_owned()),
    }
}

impl Job for PagesJob {
    fn pieces(&self) -> u64 {
        self.pages().len().div_ceil(PIECE_PAGES) as u64
    }

    fn run(&self, piece: u64, scratch: &mut Scratch, progress: &Progress) {
        let from = piece as usize * PIECE_PAGES;
        let mut pages = &self.pages()[from..self.pages().len().min(from + PIECE_PAGES)];
        if let (Some(first), Some(last)) = (pages.first(), pages.last()) {
            let len = last.offset() + PAGE_SIZE as u64 - first.offset();
            // Far apart they are read one by one anyway.
            if len < 4 * (PIECE_PAGES * PAGE_SIZE) as u64 {
                self.file.advise(first.offset(), len, Advice::WillNeed);
            }
        }
        let mut bad = Vec::new();
        while let Some(first) = pages.first() {
            let start = first.offset();
            let fits = |place: &PagePlace| place.offset() + PAGE_SIZE as u64 - start <= SLICE_BYTES as u64;
            let (run, rest) = pages.split_at(pages.partition_point(fits));
            pages = rest;
            let len = run.last().map_or(0, |last| (last.offset() - start) as usize + PAGE_SIZE);
            let buffer = &mut scratch.buffer[..len];
            match self.file.read_at(buffer, start) {
                Ok(bytes) => {
                    for place in run {
                        let at = (place.offset() - start) as usize;
                        let image = &buffer[at.min(bytes)..bytes.min(at + PAGE_SIZE)];
                        bad.extend(place.check(image).err().map(|wrong| (*place, wrong)));
                    }
                }
                Err(_) => self.read_one_by_one(run, &mut bad),
            }
            progress.add(len as u64);
        }
        self.bad.lock().extend(bad);
    }

    fn conclude(&self) -> FileReport {
        let mut report = FileReport { format: Format::Pages, ..FileReport::of(self.path.clone(), self.len) };
        report.holder = self.holder;
        let found = match &self.found {
            Ok(found) => found,
            Err(PageError::Io { source, .. }) => {
                report.error = Some(source.to_string());
                return report;
            }
            Err(error) => {
                report.findings.push(whole(self.len, error.to_string()));
                return report;
            }
        };
        report.units = found.pages.len() as u64;
        let bad = std::mem::take(&mut *self.bad.lock());
        let before = bad.len();
        let bad = self.settle(bad);
        report.settled = (before - bad.len()) as u64;
        report.findings.extend(bad.iter().map(|(place, wrong)| self.page_finding(place, *wrong)));
        for damage in &found.damage {
            let finding = self.map_finding(damage);
            // A power cut may tear the copy that is being written; no power cut flips one bit.
            if damage.what == "superblock" && finding.kind != Kind::BitFlip {
                let what =
                    "torn by a crash, or damaged; its twin is sound, from which the next start mends it";
                report
                    .notes
                    .push(format!("superblock copy {} (byte {}): {what}", damage.number, damage.offset));
            } else {
                report.findings.push(finding);
            }
        }
        for (place, error) in self.unreadable.lock().drain(..) {
            let mut finding = self.page_finding(&place, Wrong::Short { bytes: 0 });
            (finding.kind, finding.text) = (Kind::Unreadable, error.to_string());
            report.findings.push(finding);
        }
        for (offset, text) in &found.contradictions {
            report.findings.push(Finding { from: *offset, ..whole(self.len.max(*offset), text.clone()) });
        }
        report.findings.sort_by_key(|finding| finding.from);
        report
    }
}

impl PagesJob {
    fn read_one_by_one(&self, run: &[PagePlace], bad: &mut Vec<(PagePlace, Wrong)>) {
        let mut image = vec![0; PAGE_SIZE];
        for place in run {
            match self.file.read_at(&mut image, place.offset()) {
                Ok(bytes) => bad.extend(place.check(&image[..bytes]).err().map(|wrong| (*place, wrong))),
                Err(error) => self.unreadable.lock().push((*place, error)),
            }
        }
    }
}

/// What is wrong with a file as a whole.
fn whole(len: u64, text: String) -> Finding {
    Finding { page: None, from: 0, to: len, kind: Kind::Structure, expected: None, found: None, text }
}

/// Penstock's log as a whole: whether its segments belong together and how it ends. Of one damaged event, the check
/// of its segment tells.
pub(crate) fn check_log(dir: &Path, home: Home) -> FileReport {
    let mut report = FileReport::of(dir.join(format!("{DEFAULT_BASE}.index")), 0);
    report.format = Format::Binlog("Penstock's log as a whole".to_owned());
    report.holder = home.holder;
    if home.holder.is_some() {
        report.notes.push("a server runs over this log: how it ends was not looked at".to_owned());
        return report;
    }
    let opened = RealDir::new(dir, false).map_err(|error| error.to_string());
    let verified = match opened {
        Ok(dir) => verify(&dir, DEFAULT_BASE),
        Err(error) => {
            report.error = Some(error);
            return report;
        }
    };
    match verified {
        Ok(tail) => {
            report.units = tail.groups;
            if let Tail::Torn(cut) = tail.tail {
                report.notes.push(format!(
                    "the log ends at {} with {} bytes of a round that a crash cut: it was never acknowledged, the \
                     next start drops it",
                    cut.at, cut.bytes
                ));
            }
        }
        Err(LogError::Io { source, .. }) => report.error = Some(source.to_string()),
        Err(error) => report.findings.push(whole(0, error.to_string())),
    }
    report
}
