//! The parts of a statement.

/// The part of a statement that a name stands in, as messages name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clause {
    /// Select list and anything without a name of its own.
    Select,
    /// WHERE.
    Where,
    /// ON.
    On,
    /// USING and NATURAL.
    From,
    /// GROUP BY.
    GroupBy,
    /// HAVING.
    Having,
    /// ORDER BY.
    OrderBy,
    /// SET of UPDATE, and the statement.
    Set,
    /// DO.
    Do,
    /// KILL.
    Kill,
    /// ON DUPLICATE KEY UPDATE.
    OnDuplicate,
    /// The column list of INSERT.
    InsertInto,
    /// VALUES of INSERT.
    Values,
    /// CHECK of a table.
    Check,
    /// A generated column.
    Generated,
    /// DEFAULT of a column.
    Default,
    /// The document of JSON_TABLE.
    JsonTable,
}

impl Clause {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "SELECT",
            Self::Where => "WHERE",
            Self::On => "ON",
            Self::From => "FROM",
            Self::GroupBy => "GROUP BY",
            Self::Having => "HAVING",
            Self::OrderBy => "ORDER BY",
            Self::Set => "SET",
            Self::Do => "DO",
            Self::Kill => "KILL",
            Self::OnDuplicate => "UPDATE",
            Self::InsertInto => "INSERT INTO",
            Self::Values => "VALUES",
            Self::Check => "CHECK",
            Self::Generated => "GENERATED ALWAYS AS",
            Self::Default => "DEFAULT",
            Self::JsonTable => "JSON_TABLE",
        }
    }
}
