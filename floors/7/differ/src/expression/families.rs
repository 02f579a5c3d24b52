//! Families of functions beside the plain ones, each with what it has for a sort of value.
//!
//! Operands are those of the plain templates and besides: `g` a geometry, `u` a UUID or address, `x` XML, `q` an XPath,
//! `z` a time zone, `v` a user variable.

use super::Sort;

/// A family.
pub struct Family {
    /// Its name, for `--family`.
    pub name: &'static str,
    /// Templates by the sort of their value.
    pub values: &'static [(Sort, &'static [&'static str])],
    /// Conditions.
    pub conditions: &'static [&'static str],
}

/// All of them.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "xml",
        values: &[
            (Sort::Text, &["EXTRACTVALUE({x}, {q})", "EXTRACTVALUE({t}, {q})", "EXTRACTVALUE({x}, {t})"]),
            (Sort::Number, &["EXTRACTVALUE({x}, {q}) + 0"]),
            (Sort::Xml, &["UPDATEXML({x}, {q}, {x})", "UPDATEXML({x}, {q}, {t})", "CONCAT({x}, {x})"]),
        ],
        conditions: &["EXTRACTVALUE({x}, {q}) = {a}"],
    },
    Family {
        name: "dynamic columns",
        values: &[
            (
                Sort::Number,
                &[
                    "COLUMN_GET(COLUMN_CREATE('a', {a}), 'a' AS SIGNED)",
                    "COLUMN_GET(COLUMN_CREATE(1, {a}, 2, {a}), 2 AS DECIMAL(10,2))",
                    "COLUMN_EXISTS(COLUMN_CREATE('a', {a}, 'b', {a}), {t})",
                    "COLUMN_CHECK({t})",
                    "LENGTH(COLUMN_CREATE({t}, {a}))",
                ],
            ),
            (
                Sort::Text,
                &[
                    "COLUMN_JSON(COLUMN_CREATE('a', {a}, 'b', {a}))",
                    "COLUMN_JSON(COLUMN_ADD(COLUMN_CREATE('a', {a}), 'b', {a}, 'a', {a}))",
                    "COLUMN_LIST(COLUMN_CREATE({t}, {a}, 'b', {a}))",
                    "COLUMN_LIST(COLUMN_DELETE(COLUMN_CREATE('a', {a}, 'b', {a}), 'a'))",
                    "COLUMN_GET(COLUMN_CREATE('a', {a}), 'a' AS CHAR)",
                    "HEX(COLUMN_CREATE('a', {a}, 'b', {a}))",
                ],
            ),
        ],
        conditions: &["COLUMN_EXISTS(COLUMN_CREATE('a', {a}), 'a')"],
    },
    Family {
        name: "geometry",
        values: &[
            (
                Sort::Number,
                &[
                    "ST_X({g})",
                    "ST_Y({g})",
                    "ST_AREA({g})",
                    "ST_LENGTH({g})",
                    "ST_SRID({g})",
                    "ST_DIMENSION({g})",
                    "ST_NUMPOINTS({g})",
                    "ST_NUMGEOMETRIES({g})",
                    "ST_NUMINTERIORRINGS({g})",
                    "ST_ISCLOSED({g})",
                    "ST_ISEMPTY({g})",
                    "ST_DISTANCE({g}, {g})",
                    "LENGTH({g})",
                    "CRC32({g})",
                    "ISNULL({g})",
                ],
            ),
            (
                Sort::Text,
                &[
                    "ST_ASTEXT({g})",
                    "ST_ASTEXT({a})",
                    "HEX(ST_ASBINARY({g}))",
                    "HEX({g})",
                    "ST_GEOMETRYTYPE({g})",
                    "MD5({g})",
                    "CONCAT({g}, {t})",
                    "CAST({g} AS CHAR)",
                ],
            ),
            (
                Sort::Place,
                &[
                    "POINT({n}, {n})",
                    "LINESTRING({g}, {g})",
                    "POLYGON({g})",
                    "MULTIPOINT({g}, {g})",
                    "MULTILINESTRING({g})",
                    "GEOMETRYCOLLECTION({g}, {g})",
                    "ST_GEOMFROMTEXT({t})",
                    "ST_GEOMFROMTEXT(ST_ASTEXT({g}), {i})",
                    "ST_GEOMFROMWKB(ST_ASBINARY({g}))",
                    "ST_GEOMFROMWKB({t})",
                    "ST_STARTPOINT({g})",
                    "ST_ENDPOINT({g})",
                    "ST_EXTERIORRING({g})",
                    "ST_POINTN({g}, {i})",
                    "ST_INTERIORRINGN({g}, {i})",
                    "ST_GEOMETRYN({g}, {i})",
                    "ST_ENVELOPE({g})",
                    "ST_CENTROID({g})",
                    "IF({b}, {g}, {g})",
                    "COALESCE({g}, {g})",
                    "CASE WHEN {b} THEN {g} ELSE {g} END",
                    "NULLIF({g}, {g})",
                ],
            ),
        ],
        conditions: &[
            "ST_EQUALS({g}, {g})",
            "ST_INTERSECTS({g}, {g})",
            "ST_DISJOINT({g}, {g})",
            "ST_WITHIN({g}, {g})",
            "ST_CONTAINS({g}, {g})",
            "MBRCONTAINS({g}, {g})",
            "MBRINTERSECTS({g}, {g})",
            "MBREQUAL({g}, {g})",
            "{g} = {g}",
            "{g} IN ({g}, {g})",
            "{g} <=> {a}",
        ],
    },
    Family {
        name: "fixed",
        values: &[
            (
                Sort::Fixed,
                &[
                    "CAST({a} AS UUID)",
                    "CAST({t} AS INET6)",
                    "CAST({u} AS INET6)",
                    "CAST({t} AS INET4)",
                    "CAST({u} AS INET4)",
                    "COALESCE({u}, {u})",
                    "IF({b}, {u}, {t})",
                    "IFNULL({u}, {u})",
                    "NULLIF({u}, {a})",
                    "GREATEST({u}, {u})",
                    "LEAST({u}, {t})",
                    "CASE WHEN {b} THEN {u} ELSE {a} END",
                    "CONVERT({u}, UUID)",
                ],
            ),
            (
                Sort::Text,
                &[
                    "CAST({u} AS CHAR)",
                    "HEX({u})",
                    "CONCAT({u}, {t})",
                    "CAST({u} AS BINARY)",
                    "HEX(CAST({u} AS BINARY(16)))",
                    "LEFT({u}, {i})",
                    "INET6_NTOA({u})",
                    "UPPER({u})",
                    "JSON_QUOTE({u})",
                    "IFNULL({u}, {t})",
                ],
            ),
            (
                Sort::Number,
                &["LENGTH({u})", "CRC32({u})", "{u} + {n}", "CAST({u} AS SIGNED)", "IS_IPV4({u})"],
            ),
            (Sort::Json, &["JSON_ARRAY({u}, {u})", "JSON_OBJECT({u}, {u})"]),
        ],
        conditions: &[
            "{u} = {u}",
            "{u} < {u}",
            "{u} = {t}",
            "{u} <> {a}",
            "{u} IN ({u}, {t})",
            "{u} BETWEEN {u} AND {t}",
            "{u} <=> {u}",
            "{u} LIKE {t}",
            "{u} IS NULL",
        ],
    },
    Family {
        name: "ciphers",
        values: &[
            (
                Sort::Text,
                &[
                    "HEX(ENCODE({t}, {t}))",
                    "DECODE(ENCODE({t}, {t}), {t})",
                    "DECODE({t}, {t})",
                    "HEX(DES_ENCRYPT({t}, {t}))",
                    "DES_DECRYPT(DES_ENCRYPT({t}, 'k'), 'k')",
                    "DES_DECRYPT({t}, {t})",
                    "HEX(DES_ENCRYPT({t}))",
                    "AES_DECRYPT({t}, {t})",
                    "AES_DECRYPT(UNHEX({t}), {t})",
                ],
            ),
            (Sort::Number, &["LENGTH(ENCODE({a}, {t}))", "LENGTH(DES_ENCRYPT({a}, {t}))"]),
        ],
        conditions: &["DECODE({t}, 'k') = {t}"],
    },
    Family {
        name: "zones",
        values: &[
            (
                Sort::Date,
                &[
                    "CONVERT_TZ({d}, {z}, {z})",
                    "CONVERT_TZ({a}, {z}, {z})",
                    "FROM_UNIXTIME({n})",
                    "FROM_UNIXTIME({n} + 1000000000)",
                    "CAST(CAST({d} AS DATETIME) AS DATE)",
                    "CONVERT_TZ({d}, {t}, {z})",
                ],
            ),
            (Sort::Text, &["FROM_UNIXTIME({n}, '%Y-%m-%d %H:%i')", "DATE_FORMAT({d}, '%M %b', 'de_DE')"]),
            (Sort::Number, &["UNIX_TIMESTAMP({d})", "UNIX_TIMESTAMP(CONVERT_TZ({d}, {z}, {z}))"]),
        ],
        conditions: &["CONVERT_TZ({d}, {z}, {z}) > {d}"],
    },
    Family {
        name: "variables",
        values: &[
            (Sort::Number, &["{v}", "{v} + {n}", "ABS({v})", "COERCIBILITY({v})"]),
            (Sort::Text, &["{v}", "CONCAT({v}, {t})", "COLLATION({v})", "CHARSET({v})", "UPPER({v})"]),
            (Sort::Date, &["{v}", "DATE({v})", "{v} + INTERVAL {i} DAY"]),
            (Sort::Time, &["{v}", "TIME({v})"]),
            (Sort::Json, &["{v}", "JSON_ARRAY({v}, {v})"]),
        ],
        conditions: &["{v} = {a}", "{v} IN ({a}, {a})", "{v} BETWEEN {a} AND {a}", "{v}", "{v} IS NULL"],
    },
    Family {
        name: "collations",
        values: &[
            (
                Sort::Text,
                &[
                    "{t} COLLATE utf8mb4_general_ci",
                    "{t} COLLATE utf8mb4_unicode_520_ci",
                    "{t} COLLATE utf8mb4_german2_ci",
                    "{t} COLLATE utf8mb4_uca1400_ai_ci",
                    "{t} COLLATE utf8mb4_nopad_bin",
                    "CONVERT({t} USING ucs2)",
                    "CONVERT({t} USING utf16)",
                    "CONVERT({t} USING utf32)",
                    "CAST({a} AS CHAR(5) CHARACTER SET utf8mb3)",
                    "CAST({a} AS CHAR CHARACTER SET ascii)",
                    "CONVERT({t} USING latin1) COLLATE latin1_german1_ci",
                    "{t} || {t}",
                    "CONCAT({t}, CONVERT({t} USING latin1))",
                    "HEX(CONVERT({t} USING utf16))",
                ],
            ),
            (
                Sort::Number,
                &["NOT {n}", "{n} || {n}", "!{n}", "COERCIBILITY({t})", "LENGTH({t} COLLATE utf8mb4_bin)"],
            ),
        ],
        conditions: &[
            "{t} = {t} COLLATE utf8mb4_bin",
            "{t} < CONVERT({t} USING latin1)",
            "{t} LIKE {t} COLLATE utf8mb4_unicode_ci",
            "{t} IN ({t}, {t} COLLATE utf8mb4_unicode_520_ci)",
            "NOT {n} BETWEEN {n} AND {n}",
            "NOT {t} LIKE {t}",
            "NOT {n} IN ({n}, {n})",
        ],
    },
];

/// Families of statements and of operands that the generator makes by itself, for `--family`.
pub const FORMS: &[&str] =
    &["subqueries", "windows", "ordered", "groups", "unions", "binary", "tables", "percentiles", "loads"];

/// Time zones.
pub const ZONES: &[&str] = &[
    "'Europe/Berlin'",
    "'America/New_York'",
    "'Asia/Kolkata'",
    "'Australia/Lord_Howe'",
    "'UTC'",
    "'SYSTEM'",
    "'+02:00'",
    "'-12:30'",
    "'+14:00'",
    "'europe/berlin'",
    "'Nowhere'",
];

/// User variables; SET gives them values.
pub const VARIABLES: &[&str] = &["@v1", "@v2", "@v3", "@unset"];

/// XPaths.
pub const XPATHS: &[&str] = &[
    "'/a'",
    "'/a/b'",
    "'//b'",
    "'/a/b[1]'",
    "'/a/b[2]/text()'",
    "'/a/@x'",
    "'//@*'",
    "'/a/*'",
    "'count(//b)'",
    "'/a/b[@x=\"1\"]'",
    "'//b[.=\"two\"]'",
    "'/a/b|/a/c'",
    "'/a/c/..'",
    "'/a/b[last()]'",
    "'/a/b[position()=2]'",
    "'sum(//b)'",
    "'string-length(/a/c)'",
    "'/a/descendant::b'",
    "'/a/child::*[2]'",
    "'concat(/a/b, \"-\")'",
    "'//b[contains(., \"w\")]'",
    "'/a/b[@x>1]'",
    "'not(/a)'",
    "'1+2*3'",
    "'/x['",
];
