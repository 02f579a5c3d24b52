//! What differed: written down once for each kind.

use crate::run::Difference;
use crate::side::Answer;
use crate::statement::Statement;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Random differences of one rough kind that are made smaller; more of it are counted only.
pub const ENOUGH: usize = 6;

/// All differences of a run.
pub struct Kept {
    folder: PathBuf,
    /// So many of one rough kind are made smaller.
    enough: usize,
    /// By respect, errors and first words.
    rough: BTreeMap<String, usize>,
    /// By the shape of what was made smaller.
    found: BTreeMap<String, usize>,
    total: usize,
}

impl Kept {
    /// None yet.
    pub fn new(folder: &Path, enough: usize) -> Kept {
        Kept { folder: folder.into(), enough, rough: BTreeMap::new(), found: BTreeMap::new(), total: 0 }
    }

    /// Number of different ones.
    pub fn kinds(&self) -> usize {
        self.found.len()
    }

    /// Whether such a difference was looked at often enough; counts it.
    pub fn known_well(&mut self, statement: &Statement, difference: &Difference) -> bool {
        self.total += 1;
        let words = |text: &str| text.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        let text = statement.term.to_string();
        let probe = difference.probe.map(|i| words(&statement.probes[i])).unwrap_or_default();
        let Difference { respect, errors, .. } = difference;
        // Differing errors tell causes apart by themselves, rows do not.
        let key = match difference.probe {
            None => format!("{respect} {errors:?} {}", words(&text)),
            Some(_) => format!("{respect} {errors:?} probe {probe}"),
        };
        let count = self.rough.entry(key).or_default();
        *count += 1;
        let plain = *errors == (None, None) && *respect == "rows";
        *count > if plain { self.enough.saturating_mul(4) } else { self.enough }
    }

    /// Writes a difference down as statements to run, once for each shape of the texts that they end with.
    pub fn keep(
        &mut self,
        lines: &[String],
        texts: &[String],
        difference: &Difference,
        ours: &Answer,
        theirs: &Answer,
        seed: u64,
    ) {
        let respect = difference.respect;
        let shapes: Vec<String> = texts.iter().map(|text| shape_of(text)).collect();
        let count = self.found.entry(format!("{respect}: {}", shapes.join(" / "))).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        let number = self.found.len();
        println!("--- {number} (seed {seed}) {respect}");
        let mut text = format!("-- seed {seed}, differs in {respect}\n");
        for (side, answer) in [("MariaDB", theirs), ("Penstock", ours)] {
            for line in answer.lines() {
                text += &format!("--   {side}: {line}\n");
            }
        }
        for line in lines {
            text += &format!("{line};\n");
        }
        print!("{text}");
        let path = self.folder.join(format!("{seed}-{number}.sql"));
        if let Err(error) = std::fs::write(&path, text) {
            eprintln!("write {}: {error}", path.display());
        }
    }

    /// Prints what there is; the number of differences.
    pub fn summary(&self) -> usize {
        let mut rough: Vec<_> = self.rough.iter().collect();
        rough.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (kind, count) in rough {
            println!("{count:>6} {kind}");
        }
        println!("unexplained {} of {} kinds, see {}", self.total, self.found.len(), self.folder.display());
        self.total
    }
}

/// A statement without its names and literals: two of one shape most likely have one cause.
fn shape_of(sql: &str) -> String {
    let (mut shape, mut quoted, mut word) = (String::new(), false, String::new());
    for c in sql.chars().chain([' ']) {
        if c == '\'' {
            quoted = !quoted;
            if quoted {
                shape.push('?');
            }
        } else if quoted {
            continue;
        } else if c.is_ascii_alphanumeric() || c == '_' || c == '.' {
            word.push(c);
        } else {
            let literal = word.starts_with(|c: char| c.is_ascii_digit());
            let column = word.len() <= 4
                && word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.ends_with(|c: char| c.is_ascii_digit());
            shape.push_str(if literal || column || word.contains('.') { "?" } else { &word });
            word.clear();
            shape.push(c);
        }
    }
    shape.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::shape_of;

    #[test]
    fn shapes_forget_names_and_literals() {
        assert_eq!(shape_of("SELECT ABS(c1), 'it', 1.5 FROM t1"), "SELECT ABS(?), ?, ? FROM ?");
    }
}
