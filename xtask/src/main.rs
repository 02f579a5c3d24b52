//! What a person does to the repository: `cargo xtask` lists the tasks, `cargo xtask ci` runs what CI runs.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

mod check_speed;
mod checksums;
mod commits;
mod compare;
mod dependencies;
mod files;
mod floors;
mod foreign;
mod go_tpc;
mod joins;
mod memory;
mod numa;
mod servers;
mod shapes;
mod shared_lines;
mod tables;
mod tidy;
mod tpcc;
mod tpch;
mod yesmark;

/// Why a task failed, a line a complaint.
type Outcome = Result<(), Vec<String>>;

struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&Path) -> Outcome,
}

/// The steps of `ci`, in its order: what fails fast comes first.
const STEPS: [Task; 9] = [
    Task { name: "packages", about: "install the Debian packages that tests use", run: packages },
    Task { name: "fmt", about: "check the formatting", run: fmt },
    Task { name: "floors", about: "check that rooms import only from floors below", run: floors::check },
    Task { name: "dependencies", about: "check reasons and licences of libraries", run: dependencies::check },
    Task { name: "tidy", about: "check for leftovers, long files, large files, odd names", run: tidy::check },
    Task { name: "clippy", about: "lint everything, warnings denied", run: clippy },
    Task { name: "docs", about: "build the documentation, warnings denied", run: docs },
    Task { name: "test", about: "run all tests", run: test },
    Task {
        name: "foreign",
        about: "the checksum kernels of AArch64 and POWER, under qemu",
        run: foreign::kernels,
    },
];

const OTHERS: &[Task] = &[
    Task { name: "ci", about: "all of the above, in that order", run: ci },
    Task {
        name: "compare",
        about: "sysbench against Penstock and MariaDB in turn; report in bench/runs",
        run: compare::run,
    },
    Task {
        name: "commits",
        about: "forces, bytes and time of a commit beside MariaDB; report in bench/runs",
        run: commits::run,
    },
    Task {
        name: "tables",
        about: "20,000 tables made, opened, dropped, restarted with; report in bench/runs",
        run: tables::run,
    },
    Task {
        name: "tpch",
        about: "the 22 queries of TPC-H beside MariaDB; report in bench/runs",
        run: tpch::run,
    },
    Task {
        name: "shapes",
        about: "some hundred shapes of queries and changes beside MariaDB; report in bench/runs",
        run: shapes::run,
    },
    Task {
        name: "joins",
        about: "joins drawn at random beside MariaDB; report in bench/runs",
        run: joins::run,
    },
    Task {
        name: "tpcc",
        about: "TPC-C against Penstock and MariaDB in turn; report in bench/runs",
        run: tpcc::run,
    },
    Task {
        name: "differ",
        about: "random statements on Penstock and MariaDB; --statements N --seed S",
        run: differ,
    },
    Task { name: "soak", about: "10,000 power cuts, 100 rounds of kill -9, 2 GiB under 128 MiB", run: soak },
    Task { name: "fairness", about: "point selects beside a cross join: p99 under 5 ms", run: fairness },
    Task {
        name: "shared-lines",
        about: "count the cache lines that sessions on two threads both write",
        run: shared_lines::run,
    },
    Task {
        name: "files",
        about: "two servers growing files side by side on ext4 and XFS; report in bench/runs",
        run: files::run,
    },
    Task {
        name: "memory",
        about: "data ten times the buffer pool, beside MariaDB; report in bench/runs",
        run: memory::run,
    },
    Task {
        name: "checksums",
        about: "what page and log sums cost: data four times the pool, with and without; report in bench/runs",
        run: checksums::run,
    },
    Task {
        name: "yesmark",
        about: "DO 0 one at a time, beside a loop that only answers OK and MariaDB; report in bench/runs",
        run: yesmark::run,
    },
    Task {
        name: "go-tpc",
        about: "TPC-C by PingCAP's go-tpc on Penstock and MariaDB in turn; report in bench/runs",
        run: go_tpc::run,
    },
    Task {
        name: "numa",
        about: "where memory lies, in virtual machines with 2 and 4 NUMA nodes; report in bench/runs",
        run: numa::run,
    },
    Task {
        name: "power",
        about: "the whole server on POWER under qemu: unit tests, kills and recoveries",
        run: foreign::power,
    },
    Task {
        name: "check-speed",
        about: "penstock check beside innochecksum on 2 GiB; report in bench/runs",
        run: check_speed::run,
    },
    Task {
        name: "check-damage",
        about: "penstock check beside innochecksum on 10,000 damaged tablespaces",
        run: check_damage,
    },
    Task { name: "bench-crc", about: "measure the checksum kernels beside crc32fast", run: bench_crc },
];

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        println!("cargo xtask TASK\n");
        for task in STEPS.iter().chain(OTHERS) {
            println!("  {:<13} {}", task.name, task.about);
        }
        return ExitCode::SUCCESS;
    };
    let Some(task) = STEPS.iter().chain(OTHERS).find(|task| task.name == name) else {
        eprintln!("no task is called {name}; `cargo xtask` lists them");
        return ExitCode::FAILURE;
    };
    match (task.run)(&root()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaints) => {
            complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
            ExitCode::FAILURE
        }
    }
}

/// The workspace's root.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().expect("xtask lies inside the workspace").to_path_buf()
}

/// Where cargo builds.
fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// The differential tester, with the arguments after the task's name.
fn differ(root: &Path) -> Outcome {
    cargo(root, &["build", "--release", "-p", "penstock"])?;
    let given: Vec<String> = std::env::args().skip(2).collect();
    let mut args = vec!["run", "--release", "-p", "penstock-differ", "--"];
    args.extend(given.iter().map(String::as_str));
    cargo(root, &args)
}

fn ci(root: &Path) -> Outcome {
    let start = Instant::now();
    for task in &STEPS {
        println!("== {}: {}", task.name, task.about);
        let start = Instant::now();
        let outcome = (task.run)(root);
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("== {}: {verdict}, {:.1} s", task.name, start.elapsed().as_secs_f64());
        outcome?;
    }
    println!("== all: ok, {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn packages(root: &Path) -> Outcome {
    run(&mut Command::new(root.join("scripts/install-test-packages.sh")))
}

fn fmt(root: &Path) -> Outcome {
    cargo(root, &["fmt", "--all", "--check"])
}

fn clippy(root: &Path) -> Outcome {
    cargo(root, &["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    // As on POWER, where each fiber is a thread; in a folder of its own, or all would be built anew after it.
    let folder = target_folder(root).join("no-fibers");
    let mut runtime = command(root, &["clippy", "--package", "penstock-runtime", "--", "--deny", "warnings"]);
    run(runtime.env("PENSTOCK_BUILD_WITHOUT_FIBERS", "1").env("CARGO_TARGET_DIR", folder))
}

fn docs(root: &Path) -> Outcome {
    let arguments = ["doc", "--no-deps", "--workspace", "--document-private-items"];
    run(command(root, &arguments).env("RUSTDOCFLAGS", "--deny warnings"))
}

fn test(root: &Path) -> Outcome {
    cargo(root, &["test", "--workspace"])
}

fn soak(root: &Path) -> Outcome {
    let mut test = command(root, &["test", "--package", "penstock-engine", "--test", "engine"]);
    run(test.env("PENSTOCK_CRASH_SEEDS", "10000").env("PENSTOCK_MODEL_SEEDS", "2000"))?;
    let kills = [("PENSTOCK_KILL_ROUNDS", "100"), ("PENSTOCK_ROT_FLIPS", "500")];
    run(system_tests(root, &["crash", "rot"]).envs(kills))?;
    let large = [("PENSTOCK_LARGE_MIB", "2048"), ("PENSTOCK_LARGE_POOL", "128M")];
    run(system_tests(root, &["larger_than_memory"]).envs(large))?;
    check_damage(root)
}

fn fairness(root: &Path) -> Outcome {
    run(system_tests(root, &["fairness"]).env("PENSTOCK_FAIRNESS_SECONDS", "10"))
}

/// Tests over the binary as it is released, one at a time, saying what they measured.
fn system_tests(root: &Path, names: &[&str]) -> Command {
    let mut test = command(root, &["test", "--release", "--package", "penstock"]);
    for name in names {
        test.args(["--test", name]);
    }
    test.args(["--", "--nocapture", "--test-threads", "1"]);
    test
}

/// Tablespaces of every page size and form, damaged in every way.
fn check_damage(root: &Path) -> Outcome {
    let arguments = ["test", "--package", "penstock-check", "--test", "damage", "--", "--nocapture"];
    let settings = [("PENSTOCK_CHECK_ALL", "1"), ("PENSTOCK_CHECK_COPIES", "10000")];
    run(command(root, &arguments).envs(settings))
}

fn bench_crc(root: &Path) -> Outcome {
    cargo(root, &["bench", "--package", "penstock-checksum", "--bench", "crc"])
}

fn cargo(root: &Path, arguments: &[&str]) -> Outcome {
    run(&mut command(root, arguments))
}

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root);
    command
}

fn run(command: &mut Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(vec![format!("{command:?}: {status}")]),
        Err(error) => Err(vec![format!("{command:?}: {error}")]),
    }
}
