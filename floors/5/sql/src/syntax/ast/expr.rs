//! Expressions.

use super::{Aggregate, FunctionCall, Name, Query, Span, StoredCall, WindowSpec};

use types::Charset;
pub use types::temporal::IntervalUnit;

/// An expression and where it stands in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its words in the statement, with the parentheses around it.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A constant.
    Literal(Literal),
    /// `?`, or a literal that the shape pass lifted out of the text. Numbered from 0 in the order of the text.
    Param(u32),
    /// A column, or a bare word where a column could stand (`SET x = ON`).
    Column(ColumnRef),
    /// `@name`.
    UserVar(Name),
    /// `@name := value`.
    AssignUserVar {
        /// The variable.
        name: Name,
        /// What it gets.
        value: Box<Expr>,
    },
    /// `@@[scope.][base.]name`.
    SysVar(SysVar),
    /// Operator before one operand.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        expr: Box<Expr>,
    },
    /// Operator between two operands; `AND` and `OR` are lists of their own.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `a AND b AND ...`, two or more.
    And(Vec<Expr>),
    /// `a OR b OR ...`, two or more.
    Or(Vec<Expr>),
    /// `expr IS [NOT] NULL | TRUE | FALSE | UNKNOWN`.
    Is {
        /// The operand.
        expr: Box<Expr>,
        /// What it is held against.
        test: IsTest,
        /// `NOT`.
        negated: bool,
    },
    /// `expr [NOT] BETWEEN low AND high`.
    Between {
        /// The operand.
        expr: Box<Expr>,
        /// Lower bound.
        low: Box<Expr>,
        /// Upper bound.
        high: Box<Expr>,
        /// `NOT`.
        negated: bool,
    },
    /// `expr [NOT] IN (a, b, ...)`.
    InList {
        /// The operand.
        expr: Box<Expr>,
        /// The list, one element at least.
        list: Vec<Expr>,
        /// `NOT`.
        negated: bool,
    },
    /// `expr [NOT] IN (query)`.
    InSubquery {
        /// The operand.
        expr: Box<Expr>,
        /// The query.
        query: Box<Query>,
        /// `NOT`.
        negated: bool,
    },
    /// `expr [NOT] LIKE pattern [ESCAPE escape]`.
    Like {
        /// The operand.
        expr: Box<Expr>,
        /// The pattern.
        pattern: Box<Expr>,
        /// The escape.
        escape: Option<Box<Expr>>,
        /// `NOT`.
        negated: bool,
    },
    /// `expr [NOT] REGEXP pattern` and `RLIKE`.
    Regexp {
        /// The operand.
        expr: Box<Expr>,
        /// The pattern.
        pattern: Box<Expr>,
        /// `NOT`.
        negated: bool,
    },
    /// `expr op ANY (query)`, `expr op ALL (query)`; `SOME` is `ANY`.
    Quantified {
        /// A comparison operator (never `<=>`).
        op: BinaryOp,
        /// Left operand.
        left: Box<Expr>,
        /// `ALL` rather than `ANY`.
        all: bool,
        /// The query.
        query: Box<Query>,
    },
    /// `EXISTS (query)`.
    Exists(Box<Query>),
    /// `(query)` as a scalar or a row.
    Subquery(Box<Query>),
    /// `(a, b, ...)`, `ROW(a, ...)`, two or more.
    Row(Vec<Expr>),
    /// `CASE`.
    Case {
        /// `CASE operand WHEN`.
        operand: Option<Box<Expr>>,
        /// `WHEN .. THEN ..`, one at least.
        branches: Vec<(Expr, Expr)>,
        /// `ELSE`.
        otherwise: Option<Box<Expr>>,
    },
    /// `CAST(expr AS type)`, `CONVERT(expr, type)`.
    Cast {
        /// The operand.
        expr: Box<Expr>,
        /// The target.
        ty: CastType,
    },
    /// `CONVERT(expr USING charset)`.
    ConvertUsing {
        /// The operand.
        expr: Box<Expr>,
        /// The character set; `DEFAULT` is spelt `default`.
        charset: Name,
    },
    /// `expr COLLATE collation`.
    Collate {
        /// The operand.
        expr: Box<Expr>,
        /// The collation; `DEFAULT` is spelt `default`.
        collation: Name,
    },
    /// A call by name. Special syntaxes that mean a plain call come here too: `SUBSTRING(a FROM b FOR c)` is
    /// `substr(a, b, c)`, `POSITION(a IN b)` is `locate(a, b)`; `NOW()`, `CURRENT_TIMESTAMP`, `LOCALTIME` are
    /// `current_timestamp([fsp])`, `CURRENT_DATE` is `curdate()`, `CURRENT_TIME` is `curtime([fsp])`.
    Function(FunctionCall),
    /// A call of a stored function.
    Stored(StoredCall),
    /// An aggregate function, without `OVER`.
    Aggregate(Box<Aggregate>),
    /// `function OVER window`: `function` is an [`ExprKind::Aggregate`] or an [`ExprKind::Function`].
    Window {
        /// The function.
        function: Box<Expr>,
        /// The window.
        over: Box<Over>,
    },
    /// Date plus or minus an interval: `d + INTERVAL n unit`, `DATE_ADD`, `DATE_SUB`, `ADDDATE`, `SUBDATE`,
    /// `TIMESTAMPADD(unit, n, d)`.
    DateArith {
        /// The date.
        date: Box<Expr>,
        /// The amount.
        amount: Box<Expr>,
        /// Its unit.
        unit: IntervalUnit,
        /// Minus.
        subtract: bool,
    },
    /// `TIMESTAMPDIFF(unit, a, b)`.
    TimestampDiff {
        /// The unit.
        unit: IntervalUnit,
        /// From.
        from: Box<Expr>,
        /// To.
        to: Box<Expr>,
    },
    /// `EXTRACT(unit FROM expr)`.
    Extract {
        /// The unit.
        unit: IntervalUnit,
        /// The date or time.
        expr: Box<Expr>,
    },
    /// `TRIM([side] [what] FROM expr)`.
    Trim {
        /// Which end.
        side: TrimSide,
        /// What is cut; a space where not given.
        what: Option<Box<Expr>>,
        /// The string.
        expr: Box<Expr>,
        /// `TRIM_ORACLE`: NULL where nothing is left.
        oracle: bool,
    },
    /// `GET_FORMAT(kind, expr)`.
    GetFormat {
        /// `date`, `time` or `datetime` (`timestamp` is `datetime`).
        kind: Name,
        /// `'EUR'`, `'USA'`, ...
        expr: Box<Expr>,
    },
    /// `CHAR(a, b, ... [USING charset])`.
    Char {
        /// The codes.
        args: Vec<Expr>,
        /// The character set.
        charset: Option<Name>,
    },
    /// `COLUMN_CREATE`, `COLUMN_ADD`; `COLUMN_DELETE` is `COLUMN_ADD` of NULL.
    MakeColumns {
        /// What columns are added to.
        document: Option<Box<Expr>>,
        /// The columns.
        columns: Vec<DynamicColumn>,
    },
    /// `COLUMN_GET(document, key AS type)`.
    GetColumn {
        /// The dynamic columns.
        document: Box<Expr>,
        /// Number or name.
        key: Box<Expr>,
        /// The type.
        ty: CastType,
    },
    /// `WEIGHT_STRING(expr [AS CHAR(n) | AS BINARY(n)] [LEVEL ...])`.
    WeightString {
        /// The string.
        expr: Box<Expr>,
        /// How much of it, and how.
        shape: WeightShape,
    },
    /// `MATCH (columns) AGAINST (expr mode)`.
    Match {
        /// The columns.
        columns: Vec<Expr>,
        /// What is looked for.
        against: Box<Expr>,
        /// The mode.
        mode: MatchMode,
    },
    /// Bare `DEFAULT` as a value of INSERT, UPDATE or SET.
    Default,
    /// `IGNORE` as a value (`USING IGNORE`, `VALUES (IGNORE)`).
    Ignore,
    /// `DEFAULT(column)`.
    DefaultOf(ColumnRef),
    /// `VALUES(column)`, `VALUE(column)` in ON DUPLICATE KEY UPDATE.
    ValuesOf(ColumnRef),
    /// `NEXT VALUE FOR s`, `PREVIOUS VALUE FOR s`.
    Sequence {
        /// Next rather than previous.
        next: bool,
        /// The sequence.
        name: super::TableName,
    },
}

/// `[[database.]table.]column`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ColumnRef {
    /// The database, where given.
    pub database: Option<Name>,
    /// The table, where given.
    pub table: Option<Name>,
    /// The column.
    pub column: Name,
}

/// What WEIGHT_STRING makes of the weights: the numbers that stand for it where a view is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WeightShape {
    /// Bytes of the result at most; 0 for all.
    pub bytes: u32,
    /// Of so many characters; 0 for all.
    pub chars: u32,
    /// Levels, and `DESC`, `REVERSE` and the paddings.
    pub flags: u32,
}

impl WeightShape {
    /// Fewer characters are filled up with spaces.
    pub const PADS_CHARS: u32 = 0x40;
    /// So is a result that has fewer bytes than it is to have.
    pub const PADS_BYTES: u32 = 0x80;
    /// `LEVEL 1 DESC`.
    pub const DESC: u32 = 0x100;
    /// `LEVEL 1 REVERSE`.
    pub const REVERSE: u32 = 0x1_0000;
}

/// Constants.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `NULL`, `\N`.
    Null,
    /// `TRUE`, `FALSE`: the integers 1 and 0.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(u64),
    /// Digits with a point, or an integer beyond 64 bits: its text, exactly.
    Decimal(String),
    /// A number with an exponent: its text.
    Float(String),
    /// A string.
    Str(StrLiteral),
    /// `x'..'` (true) or `0x..` (false): the bytes.
    Hex {
        /// The bytes.
        bytes: Vec<u8>,
        /// Written `x'..'`: always a string; `0x..` is a number in numeric context.
        quoted: bool,
        /// `_charset` before it.
        charset: Option<Name>,
    },
    /// `b'..'`, `0b..`: the bytes, most significant first.
    Bit {
        /// The bytes.
        bytes: Vec<u8>,
        /// `_charset` before it.
        charset: Option<Name>,
    },
    /// `DATE'..'`.
    Date(String),
    /// `TIME'..'`.
    Time(String),
    /// `TIMESTAMP'..'`.
    Timestamp(String),
}

/// A string constant, unescaped, neighbours joined.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StrLiteral {
    /// The bytes, in the connection's character set unless there is an introducer.
    pub bytes: Vec<u8>,
    /// `_charset'..'`; `N'..'` gives `utf8mb3`.
    pub charset: Option<Name>,
    /// Written `N'..'`.
    pub national: bool,
}

impl StrLiteral {
    /// The text as a column's name: behind an introducer the characters that its bytes are there.
    pub fn name(&self) -> Name {
        let own = self.charset.as_deref().and_then(Charset::by_name);
        let as_written = [Charset::Binary, Charset::Ascii, Charset::Utf8mb3, Charset::Utf8mb4];
        match own.filter(|own| !as_written.contains(own)) {
            Some(own) => own.to_utf8_lossy(&Charset::Binary.convert_cow(&self.bytes, own)),
            None => String::from_utf8_lossy(&self.bytes).into_owned(),
        }
    }
}

/// `@@...`.
#[derive(Debug, Clone, PartialEq)]
pub struct SysVar {
    /// `GLOBAL`, `SESSION` / `LOCAL`; none where not said.
    pub scope: Option<VarScope>,
    /// The part before the last point of a structured variable (`@@default.key_buffer_size`).
    pub base: Option<Name>,
    /// The variable.
    pub name: Name,
}

/// The scope of a system variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VarScope {
    /// `GLOBAL`.
    Global,
    /// `SESSION`, `LOCAL`.
    Session,
    /// MySQL 8's `PERSIST`, `PERSIST_ONLY`: refused later by name.
    Persist,
}

/// Operators before one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `+`: changes nothing but the column's name.
    Plus,
    /// `NOT`, and `!`.
    Not,
    /// `~`.
    BitNot,
    /// `BINARY`.
    Binary,
}

/// Operators between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `DIV`.
    IntDiv,
    /// `%`, `MOD`.
    Mod,
    /// `|`.
    BitOr,
    /// `&`.
    BitAnd,
    /// `^`.
    BitXor,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `=`.
    Eq,
    /// `<>`, `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `<=>`.
    NullSafeEq,
    /// `XOR`.
    Xor,
    /// `||` under PIPES_AS_CONCAT.
    Concat,
    /// `SOUNDS LIKE`.
    SoundsLike,
    /// `column -> path` (MySQL).
    JsonExtract,
    /// `column ->> path` (MySQL).
    JsonUnquoteExtract,
}

impl BinaryOp {
    /// `=`, `<>`, `<`, `<=`, `>`, `>=`, `<=>`.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge | NullSafeEq)
    }

    /// The word of an arithmetic or bit operator.
    pub fn word(self) -> Option<&'static str> {
        Some(match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::IntDiv => "DIV",
            BinaryOp::Mod => "MOD",
            BinaryOp::BitOr => "|",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            _ => return None,
        })
    }
}

/// What `IS` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IsTest {
    /// `IS NULL`.
    Null,
    /// `IS TRUE`.
    True,
    /// `IS FALSE`.
    False,
    /// `IS UNKNOWN`.
    Unknown,
}

/// Which end `TRIM` cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrimSide {
    /// Both ends.
    Both,
    /// The start.
    Leading,
    /// The end.
    Trailing,
}

/// `AGAINST (... mode)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatchMode {
    /// `IN NATURAL LANGUAGE MODE`.
    Natural,
    /// `WITH QUERY EXPANSION`.
    Expansion,
    /// `IN BOOLEAN MODE`.
    Boolean,
}

/// A dynamic column to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicColumn {
    /// Number or name.
    pub key: Expr,
    /// Its value; NULL takes it away.
    pub value: Expr,
    /// `AS type`.
    pub ty: Option<CastType>,
}

impl Expr {
    /// Whether it is a word alone, or DEFAULT: SET takes it for the name of a value.
    pub fn is_bare_word(&self) -> bool {
        match &self.kind {
            ExprKind::Column(column) => column.table.is_none(),
            kind => matches!(kind, ExprKind::Default),
        }
    }
}

/// `OVER name` or `OVER (...)`; always behind a box.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq)]
pub enum Over {
    /// A window of the WINDOW clause.
    Named(Name),
    /// Spelt out.
    Spec(WindowSpec),
}

/// Targets of CAST.
#[derive(Debug, Clone, PartialEq)]
pub enum CastType {
    /// `BINARY[(n)]`.
    Binary(Option<u32>),
    /// `CHAR[(n)]`, `VARCHAR(n)`, `NCHAR[(n)]` with character set.
    Char {
        /// Length in characters.
        length: Option<u32>,
        /// Character set and collation.
        charset: super::CharsetSpec,
    },
    /// `SIGNED [INTEGER]`.
    Signed,
    /// `UNSIGNED [INTEGER]`.
    Unsigned,
    /// `DATE`.
    Date,
    /// `TIME[(fsp)]`.
    Time(u8),
    /// `DATETIME[(fsp)]`.
    DateTime(u8),
    /// `DECIMAL[(p[,s])]`: 10,0 where not given.
    Decimal {
        /// Digits.
        precision: u32,
        /// Digits behind the point.
        scale: u32,
    },
    /// `DOUBLE [(m,d)]`.
    Double(Option<(u32, u32)>),
    /// `FLOAT`.
    Float,
    /// `INTERVAL DAY_SECOND(n)`.
    IntervalDaySecond(u8),
    /// MySQL 8's `JSON`.
    Json,
    /// MySQL 8's `YEAR`.
    Year,
    /// `UUID`, `INET6`, `INET4`: a named type.
    Named(Name),
}
