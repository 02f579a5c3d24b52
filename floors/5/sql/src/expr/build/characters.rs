//! Texts and bytes as characters of what they are compared or put together with.

use super::super::{Class, Coercibility, Comparison, Expr, Kind, Named, Type, TypeKind};
use super::collate;
use super::silently;
use super::types::boolean;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::{Charset, CollationId, Value};

/// Whether a constant that counts as bytes, as DECODE's do, is no sound text of its own character set, and has to go into
/// another of Unicode.
pub(super) fn is_torn(e: &Expr, collation: CollationId, state: &mut State) -> bool {
    let decoded = e.is_call("decode") || e.is_call("encode");
    let s = match &e.kind {
        Kind::Const(value) if e.ty.collation == CollationId::BINARY => value.clone(),
        Kind::Call(_) if decoded => {
            silently(state, |state| super::super::foreknown::value_of(e, state)).0.unwrap_or_default()
        }
        _ => return false,
    };
    let Value::Str(s) = s else { return false };
    let (own, wanted) = (s.collation.charset(), collation.charset());
    own != types::Charset::Binary
        && own != wanted
        && wanted.is_unicode()
        && own.valid_prefix(&s.bytes) < s.bytes.len()
}

/// Has the operands of an operation go into the character set that they have together. Behind error 1300, of bytes that
/// are no characters of it, stands that of collations that do not go together.
pub fn settle_each(
    operands: &mut [&mut Expr],
    operation: &str,
    state: &mut State,
    settle: impl Fn(&mut Expr) -> Result<(), SqlError>,
) -> Result<(), SqlError> {
    let settled = operands.iter_mut().try_for_each(|e| settle(e));
    if let Err(error) = &settled {
        let types: Vec<&Type> = operands.iter().map(|e| &e.ty).collect();
        let mix = collate::illegal_mix(&types, operation);
        for told in [error, &mix] {
            state.warn(Level::Error, told.errno, told.message.clone());
        }
    }
    settled
}

/// A text constant goes into the character set that it is compared in, once for all rows.
pub fn settle_charset(how: Comparison, e: &mut Expr) -> Result<(), SqlError> {
    let Comparison::Str(collation) = how else { return Ok(()) };
    settle_bytes(collation, e)?;
    if let Kind::Const(Value::Str(s)) = &mut e.kind
        && s.collation.charset() != collation.charset()
    {
        // What counts as bytes, as DECODE's text does, is that of single bytes as it is.
        let as_is = e.ty.collation == CollationId::BINARY && !collation.charset().is_unicode();
        let own = if as_is { collation.charset() } else { s.collation.charset() };
        let converted = own.convert_cow(&s.bytes, collation.charset()).into_owned();
        *s = types::StrValue::owned(converted, collation);
    }
    Ok(())
}

/// Bytes of a column or function become the characters of a collation, and it is told where they are none. Those of
/// literals must be characters of it.
pub fn settle_bytes(collation: CollationId, e: &mut Expr) -> Result<(), SqlError> {
    let are_bytes = e.ty.class() == Class::Str
        && e.ty.collation == CollationId::BINARY
        && !matches!(e.ty.kind, TypeKind::Null | TypeKind::Fixed(_));
    if !are_bytes || !collation.charset().is_unicode() {
        convert_once(collation, e);
        return Ok(());
    }
    collate::take_as_characters(e, collation)?;
    let computed = matches!(e.kind, Kind::Call(_) | Kind::Column(_)) || super::is_chosen_shape(&e.ty);
    if computed && !e.is_same_in_all_rows() {
        let null = Expr { kind: Kind::Const(Value::Null), ty: boolean(true) };
        *e = super::super::func::cast::recode(std::mem::replace(e, null), collation);
    }
    Ok(())
}

/// A text that is computed of constants goes into another character set once for all rows: no mode makes errors of what is
/// said of it.
fn convert_once(collation: CollationId, e: &mut Expr) {
    let charsets = [e.ty.collation, collation].map(|collation| collation.charset());
    let converts = charsets[0] != charsets[1] && !charsets.contains(&Charset::Binary);
    let computed = matches!(&e.kind, Kind::Call(call) if call.deterministic) && e.is_same_in_all_rows();
    if converts && computed && characters_of(&e.ty).is_some() && e.ty.coercibility != Coercibility::Numeric {
        let null = Expr { kind: Kind::Const(Value::Null), ty: boolean(true) };
        *e = super::super::func::once::recode_once(std::mem::replace(e, null), collation);
    }
}

/// A column that is compared as text of another character set is converted for all that it is compared with: dates and
/// times `beside` that text read it without knowing its name.
pub(super) fn settle_column<'e>(
    collation: CollationId,
    e: &mut Expr,
    mut beside: impl Iterator<Item = &'e Expr>,
) {
    let converts = matches!(e.kind, Kind::Column(_))
        && e.ty.class() == Class::Str
        && ![e.ty.collation, collation].contains(&CollationId::BINARY)
        && e.ty.collation.charset() != collation.charset();
    if converts && beside.any(|other| other.ty.class() == Class::Temporal) {
        let null = Expr { kind: Kind::Const(Value::Null), ty: boolean(true) };
        *e = super::super::func::cast::recode(std::mem::replace(e, null), collation);
        e.ty.origin = Named::default();
    }
}

/// Numbers that are constants become texts of a character set without single bytes when they are put together with such:
/// what can not be computed is told then.
pub fn check_widened<'e>(
    collation: CollationId,
    mut together: impl Iterator<Item = &'e Expr>,
    state: &mut State,
) -> Result<(), SqlError> {
    if !matches!(collation.charset(), Charset::Ucs2 | Charset::Utf16 | Charset::Utf16le | Charset::Utf32) {
        return Ok(());
    }
    together.try_for_each(|e| {
        let known = e.is_settled() || e.is_told_by_session();
        let number = e.ty.class() != Class::Str && !e.is_const() && known;
        let fails = number && silently(state, |state| e.eval(&mut Cx::new(state, &[]))).0.is_err();
        if fails { e.eval(&mut Cx::new(state, &[])).map(drop) } else { Ok(()) }
    })
}

/// The collation that what is put together to a text of a type has; none where it is no text of characters.
pub fn characters_of(ty: &Type) -> Option<CollationId> {
    let other = matches!(ty.kind, TypeKind::Null | TypeKind::Fixed(_) | TypeKind::Geometry(_));
    (ty.class() == Class::Str && !other).then_some(ty.collation)
}
