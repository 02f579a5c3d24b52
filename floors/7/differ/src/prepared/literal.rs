//! The literals of a statement in whose place a parameter may stand.

use crate::dice::Dice;
use std::ops::Range;

/// What a literal says.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// NULL.
    Null,
    /// Digits, maybe with a sign.
    Integer(i128),
    /// Digits with a point.
    Decimal(String),
    /// A number with an exponent.
    Double(f64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Text behind the word DATE, TIME or TIMESTAMP.
    Temporal(String),
}

/// A literal and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its bytes in the statement.
    pub range: Range<usize>,
    /// What it says.
    pub literal: Literal,
}

/// Words behind which a text or number is no expression, but a name, an option or a column's place.
const NO_EXPRESSION: &[&str] = &[
    "AS",
    "BY",
    "SEPARATOR",
    "OUTFILE",
    "DUMPFILE",
    "INFILE",
    "COLLATE",
    "CHARSET",
    "NAMES",
    "EXAMINED",
    "FORMAT",
];

/// Functions whose number of digits is a part of their type.
const DIGITS: &[&str] = &[
    "NOW",
    "CURTIME",
    "SYSDATE",
    "CURRENT_TIMESTAMP",
    "CURRENT_TIME",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "UTC_TIME",
    "UTC_TIMESTAMP",
    "DECIMAL",
    "NUMERIC",
    "VARCHAR",
    "VARBINARY",
];

/// Types that are functions, too.
const TYPES: &[&str] = &["CHAR", "NCHAR", "BINARY", "TIME", "DATETIME", "DOUBLE", "FLOAT"];

impl Literal {
    /// What stands in its place the next time.
    pub fn another(&self, dice: &mut Dice) -> Literal {
        if dice.chance(1, 6) {
            return Literal::Null;
        }
        let as_is = self.clone();
        match self {
            Literal::Null => [Literal::Integer(1), Literal::Text("a".into()), as_is][dice.below(3)].clone(),
            Literal::Integer(n) => Literal::Integer(*dice.pick(&[n + 1, -n, 0, *n, n * 1000])),
            Literal::Decimal(text) => {
                [Literal::Decimal(format!("{text}5")), Literal::Integer(7), as_is][dice.below(3)].clone()
            }
            Literal::Double(x) => Literal::Double(*dice.pick(&[-x, x / 3.0, *x])),
            Literal::Text(text) => [Literal::Text(format!("{text}1")), Literal::Text(String::new()), as_is]
                [dice.below(3)]
            .clone(),
            Literal::Bytes(_) => [Literal::Bytes(b"a".to_vec()), as_is][dice.below(2)].clone(),
            Literal::Temporal(_) => [Literal::Text("2020-02-03".into()), as_is][dice.below(2)].clone(),
        }
    }
}

/// The literals of a statement, in order of writing: none where backslashes may stand for something.
pub fn places(sql: &str) -> Vec<Place> {
    let mut scan = Scan { sql, at: 0, word: None, before: String::new(), found: Vec::new() };
    if !sql.contains('\\') {
        while scan.at < sql.len() && scan.step() {}
    }
    scan.found
}

struct Scan<'s> {
    sql: &'s str,
    at: usize,
    /// The word before, where nothing but spaces came since.
    word: Option<Range<usize>>,
    /// The word or sign before that one.
    before: String,
    found: Vec<Place>,
}

impl Scan<'_> {
    /// Passes over one token; false where nothing behind it is to be bound.
    fn step(&mut self) -> bool {
        let rest = &self.sql[self.at..];
        let mut chars = rest.chars();
        let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
        match first {
            ' ' => self.at += 1,
            '\'' => self.quoted(),
            '"' | '`' => self.pass(rest[1..].find(first).map_or(rest.len(), |end| end + 2)),
            '/' if second == '*' => self.pass(rest.find("*/").map_or(rest.len(), |end| end + 2)),
            '-' if rest.starts_with("-- ") => return false,
            '(' => self.opened(),
            _ if first.is_ascii_digit() || first == '.' && second.is_ascii_digit() => self.number(),
            _ if in_word(first) => return self.named(),
            _ => self.pass(first.len_utf8()),
        }
        true
    }

    fn pass(&mut self, length: usize) {
        self.before = self.sql[self.at..self.at + length].to_owned();
        self.at += length;
        self.word = None;
    }

    fn find(&mut self, range: Range<usize>, literal: Literal) {
        self.pass(range.end - self.at);
        self.found.push(Place { range, literal });
    }

    fn last_word(&self) -> String {
        self.word.clone().map_or(String::new(), |word| self.sql[word].to_ascii_uppercase())
    }

    /// A text, or bytes or a date where a word before says so.
    fn quoted(&mut self) {
        let Some((text, length)) = unquoted(&self.sql[self.at..]) else {
            self.at = self.sql.len();
            return;
        };
        let end = self.at + length;
        let adjacent = self.word.as_ref().is_some_and(|word| word.end == self.at);
        let start = self.word.as_ref().map_or(self.at, |word| word.start);
        let word = self.last_word();
        match (&*word, adjacent) {
            ("X", true) => match unhexed(&text) {
                Some(bytes) => self.find(start..end, Literal::Bytes(bytes)),
                None => self.pass(length),
            },
            ("DATE" | "TIME" | "TIMESTAMP", _) => self.find(start..end, Literal::Temporal(text)),
            _ if adjacent || word.starts_with('_') || NO_EXPRESSION.contains(&&*word) => self.pass(length),
            _ => self.find(self.at..end, Literal::Text(text)),
        }
    }

    fn number(&mut self) {
        let rest = &self.sql[self.at..];
        let digits = |from: usize| {
            from + rest[from..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - from)
        };
        let mut length = digits(0);
        let mut whole = true;
        if rest[length..].starts_with('.') {
            (length, whole) = (digits(length + 1), false);
        }
        let mut exponent = false;
        if rest[length..].starts_with(['e', 'E']) {
            let from = length + 1 + usize::from(rest[length + 1..].starts_with(['-', '+']));
            (exponent, length) = (digits(from) > from, digits(from).max(length));
        }
        if rest[length..].starts_with(in_word) || NO_EXPRESSION.contains(&&*self.last_word()) {
            let word = rest[length..].find(|c| !in_word(c)).unwrap_or(rest.len() - length);
            return self.pass(length + word);
        }
        // A sign belongs to a number that stands by itself.
        let sign = self.sql[..self.at]
            .strip_suffix('-')
            .is_some_and(|before| before.trim_end().ends_with(['(', ',', '=', '<', '>']));
        let start = self.at - usize::from(sign);
        let text = &self.sql[start..self.at + length];
        let literal = match text.parse() {
            Ok(n) if whole && !exponent => Literal::Integer(n),
            _ if exponent => Literal::Double(text.parse().unwrap_or_default()),
            _ => Literal::Decimal(text.to_owned()),
        };
        self.find(start..self.at + length, literal);
    }

    /// A parenthesis: what is in it may be a type's digits.
    fn opened(&mut self) {
        let word = self.last_word();
        let of_type = TYPES.contains(&&*word) && matches!(&*self.before, "AS" | ",");
        match of_type || DIGITS.contains(&&*word) {
            true => self.pass(self.sql[self.at..].find(')').unwrap_or(1)),
            false => self.pass(1),
        }
    }

    fn named(&mut self) -> bool {
        let rest = &self.sql[self.at..];
        let length = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let before = self.last_word();
        let range = self.at..self.at + length;
        let word = rest[..length].to_ascii_uppercase();
        if word == "NULL" && !matches!(&*before, "IS" | "NOT" | "DEFAULT" | "SET") {
            self.find(range, Literal::Null);
            return true;
        }
        if !before.is_empty() {
            self.before = before;
        }
        self.at = range.end;
        self.word = Some(range);
        // Its columns and paths are no expressions.
        word != "JSON_TABLE"
    }
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '.')
}

/// The text that begins with a quote, and the length of what it is written as.
fn unquoted(sql: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut chars = sql.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c != '\'' || chars.next_if(|(_, next)| *next == '\'').is_some() {
            text.push(c);
        } else {
            return Some((text, at + 1));
        }
    }
    None
}

fn unhexed(text: &str) -> Option<Vec<u8>> {
    let pairs = text.len().is_multiple_of(2) && text.is_ascii();
    let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).ok();
    pairs.then(|| (0..text.len()).step_by(2).map(byte).collect()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sql: &str) -> Vec<&str> {
        places(sql).into_iter().map(|place| &sql[place.range]).collect()
    }

    #[test]
    fn literals_stand_in_expressions() {
        assert_eq!(texts("SELECT a1 + 1, 'it''s', .5, 2e-3 FROM t1"), ["1", "'it''s'", ".5", "2e-3"]);
        assert_eq!(
            texts("SELECT ABS(-3), a -3, x'0aff', DATE '2020-01-02'"),
            ["-3", "3", "x'0aff'", "DATE '2020-01-02'"]
        );
        assert_eq!(texts("SELECT NULL IS NULL, b IS NOT NULL LIMIT 4"), ["NULL", "4"]);
        assert_eq!(places("SELECT 'a''b'")[0].literal, Literal::Text("a'b".into()));
    }

    #[test]
    fn types_names_and_options_are_no_literals() {
        assert!(texts("SELECT NOW(3), CAST(a AS CHAR(5)), CONVERT(a, CHAR(3)), b'01'").is_empty());
        assert!(texts("SELECT _latin1 'a', a AS 'x' FROM t1 GROUP BY 1").is_empty());
        assert!(texts("SELECT a FROM JSON_TABLE('[]', '$' COLUMNS (a INT PATH '$'))").is_empty());
        assert!(texts(r"SELECT 'a\'b', 1").is_empty());
        assert_eq!(texts("SELECT CHAR(65), CAST(1.5 AS DECIMAL(10,2))"), ["65", "1.5"]);
    }
}
