//! Differences in other rows, and in their counts.

use super::Explained;
use super::alike::{
    Cell, answered, but_found_rows, but_values, close, has_any, in_order, is_wide_of, joins, number,
    pairwise, rows_among, same_columns, same_rows, signless,
};
use crate::joined;
use crate::side::Answer;

pub const ALL: &[Explained] = &[
    Explained {
        name: "no-object-as-decimal",
        covers: |sql, ours, theirs| {
            let bare = |y: &Cell| y.as_ref().is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0));
            let zero = |x: &Cell, y: &Cell| x.is_none() && (number(y) == Some(0.0) || bare(y));
            let cast = sql.contains("CAST(JSON_OBJECTAGG(") && sql.contains(" AS DECIMAL");
            let between = sql.contains("JSON_OBJECTAGG(") && sql.contains(" BETWEEN ");
            (cast || between) && answered(ours, theirs) && pairwise(ours, theirs, |x, y| x == y || zero(x, y))
        },
    },
    Explained {
        name: "found-rows",
        // Each subquery that MariaDB runs leaves its count: which runs last is a matter of its plan.
        covers: |sql, ours, theirs| {
            let nested = sql.contains("(SELECT ") || (sql.contains("SELECT ") && ours.error.is_some());
            // Rows of a join are changed as they are found, or when all of them are.
            let changed = ours.error.is_some() && (sql.starts_with("UPDATE ") || sql.starts_with("DELETE "));
            (nested || changed && joins(sql)) && but_found_rows(ours, theirs)
        },
    },
    Explained {
        name: "found-rows-of-nothing",
        // The one row of an aggregate over what MariaDB knows beforehand to be no rows leaves the count as it was.
        covers: |sql, ours, theirs| {
            const SEVERAL: &[&str] = &[" UNION ", " EXCEPT ", " INTERSECT ", "GROUP BY", " OVER "];
            const AGGREGATES: &[&str] =
                &["COUNT(", "MIN(", "MAX(", "SUM(", "AVG(", "GROUP_CONCAT(", "BIT_", "STD", "VAR", "AGG("];
            // What comes of nothing: NULL, zero, or BIT_AND's ones.
            let nothing = |cell: &Cell| {
                let bytes = cell.as_deref().unwrap_or_default();
                let zero = bytes == b"0" || bytes.iter().all(|byte| *byte == 0);
                zero || bytes == b"18446744073709551615" || bytes.iter().all(|byte| *byte == 0xFF)
            };
            // One that is written somewhere is not seen here.
            let rows = ours.done.as_ref().map_or(ours.rows.len() as u64, |(rows, ..)| *rows);
            let counted = rows.to_string().into_bytes();
            has_any(sql, AGGREGATES)
                && !has_any(sql, SEVERAL)
                && rows <= 1
                && ours.rows.iter().all(|row| row.iter().any(nothing))
                && ours.counts.iter().all(|counts| counts.last() == Some(&Some(counted.clone())))
                && but_found_rows(ours, theirs)
        },
    },
    Explained {
        name: "unread-join",
        // In a common table expression that nobody reads MariaDB forgets what a join by common names joins by: it cannot
        // read its own text of the view again, and tells of none.
        covers: |sql, ours, theirs| {
            let joins = |row: &Vec<Cell>| {
                let text =
                    String::from_utf8_lossy(row.first().and_then(|cell| cell.as_deref()).unwrap_or_default());
                text.contains("with ") && (text.contains(" using (`") || text.contains(" natural "))
            };
            sql.starts_with("SELECT VIEW_DEFINITION, ")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && theirs.rows.is_empty()
                && matches!(&ours.rows[..], [row] if joins(row))
        },
    },
    Explained {
        name: "ignored-duplicates",
        // Rows that MariaDB loses, or keeps twice till it is done, where ALTER IGNORE leaves some out.
        covers: |sql, ours, theirs| {
            let counts = |a: &Answer| {
                let (rows, _, info) = a.done.clone()?;
                let (records, rest) = info.split_once("  Duplicates: ")?;
                let (_, warnings) = rest.split_once("  ")?;
                Some((rows, records.to_owned(), warnings.to_owned()))
            };
            sql.starts_with("ALTER IGNORE ")
                && answered(ours, theirs)
                && counts(ours).is_some()
                && counts(ours) == counts(theirs)
                && ours.warnings == theirs.warnings
                && ours.counts == theirs.counts
        },
    },
    Explained {
        name: "told-of-nothing",
        // Where MariaDB knows beforehand that there is no row to change, it ends before it has counts, or a result, to tell.
        covers: |sql, ours, theirs| {
            let told = |a: &Answer| a.done.as_ref().is_none_or(|(rows, ..)| *rows == 0) && a.rows.is_empty();
            let counts = |a: &Answer| {
                let (_, _, info) = a.done.as_ref()?;
                let none = info.is_empty() || info.starts_with("Rows matched: 0  Changed: 0  Warnings: ");
                none.then_some(())
            };
            let updates = sql.starts_with("UPDATE ") && counts(ours).is_some() && counts(theirs).is_some();
            let returns = sql.starts_with("DELETE ") && sql.contains(" RETURNING ");
            (updates && ours.counts == theirs.counts || returns)
                && answered(ours, theirs)
                && told(ours)
                && told(theirs)
                && ours.warnings == theirs.warnings
        },
    },
    Explained {
        name: "view-format",
        // MariaDB tells the format in which it keeps what a view computes.
        covers: |sql, ours, theirs| {
            let plain = |answer: &Answer| {
                let value = |value: &Cell| {
                    value.as_ref().map(|v| String::from_utf8_lossy(v).replace(" /* mariadb-5.3 */", ""))
                };
                answer.rows.iter().map(|row| row.iter().map(value).collect()).collect::<Vec<Vec<_>>>()
            };
            let shows = has_any(sql, &["SHOW COLUMNS ", "SHOW FULL COLUMNS "]);
            shows && ours.error.is_none() && plain(ours) == plain(theirs)
        },
    },
    Explained {
        name: "between-key-and-column",
        // Of a text that is not between a key and another column MariaDB looks only at rows where the key is greater.
        covers: |sql, ours, theirs| {
            let changed = |a: &Answer| a.done.as_ref().map(|(rows, ..)| *rows);
            let fewer = changed(theirs) <= changed(ours) && theirs.rows.len() <= ours.rows.len();
            has_any(sql, &["' NOT BETWEEN id AND c", "' NOT BETWEEN t1.id AND ", "' NOT BETWEEN t2.id AND "])
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && theirs.warnings.is_subset(&ours.warnings)
                && theirs.rows.iter().all(|row| ours.rows.contains(row))
                && fewer
        },
    },
    Explained {
        name: "json-last",
        // MariaDB keeps what `[last]` stood for in one row for the rows after it.
        covers: |sql, ours, theirs| sql.contains("[last") && sql.contains(" FROM ") && answered(ours, theirs),
    },
    Explained {
        name: "distance-behind-null",
        // A distance that was NULL in one row is so in the rows after it, too.
        covers: |sql, ours, theirs| {
            let lost = |x: &Cell, y: &Cell| x == y || x.is_some() && y.is_none();
            let known = |row: usize, column: usize| {
                let null = |answer: &Answer| answer.rows[row].get(column).is_some_and(Option::is_none);
                null(ours) && null(theirs)
            };
            // Of each column that lost values some row has none on either side.
            let begun = || {
                let columns = ours.rows.first().map_or(0, Vec::len);
                (0..columns).all(|column| {
                    let same =
                        ours.rows.iter().zip(&theirs.rows).all(|(x, y)| x.get(column) == y.get(column));
                    same || (0..ours.rows.len()).any(|row| known(row, column))
                })
            };
            // Groups by such are fewer.
            let grouped = sql.contains(" GROUP BY ST_DISTANCE(") && theirs.rows.len() < ours.rows.len();
            let alike = || ours.rows.len() == theirs.rows.len() && pairwise(ours, theirs, lost) && begun();
            sql.contains("ST_DISTANCE(")
                && sql.contains(" FROM ")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && (grouped || alike())
        },
    },
    Explained {
        name: "make-set-text",
        // The first member's character set is taken for that of all.
        covers: |sql, ours, theirs| {
            let garbled = |row: &protocol::client::TextRow| {
                row.iter().flatten().any(|text| text.windows(2).any(|pair| pair == [0xC3, 0x83]))
            };
            let joined = has_any(sql, &["MAKE_SET(", "JSON_MERGE"]);
            joined && ours.error.is_none() && theirs.rows.iter().any(garbled)
        },
    },
    Explained {
        name: "make-set-of-null",
        // What CONCAT had of its text before it met NULL is taken for the member.
        covers: |sql, ours, theirs| {
            let empty = |x: &Cell, y: &Cell| x == y || x.as_deref() == Some(b"") && y.is_some();
            sql.contains("MAKE_SET(")
                && has_any(sql, &["CONCAT(", "UNHEX("])
                && answered(ours, theirs)
                && pairwise(ours, theirs, empty)
        },
    },
    Explained {
        name: "half-of-a-pair",
        // MariaDB leaves out what marks the second half of an escaped character.
        covers: |sql, ours, theirs| {
            let text = |cell: &Cell| Some(String::from_utf8_lossy(cell.as_deref()?).into_owned());
            let bare = |cell: &Cell| {
                let text = text(cell)?;
                let mut halves = text.split("\\uD");
                let mut bare = halves.next()?.to_owned();
                for half in halves {
                    let second = matches!(half.as_bytes().first(), Some(b'C'..=b'F'));
                    bare += if second { "D" } else { "\\uD" };
                    bare += half;
                }
                Some(bare)
            };
            sql.contains("JSON_")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && pairwise(ours, theirs, |x, y| x == y || x.is_some() && bare(x) == text(y))
        },
    },
    Explained {
        name: "number-in-temporary-table",
        // Text that may also be a number written with an exponent has the room that this is written with.
        covers: |sql, ours, theirs| {
            let exponent = sql
                .as_bytes()
                .windows(3)
                .any(|w| w[0].is_ascii_digit() && w[1] == b'e' && w[2].is_ascii_digit());
            let cut = |x: &Cell, y: &Cell| match (x, y) {
                (Some(ours), Some(theirs)) => ours.starts_with(theirs) && !theirs.is_empty(),
                _ => x == y,
            };
            exponent
                && has_any(sql, &["DISTINCT ", "GROUP BY", " UNION ", " OVER ("])
                && has_any(sql, &["COALESCE(", "IFNULL(", "NVL(", "NVL2(", "IF(", "CASE "])
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && pairwise(&in_order(ours), &in_order(theirs), cut)
        },
    },
    Explained {
        name: "windows-of-nothing",
        // Where an aggregate's one row is made of none, windows read what is left in the buffers of the tables.
        covers: |sql, ours, theirs| {
            let lone = |a: &Answer| a.rows.len() == 1;
            let left = |x: &Cell, y: &Cell| x == y || x.is_none();
            // A subquery that reads them may find more than one row.
            let several = |(number, ..): &(u16, String, String)| *number == 1242;
            let found = sql.contains("(SELECT ")
                && ours.error.is_none()
                && ours.rows.iter().all(|row| row.iter().all(Option::is_none))
                && theirs.error.as_ref().is_some_and(several);
            sql.contains(" OVER (")
                && !sql.contains("GROUP BY")
                && lone(ours)
                && (found
                    || lone(theirs)
                        && answered(ours, theirs)
                        && ours.warnings == theirs.warnings
                        && pairwise(ours, theirs, left))
        },
    },
    Explained {
        name: "object-of-nothing",
        // The object of no rows is not NULL but zero to who reckons with doubles.
        covers: |sql, ours, theirs| {
            let zero = |x: &Cell, y: &Cell| x == y || x.is_none() && y.as_deref() == Some(b"0");
            sql.contains("JSON_OBJECTAGG(")
                && !sql.contains("GROUP BY")
                && ours.rows.len() == 1
                && but_values(ours, theirs, zero)
        },
    },
    Explained {
        name: "aggregate-among-outer",
        // (SELECT MAX(..) ..) IN (SELECT <what is read of the row around> ..) holds always.
        covers: |sql, ours, theirs| {
            is_aggregate_among_outer(sql) && answered(ours, theirs) && same_columns(ours, theirs)
        },
    },
    Explained {
        name: "random-in-windows",
        // MariaDB draws when it reads the rows, by whichever index.
        covers: |sql, ours, theirs| {
            sql.contains(" OVER (")
                && sql.contains("RAND(")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && ours.rows.len() == theirs.rows.len()
        },
    },
    Explained {
        name: "chosen-time-without-sign",
        // A time below zero that COALESCE, IF or CASE gives is as an integer what it would be above.
        covers: |sql, ours, theirs| {
            has_any(sql, &["COALESCE(", "IFNULL(", "NVL(", "NVL2(", "IF(", "CASE "])
                && has_any(
                    sql,
                    &["TIMEDIFF(", "SEC_TO_TIME(", "MAKETIME(", "TIME'", " AS TIME", "SUBTIME(", "ADDTIME("],
                )
                && sql.contains(" AS SIGNED)")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && pairwise(&in_order(ours), &in_order(theirs), signless)
        },
    },
    Explained {
        name: "column-exists-null",
        // Where it is NULL whether a dynamic column is there, conditions take it to be.
        covers: |sql, ours, theirs| {
            let condition =
                sql.split_once(" WHERE ").or_else(|| sql.split_once(" ON ")).map(|(_, rest)| rest);
            let named = condition.and_then(|condition| condition.split_once("COLUMN_EXISTS("));
            // Names that parameters bring are NULL in another execution alone.
            let given = ours.execution > 0 && ours.prepared.as_ref().is_some_and(|(count, _)| *count > 0);
            named.is_some_and(|(_, name)| given || name.contains(", NULL)"))
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && rows_among(ours, theirs)
        },
    },
    Explained {
        name: "distinct-of-units",
        // TIMESTAMPDIFFs of the same times are the same to DISTINCT, in whatever unit.
        covers: |sql, ours, theirs| {
            let times =
                |rest: &str| rest.split_once(", ").map(|(_, rest)| rest.split(')').next().map(str::to_owned));
            let all: Vec<_> = sql.split("TIMESTAMPDIFF(").skip(1).filter_map(times).collect();
            sql.contains("SELECT DISTINCT ")
                && all.iter().enumerate().any(|(at, one)| all[..at].contains(one))
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && theirs.rows.iter().all(|row| ours.rows.contains(row))
        },
    },
    Explained {
        name: "native-of-last-row",
        // What TIMESTAMP, INET and UUID columns beside an aggregate give a choice is read past the row that is kept.
        covers: |sql, ours, theirs| {
            let lone = |a: &Answer| a.rows.len() == 1;
            let native = |at: usize| ours.columns.get(at).is_some_and(|c| matches!(c.kind.0, 7 | 254));
            let of_native = |((at, x), y): ((usize, &Cell), &Cell)| x == y || native(at) && x.is_some();
            has_any(sql, &["COALESCE(", "IFNULL(", "NVL(", "NVL2(", "IF(", "CASE "])
                && has_any(sql, &["MAX(", "MIN(", "COUNT(", "SUM(", "AVG("])
                && !sql.contains("GROUP BY")
                && lone(ours)
                && lone(theirs)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && ours.rows[0].iter().enumerate().zip(&theirs.rows[0]).all(of_native)
        },
    },
    Explained {
        name: "windows-in-one-order",
        // MariaDB takes rows that are in order for one window, and so for those that part them by less, to be in order
        // for one that parts them by more, too.
        covers: |sql, ours, theirs| {
            let numbers = |x: &Cell, y: &Cell| x == y || number(x).is_some() && number(y).is_some();
            is_parted_thrice(sql)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && pairwise(&in_order(ours), &in_order(theirs), numbers)
        },
    },
    Explained {
        name: "order-lost-to-windows",
        // ORDER BY what the groups are in order of already is left out, and the last window's order stays.
        covers: |sql, ours, theirs| {
            let ordered = || {
                let (rest, order) = sql.rsplit_once(" ORDER BY ")?;
                let (rest, group) = rest.rsplit_once(" GROUP BY ")?;
                Some(rest.contains(" OVER (") && order.trim_end_matches(" DESC") == group)
            };
            ordered() == Some(true)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && (same_rows(ours, theirs)
                    || has_any(sql, &["AVG(", "STD", "SUM(", "VAR"])
                        && close(&in_order(ours), &in_order(theirs)))
                && ours.warnings == theirs.warnings
        },
    },
    Explained {
        name: "double-precision",
        // MariaDB remembers in what a DOUBLE was computed when its table was made.
        covers: |sql, ours, theirs| {
            let digits = |x: &Cell, y: &Cell| match (x.as_deref(), y.as_deref()) {
                (Some(b"22"), Some(theirs)) => {
                    let theirs = std::str::from_utf8(theirs).ok().and_then(|text| text.parse::<u8>().ok());
                    theirs.is_some_and(|length| (1..=23).contains(&length))
                }
                (ours, theirs) => ours == theirs,
            };
            sql.contains("NUMERIC_PRECISION")
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && pairwise(ours, theirs, digits)
        },
    },
    Explained {
        name: "cut-in-temporary-table",
        // The columns of a temporary table are too short for the bytes of what MariaDB puts in.
        covers: |sql, ours, theirs| {
            const MADE: &[&str] = &[
                "CHR(",
                "CHAR(",
                "USING binary)",
                "JSON_OBJECT(",
                "JSON_ARRAY(",
                "JSON_ARRAYAGG(",
                "JSON_ARRAY_APPEND(",
                "JSON_ARRAY_INSERT(",
                "JSON_OBJECTAGG(",
                "JSON_REMOVE(",
                "DES_DECRYPT(",
                "DES_ENCRYPT(",
            ];
            let grouped = has_any(sql, &["DISTINCT ", "GROUP BY", " UNION ", " OVER ("]);
            // What is put in order is put aside before it is joined: each piece is cut.
            let pieces = sql.contains("GROUP_CONCAT(") && has_any(sql, &[" ORDER BY ", "DISTINCT "]);
            let cut = |x: &Cell, y: &Cell| match (x, y) {
                (Some(ours), Some(theirs)) => ours.starts_with(theirs) || pieces && is_thinned(ours, theirs),
                _ => x == y,
            };
            let fine = answered(ours, theirs);
            (grouped || pieces)
                && has_any(sql, MADE)
                && fine
                && pairwise(&in_order(ours), &in_order(theirs), cut)
        },
    },
    Explained {
        name: "format-joined",
        // What is put together with GET_FORMAT's text takes the text's place.
        covers: |sql, ours, theirs| {
            const JOINED: &[&str] = &[
                "CONCAT(GET_FORMAT(",
                "CONCAT_OPERATOR_ORACLE(GET_FORMAT(",
                "CONCAT(JSON_TYPE(",
                "CONCAT_OPERATOR_ORACLE(JSON_TYPE(",
            ];
            has_any(sql, JOINED) && answered(ours, theirs)
        },
    },
    Explained {
        name: "negative-zero",
        // Remainders of negative numbers that are nothing keep their sign in MariaDB.
        covers: |sql, ours, theirs| {
            let zero = |cell: &Cell| {
                let text = cell.as_deref().unwrap_or_default();
                let text = text.strip_prefix(b"-").unwrap_or(text).to_vec();
                (!text.is_empty() && text.iter().all(|byte| matches!(byte, b'0' | b'.'))).then_some(text)
            };
            let alike = |x: &Cell, y: &Cell| x == y || zero(x).is_some() && zero(x) == zero(y);
            let remainder = sql.contains("MOD(") || sql.contains(" % ");
            let fine = answered(ours, theirs) && ours.warnings == theirs.warnings;
            // No date to MariaDB, as any negative number.
            let negative = |(_, number, text): &(String, String, String)| {
                number == "1292" && text.starts_with("Incorrect datetime value: '-0")
            };
            let told = ours.warnings.is_subset(&theirs.warnings) && theirs.warnings.iter().any(negative);
            let refused = told && theirs.warnings.difference(&ours.warnings).all(negative);
            let date = |x: &Cell, y: &Cell| x == y || y.is_none();
            remainder
                && (fine && pairwise(ours, theirs, alike)
                    || refused && answered(ours, theirs) && pairwise(ours, theirs, date))
        },
    },
    Explained {
        name: "no-time-in-key",
        // A text that is no time is looked up in the key of a TIMESTAMP column and not found; where columns are compared it
        // is the zero one.
        covers: |sql, ours, theirs| {
            const READ: &str = "Truncated incorrect datetime value: ";
            const STORED: &str = "Incorrect datetime value: ";
            let text = |of: &(String, String, String)| of.2.strip_prefix(READ).map(str::to_owned);
            let read: Vec<_> = ours.warnings.difference(&theirs.warnings).map(text).collect();
            let stored = |(_, number, told): &(String, String, String)| {
                let told = told.strip_prefix(STORED).map(str::to_owned);
                number == "1292" && told.is_some() && read.contains(&told)
            };
            [" = ", " <=> ", " IN ("].iter().any(|word| sql.contains(word))
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && !read.is_empty()
                && read.iter().all(Option::is_some)
                && theirs.warnings.difference(&ours.warnings).all(stored)
                && (theirs.rows.len() <= ours.rows.len()
                    && theirs.rows.iter().all(|row| ours.rows.contains(row))
                    // What is computed of a subquery that so finds nothing is something else.
                    || sql.contains("(SELECT ") && theirs.rows.len() == ours.rows.len())
        },
    },
    Explained {
        name: "no-date-among-dates",
        // In a semi-join a constant that is no date is NULL, and so equal to the dates that are NULL.
        covers: |sql, ours, theirs| {
            let told = |of: &Answer| {
                of.warnings
                    .iter()
                    .any(|warning| warning.2.starts_with("Truncated incorrect datetime value: "))
            };
            has_any(sql, &[" IN (SELECT ", " = ANY (SELECT "])
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && told(ours)
                && told(theirs)
                && theirs.rows.len() > ours.rows.len()
                && ours.rows.iter().all(|row| theirs.rows.contains(row))
        },
    },
    Explained {
        name: "key-of-not-between",
        // A constant that is not between two columns is looked for in the key of one of them, whatever the other holds.
        covers: |sql, ours, theirs| {
            let constant =
                |before: &str| before.ends_with(|c: char| c.is_ascii_digit() || c == '\'' || c == ')');
            sql.match_indices(" NOT BETWEEN ").any(|(at, _)| constant(&sql[..at]))
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && theirs.rows.len() < ours.rows.len()
                && theirs.rows.iter().all(|row| ours.rows.contains(row))
        },
    },
    Explained {
        name: "fraction-in-key",
        // A time is looked up in a key without the fraction that the key's column has no digits for, and is found.
        covers: |sql, ours, theirs| {
            let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
            let fraction = sql.as_bytes().windows(6).any(|text| {
                text[0] == b':'
                    && digit(text.get(1))
                    && digit(text.get(2))
                    && text[3] == b'.'
                    && digit(text.get(4))
            });
            fraction
                && has_any(sql, &[" = ", " <=> ", " IN ("])
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && theirs.rows.len() > ours.rows.len()
                && ours.rows.iter().all(|row| theirs.rows.contains(row))
        },
    },
    Explained {
        name: "decoded-in-place",
        // A literal that is written in two pieces is what the row before has made of it.
        covers: |sql, ours, theirs| {
            let coded = sql.split("CODE('").skip(1).any(|rest| {
                let piece = rest.split_once('\'').map_or("", |(_, rest)| rest);
                piece.starts_with(" '")
            });
            let long = |x: &Cell, y: &Cell| x.as_ref().map(Vec::len) == y.as_ref().map(Vec::len);
            coded
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
                && ours.rows.first() == theirs.rows.first()
                && pairwise(ours, theirs, long)
        },
    },
    Explained {
        name: "condition-on-rows-around",
        // MariaDB decides such a condition once, before there is a row around.
        covers: |sql, ours, theirs| {
            joined::reads_around(sql)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings == theirs.warnings
        },
    },
    Explained {
        name: "intersect-all-undone",
        // EXCEPT ALL behind INTERSECT ALL and before a set operation without ALL: the rows that were in one operand only
        // are there again.
        covers: |sql, ours, theirs| {
            let chain =
                sql.split_once(" INTERSECT ALL ").and_then(|(_, rest)| rest.split_once(" EXCEPT ALL "));
            let distinct = |rest: &str| {
                [" UNION ", " EXCEPT ", " INTERSECT "].iter().any(|word| {
                    rest.match_indices(word).any(|(at, _)| !rest[at + word.len()..].starts_with("ALL "))
                })
            };
            let more =
                ours.rows.len() < theirs.rows.len() && ours.rows.iter().all(|row| theirs.rows.contains(row));
            // Where a limit leaves but some of the rows, they may be others.
            let others = sql.contains(" LIMIT ") && ours.rows.len() == theirs.rows.len();
            chain.is_some_and(|(_, rest)| distinct(rest))
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && (more || others)
        },
    },
    Explained {
        name: "json-exists-deep",
        // MariaDB does not go down where a path says `**`.
        covers: |sql, ours, theirs| {
            sql.contains("JSON_EXISTS(") && sql.contains("'$**") && answered(ours, theirs)
        },
    },
    Explained {
        name: "members-in-their-bytes",
        // MariaDB puts the members' bytes into JSON lists as they are in their own character set.
        covers: |sql, ours, theirs| {
            let own_bytes = |x: &Cell, y: &Cell| match (x, y) {
                (Some(ours), Some(theirs)) => {
                    x == y
                        || is_narrow_of(ours, theirs)
                        || is_narrow_of(theirs, ours)
                        || is_wide_of(ours, theirs)
                }
                _ => x == y,
            };
            has_any(sql, &["JSON_ARRAYAGG(", "JSON_OBJECTAGG("])
                && answered(ours, theirs)
                && ours.warnings == theirs.warnings
                && pairwise(ours, theirs, own_bytes)
        },
    },
];

/// Whether a text is what is left of another without some of its bytes: brackets and quotes that end a document.
fn is_thinned(whole: &[u8], left: &[u8]) -> bool {
    let mut rest = left.iter().peekable();
    let lost_are_ends = whole.iter().all(|byte| {
        let same = rest.peek() == Some(&byte);
        if same {
            rest.next();
        }
        same || matches!(byte, b']' | b'}' | b'"')
    });
    lost_are_ends && rest.next().is_none()
}

/// Whether bytes have one beyond ASCII for each such character of a text, and all else as it has it.
fn is_narrow_of(text: &[u8], bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let mut pairs = text.chars().zip(bytes);
    text.chars().count() == bytes.len()
        && pairs.all(|(c, byte)| match c.is_ascii() {
            true => u32::from(c) == u32::from(*byte),
            false => *byte >= 0x80,
        })
}

/// Whether a subquery that is an aggregate is looked for among rows of a column of the block around.
fn is_aggregate_among_outer(sql: &str) -> bool {
    const IN: &str = " IN (SELECT ";
    sql.match_indices(IN).any(|(at, _)| {
        let left = sql[..at].trim_end_matches(" NOT").trim_end_matches(')');
        let own = left.rfind("(SELECT ").map(|from| &left[from + "(SELECT ".len()..]);
        let aggregate = own.is_some_and(|own| own.starts_with("MAX(") || own.starts_with("MIN("));
        // Its own tables' names begin with s.
        let outer = sql[at + IN.len()..]
            .split_once(" FROM ")
            .is_some_and(|(item, _)| item.contains('.') && !item.starts_with('s') && !item.contains("(s"));
        aggregate && outer
    })
}

/// Whether a statement has three windows or more whose partitions begin with the same expression, by more than it or less.
fn is_parted_thrice(sql: &str) -> bool {
    let parts = |rest: &str| {
        let list = rest.split([')', '(']).next().unwrap_or(rest);
        let list = list.split(" ORDER BY ").next().unwrap_or(list);
        list.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    let windows: Vec<_> = sql.split(" OVER (PARTITION BY ").skip(1).map(parts).collect();
    let alike = windows.windows(2).all(|pair| pair[0].first() == pair[1].first());
    windows.len() >= 3 && alike && windows.iter().any(|w| w.len() == 1) && windows.iter().any(|w| w.len() > 1)
}
