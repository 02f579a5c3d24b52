//! EXPLAIN, maintenance, FLUSH, KILL, prepared statements by text, replication commands.

use super::*;

impl<'a> Parser<'a> {
    /// `FORMAT = name` or nothing.
    pub(super) fn explain_format(&mut self) -> SqlResult<ExplainFormat> {
        if !self.at(Kw::FORMAT) || self.peek() != Tok::Char(b'=') {
            return Ok(ExplainFormat::Traditional);
        }
        self.bump();
        self.bump();
        let name = self.name_or_string()?;
        match name.to_ascii_lowercase().as_str() {
            "json" => Ok(ExplainFormat::Json),
            "traditional" => Ok(ExplainFormat::Traditional),
            _ => Err(SqlError::unknown_explain_format("EXPLAIN", name)),
        }
    }

    /// `EXPLAIN`, `DESCRIBE`, `DESC`.
    pub(super) fn explain(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.at(Kw::FORMAT) && self.peek() == Tok::Char(b'=') {
            let format = self.explain_format()?;
            if self.at(Kw::FOR) {
                return self.explain_connection(format);
            }
            return self.explained(false, false, format, false);
        }
        if self.at(Kw::FOR) && self.peek() == Tok::Kw(Kw::CONNECTION) {
            return self.explain_connection(ExplainFormat::Traditional);
        }
        if self.at(Kw::ANALYZE) {
            return self.analyze();
        }
        let extended = self.at(Kw::EXTENDED) && self.explainable_behind();
        let partitions = !extended && self.at(Kw::PARTITIONS) && self.explainable_behind();
        if extended || partitions {
            self.bump();
        }
        if extended || partitions || self.at_explainable() {
            return self.explained(extended, partitions, ExplainFormat::Traditional, false);
        }
        let table = self.table_name()?;
        let column = if self.at_end() { None } else { Some(self.name_or_string()?) };
        Ok(Statement::Describe { table, column })
    }

    fn explain_connection(&mut self, format: ExplainFormat) -> SqlResult<Statement> {
        self.expect_all(&[Kw::FOR, Kw::CONNECTION])?;
        Ok(Statement::ExplainConnection { connection: self.expr()?, format })
    }

    fn at_explainable(&mut self) -> bool {
        self.at_query_start()
            || self.at_char(b'(')
            || self.at_any(&[Kw::INSERT, Kw::REPLACE, Kw::UPDATE, Kw::DELETE, Kw::SELECT])
    }

    fn explainable_behind(&mut self) -> bool {
        let next = self.peek();
        matches!(next, Tok::Char(b'('))
            || matches!(next, Tok::Kw(kw) if [Kw::SELECT, Kw::WITH, Kw::INSERT, Kw::REPLACE, Kw::UPDATE, Kw::DELETE, Kw::VALUES].contains(&kw))
    }

    fn explained(
        &mut self,
        extended: bool,
        partitions: bool,
        format: ExplainFormat,
        analyze: bool,
    ) -> SqlResult<Statement> {
        if !self.at_explainable() {
            return Err(self.unexpected());
        }
        let statement = self.nested(|p| p.statement())?;
        Ok(Statement::Explain(Box::new(Explain { analyze, extended, partitions, format, statement })))
    }

    /// `ANALYZE TABLE ...`, `ANALYZE [FORMAT=..] statement`.
    pub(super) fn analyze(&mut self) -> SqlResult<Statement> {
        let behind = self.peek();
        if matches!(behind, Tok::Kw(Kw::TABLE | Kw::TABLES | Kw::LOCAL | Kw::NO_WRITE_TO_BINLOG)) {
            return self.maintenance(MaintenanceKind::Analyze);
        }
        self.bump();
        let format = self.explain_format()?;
        self.explained(false, false, format, true)
    }

    /// `CHECK TABLE` and its kin.
    pub(super) fn maintenance(&mut self, kind: MaintenanceKind) -> SqlResult<Statement> {
        self.bump();
        let local = self.eat(Kw::NO_WRITE_TO_BINLOG) || self.eat(Kw::LOCAL);
        if self.at(Kw::VIEW) {
            self.bump();
        } else if !self.eat(Kw::TABLES) {
            self.expect(Kw::TABLE)?;
        }
        let tables = self.list(|p| p.table_name())?;
        let mut options = Vec::new();
        let mut persistent = false;
        while matches!(self.tok.tok, Tok::Kw(_) | Tok::Word) {
            if kind == MaintenanceKind::Analyze && self.eat(Kw::PERSISTENT) {
                self.expect(Kw::FOR)?;
                self.persistent_for()?;
                persistent = true;
                continue;
            }
            let token = self.tok;
            let word = self.any_word_upper()?;
            let known: &[&str] = match kind {
                MaintenanceKind::Check => {
                    &["FOR", "UPGRADE", "QUICK", "FAST", "MEDIUM", "EXTENDED", "CHANGED"]
                }
                MaintenanceKind::Repair => &["QUICK", "EXTENDED", "USE_FRM", "FROM", "MYSQL"],
                MaintenanceKind::Checksum => &["QUICK", "EXTENDED"],
                MaintenanceKind::Optimize => &["NOWAIT", "WAIT"],
                MaintenanceKind::Analyze => &[],
            };
            if !known.contains(&word.as_str()) {
                return Err(self.unexpected_at(token.span));
            }
            options.push(word);
            if self.tok.tok == Tok::Int && kind == MaintenanceKind::Optimize {
                self.bump();
            }
        }
        Ok(Statement::TableMaintenance(TableMaintenance { kind, tables, options, local, persistent }))
    }

    /// `ALL`, or `COLUMNS (..) INDEXES (..)`.
    fn persistent_for(&mut self) -> SqlResult<()> {
        if self.eat(Kw::ALL) {
            return Ok(());
        }
        for word in [Kw::COLUMNS, Kw::INDEXES] {
            self.expect(word)?;
            if self.eat(Kw::ALL) {
                continue;
            }
            self.expect_char(b'(')?;
            if !self.at_char(b')') {
                self.list(|p| if p.at(Kw::PRIMARY) { p.take_name() } else { p.name() })?;
            }
            self.expect_char(b')')?;
        }
        Ok(())
    }

    /// `FLUSH ...`.
    pub(super) fn flush(&mut self) -> SqlResult<Statement> {
        self.bump();
        let local = self.eat(Kw::NO_WRITE_TO_BINLOG) || self.eat(Kw::LOCAL);
        if self.at(Kw::TABLE) || self.at(Kw::TABLES) {
            return Ok(Statement::Flush(Flush { local, targets: vec![self.flush_tables()?] }));
        }
        let targets = self.list(|p| p.flush_target())?;
        Ok(Statement::Flush(Flush { local, targets }))
    }

    fn flush_tables(&mut self) -> SqlResult<FlushTarget> {
        self.bump();
        let mut tables = Vec::new();
        if self.at_name() && !self.at_end() {
            tables = self.list(|p| p.table_name())?;
        }
        let (mut read_lock, mut for_export) = (false, false);
        if self.eat(Kw::WITH) {
            self.expect_all(&[Kw::READ, Kw::LOCK])?;
            read_lock = true;
            if self.at(Kw::AND) {
                self.expect_all(&[Kw::AND, Kw::DISABLE])?;
                self.expect(Kw::CHECKPOINT)?;
            }
        } else if self.eat(Kw::FOR) {
            self.expect(Kw::EXPORT)?;
            for_export = true;
        }
        Ok(FlushTarget::Tables { tables, read_lock, for_export })
    }

    fn flush_target(&mut self) -> SqlResult<FlushTarget> {
        let mut words = self.any_word_upper()?;
        while matches!(self.tok.tok, Tok::Kw(_) | Tok::Word) {
            let word = self.any_word_upper()?;
            words.push(' ');
            words.push_str(&word);
        }
        if let Some(kind) = words.strip_suffix("LOGS") {
            return Ok(FlushTarget::Logs(kind.trim_end().to_owned()));
        }
        Ok(FlushTarget::Other(words))
    }

    /// `RESET ...`.
    pub(super) fn reset(&mut self) -> SqlResult<Statement> {
        self.bump();
        Ok(Statement::Reset(self.list(|p| {
            if p.eat(Kw::MASTER) {
                return Ok(ResetTarget::Master);
            }
            if p.eat(Kw::QUERY) {
                p.expect(Kw::CACHE)?;
                return Ok(ResetTarget::QueryCache);
            }
            if !p.eat(Kw::REPLICA) {
                p.expect(Kw::SLAVE)?;
            }
            if p.tok.tok == Tok::Str {
                p.bump();
            }
            Ok(ResetTarget::Slave { all: p.eat(Kw::ALL) })
        })?))
    }

    /// `KILL [HARD | SOFT] [CONNECTION | QUERY [ID]] n | USER name`.
    pub(super) fn kill(&mut self) -> SqlResult<Statement> {
        self.bump();
        let soft = !self.eat(Kw::HARD) && self.eat(Kw::SOFT);
        let query = self.eat(Kw::QUERY);
        let by_query_id = query && self.eat(Kw::ID);
        if !query {
            self.eat(Kw::CONNECTION);
        }
        let target = if self.eat(Kw::USER) {
            KillTarget::User(self.account()?)
        } else if by_query_id {
            KillTarget::QueryId(self.expr()?)
        } else {
            KillTarget::Id(self.expr()?)
        };
        Ok(Statement::Kill(Kill { query, soft, target }))
    }

    /// `PURGE BINARY LOGS ...`.
    pub(super) fn purge(&mut self) -> SqlResult<Statement> {
        self.bump();
        if !self.eat(Kw::BINARY) {
            self.expect(Kw::MASTER)?;
        }
        self.expect(Kw::LOGS)?;
        if self.eat(Kw::TO) {
            return Ok(Statement::PurgeBinaryLogs(PurgeUntil::Log(self.string()?)));
        }
        self.expect(Kw::BEFORE)?;
        Ok(Statement::PurgeBinaryLogs(PurgeUntil::Before(self.expr()?)))
    }

    /// `PREPARE name FROM text`.
    pub(super) fn prepare(&mut self) -> SqlResult<Statement> {
        self.bump();
        let name = self.name()?;
        self.expect(Kw::FROM)?;
        Ok(Statement::Prepare { name, source: self.expr()? })
    }

    /// `EXECUTE ...`.
    pub(super) fn execute(&mut self) -> SqlResult<Statement> {
        self.bump();
        let immediate = self.at(Kw::IMMEDIATE);
        if immediate {
            self.bump();
            let source = self.expr()?;
            return Ok(Statement::ExecuteImmediate { source, using: self.execute_using()? });
        }
        let name = self.name()?;
        Ok(Statement::Execute { name, using: self.execute_using()? })
    }

    fn execute_using(&mut self) -> SqlResult<Vec<Expr>> {
        if self.eat(Kw::USING) { self.list(|p| p.expr_or_default()) } else { Ok(Vec::new()) }
    }

    /// `BACKUP ...`.
    pub(super) fn backup(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.eat(Kw::STAGE) {
            let word = self.name()?;
            let stage = match word.to_ascii_uppercase().as_str() {
                "START" => BackupStage::Start,
                "FLUSH" => BackupStage::Flush,
                "BLOCK_DDL" => BackupStage::BlockDdl,
                "BLOCK_COMMIT" => BackupStage::BlockCommit,
                "END" => BackupStage::End,
                _ => return Err(SqlError::unknown_backup_stage(word)),
            };
            return Ok(Statement::BackupStage(stage));
        }
        if self.eat(Kw::UNLOCK) {
            return Ok(Statement::BackupUnlock);
        }
        self.expect(Kw::LOCK)?;
        Ok(Statement::BackupLock(self.table_name()?))
    }

    /// `CHANGE MASTER ['name'] TO ...`.
    pub(super) fn change_master(&mut self) -> SqlResult<Statement> {
        self.bump();
        self.expect(Kw::MASTER)?;
        let connection = if self.tok.tok == Tok::Str { Some(self.string()?) } else { None };
        self.expect(Kw::TO)?;
        let options = self.list(|p| {
            let name = p.any_word_upper()?;
            p.expect_char(b'=')?;
            if p.at_char(b'(') && p.peek() == Tok::Char(b')') {
                let span = p.bump().span;
                p.bump();
                return Ok((name, Expr { kind: ExprKind::Row(Vec::new()), span }));
            }
            Ok((name, p.expr_or_default()?))
        })?;
        Ok(Statement::Replication(Replication::ChangeMaster { connection, options }))
    }

    /// `START | STOP [ALL] SLAVE[S]`; START TRANSACTION is told apart before.
    pub(super) fn start_stop_replica(&mut self, start: bool) -> SqlResult<Statement> {
        let all = self.eat(Kw::ALL);
        if all {
            if !self.eat(Kw::SLAVES) {
                self.expect(Kw::REPLICAS)?;
            }
        } else if !self.eat(Kw::SLAVE) {
            self.expect(Kw::REPLICA)?;
        }
        let connection = if self.tok.tok == Tok::Str { Some(self.string()?) } else { None };
        let mut threads = Vec::new();
        if !self.at_end() && !self.at(Kw::UNTIL) && !self.at(Kw::FOR) {
            threads = self.list(|p| p.any_word_upper())?;
        }
        let mut until = Vec::new();
        if start && self.eat(Kw::UNTIL) {
            until = self.list(|p| {
                let name = p.any_word_upper()?;
                p.expect_char(b'=')?;
                Ok((name, p.expr()?))
            })?;
        }
        Ok(Statement::Replication(match start {
            true => Replication::Start { connection, all, threads, until },
            false => Replication::Stop { connection, all, threads },
        }))
    }
}
