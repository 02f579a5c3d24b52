//! Clients that misbehave: the server stays up, its memory bounded, the others served.

mod harness;

use harness::random::{Random, setting};
use harness::{Server, one, packet, read_to_end, run, send_all};
use std::io::Write;

/// A seeded generator, so that a failure can be repeated.
fn numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

#[test]
fn garbage_before_the_handshake_ends_only_its_own_connection() {
    let server = Server::start(&[]);
    let mut good = server.connect();
    let mut next = numbers(7);
    for round in 0..200 {
        let mut stream = server.raw();
        let len = (next() % 300) as usize;
        let mut bytes: Vec<u8> = (0..len).map(|_| next() as u8).collect();
        match round % 4 {
            // A handshake response cut anywhere.
            0 => bytes = packet(1, &bytes),
            // A header that promises 16 MiB.
            1 => bytes = vec![0xFF, 0xFF, 0xFF, 1],
            // A packet out of order.
            2 => bytes = packet(9, &bytes),
            _ => {}
        }
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        read_to_end(&mut stream, 1 << 16);
    }
    assert_eq!(one(&mut good, "SELECT 1"), "1");
}

#[test]
fn garbage_commands_are_answered_or_end_the_connection() {
    let server = Server::start(&[]);
    let mut next = numbers(11);
    for round in 0..300_u64 {
        let mut client = server.connect();
        let len = (next() % 64) as usize;
        let body: Vec<u8> = (0..len).map(|_| next() as u8).collect();
        // COM_QUIT and COM_SHUTDOWN mean what they say.
        let command = match (round % 256) as u8 {
            0x01 | 0x08 => 0x0E,
            // Commands without an answer.
            0x18 | 0x19 => 0x1A,
            command => command,
        };
        client.send_command(command, &body).expect("send");
        let _ = client.stream().shutdown(std::net::Shutdown::Write);
        let _ = client.receive();
    }
    assert_eq!(one(&mut server.connect(), "SELECT 2"), "2");
}

#[test]
fn a_packet_beyond_the_limit_is_refused_by_its_header() {
    let server = Server::start(&["--max-allowed-packet", "1M"]);
    let mut client = server.connect();
    let before = server.memory();
    let text = format!("SELECT '{}'", "x".repeat(2 << 20));
    let refused = client.query(&text).expect_err("a packet of 2 MiB");
    assert!(
        refused.to_string().contains("1153") || matches!(refused, protocol::client::ClientError::Io(_)),
        "{refused}"
    );
    assert!(server.memory() < before + (8 << 20));
    let mut client = server.connect();
    assert_eq!(one(&mut client, &format!("SELECT LENGTH('{}')", "x".repeat(1 << 19))), (1 << 19).to_string());
}

#[test]
fn packets_over_16_mib_go_both_ways() {
    let server = Server::start(&["--max-allowed-packet", "64M"]);
    let mut client = server.connect();
    let long = "y".repeat(20 << 20);
    assert_eq!(one(&mut client, &format!("SELECT LENGTH('{long}')")), (20 << 20).to_string());
    assert!(one(&mut client, &format!("SELECT '{long}'")) == long);
}

#[test]
fn idle_connections_cost_little_and_disturb_nobody() {
    let _ = platform::system::raise_open_files_limit();
    let server = Server::start(&[]);
    let before = server.memory();
    let idle: Vec<_> = (0..2000).map(|_| server.connect()).collect();
    let per_connection = server.memory().saturating_sub(before) / 2000;
    assert!(per_connection < 64 << 10, "{per_connection} bytes for each idle connection");
    let mut client = server.connect();
    for _ in 0..100 {
        assert_eq!(one(&mut client, "SELECT 3"), "3");
    }
    drop(idle);
}

#[test]
fn a_client_that_stops_reading_costs_no_memory() {
    let server = Server::start(&[]);
    let mut slow = server.connect();
    let rows = "SELECT REPEAT('z', 10000) FROM (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) a, \
                (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) b, \
                (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) c, \
                (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) d, \
                (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) e, \
                (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) f, \
                (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) g";
    let before = server.memory();
    // 160 MB of rows, of which nothing is read.
    slow.send_command(0x03, rows.as_bytes()).expect("send");
    let mut client = server.connect();
    for _ in 0..200 {
        assert_eq!(one(&mut client, "SELECT 4"), "4");
    }
    assert!(server.memory() < before + (16 << 20), "the rows of a slow reader pile up");
}

#[test]
fn pipelined_commands_are_answered_in_order() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    send_all(&mut client, (0..500).map(|i| format!("SELECT {i}"))).expect("write");
    for i in 0..500 {
        client.expect_reply();
        let results = client.results(false).unwrap_or_else(|e| panic!("reply {i}: {e}"));
        let protocol::client::QueryResult::Rows { rows, .. } = &results[0] else {
            panic!("reply {i} has no rows")
        };
        assert_eq!(rows[0][0].as_deref(), Some(i.to_string().as_bytes()));
    }
}

/// Commands that wait are looked up before their turn; what those before them change still counts.
#[test]
fn pipelined_commands_see_what_those_before_them_did() {
    let server = Server::start(&[]);
    let mut random = Random::new(setting("PENSTOCK_PIPELINE_SEED", 5));
    let statements: Vec<String> =
        (0..setting("PENSTOCK_PIPELINE", 3000)).map(|_| statement(&mut random)).collect();
    let answers = |database: &str, depth: usize| -> Vec<String> {
        let mut client = server.connect();
        for sql in [format!("CREATE DATABASE {database}"), format!("CREATE DATABASE {database}_other")] {
            run(&mut client, &sql);
        }
        for schema in [format!("{database}_other"), database.to_owned()] {
            run(&mut client, &format!("USE {schema}"));
            run(
                &mut client,
                "CREATE TABLE t (id INT PRIMARY KEY, n INT, c VARCHAR(20)) SELECT seq id, seq n, 'x' c FROM (SELECT 1 seq UNION SELECT 2 UNION SELECT 3 UNION SELECT 9) s",
            );
        }
        let mut all = Vec::new();
        for batch in statements.chunks(depth) {
            let texts = batch.iter().map(|sql| sql.replace("$db", database));
            send_all(&mut client, texts).expect("write");
            for _ in batch {
                client.expect_reply();
                all.push(format!("{:?}", client.results(false)).replace(database, "$db"));
            }
        }
        all
    };
    let (alone, pipelined) = (answers("alone", 1), answers("together", 150));
    for ((sql, alone), pipelined) in statements.iter().zip(&alone).zip(&pipelined) {
        assert_eq!(alone, pipelined, "{sql}");
    }
}

/// Executions of prepared statements, of which most rely on types that an earlier one announced.
#[test]
fn pipelined_executions_take_the_types_that_were_announced_last() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for sql in [
        "CREATE DATABASE p",
        "USE p",
        "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)",
    ] {
        run(&mut client, sql);
    }
    let find = client.prepare("SELECT n FROM t WHERE id = ?").expect("prepare").id;
    let add = client.prepare("UPDATE t SET n = n + ? WHERE id = ?").expect("prepare").id;
    let execute = |id: u32, types: &[u8], values: &[&[u8]]| {
        let mut body = vec![0x17];
        body.extend(id.to_le_bytes());
        body.extend([0, 1, 0, 0, 0, 0, u8::from(!types.is_empty())]);
        body.extend(types.iter().flat_map(|ty| [*ty, 0]));
        values.iter().for_each(|value| body.extend_from_slice(value));
        packet(0, &body)
    };
    const LONG: u8 = 3;
    const TEXT: u8 = 253;
    let int = |n: u32| n.to_le_bytes();
    let one_round = [
        execute(find, &[LONG], &[&int(1)]),
        execute(find, &[], &[&int(2)]),
        execute(find, &[TEXT], &[b"\x011"]),
        execute(find, &[], &[b"\x013"]),
        execute(find, &[LONG], &[&int(2)]),
        execute(add, &[LONG, TEXT], &[&int(1), b"\x012"]),
        execute(find, &[], &[&int(2)]),
        execute(add, &[], &[&int(1), b"\x011"]),
        packet(0, b"\x03SELECT n FROM t WHERE id = 1"),
        execute(find, &[], &[&int(3)]),
        execute(find, &[], &[&int(99)]),
    ];
    let rounds = 40;
    let bytes: Vec<u8> = (0..rounds).flat_map(|_| one_round.concat()).collect();
    client.stream().write_all(&bytes).expect("write");
    for round in 0..rounds {
        let (first, second) = (10 + round, 20 + round);
        let expected = [
            Some(first),
            Some(second),
            Some(first),
            Some(30),
            Some(second),
            None,
            Some(second + 1),
            None,
            Some(first + 1),
            Some(30),
            None,
        ];
        for (at, expected) in expected.into_iter().enumerate() {
            client.expect_reply();
            let results = client.results(at != 8).unwrap_or_else(|e| panic!("round {round}, {at}: {e}"));
            let found = match &results[0] {
                protocol::client::QueryResult::Rows { rows, .. } => {
                    rows.first().map(|row| row[0].as_deref().map(|n| number(n, at != 8)).expect("a number"))
                }
                _ => None,
            };
            assert_eq!(found, expected, "round {round}, {at}");
        }
    }
}

/// A column of an INT as the text or binary protocol sends it.
fn number(bytes: &[u8], binary: bool) -> u32 {
    match binary {
        true => u32::from_le_bytes(bytes.try_into().expect("four bytes")),
        false => std::str::from_utf8(bytes).expect("text").parse().expect("a number"),
    }
}

/// A statement over a small table, now and then one that changes how the next are understood.
fn statement(random: &mut Random) -> String {
    let id = random.below(12);
    match random.below(100) {
        0..60 => match random.below(4) {
            0 => format!("SELECT n FROM t WHERE id = {id}"),
            1 => format!("SELECT c, n, id FROM t WHERE id = '{id}'"),
            2 => format!("SELECT * FROM t WHERE id={id}"),
            _ => format!("SELECT \"n\" FROM t WHERE id = {id}"),
        },
        60..75 => format!("UPDATE t SET n = n + 1, c = 'y{id}' WHERE id = {id}"),
        75..80 => format!("DELETE FROM t WHERE id = {id}"),
        80..85 => format!("INSERT INTO t (id, n) VALUES ({id}, 1)"),
        85..88 => format!("DO {id}/0, LENGTH(DATABASE())"),
        88 => "ALTER TABLE t ADD COLUMN IF NOT EXISTS d INT DEFAULT 7 FIRST".to_owned(),
        89 => "ALTER TABLE t DROP COLUMN IF EXISTS d".to_owned(),
        90 => "SET sql_mode = 'ANSI_QUOTES'".to_owned(),
        91 => "SET sql_mode = DEFAULT".to_owned(),
        92 => "USE $db_other".to_owned(),
        93 => "USE $db".to_owned(),
        94 => "BEGIN".to_owned(),
        95 => "COMMIT".to_owned(),
        96 => "ROLLBACK".to_owned(),
        97 => "CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, n TEXT)".to_owned(),
        98 => "DROP TEMPORARY TABLE IF EXISTS t".to_owned(),
        _ => format!("SET NAMES {}", if random.chance(50) { "latin1" } else { "utf8mb4" }),
    }
}

#[test]
fn a_second_server_on_the_same_directory_is_refused() {
    let server = Server::start(&[]);
    let second = std::process::Command::new(env!("CARGO_BIN_EXE_penstock"))
        .args(["serve", "--port", "0", "--datadir"])
        .arg(server.data_dir())
        .output()
        .expect("run");
    assert!(!second.status.success());
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("lock the data directory"), "{said}");
}

#[test]
fn an_open_account_keeps_the_server_on_this_machine() {
    let dir = tempfile::tempdir().expect("make a directory");
    let refused = std::process::Command::new(env!("CARGO_BIN_EXE_penstock"))
        .args(["serve", "--port", "3999", "--bind", "0.0.0.0", "--datadir"])
        .arg(dir.path())
        .output()
        .expect("run");
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("has no password"), "{said}");
}

#[test]
fn kill_ends_a_query_and_a_connection() {
    let server = Server::start(&[]);
    let mut victim = server.connect();
    let id = one(&mut victim, "SELECT CONNECTION_ID()");
    victim.send_command(0x03, b"SELECT SLEEP(600)").expect("send");
    let mut client = server.connect();
    // COM_PROCESS_KILL takes the connection.
    run_kill(&mut client, id.parse().expect("a number"));
    assert!(victim.receive().is_err() || victim.receive().is_err());
    assert_eq!(run(&mut client, "DO 1"), 0);
}

fn run_kill(client: &mut harness::Connection, id: u32) {
    client.simple(0x0C, &id.to_le_bytes()).expect("kill");
}

/// The process list says of a connection what it is doing, and that it sleeps once all its commands were answered.
#[test]
fn the_process_list_tells_who_works_and_who_waits() {
    let server = Server::start(&[]);
    let (mut watcher, mut other) = (server.connect(), server.connect());
    run(&mut watcher, "CREATE DATABASE d");
    let id = one(&mut other, "SELECT CONNECTION_ID()");
    let state = |watcher: &mut _| {
        one(
            watcher,
            &format!(
                "SELECT CONCAT(command, ':', IFNULL(db, '-')) FROM information_schema.processlist WHERE id={id}"
            ),
        )
    };
    assert_eq!(state(&mut watcher), "Sleep:-");
    for _ in 0..3 {
        other.send_command(0x03, b"DO 1").expect("send");
    }
    other.send_command(0x02, b"d").expect("send");
    for _ in 0..4 {
        other.expect_reply();
        other.receive().expect("an answer");
    }
    assert_eq!(state(&mut watcher), "Sleep:d");
    other.send_command(0x03, b"SELECT SLEEP(600)").expect("send");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while state(&mut watcher) != "Query:d" {
        assert!(std::time::Instant::now() < deadline, "it never seemed to work");
    }
}
