//! Facts about the machine and limits of the process.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[cfg(test)]
mod tests;

/// The size of a page of virtual memory, in bytes.
#[must_use]
pub fn page_size() -> usize {
    rustix::param::page_size()
}

/// The memory that this process may use, in bytes: the machine's, or less by a control group's limit.
#[must_use]
pub fn memory_bytes() -> u64 {
    memory_under(Path::new("/"))
}

fn memory_under(root: &Path) -> u64 {
    let facts = fs::read_to_string(root.join("proc/meminfo")).unwrap_or_default();
    let total = facts.lines().find_map(|line| line.strip_prefix("MemTotal:")).and_then(|value| {
        let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    });
    let limits = cgroup_values(root, "memory.max").into_iter().filter_map(|value| value.trim().parse().ok());
    // A machine that does not tell is taken for a small one.
    limits.chain(total).min().unwrap_or(1 << 30)
}

/// The file `name` of the process's control group (version 2) and of each above it, where it exists.
pub(crate) fn cgroup_values(root: &Path, name: &str) -> Vec<String> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let Some(group) = groups.lines().find_map(|line| line.strip_prefix("0::/")) else { return Vec::new() };
    let top = root.join("sys/fs/cgroup");
    let group = PathBuf::from(group);
    // A path of the real hierarchy may not lead anywhere inside a container; then its top is the group itself.
    group.ancestors().filter_map(|above| fs::read_to_string(top.join(above).join(name)).ok()).collect()
}

/// From now on other threads that want the calling thread's core get it soon: for what computes in the background.
pub fn give_way() {
    // Refused only where priorities are not ours to change: then it competes as before.
    let _ = rustix::process::nice(10);
}

/// The kernel's release, such as `6.1.0-18-amd64`.
#[must_use]
pub fn kernel_release() -> String {
    rustix::system::uname().release().to_string_lossy().into_owned()
}

/// The processor's name, such as `AMD EPYC 7763 64-Core Processor`.
#[must_use]
pub fn cpu_name() -> String {
    let facts = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |label: &str| {
        let (_, value) = facts.lines().find(|line| line.starts_with(label))?.split_once(':')?;
        Some(value.trim().to_owned())
    };
    // x86 says "model name", POWER "cpu", AArch64 only numbers.
    value("model name").or_else(|| value("cpu\t")).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// Raises the limit of open files as far as the process may, and returns it.
pub fn raise_open_files_limit() -> io::Result<u64> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })?;
    }
    Ok(getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX))
}

/// User and system CPU time that this process has used, in microseconds.
#[must_use]
pub fn process_cpu_us() -> u64 {
    microseconds(rustix::time::ClockId::ProcessCPUTime)
}

/// User and system CPU time that this thread has used, in microseconds.
#[must_use]
pub fn thread_cpu_us() -> u64 {
    microseconds(rustix::time::ClockId::ThreadCPUTime)
}

fn microseconds(clock: rustix::time::ClockId) -> u64 {
    let now = rustix::time::clock_gettime(clock);
    now.tv_sec as u64 * 1_000_000 + now.tv_nsec as u64 / 1000
}
