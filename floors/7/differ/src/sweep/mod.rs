//! Every form of expression over columns of every type, and every type into every other: what random statements meet by
//! chance, gone through in full.
//!
//! All of it stands over one table, `t`, whose rows hold an ordinary value, an extreme one and NULL for each type. A [`Unit`]
//! needs nothing but that table, so that units may be run in any order, and a sample of them says something of the whole.

use crate::dice::Dice;
use crate::statement::Statement;
use crate::term::{Role, Term};

mod forms;
mod types;

use forms::{AGGREGATES, LITERALS, ONE, TWO, WINDOWS};
use types::{COLUMNS, Column, PAIRED};

/// Statements that are run in turn, up to the first that differs.
pub type Unit = Vec<Statement>;

/// The table that a unit makes for itself.
const MADE: &str = "CREATE OR REPLACE TABLE made";

/// A part of what there is to go through: its name, and what gives its units.
type Part = (&'static str, fn() -> Vec<Unit>);

const PARTS: &[Part] = &[
    ("sweep-functions", functions),
    ("sweep-aggregates", aggregates),
    ("sweep-windows", windows),
    ("sweep-pairs", pairs),
    ("sweep-unions", unions),
    ("sweep-created", created),
    ("sweep-converted", converted),
    ("sweep-literals", literals),
    ("sweep-assigned", assigned),
    ("sweep-altered", altered),
];

/// The SQL modes that seeds go through.
const MODES: &[&str] =
    &["", "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION", "TRADITIONAL"];

/// Names of the parts.
pub fn parts() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|(name, _)| *name)
}

/// The SQL mode of a seed.
pub fn mode(seed: u64) -> &'static str {
    let place = seed % MODES.len() as u64;
    MODES[usize::try_from(place).unwrap_or(0)]
}

/// The statements that make the table.
pub fn table() -> Vec<String> {
    let columns: Vec<String> = COLUMNS.iter().map(|c| format!("{} {}", c.name, c.ty)).collect();
    let row = |key: usize, value: fn(&Column) -> &str| {
        let values: Vec<&str> = COLUMNS.iter().map(value).collect();
        format!("INSERT INTO t VALUES ({key}, {})", values.join(", "))
    };
    vec![
        format!("CREATE TABLE t (k INT NOT NULL, {})", columns.join(", ")),
        row(1, |c| c.ordinary),
        row(0, |c| c.extreme),
        row(7, |c| if c.ty.ends_with("NOT NULL") { c.ordinary } else { "NULL" }),
    ]
}

/// The units of a part, or of all, in an order that the dice give.
pub fn units(part: Option<&str>, dice: &mut Dice) -> Vec<Unit> {
    let wanted = PARTS.iter().filter(|(name, _)| part.is_none_or(|part| part == *name));
    let mut units: Vec<Unit> = wanted.flat_map(|(_, units)| units()).collect();
    dice.shuffle(&mut units);
    units
}

fn asked(sql: String) -> Unit {
    vec![Statement { ordered: true, ..Statement::words(sql) }]
}

/// Each form with each column in it.
fn over_columns(forms: &[&str]) -> impl Iterator<Item = String> {
    forms.iter().flat_map(|form| COLUMNS.iter().map(|c| form.replace("{}", c.name)))
}

/// Each form of two operands with each pair of columns in it.
fn over_pairs() -> impl Iterator<Item = String> {
    let with = |form: &str, a: &str| form.replace("{a}", a);
    TWO.iter().flat_map(move |form| {
        PAIRED.iter().flat_map(move |a| PAIRED.iter().map(move |b| with(form, a).replace("{b}", b)))
    })
}

fn functions() -> Vec<Unit> {
    over_columns(ONE).map(|form| asked(format!("SELECT {form} FROM t ORDER BY k"))).collect()
}

fn aggregates() -> Vec<Unit> {
    let all = over_columns(AGGREGATES).map(|form| asked(format!("SELECT {form} FROM t")));
    let groups =
        over_columns(AGGREGATES).map(|form| asked(format!("SELECT {form} FROM t GROUP BY k ORDER BY k")));
    all.chain(groups).collect()
}

fn windows() -> Vec<Unit> {
    over_columns(WINDOWS).map(|form| asked(format!("SELECT {form} FROM t ORDER BY k"))).collect()
}

fn pairs() -> Vec<Unit> {
    over_pairs().map(|form| asked(format!("SELECT {form} FROM t ORDER BY k"))).collect()
}

/// Both ways round, for each pair of columns.
fn each_two(unit: fn(&Column, &Column) -> Unit) -> Vec<Unit> {
    COLUMNS.iter().flat_map(|a| COLUMNS.iter().map(move |b| unit(a, b))).collect()
}

fn unions() -> Vec<Unit> {
    each_two(|a, b| {
        asked(format!("SELECT {} FROM t WHERE k = 1 UNION ALL SELECT {} FROM t WHERE k = 0", a.name, b.name))
    })
}

/// A table made of a query, and what it is then.
fn made(query: &str) -> Statement {
    define(format!("{MADE} AS {query}"))
}

fn define(sql: String) -> Statement {
    let probes = vec!["SHOW CREATE TABLE made".to_owned(), "SELECT * FROM made".to_owned()];
    Statement::define(Term::words(Role::Fixed, sql), probes)
}

fn created() -> Vec<Unit> {
    let forms = over_columns(ONE).filter(|form| !form.contains('@')).chain(over_pairs());
    forms.map(|form| vec![made(&format!("SELECT {form} AS c FROM t ORDER BY k"))]).collect()
}

/// A column's values put into one of another type.
fn converted() -> Vec<Unit> {
    each_two(|from, to| {
        vec![define(format!("{MADE} (c {}) AS SELECT {} AS c FROM t ORDER BY k", to.ty, from.name))]
    })
}

/// Values as they are written, put into a column.
fn literals() -> Vec<Unit> {
    let unit =
        |value: &str, to: &Column| vec![define(format!("{MADE} (c {}) AS SELECT {value} AS c", to.ty))];
    LITERALS.iter().flat_map(|value| COLUMNS.iter().map(move |to| unit(value, to))).collect()
}

/// A column's values assigned to another.
fn assigned() -> Vec<Unit> {
    each_two(|from, to| {
        let update = format!("UPDATE made SET y = x ORDER BY k /* {} {} */", from.name, to.name);
        vec![
            define(format!("{MADE} (y {}) AS SELECT k, {} AS x FROM t ORDER BY k", to.nullable(), from.name)),
            Statement::change(Term::words(Role::Fixed, update), vec!["SELECT * FROM made".to_owned()]),
        ]
    })
}

/// A column that becomes one of another type.
fn altered() -> Vec<Unit> {
    each_two(|from, to| {
        vec![
            made(&format!("SELECT {} AS c FROM t ORDER BY k", from.name)),
            define(format!("ALTER TABLE made MODIFY c {} /* {} */", to.ty, from.name)),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_units_and_a_seed_their_order() {
        for part in parts() {
            assert!(units(Some(part), &mut Dice::new(1)).len() > 100, "{part}");
        }
        let first = |seed| units(None, &mut Dice::new(seed))[0][0].term.to_string();
        assert_eq!(first(5), first(5));
        assert!((0..9).any(|seed| first(seed) != first(9)));
    }
}
