//! Files that LOAD DATA reads. What is in one stands in the statement itself, with `%` and two digits for most bytes: as the
//! name of a LOCAL file, which the client makes up when it is asked for it, or in a comment of the statement, whose file is
//! there while the statement runs. So a statement can be run again, and made smaller, like any other.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// What the files are named by.
const MARK: &str = "penstock-differ-";

/// Bytes as they stand in a statement.
pub fn written(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' | b',' | b':' | b'.' | b'-' => {
                text.push(byte.into())
            }
            _ => write!(text, "%{byte:02X}").expect("texts take what is written"),
        }
    }
    text
}

/// The bytes that stand in a statement.
pub fn read(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        bytes.extend(u8::from_str_radix(digits, 16));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

/// A server's file while a statement runs.
pub struct Placed(PathBuf);

impl Drop for Placed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What a statement says, its file's name filled in, and the file where the server is to find it.
pub fn placed(sql: &str) -> Option<(String, Placed)> {
    let (setting, load) = sql.split_once("LOAD DATA /*")?;
    if !setting.is_empty() && !setting.starts_with("SET STATEMENT ") {
        return None;
    }
    let (before, rest) = load.split_once("*/")?;
    let mut hasher = DefaultHasher::new();
    before.hash(&mut hasher);
    let path = std::env::temp_dir().join(format!("{MARK}{:016x}", hasher.finish()));
    std::fs::write(&path, read(before)).ok()?;
    let sql = format!("{setting}LOAD DATA{}", rest.replacen("'FILE'", &format!("'{}'", path.display()), 1));
    Some((sql, Placed(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(read(&written(&bytes)), bytes);
        assert_eq!(written(b"1,a'\n"), "1,a%27%0A");
    }
}
