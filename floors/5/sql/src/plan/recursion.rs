//! Recursive common table expressions in a plan: the rows of the anchors, then round after round what the members make of
//! the rows of the round before, until one brings none.

use super::{Body, Join, QueryPlan, Source};
use crate::expr::{Expr, Kind};
use std::collections::{BTreeSet, HashMap};

/// A recursive common table expression.
#[derive(Debug)]
pub struct RecursivePlan {
    /// Queries of the first round.
    pub anchors: Vec<QueryPlan>,
    /// Queries of all later rounds.
    pub members: Vec<QueryPlan>,
    /// What becomes of rows that were there before.
    pub repeats: Repeats,
    /// Number of the last round's rows among the statement's materialised results.
    pub number: usize,
    /// The same of all rows so far, where a member reads them.
    pub whole: Option<usize>,
    /// Numbers of results that are made of rounds, and so are good for one round only.
    pub holding: Vec<usize>,
}

/// What becomes of repeated rows of a recursion.
#[derive(Debug)]
pub enum Repeats {
    /// UNION ALL: nothing.
    Kept,
    /// They are left out; rows are the same that agree in these columns.
    Dropped(Vec<usize>),
}

impl RecursivePlan {
    /// The recursion of bound queries; under which numbers they know the last round's rows, and all so far.
    pub fn new(
        anchors: Vec<QueryPlan>,
        members: Vec<QueryPlan>,
        repeats: Repeats,
        (number, whole): (usize, usize),
    ) -> Self {
        let mut reads = Reads::default();
        let rounds: BTreeSet<usize> = members.iter().flat_map(|member| reads.of_query(member)).collect();
        let whole = rounds.contains(&whole).then_some(whole);
        Self { anchors, members, repeats, number, whole, holding: reads.holding }
    }

    /// Something expected of the queries, summed over the rounds.
    pub fn sum_of(&self, expected: fn(&QueryPlan) -> f64) -> f64 {
        let sum = |queries: &[QueryPlan]| queries.iter().map(expected).sum::<f64>();
        sum(&self.anchors) + EXPECTED_ROUNDS * sum(&self.members)
    }
}

/// Rounds that a recursion is taken to have.
const EXPECTED_ROUNDS: f64 = 10.0;

/// Which rounds parts of a plan read, by the rounds' numbers.
#[derive(Default)]
struct Reads {
    /// Numbers of kept results that read a round.
    holding: Vec<usize>,
    /// Rounds read by subqueries looked through already, by the subqueries' numbers.
    known: HashMap<usize, BTreeSet<usize>>,
}

impl Reads {
    fn of_query(&mut self, plan: &QueryPlan) -> BTreeSet<usize> {
        let mut rounds = self.of_subqueries(|f| plan.visit_all(f));
        match &plan.body {
            Body::Select(select) => select.from.iter().for_each(|join| rounds.extend(self.of_join(join))),
            Body::Values { .. } => {}
            Body::SetOps { first, rest, .. } => {
                rounds.extend(self.of_query(first));
                rest.iter().for_each(|(.., operand)| rounds.extend(self.of_query(operand)));
            }
            Body::Recursive(recursion) => {
                let queries = recursion.anchors.iter().chain(&recursion.members);
                queries.for_each(|query| rounds.extend(self.of_query(query)));
                rounds.remove(&recursion.number);
                rounds.retain(|number| Some(*number) != recursion.whole);
            }
        }
        rounds
    }

    /// Rounds that the subqueries among visited expressions read.
    fn of_subqueries(&mut self, visit: impl FnOnce(&mut dyn FnMut(&Expr))) -> BTreeSet<usize> {
        let mut subqueries = Vec::new();
        visit(&mut |e| {
            if let Kind::Subquery(subquery) = &e.kind {
                subqueries.push(subquery.clone());
            }
        });
        let mut rounds = BTreeSet::new();
        for subquery in subqueries {
            if !self.known.contains_key(&subquery.number) {
                let inner = self.of_query(&subquery.plan);
                self.hold(subquery.number, &inner);
                self.known.insert(subquery.number, inner);
            }
            rounds.extend(&self.known[&subquery.number]);
        }
        rounds
    }

    fn of_join(&mut self, join: &Join) -> BTreeSet<usize> {
        match join {
            Join::Table(table) => match &table.source {
                Source::Round(number) => BTreeSet::from([*number]),
                Source::Derived { plan, number, .. } | Source::Distinct { plan, number, .. } => {
                    let inner = self.of_query(plan);
                    self.hold(*number, &inner);
                    inner
                }
                Source::Lateral(lateral) => self.of_query(&lateral.plan),
                Source::Base(_) | Source::Virtual(_) | Source::Json(_) | Source::Sequence(_) => {
                    BTreeSet::new()
                }
            },
            Join::Inner(steps) => steps.iter().flat_map(|(join, _)| self.of_join(join)).collect(),
            Join::Left { left, right, .. } => {
                let mut rounds = self.of_join(left);
                rounds.extend(self.of_join(right));
                rounds
            }
            Join::Hash(hash) => {
                // Rows kept depend on what their conditions read, too.
                let mut inner = self.of_join(&hash.build);
                inner.extend(self.of_subqueries(|f| hash.build.visit_all(f)));
                self.hold(hash.number, &inner);
                inner
            }
        }
    }

    fn hold(&mut self, number: usize, rounds: &BTreeSet<usize>) {
        if !rounds.is_empty() {
            self.holding.push(number);
        }
    }
}
