//! Types of aggregates' results.

use super::super::Repertoire;
use super::super::{
    Call, Class, Coercibility, Evaluate, Expr, Kind, Named, Slot, Type, TypeKind, USER_TEXT_BYTES,
};
use super::collate::{collate_result, illegal_mix, is_text};
use super::fixed::refuse_opaque;
use super::several::{of_source, sized};
use super::types::{boolean, whole_digits};
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast::AggregateKind;
use types::{CollationId, Value};

/// The characters up to which a computed text is kept as VARCHAR.
const TEXT_CHARS: u32 = 512;

/// The type of an aggregate's result.
pub fn aggregate_type(
    aggregate: AggregateKind,
    distinct: bool,
    args: &[Expr],
    state: &State,
) -> Result<Type, SqlError> {
    let counted = Type { nullable: false, ..number(TypeKind::LongLong, 21, 0) };
    let Some(first) = args.first() else { return Ok(counted) };
    check_operand(aggregate, distinct, &first.ty)?;
    let increment = state.vars.div_precision_increment;
    Ok(match aggregate {
        AggregateKind::CountStar | AggregateKind::Count => counted,
        AggregateKind::BitAnd | AggregateKind::BitOr | AggregateKind::BitXor => {
            Type { unsigned: true, ..counted }
        }
        AggregateKind::Min | AggregateKind::Max => extreme_type(first),
        AggregateKind::Sum => sum_type(&first.ty),
        AggregateKind::Avg => average_type(&first.ty, increment),
        AggregateKind::StddevPop
        | AggregateKind::StddevSamp
        | AggregateKind::VarPop
        | AggregateKind::VarSamp => deviation_type(&first.ty, increment),
        AggregateKind::GroupConcat | AggregateKind::JsonArrayAgg | AggregateKind::JsonObjectAgg => {
            joined_type(aggregate, args, state)?
        }
    })
}

fn number(kind: TypeKind, length: u32, decimals: u8) -> Type {
    Type { kind, length, decimals, ..boolean(true) }
}

/// Refuses what an aggregate does not take.
fn check_operand(aggregate: AggregateKind, distinct: bool, ty: &Type) -> Result<(), SqlError> {
    let unclear = ty.coercibility == Coercibility::None;
    let numbers_only = match aggregate {
        AggregateKind::Min if unclear => return Err(illegal_mix(&[ty, ty], "min(")),
        AggregateKind::Max if unclear => return Err(illegal_mix(&[ty, ty], "max(")),
        AggregateKind::Sum if distinct => "sum(distinct ",
        AggregateKind::Sum => "sum(",
        AggregateKind::Avg if distinct => "avg(distinct ",
        AggregateKind::Avg => "avg(",
        AggregateKind::BitAnd => "bit_and(",
        AggregateKind::BitOr => "bit_or(",
        AggregateKind::BitXor => "bit_xor(",
        AggregateKind::StddevPop => "std(",
        AggregateKind::StddevSamp => "stddev_samp(",
        AggregateKind::VarPop => "variance(",
        AggregateKind::VarSamp => "var_samp(",
        _ => return Ok(()),
    };
    refuse_opaque(&[ty], numbers_only)
}

/// MIN and MAX, or the value of one of several rows.
pub fn extreme_type(e: &Expr) -> Type {
    let asked = matches!(e.kind, Kind::Subquery(_)).then(|| of_source(&e.ty));
    let of = asked.as_ref().unwrap_or(&e.ty);
    let column = matches!(e.kind, Kind::Column(_)) && !matches!(e.ty.origin, Named::Merged);
    let kind = match of.kind {
        TypeKind::Null | TypeKind::Enum | TypeKind::Set => TypeKind::VarChar,
        // The least of a user variable's texts, by its length.
        TypeKind::LongBlob if of.length == USER_TEXT_BYTES && of.counts_bytes() => TypeKind::MediumBlob,
        kind if column => kind,
        _ => computed_extreme_kind(of),
    };
    Type {
        kind,
        nullable: true,
        zerofill: false,
        written: false,
        spare: 0,
        length: match of.class() {
            Class::Real => real_length(of.decimals),
            _ => of.length + of.missing_sign(),
        },
        labels: of.labels.clone().filter(|_| column),
        decimals: if of.labels.is_some() { 0 } else { of.decimals },
        // A document that is computed is a text.
        json: of.json && column,
        origin: Named::Extreme(
            match &of.origin {
                Named::Column(origin) if column => Some(origin.clone()),
                Named::Extreme(origin, ..) if column => origin.clone(),
                _ => None,
            },
            None,
            (kind != of.kind || matches!(of.origin, Named::GivenNull)).then_some(of.kind),
        ),
        ..of.clone()
    }
}

/// The kind of the least of values that are computed: of numbers the widest of their class, of text by its length.
fn computed_extreme_kind(of: &Type) -> TypeKind {
    match of.kind {
        TypeKind::Tiny | TypeKind::Short | TypeKind::Int24 | TypeKind::Bit | TypeKind::Year => {
            TypeKind::LongLong
        }
        TypeKind::Long if !of.truth => TypeKind::LongLong,
        TypeKind::Float => TypeKind::Double,
        // The least of geometries is the least of their bytes.
        TypeKind::Geometry(_) => TypeKind::LongBlob,
        TypeKind::Char => TypeKind::VarChar,
        TypeKind::VarChar if of.length > TEXT_CHARS => {
            sized(Type { kind: TypeKind::Blob, ..of.clone() }).kind
        }
        // Of what stands for a TEXT column the bytes are taken for characters.
        kind if kind.is_blob() => {
            let widest = of.collation.charset().max_char_bytes() as u32;
            if of.length / widest <= TEXT_CHARS { TypeKind::VarChar } else { sized(of.clone()).kind }
        }
        kind => kind,
    }
}

/// Digits behind the point of what is summed up exactly: six where a time has as many as its value.
fn exact_scale(ty: &Type) -> u8 {
    match ty.class() {
        Class::Decimal => ty.decimals,
        Class::Temporal => ty.decimals.min(6),
        _ => 0,
    }
}

fn exact(digits: u32, scale: u8) -> Type {
    number(TypeKind::Decimal, digits.min(65) + u32::from(scale > 0) + 1, scale)
}

fn sum_type(of: &Type) -> Type {
    if of.sums_exactly() {
        let scale = exact_scale(of);
        // A sum of times without a fixed fraction is shown with as many digits as there may be.
        let shown = if of.class() == Class::Temporal { of.decimals.min(38) } else { scale };
        return exact(whole_digits(of) + u32::from(scale) + 22, shown);
    }
    let decimals = of.decimals.min(31);
    number(TypeKind::Double, real_length(decimals), decimals)
}

/// The length of a double with so many digits behind the point.
fn real_length(decimals: u8) -> u32 {
    if decimals < 31 { 17 + u32::from(decimals) } else { 23 }
}

fn average_type(of: &Type, increment: u8) -> Type {
    if of.sums_exactly() {
        let own = exact_scale(of);
        let digits = whole_digits(of) + u32::from(own) + u32::from(increment);
        return exact(digits, (own + increment).min(38));
    }
    let decimals = of.decimals.saturating_add(increment).min(31);
    let length = match of.kind {
        TypeKind::Null => u32::from(decimals),
        TypeKind::Float | TypeKind::Double if decimals < 31 => of.length + u32::from(increment),
        _ => 23,
    };
    number(TypeKind::Double, length, decimals)
}

/// Variances and standard deviations.
fn deviation_type(of: &Type, increment: u8) -> Type {
    let own = if of.labels.is_some() { 0 } else { of.decimals };
    // Of floats, and of texts, it is always four digits more.
    let more = if matches!(of.class(), Class::Real | Class::Str) { 4 } else { increment };
    let most = if of.class() == Class::Temporal { 30 } else { 31 };
    let decimals = own.saturating_add(more).min(most);
    let length = match of.class() {
        Class::Int | Class::Decimal | Class::Temporal => {
            let scale = if of.class() == Class::Temporal { exact_scale(of) } else { of.decimals };
            2 * (whole_digits(of) + u32::from(scale)) + u32::from(increment) + 2
        }
        _ => real_length(own),
    };
    number(TypeKind::Double, length, decimals)
}

/// Texts and documents of many values.
fn joined_type(aggregate: AggregateKind, args: &[Expr], state: &State) -> Result<Type, SqlError> {
    let types: Vec<&Type> = args.iter().map(|e| &e.ty).collect();
    let (mut collation, mut coercibility) = collate_result(&types, "group_concat(")?;
    // Geometries that are chosen are no text, as numbers are none.
    let mut texts = types.iter().filter(|ty| is_text(ty)).peekable();
    let shapes = texts.peek().is_some() && texts.all(|ty| is_chosen_shape(ty));
    if shapes || types.iter().any(|ty| matches!(ty.kind, TypeKind::Fixed(_))) {
        collation = state.vars.collation_connection;
    } else if !types.iter().any(|ty| is_text(ty)) {
        collation = state.vars.collation_connection;
        if types.iter().all(|ty| ty.is_nothing()) {
            (collation, coercibility) = (CollationId::BINARY, Coercibility::Ignorable);
        }
    }
    // The variable counts bytes, but MariaDB reckons as many of the widest characters.
    let widest = collation.charset().max_char_bytes() as u64;
    let around = if aggregate == AggregateKind::JsonArrayAgg { 2 } else { 0 };
    let bytes = state.vars.group_concat_max_len.saturating_mul(widest).saturating_add(around);
    let (kind, length) = match bytes / widest {
        chars @ ..=512 => (TypeKind::VarChar, chars),
        _ => (TypeKind::Blob, bytes),
    };
    let length = length.min(u64::from(u32::MAX)) as u32;
    let json = aggregate != AggregateKind::GroupConcat;
    let texts = types.iter().filter(|ty| is_text(ty) && !ty.is_nothing());
    let repertoire = texts.map(|ty| ty.repertoire.unsettled()).max().unwrap_or(Repertoire::Ascii);
    let origin = Named::Joined(None);
    Ok(Type { json, collation, coercibility, repertoire, origin, ..number(kind, length, 0) })
}

/// An aggregate's result as expressions read it. A decimal may have more digits than its type, so that `AVG(a) * 3` and
/// `MAX(a / b) * 3` of 20 / 3 are 20: a mean is a quotient, and the sum and the ends of quotients are what those are. A
/// mean of a group has its double beside it, and so have its bits. A date of as many digits as it needs has six for
/// whoever computes with it: [`as_selected`] is what it is by itself.
pub fn with_all_digits(e: Expr, kind: AggregateKind, args: &[Expr]) -> Expr {
    let computed = args.iter().any(|arg| !matches!(arg.kind, Kind::Column(_) | Kind::Const(_)));
    let name = match kind {
        AggregateKind::Avg => "avg",
        AggregateKind::BitAnd | AggregateKind::BitOr | AggregateKind::BitXor => "bits",
        AggregateKind::Sum if computed => "sum",
        AggregateKind::Min if computed || has_free_digits(&e.ty) => "min",
        AggregateKind::Max if computed || has_free_digits(&e.ty) => "max",
        _ => return e,
    };
    if e.ty.class() != Class::Decimal && name != "bits" && !has_free_digits(&e.ty) {
        return e;
    }
    let ty = e.ty.clone();
    let evaluate: Evaluate = |cx, args, _| {
        Ok(match args[0].eval(cx)? {
            Value::DateTime(at, _) => Value::DateTime(at, MOST_DIGITS),
            value => value,
        })
    };
    let real = match &e.kind {
        // Only a group's mean has its sum.
        Kind::Column(slot) if matches!(name, "avg" | "bits") && !args.is_empty() => {
            let kind = Kind::Column(Slot { index: slot.index + 1, ..*slot });
            Some(Expr { kind, ty: number(TypeKind::Double, 23, 31) })
        }
        _ => None,
    };
    let args = std::iter::once(e).chain(real).collect();
    let call = Call { name, evaluate, number: None, args, deterministic: true };
    Expr { kind: Kind::Call(call), ty }
}

/// Whether it is a geometry that was chosen among several.
pub fn is_chosen_shape(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Geometry(_)) && ty.coercibility == Coercibility::Numeric
}

/// Digits of a second that a column has at most.
pub const MOST_DIGITS: u8 = 6;

/// Whether its dates have as many digits as they need.
pub fn has_free_digits(ty: &Type) -> bool {
    ty.kind == TypeKind::DateTime && ty.decimals > MOST_DIGITS
}

/// The greatest or least of such dates where nothing is computed with it.
pub fn as_selected(e: &mut Expr) {
    if let Some(date) = free_extreme(e) {
        *e = date.clone();
    }
}

/// Whether an expression reads the greatest or least of such dates.
pub fn reads_free_extreme(e: &Expr) -> bool {
    let mut reads = false;
    e.visit(&mut |e| reads |= free_extreme(e).is_some());
    reads
}

fn free_extreme(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        Kind::Call(call) if matches!(call.name, "max" | "min") && has_free_digits(&e.ty) => call.args.first(),
        _ => None,
    }
}
