//! `ROWNUM()`: the number that a row has among those of its block that WHERE lets through, from 1.
//!
//! It is a place in the block's row ([`crate::plan::row_number`]).

use super::{Binder, Scope};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot, build};

impl Binder<'_> {
    /// The number of the block's row; outside of a block, that of the row that a statement stores.
    pub(super) fn row_number(&mut self, words: &str, scope: &Scope<'_>) -> Result<Expr, SqlError> {
        let call = build::function("rownum", Vec::new(), words, self.state)?;
        if !scope.numbers_rows {
            return Ok(call);
        }
        let index = scope.row_number.get().unwrap_or_else(|| scope.reserve(1));
        scope.row_number.set(Some(index));
        scope.note_reach(scope.level);
        let number = Expr { kind: Kind::Column(Slot { level: scope.level, index }), ty: call.ty };
        scope.mark_used(&number);
        Ok(number)
    }
}
