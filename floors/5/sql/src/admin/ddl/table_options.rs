//! Options behind a table's columns.

use super::{charset, draft::Draft, names};
use crate::error::SqlError;
use crate::session::{Level, State, mode};
use crate::syntax::ast::{TableOption, TableOptionValue};
use types::CollationId;

/// Options that SHOW CREATE TABLE repeats, in its order; COMMENT comes behind them.
const SHOWN: &[&str] = &[
    "MIN_ROWS",
    "MAX_ROWS",
    "AVG_ROW_LENGTH",
    "PACK_KEYS",
    "STATS_PERSISTENT",
    "STATS_AUTO_RECALC",
    "STATS_SAMPLE_PAGES",
    "CHECKSUM",
    "PAGE_CHECKSUM",
    "DELAY_KEY_WRITE",
    "ROW_FORMAT",
    "TRANSACTIONAL",
    "KEY_BLOCK_SIZE",
];

/// Engines of MariaDB whose promises InnoDB keeps too, and more (rows outlive the server): their tables are InnoDB's
/// without a word, so that older dumps and applications see no warnings. SHOW CREATE TABLE tells the truth.
const COVERED: &[&str] = &["innodb", "default", "myisam", "aria", "memory", "heap"];

/// Engines of MariaDB whose rows are a file's or other tables': theirs are kept like InnoDB's, and the client is told.
const SUBSTITUTED: &[&str] = &["csv", "mrg_myisam", "merge", "archive"];

const MAX_COMMENT: usize = 2048;

/// The collation that the options give a table that has `inherited` without them; `around` is its database's.
pub fn collation(
    options: &[TableOption],
    inherited: CollationId,
    around: CollationId,
) -> Result<CollationId, SqlError> {
    let clauses = options.iter().filter_map(|option| match option {
        TableOption::Charset(clause) => Some(clause),
        _ => None,
    });
    charset::of_clauses(clauses, inherited, around)
}

/// Applies an option, character sets apart.
pub fn apply(option: &TableOption, draft: &mut Draft, state: &mut State) -> Result<(), SqlError> {
    match option {
        TableOption::Engine(name) => check_engine(name, &draft.name, state)?,
        TableOption::AutoIncrement(next) => draft.auto_increment = Some(*next),
        TableOption::Charset(_) => {}
        TableOption::Comment(comment) => {
            let error = SqlError::too_long_table_comment(&draft.name, MAX_COMMENT);
            draft.comment = names::comment(comment, MAX_COMMENT, error, state)?;
        }
        TableOption::RowFormat(format) => keep(draft, "ROW_FORMAT", format),
        TableOption::Other(name, value) => {
            let name = if name == "TABLE_CHECKSUM" { "CHECKSUM" } else { name };
            let text = match value {
                TableOptionValue::Number(n) => n.to_string(),
                TableOptionValue::Word(word) => word.to_ascii_uppercase(),
                TableOptionValue::Str(text) => text.clone(),
                TableOptionValue::Tables(_) => return Ok(()),
            };
            keep(draft, name, &text);
        }
    }
    Ok(())
}

/// Keeps an option in its place; `DEFAULT` and 0 take it away.
fn keep(draft: &mut Draft, name: &str, value: &str) {
    draft.options.retain(|(known, _)| known != name);
    let place = |name: &str| SHOWN.iter().position(|&known| known == name);
    let Some(at) = place(name) else { return };
    let nothing = value == "DEFAULT" || (value == "0" && !name.starts_with("STATS") && name != "PACK_KEYS");
    if nothing {
        return;
    }
    let before = draft.options.iter().filter(|(known, _)| place(known) < Some(at)).count();
    draft.options.insert(before, (name.to_owned(), value.to_owned()));
}

/// Error 1286 for an engine that nobody knows; tables of the known ones are kept like InnoDB's.
fn check_engine(name: &str, table: &str, state: &mut State) -> Result<(), SqlError> {
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    if COVERED.iter().any(|known| is(known)) {
        return Ok(());
    }
    if !SUBSTITUTED.iter().any(|known| is(known)) {
        let error = SqlError::unknown_storage_engine(name);
        if state.vars.has_mode(mode::NO_ENGINE_SUBSTITUTION) {
            return Err(error);
        }
        state.warn(Level::Warning, error.errno, error.message);
    }
    let note = SqlError::using_other_handler("InnoDB", table);
    state.warn(Level::Note, note.errno, note.message);
    Ok(())
}
