//! Foreign keys.
//!
//! A child locks its parent shared before it trusts it to be there: the parent's row, or the part of its unique key.
//! A parent that goes or changes its key holds the same lock exclusively, so child and parent see each other in
//! either order. Children are found through the index that starts with the foreign key's columns.

use crate::catalog::{ChildKey, Table};
use crate::error::{EngineError, ForeignKeySide, ForeignKeyViolation, Result};
use crate::lock::metadata::Mode as NameMode;
use crate::lock::row::Mode;
use crate::options::Wait;
use crate::txn::log_body::Audience;
use crate::txn::{RowBuf, Txn};
use std::sync::Arc;
use types::table::same_name;
use types::{ForeignKeyDef, ReferentialAction, Value};

/// Most tables that a cascade goes down.
const DEPTH_MAX: usize = 15;

/// What a foreign key's error says.
pub(crate) fn violation(
    child: &Table,
    key: &ForeignKeyDef,
    side: ForeignKeySide,
) -> Box<ForeignKeyViolation> {
    Box::new(ForeignKeyViolation {
        side,
        db: child.db().to_owned(),
        table: child.name().to_owned(),
        constraint: key.name.clone(),
        columns: key.columns.iter().map(|&c| child.def().columns[c].name.clone()).collect(),
        ref_db: key.ref_db.clone(),
        ref_table: key.ref_table.clone(),
        ref_columns: key.ref_columns.clone(),
        on_delete: key.on_delete,
        on_update: key.on_update,
    })
}

/// The place of an index whose first parts are `columns` in this order.
pub(crate) fn index_on(table: &Table, columns: &[usize]) -> Option<usize> {
    table.def().indexes.iter().position(|index| {
        index.parts.len() >= columns.len()
            && !index.is_digest()
            && index.parts.iter().zip(columns).all(|(p, &c)| p.column == c && p.prefix_chars.is_none())
    })
}

fn columns_named(table: &Table, names: &[String]) -> Option<Vec<usize>> {
    let position = |name: &String| table.def().columns.iter().position(|c| same_name(&c.name, name));
    names.iter().map(position).collect()
}

/// The values of some columns; `None` when one is NULL.
fn values_of(table: &Table, row: &[u8], columns: &[usize]) -> Result<Option<Vec<Value>>> {
    let mut values = Vec::with_capacity(columns.len());
    for &column in columns {
        let value = table.layout().decode_column(row, column)?;
        if value.is_null() {
            return Ok(None);
        }
        values.push(value);
    }
    Ok(Some(values))
}

fn same_columns(table: &Table, a: &[u8], b: &[u8], columns: &[usize]) -> Result<bool> {
    for &column in columns {
        if table.layout().column_bytes(a, column)? != table.layout().column_bytes(b, column)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Txn {
    /// Checks that the parents of a new or changed row exist.
    pub(super) fn check_parents(&mut self, table: &Arc<Table>, old: Option<&[u8]>, new: &[u8]) -> Result<()> {
        if table.def().foreign_keys.is_empty() {
            return Ok(());
        }
        let def = table.def().clone();
        let mut keys: Vec<_> = def.foreign_keys.iter().collect();
        if keys.len() > 1 {
            // They are told of in the order of their indexes, as entries are made there.
            keys.sort_by_key(|key| index_on(table, &key.columns));
        }
        for key in keys {
            let unchanged = match old {
                Some(old) => same_columns(table, old, new, &key.columns)?,
                None => false,
            };
            if unchanged {
                continue;
            }
            if !self.has_parent(table, key, new)? {
                return Err(EngineError::ForeignKey(violation(table, key, ForeignKeySide::Child)));
            }
        }
        Ok(())
    }

    /// Whether a row's parent under one foreign key exists, or need not.
    pub(crate) fn has_parent(&mut self, table: &Arc<Table>, key: &ForeignKeyDef, row: &[u8]) -> Result<bool> {
        match values_of(table, row, &key.columns)? {
            Some(values) => self.parent_exists(table, key, &values, row),
            None => Ok(true),
        }
    }

    fn parent_exists(
        &mut self,
        child: &Arc<Table>,
        key: &ForeignKeyDef,
        values: &[Value],
        new: &[u8],
    ) -> Result<bool> {
        let parent = match self.lock_table(&key.ref_db, &key.ref_table, NameMode::Read) {
            Ok(parent) => parent,
            Err(EngineError::NoSuchTable { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let Some(columns) = columns_named(&parent, &key.ref_columns) else { return Ok(false) };
        let Some(index) = index_on(&parent, &columns) else { return Ok(false) };
        let mut prefix = Vec::new();
        let Some(index_key) = parent.index_key(index) else { return Ok(false) };
        index_key.append_values(values, &mut prefix)?;
        if parent.id() == child.id() {
            // A row may be its own parent.
            let own = values_of(&parent, new, &columns)?;
            let mut own_prefix = Vec::new();
            if let Some(own) = own {
                index_key.append_values(&own, &mut own_prefix)?;
                if own_prefix == prefix {
                    return Ok(true);
                }
            }
        }
        let place = parent.place(index)?;
        let tree = &parent.trees()[place];
        let whole = parent.def().indexes[index].parts.len() == columns.len();
        if tree.unique && whole {
            let no = tree.no;
            self.lock_key(no, &prefix, Mode::Shared, Wait::Block)?;
            let mut row = Vec::new();
            return if place == 0 {
                self.get_newest(&parent, 0, &prefix, &mut row)
            } else {
                Ok(self.find_unique(&parent, place, &prefix, None)?.is_some())
            };
        }
        let mut scan = self.scan_locked(&parent, place, &prefix, Mode::Shared);
        scan.next(self, &mut RowBuf::default())
    }

    /// A row goes, or (`new`) changes: refuses it, or changes the children that refer to it.
    pub(super) fn parent_changes(
        &mut self,
        table: &Arc<Table>,
        old: &[u8],
        new: Option<&[u8]>,
        depth: usize,
    ) -> Result<()> {
        if !self.place.core.is_parent(table) {
            return Ok(());
        }
        let catalog = self.place.core.catalog();
        for child_key in catalog.children(table.db(), table.name()) {
            let ChildKey { db, table: child, at } = child_key;
            let child = match self.lock_table(db, child, NameMode::Write) {
                Ok(child) => child,
                Err(EngineError::NoSuchTable { .. }) => continue,
                Err(error) => return Err(error),
            };
            let def = child.def().clone();
            let Some(key) = def.foreign_keys.get(*at) else { continue };
            let Some(columns) = columns_named(table, &key.ref_columns) else { continue };
            if let Some(new) = new
                && same_columns(table, old, new, &columns)?
            {
                continue;
            }
            let Some(values) = values_of(table, old, &columns)? else { continue };
            self.change_children(table, &child, key, &columns, &values, new, depth)?;
        }
        Ok(())
    }

    /// A changed row is a duplicate under an index: children that need what it had under that index or one before it refuse
    /// the change first, for entries change index by index in MariaDB.
    pub(super) fn check_children_before(
        &mut self,
        table: &Arc<Table>,
        index: usize,
        old: &[u8],
        new: &[u8],
    ) -> Result<()> {
        if !self.options.fk_checks || table.is_temporary() || !self.place.core.is_parent(table) {
            return Ok(());
        }
        // The rows themselves come first, then the other indexes as they were made.
        let made = |index: usize| {
            let place = table.place(index)?;
            Ok::<_, EngineError>((place > 0).then(|| table.trees()[place].no))
        };
        let last = made(index)?;
        let catalog = self.place.core.catalog();
        let mut first: Option<(Option<u32>, EngineError)> = None;
        for ChildKey { db, table: child, at } in catalog.children(table.db(), table.name()) {
            let child = match self.lock_table(db, child, NameMode::Write) {
                Ok(child) => child,
                Err(EngineError::NoSuchTable { .. }) => continue,
                Err(error) => return Err(error),
            };
            let def = child.def().clone();
            let restricts = |key: &&ForeignKeyDef| {
                !matches!(key.on_update, ReferentialAction::Cascade | ReferentialAction::SetNull)
            };
            let Some(key) = def.foreign_keys.get(*at).filter(restricts) else { continue };
            let Some(columns) = columns_named(table, &key.ref_columns) else { continue };
            let Some(place) = index_on(table, &columns).map(made).transpose()? else { continue };
            if place > last
                || first.as_ref().is_some_and(|(known, _)| *known <= place)
                || same_columns(table, old, new, &columns)?
            {
                continue;
            }
            let Some(values) = values_of(table, old, &columns)? else { continue };
            // It refuses where there is a child, and changes none.
            if let Err(error) = self.change_children(table, &child, key, &columns, &values, Some(new), 0) {
                first = Some((place, error));
            }
        }
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    #[expect(clippy::too_many_arguments, reason = "one foreign key from both of its sides")]
    fn change_children(
        &mut self,
        table: &Arc<Table>,
        child: &Arc<Table>,
        key: &ForeignKeyDef,
        columns: &[usize],
        values: &[Value],
        new: Option<&[u8]>,
        depth: usize,
    ) -> Result<()> {
        let Some(index) = index_on(child, &key.columns) else {
            return Err(EngineError::NoSuchIndex(format!("of foreign key {}", key.name)));
        };
        let mut prefix = Vec::new();
        if let Some(index_key) = child.index_key(index) {
            index_key.append_values(values, &mut prefix)?;
        }
        let action = if new.is_some() { key.on_update } else { key.on_delete };
        let mode = match action {
            ReferentialAction::Cascade | ReferentialAction::SetNull => Mode::Exclusive,
            _ => Mode::Shared,
        };
        let place = child.place(index)?;
        let mut scan = self.scan_locked(child, place, &prefix, mode);
        let mut rows = Vec::new();
        let mut row = RowBuf::default();
        while scan.next(self, &mut row)? {
            if mode == Mode::Shared {
                return Err(EngineError::ForeignKey(violation(child, key, ForeignKeySide::Parent)));
            }
            rows.push(row.clone());
        }
        if !rows.is_empty() && depth + 1 >= DEPTH_MAX {
            let (db, table) = (child.db().to_owned(), child.name().to_owned());
            return Err(EngineError::CascadeTooDeep { db, table });
        }
        if !rows.is_empty() && self.before_cascade.is_none() {
            self.before_cascade = Some(self.log.mark());
        }
        for row in rows {
            match (action, new) {
                (ReferentialAction::Cascade, None) => {
                    self.delete_row(child, &row, Audience::Ourselves, depth + 1)?;
                }
                (ReferentialAction::Cascade, Some(new)) => {
                    let values = values_of(table, new, columns)?;
                    let values = match values {
                        Some(values) => values,
                        None => vec![Value::Null; columns.len()],
                    };
                    let changed = with_columns(child, &row.row, &key.columns, &values)?;
                    self.cascade_update(child, &row, &changed, depth)?;
                }
                _ => {
                    let nulls = vec![Value::Null; columns.len()];
                    let changed = with_columns(child, &row.row, &key.columns, &nulls)?;
                    self.cascade_update(child, &row, &changed, depth)?;
                }
            }
        }
        Ok(())
    }

    /// The parent is about to have the new key: the child's check of it would be too early.
    fn cascade_update(&mut self, child: &Arc<Table>, old: &RowBuf, new: &[u8], depth: usize) -> Result<()> {
        let checks = std::mem::replace(&mut self.options.fk_checks, false);
        let updated = self.update_row(child, old, new, Audience::Ourselves, depth + 1);
        self.options.fk_checks = checks;
        updated?;
        self.parent_changes(child, &old.row, Some(new), depth + 1)
    }
}

/// A row with some columns replaced.
fn with_columns(table: &Table, row: &[u8], columns: &[usize], values: &[Value]) -> Result<Vec<u8>> {
    let mut all = (0..table.layout().len())
        .map(|column| table.layout().decode_column(row, column))
        .collect::<Result<Vec<_>, _>>()?;
    for (&column, value) in columns.iter().zip(values) {
        if let Some(place) = all.get_mut(column) {
            *place = value.clone();
        }
    }
    let mut changed = Vec::with_capacity(row.len());
    table.layout().encode(&all, &mut changed)?;
    Ok(changed)
}
