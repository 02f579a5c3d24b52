//! SELECT, set operations, WITH, and what may follow them.

use super::*;

impl<'a> Parser<'a> {
    /// A query starts here (a parenthesis is not looked into).
    pub(super) fn at_query_start(&mut self) -> bool {
        match self.current() {
            Tok::Kw(Kw::SELECT | Kw::WITH) => true,
            Tok::Kw(Kw::VALUES) => self.peek() == Tok::Char(b'(') && !self.on_duplicate,
            _ => false,
        }
    }

    /// Something that only goes on with a query stands here.
    pub(super) fn at_query_tail(&mut self) -> bool {
        self.at_set_operator() || self.at_any(&[Kw::ORDER, Kw::LIMIT, Kw::FETCH, Kw::OFFSET, Kw::INTO])
    }

    fn at_set_operator(&mut self) -> bool {
        match self.current() {
            Tok::Kw(Kw::UNION | Kw::EXCEPT | Kw::INTERSECT) => true,
            // a free word of ours: an operator only where a query can follow
            Tok::Kw(Kw::MINUS) => matches!(self.peek(), Tok::Kw(Kw::SELECT | Kw::VALUES) | Tok::Char(b'(')),
            _ => false,
        }
    }

    /// A whole query.
    pub(super) fn query_expression(&mut self) -> SqlResult<Query> {
        self.nested(|p| {
            p.queries += 1;
            let start = p.tok.span;
            let with = if p.at(Kw::WITH) { Some(p.with()?) } else { None };
            let mut into = None;
            let body = p.query_body(&mut into)?;
            let query = p.finish_query(start, with, body, into);
            p.queries -= 1;
            query
        })
    }

    /// The query of a definition, which has no INTO.
    pub(super) fn query_within(&mut self) -> SqlResult<Query> {
        self.queries += 1;
        let query = self.query_expression();
        self.queries -= 1;
        query
    }

    /// Goes on behind a parenthesised query with set operations, ORDER BY and so on.
    pub(super) fn continue_query(&mut self, first: Query, start: Span) -> SqlResult<Query> {
        let body = self.set_operations(nest(first), &mut None, false)?;
        self.finish_query(start, None, body, None)
    }

    /// `PROCEDURE ANALYSE(...)` behind a statement's outermost query.
    fn procedure(&mut self) -> SqlResult<Query> {
        if self.queries > 1 {
            return Err(self.unexpected());
        }
        self.bump();
        let name = self.name()?;
        self.expect_char(b'(')?;
        let arguments = if self.at_char(b')') { Vec::new() } else { self.list(|p| p.expr())? };
        self.expect_char(b')')?;
        if arguments.iter().any(Expr::has_subquery) {
            return Err(SqlError::subqueries_not_supported("PROCEDURE"));
        }
        match name.eq_ignore_ascii_case("analyse") {
            true => self.unsupported("PROCEDURE ANALYSE"),
            false => Err(SqlError::unknown_procedure(name)),
        }
    }

    fn finish_query(
        &mut self,
        start: Span,
        with: Option<With>,
        body: QueryBody,
        into: Option<SelectInto>,
    ) -> SqlResult<Query> {
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        if self.at(Kw::PROCEDURE) {
            return self.procedure();
        }
        let mut query =
            Query { with, body, order_by, limit, locking: None, into, into_last: false, span: start };
        for before_locking in [true, false] {
            if query.into.is_none() && self.at_into() {
                query.into = Some(self.select_into()?);
                query.into_last = true;
            }
            if before_locking {
                query.locking = self.locking()?;
            }
        }
        query.into_last |= query.into.is_some() && !matches!(query.body, QueryBody::Select(_));
        query.span = self.since(start);
        Ok(unwrap_nested(query))
    }

    fn with(&mut self) -> SqlResult<With> {
        self.bump();
        let recursive = self.eat(Kw::RECURSIVE);
        let ctes = self.list(|p| {
            let name = p.name()?;
            let columns = if p.at_char(b'(') { p.paren_list(|p| p.name())? } else { Vec::new() };
            p.expect(Kw::AS)?;
            p.expect_char(b'(')?;
            let query = Box::new(p.query_expression()?);
            p.expect_char(b')')?;
            let mut cycle = Vec::new();
            if recursive && p.eat(Kw::CYCLE) {
                cycle = p.list(|p| p.name())?;
                p.expect(Kw::RESTRICT)?;
            }
            Ok(Cte { name, columns, query, cycle })
        })?;
        Ok(With { recursive, ctes })
    }

    fn query_body(&mut self, into: &mut Option<SelectInto>) -> SqlResult<QueryBody> {
        let first = self.query_primary(into)?;
        self.set_operations(first, into, false)
    }

    /// `UNION`, `EXCEPT` from left to right; `INTERSECT` first, unless the mode is Oracle's.
    fn set_operations(
        &mut self,
        first: QueryBody,
        into: &mut Option<SelectInto>,
        intersect_only: bool,
    ) -> SqlResult<QueryBody> {
        let mut rest: Vec<SetOperation> = Vec::new();
        while self.at_set_operator() {
            if into.is_some() {
                return Err(self.unexpected());
            }
            let op = match self.current() {
                Tok::Kw(Kw::UNION) => SetOperator::Union,
                Tok::Kw(Kw::INTERSECT) => SetOperator::Intersect,
                _ => SetOperator::Except,
            };
            if intersect_only && op != SetOperator::Intersect {
                break;
            }
            // It binds tighter: the last operand goes into a chain of its own, unless it stands first anyway.
            let behind = !self.options.mode.oracle
                && rest.iter().any(|operation| operation.op != SetOperator::Intersect);
            if op == SetOperator::Intersect
                && behind
                && let Some(last) = rest.pop()
            {
                let body = self.set_operations(last.body, into, true)?;
                rest.push(SetOperation { body, ..last });
                continue;
            }
            self.bump();
            let all = self.eat(Kw::ALL);
            if !all {
                self.eat(Kw::DISTINCT);
            }
            let body = self.query_primary(into)?;
            rest.push(SetOperation { op, all, body });
        }
        Ok(if rest.is_empty() { first } else { QueryBody::SetOps { first: Box::new(first), rest } })
    }

    fn query_primary(&mut self, into: &mut Option<SelectInto>) -> SqlResult<QueryBody> {
        match self.current() {
            Tok::Kw(Kw::SELECT) => Ok(QueryBody::Select(Box::new(self.select(into)?))),
            Tok::Kw(Kw::VALUES) => {
                self.bump();
                Ok(QueryBody::Values(self.value_rows()?))
            }
            Tok::Char(b'(') => {
                self.bump();
                let query = self.query_expression()?;
                self.expect_char(b')')?;
                Ok(nest(query))
            }
            _ => Err(self.unexpected()),
        }
    }

    /// `(..), (..)` of VALUES.
    pub(super) fn value_rows(&mut self) -> SqlResult<Vec<Vec<Expr>>> {
        self.list(|p| {
            p.expect_char(b'(')?;
            if p.eat_char(b')') {
                return Ok(Vec::new());
            }
            let row = p.nested(|p| p.list(|p| p.expr_or_default()))?;
            p.expect_char(b')')?;
            Ok(row)
        })
    }

    fn select(&mut self, into: &mut Option<SelectInto>) -> SqlResult<Select> {
        let start = self.bump().span;
        let options = self.select_options()?;
        let items = self.select_items()?;
        if into.is_none() && self.at_into() {
            *into = Some(self.select_into()?);
        }
        let mut select = Select { options, items, ..Select::default() };
        if self.eat(Kw::FROM) && !self.eat(Kw::DUAL) {
            select.from = self.table_refs()?;
        }
        if self.eat(Kw::WHERE) {
            select.filter = Some(self.expr()?);
        }
        if self.at(Kw::GROUP) {
            self.bump();
            self.expect(Kw::BY)?;
            select.group_by = self.order_items()?;
            select.rollup = self.rollup()?;
        }
        if self.eat(Kw::HAVING) {
            select.having = Some(self.expr()?);
        }
        if self.at(Kw::WINDOW) {
            self.bump();
            select.windows = self.list(|p| {
                let name = p.name()?;
                p.expect(Kw::AS)?;
                Ok((name, p.window_spec()?))
            })?;
        }
        select.span = self.since(start);
        Ok(select)
    }

    fn rollup(&mut self) -> SqlResult<bool> {
        if self.at(Kw::WITH) && matches!(self.peek(), Tok::Kw(Kw::ROLLUP | Kw::CUBE)) {
            self.bump();
            if self.at(Kw::CUBE) {
                return self.unsupported("CUBE");
            }
            self.bump();
            return Ok(true);
        }
        Ok(false)
    }

    fn select_options(&mut self) -> SqlResult<SelectOptions> {
        let mut options = SelectOptions::default();
        loop {
            let Tok::Kw(kw) = self.tok.tok else { return Ok(options) };
            match kw {
                Kw::DISTINCT | Kw::DISTINCTROW | Kw::UNIQUE => options.distinct = true,
                Kw::ALL => options.all = true,
                Kw::STRAIGHT_JOIN => options.straight_join = true,
                Kw::HIGH_PRIORITY => options.high_priority = true,
                Kw::SQL_SMALL_RESULT => options.small_result = true,
                Kw::SQL_BIG_RESULT => options.big_result = true,
                Kw::SQL_BUFFER_RESULT => options.buffer_result = true,
                Kw::SQL_CALC_FOUND_ROWS => options.calc_found_rows = true,
                Kw::SQL_NO_CACHE if options.cache == Some(true) => {
                    return Err(SqlError::wrong_usage("SQL_NO_CACHE", "SQL_CACHE"));
                }
                Kw::SQL_CACHE if options.cache == Some(false) => {
                    return Err(SqlError::wrong_usage("SQL_CACHE", "SQL_NO_CACHE"));
                }
                Kw::SQL_NO_CACHE => options.cache = Some(false),
                Kw::SQL_CACHE => options.cache = Some(true),
                _ => return Ok(options),
            }
            self.bump();
            if options.distinct && options.all {
                return Err(SqlError::wrong_usage("ALL", "DISTINCT"));
            }
        }
    }

    /// The list of SELECT and RETURNING.
    pub(super) fn select_items(&mut self) -> SqlResult<Vec<SelectItem>> {
        if self.eat_char(b'*') {
            let mut items = vec![SelectItem::Star];
            while self.eat_char(b',') {
                items.push(self.select_item()?);
            }
            return Ok(items);
        }
        self.list(|p| p.select_item())
    }

    fn select_item(&mut self) -> SqlResult<SelectItem> {
        if self.at_name()
            && self.peek() == Tok::Char(b'.')
            && let Some(table) = self.table_star()?
        {
            return Ok(SelectItem::TableStar(table));
        }
        let start = self.tok.span;
        let expr = self.expr()?;
        let words = self.since(start);
        let alias = self.select_alias()?;
        let name = match &alias {
            Some(alias) => visible(alias).to_owned(),
            None => self.column_name(&expr, words),
        };
        Ok(SelectItem::Expr { expr, alias, name })
    }

    /// `[database.]table.*`, or nothing consumed.
    fn table_star(&mut self) -> SqlResult<Option<TableName>> {
        let mark = self.mark();
        let first = self.take_name()?;
        self.bump();
        if self.eat_char(b'*') {
            return Ok(Some(TableName { database: None, name: first }));
        }
        if self.at_name() && self.peek() == Tok::Char(b'.') {
            let name = self.take_name()?;
            self.bump();
            if self.eat_char(b'*') {
                return Ok(Some(TableName { database: Some(first), name }));
            }
        }
        self.rewind(mark);
        Ok(None)
    }

    /// `[AS] alias`, where a string may stand too.
    pub(super) fn select_alias(&mut self) -> SqlResult<Option<Name>> {
        if self.eat(Kw::AS) {
            return if self.tok.tok == Tok::Str {
                Ok(Some(self.alias_string()?))
            } else {
                Ok(Some(self.name()?))
            };
        }
        match self.current() {
            Tok::Str => Ok(Some(self.alias_string()?)),
            // words that would rather go on with the statement
            Tok::Kw(Kw::MINUS) if self.at_set_operator() => Ok(None),
            Tok::Kw(Kw::SOUNDS | Kw::ESCAPE) => Ok(None),
            _ if self.at_name() => Ok(Some(self.name()?)),
            _ => Ok(None),
        }
    }

    fn alias_string(&mut self) -> SqlResult<Name> {
        self.string()
    }

    /// A column's name by MariaDB's rules, where it has no alias.
    fn column_name(&self, expr: &Expr, words: Span) -> Name {
        let plain = match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Plus, expr: inner } => return self.column_name(inner, inner.span),
            ExprKind::Column(column) => return column.column.clone(),
            ExprKind::Literal(Literal::Str(s)) => s.name(),
            ExprKind::Literal(Literal::Null) => return "NULL".to_owned(),
            ExprKind::Literal(Literal::Bool(true)) => return "TRUE".to_owned(),
            ExprKind::Literal(Literal::Bool(false)) => return "FALSE".to_owned(),
            ExprKind::Literal(Literal::Int(_) | Literal::Decimal(_) | Literal::Float(_)) => {
                let text = self.words(words);
                return text.trim_matches(|c: char| matches!(c, '(' | ')') || c.is_whitespace()).to_owned();
            }
            ExprKind::Function(call)
                if call.name == "name_const"
                    && call
                        .args
                        .first()
                        .is_some_and(|name| name.kind != ExprKind::Literal(Literal::Null)) =>
            {
                return self.column_name(&call.args[0], call.args[0].span);
            }
            _ => self.words(words),
        };
        clipped(visible(&plain))
    }

    /// `ORDER BY ...` or nothing.
    pub(super) fn order_by(&mut self) -> SqlResult<Vec<OrderItem>> {
        if !self.at(Kw::ORDER) {
            return Ok(Vec::new());
        }
        self.bump();
        self.expect(Kw::BY)?;
        self.order_items()
    }

    pub(super) fn order_items(&mut self) -> SqlResult<Vec<OrderItem>> {
        self.list(|p| p.order_item())
    }

    /// `expr [ASC | DESC]`.
    pub(super) fn order_item(&mut self) -> SqlResult<OrderItem> {
        let expr = self.expr()?;
        let desc = self.eat(Kw::DESC);
        if !desc {
            self.eat(Kw::ASC);
        }
        Ok(OrderItem { expr, desc })
    }

    /// `LIMIT`, or `OFFSET ... FETCH`, or nothing.
    pub(super) fn limit(&mut self) -> SqlResult<Option<Limit>> {
        let mut limit = Limit::default();
        if self.eat(Kw::LIMIT) {
            if self.eat_two(Kw::ROWS, Kw::EXAMINED) {
                limit.rows_examined = Some(self.limit_value()?);
                return Ok(Some(limit));
            }
            let first = self.limit_value()?;
            if self.eat_char(b',') {
                limit.offset = Some(first);
                limit.count = Some(self.limit_value()?);
            } else {
                limit.count = Some(first);
                if self.eat(Kw::OFFSET) {
                    limit.offset = Some(self.limit_value()?);
                }
            }
            if self.eat_two(Kw::ROWS, Kw::EXAMINED) {
                limit.rows_examined = Some(self.limit_value()?);
            }
            return Ok(Some(limit));
        }
        if self.eat(Kw::OFFSET) {
            limit.offset = Some(self.limit_value()?);
            if !self.eat(Kw::ROWS) {
                self.expect(Kw::ROW)?;
            }
            if !self.at(Kw::FETCH) {
                return Ok(Some(limit));
            }
        }
        if !self.eat(Kw::FETCH) {
            return Ok(None);
        }
        if !self.eat(Kw::FIRST) {
            self.expect(Kw::NEXT)?;
        }
        limit.count = Some(match self.current() {
            Tok::Kw(Kw::ROW | Kw::ROWS) => {
                Expr { kind: ExprKind::Literal(Literal::Int(1)), span: self.tok.span }
            }
            _ => self.limit_value()?,
        });
        if !self.eat(Kw::ROWS) {
            self.expect(Kw::ROW)?;
        }
        if self.eat(Kw::WITH) {
            self.expect(Kw::TIES)?;
            limit.with_ties = true;
        } else {
            self.expect(Kw::ONLY)?;
        }
        Ok(Some(limit))
    }

    /// A row count: a number, a parameter, a variable of a stored program.
    fn limit_value(&mut self) -> SqlResult<Expr> {
        let start = self.tok.span;
        let kind = match self.current() {
            Tok::Int => {
                let text = self.utf8(self.slice(start).to_vec())?;
                let Ok(count) = text.parse() else { return Err(self.unexpected()) };
                self.bump();
                ExprKind::Literal(Literal::Int(count))
            }
            Tok::Param => self.param()?,
            // A variable of a stored program, which there is none of.
            _ if self.at_name() => return Err(SqlError::undeclared_variable(self.name()?)),
            _ => return Err(self.unexpected()),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn locking(&mut self) -> SqlResult<Option<Locking>> {
        let exclusive = if self.eat_two(Kw::FOR, Kw::UPDATE) {
            true
        } else if self.eat_two(Kw::FOR, Kw::SHARE) {
            false
        } else if self.at(Kw::LOCK) && self.peek() == Tok::Kw(Kw::IN) {
            self.expect_all(&[Kw::LOCK, Kw::IN, Kw::SHARE, Kw::MODE])?;
            false
        } else {
            return Ok(None);
        };
        let of = if self.eat(Kw::OF) { self.list(|p| p.name())? } else { Vec::new() };
        let mut wait = self.lock_wait()?;
        if wait == LockWait::Default && self.eat(Kw::SKIP) {
            self.expect(Kw::LOCKED)?;
            wait = LockWait::SkipLocked;
        }
        Ok(Some(Locking { exclusive, wait, of }))
    }

    /// `WAIT n`, `NOWAIT` or nothing.
    pub(super) fn lock_wait(&mut self) -> SqlResult<LockWait> {
        if self.eat(Kw::NOWAIT) {
            return Ok(LockWait::NoWait);
        }
        if self.at(Kw::WAIT) && matches!(self.peek(), Tok::Int | Tok::Hex) {
            self.bump();
            return Ok(LockWait::Seconds(self.unsigned()?));
        }
        Ok(LockWait::Default)
    }

    /// `WAIT n`, `NOWAIT` or nothing, of a statement about tables themselves.
    pub(super) fn table_wait(&mut self) -> SqlResult<LockWait> {
        let wait = self.lock_wait()?;
        self.table_wait = match wait {
            LockWait::NoWait => Some(0),
            LockWait::Seconds(seconds) => Some(seconds),
            _ => self.table_wait,
        };
        Ok(wait)
    }

    /// INTO, which only the outermost query may have.
    fn at_into(&self) -> bool {
        self.queries == 1 && self.at(Kw::INTO)
    }

    fn select_into(&mut self) -> SqlResult<SelectInto> {
        self.bump();
        if self.eat(Kw::OUTFILE) {
            let path = self.string()?;
            let charset = self.optional_charset()?;
            return Ok(SelectInto::Outfile { path, charset, format: self.file_format()? });
        }
        if self.eat(Kw::DUMPFILE) {
            return Ok(SelectInto::Dumpfile(self.string()?));
        }
        Ok(SelectInto::Variables(self.list(|p| match p.current() {
            Tok::UserVar => Ok(IntoTarget::UserVar(p.user_variable_name()?)),
            _ => Ok(IntoTarget::Local(p.name()?)),
        })?))
    }
}

/// A query as an operand of a set operation or in parentheses: a bare body stays what it is.
fn nest(query: Query) -> QueryBody {
    let bare = query.with.is_none()
        && query.order_by.is_empty()
        && query.limit.is_none()
        && query.locking.is_none()
        && query.into.is_none();
    match query.body {
        QueryBody::Select(mut select) if bare => {
            select.parenthesized = true;
            QueryBody::Select(select)
        }
        QueryBody::Values(_) | QueryBody::Nested(_) if bare => query.body,
        _ => QueryBody::Nested(Box::new(query)),
    }
}

/// `(query)` with nothing around it is the query.
fn unwrap_nested(query: Query) -> Query {
    let alone = query.with.is_none()
        && query.order_by.is_empty()
        && query.limit.is_none()
        && query.locking.is_none()
        && query.into.is_none();
    match query.body {
        QueryBody::Nested(inner) if alone => *inner,
        body => Query { body, ..query },
    }
}

/// A name from its first visible character on.
fn visible(name: &str) -> &str {
    name.trim_start_matches(|c: char| c.is_whitespace() || c.is_control())
}

/// The bytes that a column's name has at most.
const NAME_BYTES: usize = 255;

/// As much of a name as there is a place for, in whole characters. Those beyond the 16-bit ones are shown as `?`.
fn clipped(name: &str) -> String {
    let mut bytes = 0;
    let beyond = name.char_indices().find(|(_, c)| {
        bytes += if c.len_utf8() > 3 { 1 } else { c.len_utf8() };
        bytes > NAME_BYTES
    });
    beyond.map_or(name, |(at, _)| &name[..at]).to_owned()
}
