//! CREATE TABLE ... SELECT: columns from a query, then its rows.

use super::draft::{Draft, DraftColumn};
use crate::bind::Binder;
use crate::bind::scope::Origin;
use crate::error::{ER_VIEW_INVALID, SqlError};
use crate::expr::build::{LONGEST_VARCHAR, least_size, silently};
use crate::expr::{Class, Expr, Kind, Named, Type, TypeKind, store};
use crate::plan::{Body, OutputColumn};
use crate::session::{Running, State};
use crate::syntax::ast;
use std::sync::Arc;
use types::{
    BlobSize, CollationId, ColumnDef, ColumnType, DecimalType, DefaultValue, FloatType, IntSize, IntegerType,
};

/// Bytes beyond which a string becomes TEXT.
const MAX_VARCHAR_BYTES: u64 = 65_532;

/// Adds the query's columns to the draft; columns that are there keep their definition. Gives their names.
pub(crate) fn add_columns(
    state: &mut State,
    draft: &mut Draft,
    select: &ast::CreateSelect,
    running: &Running<'_>,
) -> Result<Vec<String>, SqlError> {
    // What binding tells of is told when the table is filled, but for what a view cannot be read for.
    let bind = |state: &mut State| Binder::new(state, running.text, running.params).query(&select.query);
    let plan = match silently(state, bind).0 {
        Err(error) if error.errno == ER_VIEW_INVALID => bind(state),
        bound => bound,
    };
    let plan = plan.map_err(|fault| state.fault_of_query(&select.query, true, fault))?;
    let names: Vec<String> = plan.columns.iter().map(|c| c.name.clone()).collect();
    let items = match &plan.body {
        Body::Select(select) => &select.items[..],
        _ => &[],
    };
    for (at, column) in plan.columns.iter().enumerate() {
        super::names::given_column(&column.name)?;
        if names.iter().filter(|name| types::table::same_name(name, &column.name)).count() > 1 {
            return Err(SqlError::dup_fieldname(&column.name));
        }
        if draft.column(&column.name).is_none() {
            let mut def = definition(column, false, state)?;
            if let ColumnType::VarBinary(length @ ..=255) = def.ty
                && items.get(at).is_some_and(is_bytes_of_fixed)
            {
                def.ty = ColumnType::Binary(length);
            }
            settle_default(&mut def, column, state);
            draft.columns.push(DraftColumn { def, from: None, default: None });
        }
    }
    Ok(names)
}

/// Whether it is the bytes of a UUID or an address, which are so many always.
fn is_bytes_of_fixed(e: &Expr) -> bool {
    match (&e.kind, &e.ty.origin) {
        (Kind::Const(_), Named::Computed(of)) => is_bytes_of_fixed(of),
        (Kind::Call(call), _) => {
            call.name == "cast_as_binary" && matches!(call.args[0].ty.kind, TypeKind::Fixed(_))
        }
        _ => false,
    }
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
        fills: true,
        on_duplicate: Vec::new(),
        returning: None,
    }
}

/// A column of the query, which may be a view's: as its table defines it, keys and counter apart, or after its type.
pub fn definition(column: &OutputColumn, of_view: bool, state: &State) -> Result<ColumnDef, SqlError> {
    let stored = column.origin.as_ref().and_then(|origin| stored_column(origin, state));
    if let Some(mut def) = stored {
        let totals = |origin: &Arc<Origin>| origin.in_totals && (of_view || origin.temporary.is_some());
        let totals = column.origin.as_ref().is_some_and(totals);
        if totals && !def.nullable && !matches!(def.ty, ColumnType::Bit(_)) {
            return Ok(in_totals(def, column));
        }
        def.name.clone_from(&column.name);
        let lacks = lacks_default(&def);
        def.nullable = column.ty.nullable;
        def.generated = None;
        def.invisible = false;
        (def.check, def.check_name) = (None, None);
        if std::mem::take(&mut def.auto_increment) && def.default == DefaultValue::None {
            def.default = DefaultValue::Literal(b"0".to_vec());
        } else if lacks {
            def.default = if def.nullable { DefaultValue::Missing } else { DefaultValue::None };
        }
        return Ok(def);
    }
    let mut ty = column.ty.clone();
    let end = match &ty.origin {
        Named::Extreme(Some(of), ..) if ty.class() == Class::Int => of.temporary,
        _ => None,
    };
    if let Some(temporary) = column.origin.as_ref().and_then(|origin| origin.temporary).or(end) {
        (ty.length, ty.written) = (temporary.length, false);
    }
    let mut def = column_of(&column.name, &ty);
    if matches!(&ty.origin, Named::Extreme(Some(of), ..) if of.merged) {
        // As long as it is, and no longer of its column's kind.
        let widest = def.collation.charset().max_char_bytes() as u64;
        def.ty = match def.ty {
            ColumnType::Char(length) => ColumnType::VarChar(length),
            ColumnType::Binary(length) => ColumnType::VarBinary(length),
            // Its bytes are taken for characters.
            ColumnType::Text(size) => ColumnType::Text(least_size(u64::from(size.max_bytes()) * widest)),
            other => other,
        };
    }
    if let Named::Extreme(Some(of), ..) = &ty.origin
        && !of.merged
        && let Some(stored) = stored_column(of, state)
    {
        if lacks_default(&stored) {
            def.default = DefaultValue::Missing;
        }
        let kept = column.origin.as_ref().is_some_and(|origin| origin.temporary.is_some());
        if let Some(default) = default_of_extreme(&ty, state).filter(|_| kept) {
            def.default = default;
        }
        def.comment = stored.comment;
        match (&mut def.ty, stored.ty) {
            // Labels are kept, though what is made of the column is their text.
            (_, labels @ (ColumnType::Enum(_) | ColumnType::Set(_))) => {
                (def.ty, def.collation) = (labels, stored.collation);
            }
            (
                ColumnType::Float(own) | ColumnType::Double(own),
                ColumnType::Float(of) | ColumnType::Double(of),
            ) => own.digits = of.digits,
            (ColumnType::Integer(own), ColumnType::Integer(of)) if own.size == of.size => *own = of,
            _ => {}
        }
    }
    Ok(def)
}

/// A column of a table that takes no NULL, in whose place totals have one: MariaDB makes another of its type, which has
/// its default where it is stored alike.
fn in_totals(of: ColumnDef, column: &OutputColumn) -> ColumnDef {
    let kind = match column.ty.kind {
        TypeKind::Char | TypeKind::Enum | TypeKind::Set => TypeKind::VarChar,
        kind => kind,
    };
    let origin = Named::default();
    let ty = Type { kind, labels: None, nullable: true, zerofill: false, origin, ..column.ty.clone() };
    let mut def = column_of(&column.name, &ty);
    if let (ColumnType::Integer(made), ColumnType::Integer(of)) = (&mut def.ty, &of.ty) {
        *made = IntegerType::new(of.size, of.unsigned);
    }
    let alike = std::mem::discriminant(&def.ty) == std::mem::discriminant(&of.ty)
        && !matches!(def.ty, ColumnType::Time(_) | ColumnType::DateTime(_) | ColumnType::Timestamp(_));
    def.default = match of.default {
        literal @ DefaultValue::Literal(_) if alike => literal,
        DefaultValue::None if of.auto_increment => DefaultValue::Literal(b"0".to_vec()),
        _ => DefaultValue::Null,
    };
    def
}

/// The default of the stored column whose least or greatest value it is, that is long text or has a default that is
/// computed: MariaDB's temporary tables keep it.
pub fn default_of_extreme(ty: &Type, state: &State) -> Option<DefaultValue> {
    let Named::Extreme(Some(of), ..) = &ty.origin else { return None };
    let computed = |default: &DefaultValue| {
        matches!(default, DefaultValue::Expression(_) | DefaultValue::CurrentTimestamp)
    };
    let stored =
        stored_column(of, state).filter(|stored| stored.ty.is_blob() || computed(&stored.default))?;
    (!matches!(stored.default, DefaultValue::None | DefaultValue::Missing)).then_some(stored.default)
}

/// Whether rows have to say what a column holds, though it be NULL.
fn lacks_default(column: &ColumnDef) -> bool {
    match column.default {
        DefaultValue::None => !column.nullable && !column.auto_increment,
        DefaultValue::Missing => true,
        _ => false,
    }
}

/// The stored column that a column is, as its table has it.
fn stored_column(origin: &Origin, state: &State) -> Option<ColumnDef> {
    let (database, table, name) = origin.stored()?;
    if let Ok(Some(own)) = crate::catalog::found(database, table) {
        let definition = own.definition();
        return Some(definition.columns[definition.column_index(name)?].clone());
    }
    let catalog = state.engine.catalog();
    let table = state.temporary(database, table).or_else(|| catalog.table(database, table))?;
    let at = table.def().column_index(name)?;
    Some(table.def().columns[at].clone())
}

/// The default of a column in the table made of it. A stored column brings its own, unless it is reached through what is
/// merged here or is computed from others or anew for each row; a column of one of MariaDB's temporary tables that is none
/// or is made of what was merged, that of its type, where it has one that is no expression.
fn settle_default(def: &mut ColumnDef, column: &OutputColumn, state: &mut State) {
    let Some(origin) = &column.origin else { return };
    if origin.stored().is_some() {
        let merged = origin.base.is_some() && (origin.temporary.is_none() || origin.merged);
        let computed = matches!(&def.default, DefaultValue::Expression(text) if !is_steady(text, state));
        if !matches!(def.default, DefaultValue::None | DefaultValue::Missing) && (merged || computed) {
            def.default = if def.nullable { DefaultValue::Null } else { DefaultValue::None };
            def.on_update_now &= !merged;
        }
        if !origin.remade || merged {
            return;
        }
        def.on_update_now = false;
        if def.ty.is_blob() || !matches!(def.default, DefaultValue::Literal(_)) {
            return;
        }
        def.default = DefaultValue::Null;
    }
    let temporary = origin.temporary.is_some() && !origin.default || **origin == Origin::default();
    let large = def.ty.is_blob();
    // NULL where an outer join has no row for it, though its table takes none.
    let loosened = origin.loosened || origin.temporary.is_some_and(|kept| !kept.nullable);
    if temporary && (!def.nullable || loosened) && !large {
        let zero = crate::expr::compare_text(&store::implicit_default(def));
        def.default = DefaultValue::Literal(zero.into_bytes());
    }
}

/// Whether a default is an expression that reads no column and has one value all through a statement.
fn is_steady(text: &str, state: &mut State) -> bool {
    crate::session::expression_of(text, state).is_ok_and(|e| e.is_steady())
}

/// A column that holds values of a type.
pub fn column_of(name: &str, ty: &Type) -> ColumnDef {
    // There is no geometry that could stand for none.
    let nullable = ty.nullable || matches!(ty.kind, TypeKind::Geometry(_));
    let mut def = ColumnDef::new(name, column_type(ty), nullable);
    if def.ty.has_charset() {
        def.collation = ty.collation;
    }
    def
}

fn column_type(ty: &Type) -> ColumnType {
    let integer = |size| {
        let mut integer = IntegerType::new(size, ty.unsigned);
        integer.width = (ty.length + ty.missing_sign()).clamp(1, 255) as u8;
        ColumnType::Integer(integer)
    };
    let fraction = ty.decimals.min(6);
    match ty.kind {
        TypeKind::Null => ColumnType::Binary(0),
        TypeKind::Tiny => integer(IntSize::Tiny),
        TypeKind::Short => integer(IntSize::Small),
        TypeKind::Int24 => integer(IntSize::Medium),
        TypeKind::Long => integer(IntSize::Normal),
        TypeKind::LongLong => integer(IntSize::Big),
        TypeKind::Float => ColumnType::Float(float(ty)),
        TypeKind::Double => ColumnType::Double(float(ty)),
        TypeKind::Decimal => {
            let point = if ty.decimals > 0 { 1 + ty.spare.max(0) as u32 } else { 0 };
            let precision = ty.length.saturating_sub(u32::from(!ty.unsigned) + point).clamp(1, 65) as u8;
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
    FloatType { digits, unsigned: ty.unsigned, ..FloatType::default() }
}

fn string(ty: &Type) -> ColumnType {
    debug_assert!(ty.class() == Class::Str || ty.labels.is_some());
    let binary = ty.collation == CollationId::BINARY;
    let bytes = u64::from(ty.length) * ty.collation.charset().max_char_bytes() as u64;
    let size = match ty.kind {
        // What is computed may be longer than its kind, by a length that is counted in bytes already.
        TypeKind::TinyBlob if ty.length <= BlobSize::Tiny.max_bytes() => Some(BlobSize::Tiny),
        TypeKind::TinyBlob | TypeKind::Blob if ty.length <= BlobSize::Normal.max_bytes() => {
            Some(BlobSize::Normal)
        }
        kind if kind.is_blob() && kind != TypeKind::LongBlob && ty.length <= BlobSize::Medium.max_bytes() => {
            Some(BlobSize::Medium)
        }
        kind if kind.is_blob() => Some(BlobSize::Long),
        // Text computed is kept as TEXT sooner than a column's own.
        _ if ty.length > LONGEST_VARCHAR && ty.origin.name().is_none() && bytes <= MAX_VARCHAR_BYTES => {
            Some(BlobSize::Normal)
        }
        _ if bytes <= MAX_VARCHAR_BYTES => None,
        _ if bytes <= u64::from(BlobSize::Medium.max_bytes()) => Some(BlobSize::Medium),
        _ => Some(BlobSize::Long),
    };
    // A column of a UNION may be one of VARCHAR, though nothing fits in it.
    let united = ty.kind == TypeKind::VarChar && matches!(ty.origin, Named::United);
    let always_empty = ty.length == 0 && ty.origin.name().is_none() && !united;
    let of_column = ty.is_of_char_column();
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
