//! CREATE TABLE and ALTER TABLE with everything that may stand in them.

use super::plain::{Draw, Name, Scope, any, literal};
use super::{Column, Table, World, clause, fixed, list, optional, sort_of};
use crate::dice::Dice;
use crate::schema::Sort;
use crate::statement::Statement;
use crate::term::{Role, Term};

/// Column types, those that everything can be done with more than once.
const TYPES: &[&str] = &[
    "INT",
    "INT",
    "INT",
    "INT(5)",
    "INT UNSIGNED",
    "INT(7) ZEROFILL",
    "TINYINT",
    "TINYINT(1)",
    "BOOL",
    "SMALLINT UNSIGNED",
    "MEDIUMINT",
    "BIGINT",
    "BIGINT",
    "BIGINT UNSIGNED",
    "DECIMAL",
    "DECIMAL(10,2)",
    "DECIMAL(5,0) UNSIGNED",
    "NUMERIC(8,3)",
    "FLOAT",
    "DOUBLE",
    "DOUBLE(8,2)",
    "BIT(3)",
    "YEAR",
    "VARCHAR(20)",
    "VARCHAR(20)",
    "VARCHAR(30)",
    "VARCHAR(5)",
    "VARCHAR(10) CHARACTER SET latin1",
    "VARCHAR(20) COLLATE utf8mb4_bin",
    "VARCHAR(20) CHARACTER SET utf8mb3",
    "CHAR(5)",
    "CHAR",
    "NCHAR(3)",
    "TEXT",
    "TINYTEXT",
    "MEDIUMTEXT",
    "LONGTEXT",
    "TEXT(100)",
    "VARBINARY(10)",
    "BINARY(3)",
    "BLOB",
    "LONGBLOB",
    "JSON",
    "ENUM('x','y','z')",
    "SET('x','y','z')",
    "DATE",
    "DATE",
    "DATETIME",
    "DATETIME(3)",
    "TIMESTAMP",
    "TIMESTAMP NULL",
    "TIME",
    "TIME(2)",
    "INET6",
    "INET4",
    "UUID",
];

const ACTIONS: &[&str] = &["", "", " CASCADE", " SET NULL", " RESTRICT", " NO ACTION", " SET DEFAULT"];

/// The probes of what a definition left: its text, its columns and keys as the catalogue has them, its rows.
pub fn probes(dice: &mut Dice, table: &str) -> Vec<String> {
    let schema = "TABLE_SCHEMA = DATABASE()";
    let views = [
        format!(
            "SELECT COLUMN_NAME, ORDINAL_POSITION, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, \
             CHARACTER_OCTET_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE, DATETIME_PRECISION, CHARACTER_SET_NAME, \
             COLLATION_NAME, COLUMN_TYPE, COLUMN_KEY, EXTRA, COLUMN_COMMENT, IS_GENERATED, GENERATION_EXPRESSION FROM \
             INFORMATION_SCHEMA.COLUMNS WHERE {schema} AND TABLE_NAME = '{table}'"
        ),
        format!(
            "SELECT NON_UNIQUE, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME, COLLATION, SUB_PART, PACKED, NULLABLE, INDEX_TYPE, \
             COMMENT, INDEX_COMMENT, IGNORED FROM INFORMATION_SCHEMA.STATISTICS WHERE {schema} AND TABLE_NAME = '{table}'"
        ),
        format!(
            "SELECT CONSTRAINT_NAME, COLUMN_NAME, ORDINAL_POSITION, POSITION_IN_UNIQUE_CONSTRAINT, REFERENCED_TABLE_NAME, \
             REFERENCED_COLUMN_NAME FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE WHERE {schema} AND TABLE_NAME = '{table}'"
        ),
        format!(
            "SELECT CONSTRAINT_NAME, CONSTRAINT_TYPE FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE {schema} AND \
             TABLE_NAME = '{table}'"
        ),
        format!(
            "SELECT CONSTRAINT_NAME, LEVEL, CHECK_CLAUSE FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS WHERE \
             CONSTRAINT_SCHEMA = DATABASE() AND TABLE_NAME = '{table}'"
        ),
        format!(
            "SELECT CONSTRAINT_NAME, UNIQUE_CONSTRAINT_NAME, MATCH_OPTION, UPDATE_RULE, DELETE_RULE, \
             REFERENCED_TABLE_NAME FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE() \
             AND TABLE_NAME = '{table}'"
        ),
        format!(
            "SELECT TABLE_TYPE, ENGINE, ROW_FORMAT, TABLE_COLLATION, CREATE_OPTIONS, TABLE_COMMENT FROM \
             INFORMATION_SCHEMA.TABLES WHERE {schema} AND TABLE_NAME = '{table}'"
        ),
        format!("SHOW FULL COLUMNS FROM {table}"),
        format!("DESCRIBE {table}"),
    ];
    vec![
        format!("SHOW CREATE TABLE {table}"),
        dice.pick(&views).clone(),
        dice.pick(&views).clone(),
        format!("SELECT * FROM {table}"),
    ]
}

/// A column that is being defined, and its definition's text.
struct Defined {
    column: Column,
    text: Term,
}

/// CREATE TABLE of plain columns: something to begin with.
pub fn simple(dice: &mut Dice, world: &mut World) -> Statement {
    let name = world.fresh('t');
    let types =
        ["INT", "BIGINT", "VARCHAR(20)", "DECIMAL(10,2)", "DATE", "DATETIME", "CHAR(8)", "DOUBLE", "TIME"];
    let mut columns = vec![fixed(*dice.pick(&["id INT PRIMARY KEY", "id INT AUTO_INCREMENT PRIMARY KEY"]))];
    columns.extend(["INT", "VARCHAR(10)"].iter().enumerate().map(|(i, ty)| fixed(format!("c{i} {ty}"))));
    for i in 2..dice.between(3, 6) {
        let null = if dice.chance(1, 4) { " NOT NULL" } else { "" };
        columns.push(fixed(format!("c{i} {}{null}", dice.pick(&types))));
    }
    match dice.below(4) {
        0 => columns.push(optional("KEY (c0)")),
        1 => columns.push(optional("UNIQUE KEY (c0)")),
        2 => columns.push(optional("KEY (c1, c0)")),
        _ => {}
    }
    let probes = vec![format!("SHOW CREATE TABLE {name}")];
    Statement::define(
        Term::of(Role::Fixed, &format!("CREATE TABLE {name} ({{}})"), vec![list(columns)]),
        probes,
    )
}

/// CREATE TABLE.
pub fn create(dice: &mut Dice, world: &mut World) -> Statement {
    let name = world.fresh('t');
    let probes = probes(dice, &name);
    let world = &*world;
    let mut draw = Draw::new(dice, world);
    let term = match draw.dice.below(12) {
        0 if !world.base().is_empty() => {
            let like = draw.dice.pick(&world.base()).name.clone();
            fixed(format!("CREATE TABLE {name} LIKE {like}"))
        }
        1 | 2 if !world.base().is_empty() => {
            let query = draw.query(&Scope::EMPTY, 1);
            let head = *draw.dice.pick(&[
                "",
                " (x INT)",
                " (r0 VARCHAR(30))",
                " (id INT AUTO_INCREMENT PRIMARY KEY)",
                " COMMENT 'q'",
            ]);
            let word = *draw.dice.pick(&[" ", " AS ", " IGNORE ", " REPLACE "]);
            Term::of(Role::Fixed, &format!("CREATE TABLE {name}{head}{word}{{}}"), vec![query.term])
        }
        _ => draw.create_table(&name),
    };
    Statement::define(term, probes)
}

impl Draw<'_> {
    fn create_table(&mut self, name: &str) -> Term {
        let mut columns: Vec<Column> = Vec::new();
        let mut parts: Vec<Term> = Vec::new();
        let key = self.dice.below(10);
        if key < 8 {
            let text = match key {
                0..=3 => "id INT AUTO_INCREMENT PRIMARY KEY",
                4..=6 => "id INT NOT NULL PRIMARY KEY",
                _ => "id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE",
            };
            parts.push(fixed(text));
            columns.push(Column {
                name: "id".into(),
                sort: Sort::Number,
                ty: "int".into(),
                null: false,
                generated: false,
                auto: text.contains("AUTO"),
            });
        }
        for i in 0..self.dice.between(2, 6) {
            let name = format!("c{i}");
            let defined = self.column_definition(&name, &columns);
            parts.push(defined.text);
            columns.push(defined.column);
        }
        for _ in 0..self.dice.below(4) {
            parts.push(self.key_definition(&columns));
        }
        let mut options = String::new();
        for option in [
            " ENGINE=InnoDB",
            " COMMENT='it''s'",
            " AUTO_INCREMENT=50",
            " DEFAULT CHARSET=latin1",
            " COLLATE=utf8mb4_bin",
            " CHARACTER SET utf8mb4",
            " ROW_FORMAT=DYNAMIC",
            " CHECKSUM=1",
            " STATS_PERSISTENT=0",
            " MAX_ROWS=100",
        ] {
            if self.dice.chance(1, 10) {
                options += option;
            }
        }
        let word = *self.dice.pick(&["TABLE", "TABLE", "TABLE", "TABLE IF NOT EXISTS"]);
        let body = list(parts);
        Term::of(Role::Fixed, &format!("CREATE {word} {name} ({{}}){{}}"), vec![body, optional(options)])
    }

    /// A column's definition; generated ones, defaults and checks may name those before it.
    fn column_definition(&mut self, name: &str, before: &[Column]) -> Defined {
        let ty = *self.dice.pick(TYPES);
        let base = ty.split(['(', ' ']).next().unwrap_or_default().to_lowercase();
        let sort = match base.as_str() {
            "bool" | "numeric" => Sort::Number,
            other => sort_of(other),
        };
        let mut column = Column {
            name: name.into(),
            sort,
            ty: ty.to_lowercase(),
            null: true,
            generated: false,
            auto: false,
        };
        let names: Vec<Name> =
            before.iter().filter(|c| !c.auto).map(|c| Name { text: c.name.clone(), sort: c.sort }).collect();
        let scope = Scope { names: &names, outer: None };
        let mut parts = vec![fixed(format!("{name} {ty}"))];
        if self.dice.chance(1, 7) && !names.is_empty() {
            column.generated = true;
            let value = self.plain(&scope, sort);
            let always = *self.dice.pick(&[" AS", " GENERATED ALWAYS AS"]);
            parts.push(Term::of(Role::Fixed, &format!("{always} ({{}})"), vec![value]));
            let kind = *self.dice.pick(&[
                "",
                " VIRTUAL",
                " STORED",
                " PERSISTENT",
                " STORED UNIQUE",
                " VIRTUAL UNIQUE",
            ]);
            parts.push(optional(kind));
        } else {
            if self.dice.chance(1, 4) {
                column.null = false;
                parts.push(optional(" NOT NULL"));
            }
            match self.dice.below(9) {
                0 | 1 => {
                    let text = super::change::value(self.dice, &column).replace("DEFAULT", "NULL");
                    parts.push(optional(format!(" DEFAULT {text}")));
                }
                2 => {
                    let value = self.plain(&scope, sort);
                    parts.push(clause(" DEFAULT ({})", vec![value]));
                }
                3 if matches!(base.as_str(), "datetime" | "timestamp") => {
                    let digits = if ty.contains("(3)") { "(3)" } else { "" };
                    parts.push(optional(format!(" DEFAULT CURRENT_TIMESTAMP{digits}")));
                    parts.push(optional(format!(" ON UPDATE CURRENT_TIMESTAMP{digits}")));
                }
                4 => parts.push(optional(" DEFAULT NULL")),
                _ => {}
            }
            if self.dice.chance(1, 14) {
                parts.push(optional(" UNIQUE"));
            }
        }
        if self.dice.chance(1, 12) {
            parts.push(optional(" COMMENT 'note'"));
        }
        if self.dice.chance(1, 25) {
            parts.push(optional(" INVISIBLE"));
        }
        if self.dice.chance(1, 10) {
            let own = [Name { text: name.into(), sort }];
            let scope = Scope { names: &own, outer: None };
            let check = self.lenient(&scope);
            parts.push(clause(" CHECK ({})", vec![check]));
        }
        Defined { column, text: Term::row(parts) }
    }

    /// An expression that a definition takes: no subqueries.
    fn plain(&mut self, scope: &Scope<'_>, sort: Sort) -> Term {
        let leaf = |draw: &mut Self, sort: Sort| match draw.column(scope, sort) {
            Some(column) if draw.dice.chance(3, 4) => column,
            _ => Term::words(Role::Expr, literal(draw.dice, sort)),
        };
        let (template, sorts): (&str, &[Sort]) = match sort {
            Sort::Number => *self.dice.pick(&[
                ("{} + {}", &[Sort::Number, Sort::Number][..]),
                ("{} * {}", &[Sort::Number, Sort::Number]),
                ("{}", &[Sort::Number]),
                ("LENGTH({})", &[Sort::Text]),
                ("COALESCE({}, {})", &[Sort::Number, Sort::Number]),
                ("{} > {}", &[Sort::Number, Sort::Number]),
                ("IF({} IS NULL, {}, 1)", &[Sort::Text, Sort::Number]),
                ("CASE WHEN {} THEN {} ELSE 0 END", &[Sort::Number, Sort::Number]),
                ("MOD({}, 7)", &[Sort::Number]),
            ]),
            Sort::Text | Sort::Json | Sort::Fixed | Sort::Place | Sort::Xml => *self.dice.pick(&[
                ("CONCAT({}, {})", &[Sort::Text, Sort::Number][..]),
                ("UPPER({})", &[Sort::Text]),
                ("LEFT({}, 3)", &[Sort::Text]),
                ("IFNULL({}, {})", &[Sort::Text, Sort::Text]),
                ("{}", &[Sort::Text]),
                ("CAST({} AS CHAR)", &[Sort::Number]),
                ("REPLACE({}, 'a', 'b')", &[Sort::Text]),
            ]),
            Sort::Date => *self.dice.pick(&[
                ("{} + INTERVAL 1 DAY", &[Sort::Date][..]),
                ("{}", &[Sort::Date]),
                ("LAST_DAY({})", &[Sort::Date]),
            ]),
            Sort::Time => *self.dice.pick(&[("TIME({})", &[Sort::Date][..]), ("{}", &[Sort::Time])]),
        };
        let parts = sorts.iter().map(|&sort| leaf(self, sort)).collect();
        Term::of(Role::Expr, template, parts)
    }

    /// A condition that most rows meet.
    fn lenient(&mut self, scope: &Scope<'_>) -> Term {
        let sort = any(self.dice);
        let value = self.plain(scope, sort);
        let template = match sort {
            Sort::Number => *self.dice.pick(&[
                "{} < 1000",
                "{} >= -100",
                "{} IS NOT NULL",
                "{} BETWEEN 0 AND 500",
                "{} <> 7",
                "{} NOT IN (3, 4)",
            ]),
            Sort::Text | Sort::Json | Sort::Fixed | Sort::Place | Sort::Xml => *self.dice.pick(&[
                "{} <> 'zz'",
                "{} LIKE '%'",
                "LENGTH({}) < 15",
                "{} IS NULL OR 1",
                "{} > ''",
            ]),
            Sort::Date => *self.dice.pick(&["{} > '1990-01-01'", "YEAR({}) < 2030"]),
            Sort::Time => "{} < '90:00:00'",
        };
        Term::of(Role::Expr, template, vec![value])
    }

    fn key_parts(&mut self, columns: &[Column]) -> String {
        let mut parts: Vec<String> = Vec::new();
        for _ in 0..self.dice.between(1, 2) {
            let column = self.dice.pick(columns);
            if parts.iter().any(|p| p.starts_with(&column.name)) && !self.dice.chance(1, 15) {
                continue;
            }
            let long = ["text", "blob", "json"].iter().any(|word| column.ty.contains(word));
            let prefix = match long || (column.ty.contains("char") && self.dice.chance(1, 6)) {
                true if !self.dice.chance(1, 12) => format!("({})", self.dice.between(1, 6)),
                _ => String::new(),
            };
            let direction = *self.dice.pick(&["", "", "", "", " DESC", " ASC"]);
            parts.push(format!("{}{prefix}{direction}", column.name));
        }
        parts.join(", ")
    }

    /// A key or constraint of a table.
    fn key_definition(&mut self, columns: &[Column]) -> Term {
        let parts = self.key_parts(columns);
        let name = format!("k{}", self.dice.below(30));
        let text = match self.dice.below(16) {
            0..=4 => format!("KEY {name} ({parts})"),
            5 => format!("INDEX ({parts})"),
            6 | 7 => format!("UNIQUE KEY {name} ({parts})"),
            8 => format!("CONSTRAINT {name} UNIQUE ({parts})"),
            9 => format!("KEY {name} ({parts}) USING BTREE COMMENT 'note'"),
            10 => format!("PRIMARY KEY ({parts})"),
            11 | 12 => {
                let names: Vec<Name> = columns
                    .iter()
                    .filter(|c| !c.auto)
                    .map(|c| Name { text: c.name.clone(), sort: c.sort })
                    .collect();
                let check = self.lenient(&Scope { names: &names, outer: None });
                let head = if self.dice.chance(1, 2) { format!("CONSTRAINT {name} ") } else { String::new() };
                return Term::of(Role::Fixed, &format!("{head}CHECK ({{}})"), vec![check]);
            }
            13 => format!("KEY {name} ({parts}) IGNORED"),
            _ => return self.foreign_key(columns).unwrap_or_else(|| fixed(format!("KEY ({parts})"))),
        };
        fixed(text)
    }

    fn foreign_key(&mut self, columns: &[Column]) -> Option<Term> {
        let base = self.world.base();
        if base.is_empty() {
            return None;
        }
        let parent = (*self.dice.pick(&base)).clone();
        let key = parent.columns.iter().find(|c| parent.key.contains(&c.name))?;
        let fits: Vec<&Column> = columns.iter().filter(|c| c.sort == key.sort && c.name != "id").collect();
        if fits.is_empty() {
            return None;
        }
        let column = self.dice.pick(&fits).name.clone();
        let (update, delete) = (*self.dice.pick(ACTIONS), *self.dice.pick(ACTIONS));
        let update = if update.is_empty() { String::new() } else { format!(" ON UPDATE{update}") };
        let delete = if delete.is_empty() { String::new() } else { format!(" ON DELETE{delete}") };
        let head = match self.dice.below(3) {
            0 => format!("CONSTRAINT f{} ", self.dice.below(30)),
            _ => String::new(),
        };
        Some(fixed(format!(
            "{head}FOREIGN KEY ({column}) REFERENCES {} ({}){delete}{update}",
            parent.name, key.name
        )))
    }

    /// One thing that ALTER TABLE does.
    fn alteration(&mut self, table: &Table, world_given: usize) -> Term {
        let column = self.dice.pick(&table.columns).clone();
        let other = self.dice.pick(&table.columns).clone();
        let new = format!("n{}", world_given + self.dice.below(3));
        let place = match self.dice.below(5) {
            0 => " FIRST".to_owned(),
            1 => format!(" AFTER {}", other.name),
            _ => String::new(),
        };
        let key = *self.dice.pick(&["k1", "k2", "k3", "c0", "c1", "id", "PRIMARY", "k7"]);
        match self.dice.below(40) {
            0..=6 => {
                let defined = self.column_definition(&new, &table.columns);
                let word = *self.dice.pick(&["ADD COLUMN", "ADD", "ADD COLUMN IF NOT EXISTS"]);
                Term::of(Role::Fixed, &format!("{word} {{}}{place}"), vec![defined.text])
            }
            7..=9 => fixed(format!("DROP COLUMN {}", column.name)),
            10 => fixed(format!("DROP COLUMN IF EXISTS {new}")),
            11..=15 => {
                let before: Vec<Column> =
                    table.columns.iter().take_while(|c| c.name != column.name).cloned().collect();
                let defined = self.column_definition(&column.name, &before);
                Term::of(Role::Fixed, &format!("MODIFY {{}}{place}"), vec![defined.text])
            }
            16 | 17 => {
                let before: Vec<Column> =
                    table.columns.iter().take_while(|c| c.name != column.name).cloned().collect();
                let defined = self.column_definition(&new, &before);
                Term::of(Role::Fixed, &format!("CHANGE {} {{}}{place}", column.name), vec![defined.text])
            }
            18 | 19 => fixed(format!("RENAME COLUMN {} TO {new}", column.name)),
            20 | 21 => {
                let value = super::change::value(self.dice, &column).replace("DEFAULT", "NULL");
                fixed(format!("ALTER COLUMN {} SET DEFAULT {value}", column.name))
            }
            22 => fixed(format!("ALTER {} DROP DEFAULT", column.name)),
            23..=28 => Term::of(Role::Fixed, "ADD {}", vec![self.key_definition(&table.columns)]),
            29 => fixed(format!("DROP INDEX {key}")),
            30 => fixed("DROP PRIMARY KEY"),
            31 => fixed(format!("DROP CONSTRAINT {}", self.dice.pick(&["k1", "f1", "f2", "CONSTRAINT_1"]))),
            32 => fixed(format!("DROP FOREIGN KEY {}_ibfk_1", table.name)),
            33 => fixed(format!("RENAME INDEX {key} TO k{}", self.dice.below(30))),
            34 => fixed(format!("AUTO_INCREMENT = {}", self.dice.between(1, 200))),
            35 => fixed("COMMENT = 'changed'"),
            36 => fixed(format!(
                "CONVERT TO CHARACTER SET {}",
                self.dice.pick(&["latin1", "utf8mb4", "utf8mb3 COLLATE utf8mb3_bin"])
            )),
            37 => fixed("ENGINE = InnoDB"),
            38 => fixed(*self.dice.pick(&[
                "FORCE",
                "DEFAULT CHARACTER SET latin1",
                "ALTER INDEX k1 IGNORED",
                "DISABLE KEYS",
                "ROW_FORMAT = COMPACT",
            ])),
            _ => fixed("FORCE"),
        }
    }
}

/// ALTER TABLE, CREATE INDEX, DROP INDEX.
pub fn alter(dice: &mut Dice, world: &mut World) -> Statement {
    world.given += 1;
    let given = world.given;
    let world = &*world;
    let base = world.base();
    let table = (*dice.pick(&base)).clone();
    let probes = probes(dice, &table.name);
    let mut draw = Draw::new(dice, world);
    let term = match draw.dice.below(12) {
        0 => {
            let parts = draw.key_parts(&table.columns);
            let word = *draw.dice.pick(&["INDEX", "UNIQUE INDEX", "INDEX IF NOT EXISTS", "OR REPLACE INDEX"]);
            fixed(
                format!("CREATE {word} k{} ON {} ({parts})", draw.dice.below(9), table.name)
                    .replace("CREATE OR REPLACE INDEX IF", "CREATE INDEX IF"),
            )
        }
        1 => fixed(format!(
            "DROP INDEX {}k{} ON {}",
            draw.dice.pick(&["", "IF EXISTS "]),
            draw.dice.below(9),
            table.name
        )),
        _ => {
            if draw.dice.chance(1, 40) {
                let column = draw.dice.pick(&table.columns).name.clone();
                let order = fixed(format!("ALTER TABLE {} ORDER BY {column}", table.name));
                return Statement::define(order, probes);
            }
            let count = *draw.dice.pick(&[1, 1, 1, 2, 3]);
            let changes = (0..count).map(|_| draw.alteration(&table, given)).collect();
            let ignore = if draw.dice.chance(1, 12) { "IGNORE " } else { "" };
            Term::of(Role::Fixed, &format!("ALTER {ignore}TABLE {} {{}}", table.name), vec![list(changes)])
        }
    };
    Statement::define(term, probes)
}

/// DROP TABLE, RENAME TABLE, temporary tables and the like.
pub fn other(dice: &mut Dice, world: &mut World) -> Statement {
    let fresh = world.fresh('t');
    let base = world.base();
    let table = dice.pick(&base).name.clone();
    let second = dice.pick(&base).name.clone();
    let text = match dice.below(8) {
        0 if base.len() > 3 => format!("DROP TABLE {table}"),
        1 => format!("DROP TABLE IF EXISTS {fresh}, {fresh}x"),
        2 => format!("RENAME TABLE {table} TO {fresh}"),
        3 => format!("ALTER TABLE {table} RENAME TO {fresh}"),
        4 => format!("RENAME TABLE {table} TO {fresh}, {second} TO {table}, {fresh} TO {second}"),
        5 => {
            format!("CREATE OR REPLACE TABLE {table} (id INT PRIMARY KEY, c0 VARCHAR(20), c1 INT DEFAULT 4)")
        }
        6 => format!("CHECK TABLE {table}"),
        _ => format!("CREATE TABLE IF NOT EXISTS {table} (x INT)"),
    };
    let probes = vec![
        "SELECT TABLE_NAME, TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = DATABASE()".into(),
        format!("SHOW CREATE TABLE {table}"),
        format!("SHOW CREATE TABLE {fresh}"),
    ];
    Statement::define(fixed(text), probes)
}
