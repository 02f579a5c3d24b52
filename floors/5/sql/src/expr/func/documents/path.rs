//! Paths through a document: `$`, then `.name`, `."name"`, `.*`, `[n]`, `[-n]`, `[last-n]`, `[a to b]`, `[*]`, `**`.

use super::document::{Json, unescaped};
use std::cell::RefCell;
use std::sync::Arc;

/// A path that was read.
pub type Path = Arc<Vec<Step>>;

/// Paths that a thread keeps.
const KEPT: usize = 8;

thread_local! {
    /// The paths read last with their texts, newest last.
    static PATHS: RefCell<Vec<(Box<str>, Path)>> = const { RefCell::new(Vec::new()) };
}

/// Longest path that is followed.
const STEPS_MAX: usize = 32;

/// A place in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// From the beginning, 0 the first.
    Start(usize),
    /// From the end, 0 the last.
    End(usize),
}

impl Place {
    /// The position in an array of a length; `None` beyond it.
    pub fn of(self, len: usize) -> Option<usize> {
        match self {
            Place::Start(n) => Some(n).filter(|n| *n < len),
            Place::End(n) => len.checked_sub(n + 1),
        }
    }
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `.name`.
    Key(String),
    /// `.*`.
    AnyKey,
    /// `[n]`.
    Index(Place),
    /// `[a to b]`.
    Range(Place, Place),
    /// `[*]`.
    AnyIndex,
    /// `**`.
    Anywhere,
}

impl Step {
    /// Whether it may find several values.
    pub fn is_wild(&self) -> bool {
        !matches!(self, Step::Key(_) | Step::Index(_))
    }
}

/// Why a text is no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathFault {
    /// It ends too early.
    End,
    /// The byte (from 1) that does not belong there.
    Syntax(usize),
    /// Too many steps.
    Depth,
}

/// All values that a path leads to, in the order of the document.
pub fn find<'j, 't>(json: &'j Json<'t>, path: &[Step], found: &mut Vec<&'j Json<'t>>) {
    find_where(json, path, &|_| true, found);
}

/// As [`find`]; in an array that is not `whole` no place is counted from the end.
pub(super) fn find_where<'j, 't>(
    json: &'j Json<'t>,
    path: &[Step],
    whole: &impl Fn(&Json<'t>) -> bool,
    found: &mut Vec<&'j Json<'t>>,
) {
    let Some((step, rest)) = path.split_first() else {
        found.push(json);
        return;
    };
    match (json, step) {
        (Json::Array(_), Step::Anywhere) if !whole(json) => {}
        (_, Step::Anywhere) => {
            find_where(json, rest, whole, found);
            json.children().for_each(|child| find_where(child, path, whole, found));
        }
        (Json::Object(members), Step::Key(name)) => {
            let named = members.iter().filter(|(key, _)| is_key(key, name));
            named.for_each(|(_, value)| find_where(value, rest, whole, found));
        }
        (Json::Object(_), Step::AnyKey) | (Json::Array(_), Step::AnyIndex) => {
            json.children().for_each(|child| find_where(child, rest, whole, found));
        }
        (
            Json::Array(_),
            Step::Index(Place::End(_)) | Step::Range(Place::End(_), _) | Step::Range(_, Place::End(_)),
        ) if !whole(json) => {}
        (Json::Array(list), Step::Index(place)) => {
            if let Some(value) = place.of(list.len()).and_then(|at| list.get(at)) {
                find_where(value, rest, whole, found);
            }
        }
        (Json::Array(list), Step::Range(from, to)) => {
            let last =
                to.of(list.len()).or(matches!(to, Place::Start(_)).then(|| list.len().wrapping_sub(1)));
            let first = from.of(list.len()).or(matches!(from, Place::End(_)).then_some(0));
            if let (Some(first), Some(last)) = (first, last) {
                list.iter()
                    .take(last.saturating_add(1))
                    .skip(first)
                    .for_each(|value| find_where(value, rest, whole, found));
            }
        }
        // Anything else is an array of itself.
        (_, Step::Index(Place::Start(0))) => find_where(json, rest, whole, found),
        _ => {}
    }
}

/// Whether a document's raw key has a name.
pub fn is_key(raw: &str, name: &str) -> bool {
    raw == name || raw.contains('\\') && unescaped(raw) == name
}

/// Reads a path.
pub fn parse(text: &str) -> Result<Vec<Step>, PathFault> {
    let mut reader = Reader { text, at: 0 };
    let steps = reader.path()?;
    if steps.len() > STEPS_MAX { Err(PathFault::Depth) } else { Ok(steps) }
}

/// As [`parse`]; the path is kept for the next time.
pub fn kept(text: &str) -> Result<Path, PathFault> {
    if let Some(path) = known(text.as_bytes()) {
        return Ok(path);
    }
    let path = Arc::new(parse(text)?);
    PATHS.with_borrow_mut(|kept| {
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((text.into(), path.clone()));
    });
    Ok(path)
}

/// The path of a text, if it is kept.
pub fn known(text: &[u8]) -> Option<Path> {
    PATHS.with_borrow(|kept| {
        kept.iter().find(|(known, _)| known.as_bytes() == text).map(|(_, path)| path.clone())
    })
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start_matches([' ', '\t', '\n', '\r']);
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    /// Takes `word` if it comes next.
    fn eat(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn fault(&self) -> PathFault {
        if self.at < self.text.len() { PathFault::Syntax(self.at + 1) } else { PathFault::End }
    }

    fn path(&mut self) -> Result<Vec<Step>, PathFault> {
        self.space();
        if self.eat("lax") {
            self.space();
        }
        if !self.eat("$") {
            return Err(self.fault());
        }
        let mut steps = Vec::new();
        while self.space().is_some() {
            if self.eat("**") {
                steps.push(Step::Anywhere);
                if self.space().is_none() {
                    return Err(PathFault::End);
                }
            } else if self.eat(".") {
                steps.push(self.key()?);
            } else if self.eat("[") {
                steps.push(self.index()?);
            } else {
                return Err(self.fault());
            }
        }
        Ok(steps)
    }

    fn key(&mut self) -> Result<Step, PathFault> {
        let first = self.space().ok_or(PathFault::End)?;
        // `.**` is `**` too.
        if self.eat("**") {
            return Ok(Step::Anywhere);
        }
        if self.eat("*") {
            return Ok(Step::AnyKey);
        }
        if first == '"' {
            let body = &self.text[self.at + 1..];
            let mut escaped = false;
            let end = body.find(|c| {
                let closes = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                closes
            });
            let end = end.ok_or(PathFault::End)?;
            self.at += end + 2;
            return Ok(Step::Key(unescaped(&body[..end])));
        }
        let rest = &self.text[self.at..];
        let end = rest.find(['.', '[', '*', ']', ' ']).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.fault());
        }
        self.at += end;
        Ok(Step::Key(rest[..end].to_owned()))
    }

    fn index(&mut self) -> Result<Step, PathFault> {
        self.space().ok_or(PathFault::End)?;
        let step = if self.eat("*") {
            Step::AnyIndex
        } else {
            let first = self.place()?;
            self.space();
            if self.eat("to") {
                self.space();
                Step::Range(first, self.place()?)
            } else {
                Step::Index(first)
            }
        };
        self.space();
        if self.eat("]") { Ok(step) } else { Err(self.fault()) }
    }

    fn place(&mut self) -> Result<Place, PathFault> {
        if self.eat("last") {
            self.space();
            if !self.eat("-") {
                return Ok(Place::End(0));
            }
            self.space();
            return self.number().map(Place::End);
        }
        if self.eat("-") {
            return self.number().map(|n| Place::End(n.saturating_sub(1)));
        }
        self.number().map(Place::Start)
    }

    fn number(&mut self) -> Result<usize, PathFault> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let n = rest[..end].parse().map_err(|_| self.fault())?;
        self.at += end;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_what_they_lead_to() {
        let document = super::super::document::parse(
            r#"{"a": [1, [2, 3], {"b": 4}], "c d": {"b": 5}}"#,
            &crate::session::Stop::never(),
        );
        let document = document.expect("a document");
        let texts = |path: &str| {
            let mut found = Vec::new();
            find(&document, &parse(path).expect("a path"), &mut found);
            found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(texts("$.a[0]"), "1");
        assert_eq!(texts("$.a[last].b"), "4");
        assert_eq!(texts("$.a[-2][*]"), "2; 3");
        assert_eq!(texts("$**.b"), "4; 5");
        assert_eq!(texts("$.\"c d\".b[0]"), "5");
        assert_eq!(texts("$.a[0 to 1]"), "1; [2, 3]");
        assert_eq!(texts("$.a[last-1 to last]"), "[2, 3]; {\"b\": 4}");
        assert_eq!(texts("$.*.b"), "5");
        assert_eq!(texts("$.x"), "");
    }

    #[test]
    fn what_is_left_out_is_not_on_the_path() {
        let texts = [
            r#"{"a": [1, [2, 3], {"b": {"c": [4]}}], "c d": {"b": 5}, "a": {"b": [6, {"a": 7}]}, "\u0061": 8}"#,
            r#"[[{"a": 1, "b": 2}, {"a": [3, 4]}], {"a": {"b": null}}, "x", [], {}]"#,
            "5",
            r#""a""#,
            r#"{"a": {"a": {"a": [[[1, 2], 3], 4]}}}"#,
        ];
        let steps = [".a", ".b", "[0]", "[1]", "[last]", "[*]", ".*", "**.a", "[0 to 1]", ".\"c d\""];
        let two = steps.iter().flat_map(|a| steps.iter().map(move |b| format!("${a}{b}")));
        let three = steps.iter().flat_map(|a| steps.iter().map(move |b| format!("${a}{b}{a}")));
        let paths: Vec<String> = two.chain(three).chain(["$".into(), "$[0][0][0].a".into()]).collect();
        let stop = crate::session::Stop::never();
        let mut found_some = 0;
        for text in texts {
            let whole = super::super::document::parse(text, &stop).expect("a document");
            for path in &paths {
                // Some say something else together, or nothing.
                let Ok(path) = parse(path) else { continue };
                let along = super::super::document::parse_along(text, &path, &stop).expect("a document");
                let (mut all, mut few) = (Vec::new(), Vec::new());
                find(&whole, &path, &mut all);
                find(&along, &path, &mut few);
                assert_eq!(few, all, "{path:?} of {text}");
                found_some += usize::from(!all.is_empty());
            }
        }
        assert!(found_some > 50);
        for bad in
            [r#"{"b": [1, }, "a": 1}"#, r#"{"a": 1, "b": "x}"#, r#"{"a": 1} x"#, r#"{"b": {"c" 1}, "a": 1}"#]
        {
            let path = parse("$.a").expect("a path");
            let whole = super::super::document::parse(bad, &stop).expect_err("no document");
            assert_eq!(super::super::document::parse_along(bad, &path, &stop), Err(whole), "{bad}");
        }
    }

    #[test]
    fn what_is_no_path() {
        for (text, fault) in [
            ("", PathFault::End),
            ("$.", PathFault::End),
            ("$[", PathFault::End),
            ("a", PathFault::Syntax(1)),
            ("$[x]", PathFault::Syntax(3)),
            ("$a", PathFault::Syntax(2)),
            ("$**", PathFault::End),
        ] {
            assert_eq!(parse(text), Err(fault), "{text}");
        }
        assert_eq!(parse(&format!("${}", "[0]".repeat(40))), Err(PathFault::Depth));
    }
}
