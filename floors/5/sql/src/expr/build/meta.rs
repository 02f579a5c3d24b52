//! The wire's description of a result's column.

use super::super::{Class, Named, Type, TypeKind};
use crate::output::{ColumnMeta, flag};
use crate::plan::OutputColumn;
use crate::session::Vars;
use types::CollationId;
use types::column::wire;

/// Describes a column as MariaDB does to this session's client.
pub fn meta(column: &OutputColumn, vars: &Vars) -> ColumnMeta {
    let ty = &column.ty;
    let origin = column.origin.as_deref().cloned().unwrap_or_default();
    let (stored, is_text) = (is_stored(column), is_text(ty));
    let binary = !is_text || ty.collation == CollationId::BINARY;
    let collation = match vars.character_set_results {
        _ if binary => CollationId::BINARY,
        Some(results) => results,
        None => ty.collation,
    };
    let widest = if binary { 1 } else { collation.charset().max_char_bytes() as u32 };
    let length = length(column, widest);
    let decimals = match ty.kind {
        _ if is_text && stored => 0,
        _ => ty.decimals,
    };
    let not_null = if origin.never_null { flag::NOT_NULL } else { 0 };
    ColumnMeta {
        schema: origin.schema,
        table: origin.table,
        org_table: origin.org_table,
        name: column.name.clone(),
        org_name: origin.org_name,
        collation: collation.for_clients(),
        length,
        wire_type: if stored { wire_type(ty) } else { computed_wire_type(ty) },
        flags: origin.flags | not_null | type_flags(ty, binary, stored),
        decimals,
        default: None,
    }
}

/// The bytes of a column's longest text in its own character set.
pub fn text_bytes(column: &OutputColumn) -> u32 {
    length(column, column.ty.collation.charset().max_char_bytes() as u32)
}

/// How long a column's text can be where a character takes so many bytes at most.
fn length(column: &OutputColumn, widest: u32) -> u32 {
    let ty = &column.ty;
    let width = column.origin.as_ref().map_or(0, |origin| origin.width);
    match ty.kind {
        TypeKind::LongBlob if is_stored(column) => u32::MAX,
        _ if is_text(ty) => ty.length.saturating_mul(widest),
        _ if width > 0 => width,
        _ => ty.length,
    }
}

/// Whether it is described as the stored column that it is; expressions that only have a name are described as what they are.
fn is_stored(column: &OutputColumn) -> bool {
    column.origin.as_ref().is_some_and(|origin| !origin.computed)
}

fn is_text(ty: &Type) -> bool {
    ty.class() == Class::Str && ty.kind != TypeKind::Null
}

fn wire_type(ty: &Type) -> u8 {
    match ty.kind {
        TypeKind::Null => wire::NULL,
        TypeKind::Tiny => wire::TINY,
        TypeKind::Short => wire::SHORT,
        TypeKind::Int24 => wire::INT24,
        TypeKind::Long => wire::LONG,
        TypeKind::LongLong => wire::LONGLONG,
        TypeKind::Float => wire::FLOAT,
        TypeKind::Double => wire::DOUBLE,
        TypeKind::Decimal => wire::NEWDECIMAL,
        TypeKind::Year => wire::YEAR,
        TypeKind::Bit => wire::BIT,
        TypeKind::Date => wire::DATE,
        TypeKind::Time => wire::TIME,
        TypeKind::DateTime => wire::DATETIME,
        TypeKind::Timestamp => wire::TIMESTAMP,
        TypeKind::VarChar => wire::VAR_STRING,
        TypeKind::Char | TypeKind::Enum | TypeKind::Set | TypeKind::Fixed(_) => wire::STRING,
        TypeKind::Geometry(_) => wire::GEOMETRY,
        TypeKind::TinyBlob | TypeKind::Blob | TypeKind::MediumBlob | TypeKind::LongBlob => wire::BLOB,
    }
}

/// The wire type of a value that is no column's: long text tells its size.
fn computed_wire_type(ty: &Type) -> u8 {
    match ty.kind {
        TypeKind::TinyBlob => wire::TINY_BLOB,
        TypeKind::MediumBlob => wire::MEDIUM_BLOB,
        TypeKind::LongBlob => wire::LONG_BLOB,
        _ if is_handed_on(ty) => wire::VAR_STRING,
        _ => wire_type(ty),
    }
}

/// Whether it is one of the labels of a UNION whose rows are kept nowhere.
fn is_handed_on(ty: &Type) -> bool {
    ty.labels.is_some() && matches!(ty.origin, Named::United)
}

fn type_flags(ty: &Type, binary: bool, stored: bool) -> u16 {
    let mut flags = 0;
    let mut set = |condition: bool, bit: u16| flags |= if condition { bit } else { 0 };
    set(!ty.nullable, flag::NOT_NULL);
    set(ty.unsigned || ty.hex, flag::UNSIGNED);
    set(ty.zerofill, flag::ZEROFILL);
    let number = matches!(ty.class(), Class::Int | Class::Decimal | Class::Real);
    let bytes = matches!(ty.kind, TypeKind::Fixed(_)) && stored;
    let bytewise = binary || bytes || ty.collation.collation().is_bytewise();
    set(bytewise && !(stored && number), flag::BINARY);
    let labelled = stored || !is_handed_on(ty);
    set(ty.kind == TypeKind::Enum && labelled, flag::ENUM);
    set(ty.kind == TypeKind::Set && labelled, flag::SET);
    let blob = matches!(
        ty.kind,
        TypeKind::TinyBlob
            | TypeKind::Blob
            | TypeKind::MediumBlob
            | TypeKind::LongBlob
            | TypeKind::Geometry(_)
    );
    set(blob && stored, flag::BLOB);
    flags
}
