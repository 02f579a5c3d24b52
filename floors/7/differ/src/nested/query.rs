//! Queries, and the changes that have their conditions.

use super::join::Joined;
use super::{COLUMNS, Kind, Name, Table, clause, expr, fixed};
use crate::dice::Dice;
use crate::term::{Role, Term};

/// Subqueries that a statement has at most.
const SUBQUERIES: usize = 5;

/// A statement while it is drawn.
pub(super) struct Draw<'d> {
    pub dice: &'d mut Dice,
    /// What FROM may name.
    pub tables: Vec<Table>,
    /// The names of the query at hand last, those of the rows around before.
    pub scopes: Vec<Vec<Name>>,
    /// Conditions begin with a column of the query at hand.
    pub own_first: bool,
    aliases: usize,
    left: usize,
}

impl Draw<'_> {
    pub(super) fn new(dice: &mut Dice, tables: Vec<Table>) -> Draw<'_> {
        Draw { dice, tables, scopes: Vec::new(), own_first: false, aliases: 0, left: SUBQUERIES }
    }

    pub(super) fn alias(&mut self) -> String {
        self.aliases += 1;
        format!("x{}", self.aliases)
    }

    /// Whether there may be one more subquery.
    pub(super) fn room(&self) -> bool {
        self.left > 0 && self.scopes.len() < 3
    }

    /// How many tables a query here joins at most.
    pub(super) fn most(&self) -> usize {
        4usize.saturating_sub(self.scopes.len()).max(2)
    }

    /// Begins a subquery with its FROM clause.
    pub(super) fn enter(&mut self, most: usize) -> Joined {
        self.left = self.left.saturating_sub(1);
        self.own_first = false;
        self.from(most)
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Names for the columns of a derived table: such as tables have, or its own.
    pub(super) fn columns(&mut self) -> Vec<Name> {
        let mut columns: Vec<Name> = Vec::new();
        for _ in 0..self.dice.between(1, 3) {
            let (name, kind) = *self.dice.pick(COLUMNS);
            self.aliases += 1;
            let taken = columns.iter().any(|column| column.text == name);
            let text =
                if taken || self.dice.chance(1, 2) { format!("q{}", self.aliases) } else { name.into() };
            columns.push(Name { text, kind, kept: false });
        }
        columns
    }

    /// A query that sees nothing around it, with columns of these names.
    pub(super) fn apart(&mut self, columns: &[Name]) -> Term {
        let scopes = std::mem::take(&mut self.scopes);
        let was = std::mem::replace(&mut self.own_first, false);
        self.left = self.left.saturating_sub(1);
        let kinds: Vec<Kind> = columns.iter().map(|column| column.kind).collect();
        let names: Vec<&str> = columns.iter().map(|column| column.text.as_str()).collect();
        let mut query = self.block(&kinds, &names, 2, true).0;
        if self.dice.chance(1, 6) {
            let next = self.block(&kinds, &names, 2, false).0;
            query = Term::row(vec![expr("({})", vec![query]), self.united(next)]);
        }
        self.scopes = scopes;
        self.own_first = was;
        query
    }

    fn united(&mut self, next: Term) -> Term {
        let word = *self.dice.pick(&["UNION", "UNION ALL", "UNION ALL", "INTERSECT", "EXCEPT"]);
        clause(&format!(" {word} ({{}})"), vec![next])
    }

    /// A query for IN, EXISTS, ANY or ALL.
    pub(super) fn list(&mut self, kinds: &[Kind]) -> Term {
        let was = self.own_first;
        self.left = self.left.saturating_sub(1);
        let most = self.most();
        let mut query = self.block(kinds, &[], most, false).0;
        if self.dice.chance(1, 10) {
            let word = *self.dice.pick(&["UNION", "UNION ALL"]);
            let next = self.block(kinds, &[], 2, false).0;
            query = Term::row(vec![query, clause(&format!(" {word} {{}}"), vec![next])]);
        }
        self.own_first = was;
        query
    }

    /// A whole query, and whether its rows have one order.
    pub(super) fn whole(&mut self) -> (Term, bool) {
        let mut head = fixed("");
        if self.dice.chance(1, 8) {
            let columns = self.columns();
            let query = self.apart(&columns);
            head = Term::of(Role::Fixed, "WITH w1 AS ({}) ", vec![query]);
            for _ in 0..2 {
                let columns = columns.clone();
                self.tables.push(Table { name: "w1".into(), columns, identified: false, rows: None });
            }
        }
        let kinds: Vec<Kind> = (0..self.dice.between(1, 4)).map(|_| self.kind()).collect();
        let (query, ordered) = self.block(&kinds, &[], 4, true);
        if !ordered && self.dice.chance(1, 12) {
            let next = self.block(&kinds, &[], 3, false).0;
            let united = self.united(next);
            return (Term::row(vec![head, expr("({})", vec![query]), united]), false);
        }
        (Term::row(vec![head, query]), ordered)
    }

    /// One SELECT, and whether its rows have one order; `limited`: it may be cut off.
    fn block(&mut self, kinds: &[Kind], names: &[&str], most: usize, limited: bool) -> (Term, bool) {
        self.own_first = false;
        let from = self.from(most);
        let made = match self.dice.chance(1, 4) {
            true => (self.grouped(from, kinds, names), false),
            false => self.rows(from, kinds, names, limited),
        };
        self.leave();
        made
    }

    fn filter(&mut self) -> Term {
        match self.dice.chance(3, 5) {
            true => clause(" WHERE {}", vec![self.condition(2)]),
            false => fixed(""),
        }
    }

    fn rows(&mut self, from: Joined, kinds: &[Kind], names: &[&str], limited: bool) -> (Term, bool) {
        let star = self.scopes.len() == 1 && names.is_empty() && limited && self.dice.chance(1, 10);
        let distinct = !star && self.dice.chance(1, 6);
        let mut items = Vec::new();
        for (place, kind) in kinds.iter().enumerate() {
            // MariaDB computes what is no column of a view or a derived table for rows without a partner, too, where an
            // outer join and a temporary table or a subquery read it: such columns are few.
            let value = match names.is_empty() || self.dice.chance(1, 12) {
                true if self.room() && self.dice.chance(1, 8) => self.truth(*kind),
                true => self.value(*kind),
                false => self.strict(*kind),
            };
            items.push(named(value, names.get(place).copied()));
        }
        let head = if distinct { "SELECT DISTINCT " } else { "SELECT " };
        let items = if star { fixed("*") } else { list(items, names.is_empty() && self.scopes.len() == 1) };
        let filter = self.filter();
        let mut parts = vec![fixed(head), items, fixed(" FROM "), from.term, filter];
        let mut ordered = false;
        if limited && self.dice.chance(1, 3) {
            let keys = match from.identity {
                _ if star => None,
                _ if distinct => Some((1..=kinds.len()).map(|place| place.to_string()).collect()),
                identity => identity,
            };
            if let Some(keys) = keys {
                let first = match !distinct && self.dice.chance(1, 3) {
                    true => {
                        let kind = self.kind();
                        let value = if self.room() { self.scalar(kind) } else { self.value(kind) };
                        let down = *self.dice.pick(&["", " DESC"]);
                        clause(&format!("{{}}{down}, "), vec![word_apart(value)])
                    }
                    false => fixed(""),
                };
                let limit = match self.dice.chance(1, 2) {
                    true => {
                        // Of DISTINCT constants MariaDB finds one row behind OFFSET, too.
                        let offset = if !distinct && self.dice.chance(1, 4) { " OFFSET 1" } else { "" };
                        let limit = format!(" LIMIT {}{offset}", self.dice.between(1, 4));
                        Term::words(Role::Optional, limit)
                    }
                    false => fixed(""),
                };
                // Behind LIMIT other rows would be others.
                let template = format!(" ORDER BY {{}}{}{{}}", keys.join(", "));
                parts.push(Term::of(Role::Fixed, &template, vec![first, limit]));
                ordered = true;
            }
        }
        (Term::row(parts), ordered)
    }

    /// Whether something holds, as a number; a value of other kinds.
    fn truth(&mut self, kind: Kind) -> Term {
        match kind {
            Kind::Number => {
                let of = self.with_subquery();
                expr("({})", vec![of])
            }
            Kind::Text => self.scalar(kind),
        }
    }

    fn grouped(&mut self, from: Joined, kinds: &[Kind], names: &[&str]) -> Term {
        let filter = self.filter();
        let mut keys: Vec<Name> = Vec::new();
        let all = self.scopes.last().cloned().unwrap_or_default();
        for _ in 0..self.dice.below(3) {
            // MariaDB's HAVING knows none of two keys that are called alike.
            let alike = |name: &&Name| !keys.iter().any(|key| column_of(&key.text) == column_of(&name.text));
            let fit: Vec<&Name> = all.iter().filter(alike).collect();
            if !fit.is_empty() {
                keys.push((*self.dice.pick(&fit)).clone());
            }
        }
        let mut by: Vec<String> = keys.iter().map(|key| key.text.clone()).collect();
        let mut items = Vec::new();
        for (place, kind) in kinds.iter().enumerate() {
            let fit: Vec<String> =
                keys.iter().filter(|key| key.kind == *kind).map(|key| key.text.clone()).collect();
            let name = names.get(place).copied();
            items.push(match self.dice.below(6) {
                0 | 1 if !fit.is_empty() => named(super::word(self.dice.pick(&fit).clone()), name),
                2 if !keys.is_empty() && self.room() => {
                    // Of a group there is nothing but its keys.
                    let all = self.names_are(keys.clone());
                    let value = self.scalar(*kind);
                    self.names_are(all);
                    named(value, name)
                }
                3 if name.is_none() && !by.is_empty() => {
                    self.aliases += 1;
                    let name = format!("k{}", self.aliases);
                    let value = self.value(*kind);
                    by.push(name.clone());
                    let value = match value.to_string().contains('(') {
                        true => value,
                        // Else it might be called like another key.
                        false => expr("COALESCE({}, {})", vec![value, self.literal(*kind)]),
                    };
                    named(value, Some(&name))
                }
                _ => {
                    let aggregate = self.aggregate(*kind);
                    named(aggregate, name)
                }
            });
        }
        let by = match by.is_empty() {
            true => fixed(""),
            false => fixed(format!(" GROUP BY {}", by.join(", "))),
        };
        let having = match self.dice.chance(1, 3) {
            true => self.having(&keys),
            false => fixed(""),
        };
        let items = list(items, names.is_empty() && self.scopes.len() == 1);
        Term::row(vec![fixed("SELECT "), items, fixed(" FROM "), from.term, filter, by, having])
    }

    /// Puts other names in reach; those that were.
    pub(super) fn names_are(&mut self, names: Vec<Name>) -> Vec<Name> {
        self.scopes.last_mut().map(|last| std::mem::replace(last, names)).unwrap_or_default()
    }

    fn having(&mut self, keys: &[Name]) -> Term {
        let aggregate = self.aggregate(Kind::Number);
        let all = self.names_are(keys.to_vec());
        let condition = match self.dice.below(4) {
            0 if self.room() => self.with_subquery(),
            1 if self.room() => {
                let parts = vec![aggregate, self.list(&[Kind::Number])];
                expr("{} IN ({})", parts)
            }
            2 if !keys.is_empty() => self.condition(1),
            _ => {
                let parts = vec![aggregate, self.value(Kind::Number)];
                let operator = *self.dice.pick(&[">", "<", "=", "<>"]);
                expr(&format!("{{}} {operator} {{}}"), parts)
            }
        };
        self.names_are(all);
        clause(" HAVING {}", vec![condition])
    }

    /// INSERT ... SELECT into a table that is emptied behind it.
    pub(super) fn insert(&mut self) -> Term {
        let (query, _) = self.block(&[Kind::Number, Kind::Number, Kind::Text], &["q1", "q2", "q3"], 4, false);
        Term::of(Role::Fixed, "INSERT INTO sink {}", vec![query])
    }

    /// UPDATE or DELETE of one table, and that table.
    pub(super) fn one_table(&mut self, update: bool) -> (Term, Option<String>) {
        let bases: Vec<Table> = self.tables.iter().filter(|table| table.rows.is_some()).cloned().collect();
        let table = self.dice.pick(&bases).clone();
        let name = table.name.clone();
        let own = |c: &Name| Name { text: format!("{name}.{}", c.text), ..c.clone() };
        self.scopes.push(table.columns.iter().map(own).collect());
        let set: Vec<&Name> = table.columns.iter().skip(1).collect();
        if !update || set.is_empty() {
            let filter = clause(" WHERE {}", vec![self.condition(2)]);
            return (Term::of(Role::Fixed, &format!("DELETE FROM {name}{{}}"), vec![filter]), Some(name));
        }
        let column = (*self.dice.pick(&set)).clone();
        let value = match self.dice.chance(1, 2) {
            true => self.scalar(column.kind),
            false => self.value(column.kind),
        };
        let filter = self.filter();
        let template = format!("UPDATE {name} SET {} = {{}}{{}}", column.text);
        (Term::of(Role::Fixed, &template, vec![value, filter]), Some(name))
    }

    /// UPDATE or DELETE of a table among others that it is joined with, and that table.
    pub(super) fn joined_tables(&mut self, update: bool) -> (Term, Option<String>) {
        let mut from = self.from(3);
        let leaves: Vec<_> = from.leaves.iter().filter(|leaf| leaf.table.is_some()).cloned().collect();
        let Some(leaf) = leaves.first() else { return (from.term, None) };
        let (alias, table) = (&leaf.alias, leaf.table.clone());
        // What is joined is read by the names of its tables alone.
        from.names.retain(|name| name.text.contains('.'));
        self.names_are(from.names.clone());
        let filter = clause(" WHERE {}", vec![self.condition(2)]);
        let of = self.tables.iter().find(|known| Some(&known.name) == table.as_ref());
        let set: Vec<Name> = of.map(|of| of.columns.iter().skip(1).cloned().collect()).unwrap_or_default();
        if !update || set.is_empty() {
            let template = format!("DELETE {alias} FROM {{}}{{}}");
            return (Term::of(Role::Fixed, &template, vec![from.term, filter]), table);
        }
        let column = self.dice.pick(&set).clone();
        // Rows that several others come to would have the value of any of them.
        let value = self.literal(column.kind);
        let template = format!("UPDATE {{}} SET {alias}.{} = {{}}{{}}", column.text);
        (Term::of(Role::Fixed, &template, vec![from.term, value, filter]), table)
    }
}

/// An item of a select list, with a name where it has one.
fn named(value: Term, name: Option<&str>) -> Term {
    match name {
        Some(name) => Term::of(Role::Fixed, &format!("{{}} AS {name}"), vec![value]),
        None => value,
    }
}

/// A literal that is ordered by would be the place of a column.
fn word_apart(value: Term) -> Term {
    let text = value.to_string();
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => fixed(format!("{text} + 0")),
        false => value,
    }
}

/// Items with commas between; where no place counts they may go.
fn list(items: Vec<Term>, loose: bool) -> Term {
    let role = if loose { Role::Optional } else { Role::Fixed };
    let with_comma = |(place, item): (usize, Term)| match place {
        0 => item,
        _ => Term::of(role, ", {}", vec![item]),
    };
    Term::row(items.into_iter().enumerate().map(with_comma).collect())
}

/// A column's name without its table's.
fn column_of(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, column)| column)
}
