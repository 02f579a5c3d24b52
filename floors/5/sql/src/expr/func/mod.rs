//! Functions: one declaration each.
//!
//! | module | what |
//! | --- | --- |
//! | [`cast`] | CAST, CONVERT, COLLATE |
//! | [`control`] | IF, IFNULL, COALESCE, NULLIF, GREATEST, LEAST ... |
//! | [`string`], [`pieces`] | strings |
//! | [`digest`], [`network`] | digests, encodings, number bases, UUIDs; internet addresses |
//! | [`numeric`] | numbers |
//! | [`date`], [`calendar`], [`parse_date`], [`extract`] | dates and times |
//! | [`info`], [`lock`] | the session and the server; GET_LOCK |
//! | [`documents`] | JSON |
//! | [`dynamic`] | dynamic columns |
//! | [`geometry`] | geometries |
//! | [`once`] | constants that are computed once a statement |
//! | [`long`] | how long calls are made beside the event loop |
//! | [`secret`] | encryption, compression, checksums |
//! | [`pattern`] | SFORMAT, TO_CHAR, NATURAL_SORT_KEY |
//! | [`oracle`] | the functions that Oracle mode means by their plain names |
//! | `refused` | types of arguments that functions refuse |
//! | [`regex`] | regular expressions |
//! | [`xml`], [`xpath`] | EXTRACTVALUE, UPDATEXML |

pub mod calendar;
pub mod cast;
pub mod control;
pub mod date;
pub mod digest;
pub mod documents;
pub mod dynamic;
pub mod extract;
pub mod geometry;
pub mod info;
pub mod locale;
pub mod lock;
pub mod long;
pub mod network;
pub mod numeric;
pub mod once;
pub mod oracle;
pub mod parse_date;
pub mod pattern;
pub mod pieces;
mod refused;
pub mod regex;
pub mod secret;
pub mod string;
mod string_types;
pub mod trim;
pub mod weights;
pub mod xml;
pub mod xpath;

pub use refused::error_name;

use super::{Class, Comparison, Evaluate, Expr, Kind, Type, build};
use crate::error::SqlError;
use crate::session::State;
use hashbrown::HashMap;
use std::sync::LazyLock;
use types::Value;

/// The declaration of a function.
pub struct Function {
    /// Name, lower case; aliases are declarations of their own.
    pub name: &'static str,
    /// Fewest arguments.
    pub min: usize,
    /// Most arguments; `usize::MAX` for any number.
    pub max: usize,
    /// The type of its result.
    pub ty: fn(&[Expr], &mut State) -> Result<Type, SqlError>,
    /// Computes it.
    pub evaluate: Evaluate,
    /// Whether equal arguments give equal results within a statement.
    pub deterministic: bool,
}

impl Function {
    /// Whether a call has as many arguments as the function takes, and none with a name. MariaDB counts first where it takes
    /// but one number of them.
    pub fn check_call(&self, count: usize, named: bool, written: &str) -> Result<(), SqlError> {
        if makes_geometry(self.name) {
            return Ok(());
        }
        if named && self.min != self.max {
            return Err(SqlError::wrong_parameters(written));
        }
        if !self.takes(count) {
            return Err(SqlError::wrong_param_count(written));
        }
        if named { Err(SqlError::wrong_parameters(written)) } else { Ok(()) }
    }

    /// Whether a call with so many arguments is one of this function.
    pub fn is_meant(&self, count: usize) -> bool {
        self.takes(count) || !makes_geometry(self.name)
    }

    fn takes(&self, count: usize) -> bool {
        let paired = match self.name {
            "json_object" => count.is_multiple_of(2),
            "json_set" | "json_insert" | "json_replace" | "json_array_append" | "json_array_insert" => {
                !count.is_multiple_of(2)
            }
            _ => true,
        };
        paired && (self.min..=self.max).contains(&count)
    }
}

/// Whether a function is one of those that make geometries: of another number of arguments the call is one of a stored
/// function to MariaDB, and names are passed over.
pub fn makes_geometry(name: &str) -> bool {
    matches!(
        name,
        "geometrycollection"
            | "linestring"
            | "multilinestring"
            | "multipoint"
            | "multipolygon"
            | "point"
            | "polygon"
    )
}

/// All functions by module.
static FUNCTIONS: &[&[Function]] = &[
    control::FUNCTIONS,
    string::FUNCTIONS,
    pieces::FUNCTIONS,
    digest::FUNCTIONS,
    network::FUNCTIONS,
    numeric::FUNCTIONS,
    date::FUNCTIONS,
    calendar::FUNCTIONS,
    parse_date::FUNCTIONS,
    info::FUNCTIONS,
    documents::FUNCTIONS,
    documents::CHANGING,
    documents::ASKING,
    dynamic::FUNCTIONS,
    lock::FUNCTIONS,
    regex::FUNCTIONS,
    secret::FUNCTIONS,
    pattern::FUNCTIONS,
    oracle::FUNCTIONS,
    xml::FUNCTIONS,
];

/// Whether a function makes one text of this argument and others, chooses among them or compares them as texts: bytes
/// among them become characters.
fn is_put_together(name: &str, at: usize, count: usize) -> bool {
    match name {
        "coalesce"
        | "concat"
        | "concat_operator_oracle"
        | "concat_ws"
        | "field"
        | "greatest"
        | "ifnull"
        | "insert"
        | "json_array"
        | "json_merge"
        | "json_merge_patch"
        | "json_merge_preserve"
        | "json_object"
        | "least"
        | "lpad"
        | "lpad_oracle"
        | "nvl"
        | "regexp_instr"
        | "regexp_replace"
        | "regexp_substr"
        | "replace"
        | "replace_oracle"
        | "rpad"
        | "rpad_oracle"
        | "strcmp" => true,
        "elt" | "export_set" | "if" | "make_set" | "nvl2" => at > 0,
        "find_in_set" | "instr" | "locate" | "substring_index" => at < 2,
        // Its results.
        "decode_oracle" => at > 0 && (at.is_multiple_of(2) || at + 1 == count),
        _ => false,
    }
}

/// Bytes among what is put together become the characters of the collation that it has together.
fn settle_together(name: &str, args: &mut [Expr], ty: &Type, state: &mut State) -> Result<(), SqlError> {
    let count = args.len();
    let mut together: Vec<&mut Expr> = args
        .iter_mut()
        .enumerate()
        .filter_map(|(at, e)| is_put_together(name, at, count).then_some(e))
        .collect();
    let collation = match ty.class() {
        Class::Str => build::characters_of(ty),
        _ if together.iter().all(|e| e.ty.class() == Class::Str) => {
            let types: Vec<&Type> = together.iter().map(|e| &e.ty).collect();
            build::collate_operands(&types, name).ok().map(|(collation, _)| collation)
        }
        _ => None,
    };
    if let Some(collation) = collation {
        build::settle_each(&mut together, name, state, |e| build::settle_bytes(collation, e))?;
        // Where a document goes wrong is counted in the bytes that it is read in: beside bytes in those of its own.
        if name.starts_with("json_merge") && collation != ::types::CollationId::BINARY {
            let converted = |e: &Expr| e.ty.collation.charset() != collation.charset();
            let constant = |e: &&mut &mut Expr| matches!(e.kind, Kind::Const(Value::Str(_))) && converted(e);
            for e in together.iter_mut().filter(constant) {
                build::settle_charset(Comparison::Str(collation), e)?;
                e.ty.collation = collation;
            }
        }
        build::check_widened(collation, together.into_iter().map(|e| &*e), state)?;
    }
    Ok(())
}

/// All functions.
pub fn all() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().chain(geometry::FUNCTIONS).flat_map(|list| list.iter())
}

/// Finds a function by its lower-case name.
pub fn find(name: &str) -> Option<&'static Function> {
    static BY_NAME: LazyLock<HashMap<&str, &Function>> =
        LazyLock::new(|| all().map(|function| (function.name, function)).collect());
    BY_NAME.get(name).copied()
}

/// A function's name as errors have it: as it was written, if the call has words of its own.
pub fn written_name<'w>(words: &'w str, name: &'w str) -> &'w str {
    words.split('(').next().map(str::trim).filter(|word| !word.is_empty()).unwrap_or(name)
}

/// Makes a call by name. `words` are the call's own words in the statement.
pub fn build(name: &str, args: Vec<Expr>, words: &str, state: &mut State) -> Result<Expr, SqlError> {
    let written = written_name(words, name);
    refused::check(name, &args)?;
    let Some(function) = find(name) else { return Err(SqlError::does_not_exist("FUNCTION", written)) };
    if !function.takes(args.len()) {
        return Err(SqlError::wrong_param_count(written));
    }
    let ty = (function.ty)(&args, state)?;
    let mut args = args;
    if let ("nullif", [left, right]) = (name, &mut args[..]) {
        // What is given on stays as it is: it is a year where it is compared only.
        build::adapt_year(left, right, state)?;
        build::adapt_year(right, &mut left.clone(), state)?;
    }
    settle_together(name, &mut args, &ty, state)?;
    match function.deterministic {
        true => build::call(function.name, function.evaluate, args, ty, state),
        false => {
            let ty = build::surely_text(function.name, &args, ty, state);
            Ok(build::volatile_call(function.name, function.evaluate, args, ty))
        }
    }
}
