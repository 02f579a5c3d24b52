//! Differences that are meant or accepted: each has its line in `docs/differences.md`.

use crate::joined;
use crate::side::{Answer, Column};
use std::collections::BTreeSet;

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
        name: "warning-row",
        // Which row a warning of a join, a group or an order counts depends on the plan: buffers, temporary tables.
        covers: |sql, ours, theirs| {
            let plain = |a: &Answer| {
                let cut = |text: &String| text.split(" at row ").next().unwrap_or("").to_owned();
                a.warnings
                    .iter()
                    .map(|(_, number, text)| (number.clone(), cut(text)))
                    .collect::<BTreeSet<_>>()
            };
            let planned = has_any(sql, &["JOIN", "GROUP BY", "ORDER BY", "DISTINCT"]);
            // Which rows a change looks at, too.
            let planned = planned || !sql.starts_with("SELECT ") && sql.contains(" WHERE ");
            let of_rows = |text: &String| text.contains(" for column ") && text.contains(" at row ");
            let named = theirs.warnings.iter().any(|(_, _, text)| of_rows(text));
            // Rows of VALUES are counted on from those that a subquery among them joins, buffer by buffer.
            let counted = (sql.starts_with("INSERT") || sql.starts_with("REPLACE"))
                && sql.contains("(SELECT ")
                && joins(sql);
            (planned && named || counted) && but_warnings(ours, theirs) && plain(ours) == plain(theirs)
        },
    },
    Explained {
        name: "virtual-warnings",
        // A query stores nothing: what it says of a column is said of one that MariaDB computes when it is read.
        covers: |sql, ours, theirs| {
            let of_column = |(level, number, text): &(String, String, String)| {
                let stored = ["1264", "1265", "1366", "1406"].contains(&number.as_str());
                level == "Warning" && stored && text.contains(" for column '")
            };
            // Where nothing else is computed, of what their expressions come upon, too.
            let plain = sql.starts_with("SELECT * FROM ") && !sql.contains('(') && !sql.contains(" WHERE ");
            let of_column = |warning: &(String, String, String)| {
                of_column(warning)
                    || plain && warning.1 == "1292" && warning.2.starts_with("Truncated incorrect ")
            };
            sql.trim_start_matches('(').starts_with("SELECT ")
                && but_warnings(ours, theirs)
                && ours.warnings.is_subset(&theirs.warnings)
                && theirs.warnings.difference(&ours.warnings).all(of_column)
        },
    },
    Explained {
        name: "user-variable-number",
        // MariaDB looks for a number in a user variable's text before the variable has its text.
        covers: |sql, ours, theirs| {
            const NOTHING: &str = "Encountered illegal value '' when converting to DECIMAL";
            sql.contains('@')
                && but_warnings(ours, theirs)
                && ours.warnings.is_subset(&theirs.warnings)
                && theirs.warnings.difference(&ours.warnings).all(|(_, _, text)| text == NOTHING)
        },
    },
    Explained {
        name: "warning-count",
        // MariaDB's optimizer evaluates constants and conditions more or fewer times and before it knows of any row.
        covers: |sql, ours, theirs| {
            // Warnings of evaluating: what is stored somewhere must be told alike.
            const EVALUATING: &[&str] = &["1292", "1365", "1411", "1441", "1918", "1916"];
            let subset =
                ours.warnings.is_subset(&theirs.warnings) || theirs.warnings.is_subset(&ours.warnings);
            let of_values = ours.warnings.symmetric_difference(&theirs.warnings).all(|(_, number, text)| {
                let stores = !sql.starts_with("SELECT ") && !sql.starts_with("DELETE ");
                let stored = stores && text.contains(" for column ");
                EVALUATING.contains(&number.as_str()) && !stored
            });
            // Rows that a join leaves out may have been read by either.
            let joined = sql.starts_with("SELECT ") && sql.contains("JOIN ");
            const CONDITIONAL: &[&str] = &[
                " WHERE ",
                " HAVING ",
                " ON ",
                "IF(",
                "CASE",
                "COALESCE(",
                "IFNULL(",
                "GROUP BY",
                "IN (",
                " LIMIT ",
            ];
            answered(ours, theirs)
                && but_warnings(ours, theirs)
                && (subset || joined)
                && of_values
                && has_any(sql, CONDITIONAL)
        },
    },
    Explained {
        name: "temporary-flags",
        // MariaDB describes columns of the temporary table that it groups in, where it uses one.
        covers: |sql, ours, theirs| {
            const BLOB: u16 = 0x10;
            // What an outer join may leave without a row is taken by the table as NULL.
            let outer = has_any(sql, &[" LEFT ", " RIGHT "]) && sql.contains(" ORDER BY ");
            // Where it knows beforehand that nothing is found, it makes none for windows.
            let nothing = sql.contains(" OVER (") && ours.rows.is_empty() && theirs.rows.is_empty();
            let keys = 0xE28E | if outer || nothing { NOT_NULL } else { 0 };
            // Text is CHAR, VARCHAR or a BLOB by how long it is.
            let kinds = |a: &Answer| {
                let kind = |(ty, flags, decimals, collation): (u8, u16, u8, u16)| match ty {
                    249..=254 => (254, flags & !keys & !BLOB, 0, collation),
                    255 => (255, flags & !keys & !BLOB, decimals, collation),
                    _ => (ty, flags & !keys, decimals, collation),
                };
                a.columns.iter().map(|c| kind(c.kind)).collect::<Vec<_>>()
            };
            // What changes by itself is sorted by in a table of its own, too.
            let sorted = sql
                .split(" ORDER BY ")
                .nth(1)
                .is_some_and(|key| has_any(key, &["RAND(", "SLEEP(", "BENCHMARK("]));
            let grouped = sorted || has_any(sql, &["DISTINCT", "GROUP BY", " OVER ("]);
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
                        rest.starts_with("(SELECT ") || rest.contains("((SELECT ")
                    })
                });
            nested
                && ours.error.is_none()
                && theirs.error.as_ref().is_some_and(|(number, ..)| *number == 1111)
        },
    },
    Explained {
        name: "one-of-several-duplicates",
        // MariaDB names the last row that it copied, or the value that its sort met first.
        covers: |sql, ours, theirs| {
            let key = |a: &Answer| {
                let (number, _, text) = a.error.as_ref().filter(|(number, ..)| *number == 1062)?;
                text.rsplit_once(" for key ").map(|(_, key)| (*number, key.to_owned()))
            };
            let defines = sql.starts_with("ALTER ") || sql.starts_with("CREATE UNIQUE ");
            let of_errors = |a: &Answer| {
                a.warnings.iter().filter(|(_, number, _)| number != "1062").cloned().collect::<BTreeSet<_>>()
            };
            defines
                && key(ours).is_some()
                && key(ours) == key(theirs)
                && of_errors(ours).is_subset(&of_errors(theirs))
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
            // Parameters are counted when it is known what they are for.
            let passes = ours.error.as_ref().is_none_or(|(number, ..)| *number == 1210);
            sql.contains(" LIMIT ") && passes && theirs.error.as_ref().is_some_and(|(.., t)| refused(t))
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
        name: "view-order-position",
        // The positions in a merged view's ORDER BY are looked for in the select list around.
        covers: |sql, ours, theirs| {
            let position = |text: &str| {
                let name = text.strip_prefix("Unknown column '").and_then(|rest| rest.split('\'').next());
                text.ends_with("in 'ORDER BY'")
                    && name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()))
            };
            sql.contains(" v")
                && ours.error.is_none()
                && theirs.error.as_ref().is_some_and(|(number, _, text)| *number == 1054 && position(text))
        },
    },
    Explained {
        name: "unknown-error",
        // MariaDB says that it knows nothing of an error that it has told of.
        covers: |_, ours, theirs| {
            let known = |(_, number, _): &&(String, String, String)| number != "1105";
            ours.error.is_some()
                && ours.error == theirs.error
                && ours.counts == theirs.counts
                && ours.warnings.iter().eq(theirs.warnings.iter().filter(known))
        },
    },
    Explained {
        name: "found-rows",
        // Each subquery that MariaDB runs leaves its count: which runs last is a matter of its plan.
        covers: |sql, ours, theirs| {
            let nested = sql.contains("(SELECT ") || (sql.contains("SELECT ") && ours.error.is_some());
            nested && but_found_rows(ours, theirs)
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
            let counted = ours.rows.len().to_string().into_bytes();
            has_any(sql, AGGREGATES)
                && !has_any(sql, SEVERAL)
                && ours.rows.len() <= 1
                && ours.rows.iter().all(|row| row.iter().any(nothing))
                && ours.counts.iter().all(|counts| counts.last() == Some(&Some(counted.clone())))
                && but_found_rows(ours, theirs)
        },
    },
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
        // A key that is there twice is NULL in one of its places only.
        covers: |sql, ours, theirs| {
            let keys = sql.split_once(" WITH ROLLUP").and_then(|(block, _)| {
                let (list, keys) = block.rsplit_once(" GROUP BY ")?;
                Some((list, keys.split(", ").collect::<Vec<_>>()))
            });
            let twice = keys.is_some_and(|(list, keys)| {
                keys.iter().any(|key| {
                    list.matches(key).count() > 1 || keys.iter().filter(|other| *other == key).count() > 1
                })
            });
            // Where nothing is left out by it, there are as many rows.
            let filtered = has_any(sql, &[" HAVING ", " LIMIT ", "(SELECT "]);
            let fine = answered(ours, theirs);
            twice && fine && (filtered || ours.rows.len() == theirs.rows.len())
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
            sql.starts_with("SHOW COLUMNS ") && ours.error.is_none() && plain(ours) == plain(theirs)
        },
    },
    Explained {
        name: "json-last",
        // MariaDB keeps what `[last]` stood for in one row for the rows after it.
        covers: |sql, ours, theirs| sql.contains("[last") && sql.contains(" FROM ") && answered(ours, theirs),
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
        name: "make-set-text",
        // The first member's character set is taken for that of all.
        covers: |sql, ours, theirs| {
            let garbled = |row: &protocol::client::TextRow| {
                row.iter().flatten().any(|text| text.windows(2).any(|pair| pair == [0xC3, 0x83]))
            };
            sql.contains("MAKE_SET(") && ours.error.is_none() && theirs.rows.iter().any(garbled)
        },
    },
    Explained {
        name: "behind-error",
        // MariaDB computes the rest of an expression, and what stands beside it in its row, behind an error, and
        // constants before it looks at the statement's names.
        covers: |_, ours, theirs| {
            const RAISED: &[&str] = &[
                "1028", "1048", "1105", "1264", "1265", "1292", "1300", "1365", "1406", "1411", "1441",
                "1916", "1958", "4037", "4038", "4042", "4044",
            ];
            ours.error.is_some()
                && but_warnings(ours, theirs)
                && ours
                    .warnings
                    .symmetric_difference(&theirs.warnings)
                    .all(|(_, number, _)| RAISED.contains(&&**number))
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
        name: "cut-in-temporary-table",
        // The columns of a temporary table are too short for the bytes of what MariaDB puts in.
        covers: |sql, ours, theirs| {
            let grouped = has_any(sql, &["DISTINCT ", "GROUP BY"]);
            let made = has_any(sql, &["CHR(", "CHAR(", "USING binary)"]);
            let cut = |x: &Cell, y: &Cell| match (x, y) {
                (Some(ours), Some(theirs)) => ours.starts_with(theirs),
                _ => x == y,
            };
            let fine = answered(ours, theirs);
            grouped && made && fine && pairwise(ours, theirs, cut)
        },
    },
    Explained {
        name: "no-date-in-temporary-table",
        // What STR_TO_DATE finds is kept in a temporary table, which takes no such date.
        covers: |sql, ours, theirs| {
            let found = has_any(sql, &["DISTINCT ", "GROUP BY"]) && sql.contains("STR_TO_DATE(");
            let none = |x: &Cell, y: &Cell| {
                x == y || y.as_deref().is_some_and(|date| date.starts_with(b"0000-00-00")) && x.is_some()
            };
            found && answered(ours, theirs) && pairwise(ours, theirs, none)
        },
    },
    Explained {
        name: "prepared-constants",
        // Rows of constants, and texts beside others of another character set, are read before any comparison.
        covers: |sql, ours, theirs| {
            const READ: &[&str] = &["1292", "1300", "1411", "1958", "4035", "4037", "4038", "4042", "4044"];
            let rows = has_any(sql, &[") <=> (", ") = (", ") < (", " IN ((", "FIELD(", "MAKE_SET("]);
            rows && sql.starts_with("SELECT ")
                && ours.error.is_none()
                && but_warnings(ours, theirs)
                && ours.warnings.is_subset(&theirs.warnings)
                && theirs
                    .warnings
                    .difference(&ours.warnings)
                    .all(|(_, number, text)| READ.contains(&&**number) && !text.contains(" at row "))
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
        name: "strict-condition",
        // A change in strict mode ends with the first row of which its condition says something.
        covers: |sql, ours, theirs| {
            let of_value = |a: &Answer| {
                let told =
                    |(number, _, text): &(u16, String, String)| *number == 1292 && text.contains("ncorrect");
                a.error.as_ref().is_some_and(told)
            };
            let nothing =
                |a: &Answer| a.error.is_none() && a.done.as_ref().is_some_and(|(rows, ..)| *rows == 0);
            // A constant may be read before, when it is no fault yet.
            let told = |theirs: &Answer| {
                let text = ours.error.as_ref().map(|(.., text)| text.as_str());
                theirs.error.is_none()
                    && theirs.warnings.iter().any(|(_, _, told)| Some(told.as_str()) == text)
            };
            let change = ["UPDATE ", "DELETE "].iter().any(|word| sql.starts_with(word));
            change
                && sql.contains(" WHERE ")
                && (of_value(ours) && (nothing(theirs) || told(theirs)) || of_value(theirs) && nothing(ours))
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
            remainder && fine && pairwise(ours, theirs, alike)
        },
    },
    Explained {
        name: "rows-not-null",
        // MariaDB makes an inner join of an outer one whose rows are compared so, though NULL in one pair leaves the other.
        covers: |sql, ours, theirs| {
            has_any(sql, &[" LEFT ", " RIGHT "])
                && sql.contains(") <> (")
                && answered(ours, theirs)
                && theirs.rows.iter().all(|row| ours.rows.contains(row))
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
        name: "median-of-many-digits",
        // No median is beyond ten or a hundred million, or what signed numbers hold.
        covers: |sql, ours, theirs| {
            let cut = |x: &Cell, y: &Cell| match (number(x), number(y)) {
                (Some(whole), Some(cut)) => {
                    let limit = [1e7, 1e8].contains(&cut.abs()) && whole / cut > 1.0;
                    // What is beyond the signed numbers is below zero.
                    x == y || limit || whole > 9.2e18 && cut < 0.0
                }
                _ => x == y,
            };
            let sorted = |a: &Answer| {
                let mut a = a.clone();
                a.rows.sort();
                a
            };
            has_any(sql, &["MEDIAN(", "PERCENTILE_CONT("])
                && answered(ours, theirs)
                && pairwise(&sorted(ours), &sorted(theirs), cut)
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
        name: "json-exists-deep",
        // MariaDB does not go down where a path says `**`.
        covers: |sql, ours, theirs| {
            sql.contains("JSON_EXISTS(") && sql.contains("'$**") && answered(ours, theirs)
        },
    },
    Explained {
        name: "float-digits",
        // The last digit of doubles that went through another order of additions.
        covers: |sql, ours, theirs| has_any(sql, &["SUM(", "AVG(", "STD", "VAR"]) && close(ours, theirs),
    },
];

/// Whether one of the words is in the text.
fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Whether a statement reads several of the tables and views that are drawn.
fn joins(sql: &str) -> bool {
    has_any(sql, &[" JOIN ", " STRAIGHT_JOIN ", ", t", ", v"])
}

/// Whether neither failed.
fn answered(ours: &Answer, theirs: &Answer) -> bool {
    ours.error.is_none() && theirs.error.is_none()
}

/// Whether the rows are the same, in whatever order.
fn same_rows(a: &Answer, b: &Answer) -> bool {
    let sorted = |answer: &Answer| {
        let mut rows = answer.rows.clone();
        rows.sort();
        rows
    };
    sorted(a) == sorted(b)
}

/// The flag of columns that are never NULL.
const NOT_NULL: u16 = 1;

/// Whether all is the same but for columns that MariaDB alone calls NOT NULL, and for the flags `ignored`.
fn same_but_not_null(ours: &Answer, theirs: &Answer, ignored: u16) -> bool {
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
fn close(a: &Answer, b: &Answer) -> bool {
    let double = |x: &Cell| number(x).or_else(|| binary(x));
    let near = |x: &Cell, y: &Cell| match (double(x), double(y)) {
        (Some(p), Some(q)) => x == y || (p - q).abs() <= (p.abs() + q.abs()) * 1e-12,
        _ => x == y,
    };
    answered(a, b) && pairwise(a, b, near)
}

type Cell = Option<Vec<u8>>;

/// Whether all values of two answers are alike, row by row.
fn pairwise(a: &Answer, b: &Answer, alike: impl Fn(&Cell, &Cell) -> bool) -> bool {
    let rows =
        |(r, s): (&Vec<Cell>, &Vec<Cell>)| r.len() == s.len() && r.iter().zip(s).all(|(x, y)| alike(x, y));
    a.rows.len() == b.rows.len() && a.rows.iter().zip(&b.rows).all(rows)
}

/// A number that is sent as text.
fn number(value: &Cell) -> Option<f64> {
    std::str::from_utf8(value.as_deref()?).ok()?.parse().ok()
}

/// A double as the binary protocol sends it.
fn binary(value: &Cell) -> Option<f64> {
    Some(f64::from_le_bytes(value.as_deref()?.try_into().ok()?))
}

/// Whether two answers' columns have the same names and types.
fn same_columns(ours: &Answer, theirs: &Answer) -> bool {
    let described = |(x, y): (&Column, &Column)| x.name == y.name && x.kind == y.kind;
    ours.columns.len() == theirs.columns.len() && ours.columns.iter().zip(&theirs.columns).all(described)
}

/// Whether two answers are the same in all but FOUND_ROWS().
fn but_found_rows(ours: &Answer, theirs: &Answer) -> bool {
    let but_last = |a: &Answer| a.counts.iter().map(|row| row[..2].to_vec()).collect::<Vec<_>>();
    let same = ours.error == theirs.error && ours.done == theirs.done && ours.warnings == theirs.warnings;
    same && same_columns(ours, theirs) && same_rows(ours, theirs) && but_last(ours) == but_last(theirs)
}

/// Whether two answers are the same in all but their warnings, and their number in what is said of a change.
fn but_warnings(ours: &Answer, theirs: &Answer) -> bool {
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

/// The names of the differences that explain two answers: one that covers all there is, or one for each part that
/// differs (warnings, counts, types, and what is left).
pub fn explanation(sql: &str, ours: &Answer, theirs: &Answer) -> Option<Vec<&'static str>> {
    let covering = |ours: &Answer, theirs: &Answer| {
        EXPLAINED.iter().find(|e| (e.covers)(sql, ours, theirs)).map(|e| e.name)
    };
    if let Some(name) = covering(ours, theirs) {
        return Some(vec![name]);
    }
    let parts: [fn(&mut Answer, &Answer); 3] = [
        |answer, theirs| answer.warnings = theirs.warnings.clone(),
        |answer, theirs| answer.counts = theirs.counts.clone(),
        |answer, theirs| answer.columns = theirs.columns.clone(),
    ];
    let (mut names, mut reached) = (Vec::new(), ours.clone());
    for part in parts {
        let mut next = reached.clone();
        part(&mut next, theirs);
        if reached.differs(&next, false, false).is_some() {
            names.push(covering(&reached, &next)?);
        }
        reached = next;
    }
    if reached.differs(theirs, false, false).is_some() {
        names.push(covering(&reached, theirs)?);
    }
    (!names.is_empty()).then_some(names)
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
