//! FROM clauses: trees of joins.

use super::query::Draw;
use super::{Kind, Name, expr, fixed, word};
use crate::term::{Role, Term};

/// A table in a FROM clause.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Its name there.
    pub alias: String,
    /// The table's name, where it may be changed.
    pub table: Option<String>,
}

/// A join, or one table alone.
pub(super) struct Joined {
    pub term: Term,
    /// Its columns with the names of their tables.
    pub names: Vec<Name>,
    /// Its columns as they are called without: those joined by are one.
    pub plain: Vec<Name>,
    /// What tells each of its rows from all others.
    pub identity: Option<Vec<String>>,
    pub leaves: Vec<Leaf>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Leaf,
    /// Of tables with ON.
    On,
    /// By common names.
    Common,
    Comma,
}

impl Draw<'_> {
    /// A FROM clause of at most so many tables, whose names are those at hand from now on.
    pub(super) fn from(&mut self, most: usize) -> Joined {
        self.scopes.push(Vec::new());
        let count = 1 + self.dice.below(most);
        let joined = self.joined(count);
        self.name(&joined);
        joined
    }

    /// Puts what a join brings in reach.
    fn name(&mut self, joined: &Joined) {
        let mut names = joined.names.clone();
        if self.dice.chance(1, 3) {
            let alone = joined.plain.iter().filter(|name| count(&joined.plain, &name.text) == 1);
            names.extend(alone.cloned());
        }
        self.names_are(names);
    }

    fn joined(&mut self, count: usize) -> Joined {
        if count == 1 {
            return self.leaf();
        }
        let left = 1 + self.dice.below(count - 1);
        let (left, right) = (self.joined(left), self.joined(count - left));
        self.join(left, right)
    }

    fn leaf(&mut self) -> Joined {
        let (of, columns, identified, table) = if self.room() && self.dice.chance(1, 9) {
            let columns = self.columns();
            let query = self.apart(&columns);
            (expr("({})", vec![query]), columns, false, None)
        } else {
            let table = self.dice.pick(&self.tables).clone();
            let changed = table.rows.is_some().then(|| table.name.clone());
            (fixed(table.name), table.columns, table.identified, changed)
        };
        let alias = self.alias();
        let names =
            columns.iter().map(|c| Name { text: format!("{alias}.{}", c.text), ..c.clone() }).collect();
        Joined {
            term: expr(&format!("{{}} {alias}"), vec![of]),
            names,
            plain: columns,
            identity: identified.then(|| vec![format!("{alias}.id")]),
            leaves: vec![Leaf { alias, table }],
            form: Form::Leaf,
        }
    }

    fn join(&mut self, left: Joined, right: Joined) -> Joined {
        let names: Vec<Name> = left.names.iter().chain(&right.names).cloned().collect();
        let common: Vec<Name> =
            left.plain.iter().filter(|name| count(&right.plain, &name.text) > 0).cloned().collect();
        let single =
            |name: &Name| count(&left.plain, &name.text) == 1 && count(&right.plain, &name.text) == 1;
        let by_all = !common.is_empty() && common.iter().all(single);
        let fit: Vec<Name> = common.iter().filter(|name| single(name)).cloned().collect();
        let side = *self.dice.pick(&["LEFT ", "LEFT ", "RIGHT ", ""]);
        let (form, word, by) = match self.dice.below(20) {
            0 => (Form::Comma, ", ".to_owned(), Vec::new()),
            1 => (Form::Comma, " CROSS JOIN ".to_owned(), Vec::new()),
            2 | 3 if by_all => (Form::Common, format!(" NATURAL {side}JOIN "), common),
            2..=5 if !fit.is_empty() => {
                let mut by = vec![self.dice.pick(&fit).clone()];
                if self.dice.chance(1, 4) {
                    by = fit;
                }
                (Form::Common, format!(" {side}JOIN "), by)
            }
            2..=7 => {
                (Form::On, (*self.dice.pick(&[" JOIN ", " INNER JOIN ", " STRAIGHT_JOIN "])).into(), vec![])
            }
            8..=11 => (Form::On, " RIGHT JOIN ".to_owned(), Vec::new()),
            _ => (Form::On, " LEFT JOIN ".to_owned(), Vec::new()),
        };
        let loose = self.dice.chance(1, 2);
        // A join with ON may stand in the middle of another without parentheses.
        let middle = form == Form::On && right.form == Form::On && self.dice.chance(1, 4);
        let first = operand(left.term, left.form == Form::Leaf || loose && left.form != Form::Comma);
        let second = operand(right.term, right.form == Form::Leaf || middle && !starts_deep(&right.leaves));
        let mut parts = vec![first, second];
        let mut template = format!("{{}}{word}{{}}");
        if form == Form::On {
            self.names_are(names.clone());
            parts.push(self.on());
            template += " ON {}";
        } else if form == Form::Common && !word.contains("NATURAL") {
            let by: Vec<&str> = by.iter().map(|name| name.text.as_str()).collect();
            template += &format!(" USING ({})", by.join(", "));
        }
        let rest =
            |of: &[Name]| of.iter().filter(|name| count(&by, &name.text) == 0).cloned().collect::<Vec<_>>();
        let mut plain = by.clone();
        plain.extend(rest(&left.plain));
        plain.extend(rest(&right.plain));
        let identity = left.identity.zip(right.identity).map(|(one, other)| [one, other].concat());
        let leaves = [left.leaves, right.leaves].concat();
        // CROSS JOIN binds as others do; the comma does not.
        let form = if word.contains("CROSS") { Form::Common } else { form };
        Joined { term: Term::of(Role::Expr, &template, parts), names, plain, identity, leaves, form }
    }

    fn on(&mut self) -> Term {
        let inside = self.scopes.len() > 1;
        match self.dice.below(16) {
            0 => word(*self.dice.pick(&["1", "0", "NULL", "1 = 0", "TRUE"])),
            _ => {
                let was = std::mem::replace(&mut self.own_first, inside);
                let condition = self.condition(2);
                self.own_first = was;
                condition
            }
        }
    }
}

/// A join as an operand of another.
fn operand(term: Term, bare: bool) -> Term {
    if bare { term } else { expr("({})", vec![term]) }
}

/// Whether more than two tables are joined: only of two is it plain which ON is whose.
fn starts_deep(leaves: &[Leaf]) -> bool {
    leaves.len() > 2
}

fn count(names: &[Name], text: &str) -> usize {
    names.iter().filter(|name| name.text == text).count()
}

/// The columns of one kind.
pub(super) fn of_kind(names: &[Name], kind: Kind) -> Vec<&Name> {
    names.iter().filter(|name| name.kind == kind).collect()
}
