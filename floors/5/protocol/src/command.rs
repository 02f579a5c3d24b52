//! What a client asks: one byte of command, then its body.

use crate::ProtocolError;
use crate::flags::wire_type;
use crate::wire::Reader;

/// A decoded command; slices point into the packet.
#[derive(Debug, Clone, PartialEq)]
pub enum Command<'a> {
    /// Ends the connection.
    Quit,
    /// Changes the default database.
    InitDb(&'a [u8]),
    /// Runs one or more statements.
    Query(&'a [u8]),
    /// Columns of a table whose names match a wildcard.
    FieldList {
        /// Table name.
        table: &'a [u8],
        /// LIKE pattern for column names, empty for all.
        wildcard: &'a [u8],
    },
    /// One line of counters as text.
    Statistics,
    /// Asks whether the server lives.
    Ping,
    /// Authenticates anew as somebody else; decode the body by `handshake::decode_change_user`.
    ChangeUser(&'a [u8]),
    /// Puts the session's state back to its start.
    ResetConnection,
    /// Turns multi-statements on (0) or off (1).
    SetOption(u16),
    /// Prepares a statement.
    StmtPrepare(&'a [u8]),
    /// Runs a prepared statement; decode the parameters by [`decode_parameters`].
    StmtExecute {
        /// Statement id; `u32::MAX` names the last prepared one (MariaDB).
        id: u32,
        /// Cursor type: 0 none, 1 read only.
        cursor: u8,
        /// NULL bitmap, types and values.
        parameters: &'a [u8],
    },
    /// Runs a prepared statement for one set of parameters after the other (MariaDB); decode them by [`BulkSets`].
    StmtBulkExecute {
        /// Statement id, as for [`Self::StmtExecute`].
        id: u32,
        /// [`BULK_SENDS_TYPES`] and others.
        flags: u16,
        /// Types, if they are sent, and sets of values.
        sets: &'a [u8],
    },
    /// Adds bytes to one parameter; has no answer.
    StmtSendLongData {
        /// Statement id.
        id: u32,
        /// Parameter number from 0.
        parameter: u16,
        /// The bytes to add.
        data: &'a [u8],
    },
    /// Forgets a prepared statement; has no answer.
    StmtClose(u32),
    /// Forgets long data and closes the cursor.
    StmtReset(u32),
    /// Fetches rows from a cursor.
    StmtFetch {
        /// Statement id.
        id: u32,
        /// Rows wanted at most.
        rows: u32,
    },
    /// Refreshes what its bits name (`REFRESH_*`).
    Refresh(u8),
    /// Ends the server.
    Shutdown,
    /// The process list.
    ProcessInfo,
    /// Ends another connection.
    ProcessKill(u32),
    /// Prints debugging facts to the server's log.
    Debug,
    /// A command that this server does not know.
    Unknown(u8),
}

impl<'a> Command<'a> {
    /// Decodes a command packet's payload.
    pub fn decode(payload: &'a [u8]) -> Result<Self, ProtocolError> {
        let mut r = Reader::new(payload);
        Ok(match r.u8("command")? {
            0x01 => Self::Quit,
            0x02 => Self::InitDb(r.to_end()),
            0x03 => Self::Query(r.to_end()),
            0x04 => {
                let table = r.zero_terminated("table name")?;
                Self::FieldList { table, wildcard: r.to_end() }
            }
            0x07 => Self::Refresh(r.u8("refresh bits")?),
            0x08 => Self::Shutdown,
            0x09 => Self::Statistics,
            0x0A => Self::ProcessInfo,
            0x0C => Self::ProcessKill(r.u32("connection id")?),
            0x0D => Self::Debug,
            0x0E => Self::Ping,
            0x11 => Self::ChangeUser(r.to_end()),
            0x16 => Self::StmtPrepare(r.to_end()),
            0x17 => {
                let id = r.u32("statement id")?;
                let cursor = r.u8("cursor type")?;
                r.u32("iteration count")?;
                Self::StmtExecute { id, cursor, parameters: r.to_end() }
            }
            0x18 => Self::StmtSendLongData {
                id: r.u32("statement id")?,
                parameter: r.u16("parameter number")?,
                data: r.to_end(),
            },
            0x19 => Self::StmtClose(r.u32("statement id")?),
            0x1A => Self::StmtReset(r.u32("statement id")?),
            0x1B => Self::SetOption(r.u16("option")?),
            0x1C => Self::StmtFetch { id: r.u32("statement id")?, rows: r.u32("row count")? },
            0x1F => Self::ResetConnection,
            0xFA => Self::StmtBulkExecute {
                id: r.u32("statement id")?,
                flags: r.u16("bulk flags")?,
                sets: r.to_end(),
            },
            other => Self::Unknown(other),
        })
    }

    /// Whether the protocol gives this command no answer.
    pub fn is_silent(&self) -> bool {
        matches!(self, Self::Quit | Self::StmtClose(_) | Self::StmtSendLongData { .. })
    }
}

/// A parameter's type as COM_STMT_EXECUTE announces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterType {
    /// One of `flags::wire_type`.
    pub wire_type: u8,
    /// Whether integers are unsigned.
    pub unsigned: bool,
}

/// A parameter's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Parameter<'a> {
    /// NULL.
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A FLOAT.
    Float(f32),
    /// A DOUBLE.
    Double(f64),
    /// A string or blob in the connection's character set.
    Bytes(&'a [u8]),
    /// A DECIMAL, in digits.
    Decimal(&'a [u8]),
    /// A DATE.
    Date {
        /// Year.
        year: u16,
        /// Month, 0 to 12.
        month: u8,
        /// Day, 0 to 31.
        day: u8,
    },
    /// A DATETIME or TIMESTAMP.
    DateTime {
        /// Year.
        year: u16,
        /// Month, 0 to 12.
        month: u8,
        /// Day, 0 to 31.
        day: u8,
        /// Hour.
        hour: u8,
        /// Minute.
        minute: u8,
        /// Second.
        second: u8,
        /// Microseconds.
        micros: u32,
    },
    /// A time span.
    Time {
        /// Whether it is negative.
        negative: bool,
        /// Whole days.
        days: u32,
        /// Hour.
        hour: u8,
        /// Minute.
        minute: u8,
        /// Second.
        second: u8,
        /// Microseconds.
        micros: u32,
    },
    /// The value came by COM_STMT_SEND_LONG_DATA.
    Long,
}

/// Decodes the parameters of COM_STMT_EXECUTE. `types` keeps the types announced by an earlier
/// execution, `long(i)` tells whether parameter `i` came by COM_STMT_SEND_LONG_DATA.
pub fn decode_parameters<'a>(
    body: &'a [u8],
    count: usize,
    types: &mut Vec<ParameterType>,
    long: impl Fn(usize) -> bool,
) -> Result<Vec<Parameter<'a>>, ProtocolError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut r = Reader::new(body);
    let nulls = r.bytes(count.div_ceil(8), "NULL bitmap")?;
    if r.u8("new types flag")? == 1 {
        announced_types(&mut r, count, types)?;
    }
    if types.len() != count {
        return Err(ProtocolError::Malformed("parameter types"));
    }
    let mut values = Vec::with_capacity(count);
    for (i, ty) in types.iter().enumerate() {
        values.push(if long(i) {
            Parameter::Long
        } else if nulls[i / 8] & 1 << (i % 8) != 0 {
            Parameter::Null
        } else {
            parameter(&mut r, *ty)?
        });
    }
    Ok(values)
}

/// Flag of COM_STMT_BULK_EXECUTE: the parameters' types stand before the first set.
pub const BULK_SENDS_TYPES: u16 = 128;

/// A parameter in COM_STMT_BULK_EXECUTE.
#[derive(Debug, Clone, PartialEq)]
pub enum BulkParameter<'a> {
    /// A value, or NULL.
    Value(Parameter<'a>),
    /// The column's default.
    Default,
    /// The column stays as it is; in INSERT its default.
    Ignore,
}

/// The sets of parameters in COM_STMT_BULK_EXECUTE, read one by one: a packet may hold very many.
///
/// ```text
/// types, 2 each (with BULK_SENDS_TYPES) | for each set, for each parameter: indicator, 1 | value, if the indicator is 0
/// indicators: 0 a value, 1 NULL, 2 DEFAULT, 3 IGNORE
/// ```
#[derive(Debug, Clone)]
pub struct BulkSets<'a> {
    rest: Reader<'a>,
    types: Vec<ParameterType>,
}

impl<'a> BulkSets<'a> {
    /// Opens the sets of a statement with `count` parameters. `types` keeps the types announced last.
    pub fn new(
        sets: &'a [u8],
        flags: u16,
        count: usize,
        types: &mut Vec<ParameterType>,
    ) -> Result<Self, ProtocolError> {
        let mut rest = Reader::new(sets);
        if flags & BULK_SENDS_TYPES != 0 {
            announced_types(&mut rest, count, types)?;
        }
        if count == 0 || types.len() != count || rest.is_empty() {
            return Err(ProtocolError::Malformed("bulk parameters"));
        }
        Ok(Self { rest, types: types.clone() })
    }

    /// The next set into `set`; false behind the last one.
    pub fn next(&mut self, set: &mut Vec<BulkParameter<'a>>) -> Result<bool, ProtocolError> {
        set.clear();
        if self.rest.is_empty() {
            return Ok(false);
        }
        for ty in &self.types {
            set.push(match self.rest.u8("bulk indicator")? {
                0 => BulkParameter::Value(parameter(&mut self.rest, *ty)?),
                1 => BulkParameter::Value(Parameter::Null),
                2 => BulkParameter::Default,
                3 => BulkParameter::Ignore,
                _ => return Err(ProtocolError::Malformed("bulk indicator")),
            });
        }
        Ok(true)
    }
}

fn announced_types(
    r: &mut Reader<'_>,
    count: usize,
    types: &mut Vec<ParameterType>,
) -> Result<(), ProtocolError> {
    let announced = r.bytes(2 * count, "parameter types")?;
    types.clear();
    types.extend(
        announced.chunks_exact(2).map(|t| ParameterType { wire_type: t[0], unsigned: t[1] & 0x80 != 0 }),
    );
    Ok(())
}

fn parameter<'a>(r: &mut Reader<'a>, ty: ParameterType) -> Result<Parameter<'a>, ProtocolError> {
    let integer = |signed: i64, unsigned: u64| match ty.unsigned {
        true => Parameter::UInt(unsigned),
        false => Parameter::Int(signed),
    };
    Ok(match ty.wire_type {
        wire_type::NULL => Parameter::Null,
        wire_type::TINY => {
            let n = r.u8("parameter")?;
            integer(i64::from(n as i8), u64::from(n))
        }
        wire_type::SHORT | wire_type::YEAR => {
            let n = r.u16("parameter")?;
            integer(i64::from(n as i16), u64::from(n))
        }
        wire_type::LONG | wire_type::INT24 => {
            let n = r.u32("parameter")?;
            integer(i64::from(n as i32), u64::from(n))
        }
        wire_type::LONGLONG => {
            let n = r.u64("parameter")?;
            integer(n as i64, n)
        }
        wire_type::FLOAT => Parameter::Float(f32::from_bits(r.u32("parameter")?)),
        wire_type::DOUBLE => Parameter::Double(f64::from_bits(r.u64("parameter")?)),
        // A time behind a date is passed over.
        wire_type::DATE => match date_time(r)? {
            Parameter::DateTime { year, month, day, .. } => Parameter::Date { year, month, day },
            other => other,
        },
        wire_type::DATETIME | wire_type::TIMESTAMP => date_time(r)?,
        wire_type::TIME => time(r)?,
        wire_type::DECIMAL | wire_type::NEWDECIMAL => Parameter::Decimal(r.lenenc_bytes("parameter")?),
        wire_type::VARCHAR | wire_type::BIT | wire_type::JSON..=wire_type::GEOMETRY => {
            Parameter::Bytes(r.lenenc_bytes("parameter")?)
        }
        _ => return Err(ProtocolError::Malformed("parameter type")),
    })
}

fn date_time<'a>(r: &mut Reader<'a>) -> Result<Parameter<'a>, ProtocolError> {
    let len = r.u8("date parameter")?;
    if !matches!(len, 0 | 4 | 7 | 11) {
        return Err(ProtocolError::Malformed("date parameter"));
    }
    let (year, month, day) = match len >= 4 {
        true => (r.u16("date parameter")?, r.u8("date parameter")?, r.u8("date parameter")?),
        false => (0, 0, 0),
    };
    let (hour, minute, second) = clock(r, len >= 7)?;
    let micros = if len == 11 { r.u32("date parameter")? } else { 0 };
    Ok(Parameter::DateTime { year, month, day, hour, minute, second, micros })
}

fn time<'a>(r: &mut Reader<'a>) -> Result<Parameter<'a>, ProtocolError> {
    let len = r.u8("time parameter")?;
    if !matches!(len, 0 | 8 | 12) {
        return Err(ProtocolError::Malformed("time parameter"));
    }
    let (negative, days) = match len >= 8 {
        true => (r.u8("time parameter")? != 0, r.u32("time parameter")?),
        false => (false, 0),
    };
    let (hour, minute, second) = clock(r, len >= 8)?;
    let micros = if len == 12 { r.u32("time parameter")? } else { 0 };
    Ok(Parameter::Time { negative, days, hour, minute, second, micros })
}

fn clock(r: &mut Reader<'_>, present: bool) -> Result<(u8, u8, u8), ProtocolError> {
    match present {
        true => Ok((r.u8("hour")?, r.u8("minute")?, r.u8("second")?)),
        false => Ok((0, 0, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parameters_of_each_kind() {
        let ints =
            [wire_type::TINY, 0, wire_type::LONGLONG, 0x80, wire_type::VAR_STRING, 0, wire_type::TIME, 0];
        let mut body = vec![0b0000_0000, 1];
        body.extend_from_slice(&ints);
        body.push(0xFF);
        body.extend_from_slice(&u64::MAX.to_le_bytes());
        body.extend_from_slice(b"\x02hi");
        body.extend_from_slice(&[8, 1, 1, 0, 0, 0, 2, 3, 4]);
        let mut types = Vec::new();
        let values = decode_parameters(&body, 4, &mut types, |_| false).unwrap();
        assert_eq!(values[..3], [Parameter::Int(-1), Parameter::UInt(u64::MAX), Parameter::Bytes(b"hi")]);
        let time = Parameter::Time { negative: true, days: 1, hour: 2, minute: 3, second: 4, micros: 0 };
        assert_eq!(values[3], time);
        // The next execution may rely on the types announced before.
        let again = decode_parameters(&[0b1111, 0], 4, &mut types, |i| i == 2).unwrap();
        assert_eq!(again, [Parameter::Null, Parameter::Null, Parameter::Long, Parameter::Null]);
        assert!(decode_parameters(&[0, 0], 5, &mut types, |_| false).is_err());
        let date = [0, 1, wire_type::DATE, 0, 7, 0xE4, 7, 2, 29, 10, 11, 12];
        let date = decode_parameters(&date, 1, &mut types, |_| false).unwrap();
        assert_eq!(date, [Parameter::Date { year: 2020, month: 2, day: 29 }]);
    }

    #[test]
    fn sets_are_read_one_by_one() {
        let body = [
            &[wire_type::LONGLONG, 0x80, wire_type::VAR_STRING, 0][..],
            &[0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 2, b'h', b'i'],
            &[1, 2],
            &[3, 0, 0],
        ];
        let body = body.concat();
        let (mut types, mut set) = (Vec::new(), Vec::new());
        let mut sets = BulkSets::new(&body, BULK_SENDS_TYPES, 2, &mut types).unwrap();
        let value = BulkParameter::Value;
        for expected in [
            [value(Parameter::UInt(7)), value(Parameter::Bytes(b"hi"))],
            [value(Parameter::Null), BulkParameter::Default],
            [BulkParameter::Ignore, value(Parameter::Bytes(b""))],
        ] {
            assert_eq!(sets.next(&mut set), Ok(true));
            assert_eq!(set, expected);
        }
        assert_eq!(sets.next(&mut set), Ok(false));
        // Types announced before serve again; none, or no set, is an error.
        assert!(BulkSets::new(&body[4..], 0, 2, &mut types).is_ok());
        assert!(BulkSets::new(&body[4..], 0, 2, &mut Vec::new()).is_err());
        assert!(BulkSets::new(&body[..4], BULK_SENDS_TYPES, 2, &mut types).is_err());
        let mut cut = BulkSets::new(&body[..body.len() - 1], BULK_SENDS_TYPES, 2, &mut types).unwrap();
        assert!((0..3).any(|_| cut.next(&mut set).is_err()));
    }

    proptest! {
        #[test]
        fn any_sets_decode_without_panic(bytes: Vec<u8>, flags in 0u16..256, count in 0usize..9) {
            if let Ok(mut sets) = BulkSets::new(&bytes, flags, count, &mut Vec::new()) {
                let mut set = Vec::new();
                while sets.next(&mut set) == Ok(true) {}
            }
        }

        #[test]
        fn any_bytes_decode_without_panic(bytes: Vec<u8>, count in 0usize..70_000) {
            let _ = Command::decode(&bytes);
            let _ = decode_parameters(&bytes, count, &mut Vec::new(), |i| i % 7 == 3);
        }
    }
}
