//! Databases and tables.

use super::{INFORMATION_SCHEMA, Rows, VirtualTable, def, optional, text, virtual_tables};
use crate::admin::view_definition;
use crate::bind::view::{is_changeable, parse_view};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::Level;
use crate::syntax::ast::{ExprKind, QueryBody, SelectItem};
use engine::{Engine, Table, View};
use types::{CollationId, Value};

const SCHEMATA: &str = "CATALOG_NAME:s512 SCHEMA_NAME:s64 DEFAULT_CHARACTER_SET_NAME:s32 DEFAULT_COLLATION_NAME:s64 \
     SQL_PATH:s512? SCHEMA_COMMENT:s1024";
const TABLES_COLUMNS: &str = "TABLE_CATALOG:s512 TABLE_SCHEMA:s64 TABLE_NAME:s64 TABLE_TYPE:s64 ENGINE:s64? VERSION:b21u? \
     ROW_FORMAT:s10? TABLE_ROWS:b21u? AVG_ROW_LENGTH:b21u? DATA_LENGTH:b21u? MAX_DATA_LENGTH:b21u? \
     INDEX_LENGTH:b21u? DATA_FREE:b21u? AUTO_INCREMENT:b21u? CREATE_TIME:d? UPDATE_TIME:d? CHECK_TIME:d? \
     TABLE_COLLATION:s64? CHECKSUM:b21u? CREATE_OPTIONS:s2048? TABLE_COMMENT:s2048 MAX_INDEX_LENGTH:b21u? \
     TEMPORARY:s1?";
const PARTITIONS: &str = "TABLE_CATALOG:s512 TABLE_SCHEMA:s64 TABLE_NAME:s64 PARTITION_NAME:s64? SUBPARTITION_NAME:s64? \
     PARTITION_ORDINAL_POSITION:b21u? SUBPARTITION_ORDINAL_POSITION:b21u? PARTITION_METHOD:s18? \
     SUBPARTITION_METHOD:s12? PARTITION_EXPRESSION:t? SUBPARTITION_EXPRESSION:t? PARTITION_DESCRIPTION:t? \
     TABLE_ROWS:b21u AVG_ROW_LENGTH:b21u DATA_LENGTH:b21u MAX_DATA_LENGTH:b21u? INDEX_LENGTH:b21u \
     DATA_FREE:b21u CREATE_TIME:d? UPDATE_TIME:d? CHECK_TIME:d? CHECKSUM:b21u? PARTITION_COMMENT:s80 \
     NODEGROUP:s12 TABLESPACE_NAME:s64?";

const VIEWS: &str = "TABLE_CATALOG:s512 TABLE_SCHEMA:s64 TABLE_NAME:s64 VIEW_DEFINITION:t CHECK_OPTION:s8 IS_UPDATABLE:s3 \
     DEFINER:s384 SECURITY_TYPE:s7 CHARACTER_SET_CLIENT:s32 COLLATION_CONNECTION:s64 ALGORITHM:s10";

pub(super) static TABLES: &[VirtualTable] = &[
    VirtualTable { name: "SCHEMATA", columns: SCHEMATA, rows: schemata },
    VirtualTable { name: "TABLES", columns: TABLES_COLUMNS, rows: tables },
    VirtualTable { name: "VIEWS", columns: VIEWS, rows: views },
    VirtualTable { name: "PARTITIONS", columns: PARTITIONS, rows: partitions },
];

fn schemata(cx: &mut Cx<'_>) -> Rows {
    let row = |name: &str, collation: CollationId, comment: &str| {
        vec![
            def(),
            text(name),
            text(collation.charset().name()),
            text(collation.name()),
            Value::Null,
            text(comment),
        ]
    };
    let mut rows = vec![row(INFORMATION_SCHEMA, CollationId::UTF8MB3_GENERAL_CI, "")];
    for database in cx.state.engine.catalog().databases() {
        rows.push(row(&database.name, database.def.collation, &database.def.comment));
    }
    Ok(rows)
}

fn tables(cx: &mut Cx<'_>) -> Rows {
    let mut rows: Vec<Vec<Value>> = virtual_tables().map(|table| system_view(table.name)).collect();
    let engine = cx.state.engine.clone();
    for database in engine.catalog().databases() {
        let from = rows.len();
        for table in database.tables.values().filter(|t| cx.wanted.has(t.db(), t.name())) {
            runtime::slice_point();
            rows.push(base_table(&engine, table));
        }
        for view in database.views.values() {
            cx.check_interrupt()?;
            if cx.wanted.has(&view.def().db, &view.def().name) {
                rows.push(view_row(cx, view)?);
            }
        }
        rows[from..].sort_by_key(|row| crate::session::variables::shown(&row[2]));
    }
    Ok(rows)
}

fn system_view(name: &str) -> Vec<Value> {
    let mut row = vec![def(), text(INFORMATION_SCHEMA), text(name), text("SYSTEM VIEW"), text("MEMORY")];
    row.extend([Value::UInt(11), text("Fixed"), Value::Null]);
    row.extend([0, 0, 0, 0, 0].map(Value::UInt));
    row.extend([Value::Null, Value::Null, Value::Null, Value::Null]);
    row.extend([text(CollationId::UTF8MB3_GENERAL_CI.name()), Value::Null, text(""), text("")]);
    row.extend([Value::UInt(0), text("Y")]);
    row
}

/// A view among the tables; its comment says if it does not work any more.
fn view_row(cx: &mut Cx<'_>, view: &View) -> Result<Vec<Value>, SqlError> {
    let definition = view.def();
    let works = match cx.wanted.names_only {
        true => Ok(()),
        false => cx.state.without_privileges(|state| view_definition(state, view)).map(|_| ()),
    };
    let comment = match works {
        Ok(()) => "VIEW".to_owned(),
        Err(error) => {
            cx.state.warn(Level::Warning, error.errno, error.message.clone());
            error.message
        }
    };
    let mut row = vec![def(), text(&definition.db), text(&definition.name), text("VIEW")];
    row.resize(20, Value::Null);
    row.extend([text(comment), Value::Null, Value::Null]);
    Ok(row)
}

fn views(cx: &mut Cx<'_>) -> Rows {
    let engine = cx.state.engine.clone();
    let mut rows = Vec::new();
    for database in engine.catalog().databases() {
        for view in database.views.values() {
            let view = view.def();
            rows.push(vec![
                def(),
                text(&view.db),
                text(&view.name),
                text(&view.query),
                text(view.check.name()),
                super::yes(is_updatable(view)),
                text(format!("{}@{}", view.definer.0, view.definer.1)),
                text(if view.invoker { "INVOKER" } else { "DEFINER" }),
                text(&view.client_charset),
                text(view.connection.name()),
                text(view.algorithm.name()),
            ]);
        }
    }
    Ok(rows)
}

/// Whether a view's own form lets rows be changed through it, and a column stands in its list as it is.
fn is_updatable(view: &types::ViewDef) -> bool {
    let Ok(query) = parse_view(&view.query) else { return false };
    let QueryBody::Select(select) = &query.body else { return false };
    let changeable = view.algorithm != types::ViewAlgorithm::Temptable && is_changeable(&query);
    changeable
        && select.items.iter().any(|item| match item {
            SelectItem::Expr { expr, .. } => matches!(expr.kind, ExprKind::Column(_)),
            SelectItem::Star | SelectItem::TableStar(_) => true,
        })
}

/// Data bytes, index bytes, average row length: as far as one file for all tables tells them apart.
fn sizes(engine: &Engine, table: &Table) -> (u64, u64, u64) {
    let rows = table.row_count();
    let bytes = engine.data_bytes(table);
    (bytes, 0, bytes.checked_div(rows).unwrap_or(0))
}

fn base_table(engine: &Engine, table: &Table) -> Vec<Value> {
    let definition = table.def();
    let (data, index, average) = sizes(engine, table);
    let counter =
        definition.auto_increment_column().map(|_| Value::UInt(table.auto_increment().get().max(1)));
    let options: Vec<String> =
        definition.options.iter().map(|(name, value)| format!("{}={value}", name.to_lowercase())).collect();
    let mut row = vec![def(), text(table.db()), text(table.name()), text("BASE TABLE"), text("InnoDB")];
    let format =
        definition.options.iter().find(|(name, _)| name == "ROW_FORMAT").map(|(_, format)| format.as_str());
    let format = match format {
        Some("COMPACT") => "Compact",
        Some("REDUNDANT") => "Redundant",
        Some("COMPRESSED") => "Compressed",
        _ => "Dynamic",
    };
    row.extend([Value::UInt(10), text(format)]);
    row.extend([table.row_count(), average, data, 0, index, 0].map(Value::UInt));
    row.extend([counter.unwrap_or(Value::Null), Value::Null, Value::Null, Value::Null]);
    row.extend([text(definition.collation.name()), Value::Null, text(options.join(" "))]);
    row.extend([text(&definition.comment), Value::UInt(0), text("N")]);
    row
}

/// One row a table: there is no partitioning.
fn partitions(cx: &mut Cx<'_>) -> Rows {
    let engine = cx.state.engine.clone();
    let mut rows = Vec::new();
    for database in engine.catalog().databases() {
        for table in database.tables.values() {
            let (data, index, average) = sizes(&engine, table);
            let mut row = vec![def(), text(table.db()), text(table.name())];
            row.resize(12, Value::Null);
            row.extend([table.row_count(), average, data, 0, index, 0].map(Value::UInt));
            row.resize(22, Value::Null);
            row.extend([text(""), text(""), optional(None::<&str>)]);
            rows.push(row);
        }
    }
    Ok(rows)
}
