//! Differences in what is told of columns.

use super::Explained;
use super::alike::{
    Cell, NOT_NULL, answered, has_any, in_order, joins, pairwise, same_but_not_null, same_columns, same_rows,
};
use crate::joined;
use crate::side::{Answer, Column};

/// Digits behind the point of times that are not known before they are looked at.
const SIX_DIGITS: u8 = 6;

pub const ALL: &[Explained] = &[
    Explained {
        name: "temporary-flags",
        // MariaDB describes columns of the temporary table that it groups in, where it uses one.
        covers: |sql, ours, theirs| {
            const BLOB: u16 = 0x10;
            // What an outer join may leave without a row is taken by the table as NULL.
            let outer =
                has_any(sql, &[" LEFT ", " RIGHT "]) && has_any(sql, &[" ORDER BY ", "DISTINCT", " OVER "]);
            // Where it knows beforehand that nothing is found, it makes none for windows.
            let nothing = sql.contains(" OVER ") && ours.rows.is_empty() && theirs.rows.is_empty();
            let keys = 0xE68E | if outer || nothing { NOT_NULL } else { 0 };
            // Text is CHAR, VARCHAR or a BLOB by how long it is, what is always NULL text of no length.
            let kinds = |a: &Answer| {
                let kind = |(ty, flags, decimals, collation): (u8, u16, u8, u16)| match ty {
                    6 | 249..=254 => (254, flags & !keys & !BLOB, 0, collation),
                    255 => (255, flags & !keys & !BLOB, decimals, collation),
                    _ => (ty, flags & !keys, decimals, collation),
                };
                a.columns.iter().map(|c| kind(c.kind)).collect::<Vec<_>>()
            };
            // What changes by itself is sorted by in a table of its own, too, and so is what may read the row in
            // an EXISTS or its like.
            let sorted = sql.split(" ORDER BY ").nth(1).is_some_and(|key| {
                has_any(key, &["RAND(", "SLEEP(", "BENCHMARK(", "EXISTS (SELECT ", " ALL (SELECT "])
            });
            let grouped = sorted || has_any(sql, &["DISTINCT", "GROUP BY", " OVER "]);
            let joined = joins(sql) || sql.contains(" IN (SELECT ");
            (grouped || joined && sql.contains(" ORDER BY ") || sql.contains("WITH RECURSIVE "))
                && answered(ours, theirs)
                && same_rows(ours, theirs)
                && ours.warnings == theirs.warnings
                && ours.counts == theirs.counts
                && kinds(ours) == kinds(theirs)
        },
    },
    Explained {
        name: "derived-key",
        // MariaDB makes a key of a derived table's column that a join looks rows up by.
        covers: |sql, ours, theirs| {
            const PART_KEY: u16 = 0x4000;
            let kinds = |a: &Answer| {
                let kind = |c: &Column| (c.name.clone(), c.kind.0, c.kind.1 & !PART_KEY, c.kind.2, c.kind.3);
                a.columns.iter().map(kind).collect::<Vec<_>>()
            };
            let same = same_rows(ours, theirs) && ours.warnings == theirs.warnings;
            sql.contains(" JOIN ")
                && answered(ours, theirs)
                && same
                && ours.counts == theirs.counts
                && kinds(ours) == kinds(theirs)
        },
    },
    Explained {
        name: "digits-of-subquery",
        // MariaDB runs subqueries of few rows to see how many digits behind the point the times in their texts have, or
        // what a format of theirs asks for.
        covers: |sql, ours, theirs| {
            let described = |(x, y): (&Column, &Column)| {
                let timely = |column: &Column| matches!(column.kind.0, 8 | 10..=12 | 246 | 252..=254);
                let finer = x.kind.2 == SIX_DIGITS && y.kind.2 < SIX_DIGITS && timely(x) && timely(y);
                x.name == y.name && (x.kind == y.kind || finer && x.kind.1 == y.kind.1)
            };
            let columns = ours.columns.len() == theirs.columns.len()
                && ours.columns.iter().zip(&theirs.columns).all(described);
            let plain = |cell: &Cell| {
                let text = String::from_utf8_lossy(cell.as_deref()?).into_owned();
                let zeros = text.contains('.').then(|| text.trim_end_matches('0').trim_end_matches('.'));
                Some(zeros.unwrap_or(&text).to_owned())
            };
            sql.contains("(SELECT ")
                && columns
                && answered(ours, theirs)
                && ours.warnings == theirs.warnings
                && ours.counts == theirs.counts
                && pairwise(&in_order(ours), &in_order(theirs), |x, y| x == y || plain(x) == plain(y))
        },
    },
    Explained {
        name: "outer-not-null",
        // MariaDB makes an inner join of an outer one whose rows without a partner pass no condition.
        covers: |sql, ours, theirs| {
            has_any(sql, &[" LEFT ", " RIGHT "]) && same_but_not_null(ours, theirs, 0)
        },
    },
    Explained {
        name: "rollup-not-null",
        // The keys of WITH ROLLUP are NULL in the rows that sum up.
        covers: |sql, ours, theirs| sql.contains("WITH ROLLUP") && same_but_not_null(ours, theirs, 0xD28E),
    },
    Explained {
        name: "aggregate-over-view",
        // It takes the aggregates of a view or common table expression in a subquery for some of its own.
        covers: |sql, ours, theirs| {
            let nested =
                ["SUM(", "MIN(", "MAX(", "AVG(", "COUNT(", "GROUP_CONCAT(", "BIT_"].iter().any(|name| {
                    sql.match_indices(name).any(|(at, _)| {
                        let rest = sql[at + name.len()..].trim_start_matches("DISTINCT ");
                        let listed = name == &"GROUP_CONCAT(" && rest.contains(" ORDER BY (SELECT ");
                        listed || rest.starts_with("(SELECT ") || rest.contains("((SELECT ")
                    })
                });
            nested
                // It is told before names of clauses further on are looked for, and before a new view is.
                && ours.error.as_ref().is_none_or(|(number, ..)| [1054, 1056, 1368].contains(number))
                && theirs.error.as_ref().is_some_and(|(number, ..)| *number == 1111)
        },
    },
    Explained {
        name: "aggregate-again",
        // Where the statement runs again, an aggregate over a column of a view that is a subquery is taken for another's.
        covers: |sql, ours, theirs| {
            theirs.execution > 0
                && sql.contains("(SELECT ")
                && ours.error.is_none()
                && theirs.error.as_ref().is_some_and(|(number, ..)| *number == 1111)
        },
    },
    Explained {
        name: "rows-not-null",
        // MariaDB makes an inner join of an outer one whose rows are compared so, though NULL in one pair leaves the other.
        covers: |sql, ours, theirs| {
            // A subquery that loses all its rows so finds none, an aggregate in one is that of fewer.
            let fewer = || joined::aggregates_compared_rows(sql) && same_columns(ours, theirs);
            let lost = || {
                let aggregate = fewer();
                sql.contains("(SELECT ")
                    && pairwise(ours, theirs, |x, y| x == y || y.is_none() || aggregate && x.is_some())
            };
            has_any(sql, &[" LEFT ", " RIGHT "])
                && joined::compares_rows(sql)
                && answered(ours, theirs)
                && (theirs.rows.iter().all(|row| ours.rows.contains(row)) || lost())
        },
    },
];
