//! Statements of a grammar over a fixed catalogue, bound, planned, explained and run.

use crate::database;
use crate::grammar::Choices;
use crate::grammar::statement::statement;
use types::Value;

const MODES: [&str; 6] = [
    "SET sql_mode = DEFAULT",
    "SET sql_mode = ''",
    "SET sql_mode = 'ANSI,TRADITIONAL'",
    "SET sql_mode = 'ONLY_FULL_GROUP_BY,NO_UNSIGNED_SUBTRACTION'",
    "SET sql_mode = 'PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,PAD_CHAR_TO_FULL_LENGTH'",
    "SET NAMES latin1, sql_mode = 'ORACLE'",
];

/// The statement that `data` means, in the mode of its first byte.
pub fn text(data: &[u8]) -> String {
    let mut choices = Choices::new(data);
    let mode = choices.pick(&MODES);
    format!("{mode}; {}", statement(&mut choices, false))
}

/// Takes `data` as choices: the statement is explained and run as a text, and prepared and run with parameters.
pub fn run(data: &[u8]) {
    let (mut session, mut client) = database::session();
    let mut choices = Choices::new(data);
    let mode = choices.pick(&MODES);
    let statement_text = statement(&mut choices, false);
    for text in
        [mode, "BEGIN", &format!("EXPLAIN {statement_text}"), &statement_text, "SHOW WARNINGS; ROLLBACK"]
    {
        let _ = session.query(text.as_bytes(), true, &mut client);
    }
    let mut choices = Choices::new(data.get(1..).unwrap_or_default());
    let with_parameters = statement(&mut choices, true);
    if !with_parameters.contains(';')
        && let Ok(info) = session.prepare(with_parameters.as_bytes())
    {
        let values = [Value::Int(1), Value::Null, Value::Double(-1.5), Value::UInt(u64::MAX)];
        let params: Vec<Value> = values.into_iter().cycle().take(info.parameters).collect();
        let _ = session.query(b"BEGIN", true, &mut client);
        let _ = session.execute(info.id, &params, sql::session::Announced::new(), &mut client);
        let _ = session.execute(info.id, &params, sql::session::Announced::new(), &mut client);
    }
    let _ = session.query(b"ROLLBACK", true, &mut client);
    let _ = session.query(b"DROP VIEW IF EXISTS d.seen", true, &mut client);
    let _ = session.query(b"DROP TABLE IF EXISTS d.made", true, &mut client);
}

/// Some choices to start from.
pub fn seeds() -> Vec<Vec<u8>> {
    (0..40).map(|seed| crate::mutate::choices(seed, 200)).collect()
}
