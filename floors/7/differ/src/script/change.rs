//! INSERT, REPLACE, UPDATE, DELETE in all their forms.

use super::plain::{Draw, Name, Scope, any, literal};
use super::{Column, Table, World, clause, fixed, list, optional};
use crate::dice::Dice;
use crate::schema::Sort;
use crate::statement::Statement;
use crate::term::{Role, Term};

/// A statement that changes rows.
pub fn statement(dice: &mut Dice, world: &World) -> Statement {
    let table = dice.pick(&world.tables).clone();
    let other = dice.pick(&world.tables).clone();
    let mut draw = Draw::new(dice, world);
    let term = match draw.dice.below(22) {
        0..=6 => draw.insert_values(&table),
        7..=8 => draw.insert_select(&table),
        9..=12 => draw.update(&table),
        13..=14 => draw.update_joined(&table, &other),
        15..=16 => draw.delete(&table),
        17..=18 => draw.delete_joined(&table, &other),
        19 | 20 => draw.load(&table),
        _ => fixed(format!("TRUNCATE TABLE {}", table.name)),
    };
    Statement::change(term, looks(world, [table, other]))
}

/// LOAD DATA into one of the tables.
pub fn loaded(dice: &mut Dice, world: &World) -> Statement {
    let table = dice.pick(&world.tables).clone();
    let term = Draw::new(dice, world).load(&table);
    Statement::change(term, looks(world, [table]))
}

/// Looks at what a change of tables may have done: what foreign keys do to others shows in them.
fn looks<const N: usize>(world: &World, changed: [Table; N]) -> Vec<String> {
    let touched = if world.tables.len() > 6 { changed.to_vec() } else { world.tables.clone() };
    touched.iter().map(|t| format!("SELECT * FROM {}", t.name)).collect()
}

/// A value for a column: mostly one that fits.
pub fn value(dice: &mut Dice, column: &Column) -> String {
    if dice.chance(1, 12) {
        return (*dice.pick(&[
            "NULL",
            "DEFAULT",
            "'abcdefghijklmnopqrstuvwxyz'",
            "-99999",
            "1e20",
            "''",
            "'2020-13-45'",
        ]))
        .into();
    }
    let ty = column.ty.as_str();
    if ty.starts_with("enum") || ty.starts_with("set") {
        return (*dice.pick(&["'x'", "'y'", "'z'", "1", "2"])).into();
    }
    if ty == "inet6" {
        return (*dice.pick(&["'::1'", "'fe80::1'", "'1.2.3.4'"])).into();
    }
    if ty == "inet4" {
        return (*dice.pick(&["'1.2.3.4'", "'255.0.0.1'", "'10.0.0.7'"])).into();
    }
    if ty == "uuid" {
        return (*dice
            .pick(&["'123e4567-e89b-12d3-a456-426614174000'", "'00000000-0000-0000-0000-000000000001'"]))
        .into();
    }
    match column.sort {
        Sort::Number if ty.starts_with("year") => dice.between(1990, 2030).to_string(),
        Sort::Number if ty.starts_with("bit") => dice.between(0, 3).to_string(),
        Sort::Number if column.auto && dice.chance(1, 2) => (*dice.pick(&["NULL", "0", "DEFAULT"])).into(),
        Sort::Number => dice.between(0, 30).to_string(),
        Sort::Text if ty == "longtext" && dice.chance(1, 2) => {
            (*dice.pick(&["'{\"a\": 1}'", "'[1,2]'", "'1'"])).into()
        }
        sort => literal(dice, sort),
    }
}

/// The first rows of a table.
pub fn fill(dice: &mut Dice, world: &World, name: &str) -> Statement {
    let Some(table) = world.tables.iter().find(|table| table.name == name) else {
        return statement(dice, world);
    };
    let columns: Vec<&Column> = table.columns.iter().filter(|c| !c.generated).collect();
    let rows = (0..dice.between(3, 7)).map(|_| {
        let values = columns.iter().map(|c| Term::words(Role::Expr, value(dice, c))).collect();
        Term::of(Role::Fixed, &format!("({})", vec!["{}"; columns.len()].join(", ")), values)
    });
    let rows: Vec<Term> = rows.collect();
    let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
    let head = format!("INSERT IGNORE INTO {name} ({}) VALUES {{}}", names.join(", "));
    Statement::change(Term::of(Role::Fixed, &head, vec![list(rows)]), vec![format!("SELECT * FROM {name}")])
}

fn ignore(dice: &mut Dice) -> Term {
    match dice.below(4) {
        0 => optional("IGNORE "),
        _ => fixed(""),
    }
}

impl Draw<'_> {
    fn scope_of(table: &Table, qualified: bool) -> Vec<Name> {
        let name = |c: &Column| match qualified {
            true => format!("{}.{}", table.name, c.name),
            false => c.name.clone(),
        };
        table.columns.iter().map(|c| Name { text: name(c), sort: c.sort }).collect()
    }

    /// Some columns of a table, in its order or another; generated ones seldom.
    fn some_columns(&mut self, table: &Table) -> Vec<Column> {
        let all = self.dice.chance(1, 2);
        let mut chosen = Vec::new();
        for column in &table.columns {
            let take = match column.generated {
                true => self.dice.chance(1, 25),
                false => all || self.dice.chance(2, 3),
            };
            if take {
                chosen.push(column.clone());
            }
        }
        if self.dice.chance(1, 6) {
            chosen.reverse();
        }
        chosen
    }

    fn insert_values(&mut self, table: &Table) -> Term {
        let verb = if self.dice.chance(1, 5) { "REPLACE " } else { "INSERT " };
        let columns = self.some_columns(table);
        let mut parts = vec![fixed(verb)];
        if verb == "INSERT " {
            parts.push(ignore(self.dice));
        }
        parts.push(fixed(format!("INTO {}", table.name)));
        if self.dice.chance(1, 8) && !columns.is_empty() {
            let sets = columns
                .iter()
                .map(|c| Term::of(Role::Fixed, &format!("{} = {{}}", c.name), vec![self.new_value(c)]));
            let sets: Vec<Term> = sets.collect();
            parts.push(Term::of(Role::Fixed, " SET {}", vec![list(sets)]));
        } else {
            let whole = columns.len() == table.columns.len() && self.dice.chance(1, 2);
            if !whole || columns[0].name != table.columns[0].name {
                let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
                parts.push(fixed(format!(" ({})", names.join(", "))));
            }
            let rows = (0..self.dice.between(1, 4)).map(|_| {
                let values: Vec<Term> = columns.iter().map(|c| self.new_value(c)).collect();
                let commas = vec!["{}"; values.len()].join(", ");
                Term::of(Role::Fixed, &format!("({commas})"), values)
            });
            let rows: Vec<Term> = rows.collect();
            parts.push(Term::of(Role::Fixed, " VALUES {}", vec![list(rows)]));
        }
        if verb == "INSERT " && self.dice.chance(1, 4) {
            parts.push(self.on_duplicate(table));
        }
        if self.dice.chance(1, 10) {
            parts.push(self.returning(table));
        }
        Term::row(parts)
    }

    fn new_value(&mut self, column: &Column) -> Term {
        if self.dice.chance(1, 10) {
            return self.scalar(&Scope::EMPTY, column.sort, 1);
        }
        Term::words(Role::Expr, value(self.dice, column))
    }

    fn returning(&mut self, table: &Table) -> Term {
        let names = Self::scope_of(table, false);
        let scope = Scope { names: &names, outer: None };
        if self.dice.chance(1, 3) {
            return optional(" RETURNING *");
        }
        let items = (0..self.dice.between(1, 2)).map(|_| {
            let sort = any(self.dice);
            self.scalar(&scope, sort, 1)
        });
        let items: Vec<Term> = items.collect();
        clause(" RETURNING {}", vec![list(items)])
    }

    fn on_duplicate(&mut self, table: &Table) -> Term {
        let sets = self.assignments(table, true, None);
        clause(" ON DUPLICATE KEY UPDATE {}", vec![sets])
    }

    /// `column = value` once or twice.
    fn assignments(&mut self, table: &Table, inserting: bool, prefix: Option<&[Name]>) -> Term {
        let own = Self::scope_of(table, false);
        let names = prefix.unwrap_or(&own);
        let scope = Scope { names, outer: None };
        let mut sets = Vec::new();
        for _ in 0..self.dice.between(1, 2) {
            let column = self.dice.pick(&table.columns).clone();
            if column.generated && !self.dice.chance(1, 10) {
                continue;
            }
            let value = match self.dice.below(8) {
                0 if inserting => fixed(format!("VALUES({})", column.name)),
                1 if inserting && column.sort == Sort::Number => {
                    fixed(format!("VALUES({0}) + {0}", column.name))
                }
                2 | 3 => Term::words(Role::Expr, value(self.dice, &column)),
                4 => fixed("DEFAULT"),
                _ => self.scalar(&scope, column.sort, 1),
            };
            let target = match prefix {
                Some(_) => format!("{}.{}", table.name, column.name),
                None => column.name,
            };
            sets.push(Term::of(Role::Fixed, &format!("{target} = {{}}"), vec![value]));
        }
        if sets.is_empty() {
            let column = &table.columns[0];
            let target = match prefix {
                Some(_) => format!("{}.{}", table.name, column.name),
                None => column.name.clone(),
            };
            sets.push(fixed(format!("{target} = {target}")));
        }
        list(sets)
    }

    fn insert_select(&mut self, table: &Table) -> Term {
        let columns = self.some_columns(table);
        let source = self.dice.pick(&self.world.tables).clone();
        let names = Self::scope_of(&source, true);
        let scope = Scope { names: &names, outer: None };
        let verb = if self.dice.chance(1, 5) { "REPLACE " } else { "INSERT " };
        let mut parts = vec![fixed(verb)];
        if verb == "INSERT " {
            parts.push(ignore(self.dice));
        }
        let targets: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
        parts.push(fixed(format!("INTO {} ({}) SELECT ", table.name, targets.join(", "))));
        let values = columns.iter().map(|c| match c.ty.starts_with("enum") || c.ty.starts_with("set") {
            true => fixed(value(self.dice, c).replace("DEFAULT", "NULL")),
            false => self.scalar(&scope, c.sort, 1),
        });
        let values: Vec<Term> = values.collect();
        let count = values.len();
        for (i, value) in values.into_iter().enumerate() {
            if i > 0 {
                parts.push(fixed(", "));
            }
            parts.push(value);
        }
        parts.push(fixed(format!(" FROM {}", source.name)));
        if self.dice.chance(1, 2) {
            let condition = self.condition(&scope, 1);
            parts.push(clause(" WHERE {}", vec![condition]));
        }
        // The order decides about generated numbers and duplicates.
        let mut keys: Vec<String> = source.key.iter().map(|c| format!("{}.{c}", source.name)).collect();
        if keys.is_empty() {
            keys.extend((1..=count).map(|i| i.to_string()));
            keys.extend(names.iter().map(|n| n.text.clone()));
        }
        parts.push(fixed(format!(" ORDER BY {}", keys.join(", "))));
        if self.dice.chance(1, 3) {
            parts.push(optional(format!(" LIMIT {}", self.dice.between(1, 3))));
        }
        if verb == "INSERT "
            && self.dice.chance(1, 5)
            && self.world.tables.len() > 1
            && source.name != table.name
        {
            let qualified = Self::scope_of(table, true);
            let sets = self.assignments(table, true, Some(&qualified));
            parts.push(clause(" ON DUPLICATE KEY UPDATE {}", vec![sets]));
        }
        Term::row(parts)
    }

    fn update(&mut self, table: &Table) -> Term {
        let names = Self::scope_of(table, false);
        let scope = Scope { names: &names, outer: None };
        let mut parts = vec![fixed("UPDATE "), ignore(self.dice), fixed(format!("{} SET ", table.name))];
        parts.push(self.assignments(table, false, None));
        if self.dice.chance(3, 4) {
            let condition = self.condition(&scope, 1);
            parts.push(clause(" WHERE {}", vec![condition]));
        }
        parts.extend(self.order_limit(table));
        Term::row(parts)
    }

    fn order_limit(&mut self, table: &Table) -> Option<Term> {
        if !self.dice.chance(1, 4) {
            return None;
        }
        let mut keys: Vec<&str> = table.key.iter().map(String::as_str).collect();
        if keys.is_empty() {
            keys.extend(table.columns.iter().map(|c| c.name.as_str()));
        }
        let direction = if self.dice.chance(1, 3) { " DESC" } else { "" };
        let limit = if self.dice.chance(2, 3) {
            format!(" LIMIT {}", self.dice.between(0, 3))
        } else {
            String::new()
        };
        Some(optional(format!(" ORDER BY {}{direction}{limit}", keys.join(", "))))
    }

    fn delete(&mut self, table: &Table) -> Term {
        let names = Self::scope_of(table, false);
        let scope = Scope { names: &names, outer: None };
        let mut parts = vec![fixed("DELETE "), ignore(self.dice), fixed(format!("FROM {}", table.name))];
        // Tables should not run empty.
        let condition = self.condition(&scope, 1);
        parts.push(Term::of(Role::Fixed, " WHERE {}", vec![condition]));
        parts.extend(self.order_limit(table));
        if self.dice.chance(1, 8) {
            parts.push(self.returning(table));
        }
        Term::row(parts)
    }

    /// Two tables by a key of the second: no row of the first meets two.
    fn pair(&mut self, table: &Table, other: &Table) -> Option<(Term, Vec<Name>)> {
        if table.name == other.name || other.key.len() != 1 {
            return None;
        }
        let mut names = Self::scope_of(table, true);
        names.extend(Self::scope_of(other, true));
        let key = other.columns.iter().find(|c| c.name == other.key[0])?;
        let scope = Self::scope_of(table, true);
        let column = self.column(&Scope { names: &scope, outer: None }, key.sort)?;
        let on = Term::of(Role::Fixed, &format!("{{}} = {}.{}", other.name, key.name), vec![column]);
        Some((on, names))
    }

    fn update_joined(&mut self, table: &Table, other: &Table) -> Term {
        let Some((on, names)) = self.pair(table, other) else { return self.update(table) };
        let sets = self.assignments(table, false, Some(&names));
        let condition = self.condition(&Scope { names: &names, outer: None }, 1);
        let head = match self.dice.below(3) {
            0 => {
                let parts = vec![ignore(self.dice), sets, on, condition];
                let text = format!("UPDATE {{}}{}, {} SET {{}} WHERE {{}} AND {{}}", table.name, other.name);
                return Term::of(Role::Fixed, &text, parts);
            }
            1 => format!("UPDATE {{}}{} JOIN {} ON {{}} SET {{}}", table.name, other.name),
            _ => format!("UPDATE {{}}{} LEFT JOIN {} ON {{}} SET {{}}", table.name, other.name),
        };
        let first = Term::of(Role::Fixed, &head, vec![ignore(self.dice), on, sets]);
        let mut parts = vec![first, clause(" WHERE {}", vec![condition])];
        if !table.key.is_empty() && self.dice.chance(1, 5) {
            let keys: Vec<String> = table.key.iter().map(|key| format!("{}.{key}", table.name)).collect();
            let limit = self.dice.between(0, 3);
            parts.push(optional(format!(" ORDER BY {} LIMIT {limit}", keys.join(", "))));
        }
        Term::row(parts)
    }

    fn delete_joined(&mut self, table: &Table, other: &Table) -> Term {
        let Some((on, names)) = self.pair(table, other) else { return self.delete(table) };
        let condition = self.condition(&Scope { names: &names, outer: None }, 1);
        let (t, o) = (&table.name, &other.name);
        let head = match self.dice.below(4) {
            0 => format!("DELETE {{}}{t} FROM {t} JOIN {o} ON {{}} WHERE {{}}"),
            1 => format!("DELETE {{}}FROM {t} USING {t} LEFT JOIN {o} ON {{}} WHERE {{}}"),
            2 => format!("DELETE {{}}{t}, {o} FROM {t} JOIN {o} ON {{}} WHERE {{}}"),
            _ => format!("DELETE {{}}{t}.* FROM {t}, {o} WHERE {{}} AND {{}}"),
        };
        Term::of(Role::Fixed, &head, vec![ignore(self.dice), on, condition])
    }
}
