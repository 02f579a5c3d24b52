//! Joins of few rows: any order does, and so the one is taken that MariaDB takes, as far as its estimates are known.
//!
//! Where a query asks for no order, clients come to see the one in which rows are joined. MariaDB counts the rows that it
//! looks at, by indexes or in whole tables, and knows nothing of what conditions without an index keep; it looks into an
//! index wherever one can be used, and makes products of small tables first.

use super::{IndexFacts, Link, Step, Unit};

/// Joins are small up to so many combinations of rows.
pub const COMBINATIONS: f64 = 20_000.0;
/// Rows compared for the price of a page.
const COMPARED: f64 = 5.0;
/// Rows that a key of a derived table is taken to find.
const KEYED_ROWS: f64 = 2.0;

/// Whether any order of these does.
pub fn is_small(units: &[Unit]) -> bool {
    units.iter().map(|unit| unit.scanned.max(1.0)).product::<f64>() <= COMBINATIONS
}

/// The step that reads a unit first.
pub fn first_step(units: &[Unit], number: usize) -> Step {
    let rows = units[number].scanned;
    Step { unit: number, hash: false, looked_up: false, rows, cost: 1.0 + rows / COMPARED, made: 0.0 }
}

/// What joining a unit to those of `known` comes to, behind the step before.
pub fn step(units: &[Unit], links: &[Link], known: u128, before: Step, number: usize) -> Step {
    let unit = &units[number];
    let found = unit.indexes.iter().filter_map(|index| lookup(index, known));
    let by_index = found.map(|each| (each, if each <= 1.0 { 1.0 } else { 1.0 + each }));
    let by_index = by_index.min_by(|a, b| a.1.total_cmp(&b.1));
    let keyed = || {
        let mut joining = links.iter().filter(|link| link.connects(known, unit.mask));
        joining.any(|link| link.sides.is_some_and(|(a, b)| a == unit.mask || b == unit.mask))
    };
    let made = unit.made_once.filter(|_| keyed()).map(|unique| if unique { 1.0 } else { KEYED_ROWS });
    let (each, price, looked_up) = match (by_index, made) {
        (Some((each, price)), _) => (each, before.rows * price, true),
        (None, Some(each)) => (each, before.rows, true),
        (None, None) => (unit.scanned, 1.0, false),
    };
    let rows = before.rows * each;
    let cost = before.cost + price + rows / COMPARED;
    Step { unit: number, hash: by_index.is_none() && unit.hashable, looked_up, rows, cost, made: 0.0 }
}

/// Rows that one look into an index finds, if values from units of `known` can be looked for.
fn lookup(index: &IndexFacts, known: u128) -> Option<f64> {
    let (parts, joined) = index.bound(known);
    joined.then(|| if index.unique == Some(parts) { 1.0 } else { index.rows[parts].max(1.0) })
}
