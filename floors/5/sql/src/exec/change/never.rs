//! Conditions that ask columns of indexes for texts that are no moments.
//!
//! A SELECT compares such a text as the moment that is left of it; an UPDATE or DELETE of one table looks for it in the
//! index as it is, where no row can have it.

use super::Cx;
use crate::error::SqlError;
use crate::expr::compare::side_once;
use crate::expr::{CompareOp, Expr, Kind};
use crate::plan::{Join, SelectPlan, Source, TableAccess};
use crate::session::State;
use engine::Table;
use types::convert::{self, ConvertContext, StoreIssue};
use types::temporal::looks_like_datetime;
use types::{ColumnDef, ColumnType, DateMode, Value};

/// Whether the conditions on the one table cannot hold; what there is to say of them is said then.
pub fn asks_for_no_moment(find: &SelectPlan, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let Some(Join::Table(access)) = &find.from else { return Ok(false) };
    let Source::Base(table) = &access.source else { return Ok(false) };
    if !table.def().columns.iter().any(|column| column.ty.is_temporal()) {
        return Ok(false);
    }
    for e in &access.filter {
        if fails(e, access, table, cx)? {
            tell(e, cx)?;
            return Ok(true);
        }
    }
    Ok(false)
}

fn fails(e: &Expr, access: &TableAccess, table: &Table, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let mut every = |list: &[Expr], whole: bool| {
        for e in list {
            if fails(e, access, table, cx)? != whole {
                return Ok(!whole);
            }
        }
        Ok(whole)
    };
    match &e.kind {
        Kind::And(list) => every(list, false),
        Kind::Or(list) => every(list, true),
        Kind::Compare(CompareOp::Eq | CompareOp::NullSafeEq, _, left, right) => {
            match (indexed(left, access, table), indexed(right, access, table)) {
                (Some(column), None) => is_no_moment(right, column, cx),
                (None, Some(column)) => is_no_moment(left, column, cx),
                _ => Ok(false),
            }
        }
        Kind::InList { operand, list, negated: false, .. } => {
            let Some(column) = indexed(operand, access, table) else { return Ok(false) };
            for (_, member) in list {
                if !matches!(member.kind, Kind::Const(Value::Null)) && !is_no_moment(member, column, cx)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// The column of dates or times that it is, if an index has it.
fn indexed<'t>(e: &Expr, access: &TableAccess, table: &'t Table) -> Option<&'t ColumnDef> {
    let Kind::Column(slot) = &e.kind else { return None };
    let (def, at) = (table.def(), access.column_at(slot.index)?);
    let column = def.columns.get(at).filter(|column| column.ty.is_temporal())?;
    def.indexes.iter().any(|index| index.parts.iter().any(|part| part.column == at)).then_some(column)
}

/// Whether it is a constant text that the column does not take; days beyond their month's end are taken here.
fn is_no_moment(e: &Expr, column: &ColumnDef, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    if !e.is_same_in_all_rows() && !matches!(e.kind, Kind::UserVar(_)) {
        return Ok(false);
    }
    let (value, _) =
        crate::expr::build::silently(cx.state, |state: &mut State| e.eval(&mut Cx::new(state, cx.params)));
    let value = value?;
    let Value::Str(text) = &value else { return Ok(false) };
    let dated = looks_like_datetime(text.plain_moment().trim_ascii_start());
    let mode = DateMode { no_zero_date: false, no_zero_in_date: false, allow_invalid: true };
    let context = ConvertContext { mode, ..cx.state.convert_context() };
    let stored = convert::store(value, &column.ty, column.collation, &context);
    Ok(match stored.issue {
        Some(StoreIssue::BadTemporal { .. }) => true,
        // The time of a date, or the date of a time; of a fraction nothing is lost.
        Some(StoreIssue::Cut) => match column.ty {
            ColumnType::Date => true,
            ColumnType::Time { .. } => dated,
            _ => false,
        },
        _ => false,
    })
}

/// Members of lists are read before.
fn tell(e: &Expr, cx: &mut Cx<'_>) -> Result<(), SqlError> {
    match &e.kind {
        Kind::And(list) | Kind::Or(list) => list.iter().try_for_each(|e| tell(e, cx)),
        Kind::InList { list, .. } => {
            list.iter().try_for_each(|(how, member)| side_once(member, *how, cx).map(drop))
        }
        _ => Ok(()),
    }
}
