//! kill -9 at random moments under ten writing connections, again and again over the same directory.
//!
//! Each writer counts what the server acknowledged; the change that was under way at the kill may be there or not, but
//! whole; of one who does not wait for answers the first of several. After each restart everything is read and compared:
//! nothing acknowledged is missing, nothing is there in part, nothing is there that was rolled back. Checkpoints come
//! every 64 KiB of log and segments end every 256 KiB, so that kills fall into both; now and then the server is killed
//! once more while it recovers.
//!
//! `PENSTOCK_KILL_ROUNDS` (5) and `PENSTOCK_KILL_SEED` (1) choose more of it; `cargo xtask soak` runs 100 rounds.

mod harness;
#[path = "crash/writers.rs"]
mod writers;

use harness::random::{Random, setting};
use harness::{Server, run};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use writers::Writer;

#[test]
fn acknowledged_transactions_survive_kills_whole() {
    let rounds = setting("PENSTOCK_KILL_ROUNDS", 5);
    let seed = setting("PENSTOCK_KILL_SEED", 1);
    let mut random = Random::new(seed);
    let options = ["--checkpoint-log-size", "64K", "--max-binlog-size", "256K", "--buffer-pool-size", "8M"];
    let mut server = Server::start(&options);
    let mut setup = server.connect();
    writers::SETUP.iter().for_each(|sql| {
        run(&mut setup, sql);
    });
    let mut writers = Writer::ten(seed);
    let mut kills = 0;
    for round in 0..rounds {
        let stop = Arc::new(AtomicBool::new(false));
        let threads: Vec<_> = writers
            .into_iter()
            .map(|mut writer| {
                let mut connection = server.connect_to("crash");
                let stop = stop.clone();
                std::thread::spawn(move || {
                    writer.work(&mut connection, &stop);
                    writer
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(100 + random.below(600)));
        server.kill();
        kills += 1;
        stop.store(true, Ordering::Relaxed);
        writers = threads.into_iter().map(|thread| thread.join().expect("a writer")).collect();
        while random.chance(30) {
            server.spawn();
            std::thread::sleep(Duration::from_millis(random.below(150)));
            server.kill();
            kills += 1;
        }
        server.restart();
        let mut connection = server.connect_to("crash");
        println!("round {round}, seed {seed}");
        writers.iter_mut().for_each(|writer| writer.verify(&mut connection));
        writers::verify_together(&mut connection);
    }
    let acknowledged: u64 = writers.iter().map(Writer::acknowledged).sum();
    println!("{kills} kills, {acknowledged} acknowledged transactions, none lost, none in part");
    assert!(acknowledged > rounds * 20, "too little was written to say anything");
}
