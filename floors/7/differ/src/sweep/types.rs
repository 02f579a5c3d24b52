//! The columns of the table that sweeps look at: one for each type.

/// A column with its values as they are written.
pub struct Column {
    /// Its name; without a digit at its end, so that shapes of statements keep it.
    pub name: &'static str,
    /// Its type.
    pub ty: &'static str,
    /// A value like most.
    pub ordinary: &'static str,
    /// A value at a limit, or an empty one.
    pub extreme: &'static str,
}

impl Column {
    /// The type without its NOT NULL.
    pub fn nullable(&self) -> &'static str {
        self.ty.trim_end_matches(" NOT NULL")
    }
}

const fn column(
    name: &'static str,
    ty: &'static str,
    ordinary: &'static str,
    extreme: &'static str,
) -> Column {
    Column { name, ty, ordinary, extreme }
}

/// All types.
pub const COLUMNS: &[Column] = &[
    column("ti", "TINYINT", "1", "-128"),
    column("tu", "TINYINT UNSIGNED", "1", "255"),
    column("si", "SMALLINT", "1", "-32768"),
    column("i", "INT", "1", "-2147483648"),
    column("inn", "INT NOT NULL", "1", "0"),
    column("iu", "INT UNSIGNED", "1", "4294967295"),
    column("iz", "INT(6) ZEROFILL", "1", "42"),
    column("b", "BIGINT", "1", "-9223372036854775808"),
    column("bu", "BIGINT UNSIGNED", "1", "18446744073709551615"),
    column("d", "DECIMAL(10,2)", "1.50", "-99999999.99"),
    column("dz", "DECIMAL(10,0)", "1", "-5"),
    column("dl", "DECIMAL(40,20)", "1.5", "12345678901234567890.12345678901234567890"),
    column("du", "DECIMAL(6,3) UNSIGNED NOT NULL", "1.5", "999.999"),
    column("f", "FLOAT", "1.5", "-3.4e10"),
    column("db", "DOUBLE", "1.5", "1e100"),
    column("dbd", "DOUBLE(10,3)", "1.5", "-1234567.891"),
    column("bit", "BIT(1)", "1", "0"),
    column("bits", "BIT(40)", "1", "1099511627775"),
    column("y", "YEAR", "2001", "1901"),
    column("da", "DATE", "'2020-02-29'", "'9999-12-31'"),
    column("tm", "TIME", "'10:11:12'", "'-838:59:59'"),
    column("tmf", "TIME(3)", "'10:11:12.345'", "'838:59:59.999'"),
    column("dt", "DATETIME", "'2020-02-29 10:11:12'", "'1000-01-01 00:00:00'"),
    column("dtf", "DATETIME(6)", "'2020-02-29 10:11:12.345678'", "'9999-12-31 23:59:59.999999'"),
    column("ts", "TIMESTAMP NULL", "'2020-02-29 10:11:12'", "'1970-01-02 00:00:01'"),
    column("tsf", "TIMESTAMP(2) NULL", "'2020-02-29 10:11:12.34'", "'2038-01-18 03:14:07.99'"),
    column("c", "CHAR(8)", "'abc'", "''"),
    column("v", "VARCHAR(20)", "'1abc'", "'10'"),
    column("vn", "VARCHAR(20) NOT NULL", "'Hello'", "''"),
    column("vl", "VARCHAR(20) CHARACTER SET latin1", "'\u{E9}1'", "'\u{DF}'"),
    column("vb", "VARBINARY(20)", "'ab'", "'\\0\\1'"),
    column("bi", "BINARY(6)", "'ab'", "'10'"),
    column("t", "TEXT", "'text 1'", "'-7'"),
    column("tt", "TINYTEXT", "'1.5'", "''"),
    column("mt", "MEDIUMTEXT", "'2020-01-01'", "'{\"b\":2}'"),
    column("lb", "LONGBLOB", "'xyz'", "'2020-01-01 10:10:10'"),
    column("bl", "BLOB", "'1'", "'abc'"),
    column("e", "ENUM('a','bb','1')", "'bb'", "'1'"),
    column("s", "SET('x','yy','1')", "'x,yy'", "''"),
    column("j", "JSON", "'{\"a\": [1, \"x\"]}'", "'[1,2,{\"c\":null}]'"),
    column("u", "UUID", "'123e4567-e89b-12d3-a456-426655440000'", "'00000000-0000-0000-0000-000000000001'"),
    column("ip", "INET6", "'::1'", "'ffff:ffff::'"),
];

/// Those that forms of two operands are tried with.
pub const PAIRED: &[&str] = &[
    "tu", "i", "bu", "d", "f", "db", "bits", "y", "da", "tmf", "dt", "dtf", "c", "vl", "vb", "t", "bl", "e",
    "s", "j",
];
