//! The types of string functions: lengths, collations, repertoires.

use super::super::build::{boolean, collate_operands, silently};
use super::super::{Class, Coercibility, Expr, Repertoire, Type, TypeKind, foreknown};
use super::pieces;
use super::string::{
    collation_of, compared_collation_of, int_arg, long_text, same_text, text_bytes, text_length,
    text_of_length,
};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use types::CollationId;

pub(super) fn int_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let nullable = args.iter().any(|e| e.ty.nullable);
    Ok(Type { length: 10, ..boolean(nullable) })
}

/// A number made of texts whose collations must agree.
pub(super) fn agreeing(args: &[Expr], name: &str, length: u32) -> Result<Type, SqlError> {
    collate_operands(&args.iter().map(|e| &e.ty).collect::<Vec<_>>(), name)?;
    Ok(pieces::int_type(args, length))
}

/// FIELD compares texts under one collation where all are texts.
pub(super) fn field_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    if args.iter().all(|e| e.ty.class() == Class::Str) {
        collate_operands(&args.iter().map(|e| &e.ty).collect::<Vec<_>>(), "field")?;
    }
    Ok(pieces::int_type(&[], 3))
}

pub(super) fn concat_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "concat", state)?;
    let length = args.iter().map(|e| text_length(&e.ty)).sum();
    Ok(text_of_length(length, collation, coercibility, true))
}

/// With the separator between each two.
pub(super) fn concat_ws_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "concat_ws", state)?;
    let length: u64 = args[1..].iter().map(|e| text_length(&e.ty)).sum();
    let separators = text_length(&args[0].ty) * (args.len() as u64 - 2);
    Ok(text_of_length(length + separators, collation, coercibility, true))
}

/// The integer of an argument that is a constant to the statement; `None` where it is none, 0 for NULL.
pub(super) fn known_int(e: &Expr, state: &mut State) -> Result<Option<i128>, SqlError> {
    let (number, _) = silently(state, |state| {
        if e.is_settled() {
            return int_arg(&mut Cx::new(state, &[]), e).map(|number| Some(number.unwrap_or(0)));
        }
        if e.has_subquery() {
            return Ok(None);
        }
        let Some(known) = foreknown::constant_of(e, state) else { return Ok(None) };
        int_arg(&mut Cx::new(state, &[]), &known).map(|number| Some(number.unwrap_or(0)))
    });
    number
}

/// Text in other letters, of no more than the most bytes.
pub(super) fn cased_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = same_text(args, state)?;
    let length = text_length(&args[0].ty) * if casts_longer(ty.collation) { 2 } else { 1 };
    Ok(text_of_length(length, ty.collation, ty.coercibility, true))
}

/// Whether a letter's other case may have more bytes in UTF-8, by the tables that the collation takes it from.
fn casts_longer(collation: CollationId) -> bool {
    let name = collation.name();
    collation.charset().is_utf8()
        && ["_turkish_", "_520_", "_uca1400_"].iter().any(|part| name.contains(part))
}

/// LEFT and RIGHT: as many characters as a constant count asks for.
pub(super) fn cut_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = same_text(&args[..1], state)?;
    let most = known_int(&args[1], state)?.map_or(u64::MAX, |n| n.clamp(0, u32::MAX.into()) as u64);
    Ok(long_text(most.min(text_length(&args[0].ty)), ty.collation, ty.coercibility, true))
}

/// SUBSTRING with constant positions; the rest from a position counts bytes, as MariaDB does.
pub(super) fn substring_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = same_text(&args[..1], state)?;
    // What is no text counts as text of one byte a character.
    let widest = match args[0].ty.class() {
        Class::Str if !matches!(args[0].ty.kind, TypeKind::Fixed(_)) => {
            ty.collation.charset().max_char_bytes() as u64
        }
        _ => 1,
    };
    let mut length = u64::from(args[0].ty.length);
    let whole = length;
    if let Some(position) = known_int(&args[1], state)? {
        length = match position {
            0 => 0,
            n if n < 0 => (n.unsigned_abs().min(u128::from(whole * widest))) as u64,
            n => (whole * widest).saturating_sub((n - 1).min(i128::from(u32::MAX)) as u64),
        };
    }
    if let Some(e) = args.get(2)
        && let Some(n) = known_int(e, state)?
    {
        length = length.min(n.clamp(0, u32::MAX.into()) as u64);
    }
    Ok(long_text(length, ty.collation, ty.coercibility, true))
}

/// REPEAT, SPACE, LPAD and RPAD: a constant count gives the length.
pub(super) fn counted_type(
    args: &[Expr],
    count: &Expr,
    unit: u64,
    state: &mut State,
) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "string", state)?;
    let length = match known_int(count, state)? {
        Some(n) => (n.clamp(0, 1 << 31) as u64).saturating_mul(unit),
        None => u64::MAX,
    };
    Ok(text_of_length(length.min(16_777_216), collation, coercibility, true))
}

/// LPAD and RPAD: text and filler agree on a collation.
pub(super) fn pad_type(args: &[Expr], name: &str, state: &mut State) -> Result<Type, SqlError> {
    let ty = counted_type(&args[..1], &args[1], 1, state)?;
    let Some(filler) = args.get(2) else { return Ok(ty) };
    let (collation, coercibility) = collation_of(&[args[0].clone(), filler.clone()], name, state)?;
    Ok(text_of_length(u64::from(ty.length), collation, coercibility, true))
}

pub(super) fn replace_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = compared_collation_of(args, "replace", state)?;
    Ok(text_of_length(replaced_length(args), collation, coercibility, true))
}

/// As many characters as if each were replaced.
pub(super) fn replaced_length(args: &[Expr]) -> u64 {
    let new = &args[2].ty;
    // MariaDB reckons in 32 bits with a sign: what LONGBLOB is longer by is less than nothing.
    let bytes = |e: &Expr| e.ty.class() == Class::Str && e.ty.collation == CollationId::BINARY;
    if new.length == u32::MAX && args.iter().any(bytes) {
        return text_length(&args[0].ty);
    }
    text_length(&args[0].ty).saturating_mul(text_length(new).max(1))
}

pub(super) fn repeat_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    counted_type(&args[..1], &args[1], text_length(&args[0].ty), state)
}

pub(super) fn hex_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = &args[0].ty;
    let length = match ty.class() {
        // MariaDB reckons in 32 bits.
        Class::Str => text_bytes(ty).wrapping_mul(2).into(),
        Class::Temporal => u64::from(ty.length) * 2,
        Class::Int if ty.unsigned && !ty.written => u64::from(ty.length) * 2,
        _ => 16,
    };
    let text = long_text(length, state.vars.collation_connection, Coercibility::Coercible, true);
    Ok(Type { decimals: 0, repertoire: Repertoire::Ascii, ..text })
}

pub(super) fn binary_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    // MariaDB reckons in 32 bits: half of LONGBLOB is nothing.
    let ty = long_text(
        u64::from(text_bytes(&args[0].ty).wrapping_add(1) / 2),
        CollationId::BINARY,
        Coercibility::Coercible,
        true,
    );
    Ok(Type { decimals: 0, ..ty })
}
