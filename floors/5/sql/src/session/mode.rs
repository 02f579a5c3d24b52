//! The bits of `sql_mode`, with MariaDB's numbers (they go into the log's QUERY events).

/// `REAL_AS_FLOAT`.
pub const REAL_AS_FLOAT: u64 = 1;
/// `PIPES_AS_CONCAT`.
pub const PIPES_AS_CONCAT: u64 = 1 << 1;
/// `ANSI_QUOTES`.
pub const ANSI_QUOTES: u64 = 1 << 2;
/// `IGNORE_SPACE`.
pub const IGNORE_SPACE: u64 = 1 << 3;
/// `IGNORE_BAD_TABLE_OPTIONS`.
pub const IGNORE_BAD_TABLE_OPTIONS: u64 = 1 << 4;
/// `ONLY_FULL_GROUP_BY`.
pub const ONLY_FULL_GROUP_BY: u64 = 1 << 5;
/// `NO_UNSIGNED_SUBTRACTION`.
pub const NO_UNSIGNED_SUBTRACTION: u64 = 1 << 6;
/// `NO_DIR_IN_CREATE`.
pub const NO_DIR_IN_CREATE: u64 = 1 << 7;
/// `ANSI`.
pub const ANSI: u64 = 1 << 18;
/// `NO_AUTO_VALUE_ON_ZERO`.
pub const NO_AUTO_VALUE_ON_ZERO: u64 = 1 << 19;
/// `NO_BACKSLASH_ESCAPES`.
pub const NO_BACKSLASH_ESCAPES: u64 = 1 << 20;
/// `STRICT_TRANS_TABLES`.
pub const STRICT_TRANS_TABLES: u64 = 1 << 21;
/// `STRICT_ALL_TABLES`.
pub const STRICT_ALL_TABLES: u64 = 1 << 22;
/// `NO_ZERO_IN_DATE`.
pub const NO_ZERO_IN_DATE: u64 = 1 << 23;
/// `NO_ZERO_DATE`.
pub const NO_ZERO_DATE: u64 = 1 << 24;
/// `ALLOW_INVALID_DATES`.
pub const ALLOW_INVALID_DATES: u64 = 1 << 25;
/// `ERROR_FOR_DIVISION_BY_ZERO`.
pub const ERROR_FOR_DIVISION_BY_ZERO: u64 = 1 << 26;
/// `TRADITIONAL`.
pub const TRADITIONAL: u64 = 1 << 27;
/// `NO_AUTO_CREATE_USER`.
pub const NO_AUTO_CREATE_USER: u64 = 1 << 28;
/// `HIGH_NOT_PRECEDENCE`.
pub const HIGH_NOT_PRECEDENCE: u64 = 1 << 29;
/// `NO_ENGINE_SUBSTITUTION`.
pub const NO_ENGINE_SUBSTITUTION: u64 = 1 << 30;
/// `PAD_CHAR_TO_FULL_LENGTH`.
pub const PAD_CHAR_TO_FULL_LENGTH: u64 = 1 << 31;
/// `EMPTY_STRING_IS_NULL`.
pub const EMPTY_STRING_IS_NULL: u64 = 1 << 32;
/// `SIMULTANEOUS_ASSIGNMENT`.
pub const SIMULTANEOUS_ASSIGNMENT: u64 = 1 << 33;
/// `TIME_ROUND_FRACTIONAL`.
pub const TIME_ROUND_FRACTIONAL: u64 = 1 << 34;

/// MariaDB 10.11's default.
pub const DEFAULT: u64 =
    STRICT_TRANS_TABLES | ERROR_FOR_DIVISION_BY_ZERO | NO_AUTO_CREATE_USER | NO_ENGINE_SUBSTITUTION;

/// `POSTGRESQL`, a name for other bits.
const POSTGRESQL: u64 = 1 << 8;
/// `ORACLE`.
pub const ORACLE: u64 = 1 << 9;
const MSSQL: u64 = 1 << 10;
const DB2: u64 = 1 << 11;
const MAXDB: u64 = 1 << 12;
/// `NO_KEY_OPTIONS`.
pub const NO_KEY_OPTIONS: u64 = 1 << 13;
/// `NO_TABLE_OPTIONS`.
pub const NO_TABLE_OPTIONS: u64 = 1 << 14;
/// `NO_FIELD_OPTIONS`.
pub const NO_FIELD_OPTIONS: u64 = 1 << 15;
/// `MYSQL323`.
pub const MYSQL323: u64 = 1 << 16;
/// `MYSQL40`.
pub const MYSQL40: u64 = 1 << 17;
/// The modes named for other servers, and ANSI.
pub const FOREIGN_SERVERS: u64 = POSTGRESQL | ORACLE | MSSQL | DB2 | MAXDB | ANSI;

/// Names in the order of the bits.
pub(crate) const NAMES: [&str; 35] = [
    "REAL_AS_FLOAT",
    "PIPES_AS_CONCAT",
    "ANSI_QUOTES",
    "IGNORE_SPACE",
    "IGNORE_BAD_TABLE_OPTIONS",
    "ONLY_FULL_GROUP_BY",
    "NO_UNSIGNED_SUBTRACTION",
    "NO_DIR_IN_CREATE",
    "POSTGRESQL",
    "ORACLE",
    "MSSQL",
    "DB2",
    "MAXDB",
    "NO_KEY_OPTIONS",
    "NO_TABLE_OPTIONS",
    "NO_FIELD_OPTIONS",
    "MYSQL323",
    "MYSQL40",
    "ANSI",
    "NO_AUTO_VALUE_ON_ZERO",
    "NO_BACKSLASH_ESCAPES",
    "STRICT_TRANS_TABLES",
    "STRICT_ALL_TABLES",
    "NO_ZERO_IN_DATE",
    "NO_ZERO_DATE",
    "ALLOW_INVALID_DATES",
    "ERROR_FOR_DIVISION_BY_ZERO",
    "TRADITIONAL",
    "NO_AUTO_CREATE_USER",
    "HIGH_NOT_PRECEDENCE",
    "NO_ENGINE_SUBSTITUTION",
    "PAD_CHAR_TO_FULL_LENGTH",
    "EMPTY_STRING_IS_NULL",
    "SIMULTANEOUS_ASSIGNMENT",
    "TIME_ROUND_FRACTIONAL",
];

/// What a name of several modes stands for.
const COMBINATIONS: [(u64, u64); 9] = [
    (ANSI, REAL_AS_FLOAT | PIPES_AS_CONCAT | ANSI_QUOTES | IGNORE_SPACE),
    (POSTGRESQL, FOREIGN),
    (MSSQL, FOREIGN),
    (DB2, FOREIGN),
    (MAXDB, FOREIGN | NO_AUTO_CREATE_USER),
    (ORACLE, FOREIGN | NO_AUTO_CREATE_USER | SIMULTANEOUS_ASSIGNMENT),
    (MYSQL323, HIGH_NOT_PRECEDENCE),
    (MYSQL40, HIGH_NOT_PRECEDENCE),
    (
        TRADITIONAL,
        STRICT_TRANS_TABLES
            | STRICT_ALL_TABLES
            | NO_ZERO_IN_DATE
            | NO_ZERO_DATE
            | ERROR_FOR_DIVISION_BY_ZERO
            | NO_AUTO_CREATE_USER
            | NO_ENGINE_SUBSTITUTION,
    ),
];

/// What the modes named for other servers have in common.
const FOREIGN: u64 =
    PIPES_AS_CONCAT | ANSI_QUOTES | IGNORE_SPACE | NO_KEY_OPTIONS | NO_TABLE_OPTIONS | NO_FIELD_OPTIONS;

/// The modes as `@@sql_mode` shows them.
pub fn text(bits: u64) -> String {
    let set = NAMES.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
    set.map(|(_, name)| *name).collect::<Vec<_>>().join(",")
}

/// The modes that a number names, with those that they stand for; none for a bit without a name.
pub fn expanded(bits: u64) -> Option<u64> {
    if bits >> NAMES.len() != 0 {
        return None;
    }
    Some(COMBINATIONS.iter().filter(|(name, _)| bits & name != 0).fold(bits, |bits, (_, more)| bits | more))
}

/// Reads a list of modes in any letter case; empty members are passed over. The error is the unknown name.
pub fn parse(list: &str) -> Result<u64, String> {
    let mut bits = 0;
    for word in list.split(',').filter(|word| !word.is_empty()) {
        let position = NAMES.iter().position(|name| name.eq_ignore_ascii_case(word));
        bits |= 1 << position.ok_or_else(|| word.to_owned())?;
    }
    Ok(expanded(bits).unwrap_or(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_written_back() {
        assert_eq!(
            text(DEFAULT),
            "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION"
        );
        assert_eq!(parse(&text(DEFAULT)), Ok(DEFAULT));
        assert_eq!(parse(",strict_trans_tables,,ansi_quotes"), Ok(STRICT_TRANS_TABLES | ANSI_QUOTES));
        assert_eq!(
            text(parse("ansi").unwrap()),
            "REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,IGNORE_SPACE,ANSI"
        );
        assert_eq!(parse("ANSI,nothing"), Err("nothing".into()));
        assert_eq!(expanded(1 << 40), None);
        assert_eq!(expanded(TIME_ROUND_FRACTIONAL), Some(TIME_ROUND_FRACTIONAL));
    }
}
