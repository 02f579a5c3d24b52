//! Types of columns and conditions, and what they have in common.

use super::super::{Class, Coercibility, Expr, Named, Repertoire, Type, TypeKind};
use types::{BlobSize, Charset, CollationId, ColumnDef, ColumnType, FixedType, IntSize};

/// What the wire tells of the fraction of text that has none fixed.
pub const TEXT_DECIMALS: u8 = 39;
/// The decimals of reals that have none of their own.
pub const FREE_DECIMALS: u8 = 31;

/// The type of a condition.
pub fn boolean(nullable: bool) -> Type {
    Type {
        kind: TypeKind::Long,
        length: 1,
        decimals: 0,
        unsigned: false,
        zerofill: false,
        nullable,
        collation: CollationId::BINARY,
        coercibility: Coercibility::Numeric,
        repertoire: Repertoire::Ascii,
        written: false,
        spare: 0,
        hex: false,
        in_bytes: false,
        json: false,
        truth: false,
        labels: None,
        origin: Named::default(),
    }
}

/// The type of what is true or false, and shows as that in JSON.
pub fn truth_type(nullable: bool) -> Type {
    Type { truth: true, ..boolean(nullable) }
}

/// The type of EXISTS, whose text is bytes that count for as much as a literal's.
pub fn existence_type() -> Type {
    Type { coercibility: Coercibility::Coercible, ..truth_type(false) }
}

/// The type of a table's column.
pub fn column_type(column: &ColumnDef) -> Type {
    let ty = &column.ty;
    let (kind, labels) = match ty {
        ColumnType::Integer(t) => (
            match t.size {
                IntSize::Tiny => TypeKind::Tiny,
                IntSize::Small => TypeKind::Short,
                IntSize::Medium => TypeKind::Int24,
                IntSize::Normal => TypeKind::Long,
                IntSize::Big => TypeKind::LongLong,
            },
            None,
        ),
        ColumnType::Decimal(_) => (TypeKind::Decimal, None),
        ColumnType::Float(_) => (TypeKind::Float, None),
        ColumnType::Double(_) => (TypeKind::Double, None),
        ColumnType::Bit(_) => (TypeKind::Bit, None),
        ColumnType::Year => (TypeKind::Year, None),
        ColumnType::Date => (TypeKind::Date, None),
        ColumnType::Time(_) => (TypeKind::Time, None),
        ColumnType::DateTime(_) => (TypeKind::DateTime, None),
        ColumnType::Timestamp(_) => (TypeKind::Timestamp, None),
        ColumnType::Char(_) | ColumnType::Binary(_) => (TypeKind::Char, None),
        ColumnType::VarChar(_) | ColumnType::VarBinary(_) => (TypeKind::VarChar, None),
        ColumnType::Text(size) | ColumnType::Blob(size) => (TypeKind::of_size(*size), None),
        ColumnType::Enum(labels) => (TypeKind::Enum, Some(labels.clone())),
        ColumnType::Set(labels) => (TypeKind::Set, Some(labels.clone())),
        ColumnType::Fixed(ty) => return Type { nullable: column.nullable, ..fixed_type(*ty) },
        ColumnType::Geometry(ty) => (TypeKind::Geometry(*ty), None),
    };
    let class_is_text = ty.is_string() || labels.is_some();
    // In characters: the wire's length divided by what one character takes there.
    let length = match ty {
        ColumnType::Text(size) => size.max_bytes(),
        // Of their type's digits, or of the greater width that they are shown in.
        ColumnType::Integer(integer) => {
            let digits = match integer.size {
                IntSize::Tiny => 3 + u32::from(!integer.unsigned),
                IntSize::Small => 5 + u32::from(!integer.unsigned),
                IntSize::Medium => 8 + u32::from(!integer.unsigned),
                IntSize::Normal => 10 + u32::from(!integer.unsigned),
                IntSize::Big => 20,
            };
            digits.max(integer.width.into())
        }
        _ => ty.display_length(column.collation, Charset::Latin1),
    };
    Type {
        kind,
        length,
        decimals: if class_is_text { TEXT_DECIMALS } else { ty.decimals() },
        unsigned: ty.is_unsigned() || matches!(ty, ColumnType::Timestamp(_)),
        zerofill: ty.is_zerofill(),
        nullable: column.nullable,
        collation: if class_is_text { column.collation } else { CollationId::BINARY },
        coercibility: match class_is_text || matches!(ty, ColumnType::Bit(_)) {
            true => Coercibility::Implicit,
            false => Coercibility::Numeric,
        },
        repertoire: match class_is_text && column.collation.charset() != Charset::Ascii {
            true => Repertoire::Any,
            false => Repertoire::Ascii,
        },
        written: false,
        spare: 0,
        hex: false,
        in_bytes: false,
        json: is_json(column),
        truth: false,
        labels,
        origin: Named::default(),
    }
}

/// The type of a UUID, INET4 or INET6.
pub fn fixed_type(ty: FixedType) -> Type {
    Type {
        kind: TypeKind::Fixed(ty),
        length: ty.text_length(),
        unsigned: true,
        collation: CollationId::LATIN1_SWEDISH_CI,
        coercibility: Coercibility::Numeric,
        ..boolean(true)
    }
}

/// Whether it is that of the constants 0x.. and b'..', which are bytes and numbers both.
pub fn is_number_of_bytes(ty: &Type) -> bool {
    ty.kind == TypeKind::VarChar && ty.unsigned && !ty.hex && matches!(ty.origin, Named::Written(_))
}

/// A type as messages of operations that do not take it name it.
pub fn type_name(ty: &Type) -> &'static str {
    match (ty.kind, ty.unsigned) {
        (TypeKind::VarChar, _) if ty.json => "varchar/json",
        (TypeKind::LongBlob, _) if ty.json => "longblob/json",
        (TypeKind::Blob, _) if ty.json => "blob/json",
        (TypeKind::MediumBlob, _) if ty.json => "mediumblob/json",
        (TypeKind::Null, _) => "null",
        _ if ty.truth => "boolean",
        (TypeKind::Tiny, false) => "tinyint",
        (TypeKind::Tiny, true) => "tiny unsigned",
        (TypeKind::Short, false) => "smallint",
        (TypeKind::Short, true) => "smallint unsigned",
        (TypeKind::Int24, false) => "mediumint",
        (TypeKind::Int24, true) => "mediumint unsigned",
        (TypeKind::Long, false) => "int",
        (TypeKind::Long, true) => "int unsigned",
        // The least of whole numbers is as wide as any, and yet called what they are.
        (TypeKind::LongLong, false) if matches!(ty.origin, Named::Extreme(_, _, Some(TypeKind::Long))) => {
            "int"
        }
        (TypeKind::LongLong, false) => "bigint",
        (TypeKind::LongLong, true) => "bigint unsigned",
        (TypeKind::Float, _) => "float",
        (TypeKind::Double, _) => "double",
        (TypeKind::Decimal, _) => "decimal",
        (TypeKind::Year, _) => "year",
        (TypeKind::Bit, _) => "bit",
        (TypeKind::Date, _) => "date",
        (TypeKind::Time, _) => "time",
        (TypeKind::DateTime, _) => "datetime",
        (TypeKind::Timestamp, _) => "timestamp",
        (TypeKind::VarChar, true) if is_number_of_bytes(ty) => "hex_hybrid",
        (TypeKind::VarChar, _) => "varchar",
        (TypeKind::Char, _) => "char",
        (TypeKind::TinyBlob, _) => "tinyblob",
        (TypeKind::Blob, _) => "blob",
        (TypeKind::MediumBlob, _) => "mediumblob",
        (TypeKind::LongBlob, _) => "longblob",
        (TypeKind::Enum, _) => "enum",
        (TypeKind::Set, _) => "set",
        (TypeKind::Fixed(ty), _) => ty.name(),
        (TypeKind::Geometry(ty), _) => ty.name(),
    }
}

/// Whether a column was declared JSON: text with the check that says so.
fn is_json(column: &ColumnDef) -> bool {
    let named = |check: &String| {
        let name = check.strip_prefix("json_valid(`").and_then(|rest| rest.strip_suffix("`)"));
        name.is_some_and(|name| name.eq_ignore_ascii_case(&column.name))
    };
    column.check.as_ref().is_some_and(named)
}

/// Whole digits of a number's type.
pub fn whole_digits(ty: &Type) -> u32 {
    match ty.class() {
        _ if ty.written => ty.length.max(1),
        Class::Temporal => temporal_digits(ty),
        Class::Decimal => places(ty, behind_whole(ty)).max(1),
        _ => places(ty, 0).max(1),
    }
}

/// Places that a length has for digits beside its sign and so many others.
pub fn places(ty: &Type, others: u32) -> u32 {
    ty.length.saturating_sub(others + u32::from(!ty.unsigned)).saturating_add_signed(-ty.spare)
}

/// Places that a decimal's length has for its point and the digits behind it.
pub fn behind_whole(ty: &Type) -> u32 {
    u32::from(ty.decimals) + u32::from(ty.decimals > 0)
}

/// The type of a temporary table's column for values of a type: what is always NULL or empty is text of no length there,
/// the least of labels is one of them.
pub fn kept(ty: Type) -> Type {
    if let Some(kind) = ty.kind_of_labels() {
        return Type { kind, ..ty };
    }
    match ty.kind {
        // UNION takes it for NULL still.
        TypeKind::Null => Type {
            kind: TypeKind::Char,
            length: 0,
            collation: CollationId::BINARY,
            origin: Named::Extreme(None, None, None),
            ..ty
        },
        TypeKind::VarChar
            if ty.length == 0 && ty.origin.name().is_none() && !matches!(ty.origin, Named::United) =>
        {
            Type { kind: TypeKind::Char, ..ty }
        }
        TypeKind::Char if ty.length > 0 && !ty.is_of_char_column() => Type { kind: TypeKind::VarChar, ..ty },
        TypeKind::Timestamp => Type { unsigned: true, ..ty },
        TypeKind::Year => Type { zerofill: true, ..ty },
        _ => ty,
    }
}

/// Has a date that shows as many digits of a second as there are show six, as a temporary table's column does.
pub fn fix_digits(e: &mut Expr) {
    if e.ty.class() == Class::Temporal && e.ty.decimals > 6 && !e.is_fixed() {
        e.ty.decimals = 6;
    }
}

/// The type of a temporary table's column to expressions over it: an integer has the length that its kind may have,
/// whatever the value's that it was made for, and a count its own. What was true or false is a number.
pub fn in_temporary_table(mut ty: Type) -> Type {
    if ty.is_existence() {
        ty.coercibility = Coercibility::Numeric;
    }
    ty.truth = false;
    // The table's column is text of no fixed fraction, whatever it was that gave it.
    let text = ty.class() == Class::Str && !matches!(ty.kind, TypeKind::Null | TypeKind::Fixed(_));
    if text && ty.length > 0 {
        ty.decimals = TEXT_DECIMALS;
    }
    let length = match ty.kind {
        TypeKind::Long if ty.unsigned => 10,
        TypeKind::Long => 11,
        TypeKind::LongLong => ty.length.max(20),
        _ => ty.length,
    };
    match ty.origin.name() {
        None if matches!(ty.origin, Named::Joined(_)) => Type { origin: Named::Nothing, ..ty },
        None => Type { length, written: false, ..ty },
        Some(_) => ty,
    }
}

impl TypeKind {
    /// Of TEXT and BLOB columns of that size.
    pub(super) fn of_size(size: BlobSize) -> TypeKind {
        match size {
            BlobSize::Tiny => TypeKind::TinyBlob,
            BlobSize::Normal => TypeKind::Blob,
            BlobSize::Medium => TypeKind::MediumBlob,
            BlobSize::Long => TypeKind::LongBlob,
        }
    }

    /// Whether it is text or bytes that may be long.
    pub fn is_blob(self) -> bool {
        matches!(self, TypeKind::TinyBlob | TypeKind::Blob | TypeKind::MediumBlob | TypeKind::LongBlob)
    }

    /// The wider of two integer kinds.
    pub(super) fn max_width(self, other: TypeKind) -> TypeKind {
        let rank = |kind: TypeKind| match kind {
            TypeKind::Tiny => 0,
            TypeKind::Short | TypeKind::Year => 1,
            TypeKind::Int24 => 2,
            TypeKind::Long => 3,
            _ => 4,
        };
        match rank(self).max(rank(other)) {
            0 => TypeKind::Tiny,
            1 => TypeKind::Short,
            2 => TypeKind::Int24,
            3 => TypeKind::Long,
            _ => TypeKind::LongLong,
        }
    }
}

/// Digits before the point of a temporal value as a number.
pub fn temporal_digits(ty: &Type) -> u32 {
    match ty.kind {
        TypeKind::Date => 8,
        TypeKind::Time => 7,
        _ => 14,
    }
}
