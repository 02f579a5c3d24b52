//! Keys of a draft: their columns, lengths, names and order.

use super::draft::{Draft, DraftKey, DraftPart};
use crate::error::SqlError;
use crate::session::{Level, State};
use types::table::same_name;
use types::{ColumnDef, ColumnType, GeometryType, IndexAlgorithm, IndexDef, IndexKind, IndexPart, TableDef};

const MAX_KEYS: usize = 64;
const MAX_PARTS: usize = 32;
/// Bytes of the longest key, and of its longest part.
const MAX_KEY_BYTES: u64 = 3072;

/// Drops keys made for foreign keys where another key serves as well.
pub fn drop_unneeded(keys: &mut Vec<DraftKey>) {
    let serves = |keys: &[DraftKey], at: usize, by: usize| {
        let (key, other) = (&keys[at], &keys[by]);
        let covered = key.parts.len() <= other.parts.len()
            && key
                .parts
                .iter()
                .zip(&other.parts)
                .all(|(a, b)| same_name(&a.column, &b.column) && b.length.is_none());
        covered && (!other.options.generated || other.parts.len() > key.parts.len() || by > at)
    };
    let mut at = 0;
    while at < keys.len() {
        let needless = keys[at].options.generated
            && (0..keys.len()).any(|by| by != at && serves(keys.as_slice(), at, by));
        if needless {
            keys.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Whether a table that is altered keeps the order of its keys, whatever they are made of now: where none is added, none
/// loses a column, and the one that its rows are kept in the order of takes no NULL still.
pub fn keep_order(old: &TableDef, draft: &Draft) -> bool {
    let new = |at: usize| draft.columns.iter().find(|column| column.from == Some(at));
    let loosened = |index: &IndexDef| {
        let columns: Vec<_> = index.parts.iter().filter_map(|part| new(part.column)).collect();
        let stays = |key: &DraftKey| {
            key.parts.len() == columns.len()
                && key.parts.iter().zip(&columns).all(|(a, b)| same_name(&a.column, &b.def.name))
        };
        draft.keys.iter().any(stays) && columns.iter().any(|column| column.def.nullable)
    };
    draft.keys.iter().all(|key| key.old)
        && old.indexes.iter().flat_map(|index| &index.parts).all(|part| new(part.column).is_some())
        && !old.keeping_index().is_some_and(|at| loosened(&old.indexes[at]))
}

/// The keys with their columns' positions, in the order of SHOW CREATE TABLE, or in their own. `loose`: the columns that may
/// be NULL but for the primary key, which the keys before it do not know of.
pub fn resolve(
    def: &TableDef,
    loose: &[bool],
    keys: Vec<DraftKey>,
    ordered: bool,
    state: &mut State,
) -> Result<Vec<IndexDef>, SqlError> {
    if keys.len() > MAX_KEYS {
        return Err(SqlError::too_many_keys(MAX_KEYS));
    }
    let mut indexes: Vec<IndexDef> = Vec::with_capacity(keys.len());
    let said: Vec<Option<String>> = keys.iter().map(|key| key.name.clone()).collect();
    let mut twice = None;
    // What is said of a key that is there twice is said once all are found to be good.
    let mut notes = Vec::new();
    for (at, key) in keys.into_iter().enumerate() {
        let (mut parts, digest) = resolve_parts(def, loose, &key, (&indexes, &mut twice), state)?;
        if digest {
            // Digests have no order to go down.
            parts.iter_mut().for_each(|part| part.desc = false);
        }
        let name = match key.name {
            Some(name) => name,
            None => free_name(&key.parts[0].column, &indexes, &said[at..]),
        };
        let named = |index: &IndexDef| same_name(&index.name, &name);
        if key.kind != IndexKind::Primary && indexes.iter().any(named) {
            return Err(SqlError::dup_keyname(name));
        }
        let mut index = IndexDef { name, kind: key.kind, parts, comment: key.comment, options: key.options };
        let counter = |part: &IndexPart| def.columns[part.column].auto_increment;
        if digest && let Some(last) = index.parts.last().filter(|_| index.parts.iter().any(counter)) {
            return Err(SqlError::no_autoincrement_with_unique(&def.columns[last.column].name, &index.name));
        }
        if digest && index.options.algorithm == Some(IndexAlgorithm::Btree) {
            return Err(SqlError::too_long_key(MAX_KEY_BYTES));
        }
        if digest {
            index.options.algorithm = Some(IndexAlgorithm::Digest);
        } else if index.is_digest() {
            index.options.algorithm = None;
        }
        let twin = |other: &IndexDef| {
            other.kind == index.kind
                && other.parts == index.parts
                && other.options.algorithm == index.options.algorithm
        };
        if twice.is_none() && !key.options.generated && !key.old && indexes.iter().any(twin) {
            notes.push(SqlError::dup_index(&index.name));
        }
        indexes.push(index);
    }
    if let Some(error) = twice {
        return Err(error);
    }
    notes.into_iter().for_each(|note| state.warn(Level::Note, note.errno, note.message));
    if !ordered {
        sort(&mut indexes, def, loose);
    }
    Ok(indexes)
}

/// Puts keys into the order of SHOW CREATE TABLE.
pub fn sort(indexes: &mut Vec<IndexDef>, def: &TableDef, loose: &[bool]) {
    let primary = indexes.iter().position(|index| index.kind == IndexKind::Primary).unwrap_or(0);
    let prefixed = |i: &IndexDef| i.parts.iter().any(|p| p.prefix_chars.is_some());
    let rank = |(at, index): (usize, IndexDef)| {
        let early = at < primary;
        let nullable = |p: &IndexPart| def.columns[p.column].nullable || early && loose[p.column];
        let rank = match index.kind {
            IndexKind::Primary => (0, false, false, false),
            // Those of digests stay as they are written, NULL or not.
            IndexKind::Unique if index.is_hashed() => (1, true, false, false),
            IndexKind::Unique => (1, false, index.parts.iter().any(nullable), prefixed(&index)),
            IndexKind::Key | IndexKind::Spatial => (2, false, false, false),
        };
        (rank, index)
    };
    let mut ranked: Vec<_> = indexes.drain(..).enumerate().map(rank).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    indexes.extend(ranked.into_iter().map(|(_, index)| index));
}

/// A name from the first column: `a`, else `a_2`, `a_3` ...
fn free_name(column: &str, before: &[IndexDef], later: &[Option<String>]) -> String {
    let taken = |name: &str| {
        before.iter().any(|index| same_name(&index.name, name))
            || later.iter().flatten().any(|said| same_name(said, name))
    };
    if !taken(column) && !column.eq_ignore_ascii_case("PRIMARY") {
        return column.to_owned();
    }
    (2..).map(|n| format!("{column}_{n}")).find(|name| !taken(name)).unwrap_or_default()
}

/// The parts, and whether the tree is to keep digests of them. A column that is there twice, and a second primary key,
/// are errors that wait until all keys have been looked at.
fn resolve_parts(
    def: &TableDef,
    loose: &[bool],
    key: &DraftKey,
    (before, twice): (&[IndexDef], &mut Option<SqlError>),
    state: &mut State,
) -> Result<(Vec<IndexPart>, bool), SqlError> {
    if key.parts.len() > MAX_PARTS {
        return Err(SqlError::too_many_key_parts(MAX_PARTS));
    }
    if key.kind == IndexKind::Spatial && key.parts.len() > 1 {
        return Err(SqlError::wrong_arguments("SPATIAL INDEX"));
    }
    if let Some(unknown) = key.parts.iter().find(|part| def.column_index(&part.column).is_none()) {
        return Err(SqlError::key_column_does_not_exist(&unknown.column));
    }
    let generated = |part: &DraftPart| {
        def.column_index(&part.column).is_some_and(|at| def.columns[at].generated.is_some())
    };
    if key.kind == IndexKind::Primary && key.parts.iter().any(generated) {
        return Err(SqlError::primary_key_on_generated());
    }
    let primary = |index: &IndexDef| index.kind == IndexKind::Primary;
    if key.kind == IndexKind::Primary && before.iter().any(primary) {
        *twice = Some(SqlError::multiple_primary_key());
    }
    let mut parts: Vec<IndexPart> = Vec::with_capacity(key.parts.len());
    let (mut total, mut digest) = (0, false);
    for part in &key.parts {
        let missing = || SqlError::key_column_does_not_exist(&part.column);
        let column = def.column_index(&part.column).ok_or_else(missing)?;
        let known = parts.iter().any(|p| p.column == column);
        if known {
            twice.get_or_insert_with(|| SqlError::dup_fieldname(&part.column));
        }
        let whole = part.length.is_none() && def.columns[column].ty.is_blob();
        digest |= whole && key.kind == IndexKind::Unique;
        let (prefix_chars, bytes) = prefix(part, &def.columns[column], key.kind, state)?;
        if bytes == 0 && !loose[column] {
            // There is nothing of it in a key, not even whether it is NULL.
            return Err(SqlError::wrong_key_column("InnoDB", &def.columns[column].name));
        }
        total += bytes;
        if !known {
            parts.push(IndexPart { column, prefix_chars, desc: part.desc });
        }
    }
    let long = total > MAX_KEY_BYTES;
    match long && key.kind != IndexKind::Unique {
        true => Err(SqlError::too_long_key(MAX_KEY_BYTES)),
        false => Ok((parts, digest || long)),
    }
}

/// Bytes of a POINT.
const POINT_BYTES: u32 = 25;

/// Bytes that a SPATIAL key is told to take of a geometry.
const SPATIAL_BYTES: u32 = 32;

/// The one part of a SPATIAL key.
fn spatial(part: &DraftPart, column: &ColumnDef) -> Result<(Option<u32>, u64), SqlError> {
    if !matches!(column.ty, ColumnType::Geometry(_)) || part.length.is_some() {
        return Err(SqlError::wrong_arguments("SPATIAL INDEX"));
    }
    match column.nullable {
        true => Err(SqlError::spatial_cant_have_null()),
        false => Ok((Some(SPATIAL_BYTES), u64::from(SPATIAL_BYTES))),
    }
}

/// The prefix of a part, none where it is whole, and its bytes at most.
fn prefix(
    part: &DraftPart,
    column: &ColumnDef,
    kind: IndexKind,
    state: &mut State,
) -> Result<(Option<u32>, u64), SqlError> {
    let ty = &column.ty;
    if kind == IndexKind::Spatial {
        return spatial(part, column);
    }
    if matches!(ty, ColumnType::Geometry(GeometryType::Point))
        && part.length.is_none()
        && kind == IndexKind::Key
    {
        return Ok((Some(POINT_BYTES), u64::from(POINT_BYTES)));
    }
    if !ty.is_string() {
        return match part.length {
            None => Ok((None, fixed_bytes(ty))),
            Some(_) => Err(SqlError::wrong_sub_key()),
        };
    }
    let widest = column.collation.charset().max_char_bytes() as u64;
    let whole = u64::from(ty.max_bytes(column.collation));
    let length = match part.length {
        Some(0) => return Err(SqlError::key_part_0(&column.name)),
        None if ty.is_blob() && kind == IndexKind::Primary => {
            return Err(SqlError::blob_key_without_length(&column.name));
        }
        Some(length) if length.saturating_mul(widest) > whole && !ty.is_blob() => {
            return Err(SqlError::wrong_sub_key());
        }
        Some(length) if ty.is_blob() => Some(length.min(whole)),
        Some(length) => Some(length).filter(|_| length * widest < whole),
        None if ty.is_blob() && kind == IndexKind::Key => Some(whole),
        None => None,
    };
    let bytes = length.map_or(whole, |length| length.saturating_mul(widest));
    if bytes <= MAX_KEY_BYTES {
        return Ok((length.map(|n| n as u32), bytes));
    }
    let error = SqlError::too_long_key(MAX_KEY_BYTES);
    match kind {
        // What is unique is told apart by a digest.
        IndexKind::Unique => return Ok((length.map(|n| n as u32), bytes)),
        IndexKind::Key => {}
        _ => return Err(error),
    }
    state.warn(Level::Note, error.errno, error.message);
    Ok((Some((MAX_KEY_BYTES / widest) as u32), MAX_KEY_BYTES))
}

/// Bytes of a value of a type that is no string.
pub fn fixed_bytes(ty: &ColumnType) -> u64 {
    let fraction = |fsp: u8| u64::from(fsp.div_ceil(2));
    match ty {
        ColumnType::Integer(t) => t.size.bytes() as u64,
        ColumnType::Decimal(t) => {
            let digits = |n: u8| u64::from(n / 9 * 4) + [0, 1, 1, 2, 2, 3, 3, 4, 4][usize::from(n % 9)];
            digits(t.precision - t.scale) + digits(t.scale)
        }
        ColumnType::Float(_) => 4,
        ColumnType::Double(_) => 8,
        ColumnType::Bit(width) => u64::from(width.div_ceil(8)),
        ColumnType::Year => 1,
        ColumnType::Fixed(ty) => ty.size() as u64,
        ColumnType::Date => 3,
        ColumnType::Time(fsp) => 3 + fraction(*fsp),
        ColumnType::DateTime(fsp) => 5 + fraction(*fsp),
        ColumnType::Timestamp(fsp) => 4 + fraction(*fsp),
        ColumnType::Enum(labels) => 1 + u64::from(labels.len() > 255),
        ColumnType::Set(labels) => match labels.len().div_ceil(8) {
            n @ 0..=4 => n as u64,
            _ => 8,
        },
        _ => 0,
    }
}
