//! Expressions of a grammar over all functions, operators and types, evaluated for the rows of a table with a column of
//! every type.

use crate::database;
use crate::grammar::expression::expression;
use crate::grammar::{Choices, EVERY, Scope};

/// Where an expression can stand; `{}` is its place.
const PLACES: [&str; 12] = [
    "SELECT {} FROM every",
    "SELECT id FROM every WHERE {}",
    "SELECT id FROM every ORDER BY {}, id",
    "SELECT COUNT(*), MIN({}), MAX({}) FROM every GROUP BY {}",
    "SELECT DISTINCT {} FROM every",
    "CREATE TEMPORARY TABLE made AS SELECT {} AS x FROM every; SELECT * FROM made",
    "SELECT SUM({}), COUNT(DISTINCT {}), GROUP_CONCAT({}) FROM every",
    "SELECT MAX({}) OVER (PARTITION BY {} ORDER BY id) FROM every",
    "SELECT COUNT(*) FROM every AS every2, every WHERE every2.v = {}",
    "UPDATE every SET v = {}",
    "SELECT every.id FROM every LEFT JOIN t ON {} WHERE t.a IS NULL",
    "INSERT IGNORE INTO every (id, j, dt6) SELECT id + 10, {}, {} FROM every",
];

/// The statement that `data` means.
pub fn text(data: &[u8]) -> String {
    let mut choices = Choices::new(data);
    let place = choices.pick(&PLACES);
    let columns = EVERY.iter().map(|column| format!("every.{column}")).collect();
    let expression = expression(&mut choices, &Scope { columns, ..Scope::default() });
    place.replace("{}", &expression)
}

/// Takes `data` as choices of an expression and of its place; it runs twice, the second time by the plan that is kept.
pub fn run(data: &[u8]) {
    let (mut session, mut client) = database::session();
    let statement = text(data);
    for text in ["BEGIN", &statement, &statement, "SHOW WARNINGS; ROLLBACK"] {
        let _ = session.query(text.as_bytes(), true, &mut client);
    }
}

/// Some choices to start from.
pub fn seeds() -> Vec<Vec<u8>> {
    (0..40).map(|seed| crate::mutate::choices(seed, 100)).collect()
}
