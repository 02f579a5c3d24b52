//! In what two answers are alike.

use crate::side::{Answer, Column};

/// Whether one of the words is in the text.
pub fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Whether a statement reads several of the tables and views that are drawn.
pub fn joins(sql: &str) -> bool {
    has_any(sql, &[" JOIN ", " STRAIGHT_JOIN ", ", t", ", v", ", (SELECT "])
}

/// Whether a statement reads rows and changes none.
pub fn reads(sql: &str) -> bool {
    let statement = sql.strip_prefix("EXECUTE IMMEDIATE '").unwrap_or(sql).trim_start_matches('(');
    statement.starts_with("SELECT ") || statement.starts_with("WITH ")
}

/// Whether a statement writes rows.
pub fn changes(sql: &str) -> bool {
    let sql =
        sql.split_once(" FOR ").filter(|_| sql.starts_with("SET STATEMENT ")).map_or(sql, |(_, sql)| sql);
    ["INSERT ", "REPLACE ", "UPDATE ", "DELETE ", "LOAD ", "CREATE TABLE "]
        .iter()
        .any(|word| sql.starts_with(word))
}

/// Whether neither failed.
pub fn answered(ours: &Answer, theirs: &Answer) -> bool {
    ours.error.is_none() && theirs.error.is_none()
}

/// Whether the rows are the same, in whatever order.
pub fn same_rows(a: &Answer, b: &Answer) -> bool {
    let sorted = |answer: &Answer| {
        let mut rows = answer.rows.clone();
        rows.sort();
        rows
    };
    sorted(a) == sorted(b)
}

/// Whether each row of the first answer is one of the second's.
pub fn rows_among(some: &Answer, all: &Answer) -> bool {
    let mut left = all.rows.clone();
    some.rows.iter().all(|row| left.iter().position(|other| other == row).map(|at| left.remove(at)).is_some())
}

/// The flag of columns that are never NULL.
pub const NOT_NULL: u16 = 1;

/// Whether all is the same but for columns that MariaDB alone calls NOT NULL, and for the flags `ignored`.
pub fn same_but_not_null(ours: &Answer, theirs: &Answer, ignored: u16) -> bool {
    let described = |(x, y): (&Column, &Column)| {
        let (own, their) = (x.kind.1 & !ignored, y.kind.1 & !ignored);
        x.name == y.name
            && (x.kind.0, x.kind.2, x.kind.3) == (y.kind.0, y.kind.2, y.kind.3)
            && (own == their || own | NOT_NULL == their)
    };
    answered(ours, theirs)
        && same_rows(ours, theirs)
        && ours.warnings == theirs.warnings
        && ours.counts == theirs.counts
        && ours.columns.len() == theirs.columns.len()
        && ours.columns.iter().zip(&theirs.columns).all(described)
}

/// Whether the rows are the same but for the last digits of doubles.
pub fn close(a: &Answer, b: &Answer) -> bool {
    let double = |x: &Cell| number(x).or_else(|| binary(x));
    let near = |x: &Cell, y: &Cell| match (double(x), double(y)) {
        (Some(p), Some(q)) => x == y || (p - q).abs() <= (p.abs() + q.abs()) * 1e-12,
        _ => x == y,
    };
    answered(a, b) && pairwise(a, b, near)
}

pub type Cell = Option<Vec<u8>>;

/// Whether all values of two answers are alike, row by row.
pub fn pairwise(a: &Answer, b: &Answer, alike: impl Fn(&Cell, &Cell) -> bool) -> bool {
    let rows =
        |(r, s): (&Vec<Cell>, &Vec<Cell>)| r.len() == s.len() && r.iter().zip(s).all(|(x, y)| alike(x, y));
    a.rows.len() == b.rows.len() && a.rows.iter().zip(&b.rows).all(rows)
}

/// A number that is sent as text.
pub fn number(value: &Cell) -> Option<f64> {
    std::str::from_utf8(value.as_deref()?).ok()?.parse().ok()
}

/// A double as the binary protocol sends it.
pub fn binary(value: &Cell) -> Option<f64> {
    Some(f64::from_le_bytes(value.as_deref()?.try_into().ok()?))
}

/// An integer as the binary protocol sends it.
fn whole(value: &Cell) -> Option<f64> {
    let bytes = value.as_deref()?;
    let long = || bytes.try_into().ok().map(i64::from_le_bytes);
    bytes.try_into().ok().map(i32::from_le_bytes).map(f64::from).or_else(|| long().map(|n| n as f64))
}

/// Whether two values are the same, or the second is the first, which is below zero, without its sign.
pub fn signless(ours: &Cell, theirs: &Cell) -> bool {
    let of = |read: fn(&Cell) -> Option<f64>| {
        let numbers = read(ours).zip(read(theirs));
        numbers.is_some_and(|(own, their)| own == their || own < 0.0 && own == -their)
    };
    ours == theirs || of(number) || of(whole)
}

/// An answer whose rows stand in an order of their own, to be compared pair by pair.
pub fn in_order(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    answer.rows.sort();
    answer
}

/// Whether two answers' columns have the same names and types.
pub fn same_columns(ours: &Answer, theirs: &Answer) -> bool {
    let described = |(x, y): (&Column, &Column)| x.name == y.name && x.kind == y.kind;
    ours.columns.len() == theirs.columns.len() && ours.columns.iter().zip(&theirs.columns).all(described)
}

/// Whether two answers have the same columns and warnings, and values that are alike.
pub fn but_values(ours: &Answer, theirs: &Answer, alike: impl Fn(&Cell, &Cell) -> bool) -> bool {
    answered(ours, theirs)
        && same_columns(ours, theirs)
        && ours.warnings == theirs.warnings
        && pairwise(ours, theirs, alike)
}

/// Whether two answers are the same in all but FOUND_ROWS().
pub fn but_found_rows(ours: &Answer, theirs: &Answer) -> bool {
    let but_last = |a: &Answer| a.counts.iter().map(|row| row[..2].to_vec()).collect::<Vec<_>>();
    let same = ours.error == theirs.error && ours.done == theirs.done && ours.warnings == theirs.warnings;
    same && same_columns(ours, theirs) && same_rows(ours, theirs) && but_last(ours) == but_last(theirs)
}

/// Whether two answers are the same in all but their warnings, and their number in what is said of a change.
pub fn but_warnings(ours: &Answer, theirs: &Answer) -> bool {
    let done = |answer: &Answer| {
        let (rows, id, info) = answer.done.clone()?;
        Some((rows, id, info.split("Warnings: ").next().unwrap_or("").to_owned()))
    };
    ours.error == theirs.error
        && done(ours) == done(theirs)
        && same_columns(ours, theirs)
        && ours.counts == theirs.counts
        && same_rows(ours, theirs)
}

/// The name that an error's text says is no column of a clause.
pub fn unknown_column<'t>(text: &'t str, clause: &str) -> Option<&'t str> {
    text.strip_prefix("Unknown column '")?.strip_suffix(&format!("' in '{clause}'"))
}

/// Whether bytes are those of a text in UTF-16, or these taken for characters again, but for the zeros among them.
pub fn is_wide_of(text: &[u8], bytes: &[u8]) -> bool {
    let wide =
        |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).filter(|byte| *byte != 0).collect();
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let wanted: Vec<u8> = wide(text);
    let bare: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let again: Option<Vec<u8>> = std::str::from_utf8(bytes).ok().map(wide);
    wanted == bare || again == Some(wanted)
}
