//! EXPLAIN: what the planner chose, a row a table.

use super::{Access, Body, Join, OutputColumn, QueryPlan, SelectPlan, Source, TableAccess};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::build;
use crate::syntax::ast::{Explain, ExplainFormat, Statement};
use types::Value;

/// Columns and rows of EXPLAIN.
pub type Explained = (Vec<OutputColumn>, Vec<Vec<Value>>);

const COLUMNS: [&str; 10] =
    ["id", "select_type", "table", "type", "possible_keys", "key", "key_len", "ref", "rows", "Extra"];

/// Explains a statement.
pub fn explain(binder: &mut Binder<'_>, explain: &Explain) -> Result<Explained, SqlError> {
    if explain.analyze || explain.format != ExplainFormat::Traditional {
        return Err(SqlError::not_supported_yet("ANALYZE and EXPLAIN FORMAT"));
    }
    let mut rows = Vec::new();
    match &explain.statement {
        Statement::Query(query) => {
            let plan = binder.query(query)?;
            query_rows(&plan, 1, "SIMPLE", &mut rows);
        }
        Statement::Update(update) => {
            let plan = binder.update(update)?;
            select_rows(&plan.find, 1, "SIMPLE", &mut rows);
        }
        Statement::Delete(delete) => {
            let plan = binder.delete(delete)?;
            select_rows(&plan.find, 1, "SIMPLE", &mut rows);
        }
        Statement::Insert(insert) => {
            let plan = binder.insert(insert)?;
            let mut row = vec![Value::Null; COLUMNS.len()];
            row[0] = Value::Int(1);
            row[1] = Value::text("INSERT");
            row[2] = Value::text(plan.table.name());
            row[3] = Value::text("ALL");
            rows.push(row);
        }
        _ => return Err(SqlError::not_supported_yet("EXPLAIN of this statement")),
    }
    let columns = COLUMNS
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let sample = if matches!(i, 0 | 8) { Value::Int(0) } else { Value::text("") };
            let mut ty = build::type_of_value(&sample, types::CollationId::UTF8MB4_GENERAL_CI);
            ty.nullable = true;
            ty.length = if i == 0 || i == 8 { 10 } else { 4096 };
            OutputColumn { name: (*name).to_owned(), ty, origin: None }
        })
        .collect();
    Ok((columns, rows))
}

fn query_rows(plan: &QueryPlan, id: i64, kind: &str, rows: &mut Vec<Vec<Value>>) {
    match &plan.body {
        Body::Select(select) => select_rows(select, id, kind, rows),
        Body::Values { .. } => rows.push(message_row(id, kind, "No tables used")),
        Body::Recursive(recursion) => {
            recursion.anchors.iter().for_each(|anchor| query_rows(anchor, id, kind, rows));
            for (i, member) in recursion.members.iter().enumerate() {
                query_rows(member, id + 1 + i as i64, "RECURSIVE UNION", rows);
            }
        }
        Body::SetOps { first, rest, .. } => {
            query_rows(first, id, "PRIMARY", rows);
            for (i, (.., operand)) in rest.iter().enumerate() {
                query_rows(operand, id + 1 + i as i64, "UNION", rows);
            }
        }
    }
}

fn message_row(id: i64, kind: &str, message: &str) -> Vec<Value> {
    let mut row = vec![Value::Null; COLUMNS.len()];
    row[0] = Value::Int(id);
    row[1] = Value::text(kind);
    row[9] = Value::text(message);
    row
}

fn select_rows(plan: &SelectPlan, id: i64, kind: &str, rows: &mut Vec<Vec<Value>>) {
    let Some(join) = &plan.from else { return rows.push(message_row(id, kind, "No tables used")) };
    let first = rows.len();
    join_rows(join, id, kind, rows);
    let mut extra = Vec::new();
    if plan.group.as_ref().is_some_and(|group| !group.keys.is_empty()) || plan.distinct {
        extra.push("Using temporary");
    }
    if !plan.tail.order_by.is_empty() && !plan.presorted {
        extra.push("Using filesort");
    }
    if let Some(row) = rows.get_mut(first)
        && !extra.is_empty()
    {
        let own = match &row[9] {
            Value::Str(s) if !s.bytes.is_empty() => vec![String::from_utf8_lossy(&s.bytes).into_owned()],
            _ => Vec::new(),
        };
        let all: Vec<String> = own.into_iter().chain(extra.into_iter().map(str::to_owned)).collect();
        row[9] = Value::text(&all.join("; "));
    }
    derived_rows(join, id, rows);
}

fn join_rows(join: &Join, id: i64, kind: &str, rows: &mut Vec<Vec<Value>>) {
    match join {
        Join::Table(table) => rows.push(table_row(table, id, kind)),
        Join::Inner(steps) => steps.iter().for_each(|(join, _)| join_rows(join, id, kind, rows)),
        Join::Left { left, right, .. } => {
            join_rows(left, id, kind, rows);
            join_rows(right, id, kind, rows);
        }
        Join::Hash(hash) => {
            let first = rows.len();
            join_rows(&hash.build, id, kind, rows);
            if let Some(row) = rows.get_mut(first) {
                row[3] = Value::text("hash_ALL");
                row[9] = Value::text("Using where; Using join buffer (flat, BNLH join)");
            }
        }
    }
}

fn derived_rows(join: &Join, id: i64, rows: &mut Vec<Vec<Value>>) {
    match join {
        Join::Table(table) => {
            if let Source::Derived { plan, .. } = &table.source {
                query_rows(plan, id + 1, "DERIVED", rows);
            }
        }
        Join::Inner(steps) => steps.iter().for_each(|(join, _)| derived_rows(join, id, rows)),
        Join::Left { left, right, .. } => {
            derived_rows(left, id, rows);
            derived_rows(right, id, rows);
        }
        Join::Hash(hash) => derived_rows(&hash.build, id, rows),
    }
}

fn table_row(table: &TableAccess, id: i64, kind: &str) -> Vec<Value> {
    let index_name = |number: usize| match &table.source {
        Source::Base(base) => {
            base.def().indexes.get(number).map_or(Value::Null, |index| Value::text(&index.name))
        }
        _ => Value::Null,
    };
    let (access, key) = match &table.access {
        Access::Scan => ("ALL", Value::Null),
        Access::Point(index, keys) => {
            let constant = keys.iter().all(|e| e.is_const());
            (if constant { "const" } else { "eq_ref" }, index_name(*index))
        }
        Access::Ranges { index, ranges, .. } => {
            let equal = ranges.len() == 1 && ranges[0].low.is_none() && ranges[0].high.is_none();
            let equal = equal && ranges[0].starts_with.is_none();
            (if equal { "ref" } else { "range" }, index_name(*index))
        }
        Access::Index { index, .. } => ("index", index_name(*index)),
    };
    let name = match &table.source {
        Source::Derived { .. } => format!("<derived{}>", id + 1),
        Source::Round(_) => format!("<derived{}>", id - 1),
        _ => table.alias.clone(),
    };
    let extra =
        if table.filter.is_empty() || matches!(table.access, Access::Point(..)) { "" } else { "Using where" };
    vec![
        Value::Int(id),
        Value::text(kind),
        Value::text(&name),
        Value::text(access),
        key.clone(),
        key,
        Value::Null,
        Value::Null,
        Value::Int(table.rows.max(1.0) as i64),
        Value::text(extra),
    ]
}
