//! COM_STMT_BULK_EXECUTE as MariaDB's connectors send batches. What is expected here is what MariaDB 10.11 answered to the
//! same packets.

mod harness;

use harness::{Connection, Server, run};
use protocol::client::{ClientError, QueryResult};
use protocol::flags::wire_type;

const BULK_EXECUTE: u8 = 0xFA;
const SEND_TYPES: u16 = 128;

/// A parameter of a set.
#[derive(Clone, Copy)]
enum P {
    Int(i64),
    Text(&'static str),
    Null,
    Default,
    Ignore,
}

use P::{Default, Ignore, Int, Null, Text};

fn body(id: u32, flags: u16, types: &[u8], sets: &[&[P]]) -> Vec<u8> {
    let mut body = id.to_le_bytes().to_vec();
    body.extend_from_slice(&flags.to_le_bytes());
    types.iter().for_each(|ty| body.extend_from_slice(&[*ty, 0]));
    for parameter in sets.iter().copied().flatten() {
        match parameter {
            Int(n) => {
                body.push(0);
                body.extend_from_slice(&n.to_le_bytes());
            }
            Text(text) => {
                body.extend_from_slice(&[0, text.len() as u8]);
                body.extend_from_slice(text.as_bytes());
            }
            Null => body.push(1),
            Default => body.push(2),
            Ignore => body.push(3),
        }
    }
    body
}

/// Affected rows, insert id, warnings, info; or the error's number.
type Told = Result<(u64, u64, u16, String), u16>;

fn told(results: Result<Vec<QueryResult>, ClientError>) -> Told {
    match results {
        Ok(results) => match &results[..] {
            [QueryResult::Done(ok)] => {
                Ok((ok.affected_rows, ok.last_insert_id, ok.warnings, ok.info.clone()))
            }
            other => panic!("{other:?}"),
        },
        Err(ClientError::Server(error)) => Err(error.number),
        Err(error) => panic!("{error}"),
    }
}

fn bulk(connection: &mut Connection, sql: &str, types: &[u8], sets: &[&[P]]) -> Told {
    let id = connection.prepare(sql).expect(sql).id;
    connection.send_command(BULK_EXECUTE, &body(id, SEND_TYPES, types, sets)).expect("send");
    told(connection.results(true))
}

fn rows(connection: &mut Connection, sql: &str) -> String {
    let rows = connection.rows(sql).expect(sql);
    let cell =
        |c: &Option<Vec<u8>>| c.as_ref().map_or("NULL".into(), |c| String::from_utf8_lossy(c).into_owned());
    let row = |row: &Vec<Option<Vec<u8>>>| row.iter().map(cell).collect::<Vec<String>>().join(" ");
    rows.iter().map(row).collect::<Vec<String>>().join(", ")
}

const L: u8 = wire_type::LONGLONG;
const S: u8 = wire_type::VAR_STRING;
const ALL: &str = "SELECT * FROM t ORDER BY id";

fn start() -> (Server, Connection) {
    let server = Server::start(&[]);
    let mut c = server.connect();
    run(&mut c, "CREATE DATABASE d");
    run(&mut c, "USE d");
    run(
        &mut c,
        "CREATE TABLE t(id INT AUTO_INCREMENT PRIMARY KEY, a INT DEFAULT 7, b VARCHAR(10) DEFAULT 'x')",
    );
    (server, c)
}

fn ok(affected: u64, insert_id: u64, warnings: u16, info: &str) -> Told {
    Ok((affected, insert_id, warnings, info.into()))
}

#[test]
fn rows_of_an_insert_are_written_together_or_not_at_all() {
    let (_server, mut c) = start();
    let insert = "INSERT INTO t VALUES (?,?,?)";
    let sets: [&[P]; 3] =
        [&[Int(1), Int(10), Text("a")], &[Int(2), Null, Text("b")], &[Int(3), Int(30), Text("c")]];
    let info = |n: u64, duplicates: u64, warnings: u64| {
        format!("Records: {n}  Duplicates: {duplicates}  Warnings: {warnings}")
    };
    assert_eq!(bulk(&mut c, insert, &[L, L, S], &sets), ok(3, 3, 0, &info(3, 0, 0)));
    assert_eq!(rows(&mut c, ALL), "1 10 a, 2 NULL b, 3 30 c");
    let again: [&[P]; 2] = [&[Int(4), Int(1), Text("d")], &[Int(2), Int(1), Text("e")]];
    assert_eq!(bulk(&mut c, insert, &[L, L, S], &again), Err(1062));
    assert_eq!(rows(&mut c, ALL), "1 10 a, 2 NULL b, 3 30 c");
    // The number 4 was passed by; two rows come, one and then two numbers are reserved.
    let defaults: [&[P]; 2] = [&[Int(1), Default], &[Default, Text("q")]];
    assert_eq!(
        bulk(&mut c, "INSERT INTO t(a,b) VALUES (?,?)", &[L, S], &defaults),
        ok(2, 5, 0, &info(2, 0, 0))
    );
    assert_eq!(bulk(&mut c, insert, &[L, L, S], &[&[Ignore, Int(1), Ignore]]), ok(1, 8, 0, ""));
    assert_eq!(rows(&mut c, ALL), "1 10 a, 2 NULL b, 3 30 c, 5 1 x, 6 7 q, 8 1 x");
    let ignored: [&[P]; 3] = [
        &[Int(1), Int(1), Text("q")],
        &[Int(100), Int(1), Text("longer than ten")],
        &[Int(2), Int(1), Text("q")],
    ];
    let told = bulk(&mut c, "INSERT IGNORE INTO t VALUES (?,?,?)", &[L, L, S], &ignored);
    assert_eq!(told, ok(1, 2, 3, &info(3, 2, 3)));
    assert!(rows(&mut c, "SHOW WARNINGS").contains("Data truncated for column 'b' at row 2"));
    let replace: [&[P]; 2] = [&[Int(3), Int(1), Text("r")], &[Int(200), Int(1), Text("r")]];
    assert_eq!(
        bulk(&mut c, "REPLACE INTO t VALUES (?,?,?)", &[L, L, S], &replace),
        ok(3, 200, 0, &info(2, 1, 0))
    );
    let change = "INSERT INTO t VALUES (?,?,?) ON DUPLICATE KEY UPDATE a=a+1";
    let sets: [&[P]; 2] = [&[Int(3), Int(1), Text("r")], &[Int(201), Int(1), Text("r")]];
    assert_eq!(bulk(&mut c, change, &[L, L, S], &sets), ok(3, 201, 0, &info(2, 1, 0)));
    assert_eq!(rows(&mut c, "SELECT * FROM t WHERE id IN (3, 200, 201)"), "3 2 r, 200 1 r, 201 1 r");
    let id = c.prepare("INSERT INTO t(a) VALUES (?) RETURNING id, a").expect("prepare").id;
    c.send_command(BULK_EXECUTE, &body(id, SEND_TYPES, &[L], &[&[Int(1)], &[Int(2)]])).expect("send");
    match &c.results(true).expect("rows")[..] {
        [QueryResult::Rows { rows, .. }] => assert_eq!(rows.len(), 2),
        other => panic!("{other:?}"),
    }
}

#[test]
fn changes_run_set_by_set_and_stay_up_to_an_error() {
    let (_server, mut c) = start();
    run(&mut c, "INSERT INTO t VALUES (1,1,'a'),(2,2,'b'),(3,3,'c'),(4,4,'d')");
    let update = "UPDATE t SET a=? WHERE id=?";
    let sets: [&[P]; 3] = [&[Int(100), Int(1)], &[Int(2), Int(2)], &[Int(300), Int(99)]];
    let told = bulk(&mut c, update, &[L, L], &sets);
    assert_eq!(told, ok(1, 0, 0, "Rows matched: 2  Changed: 1  Warnings: 0"));
    let sets: [&[P]; 3] = [&[Int(50), Int(1)], &[Int(3), Int(2)], &[Int(60), Int(3)]];
    assert_eq!(bulk(&mut c, "UPDATE t SET id=? WHERE id=?", &[L, L], &sets), Err(1062));
    assert_eq!(rows(&mut c, ALL), "2 2 b, 3 3 c, 4 4 d, 50 100 a");
    assert_eq!(rows(&mut c, "SELECT @@in_transaction"), "0");
    let sets: [&[P]; 3] =
        [&[Ignore, Text("z"), Int(2)], &[Int(5), Ignore, Int(3)], &[Default, Default, Int(4)]];
    let told = bulk(&mut c, "UPDATE t SET a=?, b=? WHERE id=?", &[L, S, L], &sets);
    assert_eq!(told, ok(3, 0, 0, "Rows matched: 3  Changed: 3  Warnings: 0"));
    assert_eq!(rows(&mut c, ALL), "2 2 z, 3 5 c, 4 7 x, 50 100 a");
    assert_eq!(
        bulk(&mut c, "DELETE FROM t WHERE id=?", &[L], &[&[Int(2)], &[Int(999)], &[Int(50)]]),
        ok(2, 0, 0, "")
    );
    assert_eq!(bulk(&mut c, "DELETE FROM t WHERE id=?", &[L], &[&[Default]]), Err(4032));
    // Inside a transaction nothing is committed.
    run(&mut c, "BEGIN");
    assert_eq!(bulk(&mut c, "DELETE FROM t WHERE id=?", &[L], &[&[Int(3)], &[Int(4)]]), ok(2, 0, 0, ""));
    run(&mut c, "ROLLBACK");
    assert_eq!(rows(&mut c, ALL), "3 5 c, 4 7 x");
}

#[test]
fn what_is_no_batch_is_refused() {
    let (_server, mut c) = start();
    for sql in ["SELECT ?", "DO ?", "SET @a=?", "INSERT INTO t(a,b) SELECT ?,1"] {
        assert_eq!(bulk(&mut c, sql, &[L], &[&[Int(1)], &[Int(2)]]), Err(1295), "{sql}");
    }
    assert_eq!(bulk(&mut c, "INSERT INTO t VALUES ()", &[], &[]), Err(1295));
    let insert = "INSERT INTO t(a) VALUES (?)";
    assert_eq!(bulk(&mut c, insert, &[L], &[]), Err(1210));
    let id = c.prepare(insert).expect("prepare").id;
    for (flags, types, cut, error) in [
        (0, &[][..], 0, 1210),
        (64 | SEND_TYPES, &[L], 0, 1295),
        (SEND_TYPES, &[L], 3, 1210),
        (1, &[], 0, 1295),
    ] {
        let mut body = body(id, flags, types, &[&[Int(1)]]);
        body.truncate(body.len() - cut);
        c.send_command(BULK_EXECUTE, &body).expect("send");
        assert_eq!(told(c.results(true)), Err(error), "{flags} {cut}");
    }
    c.send_command(BULK_EXECUTE, &body(999, SEND_TYPES, &[L], &[&[Int(1)]])).expect("send");
    assert_eq!(told(c.results(true)), Err(1243));
    assert_eq!(rows(&mut c, "SELECT COUNT(*) FROM t"), "0");
    assert_eq!(bulk(&mut c, insert, &[L], &[&[Int(1)]]), ok(1, 1, 0, ""));
}

#[test]
fn an_update_that_finds_nothing_tells_its_counts_where_no_index_said_so() {
    let (_server, mut c) = start();
    run(&mut c, "INSERT INTO t VALUES (1,1,'a'),(2,2,'b')");
    let found_none = ok(0, 0, 0, "Rows matched: 0  Changed: 0  Warnings: 0");
    assert_eq!(told(c.query("UPDATE t SET a=9 WHERE (id, b) = (NULL, 'a')")), found_none);
    assert_eq!(told(c.query("UPDATE t SET a=9 WHERE (1, id) = (2, 2)")), found_none);
    assert_eq!(told(c.query("UPDATE t x JOIN t y ON x.id=y.a SET x.a=9 LIMIT 0")), found_none);
    assert_eq!(told(c.query("UPDATE t SET a=9 WHERE id = NULL")), ok(0, 0, 0, ""));
    assert_eq!(told(c.query("UPDATE t SET a=9 LIMIT 0")), ok(0, 0, 0, ""));
}
