//! Indexes built while the table is read and written, and what LOCK, ALGORITHM and ONLINE make of it.

mod harness;

use harness::{Client, Server};

const ROWS: u32 = 12_000;

/// A table with enough rows that a build takes a while in a test.
fn filled() -> Server {
    let server = Server::new();
    let mut client = server.session();
    client.run(
        "CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(60), g INT AS (v * 2) VIRTUAL);
         CREATE TABLE p (id INT PRIMARY KEY);
         CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE);
         INSERT INTO p VALUES (1), (2), (3)",
    );
    client.run(&format!(
        "INSERT INTO t (id, v, s) SELECT seq, seq % 100, CONCAT('text ', seq * 7919 % {ROWS}) FROM seq_1_to_{ROWS};
         INSERT INTO c SELECT seq, 1 + seq % 3 FROM seq_1_to_{ROWS}"
    ));
    server
}

/// What one kind of statement came to beside a build.
#[derive(Debug, Default)]
struct Tally {
    done: u32,
    /// Error 1205.
    refused: u32,
}

impl Tally {
    fn note(&mut self, client: &mut Client, sql: &str) {
        let outcomes = client.outcomes(sql);
        match &outcomes.last().expect("an outcome").error {
            None => self.done += 1,
            Some(error) if error.errno == 1205 => self.refused += 1,
            Some(error) => panic!("{sql}: {error:?}"),
        }
    }
}

/// Runs `ddl` beside reads and writes until it has ended; what they came to from its first moment to its last.
fn beside(server: &Server, ddl: &str, patience: u32) -> (Tally, Tally) {
    let (mut reads, mut writes) = (Tally::default(), Tally::default());
    let mut client = server.session();
    let mut id: u32 = client.value("SELECT MAX(id) FROM t").parse().expect("a number");
    client.run(&format!("SET lock_wait_timeout = {patience}"));
    std::thread::scope(|scope| {
        let build = scope.spawn(|| {
            server.session().run(ddl);
        });
        while !build.is_finished() {
            id += 1;
            reads.note(&mut client, "SELECT s FROM t WHERE id = 77");
            writes.note(&mut client, &format!("INSERT INTO t (id, v, s) VALUES ({id}, 3, 'new')"));
            writes.note(&mut client, &format!("UPDATE t SET v = v + 1 WHERE id = {}", id % ROWS));
            let again = format!(
                "INSERT INTO t (id, v, s) VALUES ({}, 1, 'x') ON DUPLICATE KEY UPDATE v = v + 7",
                id - 9
            );
            writes.note(&mut client, &again);
            writes.note(&mut client, &format!("DELETE FROM t WHERE id = {}", id - 5));
        }
        build.join().expect("build the index");
    });
    (reads, writes)
}

/// The rows that an index gives are those of the table.
fn check_index(client: &mut Client, index: &str, column: &str) {
    let sum = |hint: &str| {
        format!(
            "SELECT COUNT(*), COUNT({column}), SUM(CRC32(CONCAT(id, '-', {column}))) FROM t {hint} WHERE {column} >= 0"
        )
    };
    let by_index = client.rows(&sum(&format!("FORCE INDEX ({index})")));
    assert_eq!(by_index, client.rows(&sum("USE INDEX ()")));
    assert_eq!(client.value("CHECK TABLE t EXTENDED; SELECT 1"), "1");
}

#[test]
fn reads_and_writes_go_on_while_an_index_is_built() {
    let server = filled();
    let mut client = server.session();
    for ddl in [
        "ALTER TABLE t ADD INDEX k (v), ADD INDEX kg (g), ADD INDEX ks (s), ALGORITHM=INPLACE, LOCK=NONE",
        "ALTER ONLINE TABLE t ADD INDEX k (v), ADD INDEX kg (g), ADD INDEX ks (s)",
        "CREATE INDEX k ON t (v, s)",
    ] {
        // Patient: the moments at its beginning and end are waited for.
        let (reads, writes) = beside(&server, ddl, 100);
        assert_eq!((reads.refused, writes.refused), (0, 0), "{ddl}");
        assert!(reads.done > 5 && writes.done > 20, "{ddl}: {reads:?}, {writes:?}");
        check_index(&mut client, "k", "v");
        if ddl.contains("kg") {
            check_index(&mut client, "kg", "g");
            client.run("DROP INDEX kg ON t; DROP INDEX ks ON t");
        }
        client.run("DROP INDEX k ON t");
    }
    let server = server.after_power_cut();
    let mut client = server.session();
    assert_eq!(
        client.value("SELECT COUNT(*) FROM t IGNORE INDEX (PRIMARY)"),
        client.value("SELECT COUNT(*) FROM t")
    );
}

#[test]
fn a_lock_that_is_asked_for_is_held() {
    let server = filled();
    let add = "ADD INDEX k (v), ADD INDEX kg (g), ADD INDEX ks (s)";
    let shared =
        [format!("ALTER TABLE t {add}, LOCK=SHARED"), format!("ALTER TABLE t {add}, ALGORITHM=COPY")];
    for ddl in shared {
        let (reads, writes) = beside(&server, &ddl, 0);
        assert!(writes.refused > 0, "{ddl}: {reads:?}, {writes:?}");
        assert!(reads.done > reads.refused, "{ddl}: {reads:?}, {writes:?}");
        server.session().run("ALTER TABLE t DROP INDEX k, DROP INDEX kg, DROP INDEX ks");
    }
    let ddl = format!("ALTER TABLE t {add}, LOCK=EXCLUSIVE");
    let (reads, writes) = beside(&server, &ddl, 0);
    assert!(reads.refused > 0 && writes.refused > 0, "{reads:?}, {writes:?}");
}

#[test]
fn duplicates_made_meanwhile_undo_the_build_alone() {
    let server = filled();
    let mut writer = server.session();
    writer.run("BEGIN; INSERT INTO t (id, v, s) VALUES (-1, 1, 'text 5')");
    let refused = std::thread::scope(|scope| {
        let build = scope.spawn(|| server.session().error("ALTER TABLE t ADD UNIQUE u (s), LOCK=NONE"));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!build.is_finished(), "the table is in use");
        // The writer knows nothing of the index.
        writer.run("INSERT INTO t (id, v, s) VALUES (-2, 1, 'text 5'); COMMIT");
        build.join().expect("end the build")
    });
    assert_eq!(refused, (1062, "Duplicate entry 'text 5' for key 'u'".to_owned()));
    writer.run("DELETE FROM t WHERE id < 0; INSERT INTO t (id, v, s) VALUES (-3, 1, NULL), (-4, 1, NULL)");
    server.session().run("ALTER TABLE t ADD UNIQUE u (s)");
    assert_eq!(writer.error("INSERT INTO t (id, v, s) VALUES (-5, 1, 'text 5')").0, 1062);
}

#[test]
fn cascades_reach_an_index_that_is_being_built() {
    let server = filled();
    let mut client = server.session();
    std::thread::scope(|scope| {
        let build = scope.spawn(|| drop(server.session().run("CREATE INDEX k ON c (p, id)")));
        client.run("DELETE FROM p WHERE id = 2");
        client.run("BEGIN; INSERT INTO c VALUES (0, 3); SAVEPOINT s; DELETE FROM c WHERE id = 4; ROLLBACK TO s; COMMIT");
        build.join().expect("build the index");
    });
    let count =
        |client: &mut Client, hint: &str| client.value(&format!("SELECT COUNT(*) FROM c {hint} WHERE p < 9"));
    // That which the foreign key had been given goes, since this one serves it.
    assert_eq!(count(&mut client, "FORCE INDEX (k)"), count(&mut client, "IGNORE INDEX (k)"));
    assert_eq!(client.value("SELECT COUNT(*) FROM c FORCE INDEX (k) WHERE p = 2"), "0");
}

#[test]
fn one_alters_at_a_time_and_others_are_not_held_up_by_the_second() {
    let server = filled();
    let mut client = server.session();
    let alter = |sql: &str| drop(server.session().run(sql));
    client.run("SET lock_wait_timeout = 100");
    std::thread::scope(|scope| {
        let one = scope.spawn(|| alter("ALTER TABLE t ADD INDEX k (v), ADD INDEX ks (s)"));
        let two = scope.spawn(|| alter("ALTER TABLE t ADD INDEX kg (g)"));
        let mut done = 0;
        while !one.is_finished() || !two.is_finished() {
            client.run("UPDATE t SET v = v + 1 WHERE id = 1");
            done += 1;
        }
        assert!(done > 5, "{done} updates beside two builds");
        one.join().expect("build the first");
        two.join().expect("build the second");
    });
    for (index, column) in [("k", "v"), ("kg", "g")] {
        check_index(&mut client, index, column);
    }
}
