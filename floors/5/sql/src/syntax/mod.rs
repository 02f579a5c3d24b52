//! Text to statement tree: lexer, parser, statement shapes.
//!
//! What this knows: MariaDB 10.11's grammar (with the MySQL 8 spellings that clients send). What it does not know: which
//! tables, columns, functions or variables exist.

pub mod ast;
pub mod keyword;
pub mod lexer;
pub(crate) mod literal;
pub mod parser;
pub mod shape;
pub mod template;

pub use keyword::keywords;
pub use lexer::LexMode;
pub use parser::{ParseOptions, Parsed, is_word, parse};
pub use shape::Shape;

#[cfg(test)]
mod tests;
