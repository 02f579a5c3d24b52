//! Operands: constants, names, variables, parentheses, CASE.

use super::call::is_reserved_name;
use super::expr::{Interval, Level, Parens};
use super::oracle::Schema;
use super::*;
use types::{DateMode, DateTime, Time};

impl<'a> Parser<'a> {
    /// One operand.
    pub(super) fn primary(&mut self) -> SqlResult<Expr> {
        let start = self.tok.span;
        let kind = match self.current() {
            Tok::Int | Tok::Decimal | Tok::Float => self.number()?,
            Tok::Str | Tok::NStr | Tok::Introducer if self.at_string() => self.string_constant()?,
            Tok::HexStr | Tok::Hex | Tok::BitStr | Tok::Bit => ExprKind::Literal(self.radix_constant(None)),
            Tok::Param => self.param()?,
            Tok::NullEscape => {
                self.bump();
                ExprKind::Literal(Literal::Null)
            }
            Tok::UserVar => self.user_variable()?,
            Tok::AtAt => self.system_variable()?,
            Tok::Char(b'{') => return self.odbc_escape(),
            Tok::Char(b'.') => ExprKind::Column(self.column_ref()?),
            Tok::Kw(kw) => return self.keyword_operand(kw),
            Tok::Word | Tok::Quoted => return self.named_operand(),
            // It is no name: what comes next is the fault.
            Tok::Introducer => {
                self.bump();
                return Err(self.unexpected());
            }
            _ => return Err(self.unexpected()),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `(...)` as an operand.
    pub(super) fn paren_operand(&mut self) -> SqlResult<Expr> {
        let open = self.tok.span;
        let parens = self.parens()?;
        Ok(self.paren_expr(parens, open))
    }

    /// A string starts here, perhaps with an introducer.
    fn at_string(&mut self) -> bool {
        match self.current() {
            Tok::Introducer => {
                matches!(self.peek(), Tok::Str | Tok::HexStr | Tok::Hex | Tok::BitStr | Tok::Bit)
            }
            _ => true,
        }
    }

    /// The parameter that a literal here was lifted to, if it was.
    fn lifted(&mut self) -> Option<ExprKind> {
        let at = self.options.lifted.binary_search(&self.tok.span.start).ok()?;
        self.params += 1;
        Some(ExprKind::Param(at as u32))
    }

    fn number(&mut self) -> SqlResult<ExprKind> {
        if let Some(param) = self.lifted() {
            self.bump();
            return Ok(param);
        }
        let token = self.bump();
        let text = self.utf8(self.slice(token.span).to_vec())?;
        Ok(ExprKind::Literal(match token.tok {
            Tok::Int => text.parse().map(Literal::Int).unwrap_or(Literal::Decimal(text)),
            Tok::Decimal => Literal::Decimal(text),
            _ => Literal::Float(text),
        }))
    }

    fn string_constant(&mut self) -> SqlResult<ExprKind> {
        if let Some(param) = self.lifted() {
            self.bump();
            return Ok(param);
        }
        let (mut charset, mut national) = (None, false);
        if self.tok.tok == Tok::Introducer {
            let token = self.bump();
            let name = &self.slice(token.span)[1..];
            charset = Some(String::from_utf8_lossy(name).to_ascii_lowercase());
            if self.tok.tok != Tok::Str {
                return Ok(ExprKind::Literal(self.radix_constant(charset)));
            }
        }
        let first = self.bump();
        let mut raw = self.slice(first.span);
        if first.tok == Tok::NStr {
            charset = Some("utf8mb3".to_owned());
            national = true;
            raw = &raw[1..];
        }
        let mut bytes = literal::unescape(raw, self.options.mode);
        while self.tok.tok == Tok::Str {
            let next = self.bump();
            bytes.extend(literal::unescape(self.slice(next.span), self.options.mode));
        }
        if bytes.is_empty() && self.options.mode.empty_string_is_null {
            return Ok(ExprKind::Literal(Literal::Null));
        }
        Ok(ExprKind::Literal(Literal::Str(StrLiteral { bytes, charset, national })))
    }

    /// `x'..'`, `0x..`, `b'..'`, `0b..`.
    fn radix_constant(&mut self, charset: Option<Name>) -> Literal {
        let token = self.bump();
        let raw = self.slice(token.span);
        let quoted = matches!(token.tok, Tok::HexStr | Tok::BitStr);
        let digits = if quoted { &raw[2..raw.len() - 1] } else { &raw[2..] };
        match token.tok {
            Tok::HexStr | Tok::Hex => Literal::Hex { bytes: literal::hex_bytes(digits), quoted, charset },
            _ => Literal::Bit { bytes: literal::bit_bytes(digits), charset },
        }
    }

    /// `?`.
    pub(super) fn param(&mut self) -> SqlResult<ExprKind> {
        if !self.options.params {
            return Err(self.unexpected());
        }
        if self.params >= MAX_PARAMS {
            return Err(SqlError::too_many_placeholders());
        }
        self.bump();
        self.params += 1;
        Ok(ExprKind::Param(self.params - 1))
    }

    /// The name in a `@name` token.
    pub(super) fn user_variable_name(&mut self) -> SqlResult<Name> {
        if self.tok.tok != Tok::UserVar {
            return Err(self.unexpected());
        }
        let token = self.bump();
        let raw = &self.slice(token.span)[1..];
        let bytes = match raw.first() {
            Some(b'`') => literal::unquote_name(raw),
            Some(b'\'' | b'"') => literal::unescape(raw, self.options.mode),
            _ => raw.to_vec(),
        };
        self.utf8(bytes)
    }

    /// A variable's name, of one character at least.
    pub(super) fn named_user_variable(&mut self) -> SqlResult<Name> {
        let name = self.user_variable_name()?;
        if name.is_empty() { Err(self.unexpected()) } else { Ok(name) }
    }

    fn user_variable(&mut self) -> SqlResult<ExprKind> {
        let name = self.named_user_variable()?;
        if self.tok.tok != Tok::Assign {
            return Ok(ExprKind::UserVar(name));
        }
        self.bump();
        Ok(ExprKind::AssignUserVar { name, value: self.inner()? })
    }

    fn system_variable(&mut self) -> SqlResult<ExprKind> {
        self.bump();
        let scope = match self.current() {
            Tok::Kw(_) | Tok::Word if self.peek() == Tok::Char(b'.') => self.scope_word(),
            _ => None,
        };
        if scope.is_some() {
            self.bump();
            self.expect_char(b'.')?;
        }
        let mut name = self.name()?;
        let mut base = None;
        if self.eat_char(b'.') {
            base = Some(std::mem::replace(&mut name, self.name_after_point()?));
        }
        Ok(ExprKind::SysVar(SysVar { scope, base, name }))
    }

    /// The scope that the current word means.
    pub(super) fn scope_word(&self) -> Option<VarScope> {
        let raw = self.slice(self.tok.span).to_ascii_lowercase();
        match raw.as_slice() {
            b"global" => Some(VarScope::Global),
            b"session" | b"local" => Some(VarScope::Session),
            b"persist" | b"persist_only" => Some(VarScope::Persist),
            _ => None,
        }
    }

    /// What stands in parentheses: a query, or expressions.
    pub(super) fn parens(&mut self) -> SqlResult<Parens> {
        self.nested(|p| {
            let open = p.bump().span;
            if p.at_query_start() {
                let query = p.query_expression()?;
                p.expect_char(b')')?;
                return Ok(Parens::Query(Box::new(query)));
            }
            if !p.at_char(b'(') {
                let list = p.list(|p| p.expr())?;
                p.expect_char(b')')?;
                return Ok(Parens::Exprs(list));
            }
            let inner_open = p.tok.span;
            let inner = match p.parens()? {
                Parens::Query(query) if p.at_query_tail() => {
                    let query = p.continue_query(*query, open)?;
                    p.expect_char(b')')?;
                    return Ok(Parens::Query(Box::new(query)));
                }
                Parens::Query(query) if p.at_char(b')') => {
                    p.bump();
                    return Ok(Parens::Query(query));
                }
                inner => {
                    let inner = p.paren_expr(inner, inner_open);
                    p.with_collations(inner)?
                }
            };
            let first = p.continue_expr(inner, Level::Or)?;
            let mut list = vec![first];
            while p.eat_char(b',') {
                list.push(p.expr()?);
            }
            p.expect_char(b')')?;
            Ok(Parens::Exprs(list))
        })
    }

    /// Parentheses as an operand.
    pub(super) fn paren_expr(&mut self, parens: Parens, open: Span) -> Expr {
        let span = self.since(open);
        match parens {
            Parens::Query(query) => Expr { kind: ExprKind::Subquery(query), span },
            Parens::Exprs(mut list) if list.len() == 1 => Expr { kind: list.remove(0).kind, span },
            Parens::Exprs(list) => Expr { kind: ExprKind::Row(list), span },
        }
    }

    /// `(query)`.
    pub(super) fn subquery(&mut self) -> SqlResult<Query> {
        if !self.at_char(b'(') {
            return Err(self.unexpected());
        }
        match self.parens()? {
            Parens::Query(query) => Ok(*query),
            Parens::Exprs(_) => Err(self.unexpected()),
        }
    }

    /// `{d '..'}`, `{t '..'}`, `{ts '..'}`, `{fn expr}`; text that is none of the kind stays text.
    fn odbc_escape(&mut self) -> SqlResult<Expr> {
        let start = self.bump().span;
        let word = self.name()?.to_ascii_lowercase();
        let value = self.nested(|p| p.expr())?;
        self.expect_char(b'}')?;
        let text = match &value.kind {
            ExprKind::Literal(Literal::Str(s)) => std::str::from_utf8(&s.bytes).ok().map(str::to_owned),
            _ => None,
        };
        let written = |text: &String| {
            let parsed = DateTime::parse(text.as_bytes(), DateMode::default());
            parsed.value.filter(|_| !parsed.truncated).map(|_| parsed.has_time)
        };
        let text = text.filter(|text| match word.as_str() {
            "d" => written(text) == Some(false),
            "ts" => written(text) == Some(true),
            _ => {
                let dated = text.trim_start().trim_start_matches('-').contains('-');
                let parsed = Time::parse(text.as_bytes());
                !dated && parsed.value.is_some() && !parsed.truncated
            }
        });
        let kind = match (word.as_str(), text) {
            ("d", Some(text)) => ExprKind::Literal(Literal::Date(text)),
            ("t", Some(text)) => ExprKind::Literal(Literal::Time(text)),
            ("ts", Some(text)) => ExprKind::Literal(Literal::Timestamp(text)),
            _ => value.kind,
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// An operand that begins with a keyword.
    fn keyword_operand(&mut self, kw: Kw) -> SqlResult<Expr> {
        let start = self.tok.span;
        let kind = match kw {
            Kw::NULL => self.constant(Literal::Null),
            Kw::TRUE => self.constant(Literal::Bool(true)),
            Kw::FALSE => self.constant(Literal::Bool(false)),
            Kw::CASE => self.case()?,
            Kw::EXISTS => {
                self.bump();
                ExprKind::Exists(Box::new(self.subquery()?))
            }
            Kw::INTERVAL => return self.interval_operand(),
            Kw::ROW if self.peek() == Tok::Char(b'(') => {
                self.bump();
                let mut list = self.nested(|p| p.paren_list(|p| p.expr()))?;
                if list.len() == 1 { list.remove(0).kind } else { ExprKind::Row(list) }
            }
            Kw::DEFAULT if self.peek() == Tok::Char(b'(') => {
                self.bump();
                ExprKind::DefaultOf(self.paren_column()?)
            }
            // VALUE stands anywhere, and is NULL where no row is inserted.
            Kw::VALUES | Kw::VALUE
                if (kw == Kw::VALUE || self.on_duplicate) && self.peek() == Tok::Char(b'(') =>
            {
                self.bump();
                ExprKind::ValuesOf(self.paren_column()?)
            }
            Kw::MATCH => self.full_text_match()?,
            Kw::DATE | Kw::TIME | Kw::TIMESTAMP if self.peek() == Tok::Str => self.temporal_constant(kw)?,
            Kw::NEXT | Kw::PREVIOUS if self.peek() == Tok::Kw(Kw::VALUE) => {
                self.bump();
                self.bump();
                self.expect(Kw::FOR)?;
                ExprKind::Sequence { next: kw == Kw::NEXT, name: self.table_name()? }
            }
            _ if self.at_keyword_call(kw) => return self.keyword_call(kw),
            // Where a function may begin it is the parenthesis that is missing.
            _ if is_reserved_name(kw) || kw == Kw::DEFAULT => {
                self.bump();
                return Err(self.unexpected());
            }
            _ if kw.is_reserved() => return Err(self.unexpected()),
            _ => return self.named_operand(),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn constant(&mut self, literal: Literal) -> ExprKind {
        self.bump();
        ExprKind::Literal(literal)
    }

    /// `(column)`.
    fn paren_column(&mut self) -> SqlResult<ColumnRef> {
        self.expect_char(b'(')?;
        let column = self.column_ref()?;
        self.expect_char(b')')?;
        Ok(column)
    }

    /// `DATE'..'` and its kin.
    fn temporal_constant(&mut self, kw: Kw) -> SqlResult<ExprKind> {
        self.bump();
        let text = self.string()?;
        // What is none is so before anything is looked up, and before the text goes wrong further on.
        let mode = self.options.dates;
        Ok(ExprKind::Literal(match kw {
            Kw::DATE => {
                mode.map(|mode| literal::date(&text, mode)).transpose()?;
                Literal::Date(text)
            }
            Kw::TIME => {
                literal::time(&text)?;
                Literal::Time(text)
            }
            _ => {
                mode.map(|mode| literal::timestamp(&text, mode)).transpose()?;
                Literal::Timestamp(text)
            }
        }))
    }

    /// `INTERVAL n unit + date`, or the function INTERVAL.
    fn interval_operand(&mut self) -> SqlResult<Expr> {
        let start = self.bump().span;
        match self.interval(start)? {
            Interval::Function(call) => Ok(call),
            Interval::Amount(amount, unit) => {
                self.expect_char(b'+')?;
                let date = Box::new(self.nested(|p| p.expr_at(Level::Product))?);
                let kind = ExprKind::DateArith { date, amount: Box::new(amount), unit, subtract: false };
                Ok(Expr { kind, span: self.since(start) })
            }
        }
    }

    fn case(&mut self) -> SqlResult<ExprKind> {
        self.bump();
        self.nested(|p| {
            let operand = if p.at(Kw::WHEN) { None } else { Some(Box::new(p.expr()?)) };
            let mut branches = Vec::new();
            while p.eat(Kw::WHEN) {
                let when = p.expr()?;
                p.expect(Kw::THEN)?;
                branches.push((when, p.expr()?));
            }
            if branches.is_empty() {
                return Err(p.unexpected());
            }
            let otherwise = if p.eat(Kw::ELSE) { Some(Box::new(p.expr()?)) } else { None };
            p.expect(Kw::END)?;
            Ok(ExprKind::Case { operand, branches, otherwise })
        })
    }

    fn full_text_match(&mut self) -> SqlResult<ExprKind> {
        self.bump();
        let paren = self.eat_char(b'(');
        let columns = self.list(|p| {
            let start = p.tok.span;
            let column = p.column_ref()?;
            Ok(Expr { kind: ExprKind::Column(column), span: p.since(start) })
        })?;
        if paren {
            self.expect_char(b')')?;
        }
        self.expect(Kw::AGAINST)?;
        self.expect_char(b'(')?;
        let against = Box::new(self.nested(|p| p.expr_at(Level::BitOr))?);
        let mut mode = MatchMode::Natural;
        if self.eat(Kw::IN) {
            if self.eat_word("boolean") {
                mode = MatchMode::Boolean;
            } else {
                self.expect(Kw::NATURAL)?;
                self.expect(Kw::LANGUAGE)?;
            }
            self.expect(Kw::MODE)?;
        }
        if mode == MatchMode::Natural && self.eat(Kw::WITH) {
            self.expect_all(&[Kw::QUERY, Kw::EXPANSION])?;
            mode = MatchMode::Expansion;
        }
        self.expect_char(b')')?;
        Ok(ExprKind::Match { columns, against, mode })
    }

    /// A column or a call by name.
    fn named_operand(&mut self) -> SqlResult<Expr> {
        let start = self.tok.span;
        let quoted = self.tok.tok == Tok::Quoted;
        if self.peek() == Tok::Char(b'(') {
            return self.function(quoted);
        }
        let first = self.take_name()?;
        if !self.at_char(b'.') {
            if self.options.mode.oracle && !quoted && first.eq_ignore_ascii_case("rownum") {
                return Ok(Expr { kind: ExprKind::Function(FunctionCall::row_number()), span: start });
            }
            let kind = ExprKind::Column(ColumnRef { database: None, table: None, column: first });
            return Ok(Expr { kind, span: start });
        }
        let column = self.column_ref_from(first)?;
        if self.at_char(b'(') && column.database.is_none() {
            if let Some(schema) = column.table.as_deref().and_then(Schema::named) {
                let kind = self.nested(|p| p.special_call(&column.column, schema))?;
                return Ok(Expr { kind, span: self.since(start) });
            }
            let args = self.call_args()?;
            let call = StoredCall { database: column.table, name: column.column, args, named: false };
            return Ok(Expr { kind: ExprKind::Stored(call), span: self.since(start) });
        }
        self.json_arrow(Expr { kind: ExprKind::Column(column), span: self.since(start) })
    }

    /// `column -> path`, `column ->> path`: MySQL's, unknown to MariaDB.
    fn json_arrow(&mut self, column: Expr) -> SqlResult<Expr> {
        let op = match self.current() {
            Tok::Arrow => BinaryOp::JsonExtract,
            Tok::ArrowText => BinaryOp::JsonUnquoteExtract,
            _ => return Ok(column),
        };
        self.bump();
        let start = self.tok.span;
        let kind = self.string_constant_or_fail()?;
        let path = Expr { kind, span: start };
        let span = self.since(column.span);
        Ok(Expr { kind: ExprKind::Binary { op, left: Box::new(column), right: Box::new(path) }, span })
    }

    fn string_constant_or_fail(&mut self) -> SqlResult<ExprKind> {
        if self.tok.tok == Tok::Str { self.string_constant() } else { Err(self.unexpected()) }
    }
}
