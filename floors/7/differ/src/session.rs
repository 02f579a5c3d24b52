//! How the sessions begin that statements are compared in.

use crate::dice::Dice;

/// The SQL modes that schemas are tried under.
pub const MODES: &[&str] = &[
    "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    "",
    "TRADITIONAL",
    "NO_ZERO_DATE,NO_ZERO_IN_DATE",
    "PAD_CHAR_TO_FULL_LENGTH,PIPES_AS_CONCAT",
];

/// The database of both servers.
pub const DATABASE: &str = "penstock_differ";

/// How a session begins: with an SQL mode.
pub fn session(mode: &str) -> Vec<String> {
    vec![
        "SET NAMES utf8mb4".to_owned(),
        format!("CREATE DATABASE IF NOT EXISTS {DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"),
        format!("USE {DATABASE}"),
        "CREATE TABLE IF NOT EXISTS nothing (a INT)".to_owned(),
        "SET time_zone = '+00:00', timestamp = 1600000000.123456".to_owned(),
        format!("SET sql_mode = '{mode}'"),
        // What FOUND_ROWS() is before the first query is chance on MariaDB.
        "SELECT a FROM nothing".to_owned(),
    ]
}

/// SQL modes that change what expressions mean, any of which a session may have.
const MEANINGS: &[&str] = &[
    "ANSI_QUOTES",
    "PIPES_AS_CONCAT",
    "NO_BACKSLASH_ESCAPES",
    "PAD_CHAR_TO_FULL_LENGTH",
    "ONLY_FULL_GROUP_BY",
    "NO_UNSIGNED_SUBTRACTION",
    "HIGH_NOT_PRECEDENCE",
    "TIME_ROUND_FRACTIONAL",
    "ERROR_FOR_DIVISION_BY_ZERO",
    "NO_ZERO_DATE",
    "NO_ZERO_IN_DATE",
    "ALLOW_INVALID_DATES",
    "REAL_AS_FLOAT",
    "IGNORE_SPACE",
];

/// Other settings that expressions depend on.
const SETTINGS: &[&str] = &[
    "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci",
    "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
    "SET NAMES utf8mb4 COLLATE utf8mb4_uca1400_ai_ci",
    "SET collation_connection = latin1_swedish_ci",
    "SET character_set_results = latin1",
    "SET character_set_results = NULL",
    "SET time_zone = 'Europe/Berlin'",
    "SET time_zone = 'America/New_York'",
    "SET time_zone = '-03:30'",
    "SET lc_time_names = 'de_DE'",
    "SET div_precision_increment = 8",
    "SET div_precision_increment = 0",
    "SET group_concat_max_len = 20",
    "SET default_week_format = 3",
    "SET sql_select_limit = 3",
    "SET old_mode = ''",
];

/// How a session of expressions begins: now and then with modes and settings of its own.
pub fn expressions_session(dice: &mut Dice) -> Vec<String> {
    let mut session = session(dice.pick::<&str>(MODES));
    if dice.chance(1, 2) {
        let mut modes = Vec::new();
        for _ in 0..dice.between(1, 3) {
            modes.push(*dice.pick(MEANINGS));
        }
        session.push(format!("SET sql_mode = CONCAT(@@sql_mode, ',{}')", modes.join(",")));
    }
    if dice.chance(1, 3) {
        session.push((*dice.pick(SETTINGS)).to_owned());
    }
    session
}
