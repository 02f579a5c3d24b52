//! INSERT, REPLACE, UPDATE, DELETE, LOAD DATA.

use super::*;

impl<'a> Parser<'a> {
    /// An expression, `DEFAULT` or `IGNORE` where a column's value stands.
    pub(super) fn expr_or_default(&mut self) -> SqlResult<Expr> {
        let span = self.tok.span;
        let kind = match self.current() {
            Tok::Kw(Kw::DEFAULT) if self.peek() != Tok::Char(b'(') => ExprKind::Default,
            Tok::Kw(Kw::IGNORE) => ExprKind::Ignore,
            _ => return self.expr(),
        };
        self.bump();
        Ok(Expr { kind, span })
    }

    fn assignment(&mut self) -> SqlResult<Assignment> {
        let column = self.column_ref()?;
        if self.tok.tok == Tok::Assign {
            self.bump();
        } else {
            self.expect_char(b'=')?;
        }
        Ok(Assignment { column, value: self.expr_or_default()? })
    }

    fn priority(&mut self) -> Priority {
        let priority = match self.current() {
            Tok::Kw(Kw::LOW_PRIORITY) => Priority::Low,
            Tok::Kw(Kw::HIGH_PRIORITY) => Priority::High,
            Tok::Kw(Kw::DELAYED) => Priority::Delayed,
            _ => return Priority::Normal,
        };
        self.bump();
        priority
    }

    /// `INSERT ...`, `REPLACE ...`.
    pub(super) fn insert(&mut self) -> SqlResult<Statement> {
        let replace = self.bump().tok == Tok::Kw(Kw::REPLACE);
        let priority = self.priority();
        let ignore = !replace && self.eat(Kw::IGNORE);
        self.eat(Kw::INTO);
        let table = self.table_name()?;
        let partitions = self.partitions()?;
        let mut insert = Insert {
            replace,
            priority,
            ignore,
            table,
            partitions,
            columns: Vec::new(),
            explicit_columns: false,
            source: InsertSource::Values(Vec::new()),
            row_alias: None,
            fills: false,
            on_duplicate: Vec::new(),
            returning: None,
        };
        self.insert_columns(&mut insert)?;
        self.insert_source(&mut insert)?;
        if !replace && self.eat(Kw::ON) {
            self.expect_all(&[Kw::DUPLICATE, Kw::KEY, Kw::UPDATE])?;
            self.on_duplicate = true;
            let assignments = self.list(|p| p.assignment());
            self.on_duplicate = false;
            insert.on_duplicate = assignments?;
        }
        if self.eat(Kw::RETURNING) {
            insert.returning = Some(self.select_items()?);
        }
        Ok(Statement::Insert(Box::new(insert)))
    }

    /// `(columns)`, unless the parenthesis starts a query.
    fn insert_columns(&mut self, insert: &mut Insert) -> SqlResult<()> {
        if !self.at_char(b'(')
            || matches!(self.peek(), Tok::Kw(Kw::SELECT | Kw::WITH | Kw::VALUES) | Tok::Char(b'('))
        {
            return Ok(());
        }
        self.bump();
        insert.explicit_columns = true;
        if !self.at_char(b')') {
            insert.columns = self.list(|p| p.column_ref())?;
        }
        self.expect_char(b')')
    }

    fn insert_source(&mut self, insert: &mut Insert) -> SqlResult<()> {
        match self.current() {
            Tok::Kw(Kw::VALUES | Kw::VALUE) => {
                self.bump();
                insert.source = InsertSource::Values(self.value_rows()?);
                self.row_alias(insert)
            }
            Tok::Kw(Kw::SET) if !insert.explicit_columns => {
                self.bump();
                let mut row = Vec::new();
                for assignment in self.list(|p| p.assignment())? {
                    insert.columns.push(assignment.column);
                    row.push(assignment.value);
                }
                insert.explicit_columns = true;
                insert.source = InsertSource::Values(vec![row]);
                self.row_alias(insert)
            }
            Tok::Kw(Kw::SELECT | Kw::WITH) | Tok::Char(b'(') => {
                insert.source = InsertSource::Query(Box::new(self.query_expression()?));
                Ok(())
            }
            _ => Err(self.unexpected()),
        }
    }

    /// MySQL 8's `AS row(columns)`.
    fn row_alias(&mut self, insert: &mut Insert) -> SqlResult<()> {
        if insert.replace || !self.eat(Kw::AS) {
            return Ok(());
        }
        let name = self.name()?;
        let columns = if self.at_char(b'(') { self.paren_list(|p| p.name())? } else { Vec::new() };
        insert.row_alias = Some((name, columns));
        Ok(())
    }

    /// `UPDATE ...`.
    pub(super) fn update(&mut self) -> SqlResult<Statement> {
        self.bump();
        let priority = self.priority();
        let ignore = self.eat(Kw::IGNORE);
        let tables = self.table_refs()?;
        self.expect(Kw::SET)?;
        let assignments = self.list(|p| p.assignment())?;
        let filter = if self.eat(Kw::WHERE) { Some(self.expr()?) } else { None };
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        Ok(Statement::Update(Box::new(Update {
            priority,
            ignore,
            tables,
            assignments,
            filter,
            order_by,
            limit,
        })))
    }

    /// `DELETE ...`, all three forms.
    pub(super) fn delete(&mut self) -> SqlResult<Statement> {
        self.bump();
        let mut delete = Delete {
            priority: Priority::Normal,
            quick: false,
            ignore: false,
            targets: Vec::new(),
            from: Vec::new(),
            filter: None,
            order_by: Vec::new(),
            limit: None,
            returning: None,
        };
        loop {
            match self.current() {
                Tok::Kw(Kw::LOW_PRIORITY) => delete.priority = Priority::Low,
                Tok::Kw(Kw::QUICK) => delete.quick = true,
                Tok::Kw(Kw::IGNORE) => delete.ignore = true,
                _ => break,
            }
            self.bump();
        }
        if self.eat(Kw::HISTORY) {
            return self.unsupported("DELETE HISTORY");
        }
        if self.eat(Kw::FROM) {
            self.delete_from(&mut delete)?;
        } else {
            delete.targets = self.list(|p| p.delete_target())?;
            self.expect(Kw::FROM)?;
            delete.from = self.table_refs()?;
        }
        if self.eat(Kw::WHERE) {
            delete.filter = Some(self.expr()?);
        }
        if delete.targets.is_empty() {
            delete.order_by = self.order_by()?;
            delete.limit = self.limit()?;
            if self.eat(Kw::RETURNING) {
                delete.returning = Some(self.select_items()?);
            }
        }
        Ok(Statement::Delete(Box::new(delete)))
    }

    /// Behind `DELETE FROM`: one table, or targets with USING.
    fn delete_from(&mut self, delete: &mut Delete) -> SqlResult<()> {
        let start = self.tok.span;
        let first = self.delete_target()?;
        if self.at_char(b',') || self.at(Kw::USING) {
            delete.targets.push(first);
            while self.eat_char(b',') {
                delete.targets.push(self.delete_target()?);
            }
            self.expect(Kw::USING)?;
            delete.from = self.table_refs()?;
            return Ok(());
        }
        let span = self.since(start);
        let partitions = self.partitions()?;
        let alias = self.table_alias()?;
        delete.from =
            vec![TableRef::Table(TableFactor { name: first, alias, partitions, hints: Vec::new(), span })];
        Ok(())
    }

    /// `[database.]table[.*]`.
    fn delete_target(&mut self) -> SqlResult<TableName> {
        let mut name = TableName { database: None, name: self.name()? };
        while self.eat_char(b'.') {
            if self.eat_char(b'*') {
                break;
            }
            if name.database.is_some() {
                return Err(self.unexpected());
            }
            let table = self.name_after_point()?;
            name = TableName { database: Some(name.name), name: table };
        }
        Ok(name)
    }

    /// `LOAD DATA ...`.
    pub(super) fn load_data(&mut self) -> SqlResult<Statement> {
        self.bump();
        if self.at(Kw::XML) {
            return self.unsupported("LOAD XML");
        }
        self.expect(Kw::DATA)?;
        let priority = self.priority();
        self.eat(Kw::CONCURRENT);
        let local = self.eat(Kw::LOCAL);
        self.expect(Kw::INFILE)?;
        let path_span = self.tok.span;
        let path = self.string()?;
        let duplicates = match self.current() {
            Tok::Kw(Kw::REPLACE) => LoadDuplicates::Replace,
            Tok::Kw(Kw::IGNORE) => LoadDuplicates::Ignore,
            _ => LoadDuplicates::Error,
        };
        if duplicates != LoadDuplicates::Error {
            self.bump();
        }
        self.expect_all(&[Kw::INTO, Kw::TABLE])?;
        let table = self.table_name()?;
        let partitions = self.partitions()?;
        let charset = self.optional_charset()?;
        let format = self.file_format()?;
        let mut ignore_lines = 0;
        if self.eat(Kw::IGNORE) {
            ignore_lines = self.digits()?;
            if !self.eat(Kw::LINES) {
                self.expect(Kw::ROWS)?;
            }
        }
        let mut targets = Vec::new();
        if self.eat_char(b'(') {
            if !self.at_char(b')') {
                targets = self.list(|p| match p.current() {
                    Tok::UserVar => Ok(LoadTarget::UserVar(p.user_variable_name()?)),
                    _ => Ok(LoadTarget::Column(p.column_ref()?)),
                })?;
            }
            self.expect_char(b')')?;
        }
        let set = if self.eat(Kw::SET) { self.list(|p| p.assignment())? } else { Vec::new() };
        Ok(Statement::LoadData(Box::new(LoadData {
            priority,
            local,
            path,
            duplicates,
            table,
            partitions,
            charset,
            format,
            ignore_lines,
            targets,
            set,
            path_span,
        })))
    }

    /// `FIELDS ... LINES ...`.
    pub(super) fn file_format(&mut self) -> SqlResult<FileFormat> {
        let mut format = FileFormat::default();
        if self.eat(Kw::FIELDS) || self.eat(Kw::COLUMNS) {
            loop {
                match self.current() {
                    Tok::Kw(Kw::TERMINATED) => {
                        self.expect_all(&[Kw::TERMINATED, Kw::BY])?;
                        format.fields_terminated = Some(self.string_bytes()?);
                    }
                    Tok::Kw(Kw::OPTIONALLY | Kw::ENCLOSED) => {
                        format.optionally_enclosed = self.eat(Kw::OPTIONALLY);
                        self.expect_all(&[Kw::ENCLOSED, Kw::BY])?;
                        format.enclosed = Some(self.string_bytes()?);
                    }
                    Tok::Kw(Kw::ESCAPED) => {
                        self.expect_all(&[Kw::ESCAPED, Kw::BY])?;
                        format.escaped = Some(self.string_bytes()?);
                    }
                    _ => break,
                }
            }
        }
        if self.eat(Kw::LINES) {
            loop {
                match self.current() {
                    Tok::Kw(Kw::TERMINATED) => {
                        self.expect_all(&[Kw::TERMINATED, Kw::BY])?;
                        format.lines_terminated = Some(self.string_bytes()?);
                    }
                    Tok::Kw(Kw::STARTING) => {
                        self.expect_all(&[Kw::STARTING, Kw::BY])?;
                        format.lines_starting = Some(self.string_bytes()?);
                    }
                    _ => break,
                }
            }
        }
        Ok(format)
    }
}
