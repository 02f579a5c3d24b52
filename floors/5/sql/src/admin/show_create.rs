//! SHOW CREATE TABLE and SHOW CREATE DATABASE: definitions as MariaDB 10.11 writes them.

use super::ddl::{default_text, quoted, quoted_name};
use super::dialect::Dialect;
use engine::{DatabaseDef, Table};
use std::fmt::Write as _;
use types::{
    CollationId, ColumnDef, ColumnType, DefaultValue, ForeignKeyDef, IndexAlgorithm, IndexDef, IndexKind,
    ReferentialAction, TableDef,
};

/// The statement that would make the table, with its counter as it stands in the definition.
pub fn create_table_text(def: &TableDef, dialect: &Dialect) -> String {
    dialect.requoted(create_table_text_as(def, &quoted_name(&def.name), dialect))
}

/// The table's definition with its present AUTO_INCREMENT counter.
pub fn present(table: &Table) -> TableDef {
    let mut def = (**table.def()).clone();
    def.auto_increment = def.auto_increment_column().map(|_| table.auto_increment().get());
    def
}

/// The statement that would make the table under a name that is quoted already; names in backquotes.
pub fn create_table_text_as(def: &TableDef, name: &str, dialect: &Dialect) -> String {
    let mut lines: Vec<String> = def.columns.iter().map(|c| column_text(c, def.collation, dialect)).collect();
    lines.extend(def.indexes.iter().map(|index| index_text(index, def, dialect)));
    let mut keys: Vec<&ForeignKeyDef> = def.foreign_keys.iter().collect();
    keys.sort_by(|a, b| a.name.cmp(&b.name));
    lines.extend(keys.into_iter().map(|key| foreign_key_text(key, def)));
    lines.extend(
        def.checks.iter().map(|c| format!("CONSTRAINT {} CHECK ({})", quoted_name(&c.name), c.expression)),
    );
    format!("CREATE TABLE {name} (\n  {}\n){}", lines.join(",\n  "), options_text(def, dialect))
}

/// The statement that would make the database.
pub fn create_database_text(name: &str, def: &DatabaseDef, dialect: &Dialect) -> String {
    let mut text = format!(
        "CREATE DATABASE {} /*!40100 DEFAULT CHARACTER SET {} COLLATE {} */",
        quoted_name(name),
        def.collation.charset().name(),
        def.collation.name()
    );
    if !def.comment.is_empty() {
        let _ = write!(text, " COMMENT {}", quoted(&def.comment));
    }
    dialect.requoted(text)
}

fn options_text(def: &TableDef, dialect: &Dialect) -> String {
    if !dialect.has_table_options() {
        return String::new();
    }
    let mut text = if dialect.is_old() { " TYPE=InnoDB" } else { " ENGINE=InnoDB" }.to_owned();
    if let Some(next) = def.auto_increment.filter(|&n| n > 1 && def.auto_increment_column().is_some()) {
        let _ = write!(text, " AUTO_INCREMENT={next}");
    }
    if !dialect.is_old() {
        let (charset, collation) = (def.collation.charset().name(), def.collation.name());
        let _ = write!(text, " DEFAULT CHARSET={charset} COLLATE={collation}");
    }
    for (name, value) in &def.options {
        let _ = write!(text, " {name}={value}");
    }
    if !def.comment.is_empty() {
        let _ = write!(text, " COMMENT={}", quoted(&def.comment));
    }
    text
}

/// A column's line. A JSON column's own check is written out, as MariaDB does.
fn column_text(column: &ColumnDef, inherited: CollationId, dialect: &Dialect) -> String {
    let mut text = format!("{} {}", quoted_name(&column.name), column.ty.sql_text(column.collation));
    if dialect.is_old() {
        let binary = column.ty.has_charset() && column.collation.name().ends_with("_bin");
        text.push_str(if binary { " binary" } else { "" });
    } else if column.ty.has_charset() && column.collation != inherited {
        let (charset, collation) = (column.collation.charset().name(), column.collation.name());
        let _ = write!(text, " CHARACTER SET {charset} COLLATE {collation}");
    }
    if let Some(generated) = &column.generated {
        let kind = if generated.stored { "STORED" } else { "VIRTUAL" };
        let _ = write!(text, " GENERATED ALWAYS AS ({}) {kind}", generated.expression);
        if column.invisible {
            text.push_str(" INVISIBLE");
        }
    } else {
        column_value_text(column, dialect, &mut text);
    }
    if !column.comment.is_empty() {
        let _ = write!(text, " COMMENT {}", quoted(&column.comment));
    }
    if let Some(check) = &column.check {
        let _ = write!(text, " CHECK ({check})");
    }
    text
}

fn column_value_text(column: &ColumnDef, dialect: &Dialect, text: &mut String) {
    let is_timestamp = matches!(column.ty, ColumnType::Timestamp(_));
    if !column.nullable {
        text.push_str(" NOT NULL");
    } else if is_timestamp {
        text.push_str(" NULL");
    }
    if column.invisible {
        text.push_str(" INVISIBLE");
    }
    let fraction = match column.ty.decimals() {
        0 => String::new(),
        digits => digits.to_string(),
    };
    let default = match &column.default {
        _ if column.auto_increment => None,
        DefaultValue::None if column.nullable => Some("NULL".to_owned()),
        DefaultValue::None | DefaultValue::Missing => None,
        DefaultValue::Null => Some("NULL".to_owned()),
        DefaultValue::Literal(value) => Some(default_text(value, column, dialect.sql_mode())),
        DefaultValue::CurrentTimestamp => Some(format!("current_timestamp({fraction})")),
        DefaultValue::Expression(expression) => Some(expression.clone()),
    };
    if let Some(default) = default {
        let _ = write!(text, " DEFAULT {default}");
    }
    if column.on_update_now && dialect.has_on_update() {
        let _ = write!(text, " ON UPDATE current_timestamp({fraction})");
    }
    if column.auto_increment && dialect.has_auto_increment() {
        text.push_str(" AUTO_INCREMENT");
    }
}

fn index_text(index: &IndexDef, def: &TableDef, dialect: &Dialect) -> String {
    let mut text = match index.kind {
        IndexKind::Primary => "PRIMARY KEY".to_owned(),
        IndexKind::Unique => format!("UNIQUE KEY {}", quoted_name(&index.name)),
        IndexKind::Key => format!("KEY {}", quoted_name(&index.name)),
        IndexKind::Spatial => format!("SPATIAL KEY {}", quoted_name(&index.name)),
    };
    let parts: Vec<String> = index
        .parts
        .iter()
        .map(|part| {
            let mut name = def.columns.get(part.column).map_or(String::new(), |c| quoted_name(&c.name));
            if let Some(length) = part.prefix_chars.filter(|_| index.kind != IndexKind::Spatial) {
                let _ = write!(name, "({length})");
            }
            if part.desc {
                name.push_str(" DESC");
            }
            name
        })
        .collect();
    let _ = write!(text, " ({})", parts.join(","));
    if !dialect.has_key_options() {
        return text;
    }
    text.push_str(match index.options.algorithm {
        Some(IndexAlgorithm::Btree) => " USING BTREE",
        Some(IndexAlgorithm::Hash | IndexAlgorithm::Digest) => " USING HASH",
        None => "",
    });
    if !index.comment.is_empty() {
        let _ = write!(text, " COMMENT {}", quoted(&index.comment));
    }
    if index.options.ignored {
        text.push_str(" IGNORED");
    }
    text
}

/// A foreign key as its table's definition has it.
pub(super) fn foreign_key_text(key: &ForeignKeyDef, def: &TableDef) -> String {
    let columns: Vec<String> =
        key.columns.iter().filter_map(|&at| def.columns.get(at)).map(|c| quoted_name(&c.name)).collect();
    let parents: Vec<String> = key.ref_columns.iter().map(|name| quoted_name(name)).collect();
    let mut table = quoted_name(&key.ref_table);
    if key.ref_db != def.db {
        table = format!("{}.{table}", quoted_name(&key.ref_db));
    }
    let mut text = format!(
        "CONSTRAINT {} FOREIGN KEY ({}) REFERENCES {table} ({})",
        quoted_name(&key.name),
        columns.join(", "),
        parents.join(", ")
    );
    for (when, action) in [("DELETE", key.on_delete), ("UPDATE", key.on_update)] {
        let action = match action {
            // InnoDB does not know the latter.
            ReferentialAction::Restrict | ReferentialAction::SetDefault => continue,
            ReferentialAction::NoAction => "NO ACTION",
            ReferentialAction::Cascade => "CASCADE",
            ReferentialAction::SetNull => "SET NULL",
        };
        let _ = write!(text, " ON {when} {action}");
    }
    text
}
