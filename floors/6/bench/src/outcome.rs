//! What came out: phases of one or two servers, as a table and as JSON.

use crate::tally::{Complaint, Complaints, Interval};
use hdrhistogram::Histogram;
use serde_json::{Value, json};
use std::time::Duration;

/// One moment of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Seconds since the phase began, at the sample's end.
    pub at: f64,
    /// Answers a second since the last sample.
    pub rate: f64,
    /// The server's own `Questions` a second, where asked.
    pub questions_rate: Option<f64>,
    /// Median latency in microseconds.
    pub p50_us: f64,
    /// 99th percentile in microseconds.
    pub p99_us: f64,
    /// Errors and wrong answers.
    pub complaints: u64,
}

impl Sample {
    /// The sample that ends `at` after the beginning and is `length` long.
    pub(crate) fn of(at: Duration, length: Duration, interval: &Interval, questions: Option<u64>) -> Sample {
        let seconds = length.as_secs_f64().max(1e-9);
        Sample {
            at: at.as_secs_f64(),
            rate: interval.answers as f64 / seconds,
            questions_rate: questions.map(|n| n as f64 / seconds),
            p50_us: quantile_us(&interval.latencies, 0.5),
            p99_us: quantile_us(&interval.latencies, 0.99),
            complaints: interval.complaints_count(),
        }
    }
}

impl std::fmt::Display for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:>11}/s", grouped(self.rate))?;
        if let Some(rate) = self.questions_rate {
            write!(f, "  Questions {:>11}/s", grouped(rate))?;
        }
        write!(f, "  p50 {}  p99 {}", time(self.p50_us), time(self.p99_us))?;
        if self.complaints > 0 {
            write!(f, "  ERRORS {}", grouped(self.complaints as f64))?;
        }
        Ok(())
    }
}

/// A part of a benchmark: one kind of work.
#[derive(Debug, Clone)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// All that happened.
    pub total: Interval,
    /// The server's CPU time in microseconds, where its process is known.
    pub server_cpu_us: Option<u64>,
    /// Ours, where it is known apart.
    pub client_cpu_us: Option<u64>,
    /// The server's own count of statements.
    pub questions: Option<u64>,
    /// Moments on the way.
    pub samples: Vec<Sample>,
    /// What its rate a minute is called, where that is a figure of its own.
    pub per_minute: Option<&'static str>,
    /// Counters of the server over the phase that are figures of their own.
    pub counters: Vec<(&'static str, u64)>,
}

impl Phase {
    /// Something that was counted apart within another phase: nobody knows its CPU time.
    pub fn part(name: &str, seconds: f64, total: Interval) -> Phase {
        Phase {
            name: name.to_owned(),
            seconds,
            total,
            server_cpu_us: None,
            client_cpu_us: None,
            questions: None,
            samples: Vec::new(),
            per_minute: None,
            counters: Vec::new(),
        }
    }

    /// The counters, each by the answer.
    pub fn counted(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.counters.iter().map(|&(name, n)| (name, n as f64 / self.total.answers.max(1) as f64))
    }

    /// The same as a line; empty if there are none.
    pub fn counted_line(&self) -> String {
        let parts: Vec<String> = self.counted().map(|(name, n)| format!("{n:.3} {name}")).collect();
        if parts.is_empty() { String::new() } else { format!("{} an answer", parts.join(", ")) }
    }

    /// Answers a second.
    pub fn rate(&self) -> f64 {
        self.total.answers as f64 / self.seconds.max(1e-9)
    }

    /// Microseconds of the server's CPU an answer.
    pub fn server_us(&self) -> Option<f64> {
        self.server_cpu_us.map(|us| us as f64 / self.total.answers.max(1) as f64)
    }

    /// Microseconds of the generator's CPU an answer.
    pub fn client_us(&self) -> Option<f64> {
        self.client_cpu_us.map(|us| us as f64 / self.total.answers.max(1) as f64)
    }

    /// A quantile of the latencies in microseconds.
    pub fn quantile_us(&self, quantile: f64) -> f64 {
        quantile_us(&self.total.latencies, quantile)
    }

    /// Latencies as they spread: upper ends of steps in microseconds, answers in them. Steps widen by a fifth.
    pub fn distribution(&self) -> Vec<(f64, u64)> {
        let steps = self.total.latencies.iter_log(1000, 1.2);
        let steps: Vec<(f64, u64)> =
            steps.map(|s| (s.value_iterated_to() as f64 / 1e3, s.count_since_last_iteration())).collect();
        let first = steps.iter().position(|s| s.1 > 0).unwrap_or(0);
        steps[first..].to_vec()
    }

    /// Adds a later round of the same phase.
    pub fn add(&mut self, later: Phase) {
        let shift = self.samples.last().map_or(0.0, |s| s.at);
        self.samples.extend(later.samples.into_iter().map(|s| Sample { at: s.at + shift, ..s }));
        self.seconds += later.seconds;
        self.total.add(&later.total);
        self.server_cpu_us = self.server_cpu_us.zip(later.server_cpu_us).map(|(a, b)| a + b);
        self.client_cpu_us = self.client_cpu_us.zip(later.client_cpu_us).map(|(a, b)| a + b);
        self.questions = self.questions.zip(later.questions).map(|(a, b)| a + b);
        self.counters.iter_mut().zip(&later.counters).for_each(|(mine, theirs)| mine.1 += theirs.1);
    }

    fn json(&self) -> Value {
        let listed = |complaints: &Complaints| -> Vec<Value> {
            let one = |(number, c): (&u16, &Complaint)| json!({"number": number, "count": c.count, "message": c.message});
            complaints.iter().map(one).collect()
        };
        let samples: Vec<Value> = self
            .samples
            .iter()
            .map(|s| {
                json!({
                    "at_s": s.at, "rate": s.rate, "questions_rate": s.questions_rate,
                    "p50_us": s.p50_us, "p99_us": s.p99_us, "errors": s.complaints,
                })
            })
            .collect();
        let mut json = json!({
            "name": self.name,
            "seconds": self.seconds,
            "answers": self.total.answers,
            "rows": self.total.rows,
            "unsent": self.total.unsent,
            "rate": self.rate(),
            "questions": self.questions,
            "server_cpu_us_a_query": self.server_us(),
            "client_cpu_us_a_query": self.client_us(),
            "latency_us": {
                "mean": self.total.latencies.mean() / 1e3,
                "p50": self.quantile_us(0.5),
                "p90": self.quantile_us(0.9),
                "p99": self.quantile_us(0.99),
                "p999": self.quantile_us(0.999),
                "max": self.total.latencies.max() as f64 / 1e3,
            },
            "errors": listed(&self.total.complaints),
            "retries": listed(&self.total.retries),
            "samples": samples,
            "distribution_us": self.distribution(),
        });
        if let Some(name) = self.per_minute {
            json[name] = json!(self.rate() * 60.0);
        }
        for (name, n) in self.counted() {
            json[format!("{name} an answer")] = json!(n);
        }
        json
    }
}

fn quantile_us(latencies: &Histogram<u64>, quantile: f64) -> f64 {
    latencies.value_at_quantile(quantile) as f64 / 1e3
}

/// One server's part.
#[derive(Debug, Clone)]
pub struct ServerOutcome {
    /// Where it is.
    pub name: String,
    /// Its own word for its version.
    pub version: String,
    /// What was done, in order.
    pub phases: Vec<Phase>,
}

impl ServerOutcome {
    /// Adds a later round.
    pub fn add(&mut self, later: ServerOutcome) {
        for phase in later.phases {
            match self.phases.iter_mut().find(|p| p.name == phase.name) {
                Some(mine) => mine.add(phase),
                None => self.phases.push(phase),
            }
        }
    }
}

/// A figure of several phases over what they differ in.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// What they differ in, with its unit.
    pub over: String,
    /// Curves: name, and where on it which phase is.
    pub curves: Vec<(String, Vec<(f64, String)>)>,
}

/// A whole benchmark.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its name.
    pub benchmark: String,
    /// What it was told, in a line.
    pub settings: String,
    /// The machine, in a line.
    pub machine: String,
    /// When it began, as text with its time zone.
    pub begun: String,
    /// The servers, the measured one first.
    pub servers: Vec<ServerOutcome>,
    /// Phases to be drawn together.
    pub sweeps: Vec<Sweep>,
}

impl Outcome {
    /// One that begins now.
    pub fn begin(benchmark: &str, settings: String) -> Outcome {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Outcome {
            benchmark: benchmark.to_owned(),
            settings,
            machine: format!(
                "{}, {cores} cores, Linux {}",
                platform::system::cpu_name(),
                platform::system::kernel_release()
            ),
            begun: chrono::Local::now().format("%Y-%m-%d %H:%M:%S %z").to_string(),
            servers: Vec::new(),
            sweeps: Vec::new(),
        }
    }

    /// Errors and wrong answers in all.
    pub fn complaints(&self) -> u64 {
        self.servers.iter().flat_map(|s| &s.phases).map(|p| p.total.complaints_count()).sum()
    }

    /// How often the first server does a phase while the second does it once; by phase.
    pub fn ratios(&self) -> Vec<(String, f64)> {
        let [first, second, ..] = &self.servers[..] else { return Vec::new() };
        let of = |phase: &Phase| {
            let other = second.phases.iter().find(|p| p.name == phase.name)?;
            Some((phase.name.clone(), phase.rate() / other.rate().max(1e-9)))
        };
        first.phases.iter().filter_map(of).collect()
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let server = |s: &ServerOutcome| {
            let phases: Vec<Value> = s.phases.iter().map(Phase::json).collect();
            json!({"name": s.name, "version": s.version, "phases": phases})
        };
        json!({
            "benchmark": self.benchmark,
            "settings": self.settings,
            "machine": self.machine,
            "begun": self.begun,
            "servers": self.servers.iter().map(server).collect::<Vec<Value>>(),
            "ratios": self.ratios().into_iter().map(|(name, ratio)| json!({"name": name, "ratio": ratio}))
                .collect::<Vec<Value>>(),
        })
    }

    /// As a table for people.
    pub fn table(&self) -> String {
        let mut text = format!("{}: {}\n{}\n", self.benchmark, self.settings, self.machine);
        let names = self.servers.iter().flat_map(|s| &s.phases).map(|phase| phase.name.len());
        let width = names.max().unwrap_or(0).max(16);
        for server in &self.servers {
            text += &format!("\n{} {}\n", server.name, server.version);
            text += &format!(
                "  {:<width$}{:>13}{:>11}{:>10}{:>10}{:>10}{:>10}{:>12}{:>12}{:>10}\n",
                "",
                "answers/s",
                "answers",
                "p50",
                "p99",
                "p99.9",
                "max",
                "server us/q",
                "client us/q",
                "errors"
            );
            for phase in &server.phases {
                text += &row(phase, width);
                if !phase.counters.is_empty() {
                    text += &format!("    {}\n", phase.counted_line());
                }
                if let Some(name) = phase.per_minute {
                    text += &format!("  {name} {}\n", grouped(phase.rate() * 60.0));
                }
                if phase.total.unsent > 0 {
                    text += &format!("  {} intended commands were not sent: too slow\n", phase.total.unsent);
                }
            }
            for (number, complaint) in server.phases.iter().flat_map(|p| &p.total.complaints) {
                let what = if *number == 0 { "wrong".to_owned() } else { format!("error {number}") };
                text += &format!("  {} x {what}: {}\n", complaint.count, complaint.message);
            }
            for (number, retry) in server.phases.iter().flat_map(|p| &p.total.retries) {
                text += &format!("  {} x run again after error {number}: {}\n", retry.count, retry.message);
            }
        }
        for (name, ratio) in self.ratios() {
            text += &format!("\n  {name}: {ratio:.2} times");
        }
        text + "\n"
    }
}

/// A phase's line, its name `width` wide.
fn row(phase: &Phase, width: usize) -> String {
    format!(
        "  {:<width$}{:>13}{:>11}{:>10}{:>10}{:>10}{:>10}{:>12}{:>12}{:>10}\n",
        phase.name,
        grouped(phase.rate()),
        phase.total.answers,
        time(phase.quantile_us(0.5)),
        time(phase.quantile_us(0.99)),
        time(phase.quantile_us(0.999)),
        time(phase.total.latencies.max() as f64 / 1e3),
        micros(phase.server_us()),
        micros(phase.client_us()),
        phase.total.complaints_count(),
    )
}

/// Microseconds an answer, where they are known.
pub(crate) fn micros(us: Option<f64>) -> String {
    us.map_or_else(|| "-".to_owned(), |us| format!("{us:.2}"))
}

/// A number with its thousands apart.
pub(crate) fn grouped(n: f64) -> String {
    let digits = format!("{:.0}", n.max(0.0));
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Microseconds in the unit that fits.
pub(crate) fn time(us: f64) -> String {
    match us {
        us if us < 1000.0 => format!("{us:.1} us"),
        us if us < 1e6 => format!("{:.2} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(name: &str, answers: u64) -> Phase {
        let mut total = Interval::default();
        total.record(Duration::from_micros(20), answers);
        total.complain(1213, || "Deadlock".into());
        let sample = Sample::of(Duration::from_secs(1), Duration::from_secs(1), &total, Some(7));
        Phase {
            name: name.into(),
            seconds: 1.0,
            total,
            server_cpu_us: Some(answers * 3),
            client_cpu_us: Some(answers),
            questions: Some(answers),
            samples: vec![sample],
            per_minute: None,
            counters: vec![("forces", answers / 4)],
        }
    }

    fn outcome() -> Outcome {
        let mut outcome = Outcome::begin("yesmark", "depth 1".into());
        for (name, answers) in [("a", 3000), ("b", 1000)] {
            let mut server = ServerOutcome {
                name: name.into(),
                version: "1".into(),
                phases: vec![phase("text", answers)],
            };
            server.add(server.clone());
            outcome.servers.push(server);
        }
        outcome
    }

    #[test]
    fn rounds_add_up_and_ratios_follow() {
        let outcome = outcome();
        let phase = &outcome.servers[0].phases[0];
        assert_eq!((phase.total.answers, phase.seconds, phase.samples[1].at), (6000, 2.0, 2.0));
        assert_eq!(phase.server_us(), Some(3.0));
        assert_eq!(outcome.ratios(), [("text".to_owned(), 3.0)]);
        assert_eq!(phase.distribution().iter().map(|s| s.1).sum::<u64>(), 6000);
        assert_eq!(outcome.complaints(), 4);
    }

    #[test]
    fn the_table_and_the_json_say_the_same() {
        let outcome = outcome();
        let table = outcome.table();
        for wanted in ["3,000", "20.1 us", "error 1213: Deadlock", "3.00 times", "0.250 forces an answer"] {
            assert!(table.contains(wanted), "{wanted} in {table}");
        }
        let json = outcome.json();
        assert_eq!(json["servers"][0]["phases"][0]["rate"], 3000.0);
        assert_eq!(json["servers"][0]["phases"][0]["forces an answer"], 0.25);
        assert_eq!(json["servers"][1]["phases"][0]["errors"][0]["count"], 2);
    }
}
