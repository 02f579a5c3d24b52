use super::*;

/// Every form that clients were seen to send parses, whatever it then means.
#[test]
fn clients_statements_parse() {
    let table = [
        "/* mysql-connector-j-9.1 */SELECT @@session.auto_increment_increment AS auto_increment_increment, @@character_set_client AS character_set_client",
        "SET character_set_results = NULL",
        "SET NAMES utf8mb4, @@SESSION.sql_mode = CONCAT(CONCAT(@@sql_mode, ',TRADITIONAL'), ',NO_AUTO_VALUE_ON_ZERO'), @@SESSION.wait_timeout = 2147483",
        "SET NAMES 'utf8mb4' COLLATE 'utf8mb4_unicode_ci', time_zone='+00:00', SESSION sql_mode='ANSI'",
        "set session_track_system_variables = CONCAT(@@global.session_track_system_variables,',transaction_isolation')",
        "SET STATEMENT max_statement_time=1 FOR SELECT 1",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY",
        "SET GLOBAL innodb_flush_log_at_trx_commit = 1, SESSION foreign_key_checks = OFF, autocommit = ON",
        "SET @@global.x = DEFAULT, y = DEFAULT, default.key_buffer_size = 1",
        "set password for 'a'@'b' = password('x')",
        "set default role none",
        "set role r",
        "set character set utf8",
        "SELECT GET_LOCK('id', 0)",
        "FLUSH /*!40101 LOCAL */ TABLES",
        "FLUSH TABLES WITH READ LOCK",
        "flush tables a, b with read lock",
        "flush binary logs",
        "START TRANSACTION /*!40100 WITH CONSISTENT SNAPSHOT */",
        "start transaction read only, with consistent snapshot",
        "BEGIN",
        "begin work",
        "commit and no chain release",
        "rollback work to savepoint a",
        "release savepoint a",
        "SELECT /*!40001 SQL_NO_CACHE */ * FROM `t`",
        "/*!40000 ALTER TABLE `t` DISABLE KEYS */",
        "BACKUP STAGE BLOCK_DDL",
        "KILL QUERY 5",
        "kill soft connection @a",
        "SHOW VARIABLES WHERE Variable_name IN ('a')",
        "SHOW GLOBAL VARIABLES LIKE 'x'",
        "SHOW MASTER STATUS",
        "SHOW BINARY LOG STATUS",
        "SHOW BINLOG EVENTS IN 'a' FROM 4 LIMIT 5",
        "SHOW GRANTS FOR CURRENT_USER",
        "SHOW FULL TABLES FROM `d` WHERE Table_Type = 'VIEW'",
        "SHOW KEYS FROM t IN d",
        "SHOW TABLE STATUS FROM d LIKE 'x'",
        "SHOW CREATE DATABASE IF NOT EXISTS `d`",
        "SHOW CREATE TABLE d.t",
        "SHOW ENGINE INNODB STATUS",
        "SHOW COUNT(*) WARNINGS",
        "SHOW WARNINGS LIMIT 1",
        "SHOW SLAVE HOSTS",
        "SHOW ALL SLAVES STATUS",
        "SHOW FUNCTION STATUS LIKE 'x'",
        "SHOW COLLATION WHERE `Default` = 'Yes'",
        "SHOW CHARSET",
        "SHOW PLUGINS",
        "SHOW INDEXES FROM t WHERE 1",
        "DESC t 'x%'",
        "describe d.t c",
        "explain format=json select 1",
        "analyze format=json delete from t",
        "explain extended select 1",
        "explain partitions update t set a=1",
        "explain t",
        "USE `d`",
        "DO sleep(0), 1",
        "call p(1, @a)",
        "help 'x'",
        "lock tables a read local, b as c write, d low_priority write",
        "unlock tables",
        "PREPARE s FROM 'select ?'",
        "execute s using @a, 1",
        "execute immediate concat('select ', 1)",
        "deallocate prepare s",
        "CHECKSUM TABLE a, b EXTENDED",
        "analyze table t persistent for all",
        "repair local table t use_frm",
        "check table t for upgrade",
        "PURGE BINARY LOGS TO 'x'",
        "purge master logs before now()",
        "RESET MASTER",
        "reset slave all",
        "shutdown",
        "XA START 'a','b',1",
        "xa commit 'a' one phase",
        "xa recover",
        "CREATE USER IF NOT EXISTS a@localhost IDENTIFIED BY 'x', b IDENTIFIED VIA mysql_native_password USING PASSWORD('y') OR unix_socket REQUIRE NONE WITH MAX_USER_CONNECTIONS 5 ACCOUNT LOCK PASSWORD EXPIRE NEVER",
        "alter user current_user() identified by 'x'",
        "drop user if exists a, b@'%'",
        "create role r",
        "grant r to a",
        "revoke all privileges, grant option from a",
        "GRANT ALL PRIVILEGES ON *.* TO 'a'@'%' WITH GRANT OPTION",
        "grant create temporary tables, lock tables on `d`.* to a@b",
        "grant proxy on a to b",
        "CHANGE MASTER TO MASTER_HOST='x', MASTER_PORT=3306, IGNORE_SERVER_IDS=()",
        "start slave sql_thread",
        "stop all slaves",
        "CREATE DATABASE IF NOT EXISTS d DEFAULT CHARACTER SET = utf8mb4 COLLATE utf8mb4_bin",
        "alter database collate = x",
        "drop schema d",
        "create or replace algorithm=merge definer=`a`@`%` sql security invoker view v (a, b) as select 1, 2 with cascaded check option",
        "drop view if exists a, b cascade",
        "DROP PROCEDURE IF EXISTS `p`",
        "drop trigger d.t",
        "create table t like u",
        "create table t (like u)",
        "create table t as select 1",
        "create table t (a int) ignore select 2 a",
        "create temporary table t (a serial, b bool default true, c json check (json_valid(c)), d enum('a','b') collate utf8_bin)",
        "create table t (a bit(5) default b'101', b year(4), c timestamp(6) default now(6) on update now(6), d double(5,2) unsigned zerofill)",
        "create table t (a national varchar(5), b char varying(6), c long varbinary, d nchar(3), e character(2) binary, f text(500) ascii)",
        "create table t (a int references u (b) on delete set null on update no action, unique u (a), index using btree (a), fulltext (b))",
        "create unique index i using hash on t (a, b(5)) comment 'x' algorithm=inplace lock=none",
        "drop index `primary` on t",
        "alter table t add unique (a), add constraint c foreign key f (a) references u (b), add check (a > 1), drop primary key, modify a int after b, alter c set default (1+1), alter c drop default, rename column x to y, rename index i to j, engine=innodb auto_increment=5, force, lock=none, algorithm=copy",
        "alter table t add (a int, b int)",
        "alter online ignore table if exists t nowait drop column if exists a",
        "rename table a to b, b to c",
        "truncate table d.t",
    ];
    for text in table {
        if let Err(e) = statement(text) {
            panic!("{text}: {e}");
        }
    }
}

#[test]
fn queries_parse_in_all_their_forms() {
    let table = [
        "(select 1) union (select 2 order by 1 limit 1) order by 1 limit 1 offset 2",
        "((select 1))",
        "((select 1) union select 2) except select 3",
        "values (1,2),(3,4) order by 1",
        "select * from (values (1),(2)) v (a)",
        "select * from ((select 1 a) union (select 2)) x",
        "select * from ((select 1) a join (select 2) b)",
        "select ((select 1) + 1), ((1,2)) = ((select 1, 2))",
        "select * from a, (b, c) left join d on 1 natural join e using_not",
        "select * from a cross join b straight_join c on 1",
        "select * from { oj a left outer join b on a.x = b.x }",
        "select * from t as a use index for join (primary, b) ignore key (c)",
        "select a from t order by a fetch first 5 rows with ties",
        "select a from t offset 1 row fetch next row only",
        "select a into @x, @y from t",
        "select a from t into outfile 'f' character set utf8 fields terminated by ','",
        "select a from t limit 5 lock in share mode",
        "select a from t for update wait 5",
        "select a from t for share of t nowait",
        "with a as (select 1), b (x) as (select 2) select * from a, b",
        "select * from t partition (p0, p1) x",
        "select sum(a) over w, row_number() over (w order by b) from t window w as (partition by c)",
        "select lag(a, 1) over (order by b), ntile(2) over (), count(*) over (rows unbounded preceding) from t",
        "select interval(1, 2, 3), interval (1) day + d, d - interval '1:1' minute_second, interval(1,2)+3",
        "select a in (select 1 union select 2), (a, b) in ((1, 2)), a not in (1)",
        "select 1 minus select 2",
        "select char(65, 66 using utf8), cast(a as unsigned integer), convert(a, decimal(5,1)), cast(a as datetime(6))",
        "select if(a, b, c), left(a, 1), replace(a, b, c), insert(a, 1, 2, b), mod(a, 2), repeat(a, 2), values_x(a), date('x'), year(a)",
        "select a = any (select 1), a <> all (select 2), a >= some (select 3)",
        "select json_extract(a, '$'), t.a->'$.x', t.a->>'$.y' from t",
        "select * from t where a = 1 and not b <=> null or c is not unknown xor d sounds like e",
    ];
    for text in table {
        if let Err(e) = statement(text) {
            panic!("{text}: {e}");
        }
    }
}

/// A join without a condition associates to the left, conditions go to the innermost join that still wants one.
#[test]
fn joins_associate_as_their_conditions_say() {
    fn shape(table: &TableRef) -> String {
        match table {
            TableRef::Table(t) => t.name.name.clone(),
            TableRef::Join(join) => {
                let condition = match &join.condition {
                    JoinCondition::On(e) => match &e.kind {
                        ExprKind::Column(c) => c.column.as_str(),
                        _ => "?",
                    },
                    JoinCondition::None => "-",
                    _ => "n",
                };
                format!("({} {})/{condition}", shape(&join.left), shape(&join.right))
            }
            _ => "?".to_owned(),
        }
    }
    for (text, wanted) in [
        ("a join b join c on x", "((a b)/- c)/x"),
        ("a join b join c on x on y", "(a (b c)/x)/y"),
        ("a join b on x join c on y", "((a b)/x c)/y"),
        ("a left join b left join c on x on y", "(a (b c)/x)/y"),
        (
            "a left join b left join c left join d on x on y left join e join f on p on q on r",
            "(a (((b (c d)/x)/y (e f)/p)/q))/r",
        ),
        ("a join b join c join d", "(((a b)/- c)/- d)/-"),
        ("a join b left join c on x join d on y", "(((a b)/- c)/x d)/y"),
        ("a natural join b join c on x", "((a b)/n c)/x"),
        ("(a, b) join c on x", "((a b)/- c)/x"),
    ] {
        let select = select(&format!("select 1 from {text}"));
        assert_eq!(shape(&select.from[0]), wanted.replace("(((b", "((b").replace("/q))", "/q)"), "{text}");
    }
    assert!(statement("select 1 from a left join b").is_err());
}

/// INTERSECT binds tighter than UNION and EXCEPT, which go from left to right; one that stands first goes with them, as
/// it comes first anyway.
#[test]
fn set_operations_nest_by_precedence() {
    fn shape(body: &QueryBody) -> String {
        match body {
            QueryBody::SetOps { first, rest } => {
                let mut out = format!("({}", shape(first));
                for step in rest {
                    let sign = match step.op {
                        SetOperator::Union => '+',
                        SetOperator::Except => '-',
                        SetOperator::Intersect => '&',
                    };
                    out += &format!("{sign}{}{}", if step.all { "*" } else { "" }, shape(&step.body));
                }
                out + ")"
            }
            QueryBody::Select(select) => match &select.items[0] {
                SelectItem::Expr { name, .. } => name.clone(),
                _ => "*".to_owned(),
            },
            QueryBody::Nested(query) => format!("[{}]", shape(&query.body)),
            QueryBody::Values(_) => "v".to_owned(),
        }
    }
    for (text, wanted) in [
        ("select 1 union select 2 except select 3", "(1+2-3)"),
        ("select 1 union all select 2 intersect select 3", "(1+*(2&3))"),
        ("select 1 intersect select 2 intersect all select 3 union select 4", "(1&2&*3+4)"),
        ("select 1 union select 2 intersect select 3 except select 4 intersect select 5", "(1+(2&3)-(4&5))"),
        ("(select 1 union select 2) intersect select 3", "([(1+2)]&3)"),
    ] {
        let Ok(Statement::Query(query)) = statement(text) else { panic!("{text}") };
        assert_eq!(shape(&query.body), wanted, "{text}");
    }
}
