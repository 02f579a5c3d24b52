//! SQL: from a statement's text to its result.
//!
//! ```text
//! text -> syntax (lexer, parser, tree) -> bind (names, types) -> plan -> exec -> Output
//! ```
//!
//! | module | what |
//! | --- | --- |
//! | [`syntax`] | lexer, parser, statement tree, statement shapes |
//! | [`error`] | MariaDB's errors |
//! | [`expr`] | bound expressions, operators, functions, aggregates |
//! | [`bind`] | names to slots, tree to plan |
//! | [`plan`] | plans, access paths, join order, EXPLAIN |
//! | [`exec`] | running plans |
//! | [`session`] | state, transactions, statements, variables |
//! | [`admin`] | DDL, SET, SHOW and other statements that are not queries |
//! | [`catalog`] | INFORMATION_SCHEMA, the database `mysql` |
//! | [`output`], [`host`] | the seams to the server around |
//!
//! Not here: sockets, packets (the `server` and `protocol` rooms), pages and log (the `engine`).

#![forbid(unsafe_code)]

pub mod admin;
pub mod bind;
pub mod catalog;
pub mod error;
pub mod exec;
pub mod expr;
pub mod host;
pub mod output;
pub mod plan;
pub mod session;
pub mod syntax;
