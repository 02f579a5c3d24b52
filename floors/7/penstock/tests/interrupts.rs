//! KILL QUERY, KILL of a connection and `max_statement_time` end a statement wherever it is: in each loop of the
//! executor, in ALTER and LOAD DATA, in each kind of wait.
//!
//! The issue asks for 100 ms. Tests run unoptimised beside others: they want a second, and print what was measured.
//! `PENSTOCK_INTERRUPT_MS=100 cargo test --release -p penstock --test interrupts -- --nocapture` wants the real thing.

mod harness;

use harness::random::setting;
use harness::{Connection, Server, one, run};
use protocol::client::ClientError;
use std::io::Write as _;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Lines that LOAD DATA reads: seconds of work for it and for ALTER in an unoptimised build.
const LINES: u32 = 100_000;
const INTERRUPTED: u16 = 1317;
const TIMED_OUT: u16 = 1969;

/// Statements that run for very long, by what is at work in them.
const ENDLESS: [(&str, &str); 22] = [
    ("nested loop", "SELECT COUNT(*) FROM big a, big b, big c WHERE a.v + b.v + c.v < 0"),
    (
        "outer join",
        "SELECT COUNT(*) FROM big a LEFT JOIN big b ON a.v + b.v < 0 LEFT JOIN big c ON c.v + a.v < 0",
    ),
    (
        "hash join",
        "SELECT COUNT(*) FROM big a JOIN big b ON a.g = b.g JOIN big c ON b.g = c.g JOIN big d ON c.g = d.g",
    ),
    (
        "sort",
        "SELECT COUNT(*) FROM (SELECT a.id FROM big a, big b, big c ORDER BY a.v * b.v, c.v LIMIT 900000000) d",
    ),
    ("top of a sort", "SELECT a.id FROM big a, big b, big c ORDER BY a.v * b.v DESC, c.v LIMIT 5"),
    ("grouping", "SELECT COUNT(*) FROM (SELECT a.id FROM big a, big b, big c GROUP BY a.id, b.id, c.id) d"),
    ("aggregates", "SELECT SUM(a.v), MIN(b.v), MAX(c.v), AVG(a.v) FROM big a, big b, big c"),
    ("COUNT(DISTINCT)", "SELECT COUNT(DISTINCT a.v + b.v + c.v) FROM big a, big b, big c"),
    ("DISTINCT", "SELECT COUNT(*) FROM (SELECT DISTINCT a.g, b.g AS h FROM big a, big b, big c) d"),
    ("UNION", "SELECT COUNT(*) FROM (SELECT a.g FROM big a, big b, big c UNION SELECT v FROM big) d"),
    ("window", "SELECT COUNT(*) FROM (SELECT SUM(a.v) OVER (ORDER BY a.v + b.g) FROM big a, big b, big c) d"),
    (
        "window frame",
        "SELECT COUNT(*) FROM (SELECT MAX(a.v) OVER (ORDER BY a.id, b.id ROWS BETWEEN 90000 PRECEDING AND 90000 FOLLOWING) AS s FROM big a, big b) d",
    ),
    (
        "recursion",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT (n + 1) % 1000 FROM r) SELECT COUNT(*) FROM r",
    ),
    (
        "correlated subquery",
        "SELECT COUNT(*) FROM big a WHERE (SELECT COUNT(*) FROM big b, big c WHERE b.v + c.v > a.v + RAND()) < 0",
    ),
    (
        "IN (query)",
        "SELECT COUNT(*) FROM big a WHERE a.v NOT IN (SELECT b.v + c.v + d.v + 9000000 FROM big b, big c, big d)",
    ),
    ("UPDATE", "UPDATE big a, big b, big c SET a.v = a.v + 1 WHERE a.v + b.v + c.v < 0"),
    ("DELETE", "DELETE a FROM big a, big b, big c WHERE a.v + b.v + c.v < 0"),
    ("INSERT ... SELECT", "INSERT INTO sink SELECT a.v FROM big a, big b, big c"),
    ("CREATE TABLE ... SELECT", "CREATE TABLE made AS SELECT a.v FROM big a, big b, big c"),
    ("BENCHMARK", "SELECT BENCHMARK(100000000000, MD5('x'))"),
    ("SLEEP", "SELECT SLEEP(600)"),
    (
        "INFORMATION_SCHEMA",
        "SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c",
    ),
];

/// Statements that wait for another connection, by what they wait for.
const WAITING: [(&str, &str); 4] = [
    ("row lock", "UPDATE held SET v = 2 WHERE id = 1"),
    ("locking read", "SELECT * FROM held FOR UPDATE"),
    ("table definition", "ALTER TABLE held ADD COLUMN more INT"),
    ("GET_LOCK", "SELECT GET_LOCK('held', 600)"),
];

fn allowed() -> Duration {
    Duration::from_millis(setting("PENSTOCK_INTERRUPT_MS", 1000))
}

/// A server with `big` (1,500 rows), `sink` and `held`, and a connection that holds what others wait for.
fn fixture() -> (Server, Connection) {
    let server = Server::start(&["--threads", "2"]);
    let mut holder = server.connect();
    for sql in [
        "CREATE DATABASE d",
        "USE d",
        "CREATE TABLE big (id INT PRIMARY KEY, v INT NOT NULL, g INT NOT NULL)",
        "CREATE TABLE sink (v INT)",
        "CREATE TABLE held (id INT PRIMARY KEY, v INT)",
        "INSERT INTO held VALUES (1, 1)",
    ] {
        run(&mut holder, sql);
    }
    for from in (0..1500).step_by(500) {
        let rows: Vec<String> =
            (from..from + 500).map(|i| format!("({i}, {}, {})", i * 7 % 1500, i % 3)).collect();
        run(&mut holder, &format!("INSERT INTO big VALUES {}", rows.join(",")));
    }
    run(&mut holder, "DO GET_LOCK('held', 0)");
    run(&mut holder, "BEGIN");
    run(&mut holder, "UPDATE held SET v = 3 WHERE id = 1");
    (server, holder)
}

/// A connection for a statement to be interrupted: nothing else ends it.
fn victim(server: &Server) -> Connection {
    let mut connection = server.connect_to("d");
    for sql in [
        "SET innodb_lock_wait_timeout = 600",
        "SET lock_wait_timeout = 600",
        "SET max_recursive_iterations = 4294967295",
    ] {
        run(&mut connection, sql);
    }
    connection
}

/// Runs a statement, kills it after a while; the error's number and how long it took from the KILL on.
fn killed(server: &Server, killer: &mut Connection, sql: &str) -> (Option<u16>, Duration) {
    let mut connection = victim(server);
    let id = one(&mut connection, "SELECT CONNECTION_ID()");
    let (answered, answers) = channel();
    let sql = sql.to_owned();
    let thread = std::thread::spawn(move || {
        let outcome = connection.query(&sql);
        let at = Instant::now();
        let _ = answered.send(());
        (outcome.map(drop), at, connection)
    });
    if answers.recv_timeout(Duration::from_millis(150)).is_ok() {
        panic!("the statement ended by itself: {:?}", thread.join().expect("the statement's thread").0);
    }
    // A KILL that comes before the statement has begun is for none.
    let runs =
        format!("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = {id} AND INFO IS NOT NULL");
    while one(killer, &runs) == "0" {
        std::thread::sleep(Duration::from_millis(50));
    }
    let begun = Instant::now();
    run(killer, &format!("KILL QUERY {id}"));
    let (outcome, at, mut connection) = thread.join().expect("the statement's thread");
    // The connection lives on.
    assert_eq!(one(&mut connection, "SELECT 1"), "1");
    (number(outcome), at - begun)
}

fn number(outcome: Result<(), ClientError>) -> Option<u16> {
    match outcome {
        Err(ClientError::Server(error)) => Some(error.number),
        Err(other) => panic!("the connection broke: {other}"),
        Ok(()) => None,
    }
}

/// How a statement ended and how long that took: the shortest of three tries, where the first takes too long. A machine whose
/// cores or device were busy elsewhere meanwhile shows that in one of them, a loop that does not look shows it in all.
fn at_best(mut end: impl FnMut() -> (Option<u16>, Duration)) -> (Option<u16>, Duration) {
    let mut best = end();
    for _ in 1..3 {
        if best.1 > allowed() {
            let (number, took) = end();
            assert_eq!(number, best.0, "the same statement ends otherwise");
            best.1 = best.1.min(took);
        }
    }
    best
}

/// Tells how long each took, and fails where one took too long or ended otherwise.
fn judge(what: &str, wanted: u16, seen: &[(&str, Option<u16>, Duration)]) {
    let mut wrong = Vec::new();
    for (name, number, took) in seen {
        println!("{what}: {name}: {number:?} after {took:.1?}");
        if *number != Some(wanted) || *took > allowed() {
            wrong.push(format!("{name}: {number:?} after {took:?}"));
        }
    }
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
}

#[test]
fn kill_query_ends_every_loop_and_every_wait() {
    let (server, _holder) = fixture();
    let mut killer = server.connect();
    let mut seen = Vec::new();
    for (name, sql) in ENDLESS.iter().chain(&WAITING) {
        let (number, took) = at_best(|| killed(&server, &mut killer, sql));
        seen.push((*name, number, took));
    }
    judge("KILL QUERY", INTERRUPTED, &seen);
    assert_eq!(one(&mut server.connect_to("d"), "SELECT COUNT(*) FROM sink"), "0");
}

#[test]
fn time_limits_end_every_loop_and_every_wait() {
    let (server, _holder) = fixture();
    let limit = Duration::from_millis(200);
    let mut seen = Vec::new();
    for (name, sql) in ENDLESS.iter().chain(&WAITING) {
        let (number, took) = at_best(|| {
            let mut connection = victim(&server);
            let begun = Instant::now();
            let outcome = connection.query(&format!("SET STATEMENT max_statement_time = 0.2 FOR {sql}"));
            (number(outcome.map(drop)), begun.elapsed().saturating_sub(limit))
        });
        seen.push((*name, number, took));
    }
    judge("max_statement_time", TIMED_OUT, &seen);
}

#[test]
fn kill_of_a_connection_ends_its_statement_and_frees_what_it_held() {
    let (server, mut holder) = fixture();
    let mut killer = server.connect();
    for (name, sql) in [ENDLESS[0], ENDLESS[3], WAITING[0]] {
        let killed = || {
            let mut connection = victim(&server);
            let id = one(&mut connection, "SELECT CONNECTION_ID()");
            run(&mut connection, "BEGIN");
            run(&mut connection, "INSERT INTO sink VALUES (1)");
            connection.send_command(0x03, sql.as_bytes()).expect("send the statement");
            std::thread::sleep(Duration::from_millis(100));
            let begun = Instant::now();
            run(&mut killer, &format!("KILL {id}"));
            // The last word may be the error, or the end of the stream.
            while connection.receive().is_ok() {}
            let took = begun.elapsed();
            assert_eq!(one(&mut killer, "SELECT COUNT(*) FROM d.sink"), "0");
            let listed = format!("SELECT COUNT(*) FROM information_schema.processlist WHERE id = {id}");
            while one(&mut killer, &listed) != "0" {
                assert!(begun.elapsed() < Duration::from_secs(20), "{name}: the connection stays listed");
            }
            (None, took)
        };
        let (_, took) = at_best(killed);
        assert!(took <= allowed(), "{name}: {took:?}");
    }
    run(&mut holder, "COMMIT");
    run(&mut killer, "ALTER TABLE d.held ADD COLUMN more INT");
}

#[test]
fn alter_and_load_data_are_ended() {
    let (server, _holder) = fixture();
    let mut loader = server.connect_to("d");
    run(&mut loader, "CREATE TABLE wide (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b VARCHAR(100))");
    let file = server.data_dir().with_file_name("lines.txt");
    let mut lines = std::io::BufWriter::new(std::fs::File::create(&file).expect("make a file"));
    (1..=LINES).for_each(|i| writeln!(lines, "{i}\t{}\ttext {i}", i * 31 % 1000).expect("write a line"));
    drop(lines);
    let mut killer = server.connect();
    let load = format!("LOAD DATA INFILE '{}' INTO TABLE wide", file.display());
    let (error, took) = at_best(|| killed(&server, &mut killer, &load));
    let mut seen = vec![("LOAD DATA", error, took)];
    assert_eq!(one(&mut loader, "SELECT COUNT(*) FROM wide"), "0");
    run(&mut loader, &load);
    for (name, sql) in [
        ("ALTER that copies", "ALTER TABLE wide MODIFY a BIGINT, ADD COLUMN c VARCHAR(40) DEFAULT 'x' FIRST"),
        ("ALTER that adds an index", "ALTER TABLE wide ADD INDEX more (b, a)"),
        ("ALTER that adds a unique index", "ALTER TABLE wide ADD UNIQUE other (b)"),
    ] {
        let (error, took) = at_best(|| killed(&server, &mut killer, sql));
        seen.push((name, error, took));
        assert_eq!(one(&mut loader, "SELECT COUNT(*) FROM wide"), LINES.to_string());
    }
    judge("KILL QUERY", INTERRUPTED, &seen);
    assert!(!one(&mut loader, "SHOW CREATE TABLE wide").contains("more"));
}
