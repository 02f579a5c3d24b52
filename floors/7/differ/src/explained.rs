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
        name: "temporary-columns",
        // Columns that come out of a temporary table are described as that table's, others as the expression's.
        covers: |sql, ours, theirs| {
            let kinds = |a: &Answer| {
                let kind = |c: &crate::side::Column| {
                    let (ty, flags, decimals, collation) = c.kind;
                    // NOT NULL, BINARY, NO DEFAULT, and a flag of MariaDB's own.
                    (
                        ty,
                        flags & !(1 | 128 | 4096 | 16384),
                        if decimals == 39 { 0 } else { decimals },
                        collation,
                    )
                };
                a.columns.iter().map(kind).collect::<Vec<_>>()
            };
            let names = |a: &Answer| a.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
            let passes_through =
                [" v", "(SELECT", "DISTINCT", "GROUP BY", "UNION", "INTERSECT", "EXCEPT", "WITH ", "OVER"];
            passes_through.iter().any(|word| sql.contains(word))
                && ours.error.is_none()
                && theirs.error.is_none()
                && same_rows(ours, theirs)
                && ours.warnings == theirs.warnings
                && names(ours) == names(theirs)
                && kinds(ours) == kinds(theirs)
        },
    },
    Explained {
        name: "altered-foreign-key",
        // The table's name in the error is that of MariaDB's copy under way.
        covers: |sql, ours, theirs| {
            let number = |a: &Answer| a.error.as_ref().map(|(number, ..)| *number);
            let copy = theirs.error.as_ref().is_some_and(|(.., text)| text.contains("`#sql-alter-"));
            sql.starts_with("ALTER ") && copy && number(ours) == Some(1452) && number(theirs) == Some(1452)
        },
    },
    Explained {
        name: "limit-in-subquery",
        // MariaDB does not do it.
        covers: |sql, ours, theirs| {
            let refused = |text: &str| text.contains("'LIMIT & IN/ALL/ANY/SOME subquery'");
            sql.contains(" LIMIT ")
                && ours.error.is_none()
                && theirs.error.as_ref().is_some_and(|(.., t)| refused(t))
        },
    },
    Explained {
        name: "unreadable-view",
        // The text that MariaDB keeps of some views is none that it can read again.
        covers: |sql, _, theirs| {
            let reads = sql.starts_with("SELECT ") || sql.starts_with("SHOW C");
            let unread = |text: &str| text.contains("error in your SQL syntax") && text.contains('`');
            sql.contains(" v")
                && reads
                && theirs.error.as_ref().is_some_and(|(n, _, text)| *n == 1064 && unread(text))
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

/// Whether the rows are the same, in whatever order.
fn same_rows(a: &Answer, b: &Answer) -> bool {
    let sorted = |answer: &Answer| {
        let mut rows = answer.rows.clone();
        rows.sort();
        rows
    };
    sorted(a) == sorted(b)
}

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
