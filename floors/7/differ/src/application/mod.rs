//! What applications send: a handful of schemas as they have them (a shop, a blog, books, a help desk, sensors, tenants), some
//! hundred rows in each, and the statements that object-relational mappers and writers of reports send over them. Each
//! application is a page in the language of [`grammar`]; what all of them share stands in `common.txt`.

use crate::dice::Dice;
use crate::statement::{Effect, Statement, Way};
use crate::term::{Role, Term};
use grammar::{Drawn, Grammar};

mod grammar;

/// A page, and what its application's sessions begin with.
struct Page {
    name: &'static str,
    text: &'static str,
    settings: &'static [&'static str],
}

const COMMON: &str = include_str!("common.txt");

const PAGES: &[Page] = &[
    // As Django's sessions.
    Page {
        name: "shop",
        text: include_str!("shop.txt"),
        settings: &[
            "SET sql_mode = 'STRICT_TRANS_TABLES'",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        ],
    },
    // As WordPress's.
    Page {
        name: "blog",
        text: include_str!("blog.txt"),
        settings: &[
            "SET NAMES 'utf8mb4' COLLATE 'utf8mb4_unicode_520_ci'",
            "SET sql_mode = 'NO_ENGINE_SUBSTITUTION'",
        ],
    },
    // As a client's that sets nothing.
    Page { name: "books", text: include_str!("books.txt"), settings: &[] },
    // As those of Rails.
    Page {
        name: "desk",
        text: include_str!("desk.txt"),
        settings: &[
            "SET @@SESSION.sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES'), @@SESSION.wait_timeout = 2147483",
        ],
    },
    Page { name: "sensors", text: include_str!("sensors.txt"), settings: &["SET time_zone = '+02:00'"] },
    // As those of Laravel.
    Page {
        name: "tenants",
        text: include_str!("tenants.txt"),
        settings: &[
            "SET NAMES 'utf8mb4' COLLATE 'utf8mb4_unicode_ci'",
            "SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,\
             ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
        ],
    },
];

/// Rows that one INSERT writes.
const ROWS_AT_ONCE: usize = 50;

/// The rules that statements are drawn from, and how many of a hundred are of each.
const KINDS: &[(&str, usize)] = &[("query", 62), ("change", 23), ("unit", 15)];

/// The applications' names.
pub fn names() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|page| page.name)
}

/// A session of an application.
pub struct Session {
    grammar: Grammar,
    settings: &'static [&'static str],
    /// What comes next, the last first.
    pending: Vec<Statement>,
}

impl Session {
    /// A session of the application with a name, or of any.
    pub fn new(dice: &mut Dice, wanted: Option<&str>) -> Result<Session, String> {
        let any = dice.pick(PAGES);
        let page = PAGES.iter().find(|page| Some(page.name) == wanted).unwrap_or(any);
        let grammar = Grammar::read(&[COMMON, page.text]).map_err(|e| format!("{}: {e}", page.name))?;
        Ok(Session { grammar, settings: page.settings, pending: Vec::new() })
    }

    /// What the session begins with.
    pub fn settings(&self) -> impl Iterator<Item = String> {
        self.settings.iter().map(|&setting| setting.to_owned())
    }

    /// The statements that make its tables and fill them.
    pub fn tables(&self, dice: &mut Dice) -> Vec<Statement> {
        let mut made = Vec::new();
        for table in &self.grammar.tables {
            made.push(Statement::define(
                self.grammar.definition(dice, table),
                vec![format!("SHOW CREATE TABLE {}", table.name)],
            ));
            for first in (1..=table.rows).step_by(ROWS_AT_ONCE) {
                let last = table.rows.min(first + ROWS_AT_ONCE - 1);
                let rows = self.grammar.rows(dice, table, first, last);
                let insert =
                    Term::of(Role::Fixed, &format!("INSERT INTO {} VALUES {{}}", table.name), vec![rows]);
                made.push(Statement::change(insert, vec![format!("SELECT * FROM {}", table.name)]));
            }
        }
        made
    }

    /// The next statement.
    pub fn statement(&mut self, dice: &mut Dice) -> Statement {
        if let Some(next) = self.pending.pop() {
            return next;
        }
        let mut chance = dice.below(100);
        let (kind, _) = KINDS
            .iter()
            .find(|(_, share)| {
                let found = chance < *share;
                chance = chance.saturating_sub(*share);
                found
            })
            .unwrap_or(&KINDS[0]);
        let mut drawn = self.grammar.statements(dice, kind);
        tell_what_is_executed(&mut drawn);
        self.pending = drawn.into_iter().rev().map(|drawn| self.described(drawn)).collect();
        let mut first = self.pending.pop().unwrap_or_else(|| Statement::words("SELECT 1"));
        if first.effect == Effect::None && dice.chance(1, 6) {
            // As drivers do with all.
            first.way = Way::Binary;
        }
        first
    }

    /// What a comparison must know of a statement, by its first word.
    fn described(&self, drawn: Drawn) -> Statement {
        let text = drawn.term.to_string();
        let first = text.trim_start_matches('(').split(' ').next().unwrap_or_default();
        let named = || {
            let tables = self.grammar.tables.iter().map(|table| table.name.as_str());
            tables.filter(|name| words(&text).any(|word| word == *name)).map(str::to_owned)
        };
        let rows = named().map(|name| format!("SELECT * FROM {name}"));
        match first {
            "SELECT" | "WITH" if text.contains(":=") || text.contains(" INTO @") => {
                Statement { effect: Effect::Rows, ..Statement::query(drawn.term, drawn.ordered) }
            }
            "SELECT" | "WITH" | "SHOW" | "DESCRIBE" | "TABLE" | "VALUES" => {
                Statement::query(drawn.term, drawn.ordered)
            }
            "CREATE" | "ALTER" | "DROP" | "RENAME" | "TRUNCATE" => {
                let definitions = named().map(|name| format!("SHOW CREATE TABLE {name}"));
                Statement::define(drawn.term, definitions.chain(rows).collect())
            }
            "EXECUTE" | "INSERT" | "REPLACE" | "UPDATE" | "DELETE" => {
                // What RETURNING gives, and what EXECUTE finds, has no order.
                Statement { ordered: false, ..Statement::change(drawn.term, rows.collect()) }
            }
            _ => Statement::change(drawn.term, Vec::new()),
        }
    }
}

/// Puts the text of a statement that was prepared behind where it is executed, for whoever explains an answer.
fn tell_what_is_executed(drawn: &mut [Drawn]) {
    let prepared = drawn.iter().find_map(|drawn| {
        let text = drawn.term.to_string();
        text.strip_prefix("PREPARE p FROM '").map(|text| text.trim_end_matches('\'').to_owned())
    });
    let Some(prepared) = prepared else { return };
    for drawn in drawn.iter_mut().filter(|drawn| drawn.term.to_string().starts_with("EXECUTE p")) {
        let execute = std::mem::replace(&mut drawn.term, Term::row(Vec::new()));
        drawn.term = Term::row(vec![execute, Term::words(Role::Fixed, format!(" -- {prepared}"))]);
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn pages_read_and_name_what_is_there() {
        for page in PAGES {
            let grammar =
                Grammar::read(&[COMMON, page.text]).unwrap_or_else(|e| panic!("{}: {e}", page.name));
            let entries: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
            let common = Grammar::read(&[COMMON]).unwrap();
            let own = |end: &String| !common.has(end);
            let loose: Vec<String> = grammar.loose_ends(&entries).into_iter().filter(own).collect();
            assert_eq!(loose, Vec::<String>::new(), "{}", page.name);
            assert!(grammar.tables.iter().map(|table| table.rows).sum::<usize>() >= 100, "{}", page.name);
        }
    }

    #[test]
    fn a_seed_makes_the_same_session_and_others_thousands_of_statements() {
        let drawn = |seed, name| {
            let mut dice = Dice::new(seed);
            let mut session = Session::new(&mut dice, Some(name)).unwrap();
            let mut texts: Vec<String> =
                session.tables(&mut dice).iter().map(|made| made.term.to_string()).collect();
            texts.extend((0..600).map(|_| session.statement(&mut dice).term.to_string()));
            texts
        };
        for name in names() {
            assert_eq!(drawn(3, name), drawn(3, name));
            let different: BTreeSet<String> = (0..4).flat_map(|seed| drawn(seed, name)).collect();
            assert!(different.len() > 1000, "{name}: {}", different.len());
        }
    }

    #[test]
    fn every_definition_is_of_a_table_and_what_changes_it_is_looked_at() {
        let mut dice = Dice::new(1);
        let session = Session::new(&mut dice, Some("shop")).unwrap();
        let described =
            |text: &str| session.described(Drawn { term: Term::words(Role::Fixed, text), ordered: false });
        assert_eq!(described("UPDATE orders SET total = 1").probes, ["SELECT * FROM orders"]);
        assert_eq!(described("SELECT COUNT(*) FROM orders").effect, Effect::None);
        assert_eq!(described("SELECT 1 INTO @a").effect, Effect::Rows);
        assert_eq!(described("ALTER TABLE orders ADD x INT").effect, Effect::Tables);
        assert!(described("START TRANSACTION").probes.is_empty());
    }
}
