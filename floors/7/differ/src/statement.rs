//! Random statements over the tables there are.

use crate::dice::Dice;
use crate::expression::{Names, any_sort, condition, expression};
use crate::schema::{Sort, Table, value};
use crate::term::{Role, Term};

/// How a statement is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As text.
    Text,
    /// Prepared and executed in the binary protocol.
    Binary,
}

/// What a statement does to what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Rows or the session are others afterwards.
    Rows,
    /// So are tables.
    Tables,
}

/// A statement and what a comparison must know of it.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its text, in parts.
    pub term: Term,
    /// How it is sent.
    pub way: Way,
    /// The order of its rows counts.
    pub ordered: bool,
    /// What it does.
    pub effect: Effect,
    /// Queries whose answers show what it did.
    pub probes: Vec<String>,
}

impl Statement {
    /// A query.
    pub fn query(term: Term, ordered: bool) -> Statement {
        Statement { term, way: Way::Text, ordered, effect: Effect::None, probes: Vec::new() }
    }

    /// A query as it stands.
    pub fn words(text: impl Into<String>) -> Statement {
        Statement::query(Term::words(Role::Fixed, text), false)
    }

    /// A statement that changes rows.
    pub fn change(term: Term, probes: Vec<String>) -> Statement {
        Statement { term, way: Way::Text, ordered: true, effect: Effect::Rows, probes }
    }

    /// A statement that changes tables.
    pub fn define(term: Term, probes: Vec<String>) -> Statement {
        Statement { term, way: Way::Text, ordered: true, effect: Effect::Tables, probes }
    }
}

/// A statement of any kind.
pub fn statement(dice: &mut Dice, tables: &[Table]) -> Statement {
    match dice.below(20) {
        0..=5 => constants(dice),
        6..=11 => simple(dice, tables),
        12..=13 => joined(dice, tables),
        14..=16 => grouped(dice, tables),
        _ => change(dice, tables),
    }
}

fn clause(template: &str, part: Term) -> Term {
    Term::of(Role::Optional, template, vec![part])
}

/// Expressions with no table.
fn constants(dice: &mut Dice) -> Statement {
    let names = Names { tables: Vec::new() };
    let items = items(dice, &names, 3);
    Statement::query(Term::of(Role::Fixed, "SELECT {}", vec![items]), true)
}

/// A select list.
fn items(dice: &mut Dice, names: &Names<'_>, depth: usize) -> Term {
    let mut list = Vec::new();
    for i in 0..dice.between(1, 3) {
        let sort = any_sort(dice);
        let item = expression(dice, names, sort, depth);
        list.push(match i {
            0 => item,
            _ => clause(", {}", item),
        });
    }
    Term::row(list)
}

/// A query of one table.
fn simple(dice: &mut Dice, tables: &[Table]) -> Statement {
    let table = dice.pick(tables);
    let names = Names { tables: vec![(table.name.clone(), table)] };
    let mut parts = vec![Term::words(Role::Fixed, "SELECT ")];
    if dice.chance(1, 8) {
        parts.push(Term::words(Role::Optional, "DISTINCT "));
    }
    parts.push(items(dice, &names, 2));
    parts.push(Term::words(Role::Fixed, format!(" FROM {}", table.name)));
    if dice.chance(2, 3) {
        parts.push(clause(" WHERE {}", condition(dice, &names, 2)));
    }
    let ordered = dice.chance(1, 3);
    if ordered {
        let sort = any_sort(dice);
        let key = expression(dice, &names, sort, 1);
        let direction = if dice.chance(1, 3) { " DESC" } else { "" };
        parts.push(Term::of(
            Role::Optional,
            " ORDER BY {}{}, id",
            vec![key, Term::words(Role::Fixed, direction)],
        ));
        if dice.chance(1, 3) {
            let text = format!(" LIMIT {}", dice.between(1, 4));
            parts.push(Term::words(Role::Optional, text));
        }
    }
    Statement::query(Term::row(parts), false)
}

/// A query of two tables.
fn joined(dice: &mut Dice, tables: &[Table]) -> Statement {
    let (left, right) = (dice.pick(tables), dice.pick(tables));
    let names = Names { tables: vec![("x".into(), left), ("y".into(), right)] };
    let join = *dice.pick(&["JOIN", "LEFT JOIN", "RIGHT JOIN", "STRAIGHT_JOIN"]);
    let on = condition(dice, &names, 1);
    let mut parts = vec![
        Term::words(Role::Fixed, "SELECT "),
        items(dice, &names, 1),
        Term::of(Role::Fixed, &format!(" FROM {} x {join} {} y ON {{}}", left.name, right.name), vec![on]),
    ];
    if dice.chance(1, 2) {
        parts.push(clause(" WHERE {}", condition(dice, &names, 1)));
    }
    Statement::query(Term::row(parts), false)
}

const AGGREGATES: &[(&str, Option<Sort>)] = &[
    ("COUNT({})", None),
    ("COUNT(DISTINCT {})", None),
    ("SUM({})", Some(Sort::Number)),
    ("AVG({})", Some(Sort::Number)),
    ("MIN({})", None),
    ("MAX({})", None),
    ("SUM({})", None),
    ("BIT_OR({})", Some(Sort::Number)),
    ("BIT_XOR({})", Some(Sort::Number)),
    ("STDDEV({})", Some(Sort::Number)),
    ("VAR_SAMP({})", Some(Sort::Number)),
    ("STD({})", None),
    ("STDDEV_SAMP({})", None),
    ("VAR_POP({})", None),
    ("AVG({})", None),
    ("BIT_AND({})", None),
    ("GROUP_CONCAT({} ORDER BY id)", None),
    ("SUM(DISTINCT {})", Some(Sort::Number)),
    ("AVG(DISTINCT {})", Some(Sort::Number)),
    ("MIN({})", Some(Sort::Date)),
    ("MAX({})", Some(Sort::Time)),
];

/// A query with aggregates.
fn grouped(dice: &mut Dice, tables: &[Table]) -> Statement {
    let table = dice.pick(tables);
    let names = Names { tables: vec![(table.name.clone(), table)] };
    let sort = if dice.chance(1, 2) { Sort::Number } else { any_sort(dice) };
    let key = expression(dice, &names, sort, 1);
    let with_key = dice.chance(3, 4);
    let mut list = Vec::new();
    if with_key {
        // By the same bytes, so that no group has several spellings.
        list.push(Term::of(Role::Fixed, "HEX({}), ", vec![key]));
    }
    for i in 0..dice.between(1, 3) {
        let (template, sort) = *dice.pick(AGGREGATES);
        let sort = sort.unwrap_or_else(|| any_sort(dice));
        let depth = dice.below(2);
        let call = Term::of(Role::Fixed, template, vec![expression(dice, &names, sort, depth)]);
        list.push(if i == 0 { call } else { clause(", {}", call) });
    }
    let mut parts = vec![
        Term::words(Role::Fixed, "SELECT "),
        Term::row(list),
        Term::words(Role::Fixed, format!(" FROM {}", table.name)),
    ];
    if dice.chance(1, 3) {
        parts.push(clause(" WHERE {}", condition(dice, &names, 1)));
    }
    if with_key {
        parts.push(Term::words(Role::Fixed, " GROUP BY 1"));
        if dice.chance(1, 4) {
            parts.push(Term::words(Role::Optional, " HAVING COUNT(*) > 1"));
        }
    }
    Statement::query(Term::row(parts), false)
}

/// INSERT, UPDATE, DELETE, REPLACE.
fn change(dice: &mut Dice, tables: &[Table]) -> Statement {
    let table = dice.pick(tables);
    let names = Names { tables: vec![(table.name.clone(), table)] };
    let none = Names { tables: Vec::new() };
    let column = dice.pick(&table.columns[1..]);
    let ignore = if dice.chance(1, 3) { "IGNORE " } else { "" };
    let sort = if dice.chance(2, 3) { column.sort } else { any_sort(dice) };
    let term = match dice.below(6) {
        0 | 1 => {
            let value = expression(dice, &none, sort, 2);
            let head = format!(
                "INSERT {ignore}INTO {} (id, {}) VALUES ({}, ",
                table.name,
                column.name,
                dice.between(20, 40)
            );
            Term::of(Role::Fixed, "{}{})", vec![Term::words(Role::Fixed, head), value])
        }
        2 => {
            let values: Vec<String> = table.columns[1..].iter().map(|column| value(dice, column)).collect();
            let text = format!(
                "REPLACE INTO {} VALUES ({}, {})",
                table.name,
                dice.between(1, 25),
                values.join(", ")
            );
            Term::words(Role::Fixed, text)
        }
        3 => {
            let filter = condition(dice, &names, 1);
            Term::of(
                Role::Fixed,
                &format!("DELETE {ignore}FROM {} WHERE id > 6 AND ({{}})", table.name),
                vec![filter],
            )
        }
        _ => {
            let value = expression(dice, &names, sort, 2);
            let filter = condition(dice, &names, 1);
            let head = format!("UPDATE {ignore}{} SET {} = {{}}{{}}", table.name, column.name);
            Term::of(Role::Fixed, &head, vec![value, clause(" WHERE {}", filter)])
        }
    };
    Statement::change(term, vec![format!("SELECT * FROM {}", table.name)])
}
