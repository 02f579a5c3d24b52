//! Differences in errors.

use super::Explained;
use super::alike::{changes, has_any, joins, unknown_column};
use crate::side::Answer;
use std::collections::BTreeSet;

pub const ALL: &[Explained] = &[
    Explained {
        name: "error-row",
        // The same error of another row: those that a join, a group or a subquery reads are counted too, as its plan has
        // them.
        covers: |sql, ours, theirs| {
            let plain = |a: &Answer| {
                let (number, state, text) = a.error.clone()?;
                let (text, row) = text.rsplit_once(" at row ")?;
                row.bytes().all(|byte| byte.is_ascii_digit()).then(|| (number, state, text.to_owned()))
            };
            let same = Answer { error: theirs.error.clone(), ..ours.clone() };
            // One end of BETWEEN lets an index find the rows whose other end is no date.
            let unvalued = |a: &Answer| {
                let (number, state, text) = plain(a).filter(|(number, ..)| *number == 1292)?;
                let (kind, rest) = text.split_once(" value: '")?;
                Some((number, state, kind.to_owned(), rest.rsplit_once("' for column ")?.1.to_owned()))
            };
            let ended = has_any(sql, &["UPDATE ", "DELETE "])
                && sql.contains(" BETWEEN ")
                && unvalued(ours).is_some()
                && unvalued(ours) == unvalued(theirs);
            let planned = joins(sql) || has_any(sql, &["GROUP BY ", "DISTINCT "]);
            let read = (sql.contains("(SELECT ") || planned && sql.contains("SELECT "))
                && plain(ours).is_some()
                && plain(ours) == plain(theirs)
                && same.differs(theirs, false, false).is_none();
            changes(sql) && (ended || read)
        },
    },
    Explained {
        name: "subquery-in-error",
        // The expression that could not be computed has the number of a subquery that MariaDB writes out, as it does one
        // that reads rows around it; all before it is the same.
        covers: |sql, ours, theirs| {
            const OUT_OF_RANGE: u16 = 1690;
            let message = |a: &Answer| match &a.error {
                Some((OUT_OF_RANGE, _, text)) => Some(text.clone()),
                _ => None,
            };
            let (Some(own), Some(other)) = (message(ours), message(theirs)) else { return false };
            let Some((before, _)) = own.split_once("(select #") else { return false };
            let written = other.strip_prefix(before).is_some_and(|rest| {
                rest.starts_with("(select ") && !rest.starts_with("(select #")
                    || rest.starts_with("<expr_cache>")
            });
            let beside = |a: &Answer| {
                a.warnings.iter().filter(|(_, number, _)| number != "1690").cloned().collect::<BTreeSet<_>>()
            };
            sql.contains("(SELECT ") && written && beside(ours) == beside(theirs)
        },
    },
    Explained {
        name: "one-of-several-rows",
        // MariaDB copies rows in the order of a unique key where there is no primary one, and names another that fails.
        covers: |sql, ours, theirs| {
            let unvalued = |a: &Answer| {
                let (number, state, text) = a.error.clone()?;
                let (kind, rest) = text.split_once(" value: '")?;
                let column = rest.rsplit_once("' for column ").map_or("", |(_, column)| column);
                let column = column.rsplit_once(" at row ").map_or("", |(column, _)| column);
                Some((number, state, kind.to_owned(), column.to_owned()))
            };
            sql.starts_with("ALTER ") && unvalued(ours).is_some() && unvalued(ours) == unvalued(theirs)
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
        // The table's name in the error, or in the warning of a name that another key has, is that of MariaDB's copy under way.
        covers: |sql, ours, theirs| {
            let number = |a: &Answer| a.error.as_ref().map(|(number, ..)| *number);
            let copy = theirs.error.as_ref().is_some_and(|(.., text)| text.contains("#sql-alter-"));
            let refused = copy && number(ours) == number(theirs) && matches!(number(ours), Some(1025 | 1452));
            // All that is said of the name itself.
            let of_name = |a: &Answer| {
                let told = a.warnings.iter().filter(|(_, number, _)| number == "121");
                told.map(|(.., text)| text.split_once(" failed: ").map(|(_, why)| why.to_owned()))
                    .collect::<Vec<_>>()
            };
            let others = |a: &Answer| {
                a.warnings.iter().filter(|(_, number, _)| number != "121").cloned().collect::<Vec<_>>()
            };
            let taken = number(ours) == Some(1005)
                && ours.error == theirs.error
                && of_name(ours) == of_name(theirs)
                && others(ours) == others(theirs)
                && theirs.warnings.iter().any(|(.., text)| text.contains("`#sql-alter-"));
            sql.starts_with("ALTER ") && (refused || taken)
        },
    },
    Explained {
        name: "range-of-column",
        // Columns that it keeps in a table of its own under way have no database any more.
        covers: |_, ours, theirs| {
            let bare = |answer: &Answer| {
                let (number, state, text) = answer.error.as_ref().filter(|(number, ..)| *number == 1690)?;
                Some((*number, state.clone(), text.replace("`penstock_differ`.", "")))
            };
            let plain = |answer: &Answer| Answer { error: None, ..answer.clone() };
            let but_told = |answer: &Answer| Answer { warnings: Default::default(), ..plain(answer) };
            bare(ours).is_some()
                && bare(ours) == bare(theirs)
                && but_told(ours).differs(&but_told(theirs), false, false).is_none()
        },
    },
    Explained {
        name: "range-of-temporary",
        // What it has computed into a table of its own under way has no name in the message.
        covers: |_, ours, theirs| {
            let ansi = theirs.error.as_ref().is_some_and(|(.., text)| text.contains("\"tmp_field\""));
            let unnamed = if ansi { "\"tmp_field\"" } else { "`tmp_field`" };
            let apart = |answer: &Answer| {
                let (_, _, text) = answer.error.as_ref().filter(|(number, ..)| *number == 1690)?;
                let (kind, operation) = text.split_once(" value is out of range in '")?;
                Some((kind.to_owned(), operation.to_owned()))
            };
            let (Some(own), Some(other)) = (apart(ours), apart(theirs)) else { return false };
            // All around it is the same.
            let Some((before, behind)) = other.1.split_once(unnamed) else { return false };
            let behind = behind.rsplit_once(unnamed).map_or(behind, |(_, behind)| behind);
            own.0 == other.0 && own.1.starts_with(before) && own.1.ends_with(behind)
        },
    },
    Explained {
        name: "refused-by-temporary-table",
        // MariaDB puts rows that it reads and writes, joins or groups, into a table of its own first, as strictly as into
        // the one that they are for.
        covers: |sql, ours, theirs| {
            const OWN: &str = " for column ``.`(temporary)`.`";
            let own = |(number, _, text): &(u16, String, String)| {
                [1264, 1292, 1366].contains(number) && text.contains(OWN)
            };
            let plain = |a: &Answer| {
                let (number, _, text) = a.error.clone()?;
                let (value, column) = text.split_once(" for column `")?;
                Some((number, value.to_owned(), column.rsplit_once(".`")?.1.to_owned()))
            };
            // What nobody reads of a view is computed too.
            let unwritten = |(_, _, text): &(u16, String, String)| {
                has_any(text, &[" value: '0000-00-00", "Incorrect uuid value: '", "Incorrect inet6 value: '"])
            };
            changes(sql)
                && theirs.error.as_ref().is_some_and(own)
                && (theirs.error.as_ref().is_some_and(unwritten) || plain(ours) == plain(theirs))
        },
    },
    Explained {
        name: "limit-in-subquery",
        // MariaDB does not do it.
        covers: |sql, ours, theirs| {
            let refused = |text: &str| text.contains("'LIMIT & IN/ALL/ANY/SOME subquery'");
            // Parameters are counted when it is known what they are for, and what the subquery is sorted by is looked for.
            let found = |(number, _, text): &(u16, String, String)| {
                *number == 1210 || *number == 1054 && text.ends_with(" in 'ORDER BY'")
            };
            let passes = ours.error.as_ref().is_none_or(found);
            has_any(sql, &[" LIMIT ", " FETCH "])
                && passes
                && theirs.error.as_ref().is_some_and(|(.., t)| refused(t))
        },
    },
    Explained {
        name: "unreadable-view",
        // The text that MariaDB keeps of some views is none that it can read again.
        covers: |sql, ours, theirs| {
            let reads = sql.starts_with("SELECT ") || sql.starts_with("SHOW C");
            let unread = |text: &str| text.contains("error in your SQL syntax") && text.contains('`');
            let listed = sql.starts_with("SHOW COLUMNS ") && ours.error.is_none();
            let unread = |(number, _, text): &(u16, String, String)| match number {
                1064 => unread(text),
                1105 => listed && text == "Unknown error",
                _ => false,
            };
            sql.contains(" v") && reads && theirs.error.as_ref().is_some_and(unread)
        },
    },
    Explained {
        name: "returning-on",
        // ON in a subquery of INSERT ... RETURNING, or of ON DUPLICATE KEY UPDATE, does not find the row's columns, which
        // all else there does.
        covers: |sql, ours, theirs| {
            let unknown = |(number, _, text): &(u16, String, String)| {
                *number == 1054 && unknown_column(text, "ON").is_some()
            };
            let behind = |word: &str| sql.split_once(word).map_or("", |(_, behind)| behind);
            let (returned, changed) = (behind(" RETURNING "), behind(" ON DUPLICATE KEY UPDATE "));
            let joins = |words: &str| words.contains("(SELECT ") && words.contains(" ON ");
            // A change may meet another fault.
            let passes = |(number, ..): &(u16, String, String)| *number != 1054;
            has_any(sql, &["INSERT ", "REPLACE "])
                && (joins(returned) && ours.error.is_none()
                    || joins(changed) && ours.error.as_ref().is_none_or(passes))
                && theirs.error.as_ref().is_some_and(unknown)
        },
    },
    Explained {
        name: "compared-with-nothing",
        // What a query gives no rows of, as MariaDB knows beforehand, is compared with nothing there.
        covers: |sql, ours, theirs| {
            let refused = |(number, _, text): &(u16, String, String)| {
                *number == 4078 && text.ends_with(" for operation '='")
            };
            has_any(sql, &["IN (SELECT ", "= ANY (SELECT ", "= SOME (SELECT ", "<> ALL (SELECT "])
                && has_any(sql, &[" WHERE ", " HAVING "])
                && ours.error.as_ref().is_some_and(refused)
                && theirs.error.is_none()
        },
    },
    Explained {
        name: "view-order-position",
        // The positions in a merged view's ORDER BY are looked for in the select list around.
        covers: |sql, _, theirs| {
            let position = |text: &str| {
                unknown_column(text, "ORDER BY").is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()))
            };
            // Before anything else is wrong; who runs into it by way of another view is told that that one is invalid.
            let within = |(_, number, text): &(String, String, String)| number == "1054" && position(text);
            sql.contains(" v")
                && theirs.error.as_ref().is_some_and(|(number, _, text)| {
                    *number == 1054 && position(text) || *number == 1356 && theirs.warnings.iter().any(within)
                })
        },
    },
    Explained {
        name: "replace-of-generated",
        // Behind a row that replaced another under a generated value, MariaDB takes a value that is given for generated.
        covers: |sql, ours, theirs| {
            let generates = ours.done.as_ref().is_some_and(|(_, id, _)| *id > 0);
            let loads = sql.starts_with("LOAD DATA ") && sql.contains(" REPLACE INTO TABLE ");
            (sql.starts_with("REPLACE ") && generates || loads)
                && ours.error.is_none()
                && theirs.error.as_ref().is_some_and(|(number, ..)| *number == 1062)
        },
    },
    Explained {
        name: "check-of-constants",
        // Once INSERT IGNORE has read a text of a CHECK as the number that it is not, no row of the open table is told of it.
        covers: |sql, ours, theirs| {
            let unread = |(_, _, text): &(u16, String, String)| {
                has_any(
                    text,
                    &[
                        "incorrect DECIMAL value",
                        "incorrect DOUBLE value",
                        "Incorrect uuid value",
                        "Incorrect inet6 value",
                    ],
                )
            };
            let of_check = |(_, number, _): &(String, String, String)| number == "4025";
            has_any(sql, &["INSERT ", "REPLACE ", "UPDATE ", "LOAD DATA "])
                && theirs.error.is_none()
                && ours.error.as_ref().is_some_and(unread)
                && ours.warnings.iter().any(of_check)
        },
    },
    Explained {
        name: "check-forgets-new-name",
        // A table that is open more than once is not told everywhere what a column of its CHECK is called now.
        covers: |sql, ours, theirs| {
            let unknown = |(number, _, text): &(u16, String, String)| {
                let renamed = |name: &str| {
                    sql.contains(&format!(" RENAME COLUMN {name} TO "))
                        || sql.contains(&format!(" CHANGE {name} "))
                };
                *number == 1054 && unknown_column(text, "CHECK").is_some_and(renamed)
            };
            let of_stored = |(_, number, _): &(String, String, String)| number == "4027";
            sql.starts_with("ALTER ")
                && ours.error.is_some()
                && theirs.error.as_ref().is_some_and(unknown)
                && theirs.warnings.iter().any(of_stored)
        },
    },
    Explained {
        name: "label-of-cache",
        // MariaDB puts the least or greatest label that a subquery is asked for aside in a column of its own, which takes none
        // that is no label.
        covers: |sql, ours, theirs| {
            let refused = |(number, _, text): &(u16, String, String)| {
                let column = text
                    .strip_prefix("Data truncated for column '")
                    .and_then(|rest| rest.split_once("' at row "));
                let extreme = |column: &str| {
                    has_any(column, &["MAX(", "MIN("]) && sql.contains(&format!("(SELECT {column} FROM "))
                };
                *number == 1265 && column.is_some_and(|(column, _)| extreme(column))
            };
            (changes(sql) || sql.starts_with("CREATE "))
                && ours.error.is_none()
                && theirs.error.as_ref().is_some_and(refused)
        },
    },
    Explained {
        name: "prepared-pattern",
        // When it prepares a statement MariaDB takes a constant pattern of another character set for UTF-8.
        covers: |sql, ours, theirs| {
            let utf8 = |(number, _, text): &(u16, String, String)| {
                *number == 1139 && text.contains("'UTF-8 error: ")
            };
            let xpath = |(number, _, text): &(u16, String, String)| {
                *number == 1105 && text == "XPATH syntax error: ''"
            };
            let fault = theirs.error.as_ref();
            (has_any(sql, &["REGEXP", "RLIKE"]) && fault.is_some_and(utf8)
                || has_any(sql, &["EXTRACTVALUE(", "UPDATEXML("]) && fault.is_some_and(xpath))
                // Letters beyond ASCII are latin1 on such a connection.
                && (has_any(sql, &["_latin1", "USING latin1"]) || !sql.is_ascii())
                && ours.error.is_none()
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
];
