//! JSON documents are text; what is taken out of one keeps its own spelling (`1.50` stays `1.50`).
//!
//! | module | what |
//! | --- | --- |
//! | `document` | a text in parts |
//! | `path` | paths through it |
//! | `splice` | changing them in place |
//! | `edit` | merging |
//! | `extract` | JSON_EXTRACT |
//! | `likeness` | comparing, searching, the normal form |
//! | `change` | the SQL functions that change documents |
//! | `question` | the SQL functions that ask about them |
//! | `quote` | JSON_QUOTE and JSON_UNQUOTE |

use super::super::{Call, Class, Coercibility, Expr, Kind, Type, TypeKind, compare};
use super::Function;
use super::long::{LONG_BYTES, beside};
use super::string::{collation_alone, string, text, text_length, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::{Charset, CollationId, StrValue, Value};

mod change;
mod document;
mod edit;
mod extract;
mod likeness;
mod list;
mod path;
mod question;
mod quote;
mod splice;

pub use change::FUNCTIONS as CHANGING;
pub use document::quoted;
use document::{Begun, Fault};
pub(crate) use document::{Json, as_written, unescaped};
use extract::{extract, extract_type, extracted_as, reads_keys};
pub use list::{Converted, listed_text, member_text};
use list::{array, array_text, made_type, member, member_room, object, object_text};
pub use path::Step;
pub(crate) use path::find;
use path::{Path, PathFault};
pub use question::FUNCTIONS as ASKING;
use quote::{found_type, quote, quote_type, unquote, unquote_type, unquoted};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        $crate::expr::func::Function {
            name: $name,
            min: $min,
            max: $max,
            ty: $ty,
            evaluate: $evaluate,
            deterministic: true,
        }
    };
}
use function;

/// The functions of this module: those that take out and make.
pub static FUNCTIONS: &[Function] = &[
    function!("json_extract", 2, usize::MAX, extract_type, extract),
    function!("json_value", 2, 2, found_type, |cx, args, ty| single(cx, args, ty, "json_value")),
    function!(
        "json_query",
        2,
        2,
        |args, state| Ok(Type { json: true, ..found_type(args, state)? }),
        |cx, args, ty| single(cx, args, ty, "json_query")
    ),
    function!("json_unquote", 1, 1, unquote_type, unquote),
    function!("json_quote", 1, 1, quote_type, quote),
    function!("json_object", 0, usize::MAX, |args, state| made_type(args, "json_object", state), object),
    function!("json_array", 0, usize::MAX, |args, state| made_type(args, "json_array", state), array),
    function!("json_keys", 1, 2, like_first, keys),
    function!("json_compact", 1, 1, |args, state| form_type(args, 1, state), |cx, args, ty| form(
        cx,
        args,
        ty,
        "json_compact",
        |json, _| format!("{json:#}")
    )),
    function!("json_loose", 1, 1, |args, state| form_type(args, 2, state), |cx, args, ty| form(
        cx,
        args,
        ty,
        "json_loose",
        |json, _| json.to_string()
    )),
    function!("json_detailed", 1, 2, detailed_type, |cx, args, ty| form(
        cx,
        args,
        ty,
        "json_detailed",
        detailed
    )),
    function!("json_pretty", 1, 2, detailed_type, |cx, args, ty| form(
        cx,
        args,
        ty,
        "json_detailed",
        detailed
    )),
    function!("json_normalize", 1, 1, normalize_type, |cx, args, ty| {
        let Some(text) = whole_utf8(cx, &args[0])?.map(|text| text.in_characters().in_utf8()) else {
            return Ok(Value::Null);
        };
        let Some(json) = read(cx, &text, 1, "json_normalize")? else { return Ok(Value::Null) };
        Ok(out(beside(cx, text.len(), |_| likeness::normal(&json))?, ty))
    }),
];

/// Functions that lay a document out anew, which is not seen inside others.
const LAID_OUT: [&str; 4] = ["json_compact", "json_detailed", "json_loose", "json_pretty"];

/// A text in UTF-8, and the character set that it was written in: faults are told by the bytes of that.
pub(crate) struct Written {
    text: String,
    charset: Charset,
    /// The one in which bytes without a character set are sent, where these are its characters.
    sent: Charset,
    /// Where bytes begin that are none of its characters, which only a parameter brings, and the bytes of the whole text.
    broken: Option<(usize, Vec<u8>)>,
}

/// What stands in a text for the first byte that is none of its characters: nothing that is a document has it.
const NO_CHARACTER: char = '\u{1}';

impl Written {
    /// A text of a character set, by its bytes in UTF-8.
    fn of_utf8(bytes: Vec<u8>, charset: Charset) -> Written {
        let (text, broken) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(fault) => {
                let good = fault.utf8_error().valid_up_to();
                let bytes = fault.into_bytes();
                let mut text = String::from_utf8_lossy(&bytes[..good]).into_owned();
                text.push(NO_CHARACTER);
                text += &String::from_utf8_lossy(&bytes[good + 1..]);
                (text, Some((good, bytes)))
            }
        };
        Written { text, charset, sent: charset, broken }
    }

    /// The text as it came.
    fn into_value(self, ty: &Type) -> Value {
        match self.broken {
            Some((_, bytes)) => string(bytes, ty),
            None => out(self.text, ty),
        }
    }

    /// Bytes as the characters that they are sent as: of those that only look at a document.
    fn in_characters(self) -> Written {
        if self.charset == self.sent {
            return self;
        }
        let bytes: Vec<u8> = self.text.chars().map(|c| c as u8).collect();
        let value = Value::Str(StrValue::owned(bytes, self.sent.default_collation()));
        let text = compare::text_in(&value, CollationId::UTF8MB4_GENERAL_CI).unwrap_or_default();
        Written::of_utf8(text.into_owned(), self.sent)
    }

    /// A text of a character set as its bytes there, each the character of its number.
    fn in_bytes(self, own: Charset) -> Written {
        if self.charset == Charset::Binary || !own.is_ascii_based() {
            return self;
        }
        let (charset, sent) = (Charset::Binary, own);
        if own == Charset::Binary || self.text.is_ascii() {
            return Written { charset, sent, ..self };
        }
        let text = in_set(self.text, own).into_iter().map(char::from).collect();
        Written { text, charset, sent, broken: None }
    }

    /// As who goes by UTF-8 takes it, which ends at the first zero byte.
    fn in_utf8(self) -> Written {
        let mut text = self.text;
        text.truncate(text.find('\0').unwrap_or(text.len()));
        text.into()
    }
}

impl std::ops::Deref for Written {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<String> for Written {
    fn from(text: String) -> Written {
        Written { text, charset: Charset::Utf8mb4, sent: Charset::Utf8mb4, broken: None }
    }
}

impl Written {
    /// What is wrong with the text, by the bytes that it was written in.
    fn fault(&self, fault: Fault) -> Fault {
        let place = |at: usize| {
            let end = (0..=at.min(self.text.len())).rev().find(|end| self.text.is_char_boundary(*end));
            let before = &self.text[..end.unwrap_or(0)];
            match self.charset {
                Charset::Binary if self.sent.is_utf8() => {
                    let within = |c: char| (0x80..0xC0).contains(&u32::from(c));
                    let rest = self.text[before.len()..].chars().take_while(|c| within(*c));
                    before.chars().count() + rest.count()
                }
                Charset::Binary => before.chars().count(),
                charset => in_set(before.to_owned(), charset).len(),
            }
        };
        let broken = self.broken.as_ref().map(|(at, _)| *at);
        match fault {
            Fault::Character(at) | Fault::Syntax(at) if broken.is_some_and(|broken| broken + 1 == at) => {
                Fault::Broken(place(at - 1))
            }
            Fault::Character(at) => Fault::Character(place(at)),
            Fault::Syntax(at) => Fault::Syntax(place(at)),
            Fault::Depth(at) => Fault::Depth(place(at)),
            other => other,
        }
    }
}

/// A document argument in UTF-8.
///
/// What only lays a document out anew, or puts one together, is not looked at for itself inside another function.
fn utf8(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Written>, SqlError> {
    if let Kind::Call(call) = &e.kind {
        match call.name {
            _ if is_laid_out(e) => return utf8(cx, before_layout(e)),
            "json_array" => return array_text(cx, &call.args, &e.ty).map(|text| text.map(Into::into)),
            "json_object" => return object_text(cx, &call.args, &e.ty).map(|text| text.map(Into::into)),
            _ => {}
        }
    }
    whole_utf8(cx, e)
}

/// As [`utf8`], of those that only look at it.
fn looked_at(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Written>, SqlError> {
    Ok(utf8(cx, e)?.map(Written::in_characters))
}

/// Whether an operand is a document that is but laid out anew.
fn is_laid_out(e: &Expr) -> bool {
    matches!(&e.kind, Kind::Call(call) if LAID_OUT.contains(&call.name))
}

/// What an operand lays out anew, however often; any other as it is.
pub fn before_layout(e: &Expr) -> &Expr {
    match &e.kind {
        Kind::Call(call) if is_laid_out(e) => before_layout(&call.args[0]),
        _ => e,
    }
}

/// The text of a document that is laid out anew for a list, which does not look at how; none where that is no such one.
pub fn before_laid_out(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Value>, SqlError> {
    if !is_laid_out(e) {
        return Ok(None);
    }
    let text = utf8(cx, e)?.map(|written| written.text.into_bytes());
    let string = |text| Value::Str(StrValue::owned(text, CollationId::UTF8MB4_GENERAL_CI));
    Ok(Some(text.map_or(Value::Null, string)))
}

/// As [`utf8`], whatever the argument is.
fn whole_utf8(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Written>, SqlError> {
    // Bytes without a character set are characters of their numbers.
    if is_bytes(e) || e.ty.kind == TypeKind::Bit {
        let (bytes, sent) = match super::pieces::is_members(e) {
            true => match e.eval(cx)? {
                Value::Str(s) => (Some(s.bytes.to_vec()), s.collation.charset()),
                _ => (None, Charset::Binary),
            },
            false => (text(cx, e, CollationId::BINARY)?, Charset::Binary),
        };
        return Ok(bytes.map(|bytes| {
            let text = match std::str::from_utf8(&bytes) {
                Ok(text) if bytes.is_ascii() => text.to_owned(),
                _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
            };
            Written { text, charset: Charset::Binary, sent, broken: None }
        }));
    }
    let bytes = text(cx, e, CollationId::UTF8MB4_GENERAL_CI)?;
    let charset = if e.ty.class() == Class::Str { e.ty.collation.charset() } else { Charset::Utf8mb4 };
    Ok(bytes.map(|bytes| Written::of_utf8(bytes, charset)))
}

/// Why an argument is no document, as MariaDB says it.
fn fault_error(fault: Fault, argument: usize, name: &str) -> SqlError {
    match fault {
        Fault::End => SqlError::json_end(argument, name),
        Fault::Broken(at) => SqlError::json_bad_character(argument, name, at),
        Fault::Character(at) => SqlError::json_not_json_character(argument, name, at),
        Fault::Syntax(at) => SqlError::json_syntax(argument, name, at),
        Fault::Depth(at) => SqlError::json_depth(argument, name, at),
        Fault::Stopped => SqlError::query_interrupted(),
    }
}

fn fault_message(text: &Written, fault: Fault, argument: usize, name: &str) -> (u16, String) {
    let error = fault_error(text.fault(fault), argument, name);
    (error.errno, error.message)
}

/// Reads a document, or what a text begins with, and what stands behind that.
fn parsed<'t>(
    cx: &mut Cx<'_>,
    text: &'t str,
    whole: bool,
) -> Result<Result<(Json<'t>, &'t str), Fault>, SqlError> {
    beside(cx, text.len(), |stop| match whole {
        true => document::parse(text, stop).map(|json| (json, "")),
        false => document::parse_start(text, stop),
    })
}

/// Reads a document, up to a fault in one of its members.
fn begun<'t>(cx: &mut Cx<'_>, text: &'t str) -> Result<Option<Begun<'t>>, SqlError> {
    Ok(beside(cx, text.len(), |stop| document::parse_begun(text, stop))?.ok())
}

/// Reads a document; an error where it is none.
pub(crate) fn document<'t>(
    cx: &mut Cx<'_>,
    text: &'t str,
    argument: usize,
    name: &str,
) -> Result<Json<'t>, SqlError> {
    parsed(cx, text, true)?.map(|(json, _)| json).map_err(|fault| fault_error(fault, argument, name))
}

/// Reads a path; an error where it is none.
pub fn path(text: &str, argument: usize, name: &str) -> Result<Vec<Step>, SqlError> {
    path::parse(text).map_err(|fault| path_error(fault, argument, name))
}

fn path_error(fault: PathFault, argument: usize, name: &str) -> SqlError {
    match fault {
        PathFault::End => SqlError::json_path_end(argument, name),
        PathFault::Syntax(at) => SqlError::json_path_syntax(argument, name, at),
        PathFault::Depth => SqlError::json_path_depth(argument, name),
    }
}

/// Reads a document; what is none gives a warning and nothing.
fn read<'t>(
    cx: &mut Cx<'_>,
    text: &'t Written,
    argument: usize,
    name: &str,
) -> Result<Option<Json<'t>>, SqlError> {
    read_along(cx, text, &[], argument, name)
}

/// As [`read`], of which only what a path leads to is wanted.
fn read_along<'t>(
    cx: &mut Cx<'_>,
    text: &'t Written,
    path: &[Step],
    argument: usize,
    name: &str,
) -> Result<Option<Json<'t>>, SqlError> {
    Ok(match parsed_along(cx, text, path)? {
        Ok(json) => Some(json),
        Err(fault) => {
            tell(cx, text, fault, argument, name);
            None
        }
    })
}

/// Reads a document of which only what a path leads to is wanted.
fn parsed_along<'t>(
    cx: &mut Cx<'_>,
    text: &'t str,
    path: &[Step],
) -> Result<Result<Json<'t>, Fault>, SqlError> {
    beside(cx, text.len(), |stop| document::parse_along(text, path, stop))
}

/// Warns of a fault in a document.
fn tell(cx: &mut Cx<'_>, text: &Written, fault: Fault, argument: usize, name: &str) {
    let (errno, message) = fault_message(text, fault, argument, name);
    cx.state.warn(Level::Warning, errno, message);
}

/// As [`read`]; nothing is said of what stands behind the document.
fn read_start<'t>(
    cx: &mut Cx<'_>,
    text: &'t Written,
    argument: usize,
    name: &str,
) -> Result<Option<Json<'t>>, SqlError> {
    match parsed(cx, text, false)? {
        Ok((json, _)) => Ok(Some(json)),
        Err(_) => read(cx, text, argument, name),
    }
}

/// Reads a path; what is none gives a warning and nothing.
fn path_of(cx: &mut Cx<'_>, e: &Expr, argument: usize, name: &str) -> Result<Option<Path>, SqlError> {
    // Nearly always a constant, and the one of the row before.
    if let Some(Value::Str(text)) = e.peek(cx)
        && text.collation.charset().is_utf8()
        && let Some(path) = path::known(&text.bytes)
    {
        return Ok(Some(path));
    }
    let Some(written) = looked_at(cx, e)? else { return Ok(None) };
    let error = match path::kept(&written) {
        Ok(path) => return Ok(Some(path)),
        // It says nothing of what is no path.
        Err(_) if name == "json_exists" => return Ok(None),
        Err(fault) => path_error(fault, argument, name),
    };
    cx.state.warn(Level::Warning, error.errno, error.message);
    Ok(None)
}

/// Reads a path that must lead to one place.
fn plain_path(cx: &mut Cx<'_>, e: &Expr, argument: usize, name: &str) -> Result<Option<Path>, SqlError> {
    let path = path_of(cx, e, argument, name)?;
    if path.iter().flat_map(|path| path.iter()).any(Step::is_wild) {
        let error = SqlError::json_path_no_wildcard(argument, name);
        cx.state.warn(Level::Warning, error.errno, error.message);
        return Ok(None);
    }
    Ok(path)
}

pub(super) fn out(text: String, ty: &Type) -> Value {
    string(in_set(text, ty.collation.charset()), ty)
}

/// A document in a character set; bytes stand in it as they are. What the set lacks is escaped, in UTF-16 units.
pub fn in_set(text: String, charset: Charset) -> Vec<u8> {
    encoded(text, charset, |c, out| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            for c in format!("\\u{unit:04X}").chars() {
                charset.encode(c.into(), out);
            }
        }
    })
}

/// What a document's text says, which is no document itself.
fn plain(text: String, ty: &Type) -> Value {
    let charset = ty.collation.charset();
    let bytes = encoded(text, charset, |_, out| {
        charset.encode('?'.into(), out);
    });
    string(bytes, ty)
}

fn encoded(text: String, charset: Charset, lacks: impl Fn(char, &mut Vec<u8>)) -> Vec<u8> {
    if charset == Charset::Utf8mb4 || charset.is_utf8() && text.is_ascii() {
        return text.into_bytes();
    }
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        if !charset.encode(c.into(), &mut out) {
            lacks(c, &mut out);
        }
    }
    out
}

/// Text in the collation of the document.
fn like_first(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_alone(&args[0]);
    Ok(text_of_length(text_length(&args[0].ty), collation, coercibility, true))
}

/// A document in the collation of the first.
fn json_like_first(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(Type { json: true, ..like_first(args, state)? })
}

/// A document of a length in characters, in the collation of the first.
fn json_of_length(args: &[Expr], length: u64, state: &mut State) -> Result<Type, SqlError> {
    let ty = like_first(args, state)?;
    Ok(Type { json: true, ..text_of_length(length, ty.collation, ty.coercibility, true) })
}

/// What a path of keys and places leads to in a document that is no longer than is read at once, where that is known without
/// a warning and `take` knows what to make of it; else the ordinary way finds it.
fn glance<T>(cx: &Cx<'_>, args: &[Expr], take: impl FnOnce(Option<&Json<'_>>) -> Option<T>) -> Option<T> {
    let [document, path] = args else { return None };
    let (Some(Value::Str(text)), Some(Value::Str(path))) = (document.peek(cx), path.peek(cx)) else {
        return None;
    };
    let plain = |text: &StrValue| text.collation.charset() == Charset::Utf8mb4;
    if !plain(text) || !plain(path) || is_bytes(document) || text.bytes.len() >= LONG_BYTES {
        return None;
    }
    let path = path::known(&path.bytes).filter(|path| !path.iter().any(Step::is_wild))?;
    let text = std::str::from_utf8(&text.bytes).ok()?;
    let json = document::parse_along(text, &path, &cx.state.stop()).ok()?;
    let mut found = Vec::new();
    path::find(&json, &path, &mut found);
    take(found.first().copied())
}

/// As [`glance`], of the document that an operand takes out of another one.
fn glance_through<T>(cx: &Cx<'_>, e: &Expr, take: impl FnOnce(Option<&Json<'_>>) -> Option<T>) -> Option<T> {
    match &e.kind {
        Kind::Call(call) if is_extract(e) && e.ty.collation.charset() == Charset::Utf8mb4 => {
            glance(cx, &call.args, take)
        }
        _ => None,
    }
}

/// JSON_VALUE takes scalars out, JSON_QUERY arrays and objects.
fn single(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, name: &str) -> Result<Value, SqlError> {
    let scalar = |json: &Json<'_>| match json {
        Json::Text(raw) => Some(plain(document::unescaped(raw), ty)),
        Json::Scalar(word) if word == "null" => Some(Value::Null),
        Json::Scalar(word) => Some(out(number_of(word).to_owned(), ty)),
        Json::Array(_) | Json::Object(_) => None,
    };
    let glanced = |found: Option<&Json<'_>>| found.map_or(Some(Value::Null), scalar);
    if name == "json_value"
        && let Some(found) = glance(cx, args, glanced)
    {
        return Ok(found);
    }
    let text = if name == "json_value" { looked_at(cx, &args[0])? } else { utf8(cx, &args[0])? };
    let read_path = if name == "json_value" { plain_path } else { path_of };
    let (Some(text), Some(path)) = (text, read_path(cx, &args[1], 2, name)?) else { return Ok(Value::Null) };
    // What is no document is none silently.
    let Some(begun) = begun(cx, &text)? else { return Ok(Value::Null) };
    let wanted = |json: &&Json<'_>| json.is_scalar() == (name == "json_value") && begun.is_whole(json);
    let chosen = begun.find(&path).into_iter().find(wanted);
    Ok(match chosen {
        None => Value::Null,
        Some(found) => scalar(found)
            .unwrap_or_else(|| out(document::as_written(&text, &begun.json, found).to_owned(), ty)),
    })
}

/// What JSON_EXTRACT found, for a comparison with `other`: beside text a JSON string stands for its characters, beside a
/// number true and false stand for 1 and 0 as well.
pub(in crate::expr) fn compared(e: Expr, other: &Type) -> Expr {
    let evaluate = if other.class() == Class::Str { unquote } else { as_number };
    let ty = Type { json: false, ..e.ty.clone() };
    let name = "json_unquote";
    let call = Call { name, evaluate, number: None, args: vec![e], deterministic: true };
    Expr { kind: Kind::Call(call), ty }
}

/// Whether this is JSON_EXTRACT.
pub(in crate::expr) fn is_extract(e: &Expr) -> bool {
    matches!(&e.kind, Kind::Call(call) if call.name == "json_extract")
}

/// What JSON_EXTRACT found, where a number or a condition is wanted.
pub(in crate::expr) fn number_found(extract: &Expr, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    as_number(cx, std::slice::from_ref(extract), &extract.ty)
}

/// The number that a scalar stands for.
fn number_of(word: &str) -> &str {
    match word {
        "true" => "1",
        "false" | "null" => "0",
        number => number,
    }
}

fn as_number(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let number = |found: Option<&Json<'_>>| match found {
        None => Some(Value::Null),
        Some(Json::Scalar(word)) => Some(out(number_of(word).to_owned(), ty)),
        Some(_) => None,
    };
    if let Some(found) = glance_through(cx, &args[0], number) {
        return Ok(found);
    }
    let text = match &args[0].kind {
        Kind::Call(call) if is_extract(&args[0]) => {
            extracted_as(cx, &call.args, true)?.map(|(text, _)| text.into())
        }
        _ => utf8(cx, &args[0])?,
    };
    let Some(text) = text else { return Ok(Value::Null) };
    Ok(match text.as_bytes() {
        b"true" | b"false" | b"null" => out(number_of(&text).to_owned(), ty),
        [b'[' | b'{', ..] => out("0".to_owned(), ty),
        _ if is_bytes(&args[0]) => unquote(cx, args, ty)?,
        _ => unquoted(cx, text, ty)?,
    })
}

/// Whether an operand is bytes without a character set.
fn is_bytes(e: &Expr) -> bool {
    e.ty.class() == Class::Str && e.ty.collation == CollationId::BINARY
}

fn keys(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let path = match args.get(1) {
        None => Path::default(),
        Some(e) => match plain_path(cx, e, 2, "json_keys")? {
            None => return Ok(Value::Null),
            Some(path) => path,
        },
    };
    let begun = begun(cx, &text)?;
    let found = begun.as_ref().and_then(|begun| begun.first(&path));
    let Some(Json::Object(members)) = found else {
        if found.is_none() {
            // It was read to its end in vain.
            let _ = read(cx, &text, 1, "json_keys")?;
        }
        return Ok(Value::Null);
    };
    let mut seen = hashbrown::HashSet::with_capacity(members.len());
    let mut names: Vec<String> = Vec::with_capacity(members.len());
    for (key, _) in members {
        // A name of no characters is not looked for where it has just been written.
        let written = || names.iter().position(|name| name == "\"\"");
        if seen.insert(key) || key.is_empty() && written() == names.len().checked_sub(1) {
            names.push(format!("\"{key}\""));
        }
    }
    Ok(out(format!("[{}]", names.join(", ")), ty))
}

/// JSON_COMPACT, JSON_LOOSE: so many times as long as what is given.
fn form_type(args: &[Expr], times: u64, state: &mut State) -> Result<Type, SqlError> {
    let ty = json_of_length(args, text_length(&args[0].ty) * times, state)?;
    Ok(Type { decimals: 0, ..ty })
}

fn detailed_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = json_of_length(args, 16_777_216, state)?;
    Ok(Type { decimals: 0, ..ty })
}

fn normalize_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let length = u64::from(args[0].ty.length) * 5;
    let ty = text_of_length(length, CollationId::UTF8MB4_BIN, Coercibility::Coercible, true);
    Ok(Type { json: true, ..ty })
}

/// A document written in another form; the second argument, if any, goes with it.
fn form(
    cx: &mut Cx<'_>,
    args: &[Expr],
    ty: &Type,
    name: &str,
    write: fn(&Json<'_>, Option<i128>) -> String,
) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let extra = match args.get(1) {
        Some(e) => match super::string::int_arg(cx, e)? {
            None => return Ok(Value::Null),
            width => width,
        },
        None => None,
    };
    let Some(json) = read(cx, &text, 1, name)? else { return Ok(Value::Null) };
    Ok(out(beside(cx, text.len(), |_| write(&json, extra))?, ty))
}

/// Indented by four spaces a level, or as many as asked for, eight at most.
fn detailed(json: &Json<'_>, width: Option<i128>) -> String {
    let mut written = String::new();
    likeness::detailed(json, width.unwrap_or(4).clamp(0, 8) as usize, 0, &mut written);
    written
}
