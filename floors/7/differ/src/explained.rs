//! Differences that are meant or accepted: each has its line in `docs/differences.md`.

use crate::side::Answer;

/// An accepted difference.
pub struct Explained {
    /// Its name there.
    pub name: &'static str,
    /// Whether it covers what these two (Penstock's first) answered to a statement.
    pub covers: fn(&str, &Answer, &Answer) -> bool,
}

/// All of them.
pub const EXPLAINED: &[Explained] = &[
    Explained {
        name: "warning-count",
        // MariaDB's optimizer evaluates constants and conditions more or fewer times and before it knows of any row.
        covers: |sql, ours, theirs| {
            let both_fine = ours.error.is_none() && theirs.error.is_none() && ours.rows == theirs.rows;
            let kept = |a: &Answer, b: &Answer| a.warnings.is_subset(&b.warnings);
            let conditional =
                ["WHERE", "JOIN", "IF(", "CASE", "COALESCE", "IFNULL", "AND", "OR", "GROUP BY", "IN ("];
            both_fine
                && (kept(ours, theirs) || kept(theirs, ours))
                && conditional.iter().any(|word| sql.contains(word))
        },
    },
    Explained {
        name: "warning-column",
        // MariaDB's conversions of columns to dates name the column and count rows.
        covers: |_, ours, theirs| {
            let plain = |a: &Answer| {
                let cut = |text: &String| text.split(" for column `").next().unwrap_or("").to_owned();
                let ascii = |text: String| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
                a.warnings
                    .iter()
                    .map(|(_, number, text)| (number.clone(), ascii(cut(text))))
                    .collect::<Vec<_>>()
            };
            let (mut p, mut q) = (plain(ours), plain(theirs));
            for list in [&mut p, &mut q] {
                list.sort();
                list.dedup();
            }
            theirs.warnings.iter().any(|(_, _, text)| text.contains(" for column `"))
                && ours.rows == theirs.rows
                && p == q
        },
    },
    Explained {
        name: "float-digits",
        // The last digit of doubles that went through another order of additions.
        covers: |sql, ours, theirs| {
            let aggregates = ["SUM(", "AVG(", "STDDEV(", "VAR_SAMP("];
            aggregates.iter().any(|word| sql.contains(word)) && close(ours, theirs)
        },
    },
];

/// Whether the rows are the same but for the last digits of doubles.
fn close(a: &Answer, b: &Answer) -> bool {
    let number = |value: &Option<Vec<u8>>| {
        let text = std::str::from_utf8(value.as_deref()?).ok()?;
        text.parse::<f64>().ok()
    };
    let near = |x: &Option<Vec<u8>>, y: &Option<Vec<u8>>| match (number(x), number(y)) {
        (Some(p), Some(q)) => (p - q).abs() <= (p.abs() + q.abs()) * 1e-12,
        _ => x == y,
    };
    a.error.is_none()
        && b.error.is_none()
        && a.rows.len() == b.rows.len()
        && a.rows
            .iter()
            .zip(&b.rows)
            .all(|(r, s)| r.len() == s.len() && r.iter().zip(s).all(|(x, y)| near(x, y)))
}

/// The name of the difference that explains two answers.
pub fn explanation(sql: &str, ours: &Answer, theirs: &Answer) -> Option<&'static str> {
    EXPLAINED.iter().find(|e| (e.covers)(sql, ours, theirs)).map(|e| e.name)
}

#[cfg(test)]
mod tests {
    use super::EXPLAINED;

    #[test]
    fn each_explained_difference_is_in_the_docs() {
        let page = include_str!("../../../../docs/differences.md");
        for explained in EXPLAINED {
            assert!(
                page.contains(&format!("| `{}` |", explained.name)),
                "docs/differences.md: {}",
                explained.name
            );
        }
    }
}
