//! Which statement is it.

use super::*;

impl<'a> Parser<'a> {
    /// One statement.
    pub(super) fn statement(&mut self) -> SqlResult<Statement> {
        let Tok::Kw(kw) = self.tok.tok else {
            return if self.at_char(b'(') { self.query_statement() } else { Err(self.unexpected()) };
        };
        match kw {
            Kw::SELECT | Kw::WITH | Kw::VALUES => self.query_statement(),
            Kw::INSERT | Kw::REPLACE => self.insert(),
            Kw::UPDATE => self.update(),
            Kw::DELETE => self.delete(),
            Kw::SET => self.set(),
            Kw::SHOW => self.show(),
            Kw::BEGIN => self.begin(),
            Kw::COMMIT => {
                self.bump();
                Ok(Statement::Commit(self.completion()?))
            }
            Kw::ROLLBACK => self.rollback(),
            Kw::START => {
                self.bump();
                if self.eat(Kw::TRANSACTION) {
                    self.start_transaction()
                } else {
                    self.start_stop_replica(true)
                }
            }
            Kw::STOP => {
                self.bump();
                self.start_stop_replica(false)
            }
            Kw::SAVEPOINT => {
                self.bump();
                Ok(Statement::Savepoint(self.name()?))
            }
            Kw::RELEASE => {
                self.expect_all(&[Kw::RELEASE, Kw::SAVEPOINT])?;
                Ok(Statement::ReleaseSavepoint(self.name()?))
            }
            Kw::USE => {
                self.bump();
                Ok(Statement::Use(self.database_name()?))
            }
            Kw::CREATE => self.create(),
            Kw::ALTER => self.alter(),
            Kw::DROP => self.drop(),
            Kw::RENAME => self.rename(),
            Kw::TRUNCATE => self.truncate(),
            Kw::EXPLAIN | Kw::DESCRIBE | Kw::DESC => self.explain(),
            Kw::ANALYZE => self.analyze(),
            Kw::PREPARE => self.prepare(),
            Kw::EXECUTE => self.execute(),
            Kw::DEALLOCATE => {
                self.expect_all(&[Kw::DEALLOCATE, Kw::PREPARE])?;
                Ok(Statement::Deallocate(self.name()?))
            }
            Kw::LOCK => self.lock(),
            Kw::UNLOCK => self.unlock(),
            Kw::DO => {
                self.bump();
                Ok(Statement::Do(self.list(|p| p.expr())?))
            }
            Kw::CALL => self.call_procedure(),
            Kw::LOAD => self.load(),
            _ => self.rare_statement(kw),
        }
    }

    /// Statements of administrators.
    fn rare_statement(&mut self, kw: Kw) -> SqlResult<Statement> {
        match kw {
            Kw::CHECK => self.maintenance(MaintenanceKind::Check),
            Kw::CHECKSUM => self.maintenance(MaintenanceKind::Checksum),
            Kw::OPTIMIZE => self.maintenance(MaintenanceKind::Optimize),
            Kw::REPAIR => self.maintenance(MaintenanceKind::Repair),
            Kw::FLUSH => self.flush(),
            Kw::RESET => self.reset(),
            Kw::KILL => self.kill(),
            Kw::PURGE => self.purge(),
            Kw::XA => self.xa(),
            Kw::GRANT => self.grant(false),
            Kw::REVOKE => self.grant(true),
            Kw::BACKUP => self.backup(),
            Kw::CHANGE => self.change_master(),
            Kw::SHUTDOWN => {
                self.bump();
                let wait_for_replicas = self.eat(Kw::WAIT);
                if wait_for_replicas {
                    self.expect_all(&[Kw::FOR, Kw::ALL])?;
                    if !self.eat(Kw::SLAVES) {
                        self.expect(Kw::REPLICAS)?;
                    }
                }
                Ok(Statement::Shutdown { wait_for_replicas })
            }
            Kw::HELP => {
                self.bump();
                Ok(Statement::Help(self.name_or_string()?))
            }
            Kw::HANDLER => self.unsupported("HANDLER"),
            Kw::INSTALL => self.unsupported("INSTALL"),
            Kw::UNINSTALL => self.unsupported("UNINSTALL"),
            Kw::BINLOG => self.unsupported("BINLOG"),
            Kw::CACHE => self.unsupported("CACHE INDEX"),
            Kw::SIGNAL => self.unsupported("SIGNAL"),
            Kw::RESIGNAL => self.unsupported("RESIGNAL"),
            Kw::GET => self.unsupported("GET DIAGNOSTICS"),
            Kw::IF | Kw::CASE | Kw::LOOP | Kw::REPEAT | Kw::WHILE | Kw::FOR => {
                self.unsupported("compound statements")
            }
            _ => Err(self.unexpected()),
        }
    }

    fn query_statement(&mut self) -> SqlResult<Statement> {
        let query = self.query_expression()?;
        Ok(Statement::Query(Box::new(query)))
    }

    fn call_procedure(&mut self) -> SqlResult<Statement> {
        self.bump();
        let TableName { database, name } = self.qualified_name()?;
        if super::is_long(&name) {
            return Err(SqlError::too_long_ident(name));
        }
        let args = if self.at_char(b'(') { self.call_args()? } else { Vec::new() };
        Ok(Statement::Call { database, name, args })
    }

    fn load(&mut self) -> SqlResult<Statement> {
        if self.peek() == Tok::Kw(Kw::INDEX) {
            return self.unsupported("LOAD INDEX INTO CACHE");
        }
        self.load_data()
    }
}
