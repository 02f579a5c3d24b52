//! Joins within joins: a few small tables, and queries and changes whose FROM clauses are trees of joins of all kinds, with
//! subqueries in every place that read the rows around them, one and two levels up. What is computed stays simple: the rows
//! that come together are what is looked for.

use crate::dice::Dice;
use crate::statement::{Effect, Statement, Way};
use crate::term::{Role, Term};
use query::Draw;

mod join;
mod query;
mod value;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
}

/// Something that an expression may name.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    kind: Kind,
    /// Of a table that is kept: no view's or query's, which may be an expression.
    kept: bool,
}

/// A table, a view or a common table expression.
#[derive(Clone, Debug)]
struct Table {
    name: String,
    columns: Vec<Name>,
    /// Its `id` tells each row from all others.
    identified: bool,
    /// What fills it; nothing for what is not changed.
    rows: Option<String>,
}

/// A session over some tables.
pub struct Session {
    tables: Vec<Table>,
    /// What makes the tables.
    made: Vec<String>,
    /// What comes next, the last first.
    pending: Vec<Statement>,
}

/// The columns that tables have beside `id`: some names are several tables', for NATURAL and USING.
const COLUMNS: &[(&str, Kind)] =
    &[("a", Kind::Number), ("b", Kind::Number), ("c", Kind::Number), ("s", Kind::Text)];

/// The table that rows are put into.
const SINK: &str = "CREATE TABLE sink (a INT, b INT, s VARCHAR(200))";

const NUMBERS: &[&str] = &["0", "1", "1", "2", "2", "3", "NULL"];
const TEXTS: &[&str] = &["'a'", "'a'", "'b'", "'ab'", "''", "NULL"];

impl Session {
    /// Tables of a seed.
    pub fn new(dice: &mut Dice) -> Session {
        let mut session = Session { tables: Vec::new(), made: Vec::new(), pending: Vec::new() };
        session.made.push(SINK.to_owned());
        for number in 1..=dice.between(3, 5) {
            session.table(dice, format!("n{number}"));
        }
        for number in 1..=dice.between(1, 2) {
            session.view(dice, format!("v{number}"));
        }
        session
    }

    fn table(&mut self, dice: &mut Dice, name: String) {
        let mut columns = vec![("id", Kind::Number)];
        columns.extend(COLUMNS.iter().filter(|_| dice.chance(3, 4)));
        let strict: Vec<bool> =
            columns.iter().map(|(column, _)| *column == "id" || dice.chance(1, 4)).collect();
        let defined = columns.iter().zip(&strict).map(|((column, kind), strict)| {
            let ty = if *kind == Kind::Number { "INT" } else { "VARCHAR(5)" };
            format!("{column} {ty}{}", if *strict { " NOT NULL" } else { "" })
        });
        let mut parts: Vec<String> = defined.collect();
        if dice.chance(3, 4) {
            parts.push("PRIMARY KEY (id)".into());
        }
        for (column, _) in columns.iter().skip(1) {
            if dice.chance(1, 4) {
                parts.push(format!("KEY ({column})"));
            }
        }
        if columns.len() > 2 && dice.chance(1, 4) {
            parts.push(format!("KEY ({}, {})", columns[2].0, columns[1].0));
        }
        self.made.push(format!("CREATE TABLE {name} ({})", parts.join(", ")));
        let count = if dice.chance(1, 7) { 0 } else { dice.between(1, 5) };
        let mut ids: Vec<i64> = (0..6).collect();
        dice.shuffle(&mut ids);
        let mut rows = Vec::new();
        for id in ids.iter().take(usize::try_from(count).unwrap_or(0)) {
            let mut values = vec![id.to_string()];
            for ((_, kind), strict) in columns.iter().zip(&strict).skip(1) {
                let list = if *kind == Kind::Number { NUMBERS } else { TEXTS };
                let list = if *strict { &list[..list.len() - 1] } else { list };
                values.push((*dice.pick(list)).to_owned());
            }
            rows.push(format!("({})", values.join(", ")));
        }
        let rows = match rows.is_empty() {
            true => format!("DELETE FROM {name}"),
            false => format!("INSERT INTO {name} VALUES {}", rows.join(", ")),
        };
        self.made.push(rows.clone());
        let named = columns.into_iter().map(|(column, kind)| Name { text: column.into(), kind, kept: true });
        self.tables.push(Table { name, columns: named.collect(), identified: true, rows: Some(rows) });
    }

    fn view(&mut self, dice: &mut Dice, name: String) {
        let mut draw = Draw::new(dice, self.tables.clone());
        let columns = draw.columns();
        let query = draw.apart(&columns);
        self.made.push(format!("CREATE VIEW {name} AS {query}"));
        self.tables.push(Table { name, columns, identified: false, rows: None });
    }

    /// The statements that make its tables and fill them.
    pub fn tables(&self) -> Vec<Statement> {
        let made = self.made.iter().map(|sql| Statement::define(Term::words(Role::Fixed, sql), Vec::new()));
        made.collect()
    }

    /// The next statement.
    pub fn statement(&mut self, dice: &mut Dice) -> Statement {
        if let Some(next) = self.pending.pop() {
            return next;
        }
        let changes = dice.chance(1, 8);
        let binary = dice.chance(1, 10);
        let mut draw = Draw::new(dice, self.tables.clone());
        if changes {
            return self.change(dice);
        }
        let (term, ordered) = draw.whole();
        let mut statement = Statement::query(term, ordered);
        if binary {
            statement.way = Way::Binary;
        }
        statement
    }

    /// A change, and what puts the rows back that it changed.
    fn change(&mut self, dice: &mut Dice) -> Statement {
        let form = dice.below(5);
        let back = dice.chance(2, 3);
        let mut draw = Draw::new(dice, self.tables.clone());
        if form == 0 {
            self.pending.push(plain("DELETE FROM sink"));
            return Statement::change(draw.insert(), vec!["SELECT * FROM sink".into()]);
        }
        let (term, targets) =
            if form < 3 { draw.one_table(form == 1) } else { draw.joined_tables(form == 3) };
        let Some(target) = targets else { return Statement::query(draw.whole().0, false) };
        let rows = self.tables.iter().find(|table| table.name == target).and_then(|table| table.rows.clone());
        if let Some(rows) = rows.filter(|_| back) {
            self.pending.push(plain(&rows));
            self.pending.push(plain(&format!("DELETE FROM {target}")));
        }
        Statement::change(term, vec![format!("SELECT * FROM {target}")])
    }
}

/// A change as it stands.
fn plain(sql: &str) -> Statement {
    Statement { effect: Effect::Rows, ..Statement::words(sql) }
}

fn fixed(text: impl Into<String>) -> Term {
    Term::words(Role::Fixed, text)
}

fn clause(template: &str, parts: Vec<Term>) -> Term {
    Term::of(Role::Optional, template, parts)
}

fn expr(template: &str, parts: Vec<Term>) -> Term {
    Term::of(Role::Expr, template, parts)
}

fn word(text: impl Into<String>) -> Term {
    Term::words(Role::Expr, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn drawn(seed: u64) -> Vec<String> {
        let mut dice = Dice::new(seed);
        let mut session = Session::new(&mut dice);
        let mut texts: Vec<String> = session.tables().iter().map(|made| made.term.to_string()).collect();
        texts.extend((0..100).map(|_| session.statement(&mut dice).term.to_string()));
        texts
    }

    #[test]
    fn a_seed_draws_the_same_statements_and_all_forms_show() {
        assert_eq!(drawn(7), drawn(7));
        let all: BTreeSet<String> = (0..20).flat_map(drawn).collect();
        assert!(all.len() > 1800, "{}", all.len());
        for part in [
            " LEFT JOIN (",
            " RIGHT JOIN ",
            " NATURAL ",
            " USING (",
            "(SELECT MAX(",
            " NOT IN (SELECT ",
            "EXISTS (SELECT ",
            " ALL (SELECT ",
            " ANY (SELECT ",
            " UNION ",
            "WITH w",
            " HAVING ",
            " ORDER BY (SELECT ",
            " LIMIT ",
            "DISTINCT ",
            "INSERT INTO sink SELECT ",
            "UPDATE (",
            "DELETE x",
        ] {
            assert!(all.iter().any(|sql| sql.contains(part)), "none has {part}");
        }
    }

    #[test]
    fn subqueries_name_rows_two_levels_up() {
        let deep = |sql: &String| {
            let inner = sql.split("(SELECT ").nth(2).unwrap_or_default();
            inner.contains("x1.") && sql.starts_with("SELECT ")
        };
        assert!((0..10).flat_map(drawn).any(|sql| deep(&sql)));
    }
}
