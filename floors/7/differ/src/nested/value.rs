//! Values and conditions.

use super::join::of_kind;
use super::query::Draw;
use super::{Kind, clause, expr, fixed, word};
use crate::term::Term;

const COMPARISONS: &[&str] = &["=", "=", "=", "<", ">", "<=", ">=", "<>", "<=>"];
const NUMBERS: &[&str] = &["0", "1", "2", "3"];
const TEXTS: &[&str] = &["'a'", "'b'", "'ab'", "''"];

impl Draw<'_> {
    pub(super) fn kind(&mut self) -> Kind {
        if self.dice.chance(3, 4) { Kind::Number } else { Kind::Text }
    }

    pub(super) fn literal(&mut self, kind: Kind) -> Term {
        word(*self.dice.pick(if kind == Kind::Number { NUMBERS } else { TEXTS }))
    }

    /// A column of the tables at hand, or a literal where there is none.
    pub(super) fn own(&mut self, kind: Kind) -> Term {
        let last = self.scopes.last().map_or(&[][..], Vec::as_slice);
        let names = of_kind(last, kind);
        if names.is_empty() {
            return self.literal(kind);
        }
        word(self.dice.pick(&names).text.clone())
    }

    /// A value that is NULL where the row that it is of is made of NULL.
    pub(super) fn strict(&mut self, kind: Kind) -> Term {
        let last = self.scopes.last().map_or(&[][..], Vec::as_slice);
        if last.is_empty() || !of_kind(last, kind).is_empty() {
            let own = self.own(kind);
            return match self.dice.chance(1, 6) && kind == Kind::Number {
                true => expr("{} + {}", vec![own, self.own(kind)]),
                false => own,
            };
        }
        match kind {
            Kind::Number => expr("CHAR_LENGTH({})", vec![self.own(Kind::Text)]),
            Kind::Text => expr("CONCAT({})", vec![self.own(Kind::Number)]),
        }
    }

    /// A column of the rows around, one level up more often than two.
    fn around(&mut self, kind: Kind) -> Term {
        let levels = self.scopes.len();
        if levels < 2 {
            return self.own(kind);
        }
        let far = levels > 2 && self.dice.chance(1, 3);
        let names = of_kind(&self.scopes[if far { levels - 3 } else { levels - 2 }], kind);
        // A name without its table might be one of a table at hand.
        let names: Vec<_> = names.into_iter().filter(|name| name.text.contains('.')).collect();
        if names.is_empty() {
            return self.literal(kind);
        }
        word(self.dice.pick(&names).text.clone())
    }

    /// A value of the rows at hand and around.
    pub(super) fn value(&mut self, kind: Kind) -> Term {
        match self.dice.below(20) {
            0 | 1 => self.literal(kind),
            2..=5 => self.around(kind),
            6 => {
                let parts = vec![self.own(kind), self.literal(kind)];
                expr("COALESCE({}, {})", parts)
            }
            7 => {
                let parts = vec![self.own(kind), self.around(kind)];
                expr(if kind == Kind::Number { "{} + {}" } else { "CONCAT({}, {})" }, parts)
            }
            8 | 9 if self.room() => self.scalar(kind),
            10 => {
                let parts = vec![self.simple(), self.own(kind), self.literal(kind)];
                expr("IF({}, {}, {})", parts)
            }
            _ => self.own(kind),
        }
    }

    /// What an aggregate is of: it belongs to the query at hand by its first operand.
    fn argument(&mut self, kind: Kind) -> Term {
        let own = self.own(kind);
        if self.dice.chance(1, 8) && kind == Kind::Number {
            let around = self.around(kind);
            return expr("{} + {}", vec![own, around]);
        }
        own
    }

    pub(super) fn aggregate(&mut self, kind: Kind) -> Term {
        if kind == Kind::Text {
            let call = *self.dice.pick(&["MAX({})", "MIN({})"]);
            let argument = self.argument(kind);
            return expr(call, vec![argument]);
        }
        let call = *self.dice.pick(&[
            "COUNT(*)",
            "COUNT({})",
            "COUNT({})",
            "SUM({})",
            "MAX({})",
            "MIN({})",
            "COUNT(DISTINCT {})",
        ]);
        if !call.contains("{}") {
            return word(call);
        }
        let argument = self.argument(kind);
        expr(call, vec![argument])
    }

    /// A condition of one comparison without subqueries.
    fn simple(&mut self) -> Term {
        let kind = self.kind();
        let left = self.first(kind);
        match self.dice.below(8) {
            0 => expr("{} IS NULL", vec![left]),
            1 => expr("{} IS NOT NULL", vec![left]),
            2 => {
                let not = if self.dice.chance(1, 3) { "NOT " } else { "" };
                let mut list = vec![left, self.literal(kind), self.literal(kind)];
                let mut template = format!("{{}} {not}IN ({{}}, {{}}");
                if self.dice.chance(1, 4) {
                    list.push(self.around(kind));
                    template += ", {}";
                }
                expr(&(template + ")"), list)
            }
            3 if kind == Kind::Number => {
                let parts = vec![left, self.plain(kind), self.plain(kind)];
                expr("{} BETWEEN {} AND {}", parts)
            }
            _ => {
                let operator = *self.dice.pick(COMPARISONS);
                let parts = vec![left, self.plain(kind)];
                expr(&format!("{{}} {operator} {{}}"), parts)
            }
        }
    }

    /// A column at hand of a kept table: MariaDB takes no subqueries into rows, and columns of views may be such.
    fn kept(&mut self, kind: Kind) -> Term {
        let last = self.scopes.last().map_or(&[][..], Vec::as_slice);
        let names: Vec<_> = of_kind(last, kind).into_iter().filter(|name| name.kept).collect();
        match names.is_empty() {
            true => self.literal(kind),
            false => word(self.dice.pick(&names).text.clone()),
        }
    }

    /// What a condition begins with: of an outer join in a subquery MariaDB decides what reads rows around alone before there
    /// is any.
    fn first(&mut self, kind: Kind) -> Term {
        if self.own_first { self.own(kind) } else { self.plain(kind) }
    }

    fn plain(&mut self, kind: Kind) -> Term {
        match self.dice.below(8) {
            0 => self.literal(kind),
            1 | 2 => self.around(kind),
            _ => self.own(kind),
        }
    }

    /// A condition; `depth`: how deep AND, OR and NOT go.
    pub(super) fn condition(&mut self, depth: usize) -> Term {
        match self.dice.below(20) {
            0..=3 if depth > 0 => {
                let parts = vec![self.condition(depth - 1), self.condition(depth - 1)];
                expr("({} AND {})", parts)
            }
            4..=6 if depth > 0 => {
                let parts = vec![self.condition(depth - 1), self.condition(depth - 1)];
                expr("({} OR {})", parts)
            }
            7 if depth > 0 => {
                let part = self.condition(depth - 1);
                // NOT of NOT of ALL is its opposite to MariaDB.
                let twice = part.to_string().starts_with("NOT (");
                if twice { part } else { expr("NOT ({})", vec![part]) }
            }
            8..=11 if self.room() => self.with_subquery(),
            12 => {
                let kind = self.kind();
                let left = if self.own_first { self.own(kind) } else { self.value(kind) };
                let operator = *self.dice.pick(COMPARISONS);
                let right = self.value(kind);
                expr(&format!("{{}} {operator} {{}}"), vec![left, right])
            }
            13 if !self.own_first => word(*self.dice.pick(&["1", "0", "NULL", "1 = 1", "1 = 0"])),
            _ => self.simple(),
        }
    }

    /// EXISTS, IN, ANY, ALL.
    pub(super) fn with_subquery(&mut self) -> Term {
        let kind = self.kind();
        match self.dice.below(10) {
            0..=2 => {
                let not = *self.dice.pick(&["", "", "NOT "]);
                let of = self.list(&[kind]);
                expr(&format!("{not}EXISTS ({{}})"), vec![of])
            }
            3..=6 => {
                let not = *self.dice.pick(&["", "NOT "]);
                let parts = vec![self.first(kind), self.list(&[kind])];
                expr(&format!("{{}} {not}IN ({{}})"), parts)
            }
            7 => {
                let other = self.kind();
                let not = *self.dice.pick(&["", "NOT "]);
                let parts = vec![self.kept(kind), self.kept(other), self.list(&[kind, other])];
                expr(&format!("({{}}, {{}}) {not}IN ({{}})"), parts)
            }
            _ => {
                let operator = *self.dice.pick(&["=", "<>", "<", ">", ">=", "<="]);
                let some = *self.dice.pick(&["ANY", "ALL"]);
                let parts = vec![self.first(kind), self.list(&[kind])];
                expr(&format!("{{}} {operator} {some} ({{}})"), parts)
            }
        }
    }

    /// A subquery of one value: it never has two rows.
    pub(super) fn scalar(&mut self, kind: Kind) -> Term {
        let most = self.most();
        let from = self.enter(most);
        let picked = from.identity.clone().filter(|_| self.dice.chance(1, 4));
        let item = match picked {
            Some(_) => self.value(kind),
            None => self.aggregate(kind),
        };
        let filter = match self.dice.chance(3, 4) {
            true => clause(" WHERE {}", vec![self.condition(1)]),
            false => fixed(""),
        };
        let end = match picked {
            Some(identity) => fixed(format!(" ORDER BY {} LIMIT 1", identity.join(", "))),
            None if self.dice.chance(1, 10) => {
                let operator = *self.dice.pick(COMPARISONS);
                let parts = vec![self.aggregate(Kind::Number), self.literal(Kind::Number)];
                clause(&format!(" HAVING {{}} {operator} {{}}"), parts)
            }
            None => fixed(""),
        };
        self.leave();
        expr("(SELECT {} FROM {}{}{})", vec![item, from.term, filter, end])
    }
}
