use super::*;
use crate::syntax::shape::{LiteralKind, Shape};
use crate::syntax::template::Templates;
use std::borrow::Cow;

/// The shape with `?i` and so on for its literals, and the literals.
fn read(text: &str) -> Option<(String, Vec<String>)> {
    let mut shape = Shape::default();
    if !shape.read(text.as_bytes(), LexMode::default()) {
        return None;
    }
    let marks = ["", "?i", "?u", "?d", "?f", "?s"];
    let mut shown = Vec::new();
    for b in shape.bytes() {
        match marks.get(*b as usize) {
            Some(mark) => shown.extend_from_slice(mark.as_bytes()),
            None => shown.push(*b),
        }
    }
    let literals = shape.literals().iter();
    let values =
        literals.map(|l| String::from_utf8_lossy(&l.bytes(text.as_bytes(), LexMode::default())).into_owned());
    Some((String::from_utf8(shown).unwrap(), values.collect()))
}

#[test]
fn parameters_stand_where_literals_are_lifted() {
    let lifts = |text: &str| Shape::lifts_parameters(text.as_bytes(), LexMode::default());
    for text in [
        "SELECT c FROM t WHERE id = ? AND d BETWEEN ? AND ? + 1 ORDER BY c LIMIT ?, ?",
        "SELECT c FROM t WHERE c LIKE ? OR id IN (?, ?) LIMIT ? OFFSET ?",
        "INSERT INTO t VALUES (?, ?, NOW()) ON DUPLICATE KEY UPDATE a = ?",
        "UPDATE t SET a = a + ?, b = ? WHERE id = ?",
        "SELECT COUNT(*) FROM t",
    ] {
        assert!(lifts(text), "{text}");
    }
    for text in [
        "SELECT ?",
        "SELECT GROUP_CONCAT(a LIMIT ?) FROM t",
        "SELECT c FROM t WHERE RAND(?) > 0",
        "SELECT c FROM t WHERE a = LPAD(b, ?)",
        "SELECT c FROM t ORDER BY ?",
        "SELECT c FROM t GROUP BY c HAVING c > ?",
        "DO ?",
    ] {
        assert!(!lifts(text), "{text}");
    }
}

#[test]
fn values_are_lifted_and_syntax_is_kept() {
    let table: &[(&str, &str, &[&str])] = &[
        ("SELECT c FROM sbtest1 WHERE id=42", "SELECT c FROM sbtest1 WHERE id=?i", &["42"]),
        ("  /* x */ select c\n from t  where id  =  'a''b' ;", "select c\n from t where id = ?s", &["a'b"]),
        (
            "select a from t where 1=1 and b=2 and 0 = 1 and 3=c and (1 = 2) and 1=1.5 and 7",
            "select a from t where 1=1 and b=?i and 0 = 1 and ?i=c and (?i = ?i) and ?i=?d and ?i",
            &["2", "3", "1", "2", "1", "1.5", "7"],
        ),
        (
            "select 1+1,  2 from t where a in (1,2.5,3e2)",
            "select 1+1,  2 from t where a in (?i,?d,?f)",
            &["1", "2.5", "3e2"],
        ),
        (
            "select a from t where b=-5 order by 1 limit 3",
            "select a from t where b=-?i order by 1 limit 3",
            &["5"],
        ),
        (
            "update t set a=a+1, b='x\\ty' where id between 1 and 9",
            "update t set a=a+?i, b=?s where id between ?i and ?i",
            &["1", "x\ty", "1", "9"],
        ),
        (
            "insert into t (a,b) values (1,'x'),(18446744073709551615,null)",
            "insert into t (a,b) values (?i,?s),(?u,null)",
            &["1", "x", "18446744073709551615"],
        ),
        (
            "insert into t select 1,'x' from u where k=7 group by 2 having 3",
            "insert into t select 1,'x' from u where k=?i group by 2 having 3",
            &["7"],
        ),
        (
            "select a from t where cast(b as decimal(10,2)) > 5",
            "select a from t where cast(b as decimal(10,2)) > ?i",
            &["5"],
        ),
        (
            "select a from t where d > now(6) - interval 5 day",
            "select a from t where d > now(6) - interval 5 day",
            &[],
        ),
        (
            "select a from (select 1 x, 'y' from u where v=2) t where x=3",
            "select a from (select 1 x, 'y' from u where v=?i) t where x=?i",
            &["2", "3"],
        ),
        (
            "select (select b from u where c=1) from t where a=2",
            "select (select b from u where c=1) from t where a=?i",
            &["2"],
        ),
        (
            "select a from t where b like 'x%' escape '!'",
            "select a from t where b like ?s escape '!'",
            &["x%"],
        ),
        (
            "select a from t where b=x'41' or b=0x41 or b=_latin1'y' or b=date'2001-01-01'",
            "select a from t where b=x'41' or b=0x41 or b=_latin1'y' or b=date'2001-01-01'",
            &[],
        ),
        ("select a from t where b='x' -- end", "select a from t where b=?s", &["x"]),
        ("delete from t where a=1 order by b limit 5", "delete from t where a=?i order by b limit 5", &["1"]),
        ("select `1 2`, t.`3` from t where `4`=4", "select `1 2`, t.`3` from t where `4`=?i", &["4"]),
        ("select a from t where b = round(c, 2)", "select a from t where b = round(c, 2)", &[]),
        ("insert into t values (md5('x'), 5)", "insert into t values (md5(?s), ?i)", &["x", "5"]),
    ];
    for (text, shape, literals) in table {
        let (found, values) = read(text).unwrap_or_else(|| panic!("{text}: no shape"));
        assert_eq!(
            (found.as_str(), values.iter().map(String::as_str).collect::<Vec<_>>().as_slice()),
            (*shape, *literals)
        );
    }
}

#[test]
fn odd_texts_have_no_shape() {
    for text in [
        "",
        "set a=1",
        "begin",
        "select @a",
        "select @@version",
        "select a from t where b=?",
        "select 1; select 2",
        "select /*! 1 */ 2",
        "select /*+ x */ 1",
        "select a from t where b='x' 'y'",
        "select a from t where (b=1",
        "select a from t where b=1)",
        "select a from t where b='x",
        "select {d '2001-01-01'}",
        "select `a",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    let deep = format!("select a from t where {}1{}", "(".repeat(60), ")".repeat(60));
    assert_eq!(read(&deep), None);
}

#[test]
fn escapes_cost_a_copy_only_where_they_are() {
    let text = b"select a from t where b='plain' and c='do''ubled'";
    let mut shape = Shape::default();
    assert!(shape.read(text, LexMode::default()));
    let [plain, doubled] = shape.literals() else { panic!() };
    assert!(matches!(plain.bytes(text, LexMode::default()), Cow::Borrowed(b"plain")));
    assert_eq!(doubled.bytes(text, LexMode::default()), b"do'ubled".as_slice());
    assert_eq!(plain.kind, LiteralKind::Str);
}

/// What the parser makes of the lifted literals: as many parameters, and the tree of the text with `?` in their place.
#[test]
fn lifted_literals_become_parameters() {
    for text in [
        "select c from t where id=42 and d='x' or e in (1,2,3)",
        "insert into t (a,b) values (1,'x'),(2,'y') on duplicate key update a=values(a)+5",
        "update t set a=a-1 where b like 'x%' and c between -5 and 7.5 limit 3",
        "delete from t where a=1e5 order by 2",
    ] {
        let mut shape = Shape::default();
        assert!(shape.read(text.as_bytes(), LexMode::default()));
        let offsets = shape.offsets();
        let options = ParseOptions { lifted: &offsets, ..ParseOptions::default() };
        let lifted = parse(text.as_bytes(), 0, options).unwrap();
        assert_eq!(lifted.params as usize, offsets.len());
        let mut marked = String::new();
        let mut at = 0;
        for literal in shape.literals() {
            marked += &text[at..literal.span.start as usize];
            marked.push('?');
            at = literal.span.end as usize;
        }
        marked += &text[at..];
        let wanted = statement(&marked).unwrap();
        assert_eq!(without_spans(&lifted.statement), without_spans(&wanted));
    }
}

/// A tree as text, without the places of its parts.
fn without_spans(statement: &Statement) -> String {
    let shown = format!("{statement:?}");
    let mut out = String::new();
    let mut rest = shown.as_str();
    while let Some(at) = rest.find("Span {") {
        out += &rest[..at];
        rest = &rest[at + rest[at..].find('}').unwrap() + 1..];
    }
    out + rest
}

/// A literal that the grammar needs as syntax is an error, never a plan with a value baked in.
#[test]
fn a_lifted_literal_must_be_a_value() {
    let text = "select a from t limit 5";
    let options = ParseOptions { lifted: &[22], ..ParseOptions::default() };
    assert_eq!(parse(text.as_bytes(), 0, options).unwrap_err().errno, crate::error::ER_INTERNAL_ERROR);
}

/// What is read behind a text of the same form is what a first reading gives.
#[test]
fn a_text_like_one_before_has_the_shape_that_it_has_alone() {
    let first = "select a from t where b = 5 and c LIKE 'x' or d = 1";
    let others = [
        "select a from t where b = 17 and c LIKE 'some words' or d = 2",
        "select a from t where b = 123456789012345678 and c LIKE '' or d = 0",
        "select a from t where b = 1234567890123456789 and c LIKE 'x' or d = 1",
        "select a from t where b = 99999999999999999999 and c LIKE 'x' or d = 1",
        "select a from t where b = 5.5 and c LIKE 'x' or d = 1",
        "select a from t where b = 5e3 and c LIKE 'x' or d = 1",
        "select a from t where b = 5x and c LIKE 'x' or d = 1",
        "select a from t where b = 0x5 and c LIKE 'x' or d = 1",
        "select a from t where b =  and c LIKE 'x' or d = 1",
        "select a from t where b = 5 and c LIKE 'x\\ or d = 1",
        "select a from t where b = 5 and c LIKE 'x\\' or d = 1",
        "select a from t where b = 5 and c LIKE 'x\\'' or d = 1",
        "select a from t where b = 5 and c LIKE 'x''y' or d = 1",
        "select a from t where b = 5 and c LIKE 'x' 'y' or d = 1",
        "select a from t where b = 5 and c LIKE '%x' or d = 1",
        "select a from t where b = 5 and c LIKE '_' or d = 1",
        "select a from t where b = 5 and c LIKE \"x\" or d = 1",
        "select a from t where b = 5 and c LIKE 'x or d = 1",
        "select a from t where b = 5 and c LIKE 'x' or d = 1 or 2",
        "select a from t where b = 5 and c LIKE 'x' or d = ",
        "select a from t where b = 5 and c LIKE 'x' or d = 1;",
        "select b from t where b = 5 and c LIKE 'x' or d = 1",
    ];
    let modes = [LexMode::default(), LexMode { no_backslash_escapes: true, ..LexMode::default() }];
    let mut alike = 0;
    for (other, mode) in others.iter().flat_map(|other| modes.map(|mode| (other, mode))) {
        let (mut shape, mut templates, mut values) = (Shape::default(), Templates::default(), Vec::new());
        assert!(shape.read(first.as_bytes(), mode));
        templates.keep(first.as_bytes(), 1, shape.literals(), shape.bytes().to_vec());
        assert_eq!(templates.find(first.as_bytes(), 2, &mut values), None);
        if let Some(found) = templates.find(other.as_bytes(), 1, &mut values) {
            assert!(shape.read(other.as_bytes(), mode), "{other}");
            assert_eq!((shape.bytes(), shape.literals()), (&found[..], &values[..]), "{other}");
            alike += 1;
        }
    }
    assert_eq!(alike, 4);
}

/// What is kept with a text takes the place of what was kept with one like it.
#[test]
fn a_text_is_kept_once_with_all_that_are_like_it() {
    let (mut shape, mut templates, mut values) = (Shape::default(), Templates::default(), Vec::new());
    for round in 0..10 {
        for text in [format!("select a from t where b = {round}"), format!("update t set a = {round}")] {
            assert!(shape.read(text.as_bytes(), LexMode::default()));
            templates.keep(text.as_bytes(), 1, shape.literals(), (round, text.len()));
        }
    }
    for text in ["select a from t where b = 5", "update t set a = 5"] {
        assert_eq!(templates.find(text.as_bytes(), 1, &mut values), Some(&(9, text.len())));
    }
    templates.clear();
    assert_eq!(templates.find(b"update t set a = 5", 1, &mut values), None);
}
