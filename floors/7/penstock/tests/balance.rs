//! Busy connections that share an event loop while another one sleeps part, and their clients notice nothing.

mod harness;

use harness::{Connection, Server, one, run};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time that the loops have for each pair of connections; the pair that shares one needs some tenths of a second.
const PATIENCE: Duration = Duration::from_secs(20);

fn moved(connection: &mut Connection) -> u64 {
    const ASK: &str = "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'Penstock_connections_moved'";
    one(connection, ASK).parse().expect("a number")
}

/// Keeps a connection busy; each answer has to be right.
fn keep_busy(connection: &mut Connection, name: u64, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let answer = one(connection, "SELECT CONCAT(@name, ' ', n, ' ', BENCHMARK(3000, MD5('a'))) FROM own");
        assert_eq!(answer, format!("{name} {} 0", name * 10));
    }
}

#[test]
fn busy_connections_of_one_loop_part() {
    let server = Server::start(&["--threads", "2"]);
    let can_tell = std::fs::exists("/proc/thread-self/schedstat").unwrap_or(false);
    let has_cores = std::thread::available_parallelism().is_ok_and(|cores| cores.get() >= 2);
    if !can_tell || !has_cores || !server.log_text().contains("(IoUring)") {
        return eprintln!("skipped: it takes two cores, io_uring, and a kernel that tells what threads wait");
    }
    let mut watcher = server.connect();
    run(&mut watcher, "CREATE DATABASE busy");
    let connect = |name: u64| {
        let mut connection = server.connect_to("busy");
        run(&mut connection, &format!("SET @name = {name}"));
        run(&mut connection, &format!("CREATE TEMPORARY TABLE own AS SELECT {} AS n", name * 10));
        connection
    };
    // New ones go to the loops by turns: one of the three shares the first one's.
    let mut first = connect(1);
    let mut others: Vec<(u64, Connection)> = (2..=4).map(|name| (name, connect(name))).collect();
    for (name, other) in &mut others {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| keep_busy(&mut first, 1, &stop));
            scope.spawn(|| keep_busy(other, *name, &stop));
            let end = Instant::now() + if *name == 4 { PATIENCE } else { Duration::from_secs(2) };
            while moved(&mut watcher) == 0 && Instant::now() < end {
                std::thread::sleep(Duration::from_millis(20));
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
    assert!(moved(&mut watcher) > 0, "nothing moved though two of four shared a loop");
}
