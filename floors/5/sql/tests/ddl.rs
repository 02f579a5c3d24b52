//! Data definition.

mod harness;

use harness::Server;

#[test]
fn a_table_is_made_filled_and_read() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(20) NOT NULL DEFAULT 'x', n DECIMAL(5,2))");
    assert_eq!(s.affected("INSERT INTO t (v, n) VALUES ('a', 1.5), ('b', NULL)"), 2);
    s.run("INSERT INTO t () VALUES ()");
    assert_eq!(s.rows("SELECT * FROM t"), ["1|a|1.50", "2|b|NULL", "3|x|NULL"]);
    assert_eq!(
        s.error("INSERT INTO t VALUES (2, 'c', 3)"),
        (1062, "Duplicate entry '2' for key 'PRIMARY'".into())
    );
    s.run("DROP TABLE t");
    assert_eq!(s.error("SELECT * FROM t"), (1146, "Table 'test.t' doesn't exist".into()));
}
