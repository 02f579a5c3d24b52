//! Statements of every kind that is bound.

use super::expression::expression;
use super::query::query;
use super::{Choices, EVERY, Scope, TABLES};

/// A statement.
pub fn statement(c: &mut Choices<'_>, parameters: bool) -> String {
    let around = Scope { parameters, ..Scope::default() };
    match c.below(16) {
        0..=8 => {
            let columns = 1 + c.below(4);
            query(c, &around, columns)
        }
        9 => insert(c, &around),
        10 => update(c, &around),
        11 => delete(c, &around),
        12 => {
            let columns = 1 + c.below(4);
            format!("CREATE TABLE made AS {}", query(c, &around, columns))
        }
        13 => {
            let columns = 1 + c.below(4);
            let body = query(c, &Scope::default(), columns);
            format!("CREATE OR REPLACE VIEW seen AS {body}; SELECT * FROM seen JOIN t; SHOW CREATE VIEW seen")
        }
        14 => defined(c),
        _ => altered(c),
    }
}

fn columns_of(name: &str, columns: &[&str]) -> Vec<String> {
    columns.iter().map(|column| format!("{name}.{column}")).collect()
}

fn insert(c: &mut Choices<'_>, around: &Scope) -> String {
    let verb = c.pick(&["INSERT INTO", "INSERT IGNORE INTO", "REPLACE INTO"]);
    let (name, columns) = c.pick(&TABLES);
    let first = c.below(columns.len());
    let listed = &columns[first..columns.len().min(first + 3)];
    let rows = match c.one_in(3) {
        true => query(c, around, listed.len()),
        false => {
            let row = |c: &mut Choices<'_>| c.list(listed.len(), listed.len(), |c| given(c, around));
            format!("VALUES {}", c.list(1, 3, |c| format!("({})", row(c))))
        }
    };
    let scope = Scope { columns: columns_of(name, columns), ..around.clone() };
    let text = format!("{verb} {name} ({}) {rows}", listed.join(", "));
    match c.below(3) {
        0 => text,
        1 => format!("{text} RETURNING {}", c.list(1, 3, |c| expression(c, &scope))),
        _ => format!("{text} ON DUPLICATE KEY UPDATE {} = {}", listed[0], expression(c, &scope)),
    }
}

/// A value that a column is given.
fn given(c: &mut Choices<'_>, scope: &Scope) -> String {
    if c.one_in(10) { "DEFAULT".to_owned() } else { expression(c, scope) }
}

fn update(c: &mut Choices<'_>, around: &Scope) -> String {
    let (name, columns) = c.pick(&TABLES);
    let mut scope = Scope { columns: columns_of(name, columns), ..around.clone() };
    let mut tables = name.to_owned();
    let joins = c.one_in(3);
    if joins {
        let (other, more) = c.pick(&TABLES);
        tables = format!("{name} LEFT JOIN {other} AS o ON {name}.{} = o.{}", c.pick(columns), c.pick(more));
        scope.columns.extend(columns_of("o", more));
    }
    let set = c.list(1, 3, |c| format!("{name}.{} = {}", c.pick(columns), given(c, &scope)));
    let text =
        format!("UPDATE {}{tables} SET {set} WHERE {}", c.pick(&["", "IGNORE "]), expression(c, &scope));
    match !joins && c.one_in(3) {
        true => format!("{text} ORDER BY {} LIMIT 2", expression(c, &scope)),
        false => text,
    }
}

fn delete(c: &mut Choices<'_>, around: &Scope) -> String {
    let (name, columns) = c.pick(&TABLES);
    let scope = Scope { columns: columns_of(name, columns), ..around.clone() };
    let wanted = expression(c, &scope);
    match c.below(3) {
        0 => format!("DELETE FROM {name} WHERE {wanted}"),
        1 => format!(
            "DELETE FROM {name} WHERE {wanted} ORDER BY {} LIMIT 1 RETURNING {name}.*",
            expression(c, &scope)
        ),
        _ => format!("DELETE {name} FROM {name} JOIN u AS o WHERE {wanted}"),
    }
}

/// A table with expressions in its definition.
fn defined(c: &mut Choices<'_>) -> String {
    let own = Scope { columns: vec!["a".into(), "b".into()], ..Scope::default() };
    let part = |c: &mut Choices<'_>| expression(c, &own);
    let stored = c.pick(&["STORED", "VIRTUAL"]);
    format!(
        "CREATE TABLE made (a INT, b VARCHAR(30) DEFAULT ({}), x {} AS ({}) {stored}, CHECK ({}), KEY (x), KEY (b(3), a)); \
         INSERT INTO made (a) VALUES (1), (NULL); SHOW CREATE TABLE made",
        part(c),
        c.pick(&["INT", "TEXT", "DATETIME(3)", "DECIMAL(20,5)", "VARCHAR(50)", "DOUBLE", "JSON", "BIT(9)"]),
        part(c),
        part(c)
    )
}

fn altered(c: &mut Choices<'_>) -> String {
    let types = [
        "INT",
        "BIGINT UNSIGNED",
        "VARCHAR(5)",
        "TEXT CHARACTER SET latin1",
        "DATETIME",
        "TIME(3)",
        "DECIMAL(5,1)",
        "BIT(4)",
        "ENUM('x','y')",
        "SET('p','q')",
        "JSON",
        "INET6",
        "UUID",
        "YEAR",
        "FLOAT",
        "BINARY(3)",
        "BLOB",
        "GEOMETRY",
    ];
    let action = |c: &mut Choices<'_>| {
        let column = c.pick(&EVERY);
        match c.below(7) {
            0 => format!("MODIFY {column} {}", c.pick(&types)),
            1 => format!("ADD COLUMN {} {} NOT NULL FIRST", c.name('n'), c.pick(&types)),
            2 => format!("DROP COLUMN {column}"),
            3 => format!("ADD INDEX ({column}, {})", c.pick(&EVERY)),
            4 => format!("ADD UNIQUE ({column})"),
            5 => format!("CHANGE {column} {} {} AFTER id", c.name('n'), c.pick(&types)),
            _ => format!("ALTER COLUMN {column} SET DEFAULT ({})", expression(c, &Scope::default())),
        }
    };
    let ignore = c.pick(&["", "IGNORE "]);
    format!(
        "CREATE TABLE made LIKE every; INSERT INTO made SELECT * FROM every; ALTER {ignore}TABLE made {}; SELECT * FROM made",
        c.list(1, 3, action)
    )
}
