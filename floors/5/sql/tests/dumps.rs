//! Dumps load, and their rows are there.

#[path = "harness/dump.rs"]
mod dump_file;
mod harness;

use harness::{Client, Server};
use sql::admin::dialect::Dialect;
use sql::admin::show_create;
use std::fmt::Write as _;

/// Loads a dump; gives what failed apart from statements that are not supported.
fn load(client: &mut Client, dump: &[u8]) -> String {
    let mut failed = String::new();
    for statement in dump_file::statements(dump) {
        let text = String::from_utf8_lossy(&statement).into_owned();
        for error in client.outcomes(&text).into_iter().filter_map(|outcome| outcome.error) {
            if error.errno != sql::error::ER_NOT_SUPPORTED_YET {
                let start: String = text.chars().take(300).collect();
                let _ = writeln!(failed, "{error}\n  in {start}");
            }
        }
    }
    failed
}

/// The dump's own CREATE TABLE statements were MariaDB's SHOW CREATE TABLE: ours says the same of what was loaded.
fn check_definitions(client: &Client, database: &str, dump: &[u8]) {
    let catalog = client.session.state.engine.catalog();
    let tables = &catalog.database(database).expect("the database is there").tables;
    let mut wrong = String::new();
    let mut compared = 0;
    for statement in dump_file::statements(dump) {
        let text = String::from_utf8_lossy(&statement).into_owned();
        let Some(name) = text.strip_prefix("CREATE TABLE `").and_then(|rest| rest.split('`').next()) else {
            continue;
        };
        let Some(table) = tables.get(name) else { continue };
        let ours = show_create::create_table_text(&show_create::present(table), &Dialect::FULL);
        // A FULLTEXT key is left out.
        let said = text.replace(",\n  FULLTEXT KEY `idx_title_description` (`title`,`description`)", "");
        compared += 1;
        if ours != said {
            let _ = writeln!(wrong, "{said}\nours:\n{ours}\n");
        }
    }
    assert!(compared > 5, "{compared} tables in {database}");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn chinook_loads() {
    let Some(text) = dump_file::dump("chinook") else { return };
    let server = Server::new();
    let mut client = server.connect();
    let failed = load(&mut client, &text);
    assert!(failed.is_empty(), "{failed}");
    check_definitions(&client, "chinook", &text);
    client.run("USE chinook");
    assert_eq!(client.value("SELECT COUNT(*) FROM Track"), "3503");
    let revenue = "SELECT g.Name, SUM(l.UnitPrice * l.Quantity) total FROM InvoiceLine l JOIN Track t USING (TrackId) \
                   JOIN Genre g USING (GenreId) GROUP BY g.Name ORDER BY total DESC, g.Name LIMIT 2";
    assert_eq!(client.rows(revenue), ["Rock|826.65", "Latin|382.14"]);
}

#[test]
fn sakila_loads() {
    let Some(text) = dump_file::dump("sakila") else { return };
    let server = Server::new();
    let mut client = server.connect();
    let failed = load(&mut client, &text);
    assert!(failed.is_empty(), "{failed}");
    check_definitions(&client, "sakila", &text);
    client.run("USE sakila");
    assert_eq!(client.value("SELECT COUNT(*) FROM rental"), "16044");
}
