//! JSON_EXTRACT.

use super::document::{Fault, Json};
use super::path::{Path, Step};
use super::{begun, edit, fault_error, glance, json_of_length, out, parsed_along, path_of, tell, utf8};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Expr, Type};
use crate::session::{Level, State};
use types::{Charset, Value};

/// Room for the spaces that come in between, once a path, and for brackets around several.
pub(super) fn extract_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let paths = args.len() as u64 - 1;
    let brackets = if paths > 1 { 2 * paths } else { 0 };
    json_of_length(args, u64::from(args[0].ty.length) * 2 * paths + brackets, state)
}

pub(super) fn extract(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let spelt = |found: Option<&Json<'_>>| Some(found.map_or(Value::Null, |json| out(json.spelt(), ty)));
    if let Some(found) = glance(cx, args, spelt) {
        return Ok(found);
    }
    let Some((spelt, several)) = extracted(cx, args)? else { return Ok(Value::Null) };
    let charset = args[0].ty.collation.charset();
    if charset.is_ascii_based() {
        return Ok(out(spelt, ty));
    }
    // MariaDB does not know again what it found in a set of wide characters.
    let at = charset.min_char_bytes() * if several { 2 } else { 1 };
    let fault = fault_error(Fault::Character(at), 1, "json_extract");
    cx.state.warn(Level::Warning, fault.errno, fault.message);
    Ok(Value::Null)
}

/// What paths lead to, and whether these may be several values.
fn extracted(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<(String, bool)>, SqlError> {
    extracted_as(cx, args, false)
}

/// As [`extracted`]; a `number` is found though there be a fault behind it, and several values are none.
pub(super) fn extracted_as(
    cx: &mut Cx<'_>,
    args: &[Expr],
    number: bool,
) -> Result<Option<(String, bool)>, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(None) };
    let mut paths = Vec::new();
    for (i, e) in args[1..].iter().enumerate() {
        let Some(path) = path_of(cx, e, i + 2, "json_extract")? else { return Ok(None) };
        paths.push(path);
    }
    let along: &[Step] = match &paths[..] {
        [path] => path,
        _ => &[],
    };
    let several = paths.len() > 1 || paths.iter().flat_map(|path| path.iter()).any(Step::is_wild);
    let json = match parsed_along(cx, &text, along)? {
        Ok(json) => json,
        Err(_) if number && several => return Ok(Some(("[]".to_owned(), true))),
        Err(fault) => {
            let reads = number && reads_keys(&args[0], &paths[0], &args[1]);
            let begun = if reads { begun(cx, &text)? } else { None };
            let found = begun.as_ref().and_then(|begun| begun.first(along));
            if found.is_none() {
                tell(cx, &text, fault, 1, "json_extract");
            }
            return Ok(found.map(|json| (json.spelt(), false)));
        }
    };
    let mut written = args[1..].iter();
    paths.retain(|path| written.next().is_some_and(|e| reads_keys(&args[0], path, e)));
    let found = edit::gathered(&json, &paths);
    Ok(match (&found[..], several) {
        ([], _) => None,
        ([one, ..], false) => Some((one.spelt(), false)),
        (many, _) => {
            let texts: Vec<String> = many.iter().map(ToString::to_string).collect();
            Some((format!("[{}]", texts.join(", ")), true))
        }
    })
}

/// Whether a path may lead into a document: the bytes of its keys are compared with those of the document.
pub(super) fn reads_keys(document: &Expr, path: &Path, e: &Expr) -> bool {
    let (document, written) = (document.ty.collation.charset(), e.ty.collation.charset());
    let of_bytes =
        |set: Charset| if set.is_utf8() || set == Charset::Binary { Charset::Utf8mb4 } else { set };
    let same_bytes = |key: &str| match document.is_ascii_based() && written.is_ascii_based() {
        true => key.is_ascii() || of_bytes(document) == of_bytes(written),
        false => document == written,
    };
    path.iter().all(|step| !matches!(step, Step::Key(key) if !same_bytes(key)))
}
