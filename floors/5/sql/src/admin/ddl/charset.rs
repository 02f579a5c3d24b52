//! Character sets and collations as definitions write them.

use crate::error::SqlError;
use crate::syntax::ast::{CharsetClause, CharsetSpec};
use types::{Charset, Collation, CollationId};

/// The collation that a specification means where `inherited` holds without it.
pub fn resolve(spec: &CharsetSpec, inherited: CollationId) -> Result<CollationId, SqlError> {
    let charset = match spec.charset.as_deref() {
        None => None,
        Some(name) if name.eq_ignore_ascii_case("default") => None,
        Some(name) => Some(charset(name)?),
    };
    let named = match spec.collation.as_deref() {
        None => None,
        Some(name) if name.eq_ignore_ascii_case("default") => None,
        Some(name) => Some(collation(name)?),
    };
    match (charset, named) {
        (Some(charset), Some(collation)) if collation.charset() != charset => {
            Err(SqlError::collation_charset_mismatch(collation.name(), charset.name()))
        }
        (_, Some(collation)) => Ok(collation),
        (charset, None) if spec.binary => Ok(charset.unwrap_or(inherited.charset()).bin_collation()),
        (Some(charset), None) => Ok(charset.default_collation()),
        (None, None) => Ok(inherited),
    }
}

/// The collation that clauses of a table or database mean where `inherited` holds without them; `around` is what DEFAULT
/// takes its character set from. They may be repeated, and contradict each other in nothing.
pub fn of_clauses<'c>(
    clauses: impl IntoIterator<Item = &'c CharsetClause>,
    inherited: CollationId,
    around: CollationId,
) -> Result<CollationId, SqlError> {
    let is_default = |name: &str| name.eq_ignore_ascii_case("default");
    let mut said_charset: Option<(Charset, String)> = None;
    let mut said_collation: Option<(Option<CollationId>, String)> = None;
    for clause in clauses {
        match clause {
            CharsetClause::Charset(name) => {
                let (charset, shown) = match is_default(name) {
                    true => (around.charset(), format!("DEFAULT ({})", around.charset().name())),
                    false => charset(name).map(|charset| (charset, charset.name().to_owned()))?,
                };
                agree("CHARACTER SET", said_charset.as_ref().map(|(_, said)| said), &shown)?;
                said_charset = Some((charset, shown));
            }
            CharsetClause::Collate(name) => {
                let (named, shown) = match is_default(name) {
                    true => (None, "DEFAULT".to_owned()),
                    false => collation(name).map(|id| (Some(id), id.name().to_owned()))?,
                };
                agree("COLLATE", said_collation.as_ref().map(|(_, said)| said), &shown)?;
                said_collation = Some((named, shown));
            }
        }
        if let (Some((charset, _)), Some((Some(collation), _))) = (&said_charset, &said_collation)
            && collation.charset() != *charset
        {
            return Err(SqlError::collation_charset_mismatch(collation.name(), charset.name()));
        }
    }
    Ok(match (said_charset, said_collation) {
        (_, Some((Some(collation), _))) => collation,
        (Some((charset, _)), _) => charset.default_collation(),
        (None, Some((None, _))) => inherited.charset().default_collation(),
        (None, None) => inherited,
    })
}

/// Error 1302 where a clause says something else than the one before.
fn agree(word: &str, before: Option<&String>, now: &str) -> Result<(), SqlError> {
    match before {
        Some(before) if before != now => Err(SqlError::conflicting_declarations(word, before, word, now)),
        _ => Ok(()),
    }
}

/// A character set by name; error 1115.
pub fn charset(name: &str) -> Result<Charset, SqlError> {
    Charset::by_name(name).ok_or_else(|| SqlError::unknown_character_set(name))
}

/// A collation by name; error 1273.
pub fn collation(name: &str) -> Result<CollationId, SqlError> {
    let found = Collation::by_name(name).map(|collation| collation.id);
    found.ok_or_else(|| SqlError::unknown_collation(name))
}
