//! A table's TABLE_MAP event: how the log's readers learn its columns.

use crate::ids::TableId;
use binlog::event::{TableMapBuilder, metadata_kind};
use types::column::wire;
use types::{ColumnDef, ColumnType, TableDef};

/// Made once a table.
pub(crate) fn of(id: TableId, def: &TableDef) -> TableMapBuilder {
    let mut map = TableMapBuilder::new(id.0, def.db.as_bytes(), def.name.as_bytes());
    for column in &def.columns {
        let (kind, metadata, len) = kind_and_metadata(column);
        map.column(kind, &metadata[..len], column.nullable);
    }
    let numeric = def.columns.iter().filter(|c| has_sign(&c.ty));
    let unsigned: Vec<bool> = numeric.map(|c| c.ty.is_unsigned()).collect();
    if !unsigned.is_empty() {
        map.signedness(&unsigned);
    }
    let character: Vec<u64> = def
        .columns
        .iter()
        .filter(|c| c.ty.has_charset() && !matches!(c.ty, ColumnType::Enum(_) | ColumnType::Set(_)))
        .map(|c| u64::from(c.collation.id()))
        .collect();
    if !character.is_empty() {
        map.numbers(metadata_kind::COLUMN_CHARSET, &character);
    }
    map
}

/// The types that the signedness bits count.
fn has_sign(ty: &ColumnType) -> bool {
    matches!(
        ty,
        ColumnType::Integer(_) | ColumnType::Decimal(_) | ColumnType::Float(_) | ColumnType::Double(_)
    )
}

fn kind_and_metadata(column: &ColumnDef) -> (u8, [u8; 2], usize) {
    let none = |kind| (kind, [0; 2], 0);
    let one = |kind, byte| (kind, [byte, 0], 1);
    let two = |kind, bytes| (kind, bytes, 2);
    match &column.ty {
        ColumnType::Integer(_) | ColumnType::Year | ColumnType::Date => none(column.ty.wire_type()),
        ColumnType::Decimal(t) => two(wire::NEWDECIMAL, [t.precision, t.scale]),
        ColumnType::Float(_) => one(wire::FLOAT, 4),
        ColumnType::Double(_) => one(wire::DOUBLE, 8),
        ColumnType::Bit(width) => two(wire::BIT, [width % 8, width / 8]),
        ColumnType::Time(digits) => one(wire::TIME2, *digits),
        ColumnType::DateTime(digits) => one(wire::DATETIME2, *digits),
        ColumnType::Timestamp(digits) => one(wire::TIMESTAMP2, *digits),
        ColumnType::VarChar(_) | ColumnType::VarBinary(_) => {
            let bytes = column.ty.max_bytes(column.collation).min(0xFFFF) as u16;
            two(wire::VARCHAR, bytes.to_le_bytes())
        }
        ColumnType::Char(_) | ColumnType::Binary(_) => {
            // Bits 8 and 9 of the length hide, inverted, in bits 4 and 5 of the type.
            let bytes = column.ty.max_bytes(column.collation).min(0x3FF) as u16;
            let high = ((bytes & 0x300) >> 4) as u8;
            two(wire::STRING, [wire::STRING ^ high, bytes as u8])
        }
        ColumnType::Fixed(ty) => two(wire::STRING, [wire::STRING, ty.size() as u8]),
        ColumnType::Geometry(_) => one(wire::GEOMETRY, 4),
        ColumnType::Text(size) | ColumnType::Blob(size) => one(wire::BLOB, size.length_bytes() as u8),
        ColumnType::Enum(labels) => two(wire::STRING, [wire::ENUM, if labels.len() < 256 { 1 } else { 2 }]),
        ColumnType::Set(labels) => {
            let bytes = match labels.len().div_ceil(8) {
                bytes @ 0..=4 => bytes,
                _ => 8,
            };
            two(wire::STRING, [wire::SET, bytes as u8])
        }
    }
}
