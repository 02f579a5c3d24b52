//! Databases and tables.

use super::mysql::{self, MYSQL};
use super::{
    INFORMATION_SCHEMA, Rows, VirtualTable, def, of_schema, optional, own_tables, stored, stored_views, text,
    virtual_database, virtual_tables,
};
use crate::admin::{told_view_text, view_definition};
use crate::bind::view::{is_changeable, parse_view};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::Level;
use crate::syntax::ast::{ExprKind, QueryBody, SelectItem};
use engine::{Database, Engine, Table};
use types::{CollationId, TableDef, TimeZone, Value, ViewDef};

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
    of_schema("SCHEMATA", SCHEMATA, schemata),
    of_schema("TABLES", TABLES_COLUMNS, tables),
    of_schema("VIEWS", VIEWS, views),
    of_schema("PARTITIONS", PARTITIONS, partitions),
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
    let own = [INFORMATION_SCHEMA, MYSQL].into_iter().filter_map(virtual_database);
    let mut rows: Vec<Vec<Value>> = own.map(|(name, collation)| row(name, collation, "")).collect();
    for database in cx.state.engine.catalog().databases().filter(|database| database.name != MYSQL) {
        rows.push(row(&database.name, database.def.collation, &database.def.comment));
    }
    Ok(rows)
}

fn tables(cx: &mut Cx<'_>) -> Rows {
    let mut rows: Vec<Vec<Value>> = virtual_tables().map(|table| system_view(table.name)).collect();
    let from = rows.len();
    rows.extend(
        own_tables(&cx.wanted).map(|table| table_row(&table, Sizes::default(), None, Default::default())),
    );
    for view in mysql::views() {
        if cx.wanted.has(&view.db, &view.name) {
            rows.push(view_row(cx, view)?);
        }
    }
    let engine = cx.state.engine.clone();
    let catalog = engine.catalog();
    if let Some(database) = catalog.database(MYSQL) {
        stored_in(database, &engine, cx, &mut rows)?;
    }
    sort(&mut rows[from..]);
    for database in catalog.databases().filter(|database| database.name != MYSQL) {
        let from = rows.len();
        stored_in(database, &engine, cx, &mut rows)?;
        sort(&mut rows[from..]);
    }
    Ok(rows)
}

/// The rows of a database's stored tables and views.
fn stored_in(
    database: &Database,
    engine: &Engine,
    cx: &mut Cx<'_>,
    rows: &mut Vec<Vec<Value>>,
) -> Result<(), SqlError> {
    for table in stored(database).filter(|t| cx.wanted.has(t.db(), t.name())) {
        runtime::slice_point();
        rows.push(base_table(engine, table, &cx.state.vars.time_zone));
    }
    for view in stored_views(database) {
        cx.check_interrupt()?;
        if cx.wanted.has(&view.db, &view.name) {
            rows.push(view_row(cx, view)?);
        }
    }
    Ok(())
}

/// Puts the rows of one database in the order of their names.
fn sort(rows: &mut [Vec<Value>]) {
    rows.sort_by_key(|row| crate::session::variables::shown(&row[2]));
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
fn view_row(cx: &mut Cx<'_>, definition: &ViewDef) -> Result<Vec<Value>, SqlError> {
    let comment = match cx.wanted.names_only {
        true => None,
        false => fault_of(cx, definition),
    };
    let comment = comment.unwrap_or_else(|| "VIEW".to_owned());
    let mut row = vec![def(), text(&definition.db), text(&definition.name), text("VIEW")];
    row.resize(20, Value::Null);
    row.extend([text(comment), Value::Null, Value::Null]);
    Ok(row)
}

/// What is wrong with a view that does not work any more, which is warned of.
fn fault_of(cx: &mut Cx<'_>, definition: &ViewDef) -> Option<String> {
    let error = cx.state.without_privileges(|state| view_definition(state, definition)).err()?;
    cx.state.warn(Level::Warning, error.errno, error.message.clone());
    Some(error.message)
}

fn views(cx: &mut Cx<'_>) -> Rows {
    let engine = cx.state.engine.clone();
    let catalog = engine.catalog();
    let stored = catalog.databases().flat_map(|database| stored_views(database));
    let mut row = |view: &ViewDef| {
        let opens = !cx.wanted.names_only && cx.wanted.has(&view.db, &view.name);
        let updatable = match opens && fault_of(cx, view).is_some() {
            true => text(""),
            false => super::yes(is_updatable(view)),
        };
        vec![
            def(),
            text(&view.db),
            text(&view.name),
            text(told_view_text(cx.state, view)),
            text(view.check.name()),
            updatable,
            text(format!("{}@{}", view.definer.0, view.definer.1)),
            text(if view.invoker { "INVOKER" } else { "DEFINER" }),
            text(&view.client_charset),
            text(view.connection.name()),
            text(view.algorithm.name()),
        ]
    };
    let mut rows: Vec<Vec<Value>> = mysql::views().map(&mut row).collect();
    rows.extend(stored.map(row));
    Ok(rows)
}

/// Whether a view's own form lets rows be changed through it, and a column stands in its list as it is.
fn is_updatable(view: &ViewDef) -> bool {
    let Ok(query) = parse_view(&view.query) else { return false };
    let QueryBody::Select(select) = &query.body else { return false };
    let changeable = view.algorithm != types::ViewAlgorithm::Temptable && is_changeable(&query);
    changeable
        && select.items.iter().any(|item| match item {
            SelectItem::Expr { expr, .. } => matches!(expr.kind, ExprKind::Column(_)),
            SelectItem::Star | SelectItem::TableStar(_) => true,
        })
}

/// How large a table is: as far as one file for all tables tells them apart, in data bytes alone.
#[derive(Clone, Copy, Default)]
struct Sizes {
    rows: u64,
    data: u64,
}

impl Sizes {
    fn of(engine: &Engine, table: &Table) -> Self {
        Self { rows: table.row_count(), data: engine.data_bytes(table) }
    }

    /// TABLE_ROWS to DATA_FREE.
    fn columns(self) -> [Value; 6] {
        let average = self.data.checked_div(self.rows).unwrap_or(0);
        [self.rows, average, self.data, 0, 0, 0].map(Value::UInt)
    }
}

/// CREATE_TIME and UPDATE_TIME of a table: what is not known of it is NULL.
fn times(table: &Table, zone: &TimeZone) -> [Value; 2] {
    let local = |at: u32| Value::DateTime(zone.local_of_unix(at.into(), 0), 0);
    [table.defined_at(), table.changed_at()].map(|at| at.map_or(Value::Null, local))
}

fn base_table(engine: &Engine, table: &Table, zone: &TimeZone) -> Vec<Value> {
    let counter = table.def().auto_increment_column().map(|_| table.auto_increment().get().max(1));
    table_row(table.def(), Sizes::of(engine, table), counter, times(table, zone))
}

fn table_row(definition: &TableDef, sizes: Sizes, counter: Option<u64>, times: [Value; 2]) -> Vec<Value> {
    let options: Vec<String> =
        definition.options.iter().map(|(name, value)| format!("{}={value}", name.to_lowercase())).collect();
    let mut row =
        vec![def(), text(&definition.db), text(&definition.name), text("BASE TABLE"), text("InnoDB")];
    let format =
        definition.options.iter().find(|(name, _)| name == "ROW_FORMAT").map(|(_, format)| format.as_str());
    let format = match format {
        Some("COMPACT") => "Compact",
        Some("REDUNDANT") => "Redundant",
        Some("COMPRESSED") => "Compressed",
        _ => "Dynamic",
    };
    row.extend([Value::UInt(10), text(format)]);
    row.extend(sizes.columns());
    row.push(counter.map_or(Value::Null, Value::UInt));
    row.extend(times);
    row.push(Value::Null);
    row.extend([text(definition.collation.name()), Value::Null, text(options.join(" "))]);
    row.extend([text(&definition.comment), Value::UInt(0), text("N")]);
    row
}

/// One row a table: there is no partitioning.
fn partitions(cx: &mut Cx<'_>) -> Rows {
    let engine = cx.state.engine.clone();
    let catalog = engine.catalog();
    let row = |definition: &TableDef, sizes: Sizes, times: [Value; 2]| {
        let mut row = vec![def(), text(&definition.db), text(&definition.name)];
        row.resize(12, Value::Null);
        row.extend(sizes.columns());
        row.extend(times);
        row.resize(22, Value::Null);
        row.extend([text(""), text(""), optional(None::<&str>)]);
        row
    };
    let zone = &cx.state.vars.time_zone;
    let mut rows: Vec<Vec<Value>> =
        own_tables(&cx.wanted).map(|table| row(&table, Sizes::default(), Default::default())).collect();
    let tables = catalog.databases().flat_map(|database| stored(database));
    rows.extend(tables.map(|table| row(table.def(), Sizes::of(&engine, table), times(table, zone))));
    Ok(rows)
}
