//! Comparisons and conditions.

use super::super::func::documents;
use super::super::operand::{self, Dates};
use super::super::{Class, CompareOp, Comparison, Expr, Kind, Named, Type, TypeKind};
use super::super::{exact, foreknown};
use super::beside::{adapt_beside_bigint, adapt_time};
use super::characters::{
    characters_of, check_widened, is_torn, settle_bytes, settle_charset, settle_column, settle_each,
};
use super::collate::{self, collate_operands};
use super::fixed::{common_fixed, compared_pair, may_lack};
use super::several::union_type;
use super::types::{FREE_DECIMALS, boolean, truth_type, type_name};
use super::{call, constant, silently};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use crate::syntax::ast::{BinaryOp, IsTest};
use types::convert::to_decimal;
use types::{Charset, CollationId, Value};

/// The comparison that an operator of the syntax is.
pub fn compare_op(op: BinaryOp) -> Option<CompareOp> {
    Some(match op {
        BinaryOp::Eq => CompareOp::Eq,
        BinaryOp::Ne => CompareOp::Ne,
        BinaryOp::Lt => CompareOp::Lt,
        BinaryOp::Le => CompareOp::Le,
        BinaryOp::Gt => CompareOp::Gt,
        BinaryOp::Ge => CompareOp::Ge,
        BinaryOp::NullSafeEq => CompareOp::NullSafeEq,
        _ => return None,
    })
}

/// How values of two types are compared.
pub fn comparison(a: &Type, b: &Type, state: &State) -> Result<Comparison, SqlError> {
    let _ = state;
    if a.kind == TypeKind::Null {
        return if b.kind == TypeKind::Null { Ok(Comparison::Int) } else { comparison(b, b, state) };
    }
    let opaque = matches!(a.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_));
    if b.kind == TypeKind::Null || opaque && b.is_nothing() {
        return comparison(a, a, state);
    }
    if let Some(fixed) = common_fixed(a, b, "=")? {
        return Ok(Comparison::Fixed(fixed));
    }
    let labels = |ty: &Type| matches!(ty.kind, TypeKind::Enum | TypeKind::Set);
    Ok(match (a.class(), b.class()) {
        (Class::Temporal, Class::Temporal) if a.kind == TypeKind::Time && b.kind == TypeKind::Time => {
            Comparison::Time
        }
        (Class::Temporal, Class::Temporal) => Comparison::DateTime,
        (Class::Temporal, _) if a.kind == TypeKind::Time => Comparison::Time,
        (_, Class::Temporal) if b.kind == TypeKind::Time => Comparison::Time,
        (Class::Temporal, _) | (_, Class::Temporal) => Comparison::DateTime,
        (Class::Str, Class::Str) => Comparison::Str(collate_operands(&[a, b], "=")?.0),
        (Class::Int, Class::Int) => Comparison::Int,
        (Class::Int, _) if labels(b) => Comparison::Int,
        (_, Class::Int) if labels(a) => Comparison::Int,
        (Class::Int | Class::Decimal, Class::Int | Class::Decimal) => Comparison::Decimal,
        // Text beside an integer is read as a decimal, so that no digit is lost.
        (Class::Int, Class::Str) | (Class::Str, Class::Int) => Comparison::Decimal,
        _ => Comparison::Real,
    })
}

/// A comparison of two scalars.
pub fn compare(op: CompareOp, mut left: Expr, mut right: Expr, state: &mut State) -> Result<Expr, SqlError> {
    adapt_year(&left, &mut right, state)?;
    adapt_year(&right, &mut left, state)?;
    adapt_beside_bigint(&left, &mut right, state)?;
    adapt_beside_bigint(&right, &mut left, state)?;
    adapt_time(&left, &mut right, state)?;
    adapt_time(&right, &mut left, state)?;
    compare_members(op, left, right, state)
}

/// A comparison of two members of rows, or of two scalars whose constants are years already.
pub(super) fn compare_members(
    op: CompareOp,
    mut left: Expr,
    mut right: Expr,
    state: &mut State,
) -> Result<Expr, SqlError> {
    let places = is_place_beside_bigint(&left, &right, state) || is_place_beside_bigint(&right, &left, state);
    for e in [&mut left, &mut right].into_iter().filter(|_| places) {
        if matches!(e.ty.kind, TypeKind::Geometry(_)) {
            *e = constant(Value::Int(0));
        }
    }
    common_fixed(&left.ty, &right.ty, op.text())?;
    if documents::is_extract(&left) {
        left = documents::compared(left, &right.ty);
    } else if documents::is_extract(&right) {
        right = documents::compared(right, &left.ty);
    }
    adapt_compared(&left.ty, &mut right, state);
    adapt_compared(&right.ty, &mut left, state);
    if collate::are_compared_as_texts(&left.ty, &right.ty) {
        collate_operands(&[&left.ty, &right.ty], op.text())?;
    }
    let how = comparison_of(&left, &right, state)?;
    if let Comparison::Str(collation) = how
        && [&left, &right].into_iter().any(|e| is_torn(e, collation, state))
    {
        return Err(collate::illegal_mix(&[&left.ty, &right.ty], op.text()));
    }
    settle_each(&mut [&mut left, &mut right], op.text(), state, |e| settle_charset(how, e))?;
    let nullable = op != CompareOp::NullSafeEq && (left.ty.nullable || right.ty.nullable);
    let fold = left.is_const() && right.is_const();
    let kind = Kind::Compare(op, how, Box::new(left), Box::new(right));
    fold_truth(Expr { kind, ty: truth_type(nullable) }, fold, state)
}

/// A constant geometry, and not NULL, beside a BIGINT column, which is what the column makes of it: zero.
fn is_place_beside_bigint(column: &Expr, place: &Expr, state: &mut State) -> bool {
    // An aggregate is no column.
    let column = column.ty.origin.column().is_some() && column.ty.kind == TypeKind::LongLong;
    let settled = column && matches!(place.ty.kind, TypeKind::Geometry(_)) && place.is_settled();
    let read = |state: &mut State| place.eval(&mut Cx::new(state, &[]));
    settled && silently(state, read).0.is_ok_and(|value| !value.is_null())
}

/// How two operands are compared: as [`comparison`] has it of their types, but that a constant text beside a decimal of
/// rows is read as one.
pub fn comparison_of(left: &Expr, right: &Expr, state: &State) -> Result<Comparison, SqlError> {
    let text = || is_text_beside_decimal(left, right) || is_text_beside_decimal(right, left);
    match comparison(&left.ty, &right.ty, state)? {
        Comparison::Real if text() => Ok(Comparison::Decimal),
        how => nearly(how, left, right),
    }
}

/// How doubles and other numbers are compared where both have so many digits behind the point.
pub(super) fn nearly(how: Comparison, left: &Expr, right: &Expr) -> Result<Comparison, SqlError> {
    nearly_given(how, left, &right.ty, Some(right))
}

/// As [`nearly`], beside what is `given`, of which nothing but its type may be known.
fn nearly_given(
    how: Comparison,
    left: &Expr,
    given: &Type,
    right: Option<&Expr>,
) -> Result<Comparison, SqlError> {
    let fixed = |ty: &Type| {
        matches!(ty.class(), Class::Int | Class::Decimal | Class::Real) && ty.decimals < FREE_DECIMALS
    };
    if how != Comparison::Real || !fixed(&left.ty) || !fixed(given) {
        return Ok(how);
    }
    // Of those whose values are not known yet nothing is kept.
    let mut lifted = false;
    let mut look = |e: &Expr| lifted |= matches!(e.kind, Kind::Param(_)) && e.ty.kind != TypeKind::Null;
    left.visit(&mut look);
    right.into_iter().for_each(|e| e.visit(&mut look));
    match lifted {
        true => Err(SqlError::internal_error("keep a plan that counts the digits of a constant")),
        false => Ok(Comparison::Near(left.ty.decimals.max(given.decimals))),
    }
}

/// As [`comparison_of`] for an operand beside what a subquery gives, and selects where it is known.
pub fn comparison_with(
    left: &Expr,
    given: &Type,
    selected: Option<&Expr>,
    state: &State,
) -> Result<Comparison, SqlError> {
    let exactly = || {
        given.class() == Class::Decimal && is_constant_text(left)
            || selected.is_some_and(|item| is_text_beside_decimal(item, left))
    };
    Ok(match comparison(&left.ty, given, state)? {
        Comparison::Real if exactly() => Comparison::Decimal,
        // Rows are looked up in a column of their own type.
        how if given.kind == TypeKind::Double && selected.is_none_or(reads_rows) => how,
        how => nearly_given(how, left, given, selected)?,
    })
}

/// A constant text beside a decimal of rows, which what a query gives once for all is not.
pub(super) fn is_text_beside_decimal(text: &Expr, number: &Expr) -> bool {
    let once = matches!(&number.kind, Kind::Subquery(subquery) if !subquery.correlated);
    number.ty.class() == Class::Decimal && reads_rows(number) && !once && is_constant_text(text)
}

fn is_constant_text(e: &Expr) -> bool {
    let constant = e.is_same_in_all_rows()
        || e.is_known()
        || matches!(&e.kind, Kind::Subquery(subquery) if !subquery.correlated);
    e.ty.class() == Class::Str && constant
}

/// Whether an expression's value comes from rows.
fn reads_rows(e: &Expr) -> bool {
    let mut reads = false;
    e.visit(&mut |e| reads |= matches!(e.kind, Kind::Column(_) | Kind::Subquery(_)));
    reads
}

/// As [`adapt_constant`] in a comparison of two, where a constant that is cast to text becomes a whole number later on.
pub(super) fn adapt_compared(other: &Type, e: &mut Expr, state: &mut State) {
    let exact_number = matches!(other.class(), Class::Int | Class::Decimal);
    if !(exact_number && exact::is_constant_cast(e)) {
        adapt_constant(other, e, state);
    }
}

/// A constant is taken in the type of what it is compared with, once for all rows: text beside an exact number as a
/// number (so that no digits are lost in doubles and an index can be used), anything beside a date or time as one.
pub(super) fn adapt_constant(other: &Type, e: &mut Expr, state: &mut State) {
    let Kind::Const(value) = &e.kind else { return };
    let adapted = match (other.class(), value) {
        (_, Value::Null) => None,
        _ if matches!(e.ty.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_)) => None,
        (Class::Str, Value::Str(_)) if matches!(other.kind, TypeKind::Fixed(_)) => {
            let TypeKind::Fixed(fixed) = other.kind else { return };
            // What is none is told of when the statement comes to compare it.
            let read = silently(state, |state| super::super::compare::fixed(value, fixed, state)).0;
            e.ty.nullable |= read.is_none();
            read.map(Value::Fixed)
        }
        // Text beside a BIT column is read anew for each row; b'..' and 0x.. are numbers there as well.
        (Class::Int | Class::Decimal, Value::Str(s)) if other.kind != TypeKind::Bit || e.ty.unsigned => {
            number_constant(s, e.ty.unsigned, value, other.class())
        }
        (Class::Real, Value::Str(s)) if e.is_literal_number(s) => number_constant(s, true, value, Class::Int),
        (Class::Temporal, value) if !value.is_temporal() => temporal_constant(other, value, state),
        _ => None,
    };
    if let Some(value) = adapted {
        let nullable = e.ty.nullable;
        *e = constant(value);
        e.ty.nullable = nullable;
    }
}

/// Whether a parameter of a known type is in it.
fn has_lifted(e: &Expr) -> bool {
    let mut has = false;
    e.visit(&mut |e| has |= matches!(e.kind, Kind::Param(_)) && e.ty.kind != TypeKind::Null);
    has
}

/// A constant beside a YEAR column is the year that the column would hold: of two digits it is one of 1970 to 2069, of a
/// date that of the date.
pub fn adapt_year(column: &Expr, e: &mut Expr, state: &mut State) -> Result<(), SqlError> {
    use types::convert::{StoreIssue, store};
    if column.ty.kind != TypeKind::Year || !matches!(column.kind, Kind::Column(_)) {
        return Ok(());
    }
    let mut quiet = true;
    let value = match &e.kind {
        Kind::Const(Value::Str(s)) if e.is_literal_number(s) => number_of(s).unwrap_or_default(),
        Kind::Const(value) => value.clone(),
        // Constants that something is to be said of.
        _ if e.is_settled() => {
            let (value, clean) = silently(state, |state| e.eval(&mut Cx::new(state, &[])));
            quiet = clean;
            value.unwrap_or_default()
        }
        // A literal that was lifted out of the statement: its plan would do for no other one.
        _ if e.is_same_in_all_rows() && has_lifted(e) => {
            return Err(SqlError::internal_error("keep a plan that compares years"));
        }
        Kind::UserVar(_) => foreknown::value_of(e, state).unwrap_or_default(),
        _ => return Ok(()),
    };
    if value.is_null() {
        return Ok(());
    }
    let stored =
        store(value.clone(), &types::ColumnType::Year, CollationId::BINARY, &state.convert_context());
    let is_year = match &stored.issue {
        None | Some(StoreIssue::Truncated | StoreIssue::Cut) => true,
        // What it loses is said as of a date that is stored.
        Some(issue) => value.is_temporal() && *issue != StoreIssue::OutOfRange,
    };
    if let (Value::Year(year), true) = (&stored.value, is_year) {
        if !quiet {
            e.eval(&mut Cx::new(state, &[]))?;
        }
        let nullable = e.ty.nullable;
        *e = constant(Value::Int(i64::from(*year)));
        e.ty.nullable = nullable;
    }
    Ok(())
}

/// Error 4078 for a column that has no truth: a UUID, an address or a geometry as a condition. What is computed has that
/// of its text.
pub fn refuse_truth(e: &Expr, operation: &str, number: &str) -> Result<(), SqlError> {
    match e.ty.kind {
        TypeKind::Fixed(_) | TypeKind::Geometry(_) if matches!(e.kind, Kind::Column(_)) => {
            Err(SqlError::illegal_parameter_types(type_name(&e.ty), number, operation))
        }
        _ => Ok(()),
    }
}

/// As [`refuse_truth`] for a whole condition.
pub fn refuse_condition(e: &Expr) -> Result<(), SqlError> {
    refuse_truth(e, "<>", "bigint")
}

/// The number that a constant 0x.. or b'..' is which is compared with numbers.
pub fn number_of_bytes(numbers: &Type, e: &Expr) -> Option<Expr> {
    let reckons = matches!(numbers.class(), Class::Int | Class::Decimal | Class::Real);
    match &e.kind {
        Kind::Const(Value::Str(s)) if reckons && e.is_literal_number(s) => number_of(s).map(constant),
        _ => None,
    }
}

/// The number of no more than 64 bits that bytes are.
fn number_of(s: &types::StrValue) -> Option<Value> {
    let number = || s.bytes.iter().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    (s.bytes.len() <= 8).then(|| Value::UInt(number()))
}

pub(super) fn number_constant(
    s: &types::StrValue,
    is_bytes: bool,
    value: &Value,
    class: Class,
) -> Option<Value> {
    if is_bytes && s.collation == CollationId::BINARY {
        // 0x.. and b'..' are numbers beside a number.
        return number_of(s);
    }
    let plain = s.plain();
    let text = std::str::from_utf8(&plain).ok().map(str::trim_start);
    if class == Class::Int
        && let Some(text) = text
    {
        if let Ok(n) = text.parse::<i64>() {
            return Some(Value::Int(n));
        }
        if let Ok(n) = text.parse::<u64>() {
            return Some(Value::UInt(n));
        }
    }
    // What something is to be said of is read when the statement runs.
    let number = to_decimal(value);
    let plain = !number.garbage && !number.spaces && !number.out_of_range;
    plain.then_some(Value::Decimal(number.value))
}

/// A constant as a date or time, what is none as zero; text of which something is to be said is read when the statement
/// runs.
fn temporal_constant(other: &Type, value: &Value, state: &mut State) -> Option<Value> {
    let read = |state: &mut State| match other.kind {
        TypeKind::Time => operand::time_of(value, None, true, state).map(|time| Value::Time(time, 6)),
        _ => operand::date_of(value, None, Dates::Compared, state).map(|dated| Value::DateTime(dated.at, 6)),
    };
    let (adapted, clean) = silently(state, read);
    adapted.filter(|_| clean)
}

/// Evaluates a condition of constants now, unless that raises something.
pub(super) fn fold_truth(e: Expr, fold: bool, state: &mut State) -> Result<Expr, SqlError> {
    if !fold {
        return Ok(e);
    }
    let (truth, clean) = silently(state, |state| e.truth(&mut Cx::new(state, &[])));
    match truth {
        Ok(truth) if clean => {
            let kind = Kind::Const(truth.map_or(Value::Null, Value::from));
            let ty = e.ty.clone();
            // As messages show it.
            let origin = Named::Computed(std::sync::Arc::new(e));
            Ok(Expr { kind, ty: Type { origin, ..ty } })
        }
        _ => Ok(e),
    }
}

/// A column of text as a condition: it is compared with the number 0, as a decimal.
fn condition(e: Expr) -> Expr {
    let text = matches!(
        e.ty.kind,
        TypeKind::VarChar
            | TypeKind::Char
            | TypeKind::Blob
            | TypeKind::TinyBlob
            | TypeKind::MediumBlob
            | TypeKind::LongBlob
    );
    if !text || e.ty.is_joined() || !matches!(e.kind, Kind::Column(_)) {
        return e;
    }
    let nullable = e.ty.nullable;
    let zero = constant(Value::Int(0));
    let kind = Kind::Compare(CompareOp::Ne, Comparison::Decimal, Box::new(e), Box::new(zero));
    Expr { kind, ty: truth_type(nullable) }
}

/// That one expression equals another, compared as told.
pub fn equality(left: Expr, how: Comparison, right: Expr) -> Expr {
    let ty = boolean(left.ty.nullable || right.ty.nullable);
    Expr { kind: Kind::Compare(CompareOp::Eq, how, Box::new(left), Box::new(right)), ty }
}

/// `a AND b ...`.
pub fn and(list: Vec<Expr>) -> Expr {
    let mut flat = Vec::with_capacity(list.len());
    for e in list.into_iter().map(condition) {
        match e.kind {
            Kind::And(inner) => flat.extend(inner),
            kind => flat.push(Expr { kind, ty: e.ty }),
        }
    }
    let nullable = flat.iter().any(|e| e.ty.nullable);
    match <[Expr; 1]>::try_from(flat) {
        Ok([only]) => only,
        Err(flat) => Expr { kind: Kind::And(flat), ty: truth_type(nullable) },
    }
}

/// `a OR b ...`.
pub fn or(list: Vec<Expr>) -> Expr {
    let list: Vec<Expr> = list.into_iter().map(condition).collect();
    let nullable = list.iter().any(|e| e.ty.nullable);
    Expr { kind: Kind::Or(list), ty: truth_type(nullable) }
}

/// `NOT a`; comparisons turn round instead.
pub fn not(e: Expr) -> Expr {
    let e = condition(e);
    let ty = truth_type(e.ty.nullable);
    let kind = match e.kind {
        Kind::Compare(op, how, left, right) if op != CompareOp::NullSafeEq => {
            let op = match op {
                CompareOp::Eq => CompareOp::Ne,
                CompareOp::Ne => CompareOp::Eq,
                CompareOp::Lt => CompareOp::Ge,
                CompareOp::Le => CompareOp::Gt,
                CompareOp::Gt => CompareOp::Le,
                CompareOp::Ge => CompareOp::Lt,
                CompareOp::NullSafeEq => op,
            };
            Kind::Compare(op, how, left, right)
        }
        Kind::Is(test, negated, e) => Kind::Is(test, !negated, e),
        kind => Kind::Not(Box::new(Expr { kind, ty: e.ty })),
    };
    Expr { kind, ty }
}

/// `a XOR b`.
pub fn xor(left: Expr, right: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let ty = truth_type(left.ty.nullable || right.ty.nullable);
    call(
        "xor",
        |cx, args, _| {
            let Some(left) = args[0].truth(cx)? else { return Ok(Value::Null) };
            Ok(args[1].truth(cx)?.map_or(Value::Null, |right| Value::from(left != right)))
        },
        vec![left, right],
        ty,
        state,
    )
}

/// `e IS [NOT] test`.
pub fn is(e: Expr, test: IsTest, negated: bool) -> Expr {
    // What IS NOT NULL asks of is computed all the same.
    if test == IsTest::Null && e.is_never_null() && (!negated || e.is_const()) {
        return Expr { kind: Kind::Const(Value::from(negated)), ty: truth_type(false) };
    }
    Expr { kind: Kind::Is(test, negated, Box::new(e)), ty: truth_type(false) }
}

/// `operand [NOT] BETWEEN low AND high`.
pub fn between(
    operand: Expr,
    mut low: Expr,
    mut high: Expr,
    negated: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    // A text that is taken for a year is compared as a text still.
    let written = [low.ty.clone(), high.ty.clone()];
    if written.iter().all(|ty| ty.class() != Class::Temporal) {
        adapt_year(&operand, &mut low, state)?;
        adapt_year(&operand, &mut high, state)?;
    }
    let types = [&operand.ty, &written[0], &written[1]];
    let pair = compared_pair(types[0], types[1], "between")?;
    let fixed = common_fixed(&pair, types[2], "between")?;
    if fixed.is_none() && types.iter().all(|ty| ty.class() == Class::Str) {
        collate_operands(&types, "between")?;
    }
    // Constant texts beside a BIGINT column are decimals, so that no digit is lost.
    let whole = |ty: &&Type| matches!(ty.class(), Class::Int | Class::Str) && ty.labels.is_none();
    let column = matches!(operand.kind, Kind::Column(_)) && operand.ty.kind == TypeKind::LongLong;
    let text = types.iter().any(|ty| ty.class() == Class::Str && ty.kind != TypeKind::Null);
    let text = text && low.is_same_in_all_rows() && high.is_same_in_all_rows();
    let how = match column && text && fixed.is_none() && types.iter().all(whole) {
        true => Comparison::Decimal,
        false => together(&types, fixed, "between")?,
    };
    let mut operand = operand;
    settle_each(&mut [&mut operand, &mut low, &mut high], "between", state, |e| settle_charset(how, e))?;
    // A time that is compared as a date with a time has such beside it.
    let beside = match (how, operand.ty.kind) {
        (Comparison::DateTime, TypeKind::Time) => Type { kind: TypeKind::DateTime, ..operand.ty.clone() },
        _ => operand.ty.clone(),
    };
    for e in [&mut low, &mut high] {
        adapt_constant(&beside, e, state);
        adapt_beside_bigint(&operand, e, state)?;
    }
    let nullable = operand.ty.nullable || low.ty.nullable || high.ty.nullable;
    let fold = operand.is_const() && low.is_const() && high.is_const();
    let kind = Kind::Between { operands: Box::new([operand, low, high]), how, negated };
    fold_truth(Expr { kind, ty: truth_type(nullable) }, fold, state)
}

/// How several are compared, all in one way: as the first two would be, then as that and the next.
pub(super) fn together(
    types: &[&Type],
    fixed: Option<types::FixedType>,
    operation: &str,
) -> Result<Comparison, SqlError> {
    if let Some(fixed) = fixed {
        return Ok(Comparison::Fixed(fixed));
    }
    if types.iter().any(|ty| ty.class() == Class::Temporal) {
        let clock = |ty: &&Type| ty.class() != Class::Temporal || ty.kind == TypeKind::Time;
        return Ok(if types.iter().all(clock) { Comparison::Time } else { Comparison::DateTime });
    }
    let class = |ty: &Type| if ty.labels.is_some() { Class::Str } else { ty.class() };
    let all = types.iter().map(|ty| class(ty)).reduce(|so_far, next| match (so_far, next) {
        (a, b) if a == b => a,
        (Class::Int | Class::Decimal, Class::Int | Class::Decimal) => Class::Decimal,
        // Text beside an integer is read as a decimal, so that no digit is lost.
        (Class::Int, Class::Str) | (Class::Str, Class::Int) => Class::Decimal,
        _ => Class::Real,
    });
    Ok(match all {
        Some(Class::Str) => Comparison::Str(collate_operands(types, operation)?.0),
        Some(Class::Int) => Comparison::Int,
        Some(Class::Decimal) => Comparison::Decimal,
        _ => Comparison::Real,
    })
}

/// `operand [NOT] LIKE pattern [ESCAPE escape]`.
pub fn like(
    mut operand: Expr,
    mut pattern: Expr,
    escape: Option<Expr>,
    negated: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    let collation = collate_operands(&[&operand.ty, &pattern.ty], "like")?.0;
    let bare = state.vars.has_mode(crate::session::mode::NO_BACKSLASH_ESCAPES);
    let escape = match escape {
        None if bare => escape_of_nothing(Charset::Latin1, collation.charset()),
        None => Some('\\'),
        Some(e) => escape_of(&e, collation, state)?,
    };
    // A pattern of constants is looked at beforehand, whatever it is held against.
    if pattern.is_settled() && !pattern.is_const() {
        pattern.eval(&mut Cx::new(state, &[]))?;
    }
    let nullable = operand.ty.nullable || pattern.ty.nullable;
    let fold = operand.is_const() && pattern.is_const();
    settle_each(&mut [&mut operand, &mut pattern], "like", state, |e| settle_bytes(collation, e))?;
    let kind = Kind::Like { operands: Box::new([operand, pattern]), escape, collation, negated };
    fold_truth(Expr { kind, ty: truth_type(nullable) }, fold, state)
}

/// The character that is given to escape others, which no row may give.
pub fn escape_of(e: &Expr, collation: CollationId, state: &mut State) -> Result<Option<char>, SqlError> {
    let bare = state.vars.has_mode(crate::session::mode::NO_BACKSLASH_ESCAPES);
    // PREPARE alone: EXECUTE binds with the value.
    if matches!(e.kind, Kind::Param(_)) {
        return Ok(Some('\\'));
    }
    if e.reads_column() {
        return Err(SqlError::wrong_arguments("ESCAPE"));
    }
    let value = e.eval(&mut Cx::new(state, &[]))?;
    let text = super::super::compare::shown(&value);
    let count = match &value {
        Value::Str(s) => s.collation.charset().char_count(&s.bytes),
        _ => text.chars().count(),
    };
    match (text.chars().next(), count) {
        _ if value.is_null() => Ok(Some('\\')),
        (_, 0) if !bare => Ok(escape_of_nothing(e.ty.collation.charset(), collation.charset())),
        (Some(first), 1) => Ok(Some(first)),
        _ => Err(SqlError::wrong_arguments("ESCAPE")),
    }
}

/// The escape character of a pattern that is to have none: the backslash all the same where characters may have several
/// bytes, or where the empty text would be converted.
fn escape_of_nothing(own: Charset, compared: Charset) -> Option<char> {
    let taken = compared.max_char_bytes() == 1 && (compared == Charset::Binary || compared == own);
    (!taken).then_some('\\')
}

/// CASE.
pub fn case(
    mut operand: Option<Expr>,
    mut branches: Vec<(Expr, Expr)>,
    mut otherwise: Option<Expr>,
    state: &mut State,
) -> Result<Expr, SqlError> {
    let mut types: Vec<&Type> = branches.iter().map(|(_, then)| &then.ty).collect();
    types.extend(otherwise.as_ref().map(|e| &e.ty));
    let mut ty = union_type(&types, "case", state)?;
    // The operand and the conditions count as well: MariaDB reckons by all arguments.
    // Of UUIDs and addresses only the results do.
    let asked =
        operand.as_ref().is_some_and(|e| e.ty.nullable) || branches.iter().any(|(e, _)| e.ty.nullable);
    ty.nullable |= otherwise.is_none()
        || branches.iter().map(|(_, then)| then).chain(&otherwise).any(|e| may_lack(&ty, e, state))
        || asked && !matches!(ty.kind, TypeKind::Fixed(_));
    let mut bound = Vec::with_capacity(branches.len());
    // Texts are compared under one collation, which all of them settle.
    let is_text = |e: &Expr| {
        let kind = e.ty.kind;
        e.ty.class() == Class::Str && kind != TypeKind::Null && !matches!(kind, TypeKind::Fixed(_))
    };
    let settled = match &operand {
        // NULL goes with any text, but they have to go with one another.
        Some(operand)
            if operand.ty.class() == Class::Str && branches.iter().any(|(when, _)| is_text(when)) =>
        {
            let mut compared = vec![&operand.ty];
            compared.extend(branches.iter().map(|(when, _)| &when.ty));
            let agreed = Comparison::Str(collate_operands(&compared, "case")?.0);
            // Beside a UUID or an address they are read as one all the same.
            (!matches!(operand.ty.kind, TypeKind::Fixed(_))).then_some(agreed)
        }
        _ => None,
    };
    if let (Some(Comparison::Str(collation)), Some(operand)) = (settled, &mut operand) {
        let whens = branches.iter_mut().map(|(when, _)| when).filter(|when| is_text(when));
        let mut compared: Vec<&mut Expr> = std::iter::once(&mut *operand).chain(whens).collect();
        settle_each(&mut compared, "case", state, |e| settle_bytes(collation, e))?;
        settle_column(collation, operand, branches.iter().map(|(when, _)| when));
    }
    for (when, then) in branches {
        let how = match &operand {
            Some(_) if settled.is_some() && is_text(&when) => settled.unwrap_or(Comparison::Int),
            Some(operand) => {
                common_fixed(&operand.ty, &when.ty, "case..when")?;
                comparison(&operand.ty, &when.ty, state)?
            }
            None => Comparison::Int,
        };
        bound.push((how, when, then));
    }
    if let Some(collation) = characters_of(&ty) {
        let results = bound.iter_mut().map(|(_, _, then)| then).chain(&mut otherwise);
        settle_each(&mut results.collect::<Vec<_>>(), "case", state, |e| settle_bytes(collation, e))?;
        check_widened(collation, bound.iter().map(|(_, _, then)| then).chain(&otherwise), state)?;
    }
    let kind =
        Kind::Case { operand: operand.map(Box::new), branches: bound, otherwise: otherwise.map(Box::new) };
    Ok(super::with_own_characters(Expr { kind, ty }, state))
}

/// Splits a condition at its ANDs.
pub fn conjuncts(e: Expr, out: &mut Vec<Expr>) {
    let e = condition(e);
    match e.kind {
        Kind::And(list) => list.into_iter().for_each(|e| conjuncts(e, out)),
        kind => out.push(Expr { kind, ty: e.ty }),
    }
}
