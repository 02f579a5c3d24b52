//! Subqueries inside expressions.
//!
//! An uncorrelated one runs once a statement and its result is kept. A correlated one runs for the rows around it, but
//! not again for values that it has seen, as long as that pays.

use super::memory::{ENTRY, Operator, value_bytes};
use super::rows::Rows;
use super::{Cx, Flow, Materialized, Sink, query};
use crate::error::SqlError;
use crate::expr::build::silently;
use crate::expr::{
    Class, CompareOp, Comparison, Expr, Kind, Named, Type, TypeKind, compare, compare_values, holds, store,
};
use crate::plan::hash::is_exact;
use crate::plan::{Body, QueryPlan, SelectPlan, SubqueryExpr, SubqueryForm};
use crate::session::{Level, State};
use hashbrown::HashMap;
use members::{COLUMNS_MAX, Ends, Members};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::rc::Rc;
use types::Value;

pub mod members;
pub mod probe;

/// Results of a correlated subquery by what it read of the rows around it.
#[derive(Default)]
pub struct Results {
    by_key: HashMap<Box<[u8]>, Value>,
    /// Bytes held.
    held: usize,
    asked: u64,
    found: u64,
}

/// Results kept of one subquery at most.
const RESULTS_MAX: usize = 1 << 16;
/// After so many questions, results that were asked for again less often than one in this many are not kept.
const TRIAL: u64 = 1 << 9;
const WORTHWHILE: u64 = 16;

impl Results {
    /// Whether keeping results has paid.
    fn pays(&self) -> bool {
        self.asked < TRIAL || self.found >= self.asked / WORTHWHILE
    }
}

/// Appends a value so that only values that no expression can tell apart give the same bytes.
pub fn exact_key(value: &Value, key: &mut Vec<u8>) {
    match value {
        Value::Int(n) => {
            key.push(3);
            key.extend_from_slice(&n.to_le_bytes());
        }
        Value::Str(s) => {
            key.push(2);
            key.extend_from_slice(&(s.bytes.len() as u64).to_le_bytes());
            key.extend_from_slice(&s.bytes);
        }
        Value::Decimal(d) => {
            key.push(d.scale());
            types::convert::sort_key(value, key);
        }
        other => types::convert::sort_key(other, key),
    }
}

impl SubqueryExpr {
    /// The subquery's value for the rows around it: a correlated one's is kept by the values that it reads of them.
    pub fn eval(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        if let Some(Some(Materialized::Value(value))) = cx.materialized.get(self.number) {
            return Ok(value.clone());
        }
        if let Some(value) = self.foreknown.get()
            && !cx.state.locks_reads()
        {
            return Ok(value.clone());
        }
        if self.asks_rowless(cx) {
            return Ok(self.of_no_row());
        }
        let Some(reads) = &self.reads else {
            return cx.in_subquery(self.plan.level(), |cx| self.eval_now(cx));
        };
        let mut results = match cx.materialized.get_mut(self.number).and_then(Option::take) {
            Some(Materialized::Results(results)) => results,
            _ => Box::default(),
        };
        let mut key = None;
        if results.pays() {
            let mut bytes = cx.take_key();
            bytes.clear();
            reads.iter().for_each(|slot| exact_key(cx.slot(*slot), &mut bytes));
            results.asked += 1;
            if let Some(known) = results.by_key.get(&bytes[..]) {
                let known = known.clone();
                results.found += 1;
                cx.give_key(bytes);
                cx.keep(self.number, Materialized::Results(results));
                return Ok(known);
            }
            key = Some(bytes);
        } else {
            results.by_key = HashMap::new();
            cx.release(std::mem::take(&mut results.held));
        }
        // A subquery does not run inside itself: nothing else asks for its results meanwhile.
        let value = cx.in_subquery(self.plan.level(), |cx| self.eval_now(cx));
        if let (Some(key), Ok(value)) = (&key, &value)
            && results.by_key.len() < RESULTS_MAX
            && results.held < cx.work_memory(Operator::Rows)
        {
            let bytes = key.len() + value_bytes(value) + ENTRY;
            cx.charge(bytes)?;
            results.held += bytes;
            results.by_key.insert(key[..].into(), value.clone());
        }
        key.into_iter().for_each(|key| cx.give_key(key));
        cx.keep(self.number, Materialized::Results(results));
        value
    }

    /// Has its value known before the statement runs; false where it is none of a constant, or fails, which is told when the
    /// statement runs. The plan that is being made is good for this value alone.
    pub fn foreknow(&self, state: &mut State) -> bool {
        if self.foreknown.get().is_some() {
            return true;
        }
        // Random numbers and variables are another time's as well.
        if self.correlated || self.plan.outer_slots(0).is_none() {
            return false;
        }
        state.statement.foreknows = true;
        let mut open = false;
        self.plan.visit_all(&mut |e| open |= matches!(e.kind, Kind::Param(_)));
        if open {
            return false;
        }
        let row = state.statement.row;
        let value = {
            let mut cx = Cx::new(state, &[]);
            cx.in_subquery(self.plan.level(), |cx| self.eval_now(cx))
        };
        state.statement.row = row;
        value.is_ok_and(|value| self.foreknown.set(value).is_ok())
    }

    /// Whether it would read a row of a block around it that has none, and knew so before it looked for any.
    fn asks_rowless(&self, cx: &Cx<'_>) -> bool {
        // Blocks in between that have no tables are the expressions that they are made of.
        let below = |level: u32| {
            let mut reads = level + 1 == self.plan.level();
            if level + 1 < self.plan.level() {
                self.plan.visit_all(&mut |e| {
                    reads |= matches!(e.kind, Kind::Column(slot) if slot.level == level);
                });
            }
            reads
        };
        let Some(around) = cx.rowless.as_ref().filter(|around| below(around.level)) else {
            return false;
        };
        // One without tables is the expression that it is made of.
        if matches!(&self.plan.body, Body::Select(select) if select.from.is_none()) {
            return false;
        }
        if !around.foreknown {
            let mut aggregated = false;
            self.plan.visit_all(&mut |e| {
                aggregated |= matches!(e.kind, Kind::Column(slot)
                    if slot.level == around.level && around.aggregates.contains(&slot.index));
            });
            return aggregated && self.plan.outer_slots(0).is_none();
        }
        let left = match &self.form {
            SubqueryForm::In { left, .. } => &left[..],
            _ => &[],
        };
        self.correlated || !left.iter().all(Expr::is_fixed) || self.is_drawn()
    }

    /// Whether it may give something else each time that it runs, as MariaDB takes it: geometries that are read from text
    /// or bytes are among that.
    fn is_drawn(&self) -> bool {
        let draws = |e: &Expr| match &e.kind {
            Kind::AssignUserVar(..) | Kind::SysVar(..) => true,
            Kind::Call(call) if call.name.ends_with("fromtext") || call.name.ends_with("fromwkb") => true,
            Kind::Call(call) => {
                let kept = ["found_rows", "row_count", "sysdate"].contains(&call.name);
                !(call.is_stable() || kept) || call.name == "last_insert_id"
            }
            _ => false,
        };
        let mut drawn = false;
        self.plan.visit_all(&mut |e| {
            drawn |= draws(e);
            if let (Kind::Const(_), Named::Computed(of)) = (&e.kind, &e.ty.origin) {
                of.visit(&mut |e| drawn |= draws(e));
            }
        });
        drawn
    }

    /// What it is without a row to read.
    fn of_no_row(&self) -> Value {
        match &self.form {
            SubqueryForm::Scalar | SubqueryForm::Column(_) | SubqueryForm::RowCompare { .. } => Value::Null,
            SubqueryForm::Exists => Value::from(false),
            SubqueryForm::In { negated, .. } => Value::from(*negated),
            SubqueryForm::Quantified { all, .. } => Value::from(*all),
        }
    }

    fn eval_now(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match &self.form {
            SubqueryForm::Scalar => self.one_value(0, cx),
            SubqueryForm::Column(column) => self.one_value(*column, cx),
            SubqueryForm::Exists if self.correlated => Ok(Value::from(probe::has_row(&self.plan, cx)?)),
            SubqueryForm::Exists => Ok(Value::from(!self.rows(cx, 1)?.is_empty())),
            SubqueryForm::In { left, how, negated } => {
                let mut found = self.contains(left, how, cx)?;
                if self.probe.as_ref().is_some_and(|probe| probe.truth_only) {
                    found = found.or(Some(false));
                }
                Ok(truth_value(found.map(|found| found != *negated)))
            }
            SubqueryForm::Quantified { left, how, op, all, open, .. } => {
                self.quantified(left, *how, (*op, *all), *open, cx)
            }
            SubqueryForm::RowCompare { left, how, op } => self.row_compare(left, how, *op, cx),
        }
    }

    /// A value of the one row of the result.
    fn one_value(&self, column: usize, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let row = self.one_row(cx)?;
        let mut value = row.map_or(Value::Null, |mut row| row.swap_remove(column));
        match (&value, &self.form) {
            // Bits come out as their number.
            (Value::Bit(_), SubqueryForm::Scalar) => {
                value = Value::UInt(types::convert::to_integer(&value).value as u64);
            }
            // Labels come out as text.
            (Value::Enum(_) | Value::Set(_), SubqueryForm::Scalar) => {
                let of =
                    Type { kind: TypeKind::VarChar, labels: None, ..self.plan.columns[column].ty.clone() };
                value = store::to_type(value, &of, cx.state);
            }
            _ => {}
        }
        if !self.runs_again() && matches!(self.form, SubqueryForm::Scalar) {
            cx.keep(self.number, Materialized::Value(value.clone()));
        }
        Ok(value)
    }

    /// The one row of the result, if there is one.
    fn one_row(&self, cx: &mut Cx<'_>) -> Result<Option<Vec<Value>>, SqlError> {
        let rows = self.rows(cx, 2)?;
        let mut rows = rows.walk();
        let row = rows.next_row()?.map(<[Value]>::to_vec);
        match rows.next_row()? {
            None => Ok(row),
            Some(_) if cx.state.statement.ignore => {
                let error = SqlError::subquery_no_1_row();
                cx.state.warn(Level::Warning, error.errno, error.message);
                Ok(None)
            }
            Some(_) => Err(SqlError::subquery_no_1_row()),
        }
    }

    /// The rows of the result, `most` of them at most (all of them where they are kept).
    fn rows(&self, cx: &mut Cx<'_>, most: usize) -> Result<Rc<Rows>, SqlError> {
        if !self.runs_again()
            && let Some(Some(Materialized::Rows(rows))) = cx.materialized.get(self.number)
        {
            return Ok(rows.clone());
        }
        let mut rows = Rows::default();
        query::run(&self.plan, cx, &mut |cx, row| {
            rows.push(row.iter().cloned(), cx)?;
            Ok(if rows.len() >= most { Flow::Stop } else { Flow::Continue })
        })?;
        let mut rows = rows.finish()?;
        if self.runs_again() {
            rows.release(cx);
            return Ok(Rc::new(rows));
        }
        let rows = Rc::new(rows);
        cx.keep(self.number, Materialized::Rows(rows.clone()));
        Ok(rows)
    }

    /// Whether `left` is among the rows; `None` for unknown.
    fn contains(&self, left: &[Expr], how: &[Comparison], cx: &mut Cx<'_>) -> Result<Option<bool>, SqlError> {
        let keyed = !self.correlated && self.has_keys(left, how);
        let dated = !self.correlated && self.probe.is_none() && how.iter().any(|how| how.is_dated());
        // Nothing is read as a date to be looked for among no rows.
        let empty = match (dated, keyed) {
            (false, _) => false,
            (true, false) => self.rows(cx, usize::MAX)?.is_empty(),
            (true, true) => {
                let mut members = self.members(left, cx)?;
                let empty = members.is_empty(how, &self.plan, cx);
                cx.keep(self.number, Materialized::Members(members));
                empty?
            }
        };
        if empty {
            return Ok(Some(false));
        }
        let left: SmallVec<[Value; 1]> =
            left.iter().zip(how).map(|(e, how)| self.looked_for(e, *how, cx)).collect::<Result<_, _>>()?;
        if keyed {
            if let Some(known) = self.ask_index(&left, cx)? {
                return Ok(known.or_else(|| self.closes(&left, how)));
            }
            let mut members = self.members(&left, cx)?;
            let found = members.contains(&left, how, &self.plan, cx);
            cx.keep(self.number, Materialized::Members(members));
            return found.map(|found| found.or_else(|| self.closes(&left, how)));
        }
        let mut unknown = false;
        let mut found = false;
        let mut said = SaidOnce::of(how);
        self.each_row(cx, &mut |cx, row| {
            if said.has(row) {
                return Ok(Flow::Continue);
            }
            match equal_rows(&left, &self.plan.compared(row, how, cx), how, cx) {
                Some(true) => found = true,
                Some(false) => {}
                None => unknown |= leaves_open(&left, row, how, cx),
            }
            Ok(if found { Flow::Stop } else { Flow::Continue })
        })?;
        Ok(if found {
            Some(true)
        } else if unknown {
            self.closes(&left, how)
        } else {
            Some(false)
        })
    }

    /// The keys of the rows that as many values are looked for among.
    fn members<T>(&self, left: &[T], cx: &mut Cx<'_>) -> Result<Box<Members>, SqlError> {
        Ok(match cx.materialized.get_mut(self.number).and_then(Option::take) {
            Some(Materialized::Members(members)) => members,
            _ => Members::new(if left.len() > 1 { Some(self.rows(cx, usize::MAX)?) } else { None }),
        })
    }

    /// What is found among rows where a NULL leaves it open: nothing, if it is not noticed.
    fn closes(&self, left: &[Value], how: &[Comparison]) -> Option<bool> {
        let noticed = matches!(self.form, SubqueryForm::Quantified { extreme: true, .. });
        let known = !noticed && !left.iter().any(Value::is_null);
        (known && self.plan.body.passes_over_nulls(how)).then_some(false)
    }

    /// Whether keys tell which rows equal `left`.
    fn has_keys(&self, left: &[Expr], how: &[Comparison]) -> bool {
        match (left, how) {
            ([_], [how]) => store::comparison_type(*how).is_some(),
            _ => left.len() <= COLUMNS_MAX && self.is_exact(left, how),
        }
    }

    /// Whether values are compared as they are.
    fn is_exact(&self, left: &[Expr], how: &[Comparison]) -> bool {
        let columns = self.plan.columns.iter();
        left.iter().zip(columns).zip(how).all(|((left, column), how)| is_exact(*how, &left.ty, &column.ty))
    }

    /// Gives the rows of the result; those of an uncorrelated one are kept.
    fn each_row(&self, cx: &mut Cx<'_>, each: Sink<'_>) -> Result<(), SqlError> {
        if self.correlated {
            return query::run(&self.plan, cx, each).map(drop);
        }
        let rows = self.rows(cx, usize::MAX)?;
        let mut rows = rows.walk();
        while let Some(row) = rows.next_row()? {
            cx.check_interrupt()?;
            if each(cx, row)? == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    fn quantified(
        &self,
        left: &Expr,
        how: Comparison,
        (op, all): (CompareOp, bool),
        open: bool,
        cx: &mut Cx<'_>,
    ) -> Result<Value, SqlError> {
        let exact = !self.correlated && self.is_exact(std::slice::from_ref(left), &[how]);
        match (op, all) {
            // IN, and NOT IN.
            (CompareOp::Eq, false) | (CompareOp::Ne, true) if exact => {
                let found = self.contains(std::slice::from_ref(left), &[how], cx)?;
                return Ok(truth_value(found.map(|found| found != all)));
            }
            _ => {}
        }
        if !self.correlated && how.is_dated() && self.rows(cx, usize::MAX)?.is_empty() {
            return Ok(Value::from(all));
        }
        let left = self.looked_for(left, how, cx)?;
        if exact {
            let ends = match cx.materialized.get(self.number) {
                Some(Some(Materialized::Ends(ends))) => ends.clone(),
                _ => {
                    let ends = Ends::of(&self.plan, how, cx)?;
                    cx.keep(self.number, Materialized::Ends(ends.clone()));
                    ends
                }
            };
            let holds = ends.compare(&left, how, op, all, cx);
            let closed = || self.closes(std::slice::from_ref(&left), &[how]).map(|_| all);
            return Ok(truth_value(holds.or_else(closed)));
        }
        let mut decided = false;
        let mut unknown = false;
        let mut said = SaidOnce::of(&[how]);
        self.each_row(cx, &mut |cx, row| {
            if said.has(row) {
                return Ok(Flow::Continue);
            }
            let compared = self.plan.compared(row, &[how], cx);
            match compare_values(&left, &compared[0], how, cx.state).map(|ordering| holds(op, ordering)) {
                Some(holds) => decided = holds != all,
                None => unknown |= open || leaves_open(std::slice::from_ref(&left), row, &[how], cx),
            }
            Ok(if decided { Flow::Stop } else { Flow::Continue })
        })?;
        Ok(match decided {
            true => Value::from(!all),
            false if unknown => truth_value(self.closes(std::slice::from_ref(&left), &[how]).map(|_| all)),
            false => Value::from(all),
        })
    }

    /// What is looked for among rows; a date or time is read as for any comparison, but that columns are told of by
    /// their name only where the rows might as well be joined.
    fn looked_for(&self, e: &Expr, how: Comparison, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        let is_joined = matches!(self.form, SubqueryForm::In { negated: false, .. });
        match how {
            Comparison::DateTime | Comparison::Time => match e.kind {
                Kind::Column(_) if !is_joined && e.ty.class() != Class::Temporal => {
                    let value = e.eval(cx)?;
                    Ok(compare::as_compared(&value, how, cx.state))
                }
                _ => compare::side_once(e, how, cx),
            },
            _ => e.eval(cx),
        }
    }

    fn row_compare(
        &self,
        left: &[Expr],
        how: &[Comparison],
        op: CompareOp,
        cx: &mut Cx<'_>,
    ) -> Result<Value, SqlError> {
        let left: Vec<Value> = left.iter().map(|e| e.eval(cx)).collect::<Result<_, _>>()?;
        let row = self.one_row(cx)?.unwrap_or_else(|| vec![Value::Null; left.len()]);
        Ok(truth_value(compare_rows(op, &left, &row, how, cx)))
    }
}

impl Body {
    /// Whether nobody notices that the one member of its rows is NULL, as MariaDB has it behind groups: where it is compared
    /// as a date or time, and where it can be NULL only because ROLLUP makes it so.
    fn passes_over_nulls(&self, how: &[Comparison]) -> bool {
        let [how] = how else { return false };
        match self {
            Body::Select(select) => {
                let aggregates = select.group.as_ref().is_some_and(|group| !group.aggregates.is_empty());
                let having = select.having.as_ref().is_some_and(|having| !having.is_const());
                let behind = aggregates || select.windows.is_some() || having;
                behind && how.is_dated() || select.rolls_up_what_is_there()
            }
            Body::SetOps { first, rest, .. } => std::iter::once(&**first)
                .chain(rest.iter().map(|(_, _, plan)| plan))
                .all(|plan| plan.body.passes_over_nulls(&[*how])),
            Body::Values { .. } | Body::Recursive(_) => false,
        }
    }
}

impl SelectPlan {
    /// Whether its one member is a key of ROLLUP that is NULL in no row of a table.
    fn rolls_up_what_is_there(&self) -> bool {
        let (Some(group), [Expr { kind: Kind::Column(slot), .. }]) = (&self.group, &self.items[..]) else {
            return false;
        };
        let key = group.rollup.iter().position(|rolled| *rolled == slot.index && slot.level == self.level);
        key.and_then(|at| group.keys.get(at)).is_some_and(|key| !key.expr.ty.nullable)
    }
}

/// Whether a comparison that is unknown leaves open what is asked: where a text is no UUID or address it does not, the row
/// is another one then.
fn leaves_open(left: &[Value], row: &[Value], how: &[Comparison], cx: &mut Cx<'_>) -> bool {
    !left.iter().zip(row).zip(how).any(|((left, value), how)| {
        let converted = matches!(how, Comparison::Fixed(_)) && !left.is_null() && !value.is_null();
        converted && silently(cx.state, |state| compare_values(left, value, *how, state)).0.is_none()
    })
}

/// Rows that are compared as dates or addresses and are as the one before them: of what is none something is said once.
struct SaidOnce {
    read: bool,
    before: Vec<Value>,
}

impl SaidOnce {
    fn of(how: &[Comparison]) -> Self {
        let read = |how: &Comparison| how.is_dated() || matches!(how, Comparison::Fixed(_));
        Self { read: how.iter().any(read), before: Vec::new() }
    }

    /// Whether the row is as the one before it.
    fn has(&mut self, row: &[Value]) -> bool {
        if !self.read {
            return false;
        }
        let same = self.before == row;
        if !same {
            self.before.clear();
            self.before.extend_from_slice(row);
        }
        same
    }
}

impl QueryPlan {
    /// A row of it for comparisons: what is compared as a date or time, and is none, is read as one.
    fn compared<'r>(&self, row: &'r [Value], how: &[Comparison], cx: &mut Cx<'_>) -> Cow<'r, [Value]> {
        let read =
            |(value, how): (&Value, &Comparison)| how.is_dated() && !value.is_null() && !value.is_temporal();
        if !row.iter().zip(how).any(read) {
            return Cow::Borrowed(row);
        }
        let mut row = row.to_vec();
        for (at, (value, how)) in row.iter_mut().zip(how).enumerate() {
            if read((value, how)) {
                *value = compare::found_compared(value, self.item(at), *how, cx.state);
            }
        }
        Cow::Owned(row)
    }

    /// A member of the select list, where there is one list.
    fn item(&self, at: usize) -> Option<&Expr> {
        match &self.body {
            Body::Select(select) => select.items.get(at),
            _ => None,
        }
    }
}

/// NULL for unknown.
fn truth_value(truth: Option<bool>) -> Value {
    truth.map_or(Value::Null, Value::from)
}

fn equal_rows(left: &[Value], right: &[Value], how: &[Comparison], cx: &mut Cx<'_>) -> Option<bool> {
    let mut unknown = false;
    for ((l, r), how) in left.iter().zip(right).zip(how) {
        match compare_values(l, r, *how, cx.state) {
            Some(Ordering::Equal) => {}
            Some(_) => return Some(false),
            None => unknown = true,
        }
    }
    (!unknown).then_some(true)
}

/// Compares rows member by member; `None` for unknown.
pub fn compare_rows(
    op: CompareOp,
    left: &[Value],
    right: &[Value],
    how: &[Comparison],
    cx: &mut Cx<'_>,
) -> Option<bool> {
    match op {
        CompareOp::Eq => equal_rows(left, right, how, cx),
        CompareOp::Ne => equal_rows(left, right, how, cx).map(|equal| !equal),
        CompareOp::NullSafeEq => {
            Some(left.iter().zip(right).zip(how).all(|((l, r), how)| match (l.is_null(), r.is_null()) {
                (true, true) => true,
                (false, false) => compare_values(l, r, *how, cx.state) == Some(Ordering::Equal),
                _ => false,
            }))
        }
        _ => {
            for ((l, r), how) in left.iter().zip(right).zip(how) {
                match compare_values(l, r, *how, cx.state)? {
                    Ordering::Equal => {}
                    ordering => return Some(holds(op, ordering)),
                }
            }
            Some(matches!(op, CompareOp::Le | CompareOp::Ge))
        }
    }
}
