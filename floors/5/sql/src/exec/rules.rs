//! What a table asks of its rows: generated columns to be computed, CHECKs to hold.

use super::Cx;
use crate::bind::Clause;
use crate::bind::insert::Returning;
use crate::error::SqlError;
use crate::expr::build::silently;
use crate::expr::{Expr, Kind, Slot};
use crate::plan::walk::visit_deep;
use crate::session::{Level, State, expression_over, mode};
use engine::Table;
use types::{ColumnDef, ColumnType, TableDef, Value};

/// The rules of one table, bound over its columns in slots of level 0 from 0 on.
#[derive(Debug, Default)]
pub struct Rules {
    /// Generated columns in order.
    generated: Vec<(usize, Expr)>,
    /// Those of them that are virtual, in no index, and that neither RETURNING reads nor a CHECK or a value that is kept is
    /// made of: MariaDB does not look at their values when a row is written.
    unkept: Vec<usize>,
    checks: Checks,
}

/// The CHECKs of a table with their names, those of columns, then its own; bound as [`Rules`] are.
#[derive(Debug, Default)]
pub struct Checks(Vec<(String, Expr)>);

impl Rules {
    /// The rules of a table.
    pub fn of(def: &TableDef, state: &mut State) -> Result<Rules, SqlError> {
        let mut rules = Rules::default();
        for (at, column) in def.columns.iter().enumerate() {
            if let Some(generated) = &column.generated {
                let bind =
                    |state: &mut State| expression_over(&generated.expression, def, Clause::Generated, state);
                rules.generated.push((at, silently(state, bind).0?));
            }
        }
        rules.checks = Checks::of(def, state)?;
        rules.unkept = rules.unkept(def, vec![false; def.columns.len()]);
        Ok(rules)
    }

    /// RETURNING looks at columns, too.
    pub fn looked_at(&mut self, returning: &Returning, def: &TableDef) {
        self.read_also(&returning.items, returning.beside.0, def);
    }

    /// Columns that are named are computed, too: those that expressions read, whose first column is `first`.
    pub fn read_also<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>, first: usize, def: &TableDef) {
        if self.unkept.is_empty() {
            return;
        }
        // As they are already.
        let mut read: Vec<bool> = vec![false; def.columns.len()];
        self.generated.iter().for_each(|(at, _)| read[*at] = !self.unkept.contains(at));
        for e in exprs {
            visit_deep(e, &mut |part| {
                if let Kind::Column(Slot { level: 0, index }) = part.kind
                    && let Some(column) = (index as usize).checked_sub(first)
                    && let Some(read) = read.get_mut(column)
                {
                    *read = true;
                }
            });
        }
        self.unkept = self.unkept(def, read);
    }

    /// As [`Rules::read_also`], a column that is written to.
    pub fn written_also(&mut self, column: usize) {
        self.unkept.retain(|at| *at != column);
    }

    /// See [`Rules::unkept`]; those that are `read` are looked at in any case. A column is made of such before it only.
    fn unkept(&self, def: &TableDef, mut read: Vec<bool>) -> Vec<usize> {
        let reads = |read: &mut Vec<bool>, expr: &Expr| {
            expr.visit(&mut |part| {
                if let Kind::Column(column) = &part.kind
                    && let Some(read) = read.get_mut(column.index as usize)
                {
                    *read = true;
                }
            });
        };
        self.checks.0.iter().for_each(|(_, check)| reads(&mut read, check));
        let mut unkept = Vec::new();
        for (at, expr) in self.generated.iter().rev() {
            let stored = def.columns[*at].generated.as_ref().is_some_and(|own| own.stored);
            let indexed = def.indexes.iter().any(|index| index.parts.iter().any(|p| p.column == *at));
            match stored || indexed || read[*at] {
                true => reads(&mut read, expr),
                false => unkept.push(*at),
            }
        }
        unkept
    }

    /// Computes the generated columns of a row, then holds it against the CHECKs; error 4025.
    pub fn apply(&self, def: &TableDef, values: &mut [Value], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.compute(def, values, cx)?;
        self.hold(def, values, cx)
    }

    /// Computes the generated columns of a row.
    pub fn compute(&self, def: &TableDef, values: &mut [Value], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if self.generated.is_empty() {
            return Ok(());
        }
        over_row(row_as_read(values, def, cx), cx, |cx| {
            let zone = cx.state.vars.time_zone;
            for (at, expr) in &self.generated {
                let column = &def.columns[*at];
                let stored = match self.unkept.contains(at) {
                    true => computed_quietly(expr, column, cx)?,
                    false => computed(expr, column, cx)?,
                };
                cx.frame_mut(0, values.len())[*at] = stored.clone().in_zone(&zone);
                values[*at] = stored;
            }
            Ok(())
        })
    }

    /// Holds a row against the CHECKs; error 4025.
    pub fn hold(&self, def: &TableDef, values: &[Value], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if self.checks.is_empty() {
            return Ok(());
        }
        over_row(row_as_read(values, def, cx), cx, |cx| self.checks.hold(&def.db, &def.name, cx))
    }

    /// Says again what is wrong with the generated columns of a row that is read to be changed, as MariaDB, which computes
    /// them when it reads the row: virtual ones, and `stored` ones where a row is found in the way of another.
    pub fn tell_of_read(
        &self,
        table: &Table,
        row: &[u8],
        stored: bool,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let def = table.def();
        let is_read = |at: &usize| {
            let own = def.columns[*at].generated.as_ref();
            !self.unkept.contains(at) && own.is_some_and(|own| stored || !own.stored)
        };
        if !self.generated.iter().any(|(at, _)| is_read(at)) {
            return Ok(());
        }
        let mut values = Vec::new();
        table.layout().decode_all(row, &mut values).map_err(|e| super::reader::damaged(table, &e))?;
        let fails = std::mem::take(&mut cx.state.statement.warnings_fail);
        let told = over_row(row_as_read(&values, def, cx), cx, |cx| {
            for (at, expr) in self.generated.iter().filter(|(at, _)| is_read(at)) {
                if let Err(error) = computed(expr, &def.columns[*at], cx) {
                    cx.state.warn(Level::Warning, error.errno, error.message);
                }
            }
            Ok(())
        });
        cx.state.statement.warnings_fail = fails;
        told
    }
}

impl Rules {
    /// A row that another is to take the place of is read whole: virtual columns that cannot hold what they are computed as
    /// fail a strict statement, and the storage engine with it.
    pub fn check_read(&self, table: &Table, row: &[u8], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let def = table.def();
        let is_virtual = |at: &usize| def.columns[*at].generated.as_ref().is_some_and(|own| !own.stored);
        if !self.generated.iter().any(|(at, _)| is_virtual(at)) {
            return Ok(());
        }
        let mut values = Vec::new();
        table.layout().decode_all(row, &mut values).map_err(|e| super::reader::damaged(table, &e))?;
        let read = over_row(row_as_read(&values, def, cx), cx, |cx| {
            let mut generated = self.generated.iter().filter(|(at, _)| is_virtual(at));
            generated.try_for_each(|(at, expr)| {
                computed(expr, &def.columns[*at], cx)?;
                cx.state.check_fault()
            })
        });
        if read.is_err() {
            let text = "Got error 1 \"Operation not permitted\" from storage engine InnoDB";
            cx.state.warn(Level::Error, 1030, text.to_owned());
        }
        read
    }
}

/// A column's new value as expressions read it: a TIMESTAMP in the session's zone, CHAR with the spaces of
/// `PAD_CHAR_TO_FULL_LENGTH`.
pub fn as_read(value: &Value, column: &ColumnDef, state: &State) -> Value {
    let mut read = value.clone().in_zone(&state.vars.time_zone);
    if let (Value::Str(text), ColumnType::Char(chars)) = (&mut read, &column.ty)
        && state.vars.has_mode(mode::PAD_CHAR_TO_FULL_LENGTH)
    {
        super::reader::pad(text, *chars as usize);
    }
    read
}

/// As [`as_read`], a row's values.
pub(super) fn row_as_read(values: &[Value], def: &TableDef, cx: &Cx<'_>) -> Vec<Value> {
    values.iter().zip(&def.columns).map(|(value, column)| as_read(value, column, cx.state)).collect()
}

/// Does something with a row in the frame of level 0 alone.
pub(super) fn over_row<T>(row: Vec<Value>, cx: &mut Cx<'_>, work: impl FnOnce(&mut Cx<'_>) -> T) -> T {
    let frames = std::mem::replace(&mut cx.frames, vec![row]);
    let done = work(cx);
    cx.frames = frames;
    done
}

fn computed(expr: &Expr, column: &ColumnDef, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    let value = expr.eval_for(column, cx)?;
    super::insert::store_in(&value, column, true, cx)
}

impl Checks {
    /// Those of a table.
    pub fn of(def: &TableDef, state: &mut State) -> Result<Checks, SqlError> {
        let of_column = |c: &ColumnDef| Some((format!("{}.{}", def.name, c.check_name()), c.check.clone()?));
        let on_columns = def.columns.iter().filter_map(of_column);
        let on_table = def.checks.iter().map(|c| (c.name.clone(), c.expression.clone()));
        let bound = |(name, text): (String, String)| {
            let bind = |state: &mut State| expression_over(&text, def, Clause::Check, state);
            Ok((name, silently(state, bind).0?))
        };
        Ok(Checks(on_columns.chain(on_table).map(bound).collect::<Result<_, SqlError>>()?))
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Holds the row in the frame against them; error 4025, or what an expression came upon where that is an error.
    pub fn hold(&self, db: &str, table: &str, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if !cx.state.vars.check_constraint_checks {
            return Ok(());
        }
        for (name, check) in &self.0 {
            let before = cx.state.statement.fault.take();
            let truth = check.truth(cx);
            let fault = std::mem::replace(&mut cx.state.statement.fault, before);
            let failed = SqlError::constraint_failed(name, db, table);
            let fault = match (truth, fault) {
                (Err(error), _) => error,
                // What the condition came upon was before; it holds for no row then.
                (_, Some(fault)) if !is_empty_text(check, cx)? => *fault,
                (Ok(Some(false)), _) => return Err(failed),
                _ => continue,
            };
            for error in [&fault, &failed] {
                cx.state.warn(Level::Error, error.errno, error.message.clone());
            }
            return Err(fault);
        }
        // What they compute of constants is computed, and warned of, anew for each row.
        if !self.0.is_empty() {
            cx.state.statement.constants.retain(|_, constant| !constant.source.is_null());
        }
        Ok(())
    }
}

/// Whether a condition is a column of TEXT or BLOB, and empty: false, of which nothing is said.
fn is_empty_text(check: &Expr, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let blob = matches!(check.kind, Kind::Column(_)) && check.ty.kind.is_blob();
    Ok(blob && matches!(check.eval(cx)?, Value::Str(text) if text.bytes.is_empty()))
}

/// A column's value without a word about what is wrong with it: as near as the column's type allows.
pub(super) fn computed_quietly(expr: &Expr, column: &ColumnDef, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    let facts = &mut cx.state.statement;
    let strict = (std::mem::take(&mut facts.strict), std::mem::take(&mut facts.warnings_fail));
    let told = cx.state.diagnostics.told();
    let stored = computed(expr, column, cx);
    (cx.state.statement.strict, cx.state.statement.warnings_fail) = strict;
    cx.state.diagnostics.forget_since(told);
    stored
}
