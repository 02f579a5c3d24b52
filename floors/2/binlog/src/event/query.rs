//! QUERY (2): a statement's text with the session settings that it depends on.
//!
//! ```text
//!  0          4              8            9           11               13
//! +----------+--------------+------------+-----------+----------------+-----------------+-----+---+-----+
//! |thread id |execution time| db length d| error code| status length s| status variables| db  | 0 | text|
//! +----------+--------------+------------+-----------+----------------+-----------------+-----+---+-----+
//! ```

use super::cursor::{Cursor, put_short_string};
use crate::error::DecodeError;

/// The session settings in a QUERY event: a code byte and fixed data each, absent ones at their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryStatus<'a> {
    /// Code 0: option bits (14 auto_is_null, 19 not autocommit, 26 no foreign key checks, 27 relaxed unique checks ...).
    pub flags2: Option<u32>,
    /// Code 1: `sql_mode`.
    pub sql_mode: Option<u64>,
    /// Code 3: `auto_increment_increment` and `_offset`.
    pub auto_increment: Option<(u16, u16)>,
    /// Code 4: collations of client, connection and server.
    pub charset: Option<[u16; 3]>,
    /// Code 5: the session's time zone.
    pub time_zone: Option<&'a [u8]>,
    /// Code 6: always `std`.
    pub catalog: Option<&'a [u8]>,
    /// Code 7: `lc_time_names`.
    pub lc_time_names: Option<u16>,
    /// Code 8: `collation_database`.
    pub charset_database: Option<u16>,
    /// Code 9: tables that a multi-table update changes.
    pub table_map_for_update: Option<u64>,
    /// Code 11: user and host that invoked.
    pub invoker: Option<(&'a [u8], &'a [u8])>,
    /// Code 128 (MariaDB): microseconds of the event's time.
    pub microseconds: Option<u32>,
    /// Code 129 (MariaDB): the transaction number of data definition.
    pub ddl_xid: Option<u64>,
}

impl<'a> QueryStatus<'a> {
    /// Decodes the variables up to the first unknown code, as readers do.
    pub fn decode(bytes: &'a [u8]) -> Result<QueryStatus<'a>, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        let mut status = QueryStatus::default();
        while !cursor.is_empty() {
            match cursor.u8("status code")? {
                0 => status.flags2 = Some(cursor.u32("status flags2")?),
                1 => status.sql_mode = Some(cursor.u64("status sql_mode")?),
                3 => {
                    let increment = cursor.u16("status auto_increment")?;
                    status.auto_increment = Some((increment, cursor.u16("status auto_increment")?));
                }
                4 => {
                    let client = cursor.u16("status charset")?;
                    let connection = cursor.u16("status charset")?;
                    status.charset = Some([client, connection, cursor.u16("status charset")?]);
                }
                5 => status.time_zone = Some(cursor.short_string("status time zone")?),
                6 => status.catalog = Some(cursor.short_string("status catalog")?),
                7 => status.lc_time_names = Some(cursor.u16("status lc_time_names")?),
                8 => status.charset_database = Some(cursor.u16("status charset_database")?),
                9 => status.table_map_for_update = Some(cursor.u64("status table map")?),
                11 => {
                    let user = cursor.short_string("status invoker's user")?;
                    status.invoker = Some((user, cursor.short_string("status invoker's host")?));
                }
                128 => status.microseconds = Some(cursor.u24("status microseconds")?),
                129 => status.ddl_xid = Some(cursor.u64("status DDL xid")?),
                _ => break,
            }
        }
        Ok(status)
    }

    /// Appends the variables in the order of MariaDB.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put_fixed(out, 0, self.flags2.map(u32::to_le_bytes));
        put_fixed(out, 1, self.sql_mode.map(u64::to_le_bytes));
        put_text(out, 6, self.catalog);
        if let Some((increment, offset)) = self.auto_increment {
            put_fixed(out, 3, Some(increment.to_le_bytes()));
            out.extend_from_slice(&offset.to_le_bytes());
        }
        if let Some([client, connection, server]) = self.charset {
            put_fixed(out, 4, Some(client.to_le_bytes()));
            out.extend_from_slice(&connection.to_le_bytes());
            out.extend_from_slice(&server.to_le_bytes());
        }
        put_text(out, 5, self.time_zone);
        put_fixed(out, 7, self.lc_time_names.map(u16::to_le_bytes));
        put_fixed(out, 8, self.charset_database.map(u16::to_le_bytes));
        put_fixed(out, 9, self.table_map_for_update.map(u64::to_le_bytes));
        if let Some((user, host)) = self.invoker {
            put_text(out, 11, Some(user));
            put_short_string(out, host);
        }
        let microseconds = self.microseconds.map(u32::to_le_bytes);
        put_fixed(out, 128, microseconds.map(|[low, middle, high, _]| [low, middle, high]));
        put_fixed(out, 129, self.ddl_xid.map(u64::to_le_bytes));
    }
}

fn put_fixed<const N: usize>(out: &mut Vec<u8>, code: u8, value: Option<[u8; N]>) {
    if let Some(bytes) = value {
        out.push(code);
        out.extend_from_slice(&bytes);
    }
}

fn put_text(out: &mut Vec<u8>, code: u8, text: Option<&[u8]>) {
    if let Some(text) = text {
        out.push(code);
        put_short_string(out, text);
    }
}

/// A decoded QUERY event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query<'a> {
    /// The connection's number.
    pub thread_id: u32,
    /// Seconds that the statement took.
    pub execution_seconds: u32,
    /// The error that it ended with; replicas expect the same.
    pub error_code: u16,
    /// Session settings.
    pub status: QueryStatus<'a>,
    /// The session's database, perhaps empty.
    pub database: &'a [u8],
    /// The statement.
    pub text: &'a [u8],
}

impl<'a> Query<'a> {
    /// Decodes the body.
    pub fn decode(body: &'a [u8]) -> Result<Query<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        let thread_id = cursor.u32("thread id")?;
        let execution_seconds = cursor.u32("execution time")?;
        let database_length = cursor.u8("database length")?;
        let error_code = cursor.u16("error code")?;
        let status_length = cursor.u16("status length")?;
        let status = QueryStatus::decode(cursor.take(usize::from(status_length), "status variables")?)?;
        let database = cursor.take(usize::from(database_length), "database name")?;
        cursor.zero("end of the database name")?;
        Ok(Query { thread_id, execution_seconds, error_code, status, database, text: cursor.rest() })
    }

    /// Whether the statement ends a transaction: exactly COMMIT or ROLLBACK.
    #[must_use]
    pub fn ends_transaction(&self) -> bool {
        self.text.eq_ignore_ascii_case(b"COMMIT") || self.text.eq_ignore_ascii_case(b"ROLLBACK")
    }

    /// Appends the body. A database name longer than 255 bytes is cut.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let database = &self.database[..self.database.len().min(255)];
        out.extend_from_slice(&self.thread_id.to_le_bytes());
        out.extend_from_slice(&self.execution_seconds.to_le_bytes());
        out.push(database.len() as u8);
        out.extend_from_slice(&self.error_code.to_le_bytes());
        let length_at = out.len();
        out.extend_from_slice(&[0, 0]);
        self.status.encode(out);
        // At most five short strings and some fixed fields: far below 64 KiB.
        let status_length = (out.len() - length_at - 2) as u16;
        out[length_at..length_at + 2].copy_from_slice(&status_length.to_le_bytes());
        out.extend_from_slice(database);
        out.push(0);
        out.extend_from_slice(self.text);
    }
}
