//! Whole queries.

use super::cx::Rowless;
use super::early::Known;
use super::group::Groups;
use super::sort::{Limit, RowKeys, Sorter};
use super::sums::Sums;
use super::unique::{Seen, Unique};
use super::window::WindowRows;
use super::{Cx, Flow, Sink, join, sets};
use crate::admin::dialect::retold;
use crate::error::{ER_DATA_OUT_OF_RANGE, ER_QUERY_RESULT_INCOMPLETE, ER_SUBQUERY_NO_1_ROW, SqlError};
use crate::expr::aggregate::shown_year;
use crate::expr::{Class, Expr, Kind, Named, TypeKind, operand, store};
use crate::plan::ends::End;
use crate::plan::row_number::RowNumber;
use crate::plan::{
    Access, AggregateCall, Body, Join, QueryPlan, SelectPlan, SortKey, TableAccess, Tail, has_alike_together,
};
use crate::session::Level;
use crate::session::counters::Counter;
use crate::syntax::ast::AggregateKind;
use types::Value;

/// Runs a query; every row of its result goes to `sink`.
pub fn run(plan: &QueryPlan, cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<Flow, SqlError> {
    crate::bind::check_stack()?;
    match &plan.body {
        Body::Select(select) => run_select(select, cx, sink),
        Body::Values { rows, tail, level } => run_tail(tail, *level, cx, sink, &mut |cx, sink| {
            let types: Vec<_> = plan.columns.iter().map(|column| column.ty.clone()).collect();
            let mut stored = Vec::with_capacity(types.len());
            for row in rows {
                let values: Vec<Value> = row.iter().map(|e| e.eval(cx)).collect::<Result<_, _>>()?;
                store::to_types(&values, row.iter().map(|e| &e.ty), &types, cx.state, &mut stored);
                if sink(cx, &stored)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            Ok(Flow::Continue)
        }),
        Body::SetOps { first, rest, tail, level } => {
            run_tail(tail, *level, cx, sink, &mut |cx, sink| sets::run_chain(plan, first, rest, cx, sink))
        }
        Body::Recursive(recursion) => super::recursion::run(recursion, &plan.columns, cx, sink),
    }
}

/// The select list for the row in the block's frame, in the place of the row before.
fn evaluate(plan: &SelectPlan, cx: &mut Cx<'_>, row: &mut Vec<Value>) -> Result<(), SqlError> {
    row.clear();
    if plan.keeps_digits && !plan.compares_dates {
        row.append(&mut evaluate_to_store(plan, cx)?);
        return Ok(());
    }
    for e in &plan.items {
        if let (false, Kind::Column(slot)) = (plan.keeps_digits, &e.kind) {
            row.push(cx.slot(*slot).clone());
            continue;
        }
        row.push(match (plan.keeps_digits, e.ty.class()) {
            // What can only be NULL is sent without a look.
            (false, _) if plan.level == 0 && is_unread(e) => Value::Null,
            // What is sent as it is computed is held against no mode.
            (false, Class::Temporal) if is_sent(plan) => e.eval_sent(cx)?,
            (false, _) => e.eval(cx)?,
            (true, Class::Temporal) => operand::comparable(cx, e)?,
            (true, _) => e.eval_exactly(cx)?,
        });
    }
    if let Some(windows) = &plan.windows {
        windows.round(plan, row, cx.state);
    }
    if plan.group.as_ref().is_some_and(|group| group.aside) {
        for (value, e) in row.iter_mut().zip(&plan.items).filter(|(_, e)| !matches!(e.kind, Kind::Column(_)))
        {
            *value = e.held_in_column(std::mem::take(value), cx.state);
        }
    }
    if plan.distinct {
        // Constants are put aside nowhere.
        let computed = |(_, e): &(_, &Expr)| !matches!(e.kind, Kind::Const(_));
        for (value, e) in row.iter_mut().zip(&plan.items).filter(computed) {
            *value = e.laid_aside(std::mem::take(value), cx.state);
        }
    }
    Ok(())
}

/// Whether a member of the select list can only be NULL, so that nobody has to compute it.
fn is_unread(e: &Expr) -> bool {
    e.ty.kind == TypeKind::Null && !e.sets_variable() && !matches!(e.ty.origin, Named::Merged)
}

/// Whether rows are sent as they are computed, and put aside nowhere.
fn is_sent(plan: &SelectPlan) -> bool {
    let aside = plan.group.as_ref().is_some_and(|group| group.aside);
    plan.level == 0 && !plan.distinct && plan.windows.is_none() && !aside
}

/// As [`evaluate`] for whoever stores the row.
fn evaluate_to_store(plan: &SelectPlan, cx: &mut Cx<'_>) -> Result<Vec<Value>, SqlError> {
    let around = std::mem::replace(&mut cx.state.statement.hushed, plan.is_hushed);
    // Groups that are put aside have what is read of their rows as it is shown.
    let aside = plan.group.as_ref().filter(|group| group.keeps_rows());
    let shown = |e: &Expr| aside.is_some_and(|group| group.reads_rows(e, plan.level));
    let value = |e: &Expr| Ok(e.as_stored(if shown(e) { e.eval(cx)? } else { e.eval_exactly(cx)? }));
    let row = plan.items.iter().map(value).collect();
    cx.state.statement.hushed = around;
    row
}

/// Produces rows into a sink.
type Produce<'p> = &'p mut dyn FnMut(&mut Cx<'_>, Sink<'_>) -> Result<Flow, SqlError>;

/// Orders and limits the rows of a result; sort keys read the row in the frame of `level`.
fn run_tail(
    tail: &Tail,
    level: u32,
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
    produce: Produce<'_>,
) -> Result<Flow, SqlError> {
    let mut limit = Limit::of(tail, cx)?;
    if tail.order_by.is_empty() {
        if limit.is_empty() {
            return Ok(Flow::Continue);
        }
        let flow = produce(cx, &mut |cx, row| limit.pass(cx, row, sink))?;
        limit.report(cx);
        return Ok(flow);
    }
    let mut sorter = Sorter::new(&tail.order_by, limit.top(tail));
    produce(cx, &mut |cx, row| {
        // The query that gives the row may be at work in the same frame.
        let under_way = std::mem::replace(cx.frame_mut(level, 0), row.to_vec());
        let pushed = sorter.push(cx, row);
        *cx.frame_mut(level, 0) = under_way;
        pushed?;
        Ok(Flow::Continue)
    })?;
    cx.count(Counter::SortScan, 1);
    let flow = sorter.drain(cx, &mut limit, tail.with_ties, sink)?;
    limit.report(cx);
    Ok(flow)
}

/// DISTINCT over a select list.
struct Distinct {
    keys: RowKeys,
    unique: Unique,
    /// Where rows that are alike come one behind the other: the last row's key.
    last: Option<Vec<u8>>,
}

impl Distinct {
    fn of(plan: &SelectPlan) -> Option<Self> {
        plan.distinct.then(|| Self {
            keys: RowKeys::of_items(&plan.items),
            unique: Unique::default(),
            last: has_alike_together(plan).then(Vec::new),
        })
    }

    /// Whether a row is known to be the first of its kind; where that is unclear, it waits with `note`.
    fn take(
        &mut self,
        row: &[Value],
        cx: &mut Cx<'_>,
        note: impl FnOnce(&mut Cx<'_>) -> Result<Vec<u8>, SqlError>,
    ) -> Result<bool, SqlError> {
        let key = self.keys.of(row);
        if let Some(last) = &mut self.last {
            let new = key != last;
            last.clear();
            last.extend_from_slice(key);
            return Ok(new);
        }
        match self.unique.insert(key, cx)? {
            Seen::New => return Ok(true),
            Seen::Before => {}
            Seen::Unclear => {
                let note = note(cx)?;
                self.unique.put_aside(key, &note, row, cx)?;
            }
        }
        Ok(false)
    }
}

fn run_select(plan: &SelectPlan, cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<Flow, SqlError> {
    cx.frame_mut(plan.level, plan.width);
    let mut limit = Limit::of(&plan.tail, cx)?;
    if limit.is_empty() {
        return Ok(Flow::Continue);
    }
    let sorted = plan.tail.order_by.is_empty() || plan.presorted;
    let mut distinct = Distinct::of(plan);
    if sorted && !plan.tail.with_ties {
        if distinct.is_none() {
            limit.hand_over(plan, cx);
        }
        let mut row = Vec::with_capacity(plan.items.len());
        let mut arrival = 0_u64;
        let mut flow = rows_of(plan, cx, &mut |cx| {
            // The select list is not computed for rows that OFFSET leaves out, as in MariaDB.
            if distinct.is_none() && limit.leaves_out(cx) {
                return Ok(Flow::Continue);
            }
            evaluate(plan, cx, &mut row)?;
            let new = match &mut distinct {
                None => true,
                Some(distinct) => distinct.take(&row, cx, |_| Ok(arrival.to_be_bytes().to_vec()))?,
            };
            arrival += 1;
            let flow = if new { limit.pass(cx, &row, sink)? } else { Flow::Continue };
            // Texts shared with the table's slots would keep these from taking the next ones in their place.
            row.clear();
            Ok(flow)
        })?;
        match (distinct, flow) {
            (Some(distinct), Flow::Continue) if plan.presorted => {
                let mut waiting = Sorter::new(&[], None);
                distinct.unique.finish(cx, |cx, arrival, row| {
                    waiting.push_keyed(cx, arrival, &row)?;
                    Ok(Flow::Continue)
                })?;
                flow = waiting.drain_keyed(cx, &mut |cx, _, row| limit.pass(cx, &row, sink))?;
            }
            (Some(distinct), Flow::Continue) => {
                flow = distinct.unique.finish(cx, |cx, _, row| limit.pass(cx, &row, sink))?;
            }
            (Some(mut distinct), Flow::Stop) => distinct.unique.release(cx),
            (None, _) => {}
        }
        limit.report(cx);
        return Ok(flow);
    }
    if distinct.is_none() && (sets_variables_in_order(plan) || computes_late(plan, cx)) {
        return run_in_order(plan, limit, cx, sink);
    }
    let mut sorter = Sorter::new(&plan.tail.order_by, limit.top(&plan.tail));
    let mut row = Vec::with_capacity(plan.items.len());
    let plain = |e: &Expr| matches!(e.kind, Kind::Const(_) | Kind::Param(_) | Kind::Column(_));
    let leaves = distinct.is_none() && plan.items.iter().all(plain);
    let sorted = gated(plan, cx, &mut |cx| {
        // All rows have their keys (RAND() goes on with each), whether they are among those that stay or not.
        let key = sorter.key_now(cx).map_err(|error| key_failed(error, &plan.tail.order_by, cx))?;
        if leaves && !sorter.takes(&key) {
            sorter.reuse(key);
            return Ok(Flow::Continue);
        }
        evaluate(plan, cx, &mut row)?;
        let new = match &mut distinct {
            None => true,
            Some(distinct) => distinct.take(&row, cx, |_| Ok(key.clone()))?,
        };
        if new {
            push(&mut sorter, plan, cx, &key, &row)?;
        }
        row.clear();
        sorter.reuse(key);
        Ok(Flow::Continue)
    });
    sorted.map_err(|error| sort_aborted(error, cx))?;
    if let Some(distinct) = distinct {
        distinct.unique.finish(cx, |cx, key, row| {
            sorter.push_keyed(cx, key, &row)?;
            Ok(Flow::Continue)
        })?;
    }
    count_sort(plan, cx);
    let flow = sorter.drain(cx, &mut limit, plan.tail.with_ties, sink)?;
    limit.report(cx);
    Ok(flow)
}

/// Whether the select list sets user variables row by row, which it does in the order of the result.
fn sets_variables_in_order(plan: &SelectPlan) -> bool {
    plan.group.is_none()
        && plan.windows.is_none()
        && plan.items.iter().any(Expr::sets_variable)
        && !plan.tail.order_by.iter().any(|key| key.expr.sets_variable())
}

/// Whether the select list is computed once the rows are sorted: for those that LIMIT leaves, or in their order.
fn computes_late(plan: &SelectPlan, cx: &Cx<'_>) -> bool {
    let computes = |e: &Expr| !matches!(e.kind, Kind::Const(_) | Kind::Param(_) | Kind::Column(_));
    // What is something else, or does something, each time it is asked for is asked for in the order of the result.
    let draws = |e: &Expr| {
        let mut draws = false;
        e.visit(&mut |e| {
            draws |= matches!(&e.kind, Kind::Call(call) if !call.deterministic && !call.tells_time());
        });
        draws
    };
    let limited = plan.tail.limit.is_some() || plan.level == 0 && cx.state.vars.sql_select_limit < u64::MAX;
    let few = limited && plan.items.iter().any(computes);
    plan.group.is_none() && plan.windows.is_none() && (few || plan.items.iter().any(draws))
}

/// Sorts the rows that the select list is made of, then makes it.
fn run_in_order(
    plan: &SelectPlan,
    mut limit: Limit,
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    let mut sorter = Sorter::new(&plan.tail.order_by, limit.top(&plan.tail));
    let sorted = gated(plan, cx, &mut |cx| {
        let key = sorter.key_now(cx).map_err(|error| key_failed(error, &plan.tail.order_by, cx))?;
        if sorter.takes(&key) {
            let row = cx.frame_mut(plan.level, plan.width).clone();
            push(&mut sorter, plan, cx, &key, &row)?;
        }
        sorter.reuse(key);
        Ok(Flow::Continue)
    });
    sorted.map_err(|error| sort_aborted(error, cx))?;
    count_sort(plan, cx);
    // Sorted rows of one table count anew for warnings.
    let alone = matches!(plan.from, Some(Join::Table(_)));
    let mut at = 0;
    let mut items = Vec::with_capacity(plan.items.len());
    let flow = sorter.drain(cx, &mut limit, plan.tail.with_ties, &mut |cx, row| {
        cx.frame_mut(plan.level, plan.width).clone_from_slice(row);
        at += 1;
        if alone {
            cx.state.statement.row = at;
        }
        evaluate(plan, cx, &mut items)?;
        sink(cx, &items)
    })?;
    limit.report(cx);
    Ok(flow)
}

/// Gives a sorter a row; from then on the tables leave rows alone that come behind all that it keeps.
fn push(
    sorter: &mut Sorter<'_>,
    plan: &SelectPlan,
    cx: &mut Cx<'_>,
    key: &[u8],
    row: &[Value],
) -> Result<(), SqlError> {
    sorter.push_keyed(cx, key, row)?;
    if let Some(last) = sorter.gate() {
        cx.narrow_gate(plan.level, last);
    }
    Ok(())
}

/// The rows of a block that are to be sorted; the gate that they narrow is this run's alone.
fn gated(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    let around = cx.set_gate(plan.level, None);
    let ran = rows_of(plan, cx, next);
    cx.set_gate(plan.level, around);
    ran
}

/// A key that cannot be computed ends the sort: that is said beside why. A subquery that reads no row is asked before it.
pub(super) fn key_failed(error: SqlError, keys: &[SortKey], cx: &mut Cx<'_>) -> SqlError {
    let sorts = match error.errno {
        ER_DATA_OUT_OF_RANGE => true,
        ER_SUBQUERY_NO_1_ROW => keys.iter().any(|key| !key.expr.is_fixed()),
        _ => false,
    };
    if sorts {
        let error = retold(error.clone(), cx.state);
        let aborted = SqlError::sort_aborted(&error.message);
        cx.state.warn(Level::Error, error.errno, error.message.clone());
        cx.state.warn(Level::Error, aborted.errno, aborted.message);
    }
    error
}

/// A limit of rows read leaves nothing to sort.
fn sort_aborted(error: SqlError, cx: &mut Cx<'_>) -> SqlError {
    if error.errno != ER_QUERY_RESULT_INCOMPLETE {
        return error;
    }
    let aborted = SqlError::sort_aborted("LIMIT ROWS EXAMINED");
    cx.state.warn(Level::Error, aborted.errno, aborted.message.clone());
    cx.state.warn(Level::Warning, error.errno, error.message);
    aborted
}

/// Fills the block's frame with each row (or group) that the select list shall see.
pub fn rows_of(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    let Some(windows) = &plan.windows else { return grouped_rows(plan, cx, next) };
    let mut rows = WindowRows::new(windows, plan.level, plan.width, cx)?;
    grouped_rows(plan, cx, &mut |cx| rows.push(cx).map(|()| Flow::Continue))?;
    rows.finish(cx, next)
}

/// Whether the conditions that no row decides let any be found.
pub fn is_possible(plan: &SelectPlan, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    beforehand(cx, |cx| {
        if cx.state.statement.warnings_fail && !plan.read_beforehand.is_empty() {
            join::all(&plan.read_beforehand, cx)?;
        }
        Ok(join::all(&plan.constant_filter, cx)? && join::all(&plan.implied, cx)?)
    })
}

/// Asks before the first row is seen: no mode makes errors of its warnings, but where a query gives the rows.
fn beforehand(
    cx: &mut Cx<'_>,
    ask: impl FnOnce(&mut Cx<'_>) -> Result<bool, SqlError>,
) -> Result<bool, SqlError> {
    let facts = &mut cx.state.statement;
    let fails = facts.warnings_fail;
    facts.warnings_fail = fails && facts.constants_fail;
    let holds = ask(cx);
    cx.state.statement.warnings_fail = fails;
    holds
}

/// Whether what HAVING asks of no row lets any through: all of that is asked.
fn may_hold(condition: &Expr, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    match &condition.kind {
        Kind::And(all) => all.iter().try_fold(true, |holds, e| Ok(may_hold(e, cx)? && holds)),
        Kind::Or(any) => any.iter().try_fold(false, |holds, e| Ok(may_hold(e, cx)? || holds)),
        _ if condition.is_fixed() => Ok(condition.truth(cx)? == Some(true)),
        _ => Ok(true),
    }
}

/// Rows or groups that HAVING leaves.
fn grouped_rows(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    let possible = is_possible(plan, cx)?;
    let mut having = plan.having.as_ref();
    if let Some(condition) = having {
        if !beforehand(cx, |cx| may_hold(condition, cx))? {
            return Ok(Flow::Continue);
        }
        having = having.filter(|condition| !condition.is_fixed());
    }
    let early = Known::of(plan, cx);
    let possible = possible && early.as_ref().is_none_or(Known::has_rows);
    let Some(group) = &plan.group else {
        return match possible {
            true => joined_rows(plan, cx, &mut |cx| through_having(having, cx, next)),
            false => Ok(Flow::Continue),
        };
    };
    if let Some(ends) = plan.ends.as_ref().filter(|_| possible) {
        if let Some(known) = early.as_ref().filter(|_| group.keys.is_empty()) {
            known.put(plan, cx);
            return through_having(having, cx, next);
        }
        return match group.keys.is_empty() {
            true => row_of_ends(plan, (ends, having), cx, next),
            false => joined_rows(plan, cx, &mut |cx| row_of_ends(plan, (ends, having), cx, next)),
        };
    }
    for call in group.aggregates.iter().filter(|call| call.distinct) {
        // Asked beforehand whether it is NULL, as MariaDB does: its warnings come twice.
        if matches!(call.kind, AggregateKind::Sum | AggregateKind::Avg) && call.args[0].is_fixed() {
            call.args[0].eval(cx)?;
        }
    }
    let mut groups = Groups::new(group, plan.level, plan.width);
    // A row that constants look up is looked for beforehand.
    let looked_up = match &plan.from {
        Some(Join::Table(table)) => match &table.access {
            Access::Point(_, key) => plan.level == 0 || key.iter().all(Expr::is_same_in_all_rows),
            _ => false,
        },
        _ => false,
    };
    let mut rowless = group.keys.is_empty();
    let whole: super::Next<'_> = &mut |cx| {
        early.iter().for_each(|known| known.put(plan, cx));
        through_having(having, cx, next)
    };
    let sums = Sums::of(plan, group).filter(|_| possible);
    let flow = if let Some(sums) = sums {
        let (any, flow) = sums.run(&mut groups, cx, whole)?;
        rowless &= !any;
        flow
    } else if possible {
        joined_rows(plan, cx, &mut |cx| {
            rowless = false;
            match group.in_order {
                true => groups.add_in_order(cx, whole),
                false => groups.add(cx).map(|_| Flow::Continue),
            }
        })?
    } else {
        Flow::Continue
    };
    if flow == Flow::Stop {
        groups.release(cx);
        return Ok(Flow::Stop);
    }
    if !rowless {
        return groups.finish(cx, whole);
    }
    let slots = || group.aggregates.iter().flat_map(AggregateCall::slots);
    let rowless = Rowless {
        level: plan.level,
        foreknown: !possible || looked_up,
        aggregates: slots().min().unwrap_or(0)..slots().max().map_or(0, |last| last + 1),
    };
    groups.finish(cx, &mut |cx| match holds(having, cx)? {
        true => {
            let around = cx.rowless.replace(rowless.clone());
            let flow = next(cx);
            cx.rowless = around;
            flow
        }
        false => Ok(Flow::Continue),
    })
}

/// The one row, of all rows or of the group whose first row is in the frame, of MIN and MAX that ends of indexes give.
fn row_of_ends(
    plan: &SelectPlan,
    (ends, having): (&[End], Option<&Expr>),
    cx: &mut Cx<'_>,
    next: super::Next<'_>,
) -> Result<Flow, SqlError> {
    let mut values = Vec::with_capacity(ends.len());
    // Rows that are found before the query runs count for nothing.
    let counted = cx.state.statement.row;
    for end in ends {
        let found = first_of(end, plan, cx)?.unwrap_or(Value::Null);
        let shows_columns = plan.group.as_ref().is_some_and(|group| !group.keys.is_empty());
        values.push(if shows_columns { found } else { shown_year(found) });
    }
    cx.state.statement.row = counted;
    for (End { result, .. }, value) in ends.iter().zip(values) {
        let value = as_text(value, *result, plan, cx);
        cx.frame_mut(plan.level, plan.width)[*result as usize] = value;
    }
    through_having(having, cx, next)
}

/// The value at an end of an index, if there is a row.
pub(super) fn first_of(end: &End, plan: &SelectPlan, cx: &mut Cx<'_>) -> Result<Option<Value>, SqlError> {
    let mut found = None;
    let column = end.column as usize;
    let first = std::mem::take(&mut cx.frame_mut(plan.level, plan.width)[column]);
    cx.wanted_rows = 1;
    super::table::run(&end.table, plan.level, cx, &mut |cx| {
        found = Some(std::mem::take(&mut cx.frame_mut(plan.level, plan.width)[column]));
        Ok(Flow::Stop)
    })?;
    cx.frame_mut(plan.level, plan.width)[column] = first;
    Ok(found)
}

/// Whether a way to rows leads to one.
pub(super) fn has_row(way: &TableAccess, plan: &SelectPlan, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let mut found = false;
    cx.frame_mut(plan.level, plan.width);
    cx.wanted_rows = 1;
    super::table::run(way, plan.level, cx, &mut |_| {
        found = true;
        Ok(Flow::Stop)
    })?;
    Ok(found)
}

/// Labels are text in the result of an aggregate, as where they are compared, and bits their number.
pub(super) fn as_text(value: Value, result: u32, plan: &SelectPlan, cx: &Cx<'_>) -> Value {
    let calls = plan.group.as_ref().map_or(&[][..], |group| &group.aggregates);
    match (&value, calls.iter().find(|call| call.slot == result)) {
        (Value::Enum(_) | Value::Set(_), Some(call)) => store::to_type(value, &call.ty, cx.state),
        (Value::Bit(_), Some(_)) => store::integer_value(&value),
        _ => value,
    }
}

/// Hands the group in the frame on if HAVING leaves it.
fn through_having(having: Option<&Expr>, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    match holds(having, cx)? {
        true => next(cx),
        false => Ok(Flow::Continue),
    }
}

fn holds(having: Option<&Expr>, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    match having {
        None => Ok(true),
        Some(condition) => Ok(condition.truth(cx)? == Some(true)),
    }
}

fn joined_rows(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    match &plan.row_number {
        None => filtered_rows(plan, cx, next),
        Some(number) => numbered_rows(plan, number, cx, next),
    }
}

/// Rows of the join that conditions leave, with their numbers.
fn numbered_rows(
    plan: &SelectPlan,
    RowNumber { slot, limits, filter }: &RowNumber,
    cx: &mut Cx<'_>,
    next: super::Next<'_>,
) -> Result<Flow, SqlError> {
    let (mut number, mut over) = (1, false);
    cx.set_slot(*slot, Value::UInt(number));
    let flow = filtered_rows(plan, cx, &mut |cx| {
        if !join::all(limits, cx)? {
            over = true;
            return Ok(Flow::Stop);
        }
        if !join::all(filter, cx)? {
            return Ok(Flow::Continue);
        }
        let flow = next(cx)?;
        number += 1;
        cx.set_slot(*slot, Value::UInt(number));
        Ok(flow)
    })?;
    // It is the block that is over, not what goes on with its rows.
    Ok(if over { Flow::Continue } else { flow })
}

fn filtered_rows(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    let mut kept = |cx: &mut Cx<'_>| match join::all(&plan.filter, cx)? {
        true => next(cx),
        false => Ok(Flow::Continue),
    };
    match &plan.from {
        None => kept(cx),
        Some(from) => {
            count_join(from, cx);
            if let (Some(several), Join::Inner(steps)) = (plan.first_of, from) {
                return join::run_first(steps, several, &plan.filter, plan.level, cx, next);
            }
            join::run(from, plan.level, cx, &mut kept)
        }
    }
}

/// Counts how the tables of a join are come at.
fn count_join(from: &Join, cx: &Cx<'_>) {
    let mut first = true;
    from.visit_tables(&mut |table| count_access(table, std::mem::take(&mut first), cx));
}

/// Counts how a table, the first of its join or another, is come at.
pub fn count_access(table: &TableAccess, first: bool, cx: &Cx<'_>) {
    let counter = match (&table.access, first) {
        (Access::Scan | Access::Index { .. }, true) => Counter::SelectScan,
        (Access::Scan | Access::Index { .. }, false) => Counter::SelectFullJoin,
        (access, true) if access.is_range() => Counter::SelectRange,
        (access, false) if access.is_range() => Counter::SelectFullRangeJoin,
        _ => return,
    };
    cx.count(counter, 1);
}

/// Counts a sort of a select's rows.
pub fn count_sort(plan: &SelectPlan, cx: &Cx<'_>) {
    let mut ranges = None;
    plan.from.iter().for_each(|join| {
        join.visit_tables(&mut |table| _ = ranges.get_or_insert(table.access.is_range()));
    });
    cx.count(if ranges == Some(true) { Counter::SortRange } else { Counter::SortScan }, 1);
}
