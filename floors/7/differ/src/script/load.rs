//! LOAD DATA: files of rows, good and bad ones, in every form that a file may have.

use super::plain::{Draw, Name, Scope};
use super::{Column, Table, change, clause, fixed, list, optional};
use crate::dice::Dice;
use crate::files::written;
use crate::schema::Sort;
use crate::term::{Role, Term};

/// How rows stand in a file.
struct Form {
    field_end: &'static str,
    quote: &'static str,
    optionally: bool,
    escape: &'static str,
    line_start: &'static str,
    line_end: &'static str,
}

/// A text as it stands in a file, by which a field is none of its table's.
const ODD: &[&[u8]] = &[
    b"",
    b"NULL",
    b"\\N",
    b"\\Nx",
    b"\"q\"",
    b"\"a\"\"b\"",
    b"'it''s'",
    b"a\\tb\\n",
    b"\\",
    b" 7 ",
    b"12abc",
    b"1e2",
    b"99999999999",
    b"-1",
    b"2020-13-45",
    b"0000-00-00",
    b"25:61:00",
    b"\xC3\xA4",
    b"\xE4",
    b"\xF0\x9F\x98\x80",
    b"abcdefghijklmnopqrstuvwxyz",
    b"x\\0y",
    b"a\nb",
];

fn form(dice: &mut Dice) -> Form {
    let plain = dice.chance(1, 3);
    let mut one = |usual: &'static str, others: &[&'static str]| match plain || dice.chance(1, 2) {
        true => usual,
        false => *dice.pick(others),
    };
    Form {
        field_end: one("\t", &[",", ";", "::", "|", "ab"]),
        quote: one("", &["\"", "\"", "'", "q"]),
        optionally: !one("", &["OPTIONALLY "]).is_empty(),
        escape: one("\\", &["", "!", "\"", "\\"]),
        line_start: one("", &["", "", "xx", ">"]),
        line_end: one("\n", &["\r\n", ";;", "$", "\n\n"]),
    }
}

impl Form {
    /// What the statement says of it.
    fn clauses(&self, dice: &mut Dice) -> Vec<Term> {
        let said = |word: &str, text: &str, default: &str| {
            let escaped = text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n");
            let escaped = escaped.replace('\r', "\\r").replace('\'', "''");
            (text != default).then(|| optional(format!(" {word} BY '{escaped}'")))
        };
        let enclosed = if self.optionally { "OPTIONALLY ENCLOSED" } else { "ENCLOSED" };
        let fields: Vec<Term> = [
            said("TERMINATED", self.field_end, "\t"),
            said(enclosed, self.quote, ""),
            said("ESCAPED", self.escape, "\\"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let lines = [said("STARTING", self.line_start, ""), said("TERMINATED", self.line_end, "\n")];
        let lines: Vec<Term> = lines.into_iter().flatten().collect();
        let word = *dice.pick(&[" FIELDS", " COLUMNS"]);
        let mut clauses = Vec::new();
        for (word, members) in [(word, fields), (" LINES", lines)] {
            if !members.is_empty() {
                clauses.push(clause(&format!("{word}{}", "{}".repeat(members.len())), members));
            }
        }
        clauses
    }

    /// A line of fields, mostly as the form wants it.
    fn line(&self, dice: &mut Dice, fields: &[Vec<u8>], last: bool) -> Vec<u8> {
        let mut line = Vec::new();
        if !dice.chance(1, 20) {
            line.extend_from_slice(self.line_start.as_bytes());
        }
        for (i, field) in fields.iter().enumerate() {
            if i > 0 {
                line.extend_from_slice(self.field_end.as_bytes());
            }
            let quoted = !self.quote.is_empty() && !dice.chance(1, if self.optionally { 2 } else { 10 });
            if quoted {
                line.extend_from_slice(self.quote.as_bytes());
            }
            line.extend_from_slice(field);
            if quoted && !dice.chance(1, 30) {
                line.extend_from_slice(self.quote.as_bytes());
            }
        }
        if !last || dice.chance(2, 3) {
            line.extend_from_slice(self.line_end.as_bytes());
        }
        line
    }
}

/// A field for a column, or for a variable.
fn field(dice: &mut Dice, column: Option<&Column>) -> Vec<u8> {
    if dice.chance(1, 8) {
        return dice.pick(ODD).to_vec();
    }
    let Some(column) = column else {
        return dice.pick(&["1", "7", "b", "ab", "2021-03-01", "10:11:12", "", "0.5"]).as_bytes().to_vec();
    };
    let value = change::value(dice, column);
    match value.as_str() {
        "NULL" => b"\\N".to_vec(),
        "DEFAULT" => Vec::new(),
        value => value.trim_matches('\'').as_bytes().to_vec(),
    }
}

impl Draw<'_> {
    /// LOAD DATA into a table.
    pub(super) fn load(&mut self, table: &Table) -> Term {
        let form = form(self.dice);
        // What fields go to: columns, and variables (`None`) that SET may read.
        let mut targets: Vec<Option<&Column>> =
            table.columns.iter().filter(|c| !c.generated).map(Some).collect();
        let named = table.columns.iter().any(|c| c.generated) || self.dice.chance(1, 2);
        if named {
            for target in &mut targets {
                if self.dice.chance(1, 6) {
                    *target = None;
                }
            }
            if self.dice.chance(1, 6) {
                targets.reverse();
            }
            if self.dice.chance(1, 4) && targets.len() > 1 {
                targets.pop();
            }
        }
        let skip = if self.dice.chance(1, 6) { self.dice.below(3) } else { 0 };
        let count = self.dice.below(5) + skip;
        let mut lines = Vec::new();
        for i in 0..count {
            let mut fields: Vec<Vec<u8>> = targets.iter().map(|target| field(self.dice, *target)).collect();
            if self.dice.chance(1, 10) {
                fields.pop();
            }
            if self.dice.chance(1, 12) {
                fields.push(b"more".to_vec());
            }
            let line = form.line(self.dice, &fields, i + 1 == count);
            lines.push(optional(written(&line)));
        }
        let rows = Term::row(lines);
        let priority = *self.dice.pick(&["", "", "", "", "LOW_PRIORITY ", "CONCURRENT "]);
        let (file, served) = match self.dice.chance(1, 2) {
            true => (format!("LOAD DATA {priority}LOCAL INFILE '{{}}'"), true),
            false => (format!("LOAD DATA /*{{}}*/ {priority}INFILE 'FILE'"), false),
        };
        let duplicates = match self.dice.below(if served { 3 } else { 4 }) {
            0 => optional(" REPLACE"),
            1 => optional(" IGNORE"),
            _ => fixed(""),
        };
        let mut parts = vec![Term::of(Role::Fixed, &file, vec![rows]), duplicates];
        parts.push(fixed(format!(" INTO TABLE {}", table.name)));
        if self.dice.chance(1, 4) {
            let charset = *self.dice.pick(&["latin1", "utf8mb4", "utf8mb3", "binary", "ascii", "cp1252x"]);
            parts.push(optional(format!(" CHARACTER SET {charset}")));
        }
        parts.extend(form.clauses(self.dice));
        if skip > 0 {
            parts.push(optional(format!(" IGNORE {skip} {}", self.dice.pick(&["LINES", "ROWS"]))));
        }
        if named {
            let names: Vec<String> = targets.iter().enumerate().map(|(i, t)| target_name(i, *t)).collect();
            parts.push(fixed(format!(" ({})", names.join(", "))));
        }
        if self.dice.chance(1, 3) {
            parts.push(self.loaded_values(table, &targets));
        }
        Term::row(parts)
    }

    /// `SET column = value`: of what was read, of a variable, of anything.
    fn loaded_values(&mut self, table: &Table, targets: &[Option<&Column>]) -> Term {
        let name = |c: &Column| Name { text: c.name.clone(), sort: c.sort };
        let mut names: Vec<Name> = table.columns.iter().map(name).collect();
        let variables: Vec<String> =
            (0..targets.len()).filter(|&i| targets[i].is_none()).map(|i| target_name(i, None)).collect();
        names.extend(variables.iter().map(|text| Name { text: text.clone(), sort: Sort::Text }));
        let scope = Scope { names: &names, outer: None };
        let sets = (0..self.dice.between(1, 2)).map(|_| {
            let column = self.dice.pick(&table.columns).clone();
            let value = match self.dice.below(6) {
                0 => fixed("DEFAULT"),
                1 | 2 if !variables.is_empty() => fixed(self.dice.pick(&variables).clone()),
                3 if !variables.is_empty() => fixed(format!("NULLIF({}, '')", self.dice.pick(&variables))),
                4 => Term::words(Role::Expr, change::value(self.dice, &column)),
                _ => self.scalar(&scope, column.sort, 1),
            };
            Term::of(Role::Fixed, &format!("{} = {{}}", column.name), vec![value])
        });
        let sets: Vec<Term> = sets.collect();
        clause(" SET {}", vec![list(sets)])
    }
}

/// A target as the statement names it.
fn target_name(place: usize, target: Option<&Column>) -> String {
    target.map_or_else(|| format!("@l{place}"), |column| column.name.clone())
}
