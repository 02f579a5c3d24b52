//! One file of a tablespace: its pieces are judged by several threads; at the end, what was not sound is read again
//! and diagnosed.

use super::bytes::{be16, be32, be64};
use super::detect::Detected;
use super::diagnose::diagnose;
use super::extents::{descriptor_page, is_used};
use super::header::{AT_LSN, kind};
use super::judge::{Flaw, Sound, Space, judge};
use super::redo::Redo;
use super::tally::Tally;
use crate::finding::{Finding, Kind};
use crate::home::Home;
use crate::report::{FileReport, Format};
use crate::scan::{Job, SLICE_BYTES, Scratch};
use crate::{Options, Progress};
use parking_lot::Mutex;
use platform::file::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Bytes that a thread takes at once; a multiple of every page size.
const PIECE_BYTES: u64 = 1 << 20;
/// Pages in doubt that are kept one by one; of more only the number.
const SUSPECTS_MAX: usize = 100_000;
/// Findings of a file that are searched for flipped bits.
const DEEP_MAX: usize = 1000;
/// Where the first page says how many pages there are.
const AT_SIZE: usize = 46;
/// Where the page of the transaction system, from its end, says where the doublewrite buffer lies.
const DOUBLEWRITE_FROM_END: usize = 200;
const DOUBLEWRITE_MAGIC: u32 = 536_853_855;
const TRX_SYSTEM_PAGE: u64 = 5;
/// How long to wait before a page in doubt is read again, each time.
const PATIENCE: [Duration; 6] = [
    Duration::from_millis(1),
    Duration::from_millis(10),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
];

/// A tablespace's file on its way through the threads.
pub(crate) struct SpaceJob {
    file: Arc<dyn File>,
    path: PathBuf,
    len: u64,
    detected: Detected,
    detailed: bool,
    /// The process that has the file open for writing.
    holder: Option<u32>,
    /// InnoDB's log, where it lies beside.
    redo: Option<Redo>,
    /// The pages of the doublewrite buffer, which are copies of others.
    doublewrite: Vec<std::ops::Range<u64>>,
    tally: Mutex<Tally>,
    unreadable: Mutex<Vec<(u64, io::Error)>>,
}

impl SpaceJob {
    /// A job for a file that [`super::detect()`] knows.
    pub fn new(
        file: Arc<dyn File>,
        path: PathBuf,
        len: u64,
        mut detected: Detected,
        home: Home,
        options: &Options,
    ) -> io::Result<SpaceJob> {
        let holder = file.lock_holder()?.or(home.holder);
        // A running server goes on while this reads.
        if let Some(redo) = home.redo.filter(|_| holder.is_none()) {
            detected.space.lsn_limit = redo.limit;
        }
        let mut job = SpaceJob {
            file,
            path,
            len,
            detected,
            detailed: options.summary,
            holder,
            redo: home.redo,
            doublewrite: Vec::new(),
            tally: Mutex::default(),
            unreadable: Mutex::default(),
        };
        if detected.space.id == 0 && detected.first == 0 {
            job.doublewrite = job.find_doublewrite()?;
        }
        Ok(job)
    }

    fn space(&self) -> &Space {
        &self.detected.space
    }

    fn page_bytes(&self) -> u64 {
        self.space().layout.physical() as u64
    }

    fn pages(&self) -> u64 {
        self.len / self.page_bytes()
    }

    /// The number that the page at a place of the file must have.
    fn number(&self, index: u64) -> u32 {
        (u64::from(self.detected.first) + index) as u32
    }

    fn find_doublewrite(&self) -> io::Result<Vec<std::ops::Range<u64>>> {
        let mut page = vec![0; self.page_bytes() as usize];
        if self.read_page(TRX_SYSTEM_PAGE, &mut page)? && be16(&page, 24) == kind::TRX_SYSTEM {
            let at = page.len() - DOUBLEWRITE_FROM_END + 10;
            if be32(&page, at) == DOUBLEWRITE_MAGIC {
                let extent = self.space().layout.extent_pages() as u64;
                let blocks = [be32(&page, at + 4), be32(&page, at + 8)].map(u64::from);
                return Ok(blocks.map(|first| first..first + extent).to_vec());
            }
        }
        Ok(Vec::new())
    }

    fn is_doublewrite(&self, index: u64) -> bool {
        self.doublewrite.iter().any(|block| block.contains(&index))
    }

    /// Reads the page at a place; `false` where the file ends before it.
    fn read_page(&self, index: u64, page: &mut [u8]) -> io::Result<bool> {
        Ok(self.file.read_at(page, index * self.page_bytes())? == page.len())
    }

    fn judge(&self, page: &[u8], index: u64) -> Result<Sound, Flaw> {
        match judge(self.space(), page, self.number(index)) {
            // Copies of pages of any tablespace, perhaps torn: they are made for that.
            Err(_) if self.is_doublewrite(index) => Ok(Sound::Opaque),
            judged => judged,
        }
    }

    /// Judges the pages of `bytes`, of which the first lies at `index`.
    fn judge_all(&self, bytes: &[u8], mut index: u64, tally: &mut Tally) {
        for page in bytes.chunks_exact(self.page_bytes() as usize) {
            match self.judge(page, index) {
                Ok(sound) => tally.count(sound, page, index, self.space(), self.detailed),
                Err(_) => tally.suspects.push(index),
            }
            index += 1;
        }
    }

    /// Reads a slice whose device refused it page by page.
    fn read_piecewise(&self, at: u64, buffer: &mut [u8], tally: &mut Tally) {
        let size = self.page_bytes() as usize;
        for (index, page) in (at / self.page_bytes()..).zip(buffer.chunks_exact_mut(size)) {
            match self.read_page(index, page) {
                Ok(true) => self.judge_all(page, index, tally),
                Ok(false) => return,
                Err(error) => self.unreadable.lock().push((index, error)),
            }
        }
    }

    /// Pages in doubt that stay so, with their flaws. A server may have been writing them: they are read again until
    /// they are sound, or their bytes stay the same and nobody has the file open.
    fn settle(&self, suspects: &[u64], tally: &mut Tally) -> Vec<(u64, Flaw)> {
        let mut waiting: Vec<(u64, u32, Option<Flaw>)> =
            suspects.iter().map(|index| (*index, 0, None)).collect();
        let mut bad = Vec::new();
        let mut page = vec![0; self.page_bytes() as usize];
        for (round, pause) in PATIENCE.into_iter().enumerate() {
            if waiting.is_empty() {
                break;
            }
            std::thread::sleep(pause);
            let is_last = round + 1 == PATIENCE.len();
            waiting.retain_mut(|(index, before, flaw)| {
                match self.read_page(*index, &mut page) {
                    Ok(true) => {}
                    // Cut off meanwhile.
                    Ok(false) => return false,
                    Err(error) => {
                        self.unreadable.lock().push((*index, error));
                        return false;
                    }
                }
                let sum = checksum::crc32c(&page);
                match self.judge(&page, *index) {
                    Ok(sound) => {
                        tally.count(sound, &page, *index, self.space(), self.detailed);
                        return false;
                    }
                    Err(found) => {
                        let is_same = flaw.is_some() && sum == *before;
                        (*before, *flaw) = (sum, Some(found));
                        if is_last || is_same && self.holder.is_none() {
                            bad.push((*index, found));
                            return false;
                        }
                    }
                }
                true
            });
        }
        bad.sort_unstable_by_key(|(index, _)| *index);
        bad
    }

    fn finding(&self, index: u64, flaw: Flaw, tally: &Tally, deep: bool) -> Finding {
        let from = index * self.page_bytes();
        let mut page = vec![0; self.page_bytes() as usize];
        let mut finding = Finding {
            page: Some(self.number(index).into()),
            from,
            to: from + self.page_bytes(),
            kind: Kind::Content,
            expected: None,
            found: None,
            text: "read again, it could not be read".to_owned(),
        };
        if let Ok(true) = self.read_page(index, &mut page) {
            let usual = tally.usual(self.space());
            let diagnosis = diagnose(self.space(), &page, self.number(index), flaw, usual, deep);
            (finding.kind, finding.text) = (diagnosis.kind, diagnosis.text);
            (finding.expected, finding.found) = (diagnosis.expected, diagnosis.found);
        }
        finding
    }

    /// Empty pages that the descriptors call used: what was written there is gone.
    fn lost_pages(&self, tally: &Tally) -> Vec<Finding> {
        let mut findings = Vec::new();
        // A server that runs may have given out pages that it has not written yet.
        if self.holder.is_some() || self.detected.first != 0 {
            return findings;
        }
        let mut descriptors = vec![0; self.page_bytes() as usize];
        let mut read = None;
        // What was given out when the doublewrite buffer was made, up to whole extents, is never written.
        let sure = self.doublewrite.iter().map(|block| block.end).max().unwrap_or(0);
        let empty = tally.empty_ranges.iter().cloned().flatten();
        for index in empty.filter(|index| *index >= sure || *index == 0) {
            let number = self.number(index);
            let home = descriptor_page(self.space(), number);
            if read != Some(home) {
                if !matches!(self.read_page(home.into(), &mut descriptors), Ok(true)) {
                    continue;
                }
                read = Some(home);
            }
            let is_lost =
                number == 0 || self.is_sure(&descriptors) && is_used(self.space(), &descriptors, number);
            if is_lost && findings.len() < SUSPECTS_MAX {
                findings.push(self.whole_page(
                    index,
                    Kind::Zeroed,
                    "nothing but zeros, but the tablespace uses this page".to_owned(),
                ));
            }
        }
        findings
    }

    /// Whether what the page of descriptors says has been in the file for long enough that the pages which were given
    /// out by then are there too.
    fn is_sure(&self, descriptors: &[u8]) -> bool {
        self.redo.is_none_or(|redo| redo.is_clean || be64(descriptors, AT_LSN) < redo.checkpoint)
    }

    fn whole_page(&self, index: u64, kind: Kind, text: String) -> Finding {
        let from = index * self.page_bytes();
        Finding {
            page: Some(self.number(index).into()),
            from,
            to: from + self.page_bytes(),
            kind,
            expected: None,
            found: None,
            text,
        }
    }

    /// What is wrong with the file as a whole.
    fn structure(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut add = |from, text| {
            findings.push(Finding {
                page: None,
                from,
                to: self.len,
                kind: Kind::Structure,
                expected: None,
                found: None,
                text,
            });
        };
        let rest = self.len % self.page_bytes();
        if rest != 0 && self.holder.is_none() {
            add(self.len - rest, format!("the file ends {rest} bytes into a page"));
        }
        let mut first = [0; AT_SIZE + 4];
        let is_whole = self.detected.by_first_page && self.space().id != 0;
        if is_whole && self.file.read_exact_at(&mut first, 0).is_ok() {
            let claimed = u64::from(be32(&first, AT_SIZE));
            // Files of compressed pages grow by whole pages of the server's size.
            let logical = self.space().layout.logical as u64;
            let least = claimed * self.page_bytes() / logical * logical;
            if least > self.len && self.holder.is_none() {
                let pages = self.pages();
                add(
                    self.len,
                    format!("the file was cut: its header counts {claimed} pages, {pages} are there"),
                );
            }
        }
        findings
    }
}

impl Job for SpaceJob {
    fn pieces(&self) -> u64 {
        self.len.div_ceil(PIECE_BYTES)
    }

    fn run(&self, piece: u64, scratch: &mut Scratch, progress: &Progress) {
        let mut tally = Tally::default();
        let mut at = piece * PIECE_BYTES;
        let end = (at + PIECE_BYTES).min(self.pages() * self.page_bytes());
        while at < end {
            let wanted = SLICE_BYTES.min((end - at) as usize);
            let buffer = &mut scratch.buffer[..wanted];
            match self.file.read_at(buffer, at) {
                Ok(bytes) => {
                    self.judge_all(&buffer[..bytes], at / self.page_bytes(), &mut tally);
                    if bytes < wanted {
                        break;
                    }
                }
                Err(_) => self.read_piecewise(at, buffer, &mut tally),
            }
            at += wanted as u64;
            progress.add(wanted as u64);
        }
        let mut all = self.tally.lock();
        let room = SUSPECTS_MAX.saturating_sub(all.suspects.len());
        tally.suspects.truncate(room.max(1));
        all.add(tally);
    }

    fn conclude(&self) -> FileReport {
        let mut tally = std::mem::take(&mut *self.tally.lock());
        let mut suspects = std::mem::take(&mut tally.suspects);
        suspects.sort_unstable();
        let bad = self.settle(&suspects, &mut tally);
        let settled = suspects.len() - bad.len();
        let mut findings: Vec<Finding> = (0..)
            .zip(&bad)
            .map(|(n, (index, flaw))| self.finding(*index, *flaw, &tally, n < DEEP_MAX))
            .collect();
        findings.extend(self.lost_pages(&tally));
        for (index, error) in self.unreadable.lock().drain(..) {
            findings.push(self.whole_page(index, Kind::Unreadable, error.to_string()));
        }
        findings.extend(self.structure());
        findings.sort_by_key(|finding| finding.from);
        FileReport {
            format: Format::Innodb(self.space().layout.to_string()),
            units: tally.pages + bad.len() as u64,
            empty: tally.empty,
            opaque: tally.opaque,
            settled: settled as u64,
            holder: self.holder,
            findings,
            notes: self.notes(&tally),
            summary: self.detailed.then(|| tally.summary(self.space())),
            ..FileReport::of(self.path.clone(), self.len)
        }
    }
}

impl SpaceJob {
    fn notes(&self, tally: &Tally) -> Vec<String> {
        use super::sums::Algorithm;
        let mut notes = Vec::new();
        let used: Vec<String> = Algorithm::ALL
            .into_iter()
            .filter(|algorithm| tally.summed[*algorithm as usize] > 0)
            .map(|algorithm| format!("{} {}", tally.summed[algorithm as usize], algorithm.name()))
            .collect();
        if used.len() > 1 {
            notes.push(format!("pages of several algorithms: {}", used.join(", ")));
        }
        let without = tally.summed[Algorithm::None as usize];
        if without > 0 {
            notes.push(format!(
                "{without} pages were written without a checksum: their content is not verified"
            ));
        }
        if !self.detected.by_first_page && self.detected.first == 0 {
            notes.push("the first page is damaged: the format was found by the other pages".to_owned());
        }
        notes
    }
}
