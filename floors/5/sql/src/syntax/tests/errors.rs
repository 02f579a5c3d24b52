use super::*;
use crate::error::{ER_EMPTY_QUERY, ER_PARSE_ERROR, ER_STACK_OVERRUN_NEED_MORE};

fn error(text: &str) -> crate::error::SqlError {
    parse(text.as_bytes(), 0, ParseOptions::default()).expect_err(text)
}

/// Where MariaDB 10.11 sees the error in each of these.
#[test]
fn errors_quote_the_text_from_the_unexpected_token() {
    let table = [
        ("selec 1", "selec 1", 1),
        ("select 1 +", "", 1),
        ("select 1 from", "", 1),
        ("select * from where", "where", 1),
        ("select 'a' 'b' from from t", "from t", 1),
        ("select 1 2", "2", 1),
        ("select x'abz'", "x'abz'", 1),
        ("select 'abc", "'abc", 1),
        ("select `abc", "`abc", 1),
        ("select 1 /* unfin", "/* unfin", 1),
        ("select 1 /*!40101 +1", "", 1),
        ("select a b c from t", "c from t", 1),
        ("insert into t values (1,2,3,4", "", 1),
        ("update t set a=1 wher b=2", "wher b=2", 1),
        ("create table x (a int, b varchar(10) nott null)", "null)", 1),
        ("select * from t where a between 1 or 2", "or 2", 1),
        ("select a from t limit 1,2,3", "3", 1),
        ("select 1 as select", "select", 1),
        ("select count (*) from t", "*) from t", 1),
        ("select a. from t", "from t", 1),
        ("select 1 from t limit -1", "-1", 1),
        ("create table t1 (a int,,b int)", "b int)", 1),
        ("select 1 limit 'a'", "'a'", 1),
        ("select 1 union select 2 limit 1 union select 3", "union select 3", 1),
        ("select 1 from t for update limit 1", "limit 1", 1),
        ("select 1,\n2,\n\nfrom t", "from t", 4),
        ("select 1 from from; select 2", "from; select 2", 1),
        ("drop table;", "", 1),
        ("select x from t where x not null", "null", 1),
        ("select values(a) from t", "values(a) from t", 1),
        ("select ?", "?", 1),
    ];
    for (text, near, line) in table {
        let found = error(text);
        assert_eq!(found.errno, ER_PARSE_ERROR, "{text}: {found}");
        assert!(found.message.ends_with(&format!("near '{near}' at line {line}")), "{text}: {found}");
    }
}

#[test]
fn long_texts_are_cut_with_dots() {
    let found = error(&format!("select 1 a b{}", "x".repeat(200)));
    assert!(found.message.ends_with(&format!("near 'b{}...' at line 1", "x".repeat(76))), "{found}");
}

#[test]
fn several_statements_come_one_after_the_other() {
    let several = ParseOptions { several: true, ..ParseOptions::default() };
    let text = b"select 1;\n\n select 2;  ; select 3";
    let first = parse(text, 0, several).unwrap();
    assert_eq!(first.text.of(text), b"select 1");
    let second = parse(text, first.rest.unwrap(), several).unwrap();
    assert_eq!(second.text.of(text), b"select 2");
    let third = parse(text, second.rest.unwrap(), several).unwrap_err();
    assert!(third.message.contains("near '; select 3' at line 1"), "{third}");
    let last = parse(b"select 1 ; \n", 0, several).unwrap();
    assert_eq!(last.rest, None);
    // a line is counted from the statement's start
    let text = b"select 1;\n\nselect\n2 from from";
    let first = parse(text, 0, several).unwrap();
    let second = parse(text, first.rest.unwrap(), several).unwrap_err();
    assert!(second.message.ends_with("near 'from' at line 2"), "{second}");
    let second = parse(b"select 1; -- c", 0, several).map(|first| first.rest.unwrap());
    assert_eq!(parse(b"select 1; -- c", second.unwrap(), several).unwrap().statement, Statement::Empty);
}

#[test]
fn one_statement_may_have_comments_behind_it_and_no_other() {
    for text in [
        "select 1;",
        "select 1;--",
        "select 1; -- c",
        "select 1;;",
        "select 1; /* c */ # d",
        "select 1;/*!99999 c */;",
    ] {
        let parsed = parse(text.as_bytes(), 0, ParseOptions::default()).unwrap();
        assert_eq!((parsed.rest, parsed.text.of(text.as_bytes())), (None, &b"select 1"[..]), "{text}");
    }
    for (text, near) in [
        ("select 1; select 2", "'select 2' at line 1"),
        ("\n\nselect 1\n; x", "'x' at line 2"),
        ("select 1;/* c */;select 2", "';select 2' at line 1"),
        ("select 1; /* c", "'/* c' at line 1"),
    ] {
        let found = error(text);
        assert!(found.message.ends_with(&format!("near {near}")), "{text}: {found}");
    }
}

#[test]
fn nothing_is_an_empty_query_and_a_comment_is_none() {
    for text in ["", ";", " ; ", "\n"] {
        assert_eq!(error(text).errno, ER_EMPTY_QUERY);
    }
    assert_eq!(statement("/* c */"), Ok(Statement::Empty));
    assert_eq!(statement("-- c"), Ok(Statement::Empty));
}

#[test]
fn what_is_known_and_missing_says_so() {
    for (text, feature) in [
        ("create procedure p() begin select 1; select 2; end", "CREATE PROCEDURE"),
        (
            "create definer=`root`@`localhost` trigger t before insert on x for each row set a=1",
            "CREATE TRIGGER",
        ),
        ("create event e on schedule every 1 day do select 1", "CREATE EVENT"),
        ("handler t open", "HANDLER"),
        ("create sequence s", "CREATE SEQUENCE"),
    ] {
        let found = error(text);
        assert_eq!(found.errno, 1235);
        assert!(found.message.contains(&format!("'{feature}'")), "{found}");
    }
}

/// Depth is bounded; breadth is not.
#[test]
fn nesting_ends_in_an_error_and_length_does_not() {
    let deep = [
        format!("select {}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("select {}1", "-".repeat(100_000)),
        format!("select {} 1", "not ".repeat(100_000)),
        format!("select 1{}", "+1".repeat(100_000)),
        format!("select {}1{}", "abs(".repeat(10_000), ")".repeat(10_000)),
        format!("select {}1{}", "(select ".repeat(10_000), ")".repeat(10_000)),
        format!("select * from {}t{}", "(".repeat(10_000), ")".repeat(10_000)),
        format!("select {}1{}", "case when ".repeat(10_000), " then 1 end".repeat(10_000)),
        format!("select * from t{}", " join t".repeat(10_000)),
        format!("explain {}select 1", "explain ".repeat(10_000)),
        format!("{}select 1", "set statement a=1 for ".repeat(10_000)),
        format!("select a{}", " collate x".repeat(100_000)),
        format!("select a{}", " between 1 and 2".repeat(100_000)),
        format!("select {}1", "interval ".repeat(10_000)),
    ];
    for text in &deep {
        let found = parse(text.as_bytes(), 0, ParseOptions::default());
        let fits =
            matches!(&found, Err(e) if e.errno == ER_STACK_OVERRUN_NEED_MORE || e.errno == ER_PARSE_ERROR);
        assert!(fits, "{}: {:?}", &text[..40], found.map(|_| ()));
    }
    let long = [
        format!("select 1{}", " or 1".repeat(20_000)),
        format!("select 1{}", " and 1".repeat(20_000)),
        format!("select 1{}", " union all select 1".repeat(5_000)),
        format!("select 1 in (1{})", ",1".repeat(20_000)),
        format!("insert into t values (1){}", ",(1)".repeat(20_000)),
        format!("select 1{}", "+1".repeat(500)),
        format!("select {}1{}", "(".repeat(50), ")".repeat(50)),
    ];
    for text in &long {
        assert!(parse(text.as_bytes(), 0, ParseOptions::default()).is_ok(), "{}", &text[..40]);
    }
}
