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
