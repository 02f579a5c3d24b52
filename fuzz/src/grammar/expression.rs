//! Expressions.

use super::query::query;
use super::{Choices, Scope};
use sql::expr::func;
use std::sync::LazyLock;

/// Functions by name, with the fewest and most arguments; not those that wait or only take time.
static CALLS: LazyLock<Vec<(&str, usize, usize)>> = LazyLock::new(|| {
    // Geometries take nothing but geometries: they have a list of their own.
    let left_out = ["sleep", "benchmark", "get_lock", "master_pos_wait", "master_gtid_wait"];
    let all = func::all().filter(|function| !left_out.contains(&function.name));
    let calls = all.map(|function| (function.name, function.min, function.max));
    calls.filter(|(name, ..)| GEOMETRIES.iter().all(|geometry| geometry.0 != *name)).collect()
});

/// Functions of geometries.
static GEOMETRIES: LazyLock<Vec<(&str, usize, usize)>> = LazyLock::new(|| {
    let all = func::geometry::FUNCTIONS.iter().flat_map(|list| list.iter());
    all.map(|function| (function.name, function.min, function.max)).collect()
});

const SHAPES: [&str; 8] = [
    "POINT(1, -2.5)",
    "ST_GeomFromText('LINESTRING(0 0,1 1,1 2)')",
    "ST_GeomFromText('POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 1))', 4326)",
    "ST_GeomFromText('MULTIPOINT(1 1,2 2)')",
    "ST_GeomFromText('MULTIPOLYGON(((0 0,1 0,1 1,0 0)))')",
    "ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(1 1,2 2))')",
    "ST_GeomFromText('GEOMETRYCOLLECTION EMPTY')",
    "NULL",
];

const WORDED_SHAPES: [&str; 8] = [
    "'POINT(1 2)'",
    "'LINESTRING(0 0,1e308 1)'",
    "'POLYGON((0 0,1 1,0 0'",
    "'MULTIPOLYGON(((0 0,1 0,1 1,0 0)))'",
    "'GEOMETRYCOLLECTION(GEOMETRYCOLLECTION EMPTY)'",
    "''",
    "x'000000000101000000'",
    "x'0103000000FFFFFFFF'",
];

/// Values that something may stumble over, of every kind that a literal has.
const LITERALS: [&str; 64] = [
    "NULL",
    "0",
    "1",
    "-1",
    "2",
    "5",
    "TRUE",
    "''",
    "'a'",
    "' '",
    "'%'",
    "'12abc'",
    "0.1",
    "-7.25",
    "1e10",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999999999999999999999999999999999999999999999",
    "0.00000000000000000000000000000000000001",
    "1e308",
    "-1e308",
    "1e-320",
    "1e400",
    "70000",
    "4294967296",
    "300000",
    "x'00'",
    "x'FF80'",
    "0x41",
    "b'101'",
    "b''",
    "'2024-02-29'",
    "'2024-02-30 25:61:61'",
    "'0000-00-00'",
    "'9999-12-31 23:59:59.999999'",
    "'-838:59:59.999999'",
    "'10:11'",
    "20240229",
    "DATE'2024-02-29'",
    "TIME'-10:11:12.5'",
    "TIMESTAMP'1970-01-01 00:00:01'",
    "'\u{e9}\u{1F600}'",
    "_latin1 x'E9'",
    "_ucs2 x'0041'",
    "_utf16 x'D83DDE00'",
    "_binary 'bin'",
    "N'n'",
    "'A' COLLATE utf8mb4_bin",
    "'{\"a\": [1, {\"b\": null}], \"c\": \"x\"}'",
    "'[1, [2, 3], \"x\"]'",
    "'$.a'",
    "'$[0].b'",
    "'$**.b'",
    "'[[['",
    "'^(a|b)+$'",
    "'(?=a)[[:alpha:]]{1,3}'",
    "'%Y-%m-%d %H:%i:%s.%f %W %j %U'",
    "'POINT(1 2)'",
    "'2001:db8::1'",
    "'123e4567-e89b-12d3-a456-426655440000'",
    "@v",
    "'UTC'",
];

const BINARY: [&str; 33] = [
    "+",
    "-",
    "*",
    "/",
    "DIV",
    "%",
    "MOD",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "<=>",
    "AND",
    "OR",
    "XOR",
    "||",
    "&&",
    "|",
    "&",
    "^",
    "<<",
    ">>",
    "LIKE",
    "NOT LIKE",
    "REGEXP",
    "NOT REGEXP",
    "SOUNDS LIKE",
    "RLIKE",
    "= BINARY",
    "IN (1, NULL) =",
    "!=",
];

const TYPES: [&str; 24] = [
    "SIGNED",
    "UNSIGNED",
    "CHAR",
    "CHAR(3)",
    "CHAR(0)",
    "CHAR CHARACTER SET latin1",
    "CHAR(5) CHARACTER SET ucs2",
    "BINARY",
    "BINARY(4)",
    "DATE",
    "TIME",
    "TIME(6)",
    "DATETIME",
    "DATETIME(3)",
    "DECIMAL",
    "DECIMAL(5,2)",
    "DECIMAL(65,38)",
    "DOUBLE",
    "FLOAT",
    "DOUBLE(10,2)",
    "INET6",
    "UUID",
    "INTEGER",
    "NCHAR(2)",
];

const COLLATIONS: [&str; 12] = [
    "utf8mb4_general_ci",
    "utf8mb4_bin",
    "utf8mb4_unicode_ci",
    "utf8mb4_unicode_520_ci",
    "utf8mb4_uca1400_ai_ci",
    "utf8mb4_nopad_bin",
    "latin1_swedish_ci",
    "latin1_bin",
    "ucs2_general_ci",
    "utf16_unicode_ci",
    "binary",
    "ascii_bin",
];

const CHARSETS: [&str; 7] = ["utf8mb4", "utf8mb3", "latin1", "ascii", "binary", "ucs2", "utf16"];

const UNITS: [&str; 20] = [
    "DAY",
    "MICROSECOND",
    "SECOND",
    "MINUTE",
    "HOUR",
    "WEEK",
    "MONTH",
    "QUARTER",
    "YEAR",
    "SECOND_MICROSECOND",
    "MINUTE_MICROSECOND",
    "MINUTE_SECOND",
    "HOUR_MICROSECOND",
    "HOUR_SECOND",
    "HOUR_MINUTE",
    "DAY_MICROSECOND",
    "DAY_SECOND",
    "DAY_MINUTE",
    "DAY_HOUR",
    "YEAR_MONTH",
];

const AGGREGATES: [&str; 15] = [
    "COUNT",
    "SUM",
    "AVG",
    "MIN",
    "MAX",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "STD",
    "STDDEV_SAMP",
    "VARIANCE",
    "VAR_SAMP",
    "GROUP_CONCAT",
    "JSON_ARRAYAGG",
    "JSON_OBJECTAGG",
];

/// An expression.
pub fn expression(c: &mut Choices<'_>, scope: &Scope) -> String {
    c.nested(
        |c| leaf(c, scope),
        |c| match c.below(20) {
            0..=3 => leaf(c, scope),
            4..=6 => call(c, scope),
            7 if c.one_in(3) => of_geometry(c, scope),
            8 | 9 => format!("({} {} {})", expression(c, scope), c.pick(&BINARY), expression(c, scope)),
            10 => around(c, scope),
            11 => conditional(c, scope),
            12 => cast(c, scope),
            13 => membership(c, scope),
            14 => of_time(c, scope),
            15 => of_words(c, scope),
            16 => subquery(c, scope),
            17 if scope.aggregates => aggregate(c, scope),
            18 if scope.windows => window(c, scope),
            _ => call(c, scope),
        },
    )
}

fn leaf(c: &mut Choices<'_>, scope: &Scope) -> String {
    if scope.parameters && c.one_in(12) {
        return "?".to_owned();
    }
    match c.below(5) {
        0..=2 if !scope.columns.is_empty() => scope.columns[c.below(scope.columns.len())].clone(),
        _ => c.pick(&LITERALS).to_owned(),
    }
}

fn call(c: &mut Choices<'_>, scope: &Scope) -> String {
    let (name, least, most) = CALLS[c.below(CALLS.len())];
    // Now and then one argument too many: that has to be refused.
    let most = most.min(least.saturating_add(3)) + usize::from(c.one_in(64));
    format!("{name}({})", c.list(least, most, |c| expression(c, scope)))
}

fn of_geometry(c: &mut Choices<'_>, scope: &Scope) -> String {
    let (name, least, most) = GEOMETRIES[c.below(GEOMETRIES.len())];
    let words = name.contains("from");
    let part = |c: &mut Choices<'_>| match c.below(6) {
        0 => expression(c, scope),
        1 => c.nested(|c| c.pick(&SHAPES).to_owned(), |c| of_geometry(c, scope)),
        2 if words => format!("ST_AsWKB({})", c.pick(&SHAPES)),
        2 => scope.columns.iter().find(|name| name.ends_with(".g")).map_or("NULL", String::as_str).to_owned(),
        _ if words => c.pick(&WORDED_SHAPES).to_owned(),
        _ => c.pick(&SHAPES).to_owned(),
    };
    let shown = format!("{name}({})", c.list(least, most.min(least + 2), part));
    if c.one_in(2) { format!("ST_AsText({shown})") } else { shown }
}

fn around(c: &mut Choices<'_>, scope: &Scope) -> String {
    let inner = expression(c, scope);
    match c.below(13) {
        0 => format!("(- {inner})"),
        1 => format!("(~ {inner})"),
        2 => format!("(NOT {inner})"),
        3 => format!("(! {inner})"),
        4 => format!("({inner} IS NULL)"),
        5 => format!("({inner} IS NOT NULL)"),
        6 => format!("({inner} IS TRUE)"),
        7 => format!("({inner} IS NOT FALSE)"),
        8 => format!("({inner} IS UNKNOWN)"),
        9 => format!("(BINARY {inner})"),
        10 => format!("(@v := {inner})"),
        11 => format!("(+ {inner})"),
        _ => format!("({inner} COLLATE {})", c.pick(&COLLATIONS)),
    }
}

fn conditional(c: &mut Choices<'_>, scope: &Scope) -> String {
    let part = |c: &mut Choices<'_>| expression(c, scope);
    match c.below(4) {
        0 => format!("IF({}, {}, {})", part(c), part(c), part(c)),
        1 => format!("CASE {} WHEN {} THEN {} ELSE {} END", part(c), part(c), part(c), part(c)),
        2 => format!("CASE WHEN {} THEN {} WHEN {} THEN {} END", part(c), part(c), part(c), part(c)),
        _ => format!("NULLIF({}, {})", part(c), part(c)),
    }
}

fn cast(c: &mut Choices<'_>, scope: &Scope) -> String {
    let inner = expression(c, scope);
    match c.below(3) {
        0 => format!("CAST({inner} AS {})", c.pick(&TYPES)),
        1 => format!("CONVERT({inner}, {})", c.pick(&TYPES)),
        _ => format!("CONVERT({inner} USING {})", c.pick(&CHARSETS)),
    }
}

fn membership(c: &mut Choices<'_>, scope: &Scope) -> String {
    let left = expression(c, scope);
    let not = c.pick(&["", "NOT "]);
    match c.below(5) {
        0 => format!("({left} {not}BETWEEN {} AND {})", expression(c, scope), expression(c, scope)),
        1 => format!("({left} {not}IN ({}))", c.list(1, 6, |c| expression(c, scope))),
        2 => format!("({left} {not}LIKE {} ESCAPE '|')", expression(c, scope)),
        3 => {
            let (second, third) = (expression(c, scope), expression(c, scope));
            let op = c.pick(&["=", "<", "<=>", "<>", ">="]);
            format!("(({left}, {second}) {op} ({third}, {}))", expression(c, scope))
        }
        _ => {
            let rows = c.list(1, 3, |c| format!("({}, {})", expression(c, scope), expression(c, scope)));
            format!("(({left}, {}) {not}IN ({rows}))", expression(c, scope))
        }
    }
}

fn of_time(c: &mut Choices<'_>, scope: &Scope) -> String {
    let (first, second, unit) = (expression(c, scope), expression(c, scope), c.pick(&UNITS));
    match c.below(8) {
        0 => format!("({first} + INTERVAL {second} {unit})"),
        1 => format!("({first} - INTERVAL {second} {unit})"),
        2 => format!("DATE_ADD({first}, INTERVAL {second} {unit})"),
        3 => format!("EXTRACT({unit} FROM {first})"),
        4 => format!("TIMESTAMPADD({}, {first}, {second})", c.pick(&UNITS[..9])),
        5 => format!("TIMESTAMPDIFF({}, {first}, {second})", c.pick(&UNITS[..9])),
        6 => format!("GET_FORMAT({}, {first})", c.pick(&["DATE", "TIME", "DATETIME"])),
        _ => c
            .pick(&["NOW(6)", "CURRENT_DATE", "CURTIME(3)", "UTC_TIMESTAMP(1)", "SYSDATE(2)", "UTC_TIME"])
            .to_owned(),
    }
}

fn of_words(c: &mut Choices<'_>, scope: &Scope) -> String {
    let (first, second) = (expression(c, scope), expression(c, scope));
    match c.below(8) {
        0 => format!("TRIM({} {first} FROM {second})", c.pick(&["BOTH", "LEADING", "TRAILING"])),
        1 => format!("SUBSTRING({first} FROM {second} FOR {})", expression(c, scope)),
        2 => format!("POSITION({first} IN {second})"),
        3 => format!("CHAR({first}, {second} USING {})", c.pick(&CHARSETS)),
        4 => format!("JSON_OBJECT({first}, {second})"),
        5 => format!("ROW_COUNT() + {first}"),
        6 => format!("JSON_VALUE({first}, {second})"),
        _ => format!("CONCAT({first}, {second})"),
    }
}

fn subquery(c: &mut Choices<'_>, scope: &Scope) -> String {
    let form = c.below(5);
    let left = expression(c, scope);
    // Whatever is around may be named inside.
    let inner = query(c, &scope.plain(), 1);
    match form {
        0 => format!("({inner} LIMIT 1)"),
        1 => format!("EXISTS ({inner})"),
        2 => format!("({left} {}IN ({inner}))", c.pick(&["", "NOT "])),
        3 => format!("({left} {} {} ({inner}))", c.pick(&["=", "<", ">=", "<>"]), c.pick(&["ANY", "ALL"])),
        _ => format!("({left} <=> ({inner}))"),
    }
}

fn aggregate(c: &mut Choices<'_>, scope: &Scope) -> String {
    let inside = scope.plain();
    let name = c.pick(&AGGREGATES);
    let distinct = if c.one_in(3) && !name.starts_with("JSON_O") { "DISTINCT " } else { "" };
    match name {
        "COUNT" if c.one_in(3) => "COUNT(*)".to_owned(),
        "JSON_OBJECTAGG" => format!("{name}({}, {})", expression(c, &inside), expression(c, &inside)),
        "GROUP_CONCAT" => format!(
            "GROUP_CONCAT({distinct}{} ORDER BY {} SEPARATOR '|')",
            expression(c, &inside),
            expression(c, &inside)
        ),
        _ => format!("{name}({distinct}{})", expression(c, &inside)),
    }
}

fn window(c: &mut Choices<'_>, scope: &Scope) -> String {
    let inside = Scope { windows: false, ..scope.clone() };
    let part = |c: &mut Choices<'_>| expression(c, &inside);
    let function = match c.below(12) {
        0 => "ROW_NUMBER()".to_owned(),
        1 => "RANK()".to_owned(),
        2 => "DENSE_RANK()".to_owned(),
        3 => "PERCENT_RANK()".to_owned(),
        4 => "CUME_DIST()".to_owned(),
        5 => format!("NTILE({})", part(c)),
        6 => format!("LAG({}, {})", part(c), part(c)),
        7 => format!("LEAD({})", part(c)),
        8 => format!("FIRST_VALUE({})", part(c)),
        9 => format!("NTH_VALUE({}, {})", part(c), part(c)),
        _ => aggregate(c, scope),
    };
    let partition = if c.one_in(2) { format!("PARTITION BY {} ", part(c)) } else { String::new() };
    let order = if c.one_in(3) { String::new() } else { format!("ORDER BY {} DESC ", part(c)) };
    format!("{function} OVER ({partition}{order}{})", frame(c))
}

fn frame(c: &mut Choices<'_>) -> String {
    if c.one_in(2) {
        return String::new();
    }
    let end = |c: &mut Choices<'_>, unbounded: &str| match c.below(4) {
        0 => "CURRENT ROW".to_owned(),
        1 => unbounded.to_owned(),
        2 => format!("{} PRECEDING", c.pick(&["1", "0", "2.5", "18446744073709551615"])),
        _ => format!("{} FOLLOWING", c.pick(&["1", "0", "2.5", "18446744073709551615"])),
    };
    let unit = c.pick(&["ROWS", "RANGE"]);
    format!("{unit} BETWEEN {} AND {}", end(c, "UNBOUNDED PRECEDING"), end(c, "UNBOUNDED FOLLOWING"))
}
