//! Roles where more than one session looks at them. What one session sees is in `cases/roles.sql`.

mod harness;

use harness::{Client, Server};

/// A session of an account of `localhost`, as one that comes in.
fn of(server: &Server, user: &str) -> Client {
    let mut client = server.session();
    client.session.state.user = user.into();
    client.session.state.set_account(format!("{user}@localhost"));
    client
}

fn denied(command: &str) -> (u16, String) {
    (1142, format!("{command} command denied to user 'a'@'localhost' for table `test`.`t`"))
}

/// What is held everywhere is fixed when a client comes in and by SET ROLE, what is held on databases, tables and
/// columns is there at once.
#[test]
fn privileges_of_a_role_in_use_change_when_mariadb_changes_them() {
    let server = Server::new();
    let mut root = server.session();
    root.run("CREATE TABLE t (a INT, b INT); INSERT INTO t VALUES (1, 2)");
    root.run("CREATE USER a@localhost; CREATE ROLE r; CREATE ROLE q; GRANT r TO a@localhost; GRANT q TO r");
    root.run("GRANT SELECT ON test.t TO r");
    let mut s = of(&server, "a");
    assert_eq!(s.error("SELECT * FROM t"), denied("SELECT"));
    s.run("SET ROLE r");
    assert_eq!(s.rows("SELECT * FROM t"), ["1|2"]);
    assert_eq!(s.error("INSERT INTO t VALUES (3, 4)"), denied("INSERT"));
    root.run("GRANT INSERT ON test.* TO q");
    let insert = s.prepare("INSERT INTO t VALUES (3, 4)");
    s.execute(insert, &[]).unwrap();
    root.run("REVOKE SELECT ON test.t FROM r; GRANT SELECT (a) ON test.t TO q");
    assert_eq!(s.rows("SELECT a FROM t"), ["1", "3"]);
    assert_eq!(s.error("SELECT b FROM t").0, 1143);
    root.run("GRANT DELETE ON *.* TO q");
    assert_eq!(s.error("DELETE FROM t"), denied("DELETE"));
    s.run("SET ROLE r; DELETE FROM t WHERE a = 3");
    root.run("REVOKE DELETE ON *.* FROM q");
    s.run("DELETE FROM t WHERE a = 3");
    assert_eq!(s.error("SET ROLE nothing").0, 1959);
    s.run("DELETE FROM t WHERE a = 3");
    s.run("SET ROLE NONE");
    assert_eq!(s.error("DELETE FROM t"), denied("DELETE"));
    assert_eq!(s.execute(insert, &[]).unwrap_err(), denied("INSERT"));
    // So it is with what is held without a role.
    root.run("GRANT DELETE ON *.* TO a@localhost");
    assert_eq!(s.error("DELETE FROM t"), denied("DELETE"));
    of(&server, "a").run("DELETE FROM t");
}

/// A role that is taken back stays with those who have set it; one that is gone is named, and gives nothing.
#[test]
fn a_role_is_taken_from_who_uses_it() {
    let server = Server::new();
    let mut root = server.session();
    root.run("CREATE TABLE t (a INT); CREATE USER a@localhost; CREATE ROLE r; GRANT r TO a@localhost");
    root.run("GRANT SELECT ON test.t TO r; GRANT INSERT ON *.* TO r; SET DEFAULT ROLE r FOR a@localhost");
    let mut s = of(&server, "a");
    assert_eq!(s.rows("SELECT CURRENT_ROLE()"), ["r"]);
    root.run("REVOKE r FROM a@localhost");
    assert_eq!(s.rows("SELECT * FROM t"), [""; 0]);
    assert_eq!(s.error("SET ROLE r"), (1959, "Invalid role specification `r`".into()));
    assert_eq!(of(&server, "a").rows("SELECT CURRENT_ROLE()"), ["NULL"]);
    root.run("DROP ROLE r");
    assert_eq!(s.rows("SELECT CURRENT_ROLE()"), ["r"]);
    assert_eq!(s.rows("SELECT * FROM information_schema.enabled_roles"), ["NULL"]);
    assert_eq!(s.error("SELECT * FROM t"), denied("SELECT"));
    s.run("INSERT INTO t VALUES (1)");
    s.run("SET ROLE NONE");
    assert_eq!(s.error("INSERT INTO t VALUES (1)"), denied("INSERT"));
}

#[test]
fn roles_survive() {
    let server = Server::new();
    let mut root = server.session();
    root.run("CREATE TABLE t (a INT); CREATE USER a@localhost; CREATE ROLE r; CREATE ROLE q");
    root.run("GRANT SELECT ON test.t TO q; GRANT q TO r WITH ADMIN OPTION; GRANT r TO a@localhost");
    root.run("SET DEFAULT ROLE r FOR a@localhost; GRANT DELETE ON test.t TO PUBLIC");
    let server = server.after_power_cut();
    let mut s = of(&server, "a");
    assert_eq!(s.rows("SELECT * FROM t"), [""; 0]);
    s.run("DELETE FROM t");
    assert_eq!(
        s.rows("SHOW GRANTS"),
        [
            "GRANT `r` TO `a`@`localhost`",
            "GRANT USAGE ON *.* TO `a`@`localhost`",
            "GRANT `q` TO `r` WITH ADMIN OPTION",
            "GRANT USAGE ON *.* TO `r`",
            "GRANT USAGE ON *.* TO `q`",
            "GRANT SELECT ON `test`.`t` TO `q`",
            "GRANT DELETE ON `test`.`t` TO PUBLIC",
            "SET DEFAULT ROLE `r` FOR `a`@`localhost`",
        ]
    );
}

/// Views of another's see what that account may without the roles that it has set, and who reads them may by a role.
#[test]
fn views_are_read_by_a_role() {
    let server = Server::new();
    let mut root = server.session();
    root.run("GRANT ALL ON *.* TO root@localhost IDENTIFIED BY '' WITH GRANT OPTION");
    let mut root = of(&server, "root");
    root.run("USE test");
    root.run("CREATE TABLE t (a INT); CREATE USER a@localhost, d@localhost; CREATE ROLE r, q");
    root.run("CREATE DEFINER = d@localhost VIEW v AS SELECT a FROM t; CREATE VIEW w AS SELECT a FROM t");
    root.run("GRANT SELECT ON test.w TO r; GRANT SELECT ON test.v TO r; GRANT r TO a@localhost");
    root.run("GRANT SELECT ON test.t TO q; GRANT q TO d@localhost; SET DEFAULT ROLE q FOR d@localhost");
    let mut s = of(&server, "a");
    assert_eq!(s.error("SELECT * FROM test.w").0, 1142);
    s.run("SET ROLE r");
    assert_eq!(s.rows("SELECT * FROM test.w"), [""; 0]);
    assert_eq!(s.error("SELECT * FROM test.v").0, 1356);
    root.run("GRANT SELECT ON test.t TO PUBLIC");
    assert_eq!(s.rows("SELECT * FROM test.v"), [""; 0]);
}
