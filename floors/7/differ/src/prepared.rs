//! Statements with parameters: a part of the literals of a drawn one is bound as clients bind them.
//!
//! Which literals are bound, and as what, hangs by the literals themselves and a number of the statement's: those that
//! are left when it is made smaller are bound as before.

use crate::dice::Dice;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

pub mod literal;
pub mod value;

use literal::Literal;
pub use value::Value;

/// How the literals of a statement are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// What choices are made by.
    salt: u64,
    /// A bit for each literal that stays as it is, in order of writing.
    left: u64,
}

/// A statement with its places and what is bound to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// The statement, `?` for each parameter.
    pub text: String,
    /// The parameters of one execution after the other.
    pub executions: Vec<Vec<Value>>,
}

/// Statements whose expressions are read anew for each execution: others refuse parameters.
const BINDS: &[&str] = &[
    "SELECT ", "(", "WITH ", "VALUES ", "INSERT ", "REPLACE ", "UPDATE ", "DELETE ", "DO ", "SET ", "TABLE ",
];

impl Binding {
    /// The binding of a statement of a seed's.
    pub fn new(seed: u64, sql: &str) -> Binding {
        Binding { salt: hash(&(seed, sql)), left: 0 }
    }

    /// The same, but that one more literal stays.
    pub fn leaving(self, literal: usize) -> Option<Binding> {
        let bit = 1u64.checked_shl(literal as u32).filter(|bit| self.left & bit == 0)?;
        Some(Binding { left: self.left | bit, ..self })
    }

    /// The statement with its literals bound.
    pub fn bind(self, sql: &str) -> Prepared {
        let mut text = String::new();
        let (mut bound, mut met, mut end) = (Vec::<(Literal, u64)>::new(), Vec::new(), 0);
        let binds = BINDS.iter().any(|word| sql.starts_with(word));
        for (i, place) in literal::places(sql).into_iter().enumerate().filter(|_| binds) {
            let written = &sql[place.range.clone()];
            let before = met.iter().filter(|known| **known == written).count();
            met.push(written);
            let seed = hash(&(self.salt, written, before));
            let stays = i >= 64 || self.left & 1 << i != 0;
            if stays || Dice::new(seed).chance(1, 3) {
                continue;
            }
            text += &sql[end..place.range.start];
            text.push('?');
            end = place.range.end;
            bound.push((place.literal, seed));
        }
        text += &sql[end..];
        let mut dice = Dice::new(self.salt);
        let times = if dice.chance(1, 3) { 2 } else { 1 };
        let others = dice.chance(1, 2);
        let executions = (0..times).map(|time| {
            let value = |(literal, seed): &(Literal, u64)| match time > 0 && others {
                true => {
                    let mut dice = Dice::new(seed.wrapping_add(1));
                    let another = literal.another(&mut dice);
                    Value::of(&mut dice, &another)
                }
                false => Value::of(&mut Dice::new(*seed), literal),
            };
            bound.iter().map(value).collect()
        });
        Prepared { text, executions: executions.collect() }
    }
}

impl Prepared {
    /// SQL that shows much the same in the text protocol, the types bound in comments.
    pub fn as_sql(&self) -> String {
        let mut sql = format!("PREPARE bound FROM '{}'", self.text.replace('\'', "''"));
        for values in &self.executions {
            sql += ";\nEXECUTE bound";
            for (i, value) in values.iter().enumerate() {
                let before = if i == 0 { " USING" } else { "," };
                write!(sql, "{before} /* {} */ {}", value.type_name(), value.written).expect("texts take it");
            }
        }
        sql
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQL: &str =
        "SELECT a + 1, 'it''s', NULL FROM t1 WHERE b = 2.5 AND c > '2020-01-02 03:04:05' LIMIT 3";

    fn bound(seed: u64) -> Prepared {
        Binding::new(seed, SQL).bind(SQL)
    }

    #[test]
    fn a_part_of_the_literals_is_bound_the_same_each_time() {
        assert!((0..20).all(|seed| bound(seed) == bound(seed)));
        let counts: Vec<usize> = (0..300).map(|seed| bound(seed).text.matches('?').count()).collect();
        assert!(counts.iter().any(|count| *count < 3) && counts.contains(&6));
        for seed in 0..50 {
            let Prepared { text, executions } = bound(seed);
            assert!(executions.iter().all(|values| values.len() == text.matches('?').count()));
        }
    }

    #[test]
    fn what_is_left_of_a_statement_is_bound_as_before() {
        let binding = Binding::new(7, SQL);
        let values = |sql: &str| binding.bind(sql).executions[0].clone();
        let (whole, less) = (values(SQL), values("SELECT 'it''s', NULL FROM t1 LIMIT 3"));
        assert!(less.iter().all(|value| whole.contains(value)));
    }

    #[test]
    fn literals_can_stay() {
        let mut binding = Binding::new(3, SQL);
        for i in 0..6 {
            binding = binding.leaving(i).expect("not yet left");
        }
        assert_eq!(binding.bind(SQL).text, SQL);
        assert_eq!(binding.leaving(5), None);
    }

    #[test]
    fn prepared_statements_are_written_as_sql() {
        let value = Value::of(&mut Dice::new(1), &Literal::Null);
        let prepared = Prepared { text: "SELECT ?, 'a'".into(), executions: vec![vec![value]] };
        let sql = prepared.as_sql();
        assert!(sql.starts_with("PREPARE bound FROM 'SELECT ?, ''a''';\nEXECUTE bound USING /* "), "{sql}");
        assert!(sql.ends_with(" */ NULL"), "{sql}");
    }
}
