//! A statement as a tree of its parts, so that a failing one can be made smaller part by part.

use std::fmt;

/// What may be done to a part when a statement is made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An expression: one of its operands or a plain literal may stand for it.
    Expr,
    /// A clause or list member with its separator: it may go.
    Optional,
    /// Neither: only what is inside may change.
    Fixed,
}

/// A piece of a part.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Words as they are.
    Text(String),
    /// A part of its own.
    Part(Term),
}

/// A part of a statement.
#[derive(Clone, Debug)]
pub struct Term {
    /// What may be done to it.
    pub role: Role,
    /// What it is made of.
    pub pieces: Vec<Piece>,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(text),
            Piece::Part(part) => part.fmt(f),
        })
    }
}

impl Term {
    /// A part of nothing but words.
    pub fn words(role: Role, text: impl Into<String>) -> Term {
        Term { role, pieces: vec![Piece::Text(text.into())] }
    }

    /// A part after a template: each `{}` stands for the next of `parts`.
    pub fn of(role: Role, template: &str, parts: Vec<Term>) -> Term {
        let mut pieces = Vec::new();
        let mut parts = parts.into_iter();
        for (i, text) in template.split("{}").enumerate() {
            if i > 0 {
                pieces.push(Piece::Part(parts.next().expect("a part for each place")));
            }
            pieces.push(Piece::Text(text.to_owned()));
        }
        Term { role, pieces }
    }

    /// Parts one after another.
    pub fn row(parts: Vec<Term>) -> Term {
        Term { role: Role::Fixed, pieces: parts.into_iter().map(Piece::Part).collect() }
    }

    fn parts(&self) -> impl Iterator<Item = &Term> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Part(part) => Some(part),
            Piece::Text(_) => None,
        })
    }

    /// Number of parts, itself included.
    fn size(&self) -> usize {
        1 + self.parts().map(Term::size).sum::<usize>()
    }

    /// The part with a number in order of writing; 0 is the whole.
    fn nth(&self, n: usize) -> &Term {
        let mut left = n;
        if left == 0 {
            return self;
        }
        left -= 1;
        for part in self.parts() {
            let size = part.size();
            if left < size {
                return part.nth(left);
            }
            left -= size;
        }
        self
    }

    /// The whole with another part in the place of the one with a number.
    fn with(&self, n: usize, new: &Term) -> Term {
        if n == 0 {
            return new.clone();
        }
        let mut left = n - 1;
        let mut copy = self.clone();
        for piece in &mut copy.pieces {
            let Piece::Part(part) = piece else { continue };
            let size = part.size();
            if left < size {
                *part = part.with(left, new);
                break;
            }
            left -= size;
        }
        copy
    }

    /// All statements that are one step smaller.
    pub fn smaller(&self) -> Vec<Term> {
        let mut found = Vec::new();
        for n in 0..self.size() {
            let part = self.nth(n);
            match part.role {
                Role::Optional => found.push(self.with(n, &Term::words(Role::Fixed, ""))),
                Role::Expr if part.parts().next().is_some() => {
                    let operands = part.parts().filter(|operand| operand.role == Role::Expr);
                    found.extend(operands.map(|operand| self.with(n, operand)));
                    found.extend(
                        ["NULL", "1", "'a'"].map(|text| self.with(n, &Term::words(Role::Expr, text))),
                    );
                }
                _ => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_ones_lack_a_clause_or_an_operator() {
        let word = |text| Term::words(Role::Expr, text);
        let sum = Term::of(Role::Expr, "{} + {}", vec![word("a"), word("b")]);
        let clause = Term::of(Role::Optional, " WHERE {}", vec![word("c")]);
        let all = Term::of(Role::Fixed, "SELECT {}{}", vec![sum, clause]);
        assert_eq!(all.to_string(), "SELECT a + b WHERE c");
        let texts: Vec<String> = all.smaller().iter().map(Term::to_string).collect();
        assert_eq!(texts[0], "SELECT a WHERE c");
        assert_eq!(texts[1], "SELECT b WHERE c");
        assert_eq!(texts[2], "SELECT NULL WHERE c");
        assert_eq!(texts.last().map(String::as_str), Some("SELECT a + b"));
    }
}
