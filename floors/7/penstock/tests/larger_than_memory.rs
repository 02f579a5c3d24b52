//! Data larger than the buffer pool: point reads, range scans, updates and a restart work, memory stays bounded.
//!
//! By default 20 MiB of rows under a pool of 8 MiB. `PENSTOCK_LARGE_MIB=2048 PENSTOCK_LARGE_POOL=128M cargo test --release
//! -p penstock --test larger_than_memory -- --nocapture` is the full size, which `cargo xtask soak` runs too; it writes
//! about three times as much into the temporary directory. Seen there: 2,147,483 rows, 178 MiB resident after writing them, half a
//! second to start again after a kill.

mod harness;

use harness::random::{Random, setting};
use harness::{Connection, Server, one, run};
use std::collections::HashMap;
use std::time::Instant;

/// Bytes of text in a row.
const PAD: usize = 1000;
/// Memory that the server may have beyond its pool: code, event loops, versions and write sets of the moment.
const BESIDE_THE_POOL: u64 = 96 << 20;

fn pad(id: u64, version: u64) -> String {
    let mut random = Random::new(id * 1000 + version);
    let mut text = String::with_capacity(PAD);
    while text.len() < PAD {
        text += &format!("{:016x}", random.number());
    }
    text.truncate(PAD);
    text
}

#[test]
fn data_larger_than_the_pool_works() {
    let rows = setting("PENSTOCK_LARGE_MIB", 20) * (1 << 20) / PAD as u64;
    let pool = std::env::var("PENSTOCK_LARGE_POOL").unwrap_or_else(|_| "8M".to_owned());
    let bound = server::options::parse_bytes(&pool).expect("a size") + BESIDE_THE_POOL;
    let mut server = Server::start(&["--buffer-pool-size", &pool, "--checkpoint-log-size", "16M"]);
    let mut connection = server.connect();
    run(&mut connection, "CREATE DATABASE large");
    let table = "CREATE TABLE large.rows_of (id BIGINT PRIMARY KEY, bucket INT NOT NULL, pad VARCHAR(1000) NOT NULL, KEY (bucket))";
    run(&mut connection, table);
    let begun = Instant::now();
    // Each id once, in an order that visits pages all over the tree.
    let step = 7919;
    assert!(!rows.is_multiple_of(step), "another count of rows");
    for from in (0..rows).step_by(100) {
        let values: Vec<String> = (from..rows.min(from + 100))
            .map(|i| (i * step) % rows)
            .map(|id| format!("({id},{},'{}')", id % 1000, pad(id, 0)))
            .collect();
        run(&mut connection, &format!("INSERT INTO large.rows_of VALUES {}", values.join(",")));
    }
    println!("{rows} rows written in {:.1?}, {} MiB resident", begun.elapsed(), server.memory() >> 20);
    let mut versions = HashMap::new();
    let mut random = Random::new(3);
    check(&mut connection, rows, &versions, &mut random);
    for version in 1..=500 {
        let id = random.below(rows);
        let sql = format!("UPDATE large.rows_of SET pad = '{}' WHERE id = {id}", pad(id, version));
        assert_eq!(run(&mut connection, &sql), 1);
        versions.insert(id, version);
    }
    check(&mut connection, rows, &versions, &mut random);
    assert!(server.memory() < bound, "{} bytes resident, {bound} allowed", server.memory());
    drop(connection);
    server.kill();
    let begun = Instant::now();
    server.restart();
    println!("started again after a kill in {:.1?}", begun.elapsed());
    check(&mut server.connect(), rows, &versions, &mut random);
    assert!(server.memory() < bound, "{} bytes resident, {bound} allowed", server.memory());
}

/// Point reads, ranges, a scan over the secondary index and one over everything.
fn check(connection: &mut Connection, rows: u64, versions: &HashMap<u64, u64>, random: &mut Random) {
    let version = |id: u64| versions.get(&id).copied().unwrap_or(0);
    let updated = versions.keys().copied().take(200);
    let any: Vec<u64> = (0..300).map(|_| random.below(rows)).chain(updated).collect();
    for id in any {
        let found = one(connection, &format!("SELECT pad FROM large.rows_of WHERE id = {id}"));
        assert!(found == pad(id, version(id)), "row {id}, version {}", version(id));
    }
    for _ in 0..10 {
        let from = random.below(rows - 200);
        let sql = format!(
            "SELECT id, pad FROM large.rows_of WHERE id BETWEEN {from} AND {} ORDER BY id",
            from + 199
        );
        let found = connection.rows(&sql).expect("read a range");
        assert_eq!(found.len(), 200);
        for (id, row) in (from..).zip(found) {
            assert_eq!(row[0].as_deref(), Some(id.to_string().as_bytes()));
            assert!(row[1].as_deref() == Some(pad(id, version(id)).as_bytes()), "row {id} of a range");
        }
    }
    let bucket = random.below(1000);
    let expected = (0..rows).filter(|id| id % 1000 == bucket);
    let sql = format!("SELECT COUNT(*), SUM(id) FROM large.rows_of WHERE bucket = {bucket}");
    let found = connection.rows(&sql).expect("read by the secondary index").remove(0);
    let text = |n: u64| Some(n.to_string().into_bytes());
    assert_eq!(found, [text(expected.clone().count() as u64), text(expected.sum())]);
    let sql = "SELECT COUNT(*), SUM(id), MIN(LENGTH(pad)), MAX(LENGTH(pad)) FROM large.rows_of";
    let found = connection.rows(sql).expect("read everything").remove(0);
    assert_eq!(found, [text(rows), text(rows * (rows - 1) / 2), text(PAD as u64), text(PAD as u64)]);
}
