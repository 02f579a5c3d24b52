//! What applications do every day, several statements in a row: transactions with savepoints, statements prepared once and
//! executed with other values, temporary tables that hide others, settings for one statement, user variables, SHOW.

use super::plain::{Draw, Scope, any};
use super::{Table, World, change, fixed, query};
use crate::dice::Dice;
use crate::statement::Statement;
use crate::term::{Role, Term};

/// The first of some statements that belong together; the others come next.
pub fn statement(dice: &mut Dice, world: &mut World) -> Statement {
    let mut row = match dice.below(10) {
        0 | 1 => transaction(dice, world),
        2 | 3 => prepared_query(dice, world),
        4 => prepared_insert(dice, world),
        5 => hidden(dice, world),
        6 => for_one_statement(dice, world),
        7 => variables(dice, world),
        _ => vec![shown(dice, world)],
    };
    row.reverse();
    let first = row.pop();
    world.pending = row;
    first.unwrap_or_else(|| words("COMMIT"))
}

/// A statement of the session itself.
fn words(text: impl Into<String>) -> Statement {
    Statement::change(fixed(text), Vec::new())
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

fn all_of(table: &Table) -> Statement {
    Statement::query(fixed(format!("SELECT * FROM {}", table.name)), false)
}

/// Changes, some of which are taken back.
fn transaction(dice: &mut Dice, world: &World) -> Vec<Statement> {
    let table = dice.pick(&world.tables).clone();
    let begin = *dice.pick(&["BEGIN", "START TRANSACTION", "START TRANSACTION READ WRITE", "BEGIN WORK"]);
    let mut row = vec![words(begin), change::statement(dice, world), words("SAVEPOINT a")];
    for _ in 0..dice.between(1, 3) {
        row.push(change::statement(dice, world));
        if dice.chance(1, 3) {
            row.push(words(*dice.pick(&["SAVEPOINT a", "SAVEPOINT b", "RELEASE SAVEPOINT a"])));
        }
    }
    row.push(words(*dice.pick(&[
        "ROLLBACK TO a",
        "ROLLBACK TO SAVEPOINT a",
        "ROLLBACK WORK TO SAVEPOINT b",
    ])));
    row.push(all_of(&table));
    row.push(change::statement(dice, world));
    let end = *dice.pick(&["COMMIT", "COMMIT", "ROLLBACK", "COMMIT AND CHAIN", "ROLLBACK AND NO CHAIN"]);
    row.push(words(end));
    if end.ends_with("AND CHAIN") {
        row.push(words("COMMIT"));
    }
    row.push(all_of(&table));
    row
}

/// A query with parameters, executed with two rows of values. Its words stand beside, for whoever explains an answer.
fn prepared_query(dice: &mut Dice, world: &World) -> Vec<Statement> {
    let mut draw = Draw::new(dice, world);
    draw.parameters = Some(Vec::new());
    let block = draw.top(1);
    let mut given = draw.parameters.take().unwrap_or_default();
    let text = block.term.to_string();
    let mut row = vec![words(format!("PREPARE p FROM {}", quoted(&text)))];
    for round in 0..2 {
        let using = if given.is_empty() { String::new() } else { format!(" USING {}", given.join(", ")) };
        let execute = format!("EXECUTE p{using} -- {text}");
        row.push(Statement::query(fixed(execute), block.ordered && round == 0));
        // Other values, of other types at times.
        let turn = usize::from(given.len() > 1);
        given.rotate_left(turn);
    }
    row.push(words("DEALLOCATE PREPARE p"));
    row
}

/// An INSERT with a parameter for each column, executed for several rows.
fn prepared_insert(dice: &mut Dice, world: &World) -> Vec<Statement> {
    let base = world.base();
    let table = (*dice.pick(&base)).clone();
    let columns: Vec<_> = table.columns.iter().filter(|c| !c.generated).collect();
    let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
    let verb = *dice.pick(&["INSERT INTO", "INSERT IGNORE INTO", "REPLACE INTO"]);
    let update = match verb {
        "INSERT INTO" if dice.chance(1, 3) => {
            let column = *dice.pick(&names);
            format!(" ON DUPLICATE KEY UPDATE {column} = VALUES({column})")
        }
        _ => String::new(),
    };
    let marks = vec!["?"; names.len()].join(", ");
    let text = format!("{verb} {} ({}) VALUES ({marks}){update}", table.name, names.join(", "));
    let mut row = vec![words(format!("PREPARE q FROM {}", quoted(&text)))];
    for _ in 0..dice.between(1, 3) {
        let values: Vec<Term> =
            columns.iter().map(|c| Term::words(Role::Expr, change::value(dice, c))).collect();
        let template = format!("EXECUTE q USING {}", vec!["{}"; values.len()].join(", "));
        row.push(Statement::change(
            Term::of(Role::Fixed, &template, values),
            vec![format!("SELECT * FROM {}", table.name)],
        ));
    }
    row.push(words("DEALLOCATE PREPARE q"));
    row
}

/// A temporary table of another's name.
fn hidden(dice: &mut Dice, world: &World) -> Vec<Statement> {
    let base = world.base();
    let table = (*dice.pick(&base)).clone();
    let name = &table.name;
    let probes = vec![format!("SHOW CREATE TABLE {name}"), format!("SELECT * FROM {name}")];
    let make = match dice.below(3) {
        0 => format!("CREATE TEMPORARY TABLE {name} LIKE {name}"),
        _ => format!("CREATE TEMPORARY TABLE {name} SELECT * FROM {name}"),
    };
    let mut row = vec![Statement::change(fixed(make), probes.clone())];
    for _ in 0..dice.between(1, 3) {
        row.push(match dice.below(3) {
            0 => query::statement(dice, world),
            _ => change::statement(dice, world),
        });
    }
    let end = *dice.pick(&["DROP TEMPORARY TABLE", "DROP TEMPORARY TABLE IF EXISTS", "DROP TABLE"]);
    row.push(Statement::change(fixed(format!("{end} {name}")), probes));
    row
}

/// SET STATEMENT ... FOR.
fn for_one_statement(dice: &mut Dice, world: &World) -> Vec<Statement> {
    let setting = *dice.pick(&[
        "sql_mode = ''",
        "sql_mode = 'STRICT_ALL_TABLES'",
        "sql_mode = 'ANSI_QUOTES,NO_ZERO_DATE'",
        "group_concat_max_len = 8",
        "max_statement_time = 100",
        "sql_select_limit = 2",
        "div_precision_increment = 7",
        "auto_increment_increment = 3",
        "time_zone = '+03:00'",
        "foreign_key_checks = 0",
    ]);
    let mut inner = match dice.below(2) {
        0 if setting != "sql_select_limit = 2" => query::statement(dice, world),
        _ => change::statement(dice, world),
    };
    inner.term = Term::of(Role::Fixed, &format!("SET STATEMENT {setting} FOR {{}}"), vec![inner.term]);
    vec![inner, Statement::words("SELECT @@sql_mode, @@time_zone, @@auto_increment_increment")]
}

/// User variables set from tables, and used.
fn variables(dice: &mut Dice, world: &World) -> Vec<Statement> {
    let mut draw = Draw::new(dice, world);
    let sort = any(draw.dice);
    let value = draw.scalar_subquery(&Scope::EMPTY, sort, 0);
    let other = any(draw.dice);
    let second = draw.scalar(&Scope::EMPTY, other, 1);
    let table = draw.dice.pick(&world.tables).clone();
    let column = draw.dice.pick(&table.columns).name.clone();
    let keys: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    let set = match draw.dice.below(2) {
        0 => Term::of(Role::Fixed, "SET @v = {}, @w = {}", vec![value, second]),
        _ => fixed(format!(
            "SELECT {column}, COUNT(*) OVER () INTO @v, @w FROM {} ORDER BY {} LIMIT 1",
            table.name,
            keys.join(", ")
        )),
    };
    vec![
        Statement::change(set, Vec::new()),
        Statement::words("SELECT @v, @w, @v = @w, CONCAT(@v, @w), @nothing"),
        Statement::query(
            fixed(format!("SELECT {column}, @v FROM {} WHERE {column} = @v", table.name)),
            false,
        ),
    ]
}

/// SHOW and its like.
fn shown(dice: &mut Dice, world: &World) -> Statement {
    let table = dice.pick(&world.tables).clone();
    let name = &table.name;
    let column = &dice.pick(&table.columns).name;
    let text = match dice.below(18) {
        0 => "SHOW TABLES".into(),
        1 => "SHOW FULL TABLES".into(),
        2 => "SHOW FULL TABLES WHERE Table_type <> 'VIEW'".into(),
        3 => "SHOW TABLES LIKE 't%'".into(),
        4 => format!("SHOW COLUMNS FROM {name} LIKE 'c%'"),
        5 => format!("SHOW FULL COLUMNS FROM {name} WHERE Field = '{column}'"),
        6 => format!("DESCRIBE {name} {column}"),
        7 => "SHOW CREATE DATABASE penstock_differ".into(),
        8 => format!("SHOW CREATE TABLE {name}"),
        9 => format!("SHOW CREATE VIEW {name}"),
        10 => format!("CHECK TABLE {name}"),
        11 => format!("ANALYZE TABLE {name}"),
        12 => format!("OPTIMIZE TABLE {name}"),
        13 => "SHOW VARIABLES LIKE 'sql_mode'".into(),
        14 => "SELECT @@warning_count, @@error_count, @@identity, @@last_insert_id".into(),
        15 => "SHOW COUNT(*) WARNINGS".into(),
        16 => format!("SELECT DEFAULT({column}) FROM {name}"),
        _ => format!("SHOW FIELDS IN {name}"),
    };
    let change = ["CHECK", "ANALYZE", "OPTIMIZE"].iter().any(|word| text.starts_with(word));
    if change { words(text) } else { Statement::words(text) }
}
