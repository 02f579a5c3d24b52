//! CREATE, ALTER, DROP of everything but a table's inside; what is known and not supported.

use super::create::CreateWords;
use super::*;

/// What may stand before the object of CREATE and ALTER.
#[derive(Default)]
struct ViewWords {
    algorithm: ViewAlgorithm,
    definer: Option<Account>,
    invoker: bool,
}

impl<'a> Parser<'a> {
    /// `CREATE ...`.
    pub(super) fn create(&mut self) -> SqlResult<Statement> {
        self.bump();
        let or_replace = self.eat_two(Kw::OR, Kw::REPLACE);
        let temporary = self.eat(Kw::TEMPORARY);
        let token = self.tok;
        match token.tok {
            Tok::Kw(Kw::TABLE) => {
                self.bump();
                self.create_table(CreateWords { or_replace, temporary })
            }
            Tok::Kw(Kw::SEQUENCE) => self.unsupported("CREATE SEQUENCE"),
            _ if temporary => Err(self.unexpected()),
            Tok::Kw(Kw::DATABASE | Kw::SCHEMA) => {
                self.bump();
                let if_not_exists = self.if_not_exists_unless(or_replace)?;
                let name = self.name()?;
                let options = self.database_options()?;
                Ok(Statement::CreateDatabase(CreateDatabase { or_replace, if_not_exists, name, options }))
            }
            Tok::Kw(Kw::UNIQUE | Kw::FULLTEXT | Kw::SPATIAL | Kw::INDEX | Kw::KEY) => {
                self.create_index(or_replace)
            }
            Tok::Kw(Kw::USER) => self.user_statement(false, or_replace),
            Tok::Kw(Kw::ROLE) => {
                self.bump();
                let if_not_exists = self.if_not_exists_unless(or_replace)?;
                let roles = self.list(|p| p.role())?;
                let admin = match self.at(Kw::WITH) {
                    true => {
                        self.expect_all(&[Kw::WITH, Kw::ADMIN])?;
                        Some(self.account()?)
                    }
                    false => None,
                };
                Ok(Statement::CreateRole(CreateRole { or_replace, if_not_exists, roles, admin }))
            }
            Tok::Kw(Kw::SERVER) => self.unsupported("CREATE SERVER"),
            _ => self.create_stored(or_replace),
        }
    }

    /// Views and stored programs: what may carry a definer.
    fn create_stored(&mut self, or_replace: bool) -> SqlResult<Statement> {
        let words = self.view_words()?;
        match self.current() {
            Tok::Kw(Kw::VIEW) => self.view(words, or_replace, false),
            Tok::Kw(Kw::PROCEDURE) => self.unsupported("CREATE PROCEDURE"),
            Tok::Kw(Kw::FUNCTION | Kw::AGGREGATE) => self.unsupported("CREATE FUNCTION"),
            Tok::Kw(Kw::TRIGGER) => self.unsupported("CREATE TRIGGER"),
            Tok::Kw(Kw::EVENT) => self.unsupported("CREATE EVENT"),
            Tok::Kw(Kw::PACKAGE) => self.unsupported("CREATE PACKAGE"),
            _ => Err(self.unexpected()),
        }
    }

    /// `ALTER ...`.
    pub(super) fn alter(&mut self) -> SqlResult<Statement> {
        self.bump();
        let online = self.eat(Kw::ONLINE);
        let ignore = self.eat(Kw::IGNORE);
        match self.current() {
            Tok::Kw(Kw::TABLE) => {
                self.bump();
                self.alter_table(online, ignore)
            }
            _ if online || ignore => Err(self.unexpected()),
            Tok::Kw(Kw::DATABASE | Kw::SCHEMA) => {
                self.bump();
                let options_first =
                    self.at_any(&[Kw::CHARSET, Kw::CHARACTER, Kw::COLLATE, Kw::DEFAULT, Kw::COMMENT]);
                let name = if options_first { None } else { Some(self.name()?) };
                if self.at(Kw::UPGRADE) {
                    return self.unsupported("UPGRADE DATA DIRECTORY NAME");
                }
                let start = self.tok.span;
                let options = self.database_options()?;
                if options == DatabaseOptions::default() {
                    return Err(self.unexpected_at(start));
                }
                Ok(Statement::AlterDatabase(AlterDatabase { name, options }))
            }
            Tok::Kw(Kw::USER) => self.user_statement(true, false),
            Tok::Kw(Kw::SEQUENCE) => self.unsupported("ALTER SEQUENCE"),
            Tok::Kw(Kw::SERVER) => self.unsupported("ALTER SERVER"),
            Tok::Kw(Kw::TABLESPACE) => self.unsupported("ALTER TABLESPACE"),
            _ => {
                let words = self.view_words()?;
                match self.current() {
                    Tok::Kw(Kw::VIEW) => self.view(words, false, true),
                    Tok::Kw(Kw::PROCEDURE) => self.unsupported("ALTER PROCEDURE"),
                    Tok::Kw(Kw::FUNCTION) => self.unsupported("ALTER FUNCTION"),
                    Tok::Kw(Kw::EVENT) => self.unsupported("ALTER EVENT"),
                    _ => Err(self.unexpected()),
                }
            }
        }
    }

    fn view_words(&mut self) -> SqlResult<ViewWords> {
        let mut words = ViewWords::default();
        if self.eat(Kw::ALGORITHM) {
            self.expect_char(b'=')?;
            words.algorithm = match self.current() {
                Tok::Kw(Kw::UNDEFINED) => ViewAlgorithm::Undefined,
                Tok::Kw(Kw::MERGE) => ViewAlgorithm::Merge,
                Tok::Kw(Kw::TEMPTABLE) => ViewAlgorithm::Temptable,
                _ => return Err(self.unexpected()),
            };
            self.bump();
        }
        if self.eat(Kw::DEFINER) {
            self.expect_char(b'=')?;
            words.definer = Some(self.account()?);
        }
        if self.eat(Kw::SQL) {
            self.expect(Kw::SECURITY)?;
            words.invoker = self.eat(Kw::INVOKER);
            if !words.invoker {
                self.expect(Kw::DEFINER)?;
            }
        }
        Ok(words)
    }

    fn view(&mut self, words: ViewWords, or_replace: bool, alter: bool) -> SqlResult<Statement> {
        self.bump();
        let if_not_exists = !alter && self.if_not_exists_unless(or_replace)?;
        let name = self.table_name()?;
        let columns = if self.at_char(b'(') && !matches!(self.peek(), Tok::Kw(Kw::SELECT)) {
            self.paren_list(|p| p.name())?
        } else {
            Vec::new()
        };
        self.expect(Kw::AS)?;
        let query = Box::new(self.query_within()?);
        let mut check = ViewCheck::None;
        if self.eat(Kw::WITH) {
            check = if self.eat(Kw::LOCAL) {
                ViewCheck::Local
            } else {
                self.eat(Kw::CASCADED);
                ViewCheck::Cascaded
            };
            self.expect_all(&[Kw::CHECK, Kw::OPTION])?;
        }
        Ok(Statement::CreateView(Box::new(CreateView {
            alter,
            or_replace,
            if_not_exists,
            algorithm: words.algorithm,
            definer: words.definer,
            invoker: words.invoker,
            name,
            columns,
            query,
            check,
        })))
    }

    fn database_options(&mut self) -> SqlResult<DatabaseOptions> {
        let mut options = DatabaseOptions::default();
        loop {
            if self.at(Kw::DEFAULT) && self.peek() != Tok::Char(b'(') {
                self.bump();
                if !self.at_any(&[Kw::CHARSET, Kw::CHARACTER, Kw::CHAR, Kw::COLLATE]) {
                    return Err(self.unexpected());
                }
            }
            if self.eat_charset_words() {
                self.eat_char(b'=');
                options.charsets.push(CharsetClause::Charset(self.charset_or_collation_name()?));
            } else if self.eat(Kw::COLLATE) {
                self.eat_char(b'=');
                options.charsets.push(CharsetClause::Collate(self.charset_or_collation_name()?));
            } else if self.eat(Kw::COMMENT) {
                self.eat_char(b'=');
                options.comment = Some(self.string()?);
            } else if self.at(Kw::ENCRYPTION) {
                return Err(self.unexpected());
            } else {
                return Ok(options);
            }
        }
    }

    /// At the words of `CREATE INDEX`.
    fn create_index(&mut self, or_replace: bool) -> SqlResult<Statement> {
        let kind = match self.current() {
            Tok::Kw(Kw::UNIQUE) => IndexKind::Unique,
            Tok::Kw(Kw::FULLTEXT) => IndexKind::Fulltext,
            Tok::Kw(Kw::SPATIAL) => IndexKind::Spatial,
            _ => IndexKind::Plain,
        };
        if kind != IndexKind::Plain {
            self.bump();
        }
        if !self.eat(Kw::INDEX) {
            self.expect(Kw::KEY)?;
        }
        let if_not_exists = self.if_not_exists_unless(or_replace)?;
        let mut index = IndexSpec {
            constraint: None,
            name: Some(self.name()?),
            if_not_exists,
            kind,
            parts: Vec::new(),
            algorithm: None,
            comment: None,
            key_block_size: None,
            ignored: false,
        };
        self.index_algorithm(&mut index)?;
        self.expect(Kw::ON)?;
        let table = self.table_name()?;
        index.parts = self.key_parts()?;
        self.index_options(&mut index)?;
        self.table_wait()?;
        let manner = self.algorithm_and_lock()?;
        Ok(Statement::CreateIndex(Box::new(CreateIndex { or_replace, table, index, manner })))
    }

    /// `ALGORITHM = x`, `LOCK = x` behind CREATE and DROP INDEX.
    fn algorithm_and_lock(&mut self) -> SqlResult<Vec<AlterAction>> {
        let mut manner = Vec::new();
        loop {
            let is_lock = self.at(Kw::LOCK);
            if !is_lock && !self.at(Kw::ALGORITHM) {
                return Ok(manner);
            }
            self.bump();
            manner.push(self.manner(is_lock)?);
        }
    }

    /// What stands behind ALGORITHM, or LOCK.
    pub(super) fn manner(&mut self, is_lock: bool) -> SqlResult<AlterAction> {
        self.eat_char(b'=');
        let word = match self.current() {
            Tok::Word | Tok::Kw(_) => self.take_name()?,
            _ => return Err(self.unexpected()),
        };
        let name = word.to_ascii_lowercase();
        match (is_lock, &*name) {
            (true, "default" | "none" | "shared" | "exclusive") => Ok(AlterAction::Lock(name)),
            (true, _) => Err(SqlError::unknown_alter_lock(word)),
            (false, "default" | "instant" | "nocopy" | "inplace" | "copy") => {
                Ok(AlterAction::Algorithm(name))
            }
            (false, _) => Err(SqlError::unknown_alter_algorithm(word)),
        }
    }

    /// `DROP ...`.
    pub(super) fn drop(&mut self) -> SqlResult<Statement> {
        self.bump();
        let temporary = self.eat(Kw::TEMPORARY);
        let token = self.tok;
        match token.tok {
            Tok::Kw(Kw::TABLE | Kw::TABLES) => {
                self.bump();
                let if_exists = self.if_exists()?;
                let tables = self.list(|p| p.table_name())?;
                let wait = self.table_wait()?;
                let _ = self.eat(Kw::RESTRICT) || self.eat(Kw::CASCADE);
                Ok(Statement::DropTable(DropTable { temporary, if_exists, tables, wait }))
            }
            Tok::Kw(Kw::SEQUENCE) => self.drop_stored("SEQUENCE"),
            _ if temporary => Err(self.unexpected()),
            Tok::Kw(Kw::INDEX | Kw::KEY) => {
                self.bump();
                let if_exists = self.if_exists()?;
                let name = self.name()?;
                self.expect(Kw::ON)?;
                let table = self.table_name()?;
                self.table_wait()?;
                let manner = self.algorithm_and_lock()?;
                Ok(Statement::DropIndex(DropIndex { if_exists, name, table, manner }))
            }
            Tok::Kw(Kw::DATABASE | Kw::SCHEMA) => {
                self.bump();
                let if_exists = self.if_exists()?;
                Ok(Statement::DropDatabase(DropDatabase { if_exists, name: self.database_name()? }))
            }
            Tok::Kw(Kw::VIEW) => {
                self.bump();
                let if_exists = self.if_exists()?;
                let views = self.list(|p| p.table_name())?;
                let _ = self.eat(Kw::RESTRICT) || self.eat(Kw::CASCADE);
                Ok(Statement::DropView(DropView { if_exists, views }))
            }
            Tok::Kw(Kw::USER | Kw::ROLE) => {
                let role = self.bump().tok == Tok::Kw(Kw::ROLE);
                let if_exists = self.if_exists()?;
                let accounts = self.list(|p| if role { p.role() } else { p.user() })?;
                Ok(Statement::DropUser(DropUser { role, if_exists, accounts }))
            }
            Tok::Kw(Kw::PREPARE) => {
                self.bump();
                Ok(Statement::Deallocate(self.name()?))
            }
            Tok::Kw(Kw::PROCEDURE) => self.drop_stored("PROCEDURE"),
            Tok::Kw(Kw::FUNCTION) => self.drop_stored("FUNCTION"),
            Tok::Kw(Kw::TRIGGER) => self.drop_stored("TRIGGER"),
            Tok::Kw(Kw::EVENT) => self.drop_stored("EVENT"),
            Tok::Kw(Kw::SERVER) => self.drop_stored("SERVER"),
            Tok::Kw(Kw::PACKAGE) if self.peek() == Tok::Kw(Kw::BODY) => {
                self.bump();
                self.drop_stored("PACKAGE BODY")
            }
            Tok::Kw(Kw::PACKAGE) => self.drop_stored("PACKAGE"),
            _ => Err(self.unexpected()),
        }
    }

    fn drop_stored(&mut self, kind: &'static str) -> SqlResult<Statement> {
        self.bump();
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        while kind == "SEQUENCE" && self.eat_char(b',') {
            self.table_name()?;
        }
        Ok(Statement::DropStored(DropStored { kind, if_exists, name }))
    }

    /// `RENAME TABLE`, `RENAME USER`.
    pub(super) fn rename(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.eat(Kw::USER) {
            return Ok(Statement::RenameUser(self.list(|p| {
                let old = p.account()?;
                p.expect(Kw::TO)?;
                Ok((old, p.account()?))
            })?));
        }
        if !self.eat(Kw::TABLES) {
            self.expect(Kw::TABLE)?;
        }
        let if_exists = self.if_exists()?;
        let pairs = self.list(|p| {
            let old = p.table_name()?;
            p.table_wait()?;
            p.expect(Kw::TO)?;
            Ok((old, p.table_name()?))
        })?;
        Ok(Statement::RenameTable(RenameTable { if_exists, pairs }))
    }

    /// `TRUNCATE [TABLE] name`.
    pub(super) fn truncate(&mut self) -> SqlResult<Statement> {
        self.bump();
        self.eat(Kw::TABLE);
        let name = self.table_name()?;
        self.table_wait()?;
        Ok(Statement::Truncate(name))
    }
}
