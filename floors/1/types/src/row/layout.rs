//! Where a column's bytes are in a row image.

use std::ops::Range;

use super::RowError;
use super::codec::{Codec, read_le, read_signed};
use crate::charset::CollationId;
use crate::column::ColumnType;
use crate::table::{ColumnDef, TableDef};
use crate::value::Value;

/// One column of a [`RowLayout`].
#[derive(Clone, Debug)]
pub struct ColumnLayout {
    pub(crate) ty: ColumnType,
    pub(crate) codec: Codec,
    pub(crate) collation: CollationId,
    pub(crate) nullable: bool,
    /// Size of the row value, [`VARIABLE`] where it is not fixed.
    size: u32,
    /// Bytes of the length field of values of variable size.
    length_bytes: u8,
    /// Of a NOT NULL column: the row value that it has where its bit is set. See [`RowLayout::with_absent`].
    absent: Option<Box<[u8]>>,
}

const VARIABLE: u32 = u32::MAX;

impl ColumnLayout {
    /// The layout of one column.
    pub fn of(def: &ColumnDef) -> ColumnLayout {
        let codec = Codec::of(&def.ty, def.collation);
        ColumnLayout {
            ty: def.ty.clone(),
            codec,
            collation: def.collation,
            nullable: def.nullable,
            size: codec.fixed_len().map_or(VARIABLE, |len| len as u32),
            length_bytes: codec.length_bytes() as u8,
            absent: None,
        }
    }

    /// The column's type.
    pub fn ty(&self) -> &ColumnType {
        &self.ty
    }

    /// The column's collation (binary for types without).
    pub fn collation(&self) -> CollationId {
        self.collation
    }

    /// Whether the column takes NULL.
    pub fn nullable(&self) -> bool {
        self.nullable
    }

    /// Bytes of a row value where all values have as many.
    pub fn fixed_len(&self) -> Option<usize> {
        (self.size != VARIABLE).then_some(self.size as usize)
    }

    /// Bytes that a row value has at most.
    pub(crate) fn max_len(&self) -> usize {
        self.fixed_len()
            .unwrap_or_else(|| usize::from(self.length_bytes) + self.ty.max_bytes(self.collation) as usize)
    }

    /// Whether a row value may have so many bytes.
    #[inline]
    pub(crate) fn fits(&self, len: usize) -> bool {
        self.size == VARIABLE || self.size as usize == len
    }

    /// Appends the row value of `value`, which must not be NULL and must be of the column's type.
    pub fn encode(&self, value: &Value, out: &mut Vec<u8>) -> Result<(), RowError> {
        self.codec.encode(value, out).ok_or(RowError::WrongType { column: 0 })
    }

    /// The value of a column's bytes as [`RowLayout::range`] gave them.
    #[inline]
    pub fn decode(&self, bytes: &[u8]) -> Result<Value, RowError> {
        self.codec.decode(bytes, self).ok_or(RowError::BadValue { column: 0 })
    }

    /// As [`ColumnLayout::decode`], into a value that is one of the column's already, for the most part: a text's memory
    /// serves again.
    #[inline]
    pub fn decode_into(&self, bytes: &[u8], value: &mut Value) -> Result<(), RowError> {
        match (self.codec, value) {
            (Codec::Int { unsigned: false, .. }, Value::Int(n)) if self.fits(bytes.len()) => {
                *n = read_signed(bytes);
            }
            (Codec::Int { unsigned: true, .. }, Value::UInt(n)) if self.fits(bytes.len()) => {
                *n = read_le(bytes);
            }
            (Codec::Char { .. } | Codec::Var { .. }, Value::Str(text))
                if text.collation == self.collation && self.fits(bytes.len()) =>
            {
                text.bytes.assign(self.payload(bytes));
            }
            (_, value) => *value = self.decode(bytes)?,
        }
        Ok(())
    }

    /// The label that an ENUM column's bytes stand for; none for other types.
    #[inline]
    pub fn label(&self, bytes: &[u8]) -> Option<&[u8]> {
        let ColumnType::Enum(labels) = &self.ty else { return None };
        Some(labels.get(read_le(bytes) as usize).unwrap_or_default())
    }

    /// The content of a string column's bytes (without its length field); for other types the bytes as they are.
    #[inline]
    pub fn payload<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.codec.length_bytes()..).unwrap_or_default()
    }
}

/// Where the columns of a table's row images are.
#[derive(Clone, Debug)]
pub struct RowLayout {
    columns: Box<[ColumnLayout]>,
    null_bytes: usize,
    /// Offsets (from the end of the bitmap, no column NULL) of the leading columns whose place is fixed: every column
    /// up to and including the first of variable size.
    fixed: Box<[u32]>,
    /// Where each column is in a row without NULLs.
    places: Box<[Place]>,
    /// The columns of variable size in a row without NULLs, in order.
    variable: Box<[Variable]>,
    /// The columns that older rows may not have.
    absent: Box<[usize]>,
}

/// Where a column is in a row without NULLs.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Columns of variable size before it.
    variable: u32,
    /// Bytes between the last of them (or the bitmap) and it.
    gap: u32,
}

/// A column of variable size in a row without NULLs.
#[derive(Clone, Copy, Debug)]
struct Variable {
    /// Bytes between the one before (or the bitmap) and it.
    gap: u32,
    /// Bytes of its length field.
    length_bytes: u8,
}

impl RowLayout {
    /// The layout of a table.
    pub fn of(table: &TableDef) -> RowLayout {
        RowLayout::of_columns(&table.columns)
    }

    /// The layout of a list of columns.
    pub fn of_columns(columns: &[ColumnDef]) -> RowLayout {
        let columns: Box<[ColumnLayout]> = columns.iter().map(ColumnLayout::of).collect();
        let mut fixed = Vec::new();
        let mut offset = 0_u32;
        for column in &columns {
            fixed.push(offset);
            match column.codec.fixed_len() {
                Some(len) => offset += len as u32,
                None => break,
            }
        }
        let (mut places, mut variable) = (Vec::with_capacity(columns.len()), Vec::new());
        let mut gap = 0;
        for column in &columns {
            places.push(Place { variable: variable.len() as u32, gap });
            match column.fixed_len() {
                Some(len) => gap += len as u32,
                None => {
                    variable.push(Variable { gap, length_bytes: column.length_bytes });
                    gap = 0;
                }
            }
        }
        RowLayout {
            null_bytes: columns.len().div_ceil(8),
            columns,
            fixed: fixed.into(),
            places: places.into(),
            variable: variable.into(),
            absent: Box::default(),
        }
    }

    /// The same, where rows that are older than some NOT NULL columns have these row values in them: their bits are set
    /// in such rows.
    pub fn with_absent(mut self, absent: &[(usize, Vec<u8>)]) -> RowLayout {
        for (column, bytes) in absent {
            self.columns[*column].absent = Some(bytes.as_slice().into());
        }
        self.absent = absent.iter().map(|(column, _)| *column).collect();
        self
    }

    /// What [`RowLayout::with_absent`] was given.
    pub fn absent(&self) -> Vec<(usize, Vec<u8>)> {
        let bytes = |column: usize| self.columns[column].absent.as_deref().unwrap_or_default().to_vec();
        self.absent.iter().map(|&column| (column, bytes(column))).collect()
    }

    /// The row with all columns in it, if it is older than some.
    pub fn made_whole(&self, row: &[u8]) -> Result<Option<Vec<u8>>, RowError> {
        if !self.absent.iter().any(|&column| self.is_null(row, column)) {
            return Ok(None);
        }
        let mut cursor = self.cursor(row)?;
        let mut whole = row[..self.null_bytes].to_vec();
        self.absent.iter().for_each(|column| whole[column / 8] &= !(1 << (column % 8)));
        for column in 0..self.columns.len() {
            whole.extend_from_slice(cursor.bytes(column)?.unwrap_or_default());
        }
        Ok(Some(whole))
    }

    /// Whether no column of a row is NULL, by its bitmap; false for one cut short.
    #[inline]
    fn has_no_nulls(&self, row: &[u8]) -> bool {
        let unused = match self.columns.len() % 8 {
            0 => 0,
            used => 0xFF << used,
        };
        match row.get(..self.null_bytes) {
            Some([last]) => *last == unused,
            Some([before @ .., last]) => *last == unused && before.iter().all(|byte| *byte == 0),
            _ => false,
        }
    }

    /// The columns.
    #[inline]
    pub fn columns(&self) -> &[ColumnLayout] {
        &self.columns
    }

    /// One column.
    #[inline]
    pub fn column(&self, column: usize) -> &ColumnLayout {
        &self.columns[column]
    }

    /// How many columns there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Bytes of the null bitmap.
    pub fn null_bytes(&self) -> usize {
        self.null_bytes
    }

    /// Whether a column of a row is NULL; a bitmap cut short counts as NULL.
    #[inline]
    pub fn is_null(&self, row: &[u8], column: usize) -> bool {
        row.get(column / 8).is_none_or(|byte| byte >> (column % 8) & 1 == 1)
    }

    /// The place of a column's bytes (with the length field of strings), or none when the row has none of it.
    #[inline]
    pub fn range(&self, row: &[u8], column: usize) -> Result<Option<Range<usize>>, RowError> {
        if row.len() < self.null_bytes {
            return Err(RowError::Truncated { column: 0 });
        }
        if self.is_null(row, column) {
            return Ok(None);
        }
        let from = column.min(self.fixed.len() - 1);
        let mut start = self.null_bytes + self.fixed[from] as usize - self.nulls_before(row, from);
        for before in from..column {
            if !self.is_null(row, before) {
                start += self.value_len(row, start, before)?;
            }
        }
        let end = start + self.value_len(row, start, column)?;
        if end > row.len() { Err(RowError::Truncated { column }) } else { Ok(Some(start..end)) }
    }

    /// Bytes that NULLs among the first `columns` columns, all of fixed size, leave out.
    #[inline]
    fn nulls_before(&self, row: &[u8], columns: usize) -> usize {
        let (whole, bits) = (columns / 8, columns % 8);
        if whole == 0 && row[0] & ((1 << bits) - 1) == 0 {
            return 0;
        }
        let any = row[..whole].iter().any(|b| *b != 0) || (bits > 0 && row[whole] & ((1 << bits) - 1) != 0);
        if !any {
            return 0;
        }
        (0..columns)
            .filter(|c| self.is_null(row, *c))
            .map(|c| self.columns[c].codec.fixed_len().unwrap_or(0))
            .sum()
    }

    #[inline]
    fn value_len(&self, row: &[u8], start: usize, column: usize) -> Result<usize, RowError> {
        let layout = &self.columns[column];
        if layout.size != VARIABLE {
            return Ok(layout.size as usize);
        }
        variable_len(row, start, layout.length_bytes).ok_or(RowError::Truncated { column })
    }

    /// The bytes of a column (with the length field of strings), or none when it is NULL.
    #[inline]
    pub fn column_bytes<'a>(&'a self, row: &'a [u8], column: usize) -> Result<Option<&'a [u8]>, RowError> {
        Ok(match self.range(row, column)? {
            Some(range) => Some(&row[range]),
            None => self.columns[column].absent.as_deref(),
        })
    }

    /// Reads columns of a row in ascending order with one walk in all.
    pub fn cursor<'a>(&'a self, row: &'a [u8]) -> Result<RowCursor<'a>, RowError> {
        if row.len() < self.null_bytes {
            return Err(RowError::Truncated { column: 0 });
        }
        Ok(RowCursor { layout: self, row, column: 0, at: self.null_bytes })
    }

    /// Appends the columns `wanted` as protocol text, NULLs included.
    pub fn write_text(
        &self,
        row: &[u8],
        wanted: &[usize],
        options: &super::WireOptions,
        out: &mut Vec<u8>,
    ) -> Result<(), RowError> {
        let mut cursor = self.cursor(row)?;
        for column in wanted {
            match cursor.bytes(*column)? {
                None => out.push(super::TEXT_NULL),
                Some(bytes) => {
                    let bad = RowError::BadValue { column: *column };
                    self.columns[*column].write_text(bytes, options, out).map_err(|_| bad)?;
                }
            }
        }
        Ok(())
    }

    /// Walks over the row once: `ranges` becomes one entry a column. Refuses bytes after the last column.
    pub fn ranges(&self, row: &[u8], ranges: &mut Vec<Option<Range<usize>>>) -> Result<(), RowError> {
        ranges.clear();
        if row.len() < self.null_bytes {
            return Err(RowError::Truncated { column: 0 });
        }
        let mut start = self.null_bytes;
        for column in 0..self.columns.len() {
            if self.is_null(row, column) {
                ranges.push(None);
                continue;
            }
            let end = start + self.value_len(row, start, column)?;
            if end > row.len() {
                return Err(RowError::Truncated { column });
            }
            ranges.push(Some(start..end));
            start = end;
        }
        if start == row.len() { Ok(()) } else { Err(RowError::TrailingBytes) }
    }

    /// Length of the image at the front of `bytes`, as needed to split the rows of a log event.
    pub fn image_len(&self, bytes: &[u8]) -> Result<usize, RowError> {
        if bytes.len() < self.null_bytes {
            return Err(RowError::Truncated { column: 0 });
        }
        let mut start = self.null_bytes;
        for column in (0..self.columns.len()).filter(|c| !self.is_null(bytes, *c)) {
            start += self.value_len(bytes, start, column)?;
            if start > bytes.len() {
                return Err(RowError::Truncated { column });
            }
        }
        Ok(start)
    }

    /// Appends the image of a row. Values must have been converted to their columns' types.
    pub fn encode(&self, values: &[Value], out: &mut Vec<u8>) -> Result<(), RowError> {
        if values.len() != self.columns.len() {
            return Err(RowError::WrongCount);
        }
        let start = out.len();
        let size = |value: &Value| if let Value::Str(s) = value { s.bytes.len() + 4 } else { 8 };
        // At once, so that long values are not moved while the image grows.
        out.reserve(self.null_bytes + values.iter().map(size).sum::<usize>());
        out.resize(start + self.null_bytes, 0);
        for (i, (value, column)) in values.iter().zip(&self.columns).enumerate() {
            if !value.is_null() {
                column.codec.encode(value, out).ok_or(RowError::WrongType { column: i })?;
            } else if column.nullable {
                out[start + i / 8] |= 1 << (i % 8);
            } else {
                return Err(RowError::Null { column: i });
            }
        }
        if let used @ 1.. = self.columns.len() % 8 {
            out[start + self.null_bytes - 1] |= 0xFF << used;
        }
        Ok(())
    }

    /// Whether an image of so many `columns` is one of the `wide` with NULL in all that follow: its bitmap has their bits,
    /// which are set.
    pub fn has_bits(columns: usize, wide: usize) -> bool {
        columns <= wide && columns.div_ceil(8) == wide.div_ceil(8)
    }

    /// The value of one column. TIMESTAMPs come as UTC, see [`Value::in_zone`].
    #[inline]
    pub fn decode_column(&self, row: &[u8], column: usize) -> Result<Value, RowError> {
        match self.column_bytes(row, column)? {
            None => Ok(Value::Null),
            Some(bytes) => self.decode_bytes(bytes, column),
        }
    }

    #[inline]
    fn decode_bytes(&self, bytes: &[u8], column: usize) -> Result<Value, RowError> {
        let layout = &self.columns[column];
        layout.codec.decode(bytes, layout).ok_or(RowError::BadValue { column })
    }

    /// The values of the columns `wanted` (best ascending) into `out`, which becomes as long as `wanted`.
    pub fn decode(&self, row: &[u8], wanted: &[usize], out: &mut Vec<Value>) -> Result<(), RowError> {
        out.clear();
        let mut cursor = self.cursor(row)?;
        for column in wanted {
            out.push(match cursor.bytes(*column)? {
                None => Value::Null,
                Some(bytes) => self.decode_bytes(bytes, *column)?,
            });
        }
        Ok(())
    }

    /// The values of all columns in one walk. Where `out` has those of another row of the table, the memory of its texts
    /// serves again.
    pub fn decode_all(&self, row: &[u8], out: &mut Vec<Value>) -> Result<(), RowError> {
        out.resize(self.columns.len(), Value::Null);
        let mut cursor = self.cursor(row)?;
        for (column, value) in out.iter_mut().enumerate() {
            match cursor.bytes(column)? {
                None => *value = Value::Null,
                Some(bytes) => {
                    let decoded = self.columns[column].decode_into(bytes, value);
                    decoded.map_err(|_| RowError::BadValue { column })?;
                }
            }
        }
        Ok(())
    }
}

/// Columns of variable size whose ends are remembered in rows without NULLs.
const ENDS: usize = 16;

/// Where a row's columns are, found as far as they are asked for and remembered, in whatever order they are asked for.
#[derive(Debug, Default)]
pub struct RowPlaces {
    /// Whether the row has NULLs; none before the first look at it.
    has_nulls: Option<bool>,
    /// Of a row without NULLs: where its columns of variable size end, as many as are known.
    ends: [u32; ENDS],
    known: usize,
    /// Of a row with NULLs: where its first column of variable size begins, and those behind it.
    starts: Vec<usize>,
}

impl RowPlaces {
    /// Forgets the row before.
    #[inline]
    pub fn clear(&mut self) {
        self.has_nulls = None;
        self.known = 0;
        self.starts.clear();
    }

    /// The bytes of a column (with the length field of strings), or none when it is NULL. All calls but those behind
    /// [`RowPlaces::clear`] are for the same row.
    #[inline]
    pub fn bytes<'a>(
        &mut self,
        layout: &'a RowLayout,
        row: &'a [u8],
        column: usize,
    ) -> Result<Option<&'a [u8]>, RowError> {
        match *self.has_nulls.get_or_insert_with(|| !layout.has_no_nulls(row)) {
            false => match self.bytes_of_full(layout, row, column) {
                Some(bytes) => Ok(Some(bytes)),
                None => Err(RowError::Truncated { column }),
            },
            true => self.bytes_beside_nulls(layout, row, column),
        }
    }

    /// As [`RowPlaces::bytes`], of a row without NULLs; none for one cut short.
    #[inline]
    fn bytes_of_full<'a>(&mut self, layout: &RowLayout, row: &'a [u8], column: usize) -> Option<&'a [u8]> {
        let place = layout.places[column];
        let mut passed = self.known.min(place.variable as usize);
        let mut end = match passed {
            0 => layout.null_bytes,
            passed => self.ends[passed - 1] as usize,
        };
        while passed < place.variable as usize {
            let variable = layout.variable[passed];
            end += variable.gap as usize;
            end += variable_len(row, end, variable.length_bytes)?;
            if let Some(slot) = self.ends.get_mut(passed) {
                *slot = u32::try_from(end).ok()?;
                self.known = passed + 1;
            }
            passed += 1;
        }
        let start = end + place.gap as usize;
        let len = layout.value_len(row, start, column).ok()?;
        row.get(start..start + len)
    }

    /// As [`RowPlaces::bytes`], of a row with NULLs.
    fn bytes_beside_nulls<'a>(
        &mut self,
        layout: &'a RowLayout,
        row: &'a [u8],
        column: usize,
    ) -> Result<Option<&'a [u8]>, RowError> {
        let first = layout.fixed.len() - 1;
        if column < first || row.len() < layout.null_bytes {
            return layout.column_bytes(row, column);
        }
        if layout.is_null(row, column) {
            return Ok(layout.columns[column].absent.as_deref());
        }
        if self.starts.is_empty() {
            let before = layout.fixed[first] as usize - layout.nulls_before(row, first);
            self.starts.push(layout.null_bytes + before);
        }
        while self.starts.len() <= column - first {
            let last = self.starts.len() - 1;
            let (at, before) = (self.starts[last], first + last);
            let len = if layout.is_null(row, before) { 0 } else { layout.value_len(row, at, before)? };
            self.starts.push(at + len);
        }
        let start = self.starts[column - first];
        let end = start + layout.value_len(row, start, column)?;
        row.get(start..end).map(Some).ok_or(RowError::Truncated { column })
    }
}

/// Bytes that a value of variable size takes in a row from `start` on, its length field with it; none for a row cut short
/// before its content.
#[inline]
fn variable_len(row: &[u8], start: usize, length_bytes: u8) -> Option<usize> {
    let content = match (row.get(start..)?, length_bytes) {
        ([len, ..], 1) => usize::from(*len),
        ([low, high, ..], 2) => usize::from(u16::from_le_bytes([*low, *high])),
        (rest, length_bytes) => read_le(rest.get(..usize::from(length_bytes))?) as usize,
    };
    Some(usize::from(length_bytes) + content)
}

/// A walk over a row's columns, see [`RowLayout::cursor`].
pub struct RowCursor<'a> {
    layout: &'a RowLayout,
    row: &'a [u8],
    /// The next column of the walk, and where its bytes begin.
    column: usize,
    at: usize,
}

impl<'a> RowCursor<'a> {
    /// The bytes of a column, or none when it is NULL. A column before the last one asked for costs a new look-up.
    #[inline]
    pub fn bytes(&mut self, column: usize) -> Result<Option<&'a [u8]>, RowError> {
        if column < self.column {
            return self.layout.column_bytes(self.row, column);
        }
        if column > self.column && self.column + 1 < self.layout.fixed.len() {
            // Jump over the columns of fixed size.
            let to = column.min(self.layout.fixed.len() - 1);
            self.at = self.layout.null_bytes + self.layout.fixed[to] as usize
                - self.layout.nulls_before(self.row, to);
            self.column = to;
        }
        loop {
            let current = self.column;
            let null = self.layout.is_null(self.row, current);
            let len = if null { 0 } else { self.layout.value_len(self.row, self.at, current)? };
            let start = self.at;
            let end = start.checked_add(len).filter(|end| *end <= self.row.len());
            self.at = end.ok_or(RowError::Truncated { column: current })?;
            self.column += 1;
            if current == column {
                return Ok(match null {
                    true => self.layout.columns[current].absent.as_deref(),
                    false => Some(&self.row[start..self.at]),
                });
            }
        }
    }
}
