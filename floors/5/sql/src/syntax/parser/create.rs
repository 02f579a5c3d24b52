//! CREATE TABLE: columns, indexes, constraints, options.

use super::*;

/// What CREATE may say before its object.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CreateWords {
    pub or_replace: bool,
    pub temporary: bool,
}

impl<'a> Parser<'a> {
    /// Behind `CREATE [OR REPLACE] [TEMPORARY] TABLE`.
    pub(super) fn create_table(&mut self, words: CreateWords) -> SqlResult<Statement> {
        let if_not_exists = self.if_not_exists_unless(words.or_replace)?;
        let name = self.table_name()?;
        self.table_made = Some(name.clone());
        let mut table = CreateTable {
            or_replace: words.or_replace,
            temporary: words.temporary,
            if_not_exists,
            name,
            like: None,
            elements: Vec::new(),
            options: Vec::new(),
            partitioning: None,
            system_versioning: false,
            select: None,
        };
        if self.eat(Kw::LIKE) {
            table.like = Some(self.table_name()?);
            return Ok(Statement::CreateTable(Box::new(table)));
        }
        if self.at_char(b'(') && self.peek() == Tok::Kw(Kw::LIKE) {
            self.bump();
            self.bump();
            table.like = Some(self.table_name()?);
            self.expect_char(b')')?;
            return Ok(Statement::CreateTable(Box::new(table)));
        }
        if self.at_char(b'(')
            && !matches!(self.peek(), Tok::Kw(Kw::SELECT | Kw::WITH | Kw::VALUES) | Tok::Char(b'('))
        {
            table.elements = self.paren_list(|p| p.table_element())?;
        }
        self.table_tail(&mut table)?;
        Ok(Statement::CreateTable(Box::new(table)))
    }

    /// Options, partitions and the query behind a table's list.
    fn table_tail(&mut self, table: &mut CreateTable) -> SqlResult<()> {
        while let Some(option) = self.table_option()? {
            table.options.push(option);
            self.eat_char(b',');
        }
        if self.at(Kw::WITH) && self.peek() == Tok::Kw(Kw::SYSTEM) {
            return self.unsupported("SYSTEM VERSIONING");
        }
        if self.at(Kw::PARTITION) {
            return self.unsupported("PARTITION BY");
        }
        let ignore = self.eat(Kw::IGNORE);
        let replace = !ignore && self.eat(Kw::REPLACE);
        let said_as = self.eat(Kw::AS);
        if self.at_query_start() || self.at_char(b'(') {
            let query = Box::new(self.query_within()?);
            table.select = Some(CreateSelect { ignore, replace, query });
        } else if ignore || replace || said_as {
            return Err(self.unexpected());
        }
        Ok(())
    }

    fn table_element(&mut self) -> SqlResult<TableElement> {
        if self.at(Kw::PERIOD) && self.peek() == Tok::Kw(Kw::FOR) {
            return self.unsupported("PERIOD FOR");
        }
        if let Some(element) = self.key_or_constraint()? {
            return Ok(element);
        }
        Ok(TableElement::Column(Box::new(self.column_spec()?)))
    }

    /// An index or constraint of CREATE or ALTER TABLE, if one starts here.
    pub(super) fn key_or_constraint(&mut self) -> SqlResult<Option<TableElement>> {
        let said_constraint = self.eat(Kw::CONSTRAINT);
        let mut constraint = None;
        let if_not_exists = said_constraint && self.if_not_exists()?;
        if said_constraint && self.at_name() && !self.at_constraint_start() {
            constraint = Some(self.name()?);
        }
        let kind = match self.current() {
            Tok::Kw(Kw::PRIMARY) => IndexKind::Primary,
            Tok::Kw(Kw::UNIQUE) => IndexKind::Unique,
            Tok::Kw(Kw::INDEX | Kw::KEY) if !said_constraint => IndexKind::Plain,
            Tok::Kw(Kw::FULLTEXT) if !said_constraint => IndexKind::Fulltext,
            Tok::Kw(Kw::SPATIAL) if !said_constraint => IndexKind::Spatial,
            Tok::Kw(Kw::FOREIGN) => return Ok(Some(self.foreign_key(constraint)?)),
            Tok::Kw(Kw::CHECK) => {
                self.bump();
                let if_not_exists = if_not_exists || self.if_not_exists()?;
                let expr = self.paren_expr_needed()?;
                return Ok(Some(TableElement::Check(CheckSpec { name: constraint, if_not_exists, expr })));
            }
            _ if said_constraint || if_not_exists => return Err(self.unexpected()),
            _ => return Ok(None),
        };
        self.bump();
        match kind {
            IndexKind::Primary => self.expect(Kw::KEY)?,
            IndexKind::Plain => {}
            _ => {
                let _ = self.eat(Kw::INDEX) || self.eat(Kw::KEY);
            }
        }
        Ok(Some(TableElement::Index(self.index_spec(constraint, kind)?)))
    }

    fn at_constraint_start(&self) -> bool {
        self.at_any(&[Kw::PRIMARY, Kw::UNIQUE, Kw::FOREIGN, Kw::CHECK])
    }

    /// `(expr)`.
    pub(super) fn paren_expr_needed(&mut self) -> SqlResult<Expr> {
        self.expect_char(b'(')?;
        let expr = self.nested(|p| p.expr())?;
        self.expect_char(b')')?;
        Ok(expr)
    }

    /// Behind the words of an index: name, algorithm, columns, options.
    pub(super) fn index_spec(&mut self, constraint: Option<Name>, kind: IndexKind) -> SqlResult<IndexSpec> {
        let if_not_exists = self.if_not_exists()?;
        let mut index = IndexSpec {
            constraint,
            name: None,
            if_not_exists,
            kind,
            parts: Vec::new(),
            algorithm: None,
            comment: None,
            key_block_size: None,
            ignored: false,
        };
        if self.at_name() {
            index.name = Some(self.name()?);
        }
        self.index_algorithm(&mut index)?;
        index.parts = self.key_parts()?;
        self.index_options(&mut index)?;
        Ok(index)
    }

    pub(super) fn index_algorithm(&mut self, index: &mut IndexSpec) -> SqlResult<()> {
        while self.at(Kw::USING) || (self.at(Kw::TYPE) && matches!(self.peek(), Tok::Kw(_))) {
            self.bump();
            index.algorithm = Some(match self.current() {
                Tok::Kw(Kw::BTREE | Kw::HASH | Kw::RTREE) => self.take_name()?.to_ascii_lowercase(),
                _ => return Err(self.unexpected()),
            });
        }
        Ok(())
    }

    /// `(column [(n)] [ASC | DESC], ...)`.
    pub(super) fn key_parts(&mut self) -> SqlResult<Vec<KeyPart>> {
        self.paren_list(|p| {
            let column = p.name()?;
            let mut length = None;
            if p.eat_char(b'(') {
                length = match p.digits()? {
                    0 => return Err(SqlError::key_part_0(&column)),
                    length => Some(length),
                };
                p.expect_char(b')')?;
            }
            let desc = p.eat(Kw::DESC);
            if !desc {
                p.eat(Kw::ASC);
            }
            if p.at(Kw::WITHOUT) {
                return p.unsupported("WITHOUT OVERLAPS");
            }
            Ok(KeyPart { column, length, desc })
        })
    }

    pub(super) fn index_options(&mut self, index: &mut IndexSpec) -> SqlResult<()> {
        loop {
            self.index_algorithm(index)?;
            match self.current() {
                Tok::Kw(Kw::COMMENT) => {
                    self.bump();
                    self.eat_char(b'=');
                    index.comment = Some(self.string()?);
                }
                Tok::Kw(Kw::KEY_BLOCK_SIZE) => {
                    self.bump();
                    self.eat_char(b'=');
                    index.key_block_size = Some(self.unsigned()?);
                }
                Tok::Kw(Kw::WITH) if self.peek() == Tok::Kw(Kw::PARSER) => {
                    self.bump();
                    self.bump();
                    self.name()?;
                }
                Tok::Kw(Kw::IGNORED | Kw::INVISIBLE) => {
                    self.bump();
                    index.ignored = true;
                }
                Tok::Kw(Kw::VISIBLE) => {
                    self.bump();
                }
                Tok::Kw(Kw::NOT) if self.peek() == Tok::Kw(Kw::IGNORED) => {
                    self.bump();
                    self.bump();
                }
                Tok::Word if self.peek() == Tok::Char(b'=') => {
                    self.unknown_option()?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// An option of a plug-in: `name = value`, kept by nobody.
    fn unknown_option(&mut self) -> SqlResult<(Name, TableOptionValue)> {
        let name = self.name()?;
        self.expect_char(b'=')?;
        Ok((name, self.option_value()?))
    }

    fn foreign_key(&mut self, constraint: Option<Name>) -> SqlResult<TableElement> {
        self.expect_all(&[Kw::FOREIGN, Kw::KEY])?;
        let if_not_exists = self.if_not_exists()?;
        let index = if self.at_name() { Some(self.name()?) } else { None };
        let columns = self.key_parts()?.into_iter().map(|part| part.column).collect();
        let references = self.references()?;
        Ok(TableElement::ForeignKey(Box::new(ForeignKeySpec {
            constraint,
            index,
            if_not_exists,
            columns,
            references,
        })))
    }

    /// `REFERENCES table (columns) [MATCH ..] [ON DELETE ..] [ON UPDATE ..]`.
    fn references(&mut self) -> SqlResult<References> {
        self.expect(Kw::REFERENCES)?;
        let table = self.table_name()?;
        let columns = if self.at_char(b'(') { self.paren_list(|p| p.name())? } else { Vec::new() };
        let mut references = References { table, columns, on_delete: None, on_update: None };
        if self.eat(Kw::MATCH) && !(self.eat(Kw::FULL) || self.eat(Kw::PARTIAL) || self.eat(Kw::SIMPLE)) {
            return Err(self.unexpected());
        }
        while self.at(Kw::ON) && matches!(self.peek(), Tok::Kw(Kw::DELETE | Kw::UPDATE)) {
            self.bump();
            let on_delete = self.bump().tok == Tok::Kw(Kw::DELETE);
            let action = Some(self.reference_action()?);
            if on_delete {
                references.on_delete = action;
            } else {
                references.on_update = action;
            }
        }
        Ok(references)
    }

    fn reference_action(&mut self) -> SqlResult<ReferenceAction> {
        let token = self.tok;
        match self.bump().tok {
            Tok::Kw(Kw::RESTRICT) => Ok(ReferenceAction::Restrict),
            Tok::Kw(Kw::CASCADE) => Ok(ReferenceAction::Cascade),
            Tok::Kw(Kw::SET) if self.eat(Kw::NULL) => Ok(ReferenceAction::SetNull),
            Tok::Kw(Kw::SET) if self.eat(Kw::DEFAULT) => Ok(ReferenceAction::SetDefault),
            Tok::Kw(Kw::NO) if self.eat(Kw::ACTION) => Ok(ReferenceAction::NoAction),
            Tok::Kw(Kw::SET | Kw::NO) => Err(self.unexpected()),
            _ => Err(self.unexpected_at(token.span)),
        }
    }

    /// A column of the table that is made or altered, which may be named before it; errors 1102 and 1103 for another.
    fn name_of_column(&mut self, first: Name) -> SqlResult<Name> {
        let ColumnRef { database, table, column } = self.column_ref_from(first)?;
        let Some(made) = &self.table_made else { return Ok(column) };
        let other = |said: &Option<Name>, name: &Name| said.as_ref().filter(|said| *said != name).cloned();
        let around = database.as_ref().and_then(|said| other(&made.database, said).map(|_| said.clone()));
        match (around, other(&table, &made.name)) {
            (Some(database), _) => Err(SqlError::wrong_db_name(database)),
            (_, Some(table)) => Err(SqlError::wrong_table_name(table)),
            _ => Ok(column),
        }
    }

    /// `name type attributes`.
    pub(super) fn column_spec(&mut self) -> SqlResult<ColumnSpec> {
        let name = self.name()?;
        let name = self.name_of_column(name)?;
        let spec = self.data_type()?;
        let mut column = ColumnSpec {
            name,
            ty: spec.ty,
            serial: spec.serial,
            nullable: None,
            default: None,
            on_update: None,
            auto_increment: false,
            key: None,
            comment: None,
            generated: None,
            check: None,
            references: None,
            invisible: false,
            compressed: spec.compressed,
        };
        if self.at(Kw::GENERATED) || (self.at(Kw::AS) && self.peek() == Tok::Char(b'(')) {
            column.generated = Some(self.generated()?);
        }
        while self.column_attribute(&mut column)? {}
        Ok(column)
    }

    fn generated(&mut self) -> SqlResult<Generated> {
        if self.eat(Kw::GENERATED) {
            self.expect_word("always")?;
        }
        self.expect(Kw::AS)?;
        if self.at(Kw::ROW) {
            return self.unsupported("GENERATED ALWAYS AS ROW");
        }
        let expr = self.paren_expr_needed()?;
        let stored = self.eat(Kw::STORED) || self.eat(Kw::PERSISTENT);
        if !stored {
            self.eat(Kw::VIRTUAL);
        }
        Ok(Generated { expr, stored })
    }

    pub(super) fn expect_word(&mut self, word: &str) -> SqlResult<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// One attribute of a column, if one stands here.
    fn column_attribute(&mut self, column: &mut ColumnSpec) -> SqlResult<bool> {
        let next = self.peek();
        let given = matches!(
            self.current(),
            Tok::Kw(Kw::AUTO_INCREMENT | Kw::PRIMARY | Kw::KEY | Kw::DEFAULT | Kw::ON | Kw::SERIAL)
        );
        if given && column.generated.is_some() {
            return Err(self.unexpected_at(self.tok.span));
        }
        match self.current() {
            Tok::Kw(Kw::NULL) => column.nullable = Some(true),
            Tok::Kw(Kw::NOT) if next == Tok::Kw(Kw::NULL) => {
                self.bump();
                column.nullable = Some(false);
            }
            Tok::Kw(Kw::AUTO_INCREMENT) => column.auto_increment = true,
            Tok::Kw(Kw::PRIMARY) if next == Tok::Kw(Kw::KEY) => {
                self.bump();
                column.key = Some(ColumnKey::Primary);
            }
            Tok::Kw(Kw::KEY) => column.key = Some(ColumnKey::Primary),
            Tok::Kw(Kw::UNIQUE) => {
                if next == Tok::Kw(Kw::KEY) {
                    self.bump();
                }
                column.key = Some(ColumnKey::Unique);
            }
            Tok::Kw(Kw::INVISIBLE) => column.invisible = true,
            Tok::Kw(Kw::SERIAL) if next == Tok::Kw(Kw::DEFAULT) => {
                self.expect_all(&[Kw::SERIAL, Kw::DEFAULT])?;
                self.expect(Kw::VALUE)?;
                column.nullable = Some(false);
                column.auto_increment = true;
                column.key = Some(ColumnKey::Unique);
                return Ok(true);
            }
            _ => return self.column_attribute_with_value(column),
        }
        self.bump();
        Ok(true)
    }

    fn column_attribute_with_value(&mut self, column: &mut ColumnSpec) -> SqlResult<bool> {
        match self.current() {
            Tok::Kw(Kw::DEFAULT) => {
                self.bump();
                column.default = Some(self.default_value()?);
            }
            Tok::Kw(Kw::ON) if self.peek() == Tok::Kw(Kw::UPDATE) => {
                self.bump();
                self.bump();
                column.on_update = Some(self.unary_expr()?);
            }
            Tok::Kw(Kw::COMMENT) => {
                self.bump();
                column.comment = Some(self.string()?);
            }
            Tok::Kw(Kw::COLLATE) => {
                self.bump();
                let collation = self.charset_or_collation_name()?;
                set_collation(&mut column.ty, collation);
            }
            Tok::Kw(Kw::CHECK) => {
                self.bump();
                column.check = Some(self.paren_expr_needed()?);
            }
            Tok::Kw(Kw::CONSTRAINT | Kw::REFERENCES) => {
                let named = self.eat(Kw::CONSTRAINT) && !self.at(Kw::REFERENCES);
                let name = if named { Some(self.name()?) } else { None };
                column.references = Some(Box::new((name, self.references()?)));
            }
            Tok::Kw(Kw::WITH | Kw::WITHOUT) if self.peek() == Tok::Kw(Kw::SYSTEM) => {
                return self.unsupported("SYSTEM VERSIONING");
            }
            Tok::Kw(Kw::REF_SYSTEM_ID) => {
                self.bump();
                self.expect_char(b'=')?;
                self.unsigned()?;
            }
            Tok::Word | Tok::Quoted => {
                self.unknown_option()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The value behind DEFAULT: a constant, `NOW()`, `(expr)`, any operand.
    pub(super) fn default_value(&mut self) -> SqlResult<Expr> {
        self.unary_expr()
    }

    /// One option of a table, if one stands here.
    pub(super) fn table_option(&mut self) -> SqlResult<Option<TableOption>> {
        let defaulted = self.at(Kw::DEFAULT)
            && matches!(self.peek(), Tok::Kw(Kw::CHARSET | Kw::CHARACTER | Kw::CHAR | Kw::COLLATE));
        if defaulted {
            self.bump();
        }
        if self.eat_charset_words() {
            self.eat_char(b'=');
            return Ok(Some(TableOption::Charset(CharsetClause::Charset(self.charset_or_collation_name()?))));
        }
        let Tok::Kw(kw) = self.tok.tok else { return self.plugin_option() };
        let option = match kw {
            Kw::COLLATE => {
                self.option_name();
                TableOption::Charset(CharsetClause::Collate(self.charset_or_collation_name()?))
            }
            Kw::ENGINE | Kw::TYPE if kw == Kw::ENGINE || self.peek() == Tok::Char(b'=') => {
                self.option_name();
                TableOption::Engine(self.name_or_string()?)
            }
            Kw::AUTO_INCREMENT => {
                self.option_name();
                TableOption::AutoIncrement(self.digits()?)
            }
            Kw::COMMENT => {
                self.option_name();
                TableOption::Comment(self.string()?)
            }
            Kw::ROW_FORMAT => {
                self.option_name();
                TableOption::RowFormat(self.any_word_upper()?)
            }
            Kw::UNION => {
                self.option_name();
                TableOption::Other(
                    "UNION".to_owned(),
                    TableOptionValue::Tables(self.paren_list(|p| p.table_name())?),
                )
            }
            Kw::DATA | Kw::INDEX if self.peek() == Tok::Kw(Kw::DIRECTORY) => {
                self.bump();
                self.option_name();
                let name = if kw == Kw::DATA { "DATA DIRECTORY" } else { "INDEX DIRECTORY" };
                TableOption::Other(name.to_owned(), TableOptionValue::Str(self.string()?))
            }
            Kw::MAX_ROWS
            | Kw::MIN_ROWS
            | Kw::AVG_ROW_LENGTH
            | Kw::PASSWORD
            | Kw::CHECKSUM
            | Kw::TABLE_CHECKSUM => self.plain_option()?,
            Kw::PAGE_CHECKSUM
            | Kw::DELAY_KEY_WRITE
            | Kw::PACK_KEYS
            | Kw::STATS_AUTO_RECALC
            | Kw::KEY_BLOCK_SIZE => self.plain_option()?,
            Kw::STATS_PERSISTENT
            | Kw::STATS_SAMPLE_PAGES
            | Kw::INSERT_METHOD
            | Kw::TRANSACTIONAL
            | Kw::CONNECTION => self.plain_option()?,
            Kw::TABLESPACE | Kw::STORAGE | Kw::SEQUENCE | Kw::ENCRYPTION => self.plain_option()?,
            _ => return Ok(None),
        };
        Ok(Some(option))
    }

    /// The option's word and its `=`.
    fn option_name(&mut self) {
        self.bump();
        self.eat_char(b'=');
    }

    fn plain_option(&mut self) -> SqlResult<TableOption> {
        let name = self.any_word_upper()?;
        self.eat_char(b'=');
        Ok(TableOption::Other(name, self.option_value()?))
    }

    /// A word that is no keyword: an option of a plug-in.
    fn plugin_option(&mut self) -> SqlResult<Option<TableOption>> {
        if !matches!(self.tok.tok, Tok::Word | Tok::Quoted) {
            return Ok(None);
        }
        let (name, value) = self.unknown_option()?;
        Ok(Some(TableOption::Other(name, value)))
    }

    fn option_value(&mut self) -> SqlResult<TableOptionValue> {
        match self.current() {
            Tok::Int | Tok::Hex => Ok(TableOptionValue::Number(self.unsigned()?)),
            Tok::Str => Ok(TableOptionValue::Str(self.string()?)),
            Tok::Kw(_) | Tok::Word | Tok::Quoted => Ok(TableOptionValue::Word(self.take_name()?)),
            _ => Err(self.unexpected()),
        }
    }
}

/// `COLLATE` among a column's attributes belongs to its type.
fn set_collation(ty: &mut DataType, collation: Name) {
    match ty {
        DataType::Char { charset, .. }
        | DataType::VarChar { charset, .. }
        | DataType::Text { charset, .. }
        | DataType::Enum { charset, .. }
        | DataType::Set { charset, .. } => charset.collation = Some(collation),
        _ => {}
    }
}
