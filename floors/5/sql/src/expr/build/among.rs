//! IN lists.

use super::super::{Class, Comparison, Expr, Kind, Members, Named, Type, TypeKind};
use super::beside::{adapt_beside_bigint, adapt_time};
use super::characters::{settle_charset, settle_column, settle_each};
use super::collate::collate_operands;
use super::fixed::{common_fixed, compared_pair};
use super::logic::{
    adapt_compared, adapt_constant, adapt_year, comparison, comparison_of, fold_truth, nearly,
    number_of_bytes, together,
};
use super::types::truth_type;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::exec::hash_join::key_of_values;
use crate::plan::hash::is_exact;
use crate::session::State;
use types::{CollationId, StrValue, Value};

/// `operand [NOT] IN (list)`.
pub fn in_list(
    mut operand: Expr,
    mut list: Vec<Expr>,
    negated: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    if let [member] = &list[..] {
        // It is `operand = member`.
        adapt_year(member, &mut operand, state)?;
        if let Some(number) = number_of_bytes(&member.ty, &operand) {
            operand = number;
        }
    }
    if operand.ty.kind == TypeKind::Year && compare_alike(&list) {
        list.iter_mut().try_for_each(|e| adapt_year(&operand, e, state))?;
    }
    let mut nullable = operand.ty.nullable;
    let mut members = Vec::with_capacity(list.len());
    let types: Vec<&Type> = std::iter::once(&operand).chain(&list).map(|e| &e.ty).collect();
    // Where texts are compared they are so under what all agree on together.
    let text = |ty: &&&Type| {
        ty.class() == Class::Str
            && ty.kind != TypeKind::Null
            && !matches!(ty.kind, TypeKind::Fixed(_) | TypeKind::Geometry(_))
    };
    let read = types[0].kind == TypeKind::Null || text(&&types[0]);
    let collated = match read && types[1..].iter().any(|ty| text(&ty)) {
        true => Some(Comparison::Str(collate_operands(&types, "in")?.0)),
        false => None,
    };
    // Beside a UUID or an address texts have to agree, too, though they are read as one.
    if matches!(types[0].kind, TypeKind::Fixed(_)) && list.len() > 1 && types.iter().any(|ty| text(&ty)) {
        collate_operands(&types, "in")?;
    }
    // Beside dates, times, BIT, YEAR and UNSIGNED MariaDB reads each constant once, whatever else the list holds.
    let unsigned = operand.ty.unsigned && operand.ty.class() == Class::Int;
    let once = unsigned
        || operand.ty.class() == Class::Temporal
        || matches!(operand.ty.kind, TypeKind::Bit | TypeKind::Year);
    let constant = |e: &Expr| matches!(e.kind, Kind::Const(_) | Kind::Param(_));
    let uniform = is_uniform(&list) || once && list.iter().all(constant);
    let mixed = !list.iter().all(|e| text(&&&e.ty));
    let alone = list.len() == 1;
    let operation = listed_in(alone, negated);
    if let Some(how) = collated.filter(|how| !(mixed && *how == Comparison::Str(CollationId::BINARY))) {
        // Bytes are that text beside numbers as well; a text beside a number, an address or UUID becomes no bytes.
        if let Comparison::Str(collation) = how {
            settle_constant(&mut operand, collation, state)?;
            settle_column(collation, &mut operand, list.iter());
        }
        let texts = list.iter_mut().filter(|e| text(&&&e.ty));
        let mut together: Vec<&mut Expr> = std::iter::once(&mut operand).chain(texts).collect();
        settle_each(&mut together, operation, state, |e| settle_charset(how, e))?;
    }
    if matches!(operand.ty.kind, TypeKind::Fixed(_)) {
        bytes_beside_columns(&mut list);
    }
    let times = list.iter().all(|e| e.ty.class() == Class::Temporal);
    for mut e in list {
        let as_text = collated.filter(|_| text(&&&e.ty));
        if as_text.is_none() {
            common_fixed(&operand.ty, &e.ty, operation)?;
        }
        let adapt = if alone { adapt_compared } else { adapt_constant };
        adapt(&operand.ty, &mut e, state);
        if alone || uniform {
            adapt_beside_bigint(&operand, &mut e, state)?;
        }
        if times {
            adapt_time(&operand, &mut e, state)?;
        }
        nullable |= e.ty.nullable;
        let how = match as_text {
            Some(how) => how,
            None if alone => comparison_of(&operand, &e, state)?,
            None => comparison(&operand.ty, &e.ty, state)?,
        };
        settle_charset(how, &mut e)?;
        members.push((how, e));
    }
    let fold = operand.is_const() && members.iter().all(|(_, e)| e.is_const());
    let among = members_of(&operand.ty, &members, state).map(std::sync::Arc::new);
    let kind = Kind::InList { operand: Box::new(operand), list: members, negated, uniform, among };
    fold_truth(Expr { kind, ty: truth_type(nullable) }, fold, state)
}

/// What messages call IN: where the list has one member it is an equality.
fn listed_in(alone: bool, negated: bool) -> &'static str {
    match (alone, negated) {
        (false, _) => "in",
        (true, false) => "=",
        (true, true) => "<>",
    }
}

/// What an address or UUID is looked for among: beside a text of the rows constant bytes are characters of that text.
fn bytes_beside_columns(list: &mut [Expr]) {
    let text = |e: &&Expr| {
        e.ty.class() == Class::Str
            && !matches!(e.ty.kind, TypeKind::Null | TypeKind::Fixed(_) | TypeKind::Geometry(_))
    };
    let of_rows = |e: &Expr| !e.is_settled() && e.ty.collation != CollationId::BINARY;
    if !list.iter().any(|e| text(&e) && of_rows(e)) {
        return;
    }
    let types: Vec<&Type> = list.iter().filter(text).map(|e| &e.ty).collect();
    let Ok((collation, _)) = collate_operands(&types, "in") else { return };
    for e in list.iter_mut().filter(|e| e.ty.collation == CollationId::BINARY) {
        if let Kind::Const(Value::Str(bytes)) = &e.kind
            && std::str::from_utf8(&bytes.bytes).is_ok()
        {
            let text = Value::Str(StrValue::new(&bytes.bytes, collation));
            *e = Expr { kind: Kind::Const(text), ty: Type { collation, hex: false, ..e.ty.clone() } };
        }
    }
}

/// Bytes that are computed of constants are so once, where characters are made of them: no mode makes errors of what is
/// said of that.
fn settle_constant(e: &mut Expr, collation: CollationId, state: &mut State) -> Result<(), SqlError> {
    let bytes = e.ty.class() == Class::Str && e.ty.collation == CollationId::BINARY;
    if bytes && collation.charset().is_unicode() && matches!(e.kind, Kind::Call(_)) && e.is_settled() {
        let value = state.leniently(|state| e.eval(&mut Cx::new(state, &[])))?;
        let ty = Type { origin: Named::Computed(std::sync::Arc::new(e.clone())), ..e.ty.clone() };
        *e = Expr { kind: Kind::Const(value), ty };
    }
    Ok(())
}

/// Whether constants are compared with a YEAR column in one way: each is the year that it is then. One without a sign is
/// that only alone.
fn compare_alike(list: &[Expr]) -> bool {
    let unsigned = |e: &Expr| e.ty.class() == Class::Int && e.ty.unsigned;
    if list.len() > 1 && list.iter().any(unsigned) {
        return false;
    }
    // A parameter's NULL is one whatever it was announced as.
    let null = |e: &&Expr| e.is_null() || matches!(e.kind, Kind::Const(Value::Null));
    let mut known = list.iter().filter(|e| !null(e)).map(|e| &e.ty);
    let Some(first) = known.next() else { return true };
    let alike = |ty: &Type| match (first.class(), ty.class()) {
        (Class::Temporal, Class::Temporal) => first.kind == ty.kind,
        (Class::Temporal | Class::Real, class) | (class, Class::Temporal | Class::Real) => {
            class == first.class() && class == ty.class()
        }
        _ => true,
    };
    known.all(alike) && list.iter().all(|e| e.is_same_in_all_rows() || matches!(e.kind, Kind::UserVar(_)))
}

/// Whether all members are constants and all of them texts, or none.
fn is_uniform(list: &[Expr]) -> bool {
    let mut known = list.iter().filter(|e| !matches!(e.kind, Kind::Const(Value::Null)));
    let text = known.clone().next().is_some_and(|e| e.ty.class() == Class::Str);
    let constant = |e: &Expr| matches!(e.kind, Kind::Const(_) | Kind::Param(_));
    known.all(|e| constant(e) && (e.ty.class() == Class::Str) == text)
}

/// IN lists as long as this are looked up by keys.
const LONG_LIST: usize = 4;

/// The keys of a long list of constants, where keys decide as comparisons would.
fn members_of(operand: &Type, list: &[(Comparison, Expr)], state: &mut State) -> Option<Members> {
    let how = list.first()?.0;
    let alike = |(other, e): &(Comparison, Expr)| {
        let null = matches!(e.kind, Kind::Const(Value::Null));
        e.is_const() && (null || *other == how && is_exact(how, operand, &e.ty))
    };
    if list.len() < LONG_LIST || !list.iter().all(alike) {
        return None;
    }
    let keys = hashbrown::HashSet::with_capacity(list.len());
    let mut members = Members { how, keys, null: false, sieve: 0 };
    let mut cx = Cx::new(state, &[]);
    let mut key = Vec::new();
    for (_, e) in list {
        let Kind::Const(value) = &e.kind else { return None };
        match key_of_values(std::slice::from_ref(value), &[how], &mut cx, &mut key) {
            true => drop(members.keys.insert(key[..].into())),
            false => members.null = true,
        }
        members.sieve |= match (how, value) {
            (Comparison::Str(by), Value::Str(text)) if text.collation.charset() == by.charset() => {
                by.collation().sieve(&text.bytes).map_or(u64::MAX, |number| 1 << number)
            }
            _ => u64::MAX,
        };
    }
    Some(members)
}

/// `(a, b) [NOT] IN ((1, 2), ...)`.
pub fn in_rows(
    operand: Vec<Expr>,
    rows: Vec<Vec<Expr>>,
    negated: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    // Each place is compared in one way, which its members in all rows settle.
    let operation = listed_in(rows.len() == 1, negated);
    let mut places = Vec::with_capacity(operand.len());
    for (i, left) in operand.iter().enumerate() {
        let types: Vec<&Type> = std::iter::once(&left.ty)
            .chain(rows.iter().filter_map(|row| row.get(i)).map(|e| &e.ty))
            .collect();
        let mut fixed = None;
        let mut held = types[0].clone();
        for ty in types.iter().skip(1) {
            // A parameter's NULL has the type that it was announced as, which one alone among several has not.
            let announced = (ty.is_nothing() && ty.kind != TypeKind::Null)
                .then(|| Type { origin: Named::Nothing, ..(*ty).clone() });
            let ty = announced.as_ref().unwrap_or(ty);
            fixed = fixed.or(common_fixed(&held, ty, operation)?);
            if rows.len() > 1 {
                held = compared_pair(&held, ty, operation)?;
            }
        }
        // A NULL counts as a text.
        places.push(match types.iter().all(|ty| ty.kind == TypeKind::Null) {
            true => Comparison::Int,
            false => match together(&types, fixed, operation) {
                // Rows are compared one by one: that their texts do not go together is told of no pair.
                Err(error) if rows.len() > 1 && error.is_illegal_mix() => Comparison::Str(left.ty.collation),
                how if rows.len() == 1 => nearly(how?, left, &rows[0][i])?,
                how => how?,
            },
        });
    }
    let mut list: Vec<Vec<(Comparison, Expr)>> = Vec::with_capacity(rows.len());
    for row in rows {
        let members = operand.iter().zip(&places).zip(row).map(|((left, how), mut e)| {
            adapt_constant(&left.ty, &mut e, state);
            (*how, e)
        });
        list.push(members.collect());
    }
    let nullable = operand.iter().chain(list.iter().flatten().map(|(_, e)| e)).any(|e| e.ty.nullable);
    Ok(Expr { kind: Kind::InRows { operand, list, negated }, ty: truth_type(nullable) })
}
