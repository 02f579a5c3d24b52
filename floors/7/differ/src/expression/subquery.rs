//! Subqueries inside expressions: of one value, and those that IN, EXISTS, ANY and ALL take.

use super::{Names, any_sort, condition, expression};
use crate::dice::Dice;
use crate::schema::{Sort, Table};
use crate::term::{Role, Term};

/// What is in reach beside the tables of the query at hand.
#[derive(Clone, Copy)]
pub struct Reach<'t> {
    /// The tables that there are.
    pub tables: &'t [Table],
    /// The family that is drawn more often than others.
    pub family: Option<&'static str>,
}

impl Reach<'_> {
    /// Whether a family is drawn now: once in `of` times, or more often where it is asked for.
    pub fn draws(&self, dice: &mut Dice, name: &str, of: usize) -> bool {
        dice.chance(1, if self.family == Some(name) { 3 } else { of })
    }
}

/// A subquery's FROM clause, and what its expressions may name.
fn source<'t>(dice: &mut Dice, names: &Names<'t>) -> Option<(String, Names<'t>)> {
    if names.reach.tables.is_empty() || names.tables.len() > 2 {
        return None;
    }
    let table = dice.pick(names.reach.tables);
    let alias = format!("s{}", names.tables.len());
    let from = format!(" FROM {} {alias}", table.name);
    let mut inner = names.clone();
    inner.tables.push((alias, table));
    Some((from, inner))
}

fn fixed(text: impl Into<String>) -> Term {
    Term::words(Role::Fixed, text)
}

/// Perhaps a condition.
fn filter(dice: &mut Dice, names: &Names<'_>, depth: usize) -> Term {
    match dice.chance(1, 2) {
        true => Term::of(Role::Optional, " WHERE {}", vec![condition(dice, names, depth)]),
        false => fixed(""),
    }
}

/// A subquery of one value.
pub fn value(dice: &mut Dice, names: &Names<'_>, sort: Sort, depth: usize) -> Term {
    let inside = depth.saturating_sub(1);
    let Some((from, inner)) = source(dice, names) else {
        return Term::of(Role::Expr, "(SELECT {})", vec![expression(dice, names, sort, inside)]);
    };
    let alias = inner.tables.last().map_or(String::new(), |(alias, _)| alias.clone());
    let of = expression(dice, &inner, sort, inside);
    match dice.below(5) {
        0 => Term::of(Role::Expr, "(SELECT {})", vec![expression(dice, names, sort, inside)]),
        1 | 2 => {
            let call = match sort {
                Sort::Number => *dice.pick(&["SUM", "AVG", "COUNT", "MAX", "MIN"]),
                _ => *dice.pick(&["MAX", "MIN"]),
            };
            let filter = filter(dice, &inner, inside);
            Term::of(Role::Expr, "(SELECT {}({}){}{})", vec![fixed(call), of, fixed(from), filter])
        }
        3 => {
            let row = match names.tables.first() {
                Some((outer, _)) if dice.chance(1, 2) => format!("{outer}.id"),
                _ => dice.between(1, 9).to_string(),
            };
            let filter = format!(" WHERE {alias}.id = {row}");
            Term::of(Role::Expr, "(SELECT {}{}{})", vec![of, fixed(from), fixed(filter)])
        }
        _ => {
            let end = format!(" ORDER BY {alias}.id LIMIT 1");
            let filter = filter(dice, &inner, inside);
            Term::of(Role::Expr, "(SELECT {}{}{}{})", vec![of, fixed(from), filter, fixed(end)])
        }
    }
}

/// A condition on a subquery's rows.
fn condition_of(dice: &mut Dice, names: &Names<'_>, depth: usize) -> Option<Term> {
    let inside = depth.saturating_sub(1);
    let (from, inner) = source(dice, names)?;
    let sort = any_sort(dice);
    let other = if dice.chance(3, 4) { sort } else { any_sort(dice) };
    let operand = expression(dice, names, sort, inside);
    let of = expression(dice, &inner, other, inside);
    let filter = filter(dice, &inner, inside);
    Some(match dice.below(6) {
        0 => Term::of(Role::Expr, "EXISTS (SELECT {}{}{})", vec![of, fixed(from), filter]),
        1 | 2 => {
            let not = fixed(*dice.pick(&["", "NOT "]));
            let parts = vec![operand, not, of, fixed(from), filter];
            Term::of(Role::Expr, "({}) {}IN (SELECT {}{}{})", parts)
        }
        3 => {
            let second =
                (expression(dice, names, Sort::Number, 0), expression(dice, &inner, Sort::Number, 0));
            let parts = vec![operand, second.0, of, second.1, fixed(from), filter];
            Term::of(Role::Expr, "({}, {}) IN (SELECT {}, {}{}{})", parts)
        }
        _ => {
            let op = *dice.pick(&["=", "<", ">=", "<>"]);
            let any = *dice.pick(&["ANY", "ALL"]);
            let parts = vec![operand, fixed(format!("{op} {any}")), of, fixed(from), filter];
            Term::of(Role::Expr, "({}) {} (SELECT {}{}{})", parts)
        }
    })
}

/// A condition on a subquery's rows, or a plain one where there is no table.
pub fn condition_or(dice: &mut Dice, names: &Names<'_>, depth: usize) -> Term {
    match condition_of(dice, names, depth) {
        Some(term) => term,
        None => Term::of(Role::Expr, "(SELECT {})", vec![condition(dice, names, depth.saturating_sub(1))]),
    }
}
