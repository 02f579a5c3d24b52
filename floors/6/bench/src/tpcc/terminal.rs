//! A terminal: draws transactions from its deck, runs them, notes how long each took.

use super::Tpcc;
use super::draw::Draw;
use super::schema::DISTRICTS;
use super::talk::{Talk, Trouble};
use super::transaction::{End, Home, Input, Kind, run};
use crate::BenchError;
use crate::outcome::Phase;
use crate::tally::{Interval, RUN_AGAIN};
use crate::target::Target;
use crate::watch::Context;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long an answer may take beyond the end of the run: longer than a server waits for a lock.
const PATIENCE: Duration = Duration::from_secs(120);

/// Latencies by kind of transaction; new orders that are rolled back on purpose last.
#[derive(Clone, Default)]
pub(super) struct Kinds([Interval; 6]);

const ROLLED_BACK: usize = 5;

impl Kinds {
    pub fn add(&mut self, other: &Kinds) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| mine.add(theirs));
    }

    /// As parts of a run of so many seconds.
    pub fn phases(self, seconds: f64) -> Vec<Phase> {
        let names = Kind::ALL.map(Kind::name).into_iter().chain(["new-order undone"]);
        let phase = |(name, total): (&str, Interval)| Phase {
            per_minute: (name == Kind::NewOrder.name()).then_some("tpmC"),
            ..Phase::part(name, seconds, total)
        };
        names.zip(self.0).map(phase).collect()
    }
}

/// One connection's part.
pub(super) struct Terminal {
    talk: Talk,
    home: Home,
    draw: Draw,
    deck: Vec<Kind>,
    think: bool,
    pub kinds: Kinds,
}

impl Terminal {
    /// Terminals sit in all warehouses alike.
    pub fn new(target: &Target, tpcc: &Tpcc, number: u64) -> Result<Terminal, BenchError> {
        let warehouses = tpcc.warehouses;
        Ok(Terminal {
            talk: Talk::new(target, &tpcc.database)?,
            home: Home { w: number % warehouses + 1, d: number / warehouses % DISTRICTS + 1, warehouses },
            draw: Draw::new(!number),
            deck: Vec::new(),
            think: tpcc.think,
            kinds: Kinds::default(),
        })
    }

    /// Runs transactions until the time is over.
    pub fn run(&mut self, context: &Context<'_>, length: Duration) -> Result<(), BenchError> {
        let end = context.begin + length;
        self.talk.set_deadline(end + PATIENCE);
        while !context.stop.load(Ordering::Relaxed) && Instant::now() < end {
            let kind = self.card();
            let input = Input::draw(kind, self.home, &mut self.draw);
            let (keying, thinking) = kind.pauses();
            self.pause(keying, end);
            self.transaction(kind, &input, context, end)?;
            let thinking = self.draw.pause(thinking);
            self.pause(thinking, end);
        }
        Ok(())
    }

    fn pause(&self, seconds: f64, end: Instant) {
        if self.think {
            let until = (Instant::now() + Duration::from_secs_f64(seconds)).min(end);
            while Instant::now() < until {
                runtime::park_until(until);
            }
        }
    }

    /// The next card; a deck that is used up is shuffled anew.
    fn card(&mut self) -> Kind {
        if self.deck.is_empty() {
            self.deck.extend(Kind::ALL.into_iter().flat_map(|kind| std::iter::repeat_n(kind, kind.cards())));
            self.draw.shuffle(&mut self.deck);
        }
        self.deck.pop().expect("a deck has cards")
    }

    /// Runs a transaction until it ends well or wrongly; what was broken off by the server is run again.
    fn transaction(
        &mut self,
        kind: Kind,
        input: &Input,
        context: &Context<'_>,
        end: Instant,
    ) -> Result<(), BenchError> {
        let begun = Instant::now();
        loop {
            let now = chrono::Local::now().format("%Y-%m-%d %H:%M:%S").to_string();
            let (number, message) = match run(&mut self.talk, self.home, input, &now) {
                Ok(ended) => {
                    let slot = if ended == End::RolledBack { ROLLED_BACK } else { kind as usize };
                    let took = begun.elapsed();
                    self.kinds.0[slot].record(took, 1);
                    context.tally.note(|i| i.record(took, 1));
                    return Ok(());
                }
                Err(Trouble::Broken(error)) => return Err(error),
                Err(Trouble::Server(error)) => (error.number, error.message),
                Err(Trouble::Wrong(why)) => (0, why),
            };
            let message = || format!("{}: {message}", kind.name());
            match self.talk.say("ROLLBACK") {
                Ok(()) => {}
                Err(Trouble::Broken(error)) => return Err(error),
                Err(Trouble::Server(_) | Trouble::Wrong(_)) => {
                    context.tally.note(|i| i.complain(0, || "ROLLBACK failed".into()));
                }
            }
            if !RUN_AGAIN.contains(&number) {
                context.tally.note(|i| i.complain(number, message));
                return Ok(());
            }
            context.tally.note(|i| i.retry(number, message));
            if Instant::now() >= end {
                return Ok(());
            }
        }
    }
}
