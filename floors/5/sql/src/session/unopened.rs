//! Tables that can not be opened: MariaDB opens all that a statement names before it looks at anything else, in the order in
//! which they are written, but for the first one of its first FROM clause, with which it begins.

use super::{Level, State};
use crate::admin::view_opens;
use crate::error::{self, ER_NO_SUCH_TABLE, ER_VIEW_INVALID, SqlError};
use crate::plan::sequence::Sequence;
use crate::syntax::ast::walk::Below;
use crate::syntax::ast::{
    Expr, InsertSource, JoinCondition, Query, QueryBody, Select, SelectItem, Statement, TableName, TableRef,
};

/// Faults that are found once the tables are open: of names, of numbers of columns, of types that do not go together, of
/// views that nothing can be written to.
const LATER: &[u16] = &[
    error::ER_NON_UNIQ_ERROR,
    error::ER_BAD_FIELD_ERROR,
    error::ER_WRONG_FIELD_WITH_GROUP,
    error::ER_DUP_FIELDNAME,
    error::ER_MIX_OF_GROUP_FUNC_AND_FIELDS,
    error::ER_NO_SUCH_TABLE,
    error::ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
    error::ER_OPERAND_COLUMNS,
    error::ER_ILLEGAL_REFERENCE,
    error::ER_CANT_AGGREGATE_2COLLATIONS,
    error::ER_CANT_AGGREGATE_3COLLATIONS,
    error::ER_CANT_AGGREGATE_NCOLLATIONS,
    error::ER_VIEW_INVALID,
    error::ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION,
    error::ER_FIELD_SPECIFIED_TWICE,
    error::ER_WRONG_VALUE_COUNT_ON_ROW,
    error::ER_NON_UPDATABLE_TABLE,
    error::ER_NONUPDATEABLE_COLUMN,
    error::ER_VIEW_MULTIUPDATE,
    error::ER_VIEW_DELETE_MERGE_VIEW,
    error::ER_NON_INSERTABLE_TABLE,
];

/// The tables that a statement names, as they are opened.
#[derive(Default)]
struct Named<'t> {
    tables: Vec<&'t TableName>,
    /// Common table expressions in reach.
    ctes: Vec<&'t str>,
}

impl State {
    /// What is wrong with a statement whose fault this is: that of the first table that can not be opened, if there is one.
    pub(super) fn fault_of_tables(&mut self, statement: &Statement, fault: SqlError) -> SqlError {
        self.fault_of(fault, |named| named.statement(statement))
    }

    /// As [`State::fault_of_tables`], of a query: a statement of its own, or what a table is filled with.
    pub(crate) fn fault_of_query(&mut self, query: &Query, fills: bool, fault: SqlError) -> SqlError {
        self.fault_of(fault, |named| {
            named.query(query);
            named.begin_with(first_of_body(&query.body).filter(|_| !fills));
        })
    }

    /// Whether a query reads a table or view of that name, and no common table expression.
    pub(crate) fn is_table_of(&self, query: &Query, database: &str, name: &str) -> bool {
        let mut named = Named::default();
        named.query(query);
        named.tables.iter().any(|table| {
            let own = table.database.as_ref().or(self.database.as_ref());
            own.is_some_and(|own| own == database) && table.name == name
        })
    }

    fn fault_of<'t>(&mut self, fault: SqlError, name: impl FnOnce(&mut Named<'t>)) -> SqlError {
        if !LATER.contains(&fault.errno) || !self.locked_tables.is_empty() {
            return fault;
        }
        let mut named = Named::default();
        name(&mut named);
        if named.tables.is_empty() {
            return fault;
        }
        let first = named.tables.into_iter().find_map(|table| self.unopened(table));
        first.unwrap_or(fault)
    }

    /// Why a table or view can not be opened.
    fn unopened(&mut self, table: &TableName) -> Option<SqlError> {
        let database = table.database.as_ref().or(self.database.as_ref())?.clone();
        let of_server = crate::catalog::mysql::has(&database, &table.name);
        if of_server || !matches!(crate::catalog::found(&database, &table.name), Ok(None)) {
            return None;
        }
        let catalog = self.engine.catalog();
        if self.temporary(&database, &table.name).is_some() || catalog.table(&database, &table.name).is_some()
        {
            return None;
        }
        let Some(view) = catalog.view(&database, &table.name) else {
            if let Some(sequence) = Sequence::named(&table.name) {
                return sequence.err();
            }
            return Some(SqlError::no_such_table(&database, &table.name));
        };
        let told = self.diagnostics.told();
        let raised = self.diagnostics.entries.len();
        let fault = view_opens(self, view).err()?;
        let cause = match self.diagnostics.entries.get(raised) {
            Some(cause) if fault.errno == ER_VIEW_INVALID => (cause.errno, cause.message.clone()),
            _ => (fault.errno, fault.message),
        };
        self.diagnostics.forget_since(told);
        if cause.0 != ER_NO_SUCH_TABLE {
            return None;
        }
        self.diagnostics.entries.clear();
        self.warn(Level::Error, cause.0, cause.1);
        Some(SqlError::view_invalid(&view.def().db, &view.def().name))
    }
}

impl<'t> Named<'t> {
    fn statement(&mut self, statement: &'t Statement) {
        match statement {
            Statement::Query(query) => {
                self.query(query);
                self.begin_with(first_of_body(&query.body));
            }
            Statement::Insert(insert) => {
                self.tables.push(&insert.table);
                match &insert.source {
                    InsertSource::Values(rows) => rows.iter().flatten().for_each(|e| self.expr(e)),
                    InsertSource::Query(query) => self.query(query),
                }
                insert.on_duplicate.iter().for_each(|assigned| self.expr(&assigned.value));
            }
            Statement::Update(update) => {
                update.tables.iter().for_each(|table| self.table(table));
                update.assignments.iter().for_each(|assigned| self.expr(&assigned.value));
                update.filter.iter().for_each(|filter| self.expr(filter));
                update.order_by.iter().for_each(|item| self.expr(&item.expr));
            }
            Statement::Delete(delete) => {
                delete.from.iter().for_each(|table| self.table(table));
                delete.filter.iter().for_each(|filter| self.expr(filter));
                delete.order_by.iter().for_each(|item| self.expr(&item.expr));
            }
            _ => {}
        }
    }

    /// The first table of the first FROM clause comes first.
    fn begin_with(&mut self, first: Option<&'t TableName>) {
        if let Some(first) = first
            && let Some(at) = self.tables.iter().position(|table| std::ptr::eq(*table, first))
        {
            self.tables[..=at].rotate_right(1);
        }
    }

    fn query(&mut self, query: &'t Query) {
        let known = self.ctes.len();
        if let Some(with) = &query.with {
            if with.recursive {
                self.ctes.extend(with.ctes.iter().map(|cte| &*cte.name));
            }
            for cte in &with.ctes {
                self.query(&cte.query);
                self.ctes.push(&cte.name);
            }
        }
        self.body(&query.body);
        query.order_by.iter().for_each(|item| self.expr(&item.expr));
        self.ctes.truncate(known);
    }

    fn body(&mut self, body: &'t QueryBody) {
        match body {
            QueryBody::Select(select) => self.select(select),
            QueryBody::Values(rows) => rows.iter().flatten().for_each(|e| self.expr(e)),
            QueryBody::SetOps { first, rest } => {
                self.body(first);
                rest.iter().for_each(|operation| self.body(&operation.body));
            }
            QueryBody::Nested(query) => self.query(query),
        }
    }

    fn select(&mut self, select: &'t Select) {
        for item in &select.items {
            if let SelectItem::Expr { expr, .. } = item {
                self.expr(expr);
            }
        }
        select.from.iter().for_each(|table| self.table(table));
        select.filter.iter().for_each(|filter| self.expr(filter));
        select.group_by.iter().for_each(|item| self.expr(&item.expr));
        select.having.iter().for_each(|having| self.expr(having));
    }

    fn table(&mut self, table: &'t TableRef) {
        match table {
            TableRef::Table(factor) => {
                let name = &factor.name;
                let is_cte = |cte: &&str| types::table::same_name(cte, &name.name);
                if name.database.is_some() || !self.ctes.iter().any(is_cte) {
                    self.tables.push(name);
                }
            }
            TableRef::Derived { query, .. } => self.query(query),
            TableRef::JsonTable(_) => {}
            TableRef::Join(join) => {
                self.table(&join.left);
                self.table(&join.right);
                if let JoinCondition::On(condition) = &join.condition {
                    self.expr(condition);
                }
            }
        }
    }

    fn expr(&mut self, e: &'t Expr) {
        e.below(&mut |below| match below {
            Below::Expr(e) => self.expr(e),
            Below::Query(query) => self.query(query),
        });
    }
}

/// The table that the first FROM clause of a query begins with.
fn first_of_body(body: &QueryBody) -> Option<&TableName> {
    match body {
        QueryBody::Select(select) => {
            let mut table = select.from.first()?;
            loop {
                match table {
                    TableRef::Table(factor) => return Some(&factor.name),
                    TableRef::Join(join) => table = &join.left,
                    TableRef::Derived { .. } | TableRef::JsonTable(_) => return None,
                }
            }
        }
        QueryBody::SetOps { first, .. } => first_of_body(first),
        QueryBody::Nested(query) => first_of_body(&query.body),
        QueryBody::Values(_) => None,
    }
}
