//! Types of columns, of several operands together, of aggregates.

use super::super::{Class, Coercibility, Expr, Kind, Named, Repertoire, Type, TypeKind};
use super::collate::{collate_result, illegal_mix, is_text};
use super::fixed::{common_fixed, refuse_opaque};
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast::AggregateKind;
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
        hex: false,
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
        ColumnType::Text(size) | ColumnType::Blob(size) => (
            match size {
                BlobSize::Tiny => TypeKind::TinyBlob,
                BlobSize::Normal => TypeKind::Blob,
                BlobSize::Medium => TypeKind::MediumBlob,
                BlobSize::Long => TypeKind::LongBlob,
            },
            None,
        ),
        ColumnType::Enum(labels) => (TypeKind::Enum, Some(labels.clone())),
        ColumnType::Set(labels) => (TypeKind::Set, Some(labels.clone())),
        ColumnType::Fixed(ty) => return Type { nullable: column.nullable, ..fixed_type(*ty) },
        ColumnType::Geometry(ty) => (TypeKind::Geometry(*ty), None),
    };
    let class_is_text = ty.is_string() || labels.is_some();
    // In characters: the wire's length divided by what one character takes there.
    let length = match ty {
        ColumnType::Text(size) => size.max_bytes(),
        // Of their type's digits, whatever width they are shown in.
        ColumnType::Integer(integer) => match integer.size {
            IntSize::Tiny => 3 + u32::from(!integer.unsigned),
            IntSize::Small => 5 + u32::from(!integer.unsigned),
            IntSize::Medium => 8 + u32::from(!integer.unsigned),
            IntSize::Normal => 10 + u32::from(!integer.unsigned),
            IntSize::Big => 20,
        },
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
        hex: false,
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

/// The coercibility of a derived table's column.
pub fn column_coercibility(ty: &Type) -> Coercibility {
    if ty.class() == Class::Str { Coercibility::Implicit } else { Coercibility::Numeric }
}

/// Whole digits of a number's type.
fn whole_digits(ty: &Type) -> u32 {
    match ty.class() {
        _ if ty.written => ty.length.max(1),
        Class::Temporal => temporal_digits(ty),
        Class::Decimal => {
            let point = u32::from(ty.decimals > 0);
            let sign = u32::from(!ty.unsigned);
            ty.length.saturating_sub(u32::from(ty.decimals) + point + sign).max(1)
        }
        _ => ty.length.saturating_sub(u32::from(!ty.unsigned)).max(1),
    }
}

/// The type of a temporary table's column for values of a type: what is always NULL or empty is text of no length there.
pub fn kept(ty: Type) -> Type {
    match ty.kind {
        TypeKind::Null => Type { kind: TypeKind::Char, length: 0, collation: CollationId::BINARY, ..ty },
        TypeKind::VarChar if ty.length == 0 && ty.origin.name().is_none() => {
            Type { kind: TypeKind::Char, ..ty }
        }
        _ => ty,
    }
}

/// The type of a temporary table's column to expressions over it: an integer has the length that its kind may have,
/// whatever the value's that it was made for.
pub fn in_temporary_table(ty: Type) -> Type {
    let length = match ty.kind {
        TypeKind::Long => 11,
        TypeKind::LongLong => 20,
        _ => ty.length,
    };
    match ty.origin.name() {
        None => Type { length, written: false, ..ty },
        Some(_) => ty,
    }
}

/// The type that holds values of all the types given: of UNION, CASE, COALESCE; errors name the operation.
pub fn union_type(types: &[&Type], operation: &str, state: &State) -> Result<Type, SqlError> {
    let collated = match types.iter().any(|ty| is_text(ty)) {
        true => Some(collate_result(types, operation)?),
        false => None,
    };
    if operation == "UNION" && collated.is_some_and(|(_, how)| how == Coercibility::None) {
        return Err(SqlError::illegal_mix_of_n(operation));
    }
    let nullable = types.iter().any(|ty| ty.nullable);
    let known: Vec<&&Type> = types.iter().filter(|ty| ty.kind != TypeKind::Null).collect();
    let Some((first, rest)) = known.split_first() else {
        return Ok(match types {
            [_, _, ..] if operation == "UNION" => kept(types[0].clone()),
            _ => types[0].clone(),
        });
    };
    // Beside bytes a TEXT column's are bytes too.
    let bytes = types.iter().any(|ty| is_text(ty) && ty.collation == CollationId::BINARY);
    let of_column = |ty: &Type| match bytes {
        true => in_bytes(ty),
        false if operation == "UNION" => of_column(&of_extreme(ty)),
        false => of_column(ty),
    };
    let mut result = of_column(first);
    let mut longest = result.length;
    for ty in rest {
        let ty = of_column(ty);
        longest = longest.max(ty.length);
        result = union_two(&result, &ty, operation, state)?;
    }
    if matches!(result.kind, TypeKind::VarChar | TypeKind::Char) {
        // Texts of numbers are no longer than the numbers are, whatever would hold two of them.
        result.length = longest;
    }
    // A text may be no address.
    let read = |ty: &&Type| ty.class() == Class::Str && ty.kind != result.kind;
    let unsure = operation == "UNION" && matches!(result.kind, TypeKind::Fixed(_)) && types.iter().any(read);
    result.nullable = nullable || unsure;
    if operation == "UNION" && result.class() == Class::Temporal {
        result.decimals = result.decimals.min(6);
    }
    result.zerofill = false;
    result.unsigned &= result.kind != TypeKind::Timestamp;
    result.truth = known.iter().all(|ty| ty.truth);
    result.origin = if operation == "UNION" { Named::United } else { Named::default() };
    if let Some((collation, coercibility)) = collated
        && result.class() == Class::Str
        && !matches!(result.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_))
    {
        (result.collation, result.coercibility) = (collation, coercibility);
    }
    // NULL counts as signed: an unsigned number beside it needs a place for the sign.
    let exact = matches!(result.class(), Class::Int | Class::Decimal);
    if operation != "UNION"
        && known.len() < types.len()
        && exact
        && result.unsigned
        && !matches!(result.kind, TypeKind::Year | TypeKind::Bit)
    {
        let length = result.length + 1;
        result = Type { kind: TypeKind::Decimal, unsigned: false, length, ..result };
    }
    let opaque = matches!(result.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_));
    if operation != "UNION" && known.len() < types.len() && is_text(&result) && !opaque {
        result.decimals = TEXT_DECIMALS;
    }
    // What is computed has labels no more, and beside NULL of a UNION neither.
    if (operation != "UNION" || known.len() < types.len()) && result.labels.take().is_some() {
        result.kind = TypeKind::VarChar;
    }
    result = sized(result);
    if result.kind == TypeKind::VarChar && result.length == 0 {
        // Text that is always empty is a number without a fraction.
        result.decimals = 0;
    }
    Ok(signed(result))
}

/// The least or greatest of short integers, which a query gives as BIGINT: INT among several sources.
fn of_extreme(ty: &Type) -> Type {
    let short = ty.kind == TypeKind::LongLong && ty.length <= 10 && matches!(ty.origin, Named::Extreme(None));
    Type { kind: if short { TypeKind::Long } else { ty.kind }, ..ty.clone() }
}

/// A TEXT column among several sources: MariaDB takes its bytes for characters.
fn of_column(ty: &Type) -> Type {
    let bytes = ty.collation.charset().max_char_bytes() as u32;
    match is_text(ty) && ty.kind.is_blob() && ty.origin.name().is_some() {
        true => Type { length: ty.length.saturating_mul(bytes), ..ty.clone() },
        false if ty.counts_bytes() => Type { length: ty.length / bytes, ..ty.clone() },
        false => ty.clone(),
    }
}

/// The type of what hands a value on: of a TEXT column, one as wide as those bytes that are taken for characters.
pub fn of_source(ty: &Type) -> Type {
    sized(of_column(ty))
}

/// Text of so many bytes, as it is beside bytes.
fn in_bytes(ty: &Type) -> Type {
    use TypeKind::{Char, Enum, Set, VarChar};
    let widest = ty.collation.charset().max_char_bytes() as u32;
    match matches!(ty.kind, VarChar | Char | Enum | Set) {
        true => Type { length: ty.length.saturating_mul(widest), ..ty.clone() },
        false => ty.clone(),
    }
}

/// An integer constant's type with the place for a sign that a value of several sources needs.
fn signed(ty: Type) -> Type {
    match ty.written {
        true => Type { length: ty.length + u32::from(!ty.unsigned), written: false, ..ty },
        false => ty,
    }
}

/// Long text of several sources has a type as wide as its bytes need.
fn sized(ty: Type) -> Type {
    let bytes = u64::from(ty.length) * ty.collation.charset().max_char_bytes() as u64;
    let kind = match (ty.kind.is_blob(), bytes) {
        (false, _) => ty.kind,
        (true, 0..=255) => TypeKind::TinyBlob,
        (true, 256..=65_535) => TypeKind::Blob,
        (true, 65_536..=16_777_215) => TypeKind::MediumBlob,
        (true, _) => TypeKind::LongBlob,
    };
    Type { kind, ..ty }
}

/// The length of a real number that is either of two: of the digits that it may have before and after its point.
fn real_length(a: &Type, b: &Type) -> u32 {
    let decimals = a.decimals.max(b.decimals);
    // As many digits as a number needs.
    if decimals >= FREE_DECIMALS {
        return a.length.max(b.length);
    }
    let point = |decimals: u8| u32::from(decimals) + u32::from(decimals > 0);
    let whole = |ty: &Type| match ty.class() {
        Class::Real => ty.length.saturating_sub(point(ty.decimals)),
        Class::Decimal => whole_digits(ty),
        _ => ty.length.saturating_sub(1),
    };
    whole(a).max(whole(b)) + point(decimals)
}

fn union_two(a: &Type, b: &Type, operation: &str, state: &State) -> Result<Type, SqlError> {
    if let Some(fixed) = common_fixed(a, b, operation)? {
        return Ok(fixed_type(fixed));
    }
    if let (TypeKind::Geometry(_), TypeKind::Geometry(_)) = (a.kind, b.kind) {
        let kind = if a.kind == b.kind { a.kind } else { TypeKind::Geometry(types::GeometryType::Geometry) };
        return Ok(Type { kind, decimals: 0, ..a.clone() });
    }
    let numeric = |ty: &Type| matches!(ty.class(), Class::Int | Class::Decimal | Class::Real);
    let bits = |ty: &Type| ty.kind == TypeKind::Bit;
    if operation == "UNION" && numeric(a) && numeric(b) && bits(a) != bits(b) {
        // Bits beside other numbers are texts of digits.
        let length = a.length.max(b.length);
        let coercibility = Coercibility::Implicit;
        return Ok(Type { kind: TypeKind::VarChar, length, coercibility, ..boolean(true) });
    }
    let (signed_a, signed_b);
    let (a, b) = if numeric(a) && numeric(b) {
        (signed_a, signed_b) = (signed(a.clone()), signed(b.clone()));
        (&signed_a, &signed_b)
    } else {
        (a, b)
    };
    if a.kind == b.kind && a.class() != Class::Str && a.unsigned == b.unsigned {
        return Ok(Type {
            length: if a.class() == Class::Real { real_length(a, b) } else { a.length.max(b.length) },
            decimals: a.decimals.max(b.decimals),
            ..a.clone()
        })
        .map(|ty| if ty.class() == Class::Decimal { decimal_of(a, b) } else { ty });
    }
    if numeric(a) && numeric(b) {
        return Ok(match (a.class(), b.class()) {
            (Class::Real, _) | (_, Class::Real) => {
                let decimals = a.decimals.max(b.decimals);
                let small = |ty: &Type| {
                    use TypeKind::{Float, Int24, Short, Tiny, Year};
                    matches!(ty.kind, Float | Tiny | Short | Int24 | Year)
                };
                Type {
                    kind: if small(a) && small(b) { TypeKind::Float } else { TypeKind::Double },
                    length: real_length(a, b),
                    decimals,
                    unsigned: false,
                    ..a.clone()
                }
            }
            (Class::Decimal, _) | (_, Class::Decimal) => decimal_of(a, b),
            _ if a.unsigned != b.unsigned => decimal_of(a, b),
            _ => {
                let bits = a.kind == TypeKind::Bit || b.kind == TypeKind::Bit;
                let kind = match a.length.max(b.length) {
                    length if bits && length < 11 => TypeKind::Long,
                    _ => a.kind.max_width(b.kind),
                };
                Type {
                    kind,
                    length: a.length.max(b.length),
                    unsigned: a.unsigned && b.unsigned,
                    zerofill: false,
                    ..a.clone()
                }
            }
        });
    }
    if a.class() == Class::Temporal && b.class() == Class::Temporal {
        let b = &Type { unsigned: false, ..b.clone() };
        let decimals = a.decimals.max(b.decimals);
        let extra = if decimals > 0 { u32::from(decimals) + 1 } else { 0 };
        return Ok(Type {
            kind: TypeKind::DateTime,
            length: 19 + extra,
            decimals,
            unsigned: false,
            ..b.clone()
        });
    }
    // Beside other text a geometry is its bytes.
    let bytes = |ty: &Type| match ty.kind {
        TypeKind::Geometry(_) => Type { kind: TypeKind::LongBlob, ..ty.clone() },
        _ => ty.clone(),
    };
    let (a, b) = (&bytes(a), &bytes(b));
    let (collation, coercibility) = match (a.class(), b.class()) {
        // What all agree on settles it in the end.
        (Class::Str, _) => (a.collation, a.coercibility),
        (_, Class::Str) => (b.collation, b.coercibility),
        _ => (state.vars.collation_connection, Coercibility::Coercible),
    };
    let kind = match (a.kind.is_blob(), b.kind.is_blob()) {
        (true, true) => {
            if a.length >= b.length {
                a.kind
            } else {
                b.kind
            }
        }
        (true, false) => a.kind,
        (false, true) => b.kind,
        (false, false) if fixed(a, b) => TypeKind::Char,
        (false, false) => TypeKind::VarChar,
    };
    let length = a.length.max(b.length);
    Ok(Type {
        kind,
        length,
        decimals: TEXT_DECIMALS,
        unsigned: false,
        zerofill: false,
        nullable: a.nullable || b.nullable,
        collation,
        coercibility,
        repertoire: a.repertoire.max(b.repertoire),
        written: false,
        hex: false,
        json: a.json && b.json,
        truth: false,
        labels: None,
        origin: Named::default(),
    })
}

/// Whether what two give together is CHAR: both are, or one is beside something that is no text.
fn fixed(a: &Type, b: &Type) -> bool {
    let is = |ty: &Type| ty.kind == TypeKind::Char;
    let other = |ty: &Type| ty.class() != Class::Str;
    is(a) && is(b) || is(a) && other(b) || other(a) && is(b)
}

fn decimal_of(a: &Type, b: &Type) -> Type {
    let scale = a.decimals.max(b.decimals).min(38);
    let whole = whole_digits(a).max(whole_digits(b));
    let unsigned = a.unsigned && b.unsigned;
    let length = whole + u32::from(scale) + u32::from(scale > 0) + u32::from(!unsigned);
    Type { kind: TypeKind::Decimal, length, decimals: scale, unsigned, zerofill: false, ..a.clone() }
}

impl TypeKind {
    /// Whether it is text or bytes that may be long.
    pub fn is_blob(self) -> bool {
        matches!(self, TypeKind::TinyBlob | TypeKind::Blob | TypeKind::MediumBlob | TypeKind::LongBlob)
    }

    /// The wider of two integer kinds.
    fn max_width(self, other: TypeKind) -> TypeKind {
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

/// The type of an aggregate's result.
pub fn aggregate_type(aggregate: AggregateKind, args: &[Expr], state: &State) -> Result<Type, SqlError> {
    let number = |kind, length, decimals, nullable, unsigned| Type {
        kind,
        length,
        decimals,
        unsigned,
        nullable,
        ..boolean(nullable)
    };
    let Some(first) = args.first().map(|e| &e.ty) else {
        return Ok(number(TypeKind::LongLong, 21, 0, false, false));
    };
    if matches!(aggregate, AggregateKind::Min | AggregateKind::Max)
        && first.coercibility == Coercibility::None
    {
        let name = if aggregate == AggregateKind::Min { "min(" } else { "max(" };
        return Err(illegal_mix(&[first, first], name));
    }
    let numbers_only = match aggregate {
        AggregateKind::Sum => Some("sum("),
        AggregateKind::Avg => Some("avg("),
        AggregateKind::BitAnd => Some("bit_and("),
        AggregateKind::BitOr => Some("bit_or("),
        AggregateKind::BitXor => Some("bit_xor("),
        AggregateKind::StddevPop => Some("std("),
        AggregateKind::StddevSamp => Some("stddev_samp("),
        AggregateKind::VarPop => Some("variance("),
        AggregateKind::VarSamp => Some("var_samp("),
        _ => None,
    };
    if let Some(name) = numbers_only {
        refuse_opaque(&[first], name)?;
    }
    Ok(match aggregate {
        AggregateKind::CountStar | AggregateKind::Count => number(TypeKind::LongLong, 21, 0, false, false),
        AggregateKind::BitAnd | AggregateKind::BitOr | AggregateKind::BitXor => {
            number(TypeKind::LongLong, 21, 0, false, true)
        }
        AggregateKind::Min | AggregateKind::Max => {
            let length = if first.class() == Class::Real { 23 } else { first.length };
            let column = args.first().is_some_and(|e| matches!(e.kind, Kind::Column(_)));
            let kind = match first.kind {
                TypeKind::Null | TypeKind::Enum | TypeKind::Set => TypeKind::VarChar,
                TypeKind::Long if !column && !first.truth => TypeKind::LongLong,
                TypeKind::Char if !column => TypeKind::VarChar,
                // The least of geometries is the least of their bytes.
                TypeKind::Geometry(_) => TypeKind::LongBlob,
                kind => kind,
            };
            Type {
                kind,
                nullable: true,
                zerofill: false,
                written: false,
                length,
                labels: None,
                decimals: if first.labels.is_some() { 0 } else { first.decimals },
                origin: Named::Extreme(match &first.origin {
                    Named::Column(origin) if column => Some(origin.clone()),
                    Named::Extreme(origin) if column => origin.clone(),
                    _ => None,
                }),
                ..first.clone()
            }
        }
        AggregateKind::Sum => match first.class() {
            _ if first.sums_exactly() => {
                let scale = if first.class() == Class::Decimal || first.class() == Class::Temporal {
                    first.decimals
                } else {
                    0
                };
                let digits = (whole_digits(first) + u32::from(scale) + 22).min(65);
                number(TypeKind::Decimal, digits + u32::from(scale > 0) + 1, scale, true, false)
            }
            _ => {
                let decimals = first.decimals.min(31);
                let length = if decimals < 31 { 17 + u32::from(decimals) } else { 23 };
                number(TypeKind::Double, length, decimals, true, false)
            }
        },
        AggregateKind::Avg => match first.class() {
            _ if first.sums_exactly() => {
                let own = if first.class() == Class::Decimal || first.class() == Class::Temporal {
                    first.decimals
                } else {
                    0
                };
                let increment = state.vars.div_precision_increment;
                let scale = (own + increment).min(38);
                let digits = (whole_digits(first) + u32::from(own) + u32::from(increment)).min(65);
                number(TypeKind::Decimal, digits + u32::from(scale > 0) + 1, scale, true, false)
            }
            _ => {
                let decimals = first.decimals.saturating_add(state.vars.div_precision_increment).min(31);
                let length = if first.kind == TypeKind::Null { u32::from(decimals) } else { 23 };
                number(TypeKind::Double, length, decimals, true, false)
            }
        },
        AggregateKind::StddevPop
        | AggregateKind::StddevSamp
        | AggregateKind::VarPop
        | AggregateKind::VarSamp => {
            let own = if first.labels.is_some() { 0 } else { first.decimals };
            // Of floats it is always four digits more.
            let increment = match first.class() {
                Class::Real => 4,
                _ => state.vars.div_precision_increment,
            };
            let decimals = own.saturating_add(increment).min(31);
            match first.class() {
                Class::Int | Class::Decimal | Class::Temporal => {
                    let precision = 2 * (whole_digits(first) + u32::from(first.decimals));
                    let length = precision + u32::from(state.vars.div_precision_increment) + 2;
                    number(TypeKind::Double, length, decimals, true, false)
                }
                _ if decimals < 31 => {
                    number(TypeKind::Double, 17 + u32::from(decimals), decimals, true, false)
                }
                _ => number(TypeKind::Double, 23, 31, true, false),
            }
        }
        AggregateKind::GroupConcat | AggregateKind::JsonArrayAgg | AggregateKind::JsonObjectAgg => {
            let types: Vec<&Type> = args.iter().map(|e| &e.ty).collect();
            let (mut collation, coercibility) = collate_result(&types, "group_concat")?;
            if types.iter().any(|ty| matches!(ty.kind, TypeKind::Fixed(_))) {
                collation = state.vars.collation_connection;
            } else if !types.iter().any(|ty| is_text(ty)) {
                let nothing = types.iter().all(|ty| ty.kind == TypeKind::Null);
                collation = if nothing { CollationId::BINARY } else { state.vars.collation_connection };
            }
            // The variable counts bytes, but MariaDB reckons as many of the widest characters.
            let widest = collation.charset().max_char_bytes() as u64;
            let around = if aggregate == AggregateKind::JsonArrayAgg { 2 } else { 0 };
            let length = state.vars.group_concat_max_len.saturating_add(around).saturating_mul(widest);
            let length = length.min(u64::from(u32::MAX)) as u32;
            let kind = if length <= 512 { TypeKind::VarChar } else { TypeKind::Blob };
            let json = aggregate != AggregateKind::GroupConcat;
            Type { kind, length, json, collation, coercibility, ..number(kind, length, 0, true, false) }
        }
    })
}
