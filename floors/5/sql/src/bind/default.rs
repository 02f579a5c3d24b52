//! `DEFAULT(column)`.

use super::scope::{Origin, ScopeTable};
use super::{Binder, Clause, Scope};
use crate::admin::column_of;
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Named, Type, store};
use crate::output::flag;
use crate::syntax::ast::rewrite::{Rewrite, walk_expr};
use crate::syntax::ast::{self, ExprKind, Span};
use std::borrow::Cow;
use std::sync::Arc;
use types::{ColumnDef, DefaultValue, Value};

impl Binder<'_> {
    /// `DEFAULT(column)`.
    pub(super) fn default_of(
        &mut self,
        column: &ast::ColumnRef,
        span: Span,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let bound =
            scope.resolve(column.database.as_deref(), column.table.as_deref(), &column.column, clause)?;
        self.trace_column(span, &bound, &column.column, scope);
        let Kind::Column(slot) = bound.kind else {
            return Err(SqlError::no_default_for_field(&column.column));
        };
        let origin = scope.origin_of(slot).unwrap_or_default();
        if let Some(temporary) = origin.temporary {
            if origin.flags & flag::NO_DEFAULT != 0 {
                return Err(SqlError::no_default_for_field(&column.column));
            }
            // What is computed there has the default that a column of its type has without one.
            if origin.to_base().is_none() {
                let ty = Type { nullable: temporary.nullable, ..bound.ty.clone() };
                let value = store::implicit_default(&column_of(&column.column, &ty));
                let value = if temporary.nullable { Value::Null } else { value };
                let origin = Named::Column(Arc::new(Origin { default: true, ..(*origin).clone() }));
                return Ok(Expr { kind: Kind::Const(value), ty: Type { origin, ..bound.ty } });
            }
        }
        let (database, table, name) =
            origin.to_base().ok_or_else(|| SqlError::no_default_for_field(&column.column))?;
        let table = self.open(&database, &table, self.mdl)?;
        let position = table.def().column_index(&name);
        let def = position
            .map(|i| &table.def().columns[i])
            .ok_or_else(|| SqlError::no_default_for_field(&column.column))?;
        let beside = match (&def.default, scope.column_at(slot)) {
            (DefaultValue::Expression(text), Some((source, _))) => Some((text, source)),
            _ => None,
        };
        let mut expr = match beside {
            Some((text, source)) => self.default_over(text, def, source, scope, clause)?,
            None => crate::exec::defaults::default_expr(self.state, def)?,
        };
        let origin = (*origin).clone();
        expr.ty.nullable = bound.ty.nullable;
        expr.ty.origin = Named::Column(Arc::new(Origin { default: true, ..origin }));
        Ok(expr)
    }

    /// A default expression over the row of the table that its column is found in: it may name others of it.
    fn default_over(
        &mut self,
        text: &str,
        column: &ColumnDef,
        source: &ScopeTable,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let mut default = crate::session::parse_kept(text)?;
        Beside(source).expr(&mut default);
        // Its places are those of another text.
        let trace = self.trace.take();
        let around = std::mem::replace(&mut self.text, Cow::Owned(format!("DO {text}").into_bytes()));
        let bound = self.scalar(&default, scope, clause);
        self.text = around;
        self.trace = trace;
        Ok(crate::exec::defaults::as_stored(bound?, column))
    }
}

/// Gives the columns of an expression the name of their table.
struct Beside<'t>(&'t ScopeTable);

impl Rewrite for Beside<'_> {
    fn expr(&mut self, e: &mut ast::Expr) {
        match &mut e.kind {
            ExprKind::Column(column) => {
                column.database.clone_from(&self.0.database);
                column.table = Some(self.0.alias.clone());
            }
            _ => walk_expr(self, e),
        }
    }
}
