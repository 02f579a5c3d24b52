//! Dynamic columns.

use super::Binder;
use super::Clause;
use super::scope::Scope;
use crate::error::SqlError;
use crate::expr::func::dynamic::{NewColumn, build_made};
use crate::expr::{Expr, build};
use crate::syntax::ast::{self, CastType, DynamicColumn, ExprKind};

impl Binder<'_> {
    /// COLUMN_CREATE, COLUMN_ADD and COLUMN_DELETE.
    pub(super) fn make_columns(
        &mut self,
        document: Option<&ast::Expr>,
        columns: &[DynamicColumn],
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let document = document.map(|e| self.scalar(e, scope, clause)).transpose()?;
        let mut bound = Vec::with_capacity(columns.len());
        for column in columns {
            bound.push(NewColumn {
                key: self.scalar(&column.key, scope, clause)?,
                value: self.scalar(&column.value, scope, clause)?,
                ty: column.ty.as_ref(),
                nested: matches!(column.value.kind, ExprKind::MakeColumns { .. }),
            });
        }
        // What kind a parameter is was not known when the statement was prepared: it is a name.
        let named = columns.iter().any(|column| matches!(column.key.kind, ExprKind::Param(_)));
        build_made(document, bound, named, self.state)
    }

    /// COLUMN_GET of a document and a key.
    pub(super) fn get_column(
        &mut self,
        [document, key]: [&ast::Expr; 2],
        ty: &CastType,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let (document, key) = (self.scalar(document, scope, clause)?, self.scalar(key, scope, clause)?);
        build::get_column(document, key, ty, self.state)
    }
}
