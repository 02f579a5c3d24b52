//! Columns of tables.

use super::{
    INFORMATION_SCHEMA, Rows, VirtualTable, def, mysql, of_schema, optional, own_tables, stored,
    stored_views, text, virtual_tables, yes,
};
use crate::admin::converted;
use crate::admin::{default_text, view_definition};
use crate::exec::Cx;
use crate::session::Level;
use types::{CollationId, ColumnDef, ColumnType, DefaultValue, IndexKind, TableDef, Value, ViewDef};

const COLUMNS: &str = "TABLE_CATALOG:s512 TABLE_SCHEMA:s64 TABLE_NAME:s64 COLUMN_NAME:s64 ORDINAL_POSITION:b21u \
     COLUMN_DEFAULT:t? IS_NULLABLE:s3 DATA_TYPE:s64 CHARACTER_MAXIMUM_LENGTH:b21u? \
     CHARACTER_OCTET_LENGTH:b21u? NUMERIC_PRECISION:b21u? NUMERIC_SCALE:b21u? DATETIME_PRECISION:b21u? \
     CHARACTER_SET_NAME:s32? COLLATION_NAME:s64? COLUMN_TYPE:t COLUMN_KEY:s3 EXTRA:s80 PRIVILEGES:s80 \
     COLUMN_COMMENT:s1024 IS_GENERATED:s6 GENERATION_EXPRESSION:t?";

pub(super) static TABLES: &[VirtualTable] = &[of_schema("COLUMNS", COLUMNS, columns)];

fn columns(cx: &mut Cx<'_>) -> Rows {
    let (mut rows, sql_mode) = (Vec::new(), cx.state.vars.sql_mode);
    if let Some(own) = cx.wanted.own(cx.state) {
        add(own.db(), &converted(own.def(), cx.state), sql_mode, &mut rows);
        return Ok(rows);
    }
    for table in virtual_tables() {
        add(INFORMATION_SCHEMA, &table.definition(), sql_mode, &mut rows);
    }
    for table in own_tables(&cx.wanted) {
        add(&table.db, &table, sql_mode, &mut rows);
    }
    let catalog = cx.state.engine.catalog();
    for view in mysql::views() {
        add_view(cx, view, &mut rows);
    }
    for database in catalog.databases() {
        for table in stored(database) {
            cx.check_interrupt()?;
            if cx.wanted.has(table.db(), table.name()) {
                add(&database.name, &converted(table.def(), cx.state), sql_mode, &mut rows);
            }
        }
        for view in stored_views(database) {
            add_view(cx, view, &mut rows);
        }
    }
    Ok(rows)
}

fn add_view(cx: &mut Cx<'_>, view: &ViewDef, rows: &mut Vec<Vec<Value>>) {
    if !cx.wanted.has(&view.db, &view.name) {
        return;
    }
    match cx.state.without_privileges(|state| view_definition(state, view)) {
        Ok(definition) => add(&view.db, &definition, cx.state.vars.sql_mode, rows),
        Err(error) => cx.state.warn(Level::Warning, error.errno, error.message),
    }
}

fn add(database: &str, table: &TableDef, sql_mode: u64, rows: &mut Vec<Vec<Value>>) {
    for (i, column) in table.columns.iter().enumerate() {
        rows.push(row(database, table, i, column, sql_mode));
    }
}

fn row(database: &str, table: &TableDef, position: usize, column: &ColumnDef, sql_mode: u64) -> Vec<Value> {
    let (characters, octets) = lengths(column);
    let (precision, scale) = numeric(&column.ty);
    let fraction = match &column.ty {
        ColumnType::Time(fsp) | ColumnType::DateTime(fsp) | ColumnType::Timestamp(fsp) => {
            Value::UInt(u64::from(*fsp))
        }
        ColumnType::Date => Value::Null,
        _ => Value::Null,
    };
    let charset = column.ty.has_charset().then_some(column.collation);
    let column_type = column.ty.sql_text(column.collation);
    let generated = column.generated.as_ref();
    vec![
        def(),
        text(database),
        text(&table.name),
        text(&column.name),
        Value::UInt(position as u64 + 1),
        shown_default(column, sql_mode),
        yes(column.nullable),
        text(data_type(&column_type)),
        characters,
        octets,
        precision,
        scale,
        fraction,
        optional(charset.map(|c| c.charset().name())),
        optional(charset.map(CollationId::name)),
        text(&column_type),
        text(key(table, position)),
        text(extra(column)),
        text("select,insert,update,references"),
        text(&column.comment),
        text(if generated.is_some() { "ALWAYS" } else { "NEVER" }),
        optional(generated.map(|g| &g.expression)),
    ]
}

/// The type's name alone.
fn data_type(column_type: &str) -> &str {
    column_type.split(['(', ' ']).next().unwrap_or(column_type)
}

/// The default as MariaDB shows it: an expression that gives it, `NULL` for DEFAULT NULL, nothing where there is none.
fn shown_default(column: &ColumnDef, sql_mode: u64) -> Value {
    match &column.default {
        _ if column.auto_increment => Value::Null,
        DefaultValue::None if column.nullable => text("NULL"),
        DefaultValue::None | DefaultValue::Missing => Value::Null,
        DefaultValue::Null => text("NULL"),
        DefaultValue::Literal(literal) => text(default_text(literal, column, sql_mode)),
        DefaultValue::CurrentTimestamp => text(now(column)),
        DefaultValue::Expression(expression) => text(expression),
    }
}

fn now(column: &ColumnDef) -> String {
    match column.ty.decimals() {
        0 => "current_timestamp()".to_owned(),
        fsp => format!("current_timestamp({fsp})"),
    }
}

fn lengths(column: &ColumnDef) -> (Value, Value) {
    let widest = column.collation.charset().max_char_bytes() as u64;
    let labels = |lengths: &mut dyn Iterator<Item = u64>, set: bool| match set {
        true => {
            let all: Vec<u64> = lengths.collect();
            all.iter().sum::<u64>() + (all.len() as u64).saturating_sub(1)
        }
        false => lengths.max().unwrap_or(0),
    };
    let characters = |label: &[u8]| column.collation.charset().char_count(label) as u64;
    let (characters, octets) = match &column.ty {
        ColumnType::Char(n) | ColumnType::VarChar(n) => (u64::from(*n), u64::from(*n) * widest),
        ColumnType::Binary(n) | ColumnType::VarBinary(n) => (u64::from(*n), u64::from(*n)),
        ColumnType::Text(size) | ColumnType::Blob(size) => {
            (u64::from(size.max_bytes()), u64::from(size.max_bytes()))
        }
        ColumnType::Enum(l) => {
            let n = labels(&mut l.iter().map(characters), false);
            (n, n * widest)
        }
        ColumnType::Set(l) => {
            let n = labels(&mut l.iter().map(characters), true);
            (n, n * widest)
        }
        _ => return (Value::Null, Value::Null),
    };
    (Value::UInt(characters), Value::UInt(octets))
}

/// Precision and scale of numbers.
fn numeric(ty: &ColumnType) -> (Value, Value) {
    let number = |n: u8| Value::UInt(u64::from(n));
    match ty {
        ColumnType::Integer(t) => {
            let digits = match (t.size.bytes(), t.unsigned) {
                (1, _) => 3,
                (2, _) => 5,
                (3, false) => 7,
                (3, true) => 8,
                (4, _) => 10,
                (_, false) => 19,
                (_, true) => 20,
            };
            (number(digits), Value::UInt(0))
        }
        ColumnType::Decimal(t) => (number(t.precision), number(t.scale)),
        ColumnType::Float(t) => t.digits.map_or((number(12), Value::Null), |(m, d)| (number(m), number(d))),
        ColumnType::Double(t) => t.digits.map_or((number(22), Value::Null), |(m, d)| (number(m), number(d))),
        ColumnType::Bit(width) => (number(*width), Value::Null),
        _ => (Value::Null, Value::Null),
    }
}

/// `PRI`, `UNI` or `MUL`: what the column is to the table's keys.
fn key(table: &TableDef, column: usize) -> &'static str {
    let primary = table.indexes.iter().find(|index| index.kind == IndexKind::Primary);
    if primary.is_some_and(|index| index.parts.iter().any(|part| part.column == column)) {
        return "PRI";
    }
    let leads = |index: &&types::IndexDef| index.parts.first().is_some_and(|part| part.column == column);
    let alone = |index: &types::IndexDef| index.kind == IndexKind::Unique && index.parts.len() == 1;
    // A table without a primary key shows its first unique one of NOT NULL columns as such.
    let stands_in = |index: &types::IndexDef| {
        primary.is_none()
            && index.kind == IndexKind::Unique
            && !index.is_digest()
            && index.parts.iter().all(|p| !table.columns[p.column].nullable && p.prefix_chars.is_none())
    };
    let first = table.indexes.iter().find(|index| stands_in(index));
    if first.is_some_and(|index| index.parts.iter().any(|part| part.column == column)) {
        return "PRI";
    }
    let leading: Vec<_> = table.indexes.iter().filter(leads).collect();
    match leading.as_slice() {
        [] => "",
        leading if leading.iter().any(|index| alone(index)) => "UNI",
        _ => "MUL",
    }
}

fn extra(column: &ColumnDef) -> String {
    let mut words = Vec::new();
    if let Some(generated) = &column.generated {
        words.push(if generated.stored { "STORED GENERATED" } else { "VIRTUAL GENERATED" }.to_owned());
    }
    if column.auto_increment {
        words.push("auto_increment".to_owned());
    }
    if column.on_update_now {
        words.push(format!("on update {}", now(column)));
    }
    if column.invisible {
        words.push("INVISIBLE".to_owned());
    }
    words.join(", ")
}
