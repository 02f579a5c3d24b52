//! One connection under load.
//!
//! Closed loop: a batch of up to `depth` commands goes out with one write; when all are answered, the next one. An
//! answer's latency counts from its batch's write.
//!
//! Open loop (`interval`): command `n` has the intended time `begin + n * interval`. It is sent then, or as soon after it
//! as fewer than `depth` commands are unanswered, and its latency counts from the intended time: a server that stalls is
//! charged for all commands that it kept from being sent (no coordinated omission).

use crate::BenchError;
use crate::tally::Tally;
use protocol::reply::Err as ErrPacket;
use protocol::scan::{Answer, Scanner, Visit};
use runtime::net::Stream;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Most bytes of commands that wait for answers (a longer one goes alone): they fit into the sockets' buffers, so that
/// writing never waits for a server that waits for us to read.
const FLIGHT_BYTES: usize = 48 << 10;
/// Bytes read at once.
const READ_BYTES: usize = 128 << 10;
/// How long an answer may take beyond the end of the run.
const PATIENCE: Duration = Duration::from_secs(60);

/// How close to the end a command may be due and not be sent without that saying something.
const MOMENT: Duration = Duration::from_millis(1);

/// What a connection sends, and what it makes of the answers.
pub trait Load: Send + 'static {
    /// Appends the next command, framed; false when there is nothing more to do.
    fn next(&mut self, out: &mut Vec<u8>) -> bool;

    /// Looks at a row.
    #[inline]
    fn row(&mut self, _payload: &[u8]) {}

    /// Looks at an answer that is no error; what is wrong about it, if anything, else for how many it counts (the BEGIN
    /// of a benchmark of rows for none, a bulk execution for all its rows). Called in the order of the commands.
    #[inline]
    fn answered(&mut self, _answer: &Answer<'_>) -> Result<u64, String> {
        Ok(1)
    }

    /// An error was answered; the commands sent behind it are answered before the next are asked for. Whether it is no
    /// fault, as the load runs a transaction again that the server broke off.
    fn failed(&mut self, _error: &ErrPacket) -> bool {
        false
    }
}

/// How fast a connection sends.
#[derive(Debug, Clone)]
pub struct Pace {
    /// Most commands unanswered.
    pub depth: usize,
    /// Time between two intended sends; `None` for a closed loop.
    pub interval: Option<Duration>,
    /// When the first command is intended.
    pub begin: Instant,
    /// When to stop; `None` when the load is done.
    pub end: Option<Instant>,
}

/// One connection: its socket, its load, its pace.
pub struct Drive<'a, L> {
    stream: &'a Stream,
    load: &'a mut L,
    pace: &'a Pace,
    tally: &'a Tally,
    stop: &'a AtomicBool,
    scanner: Scanner,
    output: Vec<u8>,
    input: Vec<u8>,
    sent: u64,
    answered: u64,
    /// Bytes sent since everything was answered.
    flight: usize,
}

/// Sees answers for a load.
struct Eyes<'a, L> {
    load: &'a mut L,
    tally: &'a Tally,
    answers: u64,
    /// What they count for.
    counted: u64,
    rows: u64,
}

impl<L: Load> Visit for Eyes<'_, L> {
    #[inline]
    fn row(&mut self, payload: &[u8]) {
        self.load.row(payload);
    }

    #[inline]
    fn answer(&mut self, answer: Answer<'_>) {
        self.answers += 1;
        match answer {
            Answer::Err(payload) => self.error(payload),
            Answer::Ok(_) | Answer::Rows(_) => {
                if let Answer::Rows(rows) = answer {
                    self.rows += rows;
                }
                match self.load.answered(&answer) {
                    Ok(count) => self.counted += count,
                    Err(why) => {
                        self.counted += 1;
                        self.tally.note(|i| i.complain(0, || why));
                    }
                }
            }
        }
    }
}

impl<L: Load> Eyes<'_, L> {
    #[cold]
    fn error(&mut self, payload: &[u8]) {
        let error = ErrPacket::decode(payload).unwrap_or_else(|error| ErrPacket {
            number: 0,
            sqlstate: *b"HY000",
            message: error.to_string(),
        });
        self.counted += 1;
        match self.load.failed(&error) {
            true => self.tally.note(|i| i.retry(error.number, || error.message.clone())),
            false => self.tally.note(|i| i.complain(error.number, || error.message.clone())),
        }
    }
}

impl<'a, L: Load> Drive<'a, L> {
    /// A connection that has nothing unanswered.
    pub fn new(
        stream: &'a Stream,
        load: &'a mut L,
        pace: &'a Pace,
        tally: &'a Tally,
        stop: &'a AtomicBool,
    ) -> Self {
        Drive {
            stream,
            load,
            pace,
            tally,
            stop,
            scanner: Scanner::new(),
            output: Vec::with_capacity(FLIGHT_BYTES),
            input: Vec::with_capacity(READ_BYTES),
            sent: 0,
            answered: 0,
            flight: 0,
        }
    }

    /// Runs until the pace's end, until the load is done or until told to stop; everything sent is answered then.
    pub fn run(mut self) -> Result<(), BenchError> {
        match self.pace.interval {
            None => self.closed(),
            Some(interval) => self.open(interval),
        }
    }

    fn over(&self, now: Instant) -> bool {
        self.stop.load(Ordering::Relaxed) || self.pace.end.is_some_and(|end| now >= end)
    }

    fn give_up(&self) -> Option<Instant> {
        self.pace.end.map(|end| end + PATIENCE)
    }

    fn closed(&mut self) -> Result<(), BenchError> {
        self.stream.set_read_deadline(self.give_up());
        let mut now = Instant::now();
        while !self.over(now) {
            if !self.send(self.pace.depth as u64)? {
                return Ok(());
            }
            let begun = now;
            while self.answered < self.sent {
                let answers = self.receive()?;
                now = Instant::now();
                self.answered += answers.count;
                let took = now - begun;
                self.tally.note(|i| {
                    i.record(took, answers.counted);
                    i.rows += answers.rows;
                });
            }
        }
        Ok(())
    }

    fn open(&mut self, interval: Duration) -> Result<(), BenchError> {
        let intended = |n: u64| self.pace.begin + duration_times(interval, n);
        loop {
            let now = Instant::now();
            let over = self.over(now);
            if over && self.answered == self.sent {
                // What was due in the last moment was not kept from being sent by the server.
                let last = self.pace.end.map_or(now, |end| now.min(end.checked_sub(MOMENT).unwrap_or(end)));
                let unsent = self.due(last, interval).saturating_sub(self.sent);
                self.tally.note(|i| i.unsent += unsent);
                return Ok(());
            }
            let depth = self.pace.depth as u64;
            let room = depth - (self.sent - self.answered).min(depth);
            let due = if over { 0 } else { self.due(now, interval).saturating_sub(self.sent).min(room) };
            if due > 0 && !self.send(due)? && self.answered == self.sent {
                return Ok(());
            }
            let next = intended(self.sent);
            if self.answered == self.sent {
                runtime::park_until(self.pace.end.map_or(next, |end| next.min(end)));
                continue;
            }
            // With room for more, the next intended time ends the wait.
            let wakes = room > due && self.flight < FLIGHT_BYTES && !over;
            self.stream.set_read_deadline(if wakes { Some(next) } else { self.give_up() });
            let answers = match self.receive() {
                Ok(answers) => answers,
                Err(BenchError::Connection(e)) if wakes && e.kind() == io::ErrorKind::TimedOut => continue,
                Err(error) => return Err(error),
            };
            let now = Instant::now();
            let first = self.answered;
            self.answered += answers.count;
            self.tally.note(|i| {
                (first..first + answers.count)
                    .for_each(|n| i.record(now.saturating_duration_since(intended(n)), 1));
                i.rows += answers.rows;
            });
        }
    }

    /// Commands intended until `now`.
    fn due(&self, now: Instant, interval: Duration) -> u64 {
        match now.checked_duration_since(self.pace.begin) {
            None => 0,
            Some(passed) => (passed.as_nanos() / interval.as_nanos().max(1)) as u64 + 1,
        }
    }

    /// Sends up to `most` commands with one write, as far as there is room; false when the load has no more.
    fn send(&mut self, most: u64) -> Result<bool, BenchError> {
        self.output.clear();
        let mut count = 0;
        if self.answered == self.sent {
            self.flight = 0;
        }
        let mut more = true;
        while more && count < most && self.flight + self.output.len() < FLIGHT_BYTES {
            more = self.load.next(&mut self.output);
            count += u64::from(more);
        }
        if count == 0 {
            return Ok(more);
        }
        self.flight += self.output.len();
        self.stream.write_all(&self.output).map_err(BenchError::Connection)?;
        self.sent += count;
        Ok(true)
    }

    fn receive(&mut self) -> Result<Received, BenchError> {
        let read = self.stream.read_to_vec(&mut self.input, READ_BYTES).map_err(BenchError::Connection)?;
        if read == 0 {
            return Err(BenchError::Connection(io::ErrorKind::UnexpectedEof.into()));
        }
        let mut eyes = Eyes { load: &mut *self.load, tally: self.tally, answers: 0, counted: 0, rows: 0 };
        let used = self.scanner.scan(&self.input, &mut eyes)?;
        let received = Received { count: eyes.answers, counted: eyes.counted, rows: eyes.rows };
        if used == self.input.len() {
            self.input.clear();
        } else {
            self.input.drain(..used);
        }
        Ok(received)
    }
}

struct Received {
    count: u64,
    /// What they count for.
    counted: u64,
    rows: u64,
}

fn duration_times(interval: Duration, n: u64) -> Duration {
    let nanos = interval.as_nanos().saturating_mul(u128::from(n));
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
