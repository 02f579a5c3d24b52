use std::io::ErrorKind;

use super::real::flock_holder;
use super::*;

fn scratch() -> (tempfile::TempDir, RealDir) {
    let folder = tempfile::tempdir().unwrap();
    let dir = RealDir::new(folder.path().join("deep/data"), true).unwrap();
    (folder, dir)
}

#[test]
fn reads_back_what_was_written_and_stops_at_the_end() {
    let (_folder, dir) = scratch();
    let file = dir.open("a", OpenMode::NEW).unwrap();
    file.write_all_at(b"hello", 3).unwrap();
    assert_eq!(file.len().unwrap(), 8);
    let mut buffer = [9u8; 16];
    assert_eq!(file.read_at(&mut buffer, 0).unwrap(), 8);
    assert_eq!(&buffer[..8], b"\0\0\0hello");
    assert_eq!(file.read_at(&mut buffer, 8).unwrap(), 0);
    let error = file.read_exact_at(&mut buffer, 4).unwrap_err();
    assert_eq!(Cause::of(&error), Cause::PastEnd);
    file.sync_data().unwrap();
    dir.sync().unwrap();
}

/// By the file's own way and by that of files which have none.
#[test]
fn words_are_read_as_bytes_are() {
    struct Plain(Arc<dyn File>);
    #[rustfmt::skip]
    impl File for Plain {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> { self.0.read_at(buffer, offset) }
        fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> { self.0.write_all_at(data, offset) }
        fn sync_data(&self) -> io::Result<()> { self.0.sync_data() }
        fn len(&self) -> io::Result<u64> { self.0.len() }
        fn set_len(&self, len: u64) -> io::Result<()> { self.0.set_len(len) }
        fn preallocate(&self, offset: u64, len: u64) -> io::Result<()> { self.0.preallocate(offset, len) }
        fn raw_fd(&self) -> Option<RawFd> { None }
        fn name(&self) -> &str { self.0.name() }
    }
    let (_folder, dir) = scratch();
    let file = dir.open("a", OpenMode::NEW).unwrap();
    let bytes: Vec<u8> = (0..100_003_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
    file.write_all_at(&bytes, 0).unwrap();
    for file in [file.clone(), Arc::new(Plain(file))] {
        for (offset, count) in
            [(0, 1), (5, 2048), (16_384, 2049), (40_000, 7000), (99_999, 64), (100_003, 4), (200_000, 1)]
        {
            let words: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
            let read = file.read_words_at(&words, offset).unwrap();
            let expected =
                &bytes[bytes.len().min(offset as usize)..bytes.len().min(offset as usize + count * 8)];
            assert_eq!(read, expected.len(), "{count} words at {offset}");
            let got: Vec<u8> =
                words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes()).collect();
            assert_eq!(got[..read], *expected, "{count} words at {offset}");
        }
    }
    let beyond = dir.open("a", OpenMode::READ).unwrap().read_words_at(&[AtomicU64::new(0)], u64::MAX);
    assert_eq!(beyond.unwrap_err().kind(), ErrorKind::InvalidInput);
}

#[test]
fn creation_modes_differ() {
    let (_folder, dir) = scratch();
    assert_eq!(Cause::of(&dir.open("a", OpenMode::WRITE).err().unwrap()), Cause::Missing);
    drop(dir.open("a", OpenMode::CREATE).unwrap());
    drop(dir.open("a", OpenMode::CREATE).unwrap());
    assert_eq!(Cause::of(&dir.open("a", OpenMode::NEW).err().unwrap()), Cause::Exists);
    let reader = dir.open("a", OpenMode::READ).unwrap();
    assert!(reader.write_all_at(b"x", 0).is_err());
}

#[test]
fn names_are_listed_renamed_and_removed() {
    let (_folder, dir) = scratch();
    for name in ["b", "a", "c"] {
        drop(dir.open(name, OpenMode::NEW).unwrap());
    }
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    assert_eq!(dir.list().unwrap(), ["a", "b", "c"]);
    dir.rename("c", "a").unwrap();
    dir.remove("b").unwrap();
    assert_eq!(dir.list().unwrap(), ["a"]);
    assert!(dir.exists("a").unwrap() && !dir.exists("b").unwrap());
}

#[test]
fn names_stay_inside_the_directory() {
    let (_folder, dir) = scratch();
    for name in ["", ".", "..", "../a", "a/b", "a\0b"] {
        assert_eq!(
            dir.open(name, OpenMode::CREATE).err().unwrap().kind(),
            ErrorKind::InvalidInput,
            "{name:?}"
        );
        assert_eq!(dir.remove(name).err().unwrap().kind(), ErrorKind::InvalidInput, "{name:?}");
    }
}

#[test]
fn preallocated_space_reads_as_zeros_and_counts_extents() {
    let (_folder, dir) = scratch();
    let file = dir.open("a", OpenMode::NEW).unwrap();
    file.write_all_at(b"x", 0).unwrap();
    file.preallocate(0, 1 << 20).unwrap();
    assert_eq!(file.len().unwrap(), 1 << 20);
    let mut buffer = [1u8; 4];
    file.read_exact_at(&mut buffer, 0).unwrap();
    assert_eq!(&buffer, b"x\0\0\0");
    if let Some(extents) = file.extent_count().unwrap() {
        assert!((1..100).contains(&extents), "{extents}");
    }
    file.set_len(10).unwrap();
    assert_eq!(file.len().unwrap(), 10);
}

#[test]
fn the_lock_is_exclusive_and_names_its_holder() {
    let (_folder, dir) = scratch();
    let held = dir.lock("lock").unwrap();
    let error = RealDir::new(dir.path(), false).unwrap().lock("lock").unwrap_err();
    assert_eq!(Cause::of(&error), Cause::Locked);
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    drop(held);
    dir.lock("lock").unwrap();
}

#[test]
fn a_full_device_is_told_from_other_failures() {
    let full = RealDir::new("/dev", false).unwrap().open("full", OpenMode::WRITE).unwrap();
    assert_eq!(Cause::of(&full.write_all_at(b"x", 0).unwrap_err()), Cause::NoSpace);
    let io = |code| Cause::of(&std::io::Error::from_raw_os_error(code));
    assert_eq!(io(libc::EROFS), Cause::ReadOnly);
    assert_eq!(io(libc::EIO), Cause::Device);
    assert_eq!(io(libc::EDQUOT), Cause::NoSpace);
    assert_eq!(io(libc::EACCES), Cause::Denied);
    assert_eq!(io(libc::EINVAL), Cause::Other);
}

#[test]
fn a_file_is_not_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plain");
    std::fs::write(&path, "x").unwrap();
    assert_eq!(RealDir::new(&path, false).err().unwrap().kind(), ErrorKind::NotADirectory);
    assert!(RealDir::new(&path, true).is_err());
    assert_eq!(RealDir::new(folder.path().join("none"), false).err().unwrap().kind(), ErrorKind::NotFound);
}

#[test]
fn walks_below_links_once() {
    let (folder, dir) = scratch();
    dir.open("a", OpenMode::NEW).unwrap().write_all_at(b"abc", 0).unwrap();
    std::os::unix::fs::symlink(folder.path().join("deep"), dir.path().join("loop")).unwrap();
    std::os::unix::fs::symlink("nothing", dir.path().join("dangling")).unwrap();
    let found: Vec<Found> = walk(&folder.path().join("deep")).into_iter().map(Result::unwrap).collect();
    assert_eq!(found, [Found { path: dir.path().join("a"), len: 3 }]);
    let missing = folder.path().join("missing");
    assert!(
        matches!(&walk(&missing)[..], [Err((path, error))] if *path == missing && Cause::of(error) == Cause::Missing)
    );
}

#[test]
fn a_record_lock_of_this_process_is_none_of_anothers() {
    let (_folder, dir) = scratch();
    let file = dir.open("a", OpenMode::NEW).unwrap();
    file.take_record_lock().unwrap();
    assert_eq!(file.lock_holder().unwrap(), None);
    file.advise(0, 4096, Advice::WillNeed);
    file.advise(0, 4096, Advice::DontNeed);
}

#[test]
fn the_kernels_list_of_locks_is_read() {
    let list = "1: POSIX  ADVISORY  WRITE 7 fe:00:42 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 9 fe:00:42 0 EOF\n\
                2: FLOCK  ADVISORY  READ 6 fe:00:42 0 EOF\n3: FLOCK  ADVISORY  WRITE 812 fe:00:42 0 EOF\n";
    assert_eq!(flock_holder(list, 42), Some(812));
    assert_eq!(flock_holder(list, 4), None);
    assert_eq!(flock_holder("3: FLOCK\nnonsense", 4), None);
}
