//! Calls of dynamic columns.

use super::*;

impl<'a> Parser<'a> {
    /// `COLUMN_CREATE(key, value [AS type], ...)`, `COLUMN_ADD(document, ...)`, `COLUMN_DELETE(document, key, ...)`.
    pub(super) fn make_columns(&mut self, name: &str) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let mut document = None;
        if name != "column_create" {
            document = Some(Box::new(self.expr()?));
            self.expect_char(b',')?;
        }
        let columns = self.list(|p| match name {
            "column_delete" => p.lost_column(),
            _ => p.new_column(),
        })?;
        self.expect_char(b')')?;
        Ok(ExprKind::MakeColumns { document, columns })
    }

    fn new_column(&mut self) -> SqlResult<DynamicColumn> {
        let key = self.expr()?;
        self.expect_char(b',')?;
        let value = self.expr()?;
        let ty = if self.eat(Kw::AS) { Some(self.column_type()?) } else { None };
        Ok(DynamicColumn { key, value, ty })
    }

    /// A column that is deleted becomes NULL.
    fn lost_column(&mut self) -> SqlResult<DynamicColumn> {
        let key = self.expr()?;
        let value = Expr { kind: ExprKind::Literal(Literal::Null), span: Span::default() };
        Ok(DynamicColumn { key, value, ty: Some(CastType::Signed) })
    }

    /// The types that a column may be made with: fewer than there are for CAST, and text without a length.
    fn column_type(&mut self) -> SqlResult<CastType> {
        let Tok::Kw(kw) = self.current() else { return Err(self.unexpected()) };
        match kw {
            Kw::INT | Kw::INTEGER | Kw::DOUBLE | Kw::FLOAT | Kw::DECIMAL => self.cast_type(),
            Kw::DATE | Kw::TIME | Kw::DATETIME => self.cast_type(),
            Kw::REAL => {
                self.bump();
                Ok(CastType::Double(None))
            }
            Kw::UNSIGNED => {
                self.bump();
                if !self.eat(Kw::INT) && !self.eat(Kw::INTEGER) {
                    return Err(self.unexpected());
                }
                Ok(CastType::Unsigned)
            }
            Kw::CHAR => {
                self.bump();
                Ok(CastType::Char { length: None, charset: self.charset_spec()? })
            }
            _ => Err(self.unexpected()),
        }
    }

    /// `COLUMN_GET(document, key AS type)`.
    pub(super) fn get_column(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let document = Box::new(self.expr()?);
        self.expect_char(b',')?;
        let key = Box::new(self.expr()?);
        self.expect(Kw::AS)?;
        let ty = self.cast_type()?;
        self.expect_char(b')')?;
        Ok(ExprKind::GetColumn { document, key, ty })
    }
}
