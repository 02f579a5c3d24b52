//! What the grammars make has a meaning for the most part: texts that are refused at once show nothing.

use fuzz::mutate::choices;
use fuzz::{database, sql_binder, sql_expression};
use std::collections::BTreeMap;

const INPUTS: u64 = 400;

/// How many of the statements run without an error, in hundredths; prints the commonest errors.
fn understood(text: fn(&[u8]) -> String) -> u64 {
    let mut errors: BTreeMap<String, (u64, String)> = BTreeMap::new();
    let mut good = 0;
    for input in 0..INPUTS {
        let (mut session, mut client) = database::session();
        let statement = text(&choices(input, 20 + (input as usize % 7) * 20));
        let _ = session.query(format!("BEGIN; {statement}").as_bytes(), true, &mut client);
        match client.take_error() {
            None => good += 1,
            Some(error) => {
                let kind = error.chars().take(60).collect();
                errors.entry(kind).or_insert((0, statement)).0 += 1;
            }
        }
        let _ = session.query(
            b"ROLLBACK; DROP VIEW IF EXISTS seen; DROP TABLE IF EXISTS made",
            true,
            &mut client,
        );
    }
    let mut commonest: Vec<_> = errors.into_iter().collect();
    commonest.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (error, (count, statement)) in commonest.iter().take(25) {
        println!("{count} times {error}: {statement:.300}");
    }
    good * 100 / INPUTS
}

#[test]
fn most_expressions_have_a_value() {
    let share = understood(sql_expression::text);
    assert!(share > 40, "{share} of 100");
}

#[test]
fn most_statements_run() {
    let share = understood(sql_binder::text);
    assert!(share > 30, "{share} of 100");
}
