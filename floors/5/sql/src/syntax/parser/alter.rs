//! ALTER TABLE.

use super::*;

impl<'a> Parser<'a> {
    /// Behind `ALTER [ONLINE] [IGNORE] TABLE`.
    pub(super) fn alter_table(&mut self, online: bool, ignore: bool) -> SqlResult<Statement> {
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        self.table_made = Some(name.clone());
        let wait = self.table_wait()?;
        // What the actions say of LOCK comes later and counts instead.
        let actions = if online { vec![AlterAction::Lock("none".to_owned())] } else { Vec::new() };
        let mut table = AlterTable { ignore, if_exists, name, wait, actions };
        while !self.at_end() {
            self.alter_action(&mut table.actions)?;
            if !self.eat_char(b',') {
                // options may follow each other without commas
                let Some(option) = self.table_option()? else { break };
                table.actions.push(AlterAction::Option(option));
                self.eat_char(b',');
            }
        }
        Ok(Statement::AlterTable(Box::new(table)))
    }

    fn alter_action(&mut self, actions: &mut Vec<AlterAction>) -> SqlResult<()> {
        let Tok::Kw(kw) = self.tok.tok else { return self.alter_option(actions) };
        let action = match kw {
            Kw::ADD => {
                self.bump();
                return self.alter_add(actions);
            }
            Kw::DROP => {
                self.bump();
                self.alter_drop()?
            }
            Kw::MODIFY => {
                self.bump();
                self.eat(Kw::COLUMN);
                let if_exists = self.if_exists()?;
                let column = Box::new(self.column_spec()?);
                AlterAction::ModifyColumn { if_exists, column, position: self.column_position()? }
            }
            Kw::CHANGE => {
                self.bump();
                self.eat(Kw::COLUMN);
                let if_exists = self.if_exists()?;
                let old = self.name()?;
                let column = Box::new(self.column_spec()?);
                AlterAction::ChangeColumn { if_exists, old, column, position: self.column_position()? }
            }
            Kw::ALTER => {
                self.bump();
                self.alter_alter()?
            }
            Kw::RENAME => {
                self.bump();
                self.alter_rename()?
            }
            Kw::CONVERT => {
                self.expect_all(&[Kw::CONVERT, Kw::TO])?;
                if self.at(Kw::PARTITION) || self.at(Kw::TABLE) {
                    return self.unsupported("PARTITION");
                }
                AlterAction::ConvertCharset(self.convert_charset()?)
            }
            Kw::ORDER => {
                self.expect_all(&[Kw::ORDER, Kw::BY])?;
                AlterAction::OrderBy(self.list(|p| {
                    let span = p.tok.span;
                    let kind = ExprKind::Column(p.column_ref()?);
                    let desc = !p.eat(Kw::ASC) && p.eat(Kw::DESC);
                    Ok(OrderItem { expr: Expr { kind, span }, desc })
                })?)
            }
            Kw::ENABLE | Kw::DISABLE => {
                self.bump();
                self.expect(Kw::KEYS)?;
                if kw == Kw::ENABLE { AlterAction::EnableKeys } else { AlterAction::DisableKeys }
            }
            Kw::DISCARD | Kw::IMPORT => {
                self.bump();
                self.expect(Kw::TABLESPACE)?;
                AlterAction::Tablespace { import: kw == Kw::IMPORT }
            }
            Kw::FORCE => {
                self.bump();
                AlterAction::Force
            }
            Kw::ALGORITHM | Kw::LOCK => {
                self.bump();
                self.manner(kw == Kw::LOCK)?
            }
            Kw::PARTITION | Kw::REORGANIZE | Kw::COALESCE | Kw::REMOVE | Kw::EXCHANGE | Kw::TRUNCATE => {
                return self.unsupported("PARTITION");
            }
            Kw::ANALYZE | Kw::CHECK | Kw::OPTIMIZE | Kw::REBUILD | Kw::REPAIR => {
                return self.unsupported("PARTITION");
            }
            _ => return self.alter_option(actions),
        };
        actions.push(action);
        Ok(())
    }

    fn alter_option(&mut self, actions: &mut Vec<AlterAction>) -> SqlResult<()> {
        let Some(option) = self.table_option()? else { return Err(self.unexpected()) };
        actions.push(AlterAction::Option(option));
        Ok(())
    }

    fn alter_add(&mut self, actions: &mut Vec<AlterAction>) -> SqlResult<()> {
        if self.at(Kw::PARTITION) {
            return self.unsupported("PARTITION");
        }
        if self.at(Kw::SYSTEM) || self.at(Kw::PERIOD) {
            return self.unsupported("SYSTEM VERSIONING");
        }
        match self.key_or_constraint()? {
            Some(TableElement::Index(index)) => actions.push(AlterAction::AddIndex(index)),
            Some(TableElement::ForeignKey(key)) => actions.push(AlterAction::AddForeignKey(key)),
            Some(TableElement::Check(check)) => actions.push(AlterAction::AddCheck(check)),
            _ => return self.add_columns(actions),
        }
        Ok(())
    }

    /// `[COLUMN] name type`, or several in parentheses.
    fn add_columns(&mut self, actions: &mut Vec<AlterAction>) -> SqlResult<()> {
        self.eat(Kw::COLUMN);
        let if_not_exists = self.if_not_exists()?;
        if self.at_char(b'(') {
            let columns = self.paren_list(|p| p.column_spec())?;
            actions.extend(columns.into_iter().map(|column| AlterAction::AddColumn {
                if_not_exists,
                column: Box::new(column),
                position: ColumnPosition::Default,
            }));
            return Ok(());
        }
        let column = Box::new(self.column_spec()?);
        let position = self.column_position()?;
        actions.push(AlterAction::AddColumn { if_not_exists, column, position });
        Ok(())
    }

    fn column_position(&mut self) -> SqlResult<ColumnPosition> {
        if self.eat(Kw::FIRST) {
            return Ok(ColumnPosition::First);
        }
        if self.eat(Kw::AFTER) {
            return Ok(ColumnPosition::After(self.name()?));
        }
        Ok(ColumnPosition::Default)
    }

    fn alter_drop(&mut self) -> SqlResult<AlterAction> {
        let action = match self.current() {
            Tok::Kw(Kw::PRIMARY) => {
                self.expect_all(&[Kw::PRIMARY, Kw::KEY])?;
                AlterAction::DropPrimaryKey
            }
            Tok::Kw(Kw::FOREIGN) => {
                self.expect_all(&[Kw::FOREIGN, Kw::KEY])?;
                let if_exists = self.if_exists()?;
                AlterAction::DropForeignKey { if_exists, name: self.name()? }
            }
            Tok::Kw(Kw::INDEX | Kw::KEY) => {
                self.bump();
                let if_exists = self.if_exists()?;
                AlterAction::DropIndex { if_exists, name: self.name()? }
            }
            Tok::Kw(Kw::CONSTRAINT | Kw::CHECK) => {
                let constraint = self.at(Kw::CONSTRAINT);
                self.bump();
                if constraint && self.at_any(&[Kw::PRIMARY, Kw::FOREIGN]) && self.peek() == Tok::Kw(Kw::KEY) {
                    return self.alter_drop();
                }
                let if_exists = self.if_exists()?;
                AlterAction::DropConstraint { if_exists, name: self.name()? }
            }
            Tok::Kw(Kw::PARTITION) => return self.unsupported("PARTITION"),
            Tok::Kw(Kw::SYSTEM | Kw::PERIOD) => return self.unsupported("SYSTEM VERSIONING"),
            _ => {
                self.eat(Kw::COLUMN);
                let if_exists = self.if_exists()?;
                let name = self.name()?;
                let _ = self.eat(Kw::RESTRICT) || self.eat(Kw::CASCADE);
                AlterAction::DropColumn { if_exists, name }
            }
        };
        Ok(action)
    }

    fn alter_alter(&mut self) -> SqlResult<AlterAction> {
        if self.at(Kw::INDEX) || self.at(Kw::KEY) {
            self.bump();
            self.if_exists()?;
            let name = self.name()?;
            let negated = self.eat(Kw::NOT);
            let visible = !negated && self.eat(Kw::VISIBLE);
            let ignored = !visible && (self.eat(Kw::IGNORED) || (!negated && self.eat(Kw::INVISIBLE)));
            if !visible && !ignored {
                return Err(self.unexpected());
            }
            return Ok(AlterAction::AlterIndexIgnored { name, ignored: !negated && !visible });
        }
        self.eat(Kw::COLUMN);
        let if_exists = self.if_exists()?;
        let column = self.name()?;
        if self.eat_two(Kw::DROP, Kw::DEFAULT) {
            return Ok(AlterAction::AlterDefault { if_exists, column, default: None });
        }
        self.expect_all(&[Kw::SET, Kw::DEFAULT])?;
        Ok(AlterAction::AlterDefault { if_exists, column, default: Some(self.default_value()?) })
    }

    fn alter_rename(&mut self) -> SqlResult<AlterAction> {
        if self.at(Kw::COLUMN) || self.at(Kw::INDEX) || self.at(Kw::KEY) {
            let column = self.bump().tok == Tok::Kw(Kw::COLUMN);
            let if_exists = self.if_exists()?;
            let old = self.name()?;
            self.expect(Kw::TO)?;
            let new = self.name()?;
            return Ok(match column {
                true => AlterAction::RenameColumn { if_exists, old, new },
                false => AlterAction::RenameIndex { if_exists, old, new },
            });
        }
        let _ = self.eat(Kw::TO) || self.eat(Kw::AS) || self.eat_char(b'=');
        Ok(AlterAction::RenameTo(self.table_name()?))
    }

    /// Behind `CONVERT TO`.
    fn convert_charset(&mut self) -> SqlResult<Vec<CharsetClause>> {
        if !self.eat_charset_words() {
            return Err(self.unexpected());
        }
        let mut clauses = vec![CharsetClause::Charset(self.charset_or_collation_name()?)];
        if self.eat(Kw::COLLATE) {
            clauses.push(CharsetClause::Collate(self.charset_or_collation_name()?));
        }
        Ok(clauses)
    }
}
