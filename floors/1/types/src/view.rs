//! Definitions of views, as the catalog stores them: plain data, the query as text.

use crate::charset::CollationId;
use serde::{Deserialize, Serialize};

/// A view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewDef {
    /// Database.
    pub db: String,
    /// Name.
    pub name: String,
    /// Its query in normal form: every name with its table, every table with its database, every column with its
    /// alias. It is read without regard to `sql_mode`.
    pub query: String,
    /// How it is read.
    pub algorithm: ViewAlgorithm,
    /// WITH CHECK OPTION.
    pub check: ViewCheck,
    /// The account whose privileges count: user and host.
    pub definer: (String, String),
    /// SQL SECURITY INVOKER: privileges are those of whoever asks.
    pub invoker: bool,
    /// Rows can be changed through it, as far as its form tells.
    pub updatable: bool,
    /// `character_set_client` of its making.
    pub client_charset: String,
    /// `collation_connection` of its making.
    pub connection: CollationId,
}

/// ALGORITHM of a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewAlgorithm {
    /// Merged where that can be.
    #[default]
    Undefined,
    /// Merged.
    Merge,
    /// Made whole first.
    Temptable,
}

impl ViewAlgorithm {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undefined => "UNDEFINED",
            Self::Merge => "MERGE",
            Self::Temptable => "TEMPTABLE",
        }
    }
}

/// WITH CHECK OPTION of a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewCheck {
    /// Any row can be written.
    #[default]
    None,
    /// Rows must be in the view itself.
    Local,
    /// Rows must be in the view and in those below it.
    Cascaded,
}

impl ViewCheck {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Local => "LOCAL",
            Self::Cascaded => "CASCADED",
        }
    }
}
