//! Calls: plain ones, those with a syntax of their own, aggregates, windows behind them.

use super::expr::{Level, call};
use super::oracle::Schema;
use super::window::window_arguments;
use super::*;
use crate::expr::func;

/// Names that are functions only when a parenthesis follows at once (or anywhere, under IGNORE_SPACE).
const TIGHT: &[&str] = &[
    "adddate",
    "bit_and",
    "bit_or",
    "bit_xor",
    "cast",
    "count",
    "curdate",
    "curtime",
    "date_add",
    "date_sub",
    "extract",
    "group_concat",
    "json_arrayagg",
    "json_objectagg",
    "max",
    "mid",
    "min",
    "now",
    "position",
    "session_user",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "subdate",
    "substr",
    "substring",
    "sum",
    "sysdate",
    "system_user",
    "trim",
    "variance",
    "var_pop",
    "var_samp",
    "cume_dist",
    "dense_rank",
    "first_value",
    "lag",
    "lead",
    "median",
    "nth_value",
    "ntile",
    "percent_rank",
    "rank",
];

/// The name, in any letter case, is a function when a parenthesis follows at once.
pub(super) fn is_tight(name: &str) -> bool {
    TIGHT.iter().any(|tight| tight.eq_ignore_ascii_case(name))
}

/// Whether MariaDB's grammar has a name, in any letter case, as a word or as a function. The types of geometries are none.
pub fn is_word(name: &str) -> bool {
    let is_geometry =
        func::makes_geometry(&name.to_ascii_lowercase()) || name.eq_ignore_ascii_case("geometry");
    !is_geometry && (is_tight(name) || Kw::find(name.as_bytes()).is_some())
}

/// The aggregate that a lower-case name means.
fn aggregate_kind(name: &str) -> Option<AggregateKind> {
    use AggregateKind::*;
    Some(match name {
        "count" => Count,
        "sum" => Sum,
        "avg" => Avg,
        "min" => Min,
        "max" => Max,
        "group_concat" => GroupConcat,
        "bit_and" => BitAnd,
        "bit_or" => BitOr,
        "bit_xor" => BitXor,
        "std" | "stddev" | "stddev_pop" => StddevPop,
        "stddev_samp" => StddevSamp,
        "variance" | "var_pop" => VarPop,
        "var_samp" => VarSamp,
        "json_arrayagg" => JsonArrayAgg,
        "json_objectagg" => JsonObjectAgg,
        _ => return None,
    })
}

/// A call by a name that is none of the grammar's, lower case and as it was written: of a function of the server's, which has as many arguments as it takes,
/// none with a name, or else of a stored one.
fn call_by_name(name: String, written: &str, args: Vec<Expr>, named: bool) -> SqlResult<ExprKind> {
    if name == "add_months" {
        return add_months(written, args, named);
    }
    match func::find(&name) {
        Some(function) if function.is_meant(args.len()) => {
            function.check_call(args.len(), named, written)?;
            if let ("name_const", [name, value]) = (name.as_str(), &args[..])
                && !(is_constant(name) && is_value(value))
            {
                return Err(SqlError::wrong_arguments("NAME_CONST"));
            }
            Ok(ExprKind::Function(FunctionCall { name, args }))
        }
        _ => Ok(ExprKind::Stored(StoredCall { database: None, name: written.to_owned(), args, named })),
    }
}

/// `ADD_MONTHS(date, n)`: `date + INTERVAL n MONTH`.
fn add_months(written: &str, args: Vec<Expr>, named: bool) -> SqlResult<ExprKind> {
    let [date, amount] =
        <[Expr; 2]>::try_from(args).map_err(|_| SqlError::wrong_param_count(written))?.map(Box::new);
    match named {
        true => Err(SqlError::wrong_parameters(written)),
        false => Ok(ExprKind::DateArith { date, amount, unit: IntervalUnit::Month, subtract: false }),
    }
}

/// Whether it is a constant as it stands; so is a number with its sign.
fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary { op: UnaryOp::Plus, expr } => is_constant(expr),
        ExprKind::Unary { op: UnaryOp::Neg, expr } => is_number(expr),
        _ => false,
    }
}

fn is_number(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(literal) => {
            matches!(literal, Literal::Int(_) | Literal::Decimal(_) | Literal::Float(_) | Literal::Bool(_))
        }
        ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Neg, expr } => is_number(expr),
        _ => false,
    }
}

/// Whether NAME_CONST may give it a name.
fn is_value(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unary { op: UnaryOp::Neg, expr } | ExprKind::Collate { expr, .. } => is_constant(expr),
        _ => is_constant(e),
    }
}

/// A reserved word that is the name of a function.
pub(super) fn is_reserved_name(kw: Kw) -> bool {
    matches!(
        kw,
        Kw::IF
            | Kw::LEFT
            | Kw::RIGHT
            | Kw::REPLACE
            | Kw::REPEAT
            | Kw::INSERT
            | Kw::MOD
            | Kw::CHAR
            | Kw::CONVERT
            | Kw::ROW_NUMBER
    )
}

impl<'a> Parser<'a> {
    /// A reserved word that is a call: `CURRENT_DATE` always, `IF` and so on with a parenthesis behind them.
    pub(super) fn at_keyword_call(&mut self, kw: Kw) -> bool {
        match kw {
            Kw::CURRENT_DATE
            | Kw::CURRENT_TIME
            | Kw::CURRENT_TIMESTAMP
            | Kw::LOCALTIME
            | Kw::LOCALTIMESTAMP => true,
            Kw::CURRENT_USER | Kw::CURRENT_ROLE | Kw::UTC_DATE | Kw::UTC_TIME | Kw::UTC_TIMESTAMP => true,
            _ => is_reserved_name(kw) && self.peek() == Tok::Char(b'('),
        }
    }

    /// Such a call.
    pub(super) fn keyword_call(&mut self, kw: Kw) -> SqlResult<Expr> {
        let start = self.tok.span;
        let name = match kw {
            Kw::CURRENT_DATE => "curdate",
            Kw::CURRENT_TIME => "curtime",
            Kw::CURRENT_TIMESTAMP | Kw::LOCALTIME | Kw::LOCALTIMESTAMP => "current_timestamp",
            Kw::CURRENT_USER => "current_user",
            Kw::CURRENT_ROLE => "current_role",
            Kw::UTC_DATE => "utc_date",
            Kw::UTC_TIME => "utc_time",
            Kw::UTC_TIMESTAMP => "utc_timestamp",
            _ => return self.function(false),
        };
        self.bump();
        let mut args = Vec::new();
        if self.eat_char(b'(') {
            let takes_precision = !matches!(name, "curdate" | "utc_date" | "current_user" | "current_role");
            if takes_precision && !self.at_char(b')') {
                args.push(self.precision()?);
            }
            self.expect_char(b')')?;
        }
        Ok(Expr { kind: call(name, args), span: self.since(start) })
    }

    /// The digits of `NOW(6)`: a plain number.
    fn precision(&mut self) -> SqlResult<Expr> {
        let start = self.tok.span;
        let digits = self.unsigned()?;
        Ok(Expr { kind: ExprKind::Literal(Literal::Int(digits)), span: start })
    }

    /// A call whose name is the current token and whose parenthesis comes next.
    pub(super) fn function(&mut self, quoted: bool) -> SqlResult<Expr> {
        let start = self.tok.span;
        let adjacent = self.peek_token().span.start == start.end;
        let written = self.take_name()?;
        if !quoted && Kw::find(written.as_bytes()).is_some_and(Kw::is_uncalled) {
            return Err(self.unexpected());
        }
        let name = written.to_ascii_lowercase();
        if is_tight(&name) && (quoted || (!adjacent && !self.options.mode.ignore_space)) {
            let (args, named) = self.named_args()?;
            let call = StoredCall { database: None, name: written, args, named };
            return Ok(Expr { kind: ExprKind::Stored(call), span: self.since(start) });
        }
        let schema = if self.options.mode.oracle { Schema::Oracle } else { Schema::MariaDb };
        let kind = self.nested(|p| match aggregate_kind(&name) {
            Some(kind) if !quoted => p.aggregate(kind),
            _ => p.special_call(&written, schema),
        })?;
        let function = Expr { kind, span: self.since(start) };
        self.over(function)
    }

    /// Calls with a syntax of their own, and all others.
    pub(super) fn special_call(&mut self, written: &str, schema: Schema) -> SqlResult<ExprKind> {
        Ok(schema.meaning(self.plain_call(written, schema)?))
    }

    fn plain_call(&mut self, written: &str, schema: Schema) -> SqlResult<ExprKind> {
        let name = written.to_ascii_lowercase();
        match name.as_str() {
            "cast" => self.cast(),
            "convert" => self.convert(),
            "extract" => self.extract(),
            "trim" => self.trim(),
            "trim_oracle" => Ok(Schema::Oracle.meaning(self.trim()?)),
            "substr" | "substring" | "mid" => self.substring(),
            "position" => self.position(),
            "date_add" | "adddate" => self.date_add(&name, false),
            "date_sub" | "subdate" => self.date_add(&name, true),
            "timestampadd" => self.timestamp_add(),
            "timestampdiff" => self.timestamp_diff(),
            "get_format" => self.get_format(),
            "char" => self.char_call(),
            "weight_string" => self.weight_string(),
            "now" => self.clock("current_timestamp"),
            "curdate" => self.clock("curdate"),
            "curtime" => self.clock("curtime"),
            "sysdate" => self.clock("sysdate"),
            "median" | "percentile_cont" | "percentile_disc" => self.percentile_call(name),
            "column_create" | "column_add" | "column_delete" => self.make_columns(&name),
            "column_get" => self.get_column(),
            "rownum" => {
                self.expect_char(b'(')?;
                self.expect_char(b')')?;
                Ok(ExprKind::Function(FunctionCall::row_number()))
            }
            _ => match (window_arguments(&name), func::find(&name)) {
                (Some(count), _) => Ok(call(&name, self.window_args(&name, count)?)),
                (None, Some(known)) if is_of_grammar(&name) => {
                    Ok(call(&name, self.counted_args(known.min..=known.max)?))
                }
                _ => {
                    let (args, named) = self.named_args()?;
                    call_by_name(schema.own_name(name), written, args, named)
                }
            },
        }
    }

    /// `([expr, ...])`.
    pub(super) fn call_args(&mut self) -> SqlResult<Vec<Expr>> {
        self.in_parentheses(Self::expr)
    }

    /// `([expr [AS name], ...])`: the arguments, and whether one has a name.
    fn named_args(&mut self) -> SqlResult<(Vec<Expr>, bool)> {
        let mut named = false;
        let args = self.in_parentheses(|p| {
            let arg = p.expr()?;
            named |= p.select_alias()?.is_some();
            Ok(arg)
        })?;
        Ok((args, named))
    }

    fn in_parentheses(&mut self, arg: impl FnMut(&mut Self) -> SqlResult<Expr>) -> SqlResult<Vec<Expr>> {
        self.expect_char(b'(')?;
        if self.eat_char(b')') {
            return Ok(Vec::new());
        }
        let args = self.nested(|p| p.list(arg))?;
        self.expect_char(b')')?;
        Ok(args)
    }

    /// `()` or `(digits)`.
    fn clock(&mut self, name: &str) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let args = if self.at_char(b')') || name == "curdate" { Vec::new() } else { vec![self.precision()?] };
        self.expect_char(b')')?;
        Ok(call(name, args))
    }

    fn cast(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let expr = Box::new(self.expr()?);
        self.expect(Kw::AS)?;
        let ty = self.cast_type()?;
        self.expect_char(b')')?;
        Ok(ExprKind::Cast { expr, ty })
    }

    fn convert(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let expr = Box::new(self.expr()?);
        let kind = if self.eat(Kw::USING) {
            ExprKind::ConvertUsing { expr, charset: self.charset_or_collation_name()? }
        } else {
            self.expect_char(b',')?;
            ExprKind::Cast { expr, ty: self.cast_type()? }
        };
        self.expect_char(b')')?;
        Ok(kind)
    }

    fn extract(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let unit = self.interval_unit()?;
        self.expect(Kw::FROM)?;
        let expr = Box::new(self.expr()?);
        self.expect_char(b')')?;
        Ok(ExprKind::Extract { unit, expr })
    }

    fn trim(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let side = match self.current() {
            Tok::Kw(Kw::LEADING) => Some(TrimSide::Leading),
            Tok::Kw(Kw::TRAILING) => Some(TrimSide::Trailing),
            Tok::Kw(Kw::BOTH) => Some(TrimSide::Both),
            _ => None,
        };
        if side.is_some() {
            self.bump();
        }
        let (what, expr) = if side.is_some() && self.eat(Kw::FROM) {
            (None, self.expr()?)
        } else {
            let first = self.expr()?;
            if self.eat(Kw::FROM) {
                (Some(Box::new(first)), self.expr()?)
            } else if side.is_none() {
                (None, first)
            } else {
                return Err(self.unexpected());
            }
        };
        self.expect_char(b')')?;
        Ok(match (side, &what) {
            // Spaces at one end: calls of their own.
            (Some(TrimSide::Leading), None) => call("ltrim", vec![expr]),
            (Some(TrimSide::Trailing), None) => call("rtrim", vec![expr]),
            (side, _) => {
                let side = side.unwrap_or(TrimSide::Both);
                ExprKind::Trim { side, what, expr: Box::new(expr), oracle: false }
            }
        })
    }

    fn substring(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let mut args = vec![self.expr()?];
        if self.eat(Kw::FROM) {
            args.push(self.expr()?);
            if self.eat(Kw::FOR) {
                args.push(self.expr()?);
            }
        } else {
            while args.len() < 3 && (args.len() == 1 || self.at_char(b',')) {
                self.expect_char(b',')?;
                args.push(self.expr()?);
            }
        }
        self.expect_char(b')')?;
        Ok(call("substr", args))
    }

    fn position(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let needle = self.expr_at(Level::BitOr)?;
        self.expect(Kw::IN)?;
        let haystack = self.expr()?;
        self.expect_char(b')')?;
        Ok(call("locate", vec![needle, haystack]))
    }

    fn date_add(&mut self, name: &str, subtract: bool) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let date = Box::new(self.expr()?);
        self.expect_char(b',')?;
        let days_allowed = matches!(name, "adddate" | "subdate");
        let (amount, unit) = if !days_allowed || self.at(Kw::INTERVAL) {
            self.expect(Kw::INTERVAL)?;
            let amount = self.expr()?;
            (amount, self.interval_unit()?)
        } else {
            (self.expr()?, IntervalUnit::Day)
        };
        self.expect_char(b')')?;
        Ok(ExprKind::DateArith { date, amount: Box::new(amount), unit, subtract })
    }

    fn timestamp_add(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let unit = self.interval_unit()?;
        self.expect_char(b',')?;
        let amount = Box::new(self.expr()?);
        self.expect_char(b',')?;
        let date = Box::new(self.expr()?);
        self.expect_char(b')')?;
        Ok(ExprKind::DateArith { date, amount, unit, subtract: false })
    }

    fn timestamp_diff(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let unit = self.interval_unit()?;
        self.expect_char(b',')?;
        let from = Box::new(self.expr()?);
        self.expect_char(b',')?;
        let to = Box::new(self.expr()?);
        self.expect_char(b')')?;
        Ok(ExprKind::TimestampDiff { unit, from, to })
    }

    fn get_format(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let kind = match self.current() {
            Tok::Kw(Kw::DATE) => "date",
            Tok::Kw(Kw::TIME) => "time",
            Tok::Kw(Kw::DATETIME | Kw::TIMESTAMP) => "datetime",
            _ => return Err(self.unexpected()),
        };
        self.bump();
        self.expect_char(b',')?;
        let expr = Box::new(self.expr()?);
        self.expect_char(b')')?;
        Ok(ExprKind::GetFormat { kind: kind.to_owned(), expr })
    }

    fn char_call(&mut self) -> SqlResult<ExprKind> {
        self.expect_char(b'(')?;
        let args = self.list(|p| p.expr())?;
        let charset = if self.eat(Kw::USING) { Some(self.charset_or_collation_name()?) } else { None };
        self.expect_char(b')')?;
        Ok(ExprKind::Char { args, charset })
    }

    fn weight_string(&mut self) -> SqlResult<ExprKind> {
        let start = self.tok.span;
        self.expect_char(b'(')?;
        let mut expr = Box::new(self.expr()?);
        let mut shape = WeightShape { flags: 1, ..WeightShape::default() };
        if self.eat_char(b',') {
            let mut numbers = [0; 3];
            for (at, number) in numbers.iter_mut().enumerate() {
                if at > 0 {
                    self.expect_char(b',')?;
                }
                *number = self.unsigned()?.min(u64::from(u32::MAX)) as u32;
            }
            let [bytes, chars, flags] = numbers;
            self.expect_char(b')')?;
            return Ok(ExprKind::WeightString { expr, shape: WeightShape { bytes, chars, flags } });
        }
        if self.eat(Kw::AS) {
            let binary = self.eat(Kw::BINARY);
            if !binary {
                self.expect(Kw::CHAR)?;
            }
            self.expect_char(b'(')?;
            shape.chars = self.unsigned()?.min(u64::from(u32::MAX)) as u32;
            shape.flags |= WeightShape::PADS_CHARS;
            self.expect_char(b')')?;
            if binary {
                let kind = ExprKind::Cast { expr, ty: CastType::Binary(Some(shape.chars)) };
                expr = Box::new(Expr { kind, span: self.since(start) });
            }
        }
        if self.eat(Kw::LEVEL) {
            let levels = self.list(|p| {
                let from = p.unsigned()?;
                let mut flags = 0;
                if p.eat_char(b'-') {
                    p.unsigned()?;
                    return Ok(flags);
                }
                if !p.eat(Kw::ASC) && p.eat(Kw::DESC) {
                    flags |= WeightShape::DESC;
                }
                if p.eat(Kw::REVERSE) {
                    flags |= WeightShape::REVERSE;
                }
                // There is one level.
                Ok(if from <= 1 { flags } else { 0 })
            })?;
            shape.flags = levels.into_iter().fold(shape.flags, |all, flags| all | flags);
        }
        self.expect_char(b')')?;
        Ok(ExprKind::WeightString { expr, shape })
    }

    /// The arguments of an aggregate.
    fn aggregate(&mut self, kind: AggregateKind) -> SqlResult<ExprKind> {
        use AggregateKind::*;
        self.expect_char(b'(')?;
        let mut found = Aggregate {
            kind,
            distinct: false,
            args: Vec::new(),
            order_by: Vec::new(),
            separator: None,
            limit: None,
        };
        if kind == Count && self.at_char(b'*') {
            self.bump();
            self.expect_char(b')')?;
            found.kind = CountStar;
            return Ok(ExprKind::Aggregate(Box::new(found)));
        }
        let takes_distinct = matches!(kind, Count | Sum | Avg | Min | Max | GroupConcat | JsonArrayAgg);
        if takes_distinct && (self.at(Kw::DISTINCT) || self.at(Kw::DISTINCTROW)) {
            self.bump();
            found.distinct = true;
        } else {
            self.eat(Kw::ALL);
        }
        found.args.push(self.expr()?);
        let many = matches!(kind, GroupConcat) || (kind == Count && found.distinct);
        while many && self.eat_char(b',') {
            found.args.push(self.expr()?);
        }
        if kind == JsonObjectAgg {
            self.expect_char(b',')?;
            found.args.push(self.expr()?);
        }
        if matches!(kind, GroupConcat | JsonArrayAgg) {
            found.order_by = self.order_by()?;
            if kind == GroupConcat && self.eat(Kw::SEPARATOR) {
                found.separator = Some(self.string_bytes()?);
            }
            found.limit = self.limit()?.map(Box::new);
        }
        self.expect_char(b')')?;
        Ok(ExprKind::Aggregate(Box::new(found)))
    }
}
