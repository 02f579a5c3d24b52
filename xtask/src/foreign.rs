//! Penstock on other architectures, run by qemu's user mode on this one. What is not installed is skipped, and said.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, command, run};

/// Another architecture, and how its programs are built and run here.
struct Foreign {
    target: &'static str,
    linker: &'static str,
    /// qemu's program and the folder of the architecture's C library.
    qemu: [&'static str; 3],
    /// The compiler, where it is not the usual one.
    toolchain: Option<PathBuf>,
}

/// The kernels of `checksum` under qemu, on AArch64 and POWER.
pub fn kernels(root: &Path) -> Outcome {
    for found in [aarch64(root), powerpc64le(root)] {
        match found {
            Ok(foreign) => {
                println!("checksum on {}", foreign.target);
                run(&mut foreign.cargo(root, &["test", "--package", "penstock-checksum", "--lib"]))?;
            }
            Err(why) => println!("skipped: {why}"),
        }
    }
    Ok(())
}

/// The whole server on POWER: its rooms' unit tests, kills and recoveries, and data handed to and fro between it and
/// the same server on this machine.
pub fn power(root: &Path) -> Outcome {
    let foreign = powerpc64le(root).map_err(|why| vec![why])?;
    run(&mut foreign.cargo(root, &["build", "--package", "penstock"]))?;
    let rooms =
        ["checksum", "platform", "runtime", "types", "pages", "binlog", "tree", "engine", "protocol", "sql"];
    for room in rooms {
        run(&mut foreign.cargo(root, &["test", "--package", &format!("penstock-{room}"), "--lib"]))?;
    }
    run(&mut command(root, &["build", "--package", "penstock"]))?;
    let there = foreign.wrapper(root).map_err(|e| vec![format!("write a script: {e}")])?;
    let here = crate::target_folder(root).join("debug/penstock");
    let crashes = |binaries: &[&Path]| {
        let joined = std::env::join_paths(binaries).map_err(|e| vec![e.to_string()])?;
        println!("kill -9 and recovery by {}", joined.display());
        let mut test =
            command(root, &["test", "--package", "penstock", "--test", "crash", "--", "--nocapture"]);
        run(test.env("PENSTOCK_BINARY", joined))
    };
    crashes(&[&there])?;
    crashes(&[&there, &here])
}

/// AArch64 by rustup's own target.
fn aarch64(root: &Path) -> Result<Foreign, String> {
    let foreign = Foreign {
        target: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        qemu: ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"],
        toolchain: None,
    };
    foreign.tools()?;
    let library =
        Command::new("rustc").args(["--print", "target-libdir", "--target", foreign.target]).output();
    let library = library.map_err(|e| format!("rustc: {e}"))?.stdout;
    let library = PathBuf::from(String::from_utf8_lossy(&library).trim());
    let add = || Command::new("rustup").args(["target", "add", foreign.target]).current_dir(root).status();
    if library.is_dir() || add().is_ok_and(|status| status.success()) {
        Ok(foreign)
    } else {
        Err(format!("no standard library for {}: rustup target add {0}", foreign.target))
    }
}

/// POWER by Debian's compiler, unpacked into the target folder.
fn powerpc64le(root: &Path) -> Result<Foreign, String> {
    let folder = crate::target_folder(root).join("power");
    let script = root.join("scripts/power-toolchain.sh");
    let unpacked =
        Command::new(script).arg(&folder).output().map_err(|e| format!("power-toolchain.sh: {e}"))?;
    let foreign = Foreign {
        target: "powerpc64le-unknown-linux-gnu",
        linker: "powerpc64le-linux-gnu-gcc",
        qemu: ["qemu-ppc64le-static", "-L", "/usr/powerpc64le-linux-gnu"],
        toolchain: Some(folder.join("root/usr")),
    };
    match unpacked.status.success() {
        true => Ok(foreign),
        false => Err(format!("{}: {}", foreign.target, String::from_utf8_lossy(&unpacked.stderr).trim())),
    }
}

impl Foreign {
    /// Whether linker and qemu are there.
    fn tools(&self) -> Result<(), String> {
        for tool in [self.linker, self.qemu[0]] {
            if Command::new(tool).arg("--version").output().is_err() {
                return Err(format!(
                    "{}: no {tool} (packages gcc-aarch64-linux-gnu, qemu-user-static)",
                    self.target
                ));
            }
        }
        Ok(())
    }

    /// Cargo with `arguments`, for this architecture.
    fn cargo(&self, root: &Path, arguments: &[&str]) -> Command {
        let variable =
            |what: &str| format!("CARGO_TARGET_{}_{what}", self.target.to_uppercase().replace('-', "_"));
        let mut cargo = command(root, arguments);
        cargo.args(["--target", self.target]);
        // Files of two compilers do not go into one folder.
        cargo.arg("--target-dir").arg(crate::target_folder(root).join("foreign"));
        cargo.env(variable("LINKER"), self.linker).env(variable("RUNNER"), self.qemu.join(" "));
        cargo.env(format!("CC_{}", self.target.replace('-', "_")), self.linker);
        if let Some(toolchain) = &self.toolchain {
            cargo.env("RUSTC", toolchain.join("bin/rustc")).env("RUSTDOC", toolchain.join("bin/rustdoc"));
            cargo.env("LD_LIBRARY_PATH", toolchain.join("lib/x86_64-linux-gnu"));
            // Only one of them is known to both compilers.
            cargo.env_remove("RUSTUP_TOOLCHAIN");
        }
        cargo
    }

    /// A script that runs the server of this architecture as if it were a program of this machine.
    fn wrapper(&self, root: &Path) -> std::io::Result<PathBuf> {
        let folder = crate::target_folder(root).join("foreign").join(self.target);
        let (script, program) = (folder.join("penstock.sh"), folder.join("debug/penstock"));
        fs::write(
            &script,
            format!("#!/bin/sh\nexec {} {} \"$@\"\n", self.qemu.join(" "), program.display()),
        )?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        Ok(script)
    }
}
