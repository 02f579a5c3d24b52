//! What a path finds in a document. Numbers, texts and conditions of a path are SQL's: its operators and functions reckon
//! and compare as SQL's do, and say the same of what they meet.

use super::{Axis, Path, Step, Steps, Test, comparison};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::{self, binary, constant, function, user_var};
use crate::expr::compare::shown;
use crate::expr::func::string::with_digits;
use crate::expr::func::xml::{Document, NodeKind};
use crate::expr::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind};
use crate::session::State;
use crate::syntax::ast::{BinaryOp, CastType, UnaryOp};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use types::{CollationId, StrValue, Value};

/// A value of an expression.
#[derive(Debug, Clone)]
pub enum Found {
    /// Nodes; descendants of several, one in the other, are there several times.
    Nodes(Vec<Place>),
    /// A constant of SQL, or a user variable.
    Value(Expr),
}

/// A node that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The node.
    pub node: usize,
    /// Its place, from 1, among those that its step found from where it came.
    position: usize,
    /// How many a predicate looks at, where the node is the one that it looks at now; 0 elsewhere.
    size: usize,
}

/// Evaluates over a document.
pub struct Evaluation<'d> {
    /// The document.
    pub document: &'d Document,
    /// The collation of texts.
    pub collation: CollationId,
    /// Literal texts that were compared as numbers: that they are none is told once.
    told: RefCell<BTreeSet<*const Path>>,
}

type Sql = Result<Expr, SqlError>;

impl<'d> Evaluation<'d> {
    /// Over a document, with texts of a collation.
    pub fn new(document: &'d Document, collation: CollationId) -> Self {
        Self { document, collation, told: RefCell::default() }
    }

    /// The expression's value, seen from the root.
    pub fn run(&self, path: &Path, cx: &mut Cx<'_>) -> Result<Found, SqlError> {
        Ok(match self.at(path, Place { node: 0, position: 1, size: 0 }, cx)? {
            Found::Value(value) => Found::Value(settle(value, cx)?),
            nodes => nodes,
        })
    }

    fn at(&self, path: &Path, place: Place, cx: &mut Cx<'_>) -> Result<Found, SqlError> {
        Ok(Found::Value(match path {
            Path::Steps(steps) => return self.walk(steps, place, cx).map(Found::Nodes),
            Path::Union(left, right) => {
                let mut nodes = BTreeSet::new();
                for path in [left, right] {
                    nodes.extend(self.nodes(path, place, cx)?.iter().map(|found| found.node));
                }
                return Ok(Found::Nodes(in_order(nodes)));
            }
            Path::Whole(n) => constant(Value::Int(*n)),
            Path::Number(n, digits) => {
                let number = constant(Value::Double(*n));
                Expr { ty: Type { decimals: *digits, ..number.ty }, kind: number.kind }
            }
            Path::Text(text) => literal(text, self.collation),
            Path::Variable(name) => user_var(name, cx.state),
            Path::Negative(inner) => {
                let inner = self.value(inner, place, cx)?;
                computed(cx, |state| build::unary(UnaryOp::Neg, inner, state))?
            }
            Path::Call(name, args) => self.call(name, args, place, cx)?,
            Path::Binary(operator, left, right) => self.binary(operator, left, right, place, cx)?,
        }))
    }

    fn nodes(&self, path: &Path, place: Place, cx: &mut Cx<'_>) -> Result<Vec<Place>, SqlError> {
        Ok(match self.at(path, place, cx)? {
            Found::Nodes(nodes) => nodes,
            Found::Value(_) => Vec::new(),
        })
    }

    /// A value; that of nodes is their text, of bytes where it is that of the node that a predicate looks at.
    fn value(&self, path: &Path, place: Place, cx: &mut Cx<'_>) -> Sql {
        Ok(match self.at(path, place, cx)? {
            Found::Nodes(nodes) if path.takes_no_step() => literal(&self.text(&nodes), CollationId::BINARY),
            Found::Nodes(nodes) => literal(&self.text(&nodes), self.collation),
            Found::Value(value) => value,
        })
    }

    fn binary(&self, operator: &str, left: &Path, right: &Path, place: Place, cx: &mut Cx<'_>) -> Sql {
        if let "or" | "and" = operator {
            let decides = Some(operator == "or");
            let first = self.truth(left, place, cx)?;
            let second = if first == decides { first } else { self.truth(right, place, cx)? };
            return Ok(match (first, second) {
                (_, Some(second)) if Some(second) == decides || first.is_some() => truth(second),
                _ => constant(Value::Null),
            });
        }
        if let Some(operator) = comparison(operator) {
            return self.compare(operator, left, right, place, cx);
        }
        let left = self.value(left, place, cx)?;
        let right = self.value(right, place, cx)?;
        let operator = match operator {
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Sub,
            "*" => BinaryOp::Mul,
            "div" => BinaryOp::IntDiv,
            _ => BinaryOp::Mod,
        };
        computed(cx, |state| binary(operator, left, right, state))
    }

    /// Of nodes each text counts by itself.
    fn compare(&self, operator: BinaryOp, left: &Path, right: &Path, place: Place, cx: &mut Cx<'_>) -> Sql {
        let is_text = |path: &&Path| matches!(path, Path::Text(_));
        let written = [left, right].into_iter().find(is_text).map(std::ptr::from_ref);
        let (left, right) = match (self.at(left, place, cx)?, self.at(right, place, cx)?) {
            (Found::Value(left), Found::Value(right)) => {
                let is_told = written.is_some_and(|text| !self.told.borrow_mut().insert(text));
                let count = cx.state.diagnostics.told();
                let compared = computed(cx, |state| binary(operator, left, right, state));
                if is_told {
                    cx.state.diagnostics.forget_since(count);
                }
                return compared;
            }
            found => found,
        };
        let each = |found| match found {
            Found::Value(value) => vec![value],
            Found::Nodes(nodes) => {
                let texts = nodes.into_iter().flat_map(|found: Place| self.document.texts(found.node));
                texts.map(|(_, text)| literal(text, self.collation)).collect()
            }
        };
        let (lefts, rights) = (each(left), each(right));
        for left in &lefts {
            for right in &rights {
                let (left, right) = (left.clone(), right.clone());
                let compared = computed(cx, |state| binary(operator, left, right, state))?;
                if matches!(compared.kind, Kind::Const(Value::Int(1))) {
                    return Ok(truth(true));
                }
            }
        }
        Ok(truth(false))
    }

    fn call(&self, name: &str, args: &[Path], place: Place, cx: &mut Cx<'_>) -> Sql {
        match name {
            "last" => return Ok(constant(Value::Int(place.size as i64))),
            "position" => return Ok(constant(Value::Int(place.position as i64))),
            "true" | "false" => return Ok(truth(name == "true")),
            "not" => {
                let holds = self.truth(&args[0], place, cx)?;
                return Ok(holds.map_or_else(|| constant(Value::Null), |holds| truth(!holds)));
            }
            "boolean" => return Ok(truth(self.holds(&args[0], place, cx)?)),
            "count" => {
                let count = match self.nodes(&args[0], place, cx)?[..] {
                    [Place { size, .. }] if size > 0 => size,
                    ref nodes => nodes.len(),
                };
                return Ok(constant(Value::Int(count as i64)));
            }
            "sum" => {
                let nodes = self.nodes(&args[0], place, cx)?;
                let texts = nodes.iter().flat_map(|found| self.document.texts(found.node));
                return Ok(constant(Value::Double(texts.map(|(_, text)| to_number(text)).sum())));
            }
            _ => {}
        }
        let mut values = args.iter().map(|arg| self.value(arg, place, cx)).collect::<Result<Vec<_>, _>>()?;
        if name == "number" {
            let number = real(values.remove(0), cx)?;
            let is_null = matches!(number.kind, Kind::Const(Value::Null));
            return Ok(if is_null { constant(Value::Double(0.0)) } else { number });
        }
        let sql = match name {
            "contains" => "locate",
            "string-length" => "char_length",
            name => name,
        };
        if name == "contains" {
            values.swap(0, 1);
        }
        let found = computed(cx, |state| function(sql, values, "", state))?;
        match name {
            "contains" => Ok(truth(is_true(&found))),
            _ => Ok(found),
        }
    }

    fn walk(&self, steps: &Steps, place: Place, cx: &mut Cx<'_>) -> Result<Vec<Place>, SqlError> {
        let mut nodes = match &steps.from {
            _ if steps.absolute => in_order([0]),
            None => vec![place],
            Some(from) => self.nodes(from, place, cx)?,
        };
        for step in &steps.steps {
            nodes = self.reached(step, nodes);
            for predicate in &step.predicates {
                nodes = self.kept(predicate, &nodes, cx)?;
            }
        }
        Ok(nodes)
    }

    /// The nodes that a step leads to.
    fn reached(&self, step: &Step, from: Vec<Place>) -> Vec<Place> {
        let passes = |at: &usize| self.passes(&step.test, *at);
        match step.axis {
            Axis::Same => from,
            Axis::Parent => {
                let parents = from.iter().filter(|found| found.node != 0);
                let parents = parents.map(|found| self.document.nodes[found.node].parent);
                in_order(parents.filter(passes).collect::<BTreeSet<_>>())
            }
            Axis::Ancestor | Axis::AncestorOrSelf => {
                let own = step.axis == Axis::AncestorOrSelf;
                let above = from.iter().flat_map(|found| {
                    let own = own.then_some(found.node);
                    own.into_iter().chain(self.document.ancestors(found.node))
                });
                let above: Vec<usize> = above.filter(passes).collect();
                // They are counted from the end, where each was met from each node.
                let met = above.len();
                let nodes = above.into_iter().collect::<BTreeSet<_>>().into_iter().enumerate();
                nodes.map(|(i, node)| Place { node, position: met - i, size: 0 }).collect()
            }
            _ => from.iter().flat_map(|found| in_order(self.below(step, found.node))).collect(),
        }
    }

    fn passes(&self, test: &Test, at: usize) -> bool {
        let node = &self.document.nodes[at];
        match test {
            Test::Node => true,
            Test::Any => matches!(node.kind, NodeKind::Element | NodeKind::Attribute),
            Test::Named(name) => node.kind != NodeKind::Text && node.name == *name,
        }
    }

    /// The nodes in a node, or itself, that a step leads to.
    fn below(&self, step: &Step, node: usize) -> Vec<usize> {
        let nodes = &self.document.nodes;
        let below = node + 1..nodes[node].end;
        let attribute = |at: usize| nodes[at].kind == NodeKind::Attribute;
        let mut found: Vec<usize> = match step.axis {
            Axis::Child => below.filter(|at| nodes[*at].parent == node && !attribute(*at)).collect(),
            Axis::Attribute => below.filter(|at| nodes[*at].parent == node && attribute(*at)).collect(),
            Axis::Descendant => below.filter(|at| !attribute(*at)).collect(),
            Axis::DescendantOrSelf => {
                let whole = |at: &usize| matches!(nodes[*at].kind, NodeKind::Root | NodeKind::Element);
                std::iter::once(node).chain(below).filter(whole).collect()
            }
            _ => vec![node],
        };
        found.retain(|at| self.passes(&step.test, *at));
        found
    }

    /// Those of the nodes for which a predicate holds, or that have the place it tells.
    fn kept(&self, predicate: &Path, from: &[Place], cx: &mut Cx<'_>) -> Result<Vec<Place>, SqlError> {
        let tells_place = !predicate.leads_to_nodes() && !predicate.is_condition();
        let mut kept = Vec::new();
        for found in from {
            let place = Place { size: from.len(), ..*found };
            let keeps = match tells_place {
                true => {
                    let told = self.value(predicate, place, cx)?;
                    let hushed = matches!(told.kind, Kind::UserVar(_)).then(|| cx.state.diagnostics.told());
                    let told = computed(cx, |state| build::cast(told, &CastType::Signed, state))?;
                    hushed.into_iter().for_each(|before| cx.state.diagnostics.forget_since(before));
                    matches!(told.kind, Kind::Const(Value::Int(n)) if n == found.position as i64)
                }
                false => self.holds(predicate, place, cx)?,
            };
            if keeps {
                kept.push(found.node);
            }
        }
        Ok(in_order(kept))
    }

    fn holds(&self, path: &Path, place: Place, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        Ok(self.truth(path, place, cx)? == Some(true))
    }

    /// Nodes hold where there is one of them and no more, text by its number: so MariaDB has it. NULL does neither.
    fn truth(&self, path: &Path, place: Place, cx: &mut Cx<'_>) -> Result<Option<bool>, SqlError> {
        Ok(match self.at(path, place, cx)? {
            Found::Nodes(nodes) => Some(nodes.len() == 1),
            Found::Value(value) => {
                let number = real(value, cx)?;
                (!matches!(number.kind, Kind::Const(Value::Null))).then(|| is_true(&number))
            }
        })
    }

    /// The texts of nodes in the order of the document with spaces between.
    pub fn text(&self, nodes: &[Place]) -> String {
        let texts = nodes.iter().flat_map(|found| self.document.texts(found.node));
        texts.collect::<BTreeMap<_, _>>().into_values().collect::<Vec<_>>().join(" ")
    }
}

/// A value as EXTRACTVALUE gives it, and whether it is a text; none for NULL.
pub fn shown_value(value: &Expr) -> Option<(String, bool)> {
    let Kind::Const(found) = &value.kind else { return None };
    let is_text = value.ty.class() == Class::Str;
    (!found.is_null()).then(|| (shown(&with_digits(found.clone(), &value.ty)), is_text))
}

fn literal(text: &str, collation: CollationId) -> Expr {
    let literal = constant(Value::Str(StrValue::new(text.as_bytes(), collation)));
    let ty = Type { collation, coercibility: Coercibility::Implicit, ..literal.ty };
    Expr { ty, kind: literal.kind }
}

/// Nodes in their order.
fn in_order(nodes: impl IntoIterator<Item = usize>) -> Vec<Place> {
    let place = |(i, node)| Place { node, position: i + 1, size: 0 };
    nodes.into_iter().enumerate().map(place).collect()
}

/// What SQL makes of constants, as a constant.
fn computed(cx: &mut Cx<'_>, build: impl FnOnce(&mut State) -> Sql) -> Sql {
    let made = build(cx.state)?;
    settle(made, cx)
}

fn settle(made: Expr, cx: &mut Cx<'_>) -> Sql {
    let value = made.eval(cx)?;
    Ok(Expr { kind: Kind::Const(value), ty: Type { origin: Named::default(), ..made.ty } })
}

/// The number that a value is.
fn real(value: Expr, cx: &mut Cx<'_>) -> Sql {
    let free = value.ty.kind == TypeKind::Double && value.ty.decimals >= 31;
    match free {
        true => Ok(value),
        false => computed(cx, |state| binary(BinaryOp::Add, value, constant(Value::Double(0.0)), state)),
    }
}

fn is_true(value: &Expr) -> bool {
    match value.kind {
        Kind::Const(Value::Double(n)) => n != 0.0,
        Kind::Const(Value::Int(n)) => n != 0,
        _ => false,
    }
}

fn truth(holds: bool) -> Expr {
    constant(Value::Int(i64::from(holds)))
}

fn to_number(text: &str) -> f64 {
    types::convert::to_double(&Value::text(text)).value
}
