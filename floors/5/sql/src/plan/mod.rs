//! Plans: what the executor runs. Made by `bind` from the statement tree, improved by `access` and `order`.
//!
//! A query block's row is one vector of values, its frame: the columns that the block needs of each table stand in it,
//! then the results of its aggregates. Joins are a tree of nested loops; each table says how its rows are found.

use crate::bind::scope::Origin;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, Type};
use crate::syntax::ast::{LockWait, SetOperator};
use std::sync::{Arc, OnceLock};
use types::{CollationId, Value};

mod absent;
pub mod access;
mod aggregate;
mod apart;
mod beforehand;
mod clocks;
pub mod covering;
mod dates;
mod determined;
mod different;
mod eliminate;
pub mod ends;
mod equal;
pub mod estimate;
mod exists;
pub mod explain;
mod factor;
mod goal;
mod grouped;
pub(crate) mod hash;
pub mod hints;
mod inner;
mod joins;
pub mod json_table;
pub mod lateral;
pub mod order;
mod outward;
mod presort;
pub mod probe;
mod pullout;
mod push;
pub mod recursion;
pub mod row_number;
mod semi;
pub mod sequence;
mod sort_key;
mod sure;
pub mod waiting;
pub mod walk;
pub mod window;
mod within;

pub use aggregate::AggregateCall;
pub use presort::has_alike_together;
pub use sort_key::SortKey;

/// A column of a query's result.
#[derive(Debug, Clone)]
pub struct OutputColumn {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: Type,
    /// The table's column it is, if it is one.
    pub origin: Option<Arc<Origin>>,
}

/// A whole query.
#[derive(Debug)]
pub struct QueryPlan {
    /// Its body.
    pub body: Body,
    /// Columns of the result.
    pub columns: Vec<OutputColumn>,
}

impl QueryPlan {
    /// Rows expected of it.
    pub fn rows(&self) -> f64 {
        match &self.body {
            Body::Select(select) => select.rows,
            Body::Values { rows, .. } => rows.len() as f64,
            Body::SetOps { first, rest, .. } => {
                first.rows() + rest.iter().map(|(.., plan)| plan.rows()).sum::<f64>()
            }
            Body::Recursive(recursion) => recursion.sum_of(QueryPlan::rows),
        }
    }

    /// Quotients that it hands on keep all their digits, unless something in it has put its rows aside as they are shown.
    pub fn keep_digits(&mut self) {
        if let Body::Select(select) = &mut self.body {
            let keyed = select.group.as_ref().is_some_and(|group| !group.keys.is_empty());
            let aside = keyed || select.distinct || select.windows.is_some() || select.having.is_some();
            select.keeps_digits = !aside;
        }
    }

    /// As [`Self::keep_digits`] for a member of a set operation: quotients of a group's aggregates do there, too.
    pub fn keep_digits_of_groups(&mut self) {
        self.keep_digits();
        if let Body::Select(select) = &mut self.body
            && select.group.as_ref().is_some_and(|group| !group.keys.is_empty())
        {
            select.keeps_digits = !select.distinct && select.windows.is_none();
        }
    }

    /// Whether it is rows of a join, put together as it is: what MariaDB merges into the query around, even where several
    /// uses share it here.
    pub fn is_plain_select(&self) -> bool {
        let Body::Select(select) = &self.body else { return false };
        let whole = select.tail.limit.is_none() && select.tail.offset.is_none();
        select.from.is_some()
            && select.group.is_none()
            && select.windows.is_none()
            && select.row_number.is_none()
            && !select.distinct
            && whole
    }

    /// Rows looked at of the table that drives it, as expected.
    pub fn scanned(&self) -> f64 {
        match &self.body {
            Body::Select(select) => select.from.as_ref().map_or(1.0, |join| join.first_table().rows),
            _ => self.rows(),
        }
    }

    /// The lowest frame level that it works in.
    pub fn level(&self) -> u32 {
        match &self.body {
            Body::Select(select) => select.level,
            Body::Values { level, .. } | Body::SetOps { level, .. } => *level,
            Body::Recursive(recursion) => recursion.anchors.first().map_or(0, QueryPlan::level),
        }
    }

    /// Order, limits and options of the whole.
    pub fn tail(&self) -> Option<&Tail> {
        match &self.body {
            Body::Select(select) => Some(&select.tail),
            Body::SetOps { tail, .. } | Body::Values { tail, .. } => Some(tail),
            Body::Recursive(_) => None,
        }
    }

    /// What running it is expected to cost, in rows scanned.
    pub fn cost(&self) -> f64 {
        match &self.body {
            Body::Select(select) => select.cost,
            Body::Values { rows, .. } => rows.len() as f64,
            Body::SetOps { first, rest, .. } => {
                first.cost() + rest.iter().map(|(.., plan)| plan.cost()).sum::<f64>()
            }
            Body::Recursive(recursion) => recursion.sum_of(QueryPlan::cost),
        }
    }
}

/// The body of a query.
#[derive(Debug)]
pub enum Body {
    /// One SELECT.
    Select(Box<SelectPlan>),
    /// `VALUES (..), (..)`.
    Values {
        /// The rows.
        rows: Vec<Vec<Expr>>,
        /// ORDER BY and LIMIT; expressions read the row at this frame level.
        tail: Tail,
        /// Frame level of the row for `tail`.
        level: u32,
    },
    /// Set operations from left to right, then ordering of the whole.
    SetOps {
        /// First operand.
        first: Box<QueryPlan>,
        /// The others.
        rest: Vec<(SetOperator, bool, QueryPlan)>,
        /// ORDER BY and LIMIT of the whole; expressions read the result row at this frame level.
        tail: Tail,
        /// Frame level of the result row for `tail`.
        level: u32,
    },
    /// A recursive common table expression.
    Recursive(Box<recursion::RecursivePlan>),
}

/// ORDER BY and LIMIT.
#[derive(Debug, Default)]
pub struct Tail {
    /// Sort keys, most significant first.
    pub order_by: Vec<SortKey>,
    /// Rows wanted.
    pub limit: Option<Expr>,
    /// Rows skipped.
    pub offset: Option<Expr>,
    /// Rows equal to the last one in sort order come too.
    pub with_ties: bool,
    /// Rows that the whole statement may read.
    pub rows_examined: Option<Expr>,
    /// `SQL_CALC_FOUND_ROWS`: rows beyond the limit are counted.
    pub calc_found_rows: bool,
}

/// How a SELECT locks the rows that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowLock {
    /// FOR UPDATE.
    pub exclusive: bool,
    /// NOWAIT and so on.
    pub wait: LockWait,
}

/// One SELECT.
#[derive(Debug, Default)]
pub struct SelectPlan {
    /// Frame level.
    pub level: u32,
    /// Width of its frame.
    pub width: usize,
    /// Where rows come from; `None` without FROM: one row.
    pub from: Option<Join>,
    /// Conditions on no table of this block: checked once, first.
    pub constant_filter: Vec<Expr>,
    /// What follows from the conditions without any row of its tables: checked first as well.
    pub implied: Vec<Expr>,
    /// From this step of the outermost inner join on, the first row that belongs to each row of the steps before does.
    pub first_of: Option<usize>,
    /// What is to be read before any row where that can fail: it holds.
    pub read_beforehand: Vec<Expr>,
    /// Conditions that are checked on whole rows of the join.
    pub filter: Vec<Expr>,
    /// ROWNUM(), if something names it.
    pub row_number: Option<row_number::RowNumber>,
    /// Grouping, if any.
    pub group: Option<Group>,
    /// Where its aggregates (of each group) are read from ends of indexes, instead of going through rows.
    pub ends: Option<Vec<ends::End>>,
    /// HAVING.
    pub having: Option<Expr>,
    /// Window functions, if any: computed over the rows that HAVING leaves.
    pub windows: Option<window::Windows>,
    /// Select list.
    pub items: Vec<Expr>,
    /// Whoever takes the rows stores them: quotients keep all their digits.
    pub keeps_digits: bool,
    /// They store them as they are read: nothing is said of text in columns that is no number.
    pub is_hushed: bool,
    /// A cache takes the rows: dates are read as for comparing, what is none is zero.
    pub compares_dates: bool,
    /// DISTINCT.
    pub distinct: bool,
    /// ORDER BY and LIMIT.
    pub tail: Tail,
    /// Rows come from the join in the order that `tail` wants.
    pub presorted: bool,
    /// Locking of rows read.
    pub lock: Option<RowLock>,
    /// Rows expected of it.
    pub rows: f64,
    /// What running it is expected to cost, in rows scanned.
    pub cost: f64,
    /// Aggregates whose values are known before the statement writes.
    pub early: Option<Box<ends::EarlyEnds>>,
    /// It is planned with the block around.
    pub waiting: Option<Box<waiting::Waiting>>,
}

/// Grouping.
#[derive(Debug)]
pub struct Group {
    /// GROUP BY; empty groups all rows into one.
    pub keys: Vec<SortKey>,
    /// Aggregates; each names the slot of its result.
    pub aggregates: Vec<AggregateCall>,
    /// WITH ROLLUP: the slots that hold the keys' values as the select list shall see them, NULL in the rows that sum up
    /// over a key. Empty without it.
    pub rollup: Vec<u32>,
    /// Slots of a group's first row that something behind the grouping reads.
    pub kept: Vec<u32>,
    /// Those of them that only subqueries of the one group of all rows read, by their places: they see the last row.
    pub lasting: Vec<(usize, u32)>,
    /// Rows come in the order of the keys: each group is handed on once the next one begins.
    pub in_order: bool,
    /// They do so only here: MariaDB goes through the join in another way.
    pub in_order_alone: bool,
    /// Groups come in the order in which their first rows came, not in that of the keys.
    pub as_found: bool,
    /// Keys that are computed are told apart by what a temporary table keeps of them.
    pub aside: bool,
    /// ORDER BY sorts them by all their keys: in which order they come tells nothing.
    pub reordered: bool,
    /// What the select list computes of user variables when a group's first row comes, with the slots for it.
    pub variables: Vec<(u32, Expr)>,
}

impl Group {
    /// Whether MariaDB puts groups aside with a row of each: not where that is the row itself, or sums up others.
    pub fn keeps_rows(&self) -> bool {
        let sorted = self.aggregates.iter().any(AggregateCall::waits);
        let many = self.keys.iter().any(|key| !key.expr.is_one_to_groups());
        self.rollup.is_empty() && (!self.in_order || self.in_order_alone) && many && (self.aside || sorted)
    }

    /// Whether an expression reads a group's row, not aggregates alone.
    pub fn reads_rows(&self, e: &Expr, level: u32) -> bool {
        let mut reads = false;
        e.visit(&mut |e| {
            if let Kind::Column(slot) = &e.kind
                && slot.level == level
            {
                reads |= !self.aggregates.iter().flat_map(AggregateCall::slots).any(|own| own == slot.index);
            }
        });
        reads
    }
}

/// Tables in one join at most, as in MariaDB: planning takes longer with each.
pub const MAX_TABLES: usize = 61;

/// A tree of joins.
#[derive(Debug)]
pub enum Join {
    /// A table.
    Table(Box<TableAccess>),
    /// Inner joins in the order they are run; each step's conditions are checked once it has its row.
    Inner(Vec<(Join, Vec<Expr>)>),
    /// Rows of a join kept in a hash table, found by the rows around them.
    Hash(Box<HashJoin>),
    /// LEFT JOIN: the right side's slots are NULL where no row of it passes `on`.
    Left {
        /// Rows kept.
        left: Box<Join>,
        /// Rows joined.
        right: Box<Join>,
        /// Conditions.
        on: Vec<Expr>,
        /// Slots of the right side, to be set NULL.
        right_slots: Vec<u32>,
        /// Only rows that no row of the right side belongs to are wanted.
        absent: bool,
    },
}

/// A join whose rows are made once and kept by their keys; each row around it finds those with equal keys.
#[derive(Debug)]
pub struct HashJoin {
    /// What is kept. It reads nothing of the rows around it.
    pub build: Join,
    /// Number among the statement's materialised results.
    pub number: usize,
    /// Keys of the rows kept, read from their own slots; without any, every row is found.
    pub keys: Vec<Expr>,
    /// What the rows around look for, one for each key.
    pub probe: Vec<Expr>,
    /// How each pair is compared.
    pub how: Vec<Comparison>,
    /// It runs once, over rows that nobody changes: what has no room may wait in files.
    pub once: bool,
    /// The rows around, where those are kept instead as long as they are few.
    pub around: Option<KeptAround>,
    /// Slots that are kept of each row.
    pub slots: Vec<u32>,
    /// The slot of the row's number for warnings, where the statement changes rows: MariaDB, which keeps none then, tells
    /// that of the table's scan.
    pub row: Option<u32>,
    /// Rows kept, as expected.
    pub rows: f64,
}

/// Rows around a hash join that are kept.
#[derive(Debug)]
pub struct KeptAround {
    /// Their slots.
    pub slots: Vec<u32>,
    /// Not only as many as a join buffer takes, but as many as there is room for.
    pub many: bool,
}

impl HashJoin {
    /// Whether rows without room go to files.
    pub fn spills(&self) -> bool {
        self.once && !self.keys.is_empty()
    }
}

/// Where a table's rows come from.
#[derive(Debug)]
pub enum Source {
    /// A stored table.
    Base(Arc<engine::Table>),
    /// A derived table, view or common table expression: materialised once under its number.
    Derived {
        /// Its query.
        plan: Arc<QueryPlan>,
        /// Number among the statement's materialised results.
        number: usize,
    },
    /// A query that is run for each row around.
    Lateral(Box<lateral::Lateral>),
    /// A query's different rows, for `IN (query)` run as a join: materialised once under its number.
    Distinct {
        /// The query.
        plan: Arc<QueryPlan>,
        /// Number among the statement's materialised results.
        number: usize,
        /// How the columns are compared with what they are joined to; rows without a difference are one, rows with a
        /// NULL none.
        how: Vec<Comparison>,
    },
    /// JSON_TABLE: rows made of a document, anew for each row that it reads.
    Json(Box<json_table::JsonTable>),
    /// The rows of a recursion's last round, by their number among the statement's materialised results.
    Round(usize),
    /// A table of INFORMATION_SCHEMA: rows made when asked for.
    Virtual(&'static crate::catalog::VirtualTable),
    /// A sequence table: numbers.
    Sequence(sequence::Sequence),
}

/// One table in a join.
#[derive(Debug)]
pub struct TableAccess {
    /// Alias, for EXPLAIN.
    pub alias: String,
    /// Where rows come from.
    pub source: Source,
    /// Columns wanted, and the slots they go to: those that the first condition of `filter` reads come first, and so on.
    pub columns: Vec<(usize, u32)>,
    /// Those of them that something beyond its own conditions reads, where that is known not to be all.
    pub delivered: Option<Vec<(usize, u32)>>,
    /// For each condition of `filter`, how many of the columns it and those before it read.
    pub checked: Vec<usize>,
    /// Of rows that agree in so many leading parts of the index they are read by, only the first is read.
    pub skip: Option<usize>,
    /// The sort keys of a query with LIMIT, where all are columns of this table: rows that come too late are left alone.
    pub gate: Vec<SortKey>,
    /// Only the first of its rows are joined.
    pub first: Option<Box<goal::FirstRows>>,
    /// Nothing but its rows in its order is wanted, and not the first ones: where no condition is to be looked at, these
    /// are counted and not read.
    pub passes_over: bool,
    /// How many of the columns the conditions and the gate read.
    pub gated: usize,
    /// Where the index answers all conditions, nothing of the row itself is read.
    pub keys_only: bool,
    /// Where entries of the index hold all columns wanted.
    pub covered: Option<covering::Covered>,
    /// The slots of all its columns.
    pub slots: std::ops::Range<u32>,
    /// How rows are found.
    pub access: Access,
    /// Conditions checked on each row.
    pub filter: Vec<Expr>,
    /// Those of them that the way of access does not answer by itself where the keys it makes are exact.
    pub residual: Vec<Expr>,
    /// Which indexes may be used.
    pub hints: hints::Hints,
    /// Locking of rows read.
    pub lock: Option<RowLock>,
    /// Where UPDATE and DELETE find the row as it is stored.
    pub target: Option<RowSlots>,
    /// Rows expected to be looked at in one run, for EXPLAIN.
    pub rows: f64,
    /// The part of them that its conditions are expected to keep.
    pub kept: f64,
}

impl TableAccess {
    /// All rows of a source, before anything is known of what is wanted of them.
    pub fn new(alias: &str, source: Source, slots: std::ops::Range<u32>) -> Self {
        Self {
            alias: alias.to_owned(),
            source,
            columns: Vec::new(),
            delivered: None,
            checked: Vec::new(),
            skip: None,
            gate: Vec::new(),
            first: None,
            passes_over: false,
            gated: 0,
            keys_only: false,
            covered: None,
            slots,
            access: Access::Scan,
            filter: Vec::new(),
            residual: Vec::new(),
            hints: hints::Hints::default(),
            lock: None,
            target: None,
            rows: 0.0,
            kept: 1.0,
        }
    }

    /// Whether an index finds its rows, in one piece.
    pub fn is_ranged(&self) -> bool {
        matches!(self.access, Access::Ranges { .. } | Access::Point(..))
    }

    /// The column that has a slot of the block.
    pub fn column_at(&self, slot: u32) -> Option<usize> {
        self.slots.contains(&slot).then(|| (slot - self.slots.start) as usize)
    }

    /// The number of the column that an expression of a block at `level` is, if it is one of this table.
    pub fn column_of(&self, e: &Expr, level: u32) -> Option<usize> {
        match e.kind {
            Kind::Column(slot) if slot.level == level => self.column_at(slot.index),
            _ => None,
        }
    }
}

/// The slots of the row that UPDATE or DELETE changes, as it is stored: it comes along in whatever way its table is joined.
/// NULL where an outer join found none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowSlots {
    /// Its key.
    pub key: u32,
    /// Its image.
    pub image: u32,
}

impl RowSlots {
    /// Both.
    pub fn all(self) -> [u32; 2] {
        [self.key, self.image]
    }
}

/// How a stored table's rows are found.
#[derive(Debug, Clone)]
pub enum Access {
    /// All rows in primary key order.
    Scan,
    /// One row by a whole unique key without NULLs: index number, one expression a part.
    Point(usize, Vec<Expr>),
    /// Ranges of an index, run one after the other.
    Ranges {
        /// Index number.
        index: usize,
        /// The ranges.
        ranges: Vec<KeyRange>,
        /// From the high end down.
        reverse: bool,
    },
    /// Ranges of several indexes, one after the other; a row that several find comes once.
    Union(Vec<(usize, Vec<KeyRange>)>),
    /// All rows in an index's order.
    Index {
        /// Index number.
        index: usize,
        /// From the high end down.
        reverse: bool,
    },
}

impl Access {
    /// Whether it goes through the whole table.
    pub fn reads_all(&self) -> bool {
        matches!(self, Access::Scan | Access::Index { .. })
    }

    /// Whether it goes through ranges of indexes, not only looks a key up.
    pub fn is_range(&self) -> bool {
        match self {
            Access::Ranges { ranges, .. } => !matches!(&ranges[..], [range] if range.is_lookup()),
            Access::Union(_) => true,
            _ => false,
        }
    }
}

/// A range of an index: equal leading parts, then bounds on the next part.
#[derive(Debug, Clone, Default)]
pub struct KeyRange {
    /// Values of the leading parts; the flag tells `<=>` (NULL matches) from `=`.
    pub equal: Vec<(Expr, bool)>,
    /// Lower bounds of the next part, and whether each is in the range.
    pub low: Vec<(Expr, bool)>,
    /// Upper bounds of the next part, and whether each is in the range.
    pub high: Vec<(Expr, bool)>,
    /// The next part is not NULL (a bound says so).
    pub not_null: bool,
    /// The next part begins with the text that a LIKE pattern begins with.
    pub starts_with: Option<Opening>,
}

impl KeyRange {
    /// Whether it is all rows of which leading parts have some values.
    fn is_lookup(&self) -> bool {
        self.low.is_empty() && self.high.is_empty() && !self.not_null && self.starts_with.is_none()
    }
}

/// What stands before the first wildcard of a LIKE pattern.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The pattern, known before the statement runs.
    pub pattern: Expr,
    /// The escape character; `None` where escapes are off.
    pub escape: Option<char>,
    /// Collation of the match, which is the column's.
    pub collation: CollationId,
}

/// A subquery inside an expression.
#[derive(Debug)]
pub struct SubqueryExpr {
    /// What is asked of it.
    pub form: SubqueryForm,
    /// Its plan.
    pub plan: QueryPlan,
    /// Whether it reads rows of blocks around it.
    pub correlated: bool,
    /// Whether one that has a single value draws random numbers or sets variables, anew for each row.
    pub drawn: bool,
    /// Number among the statement's materialised results.
    pub number: usize,
    /// What a correlated one reads of the rows around it, where its result depends on nothing else.
    pub reads: Option<Vec<Slot>>,
    /// Its value, where it was asked for it while the statement was being bound.
    pub foreknown: OnceLock<Value>,
    /// How `IN` can be asked row by row.
    pub probe: Option<Box<probe::Probe>>,
}

/// Forms of subquery.
#[derive(Debug)]
pub enum SubqueryForm {
    /// One value (or one row, inside a row comparison).
    Scalar,
    /// One value of the row that a subquery of several columns gives, by the column's place.
    Column(usize),
    /// EXISTS.
    Exists,
    /// `left [NOT] IN (query)`, with how each member is compared.
    In {
        /// Left operands.
        left: Vec<Expr>,
        /// How each is compared with its column.
        how: Vec<Comparison>,
        /// NOT IN.
        negated: bool,
    },
    /// `left op ANY | ALL (query)`.
    Quantified {
        /// Left operand.
        left: Expr,
        /// How it is compared.
        how: Comparison,
        /// Operator.
        op: CompareOp,
        /// ALL.
        all: bool,
        /// Rows that cannot be compared leave the answer open, whatever they are.
        open: bool,
        /// A condition hangs on it: it is held against the least or greatest of the rows, where no NULL goes unnoticed.
        extreme: bool,
    },
    /// `(a, b) op (query giving one row)`.
    RowCompare {
        /// Left operands.
        left: Vec<Expr>,
        /// How each is compared.
        how: Vec<Comparison>,
        /// Operator.
        op: CompareOp,
    },
}
