use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::file::Cause;

const SEEDS: std::ops::Range<u64> = 0..400;

fn read(dir: &Arc<dyn Dir>, name: &str) -> Option<Vec<u8>> {
    let file = dir.open(name, OpenMode::READ).ok()?;
    let mut bytes = vec![0; file.len().unwrap() as usize];
    file.read_exact_at(&mut bytes, 0).unwrap();
    Some(bytes)
}

/// All files with their bytes.
fn files(disk: &Disk) -> BTreeMap<String, Vec<u8>> {
    let dir = disk.dir();
    dir.list().unwrap().into_iter().map(|name| (name.clone(), read(&dir, &name).unwrap())).collect()
}

/// A disk with the file `a`, synced, holding these bytes.
fn disk_with(bytes: &[u8]) -> (Disk, Arc<dyn File>) {
    let disk = Disk::new(7);
    let file = disk.dir().open("a", OpenMode::NEW).unwrap();
    file.write_all_at(bytes, 0).unwrap();
    file.sync_data().unwrap();
    disk.dir().sync().unwrap();
    (disk, file)
}

/// What `a` holds after a crash, for each seed.
fn outcomes(disk: &Disk) -> Vec<Vec<u8>> {
    SEEDS.map(|seed| read(&disk.after_crash(seed).dir(), "a").unwrap()).collect()
}

#[test]
fn synced_bytes_and_names_survive_every_crash() {
    let (disk, file) = disk_with(&[5; 5000]);
    file.write_all_at(&[6; 3000], 5000).unwrap();
    for bytes in outcomes(&disk) {
        assert_eq!(bytes[..5000], [5; 5000], "appending unsynced bytes must not touch the synced ones");
        // 5 as well: the first sector, half of it synced, may be misdirected.
        assert!(bytes[5000..].iter().all(|byte| matches!(byte, 0 | 5 | 6)));
    }
}

#[test]
fn unsynced_sectors_are_lost_kept_and_torn() {
    let (disk, file) = disk_with(&[1; 4096]);
    file.write_all_at(&[2; 4096], 0).unwrap();
    let mut seen = BTreeSet::new();
    for bytes in outcomes(&disk) {
        assert_eq!(bytes.len(), 4096);
        for sector in bytes.chunks(SECTOR) {
            let new = sector.iter().filter(|byte| **byte == 2).count();
            assert!(sector.iter().all(|byte| matches!(byte, 1 | 2)));
            assert!(
                sector[..new].iter().all(|byte| *byte == 2),
                "a torn sector has its beginning from the new"
            );
            seen.insert(if new == 0 {
                "lost"
            } else if new == SECTOR {
                "kept"
            } else {
                "torn"
            });
        }
        let kept = bytes.iter().filter(|byte| **byte == 2).count();
        match kept {
            0 => seen.insert("all lost"),
            4096 => seen.insert("all kept"),
            _ => seen.insert("mixed"),
        };
    }
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        ["all kept", "all lost", "kept", "lost", "mixed", "torn"]
    );
}

#[test]
fn a_gentler_disk_tears_no_sector() {
    let (disk, file) = disk_with(&[1; 4096]);
    // Every sector its own write, so that no write ends inside one.
    for sector in 0..8 {
        file.write_all_at(&[2; SECTOR], sector * SECTOR as u64).unwrap();
    }
    let model = CrashModel { torn: false, misdirected: false };
    for seed in SEEDS {
        let disk = disk.after_crash_with(seed, model);
        let bytes = read(&disk.dir(), "a").unwrap();
        let torn = bytes.chunks(SECTOR).filter(|sector| sector.iter().any(|byte| *byte != sector[0])).count();
        assert!(torn <= 1, "only a prefix ends inside a sector");
    }
}

#[test]
fn older_unsynced_versions_of_a_sector_can_survive() {
    let (disk, file) = disk_with(&[1; 512]);
    file.write_all_at(&[2; 512], 0).unwrap();
    file.write_all_at(&[3; 512], 0).unwrap();
    let whole: BTreeSet<u8> = outcomes(&disk)
        .into_iter()
        .filter(|bytes| bytes.iter().all(|byte| *byte == bytes[0]))
        .map(|bytes| bytes[0])
        .collect();
    assert_eq!(whole.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn misdirected_sectors_land_on_unsynced_ones_only() {
    let (disk, file) = disk_with(&[1; 2048]);
    let other = disk.dir().open("b", OpenMode::NEW).unwrap();
    disk.dir().sync().unwrap();
    for sector in 0..64_u64 {
        let data = [10 + sector as u8; 512];
        file.write_all_at(&data, 2048 + sector * 512).unwrap();
        other.write_all_at(&[100 + sector as u8; 512], sector * 512).unwrap();
    }
    let (mut inside, mut across) = (0, 0);
    for seed in SEEDS {
        let files = files(&disk.after_crash(seed));
        assert_eq!(files["a"][..2048], [1; 2048]);
        for (place, sector) in files["a"][2048..].chunks(512).enumerate() {
            let content = usize::from(sector[0]);
            across += usize::from(content >= 100);
            inside += usize::from((10..74).contains(&content) && content != 10 + place);
        }
    }
    assert!(inside > 0 && across > 0, "{inside} moved inside the file, {across} from the other one");
}

#[test]
fn a_sector_that_keeps_a_few_synced_bytes_is_no_victim() {
    let (disk, file) = disk_with(&[1; 3]);
    let other = disk.dir().open("b", OpenMode::NEW).unwrap();
    disk.dir().sync().unwrap();
    file.write_all_at(&[2; 509], 3).unwrap();
    other.write_all_at(&[3; 64 * 512], 0).unwrap();
    for seed in SEEDS {
        assert_eq!(files(&disk.after_crash(seed))["a"][..3], [1; 3], "{seed}");
    }
}

#[test]
fn a_rewritten_sector_that_keeps_synced_bytes_is_no_victim() {
    let (disk, file) = disk_with(&[1; 512]);
    // The tail block of a log, written again whole with more in it.
    let mut tail = [2; 1024];
    tail[..512].fill(1);
    tail[200..].fill(2);
    file.write_all_at(&tail, 0).unwrap();
    file.write_all_at(&[3; 8192], 1024).unwrap();
    for bytes in outcomes(&disk) {
        assert_eq!(bytes[..200], [1; 200]);
    }
}

#[test]
fn unsynced_lengths_vary() {
    let (disk, file) = disk_with(&[1; 100]);
    file.write_all_at(&[2; 100], 100).unwrap();
    file.set_len(5000).unwrap();
    let lens: BTreeSet<usize> = outcomes(&disk).into_iter().map(|bytes| bytes.len()).collect();
    assert!(lens.is_superset(&BTreeSet::from([100, 200, 5000])), "{lens:?}");
    file.sync_data().unwrap();
    assert!(outcomes(&disk).into_iter().all(|bytes| bytes.len() == 5000));
}

#[test]
fn cut_bytes_never_come_back_behind_a_new_length() {
    let (disk, file) = disk_with(&[1; 4096]);
    file.set_len(100).unwrap();
    file.write_all_at(&[2; 100], 2000).unwrap();
    for bytes in outcomes(&disk) {
        if bytes.len() == 4096 {
            assert_eq!(bytes, [1; 4096], "the cut was lost, and all after it");
        } else {
            assert_eq!(bytes[..100], [1; 100]);
            assert!(bytes[100..].iter().all(|byte| matches!(byte, 0 | 2)), "stale bytes");
        }
    }
}

#[test]
fn names_need_their_own_sync() {
    let disk = Disk::new(1);
    let dir = disk.dir();
    let file = dir.open("a", OpenMode::NEW).unwrap();
    file.write_all_at(b"x", 0).unwrap();
    file.sync_data().unwrap();
    let found = SEEDS.filter(|seed| disk.after_crash(*seed).dir().exists("a").unwrap()).count();
    assert!((1..SEEDS.count()).contains(&found), "creation kept {found} times");
    dir.sync().unwrap();
    dir.rename("a", "b").unwrap();
    let mut seen = BTreeSet::new();
    for seed in SEEDS {
        let files = files(&disk.after_crash(seed));
        assert_eq!(files.values().collect::<Vec<_>>(), [b"x"], "one name, with its bytes, whatever happened");
        seen.extend(files.into_keys());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["a", "b"]);
    dir.sync().unwrap();
    dir.remove("b").unwrap();
    assert!(SEEDS.map(|seed| files(&disk.after_crash(seed))).any(|files| files.contains_key("b")));
    dir.sync().unwrap();
    assert!(SEEDS.map(|seed| files(&disk.after_crash(seed))).all(|files| files.is_empty()));
}

#[test]
fn a_file_replaced_by_rename_is_the_old_or_the_new_one() {
    let (disk, _file) = disk_with(b"old");
    let dir = disk.dir();
    let new = dir.open("a.new", OpenMode::NEW).unwrap();
    new.write_all_at(b"new", 0).unwrap();
    new.sync_data().unwrap();
    dir.rename("a.new", "a").unwrap();
    let contents: BTreeSet<Vec<u8>> = outcomes(&disk).into_iter().collect();
    assert_eq!(contents, BTreeSet::from([b"old".to_vec(), b"new".to_vec()]));
}

#[test]
fn independent_names_change_independently() {
    let disk = Disk::new(1);
    drop(disk.dir().open("a", OpenMode::NEW).unwrap());
    drop(disk.dir().open("b", OpenMode::NEW).unwrap());
    let seen: BTreeSet<Vec<String>> =
        SEEDS.map(|seed| disk.after_crash(seed).dir().list().unwrap()).collect();
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn the_power_goes_during_the_operation_asked_for() {
    let (disk, file) = disk_with(b"one");
    assert_eq!(disk.operations(), 4);
    disk.crash_at(6);
    file.write_all_at(b"two", 3).unwrap();
    let error = file.sync_data().unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (io::ErrorKind::Other, "simulated crash"));
    assert!(
        file.read_at(&mut [0], 0).is_err() && disk.dir().list().is_err() && disk.dir().lock("l").is_err()
    );
    let contents: BTreeSet<Vec<u8>> = outcomes(&disk).into_iter().collect();
    assert!(contents.contains(b"one".as_slice()) && contents.contains(b"onetwo".as_slice()));
    assert!(contents.iter().all(|bytes| bytes.starts_with(b"one")));
}

#[test]
fn the_same_seed_finds_the_same_disk() {
    let (disk, file) = disk_with(&[1; 9000]);
    for offset in 0..40 {
        file.write_all_at(&[offset as u8; 700], offset * 321).unwrap();
    }
    for seed in 0..50 {
        assert_eq!(files(&disk.after_crash(seed)), files(&disk.after_crash(seed)));
    }
    let different: BTreeSet<_> = outcomes(&disk).into_iter().collect();
    assert!(different.len() > 100);
}

#[test]
fn a_full_disk_takes_what_fits() {
    let (disk, file) = disk_with(&[1; 1000]);
    disk.set_faults(Faults { capacity: Some(1500), ..Faults::default() });
    let error = file.write_all_at(&[2; 1000], 900).unwrap_err();
    assert_eq!(Cause::of(&error), Cause::NoSpace);
    assert_eq!(file.len().unwrap(), 1500);
    assert_eq!(Cause::of(&file.preallocate(0, 2000).unwrap_err()), Cause::NoSpace);
    file.write_all_at(&[3; 1500], 0).unwrap();
    disk.set_faults(Faults::default());
    file.write_all_at(&[2; 1000], 900).unwrap();
}

#[test]
fn a_read_only_disk_refuses_changes_and_reads_on() {
    let (disk, file) = disk_with(b"x");
    disk.set_faults(Faults { read_only: true, ..Faults::default() });
    let dir = disk.dir();
    let failures = [
        file.write_all_at(b"y", 0),
        file.set_len(0),
        dir.remove("a"),
        dir.rename("a", "b"),
        dir.open("new", OpenMode::CREATE).map(drop),
        dir.open("a", OpenMode::WRITE).map(drop),
        dir.lock("lock").map(drop),
    ];
    for failure in failures {
        assert_eq!(Cause::of(&failure.unwrap_err()), Cause::ReadOnly);
    }
    assert_eq!(read(&dir, "a").unwrap(), b"x");
}

#[test]
fn planned_faults_strike_where_and_as_often_as_told() {
    let (disk, file) = disk_with(&[1; 2000]);
    let plan = vec![
        Fault::eio(Call::Read).on("a").within(500..600),
        Fault::errno(Call::Write, libc::ENOSPC).after(1).times(2),
    ];
    disk.set_faults(Faults { plan, ..Faults::default() });
    file.read_exact_at(&mut [0; 500], 0).unwrap();
    assert_eq!(Cause::of(&file.read_exact_at(&mut [0; 500], 1).unwrap_err()), Cause::Device);
    file.read_exact_at(&mut [0; 500], 600).unwrap();
    let writes: Vec<bool> = (0..4).map(|_| file.write_all_at(b"x", 0).is_ok()).collect();
    assert_eq!(writes, [true, false, false, true]);
}

#[test]
fn a_failed_sync_is_not_mended_by_one_that_works() {
    let (disk, file) = disk_with(&[1; 4096]);
    disk.set_faults(Faults { plan: vec![Fault::eio(Call::Sync).times(1)], ..Faults::default() });
    file.write_all_at(&[2; 4096], 0).unwrap();
    assert_eq!(Cause::of(&file.sync_data().unwrap_err()), Cause::Device);
    assert_eq!(read(&disk.dir(), "a").unwrap(), [2; 4096], "readers still see the page cache");
    file.write_all_at(&[3; 512], 0).unwrap();
    file.sync_data().unwrap();
    let after = read(&disk.after_crash(1).dir(), "a").unwrap();
    assert_eq!(after[..512], [3; 512], "what was written later is carried");
    assert!(after.contains(&1), "what the failed sync dropped stays lost");
}

#[test]
fn a_lying_sync_is_found_out_by_a_crash() {
    let (disk, file) = disk_with(b"one");
    disk.set_faults(Faults { lying_sync: true, ..Faults::default() });
    file.write_all_at(b"two", 0).unwrap();
    file.sync_data().unwrap();
    assert!(outcomes(&disk).into_iter().any(|bytes| bytes == b"one"));
    assert_eq!(read(&disk.after_kill().dir(), "a").unwrap(), b"two", "a killed process alone loses nothing");
}

#[test]
fn rot_is_seen_at_once_and_after_a_crash() {
    let (disk, file) = disk_with(&[0; 10]);
    assert!(disk.flip_byte("a", 9) && !disk.flip_byte("a", 10) && !disk.flip_byte("b", 0));
    let mut byte = [9];
    file.read_exact_at(&mut byte, 9).unwrap();
    assert_eq!(byte, [1]);
    assert!(outcomes(&disk).into_iter().all(|bytes| bytes[9] == 1));
}

#[test]
fn the_lock_is_exclusive_until_dropped() {
    let disk = Disk::new(1);
    let held = disk.dir().lock("lock").unwrap();
    assert_eq!(Cause::of(&disk.dir().lock("lock").unwrap_err()), Cause::Locked);
    disk.after_kill().dir().lock("lock").unwrap();
    drop(held);
    disk.dir().lock("lock").unwrap();
}

#[test]
fn handles_obey_their_mode() {
    let (disk, _file) = disk_with(&[1; 1024]);
    let reader = disk.dir().open("a", OpenMode::READ).unwrap();
    assert_eq!(reader.write_all_at(b"x", 0).unwrap_err().raw_os_error(), Some(libc::EBADF));
    assert_eq!(reader.set_len(0).unwrap_err().raw_os_error(), Some(libc::EBADF));
    let direct = disk.dir().open("a", OpenMode::WRITE.direct(true)).unwrap();
    let backing = vec![7u8; 2048];
    let start = backing.as_ptr().align_offset(SECTOR);
    direct.write_all_at(&backing[start..start + 512], 512).unwrap();
    for (from, len, offset) in [(start + 1, 512, 0), (start, 511, 0), (start, 512, 1)] {
        let error = direct.write_all_at(&backing[from..from + len], offset).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}

#[test]
fn snapshots_are_independent() {
    let (disk, file) = disk_with(&[1; 5000]);
    file.write_all_at(&[2; 10], 0).unwrap();
    let copy = disk.snapshot();
    file.write_all_at(&[3; 5000], 0).unwrap();
    let copied = read(&copy.dir(), "a").unwrap();
    assert_eq!((copied[..10].to_vec(), copied[10..].to_vec()), (vec![2; 10], vec![1; 4990]));
    assert!(outcomes(&copy).into_iter().any(|bytes| bytes[0] == 1), "what was unsynced is so in the copy");
}

#[test]
fn a_replay_stands_where_the_run_stood() {
    let disk = Disk::new(3);
    let mut states = vec![files(&disk)];
    disk.record();
    let dir = disk.dir();
    let mut note = || states.push(files(&disk));
    let file = dir.open("a", OpenMode::NEW).unwrap();
    note();
    file.write_all_at(&[1; 3000], 10).unwrap();
    note();
    file.sync_data().unwrap();
    note();
    dir.rename("a", "b").unwrap();
    note();
    file.set_len(100).unwrap();
    note();
    dir.sync().unwrap();
    note();
    let recording = disk.stop_recording().unwrap();
    let mut replay = recording.replay();
    for (number, state) in states.iter().enumerate() {
        assert_eq!(replay.operations(), number as u64);
        assert_eq!(files(&replay.snapshot()), *state);
        replay.step();
    }
    assert!(replay.step().is_none());
}

#[test]
fn a_replayed_crash_is_the_crash_of_the_run() {
    let run = |crash_at: Option<u64>| {
        let disk = Disk::new(3);
        disk.record();
        if let Some(number) = crash_at {
            disk.crash_at(number);
        }
        let write = || -> io::Result<()> {
            let file = disk.dir().open("a", OpenMode::NEW)?;
            disk.dir().sync()?;
            for round in 0..10_u64 {
                file.write_all_at(&[round as u8 + 1; 1500], round * 1500)?;
                file.sync_data()?;
            }
            Ok(())
        };
        let _ = write();
        disk
    };
    let recording = run(None).stop_recording().unwrap();
    let mut replay = recording.replay();
    while let Some(replayed) = replay.crash_during_next(replay.operations()) {
        let crashed = run(Some(replay.operations() + 1)).after_crash(replay.operations());
        assert_eq!(files(&replayed), files(&crashed), "during {:?}", replay.next_op());
        replay.step();
    }
    assert_eq!(replay.operations(), 22);
}

/// A log of numbered records with a sum each, forced one by one: what a room above does in small. Returns how
/// many records a restart finds.
fn recover_toy_log(disk: &Disk) -> u64 {
    let Some(bytes) = read(&disk.dir(), "log") else { return 0 };
    let whole = |(number, record): (usize, &[u8])| {
        record.len() == 100 && record.iter().all(|byte| *byte == number as u8 + 1)
    };
    bytes.chunks(100).enumerate().take_while(|entry| whole(*entry)).count() as u64
}

fn toy_log_loses(faults: Faults) -> bool {
    let disk = Disk::new(9);
    let dir = disk.dir();
    let file = dir.open("log", OpenMode::NEW).unwrap();
    dir.sync().unwrap();
    disk.set_faults(faults);
    disk.record();
    let mut acknowledged = Vec::new();
    for number in 0..30_u64 {
        file.write_all_at(&[number as u8 + 1; 100], number * 100).unwrap();
        file.sync_data().unwrap();
        acknowledged.push(disk.operations());
    }
    let recording = disk.stop_recording().unwrap();
    let mut replay = recording.replay();
    loop {
        let promised =
            acknowledged.iter().filter(|operations| **operations <= replay.operations()).count() as u64;
        for seed in 0..20 {
            let Some(disk) = replay.crash_during_next(seed) else { return false };
            if recover_toy_log(&disk) < promised {
                return true;
            }
        }
        replay.step();
    }
}

#[test]
fn a_crash_at_every_operation_spares_an_honest_log_and_catches_the_canary() {
    assert!(!toy_log_loses(Faults::default()));
    assert!(toy_log_loses(Faults { lying_sync: true, ..Faults::default() }));
}

#[derive(Clone, Debug)]
enum Step {
    Write(u64, usize, u8),
    SetLen(u64),
    Sync,
    FailSync,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..12_000_u64, 1..3000_usize, 1..255_u8).prop_map(|(at, len, byte)| Step::Write(at, len, byte)),
        2 => (0..12_000_u64).prop_map(Step::SetLen),
        2 => Just(Step::Sync),
        1 => Just(Step::FailSync),
    ];
    proptest::collection::vec(step, 1..30)
}

proptest! {
    /// Readers see a plain array of bytes; a crash right after a good sync (with none failed before) finds it.
    #[test]
    fn a_file_is_an_array_of_bytes(steps in steps(), seed: u64) {
        let (disk, file) = disk_with(&[]);
        let mut model = Vec::new();
        let (mut clean, mut failed) = (true, false);
        for step in steps {
            match step {
                Step::Write(at, len, byte) => {
                    file.write_all_at(&vec![byte; len], at).unwrap();
                    model.resize(model.len().max(at as usize + len), 0);
                    model[at as usize..at as usize + len].fill(byte);
                    clean = false;
                }
                Step::SetLen(len) => {
                    file.set_len(len).unwrap();
                    model.resize(len as usize, 0);
                    clean = false;
                }
                Step::Sync => {
                    file.sync_data().unwrap();
                    clean = true;
                }
                Step::FailSync => {
                    disk.set_faults(Faults { plan: vec![Fault::eio(Call::Sync)], ..Faults::default() });
                    file.sync_data().unwrap_err();
                    disk.set_faults(Faults::default());
                    failed = true;
                }
            }
            prop_assert_eq!(&read(&disk.dir(), "a").unwrap(), &model);
            let found = read(&disk.after_crash(seed).dir(), "a").unwrap();
            if clean && !failed {
                prop_assert_eq!(&found, &model);
            }
        }
    }
}

/// Thousands of crashes of a recorded run must stay affordable for the rooms above, whatever the files' sizes.
#[test]
fn a_crash_of_large_files_costs_little() {
    let disk = Disk::new(1);
    let file = disk.dir().open("data", OpenMode::NEW).unwrap();
    file.preallocate(0, 1 << 30).unwrap();
    file.write_all_at(&vec![1; 4 << 20], 0).unwrap();
    file.sync_data().unwrap();
    disk.dir().sync().unwrap();
    disk.record();
    for page in 0..200 {
        file.write_all_at(&vec![2; 16 << 10], page << 15).unwrap();
    }
    let recording = disk.stop_recording().unwrap();
    let mut replay = recording.replay();
    let start = std::time::Instant::now();
    let mut crashes = 0;
    while let Some(disk) = replay.crash_during_next(crashes) {
        assert_eq!(disk.dir().list().unwrap(), ["data"]);
        crashes += 1;
        replay.step();
    }
    let each = start.elapsed() / crashes as u32;
    assert!(each < std::time::Duration::from_millis(50), "{each:?} a crash");
    println!("{each:?} a crash of a 1 GiB file with up to {crashes} unsynced pages");
}
