//! CREATE TABLE ... SELECT: columns from a query, then its rows.

use super::draft::{Draft, DraftColumn};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::{Class, Coercibility, Type, TypeKind, store};
use crate::plan::OutputColumn;
use crate::session::State;
use crate::syntax::ast;
use types::{
    BlobSize, CollationId, ColumnDef, ColumnType, DecimalType, DefaultValue, FloatType, IntSize, IntegerType,
};

/// Bytes beyond which a string becomes TEXT.
const MAX_VARCHAR_BYTES: u64 = 65_532;

/// Adds the query's columns to the draft; columns that are there keep their definition. Gives their names.
pub fn add_columns(
    state: &mut State,
    draft: &mut Draft,
    select: &ast::CreateSelect,
    text: &[u8],
) -> Result<Vec<String>, SqlError> {
    let plan = Binder::new(state, text, &[]).query(&select.query)?;
    let names: Vec<String> = plan.columns.iter().map(|c| c.name.clone()).collect();
    for column in &plan.columns {
        super::names::column(&column.name)?;
        if names.iter().filter(|name| types::table::same_name(name, &column.name)).count() > 1 {
            return Err(SqlError::dup_fieldname(&column.name));
        }
        if draft.column(&column.name).is_none() {
            let mut def = definition(column, state)?;
            add_temporary_default(&mut def, column);
            draft.columns.push(DraftColumn { def, from: None, default: None });
        }
    }
    Ok(names)
}

/// The INSERT that fills the new table.
pub fn fill(select: &ast::CreateSelect, db: &str, name: &str, columns: Vec<String>) -> ast::Insert {
    let column = |column| ast::ColumnRef { column, ..ast::ColumnRef::default() };
    ast::Insert {
        replace: select.replace,
        priority: ast::Priority::Normal,
        ignore: select.ignore,
        table: ast::TableName { database: Some(db.to_owned()), name: name.to_owned() },
        partitions: Vec::new(),
        columns: columns.into_iter().map(column).collect(),
        explicit_columns: true,
        source: ast::InsertSource::Query(select.query.clone()),
        row_alias: None,
        on_duplicate: Vec::new(),
        returning: None,
    }
}

/// A column of the query: as its table defines it, keys and counter apart, or after its type.
pub fn definition(column: &OutputColumn, state: &State) -> Result<ColumnDef, SqlError> {
    if let Some((database, table, name)) = column.origin.as_ref().and_then(|origin| origin.stored()) {
        let catalog = state.engine.catalog();
        let table = state.temporary(database, table).or_else(|| catalog.table(database, table));
        let found = table.and_then(|t| t.def().column_index(name).map(|at| (t, at)));
        if let Some((table, at)) = found {
            let mut def = table.def().columns[at].clone();
            def.name.clone_from(&column.name);
            def.nullable = column.ty.nullable;
            def.auto_increment = false;
            def.generated = None;
            def.check = None;
            if def.default == DefaultValue::None && table.def().columns[at].auto_increment {
                def.default = DefaultValue::Literal(b"0".to_vec());
            }
            return Ok(def);
        }
    }
    Ok(column_of(&column.name, &column.ty))
}

/// Columns of MariaDB's temporary tables have the default of their type; they keep it in the table made of them.
fn add_temporary_default(def: &mut ColumnDef, column: &OutputColumn) {
    let temporary = column.origin.as_ref().is_some_and(|origin| origin.schema.is_empty());
    let large = def.ty.is_blob();
    if temporary && !def.nullable && !large {
        let zero = crate::expr::compare_text(&store::implicit_default(def));
        def.default = DefaultValue::Literal(zero.into_bytes());
    }
}

/// A column that holds values of a type.
pub fn column_of(name: &str, ty: &Type) -> ColumnDef {
    let mut def = ColumnDef::new(name, column_type(ty), ty.nullable);
    if def.ty.has_charset() {
        def.collation = ty.collation;
    }
    def
}

fn column_type(ty: &Type) -> ColumnType {
    let integer = |size| {
        let mut integer = IntegerType::new(size, ty.unsigned);
        // What a function gives has a place for a sign, a constant has none.
        let sign = u32::from(ty.written && ty.nullable);
        integer.width = (ty.length + sign).clamp(1, 255) as u8;
        ColumnType::Integer(integer)
    };
    let fraction = ty.decimals.min(6);
    match ty.kind {
        TypeKind::Null => ColumnType::Binary(0),
        TypeKind::Tiny => integer(IntSize::Tiny),
        TypeKind::Short => integer(IntSize::Small),
        TypeKind::Int24 => integer(IntSize::Medium),
        TypeKind::Long => integer(IntSize::Normal),
        TypeKind::LongLong if ty.length <= 9 => integer(IntSize::Normal),
        TypeKind::LongLong => integer(IntSize::Big),
        TypeKind::Float => ColumnType::Float(float(ty)),
        TypeKind::Double => ColumnType::Double(float(ty)),
        TypeKind::Decimal => {
            let signs = u32::from(!ty.unsigned) + u32::from(ty.decimals > 0);
            let precision = ty.length.saturating_sub(signs).clamp(1, 65) as u8;
            let scale = ty.decimals.min(38).min(precision);
            ColumnType::Decimal(DecimalType { precision, scale, unsigned: ty.unsigned, zerofill: false })
        }
        TypeKind::Year => ColumnType::Year,
        TypeKind::Bit => ColumnType::Bit(ty.length.clamp(1, 64) as u8),
        TypeKind::Date => ColumnType::Date,
        TypeKind::Time => ColumnType::Time(fraction),
        TypeKind::DateTime => ColumnType::DateTime(fraction),
        TypeKind::Timestamp => ColumnType::Timestamp(fraction),
        TypeKind::Fixed(fixed) => ColumnType::Fixed(fixed),
        TypeKind::Geometry(geometry) => ColumnType::Geometry(geometry),
        TypeKind::Enum | TypeKind::Set => match (&ty.labels, ty.kind) {
            (Some(labels), TypeKind::Enum) => ColumnType::Enum(labels.clone()),
            (Some(labels), _) => ColumnType::Set(labels.clone()),
            (None, _) => string(ty),
        },
        _ => string(ty),
    }
}

/// A float keeps a known number of digits after the point.
fn float(ty: &Type) -> FloatType {
    let digits = (ty.decimals < 31).then(|| (ty.length.min(255) as u8, ty.decimals));
    FloatType { digits, ..FloatType::default() }
}

/// The longest computed text, in characters, that a VARCHAR is made of.
const LONGEST_VARCHAR: u32 = 512;

fn string(ty: &Type) -> ColumnType {
    debug_assert!(ty.class() == Class::Str || ty.labels.is_some());
    let binary = ty.collation == CollationId::BINARY;
    let bytes = u64::from(ty.length) * ty.collation.charset().max_char_bytes() as u64;
    let size = match ty.kind {
        TypeKind::TinyBlob => Some(BlobSize::Tiny),
        TypeKind::Blob if ty.length > BlobSize::Normal.max_bytes() => Some(BlobSize::Medium),
        TypeKind::Blob => Some(BlobSize::Normal),
        TypeKind::MediumBlob => Some(BlobSize::Medium),
        TypeKind::LongBlob => Some(BlobSize::Long),
        // Text computed is kept as TEXT sooner than a column's own.
        _ if ty.length > LONGEST_VARCHAR && ty.origin.name().is_none() && bytes <= MAX_VARCHAR_BYTES => {
            Some(BlobSize::Normal)
        }
        _ if bytes <= MAX_VARCHAR_BYTES => None,
        _ if bytes <= u64::from(BlobSize::Medium.max_bytes()) => Some(BlobSize::Medium),
        _ => Some(BlobSize::Long),
    };
    let always_empty = ty.length == 0 && ty.origin.name().is_none();
    // Texts that functions make are of the wire's type too, but are no CHAR columns.
    let of_column = ty.kind == TypeKind::Char && ty.coercibility == Coercibility::Implicit;
    match (size, binary) {
        (None, true) if always_empty => ColumnType::Binary(0),
        (None, false) if always_empty => ColumnType::Char(0),
        (Some(size), true) => ColumnType::Blob(size),
        (Some(size), false) => ColumnType::Text(size),
        (None, true) if of_column => ColumnType::Binary(ty.length),
        (None, false) if of_column => ColumnType::Char(ty.length),
        (None, true) => ColumnType::VarBinary(ty.length),
        (None, false) => ColumnType::VarChar(ty.length),
    }
}
