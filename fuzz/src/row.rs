//! Row images: decoding, and writing columns for clients.

use std::sync::{Arc, OnceLock};

use binlog::event::Body;
use types::row::{RowLayout, WireOptions};
use types::{BlobSize, ColumnDef, ColumnType, DecimalType, FloatType, IntSize, IntegerType, Labels};

use crate::binlog_segment::{MARIADB_SEGMENT, events};

/// Takes `data` as a row of a table that has a column of every type.
pub fn run(data: &[u8]) {
    let layout = layout();
    let _ = layout.image_len(data);
    let mut values = Vec::new();
    let _ = layout.decode_all(data, &mut values);
    let (options, mut out) = (WireOptions::default(), Vec::new());
    for column in 0..layout.len() {
        let _ = layout.is_null(data, column);
        let _ = layout.decode_column(data, column);
        if let Ok(Some(bytes)) = layout.column_bytes(data, column) {
            let _ = layout.column(column).write_text(bytes, &options, &mut out);
            let _ = layout.column(column).write_binary(bytes, &options, &mut out);
        }
        // Any bytes as this column's, without a row that says how many there are.
        let _ = layout.column(column).decode(data);
        let _ = layout.column(column).write_text(data, &options, &mut out);
        let _ = layout.column(column).write_binary(data, &options, &mut out);
    }
}

/// The table of the seed segment.
fn layout() -> &'static RowLayout {
    static LAYOUT: OnceLock<RowLayout> = OnceLock::new();
    LAYOUT.get_or_init(|| {
        let labels =
            |labels: &[&str]| Arc::new(Labels::new(labels.iter().map(|l| l.as_bytes().to_vec()).collect()));
        let integer = |size, unsigned| ColumnType::Integer(IntegerType::new(size, unsigned));
        let float = FloatType { digits: None, unsigned: false, zerofill: false };
        let types = [
            integer(IntSize::Normal, true),
            integer(IntSize::Tiny, false),
            integer(IntSize::Small, true),
            integer(IntSize::Medium, false),
            integer(IntSize::Big, false),
            ColumnType::Float(float),
            ColumnType::Double(float),
            ColumnType::Decimal(DecimalType { precision: 20, scale: 6, unsigned: false, zerofill: false }),
            ColumnType::Bit(12),
            ColumnType::Year,
            ColumnType::Date,
            ColumnType::Time(3),
            ColumnType::DateTime(6),
            ColumnType::Timestamp(2),
            ColumnType::Char(10),
            ColumnType::VarChar(300),
            ColumnType::Binary(5),
            ColumnType::VarBinary(20),
            ColumnType::Text(BlobSize::Normal),
            ColumnType::Blob(BlobSize::Normal),
            ColumnType::Enum(labels(&["x", "y"])),
            ColumnType::Set(labels(&["p", "q", "r"])),
        ];
        let columns: Vec<ColumnDef> = types.into_iter().map(|ty| ColumnDef::new("c", ty, true)).collect();
        RowLayout::of_columns(&columns)
    })
}

/// The rows that MariaDB wrote into the seed segment; each must decode.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    events(MARIADB_SEGMENT, |kind, flags, body, map| match (Body::decode(kind, flags, body), &map) {
        (Ok(Body::TableMap(decoded)), _) => *map = Some(decoded),
        (Ok(Body::Rows(rows)), Some(of)) => {
            for change in rows.changes(of).into_iter().flatten().flatten() {
                seeds.extend([change.before, change.after].into_iter().flatten().map(<[u8]>::to_vec));
            }
        }
        _ => {}
    });
    for seed in &seeds {
        let mut values = Vec::new();
        layout().decode_all(seed, &mut values).expect("a row of MariaDB's decodes");
    }
    seeds
}
