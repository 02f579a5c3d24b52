//! The queries of the SQL tests' cases with some of their words changed: what somebody thought of once, and a step beside it.

use crate::dice::Dice;
use crate::session::DATABASE;
use crate::statement::{Effect, Statement};
use std::collections::BTreeSet;
use std::path::Path;

/// How often each query is changed.
pub const TIMES: usize = 4;

/// A case's statements.
pub struct Case {
    /// All that both servers answer alike by themselves.
    pub statements: Vec<Statement>,
    /// The columns of its tables, short names first of all: any of them may come in another one's place.
    columns: Vec<String>,
}

/// Words of what is not the same twice, or not on both servers, or depends on the order in which rows come.
const OTHERWISE: &str = "sysdate rand uuid sleep connection_id version benchmark get_lock release_lock user current_user \
    load_file outfile dumpfile infile information_schema performance_schema mysql into limit fetch over \
    rownum group_concat json_arrayagg json_objectagg lock found_rows row_count last_insert_id explain \
    analyze describe show rollup decode des_encrypt first_value";

/// Statements that others would hear of, or that read what only one server has.
const LEFT_OUT: &str = "shutdown kill load grant revoke flush reset purge show explain analyze describe desc check checksum \
    optimize repair help";

const LITERALS: &[&str] = &[
    "0",
    "1",
    "-1",
    "NULL",
    "''",
    "'a'",
    "'1'",
    "1.5",
    "'2020-01-31'",
    "'12:30:00'",
    "255",
    "1e3",
    "'\u{e9}'",
    "18446744073709551615",
    "'0000-00-00'",
    "'1x'",
    "0x41",
    "b'1'",
    "TRUE",
    "DATE'2020-02-29'",
    "TIME'10:11:12'",
    "TIMESTAMP'2020-02-29 10:11:12.5'",
    "-9223372036854775808",
    "'[1,2]'",
    "_latin1'x'",
    "99999.99999",
];
const COMPARISONS: &str = "= < > <= >= <> <=>";
const OPERATORS: &str = "+ - * / % DIV MOD | & ^ << >>";
const AGGREGATES: &str = "min max sum count avg bit_or bit_and bit_xor std variance";
const FUNCTIONS: &str = "abs upper lower hex length char_length ascii reverse trim ltrim quote year month day hour to_days \
    last_day bin sign floor ceil round sqrt md5 json_valid json_type dayname weekday time_to_sec soundex \
    isnull crc32 date time ord bit_length unhex exp ln";
/// Words that tell a query's form.
const FORM: &str = "SELECT DISTINCT FROM WHERE GROUP ORDER BY HAVING LIMIT JOIN LEFT RIGHT INNER NATURAL STRAIGHT_JOIN USING \
    ON UNION EXCEPT INTERSECT ALL ANY IN EXISTS BETWEEN WITH RECURSIVE VALUES INSERT UPDATE DELETE REPLACE \
    SET CREATE ALTER DROP TABLE VIEW TEMPORARY OVER PARTITION AS AND OR NOT IS NULL CASE WHEN THEN ELSE END \
    CAST LIKE";
/// Words that may stand for each other.
const ALIKE: &[&str] = &["AND OR XOR", "ASC DESC", "UNION EXCEPT INTERSECT", "DISTINCT ALL"];

impl Case {
    /// One of those there are.
    pub fn any(dice: &mut Dice) -> Result<Case, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../5/sql/tests/cases");
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("read {}: {e}", folder.display()))?;
        let is_case = |path: &std::path::PathBuf| path.extension().is_some_and(|of| of == "sql");
        let mut paths: Vec<_> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_case).collect();
        paths.sort();
        loop {
            let path = dice.pick(&paths);
            let text = std::fs::read_to_string(path).map_err(|e| format!("read {}: {e}", path.display()))?;
            // Other accounts are not known here.
            if !text.lines().any(|line| line.starts_with("-- as ")) {
                return Ok(Case::of(&text));
            }
        }
    }

    fn of(text: &str) -> Case {
        let mut statements = Vec::new();
        let mut columns = BTreeSet::new();
        let (mut sql, mut differs) = (String::new(), false);
        for line in text.lines() {
            if line.starts_with("--") {
                differs |= line.starts_with("-- differs");
                continue;
            }
            sql.push_str(line);
            sql.push('\n');
            if !line.trim_end().ends_with(';') {
                continue;
            }
            let whole = std::mem::take(&mut sql);
            if std::mem::take(&mut differs) {
                continue;
            }
            let words = words(whole.trim().trim_end_matches(';'));
            let first = words.iter().find(|word| is_word(word)).map(|word| word.to_ascii_lowercase());
            let first = first.unwrap_or_default();
            let global = words.iter().any(|word| word.eq_ignore_ascii_case("global"));
            if global || is_among(LEFT_OUT, &first) {
                continue;
            }
            if first == "create" || first == "alter" {
                columns.extend(columns_of(&words));
            }
            let mut statement = Statement::words(in_database(&words));
            statement.effect = match first.as_str() {
                "select" | "with" | "values" => Effect::None,
                "insert" | "update" | "delete" | "replace" => Effect::Rows,
                _ => Effect::Tables,
            };
            statements.push(statement);
        }
        Case { statements, columns: columns.into_iter().collect() }
    }

    /// A query with some of its words changed; `None` for what is no query, or whose answers may differ by themselves.
    pub fn changed(&self, statement: &Statement, dice: &mut Dice) -> Option<Statement> {
        let sql = statement.term.to_string();
        let mut words = words(&sql);
        let otherwise = |word: &String| word.starts_with('@') || is_among(OTHERWISE, word);
        if statement.effect != Effect::None || self.columns.is_empty() || words.iter().any(otherwise) {
            return None;
        }
        for _ in 0..dice.between(1, 3) {
            let at = dice.below(words.len());
            if let Some(other) = self.other(&words, at, dice) {
                words[at] = other;
            }
        }
        Some(Statement::words(words.concat()))
    }

    /// What may stand in a word's place.
    fn other(&self, words: &[String], at: usize, dice: &mut Dice) -> Option<String> {
        let word = &words[at];
        let called = words.get(at + 1).is_some_and(|next| next == "(");
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '\'') {
            return Some(match dice.chance(2, 3) {
                true => (*dice.pick(LITERALS)).to_owned(),
                false => format!("{}({word})", any_of(FUNCTIONS, dice)),
            });
        }
        for list in [COMPARISONS, AGGREGATES, FUNCTIONS] {
            if is_among(list, word) && (called || list == COMPARISONS) {
                return Some(any_of(list, dice));
            }
        }
        // A star may stand for columns or rows.
        let behind = words[..at].iter().rev().find(|word| !word.trim().is_empty());
        let is_star = word == "*"
            && behind
                .is_none_or(|word| matches!(word.as_str(), "SELECT" | "DISTINCT" | "ALL" | "," | "(" | "."));
        if is_among(OPERATORS, word) && !is_star {
            return Some(format!(" {} ", any_of(OPERATORS, dice)));
        }
        if let Some(list) = ALIKE.iter().find(|list| is_among(list, word)) {
            return Some(any_of(list, dice));
        }
        match word.to_ascii_uppercase().as_str() {
            "NOT" => return Some(String::new()),
            "WHERE" => return Some("WHERE NOT".into()),
            "IN" => return Some(dice.pick(&["IN", "NOT IN"]).to_string()),
            _ => {}
        }
        if !self.columns.contains(word) {
            return None;
        }
        Some(match dice.below(4) {
            0 => format!("{}({word})", any_of(FUNCTIONS, dice)),
            1 => (*dice.pick(LITERALS)).to_owned(),
            _ => dice.pick(&self.columns).clone(),
        })
    }
}

/// Whether a word, in any letter case, is one of a list.
fn is_among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known.eq_ignore_ascii_case(word))
}

/// One of a list.
fn any_of(list: &str, dice: &mut Dice) -> String {
    let words: Vec<&str> = list.split_whitespace().collect();
    (*dice.pick(&words)).to_owned()
}

/// The words of a statement, and what stands between them: joined they are the statement.
fn words(sql: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' | '`' => quoted(rest, first),
            c if is_letter(c) || c == '@' => rest[c.len_utf8()..]
                .find(|c| !is_letter(c) && c != '@')
                .map_or(rest.len(), |n| n + c.len_utf8()),
            c if c.is_whitespace() => rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len()),
            _ => {
                let sign = ["<=>", "->>", "<=", ">=", "<>", "!=", "||", "&&", "<<", ">>", ":=", "->"];
                sign.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
            }
        };
        // A number goes on behind its point.
        let length = match first.is_ascii_digit() && rest[length..].starts_with('.') {
            true => {
                length + 1 + rest[length + 1..].find(|c| !is_letter(c)).unwrap_or(rest.len() - length - 1)
            }
            false => length,
        };
        words.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    words
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// How long what is quoted here is.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' && quote != '`' {
            escaped = true;
        } else if c == quote {
            return at + 1;
        }
    }
    text.len()
}

/// A statement whose words name the database that cases are recorded in, in this one, and with the words in capital letters by
/// which explanations know a query's form.
fn in_database(words: &[String]) -> String {
    let next_is_point = |at: usize| words.get(at + 1).is_some_and(|next| next == ".");
    let here = words.iter().enumerate().map(|(at, word)| match word.to_ascii_uppercase() {
        _ if word == "test" && next_is_point(at) => DATABASE.to_owned(),
        capital if is_among(FORM, word) => capital,
        _ => word.clone(),
    });
    here.collect()
}

/// The names before types, as columns are defined.
fn columns_of(words: &[String]) -> Vec<String> {
    const TYPES: &[&str] = &[
        "int",
        "bigint",
        "smallint",
        "tinyint",
        "mediumint",
        "varchar",
        "char",
        "text",
        "blob",
        "date",
        "datetime",
        "time",
        "timestamp",
        "year",
        "decimal",
        "double",
        "float",
        "enum",
        "set",
        "bit",
        "json",
        "uuid",
        "inet6",
        "varbinary",
        "binary",
    ];
    let spoken: Vec<&String> = words.iter().filter(|word| !word.trim().is_empty()).collect();
    let is_type = |word: &str| TYPES.iter().any(|ty| ty.eq_ignore_ascii_case(word));
    let pairs = spoken.windows(2).filter(|pair| is_word(pair[0]) && pair[0].len() < 5 && is_type(pair[1]));
    pairs.map(|pair| pair[0].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_joined_are_the_statement() {
        for sql in [
            "SELECT 'it''s', \"a\\\"b\", `c d` FROM t WHERE x<=>1.5e3 AND y->>'$.a' = @v:=0x41",
            "",
            "\u{e9} 1.",
        ] {
            assert_eq!(words(sql).concat(), sql);
        }
        let list = words("a<=1.25 'b c'");
        assert_eq!(list, ["a", "<=", "1.25", " ", "'b c'"]);
    }

    #[test]
    fn a_query_is_changed_in_its_words_alone() {
        let case = Case::of(
            "CREATE TABLE test.t (a INT, b VARCHAR(9));\n-- differs: why\nSELECT 1;\nselect a from test.t where b = '1';\n",
        );
        assert_eq!(case.columns, ["a", "b"]);
        let texts: Vec<String> = case.statements.iter().map(|statement| statement.term.to_string()).collect();
        assert_eq!(texts[1], "SELECT a FROM penstock_differ.t WHERE b = '1'");
        assert_eq!(texts.len(), 2);
        let mut dice = Dice::new(7);
        assert!(case.changed(&case.statements[0], &mut dice).is_none());
        let changed =
            |dice: &mut Dice| case.changed(&case.statements[1], dice).map(|query| query.term.to_string());
        let others: BTreeSet<_> = (0..50).filter_map(|_| changed(&mut dice)).collect();
        assert!(
            others.len() > 10 && others.iter().all(|sql| sql.contains("penstock_differ.t")),
            "{others:?}"
        );
    }
}
