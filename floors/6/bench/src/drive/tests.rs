//! Against a peer that answers OK and stalls once: who is charged for it, and what happens when it goes away.

use super::*;
use protocol::request::put_query;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

const STALL: Duration = Duration::from_millis(300);
/// Commands answered before the stall.
const BEFORE: usize = 100;
const COMMAND: usize = 9;
const OK: [u8; 11] = [7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0];

struct Nothing;

impl Load for Nothing {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        put_query(out, "DO 0");
        true
    }
}

/// Answers `all` commands, with a stall on the way, then closes.
fn peer(mut stream: UnixStream, all: usize) {
    let (mut answered, mut bytes, mut chunk) = (0, 0, [0; 4096]);
    while answered < all {
        let Ok(read @ 1..) = stream.read(&mut chunk) else { return };
        bytes += read;
        let whole = (bytes / COMMAND).min(all);
        if answered < BEFORE && whole >= BEFORE {
            std::thread::sleep(STALL);
        }
        if stream.write_all(&OK.repeat(whole - answered)).is_err() {
            return;
        }
        answered = whole;
    }
}

fn drive(
    depth: usize,
    interval: Option<Duration>,
    all: usize,
) -> (Result<(), BenchError>, crate::tally::Interval) {
    let (ours, theirs) = UnixStream::pair().expect("make sockets");
    let answering = std::thread::spawn(move || peer(theirs, all));
    let stream = Stream::from_unix(ours).expect("take the socket");
    let begin = Instant::now();
    let pace = Pace { depth, interval, begin, end: Some(begin + 2 * STALL) };
    let (tally, stop) = (Tally::default(), AtomicBool::new(false));
    let run = Drive::new(&stream, &mut Nothing, &pace, &tally, &stop).run();
    drop(stream);
    answering.join().expect("answer");
    let mut seen = crate::tally::Interval::default();
    tally.take(&mut seen);
    (run, seen)
}

#[test]
fn intended_times_charge_a_stall_for_all_that_it_held_up() {
    for depth in [1, 1000] {
        let (run, seen) = drive(depth, Some(Duration::from_millis(1)), usize::MAX);
        run.expect("run");
        // 600 are intended; those of the stall waited 150 ms on average, half of all.
        assert!((200..=601).contains(&seen.answers), "{}", seen.answers);
        let slow = seen.latencies.count_between(50_000_000, u64::MAX);
        assert!(slow >= 200, "depth {depth}: {slow} of {}", seen.answers);
    }
}

#[test]
fn a_closed_loop_sees_a_stall_once_for_each_command_sent() {
    let (run, seen) = drive(1, None, usize::MAX);
    run.expect("run");
    assert!(seen.answers > 200, "{}", seen.answers);
    // Other stalls are the machine's, and few.
    let slow = seen.latencies.count_between(250_000_000, u64::MAX);
    assert!((1..=3).contains(&slow), "{slow}");
}

#[test]
fn a_peer_that_goes_away_is_an_error() {
    for (depth, interval) in [(1, None), (50, None), (50, Some(Duration::from_millis(1)))] {
        let (run, seen) = drive(depth, interval, 150);
        assert!(matches!(run, Err(BenchError::Connection(_))), "{run:?}");
        // A send that fails may come before the last answers are read.
        let all = if depth == 1 { 150..=150 } else { 1..=150 };
        assert!(all.contains(&seen.answers), "{} answers at depth {depth}", seen.answers);
    }
}
