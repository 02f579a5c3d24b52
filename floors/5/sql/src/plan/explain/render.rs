//! The two forms of EXPLAIN: a row a table, or JSON.

use super::{Actuals, Block, Query, TableNode};
use crate::expr::build;
use crate::plan::OutputColumn;
use crate::syntax::ast;
use serde_json::{Map, Value as Json, json};
use types::Value;

/// Columns and rows of EXPLAIN.
pub type Explained = (Vec<OutputColumn>, Vec<Vec<Value>>);

/// The columns of a statement's explanation.
pub fn columns(explain: &ast::Explain) -> Vec<OutputColumn> {
    match (explain.format, explain.analyze) {
        (ast::ExplainFormat::Traditional, analyze) => table_columns(explain.extended, analyze),
        (ast::ExplainFormat::Json, analyze) => vec![document_column(analyze)],
    }
}

fn document_column(analyze: bool) -> OutputColumn {
    column(if analyze { "ANALYZE" } else { "EXPLAIN" })
}

/// `extended` shows what conditions keep, `analyze` what came of it as well.
fn table_columns(extended: bool, analyze: bool) -> Vec<OutputColumn> {
    let mut names =
        vec!["id", "select_type", "table", "type", "possible_keys", "key", "key_len", "ref", "rows"];
    match (analyze, extended) {
        (true, _) => names.extend(["r_rows", "filtered", "r_filtered"]),
        (false, true) => names.push("filtered"),
        (false, false) => {}
    }
    names.push("Extra");
    names.into_iter().map(column).collect()
}

/// A row a table.
pub fn traditional(query: &Query, extended: bool, analyze: bool) -> Explained {
    let columns = table_columns(extended, analyze);
    let mut rows = Vec::new();
    query_rows(query, extended, analyze, columns.len(), &mut rows);
    (columns, rows)
}

fn column(name: &str) -> OutputColumn {
    let (sample, length) = match name {
        "id" | "rows" => (Value::Int(0), 10),
        "filtered" | "r_filtered" | "r_rows" => (Value::text(""), 10),
        _ => (Value::text(""), 4096),
    };
    let mut ty = build::type_of_value(&sample, types::CollationId::UTF8MB4_GENERAL_CI);
    ty.nullable = true;
    ty.length = length;
    OutputColumn { name: name.to_owned(), ty, origin: None }
}

fn query_rows(query: &Query, extended: bool, analyze: bool, width: usize, rows: &mut Vec<Vec<Value>>) {
    match query {
        Query::Block(block) => {
            block_rows(block, extended, analyze, width, rows);
            block.inner.iter().for_each(|inner| query_rows(inner, extended, analyze, width, rows));
        }
        Query::Union(members) => {
            members.iter().for_each(|member| query_rows(member, extended, analyze, width, rows));
            let ids: Vec<String> = members.iter().map(|member| super::first_id(member).to_string()).collect();
            let mut row = vec![Value::Null; width];
            row[1] = Value::text("UNION RESULT");
            row[2] = Value::text(&format!("<union{}>", ids.join(",")));
            row[3] = Value::text("ALL");
            row[width - 1] = Value::text("");
            rows.push(row);
        }
    }
}

fn block_rows(block: &Block, extended: bool, analyze: bool, width: usize, rows: &mut Vec<Vec<Value>>) {
    if let Some(message) = block.message {
        let mut row = vec![Value::Null; width];
        row[0] = Value::Int(i64::from(block.id));
        row[1] = Value::text(block.kind);
        row[width - 1] = Value::text(message);
        return rows.push(row);
    }
    for (number, table) in block.tables.iter().enumerate() {
        let reads = block.kind != super::INSERT;
        let text = |text: &str| if text.is_empty() { Value::Null } else { Value::text(text) };
        let mut row = vec![
            Value::Int(i64::from(block.id)),
            Value::text(block.kind),
            Value::text(&table.name),
            Value::text(table.access),
            text(&table.possible.join(",")),
            table.key.as_deref().map_or(Value::Null, Value::text),
            table.key_len.as_deref().map_or(Value::Null, Value::text),
            text(&table.refs.join(",")),
            if reads { Value::Int(table.rows.round() as i64) } else { Value::Null },
        ];
        let percent = |part: f64| Value::text(&format!("{:.2}", part * 100.0));
        if analyze {
            let actual = table.actual.unwrap_or_default();
            let ran = actual.loops > 0;
            let each = actual.rows as f64 / actual.loops.max(1) as f64;
            row.push(if ran { Value::text(&format!("{each:.2}")) } else { Value::Null });
            row.push(percent(table.kept));
            row.push(if ran || !reads { percent(actual_part(table)) } else { Value::Null });
        } else if extended {
            row.push(percent(table.kept));
        }
        let mut extra: Vec<&str> = table.merged.as_deref().into_iter().collect();
        extra.extend(&table.extra);
        if number == 0 {
            extra.extend(block.temporary.then_some("Using temporary"));
            extra.extend(block.filesort.then_some("Using filesort"));
        }
        row.push(if reads { Value::text(&extra.join("; ")) } else { Value::Null });
        rows.push(row);
    }
}

/// The part of the rows looked at that conditions kept.
fn actual_part(table: &TableNode) -> f64 {
    let actual = table.actual.unwrap_or_default();
    if actual.rows == 0 { 1.0 } else { actual.kept as f64 / actual.rows as f64 }
}

/// One JSON document in one row; `total_ms` and the counters are those of ANALYZE.
pub fn json(query: &Query, ran: Option<(&Actuals, f64)>) -> Explained {
    let mut document = query_json(query);
    if let (Some((actuals, total_ms)), Json::Object(document)) = (ran, &mut document)
        && let Some(Json::Object(block)) = document.get_mut("query_block")
    {
        block.insert("r_total_time_ms".into(), json!(total_ms));
        if actuals.spilled > 0 {
            block.insert("r_temporary_files".into(), json!(actuals.spilled));
        }
    }
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    (vec![document_column(ran.is_some())], vec![vec![Value::text(&text)]])
}

fn query_json(query: &Query) -> Json {
    match query {
        Query::Block(block) => json!({ "query_block": block_json(block) }),
        Query::Union(members) => {
            let ids: Vec<String> = members.iter().map(|member| super::first_id(member).to_string()).collect();
            let specifications: Vec<Json> = members.iter().map(query_json).collect();
            json!({ "query_block": { "union_result": {
                "table_name": format!("<union{}>", ids.join(",")),
                "access_type": "ALL",
                "query_specifications": specifications,
            } } })
        }
    }
}

fn block_json(block: &Block) -> Json {
    let mut document = Map::new();
    document.insert("select_id".into(), json!(block.id));
    if let Some(message) = block.message {
        document.insert("table".into(), json!({ "message": message }));
    } else {
        let tables: Vec<Json> = block.tables.iter().map(table_json).collect();
        let mut join = json!({ "nested_loop": tables });
        if block.temporary {
            join = json!({ "temporary_table": join });
        }
        if block.filesort {
            join = json!({ "filesort": join });
        }
        if let Json::Object(join) = join {
            document.extend(join);
        }
    }
    if !block.inner.is_empty() {
        let inner: Vec<Json> = block.inner.iter().map(query_json).collect();
        document.insert("subqueries".into(), Json::Array(inner));
    }
    Json::Object(document)
}

fn table_json(table: &TableNode) -> Json {
    let mut node = Map::new();
    node.insert("table_name".into(), json!(table.name));
    node.insert("access_type".into(), json!(table.access));
    if !table.possible.is_empty() {
        node.insert("possible_keys".into(), json!(table.possible));
    }
    if let Some(key) = &table.key {
        node.insert("key".into(), json!(key));
    }
    if let Some(length) = &table.key_len {
        node.insert("key_length".into(), json!(length));
        node.insert("used_key_parts".into(), json!(table.key_parts));
    }
    if !table.refs.is_empty() {
        node.insert("ref".into(), json!(table.refs));
    }
    if let Some(actual) = table.actual {
        node.insert("r_loops".into(), json!(actual.loops));
    }
    node.insert("rows".into(), json!(table.rows.round() as i64));
    if let Some(actual) = table.actual {
        node.insert("r_rows".into(), json!(actual.rows as f64 / actual.loops.max(1) as f64));
    }
    node.insert("filtered".into(), json!((table.kept * 10_000.0).round() / 100.0));
    if table.actual.is_some() {
        node.insert("r_filtered".into(), json!((actual_part(table) * 10_000.0).round() / 100.0));
    }
    if table.extra.contains(&"Using index") {
        node.insert("using_index".into(), json!(true));
    }
    if !table.condition.is_empty() {
        node.insert("attached_condition".into(), json!(table.condition));
    }
    let node = json!({ "table": node });
    match table.hash {
        true => json!({ "block-nl-join": {
            "table": node["table"],
            "buffer_type": "flat",
            "join_type": if table.refs.is_empty() { "BNL" } else { "BNLH" },
        } }),
        false => node,
    }
}
