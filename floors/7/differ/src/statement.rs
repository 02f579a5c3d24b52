//! Random statements over the tables there are.

use crate::again::again;
use crate::dice::Dice;
use crate::expression::families::{FORMS, VARIABLES};
use crate::expression::{Names, Reach, any_sort, condition, expression};
use crate::prepared::Binding;
use crate::schema::{Sort, Table, value};
use crate::term::{Role, Term};

mod forms;

/// How a statement is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As text.
    Text,
    /// As text, and again with other literals, which this number leads to.
    Again(u64),
    /// Prepared and executed in the binary protocol.
    Binary,
    /// So, with a part of its literals bound to parameters.
    Bound(Binding),
}

impl Way {
    /// Whether all executions of a statement have the same values.
    pub fn repeats(self, sql: &str) -> bool {
        match self {
            Way::Bound(binding) => binding.bind(sql).executions.windows(2).all(|two| two[0] == two[1]),
            Way::Text | Way::Binary => true,
            Way::Again(_) => false,
        }
    }

    /// The way for what MariaDB does not prepare so.
    pub fn plainer(self) -> Option<Way> {
        match self {
            Way::Text | Way::Again(_) => None,
            Way::Binary => Some(Way::Text),
            Way::Bound(_) => Some(Way::Binary),
        }
    }
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

    /// The statement as a person can run it.
    pub fn as_sql(&self) -> String {
        match self.way {
            Way::Text | Way::Binary => self.term.to_string(),
            Way::Again(salt) => {
                let sql = self.term.to_string();
                format!("{sql};\n{}", again(salt, &sql))
            }
            Way::Bound(binding) => binding.bind(&self.term.to_string()).as_sql(),
        }
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
pub fn statement(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let tables = reach.tables;
    let wanted = reach.family.filter(|name| FORMS.contains(name) && dice.chance(1, 2));
    if reach.family == Some("variables") && dice.chance(1, 3) || dice.chance(1, 24) {
        return set(dice, reach);
    }
    let mut statement = match (wanted, dice.below(32)) {
        (Some("windows"), _) | (None, 0 | 1) => forms::windows(dice, reach),
        (Some("ordered"), _) | (None, 2 | 3) => forms::ordered(dice, reach),
        (Some("groups"), _) | (None, 4 | 5) => forms::groups(dice, reach),
        (Some("unions"), _) | (None, 6 | 7) => forms::union(dice, reach),
        (Some("tables"), _) | (None, 8) => forms::created(dice, reach),
        (Some("percentiles"), _) | (None, 9) => forms::percentiles(dice, reach),
        (_, 10..=15) => constants(dice, reach),
        (_, 16..=21) => simple(dice, reach),
        (_, 22..=23) => joined(dice, reach),
        (_, 24..=27) => grouped(dice, reach),
        _ => change(dice, tables, reach),
    };
    let asks = statement.effect == Effect::None;
    if asks && (dice.chance(1, 10) || wanted == Some("binary")) {
        statement.way = Way::Binary;
    }
    statement
}

fn clause(template: &str, part: Term) -> Term {
    Term::of(Role::Optional, template, vec![part])
}

fn fixed(text: impl Into<String>) -> Term {
    Term::words(Role::Fixed, text)
}

/// A user variable gets a value.
fn set(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let names = Names { tables: Vec::new(), reach };
    let name = *dice.pick(&VARIABLES[..3]);
    let sort = any_sort(dice);
    let depth = dice.below(3);
    let value = expression(dice, &names, sort, depth);
    let term = Term::of(Role::Fixed, &format!("SET {name} = {{}}"), vec![value]);
    Statement::change(term, vec![format!("SELECT {name}, COLLATION({name}), COERCIBILITY({name})")])
}

/// Expressions with no table.
fn constants(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let names = Names { tables: Vec::new(), reach };
    let items = items(dice, &names, 3);
    Statement::query(Term::of(Role::Fixed, "SELECT {}", vec![items]), true)
}

/// A select list.
fn items(dice: &mut Dice, names: &Names<'_>, depth: usize) -> Term {
    let count = dice.between(1, 3);
    listed(dice, names, depth, count)
}

/// A list of expressions.
fn listed(dice: &mut Dice, names: &Names<'_>, depth: usize, count: i64) -> Term {
    let mut list = Vec::new();
    for i in 0..count {
        let sort = any_sort(dice);
        let item = expression(dice, names, sort, depth);
        list.push(match i {
            0 => item,
            _ => clause(", {}", item),
        });
    }
    Term::row(list)
}

/// One table, by its own name.
fn one<'t>(dice: &mut Dice, reach: Reach<'t>) -> (&'t Table, Names<'t>) {
    let table = dice.pick(reach.tables);
    (table, Names { tables: vec![(table.name.clone(), table)], reach })
}

/// A query of one table.
fn simple(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (table, names) = one(dice, reach);
    let mut parts = vec![fixed("SELECT ")];
    if dice.chance(1, 8) {
        parts.push(Term::words(Role::Optional, "DISTINCT "));
    }
    parts.push(items(dice, &names, 2));
    parts.push(fixed(format!(" FROM {}", table.name)));
    if dice.chance(2, 3) {
        parts.push(clause(" WHERE {}", condition(dice, &names, 2)));
    }
    let ordered = dice.chance(1, 3);
    if ordered {
        let sort = any_sort(dice);
        let key = expression(dice, &names, sort, 1);
        let direction = if dice.chance(1, 3) { " DESC" } else { "" };
        parts.push(Term::of(Role::Optional, " ORDER BY {}{}, id", vec![key, fixed(direction)]));
        if dice.chance(1, 3) {
            let text = format!(" LIMIT {}", dice.between(1, 4));
            parts.push(Term::words(Role::Optional, text));
        }
    }
    Statement::query(Term::row(parts), false)
}

/// A query of two tables.
fn joined(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (left, right) = (dice.pick(reach.tables), dice.pick(reach.tables));
    let names = Names { tables: vec![("x".into(), left), ("y".into(), right)], reach };
    let join = *dice.pick(&["JOIN", "LEFT JOIN", "RIGHT JOIN", "STRAIGHT_JOIN"]);
    let on = condition(dice, &names, 1);
    let mut parts = vec![
        fixed("SELECT "),
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
    ("MIN({})", Some(Sort::Fixed)),
    ("JSON_ARRAYAGG({} ORDER BY id)", None),
    ("JSON_ARRAYAGG({} ORDER BY id LIMIT 2)", None),
    ("JSON_ARRAYAGG(DISTINCT {} ORDER BY 1)", Some(Sort::Number)),
    ("JSON_OBJECTAGG(id, {})", None),
    ("JSON_OBJECTAGG({}, id)", Some(Sort::Text)),
    ("GROUP_CONCAT(DISTINCT {} ORDER BY 1 SEPARATOR '|')", Some(Sort::Number)),
    ("GROUP_CONCAT({} ORDER BY id DESC SEPARATOR '')", Some(Sort::Text)),
    ("GROUP_CONCAT({}, 'x' ORDER BY id LIMIT 3)", None),
    ("COUNT(DISTINCT {}, id)", None),
];

/// A query with aggregates.
fn grouped(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (table, names) = one(dice, reach);
    let sort = if dice.chance(1, 2) { Sort::Number } else { any_sort(dice) };
    let key = expression(dice, &names, sort, 1);
    let with_key = dice.chance(3, 4);
    let mut list = Vec::new();
    if with_key {
        // By the same bytes, so that no group has several spellings.
        list.push(Term::of(Role::Fixed, "HEX({}), ", vec![key]));
    }
    for i in 0..dice.between(1, 3) {
        let call = reckoned(dice, &names);
        list.push(if i == 0 { call } else { clause(", {}", call) });
    }
    let mut parts = vec![fixed("SELECT "), Term::row(list), fixed(format!(" FROM {}", table.name))];
    if dice.chance(1, 3) {
        parts.push(clause(" WHERE {}", condition(dice, &names, 1)));
    }
    if with_key {
        parts.push(fixed(" GROUP BY 1"));
        if dice.chance(1, 4) {
            parts.push(Term::words(Role::Optional, " HAVING COUNT(*) > 1"));
        }
    }
    Statement::query(Term::row(parts), false)
}

/// A call of an aggregate.
fn aggregate(dice: &mut Dice, names: &Names<'_>) -> Term {
    let (template, sort) = *dice.pick(AGGREGATES);
    let sort = sort.unwrap_or_else(|| any_sort(dice));
    let depth = dice.below(2);
    Term::of(Role::Fixed, template, vec![expression(dice, names, sort, depth)])
}

/// What is made of aggregates: where digits that their types do not show come to light.
const RECKONED: &[&str] = &[
    "ROUND({}, 6)",
    "ROUND({})",
    "{} * 3",
    "{} * 100 / COUNT(*)",
    "{} / {}",
    "{} - {}",
    "-{}",
    "CAST({} AS DECIMAL(40,15))",
    "COALESCE({}, 0.00000000)",
    "IFNULL({}, 0e0)",
    "IF({} > 1, {}, 0)",
    "CASE {} WHEN 1 THEN 0 ELSE {} END",
    "NULLIF({}, 1)",
    "{} IN (1, 2.5)",
    "{} BETWEEN 1 AND {}",
    "GREATEST({}, 0.5)",
    "FORMAT({}, 6)",
    "TRUNCATE({}, 7)",
    "CONCAT({}, '')",
];

/// A call of an aggregate, or what is made of one or two.
fn reckoned(dice: &mut Dice, names: &Names<'_>) -> Term {
    if dice.chance(1, 2) {
        return aggregate(dice, names);
    }
    let template = *dice.pick(RECKONED);
    let calls = template.matches("{}").map(|_| quotient(dice, names)).collect();
    Term::of(Role::Fixed, template, calls)
}

/// A call of an aggregate, often of a quotient.
fn quotient(dice: &mut Dice, names: &Names<'_>) -> Term {
    if dice.chance(1, 2) {
        return aggregate(dice, names);
    }
    let template = *dice.pick(&["SUM({} / {})", "AVG({} / {})", "MIN({} / {})", "MAX({} / {})", "AVG({})"]);
    let sides = template.matches("{}").map(|_| expression(dice, names, Sort::Number, 0)).collect();
    Term::of(Role::Fixed, template, sides)
}

/// INSERT, UPDATE, DELETE, REPLACE.
fn change(dice: &mut Dice, tables: &[Table], reach: Reach<'_>) -> Statement {
    let table = dice.pick(tables);
    // Subqueries of a change read the table that it changes: an error in most of them.
    let reach = if dice.chance(3, 4) { Reach { tables: &[], ..reach } } else { reach };
    let names = Names { tables: vec![(table.name.clone(), table)], reach };
    let none = Names { tables: Vec::new(), reach };
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
            Term::of(Role::Fixed, "{}{})", vec![fixed(head), value])
        }
        2 => {
            let values: Vec<String> = table.columns[1..].iter().map(|column| value(dice, column)).collect();
            let text = format!(
                "REPLACE INTO {} VALUES ({}, {})",
                table.name,
                dice.between(1, 25),
                values.join(", ")
            );
            fixed(text)
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
