//! A C program, compiled against the header and linked with both libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The C program linked with `library` runs and finds every sum right.
fn check(library: &str, folder: &Path) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = libraries().join(library);
    assert!(built.is_file(), "{} is built with the tests", built.display());
    let program = folder.join(format!("program-{library}"));
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-Wall", "-Wextra", "-Werror", "-std=c99", "-I"]).arg(own.join("include"));
    compile.arg(own.join("tests/program.c")).arg(&built).arg("-o").arg(&program);
    // What Rust's standard library needs of the system's.
    compile.args(["-lpthread", "-ldl", "-lm", "-lgcc_s"]);
    let compiled = compile.output().expect("the C compiler that linked this test");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).env("LD_LIBRARY_PATH", libraries()).output().unwrap();
    assert!(ran.status.success(), "{library}: {}", String::from_utf8_lossy(&ran.stdout));
}

/// Where cargo put the libraries: beside this test.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_path_buf()
}

#[test]
fn a_c_program_finds_every_sum_right() {
    let folder = tempfile::tempdir().unwrap();
    check("libpenstock_checksum.a", folder.path());
    check("libpenstock_checksum.so", folder.path());
}
