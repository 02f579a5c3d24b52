//! Which CPUs this process may use, how they hang together, and pinning threads to them.
//!
//! All is read from `/proc/self/status`, `/sys/devices/system` and the control group's files, so that it is the
//! same in a container, and so that tests can show it other machines.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(test)]
mod tests;

/// A logical CPU that this process may run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// The kernel's number.
    pub number: usize,
    /// The lowest-numbered CPU of the same physical core.
    pub core: usize,
    /// The NUMA node that its memory is local to.
    pub node: usize,
}

/// A NUMA node with memory that this process may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The kernel's number.
    pub number: usize,
    /// The CPUs of the node that this process may run on; perhaps none.
    pub cpus: Vec<usize>,
}

/// What there is of the machine for this process.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// The CPUs allowed, in the order in which threads are best placed: one of each core first, nodes taking
    /// turns, then the second thread of each core, and so on.
    pub cpus: Vec<Cpu>,
    /// The memory nodes allowed, by number; at least one.
    pub nodes: Vec<Node>,
    /// How many CPUs' worth of time the control group allows, if it limits it.
    pub cpu_quota: Option<f64>,
}

impl Topology {
    /// Looks at this machine.
    #[must_use]
    pub fn discover() -> Topology {
        Topology::under(Path::new("/"))
    }

    /// Looks at the machine whose `/proc` and `/sys` are under `root`. What cannot be read is taken as a machine
    /// with one node, cores of one thread each, and the CPUs that the standard library counts.
    fn under(root: &Path) -> Topology {
        let status = fs::read_to_string(root.join("proc/self/status")).unwrap_or_default();
        let mut numbers = allowed(&status, "Cpus_allowed_list:");
        if numbers.is_empty() {
            numbers = (0..std::thread::available_parallelism().map_or(1, usize::from)).collect();
        }
        let node_of = nodes_of_cpus(root);
        let cpus = numbers.iter().map(|number| Cpu {
            number: *number,
            core: first_sibling(root, *number),
            node: node_of.get(number).copied().unwrap_or(0),
        });
        let cpus = best_order(cpus.collect());
        Topology { nodes: memory_nodes(root, &status, &cpus), cpus, cpu_quota: cpu_quota(root) }
    }

    /// How many threads can run at once: the CPUs allowed, or fewer by the control group's quota; at least 1.
    #[must_use]
    pub fn parallelism(&self) -> usize {
        let quota = self.cpu_quota.map_or(usize::MAX, |quota| quota.ceil() as usize);
        self.cpus.len().min(quota).max(1)
    }
}

/// Lets the current thread run on the CPU `number` only.
pub fn pin_current(number: usize) -> io::Result<()> {
    set_affinity(&[number])
}

/// Lets the current thread run wherever the process's first thread may: a thread inherits the CPUs of the one that started it.
pub fn unpin_current() -> io::Result<()> {
    set_affinity(&allowed(&fs::read_to_string("/proc/self/status")?, "Cpus_allowed_list:"))
}

/// Lets the current thread run on these CPUs only.
pub fn set_affinity(numbers: &[usize]) -> io::Result<()> {
    // Not libc's cpu_set_t: machines with more than 1024 CPUs exist.
    let Some(highest) = numbers.iter().max() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut mask = vec![0_u64; highest / 64 + 1];
    for number in numbers {
        mask[number / 64] |= 1 << (number % 64);
    }
    // SAFETY: the kernel reads as many bytes from the mask as the length given, and 0 is this thread.
    let result = unsafe { libc::sched_setaffinity(0, mask.len() * 8, mask.as_ptr().cast()) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The CPU that the current thread runs on just now.
#[must_use]
pub fn current_cpu() -> usize {
    rustix::thread::sched_getcpu()
}

/// The numbers in a line of `/proc/self/status` such as `Cpus_allowed_list: 0-3,8`.
fn allowed(status: &str, label: &str) -> Vec<usize> {
    status.lines().find_map(|line| line.strip_prefix(label)).map(parse_list).unwrap_or_default()
}

/// The numbers of a kernel list such as `0-3,8`; what is not understood is left out.
fn parse_list(list: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    for part in list.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.trim().parse::<usize>(), last.trim().parse::<usize>()) {
            // No kernel has more CPUs than this.
            numbers.extend(first..=last.min(1 << 20));
        }
    }
    numbers
}

fn read_list(path: &Path) -> Vec<usize> {
    fs::read_to_string(path).map(|list| parse_list(&list)).unwrap_or_default()
}

fn first_sibling(root: &Path, number: usize) -> usize {
    let path = root.join(format!("sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list"));
    read_list(&path).into_iter().min().unwrap_or(number)
}

fn node_folder(root: &Path) -> PathBuf {
    root.join("sys/devices/system/node")
}

fn nodes_of_cpus(root: &Path) -> BTreeMap<usize, usize> {
    let folder = node_folder(root);
    let mut nodes = BTreeMap::new();
    for node in read_list(&folder.join("online")) {
        let cpus = read_list(&folder.join(format!("node{node}/cpulist")));
        nodes.extend(cpus.into_iter().map(|cpu| (cpu, node)));
    }
    nodes
}

/// The memory nodes that the process may use; CPU-less ones count, they hold memory like any other.
fn memory_nodes(root: &Path, status: &str, cpus: &[Cpu]) -> Vec<Node> {
    let with_memory = read_list(&node_folder(root).join("has_memory"));
    let mut numbers = allowed(status, "Mems_allowed_list:");
    if !with_memory.is_empty() {
        numbers.retain(|number| with_memory.contains(number));
    }
    if numbers.is_empty() {
        numbers = vec![0];
    }
    let cpus_of = |number| {
        let mut local: Vec<usize> =
            cpus.iter().filter(|cpu| cpu.node == number).map(|cpu| cpu.number).collect();
        local.sort_unstable();
        local
    };
    numbers.into_iter().map(|number| Node { number, cpus: cpus_of(number) }).collect()
}

/// One thread of each core before the second of any, nodes taking turns.
fn best_order(mut cpus: Vec<Cpu>) -> Vec<Cpu> {
    cpus.sort_unstable_by_key(|cpu| cpu.number);
    let mut threads_of_core = BTreeMap::new();
    let mut turns_of_node = BTreeMap::new();
    let mut ranked = Vec::with_capacity(cpus.len());
    for cpu in cpus {
        let thread = threads_of_core.entry(cpu.core).or_insert(0_usize);
        let turn = turns_of_node.entry((*thread, cpu.node)).or_insert(0_usize);
        ranked.push(((*thread, *turn, cpu.node), cpu));
        *thread += 1;
        *turn += 1;
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, cpu)| cpu).collect()
}

/// The tightest `cpu.max` of the process's control group and those above it, in CPUs.
fn cpu_quota(root: &Path) -> Option<f64> {
    let quotas = crate::system::cgroup_values(root, "cpu.max").into_iter().filter_map(|value| {
        let (quota, period) = value.trim().split_once(' ')?;
        Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
    });
    quotas.filter(|quota| quota.is_finite() && *quota > 0.0).min_by(f64::total_cmp)
}
