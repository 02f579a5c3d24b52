//! Random tables and their data.

use crate::dice::Dice;

/// What kind of value a column or expression gives, as far as the generator cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Numbers.
    Number,
    /// Text of some character set.
    Text,
    /// Dates, with or without times.
    Date,
    /// Times.
    Time,
    /// JSON documents.
    Json,
    /// UUIDs and internet addresses.
    Fixed,
    /// Geometries.
    Place,
    /// XML.
    Xml,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub sort: Sort,
    /// Its type, as written.
    pub ty: String,
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, the primary key first.
    pub columns: Vec<Column>,
}

const NUMBERS: &[&str] = &[
    "TINYINT",
    "TINYINT UNSIGNED",
    "SMALLINT",
    "MEDIUMINT UNSIGNED",
    "INT",
    "INT UNSIGNED",
    "INT(6) ZEROFILL",
    "BIGINT",
    "BIGINT UNSIGNED",
    "DECIMAL(10,2)",
    "DECIMAL(30,10)",
    "DECIMAL(5,0) UNSIGNED",
    "FLOAT",
    "DOUBLE",
    "DOUBLE(10,3)",
    "YEAR",
    "BIT(5)",
    "BIT(40)",
    "BOOLEAN",
    "DECIMAL(65,30)",
    "DECIMAL(20,5) UNSIGNED ZEROFILL",
    "FLOAT(8,2)",
    "DOUBLE UNSIGNED",
    "BIT(64)",
    "SMALLINT(3) UNSIGNED ZEROFILL",
];

const TEXTS: &[&str] = &[
    "VARCHAR(20)",
    "VARCHAR(20) COLLATE utf8mb4_bin",
    "VARCHAR(20) COLLATE utf8mb4_unicode_ci",
    "VARCHAR(20) COLLATE utf8mb4_nopad_bin",
    "VARCHAR(30) CHARACTER SET latin1",
    "VARCHAR(20) CHARACTER SET utf8mb3",
    "VARCHAR(20) CHARACTER SET ascii",
    "CHAR(8)",
    "CHAR(3) CHARACTER SET latin1 COLLATE latin1_bin",
    "TEXT",
    "TINYTEXT",
    "VARBINARY(12)",
    "BINARY(4)",
    "BLOB",
    "ENUM('a','B','c d','')",
    "SET('x','y','z')",
    "MEDIUMTEXT",
    "LONGBLOB",
    "VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_general_cs",
    "ENUM('1','10','2') CHARACTER SET latin1",
    "VARCHAR(600)",
];

const DATES: &[&str] = &[
    "DATE",
    "DATETIME",
    "DATETIME(3)",
    "DATETIME(6)",
    "TIMESTAMP NULL",
    "TIMESTAMP(1) NULL",
    "TIMESTAMP(6) NULL",
];
const TIMES: &[&str] = &["TIME", "TIME(2)", "TIME(6)"];

const FIXED: &[&str] = &["UUID", "UUID", "INET6", "INET6", "INET4"];
const PLACES: &[&str] = &["GEOMETRY", "POINT", "LINESTRING", "POLYGON"];

/// A table of some columns of any type.
pub fn table(dice: &mut Dice, name: &str) -> (Table, String) {
    let mut columns = vec![Column { name: "id".into(), sort: Sort::Number, ty: "INT".into() }];
    let mut parts = vec!["id INT PRIMARY KEY".to_owned()];
    for i in 0..dice.between(3, 8) {
        let (sort, list) = match dice.below(27) {
            0..=9 => (Sort::Number, NUMBERS),
            10..=17 => (Sort::Text, TEXTS),
            18 | 19 => (Sort::Time, TIMES),
            20 | 21 => (Sort::Fixed, FIXED),
            22 => (Sort::Place, PLACES),
            _ => (Sort::Date, DATES),
        };
        let ty = dice.pick(list).to_string();
        let name = format!("c{i}");
        let null =
            if dice.chance(1, 5) && !ty.contains("NULL") && sort != Sort::Place { " NOT NULL" } else { "" };
        parts.push(format!("{name} {ty}{null}"));
        columns.push(Column { name, sort, ty });
    }
    if dice.chance(1, 6) {
        parts.push("j JSON".into());
        columns.push(Column { name: "j".into(), sort: Sort::Json, ty: "JSON".into() });
    }
    for i in 0..dice.below(3) {
        let column = dice.pick(&columns[1..]);
        if column.sort == Sort::Place {
            continue;
        }
        let prefix =
            if column.ty.contains("TEXT") || column.ty == "BLOB" || column.ty == "JSON" { "(5)" } else { "" };
        parts.push(format!("KEY k{i} ({}{prefix})", column.name));
    }
    let sql = format!("CREATE TABLE {name} ({})", parts.join(", "));
    (Table { name: name.into(), columns }, sql)
}

const INTEGERS: &[&str] =
    &["0", "1", "-1", "2", "7", "10", "100", "127", "255", "-128", "1000", "65535", "123456", "2147483647"];
const FRACTIONS: &[&str] =
    &["0.5", "-1.25", "3.14159", "99.995", "1e3", "-2.5e-3", "12345.678", "0.1", "1e10"];
const STRINGS: &[&str] = &[
    "''",
    "'a'",
    "'A'",
    "'ab'",
    "'Abc'",
    "'abc '",
    "' x'",
    "'10'",
    "'12abc'",
    "'-3.5'",
    "'hello'",
    "'\u{e4}'",
    "'\u{c4}'",
    "'\u{df}'",
    "'stra\u{df}e'",
    "'b'",
    "'c d'",
    "'x,z'",
    "'x'",
    "'2020-01-01'",
    "'%'",
    "'a_c'",
    "'0'",
    "'1e2'",
    "'\u{e9}a'",
    "'2020-02-30'",
    "'0000-00-00'",
    "'10:11'",
    "' 12 '",
    "'1e'",
    "'20200101'",
];
/// Texts of which the statement says more than what is in them.
const INTRODUCED: &[&str] = &[
    "_latin1'abc'",
    "_latin1 x'E4'",
    "_utf8mb4'\u{e4}' COLLATE utf8mb4_bin",
    "_utf8mb3'\u{e9}a'",
    "_binary'ab'",
    "_ascii'x'",
    "_ucs2 x'00410042'",
    "_utf16 x'0041D83DDE00'",
    "_latin1'A' COLLATE latin1_bin",
    "'abc' COLLATE utf8mb4_unicode_ci",
    "x'C3A4'",
    "0x4142",
    "X'31'",
    "b'1000001'",
    "N'abc'",
    "'a' 'b'",
    "'it''s'",
    "'a\\tb'",
    "'\\%'",
    "\"dq\"",
    "'\u{1f600}'",
    "'\u{417}\u{434}'",
    "'\u{fb01}n'",
];
const FIXED_TEXTS: &[&str] = &[
    "'123e4567-e89b-12d3-a456-426655440000'",
    "'123E4567E89B12D3A456426655440000'",
    "'00000000-0000-0000-0000-000000000001'",
    "'::1'",
    "'::ffff:1.2.3.4'",
    "'2001:db8::ff00:42:8329'",
    "'1.2.3.4'",
    "'255.255.255.255'",
    "'::'",
    "x'00000000000000000000000000000001'",
    "x'01020304'",
    "CAST('123e4567-e89b-12d3-a456-426655440000' AS UUID)",
    "CAST('fe80::1' AS INET6)",
    "CAST('10.0.0.1' AS INET4)",
    "'not one'",
];
const SHAPES: &[&str] = &[
    "POINT(1, 2)",
    "POINT(0, 0)",
    "ST_GEOMFROMTEXT('POINT(-1.5 3)')",
    "ST_GEOMFROMTEXT('LINESTRING(0 0,1 1,2 0)')",
    "ST_GEOMFROMTEXT('LINESTRING(0 0,0 4,4 4,4 0,0 0)')",
    "ST_GEOMFROMTEXT('POLYGON((0 0,0 4,4 4,4 0,0 0),(1 1,1 2,2 2,2 1,1 1))')",
    "ST_GEOMFROMTEXT('POLYGON((1 1,1 3,3 3,3 1,1 1))', 4326)",
    "ST_GEOMFROMTEXT('MULTIPOINT(1 1,2 2)')",
    "ST_GEOMFROMTEXT('MULTILINESTRING((0 0,1 1),(2 2,3 3))')",
    "ST_GEOMFROMTEXT('GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))')",
    "ST_GEOMFROMTEXT('POINT(1')",
];
const ELEMENTS: &[&str] = &[
    "'<a><b>one</b><b x=\"1\">two</b><c/></a>'",
    "'<a x=\"7\">t<b>1</b><b>2</b><c>x y</c></a>'",
    "'<a>'",
    "'<a><b></a></b>'",
    "'text'",
    "'<a>&lt;&amp;&#65;</a>'",
    "'<!-- c --><a><![CDATA[x<y]]></a>'",
    "'<?xml version=\"1.0\"?><a><b/></a>'",
];
const DAYS: &[&str] = &[
    "'2020-02-29'",
    "'1999-12-31 23:59:59'",
    "'2024-06-15 12:30:45.678901'",
    "'1970-01-02'",
    "'2038-01-01'",
    "'2001-01-01 00:00:01'",
    "'2020-02-28 10:11:12.5'",
    "'2020-02-30'",
    "'0000-00-00'",
    "20200131",
    "'2020-01-00'",
    "'9999-12-31 23:59:59'",
];
const CLOCKS: &[&str] = &[
    "'00:00:00'",
    "'10:11:12'",
    "'-01:02:03'",
    "'23:59:59.99'",
    "'838:59:59'",
    "'100:00:00.5'",
    "101112",
    "'1 10:00'",
    "'12:30'",
];
const DOCUMENTS: &[&str] = &[
    r#"'{"a": 1, "b": [1, 2, {"c": "x"}]}'"#,
    r#"'[]'"#,
    r#"'[1, "a", null, true, 2.50]'"#,
    r#"'{"a": {"b": {"c": null}}}'"#,
    r#"'"text"'"#,
    r#"'12'"#,
    r#"'{"b":2,"a":[3,1]}'"#,
];

/// A literal of a sort.
pub fn literal(dice: &mut Dice, sort: Sort) -> String {
    if dice.chance(1, 14) {
        return "NULL".into();
    }
    match sort {
        Sort::Number if dice.chance(1, 3) => *dice.pick(FRACTIONS),
        Sort::Number => *dice.pick(INTEGERS),
        Sort::Text if dice.chance(1, 6) => *dice.pick(INTRODUCED),
        Sort::Text => *dice.pick(STRINGS),
        Sort::Date => *dice.pick(DAYS),
        Sort::Time => *dice.pick(CLOCKS),
        Sort::Json => *dice.pick(DOCUMENTS),
        Sort::Fixed => *dice.pick(FIXED_TEXTS),
        Sort::Place => *dice.pick(SHAPES),
        Sort::Xml => *dice.pick(ELEMENTS),
    }
    .into()
}

/// A value for a column, mostly one that fits.
pub fn value(dice: &mut Dice, column: &Column) -> String {
    match column.ty.as_str() {
        ty if ty.starts_with("TINYINT") || ty == "BOOLEAN" => dice.between(0, 100).to_string(),
        ty if ty.starts_with("BIT") => dice.below(31).to_string(),
        "YEAR" => dice.between(1950, 2050).to_string(),
        ty if ty.starts_with("ENUM") => (*dice.pick(&["'a'", "'B'", "'c d'", "''"])).into(),
        ty if ty.starts_with("SET") => (*dice.pick(&["'x'", "'x,z'", "''", "'y'"])).into(),
        ty if ty.contains("ascii") || ty.contains("latin1") => {
            (*dice.pick(&["'abc'", "'ABC'", "'x'", "'12'", "''"])).into()
        }
        "UUID" => (*dice.pick(&FIXED_TEXTS[..3])).into(),
        "INET6" => (*dice.pick(&FIXED_TEXTS[3..8])).into(),
        "INET4" => (*dice.pick(&FIXED_TEXTS[6..8])).into(),
        "POINT" => (*dice.pick(&SHAPES[..3])).into(),
        "LINESTRING" => (*dice.pick(&SHAPES[3..5])).into(),
        "POLYGON" => (*dice.pick(&SHAPES[5..7])).into(),
        "GEOMETRY" => (*dice.pick(&SHAPES[..10])).into(),
        ty if ty.starts_with("BINARY(4)") || ty.starts_with("CHAR(3)") => {
            (*dice.pick(&["'abc'", "'x'", "'12'", "''", "'B'"])).into()
        }
        ty if ty.contains("UNSIGNED") || ty.contains("ZEROFILL") => dice.between(0, 255).to_string(),
        ty if ty.starts_with("SMALLINT") => dice.between(-300, 300).to_string(),
        _ => literal(dice, column.sort),
    }
}

/// The rows of a table, one INSERT.
pub fn rows(dice: &mut Dice, table: &Table) -> String {
    let count = dice.between(3, 9);
    let rows = (0..count).map(|id| {
        let mut values = vec![(id + 1).to_string()];
        values.extend(table.columns[1..].iter().map(|column| value(dice, column)));
        format!("({})", values.join(", "))
    });
    let rows: Vec<String> = rows.collect();
    format!("INSERT IGNORE INTO {} VALUES {}", table.name, rows.join(", "))
}
