//! Differences in warnings: what is told of the same rows, and where an error is told first.

use super::Explained;
use super::alike::{answered, but_warnings, changes, has_any, reads};
use crate::side::Answer;
use std::collections::BTreeSet;

pub const ALL: &[Explained] = &[
    Explained {
        name: "warning-row",
        // Which row a warning of a join, a group or an order counts depends on the plan: buffers, temporary tables.
        covers: |sql, ours, theirs| {
            // Rows of a change are counted on from those that a subquery in it reads, buffer by buffer.
            let counted = changes(sql) && sql.contains("(SELECT ");
            (has_planned_rows(sql, theirs) || counted)
                && but_warnings(ours, theirs)
                && of_no_row(ours, theirs) == of_no_row(theirs, theirs)
        },
    },
    Explained {
        name: "read-as",
        // What text was read as: an integer for a key that is looked up, a decimal for the bounds of a range, else what it
        // is compared as.
        covers: |sql, ours, theirs| {
            const READ: &str = "Truncated incorrect ";
            let values = |a: &Answer| {
                let value = |(_, number, text): &(String, String, String)| {
                    let (ty, value) = text.strip_prefix(READ)?.split_once(' ')?;
                    let numeric = ["INTEGER", "DECIMAL", "DOUBLE"].contains(&ty) && number == "1292";
                    numeric.then(|| value.to_owned())
                };
                a.warnings.iter().map(value).collect::<Option<BTreeSet<_>>>()
            };
            let asked =
                has_any(sql, &["(SELECT ", " JOIN ", " BETWEEN '", " BETWEEN ('"]) && sql.contains(" WHERE ");
            let subset = values(ours).zip(values(theirs)).is_some_and(|(own, their)| {
                !own.is_empty() && !their.is_empty() && (own.is_subset(&their) || their.is_subset(&own))
            });
            asked && (reads(sql) || sql.starts_with("DELETE ")) && subset && but_warnings(ours, theirs)
        },
    },
    Explained {
        name: "virtual-warnings",
        // A query stores nothing: what it says of a column is said of one that MariaDB computes when it is read.
        covers: |sql, ours, theirs| {
            let of_column = |(level, number, text): &(String, String, String)| {
                let stored = ["1264", "1265", "1366", "1406"].contains(&number.as_str());
                (level == "Warning" || number == "1265") && stored && text.contains(" for column '")
            };
            // A table that is made of all columns of another has room for what they have.
            let copied = sql.starts_with("CREATE ")
                && sql.split_once(" SELECT * FROM ").is_some_and(|(made, of)| {
                    made.contains(" TABLE ") && !made.contains('(') && !of.contains(|c| "(,".contains(c))
                });
            // Where nothing else is computed, of what their expressions come upon, too.
            let plain = (copied || sql.starts_with("SELECT * FROM "))
                && !sql.contains('(')
                && !sql.contains(" WHERE ");
            let of_column = |warning: &(String, String, String)| {
                let reads =
                    ["Truncated incorrect ", "Incorrect inet", "Incorrect uuid ", "Incorrect datetime "];
                let read = warning.1 == "1292" && reads.iter().any(|words| warning.2.starts_with(words));
                of_column(warning) || plain && read
            };
            // A change says it of columns that it gives no value to, or one that is ignored.
            let of_unwritten = |warning: &(String, String, String)| {
                let stored = ["1264", "1265", "1292", "1366", "1406"].contains(&warning.1.as_str());
                let column = warned_of(&warning.2);
                let ignored = |name: &str| {
                    let said = format!("generated column '{name}' in table");
                    theirs.warnings.iter().any(|(_, number, text)| number == "1906" && text.contains(&said))
                };
                // Where no row is found to be written, it is said of those that were read.
                let nothing =
                    theirs.done.as_ref().is_some_and(|(_, _, info)| info.starts_with("Rows matched: 0 "));
                let unwritten = |name: &str| nothing || !gives(sql, name) || ignored(name);
                let level = warning.0 == "Warning" || warning.1 == "1265";
                level && stored && column.is_some_and(unwritten)
            };
            // Where a change computes nothing itself, it is said of texts that it has not.
            let copies = match sql.strip_prefix("UPDATE ") {
                Some(rest) => !rest.contains(" WHERE ") && !rest.contains(|c| "(+-*/%|&<>".contains(c)),
                None => sql.starts_with("REPLACE ") && !sql.contains("SELECT "),
            };
            let of_unwritten = |warning: &(String, String, String)| {
                let read =
                    warning.2.strip_prefix("Truncated incorrect ").and_then(|text| text.split_once(": "));
                of_unwritten(warning) || copies && read.is_some_and(|(_, text)| !sql.contains(text))
            };
            // A definition says it of no row.
            let defines =
                ["ALTER ", "CREATE INDEX ", "CREATE UNIQUE "].iter().any(|word| sql.starts_with(word));
            let of_none = |(_, _, text): &(String, String, String)| {
                text.contains(" for column ") && text.ends_with(" at row 0")
            };
            let of_virtual = |warning: &(String, String, String)| match changes(sql) {
                true if !copied => of_unwritten(warning),
                false if defines => of_none(warning),
                _ => of_column(warning),
            };
            (sql.trim_start_matches('(').starts_with("SELECT ") || changes(sql) || copied || defines)
                && but_warnings(ours, theirs)
                && ours.warnings.is_subset(&theirs.warnings)
                && theirs.warnings.difference(&ours.warnings).all(of_virtual)
        },
    },
    Explained {
        name: "user-variable-number",
        // MariaDB looks for a number in a user variable's text before the variable has its text.
        covers: |sql, ours, theirs| {
            const NOTHING: &str = "Encountered illegal value '' when converting to DECIMAL";
            // Where there are no rows its text is not read at all.
            let read = |(_, number, text): &(String, String, String)| {
                number == "1292" && text.starts_with("Truncated incorrect ") && theirs.rows.is_empty()
            };
            sql.contains('@')
                && but_warnings(ours, theirs)
                && theirs.warnings.iter().any(|(_, _, text)| text == NOTHING)
                && ours.warnings.difference(&theirs.warnings).all(read)
                && theirs.warnings.difference(&ours.warnings).all(|(_, _, text)| text == NOTHING)
        },
    },
    Explained {
        name: "warning-count",
        // MariaDB's optimizer evaluates constants and conditions more or fewer times and before it knows of any row.
        covers: |sql, ours, theirs| {
            // Warnings of evaluating: what is stored somewhere must be told alike.
            const EVALUATING: &[&str] =
                &["1105", "1292", "1300", "1365", "1411", "1441", "1916", "1918", "1958", "1977"];
            let finds = reads(sql) || ["UPDATE ", "DELETE "].iter().any(|word| sql.starts_with(word));
            let is_in = |a: &Answer, b: &Answer| {
                a.warnings.is_subset(&b.warnings)
                    || finds
                        && has_planned_rows(sql, theirs)
                        && of_no_row(a, theirs).is_subset(&of_no_row(b, theirs))
            };
            let subset = is_in(ours, theirs) || is_in(theirs, ours);
            let of_values = ours.warnings.symmetric_difference(&theirs.warnings).all(|(_, number, text)| {
                let stores = !reads(sql) && !sql.starts_with("DELETE ");
                // A change of rows compares what stands in columns that it gives no value to.
                let compared =
                    sql.starts_with("UPDATE ") && warned_of(text).is_some_and(|column| !gives(sql, column));
                let stored = stores && text.contains(" for column ") && !compared;
                EVALUATING.contains(&number.as_str()) && !stored
            });
            // Rows that a join leaves out may have been read by either.
            let joined = finds && sql.contains("JOIN ");
            const CONDITIONAL: &[&str] = &[
                " WHERE ",
                " HAVING ",
                " ON ",
                " USING (",
                " NATURAL ",
                "IF(",
                "CASE",
                "COALESCE(",
                "IFNULL(",
                "NVL2(",
                "ELT(",
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
        name: "behind-error",
        // MariaDB computes the rest of an expression, and what stands beside it in its row, behind an error, and
        // constants before it looks at the statement's names.
        covers: |_, ours, theirs| {
            const RAISED: &[&str] = &[
                "1028", "1048", "1105", "1264", "1265", "1292", "1300", "1365", "1366", "1406", "1411",
                "1441", "1906", "1916", "1958", "4037", "4038", "4042", "4044",
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
        name: "prepared-constants",
        // Rows of constants, and texts beside others of another character set, are read before any comparison.
        covers: |sql, ours, theirs| {
            const READ: &[&str] =
                &["1259", "1292", "1300", "1411", "1958", "4035", "4037", "4038", "4042", "4044"];
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
        name: "order-of-one",
        // The one row of an aggregate is in any order: MariaDB computes what it would be ordered by all the same.
        covers: |sql, ours, theirs| {
            const READ: &[&str] = &["1292", "1300", "1411", "1958", "4035", "4037", "4038", "4042", "4044"];
            const AGGREGATES: &[&str] = &["MIN(", "MAX(", "COUNT(", "SUM(", "AVG(", "GROUP_CONCAT(", "BIT_"];
            // Behind a limit of one it need not be an aggregate's row: rows that were put in order would tell more.
            let lone = match sql.ends_with(" LIMIT 1") {
                true => theirs.warnings.difference(&ours.warnings).count() == 1,
                false => !sql.contains(" LIMIT "),
            };
            sql.contains(" ORDER BY ")
                && has_any(sql, AGGREGATES)
                && !sql.contains("GROUP BY")
                && lone
                && theirs.rows.len() == 1
                && answered(ours, theirs)
                && but_warnings(ours, theirs)
                && ours.warnings.is_subset(&theirs.warnings)
                && theirs.warnings.difference(&ours.warnings).all(|(_, number, _)| READ.contains(&&**number))
        },
    },
    Explained {
        name: "default-beside-own-view",
        // DEFAULT of a column without one is NULL to MariaDB where the statement reads its own table through a view.
        covers: |sql, ours, theirs| {
            let columns = |a: &Answer| {
                let column = |(level, number, text): &(String, String, String)| match number.as_str() {
                    "1364" | "1048" => text.split('\'').nth(1).unwrap_or("").to_owned(),
                    _ => format!("{level} {number} {text}"),
                };
                a.warnings.iter().map(column).collect::<BTreeSet<_>>()
            };
            sql.starts_with("INSERT ")
                && sql.contains("DEFAULT")
                && sql.contains("(SELECT ")
                && ours.warnings.iter().all(|(_, number, _)| number != "1048")
                && answered(ours, theirs)
                && but_warnings(ours, theirs)
                && columns(ours) == columns(theirs)
        },
    },
    Explained {
        name: "view-constants",
        // MariaDB reads a view's constants when it shows the view.
        covers: |sql, ours, theirs| {
            sql.starts_with("SHOW CREATE VIEW ")
                && answered(ours, theirs)
                && but_warnings(ours, theirs)
                && ours.warnings.is_subset(&theirs.warnings)
                && theirs.warnings.difference(&ours.warnings).all(|(_, number, _)| number == "1292")
        },
    },
    Explained {
        name: "column-of-cache",
        // What subqueries found is put aside in columns that have no name, and take no zero dates.
        covers: |sql, ours, theirs| {
            sql.contains("(SELECT ")
                && but_warnings(ours, theirs)
                && ours.warnings.is_subset(&theirs.warnings)
                && theirs
                    .warnings
                    .difference(&ours.warnings)
                    .all(|(_, _, text)| text.contains(" for column '(null)' at row "))
        },
    },
    Explained {
        name: "algorithm-told-once",
        // MariaDB keeps what it made of the algorithm when the statement first ran.
        covers: |sql, ours, theirs| {
            ours.execution > 0
                && sql.contains(" ALGORITHM=MERGE ")
                && but_warnings(ours, theirs)
                && theirs.warnings.is_subset(&ours.warnings)
                && ours.warnings.difference(&theirs.warnings).all(|(_, number, _)| number == "1354")
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
];

/// Whether rows that warnings name are those of a plan: of a join, a group, an order or a subquery, or those that a
/// condition leaves to a change.
fn has_planned_rows(sql: &str, theirs: &Answer) -> bool {
    let planned = has_any(sql, &["JOIN", "GROUP BY", "ORDER BY", "DISTINCT", "(SELECT "])
        || !sql.starts_with("SELECT ") && sql.contains(" WHERE ");
    let of_rows = |text: &String| text.contains(" for column ") && text.contains(" at row ");
    planned && theirs.warnings.iter().any(|(_, _, text)| of_rows(text))
}

/// Numbers and texts of warnings without the rows that they name, and without the tables where one of these is the plan's.
fn of_no_row(answer: &Answer, theirs: &Answer) -> BTreeSet<(String, String)> {
    let temporary = theirs.warnings.iter().any(|(_, _, text)| text.contains(" for column ``.`(temporary)`."));
    let cut = |text: &String| {
        let text = text.split(" at row ").next().unwrap_or("");
        let text = text
            .strip_prefix("Row ")
            .map_or(text, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        match text.split_once(" for column `") {
            Some((said, column)) if temporary => {
                let name = column.rsplit('.').next().unwrap_or("");
                format!("{said} for column {name}")
            }
            _ => text.to_owned(),
        }
    };
    answer.warnings.iter().map(|(_, number, text)| (number.clone(), cut(text))).collect()
}

/// The column that a warning of storing names.
fn warned_of(text: &str) -> Option<&str> {
    let (said, _) = text.rsplit_once(" at row ")?;
    let (_, column) = said.rsplit_once(" for column ")?;
    column.rsplit('.').next().map(|name| name.trim_matches(['`', '\'']))
}

/// Whether a change gives a column a value: in its list, or in SET; without a list, to all.
fn gives(sql: &str, column: &str) -> bool {
    let listed = || {
        let (before, rest) = sql.split_once('(')?;
        let lists = !has_any(before, &["VALUES", "SELECT", " SET "]);
        let (list, _) = rest.split_once(')').filter(|_| lists)?;
        Some(list.split(", ").any(|name| name == column))
    };
    let assigned = |before: char| sql.contains(&format!("{before}{column} = "));
    let set = sql.contains(" SET ");
    [' ', '.'].into_iter().any(assigned) || listed().unwrap_or(!set)
}
