//! Bodies of a few fields: ROTATE, USER_VAR, INCIDENT.

use super::cursor::Cursor;
use crate::error::DecodeError;

/// ROTATE (4): the log goes on in another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotate<'a> {
    /// Where to go on there.
    pub position: u64,
    /// The next file's name.
    pub file: &'a [u8],
}

impl<'a> Rotate<'a> {
    /// Decodes the body.
    pub fn decode(body: &'a [u8]) -> Result<Rotate<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        Ok(Rotate { position: cursor.u64("rotate position")?, file: cursor.rest() })
    }

    /// Appends the body.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.position.to_le_bytes());
        out.extend_from_slice(self.file);
    }
}

/// USER_VAR (14): a user variable that the next statement uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserVar<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its value, `None` for NULL.
    pub value: Option<UserVarValue<'a>>,
}

/// A value of a [`UserVar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserVarValue<'a> {
    /// 0 string, 1 real, 2 integer, 4 decimal.
    pub kind: u8,
    /// Its collation.
    pub collation: u32,
    /// Its bytes in the encoding of its kind.
    pub bytes: &'a [u8],
    /// An integer without sign.
    pub unsigned: bool,
}

impl<'a> UserVar<'a> {
    /// Decodes the body.
    pub fn decode(body: &'a [u8]) -> Result<UserVar<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        let name_length = cursor.u32("variable name length")?;
        let name = cursor.take_long(u64::from(name_length), "variable name")?;
        if cursor.u8("variable null flag")? != 0 {
            return Ok(UserVar { name, value: None });
        }
        let kind = cursor.u8("variable type")?;
        let collation = cursor.u32("variable collation")?;
        let length = cursor.u32("variable value length")?;
        let bytes = cursor.take_long(u64::from(length), "variable value")?;
        let unsigned = !cursor.is_empty() && cursor.u8("variable flags")? & 1 != 0;
        Ok(UserVar { name, value: Some(UserVarValue { kind, collation, bytes, unsigned }) })
    }
}

/// INCIDENT (26): events were lost here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incident<'a> {
    /// 1 = lost events.
    pub number: u16,
    /// Why.
    pub message: &'a [u8],
}

impl<'a> Incident<'a> {
    /// Decodes the body.
    pub fn decode(body: &'a [u8]) -> Result<Incident<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        let number = cursor.u16("incident number")?;
        Ok(Incident { number, message: cursor.short_string("incident message")? })
    }
}
