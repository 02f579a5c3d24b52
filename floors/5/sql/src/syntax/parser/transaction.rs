//! Transactions, XA, LOCK TABLES.

use super::*;

impl<'a> Parser<'a> {
    /// `BEGIN [WORK]`.
    pub(super) fn begin(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.eat(Kw::NOT) {
            return self.unsupported("BEGIN NOT ATOMIC");
        }
        self.eat(Kw::WORK);
        Ok(Statement::Begin(Begin::default()))
    }

    /// Behind `START TRANSACTION`.
    pub(super) fn start_transaction(&mut self) -> SqlResult<Statement> {
        let mut begin = Begin::default();
        if !self.at_end() {
            self.list(|p| {
                if p.eat(Kw::WITH) {
                    p.expect_all(&[Kw::CONSISTENT, Kw::SNAPSHOT])?;
                    begin.consistent_snapshot = true;
                    return Ok(());
                }
                p.expect(Kw::READ)?;
                let read_only = p.eat(Kw::ONLY);
                if !read_only {
                    p.expect(Kw::WRITE)?;
                }
                if begin.read_only.is_some_and(|before| before != read_only) {
                    return Err(p.unexpected());
                }
                begin.read_only = Some(read_only);
                Ok(())
            })?;
        }
        Ok(Statement::Begin(begin))
    }

    /// `[WORK] [AND [NO] CHAIN] [[NO] RELEASE]`.
    pub(super) fn completion(&mut self) -> SqlResult<Completion> {
        self.eat(Kw::WORK);
        let mut completion = Completion::default();
        if self.eat(Kw::AND) {
            let no = self.eat(Kw::NO);
            self.expect(Kw::CHAIN)?;
            completion.chain = Some(!no);
        }
        if self.at(Kw::RELEASE) || (self.at(Kw::NO) && self.peek() == Tok::Kw(Kw::RELEASE)) {
            let no = self.eat(Kw::NO);
            let token = self.bump();
            completion.release = Some(!no);
            if completion.chain == Some(true) && !no {
                return Err(self.unexpected_at(token.span));
            }
        }
        Ok(completion)
    }

    /// `ROLLBACK ...`.
    pub(super) fn rollback(&mut self) -> SqlResult<Statement> {
        self.bump();
        self.eat(Kw::WORK);
        if self.eat(Kw::TO) {
            self.eat(Kw::SAVEPOINT);
            return Ok(Statement::RollbackTo(self.name()?));
        }
        Ok(Statement::Rollback(self.completion()?))
    }

    /// `LOCK TABLES ...`.
    pub(super) fn lock(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.at_word("instance") {
            return self.unsupported("LOCK INSTANCE FOR BACKUP");
        }
        if self.at(Kw::BINLOG) {
            return self.unsupported("LOCK BINLOG FOR BACKUP");
        }
        if !self.eat(Kw::TABLES) {
            self.expect(Kw::TABLE)?;
        }
        if self.at(Kw::FOR) {
            return self.unsupported("LOCK TABLES FOR BACKUP");
        }
        let tables = self.list(|p| {
            let name = p.table_name()?;
            let alias =
                if p.at_any(&[Kw::READ, Kw::WRITE, Kw::LOW_PRIORITY]) { None } else { p.table_alias()? };
            let low_priority = p.eat(Kw::LOW_PRIORITY);
            let write = low_priority || !p.at(Kw::READ);
            p.expect(if write { Kw::WRITE } else { Kw::READ })?;
            let local = if write { p.eat(Kw::CONCURRENT) } else { p.eat(Kw::LOCAL) };
            Ok(LockTable { name, alias, write, local })
        })?;
        Ok(Statement::LockTables(LockTables { tables, wait: self.table_wait()? }))
    }

    /// `UNLOCK TABLES`.
    pub(super) fn unlock(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.at_word("instance") || self.at(Kw::BINLOG) {
            return self.unsupported("UNLOCK INSTANCE");
        }
        if !self.eat(Kw::TABLES) {
            self.expect(Kw::TABLE)?;
        }
        Ok(Statement::UnlockTables)
    }

    /// `XA ...`.
    pub(super) fn xa(&mut self) -> SqlResult<Statement> {
        self.bump();
        let token = self.tok;
        self.bump();
        let xa = match token.tok {
            Tok::Kw(Kw::START | Kw::BEGIN) => {
                let xid = self.xid()?;
                let join = self.eat(Kw::JOIN);
                Xa::Start { xid, join, resume: !join && self.eat(Kw::RESUME) }
            }
            Tok::Kw(Kw::END) => {
                let xid = self.xid()?;
                let suspend = self.eat(Kw::SUSPEND);
                let for_migrate = suspend && self.eat(Kw::FOR);
                if for_migrate {
                    self.expect(Kw::MIGRATE)?;
                }
                Xa::End { xid, suspend, for_migrate }
            }
            Tok::Kw(Kw::PREPARE) => Xa::Prepare(self.xid()?),
            Tok::Kw(Kw::COMMIT) => {
                let xid = self.xid()?;
                let one_phase = self.eat(Kw::ONE);
                if one_phase {
                    self.expect(Kw::PHASE)?;
                }
                Xa::Commit { xid, one_phase }
            }
            Tok::Kw(Kw::ROLLBACK) => Xa::Rollback(self.xid()?),
            Tok::Kw(Kw::RECOVER) => {
                let convert = self.eat(Kw::CONVERT) || self.at(Kw::FORMAT);
                if self.eat(Kw::FORMAT) {
                    self.expect_char(b'=')?;
                    self.string()?;
                } else if convert {
                    self.expect_word("xid")?;
                }
                Xa::Recover { convert }
            }
            _ => return Err(self.unexpected_at(token.span)),
        };
        Ok(Statement::Xa(xa))
    }

    /// `'gtrid'[, 'bqual'[, format]]`.
    fn xid(&mut self) -> SqlResult<Xid> {
        let mut xid = Xid { gtrid: self.string_bytes()?, bqual: Vec::new(), format: 1 };
        if self.eat_char(b',') {
            xid.bqual = self.string_bytes()?;
            if self.eat_char(b',') {
                let start = self.tok.span;
                xid.format = u32::try_from(self.unsigned()?).map_err(|_| self.unexpected_at(start))?;
            }
        }
        if xid.gtrid.len() > 64 || xid.bqual.len() > 64 {
            return Err(self.unexpected());
        }
        Ok(xid)
    }
}
