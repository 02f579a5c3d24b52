//! Queries.

use super::expression::expression;
use super::{Choices, Scope, TABLES};

/// A query of so many columns, `c0` and on. `outer` has the names of the queries around it.
pub fn query(c: &mut Choices<'_>, outer: &Scope, columns: usize) -> String {
    c.nested(
        |_| format!("SELECT {}", (0..columns).map(|i| format!("{i} AS c{i}")).collect::<Vec<_>>().join(", ")),
        |c| match c.below(12) {
            0..=7 => select(c, outer, columns, &[]),
            8 | 9 => chain(c, outer, columns),
            10 => with(c, outer, columns),
            _ => {
                let row = |c: &mut Choices<'_>| {
                    format!("({})", c.list(columns, columns, |c| expression(c, &constants(outer))))
                };
                format!("VALUES {}", c.list(1, 3, row))
            }
        },
    )
}

/// What an expression may be made of where there are no columns.
fn constants(outer: &Scope) -> Scope {
    Scope { parameters: outer.parameters, ..Scope::default() }
}

/// Queries combined.
fn chain(c: &mut Choices<'_>, outer: &Scope, columns: usize) -> String {
    let mut text = select(c, outer, columns, &[]);
    for _ in 0..=c.below(2) {
        let op = c.pick(&["UNION ALL", "UNION", "EXCEPT", "INTERSECT", "EXCEPT ALL", "INTERSECT ALL"]);
        text = format!("{text} {op} ({})", select(c, outer, columns, &[]));
    }
    if c.one_in(3) {
        text = format!("{text} ORDER BY {} LIMIT 7", 1 + c.below(columns));
    }
    text
}

fn with(c: &mut Choices<'_>, outer: &Scope, columns: usize) -> String {
    let name = c.name('w');
    let shared = [(name.clone(), numbered(columns))];
    if c.one_in(2) {
        let anchor = select(c, outer, columns, &[]);
        let member = format!("{} LIMIT 3", select(c, outer, columns, &shared));
        return format!(
            "WITH RECURSIVE {name} AS ({anchor} UNION ({member})) {}",
            select(c, outer, columns, &shared)
        );
    }
    format!("WITH {name} AS ({}) {}", query(c, outer, columns), select(c, outer, columns, &shared))
}

fn numbered(columns: usize) -> Vec<String> {
    (0..columns).map(|i| format!("c{i}")).collect()
}

/// A SELECT block; `shared` are names of common table expressions with their columns.
fn select(c: &mut Choices<'_>, outer: &Scope, columns: usize, shared: &[(String, Vec<String>)]) -> String {
    let (from, own) = tables(c, outer, shared);
    let inner = Scope { columns: [own, outer.columns.clone()].concat(), ..constants(outer) };
    let groups = c.one_in(3);
    let mut keys = String::new();
    let mut items = Scope { aggregates: groups, windows: c.one_in(4), ..inner.clone() };
    if groups && c.below(3) > 0 {
        keys = format!(" GROUP BY {}", c.list(1, 2, |c| expression(c, &inner)));
        if c.one_in(3) {
            keys.push_str(" WITH ROLLUP");
        }
    }
    let select: Vec<String> = (0..columns).map(|i| format!("{} AS c{i}", expression(c, &items))).collect();
    let mut text =
        format!("SELECT {}{}", c.pick(&["", "", "", "DISTINCT ", "STRAIGHT_JOIN "]), select.join(", "));
    if !from.is_empty() {
        text = format!("{text} FROM {from}");
        if c.one_in(2) {
            text = format!("{text} WHERE {}", expression(c, &inner));
        }
    }
    text.push_str(&keys);
    if groups && c.one_in(3) {
        items.windows = false;
        text = format!("{text} HAVING {}", expression(c, &items));
    }
    tail(c, text, &items)
}

/// ORDER BY and LIMIT, perhaps.
fn tail(c: &mut Choices<'_>, mut text: String, items: &Scope) -> String {
    if c.one_in(3) {
        text = format!("{text} ORDER BY {} DESC, c0", expression(c, items));
        if c.one_in(2) {
            text =
                format!("{text} LIMIT {}", c.pick(&["3", "0", "1, 2", "18446744073709551615", "2 OFFSET 1"]));
        }
        return format!("({text})");
    }
    text
}

/// What stands behind FROM, and the columns that it brings.
fn tables(c: &mut Choices<'_>, outer: &Scope, shared: &[(String, Vec<String>)]) -> (String, Vec<String>) {
    let count = c.below(4);
    if count == 0 && shared.is_empty() {
        return (String::new(), Vec::new());
    }
    let (mut text, mut columns) = table(c, outer, shared);
    for _ in 1..count {
        let (next, more) = table(c, outer, shared);
        let join =
            c.pick(&["JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN", "STRAIGHT_JOIN", ",", "NATURAL JOIN"]);
        columns.extend(more);
        text = match join {
            "," | "CROSS JOIN" | "NATURAL JOIN" => format!("{text} {join} {next}"),
            _ => {
                let scope = Scope { columns: columns.clone(), ..constants(outer) };
                let on = match c.one_in(2) {
                    true => {
                        format!("{} = {}", columns[c.below(columns.len())], columns[c.below(columns.len())])
                    }
                    false => expression(c, &scope),
                };
                format!("{text} {join} {next} ON {on}")
            }
        };
    }
    (text, columns)
}

fn table(c: &mut Choices<'_>, outer: &Scope, shared: &[(String, Vec<String>)]) -> (String, Vec<String>) {
    let alias = c.name('r');
    let own = |columns: &[String]| columns.iter().map(|column| format!("{alias}.{column}")).collect();
    if let Some((name, columns)) = shared.first()
        && c.below(2) == 0
    {
        return (format!("{name} AS {alias}"), own(columns));
    }
    match c.below(8) {
        6 => {
            let columns = 1 + c.below(3);
            (format!("({}) AS {alias}", query(c, &constants(outer), columns)), own(&numbered(columns)))
        }
        7 => {
            let document = expression(c, &constants(outer));
            let text = format!(
                "JSON_TABLE({document}, '$[*]' COLUMNS (c0 FOR ORDINALITY, c1 INT PATH '$' DEFAULT '7' ON EMPTY, \
                 NESTED PATH '$.a[*]' COLUMNS (c2 VARCHAR(9) PATH '$'))) AS {alias}"
            );
            (text, own(&numbered(3)))
        }
        _ => {
            let (name, columns) = c.pick(&TABLES);
            let hint = c.pick(&["", "", "", " USE INDEX ()"]);
            let columns: Vec<String> = columns.iter().map(|column| (*column).to_owned()).collect();
            (format!("{name} AS {alias}{hint}"), own(&columns))
        }
    }
}
