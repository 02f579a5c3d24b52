//! Differences in what tables hold behind a change that both told the same of: the statement is the change, the answers
//! are those to a query of the whole table.

use super::Explained;
use super::alike::{Cell, answered, has_any, joins, pairwise, same_columns, signless};
use crate::side::Answer;
use protocol::client::TextRow;

pub const BEHIND: &[Explained] = &[
    Explained {
        name: "ignored-duplicates",
        // Of rows that become alike MariaDB may lose all.
        covers: |sql, ours, theirs| {
            let mut kept = ours.rows.clone();
            let mut take = |row: &TextRow| {
                let at = kept.iter().position(|own| own == row);
                at.map(|at| kept.swap_remove(at)).is_some()
            };
            sql.starts_with("ALTER IGNORE ")
                && has_any(sql, &["PRIMARY KEY", "UNIQUE"])
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && theirs.rows.iter().all(&mut take)
        },
    },
    Explained {
        name: "numbered-join",
        // Joined rows come in the order of the plan, and are numbered as they come; those that ORDER BY finds equal, too,
        // as it does letters of both cases. Of rows that are equal so a set operation keeps the first.
        covers: |sql, ours, theirs| {
            let alike = |x: &Cell, y: &Cell| lower(x) == lower(y);
            sql.starts_with("CREATE ")
                && sql.contains("AUTO_INCREMENT")
                && sql.contains("SELECT ")
                && joins(sql)
                && (!sql.contains("ORDER BY") || pairwise(ours, theirs, alike))
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && (0..ours.columns.len()).any(|at| {
                    apart_from(at, ours) == apart_from(at, theirs)
                        || has_any(sql, &[" EXCEPT ", " INTERSECT ", " UNION "])
                            && apart_from(at, &in_lower_case(ours)) == apart_from(at, &in_lower_case(theirs))
                })
        },
    },
    Explained {
        name: "stored-without-sign",
        // A time below zero that a parameter brings is as an integer what it would be above.
        covers: |sql, ours, theirs| {
            sql.contains("'-")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && pairwise(ours, theirs, signless)
        },
    },
    Explained {
        name: "own-table-in-view",
        // Rows that are listed behind others see these in their own table, or do not, where a view over it is read, too.
        covers: |sql, ours, theirs| {
            let Some((change, views)) = sql.split_once(" ; ") else { return false };
            let table = change.split_once(" INTO ").and_then(|(_, rest)| rest.split([' ', '(']).next());
            let over = |table: &str| {
                let table = table.to_ascii_uppercase();
                let words = views.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                words.into_iter().any(|word| word == table)
            };
            has_any(change, &["INSERT ", "REPLACE "])
                && change.contains("), (")
                && change.contains("(SELECT ")
                && table.is_some_and(over)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.rows.len() == theirs.rows.len()
        },
    },
];

fn lower(cell: &Cell) -> Cell {
    cell.as_ref().map(|text| text.to_ascii_lowercase())
}

fn in_lower_case(answer: &Answer) -> Answer {
    let rows = answer.rows.iter().map(|row| row.iter().map(lower).collect()).collect();
    Answer { rows, ..answer.clone() }
}

/// The values of one column, and the rows without it, each in an order of their own.
fn apart_from(column: usize, answer: &Answer) -> (TextRow, Vec<TextRow>) {
    let mut values: TextRow = answer.rows.iter().map(|row| row[column].clone()).collect();
    let rest = |row: &TextRow| {
        let mut row = row.clone();
        row.remove(column);
        row
    };
    let mut rows: Vec<TextRow> = answer.rows.iter().map(rest).collect();
    values.sort();
    rows.sort();
    (values, rows)
}
