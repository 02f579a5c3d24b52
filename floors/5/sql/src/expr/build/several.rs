//! The type of what has several sources: UNION, CASE, COALESCE, and what hands on the value of one.

use super::super::{Class, Coercibility, Named, Type, TypeKind};
use super::collate::{collate_result, is_text};
use super::fixed::common_fixed;
use super::types::{FREE_DECIMALS, TEXT_DECIMALS, boolean, fixed_type, kept, whole_digits};
use crate::error::SqlError;
use crate::session::State;
use types::{BlobSize, CollationId};

/// Whether it is MIN or MAX of NULL, which UNION takes for NULL itself; that of a stored column is bytes, that of a parameter
/// what it was announced as.
fn is_extreme_of_null(ty: &Type) -> bool {
    let Named::Extreme(of, _, was) = &ty.origin else { return false };
    if was.is_some_and(|was| was != TypeKind::Null) && of.is_none() {
        return false;
    }
    let empty = matches!(ty.kind, TypeKind::VarChar | TypeKind::Char) && ty.length == 0;
    let stored = of.as_ref().is_some_and(|of| of.stored().is_some());
    empty && ty.collation == CollationId::BINARY && !stored
}

/// The type that holds values of all the types given: of UNION, CASE, COALESCE; errors name the operation.
pub fn union_type(types: &[&Type], operation: &str, state: &State) -> Result<Type, SqlError> {
    let nothing = Type { kind: TypeKind::Null, ..boolean(true) };
    let least = |&ty| if operation == "UNION" && is_extreme_of_null(ty) { &nothing } else { ty };
    let types = &types.iter().map(least).collect::<Vec<&Type>>()[..];
    // Beside a UUID or an address texts are read as one, whatever their collations are.
    let fixed = types.iter().any(|ty| matches!(ty.kind, TypeKind::Fixed(_)));
    let collated = match types.iter().any(|ty| is_text(ty)) {
        true if fixed => collate_result(types, operation).ok().filter(|(_, how)| *how != Coercibility::None),
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
    let bytes = collated.is_some_and(|(collation, _)| collation == CollationId::BINARY);
    let long = known.iter().any(|ty| is_text(ty) && ty.kind.is_blob());
    let of_column = |ty: &Type| match (bytes, collated) {
        // Beside bytes a TEXT column's are bytes too.
        (true, _) => in_bytes(ty),
        (false, Some((collation, _))) if long => bytes_as_characters(ty, collation),
        _ if operation == "UNION" => of_extreme(ty),
        _ => ty.clone(),
    };
    // A fraction of as many digits as it takes has six beside others.
    let of_column = |ty: &Type| match of_column(ty) {
        ty if ty.class() == Class::Temporal => Type { decimals: ty.decimals.min(6), ..ty },
        ty => ty,
    };
    let mut result = of_column(first);
    let mut longest = result.length;
    for (at, ty) in rest.iter().enumerate() {
        let ty = of_column(ty);
        longest = longest.max(ty.length);
        let beside_null = types[..at + 2].iter().any(|ty| ty.kind == TypeKind::Null);
        let told = integer_told(&known[..=at], beside_null);
        let told = told.or_else(|| labels_told(&known[..=at]));
        common_fixed(
            &told_as(told.as_ref().unwrap_or(&result), operation),
            &told_as(&ty, operation),
            operation,
        )?;
        result = union_two(&result, &ty, operation, state)?;
    }
    if matches!(result.kind, TypeKind::VarChar | TypeKind::Char) {
        // Texts of numbers are no longer than the numbers are, whatever would hold two of them.
        result.length = longest;
    }
    // As many digits as a number needs are as long as the longest.
    if result.class() == Class::Real && result.decimals < FREE_DECIMALS {
        result.length = real_length(&known, result.decimals);
    }
    // A text may be no address.
    let read = |ty: &&Type| ty.class() == Class::Str && ty.kind != result.kind;
    let unsure = operation == "UNION" && matches!(result.kind, TypeKind::Fixed(_)) && types.iter().any(read);
    result.nullable = nullable || unsure;
    result.zerofill = false;
    // Several floating-point numbers are signed together, whatever they are alone.
    result.unsigned &= result.kind != TypeKind::Timestamp && result.class() != Class::Real;
    result.truth = known.iter().all(|ty| ty.truth);
    result.origin = if operation == "UNION" { Named::United } else { Named::default() };
    if let Some((collation, coercibility)) = collated
        && result.class() == Class::Str
        && !matches!(result.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_))
    {
        // What is a number's alone is the connection's among others; IF beside NULL hands it on.
        let number = coercibility == Coercibility::Numeric && collation == CollationId::LATIN1_SWEDISH_CI;
        let handed_on = operation == "if" && known.len() == 1 && known.len() < types.len();
        let own = if number && !handed_on { state.vars.collation_connection } else { collation };
        (result.collation, result.coercibility) = (own, coercibility);
    }
    if known.len() < types.len() {
        result = beside_null(result);
    }
    let opaque = matches!(result.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_));
    let bits = result.kind == TypeKind::Bit;
    // What may be a number too stays one.
    if operation != "UNION"
        && known.len() == 1
        && result.class() == Class::Str
        && is_text(&result)
        && !opaque
        && !bits
        && !first.unsigned
    {
        result.decimals = TEXT_DECIMALS;
    }
    // What is computed of bits is a number; IF of bits and NULL is the bits.
    let handed_on = operation == "if" && known.len() == 1 && known.len() < types.len();
    if operation != "UNION" && bits && !handed_on {
        result.coercibility = Coercibility::Numeric;
    }
    result.hex = false;
    // So is what is computed of what EXISTS says.
    if operation != "UNION" && result.is_existence() {
        result.coercibility = Coercibility::Numeric;
    }
    // A geometry that is one of several weighs no more than a number beside text.
    if operation != "UNION" && matches!(result.kind, TypeKind::Geometry(_)) {
        result.coercibility = Coercibility::Numeric;
    }
    // What is computed has labels no more.
    if operation != "UNION" && result.labels.take().is_some() {
        result.kind = TypeKind::VarChar;
    }
    if is_text(&result) && result.kind.is_blob() {
        result.kind = TypeKind::of_size(least_size(u64::from(result.length)));
    }
    result.in_bytes = long && !bytes && operation != "UNION" && result.kind.is_blob();
    let empty = matches!(result.kind, TypeKind::VarChar | TypeKind::Char) || result.kind.is_blob();
    if result.length == 0 && is_text(&result) && empty {
        // Text that is always empty is a number without a fraction.
        result.decimals = 0;
    }
    Ok(signed(result))
}

/// A type beside NULL, which counts as signed: an unsigned exact number there needs a place for the sign.
fn beside_null(ty: Type) -> Type {
    match (ty.class(), ty.kind) {
        (_, TypeKind::Year | TypeKind::Bit | TypeKind::Fixed(_) | TypeKind::Geometry(_)) => ty,
        (Class::Int | Class::Decimal, _) if ty.unsigned => {
            Type { kind: TypeKind::Decimal, unsigned: false, length: ty.length + 1, ..ty }
        }
        (Class::Real, _) => Type { unsigned: false, ..ty },
        _ if is_text(&ty) => Type { decimals: TEXT_DECIMALS, unsigned: false, hex: false, ..ty },
        _ => ty,
    }
}

/// The least or greatest of integers that are no BIGINT, which a query gives as one, or of text of a function's own kind:
/// of their kind still among several sources.
fn of_extreme(ty: &Type) -> Type {
    use TypeKind::{Char, Int24, Long, LongLong, Short, Tiny, VarChar};
    let kind = match (ty.kind, &ty.origin) {
        (LongLong, Named::Extreme(None, _, Some(Tiny | Short | Int24 | Long))) => Long,
        (VarChar, Named::Extreme(None, _, Some(Char))) => Char,
        (kind, _) => kind,
    };
    Type { kind, ..ty.clone() }
}

/// A TEXT column among several sources: MariaDB takes its bytes for characters.
fn of_column(ty: &Type) -> Type {
    let bytes = ty.collation.charset().max_char_bytes() as u32;
    match is_text(ty) && ty.kind.is_blob() && (ty.origin.name().is_some() || is_of_table(ty)) {
        true if ty.in_bytes => ty.clone(),
        true => Type { length: ty.length.saturating_mul(bytes), in_bytes: bytes > 1, ..ty.clone() },
        false if ty.counts_bytes() => Type { length: ty.length / bytes, ..ty.clone() },
        false => ty.clone(),
    }
}

/// The longest computed text, in characters, that is no TEXT where it is kept.
pub const LONGEST_VARCHAR: u32 = 512;

/// Long text of what is computed, kept in a temporary table: it is as long there as its kind may be, and its bytes are
/// taken for characters from there on.
pub fn in_bytes_of_table(ty: Type) -> Type {
    let varied = ty.kind == TypeKind::VarChar && !matches!(ty.origin, Named::United);
    let long = ty.kind.is_blob() || varied && ty.length > LONGEST_VARCHAR;
    let stored = ty.origin.name().is_some() || matches!(ty.origin, Named::Extreme(Some(_), ..));
    if !is_text(&ty) || !long || stored {
        return ty;
    }
    if is_of_table(&ty) {
        return ty;
    }
    // UNION has taken the bytes for characters already.
    let widest = match ty.counts_bytes() || matches!(ty.origin, Named::United) {
        true => 1,
        false => ty.collation.charset().max_char_bytes() as u64,
    };
    let size = match u64::from(ty.length) * widest {
        ..=255 if ty.kind != TypeKind::TinyBlob => BlobSize::Normal,
        bytes => least_size(bytes),
    };
    Type { kind: TypeKind::of_size(size), length: room_in_table(size), ..ty }
}

/// The length of a temporary table's column of that size: by one less than a user variable's text has.
fn room_in_table(size: BlobSize) -> u32 {
    size.max_bytes() - 1
}

/// Whether it is that of long text in a temporary table.
fn is_of_table(ty: &Type) -> bool {
    let sizes = [BlobSize::Tiny, BlobSize::Normal, BlobSize::Medium, BlobSize::Long];
    ty.kind.is_blob() && sizes.map(room_in_table).contains(&ty.length)
}

/// The type of what hands one value on: of a TEXT column, or the greatest of one, bytes are taken for characters.
pub fn of_source(ty: &Type) -> Type {
    let bytes = ty.collation.charset().max_char_bytes() as u32;
    match &ty.origin {
        Named::Extreme(Some(_), ..) if is_text(ty) && ty.kind.is_blob() => {
            Type { length: ty.length.saturating_mul(bytes), in_bytes: bytes > 1, ..ty.clone() }
        }
        _ => of_column(ty),
    }
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

/// Text beside a TEXT or a parameter announced as BLOB: MariaDB takes the bytes that it has in the common character set
/// for characters.
pub fn bytes_as_characters(ty: &Type, common: CollationId) -> Type {
    if !is_text(ty) {
        return ty.clone();
    }
    let in_bytes = ty.counts_bytes() || ty.in_bytes;
    let counted = if in_bytes { ty.collation.charset().max_char_bytes() as u32 } else { 1 };
    let widest = common.charset().max_char_bytes() as u32;
    Type { length: (ty.length / counted).saturating_mul(widest), in_bytes: widest > 1, ..ty.clone() }
}

/// The least size of TEXT that has room for so many bytes.
pub fn least_size(bytes: u64) -> BlobSize {
    match bytes {
        0..=255 => BlobSize::Tiny,
        256..=65_535 => BlobSize::Normal,
        65_536..=16_777_215 => BlobSize::Medium,
        _ => BlobSize::Long,
    }
}

/// An integer's type with the place for a sign that a value of several sources, or of a subquery, needs.
pub fn signed(ty: Type) -> Type {
    match ty.kind {
        TypeKind::Long | TypeKind::LongLong if !ty.unsigned => {
            Type { length: whole_digits(&ty) + 1, written: false, spare: 0, ..ty }
        }
        _ => Type { written: false, ..ty },
    }
}

/// Long text of several sources has a type as wide as its bytes need.
pub fn sized(ty: Type) -> Type {
    let bytes = u64::from(ty.length) * ty.collation.charset().max_char_bytes() as u64;
    let kind = if ty.kind.is_blob() { TypeKind::of_size(least_size(bytes)) } else { ty.kind };
    Type { kind, ..ty }
}

/// The length of a real number that is one of several: room for the longest before the point, and for the digits behind.
fn real_length(types: &[&&Type], decimals: u8) -> u32 {
    let whole = types.iter().map(|ty| ty.length.saturating_sub(u32::from(ty.decimals))).max();
    whole.unwrap_or(0) + u32::from(decimals)
}

/// The type that holds values of two types.
fn union_two(a: &Type, b: &Type, operation: &str, state: &State) -> Result<Type, SqlError> {
    if let Some(fixed) = common_fixed(&told_as(a, operation), &told_as(b, operation), operation)? {
        return Ok(fixed_type(fixed));
    }
    if let (TypeKind::Geometry(_), TypeKind::Geometry(_)) = (a.kind, b.kind) {
        let kind = if a.kind == b.kind { a.kind } else { TypeKind::Geometry(types::GeometryType::Geometry) };
        return Ok(Type { kind, decimals: 0, ..a.clone() });
    }
    let numeric = |ty: &Type| matches!(ty.class(), Class::Int | Class::Decimal | Class::Real);
    if numeric(a) && numeric(b) {
        let bits = |ty: &Type| ty.kind == TypeKind::Bit;
        return Ok(match operation == "UNION" && bits(a) != bits(b) {
            true => digits_of_two(a, b, state),
            false => number_of_two(&signed(a.clone()), &signed(b.clone())),
        });
    }
    if a.class() == Class::Temporal && b.class() == Class::Temporal {
        return Ok(time_of_two(a, b));
    }
    Ok(text_of_two(a, b, operation == "UNION", state))
}

/// Integers as the error of several sources names them: some with and some without a sign have one, and truths beside
/// what is none are numbers.
fn integer_told(types: &[&&Type], beside_null: bool) -> Option<Type> {
    let (first, rest) = types.split_first()?;
    let integers = types.iter().all(|ty| ty.class() == Class::Int && ty.kind != TypeKind::Bit);
    if !integers || rest.is_empty() && !beside_null {
        return None;
    }
    let kind = rest.iter().fold(first.kind, |kind, ty| kind.max_width(ty.kind));
    let unsigned = !beside_null && types.iter().all(|ty| ty.unsigned);
    let truth = !beside_null && types.iter().all(|ty| ty.truth);
    Some(Type { kind, unsigned, truth, ..(**first).clone() })
}

/// Labels of one kind as that error names them, where there are no others before it.
fn labels_told(types: &[&&Type]) -> Option<Type> {
    let (first, rest) = types.split_first()?;
    let alike = rest.iter().all(|ty| ty.kind == first.kind);
    (alike && matches!(first.kind, TypeKind::Enum | TypeKind::Set)).then(|| (**first).clone())
}

/// A type as the error of several sources names it: what is computed of bits is an integer.
fn told_as(ty: &Type, operation: &str) -> Type {
    match ty.kind {
        TypeKind::Bit if operation != "UNION" => {
            Type { kind: TypeKind::LongLong, unsigned: false, ..ty.clone() }
        }
        _ => ty.clone(),
    }
}

/// Bits beside other numbers are texts of digits.
fn digits_of_two(a: &Type, b: &Type, state: &State) -> Type {
    let length = a.length.max(b.length);
    let (kind, coercibility) = (TypeKind::VarChar, Coercibility::Implicit);
    if !a.is_bits() && !b.is_bits() {
        let (collation, coercibility) = (state.vars.collation_connection, Coercibility::Coercible);
        return Type { kind, length, decimals: TEXT_DECIMALS, collation, coercibility, ..boolean(true) };
    }
    Type { kind, length, decimals: TEXT_DECIMALS, coercibility, ..boolean(true) }
}

fn number_of_two(a: &Type, b: &Type) -> Type {
    let length = a.length.max(b.length);
    let decimals = a.decimals.max(b.decimals);
    if a.kind == b.kind && a.unsigned == b.unsigned {
        return match a.class() {
            Class::Decimal => decimal_of(a, b),
            _ => Type { length, decimals, ..a.clone() },
        };
    }
    match (a.class(), b.class()) {
        (Class::Real, _) | (_, Class::Real) => {
            let small = |ty: &Type| {
                use TypeKind::{Float, Int24, Short, Tiny, Year};
                matches!(ty.kind, Float | Tiny | Short | Int24 | Year)
            };
            let kind = if small(a) && small(b) { TypeKind::Float } else { TypeKind::Double };
            Type { kind, length, decimals, unsigned: false, ..a.clone() }
        }
        (Class::Decimal, _) | (_, Class::Decimal) => decimal_of(a, b),
        _ if a.unsigned != b.unsigned => decimal_of(a, b),
        _ => {
            let bits = a.kind == TypeKind::Bit || b.kind == TypeKind::Bit;
            let kind = if bits && length < 12 { TypeKind::Long } else { a.kind.max_width(b.kind) };
            Type { kind, length, unsigned: a.unsigned && b.unsigned, zerofill: false, ..a.clone() }
        }
    }
}

/// Two dates or times of one type have it, others are dates with times.
fn time_of_two(a: &Type, b: &Type) -> Type {
    let decimals = a.decimals.max(b.decimals);
    if a.kind == b.kind {
        return Type { length: a.length.max(b.length), decimals, ..a.clone() };
    }
    let length = 19 + if decimals > 0 { u32::from(decimals) + 1 } else { 0 };
    Type { kind: TypeKind::DateTime, length, decimals, unsigned: false, ..b.clone() }
}

fn text_of_two(a: &Type, b: &Type, union: bool, state: &State) -> Type {
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
        (true, true) if a.length >= b.length => a.kind,
        (true, true) => b.kind,
        (true, false) => a.kind,
        (false, true) => b.kind,
        (false, false) if fixed(a, b, union) => TypeKind::Char,
        (false, false) => TypeKind::VarChar,
    };
    Type {
        kind,
        length: a.length.max(b.length),
        decimals: TEXT_DECIMALS,
        collation,
        coercibility,
        repertoire: a.repertoire.max(b.repertoire).unsettled(),
        json: a.json && b.json,
        ..boolean(a.nullable || b.nullable)
    }
}

/// Whether what two give together is CHAR: both are, or one is beside something that is no text. Labels are none in UNION.
fn fixed(a: &Type, b: &Type, union: bool) -> bool {
    let is = |ty: &Type| ty.kind == TypeKind::Char;
    let other = |ty: &Type| ty.class() != Class::Str || union && ty.labels.is_some();
    is(a) && is(b) || is(a) && other(b) || other(a) && is(b)
}

fn decimal_of(a: &Type, b: &Type) -> Type {
    let scale = a.decimals.max(b.decimals).min(38);
    let whole = whole_digits(a).max(whole_digits(b));
    let unsigned = a.unsigned && b.unsigned;
    let length = (whole + u32::from(scale)).min(65) + u32::from(scale > 0) + u32::from(!unsigned);
    Type {
        kind: TypeKind::Decimal,
        length,
        decimals: scale,
        unsigned,
        zerofill: false,
        spare: 0,
        ..a.clone()
    }
}
