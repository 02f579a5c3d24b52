//! Where memory lies on machines with several NUMA nodes: the server inside small virtual machines with 2 and 4 nodes, in each
//! of its ways and under a restricted cpuset; and on this machine, how soon a large pool is ready. Report in bench/runs.
//!
//! Environment: `NUMA_POOL_MIB` (16384), the large pool; it is left out where less memory is free.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::servers;

/// Memory of a virtual machine's nodes together, and of the pool inside, in MiB.
const MACHINE_MIB: u64 = 2048;
const POOL_MIB: u64 = 128;
/// How far a node's share may be from what was wished, in percent.
const TOLERANCE_PERCENT: u64 = 10;

pub fn run(root: &Path) -> Outcome {
    let mut report = format!("# NUMA: where memory lies\n\n{}. `cargo xtask numa`.\n", servers::machine());
    let work = tempfile::tempdir().map_err(|e| vec![e.to_string()])?;
    report += &pools(root, work.path()).map_err(|e| vec![e])?;
    let folder = crate::target_folder(root).join("numa");
    let fetched = Command::new(root.join("scripts/numa/fetch.sh")).arg(&folder).output();
    let fetched = fetched.map_err(|e| vec![format!("fetch.sh: {e}")])?;
    let mut complaints = Vec::new();
    match fetched.status.success() {
        false => println!("skipped: {}", String::from_utf8_lossy(&fetched.stderr).trim()),
        true => {
            let initramfs = initramfs(root, &folder, work.path()).map_err(|e| vec![e])?;
            for nodes in [2, 4] {
                let printed = boot(&folder, &initramfs, nodes).map_err(|e| vec![e])?;
                let cases = cases(&printed);
                report += &table(nodes, &cases);
                complaints.extend(cases.iter().flat_map(|case| case.complaints(nodes)));
                if cases.len() != 5 || !printed.contains("== end") {
                    complaints.push(format!("{nodes} nodes: {} of 5 cases:\n{printed}", cases.len()));
                }
            }
        }
    }
    servers::keep_report(root, "numa", &report).map_err(|e| vec![e])?;
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

/// A file system in memory with the server, the libraries it needs, a shell and `scripts/numa/init`.
fn initramfs(root: &Path, folder: &Path, work: &Path) -> Result<PathBuf, String> {
    let tree = work.join("tree");
    let put = |from: &Path, to: &str| {
        let to = tree.join(to.trim_start_matches('/'));
        fs::create_dir_all(to.parent().unwrap_or(&tree)).and_then(|()| fs::copy(from, &to).map(|_| ()))
    };
    let binary = servers::binary(root)?;
    let stripped = work.join("penstock");
    let strip = Command::new("strip").arg("-o").arg(&stripped).arg(&binary).status();
    if !strip.map_err(|e| format!("strip: {e}"))?.success() {
        return Err("strip failed".into());
    }
    let libraries = servers::output(Command::new("ldd").arg(&binary))?;
    let libraries = libraries.split_whitespace().filter(|word| word.starts_with('/'));
    let made = libraries
        .map(|library| put(Path::new(library), library))
        .chain([
            put(&stripped, "bin/penstock"),
            put(&folder.join("busybox"), "bin/busybox"),
            put(&folder.join("busybox"), "bin/sh"),
            put(&root.join("scripts/numa/init"), "init"),
        ])
        .collect::<std::io::Result<()>>();
    made.map_err(|e| format!("make the machine's files: {e}"))?;
    let image = work.join("initramfs");
    let pack = format!("find . | {} cpio -o -H newc > {}", folder.join("busybox").display(), image.display());
    let packed = Command::new("sh").arg("-c").arg(pack).current_dir(&tree).stderr(Stdio::null()).status();
    match packed.map_err(|e| format!("cpio: {e}"))?.success() {
        true => Ok(image),
        false => Err("cpio failed".into()),
    }
}

/// Boots a machine of `nodes` nodes of two CPUs each, and gives what it printed. Emulated in software: nested machines of the
/// kernel's own do not start everywhere, and it is about places, not speed.
fn boot(folder: &Path, initramfs: &Path, nodes: u64) -> Result<String, String> {
    println!("a machine with {nodes} NUMA nodes");
    let mut qemu = Command::new("qemu-system-x86_64");
    qemu.args(["-accel", "tcg,thread=multi", "-cpu", "max", "-nographic", "-no-reboot"]);
    qemu.args(["-m", &MACHINE_MIB.to_string(), "-smp", &(2 * nodes).to_string()]);
    for node in 0..nodes {
        let size = MACHINE_MIB / nodes;
        qemu.args(["-object", &format!("memory-backend-ram,id=m{node},size={size}M")]);
        let cpus = format!("cpus={}-{}", 2 * node, 2 * node + 1);
        qemu.args(["-numa", &format!("node,nodeid={node},{cpus},memdev=m{node}")]);
    }
    qemu.arg("-kernel").arg(folder.join("vmlinuz")).arg("-initrd").arg(initramfs);
    qemu.args(["-append", "console=ttyS0 panic=-1 quiet"]);
    let output = Command::new("timeout").arg("900").arg(qemu.get_program()).args(qemu.get_args()).output();
    Ok(String::from_utf8_lossy(&output.map_err(|e| format!("qemu: {e}"))?.stdout).into_owned())
}

/// What a machine printed of one way to start the server.
#[derive(Default)]
struct Case {
    name: String,
    status: BTreeMap<String, u64>,
    /// Bytes of the pool on each node, by the kernel's `numa_maps`, read by this program.
    mapped: BTreeMap<u64, u64>,
    /// CPUs that each event loop may use.
    loops: Vec<String>,
    warnings: Vec<String>,
}

fn cases(printed: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in printed.lines().map(str::trim_end) {
        if let Some(name) = line.strip_prefix("== case ") {
            cases.push(Case { name: name.to_owned(), ..Case::default() });
        }
        let Some(case) = cases.last_mut() else { continue };
        match line.split_once(' ') {
            Some(("status", row)) => {
                let words: Vec<&str> =
                    row.split(|c: char| c == '|' || c.is_whitespace()).filter(|w| !w.is_empty()).collect();
                if let [name, value] = words[..] {
                    case.status.extend(value.parse().ok().map(|value| (name.to_owned(), value)));
                }
            }
            Some(("maps", row)) => {
                let on_nodes = mapping(row);
                // The pool is the largest mapping by far.
                if on_nodes.values().sum::<u64>() > case.mapped.values().sum() {
                    case.mapped = on_nodes;
                }
            }
            Some(("thread", row)) => {
                if let Some((name, cpus)) = row.split_once(' ').filter(|(name, _)| name.starts_with("loop-"))
                {
                    case.loops.push(format!("{name}: {cpus}"));
                }
            }
            Some(("log", row)) if row.contains(" WARN ") => case.warnings.push(row.to_owned()),
            _ => {}
        }
    }
    cases
}

/// Bytes by node in a line of `numa_maps`.
fn mapping(row: &str) -> BTreeMap<u64, u64> {
    let value = |name: &str, word: &str| word.strip_prefix(name)?.parse::<u64>().ok();
    let page = row.split(' ').find_map(|word| value("kernelpagesize_kB=", word)).unwrap_or(4) << 10;
    let on_node = |word: &str| {
        let (node, pages) = word.strip_prefix('N')?.split_once('=')?;
        Some((node.parse().ok()?, pages.parse::<u64>().ok()? * page))
    };
    row.split(' ').filter_map(on_node).collect()
}

impl Case {
    fn of_node(&self, node: u64, what: &str) -> u64 {
        self.status.get(&format!("Penstock_numa_node{node}_{what}")).copied().unwrap_or(0)
    }

    /// What is not as it should be on a machine of `nodes` nodes.
    fn complaints(&self, nodes: u64) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut expect = |holds: bool, what: String| {
            if !holds {
                complaints.push(format!("{nodes} nodes, {}: {what}", self.name));
            }
        };
        let close = |a: u64, b: u64| a.abs_diff(b) * 100 <= b * TOLERANCE_PERCENT;
        let pool = POOL_MIB << 20;
        let used: Vec<u64> = if self.name == "restricted" { vec![nodes - 1] } else { (0..nodes).collect() };
        expect(close(self.mapped.values().sum(), pool), format!("the pool has {:?} bytes", self.mapped));
        if self.name != "off" {
            for node in &used {
                let mapped = self.mapped.get(node).copied().unwrap_or(0);
                expect(close(mapped, pool / used.len() as u64), format!("node {node} holds {mapped} bytes"));
                let (found, wanted) = (self.of_node(*node, "bytes"), self.of_node(*node, "bytes_wanted"));
                expect(
                    close(found, mapped),
                    format!("SHOW STATUS finds {found} bytes on node {node}, the kernel {mapped}"),
                );
                expect(close(found, wanted), format!("node {node}: {found} bytes found, {wanted} wanted"));
            }
            let pinned =
                |one: &String| one.rsplit(": ").next().is_some_and(|cpus| cpus.parse::<u32>().is_ok());
            let all_pinned = !self.loops.is_empty() && self.loops.iter().all(pinned);
            expect(used.len() == 1 || all_pinned, format!("loops are not pinned: {:?}", self.loops));
        }
        expect(
            self.status.get("Penstock_numa_nodes") == Some(&(used.len() as u64)),
            "counts other nodes".into(),
        );
        expect(self.warnings.is_empty(), format!("it warned: {:?}", self.warnings));
        complaints
    }
}

fn table(nodes: u64, cases: &[Case]) -> String {
    let mut text = format!(
        "\n## A machine with {nodes} nodes\n\n`qemu-system-x86_64`, {MACHINE_MIB} MiB, two CPUs a node, a pool of {POOL_MIB} MiB. MiB of the \
         pool on each node: wanted and found as SHOW STATUS has them, and as this program reads `numa_maps`.\n\n\
         | case | wanted | found | numa_maps | event loops |\n| --- | --- | --- | --- | --- |\n"
    );
    for case in cases {
        let mib = |bytes: u64| format!("{:.1}", bytes as f64 / f64::from(1 << 20));
        let each = |of: &dyn Fn(u64) -> u64| (0..nodes).map(|n| mib(of(n))).collect::<Vec<_>>().join(", ");
        text += &format!(
            "| {} | {} | {} | {} | {} |\n",
            case.name,
            each(&|n| case.of_node(n, "bytes_wanted")),
            each(&|n| case.of_node(n, "bytes")),
            each(&|n| case.mapped.get(&n).copied().unwrap_or(0)),
            case.loops.join("; "),
        );
    }
    text
}

/// How soon a large pool is ready on this machine, and when the server answers, beside threads that only clear memory.
fn pools(root: &Path, work: &Path) -> Result<String, String> {
    let pool_mib = servers::number("NUMA_POOL_MIB", 16 << 10);
    let available = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = available.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap_or("0");
    let available_mib = available.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) >> 10;
    if available_mib < pool_mib + 1024 {
        println!(
            "skipped: a pool of {pool_mib} MiB, as {available_mib} MiB are free (NUMA_POOL_MIB names another)"
        );
        return Ok(String::new());
    }
    let mut rounds = Vec::new();
    for round in 0..3 {
        let data = work.join(format!("pool-{round}"));
        let (answers, ready) = start_with_pool(&servers::binary(root)?, &data, pool_mib)?;
        rounds.push((answers, ready, clear(pool_mib)));
    }
    rounds.sort_by_key(|(_, ready, clear)| (ready.as_secs_f64() / clear.as_secs_f64() * 1e6) as u64);
    let mut text = format!(
        "\n## A pool of {pool_mib} MiB on this machine\n\nThree rounds, seconds: until a client has an answer, until all memory of the \
         pool is there (`--populate-pool on`), and what as many threads need to write as much memory (`memset`).\n\n\
         | first answer | pool ready | plain memset | ready / memset |\n| --- | --- | --- | --- |\n"
    );
    for (answers, ready, clear) in rounds {
        let [answers, ready, clear] = [answers, ready, clear].map(|time| time.as_secs_f64());
        text += &format!("| {answers:.3} | {ready:.2} | {clear:.2} | {:.2} |\n", ready / clear);
    }
    Ok(text)
}

fn start_with_pool(binary: &Path, data: &Path, pool_mib: u64) -> Result<(Duration, Duration), String> {
    let socket = data.with_extension("sock");
    let begun = Instant::now();
    let server = Command::new(binary)
        .args([
            "serve",
            "--port",
            "0",
            "--populate-pool",
            "on",
            "--buffer-pool-size",
            &format!("{pool_mib}M"),
        ])
        .arg("--datadir")
        .arg(data)
        .arg("--socket")
        .arg(&socket)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut server = server.map_err(|e| format!("start {}: {e}", binary.display()))?;
    let ask = || {
        let mut client = Command::new(binary);
        client.arg("sql").arg("--socket").arg(&socket).arg("SHOW STATUS LIKE 'Penstock_pool_ready_us'");
        let answer = client.stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        text.split(|c: char| !c.is_ascii_digit()).find_map(|word| word.parse::<u64>().ok())
    };
    let (mut answers, mut ready) = (None, 0);
    while ready == 0 && begun.elapsed() < Duration::from_secs(120) {
        if let Some(us) = ask() {
            answers.get_or_insert_with(|| begun.elapsed());
            ready = us;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = Command::new("kill").arg(server.id().to_string()).status();
    let _ = server.wait();
    match answers {
        Some(answers) if ready > 0 => Ok((answers, Duration::from_micros(ready))),
        _ => Err("the server's pool was never ready".into()),
    }
}

/// The time that a thread on each core needs to write `mib` MiB of new memory.
fn clear(mib: u64) -> Duration {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let begun = Instant::now();
        // Pieces that the allocator maps anew each; not zeros, which would be left untouched.
        let pieces = mib as usize / threads / 64;
        let memory: Vec<Vec<u8>> = (0..pieces).map(|_| vec![1_u8; 64 << 20]).collect();
        std::hint::black_box(&memory);
        begun.elapsed()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).max().unwrap_or_default()
    })
}
