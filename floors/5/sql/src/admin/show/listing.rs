//! A table of values that is all there, with the filter of SHOW and the way to the client.

use crate::bind::scope::{ScopeColumn, ScopeTable, Visible};
use crate::bind::{Binder, Clause, Scope, stored_columns};
use crate::catalog::{self, INFORMATION_SCHEMA, Wanted, define};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::output::Output;
use crate::plan::OutputColumn;
use crate::session::{Ended, Running, Session, State};
use crate::syntax::ast::ShowFilter;
use types::{CollationId, TableDef, Value};

/// Rows with their columns.
pub struct Listing {
    table: TableDef,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// The column that LIKE looks at.
    like: usize,
    /// The columns are no table's.
    pub computed: bool,
}

impl Listing {
    /// Columns in the short form of [`define`], no rows yet.
    pub fn new(columns: &str) -> Self {
        Self {
            table: define::table((INFORMATION_SCHEMA, ""), columns),
            rows: Vec::new(),
            like: 0,
            computed: false,
        }
    }

    /// Chooses the column that LIKE looks at.
    pub fn like_on(mut self, column: usize) -> Self {
        self.like = column;
        self
    }

    /// Gives a column another name.
    pub fn rename(mut self, column: usize, name: impl Into<String>) -> Self {
        if let Some(column) = self.table.columns.get_mut(column) {
            column.name = name.into();
        }
        self
    }

    /// The named columns of a virtual table's rows that `keep` keeps.
    pub fn of_virtual(
        state: &mut State,
        columns: &str,
        table: &str,
        sources: &[&str],
        wanted: Wanted,
        keep: impl Fn(&[Value]) -> bool,
    ) -> Result<Self, SqlError> {
        let mut listing = Self::new(columns);
        let table = catalog::virtual_table(table).ok_or_else(|| SqlError::internal_error("find table"))?;
        let definition = table.definition();
        let places: Vec<usize> = sources.iter().filter_map(|name| definition.column_index(name)).collect();
        let mut cx = Cx::new(state, &[]);
        cx.wanted = wanted;
        for row in table.read(&mut cx)? {
            if keep(&row) {
                listing.rows.push(places.iter().map(|&place| row[place].clone()).collect());
            }
        }
        Ok(listing)
    }

    /// Sends the rows that the filter lets through.
    pub fn send(
        mut self,
        session: &mut Session,
        filter: Option<&ShowFilter>,
        running: &Running<'_>,
        out: &mut dyn Output,
    ) -> Result<(), Ended> {
        match filter {
            None => {}
            Some(ShowFilter::Like(pattern)) => {
                let collation = CollationId::UTF8MB3_GENERAL_CI.collation();
                let like = self.like;
                self.rows.retain(|row| match row.get(like) {
                    Some(Value::Str(s)) => collation.like(&s.bytes, pattern, Some(u32::from(b'\\'))),
                    _ => false,
                });
            }
            Some(ShowFilter::Where(condition)) => self.filter(&mut session.state, condition, running)?,
        }
        let column = |column: ScopeColumn| OutputColumn {
            name: column.name,
            ty: column.expr.ty,
            origin: (!self.computed).then_some(column.origin),
        };
        let columns: Vec<OutputColumn> =
            stored_columns(&self.table, "", 0, 0).into_iter().map(column).collect();
        if !self.computed {
            session.state.found_rows = self.rows.len() as u64;
        }
        let columns = session.state.describe(&columns);
        session.send_rows(&columns, self.rows, running, out)
    }

    fn filter(
        &mut self,
        state: &mut State,
        condition: &crate::syntax::ast::Expr,
        running: &Running<'_>,
    ) -> Result<(), SqlError> {
        let mut scope = Scope::new(None, 0);
        let width = self.table.columns.len();
        scope.reserve(width);
        let columns = stored_columns(&self.table, "", 0, 0);
        scope.visible = columns.iter().map(Visible::of).collect();
        let slots = 0..width as u32;
        scope.tables.push(ScopeTable { alias: String::new(), database: None, columns, slots });
        let bound =
            Binder::new(state, running.text, running.params).scalar(condition, &scope, Clause::Where)?;
        let mut cx = Cx::new(state, running.params);
        let mut kept = Vec::new();
        for row in self.rows.drain(..) {
            cx.frame_mut(0, width)[..row.len()].clone_from_slice(&row);
            if bound.truth(&mut cx)? == Some(true) {
                kept.push(row);
            }
        }
        self.rows = kept;
        Ok(())
    }
}
