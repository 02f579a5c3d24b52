//! Differences of statements with parameters: what MariaDB decides when it prepares them, or when it first runs them.

use super::Explained;
use super::alike::{
    Cell, answered, but_values, but_warnings, has_any, is_wide_of, pairwise, same_columns, same_rows,
    signless, unknown_column,
};
use crate::side::{Answer, Column};
use protocol::client::TextRow;

pub const ALL: &[Explained] = &[
    Explained {
        name: "set-statement-parameter",
        // MariaDB sets the variables when it prepares the statement: to the parameter that has no value yet.
        covers: |_, ours, theirs| {
            let unset = |(number, _, text): &(u16, String, String)| match number {
                1231 => text.contains("the value of 'NULL'"),
                number => *number == 1232,
            };
            has_parameters(ours) && theirs.prepared.is_none() && theirs.error.as_ref().is_some_and(unset)
        },
    },
    Explained {
        name: "xpath-parameter",
        // A parameter is no constant to MariaDB, nor a query of one.
        covers: |sql, ours, theirs| {
            let refused = |a: &Answer| {
                let constant = |text: &str| text == "Only constant XPATH queries are supported";
                a.error.as_ref().is_some_and(|(number, _, text)| *number == 1105 && constant(text))
            };
            has_any(sql, &["EXTRACTVALUE(", "UPDATEXML("]) && !refused(ours) && refused(theirs)
        },
    },
    Explained {
        name: "position-of-parameter",
        // Where MariaDB leaves an order out, it looks at the position only once, in the first run.
        covers: |sql, ours, theirs| {
            let unknown = |(number, _, text): &(u16, String, String)| {
                let name = unknown_column(text, "ORDER BY");
                *number == 1054 && name.is_some_and(|name| name.parse::<i128>().is_ok())
            };
            ours.execution > 0
                && has_parameters(ours)
                && sql.contains("ORDER BY ")
                && ours.error.as_ref().is_some_and(unknown)
                && ours.error != theirs.error
        },
    },
    Explained {
        name: "fraction-of-parameter",
        // It had none when the statement was prepared, or less room than it takes.
        covers: |sql, ours, theirs| {
            let cut = |x: &Cell, y: &Cell| match (x, y) {
                (Some(ours), Some(theirs)) => {
                    let begun = |rest: &[u8]| {
                        let point = theirs.iter().rposition(|&b| b == b'.');
                        let digits = point.is_some_and(|at| is_fraction(&theirs[at..]));
                        digits && rest.iter().all(u8::is_ascii_digit)
                    };
                    let rest = ours.strip_prefix(&theirs[..]);
                    rest.is_some_and(|rest| {
                        rest.is_empty() || theirs.len() >= 8 && (is_fraction(rest) || begun(rest))
                    })
                }
                _ => x == y,
            };
            has_parameters(ours)
                && has_any(sql, &[" UNION ", " EXCEPT ", " INTERSECT "])
                && answered(ours, theirs)
                && pairwise(ours, theirs, cut)
        },
    },
    Explained {
        name: "time-of-parameter",
        // TIME and TIMESTAMP have the digits that their operand had then.
        covers: |sql, ours, theirs| {
            let timely = |kind: u8| matches!(kind, 7 | 11 | 12);
            let described = |(x, y): (&Column, &Column)| {
                let alike = (x.kind.0, x.kind.1, x.kind.3) == (y.kind.0, y.kind.1, y.kind.3);
                x.name == y.name && (x.kind == y.kind || alike && timely(x.kind.0))
            };
            // In the binary protocol the microseconds are four bytes behind the whole.
            let cut = |x: &Cell, y: &Cell| match (x, y) {
                (Some(ours), Some(theirs)) => {
                    // Text that was not known then may have had six.
                    let none = || theirs.strip_prefix(&ours[..]) == Some(b".000000");
                    let in_hex =
                        || ours.strip_prefix(&theirs[..]).is_some_and(|rest| rest.starts_with(b"2E"));
                    let cut = matches!(ours.len(), 11 | 12) && ours.starts_with(theirs);
                    ours == theirs || cut || none() || sql.contains("HEX(") && in_hex()
                }
                _ => x == y,
            };
            (has_parameters(ours) || sql.starts_with("EXECUTE IMMEDIATE "))
                && has_any(sql, &["TIME(", "TIMESTAMP("])
                && answered(ours, theirs)
                && ours.columns.len() == theirs.columns.len()
                && ours.columns.iter().zip(&theirs.columns).all(described)
                && pairwise(ours, theirs, cut)
                && ours.warnings == theirs.warnings
        },
    },
    Explained {
        name: "zero-date-of-parameter",
        // A date that a parameter brings is not held to the mode, nor to what the function knows of dates.
        covers: |_, ours, theirs| {
            let zero = |(_, number, text): &(String, String, String)| {
                number == "1292" && text.starts_with("Incorrect datetime value: '0000-00-00")
            };
            has_parameters(ours)
                && answered(ours, theirs)
                && same_columns(ours, theirs)
                && ours.warnings.iter().any(zero)
                && ours.warnings.difference(&theirs.warnings).all(zero)
        },
    },
    Explained {
        name: "number-as-units",
        // The bytes of a number or date that a parameter brings are taken for characters of several bytes.
        covers: |sql, ours, theirs| {
            // In hexadecimal digits, too: a character of ASCII is one byte more.
            let bare = |hex: &[u8]| {
                let pairs = hex.chunks(2).filter(|pair| *pair != b"00").collect::<Vec<_>>();
                pairs.concat()
            };
            let digits = |hex: &[u8]| hex.len().is_multiple_of(2) && hex.iter().all(u8::is_ascii_hexdigit);
            let units = |x: &Cell, y: &Cell| match (x, y) {
                (Some(ours), Some(theirs)) => {
                    let in_hex = sql.contains("HEX(") && digits(ours) && digits(theirs);
                    ours == theirs || is_wide_of(ours, theirs) || in_hex && bare(ours) == bare(theirs)
                }
                _ => x == y,
            };
            has_parameters(ours)
                && has_any(sql, &["utf16", "utf32", "ucs2"])
                && ours.warnings == theirs.warnings
                && answered(ours, theirs)
                && pairwise(ours, theirs, units)
        },
    },
    Explained {
        name: "null-pattern-again",
        // A pattern that was there the time before is taken to be there still.
        covers: |sql, ours, theirs| {
            let lost = |(_, number, text): &(String, String, String)| {
                number == "1139" && text.ends_with("'NULL argument passed with non-zero length'")
            };
            has_parameters(ours)
                && ours.execution > 0
                && has_any(sql, &["REGEXP", "RLIKE"])
                && ours.error.is_none()
                && theirs.error.is_none()
                && ours.columns == theirs.columns
                && theirs.warnings.iter().any(lost)
                && theirs.warnings.difference(&ours.warnings).all(lost)
        },
    },
    Explained {
        name: "deprecated-order-again",
        // Constants behind what orders are left out for good when it has been ordered once.
        covers: |sql, ours, theirs| {
            let deprecated =
                |(_, number, text): &(String, String, String)| number == "1287" && text.starts_with("'des_");
            ours.execution > 0
                && sql.split_once("ORDER BY ").is_some_and(|(_, order)| order.contains("DES_"))
                && but_warnings(ours, theirs)
                && ours.warnings.is_superset(&theirs.warnings)
                && ours.warnings.difference(&theirs.warnings).all(deprecated)
        },
    },
    Explained {
        name: "bytes-of-group",
        // Groups by what may be a parameter's bytes or a text fall together.
        covers: |sql, ours, theirs| {
            let blob = ours.columns.iter().any(|column| (249..=252).contains(&column.kind.0));
            has_parameters(ours)
                && has_any(sql, &["GROUP BY", "DISTINCT"])
                && answered(ours, theirs)
                && blob
                && (theirs.rows.len() < ours.rows.len() || sql.contains(" LIMIT "))
        },
    },
    Explained {
        name: "time-parameter-without-sign",
        // A time below zero that a parameter brings is as an integer what it would be above.
        covers: |sql, ours, theirs| {
            has_parameters(ours) && sql.contains("'-") && but_values(ours, theirs, signless)
        },
    },
    Explained {
        name: "checked-view-again",
        // MariaDB cannot open a view that it has checked before.
        covers: |sql, ours, theirs| {
            let text = |row: &TextRow, at: usize| row.get(at).cloned().flatten().unwrap_or_default();
            let opened = |row: &&TextRow| !text(row, 3).starts_with(b"Can't open table");
            let checked = |row: &TextRow| match (&text(row, 2)[..], &text(row, 3)[..]) {
                (b"error", b"Corrupt") | (b"status", b"OK") => text(row, 0),
                _ => Vec::new(),
            };
            ours.execution > 0
                && has_any(sql, &["CHECK TABLE ", "CHECK VIEW "])
                && ours.columns == theirs.columns
                && ours.rows.iter().map(checked).eq(theirs.rows.iter().filter(opened).map(checked))
        },
    },
    Explained {
        name: "unsigned-again",
        // MariaDB makes an argument of theirs a number of its own when the statement is run again.
        covers: |sql, ours, theirs| {
            const UNSIGNED: u16 = 32;
            let mut signed = theirs.clone();
            for (column, own) in signed.columns.iter_mut().zip(&ours.columns) {
                if own.kind.1 & UNSIGNED == 0 {
                    column.kind.1 &= !UNSIGNED;
                }
            }
            has_any(sql, &["CONV(", "OCT(", "BIN("])
                && ours.execution > 0
                && answered(ours, theirs)
                && same_columns(ours, &signed)
                && same_rows(ours, theirs)
                && ours.warnings == theirs.warnings
        },
    },
];

fn has_parameters(answer: &Answer) -> bool {
    answer.prepared.as_ref().is_some_and(|(parameters, _)| *parameters > 0)
}

/// Whether bytes are digits behind a point.
fn is_fraction(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b".").is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}
