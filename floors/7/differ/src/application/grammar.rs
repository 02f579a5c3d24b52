//! The language that applications' statements are written in: a page of rules, from which statements are drawn.
//!
//! ```text
//! table orders 120                     a table of 120 rows:
//!     CREATE TABLE orders (id INT)     its definition,
//!     (<#>)                            and a row of it; <#> is the row's number
//! column:                              a rule with its alternatives, one a line (deeper lines go on with the one above)
//!     o.id
//!     o.total
//! where expression:                    a rule whose parts may stand for the whole when a statement is made smaller
//!     {o|p}.id = <1..120>              any one of several, a number from a range
//! query:
//!     SELECT <column*2> FROM orders o  up to two different alternatives of a rule, with commas between (`&`: with AND)
//!       [ WHERE <where>]               what may be left out
//!       [ ORDER BY o.id<!>]            from here on the order of rows counts
//! unit:
//!     BEGIN ;; COMMIT                  statements behind one another
//!     SELECT <k=column>, <$k>          what was drawn, once more
//! ```
//!
//! A `[` without a space or comma behind it and a `{` before a quote or a brace are those of JSON.

use crate::dice::Dice;
use crate::term::{Piece, Role, Term};
use std::collections::BTreeMap;

/// A page, read.
#[derive(Default)]
pub struct Grammar {
    rules: BTreeMap<String, Rule>,
    /// Its tables in the order of writing.
    pub tables: Vec<Table>,
}

/// A table, and what fills it.
pub struct Table {
    /// Its name.
    pub name: String,
    /// Number of rows.
    pub rows: usize,
    definition: Vec<Part>,
    row: Vec<Part>,
}

struct Rule {
    role: Role,
    alternatives: Vec<Vec<Part>>,
}

enum Part {
    Text(String),
    /// So many different alternatives of a rule at most, and what stands between.
    Rule(String, usize, &'static str),
    Number(i64, i64),
    Choice(Vec<Vec<Part>>),
    Optional(Vec<Part>),
    /// A rule's alternative that gets a name.
    Named(String, String),
    /// What has the name.
    Again(String),
    Ordered,
    RowNumber,
    NextStatement,
}

/// A statement as it was drawn.
pub struct Drawn {
    /// Its parts.
    pub term: Term,
    /// The order of its rows counts.
    pub ordered: bool,
}

impl Grammar {
    /// Reads pages.
    pub fn read(pages: &[&str]) -> Result<Grammar, String> {
        let mut grammar = Grammar::default();
        for page in pages {
            for (head, lines) in sections(page) {
                grammar.take(&head, &lines).map_err(|e| format!("{head}: {e}"))?;
            }
        }
        Ok(grammar)
    }

    fn take(&mut self, head: &str, lines: &[String]) -> Result<(), String> {
        let parts = lines.iter().map(|line| parts_of(line)).collect::<Result<Vec<_>, _>>()?;
        if let Some(table) = head.strip_prefix("table ") {
            let (name, rows) = table.split_once(' ').ok_or("a table's name and its number of rows")?;
            let rows = rows.parse().map_err(|_| "no number of rows")?;
            let mut parts = parts.into_iter();
            let (Some(definition), Some(row)) = (parts.next(), parts.next()) else {
                return Err("a definition and a row".into());
            };
            self.tables.push(Table { name: name.to_owned(), rows, definition, row });
            return Ok(());
        }
        let name = head.strip_suffix(':').ok_or("a rule's name, a colon")?;
        let (name, role) = match name.strip_suffix(" expression") {
            Some(name) => (name, Role::Expr),
            None => (name, Role::Fixed),
        };
        match self.rules.insert(name.to_owned(), Rule { role, alternatives: parts }) {
            Some(_) => Err("a rule twice".into()),
            None => Ok(()),
        }
    }

    /// An alternative of a rule: its statements.
    pub fn statements(&self, dice: &mut Dice, rule: &str) -> Vec<Drawn> {
        let Some(rule) = self.rules.get(rule) else { return Vec::new() };
        let parts = dice.pick(&rule.alternatives);
        let mut drawing = Drawing { grammar: self, named: BTreeMap::new(), row: 0, ordered: false };
        let each = parts.split(|part| matches!(part, Part::NextStatement));
        each.map(|parts| {
            let term = drawing.term(dice, Role::Fixed, parts);
            Drawn { term, ordered: std::mem::take(&mut drawing.ordered) }
        })
        .collect()
    }

    /// A table's definition.
    pub fn definition(&self, dice: &mut Dice, table: &Table) -> Term {
        self.drawing(0).term(dice, Role::Fixed, &table.definition)
    }

    /// The rows of a table from one number to another, with commas between; any but the first may be left out.
    pub fn rows(&self, dice: &mut Dice, table: &Table, first: usize, last: usize) -> Term {
        let mut rows: Vec<Term> = Vec::new();
        for row in first..=last {
            let row = self.drawing(row).term(dice, Role::Fixed, &table.row);
            rows.push(if rows.is_empty() { row } else { Term::of(Role::Optional, ", {}", vec![row]) });
        }
        halved(rows)
    }

    fn drawing(&self, row: usize) -> Drawing<'_> {
        Drawing { grammar: self, named: BTreeMap::new(), row, ordered: false }
    }

    /// Whether it has a rule.
    #[cfg(test)]
    pub fn has(&self, rule: &str) -> bool {
        self.rules.contains_key(rule)
    }

    /// Rules that are named and are not there, and those that nothing names.
    #[cfg(test)]
    pub fn loose_ends(&self, entries: &[&str]) -> Vec<String> {
        let mut named: Vec<&str> = entries.to_vec();
        let tables = self.tables.iter().flat_map(|table| [&table.definition, &table.row]);
        for parts in self.rules.values().flat_map(|rule| &rule.alternatives).chain(tables) {
            names(parts, &mut named);
        }
        let missing = named.iter().filter(|name| !self.rules.contains_key(**name)).map(|n| (*n).to_owned());
        let unused = self.rules.keys().filter(|name| !named.contains(&name.as_str())).cloned();
        missing.chain(unused).collect()
    }
}

/// Members of which a half, a quarter and so on may go at once.
fn halved(mut members: Vec<Term>) -> Term {
    if members.len() < 4 {
        return Term::row(members);
    }
    let rest = members.split_off(members.len() / 2);
    let mut rest = halved(rest);
    rest.role = Role::Optional;
    Term::row(vec![halved(members), rest])
}

#[cfg(test)]
fn names<'g>(parts: &'g [Part], found: &mut Vec<&'g str>) {
    for part in parts {
        match part {
            Part::Rule(name, ..) | Part::Named(_, name) => found.push(name),
            Part::Optional(parts) => names(parts, found),
            Part::Choice(choices) => choices.iter().for_each(|parts| names(parts, found)),
            _ => {}
        }
    }
}

/// A drawing under way.
struct Drawing<'g> {
    grammar: &'g Grammar,
    named: BTreeMap<&'g str, String>,
    row: usize,
    ordered: bool,
}

impl<'g> Drawing<'g> {
    fn term(&mut self, dice: &mut Dice, role: Role, parts: &'g [Part]) -> Term {
        let mut pieces = Vec::new();
        for part in parts {
            let piece = match part {
                Part::Text(text) => Piece::Text(text.clone()),
                Part::Number(low, high) => Piece::Text(dice.between(*low, *high).to_string()),
                Part::RowNumber => Piece::Text(self.row.to_string()),
                Part::Choice(choices) => {
                    let chosen = dice.pick(choices);
                    Piece::Part(self.term(dice, Role::Fixed, chosen))
                }
                Part::Rule(name, most, between) => Piece::Part(self.some(dice, name, *most, between)),
                Part::Named(name, rule) => {
                    let drawn = self.some(dice, rule, 1, "");
                    self.named.insert(name, drawn.to_string());
                    Piece::Part(drawn)
                }
                Part::Again(name) => Piece::Text(self.named.get(name.as_str()).cloned().unwrap_or_default()),
                Part::Optional(parts) if dice.chance(1, 2) => {
                    let before = self.ordered;
                    let mut clause = self.term(dice, Role::Optional, parts);
                    if self.ordered != before {
                        // Without it the order of rows would be chance.
                        clause.role = Role::Fixed;
                    }
                    Piece::Part(clause)
                }
                Part::Ordered => {
                    self.ordered = true;
                    continue;
                }
                Part::Optional(_) | Part::NextStatement => continue,
            };
            pieces.push(piece);
        }
        Term { role, pieces }
    }

    /// Up to so many different alternatives of a rule.
    fn some(&mut self, dice: &mut Dice, name: &str, most: usize, between: &str) -> Term {
        let grammar = self.grammar;
        let Some(rule) = grammar.rules.get(name) else { return Term::row(Vec::new()) };
        if most == 1 {
            let chosen = dice.pick(&rule.alternatives);
            return self.term(dice, rule.role, chosen);
        }
        let mut places: Vec<usize> = (0..rule.alternatives.len()).collect();
        dice.shuffle(&mut places);
        places.truncate(1 + dice.below(most));
        let mut members = Vec::new();
        for place in places {
            let member = self.term(dice, rule.role, &rule.alternatives[place]);
            let template = format!("{between}{{}}");
            members.push(match members.is_empty() {
                true => member,
                false => Term::of(Role::Optional, &template, vec![member]),
            });
        }
        Term::row(members)
    }
}

/// The heads of a page with the lines below each.
fn sections(page: &str) -> Vec<(String, Vec<String>)> {
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    for line in page.lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with("# ") {
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        let section = match depth {
            0 => {
                sections.push((text.to_owned(), Vec::new()));
                continue;
            }
            _ => sections.last_mut(),
        };
        let Some((_, lines)) = section else { continue };
        match lines.last_mut() {
            Some(last) if depth > 4 => {
                // A clause that may be left out brings its space along.
                if !text.starts_with("[ ") && !text.starts_with("[,") && !last.ends_with('(') {
                    last.push(' ');
                }
                last.push_str(text);
            }
            _ => lines.push(text.to_owned()),
        }
    }
    sections
}

fn parts_of(line: &str) -> Result<Vec<Part>, String> {
    let mut reader = Reader { rest: line };
    let parts = reader.parts(&[])?;
    if reader.rest.is_empty() { Ok(parts) } else { Err(format!("what is {:?}?", reader.rest)) }
}

struct Reader<'l> {
    rest: &'l str,
}

impl Reader<'_> {
    /// What stands before one of `ends`.
    fn parts(&mut self, ends: &[char]) -> Result<Vec<Part>, String> {
        let (mut parts, mut text, mut closing) = (Vec::new(), String::new(), Vec::new());
        while let Some(c) = self.rest.chars().next() {
            if closing.is_empty() && ends.contains(&c) {
                break;
            }
            let behind = &self.rest[c.len_utf8()..];
            let next = behind.chars().next().unwrap_or(' ');
            let part = match c {
                '[' if " ,".contains(next) => {
                    self.rest = behind;
                    let parts = self.parts(&[']'])?;
                    self.closed(']')?;
                    Part::Optional(parts)
                }
                '{' if !"\"}".contains(next) => {
                    let mut choices = Vec::new();
                    while !self.rest.starts_with('}') {
                        self.rest = self.rest.get(1..).ok_or("{ without }")?;
                        choices.push(self.parts(&['|', '}'])?);
                    }
                    self.closed('}')?;
                    Part::Choice(choices)
                }
                '<' if next.is_ascii_alphanumeric() || "-#!$".contains(next) => {
                    let (inside, rest) = behind.split_once('>').ok_or("< without >")?;
                    self.rest = rest;
                    reference(inside)?
                }
                ' ' if behind.starts_with(";; ") => {
                    self.rest = &behind[";; ".len()..];
                    Part::NextStatement
                }
                _ => {
                    match c {
                        '[' => closing.push(']'),
                        '{' => closing.push('}'),
                        c if closing.last() == Some(&c) => drop(closing.pop()),
                        _ => {}
                    }
                    text.push(c);
                    self.rest = behind;
                    continue;
                }
            };
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(part);
        }
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        Ok(parts)
    }

    fn closed(&mut self, end: char) -> Result<(), String> {
        self.rest = self.rest.strip_prefix(end).ok_or_else(|| format!("no {end}"))?;
        Ok(())
    }
}

/// What stands between `<` and `>`.
fn reference(inside: &str) -> Result<Part, String> {
    if inside == "!" {
        return Ok(Part::Ordered);
    }
    if inside == "#" {
        return Ok(Part::RowNumber);
    }
    if let Some(name) = inside.strip_prefix('$') {
        return Ok(Part::Again(name.to_owned()));
    }
    if let Some((low, high)) = inside.split_once("..") {
        let number = |text: &str| text.parse().map_err(|_| format!("{text} is no number"));
        return Ok(Part::Number(number(low)?, number(high)?));
    }
    if let Some((name, rule)) = inside.split_once('=') {
        return Ok(Part::Named(name.to_owned(), rule.to_owned()));
    }
    for (mark, between) in [('*', ", "), ('&', " AND ")] {
        if let Some((rule, most)) = inside.split_once(mark) {
            let most = most.parse().map_err(|_| format!("{most} is no number"))?;
            return Ok(Part::Rule(rule.to_owned(), most, between));
        }
    }
    Ok(Part::Rule(inside.to_owned(), 1, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(page: &str) -> Vec<String> {
        let grammar = Grammar::read(&[page]).unwrap();
        let mut texts: Vec<String> = (0..60)
            .flat_map(|seed| grammar.statements(&mut Dice::new(seed), "query"))
            .map(|drawn| format!("{}{}", drawn.term, if drawn.ordered { " in order" } else { "" }))
            .collect();
        texts.sort();
        texts.dedup();
        texts
    }

    #[test]
    fn choices_clauses_and_numbers_are_drawn() {
        assert_eq!(
            texts("query:\n    SELECT {a|b}[ FROM t]"),
            ["SELECT a", "SELECT a FROM t", "SELECT b", "SELECT b FROM t"]
        );
        assert_eq!(texts("query:\n    SELECT <1..2>\n      + 1"), ["SELECT 1 + 1", "SELECT 2 + 1"]);
    }

    #[test]
    fn rules_give_several_alternatives_names_and_an_order() {
        let page = "query:\n    SELECT <k=c>, <$k>\nc:\n    a\n    b";
        assert_eq!(texts(page), ["SELECT a, a", "SELECT b, b"]);
        let page = "query:\n    SELECT <c*2>[ ORDER BY a<!>]\nc:\n    a";
        assert_eq!(texts(page), ["SELECT a", "SELECT a ORDER BY a in order"]);
        assert_eq!(texts("query:\n    BEGIN ;; COMMIT"), ["BEGIN", "COMMIT"]);
    }

    #[test]
    fn json_stays_as_it_is() {
        let page = "query:\n    SELECT '{\"a\": [1, {\"b\": {}}]}', '$[0].a' {<|>} 1";
        assert_eq!(texts(page)[0], "SELECT '{\"a\": [1, {\"b\": {}}]}', '$[0].a' < 1");
    }

    #[test]
    fn faults_are_told() {
        for page in ["query:\n    {a|b", "query:\n    <1..x>", "query\n    a", "table t 3\n    a", "q:\nq:"] {
            assert!(Grammar::read(&[page]).is_err(), "{page}");
        }
    }
}
