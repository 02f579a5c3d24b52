//! Following a load while it runs: the event loops that drive it, samples each second, the progress bar, the server's
//! own counters.

use crate::BenchError;
use crate::drive::{Drive, Load, Pace};
use crate::outcome::{Phase, Sample};
use crate::tally::{Interval, Tally};
use crate::target::{Connection, Target, value};
use crossbeam_utils::CachePadded;
use indicatif::{ProgressBar, ProgressStyle};
use runtime::net::Stream;
use runtime::{JoinError, JoinHandle, Runtime, RuntimeOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Between two samples of a long run ...
const TICK: Duration = Duration::from_secs(1);
/// ... and of a short one, or of one whose length nobody knows.
const SHORT_TICK: Duration = Duration::from_millis(250);
/// Runs from this length on are sampled each second.
const LONG_RUN: Duration = Duration::from_secs(4);

/// What all benchmarks can be told.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Connections under load.
    pub connections: usize,
    /// Event loops that drive them; 0: as many as cores, no more than connections.
    pub threads: usize,
    /// Most commands of a connection that wait for their answers.
    pub depth: usize,
    /// How long a timed load runs.
    pub seconds: f64,
    /// How long it runs before that unmeasured.
    pub warmup: f64,
    /// Commands a second of all connections together, at intended times; `None`: as fast as answers come.
    pub rate: Option<f64>,
    /// Whether to print a line each second.
    pub live: bool,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish { connections: 8, threads: 0, depth: 1, seconds: 10.0, warmup: 0.0, rate: None, live: false }
    }
}

/// The event loops that drive connections, with a tally each.
pub struct Crew {
    runtime: Runtime,
    tallies: Arc<Vec<CachePadded<Tally>>>,
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.runtime.shutdown(Duration::from_secs(1));
    }
}

/// Seconds as a duration; what makes no sense is refused.
fn duration(seconds: f64) -> Result<Duration, BenchError> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| BenchError::Wish(format!("{seconds} seconds is no time")))
}

impl Crew {
    /// Starts as many event loops as wished for.
    pub fn start(wish: &Wish) -> Result<Crew, BenchError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if wish.threads == 0 { wish.connections.clamp(1, cores) } else { wish.threads };
        // Large batches are the deepest that a fiber of ours goes.
        let options = RuntimeOptions { threads, ..RuntimeOptions::default() };
        let runtime =
            Runtime::start(options).map_err(|e| BenchError::System("start event loops".into(), e))?;
        let tallies = (0..runtime.cores()).map(|_| CachePadded::default()).collect();
        Ok(Crew { runtime, tallies: Arc::new(tallies) })
    }

    /// Runs loads for as long as wished, after the warm-up; gives connections and loads back.
    pub fn run_timed<L: Load>(
        &self,
        name: &str,
        watcher: &mut Watcher,
        mut loads: Vec<(Stream, L)>,
        wish: &Wish,
    ) -> Result<(Phase, Vec<(Stream, L)>), BenchError> {
        if wish.warmup > 0.0 {
            let mut silent = Watcher::silent();
            loads = self.run(name, &mut silent, loads, wish, Some(duration(wish.warmup)?), None)?.1;
        }
        self.run(name, watcher, loads, wish, Some(duration(wish.seconds)?), None)
    }

    /// Runs loads until they are done; `total` commands, if that is known.
    pub fn run_whole<L: Load>(
        &self,
        name: &str,
        watcher: &mut Watcher,
        loads: Vec<(Stream, L)>,
        wish: &Wish,
        total: Option<u64>,
    ) -> Result<(Phase, Vec<(Stream, L)>), BenchError> {
        self.run(name, watcher, loads, wish, None, total)
    }

    fn run<L: Load>(
        &self,
        name: &str,
        watcher: &mut Watcher,
        loads: Vec<(Stream, L)>,
        wish: &Wish,
        length: Option<Duration>,
        total: Option<u64>,
    ) -> Result<(Phase, Vec<(Stream, L)>), BenchError> {
        let interval = match wish.rate {
            None => None,
            Some(rate) if rate > 0.0 => Some(duration(loads.len() as f64 / rate)?),
            Some(rate) => return Err(BenchError::Wish(format!("{rate} commands a second is no rate"))),
        };
        let (count, depth) = (loads.len(), wish.depth.max(1));
        let job = |(number, (stream, mut load)): (usize, (Stream, L))| {
            // Intended times of the connections lie evenly between each other.
            let offset = interval.map_or(Duration::ZERO, |i| i.mul_f64(number as f64 / count as f64));
            move |context: &Context<'_>| {
                let end = length.map(|length| context.begin + length);
                let pace = Pace { depth, interval, begin: context.begin + offset, end };
                Drive::new(&stream, &mut load, &pace, context.tally, context.stop).run()?;
                Ok((stream, load))
            }
        };
        let jobs = loads.into_iter().enumerate().map(job).collect();
        self.run_jobs(name, watcher, jobs, length, total)
    }

    /// Runs jobs in a fiber each and follows them until all have ended.
    pub(crate) fn run_jobs<T, J>(
        &self,
        name: &str,
        watcher: &mut Watcher,
        jobs: Vec<J>,
        length: Option<Duration>,
        total: Option<u64>,
    ) -> Result<(Phase, Vec<T>), BenchError>
    where
        T: Send + 'static,
        J: FnOnce(&Context<'_>) -> Result<T, BenchError> + Send + 'static,
    {
        let begin = Instant::now();
        watcher.before(begin)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (ended, ends) = channel::<()>();
        let spawn = |(core, job): (usize, J)| {
            let (tallies, stop, ended) = (self.tallies.clone(), stop.clone(), ended.clone());
            self.runtime.spawn_on(core, move || {
                let tally = &tallies[runtime::core_id().unwrap_or(0) % tallies.len()];
                let outcome = job(&Context { begin, tally, stop: &stop });
                if outcome.is_err() {
                    // The others' figures would be of fewer connections than wished for.
                    stop.store(true, Ordering::Relaxed);
                }
                drop(ended);
                outcome
            })
        };
        let fibers: Vec<_> = jobs.into_iter().enumerate().map(spawn).collect();
        drop(ended);
        let phase = watcher.follow(name, &self.tallies, &ends, length, total, &stop);
        let back = fibers.into_iter().map(join).collect::<Result<Vec<_>, _>>()?;
        Ok((phase?, back))
    }
}

/// What a job may use.
pub(crate) struct Context<'a> {
    /// When the phase began.
    pub begin: Instant,
    /// Where to note what happened.
    pub tally: &'a Tally,
    /// Set when there is no use in going on.
    pub stop: &'a AtomicBool,
}

/// Waits for a fiber.
fn join<T>(fiber: JoinHandle<Result<T, BenchError>>) -> Result<T, BenchError> {
    match fiber.join() {
        Ok(outcome) => outcome,
        Err(JoinError::Panicked(message)) => Err(BenchError::Panicked(message)),
        Err(JoinError::Stopped) => Err(BenchError::Panicked(JoinError::Stopped.to_string())),
    }
}

/// Looks at the clock, the tallies and the server while a load runs.
pub struct Watcher {
    control: Option<Connection>,
    pid: Option<u32>,
    silent: bool,
    live: bool,
    start: Start,
}

/// Counters at a phase's beginning.
struct Start {
    at: Instant,
    server_cpu_us: Option<u64>,
    client_cpu_us: u64,
    questions: Option<u64>,
}

impl Start {
    fn now(at: Instant) -> Start {
        Start { at, server_cpu_us: None, client_cpu_us: platform::system::process_cpu_us(), questions: None }
    }
}

impl Watcher {
    /// Watches a server from a connection of its own.
    pub fn of(target: &Target, wish: &Wish) -> Result<Watcher, BenchError> {
        let control = Some(target.connect(None)?);
        let pid = target.server_pid();
        Ok(Watcher { control, pid, silent: false, live: wish.live, start: Start::now(Instant::now()) })
    }

    /// Watches a load without a server.
    pub fn alone(wish: &Wish) -> Watcher {
        Watcher { silent: false, live: wish.live, ..Watcher::silent() }
    }

    /// Shows nothing.
    pub(crate) fn silent() -> Watcher {
        Watcher { control: None, pid: None, silent: true, live: false, start: Start::now(Instant::now()) }
    }

    /// The server's version.
    pub fn version(&self) -> String {
        self.control.as_ref().map_or_else(String::new, |c| c.greeting.version.clone())
    }

    /// Runs statements that must succeed, on the watcher's connection.
    pub fn statement(&mut self, sql: &str) -> Result<(), BenchError> {
        self.control.as_mut().map_or(Ok(()), |control| crate::target::run(control, sql))
    }

    fn questions(&mut self) -> Result<Option<u64>, BenchError> {
        let Some(control) = &mut self.control else { return Ok(None) };
        let text = value(control, "SHOW GLOBAL STATUS LIKE 'Questions'")?;
        Ok(text.and_then(|text| text.parse().ok()))
    }

    /// Notes the counters before a phase.
    fn before(&mut self, begin: Instant) -> Result<(), BenchError> {
        let questions = self.questions()?;
        self.start = Start { server_cpu_us: self.pid.and_then(cpu_us), questions, ..Start::now(begin) };
        Ok(())
    }

    /// Follows a load until all its fibers have dropped their end of `ends`.
    fn follow(
        &mut self,
        name: &str,
        tallies: &[CachePadded<Tally>],
        ends: &Receiver<()>,
        length: Option<Duration>,
        total: Option<u64>,
        stop: &AtomicBool,
    ) -> Result<Phase, BenchError> {
        let tick = if length.is_some_and(|l| l >= LONG_RUN) { TICK } else { SHORT_TICK };
        let bar = self.bar(name, length, total);
        let mut all = Interval::default();
        let mut samples = Vec::new();
        let (mut last, mut asked) = (self.start.at, self.start.questions);
        let mut outcome = Ok(());
        for n in 1.. {
            let over = wait(ends, self.start.at + tick * n);
            let mut interval = Interval::default();
            tallies.iter().for_each(|tally| tally.take(&mut interval));
            all.add(&interval);
            let now = Instant::now();
            // The rest behind the last whole tick says little, unless it is all.
            if !over || samples.is_empty() || now - last >= tick / 2 {
                let questions = self.questions().unwrap_or_else(|error| {
                    stop.store(true, Ordering::Relaxed);
                    outcome = Err(error);
                    None
                });
                let asked_now = questions.zip(asked).map(|(now, before)| now.saturating_sub(before));
                asked = questions;
                let sample = Sample::of(now - self.start.at, now - last, &interval, asked_now);
                last = now;
                self.show(&bar, &sample, &all, tick == TICK);
                samples.push(sample);
            }
            if over {
                break;
            }
        }
        let seconds = self.start.at.elapsed().as_secs_f64();
        bar.finish_and_clear();
        let server_now = self.pid.and_then(cpu_us);
        let server_cpu_us =
            server_now.zip(self.start.server_cpu_us).map(|(now, then)| now.saturating_sub(then));
        let client_cpu_us = platform::system::process_cpu_us().saturating_sub(self.start.client_cpu_us);
        let questions = self.questions().ok().flatten().zip(self.start.questions);
        let questions = questions.map(|(now, then)| now.saturating_sub(then));
        outcome.map(|()| Phase {
            name: name.to_owned(),
            seconds,
            total: all,
            server_cpu_us,
            client_cpu_us: Some(client_cpu_us),
            questions,
            samples,
            per_minute: None,
            counters: Vec::new(),
        })
    }

    fn bar(&self, name: &str, length: Option<Duration>, total: Option<u64>) -> ProgressBar {
        let most = length.map(|l| l.as_millis() as u64).or(total);
        let bar = match (self.silent, most) {
            (true, _) => ProgressBar::hidden(),
            (false, Some(most)) => ProgressBar::new(most.max(1)),
            (false, None) => ProgressBar::new_spinner(),
        };
        let template =
            if most.is_some() { "{prefix:14} [{bar:30}] {msg}" } else { "{prefix:14} {spinner} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(name.to_owned());
        bar
    }

    fn show(&self, bar: &ProgressBar, sample: &Sample, all: &Interval, each_second: bool) {
        let text = sample.to_string();
        bar.set_position(match bar.length() {
            // A bar of commands has them as its length, a bar of time milliseconds.
            Some(most) if most >= all.answers && !each_second => all.answers,
            _ => (sample.at * 1e3) as u64,
        });
        bar.set_message(text.clone());
        if self.live && each_second {
            let line = format!("{:6.0} s  {text}", sample.at);
            if bar.is_hidden() { eprintln!("{line}") } else { bar.println(line) }
        }
    }
}

/// Waits until `until`; true when all fibers have ended before.
fn wait(ends: &Receiver<()>, until: Instant) -> bool {
    loop {
        match ends.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => return true,
        }
    }
}

/// User and system time of a process in microseconds, as far as the kernel's clock ticks tell.
fn cpu_us(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    ticks_of(&stat).map(|ticks| ticks * TICK_US)
}

/// A tick of `/proc` is 1/100 s on all architectures that Linux runs on (`USER_HZ`).
const TICK_US: u64 = 10_000;

/// utime and stime: fields 14 and 15, counted behind the name in parentheses, which may hold anything.
fn ticks_of(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_found_behind_any_name() {
        assert_eq!(ticks_of("12 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 70 8 0 0 20"), Some(78));
        assert_eq!(ticks_of("12 (a"), None);
    }

    #[test]
    fn own_cpu_time_is_seen() {
        let begun = Instant::now();
        let before = cpu_us(std::process::id()).expect("read own time");
        while begun.elapsed() < Duration::from_secs(5) && cpu_us(std::process::id()) < Some(before + 30_000) {
            std::hint::black_box((0..100_000u64).sum::<u64>());
        }
        assert!(cpu_us(std::process::id()).expect("read own time") >= before + 30_000);
    }
}
