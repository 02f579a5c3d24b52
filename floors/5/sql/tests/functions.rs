//! `docs/functions.md`: MariaDB's built-in functions, each with yes or the reason for no.
//!
//! `data/builtins.txt` holds MariaDB 10.11's names (`information_schema.SQL_FUNCTIONS`, and the calls that are syntax).
//! Declared functions say yes by themselves; those that are syntax say it by an example that must run. With
//! `PENSTOCK_RECORD=1` the page is written anew.

mod harness;

use harness::Server;
use sql::expr::func;
use std::fmt::Write as _;

/// Calls with a syntax of their own, aggregates and window functions, each with a statement that shows it.
const SHOWN: &[(&str, &str)] = &[
    ("adddate", "SELECT ADDDATE('2020-01-01', 1)"),
    ("add_months", "SELECT ADD_MONTHS('2020-01-31', 1)"),
    ("avg", "SELECT AVG(1)"),
    ("bit_and", "SELECT BIT_AND(1)"),
    ("bit_or", "SELECT BIT_OR(1)"),
    ("bit_xor", "SELECT BIT_XOR(1)"),
    ("case", "SELECT CASE 1 WHEN 1 THEN 2 END"),
    ("cast", "SELECT CAST('1' AS SIGNED)"),
    ("char", "SELECT CHAR(65, 66 USING utf8mb4)"),
    ("column_add", "SELECT COLUMN_ADD('', 'a', 1)"),
    ("column_create", "SELECT COLUMN_CREATE('a', 1, 'b', '2' AS INT)"),
    ("column_delete", "SELECT COLUMN_DELETE(COLUMN_CREATE('a', 1), 'a')"),
    ("column_get", "SELECT COLUMN_GET(COLUMN_CREATE('a', 1), 'a' AS CHAR)"),
    ("convert", "SELECT CONVERT('a' USING latin1), CONVERT('1', SIGNED)"),
    ("count", "SELECT COUNT(*)"),
    ("cume_dist", "SELECT CUME_DIST() OVER (ORDER BY 1)"),
    ("curdate", "SELECT CURDATE()"),
    ("current_date", "SELECT CURRENT_DATE"),
    ("curtime", "SELECT CURTIME(3)"),
    ("current_time", "SELECT CURRENT_TIME"),
    ("date_add", "SELECT DATE_ADD('2020-01-01', INTERVAL 1 DAY)"),
    ("date_sub", "SELECT DATE_SUB('2020-01-01', INTERVAL 1 DAY)"),
    ("default", "SELECT DEFAULT(a) FROM t"),
    ("dense_rank", "SELECT DENSE_RANK() OVER (ORDER BY 1)"),
    ("extract", "SELECT EXTRACT(YEAR FROM '2020-01-01')"),
    ("first_value", "SELECT FIRST_VALUE(1) OVER (ORDER BY 1)"),
    ("get_format", "SELECT GET_FORMAT(DATE, 'EUR')"),
    ("group_concat", "SELECT GROUP_CONCAT(1)"),
    ("interval", "SELECT INTERVAL(1, 2, 3)"),
    ("json_arrayagg", "SELECT JSON_ARRAYAGG(1)"),
    ("json_objectagg", "SELECT JSON_OBJECTAGG('a', 1)"),
    ("json_table", "SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a INT PATH '$')) t"),
    ("lag", "SELECT LAG(1) OVER (ORDER BY 1)"),
    ("lead", "SELECT LEAD(1) OVER (ORDER BY 1)"),
    ("like", "SELECT 'a' LIKE 'a%'"),
    ("max", "SELECT MAX(1)"),
    ("median", "SELECT MEDIAN(1) OVER ()"),
    ("min", "SELECT MIN(1)"),
    ("nth_value", "SELECT NTH_VALUE(1, 1) OVER (ORDER BY 1)"),
    ("ntile", "SELECT NTILE(2) OVER (ORDER BY 1)"),
    ("nullif", "SELECT NULLIF(1, 2)"),
    ("percent_rank", "SELECT PERCENT_RANK() OVER (ORDER BY 1)"),
    ("percentile_cont", "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY 1) OVER ()"),
    ("percentile_disc", "SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY 1) OVER ()"),
    ("position", "SELECT POSITION('a' IN 'ba')"),
    ("rank", "SELECT RANK() OVER (ORDER BY 1)"),
    ("regexp", "SELECT 'a' REGEXP 'a'"),
    ("row_number", "SELECT ROW_NUMBER() OVER ()"),
    ("schemas", "SHOW SCHEMAS"),
    ("std", "SELECT STD(1)"),
    ("stddev", "SELECT STDDEV(1)"),
    ("stddev_pop", "SELECT STDDEV_POP(1)"),
    ("stddev_samp", "SELECT STDDEV_SAMP(1)"),
    ("subdate", "SELECT SUBDATE('2020-01-01', 1)"),
    ("sum", "SELECT SUM(1)"),
    ("timestampadd", "SELECT TIMESTAMPADD(DAY, 1, '2020-01-01')"),
    ("timestampdiff", "SELECT TIMESTAMPDIFF(DAY, '2020-01-01', '2020-01-02')"),
    ("trim", "SELECT TRIM(BOTH 'a' FROM 'aba')"),
    ("utc_date", "SELECT UTC_DATE()"),
    ("utc_time", "SELECT UTC_TIME()"),
    ("utc_timestamp", "SELECT UTC_TIMESTAMP()"),
    ("values", "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a)"),
    ("var_pop", "SELECT VAR_POP(1)"),
    ("var_samp", "SELECT VAR_SAMP(1)"),
    ("variance", "SELECT VARIANCE(1)"),
    ("weight_string", "SELECT WEIGHT_STRING('a')"),
];

const GEOMETRY: &str = "geometries are not cut, joined or spread out";
const GEOJSON: &str = "geometries come and go as text and binary";
const SEQUENCE: &str = "there are no sequences yet";
const GALERA: &str = "for a Galera node, which this server is not yet";
const REPLICA: &str = "for a replica, which this server is not yet";

/// What there is not, and why.
const MISSING: &[(&str, &str)] = &[
    ("binlog_gtid_pos", REPLICA),
    ("master_gtid_wait", REPLICA),
    ("master_pos_wait", REPLICA),
    ("encrypt", "the operating system's crypt(3), truncated to eight characters; SHA2"),
    ("decode_histogram", "for MariaDB's own statistics tables"),
    ("lastval", SEQUENCE),
    ("nextval", SEQUENCE),
    ("setval", SEQUENCE),
    ("match", "no full-text indexes yet"),
    ("st_buffer", GEOMETRY),
    ("st_asgeojson", GEOJSON),
    ("st_boundary", GEOMETRY),
    ("st_convexhull", GEOMETRY),
    ("st_difference", GEOMETRY),
    ("st_distance_sphere", GEOMETRY),
    ("st_geomfromgeojson", GEOJSON),
    ("st_intersection", GEOMETRY),
    ("st_isring", GEOMETRY),
    ("st_issimple", GEOMETRY),
    ("st_pointonsurface", GEOMETRY),
    ("st_symdifference", GEOMETRY),
    ("st_union", GEOMETRY),
    ("wsrep_last_seen_gtid", GALERA),
    ("wsrep_last_written_gtid", GALERA),
    ("wsrep_sync_wait_upto_gtid", GALERA),
];

const HEAD: &str = "# Functions

MariaDB 10.11's built-in functions. Made from the declarations (`floors/5/sql/src/expr/func`) by
`PENSTOCK_RECORD=1 cargo test -p penstock-sql --test functions`.

| function | |
| --- | --- |
";

#[test]
fn the_page_of_functions_is_fresh() {
    let (mut page, mut wrong) = (HEAD.to_owned(), String::new());
    for name in include_str!("data/builtins.txt").lines().filter(|line| !line.is_empty()) {
        let declared = func::find(name).is_some();
        let shown = SHOWN.iter().any(|(shown, _)| *shown == name);
        let missing = MISSING.iter().find(|(missing, _)| *missing == name);
        match (declared || shown, missing) {
            (true, None) => {
                let _ = writeln!(page, "| `{}` | yes |", name.to_uppercase());
            }
            (false, Some((_, reason))) => {
                let _ = writeln!(page, "| `{}` | no: {reason} |", name.to_uppercase());
            }
            (true, Some(_)) => {
                let _ = writeln!(wrong, "{name} is there, and called missing");
            }
            (false, None) => {
                let _ = writeln!(wrong, "{name} is neither there nor explained");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/functions.md");
    if std::env::var_os("PENSTOCK_RECORD").is_some() {
        std::fs::write(path, &page).expect("write the page");
    }
    let held = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(held, page, "docs/functions.md is stale: PENSTOCK_RECORD=1 writes it anew");
}

#[test]
fn what_is_syntax_runs() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (a INT DEFAULT 1)");
    let mut wrong = String::new();
    for (name, statement) in SHOWN {
        for outcome in client.outcomes(statement) {
            if let Some(error) = outcome.error {
                let _ = writeln!(wrong, "{name}: {statement}\n  {error}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
