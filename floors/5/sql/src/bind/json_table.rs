//! Binding JSON_TABLE.

use super::scope::Visible;
use super::view::Called;
use super::{Binder, Clause, Scope};
use crate::admin::{column_of_type, is_json};
use crate::error::SqlError;
use crate::expr::build;
use crate::expr::func::documents::{Step, path};
use crate::plan::json_table::{Fallback, JsonColumn, JsonTable, JsonValue};
use crate::plan::{Join, OutputColumn, Source};
use crate::syntax::ast::{self, JsonFallback};
use types::{ColumnDef, ColumnType, IntSize};

impl Binder<'_> {
    /// Binds a JSON_TABLE; its document sees the tables before it.
    pub(super) fn json_table(
        &mut self,
        table: &ast::JsonTable,
        scope: &mut Scope<'_>,
    ) -> Result<(Join, Vec<Visible>), SqlError> {
        if self.trace.is_some() {
            return Err(SqlError::not_supported_yet("JSON_TABLE in a view"));
        }
        let document = self.scalar(&table.expr, scope, Clause::JsonTable)?;
        let mut defs = Vec::new();
        let columns = self.json_columns(&table.columns, &mut defs)?;
        let output: Vec<OutputColumn> = defs
            .iter()
            .map(|def| OutputColumn { name: def.name.clone(), ty: build::column_type(def), origin: None })
            .collect();
        let source = Source::Json(Box::new(JsonTable {
            document,
            path: steps(&table.path)?,
            columns,
            width: defs.len(),
            alias: table.alias.clone(),
        }));
        let called = Called { alias: &table.alias, database: None, view: None, guard: None, columns: &[] };
        self.derived(source, &output, &called, false, scope)
    }

    fn json_columns(
        &mut self,
        columns: &[ast::JsonColumn],
        defs: &mut Vec<ColumnDef>,
    ) -> Result<Vec<JsonColumn>, SqlError> {
        let mut bound = Vec::with_capacity(columns.len());
        for column in columns {
            bound.push(match column {
                ast::JsonColumn::Ordinality(name) => {
                    let integer = types::IntegerType::new(IntSize::Normal, false);
                    defs.push(ColumnDef::new(name, ColumnType::Integer(integer), true));
                    JsonColumn::Ordinality(defs.len() - 1)
                }
                ast::JsonColumn::Path { name, ty, path, exists, on_empty, on_error } => {
                    let def = column_of_type(name, ty, self.state.vars.collation_connection, self.state)?;
                    let value = JsonValue { at: defs.len(), path: steps(path)?, def: def.clone() };
                    defs.push(def);
                    match exists {
                        true => JsonColumn::Exists(value),
                        false => JsonColumn::Value {
                            value,
                            json: is_json(ty),
                            on_empty: fallback(on_empty),
                            on_error: fallback(on_error),
                        },
                    }
                }
                ast::JsonColumn::Nested { path, columns } => {
                    JsonColumn::Nested { path: steps(path)?, columns: self.json_columns(columns, defs)? }
                }
            });
        }
        Ok(bound)
    }
}

fn steps(written: &[u8]) -> Result<Vec<Step>, SqlError> {
    path(&String::from_utf8_lossy(written), 2, "JSON_TABLE")
}

fn fallback(written: &JsonFallback) -> Fallback {
    match written {
        JsonFallback::Null => Fallback::Null,
        JsonFallback::Error => Fallback::Error,
        JsonFallback::Default(text) => Fallback::Default(String::from_utf8_lossy(text).into_owned()),
    }
}
