//! Makes what differs smaller: first the past that it needs, then the statement, then the statements of that past.
//! What is left of a statement that fails otherwise on either side shows whether it has two faults.

use crate::run::{Difference, Past, Run};
use crate::side::Answer;
use crate::statement::{Effect, Statement, Way};
use crate::term::Term;
use std::time::{Duration, Instant};

/// How long one difference may be worked at.
const PATIENCE: Duration = Duration::from_secs(20);

/// A difference while it is made smaller.
struct Work {
    session: Vec<String>,
    past: Vec<Statement>,
    statement: Statement,
    wanted: Difference,
    counted: bool,
    until: Instant,
}

impl Work {
    fn new(statement: &Statement, past: &Past, wanted: Difference, counted: bool) -> Work {
        Work {
            session: past.session.clone(),
            past: past.statements.clone(),
            statement: statement.clone(),
            wanted,
            counted,
            until: Instant::now() + PATIENCE,
        }
    }
}

impl Run {
    /// Whether a statement that both refuse, each with an error of its own, has two faults: to some smaller form of it
    /// MariaDB answers with Penstock's error, to some other one Penstock with MariaDB's, number and text.
    pub(crate) fn two_faults(
        &mut self,
        statement: &Statement,
        past: &Past,
        wanted: &Difference,
        counted: bool,
    ) -> bool {
        let (Some(_), Some(_), None) = (wanted.errors.0, wanted.errors.1, wanted.probe) else { return false };
        let mut work = Work::new(statement, past, wanted.clone(), counted);
        match statement.effect {
            Effect::None => self.smaller_query(&mut work),
            _ => self.smaller_statement(&mut work),
        }
        let (ours, theirs) = self.answers(&work, &work.statement);
        let (mut ours_is_theirs, mut theirs_is_ours) = (false, false);
        for term in shorter(&work.statement.term) {
            let (we, they) = self.answers(&work, &Statement { term, ..work.statement.clone() });
            ours_is_theirs |= we.error.is_some() && we.error == theirs.error;
            theirs_is_ours |= they.error.is_some() && they.error == ours.error;
            if ours_is_theirs && theirs_is_ours {
                return true;
            }
        }
        false
    }

    /// What both answer to a statement, behind the past anew where such a one changes something.
    fn answers(&mut self, work: &Work, statement: &Statement) -> (Answer, Answer) {
        if statement.effect != Effect::None && self.replay(&work.session, &work.past).is_err() {
            return Default::default();
        }
        self.ask(statement, false)
    }

    /// Makes a difference smaller and writes it down.
    pub(crate) fn report(
        &mut self,
        statement: &Statement,
        past: &Past,
        wanted: Difference,
        seed: u64,
        counted: bool,
    ) {
        let mut work = Work::new(statement, past, wanted, counted);
        if statement.effect == Effect::None {
            self.smaller_query(&mut work);
        }
        if self.still(&work.session, &work.past, &work.statement, &work) {
            self.plainer_way(&mut work);
            self.shorter_past(&mut work);
            if statement.effect != Effect::None {
                self.smaller_statement(&mut work);
            }
            self.fewer_parameters(&mut work);
            self.smaller_past(&mut work);
            let _ = self.replay(&work.session, &work.past);
        }
        let (mut ours, mut theirs) = self.ask(&work.statement, work.counted);
        let mut texts = vec![work.statement.term.to_string()];
        let mut lines = work.session.clone();
        lines.extend(work.past.iter().chain([&work.statement]).map(Statement::as_sql));
        if let Some(place) = work.wanted.probe {
            let probe = Statement::words(work.statement.probes[place].clone());
            texts.push(probe.term.to_string());
            lines.push(probe.term.to_string());
            (ours, theirs) = self.ask(&probe, false);
        }
        self.kept.keep(&lines, &texts, &work.wanted, &ours, &theirs, seed);
    }

    /// Whether the same difference shows after a past.
    fn still(&mut self, session: &[String], past: &[Statement], statement: &Statement, work: &Work) -> bool {
        self.replay(session, past).is_ok()
            && self.difference(statement, work.counted, false).as_ref() == Some(&work.wanted)
    }

    /// A query made smaller where it stands: it changes nothing.
    fn smaller_query(&mut self, work: &mut Work) {
        while let Some(smaller) = self.first(work, |run, work, candidate| {
            run.difference(candidate, work.counted, false).as_ref() == Some(&work.wanted)
        }) {
            work.statement.term = smaller;
        }
    }

    fn smaller_statement(&mut self, work: &mut Work) {
        while let Some(smaller) = self.first(work, |run, work, candidate| {
            let (session, past) = (work.session.clone(), work.past.clone());
            run.still(&session, &past, candidate, work)
        }) {
            work.statement.term = smaller;
        }
    }

    /// Sends the statement without parameters, and those before it as text, where the difference shows so, too.
    fn plainer_way(&mut self, work: &mut Work) {
        if let Way::Bound(_) = work.statement.way {
            self.sent_otherwise(work, Way::Binary);
        }
        let mut past = work.past.clone();
        past.iter_mut().for_each(|statement| statement.way = Way::Text);
        let (session, statement) = (work.session.clone(), work.statement.clone());
        if past.iter().zip(&work.past).any(|(text, was)| text.way != was.way)
            && self.still(&session, &past, &statement, work)
        {
            work.past = past;
        }
    }

    /// Leaves literals as they are that need not be bound.
    fn fewer_parameters(&mut self, work: &mut Work) {
        let mut literal = 0;
        while let Way::Bound(binding) = work.statement.way {
            let Some(less) = binding.leaving(literal) else { return };
            literal += 1;
            let sql = work.statement.term.to_string();
            if less.bind(&sql).text != binding.bind(&sql).text {
                self.sent_otherwise(work, Way::Bound(less));
            }
        }
    }

    /// Sends the statement another way where the difference shows so, too.
    fn sent_otherwise(&mut self, work: &mut Work, way: Way) {
        let (session, past) = (work.session.clone(), work.past.clone());
        let statement = Statement { way, ..work.statement.clone() };
        if Instant::now() < work.until && self.still(&session, &past, &statement, work) {
            work.statement = statement;
        }
    }

    /// The first smaller form of the statement that a test takes.
    fn first(&mut self, work: &Work, test: impl Fn(&mut Run, &Work, &Statement) -> bool) -> Option<Term> {
        for term in shorter(&work.statement.term) {
            if Instant::now() > work.until {
                return None;
            }
            let candidate = Statement { term, ..work.statement.clone() };
            if test(self, work, &candidate) {
                return Some(candidate.term);
            }
        }
        None
    }

    /// Leaves out of the past what the difference does not need.
    fn shorter_past(&mut self, work: &mut Work) {
        let mut chunk = work.past.len().div_ceil(2).max(1);
        loop {
            let mut end = work.past.len();
            while end > 0 && Instant::now() < work.until {
                let start = end.saturating_sub(chunk);
                let mut fewer = work.past.clone();
                fewer.drain(start..end);
                let (session, statement) = (work.session.clone(), work.statement.clone());
                if self.still(&session, &fewer, &statement, work) {
                    work.past = fewer;
                }
                end = start;
            }
            if chunk == 1 {
                return;
            }
            chunk = chunk.div_ceil(2);
        }
    }

    /// Makes the statements of the past smaller.
    fn smaller_past(&mut self, work: &mut Work) {
        for i in 0..work.past.len() {
            'again: loop {
                for term in shorter(&work.past[i].term) {
                    if Instant::now() > work.until {
                        return;
                    }
                    let mut past = work.past.clone();
                    past[i].term = term;
                    let (session, statement) = (work.session.clone(), work.statement.clone());
                    if self.still(&session, &past, &statement, work) {
                        work.past = past;
                        continue 'again;
                    }
                }
                break;
            }
        }
    }
}

/// Smaller forms of a term, the smallest first.
fn shorter(term: &Term) -> Vec<Term> {
    let length = term.to_string().len();
    let mut candidates = term.smaller();
    candidates.retain(|candidate| candidate.to_string().len() < length);
    candidates.sort_by_key(|candidate| candidate.to_string().len());
    candidates
}
