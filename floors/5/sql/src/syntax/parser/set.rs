//! SET in all its forms.

use super::*;

impl<'a> Parser<'a> {
    /// `SET ...`.
    pub(super) fn set(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.at(Kw::STATEMENT) && !matches!(self.peek(), Tok::Char(b'=') | Tok::Assign) {
            self.bump();
            let items = self.list(|p| {
                let name = p.name()?;
                p.set_equals()?;
                Ok(SetItem::Variable { scope: None, base: None, name, value: p.set_value()? })
            })?;
            self.expect(Kw::FOR)?;
            let statement = Box::new(self.nested(|p| p.statement())?);
            return Ok(Statement::SetStatement { items, statement });
        }
        let mut scope = None;
        let items = self.list(|p| p.set_item(&mut scope))?;
        Ok(Statement::Set(items))
    }

    /// A statement with the waits that `WAIT n` gave it, which SET STATEMENT can say as well.
    pub(super) fn waiting(&self, statement: Statement) -> Statement {
        let Some(seconds) = self.table_wait else { return statement };
        let item = |name: &str| SetItem::Variable {
            scope: None,
            base: None,
            name: name.to_owned(),
            value: Expr { kind: ExprKind::Literal(Literal::Int(seconds)), span: Span::default() },
        };
        let items = ["lock_wait_timeout", "innodb_lock_wait_timeout"].map(item).to_vec();
        Statement::SetStatement { items, statement: Box::new(statement) }
    }

    fn set_equals(&mut self) -> SqlResult<()> {
        if self.tok.tok == Tok::Assign {
            self.bump();
            return Ok(());
        }
        self.expect_char(b'=')
    }

    /// One assignment; a scope word holds for the assignments behind it too.
    fn set_item(&mut self, scope: &mut Option<VarScope>) -> SqlResult<SetItem> {
        let next = self.peek();
        let assigns = matches!(next, Tok::Char(b'=') | Tok::Assign);
        match self.current() {
            Tok::UserVar => {
                let name = self.named_user_variable()?;
                self.set_equals()?;
                return Ok(SetItem::UserVar { name, value: self.expr()? });
            }
            Tok::AtAt => return self.set_at_at(),
            Tok::Kw(Kw::NAMES) if !assigns => return self.set_names(),
            Tok::Kw(Kw::CHARACTER | Kw::CHARSET | Kw::CHAR) if !assigns && self.eat_charset_words() => {
                let name = self.charset_or_collation_name()?;
                return Ok(SetItem::CharacterSet(Some(name).filter(|n| n != "default")));
            }
            Tok::Kw(Kw::PASSWORD) if assigns || next == Tok::Kw(Kw::FOR) => return self.set_password(),
            Tok::Kw(Kw::ROLE) if !assigns => {
                self.bump();
                return Ok(SetItem::Role(self.role_or_none()?));
            }
            Tok::Kw(Kw::DEFAULT) if next == Tok::Kw(Kw::ROLE) => {
                self.bump();
                self.bump();
                let role = match self.at(Kw::CURRENT_ROLE) {
                    true => Some(self.account()?),
                    false => self.role_or_none()?,
                };
                let account = if self.eat(Kw::FOR) { Some(self.account()?) } else { None };
                return Ok(SetItem::DefaultRole { role, account });
            }
            _ => {}
        }
        if !assigns
            && next != Tok::Char(b'.')
            && let Some(found) = self.scope_word()
        {
            self.bump();
            *scope = Some(found);
        }
        if self.at(Kw::TRANSACTION) && matches!(self.peek(), Tok::Kw(Kw::ISOLATION | Kw::READ)) {
            return self.set_transaction(*scope);
        }
        let mut name = self.name()?;
        let mut base = None;
        if self.eat_char(b'.') {
            base = Some(std::mem::replace(&mut name, self.name_after_point()?));
        }
        self.set_equals()?;
        Ok(SetItem::Variable { scope: *scope, base, name, value: self.set_value()? })
    }

    /// `@@[scope.][base.]name = value`.
    fn set_at_at(&mut self) -> SqlResult<SetItem> {
        self.bump();
        let mut scope = None;
        if self.peek() == Tok::Char(b'.') {
            scope = self.scope_word();
        }
        if scope.is_some() {
            self.bump();
            self.bump();
        }
        let mut name = self.name()?;
        let mut base = None;
        if self.eat_char(b'.') {
            base = Some(std::mem::replace(&mut name, self.name_after_point()?));
        }
        self.set_equals()?;
        Ok(SetItem::Variable { scope, base, name, value: self.set_value()? })
    }

    /// A value: an expression, `DEFAULT`, or one of the words that are reserved elsewhere.
    fn set_value(&mut self) -> SqlResult<Expr> {
        let span = self.tok.span;
        let kind = match self.current() {
            Tok::Kw(Kw::DEFAULT) if self.peek() != Tok::Char(b'(') => {
                self.bump();
                ExprKind::Default
            }
            Tok::Kw(Kw::ON | Kw::ALL | Kw::BINARY | Kw::ROW) if self.value_ends_behind() => {
                ExprKind::Column(ColumnRef { column: self.take_name()?, ..ColumnRef::default() })
            }
            _ => return self.expr(),
        };
        Ok(Expr { kind, span })
    }

    /// Behind the next token an assignment ends.
    fn value_ends_behind(&mut self) -> bool {
        matches!(self.peek(), Tok::End | Tok::Char(b';' | b',') | Tok::Kw(Kw::FOR))
    }

    fn set_names(&mut self) -> SqlResult<SetItem> {
        self.bump();
        let charset = Some(self.charset_or_collation_name()?).filter(|n| n != "default");
        let collation = if self.eat(Kw::COLLATE) { Some(self.charset_or_collation_name()?) } else { None };
        Ok(SetItem::Names { charset, collation: collation.filter(|n| n != "default") })
    }

    fn set_password(&mut self) -> SqlResult<SetItem> {
        self.bump();
        let account = if self.eat(Kw::FOR) { Some(self.account()?) } else { None };
        self.set_equals()?;
        let auth = if self.tok.tok == Tok::Str {
            Auth::Hash(self.string_bytes()?)
        } else {
            if !self.eat(Kw::PASSWORD) {
                self.expect(Kw::OLD_PASSWORD)?;
            }
            self.expect_char(b'(')?;
            let text = self.string_bytes()?;
            self.expect_char(b')')?;
            Auth::Password(text)
        };
        Ok(SetItem::Password { account, auth })
    }

    fn role_or_none(&mut self) -> SqlResult<Option<Account>> {
        let user = self.role_name()?;
        let is_none = user.eq_ignore_ascii_case("none");
        Ok((!is_none).then_some(Account::Named { user, host: None }))
    }

    fn set_transaction(&mut self, scope: Option<VarScope>) -> SqlResult<SetItem> {
        self.bump();
        let (mut isolation, mut read_only) = (None, None);
        loop {
            if isolation.is_none() && self.eat(Kw::ISOLATION) {
                self.expect(Kw::LEVEL)?;
                isolation = Some(self.isolation_level()?);
            } else if read_only.is_none() && self.eat(Kw::READ) {
                read_only = Some(self.eat(Kw::ONLY));
                if read_only == Some(false) {
                    self.expect(Kw::WRITE)?;
                }
            } else {
                return Err(self.unexpected());
            }
            if isolation.is_some() && read_only.is_some() || !self.eat_char(b',') {
                return Ok(SetItem::Transaction { scope, isolation, read_only });
            }
        }
    }

    fn isolation_level(&mut self) -> SqlResult<IsolationLevel> {
        if self.eat(Kw::SERIALIZABLE) {
            return Ok(IsolationLevel::Serializable);
        }
        if self.eat(Kw::REPEATABLE) {
            self.expect(Kw::READ)?;
            return Ok(IsolationLevel::RepeatableRead);
        }
        self.expect(Kw::READ)?;
        if self.eat(Kw::COMMITTED) {
            return Ok(IsolationLevel::ReadCommitted);
        }
        self.expect(Kw::UNCOMMITTED)?;
        Ok(IsolationLevel::ReadUncommitted)
    }
}
