//! Window functions, windows and their frames.

use super::*;
use std::ops::RangeInclusive;

/// How many arguments a function takes that only windows have (`LAST_VALUE` is a plain function, too).
pub(super) fn window_arguments(name: &str) -> Option<RangeInclusive<usize>> {
    Some(match name {
        "cume_dist" | "dense_rank" | "percent_rank" | "rank" | "row_number" => 0..=0,
        "first_value" | "ntile" => 1..=1,
        "lag" | "lead" => 1..=2,
        "nth_value" => 2..=2,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// `(expr, ...)`, so many. LAG and LEAD look one row further where nothing is said.
    pub(super) fn window_args(&mut self, name: &str, count: RangeInclusive<usize>) -> SqlResult<Vec<Expr>> {
        let mut args = self.counted_args(count)?;
        if let ("lag" | "lead", [value]) = (name, &args[..]) {
            args.push(Expr { kind: ExprKind::Literal(Literal::Int(1)), span: value.span });
        }
        Ok(args)
    }

    /// `(expr, ...)`, so many.
    pub(super) fn counted_args(&mut self, count: RangeInclusive<usize>) -> SqlResult<Vec<Expr>> {
        self.expect_char(b'(')?;
        let mut args = Vec::new();
        while args.len() < *count.end() {
            if args.len() >= *count.start() && !self.at_char(b',') {
                break;
            }
            if !args.is_empty() {
                self.expect_char(b',')?;
            }
            args.push(self.nested(|p| p.expr())?);
        }
        self.expect_char(b')')?;
        Ok(args)
    }

    /// `OVER ...` behind a function.
    pub(super) fn over(&mut self, function: Expr) -> SqlResult<Expr> {
        let window_only = match &function.kind {
            ExprKind::Function(call) => window_arguments(&call.name).is_some(),
            ExprKind::Aggregate(_) => false,
            _ => return Ok(function),
        };
        if !self.at(Kw::OVER) {
            return if window_only { Err(self.unexpected()) } else { Ok(function) };
        }
        self.bump();
        let over = if self.at_char(b'(') {
            Over::Spec(self.nested(|p| p.window_spec())?)
        } else {
            Over::Named(self.name()?)
        };
        let span = self.since(function.span);
        let kind = ExprKind::Window { function: Box::new(function), over: Box::new(over) };
        Ok(Expr { kind, span })
    }

    /// `(fraction) WITHIN GROUP (ORDER BY expr) OVER ([PARTITION BY ...])`, or for `median` `(expr) OVER (...)`. What
    /// the rows are ordered by becomes the function's last argument and the window's order.
    pub(super) fn percentile_call(&mut self, name: Name) -> SqlResult<ExprKind> {
        let start = self.tok.span;
        let mut args = self.window_args(&name, 1..=1)?;
        let item = if name == "median" {
            OrderItem { expr: args[0].clone(), desc: false }
        } else {
            self.expect_all(&[Kw::WITHIN, Kw::GROUP])?;
            self.expect_char(b'(')?;
            self.expect_all(&[Kw::ORDER, Kw::BY])?;
            let item = self.order_item()?;
            self.expect_char(b')')?;
            args.push(item.expr.clone());
            item
        };
        self.expect(Kw::OVER)?;
        self.expect_char(b'(')?;
        let mut spec = WindowSpec { order_by: vec![item], ..WindowSpec::default() };
        if self.eat(Kw::PARTITION) {
            self.expect(Kw::BY)?;
            spec.partition_by = self.order_items()?;
        }
        self.expect_char(b')')?;
        let call = FunctionCall { name, args };
        let function = Expr { kind: ExprKind::Function(call), span: self.since(start) };
        Ok(ExprKind::Window { function: Box::new(function), over: Box::new(Over::Spec(spec)) })
    }

    /// `(...)` of OVER and WINDOW.
    pub(super) fn window_spec(&mut self) -> SqlResult<WindowSpec> {
        self.expect_char(b'(')?;
        let mut spec = WindowSpec::default();
        if self.at_name() {
            spec.base = Some(self.name()?);
        }
        if self.eat(Kw::PARTITION) {
            self.expect(Kw::BY)?;
            spec.partition_by = self.order_items()?;
        }
        spec.order_by = self.order_by()?;
        if self.at(Kw::ROWS) || self.at(Kw::RANGE) {
            spec.frame = Some(self.frame()?);
        }
        self.expect_char(b')')?;
        Ok(spec)
    }

    fn frame(&mut self) -> SqlResult<Frame> {
        let rows = self.bump().tok == Tok::Kw(Kw::ROWS);
        let (start, end) = if self.eat(Kw::BETWEEN) {
            let start = self.frame_bound()?;
            self.expect(Kw::AND)?;
            (start, Some(self.frame_bound()?))
        } else {
            (self.frame_start()?, None)
        };
        let mut exclude = FrameExclude::NoOthers;
        if self.eat(Kw::EXCLUDE) {
            exclude = match self.bump().tok {
                Tok::Kw(Kw::CURRENT) => {
                    self.expect(Kw::ROW)?;
                    FrameExclude::CurrentRow
                }
                Tok::Kw(Kw::GROUP) => FrameExclude::Group,
                Tok::Kw(Kw::TIES) => FrameExclude::Ties,
                Tok::Kw(Kw::NO) => {
                    self.expect(Kw::OTHERS)?;
                    FrameExclude::NoOthers
                }
                _ => return Err(self.unexpected()),
            };
        }
        Ok(Frame { rows, start, end, exclude })
    }

    fn frame_bound(&mut self) -> SqlResult<FrameBound> {
        if self.eat_two(Kw::CURRENT, Kw::ROW) {
            return Ok(FrameBound::CurrentRow);
        }
        if self.eat(Kw::UNBOUNDED) {
            if self.eat(Kw::PRECEDING) {
                return Ok(FrameBound::UnboundedPreceding);
            }
            self.expect(Kw::FOLLOWING)?;
            return Ok(FrameBound::UnboundedFollowing);
        }
        let amount = self.frame_distance()?;
        if self.eat(Kw::PRECEDING) {
            return Ok(FrameBound::Preceding(amount));
        }
        self.expect(Kw::FOLLOWING)?;
        Ok(FrameBound::Following(amount))
    }

    /// The only bound of a frame, where it starts.
    fn frame_start(&mut self) -> SqlResult<FrameBound> {
        if self.eat_two(Kw::CURRENT, Kw::ROW) {
            return Ok(FrameBound::CurrentRow);
        }
        if self.eat(Kw::UNBOUNDED) {
            self.expect(Kw::PRECEDING)?;
            return Ok(FrameBound::UnboundedPreceding);
        }
        let amount = self.frame_distance()?;
        self.expect(Kw::PRECEDING)?;
        Ok(FrameBound::Preceding(amount))
    }

    /// A literal.
    fn frame_distance(&mut self) -> SqlResult<Expr> {
        match self.current() {
            Tok::Int | Tok::Decimal | Tok::Float | Tok::Str | Tok::NStr | Tok::Introducer => self.primary(),
            Tok::HexStr | Tok::Hex | Tok::BitStr | Tok::Bit | Tok::NullEscape => self.primary(),
            Tok::Kw(Kw::NULL | Kw::TRUE | Kw::FALSE) => self.primary(),
            Tok::Kw(Kw::DATE | Kw::TIME | Kw::TIMESTAMP) if self.peek() == Tok::Str => self.primary(),
            _ => Err(self.unexpected()),
        }
    }
}
