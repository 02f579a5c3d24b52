//! Calls: of the server's functions, of stored ones, of aggregates.

use super::{Expr, Limit, Name, OrderItem};

/// A call by name.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    /// The name, lower case.
    pub name: Name,
    /// The arguments.
    pub args: Vec<Expr>,
}

/// A call of a stored function: of one in a database that is named, or by a name that no function of the server has. So is
/// a name like `COUNT` or `NOW` in backticks, or with a space before its parenthesis.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCall {
    /// The database, if it is named.
    pub database: Option<Name>,
    /// The name as it was written.
    pub name: Name,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Whether an argument has a name (`f(a AS x)`), which MariaDB keeps for loadable functions.
    pub named: bool,
}

/// Functions that give another value each time.
pub const DRAWN: &[&str] = &["rand", "sys_guid", "uuid", "uuid_short"];

/// Functions that MariaDB's grammar knows by name, not by a table of functions.
const OF_GRAMMAR: &[&str] = &[
    "adddate",
    "ascii",
    "char",
    "charset",
    "date",
    "day",
    "hour",
    "if",
    "insert",
    "interval",
    "last_value",
    "left",
    "mid",
    "minute",
    "mod",
    "month",
    "password",
    "repeat",
    "replace",
    "right",
    "second",
    "subdate",
    "substr",
    "substring",
    "time",
    "timestamp",
    "truncate",
    "user",
    "year",
];

/// Whether a function, by its lower-case name, is one of MariaDB's grammar: its arguments have no names, neither ones that are
/// given nor their own words. Those of other functions go by their words.
pub fn is_of_grammar(name: &str) -> bool {
    OF_GRAMMAR.contains(&name)
}

impl FunctionCall {
    /// `ROWNUM()`, which Oracle writes without parentheses.
    pub fn row_number() -> FunctionCall {
        FunctionCall { name: "rownum".into(), args: Vec::new() }
    }

    /// Whether it is `ROWNUM()`.
    pub fn is_row_number(&self) -> bool {
        self.name == "rownum" && self.args.is_empty()
    }
}

/// Aggregate functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AggregateKind {
    /// `COUNT(*)`: no arguments.
    CountStar,
    Count,
    Sum,
    Avg,
    Min,
    Max,
    GroupConcat,
    BitAnd,
    BitOr,
    BitXor,
    /// `STD`, `STDDEV`, `STDDEV_POP`.
    StddevPop,
    StddevSamp,
    /// `VARIANCE`, `VAR_POP`.
    VarPop,
    VarSamp,
    JsonArrayAgg,
    JsonObjectAgg,
}

impl AggregateKind {
    /// Whether it is one of BIT_AND, BIT_OR and BIT_XOR, whose arguments are read as integers of 64 bits.
    pub fn is_of_bits(self) -> bool {
        matches!(self, AggregateKind::BitAnd | AggregateKind::BitOr | AggregateKind::BitXor)
    }
}

/// An aggregate call.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// Which.
    pub kind: AggregateKind,
    /// `DISTINCT`.
    pub distinct: bool,
    /// The arguments.
    pub args: Vec<Expr>,
    /// `ORDER BY` of GROUP_CONCAT and JSON_ARRAYAGG.
    pub order_by: Vec<OrderItem>,
    /// `SEPARATOR`.
    pub separator: Option<Vec<u8>>,
    /// `LIMIT` of GROUP_CONCAT and JSON_ARRAYAGG.
    pub limit: Option<Box<Limit>>,
}
