//! Dynamic columns as MariaDB writes their calls back.

use super::cast::target;
use super::{Binding, print};
use crate::syntax::ast::{self, CastType, DynamicColumn};

/// COLUMN_CREATE, COLUMN_ADD.
pub(super) fn write_made(document: Option<&ast::Expr>, columns: &[DynamicColumn], out: &mut String) {
    out.push_str(if document.is_some() { "column_add(" } else { "column_create(" });
    let mut first = true;
    let mut separate = |out: &mut String| {
        if !std::mem::take(&mut first) {
            out.push(',');
        }
    };
    if let Some(document) = document {
        separate(out);
        print(document, Binding::Lowest, out);
    }
    for column in columns {
        separate(out);
        print(&column.key, Binding::Lowest, out);
        out.push(',');
        print(&column.value, Binding::Lowest, out);
        if let Some(ty) = &column.ty {
            out.push_str(" AS ");
            out.push_str(&made_as(ty));
        }
    }
    out.push(')');
}

/// COLUMN_GET.
pub(super) fn write_get(document: &ast::Expr, key: &ast::Expr, ty: &CastType, out: &mut String) {
    out.push_str("column_get(");
    print(document, Binding::Lowest, out);
    out.push(',');
    print(key, Binding::Lowest, out);
    out.push_str(" as ");
    out.push_str(&target(ty));
    out.push(')');
}

/// The type of a new column: no lengths are kept.
fn made_as(ty: &CastType) -> String {
    match ty {
        CastType::Signed => "int".into(),
        CastType::Unsigned => "unsigned int".into(),
        CastType::Decimal { .. } => "decimal".into(),
        CastType::Date => "date".into(),
        CastType::Time(_) => "time".into(),
        CastType::DateTime(_) => "datetime".into(),
        CastType::Char { charset, .. } => {
            let set = charset.charset.as_deref().unwrap_or("utf8mb4").to_lowercase();
            let default =
                types::Charset::by_name(&set).map_or("", |set| set.default_collation().collation().name);
            let collation = charset.collation.as_deref().unwrap_or(default).to_lowercase();
            format!("char charset {set} collate {collation} ")
        }
        _ => "double".into(),
    }
}
