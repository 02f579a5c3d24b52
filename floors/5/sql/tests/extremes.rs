//! Statements of unreasonable size: each gives an answer or a clear error, and gives it soon.

mod harness;

use harness::{Client, Server};
use platform::system::thread_cpu_us;

/// CPU time in microseconds: far more than any of these needs, far less than a stall.
const SOON: u64 = 30_000_000;

/// Runs on a stack as large as a session's fiber has it in tests of the binary, and holds its CPU time against the limit:
/// others may have the machine meanwhile.
fn soon(test: impl FnOnce(&mut Client) + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        let server = Server::new();
        let mut s = server.session();
        s.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
        s.run("INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)");
        test(&mut s);
        assert!(thread_cpu_us() < SOON, "took {} us", thread_cpu_us());
    });
    thread.expect("start a thread").join().expect("the test's thread");
}

fn joined(count: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(separator)
}

/// The error's number, or none.
fn errno(s: &mut Client, sql: &str) -> Option<u16> {
    s.outcomes(sql).into_iter().last().and_then(|outcome| outcome.error).map(|error| error.errno)
}

#[test]
fn joins_of_up_to_61_tables() {
    soon(|s| {
        let join = |n| {
            format!(
                "SELECT COUNT(*) FROM {}",
                joined(n, " JOIN ", |i| {
                    if i == 0 { "t t0".to_owned() } else { format!("t t{i} ON t{i}.id = t{}.id", i - 1) }
                })
            )
        };
        assert_eq!(s.value(&join(61)), "3");
        assert_eq!(
            s.error(&join(62)),
            (1116, "Too many tables; MariaDB can only use 61 tables in a join".into())
        );
        let comma = |n| {
            format!(
                "SELECT COUNT(*) FROM {} WHERE t0.id = 1 AND {}",
                joined(n, ", ", |i| format!("t t{i}")),
                joined(n - 1, " AND ", |i| format!("t{}.id = t{}.id", i + 1, i))
            )
        };
        assert_eq!(s.value(&comma(61)), "1");
        assert_eq!(errno(s, &comma(64)), Some(1116));
        let left = format!(
            "SELECT COUNT(*) FROM t t0 {}",
            joined(60, " ", |i| format!("LEFT JOIN t t{} ON t{}.id = t{i}.v", i + 1, i + 1))
        );
        assert_eq!(s.value(&left), "3");
    });
}

#[test]
fn lists_of_a_hundred_thousand() {
    soon(|s| {
        let list = joined(100_000, ",", |i| (i * 2).to_string());
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE id IN ({list})")), "1");
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE id NOT IN ({list})")), "2");
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE v + 0 IN ({list})")), "3");
        let texts = joined(50_000, ",", |i| format!("'x{i}'"));
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE CONCAT('x', v) IN ({texts})")), "3");
        let rows = joined(20_000, ",", |i| format!("({i}, {i}0)"));
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE (id, v) IN ({rows})")), "3");
        let ors = joined(20_000, " OR ", |i| format!("id = {}", i * 3));
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE {ors}")), "1");
        let values = joined(20_000, ",", |i| format!("({})", i + 100));
        assert_eq!(s.affected(&format!("INSERT INTO t (id) VALUES {values}")), 20_000);
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE id IN ({list})")), "10001");
        assert_eq!(s.value(&format!("SELECT COUNT(*) FROM t WHERE v + id IN ({list})")), "1");
        let union = joined(2_000, " UNION ", |i| format!("SELECT {}", i % 1000));
        assert_eq!(s.rows(&union).len(), 1000);
    });
}

#[test]
fn deep_nesting() {
    soon(|s| {
        for depth in [10, 60, 100, 1_000, 100_000] {
            let parens = format!("SELECT {}1{}", "(".repeat(depth), ")".repeat(depth));
            assert!(matches!(errno(s, &parens), None | Some(1436 | 1064)), "{depth} parentheses");
            let scalar = format!("SELECT {}1{}", "(SELECT ".repeat(depth), ")".repeat(depth));
            assert!(matches!(errno(s, &scalar), None | Some(1436 | 1473 | 1064)), "{depth} subqueries");
            let derived = format!("{}SELECT 1 a{}", "SELECT * FROM (".repeat(depth), ") x".repeat(depth));
            assert!(matches!(errno(s, &derived), None | Some(1436 | 1473 | 1064)), "{depth} derived tables");
            let case = format!("SELECT {}1{}", "CASE WHEN 1 THEN ".repeat(depth), " END".repeat(depth));
            assert!(matches!(errno(s, &case), None | Some(1436)), "{depth} CASEs");
            let calls = format!("SELECT {}1{}", "ABS(".repeat(depth), ")".repeat(depth));
            assert!(matches!(errno(s, &calls), None | Some(1436)), "{depth} calls");
            let nots = format!("SELECT {}1", "NOT ".repeat(depth));
            assert!(matches!(errno(s, &nots), None | Some(1436)), "{depth} NOTs");
            let minus = format!("SELECT {}1", "- ".repeat(depth));
            assert!(matches!(errno(s, &minus), None | Some(1436)), "{depth} signs");
            let plus = format!("SELECT {}", joined(depth, "+", |_| "id".into())) + " FROM t";
            assert!(matches!(errno(s, &plus), None | Some(1436 | 1690)), "{depth} sums");
            let exists = format!(
                "{}1{}",
                "SELECT 1 FROM t WHERE EXISTS (".repeat(depth) + "SELECT ",
                ")".repeat(depth)
            );
            assert!(matches!(errno(s, &exists), None | Some(1436 | 1473)), "{depth} EXISTS");
            let sets = format!("{}SELECT 1{}", "(".repeat(depth), " UNION SELECT 2)".repeat(depth));
            assert!(matches!(errno(s, &sets), None | Some(1436 | 1473 | 1064)), "{depth} set operations");
            let ctes = format!(
                "WITH c0 AS (SELECT 1 a){} SELECT * FROM c{}",
                joined(depth.min(1000), "", |i| format!(", c{} AS (SELECT * FROM c{i})", i + 1)),
                depth.min(1000)
            );
            assert!(matches!(errno(s, &ctes), None | Some(1436 | 1473)), "{depth} common table expressions");
        }
        let doubled = |first: &str| {
            let more = joined(20, "", |i| format!(", c{} AS (SELECT x.a FROM c{i} x JOIN c{i} y)", i + 1));
            format!("WITH c0 AS (SELECT {first} a){more} SELECT COUNT(*) FROM c20")
        };
        // Made once for both uses; what differs each time is bound a million times, or rather not.
        assert_eq!(s.value(&doubled("1")), "1");
        assert_eq!(errno(s, &doubled("RAND()")), Some(1105));
    });
}

#[test]
fn four_thousand_columns() {
    soon(|s| {
        let list = joined(4096, ", ", |i| format!("v + {i} AS c{i}"));
        let row = s.run(&format!("SELECT {list} FROM t ORDER BY c7 LIMIT 1"));
        assert_eq!((row.columns.len(), row.rows[0][4095].as_deref()), (4096, Some("4105")));
        assert_eq!(s.rows(&format!("SELECT DISTINCT {list} FROM t")).len(), 3);
        assert_eq!(
            s.run(&format!("SELECT * FROM (SELECT {list} FROM t) d WHERE c4000 > 4015")).rows.len(),
            2
        );
        let sums = joined(2000, ", ", |i| format!("SUM(v + {i})"));
        assert_eq!(s.run(&format!("SELECT {sums} FROM t GROUP BY id")).rows.len(), 3);
        let keys = joined(500, ", ", |i| format!("v + {i}"));
        assert_eq!(s.rows(&format!("SELECT COUNT(*) FROM t GROUP BY {keys}")).len(), 3);
        let windows = joined(300, ", ", |i| format!("RANK() OVER (ORDER BY v + {i})"));
        assert_eq!(s.run(&format!("SELECT {windows} FROM t")).rows.len(), 3);
        assert_eq!(s.run(&format!("SELECT {}", joined(5000, ",", |i| i.to_string()))).columns.len(), 5000);
    });
}

#[test]
fn changes_of_joined_tables_read_each_once() {
    soon(|s| {
        s.run("CREATE TABLE a (id INT PRIMARY KEY, x INT, v INT)");
        s.run("CREATE TABLE b (y INT, w INT)");
        s.run("INSERT INTO a SELECT seq, seq * 7 % 2000, 0 FROM seq_1_to_2000");
        s.run("INSERT INTO b SELECT seq * 3 % 2000, seq FROM seq_1_to_2000");
        for change in [
            "UPDATE a JOIN b ON a.x = b.y SET a.v = b.w",
            "UPDATE a JOIN b ON a.x = b.y SET a.v = b.w, b.w = b.w + 1",
            "UPDATE a LEFT JOIN b ON a.x = b.y SET b.w = b.w + a.v",
            "UPDATE b LEFT JOIN a ON a.x = b.y SET a.v = 1",
            "UPDATE a p JOIN a q ON p.x = q.v SET p.v = q.id, q.v = p.id",
            "SELECT COUNT(*) FROM a JOIN b ON a.x = b.y FOR UPDATE",
            "DELETE a, b FROM a LEFT JOIN b ON a.x = b.y WHERE b.w % 3 = 0",
        ] {
            let read = s.counted("Handler_read_rnd_next", change);
            assert!(read <= 4002, "{read} rows read by {change}");
        }
    });
}

#[test]
fn rows_of_a_subquery_are_gone_through_once() {
    soon(|s| {
        s.run("CREATE TABLE a (x INT, y VARCHAR(20))");
        s.run("INSERT INTO a SELECT IF(seq % 100, seq, NULL), IF(seq % 77, seq, NULL) FROM seq_1_to_20000");
        for (count, condition) in [
            ("19998", "(x, y) NOT IN (SELECT x + 30000, y FROM a WHERE x IS NOT NULL AND y IS NOT NULL)"),
            ("0", "(x, y) NOT IN (SELECT x, y FROM a)"),
            ("19800", "x >= ALL (SELECT -x FROM a WHERE x IS NOT NULL)"),
            ("0", "x > ALL (SELECT x FROM a WHERE x IS NOT NULL)"),
            ("0", "x > ANY (SELECT x + 20000 FROM a)"),
            ("19800", "x <> ALL (SELECT x + 20000 FROM a WHERE x IS NOT NULL)"),
            ("0", "x = ALL (SELECT x FROM a)"),
        ] {
            assert_eq!(s.value(&format!("SELECT COUNT(*) FROM a WHERE {condition}")), count, "{condition}");
        }
    });
}
