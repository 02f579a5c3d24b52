//! INFORMATION_SCHEMA: tables whose rows are made when they are asked for.

use crate::error::SqlError;
use crate::exec::Cx;
use crate::plan::TableAccess;
use types::{TableDef, Value};

/// A virtual table.
pub struct VirtualTable {
    /// Name, upper case.
    pub name: &'static str,
    /// Its columns.
    pub definition: fn() -> TableDef,
    /// Makes its rows; what `access` wants may be used to make fewer.
    pub rows: fn(&mut Cx<'_>, &TableAccess) -> Result<Vec<Vec<Value>>, SqlError>,
}

impl std::fmt::Debug for VirtualTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All tables of INFORMATION_SCHEMA.
static TABLES: &[VirtualTable] = &[];

/// Finds a table of INFORMATION_SCHEMA, in any letter case.
pub fn virtual_table(name: &str) -> Option<&'static VirtualTable> {
    TABLES.iter().find(|table| table.name.eq_ignore_ascii_case(name))
}
