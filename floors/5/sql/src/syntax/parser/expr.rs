//! Operators: MariaDB's levels of precedence, from `:=` down to `COLLATE`.
//!
//! ```text
//! OR ||  <  XOR  <  AND &&  <  NOT  <  comparison, IS  <  predicate (IN BETWEEN LIKE REGEXP)
//!        <  |  <  &  <  << >>  <  + -  <  * / DIV % MOD  <  ^  <  - ~ (unary)  <  ! BINARY  <  COLLATE
//! ```

use super::oracle::Schema;
use super::*;

/// Levels, loosest first. The numbers order them; nothing else depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    Xor,
    And,
    Not,
    Comparison,
    Predicate,
    BitOr,
    BitAnd,
    Shift,
    Sum,
    Product,
    Power,
    Unary,
}

use Level::*;

impl Level {
    /// The next tighter one.
    fn tighter(self) -> Level {
        match self {
            Or => Xor,
            Xor => And,
            And => Not,
            Not => Comparison,
            Comparison => Predicate,
            Predicate => BitOr,
            BitOr => BitAnd,
            BitAnd => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Power,
            Power | Unary => Unary,
        }
    }
}

impl<'a> Parser<'a> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> SqlResult<Expr> {
        self.expr_at(Or)
    }

    /// An expression boxed, one level deeper.
    pub(super) fn inner(&mut self) -> SqlResult<Box<Expr>> {
        Ok(Box::new(self.nested(|p| p.expr())?))
    }

    /// An expression whose operators bind at least as tightly as `level`.
    pub(super) fn expr_at(&mut self, level: Level) -> SqlResult<Expr> {
        // What stands beside counts by the taller of both.
        let outside = std::mem::take(&mut self.height);
        let expr = self.whole_expr(level);
        self.height = outside.max(self.height + 1);
        expr
    }

    fn whole_expr(&mut self, level: Level) -> SqlResult<Expr> {
        let left = if level <= Not && self.at(Kw::NOT) && !self.options.mode.high_not_precedence {
            let start = self.bump().span;
            let expr = self.nested(|p| p.expr_at(Not))?;
            unary(UnaryOp::Not, start, expr)
        } else {
            self.unary_expr()?
        };
        self.continue_expr(left, level)
    }

    /// Goes on behind an operand that is already parsed.
    pub(super) fn continue_expr(&mut self, mut left: Expr, level: Level) -> SqlResult<Expr> {
        loop {
            let Some(found) = self.operator_level() else {
                // behind an operand NOT only goes on with IN, LIKE and so on
                return if self.eat(Kw::NOT) { Err(self.unexpected()) } else { Ok(left) };
            };
            if found < level {
                return Ok(left);
            }
            self.taller()?;
            left = match found {
                Or | And => self.logical(left, found)?,
                Xor => self.binary(left, BinaryOp::Xor, Xor.tighter())?,
                Comparison => self.comparison(left)?,
                Predicate => self.predicate(left)?,
                Sum => self.sum(left)?,
                other => self.arithmetic(left, other)?,
            };
        }
    }

    /// The level of the operator at hand.
    fn operator_level(&mut self) -> Option<Level> {
        Some(match self.current() {
            Tok::Kw(Kw::OR) => Or,
            Tok::OrOr if !self.options.mode.pipes_as_concat => Or,
            Tok::Kw(Kw::XOR) => Xor,
            Tok::Kw(Kw::AND) | Tok::AndAnd => And,
            Tok::Char(b'=' | b'<' | b'>') | Tok::Le | Tok::Ge | Tok::Ne | Tok::NullSafeEq => Comparison,
            Tok::Kw(Kw::IS) => Comparison,
            Tok::Kw(Kw::IN | Kw::BETWEEN | Kw::LIKE | Kw::REGEXP | Kw::RLIKE) => Predicate,
            Tok::Kw(Kw::SOUNDS) => Predicate,
            Tok::Kw(Kw::NOT) => match self.peek() {
                Tok::Kw(Kw::IN | Kw::BETWEEN | Kw::LIKE | Kw::REGEXP | Kw::RLIKE) => Predicate,
                _ => return None,
            },
            Tok::Char(b'|') => BitOr,
            Tok::Char(b'&') => BitAnd,
            Tok::ShiftLeft | Tok::ShiftRight => Shift,
            Tok::Char(b'+' | b'-') => Sum,
            Tok::Char(b'*' | b'/' | b'%') | Tok::Kw(Kw::DIV | Kw::MOD) => Product,
            Tok::Char(b'^') => Power,
            Tok::OrOr => Unary,
            _ => return None,
        })
    }

    /// `left op right` with `right` at `level`.
    fn binary(&mut self, left: Expr, op: BinaryOp, level: Level) -> SqlResult<Expr> {
        self.bump();
        let right = self.expr_at(level)?;
        Ok(join(left, op, right))
    }

    /// `AND`, `OR`: neighbours become one list.
    fn logical(&mut self, left: Expr, level: Level) -> SqlResult<Expr> {
        let mut operands = vec![left];
        while self.operator_level() == Some(level) {
            self.bump();
            operands.push(self.expr_at(level.tighter())?);
        }
        let span = operands[0].span.to(operands[operands.len() - 1].span);
        let kind = if level == Or { ExprKind::Or(operands) } else { ExprKind::And(operands) };
        Ok(Expr { kind, span })
    }

    fn comparison(&mut self, left: Expr) -> SqlResult<Expr> {
        if self.eat(Kw::IS) {
            return self.is_test(left);
        }
        let op = match self.current() {
            Tok::Char(b'=') => BinaryOp::Eq,
            Tok::Char(b'<') => BinaryOp::Lt,
            Tok::Char(b'>') => BinaryOp::Gt,
            Tok::Le => BinaryOp::Le,
            Tok::Ge => BinaryOp::Ge,
            Tok::Ne => BinaryOp::Ne,
            _ => return self.binary(left, BinaryOp::NullSafeEq, Predicate),
        };
        self.bump();
        let all = match self.current() {
            Tok::Kw(Kw::ALL) => true,
            Tok::Kw(Kw::ANY | Kw::SOME) if self.peek() == Tok::Char(b'(') => false,
            _ => {
                let right = self.expr_at(Predicate)?;
                return Ok(join(left, op, right));
            }
        };
        self.bump();
        let query = Box::new(self.subquery()?);
        let span = self.since(left.span);
        Ok(Expr { kind: ExprKind::Quantified { op, left: Box::new(left), all, query }, span })
    }

    fn is_test(&mut self, left: Expr) -> SqlResult<Expr> {
        let negated = self.eat(Kw::NOT);
        let test = match self.current() {
            Tok::Kw(Kw::NULL) | Tok::NullEscape => IsTest::Null,
            Tok::Kw(Kw::TRUE) => IsTest::True,
            Tok::Kw(Kw::FALSE) => IsTest::False,
            Tok::Kw(Kw::UNKNOWN) => IsTest::Unknown,
            _ => return Err(self.unexpected()),
        };
        self.bump();
        let span = self.since(left.span);
        Ok(Expr { kind: ExprKind::Is { expr: Box::new(left), test, negated }, span })
    }

    fn predicate(&mut self, left: Expr) -> SqlResult<Expr> {
        let negated = self.eat(Kw::NOT);
        let start = left.span;
        let expr = Box::new(left);
        let kind = match self.bump().tok {
            Tok::Kw(Kw::IN) => self.in_list(expr, negated)?,
            Tok::Kw(Kw::BETWEEN) => {
                let low = Box::new(self.expr_at(BitOr)?);
                self.expect(Kw::AND)?;
                let high = Box::new(self.nested(|p| p.expr_at(Predicate))?);
                ExprKind::Between { expr, low, high, negated }
            }
            Tok::Kw(Kw::LIKE) => {
                let pattern = Box::new(self.expr_at(BitOr)?);
                let escape = if self.eat(Kw::ESCAPE) { Some(Box::new(self.expr_at(Unary)?)) } else { None };
                ExprKind::Like { expr, pattern, escape, negated }
            }
            Tok::Kw(Kw::SOUNDS) => {
                self.expect(Kw::LIKE)?;
                let right = Box::new(self.expr_at(BitOr)?);
                ExprKind::Binary { op: BinaryOp::SoundsLike, left: expr, right }
            }
            _ => {
                let pattern = Box::new(self.expr_at(BitOr)?);
                ExprKind::Regexp { expr, pattern, negated }
            }
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn in_list(&mut self, expr: Box<Expr>, negated: bool) -> SqlResult<ExprKind> {
        if !self.at_char(b'(') {
            return Err(self.unexpected());
        }
        Ok(match self.parens()? {
            Parens::Query(query) => ExprKind::InSubquery { expr, query, negated },
            Parens::Exprs(list) => ExprKind::InList { expr, list, negated },
        })
    }

    /// `+`, `-`, with intervals on the right.
    fn sum(&mut self, left: Expr) -> SqlResult<Expr> {
        let op = if self.at_char(b'+') { BinaryOp::Add } else { BinaryOp::Sub };
        self.bump();
        if self.at(Kw::INTERVAL) {
            let start = self.bump().span;
            return match self.interval(start)? {
                Interval::Amount(amount, unit) => {
                    let span = self.since(left.span);
                    let (date, amount) = (Box::new(left), Box::new(amount));
                    Ok(Expr {
                        kind: ExprKind::DateArith { date, amount, unit, subtract: op == BinaryOp::Sub },
                        span,
                    })
                }
                Interval::Function(call) => {
                    let right = self.continue_expr(call, Product)?;
                    Ok(join(left, op, right))
                }
            };
        }
        let right = self.expr_at(Product)?;
        Ok(join(left, op, right))
    }

    /// What stands behind INTERVAL: an amount with its unit, or the function's arguments.
    pub(super) fn interval(&mut self, start: Span) -> SqlResult<Interval> {
        let amount = if self.at_char(b'(') {
            let open = self.tok.span;
            let inner = match self.parens()? {
                Parens::Exprs(args) if args.len() > 1 => {
                    let call = call("interval", args);
                    return Ok(Interval::Function(Expr { kind: call, span: self.since(start) }));
                }
                parens => self.paren_expr(parens, open),
            };
            self.nested(|p| p.continue_expr(inner, Or))?
        } else {
            self.nested(|p| p.expr())?
        };
        let unit = self.interval_unit()?;
        Ok(Interval::Amount(amount, unit))
    }

    /// The unit of an interval.
    pub(super) fn interval_unit(&mut self) -> SqlResult<IntervalUnit> {
        use IntervalUnit::*;
        let Tok::Kw(kw) = self.tok.tok else { return Err(self.unexpected()) };
        let unit = match kw {
            Kw::MICROSECOND => Microsecond,
            Kw::SECOND => Second,
            Kw::MINUTE => Minute,
            Kw::HOUR => Hour,
            Kw::DAY => Day,
            Kw::WEEK => Week,
            Kw::MONTH => Month,
            Kw::QUARTER => Quarter,
            Kw::YEAR => Year,
            Kw::SECOND_MICROSECOND => SecondMicrosecond,
            Kw::MINUTE_MICROSECOND => MinuteMicrosecond,
            Kw::MINUTE_SECOND => MinuteSecond,
            Kw::HOUR_MICROSECOND => HourMicrosecond,
            Kw::HOUR_SECOND => HourSecond,
            Kw::HOUR_MINUTE => HourMinute,
            Kw::DAY_MICROSECOND => DayMicrosecond,
            Kw::DAY_SECOND => DaySecond,
            Kw::DAY_MINUTE => DayMinute,
            Kw::DAY_HOUR => DayHour,
            Kw::YEAR_MONTH => YearMonth,
            Kw::SQL_TSI_SECOND => Second,
            Kw::SQL_TSI_MINUTE => Minute,
            Kw::SQL_TSI_HOUR => Hour,
            Kw::SQL_TSI_DAY => Day,
            Kw::SQL_TSI_WEEK => Week,
            Kw::SQL_TSI_MONTH => Month,
            Kw::SQL_TSI_QUARTER => Quarter,
            Kw::SQL_TSI_YEAR => Year,
            _ => return Err(self.unexpected()),
        };
        self.bump();
        Ok(unit)
    }

    fn arithmetic(&mut self, left: Expr, level: Level) -> SqlResult<Expr> {
        let op = match self.current() {
            Tok::Char(b'|') => BinaryOp::BitOr,
            Tok::Char(b'&') => BinaryOp::BitAnd,
            Tok::ShiftLeft => BinaryOp::ShiftLeft,
            Tok::ShiftRight => BinaryOp::ShiftRight,
            Tok::Char(b'*') => BinaryOp::Mul,
            Tok::Char(b'/') => BinaryOp::Div,
            Tok::Kw(Kw::DIV) => BinaryOp::IntDiv,
            Tok::Char(b'^') => BinaryOp::BitXor,
            Tok::OrOr => BinaryOp::Concat,
            _ => BinaryOp::Mod,
        };
        if level != Unary {
            return self.binary(left, op, level.tighter());
        }
        self.bump();
        let right = self.unary_expr()?;
        if self.options.mode.oracle {
            let span = left.span.to(right.span);
            return Ok(Expr { kind: Schema::Oracle.meaning(call("concat", vec![left, right])), span });
        }
        Ok(join(left, op, right))
    }

    /// Operators before an operand, `COLLATE` behind it.
    pub(super) fn unary_expr(&mut self) -> SqlResult<Expr> {
        let start = self.tok.span;
        let op = match self.current() {
            Tok::Char(b'-') => UnaryOp::Neg,
            Tok::Char(b'+') => UnaryOp::Plus,
            Tok::Char(b'~') => UnaryOp::BitNot,
            Tok::Char(b'!') => UnaryOp::Not,
            Tok::Kw(Kw::NOT) if self.options.mode.high_not_precedence => UnaryOp::Not,
            Tok::Kw(Kw::BINARY) => UnaryOp::Binary,
            _ => return self.collated(),
        };
        self.bump();
        let expr = self.nested(|p| p.unary_expr())?;
        Ok(unary(op, start, expr))
    }

    fn collated(&mut self) -> SqlResult<Expr> {
        // parentheses nest deepest: they do without the frame of all other operands
        let expr = if self.at_char(b'(') { self.paren_operand()? } else { self.primary()? };
        self.with_collations(expr)
    }

    /// `COLLATE` behind an operand.
    pub(super) fn with_collations(&mut self, mut expr: Expr) -> SqlResult<Expr> {
        while self.at(Kw::COLLATE) {
            self.bump();
            self.taller()?;
            let collation = self.charset_or_collation_name()?;
            let span = self.since(expr.span);
            expr = Expr { kind: ExprKind::Collate { expr: Box::new(expr), collation }, span };
        }
        Ok(expr)
    }

    /// From `start` to the last token consumed.
    pub(super) fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.prev_end.max(start.start) }
    }
}

/// What stands behind INTERVAL.
pub(super) enum Interval {
    /// `n unit`.
    Amount(Expr, IntervalUnit),
    /// `INTERVAL(a, b, ...)`.
    Function(Expr),
}

/// What stands in parentheses.
pub(super) enum Parens {
    Query(Box<Query>),
    Exprs(Vec<Expr>),
}

fn unary(op: UnaryOp, start: Span, expr: Expr) -> Expr {
    let span = start.to(expr.span);
    Expr { kind: ExprKind::Unary { op, expr: Box::new(expr) }, span }
}

fn join(left: Expr, op: BinaryOp, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span }
}

/// A plain call.
pub(super) fn call(name: &str, args: Vec<Expr>) -> ExprKind {
    ExprKind::Function(FunctionCall { name: name.to_owned(), args })
}
