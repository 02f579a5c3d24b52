//! Internet addresses.

use super::super::build::truth_type;
use super::super::{Class, Coercibility, Expr, Type, TypeKind, compare};
use super::Function;
use super::pieces::int_type;
use super::string::{ascii_text, int_arg, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use std::net::{Ipv4Addr, Ipv6Addr};
use types::{CollationId, FixedType, StrValue, Value};

macro_rules! function {
    ($name:literal, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: 1, max: 1, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

macro_rules! asks {
    ($read:expr, $name:literal, $test:expr) => {
        function!($name, |args, _| Ok(truth_type(args[0].ty.nullable)), |cx, args, _| {
            let test: fn(&[u8]) -> bool = $test;
            Ok(Value::from($read(cx, &args[0])?.is_some_and(|bytes| test(&bytes))))
        })
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("inet_aton", aton_type, aton),
    function!("inet_ntoa", |_, state| Ok(address_text(31, state)), ntoa),
    function!("inet6_aton", aton6_type, aton6),
    function!("inet6_ntoa", |_, state| Ok(address_text(39, state)), ntoa6),
    asks!(text_of, "is_ipv4", |text| types::fixed::parse_inet4(text).is_some()),
    asks!(text_of, "is_ipv6", |text| parse::<Ipv6Addr>(text).is_some()),
    asks!(address_of, "is_ipv4_compat", |bytes| bytes.len() == 16
        && bytes[..12].iter().all(|b| *b == 0)
        && bytes[12..] > [0, 0, 0, 1][..]),
    asks!(address_of, "is_ipv4_mapped", |bytes| bytes.len() == 16
        && bytes[..10].iter().all(|b| *b == 0)
        && bytes[10..12] == [0xFF, 0xFF]),
];

fn parse<A: std::str::FromStr>(text: &[u8]) -> Option<A> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn warn_of_address(cx: &mut Cx<'_>, shown: &str) {
    cx.state.warn(Level::Warning, 1292, format!("Incorrect inet6 value: '{shown}'"));
}

/// The bytes of an IPv6 address, which text is read as; a warning of what is none.
fn address_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    let is_bytes = e.ty.class() == Class::Str && e.ty.collation == CollationId::BINARY;
    if !is_bytes && !matches!(e.ty.kind, TypeKind::Fixed(_)) {
        let Some(text) = text_of(cx, e)? else { return Ok(None) };
        let address = FixedType::Inet6.parse(&text);
        if address.is_none() {
            let collation = read_collation(cx, e);
            let shown = compare::error_text(&Value::Str(StrValue::owned(text, collation)));
            warn_of_address(cx, &shown);
        }
        return Ok(address.map(|address| address.bytes().to_vec()));
    }
    let bytes = bytes_of(cx, e)?;
    if let Some(bytes) = bytes.as_ref().filter(|bytes| bytes.len() != 16) {
        let shown = compare::bytes_text(&Value::binary(bytes));
        warn_of_address(cx, &shown);
    }
    Ok(bytes)
}

fn bytes_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    if matches!(e.ty.kind, TypeKind::Fixed(FixedType::Inet6)) {
        // Its bytes, which the questions about kinds of addresses take; its text to all others.
        return Ok(match e.eval(cx)? {
            Value::Fixed(value) => Some(value.bytes().to_vec()),
            _ => None,
        });
    }
    text_of(cx, e)
}

fn text_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    let collation = read_collation(cx, e);
    text(cx, e, collation)
}

/// An address is made of ASCII, in which wide characters are read too.
fn read_collation(cx: &Cx<'_>, e: &Expr) -> CollationId {
    let own = super::string::own_collation(e, cx);
    if own.charset().is_ascii_based() { own } else { CollationId::UTF8MB4_GENERAL_CI }
}

fn address_text(length: u64, state: &State) -> Type {
    let ty = text_of_length(length, state.vars.collation_connection, Coercibility::Coercible, true);
    Type { decimals: 0, ..ty }
}

fn aton_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(Type { kind: TypeKind::LongLong, unsigned: true, nullable: true, ..int_type(&[], 21) })
}

/// `a.b.c.d`; with fewer parts the last one fills the rest (`1.2` is `1.0.0.2`).
fn aton(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = text_of(cx, &args[0])? else { return Ok(Value::Null) };
    let parts: Option<Vec<u64>> = bytes
        .split(|byte| *byte == b'.')
        .map(|part| parse::<u8>(part).filter(|_| part.iter().all(u8::is_ascii_digit)).map(u64::from))
        .collect();
    let Some(parts) = parts.filter(|parts| (1..=4).contains(&parts.len())) else { return Ok(Value::Null) };
    let (last, front) = parts.split_last().unwrap_or((&0, &[]));
    let high = front.iter().enumerate().fold(0, |n, (i, part)| n | part << (24 - 8 * i));
    Ok(Value::UInt(high | last))
}

fn ntoa(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let n = int_arg(cx, &args[0])?.and_then(|n| u32::try_from(n).ok());
    Ok(n.map_or(Value::Null, |n| ascii_text(Ipv4Addr::from(n).to_string().into_bytes(), ty)))
}

fn aton6_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let ty = text_of_length(16, CollationId::BINARY, Coercibility::Coercible, true);
    Ok(Type { decimals: 0, ..ty })
}

fn aton6(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = text_of(cx, &args[0])? else { return Ok(Value::Null) };
    let octets = types::fixed::parse_inet4(&bytes)
        .map(|octets| octets.to_vec())
        .or_else(|| parse::<Ipv6Addr>(&bytes).map(|address| address.octets().to_vec()));
    Ok(octets.map_or(Value::Null, |octets| ascii_text(octets, ty)))
}

fn ntoa6(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    // Numbers and text with characters are no addresses, whatever they are: they are not read.
    if args[0].ty.class() != Class::Str || args[0].ty.collation != CollationId::BINARY {
        return Ok(Value::Null);
    }
    let Some(bytes) = text_of(cx, &args[0])? else { return Ok(Value::Null) };
    let shown = if let Ok(octets) = <[u8; 4]>::try_from(&bytes[..]) {
        Ipv4Addr::from(octets).to_string()
    } else if let Ok(octets) = <[u8; 16]>::try_from(&bytes[..]) {
        types::fixed::inet6_text(&octets)
    } else {
        return Ok(Value::Null);
    };
    Ok(ascii_text(shown.into_bytes(), ty))
}
