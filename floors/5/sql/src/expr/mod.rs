//! Bound expressions: names resolved, types derived, ready to be evaluated any number of times.
//!
//! The binder (`bind`) turns the statement tree into these; `build` types every operator and function and folds
//! constants; `eval` computes them against a [`Cx`]. Comparisons, AND, OR, IN, BETWEEN, IS and LIKE
//! are variants of their own because the planner reads them; all else is a [`Call`] of a function pointer.
//!
//! Rows stand in frames: every query block has a nesting level, and `frames[level]` holds the values of the row under
//! way in it, so that a correlated subquery reads its outer block's row by level.

use crate::error::SqlError;
use crate::exec::Cx;
use crate::syntax::ast::{DRAWN, IsTest, VarScope};
use std::sync::Arc;
use types::column::Labels;
use types::{CollationId, Value};

pub mod aggregate;
mod arith;
pub mod build;
pub(crate) mod compare;
mod eval;
pub mod exact;
pub mod foreknown;
pub mod func;
mod keys;
pub mod number;
pub mod operand;
pub mod print;
pub mod reckon;
pub mod screen;
pub mod store;
pub mod stored;
mod visit;

pub use arith::decimal_of;
pub use compare::{compare_values, holds, shown as compare_text};
pub use keys::sort_key;
pub use print::{expr_text, is_operator, query_text, string_text};

/// A place in the frames of the query blocks under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// Nesting level of the query block, 0 outermost.
    pub level: u32,
    /// Position in that block's row.
    pub index: u32,
}

/// What kind of value an expression gives: the type number on the wire, as MariaDB derives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TypeKind {
    Null,
    Tiny,
    Short,
    Int24,
    Long,
    LongLong,
    Float,
    Double,
    Decimal,
    Year,
    Bit,
    Date,
    Time,
    DateTime,
    Timestamp,
    VarChar,
    Char,
    TinyBlob,
    Blob,
    MediumBlob,
    LongBlob,
    Enum,
    Set,
    Fixed(types::FixedType),
    Geometry(types::GeometryType),
}

/// How values of a type compute: the result types of MariaDB's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// 64-bit integers.
    Int,
    /// Exact decimals.
    Decimal,
    /// Doubles.
    Real,
    /// Strings of characters or bytes.
    Str,
    /// DATE, TIME, DATETIME, TIMESTAMP.
    Temporal,
}

/// How strongly an expression holds on to its collation (MariaDB's coercibility; lower wins).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coercibility {
    /// An explicit COLLATE clause (0).
    Explicit = 0,
    /// Two collations that do not agree (1).
    None = 1,
    /// A column (2).
    Implicit = 2,
    /// A system constant such as `USER()` (3).
    SysConst = 3,
    /// A literal (4).
    Coercible = 4,
    /// A number or temporal value (5).
    Numeric = 5,
    /// NULL (6).
    Ignorable = 6,
}

/// Which characters a text can have: what decides whether it can go into a character set that lacks others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repertoire {
    /// ASCII only.
    Ascii,
    /// A constant that is ASCII, but counts as any of its character set.
    Plain,
    /// A constant of characters that latin1 has.
    Latin,
    /// Any of its character set.
    Any,
    /// A constant that has characters beyond Unicode's basic plane.
    Beyond,
}

impl Repertoire {
    /// Of what is no constant any more.
    pub fn unsettled(self) -> Repertoire {
        if self == Repertoire::Ascii { self } else { Repertoire::Any }
    }
}

/// An expression's type: what the wire tells of it and what operators derive from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    /// Kind of value.
    pub kind: TypeKind,
    /// Display length: characters for text, bytes for binary strings, width of the longest text for numbers.
    pub length: u32,
    /// Digits after the point; 31 for floats without declared digits; fractional digits of temporals.
    pub decimals: u8,
    /// UNSIGNED.
    pub unsigned: bool,
    /// ZEROFILL.
    pub zerofill: bool,
    /// Whether NULL is possible.
    pub nullable: bool,
    /// Collation of text (binary for binary strings; the connection's for numbers as text).
    pub collation: CollationId,
    /// How strongly it holds on to it.
    pub coercibility: Coercibility,
    /// Which characters its text can have.
    pub repertoire: Repertoire,
    /// An integer constant as written: its length has no place for a sign.
    pub written: bool,
    /// Places in an exact number's length that are for no digit of it: a minus sign before it has added them. Below zero,
    /// the digits that are counted of it beyond its length.
    pub spare: i32,
    /// The bytes of `x'...'`, which are told to be UNSIGNED.
    pub hex: bool,
    /// Long text made of a TEXT column: its length is in bytes, which MariaDB tells as characters.
    pub in_bytes: bool,
    /// A JSON document: goes into another one whole.
    pub json: bool,
    /// A condition: a JSON document shows it as true or false.
    pub truth: bool,
    /// Labels of ENUM and SET columns, and of the texts that are the least or greatest of them.
    pub labels: Option<Arc<Labels>>,
    /// The stored column that it is the type of.
    pub origin: Named,
}

/// What an expression is to messages; no part of a type's identity.
#[derive(Debug, Clone, Default)]
pub enum Named {
    /// Nothing that it goes by.
    #[default]
    Nothing,
    /// This column.
    Column(Arc<crate::bind::scope::Origin>),
    /// A column of this block that stands for an expression: a query that MariaDB merges here computes it.
    Merged,
    /// A constant that was written so.
    Written(Arc<str>),
    /// The value of this expression of constants.
    Computed(Arc<Expr>),
    /// The least or greatest value of this column, of an expression where there is none; how messages show it; the kind of
    /// the expression, which a table has another for.
    Extreme(Option<Arc<crate::bind::scope::Origin>>, Option<Arc<str>>, Option<TypeKind>),
    /// An aggregate's result or a column of a query in FROM, which messages show so.
    Shown(Arc<str>),
    /// A column of a UNION.
    United,
    /// Many values put together; how messages show it.
    Joined(Option<Arc<str>>),
    /// A parameter that is given NULL, whatever type a client announced it as.
    GivenNull,
    /// A constant that totals leave out: it has no place for a sign, as NULL as it may be.
    LeftOut,
    /// A date or time that a client announced a parameter as: bytes, where it is to be text.
    GivenDate,
    /// A text lifted out of the statement that is no decimal.
    GivenWord,
}

impl PartialEq for Named {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Named {
    /// A stored column's whole name, quoted.
    pub fn name(&self) -> Option<String> {
        let (database, table, column) = self.column()?.stored()?;
        Some(format!("`{database}`.`{table}`.`{column}`"))
    }

    /// What messages show for it.
    pub fn shown(&self) -> Option<&str> {
        match self {
            Named::Shown(text) | Named::Extreme(_, Some(text), _) | Named::Joined(Some(text)) => Some(text),
            _ => None,
        }
    }

    /// Lets messages show it so, unless they know better.
    pub fn show_as(&mut self, text: impl FnOnce() -> String) {
        match self {
            Named::Nothing | Named::Shown(_) => *self = Named::Shown(text().into()),
            Named::Extreme(_, shown, _) | Named::Joined(shown) => *shown = Some(text().into()),
            _ => {}
        }
    }

    /// The column that it is.
    pub fn column(&self) -> Option<&crate::bind::scope::Origin> {
        match self {
            Named::Column(origin) => Some(origin),
            _ => None,
        }
    }
}

/// An expression with its type.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
}

/// Comparison operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    NullSafeEq,
}

/// How two operands are compared; chosen at bind time from both types by MariaDB's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// As integers (signedness seen per value).
    Int,
    /// As decimals.
    Decimal,
    /// As doubles.
    Real,
    /// As doubles of so many digits behind the point: those that differ by less than half of the last one are equal.
    Near(u8),
    /// As strings under this collation.
    Str(CollationId),
    /// As dates with times.
    DateTime,
    /// As times.
    Time,
    /// As values of a type of fixed size; what is none compares as NULL.
    Fixed(types::FixedType),
}

impl Comparison {
    /// As dates or times.
    pub fn is_dated(self) -> bool {
        matches!(self, Comparison::DateTime | Comparison::Time)
    }
}

/// Signature of a function's evaluation: its bound arguments, unevaluated, and its own type.
pub type Evaluate = fn(&mut Cx<'_>, &[Expr], &Type) -> Result<Value, SqlError>;

/// A call of an operator or function.
#[derive(Clone)]
pub struct Call {
    /// Its name, for EXPLAIN.
    pub name: &'static str,
    /// Computes it.
    pub evaluate: Evaluate,
    /// Computes the same as a number, where it is always one.
    pub number: Option<number::EvaluateNumber>,
    /// Arguments.
    pub args: Vec<Expr>,
    /// Whether equal arguments always give equal results, in any statement (false for RAND, NOW, USER ...).
    pub deterministic: bool,
}

impl Call {
    /// Whether it gives the first of its arguments that is not NULL.
    pub fn is_first_of_several(&self) -> bool {
        matches!(self.name, "coalesce" | "ifnull" | "nvl")
    }
}

impl Expr {
    /// Whether it is a call of that function.
    pub fn is_call(&self, name: &str) -> bool {
        matches!(&self.kind, Kind::Call(call) if call.name == name)
    }
}

impl Call {
    /// Whether one of its arguments is a column itself: that is seen at once.
    #[inline]
    fn reads_row(&self) -> bool {
        self.args.iter().any(|e| matches!(e.kind, Kind::Column(_)))
    }

    /// Text, first character and length, where it is SUBSTRING of all three.
    pub fn substring(&self) -> Option<[&Expr; 3]> {
        match (self.name, &self.args[..]) {
            ("substring" | "substr", [text, from, length]) => Some([text, from, length]),
            _ => None,
        }
    }

    /// Whether it is a clock, which stands still while a statement runs.
    pub fn tells_time(&self) -> bool {
        const CLOCKS: &[&str] = &[
            "curdate",
            "current_date",
            "current_time",
            "current_timestamp",
            "curtime",
            "localtime",
            "localtimestamp",
            "now",
            "utc_date",
            "utc_time",
            "utc_timestamp",
        ];
        CLOCKS.contains(&self.name)
    }

    /// Whether it reads the session, or is the same all the while though its value is not known by its arguments alone.
    pub fn is_steady(&self) -> bool {
        const STEADY: &[&str] = &[
            "connection_id",
            "current_role",
            "current_user",
            "database",
            "extractvalue",
            "last_insert_id",
            "schema",
            "session_user",
            "system_user",
            "unix_timestamp",
            "updatexml",
            "user",
            "version",
        ];
        STEADY.contains(&self.name)
    }

    /// Whether equal arguments give equal results all the while that a statement runs (false for RAND, UUID, SLEEP ...).
    pub fn is_stable(&self) -> bool {
        self.deterministic || self.tells_time() || self.is_steady()
    }

    /// Whether it is another value, or waits, for each row.
    pub fn is_drawn(&self) -> bool {
        self.name == "sleep" || DRAWN.contains(&self.name)
    }

    /// Whether it does something, or tells of what others do, and is asked for its value before the statement runs.
    pub fn is_foreknown(&self) -> bool {
        ["benchmark", "found_rows", "is_free_lock", "is_used_lock", "row_count"].contains(&self.name)
    }
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple(self.name).field(&self.args).finish()
    }
}

/// Members of a long IN list by their keys.
#[derive(Debug)]
pub struct Members {
    /// How the operand is compared with all of them.
    pub how: Comparison,
    /// Their keys.
    pub keys: hashbrown::HashSet<Box<[u8]>>,
    /// Whether a NULL is among them.
    pub null: bool,
    /// Texts: the numbers of [`types::charset::Collation::sieve`] that they have, a bit each; all where one has none.
    pub sieve: u64,
}

/// Kinds of bound expression.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A constant.
    Const(Value),
    /// A parameter of the statement, from 0.
    Param(u32),
    /// A column of the row under way in some query block.
    Column(Slot),
    /// A user variable.
    UserVar(String),
    /// `@name := value`.
    AssignUserVar(String, Box<Expr>),
    /// A system variable, read when evaluated.
    SysVar(Option<VarScope>, String),
    /// `a AND b ...`.
    And(Vec<Expr>),
    /// `a OR b ...`.
    Or(Vec<Expr>),
    /// `NOT a`.
    Not(Box<Expr>),
    /// A comparison of two scalars.
    Compare(CompareOp, Comparison, Box<Expr>, Box<Expr>),
    /// A comparison of two rows of equal length, with how each pair of members is compared.
    CompareRows(CompareOp, Vec<Comparison>, Vec<Expr>, Vec<Expr>),
    /// `a BETWEEN low AND high`.
    Between {
        /// The operand, lower and upper bound.
        operands: Box<[Expr; 3]>,
        /// How the operand is compared with both.
        how: Comparison,
        /// NOT BETWEEN.
        negated: bool,
    },
    /// `a IN (list)` of scalars.
    InList {
        /// The operand.
        operand: Box<Expr>,
        /// The list, with how the operand is compared with each member.
        list: Vec<(Comparison, Expr)>,
        /// NOT IN.
        negated: bool,
        /// The members are constants of one kind: text among them is read once, not for each row.
        uniform: bool,
        /// The members by their keys, where there are many of one kind.
        among: Option<Arc<Members>>,
    },
    /// `(a, b) IN ((1, 2), ...)`: rows.
    InRows {
        /// The operand's members.
        operand: Vec<Expr>,
        /// The rows, with how each member is compared.
        list: Vec<Vec<(Comparison, Expr)>>,
        /// NOT IN.
        negated: bool,
    },
    /// `a IS [NOT] NULL | TRUE | FALSE`.
    Is(IsTest, bool, Box<Expr>),
    /// `a [NOT] LIKE pattern`.
    Like {
        /// Operand and pattern.
        operands: Box<[Expr; 2]>,
        /// The escape character, evaluated at bind time; `None` switches escapes off.
        escape: Option<char>,
        /// Collation of the match.
        collation: CollationId,
        /// NOT LIKE.
        negated: bool,
    },
    /// CASE: `operand` with how it is compared with each WHEN, or plain conditions.
    Case {
        /// `CASE operand WHEN`.
        operand: Option<Box<Expr>>,
        /// How the operand is compared with each WHEN (unused without an operand), WHEN, THEN.
        branches: Vec<(Comparison, Expr, Expr)>,
        /// ELSE.
        otherwise: Option<Box<Expr>>,
    },
    /// A row of several members; only inside row comparisons and subquery operands.
    Row(Vec<Expr>),
    /// An operator or function.
    Call(Call),
    /// A subquery in any of its forms.
    Subquery(Arc<crate::plan::SubqueryExpr>),
}

/// The bytes that MariaDB gives a user variable's text.
pub const USER_TEXT_BYTES: u32 = 16_777_215;
/// The bytes that it gives a computed text at most.
pub const MOST_TEXT_BYTES: u32 = 16_777_216;

impl Type {
    /// Whether it is that of the word NULL, or of a parameter given NULL.
    pub fn is_nothing(&self) -> bool {
        self.kind == TypeKind::Null || matches!(self.origin, Named::GivenNull)
    }

    /// As a row has it: a parameter's NULL is like any other there.
    pub fn in_row(self) -> Type {
        match self.origin {
            Named::GivenNull => Type { kind: TypeKind::Null, origin: Named::Nothing, ..self },
            _ => self,
        }
    }

    /// Whether its length counts bytes: a user variable's text, the longest that functions give, GROUP_CONCAT's.
    pub fn counts_bytes(&self) -> bool {
        let most = match self.kind {
            TypeKind::LongBlob => matches!(self.length, USER_TEXT_BYTES | MOST_TEXT_BYTES),
            // The greatest of a user variable's texts.
            TypeKind::MediumBlob => {
                self.length == USER_TEXT_BYTES && matches!(self.origin, Named::Extreme(None, ..))
            }
            _ => false,
        };
        most || self.is_joined() && self.kind.is_blob()
    }

    /// Whether it is what an aggregate joined out of a group's texts: of such a text nothing is said where it is read as
    /// a double or as an integer, but by CAST.
    pub fn is_joined(&self) -> bool {
        matches!(self.origin, Named::Joined(_))
    }

    /// Places that its length lacks for a sign: that of YEAR() and its like counts none, though what is made of them has it, and
    /// that of a constant none at all.
    pub fn missing_sign(&self) -> u32 {
        let constant = match &self.origin {
            Named::LeftOut => true,
            _ => self.is_named_constant(),
        };
        u32::from(self.written && self.nullable && !constant)
    }

    /// Whether it is that of NAME_CONST.
    pub fn is_named_constant(&self) -> bool {
        matches!(&self.origin, Named::Computed(of) if of.is_call("name_const"))
    }

    /// Whether it is that of a CHAR or BINARY column. Texts that functions make are of the wire's type too, but are kept
    /// as VARCHAR.
    pub fn is_of_char_column(&self) -> bool {
        let of_column = matches!(self.origin, Named::Column(_) | Named::Extreme(..) | Named::United);
        self.kind == TypeKind::Char && of_column
    }

    /// Whether values are bits that are bytes among texts; what is computed of them is a number there.
    pub fn is_bits(&self) -> bool {
        self.kind == TypeKind::Bit && self.coercibility != Coercibility::Numeric
    }

    /// Whether it is what EXISTS says, whose text is bytes.
    pub fn is_existence(&self) -> bool {
        self.truth && self.class() == Class::Int && self.coercibility == Coercibility::Coercible
    }

    /// The kind of labels that the least or greatest of a column's is, which is a text itself.
    pub fn kind_of_labels(&self) -> Option<TypeKind> {
        match self.origin {
            Named::Extreme(_, _, Some(kind @ (TypeKind::Enum | TypeKind::Set))) => {
                (self.labels.is_some() && self.kind == TypeKind::VarChar).then_some(kind)
            }
            _ => None,
        }
    }

    /// Whether SUM and AVG reckon in decimals rather than doubles: labels count as their numbers.
    pub fn sums_exactly(&self) -> bool {
        self.labels.is_some() || matches!(self.class(), Class::Int | Class::Decimal | Class::Temporal)
    }

    /// How values of the type compute.
    pub fn class(&self) -> Class {
        match self.kind {
            TypeKind::Tiny
            | TypeKind::Short
            | TypeKind::Int24
            | TypeKind::Long
            | TypeKind::LongLong
            | TypeKind::Year
            | TypeKind::Bit => Class::Int,
            TypeKind::Float | TypeKind::Double => Class::Real,
            TypeKind::Decimal => Class::Decimal,
            TypeKind::Date | TypeKind::Time | TypeKind::DateTime | TypeKind::Timestamp => Class::Temporal,
            TypeKind::Null
            | TypeKind::VarChar
            | TypeKind::Char
            | TypeKind::TinyBlob
            | TypeKind::Blob
            | TypeKind::MediumBlob
            | TypeKind::LongBlob
            | TypeKind::Enum
            | TypeKind::Set
            | TypeKind::Fixed(_)
            | TypeKind::Geometry(_) => Class::Str,
        }
    }
}
