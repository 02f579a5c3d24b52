//! XPath 1.0 as far as MariaDB knows it: paths over all axes but those of siblings, predicates, unions, comparisons,
//! arithmetic, functions, variables.

use crate::syntax::ast::BinaryOp;

pub(super) mod evaluate;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Child,
    Descendant,
    DescendantOrSelf,
    Parent,
    Ancestor,
    AncestorOrSelf,
    Own,
    Attribute,
    /// All that is found so far, as it is: `text()` and `node()` take no step, whatever axis stands before them.
    Same,
}

#[derive(Debug)]
enum Test {
    Named(String),
    Any,
    Node,
}

#[derive(Debug)]
struct Step {
    axis: Axis,
    test: Test,
    predicates: Vec<Path>,
}

/// A parsed expression.
#[derive(Debug)]
pub enum Path {
    /// An operator between two.
    Binary(&'static str, Box<Path>, Box<Path>),
    /// Nodes of either.
    Union(Box<Path>, Box<Path>),
    /// A sign before one.
    Negative(Box<Path>),
    /// Nodes.
    Steps(Steps),
    /// A whole number.
    Whole(i64),
    /// A number with so many digits behind its point.
    Number(f64, u8),
    /// A literal text.
    Text(String),
    /// A user variable.
    Variable(String),
    /// A function.
    Call(&'static str, Vec<Path>),
}

/// Steps from the root, from what another expression finds, or from the node under way.
#[derive(Debug)]
pub struct Steps {
    from: Option<Box<Path>>,
    absolute: bool,
    steps: Vec<Step>,
}

/// Expressions nested deeper than this are refused.
const DEPTH_MAX: usize = 50;

/// What is wrong with an expression: what is said of it, and of the rest that could not be read.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// A word before the rest from where it stands.
    pub what: Option<(&'static str, String)>,
    /// The rest that could not be read.
    pub rest: String,
}

const FUNCTIONS: &[&str] = &[
    "boolean",
    "ceiling",
    "concat",
    "contains",
    "count",
    "false",
    "floor",
    "last",
    "not",
    "number",
    "position",
    "round",
    "string-length",
    "substring",
    "sum",
    "true",
];

/// Operators, loosest first; those of a row bind alike.
const BINARY: &[&[&str]] =
    &[&["or"], &["and"], &["=", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "div", "mod"]];

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// Of bytes only ASCII letters are letters.
    bytes: bool,
    /// Predicates around.
    predicates: usize,
    fault: Option<(&'static str, String)>,
}

impl Path {
    /// Reads an expression, of text or of bytes.
    pub fn parse(text: &str, bytes: bool) -> Result<Path, Fault> {
        let mut parser = Parser { text, at: 0, depth: 0, bytes, predicates: 0, fault: None };
        let path = parser.binary(0);
        match path {
            Some(path) if parser.rest().is_empty() => Ok(path),
            _ => Err(Fault { rest: parser.rest().to_owned(), what: parser.fault }),
        }
    }

    /// Whether it leads to nodes, rather than to a value.
    pub fn leads_to_nodes(&self) -> bool {
        matches!(self, Path::Steps(_) | Path::Union(..))
    }

    /// Whether nodes have a say in what it is.
    pub fn looks_at_nodes(&self) -> bool {
        match self {
            Path::Steps(_) | Path::Union(..) => true,
            Path::Binary(_, left, right) => left.looks_at_nodes() || right.looks_at_nodes(),
            Path::Negative(operand) => operand.looks_at_nodes(),
            Path::Call(name, args) => {
                matches!(*name, "last" | "position") || args.iter().any(Path::looks_at_nodes)
            }
            Path::Whole(_) | Path::Number(..) | Path::Text(_) | Path::Variable(_) => false,
        }
    }

    /// Whether it is the node under way, as it is.
    fn takes_no_step(&self) -> bool {
        let same = |step: &Step| step.axis == Axis::Same;
        matches!(self, Path::Steps(Steps { absolute: false, from: None, steps }) if steps.iter().all(same))
    }

    /// Whether it is a condition, rather than a number or text.
    fn is_condition(&self) -> bool {
        match self {
            Path::Binary(operator, ..) => matches!(*operator, "or" | "and") || comparison(operator).is_some(),
            Path::Call(name, _) => matches!(*name, "boolean" | "contains" | "false" | "not" | "true"),
            _ => false,
        }
    }
}

/// The operator of SQL that compares as an operator of a path does.
fn comparison(operator: &str) -> Option<BinaryOp> {
    Some(match operator {
        "=" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    /// What is left behind spaces; tabs and ends of lines are none.
    fn rest(&mut self) -> &'t str {
        self.at += self.text[self.at..].len() - self.text[self.at..].trim_start_matches(' ').len();
        &self.text[self.at..]
    }

    fn is_name(&self, c: char) -> bool {
        (c.is_alphanumeric() && (c.is_ascii() || !self.bytes)) || matches!(c, '_' | '-' | '.')
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// A word that stands alone.
    fn eat_operator(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let letters = word.starts_with(|c: char| c.is_ascii_alphabetic());
        let whole = rest
            .strip_prefix(word)
            .is_some_and(|behind| !letters || !behind.starts_with(|c| self.is_name(c)));
        whole && self.eat(word)
    }

    fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let end = rest.find(|c| !self.is_name(c)).unwrap_or(rest.len());
        let name = &rest[..end];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
            return None;
        }
        self.at += end;
        Some(name)
    }

    /// A name that begins no call of a function.
    fn name_of_node(&mut self) -> Option<&'t str> {
        let before = self.at;
        let name = self.name()?;
        if FUNCTIONS.contains(&name) && self.rest().starts_with('(') {
            self.at = before;
            return None;
        }
        let (start, end) = (self.at - name.len(), self.at);
        // A prefix is a part of the name.
        if self.text[end..].starts_with(':') {
            self.at += 1;
            return self.name().map(|_| &self.text[start..self.at]);
        }
        Some(name)
    }

    fn binary(&mut self, level: usize) -> Option<Path> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        self.depth += 1;
        if self.depth > DEPTH_MAX * BINARY.len() {
            return None;
        }
        let mut left = self.binary(level + 1)?;
        loop {
            let from = self.rest();
            let Some(operator) = operators.iter().find(|word| self.eat_operator(word)) else { break };
            let right = self.binary(level + 1)?;
            if comparison(operator).is_some() && left.leads_to_nodes() && right.leads_to_nodes() {
                return self.fail("XPATH error: comparison of two nodesets is not supported: ", from);
            }
            left = Path::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Some(left)
    }

    /// Something other is wrong than that it can not be read.
    fn fail<T>(&mut self, what: &'static str, from: &str) -> Option<T> {
        self.fault = Some((what, from.to_owned()));
        None
    }

    fn unary(&mut self) -> Option<Path> {
        let mut negative = false;
        while self.eat("-") {
            negative = !negative;
        }
        let mut path = self.located()?;
        while self.eat("|") {
            path.leads_to_nodes().then_some(())?;
            let other = self.located().filter(Path::leads_to_nodes)?;
            path = Path::Union(Box::new(path), Box::new(other));
        }
        Some(if negative { Path::Negative(Box::new(path)) } else { path })
    }

    fn located(&mut self) -> Option<Path> {
        let rest = self.rest();
        let start = match rest.chars().next()? {
            '(' => {
                self.eat("(");
                let inner = self.binary(0)?;
                self.eat(")").then_some(inner)?
            }
            quote @ ('"' | '\'') => {
                let end = rest[1..].find(quote)?;
                self.at += end + 2;
                return Some(Path::Text(rest[1..1 + end].to_owned()));
            }
            '0'..='9' => {
                let mut points = 0;
                let end = rest.find(|c: char| {
                    points += usize::from(c == '.');
                    !c.is_ascii_digit() && (c != '.' || points > 1)
                });
                let end = end.unwrap_or(rest.len());
                self.at += end;
                return number(&rest[..end]);
            }
            '$' => {
                let user = self.eat("$@");
                self.eat("$");
                let name = self.name()?;
                return match user {
                    true => Some(Path::Variable(name.to_lowercase())),
                    false => self.fail("Unknown XPATH variable at: ", rest),
                };
            }
            _ => match self.call()? {
                Ok(call) => call,
                Err(()) => return self.steps(None).map(Path::Steps),
            },
        };
        match self.rest().starts_with('/') && start.leads_to_nodes() {
            true => self.steps(Some(Box::new(start))).map(Path::Steps),
            false => Some(start),
        }
    }

    /// A call of a known function; an error for what is none.
    fn call(&mut self) -> Option<Result<Path, ()>> {
        let before = self.at;
        let name = self.name().and_then(|name| FUNCTIONS.iter().find(|known| **known == name));
        let Some(name) = name.filter(|_| self.eat("(")) else {
            self.at = before;
            return Some(Err(()));
        };
        let mut args = Vec::new();
        if !self.eat(")") {
            args.push(self.binary(0)?);
            while self.eat(",") {
                args.push(self.binary(0)?);
            }
            self.eat(")").then_some(())?;
        }
        let (least, most) = match *name {
            "last" | "position" | "true" | "false" => (0, 0),
            "concat" => (2, usize::MAX),
            "contains" => (2, 2),
            "substring" => (2, 3),
            _ => (1, 1),
        };
        let fits = (least..=most).contains(&args.len())
            && match *name {
                "last" | "position" => self.predicates > 0,
                "count" | "sum" => args[0].leads_to_nodes(),
                _ => true,
            };
        fits.then_some(Ok(Path::Call(name, args)))
    }

    fn steps(&mut self, from: Option<Box<Path>>) -> Option<Steps> {
        let mut found = Steps { absolute: false, steps: Vec::new(), from };
        let any = |axis| Step { axis, test: Test::Node, predicates: Vec::new() };
        if self.eat("//") {
            found.absolute = found.from.is_none();
            found.steps.push(any(Axis::DescendantOrSelf));
        } else if self.eat("/") {
            found.absolute = found.from.is_none();
            // The root may stand alone.
            if !self.rest().starts_with(|c| self.is_name(c) || matches!(c, '@' | '*')) {
                return Some(found);
            }
        }
        loop {
            let step = self.step()?;
            found.steps.push(step);
            if self.eat("//") {
                found.steps.push(any(Axis::DescendantOrSelf));
            } else if !self.eat("/") {
                return Some(found);
            }
        }
    }

    fn step(&mut self) -> Option<Step> {
        let any = |axis| Step { axis, test: Test::Node, predicates: Vec::new() };
        let mut axis = Axis::Child;
        if self.eat("..") {
            return Some(any(Axis::Parent));
        } else if self.eat(".") {
            return Some(any(Axis::Same));
        } else if self.eat("@") {
            axis = Axis::Attribute;
        } else {
            let before = self.at;
            let named = self.name().filter(|_| self.eat("::"));
            match named {
                Some(name) => axis = axis_of(name)?,
                None => self.at = before,
            }
        }
        let test = match self.eat("*") {
            true => Test::Any,
            false => match self.name_of_node()? {
                "text" | "node" if self.eat("()") => {
                    axis = Axis::Same;
                    Test::Node
                }
                name => Test::Named(name.to_owned()),
            },
        };
        let mut predicates = Vec::new();
        while self.eat("[") {
            self.predicates += 1;
            predicates.push(self.binary(0)?);
            self.predicates -= 1;
            self.eat("]").then_some(())?;
        }
        Some(Step { axis, test, predicates })
    }
}

/// A number as it is written: a whole one goes round at 64 bits.
fn number(text: &str) -> Option<Path> {
    Some(match text.split_once('.') {
        None => Path::Whole(text.parse().unwrap_or(u64::MAX) as i64),
        Some((_, fraction)) => Path::Number(text.parse().ok()?, fraction.len().min(30) as u8),
    })
}

fn axis_of(name: &str) -> Option<Axis> {
    Some(match name {
        "child" => Axis::Child,
        "descendant" => Axis::Descendant,
        "descendant-or-self" => Axis::DescendantOrSelf,
        "parent" => Axis::Parent,
        "ancestor" => Axis::Ancestor,
        "ancestor-or-self" => Axis::AncestorOrSelf,
        "self" => Axis::Own,
        "attribute" => Axis::Attribute,
        _ => return None,
    })
}
