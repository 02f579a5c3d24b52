//! FROM: tables, derived tables, joins.

use super::*;

/// What a parenthesis in FROM turned out to hold.
enum TableParens {
    Query(Box<Query>),
    Table(TableRef),
}

impl<'a> Parser<'a> {
    /// `table, table, ...`.
    pub(super) fn table_refs(&mut self) -> SqlResult<Vec<TableRef>> {
        self.list(|p| p.table_ref())
    }

    /// A table with all that is joined to it.
    pub(super) fn table_ref(&mut self) -> SqlResult<TableRef> {
        self.nested(|p| {
            let first = p.table_factor()?;
            p.joins(first)
        })
    }

    /// The joins that follow `left`.
    fn joins(&mut self, mut left: TableRef) -> SqlResult<TableRef> {
        while let Some((kind, natural)) = self.join_operator()? {
            self.taller()?;
            let right = self.table_factor()?;
            left = self.join(left, right, kind, natural)?;
        }
        Ok(left)
    }

    /// `left JOIN right` with its condition. Without one, joins behind it belong to `right` as long as conditions are
    /// left: `a JOIN b JOIN c ON x ON y` is `a JOIN (b JOIN c ON x) ON y`.
    fn join(
        &mut self,
        left: TableRef,
        right: TableRef,
        kind: JoinKind,
        natural: bool,
    ) -> SqlResult<TableRef> {
        let make = |left, right, condition| {
            TableRef::Join(Box::new(Join { left, right, kind, condition, parenthesized: false }))
        };
        if natural {
            return Ok(make(left, right, JoinCondition::Natural));
        }
        let mut right = right;
        loop {
            if let Some(condition) = self.join_condition()? {
                return Ok(make(left, right, condition));
            }
            let Some((next_kind, next_natural)) = self.join_operator()? else { break };
            right = self.nested(|p| {
                let third = p.table_factor()?;
                p.join(right, third, next_kind, next_natural)
            })?;
        }
        if matches!(kind, JoinKind::Left | JoinKind::Right) {
            return Err(self.unexpected());
        }
        // no condition after all: an inner join, and joins associate to the left
        Ok(rotate(left, right, kind))
    }

    /// `ON`, `USING` or nothing.
    fn join_condition(&mut self) -> SqlResult<Option<JoinCondition>> {
        if self.eat(Kw::ON) {
            return Ok(Some(JoinCondition::On(self.expr()?)));
        }
        if self.eat(Kw::USING) {
            return Ok(Some(JoinCondition::Using(self.paren_list(|p| p.name())?)));
        }
        Ok(None)
    }

    /// The join operator at hand, consumed.
    fn join_operator(&mut self) -> SqlResult<Option<(JoinKind, bool)>> {
        let natural = self.eat(Kw::NATURAL);
        let kind = match self.current() {
            Tok::Kw(Kw::JOIN) => JoinKind::Inner,
            Tok::Kw(Kw::INNER | Kw::CROSS) => {
                self.bump();
                JoinKind::Inner
            }
            Tok::Kw(Kw::STRAIGHT_JOIN) if !natural => {
                self.bump();
                return Ok(Some((JoinKind::Straight, false)));
            }
            Tok::Kw(Kw::LEFT | Kw::RIGHT) => {
                let left = self.bump().tok == Tok::Kw(Kw::LEFT);
                self.eat(Kw::OUTER);
                if left { JoinKind::Left } else { JoinKind::Right }
            }
            _ if natural => return Err(self.unexpected()),
            _ => return Ok(None),
        };
        self.expect(Kw::JOIN)?;
        Ok(Some((kind, natural)))
    }

    /// One operand of a join.
    fn table_factor(&mut self) -> SqlResult<TableRef> {
        if self.at_char(b'(') {
            return match self.table_parens()? {
                TableParens::Query(query) => self.derived(query, false),
                TableParens::Table(table) => Ok(table),
            };
        }
        if self.at_word("lateral") && self.peek() == Tok::Char(b'(') {
            return self.unsupported("LATERAL");
        }
        if self.at(Kw::JSON_TABLE) && self.peek() == Tok::Char(b'(') {
            return self.json_table();
        }
        if self.at_char(b'{') {
            self.bump();
            self.name()?;
            let table = self.table_ref()?;
            self.expect_char(b'}')?;
            return Ok(table);
        }
        let start = self.tok.span;
        let name = self.table_name()?;
        let span = self.since(start);
        if self.at(Kw::FOR) && self.peek() == Tok::Kw(Kw::SYSTEM_TIME) {
            return self.unsupported("SYSTEM_TIME");
        }
        let partitions = self.partitions()?;
        let alias = self.table_alias()?;
        let hints = self.index_hints()?;
        Ok(TableRef::Table(TableFactor { name, alias, partitions, hints, span }))
    }

    /// `PARTITION (a, b)` or nothing.
    pub(super) fn partitions(&mut self) -> SqlResult<Vec<Name>> {
        if self.eat(Kw::PARTITION) { self.paren_list(|p| p.name()) } else { Ok(Vec::new()) }
    }

    /// `[AS] alias` of a table.
    pub(super) fn table_alias(&mut self) -> SqlResult<Option<Name>> {
        if self.eat(Kw::AS) {
            return if self.at(Kw::WINDOW) {
                Err(self.unexpected())
            } else {
                Ok(Some(self.name_or_string()?))
            };
        }
        // words that are free but go on with the statement when they stand here
        let goes_on = match self.current() {
            Tok::Kw(Kw::WINDOW) => true,
            Tok::Kw(Kw::MINUS) => self.at_query_tail(),
            _ => false,
        };
        if goes_on || !self.at_name() { Ok(None) } else { Ok(Some(self.name()?)) }
    }

    /// What stands in a parenthesis of FROM.
    fn table_parens(&mut self) -> SqlResult<TableParens> {
        self.nested(|p| {
            let open = p.bump().span;
            if p.at_query_start() {
                let query = p.query_expression()?;
                p.expect_char(b')')?;
                return Ok(TableParens::Query(Box::new(query)));
            }
            let first = if p.at_char(b'(') {
                match p.table_parens()? {
                    TableParens::Query(query) if p.at_query_tail() => {
                        let query = p.continue_query(*query, open)?;
                        p.expect_char(b')')?;
                        return Ok(TableParens::Query(Box::new(query)));
                    }
                    TableParens::Query(query) if p.eat_char(b')') => return Ok(TableParens::Query(query)),
                    TableParens::Query(query) => p.derived(query, false)?,
                    TableParens::Table(table) => table,
                }
            } else {
                p.table_factor()?
            };
            let mut table = p.joins(first)?;
            while p.eat_char(b',') {
                p.taller()?;
                let right = p.table_ref()?;
                let (kind, condition) = (JoinKind::Inner, JoinCondition::None);
                table = TableRef::Join(Box::new(Join {
                    left: table,
                    right,
                    kind,
                    condition,
                    parenthesized: false,
                }));
            }
            p.expect_char(b')')?;
            if let TableRef::Join(join) = &mut table {
                join.parenthesized = true;
            }
            Ok(TableParens::Table(table))
        })
    }

    /// The alias of a derived table.
    fn derived(&mut self, query: Box<Query>, lateral: bool) -> SqlResult<TableRef> {
        let Some(alias) = self.table_alias()? else { return Err(self.unexpected()) };
        let columns = if self.at_char(b'(') { self.paren_list(|p| p.name())? } else { Vec::new() };
        Ok(TableRef::Derived { query, alias, columns, lateral })
    }

    /// `USE INDEX (...)` and so on, any number.
    fn index_hints(&mut self) -> SqlResult<Vec<IndexHint>> {
        let mut hints = Vec::new();
        loop {
            let kind = match self.current() {
                Tok::Kw(Kw::USE) => IndexHintKind::Use,
                Tok::Kw(Kw::FORCE) => IndexHintKind::Force,
                Tok::Kw(Kw::IGNORE) => IndexHintKind::Ignore,
                _ => return Ok(hints),
            };
            if !matches!(self.peek(), Tok::Kw(Kw::INDEX | Kw::KEY)) {
                return Ok(hints);
            }
            self.bump();
            self.bump();
            let mut scope = IndexHintScope::All;
            if self.eat(Kw::FOR) {
                scope = match self.bump().tok {
                    Tok::Kw(Kw::JOIN) => IndexHintScope::Join,
                    Tok::Kw(Kw::ORDER) => IndexHintScope::OrderBy,
                    Tok::Kw(Kw::GROUP) => IndexHintScope::GroupBy,
                    _ => return Err(self.unexpected()),
                };
                if scope != IndexHintScope::Join {
                    self.expect(Kw::BY)?;
                }
            }
            self.expect_char(b'(')?;
            let mut indexes = Vec::new();
            if !self.at_char(b')') || kind != IndexHintKind::Use {
                indexes = self.list(|p| if p.at(Kw::PRIMARY) { p.take_name() } else { p.name() })?;
            }
            self.expect_char(b')')?;
            hints.push(IndexHint { kind, scope, indexes });
        }
    }

    fn json_table(&mut self) -> SqlResult<TableRef> {
        self.bump();
        self.expect_char(b'(')?;
        let expr = self.nested(|p| p.expr())?;
        self.expect_char(b',')?;
        let path = self.string_bytes()?;
        let columns = self.json_columns()?;
        self.expect_char(b')')?;
        let Some(alias) = self.table_alias()? else { return Err(SqlError::json_table_needs_alias()) };
        Ok(TableRef::JsonTable(Box::new(JsonTable { expr, path, columns, alias })))
    }

    fn json_columns(&mut self) -> SqlResult<Vec<JsonColumn>> {
        self.expect(Kw::COLUMNS)?;
        self.nested(|p| p.paren_list(|p| p.json_column()))
    }

    fn json_column(&mut self) -> SqlResult<JsonColumn> {
        if self.at(Kw::NESTED) && matches!(self.peek(), Tok::Kw(Kw::PATH) | Tok::Str) {
            self.bump();
            self.eat(Kw::PATH);
            let path = self.string_bytes()?;
            return Ok(JsonColumn::Nested { path, columns: self.json_columns()? });
        }
        let name = self.name()?;
        if self.eat(Kw::FOR) {
            self.expect(Kw::ORDINALITY)?;
            return Ok(JsonColumn::Ordinality(name));
        }
        let ty = self.data_type()?.ty;
        let exists = self.eat(Kw::EXISTS);
        self.expect(Kw::PATH)?;
        let path = self.string_bytes()?;
        let (mut on_empty, mut on_error) = (JsonFallback::Null, JsonFallback::Null);
        loop {
            let fallback = match self.current() {
                Tok::Kw(Kw::NULL) => {
                    self.bump();
                    JsonFallback::Null
                }
                Tok::Kw(Kw::ERROR) => {
                    self.bump();
                    JsonFallback::Error
                }
                Tok::Kw(Kw::DEFAULT) => {
                    self.bump();
                    JsonFallback::Default(self.string_bytes()?)
                }
                _ => break,
            };
            self.expect(Kw::ON)?;
            if self.eat(Kw::EMPTY) {
                on_empty = fallback;
            } else {
                self.expect(Kw::ERROR)?;
                on_error = fallback;
            }
        }
        Ok(JsonColumn::Path { name, ty, path, exists, on_empty, on_error })
    }
}

/// `left JOIN (a JOIN b ...)` without a condition of its own as `(left JOIN a) JOIN b ...`.
fn rotate(left: TableRef, right: TableRef, kind: JoinKind) -> TableRef {
    match right {
        TableRef::Join(inner) if !inner.parenthesized => {
            let Join { left: first, right, kind: inner_kind, condition, parenthesized } = *inner;
            let left = rotate(left, first, kind);
            TableRef::Join(Box::new(Join { left, right, kind: inner_kind, condition, parenthesized }))
        }
        right => {
            let condition = JoinCondition::None;
            TableRef::Join(Box::new(Join { left, right, kind, condition, parenthesized: false }))
        }
    }
}
