//! Columns of virtual tables in a short form: `NAME:kind` with a space between, where a kind is a letter, its
//! parameters, `u` for unsigned and `?` for nullable; `~` in a name is a space.
//!
//! | letter | type | letter | type |
//! | --- | --- | --- | --- |
//! | `s64` | VARCHAR(64) | `t` | LONGTEXT |
//! | `b21` `i7` `h5` `y2` | BIGINT, INT, SMALLINT, TINYINT of a width | `o` | BLOB |
//! | `D7,3` | DECIMAL(7,3) | `f` | DOUBLE |
//! | `d` | DATETIME | | |

use super::INFORMATION_SCHEMA;
use types::column::{BlobSize, DecimalType, FloatType, IntSize, IntegerType};
use types::{CollationId, ColumnDef, ColumnType, DefaultValue, TableDef};

/// The definition of a table.
pub(crate) fn table(name: &str, columns: &str) -> TableDef {
    TableDef::new(
        (INFORMATION_SCHEMA, name),
        CollationId::UTF8MB3_GENERAL_CI,
        columns.split_whitespace().filter_map(column).collect(),
        Vec::new(),
    )
}

fn column(word: &str) -> Option<ColumnDef> {
    let (name, kind) = word.split_once(':')?;
    let nullable = kind.ends_with('?');
    let kind = kind.trim_end_matches('?');
    let unsigned = kind.ends_with('u');
    let parameters = kind.get(1..)?.trim_end_matches('u');
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    let integer = |size| {
        let width = number(parameters).min(255) as u8;
        ColumnType::Integer(IntegerType { width, ..IntegerType::new(size, unsigned) })
    };
    let ty = match kind.as_bytes().first()? {
        b's' => ColumnType::VarChar(number(parameters)),
        b't' => ColumnType::Text(BlobSize::Long),
        b'o' => ColumnType::Blob(BlobSize::Normal),
        b'b' => integer(IntSize::Big),
        b'i' => integer(IntSize::Normal),
        b'h' => integer(IntSize::Small),
        b'y' => integer(IntSize::Tiny),
        b'd' => ColumnType::DateTime(0),
        b'f' => ColumnType::Double(FloatType::default()),
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
    };
    let mut column = ColumnDef::new(&name.replace('~', " "), ty, nullable);
    if column.ty.has_charset() {
        column.collation = CollationId::UTF8MB3_GENERAL_CI;
    }
    column.default = if nullable { DefaultValue::Null } else { DefaultValue::None };
    Some(column)
}
