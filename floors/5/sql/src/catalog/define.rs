//! Columns of virtual tables in a short form: `NAME:kind` with a space between, where a kind is a letter and its
//! parameters, with what else is said of the column behind; `~` is a space.
//!
//! | letter | type | letter | type |
//! | --- | --- | --- | --- |
//! | `s64` `c64` `v64` | VARCHAR(64), CHAR(64), VARBINARY(64) | `x` `m` `t` | TEXT, MEDIUMTEXT, LONGTEXT |
//! | `b21` `i7` `h5` `y2` | BIGINT, INT, SMALLINT, TINYINT of a width | `o` `l` | BLOB, LONGBLOB |
//! | `D7,3` | DECIMAL(7,3) | `f` | DOUBLE |
//! | `d` `k6` `q6` | DATETIME, TIMESTAMP(6), TIME(6) | `j` | JSON |
//! | `EN,Y` `SN,Y` | ENUM and SET of labels | `M` | SET of the words of `sql_mode` |
//!
//! Behind it, in this order: `u` for unsigned, `?` for nullable, `@` and a collation (none: utf8mb3_general_ci), `+` for
//! AUTO_INCREMENT, `=` and a default, `=now` for a TIMESTAMP that follows the clock. `!COLLATE=...` and `!COMMENT=...`
//! are the table's; `!PRIMARY(a,b)`, `!UNIQUE=name(a,b)` and `!KEY=name(a,b)` its indexes.

use crate::session::mode;
use std::sync::Arc;
use types::column::{BlobSize, DecimalType, FloatType, IntSize, IntegerType};
use types::{Collation, TableDef, Value};
use types::{
    CollationId, ColumnDef, ColumnType, DefaultValue, EnumValue, IndexDef, IndexKind, Labels, SetValue,
};

/// The definition of a table, by database and name.
pub(crate) fn table((database, name): (&str, &str), columns: &str) -> TableDef {
    let mut table = TableDef::new((database, name), CollationId::UTF8MB3_GENERAL_CI, Vec::new(), Vec::new());
    for word in columns.split_whitespace() {
        match word.strip_prefix('!') {
            Some(word) => option(&mut table, word),
            None => table.columns.extend(column(word, table.collation)),
        }
    }
    table
}

/// What is said of a table beside its columns.
fn option(table: &mut TableDef, word: &str) {
    if let Some(collation) = word.strip_prefix("COLLATE=") {
        table.collation = named(collation);
    } else if let Some(comment) = word.strip_prefix("COMMENT=") {
        table.comment = comment.replace('~', " ");
    } else if let Some((head, columns)) = word.strip_suffix(')').and_then(|word| word.split_once('(')) {
        let places: Vec<usize> = columns.split(',').filter_map(|name| table.column_index(name)).collect();
        table.indexes.push(match head.split_once('=') {
            Some(("UNIQUE", name)) => IndexDef::new(name, IndexKind::Unique, &places),
            Some((_, name)) => IndexDef::new(name, IndexKind::Key, &places),
            None => IndexDef::primary(&places),
        });
    }
}

fn named(collation: &str) -> CollationId {
    Collation::by_name(collation).map_or(CollationId::UTF8MB3_GENERAL_CI, |collation| collation.id)
}

fn column(word: &str, collation: CollationId) -> Option<ColumnDef> {
    let (name, kind) = word.split_once(':')?;
    let (kind, default) = kind.split_once('=').map_or((kind, None), |(kind, default)| (kind, Some(default)));
    let counts = kind.ends_with('+');
    let kind = kind.trim_end_matches('+');
    let (kind, own) = kind.split_once('@').map_or((kind, None), |(kind, own)| (kind, Some(own)));
    let nullable = kind.ends_with('?');
    let kind = kind.trim_end_matches('?');
    let mut column = ColumnDef::new(&name.replace('~', " "), column_type(kind)?, nullable);
    column.auto_increment = counts;
    if column.ty.has_charset() {
        column.collation = own.map_or(collation, named);
    }
    column.default = match default {
        Some("now") => DefaultValue::CurrentTimestamp,
        Some(default) => DefaultValue::Literal(default.replace('~', " ").into_bytes()),
        None if nullable => DefaultValue::Null,
        None => DefaultValue::None,
    };
    column.on_update_now = column.default == DefaultValue::CurrentTimestamp;
    if kind == "j" {
        column.collation = CollationId::UTF8MB4_BIN;
        column.default = DefaultValue::Literal(b"{}".to_vec());
        column.check = Some(format!("json_valid(`{name}`)"));
    }
    Some(column)
}

fn column_type(kind: &str) -> Option<ColumnType> {
    let labels = |words: &str| {
        let words = words.replace('~', " ");
        Arc::new(Labels::new(words.split(',').map(|word| word.as_bytes().to_vec()).collect()))
    };
    let rest = kind.get(1..)?;
    let unsigned = rest.ends_with('u');
    let parameters = rest.trim_end_matches('u');
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    let integer = |size| {
        let width = number(parameters).min(255) as u8;
        ColumnType::Integer(IntegerType { width, ..IntegerType::new(size, unsigned) })
    };
    Some(match kind.as_bytes().first()? {
        b's' => ColumnType::VarChar(number(parameters)),
        b'c' => ColumnType::Char(number(parameters)),
        b'v' => ColumnType::VarBinary(number(parameters)),
        b'x' => ColumnType::Text(BlobSize::Normal),
        b'm' => ColumnType::Text(BlobSize::Medium),
        b't' | b'j' => ColumnType::Text(BlobSize::Long),
        b'o' => ColumnType::Blob(BlobSize::Normal),
        b'l' => ColumnType::Blob(BlobSize::Long),
        b'b' => integer(IntSize::Big),
        b'i' => integer(IntSize::Normal),
        b'h' => integer(IntSize::Small),
        b'y' => integer(IntSize::Tiny),
        b'd' => ColumnType::DateTime(0),
        b'k' => ColumnType::Timestamp(number(parameters) as u8),
        b'q' => ColumnType::Time(number(parameters) as u8),
        b'f' => ColumnType::Double(FloatType::default()),
        b'E' => ColumnType::Enum(labels(rest)),
        b'S' => ColumnType::Set(labels(rest)),
        // One of them has lost its first word here.
        b'M' => ColumnType::Set(labels(&mode::NAMES.join(",").replace("ALLOW_INVALID", "INVALID"))),
        b'D' => {
            let (precision, scale) = parameters.split_once(',')?;
            ColumnType::Decimal(DecimalType {
                precision: number(precision) as u8,
                scale: number(scale) as u8,
                unsigned,
                zerofill: false,
            })
        }
        _ => return None,
    })
}

/// Gives the texts of a row the collations of their columns; those of ENUM and SET columns become labels.
pub(super) fn fit(table: &TableDef, row: &mut [Value]) {
    for (value, column) in row.iter_mut().zip(&table.columns) {
        let Value::Str(text) = value else { continue };
        let collation = column.collation;
        text.collation = collation;
        let is = |label: &[u8], part: &[u8]| label == part;
        match &column.ty {
            ColumnType::Enum(labels) => {
                let at = labels.iter().position(|label| is(label, &text.bytes));
                let index = at.map_or(0, |at| at as u16 + 1);
                *value = Value::Enum(EnumValue { index, labels: labels.clone(), collation });
            }
            ColumnType::Set(labels) => {
                let held = |label: &[u8]| text.bytes.split(|byte| *byte == b',').any(|part| is(label, part));
                let all = labels.iter().enumerate().filter(|(_, label)| held(label));
                let bits = all.fold(0, |bits, (at, _)| bits | 1 << at);
                *value = Value::Set(SetValue { bits, labels: labels.clone(), collation });
            }
            _ => {}
        }
    }
}
