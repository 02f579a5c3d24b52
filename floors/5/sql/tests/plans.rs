//! The planner's choices, as EXPLAIN tells them, over tables whose sizes make them clear.

mod harness;

use harness::{Client, Server};

/// `small` (20 rows), `large` (3,000 rows, key on `k` with 300 values) and `plain` (3,000 rows, no key on `k`).
fn fixture() -> Client {
    let server = Server::new();
    let mut fixture = server.session();
    for statement in [
        "create table small (id int primary key, v int, s varchar(20))",
        "create table large (id int primary key, k int, v int, key k (k))",
        "create table plain (id int primary key, k int, v int)",
        "insert into small with recursive q (i) as (select 1 union all select i + 1 from q where i < 20) select i, i, concat('s', i) from q",
        "set max_recursive_iterations = 5000",
        "insert into large with recursive q (i) as (select 1 union all select i + 1 from q where i < 3000) select i, i % 300, i from q",
        "insert into plain with recursive q (i) as (select 1 union all select i + 1 from q where i < 3000) select i, i % 300, i from q",
    ] {
        fixture.run(statement);
    }
    fixture
}

/// Of each row of EXPLAIN: table, type, key and Extra.
fn shape(fixture: &mut Client, query: &str) -> Vec<[String; 4]> {
    let rows = fixture.rows(&format!("explain {query}"));
    rows.iter().map(|row| [2, 3, 5, 9].map(|at| value(row, at))).collect()
}

/// One of a row's values.
fn value(row: &str, at: usize) -> String {
    row.split('|').nth(at).unwrap_or_default().to_owned()
}

fn shown(rows: &[[&str; 4]]) -> Vec<[String; 4]> {
    rows.iter().map(|row| row.map(str::to_owned)).collect()
}

#[test]
fn a_join_with_a_useful_index_looks_rows_up() {
    let mut fixture = fixture();
    assert_eq!(
        shape(&mut fixture, "select * from large join small on large.k = small.v"),
        shown(&[["small", "ALL", "NULL", ""], ["large", "ref", "k", ""]]),
    );
}

#[test]
fn a_join_without_an_index_goes_through_the_larger_side_once() {
    let mut fixture = fixture();
    assert_eq!(
        shape(&mut fixture, "select count(*) from plain join small on plain.k = small.s"),
        shown(&[
            ["small", "ALL", "NULL", ""],
            ["plain", "ALL", "NULL", "Using where; Using join buffer (flat, BNL join)"]
        ]),
    );
    assert_eq!(
        shape(&mut fixture, "select count(*) from small join plain on plain.k = small.v"),
        shown(&[
            ["small", "ALL", "NULL", ""],
            ["plain", "hash_ALL", "#hash#$hj", "Using where; Using join buffer (flat, BNLH join)"],
        ]),
    );
}

#[test]
fn what_follows_from_equalities_is_used() {
    let mut fixture = fixture();
    let rows = shape(&mut fixture, "select * from large, small where large.k = small.v and small.v = 7");
    assert!(rows.iter().any(|row| row[..3] == ["large", "ref", "k"].map(str::to_owned)), "{rows:?}");
    let rows = shape(
        &mut fixture,
        "select * from large, small where (large.k = 7 and small.v = 1) or (large.k = 8 and small.v = 2)",
    );
    assert!(rows.iter().any(|row| row[..3] == ["large", "range", "k"].map(str::to_owned)), "{rows:?}");
}

#[test]
fn a_subquery_in_in_may_drive_the_join() {
    let mut fixture = fixture();
    let rows = shape(&mut fixture, "select * from large where id in (select v from small where id < 3)");
    assert_eq!(rows[0][0], "<subquery2>", "{rows:?}");
    assert_eq!(rows[1][..3], ["large", "eq_ref", "PRIMARY"].map(str::to_owned));
}

#[test]
fn existence_reads_keys_only() {
    let mut fixture = fixture();
    let rows = shape(
        &mut fixture,
        "select count(*) from small where exists (select * from large where k = small.v)",
    );
    assert_eq!(rows[1], ["large", "ref", "k", "Using index"].map(str::to_owned), "{rows:?}");
}

#[test]
fn analyze_counts_what_was_read() {
    let mut fixture = fixture();
    let rows = fixture.rows("analyze select * from plain where v <= 30");
    // id, select_type, table, type, possible_keys, key, key_len, ref, rows, r_rows, filtered, r_filtered, Extra
    assert_eq!((value(&rows[0], 9).as_str(), value(&rows[0], 11).as_str()), ("3000.00", "1.00"));
    let document =
        fixture.value("analyze format=json select count(*) from small, large where large.k = small.v");
    let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
    let tables = &document["query_block"]["nested_loop"];
    assert_eq!(tables[1]["table"]["r_loops"], 20);
    assert_eq!(tables[1]["table"]["r_rows"], 10.0);
    assert!(document["query_block"]["r_total_time_ms"].as_f64().is_some_and(|ms| ms > 0.0));
}

#[test]
fn limits_end_a_statement() {
    let mut fixture = fixture();
    fixture.run("set max_session_mem_used = 8192");
    // What a recursion has seen cannot wait in files; all else goes on there.
    let error = fixture.error(
        "with recursive q as (select 1 as i union select i + 1 from q where i < 3000) select count(*) from q",
    );
    assert_eq!(error.0, 1290, "{}", error.1);
    fixture.run("set max_session_mem_used = 65536");
    assert_eq!(
        fixture.value("select md5(group_concat(k)) from (select k from plain order by v) d").len(),
        32
    );
    fixture.run("set max_session_mem_used = default");
    fixture.run("set max_statement_time = 0.05");
    let error = fixture.error("select count(*) from plain a, plain b where a.v + b.v < 0");
    assert_eq!(error.0, 1969, "{}", error.1);
}

#[test]
fn index_hints_are_followed() {
    let mut fixture = fixture();
    let mut of = |query: &str| {
        let row = shape(&mut fixture, query).remove(0);
        (row[1].clone(), row[2].clone())
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(of("select * from large where k = 7"), pair("ref", "k"));
    assert_eq!(of("select * from large ignore index (k) where k = 7"), pair("ALL", "NULL"));
    assert_eq!(of("select * from large use index (primary) where k = 7"), pair("ALL", "NULL"));
    assert_eq!(of("select * from large use index () where id = 7"), pair("ALL", "NULL"));
    assert_eq!(of("select * from large where k > 3"), pair("ALL", "NULL"));
    assert_eq!(of("select * from large force index (k) where k > 3"), pair("range", "k"));
    assert_eq!(of("select * from large order by k limit 3"), pair("index", "k"));
    assert_eq!(
        of("select * from large ignore index for order by (k) order by k limit 3"),
        pair("ALL", "NULL")
    );
    assert_eq!(of("select * from large ignore index for join (k) order by k limit 3"), pair("index", "k"));
}

#[test]
fn straight_join_reads_tables_in_the_order_written() {
    let mut fixture = fixture();
    let mut first = |query: &str| shape(&mut fixture, query).remove(0)[0].clone();
    assert_eq!(first("select * from large join small on large.k = small.v"), "small");
    assert_eq!(first("select * from large straight_join small on large.k = small.v"), "large");
    assert_eq!(first("select straight_join * from large, small where large.k = small.v"), "large");
    assert_eq!(
        first(
            "select * from (large straight_join plain on large.id = plain.id) join small on large.k = small.v"
        ),
        "small"
    );
}

#[test]
fn smallest_and_largest_are_read_at_the_ends_of_an_index() {
    let mut fixture = fixture();
    for ends in [
        "select min(k), max(k) from large",
        "select max(id) from large",
        "select max(id) + 1 from large where id < 100",
        "select min(id) from large where k = 7",
        "select (select max(k) from large)",
    ] {
        let last = value(fixture.rows(&format!("explain {ends}")).last().expect("a row"), 9);
        assert_eq!(last, "Select tables optimized away", "{ends}");
    }
    for rows in
        ["select max(v) from large", "select max(k), sum(k) from large", "select max(k), v from large"]
    {
        assert_eq!(value(&fixture.rows(&format!("explain {rows}"))[0], 9), "", "{rows}");
    }
    let analyzed = fixture.rows("analyze select max(id) from large where id < 100 and v > 5");
    assert_eq!(value(&analyzed[0], 3), "range", "{analyzed:?}");
}

#[test]
fn members_of_or_are_found_by_an_index_each() {
    let mut fixture = fixture();
    fixture.run("create index v on large (v)");
    let rows = fixture.rows("explain select * from large where k = 7 or v = 1000 or id < 3");
    let shown: Vec<String> = [3, 5, 6, 9].map(|at| value(&rows[0], at)).into();
    assert_eq!(shown, ["index_merge", "k,v,PRIMARY", "5,5,4", "Using union(k,v,PRIMARY); Using where"]);
    let rows = shape(&mut fixture, "select * from large where k = 7 or v > 3");
    assert_eq!(rows[0][1], "ALL");
    assert_eq!(fixture.value("select count(*) from large where k = 7 or v = 7 or v = 307 or id < 8"), "16");
    fixture.run("update large set v = v + 10000 where k = 7 or v = 8 or id = 9");
    assert_eq!(fixture.value("select count(*) from large where v > 10000"), "12");
    fixture.run("delete from large where k = 7 or v = 10008");
    assert_eq!(fixture.value("select count(*) from large"), "2989");
}

#[test]
fn conditions_go_into_derived_tables() {
    let mut fixture = fixture();
    let query = "select * from (select k, count(*) as n from large group by k) as d where k = 7";
    let rows = shape(&mut fixture, query);
    assert_eq!(rows[1][..3], ["large", "ref", "k"].map(str::to_owned), "{rows:?}");
    assert_eq!(fixture.rows(query), ["7|10"]);
    let query = "select * from (select id, v from large union all select id, v from plain) as u where id = 5";
    let rows = shape(&mut fixture, query);
    assert_eq!([&rows[1][1], &rows[2][1]], ["const", "const"], "{rows:?}");
    assert_eq!(fixture.rows(query), ["5|5", "5|5"]);
    let query = "with c as (select distinct k, id % 2 as odd from large) select k from c where k between 3 and 4 order by k";
    assert_eq!(shape(&mut fixture, query)[1][1], "range");
    assert_eq!(fixture.rows(query), ["3", "4"]);
    // Other rows count: nothing goes in.
    for query in [
        "select * from (select id, k from large order by k limit 5) as d where id = 300",
        "select * from (select id, row_number() over (order by id desc) as n from large) as d where id = 3000",
    ] {
        let rows = shape(&mut fixture, query);
        assert_eq!(rows[1][1], if query.contains("limit") { "index" } else { "ALL" }, "{rows:?}");
        assert_eq!(fixture.rows(query).len(), 1, "{query}");
    }
    let query = "select count(*) from small left join (select k, max(v) as m from large group by k) as d on d.k = small.v where d.k is null";
    assert_eq!(fixture.value(query), "0");
}

#[test]
fn an_index_that_holds_all_serves_members_of_a_union_and_groups_of_few_rows() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table wide (id int primary key, at datetime, k int, body text, key kat (k, at))");
    session.run(
        "insert into wide select seq, '2026-01-01' + interval seq hour, seq % 5, repeat('x', 900) from seq_1_to_3000",
    );
    let query = "select count(*) from (select id, at from wide union all select id, at from wide) u \
                 where at > '2026-03-01'";
    let members = shape(&mut session, query);
    assert_eq!(members[1][1..3], ["index", "kat"]);
    assert_eq!(members[2][1..3], ["index", "kat"]);
    let query = "select k, at, count(*) from wide group by k, at";
    assert_eq!(shape(&mut session, query)[0][1..3], ["index", "kat"]);
    assert_eq!(session.counted("Created_tmp_tables", query), 0);
    session.run("create table apart (v int, key v (v)) select seq div 2 as v from seq_1_to_3000");
    let query = "select count(distinct v) from apart";
    assert_eq!(shape(&mut session, query)[0][1..3], ["index", "v"]);
}

#[test]
fn a_common_table_expression_is_made_once_for_all_its_uses() {
    let mut fixture = fixture();
    let query = "with c as (select k, count(*) as n from plain group by k) select count(*) from c a join c b on a.k = b.k";
    let rows = shape(&mut fixture, query);
    assert_eq!(rows.iter().filter(|row| row[0] == "plain").count(), 1, "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row[0] == "<derived2>").count(), 2, "{rows:?}");
    assert_eq!(fixture.value(query), "300");
    let analyzed = fixture.rows(&format!("analyze {query}"));
    let plain = analyzed.iter().find(|row| value(row, 2) == "plain").expect("a line of plain");
    assert_eq!(value(plain, 9), "3000.00");
    // What differs each time is made for each use.
    let query = "with c as (select rand() as r from small) select count(*) from c a join c b on a.r = b.r";
    assert_eq!(fixture.value(query), "0");
}

#[test]
fn a_limit_of_time_for_one_statement_holds_for_it_alone() {
    let mut fixture = fixture();
    let long = "select count(*) from plain a, plain b, plain c where a.v + b.v + c.v < 0";
    let error = fixture.error(&format!("set statement max_statement_time = 0.05 for {long}"));
    assert_eq!(error.0, 1969, "{}", error.1);
    assert_eq!(fixture.value("select @@max_statement_time = 0"), "1");
}

#[test]
fn what_a_key_is_compared_with_is_named() {
    let mut fixture = fixture();
    let mut refs = |query: &str| -> Vec<String> {
        fixture.rows(&format!("explain {query}")).iter().map(|row| value(row, 7)).collect()
    };
    assert_eq!(refs("select * from small join large on large.k = small.v"), ["NULL", "test.small.v"]);
    assert_eq!(refs("select * from small s join large on large.k = s.v + 1"), ["NULL", "func"]);
    assert_eq!(refs("select * from large where k = 7"), ["const"]);
    let query = "select * from small where exists (select 1 from large where large.k = small.v)";
    assert_eq!(refs(query), ["NULL", "test.small.v"]);
}

#[test]
fn the_order_of_an_index_saves_reading() {
    let mut fixture = fixture();
    fixture.run("create table pairs (x int, y int, z int, primary key (x, y), key z (z))");
    fixture.run("create table long_one (id int primary key) select seq id from seq_1_to_20000");
    fixture.run("insert into pairs select id div 50, id % 50, id from plain");
    for (query, most) in [
        // Behind a place in the order.
        ("select x, y from pairs where x > 40 or (x = 40 and y > 7) order by x, y limit 10", 10),
        ("select x, y from pairs where x < 40 or (x = 40 and y < 7) order by x desc, y desc limit 10", 10),
        ("select x, y from pairs where (x, y) > (40, 7) order by x, y limit 10", 10),
        ("select x, y from pairs where (x, y) <= (40, 7) order by x desc, y desc limit 10", 10),
        ("select x, y from pairs where (x, y, z) > (60, 30, 0) order by x, y, z", 20),
        ("select * from pairs where z > 2000 order by z limit 10", 10),
        ("select * from pairs where z > 2000 and y < 25 order by z limit 10", 60),
        // Groups and different values, one after the other.
        ("select distinct x from pairs", 61),
        ("select distinct z from pairs order by z limit 10", 10),
        ("select distinct k from large order by k desc limit 10", 20),
        ("select x, max(y), min(y) from pairs group by x", 3 * 61),
        ("select x, sum(z) from pairs group by x order by x limit 3", 151),
        ("select x, sum(z) from pairs group by x order by x desc limit 3", 151),
        ("select * from (select x, sum(z) from pairs group by x) q where x = 7", 50),
        // Only the groups that are asked for.
        (
            "select count(q.s) from small join (select k, sum(v) s from large group by k) q on q.k = small.v \
             where small.id < 4",
            34,
        ),
        (
            "select count(q.s) from small left join (select k, sum(v) s from large group by k) q \
             on q.k = small.v where small.id < 4",
            34,
        ),
        // The few that exist find the rows.
        (
            "select count(*) from long_one a where exists (select 1 from large b where b.v = a.id and b.k = 7)",
            20,
        ),
        (
            "select count(*) from long_one a where id < 3 and exists (select 1 from large b where b.k = a.id)",
            10,
        ),
        // Many members of OR.
        (
            "select sum(z) from pairs where z between 5 and 6 or z between 105 and 106 or z between 205 and 206 \
          or z between 305 and 306 or z between 405 and 406 or z between 505 and 506 or z between 605 and 606 \
          or z between 705 and 706 or z between 805 and 806 or z between 905 and 906 or z between 1005 and 1006 \
          or z between 1105 and 1106 or z between 1205 and 1206 or z between 1305 and 1306 \
          or z between 1405 and 1406 or z between 1505 and 1506 or z between 1605 and 1606 \
          or z between 1705 and 1706",
            36,
        ),
    ] {
        let read = fixture.counted("Rows_read", query);
        assert!(read <= most, "{query}\nread {read} rows, {most} were to do");
    }
    let members: Vec<String> = (0..1500).map(|n| (n * 7 + 1).to_string()).collect();
    let listed = format!("select count(id) from long_one where id in ({})", members.join(","));
    assert_eq!(fixture.counted("Rows_read", &listed), 1500);
}

/// 5,000 rows, one an hour up to now.
fn by_the_hour() -> Client {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table hours (id int primary key, at datetime, v int, key at (at))");
    session.run("insert into hours select seq, now() - interval seq hour, seq from seq_1_to_5000");
    session
}

#[test]
fn bounds_known_when_the_statement_runs_are_bounds() {
    let mut session = by_the_hour();
    session.run("set @day = now() - interval 1 day");
    for bound in [
        "now() - interval 1 day",
        "current_timestamp - interval 1 day",
        "curdate() + interval 0 hour",
        "from_unixtime(unix_timestamp() - 86400)",
        "@day",
        "@day + interval 1 hour",
        "(select max(at) - interval 1 day from hours)",
    ] {
        let query = format!("select sum(v) from hours where at > {bound}");
        assert_eq!(shape(&mut session, &query)[0][1..3], ["range", "at"], "{bound}");
        let change = format!("update hours set v = v + 1 where at > {bound}");
        assert_eq!(shape(&mut session, &change)[0][1..3], ["range", "at"], "{bound}");
    }
    // What is another time for each row is no bound.
    let drawn = "select sum(v) from hours where at > sysdate() - interval 1 day";
    assert_eq!(shape(&mut session, drawn)[0][1..3], ["ALL", "NULL"]);
}

#[test]
fn a_kept_plan_serves_ranges_that_hold_about_as_much() {
    let mut session = by_the_hour();
    let read = |session: &mut Client, hours: u32| {
        let query = format!("select sum(v) from hours where at > now() - interval {hours} hour");
        ["Handler_read_next", "Handler_read_rnd_next"].map(|counter| session.counted(counter, &query))
    };
    for _ in 0..2 {
        let [by_index, all] = read(&mut session, 20);
        assert!(by_index <= 21 && all == 0, "{by_index} by the index, {all} in order");
        let [by_index, all] = read(&mut session, 4990);
        assert!(by_index == 0 && all >= 5000, "{by_index} by the index, {all} in order");
    }
}

#[test]
fn an_index_is_not_asked_by_more_rows_than_make_all() {
    let mut session = by_the_hour();
    session.run("create table asked (id int primary key, of int, v int, key of (of))");
    session.run("insert into asked select seq, seq div 2, seq % 100 from seq_1_to_4000");
    for (query, most) in [
        (
            "select count(*) from hours where v = 3 or exists (select 1 from asked where of = hours.id and v = 5)",
            20,
        ),
        (
            "select count(*) from hours where not exists (select 1 from asked where of = hours.id and v = 5)",
            20,
        ),
        ("select count(*) from hours where v = 3 or id not in (select of from asked where v = 5)", 20),
        (
            "select count(*) from hours where id < 10 and (v = 3 or id in (select of from asked where v = 5))",
            50,
        ),
    ] {
        let looked_up = session.counted("Handler_read_key", query);
        let all = session.counted("Handler_read_rnd_next", query);
        assert!(looked_up <= most, "{query}: {looked_up} looked up, {all} in order");
    }
}

#[test]
fn an_index_of_beginnings_bounds_what_begins_so() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table texts (id int primary key, g varchar(100), u varchar(100) collate utf8mb4_unicode_ci, v int, key g (g(4)), key u (u(4)))");
    session.run(
        "insert into texts select seq, concat(seq, '-text'), concat(seq, '-text'), seq from seq_1000_to_4000",
    );
    for (condition, key) in [
        ("g like '123%'", "g"),
        ("u like '1234-te%'", "u"),
        ("g between '1234' and '1236-'", "g"),
        ("g >= '3990'", "g"),
        ("g in ('1234-text', '2345-text')", "g"),
        ("g like '123%' or g = '2345-text'", "g"),
    ] {
        let query = format!("select sum(v) from texts where {condition}");
        assert_eq!(shape(&mut session, &query)[0][1..3], ["range", key], "{condition}");
        assert!(session.counted("Handler_read_next", &query) < 20, "{condition}");
    }
    // Characters that weigh nothing, or as much as two, order beginnings in another way.
    assert_eq!(shape(&mut session, "select sum(v) from texts where u >= '3990'")[0][1], "ALL");
}

#[test]
fn sort_keys_that_others_determine_are_left_out() {
    let mut session = by_the_hour();
    session.run("create table notes (id int primary key, hour int not null, kind int, s varchar(20), key hour (hour))");
    session.run("insert into notes select seq, seq div 3 + 1, seq % 5, seq from seq_1_to_9000");
    for order in [
        "hour, hours.at, hours.v",
        "hours.id, hour desc, hours.at, hours.id",
        "notes.id, hours.at, kind desc, s",
        "hour desc, hours.v, notes.id desc, s, hours.at",
    ] {
        let query = format!(
            "select notes.id, hours.at from notes join hours on hours.id = notes.hour order by {order} limit 5"
        );
        let read = ["Handler_read_next", "Handler_read_prev", "Handler_read_rnd_next"]
            .map(|counter| session.counted(counter, &query));
        assert!(read.iter().sum::<u64>() < 50, "{order}: {read:?}");
    }
    // Of two rows with the same hour nothing says which is first.
    let extra = &shape(&mut session, "select * from notes order by hour, s limit 3")[0][3];
    assert!(extra.contains("filesort"), "{extra}");
}

#[test]
fn rows_that_an_index_finds_by_constants_are_kept_for_the_rows_around() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table sums (house int, area int, member int, n int, key house (house))");
    session.run("create table members (id int primary key, area int)");
    session.run("insert into sums select seq % 10, seq % 7, seq % 900, seq from seq_1_to_20000");
    session.run("insert into members select seq, seq % 7 from seq_1_to_900");
    let query = "select count(*) from (select id, (select sum(n) from sums \
                 where house = 3 and sums.area = members.area and member = members.id) total from members) t where total > 0";
    let read = ["Handler_read_next", "Handler_read_rnd_next", "Handler_read_key"]
        .map(|counter| session.counted(counter, query));
    assert!(read.iter().sum::<u64>() < 10_000, "{read:?}");
}

#[test]
fn a_query_with_a_query_of_the_rows_around_both_looks_its_members_up() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table shops (id int primary key, g int)");
    session.run("create table sales (id int primary key, shop int, v int, key shop (shop))");
    session.run("create table tags (shop int, tag int, primary key (shop, tag))");
    session.run("insert into shops select seq, seq % 7 from seq_1_to_100");
    session.run("insert into sales select seq, seq % 90, seq % 13 from seq_1_to_3000");
    session.run("insert into tags select seq % 50, seq from seq_1_to_500");
    for inner in [
        "exists (select 1 from tags where tags.shop = shops.g)",
        "sales.v in (select tag from tags where tags.shop = shops.g)",
        "sales.v in (select tag from tags where shops.g = 4)",
    ] {
        let query =
            format!("select count(*) from shops where shops.id in (select shop from sales where {inner})");
        let read =
            ["Handler_read_rnd_next", "Handler_read_next"].map(|counter| session.counted(counter, &query));
        // Without the index each shop goes through all sales.
        assert!(read[0] < 60_000 && read[1] < 10_000, "{inner}: {read:?}");
    }
}

#[test]
fn the_first_different_rows_are_read_in_their_order() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table notes (id int primary key, post int, word varchar(20), v int, key post (post), key word (word))");
    session
        .run("insert into notes select seq, seq div 3, concat('w', seq % 9), seq % 100 from seq_1_to_30000");
    for query in [
        "select distinct post from notes where word like 'w%' and v > 30 order by post limit 20",
        "select distinct post, post from notes where v > 30 order by 1, 2 limit 20",
        "select distinct post, word from notes where v > 30 order by post desc limit 20",
    ] {
        let read = ["Handler_read_next", "Handler_read_prev", "Handler_read_rnd_next"]
            .map(|counter| session.counted(counter, query));
        assert!(read.iter().sum::<u64>() < 1000, "{query}: {read:?}");
    }
    let few = "select distinct post from notes where word = 'none' order by post limit 20";
    assert!(session.counted("Handler_read_next", few) < 10);
}

#[test]
fn what_is_joined_beside_an_outer_join_may_drive_its_left_side() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table items (id int primary key, bill int, key bill (bill))");
    session.run("create table bills (id int primary key, user int, key user (user))");
    session.run("create table users (id int primary key, mail varchar(30), v int, key mail (mail))");
    session.run("insert into items select seq, seq % 3000 from seq_1_to_9000");
    session.run("insert into bills select seq, seq % 1000 from seq_1_to_3000");
    session.run("insert into users select seq, concat('m', seq), seq % 7 from seq_1_to_1000");
    let query = "select count(*), count(a.id) from items join bills on bills.id = items.bill \
                 left join users a on a.id = bills.user and a.v = 3 left join users b on b.id = bills.user \
                 where b.mail like 'm77%'";
    let read = ["Handler_read_rnd_next", "Handler_read_next"].map(|counter| session.counted(counter, query));
    assert!(read.iter().sum::<u64>() < 1000, "{read:?}");
    assert_eq!(session.rows(query), ["99|9"]);
}

#[test]
fn a_table_is_sorted_before_a_join_of_which_few_rows_are_wanted() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table kinds (id int primary key, name varchar(20), n int)");
    session.run("create table things (id int primary key, kind int, v int, key kind (kind))");
    session.run("insert into kinds select seq, seq % 7, seq % 11 from seq_1_to_100");
    session.run("insert into things select seq, seq % 100 + 1, seq from seq_1_to_20000");
    for order in ["kinds.name", "kinds.name desc, kinds.n", "kinds.n desc, kinds.name desc"] {
        let query = format!(
            "select kinds.name, things.v from kinds join things on things.kind = kinds.id order by {order} limit 5"
        );
        let read = ["Handler_read_next", "Handler_read_rnd_next", "Handler_read_key"]
            .map(|counter| session.counted(counter, &query));
        assert!(read.iter().sum::<u64>() < 150, "{order}: {read:?}");
    }
}

#[test]
fn rows_without_a_partner_are_few_where_all_may_have_one() {
    let server = Server::new();
    let mut session = server.session();
    session.run("create table terms (id int primary key, name varchar(20))");
    session.run("create table uses (post int, term int not null, primary key (post, term), key term (term))");
    session.run("insert into terms select seq, concat('n', seq) from seq_1_to_100");
    session.run("insert into uses select seq, seq % 100 + 1 from seq_1_to_20000");
    // The join that leaves few rows comes before the one that makes many.
    let query = "select b.post from terms t left join uses a on a.term = t.id join uses b on b.term = t.id \
                 where a.term is null order by b.post";
    assert_eq!(
        shape(&mut session, query),
        shown(&[
            ["t", "ALL", "NULL", "Using filesort"],
            ["a", "ref", "term", "Using index; Not exists"],
            ["b", "ref", "term", "Using index"],
        ]),
    );
    assert!(session.rows(query).is_empty());
}
