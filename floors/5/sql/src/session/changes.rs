//! Running INSERT, UPDATE and DELETE: what they need before the first row, and what they tell when they are done.

use super::plans::Plan;
use super::statement::{Ended, Running};
use super::{Level, Session, Warning};
use crate::bind::change::ChangePlan;
use crate::bind::insert::{InsertPlan, InsertRows, Returning};
use crate::error::SqlError;
use crate::exec::insert::Counts;
use crate::exec::{Cx, Flow, change, insert};
use crate::output::{Done, Output};
use crate::plan::{Body, Join, QueryPlan, SelectPlan};
use crate::syntax::ast::{self, Statement};
use types::Value;

/// What a change has done.
struct Changed<'p> {
    counts: Counts,
    /// What the OK packet's text counts, the warnings left out.
    info: Option<[(&'static str, u64); 2]>,
    /// RETURNING's columns, where it has a result, with its rows.
    returning: Option<(&'p Returning, Vec<Vec<Value>>)>,
    /// Warnings that the text does not count.
    untold: usize,
}

impl Session {
    /// Notes how many rows of VALUES a statement lists that the client sent as text.
    pub(super) fn note_listed(&mut self, statement: &Statement) {
        match statement {
            Statement::Insert(insert) => {
                self.state.listed_rows = match &insert.source {
                    ast::InsertSource::Values(rows) => rows.len() as u64,
                    ast::InsertSource::Query(_) => 0,
                }
            }
            Statement::LoadData(_) => self.state.listed_rows = 0,
            Statement::SetStatement { statement, .. } => self.note_listed(statement),
            _ => {}
        }
    }

    /// The same of one that has a plan.
    pub(super) fn note_listed_in(&mut self, plan: &Plan) {
        if let Plan::Insert(insert) = plan {
            self.state.listed_rows = match &insert.rows {
                InsertRows::Values(rows) => rows.len() as u64,
                InsertRows::Query(_) => 0,
            };
        }
    }

    /// Runs a prepared statement, which knows nothing of the rows that texts list.
    pub(super) fn unlisted<T>(&mut self, run: impl FnOnce(&mut Session) -> T) -> T {
        let listed = std::mem::take(&mut self.state.listed_rows);
        let ran = run(self);
        self.state.listed_rows = listed;
        ran
    }

    /// Binds and runs an INSERT, UPDATE or DELETE.
    pub(crate) fn bind_and_change(
        &mut self,
        statement: &Statement,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let (plan, _) = self.bind(statement, running, false)?;
        self.run_change(&plan, running, out)
    }

    /// Begins a change of rows: of the session's own tables alone, or of those that read-only keeps; `stores` says
    /// whether its values are held to strict mode.
    pub(super) fn enter_change(&mut self, own: bool, stores: bool) -> Result<(), SqlError> {
        if !own {
            self.state.check_read_only()?;
        }
        self.state.txn()?.lock_reads();
        let facts = &mut self.state.statement;
        facts.strict = stores && self.state.vars.is_strict();
        facts.warnings_fail = facts.strict;
        Ok(())
    }

    /// Whether conditions of constants let no row pass.
    fn is_impossible(&mut self, find: &SelectPlan, running: &Running<'_>) -> Result<bool, SqlError> {
        let (possible, _) = crate::expr::build::silently(&mut self.state, |state| {
            crate::exec::join::all(&find.constant_filter, &mut Cx::new(state, running.params))
        });
        Ok(!possible?)
    }

    /// Whether the conditions on indexes of the one table let no row be found.
    fn finds_nothing(&mut self, find: &SelectPlan, running: &Running<'_>) -> Result<bool, SqlError> {
        let Some(Join::Table(table)) = &find.from else { return Ok(false) };
        let (nothing, _) = crate::expr::build::silently(&mut self.state, |state| {
            crate::exec::ranges::finds_nothing(table, &mut Cx::new(state, running.params))
        });
        nothing
    }

    /// Runs a bound INSERT, UPDATE or DELETE.
    pub(super) fn run_change(
        &mut self,
        plan: &Plan,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        let own = match plan {
            Plan::Insert(plan) => plan.table.is_temporary(),
            Plan::Update(plan) | Plan::Delete(plan) => plan.targets.iter().all(|t| t.table.is_temporary()),
            Plan::Query(_) | Plan::Do(_) => true,
        };
        let keyless = match plan {
            Plan::Insert(plan) => plan.keyless,
            Plan::Update(plan) | Plan::Delete(plan) => plan.keyless,
            Plan::Query(_) | Plan::Do(_) => false,
        };
        if keyless {
            let note = SqlError::view_without_key();
            self.state.warn(Level::Note, note.errno, note.message);
        }
        if self.changes_nothing(plan, own, running)? {
            return self.finish(Done::default(), running, out);
        }
        // Nothing that DELETE evaluates is stored.
        self.enter_change(own, !matches!(plan, Plan::Delete(_)))?;
        self.state.statement.constants_fail = match plan {
            Plan::Insert(plan) => {
                // The members of a set operation are looked at before they are run.
                let alone = |query: &QueryPlan| matches!(query.body, Body::Select(_));
                matches!(&plan.rows, InsertRows::Query(query) if alone(query)) && !plan.only_warns
            }
            Plan::Update(plan) => plan.multi_table,
            _ => false,
        };
        self.state.statement.members_fail = matches!(plan, Plan::Update(plan) if plan.multi_table);
        let changed = match plan {
            Plan::Insert(plan) => self.run_insert(plan, running),
            Plan::Update(plan) => self.run_update(plan, running),
            Plan::Delete(plan) => self.run_delete(plan, running),
            Plan::Query(_) | Plan::Do(_) => return Err(SqlError::internal_error("run change").into()),
        };
        let changed = changed.map_err(|error| self.state.first_fault(error))?;
        self.state.check_fault()?;
        let Changed { counts, info, returning, untold } = changed;
        self.state.row_count = counts.affected as i64;
        self.state.statement.counts = counts;
        if let Some((returning, rows)) = returning {
            let columns = self.state.describe(&returning.columns);
            return self.send_rows(&columns, rows, running, out);
        }
        let warnings = (self.state.diagnostics.count() as usize).saturating_sub(untold);
        let info = info.map(|[first, second]| counted([first, second, ("Warnings", warnings as u64)]));
        // Of an UPDATE the client hears what LAST_INSERT_ID(expr) was last: numbers are handed out so.
        let insert_id = match plan {
            Plan::Update(_) => self.state.statement.insert_id,
            _ => counts.insert_id,
        };
        let done = Done {
            affected_rows: counts.affected,
            last_insert_id: insert_id,
            info: info.unwrap_or_default(),
            ..Done::default()
        };
        self.finish(done, running, out)
    }

    /// Whether conditions of constants let an UPDATE or DELETE find no row; then all is done that it does.
    fn changes_nothing(&mut self, plan: &Plan, own: bool, running: &Running<'_>) -> Result<bool, Ended> {
        let (Plan::Update(change) | Plan::Delete(change)) = plan else { return Ok(false) };
        let conditions = &change.find.constant_filter;
        if change.multi_table || change.equates_rows {
            return Ok(false);
        }
        if conditions.is_empty() || !self.is_impossible(&change.find, running)? {
            let mut cx = Cx::new(&mut self.state, running.params);
            let never = change::asks_for_no_moment(&change.find, &mut cx)?;
            if never {
                self.state.row_count = 0;
            }
            return Ok(never);
        }
        // Once more, for what there is to say of it: as often as MariaDB reads it.
        let readings = match plan {
            Plan::Delete(_) => {
                change::check_condition(change, &self.state)?;
                2
            }
            _ => 1,
        };
        let mut cx = Cx::new(&mut self.state, running.params);
        for _ in 0..readings {
            crate::exec::join::all(conditions, &mut cx)?;
        }
        if !own {
            self.state.check_read_only()?;
        }
        self.state.row_count = 0;
        Ok(true)
    }

    fn run_insert<'p>(
        &mut self,
        plan: &'p InsertPlan,
        running: &Running<'_>,
    ) -> Result<Changed<'p>, SqlError> {
        let facts = &mut self.state.statement;
        facts.ignore = plan.ignore;
        facts.target = Some(plan.table.clone());
        let mut rows = Vec::new();
        let cx = &mut Cx::new(&mut self.state, running.params);
        let counts = insert::run(plan, cx, &mut kept_in(&mut rows))?;
        let many = match &plan.rows {
            InsertRows::Values(rows) => rows.len() > 1,
            InsertRows::Query(_) => true,
        };
        let info = many.then_some([("Records", counts.records), ("Duplicates", counts.duplicates)]);
        Ok(Changed { counts, info, returning: plan.returning.as_ref().map(|r| (r, rows)), untold: 0 })
    }

    fn run_update<'p>(
        &mut self,
        plan: &'p ChangePlan,
        running: &Running<'_>,
    ) -> Result<Changed<'p>, SqlError> {
        let facts = &mut self.state.statement;
        facts.ignore = plan.ignore;
        facts.target = plan.targets.first().map(|target| target.table.clone());
        let mut cx = Cx::new(&mut self.state, running.params);
        let ends = change::ends_at_once(plan, &mut cx)?;
        let counts = change::update(plan, &mut cx)?;
        let untold = match plan.multi_table {
            // Only what columns cut is counted of joined tables, not what they cannot read, nor what is computed.
            true => {
                let cut = |entry: &&Warning| matches!(entry.errno, 1048 | 1264 | 1265);
                let entries = &self.state.diagnostics.entries;
                (entries.len() - entries.iter().filter(cut).count()).max(counts.duplicates as usize)
            }
            false => counts.duplicates as usize,
        };
        let told = plan.multi_table
            || counts.records > 0
            || !ends && (plan.equates_rows || !self.finds_nothing(&plan.find, running)?);
        let info = told.then_some([("Rows matched", counts.records), ("Changed", counts.changed)]);
        Ok(Changed { counts, info, returning: None, untold })
    }

    fn run_delete<'p>(
        &mut self,
        plan: &'p ChangePlan,
        running: &Running<'_>,
    ) -> Result<Changed<'p>, SqlError> {
        self.state.statement.ignore = plan.ignore;
        let mut rows = Vec::new();
        let nothing = plan.returning.is_some() && self.finds_nothing(&plan.find, running)?;
        let mut cx = Cx::new(&mut self.state, running.params);
        let ends = nothing || change::ends_at_once(plan, &mut cx)?;
        let counts = change::delete(plan, &mut cx, &mut kept_in(&mut rows))?;
        // No result at all comes of what ends before it begins.
        let returning = plan.returning.as_ref().filter(|_| !ends).map(|returning| (returning, rows));
        Ok(Changed { counts, info: None, returning, untold: 0 })
    }
}

/// The text that tells of counts. Each UPDATE has one, so it goes round `format!`.
fn counted(counts: [(&'static str, u64); 3]) -> String {
    let mut text = Vec::with_capacity(64);
    for (what, count) in counts {
        if !text.is_empty() {
            text.extend_from_slice(b"  ");
        }
        text.extend_from_slice(what.as_bytes());
        text.extend_from_slice(b": ");
        types::number::write_u64(count, &mut text);
    }
    String::from_utf8(text).unwrap_or_default()
}

/// Keeps RETURNING's rows, which are sent when all is done.
fn kept_in(rows: &mut Vec<Vec<Value>>) -> impl FnMut(&mut Cx<'_>, &[Value]) -> Result<Flow, SqlError> {
    |_, row| {
        rows.push(row.to_vec());
        Ok(Flow::Continue)
    }
}
