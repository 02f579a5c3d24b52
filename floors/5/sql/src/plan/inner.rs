//! Outer joins that are inner ones: where a condition behind one is never true of the NULLs that it would fill in.
//!
//! `a LEFT JOIN b ON .. WHERE b.x = 1` keeps no row of `a` without one of `b`. As an inner join it may be run in any
//! order: with `b` first, whose row a key may find, or be known not to.

use super::{Join, SubqueryForm};
use crate::expr::{Call, CompareOp, Expr, Kind};
use crate::syntax::ast::IsTest;
use std::collections::BTreeSet;

/// Operators and functions that are NULL as soon as one of their arguments is.
const STRICT: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "%",
    "mod",
    "div",
    "abs",
    "ceil",
    "ceiling",
    "floor",
    "length",
    "octet_length",
    "char_length",
    "character_length",
    "lower",
    "lcase",
    "upper",
    "ucase",
    "left",
    "right",
    "year",
    "month",
    "day",
    "dayofmonth",
    "hour",
    "minute",
    "second",
    "quarter",
    "date",
    "datediff",
    "last_day",
    "dayofweek",
    "dayofyear",
    "weekday",
    "date_format",
    "round",
    "truncate",
    "sign",
    "sqrt",
    "instr",
    "locate",
    "substring",
    "substr",
    "reverse",
    "replace",
    "hex",
    "md5",
    "json_value",
    "json_extract",
    "json_unquote",
    "json_length",
];

/// Makes the outer joins of a block's join inner ones where `conditions` behind it want rows of both sides; those in
/// their ON are put to `conditions`.
pub fn make(join: Join, conditions: &mut Vec<Expr>, level: u32) -> Join {
    if !has_outer(&join) {
        return join;
    }
    let mut wanted: Vec<Alternatives> = conditions.iter().map(|e| alternatives(e, level)).collect();
    make_wanted(join, &mut wanted, conditions, level)
}

/// Whether an outer join is among them.
pub fn has_outer(join: &Join) -> bool {
    match join {
        Join::Left { .. } => true,
        Join::Inner(steps) => steps.iter().any(|(join, _)| has_outer(join)),
        Join::Table(_) | Join::Hash(_) => false,
    }
}

/// What a condition wants to be other than NULL: the slots of one of these.
type Alternatives = Vec<BTreeSet<u32>>;

/// What a condition wants to be other than NULL, by what OR leaves open.
fn alternatives(e: &Expr, level: u32) -> Alternatives {
    match &e.kind {
        Kind::Or(any) => any.iter().flat_map(|e| alternatives(e, level)).collect(),
        _ => vec![not_null(e, level)],
    }
}

/// `wanted` is what the conditions behind the join want to be other than NULL.
fn make_wanted(join: Join, wanted: &mut Vec<Alternatives>, conditions: &mut Vec<Expr>, level: u32) -> Join {
    match join {
        Join::Left { left, right, mut on, right_slots, absent } => {
            let of_right = |wanted: &BTreeSet<u32>| right_slots.iter().any(|slot| wanted.contains(slot));
            if !wanted.iter().any(|alternatives| alternatives.iter().all(of_right)) {
                let left = make_wanted(*left, wanted, conditions, level);
                let right = make(*right, &mut on, level);
                return Join::Left { left: Box::new(left), right: Box::new(right), on, right_slots, absent };
            }
            wanted.extend(on.iter().map(|e| alternatives(e, level)));
            conditions.append(&mut on);
            let sides =
                [*left, *right].map(|side| (make_wanted(side, wanted, conditions, level), Vec::new()));
            flat(sides)
        }
        Join::Inner(steps) => {
            flat(steps.into_iter().map(|(join, own)| (make_wanted(join, wanted, conditions, level), own)))
        }
        join => join,
    }
}

/// One list of inner joins.
fn flat(steps: impl IntoIterator<Item = (Join, Vec<Expr>)>) -> Join {
    let mut all = Vec::new();
    for (join, own) in steps {
        match join {
            Join::Inner(inner) => {
                all.extend(inner);
                if let Some((_, last)) = all.last_mut() {
                    last.extend(own);
                }
            }
            join => all.push((join, own)),
        }
    }
    Join::Inner(all)
}

/// The block's slots of which none may be NULL where the condition is true.
pub fn not_null(e: &Expr, level: u32) -> BTreeSet<u32> {
    let of_all = |all: &[Expr]| all.iter().flat_map(|e| handed_on(e, level)).collect();
    match &e.kind {
        Kind::And(all) => all.iter().flat_map(|e| not_null(e, level)).collect(),
        Kind::Or(any) => in_each(any, &|e| not_null(e, level)),
        Kind::Between { operands, negated: false, .. } => of_all(&operands[..]),
        Kind::InRows { operand, list, negated } => {
            let members = list.iter().filter(|_| *negated).flatten().flat_map(|(_, e)| handed_on(e, level));
            members.chain(of_all(operand)).collect()
        }
        Kind::Is(IsTest::Null | IsTest::Unknown, true, operand) | Kind::Is(IsTest::False, false, operand) => {
            handed_on(operand, level)
        }
        Kind::Is(IsTest::True, false, operand) => not_null(operand, level),
        Kind::Subquery(subquery) => match &subquery.form {
            SubqueryForm::In { left, negated: false, .. } => of_all(left),
            _ => BTreeSet::new(),
        },
        _ => handed_on(e, level),
    }
}

/// The block's slots of which each makes an expression NULL where it is.
fn handed_on(e: &Expr, level: u32) -> BTreeSet<u32> {
    let of = |e: &Expr| handed_on(e, level);
    match &e.kind {
        Kind::Column(slot) if slot.level == level => BTreeSet::from([slot.index]),
        Kind::And(all) | Kind::Or(all) => in_each(all, &of),
        Kind::Not(operand) => of(operand),
        Kind::Compare(op, _, left, right) if *op != CompareOp::NullSafeEq => &of(left) | &of(right),
        // MariaDB takes a comparison of rows for NULL as soon as one of their members is, though others tell them apart.
        Kind::CompareRows(op, _, left, right) if *op != CompareOp::NullSafeEq => {
            left.iter().chain(right).flat_map(of).collect()
        }
        Kind::InRows { operand, .. } => operand.iter().flat_map(of).collect(),
        Kind::Like { operands, .. } => operands.iter().flat_map(of).collect(),
        Kind::Between { operands, .. } => of(&operands[0]),
        Kind::InList { operand, .. } => of(operand),
        Kind::Call(Call { name, args, .. }) if STRICT.contains(name) => args.iter().flat_map(of).collect(),
        _ => BTreeSet::new(),
    }
}

/// What is found in each of several expressions.
fn in_each(all: &[Expr], of: &dyn Fn(&Expr) -> BTreeSet<u32>) -> BTreeSet<u32> {
    all.iter().map(of).reduce(|held, more| &held & &more).unwrap_or_default()
}
