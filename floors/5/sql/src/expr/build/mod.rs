//! Making expressions: types derived as MariaDB derives them, constants folded.
//!
//! | module | what |
//! | --- | --- |
//! | `literal` | constants, parameters, variables |
//! | `logic` | comparisons, AND, OR, NOT, BETWEEN, IS, LIKE |
//! | `characters` | texts and bytes as characters of others |
//! | `among` | IN lists |
//! | `collate` | collations of several texts together |
//! | `types` | types of columns and conditions |
//! | `several` | the type of what has several sources: UNION, CASE, COALESCE |
//! | `aggregate` | types of aggregates |
//! | `meta` | the wire's description of a result's column |

mod aggregate;
mod among;
mod beside;
mod characters;
mod collate;
mod fixed;
mod literal;
mod logic;
mod meta;
mod rows;
mod several;
mod types;
mod zero_date;

pub use self::characters::{characters_of, check_widened, settle_bytes, settle_charset, settle_each};
pub use self::types::{
    FREE_DECIMALS, TEXT_DECIMALS, behind_whole, boolean, column_type, existence_type, fix_digits, fixed_type,
    in_temporary_table, is_number_of_bytes, kept, places, temporal_digits, truth_type, type_name,
    whole_digits,
};
pub use super::func::written_name;
pub use aggregate::{
    MOST_DIGITS, aggregate_type, as_selected, extreme_type, has_free_digits, is_chosen_shape,
    reads_free_extreme, with_all_digits,
};
pub use among::{in_list, in_rows};
pub use beside::{is_text_beside_bigint, number_beside_bigint, number_of_time};
pub use collate::{
    are_compared_as_texts, characters_asked, collate_operands, collate_result, is_text, repertoire_of,
};
pub use fixed::{chosen_of_pair, common_fixed, may_lack, reckoned_name, refuse_opaque};
pub use literal::{
    assign_user_var, constant, constant_count, count_of, limit_count, literal, param, sys_var, type_of_value,
    user_var,
};
pub use logic::{
    adapt_year, and, between, case, compare_op, comparison, comparison_of, comparison_with, conjuncts,
    equality, escape_of, is, like, not, number_of_bytes, or, refuse_condition, refuse_truth,
};
pub use meta::{meta, text_bytes};
pub use rows::compare_rows;
pub use several::{
    LONGEST_VARCHAR, bytes_as_characters, in_bytes_of_table, least_size, of_source, signed, sized, union_type,
};
pub use zero_date::{find_zero_dates, has_zero_date, is_found_null, is_null_or_zero_date};

use super::{
    Call, Class, Evaluate, Expr, Kind, MOST_TEXT_BYTES, Named, Repertoire, Type, exact, func, number, operand,
};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use crate::syntax::ast::{self, BinaryOp, IntervalUnit, TrimSide, UnaryOp};
use ::types::{StrValue, Value};

/// Makes a call, folded to a constant where all arguments are constants.
pub fn call(
    name: &'static str,
    evaluate: Evaluate,
    args: Vec<Expr>,
    ty: Type,
    state: &mut State,
) -> Result<Expr, SqlError> {
    // A document's new layout is not seen inside other functions of documents.
    // What is taken out of a document is compared and reckoned with in its own way.
    let laid_out =
        ["json_compact", "json_detailed", "json_extract", "json_loose", "json_pretty"].contains(&name);
    // Which of several texts is the greatest depends on what it is wanted for.
    let extreme = matches!(name, "greatest" | "least") && ty.class() == Class::Str;
    // So may how many digits a decimal has that is chosen.
    let digits = ty.class() == Class::Decimal
        && (exact::chooses(name) || matches!(name, "time_to_sec" | "unix_timestamp"));
    let known = args.iter().all(Expr::is_const) || func::info::OF_TYPES.contains(&name);
    let fold = known && !laid_out && !extreme && !digits;
    let ty = surely_text(name, &args, ty, state);
    let ty = Type { repertoire: repertoire(name, &args, &ty), ..ty };
    let number = number::way(name, &args, &ty);
    let expr = Expr { kind: Kind::Call(Call { name, evaluate, number, args, deterministic: true }), ty };
    match fold {
        true => fold_constant(expr, state),
        // Constants that are not folded, such as those that something is said of, have their characters all the same.
        false => Ok(with_own_characters(expr, state)),
    }
}

/// Functions that may be NULL where their text may grow longer than any text can be.
const GROWN: &[&str] = &[
    "collate",
    "concat",
    "concat_operator_oracle",
    "concat_ws",
    "insert",
    "json_array",
    "json_merge",
    "json_merge_patch",
    "json_merge_preserve",
    "json_object",
    "json_quote",
    "lcase",
    "lower",
    "natural_sort_key",
    "repeat",
    "replace",
    "space",
    "to_base64",
    "ucase",
    "upper",
];

/// Functions of text that give NULL only for NULL.
const SURE: &[&str] = &[
    "aes_encrypt",
    "cast_as_binary",
    "cast_as_char",
    "char",
    "charset",
    "chr",
    "collate",
    "collation",
    "compress",
    "concat",
    "concat_operator_oracle",
    "concat_ws",
    "convert",
    "decode",
    "encode",
    "export_set",
    "format",
    "hex",
    "insert",
    "json_array",
    "json_merge",
    "json_merge_patch",
    "json_merge_preserve",
    "json_object",
    "json_quote",
    "lcase",
    "left",
    "lower",
    "lpad",
    "ltrim",
    "make_set",
    "md5",
    "mid",
    "natural_sort_key",
    "old_password",
    "password",
    "quote",
    "regexp_replace",
    "regexp_substr",
    "repeat",
    "replace",
    "replace_oracle",
    "reverse",
    "right",
    "rpad",
    "rtrim",
    "sformat",
    "sha",
    "sha1",
    "soundex",
    "space",
    "substr",
    "substring",
    "substring_index",
    "to_base64",
    "trim",
    "ucase",
    "upper",
    "user",
    "uuid",
    "version",
];

/// Functions whose text counts as any of the session's character set, whatever it is made of.
const OWN_TEXT: &[&str] = &[
    "bin",
    "char",
    "chr",
    "column_json",
    "column_list",
    "conv",
    "format",
    "geometrytype",
    "get_format",
    "inet6_ntoa",
    "inet_ntoa",
    "json_quote",
    "json_type",
    "md5",
    "oct",
    "old_password",
    "password",
    "sha",
    "sha1",
    "sha2",
    "st_geometrytype",
    "unhex",
];

/// Functions whose text is ASCII, whatever it is made of.
const ASCII_TEXT: &[&str] = &[
    "addtime",
    "date_add",
    "date_sub",
    "dayname",
    "hex",
    "json_unquote",
    "monthname",
    "space",
    "subtime",
    "to_base64",
];

/// Functions that name what the server has: constants of any of its own character set.
const SYSTEM_TEXT: &[&str] = &[
    "charset",
    "collation",
    "current_role",
    "current_user",
    "database",
    "schema",
    "session_user",
    "system_user",
    "user",
    "version",
];

/// Conversions: their text counts as any of the character set that they convert to.
const CONVERTED: &[&str] = &["cast_as_char", "column_get", "convert"];

/// Functions whose text is as their format.
const FORMATTED: &[&str] = &["date_format", "from_unixtime", "time_format", "to_char"];

/// Functions that make documents of all their arguments.
const MADE_OF_ALL: &[&str] =
    &["json_array", "json_merge", "json_merge_patch", "json_merge_preserve", "json_object"];

/// Which characters a function's text has: text made of ASCII alone is ASCII.
fn repertoire(name: &str, args: &[Expr], ty: &Type) -> Repertoire {
    let made_of = match args {
        [_, format, ..] if FORMATTED.contains(&name) => std::slice::from_ref(format),
        [document, ..] if name.starts_with("json_") && !MADE_OF_ALL.contains(&name) => {
            std::slice::from_ref(document)
        }
        _ => args,
    };
    if ty.collation.charset() == ::types::Charset::Ascii {
        return Repertoire::Ascii;
    }
    if CONVERTED.contains(&name) {
        return Repertoire::Any;
    }
    if SYSTEM_TEXT.contains(&name) {
        return Repertoire::Plain;
    }
    if ASCII_TEXT.contains(&name) {
        return Repertoire::Ascii;
    }
    let texts = (0..).zip(made_of).filter(|(at, _)| is_text_of(name, *at));
    let most = texts.map(|(_, e)| e.ty.repertoire).max().unwrap_or(Repertoire::Ascii);
    if most <= Repertoire::Plain && !OWN_TEXT.contains(&name) { most } else { ty.repertoire }
}

/// Whether a function's text is made of the argument at that place, which only counts else.
fn is_text_of(name: &str, at: usize) -> bool {
    match name.strip_suffix("_oracle").unwrap_or(name) {
        "elt" | "make_set" => at > 0,
        "export_set" => (1..=3).contains(&at),
        "insert" => at == 0 || at == 3,
        "left" | "mid" | "repeat" | "right" | "substr" | "substring" => at == 0,
        "lpad" | "rpad" => at != 1,
        "substring_index" => at < 2,
        _ => true,
    }
}

/// In strict mode MariaDB takes any function of text to be able to give NULL, else only those that are.
pub fn surely_text(name: &str, args: &[Expr], ty: Type, state: &State) -> Type {
    // What may be longer than anything can be may be NULL.
    let bytes = u64::from(ty.length) * ty.collation.charset().max_char_bytes() as u64;
    let cut = name.ends_with("pad")
        && (matches!(args[1].kind, Kind::Const(Value::Int(..0))) || args.get(2).is_some_and(may_be_empty));
    let sought = name.starts_with("regexp_") && !args[1].is_settled();
    let held = !(cut || sought || bytes >= u64::from(MOST_TEXT_BYTES) && GROWN.contains(&name));
    let made = SURE.contains(&name) && held && !args.iter().any(|e| e.ty.nullable);
    let sure = !state.vars.is_strict() && (made || matches!(name, "charset" | "collation"));
    Type { nullable: ty.nullable && !sure, ..ty }
}

/// Whether what fills a text up may be nothing.
fn may_be_empty(filler: &Expr) -> bool {
    match &filler.kind {
        Kind::Const(_) if matches!(filler.ty.origin, Named::Computed(_)) => true,
        Kind::Const(Value::Str(s)) => s.bytes.is_empty(),
        Kind::Const(value) => value.is_null(),
        _ => true,
    }
}

/// Makes a call whose value is not a function of its arguments alone.
pub fn volatile_call(name: &'static str, evaluate: Evaluate, args: Vec<Expr>, ty: Type) -> Expr {
    let ty = Type { repertoire: repertoire(name, &args, &ty), ..ty };
    let number = number::way(name, &args, &ty);
    Expr { kind: Kind::Call(Call { name, evaluate, number, args, deterministic: false }), ty }
}

/// Evaluates an expression of constants. One that raises an error or warning stays as it is, so that the statement
/// raises it when (and if) it gets there.
fn fold_constant(expr: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let (value, clean) = silently(state, |state| expr.eval(&mut Cx::new(state, &[])));
    match value {
        // Whether such a date is one depends on who asks.
        Ok(value) if is_doubtful(&expr, &value) => Ok(expr),
        Ok(value) if clean => {
            let ty = Type { repertoire: repertoire_of_computed(&expr, &value), ..expr.ty.clone() };
            let origin = Named::Computed(std::sync::Arc::new(expr));
            Ok(Expr { kind: Kind::Const(value), ty: Type { origin, ..ty } })
        }
        // What is raised when the statement runs is of no consequence to which characters there are.
        Ok(value) => Ok(with_characters_of(expr, &value)),
        Err(_) => Ok(expr),
    }
}

/// An expression of constants that is not folded, known to have the characters of its value; any other as it is.
fn with_own_characters(expr: Expr, state: &mut State) -> Expr {
    let settled = expr.is_settled();
    if expr.ty.class() != Class::Str || !settled && !expr.is_told_by_session() {
        return expr;
    }
    state.statement.foreknows |= !settled;
    match silently(state, |state| expr.eval(&mut Cx::new(state, &[]))).0 {
        Ok(value) => with_characters_of(expr, &value),
        Err(_) => expr,
    }
}

/// The expression, known to have the characters of its value, if that is text; NULL goes into any character set.
fn with_characters_of(expr: Expr, value: &Value) -> Expr {
    let repertoire = match value {
        Value::Null => Repertoire::Ascii,
        Value::Str(_) => repertoire_of_computed(&expr, value),
        _ => return expr,
    };
    Expr { ty: Type { repertoire, ..expr.ty }, ..expr }
}

/// Which characters a constant has that an expression gave: more than ASCII only where the expression may have more.
fn repertoire_of_computed(expr: &Expr, value: &Value) -> Repertoire {
    let own = match value {
        Value::Str(s) => repertoire_of(s),
        Value::Null => Repertoire::Ascii,
        _ => expr.ty.repertoire,
    };
    match expr.ty.repertoire {
        Repertoire::Ascii => own,
        _ => own.max(Repertoire::Plain),
    }
}

/// Whether an expression reads a date with a zero part, or none for that reason.
fn is_doubtful(e: &Expr, value: &Value) -> bool {
    let Kind::Call(call) = &e.kind else { return false };
    // The last day of a month is asked for by days that there are not, too; a difference of times is no date to some.
    if matches!(call.name, "last_day" | "timediff") {
        return true;
    }
    let reads = matches!(call.name, "from_days" | "str_to_date");
    let handed_on = operand::hands_on_dates(call.name) && e.ty.class() == Class::Temporal;
    let known = |date: &::types::Date| date.at_midnight().is_valid(::types::DateMode::default());
    let whole = |date: &::types::Date| date.month != 0 && date.day != 0 && known(date);
    let doubtful = |value: &Value| match value {
        Value::Date(date) => !whole(date),
        Value::DateTime(at, _) => !whole(&at.date),
        _ => false,
    };
    let given = |e: &Expr| matches!(&e.kind, Kind::Const(value) if doubtful(value));
    match value.is_null() {
        true => reads || handed_on && call.args.iter().any(given),
        false => (reads || handed_on) && doubtful(value),
    }
}

/// Computes something without a word of it to the client; whether there was none to say.
pub fn silently<T>(state: &mut State, f: impl FnOnce(&mut State) -> T) -> (T, bool) {
    let told = state.diagnostics.told();
    // Constants that are read here are warned of when the statement reads them.
    let constants = std::mem::take(&mut state.statement.constants);
    let done = state.leniently(f);
    state.statement.constants = constants;
    let clean = state.diagnostics.told() == told;
    state.diagnostics.forget_since(told);
    (done, clean)
}

/// An operator before its operand.
pub fn unary(op: UnaryOp, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    match op {
        UnaryOp::Not => {
            refuse_truth(&operand, "=", "int")?;
            Ok(not(operand))
        }
        UnaryOp::Plus => Ok(operand),
        UnaryOp::Neg => super::arith::negate(operand, state),
        UnaryOp::BitNot => super::arith::bit_not(operand, state),
        UnaryOp::Binary => cast(operand, &ast::CastType::Binary(None), state),
    }
}

/// A minus sign before a literal.
pub fn negative(literal: Expr, state: &mut State) -> Result<Expr, SqlError> {
    super::arith::negative(literal, state)
}

/// An operator between two operands of one column each.
pub fn binary(op: BinaryOp, left: Expr, right: Expr, state: &mut State) -> Result<Expr, SqlError> {
    if let Some(op) = compare_op(op) {
        return logic::compare(op, left, right, state);
    }
    match op {
        BinaryOp::Concat => function("concat", vec![left, right], "", state),
        BinaryOp::SoundsLike => {
            let left = function("soundex", vec![left], "", state)?;
            let right = function("soundex", vec![right], "", state)?;
            logic::compare(super::CompareOp::Eq, left, right, state)
        }
        BinaryOp::JsonExtract => function("json_extract", vec![left, right], "", state),
        BinaryOp::JsonUnquoteExtract => {
            let extracted = function("json_extract", vec![left, right], "", state)?;
            function("json_unquote", vec![extracted], "", state)
        }
        BinaryOp::Xor => logic::xor(left, right, state),
        arithmetic => super::arith::binary(arithmetic, left, right, state),
    }
}

/// A call by name. `words` are the call's own words in the statement.
pub fn function(name: &str, mut args: Vec<Expr>, words: &str, state: &mut State) -> Result<Expr, SqlError> {
    let of_document = ["extractvalue", "updatexml"].iter().any(|of| name.eq_ignore_ascii_case(of));
    // Nothing is looked for in it by NULL.
    if of_document && args.get(1).is_some_and(|path| !matches!(path.kind, Kind::Const(Value::Null))) {
        args.first_mut().map_or(Ok(()), |document| settle_document(document, state))?;
    }
    func::build(name, args, words, state)
}

/// What a function tells of the session, as it is told in a view that is read with its definer's privileges.
pub fn told(call: Expr, text: Option<&str>, nullable: bool) -> Expr {
    let value =
        text.map_or(Value::Null, |text| Value::Str(StrValue::new(text.as_bytes(), call.ty.collation)));
    Expr { kind: Kind::Const(value), ty: Type { nullable, ..call.ty } }
}

/// A document that is a constant is read when the statement is: no mode makes errors of what is said of it.
fn settle_document(e: &mut Expr, state: &mut State) -> Result<(), SqlError> {
    let read = |state: &mut State| e.eval(&mut Cx::new(state, &[]));
    if !e.is_settled() || silently(state, read).1 {
        return Ok(());
    }
    let value = state.leniently(read)?;
    *e = Expr { kind: Kind::Const(value), ty: e.ty.clone() };
    Ok(())
}

/// `CAST(operand AS ty)`.
pub fn cast(operand: Expr, ty: &ast::CastType, state: &mut State) -> Result<Expr, SqlError> {
    func::cast::build(operand, ty, state)
}

/// What JSON_EXTRACT finds in the form in which it is compared with something else; any other expression as it is.
pub fn compared_extract(e: Expr, other: &Type) -> Expr {
    match func::documents::is_extract(&e) {
        true => func::documents::compared(e, other),
        false => e,
    }
}

/// Gives a cast of the select list, or of a function's arguments, the name that its warnings call it by.
pub fn name_cast(cast: &mut Expr, name: impl FnOnce() -> String) {
    func::cast::name_cast(cast, name);
}

/// `CONVERT(operand USING charset)`.
pub fn convert_using(operand: Expr, charset: &str, state: &mut State) -> Result<Expr, SqlError> {
    func::cast::convert_using(operand, charset, state)
}

/// `operand COLLATE collation`.
pub fn collate(operand: Expr, collation: &str, state: &mut State) -> Result<Expr, SqlError> {
    func::cast::collate(operand, collation, state)
}

/// `operand [NOT] REGEXP pattern`.
pub fn regexp(operand: Expr, pattern: Expr, negated: bool, state: &mut State) -> Result<Expr, SqlError> {
    func::regex::build(operand, pattern, negated, state)
}

/// A date plus or minus an interval.
pub fn date_arith(
    date: Expr,
    amount: Expr,
    unit: IntervalUnit,
    subtract: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    func::date::date_arith(date, amount, unit, subtract, state)
}

/// `TIMESTAMPDIFF(unit, from, to)`.
pub fn timestamp_diff(unit: IntervalUnit, from: Expr, to: Expr, state: &mut State) -> Result<Expr, SqlError> {
    func::date::timestamp_diff(unit, from, to, state)
}

/// `EXTRACT(unit FROM operand)`.
pub fn extract(unit: IntervalUnit, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    func::extract::extract(unit, operand, state)
}

/// `TRIM(side what FROM operand)`.
pub fn trim(side: TrimSide, what: Option<Expr>, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    func::trim::trim(side, what, operand, state)
}

/// `GET_FORMAT(kind, operand)`.
pub fn get_format(kind: &str, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    func::date::get_format(kind, operand, state)
}

/// `COLUMN_GET(document, key AS ty)`.
pub fn get_column(
    document: Expr,
    key: Expr,
    ty: &ast::CastType,
    state: &mut State,
) -> Result<Expr, SqlError> {
    func::dynamic::build_get(document, key, ty, state)
}

/// `CHAR(codes USING charset)`.
pub fn char_function(args: Vec<Expr>, charset: Option<&str>, state: &mut State) -> Result<Expr, SqlError> {
    func::pieces::char_function(args, charset, state)
}

pub use super::func::weights::weight_string;
