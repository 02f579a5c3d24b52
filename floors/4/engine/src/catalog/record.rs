//! Keys and values of the catalog tree.
//!
//! ```text
//! 'D' database                  -> DatabaseDef, JSON
//! 'T' database 0 table          -> TableRecord, JSON
//! 'V' database 0 view           -> ViewDef, JSON
//! 'W' table id (8, BE)          -> TableRecord, JSON: a table that an ALTER is filling
//! 'P' space 0 key               -> bytes of the rooms above
//! 'R' tree number (4, BE)       -> root page (4, LE): local to this page file, not in the log; none for a tree that has
//!                                  had no row yet
//! 'S' table id (8, BE)          -> TableStats, JSON: as of the checkpoint, not in the log; none while they are zero
//! ```
//!
//! Names hold no zero byte (SQL forbids it).

use serde::{Deserialize, Serialize};
use types::TableDef;

/// Options of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseDef {
    /// Default collation of new tables.
    pub collation: types::CollationId,
    /// COMMENT.
    pub comment: String,
}

/// A table as the catalog keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableRecord {
    /// The table's id.
    pub(crate) id: u64,
    /// Its definition.
    pub(crate) def: TableDef,
    /// Tree of the rows, then one for each index of the definition that is not the primary key, in order.
    pub(crate) trees: Vec<u32>,
    /// Those of them whose entries keep columns beside their keys (`secondary`), where the index has such; trees that older
    /// builds made are not among them.
    #[serde(default)]
    pub(crate) keeping: Vec<u32>,
    /// When the definition was made or altered: seconds since 1970. 0 where nobody noted it.
    #[serde(default)]
    pub(crate) defined_at: u32,
    /// Columns that were added without rows being written, and what these have in them (`RowLayout::with_absent`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) absent: Vec<(usize, Vec<u8>)>,
}

/// What a checkpoint notes about a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableStats {
    /// Live rows.
    pub(crate) rows: i64,
    /// Next AUTO_INCREMENT value.
    pub(crate) auto_increment: u64,
    /// Next hidden row id.
    pub(crate) row_id: u64,
}

pub(crate) const DATABASE: u8 = b'D';
pub(crate) const TABLE: u8 = b'T';
pub(crate) const VIEW: u8 = b'V';
pub(crate) const UNFINISHED: u8 = b'W';
pub(crate) const RECORD: u8 = b'P';
pub(crate) const ROOT: u8 = b'R';
pub(crate) const STATS: u8 = b'S';

pub(crate) fn database_key(name: &str) -> Vec<u8> {
    [&[DATABASE], name.as_bytes()].concat()
}

pub(crate) fn table_key(db: &str, table: &str) -> Vec<u8> {
    [&[TABLE], db.as_bytes(), &[0], table.as_bytes()].concat()
}

pub(crate) fn view_key(db: &str, view: &str) -> Vec<u8> {
    [&[VIEW], db.as_bytes(), &[0], view.as_bytes()].concat()
}

pub(crate) fn unfinished_key(id: u64) -> Vec<u8> {
    [&[UNFINISHED][..], &id.to_be_bytes()].concat()
}

pub(crate) fn record_key(space: &str, key: &str) -> Vec<u8> {
    [&[RECORD], space.as_bytes(), &[0], key.as_bytes()].concat()
}

pub(crate) fn root_key(tree: u32) -> Vec<u8> {
    [&[ROOT][..], &tree.to_be_bytes()].concat()
}

pub(crate) fn stats_key(id: u64) -> Vec<u8> {
    [&[STATS][..], &id.to_be_bytes()].concat()
}

/// A key of the catalog tree, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CatalogKey {
    Database(String),
    Table(String, String),
    View(String, String),
    Unfinished(u64),
    Record(String, String),
    Root(u32),
    Stats(u64),
}

impl CatalogKey {
    /// Total: `None` for bytes that no writer writes.
    pub(crate) fn decode(key: &[u8]) -> Option<CatalogKey> {
        let (space, rest) = key.split_first()?;
        let text = |bytes: &[u8]| std::str::from_utf8(bytes).ok().map(str::to_owned);
        let pair = || {
            let at = rest.iter().position(|&b| b == 0)?;
            Some((text(&rest[..at])?, text(&rest[at + 1..])?))
        };
        let number = || Some(u64::from_be_bytes(rest.try_into().ok()?));
        Some(match *space {
            DATABASE => CatalogKey::Database(text(rest)?),
            TABLE => pair().map(|(db, table)| CatalogKey::Table(db, table))?,
            VIEW => pair().map(|(db, view)| CatalogKey::View(db, view))?,
            UNFINISHED => CatalogKey::Unfinished(number()?),
            RECORD => pair().map(|(space, key)| CatalogKey::Record(space, key))?,
            ROOT => CatalogKey::Root(u32::from_be_bytes(rest.try_into().ok()?)),
            STATS => CatalogKey::Stats(number()?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_and_rubbish_does_not() {
        let decode = |key: Vec<u8>| CatalogKey::decode(&key).unwrap();
        assert_eq!(decode(database_key("d")), CatalogKey::Database("d".into()));
        assert_eq!(decode(table_key("d", "t")), CatalogKey::Table("d".into(), "t".into()));
        assert_eq!(decode(view_key("d", "v")), CatalogKey::View("d".into(), "v".into()));
        assert_eq!(decode(unfinished_key(7)), CatalogKey::Unfinished(7));
        assert_eq!(decode(record_key("user", "root@%")), CatalogKey::Record("user".into(), "root@%".into()));
        assert_eq!(decode(root_key(3)), CatalogKey::Root(3));
        assert_eq!(decode(stats_key(9)), CatalogKey::Stats(9));
        for bad in [&b""[..], b"X", b"Tno-zero", b"R123", b"S1", b"D\xFF\xFE"] {
            assert_eq!(CatalogKey::decode(bad), None, "{bad:?}");
        }
    }
}
