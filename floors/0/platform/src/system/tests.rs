use super::*;

#[test]
fn the_smallest_limit_of_memory_counts() {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    assert_eq!(memory_under(root.path()), 1 << 30);
    write("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n");
    assert_eq!(memory_under(root.path()), 16 << 20);
    write("proc/self/cgroup", "1:name=systemd:/x\n0::/a/b\n");
    write("sys/fs/cgroup/a/b/memory.max", "max\n");
    assert_eq!(memory_under(root.path()), 16 << 20);
    write("sys/fs/cgroup/a/memory.max", "4194304\n");
    assert_eq!(memory_under(root.path()), 4 << 20);
}

#[test]
fn this_machine_is_plausible() {
    assert!(page_size().is_power_of_two() && page_size() >= 4096);
    assert!(memory_bytes() > 64 << 20);
    assert!(!kernel_release().is_empty() && !cpu_name().is_empty());
    assert!(raise_open_files_limit().unwrap() >= 64);
    for used in [process_cpu_us, thread_cpu_us] {
        let before = used();
        let mut sum = 0_u64;
        while used() < before + 2000 {
            sum = std::hint::black_box(sum + 1);
        }
    }
}
