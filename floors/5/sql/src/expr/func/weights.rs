//! WEIGHT_STRING.

use super::super::build::{call, constant};
use super::super::{Class, Expr, Type};
use super::string::{check_length, own_collation, string, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::Coercibility;
use crate::session::State;
use crate::syntax::ast::WeightShape;
use types::charset::Pad;
use types::{CollationId, Value};

/// `WEIGHT_STRING(operand AS ...)`.
pub fn weight_string(operand: Expr, shape: WeightShape, state: &mut State) -> Result<Expr, SqlError> {
    // Numbers have no weights; those of a date are its characters.
    let collation = operand.ty.collation;
    let weights = match operand.ty.class() {
        Class::Str if collation.charset().max_char_bytes() == 1 => 1,
        Class::Str if collation.name().contains("general_ci") => 2,
        Class::Str if collation.collation().is_bytewise() => 3,
        Class::Str => 16,
        _ => 1,
    };
    let chars = if shape.chars > 0 { shape.chars } else { operand.ty.length };
    let length = match shape.bytes {
        0 => u64::from(chars) * weights,
        bytes => bytes.into(),
    };
    let ty = text_of_length(length, CollationId::BINARY, Coercibility::Coercible, true);
    let numbers = [shape.bytes, shape.chars, shape.flags].map(|n| constant(Value::Int(n.into())));
    let args = std::iter::once(operand).chain(numbers).collect();
    call("weight_string", weighed, args, ty, state)
}

fn weighed(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    match args[0].ty.class() {
        Class::Str => {}
        Class::Temporal => {
            let text = text(cx, &args[0], CollationId::BINARY)?;
            return Ok(text.map_or(Value::Null, |text| string(text, ty)));
        }
        _ => return Ok(Value::Null),
    }
    let mut numbers = [0; 3];
    for (number, e) in numbers.iter_mut().zip(&args[1..]) {
        if let Value::Int(n) = e.eval(cx)? {
            *number = n as usize;
        }
    }
    let [bytes, chars, flags] = numbers;
    let has = |flag: u32| flags & flag as usize != 0;
    let collation = own_collation(&args[0], cx);
    let Some(mut text) = text(cx, &args[0], collation)? else { return Ok(Value::Null) };
    if chars > 0 {
        text.truncate(collation.charset().offset_of_char(&text, chars));
    }
    let mut weights = Vec::new();
    collation.collation().weight_string(&text, &mut weights);
    let missing = match has(WeightShape::PADS_CHARS) {
        true => chars.saturating_sub(collation.charset().char_count(&text)),
        false => 0,
    };
    let filler = filler(collation);
    if !check_length((weights.len() + missing * filler.len()).max(bytes) as u64, "weight_string", cx) {
        return Ok(Value::Null);
    }
    weights.extend(std::iter::repeat_n(&filler[..], missing).flatten());
    if has(WeightShape::DESC) {
        weights.iter_mut().for_each(|byte| *byte = !*byte);
    }
    if has(WeightShape::REVERSE) {
        weights.reverse();
    }
    if bytes > 0 {
        weights.truncate(bytes);
        let missing = if has(WeightShape::PADS_BYTES) { bytes - weights.len() } else { 0 };
        weights.extend(filler.iter().cycle().take(missing));
    }
    Ok(string(weights, ty))
}

/// The weight that texts are filled up with: a space's, or the least where spaces count.
fn filler(collation: CollationId) -> Vec<u8> {
    let mut space = Vec::new();
    let blank = collation.charset().of_plain(b" ").into_owned();
    collation.collation().weight_string(&blank, &mut space);
    if collation.collation().pad == Pad::None {
        let least =
            if collation.name().contains("unicode") || collation.name().contains("uca") { 2 } else { 0 };
        space.fill(0);
        space[0] = least;
    }
    space
}
