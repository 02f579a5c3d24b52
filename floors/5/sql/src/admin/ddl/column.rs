//! A column as written becomes a column definition.

use super::draft::{Draft, DraftColumn, DraftKey, DraftPart};
use super::{allowed, data_type, default, names};
use crate::bind::Clause;
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast::{self, ColumnKey, ColumnSpec, DataType};
use types::{CollationId, ColumnDef, ColumnType, Generated, IndexKind};

pub(super) const MAX_COMMENT: usize = 1024;

/// A new column of a table whose collation is `inherited`.
pub fn of(
    spec: &ColumnSpec,
    inherited: CollationId,
    text: &[u8],
    state: &mut State,
) -> Result<DraftColumn, SqlError> {
    let name = &spec.name;
    names::column(name)?;
    let (ty, collation) = data_type::resolve(name, &spec.ty, inherited, state)?;
    let mut column = ColumnDef::new(name, ty, spec.nullable.unwrap_or(true));
    column.collation = collation;
    column.auto_increment = spec.auto_increment || spec.serial;
    column.invisible = spec.invisible;
    if column.auto_increment {
        let counts =
            matches!(column.ty, ColumnType::Integer(_) | ColumnType::Float(_) | ColumnType::Double(_));
        if !counts {
            return Err(SqlError::wrong_field_spec(name));
        }
        column.nullable = false;
    }
    if let Some(comment) = &spec.comment {
        let error = SqlError::too_long_field_comment(name, MAX_COMMENT);
        column.comment = names::comment(comment, MAX_COMMENT, error, state)?;
    }
    if let Some(generated) = &spec.generated {
        let expression = allowed::text(Clause::Generated, name, &generated.expr)?;
        column.generated = Some(Generated { expression, stored: generated.stored });
        column.nullable = spec.nullable.unwrap_or(true);
    }
    column.check = match &spec.check {
        Some(check) => Some(allowed::text(Clause::Check, name, check)?),
        None if matches!(spec.ty, DataType::Json) => {
            Some(format!("json_valid({})", names::quoted_name(name)))
        }
        None => None,
    };
    let mut literal = None;
    // NULL is no default of a key, and none at all of what counts.
    let asked =
        ColumnDef { nullable: column.nullable && spec.key != Some(ColumnKey::Primary), ..column.clone() };
    let said = spec.default.as_ref().filter(|expr| !(column.auto_increment && default::is_null(expr)));
    match said.map(|expr| default::of(expr, &asked, text, state)).transpose()? {
        Some(default::Said::Default(default)) => column.default = default,
        Some(default::Said::Literal(value)) => literal = Some(value),
        None => {}
    }
    if let Some(expr) = &spec.on_update {
        column.on_update_now = default::on_update(expr, &column)?;
    }
    Ok(DraftColumn { def: column, from: None, default: literal })
}

/// What is wrong with a column before anybody looks whether it is there: what is no default of it, does not count, or has
/// no time to be updated to.
pub fn check_written(spec: &ColumnSpec, text: &[u8], state: &mut State) -> Result<(), SqlError> {
    let told = state.diagnostics.told();
    match of(spec, CollationId::UTF8MB4_GENERAL_CI, text, state) {
        Err(error) if matches!(error.errno, 1063 | 1067 | 1294) => Err(error),
        _ => {
            // The rest is told where the column is made.
            state.diagnostics.forget_since(told);
            Ok(())
        }
    }
}

/// Adds the keys that are said on the column itself.
pub fn add_keys(spec: &ColumnSpec, draft: &mut Draft) -> Result<(), SqlError> {
    let unique = spec.serial || spec.key == Some(ColumnKey::Unique);
    let primary = spec.key == Some(ColumnKey::Primary);
    for kind in [(primary, IndexKind::Primary), (unique, IndexKind::Unique)] {
        let (true, kind) = kind else { continue };
        draft.keys.push(DraftKey {
            name: (kind == IndexKind::Primary).then(|| "PRIMARY".to_owned()),
            kind,
            parts: vec![DraftPart { column: spec.name.clone(), length: None, desc: false }],
            comment: String::new(),
            options: types::IndexOptions::default(),
            old: false,
        });
    }
    if let Some((constraint, references)) = spec.references.as_deref() {
        draft.add_foreign_key(&ast::ForeignKeySpec {
            constraint: constraint.clone(),
            index: None,
            if_not_exists: false,
            columns: vec![spec.name.clone()],
            references: references.clone(),
        })?;
    }
    Ok(())
}
