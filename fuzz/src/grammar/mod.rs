//! SQL made of bytes: each byte is a choice among a grammar's alternatives, so that statements mean something whatever
//! the bytes are, and small changes of the bytes are small changes of the statement.
//!
//! | module | what |
//! | --- | --- |
//! | [`expression`] | expressions over all functions, operators and types |
//! | [`query`] | queries: joins, groups, windows, set operations, subqueries |
//! | [`statement`] | changes of rows, definitions |
//!
//! Where no byte is left the first alternative is taken: it never leads further down.

pub mod expression;
pub mod query;
pub mod statement;

/// How deep grammars nest. Deeper texts are the business of `sql_text`.
const DEPTH_MAX: u32 = 8;

/// Choices still to be made.
pub struct Choices<'d> {
    bytes: std::slice::Iter<'d, u8>,
    depth: u32,
    names: u32,
}

impl<'d> Choices<'d> {
    /// The choices that `data` makes.
    pub fn new(data: &'d [u8]) -> Self {
        Self { bytes: data.iter(), depth: 0, names: 0 }
    }

    /// A number below `bound`; 0 where no byte is left.
    pub fn below(&mut self, bound: usize) -> usize {
        let mut number = 0;
        let mut reach = 1;
        while reach < bound {
            number = number << 8 | usize::from(self.bytes.next().copied().unwrap_or(0));
            reach <<= 8;
        }
        number % bound.max(1)
    }

    /// True once in `times` choices; false where no byte is left.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// One of `items`.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A name that the statement has not had yet.
    pub fn name(&mut self, kind: char) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    /// Makes something one level further down, by `leaf` where that is too deep or no byte is left.
    fn nested(
        &mut self,
        leaf: impl FnOnce(&mut Self) -> String,
        make: impl FnOnce(&mut Self) -> String,
    ) -> String {
        if self.depth == DEPTH_MAX || self.bytes.as_slice().is_empty() {
            return leaf(self);
        }
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        made
    }

    /// `least` to `most` things between commas.
    fn list(&mut self, least: usize, most: usize, mut make: impl FnMut(&mut Self) -> String) -> String {
        let count = least + self.below(most - least + 1);
        let things: Vec<String> = (0..count).map(|_| make(self)).collect();
        things.join(", ")
    }
}

/// What an expression may name and hold.
#[derive(Clone, Default)]
pub struct Scope {
    /// Columns, qualified or not.
    pub columns: Vec<String>,
    /// Aggregates have their place.
    pub aggregates: bool,
    /// Window functions have their place.
    pub windows: bool,
    /// Parameters have their place.
    pub parameters: bool,
}

impl Scope {
    /// The scope of an expression inside an aggregate or another clause: columns alone.
    pub fn plain(&self) -> Scope {
        Scope {
            columns: self.columns.clone(),
            aggregates: false,
            windows: false,
            parameters: self.parameters,
        }
    }
}

/// The tables and their columns.
pub const TABLES: [(&str, &[&str]); 3] =
    [("t", &["a", "b", "c", "d", "e", "f", "g"]), ("u", &["a", "b", "c", "v", "w"]), ("every", &EVERY)];

/// The columns of `every`.
pub const EVERY: [&str; 35] = [
    "id", "t1", "t2", "t3", "t4", "t8", "u8", "f4", "f8", "n2", "n38", "b1", "b64", "y", "da", "ti", "dt",
    "dt6", "ts", "c", "v", "vb", "vl", "vu", "vw", "bi", "bv", "tx", "bl", "e", "s", "j", "i6", "uu", "g",
];
