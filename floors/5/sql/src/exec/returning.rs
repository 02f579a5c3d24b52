//! What RETURNING gives of a row that was inserted, replaced or deleted.

use super::{Cx, reader};
use crate::bind::insert::Returning;
use crate::error::SqlError;
use crate::expr::Expr;
use engine::Table;
use types::Value;

/// What RETURNING says of a row.
pub fn returned(
    returning: &Returning,
    table: &Table,
    image: &[u8],
    cx: &mut Cx<'_>,
) -> Result<Vec<Value>, SqlError> {
    let width = table.def().columns.len();
    let (first, blank) = &returning.beside;
    let all: Vec<(usize, u32)> = (0..width).map(|i| (i, (first + i) as u32)).collect();
    if !blank.is_empty() {
        cx.frame_mut(0, blank.len()).clone_from_slice(blank);
    }
    reader::fill(table, image, &all, blank.len().max(width), 0, cx)?;
    returning.items.iter().map(|e: &Expr| e.eval(cx)).collect()
}
