//! Penstock's own page file, sound and damaged in every way.

mod support;

use check::{Kind, Options, Progress, Report};
use pages::{FILE_NAME, PAGE_SIZE, PAYLOAD_SIZE, PageNo, PoolOptions, Store, TreeNo, inspect};
use platform::file::{Dir, OpenMode, RealDir, open_path};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::Random;

fn options() -> PoolOptions {
    PoolOptions { max_pages: 1 << 16, extent_min: 1 << 20, ..PoolOptions::default() }
}

/// A page file with some hundred pages of three trees, of two checkpoints.
fn made() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("make a directory");
    let real: Arc<dyn Dir> = Arc::new(RealDir::new(dir.path(), false).expect("open a directory"));
    let (store, _) = Store::create(&real, &options()).expect("make a page file");
    let mut random = Random::new(7);
    for n in 0..600 {
        let mut page = store.alloc(TreeNo(1 + n % 3), pages::Kind(1)).expect("allocate");
        for at in (0..PAYLOAD_SIZE).step_by(8) {
            page.write_at(at, &random.next().to_le_bytes());
        }
    }
    store.checkpoint(|_| b"one".to_vec()).expect("checkpoint");
    for n in 1..300 {
        store.lock(PageNo(n)).expect("lock").write_at(64, b"changed");
    }
    store.checkpoint(|_| b"two".to_vec()).expect("checkpoint");
    drop(store);
    let path = dir.path().join(FILE_NAME);
    (dir, path)
}

fn look(path: &Path) -> Report {
    check::check(&[path.to_path_buf()], &Options::default(), &Progress::default())
}

/// Kind and page of everything that is found in a file damaged so.
fn found(path: &Path, bytes: &[u8], damage: impl FnOnce(&mut Vec<u8>)) -> Vec<(Kind, Option<u64>)> {
    let mut copy = bytes.to_vec();
    damage(&mut copy);
    fs::write(path, &copy).expect("write a page file");
    let report = look(path);
    report.findings().map(|(_, finding)| (finding.kind, finding.page)).collect()
}

#[test]
fn each_harm_to_a_page_file_has_its_kind() {
    let (_dir, path) = made();
    let report = look(&path);
    assert_eq!(report.exit_code(), 0, "{}", report.to_text(true));
    assert_eq!(report.files[0].units, 600);
    let file = open_path(&path, OpenMode::READ).expect("open");
    let pages = inspect(&*file).expect("inspect").pages;
    let bytes = fs::read(&path).expect("read");
    let (first, second) = (&pages[17], &pages[400]);
    let (at, other) = (first.offset() as usize, second.offset() as usize);
    let (number, other_number) = (Some(first.page().0.into()), Some(second.page().0.into()));
    let harm = |damage: &dyn Fn(&mut Vec<u8>)| found(&path, &bytes, |bytes| damage(bytes));
    for byte in [0, 3, 4, 20, 31, 32, 9000, PAGE_SIZE - 1] {
        assert_eq!(harm(&|file| file[at + byte] ^= 4), [(Kind::BitFlip, number)], "byte {byte}");
    }
    assert_eq!(harm(&|file| file[at + 99] ^= 7), [(Kind::Content, number)]);
    assert_eq!(harm(&|file| file[at + 512..at + PAGE_SIZE].fill(0)), [(Kind::Torn, number)]);
    assert_eq!(harm(&|file| file[at..at + 4096].fill(0)), [(Kind::Zeroed, number)]);
    assert_eq!(harm(&|file| file[at..at + PAGE_SIZE].fill(0)), [(Kind::Zeroed, number)]);
    let swapped = harm(&|file| {
        for n in 0..PAGE_SIZE {
            file.swap(at + n, other + n);
        }
    });
    assert_eq!(swapped, [(Kind::Misdirected, number), (Kind::Misdirected, other_number)]);
    // A lost write leaves what was there: here of another generation, its sum made right.
    let stale = harm(&|file| {
        file[at + 16] ^= 1;
        let sum = checksum::crc32c(&file[at + 4..at + PAGE_SIZE]);
        file[at..at + 4].copy_from_slice(&sum.to_le_bytes());
    });
    assert_eq!(stale, [(Kind::Stale, number)]);
    assert_eq!(harm(&|file| file[100] ^= 1), [(Kind::BitFlip, None)]);
    assert_eq!(harm(&|file| file[8192..PAGE_SIZE].fill(0x55)), [], "a crash may have torn it");
    assert!(look(&path).files[0].notes[0].contains("its twin is sound"));
    let both = harm(&|file| {
        file[100] ^= 1;
        file[2 * PAGE_SIZE + 100] ^= 1;
    });
    assert_eq!(both, [(Kind::Structure, None)], "no superblock to be trusted");
    let cut = harm(&|file| file.truncate(other + 100));
    assert!(cut.contains(&(Kind::Structure, None)), "{cut:?}");
}

/// Any flip in a slot that is in use is found; one elsewhere is none.
#[test]
fn every_flip_in_what_is_used_is_found() {
    let (_dir, path) = made();
    let bytes = fs::read(&path).expect("read");
    let used: Vec<bool> = bytes.chunks(PAGE_SIZE).map(|slot| slot.iter().any(|byte| *byte != 0)).collect();
    let file = open_path(&path, OpenMode::READ).expect("open");
    let pages = inspect(&*file).expect("inspect").pages;
    let mut random = Random::new(11);
    let mut seen = 0;
    for _ in 0..100 {
        let at = random.below(bytes.len() as u64) as usize;
        let slot = at / PAGE_SIZE;
        let is_page = pages.iter().any(|page| page.offset() == (slot * PAGE_SIZE) as u64);
        let found = found(&path, &bytes, |bytes| bytes[at] ^= 1 << random.below(8));
        assert!(!is_page || found.len() == 1, "byte {at}");
        assert!(used[slot] || found.is_empty(), "byte {at}");
        seen += found.len();
    }
    assert!(seen > 30);
}
