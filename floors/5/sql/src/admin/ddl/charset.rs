//! Character sets and collations as definitions write them.

use crate::error::SqlError;
use crate::syntax::ast::CharsetSpec;
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

/// A character set by name; error 1115.
pub fn charset(name: &str) -> Result<Charset, SqlError> {
    Charset::by_name(name).ok_or_else(|| SqlError::unknown_character_set(name))
}

/// A collation by name; error 1273.
pub fn collation(name: &str) -> Result<CollationId, SqlError> {
    let found = Collation::by_name(name).map(|collation| collation.id);
    found.ok_or_else(|| SqlError::unknown_collation(name))
}
