//! Regular expressions: PCRE2's, as MariaDB's are. No just-in-time code (sessions run on small stacks); PCRE2's own
//! limit on backtracking bounds what a pattern may cost. Texts that are long are matched beside the event loop.
//!
//! For each match PCRE2 looks through all that is left of the text for whether it is UTF-8. A text of nothing but ASCII
//! is therefore matched as bytes, by a pattern that is one of bytes as well: both find the same in it.

mod utf8;

use super::super::build::{call, collate_operands, not, settle_bytes, settle_each, silently, truth_type};
use super::super::{Expr, Kind, Type};
use super::Function;
use super::long::beside;
use super::pieces::int_type;
use super::string::{compared_collation_of, shared_text, string, text, text_length, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State, Stop};
use pcre2::bytes::{Captures, Regex, RegexBuilder};
use std::cell::RefCell;
use std::sync::Arc;
use types::{Bytes, Charset, CollationId, Value};

/// Compiled patterns that a thread keeps.
const KEPT: usize = 32;

/// A compiled pattern, and what it was compiled of.
struct Compiled {
    pattern: Bytes,
    meant: Meant,
    regex: Arc<Regex>,
}

/// What `default_regex_flags` may name, and how PCRE2 writes it.
const SETTINGS: [(&str, char); 5] =
    [("DOTALL", 's'), ("DUPNAMES", 'J'), ("EXTENDED", 'x'), ("MULTILINE", 'm'), ("UNGREEDY", 'U')];

/// How a pattern is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Meant {
    /// Which of [`SETTINGS`] stand in front of it, a bit each.
    settings: u8,
    caseless: bool,
    form: Form,
}

/// What patterns and texts consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Bytes,
    /// Characters of ASCII: told apart from bytes in nothing but what the pattern may say.
    Ascii,
    Utf8,
}

/// What is read first: where it is NULL the other is not read.
enum First {
    Text,
    Pattern,
    /// This text was read already.
    Read(Option<Bytes>),
}

/// What is matched, and with what: with nothing where it is no text.
type Prepared = (Bytes, Option<Arc<Regex>>);

thread_local! {
    /// The patterns used last, newest last.
    static COMPILED: RefCell<Vec<Compiled>> = const { RefCell::new(Vec::new()) };
}

macro_rules! function {
    ($name:literal, $count:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $count, max: $count, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("regexp_replace", 3, replace_type, replace),
    function!("regexp_substr", 2, substring_type, substring),
    function!(
        "regexp_instr",
        2,
        |args, state| {
            collate_operands(&[&args[0].ty, &args[1].ty], "regexp_instr")?;
            check_pattern(args, state)?;
            let ty = int_type(args, 11);
            // A pattern that is none yet may be none at all.
            Ok(Type { nullable: ty.nullable || !args[1].is_settled(), ..ty })
        },
        position
    ),
];

/// `operand [NOT] REGEXP pattern`.
pub fn build(operand: Expr, pattern: Expr, negated: bool, state: &mut State) -> Result<Expr, SqlError> {
    let collation = collate_operands(&[&operand.ty, &pattern.ty], "regexp")?.0;
    let mut operands = [operand, pattern];
    settle_each(&mut operands.each_mut(), "regexp", state, |e| settle_bytes(collation, e))?;
    check_pattern(&operands, state)?;
    let [operand, pattern] = operands;
    // A pattern that is none yet may be none at all.
    let ty = truth_type(operand.ty.nullable || pattern.ty.nullable || !pattern.is_settled());
    let matched = call("regexp", matches, vec![operand, pattern], ty, state)?;
    Ok(if negated { not(matched) } else { matched })
}

/// The subject in UTF-8 (or bytes) and the compiled pattern; `None` where one is NULL.
///
/// A pattern that stands in the statement is looked at even where there is no subject.
fn prepare(
    cx: &mut Cx<'_>,
    args: &[Expr],
    collation: CollationId,
    first: First,
) -> Result<Option<Prepared>, SqlError> {
    let binary = collation == CollationId::BINARY;
    let matched = matched_in(collation);
    // A pattern that stands in the statement is read before all else.
    let settled = args[1].is_settled();
    let late = settled && matches!(first, First::Text);
    let read = match first {
        First::Text if !settled => Some(shared_text(cx, &args[0], matched)?),
        First::Read(text) => Some(text),
        First::Text | First::Pattern => None,
    };
    if read == Some(None) && !settled {
        return Ok(None);
    }
    let Some(pattern) = shared_text(cx, &args[1], matched)? else {
        // What the text warns of is told where it is read though there be no pattern.
        if late {
            args[0].eval(cx)?;
        }
        return Ok(None);
    };
    let subject = match read {
        Some(subject) => subject,
        None => shared_text(cx, &args[0], matched)?,
    };
    if subject.is_none() && !settled {
        return Ok(None);
    }
    let mut settings = 0;
    if let Some(Value::Str(set)) = cx.state.vars.others.get("default_regex_flags") {
        for word in set.bytes.split(|byte| *byte == b',') {
            let found = SETTINGS.iter().position(|(name, _)| word.eq_ignore_ascii_case(name.as_bytes()));
            settings |= found.map_or(0, |at| 1 << at);
        }
    }
    let caseless = !collation.collation().is_bytewise() && !collation.name().ends_with("_cs");
    let plain = subject.as_ref().is_none_or(|subject| subject.is_ascii());
    let form = match (binary, plain && pattern.is_ascii()) {
        (true, _) => Form::Bytes,
        (false, true) => Form::Ascii,
        (false, false) => Form::Utf8,
    };
    match compiled(pattern, Meant { settings, caseless, form }) {
        Ok(regex) => Ok(subject.map(|subject| match utf8::fault(&subject).filter(|_| form == Form::Utf8) {
            Some((what, _)) => {
                let warning = SqlError::regexp_error(what);
                cx.state.warn(Level::Warning, warning.errno, warning.message);
                (subject, None)
            }
            None => (subject, Some(regex)),
        })),
        // Only a pattern that stands in the statement is refused; one of a row matches nothing.
        Err(_) if !settled => Ok(None),
        Err(error) => Err(error),
    }
}

/// What text and pattern agree on.
fn collation_of(args: &[Expr]) -> Result<CollationId, SqlError> {
    Ok(collate_operands(&[&args[0].ty, &args[1].ty], "regexp")?.0)
}

/// What they are matched in: UTF-8, or bytes.
fn matched_in(collation: CollationId) -> CollationId {
    if collation == CollationId::BINARY { collation } else { CollationId::UTF8MB4_GENERAL_CI }
}

/// Error 1139 for a pattern of constants that is none, before any row is looked at.
fn check_pattern(args: &[Expr], state: &mut State) -> Result<(), SqlError> {
    if !args[1].is_settled() {
        return Ok(());
    }
    let no_subject = Expr { kind: Kind::Const(Value::Null), ty: args[0].ty.clone() };
    let operands = [no_subject, args[1].clone()];
    let (prepared, _) = silently(state, |state| {
        prepare(&mut Cx::new(state, &[]), &operands, collation_of(&operands)?, First::Pattern)
    });
    match prepared {
        Err(error) if error.errno == 1139 => Err(error),
        _ => Ok(()),
    }
}

fn compiled(pattern: Bytes, meant: Meant) -> Result<Arc<Regex>, SqlError> {
    let known = COMPILED.with_borrow(|kept| {
        let same = |c: &&Compiled| c.pattern == pattern && c.meant == meant;
        kept.iter().find(same).map(|c| c.regex.clone())
    });
    if let Some(regex) = known {
        return Ok(regex);
    }
    if meant.form == Form::Utf8
        && let Some((what, at)) = utf8::fault(&pattern)
    {
        return Err(SqlError::regexp_error(format!("{what} at offset {at}")));
    }
    let written = match meant.form {
        Form::Ascii | Form::Utf8 => String::from_utf8_lossy(&pattern).into_owned(),
        Form::Bytes => by_number(&pattern),
    };
    let letters: String = (0..)
        .zip(SETTINGS)
        .filter(|(at, _)| meant.settings >> at & 1 == 1)
        .map(|(_, (_, letter))| letter)
        .collect();
    let ahead = if letters.is_empty() { 0 } else { letters.len() + 3 };
    let written = if letters.is_empty() { written } else { format!("(?{letters}){written}") };
    let build = |utf| RegexBuilder::new().caseless(meant.caseless).utf(utf).ucp(utf).build(&written);
    // A pattern of bytes may not name other characters, and what is wrong with it is told of the one of characters.
    let built = match meant.form {
        Form::Bytes => build(false),
        Form::Ascii if !names_characters(&written) => build(false).or_else(|_| build(true)),
        Form::Ascii | Form::Utf8 => build(true),
    };
    let regex = Arc::new(built.map_err(|error| {
        let at = error.offset().map(|at| {
            let at = at.saturating_sub(ahead);
            let bytes = |to: &usize| by_number(&pattern[..*to]).len() >= at;
            if meant.form == Form::Bytes {
                (0..pattern.len()).find(bytes).unwrap_or(pattern.len())
            } else {
                at
            }
        });
        let at = at.map(|at| format!(" at offset {at}")).unwrap_or_default();
        SqlError::regexp_error(format!("{}{at}", reason(&error)))
    })?);
    COMPILED.with_borrow_mut(|kept| {
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(Compiled { pattern, meant, regex: regex.clone() });
    });
    Ok(regex)
}

/// A pattern of bytes: those beyond ASCII go in by number.
fn by_number(pattern: &[u8]) -> String {
    pattern.iter().fold(String::new(), |text, byte| match byte {
        0..=0x7F => text + char::from(*byte).encode_utf8(&mut [0; 4]),
        other => text + &format!("\\x{other:02x}"),
    })
}

/// Whether a pattern says anything that means something else over bytes: characters by their numbers or properties, or
/// settings of its own.
fn names_characters(pattern: &str) -> bool {
    pattern.starts_with("(*")
        || pattern.as_bytes().windows(2).any(|pair| {
            pair[0] == b'\\'
                && matches!(pair[1], b'x' | b'o' | b'0'..=b'9' | b'N' | b'p' | b'P' | b'X' | b'C')
        })
}

/// PCRE2's own words of an error.
fn reason(error: &pcre2::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(": ").map_or(text.clone(), |(_, reason)| reason.to_owned())
}

/// What matching gave; that it was given up is a warning, and no match.
fn matched<T>(cx: &mut Cx<'_>, outcome: Result<Option<T>, pcre2::Error>) -> Option<T> {
    match outcome {
        Ok(found) => found,
        Err(error) => {
            let warning = SqlError::regexp_error(format!("pcre_exec: {}", reason(&error)));
            cx.state.warn(Level::Warning, warning.errno, warning.message);
            None
        }
    }
}

fn matches(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let prepared = prepare(cx, args, collation_of(args)?, First::Pattern)?;
    let Some((subject, regex)) = prepared else { return Ok(Value::Null) };
    let Some(regex) = regex else { return Ok(Value::from(false)) };
    let found = beside(cx, subject.len(), |_| regex.is_match(&subject).map(Some))?;
    let found = matched(cx, found);
    Ok(Value::from(found.unwrap_or(false)))
}

fn replace_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = compared_collation_of(args, "regexp_replace", state)?;
    check_pattern(args, state)?;
    Ok(text_of_length(16_777_216, collation, coercibility, true))
}

fn replace(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let settled = args[1].is_settled();
    let known = if settled { prepare(cx, args, ty.collation, First::Pattern)? } else { None };
    let subject = match &known {
        Some((subject, _)) => Some(subject.clone()),
        None => shared_text(cx, &args[0], matched_in(ty.collation))?,
    };
    if subject.is_none() {
        return Ok(Value::Null);
    }
    // What would be put in is read although there is no pattern, not where there is no subject.
    let new = text(cx, &args[2], CollationId::UTF8MB4_GENERAL_CI)?;
    let prepared = if settled { known } else { prepare(cx, args, ty.collation, First::Read(subject))? };
    let (Some((subject, regex)), Some(new)) = (prepared, new) else { return Ok(Value::Null) };
    let Some(regex) = regex else { return Ok(in_type(&subject, ty)) };
    let most = cx.state.vars.max_allowed_packet;
    let replaced = beside(cx, subject.len(), |stop| replaced(&regex, &subject, &new, most, stop))?;
    if let Some(error) = replaced.failed {
        matched::<()>(cx, Err(error));
    }
    if replaced.is_cut {
        // Says that it is too long.
        super::string::check_length(replaced.text.len() as u64, "regexp_replace", cx);
        return Ok(Value::Null);
    }
    Ok(in_type(&replaced.text, ty))
}

/// A text with its matches replaced, up to where matching was given up.
struct Replaced {
    text: Vec<u8>,
    failed: Option<pcre2::Error>,
    /// It became too long.
    is_cut: bool,
}

/// Replaces all matches; goes on no further than `most` bytes.
fn replaced(regex: &Regex, subject: &[u8], new: &[u8], most: u64, stop: &Stop) -> Replaced {
    let (mut text, mut end, mut failed) = (Vec::with_capacity(subject.len()), 0, None);
    for found in regex.captures_iter(subject) {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                failed = Some(error);
                break;
            }
        };
        // MariaDB stops where nothing is matched.
        let Some(whole) = found.get(0).filter(|whole| whole.start() < whole.end()) else { break };
        text.extend_from_slice(&subject[end..whole.start()]);
        expanded(new, &found, &mut text);
        end = whole.end();
        if stop.is_set() || text.len() as u64 > most {
            return Replaced { text, failed, is_cut: true };
        }
    }
    text.extend_from_slice(&subject[end..]);
    Replaced { text, failed, is_cut: false }
}

/// Appends a replacement with `\0` to `\9` as the groups found.
fn expanded(new: &[u8], found: &Captures<'_>, out: &mut Vec<u8>) {
    let mut bytes = new.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, if byte == b'\\' { bytes.next() } else { None }) {
            (_, Some(digit @ b'0'..=b'9')) => {
                let group = found.get(usize::from(digit - b'0'));
                out.extend_from_slice(group.map_or(&[], |group| group.as_bytes()));
            }
            (_, Some(other)) => out.push(other),
            (other, None) => out.push(other),
        }
    }
}

/// What was matched in UTF-8, in the type's character set.
fn in_type(bytes: &[u8], ty: &Type) -> Value {
    match ty.collation == CollationId::BINARY {
        true => string(bytes.to_vec(), ty),
        false => string(Charset::Utf8mb4.convert_cow(bytes, ty.collation.charset()).into_owned(), ty),
    }
}

fn substring_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = compared_collation_of(args, "regexp_substr", state)?;
    check_pattern(args, state)?;
    Ok(text_of_length(text_length(&args[0].ty), collation, coercibility, true))
}

fn substring(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((subject, regex)) = prepare(cx, args, ty.collation, First::Text)? else {
        return Ok(Value::Null);
    };
    let Some(regex) = regex else { return Ok(in_type(&[], ty)) };
    let found = beside(cx, subject.len(), |_| regex.find(&subject))?;
    let found = matched(cx, found);
    Ok(in_type(found.map_or(&[], |found| found.as_bytes()), ty))
}

fn position(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let prepared = prepare(cx, args, collation_of(args)?, First::Pattern)?;
    let Some((subject, regex)) = prepared else { return Ok(Value::Null) };
    let Some(regex) = regex else { return Ok(Value::Int(0)) };
    let found = beside(cx, subject.len(), |_| regex.find(&subject))?;
    let found = matched(cx, found);
    let before = found.map(|found| Charset::Utf8mb4.char_count(&subject[..found.start()]) as i64);
    Ok(Value::Int(before.map_or(0, |before| before + 1)))
}
