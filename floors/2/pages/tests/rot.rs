//! One changed byte anywhere in the file: an error that names the place, or healed; never wrong content, never more
//! than one page lost.

mod harness;

use harness::{Pair, options, read};
use pages::{FILE_NAME, HEADER_SIZE, PAGE_SIZE, PageError, PageNo, Store, Wrong};
use platform::sim::{Disk, Rng};

fn small_file() -> Pair {
    let mut pair = Pair::create(3);
    for round in 0..3 {
        for _ in 0..30 {
            pair.step().unwrap();
        }
        pair.checkpoint(0).unwrap();
        if round == 1 {
            pair.alloc().unwrap();
        }
    }
    pair
}

/// What one changed byte did.
#[derive(Default)]
struct Outcome {
    damaged: usize,
    healed: usize,
    untouched: usize,
}

fn change_and_look(pair: &Pair, offset: u64, change: u8, outcome: &mut Outcome) {
    let disk = pair.disk.after_kill();
    assert!(disk.damage(FILE_NAME, offset, |byte| byte ^ change));
    let (store, report) = Store::open(&disk.dir(), &options()).unwrap();
    let mut damaged = 0;
    for (&page, expected) in &pair.model.0 {
        match read(&store, page) {
            Ok(found) => assert_eq!(found, *expected, "page {page} after a change at {offset}"),
            Err(PageError::Damaged(damage)) => {
                assert_eq!((damage.what, damage.number, damage.healed), ("page", page, false));
                assert_eq!(damage.offset, offset / PAGE_SIZE as u64 * PAGE_SIZE as u64);
                assert!(matches!(damage.wrong, Wrong::Checksum { .. }), "{damage}");
                assert!(damage.to_string().contains(FILE_NAME));
                damaged += 1;
            }
            Err(error) => panic!("page {page}: {error}"),
        }
    }
    assert!(damaged <= 1 && report.damage.len() <= 1);
    assert!(report.damage.iter().all(|damage| damage.healed));
    assert_eq!(store.take_damage().len(), damaged + report.damage.len());
    outcome.damaged += damaged;
    outcome.healed += report.damage.len();
    outcome.untouched += usize::from(damaged + report.damage.len() == 0);
}

#[test]
fn one_changed_byte_is_an_error_or_healed() {
    let pair = small_file();
    let size = pair.store.counters().file_bytes_now;
    let mut outcome = Outcome::default();
    let mut rng = Rng::new(11);
    for slot in 0..size / PAGE_SIZE as u64 {
        let start = slot * PAGE_SIZE as u64;
        for offset in [0, 4, 8, 12, 13, 14, 16, 24, 28, 31, 40, 64] {
            change_and_look(&pair, start + offset, 1 << rng.below(8), &mut outcome);
        }
        for _ in 0..6 {
            let offset = HEADER_SIZE as u64 + rng.below((PAGE_SIZE - HEADER_SIZE) as u64);
            change_and_look(&pair, start + offset, 1 + rng.below(255) as u8, &mut outcome);
        }
    }
    let Outcome { damaged, healed, untouched } = outcome;
    assert!(
        damaged > 100 && healed > 50 && untouched > 0,
        "{damaged} damaged, {healed} healed, {untouched} neither"
    );
}

/// What a second copy healed is written anew by the next checkpoint: the other copy may rot then.
#[test]
fn healed_places_are_made_good() {
    let pair = small_file();
    let slots = pair.store.counters().file_bytes_now / PAGE_SIZE as u64;
    let mut healed = 0;
    for slot in 0..slots {
        let disk = pair.disk.after_kill();
        disk.flip_byte(FILE_NAME, slot * PAGE_SIZE as u64 + 100);
        let (store, report) = Store::open(&disk.dir(), &options()).unwrap();
        if report.damage.is_empty() {
            continue;
        }
        healed += 1;
        store.checkpoint(|_| vec![]).unwrap();
        let (_, report) = Store::open(&disk.after_kill().dir(), &options()).unwrap();
        assert_eq!(report.damage, [], "slot {slot}");
    }
    assert!(healed >= 6, "{healed}");
}

/// Both copies of a superblock place are damaged: the other place must not be trusted.
#[test]
fn a_place_with_two_damaged_copies_is_refused() {
    let pair = small_file();
    for place in 0..2 {
        let disk = pair.disk.after_kill();
        disk.flip_byte(FILE_NAME, place * PAGE_SIZE as u64 + 9000);
        disk.flip_byte(FILE_NAME, (place + 2) * PAGE_SIZE as u64 + 9001);
        let error = Store::open(&disk.dir(), &options()).err().unwrap();
        assert!(
            matches!(&error, PageError::Unusable { reason, .. } if reason.contains("superblock")),
            "{error}"
        );
    }
}

fn copy_slot(disk: &Disk, from: u64, to: u64) {
    use platform::file::OpenMode;
    let file = disk.dir().open(FILE_NAME, OpenMode::WRITE).unwrap();
    let mut bytes = vec![0; PAGE_SIZE];
    file.read_exact_at(&mut bytes, from * PAGE_SIZE as u64).unwrap();
    file.write_all_at(&bytes, to * PAGE_SIZE as u64).unwrap();
}

/// Sound bytes in the wrong place: a misdirected or lost write does not pass for the page.
#[test]
fn misplaced_and_stale_pages_do_not_pass() {
    let mut pair = Pair::create(5);
    for _ in 0..3 {
        pair.alloc().unwrap();
    }
    pair.checkpoint(0).unwrap();
    let pages: Vec<u32> = pair.model.0.keys().copied().collect();
    // The first three page slots hold the three pages.
    let first = 4;
    let disk = pair.disk.after_kill();
    copy_slot(&disk, first, first + 1);
    let (store, _) = Store::open(&disk.dir(), &options()).unwrap();
    let Err(PageError::Damaged(damage)) = store.load(PageNo(pages[1])) else {
        panic!("a misplaced page passed")
    };
    assert!(matches!(damage.wrong, Wrong::Page { .. }), "{damage}");

    // A later writing of the same page, copied over by its older one.
    let old = pair.disk.after_kill();
    pair.store.lock(PageNo(pages[0])).unwrap().put_u8(0, 1);
    pair.checkpoint(0).unwrap();
    let new = pair.disk.after_kill();
    let slots = pair.store.counters().file_bytes_now / PAGE_SIZE as u64;
    let mut stale = 0;
    for slot in first..slots {
        let disk = new.snapshot();
        let bytes = {
            let file = old.dir().open(FILE_NAME, platform::file::OpenMode::READ).unwrap();
            let mut bytes = vec![0; PAGE_SIZE];
            file.read_exact_at(&mut bytes, first * PAGE_SIZE as u64).unwrap();
            bytes
        };
        let file = disk.dir().open(FILE_NAME, platform::file::OpenMode::WRITE).unwrap();
        file.write_all_at(&bytes, slot * PAGE_SIZE as u64).unwrap();
        let Ok((store, _)) = Store::open(&disk.dir(), &options()) else { continue };
        if let Err(PageError::Damaged(damage)) = store.load(PageNo(pages[0])) {
            assert!(matches!(damage.wrong, Wrong::Slot { .. } | Wrong::Generation { .. }), "{damage}");
            stale += 1;
        }
    }
    assert!(stale > 0, "the newer writing was never covered");
}

/// The file's bytes, changed by whoever knows the format: every checksum on the way is made right again, so that the
/// decoders meet nonsense that no checksum stops.
struct Forged(Vec<u8>);

impl Forged {
    fn slot(&mut self, slot: usize) -> &mut [u8] {
        &mut self.0[slot * PAGE_SIZE..(slot + 1) * PAGE_SIZE]
    }

    fn u32_at(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.0[at..at + 4].try_into().unwrap())
    }

    /// Makes the checksum of a slot right; returns it.
    fn seal(&mut self, slot: usize) -> u32 {
        let slot = self.slot(slot);
        let crc = checksum::crc32c(&slot[4..]);
        slot[..4].copy_from_slice(&crc.to_le_bytes());
        crc
    }

    /// Seals a block of the map whose reference is at `at`, in both copies of it.
    fn seal_block(&mut self, at: usize) {
        for copy in 0..2 {
            let slot = self.u32_at(at + 4 * copy) as usize;
            let crc = self.seal(slot);
            self.0[at + 8..at + 12].copy_from_slice(&crc.to_le_bytes());
        }
    }

    /// References of the newest superblock's first root (at the superblock) and of its first chunk (in the root).
    fn refs(&self, superblock: usize) -> (usize, [usize; 2]) {
        let root_at = superblock * PAGE_SIZE + 64;
        let root = [0, 1].map(|copy| self.u32_at(root_at + 4 * copy) as usize);
        (root_at, root.map(|slot| slot * PAGE_SIZE + HEADER_SIZE))
    }
}

/// A forged map or superblock is an error or a map that makes sense: no panic, whatever it says.
#[test]
fn forged_maps_do_no_harm() {
    use platform::file::OpenMode;
    let pair = small_file();
    let whole = {
        let file = pair.disk.dir().open(FILE_NAME, OpenMode::READ).unwrap();
        let mut bytes = vec![0; file.len().unwrap() as usize];
        file.read_exact_at(&mut bytes, 0).unwrap();
        bytes
    };
    // Three checkpoints after sequence 1: the newest is 4, in place 0.
    let newest = [0, 2];
    let mut rng = Rng::new(4);
    let (mut opened, mut refused) = (0, 0);
    for round in 0..600 {
        let mut file = Forged(whole.clone());
        let (root_at, roots) = file.refs(newest[0]);
        let chunk = [0, 1].map(|copy| file.u32_at(roots[0] + 4 * copy) as usize);
        let (targets, len) = match round % 3 {
            0 => (newest, 120),
            1 => (roots.map(|at| at / PAGE_SIZE), 80),
            _ => (chunk, 32 + 16 * 40),
        };
        for _ in 0..1 + rng.below(3) {
            let at = 8 + rng.below(len - 8) as usize;
            let value = *rng.pick(&[0, 1, 2, 4, 5, 0x7F, 0x80, 0xFF, rng.clone().next_u64() as u8]);
            targets.iter().for_each(|&slot| file.slot(slot)[at] = value);
        }
        if round % 3 == 2 {
            roots.iter().for_each(|&root| file.seal_block(root));
        }
        if round % 3 > 0 {
            newest.iter().for_each(|&copy| file.seal_block(copy * PAGE_SIZE + root_at % PAGE_SIZE));
        }
        newest.iter().for_each(|&copy| {
            file.seal(copy);
        });
        let disk = Disk::new(round);
        let data = disk.dir().open(FILE_NAME, OpenMode::CREATE).unwrap();
        data.write_all_at(&file.0, 0).unwrap();
        let Ok((store, _)) = Store::open(&disk.dir(), &options()) else {
            refused += 1;
            continue;
        };
        opened += 1;
        for page in 0..60 {
            if let Ok(mut page) = store.lock(PageNo(page)) {
                page.put_u8(0, 1);
            }
        }
        for _ in 0..20 {
            store.alloc(pages::TreeNo(5), pages::Kind(1)).unwrap();
        }
        store.checkpoint(|_| vec![]).unwrap();
        Store::open(&disk.dir(), &options()).unwrap();
    }
    assert!(opened > 50 && refused > 50, "{opened} opened, {refused} refused");
}
