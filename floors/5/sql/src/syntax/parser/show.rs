//! SHOW.

use super::*;

impl<'a> Parser<'a> {
    /// `SHOW ...`.
    pub(super) fn show(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.at(Kw::EXPLAIN) || (self.at(Kw::ANALYZE) && self.peek() != Tok::Kw(Kw::TABLE)) {
            self.bump();
            let format = self.explain_format()?;
            self.expect(Kw::FOR)?;
            return Ok(Statement::ExplainConnection { connection: self.expr()?, format });
        }
        let full = self.eat(Kw::FULL);
        let global = if full { None } else { self.show_scope() };
        let kind = match self.current() {
            Tok::Kw(Kw::STATUS) => {
                self.bump();
                ShowKind::Status { global: global.unwrap_or(false) }
            }
            Tok::Kw(Kw::VARIABLES) => {
                self.bump();
                ShowKind::Variables { global: global.unwrap_or(false) }
            }
            _ if global.is_some() => return Err(self.unexpected()),
            _ => self.show_kind(full)?,
        };
        let filter = self.show_filter(&kind)?;
        Ok(Statement::Show(Box::new(Show { kind, filter })))
    }

    fn show_scope(&mut self) -> Option<bool> {
        if self.eat(Kw::GLOBAL) {
            return Some(true);
        }
        (self.eat(Kw::SESSION) || self.eat(Kw::LOCAL)).then_some(false)
    }

    /// `LIKE 'pattern'`, `WHERE expr`, where the kind takes it.
    fn show_filter(&mut self, kind: &ShowKind) -> SqlResult<Option<ShowFilter>> {
        use ShowKind::*;
        let takes = matches!(
            kind,
            Databases
                | Tables { .. }
                | TableStatus { .. }
                | OpenTables { .. }
                | Columns { .. }
                | Index { .. }
                | Variables { .. }
                | Status { .. }
                | Collation
                | CharacterSet
                | Triggers { .. }
                | Events { .. }
                | StoredStatus { .. }
                | Plugins { .. }
                | UserStatistics
                | ClientStatistics
                | IndexStatistics
                | TableStatistics
        );
        if !takes {
            return Ok(None);
        }
        if !matches!(kind, Index { .. }) && self.eat(Kw::LIKE) {
            return Ok(Some(ShowFilter::Like(self.string_bytes()?)));
        }
        if self.eat(Kw::WHERE) {
            return Ok(Some(ShowFilter::Where(self.expr()?)));
        }
        Ok(None)
    }

    /// `FROM database`, `IN database`.
    fn database_behind(&mut self) -> SqlResult<Option<Name>> {
        if self.eat(Kw::FROM) || self.eat(Kw::IN) { Ok(Some(self.database_name()?)) } else { Ok(None) }
    }

    /// `FROM table [FROM database]`.
    fn table_behind(&mut self) -> SqlResult<TableName> {
        if !self.eat(Kw::FROM) {
            self.expect(Kw::IN)?;
        }
        let mut table = self.table_name()?;
        if let Some(database) = self.database_behind()? {
            table.database = Some(database);
        }
        Ok(table)
    }

    fn show_kind(&mut self, full: bool) -> SqlResult<ShowKind> {
        let token = self.tok;
        let Tok::Kw(kw) = token.tok else { return self.show_other() };
        self.bump();
        Ok(match kw {
            Kw::TABLES => ShowKind::Tables { full, database: self.database_behind()? },
            Kw::COLUMNS | Kw::FIELDS => ShowKind::Columns { full, table: self.table_behind()? },
            Kw::PROCESSLIST => ShowKind::ProcessList { full },
            Kw::TRIGGERS => ShowKind::Triggers { full, database: self.database_behind()? },
            _ if full => return Err(self.unexpected_at(token.span)),
            Kw::DATABASES | Kw::SCHEMAS => ShowKind::Databases,
            Kw::TABLE if self.eat(Kw::STATUS) => ShowKind::TableStatus { database: self.database_behind()? },
            Kw::TABLE => return Err(self.unexpected()),
            Kw::OPEN => {
                self.expect(Kw::TABLES)?;
                ShowKind::OpenTables { database: self.database_behind()? }
            }
            Kw::INDEX | Kw::INDEXES | Kw::KEYS => ShowKind::Index { table: self.table_behind()? },
            Kw::CREATE => self.show_create()?,
            Kw::GRANTS => ShowKind::Grants(if self.eat(Kw::FOR) { Some(self.account()?) } else { None }),
            Kw::WARNINGS => ShowKind::Warnings { limit: self.limit()? },
            Kw::ERRORS => ShowKind::Errors { limit: self.limit()? },
            Kw::COUNT => {
                self.expect_char(b'(')?;
                self.expect_char(b'*')?;
                self.expect_char(b')')?;
                if self.eat(Kw::WARNINGS) {
                    ShowKind::CountWarnings
                } else {
                    self.expect(Kw::ERRORS)?;
                    ShowKind::CountErrors
                }
            }
            Kw::ENGINES => ShowKind::Engines,
            Kw::STORAGE => {
                self.expect(Kw::ENGINES)?;
                ShowKind::Engines
            }
            Kw::ENGINE => {
                let name = self.name_or_string()?.to_ascii_uppercase();
                ShowKind::Engine { name, what: self.any_word_upper()? }
            }
            Kw::PLUGINS => {
                let soname = if self.eat(Kw::SONAME) { Some(self.string()?) } else { None };
                ShowKind::Plugins { soname }
            }
            Kw::PRIVILEGES => ShowKind::Privileges,
            Kw::COLLATION => ShowKind::Collation,
            Kw::CHARSET => ShowKind::CharacterSet,
            Kw::CHARACTER | Kw::CHAR => {
                self.expect(Kw::SET)?;
                ShowKind::CharacterSet
            }
            Kw::EVENTS => ShowKind::Events { database: self.database_behind()? },
            Kw::PROCEDURE | Kw::FUNCTION | Kw::PACKAGE => return self.show_stored(kw),
            Kw::MASTER if self.eat(Kw::LOGS) => ShowKind::BinaryLogs,
            Kw::MASTER => {
                self.expect(Kw::STATUS)?;
                ShowKind::MasterStatus
            }
            Kw::BINARY if self.eat(Kw::LOGS) => ShowKind::BinaryLogs,
            Kw::BINARY => {
                self.expect_word("log")?;
                self.expect(Kw::STATUS)?;
                ShowKind::MasterStatus
            }
            Kw::BINLOG if self.eat(Kw::STATUS) => ShowKind::MasterStatus,
            Kw::BINLOG => {
                self.expect(Kw::EVENTS)?;
                let (log, position, limit) = self.events_range()?;
                ShowKind::BinlogEvents { log, position, limit }
            }
            Kw::RELAYLOG => {
                self.expect(Kw::EVENTS)?;
                let (log, position, limit) = self.events_range()?;
                ShowKind::RelaylogEvents { log, position, limit }
            }
            Kw::SLAVE | Kw::REPLICA => self.show_replica()?,
            Kw::ALL => {
                if !self.eat(Kw::SLAVES) {
                    self.expect(Kw::REPLICAS)?;
                }
                self.expect(Kw::STATUS)?;
                ShowKind::SlaveStatus { all: true, connection: None }
            }
            Kw::REPLICAS => ShowKind::SlaveHosts,
            Kw::AUTHORS => ShowKind::Authors,
            Kw::CONTRIBUTORS => ShowKind::Contributors,
            Kw::PROFILES => ShowKind::Profiles,
            Kw::PROFILE => self.show_profile()?,
            _ if !kw.is_reserved() => return self.show_statistics(token),
            _ => return Err(self.unexpected_at(token.span)),
        })
    }

    /// Words that are no keywords.
    fn show_other(&mut self) -> SqlResult<ShowKind> {
        let token = self.tok;
        if !matches!(token.tok, Tok::Word) {
            return Err(self.unexpected());
        }
        self.bump();
        self.show_statistics(token)
    }

    /// `USER_STATISTICS` and its kin.
    fn show_statistics(&mut self, token: Token) -> SqlResult<ShowKind> {
        match self.slice(token.span).to_ascii_lowercase().as_slice() {
            b"user_statistics" => Ok(ShowKind::UserStatistics),
            b"client_statistics" => Ok(ShowKind::ClientStatistics),
            b"index_statistics" => Ok(ShowKind::IndexStatistics),
            b"table_statistics" => Ok(ShowKind::TableStatistics),
            b"locales" => Ok(ShowKind::LocaleTimeZones),
            _ => Err(self.unexpected_at(token.span)),
        }
    }

    fn show_create(&mut self) -> SqlResult<ShowKind> {
        let token = self.tok;
        self.bump();
        let stored = |kind: &'static str, p: &mut Self| {
            Ok::<_, SqlError>(ShowKind::CreateStored { kind, name: p.table_name()? })
        };
        Ok(match token.tok {
            Tok::Kw(Kw::TABLE) => ShowKind::CreateTable(self.table_name()?),
            Tok::Kw(Kw::VIEW) => ShowKind::CreateView(self.table_name()?),
            Tok::Kw(Kw::DATABASE | Kw::SCHEMA) => {
                let if_not_exists = self.if_not_exists()?;
                ShowKind::CreateDatabase { name: self.name()?, if_not_exists }
            }
            Tok::Kw(Kw::SEQUENCE) => ShowKind::CreateSequence(self.table_name()?),
            Tok::Kw(Kw::PROCEDURE) => stored("PROCEDURE", self)?,
            Tok::Kw(Kw::FUNCTION) => stored("FUNCTION", self)?,
            Tok::Kw(Kw::TRIGGER) => stored("TRIGGER", self)?,
            Tok::Kw(Kw::EVENT) => stored("EVENT", self)?,
            Tok::Kw(Kw::PACKAGE) if self.eat(Kw::BODY) => stored("PACKAGE BODY", self)?,
            Tok::Kw(Kw::PACKAGE) => stored("PACKAGE", self)?,
            Tok::Kw(Kw::USER) => {
                ShowKind::CreateUser(if self.at_end() { None } else { Some(self.account()?) })
            }
            _ => return Err(self.unexpected_at(token.span)),
        })
    }

    /// `PROCEDURE STATUS`, `FUNCTION STATUS`, and the code of stored programs.
    fn show_stored(&mut self, kw: Kw) -> SqlResult<ShowKind> {
        let body = kw == Kw::PACKAGE && self.eat(Kw::BODY);
        if self.at_word("code") {
            return self.unsupported("SHOW PROCEDURE CODE");
        }
        self.expect(Kw::STATUS)?;
        let kind = match kw {
            Kw::PROCEDURE => "PROCEDURE",
            Kw::FUNCTION => "FUNCTION",
            _ if body => "PACKAGE BODY",
            _ => "PACKAGE",
        };
        Ok(ShowKind::StoredStatus { kind })
    }

    fn show_replica(&mut self) -> SqlResult<ShowKind> {
        if self.eat(Kw::HOSTS) {
            return Ok(ShowKind::SlaveHosts);
        }
        let connection = if self.tok.tok == Tok::Str { Some(self.string()?) } else { None };
        self.expect(Kw::STATUS)?;
        Ok(ShowKind::SlaveStatus { all: false, connection })
    }

    /// `[IN 'log'] [FROM position] [LIMIT ...]`.
    fn events_range(&mut self) -> SqlResult<(Option<String>, Option<u64>, Option<Limit>)> {
        let log = if self.eat(Kw::IN) { Some(self.string()?) } else { None };
        let position = if self.eat(Kw::FROM) { Some(self.digits()?) } else { None };
        Ok((log, position, self.limit()?))
    }

    fn show_profile(&mut self) -> SqlResult<ShowKind> {
        while !self.at_end() && !self.at(Kw::LIMIT) {
            if !self.eat_char(b',') && !matches!(self.bump().tok, Tok::Kw(_) | Tok::Int) {
                return Err(self.unexpected());
            }
        }
        self.limit()?;
        Ok(ShowKind::Profile)
    }
}
