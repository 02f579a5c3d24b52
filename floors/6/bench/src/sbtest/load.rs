//! A connection's part of a mix.

use super::statement::{Mix, Prepared, Step, Values, put_rollback};
use super::{Pick, Tables};
use crate::Random;
use crate::drive::Load;
use crate::random::mix;
use crate::tally::RUN_AGAIN;
use protocol::reply::Err as ErrPacket;
use protocol::scan::Answer;
use protocol::wire::Reader;
use std::collections::VecDeque;

/// Groups of digits in `c`; each has [`GROUP`] digits.
const C_GROUPS: usize = 10;
const PAD_GROUPS: usize = 5;
const GROUP: usize = 11;
const C_LEN: usize = C_GROUPS * (GROUP + 1) - 1;
const PAD_LEN: usize = PAD_GROUPS * (GROUP + 1) - 1;

/// Fills a value of groups of digits with dashes between them.
#[inline]
fn digits(random: &mut Random, out: &mut [u8]) {
    for group in out.chunks_mut(GROUP + 1) {
        let mut n = random.number();
        for digit in &mut *group {
            *digit = b'0' + (n % 10) as u8;
            n /= 10;
        }
        if let Some(dash) = group.get_mut(GROUP) {
            *dash = b'-';
        }
    }
}

/// The values of a row that are neither id nor k.
pub(super) struct Filler {
    pub c: [u8; C_LEN],
    pub pad: [u8; PAD_LEN],
}

impl Filler {
    pub fn new() -> Filler {
        Filler { c: [0; C_LEN], pad: [0; PAD_LEN] }
    }

    pub fn refill(&mut self, random: &mut Random) {
        digits(random, &mut self.c);
        digits(random, &mut self.pad);
    }
}

/// Draws statements and looks at their answers.
pub(super) struct MixLoad {
    steps: Vec<Step>,
    next: usize,
    tables: u64,
    rows: u64,
    range: u64,
    pick: Pick,
    prepared: Option<Prepared>,
    random: Random,
    filler: Filler,
    /// Table and id of the DELETE, whose row the INSERT puts back.
    deleted: (u64, u64),
    transactional: bool,
    rollback: bool,
    check: Option<Check>,
}

/// What the answers under way must look like.
#[derive(Default)]
struct Check {
    expected: VecDeque<Expected>,
    wrong: Option<String>,
}

#[derive(Clone, Copy)]
enum Expected {
    /// An OK.
    Done,
    /// So many rows at most; each is a text like `c`.
    Texts(u64),
    /// One row with a number or NULL.
    Number,
}

impl MixLoad {
    pub fn new(mix: Mix, tables: &Tables, prepared: Option<Prepared>, check: bool, number: u64) -> MixLoad {
        MixLoad {
            steps: mix.steps(),
            next: 0,
            tables: tables.tables,
            rows: tables.rows,
            range: tables.range,
            pick: tables.pick,
            prepared,
            random: Random::new(number),
            filler: Filler::new(),
            deleted: (1, 1),
            transactional: mix != Mix::PointSelect,
            rollback: false,
            check: check.then(Check::default),
        }
    }

    #[inline]
    fn id(&mut self) -> u64 {
        const IN: u64 = 100;
        match self.pick {
            Pick::Hot if self.random.below(4) < 3 => {
                let hot = self.rows.div_ceil(IN);
                (self.rows - hot) / 2 + self.random.below(hot) + 1
            }
            Pick::Zipf => {
                // The inverse of a distribution whose logarithm is uniform: rank k has ln(1 + 1/k) of ln(rows + 1).
                let unit = self.random.below(1 << 53) as f64 / (1_u64 << 53) as f64;
                let rank = ((self.rows + 1) as f64).powf(unit) as u64;
                mix(rank) % self.rows + 1
            }
            Pick::Hot | Pick::Uniform => self.random.below(self.rows) + 1,
        }
    }
}

impl Load for MixLoad {
    #[inline]
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        if std::mem::take(&mut self.rollback) {
            put_rollback(out);
            self.expect(Expected::Done);
            return true;
        }
        let step = self.steps[self.next];
        self.next = if self.next + 1 == self.steps.len() { 0 } else { self.next + 1 };
        let mut table = if self.tables == 1 { 1 } else { self.random.below(self.tables) + 1 };
        let mut id = self.id();
        match step {
            Step::UpdateOther => self.filler.refill(&mut self.random),
            Step::Delete => self.deleted = (table, id),
            Step::Insert => {
                (table, id) = self.deleted;
                self.filler.refill(&mut self.random);
            }
            _ => {}
        }
        let k = if step == Step::Insert { self.id() } else { 0 };
        let (c, pad) = (&self.filler.c[..], &self.filler.pad[..]);
        let values = Values { table, id, last: id + self.range - 1, k, c, pad };
        match &mut self.prepared {
            None => step.put_text(&values, out),
            Some(prepared) => prepared.put(step, &values, out),
        }
        if self.check.is_some() {
            self.expect(match step {
                Step::Point => Expected::Texts(1),
                Step::SimpleRange | Step::OrderRange | Step::DistinctRange => Expected::Texts(self.range),
                Step::SumRange => Expected::Number,
                _ => Expected::Done,
            });
        }
        true
    }

    #[inline]
    fn row(&mut self, payload: &[u8]) {
        if let Some(check) = &mut self.check {
            check.row(payload, self.prepared.is_some());
        }
    }

    #[inline]
    fn answered(&mut self, answer: &Answer<'_>) -> Result<u64, String> {
        self.check.as_mut().map_or(Ok(()), |check| check.answered(answer)).map(|()| 1)
    }

    fn failed(&mut self, error: &ErrPacket) -> bool {
        if let Some(check) = &mut self.check {
            check.expected.pop_front();
            check.wrong = None;
        }
        // Whatever of the transaction was sent already is answered first.
        self.next = 0;
        self.rollback = self.transactional;
        self.transactional && RUN_AGAIN.contains(&error.number)
    }
}

impl MixLoad {
    fn expect(&mut self, expected: Expected) {
        if let Some(check) = &mut self.check {
            check.expected.push_back(expected);
        }
    }
}

impl Check {
    fn row(&mut self, payload: &[u8], binary: bool) {
        // A binary row of one column: mark and NULL bitmap before the value.
        let value = if binary { payload.get(2..).unwrap_or_default() } else { payload };
        let right = match self.expected.front() {
            Some(Expected::Texts(_)) => {
                Reader::new(value).lenenc_bytes("c").is_ok_and(|text| text.len() == C_LEN && are_digits(text))
            }
            Some(Expected::Number) => true,
            _ => false,
        };
        if !right {
            self.wrong.get_or_insert_with(|| format!("an unexpected row: {payload:?}"));
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) -> Result<(), String> {
        let right = match (self.expected.pop_front(), answer) {
            (Some(Expected::Done), Answer::Ok(_)) => true,
            (Some(Expected::Texts(most)), Answer::Rows(rows)) => *rows <= most,
            (Some(Expected::Number), Answer::Rows(rows)) => *rows == 1,
            _ => false,
        };
        match (self.wrong.take(), right) {
            (Some(why), _) => Err(why),
            (None, true) => Ok(()),
            (None, false) => Err(format!("an unexpected answer: {answer:?}")),
        }
    }
}

/// Groups of digits with dashes between them.
fn are_digits(text: &[u8]) -> bool {
    text.iter()
        .enumerate()
        .all(|(i, &b)| if i % (GROUP + 1) == GROUP { b == b'-' } else { b.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(mix: Mix, pick: Pick, check: bool) -> MixLoad {
        let tables = Tables { database: "d".into(), tables: 2, rows: 1000, range: 100, pick };
        MixLoad::new(mix, &tables, None, check, 1)
    }

    #[test]
    fn fillers_are_groups_of_digits() {
        let mut filler = Filler::new();
        filler.refill(&mut Random::new(1));
        assert_eq!((filler.c.len(), filler.pad.len()), (119, 59));
        assert!(are_digits(&filler.c) && are_digits(&filler.pad));
    }

    #[test]
    fn ids_stay_inside_the_table_and_hot_ones_in_its_middle() {
        let mut load = load(Mix::PointSelect, Pick::Hot, false);
        let ids: Vec<u64> = (0..10_000).map(|_| load.id()).collect();
        assert!(ids.iter().all(|id| (1..=1000).contains(id)));
        let hot = ids.iter().filter(|id| (496..=505).contains(*id)).count();
        assert!((7200..=7800).contains(&hot), "{hot}");
    }

    #[test]
    fn few_ids_are_most_of_those_by_zipfs_law() {
        let mut load = load(Mix::PointSelect, Pick::Zipf, false);
        let mut times = std::collections::BTreeMap::new();
        for _ in 0..70_000 {
            *times.entry(load.id()).or_insert(0) += 1;
        }
        let mut times: Vec<i32> = times.into_values().collect();
        times.sort_unstable_by(|a, b| b.cmp(a));
        // ln 2 of ln 1001 are the first's, a third as many the third's.
        assert!((6_500..7_600).contains(&times[0]), "{:?}", &times[..5]);
        assert!((2_500..3_400).contains(&times[2]), "{:?}", &times[..5]);
        assert!(times.len() > 500);
    }

    #[test]
    fn an_error_begins_the_transaction_again() {
        let mut load = load(Mix::ReadWrite, Pick::Uniform, false);
        let sent = |load: &mut MixLoad| {
            let mut out = Vec::new();
            load.next(&mut out);
            String::from_utf8(out[5..].to_vec()).expect("text")
        };
        assert_eq!(sent(&mut load), "BEGIN");
        assert!(sent(&mut load).starts_with("SELECT c FROM sbtest"));
        let error = |number| ErrPacket { number, sqlstate: *b"40001", message: String::new() };
        assert!(load.failed(&error(1213)), "a deadlock is no fault");
        assert_eq!([sent(&mut load), sent(&mut load)], ["ROLLBACK", "BEGIN"]);
        assert!(!load.failed(&error(1064)));
    }

    #[test]
    fn wrong_rows_are_noticed() {
        let mut load = load(Mix::PointSelect, Pick::Uniform, true);
        let mut out = Vec::new();
        let mut row = vec![C_LEN as u8];
        digits(&mut Random::new(1), {
            row.resize(C_LEN + 1, 0);
            &mut row[1..]
        });
        load.next(&mut out);
        load.row(&row);
        assert_eq!(load.answered(&Answer::Rows(1)), Ok(1));
        load.next(&mut out);
        row[5] = b'x';
        load.row(&row);
        assert!(load.answered(&Answer::Rows(1)).is_err());
        load.next(&mut out);
        assert!(load.answered(&Answer::Ok(&[0])).is_err());
    }
}
