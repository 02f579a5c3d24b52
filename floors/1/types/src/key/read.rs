//! Columns read back out of keys, so that an index may answer in the place of the row.
//!
//! Keys of strings are weights, which tell nothing of the letters, and -0 has the key of 0: columns are read back as far
//! as the leading parts are of the other types, whose values have one size and are in the key as they are. The columns
//! of the parts from the first other one on are kept beside the key, if they are not too long.

use super::{IndexKey, KeyPart};
use crate::column::ColumnType;

/// Bytes that columns kept beside a key have together at most: as many as MariaDB allows the key itself.
pub const BESIDE_MAX: usize = 3072;
/// Parts of an index, at most.
pub const BESIDE_COLUMNS_MAX: usize = 64;
/// The longest value that is read back: DECIMAL(65, 30).
const LONGEST: usize = 32;

impl IndexKey {
    /// The columns of the leading parts that can be read back.
    pub fn columns_read_back(&self) -> impl Iterator<Item = usize> {
        let parts = if self.digest { &[] } else { &self.parts[..] };
        parts.iter().map_while(|part| part.len_read_back().map(|_| part.column))
    }

    /// The columns of the index's own parts that its keys do not give back and that its entries are to keep beside them, in
    /// the order of the parts. None of an index with a digest, or where they may be too long.
    pub fn columns_beside(&self) -> Vec<usize> {
        let own = &self.parts[..self.own_parts];
        let behind = self.columns_read_back().count().min(own.len());
        let whole = own[behind..].iter().filter(|part| part.prefix_chars.is_none() && !self.digest);
        let columns: Vec<usize> = whole.clone().map(|part| part.column).collect();
        let bytes: usize = whole.map(|part| part.layout.max_len()).fold(0, usize::saturating_add);
        if bytes > BESIDE_MAX || columns.len() > BESIDE_COLUMNS_MAX { Vec::new() } else { columns }
    }

    /// Calls `each` with the numbers of the first `parts` parts and their bytes as row images have them (none for NULL).
    /// `None` for a key that does not have them.
    pub fn read_back(
        &self,
        key: &[u8],
        parts: usize,
        mut each: impl FnMut(usize, Option<&[u8]>),
    ) -> Option<()> {
        let mut rest = key;
        for (number, part) in self.parts.get(..parts)?.iter().enumerate() {
            let len = part.len_read_back().filter(|_| !self.digest)?;
            let mut buffer = [0; LONGEST];
            let flip = if part.desc { 0xFF } else { 0 };
            if part.layout.nullable() {
                let (mark, behind) = rest.split_first()?;
                rest = behind;
                if mark ^ flip == 0 {
                    each(number, None);
                    continue;
                }
            }
            let (bytes, behind) = rest.split_at_checked(len)?;
            rest = behind;
            let value = buffer.get_mut(..len)?;
            value.copy_from_slice(bytes);
            if part.desc {
                value.iter_mut().for_each(|byte| *byte = !*byte);
            }
            part.restore(value);
            each(number, Some(value));
        }
        Some(())
    }
}

impl KeyPart {
    /// The length of the part's values in keys, where these give the values back.
    fn len_read_back(&self) -> Option<usize> {
        match self.layout.ty() {
            ColumnType::Integer(_)
            | ColumnType::Decimal(_)
            | ColumnType::Date
            | ColumnType::Time(_)
            | ColumnType::DateTime(_)
            | ColumnType::Timestamp(_)
            | ColumnType::Year
            | ColumnType::Enum(_)
            | ColumnType::Set(_) => self.layout.fixed_len(),
            _ => None,
        }
    }

    /// Turns the bytes of a key into the row value of the part's type: what `order_bytes` did, undone.
    fn restore(&self, bytes: &mut [u8]) {
        match self.layout.ty() {
            ColumnType::Integer(ty) => {
                if let Some(first) = bytes.first_mut().filter(|_| !ty.unsigned) {
                    *first ^= 0x80;
                }
                bytes.reverse();
            }
            ColumnType::Date | ColumnType::Enum(_) | ColumnType::Set(_) => bytes.reverse(),
            _ => {}
        }
    }
}
