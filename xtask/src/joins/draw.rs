//! Queries drawn at random from what an application might ask of its tables.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What queries are drawn from: `bench/joins/tables.toml`, which says what its parts mean.
#[derive(Debug, Deserialize)]
pub struct Tables {
    links: Vec<[String; 2]>,
    tables: BTreeMap<String, Table>,
}

#[derive(Debug, Deserialize)]
struct Table {
    key: Vec<String>,
    read: Vec<String>,
    summed: Vec<String>,
    grouped: Vec<String>,
    conditions: Vec<String>,
}

/// How far the rows of a query are determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// The same rows on every server, in whatever order.
    Same,
    /// A LIMIT cuts among rows that sort alike: as many on every server.
    AsMany,
}

/// A query.
#[derive(Debug)]
pub struct Query {
    /// Its text.
    pub sql: String,
    /// What of its rows may be compared.
    pub rows: Rows,
}

/// A table of a query: its alias and its name.
#[derive(Debug, Clone, Copy)]
struct Named<'a>(usize, &'a str);

/// Draws queries: the same from the same seed.
pub struct Drawer<'a> {
    tables: &'a Tables,
    dice: StdRng,
}

impl<'a> Drawer<'a> {
    pub fn new(tables: &'a Tables, seed: u64) -> Drawer<'a> {
        Drawer { tables, dice: StdRng::seed_from_u64(seed) }
    }

    /// The next query.
    pub fn query(&mut self) -> Query {
        let names: Vec<&'a str> = self.tables.tables.keys().map(String::as_str).collect();
        let mut joined = vec![Named(0, self.among(&names))];
        let (mut from, mut conditions) = (format!("{} t0", joined[0].1), Vec::<String>::new());
        let mut missing = None;
        for place in 1..=self.among(&[0, 0, 1, 1, 1, 2, 2, 3]) {
            let left = self.among(&joined);
            let (own, right, column) = self.link(left.1);
            let right = Named(place, right);
            if self.once_in(16) {
                from.push_str(&self.joined_groups(left, own, right, column));
                continue;
            }
            let outer = self.once_in(4);
            let further = if outer && self.once_in(3) {
                format!(" AND {}", self.condition(right))
            } else {
                String::new()
            };
            let kind = if outer { "LEFT JOIN" } else { "JOIN" };
            from.push_str(&format!(
                " {kind} {} t{place} ON t{place}.{column} = t{}.{own}{further}",
                right.1, left.0
            ));
            if outer && missing.is_none() {
                missing = Some(format!("t{place}.{column} IS NULL"));
            }
            joined.push(right);
        }
        for _ in 0..self.among(&[0, 1, 1, 2, 2, 3]) {
            let table = self.among(&joined);
            let condition = self.condition(table);
            // Two conditions of one column mostly contradict each other.
            let column = |text: &str| text.split(" ").next().map(str::to_owned);
            if conditions.iter().all(|earlier| column(earlier) != column(&condition)) {
                conditions.push(condition);
            }
        }
        if let Some(missing) = missing
            && self.once_in(3)
        {
            conditions.push(missing);
        }
        if self.once_in(4) {
            let table = self.among(&joined);
            conditions.push(self.subquery(table));
        }
        if self.once_in(6) {
            let (one, other) = (self.among(&joined), self.among(&joined));
            conditions.push(format!("({} OR {})", self.condition(one), self.condition(other)));
        }
        let rows =
            if conditions.is_empty() { from } else { format!("{from} WHERE {}", conditions.join(" AND ")) };
        self.asked_of(&joined, &rows)
    }

    /// What is asked of joined rows: `rows` is all from FROM's tables to WHERE's end.
    fn asked_of(&mut self, joined: &[Named<'a>], rows: &str) -> Query {
        let (a, b) = (self.among(joined), self.among(joined));
        let same = |sql: String| Query { sql, rows: Rows::Same };
        match self.dice.random_range(0..10) {
            0 | 1 => same(format!("SELECT COUNT(*) FROM {rows}")),
            2 => same(format!(
                "SELECT COUNT(DISTINCT {}), SUM({}) FROM {rows}",
                self.read(a),
                self.column(b, |t| &t.summed)
            )),
            3 | 4 => self.grouped(a, b, rows),
            5..=7 => self.sorted(a, b, joined, rows),
            8 => {
                let (one, other) = (self.column(a, |t| &t.grouped), self.column(b, |t| &t.grouped));
                let end = self.among(&[" ORDER BY 1, 2 LIMIT 20", ""]);
                same(format!("SELECT DISTINCT {one}, {other} FROM {rows}{end}"))
            }
            _ => {
                let (one, other) = (self.among(&["MAX", "MIN"]), self.among(&["MAX", "MIN"]));
                same(format!("SELECT {one}({}), {other}({}) FROM {rows}", self.read(a), self.read(b)))
            }
        }
    }

    fn grouped(&mut self, a: Named<'a>, b: Named<'a>, rows: &str) -> Query {
        let (group, value) = (self.column(a, |t| &t.grouped), self.column(b, |t| &t.summed));
        let function = self.among(&["SUM", "MAX", "MIN", "AVG"]);
        let having =
            if self.once_in(3) { format!(" HAVING COUNT(*) > {}", self.up_to(1, 5)) } else { String::new() };
        let order = match self.dice.random_range(0..4) {
            0 => format!("ORDER BY 2 DESC, 1 LIMIT {}", self.up_to(3, 20)),
            1 => "ORDER BY 1".to_owned(),
            2 => "ORDER BY NULL".to_owned(),
            _ => format!("ORDER BY 1 LIMIT {}", self.up_to(1, 10)),
        };
        Query {
            sql: format!(
                "SELECT {group}, COUNT(*), {function}({value}) FROM {rows} GROUP BY {group}{having} {order}"
            ),
            rows: Rows::Same,
        }
    }

    fn sorted(&mut self, a: Named<'a>, b: Named<'a>, joined: &[Named<'a>], rows: &str) -> Query {
        let mut keys = Vec::new();
        for table in [a, b].into_iter().take(self.among(&[1, 2])) {
            keys.push(format!("{}{}", self.read(table), self.among(&["", " DESC"])));
        }
        let whole = self.once_in(2);
        if whole {
            for Named(place, name) in joined {
                keys.extend(self.tables.tables[*name].key.iter().map(|column| format!("t{place}.{column}")));
            }
        }
        let limit = match self.dice.random_range(0..3) {
            0 => format!("LIMIT {}, {}", self.up_to(1000, 9000), self.up_to(1, 50)),
            _ => format!("LIMIT {}", self.up_to(1, 50)),
        };
        Query {
            sql: format!(
                "SELECT {}, {} FROM {rows} ORDER BY {} {limit}",
                self.read(a),
                self.read(b),
                keys.join(", ")
            ),
            rows: if whole { Rows::Same } else { Rows::AsMany },
        }
    }

    /// A join with the groups of a table: ` JOIN (...) d1 ON ...`.
    fn joined_groups(&mut self, left: Named<'a>, own: &str, right: Named<'a>, column: &str) -> String {
        let Named(place, name) = right;
        let (value, condition) = (self.column(right, |t| &t.summed), self.condition(right));
        format!(
            " JOIN (SELECT t{place}.{column}, COUNT(*) n, MAX({value}) mx FROM {name} t{place} WHERE {condition} \
             GROUP BY t{place}.{column}) d{place} ON d{place}.{column} = t{}.{own}",
            left.0
        )
    }

    /// A condition with a subquery.
    fn subquery(&mut self, outer: Named<'a>) -> String {
        let (own, name, column) = self.link(outer.1);
        let inner = Named(9, name);
        let condition = if self.once_in(4) { "1 = 1".to_owned() } else { self.condition(inner) };
        let own = format!("t{}.{own}", outer.0);
        let linked = format!("FROM {name} t9 WHERE t9.{column} = {own} AND {condition}");
        match self.dice.random_range(0..6) {
            0 => format!("EXISTS (SELECT 1 {linked})"),
            1 => format!("NOT EXISTS (SELECT 1 {linked})"),
            2 => format!("{own} IN (SELECT t9.{column} FROM {name} t9 WHERE {condition})"),
            3 => format!(
                "{own} NOT IN (SELECT t9.{column} FROM {name} t9 WHERE {condition} AND t9.{column} IS NOT NULL)"
            ),
            4 => format!("(SELECT COUNT(*) {linked}) > {}", self.up_to(0, 3)),
            _ => format!(
                "{} > (SELECT AVG({}) FROM {name} t9 WHERE {condition})",
                self.column(outer, |t| &t.summed),
                self.column(inner, |t| &t.summed)
            ),
        }
    }

    /// A table that belongs to one: the column here, the table and its column.
    fn link(&mut self, table: &str) -> (&'a str, &'a str, &'a str) {
        let split = |name: &'a String| name.split_once('.').unwrap_or(("", name));
        let tables = self.tables;
        let links: Vec<_> = tables
            .links
            .iter()
            .flat_map(|[one, other]| [(split(one), split(other)), (split(other), split(one))])
            .filter(|((here, _), _)| *here == table)
            .collect();
        let ((_, own), (name, column)) = self.among(&links);
        (own, name, column)
    }

    fn read(&mut self, table: Named<'a>) -> String {
        self.column(table, |t| &t.read)
    }

    /// One of a table's columns, with its alias.
    fn column(&mut self, table: Named<'a>, of: fn(&'a Table) -> &'a Vec<String>) -> String {
        let Named(place, name) = table;
        format!("t{place}.{}", self.among(&of(&self.tables.tables[name]).iter().collect::<Vec<_>>()))
    }

    fn condition(&mut self, table: Named<'a>) -> String {
        let Named(place, name) = table;
        let written = self.among(&self.tables.tables[name].conditions.iter().collect::<Vec<_>>());
        let mut text = String::new();
        for (at, part) in written.replace("@.", &format!("t{place}.")).split(['{', '}']).enumerate() {
            if at % 2 == 0 {
                text.push_str(part);
            } else if let Some((low, high)) = part.split_once("..") {
                let bound = |text: &str| text.parse().unwrap_or(0);
                text.push_str(&self.up_to(bound(low), bound(high)).to_string());
            } else {
                text.push_str(self.among(&part.split('|').collect::<Vec<_>>()));
            }
        }
        text
    }

    fn among<T: Copy>(&mut self, choices: &[T]) -> T {
        *choices.choose(&mut self.dice).expect("something to choose from")
    }

    fn once_in(&mut self, times: u32) -> bool {
        self.dice.random_ratio(1, times)
    }

    fn up_to(&mut self, low: u64, high: u64) -> u64 {
        self.dice.random_range(low..=high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(seed: u64) -> Vec<String> {
        let read = include_str!("../../../bench/joins/tables.toml");
        let tables: Tables = toml::from_str(read).expect("tables.toml says what queries are drawn from");
        let mut drawer = Drawer::new(&tables, seed);
        (0..500).map(|_| drawer.query().sql).collect()
    }

    #[test]
    fn a_seed_draws_the_same_queries_and_fills_in_all_places() {
        let drawn = queries(7);
        assert_eq!(drawn, queries(7));
        assert_ne!(drawn, queries(8));
        for sql in &drawn {
            assert!(
                sql.starts_with("SELECT ") && !sql.contains(['{', '}', '|']) && !sql.contains("@."),
                "{sql}"
            );
        }
        for part in ["LEFT JOIN", "EXISTS", "NOT IN", "GROUP BY", "DISTINCT", "HAVING", "LIMIT", " OR "] {
            assert!(drawn.iter().any(|sql| sql.contains(part)), "none of 500 has {part}");
        }
    }
}
