//! EXTRACTVALUE and UPDATEXML: a reader of XML that checks no more than MariaDB's, over which [`super::xpath`] looks.

use super::super::build::{collate_operands, is_text, silently};
use super::documents::out;
use super::string::text_of_length;
use super::xpath::evaluate::{Evaluation, Found, shown_value};
use super::xpath::{Fault, Path};
use super::{Expr, Function, Type};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Coercibility, Kind, Named, TypeKind, compare, foreknown};
use crate::session::{Level, State};
use std::ops::Range;
use types::{CollationId, StrValue, Value};

/// The functions of this module. What a path finds may depend on user variables.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "extractvalue",
        min: 2,
        max: 2,
        ty: extracted_type,
        evaluate: extract,
        deterministic: false,
    },
    Function { name: "updatexml", min: 3, max: 3, ty: updated_type, evaluate: update, deterministic: false },
];

/// Kinds of node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// The whole document.
    Root,
    /// An element.
    Element,
    /// An attribute.
    Attribute,
    /// Text between tags.
    Text,
}

/// A node.
#[derive(Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Name of an element or attribute.
    pub name: String,
    /// Text of a text or attribute.
    text: String,
    /// The node around.
    pub parent: usize,
    /// Behind the last node in it.
    pub end: usize,
    /// Its place in the source.
    span: Range<usize>,
}

/// A document: its nodes in the order of their beginnings, the root first.
#[derive(Debug)]
pub struct Document {
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// Elements nested deeper than this are refused.
const DEPTH_MAX: usize = 128;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<Node>,
    open: Vec<usize>,
}

impl Document {
    /// Reads a document; the error says what is wrong and where.
    pub fn parse(text: &str) -> Result<Document, String> {
        let root = Node {
            kind: NodeKind::Root,
            name: String::new(),
            text: String::new(),
            parent: 0,
            end: 0,
            span: 0..0,
        };
        let mut reader = Reader { text, at: 0, nodes: vec![root], open: vec![0] };
        match reader.read() {
            Ok(()) => {
                reader.nodes[0].end = reader.nodes.len();
                reader.nodes[0].span = 0..text.len();
                Ok(Document { nodes: reader.nodes })
            }
            Err(message) => {
                let before = &text[..reader.at];
                let line = before.matches('\n').count() + 1;
                let pos = before.rsplit('\n').next().map_or(0, str::len) + 1;
                Err(format!("parse error at line {line} pos {pos}: {message}"))
            }
        }
    }

    /// The nodes around a node, inmost first.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        let above = |at: &usize| (*at != 0).then(|| self.nodes[*at].parent);
        std::iter::successors(above(&node), above).filter(|at| *at != 0)
    }

    /// The text of a text or attribute, those directly in an element, each by its place.
    pub fn texts(&self, node: usize) -> Vec<(usize, &str)> {
        let text = |at: usize| (at, self.nodes[at].text.as_str());
        match self.nodes[node].kind {
            NodeKind::Text | NodeKind::Attribute => vec![text(node)],
            _ => {
                let own =
                    |at: &usize| self.nodes[*at].parent == node && self.nodes[*at].kind == NodeKind::Text;
                (node + 1..self.nodes[node].end).filter(own).map(text).collect()
            }
        }
    }
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn name(&mut self) -> &'t str {
        let rest = self.rest();
        let first = |c: char| c.is_alphabetic() || c == '_' || c == ':';
        let more = |c: char| first(c) || c.is_numeric() || c == '-' || c == '.';
        let end = match rest.starts_with(first) {
            true => rest.find(|c| !more(c)).unwrap_or(rest.len()),
            false => 0,
        };
        self.at += end;
        &rest[..end]
    }

    fn push(&mut self, kind: NodeKind, name: &str, text: &str, span: Range<usize>) {
        let parent = self.open.last().copied().unwrap_or(0);
        let end = self.nodes.len() + 1;
        self.nodes.push(Node { kind, name: name.into(), text: text.into(), parent, end, span });
    }

    /// What is said of the token that stands where another one is wanted; it is read over.
    fn unexpected(&mut self, wanted: &str) -> String {
        let token = self.token();
        format!("{token} unexpected ({wanted} wanted)")
    }

    /// The kind of the token that comes, which is read over; what is none stays.
    fn token(&mut self) -> &'static str {
        let rest = self.rest();
        if rest.is_empty() {
            return "END-OF-INPUT";
        }
        if !self.name().is_empty() {
            return "IDENT";
        }
        let marks = [("<!--", "-->", "COMMENT"), ("\"", "\"", "STRING"), ("'", "'", "STRING")];
        for (open, close, kind) in marks {
            let inside = rest.strip_prefix(open).and_then(|behind| behind.find(close));
            if let Some(inside) = inside {
                self.at += open.len() + inside + close.len();
                return kind;
            }
        }
        let signs = [("<", "'<'"), (">", "'>'"), ("=", "'='"), ("/", "'/'")];
        let found = signs.into_iter().find(|(sign, _)| self.eat(sign));
        found.map_or("unknown token", |(_, kind)| kind)
    }

    fn read(&mut self) -> Result<(), String> {
        while !self.rest().is_empty() {
            let start = self.at;
            if self.eat("<!--") {
                self.pass("-->")?;
            } else if self.eat("<![CDATA[") {
                let from = self.at;
                self.pass("]]>")?;
                let text = self.text;
                self.push(NodeKind::Text, "", &text[from..self.at - 3], start..self.at);
            } else if self.eat("<?") {
                self.pass("?>")?;
            } else if self.eat("<!") {
                self.pass(">")?;
            } else if self.eat("</") {
                self.close()?;
            } else if self.eat("<") {
                self.element(start)?;
            } else {
                let end = self.rest().find('<').map_or(self.text.len(), |n| start + n);
                self.at = end;
                let text = self.text;
                self.push(NodeKind::Text, "", &text[start..end], start..end);
            }
        }
        match self.open.len() {
            1 => Ok(()),
            _ => Err("unexpected END-OF-INPUT".to_owned()),
        }
    }

    fn pass(&mut self, end: &str) -> Result<(), String> {
        let Some(n) = self.rest().find(end) else {
            self.at = self.text.len();
            return Err("unexpected END-OF-INPUT".to_owned());
        };
        self.at += n + end.len();
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let name = self.name();
        let open = self.open.last().copied().unwrap_or(0);
        if open == 0 {
            return Err(format!("'</{name}>' unexpected (END-OF-INPUT wanted)"));
        }
        if self.nodes[open].name != name {
            return Err(format!("'</{name}>' unexpected ('</{}>' wanted)", self.nodes[open].name));
        }
        self.skip_spaces();
        if !self.eat(">") {
            return Err(self.unexpected("'>'"));
        }
        self.end_element();
        Ok(())
    }

    fn end_element(&mut self) {
        if let Some(open) = self.open.pop() {
            self.nodes[open].end = self.nodes.len();
            self.nodes[open].span.end = self.at;
        }
    }

    /// A tag behind its `<`.
    fn element(&mut self, start: usize) -> Result<(), String> {
        self.skip_spaces();
        let name = self.name();
        if name.is_empty() {
            return Err(self.unexpected("ident or '/'"));
        }
        if self.open.len() > DEPTH_MAX {
            return Err("elements nested too deep".to_owned());
        }
        self.push(NodeKind::Element, name, "", start..start);
        self.open.push(self.nodes.len() - 1);
        loop {
            self.skip_spaces();
            let is_closed = self.eat("/");
            self.skip_spaces();
            if self.eat(">") {
                if is_closed {
                    self.end_element();
                }
                return Ok(());
            }
            if is_closed {
                return Err(self.unexpected("'>'"));
            }
            let from = self.at;
            let name = self.name();
            if name.is_empty() {
                return Err(self.unexpected("'>'"));
            }
            self.skip_spaces();
            let mut value = "";
            if self.eat("=") {
                self.skip_spaces();
                value = self.value()?;
            }
            self.push(NodeKind::Attribute, name, value, from..self.at);
        }
    }

    /// An attribute's value: quoted, or a word.
    fn value(&mut self) -> Result<&'t str, String> {
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            self.at += 1;
            let from = self.at;
            self.pass(&quote.to_string())?;
            return Ok(&self.text[from..self.at - 1]);
        }
        match self.name() {
            "" => Err(self.unexpected("ident or string")),
            word => Ok(word),
        }
    }
}

fn extracted_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    result_type(args, "extractvalue", state)
}

fn updated_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    result_type(args, "updatexml", state)
}

/// Functions whose value is another one each time.
const CHANCE: &[&str] = &[
    "rand",
    "uuid",
    "uuid_short",
    "sys_guid",
    "random_bytes",
    "sleep",
    "get_lock",
    "release_lock",
    "nextval",
];

/// Whether a path is the same in all rows: the session has but one database.
fn is_fixed(path: &Expr, state: &mut State) -> bool {
    let mut fixed = match &path.kind {
        _ if is_found(path) => finds_the_same(path, state),
        Kind::Column(_) => false,
        Kind::Subquery(subquery) => !subquery.correlated,
        Kind::Call(call) => !CHANCE.contains(&call.name),
        _ => true,
    };
    path.children(&mut |e| fixed = fixed && is_fixed(e, state));
    fixed
}

/// Whether what one of the two functions finds is one for all documents: NULL, as it has no document or no path, or what
/// its path says without a look at nodes.
fn finds_the_same(e: &Expr, state: &mut State) -> bool {
    let of = match &e.ty.origin {
        Named::Computed(of) => of,
        _ => e,
    };
    let Kind::Call(call) = &of.kind else { return false };
    let mut known = |e: &Expr| silently(state, |state| foreknown::value_of(e, state)).0;
    match (known(&call.args[0]), known(&call.args[1])) {
        (_, Some(Value::Null)) => true,
        (Some(document), Some(path)) => {
            let binary = e.ty.collation == CollationId::BINARY;
            document.is_null()
                || Document::parse(&compare::shown(&document)).is_err()
                || Path::parse(&compare::shown(&path), binary).is_ok_and(|path| !path.looks_at_nodes())
        }
        _ => false,
    }
}

/// Whether it is what one of the two functions finds, which counts as something else in each row.
fn is_found(e: &Expr) -> bool {
    let Named::Computed(of) = &e.ty.origin else {
        return ["extractvalue", "updatexml"].iter().any(|name| e.is_call(name));
    };
    let mut found = false;
    of.visit(&mut |e| found |= is_found(e));
    found
}

/// What the texts agree on; characters of more than a byte each are not looked through.
fn together(args: &[Expr], name: &str) -> Result<(CollationId, Coercibility), SqlError> {
    let types: Vec<&Type> = args.iter().map(|e| &e.ty).collect();
    if types.iter().all(|ty| ty.kind == TypeKind::Null) {
        return Ok((CollationId::BINARY, Coercibility::Ignorable));
    }
    // Numbers and times among themselves are of MariaDB's oldest character set.
    let agreed = match types.iter().any(|ty| is_text(ty)) {
        true => collate_operands(&types, name)?,
        false => (CollationId::LATIN1_SWEDISH_CI, Coercibility::Numeric),
    };
    let charset = agreed.0.charset();
    match charset.min_char_bytes() {
        1 => Ok(agreed),
        _ => {
            let name = charset.name();
            Err(SqlError::new(1105, b"HY000", format!("Character set '{name}' is not supported by XPATH")))
        }
    }
}

fn result_type(args: &[Expr], name: &str, state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = together(args, name)?;
    let mut open = false;
    args[1].visit(&mut |e| open |= matches!(e.kind, Kind::Param(_)));
    if open || !is_fixed(&args[1], state) {
        return Err(SqlError::new(1105, b"HY000", "Only constant XPATH queries are supported"));
    }
    let mut pathless = matches!(args[1].kind, Kind::Const(Value::Null));
    // What is no path is told of, whether there is a document or not; queries run for it.
    if let Some(path) = known_path(&args[1], state)? {
        pathless = read_path(&path, collation, state)?.is_none();
    }
    // A constant document is read here, and told of once, whether the value is wanted or not.
    if let Kind::Const(xml @ Value::Str(_)) = &args[0].kind
        && !pathless
        && let Err(message) = Document::parse(&compare::shown(xml))
    {
        let warning = SqlError::wrong_value("XML", message);
        state.warn_only(Level::Warning, warning.errno, warning.message);
    }
    Ok(text_of_length(16_777_216, collation, coercibility, true))
}

/// The path that is a constant to the statement; what is to be said of it is said now, and fails nothing.
fn known_path(e: &Expr, state: &mut State) -> Result<Option<Value>, SqlError> {
    state.leniently(|state| match e.is_settled() || e.is_known() {
        true => e.eval(&mut Cx::new(state, &[])).map(Some),
        false => Ok(foreknown::value_of(e, state)),
    })
}

/// A path; none for NULL.
fn read_path(path: &Value, collation: CollationId, state: &mut State) -> Result<Option<Path>, SqlError> {
    if path.is_null() {
        return Ok(None);
    }
    let read = Path::parse(&compare::shown(path), collation == CollationId::BINARY);
    read.map(Some).map_err(|Fault { what, rest }| {
        let told =
            |what: &str, rest: &str| SqlError::new(1105, b"HY000", format!("{what}'{}'", shown_rest(rest)));
        let unread = told("XPATH syntax error: ", &rest);
        let Some((what, from)) = what else { return unread };
        let fault = told(what, &from);
        for error in [&fault, &unread] {
            state.warn(Level::Error, error.errno, error.message.clone());
        }
        fault
    })
}

/// The rest of a path as messages show it: it ends where a C string does, and where their character set of three bytes
/// a character has none.
fn shown_rest(rest: &str) -> String {
    const SHOWN: usize = 32;
    let ends = |c: char| c == '\0' || c == char::REPLACEMENT_CHARACTER || c.len_utf8() > 3;
    let rest = &rest[..rest.find(ends).unwrap_or(rest.len())];
    if rest.len() <= SHOWN {
        return rest.to_owned();
    }
    // In bytes, of which no character is cut through.
    let ends = (0..=SHOWN - 3).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
    format!("{}...", &rest[..ends])
}

/// The document and the path of a call; none for NULL and for what is no XML, which is warned of.
fn parts(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Option<(String, Document, Path)>, SqlError> {
    // No document is read where there is no path.
    let path = match args[1].is_settled() || args[1].is_known() {
        // It was read before, and told of.
        true => silently(cx.state, |state| args[1].eval(&mut Cx::new(state, &[]))).0?,
        false => args[1].eval(cx)?,
    };
    let Some(path) = read_path(&path, ty.collation, cx.state)? else { return Ok(None) };
    let xml = args[0].eval(cx)?;
    if xml.is_null() {
        return Ok(None);
    }
    let text = compare::shown(&xml);
    match Document::parse(&text) {
        Ok(document) => Ok(Some((text, document, path))),
        Err(message) => {
            let warning = SqlError::wrong_value("XML", message);
            match args[0].kind {
                Kind::Const(_) => {}
                Kind::Param(_) if cx.state.diagnostics.tells(&warning.message) => {}
                Kind::Param(_) => cx.state.warn_only(Level::Warning, warning.errno, warning.message),
                _ => cx.state.warn(Level::Warning, warning.errno, warning.message),
            }
            Ok(None)
        }
    }
}

fn extract(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((_, document, path)) = parts(cx, args, ty)? else { return Ok(Value::Null) };
    let evaluation = Evaluation::new(&document, ty.collation);
    let (text, is_text) = match evaluation.run(&path, cx)? {
        Found::Nodes(nodes) => (evaluation.text(&nodes), true),
        Found::Value(value) => match shown_value(&value) {
            Some(shown) => shown,
            None => return Ok(Value::Null),
        },
    };
    Ok(match is_text || ty.collation == CollationId::BINARY {
        true => out(text, ty),
        // A number's text is of MariaDB's oldest character set.
        false => Value::Str(StrValue::new(text.as_bytes(), CollationId::LATIN1_SWEDISH_CI)),
    })
}

fn update(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((text, document, path)) = parts(cx, args, ty)? else { return Ok(Value::Null) };
    let new = args[2].eval(cx)?;
    // A path must lead to nodes.
    if new.is_null() || !path.leads_to_nodes() {
        return Ok(Value::Null);
    }
    let evaluation = Evaluation::new(&document, ty.collation);
    let changed = match evaluation.run(&path, cx)? {
        Found::Nodes(nodes) if nodes.len() == 1 => {
            let node = &document.nodes[nodes[0].node].span;
            format!("{}{}{}", &text[..node.start], compare::shown(&new), &text[node.end..])
        }
        _ => text,
    };
    Ok(out(changed, ty))
}
