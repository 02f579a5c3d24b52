//! Lexer, parser, binder, planner, plan cache, executor, functions

#![forbid(unsafe_code)]

pub mod error;
pub mod syntax;
