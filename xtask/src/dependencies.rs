//! Libraries from outside: each has its reason in `docs/dependencies.md` and a licence that goes with ours.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cargo_metadata::MetadataCommand;

use crate::Outcome;

/// Licences that a work under MIT OR Apache-2.0 may contain without terms of its own for whoever uses it.
const LICENCES: [&str; 11] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks the workspace at `root`.
pub fn check(root: &Path) -> Outcome {
    let read =
        |name: &str| fs::read_to_string(root.join(name)).map_err(|e| vec![format!("read {name}: {e}")]);
    let manifest = read("Cargo.toml")?.parse().map_err(|e| vec![format!("read Cargo.toml: {e}")])?;
    let mut complaints = complaints_about_reasons(&manifest, &read("docs/dependencies.md")?);
    let mut command = MetadataCommand::new();
    let metadata = command.manifest_path(root.join("Cargo.toml")).exec();
    let metadata = metadata.map_err(|e| vec![format!("cargo metadata: {e}")])?;
    for package in metadata.packages.iter().filter(|package| package.source.is_some()) {
        let licence = package.license.as_deref().unwrap_or("none");
        if !is_allowed(licence) {
            complaints.push(format!("{} {}: licence {licence}", package.name, package.version));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints) }
}

fn complaints_about_reasons(manifest: &toml::Table, reasons: &str) -> Vec<String> {
    let declared = manifest["workspace"]["dependencies"].as_table();
    let outside = |entry: &toml::Value| entry.get("path").is_none();
    let declared: BTreeSet<&str> = declared
        .into_iter()
        .flatten()
        .filter(|(_, entry)| outside(entry))
        .map(|(name, _)| name.as_str())
        .collect();
    let explained: BTreeSet<&str> = reasons
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name)
        .collect();
    let missing = declared.difference(&explained).map(|name| format!("docs/dependencies.md: lacks {name}"));
    let stale =
        explained.difference(&declared).map(|name| format!("docs/dependencies.md: {name} is not used"));
    missing.chain(stale).collect()
}

/// Whether the terms of an SPDX expression can all be met by licences of the list.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let either = split(&expression, " OR ");
    if either.len() > 1 {
        return either.into_iter().any(is_allowed);
    }
    let all = split(&expression, " AND ");
    if all.len() > 1 {
        return all.into_iter().all(is_allowed);
    }
    let term = expression.trim();
    match term.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner),
        None => LICENCES.contains(&term),
    }
}

/// Splits at an operator outside parentheses. OR binds weaker than AND, so it is split at first.
fn split<'a>(expression: &'a str, operator: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, byte) in expression.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ if depth == 0
                && at >= start
                && expression.as_bytes()[at..].starts_with(operator.as_bytes()) =>
            {
                parts.push(&expression[start..at]);
                start = at + operator.len();
            }
            _ => {}
        }
    }
    parts.push(&expression[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_library_has_its_reason_and_a_good_licence() {
        let outcome = check(&crate::root());
        assert!(outcome.is_ok(), "{}", outcome.unwrap_err().join("\n"));
    }

    #[test]
    fn licence_expressions_are_judged() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR GPL-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
            "MIT AND (GPL-2.0 OR (Zlib AND ISC))",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in
            ["GPL-2.0", "MIT AND GPL-2.0", "none", "", "(MIT OR Zlib) AND LGPL-2.1-or-later", "MIT AND"]
        {
            assert!(!is_allowed(bad), "{bad}");
        }
    }

    #[test]
    fn reasons_and_declarations_must_match() {
        let manifest = "[workspace.dependencies]\nroom = { path = 'x' }\na = '1'\nb = { version = '1' }\n";
        let manifest = manifest.parse().unwrap();
        assert!(complaints_about_reasons(&manifest, "| `a` | x |\n| `b` | y |\n").is_empty());
        assert_eq!(complaints_about_reasons(&manifest, "| `a` | x |\n").len(), 1);
        assert_eq!(complaints_about_reasons(&manifest, "| `a` |\n| `b` |\n| `c` |\n").len(), 1);
    }
}
