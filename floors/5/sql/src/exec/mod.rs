//! Running plans: rows are pushed through joins, grouping, ordering and out.
//!
//! | module | what |
//! | --- | --- |
//! | [`cx`] | the context of a running statement |
//! | [`query`] | whole queries: SELECT blocks, VALUES |
//! | [`sets`] | UNION, EXCEPT, INTERSECT |
//! | [`json_table`] | rows of JSON_TABLE |
//! | [`recursion`] | recursive common table expressions |
//! | [`join`] | nested loops over the join tree |
//! | [`hash_join`] | rows kept by their keys |
//! | [`table`], [`ranges`] | rows of one table: points, ranges, scans, derived and virtual tables; bounds of ranges |
//! | [`group`], `sums` | grouping and aggregates; those of stored integers |
//! | [`window`] | window functions |
//! | [`sort`] | ORDER BY, DISTINCT, LIMIT |
//! | `returning` | what RETURNING gives of a row |
//! | `keys`, `rows` | different keys, numbered; rows kept for those who read them again |
//! | [`unique`] | the first row of each kind |
//! | [`memory`], [`spill`], [`filed`] | what operators hold in memory, rows in temporary files, found there by keys |
//! | [`subquery`] | subqueries inside expressions |
//! | [`insert`], `auto_increment`, [`change`] | INSERT and REPLACE; their numbers; UPDATE and DELETE |
//! | [`load`], [`fields`] | LOAD DATA; the text of files |
//! | [`defaults`] | default values of columns |
//!
//! A producer calls its consumer once a row; the consumer answers [`Flow::Stop`] when it has enough.

mod auto_increment;
pub mod change;
pub mod cx;
pub mod defaults;
pub mod direct;
mod early;
pub(crate) mod faults;
pub mod fields;
pub mod filed;
pub mod group;
pub mod hash_join;
pub mod insert;
pub mod join;
pub mod json_table;
mod keys;
pub mod load;
mod made;
pub mod memory;
mod packed;
pub mod query;
pub mod ranges;
pub mod reader;
pub mod recursion;
mod returning;
mod rows;
pub mod rules;
mod sequence;
pub mod sets;
pub mod slices;
pub mod sort;
pub mod spill;
pub mod subquery;
mod sums;
pub mod table;
pub mod unique;
pub mod window;

pub use cx::Cx;

use crate::error::SqlError;
use std::rc::Rc;
use types::Value;

/// Whether a producer of rows goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// More rows are wanted.
    Continue,
    /// Enough.
    Stop,
}

/// Takes the rows of a query.
pub type Sink<'k> = &'k mut dyn FnMut(&mut Cx<'_>, &[Value]) -> Result<Flow, SqlError>;

/// Goes on once a join has filled the frame with a row.
pub type Next<'k> = &'k mut dyn FnMut(&mut Cx<'_>) -> Result<Flow, SqlError>;

/// A result kept for the statement's time.
pub enum Materialized {
    /// Rows of a derived table or subquery.
    Rows(Rc<rows::Rows>),
    /// The one value of a subquery.
    Value(types::Value),
    /// Keys of the rows of a subquery, for IN.
    Members(Box<subquery::members::Members>),
    /// What is known of them where an index is asked instead.
    Probed(subquery::probe::Probed),
    /// Their ends, for ANY and ALL.
    Ends(Rc<subquery::members::Ends>),
    /// Aggregates of a block that were known before the statement wrote.
    Early(early::Known),
    /// Rows of a join by their keys.
    Hash(Rc<hash_join::Table>),
    /// Those without room, where they have to be found in any order.
    Filed(Rc<filed::Filed>),
    /// Both sides of a hash join without room.
    Parted(Box<hash_join::parted::Parted>),
    /// Results of a correlated subquery by what it read.
    Results(Box<subquery::Results>),
}
