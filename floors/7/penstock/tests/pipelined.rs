//! Changes of clients that send many commands before they read an answer: they are forced together, and all the same
//! acknowledged only when they are durable, in order, and in nobody's way.

mod harness;

use harness::{Connection, Server, one, run, send_all};
use protocol::client::QueryResult;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The rows that the next answer tells of as changed, or its error.
fn answer(client: &mut Connection) -> Result<u64, String> {
    client.expect_reply();
    match client.results(false) {
        Ok(results) => match &results[..] {
            [QueryResult::Done(ok)] => Ok(ok.affected_rows),
            _ => Ok(0),
        },
        Err(error) => Err(error.to_string()),
    }
}

fn setup(server: &Server) -> Connection {
    let mut client = server.connect();
    for sql in [
        "CREATE DATABASE p",
        "USE p",
        "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL)",
        "INSERT INTO t SELECT 10 * a.n + b.n, 0 FROM (SELECT 0 n UNION SELECT 1 UNION SELECT 2) a, \
         (SELECT 0 n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) b",
    ] {
        run(&mut client, sql);
    }
    client
}

fn forces(client: &mut Connection) -> u64 {
    let rows = client.rows("SHOW GLOBAL STATUS LIKE 'Penstock_log_forces'").expect("status");
    let value = rows[0][1].as_deref().expect("a number");
    String::from_utf8_lossy(value).parse().expect("a number")
}

#[test]
fn changes_that_come_together_are_forced_together_and_survive() {
    let mut server = Server::start(&[]);
    let mut client = setup(&server);
    let before = forces(&mut client);
    let statements: Vec<String> =
        (0..300).map(|i| format!("INSERT INTO t VALUES ({}, {i})", 100 + i)).collect();
    send_all(&mut client, &statements).expect("write");
    for sql in &statements {
        assert_eq!(answer(&mut client), Ok(1), "{sql}");
    }
    server.kill();
    server.restart();
    let mut client = server.connect_to("p");
    assert_eq!(one(&mut client, "SELECT COUNT(*) FROM t WHERE id >= 100"), "300");
    // Once more, for the count alone: how many share a force is a matter of time.
    let begun = forces(&mut client);
    let statements: Vec<String> =
        (0..300).map(|i| format!("UPDATE t SET n = n + 1 WHERE id = {}", 100 + i)).collect();
    send_all(&mut client, &statements).expect("write");
    assert!(statements.iter().all(|_| answer(&mut client) == Ok(1)));
    let made = forces(&mut client) - begun;
    assert!(made < 290, "{made} forces for 300 changes");
    assert!(before > 0);
}

#[test]
fn changes_of_one_text_are_forced_together() {
    let server = Server::start(&[]);
    let mut client = setup(&server);
    let begun = forces(&mut client);
    let text: Vec<String> = (0..100).map(|i| format!("INSERT INTO t VALUES ({}, {i})", 100 + i)).collect();
    let results = client.query(&text.join("; ")).expect("all of them");
    assert_eq!(results.len(), 100);
    let made = forces(&mut client) - begun;
    assert!(made < 95, "{made} forces for 100 changes");
    // What stands between them finds them forced, and the first error ends the text.
    let found = client.query(
        "UPDATE t SET n = 7 WHERE id = 1; SELECT n FROM t WHERE id = 1; INSERT INTO t VALUES (1, 1); DO 1",
    );
    assert!(found.expect_err("a duplicate").to_string().contains("1062"));
    assert_eq!(one(&mut server.connect_to("p"), "SELECT n FROM t WHERE id = 1"), "7");
}

#[test]
fn transactions_and_errors_between_them_keep_their_order() {
    let server = Server::start(&[]);
    let mut client = setup(&server);
    let round = [
        ("BEGIN", Ok(0)),
        ("UPDATE t SET n = n + 1 WHERE id = 1", Ok(1)),
        ("UPDATE t SET n = n + 1 WHERE id = 2", Ok(1)),
        ("COMMIT", Ok(0)),
        ("INSERT INTO t VALUES (1, 1)", Err("1062")),
        ("UPDATE t SET n = n + 1 WHERE id = 999", Ok(0)),
        ("UPDATE t SET n = n + 1 WHERE id = 1", Ok(1)),
        ("START TRANSACTION", Ok(0)),
        ("DELETE FROM t WHERE id = 3", Ok(1)),
        ("ROLLBACK", Ok(0)),
        ("INSERT INTO t VALUES (3, 3)", Err("1062")),
        ("UPDATE nowhere SET n = 1", Err("1146")),
    ];
    let statements: Vec<String> = round.iter().map(|(sql, _)| (*sql).to_owned()).collect();
    for turn in 1..=20 {
        send_all(&mut client, &statements).expect("write");
        for (sql, expected) in &round {
            match (answer(&mut client), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, *expected, "{sql}"),
                (Err(found), Err(number)) => assert!(found.contains(number), "{sql}: {found}"),
                (found, _) => panic!("{sql}: {found:?}"),
            }
        }
        let mut other = server.connect_to("p");
        let expected = format!("{},{turn},0", 2 * turn);
        assert_eq!(
            one(&mut other, "SELECT GROUP_CONCAT(n ORDER BY id) FROM t WHERE id IN (1, 2, 3)"),
            expected
        );
    }
}

#[test]
fn who_gets_a_lock_finds_what_was_committed_under_it() {
    let server = Server::start(&[]);
    let mut client = setup(&server);
    let mut other = server.connect_to("p");
    for turn in 1..=50 {
        let statements = [
            "DO GET_LOCK('turn', 60)".to_owned(),
            format!("UPDATE t SET n = {turn} WHERE id = 1"),
            "DO RELEASE_LOCK('turn')".to_owned(),
            // Its answer is the last to come, long after the lock is free.
            "DO SLEEP(0.02)".to_owned(),
        ];
        send_all(&mut client, &statements).expect("write");
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            assert!(Instant::now() < deadline, "turn {turn} never comes");
            if one(&mut other, "SELECT GET_LOCK('turn', 60)") != "1" {
                continue;
            }
            let found = one(&mut other, "SELECT n FROM t WHERE id = 1");
            run(&mut other, "DO RELEASE_LOCK('turn')");
            if found == turn.to_string() {
                break;
            }
            assert_eq!(found, (turn - 1).to_string(), "before its turn");
        }
        for (sql, changed) in statements.iter().zip([0, 1, 0, 0]) {
            assert_eq!(answer(&mut client), Ok(changed), "{sql}");
        }
    }
}

/// Writers of the same rows, who send much at once, beside one who alters the tables and one who reads.
#[test]
fn writers_that_do_not_wait_get_on_with_all_others() {
    const WRITERS: u64 = 3;
    const ROUNDS: u64 = 30;
    const EACH: u64 = 40;
    let server = Server::start(&[]);
    let mut client = setup(&server);
    run(&mut client, "CREATE TABLE u LIKE t");
    run(&mut client, "INSERT INTO u SELECT * FROM t");
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (server, ended) = (&server, &ended);
        let writers: Vec<_> = (0..WRITERS)
            .map(|_| {
                scope.spawn(move || {
                    let mut client = server.connect_to("p");
                    for _ in 0..ROUNDS {
                        let table = |at| if at % 3 == 0 { "u" } else { "t" };
                        let statements: Vec<String> = (0..EACH)
                            .map(|at| format!("UPDATE {} SET n = n + 1 WHERE id = {}", table(at), at % 2))
                            .collect();
                        send_all(&mut client, &statements).expect("write");
                        for sql in &statements {
                            assert_eq!(answer(&mut client), Ok(1), "{sql}");
                        }
                    }
                })
            })
            .collect();
        let altering = scope.spawn(move || {
            let mut client = server.connect_to("p");
            let mut turns = 0;
            while !ended.load(Ordering::Relaxed) {
                for sql in [
                    "ALTER TABLE t ADD INDEX by_n (n)",
                    "ALTER TABLE t DROP INDEX by_n",
                    "ALTER TABLE u ADD COLUMN c VARCHAR(3) DEFAULT 'x', ALGORITHM=COPY",
                    "ALTER TABLE u DROP COLUMN c",
                ] {
                    run(&mut client, sql);
                }
                run(&mut client, "LOCK TABLES t READ, u READ");
                let sums = |client: &mut Connection| {
                    one(client, "SELECT (SELECT SUM(n) FROM t) + (SELECT SUM(n) FROM u)")
                };
                let locked = sums(&mut client);
                assert_eq!(sums(&mut client), locked, "changed under LOCK TABLES ... READ");
                run(&mut client, "UNLOCK TABLES");
                turns += 1;
            }
            turns
        });
        let reading = scope.spawn(move || {
            let mut client = server.connect_to("p");
            let mut last = 0_u64;
            while !ended.load(Ordering::Relaxed) {
                let sum: u64 = one(&mut client, "SELECT SUM(n) FROM t").parse().expect("a number");
                assert!(sum >= last, "{sum} after {last}");
                last = sum;
            }
        });
        for writer in writers {
            writer.join().expect("a writer");
        }
        ended.store(true, Ordering::Relaxed);
        assert!(altering.join().expect("the one who alters") > 0);
        reading.join().expect("the reader");
    });
    let expected = (WRITERS * ROUNDS * EACH).to_string();
    assert_eq!(one(&mut client, "SELECT (SELECT SUM(n) FROM t) + (SELECT SUM(n) FROM u)"), expected);
    assert_eq!(one(&mut client, "SELECT COUNT(*) FROM t"), one(&mut client, "SELECT COUNT(*) FROM u"));
}
