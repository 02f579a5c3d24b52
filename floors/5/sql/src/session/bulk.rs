//! A prepared statement for many sets of parameters at once, as COM_STMT_BULK_EXECUTE wants it.
//!
//! INSERT and REPLACE of values are one statement, all of whose rows are written or none. UPDATE and DELETE run for
//! each set as a statement of their own, in one transaction: what came before an error stays, and the log is forced
//! once.

use super::counters::command_name;
use super::owing::only_changes;
use super::plans::Plan;
use super::prepared::Prepared;
use super::statement::{Ended, Reset};
use super::{Diagnostics, Session};
use crate::bind::insert::InsertPlan;
use crate::error::SqlError;
use crate::exec::insert::{Counts, Series};
use crate::exec::{Cx, Flow};
use crate::output::{ColumnMeta, Done, Gone, Output, RowRef};
use crate::syntax::ast::{self, ExprKind, Statement};
use std::mem::{Discriminant, discriminant};
use std::rc::Rc;
use types::Value;
use types::row::WireOptions;

/// A parameter without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The column's default.
    Default,
    /// The column stays as it is; in INSERT its default.
    Ignore,
}

/// One set of parameters.
#[derive(Debug, Clone, Default)]
pub struct ParameterSet {
    /// Their values, NULL where there is a mark.
    pub values: Vec<Value>,
    /// Marks by the parameter's number, in order.
    pub marks: Vec<(u32, Mark)>,
}

/// Gives one set after the other.
type Next<'a> = &'a mut dyn FnMut() -> Result<Option<ParameterSet>, SqlError>;

/// Plans of one statement that are kept for the kinds of parameters that they are made for.
const PLANS_MAX: usize = 16;

/// A plan and the parameters that it serves.
struct Fitting {
    kinds: Vec<Discriminant<Value>>,
    marks: Vec<(u32, Mark)>,
    plan: Rc<InsertPlan>,
}

impl Fitting {
    fn fits(&self, set: &ParameterSet) -> bool {
        self.marks == set.marks
            && self.kinds.iter().zip(&set.values).all(|(kind, value)| *kind == discriminant(value))
    }
}

/// Takes in what the runs of a statement tell.
#[derive(Default)]
struct Collector {
    columns: Option<(Vec<ColumnMeta>, WireOptions)>,
    rows: Vec<Vec<Value>>,
    error: Option<SqlError>,
}

impl Output for Collector {
    fn columns(&mut self, columns: &[ColumnMeta], options: &WireOptions) -> Result<(), Gone> {
        self.columns.get_or_insert_with(|| (columns.to_vec(), *options));
        Ok(())
    }

    fn row(&mut self, row: RowRef<'_>) -> Result<(), Gone> {
        // RETURNING gives values; rows as they are stored come from queries only.
        if let RowRef::Values(values) = row {
            self.rows.push(values.to_vec());
        }
        Ok(())
    }

    fn done(&mut self, _done: &Done) -> Result<(), Gone> {
        Ok(())
    }

    fn error(&mut self, error: &SqlError) -> Result<(), Gone> {
        self.error = Some(error.clone());
        Ok(())
    }
}

impl Session {
    /// Runs a prepared statement for each set that `next` gives.
    pub fn execute_bulk(&mut self, id: u32, next: Next<'_>, out: &mut dyn Output) -> Result<(), Gone> {
        let Some(prepared) = self.prepared.get(&id).cloned() else {
            return out.error(&SqlError::unknown_stmt_handler(id, "mysqld_stmt_bulk_execute"));
        };
        if let Err(error) = self.state.begin_owing(only_changes(prepared.statement()), false) {
            return out.error(&error);
        }
        match prepared.statement() {
            Statement::Insert(insert) if matches!(insert.source, ast::InsertSource::Values(_)) => {
                self.begin_statement(Reset::Clear);
                self.state.count_statement(command_name(prepared.statement()));
                let ran = self.insert_each(&prepared, next, out);
                self.guard(ran, out).map(|_| ())
            }
            Statement::Update(_) | Statement::Delete(_) => self.change_each(&prepared, next, out),
            _ => out.error(&SqlError::unsupported_in_prepared()),
        }
    }

    fn insert_each(
        &mut self,
        prepared: &Prepared,
        next: Next<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let mut plans: Vec<Fitting> = Vec::new();
        let mut series = Series::default();
        let mut returned: Vec<Vec<Value>> = Vec::new();
        let mut keep = |_: &mut Cx<'_>, row: &[Value]| {
            returned.push(row.to_vec());
            Ok(Flow::Continue)
        };
        let mut last = None;
        while let Some(set) = next()? {
            let plan = match plans.iter().find(|fitting| fitting.fits(&set)) {
                Some(fitting) => fitting.plan.clone(),
                None => {
                    let plan = Rc::new(self.bind_insert(prepared, &set)?);
                    if plans.len() == PLANS_MAX {
                        plans.clear();
                    }
                    let kinds = set.values.iter().map(discriminant).collect();
                    plans.push(Fitting { kinds, marks: set.marks, plan: plan.clone() });
                    plan
                }
            };
            if last.is_none() {
                self.enter_insert(&plan)?;
            }
            series.write(&plan, &mut Cx::new(&mut self.state, &set.values), &mut keep)?;
            last = Some(plan);
        }
        let Some(plan) = last else { return self.finish(Done::default(), &prepared.running(&[]), out) };
        let counts = series.finish(&plan, &mut Cx::new(&mut self.state, &[]));
        self.state.check_fault()?;
        self.state.row_count = counts.affected as i64;
        let running = prepared.running(&[]);
        if let Some(returning) = &plan.returning {
            let columns = self.state.describe(&returning.columns);
            return self.send_rows(&columns, returned, &running, out);
        }
        let warnings = self.state.diagnostics.count();
        let info = match counts.records {
            0 | 1 => String::new(),
            n => format!("Records: {n}  Duplicates: {}  Warnings: {warnings}", counts.duplicates),
        };
        let (affected_rows, last_insert_id) = (counts.affected, counts.insert_id);
        self.finish(Done { affected_rows, last_insert_id, info, ..Done::default() }, &running, out)
    }

    /// Binds an INSERT for parameters of the kinds of a set.
    fn bind_insert(&mut self, prepared: &Prepared, set: &ParameterSet) -> Result<InsertPlan, SqlError> {
        let running = prepared.running(&set.values);
        let bound = match set.marks.is_empty() {
            true => self.bind(prepared.statement(), &running, true),
            false => self.bind(&marked(prepared.statement(), &set.marks)?, &running, true),
        };
        match bound?.0 {
            Plan::Insert(plan) => Ok(plan),
            _ => Err(SqlError::internal_error("bind INSERT")),
        }
    }

    fn enter_insert(&mut self, plan: &InsertPlan) -> Result<(), SqlError> {
        self.enter_change(plan.table.is_temporary(), true)?;
        let facts = &mut self.state.statement;
        facts.ignore = plan.ignore;
        facts.target = Some(plan.table.clone());
        Ok(())
    }

    fn change_each(&mut self, prepared: &Prepared, next: Next<'_>, out: &mut dyn Output) -> Result<(), Gone> {
        let state = &mut self.state;
        let own =
            state.vars.autocommit && !state.explicit && state.txn.is_none() && state.locked_tables.is_empty();
        state.explicit |= own;
        let mut told = Collector::default();
        let mut counts = Counts::default();
        let mut raised = Diagnostics::default();
        let max = self.state.vars.max_error_count;
        while told.error.is_none() {
            match next() {
                Ok(None) => break,
                Ok(Some(set)) => self.change_once(prepared, &set, &mut told)?,
                Err(error) => told.error = Some(error),
            }
            raised.add(std::mem::take(&mut self.state.diagnostics), max);
            let once = self.state.statement.counts;
            counts.records += once.records;
            counts.changed += once.changed;
            counts.affected += once.affected;
        }
        self.state.diagnostics = raised;
        if own && let Err(error) = self.state.commit() {
            told.error.get_or_insert(error);
        }
        if let Some(error) = told.error {
            return out.error(&error);
        }
        self.state.row_count = counts.affected as i64;
        let (warnings, status) = (self.state.diagnostics.count(), self.state.status_bits());
        let done = Done { warnings, status, ..Done::default() };
        if let Some((columns, options)) = told.columns {
            out.columns(&columns, &options)?;
            for row in &told.rows {
                out.row(RowRef::Values(row))?;
            }
            return out.done(&done);
        }
        let info = match prepared.statement() {
            Statement::Update(_) => {
                format!("Rows matched: {}  Changed: {}  Warnings: {warnings}", counts.records, counts.changed)
            }
            _ => String::new(),
        };
        out.done(&Done { affected_rows: counts.affected, info, ..done })
    }

    /// Runs an UPDATE or DELETE for one set.
    fn change_once(
        &mut self,
        prepared: &Prepared,
        set: &ParameterSet,
        told: &mut Collector,
    ) -> Result<(), Gone> {
        self.state.statement.counts = Counts::default();
        if set.marks.is_empty() {
            return self.run_prepared(prepared, &set.values, None, told);
        }
        match marked(prepared.statement(), &set.marks) {
            Ok(statement) => self.run_statement(&statement, &prepared.running(&set.values), told).map(|_| ()),
            Err(error) => told.error(&error),
        }
    }
}

/// The statement with marks in the place of parameters; error 4032 where no mark can stand.
fn marked(statement: &Statement, marks: &[(u32, Mark)]) -> Result<Statement, SqlError> {
    let mut statement = statement.clone();
    let mark_of = |e: &ast::Expr| match e.kind {
        ExprKind::Param(n) => marks.iter().find(|(number, _)| *number == n).map(|(_, mark)| *mark),
        _ => None,
    };
    let mut placed = 0;
    let mut assign = |assignments: &mut [ast::Assignment]| {
        for assignment in assignments {
            let Some(mark) = mark_of(&assignment.value) else { continue };
            assignment.value.kind = match mark {
                Mark::Default => ExprKind::Default,
                Mark::Ignore => ExprKind::Column(assignment.column.clone()),
            };
            placed += 1;
        }
    };
    match &mut statement {
        Statement::Insert(insert) => {
            assign(&mut insert.on_duplicate);
            if let ast::InsertSource::Values(rows) = &mut insert.source {
                for e in rows.iter_mut().flatten().filter(|e| mark_of(e).is_some()) {
                    e.kind = ExprKind::Default;
                    placed += 1;
                }
            }
        }
        Statement::Update(update) => assign(&mut update.assignments),
        _ => {}
    }
    if placed == marks.len() { Ok(statement) } else { Err(SqlError::invalid_default_param()) }
}
