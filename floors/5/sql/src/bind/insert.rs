//! Binding INSERT and REPLACE.

use super::scope::Origin;
use super::target::Target;
use super::view::ViewRule;
use super::{Binder, Clause, Scope, assigned, guard};
use crate::admin::Acts;
use crate::error::SqlError;
use crate::exec::defaults::blank_row;
use crate::exec::insert::given;
use crate::exec::rules::Rules;
use crate::expr::{Expr, Kind, build};
use crate::plan::walk::visit_deep;
use crate::plan::{Body, OutputColumn, QueryPlan, Source};
use crate::syntax::ast::{self, ExprKind, InsertSource, SelectItem, SetOperator};
use engine::{Table, View};
use std::sync::Arc;
use types::table::same_name;
use types::{DefaultValue, TableDef, Value};

/// A value given to a column.
#[derive(Debug)]
pub enum Given {
    /// An expression.
    Expr(Expr),
    /// DEFAULT.
    Default,
}

/// An INSERT or REPLACE.
#[derive(Debug)]
pub struct InsertPlan {
    /// The table.
    pub table: Arc<Table>,
    /// The columns that values are given for, in order.
    pub columns: Vec<usize>,
    /// The statement names them.
    pub listed: bool,
    /// The rows.
    pub rows: InsertRows,
    /// What columns hold until they are given something; empty where no expression reads it.
    pub blank: Vec<Value>,
    /// They come of a query that reads the table.
    pub reads_itself: bool,
    /// What of several rows of VALUES is known before any of them is there.
    pub foreseen: Foreseen,
    /// Subqueries have aggregates that are known before any row is written.
    pub reads_early: bool,
    /// They come of a set operation, about whose rows a warning is no error in strict mode either.
    pub only_warns: bool,
    /// It is what CREATE TABLE ... SELECT fills its table with.
    pub fills: bool,
    /// REPLACE.
    pub replace: bool,
    /// IGNORE.
    pub ignore: bool,
    /// ON DUPLICATE KEY UPDATE: columns and their values; the row that is there stands in slots from 0 on, the new
    /// one behind it.
    pub on_duplicate: Vec<(usize, Given)>,
    /// Slots of what ON DUPLICATE KEY UPDATE reads of the query's tables, which the query gives behind its columns.
    pub reads: Vec<u32>,
    /// RETURNING.
    pub returning: Option<Returning>,
    /// Its query is limited, and the view that rows come through lacks a key of the table: a note says so.
    pub keyless: bool,
    /// The view that rows come through does not show the AUTO_INCREMENT column: LAST_INSERT_ID() stays as it was.
    pub hides_number: bool,
    /// Generated columns and CHECKs.
    pub rules: Rules,
    /// The view that rows come through.
    pub view: Option<Arc<View>>,
    /// What it wants of them, over the row in slots from 0 on.
    pub view_rule: Option<ViewRule>,
}

/// What of several rows of VALUES MariaDB knows before it writes any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreseen {
    /// No subquery reads the table.
    Nothing,
    /// One reads it under another name: what it needs to look at no more than once, the row of a key or an end of an index.
    Looked,
    /// One reads it under its name: the values of all rows.
    All,
}

/// Where an INSERT's rows come from.
#[derive(Debug)]
pub enum InsertRows {
    /// VALUES; an empty row takes all defaults.
    Values(Vec<Vec<Given>>),
    /// A query.
    Query(Box<QueryPlan>),
}

/// RETURNING.
#[derive(Debug)]
pub struct Returning {
    /// Expressions over the row, which stands in slots from 0 on.
    pub items: Vec<Expr>,
    /// Columns of the result.
    pub columns: Vec<OutputColumn>,
    /// Where the table's row stands among those of a view's tables, and what stands for the others.
    pub beside: (usize, Vec<Value>),
}

/// Whether a query reads a table, wherever it does.
fn reads(query: &QueryPlan, target: &Table) -> bool {
    let mut reads = false;
    query.visit_every_table(&mut |access| {
        reads |= matches!(&access.source, Source::Base(table) if table.id() == target.id());
    });
    reads
}

impl Given {
    /// Whether it reads the row under way.
    fn reads_row(&self) -> bool {
        let mut reads = false;
        if let Given::Expr(e) = self {
            visit_deep(e, &mut |e| reads |= matches!(e.kind, Kind::Column(slot) if slot.level == 0));
        }
        reads
    }
}

impl Binder<'_> {
    /// Binds an INSERT or REPLACE.
    pub fn insert(&mut self, insert: &ast::Insert) -> Result<InsertPlan, SqlError> {
        if !insert.partitions.is_empty() {
            return Err(SqlError::new(1747, b"HY000", "PARTITION () clause on non partitioned table"));
        }
        let database = self.database(&insert.table)?.to_owned();
        if self.temporary(&database, &insert.table.name)?.is_none() {
            let mut wanted = vec!["INSERT"];
            wanted.extend((!insert.on_duplicate.is_empty()).then_some("UPDATE"));
            wanted.extend(insert.replace.then_some("DELETE"));
            self.state.check_table_all(&wanted, &database, &insert.table.name)?;
        }
        let mut target = self.insert_target(insert, &database)?;
        let columns = self.insert_columns(insert, &target)?;
        let mut scope = Scope::new(None, 0);
        scope.wants.set(guard::inserted(insert));
        self.add_target(&target, &insert.table.name, &database, &mut scope);
        self.check_inserted(insert, &target, &columns, &scope)?;
        // One row alone is made before it is written, and a set operation has its rows before anything is looked at.
        let at_once = match &insert.source {
            InsertSource::Values(rows) => rows.len() < 2,
            InsertSource::Query(query) => !matches!(query.body, ast::QueryBody::Select(_)),
        };
        self.written = (!at_once).then(|| target.table.clone());
        let on_duplicate = match self.on_duplicate(insert, &target, &database) {
            Err(error) => return Err(self.fault_of_rows(insert, &target, &columns).err().unwrap_or(error)),
            bound => bound?,
        };
        let (mut reads_itself, mut only_warns) = (false, false);
        let mut foreseen = Foreseen::Nothing;
        let rows = match &insert.source {
            InsertSource::Values(rows) => {
                // `VALUES ()` leaves all columns to their defaults.
                let none = insert.columns.is_empty() && rows.first().is_some_and(Vec::is_empty);
                // Of a view they have to say something.
                let none = none && target.view.is_none();
                let count = if none { 0 } else { columns.len() };
                foreseen = self.foreseen(rows, &target.table);
                InsertRows::Values(self.insert_values(rows, count, &scope)?)
            }
            InsertSource::Query(query) => {
                self.written = None;
                let query = on_duplicate.query.as_ref().unwrap_or(query);
                // CREATE TABLE ... SELECT has made the table for rows of what had its name before.
                self.unseen = insert.fills.then(|| (database.clone(), insert.table.name.clone()));
                let plan = self.bind_query(query, None, 0);
                self.unseen = None;
                let mut plan = plan?.0;
                reads_itself = reads(&plan, &target.table);
                // A new table takes the rows of UNION ALL as they are read.
                only_warns = match &plan.body {
                    Body::SetOps { rest, .. } => {
                        let as_read =
                            |(op, all, _): &(SetOperator, bool, _)| *op == SetOperator::Union && *all;
                        !insert.fills || !rest.iter().all(as_read)
                    }
                    _ => false,
                };
                if let Body::Select(select) = &mut plan.body {
                    // DISTINCT and windows see the rows as they would be shown.
                    select.keeps_digits = !select.distinct && select.windows.is_none();
                    // What MariaDB computes as it stores it in columns that are named.
                    select.is_hushed = select.keeps_digits
                        && select.group.is_none()
                        && !insert.columns.is_empty()
                        && !insert.fills
                        && !reads_itself;
                }
                if plan.columns.len() != columns.len() + on_duplicate.reads.len() {
                    return Err(SqlError::wrong_value_count_on_row(1));
                }
                InsertRows::Query(Box::new(plan))
            }
        };
        self.written = None;
        let lenient = insert.ignore || !self.state.vars.is_strict();
        if !self.prepares {
            assigned::check_rows(&rows, &columns, target.table.def(), lenient, self.state)?;
        }
        for (column, given) in &on_duplicate.assignments {
            if let Given::Expr(e) = given {
                assigned::check(&e.ty, *column, target.table.def(), lenient, self.state)?;
            }
        }
        let blank = match &rows {
            InsertRows::Values(rows) => self.blank_row(rows.iter().flatten(), target.table.def())?,
            InsertRows::Query(_) => Vec::new(),
        };
        // Through a view RETURNING sees what the view makes of the row.
        let (seen, beside) = match &mut target.seen {
            Some((seen, beside)) => (seen, std::mem::take(beside)),
            None => (&mut scope, (0, Vec::new())),
        };
        seen.wants.set(Acts::SELECT.and(seen.wants.get()));
        let mut returning = self.returning(insert.returning.as_deref(), seen)?;
        returning.iter_mut().for_each(|returning| returning.beside = beside.clone());
        self.check_returning(insert, &target.table)?;
        let keyless = limits_rows(insert) && target.lacks_key();
        // Columns that the statement names.
        let place = |name: &str| {
            target.columns.iter().find(|(known, ..)| same_name(known, name)).map(|known| known.1)
        };
        let updated = insert.on_duplicate.iter().map(|assignment| &assignment.column.column);
        let mut named: Vec<usize> = updated.filter_map(|name| place(name)).collect();
        if insert.explicit_columns {
            named.extend(&columns);
        }
        let Target { table, rule: view_rule, view, hides_number, .. } = target;
        let mut rules = Rules::of(table.def(), self.state)?;
        returning.iter().for_each(|returning| rules.looked_at(returning, table.def()));
        let updates = on_duplicate.assignments.iter().filter_map(|(_, given)| match given {
            Given::Expr(e) => Some(e),
            Given::Default => None,
        });
        // A row's own columns, then those of VALUES().
        for first in [0, table.def().columns.len()] {
            rules.read_also(updates.clone(), first, table.def());
        }
        named.into_iter().for_each(|column| rules.written_also(column));
        Ok(InsertPlan {
            view,
            view_rule,
            hides_number,
            rules,
            table,
            columns,
            listed: insert.explicit_columns || !insert.columns.is_empty(),
            rows,
            blank,
            reads_itself,
            foreseen,
            reads_early: self.reads_early,
            only_warns,
            fills: insert.fills,
            replace: insert.replace,
            ignore: insert.ignore,
            on_duplicate: on_duplicate.assignments,
            reads: on_duplicate.reads,
            returning,
            keyless,
        })
    }

    /// The fault of a query's rows, which comes before those of what they update: its own, too many or too few columns,
    /// columns without a value.
    pub(super) fn fault_of_rows(
        &mut self,
        insert: &ast::Insert,
        target: &Target,
        columns: &[usize],
    ) -> Result<(), SqlError> {
        let InsertSource::Query(query) = &insert.source else { return Ok(()) };
        let (plan, _) = self.bind_query(query, None, 0)?;
        if plan.columns.len() != columns.len() {
            return Err(SqlError::wrong_value_count_on_row(1));
        }
        let fails = self.state.vars.is_strict() && !insert.ignore;
        let written = (&**target.table.def(), target.view.as_deref());
        given::check_named(written, |at| columns.contains(&at), fails, self.state)
    }

    fn insert_columns(&mut self, insert: &ast::Insert, target: &Target) -> Result<Vec<usize>, SqlError> {
        if insert.columns.is_empty() {
            let all = target.columns.iter().filter(|(_, _, invisible)| !invisible).map(|&(_, at, _)| at);
            return Ok(if insert.explicit_columns && target.view.is_none() {
                Vec::new()
            } else {
                all.collect()
            });
        }
        let mut columns = Vec::with_capacity(insert.columns.len());
        for name in &insert.columns {
            target.check_unknown(name, guard::inserted(insert))?;
            let column = target.column(name, &insert.table.name, Clause::InsertInto)?;
            if columns.contains(&column) {
                if target.view.is_some() {
                    return Err(SqlError::non_insertable_table(&insert.table.name, "INSERT"));
                }
                return Err(SqlError::field_specified_twice(&name.column));
            }
            columns.push(column);
        }
        Ok(columns)
    }

    pub(super) fn insert_values(
        &mut self,
        rows: &[Vec<ast::Expr>],
        columns: usize,
        scope: &Scope<'_>,
    ) -> Result<Vec<Vec<Given>>, SqlError> {
        let mut bound = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            if row.len() != columns {
                return Err(SqlError::wrong_value_count_on_row(i + 1));
            }
            // Names in rows behind the first are told of as those of a query.
            let clause = if i == 0 { Clause::Values } else { Clause::Select };
            let mut given = Vec::with_capacity(row.len());
            for e in row {
                let mut one = self.given(e, scope, clause)?;
                if let Given::Expr(bound) = &mut one {
                    build::name_cast(bound, || self.words(e.span));
                }
                given.push(one);
            }
            bound.push(given);
        }
        Ok(bound)
    }

    /// What columns hold until they are given something, for values that read it.
    pub(super) fn blank_row<'g>(
        &mut self,
        mut given: impl Iterator<Item = &'g Given>,
        table: &TableDef,
    ) -> Result<Vec<Value>, SqlError> {
        let computed =
            table.columns.iter().any(|column| matches!(column.default, DefaultValue::Expression(_)));
        match given.any(|given| given.reads_row() || computed && matches!(given, Given::Default)) {
            true => blank_row(table, self.state),
            false => Ok(Vec::new()),
        }
    }

    pub(super) fn given(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Given, SqlError> {
        match &e.kind {
            ExprKind::Default => Ok(Given::Default),
            _ => Ok(Given::Expr(self.scalar(e, scope, clause)?)),
        }
    }

    pub(super) fn returning(
        &mut self,
        items: Option<&[SelectItem]>,
        scope: &mut Scope<'_>,
    ) -> Result<Option<Returning>, SqlError> {
        let Some(items) = items else { return Ok(None) };
        let mut bound = Vec::new();
        let mut columns = Vec::new();
        let mut push = |name: String, expr: Expr, origin: Option<Arc<Origin>>| {
            columns.push(OutputColumn { name, ty: expr.ty.clone(), origin });
            bound.push(expr);
        };
        for item in items {
            match item {
                SelectItem::Star | SelectItem::TableStar(_) => {
                    for v in scope.starred()? {
                        push(v.name.clone(), v.expr.clone(), Some(v.origin.clone()));
                    }
                }
                SelectItem::Expr { expr: written, name, .. } => {
                    let mut expr = self.scalar(written, scope, Clause::Select)?;
                    super::select::given_alone(written, &mut expr, self.state);
                    let origin = match (&expr.kind, &written.kind) {
                        (Kind::Column(slot), _) => scope.origin_of(*slot),
                        (_, ExprKind::Column(name)) => super::select::named_by(name, scope),
                        _ => None,
                    };
                    push(name.clone(), expr, origin);
                }
            }
        }
        Ok(Some(Returning { items: bound, columns, beside: (0, Vec::new()) }))
    }
}

/// Whether the rows are those of a block with LIMIT.
pub(super) fn limits_rows(insert: &ast::Insert) -> bool {
    let InsertSource::Query(query) = &insert.source else { return false };
    matches!(query.body, ast::QueryBody::Select(_)) && query.limit.is_some()
}
