use super::*;

/// Names of columns as MariaDB 10.11 sends them.
#[test]
fn a_column_is_named_by_its_own_text() {
    let table: &[(&str, &[&str])] = &[
        ("1 /* c */ + /* d */ 1", &["1 /* c */ + /* d */ 1"]),
        ("  1   +   1", &["1   +   1"]),
        ("(a) from t", &["a"]),
        ("((a)) from t", &["a"]),
        ("( a + 1 ) from t", &["( a + 1 )"]),
        ("syn.t.a from t", &["a"]),
        ("`c d` from t", &["c d"]),
        ("`t`.`c d` + 1 from t", &["`t`.`c d` + 1"]),
        ("'a' 'b'", &["ab"]),
        ("'  abc', 'trailing  ', ''", &["abc", "trailing  ", ""]),
        ("'a''b', \"a\\nb\"", &["a'b", "a\nb"]),
        ("_latin1 'abc', n'abc'", &["abc", "abc"]),
        ("x'41', 0x41, b'1'", &["x'41'", "0x41", "b'1'"]),
        ("null, true, False, \\N", &["NULL", "TRUE", "FALSE", "NULL"]),
        ("+a, -a, - a, +1, -1 from t", &["a", "-a", "- a", "1", "-1"]),
        ("now(), NOW( ), CURRENT_TIMESTAMP", &["now()", "NOW( )", "CURRENT_TIMESTAMP"]),
        ("(1), (null), (-1), -(1), ('abc')", &["1", "NULL", "(-1)", "-(1)", "abc"]),
        ("@a, @`a b`, @a:=1, @@session . autocommit", &["@a", "@`a b`", "@a:=1", "@@session . autocommit"]),
        ("1 as x, 1 'x y', 1 y, 1 as ' z'", &["x", "x y", "y", "z"]),
        ("/*!40101 1 + */ 2, /*!40101 1 */ + 2", &["1 +  2", "1  + 2"]),
        ("1 /*!50600 +1*/ /*!50700 +10 */", &["1  +1"]),
        ("exists(select 1), ( select 1 ), (@a)", &["exists(select 1)", "( select 1 )", "(@a)"]),
        ("name_const('x', 1), count( * )", &["x", "count( * )"]),
        ("t . a, select.a from t", &["a", "a"]),
    ];
    for (text, names) in table {
        let select = select(&format!("select {text}"));
        let found: Vec<&str> = select
            .items
            .iter()
            .map(|item| match item {
                SelectItem::Expr { name, .. } => name.as_str(),
                other => panic!("{text}: {other:?}"),
            })
            .collect();
        assert_eq!(found, *names, "{text}");
    }
}

/// What MariaDB 10.11 executes of versioned comments.
#[test]
fn versioned_comments_run_up_to_our_version() {
    let sum = |text: &str| {
        let mut total = 0;
        let mut left = vec![expr(text)];
        while let Some(e) = left.pop() {
            match e.kind {
                ExprKind::Binary { op: BinaryOp::Add, left: a, right: b } => left.extend([*a, *b]),
                ExprKind::Literal(Literal::Int(n)) => total += n,
                other => panic!("{other:?}"),
            }
        }
        total
    };
    assert_eq!(sum("1 /*!50600 +1*/ /*!50700 +10 */ /*!80000 +100 */ /*!99999 +200*/"), 2);
    assert_eq!(sum("1 /*!100000 +1000 */ /*!101119 +5000*/ /*!101120 +7000 */ /*!40101 +3 */"), 6004);
    assert_eq!(sum("1 /*! +2 */ /*M! +4*/ /*M!50700 +8 */ /*M!101200 +99 */ /*M!80000 +16*/"), 31);
    assert_eq!(sum("1 /*!501000 +1 */ /*!50100+2*/ /*!40000 +4 /* inner */ +8*/"), 15);
    assert_eq!(sum("1 /*!99999 +1 /* inner */ +2*/ +4"), 5);
    assert!(statement("select 1 /*!501 +1 */").is_err());
}

#[test]
fn modes_change_what_the_text_means() {
    let parse_in = |mode: LexMode, text: &str| {
        parse(text.as_bytes(), 0, ParseOptions { mode, ..ParseOptions::default() })
            .map(|p| format!("{:?}", p.statement))
    };
    let plain = LexMode::default();
    let ansi = LexMode { ansi_quotes: true, ..plain };
    assert!(parse_in(plain, "select \"a\"").unwrap().contains("Str("));
    assert!(parse_in(ansi, "select \"a\"").unwrap().contains("Column("));
    let raw = LexMode { no_backslash_escapes: true, ..plain };
    assert!(parse_in(plain, "select '\\'").is_err());
    assert!(parse_in(raw, "select '\\'").is_ok());
    let pipes = LexMode { pipes_as_concat: true, ..plain };
    assert!(parse_in(plain, "select 1||2").unwrap().contains("Or("));
    assert!(parse_in(pipes, "select 1||2").unwrap().contains("Concat"));
    let spaces = LexMode { ignore_space: true, ..plain };
    assert!(parse_in(plain, "select count (*)").is_err());
    assert!(parse_in(spaces, "select count (*)").is_ok());
    assert!(parse_in(plain, "select now ()").unwrap().contains("Stored("));
}
