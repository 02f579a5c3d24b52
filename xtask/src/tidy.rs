//! What must not be in the repository: leftovers, text that is not ASCII in code, long and large files, rooms for
//! everything. Exceptions stand in `tidy.toml` with their reasons.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::Outcome;

const LINES_MAX: usize = 700;
const BYTES_MAX: u64 = 512 << 10;

/// What may not stand in Rust code, and what to write instead. In two parts, so that this file passes.
const BANS: [(&str, &str, &str); 5] = [
    ("to", "do!(", "an error that says what is not supported, or the code"),
    ("unimple", "mented!(", "an error that says what is not supported, or the code"),
    ("db", "g!(", "tracing, or nothing"),
    ("FIX", "ME", "the fix, or an issue"),
    ("#[igno", "re]", "#[ignore = \"reason\"]"),
];

/// Names that say nothing about what is inside.
const NAMES: [&str; 5] = ["utils", "util", "common", "misc", "helpers"];

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    #[serde(default)]
    long_files: BTreeMap<String, String>,
    #[serde(default)]
    large_files: BTreeMap<String, String>,
}

/// Checks the repository at `root`.
pub fn check(root: &Path) -> Outcome {
    let text =
        fs::read_to_string(root.join("tidy.toml")).map_err(|e| vec![format!("read tidy.toml: {e}")])?;
    let exceptions: Exceptions = toml::from_str(&text).map_err(|e| vec![format!("read tidy.toml: {e}")])?;
    let complaints = complaints(root, &files(root)?, exceptions);
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

/// All files that are or would be in the repository.
fn files(root: &Path) -> Result<Vec<String>, Vec<String>> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(list).current_dir(root).output();
    let output = output.map_err(|e| vec![format!("git ls-files: {e}")])?;
    if !output.status.success() {
        return Err(vec![format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim())]);
    }
    let names = String::from_utf8_lossy(&output.stdout);
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}

fn complaints(root: &Path, files: &[String], mut exceptions: Exceptions) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        // A file deleted but not yet committed is still listed.
        let Ok(metadata) = fs::symlink_metadata(root.join(file)) else { continue };
        if !metadata.is_file() {
            continue;
        }
        if metadata.len() > BYTES_MAX && exceptions.large_files.remove(file).is_none() {
            complaints.push(format!("{file}: {} bytes, more than {BYTES_MAX}", metadata.len()));
        }
        if file.ends_with(".rs") {
            let bytes = fs::read(root.join(file)).unwrap_or_default();
            complaints.extend(complaints_about_code(file, &bytes, &mut exceptions));
        }
    }
    let stale = exceptions.long_files.keys().chain(exceptions.large_files.keys());
    complaints.extend(stale.map(|file| format!("tidy.toml: {file} needs no exception any more")));
    complaints
}

fn complaints_about_code(file: &str, bytes: &[u8], exceptions: &mut Exceptions) -> Vec<String> {
    let mut complaints = Vec::new();
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().count();
    if lines > LINES_MAX && exceptions.long_files.remove(file).is_none() {
        complaints.push(format!("{file}: {lines} lines, more than {LINES_MAX}: split it by ideas"));
    }
    for (number, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", number + 1);
        if !line.is_ascii() {
            complaints.push(format!("{place}: not ASCII; write escapes"));
        }
        for (head, tail, instead) in BANS {
            if line.contains(&format!("{head}{tail}")) {
                complaints.push(format!("{place}: {head}{tail}; write instead: {instead}"));
            }
        }
    }
    let parts = file.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part));
    for part in parts.filter(|part| NAMES.contains(part)) {
        complaints.push(format!("{file}: {part} says nothing; name the idea"));
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let outcome = check(&crate::root());
        assert!(outcome.is_ok(), "{}", outcome.unwrap_err().join("\n"));
    }

    fn complaints_of(file: &str, text: &str, exceptions: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        complaints(folder.path(), &[file.to_owned()], toml::from_str(exceptions).unwrap())
    }

    #[test]
    fn each_ban_is_found_with_its_place() {
        for (head, tail, instead) in BANS {
            let found = complaints_of("a.rs", &format!("fn a() {{\n    {head}{tail}\n}}\n"), "");
            assert_eq!(found, [format!("a.rs:2: {head}{tail}; write instead: {instead}")]);
        }
        assert!(complaints_of("a.rs", "#[ignore = \"needs a disk\"]\n", "").is_empty());
        assert_eq!(complaints_of("a.rs", "// \u{e9}\n", "").len(), 1);
        assert!(complaints_of("a.md", "\u{e9}\n", "").is_empty());
        assert_eq!(complaints_of("src/utils.rs", "", "").len(), 1);
        assert_eq!(complaints_of("tests/common/mod.rs", "", "").len(), 1);
    }

    #[test]
    fn long_and_large_files_need_a_reason_as_long_as_they_are_so() {
        let (long, large) = ("\n".repeat(701), "x".repeat(600 << 10));
        assert_eq!(complaints_of("a.rs", &long, "").len(), 1);
        assert!(complaints_of("a.rs", &long, "[long_files]\n'a.rs' = 'a table'").is_empty());
        assert_eq!(complaints_of("a.rs", "", "[long_files]\n'a.rs' = 'a table'").len(), 1);
        assert_eq!(complaints_of("a.bin", &large, "").len(), 1);
        assert!(complaints_of("a.bin", &large, "[large_files]\n'a.bin' = 'data'").is_empty());
    }
}
