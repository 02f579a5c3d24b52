//! A change of the catalog: records put and removed, as one private log event.
//!
//! ```text
//! count u32 | for each: key length u16, key, 0 (removed) or 1 + value length u32 + value
//! ```
//!
//! What it means for trees follows from the records alone, so that service and recovery do the same: a tree that no
//! record names any more is freed; a tree that a record names anew is made; if the rows' tree of that record was
//! there before, the new one is an index and is filled from the rows.

use crate::catalog::record::{self, CatalogKey, DatabaseDef, TableRecord};
use crate::error::{EngineError, Result};
use types::ViewDef;

/// Records put and removed, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CatalogChange {
    pub(crate) records: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

/// One record of a change, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Database(String, Option<DatabaseDef>),
    Table(String, String, Option<Box<TableRecord>>),
    View(String, String, Option<Box<ViewDef>>),
    Unfinished(u64, Option<Box<TableRecord>>),
    Record(String, String, Option<Vec<u8>>),
}

impl CatalogChange {
    pub(crate) fn put_database(&mut self, name: &str, def: &DatabaseDef) -> Result<()> {
        self.put(record::database_key(name), def)
    }

    pub(crate) fn remove_database(&mut self, name: &str) {
        self.records.push((record::database_key(name), None));
    }

    pub(crate) fn put_table(&mut self, table: &TableRecord) -> Result<()> {
        self.put(record::table_key(&table.def.db, &table.def.name), table)
    }

    pub(crate) fn remove_table(&mut self, db: &str, name: &str) {
        self.records.push((record::table_key(db, name), None));
    }

    pub(crate) fn put_view(&mut self, view: &ViewDef) -> Result<()> {
        self.put(record::view_key(&view.db, &view.name), view)
    }

    pub(crate) fn remove_view(&mut self, db: &str, name: &str) {
        self.records.push((record::view_key(db, name), None));
    }

    pub(crate) fn put_unfinished(&mut self, table: &TableRecord) -> Result<()> {
        self.put(record::unfinished_key(table.id), table)
    }

    pub(crate) fn remove_unfinished(&mut self, id: u64) {
        self.records.push((record::unfinished_key(id), None));
    }

    pub(crate) fn put_record(&mut self, space: &str, key: &str, value: Option<&[u8]>) {
        self.records.push((record::record_key(space, key), value.map(<[u8]>::to_vec)));
    }

    fn put(&mut self, key: Vec<u8>, value: &impl serde::Serialize) -> Result<()> {
        let value = serde_json::to_vec(value)
            .map_err(|e| EngineError::Corrupt { verb: "encode the catalog", place: e.to_string() })?;
        self.records.push((key, Some(value)));
        Ok(())
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&(self.records.len() as u32).to_le_bytes());
        for (key, value) in &self.records {
            // Keys are names of at most a few hundred bytes.
            out.extend_from_slice(&(key.len() as u16).to_le_bytes());
            out.extend_from_slice(key);
            match value {
                None => out.push(0),
                Some(value) => {
                    out.push(1);
                    out.extend_from_slice(&(value.len() as u32).to_le_bytes());
                    out.extend_from_slice(value);
                }
            }
        }
        out
    }

    /// Total: `None` for bytes that no writer writes.
    pub(crate) fn decode(bytes: &[u8]) -> Option<CatalogChange> {
        let (count, mut rest) = bytes.split_first_chunk::<4>()?;
        let mut records = Vec::new();
        for _ in 0..u32::from_le_bytes(*count) {
            let (len, after) = rest.split_first_chunk::<2>()?;
            let (key, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*len)))?;
            let (flag, after) = after.split_first()?;
            let value;
            (value, rest) = match flag {
                0 => (None, after),
                1 => {
                    let (len, after) = after.split_first_chunk::<4>()?;
                    let (value, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
                    (Some(value.to_vec()), after)
                }
                _ => return None,
            };
            records.push((key.to_vec(), value));
        }
        rest.is_empty().then_some(CatalogChange { records })
    }
}

/// Decodes one record.
pub(crate) fn decode_record(key: &[u8], value: Option<&[u8]>) -> Result<Change> {
    let corrupt = |place: String| EngineError::Corrupt { verb: "read the catalog", place };
    let bad_key = || corrupt(format!("key {:?}", String::from_utf8_lossy(key)));
    Ok(match CatalogKey::decode(key).ok_or_else(bad_key)? {
        CatalogKey::Database(name) => {
            let def = value.map(serde_json::from_slice).transpose();
            let def = def.map_err(|e| corrupt(format!("database {name}: {e}")))?;
            Change::Database(name, def)
        }
        CatalogKey::Table(db, name) => {
            let table = value.map(serde_json::from_slice).transpose();
            let table = table.map_err(|e| corrupt(format!("table {db}.{name}: {e}")))?;
            Change::Table(db, name, table)
        }
        CatalogKey::View(db, name) => {
            let view = value.map(serde_json::from_slice).transpose();
            let view = view.map_err(|e| corrupt(format!("view {db}.{name}: {e}")))?;
            Change::View(db, name, view)
        }
        CatalogKey::Unfinished(id) => {
            let table = value.map(serde_json::from_slice).transpose();
            let table = table.map_err(|e| corrupt(format!("unfinished table {id}: {e}")))?;
            Change::Unfinished(id, table)
        }
        CatalogKey::Record(space, key) => Change::Record(space, key, value.map(<[u8]>::to_vec)),
        CatalogKey::Root(_) | CatalogKey::Stats(_) => return Err(bad_key()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_back_and_cut_ones_do_not() {
        let mut change = CatalogChange::default();
        change.put_record("user", "root", Some(b"secret"));
        change.remove_table("d", "t");
        let bytes = change.encode();
        assert_eq!(CatalogChange::decode(&bytes), Some(change));
        for len in 0..bytes.len() {
            assert_eq!(CatalogChange::decode(&bytes[..len]), None, "{len}");
        }
    }
}
