//! Queries that sort, group, number and combine rows by expressions.

use super::{Statement, aggregate, clause, fixed, items, listed, one, reckoned};
use crate::dice::Dice;
use crate::expression::{Names, Reach, any_sort, condition, expression};
use crate::schema::Sort;
use crate::term::{Role, Term};

fn optional(text: impl Into<String>) -> Term {
    Term::words(Role::Optional, text)
}

fn filter(dice: &mut Dice, names: &Names<'_>, of: usize) -> Term {
    match dice.chance(1, of) {
        true => clause(" WHERE {}", condition(dice, names, 1)),
        false => fixed(""),
    }
}

fn direction(dice: &mut Dice) -> Term {
    if dice.chance(1, 3) { optional(" DESC") } else { fixed("") }
}

/// Rows in the order of expressions.
pub fn ordered(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (table, names) = one(dice, reach);
    let mut parts =
        vec![fixed("SELECT id, "), items(dice, &names, 1), fixed(format!(" FROM {}", table.name))];
    parts.push(filter(dice, &names, 3));
    parts.push(fixed(" ORDER BY "));
    for _ in 0..dice.between(1, 2) {
        let sort = any_sort(dice);
        let depth = dice.below(3);
        let key = expression(dice, &names, sort, depth);
        let direction = direction(dice);
        parts.push(Term::of(Role::Optional, "{}{}, ", vec![key, direction]));
    }
    parts.push(fixed("id"));
    if dice.chance(1, 3) {
        parts.push(optional(format!(" LIMIT {}", dice.between(1, 4))));
    }
    Statement::query(Term::row(parts), true)
}

/// Groups by expressions, with conditions on what is computed of them, and orders by it.
pub fn groups(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (table, names) = one(dice, reach);
    let mut parts = vec![fixed("SELECT "), reckoned(dice, &names)];
    for _ in 0..dice.below(3) {
        let call = reckoned(dice, &names);
        parts.push(clause(", {}", call));
    }
    parts.push(fixed(format!(" FROM {}", table.name)));
    parts.push(filter(dice, &names, 3));
    if dice.chance(4, 5) {
        let count = dice.between(1, 2);
        let keys = listed(dice, &names, 1, count);
        parts.push(Term::of(Role::Optional, " GROUP BY {}", vec![keys]));
    }
    if dice.chance(1, 3) {
        let op = *dice.pick(&[" > ", " = ", " <= ", " <> "]);
        let sort = any_sort(dice);
        let bound = expression(dice, &Names { tables: Vec::new(), reach: names.reach }, sort, 1);
        let call = reckoned(dice, &names);
        parts.push(Term::of(Role::Optional, " HAVING {}{}{}", vec![call, fixed(op), bound]));
    }
    if dice.chance(1, 3) {
        let call = aggregate(dice, &names);
        parts.push(clause(" ORDER BY {}", call));
    }
    Statement::query(Term::row(parts), false)
}

/// Functions over windows, by the sort of their operand.
const WINDOWED: &[(&str, Option<Sort>)] = &[
    ("ROW_NUMBER()", None),
    ("RANK()", None),
    ("DENSE_RANK()", None),
    ("NTILE({i})", None),
    ("LAG({})", None),
    ("LAG({}, 2)", None),
    ("LEAD({})", None),
    ("FIRST_VALUE({})", None),
    ("LAST_VALUE({})", None),
    ("NTH_VALUE({}, 2)", None),
    ("SUM({})", Some(Sort::Number)),
    ("SUM({})", None),
    ("AVG({})", Some(Sort::Number)),
    ("COUNT({})", None),
    ("MIN({})", None),
    ("MAX({})", None),
    ("MIN({})", Some(Sort::Text)),
    ("MAX({})", Some(Sort::Date)),
    ("BIT_OR({})", Some(Sort::Number)),
    ("BIT_AND({})", Some(Sort::Number)),
    ("STDDEV({})", Some(Sort::Number)),
    ("VAR_SAMP({})", Some(Sort::Number)),
];

/// Frames over rows in an order that leaves no two equal.
const FRAMES: &[&str] = &[
    "",
    "",
    " ROWS UNBOUNDED PRECEDING",
    " ROWS 1 PRECEDING",
    " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
    " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
    " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
];

/// Functions over windows.
pub fn windows(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (table, names) = one(dice, reach);
    let mut parts = vec![fixed("SELECT id")];
    for _ in 0..dice.between(1, 2) {
        let (template, sort) = *dice.pick(WINDOWED);
        let template = template.replace("{i}", &dice.between(1, 4).to_string());
        let operands = match template.contains("{}") {
            true => {
                let sort = sort.unwrap_or_else(|| any_sort(dice));
                let depth = dice.below(3);
                vec![expression(dice, &names, sort, depth)]
            }
            false => Vec::new(),
        };
        let call = Term::of(Role::Fixed, &template, operands);
        let partition = match dice.chance(1, 2) {
            true => Term::of(Role::Optional, "PARTITION BY {} ", vec![listed(dice, &names, 1, 1)]),
            false => fixed(""),
        };
        let key = match dice.chance(2, 3) {
            true => {
                let key = listed(dice, &names, 1, 1);
                let direction = direction(dice);
                Term::of(Role::Optional, "{}{}, ", vec![key, direction])
            }
            false => fixed(""),
        };
        let frame = optional(*dice.pick(FRAMES));
        parts.push(Term::of(
            Role::Optional,
            ", {} OVER ({}ORDER BY {}id{})",
            vec![call, partition, key, frame],
        ));
    }
    parts.push(fixed(format!(" FROM {}", table.name)));
    parts.push(filter(dice, &names, 4));
    Statement::query(Term::row(parts), false)
}

/// MEDIAN, PERCENTILE_CONT and PERCENTILE_DISC.
pub fn percentiles(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (table, names) = one(dice, reach);
    let sort = if dice.chance(3, 4) { Sort::Number } else { any_sort(dice) };
    let depth = dice.below(2);
    let key = expression(dice, &names, sort, depth);
    let partition = match dice.chance(1, 2) {
        true => Term::of(Role::Optional, "PARTITION BY {}", vec![listed(dice, &names, 1, 1)]),
        false => fixed(""),
    };
    let call = match dice.below(3) {
        0 => Term::of(Role::Fixed, "MEDIAN({}) OVER ({})", vec![key, partition]),
        which => {
            let name = ["PERCENTILE_CONT", "PERCENTILE_DISC"][which - 1];
            let part = fixed(*dice.pick(&["0.5", "0", "1", "0.25", "0.9", "1.5", "NULL", "'0.3'"]));
            let direction = direction(dice);
            let template = format!("{name}({{}}) WITHIN GROUP (ORDER BY {{}}{{}}) OVER ({{}})");
            Term::of(Role::Fixed, &template, vec![part, key, direction, partition])
        }
    };
    let parts = vec![fixed("SELECT id, "), call, fixed(format!(" FROM {}", table.name))];
    Statement::query(Term::row(parts), false)
}

/// Rows of several queries, whose columns have types in common.
pub fn union(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let count = dice.between(1, 2);
    let mut parts = Vec::new();
    for i in 0..dice.between(2, 3) {
        if i > 0 {
            parts.push(fixed(*dice.pick(&[
                " UNION ALL ",
                " UNION ALL ",
                " UNION ",
                " EXCEPT ",
                " INTERSECT ",
            ])));
        }
        let (table, names) = one(dice, reach);
        let alone = dice.chance(1, 2);
        let names = if alone { Names { tables: Vec::new(), ..names } } else { names };
        let mut list = Vec::new();
        for column in 0..count {
            let sort = any_sort(dice);
            let depth = dice.below(2);
            let item = expression(dice, &names, sort, depth);
            list.push(if column == 0 { item } else { Term::of(Role::Fixed, ", {}", vec![item]) });
        }
        parts.push(Term::of(Role::Fixed, "SELECT {}", vec![Term::row(list)]));
        if !alone {
            parts.push(fixed(format!(" FROM {}", table.name)));
        }
    }
    let whole = Term::row(parts);
    match dice.below(4) {
        0 => Statement::query(Term::of(Role::Fixed, "SELECT * FROM ({}) u", vec![whole]), false),
        _ => Statement::query(whole, false),
    }
}

/// A table made of expressions: their types are those of its columns.
pub fn created(dice: &mut Dice, reach: Reach<'_>) -> Statement {
    let (table, names) = one(dice, reach);
    let mut list = Vec::new();
    for i in 0..dice.between(1, 2) {
        let sort = any_sort(dice);
        let depth = dice.between(1, 2) as usize;
        let item = expression(dice, &names, sort, depth);
        let template = if i == 0 { "{} AS x0" } else { ", {} AS x1" };
        list.push(Term::of(if i == 0 { Role::Fixed } else { Role::Optional }, template, vec![item]));
    }
    let from = format!(" FROM {}", table.name);
    let parts = vec![fixed("CREATE OR REPLACE TABLE made AS SELECT "), Term::row(list), fixed(from)];
    let probes = vec!["SHOW CREATE TABLE made".to_owned(), "SELECT * FROM made".to_owned()];
    // Nothing reads it afterwards.
    Statement { probes, ..Statement::query(Term::row(parts), true) }
}
