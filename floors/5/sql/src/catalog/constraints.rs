//! Indexes, keys and constraints.

use super::{Rows, VirtualTable, def, of_schema, own_tables, stored, text};
use crate::admin::converted;
use crate::exec::Cx;
use engine::{Statistics, Table};
use std::sync::Arc;
use types::{ForeignKeyDef, IndexDef, IndexKind, ReferentialAction, TableDef, Value};

const STATISTICS: &str = "TABLE_CATALOG:s512 TABLE_SCHEMA:s64 TABLE_NAME:s64 NON_UNIQUE:b1 INDEX_SCHEMA:s64 INDEX_NAME:s64 \
     SEQ_IN_INDEX:i2u COLUMN_NAME:s64 COLLATION:s1? CARDINALITY:b21? SUB_PART:b3? PACKED:s10? NULLABLE:s3 \
     INDEX_TYPE:s16 COMMENT:s16? INDEX_COMMENT:s1024 IGNORED:s3";
const KEY_COLUMN_USAGE: &str = "CONSTRAINT_CATALOG:s512 CONSTRAINT_SCHEMA:s64 CONSTRAINT_NAME:s64 TABLE_CATALOG:s512 \
     TABLE_SCHEMA:s64 TABLE_NAME:s64 COLUMN_NAME:s64 ORDINAL_POSITION:b10 \
     POSITION_IN_UNIQUE_CONSTRAINT:b10? REFERENCED_TABLE_SCHEMA:s64? REFERENCED_TABLE_NAME:s64? \
     REFERENCED_COLUMN_NAME:s64?";
const TABLE_CONSTRAINTS: &str = "CONSTRAINT_CATALOG:s512 CONSTRAINT_SCHEMA:s64 CONSTRAINT_NAME:s64 TABLE_SCHEMA:s64 TABLE_NAME:s64 \
     CONSTRAINT_TYPE:s64";
const REFERENTIAL_CONSTRAINTS: &str = "CONSTRAINT_CATALOG:s512 CONSTRAINT_SCHEMA:s64 CONSTRAINT_NAME:s64 UNIQUE_CONSTRAINT_CATALOG:s512 \
     UNIQUE_CONSTRAINT_SCHEMA:s64 UNIQUE_CONSTRAINT_NAME:s64? MATCH_OPTION:s64 UPDATE_RULE:s64 \
     DELETE_RULE:s64 TABLE_NAME:s64 REFERENCED_TABLE_NAME:s64?";
const CHECK_CONSTRAINTS: &str = "CONSTRAINT_CATALOG:s512 CONSTRAINT_SCHEMA:s64 TABLE_NAME:s64 CONSTRAINT_NAME:s64 LEVEL:s6 \
     CHECK_CLAUSE:t";

pub(super) static TABLES: &[VirtualTable] = &[
    of_schema("STATISTICS", STATISTICS, |cx| each(cx, statistics)),
    of_schema("KEY_COLUMN_USAGE", KEY_COLUMN_USAGE, |cx| each(cx, key_columns)),
    of_schema("TABLE_CONSTRAINTS", TABLE_CONSTRAINTS, |cx| each(cx, constraints)),
    of_schema("REFERENTIAL_CONSTRAINTS", REFERENTIAL_CONSTRAINTS, referential_constraints),
    of_schema("CHECK_CONSTRAINTS", CHECK_CONSTRAINTS, |cx| each(cx, checks)),
];

/// The rows that every table with a definition of its own gives; it is handed the table itself where there is one.
fn each(cx: &mut Cx<'_>, of: fn(&TableDef, Option<&Table>, &mut Vec<Vec<Value>>)) -> Rows {
    let mut rows = Vec::new();
    if let Some(own) = cx.wanted.own(cx.state) {
        of(own.def(), Some(&own), &mut rows);
        return Ok(rows);
    }
    for table in own_tables(&cx.wanted) {
        of(&table, None, &mut rows);
    }
    let wanted = |table: &&Arc<Table>| cx.wanted.has(table.db(), table.name());
    // The catalogue is not held while tables are looked into.
    let tables: Vec<Arc<Table>> = cx
        .state
        .engine
        .catalog()
        .databases()
        .flat_map(|database| stored(database))
        .filter(wanted)
        .cloned()
        .collect();
    for table in tables {
        cx.check_interrupt()?;
        of(&converted(table.def(), cx.state), Some(&table), &mut rows);
    }
    Ok(rows)
}

fn count(n: usize) -> Value {
    Value::Int(n as i64)
}

/// How many values the first `parts` parts of an index of a table tell apart, as the planner knows it too.
fn cardinality(table: &Table, known: &Statistics, index: usize, parts: usize) -> i64 {
    let (rows, kept) = (table.row_count(), &table.def().indexes[index]);
    let distinct = known.distinct.get(index).and_then(|prefixes| prefixes.get(parts - 1));
    match distinct {
        Some(distinct) if !kept.is_unique() || parts < kept.parts.len() => {
            (distinct.round() as i64).clamp(0, rows as i64)
        }
        _ => rows as i64,
    }
}

fn statistics(definition: &TableDef, table: Option<&Table>, rows: &mut Vec<Vec<Value>>) {
    let known = table.and_then(|table| table.statistics().ok()).unwrap_or_default();
    let told_apart = |at, parts| table.map_or(0, |table| cardinality(table, &known, at, parts));
    for (at, index) in definition.indexes.iter().enumerate() {
        let hashed = index.is_hashed();
        let kept_as = match index.kind {
            IndexKind::Spatial => "SPATIAL",
            _ if hashed => "HASH",
            _ => "BTREE",
        };
        for (i, part) in index.parts.iter().enumerate() {
            let column = &definition.columns[part.column];
            rows.push(vec![
                def(),
                text(&definition.db),
                text(&definition.name),
                Value::Int(i64::from(!index.is_unique())),
                text(&definition.db),
                text(&index.name),
                Value::UInt(i as u64 + 1),
                text(&column.name),
                text(if part.desc { "D" } else { "A" }),
                if hashed { Value::Null } else { Value::Int(told_apart(at, i + 1)) },
                part.prefix_chars.map_or(Value::Null, |n| Value::Int(i64::from(n))),
                Value::Null,
                text(if column.nullable { "YES" } else { "" }),
                text(kept_as),
                text(""),
                text(&index.comment),
                text(if index.options.ignored { "YES" } else { "NO" }),
            ]);
        }
    }
}

fn key_columns(definition: &TableDef, _: Option<&Table>, rows: &mut Vec<Vec<Value>>) {
    let mut add = |constraint: &str, column: usize, i: usize, reference: [Value; 4]| {
        let mut row = vec![def(), text(&definition.db), text(constraint), def(), text(&definition.db)];
        row.extend([text(&definition.name), text(&definition.columns[column].name), count(i + 1)]);
        row.extend(reference);
        rows.push(row);
    };
    for index in definition.indexes.iter().filter(|index| index.is_unique()) {
        for (i, part) in index.parts.iter().enumerate() {
            add(&index.name, part.column, i, [Value::Null, Value::Null, Value::Null, Value::Null]);
        }
    }
    for key in &definition.foreign_keys {
        for (i, (column, parent)) in key.columns.iter().zip(&key.ref_columns).enumerate() {
            let reference = [count(i + 1), text(&key.ref_db), text(&key.ref_table), text(parent)];
            add(&key.name, *column, i, reference);
        }
    }
}

fn constraints(definition: &TableDef, _: Option<&Table>, rows: &mut Vec<Vec<Value>>) {
    let mut add = |name: &str, kind: &str| {
        rows.push(vec![
            def(),
            text(&definition.db),
            text(name),
            text(&definition.db),
            text(&definition.name),
            text(kind),
        ]);
    };
    for index in definition.indexes.iter().filter(|index| index.is_unique()) {
        add(&index.name, if index.kind == IndexKind::Primary { "PRIMARY KEY" } else { "UNIQUE" });
    }
    for column in definition.columns.iter().filter(|column| column.check.is_some()) {
        add(column.check_name(), "CHECK");
    }
    for check in &definition.checks {
        add(&check.name, "CHECK");
    }
    for key in &definition.foreign_keys {
        add(&key.name, "FOREIGN KEY");
    }
}

fn rule(action: ReferentialAction) -> Value {
    text(match action {
        // InnoDB takes SET DEFAULT for RESTRICT.
        ReferentialAction::Restrict | ReferentialAction::SetDefault => "RESTRICT",
        ReferentialAction::NoAction => "NO ACTION",
        ReferentialAction::Cascade => "CASCADE",
        ReferentialAction::SetNull => "SET NULL",
    })
}

/// The parent's unique index that a foreign key refers to: one that begins with its columns.
fn parent_index<'t>(parent: &'t Table, key: &ForeignKeyDef) -> Option<&'t IndexDef> {
    let definition = parent.def();
    let begins = |index: &&IndexDef| {
        index.parts.len() >= key.ref_columns.len()
            && key
                .ref_columns
                .iter()
                .zip(&index.parts)
                .all(|(name, part)| types::table::same_name(&definition.columns[part.column].name, name))
    };
    definition.indexes.iter().find(begins)
}

fn referential_constraints(cx: &mut Cx<'_>) -> Rows {
    let mut rows = Vec::new();
    let catalog = cx.state.engine.catalog();
    for table in catalog.databases().flat_map(|database| database.tables.values()) {
        for key in &table.def().foreign_keys {
            let parent = catalog.table(&key.ref_db, &key.ref_table);
            let index = parent.and_then(|parent| parent_index(parent, key));
            rows.push(vec![
                def(),
                text(table.db()),
                text(&key.name),
                def(),
                text(&key.ref_db),
                index.map_or(Value::Null, |index| text(&index.name)),
                text("NONE"),
                rule(key.on_update),
                rule(key.on_delete),
                text(table.name()),
                text(&key.ref_table),
            ]);
        }
    }
    Ok(rows)
}

fn checks(definition: &TableDef, _: Option<&Table>, rows: &mut Vec<Vec<Value>>) {
    let mut add = |name: &str, level: &str, clause: &str| {
        let mut row = vec![def(), text(&definition.db), text(&definition.name), text(name)];
        row.extend([text(level), text(clause)]);
        rows.push(row);
    };
    for column in &definition.columns {
        if let Some(check) = &column.check {
            add(column.check_name(), "Column", check);
        }
    }
    for check in &definition.checks {
        add(&check.name, "Table", &check.expression);
    }
}
