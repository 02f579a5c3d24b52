//! Common table expressions.
//!
//! One that is named once stands there as a derived table.
//!
//! One that gives the same rows each time is made once for all its uses but those whose conditions go inside; each use of
//! another is bound by itself, as if its query stood there as a derived table. A recursive one is parted into
//! anchors, which do not name it, and members, which do: in those its name stands for the rows of the round before. The
//! types of its columns come from the anchors alone.
//!
//! Of expressions that name each other one has to have an anchor, and is the recursion; the others are parts of its
//! members, and read its rows like any other query where they are named from outside.

use super::scope::Visible;
use super::{Binder, Scope};
use crate::error::SqlError;
use crate::expr::Expr;
use crate::plan::recursion::{RecursivePlan, Repeats};
use crate::plan::{Body, Join, OutputColumn, QueryPlan, Source, waiting};
use crate::session::variables;
use crate::syntax::ast::{self, JoinKind, QueryBody, Select, SetOperation, SetOperator, TableRef, With};
use std::sync::Arc;
use types::convert::to_bool;
use types::table::same_name;

/// Uses of shared common table expressions that are bound once more, in one statement: each may double those inside.
pub(super) const AGAIN_MAX: usize = 16;

/// A common table expression in reach.
#[derive(Clone)]
pub(super) struct CteBinding {
    name: String,
    columns: Vec<String>,
    query: Arc<ast::Query>,
    cycle: Vec<String>,
    /// How many common table expressions its own query sees: those before it, or all of its WITH RECURSIVE.
    sees: usize,
    recursive: bool,
    used: bool,
    /// How often its name stands in the query around.
    uses: usize,
    /// What all uses share.
    shared: Option<Shared>,
    /// While its recursive members are bound: its rows of the round before.
    round: Option<Round>,
}

/// What the uses of a common table expression share.
#[derive(Clone)]
struct Shared {
    /// Their plan, if each does not have its own.
    plan: Option<Arc<QueryPlan>>,
    /// The number of their rows among the statement's materialised results.
    number: usize,
}

/// The rows of a recursive table while it is made: those of its last round, and those of all rounds so far.
#[derive(Clone)]
struct Round {
    number: usize,
    whole: usize,
    columns: Vec<OutputColumn>,
}

/// The operands of a recursive definition.
struct Definition<'q> {
    anchors: Vec<&'q QueryBody>,
    members: Vec<&'q QueryBody>,
    operations: &'q [SetOperation],
}

impl Definition<'_> {
    /// Whether its rows are told apart.
    fn is_distinct(&self) -> Result<bool, SqlError> {
        let distinct = !self.operations[0].all;
        if self.operations.iter().any(|operation| operation.all == distinct) {
            let what = "mix of ALL and DISTINCT UNION operations in recursive CTE spec";
            return Err(SqlError::not_supported_yet(what));
        }
        Ok(distinct)
    }

    /// Whether all blocks of its members are such.
    fn all_blocks(&self, is_such: &dyn Fn(&Select) -> bool) -> bool {
        fn all(body: &QueryBody, is_such: &dyn Fn(&Select) -> bool) -> bool {
            match body {
                QueryBody::Select(select) => is_such(select),
                QueryBody::Values(_) => true,
                QueryBody::SetOps { .. } => body.operands().into_iter().all(|body| all(body, is_such)),
                QueryBody::Nested(query) => all(&query.body, is_such),
            }
        }
        self.members.iter().all(|body| all(body, is_such))
    }

    fn check_operators(&self) -> Result<(), SqlError> {
        match self.operations.iter().all(|operation| operation.op == SetOperator::Union) {
            true => Ok(()),
            false => Err(SqlError::not_supported_yet("INTERSECT/EXCEPT in recursive CTE spec")),
        }
    }
}

impl CteBinding {
    /// The places of the columns of its CYCLE clause among those of its query, which are as many as its list has.
    fn cycle_in(&self, columns: &[OutputColumn]) -> Result<Vec<usize>, SqlError> {
        if !self.columns.is_empty() && self.columns.len() != columns.len() {
            return Err(SqlError::with_column_wrong_list());
        }
        for (at, name) in self.cycle.iter().enumerate() {
            if self.cycle[..at].iter().any(|before| same_name(before, name)) {
                return Err(SqlError::dup_fieldname(name));
            }
        }
        let position = |name: &String| {
            let is_it = |at: usize| same_name(self.columns.get(at).unwrap_or(&columns[at].name), name);
            let found = (0..columns.len()).find(|at| is_it(*at));
            found.ok_or_else(|| SqlError::bad_field(name, "CYCLE clause"))
        };
        self.cycle.iter().map(position).collect()
    }
}

/// How often a table of this name stands in a query.
fn uses(query: &ast::Query, name: &str) -> usize {
    let mut count = 0;
    query.tables(true, &mut |table| {
        count += usize::from(table.database.is_none() && same_name(&table.name, name));
    });
    count
}

impl Binder<'_> {
    /// Brings the common table expressions of a WITH into reach.
    /// `query` is the one that it belongs to.
    pub(super) fn enter_with(&mut self, with: &With, query: &ast::Query) -> Result<(), SqlError> {
        let first = self.ctes.len();
        for cte in &with.ctes {
            if self.ctes[first..].iter().any(|known| same_name(&known.name, &cte.name)) {
                return Err(SqlError::dup_query_name(&cte.name));
            }
            self.ctes.push(CteBinding {
                name: cte.name.clone(),
                columns: cte.columns.clone(),
                query: Arc::new((*cte.query).clone()),
                cycle: cte.cycle.clone(),
                sees: if with.recursive { first + with.ctes.len() } else { self.ctes.len() },
                recursive: with.recursive,
                used: false,
                uses: uses(query, &cte.name),
                shared: None,
                round: None,
            });
        }
        Ok(())
    }

    /// Takes those behind the first `outer` out of reach again. What nobody named is bound once, for its errors; views only
    /// have its tables opened.
    pub(super) fn leave_with(&mut self, outer: usize) -> Result<(), SqlError> {
        for position in outer..self.ctes.len() {
            let CteBinding { used, uses, .. } = self.ctes[position];
            if !used && self.leaves_unread(uses > 0) {
                let query = self.ctes[position].query.clone();
                self.open_unread(&query)?;
            } else if !used {
                let plan = self.cte_plan(position)?;
                super::from::unique_names(&plan.columns, &self.ctes[position].columns)?;
            }
        }
        self.ctes.truncate(outer);
        Ok(())
    }

    /// The common table expression that a name without database means.
    pub(super) fn cte_named(&self, name: &ast::TableName) -> Option<usize> {
        match name.database {
            None => self.ctes.iter().rposition(|cte| same_name(&cte.name, &name.name)),
            Some(_) => None,
        }
    }

    /// Where the rows of a use of a common table expression come from, its columns, and names given to them. While it is
    /// made, a subquery of one of its members sees all its rows so far; elsewhere a member sees those of the last round.
    pub(super) fn cte(
        &mut self,
        position: usize,
        in_subquery: bool,
    ) -> Result<(Source, Vec<OutputColumn>, Vec<String>), SqlError> {
        self.ctes[position].used = true;
        let columns = self.ctes[position].columns.clone();
        if let Some(round) = self.ctes[position].round.clone() {
            let number = if in_subquery { round.whole } else { round.number };
            return Ok((Source::Round(number), round.columns, columns));
        }
        let (plan, number) = match self.ctes[position].shared.clone() {
            Some(Shared { plan: Some(plan), number }) => (plan, number),
            // It has a plan of its own, which its conditions may go into; as long as none does, its rows are those of the
            // other uses.
            Some(Shared { plan: None, number }) => {
                self.bound_again += 1;
                let told = self.state.diagnostics.told();
                let mut plan = Arc::new(self.cte_plan(position)?);
                self.state.diagnostics.forget_since(told);
                self.share(position, &mut plan, number)?;
                (plan, number)
            }
            None => {
                let (mut plan, number) = (Arc::new(self.cte_plan(position)?), self.next_number());
                // What a recursion under way reads is another in each round.
                let shares = self.ctes[position].uses > 1;
                if shares && self.ctes.iter().all(|cte| cte.round.is_none()) && plan.is_fixed() {
                    self.share(position, &mut plan, number)?;
                }
                (plan, number)
            }
        };
        let output = plan.columns.clone();
        Ok((Source::Derived { plan, number }, output, columns))
    }

    /// Has other uses of a common table expression share a use's rows, and its plan where that is not bound once more.
    fn share(&mut self, position: usize, plan: &mut Arc<QueryPlan>, number: usize) -> Result<(), SqlError> {
        let keeps = matches!(plan.body, Body::Recursive(_)) || self.bound_again >= AGAIN_MAX;
        if keeps {
            // No conditions of one use go into what others have.
            waiting::plan_query(plan, self)?;
        }
        self.ctes[position].shared = Some(Shared { plan: keeps.then(|| plan.clone()), number });
        Ok(())
    }

    /// Whether MariaDB makes a common table expression a part of the block that names it.
    pub(super) fn cte_merges(&self, position: usize) -> bool {
        let query = &self.ctes[position].query;
        matches!(&query.body, QueryBody::Select(select) if super::view::is_mergeable(query, select))
    }

    /// Whether a common table expression may stand where it is named: nothing else has its rows.
    pub(super) fn is_cte_of_one_use(&self, position: usize) -> bool {
        let cte = &self.ctes[position];
        let alone = cte.uses == 1 && !cte.recursive && cte.columns.is_empty();
        alone
            && self.ctes.iter().all(|cte| cte.round.is_none())
            && self.trace.is_none()
            && self.cte_merges(position)
    }

    /// Binds a common table expression as a derived table.
    pub(super) fn cte_in_place(
        &mut self,
        position: usize,
        alias: &str,
        scope: &mut Scope<'_>,
        conditions: &mut Vec<Expr>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        let cte = &mut self.ctes[position];
        cte.used = true;
        let (query, sees) = (cte.query.clone(), cte.sees);
        let hidden = self.ctes.split_off(sees);
        let bound = self.derived_table(&query, alias, &[], scope, conditions);
        self.ctes.extend(hidden);
        bound
    }

    fn cte_plan(&mut self, position: usize) -> Result<QueryPlan, SqlError> {
        let cte = self.ctes[position].clone();
        self.check_mutual(&cte)?;
        let hidden = self.ctes.split_off(cte.sees);
        let starts = cte.recursive && self.names(&cte.query.body, position);
        let starts = if starts { self.is_anchored(position) } else { Ok(false) };
        let plan = starts.and_then(|starts| match starts {
            true => self.recursive_plan(position, &cte),
            false => self.derived_plan(&cte.query),
        });
        self.ctes.extend(hidden);
        let plan = plan?;
        cte.cycle_in(&plan.columns)?;
        Ok(plan)
    }

    /// What has rows of its own beside those of a recursion under way is a recursion with it.
    fn check_mutual(&self, cte: &CteBinding) -> Result<(), SqlError> {
        let operands = cte.query.body.operands();
        let mut operands = operands.into_iter();
        let under_way = |body: &QueryBody| {
            let mut found = false;
            body.tables(true, &mut |table| {
                found |= self.cte_named(table).is_some_and(|other| self.ctes[other].round.is_some());
            });
            found
        };
        let some = operands.clone().any(under_way);
        match some && !operands.all(under_way) {
            true => Err(SqlError::not_supported_yet("mutually recursive common table expressions")),
            false => Ok(()),
        }
    }

    /// Whether a common table expression that names itself, maybe by way of others, has an anchor; another among those has
    /// it else. None of them may come back to itself past one that has an anchor.
    fn is_anchored(&self, position: usize) -> Result<bool, SqlError> {
        let body = |of: usize| &self.ctes[of].query.body;
        let together = |other: &usize| {
            self.ctes[*other].round.is_none()
                && self.names(body(position), *other)
                && self.names(body(*other), position)
        };
        let members: Vec<usize> = (0..self.ctes.len()).filter(together).collect();
        let anchored = |of: usize| body(of).operands().iter().any(|operand| !self.names(operand, of));
        for &start in members.iter().filter(|&&start| anchored(start)) {
            let comes_back =
                |other: &&usize| **other != start && self.names_without(body(**other), **other, start);
            if members.iter().any(|other| comes_back(&other)) {
                return Err(SqlError::unacceptable_mutual_recursion(&self.ctes[start].name));
            }
        }
        match members.iter().any(|&member| anchored(member)) {
            true => Ok(anchored(position)),
            false => Err(SqlError::recursive_without_anchors(&self.ctes[members[0]].name)),
        }
    }

    fn recursive_plan(&mut self, position: usize, cte: &CteBinding) -> Result<QueryPlan, SqlError> {
        let query = &cte.query;
        let definition = self.definition(position, cte)?;
        if !query.order_by.is_empty() || query.limit.is_some() {
            return Err(SqlError::not_supported_yet("global ORDER_BY/LIMIT in recursive CTE spec"));
        }
        self.enter_block()?;
        let outer = self.ctes.len();
        if let Some(with) = &query.with {
            self.enter_with(with, query)?;
        }
        let mut anchors = Vec::with_capacity(definition.anchors.len());
        for body in &definition.anchors {
            anchors.push(self.operand(body, None, 0)?.0);
        }
        let columns = self.recursive_columns(&anchors, cte)?;
        let strict = to_bool(&variables::read(self.state, None, "standard_compliant_cte")?) != Some(false);
        if strict && !definition.all_blocks(&|select| self.is_named_in_from(select, position)) {
            return Err(SqlError::not_standard_recursive(&cte.name));
        }
        let cycle = cte.cycle_in(&columns)?;
        let distinct = definition.is_distinct()?;
        let number = self.next_number();
        let whole = self.next_number();
        self.ctes[position].round = Some(Round { number, whole, columns: columns.clone() });
        let members = definition.members.iter().map(|body| self.member(body, columns.len()));
        let members = members.collect::<Result<Vec<_>, _>>()?;
        self.ctes[position].round = None;
        if strict && !definition.all_blocks(&|select| self.is_standard(select, position)) {
            return Err(SqlError::not_standard_recursive(&cte.name));
        }
        definition.check_operators()?;
        self.leave_with(outer)?;
        self.leave_block();
        let repeats = match cycle[..] {
            [] if distinct => Repeats::Dropped((0..columns.len()).collect()),
            [] => Repeats::Kept,
            _ => Repeats::Dropped(cycle),
        };
        let plan = RecursivePlan::new(anchors, members, repeats, (number, whole));
        Ok(QueryPlan { body: Body::Recursive(Box::new(plan)), columns })
    }

    fn definition<'q>(&self, position: usize, cte: &'q CteBinding) -> Result<Definition<'q>, SqlError> {
        let QueryBody::SetOps { rest, .. } = &cte.query.body else {
            return Err(SqlError::recursive_without_anchors(&cte.name));
        };
        let operands = cte.query.body.operands().into_iter();
        let (members, anchors): (Vec<_>, Vec<_>) = operands.partition(|body| self.names(body, position));
        Ok(Definition { anchors, members, operations: rest })
    }

    /// Types of the anchors together; any of them may be NULL in a later round.
    fn recursive_columns(
        &mut self,
        anchors: &[QueryPlan],
        cte: &CteBinding,
    ) -> Result<Vec<OutputColumn>, SqlError> {
        let mut columns = anchors[0].columns.clone();
        for (i, column) in columns.iter_mut().enumerate() {
            let mut types = vec![&anchors[0].columns[i].ty];
            for anchor in anchors {
                let other =
                    anchor.columns.get(i).filter(|_| anchor.columns.len() == anchors[0].columns.len());
                types.push(&other.ok_or_else(SqlError::wrong_number_of_columns_in_select)?.ty);
            }
            column.ty = match (anchors, &types[0].labels) {
                // The labels of a lone anchor are those of all rows.
                ([_], Some(_)) => types[0].clone(),
                _ => crate::expr::build::union_type(&types, "UNION", self.state)?,
            };
            column.ty.nullable = true;
            column.origin = None;
            if let Some(name) = cte.columns.get(i) {
                column.name.clone_from(name);
            }
        }
        Ok(columns)
    }

    fn member(&mut self, body: &QueryBody, columns: usize) -> Result<QueryPlan, SqlError> {
        let plan = self.operand(body, None, 0)?.0;
        match plan.columns.len() == columns {
            true => Ok(plan),
            false => Err(SqlError::wrong_number_of_columns_in_select()),
        }
    }

    /// Whether a query names a common table expression, itself or by way of others of the same WITH.
    fn names(&self, body: &QueryBody, position: usize) -> bool {
        // What is under way already stands for its rows, not for its definition.
        let mut seen: Vec<bool> = self.ctes.iter().map(|cte| cte.round.is_some()).collect();
        self.names_past(body, position, &mut seen)
    }

    /// The same, by ways that do not lead over `past`.
    fn names_without(&self, body: &QueryBody, position: usize, past: usize) -> bool {
        let under_way = |(number, cte): (usize, &CteBinding)| cte.round.is_some() || number == past;
        let mut seen: Vec<bool> = self.ctes.iter().enumerate().map(under_way).collect();
        self.names_past(body, position, &mut seen)
    }

    fn names_past(&self, body: &QueryBody, position: usize, seen: &mut [bool]) -> bool {
        let mut named = Vec::new();
        body.tables(true, &mut |table| named.extend(self.cte_named(table)));
        named.into_iter().any(|other| {
            other == position
                || !std::mem::replace(&mut seen[other], true)
                    && self.names_past(&self.ctes[other].query.body, position, seen)
        })
    }

    /// How often a block names a common table expression: in FROM, or in its subqueries as well.
    fn times_named(&self, select: &Select, position: usize, subqueries: bool) -> usize {
        let mut count = 0;
        select.tables(subqueries, &mut |table| {
            count += usize::from(self.cte_named(table) == Some(position));
        });
        count
    }

    /// Whether a block of a recursive member names the table in FROM alone.
    fn is_named_in_from(&self, select: &Select, position: usize) -> bool {
        self.times_named(select, position, false) == self.times_named(select, position, true)
    }

    /// Whether a block of a recursive member does else what the standard allows: it names the table once, not on the inner
    /// side of an outer join, and neither groups nor numbers its rows.
    fn is_standard(&self, select: &Select, position: usize) -> bool {
        let named = self.times_named(select, position, false);
        let mut groups = false;
        select.expressions(&mut |e| groups |= e.has_group_function());
        let inner = select.from.iter().any(|table| self.stands_inner(table, position, false));
        named <= 1 && (named == 0 || !groups) && !inner
    }

    fn stands_inner(&self, table: &TableRef, position: usize, inner: bool) -> bool {
        match table {
            TableRef::Table(factor) => inner && self.cte_named(&factor.name) == Some(position),
            TableRef::Derived { query, .. } => inner && self.names(&query.body, position),
            TableRef::JsonTable(_) => false,
            TableRef::Join(join) => {
                self.stands_inner(&join.left, position, inner || join.kind == JoinKind::Right)
                    || self.stands_inner(&join.right, position, inner || join.kind == JoinKind::Left)
            }
        }
    }
}
