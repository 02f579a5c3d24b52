//! XPath 1.0 as far as MariaDB knows it: paths over all axes but those of siblings, predicates, unions, comparisons,
//! arithmetic, functions, variables.

use super::xml::{Document, NodeKind};
use std::collections::{BTreeMap, BTreeSet};

/// A value of an expression.
#[derive(Debug, Clone)]
pub enum Found {
    /// Nodes in the order of the document.
    Nodes(BTreeSet<usize>),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A condition.
    Truth(bool),
}

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
    /// A sign before one.
    Negative(Box<Path>),
    /// Nodes.
    Steps(Steps),
    /// A number.
    Number(f64),
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
}

impl Path {
    /// Reads an expression, of text or of bytes; the error is what could not be read.
    pub fn parse(text: &str, bytes: bool) -> Result<Path, String> {
        let mut parser = Parser { text, at: 0, depth: 0, bytes };
        let path = parser.binary(0);
        match path {
            Some(path) if parser.rest().is_empty() => Ok(path),
            _ => Err(parser.rest().to_owned()),
        }
    }
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

    fn binary(&mut self, level: usize) -> Option<Path> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        self.depth += 1;
        if self.depth > DEPTH_MAX * BINARY.len() {
            return None;
        }
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|word| self.eat_operator(word)) {
            let right = self.binary(level + 1)?;
            left = Path::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<Path> {
        let mut negative = false;
        while self.eat("-") {
            negative = !negative;
        }
        let mut path = self.located()?;
        while self.eat("|") {
            path = Path::Binary("|", Box::new(path), Box::new(self.located()?));
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
                return rest[..end].parse().ok().map(Path::Number);
            }
            '$' => {
                let user = self.eat("$@") || self.eat("$");
                return self.name().filter(|_| user).map(|name| Path::Variable(name.to_lowercase()));
            }
            _ => match self.call()? {
                Ok(call) => call,
                Err(()) => return self.steps(None).map(Path::Steps),
            },
        };
        match self.rest().starts_with('/') {
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
        let fits = (least..=most).contains(&args.len());
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
        let (mut axis, mut test) = (Axis::Child, None);
        if self.eat("..") {
            (axis, test) = (Axis::Parent, Some(Test::Node));
        } else if self.eat(".") {
            (axis, test) = (Axis::Own, Some(Test::Node));
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
        let test = match test {
            Some(test) => test,
            None if self.eat("*") => Test::Any,
            None => {
                let name = self.name()?;
                match name {
                    "text" | "node" if self.eat("()") => {
                        axis = Axis::Same;
                        Test::Node
                    }
                    name => Test::Named(name.to_owned()),
                }
            }
        };
        let mut predicates = Vec::new();
        while self.eat("[") {
            predicates.push(self.binary(0)?);
            self.eat("]").then_some(())?;
        }
        Some(Step { axis, test, predicates })
    }
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

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
struct Place {
    node: usize,
    position: usize,
    size: usize,
}

/// Evaluates over a document.
pub struct Evaluation<'d> {
    /// The document.
    pub document: &'d Document,
    /// Values of user variables by name.
    pub variable: &'d dyn Fn(&str) -> String,
}

impl Evaluation<'_> {
    /// The expression's value, seen from the root.
    pub fn run(&self, path: &Path) -> Found {
        self.at(path, Place { node: 0, position: 1, size: 1 })
    }

    fn at(&self, path: &Path, place: Place) -> Found {
        match path {
            Path::Number(n) => Found::Number(*n),
            Path::Text(text) => Found::Text(text.clone()),
            Path::Variable(name) => {
                let text = (self.variable)(name);
                text.parse().map_or(Found::Text(text), Found::Number)
            }
            Path::Negative(inner) => Found::Number(-self.number(&self.at(inner, place))),
            Path::Steps(steps) => Found::Nodes(self.walk(steps, place)),
            Path::Call(name, args) => self.call(name, args, place),
            Path::Binary(operator, left, right) => self.binary(operator, left, right, place),
        }
    }

    fn binary(&self, operator: &str, left: &Path, right: &Path, place: Place) -> Found {
        let left = self.at(left, place);
        match operator {
            "or" if self.truth(&left) => return Found::Truth(true),
            "and" if !self.truth(&left) => return Found::Truth(false),
            _ => {}
        }
        let right = self.at(right, place);
        let number = |f: fn(f64, f64) -> f64| Found::Number(f(self.number(&left), self.number(&right)));
        match operator {
            "|" => match (left, right) {
                (Found::Nodes(a), Found::Nodes(b)) => Found::Nodes(a.union(&b).copied().collect()),
                (left, _) => left,
            },
            "or" | "and" => Found::Truth(self.truth(&right)),
            "+" => number(|a, b| a + b),
            "-" => number(|a, b| a - b),
            "*" => number(|a, b| a * b),
            // MariaDB's DIV.
            "div" => number(|a, b| (a / b).trunc()),
            "mod" => number(|a, b| a % b),
            _ => Found::Truth(self.compare(operator, &left, &right)),
        }
    }

    fn compare(&self, operator: &str, left: &Found, right: &Found) -> bool {
        let each = |found: &Found| match found {
            // Each text counts by itself.
            Found::Nodes(nodes) => {
                let texts = nodes.iter().flat_map(|node| self.document.texts(*node));
                texts.map(|(_, text)| Found::Text(text.to_owned())).collect()
            }
            other => vec![other.clone()],
        };
        let numeric = |found: &Found| matches!(found, Found::Number(_) | Found::Truth(_));
        let (lefts, rights) = (each(left), each(right));
        let holds = |a: &Found, b: &Found| {
            let (x, y) = (self.number(a), self.number(b));
            let texts = !numeric(a) && !numeric(b);
            match operator {
                "=" if texts => self.text(a) == self.text(b),
                "!=" if texts => self.text(a) != self.text(b),
                "=" => x == y,
                "!=" => x != y,
                "<" => x < y,
                "<=" => x <= y,
                ">" => x > y,
                _ => x >= y,
            }
        };
        lefts.iter().any(|a| rights.iter().any(|b| holds(a, b)))
    }

    fn call(&self, name: &str, args: &[Path], place: Place) -> Found {
        let values: Vec<Found> = args.iter().map(|arg| self.at(arg, place)).collect();
        let text = |at: usize| values.get(at).map(|value| self.text(value)).unwrap_or_default();
        let number = |at: usize| values.get(at).map_or(0.0, |value| self.number(value));
        match name {
            "count" => Found::Number(match &values[0] {
                Found::Nodes(nodes) => nodes.len() as f64,
                _ => 1.0,
            }),
            "sum" => Found::Number(match &values[0] {
                Found::Nodes(nodes) => {
                    let texts = nodes.iter().flat_map(|node| self.document.texts(*node));
                    texts.map(|(_, text)| to_number(text)).sum()
                }
                other => self.number(other),
            }),
            "last" => Found::Number(place.size as f64),
            "position" => Found::Number(place.position as f64),
            "true" => Found::Truth(true),
            "false" => Found::Truth(false),
            "not" => Found::Truth(!self.truth(&values[0])),
            "boolean" => Found::Truth(self.truth(&values[0])),
            "number" => Found::Number(number(0)),
            "floor" => Found::Number(number(0).floor()),
            "ceiling" => Found::Number(number(0).ceil()),
            "round" => Found::Number(number(0).round()),
            "concat" => Found::Text((0..values.len()).map(text).collect()),
            "contains" => Found::Truth(text(0).contains(&text(1))),
            "string-length" => Found::Number(text(0).chars().count() as f64),
            _ => {
                let skipped = (number(1) as usize).saturating_sub(1);
                let taken = if values.len() > 2 { number(2) as usize } else { usize::MAX };
                Found::Text(text(0).chars().skip(skipped).take(taken).collect())
            }
        }
    }

    fn walk(&self, steps: &Steps, place: Place) -> BTreeSet<usize> {
        let mut nodes = match &steps.from {
            _ if steps.absolute => BTreeSet::from([0]),
            None => BTreeSet::from([place.node]),
            Some(from) => match self.at(from, place) {
                Found::Nodes(nodes) => nodes,
                _ => BTreeSet::new(),
            },
        };
        for step in &steps.steps {
            nodes = match step.axis {
                Axis::Same => self.kept(step, nodes.into_iter().collect()).into_iter().collect(),
                _ => nodes.into_iter().flat_map(|node| self.kept(step, self.reached(step, node))).collect(),
            };
        }
        nodes
    }

    /// The nodes that a step leads to from a node.
    fn reached(&self, step: &Step, node: usize) -> Vec<usize> {
        let document = self.document;
        let nodes = &document.nodes;
        let below = node + 1..nodes[node].end;
        let attribute = |at: usize| nodes[at].kind == NodeKind::Attribute;
        let mut found: Vec<usize> = match step.axis {
            Axis::Own | Axis::Same => vec![node],
            Axis::Child => below.filter(|at| nodes[*at].parent == node && !attribute(*at)).collect(),
            Axis::Attribute => below.filter(|at| nodes[*at].parent == node && attribute(*at)).collect(),
            Axis::Descendant => below.filter(|at| !attribute(*at)).collect(),
            Axis::DescendantOrSelf => {
                let whole = |at: &usize| matches!(nodes[*at].kind, NodeKind::Root | NodeKind::Element);
                std::iter::once(node).chain(below).filter(whole).collect()
            }
            Axis::Parent => (node != 0).then_some(nodes[node].parent).into_iter().collect(),
            Axis::Ancestor => document.ancestors(node).collect(),
            Axis::AncestorOrSelf => std::iter::once(node).chain(document.ancestors(node)).collect(),
        };
        found.retain(|at| match &step.test {
            Test::Node => true,
            Test::Any => matches!(nodes[*at].kind, NodeKind::Element | NodeKind::Attribute),
            Test::Named(name) => nodes[*at].kind != NodeKind::Text && nodes[*at].name == *name,
        });
        found
    }

    /// Those of the nodes for which a step's predicates hold.
    fn kept(&self, step: &Step, mut found: Vec<usize>) -> Vec<usize> {
        for predicate in &step.predicates {
            let size = found.len();
            let kept = found.iter().enumerate().filter(|(i, node)| {
                let place = Place { node: **node, position: i + 1, size };
                match self.at(predicate, place) {
                    Found::Number(n) => n == place.position as f64,
                    other => self.truth(&other),
                }
            });
            found = kept.map(|(_, node)| *node).collect();
        }
        found
    }

    /// Nodes hold where there is one of them and no more, text by its number: so MariaDB has it.
    fn truth(&self, found: &Found) -> bool {
        match found {
            Found::Nodes(nodes) => nodes.len() == 1,
            Found::Number(n) => *n != 0.0,
            Found::Text(text) => to_number(text) != 0.0,
            Found::Truth(truth) => *truth,
        }
    }

    fn number(&self, found: &Found) -> f64 {
        match found {
            Found::Number(n) => *n,
            Found::Truth(truth) => f64::from(u8::from(*truth)),
            other => to_number(&self.text(other)),
        }
    }

    /// A value as EXTRACTVALUE gives it: the texts of nodes in the order of the document with spaces between.
    pub fn text(&self, found: &Found) -> String {
        match found {
            Found::Nodes(nodes) => {
                let texts = nodes.iter().flat_map(|node| self.document.texts(*node));
                texts.collect::<BTreeMap<_, _>>().into_values().collect::<Vec<_>>().join(" ")
            }
            // Zero has no sign.
            Found::Number(n) => (n + 0.0).to_string(),
            Found::Text(text) => text.clone(),
            Found::Truth(truth) => u8::from(*truth).to_string(),
        }
    }
}

fn to_number(text: &str) -> f64 {
    types::convert::to_double(&types::Value::text(text)).value
}
