//! Plain expressions and conditions: what statements are filled with where their form is what is tried.

use super::{World, clause, fixed, list};
use crate::dice::Dice;
use crate::schema::Sort;
use crate::term::{Role, Term};

/// A column in reach.
#[derive(Clone, Debug)]
pub struct Name {
    /// How it is written.
    pub text: String,
    /// What it holds.
    pub sort: Sort,
}

/// The names in reach of an expression, those of the queries around it behind.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// The names of its own query.
    pub names: &'s [Name],
    /// Those around.
    pub outer: Option<&'s Scope<'s>>,
}

impl Scope<'_> {
    /// Nothing in reach.
    pub const EMPTY: Scope<'static> = Scope { names: &[], outer: None };
}

/// A common table expression in reach.
#[derive(Clone, Debug)]
pub struct Cte {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Name>,
}

/// Draws the parts of one statement.
pub struct Draw<'d> {
    /// The choices.
    pub dice: &'d mut Dice,
    /// What there is.
    pub world: &'d World,
    /// Aliases given out.
    pub aliases: usize,
    /// Common table expressions in reach.
    pub ctes: Vec<Cte>,
    /// Literals that became parameters, where the statement takes some.
    pub parameters: Option<Vec<String>>,
}

const INTEGERS: &[&str] = &["0", "1", "2", "3", "4", "5", "7", "10", "-1", "100", "12", "255"];
const FRACTIONS: &[&str] = &["0.5", "1.25", "-2.75", "10.0", "99.99", "3e0"];
const WORDS: &[&str] = &["'a'", "'b'", "'ab'", "'abc'", "'x y'", "'10'", "'zz'", "''", "'m%'", "'qwertz'"];
const DAYS: &[&str] =
    &["'2020-02-29'", "'2021-03-01'", "'1999-12-31 23:59:59'", "'2024-06-15 12:30:45'", "'2001-01-01'"];
const CLOCKS: &[&str] = &["'00:00:00'", "'10:11:12'", "'-01:02:03'", "'23:59:59'", "'100:00:00'"];

/// Any sort, numbers and texts most often.
pub fn any(dice: &mut Dice) -> Sort {
    *dice.pick(&[
        Sort::Number,
        Sort::Number,
        Sort::Number,
        Sort::Number,
        Sort::Text,
        Sort::Text,
        Sort::Text,
        Sort::Date,
        Sort::Time,
    ])
}

/// A literal of a sort.
pub fn literal(dice: &mut Dice, sort: Sort) -> String {
    if dice.chance(1, 16) {
        return "NULL".into();
    }
    match sort {
        Sort::Number if dice.chance(1, 6) => *dice.pick(FRACTIONS),
        Sort::Number => *dice.pick(INTEGERS),
        Sort::Text | Sort::Json | Sort::Fixed | Sort::Place | Sort::Xml => *dice.pick(WORDS),
        Sort::Date => *dice.pick(DAYS),
        Sort::Time => *dice.pick(CLOCKS),
    }
    .into()
}

impl<'d> Draw<'d> {
    /// Draws for a new statement.
    pub fn new(dice: &'d mut Dice, world: &'d World) -> Draw<'d> {
        Draw { dice, world, aliases: 0, ctes: Vec::new(), parameters: None }
    }

    /// A new alias.
    pub fn alias(&mut self, letter: char) -> String {
        self.aliases += 1;
        format!("{letter}{}", self.aliases)
    }

    /// A literal, or a parameter that has its value.
    pub fn literal(&mut self, sort: Sort) -> Term {
        let text = literal(self.dice, sort);
        if let Some(parameters) = &mut self.parameters
            && self.dice.chance(2, 3)
        {
            parameters.push(text);
            return fixed("?");
        }
        Term::words(Role::Expr, text)
    }

    /// A column of a sort, now and then of a query around.
    pub fn column(&mut self, scope: &Scope<'_>, sort: Sort) -> Option<Term> {
        if let Some(outer) = scope.outer
            && (self.dice.chance(1, 4) || scope.names.is_empty())
            && let Some(found) = self.column(outer, sort)
        {
            return Some(found);
        }
        let fits: Vec<&Name> = scope.names.iter().filter(|name| name.sort == sort).collect();
        (!fits.is_empty()).then(|| Term::words(Role::Expr, self.dice.pick(&fits).text.clone()))
    }

    fn leaf(&mut self, scope: &Scope<'_>, sort: Sort) -> Term {
        match self.column(scope, sort) {
            Some(column) if self.dice.chance(4, 5) => column,
            _ => self.literal(sort),
        }
    }

    /// An expression of a sort.
    pub fn scalar(&mut self, scope: &Scope<'_>, sort: Sort, depth: usize) -> Term {
        if depth == 0 || self.dice.chance(1, 2) {
            return self.leaf(scope, sort);
        }
        let depth = depth - 1;
        if self.dice.chance(1, 8) {
            return self.scalar_subquery(scope, sort, depth);
        }
        if self.dice.chance(1, 4) {
            let template = *self.dice.pick(&["COALESCE({}, {})", "IFNULL({}, {})", "NULLIF({}, {})"]);
            let parts = vec![self.scalar(scope, sort, depth), self.scalar(scope, sort, depth)];
            return Term::of(Role::Expr, template, parts);
        }
        if self.dice.chance(1, 5) {
            let template = *self.dice.pick(&["IF({}, {}, {})", "CASE WHEN {} THEN {} ELSE {} END"]);
            let condition = self.condition(scope, depth);
            let parts = vec![condition, self.scalar(scope, sort, depth), self.scalar(scope, sort, depth)];
            return Term::of(Role::Expr, template, parts);
        }
        let (template, sorts): (&str, &[Sort]) = match sort {
            Sort::Number => *self.dice.pick(&[
                ("{} + {}", &[Sort::Number, Sort::Number][..]),
                ("{} - {}", &[Sort::Number, Sort::Number]),
                ("{} * {}", &[Sort::Number, Sort::Number]),
                ("({} + {})", &[Sort::Number, Sort::Number]),
                ("ABS({})", &[Sort::Number]),
                ("-{}", &[Sort::Number]),
                ("LENGTH({})", &[Sort::Text]),
                ("YEAR({})", &[Sort::Date]),
                ("CAST({} AS SIGNED)", &[Sort::Number]),
                ("DATEDIFF({}, {})", &[Sort::Date, Sort::Date]),
            ]),
            Sort::Text | Sort::Json | Sort::Fixed | Sort::Place | Sort::Xml => *self.dice.pick(&[
                ("CONCAT({}, {})", &[Sort::Text, Sort::Text][..]),
                ("UPPER({})", &[Sort::Text]),
                ("LEFT({}, 2)", &[Sort::Text]),
                ("REPLACE({}, 'a', 'b')", &[Sort::Text]),
                ("CAST({} AS CHAR(10))", &[Sort::Number]),
                ("CONCAT({}, {})", &[Sort::Text, Sort::Number]),
                ("TRIM({})", &[Sort::Text]),
            ]),
            Sort::Date => *self.dice.pick(&[
                ("{} + INTERVAL 1 DAY", &[Sort::Date][..]),
                ("LAST_DAY({})", &[Sort::Date]),
                ("DATE({})", &[Sort::Date]),
                ("CAST({} AS DATETIME)", &[Sort::Date]),
            ]),
            Sort::Time => {
                *self.dice.pick(&[("TIME({})", &[Sort::Date][..]), ("ADDTIME({}, '01:00')", &[Sort::Time])])
            }
        };
        let parts = sorts.iter().map(|&sort| self.operand(scope, sort, depth)).collect();
        Term::of(Role::Expr, template, parts)
    }

    /// An expression that may stand beside an operator.
    fn operand(&mut self, scope: &Scope<'_>, sort: Sort, depth: usize) -> Term {
        let inner = self.scalar(scope, sort, depth);
        match inner.pieces.len() {
            0 | 1 => inner,
            _ => Term::of(Role::Expr, "({})", vec![inner]),
        }
    }

    /// A condition.
    pub fn condition(&mut self, scope: &Scope<'_>, depth: usize) -> Term {
        let inner = depth.saturating_sub(1);
        let sort = any(self.dice);
        match self.dice.below(20) {
            0..=6 => {
                let operator = *self.dice.pick(&["=", "=", "=", "<", ">", "<=", ">=", "<>", "<=>"]);
                let parts = vec![self.operand(scope, sort, inner), self.operand(scope, sort, inner)];
                Term::of(Role::Expr, &format!("{{}} {operator} {{}}"), parts)
            }
            7 => {
                let template = *self.dice.pick(&["{} IS NULL", "{} IS NOT NULL"]);
                let part = self.operand(scope, sort, inner);
                Term::of(Role::Expr, template, vec![part])
            }
            8 => {
                let template = *self.dice.pick(&["{} BETWEEN {} AND {}", "{} NOT BETWEEN {} AND {}"]);
                let parts = (0..3).map(|_| self.operand(scope, sort, inner)).collect();
                Term::of(Role::Expr, template, parts)
            }
            9 | 10 => {
                let left = self.operand(scope, sort, inner);
                let not = if self.dice.chance(1, 4) { "NOT " } else { "" };
                let members = (0..self.dice.between(1, 4)).map(|_| self.literal(sort)).collect();
                Term::of(Role::Expr, &format!("{{}} {not}IN ({{}})"), vec![left, list(members)])
            }
            11 => {
                let left = self.operand(scope, Sort::Text, inner);
                let pattern = *self.dice.pick(&["'a%'", "'%b%'", "'_'", "'x y'", "'%'"]);
                Term::of(Role::Expr, &format!("{{}} LIKE {pattern}"), vec![left])
            }
            12..=14 if depth > 0 => {
                let template = *self.dice.pick(&["({} AND {})", "({} OR {})", "({} AND {})", "({} XOR {})"]);
                let parts = vec![self.condition(scope, inner), self.condition(scope, inner)];
                Term::of(Role::Expr, template, parts)
            }
            15 if depth > 0 => {
                let template = *self.dice.pick(&["NOT ({})", "({}) IS TRUE", "({}) IS NOT FALSE"]);
                let part = self.condition(scope, inner);
                Term::of(Role::Expr, template, vec![part])
            }
            16..=18 if depth > 0 => self.subquery_condition(scope, inner),
            19 => self.row_condition(scope, inner),
            _ => Term::of(Role::Expr, "{} = {}", vec![self.leaf(scope, sort), self.leaf(scope, sort)]),
        }
    }

    /// Rows compared.
    fn row_condition(&mut self, scope: &Scope<'_>, depth: usize) -> Term {
        let sorts = [any(self.dice), any(self.dice)];
        let mut row = || Term::of(Role::Fixed, "({}, {})", sorts.map(|sort| self.leaf(scope, sort)).to_vec());
        let (left, right) = (row(), row());
        match self.dice.below(4) {
            0 if depth > 0 => {
                let query = self.block(scope, depth - 1, Some(&sorts), false);
                let not = if self.dice.chance(1, 4) { "NOT " } else { "" };
                Term::of(Role::Expr, &format!("{{}} {not}IN ({{}})"), vec![left, query.term])
            }
            1 => {
                let more = clause(", {}", vec![right.clone()]);
                Term::of(Role::Expr, "{} IN ({}{})", vec![left, right, more])
            }
            _ => {
                let operator = *self.dice.pick(&["=", "<>", "<", ">=", "<=>"]);
                Term::of(Role::Expr, &format!("{{}} {operator} {{}}"), vec![left, right])
            }
        }
    }
}
