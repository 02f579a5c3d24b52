//! Differences in the rows of aggregates, windows and groups.

use super::Explained;
use super::alike::{
    Cell, answered, binary, but_values, close, has_any, in_order, number, pairwise, same_columns, same_rows,
};
use crate::side::{Answer, Column};

/// The type of BIT columns.
const BIT: u8 = 16;

pub const ALL: &[Explained] = &[
    Explained {
        name: "rank-digits",
        // MariaDB computes them as numbers of ten digits after the point.
        covers: |sql, ours, theirs| {
            let ranks = sql.contains("PERCENT_RANK(") || sql.contains("CUME_DIST(");
            let near = |x: &Option<Vec<u8>>, y: &Option<Vec<u8>>| match (binary(x), binary(y)) {
                (Some(p), Some(q)) if x != y => (p - q).abs() < 1e-9,
                _ => x == y,
            };
            ranks && answered(ours, theirs) && pairwise(ours, theirs, near)
        },
    },
    Explained {
        name: "rollup-twice",
        // A key that the select list has twice is NULL in one of its places only.
        covers: |sql, ours, theirs| {
            // The text of a view stands behind the statement, as MariaDB writes it.
            let text = sql.to_ascii_lowercase().replace('`', "");
            let blocks: Vec<_> = text.split(" with rollup").collect();
            // The text behind the last one is no block.
            let twice =
                blocks.split_last().is_some_and(|(_, blocks)| blocks.iter().any(|b| lists_key_twice(b)));
            // Where nothing is left out by it, there are as many rows.
            let filtered = has_any(sql, &[" HAVING ", " LIMIT ", "(SELECT "]);
            let fine = answered(ours, theirs);
            text.contains(" with rollup")
                && twice
                && fine
                && (filtered || ours.rows.len() == theirs.rows.len())
        },
    },
    Explained {
        name: "zero-as-row-before",
        // Of a NOT NULL column beside NULL, a zero date that the mode refuses is no value to a column that can not be NULL,
        // and what the row before had stays in it.
        covers: |sql, ours, theirs| {
            let zero = |cell: &Cell| cell.as_ref().is_some_and(|text| text.starts_with(b"0000-00-00"));
            let strange = |row: &&protocol::client::TextRow| !theirs.rows.contains(row);
            let lost: Vec<_> = ours.rows.iter().filter(strange).collect();
            has_any(sql, &["DISTINCT ", "GROUP BY", " UNION ", " EXCEPT ", " INTERSECT "])
                && has_any(sql, &["COALESCE(", "IFNULL(", "NVL(", "IF("])
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && theirs.rows.len() < ours.rows.len()
                && theirs.rows.iter().all(|row| ours.rows.contains(row))
                && lost.iter().all(|row| row.iter().any(zero))
        },
    },
    Explained {
        name: "groups-of-rows-around",
        // Groups by a subquery that gives a column of the row around it: NULL and the zero timestamp are sorted as if they
        // were the same, so that a group is begun again; behind a NULL all of a BLOB's rows fall into its group.
        covers: |sql, ours, theirs| {
            const AROUND: &[&str] = &[
                "(SELECT t1.",
                "(SELECT t2.",
                "(SELECT MIN(t1.",
                "(SELECT MIN(t2.",
                "(SELECT MAX(t1.",
                "(SELECT MAX(t2.",
            ];
            let strangers =
                |of: &Answer, among: &Answer| of.rows.iter().filter(|row| !among.rows.contains(row)).count();
            let begun_again = ours.rows.len() < theirs.rows.len() && strangers(ours, theirs) <= 1;
            let swallowed = ours.rows.len() > theirs.rows.len()
                && strangers(theirs, ours) <= 1
                && theirs.rows.iter().any(|row| row.first() == Some(&None));
            sql.contains(" GROUP BY ")
                && has_any(sql, AROUND)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && (begun_again || swallowed)
        },
    },
    Explained {
        name: "windows-by-constants",
        // Windows are sorted by where the columns of their keys lie in memory: of a variable that is anywhere.
        covers: |sql, ours, theirs| {
            sql.matches(" OVER (").count() > 1
                && has_any(sql, &["OVER (PARTITION BY @", "OVER (ORDER BY @"])
                && !sql.rsplit(')').next().unwrap_or_default().contains(" ORDER BY ")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && same_rows(ours, theirs)
        },
    },
    Explained {
        name: "extreme-of-group",
        // In the temporary table of groups bits are bits and numbers have their zeros; elsewhere they have not.
        covers: |sql, ours, theirs| {
            let extreme = sql.contains("MIN(") || sql.contains("MAX(");
            let number = |x: &Cell| {
                let bytes = x.as_deref()?;
                let text = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<f64>().ok());
                let bits = || bytes.iter().fold(0, |n, b| n << 8 | u64::from(*b)) as f64;
                text.or_else(|| (bytes.len() <= 8).then(bits))
            };
            let alike = |x: &Cell, y: &Cell| x == y || number(x).is_some() && number(x) == number(y);
            extreme && sql.contains("GROUP BY") && answered(ours, theirs) && pairwise(ours, theirs, alike)
        },
    },
    Explained {
        name: "random-groups",
        // A key of groups that is another one whenever it is looked at.
        covers: |sql, ours, _| {
            let keys = sql.split(" FROM ").next().unwrap_or("");
            sql.contains(" GROUP BY 1") && keys.contains("RAND(") && ours.error.is_none()
        },
    },
    Explained {
        name: "random-in-groups",
        // Groups that are sorted for their aggregates have RAND(N) drawn in the order of the sort.
        covers: |sql, ours, theirs| {
            let sorted = has_any(sql, &["(DISTINCT ", "JSON_ARRAYAGG(", "JSON_OBJECTAGG(", "GROUP_CONCAT("]);
            let drawn = |x: &Cell, y: &Cell| {
                let fraction = |cell: &Cell| cell.as_ref().is_some_and(|text| text.contains(&b'.'));
                x == y || fraction(x) && fraction(y)
            };
            sql.contains(" GROUP BY ")
                && sql.contains("(RAND(")
                && sorted
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && pairwise(ours, theirs, drawn)
        },
    },
    Explained {
        name: "bits-in-totals",
        // BIT columns keep the bits of the row before in the rows that sum up over them.
        covers: |sql, ours, theirs| {
            let bits: Vec<bool> = ours.columns.iter().map(|column| column.kind.0 == BIT).collect();
            let kept = |(x, y): (&Vec<Cell>, &Vec<Cell>)| {
                x.iter().zip(y).zip(&bits).all(|((x, y), bit)| x == y || *bit && x.is_none())
            };
            sql.contains(" WITH ROLLUP")
                && bits.contains(&true)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && ours.rows.len() == theirs.rows.len()
                && ours.rows.iter().zip(&theirs.rows).all(kept)
        },
    },
    Explained {
        name: "median-of-many-digits",
        // No median is beyond ten or a hundred million, or what signed numbers hold.
        covers: |sql, ours, theirs| {
            let value = |cell: &Cell| number(cell).or_else(|| binary(cell));
            let cut = |x: &Cell, y: &Cell| match (value(x), value(y)) {
                (Some(whole), Some(cut)) => {
                    let limit = [1e7, 1e8].contains(&cut.abs()) && whole / cut > 1.0;
                    // What is beyond the signed numbers is below zero.
                    x == y || limit || whole > 9.2e18 && cut < 0.0
                }
                _ => x == y,
            };
            has_any(sql, &["MEDIAN(", "PERCENTILE_CONT("])
                && answered(ours, theirs)
                && pairwise(&in_order(ours), &in_order(theirs), cut)
        },
    },
    Explained {
        name: "clipped-in-temporary-table",
        // The column of a temporary table has no digits for the number: it holds the greatest that it can.
        covers: |sql, ours, theirs| {
            let (ours, theirs) = (in_order(ours), in_order(theirs));
            let row = |(own, their): (&Vec<Cell>, &Vec<Cell>)| {
                let mut cells = own.iter().zip(their).zip(&theirs.columns);
                cells.all(|((x, y), column)| x == y || is_clipped(x, y, column))
            };
            has_any(sql, &[" OVER (", "GROUP BY", "DISTINCT ", " UNION "])
                && answered(&ours, &theirs)
                && ours.warnings == theirs.warnings
                && ours.rows.len() == theirs.rows.len()
                && ours.rows.iter().zip(&theirs.rows).all(row)
        },
    },
    Explained {
        name: "bits-with-a-sign",
        // 64 bits are a number with a sign to who reckons with doubles: 2^64 less, as long as no temporary table keeps them,
        // or a subquery brings them.
        covers: |sql, ours, theirs| {
            let lacks = |x: &Cell, y: &Cell| {
                let value = |cell: &Cell| number(cell).or_else(|| binary(cell));
                let apart = value(x).zip(value(y)).map(|(own, their)| (own - their).abs());
                x == y || apart.is_some_and(|apart| (apart / 64_f64.exp2() - 1.0).abs() < 1e-12)
            };
            // DISTINCT has flags of its own.
            let kinds = |a: &Answer| a.columns.iter().map(|c| (c.name.clone(), c.kind.0)).collect::<Vec<_>>();
            has_any(sql, &["BIT_AND(", "BIT_OR(", "BIT_XOR("])
                && has_any(sql, &[" OVER (", "(SELECT BIT_"])
                && answered(ours, theirs)
                && kinds(ours) == kinds(theirs)
                && ours.warnings == theirs.warnings
                && pairwise(&in_order(ours), &in_order(theirs), lacks)
        },
    },
    Explained {
        name: "extreme-of-absent",
        // A constant that a merged query has for a column is its own extreme, though no row of an outer join has it.
        covers: |sql, ours, theirs| {
            let written = |cell: &Cell| {
                let text = cell.as_deref().map(String::from_utf8_lossy);
                text.is_some_and(|text| sql.contains(&format!("SELECT {text} ")))
            };
            has_any(sql, &["MIN(", "MAX("])
                && has_any(sql, &[" LEFT ", " RIGHT "])
                && !sql.contains("GROUP BY")
                && ours.rows.len() == 1
                && but_values(ours, theirs, |x, y| x == y || x.is_none() && written(y))
        },
    },
    Explained {
        name: "bits-of-nulls",
        // A NULL that leaves the frame is counted for a number: the bits that all have are no more found, and those of
        // numbers that leave later stay.
        covers: |sql, ours, theirs| {
            const LEAVING: &[&str] = &["BETWEEN CURRENT ROW AND ", " PRECEDING AND ", "ROWS 1 PRECEDING"];
            let first = |a: &Answer| a.rows.first().cloned();
            // One value of a row differs at most, and none before a row has left.
            let near = |(own, their): (&Vec<Cell>, &Vec<Cell>)| {
                own.len() == their.len() && own.iter().zip(their).filter(|(x, y)| x != y).count() <= 1
            };
            has_any(sql, &["BIT_AND(", "BIT_OR(", "BIT_XOR("])
                && sql.contains(" OVER (")
                && has_any(sql, &["ORDER BY id ", ", id ROWS ", ", id RANGE "])
                && has_any(sql, LEAVING)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && first(ours) == first(theirs)
                && ours.rows.len() == theirs.rows.len()
                && ours.rows.iter().zip(&theirs.rows).all(near)
        },
    },
    Explained {
        name: "members-of-group",
        // Without ORDER BY of its own a list of a group's members is in the order in which the plan meets the rows.
        covers: |sql, ours, theirs| {
            let sorted = |x: &Cell| {
                let mut bytes = x.clone();
                bytes.iter_mut().for_each(|bytes| bytes.sort_unstable());
                bytes
            };
            sql.contains("JSON_OBJECTAGG(")
                && sql.contains("GROUP BY")
                && answered(ours, theirs)
                && pairwise(ours, theirs, |x, y| sorted(x) == sorted(y))
        },
    },
    Explained {
        name: "float-digits",
        // The last digit of doubles that went through another order of additions.
        covers: |sql, ours, theirs| {
            let unordered = !sql.contains(" ORDER BY ");
            has_any(sql, &["SUM(", "AVG(", "STD", "VAR"])
                && (close(ours, theirs) || unordered && close(&in_order(ours), &in_order(theirs)))
        },
    },
];

/// Whether the select list of the block of groups at the end of a text has one of the keys twice, which stands there or is
/// meant by its place or its name.
fn lists_key_twice(block: &str) -> bool {
    let Some((before, keys)) = block.rsplit_once(" group by ") else { return false };
    let list = own_list(before);
    let items = parted(list);
    let bare = |item: &str| item.split_once(" as ").map_or(item, |(item, _)| item).trim().to_owned();
    parted(keys).into_iter().map(str::trim).any(|key| {
        let place = key.parse::<usize>().ok().and_then(|n| items.get(n.checked_sub(1)?));
        let named = || items.iter().find(|item| item.trim().ends_with(&format!(" {key}")));
        let key = place.or_else(named).map_or(key.to_owned(), |item| bare(item));
        items.iter().filter(|item| item.contains(&key)).count() > 1
    })
}

/// The select list of the block whose text goes on to its GROUP BY: queries in parentheses have lists of their own.
fn own_list(before: &str) -> &str {
    let mut depth = 0;
    let mut from = None;
    for (at, byte) in before.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            b' ' if depth == 0 && before[at..].starts_with(" from ") => from = Some(at),
            b's' if depth == 0 && before[at..].starts_with("select ") => {
                return &before[at + "select ".len()..from.unwrap_or(before.len())];
            }
            _ => {}
        }
    }
    before
}

/// A list's members: commas in parentheses part none.
fn parted(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut members) = (0, 0, Vec::new());
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => {
                members.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    members.push(&list[start..]);
    members
}

/// Whether MariaDB's number is the greatest of the digits that the column declares, and ours is beyond it.
fn is_clipped(ours: &Cell, theirs: &Cell, column: &Column) -> bool {
    const DECIMAL: u8 = 246;
    const REALS: [u8; 2] = [4, 5];
    let value =
        |cell: &Cell| number(cell).or_else(|| binary(cell).filter(|_| REALS.contains(&column.kind.0)));
    let (Some(own), Some(their)) = (value(ours), value(theirs)) else { return false };
    if own.signum() != their.signum() || own.abs() <= their.abs() {
        return false;
    }
    if column.kind.0 == DECIMAL {
        let text = String::from_utf8_lossy(theirs.as_deref().unwrap_or_default());
        let digits = text.trim_start_matches('-');
        let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
        return behind == usize::from(column.kind.2) && digits.chars().all(|c| matches!(c, '9' | '.'));
    }
    let next = 10_f64.powf(their.abs().log10().round());
    REALS.contains(&column.kind.0) && next >= 1e5 && (0.0..=1.0).contains(&(next - their.abs()))
}

#[cfg(test)]
mod tests {
    use super::lists_key_twice;

    #[test]
    fn keys_that_are_listed_twice_are_found() {
        assert!(lists_key_twice("select 'q', 'q' from ((select 1 as r0 from v a2)) as a1 group by 'q'"));
        assert!(lists_key_twice("select 1, f(a.id, 3) as r0, f(a.id, 3) as r1 from t a group by 3"));
        assert!(lists_key_twice(
            "select a.c0 as r0, a.c0 from t a where a.c0 >= (select 1) group by a.d, a.c0"
        ));
        assert!(!lists_key_twice("select 1, a.c0 from t a where a.c0 = 1 group by a.c0"));
        assert!(!lists_key_twice("select 1, f(a.id, 3) as r0, a.c1 from t a group by 3"));
    }
}
