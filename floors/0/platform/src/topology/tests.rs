use super::*;

/// A machine made of files.
fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn order(topology: &Topology) -> Vec<usize> {
    topology.cpus.iter().map(|cpu| cpu.number).collect()
}

#[test]
fn lists_of_the_kernel_are_read() {
    assert_eq!(parse_list("0-3,8\n"), [0, 1, 2, 3, 8]);
    assert_eq!(parse_list(" 7 "), [7]);
    assert!(parse_list("").is_empty() && parse_list("x-y,-").is_empty() && parse_list("5-4").is_empty());
}

#[test]
fn threads_go_to_whole_cores_of_all_nodes_first() {
    let siblings = |cpu: usize| {
        let path = format!("sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        (path, format!("{},{}\n", cpu % 4, cpu % 4 + 4))
    };
    let siblings: Vec<(String, String)> = (0..8).map(siblings).collect();
    let mut files = vec![
        ("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-7\nMems_allowed_list:\t0-1\n"),
        ("sys/devices/system/node/online", "0-2\n"),
        ("sys/devices/system/node/has_memory", "0-1\n"),
        ("sys/devices/system/node/node0/cpulist", "0-1,4-5\n"),
        ("sys/devices/system/node/node1/cpulist", "2-3,6-7\n"),
        ("sys/devices/system/node/node2/cpulist", "\n"),
    ];
    files.extend(siblings.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let root = machine(&files);
    let topology = Topology::under(root.path());
    assert_eq!(order(&topology), [0, 2, 1, 3, 4, 6, 5, 7]);
    assert_eq!(topology.cpus[5], Cpu { number: 6, core: 2, node: 1 });
    let nodes = [Node { number: 0, cpus: vec![0, 1, 4, 5] }, Node { number: 1, cpus: vec![2, 3, 6, 7] }];
    assert_eq!(topology.nodes, nodes);
    assert_eq!(topology.parallelism(), 8);
}

#[test]
fn cpu_sets_and_quotas_of_containers_count() {
    let root = machine(&[
        ("proc/self/status", "Cpus_allowed_list:\t2-5\nMems_allowed_list:\t1\n"),
        ("proc/self/cgroup", "0::/pod/box\n"),
        ("sys/fs/cgroup/pod/box/cpu.max", "max 100000\n"),
        ("sys/fs/cgroup/pod/cpu.max", "150000 100000\n"),
    ]);
    let topology = Topology::under(root.path());
    assert_eq!(order(&topology), [2, 3, 4, 5]);
    assert_eq!(topology.nodes, [Node { number: 1, cpus: vec![] }]);
    assert_eq!((topology.cpu_quota, topology.parallelism()), (Some(1.5), 2));
}

#[test]
fn an_unreadable_machine_is_a_plain_one() {
    let root = machine(&[]);
    let topology = Topology::under(root.path());
    assert!(!topology.cpus.is_empty() && topology.nodes.len() == 1 && topology.cpu_quota.is_none());
}

#[test]
fn a_pinned_thread_stays() {
    let cpu = *Topology::discover().cpus.last().unwrap();
    let seen = std::thread::spawn(move || {
        pin_current(cpu.number).unwrap();
        std::thread::yield_now();
        current_cpu()
    });
    assert_eq!(seen.join().unwrap(), cpu.number);
    let inherited = std::thread::spawn(move || {
        let cpus = || allowed(&fs::read_to_string("/proc/thread-self/status").unwrap(), "Cpus_allowed_list:");
        pin_current(cpu.number).unwrap();
        let freed = move || (cpus(), unpin_current().map(|()| cpus()).unwrap());
        std::thread::spawn(freed).join().unwrap()
    });
    let all = allowed(&fs::read_to_string("/proc/self/status").unwrap(), "Cpus_allowed_list:");
    assert_eq!(inherited.join().unwrap(), (vec![cpu.number], all));
    assert!(set_affinity(&[]).is_err());
    assert!(std::thread::spawn(|| pin_current(100_000)).join().unwrap().is_err());
}
