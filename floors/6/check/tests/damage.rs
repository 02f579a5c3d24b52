//! Copies of MariaDB's tablespaces damaged in all ways that come to mind: whatever `innochecksum` finds, this finds, and
//! names the page. Seeds are fixed; `PENSTOCK_CHECK_COPIES` (300) says how many copies, `PENSTOCK_CHECK_SEED` (1) where
//! they begin.

mod support;

use check::{Finding, Kind, Options, Progress, Report};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use support::{MariaDb, Random, configs, files, fill, innochecksum, installed, setting};

/// Larger files are left out: each copy is read in whole by both.
const LARGEST: u64 = 3 << 20;
const SECTOR: usize = 512;

/// A sound tablespace.
struct Original {
    /// Its place, where it is damaged and mended again.
    path: PathBuf,
    bytes: Vec<u8>,
    page: usize,
    /// Pages that hold something.
    used: Vec<usize>,
}

/// All sound tablespaces, in a directory without a server's other files.
fn originals(dir: &Path) -> Vec<Original> {
    let mut originals = Vec::new();
    for (n, config) in configs().into_iter().enumerate() {
        let server = MariaDb::start(config);
        fill(&server, config);
        let stopped = server.stop();
        for file in files(&stopped.path().join("data"), |name| name.ends_with(".ibd")) {
            let bytes = fs::read(&file).expect("read a tablespace");
            if bytes.len() as u64 > LARGEST {
                continue;
            }
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            let path = dir.join(format!("{n}.{name}"));
            fs::write(&path, &bytes).expect("copy a tablespace");
            originals.push(Original::new(path, bytes));
        }
    }
    assert!(originals.len() > 50);
    originals
}

impl Original {
    fn new(path: PathBuf, bytes: Vec<u8>) -> Original {
        let page = page_bytes(&bytes);
        let is_used = |n: &usize| bytes[n * page..(n + 1) * page].iter().any(|byte| *byte != 0);
        let used = (0..bytes.len() / page).filter(is_used).collect();
        Original { path, bytes, page, used }
    }

    fn page(&self, n: usize) -> &[u8] {
        &self.bytes[n * self.page..(n + 1) * self.page]
    }
}

/// The physical page size, by the flags in the first page.
fn page_bytes(file: &[u8]) -> usize {
    let flags = u32::from_be_bytes([file[54], file[55], file[56], file[57]]);
    let code = if flags & 0x10 != 0 {
        flags & 0xF
    } else if flags >> 1 & 0xF != 0 {
        flags >> 1 & 0xF
    } else if flags >> 6 & 0xF != 0 {
        flags >> 6 & 0xF
    } else {
        5
    };
    512 << code
}

/// What is done to a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Harm {
    Flip,
    HeaderFlip,
    Bytes,
    TornTail,
    TornMix,
    MissingHead,
    LostSectors,
    Zeroed,
    Swapped,
    OtherSpace,
    Cut,
}

const HARMS: [Harm; 11] = [
    Harm::Flip,
    Harm::HeaderFlip,
    Harm::Bytes,
    Harm::TornTail,
    Harm::TornMix,
    Harm::MissingHead,
    Harm::LostSectors,
    Harm::Zeroed,
    Harm::Swapped,
    Harm::OtherSpace,
    Harm::Cut,
];

/// The damaged file; `None` where this harm changes nothing.
fn damaged(harm: Harm, original: &Original, other: &Original, random: &mut Random) -> Option<Vec<u8>> {
    let mut file = original.bytes.clone();
    let size = original.page;
    let n = *random.pick(&original.used);
    let second = *random.pick(&original.used);
    let sectors = size / SECTOR;
    let cut = SECTOR * (1 + random.below(sectors as u64 - 1) as usize);
    let page = &mut file[n * size..(n + 1) * size];
    match harm {
        Harm::Flip => page[random.below(size as u64) as usize] ^= 1 << random.below(8),
        Harm::HeaderFlip => page[random.below(38) as usize] ^= 1 << random.below(8),
        Harm::Bytes => {
            let at = random.below(size as u64 - 64) as usize;
            let count = 1 + random.below(64) as usize;
            page[at..at + count].iter_mut().for_each(|byte| *byte = random.next() as u8);
        }
        Harm::TornTail => page[cut..].fill(0),
        Harm::TornMix => page[cut..].copy_from_slice(&original.page(second)[cut..]),
        Harm::MissingHead => page[..cut].fill(0),
        Harm::LostSectors => {
            let from = SECTOR * random.below(sectors as u64) as usize;
            page[from..(from + SECTOR * 4).min(size)].fill(0);
        }
        Harm::Zeroed => page.fill(0),
        Harm::Swapped => {
            page.copy_from_slice(original.page(second));
            file[second * size..(second + 1) * size].copy_from_slice(original.page(n));
        }
        Harm::OtherSpace => {
            let theirs = other.used.iter().find(|page| **page == n).filter(|_| other.page == size)?;
            page.copy_from_slice(other.page(*theirs));
        }
        Harm::Cut => file.truncate(SECTOR + random.below((original.bytes.len() - SECTOR) as u64) as usize),
    }
    (file != original.bytes).then_some(file)
}

/// The page that `innochecksum` complains about, if it names one.
fn page_named(complaint: &str) -> Option<u64> {
    let rest = complaint.split("page::").nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Whether our findings cover the page that the other named.
fn covers(findings: &[&Finding], complaint: &str) -> bool {
    let named = page_named(complaint);
    // Where the first page or the file's end is wrong, the two need not count alike.
    let is_whole = |finding: &&Finding| finding.page.is_none() || finding.page == Some(0);
    named.is_none() || findings.iter().any(|finding| finding.page == named || is_whole(finding))
}

fn look(path: &Path) -> Report {
    let options = Options { threads: 1, ..Options::default() };
    check::check(&[path.to_path_buf()], &options, &Progress::default())
}

#[test]
fn finds_all_that_innochecksum_finds() {
    if !installed(&["mariadbd", "mariadb", "innochecksum"]) {
        return;
    }
    let copies = setting("PENSTOCK_CHECK_COPIES", 300);
    let mut random = Random::new(setting("PENSTOCK_CHECK_SEED", 1));
    let dir = tempfile::tempdir().expect("make a directory");
    let originals = originals(dir.path());
    // What was done, and what each of the two said.
    let mut tally: BTreeMap<(Harm, &str, bool), u64> = BTreeMap::new();
    let mut done = 0;
    while done < copies {
        let (original, other) = (random.pick(&originals), random.pick(&originals));
        let harm = HARMS[(done % HARMS.len() as u64) as usize];
        let Some(bytes) = damaged(harm, original, other, &mut random) else { continue };
        fs::write(&original.path, &bytes).expect("write a damaged tablespace");
        let theirs = innochecksum(&original.path);
        let report = look(&original.path);
        fs::write(&original.path, &original.bytes).expect("mend a tablespace");
        let ours: Vec<&Finding> = report.findings().map(|(_, finding)| finding).collect();
        let context = || format!("copy {done}, {harm:?}: {theirs:?}\n{}", report.to_text(true));
        if let Some(complaint) = &theirs {
            assert!(!ours.is_empty(), "missed: {}", context());
            assert!(covers(&ours, complaint), "another page: {}", context());
        }
        let said = ours.first().map_or("nothing", |finding| finding.kind.name());
        assert!(ours.iter().all(|finding| finding.kind != Kind::Unreadable), "{}", context());
        *tally.entry((harm, said, theirs.is_some())).or_default() += 1;
        done += 1;
    }
    println!("{:<12} {:<18} {:>8} {:>13}", "harm", "said", "copies", "innochecksum");
    for ((harm, said, theirs), count) in &tally {
        let theirs = if *theirs { "found" } else { "not found" };
        println!("{:<12} {said:<18} {count:>8} {theirs:>13}", format!("{harm:?}"));
    }
    let missed: u64 =
        tally.iter().filter(|((_, said, theirs), _)| *said == "nothing" && *theirs).map(|(_, n)| n).sum();
    assert_eq!(missed, 0);
}
