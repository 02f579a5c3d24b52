//! Statements without room in memory go on in files, and say the same as with room.

mod harness;

use harness::{Client, Server};
use platform::sim::Faults;

/// Tables `n` (1,200 rows) and `m` (700 rows), with repeated values, NULLs, long texts and inexact numbers.
fn fixture() -> (Server, Client) {
    let server = Server::new();
    let mut client = server.session();
    for statement in [
        "set max_recursive_iterations = 5000",
        "create table n (i int primary key, s varchar(90), d decimal(10,2), g int, f double, key (g))",
        "create table m (i int, v varchar(60), e enum('small','large'), w date)",
        "insert into n with recursive q (i) as (select 1 union all select i + 1 from q where i < 1200) \
         select i, concat('Row number ', i * 7919 % 907, if(i % 2, ' of some length', ' OF SOME LENGTH')), \
         i * 1.25, nullif(i % 197, 5), 1 / (i % 89 + 1) from q",
        "insert into m with recursive q (i) as (select 1 union all select i + 1 from q where i < 700) \
         select i * 3 % 701, repeat(char(97 + i % 26), 1 + i % 50), 1 + i % 2, '2020-01-01' + interval i day from q",
    ] {
        client.run(statement);
    }
    (server, client)
}

/// Queries whose rows come in the same order, whatever the room.
const IN_ORDER: [&str; 36] = [
    "select i, s from n order by s, i",
    "select i from n order by f desc limit 900, 40",
    "select distinct s from n",
    "select distinct g, i % 50 from n",
    "select distinct s, g from n order by f, i limit 100",
    "select distinct s from n order by length(s), s",
    "select s from n union select v from m",
    "select s, g from n union all select v, i from m union select v, 1 from m",
    "select s from n except select concat('Row number ', i, ' of some length') from m",
    "select s from n intersect select concat('row number ', i, ' of some length') from m",
    "select g from n except all select i from m",
    "select g from n intersect all select i from m",
    "(select s from n except select v from m) union select v from m union all select 'x'",
    "select s, count(*), sum(f), avg(d), min(i), max(i) from n group by s",
    "select s, g, count(*), sum(f) from n group by s, g with rollup",
    "select g, i % 3, s, max(d) from n group by g, i % 3, s with rollup",
    "select s, group_concat(i), group_concat(distinct g order by g desc separator '-') from n group by s",
    "select g, group_concat(s order by f desc, i limit 3), json_arrayagg(i) from n group by g",
    "select count(distinct s), count(distinct i, g), sum(distinct f), avg(distinct d), group_concat(distinct s) from n",
    "select g, count(distinct s), sum(distinct f), json_objectagg(i, s) from n group by g with rollup",
    "select s, count(distinct g), sum(distinct f) from n group by s",
    "select md5(group_concat(s order by s, i)) from n",
    "select i, sum(f) over (partition by g order by i), row_number() over (partition by s order by f, i) from n",
    "select i, lag(s) over (partition by g order by d), rank() over (partition by g order by f), ntile(3) over (partition by g order by i) from n",
    "select i, max(s) over (partition by g order by i rows between 2 preceding and 1 following) from n",
    "select g, sum(count(*)) over (order by g), rank() over (order by count(*) desc, g) from n group by g",
    "select count(*), sum(length(s)) from (select i, s from n limit 5000) a",
    "with c as (select i, s, g from n where i > 10) select count(*), sum(a.g), max(b.s) from c a, c b where b.i = 50 and a.g > b.g",
    "with recursive q as (select i, s from n where i < 900 union all select i + 1000, s from q where i < 1900) select i, s from q",
    "select i from n where s in (select concat('Row number ', i, ' of some length') from m) order by i",
    "select i from n where s not in (select v from m) and i % 7 = 0",
    "select i, (select max(v) from m where m.i = n.g) from n where i % 3 = 0",
    "select i from n where i % 60 = 0 and g >= all (select concat(i % 5) from m)",
    "select i from n where (i, s) not in (select i, v from m) and i % 7 = 0",
    "select count(*) from n where exists (select * from m where m.i = n.i and m.w > '2020-06-01')",
    "select n.i, d.c from n left join (select i, count(*) c from m group by i) d on d.i = n.g order by n.i",
];

/// Joins: their rows come in any order.
const IN_ANY_ORDER: [&str; 7] = [
    "select n.i, m.v from n join m on n.i = m.i",
    "select n.i, m.i, m.w from n left join m on n.g = m.i and m.v > 'f'",
    "select x.i, y.i from n x join n y on x.s = y.s where x.i < 500",
    "select x.i, m.v from n x join m on concat(x.s, '') = concat('Row number ', m.i, ' of some length')",
    "select a.i, (select count(*) from n b join m on b.s = concat('Row number ', m.i, ' of some length') where b.g > a.i) from n a where a.i < 4",
    "select i from n where exists (select * from n b join m on b.s = concat('Row number ', m.i, ' of some length') where b.g = n.g + 180 and n.i < 20)",
    "select i from n where s in (select concat('Row number ', m.i, ' of some length') from m join n b on b.i = m.i)",
];

fn set_room(client: &mut Client, bytes: &str) {
    client.run(&format!(
        "set sort_buffer_size = {bytes}, tmp_memory_table_size = {bytes}, join_buffer_size = {bytes}"
    ));
}

#[test]
fn the_first_rows_of_a_sort_have_no_more_room_than_all() {
    let (_server, mut client) = fixture();
    client.run("set sort_buffer_size = 20000");
    // The rows that come first are short; longer ones push them out.
    let query =
        "select x from (select i, repeat('x', i) x from n order by i limit 1200) d order by i desc limit 20";
    assert_eq!(client.rows(query)[0].len(), 1200);
    assert!(temporary_files(&mut client, query) > 0);
}

#[test]
fn rows_are_the_same_whatever_the_room() {
    let (_server, mut client) = fixture();
    let all =
        IN_ORDER.iter().map(|query| (query, true)).chain(IN_ANY_ORDER.iter().map(|query| (query, false)));
    let mut unspilled = Vec::new();
    for (query, ordered) in all {
        set_room(&mut client, "default");
        let rows = |client: &mut Client| {
            let mut rows = client.rows(query);
            if !ordered {
                rows.sort();
            }
            rows
        };
        let wanted = rows(&mut client);
        let messages = client.warnings();
        assert!(!wanted.is_empty(), "{query} finds nothing");
        assert_eq!(temporary_files(&mut client, query), 0, "{query} has room");
        for room in ["4096", "20000"] {
            set_room(&mut client, room);
            let found = rows(&mut client);
            assert_eq!(client.warnings(), messages, "{query} with {room} bytes");
            if let Some(at) = (0..wanted.len().max(found.len())).find(|&at| wanted.get(at) != found.get(at)) {
                panic!(
                    "{query} with {room} bytes: row {at} is {:?}, not {:?}",
                    found.get(at),
                    wanted.get(at)
                );
            }
        }
        set_room(&mut client, "4096");
        if temporary_files(&mut client, query) == 0 {
            unspilled.push(query);
        }
    }
    assert!(unspilled.is_empty(), "{unspilled:#?} show nothing");
}

/// Temporary files that a query writes.
fn temporary_files(client: &mut Client, query: &str) -> u64 {
    let document = client.run(&format!("analyze format=json {query}")).rows[0][0].clone().unwrap_or_default();
    let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
    document["query_block"]["r_temporary_files"].as_u64().unwrap_or_default()
}

/// Temporary files that the session has made.
fn files_made(client: &mut Client) -> u64 {
    let shown = client.run("show session status like 'Created_tmp_files'");
    shown.rows[0][1].as_deref().and_then(|count| count.parse().ok()).expect("a number")
}

#[test]
fn changes_are_the_same_whatever_the_room() {
    let (_server, mut client) = fixture();
    let sum = "select count(*), sum(i), sum(crc32(s)), (select sum(crc32(s)) from other) from made";
    let mut sums = Vec::new();
    for room in ["default", "4096"] {
        set_room(&mut client, room);
        client.run("create or replace table made as select distinct i, s from n");
        client.run("create or replace table other as select i, s from n where i < 100");
        client.run("insert into made select i + 10000, s from made");
        client.run("update made join (select distinct s from n where i % 3 = 0) d on made.s = d.s set made.i = made.i + 1");
        client.run("delete from made where s in (select s from n where g = 7)");
        sums.push(client.rows(sum));
        // Found rows wait in a file until they are changed, in order or as they come.
        for change in [
            "update made set i = i + 1, s = concat(s, i)",
            "update made set i = (@n := @n + 1) order by s desc, i",
            "delete from made where i % 3 = 0",
            "delete from made order by s limit 1000",
            "update made join other on made.i % 90 = other.i set made.s = concat(other.s, made.i), other.s = made.i",
            "update other left join made on made.s = other.s set made.i = ifnull(other.i, 0) + made.i, other.i = other.i + 1",
            "delete made, other from made join other on made.i % 80 = other.i",
        ] {
            client.run("set @n = 0");
            let before = files_made(&mut client);
            client.run(change);
            assert_eq!(files_made(&mut client) > before, room == "4096", "{change} with {room} bytes");
            sums.push(client.rows(sum));
        }
    }
    assert_eq!(sums[..8], sums[8..]);
}

#[test]
fn a_session_with_little_memory_uses_files() {
    let (_server, mut client) = fixture();
    client.run("set max_session_mem_used = 131072");
    for query in IN_ORDER {
        let outcome = client.outcomes(query).remove(0);
        if let Some(error) = outcome.error {
            panic!("{query}: {error}");
        }
    }
    // One partition has no room in memory, and nowhere else.
    let error = client.error("select sum(i) over (order by i), s from n, (select 1 union select 2) d");
    assert_eq!(error.0, 1290, "{}", error.1);
    assert_eq!(client.value("select 1"), "1");
}

#[test]
fn a_disk_without_room_is_told() {
    let (server, mut client) = fixture();
    let queries = IN_ORDER.iter().chain(&IN_ANY_ORDER);
    let mut full = 0;
    for query in queries {
        set_room(&mut client, "4096");
        server.disk.set_faults(Faults { capacity: Some(0), ..Faults::default() });
        let outcome = client.outcomes(query).remove(0);
        server.disk.set_faults(Faults::default());
        // What is written in one piece at the end may be small enough never to be written.
        if let Some(error) = outcome.error {
            assert_eq!(error.errno, 1021, "{query}: {error}");
            full += 1;
        }
        assert_eq!(client.value("select count(*) from n"), "1200");
    }
    assert!(full > 20, "{full} statements met the full disk");
}
