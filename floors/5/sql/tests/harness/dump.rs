//! Shared inputs: where they are, dumps read and cut into statements. What is not there is said so and skipped.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of shared inputs.
pub fn shared(part: &str) -> Option<PathBuf> {
    let beside = || Some(Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(4)?.join("shared"));
    let root = std::env::var_os("PENSTOCK_SHARED").map(PathBuf::from).or_else(beside)?;
    let found = root.join(part);
    if !found.exists() {
        eprintln!("skipped: no {}", found.display());
        return None;
    }
    Some(found)
}

/// Cuts a dump into statements as the `mariadb` client does.
pub fn statements(dump: &[u8]) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    let mut delimiter = b";".to_vec();
    let mut current: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < dump.len() {
        let rest = &dump[at..];
        let line = rest.split(|b| *b == b'\n').next().unwrap_or(&[]);
        if current.trim_ascii().is_empty() && line.to_ascii_lowercase().starts_with(b"delimiter ") {
            delimiter = line[10..].trim_ascii().to_vec();
            at += line.len() + 1;
        } else if rest.starts_with(b"-- ") || rest.starts_with(b"--\n") {
            at += line.len() + 1;
        } else if rest.starts_with(&delimiter) {
            if !current.trim_ascii().is_empty() {
                out.push(current.trim_ascii().to_vec());
            }
            current.clear();
            at += delimiter.len();
        } else if let quote @ (b'\'' | b'"' | b'`') = rest[0] {
            let mut len = 1;
            while len < rest.len() && rest[len] != quote {
                len += if rest[len] == b'\\' && quote != b'`' { 2 } else { 1 };
            }
            let end = (len + 1).min(rest.len());
            current.extend_from_slice(&rest[..end]);
            at += end;
        } else {
            current.push(rest[0]);
            at += 1;
        }
    }
    if !current.trim_ascii().is_empty() {
        out.push(current.trim_ascii().to_vec());
    }
    out
}

/// The text of a shared dump.
pub fn dump(name: &str) -> Option<Vec<u8>> {
    let path = shared(&format!("data/{name}.sql.xz"))?;
    match Command::new("xz").arg("-dc").arg(&path).output() {
        Ok(output) if output.status.success() => Some(output.stdout),
        _ => {
            eprintln!("skipped: xz does not read {}", path.display());
            None
        }
    }
}
